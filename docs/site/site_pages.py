"""What the documentation's site consists of: the pages of docs/, and those that are made from the code.

`gather` puts them into one folder for Sphinx. Nothing is written into docs/ itself.
"""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from site_reference import pages

import boardwright as bw
from boardwright.bench.examples import gallery
from boardwright.contract.random import Random

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
PACKAGE = ROOT / "src" / "boardwright"
WEB = PACKAGE / "serve" / "web"
MOVES_SHOWN = 12  # of a game, before its picture is taken
LEFT_OUT = shutil.ignore_patterns("site", "__pycache__", "make.py")

# The contents, in the order of the bar at the side. A page that is not named here stands under More: none is lost.
CONTENTS = {
    "Begin": [
        "install", "tutorial/index", "for/player", "for/designer", "for/student", "for/teacher", "for/researcher",
    ],
    "How to": [
        "own-game", "questions", "page", "players", "train", "arena", "playtest", "playtest/README", "records",
        "theatre", "publish", "cluster", "engines", "ecosystem", "api",
    ],
    "Explanations": [
        "methods/search", "methods/kernel-learning", "methods/afterstate-values", "methods/tuples", "methods/selfplay",
        "methods/expectimax", "methods/solver", "methods/threats", "methods/judge", "methods/tree-picture", "strength",
        "speed", "reports", "architecture", "glossary",
    ],
    "Games": [
        "games/tictactoe", "games/gomoku", "games/2048", "games/nmbr9", "games/azul", "examples/index", "gallery",
        "models/index",
    ],
    "Laboratory": [
        "reproduce/README", "reproduce/tictactoe", "reproduce/gomoku", "reproduce/2048", "reproduce/nmbr9",
        "reproduce/azul",
    ],
    "Reference": [
        "reference/index", "reference/python", "reference/commands", "contract", "reference/players",
        "reference/training", "reference/routes", "reference/settings",
    ],
    "Project": ["contributing", "changelog", "security"],
}  # fmt: skip

# Pages that stand beside docs/, by their place in the site.
BESIDE = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md", "security.md": "SECURITY.md"}

# What a page is called in that bar, where its own heading is long.
SHORT = {
    "own-game": "Write a game", "page": "Play on the page", "players": "Choose and write players", "train": "Train",
    "arena": "Measure who is better", "playtest": "Test a design",
    "playtest/README": "Five playtests", "records": "Keep and analyse games",
    "theatre": "Show a search", "publish": "Publish a game", "cluster": "Use many machines",
    "engines": "Talk to other programs", "ecosystem": "Use other libraries", "api": "Write a client",
    "methods/search": "How the search works", "methods/kernel-learning": "Learning inside the kernel",
    "methods/afterstate-values": "Values of afterstates", "methods/tuples": "N-tuple tables",
    "methods/selfplay": "Self-play with networks", "methods/judge": "Judging a game",
    "methods/solver": "Solving", "methods/threats": "Threats", "methods/expectimax": "Expectimax",
    "methods/tree-picture": "Pictures of trees", "strength": "How strong", "speed": "How fast",
    "reports": "How right reports are",
    "gallery": "The examples measured", "reproduce/README": "Five reports", "contract": "The contract",
    "changelog": "What is new",
    **{f"{part}/{name}": title for part in ("games", "reproduce") for name, title in (
        ("tictactoe", "Tic-tac-toe"), ("gomoku", "Gomoku"), ("2048", "2048"), ("nmbr9", "NMBR 9"), ("azul", "Azul"),
    )},
}  # fmt: skip


def gather(folder: Path) -> None:
    """Put every page, picture and setting of the site into an empty folder."""
    shutil.copytree(DOCS, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    for place, text in {
        **pages(),
        **example_pages(),
        **example_pictures(),
        **model_pages(),
        **root_pages(),
    }.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in sorted(folder.rglob("*.md")):
        place = path.relative_to(folder).as_posix()
        path.write_text(_with_links(path.read_text(encoding="utf-8"), place, folder), encoding="utf-8")
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        index.write(_tables_of_contents(folder))
    static = folder / "_static"
    static.mkdir(exist_ok=True)
    (static / "colours.css").write_text(colours(), encoding="utf-8")
    for name in ("site.css", "search.js"):
        shutil.copy(DOCS / "site" / name, static)
    shutil.copy(DOCS / "site" / "conf.py", folder)
    shutil.copy(WEB / "icons" / "boardwright.svg", folder)


def _tables_of_contents(folder: Path) -> str:
    named = {"index", *(page for pages in CONTENTS.values() for page in pages)}
    inside = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")}
    listed = {place for place in inside if place.startswith(("examples/", "models/"))}  # by their own index
    rest = sorted(inside - named - listed - {place for place in inside if place.startswith("tutorial/")})
    contents = {**CONTENTS, "More": rest} if rest else CONTENTS
    return "".join(f"\n{_toctree(pages, caption)}" for caption, pages in contents.items())


def _toctree(pages: list[str], caption: str = "") -> str:
    head = f":caption: {caption}\n" if caption else ""
    entries = "\n".join(f"{SHORT[page]} <{page}>" if page in SHORT else page for page in pages)
    return f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n{head}\n{entries}\n```\n"


def _with_links(text: str, place: str, folder: Path) -> str:
    """A page whose links to files of the source lead to what shows them here."""
    up = "../" * place.count("/")

    def copied(found: re.Match[str]) -> str:
        """A source file is copied beside the pages, and shown as text."""
        copy = folder / "source" / f"{found[1]}.txt"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "src" / found[1], copy)
        return f"]({up}source/{found[1]}.txt)"

    for to, name in BESIDE.items():
        text = re.sub(rf"\]\((?:\.\./)*{re.escape(name)}", f"]({up}{to}", text)
    text = re.sub(r"\]\((?:\.\./)*src/boardwright/models/([\w.-]+)\.md\)", rf"]({up}models/\1.md)", text)
    text = re.sub(r"\]\((?:\.\./)*CONTRIBUTING\.md", f"]({up}contributing.md", text)
    text = re.sub(r"\]\((?:\.\./)+src/([\w./-]+)\)", copied, text)
    text = re.sub(r"\]\(((?:\.\./)*(?:examples/|tutorial/)\w+)\.py\)", r"](\1.md)", text)
    return text.replace("\n\n```\n", "\n```\n")  # a blank line ends what a doctest expects; shown, it is a hole


# Pages made from other files


def example_pages() -> dict[str, str]:
    """The files that people can copy, each as a page that shows it, and a list of them; games with a picture."""
    games, others = gallery(), [*sorted((DOCS / "examples").glob("*.py")), DOCS / "tutorial" / "ridge.py"]
    made = {path.relative_to(DOCS).with_suffix(".md").as_posix(): _example_page(path, path in games) for path in others}
    cards = "\n".join(
        f'<a href="{path.stem}.html"><img src="../_static/examples/{path.stem}.svg" alt="">'
        f"<strong>{html.escape(_words(path).partition(' Try ')[0].rstrip('.'))}</strong>{path.name}</a>"
        for path in games
    )
    rows = [
        f"| [{path.name}](../{place}) | {_words(path)} |"
        for path, place in zip(others, made, strict=True)
        if path not in games
    ]
    made["examples/index.md"] = (
        "# Examples to copy\n\nKnown games, each one file of rules below 120 lines, as the page draws them. [Your own "
        "game](../own-game.md) tells what each shows, [the gallery](../gallery.md) how fast and strong they are.\n\n"
        f'<div class="cards">\n{cards}\n</div>\n\n## Other files\n\n| file | |\n|---|---|\n'
        + "\n".join(rows)
        + "\n\n"
        + _toctree([f"/{place.removesuffix('.md')}" for place in made])
    )
    return made


def _example_page(path: Path, is_game: bool) -> str:
    source = path.read_text(encoding="utf-8")
    picture = f"![{path.stem} on the page](../_static/examples/{path.stem}.svg){{width=380px}}\n\n" if is_game else ""
    return f"# {path.name}\n\n{_words(path)}\n\n{picture}[The file itself](./{path.name})\n\n```python\n{source}```\n"


def example_pictures() -> dict[str, str]:
    """Every game of the examples some moves after its beginning, as SVG."""
    made = {}
    for path in gallery():
        source = Random(1)
        position = bw.load(str(path)).begin(seed=1, debug=True)
        for _ in range(MOVES_SHOWN):
            following = position.play(position.moves[source.below(len(position.moves))]).settle(source)
            if following.is_over:
                break
            position = following
        made[f"_static/examples/{path.stem}.svg"] = position.svg()
    return made


def _words(path: Path) -> str:
    """The first docstring of a file, on one line."""
    found = re.match(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def model_pages() -> dict[str, str]:
    """The cards of the trained models that come with the package, and a list of them."""
    cards = sorted((PACKAGE / "models").glob("*.md"))
    made = {f"models/{path.name}": path.read_text(encoding="utf-8") for path in cards}
    rows = "\n".join(f"- [{path.stem}]({path.name})" for path in cards)
    names = [path.stem for path in cards]
    made["models/index.md"] = (
        f"# Trained models\n\nThey come with the package; each has a card.\n\n{rows}\n\n{_toctree(names)}"
    )
    return made


def root_pages() -> dict[str, str]:
    """Pages that stand beside docs/, with their links as seen from inside it."""
    return {place: (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](") for place, name in BESIDE.items()}


# Look


def colours() -> str:
    """The colours of the page in the browser, light and dark, as this site chooses between them."""
    text = (WEB / "page.css").read_text(encoding="utf-8")
    light, dark = re.findall(r'^(?::root|\[data-theme="dark"\]) \{\n(.*?)^\}', text, re.MULTILINE | re.DOTALL)[:2]
    return (
        f'body {{\n{light}}}\nbody[data-theme="dark"] {{\n{dark}}}\n'
        f'@media (prefers-color-scheme: dark) {{\nbody:not([data-theme="light"]) {{\n{dark}}}\n}}\n'
    )


def linked(page: str) -> Iterator[tuple[str, str]]:
    """(attribute, address) of everything that an HTML page links to or loads."""
    yield from re.findall(r'\s(href|src)="([^"]*)"', page)
