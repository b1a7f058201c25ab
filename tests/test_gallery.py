"""The games of docs/examples against a second truth: OpenSpiel, or another, slow reading of the rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import boardwright as bw
from boardwright.bench.examples import EXAMPLES, gallery
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from tests.beside_openspiel import play_beside
from tests.marks import slowly, thorough
from tests.second_readings import Agree, Tell, agreed, play_pig, play_royal_ur, untold

GALLERY = [path.stem for path in gallery()]


def example(name: str, **options: Any) -> bw.Game:
    return bw.load(str(EXAMPLES / f"{name}.py"), **options)


@pytest.mark.parametrize("name", GALLERY)
def test_a_game_of_the_gallery_is_short_and_documented(name: str) -> None:
    lines = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120 and max(map(len, lines)) <= 120
    assert f"(examples/{name}.py)" in (EXAMPLES.parent / "own-game.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ludo", {"players": 5}), ("ludo", {"tokens": 0}), ("cant_stop", {"players": 1}), ("oware", {"quiet": 0}),
        ("breakthrough", {"rows": 3}), ("othello", {"size": 5}), ("dots_and_boxes", {"rows": 0}), ("hex", {"size": 1}),
        ("chinese_checkers", {"players": 4}),
    ],
)  # fmt: skip
def test_options_that_no_board_has_are_refused(name: str, options: dict[str, int]) -> None:
    with pytest.raises(bw.InputError, match=rf"^{name}: .*; choose \d"):
        example(name, **options)


# Pig and the Royal Game of Ur


@pytest.mark.parametrize("seed", range(3))
def test_pig_is_what_a_second_reading_of_its_rules_plays(seed: int) -> None:
    play_pig(example("pig").begin(), Random(seed), agreed, untold)


@pytest.mark.parametrize(("pieces", "seed"), [(7, 1), (7, 2), (2, 3)])
def test_royal_ur_is_what_a_second_reading_of_its_rules_plays(pieces: int, seed: int) -> None:
    play_royal_ur(blank(example("royal_ur", pieces=pieces)), pieces, Random(seed), agreed, untold)


# Ludo


class SlowLudo:
    """Squares by name, a list of them for each player's way; every token knows the name of where it stands."""

    def __init__(self, players: int, tokens: int) -> None:
        seats = {2: (0, 26), 3: (0, 13, 26), 4: (0, 13, 26, 39)}[players]
        self.ways = [
            ["yard"]
            + [f"track {(seat + k) % 52}" for k in range(51)]
            + [f"column {who}.{k}" for k in range(5)]
            + ["home"]
            for who, seat in enumerate(seats)
        ]
        self.safe = {f"track {square}" for square in (0, 8, 13, 21, 26, 34, 39, 47)}
        self.tokens = [["yard"] * tokens for _ in range(players)]
        self.turn, self.roll, self.sixes = 0, 0, 0
        self.seen: Counter[str] = Counter()

    def target(self, name: str) -> str | None:
        """Where a token there would go; None if it cannot."""
        way = self.ways[self.turn]
        if name == "home" or (name == "yard" and self.roll != 6):
            return None
        to = 1 if name == "yard" else way.index(name) + self.roll
        if to >= len(way):
            return None
        there = [sum(token == way[to] for token in own) for who, own in enumerate(self.tokens) if who != self.turn]
        if way[to].startswith("track") and way[to] not in self.safe and max(there) >= 2:
            self.seen["block"] += 1
            return None
        return way[to]

    def movable(self) -> set[int]:
        return {self.ways[self.turn].index(name) for name in self.tokens[self.turn] if self.target(name) is not None}

    def throw(self, face: int) -> None:
        self.roll = face
        self.sixes = self.sixes + 1 if face == 6 else 0
        if self.sixes == 3:
            self.seen["third six"] += 1
            self.pass_on()
        elif not self.movable():
            self.seen["stuck"] += 1
            self.end()

    def move(self, far: int) -> None:
        own, name = self.tokens[self.turn], self.ways[self.turn][far]
        to = self.target(name)
        assert to is not None
        for who, others in enumerate(self.tokens):
            if who != self.turn and to.startswith("track") and to in others:
                if to in self.safe:
                    self.seen["shared"] += 1
                else:
                    self.seen["capture"] += 1
                    others[others.index(to)] = "yard"
        own[own.index(name)] = to
        self.end()

    def end(self) -> None:
        if self.roll == 6:
            self.roll = 0
        else:
            self.pass_on()

    def pass_on(self) -> None:
        self.turn, self.roll, self.sixes = (self.turn + 1) % len(self.tokens), 0, 0

    def counts(self) -> list[list[int]]:
        return [[own.count(name) for name in way] for own, way in zip(self.tokens, self.ways, strict=True)]


def play_ludo(game: bw.Game, tokens: int, rng: Random, agree: Agree, tell: Tell) -> Counter[str]:
    """One game, move for move beside the second reading; `tell` hears of every ply. Returns how often what is rare came
    up."""
    position, slow = blank(game), SlowLudo(game.players, tokens)
    while not position.is_over:
        agree(position.fields()["at"] == slow.counts(), "another board", position)
        if position.is_chance:
            agree(slow.roll == 0, "a throw too many", position)
            face = rng.below(6)
            position = position.advance(face)
            slow.throw(face + 1)
        else:
            agree(position.player == slow.turn and set(position.moves) == slow.movable(), "other moves", position)
            # Tokens that stay together make blocks: half of the moves are the one's that is furthest behind.
            move = position.moves[0] if rng.below(2) else position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            slow.move(move)
        tell(1)
    homes = tuple(1.0 if set(own) == {"home"} else -1.0 for own in slow.tokens)
    agree(position.results == homes, "another winner", position)
    return slow.seen


@pytest.mark.parametrize(("players", "tokens"), [(2, 2), (4, 2), *slowly((3, 2), (4, 4), (2, 1))])
def test_ludo_is_what_a_second_reading_of_its_rules_plays(players: int, tokens: int) -> None:
    game, seen = example("ludo", players=players, tokens=tokens), Counter[str]()
    for seed in range(25):
        seen += play_ludo(game, tokens, Random(seed), agreed, untold)
    assert {"capture", "third six", "stuck"} <= set(seen)
    assert players < 4 or {"shared", "block"} <= set(seen)


def test_ludo_greedy_captures_then_comes_in_then_runs() -> None:
    game = example("ludo")
    at = [[0] * 58, [0] * 58]
    at[0][5] = at[0][40] = at[1][0] = at[1][34] = 1  # where the first player's way has its step 8
    assert liked(placed(game, {"at": at, "turn": 0, "roll": 3, "sixes": 0})) == 5, "a capture"
    at[0][40], at[0][0] = 0, 1
    assert liked(placed(game, {"at": at, "turn": 0, "roll": 6, "sixes": 0})) == 0, "a token that comes in"
    at[0][0], at[0][40] = 0, 1
    assert liked(placed(game, {"at": at, "turn": 0, "roll": 2, "sixes": 0})) == 40, "the one furthest on"


def placed(game: bw.Game, fields: dict[str, Any]) -> bw.Position:
    return game.from_json(json.dumps({**json.loads(blank(game).to_json()), "state": fields}))


def liked(position: bw.Position) -> int:
    return position.moves[int(position.weigh("greedy").argmax())]


def test_ludo_shows_its_board() -> None:
    rows = str(blank(example("ludo", players=4)).advance("6")).splitlines()
    assert rows[2] == "      2A           *  .  .          2B" and rows[12] == "      2D           .  .  *          2C"
    assert rows[6] == " .  *  .  .  .  .     .     .  .  .  *  .  ." and rows[15] == "roll: 6   sixes: 0"


# Can't Stop


class SlowCantStop:
    """Columns by their sum, heights in dictionaries, moves as texts found by trying all orders of the dice."""

    def __init__(self, players: int) -> None:
        self.camps = [dict.fromkeys(range(2, 13), 0) for _ in range(players)]
        self.runners: dict[int, int] = {}
        self.turn = 0
        self.seen: Counter[str] = Counter()

    @staticmethod
    def top(total: int) -> int:
        return 2 * min(total - 1, 13 - total) + 1

    def after(self, sums: tuple[int, ...]) -> dict[int, int] | None:
        """The runners after a step in each of these columns in turn; None if one cannot be made."""
        runners = dict(self.runners)
        for total in sums:
            if any(camp[total] == self.top(total) for camp in self.camps):
                return None
            if total not in runners and len(runners) == 3:
                return None
            height = runners.get(total, self.camps[self.turn][total])
            if height == self.top(total):
                return None
            runners[total] = height + 1
        return runners

    def moves(self, dice: list[int]) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for a, b, c, d in set(permutations(dice)):
            low, high = sorted((a + b, c + d))
            both = self.after((low, high))
            if both is not None:
                found[f"{low}+{high}"] = both
                continue
            one, other = self.after((low,)), self.after((high,))
            if low == high and one is not None:  # there is room for one step of the two
                found[f"{low}+{high}"] = one
                continue
            found |= {str(total): after for total, after in ((low, one), (high, other)) if after is not None}
        return found

    def stop(self) -> None:
        self.camps[self.turn] |= self.runners
        self.next_player()

    def next_player(self) -> None:
        self.runners, self.turn = {}, (self.turn + 1) % len(self.camps)


def play_cant_stop(game: bw.Game, rng: Random, agree: Agree, tell: Tell) -> Counter[str]:
    """One game, move for move beside the second reading; `tell` hears of every move. Returns how often what is rare
    came up."""
    position, slow, seen = blank(game), SlowCantStop(game.players), Counter[str]()
    while not position.is_over:
        fields = position.fields()
        camps = [[camp[total] for total in range(2, 13)] for camp in slow.camps]
        agree(fields["camps"] == camps and fields["turn"] == slow.turn, "another board", position)
        agree(fields["runners"] == [slow.runners.get(total, 0) for total in range(2, 13)], "other runners", position)
        texts = {position.text(move) for move in position.moves}
        if position.is_chance:
            dice = [1 + rng.below(6) for _ in range(4)]
            for face in dice:
                position = position.advance(str(face))
            if not slow.moves(dice):
                seen["lost"] += 1
                slow.next_player()
                agree(position.is_chance, "not lost", position)
        elif "roll" in texts:
            text = "stop" if rng.below(3) == 0 else "roll"
            position = position.play(text)
            if text == "stop":
                slow.stop()
        else:
            moves = slow.moves(dice)
            agree(texts == set(moves), "other moves", position)
            seen["alone"] += any("+" not in text for text in texts)
            seen["twice"] += any(text.partition("+")[0] == text.partition("+")[2] for text in texts)
            text = sorted(texts)[rng.below(len(texts))]
            position = position.play(text)
            slow.runners = moves[text]
        tell(1)
    tops = [sum(camp[total] == slow.top(total) for total in camp) for camp in slow.camps]
    agree(position.results == tuple(1.0 if count >= 3 else -1.0 for count in tops), "another winner", position)
    agree(sum(count >= 3 for count in tops) == 1, "not one winner", position)
    return seen


@pytest.mark.parametrize("players", [2, *slowly(3, 4)])
def test_cant_stop_is_what_a_second_reading_of_its_rules_plays(players: int) -> None:
    game, seen = example("cant_stop", players=players), Counter[str]()
    for seed in range(120 if thorough() else 12):
        seen += play_cant_stop(game, Random(seed), agreed, untold)
    assert min(seen["lost"], seen["alone"], seen["twice"]) > 0


# Against OpenSpiel


def test_breakthrough_agrees_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other_game = example("breakthrough"), pyspiel.load_game("breakthrough(rows=6,columns=6)")
    for seed in range(100):
        other = other_game.new_initial_state()
        for _ in play_beside(game.begin(), other, Random(seed), agreed, text=upside_down, numbers=False):
            pass


def test_breakthrough_is_won_by_capturing_all() -> None:
    game = example("breakthrough")
    cells = [[0] * 6 for _ in range(6)]
    cells[2][2], cells[3][3] = 1, 2
    position = placed(game, {"cells": cells, "left": [1, 1], "turn": 0, "winner": 0})
    assert position.play("c3d4").results == (1.0, -1.0)
    with pytest.raises(bw.InputError):
        position.play("c3d5")


def upside_down(text: str) -> str:
    """OpenSpiel's first player starts at the top, and a star marks captures, which says nothing new."""
    return re.sub(r"\d", lambda found: str(7 - int(found[0])), text.rstrip("*"))


def test_oware_agrees_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other_game, ends = example("oware", quiet=1000), pyspiel.load_game("oware"), Counter[str]()
    for seed in range(600 if thorough() else 60):
        position, other, rng = game.begin(), other_game.new_initial_state(), Random(seed)
        before = set()
        while not position.is_over and not other.is_terminal():
            assert numbers(str(other)) == ours(position)
            assert position.player == other.current_player() and list(position.moves) == other.legal_actions()
            before.add((position.player, tuple(position.fields()["houses"])))
            move = position.moves[rng.below(len(position.moves))]
            position = position.play(move)
            other.apply_action(move)
        if not position.is_over:  # OpenSpiel ends a game that repeats itself; ours counts moves without a capture
            assert (position.player, tuple(position.fields()["houses"])) in before
            ends["repeated"] += 1
            continue
        assert other.is_terminal() and list(position.results or ()) == other.returns()
        ends["half" if max(position.fields()["taken"]) > 24 and sum(position.fields()["taken"]) < 48 else "all"] += 1
    assert ends["half"] > 10 and ends["all"] > 2


def numbers(text: str) -> tuple[list[int], list[int]]:
    """Seeds in the houses, and taken, of OpenSpiel's board."""
    upper, lower = (list(map(int, line.split())) for line in text.splitlines() if re.fullmatch(r"[\d ]+", line))
    scores = [int(found) for found in re.findall(r"score = (\d+)", text)]
    return lower + upper[::-1], scores[::-1]


def ours(position: bw.Position) -> tuple[list[int], list[int]]:
    fields = position.fields()
    return fields["houses"], fields["taken"]


def test_oware_ends_after_moves_without_a_capture() -> None:
    position, rng = example("oware", quiet=10).begin(), Random(1)
    while not position.is_over:
        position = position.play(position.moves[rng.below(len(position.moves))])
    assert position.fields()["still"] == 10 and sum(position.fields()["taken"]) == 48
