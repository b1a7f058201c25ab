"""Who may talk to the server, and how much: checked before anything else sees a request.

A page of a stranger in the same browser can send requests to this machine. So the Host must be ours (a name that was
rebound to 127.0.0.1 is not), the Origin must be ours where there is one, bodies are JSON, which a plain form cannot
send, and are counted as they come in. Off loopback a token is needed too.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

    def __init__(self, app: ASGIApp, door: Door, body_bytes: int) -> None:
        self.app, self.door, self.body_bytes = app, door, body_bytes

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
        counted = _Counted(receive, self.body_bytes)
        try:
            await self.app(scope, counted, send_with_headers)
        except TooMuch:
            await _error(413, f"more than {self.body_bytes:,} bytes in one request")(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        door = self.door
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
        if not length.isascii() or not length.isdigit() or int(length) > self.body_bytes:
            return _error(413, f"more than {self.body_bytes:,} bytes in one request")
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


class _Counted:
    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise TooMuch
        return message


def _knows(token: str, headers: Headers) -> bool:
    kind, _, given = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and _same(given.strip(), token):
        return True
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return False
    return COOKIE in cookies and _same(cookies[COOKIE].value, token)


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status)
