"""Start the server: find a port, say the address, open the browser if there is one, stop on Ctrl-C."""

from __future__ import annotations

import errno
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from boardwright.contract.errors import InputError
from boardwright.serve.app import make_app
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.connections import http_protocol, socket_protocol
from boardwright.serve.limits import Limits
from boardwright.serve.safety import Door, is_everywhere, is_loopback

PORT = 8717
TRIES = 20  # ports from PORT on, where none was asked for
PATIENCE = 2  # seconds that connections have to end, at the end


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on `port`, or where none is asked for on the first free one from PORT on."""
    tries = range(PORT, PORT + TRIES) if port is None else [port]
    for one in tries:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # where it would let two servers share the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, one))
            made.listen(256)
            return made
        except OSError as error:
            made.close()
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            if error.errno == errno.EADDRINUSE:
                raise InputError(
                    f"port {port} is in use, perhaps by another boardwright serve; leave --port out to take a free one"
                ) from None
            if error.errno == errno.EACCES:
                raise InputError(f"port {one} is not ours to take; choose one above 1023, such as {PORT}") from None
            raise InputError(f"cannot listen on {host}:{one}: {error.strerror or error}") from None
    raise InputError(f"ports {PORT} to {PORT + TRIES - 1} are all in use; name another with --port")


class Server(uvicorn.Server):
    """uvicorn's server that tells when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._in_background = signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """uvicorn takes every signal to itself; Ctrl-C that was ignored before is meant for others."""
        if sig != signal.SIGINT or not self._in_background:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def serve(
    catalogue: Catalogue,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    names: tuple[str, ...] = (),
    open_browser: bool = False,
    limits: Limits | None = None,
    say: Callable[[str], None] = print,
    fragment: str = "",
    prepare: bool = False,
) -> None:
    """Serve until Ctrl-C."""
    listening = listen(host, port)
    found = listening.getsockname()[1]
    token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    door = Door.at(host, found, token, names)
    shown = names[0] if names else socket.gethostname() if is_everywhere(host) else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{found}/"
    if token:
        address += f"?token={token}"
    address += fragment

    def ready() -> None:
        say(address)
        if open_browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()

    limits = limits or catalogue.limits
    config = configured(make_app(catalogue, door, limits, prepare=prepare), limits)
    with _quiet_interrupts():
        Server(config, ready).run(sockets=[listening])


def configured(app: Starlette, limits: Limits) -> uvicorn.Config:
    """uvicorn's settings: nothing believed that a proxy might say, small messages, few of everything."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        http=http_protocol(limits),
        ws=socket_protocol(limits),
        ws_max_size=limits.message_bytes,
        ws_max_queue=16,
        limit_concurrency=4 * limits.sockets,
        backlog=256,
        timeout_graceful_shutdown=PATIENCE,
        timeout_keep_alive=30,
    )


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        pass  # the address has been printed


@contextmanager
def _quiet_interrupts() -> Iterator[None]:
    """Ctrl-C is how a server ends: uvicorn raises it again after a clean stop."""
    try:
        yield
    except KeyboardInterrupt:
        pass
