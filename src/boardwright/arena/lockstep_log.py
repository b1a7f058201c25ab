"""What was done in games that were played at once, and the records of it: written for all of them together, since to
write them one by one took longer than the games."""

from __future__ import annotations

import dis
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.arena.pairing import Meeting
from boardwright.arena.referee import Played
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, Game
from boardwright.contract.position import Position, blank
from boardwright.contract.state import States, copy_record
from boardwright.records.long_lists import as_json
from boardwright.records.record import DRAW, LARGEST, Record, are_texts

FIRST_STEPS = 256  # of a game's log


class Log(NamedTuple):
    """What was done in each game g: steps[g, :length[g]] are moves and draws, in order."""

    steps: npt.NDArray[np.int32]
    actors: npt.NDArray[np.int8]  # who did each: a seat, or CHANCE
    values: npt.NDArray[np.float64]  # what the mover expected for itself; NaN: it did not say
    simulations: npt.NDArray[np.int32]
    length: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]  # scores[g, i]: player i's points at the end
    results: npt.NDArray[np.float64]  # the same of what players maximise


def new_log(games: int, steps: int, players: int) -> Log:
    """Room for so many games of so many steps."""
    shape = (games, steps)
    return Log(
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int8),
        np.full(shape, np.nan),
        np.zeros(shape, np.int32),
        np.zeros(games, np.int64),
        np.zeros((games, players)),
        np.zeros((games, players)),
    )


def longer(log: Log) -> Log:
    """The same log with room for twice the steps."""
    games, steps = log.steps.shape
    more = new_log(games, 2 * steps, log.scores.shape[1])
    more.steps[:, :steps], more.actors[:, :steps] = log.steps, log.actors
    more.values[:, :steps], more.simulations[:, :steps] = log.values, log.simulations
    return more._replace(length=log.length, scores=log.scores, results=log.results)


@kernel
def retrace(game: Any, states: Any, steps: Any, actors: Any, count: Any) -> None:
    """states[k + 1] from states[k] by steps[k], for each k below count."""
    for k in range(count):
        states[k + 1] = states[k]
        if actors[k] == CHANCE:
            game.draw(states[k + 1], steps[k])
        else:
            game.play(states[k + 1], steps[k])


class Begun(NamedTuple):
    """How a game began: the position where its log does, and what led there; as it stands, at the very start."""

    position: Position | None = None
    plies: Sequence[str] = ()
    movers: Sequence[int] = ()
    draws: int = 0

    @classmethod
    def by(cls, opening: Position) -> Begun:
        line = list(opening.line())
        plies = [(DRAW if one.is_chance else "") + one.text(after.step or 0) for one, after in pairwise(line)]
        return cls(
            opening,
            plies,
            [one.player for one in line[:-1] if one.player >= 0],
            sum(one.is_chance for one in line[:-1]),
        )


class Scribe:
    """Writes the records of one match's games."""

    def __init__(self, game: Game, specs: tuple[str, ...]) -> None:
        self.game, self.specs = game, specs
        self._by_state = _reads_state(game.move_text) or _reads_state(game.outcome_text)
        self._names = np.full(game.actions + game.outcomes, None, object)  # by move, then by outcome, once it is known
        self._has_marks = type(game).marks is not Game.marks
        nothing = (0.0,) * len(specs)
        self._record = Record(  # whatever all games share is looked over once
            game=game.name,
            options=game.options,
            digest=game.digest,
            seed=0,
            players=specs,
            plies=(),
            seconds=(),
            scores=nothing,
            results=nothing,
            status="finished",
        )
        told = self._record.told()
        self._told = {name: told[name] for name in ("game", "options", "digest", "status")}

    def write(
        self,
        meetings: Sequence[Meeting],
        begun: Sequence[Begun],
        states: npt.NDArray[np.void],
        log: Log,
        spent: npt.NDArray[np.float64],
        started: str,
    ) -> list[Played] | None:
        """The games with what the players told; None where a record could not hold one.

        begun[g], states[g]: the begin of game g and its end. spent[g, seat]: seconds.
        """
        largest = max(np.abs(log.scores).max(), np.abs(log.results).max())
        plies = self._plies(begun, log)
        if plies is None or not largest < LARGEST:
            return None
        game, specs, has_marks, like, told = self.game, self.specs, self._has_marks, self._record.like, self._told
        played, a_move = told_by(log), (spent / np.maximum(moves_by_seat(log), 1)).tolist()
        scores, results = log.scores.tolist(), log.results.tolist()
        found = []
        for g, meeting in enumerate(meetings):
            movers, simulations, values = played[g]
            own = [round(seconds, 9) for seconds in a_move[g]]
            texts = [as_json(seconds) for seconds in own]
            first, before = begun[g].plies, begun[g].movers
            nobodys = [0] * len(before)  # moves of the opening, which took no time
            seconds_told = ", ".join([*["0.0"] * len(before), *[texts[seat] for seat in movers]])
            record = like(
                {**told, "seconds": f"[{seconds_told}]"},
                seed=meeting.luck,
                players=tuple([specs[one] for one in meeting.seats]),
                plies=(*first, *plies[g]),
                seconds=(*map(float, nobodys), *[own[seat] for seat in movers]),
                scores=tuple(scores[g]),
                results=tuple(results[g]),
                note=f"match, set {meeting.number + 1}",
                started=started,
                id=meeting.id,
            )
            marks = game.marks(Position(game, copy_record(states[g : g + 1])).view) if has_marks else {}
            found.append(
                Played(
                    record,
                    movers=(*before, *movers),
                    simulations=(*nobodys, *simulations),
                    values=(*[None] * len(before), *values),
                    marks=marks,
                )
            )
        return found

    def _plies(self, begun: Sequence[Begun], log: Log) -> list[list[str]] | None:
        """Each game's plies as the game writes them; None where a record could not hold one."""
        if self._by_state:
            start = blank(self.game)
            found = [self._plies_by_state(one.position or start, log, g) for g, one in enumerate(begun)]
            return found if all(map(are_texts, found)) else None
        game, names, done = self.game, self._names, made(log)
        steps, actors = log.steps[:, : done.shape[1]][done], log.actors[:, : done.shape[1]][done]
        codes = np.where(actors == CHANCE, game.actions + steps, steps)
        for code in np.unique(codes).tolist():
            if names[code] is None:
                drawn = code - game.actions
                name = game.move_text(None, code) if drawn < 0 else DRAW + game.outcome_text(None, drawn)
                if not are_texts([name]):
                    return None
                names[code] = name
        return split(names[codes].tolist(), log.length)

    def _plies_by_state(self, start: Position, log: Log, g: int) -> list[str]:
        game, count = self.game, int(log.length[g])
        steps, actors = log.steps[g, :count], log.actors[g, :count]
        states = np.zeros(count + 1, game.state_dtype)
        states[:1] = start.record
        run_kernel(game, retrace, game, states, steps, actors, count)
        views = States(states)
        return [
            DRAW + game.outcome_text(views[k], step) if actor == CHANCE else game.move_text(views[k], step)
            for k, (step, actor) in enumerate(zip(steps.tolist(), actors.tolist(), strict=True))
        ]


def made(log: Log) -> npt.NDArray[np.bool_]:
    """Whether step [g, k] was made."""
    return np.asarray(np.arange(log.length.max()) < log.length[:, None])


def moves_by_seat(log: Log) -> npt.NDArray[np.int64]:
    """How many moves each seat made in each game."""
    done = made(log)
    actors = log.actors[:, : done.shape[1]]
    return np.stack([(done & (actors == seat)).sum(axis=1) for seat in range(log.scores.shape[1])], axis=1)


def told_by(log: Log) -> list[tuple[list[int], list[int], list[float | None]]]:
    """For each game its movers, and of their moves the simulations and values."""
    moved = made(log)
    size = moved.shape[1]
    moved &= log.actors[:, :size] >= 0
    counts = moved.sum(axis=1)
    values = log.values[:, :size][moved].astype(object)
    values[values != values] = None  # NaN
    parts = (log.actors[:, :size][moved], log.simulations[:, :size][moved], values)
    return list(zip(*(split(part.tolist(), counts) for part in parts), strict=True))


def split(items: list[Any], counts: npt.NDArray[np.int64]) -> list[list[Any]]:
    """The items in parts of so many each."""
    return [items[start:end] for start, end in pairwise(accumulate(counts.tolist(), initial=0))]


def _reads_state(text: Callable[[Any, int], str]) -> bool:
    """Whether a text rule looks at the state; many names are the same everywhere."""
    function = getattr(text, "__func__", None)
    if not isinstance(function, FunctionType):
        return True
    state = function.__code__.co_varnames[1]
    for one in dis.get_instructions(function):
        named = one.argval if isinstance(one.argval, tuple) else (one.argval,)
        if one.opname.startswith("LOAD") and state in named:
            return True
    return False
