"""What the report that this program began from says of its own players: 20 games a point, 2s and 4s at 80 to 20.

Its curves are pictures; these are the points that its text gives in figures.
"""

from __future__ import annotations

from dataclasses import dataclass

GAMES = 20  # a point
FOUR = 0.2  # how likely a new tile is a 4; the original game has 0.1


@dataclass(frozen=True)
class Told:
    """One point of a figure."""

    x: float  # the setting that the figure varies
    mean: float  # score
    best: float  # score of the best of its games
    tile: int  # the largest tile that it speaks of
    reached: float  # share of games that reached it


CONSTANT = (Told(20, 3268, 6100, 512, float("nan")),)  # figures 3 and 4
UCT_DEPTH = (Told(6, 3341, 6304, 512, 0.30),)  # figures 5 to 7
# Figures 8 to 10. The text says 512 here; a score of 14,220 is one of 1024, so the 65 % must be of that.
MASB_DEPTH = (Told(10, 10438, 13128, 1024, float("nan")), Told(15, 9781, 14220, 1024, 0.65))
MASB_ROLLOUTS = (Told(300, 11405, 15500, 1024, 0.80),)  # figures 11 to 13
HYBRID = Told(8, 19193, 35196, 2048, 0.35)  # figures 14 and 15: 6 steps of the tree, 200 playouts a leaf, depth 8
SECONDS_300 = 0.011  # a move, MASb with 300 playouts: figure 12
