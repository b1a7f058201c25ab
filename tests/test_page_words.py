"""The page in words: who is who, what a screen reader hears, how points came about, what a hint says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import boardwright as bw
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.contract.state import copied
from tests.serving import Served, served
from tests.test_page import Watched, browser, cell, hears, watched, window

__all__ = ["browser", "watched", "window"]  # fixtures


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games")) as running:
        yield running


def labels(page: Page) -> list[str]:
    """What each cell of the board is called."""
    cells = page.locator(".board [role=gridcell]").all()
    return [one.get_attribute("aria-label") or "" for one in cells]


def test_azul_is_heard(watched: Watched) -> None:
    """Displays, lines, floor line and walls have words; each board has its owner's name."""
    table = watched.server.begin("azul", "human", "Random", seed=4)
    page = watched.open(table)
    heard = labels(page)
    assert "1: line 1, empty" in heard and "F: floor line, empty" in heard
    assert any(" tiles on display " in one or " tile on display " in one for one in heard)
    assert all(": " in one for one in heard), "no cell is a bare code"
    told = page.locator(".told li").all_inner_texts()
    assert len(told) == 6 + 2, "five displays, the centre, two boards"
    assert told[0].startswith("display 1: ") and told[5] == "centre: the starting marker"
    assert told[6].startswith("You: 0 points; line 1, empty;") and told[7].startswith("Random: 0 points;")
    assert "wall row 5, empty" in told[6] and told[6].endswith("floor line, empty")
    assert page.locator(".board text[data-seat]").all_text_contents() == ["You", "Random"]
    names = {"B": "blue", "Y": "yellow", "R": "red", "D": "dark", "W": "white"}
    move = next(one for one in table["view"]["moves"] if one.endswith("5"))
    watched.server.play(table, move)
    expect(page.locator(".told li").nth(6)).to_contain_text(f"of 5 {names[move[1]]}")


def test_who_is_who(watched: Watched) -> None:
    """Sides have names, on the chips, in the status, on the stones, in the result."""
    server = watched.server
    table = server.begin("gomoku")
    page = watched.open(table)
    assert page.locator(".players .chip").all_inner_texts() == ["B", "W"]
    expect(page.locator(".status")).to_have_text("Black to move")
    cell(page, "h8").click()
    expect(page.locator(".status")).to_have_text("White to move")
    assert "h8, black" in labels(page)
    expect(page.locator("#live")).to_contain_text("Black: h8")
    among = server.begin("tictactoe", "Random", "Random")  # who may be moves ahead before the page is there
    page.goto(f"{server.address}/#/game/{among['id']}")
    expect(page.locator(".players .who")).to_have_text(["Random (X)", "Random (O)"])
    watched.open(server.begin("gomoku", "human", "Medium"))  # whose settings are nobody's name
    expect(page.locator(".players .who")).to_have_text(["You Black", "Medium White"])


# How points came about, and what moves do


def played_out(name: str, seed: int) -> Position:
    """A game to its end, at random."""
    position, rng = bw.load(name).begin(seed=seed), Random(seed)
    while not position.is_over:
        moves = position.moves
        position = position.sample(rng) if position.is_chance else position.play(moves[rng.below(len(moves))])
    return position


@pytest.mark.parametrize("name", ["azul", "nmbr9"])
def test_a_tally_adds_up(name: str) -> None:
    for seed in range(4):
        end = played_out(name, seed)
        rows = end.game.tally(end.view)
        assert [sum(points[p] for _, points in rows) for p in range(end.game.players)] == list(end.scores)


def test_azul_s_bonuses_by_kind() -> None:
    """Of a wall with two rows, a column and a colour."""
    end = played_out("azul", 1)
    s = copied(end.view)
    for row, tiles in enumerate(([1] * 5, [1] * 5, [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 1])):
        for column, tile in enumerate(tiles):
            s.wall[0, row, column] = tile
    s.score[0] = 60
    assert [(words, points[0]) for words, points in end.game.tally(s)] == [
        ("tiles, less the floor line", 39.0),
        ("complete rows, 2 each", 4.0),
        ("complete columns, 7 each", 7.0),
        ("all five of a colour, 10 each", 10.0),
    ]


def note(position: Position, move: str) -> str:
    return position.game.move_note(position.view, position.parse(move))


def test_moves_in_the_game_s_words() -> None:
    gomoku = bw.load("gomoku").begin()
    for move in ("h8", "a1", "h9", "a2", "h10"):
        gomoku = gomoku.play(move)
    assert note(gomoku, "a3") == "makes three in a row" and note(gomoku, "o15") == ""
    gomoku = gomoku.play("a3")
    assert note(gomoku, "h11") == "makes an open four"
    gomoku = gomoku.play("h11").play("o15")
    assert note(gomoku, "h12") == "wins: five in a row"
    assert note(gomoku.play("o1"), "h12") == "stops the other's line"
    azul = bw.load("azul").begin(seed=4)  # display 1 holds two red and two white
    assert note(azul, "1R2") == "completes line 2: +1"
    assert note(azul, "1R1") == "completes line 1: +1, 1 to the floor, floor line −1"
    assert note(azul, "1R4") == "2 into line 4" and note(azul, "1RF") == "2 to the floor, floor line −2"
    slide = bw.load("2048").begin(seed=1)
    notes = {move: slide.game.move_note(slide.view, move) for move in slide.moves}
    assert all(words == "merges nothing" or words.startswith("merges two ") for words in notes.values())
    nine = bw.load("nmbr9").begin(seed=1)
    assert note(nine, "0@0,0") == f"the {nine.view.digit} on the table: scores nothing"


def test_the_end_tells_how_points_came_about(watched: Watched) -> None:
    """Azul's bonuses by kind, a column a player; only at the end of the game."""
    server = watched.server
    table = server.begin("azul", "human", "human", seed=4, rounds=1)
    page = watched.open(table)
    assert page.locator(".tally").count() == 0
    while table["status"] == "unfinished":
        table = server.play(table, table["view"]["moves"][0])
    expect(page.locator(".tally tbody tr")).to_have_count(4)
    expect(page.locator(".tally tbody th").nth(2)).to_have_text("complete columns, 7 each")
    shown = page.locator(".tally tfoot td").all_inner_texts()
    assert shown == [f"{score:g}" for score in table["view"]["scores"]]
    page.locator("[aria-label='Back']").click()
    expect(page.locator(".tally")).to_have_count(0)


def test_a_hint_says_what_the_move_does(watched: Watched) -> None:
    server = watched.server
    table = server.begin("tictactoe", "human", "human")
    for move in ("b2", "a1", "b3", "a2"):
        table = server.play(table, move)
    page = watched.open(table)
    page.keyboard.press("h")
    hears(page, "Hint: b1, wins: three in a row")
