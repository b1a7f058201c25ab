"""`boardwright bench tiles` and `bench tuples`: 2048 by n-tuple tables, how strong and how fast to train."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from boardwright.learn.tuples.measure import TileFigures


def tiles(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="tuples:plies=2,table=NAME_OR_PATH or heuristic:plies=3.")
    ],
    games: Annotated[int, typer.Option(min=1, help="Games of each player.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed, the same games as in `match`.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help="Games side by side.", show_default="one a core")] = None,
    four: Annotated[float, typer.Option(min=0.0, max=1.0, help="How likely a new tile is a 4.")] = 0.1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Whole games of 2048 inside kernels: mean score and how often which tile was reached, beside a report's.

    Plays the very games that `boardwright match 2048 PLAYER --seed` plays, many times as fast.
    """
    from boardwright.cli.terminal import Ticker
    from boardwright.learn.tuples.board_kit import board_game, board_kit
    from boardwright.learn.tuples.measure import check_measurable, measure_tiles

    game = board_game(four=four)
    for spec in players:
        check_measurable(game, spec)
    found: list[TileFigures] = []
    for spec in players:
        with Ticker(f"{spec}: ") as tick:
            found.append(measure_tiles(game, spec, games, seed, threads or os.cpu_count() or 1, tick))
        if len(found[-1].games) < games:
            break
    stopped = len(found[-1].games) < games
    found = [one for one in found if one.games]
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
    elif found:
        _show(found, seed, game.name, board_kit(game))
    if stopped:
        raise typer.Exit(130)


def _show(figures: list[TileFigures], seed: int, name: str, kit: Any) -> None:
    from rich import box
    from rich.table import Table

    from boardwright.cli.terminal import console, rate

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", style="bold", no_wrap=True)
    for one in figures:
        table.add_column(one.spec, justify="right", overflow="fold")
    table.add_column("the report's hybrid", justify="right", style="dim")
    table.add_row("games", *(f"{len(one.games):,}" for one in figures), "")
    scores = [one.score for one in figures]
    table.add_row("mean score", *(f"{score.value:,.0f}" for score in scores), f"{kit.REPORTED_MEAN:,}")
    table.add_row("95 % interval", *(f"{score.low:,.0f} to {score.high:,.0f}" for score in scores), "")
    table.add_row("best", *(f"{max(game.score for game in one.games):,}" for one in figures), f"{kit.REPORTED_BEST:,}")
    for tile in kit.MILESTONES:
        if tile in kit.REPORTED_SHARES or any(one.reached(tile).value > 0 for one in figures):
            shares = [one.reached(tile) for one in figures]
            texts = [f"{100 * x.value:.1f} % ({100 * x.low:.0f}-{100 * x.high:.0f})" for x in shares]
            theirs = f"{100 * kit.REPORTED_SHARES[tile]:.0f} %" if tile in kit.REPORTED_SHARES else ""
            table.add_row(f"reached {tile}", *texts, theirs)
    speeds = [sum(game.moves for game in one.games) / one.seconds for one in figures]
    table.add_row("moves/s", *(rate(speed) for speed in speeds), "")
    out = console()
    out.print(table, soft_wrap=False)
    out.print(f"Seed {seed}: the games that `boardwright match {name} PLAYER --seed {seed}` plays.", markup=False)
    cut = sum(game.cut for one in figures for game in one.games)
    if cut:
        out.print(f"{cut} games ended with two tiles of 32768: what they make fits no bitboard.")


def tuples(
    patterns: Annotated[list[str] | None, typer.Argument(metavar="PATTERNS", help="4x6, 4x5, 5x4, 8x6.")] = None,
    games: Annotated[int, typer.Option(min=100, help="Games to fill the table before measuring.")] = 5000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of 200 games; the figure is their median.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Moves of 2048 that one thread learns from in a second, by temporal coherence (tc) and plain (td)."""
    from dataclasses import asdict

    from boardwright.cli.terminal import Ticker, console, figures, rate
    from boardwright.learn.tuples.board_kit import board_game
    from boardwright.learn.tuples.measure import measure_training

    with Ticker() as tick:
        found = [
            measure_training(board_game(), one, rule, games, rounds, tick)
            for one in patterns or ["4x6"]
            for rule in ("tc", "td")
        ]
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], indent=2))
        return
    rows = []
    for one in found:
        span = f"{rate(min(one.rounds))} to {rate(max(one.rounds))}"
        rows.append((one.patterns, one.rule, rate(one.moves_per_second), span, f"{one.mean_score:,.0f}"))
    heading = ("patterns", "rule", "moves/s a thread", "slowest to quickest round", "mean score then")
    console().print(figures(heading, rows, words=2))
    console().print(
        f"On {found[0].machine}, per second of CPU time. TDL2048+ in C++ on such a machine: tc 900,000 to 1,150,000."
    )
