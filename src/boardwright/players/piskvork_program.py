"""`piskvork:COMMAND`: a program that speaks the Gomocup protocol, as its managers would play it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position, shorten
from boardwright.games.built_in import speaking
from boardwright.players.control import Control
from boardwright.players.player import Player
from boardwright.players.program import Program, ProgramFault, check_seconds, words_of
from boardwright.search.choice import Choice
from boardwright.search.stopping import STOPPED, Stopped

PROTOCOL = "piskvork"
ASIDE = ("MESSAGE", "DEBUG", "SUGGEST")  # first words of lines that answer nothing
CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
NO_LIMIT = 2**31 - 1  # milliseconds of a match, as managers write it
STOP_SECONDS = 0.08  # that a program which was told to stop may take to answer


@dataclass(frozen=True)
class PiskvorkSettings:
    """What such a program is told."""

    command: str = ""  # the program and its arguments, quoted as in a shell
    seconds: float = 0.1  # to think about a move
    grace: float = 0.1  # seconds beyond that after which it has lost
    megabytes: float = 350.0  # of memory that it may use, as it is told; nobody looks
    start: float = 60.0  # seconds that it may take to start

    def __post_init__(self) -> None:
        check_seconds(PROTOCOL, seconds=self.seconds, grace=self.grace, start=self.start)
        if not 0.0 <= self.megabytes <= 1e6:
            raise InputError(f"player {PROTOCOL}: megabytes={self.megabytes:g} must be 0 (no limit) to 1000000")


def unlike(game: Game) -> str:
    """Why a game is none that the protocol knows; nothing if it is one."""
    known = speaking(PROTOCOL)
    return "" if game.name in known else f"its programs play {', '.join(known)}"


class PiskvorkPlayer(Player):
    """Plays game after game with one process. A move of its opponent's is a TURN, all else a BOARD."""

    def __init__(self, game: Game, spec: str, settings: PiskvorkSettings) -> None:
        if unlike(game):
            raise InputError(f"{game.name}: no game for {PROTOCOL}; {unlike(game)}")
        self.game, self.spec, self.settings = game, spec, settings
        self._words = words_of(PROTOCOL, settings.command)
        self._program: Program | None = None
        self._stones: list[int] | None = None  # on the program's board, in their order; None: it may be any
        options = game.options
        self._columns, self._rows = options["size"], options["rows"] or options["size"]

    def forget(self) -> None:
        """A new game begins: whoever has to start does so now, while no clock runs."""
        self._cleared(self._running())

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        stones = _stones(position)
        program = self._running()
        turn = bool(stones) and stones[:-1] == self._stones
        if not turn:
            program = self._cleared(program)
        began = time.perf_counter()
        if turn:
            program.say(f"TURN {self._cell(stones[-1])}")
        elif not stones:
            program.say("BEGIN")
        else:
            own = len(stones) % 2  # of the numbers of its stones
            program.say("BOARD")
            for number, stone in enumerate(stones):
                program.say(f"{self._cell(stone)},{1 if number % 2 == own else 2}")
            program.say("DONE")
        self._stones, note = None, ""
        try:
            said = self._hear(program, self.settings.seconds + self.settings.grace, control)
        except Stopped:
            note = STOPPED
            program.say("YXSTOP")  # which not every program knows
            try:
                said = self._hear(program, STOP_SECONDS)
            except ProgramFault:  # it has been ended, and starts again when it is asked again
                return Choice(self.glance(position), seconds=time.perf_counter() - began, note=STOPPED)
        move = self._move(program, position, said)
        self._stones = [*stones, move]
        return Choice(move, line=(move,), seconds=time.perf_counter() - began, note=note)

    def _running(self) -> Program:
        """The program, started, with an empty board of the right size."""
        if self._program is None or not self._program.running:
            program = self._program = Program(self.spec, self._words)
            square = self._columns == self._rows
            rule = f"INFO rule {int(bool(self.game.options['exactly']))}"
            program.say(rule)  # some get ready for the rule when they hear the size, others forget what came before
            program.say(f"START {self._columns}" if square else f"RECTSTART {self._columns},{self._rows}")
            said = self._hear(program, self.settings.start)
            if said.upper() != "OK":
                raise program.fault(f"answered {shorten(said)!r} to START; OK was expected")
            for line in (
                f"INFO timeout_turn {round(1000 * self.settings.seconds)}",
                "INFO timeout_match 0",
                f"INFO time_left {NO_LIMIT}",
                f"INFO max_memory {round(1e6 * self.settings.megabytes)}",
                "INFO game_type 1",
                rule,
            ):
                program.say(line)
            self._stones = []
        return self._program

    def _cleared(self, program: Program) -> Program:
        """The program with an empty board."""
        if self._stones == []:
            return program
        program.say("RESTART")
        if self._hear(program, self.settings.start).upper() == "OK":
            self._stones = []
            return program
        program.end()  # it does not know how: another one begins
        return self._running()

    def _hear(self, program: Program, seconds: float, control: Control | None = None) -> str:
        """The program's answer."""

        def answer(line: str) -> str | None:
            return None if not line or line.split()[0].upper() in ASIDE else line

        return program.hear(answer, seconds, control)

    def _move(self, program: Program, position: Position, said: str) -> int:
        cell = CELL.fullmatch(said)
        if cell is None:
            raise program.fault(f"answered {shorten(said)!r}; a move such as 7,7 was expected")
        x, y = int(cell[1]), int(cell[2])
        move: int = y * self._columns + x
        if x >= self._columns or y >= self._rows or move not in position.moves:
            raise program.fault(f"played {shorten(said)}, which is not legal there")
        return move

    def _cell(self, move: int) -> str:
        return f"{move % self._columns},{move // self._columns}"


def _stones(position: Position) -> list[int]:
    """The cells of all stones in the order of play, which the state of such games keeps."""
    fields = position.fields()
    played: list[int] = fields["order"][fields["left"] :]
    return played[::-1]
