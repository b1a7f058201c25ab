"""Openings whose exact value is known: does a player keep what it has against perfect replies?

For two players without chance. A file has an opening a line: its moves, and `win` or `draw`, what the side to move gets
if both play perfectly; lines that begin with # are for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.players.kinds import player
from boardwright.players.player import Player
from boardwright.players.solver import SolverPlayer
from boardwright.search.exact.solver import Solver, SolverSettings, TooLarge

WORTH = {"win": 1.0, "draw": 0.0}
REPLIES = "solver:polish=50000"  # never gives anything away; a lost position it defends for as long as it can make out
LEAST_PLIES = 9  # a win sooner than this needs no judgement
MOST_KEEPING = 2  # moves that keep the value: where most do, luck is enough


@dataclass(frozen=True)
class Opening:
    """moves: as people write them; worth: "win" or "draw", what the side to move gets if both play perfectly."""

    moves: tuple[str, ...]
    worth: str

    def __str__(self) -> str:
        return f"{' '.join(self.moves)} {self.worth}"

    def position(self, game: Game) -> Position:
        position = game.begin()
        for move in self.moves:
            position = position.play(move)
        return position


@dataclass(frozen=True)
class Kept:
    """How one opening went; `lost`: the move that gave the value away, and its ply, "" if none did."""

    opening: Opening
    plies: int
    lost: str

    def to_dict(self) -> dict[str, Any]:
        return {"opening": str(self.opening), "plies": self.plies, "lost": self.lost}


def read_openings(path: Path, game: Game) -> list[Opening]:
    """The openings of a file; refused unless all of them can be played."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        *moves, worth = line.split() or ("#",)
        if line.startswith("#") or worth == "#":
            continue
        opening = Opening(tuple(moves), worth)
        try:
            if worth not in WORTH:
                raise InputError(f"{worth!r} is neither win nor draw")
            if opening.position(game).is_over:
                raise InputError("the game is over there")
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}; write the moves and then win or draw") from None
        found.append(opening)
    if not found:
        raise InputError(f"{path} holds no openings; write a line each: the moves, and then win or draw")
    return found


def measure_openings(
    game: Game, truth: Game, spec: str, openings: Sequence[Opening], tell: Callable[[str], None] = lambda text: None
) -> list[Kept]:
    """Let the player of a spec play the side to move of each opening against perfect replies. truth: the game as the
    solver knows it, with the same moves; perhaps it has a policy that the player should not know of."""
    found: list[Kept] = []
    candidate, perfect = player(spec, game), player(REPLIES, truth)
    assert isinstance(perfect, SolverPlayer)
    for number, opening in enumerate(openings, 1):
        lost = sum(bool(one.lost) for one in found)
        tell(f"{spec}: opening {number} of {len(openings)}, kept {len(found) - lost}, lost {lost}")
        found.append(play_opening(opening, candidate, perfect))
    return found


def play_opening(opening: Opening, candidate: Player, perfect: SolverPlayer) -> Kept:
    """From the opening until the game is over, or the candidate has given away what it had."""
    position, known = opening.position(candidate.game), opening.position(perfect.game)
    me, solver, worth = position.player, perfect.solver, WORTH[opening.worth]
    value = worth if me == 0 else -worth + 0.0  # player 0's, as the solver counts
    solver.allow()
    if solver.value(known) != value:
        raise InputError(f"{known.game.name}: the opening {opening} is worth something else; choose openings again")
    candidate.forget()
    perfect.forget()
    plies = len(opening.moves)
    while not position.is_over:
        plies += 1
        own = position.player == me
        move = candidate.choose(position).move if own else perfect.choose(known).move
        text = position.text(move)
        position, known = position.play(move), known.play(text)
        solver.allow()
        if own and not (position.results[me] >= worth if position.results else solver.holds(known, me, value)):
            return Kept(opening, plies, f"{text} at ply {plies}")
    return Kept(opening, plies, "")


def choose_openings(
    game: Game,
    wanted: Mapping[str, int],
    plies: int,
    seed: int,
    nodes: int = 3_000_000,
    tries: int = 10_000,
    tell: Callable[[str], None] = lambda text: None,
) -> Iterator[Opening]:
    """Openings by random moves, in which the side to move can win, but not soon, or hold a draw; few of its moves keep
    that, and `nodes` positions are enough to know what every one of them is worth. wanted: how many of each worth; not
    found in so many tries, that is refused."""
    rng, solver = Random(seed), Solver(game, SolverSettings(nodes=nodes, megabytes=64.0))
    left, seen, tried = dict(wanted), set[Any](), 0
    while any(left.values()):
        missing = ", ".join(f"{count} {worth}" for worth, count in left.items())
        if tried == tries:
            raise InputError(f"{game.name}: still to find after {tries:,} tries: {missing}; ask for others or fewer")
        tried += 1
        tell(f"tried {tried}, still to find: {missing}")
        opening = _random_opening(game, plies, rng)
        if opening is None:
            continue
        position = opening.position(game)
        if position.key in seen:
            continue
        seen.add(position.key)
        worth = _worth(solver, position)
        if left.get(worth, 0) > 0:
            left[worth] -= 1
            yield Opening(opening.moves, worth)


def _random_opening(game: Game, plies: int, rng: Random) -> Opening | None:
    position, moves = game.begin(), []
    for _ in range(plies):
        moves.append(position.text(position.moves[rng.below(len(position.moves))]))
        position = position.play(moves[-1])
        if position.is_over:
            return None
    return Opening(tuple(moves), "")


def _worth(solver: Solver, position: Position) -> str:
    """ "win" or "draw" for the side to move; "" if it is lost, easy, or takes too long to know."""
    solver.forget()
    try:
        solver.allow(solver.settings.nodes // 5)  # most are too hard, and should be so soon
        solver.value(position)
        solver.allow()
        values = solver.values(position)
        best = max(values.values())
        worth = next((name for name, value in WORTH.items() if value == best), "")
        if not worth or sum(value == best for value in values.values()) > MOST_KEEPING:
            return ""
        me = position.player
        soon = worth == "win" and solver.holds(position, me, best if me == 0 else -best, LEAST_PLIES - 1)
        return "" if soon else worth
    except TooLarge:
        return ""
