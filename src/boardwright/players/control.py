"""What passes between a player that thinks and whoever asked it: stop, progress, the tree."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardwright.search.choice import Choice

if TYPE_CHECKING:
    from boardwright.search.tree import Tree


@dataclass(frozen=True)
class Progress:
    """How far a player's thoughts are."""

    simulations: int = 0  # of a search; positions looked at, of other players
    seconds: float = 0.0  # since it was asked
    share: float = 0.0  # of its budget that is used up, 0 to 1; 0 if it has none
    trees: tuple[Tree, ...] = ()  # that it grows, one a thread: they stand still while somebody listens
    choose: Callable[[], Choice | None] = lambda: None  # what it would choose now; None if it does not know yet


class Control:
    """Goes with a question to a player: `player.choose(position, control)`.

    `stop()`, from any thread, ends the thought within a tenth of a second; a kernel that is being compiled for it is
    compiled to the end first. The player then answers with the best that it has found so far, and its note says
    "stopped on demand"; whoever wants no half thoughts looks at `stopping`.
    `stopping` may be given as a function that is asked instead, `report` is told of progress between slices of the
    thought, in the player's own thread. With `wants_tree`, `trees` holds afterwards what a search has grown.
    """

    def __init__(
        self,
        stopping: Callable[[], bool] | None = None,
        report: Callable[[Progress], None] | None = None,
        *,
        wants_tree: bool = False,
    ) -> None:
        self._asked, self._report, self.wants_tree = stopping, report, wants_tree
        self.trees: tuple[Tree, ...] = ()
        self._stop = threading.Event()
        self._reporting = threading.Lock()

    def stop(self) -> None:
        """Have the player end soon."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether the player shall end."""
        return self._stop.is_set() or (self._asked is not None and self._asked())

    def poll(self, progress: Callable[[], Progress] = Progress) -> bool:
        """For players, to be called between slices of a thought: tells how far it is, and answers whether to stop.
        `progress` is called only if somebody listens; of several threads, one reports at a time."""
        if self._report is not None and self._reporting.acquire(blocking=False):
            try:
                self._report(progress())
            finally:
                self._reporting.release()
        return self.stopping


def poll(control: Control | None) -> Callable[[], bool] | None:
    """A control as what kernels' loops ask between slices; None if nobody controls."""
    return None if control is None else control.poll
