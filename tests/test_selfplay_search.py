"""Trees that a network values: in lock-step, and one tree with several leaves at a time."""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import boardwright as bw
from boardwright.compile.kernel import interpret
from boardwright.contract.errors import InputError
from boardwright.search.forest import Forest
from boardwright.search.improved_policy import improve
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings, make_plan
from boardwright.search.softmax import masked_softmax
from boardwright.search.tree import MOST_SAMPLES, RUN, Tree, new_tree
from boardwright.search.virtual_loss import VirtualLossSearch
from tests.marks import slowly

PIG, CONNECT_FOUR = "docs/examples/pig.py:Pig", "docs/examples/connect_four.py:ConnectFour"
UR = "docs/examples/royal_ur.py:RoyalUr:pieces=2"  # whose forest other tests compile as well
GAMES = ["tictactoe", UR, *slowly("azul", PIG, "2048:size=3", "azul:players=3", "gomoku:size=5", CONNECT_FOUR)]


def oracle(game: bw.Game) -> Any:
    """A network whose answers follow from the fields of a state, so that any two trees can be compared."""

    def answer(
        states: npt.NDArray[np.void], actors: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        logits = np.zeros((len(states), game.actions), np.float32)
        values = np.zeros((len(states), game.players))
        for row in range(len(states)):
            fields = b"".join(states[name][row].tobytes() for name in game.state_dtype.names or ())
            rng = np.random.default_rng(zlib.crc32(fields))
            logits[row] = rng.normal(size=game.actions)
            values[row] = rng.uniform(-1, 1, game.players) * (100 if game.counts_points else 1)
        return logits, values

    return answer


def grow_forest(game: bw.Game, settings: SearchSettings, seeds: list[int], *, interpreted: bool) -> Forest:
    forest = Forest(game, settings, len(seeds), interpreted=interpreted)
    forest.plant([game.begin(seed) for seed in seeds], seeds)
    ask = oracle(game)
    for _ in range(settings.simulations + 1):
        forest.descend()
        forest.absorb(*ask(forest.leaves, forest.actors))
    return forest


@pytest.mark.parametrize("select", ["gumbel", "puct"])
@pytest.mark.parametrize("name", GAMES)
def test_interpreter_grows_the_same_forest(name: str, select: str) -> None:
    game = bw.load(name)
    settings = SearchSettings(simulations=10, select=select, prior="uniform", considered=4, trust=0.5)
    compiled = grow_forest(game, settings, [1, 2, 3], interpreted=False)
    python = grow_forest(game, settings, [1, 2, 3], interpreted=True)
    for t in range(3):
        assert compiled.tree(t).used.tobytes() == python.tree(t).used.tobytes()
    assert compiled.chosen().tolist() == python.chosen().tolist()
    pairs: Any = zip(compiled.improved(), python.improved(), strict=True)
    assert all(one.tobytes() == other.tobytes() for one, other in pairs)


def test_a_tree_does_not_depend_on_its_neighbours() -> None:
    game = bw.load("azul")
    settings = SearchSettings(simulations=12, select="gumbel", prior="uniform")
    many = grow_forest(game, settings, [4, 5, 6, 7], interpreted=False)
    alone = grow_forest(game, settings, [6], interpreted=False)
    assert many.tree(2).used.tobytes() == alone.tree(0).used.tobytes()


def test_fewer_trees_after_more_leave_no_trace() -> None:
    game = bw.load("tictactoe")
    settings = SearchSettings(simulations=12, select="gumbel", prior="uniform")
    fresh = grow_forest(game, settings, [1], interpreted=False)
    used = grow_forest(game, settings, [7, 8, 9], interpreted=False)
    used.plant([game.begin(1)], [1])
    ask = oracle(game)
    for _ in range(13):
        used.descend()
        used.absorb(*ask(used.leaves, used.actors))
    assert used.trees == 1
    assert used.tree(0).used.tobytes() == fresh.tree(0).used.tobytes()


@pytest.mark.parametrize("name", ["tictactoe", *slowly("azul", "azul:players=3", "2048:size=3", PIG, CONNECT_FOUR)])
def test_one_leaf_at_a_time_is_the_forests_tree(name: str) -> None:
    """Two programs that share only the kernels of a descent, one making slots at a leaf's first visit and one at its
    second: they must agree node for node."""
    game = bw.load(name)
    settings = SearchSettings(simulations=24, select="puct", prior="uniform", seed=3)
    forest = grow_forest(game, SearchSettings(**{**vars(settings), "simulations": 23}), [3], interpreted=False)
    single = VirtualLossSearch(game, settings, oracle(game), leaves=1)
    single.grow(game.begin(3))
    assert single.tree is not None
    if single.tree.root["proven"]:
        return
    one, other = single.tree, forest.tree(0)
    pairs, compared = [(0, 0)], 0
    while pairs:
        ours, theirs = pairs.pop()
        for field in ("visits", "move", "prior", "actor"):
            assert one.slots[field][ours] == other.slots[field][theirs], field
        np.testing.assert_allclose(one.slots["value"][ours], other.slots["value"][theirs], atol=1e-12)
        compared += 1
        if len(other.children(theirs)):
            pairs += zip(one.children(ours), other.children(theirs), strict=True)
        else:
            assert not one.slots["visits"][list(one.children(ours))].any(), "visited below a node without children"
    assert compared == len(other.used) - _blank_samples(other) < len(one.used)


def _blank_samples(tree: Tree) -> int:
    """Slots that a run of draws keeps for samples that have not come."""
    runs = tree.used[tree.used["actor"] == RUN]
    return int(sum(MOST_SAMPLES - int(run["count"]) for run in runs))


@pytest.mark.parametrize("name", ["tictactoe", "azul", *slowly(PIG)])
def test_interpreter_grows_the_same_tree_from_batches_of_leaves(name: str) -> None:
    game = bw.load(name)
    settings = SearchSettings(simulations=40, select="puct", prior="uniform")
    compiled = VirtualLossSearch(game, settings, oracle(game), leaves=6)
    python = VirtualLossSearch(game, settings, oracle(game), leaves=6, interpreted=True)
    compiled.grow(game.begin(1))
    python.grow(game.begin(1))
    assert compiled.tree is not None and python.tree is not None
    assert compiled.tree.used.tobytes() == python.tree.used.tobytes()


@pytest.mark.parametrize("select", ["puct", *slowly("gumbel")])
@pytest.mark.parametrize("name", ["azul", *slowly("gomoku:size=7", CONNECT_FOUR)])
def test_waiting_visits_are_all_taken_back(name: str, select: str) -> None:
    game = bw.load(name)
    search = VirtualLossSearch(
        game, SearchSettings(simulations=300, select=select, prior="uniform", proofs=False), oracle(game), leaves=16
    )
    search.grow(game.begin(1))
    assert search.tree is not None
    tree = search.tree
    slots = tree.used
    for slot in range(len(slots)):
        if slots["first"][slot] and slots["actor"][slot] >= 0:
            children = list(tree.children(slot))
            assert slots["visits"][slot] == 1 + sum(int(slots["visits"][child]) for child in children)
    assert (np.abs(slots["value"]) <= slots["visits"][:, None] + 1e-9).all()
    assert slots["visits"][0] in (300, 301)


@pytest.mark.parametrize("name", ["gomoku:size=7", *slowly("azul")])
def test_a_full_tree_of_batches_drops_what_is_rarely_visited_and_goes_on(name: str) -> None:
    game = bw.load(name)
    settings = SearchSettings(simulations=2000, megabytes=1, select="puct", prior="uniform", proofs=False)
    search = VirtualLossSearch(game, settings, oracle(game), leaves=8)
    stop = search.grow(game.begin(1))
    assert search.tree is not None
    tree = search.tree
    slots = tree.used
    assert stop.pruned and not stop.full and not stop.proven and stop.simulations == 2000
    assert tree.slots.nbytes <= 1_000_000 and slots["visits"][0] in (2000, 2001)
    assert tree.slots["visits"][list(tree.children())].sum() == slots["visits"][0] - 1, "the root loses nothing"
    parents = [slot for slot in range(len(slots)) if slots["first"][slot]]
    for slot in parents:
        children = tree.children(slot)
        assert slot < children.start and children.stop <= len(slots)
        assert slots["visits"][children.start : children.stop].sum() <= slots["visits"][slot]
    if not game.outcomes:  # a run of draws keeps room for what it has not drawn
        assert sorted(child for slot in parents for child in tree.children(slot)) == list(range(1, len(slots)))
    assert any(slots["visits"][slot] > 1 and not slots["first"][slot] for slot in range(len(slots))), "leaves again"
    assert (np.abs(slots["value"]) <= 100 * slots["visits"][:, None] + 1e-9).all(), "no virtual visit was left behind"


def test_the_first_candidates_of_batches_get_visits_and_the_root_keeps_its_value() -> None:
    game = bw.load("azul")
    trees = []
    for asked in (False, True):
        search = VirtualLossSearch(
            game, SearchSettings(simulations=60, select="puct", prior="uniform"), oracle(game), leaves=8
        )
        search.grow(game.begin(1))
        assert search.tree is not None
        before = search.tree.q(0).tolist(), int(search.tree.root["visits"])
        if asked:
            search.give_visits(5, 16)
            visits = sorted((int(search.tree.slots["visits"][child]) for child in search.tree.children()), reverse=True)
            assert all(count >= 16 for count in visits[:5])
        assert (search._left, search._ahead) == (0, 0), "on nobody's account"
        trees.append((search.tree.q(0).tolist(), int(search.tree.root["visits"])))
        assert trees[-1] == before
    assert trees[0] == trees[1]


def test_a_batch_of_leaves_asks_for_each_once() -> None:
    game = bw.load("azul")
    ask, asked = oracle(game), []

    def answer(states: Any, actors: Any) -> Any:
        asked.append(len(states))
        return ask(states, actors)

    search = VirtualLossSearch(game, SearchSettings(simulations=200, select="puct", prior="uniform"), answer, leaves=8)
    search.grow(game.begin(1))
    assert 200 <= sum(asked) <= 208, "at most one batch is asked for again, when the tree had to grow"
    assert max(asked) == 8 and asked[0] == 1
    assert len(asked) < 100


def test_a_tree_of_batches_does_not_depend_on_the_clock() -> None:
    """The driver asks for slices as long as time tells; batches must not end where slices do."""
    game = bw.load("azul")
    trees = []
    for slices in ([60], [1] * 60, [7] * 8 + [4], [59, 1]):
        search = VirtualLossSearch(
            game, SearchSettings(simulations=60, select="puct", prior="uniform"), oracle(game), leaves=8
        )
        search._plant(game.begin(1))
        search._schedule(60)
        assert sum(search._simulate(due) for due in slices) == 60
        assert search.tree is not None
        assert int(search.tree.root["visits"]) == 60
        trees.append(search.tree.used.tobytes())
    assert len(set(trees)) == 1


def test_proven_wins_are_chosen_and_learnt() -> None:
    game = bw.load("tictactoe")
    position = game.begin()
    for move in ("b2", "a1", "c1", "a3"):  # X wins at a... nowhere yet: c3-b2-a1 is blocked; a2 must be blocked
        position = position.play(move)
    position = position.play("a2").play("c2")  # X holds b2 c1 a2, O a1 a3 c2; X to move
    forest = Forest(game, SearchSettings(simulations=30, select="gumbel", prior="uniform", forcing=False), 1)
    forest.plant([position], [0])
    for _ in range(31):
        forest.descend()
        forest.absorb(np.zeros((1, 9), np.float32), np.zeros((1, 2)))
    best = {move for move in position.moves if _solved(position.play(move), 0) == _solved(position, 0)}
    found = forest.improved()
    assert found.proven[0]
    assert found.values[0, 0] == _solved(position, 0)
    assert forest.chosen()[0] in best
    assert {move for move in range(9) if found.policies[0, move] > 0} <= best


def _solved(position: bw.Position, player: int) -> float:
    """Plain minimax, for truth."""
    if position.is_over:
        assert position.results is not None
        return position.results[player]
    values = [_solved(position.play(move), player) for move in position.moves]
    return max(values) if position.player == player else min(values)


def test_improved_policy_follows_the_papers_formula() -> None:
    game = bw.load("tictactoe")
    settings = SearchSettings(simulations=20, select="gumbel", prior="uniform", considered=6, trust=0.3, proofs=False)
    forest = grow_forest(game, settings, [5], interpreted=False)
    tree = forest.tree(0)
    children = list(tree.children())
    prior = np.array([float(tree.slots["prior"][c]) for c in children])
    visits = np.array([int(tree.slots["visits"][c]) for c in children])
    q = np.array([float(tree.q(c)[0]) for c in children])
    seen = visits > 0
    raw = float(tree.root["raw"])
    mix = (raw + visits.sum() * (prior[seen] * q[seen]).sum() / prior[seen].sum()) / (1 + visits.sum())
    completed = np.where(seen, q, mix)
    logits = np.log(prior) + (50 + visits.max()) * 0.3 * (completed + 1) / 2
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    found = forest.improved()
    moves = [int(tree.slots["move"][c]) for c in children]
    np.testing.assert_allclose(found.policies[0, moves], expected, rtol=1e-5, atol=1e-7)
    assert math.isclose(found.surprises[0], float((expected * np.log(expected / prior)).sum()), rel_tol=1e-4)


def test_an_unopened_tree_improves_nothing() -> None:
    game = bw.load("tictactoe")
    tree: Tree = new_tree(2, 8)
    plan = make_plan(game, SearchSettings(select="gumbel", prior="uniform"))
    assert interpret(improve)(tree.slots, tree.stats, plan, np.zeros(9)) == 0.0


@pytest.mark.parametrize(
    ("logits", "values", "message"),
    [
        (np.zeros((2, 8)), np.zeros((2, 2)), r"logits must be of shape \(2, 9\) \(leaves, actions\), not \(2, 8\)"),
        (np.zeros((1, 9)), np.zeros((2, 2)), r"logits must be of shape \(2, 9\) \(leaves, actions\), not \(1, 9\)"),
        (np.zeros((2, 9)), np.zeros(2), r"values must be of shape \(2, 2\) \(leaves, players\), not \(2,\)"),
        (np.zeros((2, 9), np.int64), np.zeros((2, 2)), "logits must be floats, not int64"),
    ],
)
def test_an_answer_of_a_wrong_shape_is_refused_at_the_door(logits: Any, values: Any, message: str) -> None:
    """Kernels are compiled without bounds checks: beyond the door they would read what is not theirs."""
    game = bw.load("tictactoe")
    forest = Forest(game, SearchSettings(simulations=4, select="puct", prior="uniform"), 2)
    forest.plant([game.begin(), game.begin()], [1, 2])
    forest.descend()
    with pytest.raises(InputError, match=message):
        forest.absorb(logits, values)


def test_a_network_that_answers_in_a_wrong_shape_is_refused() -> None:
    game = bw.load("tictactoe")
    search = VirtualLossSearch(
        game,
        SearchSettings(simulations=4, select="puct", prior="uniform"),
        lambda states, actors: (np.zeros((len(states), 3), np.float32), np.zeros((len(states), 2))),
    )
    with pytest.raises(InputError, match=r"logits must be of shape \(1, 9\)"):
        search.grow(game.begin())


def test_a_leaf_that_finds_no_room_is_valued_but_not_expanded() -> None:
    """Neither for its edges nor for its children: the tree goes on without."""
    game = bw.load("tictactoe")
    settings = SearchSettings(simulations=20, select="puct", prior="uniform", proofs=False)
    trees = []
    for slots, edges in ((0, 0), (1 + 9 + 8, 0), (0, 2 * (1 + 8))):
        forest = Forest(game, settings, 1, slots=slots)
        forest.edge_room = edges or forest.edge_room
        forest.plant([game.begin(1)], [1])
        ask = oracle(game)
        for _ in range(21):
            forest.descend()
            forest.absorb(*ask(forest.leaves, forest.actors))
        tree = forest.tree(0)
        opened = [slot for slot in range(len(tree.used)) if len(tree.children(slot))]
        assert tree.root["visits"] == 21 == 1 + tree.slots["visits"][list(tree.children())].sum()
        trees.append(len(opened))
    assert trees[0] > 3 and trees[1] == 2 and trees[2] <= 3


def test_positions_of_another_game_are_refused() -> None:
    small, large = bw.load("tictactoe"), bw.load("tictactoe:size=4,line=3")
    forest = Forest(small, SearchSettings(simulations=4, select="puct", prior="uniform"), 2)
    with pytest.raises(InputError, match="was given a position of"):
        forest.plant([large.begin()], [1])
    with pytest.raises(InputError, match="room for 2 trees cannot grow 3"):
        forest.plant([small.begin()] * 3, [1, 2, 3])
    with pytest.raises(InputError, match="was given a position of"):
        Search(small, SearchSettings(simulations=4)).grow(large.begin())


def test_the_softmax_of_priors_is_that_of_math() -> None:
    rng = np.random.default_rng(0)
    for spread in (0.0, 1.0, 30.0, 1000.0):
        logits = (spread * rng.normal(size=400)).astype(np.float32)
        moves = rng.permutation(400)[:169].astype(np.int32)
        twins = np.zeros(169), np.zeros(169)
        masked_softmax(moves, 169, logits, twins[0])
        interpret(masked_softmax)(moves, 169, logits, twins[1])
        assert np.array_equal(*twins)
        below = logits[moves].astype(float) - float(logits[moves].max())
        assert np.allclose(twins[0], np.exp(np.maximum(below, -700.0)), rtol=4e-16, atol=0.0)
