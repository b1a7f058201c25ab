"""How fast the search of a published game is in Chromium, against the native one, in turn and in one run; and how soon
its site shows itself and answers."""

from __future__ import annotations

import base64
import gzip
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from boardwright.bench.browser import chromium
from boardwright.bench.first_visit import Visit, hosted, visit
from boardwright.bench.page import ARGUMENTS
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.publish.program import compile_program, memory_plan
from boardwright.publish.site import LEARNT_PART, OWN, Size, publish
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
    """One game: simulations a second from its first position, sizes, and the first visit to its site in milliseconds.
    All but the sizes are medians over rounds."""

    spec: str
    native: float
    browser: float
    ratio: float  # browser / native
    module_bytes: int
    module_gzipped: int
    site_gzipped: int  # a site of this game alone, Brython included; without what only learnt players load
    first_paint: float
    first_reply: float  # of Medium: see bench/first_visit.py


def measure_published(
    specs: list[str], tell: Callable[[str], None], simulations: int = 20_000, rounds: int = 5
) -> list[PublishedFigures]:
    """Search each game from its start, natively and in the system's Chromium by turns; then visit its site, every time
    with an empty cache."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise InputError("bench publish drives a browser with Playwright: pip install playwright") from None
    found = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        try:
            return [_measure(spec, browser, tell, simulations, rounds) for spec in specs]
        finally:
            browser.close()


def _measure(
    spec: str, browser: Any, tell: Callable[[str], None], simulations: int, rounds: int
) -> PublishedFigures:  # fmt: skip
    game = load(spec)
    with tempfile.TemporaryDirectory() as name:
        folder, site = Path(name) / "search", Path(name) / "site"
        tell(f"{spec}: compiling")
        size = _site_size(publish([spec], site))
        tell(f"{spec}: searching")
        settings = advised(game, SearchSettings(simulations=simulations, reuse=False, proofs=False, seed=1))
        search = Search(game, settings)
        folder.mkdir()
        code = _lay_out(folder, game, spec, search)
        natively, there = [], []
        with hosted(folder) as address:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_function("window.run")
            for _ in range(rounds + 1):
                natively.append(_native(search, game))
                there.append(float(page.evaluate("window.run()")))
            page.close()
        visits: list[Visit] = []
        with hosted(site) as address:
            for number in range(rounds):
                tell(f"{spec}: first visit, {number + 1} of {rounds}")
                visits.append(visit(browser, address))
    ratios = [b / a for a, b in zip(natively[1:], there[1:], strict=True)]  # the first round compiles
    return PublishedFigures(
        spec,
        median(natively[1:]),
        median(there[1:]),
        median(ratios),
        len(code),
        len(gzip.compress(code, 9)),
        size,
        median(one.first_paint for one in visits),
        median(one.first_reply for one in visits),
    )


def _site_size(sizes: dict[str, Size]) -> int:
    return sum(size.gzipped for part, size in sizes.items() if not part.endswith(LEARNT_PART))


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
