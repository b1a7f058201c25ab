"""`engine:COMMAND`: a program that speaks our JSON lines (docs/engines.md), such as `boardwright engine json GAME` of
another version."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, shorten
from boardwright.players.control import Control
from boardwright.players.player import Player
from boardwright.players.program import Program, ProgramFault, check_seconds, words_of
from boardwright.search.choice import Choice
from boardwright.search.stopping import STOPPED, Stopped

STOP_SECONDS = 0.08  # that a program which was told to stop may take to answer


@dataclass(frozen=True)
class EngineSettings:
    """How such a program is asked."""

    command: str = ""  # the program and its arguments, quoted as in a shell
    seconds: float = 0.0  # to think about a move, told with every query; 0: the program decides
    simulations: int = 0  # likewise
    grace: float = 0.1  # seconds beyond `seconds` after which it has lost
    patience: float = 60.0  # seconds after which it has lost where no `seconds` are given
    start: float = 300.0  # seconds that it may take to start, and to compile what it needs

    def __post_init__(self) -> None:
        check_seconds("engine", seconds=self.seconds, grace=self.grace, patience=self.patience, start=self.start)
        if self.simulations < 0:
            raise InputError(f"player engine: simulations={self.simulations} must be 0 or more")

    @property
    def limit(self) -> float:
        """Seconds after which an answer comes too late."""
        return self.seconds + self.grace if self.seconds else self.patience


class EnginePlayer(Player):
    """Asks the program about every position anew: it is told the whole position, no game."""

    def __init__(self, game: Game, spec: str, settings: EngineSettings) -> None:
        self.game, self.spec, self.settings = game, spec, settings
        self._words = words_of("engine", settings.command)
        budget = {"seconds": settings.seconds, "simulations": settings.simulations}
        self._budget = {name: value for name, value in budget.items() if value}
        self._program: Program | None = None
        self._asked = 0

    def forget(self) -> None:
        """A new game begins: whoever has to start does so now, while no clock runs."""
        self._running()

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        program = self._running()
        began = time.perf_counter()
        asked = self._ask(program, {"position": json.loads(position.to_json()), **self._budget})
        stopped = False
        try:
            answer = self._answer(program, asked, self.settings.limit, control)
        except Stopped:
            stopped = True
            self._ask(program, {"action": "terminate", "terminateId": asked})
            try:
                answer = self._answer(program, asked, STOP_SECONDS)
            except ProgramFault:  # it has been ended, and starts again when it is asked again
                return Choice(self.glance(position), seconds=time.perf_counter() - began, note=STOPPED)
        move = self._move(program, position, answer)
        note = shorten(answer["note"], 200) if isinstance(answer.get("note"), str) else ""
        return Choice(
            move,
            value=_value(answer.get("value"), self.game.players),
            line=(move,),
            simulations=_count(answer.get("simulations")),
            seconds=time.perf_counter() - began,
            note=STOPPED if stopped else note,
        )

    def _running(self) -> Program:
        """The program, started and ready to think."""
        if self._program is None or not self._program.running:
            program = self._program = Program(self.spec, self._words)
            # It is asked for a move once, as it will be in the game: compiling and loading are no thinking.
            self._answer(program, self._ask(program, {"seed": 0, **self._budget}), self.settings.start)
        return self._program

    def _ask(self, program: Program, query: dict[str, Any]) -> int:
        """Send a query; its id."""
        self._asked += 1
        program.say(json.dumps({"id": self._asked, **query}, separators=(",", ":")))
        return self._asked

    def _answer(self, program: Program, asked: int, seconds: float, control: Control | None = None) -> dict[str, Any]:
        """The final answer to a query."""

        def final(line: str) -> dict[str, Any] | None:
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                answer = None
            if not isinstance(answer, dict):
                raise program.fault(f"said {shorten(line)!r}, which is no JSON object")
            if answer.get("id", asked) == asked and "error" in answer:
                raise program.fault(f"answered with an error: {shorten(str(answer['error']), 300)}")
            told = answer.get("id") == asked and not answer.get("isDuringSearch")
            return answer if told else None

        return program.hear(final, seconds, control)

    def _move(self, program: Program, position: Position, answer: dict[str, Any]) -> int:
        said = answer.get("move")
        if not isinstance(said, int | str) or isinstance(said, bool):
            raise program.fault(f"answered without a move: {shorten(json.dumps(answer), 200)}")
        try:
            return position.parse(said)
        except InputError:
            raise program.fault(f"played {shorten(str(said))!r}, which is not legal there") from None


def _value(said: object, players: int) -> tuple[float, ...] | None:
    """What the program expects for each player, if that is what it says."""
    if not isinstance(said, list) or len(said) != players:
        return None
    if not all(type(one) in (int, float) and math.isfinite(one) for one in said):
        return None
    return tuple(map(float, said))


def _count(said: object) -> int:
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 2**62 else 0
