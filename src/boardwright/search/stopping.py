"""How work in kernels hears that it shall stop: it comes up for air every few hundredths of a second and asks."""

from __future__ import annotations

from collections.abc import Callable

SLICE_SECONDS = 0.03  # a kernel hears neither clock nor Ctrl-C: come up for air this often
STOPPED = "stopped on demand"  # a choice's note

Stopping = Callable[[], bool]  # asked between slices: shall the work end?


class Stopped(Exception):
    """Work that has no answer yet was told to stop."""


class Pace:
    """How much work a slice may hold: what takes about SLICE_SECONDS, from `size` on, at most `most`."""

    def __init__(self, size: int, most: int) -> None:
        self.size, self.most = size, most

    def took(self, seconds: float, work: int) -> None:
        """A slice of so much work took so long."""
        self.size = int(max(1, min(self.most, 4 * work, work * SLICE_SECONDS / max(seconds, 1e-6))))
