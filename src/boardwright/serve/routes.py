"""The API over HTTP. docs/api.md describes every route; an error is {"error": "..."} with a fitting status."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardwright import __version__
from boardwright.contract.errors import BoardwrightError
from boardwright.records.record import Record
from boardwright.records.sgf import from_sgf, to_sgf
from boardwright.serve import monitor as watch
from boardwright.serve import share
from boardwright.serve.context import Desk
from boardwright.serve.requests import Refused, Wanted, read_object
from boardwright.serve.view import about, see

Answer = dict[str, Any] | Response
Work = Callable[[Desk, Request, Wanted], Answer]
MOST_LISTED = 200


def route(path: str, method: str, work: Work) -> Route:
    """A route whose work runs in a thread, as rules may have to be compiled and disks waited for."""

    async def endpoint(request: Request) -> Response:
        try:
            wanted = Wanted(
                read_object(await request.body() or b"{}") if method != "GET" else dict(request.query_params)
            )
            answer = await run_in_threadpool(_carry_out, work, request, wanted)
        except BoardwrightError as error:
            return JSONResponse({"error": str(error)}, getattr(error, "status", 400))
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    made: Callable[[Request], Awaitable[Response]] = endpoint
    return Route(path, made, methods=[method])


def _carry_out(work: Work, request: Request, wanted: Wanted) -> Answer:
    answer = work(request.app.state.desk, request, wanted)
    wanted.done()
    return answer


def _narrow(wanted: Wanted) -> bool:
    """A flag that comes as text in an address, and as true or false in a body."""
    return (
        wanted.text("narrow", "") in ("1", "true") if isinstance(wanted.peek("narrow"), str) else wanted.truth("narrow")
    )


# Games to choose from


def list_games(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    return {
        "version": __version__,
        "first": desk.catalogue.first,
        "seed": desk.catalogue.seed,
        "games": desk.catalogue.facts(),
    }


def one_game(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    options = wanted.object("options", {})
    return desk.catalogue.facts_of(desk.catalogue.describe(request.path_params["name"], options))


# Games that are played


def list_tables(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    status, game = wanted.text("status", ""), wanted.text("game", "")
    limit = _number(wanted.text("limit", "50"), 1, MOST_LISTED, "limit")
    found = desk.store.library.find(status=status or None, game=game or None, limit=limit)
    return {
        "tables": [
            {
                "id": one.id, "game": one.game, "players": one.players, "started": one.started, "status": one.status,
                "plies": one.plies, "scores": one.scores, "results": one.results,
                "here": one.game in desk.catalogue.names,
            }
            for one in found
        ]
    }  # fmt: skip


def begin_table(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    narrow = _narrow(wanted)
    if wanted.has("from"):
        source_id, ply = wanted.text("from"), wanted.whole("ply", 0, 10**9)
        seats = wanted.texts("seats", 64)
        wanted.done()
        with desk.store.using(source_id) as source:
            table = desk.store.branch(source, ply, seats)
    else:
        game = desk.catalogue.make(wanted.text("game"), wanted.object("options", {}))
        seats = wanted.texts("seats", 64, ["human"] * game.players)
        seed = wanted.whole("seed", 0, 2**53) if wanted.has("seed") else None
        wanted.done()
        table = desk.store.begin(game, seats, seed)
    with desk.store.using(table.id) as kept:
        return desk.tell(kept, narrow=narrow)


def show_table(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    narrow = _narrow(wanted)
    with desk.store.using(request.path_params["id"]) as table:
        return desk.tell(table, narrow=narrow)


def show_ply(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    narrow = _narrow(wanted)
    with desk.store.using(request.path_params["id"]) as table:
        position = table.at(request.path_params["ply"])
    return {"ply": request.path_params["ply"], "view": see(position, narrow=narrow)}


def play_move(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    move, ply, narrow = wanted.text("move"), wanted.whole("ply", 0, 10**9), _narrow(wanted)
    wanted.done()
    with desk.store.using(request.path_params["id"]) as table:
        table.play_at(ply, move, by_person=True)
        desk.store.save(table)
        return desk.tell(table, since=ply, narrow=narrow)


def take_back(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    ply, narrow = wanted.whole("ply", 0, 10**9), _narrow(wanted)
    wanted.done()
    with desk.store.using(request.path_params["id"]) as table:
        table.take_back_at(ply)
        desk.store.save(table)
        return desk.tell(table, narrow=narrow)


def resign(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    ply, narrow = wanted.whole("ply", 0, 10**9), _narrow(wanted)
    wanted.done()
    with desk.store.using(request.path_params["id"]) as table:
        table.resign_at(ply)
        desk.store.save(table)
        return desk.tell(table, since=ply, narrow=narrow)


def delete_table(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    desk.store.drop(request.path_params["id"])
    return {"deleted": request.path_params["id"]}


# Positions, records, pictures


def look(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    """A position that nobody keeps: from a game or from JSON, and what was tried from there."""
    narrow = _narrow(wanted)
    find = desk.finder(wanted)
    wanted.done()
    position = find()
    return {
        "game": about(position.game),
        "position": json.loads(position.to_json()),
        "view": see(position, narrow=narrow),
    }


def take_in(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    """What somebody pasted or dropped: a record, an SGF of a line game, or a position."""
    text = wanted.text("text", most=desk.limits.body_bytes).strip()
    wanted.done()
    if text.startswith(("(", ";")):
        record = from_sgf(text)
        return {"kind": "record", "table": desk.store.take_in(record).id}
    if text.startswith("{") and '"boardwright_record"' in text[:4000]:
        return {"kind": "record", "table": desk.store.take_in(Record.from_json(text)).id}
    if text.startswith("{"):
        data = read_object(text)
        desk.game_of(data).from_json(text)
        return {"kind": "position", "position": data}
    raise Refused("this is no record, no SGF and no position: those begin with { or (")


def export_json(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    with desk.store.using(request.path_params["id"]) as table:
        return _download(
            table.record().to_json() + "\n", "application/json", _file_name(table.game.name, table.id, "json")
        )


def export_sgf(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    with desk.store.using(request.path_params["id"]) as table:
        return _download(to_sgf(table.record()), "application/x-go-sgf", _file_name(table.game.name, table.id, "sgf"))


def export_html(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    with desk.store.using(request.path_params["id"]) as table:
        names = [desk.seats.name_of(seat, table.game) for seat in table.seats]
        page = share.replay_page(table, names)
        return _download(page, "text/html", _file_name(table.game.name, table.id, "html"))


def _download(text: str, kind: str, name: str) -> Response:
    # Never shown in place of the page: what a record holds is a stranger's.
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _file_name(game: str, id: str, ending: str) -> str:
    return f"{game}-{id[:8]}.{ending}"


def _number(text: str, low: int, high: int, name: str) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise Refused(f"{name!r} must be a whole number from {low} to {high}")
    return int(text)


# Watching


def list_runs(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    return {"runs": watch.runs(desk.seats.runs)}


def show_run(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    return watch.run(request.path_params["name"], desk.seats.runs)


def list_matches(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    return {"matches": watch.matches(desk.store.library)}


def show_match(desk: Desk, request: Request, wanted: Wanted) -> Answer:
    return watch.match(desk.store.library, request.path_params["key"])


ROUTES = [
    route("/api/games", "GET", list_games),
    route("/api/games/{name}", "POST", one_game),
    route("/api/tables", "GET", list_tables),
    route("/api/tables", "POST", begin_table),
    route("/api/tables/{id}", "GET", show_table),
    route("/api/tables/{id}", "DELETE", delete_table),
    route("/api/tables/{id}/plies/{ply:int}", "GET", show_ply),
    route("/api/tables/{id}/moves", "POST", play_move),
    route("/api/tables/{id}/takeback", "POST", take_back),
    route("/api/tables/{id}/resign", "POST", resign),
    route("/api/tables/{id}/record.json", "GET", export_json),
    route("/api/tables/{id}/record.sgf", "GET", export_sgf),
    route("/api/tables/{id}/replay.html", "GET", export_html),
    route("/api/look", "POST", look),
    route("/api/import", "POST", take_in),
    route("/api/runs", "GET", list_runs),
    route("/api/runs/{name}", "GET", show_run),
    route("/api/matches", "GET", list_matches),
    route("/api/matches/{key}", "GET", show_match),
]
