"""What made it work: hand-made values and learnt ones, looked at over every tile that may come."""

from __future__ import annotations

from boardwright.contract.game import Game
from boardwright_lab.run import Run
from boardwright_lab.twenty48.sample import Played, Sample


def on_bitboards(run: Run, game: Game, spec: str, games: int) -> Sample:
    """Whole games of a `heuristic` or `tuples` player inside kernels: the very games of a match with this seed."""
    from boardwright.learn.tuples.measure import measure_tiles

    found = measure_tiles(game, spec, games, run.seed, max(run.workers, 1), lambda text: run.tick(f"{spec}: {text}"))
    moves = sum(one.moves for one in found.games)
    each = found.seconds * max(run.workers, 1) / moves  # threads side by side, all busy
    return Sample(
        spec, tuple(Played(float(one.score), one.largest, one.moves, each * one.moves) for one in found.games)
    )
