"""A board as rows of cells, each a short text: what `Game.board_cells` returns, for terminal, picture and pointer.

| in a cell's text | means |
|---|---|
| nothing, or a blank | no cell: a gap in the board |
| `.` | an empty cell |
| `A` to `H` | a piece of the first, second ... player; `3A` are three of them, `AB` one of each |
| `+` | a piece that is nobody's |
| `12` | a number |
| `o12` | a heap of twelve seeds |
| `*` | the cell is a special one: a star, a rosette |
| `a` to `h` | the cell is in the first, second ... player's colour |
| `-` in front | not a square of the board: a pile beside it |
| `=text` at the end | these very words |
| `name:` in front | the cell's name; without, a letter for the column and a number for the row, from the bottom: `a1` |

Plain Python over lists and dicts without any import: a published page runs it by Brython.
"""

from __future__ import annotations

from typing import Any

PLAYERS = "ABCDEFGH"
COLUMNS = "abcdefghijklmnopqrstuvwxyz"


def read_cells(rows: list[list[str]]) -> list[dict[str, Any]]:
    """The cells that exist, row by row, each as `read_cell` has it, with its `row` and `column`."""
    cells = []
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            if text.strip():
                letter = COLUMNS[column] if column < len(COLUMNS) else f"{COLUMNS[column // 26 - 1]}{column % 26}"
                cell = read_cell(text, f"{letter}{len(rows) - row}")
                cell["row"], cell["column"] = row, column
                cells.append(cell)
    return cells


def read_cell(text: str, usual: str) -> dict[str, Any]:
    """One cell: its `name` (`usual` if it says none), what is in it, and `what` was written, without the name."""
    name, colon, what = text.partition(":")
    if not colon or "=" in name:
        name, what = usual, text
    what = what.strip()
    cell: dict[str, Any] = {
        "name": name, "what": what, "pieces": [], "number": None, "heap": None, "words": "",
        "star": False, "tint": -1, "beside": False, "neutral": 0,
    }  # fmt: skip
    digits, heap = "", False
    for place, sign in enumerate(what):
        if sign == "=":
            cell["words"] = what[place + 1 :]
            break
        if sign.isdigit():
            digits += sign
            continue
        if sign in PLAYERS:
            cell["pieces"].append((PLAYERS.index(sign), int(digits or "1")))
        elif sign == "+":
            cell["neutral"] += int(digits or "1")
        elif sign == "*":
            cell["star"] = True
        elif sign == "-":
            cell["beside"] = True
        elif sign == "o":
            heap = True
        elif sign in PLAYERS.lower():
            cell["tint"] = PLAYERS.lower().index(sign)
        digits = ""
    if digits:
        cell["heap" if heap else "number"] = int(digits)
    return cell


def count_of(cell: dict[str, Any], player: int) -> int:
    """How many pieces of a player are in a cell."""
    return sum(count for owner, count in cell["pieces"] if owner == player)


def is_bare(cell: dict[str, Any]) -> bool:
    """Whether nothing is in a cell."""
    return not (cell["pieces"] or cell["neutral"] or cell["number"] or cell["heap"] or cell["words"])


def is_plain_grid(cells: list[dict[str, Any]], rows: list[list[str]]) -> bool:
    """Whether it is a whole rectangle whose cells have the usual names, so that letters and numbers can be written
    round it."""
    return len(cells) == len(rows) * len(rows[0]) and all(
        cell["name"] == f"{COLUMNS[cell['column'] % 26]}{len(rows) - cell['row']}" and not cell["beside"]
        for cell in cells
    )


def cells_text(rows: list[list[str]]) -> str:
    """The board for a terminal."""
    cells = read_cells(rows)
    said = {(cell["row"], cell["column"]): _said(cell) for cell in cells}
    width = max([len(text) for text in said.values()] + [1])
    named = bool(cells) and is_plain_grid(cells, rows)
    margin = len(str(len(rows))) + 1 if named else 0
    lines = []
    for row, line in enumerate(rows):
        texts = [said.get((row, column), "").rjust(width) for column in range(len(line))]
        lines.append(((str(len(rows) - row).rjust(margin - 1) + " ") if named else "") + " ".join(texts).rstrip())
    if named:
        lines.append(" " * margin + " ".join(COLUMNS[column].rjust(width) for column in range(len(rows[0]))))
    return "\n".join(lines)


def _said(cell: dict[str, Any]) -> str:
    text = "".join((str(count) if count > 1 else "") + PLAYERS[owner] for owner, count in cell["pieces"])
    text += "+" * cell["neutral"] + cell["words"]
    for number in (cell["number"], cell["heap"]):
        if number is not None:
            text += str(number)
    return text or ("*" if cell["star"] else "" if cell["beside"] else ".")


def cell_words(cell: dict[str, Any], sides: tuple[str, ...]) -> str:
    """What is in a cell, for somebody who hears it: "White", "2 of player 1", "4 seeds"."""
    told = []
    for owner, count in cell["pieces"]:
        side = sides[owner] if owner < len(sides) else f"player {owner + 1}"
        told.append(side if count == 1 else f"{count} of {side}")
    if cell["neutral"]:
        told.append("a piece")
    if cell["words"]:
        told.append(cell["words"])
    if cell["number"] is not None:
        told.append(str(cell["number"]))
    if cell["heap"] is not None:
        told.append(f"{cell['heap']} {'seed' if cell['heap'] == 1 else 'seeds'}")
    if cell["star"]:
        told.append("star")
    return ", ".join(told)
