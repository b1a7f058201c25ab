"""Gymnasium: games for one player as they are, games for several against opponents named by their specs.

    import gymnasium
    import boardwright.adapters.gym                     # registers Boardwright/2048-v0, Boardwright/Azul-v0, ...
    env = gymnasium.make("Boardwright/Azul-v0", opponent="greedy", players=3)

The reward is the result at the end (1 won, 0 drawn, -1 lost), or the points as they come where a game counts points.
`info["action_mask"]` tells the legal actions. An action that is not legal ends the episode: it loses a game that is
won or lost, and of points it brings no more. Any game: `GameEnv("path/to/file.py:Class")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boardwright.adapters.extras import need
from boardwright.adapters.observation import FAR, Sight, lost, mask_of
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.games.built_in import built_in_kinds
from boardwright.games.load import load
from boardwright.players import Player, player, seeded

gymnasium = need("gymnasium", "gym")
Env: Any = gymnasium.Env

IDS = {kind.card.gym: name for name, kind in built_in_kinds().items() if kind.card.gym}
FIRST_ALONE = next(name for name, kind in built_in_kinds().items() if kind.players == 1)
ANY_SEAT = -1


def table(
    game: str | Game, opponent: str | Sequence[str], seat: int, options: dict[str, Any]
) -> tuple[Game, list[str]]:
    """The game and the opponents' specs by seat (the agent's own place is left empty), all checked."""
    rules = load(game, **options) if isinstance(game, str) else game
    if not -1 <= seat < rules.players:
        raise InputError(
            f"{rules.name}: seat={seat}; seats are 0 to {rules.players - 1}, or -1 for a new one each time"
        )
    specs = [opponent] * (rules.players - 1) if isinstance(opponent, str) else list(opponent)
    if len(specs) != rules.players - 1:
        raise InputError(f"{rules.name}: {len(specs)} opponents are named; {rules.players - 1} sit at the table")
    for spec in specs:
        player(spec, rules)
    return rules, specs


class GameEnv(Env):  # type: ignore[misc]  # a base class without types
    """One game, seen from one seat.

    game: a spec, or a game; options: its options. opponent: the spec of all others, or one each in their order.
    seat: the agent's, from 0; -1 draws a new one each episode. render_mode: ansi (text) or svg (a picture, as text).
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "svg"], "render_fps": 4}

    def __init__(
        self,
        game: str | Game = FIRST_ALONE,
        opponent: str | Sequence[str] = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InputError(f"render_mode={render_mode!r} does not exist; there are ansi and svg")
        self.game, self.opponents = table(game, opponent, seat, options)
        self.seat, self.render_mode = seat, render_mode
        self._wanted_seat = seat
        self._sight = Sight(self.game)
        self.action_space = gymnasium.spaces.Discrete(int(self.game.actions))
        self.observation_space = gymnasium.spaces.Box(-FAR, FAR, self._sight.shape, np.float32)
        self._players: dict[int, Player] = {}
        self.position: Position | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        seats = int(self.game.players)
        self.seat = int(self.np_random.integers(seats)) if self._wanted_seat == ANY_SEAT else self._wanted_seat
        others = [place for place in range(seats) if place != self.seat]
        self._players = {
            place: player(seeded(spec, self.game, int(self.np_random.integers(2**31))), self.game)
            for place, spec in zip(others, self.opponents, strict=True)
        }
        self._luck = Random(int(self.np_random.integers(2**63)))
        self._illegal = False
        self.position = self._go_on(self.game.begin(self._luck.bits()))
        return self._seen(self.position), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        position = self.position
        if position is None or position.is_over or self._illegal:
            raise InputError(f"{self.game.name}: no game is going on; call reset()")
        if int(action) not in position.moves:
            self._illegal = True
            return self._seen(position), lost(self.game), True, False, {**self._info(), "illegal": True}
        before = position.scores[self.seat]
        self.position = position = self._go_on(position.play(int(action)))
        if self.game.counts_points:
            reward = position.scores[self.seat] - before
        else:
            reward = position.results[self.seat] if position.results is not None else 0.0
        return self._seen(position), float(reward), position.is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: what MaskablePPO of sb3-contrib asks an environment."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        if self.render_mode is None or self.position is None:
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def _go_on(self, position: Position) -> Position:
        """Draws and opponents' moves, until the agent is to move or the game is over."""
        while not position.is_over and position.player != self.seat:
            if position.is_chance:
                position = position.sample(self._luck)
            else:
                position = position.play(self._players[position.player].choose(position).move)
        return position

    def _seen(self, position: Position) -> npt.NDArray[np.float32]:
        return self._sight.of(position)

    def _mask(self) -> npt.NDArray[np.int8]:
        assert self.position is not None
        return np.zeros(self.game.actions, np.int8) if self._illegal else mask_of(self.position)

    def _info(self) -> dict[str, Any]:
        assert self.position is not None
        return {"action_mask": self._mask(), "seat": self.seat, "scores": np.array(self.position.scores)}


def register() -> list[str]:
    """Register the built-in games with Gymnasium, once; their ids."""
    made = []
    for title, spec in IDS.items():
        name = f"Boardwright/{title}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="boardwright.adapters.gym:GameEnv",
                vector_entry_point="boardwright.adapters.gym_vector:GameVectorEnv",
                kwargs={"game": spec},
            )
        made.append(name)
    return made


register()
