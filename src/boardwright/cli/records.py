"""`boardwright records`: the games that were played, to list, look at, step through, and exchange."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from boardwright.cli.options import AsJson, Rules

if TYPE_CHECKING:  # what these need to run is imported by the command that needs it, so that --help is instant
    from rich.console import Console

    from boardwright.contract.game import Game
    from boardwright.contract.position import Position
    from boardwright.records import Library, Record, Summary

app = typer.Typer(help="List, look at, replay, export and import played games.", no_args_is_help=True)


class Format(StrEnum):
    jsonl = "jsonl"
    sgf = "sgf"


class Status(StrEnum):
    finished = "finished"
    unfinished = "unfinished"
    forfeit = "forfeit"


Id = Annotated[str, typer.Argument(help="The record's id, or the beginning of it.", metavar="ID", show_default=False)]
OfGame = Annotated[str | None, typer.Option("--game", help="Only this game, such as azul.")]
OfPlayer = Annotated[str | None, typer.Option("--player", help="Only games of a player whose name has this in it.")]
OfStatus = Annotated[Status | None, typer.Option("--status", help="Only games that ended so, or did not.")]
Since = Annotated[
    str | None, typer.Option("--since", help="Only games begun since this date or time (UTC).", metavar="DATE")
]


@app.command("list")
def list_(
    game: OfGame = None,
    player: OfPlayer = None,
    status: OfStatus = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to show, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List played games, newest first."""
    found = _library().find(game=game, player=player, status=status, since=since, limit=limit)
    if as_json:
        print(json.dumps([asdict(summary) for summary in found], indent=2))
        return
    if not found:
        narrowed = any((game, player, status, since))
        print("No such games." if narrowed else "No games yet. Play one: boardwright play tictactoe")
        return
    from rich.table import Table
    from rich.text import Text

    from boardwright.cli.terminal import console

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("id", "started (UTC)", "game", "players", "score", "plies", "status"):
        side: Literal["left", "right"] = "right" if column == "plies" else "left"
        table.add_column(column, justify=side, no_wrap=column != "players", overflow="fold")
    for summary in found:
        table.add_row(*map(Text, _cells(summary)))
    out = console()
    if not out.is_terminal:
        out.width = 200  # a program that reads this wants a line a game
    out.print(table, soft_wrap=False)
    if len(found) == limit:
        out.print(f"The newest {limit}; --limit shows more.", style="dim")
    out.print(f"Step through one: boardwright records replay {found[0].id[:8]}", style="dim")


@app.command()
def show(id: Id, game: Rules = None) -> None:
    """Show what is known of a game, and its last position."""
    from boardwright.cli.terminal import board, console

    record = _library().get(id)
    line = list(record.replay(_rules(game)).line())
    out = console()
    _describe(record, line, out)
    out.print()
    out.print(board(line[-1]))


@app.command()
def replay(id: Id, game: Rules = None) -> None:
    """Step through a game: Enter or right = on, b or left = back, a number = to that ply, a = by itself, q = quit.

    Where the input is no terminal, every position is printed.
    """
    from boardwright.cli.replay import captions, step_through
    from boardwright.cli.terminal import board, console

    record = _library().get(id)
    line = list(record.replay(_rules(game)).line())
    out = console()
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_through(record, line, out)
        return
    _describe(record, line, out)
    for told, position in zip(captions(record, line), line, strict=True):
        out.print(f"\n{told}", style="bold", markup=False)
        out.print(board(position))


@app.command()
def export(
    ids: Annotated[
        list[str] | None,
        typer.Argument(help="Which records; all, or those that the options leave.", metavar="ID", show_default=False),
    ] = None,
    game: OfGame = None,
    player: OfPlayer = None,
    status: OfStatus = None,
    since: Since = None,
    format: Annotated[
        Format, typer.Option(help="jsonl holds every game; sgf, for other programs, games of lines.")
    ] = Format.jsonl,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; otherwise they are printed.", metavar="FILE")
    ] = None,
) -> None:
    """Write games to a file that `import`, or another program, reads."""
    from boardwright.contract.errors import InputError
    from boardwright.contract.whole_file import whole_file

    library = _library()
    narrowed = any((game, player, status, since))
    if ids and narrowed:
        raise InputError("export: name records by their ids or by options such as --game, not by both")
    if narrowed:
        found = library.find(game=game, player=player, status=status, since=since, limit=None)
        ids = [summary.id for summary in reversed(found)]
    wanted = ids if ids or narrowed else None
    texts = _as_sgf(library, wanted) if format is Format.sgf else (line + "\n" for line in library.export(wanted))
    if out is None or str(out) == "-":
        for text in texts:
            typer.echo(text.encode(), nl=False)  # SGF is UTF-8 whatever the terminal is
        return
    if out.exists() and out.resolve() == library.path.resolve():
        raise InputError(f"{out} is the library itself; name another file")
    with whole_file(out) as file:
        count = 0
        for text in texts:
            file.write(text.encode())
            count += 1
    print(f"Wrote {_count(count)} to {out}.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="JSON Lines, as export writes them, or .sgf.", show_default=False)],
    game: Rules = None,
) -> None:
    """Take games from a file into the library; each is replayed first, and one that does not fit keeps all out."""
    from boardwright.contract.errors import InputError
    from boardwright.records.library import read_lines

    rules = _rules(game)
    library = _library()
    try:
        if file.suffix.lower() == ".sgf":
            report = library.add(_read_sgf(file, rules))
        else:
            report = library.import_lines(read_lines(file), game=rules)
    except InputError as error:
        raise InputError(f"{file}: {error}; nothing was imported") from None
    known = f" Known already: {len(report.known):,}." if report.known else ""
    unsealed = f" Without a seal: {report.unsealed:,}." if report.unsealed else ""
    print(f"Imported {_count(len(report.added))} from {file}.{known}{unsealed}")
    if report.added:
        print(f"Next: boardwright records replay {report.added[0][:8]}")


@app.command()
def delete(
    ids: Annotated[list[str], typer.Argument(help="Which records.", metavar="ID", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete games from the library. There is no way back."""
    library = _library()
    records = [library.get(id) for id in ids]
    for record in records:
        what = f"{record.id[:8]}: {record.game}, {' - '.join(record.players)}, {record.started}"
        if not yes and sys.stdin.isatty() and not typer.confirm(f"Delete {what}?"):
            print("Kept.")
            continue
        library.delete(record.id)
        print(f"Deleted {what}")


# In the terminal


def _describe(record: Record, line: list[Position], out: Console) -> None:
    """What is known of a game, a line each."""
    options = ", ".join(f"{name}={json.dumps(value)}" for name, value in record.options.items())
    draws = sum(position.is_chance for position in line[:-1])
    rows = {
        "id": record.id,
        "game": f"{record.game} ({options})" if options else record.game,
        "started": record.started,
        "status": record.status,
        "plies": f"{len(record.plies)}" + (f", of them {draws} draws of chance" if draws else ""),
        "seed": str(record.seed),
        "note": record.note,
        "seal": "" if record.sealed else "none: an old record, or not ours; nothing tells whether it was altered",
    }
    for name, value in rows.items():
        if value:
            out.print(f"{name:>8}  {value}", markup=False)
    for seat, name in enumerate(record.players):
        got = f"{_points(record.scores[seat])} points"
        if record.results is not None and record.results != record.scores:
            got += f", result {_points(record.results[seat])}"
        out.print(f"{'player ' + str(seat + 1):>8}  {name}: {got}", markup=False)


def _cells(summary: Summary) -> tuple[str, ...]:
    """A row of the list."""
    shown = summary.scores if any(summary.scores) or summary.results is None else summary.results
    return (
        summary.id[:8],
        summary.started[:16].replace("T", " "),
        summary.game,
        ", ".join(summary.players),
        " : ".join(map(_points, shown)),
        str(summary.plies),
        summary.status,
    )


def _points(value: float) -> str:
    from boardwright.cli.terminal import number

    return number(value)


def _count(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"


# Reading and writing files


def _library() -> Library:
    from boardwright.records import Library

    return Library()


def _rules(spec: str | None) -> Game | None:
    if spec is None:
        return None
    from boardwright.games.load import load

    return load(spec)


def _as_sgf(library: Library, ids: list[str] | None) -> Iterator[str]:
    from boardwright.contract.errors import InputError
    from boardwright.records import Record
    from boardwright.records.sgf import to_sgf

    for line in library.export(ids):
        record = Record.from_json(line)
        try:
            yield to_sgf(record)
        except InputError as error:
            raise InputError(f"record {record.id[:8]}: {error}") from None


def _read_sgf(file: Path, game: Game | None) -> list[Record]:
    from boardwright.contract.errors import InputError
    from boardwright.records.record import MOST_CHARACTERS
    from boardwright.records.sgf import SgfWarning, all_from_sgf, decode_sgf

    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_CHARACTERS + 1)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror or error}") from None
    if len(data) > MOST_CHARACTERS:
        raise InputError(f"more than {MOST_CHARACTERS:,} bytes; split it")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SgfWarning)
        records = list(all_from_sgf(decode_sgf(data), game))
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        typer.echo(f"{file.name}: {message}", err=True)
    return records
