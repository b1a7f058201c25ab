"""Check what players and learners are shown of a position: policies, `observe`, features of it and of its moves."""

from __future__ import annotations

from functools import partial

import numpy as np

from boardwright.check.failures import guarded
from boardwright.check.pair import Pair
from boardwright.contract.errors import RuleError


def check_policies(pair: Pair) -> None:
    """Raise RuleError where a policy's weights are none, or differ between interpreter and compiled rules."""
    for policy in pair.game.policies if pair.plain.moves else ():
        slow = guarded(pair.game, partial(pair.plain.weigh, policy))
        quick = pair.fast.weigh(policy)
        if not np.all(np.isfinite(quick) & (quick >= 0.0)):
            raise RuleError(
                f"{pair.game.name}.{policy}: wrote a weight of {quick.min()} "
                f"{pair.at}; weights are 0 or above, and finite"
            )
        if not np.allclose(slow, quick, rtol=1e-9):
            raise pair.differ(policy)


def check_seeing(pair: Pair) -> None:
    """Raise RuleError where `observe`, `features`, `move_features` or `viewer` break their promise."""
    if pair.game.observe_shape:
        _check_observation(pair)
    if pair.game.writes("features"):
        _check_features(pair)
    if pair.game.writes("move_features"):
        _check_move_features(pair)
    if pair.game.writes("viewer"):
        _check_viewer(pair)


def _check_observation(pair: Pair) -> None:
    slow, quick = guarded(pair.game, pair.plain.observe), pair.fast.observe()
    if not np.all(np.isfinite(quick)):
        raise RuleError(f"{pair.game.name}.observe: wrote a number that is not finite {pair.at}")
    if not np.allclose(slow, quick, rtol=1e-5, atol=1e-6):
        raise pair.differ("observe")


def _check_viewer(pair: Pair) -> None:
    slow, quick = guarded(pair.game, lambda: pair.plain.viewer), pair.fast.viewer
    name, player = pair.game.name, pair.fast.player
    if slow != quick:
        raise pair.differ("viewer")
    if player >= 0 and quick != player:
        raise RuleError(f"{name}.viewer: names player {quick} {pair.at}, where player {player} is to act; name him")
    if not 0 <= quick < pair.game.players:
        raise RuleError(f"{name}.viewer: names player {quick} {pair.at}; there are 0 to {pair.game.players - 1}")


def _check_features(pair: Pair) -> None:
    slow, quick = guarded(pair.game, pair.plain.features), pair.fast.features()
    name, count = pair.game.name, pair.game.features_count
    if len(quick[0]) and not 0 <= quick[0].min() <= quick[0].max() < count:
        raise RuleError(
            f"{name}.features: wrote the number of a feature that does not exist {pair.at}; they are 0 to {count - 1}"
        )
    if not np.all(np.isfinite(quick[1])):
        raise RuleError(f"{name}.features: wrote a number that is not finite {pair.at}")
    if not np.array_equal(slow[0], quick[0]) or not np.allclose(slow[1], quick[1], rtol=1e-5, atol=1e-6):
        raise pair.differ("features")


def _check_move_features(pair: Pair) -> None:
    name, count = pair.game.name, pair.game.move_features_count
    for move in pair.plain.moves:
        slow = guarded(pair.game, partial(pair.plain.move_features, move))
        quick = pair.fast.move_features(move)
        if not len(quick):
            raise RuleError(f"{name}.move_features: told nothing of move {move} {pair.at}; every move needs a feature")
        if not 0 <= quick.min() <= quick.max() < count:
            raise RuleError(
                f"{name}.move_features: wrote the number of a feature that does not exist {pair.at}; they are 0 to "
                f"{count - 1}"
            )
        if not np.array_equal(slow, quick):
            raise pair.differ("move_features")
