"""Which layer may import which: every import of the source, late ones and modules named in texts included, is compared
with the table in docs/architecture.md."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import boardwright as bw

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
TABLE = ROOT / "docs" / "architecture.md"
PACKAGE, LABORATORY = "boardwright", "boardwright_lab"
TOP = "boardwright itself"  # the row of the files that stand in no layer
REGISTRY = "registry"  # which every layer may import
PLACE = re.compile(r"\bboardwright(?:\.[A-Za-z_]\w*)+|\bboardwright_lab\.[\w.]*")


class Use(NamedTuple):
    """One place in the source that names a module of ours."""

    line: int
    module: str  # with its dots


def read_table() -> dict[str, frozenset[str]]:
    """Layer -> the layers that it may import, as docs/architecture.md has it."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    first = lines.index("| layer | what is in it | may import |") + 2
    table: dict[str, frozenset[str]] = {}
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        layer, _, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        names = re.findall(r"`(\w+)`", allowed)
        assert names or allowed in ("nothing", "everything"), f"docs/architecture.md: cannot read {line!r}"
        table[layer.strip("`")] = frozenset(table if allowed == "everything" else names)
    return table


def layer_of(module: str) -> str:
    """The row of the table that a module belongs to."""
    package, _, rest = module.partition(".")
    if package == LABORATORY:
        return LABORATORY
    layer = rest.partition(".")[0]
    if layer == REGISTRY:
        return REGISTRY
    return layer if (SRC / PACKAGE / layer / "__init__.py").is_file() and layer else TOP


def uses(source: str) -> Iterator[Use]:
    """Every module of ours that a file names: by an import at any depth, through a name of the package itself
    (`bw.match` is a use of `arena`), or in a text that is no docstring."""
    tree = ast.parse(source)
    docstrings, short = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.add(first.value)
        elif isinstance(node, ast.Import):
            short |= {alias.asname or alias.name for alias in node.names if alias.name == PACKAGE}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Use(node.lineno, alias.name) for alias in node.names if _ours(alias.name))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write imports out from {PACKAGE}, as everywhere"
            if node.module == PACKAGE:
                yield from (Use(node.lineno, _home(alias.name)) for alias in node.names)
            elif node.module and _ours(node.module):
                yield Use(node.lineno, node.module)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in short:
            yield Use(node.lineno, _home(node.attr))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield from (Use(node.lineno, place) for place in PLACE.findall(node.value) if layer_of(place) != TOP)


def _ours(module: str) -> bool:
    return module.partition(".")[0] in (PACKAGE, LABORATORY)


def _home(name: str) -> str:
    """Where a name of the package lives: `bw.match` in boardwright.arena, `boardwright.games` in itself."""
    homes: dict[str, str] = bw._HOME_OF
    return homes.get(name, f"{PACKAGE}.{name}")


def sources() -> list[Path]:
    return sorted([*(SRC / PACKAGE).rglob("*.py"), *(SRC / LABORATORY).rglob("*.py")])


def test_every_import_is_in_the_table() -> None:
    table, wrong = read_table(), []
    for path in sources():
        layer = layer_of(".".join(path.relative_to(SRC).with_suffix("").parts))
        allowed = {layer, REGISTRY, *table.get(layer, ())}
        for use in uses(path.read_text(encoding="utf-8")):
            other = layer_of(use.module)
            if other in allowed or (other == TOP and use.module in (PACKAGE, f"{PACKAGE}.__version__")):
                continue
            cure = (
                f"let {other} offer it in boardwright/__init__.py and find it through registry.py"
                if layer in table.get(other, ())
                else "move what is needed to a layer that both may import"
            )
            wrong.append(f"{path.relative_to(ROOT)}:{use.line}: {layer} -> {other} ({use.module}); {cure}")
    assert not wrong, "\n".join(["imports that docs/architecture.md does not allow:", *wrong])


def test_the_table_has_every_layer_and_no_circle() -> None:
    table = read_table()
    folders = {path.parent.name for path in (SRC / PACKAGE).glob("*/__init__.py")}
    assert set(table) == {*folders, LABORATORY, REGISTRY, TOP}, "one row a folder of src/boardwright"
    before: set[str] = set()
    for layer, allowed in table.items():
        assert allowed <= {*before, TOP}, f"{layer} may import {sorted(allowed - before)}, which stand below it"
        before.add(layer)
    assert all(LABORATORY not in allowed for layer, allowed in table.items() if layer != TOP)


def test_the_picture_has_every_layer() -> None:
    drawn = (ROOT / "docs" / "pictures" / "layers.svg").read_text(encoding="utf-8")
    assert set(read_table()) - {"models", TOP} <= set(re.findall(r">(\w+)</text>", drawn))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import boardwright.arena.match", ["boardwright.arena.match"]),
        ("def late():\n    from boardwright.learn.runs import Run", ["boardwright.learn.runs"]),
        ("if TYPE_CHECKING:\n    from boardwright.players import Player", ["boardwright.players"]),
        ("from boardwright import match, __version__", ["boardwright.arena", "boardwright.__version__"]),
        ("import boardwright as bw\nclass A(bw.Game): pass", ["boardwright", "boardwright.contract.game"]),
        ("KINDS = {'net': 'boardwright.learn.selfplay.player:NetPlayer'}", ["boardwright.learn.selfplay.player"]),
        ("run(f'from boardwright.search.tree import {name}')", ["boardwright.search.tree"]),
        ("import_module(f'boardwright.games.{name}.rules')", ["boardwright.games"]),
        ("import_module('boardwright_lab.' + name)", ["boardwright_lab."]),
        ("PLACE = 'boardwright_lab.run'", ["boardwright_lab.run"]),
        ("'''See boardwright.serve.app.'''\ndef f():\n    'As boardwright.cli.main.'", []),
        ("GROUP = 'boardwright.players'", ["boardwright.players"]),
        ("print('pip install boardwright[learn]; boardwright.sqlite')", []),
    ],
)
def test_what_counts_as_an_import(source: str, found: list[str]) -> None:
    assert [use.module for use in uses(source)] == found


def test_the_contract_knows_no_compiler() -> None:
    for path in sorted((SRC / PACKAGE / "contract").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                compiler = {name.partition(".")[0] for name in names} & {"numba", "llvmlite"}
                assert not compiler, f"{path.relative_to(ROOT)}:{node.lineno}: contract stands before the compiler"
    modules = [f"boardwright.contract.{path.stem}" for path in (SRC / PACKAGE / "contract").glob("[!_]*.py")]
    program = f"import sys, {', '.join(modules)}; print(sorted({{'numba', 'llvmlite'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr or done.stdout
