"""`boardwright bench search`: the speed of the tree search, side by side with its peers."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardwright.bench.search import FirstMove, GameTime, LargeTree, Versus

    Tables = list[tuple[str, list[str], list[list[str]]]]  # what it shows, headings, rows


def search(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tables into this file too, such as docs/speed.md.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Simulations per CPU second, side by side with OpenSpiel's C++ search and with mctx; memory; start-up."""
    from boardwright.arena.report import check_writable, commit, markdown_table, write_text
    from boardwright.bench import search as bench
    from boardwright.cli.terminal import Ticker
    from boardwright.games.built_in import BUILT_IN

    if out is not None:
        check_writable(out)
    with Ticker() as tick:
        versus = bench.measure_openspiel(rounds, tick)
        versus += bench.measure_mctx(rounds, tick)
        versus.append(bench.measure_threads(rounds, tick))
        first = [bench.measure_first_move(spec, tick) for spec in BUILT_IN]
        large = bench.measure_large_tree(10_000_000, tick)
        games = bench.measure_game_times(4 * rounds, tick)
    tables = _tables(versus, first, large, games)
    if as_json:
        figures = {
            "versus": [asdict(one) for one in versus],
            "first_move": [asdict(one) for one in first],
            "large_tree": asdict(large),
            "game_times": [asdict(one) for one in games],
        }
        typer.echo(json.dumps(figures, indent=2))
    else:
        _show(tables)
    if out is not None:
        command = shlex.join(["boardwright", *sys.argv[1:]])
        parts = ["# Speed of the search", f"Written by `{command}`, never typed."]
        for title, heading, rows in tables:
            parts += [title, markdown_table(heading, rows)]
        parts.append(f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}.")
        write_text(out, "\n\n".join(parts) + "\n")
        typer.echo(f"Wrote {out}.", err=True)


def _tables(versus: list[Versus], first: list[FirstMove], large: LargeTree, games: list[GameTime]) -> Tables:
    from boardwright.cli.terminal import rate

    return [
        (
            "Simulations a second of CPU time (threads: by the clock), contenders in turn in one run; medians over "
            "rounds. OpenSpiel runs the same algorithm with the same exploration. mctx has a network that answers "
            "zeros and plays no rules, ours plays real ones; 64 trees x 64 simulations.",
            ["what", "peer", "ours /s", "theirs /s", "ratio"],
            [[one.what, one.peer, rate(one.ours), rate(one.theirs), f"{one.ratio:.2f}x"] for one in versus],
        ),
        (
            "From a fresh process to the first searched move, by the clock: with an empty cache of kernels, so that "
            "rules and search are compiled, and with a filled one; and what CPU time the compiler takes of it.",
            ["game", "cold", "compiling (CPU time)", "warm", "bytes an edge with its node"],
            [
                [one.game, f"{one.cold:.1f} s", f"{one.compiling:.1f} s", f"{one.warm:.2f} s", str(one.slot)]
                for one in first
            ],
        ),
        (
            "A large tree: the most memory that its process ever held, Python and Numba included.",
            ["game", "nodes", "memory"],
            [[large.game, f"{large.nodes:,}", f"{large.megabytes:,.0f} MB"]],
        ),
        (
            "A game of 80 simulations a move against itself on n x n boards, n in a row. A simulation fills the empty "
            "cells in a playout, and a larger board has more of them and more moves to make: so a simulation's time "
            "grows with the cells, a game's with their square. The last column is what the "
            "report on such games (see docs/reproduce) says of its own program, on its own machine.",
            ["board", "a game", "moves", "a simulation", "the report's program"],
            [
                [
                    f"{one.size} x {one.size}",
                    f"{one.milliseconds:.1f} ms",
                    f"{one.moves:.1f}",
                    f"{one.microseconds:.2f} us",
                    f"{one.reported_milliseconds:,.0f} ms",
                ]
                for one in games
            ],
        ),
    ]


def _show(tables: Tables) -> None:
    from boardwright.cli.terminal import console, figures

    for title, heading, rows in tables:
        console().print(title, markup=False)
        console().print(figures(heading, rows))
