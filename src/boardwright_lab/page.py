"""A program's page: text, tables and figures in the order in which they were found, written as Markdown with SVGs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardwright.arena.plots import to_svg
from boardwright.arena.report import markdown_table, write_text
from boardwright.arena.summary import duration

QUICK = (
    "> This is a quick run: it shows that everything works. Its figures come from a few games and say nothing; leave "
    "out `--quick` for those that do."
)


class Page:
    """What a program says. Nothing is written before `write`."""

    def __init__(self, name: str) -> None:
        self.name = name  # of the program, and of its files
        self.tables: list[dict[str, Any]] = []  # for JSON: title, heading, rows
        self._parts: list[str] = []
        self._pictures: dict[str, str] = {}
        self._began = time.perf_counter()

    def say(self, text: str) -> None:
        """Markdown as it is: a heading, a paragraph, a list."""
        self._parts.append(text.strip())

    def table(self, title: str, heading: list[str], rows: list[list[str]]) -> None:
        """A table of plain texts under its title."""
        assert all(len(row) == len(heading) for row in rows), "every row has a cell for each heading"
        self.tables.append({"title": title, "heading": heading, "rows": rows})
        self._parts += [f"**{title}**", markdown_table(heading, rows)]

    def figure(self, name: str, figure: Any, caption: str) -> None:
        """A drawing of Matplotlib (begin it with `arena.plots.new_figure`)."""
        self.picture(name, to_svg(figure), caption)

    def picture(self, name: str, svg: str, caption: str) -> None:
        """A drawing as an <svg> element; `name` becomes its file's."""
        assert name not in self._pictures and name.replace("-", "").isalnum()
        # By itself the picture may be shown on a dark page.
        self._pictures[name] = svg.replace(">", '><rect width="100%" height="100%" fill="#ffffff"/>', 1)
        self._parts.append(f"![{caption}]({self.name}/{name}.svg)\n\n{caption}")

    def write(self, out: Path, command: str, commit: str, *, quick: bool) -> None:
        """`out/NAME.md`, and `out/NAME/` with its pictures."""
        beside = out / self.name
        beside.mkdir(parents=True, exist_ok=True)
        for name, svg in self._pictures.items():
            write_text(beside / f"{name}.svg", svg)
        took = duration(time.perf_counter() - self._began)
        made = f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, {took}: `{command}`"
        parts = [*self._parts[:1], *([QUICK] if quick else []), *self._parts[1:], made]
        write_text(out / f"{self.name}.md", "\n\n".join(parts) + "\n")
