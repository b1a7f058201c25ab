"""An author's mistakes: each gets one message that names game, method and cure."""

from __future__ import annotations

import multiprocessing
import re
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.check.check import Watch

RIGHT = '''
import boardwright as bw
import numpy as np


class Race(bw.Game):
    """Two runners on a track; a die says how far the runner to move may go at most."""

    length: int = 6
    players = 2
    actions = 3
    outcomes = 3

    def layout(self):
        return [("at", "i1", (2,)), ("turn", "i1"), ("die", "i1")]

    def player(self, s):
        if s.at[0] >= self.length or s.at[1] >= self.length:
            return bw.OVER
        return bw.CHANCE if s.die == 0 else s.turn

    def chances(self, s, outcomes, weights):
        for i in range(3):
            outcomes[i] = i
            weights[i] = 1.0
        return 3

    def draw(self, s, outcome):
        s.die = outcome + 1

    def legal(self, s, moves):
        for i in range(s.die):
            moves[i] = i
        return s.die

    def play(self, s, move):
        s.at[s.turn] += move + 1
        s.turn = 1 - s.turn
        s.die = 0

    def results(self, s, out):
        winner = 0 if s.at[0] >= self.length else 1
        out[winner] = 1.0
        out[1 - winner] = -1.0
'''


def check(folder: Path, source: str, **settings: float) -> bw.Report:
    path = folder / "race.py"
    path.write_text(source)
    return bw.check_game(bw.load(str(path)), games=200, **settings)  # type: ignore[arg-type]  # values of many types


def test_the_right_game_passes(tmp_path: Path) -> None:
    report = check(tmp_path, RIGHT)
    assert [what for what, _ in report.lines] == ["methods", "compiler", "interpreter", "two runs", "play"]
    assert "200 games end" in report.lines[-1][1]


def changed(old: str, new: str) -> str:
    assert RIGHT.count(old) == 1, f"{old!r} stands {RIGHT.count(old)} times in the right game"
    return RIGHT.replace(old, new)


LEGAL_LOOP = "        for i in range(s.die):\n            moves[i] = i\n        return s.die\n"

MISTAKES = {
    "missing method": (changed("    def legal(self, s, moves):\n" + LEGAL_LOOP, ""), r"Race\.legal: missing; write def legal\(self, s, moves\)"),
    "wrong parameters": (changed("def play(self, s, move):", "def play(self, s):\n        move = 0"), r"race\.py:\d+: Race\.play takes \(self, s\); it must take \(self, s, move\)"),
    "no results": (RIGHT[: RIGHT.index("    def results")], r"Race\.results: missing"),
    "draw without chances": (changed("    def draw(self, s, outcome):\n        s.die = outcome + 1\n", ""), r"Race: a game with chance needs all three"),
    "no actions": (changed("actions = 3", "actions = 0"), r"Race\.actions: is 0; it must be a whole number from 1 up"),
    "bad layout": (changed('"i1", (2,)', '"zz", (2,)'), r"Race\.layout: NumPy cannot read it"),
    "object field": (changed('("turn", "i1")', '("turn", "O")'), r"Race\.layout: field 'turn' is of type object; use one of i1"),
    "unknown field": (changed("s.die = outcome + 1", "s.dice = outcome + 1"), r"race\.py:\d+: Race\.draw: the state has no field 'dice'; layout\(\) has at, die, turn"),
    "unknown constant": (changed("winner = 0 if s.at[0] >= self.length else 1", "winner = 0 if s.at[0] >= self.width else 1"), r"race\.py:\d+: Race\.results: it does not compile: Race has no option, constant or method 'width'"),
    "a text in a rule": (changed("length: int = 6", 'length: int = 6\n    mode: str = "x"').replace("s.die = 0", "s.die = 0 if self.mode == 1 else 0"), r"Race\.play: it does not compile: Race\.mode is str"),
    "does not compile": (changed("s.die = 0", "s.die = 0\n        open('x')"), r"race\.py:\d+: Race\.play: "),
    "generator": (changed("s.die = 0", "s.die = 0 * sum(i for i in range(3))"), r"race\.py:\d+: Race\.play: .*write a loop"),
    "a rule that yields": (changed("s.die = 0", "s.die = 0\n        yield 1"), r"Race\.play: a rule cannot yield"),
    "super": (changed("s.die = 0", "s.die = 0\n        super().play(s, move)"), r"race\.py:\d+: Race\.play: .*super\(\) does not compile"),
    "forgotten return": (changed("            moves[i] = i\n        return s.die\n", "            moves[i] = i\n"), r"Race\.legal returns none; it must return a whole number \(every path must end in a return\)"),
    "return on one path": (changed("        return bw.CHANCE if s.die == 0 else s.turn", "        if s.die == 0:\n            return bw.CHANCE"), r"Race\.player returns .*every path must end in a return"),
    "float returned": (changed("return s.die\n", "return s.die / 1\n"), r"Race\.legal returns float64; .*use //"),
    "past the end": (changed("moves[i] = i\n        return s.die", "moves[i] = i\n        moves[3] = 0\n        return s.die"), r"race\.py:\d+: Race\.legal: an index beyond the end of an array"),
    "past the end of the state": (changed("s.at[s.turn] += move + 1", "s.at[s.turn + 1] += move + 1"), r"race\.py:\d+: Race\.play: an index beyond the end"),
    "too many moves": (changed("moves[i] = i\n        return s.die", "moves[i] = i\n        return 5"), r"Race\.legal: returned 5, but only 3 exist"),
    "move out of range": (changed("moves[i] = i\n", "moves[i] = i + 1\n"), r"Race\.legal: wrote 3 .*; write whole numbers from 0 to 2"),
    "move twice": (changed("moves[i] = i\n", "moves[i] = 0\n"), r"Race\.legal: wrote 0 twice"),
    "no moves": (changed("moves[i] = i\n        return s.die", "moves[i] = i\n        return 0"), r"Race\.legal: no move at a position that is not over"),
    "weights of nothing": (changed("weights[i] = 1.0", "weights[i] = 0.0"), r"Race\.chances: the weights sum to 0\.0; give each outcome a weight above 0"),
    "one weight of nothing": (changed("weights[i] = 1.0", "weights[i] = 1.0 * i"), r"Race\.chances: a weight of 0\.0"),
    "bad player": (changed("else s.turn", "else s.turn + 7"), r"Race\.player: returned \d; return 0 to 1, bw\.CHANCE or bw\.OVER"),
    "question changes state": (changed("        return bw.CHANCE if s.die == 0 else s.turn", "        s.at[0] = 0\n        return bw.CHANCE if s.die == 0 else s.turn"), r"race\.py:\d+: Race\.player: a question changed the state; only play and draw may"),
    "number too large": (changed("length: int = 6", "length: int = 100").replace("+= move + 1", "+= 60 * (move + 1)"), r"race\.py:\d+: Race\.play: a number that does not fit its field; give the field a wider type"),
    "two runs differ": (changed('("turn", "i1")', '("turn", "i1"), ("bits", "u8")').replace("s.die = 0\n", "s.die = 0\n        s.bits = 0xF000000000000000\n        s.turn = s.turn if ((s.bits | 1) >> 60) == 15 else 0\n"), r"Race\.play or draw: interpreter and compiled run differ at ply 2 .*field 'turn' is 1 interpreted, 0 compiled"),
    "a crash": (changed('("turn", "i1")', '("turn", "i1"), ("bits", "u8")').replace("s.die = 0\n", "s.die = 0\n        s.bits = 0xF000000000000000\n        s.at[(15 - ((s.bits | 1) >> 60)) * 10**12] = 1\n"), r"Race: the rules crashed their process \(SIGSEGV\) while comparing .*look for an index beyond an array"),
    "playing on elsewhere": (changed("outcomes = 3\n", """outcomes = 3
    policies = ("fast",)

    def fast(self, s, moves, count, weights):
        for i in range(count):
            weights[i] = i

    def play_on(self, policy, s, most, rng, luck, moves, weights):
        if most == 0 or s.die == 0:
            return 0
        s.at[s.turn] += 1
        s.turn = 1 - s.turn
        s.die = 1
        return 1
"""), r"Race\.play_on: \d moves by fast end elsewhere than one by one at ply \d+ .*one number a move from rng"),
    "advice on what cannot be advised": (changed("outcomes = 3\n", 'outcomes = 3\n    card = bw.Card(search=bw.SearchHints(advice={"threads": 2}))\n'), r"Race\.card: search\.advice names 'threads'; a game can advise select, prior, rollout, depth, grow"),
    "never ends": (changed("s.at[s.turn] += move + 1", "s.at[s.turn] += 0"), r"Race\.player: no end after \d+ moves and draws"),
    "endless loop": (changed("s.die = 0", "s.die = 0\n        while s.at[0] < 100:\n            s.turn = s.turn"), r"race\.py:\d+: Race\.play: no end after 2 s while"),
    "result not finite": (changed("out[winner] = 1.0", "out[winner] = np.inf"), r"Race\.results: wrote .*finite"),
    "note of lines": (RIGHT + "\n    def move_note(self, s, move):\n        return 'a\\nb'\n", r"Race\.move_note: 'a\\nb' for"),
    "wrong tally": (RIGHT + "\n    def tally(self, s):\n        return [('all', [7.0, 7.0])]\n", r"does not add up to the scores"),
    "same text": (RIGHT + "\n    def move_text(self, s, move):\n        return 'x'\n", r"Race\.move_text: 0 and 1 are both 'x'"),
    "bad picture": (RIGHT + "\n    def svg(self, s):\n        return '<svg><a & b</svg>'\n", r"Race\.svg: not a well-formed document .*html\.escape"),
    "bad policy": (RIGHT + "\n    policies = ('eager',)\n\n    def eager(self, s, moves, count, weights):\n        for i in range(count):\n            weights[i] = -1.0\n", r"Race\.eager: wrote a weight of -1\.0"),
    "policy missing": (RIGHT + "\n    policies = ('eager',)\n", r"Race\.eager: missing, though policies names it"),
    "bad bounds": (RIGHT + "\n    def bounds(self, s, low, high):\n        for i in range(2):\n            low[i] = 0.0\n            high[i] = 1.0\n", r"Race\.bounds: promised player \d 0 to 1 at ply \d+ .*, where -1 is right; promise only what holds"),
    "forcing without a policy": (RIGHT + "\n    card = bw.Card(search=bw.SearchHints(forcing='eager'))\n", r"Race\.card: search\.forcing names 'eager', which is none of its policies"),
    "bad symmetry": (RIGHT + "\n    symmetries = 2\n\n    def mirror(self, s, image, out):\n        out.at[0] = s.at[1]\n        out.at[1] = s.at[0]\n        out.turn = s.turn\n        out.die = s.die\n", r"Race\.mirror: "),
    "division by zero": (changed("s.die = 0", "s.die = 0 // (s.die - s.die)"), r"race\.py:\d+: Race\.play: ZeroDivisionError"),
}  # fmt: skip


def test_a_compiler_that_takes_its_time_is_known_to_be_alive() -> None:
    """What waits for it would else take it for a rule that never returns."""
    here, there = multiprocessing.Pipe(duplex=False)
    watch = Watch(bw.load("tictactoe"), 0.0, there)
    assert here.poll(120) and here.recv() == ("alive",)
    with watch._lock:
        there.close()
    here.close()


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake: str, tmp_path: Path) -> None:
    source, message = MISTAKES[mistake]
    patience = 2 if mistake == "endless loop" else 120  # what ends by itself may take as long as the machine needs
    with pytest.raises(bw.RuleError) as caught:
        check(tmp_path, source, patience=patience, most_plies=500)
    text = str(caught.value)
    assert re.search(message, text), text
    assert len(text) < 400 and "\n" not in text, text
