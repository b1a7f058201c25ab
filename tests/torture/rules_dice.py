"""The gallery's games of dice, each against a second reading of its rules in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import boardwright as bw
from boardwright.contract import position as positions
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.second_readings import play_yacht
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
    """A turn is a list of what was thrown."""
    rng = Random(seed)
    for _ in range(10):
        position, banked, turn, thrown = bw.load(f"{EXAMPLES / 'pig.py'}:Pig").begin(), [0, 0], 0, list[int]()
        while max(banked) < 100:
            agree(not position.is_over and position.player == turn, "another mover", position)
            texts = {position.text(move) for move in position.moves}
            agree(texts == ({"roll", "hold"} if thrown else {"roll"}), "other moves", position)
            if thrown and rng.below(4) == 0:
                banked[turn] += sum(thrown)
                turn, thrown, position = 1 - turn, [], position.play("hold")
            else:
                face = 1 + rng.below(6)
                position = position.play("roll").advance(str(face))
                if face == 1:
                    turn, thrown = 1 - turn, []
                else:
                    thrown.append(face)
            tell(1)
        agree(position.results == tuple(1.0 if one >= 100 else -1.0 for one in banked), "another winner", position)


def royal_ur(seed: int, seconds: float, tell: Tell) -> None:
    """Squares by name, of a board of three rows: those of the middle row are the same for both players."""
    rng = Random(seed)
    pieces = (2, 7)[rng.below(2)]
    middle = [f"shared {k}" for k in range(5, 13)]
    ways = [["in", *(f"{who}{k}" for k in range(1, 5)), *middle, f"{who}13", f"{who}14", "home"] for who in "AB"]
    rosettes = {"A4", "B4", "shared 8", "A14", "B14"}
    position, turn = blank(bw.load(f"{EXAMPLES / 'royal_ur.py'}:RoyalUr", pieces=pieces)), 0
    at = [["in"] * pieces, ["in"] * pieces]
    while not any(own == ["home"] * pieces for own in at):
        counts = [[own.count(name) for name in way] for own, way in zip(at, ways, strict=True)]
        agree(position.is_chance and position.fields()["at"] == counts, "another board", position)
        roll = sum(rng.below(2) for _ in range(4))
        position = position.advance(str(roll))
        way, own, others = ways[turn], at[turn], at[1 - turn]
        targets = {}
        for name in set(own) - {"home"}:
            far = way.index(name) + roll
            if roll and far < len(way):
                to = way[far]
                if to == "home" or (to not in own and not (to == "shared 8" and to in others)):
                    targets[name if name == "in" else str(way.index(name))] = (name, to)
        tell(1)
        if not targets:
            turn = 1 - turn
            continue
        agree({position.text(move) for move in position.moves} == set(targets), "other moves", position)
        agree(position.player == turn, "another mover", position)
        text = sorted(targets)[rng.below(len(targets))]
        position = position.play(text)
        name, to = targets[text]
        own[own.index(name)] = to
        if to.startswith("shared") and to in others:
            others[others.index(to)] = "in"
        turn = turn if to in rosettes else 1 - turn
    agree(
        position.results == tuple(1.0 if own == ["home"] * pieces else -1.0 for own in at), "another winner", position
    )


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
