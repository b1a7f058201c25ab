"""How soon a published site shows itself and answers, to a reader whose browser has nothing of it yet."""

from __future__ import annotations

import functools
import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 300_000.0  # milliseconds: a search that takes longer is a fault

_POST = """([path, body]) => fetch(path, {method: "POST", body: JSON.stringify(body)}).then(async (got) => {
    const told = await got.json();
    if (!got.ok) throw new Error(told.error);
    return told;
})"""
# Promises, since the page's policy forbids what wait_for_function does.
_PAINTED = """() => new Promise((done) => {
    const seen = (list) => list.getEntriesByName("first-contentful-paint").forEach((one) => done(one.startTime));
    new PerformanceObserver(seen).observe({type: "paint", buffered: true});
})"""
_PAST = """([ply, patience]) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error("no reply")), patience);
    const look = () => {
        if (Number(document.querySelector(".game")?.dataset.ply) > ply) done();
        else requestAnimationFrame(look);
    };
    look();
})"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a plain web server that shows a folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True)
class Visit:
    """Milliseconds."""

    first_paint: float  # from opening the address to the first content on the screen
    first_reply: float  # from starting a game to its first reply on the board, the person having moved at once


def visit(browser: Any, address: str) -> Visit:
    """Open the site of one game in a window without a cache, and play against Medium until it has replied; alone, it
    plays by itself. Where there is no Medium, the last of the strengths."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".gamecard")
        painted = float(page.evaluate(_PAINTED))
        (facts,) = page.evaluate("() => fetch('/api/games').then((got) => got.json())")["games"]
        names = [one["name"] for one in facts["strengths"]]
        seats = ["human"] * (facts["players"] - 1) + ["Medium" if "Medium" in names else names[-1]]
        began = time.perf_counter()
        table = page.evaluate(_POST, ["/api/tables", {"game": facts["name"], "seed": 1, "seats": seats}])
        page.evaluate("id => { location.hash = `#/game/${id}` }", table["id"])
        page.wait_for_selector(".game .board svg")
        while 0 <= table["view"]["player"] < len(seats) - 1:
            body = {"move": table["view"]["moves"][0], "ply": table["ply"]}
            table = page.evaluate(_POST, [f"/api/tables/{table['id']}/moves", body])
        page.evaluate(_PAST, [table["ply"], PATIENCE])
        return Visit(painted, 1000 * (time.perf_counter() - began))
    finally:
        context.close()
