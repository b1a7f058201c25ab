"""A search taken one simulation at a time: the very tree of the search that runs in one go, its four phases, and terms
that add up to the score by which a child was chosen."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.contract.game import CHANCE, OVER
from boardwright.players import Control
from boardwright.players.mcts import SearchPlayer
from boardwright.search.reasons import TERMS, decisions
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.stepper import FULL, PROVEN, SPENT, Stepper
from boardwright.search.tree import RUN, Tree

PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
DICE = str(Path(__file__).parent / "games" / "dicerace.py")
RULES = ("ucb1", "puct", "gumbel", "even")


def bytes_of(tree: Tree) -> bytes:
    return tree.used.tobytes() + tree.stats.tobytes()


def player_of(game: bw.Game, text: str) -> SearchPlayer:
    made = bw.player(f"mcts:{text}", game)
    assert isinstance(made, SearchPlayer)
    return made


def stepper_of(position: bw.Position, text: str, *, interpreted: bool = True) -> Stepper:
    search = player_of(position.game, text).searches[0]
    search.interpreted = interpreted
    return Stepper(search, position)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["tictactoe", PIG])
def test_steps_grow_the_tree_that_the_compiled_search_grows(name: str, rule: str) -> None:
    """The player in one go, compiled; one simulation at a time, compiled; and so in the interpreter."""
    position = bw.load(name).begin(seed=2)
    text = f"simulations=60,select={rule},seed=7"
    control = Control(wants_tree=True)
    player_of(position.game, text).choose(position, control)
    (wanted,) = control.trees
    for interpreted in (False, True):
        stepper = stepper_of(position, text, interpreted=interpreted)
        while stepper.step() is not None:
            pass
        assert stepper.done == 60 and stepper.ended == SPENT
        assert bytes_of(stepper.tree) == bytes_of(wanted)
    stepper = stepper_of(position, text)
    stepper.skip(25)
    stepper.search.interpreted = False  # its kernels are ready now
    stepper.skip(35)
    assert bytes_of(stepper.tree) == bytes_of(wanted)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["tictactoe", PIG, DICE])
def test_every_choice_has_the_best_score_and_its_terms_add_up_to_it(name: str, rule: str) -> None:
    position = bw.load(name).begin(seed=2)
    stepper = stepper_of(position, f"simulations=120,select={rule},seed=1,c=0.7")
    met = set()
    while (one := stepper.step()) is not None:
        for choice in decisions(stepper.search, one):
            met.add(choice.rule)
            by_slot = {child.slot: child for child in choice.children}
            assert by_slot[choice.chosen].score == max(child.score for child in choice.children)
            assert by_slot[choice.best].score == by_slot[choice.chosen].score
            for child in choice.children:
                if child.terms:
                    assert len(child.terms) == len(TERMS[choice.rule]) and sum(child.terms) == child.score
                else:
                    assert child.why and math.isinf(child.score)
    chance = {CHANCE: "chance", RUN: "sample"}
    assert met >= {chance[actor] for actor in stepper.tree.used["actor"].tolist() if actor in chance}
    assert met & ({"gumbel", "halving"} if rule == "gumbel" else {rule})


def test_ucb1_by_hand() -> None:
    """After nine simulations of 3x3 each move has one visit; the tenth compares mean and sqrt(ln 10 / 1)."""
    stepper = stepper_of(bw.load("tictactoe").begin(), "simulations=20,select=ucb1,c=1.5,seed=4")
    for number in range(9):
        one = stepper.step()
        assert one is not None and one.number == number + 1
        (choice,) = decisions(stepper.search, one)
        assert [child.why for child in choice.children] == [""] * number + ["unvisited"] * (9 - number)
    one = stepper.step()
    assert one is not None
    first = decisions(stepper.search, one)[0]
    for child in first.children:
        mean = float(one.before.slots["value"][child.slot][0])
        assert child.terms == ((mean + 1.0) * 0.5, 1.5 * math.sqrt(math.log(10.0)))


def test_puct_by_hand() -> None:
    stepper = stepper_of(bw.load("tictactoe").begin(), "simulations=20,select=puct,prior=uniform,c=2,seed=4")
    for _ in range(5):
        one = stepper.step()
    assert one is not None
    root, (first, *_) = one.before.slots[0], decisions(stepper.search, one)
    mean = (root["value"][0] / 4 + 1.0) * 0.5
    for child in first.children:
        slot = one.before.slots[child.slot]
        q = (slot["value"][0] / slot["visits"] + 1.0) * 0.5 if slot["visits"] else mean
        assert child.terms == pytest.approx((q, 2.0 * math.sqrt(5.0) / 9 / (1 + slot["visits"])))


@pytest.mark.parametrize("name", ["tictactoe", PIG])
def test_the_four_phases_of_each_simulation(name: str) -> None:
    position = bw.load(name).begin(seed=3)
    stepper = stepper_of(position, "simulations=90,rollout=uniform,seed=5")
    seen: set[str] = set()
    while (one := stepper.step()) is not None:
        tree, before = stepper.tree, one.before
        # Selection: from the root down, child by child.
        assert one.path[0] == 0
        for slot, child in zip(one.path, one.path[1:], strict=False):
            assert child in tree.children(slot)
        # Expansion: children where there were none, and at most one level of them.
        assert len(one.opened) <= 1
        for slot in one.opened:
            assert slot in one.path and not before.slots["count"][slot] and tree.slots["count"][slot]
            assert not before.slots["visits"][list(tree.children(slot))].any()
        # Evaluation: the value of the leaf, to each player.
        seen.add(one.valued)
        actor = int(tree.slots["actor"][one.leaf])
        assert (actor == OVER) == (one.valued == "over")
        if one.end is not None:
            end = bw.Position(position.game, one.end)
            assert one.valued == "rollout" and end.is_over and end.results == tuple(one.value)
        # Backup: one visit more along the path, nowhere else, and the value added where nothing is proven.
        more = tree.used["visits"] - before.slots["visits"]
        assert np.flatnonzero(more).tolist() == sorted(one.path) and more.max() == 1
        for slot in one.path:
            if not tree.slots["proven"][slot]:
                added = tree.slots["value"][slot] - before.slots["value"][slot]
                assert added == pytest.approx(one.value)
    assert "rollout" in seen


def test_a_proven_root_ends_the_search() -> None:
    position = bw.load("tictactoe").begin()
    for move in "a1 b1 a2 b2".split():
        position = position.play(move)
    stepper = stepper_of(position, "simulations=500,select=ucb1,seed=1")
    numbers = []
    while (one := stepper.step()) is not None:
        numbers.append(one.number)
    assert stepper.ended == PROVEN and stepper.tree.root["proven"] and numbers == list(range(1, stepper.done + 1))
    assert stepper.last is not None and stepper.skip(3) == 0


def test_skipping_and_stepping_back_lead_to_the_same_tree() -> None:
    stepper = stepper_of(bw.load(PIG).begin(seed=1), "simulations=40,seed=2")
    for _ in range(17):
        stepper.step()
    seventeen, last = bytes_of(stepper.tree), stepper.last
    stepper.skip(10)
    assert stepper.done == 27 and stepper.last is None
    stepper.rewind()
    assert stepper.skip(16) == 16
    again = stepper.step()
    assert bytes_of(stepper.tree) == seventeen and again is not None and last is not None and again.path == last.path


def test_a_tree_without_room_ends() -> None:
    position = bw.load("gomoku:size=6").begin()
    settings = SearchSettings(simulations=5000, megabytes=1.0, rollout="none", select="ucb1", forcing=False)
    stepper = Stepper(Search(position.game, settings), position)
    while not stepper.ended:
        stepper.skip(200)
    assert stepper.ended == FULL and stepper.done < 5000


def test_positions_where_nobody_moves_are_refused() -> None:
    position = bw.load(PIG).begin()
    search = Search(position.game, SearchSettings(simulations=5), interpreted=True)
    with pytest.raises(bw.InputError, match="chance moves here, and a search begins at a player's turn"):
        Stepper(search, position.play("roll"))
