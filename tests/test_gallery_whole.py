"""Every game of the gallery through all that is generic: check, search, training, page, adapters, publishing.

`make test` takes the game that is compiled soonest through all of it, as people have it, and asks the interpreted twins
of the others; `make test-all` compiles each game.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import boardwright as bw
from boardwright.adapters import openspiel_out
from boardwright.adapters.gym import GameEnv
from boardwright.bench.examples import EXAMPLES, gallery
from boardwright.check.conformance import play_interpreted
from boardwright.check.texts import check_texts as check_position
from boardwright.contract.random import Random
from boardwright.learn.kernel import sight
from boardwright.learn.kernel.learner import Learner
from boardwright.learn.kernel.network import network_for
from boardwright.learn.kernel.train import train
from boardwright.learn.runs import Run
from boardwright.publish.site import publish
from boardwright.publish.texts import texts_source
from boardwright.search.search import Search
from boardwright.search.settings import SearchSettings
from boardwright.search.tree import Tree
from boardwright.serve.view import see
from tests.marks import slowly
from tests.serving import served
from tests.test_adapters_gym import play_episode
from tests.test_adapters_openspiel_out import random_state
from tests.test_kernel_learning import SHORT

GAMES = [path.stem for path in gallery()]
QUICKEST = "pig"
# Boards on which a game is soon over; a game that is not here is played as it is.
SMALL: dict[str, dict[str, Any]] = {
    "breakthrough": {"columns": 4, "rows": 4},
    "dots_and_boxes": {"rows": 2, "columns": 2},
    "hex": {"size": 4},
    "ludo": {"tokens": 1},
    "othello": {"size": 4},
    "royal_ur": {"pieces": 2},
}


def options_of(name: str) -> str:
    return ",".join(f"{option}={value}" for option, value in SMALL.get(name, {}).items())


def spec_of(name: str) -> str:
    return f"{EXAMPLES / name}.py" + (f":{options_of(name)}" if name in SMALL else "")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_searched_and_shown_by_its_plain_python(name: str) -> None:
    game = bw.load(spec_of(name))
    position = game.begin(debug=True)
    search = Search(game, SearchSettings(simulations=6, depth=20, seed=1), interpreted=True)
    search.grow(position)
    assert isinstance(search.tree, Tree)
    move = int(search.tree.slots["move"][search.best_child()])
    assert move in position.moves
    position = position.play(move).settle(Random(1))
    check_position(game, position, "after a move")
    view = see(position)
    assert view["svg"].startswith("<svg") and "monospace" not in view["svg"] and len(view["moves"]) > 0
    assert "class TheGame" in texts_source(game)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_examined_and_learnt_by_its_plain_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of check's, every question asked at every ply; and a round of learning, of games cut short."""
    monkeypatch.setattr(sight, "SAMPLED_GAMES", 2)
    rules = type(bw.load(f"{EXAMPLES / name}.py"))
    game = type("Plain", (rules,), {"__doc__": rules.__doc__, "compiles": False})(**SMALL.get(name, {}))
    play_interpreted(game, 1, 20_000, lambda: None)
    settings = replace(SHORT, games=1, longest=2)
    learner = Learner.fresh(game, network_for(game, settings.first, settings.second), settings, "greedy", seed=1)
    before = learner.fitter.learned.copy()
    figures = learner.step(threads=1)
    assert figures is not None and np.isfinite(figures["error"])
    assert np.count_nonzero(learner.fitter.learned != before) > 0


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_others(name: str) -> None:
    """By an agent of Gymnasium's, and by OpenSpiel; as it is, since most of these rules are compiled elsewhere too."""
    path = f"{EXAMPLES / name}.py"
    total, steps, _ = play_episode(GameEnv(bw.load(path), "random"), 1, np.random.default_rng(1))
    assert steps > 0 and np.isfinite(total)
    (known,) = openspiel_out.register(path)
    state = random_state(pyspiel.load_game(known), np.random.default_rng(1))
    assert state.is_terminal() and np.isfinite(state.returns()).all()


@pytest.mark.parametrize("name", [QUICKEST, *slowly(*(name for name in GAMES if name != QUICKEST))])
def test_a_game_goes_through_everything_compiled(name: str, tmp_path: Path) -> None:
    spec = spec_of(name)
    game = bw.load(spec)
    bw.check_game(game, games=100)
    begin = game.begin(seed=1)
    assert bw.player("mcts:simulations=50,seed=1", game).choose(begin).move in begin.moves

    with Run(tmp_path / "run", game, "kernel", replace(SHORT, games=20, rounds=2), seed=1, pilot=False) as run:
        model = train(run).model
    assert bw.player(f"value:model={model}", game).choose(begin).move in begin.moves

    with served(tmp_path / "home", files=(str(EXAMPLES / f"{name}.py"),)) as server:
        table = server.begin(game.name, **game.options)
        moved = server.play(table, table["view"]["moves"][0])
        assert moved["ply"] > table["ply"] and moved["view"]["svg"].startswith("<svg")

    (known,) = openspiel_out.register(f"{EXAMPLES / name}.py")
    other = pyspiel.load_game(f"{known}({options_of(name)})")
    pyspiel.random_sim_test(other, num_sims=1, serialize=True, verbose=False)

    publish([spec], tmp_path / "site")
    own = tmp_path / "site" / "games" / game.name
    assert (own / "game.wasm").read_bytes()[:4] == b"\0asm"
    assert json.loads((own / "game.json").read_text())["digest"] == game.digest
