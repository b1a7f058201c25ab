"""Which cells somebody clicks to make a move, found from the move's text or from what it changes.

A path is the cells of a move in the order of the clicks. No two moves share one, and none begins another; a move
without a path gets a button. Plain Python without any import: a published page runs it by Brython.
"""

from __future__ import annotations

from typing import Any

from boardwright.contract.cells import count_of, is_bare

MOST_CELLS = 3  # that a move's text may name
BETWEEN = " -–>x,"  # signs between two names


def find_clicks(
    cells: list[dict[str, Any]],
    afters: dict[int, list[dict[str, Any]]],
    texts: dict[int, str],
    player: int,
    actions: int,
) -> dict[str, Any]:
    """`cells`: the board now, as `read_cells` has it; `afters[move]`: after a move of `player`, where it was tried.

    `paths`: move's text -> names of cells. `leads`: move's text -> cells that it changes. `lands`: move's text -> where
    the mover's piece then stands. `columns`: cell -> the cell that a click on it means, where any cell of a column
    does.
    """
    leads: dict[str, list[str]] = {}
    lands: dict[str, str] = {}
    ways: dict[str, list[str]] = {}
    places = {cell["name"]: cell for cell in cells}
    one_click = actions <= len(cells)  # a move is a cell, not a way from one to another
    for move, text in texts.items():
        changed = changed_cells(cells, afters[move]) if move in afters else []
        leads[text] = [before["name"] for before, _ in changed]
        gained = [
            after["name"]
            for before, after in changed
            if count_of(after, player) > count_of(before, player) and not before["neutral"]
        ]
        if len(gained) == 1:
            lands[text] = gained[0]
        way = spelled(text, places)
        ways[text] = way if way else _by_change(changed, player, gained, one_click)
    paths = _unique(ways)
    return {
        "paths": paths,
        "leads": {text: leads[text] for text in texts.values() if 0 < len(leads[text]) <= 16},
        "lands": lands,
        "columns": _columns(cells, paths, places, actions) if len(lands) == len(paths) == len(texts) else {},
    }


def changed_cells(
    before: list[dict[str, Any]], after: list[dict[str, Any]]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(before, after) of each cell that is in both and differs."""
    then = {cell["name"]: cell for cell in after}
    return [
        (cell, then[cell["name"]])
        for cell in before
        if cell["name"] in then and then[cell["name"]]["what"] != cell["what"]
    ]


def spelled(text: str, places: dict[str, Any]) -> list[str]:
    """The names of cells that a text is made of; none if it is made of anything else."""
    names = sorted(places, key=len, reverse=True)
    return _split(text, names, MOST_CELLS)


def _split(text: str, names: list[str], most: int) -> list[str]:
    if most == 0:
        return []
    for name in names:
        if text == name:
            return [name]
        if text[: len(name)] == name:
            rest = text[len(name) :]
            while rest and rest[0] in BETWEEN:
                rest = rest[1:]
            more = _split(rest, names, most - 1) if rest else []
            if more:
                return [name] + more  # noqa: RUF005 - Brython
    return []


def _by_change(
    changed: list[tuple[dict[str, Any], dict[str, Any]]], player: int, gained: list[str], one_click: bool
) -> list[str]:
    """The clicks of a move whose text says nothing. Where there are no more moves than cells: the one cell that it
    changes, that a piece leaves or enters, or that it empties. Elsewhere: where a piece goes from and to, or the empty
    cell where a new one is put."""
    if len(changed) == 1 and one_click:
        return [changed[0][0]["name"]]
    lost = [before["name"] for before, after in changed if count_of(after, player) < count_of(before, player)]
    if len(lost) == 1 and (one_click or len(gained) == 1):
        return lost if one_click else lost + gained
    free = [before["name"] for before, _ in changed if is_bare(before)]
    if len(gained) == 1 and not lost and (one_click or gained[0] in free):
        return gained
    emptied = [before["name"] for before, after in changed if is_bare(after) and not is_bare(before)]
    return emptied if len(emptied) == 1 and one_click else []


def _unique(ways: dict[str, list[str]]) -> dict[str, list[str]]:
    """Those that no other move shares, nor begins."""
    taken: dict[tuple[str, ...], int] = {}
    for way in ways.values():
        taken[tuple(way)] = taken.get(tuple(way), 0) + 1
    return {
        text: way
        for text, way in ways.items()
        if way and taken[tuple(way)] == 1 and not any(tuple(way[:i]) in taken for i in range(1, len(way)))
    }


def _columns(
    cells: list[dict[str, Any]], paths: dict[str, list[str]], places: dict[str, Any], actions: int
) -> dict[str, str]:
    """Where there are as many moves as columns, and each legal one drops a piece into a column of its own: cell ->
    where a piece dropped there lands."""
    if actions != 1 + max([cell["column"] for cell in cells] + [-1]):
        return {}
    if any(len(path) != 1 for path in paths.values()) or max([cell["row"] for cell in cells] + [0]) == 0:
        return {}
    landing = {places[path[0]]["column"]: path[0] for path in paths.values()}
    if len(landing) != len(paths):
        return {}
    return {cell["name"]: landing[cell["column"]] for cell in cells if cell["column"] in landing}
