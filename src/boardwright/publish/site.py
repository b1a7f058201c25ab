"""Write a site: the page, and for each game its module, its texts and what the page knows of it."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from boardwright import __version__
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.players import player
from boardwright.publish.modules import Modules
from boardwright.publish.program import Program, compile_program, memory_plan
from boardwright.publish.strengths import analysis_settings, playable
from boardwright.publish.texts import check_texts, texts_source
from boardwright.records.live_game import HUMAN
from boardwright.serve import catalogue, view
from boardwright.serve.seats import Seats

PAGE = Path(catalogue.__file__).parent / "web"  # the same page as on the server
OWN = Path(__file__).parent / "web"  # what answers it here
IN_PYTHON = ("prelude.py", "sw.js")  # of these: read here, not copied
LEFT_OUT = ("replay.template.html", "index.html", "theatre")  # the theatre needs a server
# Seen where the page does not start: browsers run no modules of a file, nor of a frame that is shut off from its site.
LATE = (
    '<p class="late">This page has not started. It needs a web server: it cannot be opened as a file, '
    "nor in a frame with a sandbox.</p>"
)
# As on the server, but for frame-ancestors, which a document cannot say of itself: a course's page may frame a site.
POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'"
LEARNT = ".bin"  # files of numbers, megabytes perhaps
LEARNT_PART = ", learnt"  # behind a game's name: what is loaded only when such a player sits down
MARK = "games.json"  # a folder with it is a site of ours
Say = Callable[[str], None]


@dataclass(frozen=True)
class Published:
    """One game of a site."""

    name: str
    game: Game
    program: Program
    texts: str
    modules: Modules  # of players that have learnt something
    facts: dict[str, Any]  # as the choice of games shows it
    told: dict[str, Any]  # what the worker needs


@dataclass(frozen=True)
class Size:
    """How much a reader has to load."""

    bytes: int
    gzipped: int


def publish(
    specs: list[str], out: Path, say: Say = lambda text: None, players: Mapping[str, str] | None = None
) -> dict[str, Size]:
    """Write the site of these games into the folder `out`, whole or not at all; sizes of its parts. `players`: specs by
    name, which join the strengths of every game that they can play."""
    brython = _brython()
    _check_folder(out)
    games: list[Published] = []
    listing = catalogue.Catalogue(players=players)
    _check_players(listing.seats, [load(spec) for spec in specs])
    for spec in specs:
        game = load(spec)
        say(f"{game}: compiling for the browser")
        made = _prepare(game, spec, listing, {one.name for one in games}, say)
        games.append(made)
    out.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        _write(aside, games, brython)
        sizes = _sizes(aside, games)
        _put_in_place(aside, out)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return sizes


def _brython() -> Path:
    found = importlib.util.find_spec("brython")
    place = Path(found.origin).parent / "data" / "brython.js" if found and found.origin else None
    if place is None or not place.is_file():
        raise InputError("publish needs Brython, which makes texts and pictures: pip install 'boardwright[publish]'")
    return place


def _check_folder(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; --out names a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise InputError(f"{out} holds other files, which publishing would replace; choose a new folder")


def _check_players(seats: Seats, games: list[Game]) -> None:
    """Refuse a named player that can play none of the games, with the reason, and one whose name means another."""
    names = [HUMAN, *(name.lower() for name in seats.own)]
    for name, spec in seats.own.items():
        if names.count(name.lower()) > 1:
            raise InputError(f"--player {name}={spec}: somebody else has this name; choose another")
        refusals = []
        for game in games:
            try:
                player(spec, game)
            except InputError as error:
                refusals.append(error)
        if len(refusals) == len(games):
            raise InputError(f"--player {name}={spec}: {refusals[0]}")


def _prepare(game: Game, spec: str, listing: catalogue.Catalogue, taken: set[str], say: Say) -> Published:
    number, name = 1, game.name
    while name in taken:  # several variants of a game
        number += 1
        name = f"{game.name}-{number}"
    program = compile_program(game, spec)
    texts = texts_source(game)
    check_texts(game, texts)
    modules = Modules(game, spec)
    found, left = playable(game, listing.seats, modules)
    for one in left:
        say(f"{game}: {one.strength.name} ({one.strength.spec}) is left out; {one.why}")
    facts = listing.facts_of(game)
    title = facts["title"] if number == 1 else f"{facts['title']} ({', '.join(map(_option, game.options.items()))})"
    strengths = [{"name": p.strength.name, "player": p.strength.spec, "about": p.strength.words} for p in found]
    facts = {**facts, "name": name, "title": title, "options": [], "strengths": strengths}
    told = {
        "cells": view.draws_nothing(game),
        "about": {**view.about(game), "name": name, "title": title, "kind": game.name, "sgf": False},
        "plan": memory_plan(game),
        "sentences": program.sentences,
        "players": {p.strength.name: p.how for p in found},
        "modules": modules.told(),
        "analysis": analysis_settings(game),
        "digest": game.digest,
    }
    return Published(name, game, program, texts, modules, facts, told)


def _option(option: tuple[str, Any]) -> str:
    return f"{option[0]} {option[1]}"


def _write(folder: Path, games: list[Published], brython: Path) -> None:
    web, local = folder / "web", folder / "web" / "local"
    shutil.copytree(PAGE, web, ignore=shutil.ignore_patterns(*LEFT_OUT, "__pycache__"))
    local.mkdir()
    for file in sorted(OWN.iterdir()):
        if file.suffix == ".js" and file.name not in IN_PYTHON:
            shutil.copyfile(file, local / file.name)
    shutil.copyfile(brython, local / "brython.js")
    for one in games:
        own = folder / "games" / one.name
        own.mkdir(parents=True)
        (own / "game.wasm").write_bytes(one.program.code)
        one.modules.write(own)
        _write_text(own / "game.json", json.dumps(one.told, allow_nan=False))
        _write_text(own / "texts.py", one.texts)
        _write_text(own / "rules.json", json.dumps({**view.rules(one.game), "name": one.name}))
    listed = {"version": __version__, "first": games[0].name, "games": [one.facts for one in games]}
    _write_text(folder / MARK, json.dumps(listed, allow_nan=False))
    _write_text(folder / "index.html", _front(games))
    _write_text(folder / "manifest.webmanifest", _manifest(games))
    _write_text(folder / "licences.txt", _licences())
    (folder / ".nojekyll").touch()  # GitHub Pages: serve the files as they are
    _write_text(folder / "sw.js", _service_worker(folder))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _title(games: list[Published]) -> str:
    return games[0].facts["title"] if len(games) == 1 else "Boardwright"


def _front(games: list[Published]) -> str:
    """The page's own front, with what makes it a published one."""
    lines = []
    for line in (PAGE / "index.html").read_text(encoding="utf-8").splitlines():
        if 'href="#/watch"' in line:  # there is no training to watch
            continue
        if line.startswith("<html"):
            lines.append(line.replace(">", " data-published>"))
        elif line.startswith("<meta charset"):
            lines += [line, f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">']
        elif line.startswith('<meta name="description"'):
            lines += [
                '<meta name="description" content="Play, analyse and replay board games in the browser.">',
                '<link rel="manifest" href="manifest.webmanifest">',
            ]
        elif line.startswith('<script type="module"'):
            lines += ['<script type="module" src="web/local/page.js"></script>', line]
        else:
            words = re.sub("Without it, play in the terminal: [^<]*", "Without it nothing can be played here.", line)
            lines.append(words.replace("</main>", f"{LATE}</main>"))
    return "\n".join(lines) + "\n"


def _manifest(games: list[Published]) -> str:
    title = _title(games)
    told = {
        "name": title,
        "short_name": title,
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f3f1ec",
        "theme_color": "#22605d",
        "icons": [{"src": "web/icons/boardwright.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(told, indent=1) + "\n"


def _licences() -> str:
    found: Any = metadata.metadata("brython")
    classified = [one.rpartition(" :: ")[2] for one in found.get_all("Classifier") or () if one.startswith("License")]
    licence = found.get("License-Expression") or found.get("License") or ", ".join(classified)
    return (
        f"The page and the search: Boardwright {__version__}, Apache-2.0.\n"
        f"web/local/brython.js: Brython {found['Version']} by {_author(found)}, {licence}.\n"
        "games/: the rules of each game, of whoever wrote them, compiled; its texts and pictures as Python.\n"
    )


def _author(found: Any) -> str:
    return str(found.get("Author") or (found.get("Author-email") or "its authors").partition(" <")[0])


def _service_worker(folder: Path) -> str:
    """Keeps every file, under a version that is the digest of them all; learnt numbers once they are asked for."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".nojekyll"]
    sha = hashlib.sha256()
    for path in files:
        sha.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    names = ["./", *(path.relative_to(folder).as_posix() for path in files if path.suffix != LEARNT)]
    later = [path.relative_to(folder).as_posix() for path in files if path.suffix == LEARNT]
    site = {"version": sha.hexdigest()[:16], "files": names, "later": later}
    return f"self.SITE = {json.dumps(site)};\n" + (OWN / "sw.js").read_text(encoding="utf-8")


def _sizes(folder: Path, games: list[Published]) -> dict[str, Size]:
    """The page, Brython, each game, and what is loaded only when a player needs it."""
    parts: dict[str, list[Path]] = {"the page": [], "Brython": []}
    for path in folder.rglob("*"):
        inside = path.relative_to(folder).parts
        if path.is_file():
            parts.setdefault(_part(path, inside), []).append(path)
    return {name: _size([path.read_bytes() for path in paths]) for name, paths in parts.items()}


def _part(path: Path, inside: tuple[str, ...]) -> str:
    if inside[0] != "games":
        return "Brython" if path.name == "brython.js" else "the page"
    learnt = path.suffix == LEARNT or (path.suffix == ".wasm" and path.stem != "game")
    return f"{inside[1]}{LEARNT_PART}" if learnt else inside[1]


def _size(files: list[bytes]) -> Size:
    return Size(sum(map(len, files)), sum(len(gzip.compress(data, 9)) for data in files))


def _put_in_place(aside: Path, out: Path) -> None:
    """The new folder in the place of an old one, which stays if that fails."""
    aside.chmod(0o755)
    old = aside.with_name(f"{aside.name}-old")
    if out.exists():
        out.rename(old)
    try:
        aside.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)
