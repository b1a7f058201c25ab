"""The folders of the built-in games: rules that can be held against the rulebook, and cards that tell the truth."""

from __future__ import annotations

import ast
import shlex
from itertools import product
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.bench.cases import cases
from boardwright.contract.guide import guide_of
from boardwright.games.built_in import BUILT_IN, built_in_kinds, speaking
from boardwright.games.in_a_row.guide import drawn_moves
from boardwright.games.load import option_names
from boardwright.registry import at
from tests.processes import run_here

GAMES = Path(bw.__file__).parent / "games"
FOLDERS = sorted(path for path in GAMES.iterdir() if (path / "rules.py").exists())
BENCHMARKS = {
    "strength", "openspiel", "mctx", "threads", "large tree", "growth", "selfplay", "switches", "environment", "page",
    "kernel", "reports", "cluster",
}  # fmt: skip


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_folder_has_rules_of_one_sitting_and_the_rest_beside_them(folder: Path) -> None:
    assert len((folder / "rules.py").read_text(encoding="utf-8").splitlines()) < 250
    for name in ("skill", "sight", "look", "card"):
        assert (folder / f"{name}.py").exists(), name


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.py")), ids=lambda path: str(path.relative_to(GAMES)))
def test_games_know_nothing_of_search_and_learning(path: Path) -> None:
    allowed = ("boardwright.contract", "boardwright.compile", "boardwright.games", "boardwright.registry")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        named += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for module in named:
            ours = module.startswith("boardwright") and module != "boardwright"
            assert not ours or module.startswith(allowed), module


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_card_knows_its_game(name: str) -> None:
    game, kind = bw.load(name), built_in_kinds()[name]
    card = kind.card
    assert card.title and set(card.option_words) == set(option_names(kind))
    accepted = set()
    for values in product(*card.usual.values()):
        chosen = dict(zip(card.usual, values, strict=True))
        try:
            bw.load(name, **chosen)
        except bw.InputError:
            continue  # four in a row on a board of three
        accepted |= set(chosen.items())
    assert accepted == {(option, value) for option, values in card.usual.items() for value in values}
    for strength in card.strengths:
        bw.player(strength.spec, game)
    for place in filter(None, (card.tuples, card.search.own_search)):
        at(place)
    for hint in filter(None, (card.search.playout, card.search.forcing)):
        assert hint in kind.policies
    assert set(card.benchmarks) <= BENCHMARKS


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_card_says_who_is_strongest_how_to_train_and_shows_the_end(name: str) -> None:
    game = bw.load(name)
    card = game.card
    assert card.strongest is not None and card.strongest.words
    bw.player(card.strongest.spec, game)
    program, command, spec, *options = shlex.split(card.how_to_train)
    assert (program, command) == ("boardwright", "train") and bw.load(spec).name == name
    assert run_here(command, spec, *options, "--settings").returncode == 0
    (end,) = [chapter for chapter in guide_of(game) if chapter.heading == "The end"]
    assert end.picture.startswith("<svg") and end.caption


@pytest.mark.parametrize("options", [{}, {"size": 4}, {"size": 5, "rows": 4}, {"size": 6, "rows": 5, "line": 4}])
def test_a_full_board_without_a_row_is_shown_where_there_is_one(options: dict[str, int]) -> None:
    game = bw.load("tictactoe", **options)
    moves, position = drawn_moves(game), game.begin(debug=True)
    for move in moves:
        assert not position.is_over
        position = position.play(move)
    assert position.results == (0.0, 0.0) if moves else options.get("rows") == 5


@pytest.mark.parametrize("benchmark", sorted(BENCHMARKS))
def test_the_cases_of_a_benchmark_are_games(benchmark: str) -> None:
    found = cases(benchmark)
    assert found and all(bw.load(spec) for spec in found)


def test_protocols_find_their_games() -> None:
    assert list(speaking("piskvork")) == ["gomoku"]
    assert list(speaking("sgf")) == ["tictactoe", "gomoku"]
    assert speaking("nothing") == {}
    assert sum(kind.card.front for kind in built_in_kinds().values()) == 1
