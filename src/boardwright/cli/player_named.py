"""Who a player is that somebody named on the command line: a measured level such as Medium, or a spec."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardwright.contract.game import Game


def player_named(text: str, game: Game) -> str:
    """The spec behind a name. One that is neither a level's nor a player's is refused with the levels, and with the one
    that was meant."""
    from boardwright.arena.levels import level_named, levels_of
    from boardwright.contract.errors import InputError
    from boardwright.games.named import game_argument
    from boardwright.players import PlayerSpec
    from boardwright.players.kinds import kind_of

    level = level_named(text, game)
    if level is not None:
        return level.spec
    try:
        kind_of(PlayerSpec.parse(text), game)
    except InputError as error:
        names = {one.name.casefold(): one.name for one in levels_of(game)}
        close = get_close_matches(text.strip().casefold(), names, n=1)
        if close:
            raise InputError(
                f"{game.name}: no player {text.strip()!r}; did you mean {names[close[0]]}? "
                f"Its levels are {', '.join(names.values())}; its players: boardwright games {game_argument(game)}"
            ) from None
        if names:
            raise InputError(f"{error}; its levels are {', '.join(names.values())}") from None
        raise
    return text
