"""The kinds of players: those of this layer, of other layers and packages, and classes in files of anybody's own.

A package offers a kind by an entry point of the group `boardwright.players`, name = "module:attribute", where the
attribute is a `Kind` or a class of players.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter
from typing import Any

from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.position import shorten
from boardwright.contract.settings import KINDS as TYPES
from boardwright.contract.settings import read_settings
from boardwright.games.load import import_file
from boardwright.games.named import game_argument
from boardwright.players.function import FunctionPlayer
from boardwright.players.player import NoSettings, Player
from boardwright.players.simple import PolicyPlayer, RandomPlayer
from boardwright.players.spec import PlayerSpec
from boardwright.players.tuned import NAME as TUNED
from boardwright.players.tuned import with_tuned
from boardwright.registry import at, find, offered, place_of

LAST = "last"  # as a model's name: what was trained last for the game
MODELS = ("model", "net", "table", "value")  # settings that name one
GROUP = "players"  # of the registry; "mcts:net" is the kind `mcts` where `net=` is set


def _nothing_against(game: Game) -> str:
    return ""


@dataclass(frozen=True)
class Kind:
    """One kind of player. Builder and settings may be named as `module:attribute`: they are imported when such a
    player is made, so that listing the kinds, or a random player, waits for nothing."""

    about: str  # what it is, in a line
    build: Callable[[Game, str, Any], Player] | str  # (game, spec, settings)
    settings: type | str = NoSettings  # a frozen dataclass with a doc comment a field
    against: Callable[[Game], str] = _nothing_against  # why it cannot play a game as it stands; nothing if it can

    @property
    def settings_class(self) -> type:
        found: type = at(self.settings) if isinstance(self.settings, str) else self.settings
        return found

    @property
    def takes_seed(self) -> bool:
        return any(field.name == "seed" and field.init for field in dataclasses.fields(self.settings_class))

    def make(self, game: Game, spec: PlayerSpec, text: str) -> Player:
        """The player of a spec; `text` is how it was written."""
        settings = self.settings_class
        read = settings(**read_settings(settings, f"player {spec.kind}", spec.settings))
        build: Any = at(self.build) if isinstance(self.build, str) else self.build
        made: Player = build(game, text, read)
        return made


def _against_solving(game: Game) -> str:
    return "it has chance" if game.outcomes else "" if game.players == 2 else f"its players number {game.players}"


KINDS = {
    "mcts": Kind(
        "tree search: the more simulations or seconds, the stronger",
        "boardwright.players.mcts:SearchPlayer",
        "boardwright.search.settings:SearchSettings",
    ),
    "expectimax": Kind(
        "looks a few moves ahead over every draw",
        "boardwright.players.expectimax:ExpectimaxPlayer",
        "boardwright.search.exact.expectimax:ExpectimaxSettings",
        lambda game: "" if game.players <= 4 else "it has more than four players",
    ),
    "solver": Kind(
        "perfect, where the game is small enough to be solved",
        "boardwright.players.solver:SolverPlayer",
        "boardwright.search.exact.solver:SolverSettings",
        _against_solving,
    ),
    "slips": Kind(
        "another player that now and then makes any move: slips:epsilon=0.3,of=PLAYER",
        "boardwright.players.slips:SlippingPlayer",
        "boardwright.players.slips:SlipSettings",
    ),
}
PROGRAMS = {
    "engine": Kind(
        "another program that speaks JSON lines, such as an earlier Boardwright: engine:COMMAND",
        "boardwright.players.engine_program:EnginePlayer",
        "boardwright.players.engine_program:EngineSettings",
    ),
    "piskvork": Kind(
        "another program that speaks the Gomocup protocol: piskvork:COMMAND",
        "boardwright.players.piskvork_program:PiskvorkPlayer",
        "boardwright.players.piskvork_program:PiskvorkSettings",
    ),
}  # they play whatever their programs play, and only who names a command gets one: no list has them
RANDOM = Kind("any legal move, each alike", RandomPlayer)


def player_kinds(game: Game) -> dict[str, str]:
    """Every kind of player that can play this game as it stands, with a line of what it is."""
    return {name: kind.about for name, kind in _every_kind(game) if not kind.against(game)}


def _every_kind(game: Game) -> Iterator[tuple[str, Kind]]:
    yield "random", RANDOM
    for policy in game.policies:
        yield policy.replace("_", "-"), _policy(game, policy)
    yield from KINDS.items()
    for name, place in offered(GROUP).items():
        if ":" in name or name in KINDS or name in PROGRAMS:
            continue
        try:
            yield name, _kind_at(place)
        except (ImportError, AttributeError):
            continue  # a package that is broken spoils no list; whoever names its kind hears of it


def player(spec: str | PlayerSpec, game: Game) -> Player:
    """The player that `spec` names, for `game`. What does not exist is refused with what does."""
    spec = settled(spec, game)
    parsed = PlayerSpec.parse(spec)
    return kind_of(parsed, game).make(game, parsed, str(spec))


def settled(spec: str | PlayerSpec, game: Game) -> str | PlayerSpec:
    """The spec with the file itself where it says `last` of a model, as in `mcts:value=last`, and with the settings
    that a file of `boardwright tune` holds, as in `mcts:tuned=FILE`; others as they are."""
    parsed = PlayerSpec.parse(spec)
    if TUNED in parsed.settings:
        parsed = spec = with_tuned(parsed, game)
    for name in MODELS:
        if parsed.settings.get(name) == LAST:
            parsed = spec = parsed.with_setting(name, find("models", LAST)(game, parsed.kind, name))
    return spec


def seeded(spec: str | PlayerSpec, game: Game, seed: int) -> PlayerSpec:
    """The spec with this seed, where it has none of its own and its kind takes one."""
    parsed = PlayerSpec.parse(spec)
    return parsed.seeded(seed) if kind_of(parsed, game).takes_seed else parsed


def kind_of(spec: PlayerSpec, game: Game) -> Kind:
    """The kind that a spec names."""
    for name in spec.settings:
        place = place_of(GROUP, f"{spec.kind}:{name}")
        if place:
            return _kind_at(place)
    policy = spec.kind.replace("-", "_")
    for own in (KINDS, PROGRAMS):
        if spec.kind in own:
            return own[spec.kind]
    if spec.kind == "random":
        return RANDOM
    if policy in game.policies:
        return _policy(game, policy)
    if spec.is_file and spec.file:
        return _kind_in_file(spec)
    place = place_of(GROUP, spec.kind)
    if place:
        return _kind_at(place)
    raise InputError(_unknown(spec.kind, game))


def _unknown(kind: str, game: Game) -> str:
    known = player_kinds(game)
    close = get_close_matches(kind, known, n=1)
    meant = f"did you mean {close[0]}? There" if close else "there"
    return (
        f"{game.name}: no player {shorten(kind)!r}; {meant} are {', '.join(known)}, path/to/file.py:Class of your own, "
        f"or {' and '.join(f'{name}:COMMAND' for name in PROGRAMS)} for other programs; "
        f"what each is: boardwright games {game_argument(game)}"
    )


def _policy(game: Game, policy: str) -> Kind:
    said = (inspect.getdoc(getattr(type(game), policy, None)) or "").partition("\n\n")[0].replace("\n", " ")
    return Kind(
        f"the game's own rule: {said.rstrip('.')}" if said else "the game's own rule, without search",
        lambda game, spec, settings: PolicyPlayer(game, spec, settings, policy),
    )


def _kind_at(place: str) -> Kind:
    found = at(place)
    return found if isinstance(found, Kind) else kind_of_class(found)


def kind_of_class(made_by: Callable[..., Any]) -> Kind:
    """A class of anybody's as a kind.

    With a dataclass `Settings` in it, it is made as `MyPlayer(game, spec, settings)`; else as `MyPlayer(game,
    name=value, ...)`, its keywords with defaults being its settings; one that takes nothing, as `MyPlayer()`.
    """
    about = (inspect.getdoc(made_by) or "").partition("\n")[0]
    settings = getattr(made_by, "Settings", None)
    if settings is not None:
        if not (isinstance(settings, type) and dataclasses.is_dataclass(settings)):
            raise InputError(f"{made_by.__name__}.Settings must be a dataclass, with a default for every field")
        return Kind(about, lambda game, spec, read: _made(made_by, (game, spec, read), {}, game, spec), settings)
    parameters = list(inspect.signature(made_by).parameters.values())
    takes_game = bool(parameters) and parameters[0].kind not in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)
    keywords = _keywords(made_by, parameters[takes_game:])

    def build(game: Game, spec: str, read: Any) -> Player:
        named = {field.name: getattr(read, field.name) for field in keywords}
        return _made(made_by, (game,) if takes_game else (), named, game, spec)

    fields = [(field.name, field.type, field) for field in keywords]
    return Kind(about, build, dataclasses.make_dataclass(made_by.__name__, fields, frozen=True))


def _keywords(made_by: Callable[..., Any], parameters: Iterable[Parameter]) -> list[dataclasses.Field[Any]]:
    """The settings that a class takes beside the game: its keywords with defaults."""
    found = []
    for parameter in parameters:
        if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL):
            continue
        if parameter.default is Parameter.empty:
            raise InputError(
                f"{made_by.__name__}({parameter.name}): a setting needs a default; the first argument is the game"
            )
        field: dataclasses.Field[Any] = dataclasses.field(default=parameter.default)
        field.name, field.type = parameter.name, _type_of(parameter)
        found.append(field)
    return found


def _type_of(parameter: Parameter) -> type:
    """Of which type a setting is: as its default, or where that is None as its annotation says; text if none does."""
    if parameter.default is not None:
        return type(parameter.default)
    words = re.findall(r"\w+", inspect.formatannotation(parameter.annotation))  # of `int | None`, quoted or not
    return next((TYPES[word] for word in words if word in TYPES), str)


def _kind_in_file(spec: PlayerSpec) -> Kind:
    path = expanded(spec.file)
    title = spec.kind[len(spec.file) + 1 :]
    module = import_file(path)
    own = {
        name: item
        for name, item in vars(module).items()
        if inspect.isclass(item) and item.__module__ == module.__name__ and hasattr(item, "choose")
    }
    among = f"; it has {', '.join(own)}" if own else ""
    if not title:
        if len(own) != 1:
            many = "several players" if own else "no player (a class with a method `choose`)"
            raise InputError(f"{path.name} defines {many}; name one as {path.name}:Class{among}")
        title = next(iter(own))
    if title not in own:
        raise InputError(f"{path.name} defines no player {title!r}, a class with a method `choose`{among}")
    return kind_of_class(own[title])


def _made(made_by: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], game: Game, spec: str) -> Player:
    """What a class of anybody's makes of its arguments, with what every player has."""
    try:
        made = made_by(*given, **named)
    except BoardwrightError:
        raise
    except Exception as error:
        raise InputError(f"player {made_by.__name__}: making it raised {type(error).__name__}: {error}") from error
    if not isinstance(made, Player):
        return FunctionPlayer(game, spec, made)
    made.game, made.spec = game, spec
    return made
