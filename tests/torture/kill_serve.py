"""kill -9 of the server while people play: every move that was answered is there when it comes up again."""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.torture.commands import start_server
from tests.torture.trial import Finding

PEOPLE = 6
PATIENCE = 60.0


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    played: dict[str, list[str]] = {}  # by table: the moves that were answered
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for _ in range(luck.randint(1, 3)):
            process, address = start_server(home)
            try:
                asyncio.run(everybody(address, played, luck, process.kill))
            finally:
                process.kill()
                process.communicate()
            tell(1)
            check(home, played)


async def everybody(address: str, played: dict[str, list[str]], luck: random.Random, kill: Callable[[], None]) -> None:
    """People play until so many moves were answered in all, and then until the server is gone."""
    wanted = sum(map(len, played.values())) + luck.randint(5, 120)
    enough = asyncio.Event()
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE, trust_env=False) as client:

        async def play(mine: random.Random) -> None:
            try:
                while True:
                    table = (await client.post("/api/tables", json={"game": "gomoku", "seed": 1})).json()
                    played[table["id"]] = []
                    while table["view"]["moves"]:
                        move = mine.choice(table["view"]["moves"])
                        said = {"move": move, "ply": table["ply"]}
                        table = (await client.post(f"/api/tables/{table['id']}/moves", json=said)).json()
                        played[table["id"]].append(move)
                        if sum(map(len, played.values())) >= wanted:
                            enough.set()
            except httpx.TransportError:
                enough.set()

        people = [asyncio.create_task(play(random.Random(luck.random()))) for _ in range(PEOPLE)]
        await enough.wait()
        await asyncio.sleep(luck.random() * 0.01)  # any moment of a request
        kill()
        await asyncio.gather(*people)


def check(home: Path, played: dict[str, list[str]]) -> None:
    process, address = start_server(home)
    try:
        with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
            for id, moves in played.items():
                answer = client.get(f"/api/tables/{id}")
                if answer.status_code != 200:
                    raise Finding("a game is lost", f"{id}: {answer.text[:200]}")
                texts = [step["text"] for step in answer.json()["steps"]]
                if texts[: len(moves)] != moves or len(texts) > len(moves) + 1:  # one may have been under way
                    raise Finding("other moves after a kill", f"{id}: answered {moves}, kept {texts}")
                played[id] = texts
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.communicate()
