"""How quick the page is: first paint, hovering, a move's way, and how soon a search that nobody wants is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from boardwright.bench.browser import chromium
from boardwright.bench.cases import cases
from boardwright.contract.errors import InputError
from boardwright.games.built_in import built_in_kinds
from boardwright.games.load import load

SCRIPT_BYTES = 215_000  # that our own scripts may have
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")

# Every cell in turn is pointed at; a time includes the styles and the layout that follow.
_HOVER = """() => {
    const board = document.querySelector('.board'), took = [];
    for (const cell of document.querySelectorAll('.cell')) {
        const box = cell.getBoundingClientRect();
        const event = new PointerEvent('pointermove', {bubbles: true, pointerType: 'mouse',
            clientX: box.x + box.width / 2, clientY: box.y + box.height / 2});
        const began = performance.now();
        cell.dispatchEvent(event);
        board.getBoundingClientRect();
        took.push(performance.now() - began);
    }
    return took;
}"""


@dataclass(frozen=True)
class PageFigures:
    """Milliseconds, but for the size."""

    script_bytes: int  # of our own scripts
    first_paint: float  # first content on the screen, files cached; median
    hover: dict[str, tuple[float, float]]  # by game: median and slowest of twenty
    move: dict[str, float]  # from sending a move to its answer, saved; median
    first_reply: dict[str, float]  # by game: seconds to Medium's first reply after a start on an empty cache
    first_hint: dict[str, tuple[float, float]]  # right after it: to a bar or the hint, to the hint; seconds
    cancel: dict[str, tuple[float, float]]  # from terminating a search to its thread being free; median, slowest

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_page(
    tell: Callable[[str], None], games: list[str] | None = None, times: int = 9, after: float | None = None
) -> PageFigures:
    """Serve, open the system's Chromium, and measure. `games`: on whose boards, by default those whose cards say so;
    `times`: how often each thing is done; `after`: seconds from a server's start on an empty cache to a person's first
    move, where Medium's first reply is measured as well, by default in every built-in game."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise InputError("bench page drives a browser with Playwright: pip install playwright") from None
    found = chromium()
    from boardwright.serve.app import WEB

    with _served() as (address, context), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        tell("first paint")
        paints = []
        for _ in range(times):
            page.goto("about:blank")
            page.goto(address)
            page.wait_for_selector(".gamecard")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"))
        hover, move, cancel = {}, {}, {}
        for game in games or cases("page"):
            tell(f"{game}: hovering and moving")
            table, took = _some_moves(address, game, times)
            move[game] = median(took)
            page.goto(f"{address}#/game/{table}")
            page.wait_for_selector(".board svg .cell", state="attached")
            page.evaluate(_HOVER)
            hovered = sorted(page.evaluate(_HOVER))
            hover[game] = median(hovered), hovered[int(0.95 * (len(hovered) - 1))]
            tell(f"{game}: cancelling searches")
            cancel[game] = _cancel(address, context, table, times)
        browser.close()
    first = {} if after is None else {game: _first_answers(game, after, tell) for game in games or built_in_kinds()}
    return PageFigures(
        script_bytes=sum(path.stat().st_size for path in WEB.glob("*.js")),
        first_paint=median(paints[1:]),
        hover=hover,
        move=move,
        cancel=cancel,
        first_reply={game: reply for game, (reply, _, _) in first.items()},
        first_hint={game: (silent, answered) for game, (_, silent, answered) in first.items()},
    )


@contextmanager
def _served() -> Iterator[tuple[str, Any]]:
    from boardwright.records import Library
    from boardwright.serve.app import make_app
    from boardwright.serve.catalogue import Catalogue
    from boardwright.serve.launch import Server, configured, listen
    from boardwright.serve.safety import Door

    catalogue = Catalogue()
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder) / "records.sqlite3")
        app = make_app(catalogue, Door.at("127.0.0.1", port, ""), catalogue.limits, library)
        ready = threading.Event()
        server = Server(configured(app, catalogue.limits), ready.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        ready.wait()
        try:
            yield f"http://127.0.0.1:{port}/", app.state.context
        finally:
            server.should_exit = True
            thread.join()
            listening.close()


def _some_moves(address: str, game: str, times: int) -> tuple[str, list[float]]:
    import httpx

    took = []
    with httpx.Client(base_url=address, timeout=300, trust_env=False) as client:
        told = client.post("/api/tables", json={"game": game, "seed": 1}).json()
        for number in range(times):
            moves = told["view"]["moves"]
            began = time.perf_counter()
            body = {"move": moves[(37 * number + 11) % len(moves)], "ply": told["ply"]}
            told = client.post(f"/api/tables/{told['id']}/moves", json=body).json()
            took.append(1000 * (time.perf_counter() - began))
    return told["id"], took


def _cancel(address: str, context: Any, table: str, times: int) -> tuple[float, float]:
    """From sending `terminate` to no thread being at work."""
    import httpx
    from websockets.sync.client import connect

    ply = httpx.get(f"{address}api/tables/{table}", trust_env=False, timeout=60).json()["ply"]
    took = []
    with connect(f"{address.replace('http', 'ws')}api/search", proxy=None, max_size=None) as line:
        for number in range(times):
            query = {"id": f"q{number}", "action": "analyse", "table": table, "ply": ply, "seconds": 600}
            line.send(json.dumps(query))
            for _ in range(2):
                line.recv()  # it is well under way
            began = time.perf_counter()
            line.send(json.dumps({"id": f"s{number}", "action": "terminate", "of": f"q{number}"}))
            while context.pool.busy:
                time.sleep(0.0005)
            took.append(1000 * (time.perf_counter() - began))
            answers = 0
            while answers < 2:
                answers += json.loads(line.recv())["final"]
    return median(took), max(took)


def _first_answers(game: str, after: float, tell: Callable[[str], None]) -> tuple[float, float, float]:
    """Seconds to Medium's first move in a process of its own whose cache was empty `after` seconds ago: the game is
    opened only then. From a person's first move on, or, where Medium plays alone, from the opening. Then, for a hint:
    seconds until a bar says that it will take a while, or the hint is there; and until the hint is there."""
    import httpx
    from websockets.sync.client import connect

    tell(f"{game}: first reply on an empty cache")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "boardwright", "serve", "--no-open"]
        places = {"BOARDWRIGHT_CACHE": folder, "BOARDWRIGHT_HOME": folder}
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **places}
        )
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
            time.sleep(after)
            with httpx.Client(base_url=address, timeout=300, trust_env=False) as client:
                seats = ["human"] * (load(game).players - 1) + ["Medium"]
                began = time.perf_counter()
                table = client.post("/api/tables", json={"game": game, "seed": 1, "seats": seats}).json()
                with connect(f"{address.replace('http', 'ws')}api/search", proxy=None, max_size=None) as line:
                    line.send(json.dumps({"id": "w", "action": "watch", "table": table["id"]}))
                    while table["view"]["player"] < len(seats) - 1:
                        body = {"move": table["view"]["moves"][0], "ply": table["ply"]}
                        began = time.perf_counter()
                        table = client.post(f"/api/tables/{table['id']}/moves", json=body).json()
                    while json.loads(line.recv())["ply"] <= table["ply"]:
                        pass
                    reply = time.perf_counter() - began
                    return reply, *_first_hint(line, table)
        finally:
            process.kill()
            process.communicate()


def _first_hint(line: Any, table: dict[str, Any]) -> tuple[float, float]:
    """Ask for a hint where the player has just moved. Seconds until a bar or the hint, and until the hint."""
    began, silent = time.perf_counter(), 0.0
    line.send(json.dumps({"id": "h", "action": "analyse", "table": table["id"], "ply": table["ply"], "seconds": 2}))
    while True:
        news = json.loads(line.recv())
        now = time.perf_counter() - began
        if not silent and (news["id"] == "h" or news["preparing"]):
            silent = now
        if news["id"] == "h" and news["final"]:
            return silent, now
