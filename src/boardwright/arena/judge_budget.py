"""How many simulations a judge can afford: by the pace of two short searches."""

from __future__ import annotations

import time
from collections.abc import Sequence

from boardwright.arena.exact_judge import may_be_solved
from boardwright.contract.position import Position
from boardwright.players import Player

LEAST_SIMULATIONS = 8  # of a look
MOST_SIMULATIONS = 1600  # of the first round's search: beyond, refinement is worth more
ROUND_SEARCHES, ROUND_SHARE = 36, 13  # of a first round: how many, and how many times those simulations they take
TRIALS = 16, 160  # simulations of two searches by which the pace is found


def affordable(line: Sequence[Position], player: Player, seconds: float, helpers: int) -> int:
    """How many simulations `Judge` may be given for its first round to take about so long; 0 for a player without
    them. Found by a short search of a position from the middle of the game."""
    decisions = [position for position in line[:-1] if position.player >= 0]
    if not player.trees or not decisions or may_be_solved(line[0].game):
        return 0
    middle = decisions[len(decisions) // 2]
    took = {}
    for trial in (TRIALS[0], *TRIALS):  # the first may compile
        player.anew(0, trial)
        began = time.perf_counter()
        player.choose(middle)
        took[trial] = time.perf_counter() - began
    few, many = TRIALS
    each = max((took[many] - took[few]) / (many - few), 1e-7)
    start = max(took[few] - few * each, 0.0)  # of a search, whatever it finds: in Python, where threads take turns
    left = seconds / len(decisions) - ROUND_SEARCHES * start
    return int(min(max(left * helpers / (ROUND_SHARE * each), 4 * LEAST_SIMULATIONS), MOST_SIMULATIONS))
