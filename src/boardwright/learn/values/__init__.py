"""Learnt values of afterstates: positions just after a move, before chance answers."""
