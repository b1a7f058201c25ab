"""A program of anybody's as a child of ours, lines in and lines out, whose failures are its own.

Nothing that it does can stop us: we never wait for it longer than we say, neither to hear it nor to be heard. It ends
when its `Program` is ended or dropped, and when our process is gone, killed or not (leash.py).
"""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.folders import expanded
from boardwright.contract.position import shorten
from boardwright.players import leash
from boardwright.search.stopping import Stopped

if TYPE_CHECKING:
    from boardwright.players.control import Control

T = TypeVar("T")
CHUNK = 65536
LONGEST_LINE = 16_000_000  # bytes; a program that says more without an end of line has lost
LAST_WORDS = 2000  # bytes of standard error that are kept, to say why it ended
POLL_SECONDS = 0.03  # between looks at a control
LAST_SECONDS = 1.0  # that a program which has closed its output may take to end,
LEASH_SECONDS = 10.0  # and that may pass until we hear of the end of one that has closed all: the leash tells us


class ProgramFault(BoardwrightError):
    """What a program did wrong; `what` goes on after its name: "did not answer within 2 s"."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{name}: the program {what}")
        self.name, self.what = name, what

    def __reduce__(self) -> tuple[type[ProgramFault], tuple[str, str]]:
        return ProgramFault, (self.name, self.what)


def words_of(owner: str, command: str) -> list[str]:
    """A command's words, as a shell would split them; nothing else of a shell is done. What cannot be a program is
    refused, with `owner` named."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{owner}: {shorten(command)!r} has a quote without an end ({error})") from None
    if not words:
        raise InputError(f"{owner} needs a command: write {owner}:COMMAND, such as {owner}:./program --option")
    if shutil.which(words[0]) is None:
        raise InputError(
            f"{owner}: there is no program {shorten(words[0])!r} here; name one on the PATH or by its path"
        )
    return words


def check_seconds(kind: str, **values: float) -> None:
    """Refuse what is no time."""
    for name, value in values.items():
        if not 0.0 <= value <= 1e6:
            raise InputError(f"player {kind}: {name}={value:g} must be 0 to 1000000 seconds")


class Program:
    """The running child. `name` is what faults call it."""

    def __init__(self, name: str, words: list[str]) -> None:
        if os.name != "posix":
            raise InputError(f"{name}: players that are other programs need groups of processes: Linux or macOS")
        self.name = name
        held, ours = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - to run what somebody named is what this is for
                [sys.executable, "-I", "-S", leash.__file__, str(held), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(held,),
                start_new_session=True,  # Ctrl-C is our business; and the whole group ends at once
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(held)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._unsent, self._unread, self._said = bytearray(), bytearray(), bytearray()
        self._open = {self._out, self._err}
        self.end = weakref.finalize(self, _end, self._process, ours)  # at the latest when this process ends

    @property
    def running(self) -> bool:
        """Whether nobody has ended it; it may have ended by itself."""
        return self.end.alive

    def say(self, text: str) -> None:
        """Send one line, as far as the program reads; the rest goes out while it is listened to."""
        self._unsent += text.encode() + b"\n"
        self._send()

    def hear(self, wanted: Callable[[str], T | None], seconds: float, control: Control | None = None) -> T:
        """What `wanted` makes of the first line for which that is not None. A program that says no such line in time,
        or ends, is at fault, and ended. Raises Stopped if the control says so: then it still runs."""
        until = time.monotonic() + seconds
        while True:
            line = self._line()
            found = None if line is None else wanted(line)
            if found is not None:
                return found
            left = until - time.monotonic()
            if left <= 0:
                raise self.fault(f"did not answer within {seconds:g} s")
            if line is not None:
                continue
            if self._out not in self._open:
                raise self.fault(self._ended())
            if control is not None and control.poll():
                raise Stopped
            self._wait(left if control is None else min(left, POLL_SECONDS))

    def _line(self) -> str | None:
        """The next whole line that has come in, without its end."""
        end = self._unread.find(b"\n")
        if end < 0:
            if len(self._unread) > LONGEST_LINE:
                raise self.fault(f"said {LONGEST_LINE:,} bytes without an end of line")
            return None
        line = self._unread[:end].decode("utf-8", "replace")
        del self._unread[: end + 1]
        return line.strip("\r\n\t \0\ufeff")

    def fault(self, what: str) -> ProgramFault:
        """The error to raise; the program is ended, for who went wrong once is not believed again."""
        self.end()
        return ProgramFault(self.name, what)

    def _wait(self, seconds: float) -> None:
        """Until something moves, at most so long."""
        with selectors.DefaultSelector() as selector:
            for stream in self._open:
                selector.register(stream, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            for key, _ in selector.select(seconds):
                if key.fd == self._in:
                    self._send()
                else:
                    self._receive(key.fd)

    def _receive(self, stream: int) -> None:
        try:
            data = os.read(stream, CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._open.discard(stream)
        elif stream == self._out:
            self._unread += data
        else:
            self._said = (self._said + data)[-LAST_WORDS:]

    def _send(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._in, self._unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:  # it does not listen any more: whoever listens to it will hear that
            self._unsent.clear()

    def _ended(self) -> str:
        """How it ended, and its last words."""
        until = time.monotonic() + LAST_SECONDS
        while self._err in self._open and self._process.poll() is None and (left := until - time.monotonic()) > 0:
            self._wait(min(left, POLL_SECONDS))
        try:
            code = self._process.poll() if self._err in self._open else self._process.wait(LEASH_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        while self._err in self._open:
            before = len(self._open), bytes(self._said)
            self._receive(self._err)
            if (len(self._open), bytes(self._said)) == before:
                break
        how = "closed its output" if code is None else f"ended ({_exit_name(code)})"
        last = self._said.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {shorten(last[-1], 300)}" if last else how


def files_of(command: str) -> list[str]:
    """The files that a command names: the program itself, and its words that are paths of files."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    found = [shutil.which(words[0])] if words else []
    return [one for one in found if one] + [word for word in words[1:] if os.path.isfile(expanded(word))]


def _exit_name(code: int) -> str:
    number = -code if code < 0 else code - leash.BY_SIGNAL
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"


def _end(process: subprocess.Popen[bytes], ours: int) -> None:
    """Everything at once, and nothing stays behind."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass  # all have ended
    os.close(ours)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
