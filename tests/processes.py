"""How tests start `boardwright`: in this process where that proves the same, and so that it hears Ctrl-C."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from boardwright.cli.main import main


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
