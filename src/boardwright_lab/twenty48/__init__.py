"""2048: UCT, MASb and their hybrid as a student report of 2020 has them (figures 3 to 15), and what made them work."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boardwright.arena.pairing import code_digest
from boardwright.games.load import load
from boardwright_lab.twenty48.better import on_bitboards
from boardwright_lab.twenty48.onetile import OneTile, play_one
from boardwright_lab.twenty48.reported import FOUR
from boardwright_lab.twenty48.sample import Sample, kept, play_all
from boardwright_lab.twenty48.settings import (
    CONSTANTS,
    MASB_DEPTHS,
    QUICK_SIZE,
    REPORTED_SIZE,
    ROLLOUT_DEPTH,
    UCT_CONSTANT,
    UCT_DEPTH,
    UCT_DEPTHS,
    hybrids,
    masb,
    uct,
)
from boardwright_lab.twenty48.writing import (
    write_hybrid,
    write_masb,
    write_spread,
    write_summary,
    write_uct,
    write_what_worked,
)

if TYPE_CHECKING:
    from boardwright.contract.game import Game
    from boardwright_lab.page import Page
    from boardwright_lab.run import Run

# Games a point. A game at the report's settings takes seconds; tables play thousands of moves in one.
DEAR, HYBRID_GAMES, CHEAP = 20, 30, 200


def reproduce(run: Run, page: Page) -> None:
    """Measure, and write down figures 3 to 15 beside ours."""
    game = load("2048", four=FOUR)
    size = run.pick(REPORTED_SIZE, QUICK_SIZE)
    games = run.pick(DEAR, 2)

    groups = {
        "constants": [uct(size, c, UCT_DEPTH) for c in CONSTANTS],
        "depths": [uct(size, UCT_CONSTANT, depth) for depth in UCT_DEPTHS],
        "masb depths": [masb(size.masb, depth) for depth in MASB_DEPTHS],
        "masb rollouts": [masb(count, ROLLOUT_DEPTH) for count in size.rollouts],
    }
    played = iter(play_all(run, game, [spec for specs in groups.values() for spec in specs], games))
    constants, depths, masb_depths, masb_rollouts = ([next(played) for _ in specs] for specs in groups.values())
    hybrid = play_all(run, game, hybrids(size), run.pick(HYBRID_GAMES, 2))
    fixed_constants, fixed_depths = (
        [one_tile(run, game, f"{spec},proofs=false", games) for spec in groups[name]]
        for name in ("constants", "depths")
    )
    fixed_masb = one_tile(run, game, masb(size.best_rollouts, ROLLOUT_DEPTH), games)
    fixed_hybrid = one_tile(run, game, hybrids(size)[0], games)
    strong = {four: _strong(run, four, run.pick(CHEAP, 2)) for four in (FOUR, 0.1)}

    write_summary(page, hybrid, fixed_hybrid, strong)
    write_uct(page, constants, fixed_constants, depths, fixed_depths, size.simulations)
    write_masb(page, masb_depths, masb_rollouts, fixed_masb, size)
    write_hybrid(page, hybrid, fixed_hybrid, size)
    write_spread(page, [*constants, *depths, *masb_depths, *masb_rollouts, *hybrid])
    write_what_worked(page, hybrid, masb_rollouts, strong)


def one_tile(run: Run, game: Game, spec: str, games: int) -> Sample:
    """A player in the report's kind of tree."""
    # Games of a search, or of rules, that have changed since say nothing about the present ones.
    code = f"{code_digest()}-{OneTile(**game.options).digest}"
    key = f"one-tile-{re.sub('[^a-z0-9.]+', '-', spec)}-{code}"
    return kept(run, f"one tile, {spec}", key, games, lambda number: play_one(game, spec, number, run.seed))


def _strong(run: Run, four: float, games: int) -> list[Sample]:
    game = load("2048", four=four)
    return [
        *play_all(run, game, ["expectimax:depth=2"], max(games // 2, 2)),
        on_bitboards(run, game, "heuristic:plies=1", games),
        on_bitboards(run, game, "heuristic:plies=2", games),
        on_bitboards(run, game, "tuples:plies=1", games),
        on_bitboards(run, game, "tuples:plies=2", max(games // 5, 2)),
    ]
