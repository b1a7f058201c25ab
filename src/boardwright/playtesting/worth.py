"""What is worth what: each kind of move, how often it is open and taken, and what doing without it costs; each kind of
draw, and how those fare to whom it falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boardwright.arena.elo import elo_of_share
from boardwright.arena.intervals import Estimate
from boardwright.playtesting.estimates import mapped, ratio
from boardwright.playtesting.figure import Rows, Section, deals_of
from boardwright.playtesting.kinds import FEW
from boardwright.playtesting.ladder import Level
from boardwright.playtesting.luck import make_step
from boardwright.playtesting.trace import Trace

DEAD_USE = 0.05  # taken less often than that where it is open: hardly ever
DOMINANT_USE = 0.8  # searches are noisy where a game is as good as won
_NOBODY = Level("", "")  # whose names nobody reads
LOSES = 0.45  # a share: who wins less than that by doing without a kind needs it


@dataclass(frozen=True)
class Worth:
    """One kind of move."""

    kind: str
    open: Estimate  # share of turns, strong players; turns with a choice between kinds only
    strong: Estimate  # share of these at which a strong player takes it
    weak: Estimate
    without: Estimate | None  # share that a strong player wins without it against one who has it
    games: int  # of restricted play

    @property
    def label(self) -> str:
        """Dead, dominant, costly to miss; nothing where the figures do not say so for certain."""
        return _label(self.strong, self.without)

    @property
    def likely(self) -> str:
        """The label, or with a question mark the one that the middles of the intervals would bear."""
        perhaps = _label(_middle(self.strong), _middle(self.without)) if self.without else ""
        return self.label or (f"{perhaps}?" if perhaps else "")


def _label(strong: Estimate, without: Estimate | None) -> str:
    if strong.high <= DEAD_USE and (without is None or without.low > LOSES):
        return "dead"
    if strong.low >= DOMINANT_USE and without is not None and without.high < LOSES:
        return "dominant"
    if without is not None and without.high < LOSES:
        return "needed"
    if without is not None and without.low > 1 - LOSES:
        return "a trap"
    return ""


def _middle(estimate: Estimate) -> Estimate:
    """As if there were no doubt."""
    return Estimate(estimate.value, estimate.value, estimate.value)


def seen_kinds(games: Sequence[Trace]) -> list[str]:
    """The kinds that were open, the most often open first; none where there are too many for a table."""
    counts: dict[str, int] = {}
    for one in games:
        for kind, rows in one.kinds.items():
            counts[kind] = counts.get(kind, 0) + sum(row[0] for row in rows)
    return sorted(counts, key=lambda kind: (-counts[kind], kind)) if len(counts) <= FEW else []


def worth(
    equal: Sequence[Trace], weak: Sequence[Trace], without: Mapping[str, Sequence[Trace]], too_many: bool
) -> tuple[Section, list[Worth]]:
    """`without[kind]`: games of the strongest against itself without that kind."""
    found = Section("worth", "What is worth what", "Which options pull their weight?")
    kinds = [] if too_many else seen_kinds([*equal, *weak])
    rows = [_worth(kind, equal, weak, without.get(kind, ())) for kind in kinds]
    if rows:
        found.tables.append(
            Rows(
                ("kind of move", "open", "taken, strong", "taken, random", "wins without it", "Elo it is worth", ""),
                tuple(
                    (
                        one.kind,
                        one.open,
                        one.strong,
                        one.weak,
                        one.without,
                        elo_worth(one.without),
                        one.likely,
                    )
                    for one in rows
                ),
                "Open: turns of strong players at which such a move and one of another kind are legal, unless all "
                "moves are worth the same to them. Taken: of these. Wins without it: the share of a strong player who "
                "may not choose it while there is another, against one who may, on the same deals. Dead: strong "
                f"players take it at most {100 * DEAD_USE:.0f} % of the time, and lose nothing without it. Dominant: "
                f"at least {100 * DOMINANT_USE:.0f} %, and who does without wins less than {100 * LOSES:.0f} %. "
                "Needed: the latter alone. A trap: who does without it wins more. A label stands where the whole "
                "interval bears it out; with a question mark where the figure itself does, and the interval not yet.",
            )
        )
    drawn = draws(equal)
    if drawn:
        found.tables.append(drawn)
    found.data["kinds"] = [
        {"kind": one.kind, "open": one.open, "strong": one.strong, "weak": one.weak, "without": one.without,
         "label": one.label}
        for one in rows
    ]  # fmt: skip
    return found, rows


def elo_worth(without: Estimate | None) -> Estimate | None:
    """What having a kind is worth, from the share of who does without it."""
    return mapped(Estimate(1 - without.value, 1 - without.high, 1 - without.low), elo_of_share) if without else None


def _worth(kind: str, equal: Sequence[Trace], weak: Sequence[Trace], without: Sequence[Trace]) -> Worth:
    restricted = make_step(_NOBODY, _NOBODY, without) if without else None
    price = None
    if restricted:
        free = restricted.free
        price = Estimate(1 - free.value, 1 - free.high, 1 - free.low)
    return Worth(
        kind,
        _share(equal, lambda one: (_count(one, kind)[0], sum(count > 1 for count in one.legal))),
        _share(equal, lambda one: (_count(one, kind)[1], _count(one, kind)[0])),
        _share(weak, lambda one: (_count(one, kind)[1], _count(one, kind)[0])),
        price,
        len(without),
    )


def _count(one: Trace, kind: str) -> tuple[int, int]:
    rows = one.kinds.get(kind, ())
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


def _share(games: Sequence[Trace], count: Callable[[Trace], tuple[float, float]]) -> Estimate:
    tops, belows = [], []
    for some in deals_of(games).values():
        found = [count(one) for one in some]
        tops.append(float(sum(top for top, _ in found)))
        belows.append(float(sum(below for _, below in found)))
    return ratio(tops, belows, share=True)


def draws(equal: Sequence[Trace]) -> Rows | None:
    """What each kind of draw does for the seat to which it falls, or for who plays alone; None without chance. Of many
    kinds, those that come most often."""
    counts: dict[str, int] = {}
    for one in equal:
        for kind, seats in one.drawn.items():
            counts[kind] = counts.get(kind, 0) + sum(seats)
    if len(counts) < 2:
        return None
    kinds = sorted(sorted(counts, key=lambda kind: (-counts[kind], kind))[:FEW])
    left_out = len(counts) - len(kinds)
    of_many = f" The {FEW} that come most often, of {len(counts)}." if left_out else ""
    every = list(deals_of(equal).values())
    alone = len(equal[0].seats) == 1
    rows: list[tuple[Any, ...]] = [("any of them", None, *_worth_of_draws(every, list(counts), alone))]
    for kind in kinds:
        often = ratio(
            [float(sum(sum(one.drawn.get(kind, ())) for one in games)) for games in every],
            [float(sum(sum(map(sum, one.drawn.values())) for one in games)) for games in every],
            share=True,
        )
        rows.append((kind, often, *_worth_of_draws(every, [kind], alone)))
    if alone:
        return Rows(
            ("draw", "how often", "result of games, points", "against the others, points"),
            tuple(rows),
            "How often it comes, of all draws; the mean result of the games in which it comes, each draw counting "
            "once; and against the others: by how much more than after any draw the player expects at the next move "
            "than at the one before, as far as it sees. Where every game has the same draws, as a deck of cards has, "
            "the results are the same, and only the latter tells." + of_many,
        )
    return Rows(
        ("draw", "how often", "who gets it wins"),
        tuple(rows),
        "How often it comes, of all draws; and what share of games those win to whom it falls: whoever moved last, "
        "before the first move whoever is next. Compare it with that of any draw: whoever moved last may be ahead or "
        "behind for other reasons. Where draws lie open for all, neither says much." + of_many,
    )


def _worth_of_draws(every: Sequence[Sequence[Trace]], kinds: Sequence[str], alone: bool) -> tuple[Estimate | None, ...]:
    """What draws of some kinds do, `every`: games by deal."""
    if not alone:
        return (_falls(every, kinds),)
    tops, belows = [], []
    for games in every:
        came = [(sum(sum(one.drawn.get(kind, ())) for kind in kinds), one.results[0]) for one in games]
        tops.append(float(sum(count * result for count, result in came)))
        belows.append(float(sum(count for count, _ in came)))
    return ratio(tops, belows), _against_others(every, kinds[0]) if len(kinds) == 1 else None


def _against_others(every: Sequence[Sequence[Trace]], kind: str) -> Estimate:
    """By how much a draw changes what the player expects, less what draws do on average: a search that plays on weakly
    expects more with every move."""
    rows = [[one.changed for one in games] for games in every]
    drifts = [row for some in rows for one in some for row in one.values()]
    drift = sum(row[1] for row in drifts) / (sum(row[0] for row in drifts) or 1.0)
    own = [[one[kind] for one in some if kind in one] for some in rows]
    times = [sum(row[0] for row in some) for some in own]
    return ratio([sum(row[1] - drift * row[0] for row in some) for some in own], times)


def _falls(every: Sequence[Sequence[Trace]], kinds: Sequence[str]) -> Estimate:
    """What those win to whom draws of some kinds fall, each draw counting once; `every`: games by deal."""
    tops, belows = [], []
    for games in every:
        falls = [
            (count, one.wins()[seat])
            for one in games
            for kind in kinds
            for seat, count in enumerate(one.drawn.get(kind, ()))
        ]
        tops.append(sum(count * win for count, win in falls))
        belows.append(float(sum(count for count, _ in falls)))
    return ratio(tops, belows, share=True)
