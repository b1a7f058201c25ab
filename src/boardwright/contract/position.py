"""A position: one state of one game, immutable, with readable moves. Playing makes a new one."""

from __future__ import annotations

import json
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.contract.backend import backend
from boardwright.contract.errors import NO_MOVE, BoardwrightError, InputError, NoMove, RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.random import RandomSource, as_random
from boardwright.contract.state import States, View, copy_record

if TYPE_CHECKING:
    from collections.abc import Iterator

JSON_FORMAT = 1
MOST_DRAWS_IN_A_ROW = 10_000
SOON_COMPILED = 100  # questions to a game's rules that the interpreter answers before they are compiled

_asked: Counter[Game] = Counter()


class Answers(NamedTuple):
    """What the rules say of a position."""

    actor: int  # 0 .. players-1, or CHANCE, or OVER
    steps: tuple[int, ...]  # the legal moves; at CHANCE the outcomes
    weights: tuple[float, ...]  # at CHANCE: how likely each of these is
    scores: tuple[float, ...]  # scores[i] is player i's
    results: tuple[float, ...]  # results[i] is player i's; they count at OVER


class Position:
    """One state of a game. `previous` is the position that it came from, `step` the move or outcome between."""

    def __init__(
        self,
        game: Game,
        record: npt.NDArray[np.void],
        *,
        debug: bool = False,
        previous: Position | None = None,
        step: int | None = None,
    ) -> None:
        assert record.shape == (1,) and record.dtype == game.state_dtype
        record.flags.writeable = False
        self.game = game
        self.record = record
        self.debug = debug
        self.previous = previous
        self.step = step

    # What is the case

    @property
    def player(self) -> int:
        """Who acts: 0 .. players-1, or CHANCE, or OVER."""
        return self.answers.actor

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.answers.actor == OVER

    @property
    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return self.answers.actor == CHANCE

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves of the player to act; none at CHANCE and OVER."""
        return () if self.is_chance else self.answers.steps

    @cached_property
    def chances(self) -> tuple[tuple[int, float], ...]:
        """At CHANCE: every outcome with its probability."""
        if not self.is_chance:
            return ()
        weights = self.answers.weights
        total = sum(weights)
        return tuple((outcome, weight / total) for outcome, weight in zip(self.answers.steps, weights, strict=True))

    @property
    def scores(self) -> tuple[float, ...]:
        """Points so far: scores[i] is player i's."""
        return self.answers.scores

    @property
    def results(self) -> tuple[float, ...] | None:
        """Once the game is over: results[i] is what player i got of what players maximise. None before."""
        return self.answers.results if self.is_over else None

    @cached_property
    def answers(self) -> Answers:
        """All that the rules say of the position, asked once."""
        game = self.game
        choices = np.empty(max(game.actions, game.outcomes, 1), np.int32)
        weights = np.empty(max(game.outcomes, 1), np.float64)
        scores, results = np.zeros(game.players), np.zeros(game.players)
        actor, count = self._call("look", choices, weights, scores, results)
        actor, count = int(actor), int(count)
        if not -2 <= actor < game.players:
            raise RuleError(
                f"{game.name}.player: returned {actor}; return 0 to {game.players - 1}, bw.CHANCE or bw.OVER"
            )
        if actor != OVER and count < 1:
            if actor != CHANCE:
                raise NoMove(f"{game.name}.legal: {NO_MOVE}")
            raise RuleError(
                f"{game.name}.chances: no outcome at a position that is not over; let player() return bw.OVER there"
            )
        method, limit = ("chances", game.outcomes) if actor == CHANCE else ("legal", game.actions)
        if count > limit:
            raise RuleError(
                f"{game.name}.{method}: returned {count}, but only {limit} exist; "
                f"raise {'outcomes' if actor == CHANCE else 'actions'} or write fewer"
            )
        likely = weights[:count].tolist() if actor == CHANCE else []
        if actor == CHANCE and not 0.0 < sum(likely) < float("inf"):
            raise RuleError(
                f"{game.name}.chances: the weights sum to {sum(likely)}; give each outcome a weight above 0"
            )
        steps = tuple(choices[:count].tolist())
        return Answers(actor, steps, tuple(likely), tuple(scores.tolist()), tuple(results.tolist()))

    # What may be done

    def play(self, move: int | str) -> Position:
        """The position after a player's move, given as its number or its text."""
        if self.is_over or self.is_chance:
            raise InputError(
                f"{self.game.name}: {'the game is over' if self.is_over else 'chance moves here: use draw or sample'}"
            )
        return self._after("play_move", self.parse(move))

    def draw(self, outcome: int | str) -> Position:
        """The position after chance did `outcome`, given as its number or its text."""
        if not self.is_chance:
            raise InputError(f"{self.game.name}: chance does not move here")
        return self._after("draw_outcome", self.parse(outcome))

    def advance(self, step: int | str) -> Position:
        """`play` or `draw`, whichever fits here."""
        return self.draw(step) if self.is_chance else self.play(step)

    def sample(self, rng: RandomSource) -> Position:
        """The position after one draw of chance. `rng`: a seed, or a generator of NumPy, Python or ours."""
        if not self.is_chance:
            raise InputError(f"{self.game.name}: chance does not move here")
        return self.draw(self.chances[as_random(rng).pick([chance for _, chance in self.chances])][0])

    def settle(self, rng: RandomSource) -> Position:
        """The position after all draws that come before the next player's move; `rng` as for `sample`."""
        position, rng = self, as_random(rng)
        for _ in range(MOST_DRAWS_IN_A_ROW):
            if not position.is_chance:
                return position
            position = position.sample(rng)
        raise RuleError(f"{self.game.name}.draw: {MOST_DRAWS_IN_A_ROW} draws in a row and no end; a draw must lead on")

    def _after(self, question: str, step: int) -> Position:
        record = copy_record(self.record)
        after = Position(self.game, record, debug=self.debug, previous=self, step=step)
        record.flags.writeable = True
        after._call(question, step)
        record.flags.writeable = False
        return after

    # Text

    def text(self, step: int) -> str:
        """The name of a legal move here, or of an outcome at CHANCE."""
        if step not in self.answers.steps:
            raise InputError(f"{self.game.name}: {step} is no legal {'outcome' if self.is_chance else 'move'} here")
        return self.texts[step]

    @cached_property
    def texts(self) -> dict[int, str]:
        """The names of all legal moves here, or of all outcomes at CHANCE, by their numbers."""
        name = self.game.outcome_text if self.is_chance else self.game.move_text
        return {step: name(self.view, step) for step in self.answers.steps}

    def parse(self, step: int | str) -> int:
        """The legal move (at CHANCE the outcome) of that name or number; refused with the reason otherwise."""
        if not isinstance(step, str):
            if step in self.answers.steps:
                return int(step)
            raise InputError(f"{self.game.name}: {step!r} is no legal {'outcome' if self.is_chance else 'move'} here")
        wanted = step.strip()
        texts = {text: number for number, text in self.texts.items()}
        if wanted in texts:
            return texts[wanted]
        folded = [number for text, number in texts.items() if text.casefold() == wanted.casefold()]
        if len(folded) == 1:
            return folded[0]
        reason = "" if self.is_chance else self.game.explain(self.view, wanted)
        raise InputError(f"{self.game.name}: {shorten(step)!r} - {reason or self._what_fits()}")

    def _what_fits(self) -> str:
        if self.is_over:
            return "the game is over"
        some = list(self.texts.values())
        listed = ", ".join(some[:12]) + (f" and {len(some) - 12} more" if len(some) > 12 else "")
        if self.is_chance:
            return f"chance can do: {listed}"
        return f"no legal move here; {self.game.move_help or 'legal are: ' + listed}"

    @cached_property
    def view(self) -> View:
        """The state for reading in Python, field by field."""
        return States(self.record)[0]

    def __str__(self) -> str:
        return self.game.board(self.view)

    def __repr__(self) -> str:
        return f"<Position of {self.game}, player {self.player}>"

    def svg(self) -> str:
        """The board as a complete SVG document."""
        return self.game.svg(self.view)

    def observe(self) -> npt.NDArray[np.float32]:
        """A network's input, seen by the player to act."""
        out = np.zeros(self.game.observe_shape, np.float32)
        self._call("observe_state", out)
        return out

    def features(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """What a learnt value sees: the numbers of the features that the position has, and how much of each."""
        indices, values = np.zeros(self.game.features_most, np.int32), np.zeros(self.game.features_most, np.float32)
        count = int(self._call("list_features", indices, values))
        return indices[:count], values[:count]

    def move_features(self, move: int) -> npt.NDArray[np.int32]:
        """What a learnt policy sees of a legal move: by the game's own rule, else its number."""
        if not self.game.writes("move_features"):
            return np.array([move], np.int32)
        indices = np.zeros(self.game.move_features_most, np.int32)
        return indices[: int(self._call("list_move_features", move, indices))]

    @property
    def viewer(self) -> int:
        """From whose side a learnt value sees the position: by the game's own rule, else the player to act or 0."""
        return int(self._call("viewer_of")) if self.game.writes("viewer") else max(self.player, 0)

    def weigh(self, policy: str) -> npt.NDArray[np.float64]:
        """How much the game's own `policy` likes each of `moves`."""
        weights = np.zeros(len(self.moves))
        self._ask(
            "weigh_moves",
            self.game.policies.index(policy) + 1,
            self.record,
            np.array(self.moves, np.int32),
            weights,
        )
        return weights

    def bounds(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """(low, high): what each player gets at least and at most if all play best, as far as the rules can tell."""
        low, high = np.zeros(self.game.players), np.zeros(self.game.players)
        self._call("bound_results", low, high)
        return tuple(low.tolist()), tuple(high.tolist())

    # JSON

    def to_json(self) -> str:
        """The position as one line of JSON that `Game.from_json` reads back."""
        return json.dumps(
            {"boardwright": JSON_FORMAT, "game": self.game.name, "options": self.game.options, "state": self.fields()}
        )

    def fields(self) -> dict[str, Any]:
        """The state's fields as plain numbers and lists."""
        return {name: self.record[name][0].tolist() for name in self.game.state_dtype.names or ()}

    @property
    def key(self) -> bytes:
        """The state's bytes: two positions of a game are equal if these are."""
        return self.record.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash((self.game, self.key))

    def line(self) -> Iterator[Position]:
        """Every position from the first to this one."""
        positions: list[Position] = []
        here: Position | None = self
        while here is not None:
            positions.append(here)
            here = here.previous
        return reversed(positions)

    def _call(self, question: str, *args: Any) -> Any:
        return self._ask(question, self.record, *args)

    def _ask(self, question: str, *args: Any) -> Any:
        """Put one of the questions of compile/rule_kernels.py to the rules."""
        rules = backend()
        if self.debug or _asked[self.game] >= SOON_COMPILED:
            return rules.ask(self.game, question, *args, interpreted=self.debug)
        # Whoever asks little, such as a search that has its own kernels, does not wait seconds for the compiler.
        _asked[self.game] += 1
        try:
            return rules.ask(self.game, question, *args, interpreted=True)
        except BoardwrightError:
            raise
        except SystemExit as error:
            raise RuleError(f"{self.game.name}: its rules called sys.exit({error.code!r}); rules only play") from None
        except Exception as error:
            raise rules.explain_failure(self.game, error) from None


def compile_later(game: Game, questions: int) -> None:
    """Let the interpreter answer so many more questions: the rules are being compiled elsewhere."""
    _asked[game] = SOON_COMPILED - questions


def compile_at_once(game: Game) -> None:
    """Let positions of this game use compiled rules from the first question on."""
    _asked[game] = SOON_COMPILED


def begin(game: Game, seed: RandomSource, debug: bool = False) -> Position:
    """The first position at which a player moves; see `Game.begin`."""
    return blank(game, debug).settle(seed)


def blank(game: Game, debug: bool = False) -> Position:
    """The start, before any draw."""
    record = np.zeros(1, game.state_dtype)
    position = Position(game, record, debug=debug)
    record.flags.writeable = True
    position._call("start_state")
    record.flags.writeable = False
    return position


def from_json(game: Game, text: str) -> Position:
    """Read what `to_json` wrote, for this game with these options."""
    where = f"{game.name}: position"
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON ({error}); copy it whole") from None
    told = data.get("boardwright") if isinstance(data, dict) else None
    if type(told) is int and told > JSON_FORMAT:
        raise InputError(f"{where}: format {told} is newer than this Boardwright reads ({JSON_FORMAT}); update it")
    if told != JSON_FORMAT:
        raise InputError(f'{where} is not one of ours; it starts with {{"boardwright": {JSON_FORMAT}, "game": ...')
    if data.get("game") != game.name or data.get("options") != game.options:
        raise InputError(
            f"{where} belongs to {shorten(str(data.get('game')))} "
            f"{shorten(json.dumps(data.get('options')))}, not to {game}"
        )
    record = _read_fields(game, where, data.get("state"))
    view = States(record)[0]
    try:
        reason = game.unsound(view) or _unplayable(game, record)
        if not reason:
            game.board(view)  # a game that does not say what is unsound may still not know how to show it
            game.svg(view)
    except (LookupError, ValueError, OverflowError, ZeroDivisionError, RuleError) as error:
        reason = f"the rules stumble over it ({error})"
    if reason:
        raise InputError(f"{where} cannot arise in play: {reason}")
    return Position(game, record)


def _read_fields(game: Game, where: str, state: object) -> npt.NDArray[np.void]:
    names = game.state_dtype.names or ()
    if not isinstance(state, dict) or set(state) != set(names):
        raise InputError(f"{where}: 'state' must have exactly the fields {', '.join(names)}")
    record = np.zeros(1, game.state_dtype)
    for name in names:
        kind = game.state_dtype[name]
        try:
            read = np.array(state[name])
            fits = read.shape == kind.shape and read.dtype.kind in (
                "iuf" if kind.base.kind == "f" else "iu" if kind.base.kind != "b" else "b"
            )
            cast = read.astype(kind.base) if fits else read
        except (ValueError, TypeError, OverflowError):
            fits, read, cast = False, np.zeros(0), np.zeros(0)
        if not fits or not (np.array_equal(cast, read) or kind.base.kind == "f"):
            raise InputError(
                f"{where}: field {name!r} must hold numbers of type {kind.base} in shape {kind.shape or 'one number'}"
            )
        record[name][0] = cast
    return record


def _unplayable(game: Game, record: npt.NDArray[np.void]) -> str:
    """Ask the rules all questions in the interpreter, where an index out of range is an error, not a crash."""
    position = Position(game, copy_record(record), debug=True)
    steps = position.answers.steps
    limit = game.outcomes if position.is_chance else game.actions
    if any(not 0 <= step < limit for step in steps):
        return "it has moves that the game does not know"
    for step in steps[:3]:
        position.advance(step)
    return ""


def shorten(text: str, most: int = 60) -> str:
    """Text from outside, cut to a length fit for a message."""
    return text if len(text) <= most else text[: most - 3] + "..."
