"""`solver`: the player that knows the exact value of small games."""

from __future__ import annotations

import time
from dataclasses import replace

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.control import Control, poll
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.exact.solver import MOST_PLIES, Solver, SolverSettings, TooLarge
from boardwright.search.stopping import STOPPED, Stopped

LONGEST_LINE = 12


class SolverPlayer(Player):
    """Plays perfectly: never gives away a win or a draw, wins as soon and loses as late as it can make out."""

    def __init__(self, game: Game, spec: str, settings: SolverSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.solver = Solver(game, settings)
        self.forget()

    def forget(self) -> None:
        """What was solved stays true in the next game: only the random numbers begin again."""
        self._rng = Random(self.settings.seed)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        self.solver.stopping = poll(control)
        began = time.perf_counter()
        try:
            choice = self._choose(position, began)
            stopped = control is not None and control.stopping
            return replace(choice, note=f"{choice.note}, {STOPPED}") if stopped else choice
        except Stopped:
            return Choice(self.glance(position), seconds=time.perf_counter() - began, note=STOPPED)
        finally:
            self.solver.stopping = None

    def _choose(self, position: Position, began: float) -> Choice:
        solver, me = self.solver, position.player
        solver.allow()
        value = solver.value(position)
        ranked = self._ranked(position)
        best, plies = self._timely(position, ranked, value)
        if best is None:
            best = next(move for move in ranked if solver.holds(position.play(move), me, value))
        nodes = solver.nodes
        solver.allow(self.settings.polish or 1)
        sign = 1.0 if me == 0 else -1.0
        values = self._other_values(position, {best: sign * value + 0.0})
        return Choice(
            move=best,
            value=(value, -value + 0.0),
            values=values,
            line=self._line(position, best, value),
            simulations=nodes,
            seconds=time.perf_counter() - began,
            note=_in_words(sign * value, plies),
        )

    def _ranked(self, position: Position) -> list[int]:
        """The moves, those that the ordering policy likes first; equals in random order."""
        likes = [0.0] * len(position.moves)
        if self.solver.guide.order:
            likes = position.weigh(self.game.policies[self.solver.guide.order - 1]).tolist()
        order = sorted(range(len(likes)), key=lambda i: (-likes[i], self._rng.bits()))
        return [position.moves[i] for i in order]

    def _timely(self, position: Position, ranked: list[int], value: float) -> tuple[int | None, int]:
        """In a won position the move that wins fastest, in a lost one the move that loses latest, and after how many
        moves the game is over; (None, 0) for other positions, or if `polish` positions are not enough."""
        if self.game.counts_points or abs(value) != 1.0:
            return None, 0
        me, winner = position.player, 0 if value > 0 else 1
        # A table of its own, empty each time: what was solved before must not change what is chosen.
        limits = replace(self.settings, megabytes=16.0, nodes=self.settings.polish or 1)
        clock = Solver(self.game, limits)
        clock.stopping = self.solver.stopping
        children = {move: position.play(move) for move in ranked}
        remaining = ranked
        try:
            for plies in range(1, MOST_PLIES):
                ended = [m for m in remaining if _ends(clock, children[m], winner, value, plies - 1)]
                if winner == me and ended:
                    return ended[0], plies
                if winner != me and len(ended) == len(remaining):
                    return remaining[0], plies
                if winner != me:
                    remaining = [move for move in remaining if move not in ended]
        except TooLarge:
            pass
        return (None, 0) if winner == me else (remaining[0], 0)

    def _other_values(self, position: Position, values: dict[int, float]) -> dict[int, float]:
        """What the other moves are worth, as far as that is cheap."""
        sign = 1.0 if position.player == 0 else -1.0
        try:
            for move in position.moves:
                if move not in values:
                    values[move] = sign * self.solver.value(position.play(move)) + 0.0
        except (TooLarge, Stopped):
            pass
        return values

    def _line(self, position: Position, move: int, value: float) -> tuple[int, ...]:
        """How perfect play may go on."""
        line, position = [move], position.play(move)
        try:
            while not position.is_over and len(line) < LONGEST_LINE:
                ranked = self._ranked(position)
                line.append(next(m for m in ranked if self.solver.holds(position.play(m), position.player, value)))
                position = position.play(line[-1])
        except (TooLarge, Stopped):
            pass
        return tuple(line)


def _ends(clock: Solver, position: Position, winner: int, value: float, plies: int) -> bool:
    """Does the winner win within so many moves?"""
    if position.is_over:
        return position.results is not None and position.results[0] == value
    return plies > 0 and clock.holds(position, winner, value, plies)


def _in_words(own: float, plies: int) -> str:
    what = "a win" if own > 0 else "a loss" if own < 0 else "a draw"
    return f"solved: {what}" + (f" in {plies} move{'s' if plies > 1 else ''}" if plies else "")
