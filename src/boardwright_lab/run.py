"""How a program of the laboratory is run: at which size, from which seed, where it keeps what it made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from boardwright.arena import Match, MatchProgress, MatchResult
from boardwright.arena.report import commit
from boardwright.arena.summary import duration
from boardwright.contract.game import Game
from boardwright.records import Library
from boardwright_lab import PROGRAMS
from boardwright_lab.page import Page

Size = TypeVar("Size")


@dataclass(frozen=True)
class Run:
    """One run of a program."""

    name: str  # of the program
    quick: bool  # minutes become seconds: everything is run, nothing is proven
    seed: int  # one seed, one result, but for what is timed
    workers: int  # processes that play matches; 0: this one
    folder: Path  # the program's own: models, recorded games, trajectories; a second run finds them again
    tick: Callable[[str], None]  # shows how far it is

    def pick(self, full: Size, quick: Size) -> Size:
        """A size of the experiment: as it should be, or for the quick run."""
        return quick if self.quick else full

    def match(self, game: Game, players: Sequence[str], games: int, **terms: Any) -> MatchResult:
        """Let players meet as `bw.match` does. What an earlier run of this program finished is not played again."""
        planned = Match(game, players, games, self.seed, library=Library(self.folder / "games.sqlite"), **terms)

        def show(progress: MatchProgress) -> None:
            left = f", {duration(progress.left)} left" if progress.left == progress.left else ""
            self.tick(f"{' and '.join(players)}: {progress.done} of {progress.total} games{left}")

        planned.run(self.workers, show)
        return planned.result()


def carry_out(run: Run, out: Path, command: str) -> Page:
    """Run a program and write its page to `out/NAME.md`, its pictures beside it in `out/NAME/`.

    The files change when the program is through, and not before.
    """
    page = Page(run.name)
    run.folder.mkdir(parents=True, exist_ok=True)
    import_module(PROGRAMS[run.name]).reproduce(run, page)
    page.write(out, command, commit(), quick=run.quick)
    return page
