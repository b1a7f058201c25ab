"""What docs/architecture.md and docs/glossary.md name is there: files, and the functions of the walks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "boardwright"


def rows(name: str, heading: str) -> list[list[str]]:
    """The cells of all tables with this heading in a page of docs/."""
    found: list[list[str]] = []
    inside = False
    for line in (ROOT / "docs" / name).read_text(encoding="utf-8").splitlines():
        inside = line == heading or (inside and line.startswith("|"))
        if inside and line != heading and not line.startswith("|---"):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


WALKS = rows("architecture.md", "| file | function | what happens |")
WORDS = rows("glossary.md", "| word | meaning | file |")


@pytest.mark.parametrize(("file", "function"), [(file.strip("`"), name.strip("`")) for file, name, _ in WALKS])
def test_the_walks_name_what_is_there(file: str, function: str) -> None:
    path = SOURCE / file
    assert path.is_file(), f"docs/architecture.md names {file}, which does not exist; follow the code and mend the walk"
    before = r"^\s*(?:async |export )*(?:def |class |function )?"
    assert re.search(rf"{before}{re.escape(function)}\s*[(:]", path.read_text(encoding="utf-8"), re.MULTILINE), (
        f"docs/architecture.md: {file} defines no {function}; follow the code and mend the walk"
    )


def test_the_glossary_names_files_that_exist_and_each_word_once() -> None:
    assert len(WORDS) > 50
    words = [word for row in WORDS for word in row[0].split(", ")]
    assert sorted(set(words)) == sorted(words)
    for word, _, file in WORDS:
        assert (SOURCE / file.strip("`")).is_file(), f"docs/glossary.md: {word}: {file} does not exist"


@pytest.mark.parametrize("name", ["architecture.md", "glossary.md"])
def test_every_source_file_they_mention_exists(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    for file in re.findall(r"`((?:src|docs|tests)/[\w./]+)`", text):
        assert (ROOT / file).exists(), f"docs/{name} mentions {file}, which does not exist"
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / "docs" / link).exists(), f"docs/{name} links to {link}, which does not exist"
