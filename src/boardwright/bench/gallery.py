"""The gallery's two tables: how fast each game of docs/examples is searched, and how much more search helps in it.

The file that they are written into holds a row a game in each table. Measuring a game again replaces its rows and
leaves the others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from boardwright.arena import Match, MatchResult
from boardwright.arena.intervals import Estimate
from boardwright.arena.match import few_moves
from boardwright.arena.report import commit, write_text
from boardwright.arena.summary import percent, points
from boardwright.bench.examples import gallery
from boardwright.bench.rules import openspiel, openspiel_name
from boardwright.bench.search import search_openspiels, search_ours, versus
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.games.load import load

FIRST = 25  # simulations of the weakest searching player; each next one has twice as many
WIDEST = 0.6  # interval of a share that is still shown
FEWEST_GAMES = 12  # of a step of a ladder, however little time there is
FEWEST, MOST = 200, 20_000  # simulations of one search whose speed is measured
PEER = "OpenSpiel C++"
TITLE = "# Gallery: known games as files to copy"
PREFACE = (
    "Each game is one short file of docs/examples ([how to write one](own-game.md)), checked against OpenSpiel or "
    "against a second reading of its rules. Written by `boardwright bench gallery --out docs/gallery.md`, never typed; "
    "a dash is what has not been measured, or what there is nothing to compare with."
)
SPEED = (
    "## Speed\n\nUCT with uniform playouts from the start, one thread: simulations per CPU second, medians over rounds "
    "in turn with OpenSpiel's C++ where it has the game, with the same moves ([why some of its games are others]"
    "(ecosystem.md#games-of-one-name)); in the last column but one how many times as fast ours is."
)
STRENGTH = (
    "## Strength\n\nA ladder of search with the standard settings: what each player gets against the one before it, "
    "over games on the same draws and openings with seats exchanged, a win counting 1 and a draw half (alone: points a "
    "game of both). In brackets are 95 % intervals; steps that take long have fewer games, and wider ones; "
    f"wider than {100 * WIDEST:.0f} points is a dash."
)


@dataclass(frozen=True)
class Speed:
    """Simulations per CPU second of one game."""

    ours: float
    theirs: float  # 0 where there is nothing to compare with
    ratio: float  # the median of the rounds' ratios


@dataclass(frozen=True)
class Rung:
    """One player of a ladder against the one before it."""

    player: str
    before: str
    result: MatchResult

    @property
    def text(self) -> str:
        """The better player's share; alone, both players' points."""
        table = self.result.table
        if self.result.seats == 1:
            one, other = (points(line.points) for line in table.players)
            return f"{one} after {other}"
        return shown(table.pairs[0].share) if table.pairs else "-"


@dataclass(frozen=True)
class GalleryRow:
    """What was measured of one game."""

    file: str  # its name without .py
    game: str  # with its options
    players: int
    speed: Speed
    ladder: tuple[Rung, ...]

    def to_dict(self) -> dict[str, Any]:
        rungs = [{"player": one.player, "before": one.before, **one.result.to_dict()} for one in self.ladder]
        return {"file": self.file, "game": self.game, "speed": asdict(self.speed), "ladder": rungs}


def chosen(names: list[str] | None) -> list[Path]:
    """The files of the gallery that are meant: all, or those of these names."""
    files = {path.stem: path for path in gallery()}
    for name in names or ():
        if name not in files:
            raise InputError(f"no game {name!r} in the gallery; there are {', '.join(files)}")
    return [files[name] for name in names or files]


def measure_game(
    path: Path,
    tell: Callable[[str], None],
    *,
    seconds: float = 0.5,
    rounds: int = 5,
    games: int = 200,
    rungs: int = 4,
    seed: int = 1,
    workers: int = 0,
    budget: float = math.inf,
) -> GalleryRow:
    """Speed, then the ladder: games that the library has are not played again. `budget`: seconds for all of it, after
    which steps of the ladder end with the games that they have."""
    game, until = load(str(path)), time.monotonic() + budget
    tell("speed")
    speed = measure_speed(game, seconds, rounds)
    ladder = []
    for step, (before, spec) in enumerate(pairwise(ladder_specs(rungs))):
        tell(f"{spec} : {before}")
        # A step has twice the simulations of the one before: of the time it gets what leaves the others theirs.
        share = (until - time.monotonic()) / ((2 << (rungs - 1 - step)) - 1)
        match = play_for(game, [spec, before], games, share, seed, workers)
        ladder.append(Rung(spec, before, match.result()))
    return GalleryRow(path.stem, str(game), game.players, speed, tuple(ladder))


def play_for(game: Game, specs: list[str], games: int, seconds: float, seed: int = 1, workers: int = 0) -> Match:
    """A match of at most so many games, as far as it gets in about so long: the first few tell how many that is."""
    # Without chance strong players would play the same few games again and again.
    opening = 0 if game.outcomes else few_moves(game)
    began = time.monotonic()
    match = Match(game, specs, min(games, FEWEST_GAMES), seed, opening=opening)
    match.run(workers)
    spent = max(time.monotonic() - began, 1e-9)
    more = int(min(games, match.total * seconds / spent))
    if more > match.total:
        match = Match(game, specs, more, seed, opening=opening)
        match.run(workers)
    return match


def ladder_specs(rungs: int) -> list[str]:
    """Random, and so many players of twice as many simulations each."""
    return ["random", *(f"mcts:simulations={FIRST << step}" for step in range(rungs))]


def ladder_heading(rungs: int) -> list[str]:
    """Who meets whom, in as few words as a table's heading has room for."""
    names = [spec.rpartition("=")[2] for spec in ladder_specs(rungs)]
    return [f"{one} : {before}" for before, one in pairwise(names)]


def measure_speed(game: Game, seconds: float, rounds: int) -> Speed:
    """Both search the start with as many simulations: those that ours makes in so many seconds."""
    search_ours(game, FEWEST)()  # compiles
    simulations = int(min(max(search_ours(game, FEWEST)() * seconds, FEWEST), MOST))
    ours, twin = search_ours(game, simulations), twin_of(game)
    if twin:
        found = versus(game.name, PEER, ours, search_openspiels(twin, simulations), rounds)
        return Speed(found.ours, found.theirs, found.ratio)
    alone = versus(game.name, "", ours, lambda: 1.0, rounds)
    return Speed(alone.ours, 0.0, 0.0)


def twin_of(game: Game) -> str:
    """OpenSpiel's game with the same rules, if this OpenSpiel has it and its search takes it."""
    pyspiel, name = openspiel(), openspiel_name(game)
    if pyspiel is None or not name:
        return ""
    if name.partition("(")[0] not in pyspiel.registered_names():
        return ""
    terminal = pyspiel.load_game(name).get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
    return name if terminal else ""


# The file


def write_gallery(path: Path, measured: list[GalleryRow], rungs: int) -> None:
    """Every game of the gallery: what was measured now, what the file has of it from before, or dashes."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    speed = ["game", "players", "simulations a second", "OpenSpiel's", "times as fast", "measured"]
    strength = ["game", *ladder_heading(rungs), "games each", "measured"]
    speeds, strengths = _rows(old, speed), _rows(old, strength)
    new, when = {one.file: one for one in measured}, f"{datetime.now(UTC):%Y-%m-%d}, {commit()}"
    for file in gallery():
        name, one = _link(file.stem), new.get(file.stem)
        if one is not None:
            speeds[name] = [str(one.players), *speed_cells(one.speed), when]
            strengths[name] = [*(rung.text for rung in one.ladder), games_of(one), when]
        speeds.setdefault(name, [str(load(str(file)).players), *["-"] * (len(speed) - 2)])
        strengths.setdefault(name, ["-"] * (len(strength) - 1))
    parts = [TITLE, PREFACE]
    for words, heading, rows in ((SPEED, speed, speeds), (STRENGTH, strength, strengths)):
        names = (_link(file.stem) for file in gallery())
        table = [heading, ["---", *["---:"] * (len(heading) - 1)], *([name, *rows[name]] for name in names)]
        parts += [words, "\n".join(f"| {' | '.join(row)} |" for row in table)]
    write_text(path, "\n\n".join(parts) + "\n")


def games_of(one: GalleryRow) -> str:
    """How many games each step of a ladder has: one number, or the fewest and the most."""
    counts = sorted(rung.result.table.games for rung in one.ladder)
    return str(counts[0]) if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}"


def shown(share: Estimate) -> str:
    """A dash for one of which so few games prove nothing."""
    return percent(share) if share.high - share.low <= WIDEST else "-"


def _link(name: str) -> str:
    return f"[{name}.py](examples/{name}.py)"


def speed_cells(speed: Speed) -> list[str]:
    theirs = [_rate(speed.theirs), f"{speed.ratio:.3g}"] if speed.theirs else ["-", "-"]
    return [_rate(speed.ours), *theirs]


def _rate(value: float) -> str:
    """With three figures, which is as many as mean something."""
    return f"{float(f'{value:.3g}'):,.0f}"


def _rows(text: str, heading: list[str]) -> dict[str, list[str]]:
    """The rows below this heading, by their first cell; none of a table with other columns."""
    lines = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines()]
    if heading not in lines:
        return {}
    below = lines[lines.index(heading) + 2 :]
    rows = takewhile(lambda cells: len(cells) == len(heading), below)
    return {cells[0]: cells[1:] for cells in rows}
