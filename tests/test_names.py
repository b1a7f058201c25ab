"""Nothing outside games/ (and the laboratory) names a game, built in or of the gallery: general code asks a game's
card, or the game itself.

Prose may name one: comments, docstrings, and texts for the command line's help.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardwright
import boardwright as bw
from boardwright.bench.examples import gallery

ROOT = Path(boardwright.__file__).parent
BUILT_IN = r"azul|nmbr[ _]?9|\b2048\b|twenty_?48|twentyforty|gomoku|tic[-_]?tac[-_]?toe|(?-i:\bin_a_row\b)"
# By file, class or title; of hex, which is also how bytes are written, the class and the file.
GALLERY = (
    r"breakthrough|can'?t[_ ]?stop|chinese[_ ]?checkers|connect[_ ]?four|dots[_ ]?and[_ ]?boxes|ludo"
    r"|nine[_ ]?men'?s[_ ]?morris|othello|oware|pig|royal[_ ]?(game[_ ]of[_ ])?ur|yacht"
)
NAMES = re.compile(rf"{BUILT_IN}|(?<![a-z])({GALLERY})(?![a-z])|(?-i:\bHex\b|\bhex\.py)", re.IGNORECASE)
PROSE = {"help", "show_default"}  # arguments of commands that people read

# What may be named, and why. Each line must still be needed: see the last test.
ALLOWED = {
    ("cli/records.py", "No games yet. Play one: boardwright play tictactoe"): "a command to try, for people",
    ("records/record.py", "the name of a game, such as azul, and no path"): "an example in a message, for people",
    ("records/sgf.py", "Othello"): "the file format's own list of games",
    ("records/sgf.py", "Hex"): "the file format's own list of games",
    ("records/sgf.py", "] is another kind of game; Gomoku is GM[4]"): "the file format's own list of games has it",
}

LISTS = ("bench/examples.py",)  # which games of the gallery benchmarks take: the list is what the file is for
OLD_PATHS = "moved.py"  # a table of what modules were called, which ends with the next version


def python_files() -> list[Path]:
    files = ((path, path.relative_to(ROOT).parts) for path in ROOT.rglob("*.py"))
    return sorted(path for path, parts in files if parts[0] not in ("games", OLD_PATHS))


def prose(tree: ast.AST) -> set[int]:
    """The nodes that are docstrings or help."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(id(first.value))
        if isinstance(node, ast.keyword) and node.arg in PROSE:
            found.update(id(inner) for inner in ast.walk(node))
    return found


def words(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of every identifier, import and text in the code of a Python file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = prose(tree)
    for node in ast.walk(tree):
        line: int = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield line, node.value
        elif isinstance(node, ast.Name):
            yield line, node.id
        elif isinstance(node, ast.Attribute):
            yield line, node.attr
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield line, node.arg or ""
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield line, node.name
        elif isinstance(node, ast.alias):
            yield line, node.name
            yield line, node.asname or ""
        elif isinstance(node, ast.ImportFrom):
            yield line, node.module or ""


def offences(path: Path) -> list[tuple[int, str]]:
    return [(line, text) for line, text in words(path) if NAMES.search(text)]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_outside_games_names_a_game(path: Path) -> None:
    where = path.relative_to(ROOT).as_posix()
    assert not NAMES.search(where), f"{where}: its name is a game's"
    found = [(line, text) for line, text in offences(path) if (where, text) not in ALLOWED and where not in LISTS]
    assert not found, f"{where} names a game; ask its card instead: {found}"


def test_every_game_of_the_gallery_is_known_by_its_names() -> None:
    for path in gallery():
        kind = type(bw.load(str(path)))
        for name in (path.name, f"x:{kind.__name__}", f"In {kind.card.title}:" if kind.card.title else path.name):
            assert NAMES.search(name), name
    assert not NAMES.search("found.hex() of a pigeon, 0xhex")


def script_texts(source: str) -> Iterator[str]:
    """The string literals of a script, comments left out."""
    token = re.compile(
        r"//[^\n]*|/\*.*?\*/|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.DOTALL
    )
    return (found["text"] for found in token.finditer(source) if found["text"])


def of_pages(ending: str) -> list[Path]:
    return sorted(path for page in ("serve", "publish") for path in (ROOT / page / "web").rglob(f"*{ending}"))


@pytest.mark.parametrize("path", of_pages(".js"), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_script_of_a_page_names_a_game(path: Path) -> None:
    found = [text for text in script_texts(path.read_text(encoding="utf-8")) if NAMES.search(text)]
    assert not found, f"{path.name} names a game; let the server tell what differs: {found}"


@pytest.mark.parametrize("path", of_pages(".html"), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_page_names_a_game(path: Path) -> None:
    written = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not NAMES.search(written), f"{path.name} names a game; let the server tell what there is"


def test_the_test_can_fail(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text('"""Such as azul."""\nimport x.twenty48\nif game.name == "2048":  # azul\n    run(help="azul")\n')
    assert [text for _, text in offences(wrong)] == ["x.twenty48", "2048"]
    assert [text for text in script_texts("// azul\nf(\"azul\", `x ${'a'} 2048`)") if NAMES.search(text)] == [
        '"azul"', "`x ${'a'} 2048`",
    ]  # fmt: skip


def test_what_is_allowed_is_still_needed() -> None:
    assert all(offences(ROOT / where) for where in LISTS)
    for where, text in ALLOWED:
        assert text in [found for _, found in offences(ROOT / where)], f"{where}: {text!r} is named no more"
