"""Luck and skill: that the parts add up to the result, that luck is fair, and that labels mean what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.arena.analyse import FORMAT, Analysis, analyse, analyse_position, explain, game_line
from boardwright.arena.equal_moves import EqualMoves
from boardwright.arena.judge import CONFIRMED, Judge
from boardwright.arena.labels import called, label
from boardwright.arena.verdict import Verdict
from boardwright.bench.reports import ITERATION, _moves, _truth, _twins_in_openings, measure_reports
from boardwright.cli.main import app
from boardwright.contract.position import blank
from boardwright.players import seeded
from boardwright.records import Library, Record
from boardwright.records.exercises import SERIOUS
from boardwright.records.reports import Reports
from boardwright.search.exact.solver import Solver
from tests.marks import slowly

LUDO = str(Path(__file__).parents[1] / "docs" / "examples" / "ludo.py") + ":players=4"


def played(name: str, spec: str, seed: int, most_moves: int = 10**6) -> bw.Position:
    """A game from its blank start."""
    game = bw.load(name)
    players = [bw.player(seeded(spec, game, seed + seat), game) for seat in range(game.players)]
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
        ("azul", "greedy", "mcts:simulations=30"),
        ("tictactoe", "random", "mcts:simulations=60"),
        *slowly(
            (LUDO, "greedy", "mcts:simulations=12"),
            ("nmbr9", "greedy", "mcts:simulations=12"),
            ("2048:size=3", "random", "mcts:simulations=12"),
            ("azul:players=3", "greedy", "mcts:simulations=12"),
        ),
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
    for account in analysis.accounts:  # a search in unproven positions: every figure but the result has an error
        assert account.result_error == 0.0 and account.mind_error >= account.losses_error
        if account.start_error:
            assert account.others_error > 0.0 or len(analysis.accounts) == 1
    assert analysis.events[-1].after_error == 0.0
    assert all(event.loss >= 0.0 for event in analysis.events)
    assert sum(event.kind == "move" for event in analysis.events) == sum(p.player >= 0 for p in list(final.line())[:-1])


def test_between_two_opponents_one_players_luck_is_the_others_misfortune() -> None:
    one, other = judged(played("azul", "greedy", seed=5), "mcts:simulations=16").accounts
    assert one.luck == pytest.approx(-other.luck, abs=1e-9)
    assert (one.losses, one.others) == pytest.approx((other.others, other.losses))
    assert one.mind == pytest.approx(-other.mind, abs=1e-9)


def test_the_luck_of_all_outcomes_weighs_nothing() -> None:
    """The value before a draw is a mean over what may be drawn: weighted by how likely each is, luck is nothing, within
    its error."""
    dice = blank(bw.load("nmbr9"))
    value, _, outcomes = analyse_position(dice, bw.player("mcts:simulations=12", dice.game))
    luck = [((one.value or 0.0) - value[0]) * (one.prior or 0.0) for one in outcomes]
    assert len(luck) > 5 and max(map(abs, luck)) > 0
    assert sum(luck) == pytest.approx(0.0, abs=1e-9)


def test_a_run_of_draws_is_valued_by_ends_of_it() -> None:
    start = blank(bw.load("azul"))
    assert start.is_chance
    values = []
    for samples in (4, 8):
        judge = Judge([start], [bw.player("mcts:simulations=12", start.game)], samples=samples)
        judge.first()
        value = judge.value(0)
        assert value[0] == pytest.approx(-value[1])
        assert len({look.values for look in judge._values[0]}) > 2, "each look meets an end of its own"
        assert judge.value_error(0) > 0.0
        values.append(judge._values[0])
    assert values[0] == values[1][:4], "more looks are added to those before"


# What was seen: labels for noise


@pytest.mark.parametrize("seed", [1, 2])
def test_turns_of_the_first_tile_are_one_move(seed: int) -> None:
    """A report called it a blunder of 4.3 points, though the four turns are the same by symmetry."""
    analysis = judged(played("nmbr9", "greedy", seed, most_moves=1), "mcts:simulations=160,depth=0,grow=0")
    (move,) = [event for event in analysis.events if event.kind == "move"]
    assert (move.label, move.loss, move.error) == ("best", 0.0, 0.0)


def test_moves_equal_by_symmetry_are_one_move_and_others_are_not() -> None:
    game = bw.load("tictactoe")
    equal = EqualMoves(game.begin(0))
    kinds = {text: equal.first(game.begin(0).parse(text)) for text in "a1 a3 c1 c3 a2 b1 b3 c2 b2".split()}
    assert len(set(kinds.values())) == 3
    assert len({kinds[text] for text in "a1 a3 c1 c3".split()}) == 1 and kinds["a1"] != kinds["b2"] != kinds["a2"]
    crooked = game.begin(0).play("a1").play("b1")
    equal = EqualMoves(crooked)
    assert [equal.first(move) for move in crooked.moves] == list(crooked.moves)


def test_slides_that_leave_the_same_board_are_one_move() -> None:
    game = bw.load("2048:size=3")

    def slides(cells: list[int]) -> list[int]:
        record = np.zeros(1, game.state_dtype)
        record["cells"], record["tiles"] = cells, sum(cell > 0 for cell in cells)
        position = bw.Position(game, record)
        equal = EqualMoves(position)
        return [equal.first(move) for move in position.moves]

    assert len(set(slides([1, 0, 1, 0, 2, 0, 1, 0, 1]))) == 1
    assert len(set(slides([1, 0, 0, 0, 0, 0, 0, 0, 1]))) == 1
    assert len(set(slides([1, 2, 0, 0, 0, 0, 1, 0, 0]))) > 1


def test_losses_of_a_game_of_chance_are_not_noise() -> None:
    """On 2048 3x3 own losses of 4,153 were told, and second thoughts of 3,133 that took them back."""
    final = played("2048:size=3", "mcts:simulations=60", seed=1, most_moves=12)
    analysis = judged(final, "mcts:simulations=40,depth=0,grow=0", samples=6)
    account = analysis.accounts[0]
    moves = [event for event in analysis.events if event.kind == "move"]
    assert all(event.low > 0.0 for event in moves if event.loss > 0.0)
    assert account.losses <= 0.1 * account.result
    assert not any(event.label in ("mistake", "blunder") for event in moves)
    assert any(event.label == "unsure" for event in moves), "so short a search cannot know"


def test_what_is_not_sure_is_called_unsure_and_counts_for_nothing() -> None:
    game = bw.load("tictactoe")
    found = [
        called(game, Verdict(0, loss, error, 2.0), 0.0)
        for loss, error in ((0.5, 0.3), (0.5, 0.01), (0.5, 0.1), (0.01, 0.01), (-0.3, 0.2), (0.5, 0.0), (-0.3, 0.01))
    ]
    assert found == ["unsure", "blunder", "mistake", "excellent", "unsure", "blunder", "best"]
    assert not Verdict(0, 0.5, 0.3, 2.0).sure and Verdict(0, 0.5, 0.1, 2.0).sure


def test_refining_takes_the_worst_error_and_makes_it_smaller() -> None:
    final = played("2048:size=3", "random", seed=4, most_moves=6)
    judge = Judge(game_line(final), [bw.player("mcts:simulations=40,depth=0,grow=0", final.game)])
    judge.first()
    left = [one for one in judge.decisions if not one.exact]
    before = {one.index: judge.uncertainty(one) for one in left}
    worst = max(left, key=judge.uncertainty)
    assert judge.refine() and worst.rounds == 2
    assert [one.rounds for one in left if one is not worst] == [1] * (len(left) - 1)
    for _ in range(2 * len(left)):
        judge.refine()
    after = {one.index: judge.uncertainty(one) for one in left}
    assert sum(after.values()) < sum(before.values())
    analysis = explain(judge, (), "")
    (account,) = analysis.accounts
    assert account.gap == pytest.approx(0.0, abs=1e-9)


def test_helpers_do_not_change_what_is_found() -> None:
    final = played("2048:size=3", "random", seed=4, most_moves=6)
    found = []
    for helpers in (1, 2):
        players = [bw.player("mcts:simulations=40,depth=0,grow=0", final.game) for _ in range(helpers)]
        judge = Judge(game_line(final), players)
        judge.first()
        found.append(explain(judge, (), "").to_dict())
    assert found[0] == found[1]


def test_no_lesson_teaches_noise() -> None:
    """A lesson taught a move that a longer look put behind another: of what so short a search called a mistake or a
    blunder in these games, 6 of 41 were none. What is called so now is one, by perfect play."""
    game = bw.load("tictactoe")
    solver, serious = Solver(game), 0
    for seed in range(12):
        line = game_line(played("tictactoe", "random", seed))
        judge = Judge(line, [bw.player("mcts:simulations=30", game)], solves=False)
        judge.first()
        for event in explain(judge, (), "").events:
            if event.label in ("mistake", "blunder"):
                values = solver.values(line[event.ply - 1])
                serious += 1
                assert max(values.values()) - values[line[event.ply].step or 0] >= 1.0, event
    assert serious >= 8


def test_what_is_called_serious_has_been_confirmed_and_the_bar_is_true() -> None:
    """Of 200 moves of Azul 2 of 18 that one round called serious were not: nothing is called so by one round."""
    line = game_line(played("tictactoe", "random", 5))
    heard: list[tuple[int, int]] = []
    judge = Judge(line, [bw.player("mcts:simulations=30", line[0].game)], solves=False)
    judge.first(lambda done, steps: heard.append((done, steps)))
    labels = {event.ply: event.label for event in explain(judge, (), "").events}
    serious = [one for one in judge.decisions if labels[one.index + 1] in SERIOUS and not one.exact]
    assert serious and all(one.rounds == CONFIRMED for one in serious)
    assert any(one.rounds == 1 for one in judge.decisions)
    assert [done for done, _ in heard] == list(range(1, len(heard) + 1)) and heard[-1][0] == heard[-1][1]
    assert all(done <= steps for done, steps in heard)


def test_labels_and_errors_against_the_truth() -> None:
    """The small case of `bench reports`: no mistake or blunder that is none, no loss between symmetric moves."""
    found = measure_reports("tictactoe", 60, 1, 3, lambda text: None, whole=False)
    assert found.positions == 60 and found.serious >= 3 and found.symmetric >= 3
    assert found.wrong == 0 and found.symmetric_wrong == 0 and found.missed <= 1
    assert found.within >= 0.85 and found.nothing <= 0.3 * found.counted
    with pytest.raises(bw.InputError, match="no truth is known"):
        measure_reports("gomoku:size=11", 1, 1, 1, lambda text: None)


@pytest.mark.parametrize("name", ["gomoku:size=5", "nmbr9", "azul", *slowly("2048")])
def test_moves_that_are_equal_by_symmetry_are_found_in_every_game(name: str) -> None:
    """They are what a report must not tell apart; past the opening few are left."""
    game = bw.load(name)
    found = _twins_in_openings(game, 5, 1)
    assert len(found) == 5
    for position, move, twins in found:
        equal = EqualMoves(position)
        first = equal.first(move)
        assert move not in twins and {equal.first(other) for other in twins} == {first}


def test_where_all_is_known_there_are_mistakes_to_judge() -> None:
    game = bw.load("2048", size=2)
    truth, expected = _truth(game, ITERATION, bw.player("random", game)), 67.0  # points of a whole game
    bad = [label(game, truth(position, move)[0], expected) in SERIOUS for position, move in _moves(game, 100, 1, 1)]
    assert sum(bad) >= 10


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
    value, error, moves = analyse_position(position, bw.player("mcts:simulations=500", game))
    assert moves[0].text == "c3" and moves[0].label == "best" and value[0] == pytest.approx(1.0, abs=0.05)
    assert error == 0.0 and all(one.value_error == 0.0 for one in moves), "solved"
    assert {one.text for one in moves} == {position.text(move) for move in position.moves}
    dice = blank(bw.load("nmbr9"))
    value, error, outcomes = analyse_position(dice, bw.player("mcts:simulations=12", dice.game))
    assert len(outcomes) == len(dice.chances) and error > 0.0
    assert all(one.value_error and one.error and one.error > one.value_error for one in outcomes)
    assert sum((one.value or 0.0) * (one.prior or 0.0) for one in outcomes) == pytest.approx(value[0])
    with pytest.raises(bw.InputError, match="the game is over"):
        analyse_position(played("tictactoe", "random", 1), bw.player("mcts:simulations=9", game))


def test_a_player_without_values_cannot_judge() -> None:
    with pytest.raises(bw.InputError, match="does not value positions"):
        judged(played("2048:size=3", "random", 1, most_moves=1), "greedy")


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
    kept = Reports(Library()).get(record, FORMAT)
    assert kept is not None and kept["analysis"] == data
    assert len(kept["scores"]) == len(record.plies) + 1 and Reports(Library()).get(record, FORMAT + 1) is None
    shown = CliRunner().invoke(app, ["analyse", record.id, "--player", "mcts:simulations=50", "--seconds", "0.1"])
    assert shown.exit_code == 0 and "What the result is made of" in shown.output and "ann: " in shown.output
    spot = CliRunner().invoke(app, ["analyse", str(place), "--player", "mcts:simulations=50"])
    assert spot.exit_code == 0 and "visits" in spot.output
    chances = tmp_path / "dice.json"
    chances.write_text(bw.load("nmbr9").begin(0).to_json())
    spot = CliRunner().invoke(app, ["analyse", str(chances), "--player", "mcts:simulations=20"])
    (first,) = (line for line in spot.output.splitlines() if line.startswith("value:"))
    assert re.search(r"player 1 [+-][\d.]+ ± [\d.]+", first)
    assert "± " in spot.output.partition("label")[2]
    Library().delete(record.id)
    assert Reports(Library()).get(record, FORMAT) is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"game": "chess", "options": {}}', "not json", "{}\n{}\n"])
def test_a_file_that_is_neither_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(bw.InputError, match=r"x\.json"):
        CliRunner().invoke(app, ["analyse", str(path)], catch_exceptions=False)
