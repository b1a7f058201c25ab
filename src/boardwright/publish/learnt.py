"""Players that have learnt something, for the browser: which kernels each calls, with which settings and numbers.

What a player's `choose` does with its kernels, web/learnt.js does with the entries made of these calls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.learn.kernel.lookahead import answered, draw_room
from boardwright.learn.kernel.player import ValuePlayer
from boardwright.learn.kernel.turns import best_turn, turn_room
from boardwright.learn.tuples import board_player
from boardwright.learn.tuples.board_kit import board_kit
from boardwright.learn.tuples.board_player import MOST_PLIES, BoardPlayer
from boardwright.learn.tuples.player import GridPlayer
from boardwright.learn.tuples.tables import TupleTables
from boardwright.learn.values.choosing import new_choosing
from boardwright.learn.values.lookahead import new_draws
from boardwright.learn.values.player import MOST_SWEEPS, ValuesPlayer, answer_all, value_all
from boardwright.learn.values.rollouts import Rollouts, roll_out
from boardwright.players.player import Player
from boardwright.publish.calls import Call
from boardwright.publish.program import Part
from boardwright.search.exact import expectimax
from boardwright.search.exact.expectimax import PROGRESS, Horizon, look_ahead, new_stack
from boardwright.search.exact.transposition import new_table

NO_NUMBERS = np.zeros(1, np.float32)  # in the place of what was learnt: the page lays that out itself


class Learnt(NamedTuple):
    """How the page plays a player: what is compiled for it, what it has learnt, and settings for web/learnt.js."""

    part: Part
    learned: npt.NDArray[np.float32]
    settings: dict[str, Any]


def learnt_of(player: Player) -> Learnt | None:
    """How the page plays a player by the kernels of its own; None if it cannot, or by the search."""
    sizes: dict[str, Any]
    told: dict[str, Any]
    if isinstance(player, ValuesPlayer):
        own = player.settings
        sizes = {"closely": own.closely, "consider": own.consider, "depth": own.depth}
        told = {
            **sizes, "plies": own.plies, "finalists": own.finalists, "seconds": own.seconds,
            "simulations": own.simulations, "weight": own.weight, "seed": own.seed, "most_slice": MOST_SWEEPS,
        }  # fmt: skip
        return Learnt(Part("values", player.network, sizes), player.learned, told)
    if isinstance(player, ValuePlayer):
        sizes = {"closely": player.settings.closely, "consider": player.settings.answers(player.game)}
        told = {"plies": player.settings.plies}
        return Learnt(Part("turns", player.network, sizes), player.learned, told)
    if isinstance(player, GridPlayer):
        ahead = player.expectimax
        sizes = {"megabytes": ahead.settings.megabytes, "settle": ahead.settings.settle}
        told = {
            "depth": ahead.settings.depth, "nodes": ahead.settings.nodes,
            "first_slice": expectimax.FIRST_SLICE, "most_slice": expectimax.SLICE_NODES,
        }  # fmt: skip
        return Learnt(Part("grid", ahead.evaluator, sizes), ahead.evaluator.learned, told)
    if isinstance(player, BoardPlayer) and isinstance(player.evaluator, TupleTables):
        told = {
            "plies": player.plies, "seconds": player.settings.seconds,
            "first_slice": board_player.FIRST_SLICE, "most_slice": board_player.SLICE,
        }  # fmt: skip
        sizes = {"megabytes": player.settings.megabytes, "smallest": player.smallest}
        return Learnt(Part("boards", player.evaluator, sizes), player.learned, told)
    return None


def calls_of(game: Game, part: Part) -> dict[str, Call]:
    """The kernels of a way to play, with their arguments as the native player has them."""
    known = {"values": _values, "turns": _turns, "grid": _grid, "boards": _boards}
    return known[part.way](game, part)


def _values(game: Game, part: Part) -> dict[str, Call]:
    """See ValuesPlayer."""
    sizes, rules = part.settings, {"game": game, "network": part.evaluator, "learned": NO_NUMBERS}
    consider, most = sizes["consider"], min(sizes["closely"], max(game.actions, 1))
    choosing = new_choosing(game, 1 if game.policies and consider else 0, consider)
    states, roots, closer = np.zeros(1, game.state_dtype), np.zeros(most, game.state_dtype), np.zeros(most)
    rollouts = Rollouts(roots, np.zeros(most), states, np.zeros(1, np.uint64), np.zeros(1, np.uint64), sizes["depth"])
    alive = np.zeros(most, np.int64)
    answer = {**rules, "roots": roots, "draws": new_draws(game), "choosing": choosing, "closer": closer}
    roll = {**rules, "choosing": choosing, "rollouts": rollouts, "alive": alive, "sweeps": 0}
    return {
        "value": Call(value_all, {**rules, "states": states, "choosing": choosing}, returns=True),
        "answer": Call(answer_all, answer),
        "roll": Call(roll_out, roll),
    }


def _turns(game: Game, part: Part) -> dict[str, Call]:
    """See ValuePlayer."""
    rules = {"game": game, "network": part.evaluator, "learned": NO_NUMBERS}
    states, room = turn_room(game, part.settings["closely"])
    inner_states, inner = turn_room(game, policy=int(bool(game.policies)), consider=part.settings["consider"])
    drawn, draws = draw_room(game)
    answer = {**rules, "drawn": drawn, "draws": draws, "inner_states": inner_states, "inner": inner}
    return {"turn": Call(best_turn, {**rules, "states": states, "room": room}), "answer": Call(answered, answer)}


def _grid(game: Game, part: Part) -> dict[str, Call]:
    """See GridPlayer and Expectimax."""
    table = new_table([("depth", "i8"), ("value", "f8", (game.players,))], part.settings["megabytes"])
    most = float("inf") if game.counts_points else 1.0
    arguments = {
        "game": game, "evaluator": part.evaluator, "learned": NO_NUMBERS, "table": table, "stack": new_stack(game),
        "progress": np.zeros(1, PROGRESS), "horizon": Horizon(int(part.settings["settle"]), -most, most), "nodes": 0,
    }  # fmt: skip
    return {"look": Call(look_ahead, arguments, returns=True)}


def _boards(game: Game, part: Part) -> dict[str, Call]:
    """See BoardPlayer."""
    kit = board_kit(game)
    rows = kit.row_tables()
    slides = {
        "tiles": np.zeros(16, np.int64), "rows": rows, "smallest": part.settings["smallest"],
        "afters": np.zeros(4, np.uint64), "points": np.zeros(4, np.int64),
    }  # fmt: skip
    look = {
        "tables": part.evaluator, "learned": NO_NUMBERS, "rows": rows,
        "lookahead": kit.new_lookahead(part.settings["megabytes"], MOST_PLIES), "four": kit.odds(game), "nodes": 0,
    }  # fmt: skip
    return {"slides": Call(kit.seen_slides, slides, returns=True), "look": Call(kit.expect, look, returns=True)}
