"""Why a simulation went to this child and no other: the terms of select.py's and chance.py's formulas, child by child.

Plain Python over the tree as it was before the simulation, for people who want to see the numbers. A child's terms add
up, from left to right, to the score by which it was compared; the rules take the first child of the best score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from boardwright.contract.game import CHANCE
from boardwright.contract.state import States
from boardwright.search.search import Search
from boardwright.search.select import completed, q_of, scale_of
from boardwright.search.stepper import Simulation
from boardwright.search.tree import RUN, Tree

# What the terms of a rule are called.
TERMS = {
    "ucb1": ("value", "exploration"),
    "puct": ("value", "exploration"),
    "gumbel": ("improved policy", "visits so far"),
    "halving": ("prior", "value"),
    "even": ("visits so far",),
    "chance": ("expected visits", "visits so far"),
    "sample": ("visits so far",),
}
FIRST = math.inf  # the score of a child that comes before all others


@dataclass(frozen=True)
class Reason:
    """One child at the moment of the choice."""

    slot: int
    terms: tuple[float, ...]  # none where the rule compares nothing: a child without visits in ucb1, a new sample
    score: float  # their sum; FIRST before all others, -inf if it was left out
    why: str = ""  # in place of terms: unvisited, lost, new, not considered, another round's


@dataclass(frozen=True)
class Decision:
    """One choice on the way down."""

    slot: int  # where
    rule: str  # a key of TERMS
    children: tuple[Reason, ...]  # in the tree's order
    chosen: int  # the slot that the simulation went to

    @property
    def best(self) -> int:
        """The slot that the scores speak for."""
        top = max(child.score for child in self.children)
        return next(child.slot for child in self.children if child.score == top)


def decisions(search: Search, simulation: Simulation) -> list[Decision]:
    """Every choice of the last simulation of `search`, from the root down."""
    assert search.tree is not None
    path = simulation.path
    asked = Asked(search, simulation.before, search.tree)
    return [Decision(slot, *asked.at(slot), chosen=child) for slot, child in pairwise(path)]


class Asked:
    """The formulas, asked about nodes of one tree as they were."""

    def __init__(self, search: Search, before: Tree, after: Tree) -> None:
        self.plan, self.work, self.after = search.plan, search.work, after
        self.was: Any = States(before.slots)
        self.stats: Any = States(before.stats)[0]

    def at(self, slot: int) -> tuple[str, tuple[Reason, ...]]:
        """The rule at a node, and what it says of each child."""
        actor = int(self.after.slots["actor"][slot])
        node, children = self.was[slot], list(self.after.children(slot))
        if actor == CHANCE or (self.plan.opponent and actor not in (RUN, self.after.slots["actor"][0])):
            expected = node.visits + 1.0
            return "chance", tuple(
                _sum(child, float(self.was[child].prior) * expected, -float(self.was[child].visits))
                for child in children
            )
        if actor == RUN:
            known = node.count if node.first else 0
            return "sample", tuple(
                self._visits(child) if number < known else Reason(child, (), FIRST, "new")
                for number, child in enumerate(children)
            )
        if self.plan.select == 0:
            return "ucb1", self._ucb1(node, actor, children)
        if self.plan.select == 1:
            return "puct", self._puct(node, actor, children)
        if self.plan.select == 3:
            return "even", tuple(map(self._visits, children))
        if slot == 0:
            halving = self._halving(node, actor, children)
            if any(child.score > -math.inf for child in halving):
                return "halving", halving
        return "gumbel", self._gumbel(node, actor, children)

    def _visits(self, child: int) -> Reason:
        return _sum(child, -float(self.was[child].visits))

    def _scale(self, actor: int) -> tuple[float, float]:
        low, scale = scale_of.interpreted(self.stats, actor, self.plan)
        return float(low), float(scale)

    def _ucb1(self, node: Any, actor: int, children: list[int]) -> tuple[Reason, ...]:
        low, scale = self._scale(actor)
        log_visits = math.log(node.visits + 1.0)
        told = []
        for child in children:
            slot = self.was[child]
            if slot.visits == 0:
                told.append(Reason(child, (), FIRST, "unvisited"))
                continue
            share = 1.0 / slot.visits
            q = slot.value[actor] if slot.proven else slot.value[actor] * share
            if slot.proven and q <= self.plan.low:
                told.append(Reason(child, (), -math.inf, "lost"))
            else:
                told.append(_sum(child, (q - low) * scale, self.plan.c * math.sqrt(log_visits * share)))
        return tuple(told)

    def _puct(self, node: Any, actor: int, children: list[int]) -> tuple[Reason, ...]:
        low, scale = self._scale(actor)
        reach = self.plan.c * math.sqrt(node.visits + 1.0)
        unseen = (node.value[actor] / node.visits - low) * scale if node.visits > 0 else 0.5
        told = []
        for child in children:
            slot = self.was[child]
            q = unseen
            if slot.visits > 0:
                exact = q_of.interpreted(slot, actor)
                if slot.proven and exact <= self.plan.low:
                    told.append(Reason(child, (), -math.inf, "lost"))
                    continue
                q = (exact - low) * scale
            told.append(_sum(child, q, reach * float(slot.prior) / (1.0 + slot.visits)))
        return tuple(told)

    def _gumbel(self, node: Any, actor: int, children: list[int]) -> tuple[Reason, ...]:
        """Below the root, or where no child is due at it."""
        low, scale = self._scale(actor)
        slots = [self.was[child] for child in children]
        seen = [slot for slot in slots if slot.visits > 0]
        if not seen:
            return tuple(_sum(child, float(slot.prior), -0.0) for child, slot in zip(children, slots, strict=True))
        total, most = sum(slot.visits for slot in seen), max(slot.visits for slot in seen)
        liked = weighted = 0.0
        for slot in seen:
            prior = max(float(slot.prior), 1e-12)
            liked += prior
            weighted += prior * q_of.interpreted(slot, actor)
        mixed, stretch = completed.interpreted(node, self.plan, total, most, liked, weighted, low, scale)

        def gain(slot: Any) -> float:
            return float(stretch * ((q_of.interpreted(slot, actor) - low) * scale - mixed)) if slot.visits else 0.0

        top = max(0.0, *(gain(slot) for slot in seen))
        weight = max(1.0 - liked, 0.0) * math.exp(-top)
        for slot in seen:
            weight += float(slot.prior) * math.exp(gain(slot) - top)
        return tuple(
            _sum(child, float(slot.prior) * math.exp(gain(slot) - top) / weight, -slot.visits / (1.0 + total))
            for child, slot in zip(children, slots, strict=True)
        )

    def _halving(self, node: Any, actor: int, children: list[int]) -> tuple[Reason, ...]:
        """Sequential halving at the root: of those whose turn it is, prior and value."""
        low, scale = self._scale(actor)
        order, gumbel = self.work.order, self.work.gumbel
        wanted = int(order[min(self.stats.simulations, len(order) - 1)])
        total, most, liked, weighted = 0, 0, 0.0, 0.0
        for i, child in enumerate(children):
            slot = self.was[child]
            if gumbel[i] == -math.inf:
                continue
            most = max(most, slot.visits)
            if wanted == 0 and slot.visits > 0:
                total += slot.visits
                prior = max(float(slot.prior), 1e-12)
                liked += prior
                weighted += prior * q_of.interpreted(slot, actor)
        mixed, stretch = completed.interpreted(node, self.plan, total, most, liked, weighted, low, scale)
        told = []
        for i, child in enumerate(children):
            slot = self.was[child]
            if gumbel[i] == -math.inf:
                told.append(Reason(child, (), -math.inf, "not considered"))
            elif slot.visits != wanted:
                told.append(Reason(child, (), -math.inf, "another round"))
            else:
                q = (q_of.interpreted(slot, actor) - low) * scale if slot.visits > 0 else mixed
                told.append(_sum(child, float(gumbel[i]), float(stretch * q)))
        return tuple(told)


def _sum(child: int, *terms: float) -> Reason:
    score = 0.0
    for term in terms:
        score += term
    return Reason(child, tuple(map(float, terms)), float(score))
