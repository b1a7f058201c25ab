"""A search that is told whom it meets: the others play by a policy, which is chance with known odds."""

from __future__ import annotations

import pytest

import boardwright as bw
from boardwright.contract.position import Position
from boardwright.search.common_choice import choice_of
from boardwright.search.reasons import decisions
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.stepper import Stepper

POLICY = "win_block"
FIRST_SEAT_LIMIT = 92.71  # per cent of games that can be won against win-block: see test_line_limits.py


def replies(position: Position) -> dict[int, float]:
    """How likely each move of the player `win-block` is: those that the policy likes best, all alike."""
    weights = position.weigh(POLICY)
    best = [move for move, weight in zip(position.moves, weights, strict=True) if weight == weights.max()]
    return {move: 1.0 / len(best) for move in best}


def best_mean(position: Position, me: int) -> float:
    """What `me` gets on average against the policy, and playing best."""
    if position.results is not None:
        return position.results[me]
    if position.player == me:
        return max(best_mean(position.play(move), me) for move in position.moves)
    return sum(share * best_mean(position.play(move), me) for move, share in replies(position).items())


def search_for(simulations: int, **settings: object) -> Search:
    told = SearchSettings(opponent="win-block", simulations=simulations, **settings)  # type: ignore[arg-type]  # many types
    return Search(bw.load("tictactoe"), told, interpreted=True)


def played(*moves: str) -> Position:
    position = bw.load("tictactoe").begin()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(("select", "moves"), [("ucb1", "b2 a2 a1"), ("puct", "a1 b2 c3 a3"), ("gumbel", "a1 a2")])
def test_what_is_proven_is_the_mean_over_the_replies_of_the_opponent_that_was_named(select: str, moves: str) -> None:
    position = played(*moves.split())
    search = search_for(3000, select=select, rollout="uniform")
    stop = search.grow(position)
    assert stop.proven
    assert search.tree is not None
    me = position.player
    assert search.tree.q(0)[me] == pytest.approx(best_mean(position, me), abs=1e-6)
    choice = choice_of(position, [search], [stop], 0.0)
    assert best_mean(position.play(choice.move), me) == pytest.approx(best_mean(position, me))


def test_moves_that_the_opponent_would_not_play_are_not_looked_at() -> None:
    position = played("a1", "b2").play("b1")  # c1 wins, so win-block must take it
    search = search_for(200, threats=False)
    before = played("a1", "b2")
    search.grow(before)
    tree = search.tree
    assert tree is not None
    threat = next(child for child in tree.children() if tree.slots["move"][child] == before.parse("b1"))
    visits = {int(tree.slots["move"][reply]): int(tree.slots["visits"][reply]) for reply in tree.children(threat)}
    assert sorted(visits) == sorted(position.moves)
    assert [move for move, n in visits.items() if n] == [position.parse("c1")] == list(replies(position))


def test_a_tree_is_not_used_again_for_the_player_who_was_held_to_a_rule() -> None:
    search = search_for(60, select="ucb1")
    position = played("b2")
    search.grow(position)
    after = position.play("a1")
    search.begin(after)
    assert search.tree is not None and int(search.tree.root["visits"]) == 0
    search.grow(after)
    reply = after.play("c1")
    own = reply.play(next(iter(replies(reply))))
    known = search._slot_after([after.parse("c1"), own.step]) if own.step is not None else -1
    visits = int(search.tree.slots["visits"][known])
    search.begin(own)
    assert known > 0 and int(search.tree.root["visits"]) == visits > 0


def test_the_reason_for_an_opponents_move_is_its_odds() -> None:
    search = search_for(40, select="puct")
    stepper = Stepper(search, played("b2", "a1"))
    rules = set()
    for _ in range(40):
        simulation = stepper.step()
        if simulation is None:
            break
        for decision in decisions(search, simulation):
            rules.add(decision.rule)
            assert decision.best == decision.chosen
    assert rules == {"puct", "chance"}


@pytest.mark.slow
def test_told_whom_it_meets_it_wins_all_that_can_be_won() -> None:
    game = bw.load("tictactoe")
    player = bw.player("mcts:opponent=win-block,simulations=100", game)

    def won(position: Position) -> float:
        if position.results is not None:
            assert position.results[0] >= 0.0
            return float(position.results[0] > 0)
        if position.player == 0:
            player.forget()
            return won(position.play(player.choose(position).move))
        return sum(share * won(position.play(move)) for move, share in replies(position).items())

    assert round(100 * won(game.begin()), 2) == FIRST_SEAT_LIMIT
