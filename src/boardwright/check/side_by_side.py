"""One random game, interpreter and compiled rules side by side, held against everything that the game promises."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from boardwright.check.failures import endless, guarded
from boardwright.check.pair import Pair
from boardwright.check.play_on import check_play_on
from boardwright.check.questions import check_questions
from boardwright.check.seeing import check_policies, check_seeing
from boardwright.check.solving import check_solving
from boardwright.check.symmetries import check_symmetries
from boardwright.check.tactics import check_tactics
from boardwright.check.texts import check_texts
from boardwright.contract.game import Game
from boardwright.contract.position import blank
from boardwright.contract.random import Random
from boardwright.contract.rules import RULES

# Group of optional rules -> every so many plies, the check of it.
CHECKS: dict[str, tuple[int, Callable[[Pair], None]]] = {
    "seeing": (1, check_seeing),
    "solving": (1, check_solving),
    "tactics": (3, check_tactics),
    "speed": (3, check_play_on),
}
TEXTS_EVERY, SYMMETRIES_EVERY = 7, 3


def compare(game: Game, seed: int, most_plies: int, beat: Callable[[], None]) -> int:
    """Play to the end; how many plies it took. `beat` is called at each, to show that it goes on."""
    rng = Random(seed)
    checks = [CHECKS[group] for group in written_groups(game)]
    beat()
    plain, fast = blank(game, debug=True), blank(game)
    for ply in range(most_plies):
        beat()
        pair = Pair(game, plain, fast, f"at ply {ply} of the game with seed {seed}", seed + ply)
        pair.same("start" if ply == 0 else "play or draw", plain.key, fast.key)
        check_questions(game, plain, pair.at)
        pair.same("player, legal, chances, scores or results", plain.answers, fast.answers)
        check_policies(pair)
        for every, check in checks:
            if ply % every == 0:
                check(pair)
        if ply % TEXTS_EVERY == 0 or plain.is_over:
            check_texts(game, fast, pair.at)
        if plain.is_over:
            return ply
        steps, weights = plain.answers.steps, plain.answers.weights
        chosen = steps[rng.pick(weights) if plain.is_chance else rng.below(len(steps))]
        if game.symmetries > 1 and not plain.is_chance and ply % SYMMETRIES_EVERY == 0:
            check_symmetries(pair, chosen)
        plain = guarded(game, partial(plain.advance, chosen))
        fast = fast.advance(chosen)
    raise endless(game, most_plies)


def written_groups(game: Game) -> list[str]:
    """The groups of optional rules of which the game writes some itself."""
    return [group for group in CHECKS if any(game.writes(rule.name) for rule in RULES if rule.group == group)]
