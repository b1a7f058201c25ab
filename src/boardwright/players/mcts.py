"""`mcts`: the player that chooses by tree search."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from boardwright.contract.game import Game
from boardwright.contract.position import Position
from boardwright.players.control import Control, Progress
from boardwright.players.many import Chooser
from boardwright.players.many_trees import MOST_SLOTS, ManyTrees
from boardwright.players.player import Player
from boardwright.search.choice import Choice
from boardwright.search.common_choice import choice_of, search
from boardwright.search.evaluator import Evaluator
from boardwright.search.search import DEFAULT_SIMULATIONS, Search, Stop, make_search
from boardwright.search.settings import SearchSettings, advised
from boardwright.search.tree import Tree


class SearchPlayer(Player):
    """Chooses by tree search."""

    def __init__(self, game: Game, spec: str, settings: SearchSettings, evaluator: Evaluator | None = None) -> None:
        settings = advised(game, settings)
        self.game, self.spec, self.settings = game, spec, settings
        self.trees, self.simulations = settings.threads, settings.simulations
        self.searches = make_searches(game, settings, evaluator)

    def allow(self, seconds: float) -> None:
        """Think so many seconds about a move from now on, as a clock of the game's allows."""
        self.settings = replace(self.settings, seconds=seconds)
        for one in self.searches:
            one.settings = replace(one.settings, seconds=seconds)

    def forget(self) -> None:
        for one in self.searches:
            one.forget()

    def give_visits(self, most: int, least: int, same: Mapping[int, tuple[int, ...]] | None = None) -> None:
        self.searches[0].give_visits(most, least, same)

    def anew(self, seed: int, simulations: int) -> None:
        plant_anew(self.searches, seed, simulations)

    @property
    def plain_search(self) -> Search | None:
        """How each of its trees is grown, but for random numbers; None if not by the plain search."""
        first = self.searches[0]
        return first if type(first) is Search else None

    def chooser(self) -> Chooser | None:
        """Of one small tree, by simulations."""
        slots = ((self.settings.simulations or DEFAULT_SIMULATIONS) + 1) * self.game.actions
        search = self.plain_search if self.trees == 1 else None
        if search is None or self.settings.seconds or slots > MOST_SLOTS:
            return None
        return ManyTrees(self.game, search)

    def choose(self, position: Position, control: Control | None = None) -> Choice:
        self.needs_to_move(position)
        return search_under(control, position, self.searches, self.settings)


def make_searches(game: Game, settings: SearchSettings, evaluator: Evaluator | None = None) -> list[Search]:
    """One search a thread of these settings, which share the budget and the memory; each has random numbers of its
    own."""
    share, room = -(-settings.simulations // settings.threads), max(settings.megabytes / settings.threads, 1.0)
    return [
        make_search(
            game, replace(settings, simulations=share, megabytes=room, seed=settings.seed * 1000 + number), evaluator
        )
        for number in range(settings.threads)
    ]


def plant_anew(searches: Sequence[Search], seed: int, simulations: int) -> None:
    """Drop the trees; the next ones grow by this seed and this budget, which all of them share."""
    share = -(-simulations // len(searches))
    for number, one in enumerate(searches):
        one.settings = replace(one.settings, simulations=share, seconds=0.0, seed=seed * 1000 + number)
        one.forget()


def search_under(
    control: Control | None, position: Position, searches: Sequence[Search], settings: SearchSettings
) -> Choice:
    """Grow one tree a thread from `position`, under a control. `settings` have the whole budget."""
    searches = list(searches)
    if control is None:
        return search(position, searches)
    began = time.perf_counter()

    def trees() -> tuple[Tree, ...]:
        return tuple(one.tree for one in searches if one.tree is not None)

    def so_far() -> Choice | None:
        begun = all(one.tree is not None and len(one.tree.children()) > 0 for one in searches)
        stops = [Stop(simulations=_simulations(one.tree)) for one in searches if one.tree is not None]
        return choice_of(position, searches, stops, time.perf_counter() - began) if begun else None

    def progress() -> Progress:
        done, seconds = sum(map(_simulations, trees())), time.perf_counter() - began
        shares = (
            seconds / settings.seconds if settings.seconds else 0.0,
            done / settings.simulations if settings.simulations else 0.0,
        )
        return Progress(done, seconds, min(1.0, max(shares)), trees(), so_far)

    choice = search(position, searches, lambda: control.poll(progress))
    if control.wants_tree:
        control.trees = trees()
    return choice


def _simulations(tree: Tree) -> int:
    return int(tree.stats["simulations"][0])
