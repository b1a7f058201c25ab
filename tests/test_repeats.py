"""Turns of several moves in a tree: positions that several orders of moves lead to are there once."""

from __future__ import annotations

import itertools

import boardwright as bw
from boardwright.search.exact.solver import Solver
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from tests.games.two_steps import TwoSteps


class Marks(bw.Game):
    """Each turn marks two of five fields, in any order; whoever has the higher sum after two turns each wins."""

    players = 2
    actions = 5

    def layout(self):  # type: ignore[no-untyped-def]  # a game file has no types
        return [("owner", "i1", (2, 5)), ("made", "i1")]

    def player(self, s):  # type: ignore[no-untyped-def]  # a game file has no types
        return bw.OVER if s.made == 8 else s.made // 2 % 2

    def legal(self, s, moves):  # type: ignore[no-untyped-def]  # a game file has no types
        count = 0
        for i in range(5):
            if s.owner[s.made // 2 % 2, i] == 0:
                moves[count] = i
                count += 1
        return count

    def play(self, s, move):  # type: ignore[no-untyped-def]  # a game file has no types
        s.owner[s.made // 2 % 2, move] = 1
        s.made += 1

    def results(self, s, out):  # type: ignore[no-untyped-def]  # a game file has no types
        ahead = 0
        for i in range(5):
            ahead += (i * i + 1) * (s.owner[0, i] - s.owner[1, i])
        out[0] = (ahead > 0) - (ahead < 0)
        out[1] = -out[0]


def ends_of_the_first_turn(search: Search) -> list[tuple[int, ...]]:
    """What the mover has done, in order, at every node at which his turn is over."""
    tree = search.tree
    assert tree is not None
    slots = tree.slots
    return [
        (int(slots["move"][first]), int(slots["move"][second]))
        for first in tree.children()
        for second in tree.children(first)
    ]


def grown(merge: bool, interpreted: bool = False, simulations: int = 400) -> Search:
    search = Search(Marks(), SearchSettings(simulations=simulations, merge=merge, seed=3), interpreted=interpreted)
    search.grow(search.game.begin())
    return search


def test_equal_ends_of_a_turn_are_in_the_tree_once_and_none_is_missing() -> None:
    merged, plain = ends_of_the_first_turn(grown(merge=True)), ends_of_the_first_turn(grown(merge=False))
    pairs = {frozenset(pair) for pair in itertools.combinations(range(5), 2)}
    assert {frozenset(end) for end in plain} == {frozenset(end) for end in merged} == pairs
    assert len(plain) == 20
    # A node all of whose moves lead to known places keeps one: it must have something to play.
    assert len(pairs) <= len(merged) <= len(pairs) + 2


def test_the_interpreter_leaves_out_the_same() -> None:
    quick, slow = grown(True, simulations=60), grown(True, interpreted=True, simulations=60)
    assert quick.tree is not None and slow.tree is not None
    assert quick.tree.used.tobytes() == slow.tree.used.tobytes()


def test_a_tree_is_not_used_again_in_the_middle_of_a_turn() -> None:
    search = grown(merge=True)
    for _ in range(2):
        choice = search.best_child()
        assert search.tree is not None and search.root is not None
        position = search.root.play(int(search.tree.slots["move"][choice]))
        search.grow(position)
        assert {int(search.tree.slots["move"][child]) for child in search.tree.children()} == set(position.moves)


def test_it_plays_what_the_solver_calls_best() -> None:
    game = TwoSteps()
    truth, player = Solver(game, interpreted=True), bw.player("mcts:simulations=2000,seed=1", game)
    position = game.begin()
    while not position.is_over:
        values = truth.values(position)
        move = player.choose(position).move
        assert values[move] == max(values.values())
        position = position.play(move)
