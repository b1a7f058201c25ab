"""Settings out of a file that `boardwright tune` wrote: `mcts:tuned=FILE,seconds=1`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.folders import expanded
from boardwright.contract.game import Game
from boardwright.contract.position import shorten
from boardwright.players.spec import PlayerSpec

NAME, FORMAT = "tuned", 1
LARGEST = 1 << 20  # bytes of such a file


def with_tuned(spec: PlayerSpec, game: Game) -> PlayerSpec:
    """The spec with the file's settings in the place of its name; what the spec says itself counts more."""
    if NAME not in spec.settings:
        return spec
    found = read_tuned(expanded(spec.settings[NAME]))
    if found["game"] != game.name:
        raise InputError(f"{spec.settings[NAME]} was tuned for {found['game']}, not for {game.name}")
    kind = PlayerSpec.parse(found["player"]).kind
    if kind != spec.kind:
        raise InputError(f"{spec.settings[NAME]} was tuned for {kind}, not for {spec.kind}")
    own = {name: value for name, value in spec.settings.items() if name != NAME}
    return PlayerSpec(spec.kind, {**found["settings"], **own})


def read_tuned(path: Path) -> dict[str, Any]:
    """What such a file says; refused if it is none."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is no file of boardwright tune: it is too large")
        found = json.loads(path.read_text("utf-8"))
        if found["boardwright_tuned"] != FORMAT:
            raise InputError(f"{path} is of format {found['boardwright_tuned']!r}, this Boardwright reads {FORMAT}")
        texts = [found["game"], found["player"], *found["settings"], *found["settings"].values()]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a text was expected")
    except OSError as error:
        raise InputError(f"cannot read {shorten(str(path), 300)}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is no file of boardwright tune ({type(error).__name__}: {error})") from None
    whole: dict[str, Any] = found
    return whole
