"""The games that everything generic is tried on: the gallery, and the tutorial's."""

from __future__ import annotations

from boardwright.bench import examples
from boardwright.bench.examples import EXAMPLES

__all__ = ["EXAMPLES", "ROOT", "gallery"]

ROOT = EXAMPLES.parents[1]


def gallery() -> list[str]:
    """Their files; a new one is taken in by itself."""
    return [str(file) for file in (*examples.gallery(), ROOT / "docs" / "tutorial" / "ridge.py")]
