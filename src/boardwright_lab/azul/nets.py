"""The networks: f(s) = (p, v). The report's own in Flax NNX, ours from the library, and how either judges positions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.game import Game
from boardwright.learn.models import save_model
from boardwright.learn.selfplay.forward import set_up_jax
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.shipped import NETWORK

set_up_jax()  # before JAX is imported: one thread a process

import jax  # noqa: E402 - after set_up_jax
from flax import nnx  # noqa: E402 - after set_up_jax

from boardwright.learn.selfplay.net import make_net  # noqa: E402 - after set_up_jax
from boardwright.learn.selfplay.shape import shape_for  # noqa: E402 - after set_up_jax


class ReportNet(nnx.Module):
    """The report's network: dense layers, then logits of all moves and a value between -1 and 1.

    bent: with a relu after each layer. The report's network for tic-tac-toe has them (1024, 1024); its network for Azul
    (64, 32) has none, so that all of its layers together are one linear map.
    """

    def __init__(self, game: Game, widths: tuple[int, ...], *, bent: bool, rngs: nnx.Rngs) -> None:
        grid = len(game.observe_shape) == 3
        sizes = (int(np.prod(game.observe_shape[:2] if grid else game.observe_shape)), *widths)
        self.layers = nnx.List([nnx.Linear(a, b, rngs=rngs) for a, b in zip(sizes, widths, strict=False)])
        self.bent = bent
        self.policy = nnx.Linear(widths[-1], game.actions, rngs=rngs)
        self.value = nnx.Linear(widths[-1], 1, rngs=rngs)

    def __call__(self, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        """(n, *observed) -> logits (n, actions), values (n, 2): the player's to move and the other's."""
        if x.ndim == 4:  # a grid: own stones are 1, the other's -1, as in the report
            x = x[..., 0] - x[..., 1]
        x = x.reshape(len(x), -1)
        for layer in self.layers:
            x = nnx.relu(layer(x)) if self.bent else layer(x)
        value = jax.numpy.tanh(self.value(x))
        return self.policy(x), jax.numpy.concatenate([value, -value], axis=1)


def report_net(game: Game, seed: int) -> ReportNet:
    """The report's network for tic-tac-toe or Azul, fresh."""
    widths, bent = ((64, 32), False) if game.name == "azul" else ((1024, 1024), True)
    return ReportNet(game, widths, bent=bent, rngs=nnx.Rngs(seed))


def our_net(game: Game, seed: int) -> Any:
    """The library's network for a game, fresh: convolutions on a grid, dense layers elsewhere, with residuals."""
    return make_net(shape_for(game, Observer.of(game).shape, channels=32, blocks=2, hidden=256), seed)


@cache
def _compiled(graph: Any) -> Any:
    """answer(weights, seen), compiled once for all networks of one make."""
    return jax.jit(lambda weights, seen: nnx.merge(graph, weights)(seen))


class Judge:
    """A network as a search asks it: states in, logits and what each player can expect out. It is a picture of the
    network's weights as they are now; training goes on without it.

    slipped: answer as the report's search understands its network, with the value credited to the wrong player.
    """

    def __init__(self, game: Game, net: Any, *, slipped: bool = False) -> None:
        self.game, self.slipped = game, slipped
        self.observer, self.targets = Observer.of(game), Targets(game, 0.0)
        graph, self._weights = nnx.split(net)
        self._answer = _compiled(graph)

    def __call__(
        self, states: npt.NDArray[np.void], actors: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        """Logits (n, actions), and values (n, players): value[i] is player i's."""
        count = len(states)
        seen = np.zeros(
            (max(8, 1 << (count - 1).bit_length()), *self.observer.shape), np.float32
        )  # few sizes: each compiles
        seen[:count] = self.observer.see(states, actors)
        logits, seats = self._answer(self._weights, seen)
        values = self.targets.by_player(states, actors, np.asarray(seats)[:count])
        return np.asarray(logits)[:count], values[:, ::-1] if self.slipped else values


def save_net(path: Path, game: Game, net: Any, about: dict[str, Any]) -> Path:
    """Keep a network of ours as a model that every command of the library plays: `net:model=PATH`, `mcts:net=PATH`."""
    weights = {
        ".".join(str(part) for part in name): np.asarray(leaf[...], np.float32)
        for name, leaf in nnx.to_flat_state(nnx.state(net))
    }
    settings = {"shape": net.shape.to_dict(), "eyes": Observer.of(game).to_dict(), "unit": 0.0, "trust": 0.25}
    return save_model(path, NETWORK, game, settings, weights, about)
