"""The `boardwright` command: one file a sub-command, each importing what it needs only when it runs."""
