"""Luck and skill: that the parts add up to the result, that luck is fair, and that labels mean what they say."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.arena.analyse import Analysis, Valuer, analyse, analyse_position, label
from boardwright.cli.main import app
from boardwright.contract.position import blank
from boardwright.records import Library, Record
from tests.marks import slowly

LUDO = str(Path(__file__).parents[1] / "docs" / "examples" / "ludo.py") + ":players=4"


def played(name: str, spec: str, seed: int, most_moves: int = 10**6) -> bw.Position:
    """A game from its blank start."""
    game = bw.load(name)
    players = [bw.player(f"{spec}:seed={seed + seat}", game) for seat in range(game.players)]
    rng = bw.Random(seed)
    position = blank(game).settle(rng)
    for _ in range(most_moves):
        if position.is_over:
            break
        position = position.play(players[position.player].choose(position).move).settle(rng)
    return position


def judged(position: bw.Position, spec: str, samples: int = 3) -> Analysis:
    return analyse(position, bw.player(spec, position.game), samples=samples)


@pytest.mark.parametrize(
    ("name", "player", "judge"),
    [
        ("nmbr9", "greedy", "mcts:simulations=12"),
        ("azul", "greedy", "mcts:simulations=30"),
        (LUDO, "greedy", "mcts:simulations=12"),
        ("tictactoe", "random", "mcts:simulations=60"),
        *slowly(("2048:size=3", "random", "mcts:simulations=12"), ("azul:players=3", "greedy", "mcts:simulations=12")),
    ],
)
def test_the_parts_add_up_to_the_result(name: str, player: str, judge: str) -> None:
    final = played(name, player, seed=3)
    analysis = judged(final, judge)
    assert final.results is not None and analysis.is_over
    for seat, account in enumerate(analysis.accounts):
        assert account.result == final.results[seat]
        total = account.start + account.luck - account.losses + account.others + account.mind
        assert total == pytest.approx(account.result, abs=1e-9 * max(1.0, abs(account.result)))
        # The account is that of the events, and the events are the game from its first ply to its last.
        assert account.losses == pytest.approx(sum(e.loss for e in analysis.events if e.player == seat))
        assert account.luck == pytest.approx(
            sum(e.after[seat] - e.before[seat] for e in analysis.events if e.kind == "draw")
        )
    for event, following in zip(analysis.events, analysis.events[1:], strict=False):
        assert event.after == following.before and event.ply < following.ply
    assert all(event.loss >= 0.0 for event in analysis.events)
    assert sum(event.kind == "move" for event in analysis.events) == sum(p.player >= 0 for p in list(final.line())[:-1])


def test_between_two_opponents_one_players_luck_is_the_others_misfortune() -> None:
    one, other = judged(played("azul", "greedy", seed=5), "mcts:simulations=16").accounts
    assert one.luck == pytest.approx(-other.luck, abs=1e-9)
    assert (one.losses, one.others) == pytest.approx((other.others, other.losses))
    assert one.mind == pytest.approx(-other.mind, abs=1e-9)


def test_the_luck_of_all_outcomes_weighs_nothing() -> None:
    """Before each draw the mean luck, weighted by how likely each outcome is, is 0: luck is fair."""
    final = played("nmbr9", "greedy", seed=2, most_moves=3)
    while not final.is_chance:
        assert final.previous is not None
        final = final.previous
    valuer = Valuer(bw.player("mcts:simulations=12", final.game))
    expected = valuer.value(final)[0]
    luck = [(valuer.value(final.draw(outcome))[0] - expected) * chance for outcome, chance in final.chances]
    assert len(luck) > 5 and max(map(abs, luck)) > 0
    assert sum(luck) == pytest.approx(0.0, abs=1e-9)


def test_a_run_of_draws_is_valued_by_ends_of_it() -> None:
    start = blank(bw.load("azul"))
    assert start.is_chance
    valuer = Valuer(bw.player("mcts:simulations=12", start.game), samples=4)
    value = valuer.value(start)
    assert value[0] == pytest.approx(-value[1]) and valuer.value(start) == value
    ends = [known for key, known in valuer._known.items() if key != start.key]
    assert len(ends) == 4 and value[0] == pytest.approx(fmean(one[0] for one in ends))


def test_a_blunder_is_called_one_and_the_winning_move_named() -> None:
    # X on a3 b3, O on a1 b1: X wins with c3; any other move lets O win with c1.
    game = bw.load("tictactoe")
    final = game.begin(0)
    for move in "a3 a1 b3 b1 c2 c1".split():
        final = final.play(move)
    assert final.is_over
    analysis = judged(final, "mcts:simulations=400")
    blunder = analysis.events[4]
    assert (blunder.text, blunder.best, blunder.label) == ("c2", "c3", "blunder")
    assert blunder.loss == pytest.approx(2.0, abs=0.1) and blunder.line == ("c3",)
    assert analysis.events[5].label == "best" and analysis.events[5].loss == 0.0


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        (0.0, "excellent"),
        (0.04, "excellent"),
        (0.05, "good"),
        (0.1, "good"),
        (0.15, "inaccuracy"),
        (0.3, "mistake"),
        (0.5, "blunder"),
    ],
)
def test_labels_go_by_win_probability(loss: float, name: str) -> None:
    assert label(bw.load("tictactoe"), loss, 0.0) == name


def test_labels_of_points_go_by_what_the_game_was_expected_to_bring() -> None:
    game = bw.load("nmbr9")
    found = [label(game, loss, 80.0) for loss in (0.4, 0.9, 1.9, 3.9, 4.1)]
    assert found == ["excellent", "good", "inaccuracy", "mistake", "blunder"]


def test_a_position_is_analysed_move_by_move_and_a_draw_outcome_by_outcome() -> None:
    game = bw.load("tictactoe")
    position = game.begin(0).play("a3").play("a1").play("b3").play("b1")
    value, moves = analyse_position(position, bw.player("mcts:simulations=500", game))
    assert moves[0].text == "c3" and moves[0].label == "best" and value[0] == pytest.approx(1.0, abs=0.05)
    assert {one.text for one in moves} == {position.text(move) for move in position.moves}
    dice = blank(bw.load("nmbr9"))
    value, outcomes = analyse_position(dice, bw.player("mcts:simulations=12", dice.game))
    assert len(outcomes) == len(dice.chances)
    assert sum((one.value or 0.0) * (one.prior or 0.0) for one in outcomes) == pytest.approx(value[0])
    with pytest.raises(bw.InputError, match="the game is over"):
        analyse_position(played("tictactoe", "random", 1), bw.player("mcts:simulations=9", game))


def test_a_player_without_values_cannot_judge() -> None:
    with pytest.raises(bw.InputError, match="does not value positions"):
        judged(played("tictactoe", "random", 1), "greedy")


def test_the_command_takes_a_record_a_file_and_a_position(tmp_path: Path) -> None:
    final = played("tictactoe", "random", 4)
    record = Record.of(final, seed=4, players=["ann", "ben"])
    Library().save(record)
    alone = tmp_path / "game.json"
    alone.write_text(record.to_json() + "\n")
    place = tmp_path / "position.json"
    place.write_text(final.game.begin(0).play("b2").to_json())
    by_id, by_file = (
        CliRunner().invoke(app, ["analyse", what, "--player", "mcts:simulations=50", "--json"])
        for what in (record.id[:10], str(alone))
    )
    assert by_id.exit_code == 0, by_id.output
    assert by_id.stdout == by_file.stdout
    data = json.loads(by_id.stdout)
    assert data["players"] == ["ann", "ben"] and len(data["events"]) == len(record.plies)
    shown = CliRunner().invoke(app, ["analyse", record.id, "--player", "mcts:simulations=50"])
    assert shown.exit_code == 0 and "What the result is made of" in shown.output and "ann: " in shown.output
    spot = CliRunner().invoke(app, ["analyse", str(place), "--player", "mcts:simulations=50"])
    assert spot.exit_code == 0 and "visits" in spot.output


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"game": "chess", "options": {}}', "not json", "{}\n{}\n"])
def test_a_file_that_is_neither_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(bw.InputError, match=r"x\.json"):
        CliRunner().invoke(app, ["analyse", str(path)], catch_exceptions=False)
