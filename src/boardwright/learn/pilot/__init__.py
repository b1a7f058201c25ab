"""The pilot: what a training looks like after two minutes, in figures, and what to try if it looks bad."""
