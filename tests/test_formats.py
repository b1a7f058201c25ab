"""Files that earlier versions wrote, each with the code of its time (tests/formats/README.md), are read today; and what
a later version wrote is refused with the sentence that says so."""

from __future__ import annotations

import json
import shutil
import warnings
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.levels import Levels
from boardwright.contract.errors import BoardwrightWarning
from boardwright.learn.files import read_arrays, save_arrays
from boardwright.learn.kernel.model import load_value
from boardwright.learn.models import KEY
from boardwright.learn.runs import Run, read_heading
from boardwright.learn.selfplay.player import open_network
from boardwright.players.tuned import read_tuned
from boardwright.records.sgf import from_sgf
from tests.formats.make import DICE, ID, MOVES, STARTED, Settings, arrays
from tests.processes import run_here

HERE = Path(__file__).parent / "formats"
VERSIONS = sorted(folder.name for folder in HERE.iterdir() if folder.is_dir() and folder.name[0].isdigit())
FROM_0_2 = [version for version in VERSIONS if version != "0.1"]


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of what a version wrote: opening a library or a run may write into it."""
    return Path(shutil.copytree(HERE / request.param, tmp_path / request.param))


def test_positions(old: Path) -> None:
    game = bw.load("tictactoe")
    assert game.from_json((old / "position.json").read_text()) == game.begin().play("b2")


def test_records_lines_and_libraries(old: Path) -> None:
    record = bw.Record.from_json((old / "record.json").read_text())
    assert (record.id, record.started, record.plies) == (ID, STARTED, MOVES)
    assert record.sealed == (old.name != "0.1")
    assert record.replay().results == (0.0, 0.0) == record.results
    assert bw.Record.from_json(record.to_json()) == record  # and goes out as what it is
    assert bw.Library(old / "records.sqlite3").get(ID[:6]) == record
    assert from_sgf((old / "record.sgf").read_text(encoding="utf-8")).plies == MOVES


def warned_of(old: Path) -> AbstractContextManager[object]:
    """Models of 0.1 have no digest of their heading, and whoever loads one is told so."""
    told = r"net\.safetensors is a model of format 1 .* go on with its training"
    return pytest.warns(BoardwrightWarning, match=told) if old.name == "0.1" else nullcontext()


def test_networks(old: Path) -> None:
    game = bw.load("tictactoe")
    with warned_of(old):
        network = open_network(str(old / "net.safetensors"), game)
    assert network.model.about == {"games": 12} and network.model.sealed == (old.name != "0.1")
    numbered = json.loads(read_arrays(old / "net.safetensors")[1][KEY])["format"]
    assert numbered == (2 if old.name == "0.2.0" else 1)
    policy, value = network.judge(game.begin())
    assert policy.shape == (9,) and policy.sum() == pytest.approx(1.0) and np.abs(value).max() <= 1.0


def test_runs_go_on(old: Path) -> None:
    game = bw.load("tictactoe")
    heading = read_heading(old / "run")
    assert (heading["game"], heading["method"], heading["seed"]) == ("tictactoe", "some", 7)
    if heading["rules"]:  # digests of rules depend on the version of Python, which is not what is asked here
        whole = json.loads((old / "run" / "run.json").read_text())
        (old / "run" / "run.json").write_text(json.dumps({**whole, "rules": game.digest}))
    with Run(old / "run", game, "some", Settings(), 7) as run:
        found = run.resume()
        assert found is not None and not run.refused
        assert (found.step, found.state) == (1, {"games": 12})
        assert {name: array.tolist() for name, array in found.arrays.items()} == {
            name: array.tolist() for name, array in arrays().items()
        }


@pytest.mark.parametrize("version", FROM_0_2)
def test_learnt_values_tuned_settings_and_levels(version: str) -> None:
    old = HERE / version
    network, learned = load_value(str(old / "value.safetensors"), bw.load(DICE))
    assert learned.shape == (network.size,) and learned[0] == -1.0
    assert read_tuned(old / "tuned.json")["player"] == "mcts:simulations=4"
    levels = Levels.from_json((old / "levels.json").read_text())
    assert levels.game == "tictactoe" and levels.levels


def test_a_run_whose_model_has_no_digest_of_its_heading_says_so(old: Path) -> None:
    shutil.copy(old / "net.safetensors", old / "run" / "model.safetensors")
    done = run_here("doctor", str(old / "run"))
    assert done.returncode == 0 and ("nothing tells whether it was altered" in done.stdout) == (old.name == "0.1")


def test_a_command_tells_of_such_a_model_in_one_line(tmp_path: Path) -> None:
    shutil.copy(HERE / "0.1" / "net.safetensors", tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = run_here(
            "match",
            "tictactoe",
            f"net:model={tmp_path / 'net.safetensors'}",
            "random",
            "--games",
            "2",
            "--workers",
            "0",
        )
    assert done.returncode == 0
    (line,) = [one for one in done.stderr.splitlines() if "no digest" in one]
    assert (
        line.startswith("boardwright: net.safetensors is a model of format 1 whose heading has no digest")
        and "\x1b" not in line
    )


def later(text: str, key: str, number: int = 99) -> str:
    """The same JSON as a later version would number it."""
    data: dict[str, Any] = json.loads(text)
    assert key in data
    return json.dumps({**data, key: number})


def test_what_a_later_version_wrote_is_refused_as_that(tmp_path: Path) -> None:
    old, game = HERE / VERSIONS[-1], bw.load("tictactoe")
    with pytest.raises(bw.InputError, match="format 99 is newer than this Boardwright reads"):
        bw.Record.from_json(later((old / "record.json").read_text(), "boardwright_record"))
    with pytest.raises(bw.InputError, match="format 99 is newer than this Boardwright reads"):
        game.from_json(later((old / "position.json").read_text(), "boardwright"))
    (tmp_path / "tuned.json").write_text(later((old / "tuned.json").read_text(), "boardwright_tuned"))
    with pytest.raises(bw.InputError, match="is of format 99, this Boardwright reads 1"):
        read_tuned(tmp_path / "tuned.json")
    arrays, metadata = read_arrays(old / "net.safetensors")
    save_arrays(tmp_path / "net.safetensors", arrays, {**metadata, KEY: later(metadata[KEY], "format")})
    with pytest.raises(bw.InputError, match="is a model of format 99; this Boardwright reads 2"):
        open_network(str(tmp_path / "net.safetensors"), game)
    shutil.copytree(old / "run", tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text(later((old / "run" / "run.json").read_text(), "boardwright_run"))
    with pytest.raises(bw.InputError, match="is of format 99, this Boardwright reads 1"):
        read_heading(tmp_path / "run")
