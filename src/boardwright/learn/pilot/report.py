"""A pilot's report: what the figures say, what was measured, what is wrong; as text, and as `pilot.json` in the run."""

from __future__ import annotations

import json
import math
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from boardwright.arena.intervals import Estimate
from boardwright.arena.summary import points as points_text
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import join_settings
from boardwright.games.named import game_argument
from boardwright.learn.display import duration, figure_text
from boardwright.learn.files import place
from boardwright.learn.last_run import ago
from boardwright.learn.pilot import strength
from boardwright.learn.pilot.losses import ELO, Line, Loss, Slope, Trouble, losses, slope_of, troubles
from boardwright.learn.pilot.sight_use import SightUse, features_used, observations_used
from boardwright.learn.pilot.strength import Met, Probe, Stop, percent, slope_between, strengths

FORMAT = 1
NAME = "pilot.json"
SHARE_OF_SLOPE = 0.25  # of the seconds that a measurement takes
FEW_INPUTS = 0.5  # share of the inputs that must change, of those that a game writes itself


@dataclass(frozen=True)
class Measurement:
    """What matches and positions said: `seconds` of training before, `when` by time.time()."""

    seconds: float
    when: float
    strengths: tuple[Met, ...] = ()
    missing: tuple[str, ...] = ()  # opponents against whom no set of games ended in the time
    slope: Slope | None = None
    troubles: tuple[Trouble, ...] = ()


@dataclass(frozen=True)
class Report:
    """All of it. `step` counts what the method counts."""

    game: str
    method: str
    seconds: float
    step: int
    losses: tuple[Loss, ...]
    slope: Slope | None
    troubles: tuple[Trouble, ...]
    measured: Measurement | None = None
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what is not finite becomes null."""
        told: dict[str, Any] = _plain(asdict(replace(self, measured=None)))
        told["boardwright_pilot"] = FORMAT
        told["losses"] = [{**_plain(asdict(one)), "learnt": _plain(one.learnt)} for one in self.losses]
        next_hundred = self.slope.next_hundred() if self.slope else None
        told["minutes_to_next_100_elo"] = None if next_hundred is None else next_hundred.to_dict()
        told["measured"] = None if self.measured is None else _plain(asdict(self.measured))
        return told

    def lines(self) -> list[str]:
        """For people, a heading and a line a finding."""
        rows: list[tuple[str, str]] = []
        for loss in self.losses:
            rows.append(
                ("loss", f"{loss.what} {figure_text(loss.value)}, who knows nothing has {figure_text(loss.nothing)}: "
                         f"{_of(loss)}")
            )  # fmt: skip
        if not self.losses:
            rows.append(("loss", "the run's figures tell none (yet)"))
        rows += [("strength", _met(one)) for one in (self.measured.strengths if self.measured else ())]
        if self.measured and self.measured.missing:
            against = ", ".join(self.measured.missing)
            more = "boardwright doctor RUN --measure --seconds 120 takes longer"
            rows.append(("strength", f"nothing to say about {against}: no set of games ended in the time; {more}"))
        rows += [("slope", _slope(self.slope))]
        if self.slope is not None and self.slope.unit == ELO:
            rows.append(("next", _next(self.slope)))
        for one in self.troubles:
            rows += [("wrong", f"{one.name}: {one.seen}"), ("try", one.cure)]
        if not self.troubles:
            rows.append(("wrong", "nothing seen"))
        rows += [("", note) for note in self.notes]
        heading = f"{self.game} by {self.method}, after {duration(self.seconds)} of training:"
        before, told = "", [heading]
        for name, text in rows:
            told.append(f"  {name if name != before else '':<9} {text}")
            before = name
        return told


def _of(loss: Loss) -> str:
    if not math.isfinite(loss.learnt):
        return "there is nothing to learn"
    where = f"of the way to {figure_text(loss.least)}, the targets' own" if loss.least else "below it"
    return f"{100 * loss.learnt:.0f} % {where}"


def _met(met: Met) -> str:
    points = ""
    if met.points is not None:
        points = f", {points_text(met.points, '+')} points"
    return f"{met.player} against {met.opponent}: {percent(met.share)} of {met.games} games{points}"


def _slope(slope: Slope | None) -> str:
    if slope is None:
        return "too few figures to tell"
    rate = slope.rate
    low, high = (_signed(end) if math.isfinite(end) else "unbounded" for end in (rate.low, rate.high))
    value = _signed(rate.value) if math.isfinite(rate.value) else "beyond measure"
    return f"{value} {slope.unit} a minute ({low} to {high}), {slope.how}"


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else ''}{figure_text(value)}"


def _next(slope: Slope) -> str:
    found = slope.next_hundred()
    if found is None:
        return "it does not grow: no 100 Elo more at this rate"
    longest = duration(60 * found.high) if math.isfinite(found.high) else "never"
    if not math.isfinite(slope.rate.value):
        return f"100 Elo more within {longest} at this rate"
    span = f"({duration(60 * found.low)} to {longest})"
    return f"100 Elo more in about {duration(60 * found.value)} at this rate {span}; rates fall as it learns"


# Making one


def command(game: Game | None, heading: Mapping[str, Any]) -> str:
    """How to train this game by this method again."""
    if game is not None:
        name = game_argument(game)
    else:
        options = join_settings({key: str(value) for key, value in heading["options"].items()})
        name = shlex.quote(f"{heading['game']}:{options}" if options else heading["game"])
    return f"boardwright train {name} --method {heading['method']}"


def report_of(
    heading: Mapping[str, Any], lines: Sequence[Line], measured: Measurement | None, game: Game | None = None
) -> Report:
    """What a run's heading and metrics say, with what was measured."""
    last: Line = lines[-1] if lines else {}
    by_figures = troubles(lines, heading["settings"], heading["method"], command(game, heading))
    slope = (measured.slope if measured else None) or slope_of(lines)
    wrong = (*by_figures, *(measured.troubles if measured else ()))
    return Report(
        heading["game"], heading["method"], float(last.get("seconds") or 0.0), int(last.get("step") or 0),
        tuple(losses(lines)), slope, wrong, measured,
    )  # fmt: skip


def measure(
    game: Game,
    heading: Mapping[str, Any],
    lines: Sequence[Line],
    model: tuple[str, Path],  # its kind and file
    earlier: tuple[float, Path] | None,  # seconds of training, and the model of then
    seconds: float,  # that it may take, about
    stop: Stop = lambda: False,
) -> Measurement:
    """Matches, and what the learner sees and thinks."""
    kind, file = model
    trained = float(lines[-1].get("seconds") or 0.0) if lines else 0.0
    train = command(game, heading)
    slope = None
    has_then = earlier is not None and trained - earlier[0] > 1.0
    met, missing = strengths(game, kind, file, seconds * (1.0 - SHARE_OF_SLOPE if has_then else 1.0), stop)
    if earlier is not None and has_then and not stop() and game.players > 1:
        minutes = (trained - earlier[0]) / 60
        slope = slope_between(game, kind, file, earlier[1], minutes, seconds * SHARE_OF_SLOPE, stop)
    wrong = (
        [] if stop() else _seen(game, kind, train) + _thought(strength.probe(game, kind, file), lines, heading, train)
    )
    return Measurement(
        trained, time.time(), tuple(met), () if stop() else tuple(missing), slope, tuple(wrong + _played(met, train))
    )


def _seen(game: Game, kind: str, train: str) -> list[Trouble]:
    """Features that never change or are never there."""
    if kind == "tuples":
        return []  # tables see cells, and all of them
    use: SightUse = observations_used(game) if kind == "net" else features_used(game)
    rule = "observe()" if kind == "net" else "features()"
    if use.changing == 0:
        return [
            Trouble(
                "features that never change",
                f"of {use.inputs} inputs none changes over {use.positions} positions of random games",
                f"mend {rule}: it must say what differs between positions; then {train}",
            )
        ]
    if use.own and use.changing < FEW_INPUTS * use.inputs:
        return [
            Trouble(
                "features that are never there",
                f"of {use.inputs} inputs {use.absent} are never there and {use.fixed} never change over "
                f"{use.positions} positions of random games",
                f"look whether {rule} numbers them as it means to; rare ones are learnt only when games reach them",
            )
        ]
    return []


def _thought(probe: Probe, lines: Sequence[Line], heading: Mapping[str, Any], train: str) -> list[Trouble]:
    found = []
    rate = float(heading["settings"].get("rate", 0.002))
    wide = any(loss.learnt < 0.5 for loss in losses(lines) if loss.name != "policy_loss")
    if probe.sure > 0.9 and wide:
        found.append(
            Trouble(
                "value saturated",
                f"{100 * probe.sure:.0f} % of positions of random games are valued as won or lost for certain, yet the "
                "error is large",
                f"{train} --set rate={rate / 4:g} --out ANOTHER (smaller steps)",
            )
        )
    if probe.narrow > 0.95:
        found.append(
            Trouble(
                "collapsed policy",
                f"in {100 * probe.narrow:.0f} % of positions of random games the policy knows one move only",
                f"{train} --set rate={rate / 4:g} --out ANOTHER, with more random openings (see --settings)",
            )
        )
    return found


def _played(met: Sequence[Met], train: str) -> list[Trouble]:
    found = []
    for one in met:
        if one.opponent == "random" and one.share.high < 0.5:
            found.append(
                Trouble(
                    "worse than random",
                    f"it gets {percent(one.share)} against random moves",
                    f"boardwright check GAME: are results() those of the player they are written for? Then {train}",
                )
            )
    games = sum(one.games for one in met)
    if games >= 20 and all(one.drawn >= 0.95 for one in met):
        found.append(
            Trouble(
                "all games drawn",
                f"nearly all of {games} games of the matches were drawn",
                "rules in which somebody wins, or results() that tell by how much",
            )
        )
    return found


# The file


def write_report(folder: Path, report: Report) -> None:
    """Into the run's folder, whole or not at all."""
    place(folder / NAME, json.dumps(report.to_dict(), indent=2, allow_nan=False).encode())


def read_measurement(folder: Path) -> Measurement | None:
    """What was measured before; None if nothing was. Refused if the file cannot be read."""
    try:
        read = json.loads((folder / NAME).read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{folder / NAME} cannot be read ({error}); measure anew with --measure") from None
    try:
        if read["boardwright_pilot"] != FORMAT:
            raise InputError(f"{folder / NAME} is of another format than {FORMAT}; measure anew with --measure")
        if read["measured"] is None:
            return None
        return _measurement(read["measured"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{folder / NAME} is damaged ({error}); measure anew with --measure") from None


def _measurement(told: Mapping[str, Any]) -> Measurement:
    slope = told["slope"]
    met = [
        Met(
            str(one["player"]), str(one["opponent"]), int(one["games"]), _estimate(one["share"]),
            None if one["points"] is None else _estimate(one["points"]), float(one["moves"]), float(one["drawn"]),
        )
        for one in told["strengths"]
    ]  # fmt: skip
    return Measurement(
        float(told["seconds"]),
        float(told["when"]),
        tuple(met),
        tuple(str(one) for one in told["missing"]),
        None if slope is None else Slope(_estimate(slope["rate"]), str(slope["unit"]), str(slope["how"])),
        tuple(Trouble(str(one["name"]), str(one["seen"]), str(one["cure"])) for one in told["troubles"]),
    )


def _estimate(told: Mapping[str, Any]) -> Estimate:
    value, low, high = (told[name] for name in ("value", "low", "high"))
    ends = [math.nan if value is None else float(value), -math.inf if low is None else float(low)]
    if value is None and low is not None:
        ends[0] = math.inf  # all games were won
    elif value is None:
        ends[0] = -math.inf
    return Estimate(ends[0], ends[1], math.inf if high is None else float(high))


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def measured_note(measured: Measurement) -> str:
    """When a measurement that is told again was made."""
    return f"strength was measured after {duration(measured.seconds)} of training, {ago(measured.when)}"
