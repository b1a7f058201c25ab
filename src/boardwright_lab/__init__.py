"""The laboratory: five reports about board games and search, each made to work as a short program on our engine.

Nothing outside depends on it. A program is a function `reproduce(run, report)`: it measures, and writes down
the figures of the report that it began from beside its own.
"""

# Where each program lives; imported when it runs.
PROGRAMS = {
    "nmbr9": "boardwright_lab.nmbr9",
    "tictactoe": "boardwright_lab.tictactoe",
    "2048": "boardwright_lab.twenty48",
    "gomoku": "boardwright_lab.gomoku",
    "azul": "boardwright_lab.azul",
}
