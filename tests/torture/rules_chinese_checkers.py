"""Chinese Checkers against a second reading of its rules: holes by name, pegs in sets."""

from __future__ import annotations

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.second_readings import play_star
from tests.torture.examples import EXAMPLES
from tests.torture.rules_dice import agree
from tests.torture.trial import Tell

positions.SOON_COMPILED = 0


def attempt(seed: int, seconds: float, tell: Tell) -> None:
    rng = Random(seed)
    game = bw.load(str(EXAMPLES / "chinese_checkers.py"), players=2 + rng.below(2))
    play_star(blank(game), rng, rng.below(4), agree, tell)
