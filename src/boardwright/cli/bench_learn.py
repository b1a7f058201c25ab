"""`boardwright bench learn` and `bench openings`: how fast and how well the kernel learns. `bench selfplay` and `bench
switches`: what learning by self-play costs, and what its parts are worth."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardwright.contract.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boardwright.bench.openings import Kept

FIGURES = ("speed", "error", "openings")


def learn(
    figures: Annotated[
        list[str] | None,
        typer.Argument(metavar="FIGURE", help=f"What to measure: {', '.join(FIGURES)}; all of them if none."),
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0.001, help="How long to train for error and openings, without --value or --player.")
    ] = 0.25,
    value: Annotated[
        str | None, typer.Option(metavar="RUN", help="error: a run or model of the Royal Game of Ur.")
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="SPEC", help="openings: who plays them, such as mcts:value=RUN,seconds=0.1.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="speed: rounds of each training.")] = 4,
    turns: Annotated[int, typer.Option(min=1, help="speed: trainings with one thread and with two, in turn.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="speed: games of a round.")] = 400,
    pieces: Annotated[int, typer.Option(min=1, max=7, help="error: pieces of each side.")] = 7,
    left: Annotated[int, typer.Option(min=1, max=3, help="error: pieces of each side still to come home.")] = 3,
    sample: Annotated[int, typer.Option(min=0, help="error: positions for each number of pieces; 0: all.")] = 20_000,
    decisions: Annotated[
        bool,
        typer.Option(
            "--decisions",
            help="error: only of positions where somebody moves, not of those before the dice; always so of a network "
            "of self-play, which values no others.",
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="openings: no more than so many.")] = 30,
    seed: Annotated[int, typer.Option(help="Of the trainings and the sample.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """How fast a value is learnt inside the kernel, how far it is from exact values, and whether it keeps what is won.

    Short by default. The error is that of a value for the Royal Game of Ur (`--minutes 5`); the openings are connect
    four's, 30 whose exact value is known (`--minutes 15`), each against perfect replies.
    """
    from boardwright.cli.terminal import Ticker

    wanted = figures or list(FIGURES)
    for one in wanted:
        if one not in FIGURES:
            raise InputError(f"bench learn: no figure {one!r}; there are {', '.join(FIGURES)}")
    told: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place, Ticker() as tick:
        for one in wanted:
            if one == "speed":
                told[one] = _speed(rounds, turns, games, tick, as_json)
            elif one == "error":
                terms = (pieces, left, sample, seed, decisions)
                told[one] = _error(value, Path(place) / one, minutes, terms, tick, as_json)
            else:
                told[one] = _kept(player, Path(place) / one, minutes, (limit, seed), tick, as_json)
    if as_json:
        typer.echo(json.dumps(told, indent=2))


def _speed(rounds: int, turns: int, games: int, tick: Callable[[str], None], as_json: bool) -> Any:
    from boardwright.bench.learning import measure_pace, paced_games
    from boardwright.cli.terminal import console, figures, rate

    found = measure_pace(paced_games(), rounds, turns, tick, games=games)
    if not as_json:
        rows = [(one.what, rate(one.games), rate(one.looks), f"{one.ratio:.2f}x") for one in found]
        console().print(figures(("speed", "games/s", "looks/s", "two threads"), rows))
        console().print(
            f"In a CPU second of one thread, 128 hidden units, medians of {turns} trainings; games with fitting, looks "
            "while playing.\nTwo threads: their games by those of one, by the clock, in turn.",
            markup=False,
        )
    return [one.to_dict() for one in found]


def _error(
    value: str | None,
    folder: Path,
    minutes: float,
    terms: tuple[int, int, int, int, bool],
    tick: Callable[[str], None],
    as_json: bool,
) -> Any:
    from boardwright.bench.examples import race
    from boardwright.bench.learning import SolvedRace, is_network, trained
    from boardwright.cli.terminal import console, figures
    from boardwright.games.load import load

    pieces, left, sample, seed, decisions = terms
    if value is None:
        tick(f"training for {minutes:g} minutes")
        value = str(trained(load(race(pieces)), folder, minutes, seed))
    decisions = decisions or is_network(value)
    found = SolvedRace(left, pieces, tick).misses(value, sample, seed, decisions=decisions)
    if not as_json:
        rows = [
            (one.left, f"{one.positions:,}", f"{one.chance:.4f}", f"{one.result:.4f}", f"{one.known:.3f}")
            for one in found
        ]
        heading = ("pieces left", "positions", "error of the chance to win", "of the result", "result, taken for even")
        console().print(figures(heading, rows))
        where = "after" if decisions else "before and after"
        console().print(f"Mean absolute error against exact values, of positions {where} the dice.", markup=False)
    return [one.to_dict() for one in found]


def _kept(
    player: str | None, folder: Path, minutes: float, terms: tuple[int, int], tick: Callable[[str], None], as_json: bool
) -> Any:
    from boardwright.bench.examples import with_openings
    from boardwright.bench.learning import trained
    from boardwright.bench.openings import measure_openings, read_openings
    from boardwright.games.load import load
    from boardwright.learn.model_players import timed_spec
    from boardwright.learn.shipped import VALUE

    limit, seed = terms
    spec, truth, path = with_openings()
    game = load(spec)
    openings = read_openings(path, game)[:limit]
    if player is None:
        tick(f"training for {minutes:g} minutes")
        player = str(timed_spec(VALUE, trained(game, folder, minutes, seed), game, 0.1))
    found = measure_openings(game, load(truth), player, openings, tick)
    if not as_json:
        _show_kept({player: found})
    return {"player": player, "kept": [one.to_dict() for one in found]}


def _show_kept(found: dict[str, list[Kept]]) -> None:
    from boardwright.cli.terminal import console, figures

    def of(kept: Sequence[Kept], worth: str) -> str:
        some = [one for one in kept if one.opening.worth == worth]
        return f"{sum(not one.lost for one in some)} of {len(some)}"

    rows = [(spec, of(kept, "win"), of(kept, "draw")) for spec, kept in found.items()]
    console().print(figures(("player", "wins kept", "draws kept"), rows))
    for spec, kept in found.items():
        for one in kept:
            if one.lost:
                console().print(f"{spec} gave away {one.opening}: {one.lost}", markup=False)
        console().print(f"{spec}: kept {sum(not one.lost for one in kept)} of {len(kept)}", markup=False)


def openings(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Specs, such as mcts:seconds=0.1.")],
    game: Annotated[
        str | None, typer.Option(help="A game for two without chance; goes with --file.", show_default="connect four")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Openings: a line each, the moves and then win or draw.", show_default="its 30")
    ] = None,
    truth: Annotated[
        str | None, typer.Option(help="The game as the solver plays it.", show_default="with a policy for it")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="No more openings than so many.")] = 1000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Whether players keep the wins and draws of openings whose exact value is known, against perfect replies.

    The solver checks every move of the player; the first that gives the value away ends the opening.
    """
    from boardwright.bench.examples import with_openings
    from boardwright.bench.openings import measure_openings, read_openings
    from boardwright.cli.terminal import Ticker
    from boardwright.games.load import load

    if (game is None) != (file is None):
        raise InputError("bench openings: --game and --file go together")
    if game is None or file is None:
        game, usual, file = with_openings()
        truth = truth or usual
    loaded = load(game)
    known = read_openings(file, loaded)[:limit]
    with Ticker() as tick:
        found = {spec: measure_openings(loaded, load(truth or game), spec, known, tick) for spec in players}
    if as_json:
        typer.echo(json.dumps({spec: [one.to_dict() for one in kept] for spec, kept in found.items()}, indent=2))
        return
    _show_kept(found)


def selfplay(
    rounds: Annotated[int, typer.Option(min=1, help="In how many rounds; figures are medians over them.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What self-play costs end to end, trees and rules included, against the bare network on the same core."""
    from boardwright.bench.selfplay import measure_selfplay
    from boardwright.cli.terminal import Ticker, console, figures, rate

    with Ticker() as tick:
        found = measure_selfplay(rounds, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    rows = [(one.what, rate(one.end_to_end), rate(one.bare), f"{100 * one.share:.0f} %") for one in found]
    console().print(figures(("network", "self-play /s", "bare network /s", "share"), rows))
    console().print(f"Positions a CPU second of one core; medians over {rounds} rounds in turn.", markup=False)


def switches(
    game: Annotated[
        str | None, typer.Argument(help="The game to learn.", show_default="tic-tac-toe on 5x5, four in a row")
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Of each training.")] = 40,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings with each switch off.")] = 2,
    games: Annotated[int, typer.Option(min=2, help="Between two networks.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What each switch of self-play is worth: trainings with it off meet the same training with all on."""
    from boardwright.bench.cases import first_case
    from boardwright.bench.switches import measure_switches
    from boardwright.cli.terminal import Ticker, console, figures

    with Ticker() as tick:
        found = measure_switches(game or first_case("switches"), iterations, seeds, games, tick)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found], indent=2))
        return
    rows = [
        (one.switch, f"{100 * one.share:.1f} %", f"{100 * one.low:.0f} to {100 * one.high:.0f} %", str(one.games))
        for one in found
    ]
    console().print(figures(("switch", "share with it on", "95 % interval", "games"), rows))
    console().print("Against the same training with that switch off; above 50 %: it helps.", markup=False)
