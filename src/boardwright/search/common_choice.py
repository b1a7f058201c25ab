"""Several trees over one position, one a thread, and the choice that they make together."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from boardwright.contract.game import CHANCE
from boardwright.contract.position import Position
from boardwright.search.choice import Choice
from boardwright.search.search import Search, Stop
from boardwright.search.tree import RUN, UNSEEN, Tree


def search(position: Position, searches: list[Search], stopped: Callable[[], bool] | None = None) -> Choice:
    """Grow one tree a thread from `position` and answer with their common choice."""
    began = time.perf_counter()
    if len(searches) == 1:
        stops = [searches[0].grow(position, stopped)]
    else:
        with ThreadPoolExecutor(len(searches)) as pool:
            stops = list(pool.map(lambda one: one.grow(position, stopped), searches))
    return choice_of(position, searches, stops, time.perf_counter() - began)


def choice_of(position: Position, searches: list[Search], stops: list[Stop], seconds: float) -> Choice:
    """What trees grown from `position` have found by now, and why each has stopped."""
    player = position.player
    visits: dict[int, int] = dict.fromkeys(position.moves, 0)
    sums: dict[int, float] = dict.fromkeys(position.moves, 0.0)
    priors: dict[int, float] = {}
    root_value = np.zeros(position.game.players)
    for one in searches:
        tree = one.tree
        assert tree is not None
        children = tree.slots[tree.children().start : tree.children().stop]
        counts, values = children["visits"], children["value"][:, player]
        totals = np.where(children["proven"], values, values / np.maximum(counts, 1)) * counts
        for move, n, total, prior in zip(
            children["move"].tolist(), counts.tolist(), totals.tolist(), children["prior"].tolist(), strict=True
        ):
            visits[move] += n
            sums[move] += total
            priors[move] = prior
        root_value += tree.q(0)
    root_value /= len(searches)
    lead = next((one for one, stop in zip(searches, stops, strict=True) if stop.proven), searches[0])
    assert lead.tree is not None
    move = int(lead.tree.slots["move"][lead.best_child()])
    if len(searches) > 1 and not any(stop.proven for stop in stops) and lead.settings.select in ("ucb1", "puct"):
        move = max(visits, key=lambda m: (visits[m], sums[m]))
    remarks = []
    if any(stop.proven for stop in stops):
        remarks.append("proven")
    if any(stop.full for stop in stops):
        remarks.append(f"stopped at {lead.settings.megabytes:g} megabytes")
    elif any(stop.pruned for stop in stops):
        remarks.append(f"kept to {lead.settings.megabytes:g} megabytes")
    if any(stop.cancelled for stop in stops):
        remarks.append("stopped on demand")
    remarks += sorted({stop.remark for stop in stops if stop.remark})
    return Choice(
        move=move,
        value=tuple(root_value.tolist()),
        visits=visits,
        values={m: sums[m] / visits[m] for m in visits if visits[m]},
        priors=priors,
        line=best_line(lead.tree, move),
        simulations=sum(stop.simulations for stop in stops),
        seconds=seconds,
        note=", ".join(remarks),
    )


def best_line(tree: Tree, move: int, most: int = 12) -> tuple[int, ...]:
    """`move` and what the tree thinks comes after it: the most visited child each time, draws included, to the
    first slot with fewer than two visits or a sampled run of draws. Of draws that are equally likely, another every
    time: three sixes in a row are no likely line."""
    line: list[int] = []
    slot = 0
    while tree.slots["first"][slot] and len(line) < most and tree.slots["actor"][slot] not in (RUN, UNSEEN):
        moves, visits = tree.slots["move"], tree.slots["visits"]
        children = tree.children(slot)
        drawn = tree.slots["actor"][slot] == CHANCE
        slot = max(children, key=lambda c: int(visits[c])) if line else next(c for c in children if moves[c] == move)
        if drawn and line:
            odds = tree.slots["prior"][children.start : children.stop]
            likely = [c for c, chance in zip(children, odds.tolist(), strict=True) if chance >= 0.999 * odds.max()]
            likely = [c for c in likely if visits[c] >= 2] or [slot]
            slot = likely[5 * len(line) % len(likely)]
        if line and visits[slot] < 2:
            break
        line.append(int(moves[slot]))
    return tuple(line)
