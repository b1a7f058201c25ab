"""Boardwright's games in OpenSpiel, so that its algorithms run on them.

    import pyspiel
    from boardwright.adapters import openspiel_out
    openspiel_out.register()                                    # the built-in games, as boardwright_azul, ...
    game = pyspiel.load_game("boardwright_azul(players=3)")

The options of a game are its parameters, chance is explicit, one draw at a time. A game that is won pays at its end;
a game of points pays them as they come, or, with `reward_at_end=True`, all at the end, which some algorithms need
(OpenSpiel's MCTS). Nothing in the contract bounds points or the length of a game: the bounds told are infinite points
and the longest game that a record holds.
"""

from __future__ import annotations

import importlib
import json
from functools import lru_cache
from typing import Any

import numpy as np

from boardwright.adapters.extras import need
from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank
from boardwright.games.built_in import BUILT_IN
from boardwright.games.load import load, make
from boardwright.records.record import MOST_PLIES

pyspiel = need("pyspiel", "openspiel")
SpielGame: Any = pyspiel.Game
SpielState: Any = pyspiel.State

AT_END = "reward_at_end"
MOST_PLAYERS = 8  # tried, to find out how many a game with the option `players` takes
_registered: dict[str, type[Game]] = {}


def register(game: str | Game | None = None) -> list[str]:
    """Register a game, by spec or loaded, with OpenSpiel; every built-in one if none is named. Returns the names.
    The options are left to OpenSpiel's parameters; the defaults are those of the rules."""
    if game is None:
        return [name for each in BUILT_IN for name in register(each)]
    rules = load(game) if isinstance(game, str) else game
    kind = type(rules)
    if not rules.compiles:
        raise InputError(f"{rules.name} comes from OpenSpiel already; it is loaded there by its own name")
    name = spiel_name(rules)
    known = _registered.get(name)
    if known is not None and known is not kind:
        raise InputError(f"OpenSpiel has another game {name!r} already; give the class a name of its own")
    if known is None:
        # A class: OpenSpiel lets go of it after Python has ended, which a function would not survive.
        own = type(f"{kind.__name__}Spiel", (BoardwrightSpiel,), {"kind": kind, "spiel_name": name})
        pyspiel.register_game(game_type(rules, name), own)
        _registered[name] = kind
    return [name]


def spiel_name(rules: Game) -> str:
    """What OpenSpiel calls a game of ours."""
    return f"boardwright_{rules.name.lower()}"


def game_type(rules: Game, name: str, *, at_end: bool = False) -> Any:
    """What OpenSpiel wants to know of a kind of game."""
    kinds = pyspiel.GameType
    fewest, most = _seats(rules)
    parameters = dict(type(rules)().options)
    if rules.counts_points:
        parameters[AT_END] = False
    as_it_comes = rules.counts_points and not at_end
    return kinds(
        short_name=name,
        long_name=rules.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if rules.outcomes else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if _is_zero_sum(rules) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS if as_it_comes else kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=bool(rules.observe_shape),
        parameter_specification=parameters,
        provides_factored_observation_string=True,
    )


def _is_zero_sum(rules: Game) -> bool:
    """Two players who win or lose: what one gets the other pays (checked at every end, see `returns`)."""
    return bool(rules.players == 2 and not rules.counts_points)


def _seats(rules: Game) -> tuple[int, int]:
    """The fewest and the most players that the rules take."""
    if "players" not in rules.options:
        return int(rules.players), int(rules.players)
    fits = []
    for count in range(1, MOST_PLAYERS + 1):
        try:
            make(type(rules), {**rules.options, "players": count})
        except BoardwrightError:
            continue
        fits.append(count)
    return min(fits), max(fits)


class BoardwrightSpiel(SpielGame):  # type: ignore[misc]  # a base class without types
    """One of our games as OpenSpiel's; each has a class of its own."""

    kind: type[Game]
    spiel_name: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        own = {option: value for option, value in given.items() if option != AT_END}
        self.rules = make(self.kind, own)
        self.at_end = bool(given.get(AT_END, False))
        rules = self.rules
        bound = np.inf if rules.counts_points else 1.0
        about = {"utility_sum": 0.0} if _is_zero_sum(rules) else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=int(rules.actions),
            max_chance_outcomes=int(rules.outcomes),
            num_players=int(rules.players),
            min_utility=-bound,
            max_utility=bound,
            max_game_length=MOST_PLIES,
            **about,
        )
        super().__init__(game_type(rules, self.spiel_name, at_end=self.at_end), info, given)

    def new_initial_state(self) -> BoardwrightState:
        return BoardwrightState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if params:
            raise ValueError(f"observations have no parameters; passed {params}")
        recall = iig_obs_type is not None and (iig_obs_type.perfect_recall or not iig_obs_type.public_info)
        if recall:
            observation = importlib.import_module("open_spiel.python.observation")
            return observation.IIGObserverForPublicInfoGame(iig_obs_type, params)
        return Observer(self.rules)


class Shared:
    """What copies of a state share, as it never changes: OpenSpiel deep-copies what states hold, and pickles it."""

    __slots__ = ("before", "position")

    def __init__(self, position: Position, before: tuple[float, ...]) -> None:
        self.position = position
        self.before = before  # the points at the last position at which a player moved

    def after(self, step: int) -> Shared:
        return Shared(self.position.advance(step), self.before if self.position.is_chance else self.position.scores)

    def __deepcopy__(self, memo: Any) -> Shared:
        return self

    def __reduce__(self) -> Any:
        game = self.position.game
        return _restored, (spiel_name(game), json.dumps(game.options), self.position.key, self.before)


def _restored(name: str, options: str, state: bytes, before: tuple[float, ...]) -> Shared:
    if name not in _registered:
        raise InputError(f"a state of {name}, which is not registered here; call openspiel_out.register first")
    rules = _rules(name, options)
    return Shared(Position(rules, np.frombuffer(bytearray(state), rules.state_dtype)), before)


@lru_cache(maxsize=64)
def _rules(name: str, options: str) -> Game:
    return make(_registered[name], json.loads(options))


class BoardwrightState(SpielState):  # type: ignore[misc]  # a base class without types
    """One state. OpenSpiel calls the methods, and keeps the history."""

    def __init__(self, game: BoardwrightSpiel) -> None:
        super().__init__(game)
        self._shared = _first(game)
        self._points_pay = game.rules.counts_points and not game.at_end

    @property
    def position(self) -> Position:
        return self._shared.position

    def current_player(self) -> int:
        position = self.position
        if position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if position.is_chance else position.player

    def is_terminal(self) -> bool:
        return self.position.is_over

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        return sorted(position.moves) if player == position.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return sorted(self.position.chances)

    def _apply_action(self, action: int) -> None:
        self._shared = self._shared.after(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        steps = [outcome for outcome, _ in position.chances] if position.is_chance else position.moves
        return position.text(action) if action in steps and player == self.current_player() else str(action)

    def returns(self) -> list[float]:
        """What each player has got so far."""
        position = self.position
        if self._points_pay:
            return list(position.scores)
        if position.results is None:
            return [0.0] * int(position.game.players)
        if _is_zero_sum(position.game) and abs(sum(position.results)) > 1e-9:
            raise InputError(
                f"{position.game.name}: results {list(position.results)} do not add up to 0, as OpenSpiel was told of "
                "a game that two players win or lose; let them count as points (scores instead of results)"
            )
        return list(position.results)

    def rewards(self) -> list[float]:
        """What came since a player last moved: the move, and the draws after it."""
        if not self._points_pay:
            return self.returns()
        return [now - then for now, then in zip(self.position.scores, self._shared.before, strict=True)]

    def __str__(self) -> str:
        return str(self.position)


def _first(game: BoardwrightSpiel) -> Shared:
    """The start, made once a game: OpenSpiel begins every copy of a state with it."""
    found: Shared | None = game.__dict__.get("start")
    if found is None:
        found = game.__dict__["start"] = Shared(blank(game.rules), (0.0,) * int(game.rules.players))
    return found


class Observer:
    """The input of a network, as `Game.observe` writes it: seen by whoever acts, whichever player asks."""

    def __init__(self, rules: Game) -> None:
        shape = tuple(rules.observe_shape)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32) if shape else None
        self.dict = {"observation": self.tensor.reshape(shape)} if self.tensor is not None else {}

    def set_from(self, state: Any, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.position.observe().ravel()

    def string_from(self, state: Any, player: int) -> str:
        return str(state)
