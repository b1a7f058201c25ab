"""Games of docs/examples once more, each by a second and slow reading of its rules in plain Python, with which the
first is compared move for move: by tests for a few games, by `make torture` for as long as there is time.

`agree(whether something holds, what is wrong otherwise, where)` and `tell(plies)` are the caller's: tests assert, a
trial reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import cos, pi, sin, sqrt
from typing import Any

import boardwright as bw
from boardwright.contract.random import Random

Agree = Callable[[object, str, bw.Position], None]
Tell = Callable[[int], None]


def agreed(fine: object, what: str, position: bw.Position) -> None:
    """For tests."""
    assert fine, f"{what}: {position.to_json()}"


def untold(plies: int) -> None:
    """For tests, which do not count."""


# Pig


def play_pig(position: bw.Position, rng: Random, agree: Agree, tell: Tell) -> None:
    """One game to 100 from its start: a turn is a list of what was thrown."""
    banked, turn, thrown = [0, 0], 0, list[int]()
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


# The Royal Game of Ur


def play_royal_ur(position: bw.Position, pieces: int, rng: Random, agree: Agree, tell: Tell) -> None:
    """One game from its blank position. Squares by name, of a board of three rows: those of the middle row are the same
    for both players."""
    middle = [f"shared {k}" for k in range(5, 13)]
    ways = [["in", *(f"{who}{k}" for k in range(1, 5)), *middle, f"{who}13", f"{who}14", "home"] for who in "AB"]
    rosettes = {"A4", "B4", "shared 8", "A14", "B14"}
    turn, at = 0, [["in"] * pieces, ["in"] * pieces]
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


# Yacht

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "full house", "four of a kind", "little straight",
         "big straight", "choice", "yacht")  # fmt: skip


def slow_worth(dice: tuple[int, ...], box: str) -> int:
    """By how often each face is there."""
    often = Counter(dice)
    shape = sorted(often.values())
    if box in BOXES[:6]:
        face = BOXES.index(box) + 1
        return face * often[face]
    if box in ("little straight", "big straight"):
        return 30 if set(dice) == set(range(1, 6) if box == "little straight" else range(2, 7)) else 0
    return {
        "full house": sum(dice) if shape == [2, 3] else 0,
        "four of a kind": 4 * often.most_common(1)[0][0] if shape[-1] >= 4 else 0,
        "choice": sum(dice),
        "yacht": 50 if shape == [5] else 0,
    }[box]


def slow_keeps(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What can be kept: any dice but all."""
    return {kept for count in range(5) for kept in combinations(sorted(dice), count)}


def play_yacht(position: bw.Position, rng: Random, agree: Agree, tell: Tell) -> None:
    """One game from its blank position, moves at random."""
    sheet: dict[str, int] = {}
    dice: list[int] = []
    rolls = 0
    while len(sheet) < 12:
        while len(dice) < 5:
            faces = {position.text(face) for face in range(6)} if position.is_chance else set()
            agree(faces == set("123456"), "other dice", position)
            dice.append(1 + rng.below(6))
            position = position.advance(str(dice[-1]))
        rolls += 1
        keeps = slow_keeps(tuple(dice)) if rolls < 3 else set()
        texts = {f"keep {' '.join(map(str, kept)) or 'none'}": list(kept) for kept in keeps}
        legal = {position.text(move) for move in position.moves}
        agree(legal == set(texts) | (set(BOXES) - set(sheet)), "other moves", position)
        agree(len(position.moves) == len(legal), "one move twice", position)
        text = sorted(legal)[rng.below(len(legal))]
        position = position.play(text)
        if text in texts:
            dice = texts[text]
        else:
            sheet[text] = slow_worth(tuple(dice), text)
            dice, rolls = [], 0
        agree(position.scores == (sum(sheet.values()),), "other points", position)
        tell(1)
    agree(position.is_over and position.results == (sum(sheet.values()),), "another end", position)


# Nine Men's Morris

# As OpenSpiel numbers the points: row by row from the top.
POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()
ROWS = [[point for point in sorted(POINTS) if name in point] for name in "abcdefg1234567"]  # and columns
LINES = [line for row in ROWS for line in (row[:3], row[3:]) if line]


class SlowMorris:
    """Points by name on a sheet of seven by seven; lines are what stands in a column or a row."""

    def __init__(self) -> None:
        self.men: dict[str, int] = {}
        self.hand, self.lost = [9, 9], [0, 0]
        self.turn, self.quiet, self.taking = 0, 0, False
        self.seen: Counter[str] = Counter()

    def mills(self, point: str) -> bool:
        return any(point in line and {self.men.get(one, -1) for one in line} == {self.men[point]} for line in LINES)

    def moves(self) -> set[str]:
        own = {point for point, who in self.men.items() if who == self.turn}
        others, free = set(self.men) - own, set(POINTS) - set(self.men)
        if self.taking:
            outside = {point for point in others if not self.mills(point)}
            self.seen["taken from a mill"] += not outside
            return {f"x{point}" for point in outside or others}
        if self.hand[self.turn]:
            return free
        if len(own) == 3:
            self.seen["jump"] += 1
            return {f"{point}-{to}" for point in own for to in free}
        pairs = [pair for line in LINES for pair in (line[:2], line[1:])]
        steps = pairs + [pair[::-1] for pair in pairs]
        return {f"{point}-{to}" for point, to in steps if point in own and to in free}

    def play(self, text: str) -> None:
        if self.taking:
            del self.men[text[1:]]
            self.lost[1 - self.turn] += 1
            self.taking, self.quiet = False, 0
        else:
            origin, _, to = text.rpartition("-")
            if origin:
                del self.men[origin]
                self.quiet += 1
            else:
                self.hand[self.turn] -= 1
            self.men[to] = self.turn
            self.taking = self.mills(to)
        if not self.taking:
            self.turn = 1 - self.turn

    def results(self) -> tuple[float, float] | None:
        """None while it goes on."""
        lost = not self.taking and (self.lost[self.turn] > 6 or not self.moves())
        if lost:
            self.seen["two left" if self.lost[self.turn] > 6 else "stuck"] += 1
            return (-1.0, 1.0) if self.turn == 0 else (1.0, -1.0)
        drawn = self.quiet == 100 and not self.taking
        self.seen["quiet"] += drawn
        return (0.0, 0.0) if drawn else None


def closes(slow: SlowMorris, text: str) -> bool:
    origin, _, to = text.rpartition("-")
    if slow.taking:
        return False
    men = {point: who for point, who in slow.men.items() if point != origin} | {to: slow.turn}
    return any(to in line and all(men.get(one) == slow.turn for one in line) for line in LINES)


def play_morris(
    position: bw.Position, other: Any, rng: Random, closing: bool, agree: Agree, tell: Tell
) -> Counter[str]:
    """One game from its blank position. Returns how often what is rare came up.

    other: OpenSpiel's start. It differs in one rule: a game is drawn after 200 turns, ours after a hundred quiet moves
    in a row. So it is followed as long as it plays, and the second reading to the end.
    closing: mills are closed where they can be, half of the time: men are taken, and somebody wins.
    """
    slow = SlowMorris()
    names = {f"Point {i}": point for i, point in enumerate(POINTS)}
    names |= {f"Move {i} -> {k}": f"{point}-{to}" for i, point in enumerate(POINTS) for k, to in enumerate(POINTS)}
    while slow.results() is None:
        texts = sorted(slow.moves())
        agree(not position.is_over and position.player == slow.turn, "another mover", position)
        agree(sorted(position.text(move) for move in position.moves) == texts, "other moves", position)
        mills = [text for text in texts if closes(slow, text)] if closing and rng.below(2) else []
        text = (mills or texts)[rng.below(len(mills or texts))]
        if not other.is_terminal():
            theirs = {names[other.action_to_string(move)]: move for move in other.legal_actions()}
            agree(other.current_player() == slow.turn, "another player moves there", position)
            agree(set(theirs) == {one.lstrip("x") for one in texts}, "other moves are legal there", position)
            other.apply_action(theirs[text.lstrip("x")])
        position = position.play(text)
        slow.play(text)
        tell(1)
    agree(position.results == slow.results(), "another result", position)
    if slow.quiet < 100 and not (other.is_terminal() and "Turn number: 200" in str(other)):
        agree(other.is_terminal() and tuple(other.returns()) == position.results, "another result there", position)
    return slow.seen


# Chinese Checkers

LENGTHS = (1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1)  # of the rows, from the bottom
# A place is (across, row): rows are one apart, holes of a row two, and every other row is shifted by one.
PLACES = {
    f"{'abcdefghij'[i]}{row + 1}": (2 * i + 1 - length, row - 6)
    for row, length in enumerate(LENGTHS)
    for i in range(length)
}
HOLES = {place: name for name, place in PLACES.items()}
AROUND = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
BOTTOM, TOP = {name for name in PLACES if PLACES[name][1] < -3}, {name for name in PLACES if PLACES[name][1] > 3}
LEFT, RIGHT = "a10 b10 c10 a9 b9 a8".split(), "h10 i10 j10 h9 i9 h8".split()
LOW_LEFT, LOW_RIGHT = "a4 b4 c4 a5 b5 a6".split(), "h4 i4 j4 h5 i5 h6".split()


class SlowStar:
    """Holes by name, pegs in sets; jumps by going on from every hole that a jump has reached."""

    def __init__(self, players: int) -> None:
        homes = [BOTTOM, TOP] if players == 2 else [BOTTOM, LEFT, RIGHT]
        self.goals = [set(goal) for goal in ([TOP, BOTTOM] if players == 2 else [TOP, LOW_RIGHT, LOW_LEFT])]
        self.angles = [pi / 2, -pi / 2] if players == 2 else [pi / 2, -pi / 6, -5 * pi / 6]
        self.pegs = [set(home) for home in homes]
        self.turns = 0
        self.seen: Counter[str] = Counter()

    @property
    def turn(self) -> int:
        return self.turns % len(self.pegs)

    def beyond(self, name: str, way: tuple[int, int]) -> str:
        return HOLES.get((PLACES[name][0] + way[0], PLACES[name][1] + way[1]), "")

    def moves(self) -> set[str]:
        return {f"{peg}-{to}" for peg in self.pegs[self.turn] for to in self.targets(peg)} or {"pass"}

    def targets(self, peg: str) -> set[str]:
        taken, goal = set().union(*self.pegs) - {peg}, self.goals[self.turn]
        allowed = (goal if peg in goal else set(PLACES)) - taken
        steps = {self.beyond(peg, way) for way in AROUND} & allowed
        jumps, todo = set[str](), [peg]
        while todo:
            here = todo.pop()
            for way in AROUND:
                over = self.beyond(here, way)
                to = self.beyond(over, way) if over in taken else ""
                if to in allowed - jumps - {peg}:
                    jumps.add(to)
                    todo.append(to)
                    self.seen["chain"] += here != peg
        self.seen["stays"] += peg in goal
        return steps | jumps

    def play(self, text: str) -> None:
        if text != "pass":
            peg, to = text.split("-")
            self.pegs[self.turn] ^= {peg, to}
        self.turns += 1

    def far(self, player: int, name: str) -> float:
        """How many rows it is from the middle towards the player's goal."""
        across, up = PLACES[name][0] / 2, PLACES[name][1] * sqrt(3) / 2
        return (across * cos(self.angles[player]) + up * sin(self.angles[player])) / (sqrt(3) / 2)

    def to_go(self) -> list[int]:
        return [
            round(sum(self.far(i, name) for name in goal) - sum(self.far(i, name) for name in self.pegs[i]))
            for i, goal in enumerate(self.goals)
        ]

    def over(self) -> bool:
        return self.turns == 100 * len(self.pegs) or any(map(set.__eq__, self.pegs, self.goals))


def gained(slow: SlowStar, text: str) -> float:
    peg, to = text.split("-")
    return slow.far(slow.turn, to) - slow.far(slow.turn, peg)


def play_star(position: bw.Position, rng: Random, forward: int, agree: Agree, tell: Tell) -> Counter[str]:
    """One game from its blank position. Returns how often what is rare came up.

    forward: of four moves, so many are the longest one on.
    """
    players = position.game.players
    slow = SlowStar(players)
    while not slow.over():
        texts = sorted(slow.moves())
        agree(not position.is_over and position.player == slow.turn, "another mover", position)
        agree(sorted(position.text(move) for move in position.moves) == texts, "other moves", position)
        agree(position.fields()["to_go"] == slow.to_go(), "other rows to go", position)
        text = texts[rng.below(len(texts))]
        if rng.below(4) < forward and text != "pass":
            text = max(texts, key=lambda one: gained(slow, one))
        position = position.play(text)
        slow.play(text)
        tell(1)
    left = slow.to_go()
    first = [i for i in range(players) if left[i] == min(left)]
    agree(position.is_over and position.fields()["to_go"] == left, "not over", position)
    results = tuple(-1.0 if i not in first else 1.0 if len(first) == 1 else 0.0 for i in range(players))
    agree(position.results == results, "another result", position)
    slow.seen["home"] += min(left) == 0
    return slow.seen
