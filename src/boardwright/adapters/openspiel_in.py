"""OpenSpiel's games as Boardwright's: `bw.load("openspiel:connect_four", rows=5)`.

An OpenSpiel state is an object of C++, the contract's a record of bytes. The record here is the history: every
move and draw since the start, from which the object can be made again at any time. Beside it, `StateCache` keeps
the objects of late; a state that was reached a moment ago is found, not replayed.
Such rules cannot be compiled (`compiles = False`): kernels run interpreted over them. What needs speed, the plain
tree search, runs in OpenSpiel's own C++ (`openspiel_search.py`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boardwright.adapters.extras import need
from boardwright.contract.card import Card, SearchHints
from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.settings import KINDS, read_settings, split_settings
from boardwright.games.load import make

if TYPE_CHECKING:
    from boardwright.contract.position import Position

MOST_HISTORY = 200_000  # moves and draws that a record has room for
MOST_KEPT = 1000  # states in each of the cache's two generations
_TEXT = re.compile(r"^(?P<name>[^(:]+?)(?P<parameters>\(.*\))?(?::(?P<options>[^()]*))?$", re.DOTALL)


class StateCache:
    """OpenSpiel's states by history. Two generations: when the young one is full it becomes the old one, and what is
    asked for again grows young again; so what a search comes back to stays, and playouts pass."""

    def __init__(self, spiel: Any) -> None:
        self._spiel = spiel
        self._young: dict[bytes, Any] = {}
        self._old: dict[bytes, Any] = {}

    def get(self, s: Any) -> Any:
        """The state with the history of record `s`; not to be changed."""
        key = s.steps[: s.length].tobytes()
        state = self._young.get(key)
        if state is None:
            state = self._old.get(key)
            if state is None:
                state = self._spiel.new_initial_state()
                for step in s.steps[: s.length].tolist():
                    state.apply_action(step)
            self._keep(key, state)
        return state

    def advance(self, s: Any, step: int) -> None:
        """Make one more step in record `s`, and keep the state after it."""
        state = self.get(s).child(step)
        s.steps[s.length] = step
        s.length += 1
        self._keep(s.steps[: s.length].tobytes(), state)

    def _keep(self, key: bytes, state: Any) -> None:
        if len(self._young) >= MOST_KEPT:
            self._old, self._young = self._young, {}
        self._young[key] = state


class OpenSpielGame(Game):
    """A game of OpenSpiel: perfect information, one player at a time, chance by explicit draws."""

    compiles: ClassVar[bool] = False
    card: ClassVar[Card] = Card(search=SearchHints(own_search="boardwright.adapters.openspiel_search:OpenSpielSearch"))
    move_help: ClassVar[str] = "write a move as OpenSpiel does (`moves` lists them)"
    spiel_text: ClassVar[str] = ""  # what OpenSpiel calls it

    def __post_init__(self) -> None:
        _try_unusual(type(self), self.options)

    @cached_property
    def spiel(self) -> Any:
        """The game as OpenSpiel has it."""
        return _load(self.spiel_text, self.options)

    @cached_property
    def _states(self) -> StateCache:
        return StateCache(self.spiel)

    def state_of(self, position: Position) -> Any:
        """The position as a state of OpenSpiel's; a copy, to do with as one likes."""
        return self._states.get(position.view).clone()

    @property
    def interpreted(self) -> Any:  # the rules are plain Python already
        return self

    @property  # type: ignore[misc]  # a constant elsewhere; here the wrapped game says it
    def players(self) -> int:
        return int(self.spiel.num_players())

    @cached_property  # type: ignore[misc]  # a constant elsewhere; here the wrapped game says it
    def actions(self) -> int:
        return int(self.spiel.num_distinct_actions())

    @cached_property  # type: ignore[misc]  # a constant elsewhere; here the wrapped game says it
    def outcomes(self) -> int:
        return int(self.spiel.max_chance_outcomes())

    @cached_property  # type: ignore[misc]  # a constant elsewhere; here the wrapped game says it
    def observe_shape(self) -> tuple[int, ...]:
        shown = self.spiel.get_type().provides_observation_tensor
        return tuple(self.spiel.observation_tensor_shape()) if shown else ()

    @cached_property
    def counts_points(self) -> bool:
        """Whether results go beyond -1 to 1: those are points then."""
        return bool(self.spiel.min_utility() < -1.0 or self.spiel.max_utility() > 1.0)

    @cached_property
    def options(self) -> dict[str, Any]:
        # OpenSpiel has texts that are empty by default, which records cannot hold: what is not there is empty.
        return {name: value for name, value in super().options.items() if value != ""}

    @cached_property
    def digest(self) -> str:
        text = f"{self.spiel} with OpenSpiel {need('pyspiel', 'openspiel').__version__}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @classmethod
    def _remake(cls, options: dict[str, Any]) -> Any:
        raise NotImplementedError("goes by name, see __reduce__")

    def __reduce__(self) -> Any:
        return load_openspiel, (self.spiel_text, self.options)

    # The rules

    def layout(self) -> Any:
        length = int(self.spiel.max_history_length())
        kind = np.min_scalar_type(max(self.actions, self.outcomes, 1) - 1).str[1:]
        return [("length", "i4"), ("steps", kind, (max(length, 1),))]

    def start(self, s: Any) -> None:
        """No history is the start."""

    def player(self, s: Any) -> int:
        state = self._states.get(s)
        if state.is_terminal():
            return OVER
        return CHANCE if state.is_chance_node() else int(state.current_player())

    def legal(self, s: Any, moves: Any) -> int:
        found = self._states.get(s).legal_actions()
        moves[: len(found)] = found
        return len(found)

    def play(self, s: Any, move: Any) -> None:
        self._states.advance(s, int(move))

    def chances(self, s: Any, outcomes: Any, weights: Any) -> int:
        likely = [(outcome, weight) for outcome, weight in self._states.get(s).chance_outcomes() if weight > 0.0]
        for i, (outcome, weight) in enumerate(likely):
            outcomes[i], weights[i] = outcome, weight
        return len(likely)

    def draw(self, s: Any, outcome: Any) -> None:
        self._states.advance(s, int(outcome))

    def scores(self, s: Any, out: Any) -> None:
        out[:] = self._states.get(s).returns() if self.counts_points else 0.0

    def results(self, s: Any, out: Any) -> None:
        out[:] = self._states.get(s).returns()

    def observe(self, s: Any, out: Any) -> None:
        if not self.observe_shape:
            return
        state = self._states.get(s)
        seen = state.observation_tensor(max(int(state.current_player()), 0))
        out[:] = np.array(seen, np.float32).reshape(out.shape)

    def weigh(self, which: int, s: Any, moves: Any, count: int, weights: Any) -> None:
        """Kernels ask for the policies of a game by this method; OpenSpiel's have none."""
        weights[:count] = 1.0

    # For people

    def move_text(self, s: Any, move: int) -> str:
        return self._names(s)[move]

    def outcome_text(self, s: Any, outcome: int) -> str:
        return self._names(s)[outcome]

    def _names(self, s: Any) -> dict[int, str]:
        """A name for each step that is possible at `s`, on one line, none twice."""
        state = self._states.get(s)
        if self.__dict__.get("_named", (None,))[0] is not state:
            texts = {step: " ".join(state.action_to_string(step).split())[:150] for step in state.legal_actions()}
            taken = Counter(texts.values())
            names = {step: text if taken[text] == 1 else f"{text} #{step}" for step, text in texts.items()}
            self.__dict__["_named"] = (state, names)  # asked for step by step
        found: dict[int, str] = self.__dict__["_named"][1]
        return found

    def board(self, s: Any) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", str(self._states.get(s))).strip("\n")

    def unsound(self, s: Any) -> str:
        steps = s.steps.tolist()
        if not 0 <= s.length <= len(steps) or any(steps[s.length :]):
            return "its history has another length than it says"
        state = self.spiel.new_initial_state()
        for number, step in enumerate(steps[: s.length], start=1):
            if state.is_terminal() or step not in state.legal_actions():
                return f"step {number} of its history, {step}, is not possible there"
            state.apply_action(step)
        return ""


def load_openspiel(text: str, options: Mapping[str, object]) -> Game:
    """The game that OpenSpiel calls `text`, such as `breakthrough` or `connect_four(rows=5)`, with options by name."""
    pyspiel = need("pyspiel", "openspiel")
    parsed = _TEXT.match(text.strip())
    name = parsed["name"].strip() if parsed else ""
    if parsed is None or not name:
        raise InputError(f"openspiel: {text!r} is no game; write openspiel:NAME or openspiel:NAME(option=value,...)")
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if name not in kinds:
        raise InputError(f"openspiel: no game {name!r}; there are {', '.join(playable_names())}")
    written = parsed["parameters"] or ""
    given: dict[str, object] = {**split_settings(f"openspiel:{name}", parsed["options"] or ""), **options}
    if "(" in written[1:]:  # a game of a game, such as misere(game=tic_tac_toe()): OpenSpiel alone can read that
        return make(_game_class(name + written), given)
    _check_kind(name, kinds[name])
    kind = _game_class(name)
    given = {**split_settings(f"openspiel:{name}", written.strip("()")), **given}
    asked = read_settings(kind, f"openspiel:{name}", given)
    _try_unusual(kind, asked)
    # Some defaults follow from other options (a board's columns from its size): let OpenSpiel complete them.
    complete = _load(name, asked).get_parameters()
    known = {field: complete[field] for field in _defaults(kind) if field in complete}
    return make(kind, {**known, **asked})


def _check_kind(text: str, kind: Any) -> None:
    """Refuse what the contract of a game has no place for, with the reason."""
    reason = unplayable(kind)
    if reason:
        raise InputError(
            f"openspiel:{text} {reason}; Boardwright plays games of perfect information in which one player moves "
            f"at a time, such as {', '.join(playable_names()[:8])}"
        )


def unplayable(kind: Any) -> str:
    """Why Boardwright cannot play games of an OpenSpiel GameType; nothing if it can."""
    if kind.dynamics.name != "SEQUENTIAL":
        return "lets players move at the same time" if kind.dynamics.name == "SIMULTANEOUS" else "is a mean field game"
    if kind.information.name != "PERFECT_INFORMATION":
        return "hides information from players"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "draws its chance in secret (sampled stochastic)"
    return ""


def playable_names() -> list[str]:
    """What `openspiel:` can be followed by, without parameters."""
    kinds = need("pyspiel", "openspiel").registered_games()
    own = "boardwright_"  # games that went out need not come in again
    return sorted(
        kind.short_name
        for kind in kinds
        if kind.default_loadable and not unplayable(kind) and not kind.short_name.startswith(own)
    )


@cache
def _game_class(text: str) -> type[OpenSpielGame]:
    """A class for one of OpenSpiel's games, with its parameters as options: two loads of it are equal."""
    pyspiel = need("pyspiel", "openspiel")
    name = text.partition("(")[0]
    kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == name)
    if text != name:
        _try_out(text, "{}")
        kind = _load(text, {}).get_type()
        _check_kind(text, kind)
    taken = set(dir(OpenSpielGame)) - {"players"}
    parameters = {} if text != name else dict(kind.parameter_specification)
    fields = {
        field: default
        for field, default in parameters.items()
        if type(default) in KINDS.values() and field not in taken and field.isidentifier()
    }
    body: dict[str, Any] = {
        "__annotations__": {field: type(default).__name__ for field, default in fields.items()},
        "__doc__": f"{kind.long_name}, as OpenSpiel plays it",
        "__module__": __name__,
        "spiel_text": text,
        "_name": "openspiel_" + re.sub(r"\W+", "_", text).strip("_"),
        "_source": f"openspiel:{text}",
        **fields,
    }
    return type("OpenSpiel" + "".join(part.title() for part in re.split(r"[\W_]+", text)), (OpenSpielGame,), body)


_TRIAL = """
import json, random, sys
import pyspiel
try:
    options = json.loads(sys.argv[2])
    game = pyspiel.load_game(sys.argv[1], options) if options else pyspiel.load_game(sys.argv[1])
    state = game.new_initial_state()
    for _ in range(300):
        if state.is_terminal():
            break
        state.apply_action(random.choice(state.legal_actions()))
        str(state)
except Exception as error:
    sys.exit((str(error).strip() or type(error).__name__).splitlines()[0])
"""


def _defaults(kind: type[OpenSpielGame]) -> dict[str, object]:
    return {field.name: field.default for field in dataclasses.fields(kind)}


def _try_unusual(kind: type[OpenSpielGame], options: Mapping[str, object]) -> None:
    """Try options out that are not the usual ones, wherever they come from: a spec, a record, a page."""
    defaults = _defaults(kind)
    unusual = {name: value for name, value in options.items() if value != defaults[name]}
    if unusual:
        _try_out(kind.spiel_text, json.dumps(unusual, sort_keys=True))


@cache
def _try_out(text: str, options: str) -> None:
    """Some options crash OpenSpiel (connect four without rows): play one game with them in a process of its own."""
    command = [sys.executable, "-c", _TRIAL, text, options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)  # noqa: S603 - our own text, this Python
    except subprocess.TimeoutExpired:
        raise InputError(f"openspiel:{text}: one game with options {options} takes more than a minute") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        reason = lines[-1] if lines and done.returncode > 0 else "it crashes"
        given = f" with {options}" if options != "{}" else ""
        raise InputError(f"openspiel:{text}: OpenSpiel cannot play it{given}: {reason}")


def _load(text: str, options: Mapping[str, Any]) -> Any:
    pyspiel = need("pyspiel", "openspiel")
    try:
        spiel = pyspiel.load_game(text, dict(options)) if options else pyspiel.load_game(text)
        state = spiel.new_initial_state()
        if not state.is_terminal() and not state.legal_actions():
            raise InputError(f"openspiel:{text}: there is nothing to play with these options")
    except pyspiel.SpielError as error:
        raise InputError(f"openspiel:{text}: {str(error).strip().splitlines()[0]}") from None
    if not 1 <= spiel.max_history_length() <= MOST_HISTORY:
        raise InputError(
            f"openspiel:{text}: games of up to {spiel.max_history_length():,} moves; {MOST_HISTORY:,} are possible"
        )
    return spiel
