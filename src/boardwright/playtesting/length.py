"""Length and choice: how long a game is, how much there is to choose, and how much of it matters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from boardwright.playtesting.estimates import ratio
from boardwright.playtesting.figure import Section, deals_of, over_games
from boardwright.playtesting.trace import Trace

TURN_SECONDS, DOUBLING_SECONDS, DRAW_SECONDS = 5.0, 3.0, 2.0  # a rule of thumb for people at a table
CLEAR = 2.0  # standard errors above which a difference in value is no noise
COURSE = 10  # parts of a game in the curve of what matters


def length(
    equal: Sequence[Trace], weak: Sequence[Trace], exact: bool = False, searchers: Sequence[Trace] = ()
) -> Section:
    """`exact`: values of the players are those of perfect play. What a move is worth more than others is told by them
    and by searches, whose visits say how sure it is; a learnt value is neither, and then the games of `searchers` are
    asked."""
    judged = [one for one in equal if exact or any(one.noise)] or list(searchers)
    found = Section("length", "Length and choice", "How long does it take, and how much is there to decide?")
    spread = result_spread(judged or equal)
    put = found.figures.append
    put(
        over_games(
            "length.moves", "Moves in a game", equal, lambda one: (one.moves, 1.0), "moves",
            "Players' moves from start to end, strong players; draws of chance are not moves.",
        )
    )  # fmt: skip
    if equal and len(equal[0].seats) > 1:
        put(
            over_games(
                "length.rounds", "Rounds", equal, lambda one: (one.moves / len(one.seats), 1.0), "rounds",
                "Moves by seats: how often each has been to move, on average.",
            )
        )  # fmt: skip
    if equal and any(one.steps for one in equal):
        found.data["different"] = len({tuple(one.steps) for one in equal})
    put(
        over_games(
            "length.minutes", "Minutes at a table", equal, lambda one: (minutes(one), 1.0), "minutes",
            f"An estimate for people, by a rule of thumb that the playtest cannot check: {TURN_SECONDS:g} s a move and "
            f"{DOUBLING_SECONDS:g} s more for every doubling of what is open (Hick's law), {DRAW_SECONDS:g} s a draw.",
        )
    )  # fmt: skip
    put(
        over_games(
            "length.weak", "Moves, random play", weak, lambda one: (len(one.movers), 1.0), "moves",
            "Moves in a game of players who move at random.",
        )
    )  # fmt: skip
    put(
        over_games(
            "length.legal", "Moves open a turn", equal, lambda one: (sum(one.legal), len(one.legal)), "moves",
            "Legal moves at a turn, over all turns of strong players.",
        )
    )  # fmt: skip
    put(
        over_games(
            "length.forced", "Turns without a choice", equal,
            lambda one: (sum(count == 1 for count in one.legal), len(one.legal)), "%",
            "Turns with a single legal move.",
        )
    )  # fmt: skip
    put(
        over_games(
            "length.one_sensible", "Turns with one sensible move", judged,
            lambda one: (sum(count == 1 for count in one.sensible), sum(count > 0 for count in one.sensible)), "%",
            "Turns at which the search took one move seriously (no other had a tenth of its visits; of exact values: "
            "no other is as good), those without a choice included.",
        )
    )  # fmt: skip
    put(
        over_games(
            "length.matter", "Turns that matter", judged,
            lambda one: (sum(matters(one, turn, spread) for turn in searched(one)), len(searched(one))), "%",
            f"Turns at which the move made is worth more than the mean of the others that the search tried, by over "
            f"{CLEAR:g} standard errors: a slip there would cost something that can be measured.",
        )
    )  # fmt: skip
    for key, who, games in (("points", "strong players", equal), ("points_weak", "random moves", weak)):
        if any(any(points(one)) for one in equal):
            put(
                over_games(
                    f"length.{key}", f"Points at the end, {who}", games,
                    lambda one: (sum(points(one)), float(len(one.seats))), "points",
                    "What a player has at the end, on average over seats and games.",
                )
            )  # fmt: skip
    noises = [one.noise[turn] for one in judged for turn in searched(one) if one.legal[turn] > 1]
    found.data["blur"] = CLEAR * float(np.median(noises)) if noises else 0.0  # in standard deviations of a result
    found.data["course"] = course(judged, spread)
    found.data["exact"] = exact
    found.data["moves"] = [one.moves for one in equal]
    return found


def points(one: Trace) -> tuple[float, ...]:
    """What each seat has at the end; who plays alone may have a result only."""
    return one.results if len(one.seats) == 1 and not any(one.scores) else one.scores


def minutes(one: Trace) -> float:
    """How long people may take over a game."""
    turns = sum(TURN_SECONDS + DOUBLING_SECONDS * math.log2(max(count, 1)) for count in one.legal)
    return (turns + DRAW_SECONDS * one.draws) / 60


def result_spread(games: Sequence[Trace]) -> float:
    """Standard deviation of a result, in the unit of values."""
    results = [one.results for one in games if one.results]
    spread = float(np.std(np.array(results))) if results else 0.0
    return spread or 1.0


def searched(one: Trace) -> list[int]:
    """Turns at which somebody weighed moves."""
    return [turn for turn, count in enumerate(one.sensible) if count > 0]


def matters(one: Trace, turn: int, spread: float) -> bool:
    """Whether the choice at a turn is above the noise of the search."""
    return one.gap[turn] > CLEAR * spread * one.noise[turn] + 1e-6


def course(equal: Sequence[Trace], spread: float) -> list[dict[str, float]]:
    """Turns that matter and moves open, in each tenth of the game."""
    found = []
    for part in range(COURSE):
        tops, belows, opens = [], [], []
        for games in deals_of(equal).values():
            turns = [(one, turn) for one in games for turn in searched(one) if _part(one, turn) == part]
            tops.append(float(sum(matters(one, turn, spread) for one, turn in turns)))
            belows.append(float(len(turns)))
            opens += [one.legal[turn] for one, turn in turns]
        share = ratio(tops, belows, share=True)
        legal = float(np.mean(opens)) if opens else math.nan
        found.append({"value": share.value, "low": share.low, "high": share.high, "open": legal})
    return found


def _part(one: Trace, turn: int) -> int:
    return turn * COURSE // len(one.movers)
