"""The laboratory: five reports about board games and search, each made to work as a short program on our engine.

Nothing outside depends on it: `boardwright reproduce` finds it by the registry, as it finds the two players of the
report on 2048 (players.py). A program is a function `reproduce(run, page)`: it measures, and writes the figures of the
report that it began from beside its own on a page. A seed here is a random one.
"""

# Where each program lives; imported when it runs.
PROGRAMS = {
    "nmbr9": "boardwright_lab.nmbr9",
    "tictactoe": "boardwright_lab.tictactoe",
    "2048": "boardwright_lab.twenty48",
    "gomoku": "boardwright_lab.gomoku",
    "azul": "boardwright_lab.azul",
}
