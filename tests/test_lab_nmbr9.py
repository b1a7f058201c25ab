"""The laboratory's NMBR 9: windows and similarity against the report's formulas, the tree against counts and the
interpreter, SAM's rewards and gradients against hand-made truth, trajectories that are cut or foreign."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import interpret
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position
from boardwright.contract.random import Random
from boardwright.games.nmbr9.tiles import CARDS, LEVELS, SHAPES, squares
from boardwright.records import Record
from boardwright_lab.nmbr9 import sam
from boardwright_lab.nmbr9.any_action import EMPTY, SIDE, AnyActionTable, demonstration
from boardwright_lab.nmbr9.measure import estimate, stretches, with_interval
from boardwright_lab.nmbr9.store import Lessons, Store
from boardwright_lab.nmbr9.training import LAST_TURNS, Sizes, train, ways_to_play
from boardwright_lab.nmbr9.trajectories import deck_of, load_trajectories, play_deck, save_trajectories
from boardwright_lab.nmbr9.tree import EMPQ, LALS, UCB, ReportSearch
from boardwright_lab.nmbr9.windows import (
    BOX,
    FAR,
    KINDS,
    NEAR,
    PLACES,
    PLANES,
    SPAN,
    SQUARES,
    cut_window,
    lay_heights,
    ones,
    recall,
    similarity,
)
from tests.marks import examples

GAME = bw.load("nmbr9")
DECK = (6, 5, 3, 8, 1, 0, 9, 4, 2, 7, 7, 2, 4, 9, 0, 1, 8, 3, 5, 6)
levels = st.lists(st.integers(-1, 9), min_size=SQUARES, max_size=SQUARES)


def packed(window: list[int]) -> Any:
    """A window of levels, -1 for nothing, as the store keeps it."""
    return np.array([sum((level + 1 >> b & 1) << i for i, level in enumerate(window)) for b in range(PLANES)], np.int64)


def by_formula(one: list[int], other: list[int]) -> float:
    """The similarity score of the report's section 5, square by square."""
    score = 0.0
    for weight, begin, end in ((0.5, 0, 12), (0.4, 12, 30), (0.1, 30, 56)):
        for a, b in zip(one[begin:end], other[begin:end], strict=True):
            gamma = 1.0 if a == b else 0.5 if a > -1 and b > -1 else 0.0
            score += weight * gamma / (end - begin)
    return score


def random_position(seed: int, moves: int) -> Position:
    rng, position = Random(seed), GAME.begin(seed=seed)
    for _ in range(moves):
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    return position


# Windows


def test_zones_are_the_box_and_the_two_rings_round_it() -> None:
    assert [zone.bit_count() for zone in (BOX, NEAR, FAR)] == [12, 18, 26]
    assert BOX | NEAR | FAR == 2**SQUARES - 1
    for (tall, wide), places in zip(((4, 3), (3, 4)), PLACES.tolist(), strict=True):
        assert {tuple(p) for p in places[:12]} == {(y, x) for y in range(tall) for x in range(wide)}
        assert {tuple(p) for p in places[:30]} == {(y, x) for y in range(-1, tall + 1) for x in range(-1, wide + 1)}
        assert {tuple(p) for p in places} == {(y, x) for y in range(-2, tall + 2) for x in range(-2, wide + 2)}


@given(levels, levels)
@examples(60)
def test_similarity_is_the_reports_formula(one: list[int], other: list[int]) -> None:
    wanted = by_formula(one, other)
    for run in (similarity, interpret(similarity)):
        assert run(packed(one), packed(other), -1.0) == pytest.approx(wanted)
        assert run(packed(other), packed(one), -1.0) == pytest.approx(wanted)
        assert run(packed(one), packed(one), -1.0) == pytest.approx(1.0)
    assert similarity(packed(one), packed(other), wanted - 1e-6) == pytest.approx(wanted)
    assert similarity(packed(one), packed(other), 1.0) == -1.0  # nothing exceeds 1


def test_similarity_by_hand() -> None:
    nothing, table = [-1] * SQUARES, [0] * SQUARES
    first_level = [1] * SQUARES
    box_only = [0] * 12 + [-1] * 44
    assert similarity(packed(nothing), packed(table), -1.0) == pytest.approx(0.0)
    assert similarity(packed(first_level), packed(table), -1.0) == pytest.approx(0.5)
    assert similarity(packed(box_only), packed(table), -1.0) == pytest.approx(0.5)
    assert similarity(packed(box_only), packed(nothing), -1.0) == pytest.approx(0.5)
    assert similarity(packed([0] * 30 + [-1] * 26), packed(table), -1.0) == pytest.approx(0.9)


@given(st.integers(0, 2**SQUARES - 1))
def test_ones_counts_bits(bits: int) -> None:
    assert ones(bits) == interpret(ones)(bits) == bits.bit_count()


@pytest.mark.parametrize(("seed", "moves"), [(1, 0), (2, 1), (3, 9), (4, 19)])
def test_a_window_holds_the_highest_levels_round_the_tile(seed: int, moves: int) -> None:
    position = random_position(seed, moves)
    s = position.view
    top = {}  # (row, column) on the ring: the highest level there
    for k in range(s.count):
        for y, x in squares(SHAPES[4 * s.number[k] + s.turned[k]]):
            top[(s.row[k] + y) % 85, (s.column[k] + x) % 85] = s.level[k]
    heights, window = np.zeros((SPAN, SPAN), np.int64), np.zeros(PLANES, np.int64)
    interpret(lay_heights)(GAME, s, heights)
    for move in position.moves[:: max(len(position.moves) // 25, 1)]:
        shape, row, column = GAME.interpreted.placement(s.digit, move)
        interpret(cut_window)(s, heights, shape % 4, row, column, window)
        places = PLACES[shape % 2].tolist()
        assert window.tolist() == packed([top.get(((row + y) % 85, (column + x) % 85), -1) for y, x in places]).tolist()


@given(st.lists(levels, min_size=1, max_size=6), levels)
@examples(30)
def test_recall_finds_the_most_similar_window_of_the_kind(stored: list[list[int]], wanted: list[int]) -> None:
    windows, values = np.zeros((2, 8, PLANES), np.int64), np.zeros((2, 8))
    for i, window in enumerate(stored):
        windows[1, i], values[1, i] = packed(window), i + 1
    used = np.array([0, len(stored)])
    scores = [by_formula(window, wanted) for window in stored]
    got = recall(windows, used, values, 1, packed(wanted), -7.0)
    assert scores[int(got) - 1] == pytest.approx(max(scores))
    assert recall(windows, used, values, 0, packed(wanted), -7.0) == -7.0


# The store


def lesson(kind: int, window: list[int], value: float, visits: int) -> Lessons:
    return Lessons(np.array([kind]), packed(window)[None], np.array([value]), np.array([visits]))


def test_the_store_keeps_means_over_visits_and_the_windows_met_most() -> None:
    store, windows = Store(room=2), [[level] * SQUARES for level in (0, 1, 2)]
    store.add([lesson(5, windows[0], 10.0, 1), lesson(5, windows[0], 4.0, 2), lesson(5, windows[1], 1.0, 1)])
    store.add([lesson(5, windows[2], 8.0, 2)])
    assert len(store) == 3
    shelves = store.shelves
    assert shelves.used.sum() == shelves.used[5] == 2
    assert shelves.windows[5].tolist() == [packed(windows[0]).tolist(), packed(windows[2]).tolist()]
    assert shelves.values[5].tolist() == [6.0, 8.0]
    assert len(Store(turns_apart=True).shelves.used) == CARDS * KINDS


# The tree


def search_for(lals: bool, rng: int, *, interpreted: bool = False, store: Store | None = None) -> ReportSearch:
    ways = ways_to_play(1, 2 if lals else CARDS + 1)
    return ReportSearch(GAME, ways, (store or Store()).shelves, Random(rng), 60, interpreted=interpreted)


def test_ways_to_play_follow_the_report() -> None:
    ways = ways_to_play(2, 16)
    assert ways.policy.tolist() == [UCB] * 2 + [EMPQ] * 13 + [LALS] * 4 + [EMPQ]
    assert ways.greed[0] == pytest.approx(0.4) and ways.greed[18] == pytest.approx(0.8) and ways.greed[19] == 1.0
    assert set(ways_to_play(0, 21, greedy=True).greed) == {1.0}


def test_the_tree_counts_every_simulation_once() -> None:
    search, position = search_for(False, 3), random_position(7, 14)
    found = search.grow(position, 50, late_turn=18)
    nodes, edges = search.nodes[: search.used[0]], search.edges[: search.used[1]]
    root = edges[: nodes["count"][0]]
    assert nodes["visits"][0] == root["visits"].sum() == 50
    assert root["move"].tolist() == list(position.moves)
    # What the root's edges were told is what the games still brought.
    assert root["total"].sum() == found.points.sum() - 50 * position.scores[0]
    for node in nodes:
        below = edges[node["first"] : node["first"] + node["count"]]
        assert below["visits"].sum() == node["visits"]
    rewards = [position.play(move).scores[0] - position.scores[0] for move in position.moves]
    assert root["reward"].tolist() == rewards
    assert set(found.late["count"]) == {17}
    assert search.best() in position.moves


@pytest.mark.parametrize("lals", [False, True])
def test_compiled_and_interpreted_trees_are_the_same(lals: bool) -> None:
    store, position = Store(turns_apart=lals), random_position(11, 17)
    if lals:
        teacher = search_for(False, 1, store=store)
        teacher.grow(position, 40)
        store.add([teacher.lessons()])
    fast, slow = search_for(lals, 5, store=store), search_for(lals, 5, store=store, interpreted=True)
    assert fast.grow(position, 12).points.tolist() == slow.grow(position, 12).points.tolist()
    for name in ("visits", "total", "move"):
        assert fast.edges[name][: fast.used[1]].tolist() == slow.edges[name][: slow.used[1]].tolist()
    one, other = fast.lessons(), slow.lessons()
    assert one.kinds.tolist() == other.kinds.tolist() and one.windows.tolist() == other.windows.tolist()
    assert one.visits.sum() == fast.edges["visits"][: fast.used[1]].sum()


def test_the_last_turn_is_played_for_the_most_points_and_ucb_tries_every_move() -> None:
    last = random_position(23, 19)
    most = max(last.play(move).scores[0] for move in last.moves)
    for seed in range(5):
        assert last.play(search_for(False, seed).alone(last)).scores[0] == most
    position = random_position(5, 17)
    search = ReportSearch(GAME, ways_to_play(CARDS, CARDS + 1), Store().shelves, Random(2), 400)
    search.grow(position, len(position.moves))
    assert set(search.edges["visits"][: len(position.moves)]) == {1}


def test_lals_plays_what_the_store_knows() -> None:
    """A store that praises one kind of placement: LALS takes it where empQ would take another."""
    position = random_position(31, 12)
    heights, window = np.zeros((SPAN, SPAN), np.int64), np.zeros(PLANES, np.int64)
    interpret(lay_heights)(GAME, position.view, heights)
    wanted = position.moves[len(position.moves) // 3]
    after = position.play(wanted).view
    k = position.view.count
    interpret(cut_window)(position.view, heights, after.turned[k], after.row[k], after.column[k], window)
    store = Store()
    kind = (4 * after.number[k] + after.turned[k]) * LEVELS + after.level[k]
    store.add([Lessons(np.array([kind]), window[None].copy(), np.array([99.0]), np.array([1]))])
    search = ReportSearch(GAME, ways_to_play(0, 1, greedy=True), store.shelves, Random(0), 1)
    chosen = position.play(search.alone(position)).view
    assert (chosen.turned[k], chosen.level[k]) == (after.turned[k], after.level[k])


def test_training_goes_upward_from_the_last_turns_and_repeats_itself() -> None:
    sizes = Sizes(batches=2, targets=1, games=4, late=2, simulations=10)

    def run() -> tuple[list[Any], Store]:
        store = Store()
        return train(GAME, store, sizes, seed=3), store

    (one, store), (other, again) = run(), run()
    assert [batch.turn for batch in one] == [LAST_TURNS, LAST_TURNS - 2]
    assert [batch.points.tolist() for batch in one] == [batch.points.tolist() for batch in other]
    assert 0 < one[0].windows < one[1].windows == len(store)
    assert store.visits == again.visits and store.total == again.total


# The report's table and SAM


def first_legal(table: AnyActionTable) -> tuple[int, int, int, int]:
    assert table.count_legal() > 0
    x, y, z, theta = table.legal[0].tolist()
    return x, y, z, theta


def test_the_reports_table_takes_legal_actions_and_drops_the_tile_of_others() -> None:
    table = AnyActionTable()
    table.begin(DECK)
    assert table.count_legal() == 4 * 22 * 23
    assert not table.step((0, 0, 1, 0))  # nothing carries level 1
    assert table.turn == 1 and (table.digits == EMPTY).all() and table.digit == DECK[1]
    assert not table.step((24, 24, 0, 0))  # over the edge
    assert table.step((10, 10, 0, 0))  # a 3, anywhere on the empty table
    assert {(int(y), int(x)) for y, x in np.argwhere(table.digits[:, :, 0] == 3)} == {
        (10 + y, 10 + x) for y, x in squares(SHAPES[12])
    }
    assert not table.step((0, 0, 0, 0))  # touches nothing
    while not table.over:
        assert table.step(first_legal(table))
    assert table.points == 0  # the first listed place lies on the table
    table.begin(DECK)
    board, hand = table.observe()
    assert board.shape == (SIDE, SIDE, 10) and hand[:10].tolist() == [float(d == DECK[0]) for d in range(10)]
    assert hand[10:].sum() == pytest.approx((CARDS - 1) / 2)


def test_every_listed_action_is_legal_and_scores_number_times_level() -> None:
    table, rng = AnyActionTable(), np.random.default_rng(1)
    table.begin(DECK)
    points = 0
    while not table.over:
        x, y, z, theta = table.legal[rng.integers(table.count_legal())].tolist()
        points += table.digit * z
        assert table.step((x, y, z, theta))
    assert table.points == points


def test_half_turns_of_the_0_and_the_8_are_the_same_tile() -> None:
    table = AnyActionTable()
    for theta in (0, 2):
        table.begin((8, *DECK[:3], *DECK[4:]))
        assert table.step((3, 4, 0, theta))


def strong_game(seed: int = 0) -> Position:
    judge = bw.player("greedy", GAME)
    deck = tuple(np.random.default_rng(seed).permutation(np.repeat(np.arange(10), 2)).tolist())
    return play_deck(GAME, deck, lambda position: judge.choose(position).move)


def test_a_demonstration_is_the_game_in_the_middle_of_the_table() -> None:
    end = strong_game()
    boards = demonstration(end.view)
    assert boards is not None
    cells = [len(squares(SHAPES[4 * number])) for number in end.view.number]
    assert [(board != EMPTY).sum() for board in boards] == np.cumsum(cells).tolist()
    assert sum(z * (boards[-1, :, :, z] >= 0).sum() for z in range(5)) == sum(
        level * count for level, count in zip(end.view.level, cells, strict=True)
    )
    ys, xs = np.nonzero((boards[-1] != EMPTY).any(axis=2))
    assert (ys.min(), xs.min()) == ((SIDE - end.view.tall) // 2, (SIDE - end.view.wide) // 2)
    assert demonstration(random_position(1, 5).view) is None  # no whole game


def test_rewards_are_the_reports() -> None:
    linear, _, safety, full = sam.VARIANTS
    fixed = sam.ASIDES[0]
    assert [sam.reward(linear, 36, legal, 0.5) for legal in (True, False)] == [36, 36]
    assert [sam.reward(safety, 36, legal, 0.5) for legal in (True, False)] == [36, 0]
    assert [sam.reward(full, 36, legal, 0.5) for legal in (True, False)] == [36 + 11.5, -45]
    assert [sam.reward(fixed, 36, legal, 0.5) for legal in (True, False)] == [56, -45]
    one = np.array([[3.0, 0.0], [4.0, 0.0]], np.float32)
    assert sam.cosine(one, 2 * one) == pytest.approx(1.0)
    assert sam.cosine(one, one[:, ::-1]) == 0.0 == sam.cosine(one, 0 * one)
    assert sam.cosine(one, np.array([[1.0, 0.0], [0.0, 0.0]], np.float32)) == pytest.approx(0.6)


@pytest.mark.parametrize("masked", [False, True])
def test_one_step_moves_actor_and_critic_as_appendix_b_says(masked: bool) -> None:
    """Where delta = r + gamma v(s') - v(s) is above 0, the action becomes likelier and the state's value rises."""
    fresh, _, learn = sam.network(True, masked)
    table = AnyActionTable()
    table.begin(DECK)
    seen, count, legal = table.observe(), table.count_legal(), table.legal.copy()
    action = legal[5]
    for got, sign in ((10.0, 1), (-45.0, -1)):
        weights, memory = fresh(0)
        after, _ = learn(weights, memory, seen, action, legal, count, got, (*seen, 0.0))
        assert np.sign(float(after["critic"]["bias"][0])) == sign
        bias = np.asarray(after["actor"]["bias"])
        x, other_x = bias[action[0]], np.delete(bias[:SIDE], action[0])
        assert np.sign(x - other_x.max() if sign > 0 else x - other_x.min()) == sign
    zero, _ = learn(*fresh(0), seen, action, legal, count, 0.0, (*seen, 0.0))
    assert float(abs(np.asarray(zero["critic"]["bias"])).max()) == 0.0  # delta is 0: nothing to learn


def test_a_masked_learner_plays_legal_actions_only_and_seeds_decide() -> None:
    shown = np.array([demonstration(strong_game(seed).view) for seed in (0, 1)])
    masked = sam.Learner(sam.MASKED, 1, shown)
    for episode in masked.train(2):
        assert episode.legal == episode.streak == CARDS and episode.points == episode.asked
    runs = [list(sam.Learner(sam.VARIANTS[3], 4, shown).train(3)) for _ in range(2)]
    assert repr(runs[0]) == repr(runs[1])
    for episode in runs[0]:
        assert 0 <= episode.streak <= episode.legal <= CARDS and episode.points <= episode.asked
        assert math.isnan(episode.similarity) == (episode.legal == 0)


# Trajectories


def test_trajectories_are_saved_loaded_and_replayed(tmp_path: Path) -> None:
    ends = [strong_game(seed) for seed in (3, 4)]
    records = [Record.of(end, seed=seed, players=["greedy"]) for seed, end in enumerate(ends)]
    path = tmp_path / "games.jsonl"
    save_trajectories(path, records)
    loaded = load_trajectories(path, GAME)
    assert loaded == records and [one.replay(GAME).key for one in loaded] == [end.key for end in ends]
    assert sorted(deck_of(loaded[0])) == sorted(DECK)
    played = (one.step or 0 for one in ends[0].line() if one.previous is not None and one.previous.player == 0)
    assert play_deck(GAME, deck_of(loaded[0]), lambda position: next(played)).key == ends[0].key


def test_cut_changed_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record.of(strong_game(5), seed=0, players=["greedy"])
    save_trajectories(path, [record])
    text = path.read_text()
    faults = {
        text[: len(text) // 2]: "line 1: .*not JSON",
        text + text[:100]: "line 2: .*not JSON",
        text.replace('"~', '"', 1): "line 1: .*altered",
        replace(record, sealed=False).to_json().replace('"~', '"', 1): "line 1: .*draw",
        text.replace('"nmbr9"', '"2048"', 1): "line 1: ",
        "": "no games",
        '{"a": 1}\n': "line 1: .*not one of ours",
    }
    for wrong, message in faults.items():
        path.write_text(wrong)
        with pytest.raises(InputError, match=message):
            load_trajectories(path, GAME)


# The page's helpers


def test_figures_of_the_report() -> None:
    assert with_interval(estimate([1.0, 3.0])) == "2.0 (-10.7 to 14.7)"
    assert with_interval(estimate([4.0])) == "4.0"
    at, means = stretches(np.array([[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0]]), 2)
    assert at.tolist() == [2.0, 4.0] and means.tolist() == [2.5, 4.5]
