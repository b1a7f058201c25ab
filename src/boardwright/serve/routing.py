"""How a request becomes an answer: routes whose work runs in a thread, and what several of them read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardwright.contract.errors import BoardwrightError
from boardwright.serve.clients import CLIENT, client_of
from boardwright.serve.context import Context
from boardwright.serve.requests import Fields, Refused, read_object

Answer = dict[str, Any] | Response
Work = Callable[[Context, Request, Fields], Answer]


def route(path: str, method: str, work: Work, *, long: bool = False) -> Route:
    """A route whose work runs in a thread, as rules may have to be compiled and disks waited for. Few requests of one
    client are carried out at one time, and of those that may take `long` only one."""

    async def endpoint(request: Request) -> Response:
        context: Context = request.app.state.context
        client = client_of(request.scope)
        CLIENT.set(client)
        try:
            async with (context.long_turns if long else context.turns).of(client):
                body = await request.body() if method != "GET" else b""
                fields = Fields(read_object(body or b"{}") if method != "GET" else dict(request.query_params))
                answer = await run_in_threadpool(_carry_out, work, request, fields)
        except BoardwrightError as error:
            return JSONResponse({"error": str(error)}, getattr(error, "status", 400))
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    made: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, made, methods=[method])


def _carry_out(work: Work, request: Request, fields: Fields) -> Answer:
    answer = work(request.app.state.context, request, fields)
    fields.done()
    return answer


def narrow_of(fields: Fields) -> bool:
    """A flag that comes as text in an address, and as true or false in a body."""
    return (
        fields.text("narrow", "") in ("1", "true") if isinstance(fields.peek("narrow"), str) else fields.truth("narrow")
    )


def number(text: str, low: int, high: int, name: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not low <= int(text) <= high:
        raise Refused(f"{name!r} must be a whole number from {low:,} to {high:,}")
    return int(text)
