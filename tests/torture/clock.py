"""Clocks that jump by days, forth and back, while a match or a training runs: the same result, and it ends.

Without libfaketime, which not every machine has, `time.time` is replaced in each process of the command as Python
starts (`sitecustomize`); `time.monotonic`, which no system lets jump, stays. What asks the system past Python's
`time` (SQLite, `datetime.now`) sees the true clock.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.torture.commands import command, run, timed
from tests.torture.kill_match import games, plain
from tests.torture.kill_train import WAYS, weights
from tests.torture.trial import Finding

JUMPING = """
import random, time
_true, _luck, _off = time.time, random.Random({seed}), [0.0]
def _jumping():
    if _luck.random() < 0.05:
        _off[0] = _luck.choice((-86400.0 * 400, -3600.0, -1.0, 0.0, 1.0, 3600.0, 86400.0 * 400))
    return _true() + _off[0]
time.time = _jumping
"""


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, jumped, site = (Path(folder) / name for name in ("whole", "jumped", "site"))
        site.mkdir()
        (site / "sitecustomize.py").write_text(JUMPING.format(seed=seed))
        path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
        if luck.random() < 0.5:
            game, settings, _ = WAYS["tuples"]
            given = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
            words = command("train", game, "--method", "tuples", "--no-pilot", *given, "--out")
            timed([*words, str(whole)], whole)
            done = run([*words, str(jumped)], jumped, PYTHONPATH=path)
            same = not done.returncode and weights(whole) == weights(jumped)
        else:
            words = command("match", "tictactoe", "mcts:simulations=20", "greedy", "--games", "60", "--json")
            first, _ = timed(words, whole)
            done = run(words, jumped, PYTHONPATH=path)
            fields = ("records", "players", "games")
            same = not done.returncode and plain(first.stdout, fields) == plain(done.stdout, fields)
            same = same and games(whole) == games(jumped)
        if not same:
            raise Finding("another result where the clock jumps", done.stderr[-400:])
        tell(1)
