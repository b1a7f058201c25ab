"""What a search knows of the moves that it has tried: value, loss, how far both may be off, a label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boardwright.arena.intervals import normal_quantile
from boardwright.arena.labels import called
from boardwright.arena.verdict import FEW_VISITS, Verdict
from boardwright.contract.position import Position
from boardwright.players import Choice
from boardwright.search.tree import Tree

Same = Mapping[int, tuple[int, ...]]  # for each move those that are the same move, as same_moves tells


@dataclass(frozen=True)
class TriedMove:
    """A move, and those that are the same move, as one: what the search would know if it had seen that. Values and
    losses are the mover's: points, or results from -1 to 1."""

    move: int  # the one that it liked best
    alike: tuple[int, ...]  # the others
    visits: int
    value: float | None
    value_error: float  # standard error of `value`, by the luck of its visits; 0: proven
    prior: float | None
    loss: float | None  # the best move's value less this one's; 0 or more
    error: float  # standard error of `loss`
    label: str  # what it lost at least, by its 95 % interval; "unsure" if that may be nothing or much


def tried_moves(position: Position, choice: Choice, tree: Tree, same: Same | None = None) -> list[TriedMove]:
    """All moves of a choice, best first, those that are the `same` as one."""
    player = position.player
    assert choice.value is not None
    rows = _rows(choice, tree, player, same or {})
    best = rows[0]
    sure = best.visits >= FEW_VISITS or "proven" in choice.note
    top = best.value if sure and best.value is not None else choice.value[player]
    return [_judged(position, row, best, top) for row in rows]


def value_error(choice: Choice, tree: Tree, player: int) -> float:
    """How far the value of the position may be off by the luck of its visits."""
    return 0.0 if "proven" in choice.note else _spread(tree, player) / math.sqrt(max(tree.stats["seen"][0], 1.0))


@dataclass(frozen=True)
class _Row:
    move: int
    alike: tuple[int, ...]
    visits: int
    value: float | None
    prior: float | None
    error: float


def _judged(position: Position, row: _Row, best: _Row, top: float) -> TriedMove:
    first = row is best
    loss = 0.0 if first else None if row.value is None else max(0.0, top - row.value)
    error = 0.0 if first else math.hypot(row.error, best.error)
    label = "unsure"  # beside a best that is proven, an estimate too: it may be as good, and only not proven yet
    if loss is not None and (not row.error or (row.visits >= FEW_VISITS and (best.error or first))):
        verdict = Verdict(best.move, loss, error, normal_quantile())
        label = "best" if first else called(position.game, verdict, top)
    return TriedMove(row.move, row.alike, row.visits, row.value, row.error, row.prior, loss, error, label)


def _rows(choice: Choice, tree: Tree, player: int, same: Same) -> list[_Row]:
    spread = _spread(tree, player)
    slots = tree.slots[tree.children().start : tree.children().stop]
    proven = {int(one["move"]) for one in slots if one["visits"] and one["proven"]}
    rows: dict[int, _Row] = {}
    for move in sorted(choice.visits, key=lambda move: (move != choice.move, -choice.visits[move])):
        moves = same.get(move, (move,))
        if not rows.keys().isdisjoint(moves):
            continue
        tried = [one for one in moves if choice.visits[one] and one in choice.values]
        known = [choice.values[one] for one in tried if one in proven]
        visits = sum(choice.visits[one] for one in moves)
        priors = [choice.priors[one] for one in moves if one in choice.priors]
        value = choice.values.get(move)
        if known:  # what the rules decide for one of them, they decide for all
            value = max(known)
        elif len(tried) > 1:
            value = sum(choice.visits[one] * choice.values[one] for one in tried) / visits
        alike = tuple(one for one in moves if one != move)
        error = 0.0 if known or not visits else spread / math.sqrt(visits)
        rows[move] = _Row(move, alike, visits, value, sum(priors) if priors else None, error)
    return sorted(rows.values(), key=lambda row: (row.move != choice.move, -row.visits))


def _spread(tree: Tree, player: int) -> float:
    """How far the value of one visit may be off: by what all that were backed up vary."""
    return math.sqrt(tree.stats["squares"][0, player] / max(tree.stats["seen"][0], 1.0))
