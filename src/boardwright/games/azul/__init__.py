"""Azul: its rules, and beside them skill, sight, look and card."""

from boardwright.games.azul.card import CARD
from boardwright.games.azul.look import AzulLook
from boardwright.games.azul.move_features import AzulMoveFeatures
from boardwright.games.azul.sight import AzulSight
from boardwright.games.azul.soundness import AzulSoundness


class Azul(AzulMoveFeatures, AzulSight, AzulLook, AzulSoundness):
    """Azul: draft tiles, fill pattern lines and tile your wall; the most points win."""

    _name = "azul"
    card = CARD
