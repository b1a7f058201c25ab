"""`mcts:table=...`: tree search with n-tuple tables at its leaves instead of playouts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.tuples.board_kit import served
from boardwright.learn.tuples.store import load_tables
from boardwright.players.mcts import SearchPlayer
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings


@dataclass(frozen=True)
class TableSettings(SearchSettings):
    """SearchSettings, and the table that values leaves."""

    table: str = "auto"  # a model file, a run's folder, or the name of a table that comes with Boardwright
    select: str = "gumbel"  # how a child is chosen: gumbel (by value at the root), ucb1, puct, even
    prior: str = "uniform"  # what is liked before search: uniform, or one of the game's policies
    rollout: str = "none"  # leaves are valued as they are; a policy's name plays on first, to `depth`


class TablePlayer(SearchPlayer):
    """Tree search whose leaves are valued by tables."""

    def __init__(self, game: Game, spec: str, settings: TableSettings) -> None:
        tables, learned = load_tables(settings.table, game)
        if game.outcomes and not tables.on_bitboards:
            # The tree asks for values where a player is to move; these tables know afterstates only.
            raise InputError(
                f"{game.name}: mcts:table= is for {served()} and for games without chance; use tuples:plies="
            )
        tables.__dict__["learned"] = learned
        super().__init__(game, spec, settings)
        self.searches = [Search(game, replace(one.settings), tables) for one in self.searches]
