"""The second half of the page: SAM in its variants, and what masking and afterstates change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardwright.arena.intervals import share
from boardwright.arena.plots import COLOURS, new_figure
from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.games.nmbr9.tiles import CARDS
from boardwright_lab.nmbr9.any_action import HEADS, LEVELS, SIDE, demonstration
from boardwright_lab.nmbr9.measure import estimate, stretches, with_interval
from boardwright_lab.nmbr9.sam import ASIDES, DISCOUNT, MASKED, RATE, VARIANTS, Episode, Learner, Variant
from boardwright_lab.nmbr9.searching import STRONG, Common
from boardwright_lab.nmbr9.trajectories import load_trajectories, play_deck
from boardwright_lab.page import Page
from boardwright_lab.run import Run

REPORTED_LEGAL = 7  # section 6: learnt "up to the first seven valid states" within 500 episodes (figure 5)


@dataclass(frozen=True)
class Learnt:
    """Several learners of one variant; the first index of an array is the learner."""

    variant: Variant
    episodes: list[list[Episode]]  # while learning
    tested: list[list[Episode]]  # afterwards, on the common decks

    def curve(self, field: str) -> npt.NDArray[np.float64]:
        return np.array([[float(getattr(one, field)) for one in each] for each in self.episodes])

    def means(self, field: str) -> list[float]:
        """Of each learner on the common decks."""
        return [float(np.mean([getattr(one, field) for one in each])) for each in self.tested]

    def figure(self, field: str) -> str:
        """The mean on the common decks; its interval is over learners."""
        means = self.means(field)
        if field in ("legal", "streak"):  # between 0 and 20, and so is the interval
            trials = CARDS * len(self.tested[0])
            return with_interval(share([mean / CARDS for mean in means], trials).times(CARDS))
        return with_interval(estimate(means))


def learn(run: Run, variant: Variant, shown: npt.NDArray[np.float32], common: Common) -> Learnt:
    """Train some learners that differ by their seed alone, then let them play the common decks."""
    learners, episodes = run.pick(4, 1), run.pick(500, 6)
    learnt = Learnt(variant, [], [])
    for number in range(learners):
        learner = Learner(variant, run.seed + number, shown)
        played = []
        for episode in learner.train(episodes):
            played.append(episode)
            if len(played) % 50 == 0:
                run.tick(
                    f"SAM, {variant.name}: learner {number + 1} of {learners}, {len(played)} of {episodes} episodes"
                )
        learnt.episodes.append(played)
        learnt.tested.append([learner.play(deck) for deck in common.decks])
    return learnt


def show_sam(run: Run, page: Page, game: Game, common: Common) -> Learnt:
    """The four variants, two asides and the masked one; returns the masked one."""
    records = load_trajectories(run.folder / "trajectories.jsonl", game)
    boards = [demonstration(record.replay(game).view) for record in records]
    shown = np.array([board for board in boards if board is not None])
    every = [learn(run, variant, shown, common) for variant in (*VARIANTS, *ASIDES, MASKED)]
    theirs, masked = every[:-1], every[-1]
    episodes = len(masked.episodes[0])
    page.say("## SAM: an actor-critic that may choose illegal moves")
    page.say(
        f"The actor names column, row, level and quarter turns: {' x '.join(map(str, HEADS))} = {np.prod(HEADS):,} "
        "actions, none of which is masked. An illegal one costs the tile. The variants differ in the reward:\n\n"
        "- **linear** and **convolutional**: number times the level that the action names. As in the report, nothing "
        "says that the action must be legal to be paid.\n"
        "- **safety**: that, times the validity factor: 0 for an illegal action.\n"
        "- **full SAM**: and the demonstrator: 23 times the cosine between the board and that of a demonstration at "
        f"the same turn, -45 for an illegal action. The {len(shown)} demonstrations are games of `{STRONG}` from the "
        f"file above{_left_out(len(records) - len(shown))}.\n"
        "- *20 for every legal move*: the constant with which the report got its figure 5.\n"
        "- *cosine of covered squares*: the report's matrix holds -1 on every empty square, so two boards agree on "
        "almost all squares whatever was played. Here empty squares hold 0, and only tiles count.\n\n"
        f"Learners of each: {len(masked.episodes)}, with {episodes} episodes; then their policy played the common "
        "decks without learning. Intervals are over learners. Networks: one convolution of 3 x 3, layer "
        f"normalisation, one linear layer; Adam {RATE:g}, discount {DISCOUNT}."
    )
    rows = [
        [
            one.variant.name,
            *(one.figure(field) for field in ("legal", "streak", "points", "asked")),
            ", ".join(f"{legal:.1f}" for legal in one.means("legal")),
        ]
        for one in (*theirs, masked)
    ]
    heading = ["variant", "legal of 20", "before the first illegal", "points", "points asked for", "legal, by learner"]
    page.table("Figures 4 and 5 of the report, after training: means a game and 95 % intervals", heading, rows)
    best = max(theirs, key=lambda one: sum(one.means("legal")))
    lost = sum(legal < 0.5 for one in theirs[3:] for legal in one.means("legal"))
    page.say(
        f"The report tells of about {REPORTED_LEGAL} legal moves within 500 episodes and no points for it. Of its "
        f"variants here, *{best.variant.name}* reached most: {best.figure('legal')} of 20. *Points asked for* is what "
        f"the plain variants are paid: all 20 tiles on the top level would make {90 * (HEADS[2] - 1)}. The linear one "
        f"asked for {theirs[0].figure('asked')} and scored {theirs[0].figure('points')}: a rising reward curve, as in "
        "the report's figure 4, need not mean play. The safety variant is paid nothing for an illegal action, and "
        "nothing for a tile on the table either: until it happens upon a legal place higher up, there is nothing to "
        f"learn from. Of the {sum(len(one.tested) for one in theirs[3:])} learners with the demonstrator's reward, "
        f"{lost} ended with fewer than one legal action in two games: a policy that has settled on an illegal action "
        "no longer meets the others. The plots in the report are not in its text, and it tells neither what a game of "
        "its figure 4 scored nor what became of a tile after an illegal action."
    )
    _draw_curves(page, every, "legal", "legal actions of 20", "sam-legal", REPORTED_LEGAL)
    _draw_curves(page, [theirs[0], theirs[1], theirs[2], masked], "asked", "points asked for", "sam-asked", None)
    cosines = {one.variant.name: np.array([e.similarity for each in one.episodes for e in each]) for one in theirs[3:]}
    spread = {
        name: (np.nanmean(values), np.nanstd(values)) for name, values in cosines.items() if np.isfinite(values).any()
    }
    if "full SAM" in spread and ASIDES[1].name in spread:
        of_all, of_tiles = spread["full SAM"], spread[ASIDES[1].name]
        page.say(
            f"The cosine over all squares, which SAM is paid for, was {of_all[0]:.2f} on average, with a standard "
            f"deviation of {of_all[1]:.2f} between episodes: 23 times that is {23 * of_all[0]:.1f} points, give or "
            f"take {23 * of_all[1]:.1f}, for a legal move, against 45 for any illegal one. Over covered squares it was "
            f"{of_tiles[0]:.2f} ({of_tiles[1]:.2f}): a layout that begins elsewhere on the table does not lie over the "
            "demonstration's."
        )
    return masked


def _left_out(count: int) -> str:
    return f" ({count} did not fit on the report's table)" if count else ""


def _draw_curves(
    page: Page, learnt: list[Learnt], field: str, label: str, name: str, report_figure: float | None
) -> None:
    figure, axes = new_figure()
    colours = dict(zip((*VARIANTS, *ASIDES, MASKED), COLOURS, strict=False))
    for one in learnt:
        at, means = stretches(one.curve(field), 25)
        axes.plot(at, means, color=colours[one.variant], linewidth=1.8, label=one.variant.name)
    if report_figure is not None:
        axes.axhline(report_figure, color="#6b6b6b", linestyle="--", linewidth=1)
        axes.annotate(
            f"the report's {report_figure}", (0.01, report_figure), xytext=(0, 4), xycoords=("axes fraction", "data"),
            textcoords="offset points", fontsize=9,
        )  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_xlabel("episodes")
    axes.set_ylabel(label)
    axes.legend(frameon=False, ncols=2, fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    page.figure(name, figure, f"Learning curves: {label} in an episode, mean over learners and 25 stretches.")


def show_reasons(run: Run, page: Page, game: Game, common: Common, masked: Learnt) -> None:
    """The same budget of games with a mask, and with afterstates."""
    from boardwright.contract.settings import read_settings
    from boardwright.learn.display import View
    from boardwright.learn.kernel.train import KernelSettings, train
    from boardwright.learn.runs import Run as Training
    from boardwright.learn.values.player import ValuesPlayer, ValuesSettings

    rows = []
    budgets = run.pick(((50, 10), (800, 12)), ((10, 2),))
    for games, rounds in budgets:
        run.tick(f"afterstate values from {games * rounds:,} games")
        folder = run.folder / f"values-{games * rounds}"
        preset = KernelSettings.presets(game)["quick"]
        preset |= {"games": games, "rounds": rounds, "threads": max(run.workers, 1)}
        settings = KernelSettings(**read_settings(KernelSettings, "method kernel", preset))
        with Training(folder, game, "kernel", settings, run.seed, 0.0, View(quiet=True)) as training:
            model = train(training).model
        by_value = ValuesPlayer(game, "values", ValuesSettings(model=str(model), plies=1))

        def choose(position: Position, by_value: ValuesPlayer = by_value) -> int:
            return by_value.choose(position).move

        points = [play_deck(game, deck, choose).scores[0] for deck in common.decks]
        rows.append([f"afterstate value, {games * rounds:,} games", "20", with_interval(estimate(points))])
    legal = float(np.mean([len(p.moves) for r in common.records[:10] for p in r.replay(game).line() if p.player == 0]))
    total = int(np.prod(HEADS))
    untrained = Learner(VARIANTS[1], run.seed, np.zeros((1, CARDS, SIDE, SIDE, LEVELS), np.float32))
    blind = [untrained.play(deck) for deck in common.decks]
    episodes = len(masked.episodes[0])
    of_blind = [with_interval(estimate([getattr(one, field) for one in blind])) for field in ("legal", "points")]
    above = [
        ["all actions alike", *of_blind],
        ["legal actions alike: random", "20", with_interval(estimate(common.points["random"]))],
        [f"actor-critic, masked, {episodes:,} games", masked.figure("legal"), masked.figure("points")],
    ]
    below = [
        ["the value that comes with Boardwright, 160,000 games", "20", with_interval(estimate(common.points[STRONG]))]
    ]
    page.say("## Why masking and afterstates do better")
    page.table("Points a game on the common decks", ["player", "legal of 20", "points"], [*above, *rows, *below])
    page.say(
        f"**Masking.** In the games of `{STRONG}` a position has {legal:.0f} legal moves on average: one in "
        f"{total / legal:.0f} of the {total:,} actions. Drawn blindly, {of_blind[0]} of 20 are legal. An unmasked "
        "actor spends its games finding out what the rules could have told it, and sees no more of the game than the "
        "few tiles that it gets onto the table. With the mask every action is legal from the first game on, and "
        "reward says something about play. The rules know the mask anyway: they need it to referee.\n\n"
        "**Afterstates.** An actor must learn, for every one of its outputs, when it is good; one game teaches it "
        "about the 20 actions that it took. An afterstate is a board without an open question: one value serves every "
        "move that leads there, wherever the layout lies and whatever tile led to it, and the next card needs no "
        "model. Choosing is then a look at each legal move. One game teaches 20 boards to all moves. Part of the "
        "difference is help of another kind, and must be said: our value sees hand-made features that do not depend "
        "on place and rotation, and its first games are played by the greedy policy. How it is learnt: "
        "`docs/methods/afterstate-values.md`."
    )
