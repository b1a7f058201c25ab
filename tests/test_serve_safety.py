"""The page's safety, each line of it attacked: names, origins, tokens, sizes, counts, paths."""

from __future__ import annotations

import ast
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import boardwright.serve
from boardwright.contract.errors import InputError
from boardwright.serve.launch import listen
from boardwright.serve.limits import Limits
from boardwright.serve.safety import Door
from tests.serving import PATIENCE, Served, final, heard, send, served

SOURCES = Path(boardwright.serve.__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # room enough that no search ends because its tree is full, however slow the machine
    limits = Limits(threads=1, body_bytes=50_000, waiting=2, queries=3, tables=4, plies=30, megabytes=4000.0)
    with served(tmp_path_factory.mktemp("games"), limits) as running:
        yield running


def addresses_by_name() -> set[str]:
    """This machine's addresses under its own name; none where nothing knows that name, as in a fresh container."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    except socket.gaierror:
        return set()


def test_it_listens_on_this_machine_only_unless_told_otherwise(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        for address in {"127.0.0.2", *addresses_by_name()} - {"127.0.0.1", "127.0.1.1"}:
            with socket.socket() as probe:
                assert probe.connect_ex((address, listening.getsockname()[1])) != 0


FOREIGN_HOSTS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost:{port}.evil.example",
                 "127.0.0.1.evil.example:{port}", "evil.example@127.0.0.1:{port}", ""]  # fmt: skip


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_name_that_is_not_ours_is_refused(server: Served, host: str) -> None:
    """DNS rebinding: a stranger's name that leads here."""
    named = host.format(port=server.port)
    for path in ("/", "/api/games", "/web/main.js"):
        with server.client(Host=named) as client:
            assert client.get(path).status_code in (400, 403), path
    with pytest.raises(InvalidStatus) as refused, server.socket(additional_headers={"Host": named}):
        pass
    assert refused.value.response.status_code in (400, 403)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}"])
def test_our_own_names_are_answered(server: Served, host: str) -> None:
    with server.client(Host=host.format(port=server.port)) as client:
        assert client.get("/api/games").status_code == 200


FOREIGN_ORIGINS = ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1",
                   "http://127.0.0.1:{port}.evil.example", "file://"]  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_strangers_page_can_neither_ask_nor_open_a_socket(server: Served, origin: str) -> None:
    named = origin.format(port=server.port)
    with server.client(Origin=named) as client:
        assert client.get("/api/tables").status_code == 403
        assert client.post("/api/tables", json={"game": "tictactoe"}).status_code == 403
    with pytest.raises(InvalidStatus) as refused, server.socket(origin=named):
        pass
    assert refused.value.response.status_code == 403


def test_our_own_page_can(server: Served) -> None:
    origin = f"http://localhost:{server.port}"
    with server.client(Origin=origin) as client:
        assert client.post("/api/games/tictactoe", json={}).status_code == 200
    with server.socket(origin=origin) as line:
        send(line, "x", "terminate", of="nothing")
        assert heard(line)["terminated"] is False
    with server.client(**{"Sec-Fetch-Site": "cross-site"}) as client:
        assert client.get("/api/games").status_code == 403


def test_off_loopback_a_token_is_needed_everywhere(tmp_path: Path) -> None:
    assert Door.at("0.0.0.0", 80, "secret").token == "secret"
    assert Door.at("192.0.2.7", 80, "secret").token == "secret"
    assert Door.at("127.0.0.1", 80, "secret").token == Door.at("localhost", 80, "secret").token == ""
    assert "192.0.2.7:80" in Door.at("192.0.2.7", 80, "secret").hosts
    with served(tmp_path, token="right") as server:
        with server.client() as client:
            for path in ("/", "/api/games", "/web/main.js", "/?token=wrong", "/?token="):
                assert client.get(path).status_code == 401, path
            assert client.post("/api/tables", json={"game": "tictactoe"}).status_code == 401
            assert client.get("/api/games?token=right").status_code == 401, "only the front page takes it"
        with server.client(Authorization="Bearer wrong") as client:
            assert client.get("/api/games").status_code == 401
        with server.client(Authorization="Bearer right") as client:
            assert client.get("/api/games").status_code == 200
        with server.client() as client:
            entered = client.get("/?token=right")
            assert entered.status_code == 303 and entered.headers["location"] == "/"
            cookie = entered.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie
            assert client.get("/api/games").status_code == 200
        with pytest.raises(InvalidStatus), server.socket():
            pass
        with server.socket(additional_headers={"Authorization": "Bearer right"}) as line:
            send(line, "x", "terminate", of="nothing")
            assert heard(line)["final"]


def test_a_body_is_counted_as_it_comes_in(server: Served) -> None:
    table = server.begin("tictactoe")
    big = json.dumps({"text": "x" * 60_000}).encode()

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(big), 5000):
            yield big[start : start + 5000]

    kind = {"Content-Type": "application/json"}
    with server.client(**kind) as client:
        assert client.post("/api/import", content=big).status_code == 413
        assert client.post("/api/import", content=pieces()).status_code == 413, "no Content-Length says it before"
        assert client.post("/api/import", json={"text": "x" * 40_000}).status_code == 400
    for length in ("999999999999", "-5", "1e3", "²"):
        said = f"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
            raw.sendall(f"{said}Content-Length: {length}\r\n\r\n".encode())
            assert raw.recv(100).split()[1] in (b"400", b"413")
    assert server.play(table, "b2")["ply"] == 1


def test_a_message_that_is_too_long_ends_its_own_line_only(server: Served) -> None:
    with server.socket() as good, server.socket() as bad:
        bad.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as closed:
            heard(bad)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        send(good, "x", "terminate", of="nothing")
        assert heard(good)["final"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_plain_form_can_send_is_refused(server: Served, kind: str) -> None:
    with server.client(**({"Content-Type": kind} if kind else {})) as client:
        assert client.post("/api/tables", content=b'{"game": "tictactoe"}').status_code == 415


BAD_JSON = [b"", b"[]", b"[" * 40_000, b'{"a": NaN}', b"\xff\xfe", b'"text"', b"{", b'{"game": "tictactoe", "x": 1}',
            b'{"game": 5}', b'{"game": "tictactoe", "seats": "human"}', b'{"game": "tictactoe", "seed": 1e400}',
            b'{"game": "tictactoe", "options": {"size": true}}', b'{"game": null}']  # fmt: skip


@pytest.mark.parametrize("body", BAD_JSON)
def test_bad_json_is_an_error_in_json(server: Served, body: bytes) -> None:
    with server.client(**{"Content-Type": "application/json"}) as client:
        answer = client.post("/api/tables", content=body)
    assert answer.status_code == 400 and set(answer.json()) == {"error"}


PATHS = ["/web/../app.py", "/web/%2e%2e/app.py", "/web/..%2fapp.py", "/web//etc/passwd", "/web/%2fetc/passwd",
         "/api/tables/../../etc/passwd", "/api/tables/%2e%2e", "/api/tables/" + "f" * 32, "/api/tables/x",
         "/api/tables/*", "/api/runs/..%2f..%2fetc", "/api/runs/../x", "/web/"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out(server: Served, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while more := raw.recv(65536):
            answer += more
    assert answer.split()[1] == b"404", answer[:200]
    assert b"root:" not in answer and b"import" not in answer


SEATS = ["mcts:table=/etc/passwd", "tuples:model=../x", "net:path=/tmp/x", "mcts:megabytes=100000", "mcts:threads=64",
         "mcts:simulations=99999999999", "mcts:seconds=1e9", "expectimax:depth=50", "solver", "mcts:simulations=nan",
         "human:x", "", "x" * 150]  # fmt: skip


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_names_no_file_and_takes_no_more_than_its_share(server: Served, seat: str) -> None:
    answer = server.post("/api/tables", game="tictactoe", seats=["human", seat])
    assert answer.status_code == 400 and "error" in answer.json()


def test_a_game_is_named_never_loaded_from_a_path(server: Served, tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()")
    for name in (str(trap), f"{trap}:Game", "tictactoe:size=5"):
        assert server.post("/api/tables", game=name).status_code == 404
    with served(tmp_path) as other:
        table = other.begin("tictactoe")
        record = other.get(f"/api/tables/{table['id']}/record.json").json()
    text = json.dumps({**record, "game": str(trap), "id": "a" * 32})
    assert server.post("/api/import", text=text).status_code == 400
    assert not (tmp_path / "sprung").exists()


def test_boards_variants_and_games_have_an_end(server: Served) -> None:
    assert server.post("/api/tables", game="tictactoe", options={"size": 10**9}).status_code == 400
    first = server.begin("tictactoe")
    for _ in range(8):
        server.begin("tictactoe")
    assert len(server.context.store._tables) <= 4
    assert server.play(first, "a1")["ply"] == 1, "a game that left the memory comes back"


def test_compiled_variants_have_an_end(tmp_path: Path) -> None:
    with served(tmp_path, Limits(variants=2)) as server:
        table = server.begin("tictactoe")
        server.begin("gomoku")
        assert server.post("/api/tables", game="2048").status_code == 503
        assert server.post("/api/games/2048", options={"size": 5}).status_code == 200, "to look at it costs nothing"
        assert server.play(table, "c3")["ply"] == 1


def test_a_long_game_ends_with_a_message(server: Served) -> None:
    table, answer = server.begin("2048"), None
    for _ in range(40):
        answer = server.post(f"/api/tables/{table['id']}/moves", move=table["view"]["moves"][0], ply=table["ply"])
        if answer.status_code != 200:
            break
        table = answer.json()
    assert answer is not None and answer.status_code == 409 and "plies" in answer.json()["error"]


def test_searches_are_counted_and_bounded(server: Served) -> None:
    table = server.begin("gomoku")
    where = {"table": table["id"], "ply": 0}
    with server.socket() as line, server.socket() as other:
        for field, value in [("simulations", 10**12), ("seconds", 1e9), ("seconds", -1), ("most", 0), ("seconds", "5")]:
            send(line, "bad", "analyse", **where, **{field: value})
            assert "error" in final(line, "bad"), field
        for number in range(3):
            send(line, f"q{number}", "analyse", **where, seconds=500)
            if number == 0:
                assert not heard(line)["final"], "it runs; those that follow wait"
        send(line, "q3", "analyse", **where, seconds=500)
        assert final(line, "q3")["status"] == 429, "one socket has its share"
        send(other, "q", "analyse", **where, seconds=500)
        assert heard(other)["status"] == 503, "one runs, two wait, no more"
        for number in range(3):
            send(line, f"s{number}", "terminate", of=f"q{number}")
        stopped: dict[str, Any] = {}
        while len(stopped) < 3:
            message = heard(line)
            if message["final"] and message["id"].startswith("q"):
                stopped[message["id"]] = message["stopped"]
        assert all(stopped.values())


def test_every_answer_forbids_what_the_page_does_not_need(server: Served) -> None:
    for path in ("/", "/web/main.js", "/api/games", "/api/nothing"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'") and "unsafe" not in policy, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers and "access-control-allow-origin" not in headers
    page = (SOURCES / "web" / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:|https?://", page)
    for script in [*(SOURCES / "web").glob("*.js"), *(SOURCES / "web").glob("*.css")]:
        code = re.sub(r"http://www\.w3\.org/\S+", "", script.read_text())
        assert not re.search(r"https?://|\beval\(|new Function|document\.write", code), script.name


def test_downloads_are_never_shown_in_place_of_the_page(server: Served) -> None:
    table = server.begin("tictactoe")
    for name in ("record.json", "record.sgf", "replay.html"):
        assert server.get(f"/api/tables/{table['id']}/{name}").headers["content-disposition"].startswith("attachment")


def test_what_a_proxy_says_is_not_believed(server: Served) -> None:
    assert server.config.proxy_headers is False and server.config.ws_max_size == 65_536
    claims = {
        "X-Forwarded-Host": f"127.0.0.1:{server.port}",
        "X-Forwarded-For": "127.0.0.1",
        "Forwarded": "for=127.0.0.1",
    }
    with server.client(Host="evil.example", **claims) as client:
        assert client.get("/api/games").status_code == 403


def test_nothing_here_pickles() -> None:
    for source in SOURCES.rglob("*.py"):
        names: set[Any] = set()
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").partition(".")[0])
        assert not names & {"pickle", "marshal", "shelve", "dill", "joblib"}, source.name


def test_a_port_that_is_taken_is_told_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(InputError, match=f"port {taken} is in use.*leave --port out"):
            listen("127.0.0.1", taken)
        monkeypatch.setattr("boardwright.serve.launch.PORT", taken)
        with listen("127.0.0.1", None) as next_one:
            assert next_one.getsockname()[1] != taken
