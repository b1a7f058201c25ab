"""The built-in games, a folder each (built_in.py lists them), and how any game is found by its name (load.py)."""
