"""A record: one played game of any kind, as text that the rules can check.

The plies are all that counts: players' moves and chance's draws, in order, from the blank start. Everything
else is either settled by replaying them (scores, results, status) or a remark (players, times, note).

Rules cannot tell a game from another that could have been: the text carries a seal, a digest of all that the record
tells. It finds what was changed on the way; it proves nothing against somebody who seals anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import reprlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, cast

from boardwright.contract.errors import InputError
from boardwright.records.long_lists import as_json

if TYPE_CHECKING:
    from boardwright.contract.game import Game
    from boardwright.contract.position import Position

FORMAT = 2  # of the JSON; a reader refuses what is newer than itself
UNSEALED = 1  # the format without a seal, which is still read, and written again as it was
SEAL_DIGITS = 32
DRAW = "~"  # marks a ply as a draw of chance
STATUSES = ("finished", "unfinished", "forfeit")

# A record may come from a stranger, so everything has a size. The longest known games, 2048 up to a tile of
# 65536, have 60,000 plies.
MOST_CHARACTERS = 20_000_000
MOST_PLIES = 200_000
MOST_SEATS = 64
MOST_OPTIONS = 64
LONGEST_TEXT = 200  # a name, a ply, an option
LONGEST_NOTE = 10_000
LARGEST = 1e300  # numbers are below

# What could steer a terminal or hide text in it: control characters, halves of characters, changes of direction.
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Record:
    """One played game. Whatever is in one is of the right type and size; `replay` tells whether it is true."""

    game: str  # the game's name; never a path: to read a record must not run a stranger's code
    options: Mapping[str, Any] = field(hash=False)  # all of them, by name
    digest: str  # of the rules that it was played under; a remark only, as replaying decides
    seed: int  # of the draws
    players: tuple[str, ...]  # a name or a spec a seat
    plies: tuple[str, ...]  # moves as the game writes them ("5B2"), draws with a mark before ("~B")
    seconds: tuple[float, ...]  # how long each player's move was thought about, in order; empty if unknown
    scores: tuple[float, ...]  # scores[i] is player i's, at the end or so far
    results: tuple[float, ...] | None  # results[i] is what player i got; None for a game without an end
    status: str  # one of STATUSES
    note: str = ""  # for people; a forfeit gives its reason here
    started: str = ""  # UTC, as 2026-08-01T17:30:00Z; now, if left out
    id: str = ""  # 32 hexadecimal digits; new ones, if left out
    sealed: bool = True  # False: it came without a seal, so that nothing tells whether it was altered
    _known: ClassVar[Mapping[str, str]] = {}  # entries as JSON, where `like` was given them

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        if not _is_text(self.game) or not f"_{self.game}".isidentifier():
            raise _wrong("game", "the name of a game, such as azul, and no path", self.game)
        put("options", _options(self.options))
        if not isinstance(self.digest, str) or not re.fullmatch("[0-9a-f]{0,64}", self.digest):
            raise _wrong("digest", "hexadecimal digits, or nothing", self.digest)
        if type(self.seed) is not int or not -(2**63) <= self.seed < 2**64:
            raise _wrong("seed", "a whole number of at most 64 bits", self.seed)
        put("players", _texts("players", self.players, MOST_SEATS))
        if not self.players:
            raise _wrong("players", "a name for each seat", [])
        put("plies", _texts("plies", self.plies, MOST_PLIES))
        put("seconds", _numbers("seconds", self.seconds, None))
        put("scores", _numbers("scores", self.scores, len(self.players)))
        put("results", None if self.results is None else _numbers("results", self.results, len(self.players)))
        if len(self.seconds) > len(self.plies) or (self.seconds and min(self.seconds) < 0):
            raise _wrong("seconds", "the seconds above 0 that each player's move took, or empty", list(self.seconds))
        if self.status not in STATUSES:
            raise _wrong("status", f"one of {', '.join(STATUSES)}", self.status)
        unfit = not isinstance(self.note, str) or len(self.note) > LONGEST_NOTE
        if unfit or UNFIT.search(self.note.replace("\n", "").replace("\t", "")):
            raise _wrong("note", f"text of up to {LONGEST_NOTE} characters, without control characters", self.note)
        if self.status == "forfeit" and not self.note.strip():
            raise _wrong("note", "the reason of the forfeit", self.note)
        if (self.status == "finished") == (self.results is None) and self.status != "forfeit":
            needs = "needs" if self.results is None else "has no"
            raise InputError(f"record: a game that is {self.status} {needs} 'results'")
        put("started", utc("started", self.started) if self.started else now())
        put("id", self.id or uuid.uuid4().hex)
        if not isinstance(self.id, str) or not re.fullmatch("[0-9a-f]{32}", self.id):
            raise _wrong("id", "32 digits 0-9 a-f, as uuid4().hex gives them", self.id)

    # Text

    def to_json(self) -> str:
        """The record as one line of JSON, without the end of the line."""
        return self.line_of(self.told())

    def line_of(self, told: Mapping[str, str]) -> str:
        """The same of what was `told` already."""
        told_in_order = _entries(_names(), told)
        if not self.sealed:
            return f'{{"boardwright_record": {UNSEALED}, {told_in_order}}}'
        return f'{{"boardwright_record": {FORMAT}, {told_in_order}, "seal": "{self._seal_of(told)}"}}'

    @property
    def seal(self) -> str:
        """The digest of all that the record tells."""
        return self._seal_of(self.told())

    def told(self) -> dict[str, str]:
        """All that the record tells, by name, each as JSON."""
        own, known = vars(self), self._known
        return {name: known.get(name) or as_json(own[name]) for name in _names()}

    def _seal_of(self, told: Mapping[str, str]) -> str:
        """The digest of the same as one object of JSON, sorted by names, those of the options too."""
        options = sorted(self.options)
        if options != list(self.options):
            told = {**told, "options": as_json({name: self.options[name] for name in options})}
        return hashlib.sha256(f"{{{_entries(_sorted_names(), told)}}}".encode()).hexdigest()[:SEAL_DIGITS]

    def like(self, known: Mapping[str, str], **changed: Any) -> Record:
        """The same with other entries, of which it is known that they are of the right type and size, and of some how
        they are `told`: for many records made at once, whose looking over would take longer than the games."""
        other = object.__new__(Record)
        other.__dict__.update(self.__dict__, _known=known, **changed)
        return other

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read what `to_json` wrote. Types and sizes are checked here, the plies by `replay`."""
        if len(text) > MOST_CHARACTERS:
            raise InputError(f"record: {len(text):,} characters in one line; a record has at most {MOST_CHARACTERS:,}")
        try:
            data = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise InputError(f"record: not JSON ({error}); a record is one line, copied whole") from None
        version = data.pop("boardwright_record", None) if isinstance(data, dict) else None
        if type(version) is not int or version < 1:
            raise InputError(f'record: not one of ours; it starts with {{"boardwright_record": {FORMAT}, "game": ...')
        if version > FORMAT:
            raise InputError(f"record: format {version} is newer than this Boardwright reads ({FORMAT}); update it")
        names = [*_names(), *(["seal"] if version > UNSEALED else [])]
        for name in names:
            if name not in data or (name in ("started", "id") and not data[name]):
                raise InputError(f"record: {name!r} is missing; a record has {', '.join(names)}")
        for name in data:
            if name not in names:
                raise InputError(f"record: {_short(name)} is nothing that a record has; it has {', '.join(names)}")
        seal = data.pop("seal", None)
        record = cls(**data, sealed=version > UNSEALED)
        if record.sealed and record.seal != seal:
            raise InputError("record: it was altered: its seal does not fit what it tells; ask for it again")
        return record

    # Rules

    @classmethod
    def of(
        cls,
        position: Position,
        *,
        seed: int,
        players: tuple[str, ...] | list[str],
        seconds: tuple[float, ...] | list[float] = (),
        started: str | None = None,
        status: str | None = None,
        note: str = "",
        id: str | None = None,
        results: tuple[float, ...] | None = None,
    ) -> Record:
        """The record of the play that led to `position`. `results` are the game's own, except for a forfeit,
        where whoever referees may award them."""
        from boardwright.contract.position import blank

        game = position.game
        line = list(position.line())
        if line[0].key != blank(game, position.debug).key:
            raise InputError(f"{game.name}: a position without its past has no record; play to it from game.begin()")
        plies = [
            (DRAW if before.is_chance else "") + before.text(after.step)
            for before, after in pairwise(line)
            if after.step is not None
        ]
        status = status or ("finished" if position.is_over else "unfinished")
        if results is not None and status != "forfeit":
            raise InputError(f"{game.name}: results are awarded at a forfeit only; a game that is {status} has its own")
        record = cls(
            game=game.name,
            options=game.options,
            digest=game.digest,
            seed=seed,
            players=tuple(players),
            plies=tuple(plies),
            seconds=tuple(seconds),
            scores=position.scores,
            results=results if status == "forfeit" else position.results,
            status=status,
            note=note,
            started=started or "",
            id=id or "",
        )
        record._check_end(position)
        return record

    def replay(self, game: Game | None = None) -> Position:
        """The last position, reached by playing every ply under the rules; `line()` of it has them all.

        `game` gives the rules of a game that is not built in; its options are the record's. Raises InputError
        at the first ply that does not fit, and where scores, results or status are not what the plies lead to.
        """
        from boardwright.contract.position import blank, shorten

        rules = self.rules(game)
        if not self.sealed:
            self.check_options(rules)
        position = blank(rules)
        for number, ply in enumerate(self.plies, start=1):
            try:
                position = _follow(position, ply)
            except InputError as error:
                reason = str(error).removeprefix(f"{rules.name}: ")
                for text in (ply, ply.removeprefix(DRAW)):  # the ply is named once, here
                    reason = reason.removeprefix(f"{shorten(text)!r} - ")
                where = f"{rules.name}: record ply {number} {_short(ply)}"
                raise InputError(f"{where} - {reason}{self._changed(rules)}") from None
        try:
            self._check_end(position)
        except InputError as error:
            raise InputError(f"{error}{self._changed(rules)}") from None
        return position

    def rules(self, game: Game | None = None) -> Game:
        """The game with this record's options: the built-in one of that name, or `game`."""
        from boardwright.games.load import make, trusted_spec

        if game is None:
            if trusted_spec(self.game) is None:
                spec = f"path/to/file.py:{self.game}"
                raise InputError(f"record of {self.game!r}, which is not built in: give its rules, as --game {spec}")
            return _built_in(self.game, json.dumps(dict(self.options)))
        if game.name != self.game:
            raise InputError(f"record of {self.game!r}, not of {game.name!r}")
        return game if game.options == self.options else make(type(game), dict(self.options))

    def check_kept(self) -> None:
        """That a record without a seal may be kept: `check_options`, where the rules come with Boardwright. Those of
        another game are not at hand; replaying the record asks them."""
        from boardwright.games.built_in import BUILT_IN

        if not self.sealed and self.game in BUILT_IN:
            self.check_options(self.rules())

    def check_options(self, game: Game) -> None:
        """That a record from outside names all options of its game, each with its type: one that is left out would be
        taken for the default. A sealed one may lack an option that the game did not have when it was played."""
        for name, value in game.options.items():
            if name not in self.options:
                if not self.sealed:
                    known = json.dumps(dict(game.options))
                    raise InputError(
                        f"{game.name}: record does not say {name}=...; it must name all options, as {known}"
                    )
            elif type(self.options[name]) is not type(value) and (type(value), type(self.options[name])) != (
                float,
                int,
            ):
                said, like = _short(self.options[name]), json.dumps(value)
                raise InputError(f"{game.name}: record's option {name} must be of the type of {like}; it is {said}")

    def _check_end(self, position: Position) -> None:
        """Refuse what the plies do not lead to."""
        name, seats = position.game.name, position.game.players
        if len(self.players) != seats:
            raise InputError(f"{name}: record names {len(self.players)} players; the game has {seats}")
        moves = sum(before.player >= 0 for before in position.line()) - (position.player >= 0)
        if self.seconds and len(self.seconds) != moves:
            raise InputError(f"{name}: record has {len(self.seconds)} 'seconds' for {moves} moves; give all or none")
        if position.is_over != (self.status == "finished"):
            ends = "ends" if position.is_over else "does not end"
            raise InputError(f"{name}: record says {self.status}, but after ply {len(self.plies)} the game {ends}")
        told = [("scores", self.scores, position.scores)]
        if self.results is not None and position.results is not None:  # those of a forfeit are awarded, not played
            told.append(("results", self.results, position.results))
        for what, said, found in told:
            if not _alike(said, found):
                raise InputError(f"{name}: record gives {what} {list(said)}, but its plies lead to {list(found)}")

    def _changed(self, game: Game) -> str:
        if self.digest in ("", game.digest):
            return ""
        return f" (it was played under other rules: digest {self.digest}, here {game.digest})"


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    """What a record tells, by name."""
    return tuple(each.name for each in dataclasses.fields(Record) if each.name != "sealed")


@lru_cache(maxsize=1)
def _sorted_names() -> tuple[str, ...]:
    return tuple(sorted(_names()))


def _entries(names: tuple[str, ...], told: Mapping[str, str]) -> str:
    """What was told by those names, as the inside of an object of JSON."""
    form, values = _form(names)
    return form % values(told)


@lru_cache(maxsize=2)
def _form(names: tuple[str, ...]) -> tuple[str, Callable[[Mapping[str, str]], tuple[str, ...]]]:
    """The entries with places for the values, and what takes these: thrice as fast as a text for each entry."""
    return ", ".join([f'"{name}": %s' for name in names]), itemgetter(*names)


def _follow(position: Position, ply: str) -> Position:
    """One ply. The mark must fit too, or a draw could pass for a move of the same name."""
    if position.is_over:
        raise InputError("the game is over")
    if position.is_chance:
        if not ply.startswith(DRAW):
            raise InputError(f"chance moves here, and a draw is written with {DRAW!r} before it")
        return position.draw(ply[len(DRAW) :])
    try:
        return position.play(ply)
    except InputError:
        if ply.startswith(DRAW):  # after the try, as a stranger's game may well have moves that begin so
            raise InputError(f"{DRAW!r} marks a draw, but player {position.player + 1} moves here") from None
        raise


@lru_cache(maxsize=32)
def _built_in(name: str, options: str) -> Game:
    """Kept, as importing a file asks for the same game again and again."""
    from boardwright.games.load import load, make, trusted_spec

    return make(type(load(trusted_spec(name) or name)), json.loads(options))


def _alike(said: tuple[float, ...], found: tuple[float, ...]) -> bool:
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(said, found, strict=True))


def now() -> str:
    """The time, as records write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def utc(what: str, text: object) -> str:
    """A date (its midnight in UTC) or a time with its zone, as records write it: sorting the text sorts the times."""
    try:
        if not isinstance(text, str) or len(text) > 40:
            raise ValueError
        time = datetime.fromisoformat(text)
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            time = time.replace(tzinfo=UTC)
        if time.tzinfo is None:
            raise ValueError
        return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise _wrong(what, "a date or a time with its zone, such as 2026-08-01 or 2026-08-01T17:30:00Z", text) from None


# Checks of what came from outside


def _options(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping) or len(value) > MOST_OPTIONS:
        raise _wrong("options", "the game's options by name", value)
    for name, option in value.items():
        if not isinstance(name, str) or not name.isidentifier() or len(name) > LONGEST_TEXT:
            raise _wrong("options", "the game's options by name", value)
        plain = type(option) in (bool, str) or _is_number(option)
        if not plain or (isinstance(option, str) and not _is_text(option)):
            raise _wrong(f"options.{name}", "a number, true, false or a short text", option)
    return dict(value)


def _texts(what: str, value: object, most: int) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > most:
        raise _wrong(what, f"a list of at most {most:,} texts", value)
    if are_texts(value):
        return tuple(value)
    for number, text in enumerate(value, start=1):
        if not _is_text(text):
            wanted = f"a text of 1 to {LONGEST_TEXT} characters, without control characters"
            raise InputError(f"record: {what!r}: number {number} must be {wanted}; it is {_short(text)}")
    return tuple(value)


def are_texts(values: Sequence[object]) -> bool:
    """Whether a record may hold these as plies or names; all at once, as a match makes and reads many records."""
    if set(map(type, values)) != {str}:
        return not values
    texts = cast("Sequence[str]", values)
    return min(map(len, texts)) > 0 and max(map(len, texts)) <= LONGEST_TEXT and not UNFIT.search("".join(texts))


def _numbers(what: str, value: object, count: int | None) -> tuple[float, ...]:
    wanted = "a list of finite numbers" + (f", one for each of {count} players" if count is not None else "")
    if not isinstance(value, (list, tuple)) or len(value) > MOST_PLIES or (count is not None and len(value) != count):
        raise _wrong(what, wanted, value)
    if not set(map(type, value)) <= {int, float} or not all(map(_is_number, set(value))):
        raise _wrong(what, wanted, value)
    return tuple(map(float, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and not UNFIT.search(value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and type(value) in (int, float) and abs(value) < LARGEST


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _short(value: object) -> str:
    """A value from outside, for a message: one line, not too long, nothing that a terminal obeys."""
    text = repr(value[:100]) if isinstance(value, str) else reprlib.repr(value)
    return text if len(text) <= 62 else text[:59] + "..."


def _wrong(what: str, expected: str, value: object) -> InputError:
    return InputError(f"record: {what!r} must be {expected}; it is {_short(value)}")
