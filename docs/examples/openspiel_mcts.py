"""OpenSpiel's own search plays our Azul against our greedy player: python docs/examples/openspiel_mcts.py"""

from __future__ import annotations

import random

import pyspiel

import boardwright as bw
from boardwright.adapters import openspiel_out

openspiel_out.register()
game = pyspiel.load_game("boardwright_azul")
theirs = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 20, 100, True, 1, False)
ours = bw.player("greedy", bw.load("azul"))

random.seed(1)
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, chances)[0])  # noqa: S311 - games, not secrets
    elif state.current_player() == 0:
        # Not theirs.step(state): that crashes OpenSpiel 2.0 on every game that is written in Python.
        state.apply_action(theirs.mcts_search(state).best_child().action)
    else:
        state.apply_action(ours.choose(state.position).move)
print(state)
print("OpenSpiel's mcts, greedy:", state.returns())
