"""NMBR 9: its rules, and beside them skill, sight, look and card."""

from boardwright.games.nmbr9.card import CARD
from boardwright.games.nmbr9.features import Features
from boardwright.games.nmbr9.look import Nmbr9Look
from boardwright.games.nmbr9.sight import Nmbr9Sight
from boardwright.games.nmbr9.skill import Nmbr9Skill
from boardwright.games.nmbr9.soundness import Nmbr9Soundness


class Nmbr9(Nmbr9Skill, Nmbr9Sight, Features, Nmbr9Look, Nmbr9Soundness):
    """NMBR 9: stack number tiles; a tile scores its number times its level."""

    _name = "nmbr9"
    card = CARD
