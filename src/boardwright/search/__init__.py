"""Search: one engine over flat arrays, a file per idea."""
