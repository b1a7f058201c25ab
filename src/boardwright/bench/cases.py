"""What is measured: the cases that the built-in games' cards name for each benchmark."""

from __future__ import annotations

from typing import Any

from boardwright.games.built_in import built_in_kinds


def cases(benchmark: str) -> dict[str, Any]:
    """The cases of a benchmark over all built-in games: a game's spec -> what the benchmark needs to know of it."""
    found: dict[str, Any] = {}
    for kind in built_in_kinds().values():
        found.update(kind.card.benchmarks.get(benchmark, {}))
    return found


def first_case(benchmark: str) -> str:
    """The spec of the first of them."""
    return next(iter(cases(benchmark)))
