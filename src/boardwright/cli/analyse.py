"""`boardwright analyse`: where a game was won and lost, and what was luck."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.options import AsJson, Rules, searcher

if TYPE_CHECKING:
    from boardwright.arena.analyse import Analysis, Candidate
    from boardwright.contract.game import Game
    from boardwright.contract.position import Position
    from boardwright.records import Record

STYLES = {
    "best": "green",
    "excellent": "green",
    "good": "",
    "inaccuracy": "yellow",
    "mistake": "red",
    "blunder": "bold red",
}
MOST_CANDIDATES = 15
LARGEST_FILE = 20_000_000
SIMULATIONS = 160  # of the judge that nobody named, to find what else could be played; then it compares
PLAIN = f"mcts:simulations={SIMULATIONS},depth=0,grow=0"


def analyse(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE", help="A record of the library, or a file with a record or a position (JSON)."
        ),
    ],
    player: Annotated[
        str | None,
        searcher("PLAYER", "Who judges: a player that searches, or one that has learnt values.", PLAIN),
    ] = None,
    game: Rules = None,
    samples: Annotated[
        int, typer.Option(min=1, help="How many looks value a position, each at other draws to come.")
    ] = 6,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Refine for so long, the worst errors first; Ctrl-C ends it sooner.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="The judge's luck, unless PLAYER fixes it.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Judge a game move by move: best moves, losses with their errors, and luck against skill, adding up to the result.

    The report is kept with a record of the library. Of a position: its moves, best first.
    """
    from boardwright.arena.analyse import analyse_position, explain, game_line, kept_report
    from boardwright.arena.judge import Judge
    from boardwright.arena.summary import duration
    from boardwright.cli.terminal import Ticker, say
    from boardwright.games.load import load
    from boardwright.learn.strongest import best_judge
    from boardwright.players import player as make_player
    from boardwright.players import seeded
    from boardwright.records import Library
    from boardwright.records.reports import Reports

    rules = load(game) if game else None
    record, position = _read(what, rules)
    player = player or best_judge(position.game, SIMULATIONS, PLAIN, say)
    analyst = make_player(seeded(player, position.game, seed), position.game)
    if record is None:
        value, error, candidates = analyse_position(position, analyst, samples=samples)
        if as_json:
            found = {
                "game": str(position.game),
                "player": position.player,
                "value": value,
                "value_error": error,
                "moves": [asdict(one) for one in candidates],
            }
            typer.echo(json.dumps(found, indent=2))
        else:
            _show_position(position, value, error, candidates)
        return
    began = time.monotonic()
    with Ticker() as tick:

        def show(done: int, total: int) -> None:
            left = (time.monotonic() - began) / done * (total - done)
            tick(f"step {done} of {total}, about {duration(left)} left")

        judge = Judge(game_line(position), [analyst], samples=samples, seed=seed)
        judge.first(show)
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until and judge.refine():
                tick(f"refining, {duration(max(0.0, until - time.monotonic()))} left")
        except KeyboardInterrupt:
            pass  # what has been found is told
        analysis = explain(judge, record.players, analyst.spec)
    if not Path(what).is_file():
        Reports(Library()).save(record, kept_report(analysis, judge.line))
    if as_json:
        typer.echo(analysis.to_json())
    else:
        _show(analysis, record)


def _read(what: str, rules: Game | None) -> tuple[Record | None, Position]:
    """A record with its last position, or only a position."""
    from boardwright.contract.errors import InputError
    from boardwright.games.load import load
    from boardwright.records import Library, Record

    path = Path(what)
    if not path.is_file():
        if any(sign in what for sign in "./\\"):
            raise InputError(f"cannot read {what}: there is no such file")
        record = Library().get(what)
        return record, record.replay(rules)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{what} is larger than a record can be")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {what}: {error}") from None
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        if len(lines) > 1:
            raise InputError(
                f"{what} holds {len(lines)} lines; analyse takes one record: import them, then name one by its id"
            ) from None
        raise InputError(f"{what} is neither a record nor a position: it is not JSON") from None
    if isinstance(data, dict) and "boardwright_record" in data:
        record = Record.from_json(text.strip())
        return record, record.replay(rules)
    if isinstance(data, dict) and isinstance(data.get("game"), str) and isinstance(data.get("options"), dict):
        from boardwright.games.load import make, trusted_spec

        spec = trusted_spec(data["game"])
        if rules is None and spec is None:
            raise InputError(
                f"{what}: a position of {data['game'][:40]!r}, which is not built in: give its rules with --game"
            )
        loaded = make(type(rules or load(spec or "")), data["options"])
        return None, loaded.from_json(text)
    raise InputError(f"{what} is neither a record nor a position of Boardwright")


def _number(value: float, unit: str) -> str:
    return f"{value:+,.1f}" if unit == "points" else f"{value:+.3f}"


def _plain(value: float, unit: str) -> str:
    return f"{value:,.1f}" if unit == "points" else f"{value:.3f}"


def _off(error: float | None, unit: str) -> str:
    """A standard error as it stands behind its figure; nothing where the rules decide, or nobody knows."""
    return f" ± {_plain(error, unit)}" if error else ""


def _show(analysis: Analysis, record: Record) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from boardwright.cli.terminal import clean, console

    out, unit = console(), analysis.unit
    out.print(f"{analysis.game}, record {record.id[:8]}, judged by {analysis.analyst}", markup=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name, side in (
        ("ply", "right"),
        ("who", "left"),
        ("played", "left"),
        ("best", "left"),
        ("value", "right"),
        ("loss", "right"),
        ("luck", "right"),
        ("label", "left"),
    ):
        table.add_column(name, justify=side)  # type: ignore[arg-type]  # left and right are what Rich names them
    for event in analysis.events:
        shown = max(event.player, 0)
        moved = event.kind == "move"
        table.add_row(
            str(event.ply),
            f"{event.player + 1}" if moved else "~",
            Text(event.text),
            Text(event.best if moved and event.best != event.text else ""),
            _number(event.after[shown], unit) + _off(event.after_error, unit),
            _plain(event.loss, unit) + _off(event.error, unit) if moved else "",
            "" if moved else _number(event.luck[0], unit) + _off(event.error, unit),
            Text(event.label, style=STYLES.get(event.label, "dim")),
        )
    out.print(table, soft_wrap=False)
    what = "in points" if unit == "points" else "1 is a win, -1 a loss"
    out.print(f"Value after each step to whoever moved (draws: to player 1), {what}.", style="dim")
    out.print(
        "After ± are standard errors. A loss counts where it is larger than its error (95 %), and is called what it is "
        "at least; unsure: it may be nothing or much.",
        style="dim",
    )
    summary = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        title="What the result is made of",
        title_justify="left",
    )
    for name in ("player", "at the start", "luck", "own losses", "others' moves", "changes of mind", "result"):
        summary.add_column(name, justify="left" if name == "player" else "right")
    for name, account in zip(analysis.players, analysis.accounts, strict=True):
        cells = (account.start, account.luck, -account.losses, account.others, account.mind, account.result)
        errors = (account.start_error, account.luck_error, account.losses_error, account.others_error,
                  account.mind_error, account.result_error)  # fmt: skip
        row = [_number(cell, unit) + _off(error, unit) for cell, error in zip(cells, errors, strict=True)]
        summary.add_row(Text(clean(name)), *row)
    out.print(summary, soft_wrap=False)
    for seat, name in enumerate(analysis.players):
        counts = [
            (word, sum(event.player == seat and event.label == word for event in analysis.events))
            for word in (*STYLES, "unsure")
        ]
        out.print(f"{clean(name)}: " + ", ".join(f"{count} {word}" for word, count in counts if count), markup=False)
    if record.status == "forfeit":
        out.print(f"The game ended by forfeit: {clean(record.note)}", style="yellow", markup=False)


def _show_position(position: Position, value: tuple[float, ...], error: float, candidates: list[Candidate]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from boardwright.cli.terminal import board, console

    out = console()
    unit = "points" if position.game.counts_points else "result"
    out.print(board(position))
    out.print(
        "\nvalue: "
        + ", ".join(f"player {i + 1} {_number(one, unit)}{_off(error, unit)}" for i, one in enumerate(value)),
        markup=False,
    )
    chance = position.is_chance
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in ("draw", "value", "luck", "likely") if chance else ("move", "value", "loss", "visits", "label"):
        table.add_column(name, justify="left" if name in ("draw", "move", "label") else "right")
    for one in candidates[:MOST_CANDIDATES]:
        own = "-" if one.value is None else _number(one.value, unit) + _off(one.value_error, unit)
        lost = "-" if one.loss is None else _number(-one.loss if chance else one.loss, unit) + _off(one.error, unit)
        last = (f"{100 * (one.prior or 0.0):.1f} %",) if chance else (f"{one.visits:,}", one.label)
        table.add_row(Text(one.text), own, lost, *last)
    out.print(table, soft_wrap=False)
    if len(candidates) > MOST_CANDIDATES:
        out.print(f"and {len(candidates) - MOST_CANDIDATES} more; --json has all.", style="dim")
