"""Players: anything that chooses a move. `player("mcts:simulations=800", game)` makes one from its spec."""

from boardwright.players.control import Control, Progress
from boardwright.players.kinds import Kind, player, player_kinds, seeded
from boardwright.players.player import Player
from boardwright.players.spec import PlayerSpec
from boardwright.search.choice import Choice

__all__ = ["Choice", "Control", "Kind", "Player", "PlayerSpec", "Progress", "player", "player_kinds", "seeded"]
