"""One client that takes all it can, or a disk that takes nothing more: the others, and their games, do not notice.

Clients are addresses; Linux lets a test come from any of 127.0.0.0/8.
"""

from __future__ import annotations

import json
import resource
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import boardwright as bw
from boardwright.records import Library
from boardwright.records.live_game import LiveGame
from boardwright.serve.limits import Limits
from boardwright.serve.pool import Job, Pool
from boardwright.serve.requests import Refused
from boardwright.serve.safety import COOKIE, cookies_named
from tests.serving import PATIENCE, Served, final, heard, send, served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other addresses than 127.0.0.1 need Linux")

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"


def ask_from(server: Served, address: str, method: str, path: str, **body: Any) -> httpx.Response:
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=server.address, transport=transport, timeout=PATIENCE) as client:
        return client.request(method, path, json=body or None)


def raw(server: Served, address: str, sent: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE, source_address=(address, 0))
    with suppress(BrokenPipeError, ConnectionResetError):  # closed at once: whoever reads will see that
        line.sendall(sent.encode())
    return line


def socket_from(server: Served, address: str, **settings: Any) -> ClientConnection:
    line: ClientConnection = connect(
        f"ws://127.0.0.1:{server.port}/api/search", proxy=None, open_timeout=PATIENCE,
        source_address=(address, 0), **settings,
    )  # fmt: skip
    return line


# A disk that is full


@contextmanager
def no_room_in(folder: Path) -> Iterator[None]:
    """No file of this process grows beyond the library's log as it is: what SQLite appends fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in folder.iterdir() if file.name.endswith("-wal"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_cannot_be_saved_has_not_happened(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.socket() as line:
        table = server.play(server.begin("tictactoe", "human", "random"), "b2")
        path = f"/api/tables/{table['id']}"
        first = server.get(path).json()
        with no_room_in(tmp_path):
            send(line, "m", "move", table=table["id"], ply=1)
            refused = [
                final(line, "m"),
                server.post(f"{path}/takeback", ply=1).json(),
                server.post(f"{path}/resign", ply=1).json(),
            ]
            assert all(str(tmp_path) in one["error"] for one in refused), refused
            send(line, "a", "analyse", table=table["id"], ply=1, simulations=10)  # would mark the game as assisted
            assert "error" in final(line, "a")
            assert server.get(path).json() == first
        send(line, "m2", "move", table=table["id"], ply=1)
        table = final(line, "m2")["table"]
        with no_room_in(tmp_path):
            move = table["view"]["moves"][0]
            assert server.post(f"{path}/moves", move=move, ply=2).status_code == 400
            assert server.get(path).json()["ply"] == 2
        assert server.play(table, move)["ply"] == 3
        record = Library(tmp_path / "records.sqlite3").get(table["id"])
        assert len(record.plies) == 3 and record.note == "" and record.status == "unfinished"


# Requests that cost more than they look


def test_a_cookie_of_backslashes_costs_nothing(tmp_path: Path) -> None:
    """`http.cookies` takes 29 s for this one: the time of the square of its length."""
    with served(tmp_path, Limits(header_bytes=100_000), token="right") as server:
        with server.client(Cookie=f'{COOKIE}="' + "\\" * 60_000 + '"') as client:
            assert client.get("/api/games").status_code == 401
        with server.client(Cookie=f"a=b; {COOKIE}=right;c") as client:
            assert client.get("/api/games").status_code == 200
        with server.client(Cookie="x=" + "y" * 100_000) as client:
            assert client.get("/api/games").status_code in (400, 431)
    assert (
        cookies_named("a", ["a=1; b=2", 'b=3;  a = "x" ']) == ["1", '"x"'] and cookies_named("a", ["aa=1; =; ;"]) == []
    )


def test_headers_are_bounded(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for path, headers in [("/api/games", {"X-Long": "x" * 20_000}), ("/api/tables?game=" + "x" * 17_000, {})]:
            with server.client(**headers) as client:
                assert client.get(path).status_code in (400, 431)
        for digits in (19, 5000):
            assert server.get(f"/api/tables/{'0' * 32}/plies/{'9' * digits}").status_code == 400
            assert server.get(f"/api/tables?limit={'9' * digits}").status_code == 400


@pytest.mark.parametrize("text", ["(" + ";" * 1_500_000 + ")", "(;" + "(;)" * 500_000 + ")"])
def test_an_sgf_of_semicolons_is_refused_before_it_is_built(tmp_path: Path, text: str) -> None:
    with served(tmp_path) as server:
        answer = server.post("/api/import", text=text)
        assert answer.status_code == 400 and "nodes" in answer.json()["error"]


def test_long_games_leave_the_memory_before_many_of_them_fill_it(tmp_path: Path) -> None:
    with served(tmp_path, Limits(positions=10)) as server:
        tables = [server.begin("tictactoe") for _ in range(4)]
        for move in ("a1", "b2", "c3"):
            tables = [server.play(table, move) for table in tables]
            assert sum(len(table.positions) for table in server.context.store._tables.values()) <= 10


# Clients


def whole(line: socket.socket) -> bytes:
    """All that comes until the line is closed."""
    said = b""
    with suppress(ConnectionResetError):
        while more := line.recv(10_000):
            said += more
    return said


def test_half_sent_requests_shut_nobody_out(tmp_path: Path) -> None:
    limits = Limits(sockets=8, connections_each=20, head_seconds=600.0, body_seconds=0.5)  # 32 connections in all
    with served(tmp_path, limits) as server, ExitStack() as stack:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        lines = [stack.enter_context(raw(server, GREEDY, f"GET /api/games HTTP/1.1\r\n{host}")) for _ in range(40)]
        assert ask_from(server, OTHER, "GET", "/api/games").status_code == 200
        for line in lines[20:]:
            assert whole(line) == b"", "closed at once"
        body = f"POST /api/tables HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{{"
        with raw(server, OTHER, body) as line:
            assert line.recv(1000).split()[1] == b"408"


def test_half_sent_requests_end(tmp_path: Path) -> None:
    with served(tmp_path, Limits(head_seconds=0.5)) as server:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        with raw(server, GREEDY, f"GET /api/games HTTP/1.1\r\n{host}") as line:
            assert whole(line) == b""
        said = b""
        while not said:  # a machine that stands still may have its first one closed, too
            with raw(server, GREEDY, f"GET /api/nothing HTTP/1.1\r\n{host}\r\n") as line, suppress(ConnectionError):
                said = line.recv(10_000)
                line.sendall(b"GET /api/games HTTP/1.1\r\nHost:")  # half of a second one
                whole(line)
        assert said.split()[1] == b"404"


def test_requests_of_one_client_take_turns(tmp_path: Path) -> None:
    """Sixty that cannot get on, as their game is in use, hold some of the server's forty threads, not all."""
    with served(tmp_path) as server, ExitStack() as stack:
        id = server.begin("tictactoe")["id"]
        asked = f"GET /api/tables/{id} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        with server.context.store.using(id):
            lines = [stack.enter_context(raw(server, GREEDY, asked)) for _ in range(60)]
            assert ask_from(server, OTHER, "GET", "/api/games").status_code == 200
        assert all(line.recv(100).split()[1] == b"200" for line in lines)


def test_idle_sockets_of_one_client_leave_room(tmp_path: Path) -> None:
    with served(tmp_path, Limits(sockets=6, sockets_each=4)) as server, ExitStack() as stack:
        table = server.begin("tictactoe")
        for _ in range(4):
            stack.enter_context(socket_from(server, GREEDY))
        with pytest.raises(Exception, match=r"403|1013"), socket_from(server, GREEDY):
            pass
        with socket_from(server, OTHER) as other:
            send(other, "q", "analyse", table=table["id"], ply=0, simulations=20)
            assert final(other, "q")["best"]


def test_an_idle_socket_ends(tmp_path: Path) -> None:
    with served(tmp_path, Limits(idle_seconds=0.2)) as server, server.socket() as line:
        with pytest.raises(ConnectionClosed) as closed:
            heard(line)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1001


def test_what_one_socket_watches_has_an_end(tmp_path: Path) -> None:
    with served(tmp_path, Limits(watches=3)) as server, server.socket() as line:
        for number, action in enumerate(("watch", "files", "follow")):
            send(line, f"w{number}", action)
        for action in ("watch", "files", "follow"):
            send(line, action, action)
            assert final(line, action)["status"] == 429


def test_a_pace_waits_for_the_watch_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as server, server.socket() as line:
        table, attendant = server.begin("tictactoe", "Random", "Random"), server.context.attendant
        watch, pace, overtaken = attendant.watch, attendant.pace, threading.Event()

        def slow_watch(*about: Any) -> None:
            overtaken.wait(0.5)  # in vain: the pace is not set yet
            watch(*about)

        def seen_pace(*about: Any) -> None:
            overtaken.set()
            pace(*about)

        monkeypatch.setattr(attendant, "watch", slow_watch)
        monkeypatch.setattr(attendant, "pace", seen_pace)
        send(line, "w", "watch", table=table["id"])
        send(line, "p", "pace", table=table["id"], held=True)
        assert "error" not in final(line, "p")


def test_whoever_reads_no_pongs_is_let_go(tmp_path: Path) -> None:
    with served(tmp_path, Limits(unread_bytes=200_000)) as server:
        asked = ["GET /api/search HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=="]  # fmt: skip
        with raw(server, GREEDY, "\r\n".join([*asked, "", ""])) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            assert line.recv(1000).split()[1] == b"101"
            ping = b"\x89\xfd\0\0\0\0" + b"x" * 125
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                line.sendall(ping * 400_000)


def test_long_searches_of_one_client_give_way_to_another(tmp_path: Path) -> None:
    with served(tmp_path, Limits(threads=1, share_seconds=0.2, megabytes=4000.0)) as server:
        table = server.begin("gomoku")
        where = {"table": table["id"], "ply": 0}
        with socket_from(server, GREEDY) as greedy, socket_from(server, OTHER) as other:
            for number in range(3):
                send(greedy, f"g{number}", "analyse", **where, seconds=500)
            assert not heard(greedy)["final"]
            send(other, "q", "analyse", **where, simulations=50)
            assert final(other, "q")["best"], "not after 1500 seconds"
            cut = final(greedy, "g0")
            assert cut["stopped"] and cut["gave_way"] and cut["best"]
            for number in (1, 2):
                send(greedy, f"s{number}", "terminate", of=f"g{number}")


def test_a_job_reports_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, told = [0.0], list[float]()
    monkeypatch.setattr("boardwright.serve.pool.time", SimpleNamespace(monotonic=lambda: clock[0]))

    def work(job: Job) -> dict[str, Any]:
        for _ in range(64):  # four seconds
            clock[0] += 1 / 16
            job.report(lambda: {"at": clock[0]})
        return {"at": clock[0]}

    Job(work, lambda said, last: told.append(said["at"])).run()
    assert told == [number / 8 for number in range(1, 33)] + [4.0]


def test_clients_take_turns() -> None:
    order: list[str] = []
    done, begin, running = threading.Event(), threading.Event(), threading.Event()

    def job(client: str, name: str) -> Job:
        def work(job: Job) -> dict[str, Any]:
            running.set()
            begin.wait(PATIENCE)
            order.append(name)
            return {}

        return Job(work, lambda said, last: done.set() if len(order) == 6 else None, client)

    pool = Pool(1, 3, 10.0)
    pool.ask(job("a", "a0"))
    assert running.wait(PATIENCE)
    for number in range(1, 4):
        pool.ask(job("a", f"a{number}"))
    pool.ask(job("b", "b0"))
    for client in ("a", "b"):
        with pytest.raises(Refused):
            pool.ask(job(client, "too many"))
    pool.ask(job("c", "c0"))
    begin.set()
    assert done.wait(PATIENCE)
    pool.close()
    assert order == ["a0", "a1", "b0", "c0", "a2", "a3"]


def test_variants_and_disk_have_a_share_for_each_client(tmp_path: Path) -> None:
    with served(tmp_path, Limits(variants=4, variants_each=2, kept_bytes=80_000)) as server:
        sizes = [
            ask_from(server, GREEDY, "POST", "/api/tables", game="tictactoe", options={"size": size}).status_code
            for size in (3, 4, 5)
        ]
        assert sizes == [200, 200, 503]
        assert ask_from(server, OTHER, "POST", "/api/tables", game="2048").status_code == 200
        again = [ask_from(server, GREEDY, "POST", "/api/tables", game="tictactoe").status_code for _ in range(4)]
        assert again == [200, 200, 507, 507]
        assert ask_from(server, OTHER, "POST", "/api/tables", game="2048").status_code == 200
    with served(tmp_path, Limits(spare_bytes=2**60)) as server:
        answer = server.post("/api/tables", game="tictactoe")
        assert answer.status_code == 507 and "free on the server's disk" in answer.json()["error"]


WORDY = """import boardwright as bw

class Wordy(bw.Game):
    players = 1
    actions = 1

    def layout(self):
        return [("made", "i4")]

    def player(self, s):
        return 0

    def legal(self, s, moves):
        moves[0] = 0
        return 1

    def play(self, s, move):
        s.made += 1

    def move_text(self, s, move):
        return "on-and-" * 28
"""


def test_what_grows_on_the_disk_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins little and lets it grow; what was kept before stays as it was."""
    monkeypatch.setattr("boardwright.contract.position.SOON_COMPILED", 10_000)
    (tmp_path / "wordy.py").write_text(WORDY)
    with served(tmp_path, Limits(kept_bytes=40_000), files=(str(tmp_path / "wordy.py"),)) as server:
        small = [{"parent": -1, "text": "", "by": -9, "comment": ""}]
        large = [{"parent": number - 1, "text": "", "by": 0, "comment": "x" * 4000} for number in range(240)]
        where = {"table": server.begin("tictactoe")["id"], "ply": 0}
        begun = server.post("/api/studies", **where, nodes=small).json()
        path = f"/api/studies/{begun['id']}"
        refused = server.post(path, nodes=large, title="", version=begun["version"])
        assert refused.status_code == 507 and "what was kept before stays" in refused.json()["error"]
        assert server.get(path).json() == begun
        assert server.post(path, nodes=small, title="Small", version=begun["version"]).status_code == 200
        assert server.post("/api/playtests", game="tictactoe", minutes=1).status_code == 507
        assert server.context.playtests._running is None
        assert server.post("/api/tables", game="tictactoe").status_code == 507, "32 KB are kept, and no more is free"
    game = LiveGame(bw.load(str(tmp_path / "wordy.py")), ["human"], 1).begin()
    for _ in range(90):
        game.play(0, 1.0)
    with served(tmp_path, Limits(kept_bytes=20_000), files=(str(tmp_path / "wordy.py"),)) as server:
        table = server.post("/api/import", text=game.record().to_json()).json()["table"]
        path, move = f"/api/tables/{table}", game.position.text(0)
        played = [server.post(f"{path}/moves", move=move, ply=ply).status_code for ply in range(90, 96)]
        most = 90 + played.index(507)
        assert most > 90 and server.get(path).json()["ply"] == most
        library = Library(tmp_path / "records.sqlite3")
        assert len(library.get(table).plies) == most
        assert server.post("/api/tables", **{"from": table}, ply=most, seats=["human"]).status_code == 507
        assert server.post(f"{path}/takeback", ply=most).status_code == 200
        assert server.post(f"{path}/resign", ply=most - 1).status_code == 200
        assert library.get(table).status == "forfeit"
    with served(tmp_path, Limits(spare_bytes=2**60), files=(str(tmp_path / "wordy.py"),)) as server:
        (study,) = server.get("/api/studies").json()["studies"]
        kept = server.get(f"/api/studies/{study['id']}").json()
        refused = server.post(f"/api/studies/{study['id']}", nodes=large, title="", version=kept["version"])
        assert refused.status_code == 507 and "free on the server's disk" in refused.json()["error"]


def test_a_race_that_has_no_room_leaves_no_half_of_it(tmp_path: Path) -> None:
    with served(tmp_path, Limits(kept_bytes=20_000)) as server:
        assert server.post("/api/tables", game="2048", rival="random").status_code == 507
        assert server.get("/api/tables").json()["tables"] == []


def test_a_lone_surrogate_is_an_error_in_json(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("tictactoe")
        position = server.post("/api/look", table=table["id"], ply=0).json()["position"]
        with server.client(**{"Content-Type": "application/json"}) as client:
            for path, body in [
                ("/api/tables", {"game": "tictactoe", "seats": ["human", "mcts:\ud800=1"]}),
                ("/api/tables", {"game": "tictactoe", "seats": ["human", "\ud800:a=1"]}),
                ("/api/tables", {"game": "tictactoe", "seats": ["human", "mcts:select=\ud800"]}),
                ("/api/look", {"table": table["id"], "ply": 0, "steps": ["\ud800"]}),
                ("/api/tables", {"game": "\ud800"}),
                ("/api/tables", {"game": "tictactoe", "options": {"\ud800": 1}}),
                (f"/api/tables/{table['id']}/moves", {"move": "\udfff", "ply": 0}),
                ("/api/look", {"position": {**position, "\ud800": 1, "state": {"\ud800": 1}}}),
                ("/api/look", {"position": {**position, "game": "\ud800"}}),
                ("/api/import", {"text": '{"game": "\ud800"}'}),
                ("/api/tables", {"\ud800": 1}),
            ]:
                answer = client.post(path, content=json.dumps(body))
                assert answer.status_code in (400, 404), (path, body, answer.text)
                assert set(answer.json()) == {"error"}
        with server.socket() as line:
            line.send('{"id": "\\ud800", "action": "\\ud800"}')
            assert "error" in heard(line)
