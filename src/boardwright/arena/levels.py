"""Measured levels of a game: opponents named by how far above random play they are, the same names in every game.

Level number k of `NAMES` is the player rated nearest to k times `STEP` Elo above random, and no further from it than
half a step. A game that does not reach a name has no such level. Strength comes from simulations and rules, never from
seconds, so a level means the same on every machine.

Levels are kept as JSON: of what a user measured in the home folder, by the digest of the rules; of a built-in game
beside its card.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from boardwright.arena.pairing import files_key
from boardwright.contract.errors import InputError
from boardwright.contract.folders import home_folder
from boardwright.contract.game import Game
from boardwright.contract.whole_file import whole_file
from boardwright.games.named import game_argument, source_of
from boardwright.players import PlayerSpec
from boardwright.players.slips import KIND as SLIPS

STEP = 150.0  # Elo between two levels
NAMES = ("Beginner", "Easy", "Medium", "Strong", "Expert", "Master")  # at 150, 300, ... Elo above random
SUREST = 75.0  # Elo: a player whose interval reaches further to either side is no level yet,
SURE_SHARE = 0.05  # or further than so much of its rating: far up, errors of all steps of the ladder have added up
FORMAT = 1


@dataclass(frozen=True)
class Rated:
    """A player on a game's ladder: Elo above random with its 95 % interval."""

    spec: str
    elo: float
    low: float
    high: float
    games: int
    seconds: float = 0.0  # a move, on the machine that measured
    files: str = ""  # digest of the files that the spec names: a model that was trained on is another player

    @property
    def error(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    @property
    def is_sure(self) -> bool:
        """Whether it is known well enough to be a level."""
        return self.error <= max(SUREST, SURE_SHARE * self.elo)


@dataclass(frozen=True)
class Level:
    """One of the opponents of a game, by a name that means the same in every game."""

    name: str
    player: Rated

    @property
    def spec(self) -> str:
        return self.player.spec

    @property
    def words(self) -> str:
        """What it is, in a line."""
        return f"about {round(self.player.elo, -1):.0f} Elo above random, {describe(self.spec)}"


@dataclass(frozen=True)
class Levels:
    """A game's ladder as it was measured."""

    game: str
    options: dict[str, Any]
    rules: str  # digest
    date: str
    command: str
    games: int  # played in all
    players: tuple[Rated, ...]  # from the weakest up; random has 0

    @property
    def levels(self) -> tuple[Level, ...]:
        return choose_levels(self.players)

    def to_json(self) -> str:
        levels = [{"name": one.name, "spec": one.spec, "elo": one.player.elo} for one in self.levels]
        return json.dumps({"boardwright_levels": FORMAT, **asdict(self), "levels": levels}, indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Levels:
        data = json.loads(text)
        if data["boardwright_levels"] != FORMAT:
            raise ValueError("another format")
        fields = ("game", "options", "rules", "date", "command", "games")
        return cls(**{name: data[name] for name in fields}, players=tuple(Rated(**one) for one in data["players"]))


def name_of(number: int) -> str:
    """Level number 1, 2, ...: beyond the last name they are counted, as in Master 2."""
    return NAMES[number - 1] if number <= len(NAMES) else f"{NAMES[-1]} {number - len(NAMES) + 1}"


def choose_levels(players: Sequence[Rated]) -> tuple[Level, ...]:
    """Of each band of `STEP` Elo, the player nearest to its middle; of two about as near the quicker."""
    found = []
    most = max((one.elo for one in players), default=0.0)
    for number in range(1, round(most / STEP) + 1):
        middle = number * STEP
        near = [one for one in players if abs(one.elo - middle) <= STEP / 2 and one.is_sure]
        if near:
            best = min(near, key=lambda one: (round(abs(one.elo - middle) / 10), one.seconds))
            found.append(Level(name_of(number), best))
    return tuple(found)


def describe(spec: str) -> str:
    """A player in plain words: 400 simulations; the rule greedy, 3 moves of 10 at random."""
    parsed = PlayerSpec.parse(spec)
    settings = parsed.settings
    if parsed.kind == SLIPS:
        often = 10 * float(settings.get("epsilon", 0.2))
        slips = f"{often:g} {'move' if often == 1 else 'moves'} of 10 at random"
        return f"{describe(settings.get('of', ''))}, {slips}"
    learnt = any(name in settings for name in ("net", "value", "table", "model")) or parsed.kind in ("net", "value")
    if "simulations" in settings:
        count = f"{int(settings['simulations']):,} simulations"
        return f"{count} with what was learnt" if learnt else count
    if learnt or parsed.kind in ("values", "tuples"):
        return "what was learnt, without search"
    return f"the rule {parsed.kind}" if not settings else spec


# Where they are kept


def levels_of(game: Game) -> tuple[Level, ...]:
    """The measured levels of a game as it stands, weakest first; none if nobody has measured them."""
    found = kept_levels(game)
    if found is None:
        return ()
    return tuple(one for one in found.levels if one.player.files == files_key(PlayerSpec.parse(one.spec), game))


def kept_levels(game: Game) -> Levels | None:
    """What was measured of a game: by the user, of these very rules, or what comes with a built-in game, if that has
    more levels: a short measurement must not take levels away."""
    shipped = card_file(game)
    found = None if shipped is None else _read(shipped)
    if found is not None and found.options != game.options:
        found = None
    if next(own_file(game, "").parent.glob(f"{_stem(game)}-*.json"), None):  # the digest takes a while to compute
        mine = _read(own_file(game, str(game.digest)))
        if mine is not None and mine.rules == game.digest:
            return mine if found is None or len(mine.levels) >= len(found.levels) else found
    return found


def own_file(game: Game, rules: str) -> Path:
    """Where the user's measurement of a game with these rules is."""
    return home_folder() / "levels" / f"{_stem(game)}-{rules[:16]}.json"


def card_file(game: Game) -> Path | None:
    """The file beside a built-in game's card; None for a game of one's own."""
    if source_of(game):
        return None
    return Path(inspect.getfile(type(game))).parent / f"{game.name}.levels.json"


def write_levels(levels: Levels, path: Path) -> None:
    """All of the file or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path.parent}: {error.strerror or error}") from None
    with whole_file(path) as file:
        file.write(levels.to_json().encode() + b"\n")


def level_named(text: str, game: Game) -> Level | None:
    """The level of that name, in any case; None if it is no level's name. A name that the game has not is refused."""
    wanted = text.strip().casefold()
    levels = levels_of(game)
    for one in levels:
        if one.name.casefold() == wanted:
            return one
    if wanted not in (name.casefold() for name in NAMES):
        return None
    if levels:
        raise InputError(f"{game.name} has no level {text.strip()}; it has {', '.join(one.name for one in levels)}")
    raise InputError(f"{game}: its levels are not measured yet; measure them: boardwright levels {game_argument(game)}")


def _stem(game: Game) -> str:
    options = hashlib.sha256(json.dumps(game.options, sort_keys=True).encode()).hexdigest()[:8]
    return f"{game.name}-{options}"


def _read(path: Path) -> Levels | None:
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    return _parsed(path, changed)


@lru_cache(maxsize=256)
def _parsed(path: Path, changed: int) -> Levels | None:
    """A file that somebody damaged is as good as none: it is measured again."""
    try:
        found = Levels.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if all(math.isfinite(one.elo) for one in found.players) else None
