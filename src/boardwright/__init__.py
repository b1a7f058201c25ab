"""Boardwright turns the rules of a board game, written in plain Python, into a strong player."""

from __future__ import annotations

from boardwright.contract.check import Report, check_game
from boardwright.contract.errors import BoardwrightError, InputError, RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.load import load
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players import Choice, Player, player

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "BoardwrightError",
    "Choice",
    "Game",
    "InputError",
    "Player",
    "Position",
    "Random",
    "Report",
    "RuleError",
    "__version__",
    "check_game",
    "load",
    "player",
]
