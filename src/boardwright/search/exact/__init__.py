"""Exact search: alpha-beta for two players without chance, expectimax for one to four with it."""
