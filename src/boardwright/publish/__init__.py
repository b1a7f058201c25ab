"""A game with its player as a folder of static files."""
