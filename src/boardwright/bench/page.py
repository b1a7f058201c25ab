"""How quick the page is: first paint, hovering, a move's way, and how soon a search that nobody wants is gone."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from boardwright.bench.browser import chromium
from boardwright.bench.cases import cases
from boardwright.bench.first_answer import PATIENCE, FirstAnswer, first_answers, heard
from boardwright.contract.errors import InputError
from boardwright.games.built_in import built_in_kinds

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
    cancel: dict[str, tuple[float, float]]  # from terminating a search to its thread being free; median, slowest
    first_reply: dict[str, FirstAnswer] = field(default_factory=dict)  # by game: Medium's, after the first start ever
    first_hint: dict[str, FirstAnswer] = field(default_factory=dict)  # right after it
    failed: list[str] = field(default_factory=list)  # what could not be measured, and why

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_page(
    tell: Callable[[str], None], games: list[str] | None = None, times: int = 9, after: float | None = None
) -> PageFigures:
    """Serve, open the system's Chromium, and measure. `games`: on whose boards, by default those whose cards say so;
    `times`: how often each thing is done; `after`: seconds from a server's start on an empty cache to a person's first
    move, where Medium's first reply is measured as well, by default in every built-in game."""
    try:
        import httpx
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError:
        raise InputError("bench page drives a browser with Playwright: pip install playwright") from None
    found = chromium()
    from boardwright.serve.app import WEB

    with _served() as (address, context), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(1000 * PATIENCE)
        tell("first paint")
        paints = []
        for _ in range(times):
            page.goto("about:blank")
            page.goto(address)
            page.wait_for_selector(".gamecard")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"))
        hover, move, cancel = {}, {}, {}
        failed: list[str] = []
        for game in games or cases("page"):
            try:
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
            except (InputError, httpx.HTTPError, Error) as error:  # one game less, and the others are worth having
                failed.append(f"{game}: {str(error).splitlines()[0]}")
        browser.close()
    found_page = PageFigures(
        script_bytes=sum(path.stat().st_size for path in WEB.glob("*.js")),
        first_paint=median(paints[1:]),
        hover=hover,
        move=move,
        cancel=cancel,
        failed=failed,
    )
    for game in (games or built_in_kinds()) if after is not None else ():
        try:
            found_page.first_reply[game], found_page.first_hint[game] = first_answers(game, after or 0.0, tell)
        except (InputError, OSError) as error:
            found_page.failed.append(str(error))
    return found_page


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
        if not ready.wait(PATIENCE):
            raise InputError(f"the server has not started within {PATIENCE:.0f} s")
        try:
            yield f"http://127.0.0.1:{port}/", app.state.context
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            listening.close()


def _some_moves(address: str, game: str, times: int) -> tuple[str, list[float]]:
    import httpx

    took = []
    with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
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

    ply = httpx.get(f"{address}api/tables/{table}", trust_env=False, timeout=PATIENCE).json()["ply"]
    took = []
    with connect(f"{address.replace('http', 'ws')}api/search", proxy=None, max_size=None) as line:
        for number in range(times):
            query = {"id": f"q{number}", "action": "analyse", "table": table, "ply": ply, "seconds": 600}
            what, until = f"search {number + 1} of {times} that is cancelled", time.monotonic() + PATIENCE
            line.send(json.dumps(query))
            for _ in range(2):
                if heard(line, until, what)["final"]:
                    raise InputError(f"{what}: it ended by itself")
            began = time.perf_counter()
            line.send(json.dumps({"id": f"s{number}", "action": "terminate", "of": f"q{number}"}))
            while context.pool.busy:
                if time.monotonic() > until:
                    raise InputError(f"{what}: its thread was not free within {PATIENCE:.0f} s")
                time.sleep(0.0005)
            took.append(1000 * (time.perf_counter() - began))
            answers = 0
            while answers < 2:
                answers += heard(line, until, what)["final"]
    return median(took), max(took)
