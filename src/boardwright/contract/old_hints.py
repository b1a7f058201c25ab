"""For one version: hints for the search as attributes of a game's class, where its card has them now."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from boardwright.contract.card import SearchHints

OLD_HINTS = ("playout", "forcing", "advice", "own_search")


class OldHint:
    """Reads from the card what was an attribute of the game."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, game: Any, kind: Any) -> Any:
        warnings.warn(f"game.{self._name} is now game.card.search.{self._name}", DeprecationWarning, stacklevel=2)
        return getattr(kind.card.search, self._name)


def take_over(kind: Any, base: type) -> None:
    """Put onto the card what a new class derived from `base`, or one mixed into it, still says as attributes."""
    found: dict[str, Any] = {}
    for ancestor in reversed(kind.__mro__):
        if ancestor is kind or not issubclass(ancestor, base):  # other games' were taken over when they were made
            found.update({name: vars(ancestor)[name] for name in OLD_HINTS if name in vars(ancestor)})
    if not found:
        return
    hints: SearchHints = replace(kind.card.search, **found)
    kind.card = replace(kind.card, search=hints)
    given = ", ".join(f"{name}={value!r}" for name, value in found.items())
    warnings.warn(
        f"{kind.__name__}: write card = bw.Card(search=bw.SearchHints({given})) instead of {', '.join(found)}",
        DeprecationWarning,
        stacklevel=3,
    )
