"""The homework: AlphaZero on tic-tac-toe and on Azul, step by step. `docs/reproduce/azul.ipynb` walks through it.

boards       the two example positions, the toy model, searches to look into
plain        PUCT in plain Python, to read beside the formula; the engine grows the same trees
nets         the report's networks in Flax NNX, ours, and how either judges positions
games        many games side by side: self-play and matches are the same loop
teachers     what a search tells a network: visits (the report) or the improved policy (ours)
training     examples, batches and the step that learns from them
loop         play, remember, learn, measure: AlphaZero
deep_tree    learning from the nodes of one deep tree instead of from games
recipes      the settings of the report, and those that work
figures      the report's own figures; drawings
"""

from boardwright_lab.azul.program import reproduce

__all__ = ["reproduce"]
