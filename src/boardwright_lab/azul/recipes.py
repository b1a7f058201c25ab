"""How to learn: the report's settings, and those that work."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Recipe:
    """The settings of the loop. An iteration plays games, then takes training steps."""

    iterations: int
    games: int  # an iteration
    simulations: int  # a move
    steps: int  # of training, an iteration
    batch: int  # positions a step; 0: all of the iteration's
    optimiser: str  # sgd (momentum 0.1, as in the report) or adam
    rate: float  # at the start; adam's falls to a tenth of it by the end
    teacher: str  # visits: the policy to learn is N(s, a) / N(s); improved: Gumbel's improved policy
    window: int = 1  # iterations whose examples are remembered
    share: float = 0.0  # of the value to learn: what the search expected, against the game's result
    masked: bool = True  # the loss sees legal moves only
    mirrored: bool = True  # each example is shown in a random image: a turned board, displays in another order
    openings: int = 0  # each game begins with 0 to so many random moves: a good player must meet bad positions too
    warm: int = 0  # games of the game's own first policy to learn from before the first iteration
    warm_steps: int = 0  # of training on them
    slipped: bool = False  # the report's slip: values credited to the wrong player in the search
    sampled: int = 6  # visits: moves drawn by their visits, at temperature 1; later ones are the most visited
    trust: float = 0.25  # improved: how much the values that the search found outweigh the network's policy
    c: float = 3.0  # visits: weight of exploration


# "AlphaZero Training Loop": 15 batches of 10 games, one step of gradient descent after each.
REPORTED = Recipe(
    iterations=15, games=10, simulations=50, steps=1, batch=0, optimiser="sgd", rate=0.01, teacher="visits",
    masked=False, mirrored=False, slipped=True,
)  # fmt: skip
RIGHT_SIGN = replace(REPORTED, slipped=False)
# The same games, learnt from as they should be.
MORE_STEPS = replace(
    RIGHT_SIGN, steps=60, batch=128, optimiser="adam", rate=0.0005, window=5, masked=True, mirrored=True
)

TICTACTOE = Recipe(
    iterations=30, games=64, simulations=24, steps=40, batch=128, optimiser="adam", rate=0.003, teacher="improved",
    window=8, share=0.5, openings=4,
)  # fmt: skip

# "Training directly from MCTS evaluations": 5 trees, 500 steps of 100 positions from each.
TREES_REPORTED = replace(REPORTED, iterations=5, steps=500, batch=100, rate=0.005)
TREES = replace(TICTACTOE, iterations=5, steps=200, batch=100)

AZUL = Recipe(
    iterations=60, games=128, simulations=16, steps=150, batch=256, optimiser="adam", rate=0.002, teacher="improved",
    window=6, share=0.25, openings=4, trust=1.0,
)  # fmt: skip
# After a warm start the values are worth more care than haste: more simulations, and less trust in each.
AZUL_WARM = replace(
    AZUL, iterations=30, games=64, simulations=32, trust=0.25, share=0.5, rate=0.001, warm=2000, warm_steps=3000
)
# The report does not tell how it trained on Azul, but for "the same code": so its loop, at our numbers of games.
AZUL_REPORTED = replace(REPORTED, iterations=AZUL.iterations, games=AZUL.games)
