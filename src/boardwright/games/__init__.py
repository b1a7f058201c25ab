"""The built-in games, one file each."""
