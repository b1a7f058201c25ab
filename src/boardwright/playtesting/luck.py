"""Luck and skill: what thinking twice as long is worth, how deep the ladder goes, and luck's share of the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardwright.arena.elo import elo_of_share
from boardwright.arena.intervals import Estimate
from boardwright.playtesting.estimates import better_share, luck_share, mapped, ratio
from boardwright.playtesting.figure import Figure, Rows, Section, deals_of
from boardwright.playtesting.ladder import Level
from boardwright.playtesting.trace import Trace

DISTINCT = 0.6  # the share from which two players are of different levels
RESAMPLES = 400


@dataclass(frozen=True)
class Step:
    """One level against the one below."""

    level: Level
    below: Level
    games: int
    by_deal: dict[int, float]  # the stronger's share of each deal
    free: Estimate  # its share of games
    paired: Estimate  # its share of deals: all games of a deal together

    @property
    def elo(self) -> Estimate:
        return mapped(self.free, elo_of_share)


def luck_and_skill(
    levels: Sequence[Level], steps: Sequence[Sequence[Trace]], equal: Sequence[Trace], chance: bool
) -> tuple[Section, list[Step]]:
    """`steps[i]` are the games of level i + 1 against level i."""
    found = Section("luck", "Luck and skill", "Does the better player win?")
    measured = [
        make_step(levels[i + 1], levels[i], games) for i, games in enumerate(steps) if i + 1 < len(levels) and games
    ]
    found.figures.append(luck_figure(equal, chance))
    doublings = [one for one in measured if one.level.simulations and one.below.simulations]
    if doublings:
        last = doublings[-1]
        for key, name, estimate, unit, means in (
            ("doubling", "A doubling of search wins", last.free, "%",
             "Share of games (draws half) that the strongest search wins against one with half its tries a move."),
            ("doubling_paired", "A doubling of search wins, same deals", last.paired, "%",
             "The same where all games of a deal, seats exchanged, are one contest: luck is the same for both."),
            ("doubling_elo", "A doubling in Elo", last.elo, "Elo", "The share of games as a difference in rating."),
        ):  # fmt: skip
            by_deal = {deal: (share, 1.0) for deal, share in last.by_deal.items()} if key == "doubling" else {}
            found.figures.append(Figure(f"luck.{key}", name, estimate, unit, means, last.games, by_deal))
    if measured:
        found.figures.append(
            Figure(
                "luck.levels", "Levels of skill", count_levels(measured), "levels",
                f"How many of the ladder's players are distinct: going up, a new level begins where a player is "
                f"expected to win {100 * DISTINCT:.0f} % against the last that began one. By resampling deals; "
                "players who are not on the ladder, people among them, may add more.",
                sum(one.games for one in measured),
            )
        )  # fmt: skip
        begun = level_beginners(measured)
        found.data["levels"] = [{"name": one.name, "player": one.spec} for one in begun]
        found.tables.append(
            Rows(
                ("level", "begins with"),
                tuple((number, one.name) for number, one in enumerate(begun, start=1)),
                f"Each is expected to win {100 * DISTINCT:.0f} % or more against the one before, by the steps between.",
            )
        )
        found.tables.append(
            Rows(
                ("player", "against", "wins", "on the same deals", "Elo", "games"),
                tuple((s.level.name, s.below.name, s.free, s.paired, s.elo, s.games) for s in measured),
                "Each player against the one below: its share of games, draws being half; its share of deals, where "
                "all games of a deal are one contest; the Elo difference behind the first.",
            )
        )
    found.data["steps"] = [
        {"level": one.level.name, "spec": one.level.spec, "share": one.free, "elo": one.elo} for one in measured
    ]
    return found, measured


def make_step(level: Level, below: Level, games: Sequence[Trace]) -> Step:
    """The figures of two players who met. Alone at the table they are compared by their points: on other deals, and on
    the same."""
    deals = deals_of([one for one in games if one.finished])
    if games and len(games[0].seats) == 1:
        both = {deal: {one.seats[0]: one.results[0] for one in some} for deal, some in deals.items() if len(some) == 2}
        mine, theirs = [pair[0] for pair in both.values()], [pair[1] for pair in both.values()]
        won = {deal: 1.0 if pair[0] > pair[1] else 0.5 if pair[0] == pair[1] else 0.0 for deal, pair in both.items()}
        paired = ratio(list(won.values()), [1.0] * len(won), share=True)
        return Step(level, below, len(games), won, better_share(mine, theirs), paired)
    shares = {deal: float(np.mean([one.share(0) for one in some])) for deal, some in deals.items()}
    taken = [1.0 if one > 0.5 else 0.5 if one == 0.5 else 0.0 for one in shares.values()]
    ones = [1.0] * len(shares)
    return Step(
        level, below, len(games), shares, ratio(list(shares.values()), ones, share=True), ratio(taken, ones, share=True)
    )


def luck_figure(equal: Sequence[Trace], chance: bool) -> Figure:
    """Luck's share of the variance of results."""
    means = (
        "Each deal is played twice by equal strong players: how much of the variance of results is between deals, the "
        "rest being between the two games of one. 100 %: the deal decides. Draws that come out differently because "
        "something else was played count as play. Games without chance have none."
    )
    name = "Luck's share of the results"
    if not chance:
        return Figure("luck.share", name, Estimate(0.0, 0.0, 0.0), "%", means, len(equal))
    rows = [[outcome(one) for one in games] for games in deals_of(equal).values() if len(games) == 2]
    estimate = luck_share(np.array(rows)) if rows else Estimate(math.nan, 0.0, 1.0)
    return Figure("luck.share", name, estimate, "%", means, len(equal))


def outcome(one: Trace) -> list[float]:
    """What varies: each seat's part of the win, or the result of who plays alone."""
    return one.wins() if len(one.seats) > 1 else list(one.results)


def level_beginners(steps: Sequence[Step]) -> list[Level]:
    """The players who begin a level, the weakest first."""
    shares = [np.array(list(one.by_deal.values())) for one in steps]
    begun = _begin([float(some.mean()) for some in shares], [len(some) for some in shares])
    return [steps[0].below, *(steps[number].level for number in begun)]


def count_levels(steps: Sequence[Step]) -> Estimate:
    """Distinct levels, with the interval of resampled deals."""
    shares = [np.array(list(one.by_deal.values())) for one in steps]
    rng, value = np.random.default_rng(0), float(len(level_beginners(steps)))
    drawn = [
        1 + len(_begin([float(rng.choice(some, len(some)).mean()) for some in shares], [len(some) for some in shares]))
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975], method="nearest")
    return Estimate(value, min(value, float(low)), max(value, float(high)))


def _begin(shares: Sequence[float], deals: Sequence[int]) -> list[int]:
    """Which steps, going up the ladder, lead to a new level. Shares of 0 and 1 are taken for what so many deals can
    tell."""
    wanted, ahead, found = elo_of_share(DISTINCT), 0.0, []
    for step, (share, number) in enumerate(zip(shares, deals, strict=True)):
        edge = 0.5 / (number + 1)
        ahead += elo_of_share(min(max(share, edge), 1 - edge))
        if ahead >= wanted:
            found.append(step)
            ahead = 0.0
    return found
