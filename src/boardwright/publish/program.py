"""A game as a program for the browser: a module, and what the page must know to lay out the module's memory.

Rules and search are one module; a player that has learnt something brings another, of the kernels that it calls or of
the search with its evaluator. Each is compiled in a process of its own, as the compiler's target cannot be changed once
it was used, and kept in the cache beside native kernels. `python -m boardwright.publish.program GAME PART` is that
process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boardwright.compile import compiler, numba_internals, wasm
from boardwright.compile.cache import KernelStore
from boardwright.compile.fingerprint import Fingerprint
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.publish.calls import entries_of, fields_of
from boardwright.publish.entries import STATES, args_dtype, make_entries
from boardwright.registry import at
from boardwright.search.evaluator import GAME_ESTIMATE, Evaluator
from boardwright.search.expand import ROOT_TRIES
from boardwright.search.repeats import REMEMBERED
from boardwright.search.tree import RUN, UNSEEN, slot_dtype, stats_dtype
from boardwright.search.work import DEEPEST

_OWN_FILES = (*sorted(Path(wasm.__file__).parent.glob("*.py")), Path(compiler.__file__), Path(numba_internals.__file__))
MOST_IMAGES = 120  # of a game with more symmetries the page's judge looks at the first, as arena/equal_moves.py
_REFUSED = 3  # exit code: what was written is a sentence for the author


@dataclass(frozen=True)
class Program:
    """A game for the browser. `sentences[n - 1]` is what error number n says."""

    code: bytes
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What a module is made of besides the game's rules: `search` is the tree search with an evaluator, other ways are
    those of publish/learnt.py; `settings` are numbers that decide how large arrays are."""

    way: str = "search"
    evaluator: Evaluator = GAME_ESTIMATE
    settings: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        kind = type(self.evaluator)
        place = f"{kind.__module__}:{kind.__qualname__}"
        return json.dumps([self.way, place, self.evaluator.options, self.settings])

    @classmethod
    def from_json(cls, text: str) -> Part:
        way, place, options, settings = json.loads(text)
        made: Evaluator = at(place)(**{name: _hashable(value) for name, value in options.items()})
        return cls(way, made, settings)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


PLAIN = Part()  # rules, and the search without anything learnt


def module_parts(game: Game, part: Part) -> tuple[dict[str, Callable[..., Any]], dict[str, Any]]:
    """The entries of a module, and how the page lays out its memory."""
    if part.way == "search":
        return make_entries(game), memory_plan(game)
    from boardwright.publish.learnt import calls_of

    entries, args = entries_of(calls_of(game, part), part.evaluator)
    layout = args.layout(game.state_dtype)
    record = {"args": {"bytes": args.dtype.itemsize, "fields": fields_of(args.dtype)}}
    return entries, {"players": game.players, "records": record, **layout}


def compile_program(game: Game, spec: str, part: Part = PLAIN) -> Program:
    """The program of a part of `game`, which `spec` loads; from the cache, or compiled in another process."""
    entries, plan = module_parts(game, part)
    walk = Fingerprint()
    for entry in entries.values():
        walk.value(entry)
    for file in _OWN_FILES:
        walk.note(file.read_bytes())
    walk.note(json.dumps(plan["records"]))  # which entries read by closures, into which no walk can look
    key = walk.hexdigest() + game.rulebook.type.digest + part.evaluator.rulebook.type.digest
    store = KernelStore("wasm", lambda: key)
    packed = store.read("program")
    try:
        if packed is None:
            packed = _compile_apart(spec, part)
            store.write("program", packed)
    finally:
        store.compiled()
    return _unpack(packed)


def _compile_apart(spec: str, part: Part) -> bytes:
    command = [sys.executable, "-m", __name__, spec, part.to_json()]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - ourselves, with the author's game
    if done.returncode == _REFUSED:
        raise RuleError(done.stderr.decode().strip())
    if done.returncode != 0:
        raise RuleError(f"{spec}: compiling it for the browser failed; {_last_line(done.stderr.decode())}")
    return done.stdout


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "it said nothing")


def _pack(program: Program) -> bytes:
    head = json.dumps(program.sentences).encode()
    return len(head).to_bytes(4, "little") + head + program.code


def _unpack(packed: bytes) -> Program:
    size = int.from_bytes(packed[:4], "little")
    return Program(packed[4 + size :], tuple(json.loads(packed[4 : 4 + size])))


def memory_plan(game: Game) -> dict[str, Any]:
    """What the page lays out in the module's memory: arrays (bytes each), records (offset and kind of each field)."""
    size, players = max(game.actions, game.outcomes, 1), game.players
    slots, stats, args = slot_dtype(players), stats_dtype(players), args_dtype()
    return {
        "players": players,
        "actions": game.actions,
        "outcomes": game.outcomes,
        "images": min(game.symmetries, MOST_IMAGES),
        "arrays": {
            "states": STATES * game.state_dtype.itemsize,
            "rng": 8, "luck": 8, "salt": 8,
            "choices": 4 * max(size, 2 * game.actions),
            "weights": 8 * size,
            "value": 8 * players, "total": 8 * players, "scores": 8 * players, "results": 8 * players,
            "path": 4 * DEEPEST,
            "met": 8 * REMEMBERED,
        },
        "remembered": REMEMBERED,
        "tries": ROOT_TRIES,
        "actors": {"run": RUN, "unseen": UNSEEN},
        "records": {
            name: {"bytes": kind.itemsize, "fields": fields_of(kind)}
            for name, kind in (("state", game.state_dtype), ("slot", slots), ("stats", stats), ("args", args))
        },
        "policies": len(game.policies),
        "points": game.counts_points,
    }  # fmt: skip


def main(spec: str, part_text: str) -> None:
    """Compile a part of one game, and write its program to the standard output."""
    from boardwright.compile.wasm import numba_target
    from boardwright.compile.wasm.module import compile_module
    from boardwright.contract.errors import BoardwrightError

    try:
        numba_target.begin()
        game, part = load(spec), Part.from_json(part_text)
        made = compile_module(game, part.evaluator, module_parts(game, part)[0])
    except BoardwrightError as error:
        sys.stderr.write(str(error))
        sys.exit(_REFUSED)
    sys.stdout.buffer.write(_pack(Program(made.code, made.sentences)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
