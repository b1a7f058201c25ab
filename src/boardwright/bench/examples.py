"""The games of docs/examples that are measured: they come with the repository, not with the installed package."""

from __future__ import annotations

from pathlib import Path

from boardwright.contract.errors import InputError

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


def example_file(name: str) -> Path:
    """A file of docs/examples; refused where there is no repository."""
    path = EXAMPLES / name
    if not path.is_file():
        raise InputError(
            f"{name} is not here: it is in docs/examples of the repository; run this command in a clone of it"
        )
    return path
