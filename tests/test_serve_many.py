"""A hundred at once, and a server that is killed: nothing mixed up, nothing lost, nothing growing."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from boardwright.records import Library
from boardwright.serve.launch import Server
from boardwright.serve.limits import Limits
from tests.processes import hearing_ctrl_c, run_here
from tests.serving import PATIENCE, Served, served

CLIENTS = 100


async def one_client(server: Served, number: int) -> tuple[str, list[str]]:
    """Play a whole game of noughts and crosses, badly and at random; make a mistake now and then."""
    luck = random.Random(number)
    played: list[str] = []
    async with httpx.AsyncClient(base_url=server.address, timeout=PATIENCE, trust_env=False) as client:
        table = (await client.post("/api/tables", json={"game": "tictactoe", "seed": number})).json()
        id = table["id"]
        while table["view"]["moves"]:
            move = luck.choice(table["view"]["moves"])
            if luck.random() < 0.2:
                bad = await client.post(f"/api/tables/{id}/moves", json={"move": "z9", "ply": table["ply"]})
                assert bad.status_code == 400
            answer = await client.post(f"/api/tables/{id}/moves", json={"move": move, "ply": table["ply"]})
            assert answer.status_code == 200, answer.text
            table = answer.json()
            played.append(move)
            assert table["id"] == id and [step["text"] for step in table["steps"]] == [move]
            if luck.random() < 0.1:
                seen = (await client.get(f"/api/tables/{id}")).json()
                assert [step["text"] for step in seen["steps"]] == played
    return id, played


@pytest.mark.slow
def test_a_hundred_clients_at_once(tmp_path: Path) -> None:
    """With room for only twenty games in memory, so that they go out and come back all the time."""

    async def everybody(server: Served) -> list[tuple[str, list[str]]]:
        return await asyncio.gather(*(one_client(server, number) for number in range(CLIENTS)))

    with served(tmp_path, Limits(tables=20)) as server:
        games = asyncio.run(everybody(server))
        assert len(server.context.store._tables) <= 20 and not server.context.store._loading
        assert not server.context.sockets and server.context.pool.busy == 0
    assert len({id for id, _ in games}) == CLIENTS
    library = Library(tmp_path / "records.sqlite3")
    for id, played in games:
        record = library.get(id)
        assert list(record.plies) == played and record.status == "finished"
        record.replay()


def start(home: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    with hearing_ctrl_c():
        process = subprocess.Popen(
            [sys.executable, "-m", "boardwright", "serve", "--no-open", "--no-prepare", *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "BOARDWRIGHT_HOME": str(home)},
        )  # fmt: skip
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", said)
    assert found, said + (process.stderr.read() if process.stderr else "")
    return process, found[0]


@pytest.mark.slow
def test_killing_the_server_loses_no_move(tmp_path: Path) -> None:
    """It is killed while moves are on their way: every move that was answered is there afterwards."""
    process, address = start(tmp_path)
    acknowledged: dict[str, list[str]] = {}

    async def play(client: httpx.AsyncClient, seed: int, enough: asyncio.Event) -> None:
        luck = random.Random(seed)
        try:
            table = (await client.post("/api/tables", json={"game": "gomoku", "seed": seed})).json()
            acknowledged[table["id"]] = []
            while True:
                move = luck.choice(table["view"]["moves"])
                answer = await client.post(f"/api/tables/{table['id']}/moves", json={"move": move, "ply": table["ply"]})
                table = answer.json()
                acknowledged[table["id"]].append(move)
                if len(acknowledged) == 6 and sum(map(len, acknowledged.values())) > 60:
                    enough.set()
        except httpx.TransportError:
            pass

    async def everybody() -> None:
        enough = asyncio.Event()
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE, trust_env=False) as client:
            players = [asyncio.create_task(play(client, seed, enough)) for seed in range(6)]
            await enough.wait()
            process.send_signal(signal.SIGKILL)
            await asyncio.gather(*players)

    try:
        asyncio.run(everybody())
    finally:
        process.kill()
        process.communicate()
    again, address = start(tmp_path)
    try:
        assert len(acknowledged) == 6 and sum(map(len, acknowledged.values())) > 60
        for id, moves in acknowledged.items():
            told = httpx.get(f"{address}api/tables/{id}", timeout=PATIENCE, trust_env=False).json()
            texts = [step["text"] for step in told["steps"]]
            assert texts[: len(moves)] == moves and len(texts) <= len(moves) + 1, "one may have been under way"
            assert told["playable"]
        again.send_signal(signal.SIGINT)
        _out, err = again.communicate(timeout=PATIENCE)
        assert again.returncode == 0 and err == "", "Ctrl-C is a clean end"
    finally:
        again.kill()
        again.communicate()


def test_the_command_says_what_is_wrong() -> None:
    def told(*arguments: str) -> str:
        done = run_here("serve", "--no-open", *arguments)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    assert "no game 'chess'" in told("chess")
    assert "cannot read" in told("nowhere.py:Game")
    assert "write NAME=SPEC" in told("--player", "Champion")
    assert "cannot listen on 192.0.2.1" in told("--host", "192.0.2.1")


@pytest.mark.parametrize("signal_sent", [signal.SIGTERM])
def test_it_ends_quickly_though_somebody_searches(tmp_path: Path, signal_sent: signal.Signals) -> None:
    from websockets.sync.client import connect

    process, address = start(tmp_path)
    try:
        table = httpx.post(f"{address}api/tables", json={"game": "gomoku"}, timeout=PATIENCE, trust_env=False).json()
        with connect(address.replace("http", "ws") + "api/search", proxy=None, open_timeout=PATIENCE) as line:
            line.send(f'{{"id": "q", "action": "analyse", "table": "{table["id"]}", "ply": 0, "seconds": 600}}')
            line.recv(timeout=PATIENCE)
            process.send_signal(signal_sent)
            process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, -signal_sent)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("heard", [True, False])
def test_in_the_background_ctrl_c_is_meant_for_others(heard: bool, tmp_path: Path) -> None:
    with hearing_ctrl_c(heard), served(tmp_path) as server:
        stopped = Server(server.config, lambda: None)
    stopped.handle_exit(signal.SIGINT, None)
    assert stopped.should_exit == heard
    stopped.handle_exit(signal.SIGTERM, None)
    assert stopped.should_exit
