"""The ladder: players of graded strength that exist for any game; placing.py puts them in order."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boardwright.arena.exact_judge import may_be_solved
from boardwright.contract.errors import BoardwrightError, RuleError
from boardwright.contract.folders import home_folder
from boardwright.contract.game import Game
from boardwright.learn.last_run import last_run
from boardwright.learn.model_players import TAKERS, quick_spec
from boardwright.learn.shipped import AUTO, VALUE, shipped_model
from boardwright.learn.strongest import shipped_at_once
from boardwright.players import PlayerSpec, player
from boardwright.playtesting.journal import FOLDER

LEAST, MOST = 16, 16_384  # simulations a move of the weakest and of the strongest search
TRIAL = 64  # simulations a move of the game that is timed
SOLVER = "solver:nodes=2000000,polish=2000"
RANDOM = "random"
SEARCH = PlayerSpec("mcts")  # to which the budget of a plain search is still to be added
CLIMBS, CLIMB = 2, 4  # searches on top of what a learnt player knows, each with so many times the tries of the other


@dataclass(frozen=True)
class Level:
    """One rung."""

    name: str  # for people
    spec: str
    simulations: int = 0  # of a plain search; 0 for other players

    @property
    def at_a_glance(self) -> bool:
        """Whether it looks at the position as people may: random moves, or a rule of thumb of the game's file."""
        return ":" not in self.spec


@dataclass(frozen=True)
class Learnt:
    """Somebody who has learnt the game: as it answers at once, and what a search looks with; empty or None: nobody."""

    at_once: str = ""
    search: PlayerSpec | None = None  # to which the budget is still to be added


def learnt_players(game: Game, *, trained: bool = True) -> Learnt:
    """Who comes with Boardwright, else what was trained here, kept for this playtest: other games of the same
    playtest must meet the same player. Who plays alone has no search on top: tables and values answer at once."""
    shipped = shipped_at_once(game)
    if shipped or not trained:
        return Learnt(shipped or "", _search_with(AUTO, game) if shipped_model(game, VALUE) else None)
    run, _ = last_run(game, kinds=(VALUE,))
    if run is None:
        return Learnt()
    kept = kept_model(run.model)
    return Learnt(str(quick_spec(VALUE, kept)), _search_with(kept, game))


def _search_with(model: Path | str, game: Game) -> PlayerSpec | None:
    """The search with a learnt value at its leaves; None where one plays alone."""
    return SEARCH.with_setting(TAKERS[VALUE].leaves, model) if game.players > 1 else None


def with_budget(search: PlayerSpec, simulations: int) -> str:
    """The spec of a search of so many simulations a move."""
    return str(search.with_setting("simulations", simulations))


def kept_model(path: Path) -> Path:
    """A copy that no training changes, named by what is in it."""
    read = path.read_bytes()
    kept = home_folder() / FOLDER / "models" / f"{hashlib.sha256(read).hexdigest()[:16]}{path.suffix}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_name(f"{kept.name}.{os.getpid()}")
        new.write_bytes(read)
        new.replace(kept)
    return kept


def make_ladder(game: Game, top: int, learnt: Learnt | None = None, learnt_top: int = 0) -> list[Level]:
    """Random moves, the game's own policies (the best known last), search at doubling budgets up to `top` simulations
    a move, who has learnt the game, at once and with a search of up to `learnt_top` (as `top` if 0), and perfect play
    where the game is small enough."""
    levels = [Level("random moves", RANDOM)]
    levels += [Level(f"rule of thumb: {one}", one.replace("_", "-")) for one in reversed(game.policies)]
    budget = LEAST
    while budget <= top:
        levels.append(Level(f"search, {budget:,} tries", with_budget(SEARCH, budget), budget))
        budget *= 2
    known = learnt_players(game) if learnt is None else learnt
    if known.at_once:
        levels.append(Level("learnt", known.at_once))
    if known.search:
        budgets = [(learnt_top or top) // CLIMB**step for step in reversed(range(CLIMBS))]
        levels += [
            Level(f"learnt, search with {budget:,} tries", with_budget(known.search, budget))
            for budget in budgets
            if budget >= LEAST
        ]
    if is_solved(game):
        levels.append(Level("perfect play", SOLVER))
    return levels


def common_ladder(games: Sequence[Game], top: int) -> list[Level]:
    """The players that all these games have, in the order in which make_ladder makes them: the last of them is there
    for all. Who has learnt one of the games only would make a difference of players look like one of rules."""
    ladders = [make_ladder(game, top, learnt_players(game, trained=False)) for game in games]
    common = set.intersection(*({one.spec for one in ladder} for ladder in ladders))
    return [one for one in ladders[0] if one.spec in common]


def is_solved(game: Game) -> bool:
    """Whether perfect play is at hand."""
    if not may_be_solved(game) or not game.compiles:
        return False
    try:
        player(SOLVER, game).choose(game.begin())
    except BoardwrightError:  # too large, or no game of two sides
        return False
    return True


def affordable_top(game: Game, seconds: float, search: PlayerSpec = SEARCH) -> int:
    """The budget of the strongest search: a power of two times LEAST with which a game takes about so long. Rules that
    stumble on the way get the least: the games will tell."""
    try:
        spent = _seconds_of_a_game(game, seconds, search)
    except RuleError:
        return LEAST
    top = LEAST
    while top < MOST and spent * (2 * top / TRIAL) < seconds:
        top *= 2
    return top


def _seconds_of_a_game(game: Game, most: float, search: PlayerSpec) -> float:
    """How long a game with TRIAL tries a move takes; it is broken off after `most`."""
    who, position, moves, spent = player(with_budget(search, TRIAL), game), game.begin(), 0, 0.0
    who.choose(position)  # the first may compile
    who.forget()
    while not position.is_over and spent < most:
        if position.is_chance:
            position = position.sample(moves)
            continue
        began = time.perf_counter()
        position = position.play(who.choose(position).move)
        spent += time.perf_counter() - began
        moves += 1
    return spent
