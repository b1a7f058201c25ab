"""How much one server gives: every list, queue, body and search has an end."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Caps. A request beyond one is answered with an error that names it; nothing that exists is harmed."""

    body_bytes: int = 2_000_000  # of a request, counted as it comes in
    header_bytes: int = 16_384  # of a request, its query included
    head_seconds: float = 15.0  # that a request's headers may take to come in
    body_seconds: float = 60.0  # and its body
    message_bytes: int = 65_536  # of a message over the socket
    unread_bytes: int = 1_000_000  # that a client at the socket has not read
    tables: int = 256  # games in memory; the rest wait in the library and come back when asked for
    positions: int = 300_000  # of all games in memory, some 300 MB
    plies: int = 50_000  # of one game on the page
    variants: int = 64  # games with options of their own a start: compiled rules stay in memory
    variants_each: int = 32  # of them one client's
    kept_bytes: int = 256_000_000  # of games, studies and playtests on the disk, of one client a start
    spare_bytes: int = 100_000_000  # of the disk that they leave free
    actions: int = 100_000  # moves that a game may know
    state_bytes: int = 1_000_000  # of one state of a game
    connections_each: int = 256  # of one client, sockets among them
    requests_each: int = 8  # of one client that are carried out at one time; more wait
    sockets: int = 256  # of all clients
    sockets_each: int = 64  # of one client
    idle_seconds: float = 900.0  # that a socket may stay open without a question; the page opens another
    queries: int = 8  # of one socket, waiting or running
    watches: int = 32  # games, lists and files that one socket watches
    waiting: int = 256  # searches of all sockets
    simulations: int = 5_000_000  # of one search
    seconds: float = 600.0  # of one search
    share_seconds: float = 10.0  # of a search, or of a judged game, before it gives way to another client that waits
    megabytes: float = 192.0  # of one search's tree
    trees: int = 4  # finished searches whose trees can still be opened
    theatres: int = 8  # searches on show that can be gone on with; others are grown again when asked for
    theatres_each: int = 4  # of one client
    theatre_simulations: int = 2000  # of one of them
    theatre_megabytes: float = 16.0  # of its tree
    threads: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))  # searches at one time


REPORT_SECONDS = 0.1  # a search reports this often at most
