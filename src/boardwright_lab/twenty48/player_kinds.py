"""The methods of the report on 2048 as kinds of players, offered by entry points of the group `boardwright.players`."""

from __future__ import annotations

from boardwright.players.kinds import Kind

MASB = Kind(
    "no tree: each move by the mean of playouts cut at a depth",
    "boardwright_lab.twenty48.players:MasbPlayer",
    "boardwright_lab.twenty48.players:MasbSettings",
)
HYBRID = Kind(
    "a few steps of tree search, many playouts cut at a depth at each leaf",
    "boardwright_lab.twenty48.players:hybrid_player",
    "boardwright_lab.twenty48.players:HybridSettings",
)
