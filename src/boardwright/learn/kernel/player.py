"""Players by a learnt value for one to four players: greedy over whole turns, or two plies deep; by rollouts for who
plays alone; and in a tree."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.state import copy_record
from boardwright.learn.kernel.lookahead import answered, draw_room
from boardwright.learn.kernel.model import load_value
from boardwright.learn.kernel.network import ValueNetwork
from boardwright.learn.kernel.settings import is_solitaire
from boardwright.learn.kernel.turns import best_turn, turn_room
from boardwright.learn.shipped import AUTO
from boardwright.learn.values.player import ValuesPlayer, ValuesSettings
from boardwright.players.control import Control, Progress
from boardwright.players.many import Chooser, chooser_by_state
from boardwright.players.mcts import SearchPlayer
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.settings import SearchSettings
from boardwright.search.stopping import STOPPED

SOLITAIRE_ANSWERS = 16


@dataclass(frozen=True)
class ValueSettings:
    """How far to look."""

    model: str = AUTO  # file or run folder; auto: the one that comes with Boardwright
    plies: int = 1  # 1: where each turn ends; 2: every draw after the best of them and the next player's best answer
    closely: int = 12  # turns that are looked at two plies deep
    consider: int = -1  # answers valued, those that the first policy likes best; 0: all; -1: 16 alone for points
    seconds: float = 0.0  # of rollouts a move, for who plays alone for points
    simulations: int = 0  # rollouts a move, for the same
    finalists: int = 8  # moves between which rollouts decide
    depth: int = 6  # moves of a rollout, after which the value speaks
    seed: int = 0  # of rollouts: one seed, one result (not with seconds); else it changes nothing
    RENAMED: ClassVar[Mapping[str, str]] = {"best": "closely"}

    def __post_init__(self) -> None:
        if self.plies not in (1, 2):
            raise InputError(f"player value: plies={self.plies} must be 1 or 2; to look further: mcts:value=...")
        if not 1 <= self.closely <= 10**4:
            raise InputError(f"player value: closely={self.closely} must be 1 to 10000")
        if not -1 <= self.consider <= 10**6:
            raise InputError(f"player value: consider={self.consider} must be 0 to 1000000, or -1")
        self.rollouts(0)  # refuses what is out of range

    @property
    def rolls_out(self) -> bool:
        return self.seconds > 0 or self.simulations > 0

    def answers(self, game: Game) -> int:
        """How many answers are valued; 0: all."""
        return self.consider if self.consider >= 0 else SOLITAIRE_ANSWERS if is_solitaire(game) else 0

    def rollouts(self, consider: int) -> ValuesSettings:
        """The same for the player that rolls out."""
        return ValuesSettings(
            self.model, 2, self.closely, self.finalists, consider, self.seconds, self.simulations, self.depth,
            seed=self.seed,
        )  # fmt: skip


def value_player(game: Game, spec: str, settings: ValueSettings) -> Player:
    """Who plays so: by whole turns, or by rollouts."""
    if not settings.rolls_out:
        return ValuePlayer(game, spec, settings)
    if game.players != 1 or not game.counts_points:
        raise InputError(
            "player value: rollouts (seconds, simulations) are for one player who counts points; say "
            "mcts:value=... with them, or plies=2"
        )
    return ValuesPlayer(game, spec, settings.rollouts(settings.answers(game)))


@kernel
def play_line(game: Any, states: Any, moves: Any, count: Any) -> None:
    """Play the first so many moves in states[0]."""
    for i in range(count):
        game.play(states[0], moves[i])


class ValuePlayer(Player):
    """Chooses the turn that ends best by the learnt value, and plays its first move."""

    def __init__(self, game: Game, spec: str, settings: ValueSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self.network, self.learned = load_value(settings.model, game)
        self.interpreted = False  # True: plain Python, for tests and debuggers
        self._states, self._room = turn_room(game, settings.closely)
        consider = settings.answers(game)
        self._inner, self._inner_room = turn_room(game, policy=int(bool(game.policies)), consider=consider)
        self._drawn, self._draws = draw_room(game)

    def chooser(self) -> Chooser | None:
        """Of one ply: more take their time."""
        return None if self.settings.plies > 1 else chooser_by_state(self)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        began = time.perf_counter()
        room, me = self._room, position.player
        self._states[:1] = copy_record(position.record)
        self._call(best_turn, self.game, self.network, self.learned, self._states, room)
        looks = int(room.looks[0])
        room.looks[0] = 0
        kept = int(room.lengths[-1])
        values = room.top[:kept].copy()
        lines = [tuple(room.lines[k, : int(room.lengths[k])].tolist()) for k in range(kept)]
        note = "by the learnt value"
        if self.settings.plies > 1:
            deeper = []
            for line in lines:
                if control is not None and control.poll(lambda: Progress(looks, time.perf_counter() - began)):
                    break
                deeper.append(self._further(position, line)[me])
            if len(deeper) == len(lines):
                values = np.array(deeper)
            else:  # stopped: what one ply says stands
                note = STOPPED
        best = int(values.argmax())
        by_move: dict[int, float] = {}
        for line, value in zip(lines, values.tolist(), strict=True):
            by_move[line[0]] = max(value, by_move.get(line[0], value))
        return Choice(
            move=lines[best][0],
            value=tuple(self._value_after(position, lines[best])),
            values=by_move,
            line=lines[best],
            simulations=looks,
            seconds=time.perf_counter() - began,
            note=note,
        )

    def _after(self, position: Position, line: tuple[int, ...]) -> Any:
        record = copy_record(position.record)
        self._call(play_line, self.game, record, np.array(line, np.int32), len(line))
        return record

    def _further(self, position: Position, line: tuple[int, ...]) -> list[float]:
        """What each player can expect after a turn, one turn further."""
        self._drawn[:1] = self._after(position, line)
        self._call(
            answered, self.game, self.network, self.learned, self._drawn, self._draws, self._inner, self._inner_room
        )
        return [float(value) for value in self._draws.total]

    def _value_after(self, position: Position, line: tuple[int, ...]) -> list[float]:
        if self.settings.plies > 1:
            return self._further(position, line)
        out = np.zeros(self.game.players)
        self._call(state_value, self.game, self.network, self.learned, self._after(position, line), out)
        return [float(value) for value in out]

    def _call(self, kernel: Any, *args: Any) -> Any:
        return run_kernel(self.game, kernel, *args, interpreted=self.interpreted)


@kernel
def state_value(game: Any, network: Any, learned: Any, states: Any, out: Any) -> None:
    """out[i] = what player i can expect in states[0]."""
    network.value(game, states[0], learned, out)


@dataclass(frozen=True)
class ValueSearchSettings(SearchSettings):
    """SearchSettings, and the value at the leaves."""

    value: str = AUTO  # a model file or a run's folder; auto: the one that comes with Boardwright
    c: float = 0.4  # weight of exploration in puct, for values normalised to 0..1: a learnt prior needs less than rules
    prior: str = "auto"  # what is liked before search: learnt, uniform, or one of the game's policies
    rollout: str = "none"  # leaves are valued as they are; a policy's name plays on first, to `depth`


class ValueSearchPlayer(SearchPlayer):
    """Tree search whose leaves a learnt value judges, inside the compiled loop."""

    def __init__(self, game: Game, spec: str, settings: ValueSearchSettings) -> None:
        network, learned = load_value(settings.value, game)
        network.__dict__["learned"] = learned
        super().__init__(game, spec, _with_prior(settings, network), network)


def _with_prior(settings: ValueSearchSettings, network: ValueNetwork) -> ValueSearchSettings:
    """What is left open, decided: where a policy was learnt, by puct and that policy."""
    if not network.has_policy:
        if settings.prior == "learnt":
            raise InputError("player mcts: this value has learnt no policy; say prior=uniform, or train again")
        return settings
    prior = "learnt" if settings.prior == "auto" and settings.select in ("auto", "puct", "gumbel") else settings.prior
    select = "puct" if settings.select == "auto" and prior == "learnt" else settings.select
    return replace(settings, prior=prior, select=select)
