"""The network as a pure function of a flat dictionary of weights: what the hot path calls.

NNX serves for definition only: its own call costs more than a small network (see docs/methods/selfplay.md). The graph
is put together while tracing, once a batch size; a call then flattens one dictionary.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.folders import cache_folder

if TYPE_CHECKING:
    import jax

    from boardwright.learn.selfplay.shape import Shape

Weights = Mapping[str, Any]
Answer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]  # logits (n, actions), values (n, players)
# Inputs are padded to one of these sizes, each of which compiles by itself, once a machine. A convolution net costs the
# same a position from 16 up, padding included: small steps waste little.
BATCHES = (1, 2, 4, 8, *range(12, 64, 4), *range(64, 128, 8), *range(128, 512, 32), *range(512, 4097, 256))


def set_up_jax() -> None:
    """One thread a process and compiled networks kept on disk. XLA reads the environment when it is first imported."""
    if "jax" not in sys.modules:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.environ.setdefault("NPROC", "1")
        os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    try:
        import jax
    except ImportError:
        raise InputError("networks need JAX and Flax: pip install 'boardwright[learn]'") from None
    config: Any = jax.config
    config.update("jax_cpu_enable_async_dispatch", False)
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(cache_folder() / "xla"))
        config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        config.update("jax_persistent_cache_min_entry_size_bytes", 0)


def fresh_weights(shape: Shape, seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """The weights of a new network."""
    set_up_jax()
    from flax import nnx

    from boardwright.learn.selfplay.net import make_net

    state = nnx.state(make_net(shape, seed))
    return {_name(path): np.asarray(leaf[...], np.float32) for path, leaf in nnx.to_flat_state(state)}


@lru_cache(maxsize=16)
def pure(shape: Shape) -> Callable[[Weights, jax.Array], tuple[jax.Array, jax.Array]]:
    """apply(weights, observations) -> (logits, values), to be traced by JAX."""
    set_up_jax()
    from flax import nnx

    from boardwright.learn.selfplay.net import make_net

    graph, state = nnx.split(nnx.eval_shape(lambda: make_net(shape)))
    paths = [(path, leaf) for path, leaf in nnx.to_flat_state(state)]

    def apply(weights: Weights, observations: jax.Array) -> tuple[jax.Array, jax.Array]:
        flat = [(path, leaf.replace(weights[_name(path)])) for path, leaf in paths]
        net: Any = nnx.merge(graph, nnx.from_flat_state(flat))
        found: tuple[jax.Array, jax.Array] = net(observations)
        return found

    return apply


@lru_cache(maxsize=16)
def _compiled(shape: Shape) -> Any:
    import jax

    return jax.jit(pure(shape))


class Forward:
    """A network ready to answer."""

    def __init__(self, shape: Shape, weights: Weights) -> None:
        set_up_jax()
        import jax

        self.shape = shape
        self._weights = {name: jax.numpy.asarray(array) for name, array in weights.items()}
        self._answer = _compiled(shape)

    def prepare(self, most: int) -> None:
        """Compile for every size up to `most` positions now, so that no later call takes longer than another."""
        for size in BATCHES:
            self(np.zeros((size, *self.shape.observed), np.float32))
            if size >= most:
                break

    def __call__(self, observations: npt.NDArray[np.float32]) -> Answer:
        """Logits over all moves and values by seat from the one to act, for (n, *observed)."""
        count = len(observations)
        size = next(size for size in BATCHES if size >= count)
        if size != count:
            padded = np.zeros((size, *observations.shape[1:]), np.float32)
            padded[:count] = observations
            observations = padded
        logits, values = self._answer(self._weights, observations)
        return np.asarray(logits)[:count], np.asarray(values)[:count]


def _name(path: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in path)
