# ruff: noqa: F821, S307, B905 - the game follows below it; questions are our own; Brython's zip knows no strict
# What texts and pictures of a game stand on in the browser. Plain Python without any import: Brython runs it.


class Row(list):
    """A field of one dimension."""

    def tolist(self):
        return list(self)

    @property
    def shape(self):
        return (len(self),)


class Grid:
    """A field of several dimensions: grid[i, j] is a number, grid[i] what is left of the dimensions."""

    def __init__(self, nested, shape):
        self.nested, self.shape = nested, tuple(shape)

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, at):
        if not isinstance(at, tuple):
            at = (at,)
        found, left = self.nested, self.shape
        for i in at:
            found, left = found[i], left[1:]
        return as_array(found, left)

    def __setitem__(self, at, value):
        found = self.nested
        for i in at[:-1]:
            found = found[i]
        found[at[-1]] = value

    def tolist(self):
        return self.nested


def as_array(nested, shape):
    """Nested lists of that shape as NumPy would show them to a reader."""
    if len(shape) == 0:
        return nested
    return Row(nested) if len(shape) == 1 else Grid(nested, shape)


class State:
    """A position's fields, to be read."""


def state_of(fields):
    s = State()
    for name, shape in FIELDS:
        setattr(s, name, as_array(fields[name], shape))
    return s


def copied(s):
    """A copy of a state that may be changed."""
    return state_of({name: deep_list(getattr(s, name)) for name, shape in FIELDS})


def deep_list(value):
    return [deep_list(item) for item in value] if isinstance(value, (list, Grid)) else value


def fields_board(self, s):
    """A state as text where the game writes none: its fields."""
    return "\n".join([name + ": " + str(deep_list(getattr(s, name))) for name, shape in FIELDS])


def floor(x):
    return int(x // 1)


def ceil(x):
    return -int(-x // 1)


def sqrt(x):
    return x**0.5


def as_json(value):
    """JSON text; tuples are lists, keys are texts."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        for plain, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
            value = value.replace(plain, written)
        return '"' + value + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(as_json(str(key)) + ": " + as_json(item) for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple, set, Grid)):
        return "[" + ", ".join(as_json(item) for item in value) + "]"
    return repr(value)


def answer(question):
    """What the page shows of a position. The question is a Python text: the fields of the state, the moves or outcomes
    there, whether chance acts, whether the game is over, whether the page is narrow, who moved last and what, if any
    did, and for games that draw nothing themselves who acts, the fields before the last move and those after each move,
    None where the rules stumble over it.
    With `notes`, moves, only what each of them does is told; with `names`, steps, only what each is called."""
    asked = eval(question)
    s = state_of(asked["fields"])
    if "notes" in asked:
        return as_json([game.move_note(s, move) for move in asked["notes"]])
    name = game.outcome_text if asked["chance"] else game.move_text
    if "names" in asked:
        return as_json([name(s, step) for step in asked["names"]])
    choices = asked["choices"]
    texts = [name(s, choice) for choice in choices]
    made = {}
    if hasattr(game, "page"):
        moves = {} if asked["chance"] else dict(zip(choices, texts))
        made = game.page(s, moves, asked["narrow"])
    hover = made.get("hover") or {"kind": "cells"}
    if POINT is not None:
        moves = {} if asked["chance"] else dict(zip(choices, texts))
        after = {move: state_of(fields) for move, fields in zip(choices, asked["after"]) if fields is not None}
        before = None if asked["before"] is None else state_of(asked["before"])
        hover = POINT(game, s, moves, after, asked["player"], before)
    if asked["last"] is not None and hasattr(game, "spots"):
        hover = {**hover, "last": game.spots(*asked["last"])}
    picture = made.get("svg") or game.svg(s)
    tally = [{"words": words, "points": points} for words, points in (game.tally(s) if asked["over"] else [])]
    return as_json(
        {"texts": texts, "board": game.board(s), "svg": picture, "hover": hover, "drawn": DRAWN, "tally": tally}
    )
