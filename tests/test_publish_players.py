"""Players that have learnt something, and searches in several workers, on a published page: in Chromium they choose
what they choose natively."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext

import boardwright as bw
from boardwright.contract.errors import InputError
from boardwright.contract.game import Game
from boardwright.learn.kernel.model import save_value
from boardwright.learn.kernel.network import network_for
from boardwright.learn.models import save_model
from boardwright.learn.tuples.tables import tables_for
from boardwright.players.mcts import SearchPlayer
from boardwright.publish.modules import Modules
from boardwright.publish.numbers import numbers_file
from boardwright.publish.program import compile_program, memory_plan
from boardwright.publish.site import OWN, publish
from boardwright.publish.strengths import NotHereError, playable, settings_of
from boardwright.serve.limits import Limits
from boardwright.serve.seats import Seats
from tests.test_page import browser
from tests.test_publish import EXAMPLE_GAMES, ROOT, both_ways, played
from tests.test_publish_page import begin, context, hosted
from tests.test_values import FIVE_SLOTS, random_numbers

__all__ = ["browser", "context"]  # fixtures

Place = tuple[Path, str]  # a folder, and the address under which it is shown


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with hosted(tmp_path) as address:
        yield tmp_path, f"{address}/"


def choose_alike(
    browser: Browser,
    place: Place,
    spec: str,
    players: list[str],
    plies: int,
    endless: tuple[str, ...] = (),
    *,
    rules: bool = True,
) -> None:
    """Players choose the same in the browser and natively, all along a game; `endless` ones, which would think for
    minutes, stop when they are told to. `rules`: whether they need the module of the rules."""
    (folder, address), game = place, bw.load(spec)
    line = played(game, plies)
    for script in (*OWN.glob("*.js"), ROOT / "tests" / "js" / "published_players.mjs"):
        shutil.copyfile(script, folder / script.name)
    modules = Modules(game, spec)
    asked: dict[str, Any] = {"game": None}
    for name, specs in (("players", players), ("endless", endless)):
        asked[name] = [settings_of(game, player, modules) for player in specs]
    if rules:
        program = compile_program(game, spec)
        (folder / "game.wasm").write_bytes(program.code)
        asked["game"] = {
            "way": "search", "file": "game.wasm", "plan": memory_plan(game), "sentences": program.sentences,
        }  # fmt: skip
    modules.write(folder)
    asked["modules"] = modules.told()
    asked["positions"] = [
        {"state": position.key.hex(), "step": position.step, "player": position.player} for position in line
    ]
    (folder / "asked.json").write_text(json.dumps(asked))
    (folder / "index.html").write_text("<!doctype html><title>players</title>")
    page = browser.new_page()
    page.goto(address)
    found = page.evaluate("() => import('./published_players.mjs').then((made) => made.answer())")
    page.close()
    assert found["ended"] == [True] * len(endless)
    for player, theirs in zip(players, found["told"], strict=True):
        assert theirs == natively(game, player, line), player


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tictactoe", "gomoku", "2048", "nmbr9", "azul", *EXAMPLE_GAMES])
def test_chromium_searches_as_the_native_kernels_do(browser: Browser, place: Place, spec: str) -> None:
    folder, address = place

    def ask(script: str, folder: Path, asked: Any) -> Any:
        for file in (*OWN.glob("*.js"), ROOT / "tests" / "js" / script):
            shutil.copyfile(file, folder / file.name)
        (folder / "index.html").write_text("<!doctype html><title>searches</title>")
        page = browser.new_page()
        page.goto(address)
        told = page.evaluate(
            """async ([script, asked]) => {
                const { searched } = await import(`./${script}`);
                return searched(".", await (await fetch("game.wasm")).arrayBuffer(), asked);
            }""",
            [script, asked],
        )
        page.close()
        return told

    both_ways(spec, folder, plies=12, ask=ask)


def natively(game: Game, spec: str, line: list[Any]) -> list[dict[str, Any]]:
    player, found = bw.player(spec, game), []
    for position in line:
        if position.player >= 0:
            choice = player.choose(position)
            told: dict[str, Any] = {"move": choice.move}
            if isinstance(player, SearchPlayer):
                told["visits"] = {str(move): count for move, count in choice.visits.items() if count}
                told["simulations"] = choice.simulations
            found.append(told)
    return found


def noise_table(game: Game, path: Path, patterns: str) -> Path:
    """A table of noise: no choice depends on its being good."""
    noise = np.random.default_rng(1).normal(100.0, 50.0, tables_for(game, patterns).size).astype(np.float32)
    return save_model(path / "table.safetensors", "tuples", game, {"patterns": patterns}, {"learned": noise}, {})


def noise_value(game: Game, path: Path, first: int, *, has_policy: bool = False) -> Path:
    network = network_for(game, first, 8, has_policy=has_policy)
    return save_value(path / "value.safetensors", game, network, random_numbers(network), {}, {})


@pytest.mark.slow
def test_values_choose_as_natively(browser: Browser, place: Place) -> None:
    value = noise_value(bw.load(FIVE_SLOTS), place[0], 8)
    ways = ("plies=1", "plies=2,closely=3,consider=0", "simulations=60,closely=3,finalists=3,consider=0,seed=2")
    endless = (f"values:model={value},seconds=600,closely=3,consider=0",)
    choose_alike(browser, place, FIVE_SLOTS, [f"values:model={value},{way}" for way in ways], 9, endless)


@pytest.mark.slow
def test_tuples_choose_as_natively(browser: Browser, place: Place) -> None:
    spec = "2048:size=3"
    table = noise_table(bw.load(spec), place[0], "all-2x2")
    choose_alike(browser, place, spec, [f"tuples:table={table},plies={plies}" for plies in (1, 2)], 20, rules=False)


def test_trees_in_several_workers_are_those_of_threads(browser: Browser, place: Place) -> None:
    specs = [f"mcts:simulations=301,threads=3,select={select},seed=2" for select in ("ucb1", "gumbel")]
    endless = tuple(f"mcts:seconds=600,threads={threads},proofs=false" for threads in (1, 3))
    choose_alike(browser, place, "tictactoe", specs, 7, endless)


@pytest.mark.slow
def test_every_learnt_player_chooses_as_natively(browser: Browser, place: Place) -> None:
    spec = "2048:size=2"
    game = bw.load(spec)
    table, value = noise_table(game, place[0], "all-2x2"), noise_value(game, place[0], 32)
    players = [
        f"tuples:table={table},plies=3", f"value:model={value}", f"value:model={value},plies=2",
        f"values:model={value},simulations=60,seed=2", f"mcts:value={value},simulations=80,seed=1",
        f"mcts:value={value},simulations=80,threads=2,seed=1",
    ]  # fmt: skip
    choose_alike(browser, place, spec, players, plies=12)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "plies"), [("tictactoe", 8), ("azul", 16)])  # moves by number, by what they do
def test_a_policy_learnt_inside_the_kernel_guides_the_tree_as_natively(
    spec: str, plies: int, browser: Browser, place: Place
) -> None:
    value = noise_value(bw.load(spec), place[0], 32, has_policy=True)
    players = [f"mcts:value={value},simulations=80,seed=1", f"value:model={value},plies=2"]
    choose_alike(browser, place, spec, players, plies=plies)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "players"),
    [
        ("2048", ["tuples:plies=1", "tuples:plies=2", "tuples:plies=3", "mcts:table=auto,simulations=60"]),
        ("nmbr9", ["values:plies=1", "values:plies=2", "values:simulations=40"]),
        ("azul", ["mcts:value=auto,simulations=60"]),
    ],
)
def test_what_comes_along_chooses_as_natively(
    spec: str, players: list[str], browser: Browser, place: Place
) -> None:  # fmt: skip
    choose_alike(browser, place, spec, players, plies=16)


def test_numbers_are_packed_without_loss() -> None:
    halves = numbers_file(np.array([0, 1.5, 0, -(2.0**-24), 0, 0, 65504, 0.1], np.float32))
    assert (halves.packed, halves.precision, len(halves.data)) == (True, "float16", 1 + 3 * 2)
    assert halves.last == np.float32(0.1)
    whole = numbers_file(np.array([0.1, 1, 2, 3], np.float32))
    assert (whole.packed, whole.precision, len(whole.data)) == (False, "float32", 12)


def test_what_a_browser_cannot_play_is_told_by_name() -> None:
    game = bw.load("tictactoe")
    seats = Seats({"Wide": "mcts:threads=9", "Random": "mcts:simulations=5"}, Limits())
    found, left = playable(game, seats, Modules(game, "tictactoe"))
    assert {one.strength.name: one.why for one in left} == {
        "Best": "it plays by a network of JAX, which no browser has",
        "Wide": "it grows 9 trees side by side, a page at most 8",
    }
    named = {one.strength.name: one for one in found}
    assert named["Random"].strength.spec == "random"  # a spec of the author's may name a folder
    assert named["Random"].how["simulations"] == 5
    with pytest.raises(NotHereError, match="a browser cannot play it"):
        settings_of(game, "expectimax:depth=2", Modules(game, "tictactoe"))


def test_a_named_player_that_fits_no_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--player Mine=value:model=nowhere: .*nowhere"):
        publish(["tictactoe"], tmp_path / "site", players={"Mine": "value:model=nowhere"})
    with pytest.raises(InputError, match="--player Human=random: somebody else has this name"):
        publish(["tictactoe"], tmp_path / "site", players={"Human": "random"})
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_site_s_learnt_players_and_trees_play_whole_games(context: BrowserContext, place: Place) -> None:
    """Through the page: modules, numbers and workers are found from where it looks for them, under its policy."""
    folder, address = place
    game, said = bw.load(FIVE_SLOTS), list[str]()
    value = noise_value(game, folder, 8)
    players = {"Learnt": f"values:model={value},plies=2,closely=3,consider=0", "Trees": "mcts:simulations=40,threads=2"}
    sizes = publish([FIVE_SLOTS], folder / "site", said.append, players)
    assert sizes[f"{game.name}, learnt"].bytes > 10_000
    assert not [text for text in said if any(f": {name} (" in text for name in players)]  # none is left out
    assert str(folder) not in (folder / "site" / "games.json").read_text()
    for name in players:
        page = context.new_page()
        begin(page, f"{address}site/", f"{game.name} Roll", name)  # its card, not what closes a game
        page.wait_for_selector(".status.over")
