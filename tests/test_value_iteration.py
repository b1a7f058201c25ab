"""Every position of a small game solved: against a second, slow reading of the rules, and published values."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.position import Position, blank
from boardwright.contract.random import Random
from boardwright.search.exact.value_iteration import ValueIteration

UR = "docs/examples/royal_ur.py:RoyalUr"
SIXTEENTHS = (1, 4, 6, 4, 1)


@cache
def solved(spec: str) -> ValueIteration:
    return ValueIteration(bw.load(spec))


def ur_by_hand(pieces: int) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
    """The chance of the player about to roll, from another representation: sorted places of each side's pieces,
    0 waiting and 15 home, own first. Swept until nothing changes."""
    start = ((0,) * pieces, (0,) * pieces)
    known, todo = {start: 0.0}, [start]

    def after(
        own: tuple[int, ...], other: tuple[int, ...], roll: int
    ) -> list[tuple[bool, tuple[int, ...], tuple[int, ...]]]:
        found = []
        for place in set(own):
            to = place + roll
            if roll == 0 or place == 15 or to > 15 or (to < 15 and to in own):
                continue
            rest = list(other)
            if 5 <= to <= 12 and to in rest:
                if to == 8:
                    continue
                rest[rest.index(to)] = 0
            mine = list(own)
            mine[mine.index(place)] = to
            found.append((to in (4, 8, 14), tuple(sorted(mine)), tuple(sorted(rest))))
        return found or [(False, own, other)]

    while todo:
        own, other = todo.pop()
        if set(own) == {15} or set(other) == {15}:
            continue
        for roll in range(5):
            for again, mine, rest in after(own, other, roll):
                key = (mine, rest) if again else (rest, mine)
                if key not in known:
                    known[key] = 0.0
                    todo.append(key)
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for own, other in known:
            if set(own) == {15} or set(other) == {15}:
                value = 1.0 if set(own) == {15} else -1.0
            else:
                value = sum(
                    odds
                    / 16
                    * max(
                        known[mine, rest] if again else -known[rest, mine]
                        for again, mine, rest in after(own, other, roll)
                    )
                    for roll, odds in enumerate(SIXTEENTHS)
                )
            change = max(change, abs(value - known[own, other]))
            known[own, other] = value
    return known


def places(position: Position, player: int) -> tuple[int, ...]:
    at = position.view.at
    return tuple(square for square in range(16) for _ in range(at[player, square]))


@pytest.mark.parametrize("pieces", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ur_is_worth_what_a_second_reading_of_its_rules_says(pieces: int) -> None:
    solution, by_hand = solved(f"{UR}:pieces={pieces}"), ur_by_hand(pieces)
    seen = 0
    for seed in range(40):
        rng = Random(seed)
        position = blank(solution.game)
        while not position.is_over:
            if position.is_chance:
                turn = position.view.turn
                expected = by_hand[places(position, turn), places(position, 1 - turn)]
                assert solution.value(position)[turn] == pytest.approx(expected, abs=1e-7)
                seen += 1
                position = position.sample(rng)
            else:
                position = position.play(position.moves[rng.below(len(position.moves))])
    assert seen > 200


def test_values_of_a_zero_sum_game_add_up_and_a_move_is_worth_what_it_leads_to() -> None:
    solution = solved(f"{UR}:pieces=2")
    position = solution.game.begin(seed=3)
    assert np.allclose(solution.value(position).sum(), 0.0)
    values = solution.values(position)
    assert set(values) == set(position.moves)
    assert max(values.values()) == pytest.approx(solution.value(position)[position.player], abs=1e-8)


def test_without_chance_it_agrees_with_the_solver() -> None:
    from boardwright.search.exact.solver import Solver

    solution, solver = solved("tictactoe"), Solver(bw.load("tictactoe"))
    assert len(solution) == 5478  # the well-known number of positions of tic-tac-toe
    for seed in range(20):
        rng, position = Random(seed), solution.game.begin()
        while not position.is_over:
            assert solution.value(position)[0] == solver.value(position)
            position = position.play(position.moves[rng.below(len(position.moves))])


@pytest.mark.slow  # a million positions
def test_pig_is_worth_what_neller_and_presser_found() -> None:
    """The first player wins with 53.06 % (Neller and Presser 2004, "Optimal Play of the Dice Game Pig")."""
    solution = ValueIteration(bw.load("docs/examples/pig.py:Pig"), tolerance=1e-7)
    chance = (1.0 + float(solution.value(blank(solution.game))[0])) / 2
    assert chance == pytest.approx(0.5306, abs=1e-4)


def test_what_is_too_large_or_from_elsewhere_is_refused() -> None:
    with pytest.raises(bw.InputError, match="more than 100 positions; too large"):
        ValueIteration(bw.load(f"{UR}:pieces=2"), most=100)
    with pytest.raises(bw.InputError, match="the solution is of"):
        solved(f"{UR}:pieces=1").value(bw.load(f"{UR}:pieces=2").begin())
    over = bw.load("tictactoe").begin().play("a1")
    with pytest.raises(bw.InputError, match="cannot be reached"):
        ValueIteration(over.game, over).value(over.game.begin())
