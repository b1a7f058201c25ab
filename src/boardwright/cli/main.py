"""`boardwright`: the commands in the order of a newcomer's day, and how they end when something is wrong."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from boardwright import __version__
from boardwright.cli import (
    analyse,
    bench,
    check,
    cluster,
    doctor,
    engine,
    games,
    levels,
    match,
    play,
    playtest,
    publish,
    records,
    reproduce,
    serve,
    train,
    tree,
    tune,
)
from boardwright.cli.interrupts import heard_everywhere
from boardwright.contract.errors import BoardwrightError, BoardwrightWarning

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # ways in which a disk says that nothing more fits
# Typer lists groups behind commands. Every command that is added below stands here as well.
ORDER = tuple(
    "games check bench play serve publish match levels playtest train tune doctor cluster analyse tree records "
    "reproduce engine".split()
)


class InOrder(TyperGroup):
    """Lists commands in the order in which a newcomer meets them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(self.commands, key=ORDER.index)


app = typer.Typer(
    cls=InOrder,
    help="Turn the rules of a board game, written in plain Python, into a strong player.",
    epilog="Start with: boardwright, which opens the page, or boardwright games",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.games)
app.command("check")(check.check)
app.add_typer(bench.app, name="bench")
app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("publish")(publish.publish)
app.command("match")(match.match)
app.command("levels")(levels.levels)
app.command("playtest")(playtest.playtest)
app.command("train")(train.train)
app.command("tune")(tune.tune)
app.command("doctor")(doctor.doctor)
app.add_typer(cluster.app, name="cluster")
app.command("analyse")(analyse.analyse)
app.command("tree")(tree.tree)
app.add_typer(records.app, name="records")
app.command("reproduce")(reproduce.reproduce)
app.add_typer(engine.app, name="engine")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"boardwright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Without a command: the page, for whoever sits at a terminal; the help for whoever reads us by program."""
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        typer.echo("Opening the page; `boardwright --help` lists all that there is.")
        serve.serve()
    else:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line. Bad input is one line and exit code 2; Ctrl-C is 130; a closed pipe is quiet."""
    try:
        try:
            with heard_everywhere(), warned_in_a_line():
                app(prog_name="boardwright")
        except BoardwrightError as error:
            sys.stdout.flush()
            _say(str(error))
            sys.exit(2)
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            sys.stdout.flush()
    except SystemExit as end:
        if end.code == 130:
            _say("stopped")
        raise
    except BrokenPipeError:
        _give_up_output()
        sys.exit(1)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            _say(f"{str(error.filename)[:60]}...: {error.strerror}; choose a shorter one")
            sys.exit(2)
        if error.errno not in FULL:
            raise
        _give_up_output()
        where = f" {error.filename}" if error.filename else ""
        _say(f"cannot write{where}: {error.strerror}; make room, and run the same command again")
        sys.exit(2)


@contextmanager
def warned_in_a_line() -> Iterator[None]:
    """Warnings for people come as errors do, without the place in the code."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, BoardwrightWarning):
                _say(str(message))
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = show
        yield


def _give_up_output() -> None:
    """Nobody reads us, or nothing more fits: what Python still flushes on its way out must go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    from boardwright.cli.terminal import clean

    print(f"boardwright: {clean(message, kept=chr(10))}", file=sys.stderr)
