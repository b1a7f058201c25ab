"""The first half of the page: players on common decks, trajectories, and MCTS with the report's three policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boardwright.arena.plots import COLOURS, new_figure
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.games.nmbr9.tiles import CARDS
from boardwright.players import player
from boardwright.records import Library, Record
from boardwright_lab.nmbr9.measure import estimate, with_interval
from boardwright_lab.nmbr9.store import Store
from boardwright_lab.nmbr9.training import REPORTED_BATCHES, Batch, Sizes, train, ways_to_play
from boardwright_lab.nmbr9.trajectories import (
    Deck,
    deck_of,
    load_trajectories,
    play_deck,
    records_of,
    save_trajectories,
)
from boardwright_lab.nmbr9.tree import EXPLORE, ReportSearch
from boardwright_lab.page import Page
from boardwright_lab.run import Run

REPORTED_MEAN = 20.0  # section 6: the mean of its MCTS "remained below"
AMATEUR = "50 to 70"  # section 6
STRONG = "values:plies=1"


@dataclass(frozen=True)
class Common:
    """What all later measurements share."""

    decks: list[Deck]
    records: list[Record]  # of the strong player's games, one a deck
    points: dict[str, list[float]]  # of each player of the match, by deck


def measure_players(run: Run, page: Page, game: Game) -> Common:
    """Our players on common decks."""
    simulations = run.pick(200, 20)
    ucb = f"mcts:simulations={simulations},select=ucb1,prior=uniform,rollout=uniform"
    specs = ["random", "greedy", ucb, f"mcts:simulations={simulations},select=puct", STRONG]
    result = run.match(game, specs, run.pick(100, 4))
    library = Library(run.folder / "games.sqlite")
    kept = {spec: records_of(result, spec, library) for spec in specs}
    points = {spec: [record.scores[0] for record in records] for spec, records in kept.items()}
    remarks = (
        "every legal move alike",
        "one look at each place, by hand-tuned weights",
        "UCB: our engine, uniform playouts",
        "our engine, the greedy policy in tree and playouts",
        "one look at each afterstate, by a learnt value",
    )
    page.say("## The yardstick: players on common decks")
    page.say(
        f"Every player below met the same {len(kept[STRONG])} decks, whose order nobody knew. What is called the "
        f"common decks below are these. The report's search stayed below a mean of {REPORTED_MEAN:.0f} points; it says "
        f"that an amateur makes {AMATEUR}."
    )
    rows = [
        [f"{remark} ({spec})", with_interval(estimate(points[spec])), f"{max(points[spec]):.0f}"]
        for spec, remark in zip(specs, remarks, strict=True)
    ]
    page.table("Points a game, mean and 95 % interval", ["player", "mean", "best"], rows)
    return Common([deck_of(record) for record in kept[STRONG]], kept[STRONG], points)


def show_trajectories(run: Run, page: Page, game: Game, common: Common) -> None:
    """Save games, load them, replay one; show that a cut file is refused."""
    path = run.folder / "trajectories.jsonl"
    save_trajectories(path, common.records)
    loaded = load_trajectories(path, game)
    best = max(range(len(loaded)), key=lambda k: loaded[k].scores[0])
    end = loaded[best].replay(game)
    judge = player(STRONG, game)
    rows, turn = [], 0
    for before in end.line():
        if before.player < 0:
            continue
        turn += 1
        choice = judge.choose(before)
        if turn in (1, 5, 10, 15, CARDS):
            move = before.text(_move_after(before, end))
            assert choice.value is not None
            rows.append(
                [str(turn), str(int(before.view.digit)), move, f"{before.scores[0]:.0f}", f"{choice.value[0]:.1f}"]
            )
    text = path.read_text("utf-8")
    cut = run.folder / "cut.jsonl"
    cut.write_text(text[: len(text) - len(text.splitlines()[-1]) // 2], "utf-8")
    try:
        load_trajectories(cut, game)
        raise AssertionError("a cut file was read")
    except InputError as error:
        refusal = str(error).partition("(")[0].strip()
    page.say("## Trajectories: saved, loaded, replayed")
    page.say(
        "The report's simulator saves states, actions and an estimated value, and plays them back. Here a game is a "
        f"record: its draws and moves, one line of JSON. The {len(loaded)} games of `{STRONG}` went into a file of "
        f"{len(text) // 1000:,} kB and were read back; reading replays every move under the rules, so that states need "
        "not be stored. They serve as demonstrations below. A file that was cut in its last line is refused: "
        f"`{refusal}`. The best game, replayed:"
    )
    heading = ["turn", "tile", "move (turn@column,row)", "points before", "points expected in the end"]
    page.table(f"A replayed game of {loaded[best].scores[0]:.0f} points", heading, rows)
    page.picture("layout", end.svg(), "The layout at its end.")


def _move_after(before: Position, end: Position) -> int:
    """The move that was played in a position on the way to `end`."""
    here = end
    while here.previous is not None and here.previous is not before:
        here = here.previous
    assert here.step is not None
    return here.step


def show_policies(run: Run, page: Page, game: Game, common: Common) -> None:
    """UCB, empQ and LALS; the store trained as the report did, and with the turns apart."""
    sizes = run.pick(Sizes(9, 10, 40, 12, 300), Sizes(2, 1, 5, 2, 20))
    stores = {"as the report": Store(), "turns apart": Store(turns_apart=True)}
    batches: dict[str, list[Batch]] = {}
    alone: dict[str, list[list[float]]] = {}
    for name, store in stores.items():
        alone[name] = [_alone(run, game, common, store, CARDS + 1)]

        def after(batch: Batch, name: str = name, store: Store = store) -> None:
            run.tick(f"LALS, {name}: batch {batch.number} of {sizes.batches}")
            alone[name].append(_alone(run, game, common, store, batch.turn))

        batches[name] = train(game, store, sizes, run.seed + 1, after)
    page.say("## MCTS with three policies: UCB, empQ, LALS")
    page.say(
        "**UCB** takes the move with the best mean plus C sqrt(ln t / N). **empQ** takes the move with the best mean, "
        "which starts at the immediate reward, or now and then any. **LALS** does the same with learnt values: a move "
        "is seen as a window of 7 x 8 squares of levels round its tile, and has the value of the most similar window "
        "in a store. The similarity weighs the tile's own box (12 squares) by 0.5, the squares round it (18) by 0.4, "
        "the next (26) by 0.1.\n\n"
        f"Training goes from the end upward. A batch simulates {sizes.targets * sizes.games} games; {sizes.late} late "
        f"positions of its best games are searched with {sizes.simulations} simulations each; every window tried there "
        "goes into the store with its mean result, and two turns more choose by LALS. Of each kind of placement "
        f"(number, turns, level) the {stores['as the report'].room} windows tried most are compared. The share of "
        "greedy choices rises from 0.4 to 0.8 over the turns and is 1 in the last, as in the report. The report does "
        f"not tell C; ours is {EXPLORE:.0f} points. It came to {REPORTED_BATCHES} batches, LALS from turn 16 on; we "
        f"went on to {sizes.batches}."
    )
    heading = ["batch", "LALS from turn", "windows", "simulated games", "LALS alone", "LALS alone, turns apart"]
    rows = [["0", "none", "0", "", *(with_interval(estimate(alone[name][0])) for name in stores)]]
    for number, batch in enumerate(batches["as the report"], start=1):
        figures = (with_interval(estimate(alone[name][number])) for name in stores)
        simulated = with_interval(estimate(batch.points))
        rows.append([str(number), str(batch.turn), f"{batch.windows:,}", simulated, *figures])
    page.table("Figure 6 of the report, batch by batch: points, mean and 95 % interval", heading, rows)
    page.say(
        "The report's figure 6 is not in its text; its sentence is: high variation, no improvement, mean below "
        f"{REPORTED_MEAN:.0f}. *Simulated games* are those of the batch, random choices among them. *LALS alone* takes "
        "the best move by the store, on the common decks, without search; turns that are not trained yet take the most "
        "points at once. *Turns apart* is a change that we tried: windows of different turns are kept apart in the "
        "store. A stored value counts the points to the end of the game, so the same window is worth more early than "
        "late; the report's store mixes both."
    )
    _draw_batches(page, batches, alone, stores)
    before, ends = estimate(alone["as the report"][0]), {name: estimate(alone[name][-1]) for name in stores}
    theirs = stores["as the report"]
    once = sum(visits == 1 for visits in theirs.visits.values())
    page.say(
        f"Before any batch, the most points at once made {with_interval(before)}. After the last, LALS alone made "
        f"{with_interval(ends['as the report'])} with the report's store and {with_interval(ends['turns apart'])} with "
        f"turns apart. Of the {len(theirs):,} windows in the report's store, {100 * once / len(theirs):.0f} % were "
        "tried once: their value is the luck of a single game. A window sees neither the cards that are left nor the "
        "layout more than two squares away."
    )
    _search_by_policies(run, page, game, common, stores, batches)


def _alone(run: Run, game: Game, common: Common, store: Store, turn: int) -> list[float]:
    search = ReportSearch(game, ways_to_play(0, turn, greedy=True), store.shelves, Random(run.seed), 1)
    return [play_deck(game, deck, search.alone).scores[0] for deck in common.decks]


def _draw_batches(
    page: Page, batches: dict[str, list[Batch]], alone: dict[str, list[list[float]]], stores: dict[str, Store]
) -> None:
    figure, axes = new_figure()
    simulated = [estimate(batch.points) for batch in batches["as the report"]]
    lines = [("simulated games, as the report", 1, simulated)]
    lines += [(f"LALS alone, {name}", 0, [estimate(points) for points in alone[name]]) for name in stores]
    for number, (label, first, figures) in enumerate(lines):
        at = np.arange(first, first + len(figures)) + 0.06 * (number - 1)
        margins = [one.margin if np.isfinite(one.margin) else 0.0 for one in figures]
        axes.errorbar(
            at,
            [one.value for one in figures],
            yerr=margins,
            color=COLOURS[number],
            marker="o",
            markersize=4,
            capsize=3,
            label=label,
        )
    axes.axhline(REPORTED_MEAN, color="#6b6b6b", linestyle="--", linewidth=1)
    axes.annotate(
        "the report: below this", (0.99, REPORTED_MEAN), xytext=(0, 4), xycoords=("axes fraction", "data"),
        textcoords="offset points", fontsize=9, ha="right",
    )  # fmt: skip
    axes.set_ylim(0, max(1.15 * REPORTED_MEAN, axes.get_ylim()[1]))
    axes.set_xticks(range(len(simulated) + 1))
    axes.set_xlabel("batches")
    axes.set_ylabel("points a game")
    axes.legend(frameon=False, ncols=3, fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    page.figure("lals", figure, "Training LALS from the last turns upward. Bars are 95 % intervals.")


def _search_by_policies(
    run: Run, page: Page, game: Game, common: Common, stores: dict[str, Store], batches: dict[str, list[Batch]]
) -> None:
    simulations, decks = run.pick(200, 20), common.decks[: run.pick(16, 2)]
    apart, trained = stores["turns apart"], batches["turns apart"][-1].turn
    empty = Store()
    searches = {
        "UCB on every turn": (empty, ways_to_play(CARDS, CARDS + 1)),
        "UCB at the root, empQ below": (empty, ways_to_play(1, CARDS + 1)),
        f"UCB at the root, LALS from turn {trained} on": (stores["as the report"], ways_to_play(1, trained)),
        "the same, turns apart": (apart, ways_to_play(1, trained)),
    }
    rows, means = [], {}
    for name, (store, ways) in searches.items():
        search = ReportSearch(game, ways, store.shelves, Random(run.seed + 2), simulations + 1)

        def choose(position: Position, search: ReportSearch = search) -> int:
            search.grow(position, simulations)
            return search.best()

        points = []
        for number, deck in enumerate(decks):
            run.tick(f"{name}: deck {number + 1} of {len(decks)}")
            points.append(play_deck(game, deck, choose).scores[0])
        rows.append([name, with_interval(estimate(points)), f"{max(points):.0f}"])
        means[name] = float(np.mean(points))
    for spec in list(common.points)[1:]:
        points = common.points[spec][: len(decks)]
        rows.append([spec, with_interval(estimate(points)), f"{max(points):.0f}"])
    page.table(
        f"The policies inside a tree: {simulations} simulations a move, the first {len(decks)} decks",
        ["search", "mean", "best"],
        rows,
    )
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    page.say(
        f"The first four are the report's tree. The best of them is *{best}* with {means[best]:.1f}, the last "
        f"*{worst}* with {means[worst]:.1f}. In the simulated games of the report's figure 6 only the first move "
        "is searched; here every move is. The two rows of UCB differ in details: the report's tree tries untried moves "
        "in random order and takes the most points in the last turn; our engine tries them in the order in which the "
        "rules list them, places on the table first. The choice is the move with the most visits."
    )
