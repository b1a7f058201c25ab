"""The gallery's tables: every game has its row, what was measured before stays, and figures are of the right kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import boardwright as bw
from boardwright.arena import Match
from boardwright.arena.intervals import Estimate
from boardwright.bench.examples import EXAMPLES, gallery
from boardwright.bench.gallery import (
    FEWEST_GAMES,
    GalleryRow,
    Rung,
    Speed,
    chosen,
    games_of,
    ladder_heading,
    measure_game,
    play_for,
    shown,
    twin_of,
    write_gallery,
)
from tests.test_gallery import example


def rung(game: str) -> Rung:
    match = Match(bw.load(game), ["random:seed=1", "random:seed=2"], 40, opening=0)
    match.run()
    return Rung("better", "before", match.result())


def measured(file: str, ours: float, theirs: float) -> GalleryRow:
    return GalleryRow(file, "", 2, Speed(ours, theirs, ours / theirs if theirs else 0.0), (rung("tictactoe"),))


def cells(path: Path, file: str) -> list[list[str]]:
    """A game's rows in both tables."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if f"(examples/{file}.py)" in line]
    return [line.strip("| ").split(" | ")[1:] for line in lines]


def test_the_gallery_is_every_file_that_is_a_whole_game() -> None:
    names = [path.stem for path in gallery()]
    assert {"connect_four", "royal_ur", "yacht"} <= set(names)
    assert not {"connect_four_skill", "gym_loop", "analysis_client"} & set(names)
    assert chosen(None) == gallery() and chosen(["pig"]) == [EXAMPLES / "pig.py"]
    with pytest.raises(bw.InputError, match="no game 'chess' in the gallery; there are breakthrough, "):
        chosen(["pig", "chess"])


def test_the_page_of_the_gallery_has_every_game() -> None:
    page = EXAMPLES.parent / "gallery.md"
    assert [len(cells(page, file.stem)) for file in gallery()] == [2] * len(gallery())


def test_every_game_has_its_rows_and_those_of_before_stay(tmp_path: Path) -> None:
    path = tmp_path / "gallery.md"
    write_gallery(path, [measured("othello", 20_512.0, 4_000.0)], 1)
    write_gallery(path, [measured("pig", 1_234_567.0, 0.0)], 1)
    for file in gallery():
        speed, strength = cells(path, file.stem)
        assert len(speed) == 5 and len(strength) == 3, file
    assert cells(path, "othello")[0][:4] == ["2", "20,500", "4,000", "5.13"]
    assert cells(path, "pig")[0][:4] == ["2", "1,230,000", "-", "-"] and cells(path, "hex")[0] == ["2", *["-"] * 4]
    assert cells(path, "othello")[1][0].endswith(")") and cells(path, "othello")[1][1] == "40"
    write_gallery(path, [], 2)  # another ladder: what it has of the old one would stand below wrong headings
    assert cells(path, "othello")[0][1] == "20,500" and set(cells(path, "othello")[1]) == {"-"}


def test_alone_a_ladder_tells_points_and_with_others_a_share() -> None:
    assert " after " in rung("tests/games/fiveslots.py").text and " % (" in rung("tictactoe").text
    assert ladder_heading(3) == ["25 : random", "50 : 25", "100 : 50"]


def test_a_share_that_may_be_anything_is_a_dash() -> None:
    def told(low: float, high: float) -> str:
        return shown(Estimate(0.729, low, high))

    assert told(0.018, 0.997) == told(0.36, 0.97) == "-" and told(0.549, 0.962) == "72.9 % (54.9 to 96.2)"


def test_a_step_ends_with_its_time_and_tells_how_many_games_it_has() -> None:
    def step(games: int, seconds: float) -> Rung:
        match = play_for(bw.load("tictactoe"), ["random:seed=3", "random:seed=4"], games, seconds)
        return Rung("better", "before", match.result())

    short, whole = step(60, 0.0), step(24, float("inf"))
    assert short.result.table.games == FEWEST_GAMES and whole.result.table.games == 24
    assert games_of(GalleryRow("", "", 2, Speed(1.0, 0.0, 0.0), (whole, short))) == f"{FEWEST_GAMES} to 24"
    assert games_of(GalleryRow("", "", 2, Speed(1.0, 0.0, 0.0), (whole,))) == "24"


def test_openspiels_twin_is_one_with_the_same_options() -> None:
    pytest.importorskip("pyspiel")
    twins = {path.stem: twin_of(bw.load(str(path))) for path in gallery()}
    assert twins["othello"] == "othello" and twins["connect_four"] == "connect_four" and twins["ludo"] == ""
    assert twins["oware"] == "oware" and twins["nine_mens_morris"] == "nine_mens_morris"
    assert not any(twins[name] for name in ("chinese_checkers", "pig", "yacht"))  # docs/ecosystem.md says why
    assert twins["dots_and_boxes"] == "dots_and_boxes(num_rows=4,num_cols=4)"
    assert twin_of(example("othello", size=6)) == twin_of(example("connect_four", rows=5)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hex", "pig"])
def test_a_game_is_measured(name: str) -> None:
    told: list[str] = []
    found = measure_game(EXAMPLES / f"{name}.py", told.append, seconds=0.01, rounds=1, games=4, rungs=2)
    assert told == ["speed", "mcts:simulations=25 : random", "mcts:simulations=50 : mcts:simulations=25"]
    assert found.speed.ours > 0 and (found.speed.theirs > 0) == (name == "hex")
    assert [one.result.table.games for one in found.ladder] == [4, 4]
    assert found.to_dict()["ladder"][0]["player"] == "mcts:simulations=25"
