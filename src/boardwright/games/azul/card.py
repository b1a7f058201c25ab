"""What is to be known of Azul besides its rules."""

from boardwright.contract.card import Card, Strength
from boardwright.games.azul.guide import guide

CARD = Card(
    title="Azul",
    guide=guide,
    option_words={"players": "players", "rounds": "rounds at most"},
    usual={"players": (2, 3, 4), "rounds": (20,)},
    shows_points=True,
    strongest=Strength(
        "Search with a learnt value", "mcts:value=auto,seconds=0.1",
        "two players: 91 % of 100 games against search with the network, and that one 98 % of 200 against greedy",
    ),
    how_to_train="boardwright train azul",
    gym="Azul",
    icon="azul",
    compile_seconds=10,
    benchmarks={
        "strength": {
            "azul": (
                "random", "greedy", "mcts:simulations=100", "mcts:simulations=400", "net:",
                "mcts:net=auto,simulations=100",
            ),
        },
        "selfplay": {
            "azul": ("MLP 171-256-256-180, azul", {"hidden": 256, "blocks": 1, "parallel": 256, "games": 256}),
        },
        "kernel": {"azul": "Azul, 2 players"},
        "environment": {"azul": {"opponent": "greedy"}},
        "page": {"azul": None},
        "reports": {"azul": "long"},
    },
)  # fmt: skip
