"""Where the rules decide: small games whose decisions are solved instead of looked at, so that losses have no error."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardwright.arena.verdict import Compared, Decision, Look
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players import Choice, Control
from boardwright.players.solver import SolverPlayer
from boardwright.search.exact.solver import SolverSettings
from boardwright.search.stopping import Stopped

SOLVED_ACTIONS, SOLVED_NODES = 16, 200_000  # games of so few moves are tried to solve, with so many positions a move


def may_be_solved(game: Game) -> bool:
    """Whether the judge tries to solve positions of a game."""
    return bool(game.players == 2 and not game.outcomes and game.actions <= SOLVED_ACTIONS)


def solve(decisions: Sequence[Decision], stopping: Callable[[], bool]) -> dict[int, Look]:
    """Decide the decisions of one line, from the last back until one is too much; the exact values of the positions
    before and after them, by their index in the line."""
    found: dict[int, Look] = {}
    if not decisions:
        return found
    solver = _solver(decisions[0].position.game)
    for decision in reversed(decisions):
        if stopping():
            raise Stopped
        try:
            choice = solver.choose(decision.position, Control(stopping))
        except InputError:
            break  # too large, or results that do not add up to 0
        if stopping():
            raise Stopped
        if decision.move not in choice.values or choice.value is None:
            break
        mover = decision.position.player
        decision.exact, decision.rounds = True, 1
        decision.liked = choice.values[decision.move] >= choice.values[choice.move]
        if not decision.liked:
            decision.rival = choice.move
            lost = choice.values[choice.move] - choice.values[decision.move]
            decision.pairs = {choice.move: {0: [lost]}}
        decision.lines = {choice.move: choice.line}
        found[decision.index] = Look(choice.value, True)
        after = choice.values[decision.move]
        found[decision.index + 1] = Look((after, -after) if mover == 0 else (-after, after), True)
    return found


def compare_exactly(position: Position, stopping: Callable[[], bool]) -> tuple[Choice, dict[int, Compared]] | None:
    """What the solver would choose, and every move beside the best, which comes first; None where it is too much."""
    try:
        choice = _solver(position.game).choose(position, Control(stopping))
        top = max(choice.values.values())
    except InputError:
        return None  # too large, or results that do not add up to 0
    if len(choice.values) < len(position.moves):
        return None
    order = sorted(choice.values, key=lambda move: (-choice.values[move], move != choice.move))
    return choice, {move: Compared(choice.values[move], top - choice.values[move], 0.0, 0.0) for move in order}


def _solver(game: Game) -> SolverPlayer:
    return SolverPlayer(game, "solver", SolverSettings(megabytes=16.0, nodes=SOLVED_NODES, polish=SOLVED_NODES))
