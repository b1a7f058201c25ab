"""The JSON-lines engine as other programs meet it: a process, an object a line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.position import blank
from tests import processes
from tests.marks import slowly, thorough
from tests.processes import run_here

ROOT = Path(__file__).parents[1]
PATIENCE = 120  # seconds until a test gives up on an engine that hangs


def command(game: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "boardwright", "engine", "json", game, *options]


def converse(game: str, lines: list[bytes], *options: str) -> list[dict[str, Any]]:
    """Every answer to a session. Standard error is joined: nothing but objects may appear."""
    said = processes.converse(b"\n".join(lines), "engine", "json", game, *options)
    return [json.loads(line) for line in said.splitlines()]


def ask(game: str, *queries: dict[str, Any]) -> dict[Any, dict[str, Any]]:
    """The final answer, or the error, of each query by its id."""
    said = converse(game, [json.dumps(query).encode() for query in queries])
    finals = [one for one in said if not one.get("isDuringSearch")]
    assert Counter(one.get("id") for one in finals) == Counter(query.get("id") for query in queries)
    return {one.get("id"): one for one in finals}


class Client:
    def __init__(self, game: str) -> None:
        self.process = subprocess.Popen(
            command(game), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def send(self, **query: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(query).encode() + b"\n")
        self.process.stdin.flush()

    def next(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextmanager
def client(game: str) -> Iterator[Client]:
    one = Client(game)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.communicate()


@pytest.fixture(scope="module")
def tictactoe() -> Iterator[Client]:
    with client("tictactoe") as one:
        yield one


def test_an_answer_is_what_the_player_itself_would_say() -> None:
    game = bw.load("gomoku:size=6")
    position = game.begin().play("a1").play("b2")
    choice = bw.player("mcts:simulations=300,seed=5", game).choose(position)
    query = {"id": "q", "moves": ["a1", "b2"], "simulations": 300, "settings": {"seed": 5}, "includeBoard": True}
    answer = ask("gomoku:size=6", query)["q"]
    assert answer["move"] == position.text(choice.move) == answer["moveInfos"][0]["move"]
    assert answer["simulations"] == choice.simulations and answer["value"] == list(choice.value or ())
    assert {info["number"]: info["visits"] for info in answer["moveInfos"]} == {
        move: visits for move, visits in choice.visits.items() if visits
    }
    assert [info["order"] for info in answer["moveInfos"]] == list(range(len(answer["moveInfos"])))
    assert answer["toMove"] == 0 and answer["isDuringSearch"] is False and answer["board"] == str(position)
    assert answer["moveInfos"][0]["pv"][0] == answer["move"]
    best, *others = answer["moveInfos"]
    assert (best["loss"], best["error"], best["label"]) == (0.0, 0.0, "best") and answer["valueError"] > 0.0
    assert all(one["valueError"] > 0.0 for one in others)
    for one in others:  # the images of the best move are as good
        assert (one["loss"], one["label"]) == (0.0, "best") if one["error"] == 0.0 else one["loss"] >= 0.0
    assert "unsure" in {one["label"] for one in others}


@pytest.mark.parametrize("name", ["tictactoe", "2048", "nmbr9", "azul", *slowly("gomoku:size=7")])
def test_every_game_is_analysed_along_a_whole_line_with_its_draws(name: str) -> None:
    game, rng = bw.load(name), bw.Random(4)
    position, steps = blank(game), list[int]()
    while len(steps) < 30 and not position.is_over:
        choices = [outcome for outcome, _ in position.chances] if position.is_chance else list(position.moves)
        steps.append(choices[rng.below(len(choices))])
        position = position.advance(steps[-1])
    queries: list[dict[str, Any]] = []
    for count in range(0, len(steps) + 1, 5):
        queries.append({"id": count, "moves": steps[:count], "simulations": 8})
    stored = json.loads(position.to_json())
    queries.append({"id": "stored", "position": stored, "simulations": 8, "includePosition": True})
    queries.append({"id": "seeded", "seed": 3, "simulations": 8})
    answers = ask(name, *queries)
    assert not any("error" in answer for answer in answers.values())
    assert answers["stored"]["position"] == stored
    here = blank(game)
    for count in range(len(steps) + 1):
        if count in answers:
            mover = None if here.is_over else "chance" if here.is_chance else here.player
            assert answers[count]["toMove"] == mover
            if mover == "chance":
                assert [one["number"] for one in answers[count]["chances"]] == [o for o, _ in here.chances]
            elif mover is None:
                assert answers[count]["results"] == list(here.results or ())
            else:
                assert here.parse(answers[count]["move"]) == answers[count]["moveInfos"][0]["number"]
        if count < len(steps):
            here = here.advance(steps[count])


def test_reports_then_one_final_answer_then_the_next_query() -> None:
    with client("gomoku:size=6") as one:
        one.send(id="long", simulations=10**9, reportDuringSearchEvery=0.02)
        one.send(id="next", simulations=5)
        reports = [one.next() for _ in range(3)]
        assert all(report["id"] == "long" and report["isDuringSearch"] for report in reports)
        assert reports[0]["simulations"] < reports[2]["simulations"]
        one.send(id="t", action="terminate", terminateId="long")
        both: dict[str, dict[str, Any]] = {}
        while set(both) != {"t", "long"}:
            answer = one.next()
            if not answer.get("isDuringSearch"):  # a report may have been on its way
                assert answer["id"] not in both
                both[answer["id"]] = answer
        assert both["t"] == {"id": "t", "action": "terminate", "terminateId": "long"}
        assert both["long"]["isDuringSearch"] is False and both["long"]["simulations"] > 0
        assert one.next()["id"] == "next"


def test_a_game_is_judged_with_errors() -> None:
    moves = "a3 a1 b3 b1 c2 c1".split()
    (answer,) = ask("tictactoe", {"id": 1, "moves": moves, "judge": True, "simulations": 60}).values()
    events = answer["analysis"]["events"]
    assert [event["text"] for event in events] == moves
    blunder = events[4]
    assert (blunder["label"], blunder["best"], blunder["loss"], blunder["error"]) == ("blunder", "c3", 2.0, 0.0)
    assert {"estimate", "low", "high", "line", "before", "after"} <= set(blunder)
    account = answer["analysis"]["accounts"][0]
    parts = account["start"] + account["luck"] - account["losses"] + account["others"] + account["mind"]
    assert parts == account["result"] == -1.0


def test_a_judged_game_is_refined_for_the_seconds_asked_for() -> None:
    """Until it is told to stop: what was found by then is the answer."""
    moves = "c3 d4 c4 a1 f6".split()
    with client("gomoku:size=6") as one:
        one.send(id=1, moves=moves, judge=True, simulations=20, seconds=600, reportDuringSearchEvery=0.001)
        reports: list[dict[str, Any]] = []
        while len(reports) < 3:
            reports.append(one.next())
            assert reports[-1].get("isDuringSearch"), reports[-1]
        rounds = [report["analysis"]["rounds"] for report in reports]
        assert rounds == sorted(rounds) and rounds[-1] >= 2
        one.send(id=2, action="terminate", terminateId=1)
        while (answer := one.next())["id"] != 1 or answer["isDuringSearch"]:
            pass
    assert [event["text"] for event in answer["analysis"]["events"]] == moves
    assert answer["analysis"]["rounds"] >= rounds[-1]


def test_a_query_that_is_ended_before_it_began_has_no_results() -> None:
    with client("gomoku:size=6") as one:
        one.send(id="first", simulations=10**9)
        one.send(id="second", simulations=10**9)
        one.send(id="ping", action="ping")
        assert one.next() == {"id": "ping", "action": "ping"}, "actions do not wait"
        one.send(id="all", action="terminate_all")
        answers = {(answer := one.next())["id"]: answer for _ in range(3)}
        assert answers["second"]["noResults"] is True and answers["first"]["isDuringSearch"] is False


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"moves": []}, "id is missing"),
        ({"id": None}, "id is missing"),
        ({"id": "a", "move": "b2"}, "no field 'move'; there are id, action,"),
        ({"id": "a", "action": "dance"}, "no action 'dance'; there are query_version, ping, terminate, terminate_all"),
        ({"id": "a", "action": "terminate"}, "terminate needs terminateId"),
        ({"id": "a", "moves": "b2"}, "moves must be a list"),
        ({"id": "a", "moves": ["b2", "b2"]}, "moves: number 2: tictactoe: 'b2' - X has b2"),
        ({"id": "a", "moves": [True]}, "moves: number 1 is True"),
        ({"id": "a", "moves": ["a1", "b1", "a2", "b2", "a3", "c3"]}, "number 6 is 'c3', but the game is over"),
        ({"id": "a", "simulations": -1}, "simulations=-1 must be 0 to"),
        ({"id": "a", "simulations": 1.5}, "simulations=1.5 does not fit; it must be a whole number"),
        ({"id": "a", "seconds": "long"}, "seconds='long' does not fit"),
        ({"id": "a", "settings": {"d": 1}}, "settings has no setting 'd'; its settings are: simulations="),
        ({"id": "a", "settings": []}, "settings must be an object"),
        ({"id": "a", "reportDuringSearchEvery": "x"}, "reportDuringSearchEvery='x' must be a number"),
        ({"id": "a", "position": {"boardwright": 1}}, "tictactoe: position belongs to None"),
        ({"id": "a", "seed": -4}, "seed=-4 must be a number from 0 up"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_cure(
    query: dict[str, Any], message: str, tictactoe: Client
) -> None:
    tictactoe.send(**query)
    said = tictactoe.next()
    assert message in said["error"] and said.get("id") == query.get("id")
    tictactoe.send(id="next", action="ping")
    assert tictactoe.next()["id"] == "next", "one answer and no more"


def test_one_id_at_a_time() -> None:
    with client("gomoku:size=6") as one:
        one.send(id="a", simulations=10**9)
        one.send(id="a", simulations=1)
        assert "still being worked on" in one.next()["error"]
        one.send(id="v", action="query_version")
        assert one.next()["version"] == bw.__version__
        one.send(id="t", action="terminate", terminateId="a")
        assert {one.next()["id"], one.next()["id"]} == {"a", "t"}
        one.send(id="a", simulations=1)
        assert one.next()["simulations"] == 1


QUERIES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(st.sampled_from(["a", "b", 3]), st.none(), st.booleans(), st.floats(allow_nan=False)),
        "moves": st.lists(st.sampled_from(["a1", "b2", "c3", "a2", 4, 5, -1, 10**30, None, "zz", 1.5, []]), max_size=4),
        "simulations": st.sampled_from([1, 7, 0, -5, 10**18, 2.5, "9", None]),
        "seconds": st.sampled_from([0.001, -1, 1e308, "x"]),
        "settings": st.sampled_from([{}, {"c": 2}, {"c": "high"}, {"threads": 2}, {"select": "gumbel"}, {"x": 1}, 5]),
        "action": st.sampled_from(["ping", "query_version", "terminate_all", "terminate", "", 7, None]),
        "terminateId": st.sampled_from(["a", 3, None, []]),
        "position": st.sampled_from([{}, [], None, "x", {"boardwright": 1, "game": "tictactoe"}]),
        "seed": st.sampled_from([0, 5, -1, 1e300, "x"]),
        "reportDuringSearchEvery": st.sampled_from([0.001, 0, -1, "x"]),
        "more": st.just(1),
    },
)
LINES = st.one_of(
    QUERIES.map(lambda query: json.dumps(query).encode()),
    QUERIES.map(lambda query: json.dumps(query).encode()[:-3]),
    st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")),
    st.sampled_from(
        [b"", b"   ", b"null", b"[1]", b"NaN", b"[" * 5000, b'{"id": "a", "moves": [' + b"9" * 5000 + b"]}"]
    ),
)


@settings(max_examples=20 if thorough() else 4)  # a process each
@given(st.lists(LINES, max_size=15))
def test_no_session_crashes_hangs_or_is_answered_twice(lines: list[bytes]) -> None:
    said = converse("tictactoe", lines, "--player", "mcts:simulations=5")
    due = sum(bool(line.decode("utf-8", "replace").strip("\r\n\t \0\ufeff")) for line in lines)
    assert len([one for one in said if not one.get("isDuringSearch")]) == due
    assert all(set(one) & {"error", "action", "isDuringSearch"} for one in said)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["go"], "no game 'go'"),
        (["tictactoe", "--player", "greedy"], "--player greedy: analysis is by search"),
        (["tictactoe", "--player", "mcts:d=1"], "player mcts has no setting 'd'"),
    ],
)
def test_bad_arguments_are_told_before_it_begins(arguments: list[str], message: str) -> None:
    done = run_here("engine", "json", *arguments)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


def test_the_client_of_the_docs_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "examples" / "analysis_client.py"), "tictactoe", "a1", "b2"],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert "final" in done.stdout and done.stderr == ""
