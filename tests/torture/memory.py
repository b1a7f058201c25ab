"""Memory stays flat: over thousands of games in one process, over thousands of requests to one server."""

from __future__ import annotations

import gc
import os
import random
import resource
import tempfile
import time
from pathlib import Path

import httpx

import boardwright as bw
from boardwright.contract.random import Random
from tests.torture.commands import start_server
from tests.torture.trial import Finding, Tell

GROWTH = 1_000.0  # bytes a game or a request that count as noise: 10 MB over 10,000
STEP = 10_000_000  # bytes that an allocator may take at once, however short the trial
MOST, LEAST, EVERY = 10_000, 400, 50  # games or requests: at most, at least, and how often memory is read
MOVES = 20  # of a game, so that an hour's share is enough for all of them


def resident(process: int) -> int:
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def flat(what: str, sizes: list[tuple[int, int]], tell: Tell) -> None:
    """sizes: (how many so far, bytes). The first half is warming up: caches fill. After it, the slope of the best line
    must be noise, or the whole rise a single step of the allocator."""
    later = sizes[len(sizes) // 2 :]
    n = len(later)
    mean_x, mean_y = sum(x for x, _ in later) / n, sum(y for _, y in later) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in later) / sum((x - mean_x) ** 2 for x, _ in later)
    rise = later[-1][1] - later[0][1]
    tell.note(f"{max(slope, 0.0):,.0f} bytes more a {what.rstrip('s')}; {later[-1][1] / 1e6:.0f} MB at the end")
    if slope > GROWTH and rise > STEP:
        shown = ", ".join(f"{x:,}: {y / 1e6:.1f} MB" for x, y in sizes[:: max(1, len(sizes) // 8)])
        raise Finding(f"memory grows with {what}", f"{slope:,.0f} bytes each; {shown}")


def games(seed: int, seconds: float, tell: Tell) -> None:
    """10,000 games, half of them searched, of several kinds; fewer where the time is short."""
    luck, rng = random.Random(seed), Random(seed)
    made = [bw.load("tictactoe"), bw.load("2048", size=3)]
    players = {game: [bw.player("random", game), bw.player("mcts:simulations=20,seed=1", game)] for game in made}
    end = time.monotonic() + seconds
    sizes = []
    for number in range(1, MOST + 1):
        game = luck.choice(made)
        position, player = game.begin(number), luck.choice(players[game])
        for _ in range(MOVES):
            if position.is_over:
                break
            position = position.play(player.choose(position).move).settle(rng)
        bw.Record.of(position, seed=number, players=("one",) * game.players).replay()
        tell(1)
        if number % EVERY == 0:
            gc.collect()
            sizes.append((number, resident(os.getpid())))
        if number >= LEAST and time.monotonic() > end:
            break
    flat("games", sizes, tell)


def requests(seed: int, seconds: float, tell: Tell) -> None:
    """10,000 requests of all kinds, good and bad, to `boardwright serve`."""
    luck = random.Random(seed)
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        process, address = start_server(Path(folder))
        try:
            with httpx.Client(base_url=address, timeout=60.0, trust_env=False) as client:
                sizes, tables = [], list[str]()
                for number in range(1, MOST + 1):
                    ask(client, luck, tables)
                    tell(1)
                    if number % EVERY == 0:
                        sizes.append((number, resident(process.pid)))
                    if number >= LEAST and time.monotonic() > end:
                        break
        finally:
            process.kill()
            process.communicate()
    flat("requests", sizes, tell)


def ask(client: httpx.Client, luck: random.Random, tables: list[str]) -> None:
    if len(tables) < 300:  # more than the server keeps in memory; from then on the same ones come and go
        tables.append(client.post("/api/tables", json={"game": "tictactoe", "seats": ["human", "human"]}).json()["id"])
        return
    id = luck.choice(tables)
    way = luck.randrange(6)
    if way == 0:
        table = client.get(f"/api/tables/{id}").json()
        if table["view"]["moves"]:
            move = {"move": luck.choice(table["view"]["moves"]), "ply": table["ply"]}
            answer = client.post(f"/api/tables/{id}/moves", json=move)
        else:
            answer = client.post("/api/look", json={"table": id, "ply": 0})
    elif way == 1:
        answer = client.get(f"/api/tables/{id}/plies/0")
    elif way == 2:
        answer = client.get("/api/tables?limit=20")
    elif way == 3:
        answer = client.post(f"/api/tables/{id}/moves", json={"move": "z9", "ply": 0})
    elif way == 4:
        answer = client.get(f"/api/tables/{id}/record.json")
    else:
        answer = client.get("/api/games")
    if answer.status_code >= 500:
        raise Finding(f"status {answer.status_code}", answer.text[:300])
