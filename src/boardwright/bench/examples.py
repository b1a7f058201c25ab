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


def gallery() -> list[Path]:
    """Every file of docs/examples that is a whole game, by name; one that derives from another game is none."""
    if not EXAMPLES.is_dir():
        raise InputError(
            "the gallery is not here: it is docs/examples of the repository; run this command in a clone of it"
        )
    return [path for path in sorted(EXAMPLES.glob("*.py")) if "(bw.Game):" in path.read_text(encoding="utf-8")]
