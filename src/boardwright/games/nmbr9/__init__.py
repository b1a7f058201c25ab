"""NMBR 9."""
