"""What a search promises: sums that add up, proofs that hold, budgets that are kept, one result for one seed."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.contract.errors import InputError, RuleError
from boardwright.contract.random import Random
from boardwright.players.mcts import SearchPlayer
from boardwright.search.common_choice import best_line, choice_of
from boardwright.search.search import Search, seconds_for, thinking
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import MOST_SAMPLES, RUN, UNSEEN, Tree
from tests.marks import examples, slowly, thorough

WIDE = Path(__file__).parent / "games" / "wide.py"
GOLDEN = Path(__file__).parent / "golden" / "trees.json"
LUDO = "docs/examples/ludo.py:Ludo:players=4"
GAMES = ["tictactoe", "gomoku:size=6", "2048", "azul"]
if thorough():
    GAMES += ["nmbr9", LUDO, "tictactoe:size=4,line=3", "2048:size=3", "azul:players=3"]
SELECTS = ["ucb1", "puct", "gumbel", "even"]


def wander(name: str, seed: int, plies: int) -> bw.Position:
    """A position that random play leads to, with somebody to move."""
    game = bw.load(name)
    position, rng = game.begin(seed=seed), bw.Random(seed)
    for _ in range(plies):
        after = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
        if after.is_over:
            break
        position = after
    return position


def grown(position: bw.Position, **options: object) -> Tree:
    search = Search(position.game, SearchSettings(**options))  # type: ignore[arg-type]  # values of many types
    search.grow(position)
    assert search.tree is not None
    return search.tree


def check_tree(tree: Tree, low: float, high: float) -> None:
    """Children lie in blocks of their own; a node's visits are its children's and those that ended in it."""
    slots, seen = tree.used, np.zeros(len(tree.used), bool)
    seen[0] = True
    for slot in range(len(slots)):
        if slots["first"][slot] == 0:
            continue
        room = MOST_SAMPLES if slots["actor"][slot] == RUN else int(slots["count"][slot])
        block = range(int(slots["first"][slot]), int(slots["first"][slot]) + room)
        assert not seen[block.start : block.stop].any(), "two nodes share a child"
        seen[block.start : block.stop] = True
        children = tree.children(slot)
        total = sum(int(slots["visits"][child]) for child in children)
        if not slots["proven"][slot]:
            ended_here = int(slots["visits"][slot]) - total
            assert 0 <= ended_here <= 3, "only the first visits, up to `expand`, end in a node that has children"
        if slots["actor"][slot] >= 0:
            assert math.isclose(sum(float(slots["prior"][child]) for child in children), 1.0, rel_tol=1e-4)
    assert seen.all()
    for slot in range(len(slots)):
        if slots["visits"][slot]:
            assert slots["actor"][slot] != UNSEEN
            assert np.all((tree.q(slot) >= low - 1e-9) & (tree.q(slot) <= high + 1e-9))


@examples(60)
@given(
    name=st.sampled_from(GAMES), seed=st.integers(0, 2**32), plies=st.integers(0, 40), select=st.sampled_from(SELECTS),
    simulations=st.integers(1, 150), depth=st.sampled_from([0, 3]), expand=st.integers(1, 3), reuse=st.booleans(),
)  # fmt: skip
def test_trees_add_up(
    name: str, seed: int, plies: int, select: str, simulations: int, depth: int, expand: int, reuse: bool
) -> None:
    position = wander(name, seed, plies)
    game, rng = position.game, bw.Random(seed)
    search = Search(
        game, SearchSettings(simulations=simulations, select=select, depth=depth, expand=expand, reuse=reuse)
    )
    limits = (0.0, 1e6) if game.counts_points else (-1.0, 1.0)
    for _ in range(4):
        stop = search.grow(position)
        assert search.tree is not None and (stop.simulations == simulations or stop.proven)
        check_tree(search.tree, *limits)
        move = int(search.tree.slots["move"][search.best_child()])
        assert move in position.moves
        position = position.play(move).settle(rng)
        if position.is_over:
            break


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("name", ["gomoku:size=6", "azul", *slowly("2048", "nmbr9")])
def test_one_seed_one_tree(name: str, select: str) -> None:
    position = wander(name, 5, 6)
    one, two, other = (grown(position, simulations=80, select=select, seed=seed) for seed in (1, 1, 2))
    assert one.used.tobytes() == two.used.tobytes()
    assert one.used.tobytes() != other.used.tobytes()


def exact_value(position: bw.Position, memo: dict[bytes, tuple[float, ...]]) -> tuple[float, ...]:
    """What each player gets if all play best: plain recursion, for tiny games."""
    if position.key not in memo:
        if position.results is not None:
            memo[position.key] = position.results
        elif position.is_chance:
            parts = [(exact_value(position.draw(outcome), memo), chance) for outcome, chance in position.chances]
            memo[position.key] = tuple(
                sum(value[i] * chance for value, chance in parts) for i in range(position.game.players)
            )
        else:
            values = [exact_value(position.play(move), memo) for move in position.moves]
            memo[position.key] = max(values, key=lambda value: value[position.player])
    return memo[position.key]


def test_proofs_are_true() -> None:
    memo: dict[bytes, tuple[float, ...]] = {}
    proven = 0
    for seed in range(30):
        position = wander("tictactoe", seed, 2 + seed % 4)
        tree = grown(position, simulations=400, rollout="uniform", seed=seed)
        places: list[tuple[int, bw.Position]] = [(0, position)]
        while places:
            slot, here = places.pop()
            if tree.slots["proven"][slot]:
                proven += 1
                assert tuple(tree.q(slot)) == exact_value(here, memo)
            for child in tree.children(slot):
                if tree.slots["visits"][child]:
                    places.append((child, here.play(int(tree.slots["move"][child]))))
    assert proven > 500


def test_proofs_with_chance_are_true(tmp_path: Path) -> None:
    pig = bw.load(str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py"), target=8)
    position = pig.begin()
    tree = grown(position, simulations=20_000, rollout="uniform")
    checked = 0
    places: list[tuple[int, bw.Position]] = [(0, position)]
    while places and checked < 300:
        slot, here = places.pop()
        if tree.slots["proven"][slot] and not here.is_over:
            checked += 1
            # holding is proven where it wins at once; a roll only where every face is
            assert here.is_chance or any(here.play(move).is_over for move in here.moves) or len(here.moves) == 1
        for child in tree.children(slot):
            if tree.slots["visits"][child]:
                places.append((child, here.advance(int(tree.slots["move"][child]))))
    assert checked > 20


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_200_simulations_never_lose_on_3x3_whatever_the_other_does(seat: int, seed: int) -> None:
    game = bw.load("tictactoe")
    ends = {-1.0: 0, 0.0: 0, 1.0: 0}

    def walk(position: bw.Position) -> None:
        if position.results is not None:
            ends[position.results[seat]] += 1
        elif position.player == seat:
            player = bw.player(f"mcts:simulations=200,seed={seed}", game)
            walk(position.play(player.choose(position).move))
        else:
            for move in position.moves:
                walk(position.play(move))

    walk(game.begin())
    assert ends[-1.0] == 0 and ends[1.0] > 50


def test_a_search_cannot_see_what_chance_will_do() -> None:
    """The same position reached with different luck to come: nothing but the position may matter."""
    for name in ("2048", "nmbr9", "azul"):
        game = bw.load(name)
        position = wander(name, 3, 4)
        alone = bw.Position(game, position.record)  # no history, no seed
        spec = "mcts:simulations=60,seed=4"
        here, there = bw.player(spec, game).choose(position), bw.player(spec, game).choose(alone)
        assert (here.move, here.visits, here.values) == (there.move, there.visits, there.values)


def test_reuse_keeps_what_was_learnt() -> None:
    game = bw.load("gomoku:size=6")
    position = game.begin()
    search = Search(game, SearchSettings(simulations=12_000, select="ucb1", rollout="uniform"))
    search.grow(position)
    assert search.tree is not None
    best = search.best_child()
    after = position.play(int(search.tree.slots["move"][best]))
    visits = search.tree.slots["visits"]
    reply = max(search.tree.children(best), key=lambda child: int(visits[child]))
    known = int(search.tree.slots["visits"][reply])
    values = search.tree.q(reply)
    assert known > 10
    search._plant(after.play(int(search.tree.slots["move"][reply])))
    assert int(search.tree.slots["visits"][0]) == known and np.array_equal(search.tree.q(0), values)
    check_tree(search.tree, -1.0, 1.0)
    search.grow(search.root)  # type: ignore[arg-type]  # it has a root
    assert int(search.tree.slots["visits"][0]) == known + 12_000


def test_a_tree_does_not_depend_on_the_room_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def games_moves() -> list[tuple[int, dict[int, int]]]:
        search = Search(bw.load("gomoku:size=6"), SearchSettings(simulations=60, seed=3))
        position, played = search.game.begin(), []
        while not position.is_over:
            found = choice_of(position, [search], [search.grow(position)], 0.0)
            played.append((found.move, dict(found.visits)))
            position = position.play(found.move)
        return played

    small = games_moves()
    monkeypatch.setattr(Search, "_first_slots", lambda self: 100_000)
    assert games_moves() == small


@pytest.mark.parametrize(("interpreted", "refused"), [(True, ValueError), *slowly((False, RuleError))])
def test_more_moves_than_a_slot_can_count_are_refused(interpreted: bool, refused: type[Exception]) -> None:
    search = Search(bw.load(f"{WIDE}:Wide"), SearchSettings(simulations=2), interpreted=interpreted)
    with pytest.raises(refused, match="room for 32,767 moves"):
        search.grow(search.game.begin())


def test_budgets() -> None:
    game = bw.load("gomoku")
    position = game.begin()
    counted = bw.player("mcts:simulations=137", game).choose(position)
    assert counted.simulations == 137 == sum(counted.visits.values())
    assert bw.player("mcts:seconds=0.2", game).choose(position).simulations > 0


def test_a_search_by_seconds_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own, which a simulation takes a tenth of a millisecond of."""
    now = 0.0
    search = Search(bw.load("tictactoe"), SearchSettings(seconds=0.2, proofs=False), interpreted=True)
    simulate = search._simulate

    def timed(simulations: int) -> int:
        nonlocal now
        now += 1e-4 * simulations
        return simulate(simulations)

    monkeypatch.setattr(search, "_simulate", timed)
    monkeypatch.setattr("boardwright.search.search.time.perf_counter", lambda: now)
    search.grow(search.game.begin())
    assert 0.18 <= now <= 0.2


def test_the_pace_of_a_search_is_not_that_of_its_last_few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own: a call costs as much as ten simulations."""
    now = 0.0
    search = Search(bw.load("tictactoe"), SearchSettings(simulations=342, proofs=False), interpreted=True)
    simulate = search._simulate

    def timed(simulations: int) -> int:
        nonlocal now
        now += 1e-3 + 1e-4 * simulations
        return simulate(simulations)

    monkeypatch.setattr(search, "_simulate", timed)
    monkeypatch.setattr("boardwright.search.search.time.perf_counter", lambda: now)
    search.grow(search.game.begin())
    assert 0.8 * 342 / now < search._rate < 1.2 * 342 / now


@given(st.floats(0.0015, 1e4))
def test_who_has_kept_back_the_time_for_an_answer_gets_all_that_is_left(thought: float) -> None:
    assert math.isclose(thinking(seconds_for(thought)), thought)


@pytest.mark.parametrize("name", ["gomoku", "azul"])
def test_a_full_tree_drops_what_is_rarely_visited_and_goes_on(name: str) -> None:
    game = bw.load(name)
    player = bw.player("mcts:simulations=1500,megabytes=1,rollout=uniform,depth=5,forcing=false", game)
    assert isinstance(player, SearchPlayer)
    position = game.begin(seed=1)
    choice = player.choose(position)
    assert choice.note == "kept to 1 megabytes" and choice.simulations == sum(choice.visits.values()) == 1500
    (search,) = player.searches
    tree = search.tree
    assert tree is not None and tree.slots.nbytes <= 1e6
    for slot in range(len(tree.used)):  # children come after their parents
        node, children = tree.slots[slot], tree.children(slot)
        if len(children) and not node["proven"]:
            assert slot < children.start and children.stop <= len(tree.used)
            assert tree.slots["visits"][children.start : children.stop].sum() <= node["visits"]
    following = position.play(choice.move).settle(2)
    assert player.choose(following).simulations == 1500, "and its tree can be taken up"


def test_a_pruned_tree_goes_on_in_the_same_memory() -> None:
    game = bw.load("tictactoe")
    wide = SearchSettings(simulations=20_000, megabytes=1, select="ucb1", c=3.0, proofs=False, forcing=False)
    search = Search(game, wide)
    stop = search.grow(game.begin(0))
    assert search.tree is not None
    assert stop.simulations == 20_000 and not stop.full and search.tree.slots.nbytes <= 1_000_000
    assert stop.pruned, "else nothing had to be forgotten"
    tree = search.tree
    children = tree.slots[tree.children().start : tree.children().stop]
    assert len(children) == 9 and children["visits"].sum() >= 20_000 - 1
    used = int(tree.stats["used"][0])
    parents = [slot for slot in range(used) if tree.slots["first"][slot]]
    below = [child for slot in parents for child in tree.children(slot)]
    assert sorted(below) == list(range(1, used)), "every slot has one parent"
    assert all(0 <= tree.slots["visits"][slot] <= tree.slots["visits"][0] for slot in range(used))


def test_the_first_candidates_get_visits_and_the_root_keeps_its_value() -> None:
    game = bw.load("tictactoe")
    search = Search(game, SearchSettings(simulations=3))
    search.grow(game.begin(0))
    assert search.tree is not None
    before = search.tree.q(0).tolist(), int(search.tree.root["visits"])
    search.give_visits(5, 16)
    visits = sorted((int(search.tree.slots["visits"][child]) for child in search.tree.children()), reverse=True)
    assert len(visits) == 9 and all(count >= 16 for count in visits[:5]) and not search.tree.root["proven"]
    assert before == (search.tree.q(0).tolist(), int(search.tree.root["visits"]))
    search.grow(game.begin(0))


def test_a_line_does_not_show_one_face_again_and_again() -> None:
    game = bw.load("nmbr9")
    choice = bw.player("mcts:simulations=2000,select=puct,depth=1", game).choose(game.begin(1))
    here, drawn = game.begin(1), []
    for step in choice.line:
        drawn += [step] if here.is_chance else []
        here = here.advance(step)
    assert len(drawn) < 2 or len(set(drawn)) > 1


def test_threads_are_deterministic_and_add_up() -> None:
    game = bw.load("gomoku:size=6")
    position = game.begin()
    choices = [bw.player("mcts:simulations=400,threads=2,seed=3", game).choose(position) for _ in range(2)]
    assert choices[0].visits == choices[1].visits and choices[0].move == choices[1].move
    assert sum(choices[0].visits.values()) == 400


def test_threads_may_be_the_first_to_need_the_kernels() -> None:
    """Threads that all want the kernels at once, in a process where nothing is loaded yet."""
    script = "import boardwright as bw; g = bw.load('tictactoe'); p = g.begin(); "
    script += "print(bw.player('mcts:simulations=100,threads=4', g).choose(p).simulations)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "100"


def test_a_search_can_be_stopped() -> None:
    game = bw.load("gomoku")
    search = Search(game, SearchSettings(simulations=10**8, rollout="uniform"))
    calls = iter([False, False, True])
    stop = search.grow(game.begin(), stopped=lambda: next(calls))
    assert stop.cancelled and 0 < stop.simulations < 10**8


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:simulation=5", "has no setting 'simulation'; its settings are: simulations=0"),
        ("mcts:simulations=many", "simulations='many' does not fit; it must be a whole number"),
        ("mcts:simulations=-1", "simulations=-1 must be 0 to"),
        ("mcts:select=best", "select=best does not exist; there are auto, ucb1, puct, gumbel, even"),
        (
            "mcts:rollout=clever",
            "rollout=clever does not exist; there are uniform, greedy, win-block, win-block-middle",
        ),
        ("mcts:opponent=nobody", "opponent=nobody does not exist; there are uniform, greedy, win-block"),
        ("mcts:c", "'c' is no setting; write name=value"),
        ("mcts:mix=2", "mix=2.0 must be 0 to 1"),
        ("masb:rollouts=0", "rollouts=0 must be 1 or more"),
        ("deepblue", "no player 'deepblue'; there are random, greedy, win-block, win-block-middle, nearby, mcts"),
        ("win-blok", "no player 'win-blok'; did you mean win-block? There are random, greedy"),
    ],
)
def test_impossible_settings_are_refused_with_what_exists(spec: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        bw.player(spec, bw.load("gomoku"))
    assert message in str(caught.value)


def test_choice_tells_what_the_tree_knew() -> None:
    game = bw.load("tictactoe")
    position = game.begin().play("a1").play("c3").play("a3")  # X threatens a2: O must take it
    choice = bw.player("mcts:simulations=500", game).choose(position)
    assert position.text(choice.move) == "a2"
    assert choice.line[0] == choice.move and len(choice.line) >= 1
    assert choice.value is not None and math.isclose(sum(choice.value), 0.0, abs_tol=1e-9)
    assert set(choice.visits) == set(position.moves) and math.isclose(sum(choice.priors.values()), 1.0, rel_tol=1e-5)


def test_masb_values_every_move_alike_and_hybrid_plays_several_playouts_a_leaf() -> None:
    game = bw.load("2048")
    position = wander("2048", 1, 10)
    masb = bw.player("masb:rollouts=50,depth=5", game).choose(position)
    assert set(masb.visits.values()) == {50} and masb.move == max(masb.values, key=lambda move: masb.values[move])
    hybrid = bw.player("hybrid:simulations=6,rollouts=200,depth=8", game).choose(position)
    assert sum(hybrid.visits.values()) == 6


def golden_tree(name: str, options: dict[str, object]) -> list[list[object]]:
    position = wander(name, 11, 5)
    tree = grown(position, **options)
    rows: list[list[object]] = []
    for slot in range(min(len(tree.used), 60)):
        record = tree.slots[slot]
        rows.append(
            [int(record[key]) for key in ("move", "visits", "first", "count", "actor", "proven")]
            + [round(float(v), 6) for v in tree.q(slot)]
        )
    return rows


GOLDEN_CASES: dict[str, tuple[str, dict[str, object]]] = {
    "tictactoe ucb1": ("tictactoe", {"simulations": 100, "select": "ucb1", "rollout": "uniform"}),
    "gomoku puct": ("gomoku:size=6", {"simulations": 100, "select": "puct"}),
    "2048 gumbel": ("2048", {"simulations": 60, "select": "gumbel", "depth": 5}),
    "nmbr9 even": ("nmbr9", {"simulations": 60, "select": "even", "grow": 1}),
    "azul puct": ("azul", {"simulations": 60, "select": "puct"}),
}


@pytest.mark.parametrize("case", GOLDEN_CASES)
def test_golden_trees(case: str) -> None:
    """Small seeded trees, stored: a change of the arithmetic shows here. Regenerate with
    `PYTHONPATH=. python tests/test_search.py` and say why in the commit."""
    assert golden_tree(*GOLDEN_CASES[case]) == json.loads(GOLDEN.read_text())[case]


def test_every_golden_tree_says_what_it_shows() -> None:
    rows = (GOLDEN.parent / "README.md").read_text().splitlines()
    told = {row.split("|")[1].strip(): row.split("|")[2].strip() for row in rows if row.startswith("| ")}
    del told["tree"]  # the table's head
    assert set(told) == set(GOLDEN_CASES) == set(json.loads(GOLDEN.read_text()))
    assert all(len(sentence) > 40 for sentence in told.values())


def test_best_line_is_legal() -> None:
    for name in GAMES:
        position = wander(name, 2, 3)
        tree = grown(position, simulations=200)
        here = position
        for step in best_line(
            tree, int(tree.slots["move"][max(tree.children(), key=lambda c: int(tree.slots["visits"][c]))])
        ):
            here = here.advance(step)


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps({case: golden_tree(*what) for case, what in GOLDEN_CASES.items()}, indent=0) + "\n")


# What a game advises its players


def settings_of(spec: str, name: str = "2048") -> SearchSettings:
    player = bw.player(spec, bw.load(name))
    assert isinstance(player, SearchPlayer)
    return player.searches[0].settings


def test_a_player_that_leaves_the_rule_of_selection_open_takes_the_games_advice() -> None:
    open_one = settings_of("mcts:simulations=8")
    assert (open_one.select, open_one.prior, open_one.depth, open_one.grow) == ("gumbel", "greedy", 40, 1)
    own = settings_of("mcts:simulations=8,depth=0,grow=5")
    assert (own.select, own.depth, own.grow) == ("gumbel", 0, 5), "what is said stays"
    for spec in ("mcts:simulations=8,select=puct", "hybrid:simulations=6", "mcts:simulations=8,rollout=none"):
        assert settings_of(spec).grow == 0 and settings_of(spec).select != "gumbel"
    assert settings_of("mcts:simulations=8", "azul").select == "puct", "a game without advice"
    alone = settings_of("mcts:simulations=8", "nmbr9")
    assert (alone.select, alone.prior, alone.depth, alone.grow) == ("gumbel", "greedy", 0, 0)


@pytest.mark.slow
def test_the_advice_of_2048_is_worth_it() -> None:
    scores = {}
    for spec in ("mcts:simulations=100", "mcts:simulations=100,select=puct,depth=40"):
        player, total = bw.player(spec, bw.load("2048")), 0.0
        for seed in range(6):
            rng, position = Random(seed), bw.load("2048").begin(seed)
            while not position.is_over:
                position = position.play(player.choose(position).move).settle(rng)
            total += position.scores[0]
        scores[spec] = total / 6
    assert scores["mcts:simulations=100"] > 1.2 * scores["mcts:simulations=100,select=puct,depth=40"], scores
