"""The few kernels through which Python reaches a game's rules, one state at a time."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel
from boardwright.contract.game import CHANCE, OVER


@kernel
def start_state(game: Any, states: Any) -> None:
    """Set state 0, zeroed before, to the start."""
    game.start(states[0])


@kernel
def look(game: Any, states: Any, choices: Any, weights: Any, scores: Any, results: Any) -> Any:
    """All that can be asked of state 0 at once: who acts, and how many choices there are.

    choices[:count]: int32 moves, or at CHANCE outcomes with their float64 weights; scores[i], results[i]
    belong to player i, results being filled at OVER only.
    """
    s = states[0]
    actor = game.player(s)
    game.scores(s, scores)
    count = 0
    if actor == CHANCE:
        count = game.chances(s, choices, weights)
    elif actor == OVER:
        game.results(s, results)
    else:
        count = game.legal(s, choices)
    return actor, count


@kernel
def play_move(game: Any, states: Any, move: Any) -> None:
    """Play a legal move in state 0."""
    game.play(states[0], move)


@kernel
def draw_outcome(game: Any, states: Any, outcome: Any) -> None:
    """Let chance do `outcome` in state 0."""
    game.draw(states[0], outcome)


@kernel
def observe_state(game: Any, states: Any, out: Any) -> None:
    """A network's input for state 0 into the zeroed float32 array `out`."""
    game.observe(states[0], out)


@kernel
def list_features(game: Any, states: Any, indices: Any, values: Any) -> Any:
    """The features of state 0 into int32 `indices` and float32 `values`; returns how many."""
    return game.features(states[0], indices, values)


@kernel
def list_move_features(game: Any, states: Any, move: Any, indices: Any) -> Any:
    """The features of a move in state 0 into int32 `indices`; returns how many."""
    return game.move_features(states[0], move, indices)


@kernel
def viewer_of(game: Any, states: Any) -> Any:
    """From whose side state 0 is seen."""
    return game.viewer(states[0])


@kernel
def mirror_state(game: Any, states: Any, image: Any) -> None:
    """Image number `image` of state 0 into state 1, zeroed before."""
    game.mirror(states[0], image, states[1])


@kernel
def mirror_moves(game: Any, moves: Any, image: Any) -> None:
    """Each of int32 `moves` becomes the move that does the same in image number `image`."""
    for i in range(len(moves)):
        moves[i] = game.mirror_move(moves[i], image)


@kernel
def bound_results(game: Any, states: Any, low: Any, high: Any) -> None:
    """low[i], high[i]: what player i gets at least and at most if all play best, as far as the rules can tell."""
    game.bounds(states[0], low, high)


@kernel
def weigh_moves(game: Any, which: Any, states: Any, moves: Any, weights: Any) -> None:
    """weights[i] = how much policy number `which` (0: all alike, 1: the game's first) likes moves[i] in state 0."""
    game.weigh(which, states[0], moves, len(moves), weights)
