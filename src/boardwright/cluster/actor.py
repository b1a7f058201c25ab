"""A worker on a node: one CPU, one job, an order at a time. What comes and goes is bytes: pickles of our own making."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from boardwright.cluster.identity import Identity
from boardwright.contract.errors import BoardwrightError

DONE, FAILED = "done", "failed"


class OrderActor:
    """What Ray makes an actor of."""

    def hello(self) -> dict[str, str]:
        """Who this is; nothing of ours is unpickled before that was looked at."""
        return asdict(Identity.here())

    def prepare(self, job: bytes) -> tuple[str, Any]:
        """Take a job: load the game, compile or find its kernels."""

        def get_ready() -> None:
            self._do = pickle.loads(job).prepare()  # noqa: S301 - from our own driver

        return told(get_ready)

    def take(self, common: bytes) -> None:
        """What the orders from now on have in common: told once, as fetching it with every order takes milliseconds."""
        self._fresh: bytes | None = common

    def do(self, order: bytes) -> tuple[str, Any]:
        """The portion, pickled."""

        def work() -> bytes:
            if self._fresh is not None:
                self._common, self._fresh = pickle.loads(self._fresh), None  # noqa: S301 - from our own driver
            found = self._do(self._common, pickle.loads(order))  # noqa: S301 - from our own driver
            return pickle.dumps(found, protocol=5)

        return told(work)


def told(work: Callable[[], Any]) -> tuple[str, Any]:
    """What work gives, or in a sentence why it gives nothing."""
    try:
        return DONE, work()
    except BoardwrightError as error:
        return FAILED, str(error)
    except MemoryError:
        return FAILED, "there is not enough memory; give the node more, or make portions smaller"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return FAILED, f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
