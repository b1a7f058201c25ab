"""Luck and skill: what thinking twice as long is worth, how deep the ladder goes, and luck's share of the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardwright.arena.elo import elo_of_share, expected
from boardwright.arena.intervals import Estimate
from boardwright.playtesting.estimates import better_share, luck_share, mapped, ratio
from boardwright.playtesting.experiments import top_doubling
from boardwright.playtesting.figure import Figure, Rows, Section, deals_of
from boardwright.playtesting.ladder import RANDOM, Level
from boardwright.playtesting.trace import Trace

DISTINCT = 0.6  # the share from which two players are of different levels
SURER = 1.31  # times as wide are intervals of 99 %: several levels are named, and those that came out well
RESAMPLES = 400
TOO_ALIKE = 0.05  # share of deals that equal players play twice in the same way


@dataclass(frozen=True)
class Step:
    """One level against the one below."""

    level: Level
    below: Level
    games: int
    by_deal: dict[int, float]  # the stronger's share of each deal
    free: Estimate  # its share of games
    paired: Estimate  # its share of deals: all games of a deal together
    won: Trace | None = None  # a game that the stronger won

    @property
    def is_doubling(self) -> bool:
        """Whether a plain search meets one with half its tries."""
        return 0 < self.level.simulations == 2 * self.below.simulations

    @property
    def elo(self) -> Estimate:
        return mapped(self.free, elo_of_share)

    @property
    def counted(self) -> Estimate:
        """The share that levels are counted by: of games, or of deals where everybody plays alone."""
        return ratio(list(self.by_deal.values()), [1.0] * len(self.by_deal), share=True)


def doubling_of(levels: Sequence[Level], measured: Sequence[Step], games: Sequence[Trace]) -> Step | None:
    """The largest plain search against the one with half its tries: a step of the ladder where they are neighbours,
    else of `games` between them; None where neither was played."""
    doubling = top_doubling(levels)
    if doubling is None:
        return None
    step = next((one for one in measured if (one.level, one.below) == doubling), None)
    return step or (make_step(*doubling, games) if games else None)


def luck_and_skill(
    levels: Sequence[Level],
    steps: Sequence[Sequence[Trace]],
    equal: Sequence[Trace],
    chance: bool,
    doubled: Sequence[Trace] = (),
) -> tuple[Section, list[Step]]:
    """`steps[i]` are the games of level i + 1 against level i, `doubled` those of the largest plain search against the
    one with half its tries, where these are no neighbours."""
    found = Section("luck", "Luck and skill", "Does the better player win?")
    measured = [
        make_step(levels[i + 1], levels[i], games) for i, games in enumerate(steps) if i + 1 < len(levels) and games
    ]
    found.figures.append(luck_figure(equal, chance))
    found.data["same_again"] = same_again(equal)
    found.data["opening"] = max((one.opened for some in steps for one in some), default=0)
    last = doubling_of(levels, measured, doubled)
    if last is not None:
        which = f"{last.level.name}, against {last.below.name}"
        for key, name, estimate, unit, means in (
            ("doubling", "A doubling of search wins", last.free, "%",
             f"Share of games (draws half) that the largest plain search wins against half of it: {which}."),
            ("doubling_paired", "A doubling of search wins, same deals", last.paired, "%",
             "The same where all games of a deal, seats exchanged, are one contest: luck is the same for both."),
            ("doubling_elo", "A doubling in Elo", last.elo, "Elo", "The share of games as a difference in rating."),
            ("doubling_paired_elo", "A doubling in Elo, same deals", mapped(last.paired, elo_of_share), "Elo",
             "The share of deals as a difference in rating: larger than that of games where luck hides skill."),
        ):  # fmt: skip
            by_deal = {deal: (share, 1.0) for deal, share in last.by_deal.items()} if key == "doubling" else {}
            found.figures.append(Figure(f"luck.{key}", name, estimate, unit, means, last.games, by_deal))
    if measured:
        found.figures.append(
            Figure(
                "luck.levels", "Levels of skill", count_levels(measured), "levels",
                f"How many of the ladder's players are distinct: going up, a new level begins where a player is "
                f"expected to win {100 * DISTINCT:.0f} % against the last that began one (of games; of deals, where "
                "everybody plays alone). The lower end counts the levels of the table, which are certain; the upper "
                "one is what resampled deals do not rule out. Players who are not on the ladder, people among them, "
                "may add more.",
                sum(one.games for one in measured),
            )
        )  # fmt: skip
        found.tables.append(
            Rows(
                ("player", "against", "wins"),
                tuple((above.name, below.name, share) for above, below, share in between_kinds(levels, measured)),
                "What who plays at random, the best rule of thumb (without one, the shortest search) and the strongest "
                "win against each other, draws being half (alone: on so many deals). Where players of the ladder stand "
                "between two, it is the sum of their steps in Elo.",
            )
        )
        begun = sure_levels(measured)
        found.data["levels"] = [{"name": one.name, "player": one.spec, "share": share} for one, share in begun]
        found.tables.append(
            Rows(
                ("level", "begins with", "wins against the level before"),
                tuple((number, one.name, share) for number, (one, share) in enumerate(begun, start=1)),
                "The levels that are certain: the whole interval of what each is expected to win against the one "
                f"before, even that of 99 %, is {100 * DISTINCT:.0f} % or more. Where players of the ladder stand "
                "between the two, it is the sum of their steps in Elo.",
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
        {"level": one.level.name, "spec": one.level.spec, "share": one.counted, "elo": one.elo} for one in measured
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
        best = max(games, key=lambda one: one.results[0] if one.finished and one.seats[0] == 0 else -math.inf)
        return Step(level, below, len(games), won, better_share(mine, theirs), paired, best)
    shares = {deal: float(np.mean([one.share(0) for one in some])) for deal, some in deals.items()}
    taken = [1.0 if one > 0.5 else 0.5 if one == 0.5 else 0.0 for one in shares.values()]
    ones = [1.0] * len(shares)
    free, paired = ratio(list(shares.values()), ones, share=True), ratio(taken, ones, share=True)
    won_game = next((one for one in games if one.finished and one.share(0) == 1.0), None)
    return Step(level, below, len(games), shares, free, paired, won_game)


def luck_figure(equal: Sequence[Trace], chance: bool) -> Figure:
    """Luck's share of the variance of results."""
    means = (
        "Each deal is played twice by equal strong players: how much of the variance of results is between deals, the "
        "rest being between the two games of one. 100 %: the deal decides. Draws that come out differently because "
        "something else was played count as play. Games without chance have none. Where so little in the "
        "strongest player is random that both games of a deal are often the same, the strongest plain search plays "
        "them instead."
    )
    name = "Luck's share of the results"
    if not chance:
        return Figure("luck.share", name, Estimate(0.0, 0.0, 0.0), "%", means, len(equal))
    pairs = [games for games in deals_of(equal).values() if len(games) == 2]
    estimate = Estimate(math.nan, 0.0, 1.0)
    if pairs and not same_again(equal):
        estimate = luck_share(np.array([[outcome(one) for one in games] for games in pairs]))
    return Figure("luck.share", name, estimate, "%", means, len(equal))


def same_again(equal: Sequence[Trace]) -> bool:
    """Whether both games of every deal are move for move the same: then the players have nothing random in them, and
    what is luck cannot be told from what is play."""
    return any(one.steps for one in equal) and share_same(equal) == 1.0


def too_alike(equal: Sequence[Trace]) -> bool:
    """Whether so many deals are played twice in the same way that what is play would be taken for luck."""
    return share_same(equal) > TOO_ALIKE


def share_same(equal: Sequence[Trace]) -> float:
    """Of the deals that were played twice, with steps that are known: how many both times move for move alike."""
    known = [games for games in deals_of(equal).values() if len(games) > 1 and any(one.steps for one in games)]
    return sum(len({tuple(one.steps) for one in games}) == 1 for games in known) / len(known) if known else 0.0


def outcome(one: Trace) -> list[float]:
    """What varies: each seat's part of the win, or the result of who plays alone."""
    return one.wins() if len(one.seats) > 1 else list(one.results)


def sure_levels(steps: Sequence[Step]) -> list[tuple[Level, Estimate | None]]:
    """The players who begin a level for certain, the weakest first, and what each is expected to win against the one
    before; None for the first, who has nobody below."""
    found: list[tuple[Level, Estimate | None]] = [(steps[0].below, None)]
    between: list[Step] = []
    for one in steps:
        between.append(one)
        share = expected_share(between)
        if share.value - SURER * (share.value - share.low) >= DISTINCT:
            found.append((one.level, share))
            between = []
    return found


def between_kinds(levels: Sequence[Level], measured: Sequence[Step]) -> list[tuple[Level, Level, Estimate]]:
    """What a rule of thumb, the strongest and random moves win against each other: (who, against whom, what)."""
    thumbs = [one for one in levels if one.at_a_glance and one.spec != RANDOM]
    searches = [one for one in levels if one.simulations]
    middle = thumbs[-1] if thumbs else min(searches, key=lambda one: one.simulations, default=levels[-1])
    random = next(one for one in levels if one.spec == RANDOM)
    found = []
    for above, below in dict.fromkeys([(middle, random), (levels[-1], middle), (levels[-1], random)]):
        first, last = sorted((levels.index(below), levels.index(above)))
        way = [one for one in measured if one.below in levels[first:last]]
        if first < last == first + len(way):  # all steps between them have been played
            share = expected_share(way)
            upwards = levels.index(below) == first
            ends = share if upwards else Estimate(1 - share.value, 1 - share.high, 1 - share.low)
            found.append((above, below, ends))
    return found


def expected_share(steps: Sequence[Step]) -> Estimate:
    """What the player on top of some steps wins against the one below them all: steps add up in Elo, and what is
    uncertain about them in squares. Each end is the sum of its own sides."""
    if len(steps) == 1:
        return steps[0].counted
    middle = below = above = 0.0
    for one in steps:
        share = one.counted
        value, low, high = (elo_of_share(bounded(x, len(one.by_deal))) for x in (share.value, share.low, share.high))
        middle, below, above = middle + value, below + (value - low) ** 2, above + (high - value) ** 2
    return Estimate(*(expected(x) for x in (middle, middle - math.sqrt(below), middle + math.sqrt(above))))


def bounded(share: float, deals: int) -> float:
    """Shares of 0 and 1 are taken for what so many deals can tell."""
    edge = 0.5 / (deals + 1)
    return min(max(share, edge), 1 - edge)


def count_levels(steps: Sequence[Step]) -> Estimate:
    """Distinct levels: at least those that are sure, at most what resampled deals do not rule out."""
    shares = [np.array(list(one.by_deal.values())) for one in steps]
    deals = [len(some) for some in shares]
    rng, value = np.random.default_rng(0), 1.0 + _begin([float(some.mean()) for some in shares], deals)
    drawn = [
        1 + _begin([float(rng.choice(some, len(some)).mean()) for some in shares], deals) for _ in range(RESAMPLES)
    ]
    sure, high = float(len(sure_levels(steps))), float(np.quantile(drawn, 0.975, method="nearest"))
    return Estimate(max(value, sure), sure, max(value, sure, high))


def _begin(shares: Sequence[float], deals: Sequence[int]) -> int:
    """How many steps, going up the ladder, lead to a new level."""
    wanted, ahead, found = elo_of_share(DISTINCT), 0.0, 0
    for share, number in zip(shares, deals, strict=True):
        ahead += elo_of_share(bounded(share, number))
        if ahead >= wanted:
            found, ahead = found + 1, 0.0
    return found
