"""What can be played here: the games with their options."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import field_kind
from boardwright.games.load import BUILT_IN, load, make
from boardwright.serve.limits import Limits
from boardwright.serve.requests import Refused
from boardwright.serve.seats import Seats

TITLES = {"tictactoe": "Tic-tac-toe", "gomoku": "Gomoku", "2048": "2048", "nmbr9": "NMBR 9", "azul": "Azul"}
# What people choose most; any value that the rules accept can be typed.
USUAL: dict[str, dict[str, list[Any]]] = {
    "tictactoe": {"size": [3, 4, 5], "rows": [0], "line": [3, 4]},
    "gomoku": {"size": [9, 13, 15, 19], "rows": [0], "line": [5]},
    "2048": {"size": [3, 4, 5], "four": [0.1]},
    "nmbr9": {"table": [0, 20], "levels": [0]},
    "azul": {"players": [2, 3, 4], "rounds": [20]},
}
SAID = {  # what an option means, where its name alone does not say it
    ("tictactoe", "size"): "columns", ("tictactoe", "rows"): "rows (0: as many as columns)",
    ("tictactoe", "line"): "stones in a row that win", ("gomoku", "size"): "columns",
    ("gomoku", "rows"): "rows (0: as many as columns)", ("gomoku", "line"): "stones in a row that win",
    ("gomoku", "exactly"): "a longer row does not win", ("2048", "size"): "rows and columns",
    ("2048", "four"): "how often a new tile is a 4", ("nmbr9", "table"): "side of the table (0: endless)",
    ("nmbr9", "levels"): "levels that may be used (0: all)", ("azul", "players"): "players",
    ("azul", "rounds"): "rounds at most",
}  # fmt: skip


class Catalogue:
    """The games of one server. `files` are specs of the owner's own games; `players` named specs of the owner's."""

    def __init__(
        self, files: tuple[str, ...] = (), players: Mapping[str, str] | None = None, limits: Limits | None = None
    ):
        self.limits = limits or Limits()
        self.seats = Seats(players or {}, self.limits)
        self.seed: int | None = None  # what the page suggests for a new game; none: a new one each time
        self._kinds: dict[str, type[Game]] = {}
        self._defaults: dict[str, dict[str, Any]] = {}
        self._made: dict[str, Game] = {}
        self._lock = threading.Lock()
        for spec in (*files, *BUILT_IN):
            game = load(spec)
            if game.name in self._kinds:
                raise InputError(f"two games are called {game.name!r}; give one of their classes another name")
            self._kinds[game.name] = type(game)
            self._defaults[game.name] = dict(game.options)
            self._check_size(game)
        first = load(files[0]) if files else load("gomoku")
        self.first = first.name

    @property
    def names(self) -> list[str]:
        return list(self._kinds)

    def make(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """The game of that name with these options, to be played: one object for all who play it."""
        game = self.describe(name, options)
        key = f"{name} {json.dumps(game.options, sort_keys=True)}"
        with self._lock:
            if key not in self._made:
                if len(self._made) >= self.limits.variants:
                    raise Refused(
                        "so many variants have been opened that memory would run out; restart the server", 503
                    )
                self._made[key] = game
            return self._made[key]

    def describe(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """The game of that name with these options, to look at; those left out are the default."""
        kind = self._kinds.get(name)
        if kind is None:
            raise Refused(f"no game {name[:40]!r}; there are {', '.join(self._kinds)}", 404)
        chosen = {**self._defaults[name], **(options or {})}
        if any(not isinstance(one, (bool, int, float, str)) for one in chosen.values()):
            raise Refused(f"{name}: an option is a number, true, false or a text")
        game = make(kind, chosen)
        self._check_size(game)
        return game

    def _check_size(self, game: Game) -> None:
        limits = self.limits
        if max(game.actions, game.outcomes) > limits.actions or game.state_dtype.itemsize > limits.state_bytes:
            raise Refused(f"{game}: too large for the page ({game.actions:,} moves); choose a smaller board")

    def facts(self) -> list[dict[str, Any]]:
        """Every game, as the choice of games shows it."""
        return [self.facts_of(make(kind, self._defaults[name])) for name, kind in self._kinds.items()]

    def facts_of(self, game: Game) -> dict[str, Any]:
        """One game with its options as they are, and who can play it."""
        usual = USUAL.get(game.name, {})
        options = []
        for field in dataclasses.fields(game):
            if field.init:
                value = game.options[field.name]
                kind = field_kind(field)
                options.append(
                    {
                        "name": field.name,
                        "kind": {int: "whole", float: "number", bool: "truth"}.get(kind, "text"),
                        "value": value,
                        "usual": usual.get(field.name, []),
                        "means": SAID.get((game.name, field.name), ""),
                    }
                )
        return {
            "name": game.name,
            "title": TITLES.get(game.name, game.name),
            "about": game.title,
            "players": game.players,
            "points": game.counts_points,
            "chance": bool(game.outcomes),
            "options": options,
            "move_help": game.move_help,
            "strengths": [
                {"name": name, "player": spec, "about": about} for name, spec, about in self.seats.strengths(game)
            ],
        }
