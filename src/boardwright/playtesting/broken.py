"""Broken things: what the rules do that no designer can have meant, each with a game that shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from boardwright.arena.intervals import wilson
from boardwright.contract.errors import AT_POSITION, BoardwrightError, InputError, RuleError
from boardwright.contract.game import Game
from boardwright.playtesting.estimates import ratio
from boardwright.playtesting.experiments import EQUAL, START, WEAK, WITHOUT
from boardwright.playtesting.figure import Figure, Section
from boardwright.playtesting.luck import Step
from boardwright.playtesting.trace import ENDLESS, FAULT, Trace
from boardwright.playtesting.worth import Worth

CHECK = "check"  # what a game of the check is of
CHECKED_GAMES = 200
ALWAYS, NEVER = 0.95, 0.05  # whole intervals above, or below, are called always and never
PAYS = 0.05  # more than an even share, from which stalling is worth a word
SOME_DEALS = 20  # with a staller, below which nothing is said of it
OFTEN = 0.02  # a share of games with positions that come again, from which it is worth a word


@dataclass(frozen=True)
class Broken:
    """One thing, in a sentence, and the game that shows it."""

    key: str
    text: str
    game: Trace | None = None


def check(game: Game) -> str:
    """What the conformance test finds wrong with the rules; nothing where all is well or there is nothing to check."""
    from boardwright.check import check_game

    try:
        check_game(game, games=CHECKED_GAMES)
    except RuleError as error:
        return str(error)
    except InputError:
        return ""  # rules of another library
    except BoardwrightError as error:
        return str(error)
    return ""


def checked_game(game: Game, checked: str) -> Trace | None:
    """The game of the check up to where it found something wrong, if the error says where."""
    from boardwright.check.walk import steps_to

    seed = re.search(r"seed (\d+)", checked)
    steps = steps_to(game, checked) if seed else None
    if seed is None or not steps:
        return None
    seats = (0,) * int(game.players)
    return Trace("check", CHECK, 0, 0, seats, int(seed[1]), FAULT, checked, steps=steps)


def broken(
    games: Sequence[Trace],
    checked: str,
    fairness: Section,
    kinds: Sequence[Worth],
    steps: Sequence[Step] = (),
    game: Game | None = None,
) -> list[Broken]:
    """All that is wrong, the worst first. `games` are all that were played, `steps` the ladder's; `game` has the rules
    that were checked."""
    found = []
    if checked:
        shown = checked_game(game, checked) if game else None
        found.append(Broken("check", f"The rules break a promise of the contract: {checked}", shown))
    found += [Broken("fault", f"The rules did not foresee this: {one.fault}", one) for one in _faults(games)]
    found += _endless(games)
    for figure in fairness.figures:
        if figure.key.startswith("fairness.seat_") and figure.games >= 20:
            found += _one_sided(figure, games)
    found += _always(steps)
    for worth in kinds:
        if worth.without is not None and worth.without.high < NEVER:
            text = f"Whoever has “{worth.kind}” wins: without it {_percent(worth.without.high)} of games at most."
            lost = (game for game in games if game.experiment == f"{WITHOUT} {worth.kind}" and game.finished)
            found.append(Broken("always", text, next((game for game in lost if game.share(0) == 1.0), None)))
    return found


def _faults(games: Sequence[Trace]) -> list[Trace]:
    """One game of each fault. Random players look no further than their move, so theirs came to where the fault is."""
    texts: dict[str, Trace] = {}
    for one in sorted((one for one in games if one.end == FAULT), key=lambda one: one.experiment != WEAK):
        texts.setdefault(one.fault.partition(AT_POSITION)[0], one)
    return list(texts.values())


def _endless(games: Sequence[Trace]) -> list[Broken]:
    found = []
    for kind, who in ((WEAK, "random moves"), (EQUAL, "strong players")):
        some = [one for one in games if one.experiment == kind and one.end != FAULT]
        endless = [one for one in some if one.end == ENDLESS]
        if endless:
            share = wilson(len(endless), len(some))
            shown = min(endless, key=lambda one: len(one.steps))
            text = (
                f"Games without an end: {len(endless)} of {len(some)} with {who} ({_percent(share.low)} to "
                f"{_percent(share.high)}) went in circles or past 20,000 moves and draws."
            )
            if kind == EQUAL:
                text += " Strong players choose not to end them: stalling pays."
            found.append(Broken("endless", text, shown))
    if not found:
        elsewhere = [one for one in games if one.end == ENDLESS]
        if elsewhere:
            text = f"{len(elsewhere)} of {len(games)} games between unequal players had no end."
            found.append(Broken("endless", text, min(elsewhere, key=lambda one: len(one.steps))))
    found += _stalling(games)
    some = [one for one in games if one.experiment == EQUAL and one.finished]
    again = [one for one in some if one.repeats]
    if some and wilson(len(again), len(some)).low > OFTEN:
        shown = max(again, key=lambda one: one.repeats)
        text = (
            f"Positions come again in {len(again)} of {len(some)} games of strong players: is there a rule against it?"
        )
        found.append(Broken("repeats", text, shown))
    return found


def _always(steps: Sequence[Step]) -> list[Broken]:
    """A strategy that always wins: who moves at a glance, and beats the strongest who thinks. The ladder is in order:
    that one stands above all searches, and wins against the last of them."""
    found = []
    for number, one in enumerate(steps):
        above = [step.level for step in steps[number:]]
        if one.level.at_a_glance and not one.below.at_a_glance and all(level.at_a_glance for level in above):
            if one.counted.low >= ALWAYS:
                text = (
                    f"A strategy that always wins: {one.level.name}, which does not look ahead, wins "
                    f"{_percent(one.counted.low)} or more against {one.below.name}, the strongest who does."
                )
                found.append(Broken("always", text, one.won))
    return found


def _stalling(games: Sequence[Trace]) -> list[Broken]:
    """Whether it pays to lead back to positions that the game has seen: who does so more often wins more than half."""
    some = [one for one in games if one.experiment == EQUAL and one.finished and len(set(one.again)) > 1]
    if not some or len(some[0].seats) < 2:
        return []
    by_deal: dict[int, list[float]] = {}
    for one in some:
        most = [seat for seat, count in enumerate(one.again) if count == max(one.again)]
        share = sum(one.wins()[seat] for seat in most) / len(most)
        by_deal.setdefault(one.deal, []).append(share)
    even = 1 / len(some[0].seats)
    won = ratio(
        [sum(shares) for shares in by_deal.values()], [float(len(shares)) for shares in by_deal.values()], share=True
    )
    if len(by_deal) < SOME_DEALS or won.low <= even + PAYS:
        return []
    shown = max(some, key=lambda one: max(one.again) * (one.wins()[one.again.index(max(one.again))] == 1.0))
    text = (
        f"Stalling pays: in {len(some)} games of strong players one led back to positions seen before more often than "
        f"the others, and won {_percent(won.low)} of them or more."
    )
    return [Broken("stalling", text, shown)]


def _one_sided(figure: Figure, games: Sequence[Trace]) -> list[Broken]:
    seat, share = int(figure.key.rpartition("_")[2]) - 1, figure.estimate
    kind = START if any(one.experiment == START for one in games) else EQUAL  # what the figure is measured on
    some = [one for one in games if one.experiment == kind and one.finished]
    if share.low >= ALWAYS:
        shown = next((one for one in some if one.wins()[seat] == 1.0), None)
        text = f"Seat {seat + 1} always wins between strong players: {_percent(share.low)} of games or more."
        return [Broken("always", text, shown)]
    if share.high <= NEVER:
        shown = next((one for one in some if one.wins()[seat] == 0.0), None)
        text = f"Seat {seat + 1} cannot win between strong players: {_percent(share.high)} of games at most."
        return [Broken("never", text, shown)]
    return []


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
