"""The page of 2048, section by section: the report's figures beside ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardwright.arena.summary import percent, points
from boardwright_lab.twenty48 import reported
from boardwright_lab.twenty48.reported import Told
from boardwright_lab.twenty48.sample import Sample, apart, best_and_worst, compared, games_to_tell
from boardwright_lab.twenty48.settings import (
    CONSTANTS,
    DEVIATION,
    MASB_DEPTHS,
    ROLLOUT_DEPTH,
    UCT_CONSTANT,
    UCT_DEPTH,
    UCT_DEPTHS,
    Size,
)

if TYPE_CHECKING:
    from boardwright_lab.page import Page


def write_summary(page: Page, hybrid: Sequence[Sample], fixed: Sample, strong: dict[float, list[Sample]]) -> None:
    """The heading, what became of it in one paragraph, and how it was measured."""
    same, learnt = hybrid[0], strong[reported.FOUR][-1]
    page.say(f"""# 2048 by tree search and by playouts

The report let a tree search (UCT) play 2048, found it weak, and did better with MASb (the mean of playouts cut at a
depth, for each move) and best with a hybrid of both: 19,193 points on average, the 2048 tile in 35 % of 20 games. Ours
with the hybrid's settings, in a tree that keeps one new tile a node, scores {points(fixed.score)} and reaches 2048 in
{percent(fixed.reached(2048))}; in a tree with every tile that may come, {points(same.score)} and
{percent(same.reached(2048))}. Values learnt by playing, which ship with Boardwright, and a look at every tile
(`{learnt.name}`) score {points(learnt.score)} with the same tile odds.""")
    page.say(HOW)


HOW = f"""## How this was measured

New tiles are 2s and 4s at 80 to 20, as in the report; the original game has 90 to 10, and the last table shows both.
Each table says how many games a point has. The report had {reported.GAMES}; points whose games take seconds have no
more here. Brackets are 95 % intervals. The report's curves are pictures; its points below are those that its text
gives. Times are by the clock, one thread a game; other work on the machine makes them longer."""


def write_uct(
    page: Page,
    constants: Sequence[Sample],
    fixed_constants: Sequence[Sample],
    depths: Sequence[Sample],
    fixed_depths: Sequence[Sample],
    simulations: int,
) -> None:
    """Figures 3 to 7. `fixed_...` are games in the tree of one tile."""
    from boardwright_lab.twenty48.pictures import panels

    page.say(f"""## Figures 3 to 7: UCT

{simulations:,} simulations a move, uniform playouts that are cut after some moves, a new tree for each move. Figures 3
and 4 vary the constant of UCB1 at depth {UCT_DEPTH}, figures 5 to 7 the depth at a constant of {UCT_CONSTANT}. Two
kinds of tree:

- **One tile**: a node keeps the tile that came when it was made, as if no other could come. So the report's tree grows,
  as far as its text tells. Here the tile follows from the board (`OneTile`): the search thinks in a game without luck
  and plays in the real one.
- **All tiles**: every tile that may come is a child, visited as often as it is likely. So our search does it.

The constant is in points, as in the report, whose values are scores. Our engine scales values to 0..1 by how far they
deviate from their mean; {DEVIATION:g} points are taken for the conversion. UCB1's usual constants are meant for results
of 0 and 1: among scores, 2 to 20 points are next to no exploration. {CONSTANTS[-2]} and {CONSTANTS[-1]} are not in the
report.""")
    for name, title, xs, fixed, real, told in (
        ("figures-3-4", "Figures 3 and 4: UCT by the constant of UCB1", CONSTANTS, fixed_constants, constants,
         reported.CONSTANT),
        ("figures-5-7", "Figures 5 to 7: UCT by the depth of playouts", UCT_DEPTHS, fixed_depths, depths,
         reported.UCT_DEPTH),
    ):  # fmt: skip
        rows = [
            [str(x), _told(told, x), points(one.score), points(all_.score),
             f"{all_.score.value / one.score.value:.2f}{'' if apart(one, all_) else ' (luck)'}",
             percent(all_.reached(512)), f"{all_.milliseconds:.1f}"]
            for x, one, all_ in zip(xs, fixed, real, strict=True)
        ]  # fmt: skip
        setting = "constant" if xs is CONSTANTS else "depth"
        page.table(
            f"{title}; {len(real[0].games)} games a point",
            [setting, "the report", "one tile", "all tiles", "all / one", "512 reached, all tiles", "ms a move"],
            rows,
        )
        at = [(list(xs).index(int(one.x)), one) for one in told]
        page.figure(
            name,
            panels([str(x) for x in xs], [("one tile", fixed), ("all tiles", real)], at, setting),
            f"{title}. Bars are 95 % intervals; tiles are those of the tree with all tiles.",
        )
    page.say(
        "Ratios marked (luck) are no further from 1 than luck explains. A tree that keeps one tile plans for a future "
        "that will not come, and likes the slides after which a good tile happened to come.\n\n"
        f"**The constant**: with all tiles {best_and_worst(constants, CONSTANTS, 'constant')}; with one tile "
        f"{best_and_worst(fixed_constants, CONSTANTS, 'constant')}. With next to no exploration a search goes again "
        "and again into the slide that looked best first, in either tree.\n\n"
        f"**The depth**: with all tiles {best_and_worst(depths, UCT_DEPTHS, 'depth')}; with one tile "
        f"{best_and_worst(fixed_depths, UCT_DEPTHS, 'depth')}.\n\n"
        "The report's search need not agree with our one-tile search in the score itself: the text leaves open which "
        "value it backs up, and it goes into a new node's first child instead of a random one."
    )


def write_masb(page: Page, depths: Sequence[Sample], rollouts: Sequence[Sample], fixed: Sample, size: Size) -> None:
    """Figures 8 to 13. `fixed` are games with the report's best number of playouts from one tile a move."""
    from boardwright_lab.twenty48.pictures import panels

    page.say(f"""## Figures 8 to 13: MASb

No tree: every move is tried, the real tiles are drawn, and playouts of random moves go on from there to a depth. The
mean of their scores decides. Figures 8 to 10 vary the depth at {size.masb} playouts a move, figures 11 to 13 the
playouts at depth {ROLLOUT_DEPTH}.""")
    for name, title, xs, found, told in (
        ("figures-8-10", "Figures 8 to 10: MASb by depth", MASB_DEPTHS, depths, reported.MASB_DEPTH),
        ("figures-11-13", "Figures 11 to 13: MASb by playouts", size.rollouts, rollouts, reported.MASB_ROLLOUTS),
    ):
        setting = "depth" if xs is MASB_DEPTHS else "playouts a move"
        rows = [
            [str(x), _told(told, x), points(one.score), f"{one.best:,.0f}", percent(one.reached(1024)),
             percent(one.reached(2048)), f"{one.milliseconds:.1f}"]
            for x, one in zip(xs, found, strict=True)
        ]  # fmt: skip
        page.table(
            f"{title}; {len(found[0].games)} games a point",
            [setting, "the report", "ours", "best game", "1024 reached", "2048 reached", "ms a move"],
            rows,
        )
        at = [(list(xs).index(int(one.x)), one) for one in told if int(one.x) in xs]
        page.figure(
            name, panels([str(x) for x in xs], [("ours", found)], at, setting), f"{title}. Bars are 95 % intervals."
        )
    at_best = rollouts[size.rollouts.index(size.best_rollouts)]
    page.say(
        "The report sees its best depth at 10, and a fall beyond 300 playouts. Ours: "
        f"{best_and_worst(depths, MASB_DEPTHS, 'depth')}; {best_and_worst(rollouts, size.rollouts, 'playouts')}. More "
        "playouts of the same kind only make the same means more exact, so a fall beyond some number is luck. The "
        f"report needed {1000 * reported.SECONDS_300:.0f} ms a move for 300 playouts.\n\n"
        "Why its scores differ from ours at the same settings, its text does not tell. One guess can be tried: that a "
        "move's child already has its new tile, one tile for all playouts of the move. So played, "
        f"{size.best_rollouts} playouts scored {points(fixed.score)} in {len(fixed.games)} games; with a new tile for "
        f"each playout {compared(at_best, fixed)}."
    )


def write_hybrid(page: Page, found: Sequence[Sample], fixed: Sample, size: Size) -> None:
    """Figures 14 and 15. `fixed` are games with the report's settings in the tree of one tile."""
    from boardwright_lab.twenty48.pictures import panels

    told = reported.HYBRID
    page.say(f"""## Figures 14 and 15: the hybrid

A few steps of tree search with many playouts at each leaf: the report's best had 6 steps, 200 playouts a leaf, depth 8.
The others spread the same {size.steps[0] * size.leaf:,} playouts a move over more steps. The report's other group of
games is told without its settings, and cannot be repeated.""")
    rows = [
        ["the report's", str(reported.GAMES), f"{told.mean:,.0f}", f"{told.best:,.0f}", "", f"{told.reached:.0%}", ""]
    ]
    rows += [
        [name, str(len(one.games)), points(one.score), f"{one.best:,.0f}", percent(one.reached(1024)),
         percent(one.reached(2048)), f"{one.milliseconds:.1f}"]
        for name, one in ((f"{found[0].name}, one tile", fixed), *((one.name, one) for one in found))
    ]  # fmt: skip
    page.table(
        "Figures 14 and 15: hybrids",
        ["player", "games", "mean score", "best game", "1024 reached", "2048 reached", "ms a move"],
        rows,
    )
    page.figure(
        "figures-14-15",
        panels([str(steps) for steps in size.steps], [("ours", found)], [(0, told)], "steps of the tree"),
        "Figures 14 and 15: hybrids with the same number of playouts a move. Bars are 95 % intervals.",
    )
    held = "within" if fixed.score.low <= told.mean <= fixed.score.high else "outside"
    page.say(
        f"At the report's settings, all tiles against one tile: {compared(found[0], fixed)}. The report's own mean "
        f"lies {held} the interval of our tree with one tile. By the steps of the tree, with all tiles: "
        f"{best_and_worst(found, size.steps, 'steps')}."
    )


def write_spread(page: Page, everything: Sequence[Sample]) -> None:
    """How little 20 games can tell."""
    spread = math.fsum(one.spread for one in everything) / len(everything)
    few = [one.first(reported.GAMES) for one in everything]
    margin = math.fsum(one.score.margin / one.score.value for one in few) / len(few)
    page.say(f"""## How much {reported.GAMES} games tell

Over all points above, the score of a game deviates from its mean by {100 * spread:.0f} % of it. So
{len(few[0].games)} games fix a mean to {100 * margin:.0f} % either way (95 %, a mean over the points). To find a
difference of 10 % between two settings takes about {games_to_tell(spread, 0.1):,} games of each, one of 30 % about
{games_to_tell(spread, 0.3):,}. Humps and dips smaller than that in a curve through such points say nothing.""")


def write_what_worked(
    page: Page, hybrid: Sequence[Sample], rollouts: Sequence[Sample], strong: dict[float, list[Sample]]
) -> None:
    """Every player in one table."""
    page.say("""## What made it work

- **Chance.** Every tile that may come is a child of the tree; every playout draws its own.
- **Exploration in the measure of the scores.** UCB1's constant must be about as large as values deviate, which a search
  can find out by itself (figure 3).
- **Expectimax** looks at every slide and every tile for two moves and counts points; no playouts at all.
- **Hand-made values** (`heuristic`): empty cells, pairs that could merge, lanes in order; expectimax above them.
- **Learnt values** (`tuples`): four patterns of five cells, learnt from 120,000 games. The table ships with
  Boardwright; it was learnt with tiles at 90 to 10.

`plies` and expectimax's `depth` count slides.""")
    told = reported.HYBRID
    rows = [
        ["the report's hybrid", "80/20", str(reported.GAMES), f"{told.mean:,.0f}", f"{told.reached:.0%}", "", "", ""]
    ]
    of_report_odds = [max(rollouts, key=lambda one: one.score.value), *hybrid, *strong[reported.FOUR]]
    for odds, samples in (("80/20", of_report_odds), ("90/10", strong[0.1])):
        rows += [
            [one.name, odds, str(len(one.games)), points(one.score), percent(one.reached(2048)),
             percent(one.reached(4096)), percent(one.reached(8192)), f"{one.milliseconds:.2g}"]
            for one in samples
        ]  # fmt: skip
    page.table("All players", ["player", "2s/4s", "games", "mean score", "2048", "4096", "8192", "ms a move"], rows)


def _told(told: Sequence[Told], x: float) -> str:
    return next((f"{one.mean:,.0f}" for one in told if one.x == x), "")
