"""What can be played here: the games with their options."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping
from typing import Any

from boardwright.arena.levels import levels_of
from boardwright.contract.errors import BoardwrightError, InputError
from boardwright.contract.game import Game
from boardwright.contract.settings import field_kind
from boardwright.games.built_in import BUILT_IN
from boardwright.games.load import load, make
from boardwright.games.named import source_of
from boardwright.serve.clients import CLIENT
from boardwright.serve.limits import Limits
from boardwright.serve.requests import Refused
from boardwright.serve.seats import Seats


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
        self.specs: dict[str, str] = {}  # how each game is loaded, by name
        self._made: dict[str, Game] = {}
        self._opened_by: dict[str, str] = {}  # the client that each of these is counted for
        self._lock = threading.Lock()
        sizes: dict[str, int] = {}  # of games without chance: how many moves there are
        for spec in (*files, *BUILT_IN):
            game = load(spec)
            if game.name in self._kinds:
                raise InputError(f"two games are called {game.name!r}; give one of their classes another name")
            self._kinds[game.name], self.specs[game.name] = type(game), spec
            self._defaults[game.name] = dict(game.options)
            self._check_size(game)
            if not game.outcomes:
                sizes[game.name] = game.actions
        fronts = [name for name, kind in self._kinds.items() if kind.card.front]
        self.first = (fronts or self.names)[0] if not files else load(files[0]).name
        self.plainest = self.first if files else min(sizes, key=sizes.__getitem__)  # shows best how a search goes

    @property
    def names(self) -> list[str]:
        return list(self._kinds)

    def make(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """The game of that name with these options, to be played: one object for all who play it."""
        game = self.describe(name, options)
        key = f"{name} {json.dumps(game.options, sort_keys=True)}"
        with self._lock:
            if key not in self._made:
                client = CLIENT.get()
                mine = sum(opener == client for opener in self._opened_by.values())
                if len(self._made) >= self.limits.variants or mine >= self.limits.variants_each:
                    raise Refused(
                        "so many variants have been opened that memory would run out; restart the server", 503
                    )
                self._made[key], self._opened_by[key] = game, client
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

    def renew(self, game: Game) -> None:
        """The file of an own game was saved: who begins one from now on gets these rules."""
        self._check_size(game)
        with self._lock:
            self._kinds[game.name], self._defaults[game.name] = type(game), dict(game.options)
            for key in [key for key, made in self._made.items() if made.name == game.name]:
                del self._made[key], self._opened_by[key]

    def is_old(self, game: Game) -> bool:
        """Whether the game's rules have changed since it was made."""
        if type(game) is self._kinds.get(game.name):
            return False
        try:
            return self.describe(game.name, game.options).digest != game.digest
        except BoardwrightError:
            return True  # its options are no more

    def _check_size(self, game: Game) -> None:
        limits = self.limits
        if max(game.actions, game.outcomes) > limits.actions or game.state_dtype.itemsize > limits.state_bytes:
            raise Refused(f"{game}: too large for the page ({game.actions:,} moves); choose a smaller board")

    def games(self) -> list[Game]:
        """Every game with the options that it usually has, the one to offer first."""
        names = sorted(self._kinds, key=lambda name: name != self.first)
        return [make(self._kinds[name], self._defaults[name]) for name in names]

    def facts(self) -> list[dict[str, Any]]:
        """Every game, as the choice of games shows it."""
        return [self.facts_of(make(kind, self._defaults[name])) for name, kind in self._kinds.items()]

    def facts_of(self, game: Game) -> dict[str, Any]:
        """One game with its options as they are, and who can play it."""
        card = game.card
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
                        "usual": list(card.usual.get(field.name, ())),
                        "means": card.option_words.get(field.name, ""),
                    }
                )
        return {
            "name": game.name,
            "title": card.title or game.name,
            "about": card.about or game.title,
            "icon": card.icon,
            "own": source_of(game) is not None,  # not built in: commands know it by where it comes from only
            "players": game.players,
            "sides": list(card.sides),
            "points": game.counts_points,
            "chance": bool(game.outcomes),
            "options": options,
            "move_help": game.move_help,
            "measured": bool(levels_of(game)),  # whether the names of its strengths mean what they mean elsewhere
            "strengths": [
                {"name": name, "player": spec, "about": about} for name, spec, about in self.seats.strengths(game)
            ],
        }
