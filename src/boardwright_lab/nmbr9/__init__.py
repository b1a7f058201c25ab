"""NMBR 9: the report's tree search with three policies and its actor-critic SAM, beside what works."""

from boardwright_lab.nmbr9.program import reproduce

__all__ = ["reproduce"]
