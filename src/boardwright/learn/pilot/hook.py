"""What a training loop calls: after two minutes, or at its end if that comes first, it pauses and tells what it sees.

The pilot never changes what is learnt: it gets copies of the weights as model files, plays with random numbers of its
own, and the seconds that it takes do not count as training.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from boardwright.contract.errors import BoardwrightError
from boardwright.learn.metrics import read_metrics
from boardwright.learn.pilot.report import Report, measure, read_measurement, report_of, write_report
from boardwright.learn.runs import Run

AFTER = 120.0  # seconds of training
SECONDS = 30.0  # that it takes, about
SHARE = 0.25  # of the training before, at most
LEAST = 3.0  # seconds in which matches are worth while
FIRST_EARLIER = 8.0  # seconds of training before the first model is put by; then each time it has doubled
EARLIER = "earlier-{:06.0f}.safetensors"
KEPT = 2


class Pilot:
    """The pilot of one run.

    kind: of its models (`value`, `net`, ...). save(path): writes a model of the weights of now. keeps: whether models
    are small enough to put some by.

    Call `perhaps` between rounds, when nothing else runs, and `last` when the training has ended.
    """

    def __init__(self, run: Run, kind: str, save: Callable[[Path], object], *, keeps: bool = True) -> None:
        self.run, self.kind, self.save, self.keeps = run, kind, save, keeps
        self.wanted = run.pilot and not run.view.quiet
        self._told = _measured_before(run.path)
        self._next = FIRST_EARLIER
        while self._next <= run.seconds:
            self._next *= 2

    def perhaps(self) -> None:
        """Tell what is seen if it is time; and put a model by to compare with later."""
        if not self.wanted:
            return
        if self.run.seconds >= AFTER and not self._told and not self.run.stopping:
            self.tell()
        if self.keeps and self.run.seconds >= self._next:
            self._put_by()

    def last(self) -> None:
        """At the end of a training that ended by itself: what was not told before."""
        if self.wanted and not self._told and not self.run.interrupted:
            self.tell()

    def tell(self) -> None:
        """Measure, say and write down."""
        self._told = True
        run = self.run
        seconds = min(SECONDS, SHARE * run.seconds)
        lines = read_metrics(run.path)
        measured = None
        with run.paused():
            if seconds >= LEAST:
                run.view.say(
                    f"Pilot: the training pauses for about {seconds:.0f} s to see how strong it is "
                    "(longer if search has to be compiled first)."
                )
                try:
                    with TemporaryDirectory(prefix="boardwright-pilot-") as folder:
                        model = Path(folder) / "now.safetensors"
                        self.save(model)
                        measured = measure(
                            run.game, run.heading(), lines, (self.kind, model), earlier_model(run.path, run.seconds),
                            seconds, lambda: run.interrupted,
                        )  # fmt: skip
                except BoardwrightError as error:  # what cannot be measured does not end a training
                    run.view.say(f"Pilot: not measured: {error}")
            report = report_of(run.heading(), lines, measured, run.game)
            self._write(report)
        for line in report.lines():
            run.view.say(line)
        run.view.say(f"The same again at any time: boardwright doctor {shlex.quote(str(run.path))}")

    def _write(self, report: Report) -> None:
        try:
            write_report(self.run.path, report)
        except BoardwrightError as error:
            self.run.view.say(f"Pilot: {error}")

    def _put_by(self) -> None:
        seconds = self.run.seconds
        while self._next <= seconds:
            self._next *= 2
        with self.run.paused():
            try:
                self.save(self.run.path / EARLIER.format(seconds))
            except BoardwrightError:
                return  # a full disk is told by the next checkpoint
            for old in sorted(self.run.path.glob("earlier-*.safetensors"))[:-KEPT]:
                old.unlink(missing_ok=True)


def _measured_before(folder: Path) -> bool:
    """Whether an earlier start of the run was measured; a report of figures alone, of a short one, does not count."""
    try:
        return read_measurement(folder) is not None
    except BoardwrightError:
        return False


def earlier_model(folder: Path, seconds: float) -> tuple[float, Path] | None:
    """(seconds of training, file) of the newest model that was put by in the first two thirds of so many seconds."""
    found = []
    for path in folder.glob("earlier-*.safetensors"):
        text = path.stem.removeprefix("earlier-")
        if text.isdigit() and 0 < int(text) <= 0.67 * seconds:
            found.append((float(text), path))
    return max(found, default=None)
