"""From a compiler's or a rule's failure to one sentence for the game's author."""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import textwrap
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import errors as numba_errors
from numba import types

from boardwright.compile import compiler, numba_internals
from boardwright.compile.cache import KernelStore
from boardwright.compile.compiler import rule_dispatcher
from boardwright.compile.kernel import Kernel, interpret
from boardwright.compile.numba_internals import result_type
from boardwright.contract import rules
from boardwright.contract.errors import BoardwrightError, NoMove, RuleError
from boardwright.contract.game import Game
from boardwright.contract.rules import REQUIRED, RULE, RULES, Rule, policy_rule

R = TypeVar("R")

# The compiler's type of each kind of parameter; a state's depends on the game, and so does an observation's.
KIND_TYPES = {
    "number": types.int64,
    "numbers": types.Array(types.int32, 1, "C"),
    "floats": types.Array(types.float64, 1, "C"),
    "features": types.Array(types.float32, 1, "C"),
    "generator": types.Array(types.uint64, 1, "C"),
}
_OWN_FILES = (__file__, compiler.__file__, numba_internals.__file__, rules.__file__)
_OWN_CODE = hashlib.sha256(b"".join(Path(file).read_bytes() for file in _OWN_FILES)).hexdigest()
ADVISABLE = ("select", "prior", "rollout", "depth", "grow")


def check_shape(game: Game) -> None:
    """Methods that are missing or have wrong parameters; fields and constants that do not exist."""
    kind = type(game)
    for rule in REQUIRED:
        if not game.writes(rule.name):
            raise RuleError(f"{kind.__name__}.{rule.name}: missing; write def {rule.signature}")
    if not game.writes("scores") and not game.writes("results"):
        raise RuleError(
            f"{kind.__name__}.results: missing; write {RULE['results'].signature} for a game that is won, "
            f"{RULE['scores'].signature} for points"
        )
    chance = [rule for rule in RULES if rule.group == "chance"]
    written = [rule for rule in chance if game.writes(rule.name)]
    if len(written) == 1 or bool(written) != bool(game.outcomes):
        raise RuleError(
            f"{kind.__name__}: a game with chance needs all three: outcomes (how "
            f"many exist), {', '.join(rule.signature for rule in chance)}"
        )
    for rule in (*RULES, *map(policy_rule, game.policies)):
        method = getattr(kind, rule.name, None)
        if method is None:
            raise RuleError(
                f"{kind.__name__}.{rule.name}: missing, though policies names it; write def {rule.signature}"
            )
        _check_parameters(kind.__name__, rule, method)
    check_hints(game)
    for name in ("players", "actions", "outcomes", "symmetries"):
        value = getattr(game, name)
        least = 0 if name == "outcomes" else 1
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
            raise RuleError(f"{kind.__name__}.{name}: is {value!r}; it must be a whole number from {least} up")
    check_fields(game)


def _check_parameters(kind: str, rule: Rule, method: Any) -> None:
    if not isinstance(method, FunctionType):
        raise RuleError(f"{kind}.{rule.name}: must be a method, def {rule.signature}")
    found = list(inspect.signature(method).parameters.values())
    needed = [p for p in found if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) != len(rule.parameters) + 1 or any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in found):
        raise RuleError(
            f"{_where(method)}: {kind}.{rule.name} takes ({', '.join(p.name for p in found)}); "
            f"it must take {rule.signature.removeprefix(rule.name)}"
        )


def check_hints(game: Game) -> None:
    """What the game's card tells the search."""
    where, hints = f"{type(game).__name__}.card: search", game.card.search
    for name in ("playout", "forcing", "candidates"):
        policy = getattr(hints, name)
        if policy and policy not in game.policies:
            raise RuleError(f"{where}.{name} names {policy!r}, which is none of its policies")
    for name in hints.advice:
        if name not in ADVISABLE:
            raise RuleError(f"{where}.advice names {name!r}; a game can advise {', '.join(ADVISABLE)}")


def check_fields(game: Game) -> None:
    """Numba answers a wrong field of the state with a bare KeyError; so look for `s.<name>` in the source first."""
    fields = set(game.state_dtype.names or ())
    for name in game.rules():
        method = getattr(type(game), name)
        if method is getattr(Game, name, None):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(method))).body[0]
        except (OSError, TypeError, SyntaxError, IndexError):
            continue  # no source at hand (typed into a console): the compiler will speak
        if not isinstance(tree, ast.FunctionDef):
            continue
        states = {arg.arg for arg in tree.args.args if arg.arg == "s"}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in states
                and node.attr not in fields
            ):
                line = method.__code__.co_firstlineno + node.lineno - 1
                raise RuleError(
                    f"{_file(method)}:{line}: {type(game).__name__}.{name}: the state has no field {node.attr!r}; "
                    f"layout() has {', '.join(sorted(fields))}"
                )


def rule_types(game: Game, rule: Rule) -> tuple[Any, ...]:
    """The Numba types with which kernels call a rule."""
    kinds = {
        **KIND_TYPES,
        "state": numba.from_dtype(game.state_dtype),
        "observation": types.Array(types.float32, max(len(game.observe_shape), 1), "C"),
    }
    return game.rulebook.type, *(kinds[parameter.kind] for parameter in rule.parameters)


def examined_rules(game: Game) -> list[Rule]:
    """The rules that the compiler must take. An observation and features belong to games that have some."""
    absent = {"observe": not game.observe_shape, "features": not game.features_count}
    compiled = (*(rule for rule in RULES if rule.compiled), *map(policy_rule, game.policies))
    return [rule for rule in compiled if not absent.get(rule.name)]


def check_compiles(game: Game) -> None:
    """Compile each rule alone, unless just these rules passed before: the digest of all that they use is in the cache.
    A failure is never kept."""
    examined = examined_rules(game)
    passed = KernelStore("rules", lambda: _OWN_CODE + game.rulebook.type.digest)
    shape = repr([rule.name for rule in examined])
    if passed.read(shape) is not None:
        return
    try:
        compile_each_alone(game, examined)
        passed.write(shape, b"")
    finally:
        passed.compiled()


def compile_each_alone(game: Game, examined: list[Rule]) -> None:
    """The first of these rules that fails is named with file, line and reason."""
    for rule in examined:
        name = rule.name
        if name not in game.rulebook.methods:
            continue
        method = game.rulebook.methods[name]
        try:
            returned = result_type(rule_dispatcher(method), rule_types(game, rule))
        except RuleError:
            raise
        except Exception as error:
            raise RuleError(f"{_place(method, error)}: {type(game).__name__}.{name}: {_reason(error)}") from None
        whole = isinstance(types.unliteral(returned), (types.Integer, types.Boolean))
        if rule.returns == "number" and not whole:
            cure = (
                "every path must end in a return"
                if returned == types.none or isinstance(returned, types.Optional)
                else "use // for division"
            )
            raise RuleError(
                f"{_where(method)}: {type(game).__name__}.{name} returns "
                f"{returned}; it must return a whole number ({cure})"
            )


def run_kernel(game: Game, kernel: Kernel[..., R], *args: Any, interpreted: bool = False) -> R:
    """Call a kernel on behalf of `game`: compiled, or as plain Python if asked for or if its rules do not compile.
    What goes wrong inside is told as the author's mistake, not as the compiler's."""
    try:
        if interpreted or not game.compiles:
            return interpret(kernel)(*args)
        return _compiled(game, kernel, *args)
    except NoMove as error:
        raise NoMove(f"{game.name}.legal: {error}") from None


def _compiled(game: Game, kernel: Kernel[..., R], *args: Any) -> R:
    try:
        return kernel(*args)
    except BoardwrightError:
        raise
    except Exception as error:
        raise explain_failure(game, error) from None


def explain_failure(game: Game, error: Exception) -> Exception:
    """What a caller of compiled rules should raise: the author's mistake, if it is one, in one sentence."""
    compiling = isinstance(error, (numba_errors.NumbaError, KeyError))  # a wrong field is a KeyError to Numba
    try:
        check_shape(game)
        if compiling:
            compile_each_alone(game, examined_rules(game))
    except RuleError as better:
        return better
    what = _reason(error) if compiling else f"a rule raised {type(error).__name__}: {error}"
    return RuleError(f"{type(game).__name__}: {what}; run `boardwright check` on it")


_CURES = (
    (r"super\(\)|name 'super'", "super() does not compile; give the parent's method a name of its own and call that"),
    (
        r"Untyped global name '(\w+)'",
        "the rule uses {0}, which the compiler does not know; make it a method of the game, or a number",
    ),
    (
        r"NameError: name '(\w+)' is not defined|global name '(\w+)' is not defined|Undefined name|cannot find '(\w+)'",
        "the rule names something that does not exist",
    ),
    (
        r"generator|make_function|_GeneratorExit|lambda",
        "generators, comprehensions with conditions on them and lambdas do not compile; write a loop",
    ),
    (r"recursion|self-recursion|Type of '?\w*'? .*recursive", "a rule cannot call itself through self; write a loop"),
    (
        r"readonly array|Cannot store|cannot assign to readonly",
        "a table of the game is written to; copy what changes into the state",
    ),
)


def _reason(error: Exception) -> str:
    """The innermost cause in the compiler's message, without its pages."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    for pattern, cure in _CURES:
        found = re.search(pattern, text)
        if found:
            named = next((group for group in found.groups() if group), "")
            return cure.format(named)
    lines = [line.strip(" -\t") for line in text.splitlines()]
    dull = re.compile(
        r"^(Failed in|During:|File |Overload|There are|Known sign|Use of|<< |>>> |\^|def |There is|Rejected|"
        r"raised from|with argument|In definition|Resolution failure|Invalid use|\[\d+\]|This (error|is)|Enable|"
        r"No implementation|$)"
    )
    telling = [line for line in lines if not dull.match(line)]
    unsupported = [
        line
        for line in lines
        if "Unknown attribute" in line or "has no option" in line or "Cannot unify" in line or "rules can use" in line
    ]
    invalid = [line for line in lines if line.startswith(("No implementation", "Invalid use"))]
    chosen = (unsupported or invalid or telling or [text.strip() or type(error).__name__])[-1 if not invalid else 0]
    return f"it does not compile: {chosen.rstrip(':')}"


def _place(method: FunctionType, error: Exception) -> str:
    found = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    own = [(file, line) for file, line in found if Path(file).name == Path(method.__code__.co_filename).name]
    return f"{Path(own[-1][0]).name}:{own[-1][1]}" if own else _where(method)


def _where(method: FunctionType) -> str:
    return f"{_file(method)}:{method.__code__.co_firstlineno}"


def _file(method: FunctionType) -> str:
    return Path(method.__code__.co_filename).name
