"""JSON of long lists in which few values differ, as a game's moves, seconds and simulations are: each value is written
once, and its text taken again. The encoder, which writes every one anew, took most of the time of a quick match."""

from __future__ import annotations

import json
from collections.abc import Sequence


def list_as_json(values: Sequence[str] | Sequence[int] | Sequence[float] | Sequence[float | None]) -> str:
    """What `json.dumps(values, allow_nan=False)` writes, for values of one type or None: 1 and 1.0 would be one here.
    So would 0.0 and -0.0, which is why a list with one of these is left to the encoder."""
    distinct = set(values)
    if 4 * len(distinct) > len(values) or any(isinstance(one, float) and one == 0.0 for one in distinct):
        return json.dumps(values, allow_nan=False)
    written = {value: json.dumps(value, allow_nan=False) for value in distinct}
    return f"[{', '.join(map(written.__getitem__, values))}]"
