"""The run that was trained last for a game: under the runs' folder, of these very rules and options. Headings are read
only: no weights, no JAX."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument
from boardwright.learn.display import duration
from boardwright.learn.model_players import KINDS, TAKEN
from boardwright.learn.models import IN_A_RUN
from boardwright.learn.runs import HEADING, read_heading, runs_folder
from boardwright.learn.shipped import model_heading

MOST_RUNS = 200  # folders that are looked at, the newest


@dataclass(frozen=True)
class LastRun:
    """A run whose model can play a game."""

    path: Path
    kind: str  # of its model
    changed: float  # when the model was written, as time.time() tells it

    @property
    def model(self) -> Path:
        return self.path / IN_A_RUN

    def __str__(self) -> str:
        short = f"runs/{self.path.name}" if self.path.parent == runs_folder() else str(self.path)
        return f"{short}, trained {ago(self.changed)}"


def ago(moment: float) -> str:
    """12 min ago."""
    seconds = max(time.time() - moment, 0.0)
    if seconds >= 48 * 3600:
        return f"{seconds / 86400:.0f} days ago"
    return f"{duration(seconds if seconds < 60 else 60 * round(seconds / 60)).removesuffix(' 0 s')} ago"


def last_run(game: Game, kinds: Collection[str] = KINDS, more: Sequence[Path] = ()) -> tuple[LastRun | None, list[str]]:
    """The newest run, finished or living, whose model plays this game; and why newer ones of the game do not.

    kinds: of models that will do. more: folders of runs, or runs, beside the usual place.
    """
    against: list[str] = []
    for path, changed in _newest_first(more):
        try:
            heading = read_heading(path)
        except InputError:
            continue  # whose it is cannot be told
        if heading["game"] != game.name or heading["options"] != game.options:
            continue
        reason = _against(game, heading["rules"], path, kinds)
        if reason is None:
            continue
        if not reason:
            return LastRun(path, str(model_heading(path / IN_A_RUN)["kind"]), changed), against
        against.append(f"runs/{path.name} is not used: {reason}")
    return None, against


def _against(game: Game, rules: str, path: Path, kinds: Collection[str]) -> str | None:
    """Why a run's model cannot play; nothing if it can; None if it is of a kind that is not asked for."""
    train = f"boardwright train {game_argument(game)}"
    model = model_heading(path / IN_A_RUN)
    kind = model.get("kind")
    if model and (kind not in KINDS or kind not in kinds):
        return None
    if rules != game.digest:
        changed = "it learnt other rules than the game has now" if rules else "it does not say by which rules it learnt"
        return f"{changed}; train again: {train}"
    if not (path / IN_A_RUN).is_file():
        return "it has no model yet"
    if model.get("game") != game.name or model.get("options") != game.options:
        return f"its {IN_A_RUN} cannot be read, or is of another game; train again: {train}"
    return ""


def _newest_first(more: Sequence[Path]) -> list[tuple[Path, float]]:
    """Folders that look like runs, with the time at which each last wrote its model, or else itself."""
    found: dict[Path, float] = {}
    for place in (runs_folder(), *more):
        folders = [place] if (place / HEADING).is_file() else _inside(place)
        for folder in folders:
            for name in (IN_A_RUN, HEADING):
                try:
                    found[folder] = (folder / name).stat().st_mtime
                    break
                except OSError:
                    continue
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_RUNS]


def _inside(place: Path) -> list[Path]:
    try:
        return [item for item in place.iterdir() if item.is_dir()]
    except OSError:
        return []


def model_of_last(game: Game, kind: str, setting: str) -> str:
    """The file behind `last`, as in `mcts:value=last`; refused with the reason if no run fits."""
    wanted = TAKEN.get((kind, setting))
    if wanted is None:
        raise InputError(f"player {kind}: {setting}=last names no model; write a file or the folder of a run")
    run, against = last_run(game, wanted)
    if run is None:
        train = f"boardwright train {game_argument(game)}"
        because = f" ({'; '.join(against)})" if against else f"; train one: {train}"
        raise InputError(f"no run in {runs_folder()} has a model for {kind}:{setting}= of {game}{because}")
    return str(run.model)
