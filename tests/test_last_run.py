"""What was trained last is used without being told: by whom, which run, and why another is not."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import boardwright as bw
from boardwright.arena import Match
from boardwright.cli.session import fill_seats
from boardwright.learn.last_run import ago, last_run
from boardwright.learn.runs import runs_folder
from boardwright.learn.strongest import best_known, best_searcher, trained_player
from boardwright.players import PlayerSpec
from boardwright.playtesting.ladder import learnt_players, make_ladder, with_budget
from boardwright.serve.limits import Limits
from boardwright.serve.seats import Seats
from tests.processes import run_here

SETTINGS = {"way": "greedy", "games": 40, "rounds": 2, "first": 32, "second": 8}  # a network as in test_kernel_learning
SMALL = [*(word for name, value in SETTINGS.items() for word in ("--set", f"{name}={value}")), "--no-pilot"]


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A game file of somebody's own."""
    path = tmp_path / "royal_ur.py"
    path.write_text(Path("docs/examples/royal_ur.py").read_text(encoding="utf-8"), encoding="utf-8")
    return f"{path}:RoyalUr:pieces=2"


def trained(spec: str, *more: str) -> Path:
    """Train for a second where the runs lie; the run's folder."""
    before = set(runs_folder().glob("*"))
    done = run_here("train", spec, "--method", "kernel", *SMALL, *more)
    assert done.returncode == 0, done.stderr
    (folder,) = set(runs_folder().glob("*")) - before
    assert "Used by itself from now on: play, serve, match, analyse and engine" in done.stdout
    return folder


@pytest.mark.slow
def test_who_was_trained_here_climbs_the_ladder_of_a_playtest_and_stays_who_it_was(own: str) -> None:
    game = bw.load(own)
    model = trained(own) / "model.safetensors"
    specs = [one.spec for one in make_ladder(game, 64)]
    assert len(specs) == len(set(specs)) and sum("value=" in one for one in specs) == 2
    learnt = learnt_players(game)
    assert learnt.search is not None
    kept = Path(learnt.search.settings["value"])
    assert kept.read_bytes() == model.read_bytes() and kept != model
    model.write_bytes(b"trained on")  # another player by now: the playtest goes on with the one that it had
    assert kept.read_bytes() != model.read_bytes()
    bw.player(with_budget(learnt.search, 16), game).choose(game.begin())
    assert not [one for one in make_ladder(game, 64, learnt_players(game, trained=False)) if "value" in one.spec]


def test_a_folder_with_a_comma_in_its_name_spoils_no_spec(
    own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDWRIGHT_HOME", str(tmp_path / "mine, simulations=7"))
    game = bw.load(own)
    done = run_here("train", own, "--method", "kernel", *SMALL)
    assert done.returncode == 0, done.stderr
    advised = [shlex.split(line.partition(" match ")[2])[1] for line in done.stdout.splitlines() if " match " in line]
    learnt = learnt_players(game)
    assert len(advised) == 2 and learnt.search is not None
    for spec in (*advised, learnt.at_once, with_budget(learnt.search, 16)):
        bw.player(spec, game).choose(game.begin(1))


@pytest.mark.slow
def test_every_command_takes_what_was_trained_last_and_says_so(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = bw.load(own)
    assert best_known(game, 0.1) == "mcts:seconds=0.1"
    folder = trained(own)
    model = folder / "model.safetensors"
    uses = f"uses runs/{folder.name}, trained"
    spec = f"mcts:value={model},seconds=0.1"
    assert best_known(game, 0.1) == spec

    matched = run_here("match", own, "--games", "2", "--workers", "0", "--json")
    assert matched.returncode == 0 and uses in matched.stderr
    assert json.loads(matched.stdout)["players"][0]["name"] == spec
    named = run_here("match", own, "random", "random", "--games", "2", "--workers", "0", "--json")
    assert named.returncode == 0 and "uses runs/" not in named.stderr

    record = json.loads(matched.stdout)["records"][0]
    judged = run_here("analyse", record, "--game", own, "--json")
    assert judged.returncode == 0 and uses in judged.stderr
    assert json.loads(judged.stdout)["analyst"] == str(PlayerSpec.parse(f"mcts:value={model},simulations=160,seed=0"))
    asked = run_here("analyse", record, "--game", own, "--player", "mcts:simulations=5", "--json")
    assert asked.returncode == 0 and asked.stderr == ""

    capsys.readouterr()
    assert fill_seats(game, []) == ("human", best_known(game, 0.5))
    assert uses in capsys.readouterr().err

    seats = Seats({}, Limits())
    name, seat, words = seats.strengths(game)[-1]
    assert (name, seat) == ("Trained", f"run:{folder.name}") and words.startswith("what you trained ")
    sitting = seats.player(seats.check("Trained", game), game, 1)
    assert sitting.choose(game.begin(1)).move in game.begin(1).moves

    query = json.dumps({"id": 1, "seed": 1, "simulations": 20})
    engine = subprocess.run(
        [sys.executable, "-m", "boardwright", "engine", "json", own],
        input=f"{query}\n", text=True, capture_output=True, timeout=200, check=True,
    )  # fmt: skip
    assert uses in engine.stderr and json.loads(engine.stdout)["simulations"] == 20

    hinted = play_with(["hint", "quit"], own)
    assert uses in hinted and "would play" in hinted


def play_with(typed: list[str], spec: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "boardwright", "play", spec, "--seat", "human", "--seat", "random"],
        input="\n".join(typed), text=True, capture_output=True, timeout=200, check=True,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_last_names_the_newest_run_in_a_spec(own: str) -> None:
    game = bw.load(own)
    with pytest.raises(bw.InputError, match=r"no run in .* has a model for mcts:value= of .*; train one: boardwright"):
        bw.player("mcts:value=last", game)
    first = trained(own)
    second = trained(own, "--seed", "1")
    run, against = last_run(game)
    assert run is not None and run.path == second and against == []
    for spec in ("mcts:value=last,simulations=10", "value:model=last"):
        player = bw.player(spec, game)
        assert player.spec == spec.replace("last", str(second / "model.safetensors"))
        assert player.choose(game.begin(1)).move in game.begin(1).moves
    # A match knows players by what is in their files: the name `last` would be another player tomorrow.
    assert Match(game, ["value:model=last", "random"], 2).specs[0] == f"value:model={second / 'model.safetensors'}"
    seats, spec = Seats({}, Limits()), f"mcts:simulations=10,value={first}"
    sitting = seats.player(spec, game, 1)
    assert seats.player(spec, game, 2) is sitting, "a model is read once"
    os.utime(first / "model.safetensors")
    assert seats.player(spec, game, 1) is not sitting, "written anew, it is another player"
    again, _ = last_run(game)
    assert again is not None and again.path == first
    with pytest.raises(bw.InputError, match="has a model for net:model="):
        bw.player("net:model=last", game)


def changed_rules(spec: str) -> bw.Game:
    """The game after its owner changed a rule of it."""
    path = Path(spec.partition(":")[0])
    path.write_text(path.read_text().replace("ROSETTES = (4, 8, 14)", "ROSETTES = (4, 7, 14)"))
    return bw.load(spec)


def test_a_run_of_other_options_or_rules_is_not_used(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = trained(own)
    other = bw.load(own.replace("pieces=2", "pieces=1"))
    assert last_run(other) == (None, [])
    changed = changed_rules(own)
    heard: list[str] = []
    assert trained_player(changed, 0.1, heard.append) is None
    assert len(heard) == 1
    assert heard[0].startswith(f"runs/{folder.name} is not used: it learnt other rules than the game has now; train")
    capsys.readouterr()
    assert fill_seats(changed, []) == ("human", "mcts:seconds=0.5")
    assert heard[0] in capsys.readouterr().err
    taken_up = run_here("train", own, "--method", "kernel", *SMALL, "--out", str(folder))
    assert taken_up.returncode == 2 and "learnt RoyalUr by other rules than it has now" in taken_up.stderr


@pytest.mark.slow  # compiles all of it for one more game
def test_a_game_of_changed_rules_is_trained_anew(own: str) -> None:
    folder = trained(own)
    changed = changed_rules(own)
    matched = run_here("match", own, "--games", "2", "--workers", "0")
    assert matched.returncode == 0 and f"runs/{folder.name} is not used" in matched.stderr
    assert "mcts:seconds=0.1, the strongest" in matched.stderr
    assert trained(own) != folder
    assert best_known(changed, 0.1).startswith("mcts:value=")


def test_a_damaged_model_is_told_and_the_run_before_it_used(own: str) -> None:
    game = bw.load(own)
    first, second = trained(own), trained(own, "--seed", "1")
    model = second / "model.safetensors"
    model.write_bytes(model.read_bytes()[:100])
    run, against = last_run(game)
    assert run is not None and run.path == first
    assert len(against) == 1 and f"runs/{second.name} is not used: its model.safetensors cannot be read" in against[0]
    (first / "run.json").write_text("{")
    assert last_run(game)[0] is None
    assert best_searcher(game, 10, "mcts:simulations=10") == "mcts:simulations=10"


def test_a_run_elsewhere_is_used_where_it_is_named(own: str, tmp_path: Path) -> None:
    done = run_here("train", own, "--method", "kernel", *SMALL, "--out", str(tmp_path / "mine"))
    assert done.returncode == 0 and "Used where its folder is named" in done.stdout
    game = bw.load(own)
    assert last_run(game) == (None, [])
    found, _ = last_run(game, more=(tmp_path / "mine",))
    assert found is not None and found.path == tmp_path / "mine"


def test_a_game_with_a_model_of_ours_keeps_it() -> None:
    small = ["--method", "tuples", "--set", "patterns=all-3x3", "--set", "games=40", "--set", "test_games=4"]
    done = run_here("train", "tictactoe", *small, "--no-pilot")
    assert done.returncode == 0 and "tictactoe comes with a model" in done.stdout
    game = bw.load("tictactoe")
    assert best_known(game, 0.5) == "mcts:net=auto,seconds=0.5"
    player = bw.player("tuples:table=last", game)
    assert player.choose(game.begin()).move in range(9)
    larger = bw.load("tictactoe:size=4")
    assert best_known(larger, 0.5) == "mcts:seconds=0.5"


def test_ages_are_told_as_people_do(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0  # and no second later when it is asked
    monkeypatch.setattr("boardwright.learn.last_run.time", SimpleNamespace(time=lambda: now))
    assert [ago(now - seconds) for seconds in (0, 59, 12 * 60 + 10, 3 * 3600 + 61, 5 * 86400)] == [
        "0 s ago", "59 s ago", "12 min ago", "3 h 1 min ago", "5 days ago",
    ]  # fmt: skip
