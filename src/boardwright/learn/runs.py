"""A run: the folder of one training, its checkpoints, its lock, and the wish to stop.

A checkpoint is a safetensors file of arrays and a JSON with everything else: counters, random state, how far the
metrics were written, the digest of the arrays. Both are written aside, brought to the disk and moved into place,
the JSON last. Whatever moment a process dies at, the newest checkpoint that is whole can be found again, and what
happened after it is forgotten everywhere: nothing is counted twice.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.arena.workers import Hire, Job, Workers
from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.folders import home_folder
from boardwright.contract.game import Game
from boardwright.learn.display import View
from boardwright.learn.files import FolderLock, digest_of, place, read_arrays, save_arrays, unfinished
from boardwright.learn.metrics import Metrics
from boardwright.learn.models import IN_A_RUN

FORMAT = 1
HEADING = "run.json"
MODEL = IN_A_RUN  # where a run leaves what players load
KEPT = 2  # checkpoints; the last one may turn out to be cut
COMMAND = "command.txt"  # that began the run, or took it up last: the same goes on
WORKERS = "workers.json"  # who plays elsewhere, and how they do
MOST_OF_COMMAND = 4000  # characters
TELL_SECONDS = 2.0  # between two writings of it

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """Where a training can go on. `step` counts what the method counts (games, updates); `state` is plain JSON."""

    step: int
    arrays: dict[str, npt.NDArray[Any]]
    state: dict[str, Any]


@dataclass(frozen=True)
class Finished:
    """What a training hands back: the model to play with, and commands worth running next."""

    model: Path
    next: tuple[str, ...] = ()
    plot: Path | None = None


@dataclass
class Run:
    """One training in one folder. Use it as a context: it locks the folder and hears Ctrl-C.

    settings: the method's frozen dataclass. Names in its class attribute `MAY_CHANGE` (a tuple) can differ when a run
    is taken up again: threads, or how long to go on. minutes: stop after so much training in all; 0: no limit.
    ending: share of the whole that comes after the training (a last rating), so that 100 % means done.
    """

    path: Path
    game: Game
    method: str
    settings: Any
    seed: int = 0
    minutes: float = 0.0
    view: View = field(default_factory=View)
    ending: float = 0.0
    pilot: bool = True  # whether a training may pause once to tell what it sees: see learn/pilot
    hire: Hire | None = None  # who plays, where it is not this machine

    def __post_init__(self) -> None:
        self.refused: list[str] = []  # checkpoints that could not be used, and why
        self._stop = threading.Event()
        self._before = 0.0  # seconds of training in earlier starts
        self._began = time.monotonic()
        self._handlers: dict[int, Any] = {}
        self._workers: Workers | None = None
        self._told = 0.0  # when it was last written down how they do

    # The folder

    def __enter__(self) -> Run:
        self._listen()  # before there is anything to see: who sees a run may press Ctrl-C
        try:
            self._open()
        except BaseException:
            self._listen_no_more()
            raise
        self._began = time.monotonic()
        return self

    def _open(self) -> None:
        """Make or take up the folder, and hold it."""
        self._new = not (self.path / HEADING).exists()
        self._made = not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the run folder {self.path}: {error.strerror or error}") from None
        self._lock = FolderLock(self.path)
        try:
            self._agree()
            self.metrics = Metrics(self.path)
        except BaseException:
            if self._made:
                self._clear_away()
            self._lock.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listen_no_more()
        if self._workers is not None:
            self._write_workers()
            self._workers.stop()
        self.view.close()
        self.metrics.close()
        if self._new and isinstance(error, BoardwrightError) and not self._newest_first():
            self._clear_away()
        self._lock.release()

    def _clear_away(self) -> None:
        """Of a training that was refused nothing is left: the folder is as it was found."""
        for item in self.path.iterdir():
            if item.name == FolderLock.NAME:
                continue
            if item.is_dir():
                shutil.rmtree(item, ignore_errors=True)
            else:
                item.unlink(missing_ok=True)
        (self.path / FolderLock.NAME).unlink(missing_ok=True)
        if self._made:
            self.path.rmdir()

    def _agree(self) -> None:
        """Write what is trained here; a folder that already holds a run must hold this one."""
        ours = self.heading()
        path = self.path / HEADING
        if not path.exists():
            ours_too = (FolderLock.NAME, unfinished(path).name)  # a kill may have come before the heading was in place
            strangers = [item.name for item in self.path.iterdir() if item.name not in ours_too]
            if strangers:
                raise InputError(
                    f"{self.path} is no run of ours: it holds {strangers[0]} but no {HEADING}; choose an empty --out"
                )
            place(path, json.dumps({**ours, "rules": self.game.digest}, indent=2).encode())
            return
        try:
            theirs = json.loads(path.read_text("utf-8"))
            format_, theirs_settings = theirs["boardwright_run"], dict(theirs["settings"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} cannot be read ({error}); choose another --out, or remove the folder") from None
        if format_ != FORMAT:
            raise InputError(f"{path} is of format {format_}, this Boardwright reads {FORMAT}; choose another --out")
        for name in ("game", "options", "method", "seed"):
            if theirs.get(name) != ours[name]:
                raise InputError(
                    f"{self.path} trains {name} {json.dumps(theirs.get(name))}, not {json.dumps(ours[name])}; "
                    f"say --out with another folder, or ask for the same {name} to go on"
                )
        if theirs.get("rules", self.game.digest) != self.game.digest:
            raise InputError(
                f"{self.path} learnt {self.game.name} by other rules than it has now; say --out with another folder "
                "to learn these"
            )
        free = getattr(type(self.settings), "MAY_CHANGE", ())
        differing = [
            f"{name}={json.dumps(theirs_settings.get(name))} (now {json.dumps(ours['settings'].get(name))})"
            for name in {**theirs_settings, **ours["settings"]}
            if name not in free and theirs_settings.get(name) != ours["settings"].get(name)
        ]
        if differing:
            raise InputError(
                f"{self.path} was begun with {', '.join(differing)}; use the same settings to go on, "
                "or another --out for a new run"
            )

    def keep_command(self, command: str) -> None:
        """Note by which command it was begun or taken up, for those who look at its folder later."""
        place(self.path / COMMAND, f"{command}\n".encode())

    def heading(self) -> dict[str, Any]:
        """What this run is, as it stands in run.json; there with the digest of the rules, as `rules`."""
        return {
            "boardwright_run": FORMAT,
            "game": self.game.name,
            "options": self.game.options,
            "method": self.method,
            "seed": self.seed,
            "settings": asdict(self.settings),
        }

    @property
    def _identity(self) -> str:
        """Names the run in its checkpoints, so that one copied from elsewhere is known as foreign."""
        free = getattr(type(self.settings), "MAY_CHANGE", ())
        heading = self.heading()
        heading["settings"] = {name: value for name, value in heading["settings"].items() if name not in free}
        return hashlib.sha256(json.dumps(heading, sort_keys=True).encode()).hexdigest()

    # Time

    @property
    def seconds(self) -> float:
        """Of training so far, earlier starts included as far as their last checkpoint."""
        return self._before + time.monotonic() - self._began

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is done meanwhile is no training: its seconds do not count."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._began += time.monotonic() - began

    @property
    def stopping(self) -> bool:
        """Ctrl-C was pressed, or the minutes are used up: save and return."""
        return self._stop.is_set() or self.time_is_up

    @property
    def interrupted(self) -> bool:
        """Somebody pressed Ctrl-C (or the system asked the process to end)."""
        return self._stop.is_set()

    @property
    def time_is_up(self) -> bool:
        return self.minutes > 0 and self.seconds >= 60 * self.minutes

    def stop(self) -> None:
        """Ask the training to save and return, as Ctrl-C does."""
        self._stop.set()

    def _listen(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:  # in the background Ctrl-C is meant for others
                    self._handlers[number] = signal.signal(number, self._hear)

    def _listen_no_more(self) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._stop.is_set():  # asked twice: do not wait for the end of a step
            raise KeyboardInterrupt
        self._stop.set()

    # Who plays elsewhere

    def hired(self, job: Job) -> Workers | None:
        """Those who play for this run elsewhere, started; None: it plays here. They end with the run."""
        if self.hire is None:
            return None
        self._workers = self.hire(job)
        self._workers.start()
        return self._workers

    def _write_workers(self) -> None:
        """How they do, in a file beside the metrics; kinds of CPU that played before are kept."""
        report = self._workers.report() if self._workers else {}
        if report:
            path = self.path / WORKERS
            report["cpu_kinds"] = sorted({*report["cpu_kinds"], *read_workers(self.path).get("cpu_kinds", ())})
            place(path, json.dumps(report, indent=2).encode())
        self._told = time.monotonic()

    # Figures

    def log(self, step: int, figures: Mapping[str, float]) -> None:
        """Figures at a step: a line of metrics.jsonl, TensorBoard events, and the table on the screen."""
        self.metrics.add(step, self.seconds, figures)
        self.view.figures(figures)

    def progress(self, done: float) -> float:
        """How far the training is, 0 to 1: `done` by its own goal, or further if its minutes are."""
        used = self.seconds / (60 * self.minutes) if self.minutes > 0 else 0.0
        return min(max(done, used), 1.0)

    def show(self, done: float, note: str = "") -> None:
        """Show how far it is: `done` as in `progress`."""
        if self._workers is not None:
            note = f"{note}; {self._workers.note()}" if note else self._workers.note()
            if time.monotonic() - self._told > TELL_SECONDS:
                self._write_workers()
        self.view.progress((1.0 - self.ending) * self.progress(done), self.seconds, note)

    def show_ending(self, done: float, note: str = "") -> None:
        """Show how far that is which comes after the training: 0 to 1 of `ending`."""
        self.view.progress(1.0 - self.ending * (1.0 - min(done, 1.0)), self.seconds, note)

    # Checkpoints

    def save(self, step: int, arrays: Arrays, state: Mapping[str, Any]) -> None:
        """Write a checkpoint, then forget those before the last few."""
        folder = self.path / "checkpoints"
        folder.mkdir(exist_ok=True)
        name = f"step-{step:012d}"
        data = folder / f"{name}.safetensors"
        body = {
            "boardwright_checkpoint": FORMAT,
            "run": self._identity,
            "step": step,
            "seconds": self.seconds,
            "metrics_bytes": self.metrics.flush(),
            "files": {data.name: save_arrays(data, arrays, {"boardwright_checkpoint": str(step)})},
            "state": dict(state),
        }
        text = json.dumps(body, sort_keys=True)
        sealed = {"sha256": hashlib.sha256(text.encode()).hexdigest(), "checkpoint": body}
        place(folder / f"{name}.json", json.dumps(sealed, sort_keys=True).encode())
        for old in self._newest_first()[KEPT:]:
            old.unlink(missing_ok=True)
            old.with_suffix(".safetensors").unlink(missing_ok=True)
        for stray in folder.glob("*.safetensors"):  # of a checkpoint that a kill left without its JSON
            if not stray.with_suffix(".json").exists():
                stray.unlink(missing_ok=True)

    def resume(self) -> Checkpoint | None:
        """The newest checkpoint that is whole and ours; None at the very start. Those refused stand in `refused`.

        Metrics are cut back to what it knew.
        """
        for path in self._newest_first():
            try:
                body = _read_sealed(path)
                if body["run"] != self._identity:
                    raise InputError("it belongs to another run")
                arrays: dict[str, npt.NDArray[Any]] = {}
                for name, digest in body["files"].items():
                    arrays.update(_read_checked(path.parent / name, digest))
                found = Checkpoint(int(body["step"]), arrays, dict(body["state"]))
                before, metrics_bytes = float(body["seconds"]), int(body["metrics_bytes"])
            except InputError as error:
                self.refused.append(f"{path.name}: {error}")
                continue
            except (KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
                self.refused.append(f"{path.name}: it holds what no checkpoint does ({type(error).__name__}: {error})")
                continue
            self._before, self._began = before, time.monotonic()
            self.metrics.cut(metrics_bytes)
            return found
        self.metrics.cut(0)
        return None

    @contextmanager
    def taking_up(self, checkpoint: Checkpoint) -> Iterator[None]:
        """While a method reads what it wrote into a checkpoint: what is of another type than that is told as such."""
        try:
            yield
        except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{self.path}: the checkpoint of step {checkpoint.step} holds what this method did not write "
                f"({type(error).__name__}: {error}); remove it to go on from the one before, or choose another --out"
            ) from None

    def _newest_first(self) -> list[Path]:
        return sorted((self.path / "checkpoints").glob("step-*.json"), reverse=True)


def read_command(folder: Path) -> str:
    """The command that takes up the run in a folder; empty if nobody has noted it."""
    try:
        return (folder / COMMAND).read_text("utf-8")[:MOST_OF_COMMAND].strip()
    except (OSError, ValueError):
        return ""


def read_workers(folder: Path) -> dict[str, Any]:
    """Who plays, or played, elsewhere for the run in a folder; empty if nobody does."""
    try:
        found = json.loads((folder / WORKERS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _read_sealed(path: Path) -> dict[str, Any]:
    try:
        sealed = json.loads(path.read_text("utf-8"))
        body: dict[str, Any] = sealed["checkpoint"]
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        known = digest == sealed["sha256"]
        format_ = body.get("boardwright_checkpoint")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"it is no whole checkpoint ({type(error).__name__}: {error})") from None
    if not known:
        raise InputError("it was altered: its digest does not fit")
    if format_ != FORMAT:
        raise InputError(f"it is of another format than {FORMAT}")
    return body


def _read_checked(path: Path, digest: str) -> dict[str, npt.NDArray[Any]]:
    if path.parent.name != "checkpoints" or not path.is_file():
        raise InputError(f"{path.name} is missing")
    if digest_of(path) != digest:
        raise InputError(f"{path.name} is cut or altered: its digest does not fit")
    return read_arrays(path)[0]


def default_folder(game: Game, method: str, settings: Any, seed: int, label: str = "") -> Path:
    """Where a run goes without --out: the same command finds the same folder, another one, or other rules, another."""
    free = getattr(type(settings), "MAY_CHANGE", ())
    fixed = {name: value for name, value in asdict(settings).items() if name not in free}
    key = json.dumps([game.name, game.options, game.digest, method, seed, fixed], sort_keys=True)
    name = "-".join(filter(None, (game.name, method, label, hashlib.sha256(key.encode()).hexdigest()[:8])))
    return runs_folder() / name


def runs_folder() -> Path:
    """Where runs lie that were given no --out."""
    return home_folder() / "runs"


def read_heading(path: Path) -> dict[str, Any]:
    """What stands in a run's run.json; refused with the reason if the folder is no run, or of another format."""
    if not path.is_dir():
        raise InputError(f"there is no folder {path}; name the folder of a run: see {runs_folder()}")
    if not (path / HEADING).is_file():
        raise InputError(f"{path} is no run: it holds no {HEADING}")
    try:
        read = json.loads((path / HEADING).read_text("utf-8"))
        kept = {name: kind(read[name]) for name, kind in (("game", str), ("options", dict), ("method", str),
                                                          ("seed", int), ("settings", dict))}  # fmt: skip
        format_ = read["boardwright_run"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path / HEADING} cannot be read ({type(error).__name__}: {error})") from None
    if format_ != FORMAT:
        raise InputError(f"{path / HEADING} is of format {format_}, this Boardwright reads {FORMAT}")
    return {**kept, "rules": str(read.get("rules", ""))}


def random_state(rng: npt.NDArray[np.uint64]) -> list[str]:
    """The state of generators (uint64 each) as JSON keeps it exactly: numbers above 2^53 as text."""
    return [str(int(number)) for number in rng.reshape(-1)]


def random_from(state: list[str]) -> npt.NDArray[np.uint64]:
    """What `random_state` wrote."""
    return np.array([int(text) for text in state], np.uint64)
