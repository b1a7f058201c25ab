"""Threads for searches, shared fairly. A search runs in compiled code without the GIL, so that the event loop stays
free; it looks up every few hundredths of a second to hear whether it shall stop.

Clients take turns: of those that wait, the one that has been served longest ago is next, however much another has asked
for. A job that may be cut short gives way after its share of seconds if another client waits and finds no thread."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from boardwright.contract.errors import BoardwrightError
from boardwright.search.stopping import Stopped
from boardwright.serve.clients import CLIENT
from boardwright.serve.limits import REPORT_SECONDS
from boardwright.serve.requests import Refused

Tell = Callable[[dict[str, Any], bool], None]  # what to say, and whether it is the last word


class Job:
    """One question of one client. `tell` hears any number of reports and then exactly one final answer. `can_be_cut`:
    what it has found after a while is of use, so that it may give way to others."""

    def __init__(
        self, work: Callable[[Job], dict[str, Any]], tell: Tell, client: str = "", *, can_be_cut: bool = False
    ) -> None:
        self._work, self._tell, self.client, self.can_be_cut = work, tell, client, can_be_cut
        self._stop = threading.Event()
        self.in_the_way: Callable[[Job], bool] | None = None  # set by the pool that runs it
        self.crowded: Callable[[], bool] = lambda: False  # whether anybody's job waits for a thread; set by the pool
        self.gave_way = False
        self._said_last = threading.Lock()
        self._reported = 0.0
        self.began = time.monotonic()

    @property
    def stopping(self) -> bool:
        if not self._stop.is_set() and self.in_the_way is not None and self.in_the_way(self):
            self.gave_way = True
            self._stop.set()
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

    def say(self, message: dict[str, Any]) -> None:
        """Say something on the way, whenever the last report was."""
        self._reported = time.monotonic()
        self._tell(message, False)

    def run(self) -> None:
        self.began = self._reported = time.monotonic()
        if self.stopping:
            self.finish({"stopped": True})
            return
        try:
            token = CLIENT.set(self.client)
            try:
                answer = self._work(self)
            finally:
                CLIENT.reset(token)
        except Stopped:
            answer = {"stopped": True}
        except BoardwrightError as error:
            answer = {"error": str(error), "status": getattr(error, "status", 400)}
        except MemoryError:
            answer = {"error": "the search ran out of memory; ask for less", "status": 503}
        except Exception:
            self.finish({"error": "the server made a mistake; its log has the details", "status": 500})
            raise
        self.finish({**answer, "gave_way": True} if self.gave_way else answer)

    def finish(self, answer: dict[str, Any]) -> None:
        """The last word, once."""
        if self._said_last.acquire(blocking=False):
            self._tell(answer, True)


class Pool:
    """So many threads, and a queue with an end for each client."""

    def __init__(self, threads: int, waiting: int, share_seconds: float) -> None:
        self._most, self._share_seconds = waiting, share_seconds
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()  # by client, whose turn it is first; none is empty
        self._giving_way: set[Job] = set()  # jobs that end for somebody else's sake
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
            own = len(self._queues.get(job.client, ()))
            waiting = sum(map(len, self._queues.values()))
            # Where the room is used up, a client that has nothing in it is still let in: it waits for no more than one.
            if self._closed or (waiting >= self._most and own) or waiting >= 2 * self._most:
                raise Refused(f"{waiting} searches are waiting already; try again later", 503)
            job.in_the_way, job.crowded = self._in_the_way, lambda: bool(self._queues)
            self._queues.setdefault(job.client, deque()).append(job)
            self._wake.notify()

    def stop(self, job: Job) -> None:
        """Stop a job; one that still waits answers at once."""
        job.stop()
        with self._wake:
            queue = self._queues.get(job.client, deque())
            waits = job in queue
            if waits:
                queue.remove(job)
                self._drop_empty(job.client)
        if waits:
            job.finish({"stopped": True})

    def close(self) -> None:
        """Stop everything. Threads in long jobs that cannot hear are left to die with the process."""
        with self._wake:
            self._closed = True
            left = [job for queue in self._queues.values() for job in queue]
            self._queues.clear()
            self._wake.notify_all()
        for job in left:
            job.stop()
            job.finish({"stopped": True})

    def _serve(self) -> None:
        while True:
            with self._wake:
                while not self._queues and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                job = self._next()
                self.busy += 1
            try:
                job.run()
            except Exception:  # the job has answered; the thread must live on
                import traceback

                traceback.print_exc()
            finally:
                with self._wake:
                    self._giving_way.discard(job)
                    self.busy -= 1

    def _next(self) -> Job:
        """The oldest job of the client whose turn it is, who is then last in the row. Hold the lock."""
        client, queue = next(iter(self._queues.items()))
        job = queue.popleft()
        self._queues.move_to_end(client)
        self._drop_empty(client)
        return job

    def _drop_empty(self, client: str) -> None:
        if client in self._queues and not self._queues[client]:
            del self._queues[client]

    def _in_the_way(self, job: Job) -> bool:
        """Whether a running job shall end, as another client waits and nobody else makes room for it."""
        if not job.can_be_cut or not self._queues or time.monotonic() - job.began < self._share_seconds:
            return False
        with self._wake:
            others = sum(client != job.client for client in self._queues)
            if job in self._giving_way or len(self._giving_way) < others:
                self._giving_way.add(job)
                return True
        return False
