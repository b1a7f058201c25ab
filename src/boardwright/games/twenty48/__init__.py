"""2048: its rules, and beside them skill, sight, look and card; and what is its own: bitboards, their search, their
learner."""

from boardwright.games.twenty48.card import CARD
from boardwright.games.twenty48.look import SlidingLook
from boardwright.games.twenty48.sight import SlidingSight
from boardwright.games.twenty48.skill import SlidingSkill
from boardwright.games.twenty48.soundness import SlidingSoundness


class TwentyFortyEight(SlidingSkill, SlidingSight, SlidingLook, SlidingSoundness):
    """2048: slide the tiles of a square board, merge equal ones, score what you merge."""

    _name = "2048"
    card = CARD
