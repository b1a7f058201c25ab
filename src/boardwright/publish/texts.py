"""The methods of a game that make texts and pictures, as one short Python source for the browser.

A page runs them by Brython, a Python without its library and without NumPy. So not the game's files go there but what
these methods use of them: functions and classes are taken over as they are, and all else that they name (options,
constants, properties, tables) goes as the value that it has now. What cannot is refused with file, line and cure, and
`check_texts` then plays games to see that the source says and draws what the game itself does.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import json
import math
import sys
import textwrap
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from boardwright.compile.kernel import global_names
from boardwright.contract.board_picture import point_at_board
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.contract.picture import fields_text
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.contract.state import copied
from boardwright.serve.view import draws_nothing, last_move, see, tried

METHODS = ("move_text", "move_note", "outcome_text", "board", "svg", "page", "spots", "tally")
# Which of them make each thing that a page shows.
MAKERS = {
    "texts": ("move_text", "outcome_text"), "notes": ("move_note",), "board": ("board",), "tally": ("tally",),
    "svg": ("page", "svg"), "drawn": ("svg",), "hover": ("spots", "page"),
}  # fmt: skip
PUBLISHED = "published texts"  # what tracebacks call the source
MOST_BYTES = 400_000  # of the source; a table of all positions belongs into the rules
PRELUDE = Path(__file__).parent / "web" / "prelude.py"
_IN_PRELUDE: dict[object, str] = {
    math.floor: "floor", math.ceil: "ceil", math.sqrt: "sqrt", copied: "copied", fields_text: "fields_board",
}  # fmt: skip


def texts_source(game: Game) -> str:
    """Python that defines `answer(question)`, question and answer being texts: see web/prelude.py."""
    return _Gathering(game).source()


class _Gathering:
    """Walks from the methods for people to all that they use."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.members: dict[str, str] = {}  # of the game: source of a method, or a value
        self.globals: dict[str, str] = {}  # functions and values by the names that they have in the source
        self._names: dict[int, str] = {}  # id of a function -> its name in the source
        self._alive: list[object] = []

    def source(self) -> str:
        own = [name for name in METHODS if hasattr(self.game, name)]
        drawn = next(kind for kind in type(self.game).__mro__ if "page" in vars(kind) or "svg" in vars(kind))
        if "page" in own and "page" not in vars(drawn):
            own.remove("page")  # as serve/view.py: the picture that was written last counts
        for name in own:
            self._member(name, f"{type(self.game).__name__}.{name}")
        fields = [(name, list(self.game.state_dtype[name].shape)) for name in self.game.state_dtype.names or ()]
        point = "None" if not draws_nothing(self.game) else self.named(point_at_board, "point_at_board", "the page")
        lines = [PRELUDE.read_text(encoding="utf-8"), *self.globals.values(), "class TheGame:"]
        lines += [textwrap.indent(text, "    ") for text in self.members.values()]
        lines += [
            f"FIELDS = {fields!r}",
            f"DRAWN = {type(self.game).svg is not Game.svg!r}",
            "game = TheGame()",
            f"POINT = {point}",
        ]
        source = "\n".join(lines) + "\n"
        if len(source) > MOST_BYTES:
            raise RuleError(
                f"{_written(self.game, 'page', 'svg')}: texts and pictures use {len(source):,} bytes of tables; "
                f"a published page takes {MOST_BYTES:,}: compute what they show from the state"
            )
        return source

    def _member(self, name: str, user: str) -> None:
        """Something that a method names as `self.name`."""
        if name in self.members:
            return
        found = inspect.getattr_static(self.game, name, None)
        self.members[name] = ""  # a method may call itself
        if isinstance(found, FunctionType):
            self.members[name] = self._function(found, name, ("self", "game"))
        elif isinstance(found, staticmethod) and isinstance(found.__func__, FunctionType):
            self.members[name] = "@staticmethod\n" + self._function(found.__func__, name)
        elif found is None:
            raise RuleError(f"{user}: the game has no {name!r}")
        else:
            self.members[name] = f"{name} = {self._value(getattr(self.game, name), f'self.{name}', user)}"

    def _class(self, kind: type, name: str) -> str:
        """A plain class of the game's own files under a name."""
        user = f"{_class_place(kind)}: {kind.__qualname__}"
        bases = [self.named(base, base.__name__, user) for base in kind.__bases__ if base is not object]
        lines = []
        for member, value in vars(kind).items():
            if isinstance(value, FunctionType):
                lines.append(self._function(value, member))
            elif isinstance(value, property) and isinstance(value.fget, FunctionType):
                lines.append("@property\n" + self._function(value.fget, member))
            elif not (member.startswith("__") and member.endswith("__")):
                lines.append(f"{member} = {self._value(value, member, user)}")
        body = textwrap.indent("\n".join(lines) or "pass", "    ")
        return f"class {name}({', '.join(bases)}):\n{body}"

    def _function(self, function: FunctionType, name: str, games: tuple[str, ...] = ("game",)) -> str:
        """A function's source under a name, with all that it uses named as here. games: what it calls the game."""
        tree = self._parsed(function)
        tree.name = name
        tree.decorator_list = []
        tree.returns = None
        used = {
            one: function.__globals__[one] for one in global_names(function.__code__) if one in function.__globals__
        }
        for default in (*tree.args.defaults, *tree.args.kw_defaults):
            named = (one.id for one in ast.walk(default or ast.Pass()) if isinstance(one, ast.Name))
            used.update({one: function.__globals__[one] for one in named if one in function.__globals__})
        if function.__closure__:
            free = zip(function.__code__.co_freevars, function.__closure__, strict=True)
            used.update({one: cell.cell_contents for one, cell in free if one != "__class__"})
        return ast.unparse(ast.fix_missing_locations(_Renaming(self, used, function, games).visit(tree)))

    def _parsed(self, function: FunctionType) -> ast.FunctionDef:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        except (OSError, TypeError, SyntaxError, IndexError):
            tree = ast.Pass()
        if not isinstance(tree, ast.FunctionDef):
            raise RuleError(
                f"{_where(function)}: {function.__qualname__} cannot be taken over into a published page; "
                "write it as a function of its own with def"
            )
        return tree

    def named(self, value: Any, name: str, user: str) -> str:
        """The name or the literal that stands in the source for a global."""
        if callable(value) and value in _IN_PRELUDE:
            return _IN_PRELUDE[value]
        if (isinstance(value, FunctionType) or _is_plain_class(value)) and not _is_foreign(value):
            if id(value) not in self._names:
                own = f"{name}_{len(self._names)}"
                self._names[id(value)] = own
                self._alive.append(value)
                text = self._function(value, own) if isinstance(value, FunctionType) else self._class(value, own)
                self.globals[own] = text  # after all that it uses: a class needs its bases
            return self._names[id(value)]
        text = self._value(value, name, user)
        if len(text) < 40:
            return text
        if id(value) not in self._names:
            own = f"{name}_{len(self._names)}"
            self._names[id(value)] = own
            self._alive.append(value)
            self.globals[own] = f"{own} = {text}"
        return self._names[id(value)]

    def _value(self, value: object, name: str, user: str) -> str:
        text = _literal(value)
        if text is None:
            kind = f"the module {value.__name__}" if isinstance(value, ModuleType) else type(value).__name__
            raise RuleError(
                f"{user} uses {name} ({kind}), which a published page does not have; "
                "texts and pictures may use numbers, texts, lists, dicts, and functions and classes of the game"
            )
        return text


def _literal(value: object) -> str | None:
    """A plain value as Python text; None for what is not plain."""
    if isinstance(value, np.ndarray):
        return f"as_array({value.tolist()!r}, {list(value.shape)!r})"
    if isinstance(value, np.generic):
        return _literal(value.item())
    kind = type(value)
    if kind is float:
        return repr(value) if value == value and abs(float(repr(value))) != float("inf") else f"float({str(value)!r})"
    if kind in (int, str, bool, type(None)):
        return repr(value)
    if isinstance(value, (list, tuple, set, frozenset)) and kind in (list, tuple, set, frozenset):
        inner = [_literal(item) for item in value]
        if any(item is None for item in inner):
            return None
        joined = ", ".join(str(item) for item in inner)
        if kind is tuple:
            return f"({joined}{',' if len(inner) == 1 else ''})"
        return f"[{joined}]" if kind is list else f"{kind.__name__}([{joined}])"
    if isinstance(value, dict):
        pairs = [(_literal(key), _literal(item)) for key, item in value.items()]
        if any(key is None or item is None for key, item in pairs):
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    return None


def _is_foreign(value: Any) -> bool:
    """Whether it belongs to Python's library or to NumPy, neither of which a page has. What `html` has is short."""
    return value.__module__.partition(".")[0] in (sys.stdlib_module_names | {"numpy"}) - {"html"}


def _is_plain_class(value: Any) -> bool:
    """Whether a class is plain Python of somebody's own, without a maker behind it."""
    return (
        type(value) is type
        and not issubclass(value, (tuple, Game))
        and hasattr(value, "__dict__")
        and (value.__module__ not in ("builtins", "boardwright.contract.state") and bool(inspect.getsourcefile(value)))
    )


class _Renaming(ast.NodeTransformer):
    """Puts names and values of the source in the place of globals, and notes what is used of the game itself."""

    def __init__(
        self, gathering: _Gathering, used: dict[str, Any], function: FunctionType, games: tuple[str, ...]
    ) -> None:
        self.gathering, self.used, self.function, self.games = gathering, used, function, games

    def user(self, node: ast.expr) -> str:
        """Who uses something there: file, line and function."""
        return f"{_where(self.function, node.lineno)}: {self.function.__qualname__}"

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "super" and "self" in self.games:  # the game's classes become one
            raise RuleError(
                f"{self.user(node)}: super() does not work in texts and pictures of a published page; "
                "give the parent's method a name of its own and call that"
            )
        if node.id in self.used and isinstance(node.ctx, ast.Load):
            return _expression(self.gathering.named(self.used[node.id], node.id, self.user(node)))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            owner = self.used.get(node.value.id)
            if isinstance(owner, (ModuleType, type)) and node.value.id in self.used:
                found = getattr(owner, node.attr, None)
                if found is None:
                    raise RuleError(
                        f"{self.user(node)}: {node.value.id} has no {node.attr!r}; name something that it has"
                    )
                return _expression(self.gathering.named(found, node.attr, self.user(node)))
        called = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        if called in self.games and called not in self.used:  # `self.size`, `game.size`, `sheet.game.size`
            if inspect.getattr_static(self.gathering.game, node.attr, None) is not None:
                self.gathering._member(node.attr, self.user(node))
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """A late import: what it names is taken over like a global."""
        module = importlib.import_module(node.module or "")
        self.used.update({one.asname or one.name: getattr(module, one.name) for one in node.names})
        return ast.Pass()

    def visit_Import(self, node: ast.Import) -> ast.AST:
        self.used.update({one.asname or one.name: importlib.import_module(one.name) for one in node.names})
        return ast.Pass()

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        made: ast.AST = self.visit(ast.Assign(targets=[node.target], value=node.value))
        return made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _where(function: FunctionType, line: int = 1) -> str:
    """File and line of a line of a function, the first being 1."""
    return f"{Path(function.__code__.co_filename).name}:{function.__code__.co_firstlineno + line - 1}"


def _class_place(kind: type) -> str:
    """File and line of a class; the file alone where its source cannot be read."""
    file = Path(inspect.getfile(kind)).name
    try:
        return f"{file}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return file


def _written(game: Game, *methods: str) -> str:
    """The first of these methods that the game has of its own, with file and line; else the game."""
    for name in methods:
        found = inspect.getattr_static(type(game), name, None)
        if isinstance(found, FunctionType) and found is not inspect.getattr_static(Game, name, None):
            return f"{_where(found)}: {found.__qualname__}"
    return f"{_class_place(type(game))}: {type(game).__name__}"


def _running(game: Game, error: Exception) -> str:
    """The game's method in which the source failed, with file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    return _written(game, *(frame.name for frame in reversed(frames) if frame.filename == PUBLISHED))


def check_texts(game: Game, source: str, games: int = 3, most_plies: int = 60) -> None:
    """Play games at random, and compare what the source says and draws with what the game does."""
    # A page has nothing to import from, no files, and nobody to ask.
    lacking = ("__import__", "open", "input", "breakpoint")
    own = {name: value for name, value in vars(builtins).items() if name not in lacking}
    scope: dict[str, Any] = {"__name__": "published", "__builtins__": own}
    try:
        exec(compile(source, PUBLISHED, "exec"), scope)  # noqa: S102 - the author's own methods
    except Exception as error:
        raise RuleError(
            f"{_written(game)}: its texts and pictures do not run by themselves ({error}); "
            "let them use plain Python only"
        ) from None
    answer: Callable[[str], str] = scope["answer"]
    for seed in range(games):
        position, rng = blank(game), Random(seed)
        for _ in range(most_plies):
            _compare(game, position, answer)
            if position.is_over:
                break
            moves = position.moves
            position = position.sample(rng) if position.is_chance else position.play(moves[rng.below(len(moves))])


def _fields(game: Game, state: Any) -> dict[str, Any]:
    """A state's fields as the page's program gives them."""
    found = {name: getattr(state, name) for name in game.state_dtype.names or ()}
    return {name: value.tolist() if isinstance(value, memoryview) else value for name, value in found.items()}


def _compare(game: Game, position: Position, answer: Callable[[str], str]) -> None:
    fields = {name: position.record[name][0].tolist() for name in game.state_dtype.names or ()}
    moved = last_move(position)
    before = None if moved is None else moved.previous
    last = None if moved is None or before is None else (before.player, moved.step)
    choices = list(position.answers.steps) if not position.is_over else []
    after = tried(position)
    asked = {
        "fields": fields, "choices": choices, "chance": position.is_chance, "over": position.is_over,
        "narrow": False, "last": last, "player": position.player, "before": None if before is None else before.fields(),
        "after": [_fields(game, after[move]) if move in after else None for move in choices] if after else [],
    }  # fmt: skip
    try:
        told = json.loads(answer(repr(asked)))
        notes = json.loads(answer(repr({"fields": fields, "notes": list(position.moves)})))
    except Exception as error:
        raise RuleError(
            f"{_running(game, error)}: texts and pictures fail without the rest of the game "
            f"({type(error).__name__}: {error}); let them use plain Python only"
        ) from None
    expected = json.loads(json.dumps(see(position)))
    named = expected["moves"] or [one["text"] for one in expected["chances"]]
    found = {**told, "texts": told["texts"][: len(named)]}
    wanted = {name: expected[name] for name in ("svg", "hover", "board", "drawn", "tally")} | {"texts": named}
    found["notes"], wanted["notes"] = notes, [game.move_note(position.view, move) for move in position.moves]
    for name, value in wanted.items():
        if found[name] != value:
            raise RuleError(
                f"{_written(game, *MAKERS[name])}: {name} of a published page would differ from the game's own; "
                "let texts and pictures depend on the state and the options only"
            )
