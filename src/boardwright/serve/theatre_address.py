"""The address of a search theatre, as web/theatre/state.js reads it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import join_settings
from boardwright.games.named import unusual_options
from boardwright.players import PlayerSpec
from boardwright.serve.limits import Limits
from boardwright.serve.theatre import MOST_DEPTH, MOST_SEED, MOST_TOP, theatre_search, theatre_settings


def theatre_address(
    game: Game, moves: Sequence[str], player: str, seed: int, top: int | None = None, depth: int | None = None
) -> str:
    """What follows the server's address: `#/theatre/GAME?moves=...`. A player that the theatre cannot show is refused.
    top, depth: how much of the tree is shown, None as usual."""
    spec, limits = PlayerSpec.parse(player), Limits()
    if spec.kind != "mcts":
        raise InputError(f"the theatre shows mcts, not {spec.kind}; name a file with --out to draw that tree")
    given = dict(spec.settings)
    if given.pop("seed", str(seed)) != str(seed):
        raise InputError(f"player {player}: in the theatre one seed fixes draws and search; leave it to --seed")
    simulations = given.pop("simulations", "")
    most = limits.theatre_simulations
    if simulations and not (simulations.isascii() and simulations.isdigit() and 1 <= int(simulations) <= most):
        raise InputError(f"player {player}: the theatre shows 1 to {most:,} simulations")
    for name, value, least, largest in (("top", top, 1, MOST_TOP), ("depth", depth, 1, MOST_DEPTH)):
        if value is not None and not least <= value <= largest:
            raise InputError(f"--{name} {value}: the theatre shows {least} to {largest}; a picture (--out) more")
    if not 0 <= seed <= MOST_SEED:
        raise InputError(f"--seed {seed}: in the theatre it is a whole number from 0 to {MOST_SEED:,}")
    theatre_search(game, theatre_settings(given, 1, seed, limits.theatre_megabytes))
    asked = {"moves": " ".join(moves), "seed": seed or "", "simulations": simulations, "children": top, "levels": depth}
    query = urlencode({name: value for name, value in {**asked, **given}.items() if value})
    return f"#/theatre/{_named(game)}{'?' if query else ''}{query}"


def _named(game: Game) -> str:
    """The game as on the command line, without the options that are as usual."""
    other = {name: str(value) for name, value in unusual_options(game).items()}
    return quote(f"{game.name}:{join_settings(other)}" if other else game.name, safe=":=,")
