"""PettingZoo: a game as an environment in which agents take turns (AEC).

    from boardwright.adapters.pettingzoo import env
    game = env("azul", players=3)

Observations are {"observation": numbers, "action_mask": int8}. The numbers are those of the player to act; to the
others nothing is legal. Rewards as for Gymnasium: the result at the end, or points as they come. An illegal action ends
the game for everybody: who played it loses where a game is won or lost, the others get 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.adapters.extras import need
from boardwright.adapters.observation import FAR, Sight, lost, mask_of
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.games.built_in import built_in_kinds
from boardwright.games.load import load, option_names

spaces = need("gymnasium", "gym").spaces
pettingzoo = need("pettingzoo", "gym")
AECEnv: Any = pettingzoo.AECEnv
# The default: the first of ours for any number of players.
FIRST_FOR_MANY = next(name for name, kind in built_in_kinds().items() if "players" in option_names(kind))


def env(game: str | Game = FIRST_FOR_MANY, render_mode: str | None = None, **options: Any) -> Any:
    """The environment with PettingZoo's own guard around it, which tells calls in the wrong order."""
    return pettingzoo.utils.wrappers.OrderEnforcingWrapper(GameAECEnv(game, render_mode, **options))


class GameAECEnv(AECEnv):  # type: ignore[misc]  # a base class without types
    """One game. game: a spec, or a game; options: its options. render_mode: ansi (text) or svg (a picture, as text)."""

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "svg"],
        "name": "boardwright_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, game: str | Game = FIRST_FOR_MANY, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InputError(f"render_mode={render_mode!r} does not exist; there are ansi and svg")
        self.game = load(game, **options) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"boardwright_{self.game.name}_v0"}
        self._sight = Sight(self.game)
        self.possible_agents = [f"player_{i}" for i in range(self.game.players)]
        self.agents = list(self.possible_agents)
        self._luck = Random(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))  # until a seed is given
        self._actions = {agent: spaces.Discrete(int(self.game.actions)) for agent in self.agents}
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-FAR, FAR, self._sight.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (int(self.game.actions),), np.int8),
                }
            )
            for agent in self.agents
        }

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._luck = Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position = self.game.begin(self._luck.bits())
        self._seat_actor()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = self.position.scores
        if int(action) not in self.position.moves:
            self._end({one: lost(self.game) if one == agent else 0.0 for one in self.agents})
            self.infos[agent] = {"illegal": True}
        else:
            self.position = self.position.play(int(action)).settle(self._luck)
            self._pay(before)
            self._seat_actor()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        acts = agent == self.agent_selection and not self.terminations[agent]
        mask = mask_of(self.position) if acts else np.zeros(self.game.actions, np.int8)
        return {"observation": self._sight.of(self.position), "action_mask": mask}

    def action_mask(self, agent: str) -> Any:
        """1 where an action is legal for `agent` now."""
        return self.observe(agent)["action_mask"]

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        """Nothing is held open."""

    def _seat_actor(self) -> None:
        if not self.position.is_over:
            self.agent_selection = self.possible_agents[self.position.player]

    def _pay(self, before: tuple[float, ...]) -> None:
        position: Position = self.position
        paid = [0.0] * len(before)
        if self.game.counts_points:
            paid = [now - then for now, then in zip(position.scores, before, strict=True)]
        elif position.results is not None:
            paid = list(position.results)
        self.rewards = dict(zip(self.possible_agents, paid, strict=True))
        if position.is_over:
            self._end(self.rewards)

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
