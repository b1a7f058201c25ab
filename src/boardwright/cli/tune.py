"""`boardwright tune`: better settings for a player, found by paired games and confirmed on fresh ones."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import Cluster, GameSpec, hire


def tune(
    game: GameSpec,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who is tuned, such as mcts:simulations=400.")],
    settings: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="What may change: c (about its present value), c=0.1..2 (a range), rule=puct|ucb1 (one of these).",
        ),
    ],
    minutes: Annotated[float, typer.Option(min=0.01, help="How long, in all.")] = 30.0,
    seed: Annotated[int, typer.Option(help="The same seed, the same deals.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the result goes.", show_default="a file of its own")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0: this one.", show_default="one a core")
    ] = None,
    cluster: Cluster = None,
) -> None:
    """Find better settings for a player.

    Candidates meet the player as it is on the same deals; the worse half goes, the others play on. The best is taken
    only if a fresh match shows it stronger. Stopped or killed, the same command goes on.
    """
    from rich import box
    from rich.table import Table

    from boardwright.arena.report import check_writable
    from boardwright.arena.tune import Tuning, rows
    from boardwright.cli.terminal import Ticker, console
    from boardwright.contract.folders import home_folder
    from boardwright.games.load import load
    from boardwright.players import PlayerSpec

    rules = load(game)
    if out is None:
        folder = home_folder() / "tuned"
        folder.mkdir(parents=True, exist_ok=True)
        kind = "".join(letter if letter.isalnum() else "-" for letter in PlayerSpec.parse(player).kind)
        out = (
            folder
            / f"{rules.name}-{kind}-{'-'.join(part.partition('=')[0].strip() for part in settings.split(','))}.json"
        )
    check_writable(out)
    processes = (os.cpu_count() or 1) if workers is None else workers
    tuning = Tuning(rules, player, settings, minutes, seed, out, workers=processes, hire=hire(cluster))
    command = shlex.join(["boardwright", *sys.argv[1:]])
    with Ticker() as tick:
        try:
            result = tuning.run(lambda what, share: tick(f"{100 * share:.0f} %, {what}"))
        except KeyboardInterrupt:
            typer.echo(f"Stopped; finished games are kept. Go on with: {command}", err=True)
            raise typer.Exit(130) from None
    table = Table("settings", "games", "share against it as it is", box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows(result):
        table.add_row(*row)
    screen = console()
    screen.print(table, soft_wrap=False)
    share = result.confirmation
    assert share is not None
    told = f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"
    typer.echo(f"On {result.confirmed_games} fresh games the best of them took {told}.")
    if result.accepted:
        kind = PlayerSpec.parse(player).kind
        typer.echo(f"Written to {out}. Play with it as {kind}:tuned={out}")
    else:
        typer.echo("That does not show it to be stronger: the player stays as it is. More --minutes may tell.")
