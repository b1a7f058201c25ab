"""The settings of a training by self-play: one dataclass, and presets for a coffee, a lunch and a night."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.named import game_argument

MOST_ACTIONS = 4096  # the width of a policy that is still learnt as one softmax


@dataclass(frozen=True)
class SelfplaySettings:
    """How to learn by self-play. An iteration is: play so many games, train on what the window holds."""

    minutes: float = 5.0  # train for so long in all (0: until `iterations`)
    iterations: int = 0  # stop after so many iterations (0: until `minutes`)
    workers: int = 2  # processes that play, one a core; the trainer works beside them
    warm: int = 0  # games by the game's own first policy that a fresh network learns from before it plays itself
    games: int = 128  # games an iteration, all workers together
    parallel: int = 64  # games that one worker plays in lock-step
    simulations: int = 32  # of the search, where its answer is learnt from
    considered: int = 16  # moves that the root considers (Gumbel, sequential halving)
    fast_simulations: int = 8  # of the other searches, which only choose a move (playout-cap randomisation)
    full_share: float = 0.4  # share of moves with the full search; 1: all (playout cap off)
    openings: int = 4  # each game begins with 0 to so many random moves; 0: off
    longest: int = 1000  # moves after which a game is stopped and counts as it stands
    forcing: bool = True  # leave out moves that the game knows to be pointless (no answer to a threat)
    trust: float = 0.25  # how much the search's values outweigh the network's policy in what is learnt and chosen
    search_share: float = 0.5  # of the value's target: the search's value against the game's result
    surprise: float = 0.5  # share of a position's weight that follows how much the search surprised; 0: all alike
    mirror: bool = True  # show each position in a random image of the game's symmetries
    channels: int = 32  # of a network for grids
    blocks: int = 4  # residual blocks of either network
    hidden: int = 256  # width of a network for games without a grid
    batch: int = 128  # positions a training step
    reuse: float = 4.0  # how often a position is trained on, about
    rate: float = 0.002  # the optimiser's learning rate at first; it falls with the root of the steps
    slowing: float = 5000.0  # steps after which it has fallen to 0.7
    decay: float = 0.0001  # weight decay
    average: float = 0.99  # weights that play are a moving average of those that learn: share kept a step; 0: off
    window: int = 200000  # positions kept, at most; fewer early on, so that the first poor games are soon forgotten
    megabytes: float = 500.0  # of positions kept on the disk, at most
    rate_every: float = 1.0  # minutes of training between ratings, at least (they take a tenth of the time at most)
    rate_games: int = 20  # games against each opponent of a rating
    rate_simulations: int = 32  # of the network's search in ratings

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("minutes", "iterations", "rate_every", "rate_games", "rate_simulations")

    def __post_init__(self) -> None:
        for name, least, most in (
            ("minutes", 0, 1e6), ("iterations", 0, 10**9), ("workers", 1, 256), ("warm", 0, 10**6), ("games", 1, 10**6),
            ("parallel", 1, 4096), ("simulations", 2, 10**5), ("considered", 1, 10**5),
            ("fast_simulations", 1, 10**5), ("full_share", 0.01, 1), ("openings", 0, 1000), ("longest", 1, 10**6),
            ("trust", 0, 100), ("search_share", 0, 1), ("surprise", 0, 1), ("channels", 1, 1024), ("blocks", 1, 100),
            ("hidden", 1, 8192), ("batch", 1, 65536), ("reuse", 0.01, 1000), ("rate", 1e-9, 1),
            ("slowing", 1, 1e12), ("decay", 0, 1), ("average", 0, 0.999999), ("window", 100, 10**9),
            ("megabytes", 1, 1e6), ("rate_every", 0, 1e6), ("rate_games", 2, 10**5), ("rate_simulations", 1, 10**5),
        ):  # fmt: skip
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"selfplay: {name}={value} must be {least:g} to {most:g}")
        if self.minutes == 0 and self.iterations == 0:
            raise InputError("selfplay: say minutes or iterations above 0, or it would never end")

    @classmethod
    def presets(cls, game: Game) -> dict[str, dict[str, object]]:
        """quick: a coffee; lunch: an hour; night: eight. Wider networks for longer runs."""
        grid = len(tuple(game.observe_shape)) == 3
        small = game.actions <= 16
        batch: dict[str, object] = {} if grid else {"batch": 256, "parallel": 128, "games": 256, "blocks": 2}
        if game.policies and not grid:
            batch |= {"warm": 3000, "reuse": 6.0, "average": 0.998}
        if small:
            batch |= {"simulations": 16, "blocks": 2, "rate_every": 0.5}
        deep: dict[str, object] = {"simulations": 64, "fast_simulations": 16}
        if game.outcomes:  # a value met once or twice says more of the dice than of the move
            batch |= deep
            deep = {"simulations": 128, "fast_simulations": 32}
        return {
            "quick": {"minutes": 5.0, **batch},
            "lunch": {"minutes": 60.0, **batch, "rate_every": 4.0, "rate_games": 40},
            "night": {
                "minutes": 480.0, **batch, "channels": 64, "blocks": 6, "hidden": 512, **deep,
                "window": 1000000, "megabytes": 4000.0, "rate_every": 20.0, "rate_games": 100,
            },
        }  # fmt: skip


def check_game_fits(game: Game, settings: SelfplaySettings) -> None:
    """Refuse what a softmax over all moves cannot learn, and a warm start by a policy that the game has not."""
    if settings.warm and not game.policies:
        raise InputError(f"selfplay: warm={settings.warm}, but {game.name} has no policy of its own; leave it out")
    if game.actions > MOST_ACTIONS:
        raise InputError(
            f"{game.name} has {game.actions} distinct moves: a policy over all of them would learn nothing (at most "
            f"{MOST_ACTIONS}); learn the value of positions instead: boardwright train {game_argument(game)} "
            "--method kernel"
        )
