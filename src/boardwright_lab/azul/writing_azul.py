"""The page's opening, its part about Azul, and its end."""

from __future__ import annotations

from boardwright.arena.summary import percent, points
from boardwright_lab.azul import figures
from boardwright_lab.azul.experiments import Findings
from boardwright_lab.azul.recipes import AZUL_WARM
from boardwright_lab.azul.writing_tictactoe import last, scored
from boardwright_lab.page import Page


def opening(page: Page, found: Findings) -> None:
    loop, trees = found.loops["our loop"][-1].score, found.trees["ours, 20,000"][-1]
    slip, right = last(found.short["ours with the slip"]), last(found.short["ours"])
    assert loop is not None
    azul, greedy = (
        found.azul[name].table.players[0]
        for name in ("from scratch, net, random", "after a warm start, net with search, greedy")
    )
    page.say(f"""
# Azul: AlphaZero as homework

The report is a homework: write PUCT, look at its trees, train a network on tic-tac-toe by self-play and straight from
one deep tree, compare net, search and both; then do the same with Azul. Its tic-tac-toe network won 89.5 % of 200
games against random play; its Azul network often lost to random play. Here all of it runs again on the common
engine, as short programs (`boardwright_lab.azul`) and as a notebook to work through (`azul.ipynb`, beside this
page). Our loop's tic-tac-toe network, without search, won {percent(loop.wins)} of {loop.games} games against
random, the one that learnt from deep trees {percent(trees.wins)}; our Azul network from scratch, without search,
won {percent(azul.win_rate)} of {azul.games} against random, and after a warm start, with a small search,
{percent(greedy.win_rate)} of {greedy.games} against the greedy player. The report's search credits a network's value
to the wrong player; in a short run with that one slip our Azul loop won {percent(slip.wins)} against random,
without it {percent(right.wins)}. Percentages in brackets are 95 % intervals throughout.
""")


def azul_section(page: Page, found: Findings) -> None:
    games = found.short["ours"][0]
    page.say(f"""
## Azul

The same loop, another game: 180 moves of which about 23 are legal, 20 tiles drawn at random a round, and a player
may move twice in a row. What the engine brings: chance is a node of the tree and is sampled there, never looked up;
values are vectors, one number a player, so that no sign has to be flipped; illegal moves are masked in search and
loss; the order of the displays means nothing, so each example is shown in one of its 120 images.

The report names 181 actions and chance as likely reasons for its failure. Its listing shows two others: the slip
above, and a network (64, 32) without any bend between its layers, which is one linear map. It does not tell how
long it trained. So each way got the same here: {len(found.short["ours"])} iterations with the same number of games
({games.examples} positions in the first of ours).
""")
    curves = {name: scored(laps) for name, laps in found.short.items()}
    page.figure(
        "azul-ways", figures.learning_curves((), curves, "iteration"),
        "Azul, policy alone against random play, the ways at equal numbers of games.",
    )  # fmt: skip
    rows = [[name, percent(last(laps).wins), str(last(laps).games)] for name, laps in found.short.items()]
    page.table("After the last iteration, policy alone against random", ["", "won", "games"], rows)
    changed = {name: last(laps).wins for name, laps in found.short.items() if name.startswith("ours with")}
    worst = min(changed, key=lambda name: changed[name].value)
    page.say(
        f"Of the three single changes, *{worst}* costs most here: {percent(changed[worst])} instead of "
        f"{percent(last(found.short['ours']).wins)}."
    )
    scratch, warm = (len(laps) for laps in found.long.values())
    page.say(f"""
Then ours for longer: {scratch} iterations from scratch; and {warm} after a warm start, in which the network first
learns from {AZUL_WARM.warm} games of the greedy player. The greedy player looks one move ahead with weights set by
hand; it is the rival in this curve.
""")
    curves = {way: scored(laps) for way, laps in found.long.items()}
    page.figure(
        "azul-long", figures.learning_curves((), curves, "iteration", "greedy"),
        "Azul, our loop for longer: policy alone against the greedy player.",
    )  # fmt: skip
    rows = []
    for name, result in found.azul.items():
        line, other = result.table.players
        rows.append([
            *name.split(", "), str(line.games), percent(line.win_rate), percent(line.share), points(line.points),
            points(other.points),
        ])  # fmt: skip
    page.table(
        "After the last iteration: paired deals with seats swapped; the search has 64 simulations a move",
        ["training", "player", "against", "games", "won", "share (draws half)", "its points", "the other's"],
        rows,
    )
    for way in found.long:
        beaten = found.azul[f"{way}, net, random"].table.players[0].share
        greedy = found.azul[f"{way}, net with search, greedy"].table.players[0].share
        verdict = "beats" if beaten.low > 0.5 else "does not clearly beat"
        level = "above" if greedy.low > 0.5 else "below" if greedy.high < 0.5 else "about level with"
        page.say(
            f"Trained {way}, the policy alone {verdict} random play; with its small search it is {level} the greedy "
            "player."
        )


def further_section(page: Page) -> None:
    page.say("""
## Where it falls short, and the way further

- The report's histograms and its Azul network have no figures in the text: there is nothing to set beside ours but
  its words.
- Its exact training on Azul is not told; "as in the report" there is its tic-tac-toe loop at our number of games.
- One seed of random numbers a way: the curves show what happened once. Intervals are those of the test games.
- This loop is for reading. `boardwright train azul` is the same idea with a warm start, workers on all cores,
  playout caps, surprise weighting, ratings and checkpoints; `boardwright train tictactoe` likewise.

The notebook `azul.ipynb` has the code of every step, and exercises.
""")
