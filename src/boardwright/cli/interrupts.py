"""Ctrl-C is heard wherever it falls.

Python raises it in whatever runs. Where that is a destructor or a callback, of which a compiler has thousands, it
drops the exception with a traceback and goes on: whoever pressed would have to press again. Here that is done for them.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN_SECONDS = 0.05  # by then the callback has ended


@contextmanager
def heard_everywhere() -> Iterator[None]:
    """Ctrl-C that Python dropped meanwhile comes again, a moment later."""
    before, presses = sys.unraisablehook, list[threading.Timer]()

    def dropped(found: Any) -> None:
        if not isinstance(found.exc_value, KeyboardInterrupt):
            before(found)
            return
        press = threading.Timer(AGAIN_SECONDS, _press)
        press.daemon = True
        presses.append(press)
        press.start()

    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = before
        for press in presses:
            press.cancel()
            press.join()


def _press() -> None:
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(main, signal.SIGINT)  # so that it wakes up, too
