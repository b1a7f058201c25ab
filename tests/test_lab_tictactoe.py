"""The tic-tac-toe laboratory: exact limits, counts by seat, the fit of table 7."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.bench.search import GameTime
from boardwright.contract.position import Position
from boardwright.games.in_a_row.card import REPORTED_MILLISECONDS
from boardwright_lab.run import Run
from boardwright_lab.tictactoe import reported
from boardwright_lab.tictactoe.growth import fit_power, growth, simulations_a_move, table_7
from boardwright_lab.tictactoe.limits import Odds, by_policy, careful, daring, odds
from boardwright_lab.tictactoe.matches import AS_REPORTED, MENDED, against_itself, against_opponents, by_seat, lost, won
from boardwright_lab.tictactoe.pictures import TRAP, tree_of_trap
from tests.marks import slowly

GAME = bw.load("tictactoe")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run("tictactoe", True, 0, 0, tmp_path, lambda text: None)


# Exact limits


@pytest.mark.parametrize(
    ("opponent", "first", "second"),
    [("win-block-middle", "83.33", "5.71"), *slowly(("random", "99.48", "91.64"), ("win-block", "92.71", "26.03"))],
)
def test_limits_of_a_player_who_never_loses(opponent: str, first: str, second: str) -> None:
    for seat, known in enumerate((first, second)):
        limit = odds(GAME, seat, by_policy(opponent))
        assert limit.loss == 0
        assert f"{100 * float(limit.win):.2f}" == known
        assert odds(GAME, seat, by_policy(opponent), wish=daring).win >= limit.win


def test_random_against_random_is_known_exactly() -> None:
    """The well-known 58.5, 28.8 and 12.7 %: all 255,168 games, each by how likely it is."""
    first = odds(GAME, 0, by_policy("random"), by_policy("random"))
    second = odds(GAME, 1, by_policy("random"), by_policy("random"))
    assert (first.win, first.loss, first.draw) == (Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63))
    assert (second.win, second.loss) == (first.loss, first.win)


def test_careful_fears_losses_and_daring_does_not() -> None:
    sure, gamble = Odds(Fraction(0), Fraction(0)), Odds(Fraction(3, 4), Fraction(1, 4))
    assert max(sure, gamble, key=careful) is sure
    assert max(sure, gamble, key=daring) is gamble


def test_by_policy_is_what_the_player_plays() -> None:
    """After a1 a2 c3 c2 the first player must block b2 or win: win-block has one move, random five."""
    position = GAME.begin()
    for move in ("a1", "a2", "c3", "c2"):
        position = position.play(move)
    block = by_policy("win-block")(position)
    assert [position.text(move) for move, chance in zip(position.moves, block, strict=True) if chance] == ["b2"]
    assert sum(block) == 1 and by_policy("random")(position) == [Fraction(1, 5)] * 5


@given(st.lists(st.integers(0, 8), max_size=9))
def test_odds_of_policies_are_probabilities(moves: list[int]) -> None:
    position: Position = GAME.begin()
    for move in moves:
        if position.is_over or move not in position.moves:
            continue
        position = position.play(move)
    if not position.is_over:
        for name in ("random", "win-block", "win-block-middle"):
            chances = by_policy(name)(position)
            assert sum(chances) == 1 and min(chances) >= 0


# Matches


def test_reported_tables_add_up() -> None:
    for table in (reported.FIRST, reported.SECOND):
        assert all(count.games == reported.GAMES for count in table.values())
    assert reported.ITSELF.games == reported.GAMES
    means = {name: (reported.FIRST[name].wins + reported.SECOND[name].wins) / 20 for name in reported.BOTH}
    slips = {name for name, both in reported.BOTH.items() if means[name] != pytest.approx(both)}
    assert slips == {"win-block-middle"}  # the report's own slip, which the page tells


def test_seats_are_counted_apart(run: Run) -> None:
    result = run.match(GAME, ["win-block", "random"], 40, opening=0)
    first, second = by_seat(result)
    assert first.games == second.games == 20
    other_first, other_second = by_seat(result, 1)
    assert (other_first.wins, other_first.losses) == (second.losses, second.wins)
    assert (other_second.wins, other_second.losses) == (first.losses, first.wins)
    assert won(first).value == first.wins / 20 and lost(second).value == second.losses / 20


@pytest.mark.slow
def test_the_mended_search_loses_nothing_and_the_games_are_kept(run: Run) -> None:
    found = against_opponents(run, GAME, MENDED, 10)
    assert set(found) == set(reported.OPPONENTS)
    assert all(count.losses == 0 and count.games == 10 for seats in found.values() for count in seats)
    itself = against_itself(run, GAME, MENDED, 10)
    assert (itself.wins, itself.losses, itself.draws) == (0, 0, 10)
    told: list[str] = []
    again = Run("tictactoe", True, 0, 0, run.folder, told.append)
    assert against_opponents(again, GAME, MENDED, 10) == found
    assert told == []  # nothing was played


def test_the_reports_setting_is_uct_as_it_had_it() -> None:
    one = bw.player(AS_REPORTED, GAME).settings  # type: ignore[attr-defined]  # of a search
    assert (one.simulations, one.select, one.c, one.rollout) == (80, "ucb1", 1.0, "win-block")
    assert not one.proofs and not one.reuse and one.rollouts == 1


def test_tree_of_the_trap_shows_every_reply() -> None:
    svg, words = tree_of_trap(GAME, 0)
    position = GAME.begin()
    for move in TRAP:
        position = position.play(move)
    assert svg.count("<title>") == 1 + len(position.moves)
    assert words.split()[2] in ("a2", "b1", "b3", "c2")  # an edge: both corners lose


# Table 7


@given(st.floats(0.01, 100.0), st.floats(-3.0, 6.0))
def test_a_power_law_is_found_again(factor: float, exponent: float) -> None:
    sizes = [3.0, 4.0, 5.0, 7.0, 9.0]
    fit = fit_power(sizes, [factor * n**exponent for n in sizes])
    assert fit.exponent == pytest.approx(exponent, abs=1e-9)
    assert fit(6.0) == pytest.approx(factor * 6.0**exponent, rel=1e-9)


def test_the_parts_of_the_growth_add_up() -> None:
    times = [
        GameTime(
            n,
            milliseconds=0.01 * n**3.5,
            moves=n**2.0,
            microseconds=2.0 * n,
            reported_milliseconds=REPORTED_MILLISECONDS[n],
        )
        for n in range(3, 10)
    ]
    fits = growth(times)
    assert fits.moves.exponent == pytest.approx(2.0) and fits.simulation.exponent == pytest.approx(1.0)
    assert fits.simulations.exponent == pytest.approx(0.5)
    assert fits.ours.exponent == pytest.approx(3.5)
    assert 5.0 < fits.reported.exponent < 6.0
    assert simulations_a_move(times[0]) == pytest.approx(10.0 * 3**3.5 / (2.0 * 3**3))
    heading, rows = table_7(times)
    assert len(rows) == 7 and all(len(row) == len(heading) for row in rows)
