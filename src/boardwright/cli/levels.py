"""`boardwright levels`: opponents of measured strength for any game."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.cli.options import AsJson, GameSpec

if TYPE_CHECKING:
    from boardwright.arena.levels import Levels


def levels(
    game: GameSpec,
    minutes: Annotated[
        float, typer.Option(min=0.0, max=100_000.0, help="How long to play at most; 0: what was played before counts.")
    ] = 5.0,
    seed: Annotated[int, typer.Option(help="The same seed, the same draws, openings and players' luck.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0: this one.", show_default="one a core")
    ] = None,
    card: Annotated[
        bool, typer.Option("--card", help="Of a built-in game: write them beside its card, for everybody.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure opponents for a game: Beginner, Easy, Medium, ... each 150 Elo stronger than the one before.

    Random play is 0. Players meet where their ratings are least sure; the page and `play --seat Medium` then offer the
    levels. Stopped or killed, the same command goes on; with more minutes the levels become surer.
    """
    from boardwright.arena.ladder import Ladder, Standing
    from boardwright.arena.levels import Levels, card_file, own_file, write_levels
    from boardwright.arena.summary import duration
    from boardwright.cli.terminal import Ticker, say
    from boardwright.contract.errors import InputError
    from boardwright.games.load import load
    from boardwright.learn.level_candidates import candidates
    from boardwright.players import player

    rules = load(game)
    path = card_file(rules) if card else own_file(rules, str(rules.digest))
    if path is None:
        raise InputError(f"{rules.name}: --card is for games that come with Boardwright; leave it out")
    command = shlex.join(["boardwright", *sys.argv[1:]])
    ladder = Ladder(rules, candidates(rules, say), seed)
    had = ladder.recall()
    count = (os.cpu_count() or 1) if workers is None else workers
    left = max(60.0 * minutes - ladder.thought / max(count, 1), 0.0)
    if had:
        say(f"The library has {had} games of this ladder already; {duration(left)} are left of {minutes:g} minutes.")
    with Ticker() as tick:
        if left:
            tick("Preparing: the search is compiled, once ...")  # before the clock runs, and once for all processes
            player("mcts:simulations=2", rules).choose(rules.begin())

        def show(standing: Standing) -> None:
            unsure = f"least sure: {standing.unsure}, ± {standing.error:.0f} Elo"
            tick(f"{standing.games} games, at most {duration(standing.seconds)} left; {unsure}")

        try:
            ladder.run(left, count, show)
        except KeyboardInterrupt:
            say(f"Stopped with {len(ladder.outcomes)} games; they are kept. Go on with: {command}")
            raise typer.Exit(130) from None
    rated = ladder.rated()
    if not rated:
        raise InputError(
            f"{rules}: {len(ladder.outcomes)} games do not tell how far anybody is above random; give it more time: "
            f"--minutes {max(2 * minutes, 1):g}"
        )
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    found = Levels(rules.name, rules.options, str(rules.digest), day, command, len(ladder.outcomes), tuple(rated))
    write_levels(found, path)
    if as_json:
        typer.echo(found.to_json())
        return
    from boardwright.games.named import game_argument

    _show(found, game_argument(rules))


def _show(found: Levels, source: str) -> None:
    from boardwright.arena.levels import STEP, SURE_SHARE, SUREST
    from boardwright.cli.terminal import console, figures

    names = {one.spec: one.name for one in found.levels}
    rows = [
        (
            names.get(one.spec, ""),
            one.spec,
            f"{one.elo:.0f}",
            f"{one.low:.0f} to {one.high:.0f}",
            str(one.games),
            f"{1000 * one.seconds:.3g}",
        )
        for one in found.players
    ]
    out = console()
    table = figures(("level", "player", "Elo", "95 %", "games", "ms a move"), rows, words=2)
    out.print(table, soft_wrap=False)
    out.print(f"{found.games} games. Elo is counted from random play; levels are 150 apart.", markup=False)
    best = found.players[-1]
    if not all(one.is_sure for one in found.players):
        share = f"{100 * SURE_SHARE:.0f} % of its rating"
        wide = f"Whose interval is wider than {SUREST:.0f} Elo either way, and than {share}, is no level yet"
        out.print(f"{wide}: more --minutes make it surer.", markup=False)
    elif best.elo < STEP / 2:
        said = f"{best.spec}, the strongest, is {best.elo:.0f} above random, and so there are no levels."
        out.print(f"Skill hardly shows in this game: {said}", markup=False)
    elif best.elo < 3 * STEP:
        out.print("Skill counts for little in this game: there are few levels.", markup=False)
    if not found.levels:
        return
    top = found.levels[-1].name
    out.print(f"Next: boardwright play {source} --seat human --seat {shlex.quote(top)}", markup=False)
