"""What a door may do with what it is given: answer, or refuse with one sentence. All else is a finding."""

from __future__ import annotations

import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from boardwright.contract.errors import BoardwrightError
from tests.torture.trial import Finding

CPU_SECONDS = 20.0  # that one input may take; an unknown variant of a game may have to be compiled
MEMORY = 3_000_000_000  # bytes beyond what the process has when the trial begins
LONGEST = 1000  # characters of a refusal
SOURCE = str(Path(__file__).parents[2])


class Slow(BaseException):
    """Past every handler of the door itself."""


def knock(door: Callable[..., Any], *given: Any, shown: object = None) -> bool:
    """Whether the door answered; False if it refused as it should. `shown`: the input, if that is not `given`."""
    shown = given if shown is None else shown
    try:
        with cpu_seconds(CPU_SECONDS):
            door(*given)
        return True
    except BoardwrightError as error:
        told(str(error), shown)
        return False
    except Finding:
        raise
    except Slow:
        raise Finding(f"more than {CPU_SECONDS:.0f} s of the processor", f"{_short(shown)}") from None
    except MemoryError:
        raise Finding(f"more than {MEMORY / 1e9:.0f} GB of memory", f"{_short(shown)}") from None
    except Exception as error:
        where = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(SOURCE)]
        place = f"{Path(where[-1].filename).name}:{where[-1].lineno}" if where else "?"
        raise Finding(f"{type(error).__name__} at {place}", f"{str(error)[:200]} for {_short(shown)}") from error


def told(message: str, shown: object) -> None:
    """A refusal is a sentence: something is said, in one line, and not the whole input again."""
    own_lines = "\n" in message and "\\n" not in repr(shown)  # a name with a line in it may be repeated
    if not message.strip() or len(message) > LONGEST or own_lines:
        raise Finding(
            "a refusal that is no sentence", f"{message[:300]!r} ({len(message)} characters) for {_short(shown)}"
        )


def _short(shown: object) -> str:
    written = repr(shown)
    return written if len(written) <= 300 else f"{written[:200]}...{written[-60:]} ({len(written):,} characters)"


@contextmanager
def cpu_seconds(most: float) -> Iterator[None]:
    """Slow is raised where the processor has worked so long: how busy the machine is does not matter."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def bound_memory() -> None:
    """From here on, MemoryError where something asks for gigabytes: the machine is not brought down to find it."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, hard))
