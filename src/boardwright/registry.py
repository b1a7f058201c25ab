"""What a layer offers by name to those that may not import it (docs/architecture.md has the layers).

The package itself fills it (`boardwright/__init__.py`); an installed package adds to it by entry points of the group
`boardwright.GROUP`. A place is written `module:attribute` and imported when it is first asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

_own: dict[str, dict[str, str]] = {}


def offer(group: str, places: dict[str, str]) -> None:
    """Offer these, name -> place, in a group."""
    _own.setdefault(group, {}).update(places)


def offered(group: str) -> dict[str, str]:
    """Everything in a group, name -> place: our own first, then what installed packages bring."""
    own = _own.get(group, {})
    return {**own, **{name: place for name, place in _installed(group).items() if name not in own}}


def place_of(group: str, name: str) -> str | None:
    """Where a name of a group lives. Other packages are looked through only if it is none of ours."""
    own = _own.get(group, {})
    return own[name] if name in own else _installed(group).get(name)


def find(group: str, name: str) -> Any:
    """What a group offers under a name, imported; None if nothing."""
    place = place_of(group, name)
    return None if place is None else at(place)


def at(place: str) -> Any:
    """What lives at `module:attribute`, or the module itself at `module`."""
    module, _, attribute = place.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


@cache
def _installed(group: str) -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group=f"boardwright.{group}")}
