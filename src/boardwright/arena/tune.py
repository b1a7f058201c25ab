"""Better settings for a player, by paired games: successive halving, then a fresh match that may still say no.

Candidates, spread over the ranges, all meet the player as it is, on the same deals; the worse half goes, the others
play twice as many games; and so on (Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016). It needs no model of
how settings act, which a few hundred noisy games cannot carry, takes switches and words as well as numbers, wastes
nothing on those that are clearly worse, and every game counts in all later rounds. The best of many is partly the
luckiest: so it plays once more, on fresh deals, and is taken only if that match shows it stronger.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardwright.arena.intervals import Estimate
from boardwright.arena.match import Match
from boardwright.arena.pairing import derive
from boardwright.arena.workers import Hire
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import field_kind
from boardwright.contract.whole_file import whole_file
from boardwright.players import PlayerSpec, player
from boardwright.players.kinds import kind_of
from boardwright.players.tuned import FORMAT, read_tuned
from boardwright.records import Library

WIDTH = 4.0  # a range that nobody named goes from a quarter of the present value to four times as much
CONFIRMING = 0.4  # share of the time that the last match gets
MOST, FEWEST = 32, 4  # candidates
FEW_GAMES, CONFIRMED = 4, 40  # of a candidate's first round; of the last match, at least
MOST_SETTINGS = 4


@dataclass(frozen=True)
class Range:
    """What a setting may be: numbers between two ends, by their logarithm where both are above 0, or one of
    `choices`."""

    name: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[str, ...] = ()

    def at(self, share: float) -> str:
        """The value at a share of the range, as a spec writes it."""
        if self.choices:
            return self.choices[min(int(share * len(self.choices)), len(self.choices) - 1)]
        if self.low > 0:
            value = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + share * (self.high - self.low)
        return str(round(value)) if self.whole else f"{value:.3g}"


def read_ranges(text: str, spec: PlayerSpec, game: Game) -> tuple[Range, ...]:
    """`c,trust=0.1..1,rule=puct|ucb1` for a player. A name alone is spread about its present value."""
    settings = {one.name: one for one in fields(kind_of(spec, game).settings_class) if one.init}
    present = getattr(player(spec, game), "settings", None)
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, said = (piece.strip() for piece in part.partition("="))
        if name not in settings:
            raise InputError(f"--settings: {spec.kind} has no setting {name!r}; it has {', '.join(settings)}")
        kind = field_kind(settings[name])
        now = getattr(present, name, settings[name].default)
        found.append(_range(name, kind, said if equals else "", now))
    if not 1 <= len(found) <= MOST_SETTINGS:
        raise InputError(f"--settings {text!r}: name 1 to {MOST_SETTINGS} settings, such as c or c=0.1..2")
    if len({one.name for one in found}) < len(found):
        raise InputError(f"--settings {text!r}: a setting is named twice")
    return tuple(found)


def _range(name: str, kind: type, said: str, now: Any) -> Range:
    if kind is bool:
        return Range(name, choices=("false", "true"))
    if "|" in said:
        return Range(name, choices=tuple(filter(None, (one.strip() for one in said.split("|")))))
    if kind is str:
        raise InputError(f"--settings: {name} is a word; say which it may be, as in {name}=one|other")
    if not said:
        if not isinstance(now, int | float) or not now > 0:
            raise InputError(f"--settings: {name} is {now!r} now; say its range, as in {name}=0.1..1")
        return Range(name, now / WIDTH, now * WIDTH, whole=kind is int)
    low, dots, high = said.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = math.nan, math.nan
    if not dots or not all(map(math.isfinite, ends)) or not ends[0] < ends[1]:
        raise InputError(f"--settings: {name}={said!r} is no range; write it as {name}=0.1..1, or {name}=a|b")
    return Range(name, *ends, whole=kind is int)


def spread(ranges: tuple[Range, ...], count: int) -> list[dict[str, str]]:
    """Settings that fill the ranges evenly, whatever the count: an additive recurrence in as many dimensions (Roberts
    2018), which needs no random numbers."""
    root = 1.5
    for _ in range(60):  # of x ** (dimensions + 1) = x + 1: the golden ratio in one dimension
        root = (1.0 + root) ** (1.0 / (len(ranges) + 1))
    found: list[dict[str, str]] = []
    for number in range(1, 64 * count):
        shares = ((0.5 + number * root ** -(place + 1)) % 1.0 for place in range(len(ranges)))
        one = {range_.name: range_.at(share) for range_, share in zip(ranges, shares, strict=True)}
        if one not in found:
            found.append(one)
        if len(found) == count:
            break
    return found


@dataclass(frozen=True)
class Plan:
    """How many try, and for how many games in their first round; fixed once, so that a tuning can be taken up."""

    candidates: int
    games: int

    @property
    def rounds(self) -> int:
        return max(1, math.ceil(math.log2(self.candidates)))

    @classmethod
    def within(cls, games: float, solo: bool, ways: float) -> Plan:
        """What so many games can pay for: each round costs about as much as the first. ways: how many there are."""
        count = int(min(MOST, ways))
        while count > FEWEST and count * FEW_GAMES * math.ceil(math.log2(count)) > games:
            count -= 1
        least = FEW_GAMES // 2 if solo else FEW_GAMES
        return cls(max(count, 1), max(least, int(games / (count * max(1, math.ceil(math.log2(max(count, 2))))))))


@dataclass
class Tried:
    """A candidate: what it got against the player as it is, as a share of the comparisons."""

    settings: dict[str, str]
    games: int = 0
    share: Estimate | None = None
    round: int = 0  # the last in which it played


@dataclass
class Tuned:
    """What was found."""

    tried: list[Tried] = field(default_factory=list)  # best first
    confirmation: Estimate | None = None  # share of the best against the player as it is, on fresh deals
    confirmed_games: int = 0
    accepted: bool = False

    @property
    def settings(self) -> dict[str, str]:
        """What to change; nothing where nothing is shown to be better."""
        return self.tried[0].settings if self.accepted else {}


Tell = Callable[[str, float], None]  # what is being done; share of the whole


class Tuning:
    """One search for settings. The games are in the library and the plan is in the file: stopped or killed, the same
    command goes on."""

    def __init__(
        self,
        game: Game,
        spec: str,
        settings: str,
        minutes: float,
        seed: int,
        out: Path,
        *,
        workers: int = 1,
        hire: Hire | None = None,
        library: Library | None = None,
    ) -> None:
        self.game, self.spec, self.seed, self.out = game, PlayerSpec.parse(spec), seed, out
        self.ranges = read_ranges(settings, self.spec, game)
        if not 0.0 < minutes <= 1e6:
            raise InputError(f"minutes={minutes:g} must be above 0, at most a million")
        self.seconds = 60.0 * minutes
        self.workers, self.hire, self.library = workers, hire, library or Library()
        self.about = {
            "boardwright_tuned": FORMAT,
            "game": game.name,
            "options": game.options,
            "rules": game.digest,
            "player": str(self.spec),
            "ranges": [asdict(one) | {"choices": list(one.choices)} for one in self.ranges],
            "seed": seed,
        }
        self.plan: Plan | None = None
        self.spent = 0.0
        self.result = Tuned()
        if out.exists():
            self._take_up(read_tuned(out))

    def _take_up(self, found: dict[str, Any]) -> None:
        for name, value in self.about.items():
            if found.get(name) != value:
                raise InputError(f"{self.out} is of another tuning (its {name} differs); choose another --out")
        try:
            self.plan = Plan(**found["plan"]) if found["plan"] else None
            self.spent = float(found["seconds"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.out} cannot be taken up ({error}); choose another --out") from None

    def run(self, tell: Tell = lambda what, share: None) -> Tuned:
        """Halve, then confirm. KeyboardInterrupt leaves the file in place for the next time."""
        began, before = time.monotonic(), self.spent

        def used() -> float:
            self.spent = before + time.monotonic() - began
            return self.spent

        try:
            if self.plan is None:
                tell("playing a first game, to know what games cost", 0.0)
                self.plan = self._planned(used)
                self._write()
            tried = [Tried(one) for one in spread(self.ranges, self.plan.candidates)]
            self.result.tried = tried
            for number in range(self.plan.rounds):
                games = self.plan.games << number
                for place, one in enumerate(tried):
                    share = (number + place / len(tried)) / self.plan.rounds * (1.0 - CONFIRMING)
                    tell(f"round {number + 1} of {self.plan.rounds}, candidate {place + 1} of {len(tried)}", share)
                    one.share, one.games = self._meet(one.settings, games, self.seed)
                    one.round = number + 1
                tried = sorted(tried, key=_share, reverse=True)[: max(1, len(tried) // 2)]
                self.result.tried.sort(key=lambda one: (one.round, _share(one)), reverse=True)
                used()
                self._write()
            self._confirm(used, tell)
        finally:
            used()
            self._write()
        return self.result

    def _planned(self, used: Callable[[], float]) -> Plan:
        """By what the first games take: those of the first candidate, which are played anyway."""
        first = spread(self.ranges, 1)[0]
        self._meet(first, 2, self.seed)  # compiles
        begin, games = used(), 0
        while games < 8 and (games == 0 or used() - begin < 0.02 * self.seconds):
            games += 2
            self._meet(first, 2 + games, self.seed)
        each = max((used() - begin) / games, 1e-6)
        ways = math.prod(len(one.choices) or (one.high - one.low + 1 if one.whole else MOST) for one in self.ranges)
        return Plan.within((1.0 - CONFIRMING) * self.seconds / each, self.game.players == 1, ways)

    def _meet(self, settings: dict[str, str], games: int, seed: int) -> tuple[Estimate, int]:
        """The candidate's share against the player as it is, in whole sets."""
        changed = PlayerSpec(self.spec.kind, {**self.spec.settings, **settings})
        match = Match(self.game, [changed, self.spec], games, seed, library=self.library)
        match.run(self.workers, hire=self.hire)
        result = match.result()
        return result.table.pairs[0].share, result.table.games

    def _confirm(self, used: Callable[[], float], tell: Tell) -> None:
        """The best, once more, on fresh deals, for as many games as the time allows."""
        best = self.result.tried[0]
        games, fresh = CONFIRMED, derive(self.seed, "confirmation") % 2**31
        while True:
            tell(f"confirming on {games} fresh games", 1.0 - CONFIRMING * max(0.0, 1.0 - used() / self.seconds))
            found, played = self._meet(best.settings, games, fresh)
            self.result.confirmation, self.result.confirmed_games = found, played
            self.result.accepted = bool(found.low > 0.5)
            self._write()
            if used() + CONFIRMING * self.seconds * 0.25 > self.seconds:
                return
            games = 2 * games if games < 8 * CONFIRMED else games + 4 * CONFIRMED

    def _write(self) -> None:
        result = self.result
        body = {
            **self.about,
            "settings": result.settings,
            "accepted": result.accepted,
            "confirmation": _plain(result.confirmation) | {"games": result.confirmed_games},
            "tried": [
                {"settings": one.settings, "games": one.games, **_plain(one.share)} for one in result.tried if one.games
            ],
            "plan": asdict(self.plan) if self.plan else None,
            "seconds": round(self.spent, 1),
            "date": datetime.now(UTC).date().isoformat(),
        }
        with whole_file(self.out) as file:
            file.write(json.dumps(body, indent=2, allow_nan=False).encode())


def _share(one: Tried) -> float:
    return one.share.value if one.share else 0.0


def _plain(estimate: Estimate | None) -> dict[str, float | None]:
    def finite(value: float) -> float | None:
        return round(float(value), 4) if math.isfinite(value) else None

    if estimate is None:
        return {}
    return {"share": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}


def rows(result: Tuned) -> Iterator[list[str]]:
    """A row a candidate: its settings, games, share with interval."""
    for one in result.tried:
        if one.share:
            told = ", ".join(f"{name}={value}" for name, value in one.settings.items())
            share = f"{100 * one.share.value:.1f} % ({100 * one.share.low:.0f} to {100 * one.share.high:.0f})"
            yield [told, str(one.games), share]
