"""Photograph every view of the page, to be looked at: `make photographs` or `python -m tests.photograph FOLDER`.

At 1280, 1920 and 390 wide, light and dark, whole pages. Nothing is compared: what is ugly or confusing is for people to
say. The server and the games are the photographer's own; it takes some minutes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

import boardwright as bw
from boardwright.bench.browser import chromium
from boardwright.contract.folders import home_folder
from boardwright.learn.display import View as Quiet
from boardwright.learn.runs import Run
from boardwright.learn.tuples.settings import TupleSettings
from boardwright.records.live_game import LiveGame
from tests.serving import Served, served

SIZES = {"1280": (1280, 900), "1920": (1920, 1080), "390": (390, 844)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PATIENCE = 300_000.0  # milliseconds
EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "connect_four.py"
RIGHT, WRONG = "return count", "return count + 1"  # what its `legal` says

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Shot:
    """One view: its name, where it is, and what is done there first."""

    name: str
    place: str  # after the #
    ready: str  # a selector: what has to be there
    act: Act | None = None


def played(server: Served, name: str, moves: int) -> str:
    """A game of so many moves by one hand, by the rule of thumb where there is one; its address."""
    game = bw.load(name)
    kind = "greedy" if "greedy" in game.policies else "random"
    player = bw.player(f"{kind}:seed=1", game)
    live = LiveGame(game, ("human",) * game.players, 4).begin()
    for _ in range(moves):
        if not live.position.is_over:
            live.play(player.choose(live.position).move, 2.0)
    server.context.store.library.save(live.record())
    return f"/game/{live.id}"


def key(name: str, ready: str) -> Act:
    def act(page: Page) -> None:
        page.keyboard.press(name)
        expect(page.locator(ready).first).to_be_visible(timeout=PATIENCE)

    return act


def shots(server: Served, own_file: Path) -> list[Shot]:
    """Every view, with games to fill it."""
    gomoku = played(server, "gomoku", 14)
    lost = played(server, "tictactoe", 9)
    azul, nmbr9, sliding = (played(server, name, plies) for name, plies in (("azul", 9), ("nmbr9", 7), ("2048", 60)))
    own = played(server, str(own_file), 9)
    bw.match(bw.load("tictactoe"), ["win-block", "random"], games=20, seed=1, library=server.context.store.library)
    with Run(
        home_folder() / "runs" / "mine", bw.load("2048"), "tuples", TupleSettings(), 3, 0.0, Quiet(quiet=True)
    ) as run:
        run.keep_command("boardwright train 2048 --minutes 30 --out runs/mine")
        for step in range(40):
            run.log(10 * step, {"score": 900.0 + 60 * step - step**2, "loss": 1 / (step + 1)})
    return [
        Shot("home", "/", ".gamecard"),
        Shot("new-gomoku", "/new/gomoku", "dialog[open]"),
        Shot("new-2048", "/new/2048", "dialog[open]"),
        Shot("rules-azul", "/rules/azul", "h1"),
        Shot("tictactoe", played(server, "tictactoe", 3), ".board svg"),
        Shot("gomoku", gomoku, ".board svg"),
        Shot("azul", azul, ".board svg"),
        Shot("nmbr9", nmbr9, ".board svg"),
        Shot("2048", sliding, ".board svg"),
        Shot("own-game", own, ".board svg"),
        Shot("analysis-gomoku", gomoku, ".board svg", key("a", ".candidates tbody tr")),
        Shot("analysis-azul", azul, ".board svg", key("a", ".candidates tbody tr")),
        Shot("report-tictactoe", lost, ".board svg", key("j", ".judged .counts")),
        Shot("report-azul", azul, ".board svg", key("j", ".judged .counts")),
        Shot("study", gomoku, ".board svg", key("e", ".game[data-table=study]")),
        Shot("share", gomoku, ".board svg", key("s", "dialog[open]")),
        Shot("help", "/", ".gamecard", key("?", "dialog[open]")),
        Shot("library", "/library", "h1"),
        Shot("watch", "/watch", ".next"),
        Shot("exercises", "/exercises", "h1, h2"),
        Shot("theatre", "/theatre/tictactoe?seed=3&select=ucb1&at=25", ".theatre[data-at='25']"),
        Shot("theatre-2048", "/theatre/2048?seed=3&at=30", ".theatre[data-at='30']"),
        Shot("gone", "/game/00000000000000000000000000000000", "h1"),
    ]


def photograph(browser: Browser, server: Served, views: list[Shot], folder: Path) -> list[str]:
    """All views at all sizes in both themes; what went wrong, in words."""
    wrong: list[str] = []
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
            )
            for shot in views:
                page = context.new_page()
                page.goto(f"{server.address}/#{shot.place}")
                page.wait_for_load_state("networkidle")  # pictures of the games come one by one
                try:
                    expect(page.locator(shot.ready).first).to_be_visible(timeout=PATIENCE)
                    if shot.act is not None:
                        shot.act(page)
                    page.screenshot(path=folder / f"{shot.name}-{size}-{theme}.png", full_page=True)
                except Exception as error:  # the others are worth having
                    wrong.append(f"{shot.name} at {size}, {theme}: {str(error).splitlines()[0]}")
                page.close()
            context.close()
            print(f"{size} wide, {theme}")
    return wrong


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    only = sys.argv[2:]  # names of views
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["BOARDWRIGHT_HOME"] = home
        own = Path(home) / EXAMPLE.name
        own.write_text(EXAMPLE.read_text())
        with served(Path(home), files=(str(own),)) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
            views = [shot for shot in shots(server, own) if not only or shot.name in only]
            wrong = photograph(browser, server, views, folder)
            if not only or "own-error" in only:  # from now on it is on every page
                own.write_text(own.read_text().replace(RIGHT, WRONG))
                broken = Shot("own-error", played(server, str(EXAMPLE), 9), ".filenote:not(.busy)")
                wrong += photograph(browser, server, [broken], folder)
            browser.close()
    print("\n".join(wrong) or f"{len(views)} views in {folder}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
