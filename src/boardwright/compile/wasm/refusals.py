"""What compiled rules can ask for and a browser cannot have: named, with file, line and cure.

A module that is linked says only which functions it misses. Each stands for a construct of Python, which is then looked
for in the source of the rules.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, NoReturn

from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game

# What JavaScript's Math has, under C's names, for both widths; `fmod` is its %.
_DOUBLE = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "fmod", "hypot",
    "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh",
)  # fmt: skip
WIDE = "__multi3"  # the product of two numbers of 128 bits, by which LLVM replaces some loops; the page has it
MATH = frozenset((*_DOUBLE, *(f"{name}f" for name in _DOUBLE), WIDE))


def _calls(*names: str) -> Callable[[ast.AST], bool]:
    def found(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        called = node.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        return name in names

    return found


def _is(*kinds: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, kinds)


def _fills_slice(node: ast.AST) -> bool:
    """`row[:3] = other`; not `row[:3] = 0`, which a browser can do."""
    if not isinstance(node, ast.Assign) or _is_number(node.value):
        return False
    filled = [target.slice for target in node.targets if isinstance(target, ast.Subscript)]
    return any(isinstance(part, ast.Slice) for index in filled for part in ast.walk(index))


def _is_number(node: ast.expr) -> bool:
    """A number as it is written: `0`, `-1`, `True`."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _either(*tests: Callable[[ast.AST], bool]) -> Callable[[ast.AST], bool]:
    return lambda node: any(test(node) for test in tests)


class Construct(NamedTuple):
    """Something in Python that needs more than a browser gives."""

    symbols: str  # a pattern of the functions that it needs
    what: str
    cure: str
    looks: Callable[[ast.AST], bool]


CONSTRUCTS = (
    Construct(
        r"^numba_dict|NRT_dict|dict_",
        "a dict",
        "number what it names and use an array",
        _either(_is(ast.Dict, ast.DictComp), _calls("dict")),
    ),
    Construct(
        r"^Py|^_Py|numba_gil|printf|numba_unpickle|numba_do_raise",
        "print, or something else of Python itself",
        "leave it out of the rules; methods for people may do it",
        _calls("print", "objmode", "str", "format", "repr"),
    ),
    Construct(
        r"unicode|str_|Unicode|hash|^NRT_MemInfo_alloc$",
        "a text",
        "use numbers in the rules; methods for people may make texts",
        _either(_calls("str", "format"), lambda node: isinstance(node, ast.JoinedStr)),
    ),
    Construct(
        r"varsize",
        "a list, a set or a sort",
        "use a field of the state, or np.zeros with a fixed size",
        _either(
            _is(ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.GeneratorExp),
            _calls("list", "set", "sorted", "sort", "argsort", "append"),
        ),
    ),
    Construct(
        r"reshape|numba_",
        "a call of NumPy",
        "write the loop",
        _calls("reshape", "ravel", "flatten", "sum", "max", "min", "dot", "unique", "sort", "any", "all", "mean"),
    ),
    Construct(r"NRT_Allocate|^NRT_MemInfo_alloc$", "an array put into a slice", "write the loop", _fills_slice),
)
_UNKNOWN = Construct("", "something in its rules", "write it with numbers, arrays and loops", lambda node: False)


def refuse(game: Game, symbols: list[str]) -> NoReturn:
    """Say which construct of the rules needs these functions."""
    fitting = [one for one in CONSTRUCTS if any(re.search(one.symbols, symbol) for symbol in symbols)]
    for construct in (*fitting, *_called(game, symbols)):
        place, name = _find(game, construct)
        if name:
            title = f"{type(game).__name__}.{name}"
            raise RuleError(f"{place}{title}: {construct.what} does not work on a published page; {construct.cure}")
    construct = fitting[0] if len(fitting) == 1 else _UNKNOWN
    raise RuleError(
        f"{_place_of(game)}{type(game).__name__}: {construct.what} does not work on a published page "
        f"(it needs {', '.join(symbols[:3])}); {construct.cure}"
    )


def _called(game: Game, symbols: list[str]) -> Iterator[Construct]:
    """Calls that bear the name of a missing function, such as math.erf."""
    for _, function in _reached(game):
        for name in function.__code__.co_names:
            if len(name) > 2 and any(name in symbol for symbol in symbols):
                cure = "write it with numbers, arrays and loops, or make a table of its values before"
                yield Construct("", f"{name}()", cure, _calls(name))


def _place_of(game: Game) -> str:
    """Where the game is written, as `file:line: `; nothing if it is not in a file."""
    try:
        return f"{Path(inspect.getfile(type(game))).name}:{inspect.getsourcelines(type(game))[1]}: "
    except (OSError, TypeError):
        return ""


def _find(game: Game, construct: Construct) -> tuple[str, str]:
    """Where in the rules, as `file:line: `, and in which; empty if nowhere that can be seen."""
    for name, function in _reached(game):
        try:
            source = textwrap.dedent(inspect.getsource(function))
            tree = ast.parse(source)
        except (OSError, TypeError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if construct.looks(node) and isinstance(node, ast.expr | ast.stmt):
                line = function.__code__.co_firstlineno + node.lineno - 1
                return f"{Path(function.__code__.co_filename).name}:{line}: ", name
    return "", ""


def _reached(game: Game) -> Iterator[tuple[str, FunctionType]]:
    """The functions that compiled rules consist of: the rules, and the game's own that they name."""
    methods = game.rulebook.methods
    waiting, seen = [name for name in game.rules() if name in methods and game_writes(game, name)], set()
    functions = [(name, methods[name]) for name in waiting]
    while functions:
        name, function = functions.pop(0)
        if function in seen:
            continue
        seen.add(function)
        yield name, function
        for used in function.__code__.co_names:
            helper = methods.get(used) or function.__globals__.get(used)
            if isinstance(helper, FunctionType) and not helper.__module__.startswith("boardwright.contract"):
                functions.append((used, helper))


def game_writes(game: Game, name: str) -> bool:
    """Whether a rule is the game's own, not the contract's default."""
    return getattr(type(game), name, None) is not getattr(Game, name, None)
