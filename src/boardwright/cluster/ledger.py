"""Who has which order: handed out, given again when its worker is lost, given twice when it takes too long, and counted
once. No clock and no cluster in here: the caller says what happened, and when.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import median

AHEAD = 2  # orders that a worker may hold, while there are plenty: it never waits for the next
STRAGGLING = 3.0  # times as long as usual, before somebody else gets the order too
LEAST_PATIENCE = 5.0  # seconds, below which nobody is called slow
REMEMBERED = 50  # durations, of which the median is the usual one


@dataclass
class Ledger:
    """Orders by their numbers, workers by their names. Times are seconds of any clock that goes forward."""

    waiting: deque[int] = field(default_factory=deque)
    holders: dict[int, list[str]] = field(default_factory=dict)  # of each order that is out
    held: dict[str, list[int]] = field(default_factory=dict)  # of each worker, the one that it works on first
    since: dict[str, float] = field(default_factory=dict)  # when each began with that one
    took: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    lost: int = 0  # orders whose worker was lost before it answered
    doubled: int = 0  # orders that a second worker was asked for

    def add(self, orders: range) -> None:
        """More to do."""
        self.waiting.extend(orders)

    def join(self, worker: str) -> None:
        """A worker is ready."""
        self.held.setdefault(worker, [])

    @property
    def in_flight(self) -> int:
        return len(self.holders)

    def next_for(self, worker: str, now: float) -> int | None:
        """What this worker shall do beside what it has; None: nothing now."""
        has = self.held[worker]
        if self.waiting and (not has or (len(has) < AHEAD and len(self.waiting) >= len(self.held))):
            return self._hand(worker, self.waiting.popleft(), now)
        if has or self.waiting:
            return None
        late = self._latest(worker, now)
        if late is None:
            return None
        self.doubled += 1
        return self._hand(worker, late, now)

    def _hand(self, worker: str, order: int, now: float) -> int:
        if not self.held[worker]:
            self.since[worker] = now
        self.held[worker].append(order)
        self.holders.setdefault(order, []).append(worker)
        return order

    def _latest(self, asking: str, now: float) -> int | None:
        """The order that one worker alone has had for longest, if that is too long; one that waits behind another at
        a busy worker is too late at once, since somebody has nothing to do."""
        patience = max(STRAGGLING * median(self.took), LEAST_PATIENCE) if self.took else None
        best, longest = None, -1.0
        for worker, orders in self.held.items():
            if worker == asking or not orders:
                continue
            for place, order in enumerate(orders):
                spent = now - self.since[worker]
                late = place > 0 or (patience is not None and spent > patience)
                alone = len(self.holders.get(order, ())) == 1  # none: another has answered, this worker is still at it
                if late and alone and spent > longest:
                    best, longest = order, spent
        return best

    def answered(self, worker: str, order: int, now: float) -> bool:
        """A worker has answered; whether that is the first answer to the order, which counts."""
        orders = self.held.get(worker, [])
        if order in orders:
            if orders[0] == order:
                self.took.append(now - self.since[worker])
            orders.remove(order)
            self.since[worker] = now
        if order not in self.holders:
            return False
        del self.holders[order]
        return True

    def leave(self, worker: str) -> int:
        """A worker is gone. What nobody else has is to be done again, first of all; how many orders that are."""
        again = []
        for order in self.held.pop(worker, []):
            if order not in self.holders:
                continue  # another was quicker
            self.holders[order].remove(worker)
            if not self.holders[order]:
                del self.holders[order]
                again.append(order)
        self.waiting.extendleft(reversed(again))
        self.since.pop(worker, None)
        self.lost += len(again)
        return len(again)
