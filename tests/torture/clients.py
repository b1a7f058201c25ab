"""A hundred clients at once against a real server: every answer right, and the worst wait is told."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.torture.commands import start_server
from tests.torture.trial import Finding, Tell

CLIENTS = 100
WORST = 30.0  # seconds that no answer may take, on a machine that has other things to do as well
PATIENCE = 120.0


def attempt(seed: int, seconds: float, tell: Tell) -> None:
    """For ten minutes, or what there is of the time."""
    end = time.monotonic() + min(max(seconds - 5.0, 3.0), 600.0)
    waits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        process, address = start_server(Path(folder))
        try:
            asyncio.run(everybody(address, seed, end, waits, tell))
            if process.poll() is not None:
                raise Finding("the server has ended", str(process.returncode))
        finally:
            process.kill()
            process.communicate()
    if not waits:  # an attempt of no time
        return
    waits.sort()
    tell.note(summary(waits))
    if waits[-1] > WORST:
        raise Finding("an answer took too long", summary(waits))


def summary(waits: list[float]) -> str:
    def at(share: float) -> str:
        return f"{waits[min(int(len(waits) * share), len(waits) - 1)] * 1000:,.0f} ms"

    return f"{CLIENTS} clients; median {at(0.5)}, 99 of 100 within {at(0.99)}, worst {at(1.0)}"


async def everybody(address: str, seed: int, end: float, waits: list[float], tell: Tell) -> None:
    await asyncio.gather(*(one_client(address, number, random.Random(f"{seed} {number}"), end, waits, tell)
                           for number in range(CLIENTS)))  # fmt: skip


async def one_client(
    address: str, number: int, luck: random.Random, end: float, waits: list[float], tell: Tell
) -> None:
    """One game after another, moves at random and mistakes among them; from an address of its own, as people come."""
    # Nothing is encrypted here: a hundred times the certificates of the world would be read for nothing.
    transport = httpx.AsyncHTTPTransport(verify=False, local_address=f"127.0.1.{number + 1}")
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE, transport=transport) as client:

        async def ask(method: str, path: str, body: dict[str, Any] | None = None, expected: int = 200) -> Any:
            began = time.monotonic()
            try:
                answer = await client.request(method, path, json=body)
            except httpx.HTTPError as error:
                raise Finding(f"{type(error).__name__} instead of an answer", f"{method} {path}: {error}") from None
            waits.append(time.monotonic() - began)
            tell(1)
            if answer.status_code != expected:
                raise Finding(f"status {answer.status_code}", f"{method} {path} {body}: {answer.text[:200]}")
            return answer.json()

        while time.monotonic() < end:
            table = await ask("POST", "/api/tables", {"game": "tictactoe", "seed": luck.randrange(1000)})
            path, played = f"/api/tables/{table['id']}", list[str]()
            while table["view"]["moves"] and time.monotonic() < end:
                if luck.random() < 0.1:
                    await ask("POST", f"{path}/moves", {"move": "z9", "ply": table["ply"]}, 400)
                move = luck.choice(table["view"]["moves"])
                table = await ask("POST", f"{path}/moves", {"move": move, "ply": table["ply"]})
                played.append(move)
                if luck.random() < 0.2:
                    table = await ask("GET", path)
                    if [step["text"] for step in table["steps"]] != played:
                        raise Finding("another game than the one that was played", f"{played} {table['steps']}")
            await ask("DELETE", path)  # or a long trial would fill the disk, rightly refused
