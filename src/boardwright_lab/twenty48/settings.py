"""The settings of figures 3 to 15 as specs of our players."""

from __future__ import annotations

from dataclasses import dataclass

# UCB1's constant weighs exploration against values. The report's values are points, ours are scaled by what the search
# has seen: mean - deviation to mean + deviation become 0 to 1. Where they deviate by 250 points, c points are c / 500.
DEVIATION = 250.0


@dataclass(frozen=True)
class Size:
    """How much a player may think: the report's settings, or little for the quick run."""

    simulations: int = 1000  # of UCT
    masb: int = 200  # playouts a child while the depth varies
    rollouts: tuple[int, ...] = (50, 100, 300, 500)
    best_rollouts: int = 300  # the report's best among them
    leaf: int = 200  # playouts a leaf of the report's hybrid
    steps: tuple[int, ...] = (6, 60, 300)  # of the hybrids' trees; the first is the report's


REPORTED_SIZE = Size()
QUICK_SIZE = Size(simulations=12, masb=3, rollouts=(1, 2, 3), best_rollouts=2, leaf=4, steps=(6, 12))

CONSTANTS = (2, 20, 100, 500)  # in points; the report tried 2 to 20
UCT_DEPTHS = (2, 6, 14)
MASB_DEPTHS = (5, 10, 15)
ROLLOUT_DEPTH = 7  # figures 11 to 13
UCT_DEPTH = 5  # figures 3 and 4
UCT_CONSTANT = 20  # figures 5 to 7


def uct(size: Size, constant: float, depth: int) -> str:
    """UCT as the report sets it, `constant` in points; a new tree for each move."""
    c = constant / (2 * DEVIATION)
    return f"mcts:simulations={size.simulations},select=ucb1,c={c:g},rollout=uniform,depth={depth},reuse=false"


def masb(rollouts: int, depth: int) -> str:
    return f"masb:rollouts={rollouts},depth={depth}"


def hybrids(size: Size) -> list[str]:
    """The same number of playouts a move, on fewer or more steps of the tree."""
    playouts = size.steps[0] * size.leaf
    return [f"hybrid:simulations={steps},rollouts={playouts // steps},depth=8" for steps in size.steps]
