"""From what searches expected to chances of winning, move by move.

A search's values are in the game's own currency (results of -1 to 1, or points), and playouts of weak moves squeeze
them. So they are calibrated on the games themselves: in each fifth of a game, the chance of seat i is the softmax of
slope * value[i], with the slope that makes the wins of these games most likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardwright.playtesting.trace import Trace

PARTS = 5  # of a game, each with its slope
PRIOR = 1.0  # how much a slope of 0 is believed beforehand, in games
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """One game as chances of winning: chances[turn, seat]; the last line is the result itself."""

    game: Trace
    turns: Numbers  # where in the game each line stands, 0 to 1
    chances: Numbers

    @property
    def winner(self) -> int:
        """The seat that won; -1 if nobody did alone."""
        return -1 if self.game.drawn_game else int(np.argmax(self.game.results))


def curves(games: Sequence[Trace]) -> list[Curve]:
    """The curves of finished games with values at their turns."""
    used = [one for one in games if one.finished and len(one.results) > 1 and any(one.values)]
    told = []
    for one in used:
        turns = [turn for turn, value in enumerate(one.values) if value]
        told.append((np.array([one.values[turn] for turn in turns]), np.array(turns) / len(one.values)))
    if not told:
        return []
    scale = float(np.concatenate([values.std(axis=1) for values, _ in told]).mean()) or 1.0
    slopes = []
    for part in range(PARTS):
        values, wins = [], []
        for one, (seen, where) in zip(used, told, strict=True):
            inside = (where * PARTS).astype(int) == part
            values.append(seen[inside] / scale)
            wins.append(np.tile(one.wins(), (int(inside.sum()), 1)) / max(int(inside.sum()), 1))
        slopes.append(_slope(np.concatenate(values), np.concatenate(wins)))
    found = []
    for one, (seen, where) in zip(used, told, strict=True):
        slope = np.array([slopes[int(part)] for part in where * PARTS])
        chances = np.vstack([_softmax(slope[:, None] * seen / scale), one.wins()])
        found.append(Curve(one, np.append(where, 1.0), chances))
    return found


def _slope(values: Numbers, wins: Numbers) -> float:
    """The most likely slope, by Newton's method; every game weighs 1."""
    slope = 0.0
    weight = wins.sum(axis=1)
    for _ in range(50):
        chances = _softmax(slope * values)
        middle = (chances * values).sum(axis=1)
        pull = float(((wins * values).sum(axis=1) - weight * middle).sum()) - PRIOR * slope
        bend = float((weight * ((chances * values**2).sum(axis=1) - middle**2)).sum()) + PRIOR
        step = float(np.clip(pull / bend, -2.0, 2.0))
        slope += step
        if abs(step) < 1e-6:
            break
    return max(slope, 0.0)


def _softmax(values: Numbers) -> Numbers:
    raised = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
