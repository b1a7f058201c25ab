"""Games that the network plays with itself by tree search, wholly inside the kernel: no batch, no Python.

Gumbel MuZero's search (Danihelka et al. 2022) with the network's value and policy at its leaves. Its improved policy is
what the policy learns; what the root is worth by that policy, mixed with what came later, is what the value learns. A
share of the searches is deep and teaches the policy, the others only choose a move and teach the value (playout-cap
randomisation, Wu 2019, section 3.1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.compile.borrow import borrowed
from boardwright.compile.kernel import inner_kernel, kernel
from boardwright.compile.playout import settle
from boardwright.compile.random import unit
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.learn.kernel.log import LEFT_OUT, note, note_end, note_turn_end, tell_policy
from boardwright.learn.kernel.openings import open_game
from boardwright.search.gumbel import draw_gumbels, halving_order
from boardwright.search.improved_policy import improve
from boardwright.search.rank import best_child
from boardwright.search.select import q_of
from boardwright.search.settings import LEARNT, Plan, SearchSettings, make_plan
from boardwright.search.simulate import simulate
from boardwright.search.tree import MOST_SAMPLES, new_tree, open_slot
from boardwright.search.work import Work, new_work

MOST_SLOTS = 2**21
LUCK = np.uint64(0x5DEECE66D)  # tells the numbers of chance from those of the players


class Searching(NamedTuple):
    """A tree that is grown anew for every move, and what that takes."""

    tree: npt.NDArray[np.void]
    stats: npt.NDArray[np.void]
    plan: Plan
    work: Work
    orders: npt.NDArray[np.int32]  # (2, considered + 1, simulations): gumbel's order of visits, shallow and deep


class SearchTerms(NamedTuple):
    """How games are made, as numbers for the kernel."""

    longest: int  # moves after which a game is cut
    opening: int  # up to so many random moves at the start
    shallow: int  # simulations of a search that only chooses
    deep: int  # of one that is learnt from
    deep_share: float
    considered: int  # moves that the root considers
    trust: float  # how much values outweigh the policy (c_scale of the paper)
    has_policy: int  # 1: the improved policy is told
    noise: float  # share of searches whose move is drawn by Gumbel noise; the others play their best


def new_searching(game: Game, shallow: int, deep: int, considered: int, trust: float, has_policy: bool) -> Searching:
    """For games of one thread."""
    settings = SearchSettings(
        simulations=deep, select="gumbel", prior="uniform", rollout="none", considered=considered, trust=trust
    )
    plan = make_plan(game, settings, valued=True)
    widest = max(game.actions, game.outcomes, MOST_SAMPLES)
    tree = new_tree(game.players, min(1 + (deep + 2) * widest, MOST_SLOTS))
    work = new_work(game, np.zeros(1, np.uint64), merge=True)
    work = work._replace(
        gumbel=np.zeros(max(game.actions, 1)),
        order=np.zeros(max(shallow, deep), np.int32),
    )
    orders = np.zeros((2, considered + 1, max(shallow, deep)), np.int32)
    for row, simulations in enumerate((shallow, deep)):
        for width in range(1, considered + 1):
            orders[row, width, :simulations] = halving_order(width, simulations)
    return Searching(tree.slots, tree.stats, plan._replace(prior=LEARNT if has_policy else 0), work, orders)


@inner_kernel
def think(
    game: Any, network: Any, learned: Any, searching: Any, simulations: Any, row: Any, considered: Any, noise: Any
) -> Any:
    """Search from work.states[0], where a player is to move; returns the root's child to play. row: of the orders.
    noise: whether moves are drawn as Gumbel MuZero does for learning."""
    tree, tree_stats, plan, work = searching.tree, searching.stats, searching.plan, searching.work
    stats = tree_stats[0]
    open_slot(tree[0], 0, 1.0)
    stats.used = 1
    stats.simulations = 0
    stats.seen = 0.0
    for i in range(len(work.value)):
        stats.mean[i] = 0.0
        stats.squares[i] = 0.0
    work.salt[0] += 1
    work.order[0] = -1  # the root gets its children, no more
    due = 1
    for phase in range(2):
        simulate(game, network, learned, tree, tree_stats, plan, work, due)
        if phase == 0:
            network.value(game, work.states[0], learned, work.value)
            tree[0].raw = work.value[tree[0].actor]
            width = min(considered, tree[0].count)
            draw_gumbels(tree, work.rng, width, noise, work.gumbel)
            for t in range(simulations):
                work.order[t] = searching.orders[row, width, t]
            due = simulations
            if tree[0].count == 1:  # nothing to choose: one look values it
                due = 1
    return best_child(tree, stats, plan, work.gumbel, False)


class Rivals(NamedTuple):
    """Who plays a game by search."""

    other: npt.NDArray[np.float32]  # the numbers of all seats but one
    seat: int  # that one; -1: there is no other


@kernel
def promise(tree: Any, weights: Any, promised: Any) -> None:
    """promised[i] = what player i can expect at the root if moves were made as `weights`, the improved policy, says: of
    the children that were looked at. The mean of all simulations counts a dozen tries of a dozen moves alike."""
    root = tree[0]
    for i in range(len(promised)):
        promised[i] = 0.0
    total = 0.0
    if root.proven == 0 and root.count > 1:
        for k in range(root.count):
            slot = tree[root.first + k]
            if slot.visits > 0:
                total += weights[k]
                for i in range(len(promised)):
                    promised[i] += weights[k] * q_of(slot, i)
    for i in range(len(promised)):
        if total > 0.0:
            promised[i] /= total
        else:
            promised[i] = root.value[i] if root.proven != 0 else root.value[i] / max(root.visits, 1)


@kernel
def play_by_search(game: Any, network: Any, learned: Any, searching: Any, rngs: Any, kept: Any, order: Any) -> Any:
    """Play len(rngs) games, game g with the numbers of rngs[g]; returns (how many places were filled, simulations
    done). What chance does depends on rngs[g] alone, whoever plays. order: (SearchTerms, Log, Rivals)."""
    searching = borrowed(searching)
    terms, log, rivals = order
    log, rivals = borrowed(log), borrowed(rivals)
    tree, tree_stats, work = searching.tree, searching.stats, searching.work
    states, rng, choices, weights, out = work.states, work.rng, work.choices, work.weights, work.total
    luck = np.zeros(1, np.uint64)
    at = 0
    told = 0
    looks = 0
    for g in range(len(rngs)):
        rng[0] = rngs[g]
        luck[0] = rngs[g] ^ LUCK
        open_game(game, states, 3, rng, choices, weights, terms.opening)
        begin = at
        while at - begin < 2 * terms.longest and game.player(states[0]) != OVER:
            s = states[0]
            note(game, network, s, at, kept, log, out)
            deep = unit(rng) < terms.deep_share
            simulations = terms.deep if deep else terms.shallow
            noise = unit(rng) < terms.noise
            numbers = learned if rivals.seat < 0 or game.player(s) == rivals.seat else rivals.other
            child = think(game, network, numbers, searching, simulations, 1 if deep else 0, terms.considered, noise)
            looks += tree_stats[0].simulations
            root = tree[0]
            if root.count > 1:
                improve(tree, tree_stats[0], searching.plan, weights)
                if deep and terms.has_policy != 0:
                    for i in range(root.count):
                        choices[i] = tree[root.first + i].move
                    told = tell_policy(log, at, told, choices, root.count, weights)
            promise(tree, weights, log.promised[at])
            for i in range(len(out)):
                log.promised[at + 1, i] = log.promised[at, i]
            game.play(s, tree[child].move)
            note_turn_end(game, network, s, at + 1, kept, log, out)
            if game.player(s) != CHANCE:  # the next decision is the same position
                log.marks[at + 1] |= LEFT_OUT
            at += 2
            settle(game, s, luck, choices, weights)
        note_end(game, states[0], g, begin, at, log, out)
    return at, looks
