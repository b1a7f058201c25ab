"""The contract of a game: a frozen dataclass of options whose methods are the rules over one NumPy record.

Write `layout`, `start`, `player`, `legal`, `play`, and `scores` or `results`; games with chance also write
`chances` and `draw`. Everything else has a default. Rules never draw random numbers: at a chance position
they list what may happen, and the caller draws.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boardwright.contract.card import Card
from boardwright.contract.compilable import Compilable
from boardwright.contract.grid import Grid, choose_style, name_columns, plan_grid, plan_panels
from boardwright.contract.old_hints import OldHint, take_over
from boardwright.contract.rules import COMPILED
from boardwright.contract.state import record_dtype

if TYPE_CHECKING:
    from boardwright.contract.position import Position
    from boardwright.contract.random import RandomSource

CHANCE = -1  # `player` at a position where chance moves
OVER = -2  # `player` at a finished game


class Game(Compilable):
    """One game with its options. Subclasses are frozen dataclasses by themselves: an annotated field is an
    option, a plain class attribute a constant of the rules."""

    RULES: ClassVar[tuple[str, ...]] = COMPILED  # contract/rules.py has an entry for each method below

    # Constants; each may be a property of the options instead.
    players: Any = 2  # seats, 1 to n
    actions: Any = 0  # how many distinct moves exist: moves are 0 .. actions-1
    outcomes: Any = 0  # how many distinct things chance can do: outcomes are 0 .. outcomes-1
    symmetries: Any = 1  # how many images `mirror` can make; image 0 is the state itself
    observe_shape: Any = ()  # shape of what `observe` writes, float32
    policies: ClassVar[tuple[str, ...]] = ()  # methods (s, moves, count, weights) that weigh moves, best known first
    text_styles: ClassVar[Mapping[str, str]] = {}  # regular expression -> Rich style, to colour the text board
    move_help: ClassVar[str] = ""  # one line for people: how a move is written
    board_grid: Any = Grid()  # how the state's fields lie on a board, where that cannot be told from them
    card: ClassVar[Card] = Card()  # what the rest of Boardwright may know of the game that is no rule

    playout, forcing, advice, own_search = OldHint(), OldHint(), OldHint(), OldHint()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        take_over(cls, Game)

    # The rules. `s` is the state; compiled, it is the record itself.

    def layout(self) -> Any:
        """The fields of a state as NumPy knows them: `[("cells", "i1", (9,)), ("turn", "i1")]`."""
        raise NotImplementedError

    def start(self, s: Any) -> Any:
        """Fill a zeroed record with the position before anything has happened."""

    def player(self, s: Any) -> Any:
        """Who acts: 0 .. players-1, or CHANCE, or OVER."""
        raise NotImplementedError

    def legal(self, s: Any, moves: Any) -> Any:
        """Write the legal moves of the player to act, each once, into `moves`; return how many."""
        raise NotImplementedError

    def play(self, s: Any, move: Any) -> Any:
        """Carry out a legal move, in place."""
        raise NotImplementedError

    def chances(self, s: Any, outcomes: Any, weights: Any) -> Any:
        """At CHANCE: write what may happen and how likely (weights above 0, any sum); return how many."""
        return 0

    def draw(self, s: Any, outcome: Any) -> Any:
        """Carry out one thing that chance did, in place."""

    def scores(self, s: Any, out: Any) -> Any:
        """`out[i]` = player i's points so far. Games that count no points leave it at 0."""
        for i in range(self.players):
            out[i] = 0.0

    def results(self, s: Any, out: Any) -> Any:
        """At OVER, `out[i]` = what player i maximises: 1 win, 0 draw, -1 loss; by default the points."""
        self.scores(s, out)

    def observe(self, s: Any, out: Any) -> Any:
        """Write a network's input into `out` (zeroed, float32, `observe_shape`), seen by the player to act."""

    def features(self, s: Any, indices: Any, values: Any) -> Any:
        """What a learnt value sees of a position just after a move, sparsely: write the numbers (below
        `features_count`) of the features that it has into `indices` and how much of each into `values` (float32), at
        most `features_most` of them; a feature may be named twice. Return how many. Here: what `observe` writes."""
        seen = np.zeros(self.observe_shape, np.float32)
        self.observe(s, seen)
        flat = seen.ravel()
        count = 0
        for i in range(len(flat)):
            if flat[i] != 0.0:
                indices[count] = i
                values[count] = flat[i]
                count += 1
        return count

    def move_features(self, s: Any, move: Any, indices: Any) -> Any:
        """What a learnt policy sees of a legal move: write the numbers (below `move_features_count`) of the features
        that it has at `s` into `indices`, 1 to `move_features_most` of them, and return how many. Here: the move's own
        number. Write it where a move's number says little of what it does: equal features are liked alike."""
        indices[0] = move
        return 1

    def viewer(self, s: Any) -> Any:
        """From whose side a learnt value sees `s`: the player to act wherever one is; where chance is about to draw or
        the game is over, any player, best the one whose turn it was or will be. A game that does not write it is
        looked at: a field that always names the player to act names the viewer everywhere."""
        player = self.player(s)
        return player if player >= 0 else 0

    def mirror(self, s: Any, image: Any, out: Any) -> Any:
        """Write image number `image` of state `s`, as equal as the game can tell, into the zeroed state `out`."""

    def mirror_move(self, move: Any, image: Any) -> Any:
        """The move that does in image number `image` what `move` does in the state itself."""
        return move

    def key(self, s: Any) -> Any:
        """A 64-bit number that two states share if and only if (but for rare accidents) they play alike. Without
        it all bytes of a state are hashed: write it where the record also holds what does not matter."""
        return 0

    def bounds(self, s: Any, low: Any, high: Any) -> Any:
        """What player i gets at least, low[i], and at most, high[i], if all play best, as far as the rules can tell
        already: for exact solving. Only for games that are won: results of -1 to 1."""
        for i in range(self.players):
            low[i] = -1.0
            high[i] = 1.0

    def estimate(self, s: Any, out: Any) -> Any:
        """`out[i]` = what player i can expect to get in the end, as far as rules can tell at a glance. A search values
        its leaves by it, unless its settings name a playout. Here: the points so far, where playouts are cut off."""
        self.scores(s, out)

    def winning(self, s: Any, line: Any, tries: Any) -> Any:
        """A win by force that the player to act has, as far as the rules see one after so many tries: write the line of
        play, forced replies included, into `line` (room for all actions) and return its length, 0 without. It must be
        certain: a search takes it as proven. `s` is left as it was. Only for two players and results of -1 to 1."""
        return 0

    def answers(self, s: Any, moves: Any, count: Any, line: Any, tries: Any) -> Any:
        """Where the other would have such a win if the player to act did nothing: keep, in front of `moves`, those of
        moves[:count] that may prevent it, and return how many. The others must be certain to lose. `line` is scratch,
        room for all actions; `s` is left as it was."""
        return count

    def play_on(self, policy: Any, s: Any, most: Any, rng: Any, luck: Any, moves: Any, weights: Any) -> Any:
        """Only where it is much faster than step by step: play up to `most` moves in `s` by policy number `policy`, 1
        the first, draws before, between and after them included, and return how many were made; the caller goes on
        from there, 0 leaves all to it. The moves and draws must be those that `pick` takes from `legal` weighed by the
        policy with a number from `rng`, and from `chances` with one from `luck`. `moves`, `weights`: scratch."""
        return 0

    # For people; plain Python, never compiled.

    def move_text(self, s: Any, move: int) -> str:
        """A move's name at `s`; two legal moves never share one."""
        return str(move)

    def move_note(self, s: Any, move: int) -> str:
        """What a legal move does at `s`, in the game's own words, such as "completes line 3: +4"; nothing where there
        is nothing to say."""
        return ""

    def outcome_text(self, s: Any, outcome: int) -> str:
        """The name of one thing that chance may do at `s`."""
        return str(outcome)

    def move_kind(self, s: Any, move: int) -> str:
        """What kind of move it is at `s`, in a word or two ("build", "trade"): a playtest tells what each kind is
        worth. Nothing: moves are kinds by themselves, as far as they are few."""
        return ""

    def explain(self, s: Any, text: str) -> str:
        """Why `text` is no legal move at `s`, where the game can tell; otherwise nothing."""
        return ""

    def board_cells(self, s: Any) -> list[list[str]]:
        """The board as rows of cells, each a short text: contract/cells.py has the words. Here: the field that looks
        like a board, or that `board_grid` names; no rows if there is none."""
        from boardwright.contract.board_picture import field_cells

        return field_cells(self.grid_plan, s)

    def board(self, s: Any) -> str:
        """The state as text for a terminal."""
        from boardwright.contract.board_picture import board_text

        return board_text(self, s)

    def svg(self, s: Any) -> str:
        """The state as a picture: a complete SVG document."""
        from boardwright.contract.board_picture import draw_board

        return draw_board(self, s)

    def marks(self, s: Any) -> dict[str, float]:
        """What is worth counting at the end of a game besides points: `{"largest tile": 1024.0}`."""
        return {}

    def tally(self, s: Any) -> list[tuple[str, list[float]]]:
        """At the end, what each player's points are made of: `[("rows", [4.0, 2.0]), ...]`. The rows add up to
        `scores`; none where there is nothing to tell."""
        return []

    def unsound(self, s: Any) -> str:
        """Why no play could lead to state `s`; nothing if one could. Guards states that come from outside."""
        return ""

    # What the rest of Boardwright uses.

    @property
    def name(self) -> str:
        """The built-in name, or the class's."""
        return getattr(type(self), "_name", type(self).__name__)

    @property
    def title(self) -> str:
        """The first line of the class's docstring."""
        return (type(self).__doc__ or type(self).__name__).strip().splitlines()[0]

    @cached_property
    def state_dtype(self) -> np.dtype[np.void]:
        """The NumPy record type of one state."""
        return record_dtype(type(self).__name__, self.layout())

    @cached_property
    def grid_plan(self) -> tuple[Any, ...]:
        """Which field is the board, and how it lies: see contract/grid.py."""
        return plan_grid(self)

    @cached_property
    def panel_plan(self) -> tuple[tuple[str, str], ...]:
        """Which fields are shown beside the board, and how."""
        return plan_panels(self)

    @property
    def board_style(self) -> str:
        """How the board is drawn: "plain", "checks" or "holes"."""
        return choose_style(self)

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """What a move into each column is called, where moves are columns; nothing elsewhere."""
        return name_columns(self)

    @property
    def side_names(self) -> tuple[str, ...]:
        """What each player's side is called."""
        return self.card.sides

    @property
    def has_text_board(self) -> bool:
        """Whether the game writes its board for a terminal itself, in more than one line."""
        return self.writes("board")

    @property
    def features_count(self) -> Any:
        """How many features `features` knows; a game that writes its own says it as a constant. 0: none."""
        return math.prod(self.observe_shape) if len(self.observe_shape) else 0

    @property
    def features_most(self) -> Any:
        """How many one position has at most."""
        return self.features_count

    @property
    def move_features_count(self) -> Any:
        """How many features `move_features` knows; a game that writes its own says it as a constant."""
        return self.actions

    @property
    def move_features_most(self) -> Any:
        """How many one move has at most."""
        return 1

    @classmethod
    def writes(cls, rule: str) -> bool:
        """Whether the game writes this rule itself, rather than leave it at the contract's default."""
        return getattr(cls, rule) is not getattr(Game, rule)

    @property
    def counts_points(self) -> bool:
        """Whether players maximise their points, rather than a result of -1 to 1."""
        return not self.writes("results")

    @property
    def has_key(self) -> bool:
        """Whether the game names its states itself."""
        return self.writes("key")

    @property
    def estimates(self) -> bool:
        """Whether the game can value a position at a glance."""
        return self.writes("estimate")

    @property
    def sees_threats(self) -> bool:
        """Whether the game looks for wins by force itself."""
        return self.writes("winning")

    def rules(self) -> tuple[str, ...]:
        # A default that no kernel calls is left out: it would give every game another digest.
        rules = [rule for rule in self.RULES if rule not in ("viewer", "move_features") or self.writes(rule)]
        return *rules, *self.policies

    def made_methods(self) -> dict[str, FunctionType]:
        return {"weigh": _weigh_method(self.policies)}

    def digest_values(self) -> dict[str, object]:
        names = ("players", "actions", "outcomes", "symmetries", "observe_shape", "policies", "state_dtype")
        return {name: getattr(self, name) for name in names}

    def begin(self, seed: RandomSource = 0, *, debug: bool = False) -> Position:
        """The first position at which a player moves; draws before it come from `seed`, a number or a generator.
        With `debug` the rules run in the plain interpreter, where a debugger can follow them."""
        from boardwright.contract.position import begin

        return begin(self, seed, debug)

    def from_json(self, text: str) -> Position:
        """The position that `Position.to_json` wrote. Refuses what the rules cannot reach."""
        from boardwright.contract.position import from_json

        return from_json(self, text)

    def __str__(self) -> str:
        options = ", ".join(f"{name}={json.dumps(value)}" for name, value in self.options.items())
        return f"{self.name}({options})"

    def __reduce__(self) -> Any:
        return type(self)._remake, (self.options,)

    @classmethod
    def _remake(cls, options: dict[str, Any]) -> Any:
        return cls(**options)


@cache
def _weigh_method(policies: tuple[str, ...]) -> FunctionType:
    """`weigh(which, s, moves, count, weights)`: policy number `which` - 1 of the game; 0 likes all alike."""
    lines = ["def weigh(self, which, s, moves, count, weights):"]
    for number, name in enumerate(policies, start=1):
        lines += [f"    if which == {number}:", f"        self.{name}(s, moves, count, weights)", "        return"]
    lines += ["    for i in range(count):", "        weights[i] = 1.0"]
    scope: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(lines), scope)  # noqa: S102 - our own text over names of methods
    made: FunctionType = scope["weigh"]
    return made
