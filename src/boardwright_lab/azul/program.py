"""The page: the homework's outputs beside ours."""

from __future__ import annotations

from boardwright_lab.page import Page
from boardwright_lab.run import Run


def reproduce(run: Run, page: Page) -> None:
    """Measure everything, then write it down."""
    from boardwright_lab.azul import writing_azul, writing_tictactoe
    from boardwright_lab.azul.experiments import measure

    found = measure(run)
    writing_azul.opening(page, found)
    writing_tictactoe.search_section(page)
    writing_tictactoe.limit_section(page)
    writing_tictactoe.loop_section(page, found)
    writing_tictactoe.tree_section(page, found)
    writing_tictactoe.boards_section(page, found)
    writing_tictactoe.four_section(page, found)
    writing_azul.azul_section(page, found)
    writing_azul.further_section(page)
