"""What is to be known of tic-tac-toe and Gomoku besides their rules."""

from dataclasses import replace
from typing import Any

from boardwright.contract.card import Card, SearchHints, Strength
from boardwright.games.in_a_row.guide import guide


def openspiel(game: Any) -> str | None:
    """OpenSpiel's game of the same rules: the faster of its two."""
    if game.exactly:
        return None
    if (game.columns, game.height, game.line) == (3, 3, 3):
        return "tic_tac_toe"
    if game.columns == game.height:
        return f"gomoku(size={game.columns},connect={game.line})"
    return f"mnk(m={game.columns},n={game.height},k={game.line})"


HINTS = SearchHints(
    playout="win_block",  # greedy costs twenty times as much a ply
    forcing="win_block",  # who can win at once does; who must block does: all else can be left out
)
GOMOKU_HINTS = replace(HINTS, candidates="nearby")
OPTION_WORDS = {"size": "columns", "rows": "rows (0: as many as columns)", "line": "stones in a row that win"}
# Of games of 80 simulations a move: milliseconds a game that the report gives, on its own machine (table 7).
REPORTED_MILLISECONDS = {3: 82.42, 4: 225.75, 5: 638.84, 6: 1658.15, 7: 3070.15, 8: 13481.61, 9: 31937.80}

FAMILY = Card(guide=guide, option_words=OPTION_WORDS, search=HINTS, protocols=("sgf",), openspiel=openspiel)
TIC_TAC_TOE = Card(
    title="Tic-tac-toe",
    guide=guide,
    option_words=OPTION_WORDS,
    usual={"size": (3, 4, 5), "rows": (0,), "line": (3, 4)},
    search=HINTS,
    protocols=("sgf",),
    strongest=Strength("Solver", "solver", "perfect on 3x3, which is drawn by best play"),
    how_to_train="boardwright train tictactoe --method selfplay",
    gym="TicTacToe",
    openspiel=openspiel,
    icon="tictactoe",
    compile_seconds=9,
    sides=("X", "O"),
    benchmarks={
        "strength": {
            "tictactoe": ("random", "greedy", "mcts:simulations=20", "mcts:simulations=100", "net:", "solver"),
        },
        "openspiel": {"tictactoe": ("tic-tac-toe", 200_000)},
        "mctx": {"tictactoe": None},
        "switches": {"tictactoe:size=5,line=4": None},
        "growth": {f"tictactoe:size={n},line={n}": reported for n, reported in REPORTED_MILLISECONDS.items()},
        "environment": {"tictactoe": {}},
        "reports": {"tictactoe": "solver", "tictactoe:size=4,line=4": "solver"},
    },
)
GOMOKU = Card(
    title="Gomoku",
    guide=guide,
    option_words={**OPTION_WORDS, "exactly": "a longer row does not win"},
    usual={"size": (9, 13, 15, 19), "rows": (0,), "line": (5,)},
    search=GOMOKU_HINTS,
    protocols=("sgf", "piskvork"),
    strongest=Strength(
        "Search with threats", "mcts:seconds=1",
        "wins by continuous fours, for attack and defence; on 7x7 a network comes along (mcts:net=auto)",
    ),
    how_to_train="boardwright train gomoku:size=7 --method selfplay --preset lunch",
    gym="Gomoku",
    openspiel=openspiel,
    icon="gomoku",
    compile_seconds=12,
    sides=("Black", "White"),
    front=True,
    benchmarks={
        "strength": {
            "gomoku:size=7": (
                "random", "greedy", "mcts:simulations=1000,select=ucb1,rollout=uniform,forcing=false,threats=false",
                "mcts:simulations=100", "net:", "mcts:net=auto,simulations=100",
            ),
            "gomoku:size=9": (
                "random", "greedy", "mcts:simulations=100", "mcts:simulations=400",
                "mcts:select=gumbel,prior=greedy,simulations=400",
            ),
        },
        "openspiel": {"gomoku:size=7": ("gomoku 7x7", 10_000), "gomoku": ("gomoku 15x15", 4_000)},
        "mctx": {"gomoku:size=7": None, "gomoku:size=13": None},
        "cluster": {"gomoku:size=7": None},
        "threads": {"gomoku": None},
        "large tree": {"gomoku:size=9": None},
        "selfplay": {
            "gomoku:size=7": (
                "conv 4 x 32, gomoku 7x7", {"channels": 32, "blocks": 4, "parallel": 64, "games": 128},
            ),
        },
        "page": {"gomoku": None},
        "reports": {"gomoku": "long"},
    },
)  # fmt: skip
