"""Plain words: what the figures say to somebody who knows no statistics. A sentence is sure only where the whole
interval bears it out; else it says that it is too early."""

from __future__ import annotations

import math
from collections.abc import Sequence

from boardwright.arena.intervals import Estimate
from boardwright.playtesting.broken import Broken
from boardwright.playtesting.figure import Figure, Section, Verdict
from boardwright.playtesting.luck import DISTINCT, Step
from boardwright.playtesting.worth import Worth

EVEN = 0.05  # of a seat's share, each way: what nobody notices at a table
FLAT = 0.53  # a share below which a doubling of search is worth next to nothing
BLUR = 0.15  # of a result's standard deviation: differences below are noise, and a search with more cannot say much
SOME_GAMES = 10  # fewer say nothing about a seat
LUCK_GAMES = 40  # between equals, on half as many deals: fewer say nothing about luck, however they came out
CONVINCING = 200  # games without a fault after which a report says that nothing is broken
REPEATED = 0.5  # different games, of all between equals: fewer, and the report stands on a few lines of play
HOURS = 180.0  # minutes from which on a time is told in hours
EARLY = "Too early to say"


def about_fairness(section: Section, seats: int) -> list[Verdict]:
    if seats == 1:
        return [Verdict("A game for one player: there are no seats to compare.", True)]
    shares = [section.figure(f"seat_{seat + 1}") for seat in range(seats)]
    if not all(one.known and one.games >= SOME_GAMES for one in shares):
        return [Verdict(f"{EARLY}: hardly any games between strong players yet.", False)]
    even, where = 1 / seats, ""
    if section.data.get("opening"):
        count = section.data["different"]
        where = f" from the start position (in {'one game' if count == 1 else f'{count} different games'})"
    best = max(shares, key=lambda one: one.estimate.low)
    worst = min(shares, key=lambda one: one.estimate.high)
    if best.estimate.low > even + EVEN or worst.estimate.high < even - EVEN:
        one = best if best.estimate.low - even >= even - worst.estimate.high else worst
        seat = _seat(one)
        text = f"Unfair: seat {seat} wins {said(one.estimate)}{where} where {100 * even:.3g} % would be even."
    elif all(abs(end - even) <= EVEN for one in shares for end in (one.estimate.low, one.estimate.high)):
        text = f"Fair: every seat wins within {100 * EVEN:.0f} points of its {100 * even:.3g} %{where}."
    elif best.estimate.low > even:
        text = f"Seat {_seat(best)} has an edge: it wins {said(best.estimate)}{where}; how large it is is still open."
    else:
        widest = max(shares, key=lambda one: one.estimate.margin)
        text = f"{EARLY}: seat {_seat(widest)} wins {said(widest.estimate)}{where}, even or not."
        return [Verdict(text, False), *_opened(section, widest)]
    remedies = _remedies(section, seats) if text.startswith("Unfair") else []
    return [Verdict(text, True), *_opened(section, best), *remedies]


def _seat(one: Figure) -> str:
    return one.key.rpartition("_")[2]


def _opened(section: Section, seat: Figure) -> list[Verdict]:
    """What a seat is worth when nobody chooses the first moves, where that was measured."""
    key = f"fairness.opened_{_seat(seat)}"
    found = next((one for one in section.figures if one.key == key and one.known and one.games >= SOME_GAMES), None)
    if found is None:
        return []
    text = f"After {section.data['opening']} moves at random, seat {_seat(seat)} wins {said(found.estimate)}."
    return [Verdict(text, found.estimate.margin < 2 * EVEN)]


def _remedies(section: Section, seats: int) -> list[Verdict]:
    """What would even the seats: points, a move."""
    found = []
    handicap = next((one for one in section.figures if one.key == "fairness.handicap"), None)
    if handicap and handicap.known and seats == 2:
        points = handicap.estimate
        given = f"{abs(points.value):g} points for seat {2 if points.value > 0 else 1} would even it"
        found.append(Verdict(f"{given} ({points.low:g} to {points.high:g} for seat 2).", points.low * points.high > 0))
    for one in section.figures:
        points = one.estimate
        if one.key.startswith("fairness.handicap_") and one.known and points.low * points.high > 0:
            text = f"{abs(points.value):g} points {'more' if points.value > 0 else 'less'} for seat {one.key[-1]} alone"
            found.append(Verdict(f"{text} would even it ({points.low:g} to {points.high:g}).", True))
    thinking = next((one.estimate for one in section.figures if one.key == "fairness.doublings"), None)
    if thinking is not None and math.isinf(thinking.value):
        most, weaker = section.data["doublings"], 2 if thinking.value > 0 else 1
        sure = max(thinking.low, -thinking.high) >= most
        text = (
            f"How much longer seat {weaker} would have to think is more than the ladder can give: its {most} doublings"
        )
        found.append(Verdict(f"{text} are not enough.", sure))
    for one in section.figures:
        if one.key.startswith("fairness.random_first_") and one.known and one.games >= SOME_GAMES:
            seat = one.key.rpartition("_")[2]
            text = f"With its first move at random, seat {seat} wins {said(one.estimate)}."
            found.append(Verdict(text, one.estimate.margin < 2 * EVEN))
    return found


def about_length(section: Section) -> list[Verdict]:
    moves, minutes = section.figure("moves"), section.figure("minutes")
    if not moves.known:
        return [Verdict(f"{EARLY}: hardly any games yet.", False)]
    found = [
        Verdict(
            f"A game has about {moves.estimate.value:,.0f} moves, some {_long(minutes.estimate.value)} at a table.",
            True,
        )
    ]
    different = int(section.data.get("different", moves.games))
    if different < REPEATED * moves.games and not section.data["exact"]:
        text = f"Strong players repeat themselves: {different} of {moves.games:,} games differ; few lines are known."
        found.append(Verdict(text, True))
    forced, one, matter = section.figure("forced"), section.figure("one_sensible"), section.figure("matter")
    if forced.known and forced.estimate.low > 0.25:
        found.append(Verdict(f"Little to decide: {said(forced.estimate)} of turns have one legal move.", True))
    elif one.known and one.estimate.low > 0.6:
        found.append(Verdict(f"Many turns play themselves: {said(one.estimate)} have one sensible move.", True))
    if matter.known:
        if matter.estimate.high < 0.1 and section.data["blur"] > BLUR:
            text = f"{EARLY} how many turns matter: the search is too short to tell small differences from noise."
            found.append(Verdict(text, False))
        elif matter.estimate.high < 0.1:
            found.append(Verdict(f"Hardly any turn matters: {said(matter.estimate)}.", True))
        elif matter.estimate.low > 0.5:
            found.append(Verdict(f"Most turns matter: {said(matter.estimate)}.", True))
        else:
            found.append(Verdict(f"{said(matter.estimate)} of turns matter.", matter.estimate.margin < 0.1))
    return found


def about_luck(section: Section, steps: Sequence[Step], chance: bool, last: Step | None = None) -> list[Verdict]:
    """`last`: the largest plain search against the one with half its tries."""
    found = []
    luck, behind = section.figure("share").estimate, section.figure("share").games
    equals = f"equals ({section.data['by']})" if section.data.get("by") else "equal strong players"
    if not chance:
        found.append(Verdict("No luck: the rules have no chance in them.", True))
    elif section.data.get("same_again"):
        text = "How much is luck cannot be told: the strongest player has nothing random in it, and plays a deal alike."
        found.append(Verdict(text, False))
    elif math.isnan(luck.value) or behind < LUCK_GAMES:
        found.append(Verdict(f"{EARLY} how much is luck.", False))
    elif luck.low > 0.9:
        found.append(Verdict(f"Luck decides: the deal explains {said(luck)} of the results.", True))
    elif luck.high < 0.2:
        found.append(Verdict(f"Little luck: the deal explains {said(luck)} of the results between {equals}.", True))
    elif luck.margin < 0.15:
        text = f"Luck: the deal explains {said(luck)} of the results between {equals}."
        found.append(Verdict(text, True))
    else:
        found.append(Verdict(f"{EARLY} how much is luck: {said(luck)}.", False))
    if not steps:
        return [*found, Verdict(f"{EARLY} about skill.", False)]
    levels = section.figure("levels").estimate
    if levels.high <= 1.0:
        found.append(Verdict("No skill that the ladder can show: no player beats a weaker one to speak of.", True))
    elif levels.low <= 1:
        found.append(Verdict(f"{EARLY} about skill: 1 level is certain, perhaps there are {levels.high:.0f}.", False))
    else:
        more = f", perhaps {levels.high:.0f}" if levels.high > levels.low else ""
        text = f"At least {levels.low:.0f} levels of skill{more}: each wins {100 * DISTINCT:.0f} % or more."
        found.append(Verdict(text, True))
    doublings = [one for one in steps if one.is_doubling and one is not last] + ([last] if last else [])
    for one in steps:
        if one.counted.high < 0.5:
            text = f"Out of order: {one.level.name} wins only {said(one.counted)} against {one.below.name}."
            if one is steps[-1]:
                text += " So “strong” is not the strongest here."
            repeated = not chance and not section.data.get("opening")
            if repeated:
                text += " Without chance they may repeat a few lines: a match with --opening 4 tells more."
            found.append(Verdict(text, not repeated))
    if last is not None:
        which = f"doubling the search (to {last.level.simulations:,} tries)"
        flat = None if last.free.low > FLAT else flat_from(doublings)
        if flat is not None:
            text = f"The ladder flattens: from {flat.level.name} on, a doubling wins {said(flat.free)} or less."
            found.append(Verdict(text, True))
        elif last.free.low > FLAT:
            found.append(Verdict(f"It is not flat yet at the top: {which} wins {said(last.free)}.", True))
        else:
            found.append(Verdict(f"{EARLY} where it flattens: {which} wins {said(last.free)}.", False))
    return found


def _long(minutes: float) -> str:
    return f"{minutes / 60:.0f} hours" if minutes >= HOURS else f"{max(minutes, 1):.0f} minutes"


def flat_from(doublings: Sequence[Step]) -> Step | None:
    """The doubling of search from which on none is worth anything; None where some above still are, or may be."""
    found = None
    for one in reversed(doublings):
        if one.free.high >= FLAT:
            break
        found = one
    return found


def about_tension(section: Section, seats: int) -> list[Verdict]:
    if seats == 1:
        drawn = section.data.get("courses")
        return [Verdict(f"A game for one player: nobody leads{'; what it expects is drawn' if drawn else ''}.", True)]
    names = {one.key for one in section.figures}
    if "tension.decided" not in names:
        return [Verdict(f"{EARLY}: no games with expectations yet.", False)]
    draws, known = section.figure("draws").estimate, section.figure("decided").estimate
    found = []
    if draws.low > 0.9:
        return [Verdict(f"Strong players draw: {said(draws)} of games.", True)]
    if draws.low > 0.3:
        found.append(Verdict(f"Many draws: {said(draws)}.", True))
    if math.isnan(known.value) or known.margin > 0.15:
        found.append(Verdict(f"{EARLY} when the result is known.", False))
    elif known.high < 1 / 3:
        found.append(Verdict(f"Decided early: the result is known after {said(known)} of the game.", True))
    elif known.low > 2 / 3:
        found.append(Verdict(f"Open until late: the result is known after {said(known)} of the game.", True))
    else:
        found.append(Verdict(f"The result is known after {said(known)} of the game.", True))
    comebacks, changes = section.figure("comebacks"), section.figure("lead_changes")
    if comebacks.known and comebacks.estimate.margin < 0.15:
        found.append(Verdict(f"Comebacks: {said(comebacks.estimate)} of won games.", True))
    if changes.known:
        e = changes.estimate
        found.append(
            Verdict(f"The lead changes {e.value:.1f} times a game ({max(e.low, 0):.1f} to {e.high:.1f}).", True)
        )
    return found


def about_worth(kinds: Sequence[Worth], too_many: bool) -> list[Verdict]:
    if too_many or not kinds:
        why = "too many to tell apart" if too_many else "their texts name none"
        return [Verdict(f"Kinds of moves: {why}; a rule `move_kind` in the game's file does.", True)]
    found = []
    for label, text in (
        (
            "dead",
            "Dead options, which strong players leave alone while there are others: {}. Well, if meant as a penalty.",
        ),
        ("dominant", "Dominant options, which strong players always take and cannot do without: {}."),
        ("a trap", "Traps, which a strong player does better without: {}."),
        ("needed", "Whoever does without them loses: {}."),
    ):
        names = [f"“{one.kind}”" for one in kinds if one.label == label]
        if names:
            found.append(Verdict(text.format(", ".join(names)), True))
    if found:
        return found
    waiting = [one for one in kinds if one.strong.margin > 0.1 or (one.without and one.without.margin > 0.1)]
    if waiting:
        return [Verdict(f"{EARLY}: the intervals of {len(waiting)} kinds are still wide.", False)]
    return [Verdict("No option is dead, dominant or a trap.", True)]


def about_broken(found: Sequence[Broken], games: int) -> list[Verdict]:
    if found:
        return [Verdict(one.text, True) for one in found]
    if games < CONVINCING:
        return [Verdict(f"Nothing broken so far, in {games:,} games: too few to be sure.", False)]
    return [Verdict(f"Nothing broken in {games:,} games.", True)]


def said(estimate: Estimate) -> str:
    """A share in words: 61 % (57 to 65)."""
    if math.isnan(estimate.value):
        return "unknown"
    digits = 1 if estimate.margin < 0.01 and 0 < estimate.value < 1 else 0
    low, value, high = (f"{100 * x:.{digits}f}" for x in (estimate.low, estimate.value, estimate.high))
    return f"{value} %" if low == high else f"{value} % ({low} to {high})"


def unsettled(sections: Sequence[Section]) -> list[str]:
    """What more minutes would settle: the sentences that are not sure."""
    return [f"{one.title}: {verdict.text}" for one in sections for verdict in one.verdicts if not verdict.sure]


def widest(figures: Sequence[Figure]) -> list[Figure]:
    """Shares whose intervals are widest."""
    shares = [one for one in figures if one.unit == "%" and one.known]
    return sorted(shares, key=lambda one: -one.estimate.margin)[:3]
