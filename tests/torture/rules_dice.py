"""The gallery's games of dice, each against a second reading of its rules in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.second_readings import play_pig, play_royal_ur, play_yacht
from tests.test_gallery import play_cant_stop, play_ludo
from tests.torture.examples import EXAMPLES, ROOT
from tests.torture.trial import Finding

positions.SOON_COMPILED = 0
Tell = Callable[[int], None]


def agree(fine: object, what: str, position: bw.Position) -> None:
    if not fine:
        raise Finding(what, position.to_json())


def ludo(seed: int, seconds: float, tell: Tell) -> None:
    rng = Random(seed)
    players, tokens = ((2, 2), (4, 2), (3, 2), (4, 4), (2, 1))[rng.below(5)]
    game = bw.load(str(EXAMPLES / "ludo.py"), players=players, tokens=tokens)
    for _ in range(3):
        play_ludo(game, tokens, rng, agree, tell)


def cant_stop(seed: int, seconds: float, tell: Tell) -> None:
    rng = Random(seed)
    game = bw.load(str(EXAMPLES / "cant_stop.py"), players=2 + rng.below(3))
    play_cant_stop(game, rng, agree, tell)


def pig(seed: int, seconds: float, tell: Tell) -> None:
    rng, game = Random(seed), bw.load(f"{EXAMPLES / 'pig.py'}:Pig")
    for _ in range(10):
        play_pig(game.begin(), rng, agree, tell)


def royal_ur(seed: int, seconds: float, tell: Tell) -> None:
    rng = Random(seed)
    pieces = (2, 7)[rng.below(2)]
    play_royal_ur(blank(bw.load(f"{EXAMPLES / 'royal_ur.py'}:RoyalUr", pieces=pieces)), pieces, rng, agree, tell)


def ridge(seed: int, seconds: float, tell: Tell) -> None:
    """The tutorial's game: a row of texts, read from left to right."""
    rng = Random(seed)
    game = bw.load(f"{ROOT / 'docs' / 'tutorial' / 'ridge.py'}")
    for _ in range(30):
        position, row = blank(game), ["."] * 8
        for number in range(8):
            dice = [1 + rng.below(6), 1 + rng.below(6)]
            for face in dice:
                position = position.advance(str(face))
            expected = {f"{face}{'abcdefgh'[gap]}" for face in dice for gap in range(8) if row[gap] == "."}
            agree({position.text(move) for move in position.moves} == expected, "other moves", position)
            agree(position.player == number % 2, "another mover", position)
            text = sorted(expected)[rng.below(len(expected))]
            position, row["abcdefgh".index(text[1])] = position.play(text), text[0]
            pairs = [(a, b) for a, b in pairwise(row) if "." not in (a, b)]
            climbs = sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs)
            agree(position.scores == (climbs, -climbs), "other points", position)
            tell(1)
        agree(position.is_over, "not over", position)


def yacht(seed: int, seconds: float, tell: Tell) -> None:
    rng, game = Random(seed), bw.load(str(EXAMPLES / "yacht.py"))
    for _ in range(10):
        play_yacht(blank(game), rng, agree, tell)
