"""What the network sees of a state, and whose view it is: the game's own features, or its record's fields, one-hot.
A move it sees as the game's `move_features` tell, else as its number.

From whose side an afterstate or a chance position is seen the game says by `viewer`, or it is found: a field that
equals the player to act (or, counted modulo the players, does) in every position of random games names the viewer, also
where chance is about to draw. Without such a field the player to act views where there is no chance, and in what
the game's own features say, since these are told from his side; else seat 0 does, and who acts is a feature.

Derived from the record: fields with a row a player are turned so that the viewer comes first, fields that hold a seat
(0 to n-1), or nobody and a seat (0 to n), are counted from the viewer; each small whole number is one feature a value,
the commonest value none, since the bias speaks for it; a wide number is itself, scaled, and one of 16 steps.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import InputError
from boardwright.contract.game import CHANCE, Game
from boardwright.learn.sampling import random_positions
from boardwright.search.evaluator import Evaluator

MOST_VALUES = 32  # of a whole number that becomes one feature a value
STEPS = 16  # of a wider one
SAMPLED_GAMES, LONGEST = 400, 2000  # random games that are looked at, and moves and draws of one
MOST_FEATURES = 200_000


class Sight(Evaluator):
    """The view of one game inside kernels. `plan` is JSON: how the viewer is found and what each field becomes."""

    plan: str

    def rules(self) -> tuple[str, ...]:
        return "seat", "see", "see_move"

    def seat(self, game: Any, s: Any) -> Any:
        """From whose side `s` is seen; made by the plan."""
        raise NotImplementedError

    def see(self, game: Any, s: Any, indices: Any, values: Any) -> Any:
        """Write the numbers of the features that `s` has and how much of each; returns how many. Made by the plan."""
        raise NotImplementedError

    def see_move(self, game: Any, s: Any, move: Any, indices: Any) -> Any:
        """Write the numbers of the features that `move` has in `s`; returns how many. Made by the plan."""
        raise NotImplementedError

    @cached_property
    def parsed(self) -> dict[str, Any]:
        """The plan as a mapping."""
        read: dict[str, Any] = json.loads(self.plan)
        return read

    @property
    def count(self) -> int:
        """How many features there are."""
        return int(self.parsed["count"])

    @property
    def most(self) -> int:
        """How many one state has at most."""
        return int(self.parsed["most"])

    @property
    def move_count(self) -> int:
        """How many features of moves there are; 0: a move is its number."""
        return int(self.parsed["moves"]["count"]) if "moves" in self.parsed else 0

    @property
    def move_most(self) -> int:
        """How many a move has at most."""
        return int(self.parsed["moves"]["most"]) if "moves" in self.parsed else 1

    def made_methods(self) -> dict[str, FunctionType]:
        scope: dict[str, Any] = {"__name__": __name__, "np": np, "max": max, "min": min}
        exec(_source(self.parsed), scope)  # noqa: S102 - our own text; a plan's names are checked against the record's
        return {name: scope[name] for name in ("seat", "see", "see_move")}


def plan_for(game: Game) -> str:
    """The plan of a game's view: its own features where it writes some, else those of its fields."""
    own, alone = bool(game.features_count), game.players == 1
    plan: dict[str, Any] = {"players": int(game.players), "viewer": {}, "own": own, **_move_sizes(game)}
    if own and alone:
        return json.dumps({**plan, **_own_sizes(game), "fields": []})
    states, actors, _ = random_positions(game, SAMPLED_GAMES, LONGEST, draws_too=True)
    plan["viewer"] = _viewer(game, states, actors)
    if own:
        plan |= {"fields": [], **_own_sizes(game)}
    else:
        plan |= _fields(game, states, plan["viewer"])
    if plan["count"] > MOST_FEATURES:
        raise InputError(
            f"{game.name}: its fields make {plan['count']:,} features (at most {MOST_FEATURES:,}); write features()"
        )
    return json.dumps(plan, sort_keys=True)


def check_plan(game: Game, plan: str) -> None:
    """Refuse a plan out of a file that does not fit the game's record."""
    try:
        sight = Sight(plan=plan)
        names = {field["name"]: list(field["shape"]) for field in sight.parsed["fields"]}
        viewer = sight.parsed["viewer"]
        fits = sight.parsed["players"] == game.players and bool(sight.parsed["own"]) == bool(game.features_count)
        fits = fits and all(
            name in (game.state_dtype.names or ()) and list(game.state_dtype[name].shape) == shape
            for name, shape in names.items()
        )
        moves = {"moves": sight.parsed["moves"]} if "moves" in sight.parsed else {}
        fits = fits and moves in ({}, _move_sizes(game))
        fits = fits and viewer.get("field", "") in ("", *(game.state_dtype.names or ()))
        if sight.parsed["own"]:  # other numbers of features would be read from beyond the rows
            fits = fits and _own_sizes(game).items() <= sight.parsed.items()
        _source(sight.parsed)
    except (ValueError, KeyError, TypeError):
        fits = False
    if not fits:
        raise InputError(f"the model was made for other fields or features than {game.name} has now; train it again")


# The plan


def _own_sizes(game: Game) -> dict[str, int]:
    """How many features a game's own view has, and one state at most: of several players, a feature more a seat, from
    `base` on, and one where chance acts."""
    count, most = int(game.features_count), int(game.features_most)
    if game.players == 1:
        return {"count": count, "most": most}
    return {"count": count + game.players + 1, "most": most + 2, "base": count}


def _move_sizes(game: Game) -> dict[str, dict[str, int]]:
    """How many features of moves a game tells, and one move at most; nothing where a move is its number."""
    if not game.writes("move_features"):
        return {}
    return {"moves": {"count": int(game.move_features_count), "most": int(game.move_features_most)}}


def _viewer(game: Game, states: npt.NDArray[np.void], actors: npt.NDArray[np.int8]) -> dict[str, Any]:
    """Which field names the player to act, and whether modulo the players; that he himself is the viewer; or nothing:
    seat 0 views."""
    players = game.players
    decided = actors >= 0
    mover = {"mover": True} if not game.outcomes or game.features_count else {}
    if players > 1 and game.writes("viewer"):
        return {"rule": True}
    if players == 1:
        return {}
    if len(np.unique(actors[decided])) < players:
        return mover
    for modulo in (False, True):
        for name in game.state_dtype.names or ():
            kind = game.state_dtype[name]
            if kind.shape or kind.kind not in "iu":
                continue
            numbers = states[name].astype(np.int64)
            if modulo:
                numbers %= players
            elif numbers.min() < 0 or numbers.max() >= players:
                continue  # at a chance position it would name nobody
            if np.array_equal(numbers[decided], actors[decided]):
                return {"field": name, "modulo": modulo}
    return mover


def _fields(game: Game, states: npt.NDArray[np.void], viewer: Mapping[str, Any]) -> dict[str, Any]:
    """What each field becomes, and how many features that makes."""
    players, fields = game.players, []
    count = players + 2  # who looks, or who acts: a player, CHANCE or OVER
    most = 1
    for name in game.state_dtype.names or ():
        kind = game.state_dtype[name]
        numbers = states[name].astype(np.float64)
        low, high = float(numbers.min()), float(numbers.max())
        if low == high or (viewer and name == viewer.get("field") and not viewer["modulo"]):
            continue
        whole = kind.base.kind in "iub"
        width = int(high - low) + 1 if whole and high - low < MOST_VALUES else 0
        values, often = np.unique(numbers, return_counts=True)
        rows = bool(viewer) and len(kind.shape) > 0 and kind.shape[0] == players
        owner = -1
        if viewer and not rows and whole and width:
            owner = 0 if (low, high) == (0, players - 1) and kind.shape else 1 if (low, high) == (0, players) else -1
        size = math.prod(kind.shape)
        fields.append(
            {
                "name": name,
                "shape": list(kind.shape),
                "base": count,
                "low": low,
                "high": high,
                "width": width,
                "common": int(values[often.argmax()]),
                "rows": rows,
                "owner": owner,
            }
        )
        count += size * (width or 1 + STEPS)
        most += size * (1 if width else 2)
    return {"fields": fields, "count": count, "most": most}


# The methods of a plan, as text: only fields that are named in it can be read without looking anything up.


def _source(plan: Mapping[str, Any]) -> str:
    lines = ["def see_move(self, game, s, move, indices):"]
    if "moves" in plan:
        lines.append("    return np.int64(game.move_features(s, move, indices))")
    else:
        lines += ["    indices[0] = move", "    return np.int64(1)"]
    lines += ["", "", "def seat(self, game, s):"]
    viewer, players = plan["viewer"], int(plan["players"])
    if "rule" in viewer:
        lines.append("    return np.int64(game.viewer(s))")
    elif "mover" in viewer:
        lines += ["    player = game.player(s)", "    return np.int64(player) if player >= 0 else np.int64(0)"]
    elif viewer:
        modulo = f" % {players}" if viewer["modulo"] else ""
        lines.append(f"    return np.int64(s.{_name(viewer['field'])}){modulo}")
    else:
        lines.append("    return np.int64(0)")
    lines += ["", "", "def see(self, game, s, indices, values):", "    seat = self.seat(game, s)"]
    if plan["own"] and players == 1:
        return "\n".join([*lines, "    return game.features(s, indices, values)"])
    if plan["own"]:
        lines += [
            "    count = game.features(s, indices, values)",
            f"    indices[count] = {int(plan['base'])} + seat",
            "    values[count] = np.float32(1.0)",
            f"    if game.player(s) != {CHANCE}:",
            "        return count + 1",
            f"    indices[count + 1] = {int(plan['base']) + players}",
            "    values[count + 1] = np.float32(1.0)",
            "    return count + 2",
        ]
        return "\n".join(lines)
    who = "seat + 2" if viewer else "game.player(s) + 2"
    lines += [f"    indices[0] = {who}", "    values[0] = np.float32(1.0)", "    count = 1"]
    for field in plan["fields"]:
        lines += _field_lines(field, players)
    return "\n".join([*lines, "    return count"])


def _field_lines(field: Mapping[str, Any], players: int) -> list[str]:
    shape, width = [int(side) for side in field["shape"]], int(field["width"])
    low, high = float(field["low"]), float(field["high"])
    lines, indent, where, place = [], "    ", [], "0"
    for axis, side in enumerate(shape):
        lines.append(f"{indent}for i{axis} in range({side}):")
        indent += "    "
        turned = axis == 0 and field["rows"]
        where.append(f"(seat + i0) % {players}" if turned else f"i{axis}")
        place = f"({place}) * {side} + i{axis}" if axis else "i0"
    read = f"s.{_name(field['name'])}" + (f"[{', '.join(where)}]" if where else "")
    base = int(field["base"])
    if width:
        lines.append(f"{indent}v = min(max(np.int64({read}), {int(low)}), {int(high)})")
        if field["owner"] == 0:
            lines.append(f"{indent}v = (v - seat + {players}) % {players}")
        elif field["owner"] == 1:
            lines += [f"{indent}if v > 0:", f"{indent}    v = 1 + (v - 1 - seat + {players}) % {players}"]
        lines += [
            f"{indent}if v != {int(field['common'])}:",
            f"{indent}    indices[count] = {base} + ({place}) * {width} + v - {int(low)}",
            f"{indent}    values[count] = np.float32(1.0)",
            f"{indent}    count += 1",
        ]
    else:
        lines += [
            f"{indent}x = (np.float64({read}) - {low!r}) / {high - low!r}",
            f"{indent}indices[count] = {base} + ({place}) * {1 + STEPS}",
            f"{indent}values[count] = np.float32(x)",
            f"{indent}indices[count + 1] = indices[count] + 1 + min(max(int(x * {STEPS}), 0), {STEPS - 1})",
            f"{indent}values[count + 1] = np.float32(1.0)",
            f"{indent}count += 2",
        ]
    return lines


def _name(name: str) -> str:
    if not name.isidentifier():
        raise ValueError(name)
    return name
