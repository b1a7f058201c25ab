"""Threads for searches. A search runs in compiled code without the GIL, so that the event loop stays free; it looks up
every few hundredths of a second to hear whether it shall stop."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from boardwright.contract.errors import BoardwrightError
from boardwright.search.stopping import Stopped
from boardwright.serve.limits import REPORT_SECONDS
from boardwright.serve.requests import Refused

Tell = Callable[[dict[str, Any], bool], None]  # what to say, and whether it is the last word


class Job:
    """One question. `tell` hears any number of reports and then exactly one final answer."""

    def __init__(self, work: Callable[[Job], dict[str, Any]], tell: Tell) -> None:
        self._work, self._tell = work, tell
        self._stop = threading.Event()
        self._said_last = threading.Lock()
        self._reported = 0.0
        self.began = time.monotonic()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        """Have it end soon; it still gives its final answer."""
        self._stop.set()

    def report(self, make: Callable[[], dict[str, Any]]) -> None:
        """Say something on the way, at most every REPORT_SECONDS; `make` is not called in between."""
        now = time.monotonic()
        if now - self._reported >= REPORT_SECONDS and not self.stopping:
            self._reported = now
            self._tell(make(), False)

    def run(self) -> None:
        self.began = self._reported = time.monotonic()
        if self.stopping:
            self.finish({"stopped": True})
            return
        try:
            answer = self._work(self)
        except Stopped:
            answer = {"stopped": True}
        except BoardwrightError as error:
            answer = {"error": str(error), "status": getattr(error, "status", 400)}
        except MemoryError:
            answer = {"error": "the search ran out of memory; ask for less", "status": 503}
        except Exception:
            self.finish({"error": "the server made a mistake; its log has the details", "status": 500})
            raise
        self.finish(answer)

    def finish(self, answer: dict[str, Any]) -> None:
        """The last word, once."""
        if self._said_last.acquire(blocking=False):
            self._tell(answer, True)


class Pool:
    """So many threads, and a queue with an end."""

    def __init__(self, threads: int, waiting: int) -> None:
        self._most = waiting
        self._queue: deque[Job] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self.busy = 0  # threads at work
        self._threads = [
            threading.Thread(target=self._serve, name=f"search-{number}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, job: Job) -> None:
        """Put a job into the queue."""
        with self._wake:
            if self._closed or len(self._queue) >= self._most:
                raise Refused(f"{self._most} searches are waiting already; try again later", 503)
            self._queue.append(job)
            self._wake.notify()

    def stop(self, job: Job) -> None:
        """Stop a job; one that still waits answers at once."""
        job.stop()
        with self._wake:
            waits = job in self._queue
            if waits:
                self._queue.remove(job)
        if waits:
            job.finish({"stopped": True})

    def close(self) -> None:
        """Stop everything. Threads in long jobs that cannot hear are left to die with the process."""
        with self._wake:
            self._closed = True
            left = list(self._queue)
            self._queue.clear()
            self._wake.notify_all()
        for job in left:
            job.stop()
            job.finish({"stopped": True})

    def _serve(self) -> None:
        while True:
            with self._wake:
                while not self._queue and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                job = self._queue.popleft()
                self.busy += 1
            try:
                job.run()
            except Exception:  # the job has answered; the thread must live on
                import traceback

                traceback.print_exc()
            finally:
                with self._wake:
                    self.busy -= 1
