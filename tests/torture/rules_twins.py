"""Every game there is, compiled and in the interpreter side by side and by every promise of the contract, with seeds
that no test has used. A game that is added to the gallery is taken in by itself."""

from __future__ import annotations

import random
from collections.abc import Callable

import boardwright as bw
from boardwright.contract.errors import RuleError
from boardwright.games.built_in import BUILT_IN
from tests.torture.examples import gallery
from tests.torture.trial import Finding

GAMES = 300


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    name = luck.choice([*BUILT_IN, *gallery()])
    try:
        bw.check_game(bw.load(name), GAMES, seed=seed, progress=lambda stage: tell(0))
    except RuleError as error:
        raise Finding("a promise of the contract is broken", f"{name}: {error}") from None
    tell(GAMES)
