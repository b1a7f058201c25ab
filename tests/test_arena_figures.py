"""Intervals, ratings and the sequential test, against textbooks and against simulated truth."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.arena.elo import Points, elo_of_share, expected, rate
from boardwright.arena.intervals import Estimate, mean, share, student_quantile, wilson
from boardwright.arena.sprt import Hypotheses, judge, log_likelihood_ratio
from boardwright.arena.summary import points as points_text


@pytest.mark.parametrize(
    ("value", "half", "told"),
    [
        (71.234, 1.4, "71.2 (69.8 to 72.6)"),
        (71.234, 5.0, "71 (66 to 76)"),
        (71.234, 0.123, "71.23 (71.11 to 71.36)"),
        (0.5, 0.00321, "0.5000 (0.4968 to 0.5032)"),
        (161929.4, 1234.5, "161,929 (160,695 to 163,164)"),
        (3.25, 1e-12, "3.250000 (3.250000 to 3.250000)"),
        (24.0, 0.0, "24.0 (24.0 to 24.0)"),
        (115866.0, math.inf, "115,866"),
        (math.nan, 1.0, "-"),
    ],
)
def test_points_have_the_decimals_that_their_interval_deserves(value: float, half: float, told: str) -> None:
    assert points_text(Estimate(value, value - half, value + half)) == told


# Textbook values


def test_wilson_by_hand() -> None:
    # 8 of 10, z = 1.959964, z² = 3.841459: centre (0.8 + 0.192073) / 1.384146 = 0.716740,
    # half-width 1.959964 · sqrt(0.016 + 0.0096036) / 1.384146 = 0.226578.
    got = wilson(8, 10)
    assert (got.value, got.low, got.high) == pytest.approx((0.8, 0.490162, 0.943318), abs=2e-6)
    # No successes in n trials: the upper end is z² / (n + z²).
    assert wilson(0, 20).high == pytest.approx(3.841459 / 23.841459, abs=1e-6)
    assert wilson(0, 20).low == 0.0 and wilson(20, 20).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("freedom", "level", "quantile"),
    [
        (1, 0.95, 12.7062),
        (2, 0.95, 4.30265),
        (9, 0.95, 2.26216),
        (30, 0.95, 2.04227),
        (9, 0.99, 3.24984),
        (10**6, 0.95, 1.95997),
    ],
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, level: float, quantile: float) -> None:
    assert student_quantile(freedom, level) == pytest.approx(quantile, abs=6e-5)


def test_a_mean_by_hand() -> None:
    # 1..5: mean 3, variance 2.5, standard error sqrt(2.5 / 5) = 0.707107, times 2.776445 (4 degrees) = 1.963243.
    got = mean([1, 2, 3, 4, 5])
    assert (got.value, got.low, got.high) == pytest.approx((3.0, 1.036757, 4.963243), abs=1e-6)
    assert math.isinf(mean([7.0]).high) and math.isnan(mean([]).value)


def test_a_share_of_independent_games_is_nearly_wilsons() -> None:
    # Sets of one game each, won or lost: the effective number of games is n - 1, the quantile Student's.
    got = share([1.0] * 60 + [0.0] * 40, 1)
    by_hand = wilson(0.6 * 99, 99, quantile=student_quantile(99))
    assert (got.low, got.high) == pytest.approx((by_hand.low, by_hand.high))
    assert got.low == pytest.approx(wilson(60, 100).low, abs=0.002)


def test_a_share_of_sets_whose_luck_cancels_is_surer_and_never_certain() -> None:
    alternating = share([0.5] * 90 + [1.0] * 5 + [0.0] * 5, 2)
    assert alternating.margin < wilson(100, 200).margin / 2
    all_drawn = share([0.5] * 50, 2)
    assert (all_drawn.low, all_drawn.high) == pytest.approx((wilson(50, 100).low, wilson(50, 100).high))
    swept = share([1.0] * 10, 2)
    assert (swept.low, swept.high) == pytest.approx((wilson(20, 20).low, 1.0))


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=60))
def test_a_share_lies_in_its_interval_and_between_0_and_1(shares: list[float]) -> None:
    got = share(shares, 2)
    assert 0.0 <= got.low <= got.high <= 1.0
    assert not shares or got.low - 1e-12 <= got.value <= got.high + 1e-12


# Ratings


def points(won: float, lost: float) -> Points:
    return np.array([[0.0, won], [lost, 0.0]])


def test_two_players_ratings_are_the_logit_of_their_share() -> None:
    ratings = rate(("a", "b"), [points(1.5, 0.5)] * 10 + [points(0.5, 1.5)] * 10 + [points(2.0, 0.0)] * 10)
    # 15 + 5 + 20 = 40 of 60 points: 400 · log10(2) = 120.412.
    assert ratings.difference(0, 1).value == pytest.approx(120.41199, abs=1e-4)
    assert ratings.rating(0).value == pytest.approx(60.205998, abs=1e-4)
    assert elo_of_share(2 / 3) == pytest.approx(120.41199, abs=1e-4)
    assert expected(120.41199) == pytest.approx(2 / 3, abs=1e-6)


def test_the_interval_of_two_players_by_hand() -> None:
    # Single games, won or lost, 64 to 36. The delta method: the share's standard error sqrt(0.64 · 0.36 / 99) =
    # 0.048242, over 0.64 · 0.36 = 0.2304, gives 0.209384 natural units = 36.374 Elo; times 1.984217 (99 degrees)
    # that is 72.173.
    ratings = rate(("a", "b"), [points(1, 0)] * 64 + [points(0, 1)] * 36)
    assert ratings.difference(0, 1).margin == pytest.approx(72.173, abs=0.01)


def test_who_won_everything_has_a_rating_that_is_marked() -> None:
    ratings = rate(("a", "b", "c"), [np.array([[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]], float)] * 20)
    assert ratings.unbounded == (True, False, False)
    assert ratings.values[1] == pytest.approx(ratings.values[2])
    assert ratings.values[0] > ratings.values[1] and np.all(np.isfinite(ratings.values))
    alone = rate(("a", "b"), [])
    assert np.all(alone.values == 0.0)


TRUTH = (130.0, 25.0, -45.0, -110.0)
RUNS = 1000


def simulated_sets(rng: random.Random, sets_a_pair: int) -> list[Points]:
    """A round robin of players with the ratings of TRUTH: two games a set that share their luck, a third drawn."""
    sets = []
    for i in range(4):
        for j in range(i):
            chance = expected(TRUTH[i] - TRUTH[j])
            drawn = 0.6 * min(chance, 1 - chance)
            for _ in range(sets_a_pair):
                made = np.zeros((4, 4))
                luck = rng.random()
                for mine in (luck, 1.0 - luck):
                    won = 1.0 if mine < chance - drawn / 2 else 0.5 if mine < chance + drawn / 2 else 0.0
                    made[i, j] += won
                    made[j, i] += 1.0 - won
                sets.append(made)
    return sets


def test_ratings_recover_the_truth_as_often_as_they_claim() -> None:
    """In 95 of 100 seeded runs. 1,000 runs are made, so that chance alone moves the count by no more than 2.1 %
    (three standard deviations): an interval that is too narrow or too wide by a tenth is found out."""
    covered_ratings, covered_differences = np.zeros(4), 0
    for run in range(RUNS):
        ratings = rate("abcd", simulated_sets(random.Random(run), 30))
        covered_ratings += [TRUTH[i] in ratings.rating(i) for i in range(4)]
        covered_differences += TRUTH[0] - TRUTH[3] in ratings.difference(0, 3)
    slack = 3 * math.sqrt(0.95 * 0.05 * RUNS)
    assert np.all(np.abs(covered_ratings - 0.95 * RUNS) < slack), covered_ratings
    assert abs(covered_differences - 0.95 * RUNS) < slack
    assert covered_ratings.mean() >= 0.94 * RUNS


def test_a_share_covers_the_truth_as_often_as_it_claims() -> None:
    covered = 0
    for run in range(2000):
        rng = random.Random(run)
        shares = []
        for _ in range(50):
            luck = rng.random()
            shares.append(fmean_of(mine < 0.62 for mine in (luck, rng.random() if rng.random() < 0.5 else luck)))
        covered += 0.62 in share(shares, 2)
    assert 0.95 - 3 * math.sqrt(0.95 * 0.05 / 2000) < covered / 2000 < 0.975


def fmean_of(wins: object) -> float:
    counted = [float(win) for win in wins]  # type: ignore[attr-defined]  # a list in this table
    return sum(counted) / len(counted)


# The sequential test


def test_bounds_and_ratio_by_hand() -> None:
    test = Hypotheses(0.0, 100.0)
    assert (test.lower, test.upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    # Only wins and losses: the best distributions are the hypotheses themselves. 60 to 40, shares 0.5 and 0.640065:
    # 60 · ln(0.640065 / 0.5) + 40 · ln(0.359935 / 0.5) = 14.8186 - 13.1472 = 1.6714.
    assert log_likelihood_ratio(test, {1.0: 60, 0.0: 40}) == pytest.approx(1.6714, abs=2e-3)


def test_the_test_errs_no_oftener_than_it_says() -> None:
    """Pairs of games with draws, 300 runs under each hypothesis; alpha and beta of 5 % and chance allow 8.8 %."""
    test = Hypotheses(0.0, 120.0)
    wrong = {0.0: 0, 120.0: 0}
    for elo in wrong:
        chance = expected(elo)
        for run in range(300):
            rng = random.Random(f"{elo} {run}")
            shares = [(_game(rng, chance) + _game(rng, chance)) / 2 for _ in range(600)]
            verdict = judge(test, shares, [0.0, 0.25, 0.5, 0.75, 1.0])
            assert verdict.accepted is not None
            wrong[elo] += verdict.accepted != (elo == 120.0)
    assert all(count <= 300 * 0.088 for count in wrong.values()), wrong


def _game(rng: random.Random, chance: float) -> float:
    mine = rng.random()
    return 1.0 if mine < chance - 0.15 else 0.5 if mine < chance + 0.15 else 0.0


def test_what_comes_after_the_answer_has_no_say() -> None:
    test = Hypotheses(0.0, 50.0)
    rng = random.Random(5)
    shares = [_game(rng, expected(120.0)) for _ in range(2000)]
    verdict = judge(test, shares, [0.0, 0.5, 1.0])
    assert verdict.accepted == 1 and verdict.sets < 2000
    assert judge(test, shares[: verdict.sets] + [0.0] * 500, [0.0, 0.5, 1.0]) == verdict


@pytest.mark.parametrize("text", ["", "5", "10,0", "0,10,0.7,0.05", "a,b", "0,1,2,3,4", "0,inf"])
def test_a_test_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(bw.InputError, match="sprt"):
        Hypotheses.read(text)


def test_estimates_for_json_have_no_infinities() -> None:
    assert Estimate(1.0, -math.inf, math.inf).to_dict() == {"value": 1.0, "low": None, "high": None}
