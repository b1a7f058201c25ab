"""The loop as a whole: the killed goes on as if it had not been, the damaged is refused, the learnt plays."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.workers import Here, LocalProcesses
from boardwright.learn.display import View
from boardwright.learn.runs import MODEL, Run
from boardwright.learn.selfplay import loop
from boardwright.learn.selfplay.forward import fresh_weights
from boardwright.learn.selfplay.games import PlayedPortion
from boardwright.learn.selfplay.observation import Observer
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.learn.selfplay.shape import shape_for
from boardwright.learn.selfplay.targets import Targets
from boardwright.learn.selfplay.workers import PortionOrder, SelfplayJob
from tests.marks import slowly
from tests.processes import run_here

PIG, CONNECT_FOUR = "docs/examples/pig.py:Pig", "docs/examples/connect_four.py:ConnectFour"
TINY: dict[str, Any] = {
    "minutes": 0.0, "iterations": 5, "workers": 2, "games": 8, "parallel": 4, "simulations": 6, "fast_simulations": 2,
    "channels": 8, "blocks": 1, "hidden": 16, "batch": 16, "rate_every": 1000.0,
}  # fmt: skip
SEED = 11


def job_for(game: bw.Game, settings: SelfplaySettings) -> SelfplayJob:
    observer, targets = Observer.of(game), Targets.of(game)
    return SelfplayJob.of(
        game,
        settings,
        shape_for(game, observer.shape, settings.channels, settings.blocks, settings.hidden),
        observer,
        targets,
    )


def train_here(folder: Path, name: str = "tictactoe", **changes: Any) -> Run:
    """A whole run in this process, without ratings."""
    game, settings = bw.load(name), SelfplaySettings(**{**TINY, **changes})
    with Run(folder, game, "selfplay", settings, SEED, 0.0, View(quiet=True)) as run:
        patched = loop.Loop(run, settings, Here(job_for(game, settings)))
        patched.rating._off = True
        patched.go()
        patched.finish()
    return run


def weights_of(folder: Path) -> dict[str, bytes]:
    """All arrays of the newest checkpoint."""
    from boardwright.learn.files import read_arrays

    newest = sorted((folder / "checkpoints").glob("*.safetensors"))[-1]
    return {name: array.tobytes() for name, array in read_arrays(newest)[0].items()}


CHILD = """
import sys
from boardwright.learn.selfplay import loop
from boardwright.learn.selfplay.settings import SelfplaySettings
from boardwright.arena.workers import Here
from boardwright.learn.runs import Run
from boardwright.learn.display import View
import boardwright as bw, json

if __name__ == "__main__":
    loop.SAVE_EVERY = 0.0
    if sys.argv[4] == "here":
        loop.LocalProcesses = lambda job, count: Here(job)
    iterate = loop.Loop.iterate
    def told(self):
        print("begin", self.iteration, flush=True)
        iterate(self)
    loop.Loop.iterate = told
    settings = SelfplaySettings(**json.loads(sys.argv[2]))
    with Run(__import__("pathlib").Path(sys.argv[1]), bw.load("tictactoe"), "selfplay", settings, int(sys.argv[3]), 0.0,
             View(quiet=True)) as run:
        made = loop.Loop(run, settings, None)
        made.rating._off = True
        try:
            made.go()
            made.finish()
        finally:
            made.workers.stop()
    print("end", flush=True)
"""


def child(script: Path, folder: Path, workers: str) -> subprocess.Popen[str]:
    arguments = [str(folder), json.dumps({**TINY, "workers": 1}), str(SEED), workers]
    return subprocess.Popen([sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("times", "workers"), slowly((1, "here"), (3, "in processes")))
def test_killed_and_taken_up_again_it_ends_in_the_same_weights(tmp_path: Path, times: int, workers: str) -> None:
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    rng = np.random.default_rng(int.from_bytes(os.urandom(4), "little"))
    killed = 0
    for kill_at in (*sorted(rng.choice(np.arange(1, 5), times, replace=False).tolist()), 99):
        process = child(script, tmp_path / "killed", workers)
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("begin") and int(line.split()[1]) >= kill_at:
                for _ in range(int(rng.integers(0, 20_000))):  # a random moment of the iteration, without a clock
                    pass
                process.send_signal(signal.SIGKILL)
                killed += 1
                break
        process.stdout.close()
        process.wait()
    assert killed == times and process.returncode == 0
    train_here(tmp_path / "straight", workers=1)
    assert weights_of(tmp_path / "killed") == weights_of(tmp_path / "straight")
    told = [json.loads(line) for line in (tmp_path / "killed" / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in told] == [1, 2, 3, 4, 5], "no iteration is told twice or left out"


@pytest.mark.slow
def test_another_seed_ends_elsewhere_and_the_average_plays(tmp_path: Path) -> None:
    run = train_here(tmp_path / "a", iterations=2)
    again = train_here(tmp_path / "b", iterations=2, average=0.5)
    assert weights_of(run.path) != weights_of(again.path)


def test_a_damaged_checkpoint_is_named_and_the_last_good_one_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    train_here(tmp_path / "whole")
    checkpoints = sorted((tmp_path / "whole" / "checkpoints").glob("*"))
    assert len(checkpoints) == 4
    newest = checkpoints[-1].stem

    def damaged(suffix: str, change: Any) -> None:
        folder = tmp_path / f"damaged{suffix}"
        shutil.copytree(tmp_path / "whole", folder)
        path = folder / "checkpoints" / f"{newest}{suffix}"
        path.write_bytes(change(path.read_bytes()))
        run = train_here(folder)
        assert len(run.refused) == 1 and newest in run.refused[0]
        assert weights_of(folder) == weights_of(tmp_path / "whole")

    damaged(".safetensors", lambda data: data[:-100])  # cut
    damaged(".json", lambda data: data.replace(b'"games": 40', b'"games": 41'))  # altered


def test_a_checkpoint_of_another_run_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    train_here(tmp_path / "own", iterations=2)
    train_here(tmp_path / "other", iterations=3, reuse=2.0)
    for path in (tmp_path / "other" / "checkpoints").glob("*000003*"):
        shutil.copy(path, tmp_path / "own" / "checkpoints" / path.name)
    run = train_here(tmp_path / "own", iterations=2)
    assert len(run.refused) == 1 and "another run" in run.refused[0]


def test_ctrl_c_saves_and_the_same_run_goes_on(tmp_path: Path) -> None:
    game, settings = bw.load("tictactoe"), SelfplaySettings(**TINY)

    class Interrupts(Here):
        def collect(self, idle: Any) -> list[PlayedPortion]:
            run.stop()
            return super().collect(idle)

    with Run(tmp_path / "run", game, "selfplay", settings, SEED, 0.0, View(quiet=True)) as run:
        begun = loop.Loop(run, settings, Interrupts(job_for(game, settings)))
        begun.rating._off = True
        begun.go()
        begun.finish()
    assert begun.iteration == 1 and run.interrupted
    train_here(tmp_path / "run")
    train_here(tmp_path / "straight")
    assert weights_of(tmp_path / "run") == weights_of(tmp_path / "straight")


# Workers


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_games_are_the_same(tmp_path: Path) -> None:
    game, settings = bw.load("tictactoe"), SelfplaySettings(**{**TINY, "games": 60})
    job = job_for(game, settings)
    observer = Observer.of(game)
    weights = fresh_weights(shape_for(game, observer.shape, 8, 1, 16), 0)
    orders = [PortionOrder(30, 1), PortionOrder(30, 2), PortionOrder(30, 3)]
    here = Here(job)
    here.start()
    here.hand_out(weights, orders)
    expected = here.collect(lambda: None)
    workers = LocalProcesses(job, 2)
    workers.start()
    try:
        first = workers.pids
        workers.hand_out(weights, orders)
        os.kill(first[0], signal.SIGKILL)
        found = workers.collect(lambda: None)
        assert len(workers.pids) == 2 and first[0] not in workers.pids and first[1] in workers.pids
        workers.hand_out(weights, orders[:1])
        assert workers.collect(lambda: None)[0].results.tobytes() == expected[0].results.tobytes()
    finally:
        workers.stop()
    for one, other in zip(expected, found, strict=True):
        pairs: Any = zip(one.positions, other.positions, strict=True)
        assert all(a.tobytes() == b.tobytes() for a, b in pairs)


def test_rules_that_fail_in_a_worker_are_told_once(tmp_path: Path) -> None:
    text = Path("docs/examples/pig.py").read_text().replace("class Pig", "class Broken")
    path = tmp_path / "broken.py"
    path.write_text(
        text.replace("    def pass_on(self, s):\n", "    def pass_on(self, s):\n        raise ValueError('broken')\n")
    )
    game = bw.load(f"{path}:Broken")
    settings = SelfplaySettings(**TINY)
    shape = shape_for(game, (4,), 8, 1, 16)
    job = SelfplayJob((f"{path}:Broken", game.options), settings, shape.to_dict(), {"turn": [0, 1]}, 0.0)
    workers = LocalProcesses(job, 1)
    workers.start()
    try:
        workers.hand_out(fresh_weights(shape, 0), [PortionOrder(2, 1)])
        with pytest.raises(bw.RuleError, match="broken"):
            workers.collect(lambda: None)
    finally:
        workers.stop()


def test_workers_that_cannot_live_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game, settings = bw.load("tictactoe"), SelfplaySettings(**TINY)
    workers = LocalProcesses(job_for(game, settings), 1)
    workers.start()

    def kill() -> None:
        for pid in workers.pids:
            os.kill(pid, signal.SIGKILL)

    try:
        workers.hand_out(fresh_weights(shape_for(game, (3, 3, 4), 8, 1, 16), 0), [PortionOrder(100_000, 1)])
        with pytest.raises(bw.BoardwrightError, match="enough memory"):
            workers.collect(kill)
    finally:
        workers.stop()


# From a command to a player


def train_by_command(*args: str) -> str:
    done = run_here("train", *args, "--no-pilot")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["tictactoe", *slowly(CONNECT_FOUR, PIG, "azul:players=3")])
def test_any_game_file_trains_and_plays(tmp_path: Path, name: str) -> None:
    changes = (
        "iterations=2,games=8,parallel=8,simulations=4,fast_simulations=2,hidden=16,channels=8,blocks=1,batch=16,"
        "rate_games=2,rate_simulations=4,full_share=1,warm=0,workers=1"
    )
    told = train_by_command(name, "--method", "selfplay", "--out", str(tmp_path / "run"), "--set", changes)
    assert "Model: " in told and "Next: boardwright play" in told and "Curve: " in told
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 2] and "elo" in lines[2], "the last rating has a line of its own"
    assert {"policy_loss", "policy_even", "value_loss", "value_even", "games_a_second"} <= set(lines[1])
    game = bw.load(name)
    position = game.begin(3)
    alone = bw.player(f"net:model={tmp_path / 'run'}", game).choose(position)
    assert alone.move in position.moves and abs(sum(alone.priors.values()) - 1) < 1e-6
    assert alone.move == max(alone.priors, key=lambda move: alone.priors[move])
    assert alone.value is not None and len(alone.value) == game.players
    player = bw.player(f"mcts:net={tmp_path / 'run'},simulations=30,leaves=4", game)
    searched = player.choose(position)
    player.forget()
    assert searched.move in position.moves and searched.move == player.choose(position).move
    assert sum(searched.visits.values()) in (29, 30)
    assert "rated" not in told


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "run"
    train_here(folder, iterations=2)
    return folder / MODEL


def test_players_refuse_what_is_not_their_model(model: Path, tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(model.read_bytes()[:-50])
    altered = tmp_path / "altered.safetensors"
    altered.write_bytes(model.read_bytes()[:-1] + bytes([model.read_bytes()[-1] ^ 1]))
    for path, reason in ((cut, "cut.safetensors"), (altered, "altered"), (tmp_path / "none", "no model")):
        for spec in (f"net:model={path}", f"mcts:net={path}"):
            with pytest.raises(bw.InputError, match=reason):
                bw.player(spec, game)
    with pytest.raises(bw.InputError, match="was made for tictactoe, not for azul"):
        bw.player(f"net:model={model}", bw.load("azul"))
    with pytest.raises(bw.InputError, match="line=3"):
        bw.player(f"net:model={model}", bw.load("tictactoe:size=5,line=4"))


@pytest.mark.parametrize("spec", ["net:model={}", *slowly("mcts:net={},simulations=20")])
def test_a_board_of_another_size_is_played_by_the_same_network(model: Path, spec: str) -> None:
    game = bw.load("tictactoe:size=4")
    assert bw.player(spec.format(model), game).choose(game.begin()).move in range(16)


def test_settings_that_do_nothing_with_a_network_are_refused(model: Path) -> None:
    game = bw.load("tictactoe")
    for setting, reason in (
        ("rollout=uniform", "does nothing"),
        ("select=ucb1", "puct or gumbel"),
        ("leaves=0", "leaves=0"),
    ):
        with pytest.raises(bw.InputError, match=reason):
            bw.player(f"mcts:net={model},{setting}", game)
    with pytest.raises(bw.InputError, match="temperature"):
        bw.player(f"net:model={model},temperature=-1", game)


def test_a_temperature_spreads_the_moves(model: Path) -> None:
    game = bw.load("tictactoe")
    player = bw.player(f"net:model={model},temperature=5,seed=2", game)
    assert len({player.choose(game.begin()).move for _ in range(40)}) > 3


def test_a_game_without_a_shipped_model_says_how_to_get_one() -> None:
    with pytest.raises(bw.InputError, match=r"boardwright train .*pig\.py:Pig"):
        bw.player("net:", bw.load(PIG))


def test_unknown_settings_and_games_too_wide_are_refused(tmp_path: Path) -> None:
    refused = run_here("train", "tictactoe", "--set", "speed=3")
    assert refused.returncode == 2 and "no setting 'speed'" in refused.stderr
    told = run_here("train", "nmbr9", "--method", "selfplay", "--out", str(tmp_path / "run"))
    assert told.returncode == 2 and "--method kernel" in told.stderr and "Traceback" not in told.stderr


@pytest.mark.parametrize("folder", ["a,b=c", *slowly("run")])
def test_ratings_find_the_stronger_and_keep_it(tmp_path: Path, folder: str) -> None:
    game, settings = bw.load("tictactoe"), SelfplaySettings(**{**TINY, "rate_games": 10, "rate_simulations": 8})
    with Run(tmp_path / folder, game, "selfplay", settings, SEED, 0.0, View(quiet=True)) as run:
        made = loop.Loop(run, settings, Here(job_for(game, settings)))
        rating = made.rating
        rating.rate(1, made.trainer.playing())
        assert rating.best == "iteration-000001" and rating.figures()["elo_low"] < rating.figures()["elo"]
        rating.rate(2, made.trainer.playing())
        assert len(rating.sets) == 5 + 5 + 5, "five pairs of games against each opponent"
        state = json.loads(json.dumps(rating.state()))
        again = type(rating)(run, made)
        again.restore(state)
        assert again.figures() == rating.figures() and again.best == rating.best
        kept = again.best_weights()
        assert kept is not None and set(kept) == set(made.trainer.playing())


@pytest.mark.slow
def test_tictactoe_is_learnt_in_a_minute(tmp_path: Path) -> None:
    train_by_command(
        "tictactoe",
        "--method",
        "selfplay",
        "--out",
        str(tmp_path / "run"),
        "--set",
        "iterations=100,minutes=0",
        "--seed",
        "3",
    )
    game = bw.load("tictactoe")
    against_random = bw.match(game, [f"net:model={tmp_path / 'run'}", "random"], games=400, seed=1, opening=0)
    assert against_random.table.pairs[0].losses == 0
    solver = bw.match(game, [f"mcts:net={tmp_path / 'run'},simulations=50", "solver"], games=100, seed=1)
    assert solver.table.pairs[0].losses == 0
