"""`expectimax`: the player that looks a fixed number of moves ahead over every draw."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.control import Control, poll
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings
from boardwright.search.stopping import STOPPED, Stopped


class ExpectimaxPlayer(Player):
    """Plays what looks best to a fixed depth."""

    def __init__(self, game: Game, spec: str, settings: ExpectimaxSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.expectimax = Expectimax(game, settings)
        self.forget()

    def forget(self) -> None:
        self._rng = Random(self.settings.seed)
        self.expectimax.forget()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        choice = choose_by_expectimax(self, self.expectimax, position, control, self._rng.below)
        if choice.note:
            return choice
        depth = f"{self.settings.depth} move{'s' if self.settings.depth > 1 else ''}"
        return replace(choice, simulations=self.expectimax.nodes, note=f"looked {depth} ahead")


def choose_by_expectimax(
    player: Player, expectimax: Expectimax, position: Position, control: Control | None, pick: Callable[[int], int]
) -> Choice:
    """The choice of a player by expectimax. pick: of so many equally good moves, which."""
    player.needs_to_move(position)
    began = time.perf_counter()
    try:
        vectors = expectimax.values(position, poll(control))
    except Stopped:
        return Choice(player.glance(position), seconds=time.perf_counter() - began, note=STOPPED)
    values = {move: float(vector[position.player]) for move, vector in vectors.items()}
    best = max(values.values())
    equals = [move for move, value in values.items() if value == best]
    move = equals[pick(len(equals))]
    line = (move, *expectimax.line(position.play(move)))
    return Choice(
        move, value=tuple(vectors[move].tolist()), values=values, line=line, seconds=time.perf_counter() - began
    )
