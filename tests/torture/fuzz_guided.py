"""Fuzzing that is led by coverage, where Atheris is installed (`pip install atheris`): what reaches a new branch of a
reader is changed further. Only the readers themselves are instrumented, in a process of their own.

Run as a module, it is that process: `python -m tests.torture.fuzz_guided DOOR` with the options of libFuzzer.
"""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.torture.examples import ROOT
from tests.torture.trial import Finding, Lacking

RUNS = 2_000  # inputs an attempt
READERS = [
    "boardwright.contract.position", "boardwright.contract.settings", "boardwright.players.spec",
    "boardwright.records.record", "boardwright.records.sgf",
]  # fmt: skip
KEPT = ROOT / "tests" / "formats" / "0.2"
SEEDS: dict[str, list[bytes | Path]] = {
    "spec": [b'slips:epsilon=0.1,of="mcts:simulations=3,seed=2"', b"a/b.py:Mine:depth=2", b"engine:echo a"],
    "record": [KEPT / "record.json"],
    "sgf": [KEPT / "record.sgf"],
    "position": [KEPT / "position.json"],
}


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    if importlib.util.find_spec("atheris") is None:
        raise Lacking("Atheris is not installed (pip install atheris); the other trials fuzz by our own mutators")
    door = random.Random(seed).choice(list(SEEDS))
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, one in enumerate(SEEDS[door]):
            (corpus / str(number)).write_bytes(one.read_bytes() if isinstance(one, Path) else one)
        options = [f"-seed={seed % 2**31 + 1}", f"-runs={RUNS}", "-timeout=20", "-rss_limit_mb=4000", "-max_len=4000"]
        options += [f"-artifact_prefix={folder}/", str(corpus)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.torture.fuzz_guided", door, *options],
            capture_output=True, text=True, errors="replace", check=False, cwd=ROOT,
        )  # fmt: skip
        if done.returncode:
            files = [file.read_bytes() for file in Path(folder).iterdir() if file.is_file()]
            said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(("#", "INFO"))]
            raise Finding(f"{door}: {_error(said)}", f"{files} {' | '.join(said[:12])[-500:]}")
    tell(RUNS)


def _error(said: list[str]) -> str:
    named = [line for line in said if "Error" in line or "timeout" in line or "out-of-memory" in line]
    return named[0][:150] if named else "the fuzzer ended"


def main(door: str, options: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=READERS):
        import boardwright as bw
        from boardwright.contract.errors import BoardwrightError
        from boardwright.players import PlayerSpec
        from boardwright.records import Record
        from boardwright.records.sgf import all_from_sgf, decode_sgf
    from tests.torture.door import told

    game = bw.load("tictactoe")
    warnings.simplefilter("ignore")
    doors: dict[str, Callable[[bytes], Any]] = {
        "spec": lambda data: PlayerSpec.parse(data.decode("utf-8", "surrogateescape")),
        "record": lambda data: Record.from_json(data.decode("utf-8", "surrogateescape")),
        "sgf": lambda data: list(all_from_sgf(decode_sgf(data), game)),
        "position": lambda data: game.from_json(data.decode("utf-8", "surrogateescape")),
    }

    def knock(data: bytes) -> None:
        try:
            doors[door](data)
        except BoardwrightError as error:
            told(str(error), data)

    atheris.Setup([sys.argv[0], *options], knock)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
