"""What a person sees of a training: a live table in a terminal, plain lines elsewhere, curves at the end."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EVERY_TERMINAL, EVERY_PLAIN = 0.25, 10.0  # seconds between pictures, between lines
INK, GRID, COLOURS = "#222831", "#e6e9ee", ("#2f6fb0", "#c8553d", "#5b8c5a", "#8e6bb0", "#c79a2b")


class View:
    """Live figures on standard error. `quiet` shows nothing."""

    def __init__(self, title: str = "", *, quiet: bool = False) -> None:
        from rich.console import Console

        self.title, self._quiet = title, quiet
        self._console = Console(stderr=True, highlight=False)
        self._terminal = sys.stderr.isatty() and not quiet
        self._figures: dict[str, float] = {}
        self._live: Any = None
        self._shown = -math.inf
        self._first: tuple[float, float] | None = None

    @property
    def quiet(self) -> bool:
        """Whether nobody looks."""
        return self._quiet

    def figures(self, figures: Mapping[str, float]) -> None:
        """Keep the last value of each figure for the table."""
        self._figures.update(figures)

    def progress(self, done: float, seconds: float, note: str = "") -> None:
        """done: 0 to 1. seconds: trained in all, earlier starts included."""
        if self._quiet or time.monotonic() - self._shown < (EVERY_TERMINAL if self._terminal else EVERY_PLAIN):
            return
        self._shown = time.monotonic()
        if self._first is None:
            self._first = done, seconds
        known = done - self._first[0]  # since figures come: compiling and earlier starts tell nothing of the speed
        left = (seconds - self._first[1]) / known * (1 - done) if known > 0 else math.nan
        if self._terminal:
            self._draw(done, seconds, left, note)
            return
        time_left = [f"{duration(left)} left"] if left == left else []
        told = [f"{name} {text}" for name, text in self._pairs()]
        self.say(f"{self.title}: " + ", ".join([f"{100 * done:.1f} %", *time_left, *filter(None, [note]), *told]))

    def summary(self) -> str:
        """The last figures as one line; nothing if there were none."""
        return ", ".join(f"{name} {text}" for name, text in self._pairs())

    def _pairs(self) -> list[tuple[str, str]]:
        """Each figure's name and text, its interval beside it."""
        pairs = []
        for name, value in self._figures.items():
            if name.endswith(("_low", "_high")) and name.rpartition("_")[0] in self._figures:
                continue
            text = figure_text(value)
            if {f"{name}_low", f"{name}_high"} <= self._figures.keys():
                ends = (figure_text(self._figures[f"{name}_{end}"]) for end in ("low", "high"))
                text += " ({} to {})".format(*ends)
            pairs.append((name.replace("_", " "), text))
        return pairs

    def say(self, text: str) -> None:
        """One line that stays."""
        if not self._quiet:
            self._console.print(text, markup=False, soft_wrap=True)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self, done: float, seconds: float, left: float, note: str) -> None:
        from rich import box
        from rich.console import Group
        from rich.live import Live
        from rich.panel import Panel
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        head = Table.grid(padding=(0, 2, 0, 0), expand=True)
        head.add_column(ratio=1)
        head.add_column(justify="right")
        head.add_column(justify="right")
        head.add_row(
            ProgressBar(total=1.0, completed=done),
            f"{100 * done:.1f} %",
            f"{duration(left)} left" if left == left else "",
        )
        pairs = [("trained", duration(seconds)), *self._pairs()]
        table = Table.grid(padding=(0, 3, 0, 0))
        for _ in range(2):
            table.add_column(style="dim")
            table.add_column(justify="right", style="bold")
        half = -(-len(pairs) // 2)
        for i in range(half):
            table.add_row(*pairs[i], *(pairs[half + i] if half + i < len(pairs) else ("", "")))
        parts: list[Any] = [head, table]
        parts += [Text(note, style="dim")] if note else []
        parts.append(Text("Ctrl-C saves and stops; the same command goes on.", style="dim"))
        panel = Panel(Group(*parts), title=self.title, title_align="left", box=box.ROUNDED, width=88)
        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(panel, refresh=True)


def figure_text(value: float) -> str:
    """A figure for the eye: 123,456 or 0.0432."""
    if value != value:
        return "-"
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"


def duration(seconds: float) -> str:
    """1 h 23 min, 4 min 10 s, 12 s."""
    if not math.isfinite(seconds):
        return "?"
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


@dataclass(frozen=True)
class CurvePanel:
    """One plot: `curves` maps figures of metrics.jsonl to names in the legend. A figure F with F_low and F_high
    beside it gets a band."""

    label: str  # of the y axis
    curves: Mapping[str, str]
    logarithmic: bool = False


def draw_curves(
    lines: Sequence[Mapping[str, Any]],
    panels: Sequence[CurvePanel],
    path: Path,
    *,
    title: str = "",
    steps: str = "step",
) -> list[Path]:
    """Plot metrics over steps into `path` with the suffixes .svg and .png; panels without data are left out.
    Returns the files; none if there was nothing to plot, or no Matplotlib to plot with, as in a plain install: a
    training does not fail for it, and the page draws the same curves."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter
    except ImportError:
        return []
    shown = [panel for panel in panels if any(line.get(name) is not None for line in lines for name in panel.curves)]
    if not shown:
        return []
    # Margins in inches, with room for what stands there. Every training ends with this, and a layout that measures the
    # texts first takes half as long again.
    wide, tall = 7.6, 0.5 + 2.9 * len(shown)
    figure = Figure(figsize=(wide, tall))
    figure.subplots_adjust(0.85 / wide, 0.6 / tall, 1 - 0.15 / wide, 1 - 0.4 / tall, hspace=0.18)
    for number, panel in enumerate(shown):
        axes: Any = figure.add_subplot(len(shown), 1, number + 1)
        for colour, (name, legend) in zip(COLOURS * 4, panel.curves.items(), strict=False):
            points = [line for line in lines if line.get(name) is not None]
            if not points:
                continue
            x = [line["step"] for line in points]
            axes.plot(
                x, [line[name] for line in points], color=colour, linewidth=1.8, label=legend,
                marker="o" if len(x) < 25 else "", markersize=4,
            )  # fmt: skip
            banded = [line for line in points if line.get(f"{name}_low") is not None]
            if banded:
                axes.fill_between(
                    [line["step"] for line in banded], [line[f"{name}_low"] for line in banded],
                    [line[f"{name}_high"] for line in banded], color=colour, alpha=0.15, linewidth=0,
                )  # fmt: skip
        if panel.logarithmic:
            axes.set_yscale("log")
        axes.set_ylabel(panel.label, color=INK)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_color("#9aa3af")
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(colors=INK, labelsize=9)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
        if not panel.logarithmic:
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
        if len(panel.curves) > 1:
            axes.legend(frameon=False, fontsize=9)
        if number == 0 and title:
            axes.set_title(title.replace("$", r"\$"), loc="left", fontsize=11, color=INK)
        if number == len(shown) - 1:
            axes.set_xlabel(steps, color=INK)
    made = []
    with matplotlib.rc_context({"svg.hashsalt": "boardwright", "svg.fonttype": "path"}):
        for suffix, options in ((".svg", {"metadata": {"Date": None, "Creator": None}}), (".png", {"dpi": 150})):
            made.append(path.with_suffix(suffix))
            figure.savefig(made[-1], facecolor="white", **options)
    return made


def short_number(value: float) -> str:
    """A number for an axis: 250k, 1.5M, 0.25."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
