"""The Gomocup protocol, also called Piskvork's: an engine for Gomoku managers, lines on standard input and output.

One command, one answer; INFO, YXBOARD and YXSTOP have none of their own. While a move is being thought about only
YXSTOP and END are obeyed at once; all else waits its turn.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections import deque

from boardwright import __version__
from boardwright.contract.errors import BoardwrightError
from boardwright.engine.clock import Clock
from boardwright.engine.thinker import Board, Thinker, quickly
from boardwright.engine.wire import Heard, Wire, leave

ABOUT = f'name="Boardwright", version="{__version__}", author="Boardwright contributors", country="EU"'
LONGEST_LINE = 4096  # bytes
WAIT_AT_START = 2.0  # seconds after which START is answered, kernels or not; managers expect it within three
STARTED = time.monotonic()  # a first START may have been sent before we could read
EXACTLY, RENJU, CARO = 1, 4, 8  # bits of INFO rule
OWN_MEMORY = 250.0  # megabytes of the interpreter and the compiler, which a limit of the manager counts too
NUMBER = re.compile(r"[+-]?\d{1,18}")


class Refused(Exception):
    """A command that cannot be carried out, with the reason."""


class Piskvork:
    """One manager's engine."""

    def __init__(self, wire: Wire, thinker: Thinker) -> None:
        self.wire, self.thinker = wire, thinker
        self.clock = Clock()
        self.rule = 0
        self.board: Board | None = None
        self._setting_up: list[str] | None = None  # lines of a BOARD that is not DONE
        self._thinks_after = True  # BOARD thinks, YXBOARD does not
        self._told_rule = False
        self._waiting: deque[Heard] = deque()  # came in while we were thinking
        self._gone = False
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Until END, or until the manager is gone."""
        while True:
            heard = self._waiting.popleft() if self._waiting else self.wire.heard.get()
            if heard.text is None:
                return
            if not heard.text:
                continue
            try:
                answer = self._obey(heard.text, heard.at)
            except (Refused, BoardwrightError) as error:
                answer = f"ERROR {_one_line(str(error))}"
            if answer:
                self.wire.say(answer)

    def _obey(self, text: str, at: float) -> str:
        word, _, rest = text.partition(" ")
        word, rest = word.upper(), rest.strip()
        if self._setting_up is not None:
            if word != "DONE" and (word[:1].isdigit() or not word.isalpha()):
                self._setting_up.append(text)
                return ""
            if word != "DONE":
                lines, self._setting_up = len(self._setting_up), None
                self._waiting.appendleft(Heard(text, at))
                return f"ERROR BOARD was cut off by {_one_line(word)} after {lines} lines; end it with DONE"
            return self._done(at)
        command = getattr(self, f"_on_{word.lower()}", None) if word.isalpha() and word.isascii() else None
        if command is None:
            return f"UNKNOWN {_one_line(text)}"
        answer: str = command(rest, at)
        return answer

    # Commands, each with the rest of its line and when it came

    def _on_about(self, rest: str, at: float) -> str:
        return ABOUT

    def _on_start(self, rest: str, at: float) -> str:
        side = _number(rest, "START needs a size, such as START 15")
        return self._open(side, side, at)

    def _on_rectstart(self, rest: str, at: float) -> str:
        width, height = _numbers(rest, 2, "RECTSTART needs width,height, such as RECTSTART 20,15")
        return self._open(width, height, at)

    def _open(self, width: int, height: int, at: float) -> str:
        board = Board(width, height, self._exactly)
        board.game  # noqa: B018 - refuses what cannot be played
        self.board = board
        self._begin_anew()
        sent = STARTED if at - STARTED < 1.0 else at
        self.thinker.prepare(board, max(sent + WAIT_AT_START - time.monotonic(), 0.0))
        return "OK"

    def _on_restart(self, rest: str, at: float) -> str:
        board = self._need_board()
        self.board = Board(board.width, board.height, self._exactly)
        self._begin_anew()
        return "OK"

    def _begin_anew(self) -> None:
        self._settle()
        self.thinker.forget()
        self.clock.new_game()

    def _on_begin(self, rest: str, at: float) -> str:
        self._need_board()
        return self._move(at)

    def _on_turn(self, rest: str, at: float) -> str:
        board = self._need_board()
        x, y = _numbers(rest, 2, "TURN needs x,y, such as TURN 7,7")
        self._need_free(board, x, y)
        board.stones.append((x, y, False))
        return self._move(at)

    def _on_board(self, rest: str, at: float) -> str:
        self._need_board()
        self._setting_up, self._thinks_after = [], True
        return ""

    def _on_yxboard(self, rest: str, at: float) -> str:
        self._on_board(rest, at)
        self._thinks_after = False
        return ""

    def _done(self, at: float) -> str:
        lines, self._setting_up = self._setting_up or [], None
        old = self._need_board()
        board = Board(old.width, old.height, old.exactly)
        for line in lines:
            x, y, who = _numbers(line, 3, f"BOARD: {_one_line(line)!r} is not x,y,who")
            if who not in (1, 2):
                raise Refused(f"BOARD: who={who} in {_one_line(line)!r}; 1 is own, 2 the opponent's")
            self._need_free(board, x, y)
            board.stones.append((x, y, who == 1))
        self.board = board
        return self._move(at) if self._thinks_after else ""

    def _on_takeback(self, rest: str, at: float) -> str:
        board = self._need_board()
        x, y = _numbers(rest, 2, "TAKEBACK needs x,y, such as TAKEBACK 7,7")
        for stone in reversed(board.stones):
            if stone[:2] == (x, y):
                board.stones.remove(stone)
                return "OK"
        raise Refused(f"TAKEBACK {x},{y}: there is no stone")

    def _on_info(self, rest: str, at: float) -> str:
        key, _, value = rest.partition(" ")
        found = NUMBER.fullmatch(value.strip())
        if found is None:
            return ""
        number = int(found[0])
        key = key.lower()
        if key == "timeout_turn":
            self.clock.turn = max(number, 0) / 1000
        elif key == "timeout_match":
            self.clock.match = max(number, 0) / 1000
            self.clock.new_game()
        elif key == "time_left":
            self.clock.left = max(number, 0) / 1000
        elif key == "max_memory":
            self.thinker.configure(megabytes=memory_share(number))
        elif key == "thread_num":
            self.thinker.configure(threads=min(max(number, 1), 64))
        elif key == "rule":
            self.rule, self._told_rule = max(number, 0), False
            if self.board is not None:
                self.board.exactly = self._exactly
                self.thinker.prepare(self.board, 0.0)
        return ""

    def _on_yxstop(self, rest: str, at: float) -> str:
        return ""  # nothing is being thought about

    def _on_end(self, rest: str, at: float) -> str:
        leave()
        return ""

    # Thinking

    def _move(self, at: float) -> str:
        """Think and put our stone; `at` is when the manager asked."""
        board = self._need_board()
        if board.is_full:
            raise Refused("the board is full")
        self._tell_rule()
        made = sum(own for _, _, own in board.stones)
        soft, hard = self.clock.limits(made, (board.width * board.height - len(board.stones) + 1) // 2)
        x, y = self._think(board, at + soft, at + hard)
        board.stones.append((x, y, True))
        self.clock.spend(time.monotonic() - at)
        return f"{x},{y}"

    def _think(self, board: Board, soft: float, hard: float) -> tuple[int, int]:
        """In a thread of its own, so that YXSTOP is heard, and an answer goes out even if the search is late."""
        self._settle()
        thinker, found = self.thinker, queue.SimpleQueue[tuple[int, int] | None]()
        thinker.begin()
        if self._gone:
            thinker.stop.set()

        def work() -> None:
            try:
                found.put(thinker.think(board, soft))
            except Exception:  # a fault of ours must cost a good move, not the game
                found.put(None)
            self.wire.heard.put(DONE)

        self._thread = threading.Thread(target=work, name="thinker", daemon=True)
        self._thread.start()
        while True:
            try:
                heard = self.wire.heard.get(timeout=max(hard - time.monotonic(), 0.0))
            except queue.Empty:
                thinker.stop.set()
                return thinker.best_so_far(board)
            if heard is DONE:
                if found.empty():
                    continue  # of an earlier thought that was late
                move = found.get()
                return move if move is not None else quickly(board)
            if heard.text is None:
                self._gone = True
            if heard.text is None or heard.text.upper() == "YXSTOP":
                thinker.stop.set()
            if heard.text is None or heard.text.upper() != "YXSTOP":
                self._waiting.append(heard)

    def _settle(self) -> None:
        """Wait until an earlier thought that was late has ended."""
        if self._thread is not None:
            self.thinker.stop.set()
            self._thread.join()
            self._thread = None

    def _tell_rule(self) -> None:
        if self.rule & (RENJU | CARO) and not self._told_rule:
            name = "renju" if self.rule & RENJU else "caro"
            self.wire.say(f"MESSAGE the rule {name} is not known here; playing exactly five in a row")
            self._told_rule = True

    # What commands rely on

    @property
    def _exactly(self) -> bool:
        return bool(self.rule & (EXACTLY | RENJU | CARO))

    def _need_board(self) -> Board:
        if self.board is None:
            raise Refused("there is no board yet; send START first")
        return self.board

    @staticmethod
    def _need_free(board: Board, x: int, y: int) -> None:
        if not (0 <= x < board.width and 0 <= y < board.height):
            raise Refused(f"{x},{y} is outside the board; x is 0 to {board.width - 1}, y 0 to {board.height - 1}")
        if board.occupied(x, y):
            raise Refused(f"{x},{y} is taken")


DONE = Heard("", -1.0)  # a thought has ended


def memory_share(limit: int) -> float:
    """Megabytes for the tree under a manager's limit in bytes, 0 for none. A tree that grows is copied, so it takes
    up to three times its size for a moment."""
    if limit <= 0:
        return 350.0
    return min(max((limit / 1e6 - OWN_MEMORY) / 3, 8.0), 1000.0)


def _number(text: str, otherwise: str) -> int:
    return _numbers(text, 1, otherwise)[0]


def _numbers(text: str, count: int, otherwise: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != count or not all(NUMBER.fullmatch(part) for part in parts):
        raise Refused(otherwise)
    return [int(part) for part in parts]


def _one_line(text: str) -> str:
    """Text from outside, fit to be sent back within one line."""
    return "".join(c if c.isprintable() else "?" for c in text)[:100]


def end_at_once(text: str) -> None:
    """END is obeyed in the thread that reads, whatever the engine is busy with."""
    if text.upper() == "END":
        leave()


def run_piskvork(threads: int, seed: int) -> None:
    """Serve one manager on standard input and output."""
    Piskvork(Wire(LONGEST_LINE, end_at_once), Thinker(threads=threads, seed=seed)).run()
