"""What `check_game` does with a game, in order; each stage yields what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from boardwright.check.checked_games import check_many_games
from boardwright.check.failures import endless, guarded
from boardwright.check.questions import check_questions
from boardwright.check.side_by_side import compare
from boardwright.compile.diagnose import check_compiles, check_shape
from boardwright.contract.game import Game
from boardwright.contract.position import blank, compile_at_once
from boardwright.contract.random import Random

Stage = Callable[[str, bool], None]
INTERPRETED_SECONDS = 4.0


def run_stages(game: Game, games: int, seed: int, most_plies: int, stage: Stage) -> Iterator[tuple[str, str]]:
    """Yields (what, detail) for each part that passed; raises RuleError at the first that did not. `stage` is told
    what begins, and whether it may be cut off when it takes too long."""
    stage("reading the rules", True)
    check_shape(game)
    yield (
        "methods",
        f"{game.players} player{'s' * (game.players != 1)}, {game.actions} moves, "
        f"{game.outcomes} outcomes, state of {game.state_dtype.itemsize} bytes",
    )
    stage("compiling each rule", False)
    check_compiles(game)
    yield "compiler", "every rule compiles"
    play_interpreted(game, seed, most_plies, lambda: stage("playing in the interpreter", True))
    yield "interpreter", "a game played to its end, every number in the range of its field"
    stage("compiling the rules together", False)
    _compile_together(game)
    count, plies = 0, 0
    began = time.monotonic()
    while count < 3 or time.monotonic() - began < INTERPRETED_SECONDS:
        plies += compare(
            game, seed + count, most_plies, lambda: stage("comparing interpreter and compiled rules", True)
        )
        count += 1
        if count >= games:
            break
    yield "two runs", f"interpreter and compiled rules agree over {count} games, {plies} plies"
    stage("compiling with checked indices", False)
    moves, draws = check_many_games(game, games, seed, most_plies, stage)
    yield (
        "play",
        f"{games} games end, {moves / games:.1f} moves and {draws / games:.1f} draws each, every index within bounds",
    )


def play_interpreted(game: Game, seed: int, most_plies: int, beat: Callable[[], None]) -> None:
    """One random game before anything compiled runs: here a mistake is an exception with a line number."""
    beat()
    rng = Random(seed)
    position = guarded(game, lambda: blank(game, debug=True))
    for ply in range(most_plies):
        beat()
        check_questions(game, position, f"at ply {ply} of the game with seed {seed}")
        if position.is_over:
            return
        steps = position.answers.steps
        step = steps[rng.below(len(steps)) if not position.is_chance else rng.pick(position.answers.weights)]
        position = guarded(game, partial(position.advance, step))
    raise endless(game, most_plies)


def _compile_together(game: Game) -> None:
    compile_at_once(game)
    blank(game)
    position = game.begin(0)
    for policy in game.policies:
        position.weigh(policy)
    if game.observe_shape:
        position.observe()
    if game.writes("features"):
        position.features()
    if game.writes("move_features") and position.moves:
        position.move_features(position.moves[0])
    if game.writes("viewer"):
        _ = position.viewer
