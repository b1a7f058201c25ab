"""How fast the search of a published game is in Chromium, against the native one: in turn, in one run."""

from __future__ import annotations

import base64
import functools
import gzip
import http.server
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from boardwright.bench.page import ARGUMENTS
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.publish.program import compile_program, memory_plan
from boardwright.publish.site import OWN
from boardwright.publish.strengths import search_settings
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings, advised

# The document of a site may not compile modules; this one is for measuring only.
_HARNESS = """<!doctype html><title>bench</title><script type="module">
import { Program } from "./program.js";
import { Search } from "./search.js";
const { plan, settings, state } = await (await fetch("game.json")).json();
const code = await (await fetch("game.wasm")).arrayBuffer();
const program = await Program.make(code, plan, [], "bench");
const position = { state: Uint8Array.from(atob(state), (c) => c.charCodeAt(0)), step: null, previous: null };
position.player = program.see(position.state).player;
const search = new Search(program, settings);
window.run = async () => {
  search.forget();
  const began = performance.now(), stop = await search.grow(position);
  return stop.simulations / (performance.now() - began) * 1000;
};
</script>"""


@dataclass(frozen=True)
class PublishedFigures:
    """One game: simulations a second from its first position, and the size of its module."""

    spec: str
    native: float
    browser: float
    ratio: float  # browser / native, the median over rounds
    module_bytes: int
    module_gzipped: int


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def measure_published(
    specs: list[str], tell: Callable[[str], None], simulations: int = 20_000, rounds: int = 5
) -> list[PublishedFigures]:
    """Search each game from its start, natively and in the system's Chromium by turns."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise InputError("bench publish drives a browser with Playwright: pip install playwright") from None
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        raise InputError("bench publish needs Chromium: install the package chromium")
    figures = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        handler = functools.partial(_Quiet, directory=name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        try:
            for spec in specs:
                tell(spec)
                game = load(spec)
                settings = advised(game, SearchSettings(simulations=simulations, reuse=False, proofs=False, seed=1))
                search = Search(game, settings)
                code = _lay_out(folder, game, spec, search)
                page = browser.new_page()
                page.goto(f"http://127.0.0.1:{server.server_port}/")
                page.wait_for_function("window.run")
                natively, there = [], []
                for _ in range(rounds + 1):
                    natively.append(_native(search, game))
                    there.append(float(page.evaluate("window.run()")))
                page.close()
                ratios = [b / a for a, b in zip(natively[1:], there[1:], strict=True)]  # the first round compiles
                figures.append(
                    PublishedFigures(
                        spec,
                        median(natively[1:]),
                        median(there[1:]),
                        median(ratios),
                        len(code),
                        len(gzip.compress(code, 9)),
                    )
                )
        finally:
            browser.close()
            server.shutdown()
            server.server_close()
    return figures


def _lay_out(folder: Path, game: Game, spec: str, search: Search) -> bytes:
    """The files that the harness loads."""
    code = compile_program(game, spec).code
    for script in ("module.js", "program.js", "search.js", "slices.js"):
        shutil.copyfile(OWN / script, folder / script)
    (folder / "game.wasm").write_bytes(code)
    state = base64.b64encode(game.begin(seed=1).key).decode()
    asked = {"plan": memory_plan(game), "settings": search_settings(search), "state": state}
    (folder / "game.json").write_text(json.dumps(asked), encoding="utf-8")
    (folder / "index.html").write_text(_HARNESS, encoding="utf-8")
    return code


def _native(search: Search, game: Game) -> float:
    search.forget()
    position = game.begin(seed=1)
    began = time.perf_counter()
    return search.grow(position).simulations / (time.perf_counter() - began)
