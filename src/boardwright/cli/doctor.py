"""`boardwright doctor`: what a training looks like, and what to try if it looks bad; of any run, at any time."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from boardwright.contract.game import Game

LIVING = 120.0  # seconds: figures younger than this come from a run that goes on


def doctor(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run, or its name among your runs.")],
    measure: Annotated[
        bool, typer.Option("--measure", help="Play matches anew, instead of telling those of the training's pilot.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=1.0, max=3600.0, help="With --measure: about how long.")] = 30.0,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="With --measure: rules of a game that is not built in: path/to/file.py:Class."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how a training goes: losses against knowing nothing, strength, slope, what is wrong and what to try.

    Of any method, while it runs or after. Without --measure nothing is played: figures are those of the run's folder.
    """
    from dataclasses import replace

    from boardwright.contract.errors import InputError
    from boardwright.contract.folders import expanded
    from boardwright.learn.metrics import NAME as METRICS
    from boardwright.learn.metrics import read_metrics
    from boardwright.learn.models import IN_A_RUN, has_seal
    from boardwright.learn.pilot.report import measured_note, read_measurement, report_of, write_report
    from boardwright.learn.runs import read_heading, runs_folder

    folder = expanded(run)
    if not folder.exists() and (runs_folder() / run).is_dir():
        folder = runs_folder() / run
    heading = read_heading(folder)
    lines = read_metrics(folder) if (folder / METRICS).is_file() else []
    rules = _rules(heading, game) if measure or game else None
    notes = []
    if measure:
        assert rules is not None
        measured = _measure(folder, heading, lines, rules, seconds)
    else:
        measured = None
        try:
            measured = read_measurement(folder)
        except InputError as error:
            notes.append(str(error))
        if measured is not None:
            notes.append(measured_note(measured))
        elif not notes:
            notes.append("strength was not measured yet: --measure")
    if lines and time.time() - (folder / METRICS).stat().st_mtime < LIVING:
        notes.append("the run goes on, or has just ended")
    try:
        if (folder / IN_A_RUN).is_file() and not has_seal(folder / IN_A_RUN):
            notes.append("the model is an old one: its heading has no digest, and nothing tells whether it was altered")
    except InputError as error:
        notes.append(str(error))
    report = replace(report_of(heading, lines, measured, rules), notes=tuple(notes))
    if measure:
        try:
            write_report(folder, report)
        except InputError as error:
            typer.echo(str(error), err=True)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2, allow_nan=False))
        return
    for line in report.lines():
        typer.echo(line)


def _rules(heading: dict[str, Any], spec: str | None) -> Game:
    """The run's game. A file is run only if the command names it: a folder may be a stranger's."""
    from boardwright.contract.errors import InputError
    from boardwright.games.load import load, make, trusted_spec

    known = spec or trusted_spec(heading["game"])
    if known is None:
        raise InputError(f"the run is of {heading['game']!r}, which is not built in; say --game path/to/file.py:Class")
    rules = make(type(load(known)), heading["options"])
    if rules.name != heading["game"]:
        raise InputError(f"--game {spec} is {rules.name}, but the run learns {heading['game']}")
    if heading["rules"] and heading["rules"] != rules.digest:
        raise InputError(
            f"{rules.name} has other rules now than those that the run learns, so that nothing can be measured; train "
            "again, or leave out --measure"
        )
    return rules


def _measure(folder: Path, heading: dict[str, Any], lines: list[dict[str, Any]], rules: Game, seconds: float) -> Any:
    """Matches with a copy of the model, which a living run may write anew any moment."""
    import shutil
    from tempfile import TemporaryDirectory

    from boardwright.cli.terminal import say
    from boardwright.contract.errors import InputError
    from boardwright.learn.model_players import TAKERS
    from boardwright.learn.models import find_model
    from boardwright.learn.pilot.hook import earlier_model
    from boardwright.learn.pilot.report import measure
    from boardwright.learn.shipped import model_heading

    model = find_model(folder)
    trained = float(lines[-1].get("seconds") or 0.0) if lines else 0.0
    say(f"Measuring for about {seconds:.0f} s (longer if search has to be compiled first).")
    with TemporaryDirectory(prefix="boardwright-doctor-") as place:
        copy = Path(place) / "now.safetensors"
        shutil.copyfile(model, copy)
        kind = str(model_heading(copy).get("kind", ""))
        if kind not in TAKERS:
            raise InputError(f"{model} is no model that can play; train on, or copy it again")
        return measure(rules, heading, lines, (kind, copy), earlier_model(folder, trained), seconds)
