"""What is to be known of NMBR 9 besides its rules."""

from boardwright.contract.card import Card, Strength
from boardwright.games.nmbr9.guide import guide

CARD = Card(
    title="NMBR 9",
    guide=guide,
    option_words={"table": "side of the table (0: endless)", "levels": "levels that may be used (0: all)"},
    usual={"table": (0, 20), "levels": (0,)},
    judge="values:plies=1",
    learnt="values:seconds={seconds:g}",
    strongest=Strength("Rollouts by a learnt value", "values:seconds=1", "102 points a game; greedy has 69"),
    how_to_train="boardwright train nmbr9",
    gym="NMBR9",
    icon="nmbr9",
    compile_seconds=13,
    benchmarks={
        "strength": {"nmbr9": ("random", "greedy", "mcts:simulations=400", "values:plies=1", "values:plies=2")},
        "environment": {"nmbr9": {}},
        "page": {"nmbr9": None},
        "reports": {"nmbr9": "long"},
    },
)
