"""The experiments, in the order of the page: what vanishes, who learns, how strong, and the moving window."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardwright.games.in_a_row import Gomoku, LineGame
from boardwright_lab.gomoku.contest import Score, meet
from boardwright_lab.gomoku.curves import Course, against_rules, by_policy, by_search, follow, shorter
from boardwright_lab.gomoku.gradients import Norms, layer_norms, sampled_positions, sharpest_chances
from boardwright_lab.gomoku.nets import Stack, as_reported
from boardwright_lab.gomoku.store import Trained
from boardwright_lab.gomoku.train import Nets, Training
from boardwright_lab.gomoku.window import Windows, WindowValues
from boardwright_lab.page import Page
from boardwright_lab.run import Run

FLAT = 0.01  # of its usual size
REPORTED_GAMES = 1_000  # 100 episodes of 10 games, algorithm 1

# The cure besides the stack: games in lock-step, Adam, a baseline, both seats, the board's images, some entropy.
CURED = Training(games=64, opponents=4, rate=1e-3, adam=True, baseline=True, entropy=0.03, both_seats=True, turned=True)


@dataclass(frozen=True)
class Sizes:
    """How large everything is."""

    channels: int
    hidden: int
    report_games: int  # of the report's training
    cured_games: int  # of ours on 7x7
    window_games: int  # of ours on the larger board
    longer: int  # the rival without windows plays so many times as many games
    points: int  # of a curve
    point_games: int  # a point and rule
    games: int  # a final match
    simulations: int
    positions: int  # whose gradients are taken
    large: int = 9  # side of the larger board
    small: int = 7


FULL = Sizes(16, 64, 3_000, 50_000, 5_000, 4, 16, 200, 400, 100, 256)
QUICK = Sizes(4, 8, 40, 128, 64, 1, 3, 16, 16, 4, 8)


@dataclass(frozen=True)
class Slope:
    """What reaches each layer of one form of the stack."""

    name: str
    norms: Norms
    sharpest: float  # mean probability of the likeliest move


@dataclass(frozen=True)
class Strength:
    """A player against both rules."""

    name: str
    scores: dict[str, Score]


@dataclass(frozen=True)
class Larger:
    """The moving window on the larger board."""

    windows: Trained
    rival: Trained
    strengths: list[Strength]
    meetings: list[tuple[str, Score]]  # of the windows against the rival
    parameters: tuple[int, int]  # that learn: windows, rival


@dataclass(frozen=True)
class Findings:
    """All that the page tells."""

    sizes: Sizes
    slopes: list[Slope]
    curves: dict[str, Trained]
    strengths: list[Strength]
    larger: Larger


IMAGES = "mean of 8 images"
REPORTED_REPORTED, REPORTED_CURED = "the report's stack and training", "the report's stack, our training"
CURED_REPORTED, CURED_CURED = "our stack, the report's training", "our stack and training"


def experiments(run: Run, page: Page) -> None:
    """Measure everything, then write it down."""
    sizes = run.pick(FULL, QUICK)
    game = board(sizes.small)
    curves = four_trainings(run, game, sizes)
    run.tick("gradients")
    slopes = what_vanishes(run, game, sizes, curves)
    run.tick("matches on the small board")
    strengths = how_strong(run, game, sizes, curves)
    larger = moving_window(run, sizes, curves[CURED_CURED])

    from boardwright_lab.gomoku.writing import write_up

    write_up(Findings(sizes, slopes, curves, strengths, larger), page)


def board(side: int) -> LineGame:
    return Gomoku(size=side)


def stacks(sizes: Sizes) -> Nets:
    """Policy and value of the small board, cured."""
    policy = Stack(sizes.small, sizes.small**2, sizes.channels, sizes.hidden)
    return Nets(policy, replace(policy, outputs=1))


def fresh(nets: Nets, seed: int) -> Nets:
    """Where a training begins. The last layer of a stack that ends in logits begins small: a policy that is nearly even
    tries everything, and a value near 0 does no harm."""
    policy, value = nets.policy.fresh(2 * seed), nets.value.fresh(2 * seed + 1)
    for net, weights in ((nets.policy, policy), (nets.value, value)):
        if not net.last_sigmoid:
            weights["dense 2.kernel"] *= FLAT
    return Nets(policy, value)


def report_stacks(sizes: Sizes) -> Nets:
    """The same with the report's activations; its value is not told apart, so ours serves."""
    cured = stacks(sizes)
    return Nets(as_reported(cured.policy), cured.value)


def four_trainings(run: Run, game: LineGame, sizes: Sizes) -> dict[str, Trained]:
    """Either stack with either training, all from the same weights."""
    reports_own, ours = shorter(Training(), sizes.report_games), shorter(CURED, sizes.cured_games)
    plans = {
        # The first of each is its file, by the name that earlier runs gave it: their trainings are found again.
        REPORTED_REPORTED: ("seed-seed", report_stacks(sizes), reports_own),
        CURED_REPORTED: ("cured-seed", stacks(sizes), reports_own),
        REPORTED_CURED: ("seed-cured", report_stacks(sizes), shorter(CURED, sizes.cured_games // 4)),
        CURED_CURED: ("cured-cured", stacks(sizes), ours),
    }
    return {
        name: follow(run, Course(file, game, nets, fresh(nets, run.seed), training, sizes.points, sizes.point_games))
        for name, (file, nets, training) in plans.items()
    }


def what_vanishes(run: Run, game: LineGame, sizes: Sizes, curves: dict[str, Trained]) -> list[Slope]:
    """The report's sigmoids taken out one by one, at the same fresh weights; then what training made of both ends."""
    cured, theirs = stacks(sizes).policy, report_stacks(sizes).policy
    weights = cured.fresh(2 * run.seed)  # the last layer at its usual size: what differs is the form alone
    forms = [
        ("the report's stack, fresh", theirs, weights),
        ("without the last sigmoid", replace(theirs, last_sigmoid=False), weights),
        ("without both sigmoids", replace(theirs, last_sigmoid=False, hidden_sigmoid=False), weights),
        ("and residual: our stack, fresh", cured, weights),
        ("the report's stack, after its training", theirs, curves[REPORTED_REPORTED].weights.policy),
        ("our stack, after our training", cured, curves[CURED_CURED].weights.policy),
    ]
    found = []
    for name, stack, own in forms:
        # Every fresh form is shown the same positions; a trained one meets those that it plays.
        player = (theirs, weights) if own is weights else (stack, own)
        seen, moves = sampled_positions(game, *player, sizes.positions, run.seed)
        found.append(Slope(name, layer_norms(stack, own, seen, moves), sharpest_chances(stack, own, seen)))
    return found


def how_strong(run: Run, game: LineGame, sizes: Sizes, curves: dict[str, Trained]) -> list[Strength]:
    """Policies alone, and search with the networks, against the rules."""
    nets, theirs = stacks(sizes), report_stacks(sizes)
    trained, start = curves[CURED_CURED].weights, fresh(nets, run.seed)
    players = {
        f"{REPORTED_REPORTED}, moves drawn": by_policy(
            game, theirs.policy, curves[REPORTED_REPORTED].weights.policy, sample=True
        ),
        f"{REPORTED_REPORTED}, best move": by_policy(game, theirs.policy, curves[REPORTED_REPORTED].weights.policy),
        f"{REPORTED_CURED}, moves drawn": by_policy(
            game, theirs.policy, curves[REPORTED_CURED].weights.policy, sample=True
        ),
        f"{REPORTED_CURED}, best move": by_policy(game, theirs.policy, curves[REPORTED_CURED].weights.policy),
        f"{CURED_REPORTED}, best move": by_policy(game, nets.policy, curves[CURED_REPORTED].weights.policy),
        f"{CURED_CURED}, moves drawn": by_policy(game, nets.policy, trained.policy, sample=True),
        f"{CURED_CURED}, best move": by_policy(game, nets.policy, trained.policy),
        f"{CURED_CURED}, best move, {IMAGES}": by_policy(game, nets.policy, trained.policy, turned=True),
        "MCTS with fresh networks": by_search(game, nets, start, sizes.simulations, sizes.games),
        "MCTS with the trained networks": by_search(game, nets, trained, sizes.simulations, sizes.games),
    }
    return [Strength(name, against_rules(game, one, sizes.games, run.seed)) for name, one in players.items()]


def moving_window(run: Run, sizes: Sizes, small: Trained) -> Larger:
    """The small board's networks as windows on a larger board, against a network that began there from nothing."""
    game = board(sizes.large)
    training = shorter(CURED, sizes.window_games)
    cells = sizes.large**2
    of_small = stacks(sizes)
    nets = Nets(Windows(of_small.policy, sizes.large), WindowValues(of_small.value, sizes.large))
    start = Nets(
        nets.policy.start(small.weights.policy, run.seed + 10), nets.value.start(small.weights.value, run.seed + 11)
    )
    alone = Nets(
        replace(of_small.policy, side=sizes.large, outputs=cells), replace(of_small.value, side=sizes.large)
    )  # fmt: skip
    curve = (sizes.points, sizes.point_games)
    windows = follow(run, Course("windows", game, nets, start, training, *curve))
    longer = shorter(CURED, sizes.window_games * sizes.longer)
    rival = follow(
        run, Course("from-nothing", game, alone, fresh(alone, run.seed), longer, *curve, keep_at=training.episodes)
    )  # fmt: skip
    assert rival.earlier is not None
    run.tick("matches on the larger board")
    joined = by_policy(game, nets.policy, windows.weights.policy)
    rivals = {
        "from nothing, as many games": by_policy(game, alone.policy, rival.earlier.policy),
        f"from nothing, {sizes.longer} times the games": by_policy(game, alone.policy, rival.weights.policy),
    }
    players = {
        "the windows alone, untrained here": by_policy(game, nets.policy, start.policy),
        "windows and global network": joined,
        **rivals,
        "MCTS with windows and global network": by_search(
            game, nets, windows.weights, sizes.simulations // 2, sizes.games // 2
        ),
    }
    strengths = [
        Strength(name, against_rules(game, one, sizes.games // 2 if "MCTS" in name else sizes.games, run.seed))
        for name, one in players.items()
    ]
    meetings = [
        (name, meet(game, joined, one, sizes.games, run.seed + 3, opening=4)) for name, one in rivals.items()
    ]  # fmt: skip
    learning = sum(array.size for name, array in start.policy.items() if not name.startswith("small "))
    whole = sum(array.size for array in rival.weights.policy.values())
    return Larger(windows, rival, strengths, meetings, (learning, whole))
