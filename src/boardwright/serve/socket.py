"""The socket for searches, in the manner of KataGo's analysis engine: a query has an id and a budget, may report on the
way, may be terminated, and ends with exactly one final answer that carries its id. docs/api.md has the messages."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from boardwright.contract.errors import BoardwrightError
from boardwright.contract.game import Game
from boardwright.serve import monitor
from boardwright.serve.clients import CLIENT, client_of
from boardwright.serve.context import Context
from boardwright.serve.jobs import PositionSearch, judge
from boardwright.serve.pool import Job
from boardwright.serve.requests import Fields, Refused, read_object

UNBOUNDED = 10**9  # simulations of a search that seconds end
TRY_AGAIN_LATER, GOING_AWAY = 1013, 1001
LOOK_SECONDS = 1.0  # between two looks at the disk for trainings and matches
MOST_PENDING = 1000  # final answers that a client has not taken; one that reads nothing is let go


class Client:
    """One client at the socket: its queries, and what is on its way to it."""

    def __init__(self, socket: WebSocket, context: Context) -> None:
        self.socket, self.context, self.client = socket, context, client_of(socket.scope)
        self.jobs: dict[str, Job] = {}
        self.watches: dict[str, str] = {}  # by query: the game that is watched, "" for the lists of games
        self._opening: set[asyncio.Task[None]] = set()  # watches that wait for their game to be read
        self._coming: dict[str, asyncio.Task[None]] = {}  # the last of them, by table
        self.searches: OrderedDict[str, PositionSearch] = OrderedDict()
        self._loop = asyncio.get_running_loop()
        self._finals: deque[dict[str, Any]] = deque()
        self._reports: dict[str, dict[str, Any]] = {}  # the newest of each query: a slow reader misses some, not memory
        self._news = asyncio.Event()

    async def serve(self) -> None:
        await self.socket.accept()
        sender = asyncio.create_task(self._send())
        try:
            while True:
                message = await self._next_message()
                if message is None or message["type"] == "websocket.disconnect":
                    return
                self._hear(message.get("text") or message.get("bytes") or "")
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            for job in list(self.jobs.values()):
                self.context.pool.stop(job)
            watches, self.watches = self.watches, {}
            for id, table in watches.items():
                self.context.attendant.leave(table, (self, id))
                self.context.files.leave((self, id))
            self.context.forget_searches(self.searches)

    async def _next_message(self) -> Any:
        """What the client says next; None if it has had nothing to say, and nothing to wait for, for too long."""
        while True:
            try:
                async with asyncio.timeout(self.context.limits.idle_seconds):
                    return await self.socket.receive()
            except TimeoutError:
                if not self.jobs:
                    await self.socket.close(GOING_AWAY)
                    return None

    # Hearing

    def _hear(self, text: str | bytes) -> None:
        id = ""
        try:
            data = read_object(text)
            fields = Fields(data)
            id = fields.text("id", most=80)
            if id in self.jobs or id in self.watches:
                self._put(
                    {"id": "", "error": f"{id!r} is still being answered; give each query an id of its own"}, True
                )
                return
            action = fields.text("action", most=20)
            handle = getattr(self, f"_on_{action}", None) if action in ACTIONS else None
            if handle is None:
                raise Refused(f"no action {action!r}; there are {', '.join(ACTIONS)}")
            handle(id, fields)
        except BoardwrightError as error:
            self._put({"id": id, "error": str(error), "status": getattr(error, "status", 400)}, True)

    def _on_analyse(self, id: str, fields: Fields) -> None:
        limits = self.context.limits
        simulations = fields.whole("simulations", 1, limits.simulations) if fields.has("simulations") else UNBOUNDED
        seconds = fields.number("seconds", 0.01, limits.seconds, 5.0)
        most = fields.whole("most", 1, 40, 12)
        find = self.context.finder(fields, hint=True)
        fields.done()
        context = self.context

        def work(job: Job) -> dict[str, Any]:
            position = find()
            self._prepare(position.game, job)
            with context.seats.analyst(position.game) as player:
                search = PositionSearch(position, player, seconds, simulations, most)
                self._loop.call_soon_threadsafe(self._keep, id, search)
                return search.run(job)

        self._start(id, work, can_be_cut=True)

    def _prepare(self, game: Game, job: Job) -> None:
        """Wait until a game can be looked at, and tell how far that is."""
        preparation = self.context.preparation

        def stopping() -> bool:
            job.report(lambda: {"preparing": preparation.awaited(game)})
            return job.stopping

        preparation.wait(game, stopping, looks=True)

    def _on_move(self, id: str, fields: Fields) -> None:
        table_id, ply = fields.text("table"), fields.whole("ply", 0, 10**9)
        narrow = fields.truth("narrow")
        fields.done()
        context = self.context

        def work(job: Job) -> dict[str, Any]:
            move, thought = context.attendant.play(table_id, ply, job)
            with context.store.using(table_id) as table:
                return {"move": move, "thought": thought, "table": context.tell(table, since=ply, narrow=narrow)}

        self._start(id, work)

    def _on_report(self, id: str, fields: Fields) -> None:
        table_id = fields.text("table")
        simulations = fields.whole("simulations", 20, 5000) if fields.has("simulations") else 0
        seconds = fields.number("seconds", 0.0, self.context.limits.seconds, 0.0)
        fields.done()
        context = self.context

        def work(job: Job) -> dict[str, Any]:
            with context.store.using(table_id) as table:
                final, names, game = table.position, table.seats, table.game
                if not table.is_over:
                    with context.store.changing(table):
                        table.mark("hint")
                record = table.record()
            self._prepare(game, job)
            called = tuple(context.seats.name_of(name, game) for name in names)
            helpers = 1 if context.pool.busy > 1 else min(2, context.limits.threads)
            with context.seats.judges(game, helpers) as players:
                analyst = players[0].spec
                return judge(
                    final,
                    called,
                    players,
                    job,
                    simulations=simulations,
                    seconds=seconds,
                    keep=lambda report: context.reports.save(record, report),
                    before=None if simulations else context.judges.take(record, analyst),
                    after=lambda judging: context.judges.keep(record, analyst, judging),
                )

        self._start(id, work, can_be_cut=True)

    def _on_theatre(self, id: str, fields: Fields) -> None:
        work = self.context.theatres.ask(fields, self.context)
        fields.done()
        self._start(id, work, can_be_cut=True)

    def _on_tree(self, id: str, fields: Fields) -> None:
        of, path = fields.text("of", most=80), fields.wholes("path", 60, [])
        fields.done()
        search = self.searches.get(of)
        if search is None:
            raise Refused(f"{of!r} is no search of this socket, or too long ago", 404)
        tell = self._teller(id)
        # A tree that still grows answers in its own thread at the end of a slice, one that is done in ours.
        search.open(path, lambda found: tell(found, True))

    def _on_terminate(self, id: str, fields: Fields) -> None:
        of = fields.text("of", most=80)
        fields.done()
        job, watches = self.jobs.get(of), of in self.watches
        if job is not None:
            self.context.pool.stop(job)
        self._put({"id": id, "of": of, "terminated": job is not None or watches}, True)
        if watches:
            self.context.attendant.leave(self.watches[of], (self, of))
            self.context.files.leave((self, of))
            self._put({"id": of, "stopped": True}, True)

    def _admit(self, id: str, table_id: str = "") -> None:
        """Note a watch, or refuse one too many."""
        if len(self.watches) >= self.context.limits.watches:
            raise Refused(f"{len(self.watches)} things are being watched; terminate one", 429)
        self.watches[id] = table_id

    def _on_watch(self, id: str, fields: Fields) -> None:
        table_id, seat = fields.text("table", ""), fields.whole("seat", -1, 63, -1)
        fields.done()
        self._admit(id, table_id)
        if not table_id:
            self.context.attendant.watch_lists((self, id), self._teller(id))
            return
        task = self._coming[table_id] = asyncio.create_task(self._watch(id, table_id, seat))
        self._opening.add(task)

        def ended(task: asyncio.Task[None]) -> None:
            self._opening.discard(task)
            if self._coming.get(table_id) is task:
                del self._coming[table_id]

        task.add_done_callback(ended)

    def _on_files(self, id: str, fields: Fields) -> None:
        fields.done()
        self._admit(id)
        self.context.files.watch((self, id), self._teller(id))

    async def _watch(self, id: str, table_id: str, seat: int) -> None:
        """A game may have to be read, and its rules compiled, before it can be watched."""
        CLIENT.set(self.client)
        attendant = self.context.attendant
        try:
            async with self.context.turns.of(self.client):
                await run_in_threadpool(attendant.watch, table_id, (self, id), self._teller(id), seat)
        except BoardwrightError as error:
            self._put({"id": id, "error": str(error), "status": getattr(error, "status", 400)}, True)
        if id not in self.watches:  # it was terminated meanwhile, or the client has left
            attendant.leave(table_id, (self, id))

    def _on_follow(self, id: str, fields: Fields) -> None:
        """Tell whenever trainings or matches have changed. They are written by others: the disk is looked at."""
        fields.done()
        self._admit(id)
        task = asyncio.create_task(self._follow(id))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _follow(self, id: str) -> None:
        seen, changes = "", 0
        while id in self.watches:
            now = await run_in_threadpool(monitor.fingerprint, self.context.store.library, self.context.seats.runs)
            if now != seen:
                seen, changes = now, changes + 1
                self._put({"id": id, "changes": changes}, False)
            await asyncio.sleep(LOOK_SECONDS)

    def _on_pace(self, id: str, fields: Fields) -> None:
        table_id, held, speed = fields.text("table"), fields.truth("held"), fields.number("speed", 0.1, 100, 1.0)
        fields.done()

        async def pace() -> None:
            if table_id in self._coming:  # asked for before, and slower: who watches may set the pace
                await asyncio.wait([self._coming[table_id]])
            try:
                await run_in_threadpool(self.context.attendant.pace, table_id, held, speed)
                self._put({"id": id}, True)
            except BoardwrightError as error:
                self._put({"id": id, "error": str(error), "status": getattr(error, "status", 400)}, True)

        task = asyncio.create_task(pace())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    def _on_ping(self, id: str, fields: Fields) -> None:
        fields.done()
        self._put({"id": id}, True)

    def _start(self, id: str, work: Callable[[Job], dict[str, Any]], *, can_be_cut: bool = False) -> None:
        if len(self.jobs) >= self.context.limits.queries:
            raise Refused(f"{len(self.jobs)} queries are being answered; wait, or terminate one", 429)
        job = Job(work, self._teller(id), self.client, can_be_cut=can_be_cut)
        self.jobs[id] = job
        try:
            self.context.pool.ask(job)
        except Refused:
            del self.jobs[id]
            raise

    def _keep(self, id: str, search: PositionSearch) -> None:
        self.searches[id] = search
        self.context.remember_search(self.searches, id)

    # Telling

    def _teller(self, id: str) -> Callable[[dict[str, Any], bool], None]:
        def tell(message: dict[str, Any], final: bool) -> None:
            try:
                self._loop.call_soon_threadsafe(self._put, {"id": id, **message}, final)
            except RuntimeError:
                pass  # the loop has ended, and nobody listens

        return tell

    def _put(self, message: dict[str, Any], final: bool) -> None:
        message["final"] = final
        if final:
            self.jobs.pop(message["id"], None)
            self.watches.pop(message["id"], None)
            self._reports.pop(message["id"], None)
            self._finals.append(message)
            if len(self._finals) > MOST_PENDING:
                self._leaving = asyncio.ensure_future(self.socket.close(TRY_AGAIN_LATER))
        elif message["id"] in self.jobs or message["id"] in self.watches:
            self._reports[message["id"]] = message
        self._news.set()

    async def _send(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._finals or self._reports:
                    if self._reports:
                        message = self._reports.pop(next(iter(self._reports)))
                    else:
                        message = self._finals.popleft()
                    await self.socket.send_text(json.dumps(message, allow_nan=False))
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has left; the receiving side tidies up


ACTIONS = ("analyse", "move", "report", "tree", "theatre", "terminate", "watch", "files", "follow", "pace", "ping")


async def endpoint(socket: WebSocket) -> None:
    """`/api/search`."""
    context: Context = socket.app.state.context
    client, limits = client_of(socket.scope), context.limits
    if context.sockets[client] >= limits.sockets_each or context.sockets.total() >= limits.sockets:
        await socket.close(TRY_AGAIN_LATER)
        return
    context.sockets[client] += 1
    try:
        await Client(socket, context).serve()
    finally:
        context.sockets[client] -= 1
        if not context.sockets[client]:
            del context.sockets[client]
