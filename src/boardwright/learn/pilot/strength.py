"""How strong a model is by now: matches of the arena against random, the game's policies, plain search and itself as it
was, as many games as fit into the time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardwright.arena.elo import elo_of_share
from boardwright.arena.intervals import Estimate
from boardwright.arena.match import Match, MatchProgress
from boardwright.arena.pairing import seatings
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.learn.model_players import quick_spec, timed_spec
from boardwright.learn.pilot.losses import ELO, Slope
from boardwright.players import Choice, Control, Player, PlayerSpec, player
from boardwright.records import Library

PACE = 0.1  # seconds a move of plain search, and of a search with the model against it
PACES = (PACE, 0.05, 0.02, 0.01)  # less where a game is long
MOST_GAMES = 200  # against one opponent
PATIENCE = 3.0  # times the seconds of a match, for the one set of games without which it says nothing
MOST_POLICIES = 3
RANDOM_SHARE, POLICIES_SHARE = 0.1, 0.15  # of the time; search takes the rest
PROBED = 80  # positions of random games that are judged
SURE = 0.99  # a value or a prior from which on there is no doubt in it
Stop = Callable[[], bool]


class _TimeIsUp(BaseException):  # what a player raises else loses it the game
    """The time of a match is over."""


class _Bounded(Player):
    """A player that ends the match, be it in the middle of a game, once the time is up or somebody wants to stop."""

    def __init__(self, made: Player, over: Callable[[], bool]) -> None:
        self.game, self.spec, self.trees = made.game, made.spec, made.trees
        self._made, self._over = made, over

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        if self._over():
            raise _TimeIsUp
        return self._made.choose(position, control)

    def forget(self) -> None:
        self._made.forget()


@dataclass(frozen=True)
class Met:
    """How a model fared against one opponent."""

    player: str  # how the model played; RUN stands for it
    opponent: str
    games: int
    share: Estimate  # of the points, draws half; 0 to 1
    points: Estimate | None  # mean difference in points; None where the game counts none
    moves: float  # a game
    drawn: float  # share of the comparisons


@dataclass(frozen=True)
class Probe:
    """What the quickest player with the model thinks of positions of random games."""

    sure: float  # share of values beyond doubt; NaN where they are points
    narrow: float  # share of policies with one move beyond doubt; NaN without policies


def strengths(
    game: Game, kind: str, model: Path, seconds: float, stop: Stop = lambda: False
) -> tuple[list[Met], list[str]]:
    """Against random, the game's policies, and plain search at equal time, within about so many seconds beside what
    the compiler takes; and against whom nothing could be said in that time."""
    quick = quick_spec(kind, model)
    policies = [policy.replace("_", "-") for policy in game.policies[:MOST_POLICIES]]
    found: list[Met] = []
    missing: list[str] = []

    def against(spec: PlayerSpec, opponent: str, much: float) -> None:
        met = meet(game, spec, opponent, much, model, stop=stop)
        found.extend(met)
        missing.extend([] if met else [opponent])

    for opponent in ("random", *policies):
        share = RANDOM_SHARE if opponent == "random" else POLICIES_SHARE / len(policies)
        against(quick, opponent, share * seconds)
    moves = max((met.moves for met in found), default=100.0)
    left = (1.0 - RANDOM_SHARE - POLICIES_SHARE) * seconds
    games = len(seatings(game.players, (0, 1)))  # of a set, which must fit
    pace = next((pace for pace in PACES if games * moves * pace <= left), PACES[-1])
    against(timed_spec(kind, model, game, pace), f"mcts:seconds={pace:g}", left)
    return found, missing


def slope_between(
    game: Game, kind: str, now: Path, then: Path, minutes: float, seconds: float, stop: Stop = lambda: False
) -> Slope | None:
    """Elo a minute from a match of the model with what it was so many minutes before."""
    met = meet(game, quick_spec(kind, now), str(quick_spec(kind, then)), seconds, now, then, stop=stop)
    if not met:
        return None
    got = met[0].share
    elo = Estimate(elo_of_share(got.value), elo_of_share(got.low), elo_of_share(got.high))
    text = f"against itself {minutes:.1f} min before: {percent(got)} of {met[0].games} games"
    return Slope(elo.times(1.0 / minutes), ELO, text)


def percent(share: Estimate) -> str:
    """98 % (93 to 99)."""
    return f"{100 * share.value:.0f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


def meet(
    game: Game, spec: PlayerSpec, opponent: str, seconds: float, *files: Path, stop: Stop = lambda: False
) -> list[Met]:
    """One match, cut when its time is up; nothing if not one set of games ended. files: the models, called RUN and THEN
    in what is told."""
    with TemporaryDirectory(prefix="boardwright-pilot-") as folder:
        try:
            made = [player(one, game) for one in (spec, opponent)]
            for one in made:  # the compiler's time is not that of the games
                position = game.begin(0)
                position.play(one.choose(position).move)
            began = time.monotonic()

            def spent() -> float:
                return time.monotonic() - began

            ours, theirs = (_Bounded(one, lambda: spent() >= PATIENCE * seconds or stop()) for one in made)
            # Alone, each plays by itself; at one table it is enough that one of them looks at the clock.
            entrants = [ours, theirs if game.players == 1 else opponent]
            match = Match(game, entrants, MOST_GAMES, library=Library(Path(folder) / "games.sqlite3"))
            a_set, began = match.schedule.games_a_set, time.monotonic()

            def tell(progress: MatchProgress) -> None:
                if progress.done >= a_set and spent() >= seconds:
                    raise _TimeIsUp

            try:
                match.run(0, tell)
            except _TimeIsUp:
                pass
        except BoardwrightError:  # an opponent that cannot play this game, or a model that cannot
            return []
        result = match.result()
    if not result.table.pairs:
        return []
    pair = result.table.pairs[0]
    moves = sum(sum(one.moves) for one in result.outcomes) / max(len(result.outcomes), 1)
    compared = max(pair.wins + pair.draws + pair.losses, 1)
    named = [str(spec), opponent]
    for file, name in zip(files, ("RUN", "THEN"), strict=False):
        named = [text.replace(str(file), name) for text in named]
    points = pair.points if game.counts_points else None
    return [Met(named[0], named[1], result.table.games, pair.share, points, moves, pair.draws / compared)]


def probe(game: Game, kind: str, model: Path) -> Probe:
    """Ask the quickest player about positions of random games, where there is a choice."""
    asked = player(quick_spec(kind, model), game)
    rng, sure, narrow, judged = Random(0), 0, [], 0
    for seed in range(PROBED):
        position = game.begin(seed)
        while not position.is_over and judged < PROBED:
            if len(position.moves) > 1 and rng.below(4) == 0:
                choice = asked.choose(position)
                judged += 1
                if choice.value is not None:
                    sure += abs(choice.value[position.player]) >= SURE
                if choice.priors:
                    narrow.append(max(choice.priors.values()) >= SURE)
            position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    plain = game.counts_points or not judged
    return Probe(math.nan if plain else sure / judged, sum(narrow) / len(narrow) if narrow else math.nan)
