"""Who has judged which games: a report that stopped being refined goes on from there when it is asked for again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from boardwright.arena.judge import Judge
from boardwright.records import Record

MOST = 8  # games whose judges are remembered, of all clients


class Judges:
    """The last games' judges. One that is at work is not here: nobody else can have it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, tuple[str, ...], str], Judge] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, record: Record, analyst: str) -> Judge | None:
        """Who has judged these very plies by such an analyst; None if nobody did, or it is long ago."""
        with self._lock:
            return self._kept.pop((record.id, tuple(record.plies), analyst), None)

    def keep(self, record: Record, analyst: str, judge: Judge) -> None:
        with self._lock:
            self._kept[record.id, tuple(record.plies), analyst] = judge
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
