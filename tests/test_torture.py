"""What a hard trial from outside has found, each a test: devices and links, full disks, kills, files that lie."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import io
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.crew import STARTS
from boardwright.arena.report import write_text
from boardwright.contract.errors import BoardwrightWarning, InputError, RuleError
from boardwright.learn.files import place, read_arrays, save_arrays
from boardwright.learn.metrics import NAME, Metrics, read_metrics
from boardwright.learn.models import KEY, SEAL, find_model, has_seal, load_model, save_model, shipped_models
from boardwright.learn.runs import Run
from boardwright.players import PlayerSpec
from boardwright.records import Library, Record
from boardwright.records.sgf import SgfWarning, from_sgf, to_sgf
from tests.processes import run_here


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process, nor of those it starts, grows beyond so many bytes: a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def refused(*arguments: str) -> str:
    """What the command says of bad input: one line."""
    done = run_here(*arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def played(name: str = "tictactoe", moves: str = "b2 a1 c1 a3 a2", **options: Any) -> Record:
    position = bw.load(name, **options).begin()
    for move in moves.split():
        position = position.play(move)
    return Record.of(position, seed=0, players=("one", "two"))


# Files


def test_a_device_is_written_into_and_stays(tmp_path: Path) -> None:
    """A pipe of our own comes first: where that is replaced, the test ends before it harms the machine's /dev/full."""
    full, pipe = tmp_path / "full", tmp_path / "pipe"
    Library().save(played())
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()), daemon=True)
    reader.start()
    assert run_here("records", "export", "--out", str(pipe)).returncode == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    reader.join()
    assert json.loads(heard[0])["game"] == "tictactoe"
    target, link = tmp_path / "target.html", tmp_path / "link.html"
    link.symlink_to(target)
    write_text(link, "report")
    assert link.is_symlink() and target.read_text() == "report" and len(os.listdir(tmp_path)) == 3
    full.symlink_to("/dev/full")
    assert "cannot write" in refused("records", "export", "--out", str(full))
    with pytest.raises(InputError, match="No space left"):
        write_text(full, "report")
    assert full.is_symlink() and stat.S_ISCHR(full.stat().st_mode)


def test_a_full_standard_output_is_one_sentence() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "boardwright", "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "No space left" in done.stderr, done.stderr


@dataclasses.dataclass(frozen=True)
class Settings:
    games: int = 3


def run_in(folder: Path) -> Run:
    return Run(folder, bw.load("tictactoe"), "test", Settings())


def test_a_kill_while_the_heading_is_written_leaves_the_folder_usable(tmp_path: Path) -> None:
    text = (
        "import os, signal, sys; from pathlib import Path; from boardwright.learn.files import FolderLock, place\n"
        "FolderLock(Path(sys.argv[1]))\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "place(Path(sys.argv[1]) / 'run.json', b'half')"
    )
    done = subprocess.run([sys.executable, "-c", text, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL and len(os.listdir(tmp_path)) == 2
    with run_in(tmp_path) as run:
        assert run.resume() is None
    assert json.loads((tmp_path / "run.json").read_text())["game"] == "tictactoe"


def test_links_in_a_run_lead_nowhere(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("not a line of figures")
    folder = tmp_path / "run"
    with run_in(folder):
        pass
    (folder / NAME).unlink()
    (folder / NAME).symlink_to(precious)
    with pytest.raises(InputError, match=r"metrics\.jsonl is a link to another file"), run_in(folder):
        pass
    for name in (".a.writing", ".b.safetensors.writing"):
        (folder / name).symlink_to(precious)
    place(folder / "a", b"new")
    save_arrays(folder / "b.safetensors", {"x": np.zeros(3)}, {})
    assert precious.read_text() == "not a line of figures" and (folder / "a").read_bytes() == b"new"


def test_a_full_disk_in_training_is_one_sentence(tmp_path: Path) -> None:
    def train() -> None:
        with run_in(tmp_path) as run:
            for step in range(100):
                run.log(step, dict.fromkeys("abcdef", 1.0))  # of the events, which are longer, something is left over

    with files_of_at_most(600):
        with pytest.raises(InputError, match=r"cannot write .*metrics\.jsonl: ") as told:
            train()
        left = [getattr(one, "name", "") for one in gc.get_objects() if isinstance(one, io.IOBase) and not one.closed]
        assert not [name for name in left if str(tmp_path) in str(name)], "what is left open complains when collected"
    assert told.value.__suppress_context__, "one message: closing the files adds none"
    with run_in(tmp_path) as run:
        assert run.resume() is None
        run.log(0, {"score": 1.0})
        run.save(0, {"x": np.zeros(2)}, {})


def test_events_without_room_hinder_no_figures(tmp_path: Path) -> None:
    """tensorboardX's own writer waits for ever for a thread that the full disk ended."""
    metrics = Metrics(tmp_path)
    with files_of_at_most(10_000):
        for step in range(60):
            metrics.add(step, 0.0, {f"figure {number}": 1.0 for number in range(9)} if step % 10 == 0 else {})
        metrics.flush()
    metrics.close()
    assert sum(line["step"] for line in read_metrics(tmp_path)) == sum(range(60))


def test_checkpoints_of_wrong_types_are_passed_over(tmp_path: Path) -> None:
    with run_in(tmp_path) as run:
        run.save(1, {"x": np.zeros(2)}, {"a": 1})
        run.save(2, {"x": np.zeros(2)}, {"a": 2})
    newest = sorted((tmp_path / "checkpoints").glob("*.json"))[-1]
    whole = json.loads(newest.read_text())["checkpoint"]
    changes: list[Any] = [{"seconds": "long"}, {"step": None}, {"files": [1]}, {"state": 5}, {"metrics_bytes": {}}]
    for change in [*changes, None]:
        body = [1, 2] if change is None else {**whole, **change}
        seal = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        newest.write_text(json.dumps({"sha256": seal, "checkpoint": body}))
        with run_in(tmp_path) as run:
            found = run.resume()
            assert found is not None and found.step == 1 and len(run.refused) == 1, change
            with pytest.raises(InputError, match="holds what this method did not write"), run.taking_up(found):
                found.state["b"]


# What a command is given


LONG = "x" * 300


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "tictactoe:size=" + "[" * 5000], "must be a whole number"),
        (["check", "tictactoe:size=" + "9" * 5000], "must be a whole number"),
        (["check", "2048:four=" + "9" * 400], "must be a number"),
        (["check", "2048:four=1e999"], "must be a number"),
        (["check", 'tictactoe:size="' + "[" * 5000], "has no end"),
        (["tree", "2048", "--player", f"tuples:table={LONG}", "--out", "x.svg"], "no model 'xxx"),
        (["tree", "tictactoe", "--player", f"net:model={LONG}", "--out", "x.svg"], "no model 'xxx"),
        (["match", "tictactoe", "solver:megabytes=1000000", "random", "--games", "2"], "megabytes=1e+06"),
        (["engine", "piskvork", "--prepare", "²"], "name board sizes"),
        (["engine", "piskvork", "--prepare", "9" * 5000], "name board sizes"),
        (["match", "tictactoe", "random", "random", "--games", "99999999999999999999"], "at most 1,000,000"),
        (["match", "2048", *["random"] * 10, "--games", "1000000"], "ask for fewer"),
        (["analyse", LONG], "File name too long; choose a shorter one"),
        (["records", "export", "--out", LONG], "File name too long"),
        (["check", "\0.py"], "embedded null byte"),
        (["check", "~unknown/mine.py"], "cannot read ~unknown/mine.py"),
        (["check", "[" * 3000], "no game '[[["),
        (["check", "9" * 3000 + ".py"], "File name too long"),
        (["check", 'tictactoe:si"ze="3"'], "is no setting"),
        (["tree", "tictactoe", "--player", f"mcts:tuned={'9' * 3000}", "--out", "x.svg"], "File name too long"),
        (["tree", "tictactoe", "--player", "x" * 3000, "--out", "x.svg"], "no player 'xxx"),
        (["tree", "tictactoe", "--player", "x" * 3000 + ":a", "--out", "x.svg"], "'a' is no setting"),
        (["match", "tictactoe", "~unknown/mine.py:Mine", "random"], "cannot read ~unknown/mine.py"),
        (["match", "tictactoe", "mcts:net=~unknown", "random"], "no model '~unknown'"),
        (["check", "\ud800.py"], "surrogates not allowed"),
        (["check", "a\x1b]0;owned\x07b"], r"a\x1b]0;owned\x07b"),
        (["match", "tictactoe", "mcts:\x1b[2Jx=1", "random"], r"\x1b[2J"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], said: str) -> None:
    with files_of_memory(100):
        told = refused(*arguments)
    assert said in told and len(told) < 700 and told.rstrip("\n").isprintable()


@contextmanager
def files_of_memory(gigabytes: int) -> Iterator[None]:
    """Machines that promise more memory than they have would find room for a table of 500 GB."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (gigabytes * 10**9, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(
    "arguments", [["\x1b[31mnone"], ["match", "tictactoe", "--games", "\x1b[31m1"], ["--\x1b[31m"]]
)
def test_usage_errors_steer_no_terminal(arguments: list[str]) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2 and "\x1b[31m" not in done.stderr + done.stdout


EXITS = {
    "at_import": "import sys\nsys.exit(0)\n",
    "when_made": "import sys\nimport boardwright as bw\nclass G(bw.Game):\n    def __post_init__(self): sys.exit(0)\n",
}


@pytest.mark.parametrize("where", EXITS)
def test_a_game_that_ends_the_process_is_no_success(where: str, tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text(EXITS[where])
    done = run_here("check", str(file))
    assert done.returncode == 1 and "called sys.exit(0)" in done.stdout
    done = run_here("match", str(file), "random", "random")
    assert done.returncode == 2 and "called sys.exit(0)" in done.stderr


def test_a_player_that_ends_the_process_loses_its_game(tmp_path: Path) -> None:
    file = tmp_path / "quitter.py"
    file.write_text(
        "import sys\nclass Quitter:\n    def __init__(self, game): pass\n    def choose(self, p): sys.exit(0)\n"
    )
    result = bw.match(bw.load("tictactoe"), [f"{file}:Quitter", "random"], games=2)
    assert [one.reason for one in result.outcomes if "SystemExit" in one.reason] and len(result.outcomes) == 2


def test_rules_that_end_the_process_are_a_mistake_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.contract.position.SOON_COMPILED", 100)
    file = tmp_path / "quits.py"
    file.write_text(
        "import sys\nimport boardwright as bw\nclass Quits(bw.Game):\n    players = 1\n    actions = 1\n"
        "    def layout(self): return [('turn', 'i1')]\n    def start(self, s): sys.exit(0)\n"
        "    def player(self, s): return 0\n    def legal(self, s, moves): return 0\n"
        "    def play(self, s, move): pass\n"
    )
    with pytest.raises(RuleError, match=r"called sys.exit\(0\)"):
        bw.load(str(file)).begin()
    assert run_here("check", str(file)).returncode == 1


# Workers


KILLED_AT_BIRTH = """
import os, signal, sys, tempfile
from pathlib import Path
marks = Path({marks!r})
if "spawn_main" in " ".join(sys.orig_argv) and len(list(marks.iterdir())) < {times}:
    tempfile.mkstemp(dir=marks)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("times", "ends"), [(2, True), (99, False)])
def test_workers_killed_while_they_start_are_replaced(
    times: int, ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python itself loads `sitecustomize` in each new process, before anything of ours."""
    marks = tmp_path / "marks"
    marks.mkdir()
    (tmp_path / "sitecustomize.py").write_text(KILLED_AT_BIRTH.format(marks=str(marks), times=times))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    planned = bw.load("tictactoe"), ["random", "random"]
    if ends:
        assert bw.match(*planned, games=2, workers=1).table.games == 2
        assert len(list(marks.iterdir())) == times
    else:
        with pytest.raises(bw.BoardwrightError, match=r"killed while they start \(SIGKILL\); is the memory"):
            bw.match(*planned, games=2, workers=1)
        assert len(list(marks.iterdir())) == STARTS + 1


# Models


def rewritten(source: Path, target: Path, change: Any, *, old: bool) -> Path:
    """A model whose heading was changed by hand; `old`: as Boardwright 0.1 wrote it, without a digest of it."""
    arrays, metadata = read_arrays(source)
    heading = json.loads(metadata[KEY])
    change(heading["settings"])
    heading["format"] = 1 if old else heading["format"]
    kept = {name: text for name, text in metadata.items() if not old or name in (KEY, "sha256")}
    save_arrays(target, arrays, {**kept, KEY: json.dumps(heading, sort_keys=True)})
    return target


def test_a_changed_heading_is_known(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    made = save_model(tmp_path / "m.safetensors", "net", game, {"trust": 0.25}, {"x": np.zeros(2)})
    assert load_model(made, "net", game).sealed
    altered = rewritten(made, tmp_path / "a.safetensors", lambda settings: settings.update(trust=9.0), old=False)
    with pytest.raises(InputError, match="was altered: its digest does not fit"):
        load_model(altered, "net", game)
    old = rewritten(made, tmp_path / "o.safetensors", lambda settings: None, old=True)
    with pytest.warns(BoardwrightWarning, match=r"^o\.safetensors is a model of format 1 .* no digest"):
        assert not load_model(old, "net", game).sealed
    arrays, metadata = read_arrays(altered)
    metadata.pop(SEAL)
    save_arrays(altered, arrays, metadata)
    with pytest.raises(InputError, match="was altered: its digest does not fit"):  # nor without the digest
        load_model(altered, "net", game)


def test_models_that_came_before_the_digest_have_one_all_the_same(tmp_path: Path) -> None:
    """Each file, and a copy of it."""
    for name in shipped_models():
        assert has_seal(find_model(name)), name
    altered = rewritten(
        find_model("tictactoe-3x3"), tmp_path / "m.safetensors", lambda settings: settings.update(trust=9.0), old=True
    )
    with pytest.raises(InputError, match="was altered: its digest does not fit"):
        load_model(altered, "net", bw.load("tictactoe"))


@pytest.mark.parametrize(
    "change",
    [
        {"unit": 3.0}, {"unit": "0"}, {"unit": float("nan")}, {"trust": "much"}, {"trust": -1.0}, {"trust": True},
        {"eyes": "all"}, {"eyes": {"cells": [0, 10**400]}}, {"eyes": {"cells": [0, float("inf")]}},
        *({"shape": wrong} for wrong in ({"blocks": 10**9}, {"blocks": 50_000}, {"channels": 10**9},
          {"channels": 99_999}, {"players": 3}, {"bounded": 1}, {"kind": "round"}, {"observed": [3, 3, 4.5]},
          {"hidden": True}, {"bounded": False}, {"channels": 16})),
    ],
)  # fmt: skip
def test_an_old_heading_without_a_digest_is_held_against_the_game(
    change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of 10^9 took for ever, and wrong players or units were played with."""
    monkeypatch.setattr("boardwright.learn.models.EARLY_SEALS", {})  # as if it were a stranger's

    def apply(settings: dict[str, Any]) -> None:
        settings["shape"].update(change.get("shape", {}))
        settings.update({name: value for name, value in change.items() if name != "shape"})

    file = rewritten(find_model("tictactoe-3x3"), tmp_path / "m.safetensors", apply, old=True)
    with (
        pytest.warns(BoardwrightWarning, match="no digest"),
        pytest.raises(InputError, match=r"^m\.safetensors|^the model|^mcts"),
    ):
        bw.player(PlayerSpec("mcts", {"net": str(file), "simulations": "4", "select": "gumbel"}), bw.load("tictactoe"))


def test_a_heading_of_a_megabyte_is_not_repeated(tmp_path: Path) -> None:
    heading = json.dumps({"x": "a" * 5000}).encode()
    (tmp_path / "m.safetensors").write_bytes(len(heading).to_bytes(8, "little") + heading)
    with pytest.raises(InputError, match=r"m\.safetensors is no whole safetensors file") as refused:
        read_arrays(tmp_path / "m.safetensors")
    assert len(str(refused.value)) < 300


# Records


def test_an_altered_record_is_known_from_a_true_one() -> None:
    record = played("gomoku", "h8 a1 h9 a2 h7", size=9)
    whole = json.loads(record.to_json())
    assert Record.from_json(record.to_json()) == record and whole["boardwright_record"] == 2
    for change in (
        {"plies": ["h9", "a1", "h8", "a2", "h7"]}, {"options": {**whole["options"], "line": 6}}, {"seed": 1},
        {"players": ["two", "one"]}, {"note": "won"}, {"seal": "0" * 32}, {"seal": 5}, {"options": {"line": 5}},
    ):  # fmt: skip
        with pytest.raises(InputError, match="altered"):
            Record.from_json(json.dumps({**whole, **change}))


# As Boardwright 0.1 wrote it.
OLD = (
    '{"boardwright_record": 1, "game": "tictactoe", "options": {"size": 3, "rows": 0, "line": 3}, '
    '"digest": "e42d6732fa05a0618c63a804", "seed": 0, "players": ["one", "two"], '
    '"plies": ["b2", "a1", "c1", "a3", "a2"], '
    '"seconds": [], "scores": [0.0, 0.0], "results": null, "status": "unfinished", "note": "", '
    '"started": "2026-08-01T17:30:00Z", "id": "0123456789abcdef0123456789abcdef"}'
)


def test_an_old_record_is_read_and_marked(tmp_path: Path) -> None:
    text, old = OLD, json.loads(OLD)
    library = Library(tmp_path / "records.sqlite3")
    assert library.import_lines([text]).unsealed == 1 and library.import_lines([text]).known == (old["id"],)
    assert not library.get(old["id"]).sealed and list(library.export()) == [text]
    Library().save(Record.from_json(text))
    assert "nothing tells whether it was altered" in run_here("records", "show", old["id"]).stdout
    Library().save(dataclasses.replace(Record.from_json(text), sealed=True))
    assert "nothing tells" not in run_here("records", "show", old["id"]).stdout


def test_options_of_an_imported_record_are_all_there_and_typed(tmp_path: Path) -> None:
    record = dataclasses.replace(played("gomoku", "e5 a1", size=9), sealed=False)
    whole, library = json.loads(record.to_json()), Library(tmp_path / "records.sqlite3")
    for options, said in (
        ({name: value for name, value in record.options.items() if name != "size"}, "does not say size="),
        ({**record.options, "size": "9"}, "option size must be of the type of 9; it is '9'"),
        ({**record.options, "exactly": "false"}, "option exactly must be of the type of false"),
    ):
        with pytest.raises(InputError, match=said):
            library.import_lines([json.dumps({**whole, "options": options})])
        lacking = Record.from_json(json.dumps({**whole, "options": options}))
        for taken in (Record.replay, library.save, lambda one: library.add([one])):
            with pytest.raises(InputError, match=said):
                taken(lacking)
    assert library.find() == []
    sealed = dataclasses.replace(record, options={"size": 9, "line": 5}, sealed=True)  # an option that came later
    library.save(sealed)
    assert library.get(sealed.id).replay().game == bw.load("gomoku", size=9)
    library.delete(sealed.id)
    assert library.import_lines([json.dumps(whole)]).added == (record.id,)


def test_an_sgf_that_was_changed_is_no_longer_ours() -> None:
    record = played("gomoku", "h8 a1 h9 a2 h10")
    text = to_sgf(record)
    assert from_sgf(text) == record
    with pytest.warns(SgfWarning, match="changed since Boardwright wrote it"):
        other = from_sgf(text.replace(";B[hh]", ";B[ii]", 1))
    assert other.id != record.id and other.plies[1:] == record.plies[1:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        unsealed = dataclasses.replace(record, sealed=False)
        assert from_sgf(to_sgf(unsealed)) == unsealed


def test_threads_that_write_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred clients one got no turn within SQLite's patience: it lets those in who ask at the right moment."""
    monkeypatch.setattr("boardwright.records.library.BUSY_SECONDS", 0.01)
    library, told = Library(tmp_path / "records.sqlite3"), list[str]()

    def write() -> None:
        with library.writing():
            told.append("second")

    with library.writing():
        second = threading.Thread(target=write)
        second.start()
        second.join(0.3)  # thirty times the patience: it would have given up by now
        told.append("first")
    second.join()
    assert told == ["first", "second"]


# Positions


def test_a_position_that_cannot_be_shown_is_refused() -> None:
    """A game need not say what is unsound: connect four took a third player's disc, and its board stumbled later."""
    game = bw.load(str(Path(__file__).parents[1] / "docs" / "examples" / "connect_four.py"))
    position = json.loads(game.begin(debug=True).play("1").to_json())
    position["state"]["cells"][0][0] = 3
    with pytest.raises(InputError, match="cannot arise in play: the rules stumble over it"):
        game.from_json(json.dumps(position))


def test_a_position_that_cannot_be_drawn_is_refused() -> None:
    """Yacht took a die of 85 eyes, and its picture stumbled later."""
    game = bw.load(str(Path(__file__).parents[1] / "docs" / "examples" / "yacht.py"))
    position = json.loads(game.begin(seed=1, debug=True).to_json())
    position["state"]["dice"][0] = 85
    with pytest.raises(InputError, match="cannot arise in play: the rules stumble over it"):
        game.from_json(json.dumps(position))


# Refusals


def test_a_refusal_shows_the_ends_of_what_is_long() -> None:
    told = run_here("train", "2048", "--method", "x" * 5000)
    assert told.returncode == 2 and 0 < len(told.stderr) < 600 and "xxx...xxx" in told.stderr
    with pytest.raises(InputError, match=r"^.{1,600}$"):
        bw.player(f"mcts:rollout={'x' * 5000}", bw.load("tictactoe"))


# Random sources


def test_random_numbers_come_from_whatever_one_has() -> None:
    game = bw.load("2048")
    start = game.begin(seed=1)
    chance = start.play(start.moves[0])
    for source in (lambda: 7, lambda: np.int64(7), lambda: bw.Random(7)):
        assert chance.sample(source()) == chance.sample(7) and game.begin(seed=source()) == game.begin(seed=7)
    rng = np.random.default_rng(1)
    drawn = {chance.sample(rng).key for _ in range(30)}
    assert len(drawn) > 3, "it goes on from call to call"
    assert chance.settle(np.random.default_rng(1)) == chance.settle(np.random.default_rng(1))
    assert game.begin(np.random.default_rng(2)).player == 0
    for wrong in ("7", 1.5, None, True):
        with pytest.raises(InputError, match="gives no random numbers"):
            chance.sample(wrong)  # type: ignore[arg-type]  # what a caller may well try
    with pytest.raises(InputError, match="chance does not move here"):
        start.sample(1)
