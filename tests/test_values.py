"""The solo case of learning inside the kernel: the parts against slow references, the whole on a solitaire that can be
solved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.compile.kernel import interpret
from boardwright.contract.errors import InputError
from boardwright.contract.position import Position, blank
from boardwright.contract.state import copy_record
from boardwright.learn.display import View
from boardwright.learn.files import read_arrays
from boardwright.learn.kernel.fitting import Fitter, add_slope, values_only
from boardwright.learn.kernel.games import Arcade
from boardwright.learn.kernel.greedy import Terms
from boardwright.learn.kernel.log import Played
from boardwright.learn.kernel.model import features_digest, save_value
from boardwright.learn.kernel.network import ValueNetwork, fresh_numbers, network_for
from boardwright.learn.kernel.player import ValueSettings
from boardwright.learn.kernel.settings import SOLITAIRE, is_solitaire
from boardwright.learn.kernel.train import KernelSettings, train
from boardwright.learn.kernel.turns import best_turn, turn_room
from boardwright.learn.metrics import read_metrics
from boardwright.learn.model_players import timed_spec
from boardwright.learn.models import save_model
from boardwright.learn.runs import Run
from boardwright.learn.values.choosing import keep_best
from boardwright.learn.values.model import load_values
from boardwright.learn.values.player import ValuesPlayer, ValuesSettings
from boardwright.search.exact.expectimax import Expectimax, ExpectimaxSettings
from tests.marks import examples, slowly, thorough
from tests.processes import killed_at, run_here

FIVE_SLOTS = str(Path(__file__).parent / "games" / "fiveslots.py")
UR = str(Path(__file__).parent.parent / "docs" / "examples" / "royal_ur.py") + ":RoyalUr:pieces=2"
PIG = str(Path(__file__).parent.parent / "docs" / "examples" / "pig.py")
SLOTS = bw.load(FIVE_SLOTS)
SMALL = {
    **SOLITAIRE, "games": 800, "rounds": 8, "passes": 4, "batch": 32, "first": 8, "second": 8, "rate": 0.008,
    "slowing": 4.0, "policy_weight": 0.0, "consider": 2, "checkpoint_minutes": 0.0,
}  # fmt: skip
BY_SEARCH = {  # of the network that tests of learning inside the kernel compile anyway
    "way": "search", "games": 20, "rounds": 5, "batch": 16, "first": 32, "second": 8, "deep": 8, "shallow": 4,
    "checkpoint_minutes": 0.0,
}  # fmt: skip


def random_numbers(network: ValueNetwork, seed: int = 3) -> Any:
    """Nothing learnt, but every number differs from 0."""
    return np.random.default_rng(seed).normal(0.0, 0.3, network.size).astype(np.float32)


def learn(path: Path, game: Any = SLOTS, seed: int = 1, **changes: Any) -> Path:
    settings: Any = {**SMALL, **changes}
    with Run(path, game, "kernel", KernelSettings(**settings), seed, 0.0, View(quiet=True)) as run:
        return train(run).model


def play(game: Any, network: ValueNetwork, learned: Any, games: int, seed: int, **terms: int) -> Played:
    """Games by the value, all moves being valued, unless `terms` say otherwise."""
    said = Terms(terms.pop("longest", 100), 0, 0.0, terms.pop("blind", 0), terms.pop("policy", 0), 0, 0)
    played = Arcade(game, network).play(learned, games, seed, said._replace(**terms))
    assert played is not None
    return played


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learn(tmp_path_factory.mktemp("run"))


def by_hand(network: ValueNetwork, learned: Any, position: Position) -> float:
    """The network's word on an afterstate, in double precision."""
    one, two = network.first, network.second
    parts = np.split(learned, np.cumsum([network.count * one, one, one * two, two, two, 1]))
    indices, values = position.features()
    rows = parts[0].reshape(-1, one)[indices].astype(np.float64)
    parts = [part.astype(np.float64) for part in parts[1:]]
    hidden = np.maximum(values @ rows + parts[0], 0.0)
    hidden = np.maximum(hidden @ parts[1].reshape(one, two) + parts[2], 0.0)
    return float((hidden @ parts[3] + parts[4][0]) * parts[5][0]) + position.scores[0]


@pytest.mark.parametrize("name", ["nmbr9", FIVE_SLOTS, "2048:size=3"])
def test_the_kernel_computes_the_network_and_so_does_the_interpreter(name: str) -> None:
    game = bw.load(name)
    network = network_for(game, 16, 8)
    learned, out = random_numbers(network), np.zeros(1)
    rng, position = bw.Random(5), game.begin(seed=5)
    for _ in range(4):
        after = position.play(position.moves[rng.below(len(position.moves))])
        value_of(game, network, learned, after, out)
        quick = float(out[0])
        assert quick == pytest.approx(by_hand(network, learned, after), rel=1e-4, abs=1e-4)
        value_of(game, network, learned, after, out, plain=True)
        assert out[0] == quick
        position = after.settle(rng)


def value_of(game: Any, network: Any, learned: Any, position: Position, out: Any, plain: bool = False) -> None:
    from boardwright.compile.kernel import kernel

    if not hasattr(value_of, "door"):

        @kernel
        def door(game: Any, network: Any, learned: Any, states: Any, out: Any) -> None:
            network.value(game, states[0], learned, out)

        value_of.door = door  # type: ignore[attr-defined]  # made once
    run = value_of.door  # type: ignore[attr-defined]  # made once
    (interpret(run) if plain else run)(game, network, learned, position.record.copy(), out)


@examples(60)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=40), st.integers(1, 45))
def test_the_best_come_first(weights: list[int], most: int) -> None:
    moves, likings = np.arange(len(weights), dtype=np.int32), np.array(weights, np.float64)
    kept = keep_best(moves, likings, len(weights), most)
    assert kept == min(most, len(weights))
    assert sorted(moves.tolist()) == list(range(len(weights)))
    assert likings.tolist() == [weights[move] for move in moves]
    assert sorted(likings[:kept], reverse=True) == sorted(weights, reverse=True)[:kept]


def test_the_slope_is_that_of_the_squared_error() -> None:
    """Against differences of the network computed by hand, one number after another."""
    network = network_for(SLOTS, 5, 4)
    learned = random_numbers(network)
    learned[-1] = 7.0
    after = SLOTS.begin(seed=2).play(1)
    room = Fitter(SLOTS, network, learned, learned, np.zeros_like(learned), np.zeros_like(learned)).room
    slope = room.slope
    lessons = values_only(np.array([[20.0]]))
    squares, nats, count, blamed = interpret(add_slope)(SLOTS, network, learned, after.view, lessons, 0, room)
    assert nats == 0.0
    assert blamed == 0
    assert count == len(after.features()[0])

    def loss(numbers: Any) -> float:
        return 0.5 * ((by_hand(network, numbers, after) - after.scores[0] - 20.0) / 7.0) ** 2

    assert 0.5 * squares == pytest.approx(loss(learned), rel=1e-4)
    assert np.abs(slope).max() > 0.1
    for i in range(network.size - 1):
        up, down = learned.astype(np.float64), learned.astype(np.float64)
        up[i] += 1e-5
        down[i] -= 1e-5
        assert slope[i] == pytest.approx((loss(up) - loss(down)) / 2e-5, rel=1e-3, abs=1e-4)


def test_a_game_that_is_cut_counts_as_promised() -> None:
    network = network_for(SLOTS, 8, 8)
    played = play(SLOTS, network, random_numbers(network), 10, 1, longest=3)
    assert played.log.lengths.tolist() == [6] * 10
    assert played.log.results[:, 0].tolist() == played.log.promised[5::6, 0].tolist()


def test_the_circle_of_moves_widens_and_each_of_its_rounds_is_fitted_first() -> None:
    settings = KernelSettings(consider=12)
    assert [settings.considered_in(number) for number in range(1, 6)] == [2, 4, 8, 12, 12]
    assert [settings.fits_first(number) for number in range(10)] == [True] * 8 + [False] * 2
    assert KernelSettings().considered_in(60) == 0
    assert [KernelSettings().fits_first(number) for number in range(3)] == [True, False, False]


def test_a_turn_looks_only_at_what_the_policy_likes_best() -> None:
    """Among the two best moves of the game's first policy, and in all moves without `consider`."""
    game = bw.load("tictactoe")
    network = network_for(game, 8, 8, zero_sum=True)
    learned = random_numbers(network)
    position = game.begin().play(0).play(3).play(1)  # one square wins for the first player: the second must block it
    weights = dict(zip(position.moves, position.weigh(game.policies[0]), strict=True))
    least = sorted(weights.values())[-2]
    for consider, looked in ((2, 2), (0, len(position.moves))):
        states, room = turn_room(game, policy=1, consider=consider)
        states[:1] = copy_record(position.record)
        value, length = interpret(best_turn)(game, network, learned, states, room)
        assert length == 1 and room.looks[0] == looked
        assert weights[int(room.best[0])] >= (least if consider else 0.0)
        out = np.zeros(2)
        value_of(game, network, learned, position.play(int(room.best[0])), out, plain=True)
        assert out[position.player] == value


def test_a_tiny_run_learns_to_play_nearly_as_well_as_can_be(model: Path) -> None:
    """The truth is exact: expectimax to the end of the game; and at random 3.5 a die, 15 times."""
    exact = Expectimax(SLOTS, ExpectimaxSettings(depth=5)).values(blank(SLOTS))
    best = float(np.mean([value[0] for value in exact.values()]))
    network, learned = load_values(str(model), SLOTS)
    played = play(SLOTS, network, learned, 3000, 11).log.results
    blind = play(SLOTS, network, learned, 3000, 11, blind=1).log.results
    margin = 3.0 * played.std() / 3000**0.5
    assert blind.mean() == pytest.approx(52.5, abs=3.0 * blind.std() / 3000**0.5)
    assert 52.5 + 0.85 * (best - 52.5) < played.mean() < best + margin
    last = read_metrics(model.parent)[-1]
    assert last["score_low"] < last["score"] < last["score_high"] and "first" not in last and "drawn" not in last


def answered(position: Position, network: ValueNetwork, learned: Any) -> float:
    """Every draw, answered by the best move: what two plies should find, written as recursion."""
    if position.is_over:
        return position.scores[0]
    if position.is_chance:
        return sum(chance * answered(position.draw(outcome), network, learned) for outcome, chance in position.chances)
    afters = [position.play(move) for move in position.moves]
    return max(after.scores[0] if after.is_over else by_hand(network, learned, after) for after in afters)


@pytest.mark.parametrize(
    ("fixed", "plies"), [(FIVE_SLOTS, 0), (FIVE_SLOTS, 3), (FIVE_SLOTS, 4), *slowly(("nmbr9", 17))]
)
def test_two_plies_are_the_exact_mean_over_draws(fixed: str, plies: int, tmp_path: Path) -> None:
    game = bw.load(fixed)
    network = network_for(game, 8, 8)
    learned = random_numbers(network).astype(np.float16).astype(np.float32)
    file = save_value(tmp_path / "model.safetensors", game, network, learned, {}, {})
    rng, position = bw.Random(2), game.begin(seed=2)
    for _ in range(plies):
        position = position.play(position.moves[rng.below(len(position.moves))]).settle(rng)
    chosen = bw.player(f"values:model={file},plies=2,closely=3,consider=0", game).choose(position)
    assert len(chosen.values) == min(3, len(position.moves))
    for move, value in chosen.values.items():
        assert value == pytest.approx(answered(position.play(move), network, learned), rel=1e-4, abs=1e-3)
    assert chosen.values is not None and chosen.value is not None
    assert chosen.values[chosen.move] == max(chosen.values.values()) == chosen.value[0]


def test_rollouts_to_the_end_find_what_a_move_is_worth(model: Path) -> None:
    """With two slots left everything is known: the value of a move is points now and 3.5 times the last slot."""
    game, rng = SLOTS, bw.Random(3)
    position = game.begin(seed=3)
    for slot in (0, 1, 2):
        position = position.play(slot).settle(rng)
    face = position.view.die
    choice = bw.player(f"values:model={model},simulations=20000,depth=9", game).choose(position)
    truth = {slot: position.scores[0] + face * (slot + 1) + 3.5 * (9 - slot - 1) for slot in (3, 4)}
    assert sum(choice.visits.values()) == choice.simulations == 20000
    for slot, value in choice.values.items():
        assert value == pytest.approx(truth[slot], abs=0.25)
    assert choice.move == max(truth, key=truth.__getitem__)


@pytest.mark.parametrize("spec", ["plies=1", "plies=2,closely=4", "simulations=200,closely=4,depth=2"])
def test_one_seed_one_choice_and_the_interpreter_agrees(model: Path, spec: str) -> None:
    choices = []
    for plain in (False, False, True):
        player = bw.player(f"values:model={model},{spec},seed=5", SLOTS)
        assert isinstance(player, ValuesPlayer)
        player.interpreted = plain
        choices.append([player.choose(SLOTS.begin(seed=seed)) for seed in range(2 if plain else 6)])
    for one, two in zip(choices[0], choices[1], strict=True):
        assert (one.move, one.values, one.visits) == (two.move, two.values, two.visits)
    for one, two in zip(choices[0], choices[2], strict=False):
        assert (one.move, one.values, one.visits) == (two.move, two.values, two.visits)


def test_a_budget_of_seconds_is_used_for_rollouts(model: Path) -> None:
    choice = bw.player(f"values:model={model},seconds=0.05", SLOTS).choose(SLOTS.begin(seed=1))
    assert choice.simulations >= 5 and choice.move in (0, 1, 2, 3, 4)
    with pytest.raises(InputError, match="nobody is to move"):
        bw.player(f"values:model={model}", SLOTS).choose(SLOTS.begin(seed=1).play(1))


def test_few_rollouts_do_not_outvote_the_look_two_plies_deep(model: Path) -> None:
    position = SLOTS.begin(seed=3)

    def chosen(settings: str) -> bw.Choice:
        return bw.player(f"values:model={model},{settings}", SLOTS).choose(position)

    deep, sure = chosen("plies=2"), chosen("simulations=30,weight=1e6")
    assert sure.move == deep.move and sure.values[sure.move] == pytest.approx(deep.values[deep.move], abs=1e-2)
    rolled, mixed = chosen("simulations=3000,weight=0"), chosen("simulations=3000,weight=400")
    two = [move for move in mixed.values if move in rolled.values]
    for move in two:
        n = rolled.visits[move]
        expected = (n * rolled.values[move] + 400 * deep.values[move]) / (n + 400)
        assert rolled.visits[move] != mixed.visits[move] or mixed.values[move] == pytest.approx(expected)
    assert any(rolled.visits[move] == mixed.visits[move] for move in two)


def command(folder: Path, game: str, settings: dict[str, Any]) -> list[str]:
    given = [item for name, value in settings.items() for item in ("--set", f"{name}={value}")]
    start = [sys.executable, "-m", "boardwright", "train", game, "--method", "kernel", "--seed", "1"]
    return [*start, *given, "--no-pilot", "--out", str(folder)]


# That what is stopped goes on to the same bits by each way to play, test_kernel_learning tries without a command.
@pytest.mark.parametrize(("game", "settings"), [(FIVE_SLOTS, SMALL), *slowly((UR, BY_SEARCH))])
def test_killed_and_taken_up_a_run_ends_in_the_same_numbers(
    game: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    """kill -9 of the real command, in `make test-all` a round after its first checkpoint; then half way through its
    third, of which the arrays are there and the rest is not; then to the end."""
    folder = tmp_path / "killed"
    if thorough():
        killed_at("boardwright.learn.metrics:Metrics.add", 2, *command(folder, game, settings)[3:])
    saves = 2 if thorough() else 3
    killed_at("boardwright.learn.runs:save_arrays", saves, *command(folder, game, settings)[3:])
    kept = (folder / "checkpoints").iterdir()
    assert max(path.name for path in kept) == f"step-{3 * settings['games']:012d}.safetensors"
    done = subprocess.run(command(folder, game, settings), capture_output=True, text=True, timeout=300, check=True)
    assert "Model:" in done.stdout and "value:model=" in done.stdout
    with Run(tmp_path / "whole", bw.load(game), "kernel", KernelSettings(**settings, threads=1), 1, pilot=False) as run:
        train(run)
    whole = sorted((tmp_path / "whole" / "checkpoints").glob("*.safetensors"))[-1]
    again = sorted((folder / "checkpoints").glob("*.safetensors"))[-1]
    assert whole.name == again.name
    for name, array in read_arrays(whole)[0].items():
        assert array.tobytes() == read_arrays(again)[0][name].tobytes(), name
    ours, theirs = ([line["error"] for line in read_metrics(path)] for path in (folder, tmp_path / "whole"))
    assert ours == theirs and len(ours) == settings["rounds"]
    assert (folder / "curve.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (PIG, "one player who counts points"),
        ("azul", "one player who counts points"),
        ("tictactoe", "one player who counts points"),
    ],
)
def test_games_that_do_not_suit_are_refused(game: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        bw.player("values", bw.load(game))
    with pytest.raises(InputError, match=message):
        bw.player("value:model=none,seconds=1", bw.load(game))


@pytest.mark.parametrize(
    ("kind", "setting", "message"),
    [
        (KernelSettings, {"games": 0}, "games=0 must be 1"),
        (KernelSettings, {"trust": 1.5}, "trust=1.5 must be 0 to 1"),
        (KernelSettings, {"rate": 0.0}, "rate=0.0 must be above 0"),
        (KernelSettings, {"consider": -1}, "consider=-1 must be 0 to"),
        (KernelSettings, {"checkpoint_minutes": -1.0}, "checkpoint_minutes=-1.0 must be 0 to"),
        (ValueSettings, {"model": "", "consider": -2}, "consider=-2 must be 0 to 1000000, or -1"),
        (ValueSettings, {"model": "", "finalists": 0}, "finalists=0 must be 1"),
        (ValuesSettings, {"plies": 3}, "plies=3 must be 1 or 2; for more give seconds"),
        (ValuesSettings, {"depth": 0}, "depth=0 must be 1"),
        (ValuesSettings, {"seconds": -1.0}, "seconds=-1.0 must be 0"),
    ],
)
def test_settings_out_of_range_are_refused(kind: Any, setting: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kind(**setting)


def test_models_that_do_not_fit_are_refused_by_name(tmp_path: Path, model: Path) -> None:
    network, learned = load_values(str(model), SLOTS)
    with pytest.raises(InputError, match=r"model\.safetensors was made for slots=5, not slots=4"):
        load_values(str(model), bw.load(FIVE_SLOTS, slots=4))
    with pytest.raises(InputError, match="was made for FiveSlots, not for nmbr9"):
        load_values(str(model), bw.load("nmbr9"))
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(model.read_bytes()[:-50])
    with pytest.raises(InputError, match=r"cut\.safetensors"):
        load_values(str(cut), SLOTS)
    with pytest.raises(InputError, match="no values come with Boardwright for FiveSlots"):
        bw.player("values", SLOTS)
    arrays: dict[str, Any] = {"learned": learned.astype(np.float16), "unit": learned[-1:]}
    shape = {"first": network.first, "second": network.second}
    for name, settings_, about, parts, message in (
        ("features", shape, {"features": "others"}, arrays, "made for other features"),
        ("shape", {"first": 8}, {}, arrays, "no whole model of a value"),
        ("size", {**shape, "first": 9}, {"features": features_digest(SLOTS)}, arrays, "does not fit FiveSlots"),
        ("empty", shape, {}, {"unit": learned[-1:]}, "no whole model of a value"),
    ):
        file = save_model(tmp_path / f"{name}.safetensors", "values", SLOTS, settings_, parts, about)
        with pytest.raises(InputError, match=message):
            load_values(str(file), SLOTS)


def test_a_model_of_the_method_before_plays_as_one_of_the_kernel_does(tmp_path: Path) -> None:
    """The same numbers in both kinds of file, by both names of the player; `last` finds them too."""
    network = network_for(SLOTS, 8, 8)
    learned = random_numbers(network).astype(np.float16).astype(np.float32)
    arrays: dict[str, Any] = {"learned": learned.astype(np.float16), "unit": learned[-1:]}
    about = {"features": features_digest(SLOTS)}
    old = save_model(tmp_path / "old.safetensors", "values", SLOTS, {"first": 8, "second": 8}, arrays, about)
    new = save_value(tmp_path / "new.safetensors", SLOTS, network, learned, {}, {})
    for more in ("plies=1", "plies=2,closely=3,consider=0", "simulations=60,closely=3,finalists=3,consider=0,seed=2"):
        for seed in range(4):
            said = [
                bw.player(f"{kind}:model={file},{more}", SLOTS).choose(SLOTS.begin(seed=seed))
                for kind in ("values", "value")
                for file in (old, new)
            ]
            assert all((one.move, one.visits) == (said[0].move, said[0].visits) for one in said)
            assert all(one.values[one.move] == pytest.approx(said[0].values[one.move]) for one in said)


@pytest.mark.slow  # compiles one more game
def test_another_game_learns_by_the_same_method(tmp_path: Path) -> None:
    """2048 on 3 x 3, seen through `observe`: a few thousand games make several times the points of random play."""
    game = bw.load("2048:size=3")
    learn(tmp_path / "run", game, games=300, rounds=12, first=32, second=16, batch=256, longest=1000)
    network = network_for(game, 8, 8)
    random = play(game, network, random_numbers(network), 300, 1, blind=1, longest=1000).log.results
    assert 150 < random.mean() < 220
    assert read_metrics(tmp_path / "run")[-1]["score"] > 3.0 * random.mean()


def test_the_shipped_value_plays_nmbr9_far_better_than_the_greedy_policy() -> None:
    """200 games by the value alone, the policy choosing which 16 moves it is asked about."""
    game = bw.load("nmbr9")
    network, learned = load_values("", game)
    results = play(game, network, learned, 200, 5, policy=1, consider=16, longest=20).log.results
    assert len(results) == 200
    assert results.mean() - 1.96 * results.std() / 200**0.5 > 78.0
    card = (Path(bw.__file__).parent / "models" / "nmbr9.md").read_text()
    assert "boardwright match nmbr9" in card and "licence" in card.lower()


def test_who_plays_alone_with_a_policy_learns_among_the_moves_that_it_likes() -> None:
    assert is_solitaire(bw.load("nmbr9")) and not is_solitaire(SLOTS) and not is_solitaire(bw.load("tictactoe"))
    for preset in KernelSettings.presets(bw.load("nmbr9")).values():
        settings: Any = preset
        assert KernelSettings(**settings).consider >= 16 and KernelSettings(**settings).way == "greedy"
    assert "consider" not in KernelSettings.presets(SLOTS)["quick"]
    spec = str(timed_spec("value", Path("m"), bw.load("nmbr9"), 0.5))
    assert spec == "value:model=m,seconds=0.5"
    assert str(timed_spec("value", Path("m"), SLOTS, 0.5)) == "mcts:value=m,seconds=0.5"


def test_the_old_name_of_the_method_is_understood_with_a_warning(tmp_path: Path) -> None:
    shown = run_here("train", FIVE_SLOTS, "--method", "values", "--settings")
    assert shown.returncode == 0 and "lambda of TD(lambda)" in shown.stdout and "Method kernel for" in shown.stdout
    assert "--method values is --method kernel now; the old name ends with the next version" in shown.stderr
    refused = run_here("train", FIVE_SLOTS, "--method", "values", "--set", "speed=3")
    assert refused.returncode == 2 and "no setting 'speed'" in refused.stderr
    assert "--method" not in run_here("train", FIVE_SLOTS, "--settings").stderr
    heading = {"boardwright_run": 1, "game": "FiveSlots", "options": {"slots": 5}, "method": "values", "seed": 0}
    (tmp_path / "run.json").write_text(json.dumps({**heading, "settings": {"games": 9}}))
    older = run_here("train", FIVE_SLOTS, "--method", "values", "--out", str(tmp_path))
    assert older.returncode == 2 and "was begun by method values" in older.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_fresh_numbers_say_nothing_of_features_never_seen() -> None:
    network = network_for(SLOTS, 8, 8)
    learned = fresh_numbers(network, 1, 5.0)
    assert not learned[: network.first_biases].any() and learned[-1] == 5.0
    assert np.abs(learned[network.first_biases :]).max() > 0.1
