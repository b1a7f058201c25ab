"""What a designer must know about a game, from its rules alone: see docs/playtest.md."""

from boardwright.playtesting.run import Playtest, playtest

__all__ = ["Playtest", "playtest"]
