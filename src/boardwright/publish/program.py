"""A game as a program for the browser: its module, and what the page must know to lay out the module's memory.

Compiled in a process of its own, as the compiler's target cannot be changed once it was used, and kept in the cache
beside native kernels. `python -m boardwright.publish.program GAME` is that process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.compile import compiler, numba_internals, wasm
from boardwright.compile.cache import KernelStore
from boardwright.compile.fingerprint import Fingerprint
from boardwright.contract.errors import RuleError
from boardwright.contract.game import Game
from boardwright.games.load import load
from boardwright.publish.entries import STATES, desk_dtype, make_entries
from boardwright.search.evaluator import GAME_ESTIMATE
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


def compile_program(game: Game, spec: str) -> Program:
    """The program of `game`, which `spec` loads; from the cache, or compiled in another process."""
    walk = Fingerprint()
    for entry in make_entries(game).values():
        walk.value(entry)
    for file in _OWN_FILES:
        walk.note(file.read_bytes())
    walk.note(json.dumps(memory_plan(game)))  # records that entries read by closures, into which no walk can look
    key = walk.hexdigest() + game.rulebook.type.digest + GAME_ESTIMATE.rulebook.type.digest
    store = KernelStore("wasm", lambda: key)
    packed = store.read("program")
    try:
        if packed is None:
            packed = _compile_apart(spec)
            store.write("program", packed)
    finally:
        store.compiled()
    return _unpack(packed)


def _compile_apart(spec: str) -> bytes:
    command = [sys.executable, "-m", __name__, spec]
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
    slots, stats, desk = slot_dtype(players), stats_dtype(players), desk_dtype()
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
            "learned": 4,
        },
        "remembered": REMEMBERED,
        "tries": ROOT_TRIES,
        "actors": {"run": RUN, "unseen": UNSEEN},
        "records": {
            name: {"bytes": kind.itemsize, "fields": _fields(kind)}
            for name, kind in (("state", game.state_dtype), ("slot", slots), ("stats", stats), ("desk", desk))
        },
        "policies": len(game.policies),
        "points": game.counts_points,
    }  # fmt: skip


def _fields(dtype: np.dtype[np.void]) -> dict[str, Any]:
    assert dtype.names is not None and dtype.fields is not None
    told = {}
    for name in dtype.names:
        kind, offset = dtype.fields[name][:2]
        told[name] = {"at": offset, "kind": f"{kind.base.kind}{kind.base.itemsize}", "shape": list(kind.shape)}
    return told


def main(spec: str) -> None:
    """Compile one game, and write its program to the standard output."""
    from boardwright.compile.wasm import numba_target
    from boardwright.compile.wasm.module import compile_module
    from boardwright.contract.errors import BoardwrightError

    try:
        numba_target.begin()
        game = load(spec)
        made = compile_module(game, GAME_ESTIMATE, make_entries(game))
    except BoardwrightError as error:
        sys.stderr.write(str(error))
        sys.exit(_REFUSED)
    sys.stdout.buffer.write(_pack(Program(made.code, made.sentences)))


if __name__ == "__main__":
    main(sys.argv[1])
