"""Where the examples of the docs are: the gallery of games that everything generic is tried on."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def gallery() -> list[str]:
    """The files in docs/ that define a game, found by what they derive from: a new one is taken in by itself."""
    files = [*sorted(EXAMPLES.glob("*.py")), *sorted((ROOT / "docs" / "tutorial").glob("*.py"))]
    return [str(file) for file in files if "(bw.Game)" in file.read_text(encoding="utf-8")]
