"""The estimators of a playtest against synthetic games whose figures are known: their 95 % intervals hold the truth."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.elo import elo_of_share, expected
from boardwright.arena.intervals import Estimate
from boardwright.contract.errors import InputError
from boardwright.playtesting.broken import Broken, broken, check
from boardwright.playtesting.crew import DealOrder, play_order
from boardwright.playtesting.estimates import better_share, bootstrap, luck_share, mean, ratio
from boardwright.playtesting.experiments import (
    EQUAL,
    SEARCHED,
    STEP,
    WEAK,
    Experiment,
    experiments,
    handicap,
    searched,
    without,
)
from boardwright.playtesting.fairness import fairness
from boardwright.playtesting.figure import Figure, Section, by_course
from boardwright.playtesting.kinds import Kinds, kind_of_outcome, kind_of_text
from boardwright.playtesting.ladder import Level
from boardwright.playtesting.length import length
from boardwright.playtesting.looks import corrected, widening
from boardwright.playtesting.luck import (
    DISTINCT,
    Step,
    between_kinds,
    count_levels,
    doubling_of,
    expected_share,
    luck_and_skill,
    luck_figure,
    make_step,
    same_again,
    sure_levels,
    too_alike,
)
from boardwright.playtesting.one_game import Tracer
from boardwright.playtesting.page import words
from boardwright.playtesting.plots import round_values
from boardwright.playtesting.report import make_report
from boardwright.playtesting.run import figure_for
from boardwright.playtesting.schedule import Scheduler, State
from boardwright.playtesting.tension import tension
from boardwright.playtesting.trace import Trace
from boardwright.playtesting.variants import difference, of_family, read_sweep, short_names
from boardwright.playtesting.verdicts import about_fairness, about_length, about_luck, flat_from
from boardwright.playtesting.worth import Worth, draws

DESIGNS = str(Path(__file__).parent / "games" / "designs.py")
DEALS = 120
LEVELS = [Level("weak", "random"), Level("strong", "mcts:simulations=16", 16)]


def deal_of_equals(rng: np.random.Generator, number: int) -> list[Trace]:
    """Two games on one deal. With chance 0.5 the deal decides, for seat 1 with chance 0.6; else each game is decided
    by itself, for seat 1 with chance 0.6, or drawn with chance 0.1 of these. Lengths are 20 to 40, half common."""
    decided, winner, common = rng.random() < 0.5, rng.random() < 0.6, int(rng.integers(10, 21))
    found = []
    for game in range(2):
        first = winner if decided else rng.random() < 0.6
        drawn = not decided and rng.random() < 0.1
        results = (0.0, 0.0) if drawn else (1.0, -1.0) if first else (-1.0, 1.0)
        moves = common + int(rng.integers(10, 21))
        one = Trace(f"{number}-{game}", "equal", number, game, (0, 0), number, results=results)
        one.scores = (results[0] * 2 + 10 + float(rng.integers(0, 2)), 10.0)
        one.movers = [turn % 2 for turn in range(moves)]
        one.legal = [1 if rng.random() < 0.25 else 5 for _ in range(moves)]
        one.sensible = [1 if count == 1 or rng.random() < 0.2 else 3 for count in one.legal]
        one.gap = [1.0 if rng.random() < 0.3 else 0.0 for _ in range(moves)]
        one.noise = [0.1] * moves
        found.append(one)
    return found


def step_deal(rng: np.random.Generator, number: int) -> list[Trace]:
    """Two games, seats exchanged: each deal favours a seat, and the stronger wins 65 % of all games."""
    seat = rng.random() < 0.5
    found = []
    for game, seats in enumerate(((0, 1), (1, 0))):
        stronger_sits = game
        chance = 0.65 + (0.25 if (stronger_sits == 1) == seat else -0.25)
        won = rng.random() < chance
        results = [0.0, 0.0]
        results[stronger_sits], results[1 - stronger_sits] = (1.0, -1.0) if won else (-1.0, 1.0)
        found.append(Trace(f"s{number}-{game}", "step 1", number, game, seats, number, results=tuple(results)))
    return found


# Of two games on a deal, with b = 1 where the deal decides and each then won by seat 1 with chance 0.6: the variance of
# a seat's part of the win is 0.24 where decided, and 0.9 * 0.24 + 0.1 * 0 around its own mean else.
def truths() -> dict[str, float]:
    seat = 0.5 * 0.6 + 0.5 * (0.9 * 0.6 + 0.1 * 0.5)
    free = 0.9 * 0.6 + 0.05
    square = 0.5 * 0.6 + 0.5 * (0.9 * 0.6 + 0.1 * 0.25)
    total = square - seat**2
    both = 0.5 * 0.6 + 0.5 * free**2  # E of the product of two games on a deal
    return {
        "fairness.seat_1": seat,
        "length.moves": 30.0,
        "length.forced": 0.25,
        "length.one_sensible": 0.25 + 0.75 * 0.2,
        "length.matter": 0.3,
        "luck.share": (both - seat**2) / total,
        "tension.draws": 0.05,
        "luck.step": 0.65,
    }


def simulated(seed: int) -> dict[str, Estimate]:
    """One playtest."""
    rng = np.random.default_rng(seed)
    equal = [one for number in range(DEALS) for one in deal_of_equals(rng, number)]
    steps = [one for number in range(DEALS) for one in step_deal(rng, number)]
    skill, measured = luck_and_skill(LEVELS, [steps], equal, chance=True)
    sections = [fairness(2, equal, equal, None), length(equal, equal), skill, tension(2, equal)[0]]
    found = {figure.key: figure.estimate for section in sections for figure in section.figures}
    return {**found, "luck.step": measured[0].free}


def scheduled(seed: int) -> dict[str, Estimate]:
    """One playtest whose deals the scheduler hands out, by what it knows, as long as there is time: lengths of games
    are what they cost, so that how many there are depends on how they came out."""
    scheduler, spent = Scheduler(experiments(LEVELS), lambda state: figure_for(state, 2)), 0.0
    while spent < 2 * DEALS * 30.0 * 1.6:  # as many moves as the other playtests have, and some for the rest
        order = scheduler.next()
        if order is None:
            break
        key = order.experiment.key
        make = step_deal if order.experiment.kind == STEP else deal_of_equals
        games = []
        for number in order.deals:
            for one in make(np.random.default_rng([seed, key == WEAK, number]), number):
                one.experiment, one.seconds = key, max(len(one.movers), 20) / 30.0
                games.append(one)
        scheduler.done(order, games)
        spent += 30.0 * sum(one.seconds for one in games)
    equal, weak, steps = (scheduler.states[key].games for key in (EQUAL, WEAK, "step 1"))
    skill, measured = luck_and_skill(LEVELS, [steps], equal, chance=True)
    sections = [fairness(2, equal, weak, None), length(equal, weak), skill, tension(2, equal)[0]]
    found = {figure.key: figure.estimate for section in sections for figure in section.figures}
    return {**found, "luck.step": measured[0].free}


def coverage(playtests: int, one: Callable[[int], dict[str, Estimate]] = simulated) -> dict[str, float]:
    known = truths()
    hits = dict.fromkeys(known, 0)
    for seed in range(playtests):
        found = one(seed)
        for key, truth in known.items():
            hits[key] += truth in found[key]
    return {key: count / playtests for key, count in hits.items()}


def test_few_simulated_playtests_hold_their_truths() -> None:
    found = coverage(15)
    assert 0.91 <= np.mean(list(found.values())) <= 1.0
    assert min(found.values()) >= 0.8


@pytest.mark.slow
def test_95_percent_intervals_hold_93_to_97_percent_of_200_simulated_playtests() -> None:
    """The table of docs/playtest.md: with -s it is printed."""
    rows = {name: coverage(200, one) for name, one in (("fixed", simulated), ("scheduled", scheduled))}
    print("\n| figure | 120 deals of each | deals by the scheduler |\n|---|---|---|")
    for key in truths():
        print(f"| `{key}` | {100 * rows['fixed'][key]:.1f} % | {100 * rows['scheduled'][key]:.1f} % |")
    for found in rows.values():
        assert 0.93 <= np.mean(list(found.values())) <= 0.97, found
        assert min(found.values()) >= 0.90, found  # 200 of a true 95 % fall below that one time in a thousand


def repeated(make: Callable[[np.random.Generator], Estimate], truth: float, times: int = 400) -> float:
    """How often an interval holds the truth."""
    return float(np.mean([truth in make(np.random.default_rng(seed)) for seed in range(times)]))


def test_shares_and_means_over_deals() -> None:
    def shares(rng: np.random.Generator) -> Estimate:
        common = rng.random(60) < 0.3  # games of a deal are alike
        return ratio((2.0 * common).tolist(), np.full(60, 2.0).tolist(), share=True)

    def means(rng: np.random.Generator) -> Estimate:
        return mean(rng.gamma(4.0, 2.0, 60).tolist())

    assert 0.92 <= repeated(shares, 0.3) <= 0.98
    assert 0.92 <= repeated(means, 8.0) <= 0.98


def test_luck_of_points() -> None:
    def luck(rng: np.random.Generator) -> Estimate:
        deals = rng.normal(0, 1.0, (80, 1, 1))
        return luck_share(deals + rng.normal(0, 0.5, (80, 2, 1)))

    assert 0.92 <= repeated(luck, 0.8) <= 0.98


def test_luck_at_its_ends() -> None:
    coin = (np.random.default_rng(1).random((50, 1, 1)) < 0.5).astype(float)
    all_luck = luck_share(np.repeat(coin, 2, axis=1))
    assert all_luck.value == 1.0 and 0.5 < all_luck.low < 1.0 == all_luck.high
    assert np.isnan(luck_share(np.ones((50, 2, 1))).value)  # nothing varies
    first = np.random.default_rng(1).normal(0, 1.0, (40, 1, 1))
    less_than_none = luck_share(
        np.concatenate([first, -first + np.random.default_rng(2).normal(0, 1, (40, 1, 1))], axis=1)
    )
    assert less_than_none.value == less_than_none.low == 0.0 and 0.1 < less_than_none.high < 0.5


def test_a_player_without_anything_random_says_nothing_about_luck_nor_about_choice() -> None:
    """As a learnt value that is looked up: both games of a deal are the same, and no visits say how sure it is."""
    rng = np.random.default_rng(1)
    games = [one for number in range(30) for one in deal_of_equals(rng, number)]
    for one in games:
        one.steps, one.results, one.noise = [one.deal], (float(one.deal % 2), 0.0), [0.0] * len(one.movers)
    skill, measured = luck_and_skill(LEVELS, [], games, chance=True)
    assert np.isnan(skill.figure("share").estimate.value)
    assert "cannot be told" in about_luck(skill, measured, chance=True)[0].text
    found = length(games, games)
    assert found.figure("moves").known and not found.figure("matter").known and not found.figure("one_sensible").known
    assert length(games, games, exact=True).figure("matter").known  # perfect play is sure


def test_where_nothing_in_the_strongest_player_is_random_searches_tell_of_luck_and_choice() -> None:
    rng = np.random.default_rng(1)
    games: dict[str, list[Trace]] = {EQUAL: [], SEARCHED: []}
    for key, some in games.items():
        for number in range(40):
            for one in deal_of_equals(rng, number):
                one.experiment, one.values = key, [[0.0, 0.0] for _ in one.movers]
                one.steps = [number] if key == EQUAL else [number, one.game]
                one.noise = [0.0 if key == EQUAL else 0.1] * len(one.movers)
                some.append(one)
    known = {one.key: one for one in [*experiments(LEVELS), searched(LEVELS)]}
    untold, told = (
        make_report(Seats(seats=2), LEVELS, some, known, "", 0, 60.0, too_many=False)
        for some in ({EQUAL: games[EQUAL]}, games)
    )
    for key in ("luck.share", "length.matter", "length.one_sensible"):
        assert not untold[key].known and told[key].known
    assert any("cannot be told" in one for one in untold.open_questions)
    assert truths()["luck.share"] in told["luck.share"].estimate
    assert told["fairness.seat_1"].estimate == untold["fairness.seat_1"].estimate
    assert "equals (strong)" in " ".join(one.text for one in told.section("luck").verdicts) or told.open_questions


def test_a_game_that_is_repeated_says_no_more_than_once() -> None:
    rng = np.random.default_rng(2)
    games = [one for number in range(40) for one in deal_of_equals(rng, number)]
    for number, one in enumerate(games):
        one.results, one.steps = ((1.0, -1.0), [1]) if number % 4 else ((-1.0, 1.0), [number % 8])
    alone, merged = (fairness(2, some, some, None).figure("seat_1").estimate for some in (games, by_course(games)))
    assert alone.value == merged.value == 0.75 and merged.margin > 2 * alone.margin
    section = length(by_course(games), games)
    assert section.data["different"] == 3
    assert any("repeat themselves" in one.text for one in about_length(section))


def test_the_share_of_those_who_play_alone() -> None:
    def share(rng: np.random.Generator) -> Estimate:
        deals = rng.normal(0, 1, 60)
        return better_share((deals + rng.normal(1, 1, 60)).tolist(), (deals + rng.normal(0, 1, 60)).tolist())

    assert 0.92 <= repeated(share, 0.69146) <= 0.985  # P(N(1, 4) > 0), other deals


def test_a_median_by_resampling() -> None:
    def median(rng: np.random.Generator) -> Estimate:
        values = rng.normal(3.0, 4.0, 60)
        return bootstrap(60, lambda rows: float(np.median(values[rows])))

    assert 0.85 <= repeated(median, 3.0, 40) <= 1.0


def test_what_was_all_alike_leaves_room_for_what_was_not_seen() -> None:
    drawn = ratio([1.0] * 30, [2.0] * 30, share=True)
    assert drawn.value == 0.5 and 0.4 < drawn.low < 0.5 < drawn.high < 0.6
    lost = ratio([0.0] * 30, [1.0] * 30, share=True)
    assert lost.low == lost.value == 0.0 and 0.05 < lost.high < 0.2


def figure(key: str, values: list[float]) -> Figure:
    """A mean with one number a deal."""
    return Figure(key, key, mean(values), "moves", "", len(values), {i: (x, 1.0) for i, x in enumerate(values)})


def test_differences_on_common_deals_are_surer_than_others() -> None:
    rng = np.random.default_rng(3)
    deals = rng.normal(30, 8, 100)
    one, other = figure("a", deals.tolist()), figure("b", (deals + rng.normal(1, 1, 100)).tolist())
    paired = difference(one, other)
    assert paired.common == 100 and 1.0 in paired.estimate and paired.p < 0.001 and paired.known
    free = difference(replace(one, by_deal={}), replace(other, by_deal={}))
    assert free.common == 0 and 1.0 in free.estimate and free.p > 0.1 and not free.known
    alike = difference(one, one)
    assert alike.p == 1.0 and alike.estimate.value == 0.0


def test_a_difference_that_is_not_there_is_called_real_one_time_in_twenty() -> None:
    rng = np.random.default_rng(5)
    sure = 0
    for _ in range(400):
        deals = rng.normal(30, 8, 40)
        sides = [figure("a", (deals + rng.normal(0, 2, 40)).tolist()) for _ in range(2)]
        sure += difference(sides[0], sides[1]).real
    assert 0.02 <= sure / 400 <= 0.085


def met(level: Level, below: Level, share: float) -> Step:
    """Two players whose games are as even as can be about a share."""
    deals = dict(enumerate([1.0] * round(100 * share) + [0.0] * round(100 * (1 - share))))
    estimate = ratio(list(deals.values()), [1.0] * len(deals), share=True)
    return Step(level, below, 200, deals, estimate, estimate)


def test_random_moves_a_rule_of_thumb_and_the_strongest_against_each_other() -> None:
    weak, thumb = Level("random moves", "random"), Level("rule of thumb: greedy", "greedy")
    short, long = (Level(f"search, {n} tries", f"mcts:simulations={n}", n) for n in (16, 32))
    levels = [weak, short, thumb, long]  # a search stands between
    measured = [met(short, weak, 0.7), met(thumb, short, 0.6), met(long, thumb, 0.8)]
    found = {(one.name, other.name): share for one, other, share in between_kinds(levels, measured)}
    assert list(found) == [(thumb.name, weak.name), (long.name, thumb.name), (long.name, weak.name)]
    chained = expected(elo_of_share(0.7) + elo_of_share(0.6))
    assert found[thumb.name, weak.name].value == pytest.approx(chained)
    assert found[long.name, thumb.name].value == pytest.approx(0.8)
    assert found[long.name, weak.name].low > found[long.name, thumb.name].value
    # A rule of thumb on top of the ladder, none at all, and games that are still to be played.
    top = between_kinds([weak, short, thumb], measured[:2])
    assert [(one.spec, other.spec) for one, other, _ in top] == [("greedy", "random")]
    none = between_kinds([weak, short, long], [measured[0], met(long, short, 0.75)])
    assert none[0][:2] == (short, weak) and len(none) == 3
    assert [one.spec for one, _, _ in between_kinds(levels, measured[1:])] == [long.spec]
    # Below random moves, a rule of thumb wins less than half.
    worse = between_kinds([thumb, weak, short], [met(weak, thumb, 0.9), met(short, weak, 0.8)])
    assert worse[0][2].value == pytest.approx(0.1) and worse[0][2].low < 0.1 < worse[0][2].high


def test_a_doubling_is_that_of_the_largest_search_whoever_stands_between() -> None:
    weak, thumb = Level("random moves", "random"), Level("rule of thumb: greedy", "greedy")
    short, half, top = (Level(f"search, {n} tries", f"mcts:simulations={n}", n) for n in (16, 32, 64))
    between, neighbours = [weak, short, half, thumb, top], [weak, thumb, short, half, top]
    assert [one.specs for one in experiments(between) if one.key == "doubling"] == [(top.spec, half.spec)]
    assert not [one for one in experiments(neighbours) if one.key == "doubling"]
    assert not [one for one in experiments([weak, short]) if one.key == "doubling"]

    rng = np.random.default_rng(4)
    games = [one for number in range(60) for one in step_deal(rng, number)]
    steps = [games] * 4
    for levels, doubled in ((between, games), (neighbours, [])):
        section, measured = luck_and_skill(levels, steps, [], True, doubled)
        told = section.figure("doubling")
        assert (
            told.estimate == make_step(top, half, games).free
            and "search, 64 tries, against search, 32 tries" in told.means
        )
        last = doubling_of(levels, measured, doubled)
        assert any("(to 64 tries)" in one.text for one in about_luck(section, measured, True, last))
    section, measured = luck_and_skill(between, steps, [], True)  # short against half was played, the top not yet
    assert "luck.doubling" not in {one.key for one in section.figures}
    said = " ".join(one.text for one in about_luck(section, measured, True, doubling_of(between, measured, [])))
    assert "doubling" not in said and "flat" not in said


def test_of_many_figures_that_do_not_differ_none_is_called_real_19_times_in_20() -> None:
    rng = np.random.default_rng(11)
    alone = together = missed = 0
    for _ in range(200):
        found = []
        for number in range(30):
            deals = rng.normal(30, 8, 40)
            sides = [figure(f"{number}", (deals + rng.normal(0, 2, 40)).tolist()) for _ in range(2)]
            found.append(difference(sides[0], sides[1]))
        alone += any(one.real for one in found)
        together += any(one.real for one in of_family(found))
        there = difference(figure("there", deals.tolist()), figure("there", (deals + rng.normal(2, 2, 40)).tolist()))
        missed += not next(one for one in of_family([*found, there]) if one.one.key == "there").real
    assert alone / 200 > 0.5, "who does not allow for their number is wrong more often than not"
    assert 0.01 <= together / 200 <= 0.09
    assert missed / 200 < 0.05, "and what is there is still found"


def test_a_difference_has_its_sign_as_often_as_its_chance_says() -> None:
    rng = np.random.default_rng(12)
    said, right = [], []
    for _ in range(1500):
        gap, deals = rng.uniform(-3, 3), rng.normal(30, 8, 40)
        one = difference(figure("a", deals.tolist()), figure("a", (deals + rng.normal(gap, 3, 40)).tolist()))
        said.append(one.chance)
        right.append((one.estimate.value > 0) == (gap > 0))
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.99), (0.99, 1.0)):
        some = [(chance, hit) for chance, hit in zip(said, right, strict=True) if low <= chance <= high]
        expected = sum(chance for chance, _ in some)
        spread = math.sqrt(sum(chance * (1 - chance) for chance, _ in some))
        assert abs(sum(hit for _, hit in some) - expected) < 3 * spread + 1, f"{low} to {high}"


def test_looking_again_and_again_finds_no_more_differences_than_there_are() -> None:
    """Two variants that do not differ, looked at with every five deals more, until one look says that they do."""
    rng = np.random.default_rng(7)
    looks, found = 8, {1: 0, 8: 0}
    for _ in range(250):
        deals = rng.normal(30, 8, 10 * looks)
        sides = [deals + rng.normal(0, 2, len(deals)) for _ in range(2)]
        for allowed in found:
            found[allowed] += any(
                difference(
                    figure("a", sides[0][: 10 * look].tolist()), figure("a", sides[1][: 10 * look].tolist()), allowed
                ).real
                for look in range(1, looks + 1)
            )
    assert found[1] / 250 > 0.1  # who does not allow for the looks is wrong several times as often
    assert 0.015 <= found[looks] / 250 <= 0.085
    # The bounds are those of Pocock's table, and an interval that holds at all looks is as much wider.
    assert [round(1.959964 * widening(count), 2) for count in (1, 2, 5, 10)] == [1.96, 2.18, 2.41, 2.56]
    last = [figure("a", side.tolist()) for side in sides]
    one, often = (difference(last[0], last[1], count).estimate for count in (1, looks))
    assert often.margin == pytest.approx(one.margin * widening(looks))
    assert corrected(0.01, 1) == 0.01 and 0.01 < corrected(0.01, 8) < 0.08 and corrected(1.0, 8) == 1.0


def test_sweeps_are_read_or_refused() -> None:
    assert read_sweep("goal=10..12") == ("goal", ["10", "11", "12"])
    assert read_sweep("rule=a, b") == ("rule", ["a", "b"])
    for text in ("goal", "goal=", "goal=5", "goal=5..a", "1=2..3", "goal=1..100"):
        with pytest.raises(InputError, match="write an option"):
            read_sweep(text)


class Seats(bw.Game):
    """A game that nobody plays here: its games are made up."""

    seats: int = 3
    actions = 30
    outcomes = 6
    players = property(lambda self: self.seats)

    def layout(self) -> list[tuple[str, str]]:
        return [("turn", "i1")]


def made_up(rng: np.random.Generator, key: str, seats: tuple[int, ...], number: int, game: int) -> Trace:
    """A game of any number of seats with everything that a report may ask for."""
    one = Trace(f"{key}-{number}-{game}", key, number, game, seats, number)
    one.scores = tuple(float(x) for x in rng.integers(0, 50, len(seats)))
    one.results = one.scores
    moves = 6 * len(seats)
    one.movers = [turn % len(seats) for turn in range(moves)]
    one.legal, one.sensible, one.gap, one.noise = [4] * moves, [2] * moves, [0.3] * moves, [0.1] * moves
    one.values = [[score * turn / moves for score in one.scores] for turn in range(moves)]
    one.kinds = {"build": [[3, 2]] * (max(seats) + 1), "trade": [[3, 1]] * (max(seats) + 1)}
    one.drawn = {"sun": [1] * len(seats), "rain": [2] * len(seats)}
    return one


@pytest.mark.parametrize(("same", "most"), [(0, False), (4, False), (10, True), (100, True)])
def test_equals_who_often_play_a_deal_alike_do_not_tell_luck_from_play(same: int, most: bool) -> None:
    rng = np.random.default_rng(8)
    games = []
    for number in range(100):
        for game in range(2):
            one = made_up(rng, EQUAL, (0, 0), number, game)
            one.steps = [number, 7, 0 if number < same else game]
            games.append(one)
    assert too_alike(games) is most and same_again(games) is (same == 100)
    assert not too_alike(games[::2]), "nobody played a deal twice"


def test_what_would_even_three_seats_in_points() -> None:
    """Seat 3 has three points more: they are its to give, and two of the others' to get."""

    def game(rng: np.random.Generator, number: int) -> Trace:
        one = made_up(rng, EQUAL, (0, 0, 0), number, 0)
        points = rng.integers(0, 9, 3) + np.array([0, 0, 3])
        one.scores = one.results = tuple(float(x) for x in points)
        return one

    rng = np.random.default_rng(4)
    games = [game(rng, number) for number in range(100)]
    section = fairness(3, games, games, None)
    last = section.figure("handicap_3").estimate
    assert -3.0 in last and last.high < 0.0
    assert all(section.figure(f"handicap_{seat}").estimate.low > 0.0 for seat in (1, 2))
    said = " ".join(one.text for one in about_fairness(section, 3))
    assert "Unfair" in said and "3 points less for seat 3 alone would even it" in said


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_a_report_is_whole_for_any_number_of_seats(seats: int) -> None:
    rng = np.random.default_rng(seats)
    game = Seats(seats=seats)
    known = {one.key: one for one in [*experiments(LEVELS), without("build", LEVELS[-1])]}
    games = {
        key: [
            made_up(rng, key, sitting, number, at)
            for number in range(20)
            for at, sitting in enumerate(one.seatings(seats))
        ]
        for key, one in known.items()
    }
    report = make_report(game, LEVELS, games, known, "", 0, 60.0, too_many=False)
    assert [one.key for one in report.sections] == ["fairness", "length", "luck", "tension", "worth", "broken"]
    if seats > 1:
        shares = [report[f"fairness.seat_{seat + 1}"].estimate for seat in range(seats)]
        assert sum(one.value for one in shares) == pytest.approx(1.0)
        assert sum(1 / seats in one for one in shares) >= seats - 1  # one in twenty may miss
    assert 0.5 in report.section("luck").data["steps"][0]["share"]
    assert {row["kind"] for row in report.section("worth").data["kinds"]} == {"build", "trade"}
    assert "</html>" in report.html() and json.loads(report.to_json())["games"] == report.games and str(report)


def made_step(above: str, below: str, shares: list[float]) -> Step:
    """A step with the stronger's share of each deal."""
    free = ratio(shares, [1.0] * len(shares), share=True)
    return Step(Level(above, above, 1), Level(below, below, 1), 2 * len(shares), dict(enumerate(shares)), free, free)


@pytest.mark.parametrize(("share", "finite"), [(0.55, True), (0.9, False), (0.1, False)])
def test_a_handicap_in_thinking_ends_where_the_ladder_does(share: float, finite: bool) -> None:
    """A doubling is worth 40 Elo points, the ladder has 4: 35 points are one doubling, 380 nobody has measured."""
    rng = np.random.default_rng(6)
    games = []
    for number in range(400):
        won = rng.random() < share
        games.append(Trace(f"{number}", EQUAL, number, 0, (0, 0), number, results=(1.0, -1.0) if won else (-1.0, 1.0)))
    section = fairness(2, games, games, Estimate(40.0, 30.0, 50.0), doublings=4)
    found, said = section.figure("doublings").estimate, " ".join(one.text for one in about_fairness(section, 2))
    assert np.isfinite(found.value) == finite
    if finite:
        assert abs(found.value) <= 4 and "ladder" not in said
    else:
        assert "more than the ladder can give" in said and all(abs(x) <= 4 or np.isinf(x) for x in vars(found).values())
        assert max(found.low, -found.high) == 4
        assert words(found, "doublings")[1].startswith("4 doublings or more" if share > 0.5 else "-4 doublings or less")


def test_levels_are_named_where_they_are_certain() -> None:
    clear, slight, few = [1.0, 0.5, 1.0, 1.0] * 25, [0.5, 0.5, 1.0, 0.5, 0.5] * 20, [1.0, 0.5, 1.0]
    steps = [made_step("b", "a", clear), made_step("c", "b", slight), made_step("d", "c", slight)]
    found = sure_levels(steps)
    assert [level.name for level, _ in found] == ["a", "b", "d"]  # c is not far enough above b, d is
    assert found[0][1] is None and all(share is not None and share.low >= 0.6 for _, share in found[1:])
    one, both = steps[1].counted, expected_share(steps[1:])
    assert both.value > one.value and both.margin > one.margin
    assert len(sure_levels([made_step("b", "a", few)])) == 1
    near = made_step("b", "a", [1.0] * 33 + [0.0] * 10)  # 77 % (62 to 87): a match of 120 deals found 54 %
    assert near.counted.low > DISTINCT and len(sure_levels([near])) == 1


def test_a_strategy_that_always_wins_is_named_with_a_game() -> None:
    thinks, rule = Level("search, 64 tries", "mcts:simulations=64", 64), Level("rule of thumb: take", "take")
    won = Trace("w", "step 1", 0, 0, (0, 1), 0, results=(1.0, -1.0))

    def named(level: Level, below: Level, share: float, deals: int = 200) -> list[Broken]:
        wins = [1.0 if number < share * deals else 0.0 for number in range(deals)]
        found = ratio(wins, [1.0] * deals, share=True)
        step = Step(level, below, deals, dict(enumerate(wins)), found, found, won)
        fair = Section("fairness", "", "")
        return [
            one for one in broken([], "", fair, [], [made_step("search", "random", wins), step]) if one.key == "always"
        ]

    (found,) = named(rule, thinks, 1.0)
    assert "rule of thumb: take" in found.text and "search, 64 tries" in found.text and found.game is won
    assert not named(rule, thinks, 0.9) and not named(rule, thinks, 1.0, 20)  # not always, or not for certain
    assert not named(thinks, rule, 1.0)  # who thinks may beat who does not
    assert not named(rule, Level("random moves", "random"), 1.0)


def test_what_the_check_found_has_a_record_that_replays() -> None:
    game = bw.load(f"{DESIGNS}:Stutter")
    checked = check(game)
    assert "twice" in checked and "of the game with seed" in checked, checked
    report = make_report(game, LEVELS, {}, {}, checked, 0, 60.0, too_many=False)
    (found,) = (record for one, record in report.shown if one.key == "check")
    assert found is not None
    position = found.replay(game)
    assert position.record["sum"] > 9 and not position.is_over  # there the promise is broken
    assert not any("check" in one.key for one, record in make_report(game, LEVELS, {}, {}, "", 0, 1.0, False).shown)


def test_stalling_that_pays_is_named_though_games_end() -> None:
    def games(share: float) -> list[Trace]:
        rng, found = np.random.default_rng(8), []
        for number in range(200):
            staller = int(rng.integers(2))
            won = staller if rng.random() < share else 1 - staller
            one = Trace(f"{number}", EQUAL, number, 0, (0, 0), number, results=(1.0, -1.0) if won == 0 else (-1.0, 1.0))
            one.again = [3, 1] if staller == 0 else [0, 2]
            one.repeats = sum(one.again)
            found.append(one)
        return found

    def keys(share: float) -> list[str]:
        return [one.key for one in broken(games(share), "", Section("fairness", "", ""), [])]

    assert "stalling" in keys(0.8) and "stalling" not in keys(0.5) and "stalling" not in keys(0.2)
    found = next(one for one in broken(games(0.8), "", Section("fairness", "", ""), []) if one.key == "stalling")
    assert found.game is not None and found.game.wins()[found.game.again.index(3)] == 1.0


def test_who_plays_alone_sees_what_was_expected_and_every_seat_has_its_line() -> None:
    rng = np.random.default_rng(9)
    alone = [made_up(rng, EQUAL, (0,), number, 0) for number in range(30)]
    section, _ = tension(1, alone)
    drawn = section.data["courses"]
    assert len(drawn) == 7 and [one["result"] for one in drawn] == sorted(one["result"] for one in drawn)
    worst, best = (bound(one.results[0] for one in alone) for bound in (min, max))
    assert worst <= drawn[0]["result"] < drawn[-1]["result"] <= best
    assert all(one["values"][-1] == one["result"] and one["turns"][-1] == 1.0 for one in drawn)
    for one in alone:
        one.values = [[] for _ in one.movers]  # a player without expectations: others are asked
    other = [made_up(rng, SEARCHED, (0,), number, 0) for number in range(30)]
    assert tension(1, alone)[0].data["courses"] == [] and len(tension(1, alone, other)[0].data["courses"]) == 7
    for seats in (1, 3, 4):
        known = {one.key: one for one in experiments(LEVELS)}
        games = {EQUAL: [made_up(rng, EQUAL, (0,) * seats, number, 0) for number in range(30)]}
        told = make_report(Seats(seats=seats), LEVELS, games, known, "", 0, 60.0, too_many=False).html()
        shown = told[told.index('<section id="tension">') : told.index('<section id="worth">')]
        if seats == 1:
            assert shown.count('class="thin p1"') == 7
        else:  # a line of each seat in each of some games, and its name
            assert all(shown.count(f'<polyline class="seat p{seat}"') == 4 for seat in range(seats))
            assert shown.count(f">seat {seats}</text>") == 4


def test_the_verdict_on_levels_promises_no_more_than_the_table() -> None:
    rng = np.random.default_rng(3)
    contradicted = 0
    for share in (0.60, 0.65, 0.7, 0.8):  # near and above what makes a level
        for deals in (20, 60, 200):
            steps = [made_step(f"{i + 1}", f"{i}", list((rng.random(deals) < share) * 1.0)) for i in range(4)]
            certain, count = len(sure_levels(steps)), count_levels(steps)
            assert count.low == certain <= count.value <= count.high
            section = Section(
                "luck", "", "", figures=[luck_figure([], False), Figure("luck.levels", "", count, "", "", 1)]
            )
            texts = " ".join(one.text for one in about_luck(section, steps, chance=False))
            assert (f"At least {certain} levels" in texts) == (certain > 1), texts
            contradicted += count.value > certain
    assert contradicted  # there were cases in which the plain count said more


def test_a_player_who_loses_to_a_weaker_one_is_named_and_flat_is_what_stays_flat() -> None:
    worse, even, better = [0.0, 0.0, 0.5, 0.0] * 25, [0.5] * 200, [1.0, 0.5, 1.0, 1.0] * 25
    steps = [made_step("b", "a", worse), made_step("c", "b", better)]
    section = Section(
        "luck", "", "", figures=[luck_figure([], False), Figure("luck.levels", "", Estimate(2, 2, 2), "", "", 1)]
    )
    texts = [one.text for one in about_luck(section, steps, chance=False)]
    assert any(text.startswith("Out of order: b") for text in texts) and not any("flattens" in text for text in texts)
    steps = [made_step("b", "a", better), made_step("c", "b", even), made_step("d", "c", even)]
    assert flat_from(steps) == steps[1] and flat_from(steps[:1]) is None


@pytest.mark.parametrize("kinds", [2, 12])
def test_most_of_the_time_is_for_the_games_that_most_figures_stand_on(kinds: int) -> None:
    """However many kinds of moves there are to forbid, and though a restricted game takes longer."""
    levels = [Level(f"{n}", f"mcts:simulations={n}", n) for n in (16, 32, 64, 128, 256, 512)]
    costs = {"equal": 3.0, "weak": 0.02, "handicap": 3.0, "without": 9.0}

    def measure(state: State) -> Estimate:
        half = 1.0 / np.sqrt(max(state.done, 1))
        return Estimate(0.5, 0.5 - half, 0.5 + half)

    every = [*experiments(levels), handicap(0, levels[-1])]
    scheduler = Scheduler([*every, *(without(f"{kind}", levels[-1]) for kind in range(kinds))], measure)
    spent: dict[str, float] = {}
    while sum(spent.values()) < 600:
        order = scheduler.next()
        assert order is not None
        key, kind = order.experiment.key, order.experiment.kind
        cost = costs.get(kind) or 3.0 * int(order.experiment.specs[0].rpartition("=")[2]) / 512
        games = [
            Trace(f"{number}-{at}", key, number, at, (0, 0), number, results=(1.0, -1.0), seconds=cost / 2)
            for number in order.deals
            for at in range(2)
        ]
        spent[kind] = spent.get(kind, 0.0) + cost * len(order.deals)
        scheduler.done(order, games)
    assert spent["equal"] > 0.3 * sum(spent.values()) and spent["equal"] > spent["step"]
    assert set(spent) == {"equal", "weak", "step", "without", "handicap"}  # and nothing is left out


def test_places_are_no_kinds_of_moves() -> None:
    texts = {"take 3": "take #", "Ne4": "N#", "h8": "", "12@-3,4": "", "5B2": "", "pass": "pass", "buy f7": "buy #"}
    assert {text: kind_of_text(text) for text in texts} == texts


def test_fields_of_a_small_board_are_no_kinds_of_moves_either() -> None:
    class Fields(Seats):
        def move_text(self, s: object, move: int) -> str:
            return f"{'abc'[move % 3]}{move // 3 + 1}"

    for game, found in ((bw.load("2048"), {"up", "right", "down", "left"}), (Fields(seats=2), {""})):
        kinds = Kinds(game)
        if game.name == "2048":
            assert set(kinds.of_moves(game.begin(seed=3))) <= found
        assert not kinds.tells("b2")
    assert Kinds(bw.load("2048")).tells("up")


def test_games_name_kinds_of_moves_that_people_think_in() -> None:
    small = bw.load("tictactoe")
    assert Kinds(small).of_moves(small.begin()) == [
        "corner",
        "edge",
        "corner",
        "edge",
        "centre",
        "edge",
        "corner",
        "edge",
        "corner",
    ]
    board = Counter(Kinds(bw.load("gomoku")).of_moves(bw.load("gomoku").begin()))
    assert board == {"corner": 4, "edge": 52, "centre": 25, "between edge and centre": 144}
    levels: set[str] = set()
    game, position = bw.load("nmbr9"), bw.load("nmbr9").begin(seed=1)
    while not position.is_over:
        if position.is_chance:
            position = position.sample(len(levels))
            continue
        kinds = Kinds(game).of_moves(position)
        for move, kind in zip(position.moves, kinds, strict=True):  # as what a move does is told to people
            assert kind.replace("on the table", "the table") in game.move_note(position.view, move)
        position = position.play(position.moves[max(range(len(kinds)), key=kinds.__getitem__)])
        levels |= set(kinds)
    assert {"on the table", "on level 1"} <= levels
    # Told to people, it is no part of the rules: values that were learnt before go on.
    assert "move_kind" not in game.rules()


def test_outcomes_of_chance_are_valued_for_one_player_too() -> None:
    game = bw.load(f"{DESIGNS}:Harvest")
    tracer, experiment = Tracer(game), Experiment(EQUAL, ("mcts:simulations=64",))
    found = draws(play_order(tracer, DealOrder(experiment, tuple(range(60))), 0))
    assert found is not None
    rows = {row[0]: row for row in found.rows}
    assert set(rows) == {"any of them", "0", "1", "2", "3"}
    for face in range(4):  # what comes is taken: three is 1.5 more than the mean
        found_worth = rows[f"{face}"][3]
        assert abs(found_worth.value - (face - 1.5)) < 0.2 and found_worth.margin < 0.2
    assert rows["3"][2].low > rows["0"][2].high and 6.0 in rows["any of them"][2]


def test_of_many_outcomes_the_most_frequent_are_shown_and_places_are_left_out() -> None:
    assert [kind_of_outcome(text) for text in ("a4=2", "b3=4", "7", "king of hearts")] == [
        "2",
        "4",
        "7",
        "king of hearts",
    ]
    game = bw.load(f"{DESIGNS}:Harvest", faces=40)
    games = play_order(Tracer(game), DealOrder(Experiment(EQUAL, ("random",)), tuple(range(60))), 0)
    found = draws(games)
    assert found is not None and len(found.rows) == 1 + 24 and "of 39" in found.means
    assert all(row[1].value > 0 for row in found.rows[1:])
    few = draws(play_order(Tracer(bw.load("2048")), DealOrder(Experiment(EQUAL, ("random",)), (0,)), 0))
    assert few is not None and few.rows[1][0] == "2"


def test_a_label_that_hangs_on_the_interval_has_a_question_mark() -> None:
    def label(low: float, value: float, high: float) -> str:
        use = Estimate(0.3, 0.25, 0.35)
        return Worth("up", use, use, use, Estimate(value, low, high), 20).likely

    assert label(0.10, 0.22, 0.40) == "needed" and label(0.22, 0.36, 0.54) == "needed?"
    assert label(0.40, 0.50, 0.60) == "" and label(0.45, 0.60, 0.75) == "a trap?"


def test_names_of_variants_are_told_without_what_they_share() -> None:
    assert short_names(["azul:players=2", "azul:players=3"]) == ["players=2", "players=3"]
    assert short_names(["a/b.py:Shop:left=1,bonus=2", "a/b.py:Shop:left=1,bonus=3"]) == ["bonus=2", "bonus=3"]
    assert short_names(["azul", "azul:players=3"]) == ["azul", "azul:players=3"]
    assert short_names(["one/game.py", "other/game.py"]) == ["one/game.py", "other/game.py"]


@pytest.mark.parametrize(("low", "high"), [(-552.0, 53.9), (0.31, 0.34), (9.0, 9.2), (-3.0, 1200.0)])
def test_a_scale_has_a_few_round_values(low: float, high: float) -> None:
    found = round_values(low, high)
    assert 3 <= len(found) <= 7 and low <= found[0] and found[-1] <= high and found == sorted(set(found))
