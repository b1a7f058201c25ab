"""A published site in a real browser: played, taken back, kept, offline; no request leaves it, its console is empty."""

from __future__ import annotations

import fcntl
import functools
import http.server
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import boardwright as bw
from boardwright.bench.browser import chromium
from boardwright.contract.errors import InputError, RuleError
from boardwright.publish.site import publish
from boardwright.publish.texts import check_texts, texts_source
from tests.test_page import ARGUMENTS, PATIENCE, browser, check_access, hears
from tests.test_publish import COUNTING, EXAMPLE_GAMES, PIG

__all__ = ["browser"]  # a fixture


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class Lasting(Quiet):
    """As GitHub Pages does it, whose files are good for ten minutes."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


@contextmanager
def hosted(folder: Path, kind: type[Quiet] = Quiet) -> Iterator[str]:
    """The address of a plain web server that shows a folder."""
    handler = functools.partial(kind, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site below the root of its host, as on GitHub Pages."""
    own = tmp_path_factory.getbasetemp()
    root = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "host"  # one for all workers of a run
    root.mkdir(exist_ok=True)
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "below").exists():
            publish(["tictactoe", PIG], root / "made" / "site", players={"Thinker": "mcts:seconds=600"})
            (root / "made").rename(root / "below")
    with hosted(root) as host:
        yield f"{host}/below/site/"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(reduced_motion="reduce")
    made.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    made.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    made.on("weberror", lambda error: wrong.append(str(error.error)))
    made.on("request", lambda asked: wrong.append(asked.url) if "127.0.0.1" not in asked.url else None)
    yield made
    made.close()
    assert wrong == []


def begin(page: Page, address: str, title: str, *seats: str) -> None:
    """A game against Medium, the person first, or among these seats."""
    page.goto(address)
    page.get_by_role("button", name=title).click()
    for number, seat in enumerate(seats):
        page.select_option(f"[name='seat-{number}']", seat)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game .board svg")


def ply(page: Page) -> str:
    return page.get_attribute(".game", "data-ply") or ""


def until_mine(page: Page) -> bool:
    """Wait for the other's move; whether the game goes on."""
    page.wait_for_selector(".status:text-is('Your move'), .status.over")
    return page.locator(".status.over").count() == 0


def play(page: Page, move: str) -> None:
    before = ply(page)
    page.fill("#entry", move)
    page.press("#entry", "Enter")
    expect(page.locator(".game")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)


def test_a_game_is_played_hinted_taken_back_and_kept(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Tic-tac-toe")
    page.locator(".cell[data-name='b2']").click()
    assert until_mine(page)
    expect(page.locator(".game")).to_have_attribute("data-ply", "2")
    page.get_by_role("button", name="Hint").click()
    hears(page, "Hint: ")
    expect(page.locator(".sub")).to_contain_text("assisted")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "0")
    play(page, "a1")
    assert until_mine(page)
    page.reload()  # the game is in the browser
    page.wait_for_selector(".game[data-ply='2'] .board svg")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".analysis .candidates *, .analysis table tr, .analysis li")
    page.get_by_role("button", name="Analyse").click()
    while until_mine(page):
        play(page, page.locator("[data-move]").first.get_attribute("data-move") or "")
    assert page.locator(".end").count() == 2
    page.keyboard.press("Escape")
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".game")).to_have_attribute("data-at", "0")
    page.get_by_role("link", name="Rules").click()
    expect(page.locator("h1")).to_have_text("Rules of Tic-tac-toe")
    expect(page.locator(".rules figure svg")).to_have_count(3)


def test_moves_that_are_alike_are_one_row_of_the_analysis(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Tic-tac-toe")
    page.get_by_role("button", name="Analyse").click()
    rows = page.locator(".candidates tbody tr:not(.alike)")
    expect(rows).to_have_count(3, timeout=PATIENCE)  # the centre, a corner, an edge
    named = " ".join(page.locator(".candidates tbody td:nth-child(2)").all_inner_texts())
    assert len(set(re.findall(r"[a-c]\d", named))) == 9


def test_a_report_is_made_kept_and_learnt_from_and_the_tree_opens(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Tic-tac-toe", "human", "human")
    for move in ("b2", "b1", "a1", "a2", "c3"):  # the edge in reply to the centre loses
        play(page, move)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator(".judged .counts").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".judged")).to_contain_text("Judged by the search in this browser")
    expect(page.locator(".moves .step.blunder")).to_have_count(1)
    expect(page.locator(".judged svg.graph .lost")).to_have_count(1)
    kept = page.evaluate("id => fetch(`/api/tables/${id}/report`).then((got) => got.json())", page.url.split("/")[-1])
    for one in kept["report"]["analysis"]["accounts"]:
        assert one["result"] == pytest.approx(one["start"] + one["luck"] - one["losses"] + one["others"] + one["mind"])
    page.reload()  # the report is in the browser, too
    page.wait_for_selector(".game .board svg")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Learn from a mistake").click()
    expect(page.locator(".lesson")).to_contain_text("You played b1 (blunder). Find something better.")
    page.locator(".cell[data-name='a1']").click()
    expect(page.locator(".lesson")).to_contain_text("a1 is", timeout=PATIENCE)
    page.get_by_role("button", name="Finish").click()
    page.locator(".tree summary").first.click()
    expect(page.locator(".tree li b").first).to_be_visible(timeout=PATIENCE)
    page.locator(".tree li summary").first.click()
    expect(page.locator(".tree li li b").first).to_be_visible(timeout=PATIENCE)
    check_access(page, "a published report")


@pytest.mark.slow
def test_a_link_carries_a_whole_game_to_another_browser(
    browser: Browser, context: BrowserContext, address: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    begin(page, address, "Pig", "human", "human")
    for move in ("roll", "roll"):
        play(page, move)
    moves = page.locator(".moves").inner_text()
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").click()
    hears(page, "A link with the whole game")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}#/shared/Pig/") and len(link) < len(address) + 60
    own = page.url
    page.goto(link)  # here it is known
    page.wait_for_url(own)
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    other.goto(link)
    other.wait_for_selector(".game .board svg", timeout=PATIENCE)
    assert other.locator(".moves").inner_text() == moves and other.url != own
    other.goto(f"{link[:-1]}{'B' if link[-1] == 'A' else 'A'}")
    expect(other.locator("main")).to_contain_text("This link is not whole", ignore_case=True, timeout=PATIENCE)
    elsewhere.close()


@pytest.mark.slow
def test_a_game_among_players_is_held_and_goes_on(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Tic-tac-toe", "Random", "Random")
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(".status")).to_have_text("Paused", timeout=PATIENCE)
    other = context.new_page()  # another tab hears that it is held, and lets it go on
    other.goto(page.url)
    expect(other.locator(".status")).to_have_text("Paused", timeout=PATIENCE)
    other.get_by_label("Speed of the replay").select_option("8")
    other.get_by_role("button", name="Replay").click()
    other.wait_for_selector(".status.over")
    page.wait_for_selector(".status.over")
    assert page.locator(".end").count() == 2


@pytest.mark.slow
def test_two_tabs_show_one_game_and_play_a_seat_once(context: BrowserContext, address: str) -> None:
    first = context.new_page()
    begin(first, address, "Tic-tac-toe")
    second = context.new_page()
    second.goto(first.url)
    second.wait_for_selector(".game .board svg")
    play(first, "b2")
    for page in (first, second):
        expect(page.locator(".game")).to_have_attribute("data-ply", "2", timeout=PATIENCE)
    second.get_by_role("button", name="Take back").click()
    for page in (first, second):
        expect(page.locator(".game")).to_have_attribute("data-ply", "0", timeout=PATIENCE)
    first.goto(address)
    first.wait_for_selector(".unfinished .row")
    play(second, "b2")
    assert until_mine(second)
    first.locator(".unfinished .row").click()
    expect(first.locator(".game")).to_have_attribute("data-ply", "2", timeout=PATIENCE)


@pytest.mark.slow
def test_a_full_storage_is_told_and_the_game_goes_on(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    devtools = context.new_cdp_session(page)
    site = address.split("/below")[0]
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": site, "quotaSize": 1})  # bytes
    begin(page, address, "Tic-tac-toe", "human", "human")
    for move in ("b2", "a1", "c3"):
        play(page, move)
    expect(page.locator(".sub")).to_contain_text("this browser's storage is full", timeout=PATIENCE)
    page.get_by_role("link", name="Library").click()  # what is not kept is still there
    page.locator(".rows .row").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "3", timeout=PATIENCE)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": site})
    play(page, "c1")
    expect(page.locator(".sub")).not_to_contain_text("not kept", timeout=PATIENCE)
    page.reload()
    page.wait_for_selector(".game[data-ply='4'] .board svg")


STORES = """new Promise((end) => Object.assign(indexedDB.open("any"),
    { onerror: () => end("refused"), onsuccess: () => end("opened") }))"""


@pytest.mark.slow
def test_a_browser_that_keeps_nothing_for_the_page_plays(browser: Browser, address: str, tmp_path: Path) -> None:
    """As "block all site data" does it: no store, no locks between tabs, no service worker."""
    (tmp_path / "Default").mkdir()
    settings = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(settings))
    blocked = browser.browser_type.launch_persistent_context(tmp_path, executable_path=chromium(), args=ARGUMENTS)
    blocked.set_default_timeout(PATIENCE)
    page = blocked.new_page()
    begin(page, address, "Tic-tac-toe")
    assert page.evaluate(STORES) == "refused"
    play(page, "b2")
    assert until_mine(page)
    expect(page.locator(".sub")).to_contain_text("this browser keeps nothing for this page")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".game")).to_have_attribute("data-ply", "0", timeout=PATIENCE)
    page.reload()
    expect(page.locator("h1")).to_have_text("This game is not here", timeout=PATIENCE)
    blocked.close()


@pytest.mark.slow
def test_a_reload_in_the_middle_of_a_search_loses_nothing(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Pig", "Thinker", "Thinker")  # for ten minutes
    for _ in range(2):
        expect(page.locator(".status")).to_contain_text("looks ahead", timeout=PATIENCE)
        assert ply(page) == "0"
        page.reload()


@pytest.mark.slow
def test_of_two_tabs_that_watch_one_thinks_and_the_other_when_that_is_gone(
    context: BrowserContext, address: str
) -> None:  # fmt: skip
    page = context.new_page()
    begin(page, address, "Pig", "Strong", "Strong")
    expect(page.locator(".game")).not_to_have_attribute("data-ply", "0", timeout=PATIENCE)
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".game .board svg")
    page.close()
    before = ply(other)
    expect(other.locator(".game")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)


@pytest.mark.slow
def test_a_whole_game_at_the_width_of_a_telephone(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page, address, "Tic-tac-toe")
    while until_mine(page):
        before = ply(page)
        page.locator(".board .cell.open").first.click()
        expect(page.locator(".game")).not_to_have_attribute("data-ply", before, timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(page, "a published game at its end")
    assert page.get_by_role("link", name="Watch").count() == 0  # what needs a server is not offered
    page.get_by_role("button", name="Share").click()
    assert page.locator("dialog .share li").count() == 4


def test_the_site_works_without_a_network_after_the_first_visit(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".gamecard")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    begin(page, address, "Pig")
    for _ in range(3):
        assert until_mine(page)
        play(page, "roll")
    context.set_offline(False)


def kept_by(page: Page, version: str) -> None:
    """Wait until this version of the site that the page shows is the one that the browser keeps."""
    page.evaluate(  # the page's policy forbids what wait_for_function does
        """async ([version, patience]) => {
            const { scope } = await navigator.serviceWorker.ready, { pathname } = new URL(scope);
            const until = performance.now() + patience, pause = () => new Promise((resolve) => setTimeout(resolve, 50));
            for (; performance.now() < until; await pause()) {
                const kept = (await caches.keys()).filter((name) => name.includes(pathname));
                const { active } = await navigator.serviceWorker.getRegistration();
                if (active.state === "activated" && kept.length === 1 && kept[0].endsWith(version)) return;
            }
            throw new Error(`it keeps ${await caches.keys()}`);
        }""",
        [version, PATIENCE],
    )


def version_of(site: Path) -> str:
    return str(json.loads((site / "sw.js").read_text().splitlines()[0].removeprefix("self.SITE = ")[:-1])["version"])


@pytest.mark.slow
def test_a_site_that_is_published_again_reaches_its_readers(context: BrowserContext, tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(["tictactoe"], site)
    old = version_of(site)
    with hosted(tmp_path, Lasting) as host:
        page = context.new_page()
        page.goto(f"{host}/site/")
        kept_by(page, old)
        publish(["tictactoe"], site, players={"Newcomer": "random"})
        assert version_of(site) != old
        page.reload()
        kept_by(page, version_of(site))
        page.reload()
        page.get_by_role("button", name="Tic-tac-toe").click()
        expect(page.locator("[name='seat-0'] option", has_text="Newcomer")).to_have_count(1, timeout=PATIENCE)


@pytest.mark.slow
def test_two_sites_of_one_host_do_not_meet(context: BrowserContext, tmp_path: Path) -> None:
    publish(["tictactoe"], tmp_path / "one")
    publish(["tictactoe"], tmp_path / "two", players={"Newcomer": "random"})
    with hosted(tmp_path) as host:
        page = context.new_page()
        for name in ("one", "two"):
            page.goto(f"{host}/{name}/")
            kept_by(page, version_of(tmp_path / name))
        context.set_offline(True)
        begin(page, f"{host}/one/", "Tic-tac-toe", "human", "human")
        played = page.url.rpartition("/")[2]
        page.goto(f"{host}/one/#/library")
        expect(page.locator(".rows .row")).to_have_count(1, timeout=PATIENCE)
        page.goto(f"{host}/two/#/library")
        expect(page.locator("main")).to_contain_text("No such games", timeout=PATIENCE)
        assert page.locator(".rows .row").count() == 0
        expect(page.locator(".tab")).to_have_count(0)
        page.goto(f"{host}/two/#/game/{played}")
        expect(page.locator("h1")).to_have_text("This game is not here", timeout=PATIENCE)
        context.set_offline(False)


@pytest.mark.slow
def test_an_error_of_the_rules_is_one_sentence_on_the_page(context: BrowserContext, tmp_path: Path) -> None:
    rules = COUNTING.replace("# HERE", 'if move == 7: raise ValueError("no such number")')
    rules = rules.replace("actions = 1", "actions = 50")
    rules = rules.replace("return 1\n", "for i in range(50): moves[i] = i\n        return 50\n")
    line = next(number for number, text in enumerate(rules.splitlines(), 1) if "raise" in text)
    path = tmp_path / "counting.py"
    path.write_text(rules)
    publish([str(path)], tmp_path / "site")  # games at random, which publishing plays, do not meet it
    with hosted(tmp_path) as host:
        page = context.new_page()
        begin(page, f"{host}/site/", "Counting", "human", "human")
        play(page, "6")
        page.fill("#entry", "7")
        page.press("#entry", "Enter")
        said = f"a rule raised ValueError: no such number (counting.py, line {line})"
        hears(page, said)


def test_a_site_of_one_small_game_is_small(tmp_path: Path) -> None:
    sizes = publish(["tictactoe"], tmp_path / "site")
    assert set(sizes) == {"the page", "Brython", "tictactoe"}
    assert 100_000 < sum(size.gzipped for size in sizes.values()) < 600_000


def test_a_wrong_move_and_what_needs_a_server_are_one_sentence(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    begin(page, address, "Tic-tac-toe")
    page.fill("#entry", "z9")
    page.press("#entry", "Enter")
    hears(page, "is no legal move here; a move is a column letter")


@pytest.mark.parametrize("spec", EXAMPLE_GAMES)
def test_texts_and_pictures_of_the_examples_can_be_published(spec: str) -> None:
    game = bw.load(spec)
    check_texts(game, texts_source(game), games=1, most_plies=12)


@pytest.mark.parametrize("spec", ["tictactoe", "gomoku", "2048", "nmbr9", "azul"])
def test_those_of_the_built_in_games_too(spec: str) -> None:
    game = bw.load(spec)
    check_texts(game, texts_source(game), games=1, most_plies=6)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("return str(np.int64(move))", 1, "uses int64 (type)"),
        ("return super().move_text(s, move)", 1, "super()"),
        ("import re\n        return re.sub('x', '', str(move))", 2, "does not have"),
        ("return str(id(self))", 0, "differ"),
        ("return OTHERS[move]", 1, "uses OTHERS"),
        ("return open('/dev/null').read() + str(move)", 0, "name 'open' is not defined"),
    ],
)
def test_texts_that_cannot_be_published_are_refused(body: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "counting.py"
    before = f"{COUNTING}\n"
    path.write_text(f"{before}    def move_text(self, s, move):\n        {body}\n\n\nOTHERS = [math]\n")
    game = bw.load(str(path))
    with pytest.raises(RuleError) as caught:
        check_texts(game, texts_source(game), games=1)
    told = str(caught.value)
    assert told.startswith(f"counting.py:{before.count(chr(10)) + 1 + line}: Counting.move_text"), told
    assert said in told and "; " in told and "\n" not in told, told


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        publish(["tictactoe"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
