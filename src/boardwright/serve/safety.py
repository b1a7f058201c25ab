"""Who may talk to the server, and how much: checked before anything else sees a request.

A page of a stranger in the same browser can send requests to this machine. So the Host must be ours (a name that was
rebound to 127.0.0.1 is not), the Origin must be ours where there is one, bodies are JSON, which a plain form cannot
send, and are counted as they come in. Off loopback a token is needed too. Headers are bounded before anything reads
them, and read here by hand: the library's parser of cookies takes time that grows with the square of what it is given.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardwright.serve.limits import Limits

COOKIE = "boardwright"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
POLICY_VIOLATION = 1008  # RFC 6455: how a socket is closed that may not talk


@dataclass(frozen=True)
class Door:
    """Where the server stands: the names that it answers to, and the token, if one is needed."""

    hosts: frozenset[str]  # "127.0.0.1:8717", exactly as a Host header has it
    token: str = ""  # empty: not needed
    origins: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "origins", frozenset(f"http://{host}" for host in self.hosts))

    @classmethod
    def at(cls, host: str, port: int, token: str, names: tuple[str, ...] = ()) -> Door:
        """For a server bound to `host`; `names` are others by which people reach it."""
        own = {"127.0.0.1", "localhost", "[::1]", *names}
        if not is_loopback(host):
            own |= {host, *(_own_addresses() if is_everywhere(host) else ())}
        hosts = {f"{_bracketed(name)}:{port}".lower() for name in own}
        if port == 80:
            hosts |= {_bracketed(name).lower() for name in own}
        return cls(frozenset(hosts), "" if is_loopback(host) else token)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_everywhere(host: str) -> bool:
    """Whether it stands for all addresses of this machine."""
    return host in ("0.0.0.0", "::", "")  # noqa: S104 - recognised, not bound


def _own_addresses() -> set[str]:
    name = socket.gethostname()
    try:
        return {name, *(str(found[4][0]) for found in socket.getaddrinfo(name, None))}
    except OSError:
        return {name}


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


class Guard:
    """The middleware round everything."""

    def __init__(self, app: ASGIApp, door: Door, limits: Limits) -> None:
        self.app, self.door, self.limits = app, door, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})  # before accept: HTTP 403
                return
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                out.setdefault("Cache-Control", "no-store")
            await send(message)

        if refused is not None:
            await refused(scope, receive, send_with_headers)
            return
        counted = _Counted(receive, self.limits)
        try:
            await self.app(scope, counted, send_with_headers)
        except TooMuch:
            await self._too_much()(scope, receive, send_with_headers)
        except TooSlow:
            said = f"the request did not come in whole within {self.limits.body_seconds:g} seconds; send it again"
            await _error(408, said, close=True)(scope, receive, send_with_headers)

    def _too_much(self) -> Response:
        return _error(413, f"more than {self.limits.body_bytes:,} bytes in one request")

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        door, most = self.door, self.limits.header_bytes
        if sum(len(name) + len(value) for name, value in headers.raw) + len(scope.get("query_string", b"")) > most:
            return _error(431, f"more than {most:,} bytes of headers in one request", close=True)
        if len(headers.getlist("host")) != 1 or headers["host"].lower() not in door.hosts:
            return _error(403, "this server does not go by that name; open the address that it printed")
        origins = headers.getlist("origin")
        if len(origins) > 1 or (origins and origins[0].lower() not in door.origins):
            return _error(403, "another page may not talk to this server")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _error(403, "another page may not talk to this server")
        if door.token and not _knows(door.token, headers):
            return self._admission(scope)
        if scope["type"] != "http":
            return None
        if scope["method"] in ("POST", "PUT", "PATCH"):
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return _error(415, "send JSON, with Content-Type: application/json")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 18 or int(length) > self.limits.body_bytes:
            return self._too_much()
        return None

    def _admission(self, scope: Scope) -> Response:
        """The address that the command printed carries the token once; from then on a cookie does."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if scope["type"] == "http" and scope["path"] == "/" and _same(given, self.door.token):
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(COOKIE, self.door.token, httponly=True, samesite="strict", path="/")
            return response
        return _error(401, "a token is needed: open the whole address that the server printed")


class TooMuch(Exception):
    """A body grew beyond the cap."""


class TooSlow(Exception):
    """A body did not come in whole in time."""


class _Counted:
    """A request's body as it comes in, with an end in bytes and one in seconds."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive, self._left, self._seconds = receive, limits.body_bytes, limits.body_seconds
        self._until: float | None = (
            None  # counted from when the body is asked for: before that, the request waits for us
        )
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:  # what may still come is that the client has left
            return await self._receive()
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow from None
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self._whole = not message.get("more_body", False)
            if self._left < 0:
                raise TooMuch
        return message


def _knows(token: str, headers: Headers) -> bool:
    kind, _, given = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and _same(given.strip(), token):
        return True
    return any(_same(value, token) for value in cookies_named(COOKIE, headers.getlist("cookie")))


def cookies_named(wanted: str, lines: list[str]) -> list[str]:
    """The values of the cookies of that name in `Cookie` headers. Ours need no quotes, so none are taken off."""
    pairs = (pair.partition("=") for line in lines for pair in line.split(";"))
    return [value.strip() for name, _, value in pairs if name.strip() == wanted]


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _error(status: int, message: str, *, close: bool = False) -> JSONResponse:
    """`close`: nothing more is read from this connection."""
    return JSONResponse({"error": message}, status, {"Connection": "close"} if close else None)
