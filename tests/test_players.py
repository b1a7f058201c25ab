"""Players: specs that are read once, kinds that anybody can add, and a control that every player obeys."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardwright as bw
from boardwright.arena.match import Entrant
from boardwright.contract.settings import join_settings, split_settings
from boardwright.players import PlayerSpec, Progress, player_kinds, seeded
from boardwright.players.kinds import kind_of
from boardwright.search.stopping import STOPPED
from tests.marks import slowly
from tests.processes import run_here

HOUR = 3600
TESTS = Path(__file__).parent
DICE, VALUE = str(TESTS / "games" / "dicerace.py"), TESTS / "formats" / "0.2.0" / "value.safetensors"  # learnt for it
OWN = '''
from dataclasses import dataclass
import boardwright as bw

class Last(bw.Player):
    """Plays the last move there is, or one before it."""

    @dataclass(frozen=True)
    class Settings:
        back: int = 0  # how many before the last
        seed: int = 0

    def __init__(self, game, spec, settings):
        self.settings = settings

    def choose(self, position, control=None):
        return bw.Choice(position.moves[-1 - self.settings.back % len(position.moves)])

class First:
    """Plays the first move there is; no class of ours, with keywords as settings."""

    def __init__(self, game, skip=0):
        self.skip = skip

    def choose(self, position):
        return position.text(position.moves[self.skip % len(position.moves)])
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "a,b=c" / "mine.py"
    path.parent.mkdir()
    path.write_text(OWN)
    return path


# Specs


@pytest.mark.parametrize(
    ("text", "kind", "settings"),
    [
        ("random", "random", {}),
        ("net:", "net", {}),
        (" mcts : simulations = 80 , seed=1 ", "mcts", {"simulations": "80", "seed": "1"}),
        ("mcts:net=/runs/a=b,seed=1", "mcts", {"net": "/runs/a=b", "seed": "1"}),
        ("mcts:net=C:\\runs\\x.py", "mcts", {"net": "C:\\runs\\x.py"}),
        ('mcts:net="a,b=c",seed=1', "mcts", {"net": "a,b=c", "seed": "1"}),
        ('mcts:net="say \\"hi\\", twice" ,seed=1', "mcts", {"net": 'say "hi", twice', "seed": "1"}),
        ("mine.py", "mine.py", {}),
        ("mine.py:Deep:depth=3", "mine.py:Deep", {"depth": "3"}),
        ("mine.py:depth=3", "mine.py", {"depth": "3"}),
        ("a=b,c/mine.py:Deep:depth=3", "a=b,c/mine.py:Deep", {"depth": "3"}),
        ("C:\\mine.py:Deep:model=other.py", "C:\\mine.py:Deep", {"model": "other.py"}),
    ],
)
def test_a_spec_is_a_kind_and_its_settings(text: str, kind: str, settings: dict[str, str]) -> None:
    spec = PlayerSpec.parse(text)
    assert (spec.kind, spec.settings) == (kind, settings)
    assert PlayerSpec.parse(str(spec)) == spec and hash(PlayerSpec.parse(str(spec))) == hash(spec)
    assert bool(spec.file) is spec.is_file is (".py" in kind)


@given(st.dictionaries(st.from_regex(r"[a-z]\w{0,5}", fullmatch=True), st.text()))
def test_whatever_a_setting_holds_is_read_again(values: dict[str, str]) -> None:
    assert split_settings("x", join_settings(values)) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [('mcts:net="a,b', "has no end"), ('mcts:net="a"b', "a comma must follow"), ("mcts:=3", "is no setting")],
)
def test_what_is_no_spec_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(bw.InputError, match=message):
        PlayerSpec.parse(text)


def test_a_seed_is_given_where_the_kind_takes_one_and_none_is_there() -> None:
    game = bw.load("2048")
    assert str(seeded("mcts:simulations=5", game, 7)) == "mcts:simulations=5,seed=7"
    assert str(seeded("mcts:seed=1,simulations=5", game, 7)) == "mcts:seed=1,simulations=5"
    assert str(seeded("heuristic", game, 7)) == "heuristic"


# Kinds


@pytest.mark.parametrize("name", ["tictactoe", "2048", "nmbr9", "azul", "openspiel:tic_tac_toe", "gomoku:size=6"])
def test_every_kind_that_a_game_lists_can_play_it(name: str) -> None:
    game = bw.load(name)
    kinds = player_kinds(game)
    assert all(kinds.values()), "each says what it is"
    for kind in kinds:
        assert bw.player(kind, game).spec == kind


def test_a_game_lists_only_what_can_play_it() -> None:
    assert "solver" in player_kinds(bw.load("tictactoe")) and "tuples" not in player_kinds(bw.load("tictactoe"))
    assert {"tuples", "heuristic"} <= player_kinds(bw.load("2048")).keys()
    assert not {"solver", "values", "net"} & player_kinds(bw.load("2048")).keys()
    assert not {"tuples", "heuristic"} & player_kinds(bw.load("2048:size=3")).keys()
    assert "values" in player_kinds(bw.load("nmbr9")) and "values" not in player_kinds(bw.load("nmbr9:table=20"))


def test_a_player_of_a_file_is_named_like_any_other(mine: Path) -> None:
    game = bw.load("tictactoe")
    position = game.begin()
    assert position.text(bw.player(f"{mine}:Last", game).choose(position).move) == "c1"
    back = bw.player(f"{mine}:Last:back=2", game)
    assert position.text(back.choose(position).move) == "a1" and back.spec == f"{mine}:Last:back=2"
    first = bw.player(f"{mine}:First:skip=1", game)
    assert first.choose(position).move == position.moves[1]
    assert seeded(f"{mine}:Last", game, 3).settings == {"seed": "3"}
    assert seeded(f"{mine}:First", game, 3).settings == {}


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "defines several players; name one as mine.py:Class; it has Last, First"),
        (":Middle", "defines no player 'Middle'"),
        (":Last:depth=3", "has no setting 'depth'; its settings are: back=0, seed=0"),
        (":First:skip=many", "skip='many' does not fit; it must be a whole number"),
    ],
)
def test_what_a_file_has_not_is_refused_with_what_it_has(mine: Path, rest: str, message: str) -> None:
    with pytest.raises(bw.InputError) as caught:
        bw.player(f"{mine}{rest}", bw.load("tictactoe"))
    assert message in str(caught.value)


PLAIN = """
from typing import Optional
import boardwright as bw

class Corner:
    def choose(self, position):
        return position.moves[0]

class Sub(bw.Player):
    def choose(self, position, control=None):
        return bw.Choice(position.moves[0])

class Named:
    def __init__(self, *, back=1):
        self.back = back

    def choose(self, position):
        return position.moves[-min(self.back, len(position.moves))]

class Unset:
    def __init__(self, game, depth: int = None, share: "float | None" = None, far: Optional[bool] = None, name=None):
        self.seen = depth, share, far, name

    def choose(self, position):
        return position.moves[0]

class Broken:
    def __init__(self, game):
        raise ValueError("no such table")

    def choose(self, position):
        return position.moves[0]

class Abstract(bw.Player):
    pass
"""


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain.py"
    path.write_text(PLAIN)
    return path


@pytest.mark.parametrize("kind", ["Corner", "Sub", "Named:back=9"])
def test_a_class_that_takes_no_game_is_a_player_too(plain: Path, kind: str) -> None:
    game = bw.load("tictactoe")
    made = bw.player(f"{plain}:{kind}", game)
    assert made.choose(game.begin()).move == 0 and made.game == game and made.spec == f"{plain}:{kind}"
    played = run_here("play", "tictactoe", "--seat", f"{plain}:{kind}", "--seat", "random", "--seed", "1")
    assert played.returncode == 0, played.stderr


def test_a_setting_that_is_none_by_default_is_what_its_annotation_says(plain: Path) -> None:
    game = bw.load("tictactoe")
    for settings, seen in (
        ("depth=3,share=1,far=true,name=x", (3, 1.0, True, "x")),
        ("depth=2", (2, None, None, None)),
    ):
        spec = PlayerSpec.parse(f"{plain}:Unset:{settings}")
        made = kind_of(spec, game).make(game, spec, str(spec))
        assert vars(made)["_own"].seen == seen
    with pytest.raises(bw.InputError, match="depth='many' does not fit; it must be a whole number"):
        bw.player(f"{plain}:Unset:depth=many", game)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("Broken", "player Broken: making it raised ValueError: no such table"),
        ("Abstract", "player Abstract: making it raised TypeError: Can't instantiate abstract class"),
    ],
)
def test_a_class_that_cannot_be_made_is_told_in_one_sentence(plain: Path, kind: str, told: str) -> None:
    with pytest.raises(bw.InputError) as caught:
        bw.player(f"{plain}:{kind}", bw.load("tictactoe"))
    assert str(caught.value).startswith(told)
    played = run_here("play", "tictactoe", "--seat", f"{plain}:{kind}", "--seat", "random")
    assert played.returncode == 2 and told in played.stderr and "Traceback" not in played.stderr


def test_a_package_adds_a_kind_by_an_entry_point(tmp_path: Path) -> None:
    """In a process of its own, as entry points are read once."""
    (tmp_path / "theirs.py").write_text(OWN)
    about = tmp_path / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[boardwright.players]\nlast = theirs:Last\nmissing = theirs:Nobody\nmcts = theirs:Last\n"
    )
    code = (
        "import boardwright as bw; from boardwright.players import player_kinds; g = bw.load('tictactoe');"
        "kinds = player_kinds(g);"
        "print(kinds['last'], bw.player('last:back=1', g).choose(g.begin()).move, 'missing' in kinds,"
        "type(bw.player('mcts', g)).__name__)"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.stdout.split("\n")[0] == "Plays the last move there is, or one before it. 7 False SearchPlayer", (
        done.stderr
    )


def test_a_setting_by_its_old_name_is_read_with_a_warning() -> None:
    game = bw.load("nmbr9")
    with pytest.warns(DeprecationWarning, match="best is called closely now"):
        old = bw.player("values:plies=2,best=3", game)
    new = bw.player("values:plies=2,closely=3", game)
    assert vars(old)["settings"] == vars(new)["settings"]
    with pytest.raises(bw.InputError, match="best is what closely was called; give one of them"):
        bw.player("values:best=3,closely=4", game)


# Control


def for_an_hour(game: str) -> list[str]:
    return {
        "tictactoe": [
            f"mcts:seconds={HOUR},proofs=false",
            f"mcts:seconds={HOUR},proofs=false,threads=2",
            f"mcts:net=auto,seconds={HOUR},proofs=false",
            f'slips:epsilon=0,of="mcts:seconds={HOUR},proofs=false"',
            "hybrid:simulations=1000000000",
            "masb:rollouts=100000000",
        ],
        "gomoku:size=6": ["solver:nodes=0,order=history"],
        "2048": [
            f"tuples:seconds={HOUR}",
            "tuples:plies=16",
            f"heuristic:seconds={HOUR}",
            "expectimax:depth=30,nodes=1000000000000",
        ],
        "nmbr9": [f"values:seconds={HOUR}", "values:simulations=1000000000", f"value:model=nmbr9,seconds={HOUR}"],
        DICE: [f"mcts:value={VALUE},seconds={HOUR},proofs=false"],
    }[game]


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *((name, spec) for name in ("tictactoe", "gomoku:size=6", "2048", "nmbr9", DICE) for spec in for_an_hour(name)),
        *slowly(("2048", f"mcts:table=auto,seconds={HOUR},select=ucb1")),
    ],
)
def test_every_player_stops_when_it_is_told_and_answers_with_what_it_has(name: str, spec: str) -> None:
    """A thought of an hour proves it by ending at all; first by the third poll, then from another thread. How soon is
    counted in slices of the thought, which are made to last a few hundredths of a second: each thread ends the one
    that it is in, begins no other, and at most asks once more why it ended."""
    game = bw.load(name)
    player, position = bw.player(spec, game), game.begin(seed=1)
    polls: list[bool] = []

    def third() -> bool:
        polls.append(len(polls) >= 2)
        return polls[-1]

    choice = player.choose(position, bw.Control(third))
    assert choice.move in position.moves and STOPPED in choice.note
    assert 1 <= sum(polls) <= max(1, player.trees) + 1
    begun, asked, late = threading.Event(), threading.Event(), list[Progress]()

    def report(progress: Progress) -> None:
        begun.set()
        if asked.is_set():
            late.append(progress)

    control = bw.Control(report=report)
    answers: list[bw.Choice] = []
    thread = threading.Thread(target=lambda: answers.append(player.choose(position, control)))
    thread.start()
    begun.wait()
    control.stop()
    asked.set()
    thread.join()
    assert answers[0].move in position.moves and STOPPED in answers[0].note
    assert len(late) <= max(1, player.trees) + 1


@pytest.mark.parametrize(
    ("name", "spec"),
    [("tictactoe", "random"), ("tictactoe", "greedy"), ("tictactoe", "net"), ("2048", "tuples:plies=1")],
)
def test_a_player_that_needs_no_time_answers_all_the_same(name: str, spec: str) -> None:
    game = bw.load(name)
    assert bw.player(spec, game).choose(game.begin(), bw.Control(lambda: True)).move in game.begin().moves


def test_a_search_tells_how_far_it_is_and_hands_over_its_tree() -> None:
    game = bw.load("tictactoe")
    heard: list[Progress] = []
    control = bw.Control(report=heard.append, wants_tree=True)
    player = bw.player("mcts:simulations=900,proofs=false", game)
    choice = player.choose(game.begin(), control)
    assert [one.simulations for one in heard] == sorted(one.simulations for one in heard)
    assert heard[-1].simulations == 900 and heard[-1].share == 1.0 and heard[0].share < 1.0
    (tree,) = control.trees
    assert tree is heard[-1].trees[0] and int(tree.stats["simulations"][0]) == 900
    so_far = heard[-1].choose()
    assert so_far is not None and so_far.move == choice.move and so_far.visits == choice.visits
    assert player.trees == 1 and bw.player("mcts:threads=2", game).trees == 2 and bw.player("greedy", game).trees == 0


def test_whether_somebody_listens_changes_no_tree() -> None:
    game = bw.load("tictactoe")
    heard, alone = (bw.player("mcts:simulations=900,seed=3", game) for _ in range(2))
    so_far: list[bw.Choice | None] = []
    control = bw.Control(report=lambda progress: so_far.append(progress.choose()))
    assert heard.choose(game.begin(), control).visits == alone.choose(game.begin()).visits


# Players of the caller's own in a match


def test_a_match_takes_specs_and_players_of_the_callers_own(tmp_path: Path, mine: Path) -> None:
    game = bw.load("tictactoe")

    def centre(position: bw.Position) -> str:
        texts = [position.text(move) for move in position.moves]
        return "b2" if "b2" in texts else texts[0]

    entrants: list[Entrant] = [PlayerSpec("random"), bw.player("greedy", game), centre, f"{mine}:First"]
    library = bw.Library(tmp_path / "records.sqlite3")
    result = bw.match(game, entrants, 4, round_robin=True, library=library)
    assert result.players == ("random", "greedy", "centre", f"{mine}:First")
    assert result.table.games == 6 * 4
    saved = [library.get(one.id) for one in result.outcomes]
    assert {name for record in saved for name in record.players} == set(result.players)
    again = bw.match(game, entrants, 4, round_robin=True, library=library)
    ids, fresh = ({one.id for one in each.outcomes} for each in (result, again))
    assert len(ids & fresh) == 4, "only the two that have a spec are known again"


def test_a_player_of_the_callers_own_that_goes_wrong_loses(tmp_path: Path) -> None:
    library = bw.Library(tmp_path / "records.sqlite3")
    result = bw.match(bw.load("tictactoe"), [lambda position: 99, "random"], 2, library=library)
    assert [one.reason for one in result.outcomes] == [
        f"player {seat} (<lambda>) played 99, which is not legal there" for seat in (1, 2)
    ]


def test_a_player_of_the_callers_own_stays_in_this_process(tmp_path: Path) -> None:
    game = bw.load("tictactoe")
    library = bw.Library(tmp_path / "records.sqlite3")
    with pytest.raises(bw.InputError, match="plays in this process only; leave workers out"):
        bw.match(game, [bw.player("greedy", game), "random"], 2, workers=1, library=library)
    with pytest.raises(bw.InputError, match=r"a player of gomoku\(.*\) cannot play"):
        bw.match(game, [bw.player("random", bw.load("gomoku")), "random"], 2, library=library)
    with pytest.raises(bw.InputError, match="7 is no player"):
        bw.match(game, [7, "random"], 2, library=library)  # type: ignore[list-item]  # the mistake that is refused
