"""JSON of long lists such as a game's moves, seconds and simulations: the encoder, which looks at every value for
itself, took most of the time of a quick match."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

_encode: Callable[[object], str] = json.JSONEncoder(allow_nan=False).encode  # made once: `json.dumps` makes one a call
FEW = 8  # values that are written one by one as quickly


def as_json(value: Any) -> str:
    """What `json.dumps(value, allow_nan=False)` writes."""
    if value is None:
        return "null"
    kind = type(value)
    if kind is int or (kind is float and math.isfinite(value)):
        return repr(value)
    return list_as_json(value) if kind is tuple else _encode(value)


def list_as_json(values: Sequence[str] | Sequence[int] | Sequence[float] | Sequence[float | None]) -> str:
    """The same of values of one type or None."""
    if not values:
        return "[]"
    first = values[0]
    if type(first) is str:
        whole = '", "'.join(cast("Sequence[str]", values))
        plain = whole.isascii() and whole.isprintable() and whole.count('"') == 2 * (len(values) - 1)
        return f'["{whole}"]' if plain and "\\" not in whole else _encode(values)
    if type(first) is not float and cast("Sequence[int | None]", values).count(first) == len(values):
        return f"[{', '.join([as_json(first)] * len(values))}]"
    if type(first) is int:
        return repr(list(values))
    if len(values) < FEW:
        return f"[{', '.join([as_json(value) for value in values])}]"
    # Few of a game's seconds and values differ: each is written once, and its text taken again. 0.0 and -0.0 would be
    # one here, which is why a list with one of these is left to the encoder.
    distinct = set(values)
    if 4 * len(distinct) > len(values) or 0.0 in distinct:
        return _encode(values)
    texts = {value: as_json(value) for value in distinct}
    return f"[{', '.join([texts[value] for value in values])}]"
