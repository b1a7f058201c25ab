"""Processes that tests start and then interrupt."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hearing_ctrl_c(hearing: bool = True) -> Iterator[None]:
    """What is started meanwhile hears Ctrl-C, or ignores it as in the background of a shell. A process inherits that
    and rightly keeps to it: tests that interrupt one must not depend on how they were started themselves."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler if hearing else signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
