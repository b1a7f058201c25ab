"""Records: what is written is what was played, what is read was checked, and what is saved stays saved."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import re
import select
import signal
import sqlite3
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import boardwright as bw
from boardwright.contract.position import blank
from boardwright.games.built_in import BUILT_IN
from boardwright.records import Library, Record
from boardwright.records.library import read_lines
from boardwright.records.sgf import SgfWarning, all_from_sgf, decode_sgf, from_sgf, to_sgf
from tests.marks import examples

GAMES = tuple(BUILT_IN)
FILE_GAME = Path(__file__).parent / "games" / "dicerace.py"
FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])


load = functools.cache(bw.load)  # a game digests its rules once; hundreds of examples need not do it again


def played(game: bw.Game, seed: int, most_plies: int | None = None) -> bw.Position:
    """Play at random from the blank start, draws included; at most so many plies."""
    rng, position = bw.Random(seed), blank(game)
    while not position.is_over and most_plies != 0:
        step = rng.below(len(position.moves)) if position.moves else 0
        position = position.sample(rng) if position.is_chance else position.play(position.moves[step])
        most_plies = None if most_plies is None else most_plies - 1
    return position


def recorded(name: str, seed: int = 1, most_plies: int | None = None, **more: Any) -> Record:
    game = load(name)
    position = played(game, seed, most_plies)
    return Record.of(position, seed=seed, players=[f"player {i}" for i in range(game.players)], **more)


def change(record: Record, **fields: Any) -> str:
    """The record's JSON with some fields changed, unchecked; without a seal, so that the change itself is looked at."""
    return json.dumps({**json.loads(dataclasses.replace(record, sealed=False).to_json()), **fields})


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "records.sqlite3")


# Round trip


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 2**32), most=st.none() | st.integers(0, 60))
def test_any_play_comes_back_to_the_letter(name: str, seed: int, most: int | None) -> None:
    game = load(name)
    position = played(game, seed, most)
    moves = sum(before.player >= 0 for before in list(position.line())[:-1])
    record = Record.of(position, seed=seed, players=["a"] * game.players, seconds=[0.25] * moves, note="größer\n2")
    assert record.status == ("finished" if position.is_over else "unfinished")
    text = record.to_json()
    assert "\n" not in text
    again = Record.from_json(text)
    assert again == record
    assert hash(again) == hash(record)
    end = again.replay()
    assert end == position
    assert [p.key for p in end.line()] == [p.key for p in position.line()]


def test_draws_are_marked_and_moves_are_not() -> None:
    record = recorded("2048", most_plies=12)
    position = blank(bw.load("2048"))
    for ply in record.plies:
        assert ply.startswith("~") == position.is_chance
        position = position.advance(ply.removeprefix("~"))


def test_a_position_from_json_has_no_past_and_no_record() -> None:
    game = bw.load("tictactoe")
    position = game.from_json(game.begin().play("b2").to_json())
    with pytest.raises(bw.InputError, match="without its past"):
        Record.of(position, seed=0, players=["a", "b"])


def test_a_forfeit_needs_a_reason_and_keeps_what_was_awarded() -> None:
    position = bw.load("tictactoe").begin().play("b2")
    with pytest.raises(bw.InputError, match="reason of the forfeit"):
        Record.of(position, seed=0, players=["a", "b"], status="forfeit")
    record = Record.of(position, seed=0, players=["a", "b"], status="forfeit", note="b left", results=(1.0, -1.0))
    assert Record.from_json(record.to_json()).replay() == position
    over = played(bw.load("tictactoe"), 1)
    with pytest.raises(bw.InputError, match="says forfeit, but after ply"):
        Record.of(over, seed=0, players=["a", "b"], status="forfeit", note="b left")
    with pytest.raises(bw.InputError, match="awarded at a forfeit only"):
        Record.of(over, seed=0, players=["a", "b"], results=(1.0, -1.0))


def test_started_is_kept_in_utc_and_in_one_form() -> None:
    record = recorded("tictactoe", started="2026-08-01T19:30:00.75+02:00")
    assert record.started == "2026-08-01T17:30:00Z"
    with pytest.raises(bw.InputError, match="a time with its zone"):
        recorded("tictactoe", started="2026-08-01T19:30:00")


# A game of one's own


def test_a_record_of_a_file_game_names_no_path_and_asks_for_its_rules() -> None:
    game = bw.load(str(FILE_GAME))
    record = Record.of(played(game, 3), seed=3, players=["a"] * game.players)
    assert str(FILE_GAME.parent) not in record.to_json()
    with pytest.raises(bw.InputError, match=r"not built in: give its rules, as --game path/to/file.py:"):
        record.replay()
    assert record.replay(game) == played(game, 3)
    with pytest.raises(bw.InputError, match="not of 'tictactoe'"):
        record.replay(bw.load("tictactoe"))


def test_the_options_are_the_records() -> None:
    record = Record.of(played(bw.load("gomoku", size=7), 1), seed=1, players=["a", "b"])
    assert record.replay(bw.load("gomoku", size=9)).game.options["size"] == 7
    with pytest.raises(bw.InputError, match="size"):
        Record.from_json(change(record, options={"size": 10**9})).replay()
    with pytest.raises(bw.InputError, match="no setting 'name'"):
        Record.from_json(change(record, options={"name": "x"})).replay()


@pytest.mark.parametrize("game", ["../evil.py:Evil", "evil.py", "a:b", "", "os.path", "\x1b[2J", 7, None])
def test_a_path_is_no_name_of_a_game(game: object) -> None:
    with pytest.raises(bw.InputError, match="'game' must be"):
        Record.from_json(change(recorded("tictactoe"), game=game))


# What does not fit


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 99), data=st.data())
def test_a_ply_that_does_not_fit_is_named(name: str, seed: int, data: st.DataObject) -> None:
    record = recorded(name, seed, 40)
    at = data.draw(st.integers(0, len(record.plies) - 1))
    marked = record.plies[at].startswith("~")
    wrong = data.draw(st.sampled_from(["nonsense", "~nonsense", record.plies[at].lstrip("~") if marked else "~x"]))
    plies = [*record.plies[:at], wrong, *record.plies[at + 1 :]]
    with pytest.raises(bw.InputError, match=rf"^{name}: record ply {at + 1} '{re.escape(wrong)}' - \S"):
        Record.from_json(change(record, plies=plies)).replay()


@pytest.mark.parametrize("name", GAMES)
@FEW
@given(seed=st.integers(0, 99), data=st.data())
def test_plies_in_another_order_are_refused_or_are_another_game(name: str, seed: int, data: st.DataObject) -> None:
    record = recorded(name, seed, 40)
    plies = data.draw(st.permutations(record.plies)) if data.draw(st.booleans()) else list(record.plies)
    cut = data.draw(st.integers(0, len(plies)))
    altered = Record.from_json(change(record, plies=plies[:cut], seconds=[]))
    end = refusal = None
    try:
        end = altered.replay()
    except bw.InputError as error:
        refusal = str(error)
    if end is None:
        assert re.match(rf"{name}: record (ply \d+ |says |gives )", refusal or "")
    else:
        again = Record.of(end, seed=0, players=record.players)
        assert (again.plies, again.scores, again.status) == (altered.plies, record.scores, record.status)


def test_the_reason_is_the_games_own() -> None:
    record = recorded("tictactoe")
    plies = [record.plies[0], record.plies[0], *record.plies[2:]]
    with pytest.raises(bw.InputError, match=f"record ply 2 '{plies[1]}' - X has {plies[1]}$"):
        Record.from_json(change(record, plies=plies)).replay()
    with pytest.raises(bw.InputError, match=f"ply {len(record.plies) + 1} 'a1' - the game is over"):
        Record.from_json(change(record, plies=[*record.plies, "a1"])).replay()
    with pytest.raises(bw.InputError, match=r"played under other rules: digest abc, here "):
        Record.from_json(change(record, plies=plies, digest="abc")).replay()


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_end_is_refused(name: str) -> None:
    record = recorded(name)
    assert record.results is not None
    wrong = [score + 1 for score in record.scores]
    for fields, said in (
        ({"scores": wrong}, "record gives scores"),
        ({"results": [result + 1 for result in record.results]}, "record gives results"),
        ({"status": "unfinished", "results": None}, "says unfinished, but .* the game ends"),
        ({"players": ["a"] * 9, "scores": [0] * 9, "results": [0] * 9}, "record names 9 players"),
        ({"seconds": [1.0]}, "record has 1 'seconds' for"),
        ({"plies": record.plies[:-1]}, "says finished, but .* does not end"),
    ):
        with pytest.raises(bw.InputError, match=f"^{name}: .*{said}"):
            Record.from_json(change(record, **fields)).replay()


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"boardwright_record": 3}, "format 3 is newer"),
    ({"boardwright_record": "1"}, "not one of ours"),
    ({"options": {"size": [3]}}, "options.size"),
    ({"options": {"a b": 3}}, "'options'"),
    ({"options": {f"o{i}": i for i in range(99)}}, "'options'"),
    ({"digest": "xyz"}, "'digest'"),
    ({"seed": 1.5}, "'seed'"),
    ({"seed": True}, "'seed'"),
    ({"seed": 2**64}, "'seed'"),
    ({"players": []}, "'players'"),
    ({"players": ["a", 5]}, "'players': number 2"),
    ({"players": ["a", "\x1b[31mred"]}, "'players': number 2"),
    ({"players": ["a", "\ud800"]}, "'players': number 2"),
    ({"players": ["a", "\u202eab"]}, "'players': number 2"),
    ({"players": ["a", "x" * 201]}, "'players': number 2"),
    ({"plies": "b2"}, "'plies'"),
    ({"plies": [["b2"]]}, "'plies': number 1"),
    ({"plies": [""]}, "'plies': number 1"),
    ({"seconds": [-1.0]}, "'seconds'"),
    ({"seconds": [1.0] * 99}, "'seconds'"),
    ({"scores": [0.0]}, "'scores'"),
    ({"scores": [0.0, "0"]}, "'scores'"),
    ({"scores": [0.0, 10**400]}, "'scores'"),
    ({"results": {}}, "'results'"),
    ({"results": None}, "finished needs 'results'"),
    ({"status": "won"}, "'status'"),
    ({"note": 5}, "'note'"),
    ({"note": "a\rb"}, "'note'"),
    ({"note": "x" * 10_001}, "'note'"),
    ({"started": "yesterday"}, "'started'"),
    ({"started": "0001-01-01T00:00:00+14:00"}, "'started'"),
    ({"started": ""}, "'started' is missing"),
    ({"id": "ABC"}, "'id'"),
    ({"id": None}, "'id' is missing"),
    ({"extra": 1}, "'extra' is nothing that a record has"),
]


@pytest.mark.parametrize(("fields", "said"), BROKEN)
def test_each_broken_field_is_named(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(bw.InputError, match=f"^record: .*{re.escape(said)}"):
        Record.from_json(change(recorded("tictactoe"), **fields))


def test_a_missing_field_is_named() -> None:
    fields = json.loads(recorded("tictactoe").to_json())
    for name in set(fields) - {"boardwright_record"}:
        with pytest.raises(bw.InputError, match=f"'{name}' is missing"):
            Record.from_json(json.dumps({key: value for key, value in fields.items() if key != name}))


def test_too_much_is_refused() -> None:
    record = recorded("tictactoe")
    with pytest.raises(bw.InputError, match="at most 200,000 texts"):
        Record.from_json(change(record, plies=["a1"] * 200_001))
    with pytest.raises(bw.InputError, match="characters in one line"):
        Record.from_json(" " * 20_000_001)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@examples(200)
@given(data=st.data())
def test_altered_text_is_read_and_replayed_or_refused_but_never_crashes(data: st.DataObject) -> None:
    text = recorded("tictactoe", id="0" * 32).to_json()
    kind = data.draw(st.sampled_from(["cut", "replace", "field", "any", "nested"]))
    if kind == "cut":
        text = text[: data.draw(st.integers(0, len(text) - 1))]
    elif kind == "replace":
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 5)) :]
    elif kind == "field":
        fields = json.loads(text)
        fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(JSON)
        text = json.dumps(fields)
    elif kind == "any":
        text = data.draw(st.text(max_size=40) | st.builds(json.dumps, JSON))
    else:
        text = "[" * data.draw(st.integers(1, 100_000))
    refusal = "-"
    try:
        record = Record.from_json(text)
        assert Record.from_json(record.to_json()) == record
        record.replay()
    except bw.InputError as error:
        refusal = str(error)
    assert 0 < len(refusal) < 500
    assert refusal.isprintable()


# The library


def test_save_find_get_delete(library: Library) -> None:
    first = recorded("tictactoe", 1, started="2026-01-01T00:00:00Z")
    second = recorded("gomoku", 2, most_plies=5, started="2026-02-01T00:00:00Z")
    third = recorded("2048", 3, most_plies=50, started="2026-03-01T00:00:00Z")
    third = dataclasses.replace(third, players=("mcts:simulations=800 Größe",))
    library.save(second)
    library.save(third, first)
    assert [found.id for found in library.find()] == [third.id, second.id, first.id]
    assert [found.id for found in library.find(limit=1)] == [third.id]
    assert [found.id for found in library.find(game="gomoku")] == [second.id]
    assert [found.id for found in library.find(status="unfinished")] == [third.id, second.id]
    assert [found.id for found in library.find(since="2026-02-01")] == [third.id, second.id]
    assert [found.id for found in library.find(player="MCTS")] == [third.id]
    assert [found.id for found in library.find(player="GRÖSSE")] == [third.id]
    assert [found.id for found in library.find(player="PLAYER 1")] == [second.id, first.id]
    summary = library.find(game="tictactoe")[0]
    assert (summary.players, summary.scores, summary.results) == (first.players, first.scores, first.results)
    assert (summary.plies, summary.status, summary.started) == (len(first.plies), "finished", first.started)
    assert library.get(first.id) == first
    assert library.get(first.id[:12].upper()) == first
    assert list(library.export()) == [first.to_json(), second.to_json(), third.to_json()]
    assert list(library.export([third.id[:10], first.id])) == [third.to_json(), first.to_json()]
    library.delete(second.id)
    for no_limit in (None, 2**63, 10**400):
        assert [found.id for found in library.find(limit=no_limit)] == [third.id, first.id]
    with pytest.raises(bw.InputError, match=f"no record {second.id}"):
        library.get(second.id)
    with pytest.raises(bw.InputError, match="no record"):
        library.delete(second.id)


def test_saving_again_replaces(library: Library) -> None:
    game = bw.load("tictactoe")
    half = Record.of(game.begin().play("b2"), seed=0, players=["a", "b"])
    whole = Record.of(played(game, 5), seed=0, players=["a", "c"], id=half.id, started=half.started)
    library.save(half)
    library.save(whole)
    assert library.get(half.id) == whole
    assert [found.status for found in library.find()] == ["finished"]
    assert library.find(player="b") == []


def test_a_beginning_of_several_ids_and_what_is_no_id(library: Library) -> None:
    ids = ["abc" + "0" * 29, "abc" + "1" * 29]
    library.save(*(recorded("tictactoe", id=id) for id in ids))
    with pytest.raises(bw.InputError, match=f"begins several ids: {ids[0]}, {ids[1]}"):
        library.get("abc")
    assert library.get("abc1").id == ids[1]
    for wrong in ("", "*", "abc%", "abc'; DROP TABLE records", "\x1b[2J"):
        with pytest.raises(bw.InputError, match="is no id"):
            library.delete(wrong)
    assert len(library.find()) == 2


def test_bad_questions_are_refused(library: Library) -> None:
    with pytest.raises(bw.InputError, match="one of finished"):
        library.find(status="won")
    with pytest.raises(bw.InputError, match="'since' must be"):
        library.find(since="last week")
    with pytest.raises(bw.InputError, match="limit=0"):
        library.find(limit=0)


def test_an_export_is_of_one_moment(library: Library) -> None:
    first, second = (recorded("tictactoe", seed, started=f"2026-01-0{seed}T00:00:00Z") for seed in (1, 2))
    library.save(first, second)
    for lines in (library.export([first.id, second.id]), library.export()):
        assert next(lines) == first.to_json()
        library.delete(second.id)
        assert list(lines) == [second.to_json()]
        library.save(second)


def test_the_file_is_a_write_ahead_log_with_our_mark(library: Library) -> None:
    library.save(recorded("tictactoe"))
    with sqlite3.connect(library.path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def everything(library: Library, record: Record) -> list[Any]:
    return [
        lambda: library.save(record),
        library.find,
        lambda: library.get(record.id),
        lambda: library.delete(record.id),
        lambda: list(library.export()),
        lambda: library.import_lines([record.to_json()]),
    ]


def make_text(path: Path) -> None:
    path.write_text("Dear diary, this is no database at all.\n" * 100)


def make_foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()


def make_newer(path: Path) -> None:
    Library(path).find()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (make_text, "is no library of Boardwright; .* move it away"),
        (make_foreign, "is a database, but no library of Boardwright; .* move it away"),
        (make_newer, r"newer Boardwright \(schema 9, this one reads 1\): update"),
    ],
)
def test_a_file_that_is_not_ours_is_named_and_left_alone(library: Library, make: Any, said: str) -> None:
    make(library.path)
    before = library.path.read_bytes()
    for action in everything(library, recorded("tictactoe")):
        with pytest.raises(bw.InputError, match=f"{re.escape(str(library.path))} .*{said}"):
            action()
    assert library.path.read_bytes() == before


def test_a_folder_in_its_place_is_named(library: Library) -> None:
    library.path.mkdir()
    with pytest.raises(bw.InputError, match=re.escape(str(library.path))):
        library.find()


def test_no_folder_can_be_made_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(bw.InputError, match="cannot make the folder"):
        Library(tmp_path / "file" / "records.sqlite3").find()


def test_a_damaged_file_is_named(library: Library) -> None:
    records = [dataclasses.replace(recorded("gomoku", 1), id=f"{i:032x}") for i in range(40)]
    library.save(*records)
    data = bytearray(library.path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)  # all but the page that says whose file it is
    library.path.write_bytes(data)
    for action in everything(library, records[0]):
        with pytest.raises(bw.InputError, match=f"{re.escape(str(library.path))} is damaged .*restore a copy"):
            action()
    assert library.path.read_bytes() == data


def test_a_damaged_row_is_named(library: Library) -> None:
    record = recorded("tictactoe")
    library.save(record)
    with sqlite3.connect(library.path) as connection:
        connection.execute("UPDATE records SET json = substr(json, 1, 50), scores = '[1'")
    connection.close()
    with pytest.raises(bw.InputError, match=f"record {record.id} is damaged"):
        library.get(record.id)
    with pytest.raises(bw.InputError, match=f"record {record.id} is damaged"):
        library.find()


# Many processes

SAVER = """
import sys
from pathlib import Path
from boardwright.records import Library, Record
library, first, count = Library(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
for number in range(first, first + count):
    record = Record(
        game="made_up", options={}, digest="", seed=number, players=("a",), plies=("x",) * 300, seconds=(),
        scores=(float(number),), results=None, status="unfinished", id=f"{number:032x}",
    )
    library.save(record)
    print(record.id, flush=True)
"""


def test_processes_save_at_once_and_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "records.sqlite3"  # does not exist: they also race to make it
    command = [sys.executable, "-c", SAVER, str(path)]
    savers = [
        subprocess.Popen([*command, str(1_000_000 * i), "40" if i else "1000000"], stdout=subprocess.PIPE, text=True)
        for i in range(4)
    ]
    victim = savers[0]
    assert victim.stdout is not None
    told = [victim.stdout.readline().strip() for _ in range(15)]
    victim.send_signal(signal.SIGKILL)
    told += victim.communicate()[0].split()
    assert victim.returncode == -signal.SIGKILL
    for saver in savers[1:]:
        told += saver.communicate(timeout=240)[0].split()
        assert saver.returncode == 0
    library = Library(path)
    found = {summary.id: summary for summary in library.find(limit=None)}
    assert set(told) <= set(found), "a record that was saved is lost"
    assert len(found) <= len(told) + 1  # the one that was saved, but not told, when the signal came
    assert sum(int(id, 16) >= 1_000_000 for id in found) == 120
    for line in library.export():
        record = Record.from_json(line)
        assert found[record.id].plies == len(record.plies) == 300
        assert found[record.id].scores == record.scores == (float(int(record.id, 16)),)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


# Import


def test_import_takes_all_games_and_knows_them_again(library: Library, tmp_path: Path) -> None:
    records = [recorded(name) for name in GAMES]
    lines = [record.to_json() + "\n" for record in records]
    report = library.import_lines([*lines, "\n"])
    assert report.added == tuple(record.id for record in records)
    assert report.known == ()
    again = library.import_lines(lines)
    assert (again.added, again.known) == ((), report.added)
    other = Library(tmp_path / "other.sqlite3")
    other.import_lines(library.export())
    assert {other.get(record.id) for record in records} == set(records)


@pytest.mark.parametrize("name", GAMES)
def test_one_bad_line_keeps_all_out(library: Library, name: str) -> None:
    good, other = recorded("tictactoe", 1), recorded(name, 2)
    worse = [score + 1 for score in other.scores]
    bad = {
        "record gives scores": change(other, scores=worse),
        f"record ply {len(other.plies)} 'zzz' - ": change(other, plies=[*other.plies[:-1], "zzz"]),
        "not JSON": other.to_json()[:-5],
        "not one of ours": "{}",
    }
    for said, line in bad.items():
        with pytest.raises(bw.InputError, match=f"^line 3: .*{said}"):
            library.import_lines([good.to_json(), "", line, good.to_json()])
    assert library.find() == []


def test_import_never_replaces(library: Library) -> None:
    mine = recorded("tictactoe", 1)
    library.save(mine)
    theirs = recorded("tictactoe", 2, id=mine.id)
    with pytest.raises(bw.InputError, match=f"line 2: the library has another record of id {mine.id}"):
        library.import_lines([recorded("gomoku").to_json(), theirs.to_json()])
    assert list(library.export()) == [mine.to_json()]


def test_nothing_to_import_is_refused(library: Library) -> None:
    with pytest.raises(bw.InputError, match="no records in it"):
        library.import_lines(["", " \n"])


@examples(30)
@given(content=st.binary(max_size=300))
def test_any_bytes_are_refused_and_nothing_is_saved(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "games.jsonl").write_bytes(content)
    library = Library(folder / "records.sqlite3")
    with pytest.raises(bw.InputError):
        library.import_lines(read_lines(folder / "games.jsonl"))
    assert library.find() == []


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(b"{}\n")
        file.truncate(5_000_000_000)  # a hole: costs no disk
    lines = read_lines(path)
    assert next(lines) == "{}\n"
    with pytest.raises(bw.InputError, match="line 2: more than 20,000,000 bytes"):
        next(lines)


# SGF


def read_quietly(text: str, game: bw.Game | None = None) -> Record:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SgfWarning)
        return from_sgf(text, game)


NOTES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cf", "Zl", "Zp"]), max_size=20)


@examples(40)
@given(
    spec=st.sampled_from(["tictactoe", "tictactoe:size=4,rows=5", "gomoku", "gomoku:size=7,rows=9,exactly=true"]),
    seed=st.integers(0, 999),
    most=st.none() | st.integers(0, 30),
    note=NOTES | st.sampled_from(["a]b", "\\", "\\]", "a\\\nb\t[c;(d)]", "\\\\\n"]),
    name=NOTES.filter(lambda name: name.strip()),
)
def test_sgf_comes_back_to_the_letter(spec: str, seed: int, most: int | None, note: str, name: str) -> None:
    position = played(load(spec), seed, most)
    moves = sum(1 for _ in position.line()) - 1
    record = Record.of(position, seed=seed, players=[name, "b"], seconds=[0.5] * moves, note=note)
    text = to_sgf(record)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert from_sgf(text) == record
        assert from_sgf(decode_sgf(text.replace("\n", "\r\n").encode())).replay() == position


def test_sgf_of_forfeits_comes_back() -> None:
    position = bw.load("gomoku").begin().play("h8").play("i9")
    for results in (None, (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)):
        record = Record.of(position, seed=0, players=["a", "b"], status="forfeit", note="left", results=results)
        assert from_sgf(to_sgf(record)) == record


def test_sgf_is_for_games_of_lines() -> None:
    with pytest.raises(bw.InputError, match="2048: SGF is for games of lines"):
        to_sgf(recorded("2048"))
    with pytest.raises(bw.InputError, match="2048: SGF is for games of lines"):
        from_sgf("(;GM[4]SZ[15]DT[2020];B[hh])", bw.load("2048"))


def test_points_count_from_the_top_left() -> None:
    record = from_sgf("(;FF[4]GM[4]SZ[9:7]DT[2020-05-06];B[aa];W[ia];B[ag])")
    assert record.plies == ("a7", "i7", "a1")
    assert (record.game, record.options["size"], record.options["rows"]) == ("gomoku", 9, 7)
    assert record.started == "2020-05-06T00:00:00Z"
    assert ";B[aa];W[ia];B[ag]" in to_sgf(record)


FOREIGN = """Saved by some program (version 2)
(;FF[4]GM[1]SZ[15]
PB[Bl\\]ack \\\\ one]PW[  Wei\xdf
zwei]
DT[2019-07-13,14] RE[B+Resign]
GC[A remark; with (brackets\\] and a \\
soft break]
;B[hh]C[not ;B[aa\\] but a comment (really)]
;W[ii] ( ;b [ hi ] LB[aa:x][bb:y] (;W[hj](;Black[ih];White[gh]))(;W[aa]))
(;B[jj];W[kk](;B[ll])(;B[mm]))
) trailing words"""


def test_a_file_of_another_program() -> None:
    with pytest.warns(SgfWarning) as caught:
        record = from_sgf(FOREIGN.replace("\n", "\r\n"))
    said = sorted(str(warning.message) for warning in caught)
    assert said == [
        "SGF: it is marked as Go (GM[1]); read as stones on a board",
        "SGF: only the main line was read; variations left out: 2",
    ]
    assert record.plies == ("h8", "i7", "h7", "h6", "i8", "g8")
    assert record.players == ("Bl]ack \\ one", "  Wei\xdf zwei")
    assert (record.status, record.results) == ("forfeit", (1.0, -1.0))
    assert record.note == "A remark; with (brackets] and a soft break"
    assert record.started == "2019-07-13T00:00:00Z"
    assert record.replay().player == 0
    assert read_quietly(FOREIGN) == record  # the same id too: reading it again finds it known


def test_who_resigned_and_who_began() -> None:
    with pytest.warns(SgfWarning, match="White began"):
        record = from_sgf("(;GM[4]SZ[15]DT[2020]PB[bea]PW[will]RE[B+R];W[hh];B[ii])")
    assert record.players == ("will", "bea")
    assert (record.results, record.note) == ((-1.0, 1.0), "White resigns")
    with pytest.warns(SgfWarning, match="the moves do not end the game"):
        record = from_sgf("(;GM[4]SZ[15]DT[2020]RE[W+];B[hh])")
    assert record.status == "unfinished"
    won = "".join(f";B[{c}a];W[{c}b]" for c in "abcd") + ";B[ea]"
    with pytest.warns(SgfWarning, match="by the rules Black wins"):
        record = from_sgf(f"(;GM[4]SZ[15]DT[2020]RE[W+R]{won})")
    assert (record.status, record.results) == ("finished", (1.0, -1.0))


@pytest.mark.parametrize("end", ["B[];W[]", "B[tt]", "B[ ]", "B[];W[tt]"])
def test_passes_at_the_end_are_left_out(end: str) -> None:
    with pytest.warns(SgfWarning, match="passes at the end were left out"):
        assert from_sgf(f"(;GM[4]SZ[15]DT[2020];B[hh];W[HI];{end})").plies == ("h8", "h7")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no game in it"),
        ("hello (world)", "no game in it"),
        ("(;GM[4]SZ[15];B[hh]", "line 1: it ends in the middle"),
        ("(;GM[4]SZ[15];B[hh", "line 1: 'B' has no value"),
        ("(;GM[4]SZ[15]\n;B;W[hh])", "line 2: 'B' has no value"),
        ("(;GM[4]SZ[15]\n\n;B[hh]}", "line 3: '}' has no place"),
        ("(;GM[4]SZ[15](B[hh]))", "'B' outside of a node"),
        ("(;GM[4]SZ[15](;B[hh]);W[hi])", "behind the variations"),
        ("(;GM[7]SZ[15])", r"GM\[7\] is another kind of game"),
        ("(;GM[4]SZ[fifteen])", r"SZ\[fifteen\] is no size"),
        ("(;GM[4]SZ[99])", "gomoku: size=99"),
        ("(;GM[4]SZ[0])", "tictactoe: size=0"),
        ("(;GM[4]SZ[15];B[hh];B[hi])", "move 2, Black 'hi': Black has just moved"),
        ("(;GM[4]SZ[15];B[hh];W[];B[hi])", "move 2, Black 'hi': a pass came before it"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "move 2, White 'hh': 'h8' - X has h8"),
        ("(;GM[4]SZ[15];B[pa])", "move 1, Black 'pa': outside the board of 15x15"),
        ("(;GM[4]SZ[15];B[h-h])", "move 1, Black 'h-h': no point"),
        ("(;GM[4]SZ[15]AB[hh][ii];W[aa])", "stones are set up"),
        ("(;GM[4]SZ[3]DT[2020];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb])", "move 6, White 'cb': the game is over"),
        ("(;GM[4]SZ[15]BOARDWRIGHT[{}];B[hh])", "BOARDWRIGHT is damaged"),
        ("(" * 20_000 + ";", "it ends in the middle"),
        ("(;" * 20_000, "variations inside one another"),
    ],
)
def test_what_is_wrong_in_sgf_is_named(text: str, said: str) -> None:
    with pytest.raises(bw.InputError, match=f"SGF.*{said}"):
        read_quietly(text)


@examples(150)
@given(data=st.data())
def test_altered_sgf_is_read_or_refused_but_never_crashes(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([FOREIGN, to_sgf(recorded("tictactoe", id="0" * 32))]))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(st.text(max_size=3) | st.sampled_from(["(", ")", ";", "[", "]", "\\", "B[", "SZ[", "];"]))
        text = text[:at] + put + text[at + data.draw(st.integers(0, 9)) :]
    try:
        record = read_quietly(text)
    except bw.InputError:
        return
    assert read_quietly(to_sgf(record)).plies == record.plies


def test_a_collection_and_other_encodings() -> None:
    two = "(;GM[4]SZ[15]DT[2020]PB[a];B[hh])\n(;GM[4]SZ[3]DT[2021]PB[b];B[bb])"
    assert [(record.game, record.players[0]) for record in all_from_sgf(two)] == [("gomoku", "a"), ("tictactoe", "b")]
    with pytest.warns(SgfWarning, match="only the first game was read"):
        assert from_sgf(two).game == "gomoku"
    with pytest.raises(bw.InputError, match="SGF game 2: move 1, Black 'zz'"):
        list(all_from_sgf(two.replace("bb", "zz")))
    name = "五子棋"
    for text, encoding in (
        (f"CA[GB2312]PB[{name}]", "gb2312"),
        (f"PB[{name}]", "utf-8-sig"),
        (f"CA[x]PB[{name}]", "utf-8"),
    ):
        assert from_sgf(decode_sgf(f"(;GM[4]SZ[15]DT[2020]{text})".encode(encoding))).players[0] == name
    assert from_sgf(decode_sgf("(;GM[4]SZ[15]DT[2020]PB[Ö])".encode("latin-1"))).players[0] == "Ö"


def test_the_board_of_the_file_under_the_rules_of_the_game() -> None:
    record = from_sgf("(;GM[4]SZ[6]DT[2020];B[aa])", bw.load("tictactoe", size=5, line=4))
    assert (record.game, record.options) == ("tictactoe", {"size": 6, "rows": 0, "line": 4})


# The command line


@pytest.fixture
def home() -> Library:
    """The library that the commands use."""
    return Library()


def run(*arguments: str, code: int = 0) -> str:
    from boardwright.cli.main import app

    result = CliRunner().invoke(app, ["records", *arguments])
    if code:
        assert isinstance(result.exception, (bw.InputError, SystemExit)), result.output
        return str(result.exception)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from boardwright.cli.main import main; main()", "records", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_list(home: Library) -> None:
    assert "No games yet" in run("list")
    home.save(recorded("tictactoe", started="2026-01-02T03:04:05Z"), recorded("2048", most_plies=9))
    shown = run("list")
    assert "2026-01-02 03:04" in shown
    assert "unfinished" in shown
    assert run("list", "--game", "azul") == "No such games.\n"
    (found,) = json.loads(run("list", "--status", "finished", "--player", "PLAYER", "--json"))
    assert (found["game"], found["plies"]) == ("tictactoe", home.find(game="tictactoe")[0].plies)
    assert "shows more" in run("list", "--limit", "1")


def test_names_with_brackets_are_shown_as_they_are(home: Library) -> None:
    record = dataclasses.replace(recorded("tictactoe"), players=("[red]a[/red]", "[/]"))
    home.save(record)
    for command in (["list"], ["show", record.id], ["replay", record.id]):
        assert "[red]a[/red]" in run(*command)


@pytest.mark.parametrize("name", GAMES)
def test_show_and_replay_print_the_boards(home: Library, name: str) -> None:
    record = recorded(name, 4, 25)
    home.save(record)
    line = list(record.replay().line())
    shown = run("show", record.id[:8])
    assert record.id in shown
    assert str(line[-1]) in shown
    replayed = run("replay", record.id[:8])
    assert f"ply 0 of {len(line) - 1}: the start" in replayed
    for ply, position in enumerate(line[1:], start=1):
        assert f"ply {ply} of {len(line) - 1}: " in replayed
        assert str(position) in replayed


def test_export_and_import(home: Library, tmp_path: Path) -> None:
    records = [recorded(name, started=f"2026-01-0{i}T00:00:00Z") for i, name in enumerate(GAMES, start=1)]
    home.save(*records)
    assert run("export").splitlines() == [record.to_json() for record in records]
    assert run("export", records[1].id[:8], records[0].id).splitlines() == [records[1].to_json(), records[0].to_json()]
    assert run("export", "--game", "azul").splitlines() == [records[GAMES.index("azul")].to_json()]
    assert run("export", "--game", "nothing") == ""
    assert "not by both" in run("export", records[0].id, "--game", "azul", code=2)
    out = tmp_path / "games.jsonl"
    assert f"Wrote {len(GAMES)} records" in run("export", "--out", str(out))
    for record in records:
        assert record.id[:8] in run("delete", record.id)
    assert home.find() == []
    assert f"Imported {len(GAMES)} records" in run("import", str(out))
    assert f"Known already: {len(GAMES)}." in run("import", str(out))
    assert {home.get(record.id) for record in records} == set(records)


def test_export_and_import_of_sgf(home: Library, tmp_path: Path) -> None:
    lines, other = [recorded("tictactoe"), recorded("gomoku")], recorded("2048", most_plies=5)
    home.save(*lines, other)
    out = tmp_path / "games.sgf"
    run("export", lines[0].id, lines[1].id, "--format", "sgf", "--out", str(out))
    for record in lines:
        home.delete(record.id)
    run("import", str(out))
    assert {home.get(record.id) for record in lines} == set(lines)
    (tmp_path / "foreign.sgf").write_text(FOREIGN, encoding="latin-1")
    assert "Imported 1 record" in run("import", str(tmp_path / "foreign.sgf"))
    assert "Imported 0 records" in run("import", str(tmp_path / "foreign.sgf"))


def test_an_export_that_fails_leaves_the_old_file(home: Library, tmp_path: Path) -> None:
    home.save(recorded("tictactoe", started="2026-01-01T00:00:00Z"), recorded("2048", most_plies=5))
    out = tmp_path / "games.sgf"
    out.write_text("precious")
    assert "SGF is for games of lines" in run("export", "--format", "sgf", "--out", str(out), code=2)
    assert out.read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["games.sgf"]
    assert "the library itself" in run("export", "--out", str(home.path), code=2)
    assert "cannot write" in run("export", "--out", str(tmp_path), code=2)
    assert "cannot write" in run("export", "--out", str(tmp_path / "no" / "where"), code=2)
    assert len(home.find()) == 2


def test_a_file_game_needs_its_rules(home: Library, tmp_path: Path) -> None:
    game = bw.load(str(FILE_GAME))
    record = Record.of(played(game, 3), seed=3, players=["a"] * game.players)
    out = tmp_path / "own.jsonl"
    out.write_text(record.to_json() + "\n")
    said = run("import", str(out), code=2)
    assert re.search(r"own.jsonl: line 1: .*not built in.*--game.*; nothing was imported$", said)
    assert home.find() == []
    assert "Imported 1 record" in run("import", str(out), "--game", str(FILE_GAME))
    assert "not built in" in run("show", record.id, code=2)
    assert str(played(game, 3)) in run("show", record.id, "--game", str(FILE_GAME))


def test_bad_input_is_one_line_and_exit_code_2(home: Library, tmp_path: Path) -> None:
    out = tmp_path / "bad.jsonl"
    out.write_text(change(recorded("tictactoe"), plies=["b2", "b2"]))
    for arguments, said in (
        (["show", "abcd"], "no record abcd in"),
        (["import", str(out)], "bad.jsonl: line 1: tictactoe: record ply 2 'b2' - X has b2"),
        (["import", str(tmp_path / "missing.jsonl")], "missing.jsonl: cannot read it: No such file"),
        (["list", "--since", "soon"], "'since' must be"),
    ):
        result = in_a_process(*arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert said in result.stderr
        assert result.stderr.count("\n") == 1
    assert home.find() == []


def test_the_commands_are_imported_without_the_compiler() -> None:
    code = "import sys, boardwright.cli.records, boardwright.records; print({'numba', 'numpy'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"


def test_replay_answers_keys(home: Library) -> None:
    pty = pytest.importorskip("pty")
    record = recorded("tictactoe", 1)
    last = len(record.plies)
    home.save(record)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX in another test's module; the child is replaced at once
        process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        code = "from boardwright.cli.main import main; main()"
        os.execv(sys.executable, [sys.executable, "-c", code, "records", "replay", record.id[:8]])
    seen = ""

    def wait_for(text: str) -> None:
        nonlocal seen
        while text not in seen:
            assert select.select([terminal], [], [], 240)[0], f"no {text!r} in {seen!r}"
            seen += os.read(terminal, 65536).decode()
        seen = seen[seen.index(text) + len(text) :]

    wait_for(f"ply 0 of {last}: the start")
    for keys, ply in ((b"\r", 1), (b"\x1b[C", 2), (b"b", 1), (b"\x1b[D\x1b[D", 0), (b"4\r", 4), (b"999\r", last)):
        os.write(terminal, keys)
        wait_for(f"ply {ply} of {last}: ")
    os.write(terminal, b"0\ra")
    wait_for(f"ply {last} of {last}: ")  # by itself
    os.write(terminal, b"q")
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    os.close(terminal)
