"""The report: the homework's outputs beside ours."""

from __future__ import annotations

from boardwright_lab.report import Report
from boardwright_lab.run import Run


def reproduce(run: Run, report: Report) -> None:
    """Measure everything, then write it down."""
    from boardwright_lab.azul import writing, writing_azul
    from boardwright_lab.azul.experiments import measure

    found = measure(run)
    writing_azul.opening(report, found)
    writing.search_section(report)
    writing.limit_section(report)
    writing.loop_section(report, found)
    writing.tree_section(report, found)
    writing.boards_section(report, found)
    writing.four_section(report, found)
    writing_azul.azul_section(report, found)
    writing_azul.further_section(report)
