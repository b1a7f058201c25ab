"""`boardwright reproduce`: five reports of others, made to work, beside their own figures."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer


def reproduce(
    name: Annotated[str, typer.Argument(metavar="REPORT", help="nmbr9, tictactoe, 2048, gomoku, azul, or all.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Seconds instead of minutes: everything runs, little is shown.")
    ] = False,
    seed: Annotated[int, typer.Option(help="One seed, one result, but for what is timed.")] = 0,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the page goes: REPORT.md, and its pictures in REPORT/.")
    ] = Path("reproduce"),
    work: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where models and games are kept.", show_default="lab in the home folder"),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes for matches; 0: this one.", show_default="one a core")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> None:
    """Run the experiments of a report again, and write its figures beside ours on a page.

    Ctrl-C keeps the games that were finished; the same command goes on. A page is written when
    its program is through.
    """
    import json

    from boardwright.cli.terminal import Ticker
    from boardwright.contract.errors import InputError
    from boardwright.contract.folders import home_folder

    laboratory = _laboratory()
    programs = laboratory.PROGRAMS
    if name != "all" and name not in programs:
        close = get_close_matches(name.casefold(), [*programs, "all"], n=1)
        meant = f"did you mean {close[0]}? There" if close else "there"
        raise InputError(f"no program {name!r}; {meant} are {', '.join(programs)}, all")
    if seed < 0:
        raise InputError(f"--seed {seed} must be 0 or more")
    for folder in filter(None, (out, work)):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file; name a folder")

    from boardwright.arena.plots import need_matplotlib

    need_matplotlib()
    tables = {}
    for one in programs if name == "all" else (name,):
        with Ticker(f"{one}: ") as tick:
            kept = (work or home_folder() / "lab") / f"{one}-{'quick' if quick else 'full'}-{seed}"
            # Where files lie says nothing about the figures, and is nobody else's business.
            command = f"boardwright reproduce {one}" + (f" --seed {seed}" if seed else "") + " --quick" * quick
            processes = (os.cpu_count() or 1) if workers is None else workers
            try:
                page = laboratory.carry_out(laboratory.Run(one, quick, seed, processes, kept, tick), out, command)
            except ModuleNotFoundError as error:
                raise InputError(f"{one} needs {error.name}: pip install 'boardwright[learn]'") from None
        tables[one] = page.tables
        typer.echo(f"Wrote {out / one}.md.", err=True)
    if as_json:
        typer.echo(json.dumps(tables, indent=2))


def _laboratory() -> Any:
    """How programs of the laboratory are run (boardwright_lab/run.py). It is a package of its own, which nothing of the
    engine names: the registry knows where it lives."""
    from boardwright.contract.errors import InputError
    from boardwright.registry import find

    try:
        return find("laboratory", "run")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "boardwright_lab":
            raise
        raise InputError(
            "reproduce needs the package boardwright_lab, which is not installed here; it comes with Boardwright: "
            "pip install --force-reinstall boardwright"
        ) from None
