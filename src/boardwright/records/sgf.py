"""SGF, the file format of Go and Gomoku programs (red-bean.com/sgf, FF[4]), for games of lines.

Black is our first player. The board's points count from the top left, `aa`. A root property of our own,
`BOARDWRIGHT`, holds as JSON what SGF has no word for; programs that do not know it must keep it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from boardwright import __version__
from boardwright.contract.errors import BoardwrightWarning, InputError
from boardwright.games.built_in import BUILT_IN, speaking
from boardwright.games.load import load, make
from boardwright.records.record import LONGEST_NOTE, LONGEST_TEXT, MOST_CHARACTERS, UNFIT, Record, utc

if TYPE_CHECKING:
    from boardwright.contract.game import Game
    from boardwright.contract.position import Position

Node = dict[str, list[str]]  # property: its values, as they stand between the brackets, unescaped

PROTOCOL = "sgf"  # on the card of a game
_OWN = "BOARDWRIGHT"
_KINDS = {1: "Go", 2: "Othello", 11: "Hex"}  # stones on points too; read as lines, with a warning
_FORFEITS = {"F": "forfeits", "R": "resigns", "T": "runs out of time"}
_COLOURS = {"B": "Black", "W": "White"}


class SgfWarning(BoardwrightWarning):
    """An SGF file was read, but not everything in it means something here."""


# Writing


def to_sgf(record: Record, game: Game | None = None) -> str:
    """A record of a game of lines as one SGF game tree."""
    position = record.replay(game)
    rules = _line_game(position.game)
    sides = (rules.columns, rules.height)
    own = {
        "game": record.game,
        "options": dict(record.options),
        "seed": record.seed,
        "digest": record.digest,
        "seconds": record.seconds,
        "started": record.started,
        "status": record.status,
        "results": record.results,
        "id": record.id,
        **({"seal": record.seal} if record.sealed else {}),
    }
    root = {
        "FF": "4",
        "GM": "4",
        "CA": "UTF-8",
        "AP": f"Boardwright:{__version__}",
        "SZ": str(sides[0]) if sides[0] == sides[1] else f"{sides[0]}:{sides[1]}",
        "PB": record.players[0],
        "PW": record.players[1],
        "DT": record.started[:10],
        "RE": _result(record),
        "GC": record.note,
        _OWN: json.dumps(own),
    }
    nodes = [";" + "\n".join(f"{name}[{_escape(value)}]" for name, value in root.items() if value)]
    line = list(position.line())
    for number, after in enumerate(line[1:]):
        assert after.step is not None
        point = chr(ord("a") + after.step % rules.columns) + chr(ord("a") + after.step // rules.columns)
        nodes.append(("" if number % 10 else "\n") + f";{'BW'[line[number].player]}[{point}]")
    return f"({''.join(nodes)})\n"


def _result(record: Record) -> str:
    if record.results is None:
        return "Void" if record.status == "forfeit" else "?"
    if record.results[0] == record.results[1]:
        return "0"
    winner = "B" if record.results[0] > record.results[1] else "W"
    return f"{winner}+F" if record.status == "forfeit" else f"{winner}+"


def _escape(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)


def _line_game(game: Game) -> Any:
    """The game, if it is one of stones on a board: with `columns`, `height`, a `smallest` side, `cell_name(cell)`, and
    cells, which are its moves, numbered row by row from the top left."""
    if PROTOCOL not in game.card.protocols:
        known = " and ".join(speaking(PROTOCOL))
        raise InputError(f"{game.name}: SGF is for games of lines, such as {known}; use --format jsonl")
    return game


def _usual(sides: tuple[int, int]) -> str:
    """Which game stones on such a board are: of those whose boards may be so small the most demanding."""
    smallest = {name: int(getattr(kind, "smallest", 1)) for name, kind in speaking(PROTOCOL).items()}
    fitting = [name for name in smallest if smallest[name] <= min(sides)]
    return max(fitting, key=smallest.__getitem__) if fitting else min(smallest, key=smallest.__getitem__)


# Reading


def from_sgf(text: str, game: Game | None = None) -> Record:
    """The first game of an SGF file, its main line; checked by the rules of `game`, by default Gomoku's or, on
    boards too small for that, tic-tac-toe's. Warns (SgfWarning) of what it leaves out."""
    found = list(all_from_sgf(text, game, most=1))
    return found[0]


def all_from_sgf(text: str, game: Game | None = None, most: int | None = None) -> Iterator[Record]:
    """Every game of an SGF file; see `from_sgf`."""
    for number, line in enumerate(_main_lines(text), start=1):
        if number - 1 == most:
            _warn(f"only the first game was read, of the {most} or more in it")
            return
        try:
            yield _record(line, game)
        except InputError as error:
            raise InputError(f"SGF game {number}: {error}") from None


def decode_sgf(data: bytes) -> str:
    """The text of a file. SGF names its encoding inside (CA), and many files name a wrong one or none."""
    named = re.search(rb"CA\s*\[\s*([\w.-]{1,30})\s*\]", data[:10_000])
    own = named[1].decode("ascii", "replace").lower() if named else ""
    fits = re.fullmatch(r"(gb|big5|shift|euc|windows|cp|iso|koi|latin|us-ascii).*", own)
    for encoding in ("utf-8-sig", own if fits else "latin-1", "latin-1"):
        try:
            return data.decode(encoding)
        except (LookupError, ValueError):
            continue
    raise AssertionError("latin-1 reads any bytes")


def _record(line: list[Node], game: Game | None) -> Record:
    from boardwright.contract.position import blank

    root, count, first, passed = line[0], 0, "", False
    own = _own(root)
    rules = _rules(root, own, game)
    position = blank(rules)
    for node in line:
        if any(_value(node, name) for name in ("AB", "AW", "AE")):
            raise InputError(
                f"stones are set up (AB, AW, AE) after move {count}; only play from the empty board is read"
            )
        for colour in [name for name in node if name in _COLOURS]:
            written = re.sub(r"\s", "", _value(node, colour))
            where = f"move {count + 1}, {_COLOURS[colour]} {written[:20]!r}"
            cell = _cell(where, written, rules)
            if cell is None:
                passed = True
                continue
            first = first or colour
            if passed:
                raise InputError(f"{where}: a pass came before it, and {rules.name} knows no pass")
            if not position.is_over and (colour == first) != (position.player == 0):
                raise InputError(f"{where}: {_COLOURS[colour]} has just moved")
            try:
                position = position.play(cell)
            except InputError as error:
                raise InputError(f"{where}: {str(error).removeprefix(f'{rules.name}: ')}") from None
            count += 1
    if passed:
        _warn("passes at the end were left out")
    return _closed(root, own, position, first or "B")


def _closed(root: Node, own: dict[str, Any], position: Position, first: str) -> Record:
    """The record of the moves, with what the root says about them. `first` is the colour that began."""
    names = {"B": _name(root, "PB", "Black"), "W": _name(root, "PW", "White")}
    seats = "BW" if first == "B" else "WB"
    if first == "W":
        _warn("White began, so White is the first player here")
    result = _clean(_value(root, "RE")).strip()[:20]
    said = re.match(r"([BW])\s*\+\s*([FRT])?", result.upper())
    note = _clean(_value(root, "GC"), "\n\t")[:LONGEST_NOTE]
    status, results = None, None
    if position.is_over:
        winner = seats[position.results.index(1.0)] if position.results and 1.0 in position.results else ""
        if result not in ("", "?") and winner != (said[1] if said else ""):
            _warn(f"it gives the result as {result!r}, but by the rules {_COLOURS.get(winner, 'nobody')} wins")
    elif own.get("status") == "forfeit":
        status, results = "forfeit", own.get("results")
        note = note if note.strip() else "forfeit"
    elif said and said[2]:
        status = "forfeit"
        results = tuple(1.0 if colour == said[1] else -1.0 for colour in seats)
        note = note if note.strip() else f"{_COLOURS['W' if said[1] == 'B' else 'B']} {_FORFEITS[said[2]]}"
    elif said:
        _warn(f"it gives the result as {result!r}, but the moves do not end the game: kept as unfinished")
    seconds = own.get("seconds") or ()
    moves = sum(1 for _ in position.line()) - 1
    if not isinstance(seconds, list) or len(seconds) != moves:
        if seconds:
            _warn("its thinking times do not fit its moves and were left out")
        seconds = ()
    started = own.get("started") or _date(_value(root, "DT"))
    record = Record.of(
        position,
        seed=own.get("seed", 0),
        players=tuple(names[colour] for colour in seats),
        seconds=seconds,
        started=started,
        status=status,
        note=note,
        results=results,
        id=own.get("id") or "0" * 32,
    )
    if own:
        ours = dataclasses.replace(record, digest=own.get("digest", ""), sealed="seal" in own)
        if not ours.sealed or ours.seal == own["seal"]:
            return ours
        _warn("it was changed since Boardwright wrote it: read as another program's, under an id of its own")
    # No id of its own: one made of what was played, so that reading the file again finds it known.
    same = json.dumps([record.game, record.options, record.players, record.plies, record.started])
    return dataclasses.replace(record, id=hashlib.sha256(same.encode()).hexdigest()[:32])


def _own(root: Node) -> dict[str, Any]:
    """What `to_sgf` wrote; empty for a file of another program's."""
    text = _value(root, _OWN)
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    fits = isinstance(found, dict) and isinstance(found.get("game"), str) and isinstance(found.get("options"), dict)
    if not fits:
        raise InputError(f"its property {_OWN} is damaged; take it out to read the game as any other program's")
    read: dict[str, Any] = found
    return read


def _rules(root: Node, own: dict[str, Any], game: Game | None) -> Any:
    """The game with the board of the file."""
    kind = re.sub(r"\s", "", _value(root, "GM")) or "1"
    if kind != "4":
        if kind not in map(str, _KINDS):
            raise InputError(f"GM[{_clean(kind)[:20]}] is another kind of game; Gomoku is GM[4]")
        _warn(f"it is marked as {_KINDS[int(kind)]} (GM[{kind}]); read as stones on a board")
    size = re.sub(r"\s", "", _value(root, "SZ"))
    if not size:
        size = {"1": "19", "2": "8", "11": "11"}.get(kind, "15")
        _warn(f"it gives no size of the board (SZ); taken as {size}")
    found = re.fullmatch(r"(\d{1,3})(?::(\d{1,3}))?", size)
    if not found:
        raise InputError(f"SZ[{_clean(size)[:20]}] is no size of a board; write SZ[15] or SZ[9:7]")
    sides = columns, height = int(found[1]), int(found[2] or found[1])
    board = {"size": columns, "rows": 0 if columns == height else height}
    rules: Game
    if own and (game.name == own["game"] if game else own["game"] in BUILT_IN):
        rules = make(type(game or load(own["game"])), own["options"])
        if (_line_game(rules).columns, _line_game(rules).height) != sides:
            raise InputError(f"SZ[{size}] is not the board of {rules}")
    elif game is None:
        rules = load(_usual(sides), **board)
    elif (_line_game(game).columns, _line_game(game).height) == sides:
        rules = game
    else:
        rules = make(type(game), {**game.options, **board})
    return _line_game(rules)


def _cell(where: str, written: str, rules: Any) -> str | None:
    """A point in our words, or None for a pass: nothing, and by an old custom `tt` on boards up to 19."""
    if not written or (written == "tt" and max(rules.columns, rules.height) <= 19):
        return None
    if re.fullmatch("[A-Za-z][0-9]{1,2}", written):  # h8, as some Gomoku programs write
        return written.lower()
    if not re.fullmatch("[A-Za-z]{2}", written):
        raise InputError(f"{where}: no point of a board; points are two letters, such as hh")
    column, row = (ord(letter) - ord("a") for letter in written.lower())
    if column >= rules.columns or row >= rules.height:
        raise InputError(f"{where}: outside the board of {rules.columns}x{rules.height}")
    return str(rules.cell_name(row * rules.columns + column))


def _date(text: str) -> str:
    """DT: the first date in it, as exact as it is."""
    found = re.search(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text)
    if found:
        try:
            return utc("DT", f"{found[1]}-{found[2] or '01'}-{found[3] or '01'}")
        except InputError:
            pass
    _warn("it gives no date (DT); noted as 1970-01-01")
    return "1970-01-01T00:00:00Z"


def _name(root: Node, name: str, otherwise: str) -> str:
    text = _clean(_value(root, name))[:LONGEST_TEXT]
    return text if text.strip() else otherwise


def _clean(text: str, kept: str = "") -> str:
    return UNFIT.sub(lambda found: found[0] if found[0] in kept else " ", text)


def _value(node: Node, name: str) -> str:
    return node.get(name, [""])[0]


def _warn(text: str) -> None:
    warnings.warn(f"SGF: {text}", SgfWarning, stacklevel=3)


# The grammar: collection = trees, tree = "(" nodes trees ")", node = ";" properties, property = name "[" value "]" ...

_JUNK_OR_START = re.compile(r"\(\s*(?=;)")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_SPACE = re.compile(r"\s*")
_VALUE = re.compile(r"\s*\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_DEEPEST = 10_000
_MOST_NODES = 100_000  # of one game, variations included; a large book of openings has some ten thousand


def _main_lines(text: str) -> Iterator[list[Node]]:
    """Each game's main line: where it branches, the first branch. Text around games is passed over."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"SGF: {len(text):,} characters; at most {MOST_CHARACTERS:,} are read")
    start = _JUNK_OR_START.search(text)
    if not start:
        raise InputError("SGF: no game in it; a game begins with (;")
    while start:
        line, end = _main_line(text, start.start())
        yield line
        start = _JUNK_OR_START.search(text, end)


def _main_line(text: str, at: int) -> tuple[list[Node], int]:
    """The main line of the tree that begins at `at`, and where the tree ends."""
    line: list[Node] = []
    node: Node | None = None  # the properties read now belong to it
    branches: list[bool] = []  # for each open tree, whether a branch of it has begun
    off = 0  # how many of the open trees, at the end of `branches`, are not in the main line
    left_out = nodes = 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing too
        sign = text[at : at + 1]
        if sign == "(":
            if off or (branches and branches[-1]):
                left_out += off == 0
                off += 1
            if branches:
                branches[-1] = True
            branches.append(False)
            node = None
            if len(branches) > _DEEPEST:
                raise _broken(text, at, f"more than {_DEEPEST:,} variations inside one another")
        elif sign == ")":
            branches.pop()
            off = max(0, off - 1)
            node = None
            if not branches:
                if left_out:
                    _warn(f"only the main line was read; variations left out: {left_out}")
                return line, at + 1
        elif sign == ";":
            if branches[-1]:
                raise _broken(text, at, "a move behind the variations that replace it")
            nodes += 1
            if nodes > _MOST_NODES:
                raise _broken(text, at, f"more than {_MOST_NODES:,} nodes in one game")
            node = {}
            if not off:
                line.append(node)
        elif name := _NAME.match(text, at):
            if node is None:
                raise _broken(text, at, f"{name[0][:20]!r} outside of a node; nodes begin with ;")
            at = _properties(text, name, node)
            continue
        elif not sign:
            raise _broken(text, at, "it ends in the middle of a game; copy it whole")
        else:
            raise _broken(text, at, f"{sign!r} has no place here")
        at += 1


def _properties(text: str, name: re.Match[str], node: Node) -> int:
    """Read the values behind a property's name into the node; where they end."""
    # Old files write GaMe for GM; some write gm.
    short = re.sub("[a-z]", "", name[0]) or name[0].upper()
    at = name.end()
    while value := _VALUE.match(text, at):
        node.setdefault(short, []).append(_unescape(value[1]))
        at = value.end()
    if at == name.end():
        raise _broken(text, at, f"{name[0][:20]!r} has no value in [brackets]")
    return at


def _unescape(text: str) -> str:
    text = re.sub("\r\n|\n\r|\r", "\n", text)
    return re.sub(r"\\(.)", lambda found: "" if found[1] == "\n" else found[1], text, flags=re.DOTALL)


def _broken(text: str, at: int, what: str) -> InputError:
    return InputError(f"SGF line {text.count(chr(10), 0, at) + 1}: {what}")
