"""Games of one player of 2048 as a sample: what it scored, which tile it reached, how long a move took."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from boardwright.arena.intervals import Estimate, mean, wilson
from boardwright.arena.summary import points
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright_lab.run import Run


@dataclass(frozen=True)
class Played:
    """One finished game."""

    score: float
    largest: int  # tile
    moves: int
    seconds: float  # by the clock, all moves together; 0 where nobody measured


@dataclass(frozen=True)
class Sample:
    """All games of one player."""

    name: str
    games: tuple[Played, ...]

    @property
    def score(self) -> Estimate:
        return mean([one.score for one in self.games])

    @property
    def best(self) -> float:
        return max(one.score for one in self.games)

    @property
    def milliseconds(self) -> float:
        """A move."""
        return 1000 * sum(one.seconds for one in self.games) / sum(one.moves for one in self.games)

    def reached(self, tile: int) -> Estimate:
        """The share of games with a tile at least so large."""
        return wilson(sum(one.largest >= tile for one in self.games), len(self.games))

    def first(self, count: int) -> Sample:
        return Sample(self.name, self.games[:count])

    @property
    def spread(self) -> float:
        """Standard deviation of the score, as a share of its mean."""
        return stdev(one.score for one in self.games) / fmean(one.score for one in self.games)


def games_to_tell(spread: float, difference: float) -> int:
    """Games that each of two players needs so that a difference in mean score is found with 95 % confidence in four of
    five tries: n = 2 ((1.960 + 0.842) spread / difference)^2, both as shares of the mean."""
    return math.ceil(2 * ((1.960 + 0.842) * spread / difference) ** 2)


def apart(one: Sample, other: Sample) -> bool:
    """Whether the difference of two mean scores is more than luck explains (95 %, Welch's statistic by the normal)."""
    a, b = ([game.score for game in sample.games] for sample in (one, other))
    error = math.sqrt(stdev(a) ** 2 / len(a) + stdev(b) ** 2 / len(b))
    return abs(fmean(a) - fmean(b)) > 1.96 * error


def compared(one: Sample, other: Sample) -> str:
    """In words: how many times as much the one scored as the other, and whether these games can tell."""
    luck = "more than luck explains" if apart(one, other) else "no more than luck explains"
    return f"{one.score.value / other.score.value:.2f} times as much ({luck})"


def best_and_worst(samples: Sequence[Sample], xs: Sequence[int], what: str) -> str:
    """In words: which setting scored most, which least, and whether these games can tell them apart."""
    order = sorted(range(len(samples)), key=lambda i: samples[i].score.value)
    low, high = order[0], order[-1]
    told = "more than luck explains" if apart(samples[low], samples[high]) else "no more than luck explains"
    return (
        f"{what} {xs[high]} scored most, {points(samples[high].score)}, {what} {xs[low]} least, "
        f"{points(samples[low].score)}: {told}"
    )


def play_all(run: Run, game: Game, specs: Sequence[str], games: int) -> list[Sample]:
    """So many games of each player, all on the same draws."""
    result = run.match(game, specs, games)
    samples: list[list[Played]] = [[] for _ in specs]
    for one in result.outcomes:
        samples[one.seats[0]].append(
            Played(one.scores[0], int(one.marks["largest tile"]), one.moves[0], one.seconds[0])
        )
    return [Sample(spec, tuple(played)) for spec, played in zip(specs, samples, strict=True)]


def kept(run: Run, name: str, key: str, games: int, play: Callable[[int], Played]) -> Sample:
    """Games number 0 to `games` - 1 of a player that no match knows. Each is written to `<key>.jsonl` in the run's
    folder as it ends; a second run goes on there."""
    path = run.folder / f"{key}.jsonl"
    found: list[Played] = []
    if path.exists():
        for number, line in enumerate(path.read_text("utf-8").splitlines(keepends=True)):
            if not line.endswith("\n"):
                break  # the run was killed over this line; the game is played again
            found.append(_read(line, f"{path}, line {number + 1}"))
        path.write_text("".join(f"{json.dumps(vars(one))}\n" for one in found), "utf-8")
    with path.open("a", encoding="utf-8") as file:
        for number in range(len(found), games):
            run.tick(f"{name}: {number} of {games} games")
            found.append(play(number))
            file.write(f"{json.dumps(vars(found[-1]))}\n")
            file.flush()
    return Sample(name, tuple(found[:games]))


def _read(line: str, where: str) -> Played:
    try:
        one = Played(**json.loads(line))
        numbers = [one.score, one.largest, one.moves, one.seconds]
        if all(type(value) in (int, float) and 0 <= value < math.inf for value in numbers) and one.moves > 0:
            return one
    except (ValueError, TypeError):
        pass
    raise InputError(f"{where} is no game of ours; delete the file to play its games again")
