"""Choose a move by the value of the afterstate that it leads to."""

from __future__ import annotations

from typing import Any

from boardwright.compile.kernel import kernel


@kernel
def keep_best(moves: Any, weights: Any, count: Any, most: Any) -> Any:
    """Bring the `most` moves of the largest weights to the front, in no order (Hoare's selection); how many stay."""
    if count <= most:
        return count
    low = 0
    high = count - 1
    while low < high:
        pivot = weights[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while weights[i] > pivot:
                i += 1
            while weights[j] < pivot:
                j -= 1
            if i <= j:
                move = moves[i]
                moves[i] = moves[j]
                moves[j] = move
                weight = weights[i]
                weights[i] = weights[j]
                weights[j] = weight
                i += 1
                j -= 1
        if most - 1 <= j:
            high = j
        elif most - 1 >= i:
            low = i
        else:
            break
    return most


@kernel
def value_moves(
    game: Any, network: Any, learned: Any, s: Any, scratch: Any, policy: Any, consider: Any, moves: Any, values: Any,
    out: Any,
) -> Any:  # fmt: skip
    """values[i] = the points in the end that moves[i] promises; returns (how many moves, the best one's place).

    Only the `consider` moves that the game's policy number `policy` likes best are valued; with policy 0, all.
    scratch: one record. moves int32, values float64: room for all moves. out: float64, one.
    """
    count = game.legal(s, moves)
    if policy != 0 and count > consider:
        game.weigh(policy, s, moves, count, values)
        count = keep_best(moves, values, count, consider)
    best = 0
    for i in range(count):
        scratch[0] = s
        game.play(scratch[0], moves[i])
        network.value(game, scratch[0], learned, out)
        values[i] = out[0]
        if values[i] > values[best]:
            best = i
    return count, best
