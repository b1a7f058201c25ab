"""The settings of a search: one dataclass, and the form in which a kernel takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from boardwright.contract.errors import InputError
from boardwright.contract.game import Game

SELECT = {"ucb1": 0, "puct": 1, "gumbel": 2, "even": 3}  # the number of a plan's rule
NEVER = 2**31 - 1
AUTO = -1  # of a number that the game may advise
LEARNT = -1  # of a plan's prior: what the evaluator at the leaves likes
ASKED, TRIED = 1, 2  # of a plan's threats


@dataclass(frozen=True)
class SearchSettings:
    """How to search. The defaults play any game decently; `0` in a budget means no limit of that kind."""

    simulations: int = 0  # stop after so many simulations
    seconds: float = 0.0  # stop after so long
    megabytes: float = 1000.0  # of memory for the tree: when it is full, what is rarely visited goes
    select: str = "auto"  # how a child is chosen: ucb1, puct, gumbel (sequential halving at the root), even (all alike)
    c: float = 1.0  # weight of exploration in ucb1 and puct, for values normalised to 0..1
    prior: str = "auto"  # what is liked before search: uniform, or one of the game's policies
    considered: int = 16  # gumbel: how many moves the root considers
    trust: float = 1.0  # gumbel: how much values outweigh priors (c_scale of the paper)
    rollout: str = "auto"  # how a leaf is played out: uniform, one of the game's policies, none, or auto
    opponent: str = "none"  # what the others are known to play by: uniform, or one of the game's policies; none: to win
    mix: float = 0.0  # share of uniformly random moves in rollouts by a policy, 0..1
    rollouts: int = 1  # playouts a leaf
    depth: int = AUTO  # cut a playout after so many moves (0: play to the end, -1: to the end, or as the game advises)
    grow: int = AUTO  # how deep the tree may grow, in moves and draws (0: no limit, -1: none, or as the game advises)
    expand: int = 1  # visits after which a leaf gets children
    widen: float = 0.5  # samples of a run of draws: about visits ** widen
    common: bool = False  # the k-th playout below each move of the root meets the same luck
    proofs: bool = True  # prove wins and losses where the rules decide them (MCTS-Solver)
    forcing: bool = True  # leave out moves that the game knows to be pointless (no answer to a threat) or far off
    threats: bool = True  # ask the game, where it can tell, for wins by force and answers to them; try wins in one move
    merge: bool = True  # within a turn of several moves, positions that several orders lead to are looked at once
    reuse: bool = True  # keep the part of the tree that the game went into
    threads: int = 1  # trees grown side by side, their visits added up
    seed: int = 0  # one seed, one result (budgets in simulations)

    def __post_init__(self) -> None:
        _need(
            self.select in (*SELECT, "auto"),
            f"select={self.select} does not exist; there are auto, {', '.join(SELECT)}",
        )
        for name, least in (("simulations", 0), ("depth", AUTO), ("grow", AUTO)):
            _need(least <= getattr(self, name) <= 10**9, f"{name}={getattr(self, name)} must be {least} to 1000000000")
        for name in ("considered", "rollouts", "expand", "threads"):
            _need(1 <= getattr(self, name) <= 10**6, f"{name}={getattr(self, name)} must be 1 to 1000000")
        _need(0.0 <= self.seconds <= 1e6, f"seconds={self.seconds} must be 0 to 1000000")
        _need(1.0 <= self.megabytes <= 1e6, f"megabytes={self.megabytes} must be 1 to 1000000")
        _need(0.0 <= self.c <= 1e6, f"c={self.c} must be 0 to 1000000")
        _need(0.0 <= self.trust <= 1e6, f"trust={self.trust} must be 0 to 1000000")
        _need(0.0 <= self.mix <= 1.0, f"mix={self.mix} must be 0 to 1")
        _need(0.0 <= self.widen <= 1.0, f"widen={self.widen} must be 0 to 1")
        _need(self.threads <= 64, f"threads={self.threads} must be 1 to 64")


def _need(right: bool, message: str) -> None:
    if not right:
        raise InputError(message)


def policy_number(game: Game, setting: str, name: str) -> int:
    """0 for uniform, k for the game's k-th policy; refused with the list of what exists."""
    if name == "uniform":
        return 0
    policies = [policy.replace("_", "-") for policy in game.policies]
    wanted = name.replace("_", "-")
    if wanted not in policies:
        raise InputError(f"{game.name}: {setting}={name} does not exist; there are {', '.join(['uniform', *policies])}")
    return policies.index(wanted) + 1


class Plan(NamedTuple):
    """SearchSettings as numbers, for kernels. A field that is None is known when a kernel is compiled: what it would
    lead to is left out of the search of a game that has no use for it."""

    select: int | None  # see SELECT; None: always by gumbel
    gumbel: int | None  # 1: by gumbel; None: never
    c: float
    trust: float
    prior: int  # number of the policy behind priors, 0 uniform, LEARNT: the evaluator's
    rollout: int  # number of the policy of playouts, 0 uniform
    mix: float
    rollouts: int
    depth: int
    grow: int
    expand: int
    widen: float
    common: int
    proofs: int
    opponent: int | None  # what the others play by: 1 + the number of a policy, 0 uniform; None, 0: to win
    forcing: int | None  # number of the policy whose zero weights mark moves to leave out
    candidates: int | None  # number of the policy whose zero weights mark moves that a tree does without
    threats: int | None  # ASKED: the game tells wins by force at leaves, and answers to them at expansion; TRIED: every
    # move of a leaf is tried, whether it wins at once
    batched: int  # 1: leaves are valued by Python, in batches
    best: float  # the most that a result can be, if the rules fix it; else infinity
    low: float  # the least that a result can be, if the rules fix it
    points: int  # 1 where results are points, whose range only the search can learn


def advised(game: Game, settings: SearchSettings) -> SearchSettings:
    """The settings of a player that names no rule of selection, with what the game advises for it; against chance alone
    that is gumbel. Advice is for playouts: it does not count where something else values the leaves."""
    if settings.select != "auto" or settings.rollout == "none":
        return settings
    alone = {"select": "gumbel"} if game.players == 1 and game.outcomes and game.policies else {}
    advice = {**alone, **game.card.search.advice}
    left_open: dict[str, Any] = {n: value for n, value in advice.items() if getattr(settings, n) in ("auto", AUTO)}
    return replace(settings, **left_open)


def decided(game: Game, settings: SearchSettings) -> SearchSettings:
    """The settings with every `auto` decided: a game with policies is searched by puct with the first as prior and
    its `playout` policy at the leaves, any other by ucb1 and uniform playouts. Where the game values positions itself,
    there are no playouts."""
    first = game.policies[0] if game.policies else "uniform"
    select = settings.select if settings.select != "auto" else "puct" if game.policies else "ucb1"
    prior = settings.prior if settings.prior != "auto" else first if select in ("puct", "gumbel") else "uniform"
    playout = game.card.search.playout or first
    rollout = settings.rollout if settings.rollout != "auto" else "none" if game.estimates else playout
    depth, grow = max(settings.depth, 0), max(settings.grow, 0)
    return replace(settings, select=select, prior=prior, rollout=rollout, depth=depth, grow=grow)


def make_plan(game: Game, settings: SearchSettings, *, learnt: bool = False, valued: bool = False) -> Plan:
    """What the kernels need of the settings. valued: a learnt value judges the leaves; learnt: it likes moves too, so
    that prior=learnt is possible."""
    settings = decided(game, settings)
    rollout, forcing, opponent = settings.rollout, game.card.search.forcing, settings.opponent
    candidates = game.card.search.candidates
    gumbel = settings.select == "gumbel"
    either = advised(game, SearchSettings()).select == "gumbel"  # players go by gumbel, analyses by puct: one kernel
    return Plan(
        select=None if gumbel and not either else SELECT[settings.select],
        gumbel=int(gumbel) if gumbel or either else None,
        c=float(settings.c),
        trust=float(settings.trust),
        prior=LEARNT if learnt and settings.prior == "learnt" else policy_number(game, "prior", settings.prior),
        rollout=policy_number(game, "rollout", rollout) if rollout != "none" else 0,
        mix=float(settings.mix),
        rollouts=0 if rollout == "none" else settings.rollouts,
        depth=settings.depth or NEVER,
        grow=settings.grow or NEVER,
        expand=settings.expand,
        widen=float(settings.widen),
        common=int(settings.common),
        proofs=int(settings.proofs),
        opponent=1 + policy_number(game, "opponent", opponent) if opponent != "none" else None,
        forcing=policy_number(game, "forcing", forcing) if settings.forcing and forcing else None,
        candidates=policy_number(game, "candidates", candidates) if settings.forcing and candidates else None,
        threats=_threats(game, settings, valued),
        batched=0,
        best=float("inf") if game.counts_points else 1.0,
        low=float("-inf") if game.counts_points else -1.0,
        points=int(game.counts_points),
    )


def _threats(game: Game, settings: SearchSettings, valued: bool) -> int | None:
    """How a leaf is looked at for wins. A look by a learnt value costs more than to try all moves, and a win that it
    misses would be met only once the prior leads there; playouts find it by themselves."""
    if not (settings.threats and settings.proofs):
        return None
    if game.sees_threats:
        return ASKED
    sudden = not game.outcomes and not game.counts_points and game.players > 1
    return TRIED if valued and settings.rollout == "none" and sudden else None
