"""Gomoku by policy gradient: why a network of sigmoids learnt nothing in three hours, and what learns in minutes.

nets.py      the network: 4 convolutions and 2 dense layers, with the report's sigmoids or without
games.py     many games in lock-step, by networks, policies of the rules, or search
train.py     policy gradient against a pool of earlier selves
gradients.py how much of the gradient reaches each layer
window.py    a network of a small board slid over a larger one, joined with a global network
contest.py   strength with intervals
"""

from __future__ import annotations

from boardwright.learn.selfplay.forward import set_up_jax
from boardwright_lab.page import Page
from boardwright_lab.run import Run

set_up_jax()  # before any module of this package imports JAX


def reproduce(run: Run, page: Page) -> None:
    """All experiments, each with its part of the page."""
    from boardwright_lab.gomoku.experiments import experiments

    experiments(run, page)
