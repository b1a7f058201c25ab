"""Small helpers of the program's page: figures with intervals, means over stretches of a curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import Estimate, mean


def estimate(values: Sequence[float] | npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> Estimate:
    """The mean of independent values with its 95 % interval."""
    return mean([float(value) for value in values])


def with_interval(figure: Estimate, digits: int = 1) -> str:
    """For a table: 12.3 (11.0 to 13.6)."""
    if not np.isfinite(figure.margin):
        return f"{figure.value:.{digits}f}"
    return f"{figure.value:.{digits}f} ({figure.low:.{digits}f} to {figure.high:.{digits}f})"


def stretches(curves: npt.NDArray[np.float64], parts: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Where each of `parts` equal stretches of curves [learner, episode] ends, and its mean over all learners."""
    pieces = np.array_split(np.arange(curves.shape[1]), min(parts, curves.shape[1]))
    return np.array([piece[-1] + 1.0 for piece in pieces]), np.array([curves[:, piece].mean() for piece in pieces])
