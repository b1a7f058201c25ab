"""The search theatre over the socket: what is told is the search's own tree, and bad questions get one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.players import Control
from boardwright.search.tree import Tree
from boardwright.serve.limits import Limits
from tests.serving import Served, final, send, served

PIG = str(Path(__file__).parents[1] / "docs" / "examples" / "pig.py")
LIMITS = Limits(theatres=3, theatres_each=2, theatre_simulations=300)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games"), LIMITS, files=(PIG,)) as running:
        yield running


def asked(server: Served, **fields: Any) -> dict[str, Any]:
    with server.socket() as line:
        send(line, "q", "theatre", **fields)
        return final(line, "q")


def every(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node["children"]:
        yield from every(child)


def searched(name: str, spec: str, moves: str, seed: int) -> Tree:
    """The tree of the player that plays in earnest."""
    game = bw.load(name)
    position = game.begin(seed)
    for move in moves.split():
        position = position.play(move)
    control = Control(wants_tree=True)
    bw.player(spec, game).choose(position, control)
    (tree,) = control.trees
    return tree


def test_what_is_told_is_the_tree_of_the_search_in_earnest(server: Served) -> None:
    told = asked(
        server, game="tictactoe", moves=["b2", "a1"], seed=3, settings={"c": "0.6"}, simulations=80, at=80, top=8
    )
    tree = searched("tictactoe", "mcts:simulations=80,c=0.6,seed=3", "b2 a1", 3)
    assert told["at"] == 80 == told["limit"] and told["ended"] == "spent"
    nodes = list(every(told["tree"]))
    assert len(nodes) > 10 and {str(node["slot"]) for node in nodes} == set(told["boards"])
    for node in nodes:
        assert node["visits"] == tree.slots["visits"][node["slot"]]
        if node["value"] is not None:
            assert node["value"] == float(tree.q(node["slot"])[node["whose"]])
    assert told["moves"][0]["best"] and sum(move["visits"] for move in told["moves"]) == 80
    one = told["simulation"]
    assert one["number"] == 80 and [step["visits"] for step in one["backup"]][-1] == [79, 80]


def test_chance_has_its_odds_and_a_draw_lags_behind_them(server: Served) -> None:
    told = asked(server, game="Pig", moves=["roll", "~4"], seed=1, simulations=60, at=60, top=6, depth=2)
    rolls = [node for node in every(told["tree"]) if node["actor"] == -1 and node["children"]]
    assert rolls
    for node in rolls:
        assert {child["text"] for child in node["children"]} <= set("123456")
        assert all(child["prior"] == pytest.approx(1 / 6) for child in node["children"])
    for at in range(30, 61):
        one = asked(server, game="Pig", moves=["roll", "~4"], seed=1, simulations=60, at=at)["simulation"]
        drawn = [choice for choice in one["decisions"] if choice["rule"] == "chance"]
        if drawn:
            best = max(child["score"] for child in drawn[0]["children"])
            (chosen,) = (child for child in drawn[0]["children"] if child["slot"] == drawn[0]["chosen"])
            assert chosen["score"] == best == pytest.approx((drawn[0]["visits"] + 1) / 6 - chosen["visits"])
            return
    pytest.fail("no simulation met a roll")


def test_a_link_means_the_same_tree_however_one_came_to_it(server: Served) -> None:
    where: dict[str, Any] = {"game": "tictactoe", "seed": 5, "simulations": 40}
    alone = asked(server, **where, at=25)
    for at in (1, 2, 24, 25):
        walked = asked(server, **where, at=at)
    assert walked == alone
    asked(server, **where, at=40)
    assert asked(server, **where, at=25) == alone, "and back again"
    known = [node["slot"] for node in every(alone["tree"])]
    assert asked(server, **where, at=25, known=known)["boards"] == {}


def test_a_search_that_ends_early_shows_its_last_simulation(server: Served) -> None:
    told = asked(server, game="tictactoe", moves="a1 b1 a2 b2".split(), simulations=300, at=300)
    assert told["ended"] == "proven" and told["at"] < 300
    assert told["simulation"]["number"] == told["at"] and told["tree"]["proven"] == "won"
    assert any(step["proven"] for step in told["simulation"]["backup"])


def test_a_position_of_a_game_and_one_of_nobodys(server: Served) -> None:
    table = server.play(server.begin("tictactoe", seed=1), "b2")
    told = asked(server, table=table["id"], ply=1, at=5)
    assert told["player"] == 1 and told["at"] == 5
    assert "hint" in server.get(f"/api/tables/{table['id']}").json()["note"], "whoever looks at a search is helped"
    position = server.post("/api/look", table=table["id"], ply=1).json()["position"]
    same = asked(server, position=position, steps=[], at=5)
    assert [move["visits"] for move in same["moves"]] == [move["visits"] for move in told["moves"]]


def test_before_the_first_simulation_there_is_a_root(server: Served) -> None:
    told = asked(server, game="tictactoe")
    assert told["at"] == 0 and told["simulation"] is None and told["tree"]["children"] == []
    assert told["settings"]["simulations"] == 200 and told["choices"]["prior"][0] == "uniform"


def test_few_searches_are_kept_and_the_others_grow_again(server: Served) -> None:
    for seed in range(6):
        asked(server, game="tictactoe", seed=seed, at=3)
    assert len(server.context.theatres._stages) == 2, "theatres_each"
    assert asked(server, game="tictactoe", seed=0, at=4)["at"] == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, "no game 'chess'; there are"),
        ({"game": "tictactoe:size=x"}, "tictactoe: size='x' does not fit; it must be a whole number"),
        ({"game": "tictactoe", "moves": ["z9"]}, "tictactoe: 'z9' - "),
        ({"game": "tictactoe", "moves": "a1 b1 a2 b2 a3".split()}, "the game is over there"),
        ({"game": "tictactoe", "settings": {"select": "best"}}, "select=best does not exist; there are auto, ucb1"),
        ({"game": "tictactoe", "settings": {"c": "much"}}, "the theatre: c='much' does not fit; it must be a number"),
        ({"game": "tictactoe", "settings": {"c": -1}}, "c=-1.0 must be 0 to 1000000"),
        ({"game": "tictactoe", "settings": {"rollouts": 1000}}, "the theatre: rollouts=1000 is more than 50"),
        (
            {"game": "tictactoe", "settings": {"threads": 2}},
            "the theatre has no setting 'threads'; there are",
        ),
        ({"game": "tictactoe", "settings": {"prior": "wise"}}, "prior=wise does not exist; there are uniform"),
        ({"game": "tictactoe", "simulations": 10**6}, "'simulations' must be a whole number from 1 to 300"),
        ({"game": "tictactoe", "at": -1}, "'at' must be a whole number from 0 to 300"),
        ({"game": "tictactoe", "move": ["a1"]}, "'move' is nothing that this request knows"),
        ({}, "'position' is missing"),
    ],
)
def test_a_bad_question_is_one_clear_sentence(server: Served, fields: dict[str, Any], message: str) -> None:
    told = asked(server, **fields)
    assert message in told["error"] and "\n" not in told["error"] and told["status"] in (400, 404)
