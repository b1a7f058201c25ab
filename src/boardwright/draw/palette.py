"""Colours and letters of drawn trees: the same in the picture and on the page."""

from __future__ import annotations

PLAYERS = ("#c24d3a", "#2d6a9a", "#3f7f4c", "#94651a", "#7a559f", "#2f7f7b")  # white writing is legible on each
DRAWS = "#77708f"
PROVEN = {"won": "#2f7d46", "lost": "#a8402f", "drawn": "#6d675c", "exact": "#6d675c"}
PAPER, CARD, LINE, INK, FAINT = "#faf8f3", "#ffffff", "#ddd6c8", "#33302b", "#7d766a"
SANS = "Avenir Next, Segoe UI, Helvetica Neue, DejaVu Sans, Helvetica, Arial, sans-serif"


def colour_of(chooser: int) -> str:
    """The colour of a player's moves, or of draws."""
    return PLAYERS[chooser % len(PLAYERS)] if chooser >= 0 else DRAWS
