"""How each built-in game looks: one file a game, one function `draw(game, s)` that returns an SVG document."""
