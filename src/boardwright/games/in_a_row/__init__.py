"""Tic-tac-toe, Gomoku and their family."""
