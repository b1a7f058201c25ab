"""kill -9 of a match or a playtest at random moments: no game is lost, none counts twice, the result is the same."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardwright.records import Library
from tests.torture.commands import command, killed_until_done, timed
from tests.torture.examples import ROOT
from tests.torture.trial import Finding

Tell = Callable[[int], None]


def match(seed: int, seconds: float, tell: Tell) -> None:
    words = command(
        "match", "tictactoe", "mcts:simulations=200", "random", "--games", "120", "--seed", str(seed % 1000),
        "--workers", "2", "--json",
    )  # fmt: skip
    compare(words, seed, tell, ("records", "players", "games"))


def playtest(seed: int, seconds: float, tell: Tell) -> None:
    design = f"{ROOT / 'tests' / 'games' / 'designs.py'}:CoinFlip"
    words = command("playtest", design, "--sets", "30", "--seed", str(seed % 1000), "--workers", "2", "--json")
    compare(words, seed, tell, ())


def compare(words: list[str], seed: int, tell: Tell, fields: tuple[str, ...]) -> None:
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        done, usual = timed(words, whole)
        again = killed_until_done(words, killed, luck, usual, tell)
        if again.returncode:
            raise Finding("not taken up again", again.stderr[-400:])
        one, two = plain(done.stdout, fields), plain(again.stdout, fields)
        if one != two:
            raise Finding("another result after a kill", f"{json.dumps(one)[:200]} {json.dumps(two)[:200]}")
        if games(whole) != games(killed):
            raise Finding("other games in the library after a kill", f"{len(games(whole))} and {len(games(killed))}")


def plain(text: str, fields: tuple[str, ...]) -> Any:
    """What does not depend on the clock: these fields, without the seconds that anybody took."""
    told = json.loads(text)
    return without_clock({name: told[name] for name in fields} if fields else told)


def without_clock(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_clock(one) for name, one in value.items() if "second" not in name}
    return [without_clock(one) for one in value] if isinstance(value, list) else value


def games(home: Path) -> dict[str, tuple[str, ...]]:
    library = Library(home / "records.sqlite3")
    return {one.id: library.get(one.id).plies for one in library.find(limit=None)} if library.path.exists() else {}
