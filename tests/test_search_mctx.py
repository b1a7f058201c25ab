"""Truth from outside: mctx (DeepMind's search in JAX) grows the same trees, visit for visit, from the same answers.

The game has no rules to speak of: every position has the same moves, no tree reaches the end, and a network that is a
table of random numbers says what each position is worth and how its moves are liked. What is left is the search itself:
which child comes next, and what is backed up.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.search.forest import Forest
from boardwright.search.settings import SearchSettings

mctx = pytest.importorskip("mctx")
jax = pytest.importorskip("jax")

MOVES, PLIES, TREES, SIMULATIONS = 5, 64, 12, 40
TRUST, C = 0.2, 1.5
PLACES = np.arange(TREES, dtype=np.int64) * 977
CELLS = 4096  # of the table; a position's number is hashed into it


# c_visit is 50 in both. Our values are brought to 0..1 by the rules, mctx's stay -1..1: half of c_scale.
sigma = partial(mctx.qtransform_completed_by_mix_value, value_scale=TRUST / 2, rescale_values=False)


class Hedge(bw.Game):
    """Two players in turn, MOVES moves each time. `place` is the position's number, by the moves that led there."""

    players = 2
    actions = MOVES
    observe_shape = (1,)

    def layout(self) -> Any:
        return [("place", "i8"), ("ply", "i8")]

    def player(self, s: Any) -> Any:
        return bw.OVER if s.ply == PLIES else s.ply % 2

    def legal(self, s: Any, moves: Any) -> Any:
        for move in range(MOVES):
            moves[move] = move
        return MOVES

    def play(self, s: Any, move: Any) -> None:
        s.place = (s.place * 31 + move + 7) % 1000003
        s.ply += 1

    def results(self, s: Any, out: Any) -> None:
        out[0] = 0.0
        out[1] = 0.0

    def observe(self, s: Any, out: Any) -> None:
        out[0] = s.place % CELLS


class Answers:
    """The network: logits of the moves, and the value to the player to move, by the position's number."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.logits = rng.normal(size=(CELLS, MOVES)).astype(np.float32)
        self.values = rng.uniform(-1, 1, CELLS).astype(np.float32)


def our_trees(answers: Answers, **settings: Any) -> Forest:
    """Trees from the roots PLACES, in lock-step."""
    game, rows = Hedge(), np.arange(TREES)
    options = {"simulations": SIMULATIONS, "prior": "uniform", "proofs": False, **settings}
    forest = Forest(game, SearchSettings(**options), TREES)
    roots = np.zeros(TREES, game.state_dtype)
    roots["place"] = PLACES
    forest.plant_states(roots, np.arange(TREES, dtype=np.uint64))
    for _ in range(SIMULATIONS + 1):
        forest.descend()
        cells, actors = forest.leaves["place"] % CELLS, forest.actors
        values = np.zeros((TREES, 2))
        values[rows, actors], values[rows, 1 - actors] = answers.values[cells], -answers.values[cells]
        forest.absorb(answers.logits[cells], values)
    return forest


@cache
def their_search(select: str, considered: int) -> Any:
    """mctx's trees from the same roots, as a function of (logits, values, noise at the roots). Compiled once."""

    def recurrent(tables: Any, key: Any, action: Any, place: Any) -> Any:
        place = (place * 31 + action + 7) % 1000003
        logits, values = (table[place % CELLS] for table in tables)
        turned = -jax.numpy.ones(TREES)  # values are told to the player to move: they change sign on the way up
        return mctx.RecurrentFnOutput(
            reward=jax.numpy.zeros(TREES), discount=turned, prior_logits=logits, value=values
        ), place  # fmt: skip

    at_root: Any = partial(
        mctx.gumbel_muzero_root_action_selection,
        num_simulations=SIMULATIONS,
        max_num_considered_actions=considered,
        qtransform=sigma,
    )
    inside: Any = partial(mctx.gumbel_muzero_interior_action_selection, qtransform=sigma)
    if select == "puct":
        at_root, inside = lambda key, tree, node: puct(key, tree, node, 0), puct

    def search(logits: Any, values: Any, noise: Any) -> Any:
        first = jax.numpy.asarray(PLACES, jax.numpy.int32)
        return mctx.search(
            params=(logits, values),
            rng_key=jax.random.PRNGKey(0),
            root=mctx.RootFnOutput(prior_logits=logits[first % CELLS], value=values[first % CELLS], embedding=first),
            recurrent_fn=recurrent,
            root_action_selection_fn=at_root,
            interior_action_selection_fn=inside,
            num_simulations=SIMULATIONS,
            extra_data=mctx.GumbelMuZeroExtraData(root_gumbel=noise),
        )

    return jax.jit(search)


def puct(key: Any, tree: Any, node: Any, depth: Any) -> Any:
    """PUCT as Silver et al. 2018 print it, with the parent's visits + 1 under the root, as ours. mctx's own has its
    visits there and a factor that grows with their logarithm; tree, expansion and backup are mctx's."""
    visits = tree.children_visits[node]
    prior = jax.nn.softmax(tree.children_prior_logits[node])
    q = jax.numpy.where(visits > 0, tree.qvalues(node), tree.node_values[node])
    score = (q + 1) / 2 + C * jax.numpy.sqrt(tree.node_visits[node] + 1) * prior / (1 + visits)
    return jax.numpy.argmax(score).astype(jax.numpy.int32)


def compare(forest: Forest, theirs: Any) -> int:
    """Every node of every tree: its value and its children's visits are equal. Returns how many nodes there are."""
    visits, indices = np.asarray(theirs.children_visits), np.asarray(theirs.children_index)
    values = np.asarray(theirs.node_values)
    compared = 0
    for t in range(TREES):
        tree = forest.tree(t)
        pairs = [(0, 0)]
        while pairs:
            slot, node = pairs.pop()
            compared += 1
            actor = int(tree.slots["actor"][slot])
            assert tree.q(slot)[actor] == pytest.approx(float(values[t, node]), abs=1e-5)
            for child in tree.children(slot):
                move = int(tree.slots["move"][child])
                assert int(tree.slots["visits"][child]) == visits[t, node, move], (t, node, move)
                if indices[t, node, move] >= 0:
                    pairs.append((child, int(indices[t, node, move])))
    return compared


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("considered", [2, MOVES])
def test_gumbel_grows_the_trees_of_mctx(seed: int, considered: int) -> None:
    """Sequential halving at the root, the deterministic rule below it, v_mix for what was not visited; from the same
    noise, which our trees have drawn. The final choice is the same too."""
    answers = Answers(seed)
    forest = our_trees(answers, select="gumbel", considered=considered, trust=TRUST)
    scores, prior = np.full((TREES, MOVES), -np.inf), np.zeros((TREES, MOVES))
    for t in range(TREES):
        tree = forest.tree(t)
        for i, child in enumerate(tree.children()):
            scores[t, tree.slots["move"][child]] = forest.works.gumbels[t, i]
            prior[t, tree.slots["move"][child]] = tree.slots["prior"][child]
    assert (np.isfinite(scores).sum(axis=1) == considered).all()
    noise = np.maximum(scores - np.log(prior), -1e6).astype(np.float32)  # -1e6: drawn out of the considered
    theirs = their_search("gumbel", considered)(answers.logits, answers.values, noise)
    assert compare(forest, theirs) == TREES * (SIMULATIONS + 1)
    visits = np.asarray(theirs.children_visits)[:, 0]
    scores += np.asarray(jax.vmap(sigma, in_axes=[0, None])(theirs, 0))
    assert (
        forest.chosen().tolist() == np.where(visits == visits.max(1, keepdims=True), scores, -np.inf).argmax(1).tolist()
    )


@pytest.mark.parametrize("seed", range(3))
def test_puct_grows_the_trees_of_mctx(seed: int) -> None:
    answers = Answers(seed)
    forest = our_trees(answers, select="puct", c=C)
    theirs = their_search("puct", 0)(answers.logits, answers.values, np.zeros((TREES, MOVES), np.float32))
    assert compare(forest, theirs) == TREES * (SIMULATIONS + 1)
