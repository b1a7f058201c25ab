"""Who plays whom, from which seat, with whose luck: a match as a list of games that exist before they are played.

A *group* of players who meet plays *sets*: games from one seed, with the same draws and the same
random opening, once for every way in which the seats go round. In a game for one player, a set is one game of
each player. Everything about a game follows from the match's settings, and so does the id of its record: whoever
asks for the same game again finds it in the library.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from boardwright.contract.errors import InputError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.random import Random
from boardwright.players import PlayerSpec
from boardwright.players.kinds import GROUP, MODELS
from boardwright.players.program import files_of
from boardwright.players.slips import KIND as SLIPS
from boardwright.registry import find, place_of

MOST_PLAYERS = 64


@dataclass(frozen=True)
class Terms:
    """What is agreed before a match. Games under other terms are other games."""

    seed: int = 0
    opening: int = 0  # random moves at the start of each game, the same for all games of a set
    move_seconds: float = 0.0  # who thinks longer about a move loses the game; 0: no limit


class Meeting(NamedTuple):
    """One game to be played: set number `number` of a group, with `seats[i]` the player (by number) in seat i."""

    group: tuple[int, ...]  # numbers of the players who meet, in the order of the match
    number: int  # of the set, from 0
    seats: tuple[int, ...]
    id: str  # of its record
    luck: int  # seed of draws and opening, common to the set
    seeds: tuple[int, ...]  # each seat's own seed


class Schedule:
    """Every game of a match between `specs`; those at the places `own` are players of the caller's, named only."""

    def __init__(
        self,
        game: Game,
        specs: tuple[str, ...],
        terms: Terms,
        *,
        round_robin: bool = False,
        own: Container[int] = (),
    ) -> None:
        self.game, self.specs, self.terms = game, specs, terms
        self.groups = groups(game, len(specs), round_robin)
        self.names = labels(specs)
        self._players = [
            # Nobody can tell whether a player of the caller's own is the one that it was: its games are always new.
            f"{name} {uuid4().hex if number in own else files_key(PlayerSpec.parse(specs[number]), game)}"
            for number, name in enumerate(self.names)
        ]
        self._begin = json.dumps([_rules_key(game), *_terms_key(terms), code_digest()])[:-1]
        self._names: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[str, str]] = {}

    def sets(self, count: int) -> Iterator[tuple[Meeting, ...]]:
        """`count` sets of each group, group by group within a number: whenever one stops, all have played alike."""
        for number in range(count):
            for group in self.groups:
                yield self.set(group, number)

    def set(self, group: tuple[int, ...], number: int) -> tuple[Meeting, ...]:
        """The games of one set."""
        luck = derive(self.terms.seed, "luck", number)
        return tuple(self._meeting(group, number, seats, luck) for seats in seatings(self.game.players, group))

    def _meeting(self, group: tuple[int, ...], number: int, seats: tuple[int, ...], luck: int) -> Meeting:
        names, whole = self._named(seats, group)
        seed = self.terms.seed
        # Not from the numbers of the players: another player in the match must leave the old games what they are.
        seeds = tuple(_derived(f'[{seed}, "seat", {number}, {seat}, {names}]') % 2**31 for seat in range(len(seats)))
        id = hashlib.sha256(f"{self._begin}, {number}, {whole}]".encode()).hexdigest()[:32]
        return Meeting(group, number, seats, id, luck, seeds)

    def _named(self, seats: tuple[int, ...], group: tuple[int, ...]) -> tuple[str, str]:
        """As JSON: the players in those seats, as entries of a list; the same as a list, and the group's sorted."""
        known = self._names.get((seats, group))
        if known is None:
            names = [self._players[player] for player in seats]
            whole = json.dumps([names, sorted(self._players[player] for player in group)])
            known = self._names[seats, group] = json.dumps(names)[1:-1], whole[1:-1]
        return known

    @property
    def games_a_set(self) -> int:
        return len(seatings(self.game.players, self.groups[0]))

    def sets_for(self, games: int) -> int:
        """How many sets hold so many games of a group - or, of games for one player, so many of each player."""
        return games if self.game.players == 1 else -(-games // self.games_a_set)


def groups(game: Game, players: int, round_robin: bool) -> list[tuple[int, ...]]:
    """The groups that meet: all at one table, or with `round_robin` every two players."""
    if not 1 <= players <= MOST_PLAYERS:
        raise InputError(f"a match is for 1 to {MOST_PLAYERS} players, not {players}")
    everybody = tuple(range(players))
    if game.players == 1:
        return [everybody]  # all meet the same draws
    if players == 1:
        raise InputError(f"{game.name}: a match needs two players or more; a player may be named twice to meet itself")
    if round_robin:
        return list(combinations(everybody, 2))
    if players > game.players:
        raise InputError(
            f"{game.name}: {players} players for {game.players} seats; --round-robin lets every two of them meet"
        )
    return [everybody]


@cache
def seatings(seats: int, group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every way round the table: each player in each seat equally often, beside the same neighbours.

    Fewer players than seats take turns: two at four seats sit as 0101. Where that leaves one of them with more
    seats, the other starts too: two at three seats are 010 and 101, each in its three ways round.
    """
    if seats == 1:
        return [(player,) for player in group]
    ways: dict[tuple[int, ...], None] = {}
    starts = 1 if seats % len(group) == 0 else len(group)
    for start in range(starts):
        row = [group[(start + seat) % len(group)] for seat in range(seats)]
        for turn in range(seats):
            ways[tuple(row[-turn:] + row[:-turn])] = None
    return list(ways)


def labels(specs: tuple[str, ...]) -> tuple[str, ...]:
    """The specs as names; a spec that stands there again is its own opponent and gets a number."""
    return tuple(
        spec + (f" #{before + 1}" if (before := specs[:i].count(spec)) else "") for i, spec in enumerate(specs)
    )


def derive(*parts: object) -> int:
    """A seed of 63 bits that has nothing to do with that of other parts."""
    return _derived(json.dumps(parts))


def _derived(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def draw_rng(luck: int, index: int) -> Random:
    """The numbers for draw number `index` of a game: the same in all games of a set, whatever was played between,
    so that equal chances bring equal draws."""
    return Random(Random(luck).bits() + index)


def _rules_key(game: Game) -> str:
    return f"{game.name} {json.dumps(game.options)} {game.digest}"


def _terms_key(terms: Terms) -> list[object]:
    return [terms.seed, terms.opening, terms.move_seconds]


def files_key(spec: PlayerSpec, game: Game) -> str:
    """What is in the files that a spec names (weights of a net, a player's own code, a program) or leaves to
    Boardwright to choose: new ones are another player."""
    if spec.kind == SLIPS:
        return files_key(PlayerSpec.parse(spec.settings.get("of", "mcts")), game)
    named = files_of(spec.settings.get("command", "")) if spec.is_program else spec.settings.values()
    found = [_digest(file) for file in find("models", "shipped")(game)] if _takes_shipped(spec) else []
    for value in filter(None, (spec.file, *named)):
        # A file, the model in a run's folder, or one that comes with Boardwright.
        own, shipped = expanded(value), Path(__file__).parent.parent / "models"
        places = (own, own / "model.safetensors", shipped / f"{Path(value).name}.safetensors")
        found.append(next(filter(None, map(_digest, places)), ""))
    return " ".join(filter(None, found))


def _takes_shipped(spec: PlayerSpec) -> bool:
    """Whether a spec leaves it to Boardwright which of the models that come with it is meant: `mcts:value=auto`, or a
    learnt player that names none."""
    named = [spec.settings[setting] for setting in MODELS if setting in spec.settings]
    return "auto" in named or (not named and place_of(GROUP, spec.kind) is not None)


def _digest(path: Path) -> str:
    """Names what is in a file; empty if there is none that can be read: a setting may be any text."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
    except (OSError, ValueError):
        return ""


@cache
def code_digest() -> str:
    """Names the code of all players: games of a search that has changed since say nothing about the present one."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in ("players", "search", "learn"):
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
