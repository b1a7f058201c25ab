"""What perfect play can get out of weaker players on 3x3, computed exactly: a check of the policies themselves."""

from __future__ import annotations

import pytest

import boardwright as bw
from boardwright.contract.position import Position

# Share of games won by a player who never loses, in per cent, by the opponent's policy: first seat, second seat.
LIMITS = {"random": (99.48, 91.64), "win_block": (92.71, 26.03), "win_block_middle": (83.33, 5.71)}


Share = tuple[float, float]


def best_share(position: Position, me: int, policy: str, known: dict[tuple[int, ...], Share]) -> Share:
    """(minus the share of games lost, the share won) by player `me`, who avoids losses first and seeks wins second,
    against the policy taken as a distribution over moves."""
    key = tuple(position.view.cells)
    if key in known:
        return known[key]
    if position.results is not None:
        won = position.results[me]
        found = (-float(won < 0), float(won > 0))
    else:
        after = [best_share(position.play(move), me, policy, known) for move in position.moves]
        if position.player == me:
            found = max(after)
        else:
            weights = position.weigh(policy).tolist() if policy != "random" else [1.0] * len(after)
            total = sum(weights)
            losses = sum(weight * share[0] for weight, share in zip(weights, after, strict=True)) / total
            wins = sum(weight * share[1] for weight, share in zip(weights, after, strict=True)) / total
            found = (losses, wins)
    known[key] = found
    return found


@pytest.mark.parametrize("policy", LIMITS)
@pytest.mark.parametrize("seat", [0, 1])
def test_exact_limits_on_3x3(policy: str, seat: int) -> None:
    lost, won = best_share(bw.load("tictactoe").begin(), seat, policy, {})
    assert lost == 0.0
    assert round(100 * won, 2) == LIMITS[policy][seat]
