"""What keeps the source one house: kernels take few arguments, and a private name is used where it is defined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src"
MOST_ARGUMENTS = 8
KERNELS = {"kernel", "inner_kernel", "kernel_with"}
INTRINSICS = {"intrinsic"}  # whose first argument is Numba's own: the types that it has inferred
NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}  # public, for all their underscores
OTHERS_OWN = {"os._exit", "sys._current_frames"}  # Python's documented names
LONGEST_RULES = 250  # lines of a built-in game's rules.py, which a board-gamer holds against the rulebook
RULES = "boardwright/games/*/rules.py"
COMPILABLE = "Compilable"  # what games and evaluators are derived from
CLASS = re.compile(r"^class (\w+)\(([^)]*)\)", re.MULTILINE)
MAYBE_KERNEL = re.compile("^ *@.*(kernel|intrinsic)", re.MULTILINE)  # most files need not be parsed
MAYBE_BORROWED = re.compile(r"(?<!self)(?<!cls)\._[a-zA-Z]|\bimport\b.*\b_[a-zA-Z]|^ +_[a-zA-Z]\w*,$", re.MULTILINE)
NUMBA = ("compile/numba_internals.py", "compile/wasm/numba_target.py")  # the files that may use what Numba hides


def sources() -> list[Path]:
    return sorted(SRC.rglob("*.py"))


def wide_kernels(source: str) -> Iterator[tuple[str, int]]:
    """The kernels of a file that take too many arguments, and how many."""
    if not MAYBE_KERNEL.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        made_by = {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in node.decorator_list}
        count = arguments_of(node) - 1 if made_by & INTRINSICS else arguments_of(node)
        if made_by & (KERNELS | INTRINSICS) and count > MOST_ARGUMENTS:
            yield node.name, count


def arguments_of(function: ast.FunctionDef) -> int:
    return len(function.args.posonlyargs) + len(function.args.args) + len(function.args.kwonlyargs)


def compiled_classes(texts: Iterable[str]) -> set[str]:
    """The classes whose methods kernels call, by name: games and evaluators, and what these are put together from."""
    bases = {name: set(re.findall(r"\w+", given)) for text in texts for name, given in CLASS.findall(text)}
    found = {COMPILABLE}
    while more := {name for name, given in bases.items() if given & found} - found:
        found |= more
    while more := {one for name in found for one in bases.get(name, ())} - found:
        found |= more
    return found


def wide_methods(source: str, classes: set[str]) -> Iterator[tuple[str, int]]:
    """The methods of these classes that take too many arguments, `self` among them, and how many."""
    for kind in ast.parse(source).body:
        if not isinstance(kind, ast.ClassDef) or kind.name not in classes:
            continue
        for node in kind.body:
            if isinstance(node, ast.FunctionDef) and arguments_of(node) > MOST_ARGUMENTS:
                yield f"{kind.name}.{node.name}", arguments_of(node)


def borrowed(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of private names that a file takes from elsewhere: imported, or asked of an object though nothing
    in the file has such a name."""
    if not MAYBE_BORROWED.search(source):
        return
    tree = ast.parse(source)
    own: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, one.name) for one in node.names if _private(one.name))
        elif isinstance(node, ast.Attribute) and _private(node.attr) and node.attr not in own | NAMED_TUPLES:
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield node.lineno, ast.unparse(node)


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_no_kernel_takes_more_than_eight_arguments() -> None:
    wide = [
        f"{path.relative_to(SRC)}: {name} takes {count}"
        for path in sources()
        for name, count in wide_kernels(path.read_text(encoding="utf-8"))
    ]
    assert not wide, "\n".join(["put what belongs together into one record:", *wide])


def test_no_method_of_a_game_or_an_evaluator_takes_more_than_eight_arguments() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sources()}
    classes = compiled_classes(texts.values())
    declared = re.compile(rf"^class ({'|'.join(sorted(classes))})\b", re.MULTILINE)
    wide = [
        f"{path.relative_to(SRC)}: {name} takes {count}"
        for path, text in texts.items()
        if declared.search(text)
        for name, count in wide_methods(text, classes)
    ]
    assert not wide, "\n".join(["put what belongs together into one record or tuple:", *wide])


def test_the_rules_of_a_game_fit_a_few_screens() -> None:
    lines = {path.parent.name: len(path.read_text(encoding="utf-8").splitlines()) for path in SRC.glob(RULES)}
    assert {"azul", "in_a_row", "nmbr9", "twenty48"} <= lines.keys()
    assert not {name: count for name, count in lines.items() if count >= LONGEST_RULES}


def test_private_names_stay_where_they_are_defined() -> None:
    found = [
        f"{path.relative_to(SRC)}:{line}: {name}"
        for path in sources()
        if not path.as_posix().endswith(NUMBA)
        for line, name in borrowed(path.read_text(encoding="utf-8"))
        if name not in OTHERS_OWN
    ]
    assert not found, "\n".join(["name it without an underscore where it is defined, or ask for it otherwise:", *found])


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from a import _b, c", [(1, "_b")]),
        ("x = other._seen[1]", [(1, "other._seen")]),
        ("class A:\n    def _go(self): pass\n    def run(self, other): other._go()", []),
        ("class A:\n    def __init__(self): self._n = 0\n    def same(self, b): return self._n == b._n", []),
        ("self._inherited()", []),
        ("plan._replace(a=1).__class__", []),
    ],
)
def test_what_counts_as_borrowed(source: str, found: list[tuple[int, str]]) -> None:
    assert list(borrowed(source)) == found


def test_what_counts_as_an_argument() -> None:
    nine = ", ".join("abcdefghi")
    assert list(wide_kernels(f"@kernel\ndef go({nine}): pass")) == [("go", 9)]
    assert list(wide_kernels(f"@kernel_with(plain)\ndef go({nine}): pass")) == [("go", 9)]
    assert not list(wide_kernels(f"@intrinsic\ndef go({nine}): pass\ndef plain({nine}): pass"))
    eight = nine[:-3]
    text = f"class Part:\n    def go({nine}): pass\nclass Chess(Part, bw.Game):\n    def go({eight}): pass"
    classes = compiled_classes(["class Game(Compilable): pass", text, "class Other(Base): pass"])
    assert {"Game", "Chess", "Part"} <= classes and not classes & {"Other", "Base"}
    assert list(wide_methods(text, classes)) == [("Part.go", 9)]


def test_a_players_searches_are_its_own() -> None:
    """`player.searches` is for the player itself: others ask it, with a control or by what it offers."""
    reaching = re.compile(r"(?<!self)\.searches\b")
    found = [str(path.relative_to(SRC)) for path in sources() if reaching.search(path.read_text(encoding="utf-8"))]
    assert found == ["boardwright/moved.py"]  # where a module had this name


def test_a_layer_has_one_class_of_a_name() -> None:
    """What a reader finds under a name in a folder is the one that is meant there. The laboratory's five reports are
    works of their own."""
    where: dict[tuple[str, str], list[str]] = {}
    for path in (SRC / "boardwright").rglob("*.py"):
        file = path.relative_to(SRC / "boardwright").as_posix()
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE):
            where.setdefault((file.partition("/")[0], name), []).append(file)
    assert not {key: files for key, files in where.items() if len(files) > 1}
