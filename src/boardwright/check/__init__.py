"""What stands behind `check_game`: whether a game keeps the promises of the contract."""

from boardwright.check.check import Report, check_game

__all__ = ["Report", "check_game"]
