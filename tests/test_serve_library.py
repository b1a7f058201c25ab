"""The library over HTTP: whose games, names and scores, filters, best scores, studies, exercises; all in SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.analyse import FORMAT
from boardwright.contract.errors import InputError
from boardwright.records import Library
from boardwright.records.exercises import DAYS, Exercises
from boardwright.records.live_game import LiveGame
from boardwright.records.people import People
from boardwright.records.reports import Reports
from boardwright.records.studies import MOST_NODES, check_nodes
from tests.serving import Served, served

ME, OTHER = "a" * 32, "b" * 32
WON = ("a1", "b1", "a2", "b2", "a3")
LOST = ("a1", "b1", "a2", "b2", "c3", "b3")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("library")) as running:
        yield running


def keep(library: Library, seats: tuple[str, ...], *moves: str, game: str = "tictactoe", note: str = "") -> str:
    """A game that was played."""
    live = LiveGame(bw.load(game), seats, 1).begin()
    for move in moves:
        live.play(move, 0.1)
    live.note = note
    library.save(live.record())
    return live.id


def play_tiny(library: Library, note: str = "") -> str:
    """A person's whole game of 2048 on a tiny board."""
    live = LiveGame(bw.load("2048:size=2"), ("human",), 1).begin()
    while not live.is_over:
        live.play(live.position.moves[0], 0.1)
    live.note = note
    library.save(live.record())
    return live.id


def listed(server: Served, **fields: str) -> list[dict[str, Any]]:
    with server.client() as client:
        answer = client.get("/api/tables", params={"limit": "200", **fields})
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["tables"]
    return rows


def test_names_results_and_whose_games(server: Served) -> None:
    library = server.context.store.library
    won, lost = keep(library, ("human", "greedy"), *WON), keep(library, ("human", "random"), *LOST)
    keep(library, ("greedy", "random"), *WON)
    for id, person, name in ((won, ME, "Ann"), (lost, OTHER, "Ben")):
        told = server.post(f"/api/tables/{id}/people", person=person, name=name, seats=[0])
        assert told.status_code == 200, told.text
    rows = {row["id"]: row for row in listed(server, person=ME)}
    assert rows[won]["names"][0] == "Ann" and rows[won]["mine"] == [0] and rows[won]["ended"] == "won"
    assert rows[lost]["names"] == ["Ben", "Random"] and rows[lost]["mine"] == [] and rows[lost]["ended"] == "lost"
    assert [row["id"] for row in listed(server, person=ME, whose="mine")] == [won]
    assert server.post("/api/people", person=OTHER, name="Benjamin").json() == {"name": "Benjamin"}
    assert [row["names"][0] for row in listed(server, who="benjamin")] == ["Benjamin"]
    assert {row["id"] for row in listed(server, whose="people")} == {won, lost}, "matches are left out"
    assert [row["id"] for row in listed(server, result="lost")] == [lost]
    assert [row["id"] for row in listed(server, who="ann")] == [won]
    assert listed(server, since="2999-01-01") == []
    assert not rows[won]["counts"], "there are no points to show"


def test_what_does_not_fit_is_refused(server: Served) -> None:
    id = keep(server.context.store.library, ("human", "greedy"), *WON)
    for fields in ({"person": "me"}, {"whose": "mine"}, {"whose": "yours"}, {"result": "good"}, {"since": "yesterday"}):
        with server.client() as client:
            answer = client.get("/api/tables", params=fields)
        assert answer.status_code == 400 and answer.json()["error"], fields
    assert server.post(f"/api/tables/{id}/people", person=ME, name="", seats=[1]).status_code == 400
    for name in ("\x1b[31m\u202e", "\u2066Ann", "A\x07nn"):
        for path, seats in ((f"/api/tables/{id}/people", {"seats": [0]}), ("/api/people", {})):
            refused = server.post(path, person=ME, name=name, **seats)
            assert refused.status_code == 400 and "control characters" in refused.json()["error"]


def test_best_scores_are_of_people_without_help_by_variant(server: Served) -> None:
    library = server.context.store.library
    ids = [play_tiny(library), play_tiny(library, "assisted: hint")]
    People(library).sit(ids[0], [0], ME, "Ann")
    best = server.get(f"/api/best?game=2048&person={ME}").json()["best"]
    assert len(best) == 1 and best[0]["variant"] == "rows and columns: 2"
    assert [(one["id"], one["name"], one["mine"]) for one in best[0]["scores"]] == [(ids[0], "Ann", True)]
    assert best[0]["scores"][0]["score"] == library.get(ids[0]).scores[0]
    assert listed(server, game="2048")[0]["counts"]


def test_a_deleted_game_leaves_nobody_behind(server: Served) -> None:
    library = server.context.store.library
    id = keep(library, ("human", "greedy"), *WON)
    People(library).sit(id, [0], OTHER, "Ben")
    library.delete(id)
    assert id not in People(library).games_of(OTHER)
    People(library).sit(id, [0], OTHER, "Ben")
    assert id not in People(library).games_of(OTHER), "nobody sits at a game that is not there"


# Studies

NODES = [
    {"parent": -1, "text": "", "by": -9, "comment": "the start"},
    {"parent": 0, "text": "b2", "by": 0, "comment": ""},
    {"parent": 1, "text": "a1", "by": 1, "comment": "a corner"},
    {"parent": 0, "text": "a1", "by": 0, "comment": "or so"},
]


def test_a_study_is_kept_with_branches_and_comments(server: Served) -> None:
    table = server.begin("tictactoe", "human", "human")
    made = server.post("/api/studies", table=table["id"], ply=0, title="Corners", nodes=NODES, person=ME).json()
    again = server.get(f"/api/studies/{made['id']}").json()
    assert again["nodes"] == NODES and again["base"] == {"table": table["id"], "ply": 0} and again["title"] == "Corners"
    saved = server.post(f"/api/studies/{made['id']}", nodes=NODES[:2], title="Centre", version=made["version"])
    assert saved.status_code == 200 and saved.json()["version"] == made["version"] + 1
    late = server.post(f"/api/studies/{made['id']}", nodes=NODES, title="Late", version=made["version"])
    assert late.status_code == 409 and "changed elsewhere" in late.json()["error"]
    mine = [one for one in server.get(f"/api/studies?person={ME}").json()["studies"] if one["id"] == made["id"]]
    assert mine[0]["title"] == "Centre" and mine[0]["mine"]
    with server.client() as client:
        client.request("DELETE", f"/api/tables/{table['id']}", json={})
        base = client.get(f"/api/studies/{made['id']}").json()["base"]
        assert base["position"]["game"] == "tictactoe", "the position outlives its game"
        assert client.request("DELETE", f"/api/studies/{made['id']}", json={}).status_code == 200
        assert client.get(f"/api/studies/{made['id']}").status_code == 404


def test_what_is_no_tree_is_refused() -> None:
    root = NODES[0]
    wrong: tuple[list[Any], ...] = (
        [],
        ["b2"],
        [{**root, "parent": 0}],
        [root, {**NODES[1], "parent": 1}],
        [{**root, "comment": "x" * 5000}],
        [{**root, "by": "me"}],
        [{**root, "more": 1}],
        [root, *[NODES[1]] * MOST_NODES],
    )
    for nodes in wrong:
        with pytest.raises(InputError):
            check_nodes(nodes)
    assert check_nodes(NODES) == NODES


def test_all_that_chance_does_comes_in_one_go(server: Served) -> None:
    table = server.begin("2048", seed=3)
    move = table["view"]["moves"][0]
    asked = {"table": table["id"], "ply": table["ply"], "steps": [move]}
    plain = server.post("/api/look", **asked).json()
    assert plain["dealt"] == [] and plain["view"]["player"] == -1
    dealt = server.post("/api/look", **asked, deal=True).json()
    assert len(dealt["dealt"]) == 1 and dealt["view"]["player"] == 0
    again = server.post("/api/look", **{**asked, "steps": [move, *dealt["dealt"]]}).json()
    assert again["position"] == dealt["position"], "what was dealt leads there"


# Exercises


def report(*events: dict[str, Any]) -> dict[str, Any]:
    usual = {
        "kind": "move",
        "player": 0,
        "label": "blunder",
        "loss": 1.0,
        "low": 0.5,
        "best": "b2",
        "line": ["b2", "a3"],
    }
    return {"format": FORMAT, "analysis": {"events": [{**usual, **event} for event in events]}, "scores": []}


def test_a_study_that_is_sent_again_is_the_same_one(server: Served) -> None:
    table = server.begin("tictactoe")
    wanted = {"table": table["id"], "ply": 0, "title": "Twice", "nodes": NODES, "person": ME, "id": "5" * 32}
    first, again = (server.post("/api/studies", **wanted).json() for _ in range(2))
    assert first == again and first["id"] == "5" * 32
    other = server.post("/api/studies", **{**wanted, "title": "Another"})
    assert other.status_code == 409 and "another study" in other.json()["error"]
    assert server.post("/api/studies", **{**wanted, "id": "../5"}).status_code == 400
    change = {"nodes": NODES[:2], "title": "Twice", "version": first["version"]}
    saved, repeated = (server.post(f"/api/studies/{first['id']}", **change) for _ in range(2))
    assert saved.json() == repeated.json() and repeated.status_code == 200
    late = server.post(f"/api/studies/{first['id']}", **{**change, "title": "Late"})
    assert late.status_code == 409


def test_only_serious_and_sure_mistakes_of_ones_own_come_back(server: Served) -> None:
    library = server.context.store.library
    id = keep(library, ("human", "greedy"), *LOST)
    person = "c" * 32
    People(library).sit(id, [0], person, "")
    Reports(library).save(
        library.get(id),
        report(
            {"ply": 1, "text": "a1"},
            {"ply": 2, "text": "b1", "player": 1},
            {"ply": 3, "text": "a2", "low": 0.0},
            {"ply": 5, "text": "c3", "label": "inaccuracy"},
            {"ply": 6, "text": "b2"},
        ),
    )
    found = server.get(f"/api/exercises?person={person}").json()
    assert [(one["id"], one["ply"], one["played"], one["best"]) for one in found["due"]] == [(id, 1, "a1", "b2")]
    assert server.get(f"/api/exercises?person={OTHER}").json()["due"] == []
    unknown = server.post("/api/exercises", person=person, id=id, ply=3, right=True)
    assert unknown.status_code == 404
    answered = server.post("/api/exercises", person=person, id=id, ply=1, right=True).json()
    assert answered["box"] == 1
    after = server.get(f"/api/exercises?person={person}").json()
    assert after["due"] == [] and after["later"] == 1 and after["next"] == answered["due"]


def test_what_is_found_comes_later_and_later_and_what_is_missed_soon(tmp_path: Path) -> None:
    exercises = Exercises(Library(tmp_path / "records.sqlite3"))
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def days(right: bool) -> float:
        _, due = exercises.answer(ME, "0" * 32, 1, right, at)
        return (datetime.fromisoformat(due) - at).total_seconds() / 86400

    assert [round(days(True)) for _ in range(8)] == [1, 3, 7, 16, 35, 90, 90, 90]
    assert days(False) < 0.01 and round(days(True)) == DAYS[1]


def test_an_answer_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    exercises = Exercises(Library(tmp_path / "records.sqlite3"))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    first = exercises.answer(ME, "0" * 32, 1, True, at, due="")
    assert exercises.answer(ME, "0" * 32, 1, True, at, due="") == first == (1, first[1])
    later = exercises.answer(ME, "0" * 32, 1, True, at, due=first[1])
    assert later[0] == 2 and exercises.answer(ME, "0" * 32, 1, False, at, due=first[1]) == later
