"""The API over HTTP. docs/api.md describes every route; an error is {"error": "..."} with a fitting status."""

from __future__ import annotations

import json
import secrets
from importlib.resources import files
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from boardwright import __version__
from boardwright.arena.analyse import FORMAT
from boardwright.games.named import unusual_options
from boardwright.records.record import Record
from boardwright.records.sgf import from_sgf, to_sgf
from boardwright.serve import monitor, share
from boardwright.serve.context import Context
from boardwright.serve.library_routes import LIBRARY_ROUTES
from boardwright.serve.playtests import MOST_MINUTES, PAGE_POLICY, policy_of
from boardwright.serve.race import begin_race
from boardwright.serve.requests import Fields, Refused, read_object
from boardwright.serve.routing import Answer, narrow_of, number, route
from boardwright.serve.view import about, first_board, rules, see

# Games to choose from


def list_games(context: Context, request: Request, fields: Fields) -> Answer:
    return {
        "version": __version__,
        "first": context.catalogue.first,
        "plainest": context.catalogue.plainest,
        "seed": context.catalogue.seed,
        "games": context.catalogue.facts(),
        "playtests": True,  # a published page, which has no server, has none
    }


def one_game(context: Context, request: Request, fields: Fields) -> Answer:
    options = fields.object("options", {})
    game = context.catalogue.describe(request.path_params["name"], options)
    context.preparation.look_at(game)  # whoever chooses its options will soon play it
    return context.catalogue.facts_of(game)


def show_icon(context: Context, request: Request, fields: Fields) -> Answer:
    """A game's first board as a picture for lists of games. It may be a stranger's: it has no scripts, and loads
    nothing."""
    drawn = first_board(context.catalogue.describe(request.path_params["name"]))
    own = files("boardwright.serve").joinpath("web/icons/own.svg")
    headers = {"Content-Security-Policy": PAGE_POLICY}
    return Response(drawn or own.read_text("utf-8"), media_type="image/svg+xml", headers=headers)


def show_rules(context: Context, request: Request, fields: Fields) -> Answer:
    """The rules of a game with its usual options, for people."""
    return rules(context.catalogue.describe(request.path_params["name"], {}))


# Games that are played


def begin_table(context: Context, request: Request, fields: Fields) -> Answer:
    narrow = narrow_of(fields)
    if fields.has("from"):
        source_id, ply = fields.text("from"), fields.whole("ply", 0, 10**9)
        seats = fields.texts("seats", 64)
        fields.done()
        with context.store.using(source_id) as source:
            table = context.store.branch(source, ply, seats)
    else:
        game = context.catalogue.make(fields.text("game"), fields.object("options", {}))
        seats = fields.texts("seats", 64, ["human"] * game.players)
        seed = fields.whole("seed", 0, 2**53) if fields.has("seed") else None
        rival = fields.text("rival", "")
        fields.done()
        table = begin_race(context.store, game, rival, seed) if rival else context.store.begin(game, seats, seed)
    with context.store.using(table.id) as kept:
        return context.tell(kept, narrow=narrow)


def show_table(context: Context, request: Request, fields: Fields) -> Answer:
    narrow = narrow_of(fields)
    known, era = number(fields.text("since", "0"), 0, 10**9, "since"), fields.text("era", "", most=20)
    with context.store.using(request.path_params["id"]) as table:
        return context.tell(table, since=known if era == table.era else 0, narrow=narrow)


def invite(context: Context, request: Request, fields: Fields) -> Answer:
    """How somebody else comes in: what follows the server's address, with the token, which whoever asks knows."""
    token = context.door.token
    return {"path": f"/?token={token}" if token else "/", "near": not token}


def show_ply(context: Context, request: Request, fields: Fields) -> Answer:
    narrow = narrow_of(fields)
    ply = number(request.path_params["ply"], 0, 10**9, "ply")
    with context.store.using(request.path_params["id"]) as table:
        position = table.at(ply)
    return {"ply": ply, "view": see(position, narrow=narrow)}


def play_move(context: Context, request: Request, fields: Fields) -> Answer:
    move, ply, narrow = fields.text("move"), fields.whole("ply", 0, 10**9), narrow_of(fields)
    fields.done()
    with context.store.using(request.path_params["id"]) as table:
        with context.store.changing(table):
            table.play_at(ply, move, by_person=True)
        return context.tell(table, since=ply, narrow=narrow)


def take_back(context: Context, request: Request, fields: Fields) -> Answer:
    ply, narrow = fields.whole("ply", 0, 10**9), narrow_of(fields)
    fields.done()
    with context.store.using(request.path_params["id"]) as table:
        with context.store.changing(table):
            table.take_back_at(ply)
        return context.tell(table, narrow=narrow)


def resign(context: Context, request: Request, fields: Fields) -> Answer:
    ply, narrow = fields.whole("ply", 0, 10**9), narrow_of(fields)
    fields.done()
    with context.store.using(request.path_params["id"]) as table:
        with context.store.changing(table):
            table.resign_at(ply)
        return context.tell(table, since=ply, narrow=narrow)


def delete_table(context: Context, request: Request, fields: Fields) -> Answer:
    context.store.drop(request.path_params["id"])
    return {"deleted": request.path_params["id"]}


# Positions, records, pictures


def look(context: Context, request: Request, fields: Fields) -> Answer:
    """A position that nobody keeps: from a game or from JSON, and what was tried from there; with `deal`, after all
    that chance does before the next move."""
    narrow = narrow_of(fields)
    deal = fields.truth("deal")
    find = context.finder(fields)
    fields.done()
    position = asked = find()
    if deal:
        position = position.settle(secrets.randbits(62))
    dealt = []
    after = position
    while after is not asked and after.previous is not None and after.step is not None:
        dealt.append(after.previous.text(after.step))
        after = after.previous
    return {
        "dealt": dealt[::-1],
        "game": about(position.game),
        "position": json.loads(position.to_json()),
        "view": see(position, narrow=narrow),
    }


def take_in(context: Context, request: Request, fields: Fields) -> Answer:
    """What somebody pasted or dropped: a record, an SGF of a line game, or a position."""
    text = fields.text("text", most=context.limits.body_bytes).strip()
    fields.done()
    if text.startswith(("(", ";")):
        record = from_sgf(text)
        return {"kind": "record", "table": context.store.take_in(record).id}
    if text.startswith("{") and '"boardwright_record"' in text[:4000]:
        record = Record.from_json(text)
        return {"kind": "record", "table": context.store.take_in(record).id}
    if text.startswith("{"):
        data = read_object(text)
        context.game_of(data).from_json(text)
        return {"kind": "position", "position": data}
    raise Refused("this is no record, no SGF and no position: those begin with { or (")


def show_report(context: Context, request: Request, fields: Fields) -> Answer:
    """The report that was made of the game as it stands; None if there is none."""
    with context.store.using(request.path_params["id"]) as table:
        record = table.record()
    return {"report": context.reports.get(record, FORMAT)}


def export_json(context: Context, request: Request, fields: Fields) -> Answer:
    with context.store.using(request.path_params["id"]) as table:
        return _download(
            table.record().to_json() + "\n", "application/json", _file_name(table.game.name, table.id, "json")
        )


def export_sgf(context: Context, request: Request, fields: Fields) -> Answer:
    with context.store.using(request.path_params["id"]) as table:
        return _download(to_sgf(table.record()), "application/x-go-sgf", _file_name(table.game.name, table.id, "sgf"))


def export_html(context: Context, request: Request, fields: Fields) -> Answer:
    with context.store.using(request.path_params["id"]) as table:
        names = [context.seats.name_of(seat, table.game) for seat in table.seats]
        page = share.replay_page(table, names)
        return _download(page, "text/html", _file_name(table.game.name, table.id, "html"))


def _download(text: str, kind: str, name: str) -> Response:
    # Never shown in place of the page: what a record holds is a stranger's.
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _file_name(game: str, id: str, ending: str) -> str:
    return f"{game}-{id[:8]}.{ending}"


# Watching


def list_runs(context: Context, request: Request, fields: Fields) -> Answer:
    return {"runs": monitor.runs(context.seats.runs)}


def show_run(context: Context, request: Request, fields: Fields) -> Answer:
    return monitor.run(request.path_params["name"], context.seats.runs)


def list_matches(context: Context, request: Request, fields: Fields) -> Answer:
    return {"matches": monitor.matches(context.store.library)}


def show_match(context: Context, request: Request, fields: Fields) -> Answer:
    return monitor.match(context.store.library, request.path_params["key"])


def begin_playtest(context: Context, request: Request, fields: Fields) -> Answer:
    name, minutes = fields.text("game"), fields.number("minutes", 0.1, MOST_MINUTES, 10.0)
    options = fields.object("options", {})
    context.playtests.begin(name, options, minutes)
    unusual = unusual_options(context.catalogue.describe(name, options))
    chosen = f"?options={quote(json.dumps(unusual))}" if unusual else ""
    return {"page": f"/api/playtests/{quote(name)}{chosen}"}


def show_playtest(context: Context, request: Request, fields: Fields) -> Answer:
    options = read_object(fields.text("options", "{}", most=2000))
    page = context.playtests.page(request.path_params["name"], options, context.store.library)
    return Response(page, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": policy_of(page)})


ROUTES = [
    *LIBRARY_ROUTES,
    route("/api/games", "GET", list_games),
    route("/api/games/{name}", "POST", one_game),
    route("/api/games/{name}/icon.svg", "GET", show_icon),
    route("/api/games/{name}/rules", "GET", show_rules),
    route("/api/tables", "POST", begin_table),
    route("/api/tables/{id}", "GET", show_table),
    route("/api/tables/{id}", "DELETE", delete_table),
    route("/api/tables/{id}/plies/{ply}", "GET", show_ply),
    route("/api/tables/{id}/moves", "POST", play_move),
    route("/api/tables/{id}/takeback", "POST", take_back),
    route("/api/tables/{id}/resign", "POST", resign),
    route("/api/tables/{id}/report", "GET", show_report),
    route("/api/tables/{id}/record.json", "GET", export_json),
    route("/api/tables/{id}/record.sgf", "GET", export_sgf, long=True),
    route("/api/tables/{id}/replay.html", "GET", export_html, long=True),
    route("/api/invite", "GET", invite),
    route("/api/look", "POST", look),
    route("/api/import", "POST", take_in, long=True),
    route("/api/runs", "GET", list_runs),
    route("/api/runs/{name}", "GET", show_run),
    route("/api/matches", "GET", list_matches),
    route("/api/matches/{key}", "GET", show_match),
    route("/api/playtests", "POST", begin_playtest),
    route("/api/playtests/{name}", "GET", show_playtest, long=True),
]
