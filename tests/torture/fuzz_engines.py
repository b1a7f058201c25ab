"""Engines on standard input: JSON lines and the Gomocup protocol, whole sessions gone wrong."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests.torture import mutate
from tests.torture.door import told
from tests.torture.trial import Finding

PATIENCE = 90  # seconds for a session of which each question is small
LINES = 300
OURS = re.compile(r"^[A-Z]\w*(Error|Exception|Interrupt): ")  # what the engine says where it caught a fault of its own
QUERIES: list[dict[str, Any]] = [
    {"id": "1", "moves": ["b2", "a1"], "simulations": 8},
    {"id": 2, "moves": [], "seed": 3, "simulations": 4, "settings": {"c": 1.5, "threads": 1}, "includeBoard": True},
    {"id": "3", "moves": ["b2"], "simulations": 30, "reportDuringSearchEvery": 0.001, "includePosition": True},
    {"id": "4", "moves": ["b2", "a1", "c1"], "simulations": 4, "judge": True},
    {"id": "5", "position": {"boardwright": 1, "game": "tictactoe", "options": {"size": 3, "rows": 0, "line": 3}}},
    {"id": "6", "action": "query_version"}, {"id": "7", "action": "ping"}, {"id": "8", "action": "terminate_all"},
    {"id": "9", "action": "terminate", "terminateId": "1"},
]  # fmt: skip
COMMANDS = [
    "START 7", "RECTSTART 7,6", "RESTART", "TURN 3,3", "BEGIN", "BOARD", "3,3,1", "4,4,2", "DONE", "YXBOARD",
    "TAKEBACK 3,3",
    "INFO timeout_turn 5", "INFO timeout_match 100", "INFO time_left 50", "INFO max_memory 100000000", "INFO rule 1",
    "INFO thread_num 1", "YXSTOP", "ABOUT", "SUGGEST 1,1",
]  # fmt: skip


def json_lines(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    lines = []
    for number in range(LINES):
        query = {**luck.choice(QUERIES), "id": number}
        changed = mutate.value(luck, query)
        # A budget that was changed may be a long one, and is then rightly spent: these are asked for by the million.
        if isinstance(changed, dict) and "action" not in changed:
            changed["simulations"] = luck.choice((1, 8, -1, 0.5, "8"))
            changed.pop("seconds", None)
            if isinstance(changed.get("settings"), dict):
                changed["settings"] = {
                    k: v for k, v in changed["settings"].items() if k not in ("simulations", "seconds")
                }
        lines.append(json.dumps(changed) if luck.random() < 0.9 else mutate.text(luck, [json.dumps(query)]))
    lines = [line for line in lines if '"seconds"' not in line]
    said = converse(["json", "tictactoe"], lines)
    for line in said.splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            raise Finding("an answer that is not JSON", f"{line[:300]!r}") from None
        if "error" in answer:
            told(answer["error"], answer.get("id"))
            if OURS.match(answer["error"]):
                asked = [one for one in lines if f'"id": {json.dumps(answer.get("id"))}' in one]
                raise Finding(f"a fault of its own ({answer['error'].partition(':')[0]})", f"{answer} for {asked}")
    tell(LINES)


def piskvork(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    lines = ["INFO timeout_turn 5", "START 7"]
    for _ in range(LINES):
        line = luck.choice(COMMANDS)
        lines.append(mutate.text(luck, [line])[:3000] if luck.random() < 0.5 else line)
    # A turn of minutes would be spent: the time that was changed is set right again after each line that is about it.
    quick = [one for line in lines for one in ([line, "INFO timeout_turn 5"] if "INFO" in line.upper() else [line])]
    said = converse(["piskvork"], [line for line in quick if not re.match(r"\s*END", line, re.I)])
    for line in said.splitlines():
        if not re.match(r"OK|ERROR|UNKNOWN|MESSAGE|DEBUG|name=|SUGGEST|-?\d+,-?\d+$", line):
            raise Finding("an answer that is none of the protocol", f"{line[:300]!r}")
    tell(LINES)


def converse(arguments: list[str], lines: list[str]) -> str:
    """All that the engine says to these lines; it ends by itself, and well, when they end."""
    text = "\n".join(line.replace("\n", " ").replace("\r", " ") for line in lines) + "\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "boardwright", "engine", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        said, _ = process.communicate(text.encode("utf-8", "surrogatepass"), timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Finding(f"the engine has not ended after {PATIENCE} s") from None
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        raise Finding(f"the engine ends with {process.returncode}", said.decode(errors="replace")[-300:])
    return said.decode(errors="replace")
