"""The page's sections about tic-tac-toe. Every sentence about a figure is made from that figure."""

from __future__ import annotations

import numpy as np

from boardwright.arena import MatchResult
from boardwright.arena.intervals import wilson
from boardwright.arena.summary import percent
from boardwright.draw.tree_svg import tree_picture
from boardwright_lab.azul import figures
from boardwright_lab.azul.boards import (
    CAN_WIN,
    EARLY,
    MUST_BLOCK,
    MUST_WIN,
    ONLY_THE_CENTRE,
    board,
    root_values,
    root_visits,
    search,
)
from boardwright_lab.azul.experiments import LOOPS, Findings, policy_on
from boardwright_lab.azul.games import Score
from boardwright_lab.azul.loop import Lap
from boardwright_lab.azul.plain import PlainSearch, plain_toy_model
from boardwright_lab.page import Page

SIMULATIONS = 500
CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")


def search_section(page: Page) -> None:
    page.say("""
## The search

A simulation goes down by the largest Q(s, a) + c P(s, a) sqrt(N(s)) / (1 + N(s, a)), with Q brought to 0..1, and
asks the model about the first new position. The toy model likes all moves alike and says 0.0123 of everything.
`plain.py` is that search in plain Python. It can follow the report's listing to the letter; the engine's own PUCT
counts an untried move as its parent's mean, not as even, and does not join positions that are reached in two ways.
""")
    for title, cells, report_visits, report_values in (
        ("Win in one (X on a3 and b2, X to move)", CAN_WIN, dict(enumerate(figures.REPORTED_WIN_VISITS)),
         dict(enumerate(figures.REPORTED_WIN_VALUES))),
        ("Only the centre (O to move; X threatens b2)", ONLY_THE_CENTRE, {}, figures.REPORTED_CENTRE_VALUES),
    ):  # fmt: skip
        position = board(cells)
        letter = PlainSearch(position, plain_toy_model, as_reported=True, slipped=True).simulate(SIMULATIONS)
        ours = search(position, SIMULATIONS)
        visits, values = root_visits(ours), root_values(ours)
        rows = []
        for move, tried, worth in zip(letter.moves, letter.tried, letter.worth, strict=True):
            rows.append([
                CELLS[move], str(report_visits.get(move, "not printed")), str(tried), str(visits[move]),
                f"{report_values[move]:+.5f}", f"{worth / tried:+.5f}", f"{values[move]:+.5f}",
            ])  # fmt: skip
        page.table(
            f"{title}: 500 simulations, c = 3",
            ["move", "N: report", "its listing again", "engine", "Q: report", "its listing again", "engine"],
            rows,
        )
        found = zip(letter.moves, letter.tried, letter.worth, strict=True)
        off = max(abs(report_values[move] - worth / tried) for move, tried, worth in found)
        same = "to every digit printed" if off < 1e-6 else f"to within {off:.4f}"
        page.say(
            f"Followed to the letter, the listing gives the report's values {same}. The engine gives most visits to "
            f"{CELLS[int(visits.argmax())]}: {int(visits.max())} of {int(visits.sum())}."
        )
    page.say("""
The match with the listing settles a doubt: at a new position the report adds the network's value, which is meant for
the player to move there, to the player who has just moved. The sign is wrong. With the toy model's 0.0123 that is
next to nothing; with a trained network the search seeks what it should avoid. Below, "the slip" is this.
""")
    for name, cells, simulations, top, depth, caption in (
        ("tree-centre", ONLY_THE_CENTRE, SIMULATIONS, 4, 3,
         "Only the centre: the tree after 500 simulations, to three moves. Blue is O, who must play b2."),
        ("tree-wide", EARLY, 200, 7, 1, "A wide tree: one stone each, 200 simulations spread over seven moves."),
    ):  # fmt: skip
        grown = search(board(cells), simulations)
        assert grown.tree is not None
        page.picture(name, tree_picture(grown.tree, board(cells), top=top, depth=depth, board=104), caption)


def limit_section(page: Page) -> None:
    page.say("""
## Two of the homework's questions, measured

*Does the value of the winning centre go to 1 with more simulations?* The report says no, since exploration goes on
for ever. Measured, the gap shrinks as one over the square root of the simulations: a move that is worse gets about
sqrt(N) of N visits, a share that goes to 0. *What does more exploration do at a fixed number?* It lowers the value.
""")
    position = board(ONLY_THE_CENTRE)
    rows = []
    for simulations, c in ((500, 3.0), (5_000, 3.0), (50_000, 3.0), (500_000, 3.0), (500, 1.0), (500, 10.0)):
        value = root_values(search(position, simulations, c, leaves=64))[4]
        rows.append([f"{simulations:,}", f"{c:g}", f"{value:.4f}", f"{(1 - value) * np.sqrt(simulations):.2f}"])
    page.table("Value of the centre", ["simulations", "c", "Q(b2)", "(1 - Q) sqrt(simulations)"], rows)


def last(laps: list[Lap]) -> Score:
    score = laps[-1].score
    assert score is not None
    return score


def scored(laps: list[Lap]) -> list[tuple[int, Score]]:
    return [(lap.number, lap.score) for lap in laps if lap.score is not None]


def loop_section(page: Page, found: Findings) -> None:
    page.say("""
## AlphaZero's loop on tic-tac-toe

An iteration plays games against itself with search, then trains. The report: 10 games at 50 simulations, one step of
plain gradient descent on two dense layers of 1024; 15 times. *Its sign set right*: the same without the slip. *And
learnt from well*: the same games, but 60 steps of Adam an iteration over the last five iterations' positions,
turned and mirrored, with illegal moves masked in the loss. *Our loop*: 64 games at 24 simulations with a Gumbel
root, its improved policy as the target, each game after up to four random moves, a small convolution net. Each test
is 200 games of the bare policy against random play.
""")
    curves = {name: scored(laps) for name, laps in found.loops.items()}
    page.figure(
        "loop-tictactoe", figures.learning_curves(figures.REPORTED_LOOP, curves, "iteration"),
        "Games won against random play by the network's policy alone. Bands are 95 % intervals.",
    )  # fmt: skip
    share = percent(wilson(0.01 * figures.REPORTED_LOOP[-1] * 200, 200))
    rows = [["the report's figures", "15", "150", share, "31.5 %"]]
    for name, laps in found.loops.items():
        score, iterations = last(laps), len(laps)
        games = iterations * LOOPS[name][1].games
        rows.append([name, str(iterations), str(games), percent(score.wins), f"{100 * score.lost / score.games:.1f} %"])
    page.table("After the last iteration", ["", "iterations", "games played", "won", "lost"], rows)


def tree_section(page: Page, found: Findings) -> None:
    page.say("""
## Straight from one deep tree

The report's second way plays no games: it grows one deep tree from the empty board with the network as it is, and
every node with more than four visits is an example: its visits, and the value of its best move. 5 epochs of 500
batches of 100. Its first tree has 5,000 simulations; how many the trees of the epochs have is cut off in the text,
and their table has room for 20,000. Here are both. *As in the report* grows the very tree of the listing. *Ours*
takes the engine's tree, only nodes with 20 visits or more, and learns from them with masked loss, images and Adam,
200 batches an epoch.
""")
    curves = {name: list(enumerate(scores, 1)) for name, scores in found.trees.items()}
    page.figure(
        "loop-trees", figures.learning_curves(figures.REPORTED_TREES, curves, "epoch"),
        "Learning from the nodes of deep trees: games won against random play by the policy alone.",
    )  # fmt: skip
    rows = [["the report's figures", *(f"{one:.1f} %" for one in figures.REPORTED_TREES)]]
    epochs = len(next(iter(found.trees.values())))
    rows[0] = rows[0][: epochs + 1]
    for name, scores in found.trees.items():
        rows.append([name, *(percent(score.wins) for score in scores)])
    page.table("Won against random, 200 games", ["", *(f"epoch {n}" for n in range(1, epochs + 1))], rows)
    page.say("""
That this is quick on tic-tac-toe says nothing of larger games: a tree of 20,000 simulations sees most of its 5,478
positions, and next to nothing of Azul.
""")


def boards_section(page: Page, found: Findings) -> None:
    page.say("""
## The two questions to the network

*Can it prevent an instant loss?* The block is b1. The report answers yes; the logits that it prints are largest at
c2, which does not block. *Can it take an instant win?* The win is c3. The report's logits say so. (Both boards have
more stones of one player than a game allows, so that no network has seen anything like them.) Ours are those of our
loop's network.
""")
    rows = []
    for name, cells, logits, wanted in (
        ("block", MUST_BLOCK, figures.REPORTED_BLOCK_LOGITS, 7),
        ("win", MUST_WIN, figures.REPORTED_WIN_LOGITS, 2),
    ):
        policy, value = policy_on(found.judge, cells)
        weights = np.exp(list(logits.values()))
        theirs = dict(zip(logits, weights / weights.sum(), strict=True))
        for move in policy:
            rows.append([
                name, CELLS[move] + (" (right)" if move == wanted else ""), f"{logits[move]:+.3f}",
                f"{100 * theirs[move]:.0f} %", f"{100 * policy[move]:.0f} %", f"{value:+.2f}",
            ])  # fmt: skip
    page.table(
        "Policies on the report's boards",
        ["board", "move", "the report's logit", "as a probability", "ours", "our value of the board"],
        rows,
    )


def ended(result: MatchResult) -> Score:
    line = result.table.players[0]
    return Score(line.wins, line.draws, line.losses)


def four_section(page: Page, found: Findings) -> None:
    page.say(f"""
## Net, search, both, neither

The report's four histograms, without figures in its text, with our loop's network. Naive search is PUCT with the toy
model, 100 simulations; net with search has the network at the leaves instead. Both are without our engine's proofs
and threats, as in the report. The report's net and searches have no luck: of its 2,000 games between net and naive
search only two differ, one a seat. Here games between two such players begin with two random moves, the same for
both seats ({found.four["net, naive search"].table.distinct} distinct games with the net alone,
{found.four["net with search, naive search"].table.distinct} with its search).
""")
    scores = {name.replace(", ", "\nvs "): ended(result) for name, result in found.four.items()}
    page.figure("four", figures.histograms(scores), "How games ended for the first named.")
    rows = [
        [*name.split(", "), str(line.games), *map(percent, (line.win_rate, line.draw_rate, line.loss_rate))]
        for name, line in ((name, result.table.players[0]) for name, result in found.four.items())
    ]
    page.table("The same in figures", ["player", "against", "games", "won", "drawn", "lost"], rows)
    page.say("""
The yardstick: a player who never loses can win up to 95.56 % against random play over both seats (99.48 % first,
91.64 % second) and draws the rest.
""")
