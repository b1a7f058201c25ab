"""Analysis for other programs, in the manner of KataGo's protocol: one JSON object a line, in and out.

A query names a position and a budget; it gets exactly one final answer (or one error), and reports before it if it
asks for them. Queries wait in line; actions are obeyed at once. docs/engines.md has every field.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from boardwright import __version__
from boardwright.arena.analyse import explain, game_line
from boardwright.arena.equal_moves import same_moves
from boardwright.arena.judge import Judge
from boardwright.arena.tried_moves import Same, tried_moves, value_error
from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, blank, shorten
from boardwright.contract.settings import read_settings
from boardwright.engine.wire import Wire
from boardwright.games.load import load
from boardwright.players import Control, Player, PlayerSpec, Progress
from boardwright.players.kinds import MODELS, kind_of, settled
from boardwright.search.choice import Choice
from boardwright.search.common_choice import best_line
from boardwright.search.stopping import Stopped
from boardwright.search.tree import Tree

LONGEST_LINE = 16_000_000  # bytes
FIELDS = ("id", "action", "terminateId", "position", "moves", "seed", "simulations", "seconds", "settings",
          "reportDuringSearchEvery", "includeBoard", "includePosition", "judge")  # fmt: skip
ACTIONS = ("query_version", "ping", "terminate", "terminate_all")


@dataclass
class Query:
    """One question, and the flag that ends its search early."""

    id: str | int
    asked: dict[str, Any]
    stop: threading.Event = field(default_factory=threading.Event)


class JsonLines:
    """One program's analyst of one game."""

    def __init__(self, wire: Wire, game: Game, spec: PlayerSpec) -> None:
        self.wire, self.game, self.spec = wire, game, spec
        self.kind = kind_of(spec, game)
        self._players: dict[str, Player] = {}  # the last with a model, by its spec: it is read once
        self._queries: queue.SimpleQueue[Query | None] = queue.SimpleQueue()
        self._open: dict[str | int, Query] = {}  # asked and not answered
        self._lock = threading.Lock()

    def run(self) -> None:
        """Until the input ends and every query is answered."""
        worker = threading.Thread(target=self._work, name="analyst")
        worker.start()
        while (text := self.wire.heard.get().text) is not None:
            if text:
                self._hear(text)
        self._queries.put(None)
        worker.join()

    def _hear(self, text: str) -> None:
        name: str | int | None = None
        try:
            asked = _read_object(text)
            name = _read_id(asked)
            unknown = [key for key in asked if key not in FIELDS]
            if unknown:
                raise InputError(f"no field {shorten(unknown[0])!r}; there are {', '.join(FIELDS)}")
            if "action" in asked:
                self._act(name, asked)
                return
            with self._lock:
                if name in self._open:
                    raise InputError(f"id {shorten(str(name))!r} is still being worked on; give each query its own")
                query = self._open[name] = Query(name, asked)
            self._queries.put(query)
        except InputError as error:
            self._say({"error": str(error)}, name)

    def _act(self, name: str | int, asked: dict[str, Any]) -> None:
        action = asked["action"]
        answer: dict[str, Any] = {"action": action}
        if action == "query_version":
            answer |= {"version": __version__, "game": self.game.name, "options": self.game.options}
        elif action == "terminate":
            if "terminateId" not in asked:
                raise InputError("terminate needs terminateId, the id of the query to end")
            answer["terminateId"] = asked["terminateId"]
            self._terminate(asked["terminateId"])
        elif action == "terminate_all":
            self._terminate()
        elif action != "ping":
            raise InputError(f"no action {shorten(str(action))!r}; there are {', '.join(ACTIONS)}")
        self._say(answer, name)

    def _terminate(self, *names: object) -> None:
        with self._lock:
            for query in self._open.values():
                if not names or query.id in names:
                    query.stop.set()

    # Answers

    def _work(self) -> None:
        while (query := self._queries.get()) is not None:
            try:
                answer = self._answer(query)
            except BoardwrightError as error:
                answer = {"error": str(error)}
            except Exception as error:  # whatever happens, a query gets its one answer
                answer = {"error": f"{type(error).__name__}: {error}"}
            with self._lock:
                del self._open[query.id]
            self._say(answer, query.id)

    def _answer(self, query: Query) -> dict[str, Any]:
        asked = query.asked
        player = self._player(asked)
        every = _number(asked, "reportDuringSearchEvery", 0.0)
        position = self._position(asked)
        about = _describe(position, asked)
        if asked.get("judge"):
            return {"isDuringSearch": False, **about, **self._judged(query, position, player, about, every)}
        if position.is_over or position.is_chance:
            return {"isDuringSearch": False, **about}
        if query.stop.is_set():
            return {"isDuringSearch": False, "noResults": True, **about}
        reported, same = time.monotonic(), same_moves(position)

        def report(progress: Progress) -> None:
            nonlocal reported
            now = time.monotonic()
            so_far = progress.choose() if every and now - reported >= every else None
            if so_far is not None:
                reported = now
                visits = sum(so_far.visits.values())
                found = _found(position, so_far, progress.trees[0], visits, same)
                self._say({"isDuringSearch": True, **about, **found}, query.id)

        control = Control(query.stop.is_set, report, wants_tree=True)
        choice = player.choose(position, control)
        found = _found(position, choice, control.trees[0], choice.simulations, same)
        return {"isDuringSearch": False, **about, **found}

    def _judged(
        self, query: Query, final: Position, player: Player, about: dict[str, Any], every: float
    ) -> dict[str, Any]:
        """The moves that led to a position, judged one by one, and then again where that is least sure, as long as the
        query has seconds."""
        judge = Judge(game_line(final), [player], seed=int(_number(query.asked, "seed", 0)), stopping=query.stop.is_set)
        try:
            judge.first()
        except Stopped:
            return {"noResults": True}

        def found() -> dict[str, Any]:
            return {"analysis": explain(judge, (), str(self.spec)).to_dict()}

        reported = time.monotonic()
        until = reported + _number(query.asked, "seconds", 0.0)
        try:
            while time.monotonic() < until and not query.stop.is_set() and judge.refine():
                if every and time.monotonic() - reported >= every:
                    reported = time.monotonic()
                    self._say({"isDuringSearch": True, **about, **found()}, query.id)
        except Stopped:
            pass  # what was found before stands
        return found()

    def _player(self, asked: dict[str, Any]) -> Player:
        """Who searches for a query: as the command said, with the query's own settings."""
        wanted = asked.get("settings", {})
        if not isinstance(wanted, dict):
            raise InputError('settings must be an object such as {"c": 1.5}')
        limits = (
            ("simulations",) if asked.get("judge") else ("simulations", "seconds")
        )  # a report is refined by the clock
        budget: dict[str, object] = {key: asked[key] for key in limits if key in asked}
        if budget:
            budget = {"simulations": 0, "seconds": 0.0, **budget}
        changes = read_settings(self.kind.settings_class, "settings", {**wanted, **budget})
        spec = self.spec
        for name, value in changes.items():
            if name in MODELS:
                raise InputError(f"settings: {name} names a file, which a query may not; say it with --player")
            spec = spec.with_setting(name, json.dumps(value) if isinstance(value, bool) else value)
        if not any(name in MODELS for name in spec.settings):
            return self.kind.make(self.game, spec, "mcts")
        if str(spec) not in self._players:
            self._players = {str(spec): self.kind.make(self.game, spec, "mcts")}
        player = self._players[str(spec)]
        player.forget()
        return player

    def _position(self, asked: dict[str, Any]) -> Position:
        if "position" in asked:
            position = self.game.from_json(json.dumps(asked["position"]))
        elif "seed" in asked:
            position = self.game.begin(int(_number(asked, "seed", 0)))
        else:
            position = blank(self.game)
        moves = asked.get("moves", [])
        if not isinstance(moves, list):
            raise InputError("moves must be a list of moves, each its text or its number, draws of chance included")
        for number, step in enumerate(moves, start=1):
            if type(step) not in (int, str):
                raise InputError(f"moves: number {number} is {shorten(repr(step))}; write a move's text or its number")
            if position.is_over:
                raise InputError(f"moves: number {number} is {shorten(repr(step))}, but the game is over")
            try:
                position = position.advance(step)
            except InputError as error:
                raise InputError(f"moves: number {number}: {shorten(str(error), 300)}") from None
        return position

    def _say(self, answer: dict[str, Any], name: str | int | None) -> None:
        whole = answer if name is None else {"id": name, **answer}
        self.wire.say(json.dumps(whole, separators=(",", ":")))


def _describe(position: Position, asked: dict[str, Any]) -> dict[str, Any]:
    """Whose turn it is and what is known without a search."""
    mover = None if position.is_over else "chance" if position.is_chance else position.player
    about: dict[str, Any] = {"toMove": mover}
    if position.is_over:
        about["results"] = position.results
    if position.is_chance:
        about["chances"] = [
            {"outcome": position.text(outcome), "number": outcome, "probability": chance}
            for outcome, chance in position.chances
        ]
    if position.game.counts_points or any(position.scores):
        about["scores"] = position.scores
    if asked.get("includeBoard"):
        about["board"] = str(position)
    if asked.get("includePosition"):
        about["position"] = json.loads(position.to_json())
    return about


def _found(position: Position, choice: Choice, tree: Tree, simulations: int, same: Same) -> dict[str, Any]:
    """What a search knows, best move first; lines are those of its (first) tree. Moves that are the `same` have a loss
    together."""
    known = {int(tree.slots["move"][child]) for child in tree.children() if tree.slots["visits"][child]}
    tried = [move for move in choice.visits if choice.visits[move] or move == choice.move]
    tried.sort(key=lambda move: (move != choice.move, -choice.visits[move]))
    alone = {one.move: one for one in tried_moves(position, choice, tree)}
    merged = {move: one for one in tried_moves(position, choice, tree, same) for move in (one.move, *one.alike)}
    return {
        "move": position.text(choice.move),
        "value": choice.value,
        "valueError": value_error(choice, tree, position.player),
        "simulations": simulations,
        "seconds": round(choice.seconds, 4),
        "note": choice.note,
        "moveInfos": [
            {
                "move": position.text(move),
                "number": move,
                "order": order,
                "visits": choice.visits[move],
                "value": choice.values.get(move),
                "valueError": alone[move].value_error,
                "loss": merged[move].loss,
                "error": merged[move].error,
                "label": merged[move].label,
                "prior": choice.priors.get(move),
                "pv": texts(position, best_line(tree, move) if move in known else (move,)),
            }
            for order, move in enumerate(tried)
        ],
    }


def texts(position: Position, line: tuple[int, ...]) -> list[str]:
    """The names of the steps of a line."""
    named = []
    for step in line:
        named.append(position.text(step))
        position = position.advance(step)
    return named


def _read_object(text: str) -> dict[str, Any]:
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this line is not JSON ({shorten(str(error), 200)})") from None
    if not isinstance(asked, dict):
        raise InputError('a line must be an object such as {"id": "1", "moves": []}')
    return asked


def _read_id(asked: dict[str, Any]) -> str | int:
    name = asked.get("id")
    if type(name) not in (str, int):
        raise InputError("id is missing; give each query an id of its own, text or a whole number")
    return name  # type: ignore[return-value]  # checked above


def _number(asked: dict[str, Any], key: str, otherwise: float) -> float:
    value = asked.get(key, otherwise)
    if type(value) not in (int, float) or not 0 <= value < 2**63:
        raise InputError(f"{key}={shorten(repr(value))} must be a number from 0 up")
    return value  # type: ignore[no-any-return]  # checked above


def run_json_lines(name: str, spec: str) -> None:
    """Serve one program on standard input and output. What is wrong with the arguments is told before it begins."""
    parsed = PlayerSpec.parse(spec)
    if parsed.kind != "mcts":
        raise InputError(f"--player {spec}: analysis is by search; write mcts or mcts:NAME=VALUE,...")
    game = load(name)
    analyst = JsonLines(Wire(LONGEST_LINE), game, PlayerSpec.parse(settled(parsed, game)))
    analyst.kind.make(game, analyst.spec, spec)  # what is wrong with it is told now
    analyst.run()
