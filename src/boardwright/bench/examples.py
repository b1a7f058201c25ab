"""The games of docs/examples that are measured: they come with the repository, not with the installed package. Which
of them a benchmark takes is said here, so that no benchmark names a game."""

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


def beside_openspiel() -> list[tuple[str, str, int]]:
    """Of the gallery, what OpenSpiel searches, too: what it is called in the table, its spec, simulations a search."""
    path = EXAMPLES / "connect_four.py"
    return [("connect four", f"{path}:ConnectFour", 30_000)] if path.exists() else []


# Games of OpenSpiel's own that are played through its rules, by its names: simulations a search.
OF_OPENSPIEL = (("tic_tac_toe", 20_000), ("connect_four", 5_000), ("breakthrough", 500), ("pig", 2_000))


def race(pieces: int) -> str:
    """The spec of a race with dice whose last part can be solved exactly."""
    return f"{example_file('royal_ur.py')}:RoyalUr:pieces={pieces}"


def with_openings() -> tuple[str, str, Path]:
    """A game whose openings have values that are known, the same game with what helps the solver, and their file."""
    return (
        f"{example_file('connect_four.py')}:ConnectFour",
        f"{example_file('connect_four_skill.py')}:ConnectFourSkill",
        example_file("connect_four_openings.txt"),
    )
