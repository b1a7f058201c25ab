"""The routes of the library: lists of games with names and scores, best scores, studies, exercises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from boardwright.arena.analyse import FORMAT
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.records.exercises import Exercises
from boardwright.records.library import Summary
from boardwright.records.live_game import HUMAN
from boardwright.records.people import LONGEST_NAME, People
from boardwright.records.record import UNFIT
from boardwright.records.studies import LONGEST_TITLE, Studies, Study, check_nodes
from boardwright.serve.context import Context
from boardwright.serve.requests import Fields, Refused
from boardwright.serve.routing import Answer, number, route
from boardwright.serve.view import variant

MOST_LISTED = 200
LOOKED_AT = 4000  # games that a list looks through, the newest
AT_ONCE = 100
BEST = 10  # scores
RESULTS = ("won", "lost", "draw")


def person_of(fields: Fields, *, needed: bool = True) -> str:
    """Whoever asks, by the secret that their browser keeps."""
    person = fields.text("person", None if needed else "", most=32)
    if (person or needed) and (len(person) != 32 or set(person) - set("0123456789abcdef")):
        raise Refused("'person' must be 32 digits 0-9 a-f")
    return person


def name_of(fields: Fields) -> str:
    """What somebody wants to be called."""
    name = fields.text("name", "", most=LONGEST_NAME).strip()
    if UNFIT.search(name):
        raise Refused("'name' must be without control characters")
    return name


class Told:
    """Games of the library as lists tell them: names, points, how they ended for the people in them."""

    def __init__(self, context: Context, person: str) -> None:
        self.context, self.person = context, person
        self.people = People(context.store.library)
        self._games: dict[str, Game | None] = {}
        self._names: dict[str, dict[str, str]] = {}

    def rows(self, found: list[Summary]) -> Iterator[dict[str, Any]]:
        for first in range(0, len(found), AT_ONCE):
            some = found[first : first + AT_ONCE]
            ids = [one.id for one in some]
            details, sitters = self.context.store.library.details(ids), self.people.at(ids)
            for one in some:
                if one.id in details:  # else it was deleted meanwhile
                    yield self._row(one, *details[one.id], {it.seat: it for it in sitters.get(one.id, [])})

    def _row(self, one: Summary, options: dict[str, Any], note: str, sitters: dict[int, Any]) -> dict[str, Any]:
        game = self._game(one.game, options)
        mine = [seat for seat, who in sitters.items() if who.person == self.person and self.person]
        people = [seat for seat, who in enumerate(one.players) if who == HUMAN]
        return {
            "id": one.id, "game": one.game, "players": one.players, "started": one.started, "status": one.status,
            "plies": one.plies, "scores": one.scores, "results": one.results,
            "here": game is not None,
            "names": [self._name(who, seat, game, sitters, mine) for seat, who in enumerate(one.players)],
            "variant": variant(game) if game else [],
            "counts": bool(game and (game.counts_points or game.card.shows_points)),
            "assisted": "assisted" in note,
            "mine": mine,
            "ended": ended(one, mine or people),
        }  # fmt: skip

    def _name(self, who: str, seat: int, game: Game | None, sitters: dict[int, Any], mine: list[int]) -> str:
        if who != HUMAN:
            return self._called(game).get(who, who) if game else who
        named = sitters[seat].name if seat in sitters else ""
        return named or ("You" if seat in mine else "A person")

    def _called(self, game: Game) -> dict[str, str]:
        key = str(game)
        if key not in self._names:
            self._names[key] = {spec: name for name, spec, _ in self.context.seats.strengths(game)}
        return self._names[key]

    def _game(self, name: str, options: dict[str, Any]) -> Game | None:
        key = f"{name} {json.dumps(options, sort_keys=True)}"
        if key not in self._games:
            try:
                self._games[key] = self.context.catalogue.describe(name, options)
            except InputError:
                self._games[key] = None  # not here, or no longer with these options
        return self._games[key]


def ended(one: Summary, seats: list[int]) -> str:
    """won, lost or draw, for the one person whose result it is; empty if there is none, or several."""
    if one.results is None or len(seats) != 1 or len(one.results) < 2:
        return ""
    own = one.results[seats[0]]
    best = max(got for seat, got in enumerate(one.results) if seat != seats[0])
    return "won" if own > best else "lost" if own < best else "draw"


# Games


def list_tables(context: Context, request: Request, fields: Fields) -> Answer:
    status, game = fields.text("status", ""), fields.text("game", "")
    limit = number(fields.text("limit", "50"), 1, MOST_LISTED, "limit")
    person, whose = person_of(fields, needed=False), fields.text("whose", "")
    who, result, since = fields.text("who", "").strip().casefold(), fields.text("result", ""), fields.text("since", "")
    if whose not in ("", "people", "mine") or result not in ("", *RESULTS):
        raise Refused(f"'whose' is people or mine, 'result' one of {', '.join(RESULTS)}; or leave them out")
    if whose == "mine" and not person:
        raise Refused("'person' is missing")
    plain = not whose and not who and not result
    changes = context.attendant.changes  # before the games are looked for: who hears of more looks again
    found = context.store.library.find(
        status=status or None,
        game=game or None,
        player=HUMAN if whose else None,
        since=since or None,
        limit=limit if plain else LOOKED_AT,
    )
    told = Told(context, person)
    if whose == "mine":
        own = told.people.games_of(person)
        found = [one for one in found if one.id in own]
    rows = []
    for row in told.rows(found):
        heard = "\n".join([*row["names"], *row["players"]]).casefold()
        if who in heard and result in ("", row["ended"]):
            rows.append(row)
            if len(rows) == limit:
                break
    return {"tables": rows, "changes": changes}


def sit_down(context: Context, request: Request, fields: Fields) -> Answer:
    """Seats of people at a table are this person's."""
    person, name = person_of(fields), name_of(fields)
    seats = fields.wholes("seats", 64)
    fields.done()
    with context.store.using(request.path_params["id"]) as table:
        if any(not 0 <= seat < len(table.seats) or table.seats[seat] != HUMAN for seat in seats):
            raise Refused("'seats' must be seats of people at this table, counted from 0")
        People(context.store.library).sit(table.id, seats, person, name)
    return {"seats": seats}


def rename(context: Context, request: Request, fields: Fields) -> Answer:
    """What a person is called, in games of the past too."""
    person, name = person_of(fields), name_of(fields)
    fields.done()
    People(context.store.library).rename(person, name)
    return {"name": name}


def best_scores(context: Context, request: Request, fields: Fields) -> Answer:
    """The highest points that people made, of each variant of a game that counts points."""
    person = person_of(fields, needed=False)
    library = context.store.library
    found = library.find(game=fields.text("game"), player=HUMAN, status="finished", limit=LOOKED_AT)
    best: dict[str, list[dict[str, Any]]] = {}
    for row in Told(context, person).rows(found):
        if not row["counts"] or row["assisted"]:
            continue
        for seat, who in enumerate(row["players"]):
            if who == HUMAN:
                told = {"id": row["id"], "name": row["names"][seat], "score": row["scores"][seat],
                        "started": row["started"], "mine": seat in row["mine"]}  # fmt: skip
                best.setdefault(" · ".join(row["variant"]), []).append(told)
    return {
        "best": [
            {"variant": name, "scores": sorted(all_of, key=lambda one: (-one["score"], one["started"]))[:BEST]}
            for name, all_of in sorted(best.items())
        ]
    }


# Studies


def list_studies(context: Context, request: Request, fields: Fields) -> Answer:
    person = person_of(fields, needed=False)
    found = Studies(context.store.library).newest(MOST_LISTED)
    return {
        "studies": [
            {**{name: one[name] for name in ("id", "title", "game", "changed")}, "mine": one["person"] == person != ""}
            for one in found
        ]
    }


def begin_study(context: Context, request: Request, fields: Fields) -> Answer:
    person, title = person_of(fields, needed=False), fields.text("title", "", most=LONGEST_TITLE)
    nodes = check_nodes(fields.items("nodes"))
    table, ply = str(fields.peek("table") or ""), fields.peek("ply")
    id = _id_of(fields)
    find = context.finder(fields)
    fields.done()
    studies = Studies(context.store.library)
    position = json.loads(find().to_json())
    made = Study(position, nodes, title, person, table, ply if isinstance(ply, int) and table else 0)
    if id:
        made = replace(made, id=id)
        if (known := studies.find(id)) is not None:  # sent again, as the answer was lost on its way
            if (known.position, known.nodes, known.title, known.person) == (made.position, nodes, title, person):
                return _study(context, known)
            raise Refused("there is another study of this id", 409)
    with context.quota.keeping(len(made.text)):
        return _study(context, studies.save(made))


def _id_of(fields: Fields) -> str:
    """The id that a client wants for a study of its own; empty: any."""
    id = fields.text("id", "", most=32)
    if id and not re.fullmatch("[0-9a-f]{32}", id):
        raise Refused("id: a study's id is 32 digits, 0-9 and a-f")
    return id


def show_study(context: Context, request: Request, fields: Fields) -> Answer:
    return _study(context, _found(context, request))


def save_study(context: Context, request: Request, fields: Fields) -> Answer:
    nodes, title = check_nodes(fields.items("nodes")), fields.text("title", "", most=LONGEST_TITLE)
    version = fields.whole("version", 0, 10**9)
    fields.done()
    kept = _found(context, request)
    if (kept.version, kept.nodes, kept.title) == (version + 1, nodes, title):
        return {"version": kept.version}  # sent again, as the answer was lost on its way
    if kept.version != version:
        raise Refused("the study was changed elsewhere; reload it", 409)
    changed = replace(kept, nodes=nodes, title=title)
    with context.quota.keeping(len(changed.text), len(kept.text)):
        try:
            saved = Studies(context.store.library).save(changed, version)
        except InputError as error:
            raise Refused(str(error), 409) from None
    return {"version": saved.version}


def delete_study(context: Context, request: Request, fields: Fields) -> Answer:
    Studies(context.store.library).delete(_found(context, request).id)
    return {"deleted": request.path_params["id"]}


def _found(context: Context, request: Request) -> Study:
    try:
        return Studies(context.store.library).get(request.path_params["id"])
    except InputError as error:
        raise Refused(str(error), 404) from None


def _study(context: Context, study: Study) -> dict[str, Any]:
    """As the page takes it. Where the game is still there it is the base, so that what was played before is known;
    else the position."""
    told = {name: value for name, value in asdict(study).items() if name not in ("position", "table", "ply", "person")}
    try:
        if study.table:
            with context.store.using(study.table) as table:
                same = json.loads(table.at(study.ply).to_json()) == study.position
            if same:
                return {**told, "base": {"table": study.table, "ply": study.ply}}
    except InputError:
        pass  # deleted, or taken back since
    return {**told, "base": {"position": study.position}}


# Exercises


def list_exercises(context: Context, request: Request, fields: Fields) -> Answer:
    """What is due now, how much waits, and when the next comes."""
    found = Exercises(context.store.library).of(person_of(fields), FORMAT)
    here = [one for one in found if one.game in context.catalogue.names]
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    due = [one for one in here if one.due <= now]
    later = [one.due for one in here if one.due > now]
    return {"due": [asdict(one) for one in due[:AT_ONCE]], "later": len(later), "next": min(later, default=None)}


def answer_exercise(context: Context, request: Request, fields: Fields) -> Answer:
    person, id, ply = person_of(fields), fields.text("id"), fields.whole("ply", 1, 10**9)
    right = fields.truth("right")
    seen = fields.text("due", "", most=40) if fields.has("due") else None
    fields.done()
    exercises = Exercises(context.store.library)
    if not any((one.id, one.ply) == (id, ply) for one in exercises.of(person, FORMAT)):
        raise Refused("no such exercise; its game may have been deleted", 404)
    box, due = exercises.answer(person, id, ply, right, due=seen)
    return {"box": box, "due": due}


LIBRARY_ROUTES = [
    route("/api/tables", "GET", list_tables),
    route("/api/tables/{id}/people", "POST", sit_down),
    route("/api/people", "POST", rename),
    route("/api/best", "GET", best_scores),
    route("/api/studies", "GET", list_studies),
    route("/api/studies", "POST", begin_study),
    route("/api/studies/{id}", "GET", show_study),
    route("/api/studies/{id}", "POST", save_study),
    route("/api/studies/{id}", "DELETE", delete_study),
    route("/api/exercises", "GET", list_exercises),
    route("/api/exercises", "POST", answer_exercise),
]
