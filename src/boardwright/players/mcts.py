"""`mcts`: the player that chooses by tree search."""

from __future__ import annotations

from dataclasses import replace

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.search import make_search, search
from boardwright.search.settings import SearchSettings, advised


class SearchPlayer(Player):
    """Chooses by tree search."""

    def __init__(self, game: Game, spec: str, settings: SearchSettings) -> None:
        settings = advised(game, settings)
        self.game, self.spec, self.settings = game, spec, settings
        share = -(-settings.simulations // settings.threads)
        self.searches = [
            make_search(
                game,
                replace(
                    settings,
                    simulations=share,
                    megabytes=max(settings.megabytes / settings.threads, 1.0),
                    seed=settings.seed * 1000 + number,
                ),
            )
            for number in range(settings.threads)
        ]

    def forget(self) -> None:
        for one in self.searches:
            one.forget()

    def choose(self, position: Position) -> Choice:
        self.needs_to_move(position)
        return search(position, self.searches)
