"""The API: games played, taken back, resumed, exported and imported; bad input told in JSON, no game harmed by it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boardwright as bw
from boardwright.records import Library, Record
from boardwright.serve.catalogue import Catalogue
from boardwright.serve.limits import Limits
from boardwright.serve.routes import ROUTES
from tests.marks import examples
from tests.serving import Served, final, send, served

HERE = Path(__file__).parent
DICE = str(HERE / "games" / "dicerace.py")
CONNECT = str(HERE.parent / "docs" / "examples" / "connect_four.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("games"), files=(DICE, CONNECT)) as running:
        yield running


def test_the_games_are_listed_with_options_and_strengths(server: Served) -> None:
    told = server.get("/api/games").json()
    games = {game["name"]: game for game in told["games"]}
    assert {"tictactoe", "gomoku", "2048", "nmbr9", "azul", "DiceRace", "ConnectFour"} <= set(games)
    assert told["first"] == told["plainest"] == "DiceRace", "the owner's own game comes first"
    assert Catalogue((), {}, Limits()).plainest == "tictactoe", "a search of a small game without chance is soon seen"
    assert {name for name, game in games.items() if game["own"]} == {"DiceRace", "ConnectFour"}
    assert games["azul"]["players"] == 2 and games["2048"]["points"] and games["nmbr9"]["chance"]
    more = server.post("/api/games/azul", options={"players": 4}).json()
    assert more["players"] == 4
    for game in games.values():
        names = [one["name"] for one in game["strengths"]]
        assert names[0] == "Random" and "Medium" in names and len(names) >= 5
    assert [one["name"] for one in games["DiceRace"]["strengths"]] == ["Random", "Easy", "Medium", "Strong", "Expert"]
    measured = games["tictactoe"]["strengths"][1]
    assert measured["name"] == "Beginner" and "Elo above random" in measured["about"]


def test_a_game_is_played_by_the_rules_that_python_knows(server: Served) -> None:
    """Every built-in game, moves chosen from what the server offers, against the library's own rules."""
    for name in ("tictactoe", "gomoku", "2048", "nmbr9", "azul"):
        told = server.begin(name, seed=9)
        position = bw.load(name).begin(seed=9)
        for number in range(6):
            assert told["view"]["moves"] == [position.text(move) for move in position.moves], name
            assert told["view"]["player"] == position.player and told["view"]["board"] == str(position)
            if position.is_over:
                break
            move = told["view"]["moves"][(5 * number + 2) % len(told["view"]["moves"])]
            told = server.play(told, move)
            position = position.play(move)
            for step in told["steps"][1:]:
                position = position.draw(step["text"].removeprefix("~"))
        assert told["view"]["scores"] == list(position.scores)


def test_a_move_twice_or_too_late_is_refused(server: Served) -> None:
    table = server.begin("tictactoe")
    after = server.play(table, "b2")
    again = server.post(f"/api/tables/{table['id']}/moves", move="a1", ply=0)
    assert again.status_code == 409 and "gone on" in again.json()["error"]
    wrong = server.post(f"/api/tables/{table['id']}/moves", move="b2", ply=1)
    assert wrong.status_code == 400 and wrong.json()["error"] == "tictactoe: 'b2' - X has b2"
    assert server.get(f"/api/tables/{table['id']}").json()["steps"] == after["steps"]


def test_taking_back_keeps_the_seed_and_marks_the_game(server: Served) -> None:
    table = server.begin("2048", seed=4)
    first = server.play(table, table["view"]["moves"][0])
    second = server.play(first, first["view"]["moves"][0])
    back = server.post(f"/api/tables/{table['id']}/takeback", ply=second["ply"]).json()
    assert back["assisted"] and back["steps"] == table["steps"] + first["steps"]
    again = server.play(back, first["view"]["moves"][0])
    assert again["steps"] == second["steps"], "the same move brings the same draw"
    for _ in range(2):
        again = server.post(f"/api/tables/{table['id']}/takeback", ply=again["ply"]).json()
    refused = server.post(f"/api/tables/{table['id']}/takeback", ply=again["ply"])
    assert refused.status_code == 409 and "no move of yours" in refused.json()["error"]


def test_a_game_against_a_player_is_taken_back_to_ones_own_move(server: Served) -> None:
    table = server.play(server.begin("tictactoe", "human", "Easy"), "b2")
    with server.socket() as line:
        send(line, "m", "move", table=table["id"], ply=1)
        answer = final(line, "m")
    assert answer["table"]["ply"] == 2 and answer["table"]["view"]["player"] == 0
    mine = server.play(answer["table"], answer["table"]["view"]["moves"][0])
    other = server.post(f"/api/tables/{table['id']}/moves", move=mine["view"]["moves"][0], ply=3)
    assert other.status_code == 409 and "turn of player 2" in other.json()["error"]
    back = server.post(f"/api/tables/{table['id']}/takeback", ply=3).json()
    assert back["ply"] == 2


def test_resigning_ends_the_game_and_keeps_it(server: Served) -> None:
    table = server.play(server.begin("gomoku"), "h8")
    over = server.post(f"/api/tables/{table['id']}/resign", ply=1).json()
    assert over["status"] == "forfeit" and "player 2 resigned" in over["note"] and not over["playable"]
    assert server.post(f"/api/tables/{table['id']}/moves", move="h9", ply=1).status_code == 409
    assert server.get(f"/api/tables/{table['id']}/record.json").json()["status"] == "forfeit"


def test_every_position_of_a_game_can_be_seen_again(server: Served) -> None:
    table = server.begin("azul", seed=2)
    shown = [table["view"]]
    for _ in range(4):
        table = server.play(table, table["view"]["moves"][0])
        shown.append(table["view"])
    for back, view in enumerate(reversed(shown)):
        ply = table["ply"] - back
        assert server.get(f"/api/tables/{table['id']}/plies/{ply}").json()["view"] == view
    assert server.get(f"/api/tables/{table['id']}/plies/0").json()["view"]["chances"]
    assert server.get(f"/api/tables/{table['id']}/plies/999").status_code == 404


def test_a_record_goes_out_and_comes_back(server: Served, tmp_path: Path) -> None:
    for name in ("tictactoe", "nmbr9", "DiceRace"):
        table = server.begin(name, seed=3)
        for _ in range(3):
            table = server.play(table, table["view"]["moves"][0])
        text = server.get(f"/api/tables/{table['id']}/record.json").text
        record = Record.from_json(text.strip())
        assert record.plies == tuple(step["text"] for step in server.get(f"/api/tables/{table['id']}").json()["steps"])
        with served(tmp_path / name, files=(DICE,)) as other:
            taken = other.post("/api/import", text=text).json()
            assert taken == {"kind": "record", "table": record.id}
            assert other.post("/api/import", text=text).json() == taken, "a second time changes nothing"
            assert (
                other.get(f"/api/tables/{record.id}").json()["steps"]
                == server.get(f"/api/tables/{record.id}").json()["steps"]
            )
            forged = json.dumps({**json.loads(text), "scores": [99.0] * len(record.scores)})
            assert other.post("/api/import", text=forged).status_code == 400


def test_sgf_goes_out_and_comes_back_for_line_games(server: Served, tmp_path: Path) -> None:
    table = server.begin("gomoku")
    for move in ("h8", "h9", "g8"):
        table = server.play(table, move)
    text = server.get(f"/api/tables/{table['id']}/record.sgf").text
    assert text.startswith("(;FF[4]")
    with served(tmp_path) as other:
        taken = other.post("/api/import", text=text).json()
        steps = other.get(f"/api/tables/{taken['table']}").json()["steps"]
    assert [step["text"] for step in steps] == ["h8", "h9", "g8"]
    azul = server.begin("azul")
    assert server.get(f"/api/tables/{azul['id']}/record.sgf").status_code == 400


def test_a_position_is_copied_pasted_and_played_on_without_being_kept(server: Served) -> None:
    table = server.play(server.begin("2048", seed=8), "left")
    here = server.post("/api/look", table=table["id"], ply=table["ply"]).json()
    assert server.post("/api/import", text=json.dumps(here["position"])).json()["kind"] == "position"
    count = len(Library(server.context.store.library.path).find(limit=None))
    move = here["view"]["moves"][0]
    tried = server.post("/api/look", position=here["position"], steps=[move]).json()
    assert tried["view"]["chances"] and tried["view"]["player"] == -1
    drawn = server.post(
        "/api/look", position=here["position"], steps=[move, tried["view"]["chances"][0]["text"]]
    ).json()
    assert drawn["view"]["player"] == 0
    assert server.post("/api/look", position=here["position"], steps=["sideways"]).status_code == 400
    forged = {**here["position"], "state": {**here["position"]["state"], "score": 12345}}
    assert server.post("/api/look", position=forged).status_code == 400
    assert len(Library(server.context.store.library.path).find(limit=None)) == count
    assert server.get(f"/api/tables/{table['id']}").json()["ply"] == table["ply"]


def test_a_new_game_goes_on_from_an_old_position(server: Served) -> None:
    table = server.begin("nmbr9", seed=6)
    for _ in range(3):
        table = server.play(table, table["view"]["moves"][0])
    steps = server.get(f"/api/tables/{table['id']}").json()["steps"]
    branch = server.post("/api/tables", **{"from": table["id"], "ply": 2, "seats": ["human"]}).json()
    assert branch["id"] != table["id"] and branch["steps"][:2] == steps[:2] and branch["assisted"]
    assert branch["steps"] == steps[: branch["ply"]], "and chance would have done the same"
    assert Library(server.context.store.library.path).get(branch["id"]).replay().scores


def test_games_outlive_the_server_and_the_terminal_goes_on_with_them(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        empty = server.begin("gomoku", "human", "Medium", seed=5)
        table = server.begin("nmbr9", seed=5)
        for _ in range(4):
            table = server.play(table, table["view"]["moves"][1])
    with served(tmp_path) as server:
        assert server.get(f"/api/tables/{empty['id']}").json()["seats"] == empty["seats"]
        again = server.get(f"/api/tables/{table['id']}").json()
        assert again["view"] == table["view"] and again["playable"]
        listed = server.get("/api/tables?status=unfinished").json()["tables"]
        assert {one["id"] for one in listed} == {empty["id"], table["id"]}
        with server.client() as client:
            assert client.request("DELETE", f"/api/tables/{empty['id']}").status_code == 200
        assert server.get(f"/api/tables/{empty['id']}").status_code == 404
    record = Library(tmp_path / "records.sqlite3").get(table["id"])
    from boardwright.cli.session import Session

    session = Session.resume(record, bw.load("nmbr9"), [])
    session.play(session.position.moves[0], 0.0)
    with served(tmp_path) as server:
        mine = server.play(again, again["view"]["moves"][0])
    assert mine["view"]["board"] == str(session.position), "both draw the same card next"


def test_a_game_of_ones_own_without_cells_has_its_moves_and_a_text_board(server: Served) -> None:
    table = server.begin("DiceRace")
    assert table["view"]["drawn"] is False and table["view"]["board"] in table["view"]["board"]
    assert table["view"]["svg"].startswith("<svg") and table["view"]["moves"]


def test_hovering_needs_nothing_but_what_the_server_sent(server: Served) -> None:
    """What the page previews is what the rules then do."""
    azul = server.begin("azul", seed=11)
    for number in range(20):
        position = bw.load("azul").from_json(
            json.dumps(server.post("/api/look", table=azul["id"], ply=azul["ply"]).json()["position"])
        )
        state = position.fields()
        move = azul["view"]["moves"][(3 * number + 1) % len(azul["view"]["moves"])]
        told = azul["view"]["hover"]["preview"][move]
        after = position.play(move)
        if after.is_chance or after.is_over:
            break
        mine, mover = after.fields(), position.player
        cost = [0, 1, 2, 4, 6, 8, 11, 14]
        assert told["floor"] == cost[state["floor_fill"][mover]] - cost[mine["floor_fill"][mover]]
        if move[2] != "F":
            line = int(move[2]) - 1
            assert told["placed"] == mine["line_fill"][mover][line] - state["line_fill"][mover][line]
            assert told["fills"] == (mine["line_fill"][mover][line] == line + 1)
        azul = server.play(azul, move)


def test_the_places_of_a_tile_are_where_it_scores(server: Served) -> None:
    nmbr9 = server.begin("nmbr9", seed=11)
    for _ in range(8):
        hover = nmbr9["view"]["hover"]
        assert [f"{90 * turn}@{x},{y}" for turn, x, y, _ in hover["places"]] == nmbr9["view"]["moves"]
        turn, x, y, level = max(hover["places"], key=lambda place: place[3])
        before = nmbr9["view"]["scores"][0]
        nmbr9 = server.play(nmbr9, f"{90 * turn}@{x},{y}")
        assert nmbr9["view"]["scores"][0] - before == hover["digit"] * level


def test_the_tiles_of_2048_end_where_the_page_moves_them(server: Served) -> None:
    twenty = server.begin("2048", seed=11)
    for number in range(30):
        view = twenty["view"]
        move = view["moves"][number % len(view["moves"])]
        cells = {cell["data-cell"]: cell["data-holds"] for cell in _cells(view["svg"])}
        stay = {name: held for name, held in cells.items() if held}
        for name, columns, rows, merges in view["hover"]["slides"][move]:
            held = stay.pop(name)
            there = chr(ord(name[0]) + columns) + str(int(name[1:]) - rows)
            stay[there] = str(2 * int(held)) if merges else held
        twenty = server.play(twenty, move)
        after = {cell["data-cell"]: cell["data-holds"] for cell in _cells(twenty["view"]["svg"]) if cell["data-holds"]}
        new, value = twenty["steps"][-1]["text"].removeprefix("~").split("=")
        assert after == {**stay, new: value}


def _cells(svg: str) -> list[dict[str, str]]:
    import xml.etree.ElementTree as ElementTree

    return [element.attrib for element in ElementTree.fromstring(svg).iter() if "data-cell" in element.attrib]


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ("game", "options", "seats", "seed", "move", "ply", "from", "text", "position", "steps", "table", "narrow")


@settings(examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(route=st.sampled_from(ROUTES), body=st.dictionaries(st.sampled_from(FIELDS), ANY_JSON, max_size=5))
def test_whatever_comes_the_answer_is_json_and_no_game_is_harmed(
    server: Served, route: Any, body: dict[str, Any]
) -> None:
    if not hasattr(server, "watched"):
        server.watched = server.play(server.begin("tictactoe"), "b2")  # type: ignore[attr-defined]  # made once
    table = server.watched  # type: ignore[attr-defined]  # made once
    method = next(iter(route.methods - {"HEAD"}))
    if method == "DELETE":
        return
    path = (
        route.path.replace("{id}", table["id"])
        .replace("{ply:int}", "0")
        .replace("{name}", "2048")
        .replace("{key}", "x")
    )
    if body.get("move") in table["view"]["moves"] or path.endswith(("takeback", "resign")):
        body["ply"] = -1
    with server.client() as client:
        answer = client.request(method, path, json=body if method == "POST" else None)
    assert answer.status_code < 500 or answer.status_code == 503, (path, body, answer.text)
    if answer.status_code != 200:
        assert set(answer.json()) == {"error"} and answer.json()["error"]
    assert server.get(f"/api/tables/{table['id']}").json()["ply"] == 1


def test_the_documentation_names_every_route_and_action() -> None:
    from boardwright.serve.socket import ACTIONS

    text = (HERE.parent / "docs" / "api.md").read_text()
    for route in ROUTES:
        path = route.path
        for field, shown in (("{id}", "ID"), ("{ply}", "N"), ("{name}", "NAME"), ("{key}", "KEY")):
            path = path.replace(field, shown)
        assert path in text or path.rpartition("/")[2] in ("record.sgf", "replay.html"), path
    assert "`record.sgf`" in text and "`replay.html`" in text
    assert all(f"| `{action}` |" in text for action in ACTIONS)
