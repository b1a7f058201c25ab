"""How a game is named in a command that is advised: `load` makes the same game of it."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.games.named import game_argument, game_spec


@pytest.mark.parametrize(
    "name",
    [
        "azul",
        "azul:players=3",
        "gomoku:exactly=true,size=9",
        "tictactoe:line=3,rows=0,size=3",
        "openspiel:tic_tac_toe",
        "openspiel:connect_four(rows=5)",
    ],
)
def test_a_game_is_named_so_that_it_is_made_again(name: str) -> None:
    game = bw.load(name)
    again = bw.load(game_spec(game))
    assert (str(again), again.digest) == (str(game), game.digest) and game_spec(again) == game_spec(game)
    assert game_spec(bw.load("tictactoe:line=3,rows=0,size=3")) == "tictactoe", "usual options are not said"


def test_a_game_of_a_file_is_named_by_its_path_as_a_word_of_a_command(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    shutil.copy(Path(__file__).parents[1] / "docs" / "examples" / "connect_four.py", folder / "four.py")
    word = game_argument(bw.load(str(folder / "four.py"), columns=5))
    (named,) = shlex.split(word)
    assert named == f"{folder / 'four.py'}:ConnectFour:columns=5"
    assert bw.load(named).options["columns"] == 5
