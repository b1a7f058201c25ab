"""From rules to kernels: what Numba makes of a game, kept on disk, and its failures in an author's words."""
