"""A move for Gomoku at once, in plain Python: what is played if there is no time for anything better."""

from __future__ import annotations

from collections.abc import Mapping

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
FIVE = 5


def reflex(stones: Mapping[tuple[int, int], int], width: int, height: int, exactly: bool) -> tuple[int, int] | None:
    """The (x, y) that player 1 should take: five in a row, else the other's, else where most lines meet; None if the
    board is full. stones[x, y] is 1 for the mover's, 2 for the other's."""
    best, best_worth = None, -1.0
    for y in range(height):
        for x in range(width):
            if (x, y) in stones:
                continue
            worth = 0.01 / (1 + abs(2 * x - width + 1) + abs(2 * y - height + 1))
            for who, weight in ((1, 1.5), (2, 1.0)):
                for dx, dy in DIRECTIONS:
                    run = 1 + _run(stones, x, y, dx, dy, who) + _run(stones, x, y, -dx, -dy, who)
                    if run > FIVE and exactly:
                        continue
                    worth += weight * (10_000 if run >= FIVE else (run - 1) ** 3)
            if worth > best_worth:
                best, best_worth = (x, y), worth
    return best


def _run(stones: Mapping[tuple[int, int], int], x: int, y: int, dx: int, dy: int, who: int) -> int:
    length = 0
    while stones.get((x + dx, y + dy)) == who:
        x, y, length = x + dx, y + dy, length + 1
    return length
