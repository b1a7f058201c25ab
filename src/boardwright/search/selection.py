"""The rules of selection as objects that are compiled into the search: a search compiles the one that it uses."""

from __future__ import annotations

from typing import Any, ClassVar

from boardwright.contract.compiled import Compiled
from boardwright.search.select import select_even, select_gumbel_inside, select_gumbel_root, select_puct, select_ucb1


class Selection(Compiled):
    """Chooses the child of a player's node that a descent goes on with."""

    RULES: ClassVar[tuple[str, ...]] = ("choose",)

    def choose(self, tree: Any, note: Any, at: Any, plan: Any, gumbel: Any, order: Any, scratch: Any) -> Any:
        """The slot of the child of slot `at`. gumbel, order: see gumbel.py; scratch: room for a number a child."""
        return select_even(tree, tree[at])


class Ucb1(Selection):
    def choose(self, tree: Any, note: Any, at: Any, plan: Any, gumbel: Any, order: Any, scratch: Any) -> Any:
        return select_ucb1(tree, note, tree[at], plan)


class Puct(Selection):
    def choose(self, tree: Any, note: Any, at: Any, plan: Any, gumbel: Any, order: Any, scratch: Any) -> Any:
        return select_puct(tree, note, tree[at], plan)


class Gumbel(Selection):
    """Sequential halving at the root while its order lasts, the improved policy below."""

    def choose(self, tree: Any, note: Any, at: Any, plan: Any, gumbel: Any, order: Any, scratch: Any) -> Any:
        chosen = -1
        if at == 0:
            chosen = select_gumbel_root(tree, note, plan, gumbel, order[min(note.simulations, len(order) - 1)])
        return chosen if chosen >= 0 else select_gumbel_inside(tree, note, tree[at], plan, scratch)


class Even(Selection):
    """All alike: the child with the fewest visits."""


SELECTIONS: dict[str, Selection] = {"ucb1": Ucb1(), "puct": Puct(), "gumbel": Gumbel(), "even": Even()}
