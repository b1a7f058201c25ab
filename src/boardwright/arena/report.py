"""A match as a report: one self-contained HTML file, or Markdown with its plots beside it."""

from __future__ import annotations

import html
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardwright import __version__
from boardwright.arena.match import MatchResult
from boardwright.arena.plots import all_plots
from boardwright.arena.summary import columns, headline, pair_rows, seat_rows, verdict
from boardwright.contract.errors import InputError
from boardwright.contract.whole_file import whole_file

MOST_FORFEITS = 20
HOW_TO_READ = (
    "Figures in brackets are 95 % intervals: were the match played again and again, 95 of 100 such intervals would "
    "hold the truth. Games come in sets: the same draws and the same opening, played once from every seat, so that "
    "luck cancels. A share counts wins and half the draws. 100 Elo points more mean an expected share of 64 %, "
    "200 of 76 %, 400 of 91 %."
)
_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; margin: 0; }
body { color: #222831; background: #f6f7f9; }
main { max-width: 70rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
.verdict { font-size: 1.15rem; background: #fff; border-left: 4px solid #2f6fb0; padding: .8rem 1rem; }
.note { background: #fff6e0; border-left: 4px solid #c79a2b; padding: .5rem 1rem; border-radius: 4px; margin: .6rem 0; }
.scroll { overflow-x: auto; background: #fff; border-radius: 8px; box-shadow: 0 1px 2px #0001; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .5rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e6e9ee; }
th:first-child, td:first-child { text-align: left; } tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: #59636e; white-space: normal; vertical-align: bottom; }
td small { display: block; color: #59636e; }
figure { margin: 0 0 1.2rem; background: #fff; border-radius: 8px; padding: 1rem; box-shadow: 0 1px 2px #0001; }
figure svg { width: 100%; height: auto; } figcaption { color: #59636e; font-size: .92rem; }
footer, .muted { color: #59636e; font-size: .9rem; } footer { margin-top: 2.5rem; } code { font-size: .9em; }
"""


def write_html(result: MatchResult, path: Path, command: str = "") -> None:
    """One file that needs nothing else, not even a network."""
    write_text(path, html_report(result, command))


def write_markdown(result: MatchResult, path: Path, command: str = "") -> None:
    """`path`, and its plots as `<name>-elo.svg` and so on beside it."""
    plots = []
    for name, caption, svg in all_plots(result):
        beside = path.with_name(f"{path.stem}-{name}.svg")
        # By itself the picture may be shown on a dark page.
        write_text(beside, svg.replace(">", '><rect width="100%" height="100%" fill="#ffffff"/>', 1))
        plots.append(f"![{caption}]({beside.name})\n\n{caption}")
    write_text(path, markdown_report(result, command, plots))


def html_report(result: MatchResult, command: str = "") -> str:
    """The whole report as text."""
    body = [f"<h1>{html.escape(result.game)}</h1>", f'<p class="muted">{html.escape(headline(result))}</p>']
    if verdict(result):
        body.append(f'<p class="verdict">{html.escape(verdict(result))}</p>')
    if result.test:
        body.append(f'<p class="verdict">Sequential test: {html.escape(str(result.test))}.</p>')
    body += [f'<p class="note">{html.escape(note)}</p>' for note in result.notes]
    for title, (heading, rows) in _tables(result):
        body.append(f"<h2>{title}</h2>{_html_table(heading, rows)}")
    plots = all_plots(result)
    if plots:
        body.append("<h2>Pictures</h2>")
    body += [f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>" for _, caption, svg in plots]
    forfeits = _forfeits(result)
    if forfeits:
        body.append("<h2>Forfeits</h2><ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in forfeits) + "</ul>")
    body.append(f"<h2>How to read this</h2><p>{html.escape(HOW_TO_READ)}</p>")
    ran = f"<br><code>{html.escape(command)}</code>" if command else ""
    body.append(f"<footer>{html.escape(_made(result))}{ran}</footer>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(result.game)}: {html.escape(', '.join(result.players))}</title>"
        f"<style>{_STYLE}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def markdown_report(result: MatchResult, command: str = "", plots: list[str] | None = None) -> str:
    """The whole report as Markdown text."""
    parts = [f"# {_plain(result.game)}", _plain(headline(result)) + "."]
    if verdict(result):
        parts.append(f"**{_plain(verdict(result))}**")
    if result.test:
        parts.append(f"Sequential test: {result.test}.")
    parts += [f"> {_plain(note)}" for note in result.notes]
    for title, (heading, rows) in _tables(result):
        parts += [f"## {title}", markdown_table(heading, rows)]
    parts += plots or []
    forfeits = _forfeits(result)
    if forfeits:
        parts += ["## Forfeits", "\n".join(f"- {_plain(line)}" for line in forfeits)]
    parts += ["## How to read this", HOW_TO_READ, _made(result) + (f" `{command}`" if command else "")]
    return "\n\n".join(parts) + "\n"


def markdown_table(heading: list[str], rows: list[list[str]]) -> str:
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join(
        "| " + " | ".join(_plain(cell) if row is not lines[1] else cell for cell in row) + " |" for row in lines
    )


def _tables(result: MatchResult) -> list[tuple[str, tuple[list[str], list[list[str]]]]]:
    found = [("Players", columns(result)), ("Who met whom", pair_rows(result)), ("Seats", seat_rows(result))]
    return [(title, table) for title, table in found if table[1]]


def _html_table(heading: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{_html_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _html_cell(text: str) -> str:
    """A figure with its interval in small print below it, so that a table stays as narrow as its page."""
    figure, bracket, interval = text.partition(" (")
    return html.escape(figure) + (f"<small>({html.escape(interval)}</small>" if bracket else "")


def _forfeits(result: MatchResult) -> list[str]:
    lines = [f"{one.reason} (record {one.id[:8]})" for one in result.outcomes if one.forfeit >= 0]
    more = [f"and {len(lines) - MOST_FORFEITS} more"] if len(lines) > MOST_FORFEITS else []
    return lines[:MOST_FORFEITS] + more


def _made(result: MatchResult) -> str:
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    return f"Made by Boardwright {__version__} on {day}; code of players {result.code}."


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\|*_<>[]`#":
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def write_text(path: Path, text: str) -> None:
    """The file appears when it is complete."""
    with whole_file(path) as file:
        file.write(text.encode())


def check_writable(path: Path) -> None:
    """Say before hours of play that a report could not be written after them."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(f"cannot write {path}: {'it is a folder' if path.is_dir() else 'its folder does not exist'}")


def commit() -> str:
    """The commit that is measured, with a mark where files differ from it."""

    def git(*arguments: str) -> str:
        options: dict[str, Any] = {"cwd": Path(__file__).parent, "capture_output": True, "text": True, "check": True}
        told = subprocess.run(["git", *arguments], **options)  # noqa: S603, S607 - our own words to the user's git
        return str(told.stdout).strip()

    try:
        head = git("rev-parse", "--short=10", "HEAD")
        return head + ("+changes" if git("status", "--porcelain", "--", ".", "..") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
