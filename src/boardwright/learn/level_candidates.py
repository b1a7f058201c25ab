"""Who may become a level of a game: random, its own rules with and without slips, searches of doubling simulations, and
what has learnt the game."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.arena.ladder import LadderCandidate
from boardwright.contract.game import Game
from boardwright.learn.last_run import last_run
from boardwright.learn.model_players import quick_spec, tree_spec
from boardwright.learn.shipped import AUTO, NETWORK, VALUE, shipped_model
from boardwright.learn.strongest import shipped_player

SLIPS = (0.96, 0.9, 0.83, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1)  # chances of a move at random: a sharp rule needs many
FEW, MANY = 64, 16384  # simulations: up to here without asking; at most
SLIPPING = 32  # simulations of a search that slips
SEARCH_SLIPS = (0.6, 0.52, 0.45, 0.3, 0.2, 0.1, 0.05)  # of a search in a game with policies
LEARNT = (16, 64, 256)  # simulations with a model at the leaves


def candidates(game: Game, say: Callable[[str], None] = lambda text: None) -> list[LadderCandidate]:
    """In about the order of their strength; `say` hears from which run."""
    policies = [policy.replace("_", "-") for policy in game.policies]
    rule = game.card.search.playout.replace("_", "-") or (policies[0] if policies else "")
    of = rule or f"mcts:simulations={SLIPPING}"
    found = [LadderCandidate("random"), *(LadderCandidate(f"slips:epsilon={epsilon:g},of={of}") for epsilon in SLIPS)]
    found += [LadderCandidate(policy) for policy in policies]
    if rule and game.players > 1:
        # Where the least search never loses to a rule, nothing would tell how far above it is.
        found += [
            LadderCandidate(f"slips:epsilon={epsilon:g},of=mcts:simulations={SLIPPING}") for epsilon in SEARCH_SLIPS
        ]
    simulations = 2
    while simulations <= MANY:
        before = f"mcts:simulations={simulations // 2}" if simulations > FEW else ""
        found.append(LadderCandidate(f"mcts:simulations={simulations}", before, 2.0 if before else 1.0))
        simulations *= 2
    return [*found, *_learnt(game, say)]


def _learnt(game: Game, say: Callable[[str], None]) -> list[LadderCandidate]:
    """The model that comes with Boardwright, or else what was trained last here; none of them by the clock."""
    if shipped_player(game, 1.0):
        for kind in (VALUE, NETWORK):
            if shipped_model(game, kind):
                quick, trees = quick_spec(kind, AUTO), [tree_spec(kind, AUTO, count) for count in LEARNT]
                return _searching(str(quick), [str(tree) for tree in trees if tree is not None])
        return [LadderCandidate(game.card.judge)] if game.card.judge else []
    run, against = last_run(game)
    for reason in against:
        say(reason)
    if run is None:
        return []
    say(f"uses {run}")
    trees = [tree_spec(run.kind, run.model, count) for count in LEARNT]
    return _searching(str(quick_spec(run.kind, run.model)), [str(tree) for tree in trees if tree is not None])


def _searching(quick: str, trees: list[str]) -> list[LadderCandidate]:
    found = [LadderCandidate(quick)]
    for number, tree in enumerate(trees):
        found.append(LadderCandidate(tree, trees[number - 1] if number else quick, 4.0 if number else LEARNT[0]))
    return found
