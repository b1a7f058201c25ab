"""Every game, the examples included, keeps the same contract; and the parts of it that no game's own test holds."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.check import conformance
from boardwright.compile.kernel import interpret, kernel
from boardwright.compile.random import below, bits, pick, unit
from boardwright.contract.errors import InputError
from boardwright.contract.random import Random, RandomSource, as_seed
from boardwright.contract.random import below as plain_below
from boardwright.contract.random import pick as plain_pick
from boardwright.contract.random import unit as plain_unit
from boardwright.contract.state import record_dtype
from tests.marks import examples, slowly, thorough

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
SPECS = [
    "tictactoe", "2048", "nmbr9", "azul",
    str(EXAMPLES / "connect_four.py"), str(EXAMPLES / "pig.py"), str(EXAMPLES / "royal_ur.py"),
    str(EXAMPLES / "breakthrough.py"),
    *slowly(
        str(EXAMPLES / "ludo.py") + ":players=4", str(EXAMPLES / "cant_stop.py"), str(EXAMPLES / "oware.py"),
        "tictactoe:size=5,rows=4,line=4", "gomoku", "gomoku:size=6,line=4,exactly=true", "2048:size=3,four=0.2",
        "nmbr9:table=24,levels=4", "azul:players=3", "azul:players=4,rounds=2",
        str(EXAMPLES / "ludo.py") + ":players=3,tokens=4", str(EXAMPLES / "cant_stop.py") + ":players=4",
    ),
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).name)
def test_the_game_keeps_the_contract(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not thorough():  # three games side by side at least, not four seconds of them
        monkeypatch.setattr(conformance, "INTERPRETED_SECONDS", 0.5)
    report = bw.check_game(bw.load(spec), games=300, seed=7, patience=120)
    assert report.lines[-1][0] == "play" and "300 games end" in report.lines[-1][1]


@kernel
def numbers(rng: np.ndarray, counts: np.ndarray, weights: np.ndarray, out: np.ndarray) -> None:
    """One of each kind of random number, in turn."""
    for i in range(len(out)):
        if i % 4 == 0:
            out[i] = float(bits(rng) >> np.uint64(40))
        elif i % 4 == 1:
            out[i] = float(below(rng, counts[i % len(counts)]))
        elif i % 4 == 2:
            out[i] = unit(rng)
        else:
            out[i] = float(pick(rng, weights, len(weights)))


@examples(50)
@given(seed=st.integers(0, 2**64 - 1), weights=st.lists(st.floats(0, 10), min_size=1, max_size=9))
def test_random_numbers_are_the_same_compiled_and_interpreted(seed: int, weights: list[float]) -> None:
    outs = []
    for run in (numbers, interpret(numbers)):
        rng, out = np.array([seed], np.uint64), np.zeros(40)
        run(rng, np.array([1, 2, 7, 2**31], np.int64), np.array(weights), out)
        outs.append((out.tolist(), int(rng[0])))
    assert outs[0] == outs[1]


def test_splitmix64_gives_its_published_sequence() -> None:
    """The first outputs for seed 1234567, as published with the algorithm."""
    rng = Random(1234567)
    assert [rng.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_pick_follows_the_weights() -> None:
    rng = Random(3)
    counts = np.bincount([rng.pick([1.0, 0.0, 3.0]) for _ in range(8000)], minlength=3)
    assert counts[1] == 0 and abs(counts[0] / 8000 - 0.25) < 0.02


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("go", "no game 'go'; there are tictactoe, gomoku, 2048, nmbr9, azul, path/to/file.py:Class"),
        ("azul:player=3", "azul has no setting 'player'; its settings are: players=2, rounds=20"),
        ("azul:players=three", "azul: players='three' does not fit; it must be a whole number"),
        ("azul:players=9", "azul"),
        ("gomoku:size", "gomoku: 'size' is no setting; write name=value"),
        ("no/such/file.py:Game", "cannot read no/such/file.py"),
        (str(EXAMPLES / "pig.py:Hog"), "pig.py defines no game 'Hog'; it has Pig"),
    ],
)
def test_what_cannot_be_loaded_is_refused_with_what_can(spec: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        bw.load(spec)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_with_a_mistake_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import boardwright as bw\nclass A(bw.Game\n")
    with pytest.raises(bw.RuleError, match=r"broken\.py:2: "):
        bw.load(str(path))
    path.write_text("import boardwright as bw\nx = 1 / 0\n")
    with pytest.raises(bw.RuleError, match=r"broken\.py: importing it raised ZeroDivisionError"):
        bw.load(str(path))
    path.write_text("x = 1\n")
    with pytest.raises(InputError, match="defines no game"):
        bw.load(str(path))


@examples(80)
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_random_bytes_are_no_position_and_no_move(data: bytes) -> None:
    text = data.decode("latin-1")
    for name in ("tictactoe", "2048", "azul", "nmbr9"):
        position = bw.load(name).begin()
        with pytest.raises(InputError):
            position.game.from_json(text)
        legal = {position.text(move).casefold() for move in position.moves}
        if text.strip().casefold() not in legal:
            with pytest.raises(InputError):
                position.parse(text)


@pytest.mark.parametrize(
    "make", [lambda: np.random.default_rng(5), lambda: random.Random(5), lambda: bw.Random(5)],
    ids=["NumPy", "Python", "ours"],
)  # fmt: skip
def test_any_generator_will_do_and_goes_on_from_call_to_call(make: Callable[[], RandomSource]) -> None:
    game = bw.load(str(EXAMPLES / "pig.py"))
    rolling = game.begin().play(game.begin().moves[0])
    assert rolling.is_chance

    def rolls(source: RandomSource) -> list[int | None]:
        return [rolling.sample(source).step for _ in range(12)]

    assert rolls(make()) == rolls(make()) and len(set(rolls(make()))) > 1
    source = make()
    assert game.begin(source).player == 0 and not rolling.settle(source).is_chance
    assert len({as_seed(source) for _ in range(4)}) == 4
    assert bw.Random(make()).bits() == bw.Random(make()).bits() != bw.Random(source).bits()


def test_a_number_is_its_own_seed_and_what_draws_nothing_is_refused() -> None:
    assert (as_seed(7), as_seed(np.int64(7))) == (7, 7)
    for wrong in ("1", None, True, 1.5, np.random):
        with pytest.raises(InputError, match="gives no random numbers; take a whole number"):
            as_seed(wrong)  # type: ignore[arg-type]  # what people try
        with pytest.raises(InputError, match="gives no random numbers; take a whole number"):
            bw.Random(wrong)  # type: ignore[arg-type]  # as above
    assert bw.Random(-1).bits() == bw.Random(2**64 - 1).bits() == bw.Random(np.int64(-1)).bits()
    drawn = [bw.match(bw.load("tictactoe"), ["random", "random"], 2, random.Random(3)).to_json() for _ in range(2)]
    assert drawn[0] == drawn[1]


@examples(40)
@given(cut=st.floats(0, 1), name=st.sampled_from(["gomoku", "2048", "azul", "nmbr9"]))
def test_a_cut_position_is_refused(cut: float, name: str) -> None:
    position = bw.load(name).begin(seed=3)
    text = position.to_json()
    whole = int(len(text) * cut)
    if whole < len(text):
        with pytest.raises(InputError):
            position.game.from_json(text[:whole])


def test_debug_positions_run_the_rules_as_plain_python() -> None:
    game = bw.load("azul")
    fast, slow = game.begin(seed=5), game.begin(seed=5, debug=True)
    rng = Random(8)
    for _ in range(40):
        assert fast == slow and fast.moves == slow.moves
        move = fast.moves[rng.below(len(fast.moves))]
        luck = rng.bits()
        fast, slow = fast.play(move).settle(Random(luck)), slow.play(move).settle(Random(luck))


def test_positions_answer_before_the_compiler_and_with_it_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    from boardwright.compile import compiler
    from boardwright.contract import position
    from boardwright.contract.random import Random

    game = bw.load("2048", four=0.3)  # options that no other test uses: nothing of it is compiled yet
    compiled: list[str] = []
    make = compiler.kernel_dispatcher

    def noted(door: Any) -> Any:
        compiled.append(door.__name__)
        return make(door)

    monkeypatch.setattr(compiler, "kernel_dispatcher", noted)
    monkeypatch.setattr(position, "SOON_COMPILED", 60)
    monkeypatch.setattr(position, "_asked", type(position._asked)())

    def walk(**how: bool) -> list[tuple[bytes, tuple[int, ...]]]:
        rng, here, seen = Random(5), game.begin(3, **how), []
        for _ in range(80):
            seen.append((here.record.tobytes(), here.moves))
            here = here.sample(rng) if here.is_chance else here.play(here.moves[rng.below(len(here.moves))])
        return seen

    first = game.begin(3)
    assert first.moves and not compiled
    assert walk() == walk(debug=True)
    assert {"look", "play_move", "draw_outcome"} <= set(compiled)


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ([], "at least one field"),
        ([("mark", "U3")], "use one of i1, u1"),
        ([("open", "b1", (4,))], r"'open' is an array of b1, which does not compile; use i1, 0 and 1"),
        ([("from", "i1")], "cannot be a field's name"),
        ([("cells", "i1", "four")], "NumPy cannot read it"),
    ],
)
def test_a_layout_that_no_state_can_have_is_refused_with_the_cure(layout: Any, said: str) -> None:
    with pytest.raises(bw.RuleError, match=rf"^Marks\.layout: .*{said}"):
        record_dtype("Marks", layout)


def test_a_rule_that_fails_before_the_compiler_is_told_as_its_authors_mistake() -> None:
    from boardwright.contract import position

    class Broken(bw.Game):
        """A game whose player cannot be told."""

        players = 1
        actions = 1

        def layout(self):  # type: ignore[no-untyped-def]  # Numba types rules
            return [("turn", "i1")]

        def player(self, s):  # type: ignore[no-untyped-def]  # Numba types rules
            return s.nobody

        def legal(self, s, moves):  # type: ignore[no-untyped-def]  # Numba types rules
            return 0

        def play(self, s, move):  # type: ignore[no-untyped-def]  # Numba types rules
            s.turn = 1

        def scores(self, s, out):  # type: ignore[no-untyped-def]  # Numba types rules
            out[0] = 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(position, "SOON_COMPILED", 100)
        with pytest.raises(bw.RuleError, match="nobody"):
            Broken().begin()


@kernel
def drawn_by_the_contract(rng: Any, weights: Any) -> Any:
    return plain_pick(rng, weights, len(weights)), plain_below(rng, 10), plain_unit(rng)


def test_a_rule_may_use_the_random_numbers_of_the_contract_compiled_and_interpreted_alike() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    for seed in range(20):
        one, two = Random(seed), Random(seed)
        assert drawn_by_the_contract(one.state, weights) == interpret(drawn_by_the_contract)(two.state, weights)
        assert one.state[0] == two.state[0]


def test_a_file_changed_within_a_second_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path, text = tmp_path / "pig.py", Path("docs/examples/pig.py").read_text(encoding="utf-8")
    for target in (41, 42):
        path.write_text(text.replace("target: int = 100", f"target: int = {target}"))
        os.utime(path, (1e9, 1e9))  # the same moment, and as many letters
        assert bw.load(str(path)).options == {"target": target}


def test_threads_that_load_one_file_at_once_find_the_whole_of_it(tmp_path: Path) -> None:
    """A file that takes a while to execute is not found half done."""
    file = tmp_path / "waits.py"
    file.write_text((EXAMPLES / "pig.py").read_text().replace("import boardwright as bw\n", WAITS, 1))
    with ThreadPoolExecutor(2) as pool:
        games = [one.result() for one in [pool.submit(bw.load, str(file)) for _ in range(2)]]
    assert games[0] == games[1]


WAITS = """import threading
import boardwright as bw

threading.Event().wait(0.3)
"""
