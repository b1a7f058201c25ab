"""The contract: what a game is, how its rules are compiled, and what can be asked of a position."""
