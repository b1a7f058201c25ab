"""Watching: trainings and matches as they stand on the disk, while others write there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.learn.display import View
from boardwright.learn.models import SHIPPED
from boardwright.learn.runs import Run
from tests.serving import Served, final, heard, send, served


@dataclass(frozen=True)
class Settings:
    games: int = 10


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("BOARDWRIGHT_HOME", str(tmp_path))
    with served(tmp_path) as running:
        yield running


def training(folder: Path, game: str, method: str) -> Run:
    return Run(folder, bw.load(game), method, Settings(), 3, 0.0, View(quiet=True))


def test_a_training_is_seen_as_it_goes(server: Served, tmp_path: Path) -> None:
    assert server.get("/api/runs").json() == {"runs": []}
    with training(tmp_path / "runs" / "first", "tictactoe", "selfplay") as run:
        for step in range(1000):
            run.log(step, {"loss": 1 / (step + 1), "elo": step, "elo_low": step - 5.0, "elo_high": step + 5.0})
        listed = server.get("/api/runs").json()["runs"]
        assert [(one["name"], one["game"], one["method"], one["fresh"], one["model"]) for one in listed] == [
            ("first", "tictactoe", "selfplay", True, False)
        ]
        told = server.get("/api/runs/first").json()
        assert set(told["curves"]) == {"loss", "elo"} and told["settings"] == {"games": 10}
        assert len(told["curves"]["loss"]) < 600 and told["curves"]["elo"][-1] == [999, 999.0, 994.0, 1004.0]
        run.log(1000, {"loss": float("nan"), "elo": 1000.0})
        assert server.get("/api/runs/first").json()["curves"]["elo"][-1][0] == 1000


def test_what_is_no_training_is_left_out(server: Served, tmp_path: Path) -> None:
    for name, text in (("empty", ""), ("broken", "{"), ("other", "[]"), ("half", '{"game": "azul"}')):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "run.json").write_text(text)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "run.json").write_text("{}")
    with training(tmp_path / "runs" / "cut", "gomoku", "selfplay") as run:
        run.log(1, {"loss": 1.0})
    with (tmp_path / "runs" / "cut" / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "lo')
    assert [one["name"] for one in server.get("/api/runs").json()["runs"]] == ["cut"]
    assert server.get("/api/runs/cut").json()["curves"] == {"loss": [[1, 1.0, None, None]]}
    for name in ("empty", "nowhere", "..%2fsecret", "%2e%2e"):
        assert server.get(f"/api/runs/{name}").status_code == 404


def test_the_newest_checkpoint_takes_a_seat(server: Served, tmp_path: Path) -> None:
    with training(tmp_path / "runs" / "tables", "2048", "tuples"):
        pass
    waiting = server.post("/api/tables", game="2048", seats=["run:tables"])
    assert waiting.status_code == 409 and "no model yet" in waiting.json()["error"]
    model = next(SHIPPED.glob("2048-tuples*.safetensors"))
    shutil.copy(model, tmp_path / "runs" / "tables" / "model.safetensors")
    assert server.get("/api/runs/tables").json()["model"] is True
    table = server.begin("2048", "run:tables")
    with server.socket() as line:
        send(line, "m", "move", table=table["id"], ply=table["ply"])
        answer = final(line, "m")
    assert answer["move"] in table["view"]["moves"] and answer["table"]["ply"] > table["ply"]
    assert server.post("/api/tables", game="2048", seats=["run:../tables"]).status_code == 404


def test_a_match_is_seen_with_intervals_and_its_games_open(server: Served, tmp_path: Path) -> None:
    assert server.get("/api/matches").json() == {"matches": []}
    game = bw.load("tictactoe")
    result = bw.match(game, ["win-block", "random"], games=20, seed=1, workers=0)
    table = server.begin("tictactoe")  # a person's game is no match
    (told,) = server.get("/api/matches").json()["matches"]
    assert told["game"] == "tictactoe" and told["games"] == 20
    lines = {line["player"]: line for line in told["players"]}
    truth = json.loads(result.to_json())
    for line in truth["players"]:
        assert lines[line["name"]]["wins"] == line["wins"] and lines[line["name"]]["draws"] == line["draws"]
    better = lines["win-block"]
    assert 0 <= better["low"] <= better["share"] <= better["high"] <= 1
    recent = server.get(f"/api/matches/{told['key']}").json()["recent"]
    shown = server.get(f"/api/tables/{recent[0]['id']}").json()
    assert shown["status"] == "finished" and not shown["playable"] and shown["id"] != table["id"]
    assert server.get("/api/matches/nothing").status_code == 404


def test_the_server_tells_when_a_training_or_the_library_changes(server: Served, tmp_path: Path) -> None:
    with server.socket() as socket, training(tmp_path / "runs" / "first", "tictactoe", "selfplay") as run:
        send(socket, "w", "follow")
        assert heard(socket) == {"id": "w", "changes": 1, "final": False}
        run.log(1, {"loss": 1.0})
        assert heard(socket)["changes"] == 2
        server.begin("tictactoe")
        assert heard(socket)["changes"] == 3
        send(socket, "t", "terminate", of="w")
        assert final(socket, "w") == {"id": "w", "stopped": True, "final": True}
