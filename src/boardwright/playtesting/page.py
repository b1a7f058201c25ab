"""The report as one page: everything inline, light and dark, for a desk and a phone."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from boardwright.arena.intervals import Estimate
from boardwright.arena.summary import decimals
from boardwright.games.named import in_words
from boardwright.playtesting.figure import Figure, Rows, Section, Verdict
from boardwright.playtesting.luck import DISTINCT
from boardwright.playtesting.plots import band, every_seat, expectations, histogram, interval, lines, pairs, whiskers
from boardwright.playtesting.records import command_for

if TYPE_CHECKING:
    from boardwright.playtesting.report import Report
    from boardwright.records import Record

Link = Callable[[str], str]  # a record's id -> its address

AGAIN = 10  # seconds, after which a report that grows is asked for again
GAMES_DRAWN = 4  # with a line for every seat, where there are more than two
ABOUT = (
    "Every figure is measured on games that were played for this report, and its interval holds the truth in 95 of 100 "
    "such reports. A hollow dot marks what is too early to say: more minutes narrow the intervals. What each figure "
    "means is behind its question mark."
)
PLAYERS = (
    "Random moves: any legal move. A rule of thumb: what the game's file calls good at a glance. Search, 64 tries: "
    "tries 64 continuations before each move, guided by the rule of thumb where there is one. Learnt: judges by many "
    "games that it has played; with a search on top, it judges what the search looks at. Perfect play: works the game "
    "out. The order is that of some games before all others, by the sum of Elo differences; strong players are the "
    "last in this list, the better of the two who came out best. Elo is the chess players' measure: who is 100 points "
    "ahead wins 64 % of games, 200 points 76 %, 400 points 91 %."
)


def page(report: Report, *, link: Link | None = None, growing: str = "", failed: str = "", home: str = "") -> str:
    """The whole page. `link`: the address at which a record can be opened, where somebody serves it; `growing`: what to
    say while games are still being played; `failed`: why there are no more; `home`: where all games are."""
    glance = "".join(
        f'<div><h3><a href="#{one.key}">{escape(one.title)}</a></h3>{_said(one.verdicts, one.key == "broken")}</div>'
        for one in report.sections
    )
    minutes = report.seconds / 60
    told = f"{report.games:,} games on {report.deals:,} deals in {minutes:.1f} minutes of play, seed {report.seed}"
    title = report.game.card.title or report.game.name
    options = " · ".join(in_words(report.game, report.game.options))
    sections = "".join(_section(one, report, link) for one in report.sections)
    state = f'<p class="growing" data-again="{AGAIN}">{escape(growing)}</p>' if growing else ""
    state += f'<p class="failed">{escape(failed)}</p>' if failed else ""
    return document(
        f"Playtest of {title}",
        f'<h1>Playtest: {escape(title)}</h1><p class="sub">{escape(report.game.title)}</p>'
        f'<p class="sub">{escape(options)}{" · " if options else ""}{escape(told)}</p>{state}'
        f'<div class="glance">{glance}</div>'
        f"{sections}{_looks(report, link)}{_players(report)}",
        growing_script() if growing else "",
        home,
    )


def growing_script() -> str:
    """What a page that grows asks for itself again with."""
    return f"<script>{files('boardwright.playtesting').joinpath('growing.js').read_text(encoding='utf-8')}</script>"


def document(title: str, body: str, head: str = "", home: str = "") -> str:
    """A page of our look around a body; `home`: the address that leads back, if there is one."""
    back = f'<p class="sub"><a href="{escape(home)}">All games</a></p>' if home else ""
    style = files("boardwright.playtesting").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>{back}{body}</main></body></html>\n"
    )


def _section(one: Section, report: Report, link: Link | None) -> str:
    plots = "".join(
        f"<figure><figcaption>{escape(text)}</figcaption>{plot}</figure>" for text, plot in _plots(one, report) if plot
    )
    rows = "".join(figure_row(figure) for figure in one.figures if not math.isnan(figure.estimate.value))
    tables = "".join(table(rows) for rows in one.tables)
    return (
        f'<section id="{one.key}"><h2>{escape(one.title)}</h2><p class="question">{escape(one.question)}</p>'
        f"{_said(one.verdicts, one.key == 'broken')}"
        f"{f'<div class=plots>{plots}</div>' if plots else ''}{rows}{tables}{_evidence(one, report, link)}</section>"
    )


def _said(verdicts: list[Verdict], bad: bool) -> str:
    def look(one: Verdict) -> str:
        return ' class="open"' if not one.sure else ' class="bad"' if bad and not one.text.startswith("Nothing") else ""

    return f'<ul class="said">{"".join(f"<li{look(one)}>{escape(one.text)}</li>" for one in verdicts)}</ul>'


def _plots(one: Section, report: Report) -> list[tuple[str, str]]:
    seats = int(report.game.players)
    if one.key == "fairness" and seats > 1:
        shares = [(f"seat {seat + 1}", one.figure(f"seat_{seat + 1}").estimate) for seat in range(seats)]
        weak = [(f"seat {seat + 1}", one.figure(f"weak_{seat + 1}").estimate) for seat in range(seats)]
        even = {1 / seats: "even"}
        moves = one.data.get("opening")
        opened = [
            (f"seat {seat + 1}", one.figure(f"opened_{seat + 1}").estimate) for seat in range(seats if moves else 0)
        ]
        named = f"wins by seat, after {moves} random moves"
        return [
            (
                "Share of wins, strong players" + (", from the start position" if moves else ""),
                whiskers(shares, "wins by seat", marks=even, seats=True),
            ),
            (
                f"The same after {moves} random moves",
                whiskers(opened, named, marks=even, seats=True) if moves else "",
            ),
            ("The same with random moves", whiskers(weak, "wins by seat, random moves", marks=even, seats=True)),
        ]
    if one.key == "length":
        return [
            (
                "How long games are: the number of games with so many moves",
                histogram(one.data["moves"], "lengths of games", "moves in a game"),
            ),
            (
                "Share of turns that matter, from start to end",
                band(one.data["course"], "turns that matter over the game"),
            ),
        ]
    if one.key == "luck":
        steps = [(step["level"], step["share"]) for step in one.data["steps"]]
        marks = {0.5: "equal", DISTINCT: "a level"}
        return [
            (
                f"Each player's share against the one below it; {100 * DISTINCT:.0f} % makes a level",
                whiskers(steps, "the ladder", marks=marks),
            )
        ]
    if one.key == "tension" and one.data.get("courses"):
        text = "What the player expected to have at the end, in games from the worst to the best, as points"
        return [(text, expectations(one.data["courses"], "expected results over the game"))]
    if one.key == "tension" and one.data.get("curves"):
        certain = (
            "How often the eventual winner is already ahead",
            band(one.data["certainty"], "how often the eventual winner is ahead"),
        )
        if seats > 2:
            drawn = one.data["curves"][1 :: max(len(one.data["curves"]) // GAMES_DRAWN, 1)][:GAMES_DRAWN]
            return [
                (
                    "Every seat's chance of winning in one game: "
                    + (f"seat {curve['winner'] + 1} won" if curve["winner"] >= 0 else "drawn"),
                    every_seat(curve, "chances of winning by seat"),
                )
                for curve in drawn
            ] + [certain]
        text = "Seat 1's chance of winning in a dozen games: red where seat 1 won, blue where another did, grey drawn"
        return [
            (text, lines(one.data["curves"], "chances of winning", seats)),
            certain,
        ]
    if one.key == "worth" and one.data["kinds"]:
        taken = [(row["kind"], row["strong"], row["weak"]) for row in one.data["kinds"]]
        without = [(row["kind"], row["without"]) for row in one.data["kinds"] if row["without"] is not None]
        found = [
            ("Taken where open: by strong players, and in grey by random ones", pairs(taken, "how often it is taken"))
        ]
        if without:
            found.append(
                ("What a strong player wins without it", whiskers(without, "restricted play", marks={0.5: "no loss"}))
            )
        return found
    return []


def figure_row(one: Figure) -> str:
    """A figure, its interval, and its definition a click away."""
    value, span = words(one.estimate, one.unit)
    spark = interval(one.estimate) if one.unit == "%" else ""
    return (
        f'<details class="figure"><summary><span>{escape(one.name)}</span><span class="value">{value}</span>'
        f'<span class="range">{span}</span>{spark}</summary>'
        f'<p class="means">{escape(one.means)} From {one.games:,} games.</p></details>'
    )


def words(estimate: Estimate, unit: str) -> tuple[str, str]:
    """Value and interval as texts."""
    if unit == "%":
        digits = 1 if estimate.margin < 0.01 else 0
        ends = (estimate.value, estimate.low, estimate.high)
        parts = [f"{round(100 * x, digits) + 0.0:.{digits}f}" for x in ends]  # + 0.0: no -0
        return f"{parts[0]} %", f"{parts[1]} to {parts[2]} %"
    signed = "+" if unit == "Elo" else ""
    digits = 0 if unit in ("Elo", "levels", "minutes") else min(decimals(estimate), 1 if estimate.margin > 0.05 else 2)
    value, low, high = (f"{end:{signed},.{digits}f}" for end in (estimate.value, estimate.low, estimate.high))
    if math.isinf(estimate.low) and math.isinf(estimate.high):
        return value if math.isfinite(estimate.value) else "-", "too early to say"
    if math.isinf(estimate.high):  # it won everything, or may have: no end is in sight
        return f"above {low}" if math.isinf(estimate.value) else value, f"{low} {unit} or more"
    if math.isinf(estimate.low):
        return f"below {high}" if math.isinf(estimate.value) else value, f"{high} {unit} or less"
    return value, f"{low} to {high} {unit}".rstrip()


def table(rows: Rows) -> str:
    """A table, estimates with their intervals below them."""
    worded = [at < 2 and all(isinstance(row[at], str) for row in rows.rows) for at in range(len(rows.heading))]
    head = "".join(
        f"<th{' class=word' if word else ''}>{escape(name)}</th>"
        for name, word in zip(rows.heading, worded, strict=True)
    )
    lines = (
        "".join(_cell(cell, name, at) for at, (cell, name) in enumerate(zip(row, rows.heading, strict=True)))
        for row in rows.rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f'<details class="about"><summary>What these mean</summary><p class="means">{escape(rows.means)}</p></details>'
    )


def _cell(cell: Any, name: str, at: int) -> str:
    if isinstance(cell, Estimate):
        if math.isnan(cell.value):
            return "<td>-</td>"
        unit = next((one for one in ("Elo", "points") if one in name), "%")
        value, span = words(cell, unit)
        return f"<td>{value}<small>{span.removesuffix(f' {unit}') if unit != '%' else span}</small></td>"
    if cell is None or cell == "":
        return "<td>-</td>" if cell is None else "<td></td>"
    if name == "":
        kind = "likely" if str(cell).endswith("?") else escape(str(cell).split()[-1])
        return f'<td class="word"><span class="tag {kind}">{escape(str(cell))}</span></td>'
    text = f"{cell:,}" if isinstance(cell, int) else escape(str(cell))
    return f"<td{' class=word' if isinstance(cell, str) and at < 2 else ''}>{text}</td>"


def _evidence(one: Section, report: Report, link: Link | None) -> str:
    if one.key != "broken":
        return ""
    shown = "".join(
        f"<li><strong>{escape(broken.key)}</strong>{_way(record, 'records replay', report, link)}</li>"
        for broken, record in report.shown
        if record
    )
    return f'<h3>Games that show it</h3><ul class="looks">{shown}</ul>' if shown else ""


def _way(record: Record, command: str, report: Report, link: Link | None) -> str:
    """How a game is looked at: its address, where somebody serves it, and the command."""
    address = f'<a href="{escape(link(record.id), quote=True)}">Open it</a> · ' if link else ""
    return f"{address}<code>{escape(command_for(command, record, report.game))}</code>"


def _looks(report: Report, link: Link | None) -> str:
    if not report.looks:
        return ""

    rows = "".join(
        f"<li><strong>{escape(one.name)}</strong>{escape(one.why)}."
        + (f"<br>{_way(one.record, 'analyse', report, link)}" if one.record else "")
        + "</li>"
        for one in report.looks
    )
    return (
        '<section id="looks"><h2>Games to look at</h2><p class="question">Between equal strong players; they are in '
        "your library of games, where the page of <code>boardwright serve</code> shows them.</p>"
        f'<ul class="looks">{rows}</ul></section>'
    )


def _players(report: Report) -> str:
    ladder = "".join(f"<li>{escape(one.name)} <code>{escape(one.spec)}</code></li>" for one in report.levels)
    wanting = "".join(f"<li>{escape(text)}</li>" for text in report.open_questions)
    more = f"<h3>What more minutes would settle</h3><ul>{wanting}</ul><br>" if wanting else ""
    return (
        f'<section id="how"><h2>How this was measured</h2><p class="question">{escape(ABOUT)}</p>{more}'
        f'<h3>The players, the weakest first</h3><p class="question">{escape(PLAYERS)}</p><ul>{ladder}</ul></section>'
    )
