"""How a field of the state lies on a board: as the game declares it in one line, or as it can be told from the field's
shape, the options and the game's own text board."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boardwright.contract.errors import RuleError
from boardwright.contract.random import Random
from boardwright.contract.state import copied

if TYPE_CHECKING:
    from boardwright.contract.game import Game

AXES = (("down", "right"), ("up", "right"), ("down", "left"), ("up", "left"),
        ("right", "down"), ("right", "up"), ("left", "down"), ("left", "up"))  # fmt: skip
STYLES = ("", "plain", "checks", "holes")
MOST = 26  # rows or columns
TRIED = 60  # plies of a game at random that show what a field holds
# Names of fields that say who acts or how far the game is, which the page shows elsewhere.
KNOWN = frozenset(
    "turn turns winner winners over player actor mover current count ply plies moves last phase done ended finished "
    "to_move side still passes stage step steps".split()
)
DICE = frozenset(("die", "dice", "roll", "rolls"))


@dataclass(frozen=True)
class Grid:
    """A board in one line: `board_grid = bw.Grid("cells", axes=("right", "up"))`. Whatever is left out is found out.

    As it may depend on options, it may be a property."""

    field: str = ""  # of the state
    rows: int = 0  # as they are shown; for a field of one dimension
    columns: int = 0  # as they are shown
    axes: tuple[str, str] = ("", "")  # where the first and the second index of the field lead: "down", "right", ...
    style: str = ""  # "checks" for a chequered board, "holes" for one that pieces are dropped into, "plain"
    shows: tuple[str, ...] | None = None  # fields that are shown beside the board


def plan_grid(game: Game) -> tuple[Any, ...]:
    """(field, rows, columns, order, kind): `order[i]` is where cell i, row by row as shown, stands in the flattened
    field; kind is "pieces", "signed" or "numbers". Empty if the game has no board of cells that could be told."""
    declared = declared_grid(game)
    if not game.compiles or game.writes("board_cells"):
        return ()  # another library's rules, over a record of its own; or the game says itself what its cells are
    game.__dict__["grid_plan"] = ()  # meanwhile, for a text board that asks for the cells
    samples = _samples(game)
    if not samples:
        return ()
    evidence = [] if not game.writes("board") else [_tokens(game, s) for s in samples]
    guess: tuple[Any, ...] = ()
    for field, ways in _candidates(game, declared):
        values = [np.array(_flat(getattr(s, field))) for s in samples]
        shown = [way for way in ways if any(evidence) and _shows(evidence, values, *_laid(way))]
        if not shown and (guess or not (declared.field or _is_told(game, field, values))):
            continue
        order, rows, columns = _laid((shown or ways)[0])
        guess = field, rows, columns, tuple(order), _kind(values, game.players)
        if shown:
            break
    return guess


def _is_told(game: Game, field: str, values: list[Any]) -> bool:
    """Whether shape and options alone make a field a board: cut into rows, in use, and not a number for each player."""
    shape = game.state_dtype[field].shape
    cut = len(shape) == 2 or _cut(game, shape[0]) != (0, 0)
    return cut and shape[0] != game.players and any(one.any() for one in values)


def plan_panels(game: Game) -> tuple[tuple[str, str], ...]:
    """(field, kind) of what is shown beside the board: kind "dice", "players" for one number each, "number", or
    "truth"."""
    names = game.state_dtype.names or ()
    declared = declared_grid(game)
    if not game.compiles:
        return ()
    found = []
    for name in names if declared.shows is None else declared.shows:
        kind = game.state_dtype[name]
        shape, own = kind.shape, declared.shows is not None
        if name in DICE and len(shape) <= 1 and kind.base.kind in "iu":
            found.append((name, "dice"))
        elif not own and (name in KNOWN or kind.base.kind == "b"):
            continue
        elif shape == (game.players,) and (own or not _is_score(game, name)):
            found.append((name, "players"))
        elif shape == ():
            found.append((name, "truth" if kind.base.kind == "b" else "number"))
    return tuple(found)


def _is_score(game: Game, field: str) -> bool:
    """Whether a field is the points, which are shown with the players."""
    if not game.writes("scores"):
        return False
    for s in _samples(game):
        scores = np.zeros(game.players)
        game.scores(s, scores)
        if not np.array_equal(scores, _flat(getattr(s, field))):
            return False
    return True


def choose_style(game: Game) -> str:
    """How the board is drawn: as declared; with holes where a move is a column; chequered where moves are ways from one
    cell to another."""
    plan, style = game.grid_plan, declared_grid(game).style
    if style or not plan or game.writes("board_cells"):
        return style or "plain"
    _, rows, columns, _, kind = plan
    if kind == "numbers":
        return "plain"
    if game.actions == columns and rows > 1:
        return "holes"
    return "checks" if game.actions > rows * columns else "plain"


def name_columns(game: Game) -> tuple[str, ...]:
    """The texts of the moves into each column of a board with holes, if every column has one at the start."""
    plan, samples = game.grid_plan, _samples(game, most=1)
    if game.board_style != "holes" or not plan or not samples:
        return ()
    field, _, columns, order, _ = plan
    names: dict[int, str] = {}
    for move in range(game.actions):
        after = copied(samples[0])
        try:
            game.play(after, move)
            name = game.move_text(samples[0], move)
        except Exception:  # not a move at the start
            return ()
        flat = [np.array(_flat(getattr(s, field))).ravel()[list(order)] for s in (samples[0], after)]
        for place in np.flatnonzero(flat[0] != flat[1]):
            names[int(place) % columns] = name
    return tuple(names[column] for column in range(columns)) if len(names) == columns else ()


def declared_grid(game: Game) -> Grid:
    """What the game declares, checked; an option that happens to be called so declares nothing."""
    grid = Grid() if "board_grid" in game.options else game.board_grid
    names = game.state_dtype.names or ()
    where = f"{type(game).__name__}.board_grid"
    if not isinstance(grid, Grid):
        raise RuleError(f'{where}: {grid!r} is no grid; write board_grid = bw.Grid("cells")')
    for name in (*([grid.field] if grid.field else []), *(grid.shows or ())):
        if name not in names:
            raise RuleError(f"{where}: layout has no field {name!r}; its fields are {', '.join(names)}")
    if grid.axes not in (*AXES, ("", "")):
        raise RuleError(f'{where}: axes={grid.axes!r}; write where each index leads, such as ("down", "right")')
    if grid.style not in STYLES:
        raise RuleError(f"{where}: style={grid.style!r}; choose one of {', '.join(STYLES[1:])}")
    if grid.field:
        size = math.prod(game.state_dtype[grid.field].shape)
        if (grid.rows or grid.columns) and grid.rows * grid.columns != size:
            raise RuleError(f"{where}: {grid.rows} x {grid.columns} cells, but {grid.field!r} has {size}")
    return grid


Way = tuple[int, int, tuple[str, str]]  # a field's two dimensions, and where each leads


def _candidates(game: Game, declared: Grid) -> list[tuple[str, list[Way]]]:
    """Fields that may be the board, the likeliest first, and how each may lie."""
    found = []
    for name in [declared.field] if declared.field else game.state_dtype.names or ():
        kind = game.state_dtype[name]
        shape = tuple(int(one) for one in kind.shape)
        if kind.base.kind not in "iub" or not 1 <= len(shape) <= 2 or math.prod(shape) < 4:
            continue
        if (name in DICE and not declared.field) or (len(shape) == 2 and max(shape) > MOST):
            continue
        if len(shape) == 2 and (min(shape) >= 2 or declared.field):
            found.append((0, name, [(*shape, axes) for axes in AXES]))
        elif len(shape) == 1:
            rows, columns = (declared.rows, declared.columns) if declared.rows else _cut(game, shape[0])
            if declared.field and not rows:
                rows, columns = 1, shape[0]
            ways = [(*_dimensions(rows, columns, axes), axes) for axes in AXES] if rows else []
            if game.writes("board") and not declared.rows:  # which may show another cut
                ways += [(*cut, axes) for cut in _factors(shape[0]) for axes in AXES]
            if ways:
                found.append((1 if rows else 2, name, ways))
    size = {name: math.prod(game.state_dtype[name].shape) for _, name, _ in found}
    found.sort(key=lambda one: (one[0], -size[one[1]]))
    kept = [(name, [way for way in ways if declared.axes in (("", ""), way[2])]) for _, name, ways in found]
    return [(name, ways) for name, ways in kept if ways]


def _dimensions(rows: int, columns: int, axes: tuple[str, str]) -> tuple[int, int]:
    """A field's dimensions, of a board with so many rows and columns as shown; or the other way round."""
    return (rows, columns) if axes[0] in ("down", "up") else (columns, rows)


def _laid(way: Way) -> tuple[list[int], int, int]:
    """The order of the cells as shown, and how many rows and columns they are."""
    first, second, axes = way
    return (_order(first, second, axes), *_dimensions(first, second, axes))


def _cut(game: Game, size: int) -> tuple[int, int]:
    """Rows and columns of a flat field by the game's options: two whose product it is, or one whose square."""
    names = ("rows", "height", "columns", "width", "size", "side", *game.options)
    numbers = {}
    for name in names:
        value = getattr(game, name, None)
        if isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= MOST:
            numbers[name] = value
    for one, rows in numbers.items():
        for other, columns in numbers.items():
            if one != other and rows * columns == size and one not in ("columns", "width"):
                return rows, columns
    return next(((side, side) for side in numbers.values() if side * side == size), (0, 0))


def _factors(size: int) -> list[tuple[int, int]]:
    return [(rows, size // rows) for rows in range(2, MOST + 1) if size % rows == 0 and 2 <= size // rows <= MOST]


def _order(first: int, second: int, axes: tuple[str, str]) -> list[int]:
    """Where each shown cell, row by row, stands in a flattened field of `first` x `second`."""
    table = np.arange(first * second).reshape(first, second)
    if axes[0] in ("up", "left"):
        table = table[::-1]
    if axes[1] in ("up", "left"):
        table = table[:, ::-1]
    if axes[0] in ("right", "left"):
        table = table.T
    return [int(place) for place in table.ravel()]


def _samples(game: Game, most: int = TRIED) -> list[Any]:
    """States of one game at random, in the interpreter."""
    from boardwright.contract.position import blank

    found, rng = [], Random(1)
    try:
        position = blank(game, debug=True)
        for _ in range(most):
            found.append(position.view)
            if position.is_over:
                break
            moves = position.moves
            position = position.sample(rng) if position.is_chance else position.play(moves[rng.below(len(moves))])
    except Exception:  # rules that fail are for `check` to tell; what they showed so far is shown
        return found
    return found


def _flat(value: Any) -> Any:
    return value.tolist() if isinstance(value, memoryview) else value


def _kind(values: list[Any], players: int) -> str:
    low, high = min(int(one.min()) for one in values), max(int(one.max()) for one in values)
    if low >= 0:
        return "pieces" if high <= players else "numbers"
    return "signed" if low == -1 and high <= 1 and players == 2 else "numbers"


def _tokens(game: Game, s: Any) -> list[list[str]]:
    return [line.split() for line in game.board(s).splitlines()]


def _shows(evidence: list[list[list[str]]], values: list[Any], order: list[int], rows: int, columns: int) -> bool:
    """Whether the text boards show the field in this order: on some lines below each other, as many tokens as columns,
    and every value always by the same token."""
    for top in range(len(evidence[0]) - rows + 1):
        for left in range(max((len(line) for line in evidence[0][top : top + rows]), default=0) - columns + 1):
            if _fits(evidence, values, order, (top, left, rows, columns)):
                return True
    return False


def _fits(
    evidence: list[list[list[str]]], values: list[Any], order: list[int], window: tuple[int, int, int, int]
) -> bool:
    top, left, rows, columns = window
    token_of: dict[int, str] = {}
    for lines, field in zip(evidence, values, strict=True):
        flat = field.ravel()
        for row in range(rows):
            line = lines[top + row] if top + row < len(lines) else []
            if len(line) < left + columns:
                return False
            for column in range(columns):
                value, token = int(flat[order[row * columns + column]]), line[left + column]
                if token_of.setdefault(value, token) != token:
                    return False
    return len(token_of) > 1 and len(set(token_of.values())) == len(token_of)
