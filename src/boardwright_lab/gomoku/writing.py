"""What was found, in words, tables and figures. Every figure in a sentence is computed from the run."""

from __future__ import annotations

import numpy as np

from boardwright_lab.gomoku.contest import Score
from boardwright_lab.gomoku.curves import DRAWN, RULES
from boardwright_lab.gomoku.experiments import (
    CURED,
    CURED_CURED,
    FLAT,
    IMAGES,
    REPORTED_CURED,
    REPORTED_GAMES,
    REPORTED_REPORTED,
    Findings,
    Strength,
)
from boardwright_lab.gomoku.nets import LAYERS, steepest_preference
from boardwright_lab.gomoku.pictures import column, gradient_figure, learning_figure
from boardwright_lab.gomoku.train import Training
from boardwright_lab.page import Page

WANTED = {"random": 0.95, "win-block": 0.60}  # the policy alone, and search with the networks


def write_up(found: Findings, page: Page) -> None:
    """The whole page."""
    _opening(found, page)
    _settings(found, page)
    _vanishing(found, page)
    _learning(found, page)
    _strength(found, page)
    _larger(found, page)


def _opening(found: Findings, page: Page) -> None:
    alone = _of(found, f"{CURED_CURED}, best move, {IMAGES}").scores["random"]
    plain = _of(found, f"{CURED_CURED}, best move").scores["random"]
    search = _of(found, "MCTS with the trained networks").scores["win-block"]
    seconds = column(found.curves[CURED_CURED], "seconds")[-1]
    page.say(
        f"""
# Gomoku by policy gradient, and why it stood still

The report set out to learn Gomoku on 7x7 by policy gradient against a pool of earlier selves, to slide the small
board's network over a larger board, and to search with the networks. It trained for three hours and saw no significant
improvement; it suspected vanishing gradients. Here the same network of 4 convolutions and 2 dense layers, without its
sigmoids, trains for {_duration(seconds)} of one core's time. The policy alone takes {alone.text} of the points against
random play (wanted: over 95 %; {_met(alone, "random")}), asked for its best move over the board's 8 images;
{plain.text} if it sees the board as it lies. With MCTS on the networks it takes {search.text} against
win-block (wanted: over 60 %; {_met(search, "win-block")}). A draw counts as half; ranges are intervals of 95 %.
"""
    )


def _settings(found: Findings, page: Page) -> None:
    theirs, ours, sizes = Training(), CURED, found.sizes
    page.say(
        "## What was built\n\nPolicy and value are two networks, as in the report. What it does not tell is marked *."
    )
    rows = [
        [
            "network",
            "4 convolutions, 2 dense layers",
            f"the same: {sizes.channels} channels of 3x3, {sizes.hidden} hidden",
        ],
        ["sees", "one plane of 1, 0, -1", "own stones, the other's, the latest, ones (for both stacks)"],
        ["dense layers", "sigmoid", "ReLU, then nothing"],
        ["policy", "softmax, mask, scale", "softmax over the legal moves' logits"],
        ["convolutions", "one after the other", "each adds to what it was given (residual)"],
        ["games an episode", str(theirs.games), f"{ours.games}, in lock-step"],
        ["a copy joins the pool", f"every {theirs.pool_every} episodes", f"every {ours.pool_every} episodes"],
        ["opponents an episode", "one, any of the pool", f"{ours.opponents}, any of the pool"],
        ["the learner moves", "first", "first in every other game"],
        ["step", f"gradient descent, rate {theirs.rate}*", f"Adam, rate {ours.rate}, fading to 0"],
        ["weight of a move", "the game's result", "the result less the value network's word"],
        ["the last layer begins", "at the usual size*", f"{FLAT} of it, for a policy that tries everything"],
        ["besides", "", f"random image of the board; entropy rewarded by {ours.entropy} a nat"],
    ]
    page.table("Settings", ["", "the report", "ours"], rows)
    page.say(
        "The report's horizon of 30 moves a player can not be reached on 49 cells, so games are played to their end. "
        "The rate, the entropy's weight and the number of opponents were settled by whole trainings with the random "
        "seed of this page: another seed may end lower."
    )


def _vanishing(found: Findings, page: Page) -> None:
    first, ours = found.slopes[0], found.slopes[3]
    ratios = ours.norms / np.maximum(first.norms, 1e-30)
    page.say("## What vanishes")
    page.figure(
        "gradients", gradient_figure(found.slopes),
        f"What reaches each layer: root mean square over {found.sizes.positions} positions of the gradient's norm. All "
        "fresh forms have the same weights and see the same positions.",
    )  # fmt: skip
    page.table(
        "Norm of the gradient of log p(move), by layer, and the mean probability of the likeliest move",
        ["", *LAYERS, "likeliest"],
        [
            [slope.name, *(f"{norm:.2g}" for norm in slope.norms), f"{100 * slope.sharpest:.0f} %"]
            for slope in found.slopes
        ],
    )
    start, halfway = (100 * steepest_preference(count) for count in (found.sizes.small**2, found.sizes.small**2 // 2))
    page.say(
        f"""
- **The gradient.** A sigmoid's slope is at most 1/4, and two stand between the loss and the convolutions. Fresh, the
  first convolution of our stack gets {ratios[0]:.0f} times the gradient that the report's gets, the last dense layer
  {ratios[-1]:.1f} times.
- **The range.** A sigmoid ends between 0 and 1, and a softmax over such numbers can make no move more than e = 2.72
  times as likely as another. On the empty board no move can get more than {start:.1f} %; with half of the board full
  {halfway:.1f} %. Whatever the network knows, the moves that it draws stay close to random ones, and so do the games
  that it learns from. Our trained policy gives its likeliest move {100 * found.slopes[-1].sharpest:.0f} % on average,
  the report's {100 * found.slopes[-2].sharpest:.0f} %.
- **The mask** takes nothing away: masking after the softmax and scaling is the same function as a softmax over the
  legal moves, and has the same gradient (a test checks it).
"""
    )


def _learning(found: Findings, page: Page) -> None:
    page.say("## Who learns\n\nEither stack with either training.")
    for rival, name, plays in (
        (DRAWN, "curve-drawn", "moves drawn from it, as in training, against random"),
        ("random", "curve-random", "its best move, against random"),
        ("win-block", "curve-win-block", "its best move, against win-block"),
    ):
        page.figure(
            name,
            learning_figure(
                found.curves, rival, "games", REPORTED_GAMES, WANTED["random"] if rival == "random" else 0.0
            ),
            f"The policy alone, {plays}: {found.sizes.point_games} games a point, both seats alike, draws half; bands "
            "are intervals of 95 %.",
        )
    rows = []
    for name, trained in found.curves.items():
        games, seconds, entropy, value, gradient = (
            column(trained, part) for part in ("games", "seconds", "entropy", "value_loss", "gradient")
        )
        rows.append(
            [
                name,
                f"{games[-1]:,.0f}",
                f"{seconds[-1]:,.0f}",
                f"{gradient[0]:.2g}",
                f"{entropy[0]:.2f} to {entropy[-1]:.2f}",
                f"{value[0]:.2f} to {value[-1]:.2f}",
            ]
        )
    page.table(
        "The trainings (kept on disk: a run that finds them does not train again)",
        ["", "games", "CPU seconds", "policy gradient's norm at first", "entropy (nats)", "value's squared error"],
        rows,
    )
    reached = _first_above(found, CURED_CURED, WANTED["random"])
    both = _first_above(found, REPORTED_CURED, WANTED["random"])
    theirs, ours = (_of(found, f"{name}, moves drawn").scores["random"] for name in (REPORTED_CURED, CURED_CURED))
    begin = 100 * column(found.curves[REPORTED_REPORTED], "random share")[0]
    page.say(
        f"""
Our stack with our training {_reached(reached)}. The report's stack with our training {_reached(both)}. A best move
needs no more than the right order of the moves, and Adam, which divides each gradient by its own size, makes up for a
small one. What no training can give the report's stack is a policy that means it: its entropy can not fall far, and its
drawn moves take {theirs.text} against random, ours {ours.text}. Mind where the best moves begin: after one episode the
report's network takes {begin:.0f} % with them, for any fixed order of the cells makes lines.
"""
    )


def _strength(found: Findings, page: Page) -> None:
    page.say(
        f"""
## How strong

{found.sizes.games} games a cell, each player first in half of them: won / drawn / lost, and the share of the points (a
draw is half) with its interval of 95 %. The report gives no figure of strength to set beside these.

MCTS is the engine's own: PUCT with {found.sizes.simulations} simulations a move and the networks at its leaves, one
tree a game, the leaves of all games in one batch. It knows the rules and the networks, and nothing else: the engine's
threat search and its forced replies are switched off. With fresh networks it shows what search alone is worth.
"""
    )
    page.table("Strength on 7x7", _heading(), [_cells(one) for one in found.strengths])


def _larger(found: Findings, page: Page) -> None:
    larger, sizes = found.larger, found.sizes
    windows = (sizes.large - sizes.small + 1) ** 2
    seconds = [column(one, "seconds")[-1] for one in (larger.windows, larger.rival)]
    games = [column(one, "games")[-1] for one in (larger.windows, larger.rival)]
    learning, whole = larger.parameters
    page.say(
        f"""
## The moving window

The 7x7 networks, as they are, look at each of the {windows} windows of a {sizes.large}x{sizes.large} board; their
policies stand as {windows} planes with zeros outside. A global network without dense layers sees the whole board, and
two convolutions of 1x1 join all planes to one. Before training the joined network plays the move that the most
confident window likes best. {learning:,} weights of its policy learn; the rival, the stack of the small board on the
larger one from fresh weights, has {whole:,}. A window's network takes the window's edge for the board's: that is what
the global network has to mend. Both train as on 7x7.
"""
    )
    curves = {"windows and global network": larger.windows, "from nothing": larger.rival}
    for rule in RULES:
        page.figure(
            f"window-{rule}",
            learning_figure(curves, rule, "games"),
            f"{sizes.large}x{sizes.large}: the policy's best move against {rule}, {sizes.point_games} games a point.",
        )
    page.table(f"Strength on {sizes.large}x{sizes.large}", _heading(), [_cells(one) for one in larger.strengths])
    page.table(
        "Windows and global network against the rival, best moves, from 4 random moves",
        ["the rival", "won / drawn / lost", "share"],
        [[name, score.counts, score.text] for name, score in larger.meetings],
    )
    page.say(
        f"""
The windows' training took {seconds[0]:,.0f} CPU seconds for {games[0]:,.0f} games, the rival's {seconds[1]:,.0f} for
{games[1]:,.0f}. After as many games the windows {_verdict(larger.meetings[0][1])}. Against the longer training they
{_verdict(larger.meetings[1][1])}.
"""
    )


# Words


def _of(found: Findings, name: str) -> Strength:
    return next(one for one in found.strengths if one.name == name)


def _heading() -> list[str]:
    return ["player", *(part for rule in RULES for part in (rule, "share"))]


def _cells(one: Strength) -> list[str]:
    return [one.name, *(part for rule in RULES for part in (one.scores[rule].counts, one.scores[rule].text))]


def _met(score: Score, rule: str) -> str:
    wanted = WANTED[rule]
    if score.share.low > wanted:
        return "reached"
    return "reached, though not beyond the interval" if score.share.value > wanted else "not reached"


def _verdict(score: Score) -> str:
    if score.share.low > 0.5:
        return f"are stronger ({score.text} of the points)"
    if score.share.high < 0.5:
        return f"are weaker ({score.text} of the points)"
    return f"can not be told from it ({score.text} of the points)"


def _first_above(found: Findings, name: str, wanted: float) -> tuple[float, float] | None:
    """(games, CPU seconds) of the first point of a curve that reaches a share against random."""
    trained = found.curves[name]
    above = np.flatnonzero(column(trained, "random share") >= wanted)
    if not len(above):
        return None
    return float(column(trained, "games")[above[0]]), float(column(trained, "seconds")[above[0]])


def _reached(when: tuple[float, float] | None) -> str:
    if when is None:
        return "did not reach 95 % against random"
    return f"first measured 95 % against random after {when[0]:,.0f} games ({_duration(when[1])})"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.1f} minutes"
