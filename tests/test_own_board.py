"""A board for games that draw nothing: what is inferred of it, and which clicks make which move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.check.texts import check_texts as check_position
from boardwright.contract.cells import cells_text, read_cell, read_cells
from boardwright.contract.clicks import find_clicks
from boardwright.contract.grid import AXES
from boardwright.contract.random import Random
from boardwright.publish.texts import check_texts, texts_source
from boardwright.serve.view import see
from tests.marks import examples

EXAMPLES = Path("docs/examples")
OWN = ("connect_four", "pig", "royal_ur", "ludo:players=4", "breakthrough", "oware", "cant_stop:players=3")


def example(name: str) -> bw.Game:
    file, _, options = name.partition(":")
    return bw.load(f"{EXAMPLES / file}.py{':' + options if options else ''}")


class Marks(bw.Game):
    """Players mark cells in turn; all that can vary is how the field lies and what is known of it."""

    first: int = 3
    second: int = 4
    way: int = 0
    shown: bool = True
    flat: bool = False
    players = 2

    @property  # type: ignore[misc]  # a constant elsewhere; here options say it
    def actions(self) -> int:
        return self.first * self.second

    def layout(self) -> Any:
        shape = (self.actions,) if self.flat else (self.first, self.second)
        return [("other", "i1", (self.actions,)), ("marks", "i1", shape), ("count", "i2")]

    def player(self, s: Any) -> int:
        return bw.OVER if s.count == self.actions else s.count % 2

    def at(self, s: Any, cell: int) -> Any:
        return s.marks[cell] if self.flat else s.marks[cell // self.second, cell % self.second]

    def legal(self, s: Any, moves: Any) -> int:
        count = 0
        for cell in range(self.actions):
            if self.at(s, cell) == 0:
                moves[count] = cell
                count += 1
        return count

    def play(self, s: Any, move: int) -> None:
        if self.flat:
            s.marks[move] = s.count % 2 + 1
        else:
            s.marks[move // self.second, move % self.second] = s.count % 2 + 1
        s.count += 1

    def results(self, s: Any, out: Any) -> None:
        out[0] = out[1] = 0.0

    def order(self) -> Any:
        """Where each cell of the text board stands in the field: the same as the picture must find."""
        first, second = AXES[self.way]
        table = np.arange(self.actions).reshape(self.first, self.second)
        table = table[::-1] if first in ("up", "left") else table
        table = table[:, ::-1] if second in ("up", "left") else table
        return table.T if first in ("right", "left") else table

    def board(self, s: Any) -> str:
        if not self.shown:
            return f"{s.count} marks"
        rows = [" ".join(".XO"[self.at(s, int(cell))] for cell in row) for row in self.order()]
        return "\n".join([*(f"{len(rows) - i} {row}" for i, row in enumerate(rows)), "", f"{s.count} marks"])


def after(game: bw.Game, plies: int, seed: int = 1) -> bw.Position:
    position, rng = game.begin(seed, debug=True), Random(seed)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return position


@examples(60)
@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 7), st.booleans())
def test_the_board_lies_as_the_text_shows_it(first: int, second: int, way: int, flat: bool) -> None:
    game = Marks(first=first, second=second, way=way, flat=flat)
    position = after(game, 5)
    shown = [["A" if one == "X" else "B" if one == "O" else one for one in line.split()[1:]]
             for line in str(position).splitlines()[: len(game.order())]]  # fmt: skip
    assert game.board_cells(position.view) == shown


@examples(30)
@given(st.integers(2, 6), st.integers(2, 6))
def test_without_a_text_a_field_of_rows_and_columns_is_read_as_it_is_written(first: int, second: int) -> None:
    game = Marks(first=first + 1, second=second, shown=False)
    position = after(game, 4)
    marks = position.record["marks"][0].tolist()
    assert game.board_cells(position.view) == [[".AB"[one] for one in row] for row in marks]


def test_a_flat_field_is_cut_by_options_and_left_alone_without() -> None:
    class Square(Marks):
        size: int = 4
        first: int = 4
        flat: bool = True
        shown: bool = False

    assert Square().grid_plan[:3] == ("marks", 4, 4)  # the other is never in use

    class Unknown(Marks):
        def layout(self) -> Any:
            return [("marks", "i1", (7,)), ("count", "i2")]

        first: int = 7
        second: int = 1
        flat: bool = True
        shown: bool = False

    assert Unknown().grid_plan == () and Unknown().board_cells(after(Unknown(), 2).view) == []


def test_one_line_declares_a_board_and_wrong_ones_are_refused() -> None:
    class Declared(Marks):
        shown: bool = False
        grid = bw.Grid("marks", axes=("right", "up"), style="checks", shows=("count",))

    game = Declared()
    assert game.grid_plan[:3] == ("marks", 4, 3) and game.board_style == "checks"
    assert game.panel_plan == (("count", "number"),)
    position = game.begin(debug=True).play(0)
    assert game.board_cells(position.view)[-1][0] == "A"  # the first index leads right, the second up
    for grid, said in (
        (bw.Grid("cells"), "layout has no field 'cells'; its fields are other, marks, count"),
        (bw.Grid("marks", axes=("up", "down")), 'such as ("down", "right")'),
        (bw.Grid("marks", style="wood"), "choose one of plain, checks, holes"),
        (bw.Grid("marks", rows=5, columns=5), "5 x 5 cells, but 'marks' has 12"),
        ("marks", 'write grid = bw.Grid("cells")'),
    ):
        wrong = type("Wrong", (Marks,), {"grid": grid, "__module__": __name__})
        with pytest.raises(bw.RuleError) as refused:
            wrong().begin(debug=True).svg()
        assert said in str(refused.value)


def test_the_words_of_a_cell() -> None:
    cell = read_cell("home:-3A*b2B", "a1")
    assert cell["name"] == "home" and cell["pieces"] == [(0, 3), (1, 2)]
    assert cell["beside"] and cell["star"] and cell["tint"] == 1
    assert read_cell("o12", "a1")["heap"] == 12 and read_cell("12", "b1")["number"] == 12
    assert read_cell("=a: b", "c1")["words"] == "a: b" and read_cell("A+", "c1")["neutral"] == 1
    assert [cell["name"] for cell in read_cells([["A", "."], ["", "B"]])] == ["a2", "b2", "b1"]
    assert cells_text([["A", "."], [".", "2B"]]) == "2  A  .\n1  . 2B\n   a  b"


def test_clicks_that_would_mean_two_moves_become_buttons() -> None:
    cells = read_cells([["A", ".", "."]])
    states = {0: read_cells([[".", "A", "."]]), 1: read_cells([[".", "A", "*"]]), 2: read_cells([["A", ".", "."]])}
    found = find_clicks(cells, states, {0: "step", 1: "step and star", 2: "pass"}, 0, 3)
    assert found["paths"] == {}  # both leave a1 and enter b1
    assert found["leads"] == {"step": ["a1", "b1"], "step and star": ["a1", "b1", "c1"]}
    del states[1]
    assert find_clicks(cells, states, {0: "step", 2: "pass"}, 0, 3)["paths"] == {"step": ["a1"]}
    assert find_clicks(cells, states, {0: "step", 2: "pass"}, 0, 99)["paths"] == {"step": ["a1", "b1"]}


def clicked(paths: dict[str, list[str]], columns: dict[str, str], cells: set[str]) -> Counter[str]:
    """How many ways of clicking lead to each move, columns counting as one."""
    found: Counter[str] = Counter()
    for text, path in paths.items():
        assert path and set(path) <= cells, (text, path)
        assert not any(other != path and other == path[: len(other)] for other in paths.values()), text
        found[text] += 1
    for cell, to in columns.items():
        assert cell in cells and [to] in paths.values()
    assert len({tuple(path) for path in paths.values()}) == len(paths)
    return found


@pytest.mark.parametrize("name", OWN)
def test_every_legal_move_of_the_examples_has_one_way_to_be_made(name: str) -> None:
    game = example(name)
    kinds: Counter[str] = Counter()
    for seed in range(3):
        position, rng = game.begin(seed, debug=True), Random(seed)
        for _ in range(60):
            if position.is_over:
                break
            view = see(position)
            hover = view["hover"]
            cells = {cell["name"] for cell in read_cells(game.board_cells(position.view))}
            ways = clicked(hover.get("paths", {}), hover.get("columns", {}), cells)
            buttons = [move for move in view["moves"] if move not in ways]
            assert set(ways) <= set(view["moves"]) and max(ways.values(), default=1) == 1
            kinds["clicks"] += len(ways)
            kinds["buttons"] += len(buttons)
            position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    by_button = name.startswith(("pig", "cant_stop"))
    assert (kinds["clicks"] == 0) if by_button else (kinds["buttons"] == 0), kinds


def test_connect_four_is_played_by_columns() -> None:
    hover = see(example("connect_four").begin(debug=True).play("4").play("4"))["hover"]
    assert hover["columns"]["d6"] == hover["columns"]["d1"] == "d3" and hover["lands"]["4"] == "d3"
    assert hover["last"] == ["d2"]
    assert ">7</text>" in example("connect_four").begin(debug=True).svg()  # columns are called as moves are


@pytest.mark.parametrize("name", OWN)
def test_examples_are_short_and_show_themselves(name: str) -> None:
    assert len((EXAMPLES / f"{name.partition(':')[0]}.py").read_text().splitlines()) < 120
    game = example(name)
    picture = after(game, 8).svg()
    assert picture.startswith("<svg") and "monospace" not in picture


@pytest.mark.parametrize("name", OWN)
def test_a_published_page_shows_the_same(name: str) -> None:
    game = example(name)
    check_texts(game, texts_source(game), games=1, most_plies=12)


def test_the_check_holds_cells_to_their_words() -> None:
    for cells, said in (
        ([["a:.", "a:."]], "two cells are called 'a' at the start; each needs a name of its own"),
        ([["a", 1]], "no rows of texts at the start"),
        ("A.", "no rows of texts at the start"),
    ):
        made = type("Made", (Marks,), {"board_cells": lambda self, s, cells=cells: cells, "__module__": __name__})
        with pytest.raises(bw.RuleError) as refused:
            check_position(made(), made().begin(debug=True), "at the start")
        assert f"Made.board_cells: {said}" in str(refused.value)


def test_a_picture_of_its_own_is_left_alone() -> None:
    class Drawn(Marks):
        def svg(self, s: Any) -> str:
            return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect data-move="0"/></svg>'

    view = see(Drawn().begin(debug=True))
    assert view["drawn"] and view["hover"] == {"kind": "cells"}
