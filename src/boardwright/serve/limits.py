"""How much one server gives: every list, queue, body and search has an end."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Caps. A request beyond one is answered with an error that names it; nothing that exists is harmed."""

    body_bytes: int = 2_000_000  # of a request, counted as it comes in
    message_bytes: int = 65_536  # of a message over the socket
    tables: int = 256  # games in memory; the rest wait in the library and come back when asked for
    plies: int = 50_000  # of one game on the page
    variants: int = 64  # games with options of their own a start: compiled rules stay in memory
    actions: int = 100_000  # moves that a game may know
    state_bytes: int = 1_000_000
    sockets: int = 256
    queries: int = 8  # of one socket, waiting or running
    waiting: int = 256  # searches of all sockets
    simulations: int = 5_000_000  # of one search
    seconds: float = 600.0
    megabytes: float = 192.0  # of one search's tree
    trees: int = 4  # finished searches whose trees can still be opened
    threads: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))  # searches at one time


REPORT_SECONDS = 0.1  # a search reports this often at most
