"""The laboratory as a whole: every program runs, pages are written whole or not at all, mistakes are told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cli.main import app
from boardwright_lab import PROGRAMS
from boardwright_lab.page import Page
from boardwright_lab.run import Run, carry_out

SOURCE = Path(bw.__file__).parent


def reproduce(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "boardwright", "reproduce", *arguments], capture_output=True, text=True, timeout=900
    )


@pytest.mark.slow
def test_every_program_runs_quickly_and_writes_its_page(tmp_path: Path) -> None:
    # Networks are players whose specs name their files, and a spec has its length: pytest's own folders are too deep.
    with tempfile.TemporaryDirectory() as work:
        done = reproduce("all", "--quick", "--out", str(tmp_path / "out"), "--work", work, "--json")
    assert done.returncode == 0, done.stderr
    tables = json.loads(done.stdout)
    assert list(tables) == list(PROGRAMS)
    for name in PROGRAMS:
        text = (tmp_path / "out" / f"{name}.md").read_text(encoding="utf-8")
        assert text.startswith("# ") and "This is a quick run" in text
        assert text.rstrip().endswith(f"`boardwright reproduce {name} --quick`")
        assert tables[name] and all(table["rows"] for table in tables[name])
        assert "nan" not in text.lower().split()
        pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
        assert pictures
        for picture in pictures:
            assert ElementTree.parse(tmp_path / "out" / picture).getroot().tag.endswith("svg")


def test_without_the_laboratory_reproduce_says_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boardwright_lab", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "boardwright_lab.run")
    result = CliRunner().invoke(app, ["reproduce", "tictactoe"])
    assert isinstance(result.exception, bw.InputError)
    assert str(result.exception).startswith("reproduce needs the package boardwright_lab, which is not installed here")


def test_committed_pages_are_full_and_their_pictures_are_there() -> None:
    folder = SOURCE.parents[1] / "docs" / "reproduce"
    for name in PROGRAMS:
        text = (folder / f"{name}.md").read_text(encoding="utf-8")
        assert "This is a quick run" not in text
        last = text.rstrip().splitlines()[-1]
        made = r"\d{4}-\d\d-\d\d, commit [0-9a-f]{10}(\+changes)?, .+: `boardwright reproduce .+`"
        assert re.fullmatch(made, last), last
        assert "--quick" not in last
        for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", text):
            assert (folder / picture).is_file()


def test_a_page_appears_when_its_program_is_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.py").write_text(
        "def reproduce(run, page):\n"
        "    page.say('# Odd')\n"
        "    page.table('Numbers', ['n', 'square'], [['3', '9']])\n"
        "    page.picture('dot', '<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>', 'A dot.')\n"
        "    if run.seed == 13:\n"
        "        raise KeyboardInterrupt\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(PROGRAMS, "odd", "odd")
    out = tmp_path / "out"

    def run(seed: int) -> Run:
        return Run("odd", True, seed, 0, tmp_path / "work", lambda text: None)

    with pytest.raises(KeyboardInterrupt):
        carry_out(run(13), out, "boardwright reproduce odd")
    assert not out.exists()
    page = carry_out(run(1), out, "boardwright reproduce odd")
    before = (out / "odd.md").read_text()
    assert before.startswith("# Odd\n\n> This is a quick run") and "| 3 | 9 |" in before and "odd/dot.svg" in before
    assert page.tables == [{"title": "Numbers", "heading": ["n", "square"], "rows": [["3", "9"]]}]
    with pytest.raises(KeyboardInterrupt):
        carry_out(run(13), out, "boardwright reproduce odd")
    assert (out / "odd.md").read_text() == before


def test_a_table_needs_a_cell_for_each_heading() -> None:
    with pytest.raises(AssertionError):
        Page("odd").table("Numbers", ["n", "square"], [["3"]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "no program 'chess'; there are nmbr9, tictactoe, 2048, gomoku, azul, all"),
        (["tictactoe", "--seed", "-1"], "--seed -1 must be 0 or more"),
        (["tictactoe", "--out", __file__], "is a file; name a folder"),
        (["tictactoe", "--work", __file__], "is a file; name a folder"),
    ],
)
def test_what_cannot_be_reproduced_is_refused(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["reproduce", *arguments])
    assert result.exit_code != 0 and message in str(result.exception)
