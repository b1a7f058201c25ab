"""The process that compiles games while somebody looks at the page: one JSON line a game in, one out.

`python -m boardwright.serve.compile_games` reads {"spec", "options", "players"}: the game, and the players that shall
find their kernels compiled. What it makes is in the cache of kernels, where the server finds it. It ends with its
input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from boardwright.compile.cache import MADE, USED
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.contract.position import compile_at_once
from boardwright.games.load import load, make
from boardwright.players import player
from boardwright.search.common_choice import search
from boardwright.search.search import make_search
from boardwright.search.settings import SearchSettings


def compile_game(game: Game, players: list[str]) -> dict[str, Any]:
    """Ask all that the page will ask: `seconds` that it took, and the `kernels` that it used."""
    began = time.perf_counter()
    USED.clear()
    MADE.clear()
    compile_at_once(game)
    position = game.begin(seed=1)
    for spec in ("", *players):
        if position.is_over:
            break
        if spec:
            move = player(spec, game).choose(position).move
        else:  # an analysis
            move = search(position, [make_search(game, SearchSettings(simulations=2, seconds=60.0))]).move
        position.text(move)
        position = position.play(move).settle(1)
        str(position), position.scores, position.results
    return {"seconds": time.perf_counter() - began, "kernels": sorted(USED | MADE), "made": len(MADE)}


def main() -> None:
    orders: SimpleQueue[str] = SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            orders.put(line)
        os._exit(0)  # the server is gone, and nobody waits for what is being compiled

    threading.Thread(target=listen, daemon=True).start()
    while True:
        order = json.loads(orders.get())
        try:
            game = make(type(load(order["spec"])), order["options"])
            answer = compile_game(game, order["players"])
        except BoardwrightError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
