"""What is to be known of 2048 besides its rules."""

from typing import Any

from boardwright.contract.card import Card, SearchHints, Strength
from boardwright.games.twenty48.guide import guide


def openspiel(game: Any) -> str | None:
    """OpenSpiel's game, which knows one board and one chance of a 4."""
    return "2048" if (game.size, game.four) == (4, 0.1) else None


CARD = Card(
    title="2048",
    guide=guide,
    option_words={"size": "rows and columns", "four": "how often a new tile is a 4"},
    usual={"size": (3, 4, 5), "four": (0.1,)},
    search=SearchHints(advice={"depth": 40, "grow": 1}),  # docs/methods/search.md has the figures
    # Alone against chance thousands of moves are made: thinking must stay short.
    strengths=(
        Strength("Random", "random", "any move"),
        Strength("Medium", "mcts:simulations=60", "a short search"),
        Strength("Strong", "mcts:simulations=400", "a longer search"),
        Strength("Expert", "mcts:simulations=3000", "a long search"),
    ),
    strongest=Strength("Two slides ahead", "tuples:plies=2", "161,900 points a game, by a table of 7 MB"),
    judge="tuples:plies=1",  # searching every position of a whole game would take an hour
    report=40,
    pace=120,
    learnt="tuples:plies=2",
    training="tuples",
    how_to_train="boardwright train 2048 --preset lunch",
    tuples="boardwright.games.twenty48.tuples",
    gym="2048",
    openspiel=openspiel,
    icon="2048",
    compile_seconds=9,
    benchmarks={
        "strength": {
            "2048": (
                "random", "greedy", "masb:rollouts=10,depth=20,rollout=greedy", "heuristic:plies=2", "tuples:plies=1",
            ),
        },
        "environment": {"2048": {}},
        "reports": {"2048:size=2": "iteration", "2048:size=3": "long", "2048": "long"},
    },
)  # fmt: skip
