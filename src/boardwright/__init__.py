"""Boardwright turns the rules of a board game, written in plain Python, into a strong player."""

from __future__ import annotations

from boardwright.contract.errors import BoardwrightError, InputError, RuleError
from boardwright.contract.game import CHANCE, OVER, Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random

__version__ = "0.1.0"
__all__ = ["CHANCE", "OVER", "BoardwrightError", "Game", "InputError", "Position", "Random", "RuleError", "__version__"]
