"""What runs elsewhere: trainings by their folders, matches by the library. Both are only read, as often as asked."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardwright.arena.elo import elo_of_share
from boardwright.arena.intervals import mean, wilson
from boardwright.contract.errors import InputError
from boardwright.contract.folders import home_folder
from boardwright.contract.game import Game
from boardwright.learn.model_players import timed_spec
from boardwright.learn.runs import read_command, read_workers
from boardwright.players import PlayerSpec
from boardwright.records import Library
from boardwright.serve.requests import Refused

MOST_RUNS = 100
MOST_POINTS = 400  # of a curve
LARGEST = 64_000_000  # bytes of metrics that are read
FEW = 20  # last lines, of which each figure's newest is told: a rating has a line of its own
FRESH = 120.0  # seconds: figures younger than this come from a run that goes on
MOST_GAMES = 20_000  # of matches that are looked at, the newest
RECENT = 24  # games of a match that can be opened
# How the model of a run plays, by the method that trained it.
PLAYERS: dict[str, Callable[[Path, Game], PlayerSpec]] = {
    "tuples": lambda path, game: PlayerSpec("tuples", {"table": str(path)}),
    "selfplay": lambda path, game: PlayerSpec("mcts", {"net": str(path), "simulations": "200"}),
    "values": lambda path, game: PlayerSpec("values", {"model": str(path)}),  # by which nothing is trained any more
    "kernel": lambda path, game: timed_spec("value", path, game, 1.0),
}


def folders(extra: Sequence[Path] = ()) -> dict[str, Path]:
    """The folders of trainings by name; where two have one name, the later loses."""
    found: dict[str, Path] = {}
    for place in (home_folder() / "runs", *extra):
        if (place / "run.json").is_file():
            found.setdefault(place.name, place)
            continue
        if place.is_dir():
            for folder in sorted(place.iterdir(), key=_age)[:MOST_RUNS]:
                if (folder / "run.json").is_file():
                    found.setdefault(folder.name, folder)
    return found


def _age(path: Path) -> float:
    try:
        return -max(path.stat().st_mtime, (path / "metrics.jsonl").stat().st_mtime)
    except OSError:
        return 0.0


def fingerprint(library: Library, extra: Sequence[Path] = ()) -> str:
    """Changes whenever a training or the library has changed on the disk, or a training has fallen silent."""
    seen: list[object] = []
    for name, folder in folders(extra).items():
        files = (folder / one for one in ("run.json", "metrics.jsonl", "model.safetensors"))
        seen.append((name, -_age(folder) > time.time() - FRESH, *map(_stamp, files)))
    seen += [_stamp(library.path), _stamp(library.path.with_name(f"{library.path.name}-wal"))]
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def runs(extra: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Trainings, newest first, each with its last figures."""
    told = []
    for name, folder in sorted(folders(extra).items(), key=lambda item: _age(item[1])):
        heading = _heading(folder)
        if heading is not None:
            lines = _metrics(folder)
            told.append(
                {
                    "name": name,
                    "game": heading["game"],
                    "method": heading["method"],
                    "fresh": -_age(folder) > time.time() - FRESH,
                    "model": (folder / "model.safetensors").is_file(),
                    "last": {name: figure for line in lines[-FEW:] for name, figure in line.items()},
                }
            )
    return told


def run(name: str, extra: Sequence[Path] = ()) -> dict[str, Any]:
    """One training: what it is, and its curves, thinned to what a screen can show."""
    folder = folders(extra).get(name)
    heading = _heading(folder) if folder is not None else None
    if folder is None or heading is None:
        raise Refused("no such training", 404)
    lines = _metrics(folder)
    names = sorted({key for line in lines for key in line} - {"step", "seconds"})
    curves = {}
    for figure in names:
        if figure.endswith(("_low", "_high")):
            continue
        points = [line for line in lines if isinstance(line.get(figure), (int, float))]
        thin = points[:: max(1, len(points) // MOST_POINTS)]
        if points and thin[-1] is not points[-1]:
            thin.append(points[-1])
        curves[figure] = [
            [line["step"], line[figure], line.get(f"{figure}_low"), line.get(f"{figure}_high")] for line in thin
        ]
    return {
        "name": name,
        **heading,
        "fresh": -_age(folder) > time.time() - FRESH,
        "model": (folder / "model.safetensors").is_file() and heading["method"] in PLAYERS,
        "seconds": lines[-1].get("seconds") if lines else None,
        "curves": curves,
        "command": read_command(folder),
        "workers": read_workers(folder),
    }


def player_of(name: str, game: Game, extra: Sequence[Path] = ()) -> PlayerSpec:
    """The spec of a run's newest model."""
    folder = folders(extra).get(name)
    heading = _heading(folder) if folder is not None else None
    if folder is None or heading is None or heading["method"] not in PLAYERS:
        raise Refused(f"no training {name[:60]!r} whose model could play", 404)
    model = folder / "model.safetensors"
    if not model.is_file():
        raise Refused(f"training {name[:60]!r} has no model yet", 409)
    return PLAYERS[heading["method"]](model, game)


def _heading(folder: Path) -> dict[str, Any] | None:
    try:
        read = json.loads((folder / "run.json").read_text("utf-8")[:100_000])
        return {key: read[key] for key in ("game", "options", "method", "seed", "settings")}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _metrics(folder: Path) -> list[dict[str, Any]]:
    from boardwright.learn.metrics import NAME, read_metrics

    try:
        if (folder / NAME).stat().st_size > LARGEST:
            return []
        return read_metrics(folder)
    except (OSError, InputError):
        return []


# Matches

_QUESTION = """
SELECT records.game, records.players, records.started, records.status, records.plies, records.scores, records.results,
    records.id, json_extract(records.json, '$.options')
FROM records JOIN told USING (id) ORDER BY records.number DESC LIMIT ?
"""


def matches(library: Library) -> list[dict[str, Any]]:
    """Who met whom, newest first, with what it came to so far."""
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for row in _games(library):
        groups.setdefault(_key(row), []).append(row)
    return [_summary(key, rows) for key, rows in groups.items()]


def match(library: Library, key: str) -> dict[str, Any]:
    """One match, with its latest games."""
    rows = [row for row in _games(library) if _key(row) == key]
    if not rows:
        raise Refused("no such match", 404)
    games = [
        {"id": row[7], "players": json.loads(row[1]), "results": json.loads(row[6]), "scores": json.loads(row[5]),
         "plies": row[4], "started": row[2]}
        for row in rows[:RECENT]
    ]  # fmt: skip
    return {**_summary(key, rows), "recent": games}


def _games(library: Library) -> list[tuple[Any, ...]]:
    if not library.path.exists():
        return []
    with library.opened() as connection:
        kept = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'told'").fetchone()[0]
        return connection.execute(_QUESTION, [MOST_GAMES]).fetchall() if kept else []


def _key(row: tuple[Any, ...]) -> str:
    named = json.dumps([row[0], row[8], sorted(set(json.loads(row[1])))])
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def _summary(key: str, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    names = sorted({name for row in rows for name in json.loads(row[1])})
    lines = []
    for name in names:
        wins = draws = games = 0
        points: list[float] = []
        for row in rows:
            results, scores = json.loads(row[6]), json.loads(row[5])
            if results is None:
                continue
            for seat, who in enumerate(json.loads(row[1])):
                if who == name:
                    others = [value for other, value in enumerate(results) if other != seat]
                    games += 1
                    points.append(scores[seat])
                    wins += bool(others) and results[seat] > max(others)
                    draws += bool(others) and results[seat] == max(others)
        line: dict[str, Any] = {"player": name, "games": games, "wins": wins, "draws": draws}
        if games and len(json.loads(rows[0][1])) > 1:
            share = wilson(wins + draws / 2, games)
            line |= {"share": share.value, "low": share.low, "high": share.high}
            if len(names) == 2:
                line |= {
                    "elo": _finite(elo_of_share(share.value)),
                    "elo_low": _finite(elo_of_share(share.low)),
                    "elo_high": _finite(elo_of_share(share.high)),
                }
        if games > 1 and any(points):
            average = mean(points)
            line |= {"points": average.value, "points_low": average.low, "points_high": average.high}
        lines.append(line)
    lines.sort(key=lambda line: -(line.get("share") or line.get("points") or 0.0))
    return {
        "key": key,
        "game": rows[0][0],
        "options": json.loads(rows[0][8]),
        "games": len(rows),
        "latest": rows[0][2],
        "players": lines,
    }


def _finite(value: float) -> float | None:
    return value if abs(value) < 1e6 else None
