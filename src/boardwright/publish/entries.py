"""The functions of a published game that the page calls.

Each takes the game, the evaluator and the address of a desk: one record with the addresses and sizes of all that the
page has laid out in the module's memory, and the settings of the search. So every call from JavaScript looks alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np

from boardwright.compile.kernel import kernel
from boardwright.compile.rule_kernels import draw_outcome, look, mirror_state, play_move, start_state, weigh_moves
from boardwright.compile.wasm.numba_target import arrays_of
from boardwright.contract.game import Game
from boardwright.search.exact.transposition import state_key
from boardwright.search.gumbel import draw_gumbels
from boardwright.search.search import choose_child, wins_by_force
from boardwright.search.settings import Plan
from boardwright.search.simulate import simulate
from boardwright.search.tree import VISIT_CLASSES, copy_below, prune_to_half, slot_dtype, stats_dtype
from boardwright.search.work import DEEPEST, Work

STATES = 4  # records that a search works with: see work.py
ADDRESSES = (
    "states", "rng", "luck", "choices", "weights", "value", "total", "path", "gumbel", "order", "met", "salt",
    "scores", "results", "slots", "stats", "target", "target_stats", "queue", "learned",
)  # fmt: skip
COUNTS = ("slot_count", "target_count", "gumbel_count", "order_count", "met_count", "learned_count")
ARGUMENTS = ("number", "count")  # of a call: a move, how many simulations, how many moves
PLAN_FLOATS = frozenset(name for name, kind in get_type_hints(Plan).items() if kind is float)


def desk_dtype() -> np.dtype[np.void]:
    """The record through which the page speaks to a module; every field has eight bytes."""
    plan = [(f"plan_{name}", "f8" if name in PLAN_FLOATS else "i8") for name in Plan._fields]
    return np.dtype([*((name, "i8") for name in (*ADDRESSES, *COUNTS, *ARGUMENTS)), *plan])


@kernel
def plan_of(desk: Any) -> Any:
    """The settings of the search that the page has laid out."""
    return Plan(
        desk.plan_select, desk.plan_gumbel, desk.plan_c, desk.plan_trust, desk.plan_prior, desk.plan_rollout,
        desk.plan_mix, desk.plan_rollouts, desk.plan_depth, desk.plan_grow, desk.plan_expand, desk.plan_widen,
        desk.plan_common, desk.plan_proofs, desk.plan_opponent, desk.plan_forcing, desk.plan_candidates,
        desk.plan_threats, desk.plan_batched, desk.plan_best, desk.plan_low, desk.plan_points,
    )  # fmt: skip


def make_entries(game: Game) -> dict[str, Callable[..., Any]]:
    """The entries of one game, by name."""
    words = game.state_dtype.itemsize // 8
    size = max(game.actions, game.outcomes, 1)
    choice_count, players = max(size, 2 * game.actions), game.players
    desk_at, states_at = arrays_of(desk_dtype()), arrays_of(game.state_dtype)
    slots_at, stats_at = arrays_of(slot_dtype(players)), arrays_of(stats_dtype(players))
    f8_at, f4_at = arrays_of(np.dtype("f8")), arrays_of(np.dtype("f4"))
    u8_at, i8_at, i4_at = arrays_of(np.dtype("u8")), arrays_of(np.dtype("i8")), arrays_of(np.dtype("i4"))
    words_at = arrays_of(np.dtype("u8"), 2)

    def start(game: Any, evaluator: Any, desks: Any) -> None:
        start_state(game, states_at(desk_at(desks, 1)[0].states, STATES))

    def see(game: Any, evaluator: Any, desks: Any) -> Any:
        """Who acts; how many choices there are goes into the desk's `count`."""
        desk = desk_at(desks, 1)[0]
        actor, count = look(
            game,
            states_at(desk.states, STATES),
            i4_at(desk.choices, choice_count),
            f8_at(desk.weights, size),
            f8_at(desk.scores, players),
            f8_at(desk.results, players),
        )
        desk.count = count
        return np.int64(actor)

    def play(game: Any, evaluator: Any, desks: Any) -> None:
        desk = desk_at(desks, 1)[0]
        play_move(game, states_at(desk.states, STATES), desk.number)

    def image(game: Any, evaluator: Any, desks: Any) -> Any:
        """The key of image `number` of the state, 0 being itself: what is alike has the same. State 1, zeros before,
        is room for the image."""
        desk = desk_at(desks, 1)[0]
        states, all_words = states_at(desk.states, STATES), words_at(desk.states, STATES, words)
        if desk.number == 0:
            return np.int64(state_key(game, states, all_words, 0))
        mirror_state(game, states, desk.number)
        return np.int64(state_key(game, states, all_words, 1))

    def draw(game: Any, evaluator: Any, desks: Any) -> None:
        desk = desk_at(desks, 1)[0]
        draw_outcome(game, states_at(desk.states, STATES), desk.number)

    def weigh(game: Any, evaluator: Any, desks: Any) -> None:
        """How much policy `number` likes the desk's `count` first choices, into its weights."""
        desk = desk_at(desks, 1)[0]
        weigh_moves(
            game,
            desk.number,
            states_at(desk.states, STATES),
            i4_at(desk.choices, desk.count),
            f8_at(desk.weights, size),
        )

    def grow(game: Any, evaluator: Any, desks: Any) -> Any:
        """Up to `number` simulations; how many were done."""
        desk = desk_at(desks, 1)[0]
        work = Work(
            states_at(desk.states, STATES),
            u8_at(desk.rng, 1),
            u8_at(desk.luck, 1),
            i4_at(desk.choices, choice_count),
            f8_at(desk.weights, size),
            f8_at(desk.value, players),
            f8_at(desk.total, players),
            i4_at(desk.path, DEEPEST),
            f8_at(desk.gumbel, desk.gumbel_count),
            i4_at(desk.order, desk.order_count),
            words_at(desk.states, STATES, words),
            i8_at(desk.met, desk.met_count),
            i8_at(desk.salt, 1),
        )
        plan = plan_of(desk)
        return np.int64(
            simulate(
                game,
                evaluator,
                f4_at(desk.learned, desk.learned_count),
                slots_at(desk.slots, desk.slot_count),
                stats_at(desk.stats, 1),
                plan,
                work,
                desk.number,
            )
        )

    def choose(game: Any, evaluator: Any, desks: Any) -> Any:
        """The slot of the root's child to play."""
        desk = desk_at(desks, 1)[0]
        plan = plan_of(desk)
        slots, stats = slots_at(desk.slots, desk.slot_count), stats_at(desk.stats, 1)
        return np.int64(choose_child(slots, stats, plan, f8_at(desk.gumbel, desk.gumbel_count)))

    def noise(game: Any, evaluator: Any, desks: Any) -> None:
        """Gumbel's likings of the root's children, of which it considers `number`."""
        desk = desk_at(desks, 1)[0]
        slots = slots_at(desk.slots, desk.slot_count)
        draw_gumbels(slots, u8_at(desk.rng, 1), desk.number, False, f8_at(desk.gumbel, desk.gumbel_count))

    def keep(game: Any, evaluator: Any, desks: Any) -> None:
        """The tree below slot `number` into the empty one at `target`."""
        desk = desk_at(desks, 1)[0]
        copy_below(
            slots_at(desk.slots, desk.slot_count),
            desk.number,
            slots_at(desk.target, desk.target_count),
            stats_at(desk.target_stats, 1),
            i4_at(desk.queue, desk.slot_count),
        )

    def shrink(game: Any, evaluator: Any, desks: Any) -> Any:
        """Drop what was rarely visited, until half of the tree is free; 0 if that frees too little. `target` is room
        for the counts, `queue` for the places, both zeros."""
        desk = desk_at(desks, 1)[0]
        return np.int64(
            prune_to_half(
                slots_at(desk.slots, desk.slot_count),
                stats_at(desk.stats, 1),
                i8_at(desk.target, VISIT_CLASSES),
                i4_at(desk.queue, desk.slot_count),
            )
        )

    def forced(game: Any, evaluator: Any, desks: Any) -> Any:
        """Whether the player to act wins by force, as far as the game sees after `number` tries."""
        desk = desk_at(desks, 1)[0]
        states, choices = states_at(desk.states, STATES), i4_at(desk.choices, choice_count)
        return np.int64(wins_by_force(game, states, choices, desk.number))

    made: dict[str, Callable[..., Any]] = {
        "start": start, "see": see, "play": play, "image": image, "grow": grow, "choose": choose, "noise": noise,
        "keep": keep, "shrink": shrink,
    }  # fmt: skip
    if game.outcomes:
        made["draw"] = draw
    if game.policies:
        made["weigh"] = weigh
    if game.sees_threats:
        made["forced"] = forced
    return made
