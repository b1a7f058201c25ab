"""Games by name: built in, or one Python file of a stranger's."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import re
import sys
import threading
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from boardwright.contract.errors import BoardwrightError, InputError, RuleError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.position import shorten
from boardwright.contract.settings import read_settings, split_settings
from boardwright.games.built_in import BUILT_IN, built_in_kind
from boardwright.games.named import come_from
from boardwright.registry import find, place_of

_importing = threading.RLock()  # a module is found before it is whole: another thread has to wait
_NO_EXIT = 'what shall happen only when the file is run belongs under `if __name__ == "__main__":`'
GROUP = "games"  # of the registry: where games of other libraries come from; `openspiel:chess` is its game `chess`

_FILE = re.compile(r"^(?P<path>.*\.py)(?::(?P<kind>[A-Za-z_]\w*))?(?::(?P<options>.*))?$", re.DOTALL)


def load(name: str, /, **options: object) -> Game:
    """A game: `load("azul", players=3)`, `load("azul:players=3")`, `load("path/to/mygame.py:MyGame", size=5)`,
    `load("openspiel:breakthrough", rows=6)`.

    The class may be left out of a file that defines one game.
    """
    source, colon, rest = name.partition(":")
    in_file = _FILE.match(name)
    library = find(GROUP, source) if colon and not in_file and source not in BUILT_IN else None
    if library is not None:
        made: Game = library(rest, options)
        return made
    if in_file:
        kind = _class_in_file(expanded(Path(in_file["path"])), in_file["kind"])
        text = in_file["options"] or ""
    else:
        built_in, _, text = name.partition(":")
        if built_in not in BUILT_IN:
            close = get_close_matches(built_in.casefold(), BUILT_IN, n=1)
            raise InputError(
                f"no game {shorten(built_in)!r}; {f'did you mean {close[0]}? There' if close else 'there'} are "
                f"{', '.join(BUILT_IN)}, path/to/file.py:Class for your own, or openspiel:NAME for one of OpenSpiel's"
            )
        kind = built_in_kind(built_in)
    owner = getattr(kind, "_name", kind.__name__)
    return make(kind, {**read_settings(kind, owner, split_settings(owner, text)), **options})


def option_names(kind: type[Game]) -> list[str]:
    """The options of a game."""
    return [field.name for field in dataclasses.fields(kind) if field.init]


def trusted_spec(name: str) -> str | None:
    """How to load the game of that `Game.name` without running a stranger's file: built in, or of an installed
    library. None for any other."""
    if name in BUILT_IN:
        return name
    source, _, rest = name.partition("_")
    return f"{source}:{rest}" if rest and place_of(GROUP, source) else None


def make(kind: type[Game], options: dict[str, Any]) -> Game:
    """The game of a class with options, checked as if they came from a stranger."""
    owner = getattr(kind, "_name", kind.__name__)
    checked = read_settings(kind, owner, options)
    try:
        return kind(**checked)
    except BoardwrightError:
        raise
    except SystemExit as error:
        raise RuleError(f"{owner}: making it called sys.exit({error.code!r}); {_NO_EXIT}") from None
    except ValueError as error:
        raise InputError(f"{owner}: {error}") from None


def _class_in_file(path: Path, title: str | None) -> type[Game]:
    module = import_file(path)
    own = {
        name: item
        for name, item in vars(module).items()
        if isinstance(item, type) and issubclass(item, Game) and item.__module__ == module.__name__
    }
    if title is None:
        if len(own) != 1:
            raise InputError(
                f"{path.name} defines {'several games' if own else 'no game (a class derived from bw.Game)'}; "
                f"name one as {path.name}:Class{_among(own)}"
            )
        title = next(iter(own))
    if title not in own:
        raise InputError(f"{path.name} defines no game {title!r}{_among(own)}")
    kind = own[title]
    come_from(kind, f"{path.resolve()}:{title}")
    return kind


def _among(own: dict[str, type[Game]]) -> str:
    return f"; it has {', '.join(own)}" if own else ""


def import_file(path: Path) -> Any:
    """The module that a stranger's file is, executed once."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {shorten(str(path), 300)}: {error.strerror or error}") from None
    except ValueError as error:  # a zero byte, or half of a character
        raise InputError(f"cannot read {shorten(str(path), 300)!r}: {error}") from None
    with _importing:
        return _import_source(path, source)


class _AsRead(SourceFileLoader):
    """Runs the text that was read. Python's own loader would take bytecode that it kept of a file of the same size and
    second, as somebody leaves who changes a digit and tries again at once."""

    source: bytes

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


def _import_source(path: Path, source: bytes) -> Any:
    name = f"{path.stem}_{hashlib.sha256(str(path.resolve()).encode() + source).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if path.suffix != ".py":
        raise InputError(f"{path} is no Python file")
    loader = _AsRead(name, str(path))
    loader.source = source
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)  # so that a game can import its neighbours, as it could when run
    try:
        loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, SystemExit):  # to pass it on would end a command as if all were well
            raise RuleError(f"{path.name}: importing it called sys.exit({error.code!r}); {_NO_EXIT}") from None
        if isinstance(error, SyntaxError):
            raise RuleError(f"{path.name}:{error.lineno}: {error.msg}") from None
        if isinstance(error, Exception) and not isinstance(error, BoardwrightError):
            raise RuleError(f"{path.name}: importing it raised {type(error).__name__}: {error}") from error
        raise
    finally:
        sys.path.remove(folder)
    return module
