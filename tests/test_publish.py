"""Published games: the module that a browser runs searches as the native kernels do; what it cannot have is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import playwright
import pytest

import boardwright as bw
from boardwright.compile.wasm.refusals import refuse
from boardwright.contract.errors import RuleError
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.players.mcts import SearchPlayer
from boardwright.publish.program import compile_program, memory_plan
from boardwright.publish.strengths import analysis_settings, search_settings
from boardwright.search.common_choice import best_line, choice_of
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings, advised
from boardwright.serve.limits import Limits
from boardwright.serve.seats import Seats

ROOT = Path(__file__).parents[1]
WEB = ROOT / "src" / "boardwright" / "publish" / "web"
NODE = Path(playwright.__file__).parent / "driver" / ("node.exe" if sys.platform == "win32" else "node")
EXAMPLES = ROOT / "docs" / "examples"
EXAMPLE_GAMES = [str(path) for path in sorted(EXAMPLES.glob("*.py")) if "\nclass " in path.read_text()]
PIG = str(EXAMPLES / "pig.py")
Ask = Callable[[str, Path, Any], Any]  # a script of tests/js, a folder with game.wasm, what is asked -> what is told
# Settings that differ in what the kernels do: rules of selection, reuse, a tree that must grow, threats and proofs.
WAYS = (
    SearchSettings(simulations=300, seed=1),
    SearchSettings(simulations=200, select="puct", seed=2),
    SearchSettings(simulations=200, select="gumbel", seed=3),
    SearchSettings(simulations=4000, seed=4, megabytes=1.0),
    SearchSettings(simulations=150, proofs=False, threats=False, reuse=False, seed=5),
)


def played(game: bw.Game, plies: int, seed: int = 5) -> list[Position]:
    """A game at random, from before any draw on."""
    rng, line = Random(seed), [blank(game)]
    while len(line) <= plies and not line[-1].is_over:
        here = line[-1]
        line.append(here.sample(rng) if here.is_chance else here.play(here.moves[rng.below(len(here.moves))]))
    return line


def ways_of_strengths(game: bw.Game) -> list[SearchSettings]:
    """How the opponents on the page search, by simulations where they do by the clock."""
    specs = [
        spec for _, spec, _ in Seats({}, Limits()).strengths(game) if spec.startswith("mcts:") and "=auto" not in spec
    ]
    found = [
        player.settings for player in (bw.player(spec, game) for spec in specs) if isinstance(player, SearchPlayer)
    ]
    assert len(found) == len(specs)
    return [replace(one, seconds=0.0, simulations=one.simulations or 500) for one in dict.fromkeys(found)]


def search_natively(search: Search, position: Position) -> dict[str, Any]:
    choice = choice_of(position, [search], [search.grow(position)], 0.0)
    assert search.tree is not None
    return {
        "move": choice.move,
        "simulations": choice.simulations,
        "value": list(choice.value or ()),
        "used": int(search.tree.stats["used"][0]),
        "visits": {str(move): visits for move, visits in choice.visits.items() if visits},
        "rng": str(search.rng.state[0]),
        "line": list(best_line(search.tree, choice.move)),
        "liked": [position.weigh(policy).tolist() for policy in position.game.policies],
    }


def run_node(script: str, folder: Path, asked: Any) -> Any:
    """What a script of tests/js answers about the module in `folder`."""
    done = subprocess.run(
        [str(NODE), "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(ROOT / "tests" / "js" / script),
         str(WEB), str(folder / "game.wasm")],
        input=json.dumps(asked), capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def both_ways(spec: str, folder: Path, plies: int, ask: Ask = run_node) -> None:
    """Searches over a game, natively and by the module, find the same: every visit, value and random number. `ask`: who
    runs a script about the module in a folder."""
    game = bw.load(spec)
    ways = (*WAYS, *ways_of_strengths(game))
    program = compile_program(game, spec)
    (folder / "game.wasm").write_bytes(program.code)
    line = played(game, plies)
    games, expected = [], []
    for way in ways:
        search = Search(game, advised(game, way))
        steps: list[dict[str, Any]] = []
        found = []
        for position in line:
            if position.step is not None:
                steps.append({"step": position.step})
            if position.player >= 0:
                steps.append({"ask": True})
                found.append(search_natively(search, position))
        games.append({"settings": search_settings(search), "steps": steps})
        expected.append(found)
    asked = {"plan": memory_plan(game), "sentences": program.sentences, "games": games}
    answer = ask("published_search.mjs", folder, asked)
    rng = Random(7)
    assert answer["random"] == [str(rng.bits()), rng.below(10), rng.unit(), rng.pick([1, 2, 3])]
    for way, told, found in zip(ways, answer["told"], expected, strict=True):
        assert told["state"] == line[-1].key.hex()
        assert len(told["found"]) == len(found)
        for theirs, ours in zip(told["found"], found, strict=True):
            theirs["visits"] = {move: visits for move, visits in theirs["visits"].items() if visits}
            assert theirs == ours, way


def test_the_module_searches_as_the_native_kernels_do(tmp_path: Path) -> None:
    both_ways("tictactoe", tmp_path, plies=9)


def judged(spec: str, folder: Path, steps: list[int], simulations: int, rounds: int = 0) -> Any:
    """What the page's judge finds out about a game, by the module alone."""
    game = bw.load(spec)
    program = compile_program(game, spec)
    (folder / "game.wasm").write_bytes(program.code)
    asked = {
        "plan": memory_plan(game), "sentences": program.sentences, "analysis": analysis_settings(game),
        "simulations": simulations, "steps": steps, "rounds": rounds,
    }  # fmt: skip
    return run_node("published_judge.mjs", folder, asked)


def test_the_pages_judge_knows_a_lost_move_and_moves_that_are_alike(tmp_path: Path) -> None:
    centre, edge, corner, last = 4, 1, 0, 8  # an edge in reply to the centre loses by force
    found = judged("tictactoe", tmp_path, [centre, edge, corner, last], simulations=1600)
    assert [one["index"] for one in found["verdicts"]] == [0, 1, 2, 3]
    reply = found["verdicts"][1]
    assert (
        reply["sure"] and reply["best"] in (0, 2, 6, 8) and reply["low"] <= reply["loss"] == pytest.approx(1, abs=0.1)
    )
    assert reply["line"][0] == reply["best"] and len(reply["line"]) > 1
    for index in (0, 2, 3):  # the centre draws, the corner wins, and after it all is lost anyway
        one = found["verdicts"][index]
        assert not one["sure"] and one["loss"] <= 2 * one["error"], one
    assert found["verdicts"][3]["error"] == 0.0 == found["verdicts"][3]["loss"]  # proven
    assert found["values"][2][1] == [1, -1] and found["values"][2][2] == 0.0
    assert [len({found["keys"][i] for i in alike}) for alike in ((0, 2, 6, 8), (1, 3, 5, 7), range(9))] == [1, 1, 3]


def test_the_pages_judge_meets_chance_with_the_same_luck_for_both(tmp_path: Path) -> None:
    line = played(bw.load(PIG), 8)
    steps = [position.step for position in line if position.step is not None]
    found = judged(PIG, tmp_path, steps, simulations=200, rounds=2)
    decisions = [i for i, position in enumerate(line[:-1]) if position.player >= 0]
    assert [one["index"] for one in found["verdicts"]] == decisions
    for one in found["verdicts"]:
        if len(line[one["index"]].moves) > 1:
            assert one["error"] > 0.0 and one["low"] < one["loss"] < one["high"]
        else:  # who has not rolled must
            assert one["error"] == 0.0 == one["loss"]
    valued = {index for index, _, _ in found["values"]}
    assert valued >= {0, *decisions, *(i + 1 for i in decisions)}
    assert all(sum(value) == pytest.approx(0.0, abs=1e-9) and error > 0.0 for _, value, error in found["values"])


COUNTING = '''"""Count to three; whoever says three wins."""
import math
import numpy as np

import boardwright as bw


class Counting(bw.Game):
    """Say the next number."""

    players = 2
    actions = 1

    def layout(self):
        return [("said", "i1")]

    def player(self, s):
        return bw.OVER if s.said == 3 else s.said % 2

    def legal(self, s, moves):
        moves[0] = 0
        return 1

    def play(self, s, move):
        # HERE
        s.said += 1

    def results(self, s, out):
        out[0], out[1] = 1.0, -1.0
'''


def counting(folder: Path, line: str) -> str:
    """A game file with this line in one of its rules."""
    path = folder / "counting.py"
    path.write_text(COUNTING.replace("# HERE", line))
    return str(path)


def refused(folder: Path, line: str) -> str:
    spec = counting(folder, line)
    with pytest.raises(RuleError) as caught:
        compile_program(bw.load(spec), spec)
    said = str(caught.value)
    assert said.startswith("counting.py:25: ") and "\n" not in said, said
    return said


def test_a_list_in_a_rule_is_refused_with_file_line_and_cure(tmp_path: Path) -> None:
    said = refused(tmp_path, "s.said += len([move] * (s.said + 1)) - 1 - s.said")
    assert "Counting.play: a list" in said and "np.zeros" in said


def test_a_slice_filled_with_a_number_is_not_blamed_for_an_array_put_into_another(tmp_path: Path) -> None:
    game = bw.load(counting(tmp_path, "row = np.zeros(3)\n        row[:] = -1\n        row[:2] = np.arange(2)"))
    with pytest.raises(RuleError, match=r"^counting\.py:27: Counting\.play: an array put into a slice"):
        refuse(game, ["NRT_Allocate"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("print(s.said)", "print"),
        ("s.said += {0: 0}[move]", "a dict"),
        ("s.said += len(str(s.said)) - 1", "text"),
        ("if s.said > 9: raise ValueError(s.said)", "computed text"),
        ("s.said += len(set((move, move))) - 1", "a set"),
        ("s.said += np.sort(np.zeros(3, np.int64) + move)[0]", "a sort"),
        ("s.said += len([one for one in range(s.said)]) - s.said", "a list"),
        ("s.said += sorted(np.zeros(3, np.int64))[0]", "a sort"),
        ('s.said += len(f"{s.said}") - 1', "text"),
        ("s.said += int(math.lgamma(s.said + 1.0) * 0.0)", "lgamma()"),
        ("s.said += np.int64(np.dot(np.zeros(3), np.zeros(3)))", "a call of NumPy"),
        ("np.zeros(3)[:2] = np.arange(2)", "slice"),
        ("s.said += np.int64(np.random.random() * 0.0)", "random"),
    ],
)
def test_what_a_browser_cannot_have_is_refused(line: str, what: str, tmp_path: Path) -> None:
    said = refused(tmp_path, line)
    assert what in said and "; " in said  # the cure


@pytest.mark.slow
def test_the_bench_compares_the_browser_with_the_native_search() -> None:
    from boardwright.bench.published import measure_published

    (found,) = measure_published(["tictactoe"], lambda text: None, simulations=200, rounds=1)
    assert found.native > 0 and found.browser > 0 and found.ratio > 0
    assert 10_000 < found.module_gzipped < found.module_bytes and found.module_gzipped < found.site_gzipped
    assert found.first_paint > 0 and found.first_reply > 0
