"""The same networks answered by NumPy, for whoever plays without JAX; net.py has the layers in the same order."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from boardwright.learn.selfplay.forward import Answer, Forward, Weights
from boardwright.learn.selfplay.shape import Shape

Floats = npt.NDArray[np.float32]
AT_ONCE = 64  # positions: the windows of a convolution take nine times a layer's memory


def make_forward(shape: Shape, weights: Weights) -> Forward | NumpyForward:
    """A network ready to answer: by JAX where it is installed, otherwise by NumPy. They differ by rounding."""
    has_jax = find_spec("jax") is not None and find_spec("flax") is not None
    return Forward(shape, weights) if has_jax else NumpyForward(shape, weights)


class NumpyForward:
    """A network ready to answer, with nothing but NumPy."""

    def __init__(self, shape: Shape, weights: Weights) -> None:
        self.shape = shape
        self._arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}

    def prepare(self, most: int) -> None:
        """Nothing to compile; as `Forward.prepare`."""

    def __call__(self, observations: Floats) -> Answer:
        """Logits over all moves and values by seat from the one to act, for (n, *observed)."""
        answer = self._grid if self.shape.kind == "grid" else self._flat
        found = [answer(observations[i : i + AT_ONCE]) for i in range(0, len(observations), AT_ONCE)]
        return np.concatenate([logits for logits, _ in found]), np.concatenate([values for _, values in found])

    def _grid(self, x: Floats) -> Answer:
        x = self._convolve("stem", x)
        for number in range(self.shape.blocks):
            y = relu(self._convolve(f"blocks.{number}.first", relu(x)))
            y = y + self._dense(f"blocks.{number}.whole", pooled(y))[:, None, None, :]
            x = x + self._convolve(f"blocks.{number}.second", relu(y))
        x = relu(x)
        policy = self._convolve("policy", x)
        policy = relu(policy + self._dense("policy_whole", pooled(policy))[:, None, None, :])
        if self.shape.moves_are_cells:
            logits = self._convolve("policy_out", policy).reshape(len(x), -1)
        else:
            logits = self._dense("policy_out", policy.reshape(len(x), -1))
        return logits, self._values(pooled(relu(self._convolve("value", x))))

    def _flat(self, x: Floats) -> Answer:
        x = self._dense("stem", x.reshape(len(x), -1))
        for number in range(self.shape.blocks):
            y = self._dense(f"blocks.{number}.first", relu(x))
            x = x + self._dense(f"blocks.{number}.second", relu(y))
        x = relu(x)
        return self._dense("policy_out", x), self._values(x)

    def _values(self, x: Floats) -> Floats:
        values = self._dense("value_out", relu(self._dense("value_hidden", x)))
        return np.tanh(values) if self.shape.bounded else values

    def _dense(self, layer: str, x: Floats) -> Floats:
        found: Floats = x @ self._arrays[f"{layer}.kernel"] + self._arrays[f"{layer}.bias"]
        return found

    def _convolve(self, layer: str, x: Floats) -> Floats:
        """(n, rows, columns, channels), as large as before: beyond the edge all is 0."""
        kernel = self._arrays[f"{layer}.kernel"]
        count, rows, columns, channels = x.shape
        if kernel.shape[0] == 3:
            wide = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
            wide[:, 1:-1, 1:-1] = x
            x = np.concatenate([wide[:, i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=-1)
        found: Floats = x.reshape(count * rows * columns, -1) @ kernel.reshape(-1, kernel.shape[-1])
        return (found + self._arrays[f"{layer}.bias"]).reshape(count, rows, columns, -1)


def relu(x: Floats) -> Floats:
    return np.maximum(x, np.float32(0.0))


def pooled(x: Floats) -> Floats:
    """Mean and maximum of each channel over the board: (n, 2 * channels)."""
    return np.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=-1)
