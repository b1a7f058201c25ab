"""Tic-tac-toe, Gomoku and their family: the rules, and beside them skill, sight, look and cards."""

from boardwright.games.in_a_row.card import FAMILY, GOMOKU, TIC_TAC_TOE
from boardwright.games.in_a_row.look import LineLook
from boardwright.games.in_a_row.move_features import LineMoveFeatures
from boardwright.games.in_a_row.nearby import NearStones
from boardwright.games.in_a_row.sight import LineSight
from boardwright.games.in_a_row.skill import LineSkill
from boardwright.games.in_a_row.soundness import LineSoundness
from boardwright.games.in_a_row.threats import ContinuousFours
from boardwright.games.in_a_row.windows import Prospects, Windows


class LineGame(LineSkill, LineSight, Windows, LineLook, LineSoundness):
    """Stones in a row on any board: what tic-tac-toe and Gomoku share."""

    card = FAMILY


class TicTacToe(LineGame):
    """Tic-tac-toe on any board: the first line of three, or as many as you like, wins."""

    _name = "tictactoe"
    size: int = 3
    rows: int = 0
    line: int = 3

    card = TIC_TAC_TOE


class Gomoku(ContinuousFours, Prospects, LineMoveFeatures, NearStones, LineGame):
    """Gomoku: five in a row on a board of 15 lines; six or more count too, unless exactly five is asked for."""

    _name = "gomoku"
    size: int = 15
    rows: int = 0
    line: int = 5
    exactly: bool = False

    smallest = 5
    move_help = "a move is a column letter and a row number from the bottom, such as h8"
    picture = "wood"
    card = GOMOKU
