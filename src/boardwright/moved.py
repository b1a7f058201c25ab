"""Modules that have moved, by their old paths, for one version: they can be imported still, with a warning.

A line of the table goes when the version after the move is out. Nothing is imported before somebody asks for an old
path.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

# Old path -> the new one, or several among which its names were shared out.
MOVED: dict[str, str] = {
    "boardwright.adapters.sight": "boardwright.adapters.observation",
    "boardwright.arena.run": "boardwright.arena.crew",
    "boardwright.arena.table": "boardwright.arena.summary",
    "boardwright.bench.strength": "boardwright.bench.ladder",
    "boardwright.cli.board": "boardwright.cli.terminal",
    "boardwright.cli.page": "boardwright.cli.bench_page",
    "boardwright.cli.strength": "boardwright.cli.bench_ladder",
    "boardwright.cli.tiles": "boardwright.cli.bench_tuples",
    "boardwright.contract.cache": "boardwright.compile.cache",
    "boardwright.contract.check": "boardwright.check.check",
    "boardwright.contract.children": "boardwright.arena.crew",
    "boardwright.contract.compiled": "boardwright.contract.compilable",
    "boardwright.contract.compiler": "boardwright.compile.compiler",
    "boardwright.contract.diagnose": "boardwright.compile.diagnose",
    "boardwright.contract.doors": "boardwright.compile.rule_kernels",
    "boardwright.contract.examine": "boardwright.check.conformance",
    "boardwright.contract.fingerprint": "boardwright.compile.fingerprint",
    "boardwright.contract.foresight": "boardwright.check.tactics",
    "boardwright.contract.interpreter": "boardwright.compile.interpreter",
    "boardwright.contract.kernel": "boardwright.compile.kernel",
    "boardwright.contract.load": "boardwright.games.load boardwright.games.built_in",
    "boardwright.contract.parts": "boardwright.compile.numba_internals",
    "boardwright.contract.playout": "boardwright.compile.playout",
    "boardwright.contract.record": "boardwright.contract.state",
    "boardwright.contract.strides": "boardwright.check.play_on",
    "boardwright.engine.gomoku": "boardwright.engine.thinker",
    "boardwright.engine.reflex": "boardwright.engine.instant_move",
    "boardwright.games.azul": "boardwright.games.azul.rules",
    "boardwright.games.bitboard": "boardwright.games.twenty48.bitboard",
    "boardwright.games.line": "boardwright.games.in_a_row boardwright.games.in_a_row.rules",
    "boardwright.games.nmbr9": "boardwright.games.nmbr9.rules",
    "boardwright.games.nmbr9_features": "boardwright.games.nmbr9.features",
    "boardwright.games.nmbr9_greedy": "boardwright.games.nmbr9.skill",
    "boardwright.games.nmbr9_places": "boardwright.games.nmbr9.places",
    "boardwright.games.nmbr9_tiles": "boardwright.games.nmbr9.tiles",
    "boardwright.games.pictures": "boardwright.games",
    "boardwright.games.pictures.azul": "boardwright.games.azul.picture",
    "boardwright.games.pictures.line": "boardwright.games.in_a_row.picture",
    "boardwright.games.pictures.nmbr9": "boardwright.games.nmbr9.picture",
    "boardwright.games.pictures.twenty48": "boardwright.games.twenty48.picture",
    "boardwright.games.prospects": "boardwright.games.in_a_row.windows",
    "boardwright.games.td_steps": "boardwright.compile.td_steps",
    "boardwright.games.threats": "boardwright.games.in_a_row.threats",
    "boardwright.games.twenty48": "boardwright.games.twenty48.rules",
    "boardwright.lab": "boardwright_lab",
    "boardwright.lab.nmbr9.seedtable": "boardwright_lab.nmbr9.any_action",
    "boardwright.lab.report": "boardwright_lab.page",
    "boardwright.lab.tictactoe.seed": "boardwright_lab.tictactoe.reported",
    "boardwright.lab.twenty48.seed": "boardwright_lab.twenty48.reported",
    "boardwright.learn.best": "boardwright.learn.strongest",
    "boardwright.learn.selfplay.eyes": "boardwright.learn.selfplay.observation",
    "boardwright.learn.selfplay.shipped": "boardwright.learn.shipped",
    "boardwright.learn.selfplay.warm": "boardwright.learn.selfplay.warm_start",
    "boardwright.learn.tuples.bitlearn": "boardwright.games.twenty48.learner boardwright.compile.td_steps",
    "boardwright.learn.tuples.bitplay": "boardwright.games.twenty48.whole_games",
    "boardwright.learn.tuples.bitsearch": "boardwright.games.twenty48.expectimax "
    "boardwright.games.twenty48.whole_games",
    "boardwright.learn.tuples.heuristic": "boardwright.games.twenty48.heuristic",
    "boardwright.learn.view": "boardwright.learn.display",
    "boardwright.search.alphabeta": "boardwright.search.exact.alphabeta",
    "boardwright.search.batch": "boardwright.search.forest",
    "boardwright.search.engine": "boardwright.search.simulate",
    "boardwright.search.expectimax": "boardwright.search.exact.expectimax boardwright.players.expectimax",
    "boardwright.search.improve": "boardwright.search.improved_policy",
    "boardwright.search.inset": "boardwright.draw.embed",
    "boardwright.search.leaves": "boardwright.search.virtual_loss",
    "boardwright.search.page": "boardwright.draw.tree_html",
    "boardwright.search.picture": "boardwright.draw.tree_svg",
    "boardwright.search.player": "boardwright.players.mcts boardwright_lab.twenty48.players",
    "boardwright.search.shown": "boardwright.draw.visible_tree",
    "boardwright.search.solver": "boardwright.search.exact.solver boardwright.players.solver",
    "boardwright.search.transposition": "boardwright.search.exact.transposition",
    "boardwright.search.wording": "boardwright.draw.labels boardwright.draw.palette",
    "boardwright.serve.desk": "boardwright.serve.context",
    "boardwright.serve.run": "boardwright.serve.launch",
    "boardwright.serve.searches": "boardwright.serve.jobs",
    "boardwright.serve.wanted": "boardwright.serve.requests",
    "boardwright.serve.watch": "boardwright.serve.monitor",
}
WHOLE = "boardwright.lab."  # all below it moved as it was


class OldPaths:
    """Finds modules by their old paths, for `sys.meta_path`; and adds what has left a module that is still there."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        homes = MOVED.get(name) or (name.replace(WHOLE, "boardwright_lab.") if name.startswith(WHOLE) else "")
        if not homes:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:  # nothing there, or an empty folder that an update left behind
            _warn(name, homes.replace(" ", " and "))
            empty: Any = Empty(homes)
            return ModuleSpec(name, empty, is_package=True)  # as a package, what was below it is asked for here too
        loader: Any = spec.loader  # of the folder that took the file's name: its names are in one of the folder's files
        run = loader.exec_module

        def run_and_add(module: ModuleType) -> None:
            run(module)
            vars(module)["__getattr__"] = partial(_find, module.__name__, homes, warn=True)

        loader.exec_module = run_and_add
        return spec


class Empty:
    """Loads a module without names of its own, which looks for them where they live now."""

    def __init__(self, homes: str) -> None:
        self.homes = homes

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__getattr__"] = partial(_find, module.__name__, self.homes, warn=False)


def _find(module: str, homes: str, name: str, *, warn: bool) -> Any:
    for home in () if name.startswith("__") else homes.split():
        if hasattr(import_module(home), name):
            if warn:
                _warn(f"{module}.{name}", f"{home}.{name}")
            return getattr(import_module(home), name)
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} has moved: import {new}; the old path ends with the next version", DeprecationWarning, 3)


def install() -> None:
    """Let old paths be imported from now on."""
    if not any(isinstance(finder, OldPaths) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldPaths())
