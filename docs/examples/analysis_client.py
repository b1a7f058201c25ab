"""Ask Boardwright's JSON-lines engine about a position: python analysis_client.py GAME [MOVE ...]"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any


def analyse(game: str, **query: Any) -> Iterator[dict[str, Any]]:
    """The engine's answers to one query: reports while it searches, the final answer last."""
    command = [sys.executable, "-m", "boardwright", "engine", "json", game]
    with subprocess.Popen(  # noqa: S603 - our own words
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write(json.dumps({"id": "1", **query}) + "\n")
        engine.stdin.close()
        yield from map(json.loads, engine.stdout)


if __name__ == "__main__":
    game, *moves = sys.argv[1:]
    for answer in analyse(game, moves=moves, seconds=1.0, reportDuringSearchEvery=0.25):
        if "error" in answer or "move" not in answer:
            sys.exit(answer.get("error", "nobody is to move here"))
        best = answer["moveInfos"][0]
        state = "so far" if answer["isDuringSearch"] else "final "
        print(f"{state} {best['move']}  value {best['value']:+.3f}  line {' '.join(best['pv'])}")
