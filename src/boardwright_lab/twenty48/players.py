"""The methods of the report on 2048 as players: settings of the one search engine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players.control import Control
from boardwright.players.mcts import SearchPlayer
from boardwright.search.choice import Choice
from boardwright.search.settings import SearchSettings


@dataclass(frozen=True)
class MasbSettings:
    """MASb of the report on 2048: no tree; each move is valued by the mean of playouts cut at a depth."""

    rollouts: int = 300  # playouts a move
    depth: int = 7  # moves a playout
    rollout: str = "uniform"  # who plays them: uniform or one of the game's policies
    seed: int = 0  # one seed, one result


class MasbPlayer(SearchPlayer):
    """`even` selection over the root's moves, a tree that does not grow below them."""

    def __init__(self, game: Game, spec: str, settings: MasbSettings) -> None:
        if settings.rollouts < 1:
            raise InputError(f"masb: rollouts={settings.rollouts} must be 1 or more")
        self._each = settings.rollouts
        super().__init__(
            game,
            spec,
            SearchSettings(
                simulations=1,
                select="even",
                rollout=settings.rollout,
                depth=settings.depth,
                grow=1,
                proofs=False,
                reuse=False,
                seed=settings.seed,
            ),
        )

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        one = self.searches[0]
        one.settings = replace(one.settings, simulations=self._each * len(position.moves))
        return super().choose(position, control)


@dataclass(frozen=True)
class HybridSettings:
    """The hybrid of the report on 2048: a few steps of tree search, many playouts cut at a depth at each leaf."""

    simulations: int = 100  # steps of the tree
    rollouts: int = 20  # playouts a leaf
    depth: int = 10  # moves a playout
    c: float = 1.0  # weight of exploration
    rollout: str = "uniform"  # who plays the playouts
    seed: int = 0  # one seed, one result


def hybrid_player(game: Game, spec: str, settings: HybridSettings) -> SearchPlayer:
    """The hybrid as settings of the one engine."""
    return SearchPlayer(
        game,
        spec,
        SearchSettings(
            simulations=settings.simulations,
            rollouts=settings.rollouts,
            depth=settings.depth,
            c=settings.c,
            select="ucb1",
            rollout=settings.rollout,
            seed=settings.seed,
        ),
    )
