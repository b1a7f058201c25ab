"""`boardwright train`: learn to play a game, in a folder that survives being killed."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardwright.cli.options import Cluster, GameSpec, hire
from boardwright.contract.errors import InputError

if TYPE_CHECKING:
    from boardwright.contract.game import Game

# Method -> module:settings:function, imported when asked for. Settings are a frozen dataclass with a comment a field,
# a classmethod `presets(game)` -> {name: {setting: value}}, and a tuple MAY_CHANGE of what may differ when a run goes
# on. The function takes a learn.runs.Run and returns a learn.runs.Finished.
METHODS = {
    "kernel": "boardwright.learn.kernel.train:KernelSettings:train",
    "tuples": "boardwright.learn.tuples.train:TupleSettings:train",
    "selfplay": "boardwright.learn.selfplay.loop:SelfplaySettings:train",
}
OLD_METHODS = {"values": "kernel"}  # names that are understood for one version more
ONE_MACHINE = {"tuples": "changes one table with every move, which must lie where the games are played"}
USUAL_METHOD = "kernel"  # where neither --method nor the game's card names one
DEFAULT_PRESET = "quick"


def train(
    game: GameSpec,
    method: Annotated[
        str | None,
        typer.Option(help=f"How to learn: {', '.join(METHODS)}.", show_default="tuples for 2048, else kernel"),
    ] = None,
    preset: Annotated[
        str, typer.Option(help="Settings for an occasion: quick (minutes), lunch (an hour), night.")
    ] = DEFAULT_PRESET,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Another setting; may be given again. See --settings."),
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0.0, help="Stop after so much training in all; 0: when the settings say.")
    ] = 0.0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder.", show_default="one of its own")
    ] = None,
    seed: Annotated[int, typer.Option(help="One seed, one result (one thread).")] = 0,
    pilot: Annotated[
        bool,
        typer.Option(
            "--pilot/--no-pilot",
            help="After two minutes, pause for half a minute and tell how it goes (again with: boardwright doctor RUN)"
            "; in a long training by kernel, compare with self-play.",
        ),
    ] = True,
    cluster: Cluster = None,
    list_settings: Annotated[
        bool, typer.Option("--settings", help="Show the settings of the method, with their presets, and exit.")
    ] = False,
) -> None:
    """Learn to play a game.

    Figures appear as it goes; checkpoints, metrics (JSON lines and TensorBoard) and at the end the model and its
    curve are in the run's folder. Ctrl-C saves and stops. Stopped or killed, the same command goes on.
    """
    from boardwright.games.load import load
    from boardwright.learn.display import View
    from boardwright.learn.runs import Run, default_folder

    loaded = load(game)
    name = _present_name(method or loaded.card.training or USUAL_METHOD)
    kind, learn = find_method(name)
    if list_settings:
        _list(name, kind, loaded)
        return
    settings = read(name, kind, loaded, preset, change or [])
    if cluster is not None and name in ONE_MACHINE:
        raise InputError(f"--cluster: method {name} {ONE_MACHINE[name]}; leave --cluster out")
    hired = hire(cluster)
    folder = out or default_folder(loaded, name, settings, seed, preset)
    _refuse_older(folder)
    command = shlex.join(["boardwright", *sys.argv[1:]])
    view = View(f"{loaded.name} by {name}")
    with Run(folder, loaded, name, settings, seed, minutes, view, pilot=pilot, hire=hired) as run:
        run.keep_command(command)
        view.say(f"Run folder: {folder}")
        finished = learn(run)
        interrupted = run.interrupted
        for refused in run.refused:
            view.say(f"Not used: {refused}")
    if interrupted:
        typer.echo(f"Saved and stopped. Go on with: {command}", err=True)
        raise typer.Exit(130)
    if view.summary():
        typer.echo(f"At the end: {view.summary()}")
    typer.echo(f"Model: {finished.model}")
    if finished.plot is not None:
        typer.echo(f"Curve: {finished.plot}")
    typer.echo(_who_uses(loaded, folder))
    for line in finished.next:
        typer.echo(f"Next: {line}")


def _who_uses(game: Game, folder: Path) -> str:
    """Whether what was trained is used from now on without being named."""
    from boardwright.learn.last_run import last_run
    from boardwright.learn.strongest import shipped_player

    if shipped_player(game, 1.0):
        return f"Used where its folder is named: {game.name} comes with a model, which is used by itself."
    run, _ = last_run(game)
    if run is None or run.path.resolve() != folder.resolve():
        return "Used where its folder is named; a run without --out is used by itself."
    return (
        "Used by itself from now on: play, serve, match, analyse and engine take it unless they are told whom to take."
    )


def _present_name(method: str) -> str:
    """The method's name of today, with a warning where an old one was used."""
    if method not in OLD_METHODS:
        return method
    new = OLD_METHODS[method]
    typer.echo(f"--method {method} is --method {new} now; the old name ends with the next version", err=True)
    return new


def _refuse_older(folder: Path) -> None:
    """A run that was begun by a method that is no more cannot go on."""
    from boardwright.learn.runs import HEADING, read_heading

    if (folder / HEADING).is_file() and (old := read_heading(folder)["method"]) in OLD_METHODS:
        raise InputError(
            f"{folder} was begun by method {old}, in whose place is {OLD_METHODS[old]}: its model plays as before "
            f"({old}:model={folder}); to train, choose another --out"
        )


def find_method(name: str) -> tuple[Any, Any]:
    """(settings class, training function) of a method; refused with the list of those that exist."""
    if name not in METHODS:
        raise InputError(f"no method {name!r}; there are {', '.join(METHODS)}")
    module_name, settings, function = METHODS[name].split(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(f"method {name} needs {error.name}: pip install 'boardwright[learn]'") from None
    return getattr(module, settings), getattr(module, function)


def read(name: str, kind: Any, game: Game, preset: str, changes: list[str]) -> Any:
    """The settings of a command: the preset's, then what --set says."""
    from boardwright.contract.settings import read_settings, split_settings

    presets = kind.presets(game)
    if preset not in presets:
        raise InputError(f"train: no preset {preset!r} of method {name}; there are {', '.join(presets)}")
    values: dict[str, object] = dict(presets[preset])
    for change in changes:
        values.update(split_settings("train --set", change))
    return kind(**read_settings(kind, f"method {name}", values))


def field_docs(kind: Any) -> dict[str, str]:
    """Each setting's comment: what stands after it in the source is its documentation."""
    docs = {}
    for ancestor in reversed(kind.__mro__):
        if "__dataclass_fields__" in vars(ancestor):
            found = re.findall(r"^    (\w+): [^#\n]+#\s*(.+)$", inspect.getsource(ancestor), re.MULTILINE)
            docs.update(dict(found))
    return docs


def _list(name: str, kind: Any, game: Game) -> None:
    from rich import box
    from rich.table import Table

    from boardwright.cli.terminal import console

    presets, docs = kind.presets(game), field_docs(kind)
    table = Table("setting", *presets, "meaning", box=box.SIMPLE_HEAD, pad_edge=False)
    for one in dataclasses.fields(kind):
        values = [str(preset.get(one.name, one.default)) for preset in presets.values()]
        table.add_row(one.name, *values, docs.get(one.name, ""))
    out = console()
    out.print(f"Method {name} for {game.name}; change one with --set, as in --set {_example(kind)}", markup=False)
    out.print(table, soft_wrap=False)


def _example(kind: Any) -> str:
    first = dataclasses.fields(kind)[0]
    return f"{first.name}={first.default}"
