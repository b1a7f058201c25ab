"""Every game of the site that `make site` builds, played to its end from the static files: by keyboard without a
network, and by mouse. Slow: five games are compiled for the browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from boardwright.games.built_in import BUILT_IN
from boardwright.publish.site import publish
from tests.test_page import PATIENCE, browser, check_access, over, ply, press, wait_past
from tests.test_publish_page import begin, context, hosted

__all__ = ["browser", "context"]  # fixtures
pytestmark = pytest.mark.slow

# Title, and who sits there: one person, and somebody who answers at once.
GAMES = {
    "tictactoe": ("Tic-tac-toe", ("human", "Random")),
    "gomoku": ("Gomoku", ("human", "Easy")),
    "2048": ("2048", ("human",)),
    "nmbr9": ("NMBR 9", ("human",)),
    "azul": ("Azul", ("human", "Easy")),
}
NEAREST = """all => { const board = document.querySelector('.board').getBoundingClientRect();
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2], [x, y] = middle(board);
    const far = ([a, b]) => Math.hypot(a - x, b - y);
    return all.map((dot) => middle(dot.getBoundingClientRect())).sort((a, b) => far(a) - far(b))[0] }"""
WAYS = {"up": (0, -90), "down": (0, 90), "left": (-90, 0), "right": (90, 0)}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("host")
    assert list(BUILT_IN) == list(GAMES)
    publish(list(GAMES), folder / "site")
    with hosted(folder) as host:
        yield f"{host}/site/"


def way_of(page: Page) -> str:
    """The first way in which tiles slide here."""
    return page.locator(".choices button").first.inner_text().split()[-1]


def near_move(page: Page) -> str:
    """The move whose tile lies nearest to where the board began."""
    asked = "id => fetch(`/api/tables/${id}`).then((got) => got.json()).then((table) => table.view.moves)"
    moves: list[str] = page.evaluate(asked, page.url.split("/")[-1])
    return min(moves, key=lambda move: max(abs(int(part)) for part in move.split("@")[1].split(",")))


def by_keyboard(page: Page, game: str) -> None:
    if game == "2048":
        press(page, f"Arrow{way_of(page).capitalize()}")
        return
    if game == "nmbr9":  # typed: the places that keys offer first lie far out, and a long board is slow
        press(page, "m")
        page.keyboard.type(near_move(page))
        press(page, "Enter", "Escape")
        return
    if not page.locator(".board :focus").count():
        press(page, "b")
    if game == "azul":
        press(page, "Enter")
        page.wait_for_selector(".target", state="attached")
        press(page, "Enter")
    else:
        page.locator(".cell.open").first.focus()
        press(page, "Enter")


def by_mouse(page: Page, game: str) -> None:
    if game == "2048":
        box = page.locator(".board").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        dx, dy = WAYS[way_of(page)]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx, y + dy)
        page.mouse.up()
    elif game == "nmbr9":
        page.wait_for_selector(".dot", state="attached")
        page.mouse.click(*page.eval_on_selector_all(".dot", NEAREST))
    else:
        page.locator(".cell.open").first.click()
        if game == "azul":
            names = list(page.eval_on_selector_all(".cell.open", "all => all.map(one => one.dataset.name)"))
            target = next(name for name in [*names, "F"] if name in "12345F")
            page.locator(f".cell[data-name='{target}']").first.click()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", ["keyboard", "mouse"])
def test_a_game_of_the_site_is_played_to_its_end(context: BrowserContext, address: str, game: str, way: str) -> None:
    title, seats = GAMES[game]
    page = context.new_page()
    if way == "keyboard":
        page.goto(address)
        page.wait_for_selector(".gamecard")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        context.set_offline(True)
    else:
        page.set_viewport_size({"width": 390, "height": 844})
    begin(page, address, title, *seats)
    while True:
        page.wait_for_selector(".status:text-is('Your move'), .status.over")
        if over(page):
            break
        before = ply(page)
        (by_keyboard if way == "keyboard" else by_mouse)(page, game)
        wait_past(page, before)
    assert page.locator(".status").inner_text() and ply(page) >= 5
    check_access(page, f"{game} at its end")
    page.reload()
    page.wait_for_selector(".status.over", timeout=PATIENCE)
    context.set_offline(False)
