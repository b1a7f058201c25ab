"""The 2048 laboratory: the tree of one tile, samples and their statistics, games that are kept, the settings."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.random import Random
from boardwright_lab.run import Run
from boardwright_lab.twenty48.better import on_bitboards
from boardwright_lab.twenty48.onetile import OneTile, imagine, play_one
from boardwright_lab.twenty48.pictures import panels
from boardwright_lab.twenty48.reported import FOUR, HYBRID, Told
from boardwright_lab.twenty48.sample import (
    Played,
    Sample,
    apart,
    best_and_worst,
    compared,
    games_to_tell,
    kept,
    play_all,
)
from boardwright_lab.twenty48.settings import CONSTANTS, QUICK_SIZE, REPORTED_SIZE, hybrids, masb, uct

GAME = bw.load("2048", four=FOUR)
SEARCH = "mcts:simulations=8,select=ucb1,c=0.04,rollout=uniform,depth=5,reuse=false,proofs=false"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run("2048", True, 0, 0, tmp_path, lambda text: None)


def sample(*scores: float, largest: int = 512) -> Sample:
    return Sample("somebody", tuple(Played(score, largest, 100, 0.5) for score in scores))


# One tile


def test_a_board_has_one_tile_and_it_is_a_legal_one() -> None:
    """Over many boards: one outcome each, always the same, in an empty cell, about a fifth of them fours."""
    one_tile, rng = OneTile(four=FOUR), Random(1)
    seen, fours, places = 0, 0, set()
    position = GAME.begin(3)
    while not position.is_over:
        if position.is_chance:
            tile = imagine(position, one_tile).chances
            assert tile == imagine(position, one_tile).chances and len(tile) == 1 and tile[0][1] == 1.0
            assert tile[0][0] in {outcome for outcome, _ in position.chances}
            seen, fours = seen + 1, fours + tile[0][0] % 2
            places.add(tile[0][0] // 2)
            position = position.sample(rng)
        else:
            position = position.play(position.moves[rng.below(len(position.moves))])
    assert seen > 50 and 0.05 < fours / seen < 0.45 and len(places) > 8


def test_odds_of_fours_hold_at_their_ends() -> None:
    for four, parity in ((0.0, 0), (1.0, 1)):
        game = bw.load("2048", four=four)
        after = game.begin(1).play(game.begin(1).moves[0])
        assert [outcome % 2 for outcome, _ in imagine(after, OneTile(four=four)).chances] == [parity]


def test_fours_are_as_frequent_as_asked() -> None:
    """Boards drawn at random: the share of fours is the odds, every empty cell has its turn."""
    one_tile, rng = OneTile(four=FOUR), np.random.default_rng(0)
    record = np.zeros(1, one_tile.state_dtype)
    fours, count = 0, 2000
    corner = 0
    for _ in range(count):
        cells = rng.integers(1, 9, 16)
        cells[[0, 5, 10, 15]] = 0
        record["cells"][0], record["tiles"][0], record["actor"][0] = cells, 12, bw.CHANCE
        outcomes, weights = np.zeros(32, np.int32), np.zeros(32)
        assert one_tile.interpreted.chances(_view(record), outcomes, weights) == 1
        assert outcomes[0] // 2 in (0, 5, 10, 15)
        fours, corner = fours + outcomes[0] % 2, corner + (outcomes[0] // 2 == 0)
    assert abs(fours / count - FOUR) < 4 * math.sqrt(FOUR * (1 - FOUR) / count)
    assert abs(corner / count - 0.25) < 4 * math.sqrt(0.25 * 0.75 / count)


def _view(record: np.ndarray[tuple[int], np.dtype[np.void]]) -> object:
    from boardwright.contract.state import States

    return States(record)[0]


@pytest.mark.slow
def test_its_games_are_played_with_real_tiles_and_repeat() -> None:
    """One seed, one result; another number, another game."""
    first = play_one(GAME, SEARCH, 0, 5)
    again, other = play_one(GAME, SEARCH, 0, 5), play_one(GAME, SEARCH, 1, 5)
    assert (first.score, first.largest, first.moves) == (again.score, again.largest, again.moves)
    assert first.score != other.score
    assert first.largest >= 16 and first.moves > 20 and first.seconds > 0.0


# Samples


def test_figures_of_a_sample() -> None:
    one = Sample("x", (Played(1000, 128, 100, 0.2), Played(3000, 256, 300, 0.2)))
    assert one.score.value == 2000 and one.best == 3000
    assert one.milliseconds == pytest.approx(1.0)
    assert one.reached(128).value == 1.0 and one.reached(256).value == 0.5 and one.reached(512).value == 0.0
    assert one.spread == pytest.approx(math.sqrt(2) * 1000 / 2000)
    assert one.first(1).games == one.games[:1]


def test_games_to_tell_by_hand() -> None:
    """Half the mean as deviation, 10 % to find: 2 (2.802 x 5)^2 = 392.6."""
    assert games_to_tell(0.5, 0.1) == 393
    assert games_to_tell(0.5, 0.3) == 44


@given(st.floats(0.05, 2.0), st.floats(0.02, 0.5))
def test_finer_differences_need_more_games(spread: float, difference: float) -> None:
    assert games_to_tell(spread, difference / 2) >= games_to_tell(spread, difference) >= 1
    assert games_to_tell(2 * spread, difference) >= games_to_tell(spread, difference)


def test_apart_needs_more_than_luck() -> None:
    near, far = sample(900, 1100, 1000), sample(4900, 5100, 5000)
    assert apart(near, far) and not apart(near, sample(950, 1150, 1000))
    assert best_and_worst([near, far], [2, 20], "constant").startswith("constant 20 scored most, 5,000")
    assert best_and_worst([near, far], [2, 20], "constant").endswith(": more than luck explains")
    assert compared(far, near) == "5.00 times as much (more than luck explains)"
    assert compared(near, near) == "1.00 times as much (no more than luck explains)"
    assert best_and_worst([near, sample(950, 1150, 1000)], [5, 9], "depth").endswith(": no more than luck explains")


def test_a_match_becomes_samples(run: Run) -> None:
    found = play_all(run, GAME, ["random", "greedy"], 3)
    assert [one.name for one in found] == ["random", "greedy"]
    assert all(len(one.games) == 3 for one in found)
    assert found[1].score.value > found[0].score.value
    assert all(game.largest in (2**k for k in range(3, 13)) and game.score % 4 == 0 for game in found[0].games)


@pytest.mark.slow
def test_whole_games_in_kernels_are_those_of_the_match(run: Run) -> None:
    inside = on_bitboards(run, GAME, "heuristic:plies=1", 2)
    outside = play_all(run, GAME, ["heuristic:plies=1"], 2)[0]
    assert [(one.score, one.largest, one.moves) for one in inside.games] == [
        (one.score, one.largest, one.moves) for one in outside.games
    ]


# Games that are kept


def test_kept_games_go_on_where_a_run_was_killed(run: Run) -> None:
    played: list[int] = []

    def play(number: int) -> Played:
        played.append(number)
        return Played(100.0 * number, 64, 10, 0.1)

    kept(run, "x", "key", 3, play)
    path = run.folder / "key.jsonl"
    path.write_text(path.read_text("utf-8")[:-5], "utf-8")  # killed over the third game
    again = kept(run, "x", "key", 4, play)
    assert played == [0, 1, 2, 2, 3]
    assert [one.score for one in again.games] == [0.0, 100.0, 200.0, 300.0]
    assert kept(run, "x", "key", 2, play).games == again.games[:2] and len(played) == 5


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"score": 1}',
        '{"score": "4", "largest": 4, "moves": 1, "seconds": 0}',
        '{"score": 4, "largest": 4, "moves": 0, "seconds": 0}',
        '{"score": -4, "largest": 4, "moves": 1, "seconds": 0}',
        '{"score": NaN, "largest": 4, "moves": 1, "seconds": 0}',
        json.dumps({"score": 4, "largest": 4, "moves": 1, "seconds": 0, "more": 1}),
    ],
)
def test_foreign_lines_are_refused(run: Run, line: str) -> None:
    (run.folder / "key.jsonl").write_text(f"{line}\n", "utf-8")
    with pytest.raises(bw.InputError, match="line 1 is no game of ours; delete the file"):
        kept(run, "x", "key", 1, lambda number: Played(1, 2, 1, 0.0))


# Settings and pictures


def test_specs_are_the_reports_settings() -> None:
    assert uct(REPORTED_SIZE, 20, 5) == ("mcts:simulations=1000,select=ucb1,c=0.04,rollout=uniform,depth=5,reuse=false")
    assert masb(300, 7) == "masb:rollouts=300,depth=7"
    assert hybrids(REPORTED_SIZE)[0] == "hybrid:simulations=6,rollouts=200,depth=8"
    for size in (REPORTED_SIZE, QUICK_SIZE):
        for spec in (uct(size, CONSTANTS[0], 2), *hybrids(size)):
            bw.player(spec, GAME)
        playouts = {
            math.prod(int(part.split("=")[1]) for part in spec.partition(":")[2].split(",")[:2])
            for spec in hybrids(size)
        }
        assert len(playouts) == 1  # all spend the same


def test_panels_draw_every_tile_and_the_reports_point() -> None:
    few = [sample(1000, 2000, largest=128), sample(2000, 3000, largest=256)]
    figure = panels(["5", "10"], [("one", few), ("two", few)], [(1, Told(10, 10438, 13128, 1024, 0.5))], "depth")
    score, tiles, clock = figure.axes
    assert [text.get_text() for text in tiles.get_xticklabels()] == ["5", "10"]
    assert set(tiles.get_legend_handles_labels()[1]) == {"128", "256"}
    assert score.get_legend_handles_labels()[1].count("the report") == 1
    assert clock.lines[0].get_ydata().tolist() == [5.0, 5.0]
    assert score.get_ylim()[0] == 0 and score.get_ylim()[1] > 10438


def test_panels_have_a_shade_for_any_number_of_tiles() -> None:
    many = [Sample("x", tuple(Played(100.0 + k, 2**k, 10, 0.1) for k in range(1, 15)))]
    tiles = panels(["1"], [("x", many)], [(0, HYBRID)], "x").axes[1]
    assert len(tiles.patches) == 14
    assert sum(patch.get_height() for patch in tiles.patches) == pytest.approx(100)
