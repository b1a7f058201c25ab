"""The server as one ASGI application: guard, API, socket, and the page's own files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from boardwright.records import Library
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.context import Context
from boardwright.serve.limits import Limits
from boardwright.serve.routes import ROUTES
from boardwright.serve.safety import Door, Guard
from boardwright.serve.socket import endpoint
from boardwright.serve.store import Store

WEB = Path(__file__).parent / "web"


class PageFiles(StaticFiles):
    """The page's files. Browsers ask each time whether they changed: yesterday's page may not fit today's API."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they came
        response.headers["Cache-Control"] = "no-cache"
        return response


def make_app(
    catalogue: Catalogue,
    door: Door,
    limits: Limits | None = None,
    library: Library | None = None,
    *,
    prepare: bool = False,
) -> Starlette:
    """The application. Nothing is opened before it starts. `prepare`: games are compiled before somebody plays them."""
    limits = limits or catalogue.limits
    context = Context(catalogue, Store(catalogue, limits, library), limits, door, prepare=prepare)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        context.store.open()
        context.attendant.start(asyncio.get_running_loop())
        context.preparation.begin(context.catalogue.games)
        try:
            yield
        finally:
            context.close()

    app = Starlette(
        routes=[
            Route("/", _front),
            *ROUTES,
            WebSocketRoute("/api/search", endpoint),
            Mount("/web", PageFiles(directory=WEB)),
        ],
        middleware=[Middleware(Guard, door=door, limits=limits)],
        exception_handlers={HTTPException: _plain_error, Exception: _own_mistake},
        lifespan=life,
    )
    app.state.context = context
    return app


async def _front(request: Request) -> Response:
    return FileResponse(WEB / "index.html", headers={"Cache-Control": "no-cache"})


async def _plain_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = {404: "there is nothing here", 405: "this address does not take that method"}
    return JSONResponse({"error": said.get(error.status_code, str(error.detail))}, error.status_code)


async def _own_mistake(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server made a mistake; its log has the details"}, 500)
