"""Boardwright turns the rules of a board game, written in plain Python, into a strong player."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from boardwright import moved
from boardwright.registry import offer

if TYPE_CHECKING:
    from boardwright.arena import MatchResult, match
    from boardwright.check import Report, check_game
    from boardwright.cluster.workers import on_cluster
    from boardwright.contract.card import Card, SearchHints
    from boardwright.contract.errors import BoardwrightError, InputError, RuleError
    from boardwright.contract.game import CHANCE, OVER, Game
    from boardwright.contract.grid import Grid
    from boardwright.contract.position import Position
    from boardwright.contract.random import Random
    from boardwright.games.load import load
    from boardwright.players import Choice, Control, Player, PlayerSpec, player
    from boardwright.playtesting import playtest
    from boardwright.records import Library, Record

__version__ = "0.2.0"
__all__ = [
    "CHANCE",
    "OVER",
    "BoardwrightError",
    "Card",
    "Choice",
    "Control",
    "Game",
    "Grid",
    "InputError",
    "Library",
    "MatchResult",
    "Player",
    "PlayerSpec",
    "Position",
    "Random",
    "Record",
    "Report",
    "RuleError",
    "SearchHints",
    "__version__",
    "check_game",
    "load",
    "match",
    "on_cluster",
    "player",
    "playtest",
]

# Where each name lives. It is imported when first asked for, so that `boardwright --help` waits for nothing.
_HOMES = {
    "boardwright.arena": ("MatchResult", "match"),
    "boardwright.cluster.workers": ("on_cluster",),
    "boardwright.check": ("Report", "check_game"),
    "boardwright.contract.card": ("Card", "SearchHints"),
    "boardwright.contract.errors": ("BoardwrightError", "InputError", "RuleError"),
    "boardwright.contract.game": ("CHANCE", "OVER", "Game"),
    "boardwright.contract.grid": ("Grid",),
    "boardwright.games.load": ("load",),
    "boardwright.contract.position": ("Position",),
    "boardwright.contract.random": ("Random",),
    "boardwright.players": ("Choice", "Control", "Player", "PlayerSpec", "player"),
    "boardwright.playtesting": ("playtest",),
    "boardwright.records": ("Library", "Record"),
}
# What layers offer by name to those that may not import them: see registry.py. Only this file knows all layers.
offer("backend", {"rules": "boardwright.compile.backend"})
offer("laboratory", {"run": "boardwright_lab.run"})
offer("games", {"openspiel": "boardwright.adapters.openspiel_in:load_openspiel"})
offer(
    "models",
    {
        "last": "boardwright.learn.last_run:model_of_last",
        "shipped": "boardwright.learn.shipped:shipped_files",
        "shipped value": "boardwright.learn.shipped:shipped_model",
    },
)
offer(
    "players",
    {
        "net": "boardwright.learn.player_kinds:NET",
        "mcts:net": "boardwright.learn.player_kinds:NET_SEARCH",
        "mcts:table": "boardwright.learn.player_kinds:TABLE_SEARCH",
        "heuristic": "boardwright.learn.player_kinds:HEURISTIC",
        "tuples": "boardwright.learn.player_kinds:TUPLES",
        "values": "boardwright.learn.player_kinds:VALUES",
        "value": "boardwright.learn.player_kinds:VALUE",
        "mcts:value": "boardwright.learn.player_kinds:VALUE_SEARCH",
    },
)
moved.install()
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:  # a type checker that saw this would let any misspelt name pass

    def __getattr__(name: str) -> Any:
        if name not in _HOME_OF:
            raise AttributeError(f"module 'boardwright' has no attribute {name!r}")
        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value  # found without this function from now on
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
