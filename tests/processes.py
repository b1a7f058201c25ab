"""How tests start `boardwright`: in this process where that proves the same, and so that it hears Ctrl-C."""

from __future__ import annotations

import io
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from boardwright.cli.main import main

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["boardwright.compile.diagnose", "boardwright.games.load"])
PATIENCE = 240.0  # seconds: a cold kernel may have to be compiled beside others


@contextmanager
def hearing_ctrl_c(hearing: bool = True) -> Iterator[None]:
    """What is started meanwhile hears Ctrl-C, or ignores it as in the background of a shell. A process inherits that
    and rightly keeps to it: tests that interrupt one must not depend on how they were started themselves."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler if hearing else signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def run_here(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`boardwright ARGUMENTS` as a process of its own would answer, without the second that it takes to start one."""
    out, err, argv = io.StringIO(), io.StringIO(), sys.argv
    code: object = 0
    sys.argv = ["boardwright", *arguments]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = argv
    return subprocess.CompletedProcess(arguments, code if isinstance(code, int) else 0, out.getvalue(), err.getvalue())


KILLED = """
import importlib, os, signal, sys
from boardwright.cli.main import main

where, times, *arguments = sys.argv[1:]
module, _, path = where.partition(":")
*owners, name = path.split(".")
owner = importlib.import_module(module)
for one in owners:
    owner = getattr(owner, one)
whole, calls = getattr(owner, name), 0

def counted(*given, **named):
    global calls
    answer = whole(*given, **named)
    calls += 1
    if calls == int(times):
        os.kill(os.getpid(), signal.SIGKILL)
    return answer

setattr(owner, name, counted)
sys.argv = ["boardwright", *arguments]
main()
"""


def killed_at(where: str, times: int, *arguments: str) -> None:
    """`boardwright ARGUMENTS`, killed by SIGKILL in the moment in which `where`, as module:function or
    module:class.method, has been called so many times: whoever kills from outside may come too late."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, where, str(times), *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr


class Forked:
    """A program in a process of its own, forked from one that has imported the compiler and nothing else of ours: it
    starts in the state of a new process, without the half second that it takes to get there."""

    def __init__(self, program: Path, *arguments: str, **environment: str) -> None:
        self._told = Path(tempfile.mkdtemp(dir=program.parent, prefix="told-"))
        self._process = FORKS.Process(target=_run_program, args=(program, arguments, environment, self._told))
        self._process.start()

    def communicate(self) -> tuple[str, str]:
        """Its output and its errors, when it has ended."""
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None, "it hangs"
        return (self._told / "out").read_text(), (self._told / "err").read_text()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode


def converse(text: bytes, *arguments: str) -> bytes:
    """All that `boardwright ARGUMENTS` says, errors too, to somebody who says this and goes away; it ends well. Forked,
    as above."""
    with tempfile.TemporaryDirectory() as folder:
        said, answers = Path(folder) / "said", Path(folder) / "answers"
        said.write_bytes(text)
        process = FORKS.Process(target=_run_command, args=(arguments, said, answers))
        process.start()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
        assert process.exitcode == 0, answers.read_bytes()
        return answers.read_bytes()


def _run_command(arguments: tuple[str, ...], said: Path, answers: Path) -> None:
    os.dup2(os.open(said, os.O_RDONLY), 0)
    os.dup2(os.open(answers, os.O_CREAT | os.O_WRONLY, 0o600), 1)
    os.dup2(1, 2)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the fork's own was closed by multiprocessing
    sys.argv = ["boardwright", *arguments]
    main()


def _run_program(program: Path, arguments: tuple[str, ...], environment: dict[str, str], told: Path) -> None:
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(told / name, os.O_CREAT | os.O_WRONLY, 0o600), number)
    os.environ.update(environment)
    sys.argv = [str(program), *arguments]
    sys.path.insert(0, str(program.parent))
    runpy.run_path(str(program), run_name="__main__")
