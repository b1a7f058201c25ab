"""The documentation: the reference leaves nothing out, links lead somewhere, the tutorial is true, the site builds."""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import site_pages
import site_reference as reference
from site_search import sections_of

import boardwright as bw
from boardwright.contract.rules import RULES
from boardwright.players import player_kinds
from boardwright.registry import offered
from boardwright.serve.routes import ROUTES
from boardwright.serve.socket import ACTIONS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TUTORIAL = DOCS / "tutorial" / "index.md"
PATIENCE = 180_000.0  # milliseconds


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


@pytest.fixture(scope="module")
def made(pages: dict[str, str]) -> set[str]:
    """The places of all pages that exist in the site alone."""
    return {*pages, *site_pages.example_pages(), *site_pages.model_pages(), *site_pages.root_pages()}


# The reference


def test_the_reference_has_every_public_name_and_its_members(pages: dict[str, str]) -> None:
    page = pages["reference/python.md"]
    for name in bw.__all__:
        assert f"## `bw.{name}`" in page, f"bw.{name} is not in the reference"
    for name in ("Game", "Position", "Player", "MatchResult", "Record", "Library", "Card", "Choice", "Control"):
        part = page.partition(f"## `bw.{name}`")[2].partition("\n## ")[0]
        for member in vars(getattr(bw, name)):
            old = type(vars(getattr(bw, name))[member]).__name__ == "OldHint"
            if not member.startswith("_") and not old:
                assert re.search(rf"^\| `{member}[`(]", part, re.MULTILINE), (
                    f"bw.{name}.{member} is not in the reference"
                )


def test_the_reference_has_every_command_and_option(pages: dict[str, str]) -> None:
    page = pages["reference/commands.md"]
    commands = dict(reference.commands())
    assert {"boardwright check", "boardwright train", "boardwright records list"} <= set(commands)
    for name, command in commands.items():
        part = page.partition(f"## `{name}`")[2].partition("\n## ")[0]
        assert part, f"{name} is not in the reference"
        for one in command.params:
            for option in (*one.opts, *one.secondary_opts) if one.param_type_name == "option" else ():
                assert option in part, f"{name} {option} is not in the reference"


def test_the_reference_has_every_kind_of_player_and_its_settings(pages: dict[str, str]) -> None:
    page = pages["reference/players.md"]
    kinds = dict(reference.kinds())
    game = bw.load("tictactoe")
    policies = {policy.replace("_", "-") for policy in game.policies}
    assert {*player_kinds(game), *offered("players")} - policies <= set(kinds)
    for name, kind in kinds.items():
        part = page.partition(f"## {reference.kind_title(name)}\n")[2].partition("\n## ")[0]
        assert kind.about[1:].rstrip(".") in part
        for field in dataclasses.fields(kind.settings_class):
            assert not field.init or f"| `{field.name}` |" in part, f"{name}:{field.name} is not in the reference"


def test_the_reference_has_every_route_action_rule_and_variable(pages: dict[str, str]) -> None:
    page = pages["reference/routes.md"]
    for route in ROUTES:
        for method in (route.methods or set()) - {"HEAD"}:
            assert f"| `{method}` | `{route.path}` |" in page
    assert all(f"| `{action}` |" in page for action in ACTIONS)
    contract = (DOCS / "contract.md").read_text(encoding="utf-8")
    assert all(f"| `{rule.signature}` |" in contract for rule in RULES)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert set(re.findall(r"BOARDWRIGHT_[A-Z]+", source)) == set(reference.ENVIRONMENT)


def test_everything_in_the_reference_has_words(pages: dict[str, str]) -> None:
    for place, page in pages.items():
        bare = re.findall(r"^\|.*\|\s*\|$", page, re.MULTILINE)
        assert not bare, f"{place}: say in the code what these are: {bare}"


# Links


def links() -> Iterator[tuple[Path, str]]:
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        yield from ((page, link) for link in links_of(page))


def links_of(page: Path) -> Iterator[str]:
    """What a page links to, but for addresses on the network."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        if not re.match(r"[a-z]+:", link):
            yield link


def anchors(page: Path) -> set[str]:
    """What a heading is called in a link, as GitHub and Sphinx make it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere(made: set[str]) -> None:
    found = list(links())
    assert len(found) > 200
    for page, link in found:
        name, _, anchor = link.partition("#")
        target = Path(os.path.normpath(page.parent / name)) if name else page
        where = f"{page.relative_to(ROOT)}: {link}"
        if target.is_relative_to(DOCS) and target.relative_to(DOCS).as_posix() in made:
            continue  # the site's own check looks for the place in it
        assert target.exists(), f"{where} is not there"
        assert not anchor or anchor in anchors(target), f"{where}: no such heading"


def test_links_lead_somewhere_in_the_site_too(tmp_path: Path) -> None:
    """There pages from beside docs/, and those of examples and models, stand elsewhere."""
    site_pages.gather(tmp_path)
    pages = list(tmp_path.rglob("*.md"))
    assert len(pages) > 60
    for page in pages:
        for link in links_of(page):
            name = link.partition("#")[0]
            assert not name or (page.parent / name).exists(), f"{page.relative_to(tmp_path)}: {link} is not there"


def test_the_contents_name_pages_that_exist(made: set[str]) -> None:
    named = [page for pages in site_pages.CONTENTS.values() for page in pages]
    assert len(set(named)) == len(named)
    assert not [page for page in named if f"{page}.md" not in made and not (DOCS / f"{page}.md").is_file()]


def test_the_site_has_the_colours_of_the_page() -> None:
    css = (DOCS / "site" / "site.css").read_text(encoding="utf-8")
    colours = site_pages.colours()
    assert colours.count("--accent:") == 3  # light, dark, and dark by the system's wish
    assert set(re.findall(r"var\((--[\w-]+)", css)) <= set(re.findall(r"(--[\w-]+):", colours))


# The tutorial


def blocks(language: str) -> list[str]:
    text = TUTORIAL.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_tutorial_shows_the_file_that_is_checked() -> None:
    shown = "\n\n".join(block.strip("\n") for block in blocks("python") if not block.startswith(">>>"))
    assert shown + "\n" == (DOCS / "tutorial" / "ridge.py").read_text(encoding="utf-8")


SHORTER = {"--minutes 5": "--minutes 1", "--minutes 2": "--minutes 0.5"}
TIMED = ("train", "playtest", "last")  # what these say depends on how fast the machine is
TYPED = {"play": "hint\nquit\n"}


def commands() -> Iterator[tuple[str, str]]:
    """Every command of the tutorial, and what it shows of the answer."""
    for block in blocks("console"):
        yield from re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def masked(text: str) -> str:
    """Text without its numbers."""
    return re.sub(r"[\d.,]*\d", "#", text)


def agrees(shown: str, said: str) -> bool:
    """Whether a command said what is shown, where `...` stands for anything and blanks are alike."""
    parts = [re.escape(" ".join(part.split())) for part in shown.split("...")]
    return re.fullmatch(r"\s*" + ".*".join(parts) + r"\s*", " ".join(said.split()), re.DOTALL) is not None


def first_line(call: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a server says first; it is then ended."""
    with subprocess.Popen(call, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        server.terminate()
    return said


@pytest.mark.slow
def test_the_commands_of_the_tutorial_say_what_it_shows(tmp_path: Path) -> None:
    shutil.copy(DOCS / "tutorial" / "ridge.py", tmp_path)
    environment = {**os.environ, "COLUMNS": "120", "BOARDWRIGHT_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}
    assert {shlex.split(command)[1] for command, _ in commands()} >= {"check", "serve", "match", "train", "playtest"}
    for command, shown in commands():
        for long, short in SHORTER.items():
            command = command.replace(long, short)
        words = shlex.split(command)
        assert words[0] == "boardwright"
        call = [sys.executable, "-m", *words]
        if words[1] == "serve":
            assert "http://127.0.0.1" in first_line([*call, "--no-open"], tmp_path, environment)
            continue
        told = subprocess.run(
            call,
            cwd=tmp_path,
            env=environment,
            input=TYPED.get(words[1], ""),
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert told.returncode == 0, f"{command}: {told.stderr}"
        said = told.stdout
        if any(word in command for word in TIMED):
            said, shown = masked(said), masked(shown)
        assert agrees(shown, said), f"{command} says\n{said}\nand not\n{shown}"
    assert (tmp_path / "report.html").is_file()


# The site


def build(where: str) -> None:
    command = [sys.executable, str(DOCS / "site" / "site_build.py"), where]
    told = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert told.returncode == 0 and not told.stderr, told.stderr


def test_the_pages_build_without_a_warning_or_a_dead_link() -> None:
    """Without the look of the site, which is half of the work: the slow tests have that."""
    build("--check")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning and with every link alive, or the tests that need it fail."""
    out = tmp_path_factory.mktemp("docs") / "site"
    build(str(out))
    return out


@pytest.mark.slow
def test_the_site_is_built_with_all_its_parts(site: Path) -> None:
    for place in ("index", "tutorial/index", "reference/commands", "examples/pig", "models/nmbr9", "search"):
        assert (site / f"{place}.html").is_file()
    assert "://" not in (site / "_static" / "site.css").read_text(encoding="utf-8")


def test_the_search_reads_sections_and_the_names_in_their_prose() -> None:
    page = (
        '<p>Skip</p><section id="top"><h1>Dice<a class="headerlink" href="#top">¶</a></h1>'
        '<p>Roll <code>draw</code>.</p><section id="two"><h2>Of <code>line()</code></h2><pre>a</pre>'
        "<script>no()</script><p>b &amp; c</p></section><p>End</p></section>"
    )
    assert sections_of(page) == [
        ["", "Dice", "Roll draw. End", "", "draw"],
        ["#two", "Of line()", "b & c", "a", "line()"],
    ]


# What a newcomer types, and where the first of what is found must lead.
NEWCOMER = "Questions of a newcomer"
SOUGHT = {
    "form of policies": f"{NEWCOMER} › What is the form of policies?",
    "policies": f"{NEWCOMER} › What is the form of policies?",
    "local arrays": f"{NEWCOMER} › Do local arrays compile?",
    "negative scores": f"{NEWCOMER} › May points be negative?",
    "observe at chance": f"{NEWCOMER} › What is observe to write where chance is to move?",
    "can chance follow chance": f"{NEWCOMER} › May chance follow chance?",
    "first blank position": f"{NEWCOMER} › Where is the blank position, before anything was drawn? line()",
    "line()": f"{NEWCOMER} › Where is the blank position, before anything was drawn? line()",
    "draw": f"{NEWCOMER} › What may chance do, and how do I say what it did?",
    "sample": f"{NEWCOMER} › What may chance do, and how do I say what it did?",
    "fields": f"{NEWCOMER} › What is in a position?",
    "own player": f"{NEWCOMER} › How do I bring a player of my own?",
    "how do I bring my own player": f"{NEWCOMER} › How do I bring a player of my own?",
    "own game": "Your own game in 40 lines",
    "install": "Install",
    "playtest": "Playtest: what a designer must know about a game",
}


@pytest.mark.slow
def test_the_site_is_read_and_searched_as_files_without_a_network(site: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    from boardwright.bench.browser import chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.set_default_timeout(PATIENCE)
        asked: list[str] = []
        wrong: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        for place in ("index.html", "tutorial/index.html", "reference/commands.html", "questions.html"):
            page.goto((site / place).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, f"{place} is wider than a telephone"
        for words, answer in SOUGHT.items():
            page.goto(f"{(site / 'search.html').as_uri()}?q={quote(words)}")
            expect(page.locator(".search-summary")).to_contain_text("Search finished", timeout=PATIENCE)
            first = page.locator("#search-results li").first
            assert first.locator("a").inner_text() == answer, words
            assert len(first.locator("p").inner_text()) > 20, words
            page.goto(first.locator("a").evaluate("link => link.href"))
            assert page.evaluate("!location.hash || document.getElementById(location.hash.slice(1)) !== null"), words
        browser.close()
    assert not wrong
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
