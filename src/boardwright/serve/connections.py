"""Connections with an end: so many from one address, so long for a request's headers, so much that is not read.

uvicorn bounds what all clients have together; here is what one of them may have, so that it cannot shut out the rest.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from boardwright.serve.limits import Limits


def http_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """How uvicorn shall speak HTTP under these limits."""

    class BoundedHttp(H11Protocol):
        """Closes what came from an address that has enough already, and whoever does not get on with its headers."""

        _head: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if _from_there(self) > limits.connections_each:
                transport.abort()
                return
            self._head = self.loop.call_later(limits.head_seconds, self._too_slow)

        def data_received(self, data: bytes) -> None:
            before = self.scope
            super().data_received(data)
            if self.scope is not before:  # a request has come in whole, as far as its headers go
                self._forget_clock()
            elif self._head is None and (self.cycle is None or self.cycle.response_complete):
                self._head = self.loop.call_later(limits.head_seconds, self._too_slow)

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_clock()
            super().connection_lost(exc)

        def _forget_clock(self) -> None:
            if self._head is not None:
                self._head.cancel()
                self._head = None

        def _too_slow(self) -> None:
            self._head = None
            if not self.transport.is_closing():
                self.transport.close()

    return BoundedHttp


def socket_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """How uvicorn shall speak over sockets under these limits."""

    class BoundedSocket(WebSocketsSansIOProtocol):
        """Lets go of a client that asks and does not read: pongs, unlike our own messages, wait for nobody."""

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.get_write_buffer_size() > limits.unread_bytes:
                self.transport.abort()

    return BoundedSocket


def _from_there(new: H11Protocol) -> int:
    """How many connections the client of this one has, this one included."""
    clients = [getattr(one, "client", None) for one in new.connections]
    return sum(1 for client in clients if client and new.client and client[0] == new.client[0])
