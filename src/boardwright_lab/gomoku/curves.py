"""Trainings with their learning curves: at even steps of the logarithm of games, a short match against each rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from boardwright.games.in_a_row import LineGame
from boardwright_lab.gomoku.contest import Players, Score, by_rule, meet
from boardwright_lab.gomoku.games import PolicyMover, SearchMover
from boardwright_lab.gomoku.nets import Net, Weights
from boardwright_lab.gomoku.store import Trained, kept_or_trained
from boardwright_lab.gomoku.train import Episode, Nets, Training, train
from boardwright_lab.run import Run

RULES = ("random", "win-block")
DRAWN = "random, moves drawn"  # the learner draws its moves, as it does in training
COLUMNS = (
    "games", "seconds", "entropy", "value_loss", "gradient", "result",
    *(f"{rival} {part}" for rival in (*RULES, DRAWN) for part in ("share", "low", "high")),
)  # fmt: skip


@dataclass(frozen=True)
class Course:
    """A training that is worth a curve."""

    name: str  # of its file, too
    game: LineGame
    nets: Nets
    start: Nets
    training: Training
    points: int  # of the curve
    games: int  # a point and rule
    keep_at: int = 0  # an episode whose weights are kept as well

    def measured(self) -> set[int]:
        """The episodes after which the learner is measured: dense at the start, where most happens."""
        last = self.training.episodes
        return {max(1, round(number)) for number in np.geomspace(1, last, self.points)} | {last}


def by_policy(game: LineGame, net: Net, weights: Weights, *, sample: bool = False, turned: bool = False) -> Players:
    """The policy alone: its best move, by the mean over the board's images if `turned`, or moves drawn as likely as it
    likes them."""
    return lambda seed: PolicyMover(game, net, weights, np.random.default_rng(seed), sample=sample, turned=turned)


def by_search(game: LineGame, nets: Nets, weights: Nets, simulations: int, games: int) -> Players:
    """MCTS with both networks, in up to so many games at once."""
    return lambda seed: SearchMover(game, nets, weights, simulations, games, seed)


def follow(run: Run, course: Course) -> Trained:
    """Train, or find what an earlier run has trained with these settings."""
    settings = {
        "game": str(course.game), "nets": [repr(net) for net in course.nets], "training": asdict(course.training),
        "points": course.points, "games": course.games, "keep_at": course.keep_at, "seed": run.seed, "curve": COLUMNS,
    }  # fmt: skip
    return kept_or_trained(run.folder / f"{course.name}.safetensors", settings, lambda: _train(run, course))


def _train(run: Run, course: Course) -> Trained:
    rows: list[list[float]] = []
    earlier: list[Nets] = []
    due = course.measured()
    since: list[Episode] = []

    def after(episode: Episode, weights: Nets) -> None:
        run.tick(f"{course.name}: episode {episode.number} of {course.training.episodes}, {episode.seconds:.0f} s")
        since.append(episode)
        if episode.number == course.keep_at:
            earlier.append(weights)
        if episode.number in due:
            rows.append(_row(course, since, weights, run.seed))
            since.clear()

    weights = train(course.game, course.nets, course.start, course.training, run.seed, after)
    return Trained(weights, np.array(rows), earlier[0] if earlier else None)


def _row(course: Course, since: list[Episode], weights: Nets, seed: int) -> list[float]:
    """A point of the curve: the figures of the episodes since the last one, and short matches."""
    last = since[-1]
    means = [float(np.mean([getattr(one, name) for one in since])) for name in COLUMNS[2:6]]
    found = [float(last.number * course.training.games), last.seconds, *means]
    for rival in (*RULES, DRAWN):
        player = by_policy(course.game, course.nets.policy, weights.policy, sample=rival == DRAWN)
        rule = by_rule(course.game, "random" if rival == DRAWN else rival)
        score = meet(course.game, player, rule, course.games, seed + 1)
        found += [score.share.value, score.share.low, score.share.high]
    return found


def against_rules(game: LineGame, players: Players, games: int, seed: int) -> dict[str, Score]:
    """A player's scores against each rule."""
    return {rule: meet(game, players, by_rule(game, rule), games, seed + 2) for rule in RULES}


def shorter(training: Training, games: int) -> Training:
    """The same training for so many games."""
    return replace(training, episodes=max(1, games // training.games))
