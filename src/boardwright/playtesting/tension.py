"""Tension: who led when, and how it turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from boardwright.playtesting.curves import Curve, curves
from boardwright.playtesting.estimates import ratio
from boardwright.playtesting.figure import Figure, Section, over_games
from boardwright.playtesting.trace import Trace

CLEARLY = 0.1  # how much more chance than the leader's whoever takes the lead must have: less is noise
KNOWN = 0.9  # the chance from which a win is known
FAR_BEHIND = 0.5  # of an even chance: who was as low as that and won has come back
COURSES = 7  # games that are drawn of who plays alone
EARLY = 1 / 3  # of the game: a lead that is taken by then, and never lost, has run away


def tension(seats: int, equal: Sequence[Trace], searchers: Sequence[Trace] = ()) -> tuple[Section, list[Curve]]:
    """Who plays alone leads nobody: then it is what was expected over the course of typical games, by the strongest
    player or, where that one has no expectations, by `searchers`."""
    found = Section("tension", "Tension", "Is it exciting to the end?")
    if seats == 1:
        found.data["courses"] = courses(equal) or courses(searchers)
        return found, []
    put = found.figures.append
    put(
        over_games(
            "tension.draws", "Drawn games", equal, lambda one: (float(one.drawn_game), 1.0), "%",
            "Games that nobody wins alone.",
        )
    )  # fmt: skip
    lines = curves(equal)
    if not lines:
        return found, []
    won = [one for one in lines if one.winner >= 0]
    how = (
        "Chances of winning are what the players' searches expected, calibrated on how these games ended; where the "
        "searches cannot tell, all have the same chance."
    )

    def over(key: str, name: str, some: Sequence[Curve], count: Callable[[Curve], float], unit: str, text: str) -> None:
        by_deal: dict[int, tuple[float, float]] = {}
        for one in some:
            had = by_deal.get(one.game.deal, (0.0, 0.0))
            by_deal[one.game.deal] = (had[0] + count(one), had[1] + 1.0)
        tops, belows = [top for top, _ in by_deal.values()], [below for _, below in by_deal.values()]
        estimate = ratio(tops, belows, share=unit == "%")
        put(Figure(f"tension.{key}", name, estimate, unit, f"{text} {how}", len(some), by_deal))

    over(
        "lead_changes", "Lead changes", lines, lead_changes, "a game",
        f"How often the lead passes to another, who must have {100 * CLEARLY:.0f} points of chance more than the old "
        "leader.",
    )  # fmt: skip
    over(
        "drama", "The winner's lowest chance", won, lowest, "%",
        "How low the chance of the eventual winner once was, on average: the lower, the more drama. Won games only.",
    )  # fmt: skip
    over(
        "decided", "The result is known after", won, decided, "%",
        f"The part of the game after which the winner's chance is {100 * KNOWN:.0f} % or more for good. Games with a "
        "winner.",
    )  # fmt: skip
    even = 1 / seats
    over(
        "comebacks", "Comebacks", won, lambda one: float(lowest(one) <= FAR_BEHIND * even), "%",
        f"Games won by somebody whose chance was once {100 * FAR_BEHIND * even:.3g} % or less.",
    )  # fmt: skip
    over(
        "runaway", "Runaway leaders", won, lambda one: float(decided(one) <= EARLY), "%",
        "Games with a winner in which the result was known within the first third.",
    )  # fmt: skip
    over(
        "half_time", "Leader at half-time wins", [one for one in won if _leads(one) >= 0],
        lambda one: float(_leads(one) == one.winner), "%",
        f"Of the games in which somebody led at half-time by {100 * CLEARLY:.0f} points of chance: won by that seat.",
    )  # fmt: skip
    found.data["curves"] = [_thinned(one) for one in typical(lines, 12)]
    found.data["certainty"] = certainty(won)
    return found, lines


def lead_changes(one: Curve) -> float:
    leader, changes = -1, 0
    for chances in one.chances[:-1]:
        best = int(np.argmax(chances))
        if leader < 0:
            if chances[best] - float(np.sort(chances)[-2]) >= CLEARLY:
                leader = best
        elif best != leader and chances[best] - chances[leader] >= CLEARLY:
            leader, changes = best, changes + 1
    return float(changes)


def lowest(one: Curve) -> float:
    """The winner's lowest chance."""
    return float(one.chances[:, one.winner].min())


def decided(one: Curve) -> float:
    """The part of the game after which the winner is known for good."""
    open_until = np.flatnonzero(one.chances[:, one.winner] < KNOWN)
    if len(open_until) == 0:
        return 0.0
    return float(one.turns[min(int(open_until[-1]) + 1, len(one.turns) - 1)])


def _leads(one: Curve) -> int:
    """The seat that leads clearly at half-time; -1: none."""
    chances = one.chances[max(int(np.searchsorted(one.turns, 0.5, side="right")) - 1, 0)]
    first, second = np.sort(chances)[::-1][:2]
    return int(np.argmax(chances)) if first - second >= CLEARLY else -1


def certainty(won: Sequence[Curve]) -> list[dict[str, float]]:
    """In each twentieth of the game, how often the eventual winner was the one with the best chance, ties in parts."""
    found = []
    for part in range(21):
        hits: dict[int, list[float]] = {}
        for one in won:
            chances = one.chances[max(int(np.searchsorted(one.turns, part / 20, side="right")) - 1, 0)]
            best = chances >= chances.max() - 1e-9
            hits.setdefault(one.game.deal, []).append(float(best[one.winner]) / float(best.sum()))
        share = ratio([sum(some) for some in hits.values()], [float(len(some)) for some in hits.values()], share=True)
        found.append({"value": share.value, "low": share.low, "high": share.high})
    return found


def typical(lines: Sequence[Curve], count: int) -> list[Curve]:
    """Some curves that stand for all: evenly taken from the games in the order of how late they were decided."""
    ranked = sorted(lines, key=lambda one: (decided(one) if one.winner >= 0 else 1.0, one.game.id))
    if len(ranked) <= count:
        return list(ranked)
    return [ranked[int((i + 0.5) * len(ranked) / count)] for i in range(count)]


def courses(games: Sequence[Trace]) -> list[dict[str, object]]:
    """Games of who plays alone, evenly taken from the worst to the best: what was expected at each turn, and at the end
    what came of it. None where nobody expected anything."""
    told = [one for one in games if one.finished and sum(map(bool, one.values)) > 1]
    ranked = sorted(told, key=lambda one: (one.results[0], one.id))
    found: list[dict[str, object]] = []
    for place in range(min(len(ranked), COURSES)):
        one = ranked[int((place + 0.5) * len(ranked) / min(len(ranked), COURSES))]
        turns = [turn for turn, value in enumerate(one.values) if value]
        keep = [turns[int(at)] for at in np.unique(np.linspace(0, len(turns) - 1, 60).astype(int))]
        found.append(
            {
                "id": one.id,
                "result": one.results[0],
                "turns": [*(round(turn / len(one.values), 4) for turn in keep), 1.0],
                "values": [*(one.values[turn][0] for turn in keep), one.results[0]],
            }
        )
    return found


def _thinned(one: Curve) -> dict[str, object]:
    keep = np.unique(np.linspace(0, len(one.turns) - 1, 60).astype(int))
    return {
        "id": one.game.id,
        "winner": one.winner,
        "turns": [round(float(x), 4) for x in one.turns[keep]],
        "first": [round(float(x), 4) for x in one.chances[keep, 0]],
        "seats": [[round(float(x), 4) for x in line] for line in one.chances[keep].T],
    }
