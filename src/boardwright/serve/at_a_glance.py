"""Moves at a glance, by a moment's search in the interpreter, of a player whose game is still being compiled."""

from __future__ import annotations

import time
from typing import Any

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import PlayerSpec
from boardwright.players.slips import KIND as SLIPS
from boardwright.players.slips import SlipSettings
from boardwright.search.common_choice import choice_of
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings, advised
from boardwright.serve.seats import run_of

GLANCE_SECONDS = 1.5  # of a search in the interpreter, while kernels are being compiled
GLANCE_DEPTH = 4  # of its playouts: whole ones take the interpreter too long
NOTE = "at a glance, as the game is being prepared"


def glanced(spec: str) -> int:
    """The simulations of a player that may answer at a glance, slips or not, whatever else it knows: a tree search that
    counts them. 0 for others: one that thinks by the clock would be another player."""
    parsed = _under(spec)
    if parsed is None or parsed.kind != "mcts" or "seconds" in parsed.settings:
        return 0
    return int(parsed.settings.get("simulations", 0))


def by_rule(spec: str, game: Game) -> bool:
    """Whether a player only asks the game for its policy, slips or not: it moves at once without a kernel."""
    parsed = _under(spec)
    return parsed is not None and (parsed.kind == "random" or parsed.kind.replace("-", "_") in game.policies)


def _under(spec: str) -> PlayerSpec | None:
    """Who plays where nobody slips; None of a training, `run:NAME`, which is no spec."""
    if run_of(spec) is not None:
        return None
    parsed = PlayerSpec.parse(spec)
    return PlayerSpec.parse(parsed.settings.get("of", SlipSettings.of)) if parsed.kind == SLIPS else parsed


def glance(position: Position, spec: str, seed: int = 0) -> tuple[str, dict[str, Any]]:
    """The move of such a player without a kernel: a search in the interpreter, for a moment, or a slip."""
    parsed = PlayerSpec.parse(spec)
    slips = float(parsed.settings.get("epsilon", SlipSettings.epsilon)) if parsed.kind == SLIPS else 0.0
    luck = Random(seed)
    if luck.below(1_000_000) < slips * 1_000_000:
        return position.text(position.moves[luck.below(len(position.moves))]), {"seconds": 0.0, "note": NOTE}
    settings = SearchSettings(simulations=glanced(spec), seconds=GLANCE_SECONDS, depth=GLANCE_DEPTH, seed=seed)
    search = Search(position.game, advised(position.game, settings), interpreted=True)
    began = time.perf_counter()
    stop = search.grow(position)
    choice = choice_of(position, [search], [stop], time.perf_counter() - began)
    return position.text(choice.move), {"seconds": round(choice.seconds, 3), "note": NOTE}
