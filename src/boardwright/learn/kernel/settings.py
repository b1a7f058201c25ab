"""The settings of learning inside the kernel: one dataclass, and presets."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import ClassVar

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.kernel.greedy import Terms
from boardwright.learn.kernel.searching import SearchTerms

WAYS = ("greedy", "search")
MOST_DOUBLINGS = 30
MOST_THREADS = 64
MOST_MOVES = 4096  # of a game whose policy is learnt; of more, each is met too seldom


@dataclass(frozen=True)
class KernelSettings:
    """How a value, and a policy, is learnt inside the kernel."""

    way: str = "auto"  # how games are made: greedy (best turn), search (a tree a move), auto: a trial decides
    trial: int = 3_000_000  # positions that each way may value in the trial
    games: int = 400  # a round
    minutes: float = 0.0  # train for so long in all (0: until `rounds`)
    rounds: int = 0  # of play and fitting, the first by the game's first policy or at random (0: until `minutes`)
    batch: int = 32  # states a step of Adam
    rate: float = 0.002  # of Adam at first; it falls with the root of the rounds
    slowing: float = 50.0  # rounds after which it has fallen to 0.7
    passes: int = 0  # over the states of a round; 0: 2 of games by search, 1 of greedy ones
    learn: float = 0.0  # share of the states of a round that is learnt from; 0: all by search, 0.3 of greedy games
    trust: float = -1.0  # lambda of TD(lambda), a draw: 1 outcome, 0 next value; -1: 1 without chance, else 0.9
    policy_weight: float = -1.0  # of the policy's loss beside the value's; 0: none; -1: 1 by search, 0.1 if greedy
    decisions: bool = True  # whether the state before a turn teaches too, beside the end of it
    average: float = 0.05  # share of a round in the averaged weights, which are played with
    opening: int = -1  # up to so many random moves at the start of a game; -1: 8 without chance, none with it
    explore: float = -1.0  # greedy: share of turns that begin at random; -1: 0.05 without chance, none with it
    consider: int = 0  # greedy: moves valued, those that the first policy likes best, first 2, 4, 8...; 0: all
    deep: int = 48  # simulations of a search that is learnt from
    shallow: int = 12  # of one that only chooses a move
    deep_share: float = 0.33  # of searches that are learnt from
    considered: int = 16  # moves that the root of a search considers
    sharpness: float = 0.25  # how much values outweigh the policy in a search (c_scale of Gumbel MuZero)
    noise: float = 0.25  # share of searches whose move is drawn by chance (Gumbel noise), not the best
    first: int = 128  # units of the first hidden layer
    second: int = 32  # units of the second hidden layer
    longest: int = 500  # turns after which a game is cut
    threads: int = 0  # that play games, 0: one a core; changes nothing but the time
    checkpoint_minutes: float = 0.33  # between checkpoints, about; 0: one a round

    MAY_CHANGE: ClassVar[tuple[str, ...]] = ("threads", "minutes", "rounds", "checkpoint_minutes")

    def __post_init__(self) -> None:
        _need(self.way in ("auto", *WAYS), f"way={self.way} does not exist; there are auto, {', '.join(WAYS)}")
        mosts = {"first": 4096, "second": 4096, "deep": 10**5, "shallow": 10**5, "considered": 10**4}
        for name in (
            "trial", "games", "batch", "deep", "shallow", "considered", "first", "second", "longest",
        ):  # fmt: skip
            most = mosts.get(name, 10**8)
            _need(1 <= getattr(self, name) <= most, f"{name}={getattr(self, name)} must be 1 to {most}")
        _need(0 <= self.threads <= MOST_THREADS, f"threads={self.threads} must be 0 to {MOST_THREADS}")
        _need(0 <= self.rounds <= 10**8, f"rounds={self.rounds} must be 0 to 100000000")
        _need(0.0 <= self.minutes <= 1e6, f"minutes={self.minutes} must be 0 to 1000000")
        minutes = self.checkpoint_minutes
        _need(0.0 <= minutes <= 1e6, f"checkpoint_minutes={minutes} must be 0 to 1000000")
        _need(0 <= self.consider <= 10**8, f"consider={self.consider} must be 0 to 100000000")
        _need(-1 <= self.opening <= 10**4, f"opening={self.opening} must be -1 to 10000")
        _need(0.0 <= self.noise <= 1.0, f"noise={self.noise} must be 0 to 1")
        _need(0 <= self.passes <= 1000, f"passes={self.passes} must be 0 to 1000")
        _need(0.0 <= self.learn <= 1.0, f"learn={self.learn} must be 0 to 1")
        right = self.policy_weight == -1.0 or 0.0 <= self.policy_weight <= 100.0
        _need(right, f"policy_weight={self.policy_weight} must be 0 to 100, or -1")
        _need(0.0 <= self.sharpness <= 100.0, f"sharpness={self.sharpness} must be 0 to 100")
        for name in ("explore", "trust"):
            value = getattr(self, name)
            _need(value == -1.0 or 0.0 <= value <= 1.0, f"{name}={value} must be 0 to 1, or -1")
        for name in ("rate", "average", "deep_share"):
            _need(0.0 < getattr(self, name) <= 1.0, f"{name}={getattr(self, name)} must be above 0, at most 1")
        _need(self.slowing > 0.0, f"slowing={self.slowing} must be above 0")

    @property
    def threads_here(self) -> int:
        """How many threads play on this machine."""
        return self.threads or min(os.cpu_count() or 1, MOST_THREADS)

    @classmethod
    def presets(cls, game: Game) -> dict[str, dict[str, object]]:
        if is_solitaire(game):
            return {
                "quick": {"rounds": 160, **SOLITAIRE},
                "lunch": {"rounds": 960, **SOLITAIRE, "consider": 24},
                "night": {"rounds": 6400, **SOLITAIRE, "consider": 32},
            }
        return {"quick": {"minutes": 5.0}, "lunch": {"minutes": 60.0}, "night": {"minutes": 480.0, "first": 256}}

    def opening_of(self, game: Game) -> int:
        """Random moves at the start of a game, at most."""
        return self.opening if self.opening >= 0 else 0 if game.outcomes else 8

    def trust_of(self, game: Game) -> float:
        """Lambda. Where dice are thrown an outcome is mostly luck, and the value after the throw says more."""
        return self.trust if self.trust >= 0.0 else 0.9 if game.outcomes else 1.0

    def for_way(self, way: str) -> KernelSettings:
        """With what depends on the way of making games decided. Games by search cost more, and each state of them is
        worth more: all are learnt from, twice. Of a greedy game three states in ten say as much as all, and what its
        policy says, the best move by the value itself, shall not outweigh the value."""
        search = way == "search"
        return replace(
            self,
            passes=self.passes or (2 if search else 1),
            learn=self.learn or (1.0 if search else 0.3),
            policy_weight=self.policy_weight if self.policy_weight >= 0.0 else 1.0 if search else 0.1,
        )

    def considered_in(self, number: int) -> int:
        """How many moves are valued in a round; 0: all. A value that has seen only the policy's games is wrong about
        all others, and would lead straight into them: it may choose among 2 moves, then 4, 8..."""
        return min(self.consider, 1 << min(number, MOST_DOUBLINGS))

    def fits_first(self, number: int) -> bool:
        """Whether a round is fitted before the next is played, not meanwhile: the first one, since what knows nothing
        shall not play, and twice as many as the circle of moves takes to widen, since each shows the value what it is
        wrong about."""
        doublings = (self.consider - 1).bit_length() if self.consider else 0
        return number < max(2 * doublings, 1)

    def greedy_terms(self, game: Game, number: int, has_policy: bool) -> Terms:
        """How the games of a round are made; those of round 0 by the policy alone, or at random."""
        explore = self.explore if self.explore >= 0.0 else 0.0 if game.outcomes else 0.05
        policy = int(bool(game.policies))
        consider = self.considered_in(number)
        return Terms(self.longest, self.opening_of(game), explore, int(number == 0), policy, int(has_policy), consider)

    def search_terms(self, game: Game, has_policy: bool) -> SearchTerms:
        opening = self.opening_of(game)
        return SearchTerms(
            self.longest, opening, self.shallow, self.deep, self.deep_share, self.considered, self.sharpness,
            int(has_policy), self.noise,
        )  # fmt: skip


# For one who plays alone, counts points against chance and has a policy. The deck explores, and the policy says what is
# worth a look among a hundred moves and more: see docs/methods/afterstate-values.md, with what this gained.
SOLITAIRE: dict[str, object] = {
    "way": "greedy", "games": 1000, "consider": 16, "decisions": False, "learn": 1.0, "passes": 2, "batch": 256,
    "rate": 0.001, "slowing": 16.0, "trust": 0.5, "average": 0.5, "first": 64, "longest": 1000,
}  # fmt: skip


def is_solitaire(game: Game) -> bool:
    """Whether one plays alone for points against chance, with a policy of the game's own to begin with."""
    return game.players == 1 and game.counts_points and game.outcomes > 0 and bool(game.policies)


def _need(right: bool, message: str) -> None:
    if not right:
        raise InputError(f"method kernel: {message}")
