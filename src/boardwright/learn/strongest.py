"""Who is the strongest at a game: the player with the model that comes with Boardwright, what was trained last here, or
search alone."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.arena.exact_judge import may_be_solved
from boardwright.contract.game import Game
from boardwright.games.named import source_of, unusual_options
from boardwright.learn.last_run import last_run
from boardwright.learn.model_players import TAKERS, quick_spec, timed_spec, tree_spec
from boardwright.learn.models import shipped_models
from boardwright.learn.player_kinds import TABLE_SEARCH
from boardwright.learn.shipped import AUTO, NETWORK, VALUE, shipped_model

Say = Callable[[str], None]


def _nothing(text: str) -> None:
    return None


def shipped_player(game: Game, seconds: float) -> str | None:
    """The spec of whoever has learnt this game with these options, thinking at most so long about a move; None if no
    model comes with Boardwright."""
    if tree := _learnt_tree(game):
        return f"{tree},seconds={seconds:g}"
    has_model = any(name.startswith(game.name) for name in shipped_models())
    learnt = game.card.learnt  # of games whose model is no network of policy and value
    if learnt and has_model and not unusual_options(game) and not source_of(game):
        return learnt.format(seconds=seconds)
    return None


def shipped_at_once(game: Game) -> str | None:
    """The spec of whoever has learnt this game with these options and answers in a moment, many games at once."""
    if shipped_player(game, 1.0) is None:
        return None
    return game.card.judge or (str(quick_spec(VALUE, AUTO)) if shipped_model(game, VALUE) else None)


def _learnt_tree(game: Game) -> str | None:
    """The spec of a tree search with the shipped model at its leaves. A value inside the kernel sees several times as
    many leaves in the same time as a network beside it: where there are both, it is the stronger."""
    for kind in (VALUE, NETWORK):
        if shipped_model(game, kind):
            return f"mcts:{TAKERS[kind].leaves}={AUTO}"
    return None


def trained_player(game: Game, seconds: float, say: Say = _nothing) -> str | None:
    """The spec of what was trained last for a game that comes without a model; `say` hears which run, and why not
    another."""
    run, against = last_run(game)
    for reason in against:
        say(reason)
    if run is None:
        return None
    say(f"uses {run}")
    return str(timed_spec(run.kind, run.model, game, seconds))


def best_known(game: Game, seconds: float, say: Say = _nothing) -> str:
    """The strongest player that there is for a game at this pace. `say` hears from which run, if it has learnt here."""
    return shipped_player(game, seconds) or trained_player(game, seconds, say) or f"mcts:seconds={seconds:g}"


def best_judge(game: Game, simulations: int, otherwise: str, say: Say = _nothing) -> str:
    """Who judges whole games: with the model that comes with Boardwright, else with what was trained last, else
    `otherwise`, a plain search. Small games are solved besides (arena/exact_judge.py): there a search will do."""
    if may_be_solved(game):
        return otherwise
    if shipped_player(game, 1.0):
        if game.card.judge:
            return game.card.judge
        if tree := _learnt_tree(game):
            return f"{tree},simulations={simulations}"
    return best_searcher(game, simulations, otherwise, say)


def best_analyst(game: Game, simulations: int, otherwise: str, say: Say = _nothing) -> str:
    """Who looks at a position with a tree: with the model that comes with Boardwright at its leaves, if a tree takes
    it; with what was trained last; else `otherwise`."""
    if shipped_player(game, 1.0) and not may_be_solved(game):
        if tree := _learnt_tree(game):
            return f"{tree},simulations={simulations}"
        if not TABLE_SEARCH.against(game):
            return f"mcts:table=auto,select=ucb1,simulations={simulations}"
    return best_searcher(game, simulations, otherwise, say)


def best_searcher(game: Game, simulations: int, otherwise: str, say: Say = _nothing) -> str:
    """The tree search with what was trained last at its leaves, for a game that comes without a model; else
    `otherwise`."""
    if shipped_player(game, 1.0):
        return otherwise
    run, against = last_run(game)
    for reason in against:
        say(reason)
    spec = None if run is None else tree_spec(run.kind, run.model, simulations)
    if run is None or spec is None:
        return otherwise
    say(f"uses {run}")
    return str(spec)
