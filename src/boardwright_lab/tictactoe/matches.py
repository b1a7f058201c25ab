"""The matches of tables 1 to 6: each opponent, both seats, no random openings."""

from __future__ import annotations

from boardwright.arena import MatchResult
from boardwright.arena.intervals import Estimate, wilson
from boardwright.contract.game import Game
from boardwright_lab.run import Run
from boardwright_lab.tictactoe.reported import OPPONENTS, Count

# UCT as the report set it: 80 iterations, a new tree each move, playouts that win and block. Its constant of 2 is for
# values of -1 to 1; ours lie between 0 and 1, where that is 1.
AS_REPORTED = "mcts:simulations=80,select=ucb1,c=1,rollout=win-block,proofs=false,reuse=false"
# What made it work. The same 80 iterations.
MENDED = "mcts:simulations=80,rollout=win-block,mix=0.5,rollouts=16"
# As the report, with proofs and more thought: it expects an opponent who wins and blocks.
PREPARED = "mcts:simulations=300,select=ucb1,rollout=win-block,rollouts=16"

Seats = tuple[Count, Count]  # from the first seat, from the second


def by_seat(result: MatchResult, player: int = 0) -> Seats:
    """The games of one of two players, each seat apart."""
    results: tuple[list[float], list[float]] = ([], [])
    for game in result.outcomes:
        seat = game.seats.index(player)
        results[seat].append(game.results[seat])
    first, second = (
        Count(
            wins=sum(one > 0 for one in ended),
            losses=sum(one < 0 for one in ended),
            draws=sum(one == 0 for one in ended),
        )
        for ended in results
    )
    return first, second


def against_opponents(run: Run, game: Game, spec: str, games: int) -> dict[str, Seats]:
    """`games` a seat against each opponent."""
    return {one: by_seat(run.match(game, [spec, one], 2 * games, opening=0)) for one in OPPONENTS}


def against_itself(run: Run, game: Game, spec: str, games: int) -> Count:
    """As seen from the first seat."""
    first = [one.results[0] for one in run.match(game, [spec, spec], games, opening=0).outcomes]
    return Count(first.count(1.0), first.count(-1.0), first.count(0.0))


def won(count: Count) -> Estimate:
    """The share of games won."""
    return wilson(count.wins, count.games)


def lost(count: Count) -> Estimate:
    """The share of games lost."""
    return wilson(count.losses, count.games)
