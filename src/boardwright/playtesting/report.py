"""The report of a playtest: sections of figures, verdicts in words, games to look at; as text, JSON and a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardwright.arena.report import write_text
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.playtesting.broken import CHECK, Broken, broken
from boardwright.playtesting.experiments import (
    DOUBLING,
    EQUAL,
    HANDICAP,
    SEARCHED,
    START,
    STEP,
    WEAK,
    WITHOUT,
    Experiment,
    strongest_search,
)
from boardwright.playtesting.fairness import fairness
from boardwright.playtesting.figure import Figure, Section, by_course
from boardwright.playtesting.ladder import RANDOM, SOLVER, Level
from boardwright.playtesting.length import length
from boardwright.playtesting.looked_at import Look, to_look_at
from boardwright.playtesting.luck import doubling_of, luck_and_skill, too_alike
from boardwright.playtesting.records import record_of
from boardwright.playtesting.tension import tension
from boardwright.playtesting.trace import Trace
from boardwright.playtesting.verdicts import (
    about_broken,
    about_fairness,
    about_length,
    about_luck,
    about_tension,
    about_worth,
    unsettled,
)
from boardwright.playtesting.worth import worth
from boardwright.records import Library, Record

FORMAT = 1  # of the JSON
CHECKED = Experiment(CHECK, (RANDOM,))  # whose games the conformance test played


@dataclass(frozen=True)
class Report:
    """What is known of a game."""

    game: Game
    levels: tuple[Level, ...]
    sections: tuple[Section, ...]
    looks: tuple[Look, ...]
    shown: tuple[tuple[Broken, Record | None], ...]
    games: int
    deals: int
    seconds: float
    seed: int

    def section(self, key: str) -> Section:
        return next(one for one in self.sections if one.key == key)

    def figure(self, key: str) -> Figure:
        """By its key, such as `fairness.seat_1`."""
        return self.section(key.partition(".")[0]).figure(key.partition(".")[2])

    def __getitem__(self, key: str) -> Figure:
        return self.figure(key)

    @property
    def figures(self) -> list[Figure]:
        return [figure for section in self.sections for figure in section.figures]

    @property
    def open_questions(self) -> list[str]:
        """What more minutes would settle."""
        return unsettled(self.sections)

    @property
    def records(self) -> list[Record]:
        """Games to look at, and those that show what is broken."""
        found = [one.record for one in self.looks if one.record] + [record for _, record in self.shown if record]
        return list({one.id: one for one in found}.values())

    def save_records(self, library: Library | None = None) -> list[str]:
        """Put the games to look at into the library, where the page and `boardwright records` find them; their ids."""
        kept = library or Library()
        for one in self.records:
            kept.save(one)
        return [one.id for one in self.records]

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.games:,} games on {self.deals:,} deals, {self.seconds / 60:.1f} minutes of play"]
        for section in self.sections:
            lines += ["", section.title]
            lines += [f"  {'' if one.sure else '? '}{one.text}" for one in section.verdicts]
        if self.looks:
            lines += ["", "Games to look at"]
            lines += [f"  {one.name}: {one.record.id[:8] if one.record else '-'}, {one.why}" for one in self.looks]
        if self.open_questions:
            lines += [
                "",
                f"More minutes would settle {len(self.open_questions)} of these, marked with a question mark.",
            ]
        return "\n".join([*lines, "", "In brackets: 95 % intervals."])

    def to_dict(self) -> dict[str, Any]:
        return {
            "boardwright_playtest": FORMAT,
            "game": self.game.name,
            "options": dict(self.game.options),
            "digest": self.game.digest,
            "seed": self.seed,
            "games": self.games,
            "deals": self.deals,
            "seconds": round(self.seconds, 1),
            "ladder": [{"name": one.name, "player": one.spec} for one in self.levels],
            "sections": [one.to_dict() for one in self.sections],
            "broken": [
                {"what": one.key, "text": one.text, "record": record.id if record else None}
                for one, record in self.shown
            ],
            "games_to_look_at": [
                {"name": one.name, "why": one.why, "record": one.record.id if one.record else None}
                for one in self.looks
            ],
            "open_questions": self.open_questions,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def html(self) -> str:
        """The report as one page that needs nothing else."""
        from boardwright.playtesting.page import page

        return page(self)

    def write(self, path: str | Path) -> None:
        """The page into a file, which appears when it is whole."""
        write_text(Path(path), self.html())


def make_report(
    game: Game,
    levels: Sequence[Level],
    games: Mapping[str, Sequence[Trace]],
    known: Mapping[str, Experiment],
    checked: str,
    seed: int,
    seconds: float,
    too_many: bool,
    opening: int = 0,
) -> Report:
    """All figures of these games; `games` by the keys of their experiments. `opening`: random moves that those between
    equals begin with, unless they are of `start`."""
    every = [one for some in games.values() for one in some]
    ended = {key: [one for one in some if one.finished] for key, some in games.items()}
    equal, weak = ended.get(EQUAL, []), ended.get(WEAK, [])
    exact = levels[-1].spec == SOLVER
    if not game.outcomes and not exact:  # perfect play may well have one line
        equal = by_course(equal)
    from_start = by_course(ended.get(START, [])) if opening else equal
    steps = [ended.get(f"{STEP} {number}", []) for number in range(1, len(levels))]
    without = {key.partition(" ")[2]: some for key, some in ended.items() if key.startswith(f"{WITHOUT} ")}
    seats, chance = int(game.players), bool(game.outcomes)

    # A learnt player has little or nothing random in it, and no doubts: what is luck, and which turns matter,
    # is then told by searches.
    searchers = ended.get(SEARCHED, []) if chance and too_alike(equal) else []
    skill, measured = luck_and_skill(levels, steps, searchers or equal, chance, ended.get(DOUBLING, []))
    skill.data["by"] = strongest_search(levels).name if searchers else ""
    doubling = doubling_of(levels, measured, ended.get(DOUBLING, []))
    deepest = max(sum(bool(one.simulations) for one in levels) - 1, 0)
    handicapped = {
        int(key.partition(" ")[2]) - 1: some for key, some in ended.items() if some and key.startswith(HANDICAP)
    }
    elo = doubling.elo if doubling else None
    fair = fairness(seats, from_start, weak, elo, handicapped, deepest, equal if opening else ())
    size = length(equal, weak, exact, searchers)
    tense, lines = tension(seats, equal, searchers)
    valued, kinds = worth(equal, weak, without, too_many)
    wrong = broken(every, checked, fair, kinds, measured, game)
    bad = Section("broken", "Broken things", "Does anything not work?")
    fair.verdicts = about_fairness(fair, seats)
    size.verdicts = about_length(size)
    skill.verdicts = about_luck(skill, measured, chance, doubling)
    tense.verdicts = about_tension(tense, seats)
    valued.verdicts = about_worth(kinds, too_many)
    bad.verdicts = about_broken(wrong, len(every))

    def recorded(one: Trace, note: str) -> Record | None:
        try:
            return record_of(game, one, known.get(one.experiment, CHECKED), note)
        except BoardwrightError:  # rules that stumble over their own game
            return None

    looks = tuple(replace(one, record=recorded(one.game, one.name)) for one in to_look_at(equal, lines))
    shown = tuple((one, recorded(one.game, one.text) if one.game else None) for one in wrong)
    return Report(
        game,
        tuple(levels),
        (fair, size, skill, tense, valued, bad),
        looks,
        shown,
        len(every),
        sum(len({one.deal for one in some}) for some in games.values()),
        seconds,
        seed,
    )
