"""The functions of a published game that the page calls.

Each takes the game, the evaluator and the address of an argument block: one record with the addresses and sizes of all
that the page has laid out in the module's memory, and the settings of the search. So every call from JavaScript looks
alike.
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


def args_dtype() -> np.dtype[np.void]:
    """The record through which the page speaks to a module; every field has eight bytes."""
    plan = [(f"plan_{name}", "f8" if name in PLAN_FLOATS else "i8") for name in Plan._fields]
    return np.dtype([*((name, "i8") for name in (*ADDRESSES, *COUNTS, *ARGUMENTS)), *plan])


@kernel
def plan_of(args: Any) -> Any:
    """The settings of the search that the page has laid out."""
    return Plan(
        args.plan_select, args.plan_gumbel, args.plan_c, args.plan_trust, args.plan_prior, args.plan_rollout,
        args.plan_mix, args.plan_rollouts, args.plan_depth, args.plan_grow, args.plan_expand, args.plan_widen,
        args.plan_common, args.plan_proofs, args.plan_opponent, args.plan_forcing, args.plan_candidates,
        args.plan_threats, args.plan_batched, args.plan_best, args.plan_low, args.plan_points,
    )  # fmt: skip


def make_entries(game: Game) -> dict[str, Callable[..., Any]]:
    """The entries of one game, by name."""
    words = game.state_dtype.itemsize // 8
    size = max(game.actions, game.outcomes, 1)
    choice_count, players = max(size, 2 * game.actions), game.players
    args_at, states_at = arrays_of(args_dtype()), arrays_of(game.state_dtype)
    slots_at, stats_at = arrays_of(slot_dtype(players)), arrays_of(stats_dtype(players))
    f8_at, f4_at = arrays_of(np.dtype("f8")), arrays_of(np.dtype("f4"))
    u8_at, i8_at, i4_at = arrays_of(np.dtype("u8")), arrays_of(np.dtype("i8")), arrays_of(np.dtype("i4"))
    words_at = arrays_of(np.dtype("u8"), 2)

    def start(game: Any, evaluator: Any, args_address: Any) -> None:
        start_state(game, states_at(args_at(args_address, 1)[0].states, STATES))

    def see(game: Any, evaluator: Any, args_address: Any) -> Any:
        """Who acts; how many choices there are goes into the argument block's `count`."""
        args = args_at(args_address, 1)[0]
        actor, count = look(
            game,
            states_at(args.states, STATES),
            i4_at(args.choices, choice_count),
            f8_at(args.weights, size),
            f8_at(args.scores, players),
            f8_at(args.results, players),
        )
        args.count = count
        return np.int64(actor)

    def play(game: Any, evaluator: Any, args_address: Any) -> None:
        args = args_at(args_address, 1)[0]
        play_move(game, states_at(args.states, STATES), args.number)

    def image(game: Any, evaluator: Any, args_address: Any) -> Any:
        """The key of image `number` of the state, 0 being itself: what is alike has the same. State 1, zeros before,
        is room for the image."""
        args = args_at(args_address, 1)[0]
        states, all_words = states_at(args.states, STATES), words_at(args.states, STATES, words)
        if args.number == 0:
            return np.int64(state_key(game, states, all_words, 0))
        mirror_state(game, states, args.number)
        return np.int64(state_key(game, states, all_words, 1))

    def draw(game: Any, evaluator: Any, args_address: Any) -> None:
        args = args_at(args_address, 1)[0]
        draw_outcome(game, states_at(args.states, STATES), args.number)

    def weigh(game: Any, evaluator: Any, args_address: Any) -> None:
        """How much policy `number` likes the argument block's `count` first choices, into its weights."""
        args = args_at(args_address, 1)[0]
        weigh_moves(
            game,
            args.number,
            states_at(args.states, STATES),
            i4_at(args.choices, args.count),
            f8_at(args.weights, size),
        )

    def grow(game: Any, evaluator: Any, args_address: Any) -> Any:
        """Up to `number` simulations; how many were done."""
        args = args_at(args_address, 1)[0]
        work = Work(
            states_at(args.states, STATES),
            u8_at(args.rng, 1),
            u8_at(args.luck, 1),
            i4_at(args.choices, choice_count),
            f8_at(args.weights, size),
            f8_at(args.value, players),
            f8_at(args.total, players),
            i4_at(args.path, DEEPEST),
            f8_at(args.gumbel, args.gumbel_count),
            i4_at(args.order, args.order_count),
            words_at(args.states, STATES, words),
            i8_at(args.met, args.met_count),
            i8_at(args.salt, 1),
        )
        plan = plan_of(args)
        return np.int64(
            simulate(
                game,
                evaluator,
                f4_at(args.learned, args.learned_count),
                slots_at(args.slots, args.slot_count),
                stats_at(args.stats, 1),
                plan,
                work,
                args.number,
            )
        )

    def choose(game: Any, evaluator: Any, args_address: Any) -> Any:
        """The slot of the root's child to play."""
        args = args_at(args_address, 1)[0]
        plan = plan_of(args)
        slots, stats = slots_at(args.slots, args.slot_count), stats_at(args.stats, 1)
        return np.int64(choose_child(slots, stats, plan, f8_at(args.gumbel, args.gumbel_count)))

    def noise(game: Any, evaluator: Any, args_address: Any) -> None:
        """Gumbel's likings of the root's children, of which it considers `number`."""
        args = args_at(args_address, 1)[0]
        slots = slots_at(args.slots, args.slot_count)
        draw_gumbels(slots, u8_at(args.rng, 1), args.number, False, f8_at(args.gumbel, args.gumbel_count))

    def keep(game: Any, evaluator: Any, args_address: Any) -> None:
        """The tree below slot `number` into the empty one at `target`."""
        args = args_at(args_address, 1)[0]
        copy_below(
            slots_at(args.slots, args.slot_count),
            args.number,
            slots_at(args.target, args.target_count),
            stats_at(args.target_stats, 1),
            i4_at(args.queue, args.slot_count),
        )

    def shrink(game: Any, evaluator: Any, args_address: Any) -> Any:
        """Drop what was rarely visited, until half of the tree is free; 0 if that frees too little. `target` is room
        for the counts, `queue` for the places, both zeros."""
        args = args_at(args_address, 1)[0]
        return np.int64(
            prune_to_half(
                slots_at(args.slots, args.slot_count),
                stats_at(args.stats, 1),
                i8_at(args.target, VISIT_CLASSES),
                i4_at(args.queue, args.slot_count),
            )
        )

    def forced(game: Any, evaluator: Any, args_address: Any) -> Any:
        """Whether the player to act wins by force, as far as the game sees after `number` tries."""
        args = args_at(args_address, 1)[0]
        states, choices = states_at(args.states, STATES), i4_at(args.choices, choice_count)
        return np.int64(wins_by_force(game, states, choices, args.number))

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
