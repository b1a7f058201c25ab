"""Searches over the socket: reports, exactly one final answer, termination, and threads that are free again."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.equal_moves import same_moves
from boardwright.arena.verdict import FEW_VISITS
from boardwright.players import Control
from boardwright.records import Library
from boardwright.records.live_game import LiveGame
from boardwright.serve.jobs import SEEN, describe
from boardwright.serve.limits import Limits
from tests.serving import Served, final, heard, send, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # room enough that no tree is full before it is stopped, however slow the machine
    with served(tmp_path_factory.mktemp("games"), Limits(threads=1, megabytes=4000.0)) as running:
        yield running


def test_a_search_reports_and_ends_with_one_answer(server: Served) -> None:
    table = server.play(server.begin("gomoku"), "h8")
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=1, simulations=3_000_000, seconds=600, most=6)
        messages = [heard(line) for _ in range(4)]
        send(line, "stop", "terminate", of="q")
        while not (messages[-1]["final"] and messages[-1]["id"] == "q"):
            messages.append(heard(line))
        messages = [message for message in messages if message["id"] == "q"]
        send(line, "after", "terminate", of="q")
        assert heard(line) == {"id": "after", "of": "q", "terminated": False, "final": True}
    *reports, last = messages
    assert len(reports) >= 2 and {message["id"] for message in messages} == {"q"}
    assert all(after["simulations"] > before["simulations"] for before, after in itertools.pairwise(reports))
    assert reports[0]["simulations"] >= FEW_VISITS  # a single playout would be told as a chance of 0 or 100 %
    legal = set(table["view"]["moves"])
    assert last["stopped"] is True and last["simulations"] >= reports[-1]["simulations"]
    assert 1 <= len(last["candidates"]) <= 6 and {one["move"] for one in last["candidates"]} <= legal
    best = last["candidates"][0]
    assert best["move"] == last["best"] and best["loss"] == 0.0
    assert next(step["text"] for step in best["line"]) == best["move"]
    assert sum(one["visits"] for one in last["candidates"]) <= last["visits"]
    assert last["value"][0] == pytest.approx(-last["value"][1])


def test_a_loss_within_its_error_accuses_nobody() -> None:
    """Sixteen playouts say little: what looks 10 % worse by them may be as good."""
    position = bw.load("tictactoe").begin()
    settings = "simulations=250,seed=1,rollout=uniform,select=ucb1,proofs=false,forcing=false"
    player = bw.player(f"mcts:{settings}", position.game)
    control = Control(wants_tree=True)
    choice = player.choose(position, control)
    best, *others = describe(position, choice, control.trees[0], 40)["candidates"]
    assert (best["label"], best["error"]) == ("best", 0.0)
    assert all(one["error"] > 0 for one in others)
    few = [one for one in others if one["visits"] >= FEW_VISITS and 0.2 < one["loss"] < 1.9 * one["error"]]
    assert few and {one["label"] for one in few} == {"unsure"}


def test_what_is_proven_has_no_error() -> None:
    """And beside it what is not proven yet is no mistake: X wins with b2 as well."""
    position = bw.load("tictactoe").begin().play("a1").play("a2")
    settings = "simulations=2000,seed=1,rollout=uniform,select=ucb1,forcing=false"
    control = Control(wants_tree=True)
    choice = bw.player(f"mcts:{settings}", position.game).choose(position, control)
    best, *others = describe(position, choice, control.trees[0], 40)["candidates"]
    assert (best["value"], best["label"], best["error"]) == (1.0, "best", 0.0)
    assert "b2" in [one["move"] for one in others if one["error"] > 0]
    assert {one["label"] for one in others if one["error"] > 0} == {"unsure"}


def test_moves_that_are_equal_by_symmetry_are_one_candidate(server: Served) -> None:
    """Images of the best move lost 5 % against it, and one of a proven move was "unsure"."""
    table = server.play(server.begin("gomoku", size=9), "e5")
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=1, simulations=3000, seconds=600, most=40)
        answer = final(line, "q")
    rows = answer["candidates"]
    named = [move for one in rows for move in (one["move"], *one["alike"])]
    assert len(named) == len(set(named)) and answer["moves"] == 80
    assert sum(one["visits"] for one in rows) == answer["visits"]
    ring = next(one for one in rows if one["move"] in ("e6", "d5", "f5", "e4"))
    assert {ring["move"], *ring["alike"]} == {"e6", "d5", "f5", "e4"}
    assert all(len(one["alike"]) in (3, 7) for one in rows)
    assert len([one for one in rows if one["visits"] >= FEW_VISITS]) >= SEEN, "rows, not images, are looked at"


def test_what_is_proven_of_a_move_is_proven_of_its_image() -> None:
    game = bw.load("gomoku")
    position = game.begin()
    for text in "h8 h9 h6 h7 h10 h5".split():
        position = position.play(text)
    control = Control(wants_tree=True)
    choice = bw.player("mcts:simulations=4000,seed=1", game).choose(position, control)
    best = describe(position, choice, control.trees[0], 40, same_moves(position))["candidates"][0]
    assert len(best["alike"]) == 1 and best["move"][1:] == best["alike"][0][1:], "left and right of the line are one"
    alone = describe(position, choice, control.trees[0], 40)["candidates"]
    assert all(one["alike"] == [] for one in alone) and best["visits"] > alone[0]["visits"]


def test_a_won_position_is_seen_as_won(server: Served) -> None:
    """Truth from the board itself: X wins at once with c3, and everything else is worse."""
    table = server.begin("tictactoe")
    for move in ("a1", "a2", "b2", "a3"):
        table = server.play(table, move)
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=4, simulations=500, seconds=600)
        answer = final(line, "q")
    assert answer["best"] == "c3" and answer["value"][0] == pytest.approx(1.0, abs=0.3)
    assert "proven" in answer["note"]


def test_a_terminated_search_frees_its_thread(server: Served) -> None:
    """There is one thread: the second search could not even begin if the first kept it for its ten minutes."""
    table = server.begin("gomoku")
    where = {"table": table["id"], "ply": 0}
    with server.socket() as line:
        send(line, "long", "analyse", **where, seconds=600)
        while heard(line)["final"]:
            pass
        send(line, "next", "analyse", **where, simulations=50)
        send(line, "stop", "terminate", of="long")
        answers: dict[str, Any] = {}
        while len(answers) < 3:
            message = heard(line)
            if message["final"]:
                answers[message["id"]] = message
        assert answers["long"]["stopped"] is True and answers["long"]["candidates"], "with what it knew"
        assert answers["next"]["stopped"] is False


def test_a_client_that_leaves_takes_its_searches_along(server: Served) -> None:
    table = server.begin("gomoku")
    with server.socket() as line:
        for number in range(4):
            send(line, f"q{number}", "analyse", table=table["id"], ply=0, seconds=600)
        heard(line)
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=0, simulations=50, seconds=600)
        assert final(line, "q")["simulations"] >= 50


def test_every_query_gets_exactly_one_final_answer(server: Served) -> None:
    table = server.begin("gomoku")
    luck = random.Random(1)
    asked: Counter[str] = Counter()
    finals: Counter[str] = Counter()
    with server.socket() as line:
        for number in range(60):
            kind = luck.choice(["short", "long", "bad", "stop", "stop"])
            id = f"{kind}-{number}"
            asked[id] += 1
            if kind == "stop":
                send(line, id, "terminate", of=luck.choice(list(asked)))
            else:
                budget = {"short": 0.01, "long": 100, "bad": -1}[kind]
                send(line, id, "analyse", table=table["id"], ply=0, seconds=budget)
            if kind == "long":
                asked[f"end-{id}"] += 1
                send(line, f"end-{id}", "terminate", of=id)
        while sum(finals.values()) < sum(asked.values()):
            message = heard(line)
            finals[message["id"]] += message["final"]
        send(line, "last", "terminate", of="nothing")
        assert heard(line)["id"] == "last", "and nothing more is on its way"
    assert finals == asked


def test_an_id_in_use_is_refused_without_disturbing_its_owner(server: Served) -> None:
    table = server.begin("gomoku")
    with server.socket() as line:
        for _ in range(2):
            send(line, "q", "analyse", table=table["id"], ply=0, seconds=600)
        refused = next(message for message in iter(lambda: heard(line), None) if "error" in message)
        assert refused["id"] == "" and "still being answered" in refused["error"]
        send(line, "stop", "terminate", of="q")
        assert final(line, "q")["stopped"] is True


def test_the_tree_opens_child_by_child_while_it_grows_and_after(server: Served) -> None:
    table = server.play(server.begin("tictactoe"), "b2")
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=1, simulations=2000, seconds=600)
        send(line, "early", "tree", of="q", path=[])
        answers: dict[str, Any] = {}
        while len(answers) < 2:
            message = heard(line)
            if message["final"]:
                answers[message["id"]] = message
        send(line, "t", "tree", of="q", path=[])
        top = final(line, "t")
        assert {child["text"] for child in top["children"]} <= set(table["view"]["moves"])
        assert all(child["whose"] == 1 for child in top["children"])
        child = next(one for one in top["children"] if one["opens"])
        send(line, "u", "tree", of="q", path=[child["slot"]])
        below = final(line, "u")
        assert below["children"] and child["text"] not in {one["text"] for one in below["children"]}
        assert sum(one["visits"] for one in below["children"]) + below["more_visits"] <= child["visits"]
        for path in ([10**9], [child["slot"], child["slot"]], ["a"]):
            send(line, "v", "tree", of="q", path=path)
            assert "error" in final(line, "v")
        send(line, "w", "tree", of="nobody", path=[])
        assert final(line, "w")["status"] == 404


def test_a_player_moves_for_its_seat_only_and_only_once(server: Served) -> None:
    table = server.play(server.begin("gomoku", "human", "mcts:simulations=40"), "h8")
    with server.socket() as line, server.socket() as other:
        for socket in (line, other):
            send(socket, "m", "move", table=table["id"], ply=1)
        answers = [final(socket, "m") for socket in (line, other)]
        played = [answer for answer in answers if "move" in answer]
        assert len(played) == 1 and played[0]["table"]["ply"] == 2
        assert [answer["status"] for answer in answers if "error" in answer] == [409]
        send(line, "n", "move", table=table["id"], ply=2)
        assert "person" in final(line, "n")["error"]
    assert server.get(f"/api/tables/{table['id']}").json()["ply"] == 2


def test_a_terminated_move_is_not_played(server: Served) -> None:
    table = server.play(server.begin("gomoku", "human", "mcts:seconds=50"), "h8")
    with server.socket() as line:
        send(line, "m", "move", table=table["id"], ply=1)
        assert not heard(line)["final"]
        send(line, "s", "terminate", of="m")
        assert final(line, "m")["stopped"] is True
    assert server.get(f"/api/tables/{table['id']}").json()["ply"] == 1


def test_a_learnt_player_reports_and_is_terminated_too(tmp_path: Path) -> None:
    """One with a model is shared by all games: whoever waits for its turn can be terminated as well."""
    sage = "mcts:net=auto,seconds=3600,proofs=false"
    with served(tmp_path, Limits(threads=2, megabytes=4000.0), Sage=sage) as server:
        tables = [server.play(server.begin("tictactoe", "human", "Sage"), "a1") for _ in range(2)]
        with server.socket() as thinking, server.socket() as waiting:
            send(thinking, "m", "move", table=tables[0]["id"], ply=1)
            assert heard(thinking)["simulations"] > 0
            send(waiting, "w", "move", table=tables[1]["id"], ply=1)
            send(waiting, "s", "terminate", of="w")
            assert final(waiting, "w")["stopped"] is True
            send(thinking, "s", "terminate", of="m")
            assert final(thinking, "m")["stopped"] is True
        assert [server.get(f"/api/tables/{table['id']}").json()["ply"] for table in tables] == [1, 1]


@pytest.mark.parametrize(
    ("size", "analyst", "simulations"),
    [(11, "mcts:select=puct", 30_000), (7, "mcts:net=auto", 2500)],
)
def test_an_analysis_goes_on_beyond_its_memory(tmp_path: Path, size: int, analyst: str, simulations: int) -> None:
    """With a network too. The five moves on top have been looked at."""
    with served(tmp_path, Limits(threads=1, megabytes=1.0)) as server, server.socket() as line:
        game = bw.load("gomoku", size=size)
        assert server.context.seats.lookers(game)[0].startswith(analyst)
        table = server.begin("gomoku", size=size)
        send(line, "q", "analyse", table=table["id"], ply=0, simulations=simulations, seconds=600)
        answer = final(line, "q")
    assert "kept to 1 megabytes" in answer["note"] and "stopped" not in answer["note"]
    assert answer["simulations"] >= simulations and not answer["stopped"]
    visits = sorted((one["visits"] for one in answer["candidates"]), reverse=True)
    assert len(visits) >= 5 and visits[4] >= FEW_VISITS


def test_analysis_of_a_game_in_progress_marks_it(server: Served) -> None:
    table = server.play(server.begin("tictactoe", "human", "Easy"), "b2")
    assert not server.get(f"/api/tables/{table['id']}").json()["assisted"]
    with server.socket() as line:
        send(line, "q", "analyse", table=table["id"], ply=1, simulations=20)
        final(line, "q")
    assert "hint" in server.get(f"/api/tables/{table['id']}").json()["note"]


def test_the_report_adds_up_to_the_result(server: Served) -> None:
    table = server.begin("2048", size=2, seed=3)
    while table["view"]["moves"]:
        table = server.play(table, table["view"]["moves"][0])
    with server.socket() as line:
        send(line, "r", "report", table=table["id"], simulations=30)
        answer = final(line, "r")
    analysis = answer["analysis"]
    account = analysis["accounts"][0]
    total = account["start"] + account["luck"] - account["losses"] + account["others"] + account["mind"]
    assert total == pytest.approx(account["result"]) == pytest.approx(table["view"]["scores"][0])
    assert sum(event["count"] for event in analysis["events"]) == table["ply"]
    assert [row[0] for row in answer["scores"]][-1] == table["view"]["scores"][0]


@pytest.mark.slow
def test_2048_is_judged_by_what_was_learnt(server: Served) -> None:
    """The table expects what a good player gets from here on; its losses and the luck still add up to the result."""
    table = server.begin("2048", seed=3)
    for _ in range(8):
        table = server.play(table, table["view"]["moves"][-1])
    with server.socket() as line:
        send(line, "r", "report", table=table["id"])
        analysis = final(line, "r")["analysis"]
    moves = [event for event in analysis["events"] if event["kind"] == "move"]
    assert analysis["analyst"].startswith("tuples") and len(moves) == 8
    assert all(event["label"] and event["error"] >= 0.0 for event in moves)
    assert all(event["loss"] == 0.0 or event["low"] > 0.0 for event in moves)
    account = analysis["accounts"][0]
    total = account["start"] + account["luck"] - account["losses"] + account["others"] + account["mind"]
    assert total == pytest.approx(account["result"]) and account["start"] > 5000


def test_a_report_is_refined_until_told_to_stop_and_comes_back(server: Served) -> None:
    table = server.begin("2048", size=2, seed=3)
    for _ in range(6):
        table = server.play(table, table["view"]["moves"][0])
    address = f"/api/tables/{table['id']}"
    assert server.get(f"{address}/report").json() == {"report": None}
    with server.socket() as line:
        send(line, "r", "report", table=table["id"], simulations=30, seconds=600)
        while "analysis" not in (whole := heard(line)):
            assert whole["of"] >= whole["done"] and not whole["final"]
        first = server.get(f"{address}/report").json()["report"]["analysis"]  # it, or what became of it by now
        assert whole["refining"] and [e["text"] for e in first["events"]] == [
            e["text"] for e in whole["analysis"]["events"]
        ]
        send(line, "s", "terminate", of="r")
        last = final(line, "r")
    assert not last["refining"] and "stopped" not in last
    kept = server.get(f"{address}/report").json()["report"]
    assert kept["analysis"] == last["analysis"] and kept["format"] == last["analysis"]["format"]
    with server.socket() as line:
        send(line, "r", "report", table=table["id"], seconds=600)
        while "analysis" not in (again := heard(line)):
            pytest.fail(f"it goes on from where it was: {again}")
        assert again["refining"] and again["analysis"]["rounds"] >= last["analysis"]["rounds"]
        send(line, "s", "terminate", of="r")
        assert final(line, "r")["analysis"]["rounds"] >= again["analysis"]["rounds"]
    server.play(table, table["view"]["moves"][0])
    assert server.get(f"{address}/report").json() == {"report": None}, "the game went on"


def test_a_report_can_be_stopped(server: Served) -> None:
    live = LiveGame(bw.load("gomoku"), ("human", "human"), 1).begin()
    while len(live.plies) < 100:  # half a million simulations: it has not ended when it is told to stop
        live.play(live.position.moves[(10 * len(live.plies)) % len(live.position.moves)], 0.1)
    server.context.store.library.save(live.record())
    with server.socket() as line:
        send(line, "r", "report", table=live.id, simulations=5000)
        send(line, "s", "terminate", of="r")
        assert final(line, "r") == {"id": "r", "stopped": True, "final": True}


@pytest.mark.parametrize(
    "message",
    ["", "{", "[]", "5", '{"id": 5}', '{"id": "a"}', '{"id": "a", "action": "_start"}', '{"id": "a", "action": "x"}',
     '{"id": "a", "action": "analyse"}', '{"id": "a", "action": "analyse", "table": "x", "ply": 0}',
     '{"id": "a", "action": "analyse", "position": {}}', '{"id": "a", "action": "tree"}',
     '{"id": "a", "action": "analyse", "position": {"game": "2048", "options": {}, "state": 5}}',
     '{"id": "a", "action": "move", "table": "../x", "ply": 0}', '{"id": "a", "action": "terminate", "of": ["q"]}'],
)  # fmt: skip
def test_bad_messages_are_answered_and_the_line_stays_open(server: Served, message: str) -> None:
    with server.socket() as line:
        line.send(message)
        answer = heard(line)
        assert answer["final"] is True and answer["error"]
        send(line, "x", "terminate", of="nothing")
        assert heard(line)["id"] == "x"


def test_a_position_from_a_stranger_is_searched_too(server: Served) -> None:
    game = bw.load("tictactoe")
    position = json.loads(game.begin().play("b2").to_json())
    with server.socket() as line:
        send(line, "q", "analyse", position=position, steps=["a1"], simulations=200)
        assert final(line, "q")["player"] == 0
        send(line, "r", "analyse", position=position, steps=["a1", "a1"], simulations=200)
        assert "X has b2" not in final(line, "r")["error"]


def test_a_slow_reader_misses_reports_but_no_answer(tmp_path: Path) -> None:
    with served(tmp_path, Limits(threads=2)) as server:
        table = server.begin("gomoku")
        with server.socket(max_queue=1) as line:
            for number in range(6):
                send(line, f"q{number}", "analyse", table=table["id"], ply=0, seconds=0.4)
            with server.socket() as other:  # by the time this one is answered, the first has much to read
                send(other, "o", "analyse", table=table["id"], ply=0, seconds=0.4)
                final(other, "o")
            answers: dict[str, int] = {}
            while len(answers) < 6:
                message = heard(line)
                if message["final"]:
                    answers[message["id"]] = len(message["candidates"])
            assert all(answers.values())
    assert Library(tmp_path / "records.sqlite3").get(table["id"])
