"""The page in a real browser: every game to its end by keyboard alone and by mouse, analysis, replay, resuming, tabs.

No request may leave this machine, and the console stays empty, in all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from boardwright.bench.browser import chromium
from boardwright.bench.page import SCRIPT_BYTES
from boardwright.serve.app import WEB
from boardwright.serve.limits import Limits
from tests.marks import slowly, thorough
from tests.serving import Served, served

HERE = Path(__file__).parent
DICE = str(HERE / "games" / "dicerace.py")
CONNECT = str(HERE.parent / "docs" / "examples" / "connect_four.py")
NASTY = '''
import boardwright as bw
class Nasty(bw.Game):
    """Nasty: its picture tries to act."""
    players = 1
    actions = 1
    def layout(self): return [("done", "i1")]
    def player(self, s): return bw.OVER if s.done else 0
    def legal(self, s, moves):
        moves[0] = 0
        return 1
    def play(self, s, move): s.done = 1
    def scores(self, s, out): out[0] = s.done
    def svg(self, s):
        return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" '
                'onload="window.stolen = 1"><script>window.stolen = 1</script><style>rect.own { fill: rgb(1, 2, 3) }'
                '</style><image href="http://192.0.2.1/a.png"/><a href="javascript:window.stolen=1"><text>x</text></a>'
                '<foreignObject><iframe src="http://192.0.2.1/"/></foreignObject>'
                '<rect class="own" data-move="0" width="90" height="90" style="stroke: rgb(4, 5, 6)" '
                'onclick="window.stolen = 1"/></svg>')
'''
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--no-first-run"]  # fmt: skip
PATIENCE = 180_000.0  # milliseconds: kernels may have to be compiled, and others compile beside us
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "nasty.py").write_text(NASTY)
    # room enough that a search ends by its time or by being stopped, not by a full tree
    limits = Limits(megabytes=4000.0)
    with served(folder, limits, (DICE, CONNECT, str(folder / "nasty.py")), Slow="mcts:seconds=3600") as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # What would leave this machine ends at a proxy that is not there; a test that asked for it fails: see Watched.
        nowhere: Any = {"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"}
        running = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS, proxy=nowhere)
        yield running
        running.close()


class Watched:
    """A page whose requests and console are watched."""

    def __init__(self, browser: Browser, server: Served, **settings: Any) -> None:
        self.server, self.wrong = server, list[str]()
        self.refusals = 0  # answers that a test provokes: the browser notes each of them in its console
        self.context = browser.new_context(
            viewport=settings.pop("viewport", {"width": 1280, "height": 900}), **settings
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._request)
        self.page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))

    def _console(self, message: Any) -> None:
        if "the server responded with a status of 4" in message.text and self.refusals:
            self.refusals -= 1
        elif message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _request(self, request: Any) -> None:
        if urlsplit(request.url).hostname != "127.0.0.1" and not request.url.startswith("data:"):
            self.wrong.append(f"request: {request.url}")

    def leave(self) -> None:
        """As a browser that was never here: what the page keeps is forgotten, the pointer is away, nothing is open."""
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.server.address, "storageTypes": "all"})
        session.detach()

    def open(self, table: dict[str, Any]) -> Page:
        """Show a game as it was told; one in which a computer is to move goes on by itself, and is shown wherever it
        is by now."""
        self.page.goto(f"{self.server.address}/#/game/{table['id']}")
        turn = table["view"]["player"]
        stays = table["status"] != "unfinished" or table["seats"][turn]["player"] == "human"
        ply = f"data-ply='{table['ply']}'" if stays else "data-ply"
        self.page.wait_for_selector(f".game[data-table='{table['id']}'][{ply}] .board svg")
        return self.page


@pytest.fixture(scope="module")
def window(browser: Browser, server: Served) -> Iterator[Watched]:
    """One for all tests of a file: another window takes Chromium a second of work."""
    seen = Watched(browser, server, reduced_motion="reduce")
    yield seen
    seen.context.close()


@pytest.fixture
def watched(window: Watched) -> Iterator[Watched]:
    window.wrong, window.refusals = [], 0
    yield window
    window.leave()
    assert window.wrong == []


def ply(page: Page) -> int:
    return int(page.get_attribute(".game", "data-ply") or -1)


def wait_past(page: Page, before: int) -> None:
    """Until the game has gone on. No script is evaluated for it: the page's policy would forbid that, too."""
    expect(page.locator(".game")).not_to_have_attribute("data-ply", str(before), timeout=PATIENCE)


def over(page: Page) -> bool:
    return page.locator(".status.over").count() > 0


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def hears(page: Page, text: str) -> None:
    """Wait for a short message. The eye has it for five seconds, the ear until there is another."""
    expect(page.locator("#live")).to_contain_text(text)


def in_a_study(page: Page) -> None:
    """Wait for it. A library may list others under the same words."""
    expect(page.locator(".game[data-table=study] .sub")).to_contain_text("A study")


# By keyboard alone


def test_a_game_is_begun_and_played_by_keyboard(watched: Watched) -> None:
    """From the front page: New game, tic-tac-toe, both seats people, to the end."""
    page = watched.page
    page.goto(watched.server.address)
    page.wait_for_selector(".gamecard")
    press(page, "n")
    page.wait_for_selector("dialog form")
    page.get_by_label("Game", exact=True).focus()
    press(page, "t")  # the first letter chooses; more of them would have to come within a second
    page.wait_for_selector("dialog select option[value=tictactoe]:checked", state="attached")
    expect(page.locator("dialog")).to_have_count(1)  # the one of the game before is gone
    page.get_by_label("Player 2").focus()
    press(page, "a")
    expect(page.get_by_label("Player 2")).to_have_value("human")
    page.get_by_role("button", name="Start").focus()
    press(page, "Enter")
    page.wait_for_selector(".board svg [role=gridcell]")
    press(page, "b")
    expect(page.locator(":focus")).to_have_attribute("role", "gridcell")
    for keys in (["Enter"], ["ArrowUp", "Enter"], ["ArrowLeft", "Enter"], ["ArrowRight", "ArrowRight", "Enter"],
                 ["ArrowDown", "ArrowDown", "Enter"]):  # fmt: skip
        before = ply(page)
        press(page, *keys)
        wait_past(page, before)
    expect(page.locator(".status")).to_have_text("X wins")
    expect(page.locator("#live")).to_contain_text("X wins")


def test_gomoku_by_keyboard(watched: Watched) -> None:
    page = watched.open(watched.server.begin("gomoku"))
    press(page, "b")
    for number in range(5):
        before = ply(page)
        press(page, "Enter")
        wait_past(page, before)
        if number < 4:
            press(page, "ArrowUp", "Enter")
            wait_past(page, before + 1)
            press(page, "ArrowDown", "ArrowRight")
    expect(page.locator(".status")).to_have_text("Black wins")


def test_gomoku_by_typing_moves(watched: Watched) -> None:
    page = watched.open(watched.server.begin("gomoku"))
    for move in "h8 a1 h9 a2 h10 a3 h11 a4 h12".split():
        before = ply(page)
        press(page, "m")
        page.keyboard.type(move)
        press(page, "Enter")
        wait_past(page, before)
        press(page, "Escape")
    assert over(page)
    expect(page.locator("#entry")).to_be_hidden()  # until one goes back, to try another move
    press(page, "ArrowLeft")
    expect(page.locator("#entry")).to_be_visible()
    press(page, "m")
    page.keyboard.type("z99")
    press(page, "Enter")
    hears(page, "“z99” is no legal move here.")


def test_2048_by_keyboard(watched: Watched) -> None:
    page = watched.open(watched.server.begin("2048", size=2, seed=3))
    for _ in range(200):
        if over(page):
            break
        before = ply(page)
        way = page.locator(".choices button").first.inner_text().split()[-1]
        press(page, f"Arrow{way.capitalize()}")
        wait_past(page, before)
    assert page.locator(".status").inner_text().startswith("Finished: ")


@pytest.mark.slow
def test_nmbr9_by_keyboard(watched: Watched) -> None:
    """The first five tiles and the last three; those between are laid while nobody looks, as drawing takes long."""

    def lay(page: Page, tiles: int) -> None:
        press(page, "b")
        for number in range(tiles):
            before = ply(page)
            if number % 3 == 1:
                press(page, "r")
            press(page, "]", "Enter")
            wait_past(page, before)

    table = watched.server.begin("nmbr9", seed=2)
    lay(watched.open(table), 5)
    watched.leave()
    table = watched.server.get(f"/api/tables/{table['id']}").json()
    for _ in range(12):
        turn, x, y, _level = table["view"]["hover"]["places"][0]
        table = watched.server.play(table, f"{90 * turn}@{x},{y}")
    page = watched.open(table)
    lay(page, 3)
    assert over(page) and page.locator(".status").inner_text().startswith("Finished: ")


def test_azul_by_keyboard(watched: Watched) -> None:
    page = watched.open(watched.server.begin("azul", rounds=1, seed=4))
    press(page, "b")
    for _ in range(60):
        if over(page):
            break
        before = ply(page)
        press(page, "Enter")
        page.wait_for_selector(".target", state="attached")
        press(page, "Enter")
        wait_past(page, before)
    assert over(page)


@pytest.mark.parametrize("name", ["DiceRace", *slowly("ConnectFour")])
def test_ones_own_game_by_keyboard(watched: Watched, name: str) -> None:
    """One has buttons for its moves, the other columns to drop into."""
    page = watched.open(watched.server.begin(name, seed=1))
    for _ in range(300):
        if over(page):
            break
        before = ply(page)
        if page.locator(".choices button").count():
            page.locator(".choices button").first.focus()
            press(page, "Enter")
        else:
            press(page, "b")
            page.locator(".cell.open").first.focus()
            press(page, "Enter")
        wait_past(page, before)
    assert over(page)


# By mouse


def cell(page: Page, name: str) -> Any:
    return page.locator(f".cell[data-name='{name}']").first


def test_line_games_by_mouse_with_a_ghost_under_the_pointer(watched: Watched) -> None:
    for game, moves in (("tictactoe", "b2 a1 b1 a2 b3"), ("gomoku", "h8 a1 h9 a2 h10 a3 h11 a4 h12")):
        page = watched.open(watched.server.begin(game))
        for move in moves.split():
            before = ply(page)
            cell(page, move).hover()
            expect(page.locator(".ghost .stone")).to_have_count(1)
            cell(page, move).click()
            wait_past(page, before)
        assert over(page)
        page.mouse.move(5, 300)
        expect(page.locator(".ghost .stone")).to_have_count(0)


def test_2048_by_swiping(watched: Watched) -> None:
    page = watched.open(watched.server.begin("2048", size=2, seed=5))
    ways = {"up": (0, -90), "down": (0, 90), "left": (-90, 0), "right": (90, 0)}
    for _ in range(200):
        if over(page):
            break
        before = ply(page)
        dx, dy = ways[page.locator(".choices button").first.inner_text().split()[-1]]
        box = page.locator(".board").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx, y + dy)
        page.mouse.up()
        wait_past(page, before)
    assert over(page)


def test_2048_moves_its_tiles(browser: Browser, server: Served) -> None:
    """With motion allowed, the tiles are on their way before the server has answered."""
    seen = Watched(browser, server)
    page = seen.open(server.begin("2048", seed=3))
    way = page.locator(".choices button").first.inner_text().split()[-1]
    moving = page.evaluate(
        """way => { document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Arrow' + way, bubbles: true}));
                    return document.getAnimations().length }""",
        way.capitalize(),
    )
    wait_past(page, 2)
    seen.context.close()
    assert moving > 0 and seen.wrong == []


@pytest.mark.slow
def test_nmbr9_by_mouse_with_the_wheel(watched: Watched) -> None:
    table = watched.server.begin("nmbr9", seed=7)
    page = watched.open(table)
    for number in range(20):
        before = ply(page)
        if number % 4 == 1:
            page.locator(".board").hover()
            page.mouse.wheel(0, 100)
        page.wait_for_selector(".dot", state="attached")
        at = page.evaluate(
            """() => { const dots = [...document.querySelectorAll('.dot')];
                       const box = dots.at(-1).getBoundingClientRect();
                       return [box.x + box.width / 2, box.y + box.height / 2] }"""
        )
        page.mouse.move(*at)
        expect(page.locator(".ghost .tile")).to_have_count(1)
        expect(page.locator(".ghost .tile.wrong")).to_have_count(0)
        expect(page.locator(".tip.shown")).to_contain_text("level")
        page.mouse.click(*at)
        wait_past(page, before)
    assert over(page)


def test_azul_by_mouse_tells_what_a_line_will_score(watched: Watched) -> None:
    page = watched.open(watched.server.begin("azul", rounds=1, seed=6))
    first = True
    for _ in range(60):
        if over(page):
            break
        before = ply(page)
        page.locator(".cell.open").first.click()
        page.wait_for_selector(".target", state="attached")
        names = list(page.eval_on_selector_all(".cell.open", "all => all.map(one => one.dataset.name)"))
        target = next(name for name in [*names, "F"] if name in "12345F")
        cell(page, target).hover()
        if first:
            expect(page.locator(".tip.shown")).to_contain_text("line")
            page.keyboard.press("Escape")
            expect(page.locator(".target")).to_have_count(0)
            page.locator(".cell.open").first.click()
            first = False
        cell(page, target).click()
        wait_past(page, before)
    assert over(page)


# With players that think


def test_the_page_stays_awake_while_a_player_thinks(watched: Watched) -> None:
    """It would think for an hour; whoever takes the move back ends that."""
    page = watched.open(watched.server.begin("gomoku", "human", "Slow"))
    cell(page, "h8").click()
    page.wait_for_selector(".progress.shown")
    expect(page.locator(".status")).to_contain_text("looks ahead", timeout=PATIENCE)
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    press(page, "u")
    expect(page.locator(".game")).to_have_attribute("data-ply", "0")
    expect(page.locator(".status")).to_have_text("Your move")


def test_take_back_and_hint_are_marked(watched: Watched) -> None:
    page = watched.open(watched.server.begin("tictactoe", "human", "Easy"))
    cell(page, "b2").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "2", timeout=PATIENCE)
    expect(page.locator(".status")).to_have_text("Your move")
    expect(page.locator(".sub")).not_to_contain_text("assisted")
    press(page, "u")
    page.wait_for_selector(".game[data-ply='0']")
    expect(page.locator(".sub")).to_contain_text("assisted")
    press(page, "h")
    page.wait_for_selector(".marks .mark", timeout=PATIENCE)  # one, or as many as are equal by symmetry


@pytest.mark.slow
def test_players_among_themselves_play_to_the_end(watched: Watched) -> None:
    """That they can be held: tests/test_page_live.py."""
    page = watched.open(watched.server.begin("tictactoe", "Random", "Random"))
    page.wait_for_selector(".status.over")
    assert ply(page) >= 5
    expect(page.get_by_label("Move", exact=True)).to_be_hidden()  # there is none to type


# Analysis and replay


def stop(page: Page) -> None:
    """End the analysis. Where its time was up already it looks again, and ends by itself."""
    named = page.get_by_role("button", name="Stop").or_(page.get_by_role("button", name="Look again"))
    named.first.click()


def finished(server: Served, moves: str = "h8 a1 h9 a2 g8 a3 h10 c9 h11 b7 h12") -> dict[str, Any]:
    table = server.begin("gomoku")
    for move in moves.split():
        table = server.play(table, move)
    return table


def test_analysis_shows_candidates_lines_tree_and_stops(watched: Watched) -> None:
    page = watched.open(finished(watched.server, "h8 g9"))
    assert page.locator(".analysis").is_hidden(), "off until asked for"
    press(page, "a")
    page.wait_for_selector(".candidates tbody tr")
    stop(page)
    page.wait_for_selector(".tree summary")
    expect(page.locator(".marks .mark")).not_to_have_count(0)
    expect(page.locator(".candidates tbody tr").first).to_contain_text("best")
    page.locator(".candidates tbody tr").first.hover()
    expect(page.locator(".ghost .seq")).not_to_have_count(0)
    expect(page.locator(".line span")).not_to_have_count(0)
    page.locator(".tree summary").first.click()
    page.wait_for_selector(".tree li summary")
    page.locator(".tree li summary").first.click()
    page.wait_for_selector(".tree li li")
    press(page, "a")
    expect(page.locator(".analysis")).to_be_hidden()
    expect(page.locator(".marks .mark")).to_have_count(0)


def test_a_report_with_graph_mistakes_and_lessons(watched: Watched) -> None:
    # White does not stop a four that one stone stops: a blunder also for a judge who had little time.
    page = watched.open(finished(watched.server, "h8 h7 h9 g7 a15 o15 h10 f7 h11 a1 h12"))
    press(page, "j")
    page.wait_for_selector(".judged .graph")
    expect(page.locator(".step b")).not_to_have_count(0)  # mistakes are marked in the list of moves
    expect(page.locator(".graph .lost")).not_to_have_count(0)
    expect(page.locator(".judged .framed .up span")).to_have_text(["100 %", "50 %", "0 %"])
    expect(page.locator(".judged .legend")).to_contain_text("Black's chance of a win")
    page.locator(".judged .graph").hover(position={"x": 2, "y": 20})
    expect(page.locator(".judged .reading")).to_have_text(re.compile(r"^Start: \d+ %$"))
    panels = [page.locator(name).bounding_box() for name in (".stage", ".side", ".analysis")]
    lefts = [box["x"] for box in panels if box is not None]
    assert lefts == sorted(lefts) and len(set(lefts)) == 3, "side by side at a width of 1280"
    box = page.locator(".graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + 20)
    expect(page.locator(".game")).to_have_attribute("data-at", "4")
    press(page, "Home")
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    press(page, "x")
    expect(page.locator(".game")).not_to_have_attribute("data-at", "0")
    page.get_by_role("button", name="Learn from").click()
    expect(page.locator(".lesson")).to_contain_text("Find something better")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".lesson")).to_contain_text("Best was")
    at = int(page.get_attribute(".game", "data-at") or 0)
    page.get_by_role("button", name="Stop").last.click()
    assert ply(page) == 11 and int(page.get_attribute(".game", "data-at") or 0) == at, "the game is what it was"
    expect(page.locator(".judged .verdict")).to_contain_text(":")
    page.reload()
    page.wait_for_selector(".board svg")
    press(page, "a")
    page.wait_for_selector(".judged .graph")
    expect(page.locator(".judged")).to_contain_text("standard errors")


def test_replay_with_slider_keys_and_by_itself(watched: Watched) -> None:
    table = finished(watched.server)
    page = watched.open(table)

    def at(ply: int) -> None:
        page.wait_for_selector(f".game[data-at='{ply}']")

    press(page, "Home")
    at(0)
    press(page, "ArrowRight", "ArrowRight")
    at(2)
    press(page, ",")
    at(1)
    page.get_by_label("Position in the game").fill("6")
    at(6)
    page.locator(".step").nth(3).click()
    at(4)
    page.get_by_label("Speed of the replay").select_option("8")
    page.get_by_role("button", name="Replay", exact=True).click()
    at(11)
    page.wait_for_selector("[aria-label='Replay'][type=button]")
    press(page, "Home", "Space")
    at(11)


def test_explore_and_choose_what_chance_does(watched: Watched) -> None:
    table = watched.server.begin("2048", seed=3)
    page = watched.open(table)
    press(page, "e")
    in_a_study(page)
    page.locator(".choices button").first.click()
    page.wait_for_selector(".choices:has-text('Chance moves here')")
    assert page.locator(".choices button").count() > 10
    page.locator(".choices button").nth(3).click()
    page.wait_for_selector(".game[data-ply='2']")
    press(page, "u")
    page.wait_for_selector(".game[data-at='1']")
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector(".game[data-ply='2'] .status:has-text('Your move')")
    assert watched.server.get(f"/api/tables/{table['id']}").json()["ply"] == table["ply"]


def test_share_downloads_and_pasting(watched: Watched, tmp_path: Path, browser: Browser) -> None:
    table = finished(watched.server)
    page = watched.open(table)
    press(page, "s")
    saved = {}
    for name, ending in (("Record", "json"), ("SGF", "sgf"), ("Replay page", "html")):
        with page.expect_download() as loading:
            page.get_by_role("link", name=name, exact=True).click()
        saved[ending] = tmp_path / loading.value.suggested_filename
        loading.value.save_as(saved[ending])
        assert saved[ending].suffix == f".{ending}"
    press(page, "Escape")
    alone = browser.new_page()
    wrong: list[str] = []
    alone.on("console", lambda message: wrong.append(message.text))
    alone.on("pageerror", lambda error: wrong.append(str(error)))
    alone.goto(saved["html"].as_uri())
    alone.wait_for_selector("#board svg")
    for _ in range(11):
        alone.keyboard.press("ArrowRight")
    expect(alone.locator("#said")).to_contain_text("h12")
    assert wrong == []
    alone.close()
    press(page, "l")
    page.get_by_text("Paste or open a game").click()
    page.get_by_label("A record, an SGF or a position").fill(saved["sgf"].read_text())
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".game[data-ply='11']")
    position = watched.server.post("/api/look", table=table["id"], ply=5).json()["position"]
    press(page, "l")
    page.get_by_text("Paste or open a game").click()
    page.get_by_label("A record, an SGF or a position").fill(json.dumps(position))
    page.get_by_role("button", name="Open").click()
    in_a_study(page)
    press(page, "l")
    page.get_by_text("Paste or open a game").click()
    watched.refusals = 1
    page.get_by_label("A record, an SGF or a position").fill("nonsense")
    page.get_by_role("button", name="Open").click()
    hears(page, "this is no record, no SGF and no position")


def test_watching_trainings_and_matches(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import boardwright as bw
    from boardwright.cluster.status import NodeStatus, Status
    from boardwright.learn.runs import WORKERS
    from tests.test_serve_watch import training

    monkeypatch.setenv("BOARDWRIGHT_HOME", str(tmp_path))
    bw.match(bw.load("tictactoe"), ["win-block", "random"], games=4, seed=1, workers=0)
    with served(tmp_path) as server, training(tmp_path / "runs" / "night", "gomoku", "selfplay") as run:
        run.log(1, {"elo": 1.0, "elo_low": -9.0, "elo_high": 11.0})
        run.log(2, {"elo": 5.0, "elo_low": -5.0, "elo_high": 15.0})
        crew = Status("auto", [NodeStatus("10.0.0.7", 2, portions=5), NodeStatus("10.0.0.8", refused="it has no JAX")])
        (run.path / WORKERS).write_text(json.dumps(crew.to_dict()))
        seen = Watched(browser, server, reduced_motion="reduce")
        page = seen.page
        page.goto(f"{server.address}/#/watch")
        page.wait_for_selector(".panel .graph .curve", state="attached")
        expect(page.locator(".graph .band")).to_have_count(1)
        expect(page.locator(".live")).to_have_count(1)
        expect(page.locator(".panel .graph")).to_have_attribute("aria-label", "Rating, Elo: night now 5.000")
        expect(page.locator(".panel .across span").last).to_have_text("2 iterations")
        page.locator(".panel .graph").hover(position={"x": 4, "y": 40})
        expect(page.locator(".reading")).to_have_text("1.00 (−9.00 to 11.00) at 1")
        expect(page.locator(".panel.next")).to_contain_text("Ctrl-C saves and stops")
        expect(page.locator(".panel table").first).to_contain_text("refused: it has no JAX")
        run.log(3, {"elo": 9.0, "elo_low": 1.0, "elo_high": 16.0})
        expect(page.locator(".panel .graph")).to_have_attribute(
            "aria-label", "Rating, Elo: night now 9.000", timeout=PATIENCE
        )
        check_access(page, "watch")
        page.get_by_role("button", name="Games").click()
        page.locator(".panel li a").first.click()
        page.wait_for_selector(".status.over")
        seen.context.close()
        assert seen.wrong == []


# Staying


def test_games_stay_open_in_tabs_through_reloads(watched: Watched) -> None:
    one, two = watched.server.begin("tictactoe"), watched.server.begin("nmbr9", seed=4)
    page = watched.open(one)
    cell(page, "b2").click()
    wait_past(page, 0)
    watched.open(two)
    expect(page.locator(".tab")).to_have_count(2)
    press(page, "1")
    page.wait_for_selector(f".game[data-table='{one['id']}'][data-ply='1']")
    page.reload()
    page.wait_for_selector(f".game[data-table='{one['id']}'][data-ply='1'] .board svg")
    expect(page.locator(".tab")).to_have_count(2)
    press(page, "2")
    page.wait_for_selector("h1:has-text('NMBR 9')")
    page.locator(".tab button").last.click()
    page.wait_for_selector(".gamecard")
    expect(page.locator(".tab")).to_have_count(1)
    assert watched.server.get(f"/api/tables/{two['id']}").status_code == 404, "nobody had moved in it"


def test_the_tab_of_the_game_shown_is_in_sight(browser: Browser, server: Served) -> None:
    seen = Watched(browser, server, viewport={"width": 390, "height": 844})
    for _ in range(4):
        page = seen.open(server.begin("tictactoe"))
    for key in ("4", "1"):
        press(page, key)
        expect(page.locator(f".tab:nth-child({key}) [aria-current]")).to_be_in_viewport(ratio=1)
    seen.context.close()
    assert seen.wrong == []


def test_what_a_strangers_picture_tries_comes_to_nothing(watched: Watched) -> None:
    page = watched.open(watched.server.begin("Nasty"))
    assert page.evaluate("window.stolen") is None
    assert page.locator(".board script, .board image, .board foreignObject, .board iframe, .board a").count() == 0
    style = page.eval_on_selector(".board rect.own", "e => [getComputedStyle(e).fill, getComputedStyle(e).stroke]")
    assert style == ["rgb(1, 2, 3)", "rgb(4, 5, 6)"], "but it looks as its author drew it"
    cell(page, "0").click()
    page.wait_for_selector(".status.over")
    assert page.evaluate("window.stolen") is None


def test_own_games_wear_their_first_board(watched: Watched) -> None:
    """Where they have one; a stranger's picture does as little in a list as on the board."""
    page = watched.page
    page.goto(watched.server.address)
    for name, drawn in (("ConnectFour", True), ("Nasty", True), ("DiceRace", False)):
        address = f"api/games/{name}/icon.svg"
        assert page.locator(f".gamecard img[src='{address}']").evaluate(
            "one => one.decode().then(() => one.naturalWidth)"
        )
        shown = watched.server.get(f"/{address}")
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        assert (shown.text == (WEB / "icons" / "own.svg").read_text()) is not drawn
    assert page.evaluate("window.stolen") is None


# For everybody


def check_access(page: Page, where: str) -> None:
    found: Any = Axe().run(page)
    told = [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for one in found.response["violations"]
        for node in one["nodes"]
    ]
    assert told == [], where


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_accessibility(browser: Browser, server: Served, theme: Any) -> None:
    seen = Watched(browser, server, reduced_motion="reduce", color_scheme=theme)
    page = seen.page
    page.goto(server.address)
    page.wait_for_selector(".gamecard")
    check_access(page, "front page")
    press(page, "n")
    page.wait_for_selector("dialog form")
    check_access(page, "new game")
    press(page, "Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)  # while one is open, keys are its own
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check_access(page, "help")
    press(page, "Escape")
    # 2048 is looked at on a telephone, below, and gomoku with its analysis.
    for name in ("gomoku", "nmbr9", "azul", "2048", "tictactoe") if thorough() else ("nmbr9", "azul"):
        seen.open(server.begin(name, seed=3))
        check_access(page, name)
    seen.open(finished(server))
    press(page, "j")
    page.wait_for_selector(".judged .graph")
    press(page, "Home")
    page.wait_for_selector(".candidates tbody tr")
    stop(page)
    page.wait_for_selector(".tree summary")  # when the search has ended
    check_access(page, "analysis")
    for place in ("library", "watch"):
        page.goto(f"{server.address}/#/{place}")
        page.wait_for_selector(f"h1:has-text('{place.capitalize()}')")
        check_access(page, place)
    seen.context.close()
    assert seen.wrong == []


def test_the_board_is_a_grid_with_one_tab_stop_and_names(watched: Watched) -> None:
    page = watched.open(watched.server.play(watched.server.begin("tictactoe"), "b2"))
    assert page.locator(".board [role=grid]").count() == 1
    assert page.locator(".board [role=row]").count() == 3 and page.locator(".board [role=gridcell]").count() == 9
    assert page.locator(".board [tabindex='0']").count() == 1
    labels = page.eval_on_selector_all(
        ".board [role=gridcell]", "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert "b2, X" in labels and "a1, can be chosen" in labels
    assert page.locator("[aria-live=polite]").count() == 1


def test_telephone_width_has_no_sideways_scrolling(browser: Browser, server: Served) -> None:
    seen = Watched(browser, server, viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
    for name in ("gomoku", "nmbr9", "azul", "2048", "tictactoe"):
        page = seen.open(server.begin(name, seed=3))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
    seen.open(server.begin("2048", seed=3))
    check_access(page, "telephone")
    page.goto(server.address)
    page.wait_for_selector(".gamecard")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page = seen.open(server.begin("gomoku"))
    cell(page, "h8").tap()
    expect(page.locator(".ghost .stone")).to_have_count(1)
    assert ply(page) == 0, "a small cell wants a second touch"
    cell(page, "h8").tap()
    wait_past(page, 0)
    seen.context.close()
    assert seen.wrong == []


def test_a_report_that_is_asked_for_on_a_telephone_is_in_sight(browser: Browser, server: Served) -> None:
    table = server.begin("tictactoe", seed=3)
    for move in ("a1", "b2", "a2"):
        table = server.play(table, move)
    seen = Watched(browser, server, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = seen.open(table)
    press(page, "j")
    expect(page.locator(".judged h2")).to_be_in_viewport()
    seen.context.close()
    assert seen.wrong == []


def test_the_list_of_moves_goes_along(watched: Watched) -> None:
    table = watched.server.begin("azul", seed=3)
    for _ in range(40):
        table = watched.server.play(table, table["view"]["moves"][0])
    page = watched.open(table)
    listed = page.locator(".moves")
    assert listed.evaluate("one => one.scrollTop") > 0
    press(page, "Home")
    page.wait_for_selector(".game[data-at='0']")
    assert listed.evaluate("one => one.scrollTop") == 0


def test_a_list_of_games_is_read_in_full_on_a_telephone(browser: Browser, server: Served) -> None:
    server.begin("azul", seed=3, players=4)
    seen = Watched(browser, server, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    seen.page.goto(f"{server.address}/#/library")
    texts = seen.page.locator(".row small", has_text="A person")
    texts.first.wait_for()
    cut = texts.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length")
    assert cut == 0
    seen.context.close()
    assert seen.wrong == []


def test_own_scripts_stay_small() -> None:
    assert sum(path.stat().st_size for path in WEB.glob("*.js")) < SCRIPT_BYTES
