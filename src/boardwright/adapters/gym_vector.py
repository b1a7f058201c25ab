"""Many games at once for Gymnasium, stepped by one kernel: `gymnasium.make_vec("Boardwright/2048-v0", num_envs=256)`.

The agent's moves, the draws, and the opponents' moves until it is the agent's turn again: all inside one call.
Opponents are therefore those that a kernel knows: random, and the game's own policies. For others there is
`vectorization_mode="sync"` or `"async"`. A game that has ended begins anew at the next step, whose action is ignored
and whose reward is 0 (Gymnasium's AutoresetMode.NEXT_STEP).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from boardwright.adapters.extras import need
from boardwright.adapters.gym import ANY_SEAT, FIRST_ALONE, table
from boardwright.adapters.observation import FAR, Sight, lost
from boardwright.compile.diagnose import run_kernel
from boardwright.compile.kernel import kernel
from boardwright.compile.playout import draw_once, open_moves
from boardwright.compile.random import below, pick
from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import blank
from boardwright.players import PlayerSpec

gymnasium = need("gymnasium", "gym")
VectorEnv: Any = gymnasium.vector.VectorEnv


class Seated(NamedTuple):
    """Who plays each game; a row or a number a game."""

    ended: npt.NDArray[np.int8]
    seats: npt.NDArray[np.int64]  # the agent's
    others: npt.NDArray[np.int64]  # (games, players): who plays each other seat; see go_on
    rngs: npt.NDArray[np.uint64]


class Room(NamedTuple):
    """Scratch."""

    choices: npt.NDArray[np.int32]  # room for all moves and outcomes
    weights: npt.NDArray[np.float64]  # the same
    out: npt.NDArray[np.float64]  # a number a player


@kernel
def begin_games(game: Any, states: Any, due: Any, seated: Any, room: Any) -> None:
    """A new game in states[g] wherever due[g], played on to the first move of the agent; states[-1] is the blank record
    that a game starts from. seated.ended[g]: whether it is over before that move."""
    ended, seats, others, rngs = seated
    choices, weights, _out = room
    last = len(states) - 1
    for g in range(last):
        if due[g] != 0:
            states[g] = states[last]
            go_on(game, states[g], seats[g], others[g], rngs[g], choices, weights)
            ended[g] = 1 if game.player(states[g]) == OVER else 0


@kernel
def go_on(game: Any, s: Any, seat: Any, others: Any, rng: Any, choices: Any, weights: Any) -> None:
    """Draws and moves of others until `seat` is to move or the game is over. others[i]: who plays seat i - 0 plays at
    random, k the game's policy number k."""
    actor = game.player(s)
    while actor != OVER and actor != seat:
        if actor == CHANCE:
            draw_once(game, s, rng, choices, weights)
        else:
            count = open_moves(game, s, choices)
            if others[actor] == 0:
                game.play(s, choices[below(rng, count)])
            else:
                game.weigh(others[actor], s, choices, count, weights)
                keep_best(weights, count)
                game.play(s, choices[pick(rng, weights, count)])
        actor = game.player(s)


@kernel
def keep_best(weights: Any, count: Any) -> None:
    """1 for the largest of the weights, 0 for the others."""
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    for i in range(count):
        weights[i] = 1.0 if weights[i] == best else 0.0


@kernel
def step_games(game: Any, states: Any, seated: Any, masks: Any, moves: Any, pays: Any, room: Any, rewards: Any) -> None:
    """The agent's moves[g] in every game that has not ended; masks as see_games wrote them. pays: (1 where rewards are
    points as they come, else 0 for the result at the end; what an illegal move, which ends the game, costs)."""
    ended, seats, others, rngs = seated
    choices, weights, out = room
    points, penalty = pays
    for g in range(len(ended)):
        rewards[g] = 0.0
        if ended[g] != 0:
            continue
        s = states[g]
        if moves[g] < 0 or moves[g] >= masks.shape[1] or masks[g, moves[g]] == 0:
            rewards[g] = penalty
            ended[g] = 1
            continue
        seat = seats[g]
        game.scores(s, out)
        before = out[seat]
        game.play(s, moves[g])
        go_on(game, s, seat, others[g], rngs[g], choices, weights)
        over = game.player(s) == OVER
        if points != 0:
            game.scores(s, out)
            rewards[g] = out[seat] - before
        elif over:
            game.results(s, out)
            rewards[g] = out[seat]
        if over:
            ended[g] = 1


@kernel
def see_games(game: Any, states: Any, ended: Any, choices: Any, masks: Any, observations: Any) -> None:
    """masks[g] and observations[g], zeroed before, of every game; where it has ended nothing is legal."""
    for g in range(len(ended)):
        game.observe(states[g], observations[g])
        if ended[g] == 0:
            count = game.legal(states[g], choices)
            for i in range(count):
                masks[g, choices[i]] = 1


class GameVectorEnv(VectorEnv):  # type: ignore[misc]  # a base class without types
    """num_envs games of one kind, each seen from one seat; the other arguments are those of GameEnv."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = FIRST_ALONE,
        opponent: str | Sequence[str] = "random",
        seat: int = 0,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs={num_envs} must be 1 or more")
        self.num_envs = num_envs
        self.game, specs = table(game, opponent, seat, options)
        rules, self._sight = self.game, Sight(self.game)
        self._numbers = [_number(rules, spec) for spec in specs]
        self._wanted_seat = seat
        spaces = gymnasium.spaces
        self.single_action_space = spaces.Discrete(int(rules.actions))
        self.single_observation_space = spaces.Box(-FAR, FAR, self._sight.shape, np.float32)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        size = max(rules.actions, rules.outcomes, 1)
        self._room = Room(np.zeros(size, np.int32), np.zeros(size), np.zeros(rules.players))
        self._states = np.zeros(num_envs + 1, rules.state_dtype)
        self._states[num_envs:] = blank(rules).record
        self._ended = np.ones(num_envs, np.int8)
        self._seats = np.zeros(num_envs, np.int64)
        self._others = np.zeros((num_envs, rules.players), np.int64)
        self._rngs = np.zeros((num_envs, 1), np.uint64)
        self._seated = Seated(self._ended, self._seats, self._others, self._rngs)
        self._rewards = np.zeros(num_envs)
        self._masks = np.zeros((num_envs, rules.actions), np.int8)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Every game anew. A list of seeds gives each game its own."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._rngs[:, 0] = self.np_random.integers(2**64, size=self.num_envs, dtype=np.uint64)
        for g, own in enumerate(seed if isinstance(seed, list) else ()):
            if own is not None:
                self._rngs[g] = np.random.default_rng(own).integers(2**64, dtype=np.uint64)
        self._begin(np.ones(self.num_envs, np.int8))
        return self._seen()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        moves = np.ascontiguousarray(actions, np.int64)
        if moves.shape != (self.num_envs,):
            raise InputError(f"{self.game.name}: actions of shape {moves.shape}; {self.num_envs} games need one each")
        due = self._ended.copy()
        self._call(
            step_games, self._states, self._seated, self._masks, moves,
            (int(self.game.counts_points), float(lost(self.game))), self._room, self._rewards,
        )  # fmt: skip
        if due.any():
            self._begin(due)
        seen, info = self._seen()
        return seen, self._rewards.copy(), self._ended.astype(np.bool_), np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(games, actions): which actions are legal."""
        return self._seen()[1]["action_mask"].astype(np.bool_)  # type: ignore[no-any-return]  # Gymnasium's info is Any

    def _begin(self, due: npt.NDArray[np.int8]) -> None:
        seats = int(self.game.players)
        for g in np.flatnonzero(due) if seats > 1 else ():
            seat = int(self.np_random.integers(seats)) if self._wanted_seat == ANY_SEAT else self._wanted_seat
            self._seats[g] = seat
            self._others[g, [place for place in range(seats) if place != seat]] = self._numbers
        self._call(begin_games, self._states, due, self._seated, self._room)

    def _seen(self) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        masks = np.zeros((self.num_envs, self.game.actions), np.int8)
        seen = np.zeros((self.num_envs, *self.game.observe_shape), np.float32)
        self._call(see_games, self._states, self._ended, self._room.choices, masks, seen)
        if not self._sight.drawn:
            seen = self._sight.fields(self._states[: self.num_envs])
        self._masks = masks.copy()  # what is handed out may be written to
        return seen, {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _call(self, kernel: Any, *args: Any) -> None:
        run_kernel(self.game, kernel, self.game, *args)


def _number(game: Game, spec: str) -> int:
    """How a kernel knows an opponent: 0 plays at random, k the game's policy number k."""
    parsed = PlayerSpec.parse(spec)
    names = ["random", *(policy.replace("_", "-") for policy in game.policies)]
    wanted = parsed.kind.replace("_", "-")
    if wanted not in names or parsed.settings:
        raise InputError(
            f"{game.name}: many games at once are played against {', '.join(names)} (without settings); for {spec!r} "
            'make them with vectorization_mode="sync" or "async"'
        )
    return names.index(wanted)
