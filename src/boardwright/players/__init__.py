"""Players: anything that chooses a move. `player("mcts:simulations=800", game)` makes one from its spec."""

from boardwright.players.player import Player
from boardwright.players.spec import player, player_kinds
from boardwright.search.choice import Choice

__all__ = ["Choice", "Player", "player", "player_kinds"]
