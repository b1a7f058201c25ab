"""The process that compiles games while somebody looks at the page: one JSON line a game in, one out.

`python -m boardwright.serve.compile_games` reads {"spec", "options"}, a game, and {"players"} or {"analyst", "judge"},
who shall find their kernels compiled. What it makes is in the cache of kernels, where the server finds it. It ends with
its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from boardwright.arena.analyse import game_line
from boardwright.arena.equal_moves import same_moves
from boardwright.arena.judge import Judge
from boardwright.arena.judge_budget import affordable
from boardwright.compile.cache import MADE, USED
from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.contract.position import compile_at_once
from boardwright.games.load import load, make
from boardwright.players import player
from boardwright.search.common_choice import search
from boardwright.search.search import make_search
from boardwright.search.settings import SearchSettings

LOOKS = 20  # simulations of an analysis, and of a judge's look


def compile_game(game: Game, order: dict[str, Any]) -> dict[str, Any]:
    """Ask what the page will ask: `seconds` that it took, and the `kernels` that it used."""
    began = time.perf_counter()
    USED.clear()
    MADE.clear()
    compile_at_once(game)
    if "judge" in order:
        _look(game, order["analyst"], order["judge"])
    else:
        _play(game, order["players"])
    return {"seconds": time.perf_counter() - began, "kernels": sorted(USED | MADE), "made": len(MADE)}


def _play(game: Game, players: list[str]) -> None:
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


def _look(game: Game, analyst: str, judge: str) -> None:
    """An analysis, and a report of one move."""
    position = game.begin(seed=1)
    same_moves(position)
    looking = player(analyst, game)
    looking.anew(0, LOOKS)
    move = looking.choose(position).move
    line = game_line(position.play(move).settle(1))
    judging = player(judge, game)
    affordable(line, judging, 1.0, 1)
    Judge(line, [judging], simulations=LOOKS).first()


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
            answer = compile_game(game, order)
        except BoardwrightError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
