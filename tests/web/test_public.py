"""The public stream: what everybody may know, as the OpenAPI file says it, to programs."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hexboard.board import find, load
from hexboard.facts import Start
from hexboard.game import registry
from hexboard.lights.frame import LightSettings, Power
from hexboard.table import open_table
from hexboard.web import connections, public
from hexboard.web.sheet import table_sheet
from tests.golden import GOLDEN, asyncapi, openapi
from tests.running import PATIENCE, eventually
from tests.web.test_server import TOKEN, Site

DESCRIBED = json.loads((GOLDEN / "openapi.json").read_bytes())
FIELDS = DESCRIBED["components"]["schemas"]["PublicState"]["properties"]


def state(rev: int, prompt: str = "", game: str = "hexalma") -> bytes:
    """What pages of nobody's side are sent of a match that begins."""
    found = registry.find(game)
    board = load(find(found.board({})))
    start = Start("m", board.name, board.hash, game, found.rules(), {}, "t")
    sheet = table_sheet(open_table(board, start).view(), -1, 0, Power(), LightSettings())
    whole = sheet | {"rev": rev, "match": "m", "hand": ["the ace"]}
    return msgspec.json.encode(whole | ({"prompt": prompt} if prompt else {}))


def events(answer: http.client.HTTPResponse) -> Iterator[Any]:
    for line in answer:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


def stream(site: Site, cookie: str = "", **more: str) -> ClientConnection:
    """The stream's WebSocket, as a program opens it that is no browser."""
    sent = {"Cookie": cookie or site.cookie} | more
    return connect(f"ws://{site.host}/api/events", additional_headers=sent, close_timeout=0.2)


def test_the_description_is_the_golden_one_and_names_all_requests() -> None:
    described = json.loads((GOLDEN / "asyncapi.json").read_bytes())
    assert json.loads(msgspec.json.encode(asyncapi())) == described
    assert described["channels"]["events"]["address"] == public.PATHS[1]
    assert json.loads(msgspec.json.encode(openapi())) == DESCRIBED
    assert set(DESCRIBED["paths"]) == set(public.PATHS)


@pytest.mark.parametrize("game", ["bad-santa-hex", "hexalma", "hexel", "hextraction", "knee-deep"])
def test_each_game_is_told_with_the_fields_described_and_no_others(game: str) -> None:
    told = json.loads(public.public(state(1, game=game).decode()))
    assert set(told) == set(FIELDS)
    assert (told["version"], told["game"]) == (1, game)
    assert all(isinstance(seat, str) for seat in told["seats"])


def test_events_come_at_once_and_with_each_change_until_nobody_listens(site: Site) -> None:
    site.server.publish("state", b"", {(-1, "en"): state(1), (0, "en"): state(9, "secret")})
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as asking:
        asking.request("GET", "/api/events", headers={"Cookie": site.cookie})
        answer = asking.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert eventually(lambda: site.server.looking) == {(-1, "en")}
        told = events(answer)
        assert next(told)["rev"] == 1
        site.server.publish("pixels", b'{"type":"pixels"}')
        site.server.publish("state", b"", {(-1, "en"): state(2), (0, "en"): state(9, "secret")})
        assert next(told)["rev"] == 2
        answer.close()
    assert eventually(lambda: not site.server.looking)


def test_a_websocket_is_told_the_same_and_what_is_said_there_is_not_heard(site: Site) -> None:
    site.server.publish("state", b"", {(-1, "en"): state(1), (0, "en"): state(9, "secret")})
    with stream(site) as socket:
        first = json.loads(socket.recv(timeout=PATIENCE))
        assert (first["rev"], set(first)) == (1, set(FIELDS))
        socket.send('{"type": "ruling", "do": "pause"}')
        socket.send(b"\0")
        site.server.publish("pixels", b'{"type":"pixels"}')
        site.server.publish("state", b"", {(-1, "en"): state(2), (0, "en"): state(9, "secret")})
        assert json.loads(socket.recv(timeout=PATIENCE))["rev"] == 2
        assert site.server.looking == {(-1, "en")}
        assert not site.server.drawn
    assert eventually(lambda: not site.server.looking)
    assert site.taken == []


def test_a_strangers_page_opens_no_stream_and_a_program_no_page(site: Site) -> None:
    tries: list[Callable[[], AbstractContextManager[ClientConnection]]] = [
        lambda: stream(site, Origin="http://evil.example"),
        lambda: stream(site, cookie="a=b"),
        lambda: site.page(Origin=""),
    ]
    for opening in tries:
        with pytest.raises(InvalidStatus) as refused, opening():
            pass
        assert refused.value.response.status_code == 403
    with stream(site, Origin=site.origin):
        pass


def test_a_websocket_hears_why_it_ends(site: Site) -> None:
    invitation = site.server.keys.invite(0)
    secret = site.server.keys.accept(invitation.secret, "Ada", "", 0.0)
    [key] = site.server.keys.people
    views = {(-1, "en"): state(1), (0, "en"): state(9, "secret")}
    site.server.publish("state", b"", views)
    with stream(site, f"{site.cookie.partition('=')[0]}={secret}") as off, stream(site) as on:
        told = off.recv(timeout=PATIENCE)
        assert "secret" not in str(told)
        site.server.keys.drop(key.id)
        site.server._soon(site.server.pages.changed)
        with pytest.raises(ConnectionClosed) as thrown:
            off.recv(timeout=PATIENCE)
        on.recv(timeout=PATIENCE)
        site.server.close()
        with pytest.raises(ConnectionClosed) as closed:
            on.recv(timeout=PATIENCE)
    assert thrown.value.rcvd is not None
    assert thrown.value.rcvd.code == 4403
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code in (1001, 1012)


def test_a_key_to_a_seat_hears_what_everybody_may_know(site: Site) -> None:
    invitation = site.server.keys.invite(0)
    secret = site.server.keys.accept(invitation.secret, "Ada", "", 0.0)
    views = {(-1, "en"): state(1), (0, "en"): state(9, "secret")}
    site.server.publish("state", b"", views)
    cookie = f"{site.cookie.partition('=')[0]}={secret}"
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as asking:
        asking.request("GET", "/api/events", headers={"Cookie": cookie})
        told = events(asking.getresponse())
        assert next(told)["rev"] == 1
        views |= {(-1, "en"): state(2)}
        site.server.publish("state", b"", views)
        after = next(told)
        site.server.pages.looked = lambda: site.server.publish("state", b"", views)
        asked = json.loads(site.get("/api/state", Cookie=cookie)[2])
    assert after["rev"] == asked["rev"] == 2
    assert "secret" not in str(after)
    assert "the ace" not in str(after)


def test_a_stream_is_alive_though_nothing_but_lights_change(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "BEAT_S", 0.2)
    site.server.publish("state", b"", {(-1, "en"): state(1)})
    over = threading.Event()

    def shine() -> None:
        while not over.wait(0.02):
            site.server.publish("pixels", b"[]")

    thread = threading.Thread(target=shine)
    thread.start()
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as asking:
        asking.request("GET", "/api/events", headers={"Cookie": site.cookie})
        answer = asking.getresponse()
        beats = 0
        while beats < 3:
            line = answer.readline()
            assert line
            beats += line == b": alive\n"
    over.set()
    thread.join()


def test_who_is_thrown_off_hears_nothing_more(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "BEAT_S", 0.1)
    invitation = site.server.keys.invite(0)
    secret = site.server.keys.accept(invitation.secret, "Ada", "", 0.0)
    [key] = site.server.keys.people
    site.server.publish("state", b"", {(-1, "en"): state(1)})
    cookie = f"{site.cookie.partition('=')[0]}={secret}"
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as asking:
        asking.request("GET", "/api/events", headers={"Cookie": cookie})
        told = events(asking.getresponse())
        assert next(told)["rev"] == 1
        site.server.keys.drop(key.id)
        site.server._soon(site.server.pages.changed)
        site.server.publish("state", b"", {(-1, "en"): state(2)})
        assert list(told) == []


@pytest.mark.parametrize("path", public.PATHS)
def test_who_asks_for_headers_alone_is_no_open_page(site: Site, path: str) -> None:
    opened: list[int] = []
    site.server.pages.looked = lambda: opened.append(1)
    status, headers, body = site.get(path, "HEAD")
    assert (status, body, opened) == (200, b"", [])
    kind = "application/json" if path == "/api/state" else "text/event-stream"
    assert headers["Content-Type"].startswith(kind)
    assert site.get(path, "HEAD", Cookie="")[0] == 403


def test_the_clock_notices_and_asides_are_told() -> None:
    line = {"n": 3, "text": "the Pico is back", "rule": "", "final": True, "aside": True}
    clock = {"left": [600_000, 598_000], "running": 1}
    whole = json.loads(state(1)) | {"clock": clock, "notices": ["full"], "log": [line]}
    told = json.loads(public.public(json.dumps(whole)))
    assert (told["clock"], told["notices"], told["log"]) == (clock, ["full"], [line])


def test_a_name_alone_is_told_as_it_is_and_in_a_sentence_isolated() -> None:
    whole = json.loads(state(1)) | {
        "seats": ["\u2068Ann\u2069", "White"],
        "prompt": "\u2068Ann\u2069: move.",
    }
    told = json.loads(public.public(json.dumps(whole)))
    assert told["seats"] == ["Ann", "White"]
    assert told["prompt"] == "\u2068Ann\u2069: move."


def test_once_a_game_is_over_nobody_is_to_act() -> None:
    """Hextraction's position still names who was to roll."""
    whole = json.loads(state(1)) | {"active": 1}
    over = whole | {"scores": [7, 3], "phase": "over"}
    told, ended = (json.loads(public.public(json.dumps(it))) for it in (whole, over))
    assert (told["active"], ended["active"]) == (1, -1)
    before, after = (msgspec.convert(it, public.PublicState) for it in (told, ended))
    assert public.waiting(before, after).active == -1


@pytest.mark.parametrize("game", ["bad-santa-hex", "hexalma", "hexel", "hextraction", "knee-deep"])
def test_nothing_leaves_that_no_field_is_for(game: str) -> None:
    """Whatever a state has of its own, or comes to have one day, stays in here."""

    def planted(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: planted(it) for key, it in value.items()} | {"planted": "the ace"}
        return [*map(planted, value)] if isinstance(value, list) else value

    whole = planted(json.loads(state(1, game=game)))
    whole |= {key: "the ace" for key in whole if key not in FIELDS}
    told = public.public(json.dumps(whole)).decode()
    assert "the ace" not in told
    assert "planted" not in told


def test_without_a_key_nothing_is_told(site: Site) -> None:
    for path in public.PATHS:
        assert site.get(path, Cookie="")[0] == 403


def test_who_asks_is_told_how_it_stands_now_though_a_page_was_told_before(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock runs, and nothing else has happened."""
    publish = site.server.publish
    with stream(site) as page:
        publish("state", b"", {(-1, "en"): state(1)})
        assert json.loads(page.recv(timeout=PATIENCE))["rev"] == 1
        site.server.pages.looked = lambda: publish("state", b"", {(-1, "en"): state(2)})
        assert json.loads(site.get("/api/state")[2])["rev"] == 2
        monkeypatch.setattr(public, "FIRST_S", 0.05)
        site.server.pages.looked = lambda: None  # the daemon is busy
        assert json.loads(site.get("/api/state")[2])["rev"] == 2


def test_a_daemon_that_tells_nothing_is_said_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "FIRST_S", 0.05)
    status, _, body = site.get("/api/state")
    assert (status, json.loads(body)) == (
        503,
        {"error": "Nothing is known of the table yet. Ask again."},
    )


@pytest.mark.long
def test_a_board_that_runs_tells_its_game(start: Any) -> None:
    running, before = start(), time.time_ns()
    with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)) as asking:
        asking.request("GET", f"/api/state?token={running.token}")
        told = json.loads(asking.getresponse().read())
    assert (told["game"], set(told)) == ("hextraction", set(FIELDS))
    assert before // 10**6 <= told["at"] <= time.time_ns() // 10**6


@pytest.mark.parametrize("path", public.PATHS)
def test_a_server_that_closes_waits_for_nobody_who_listens(
    site: Site, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as asking:
        asking.request("GET", path, headers={"Cookie": site.cookie})
        eventually(lambda: site.server.looking)
        site.server.close()
        asking.getresponse().read()
    assert not site.server._thread.is_alive()
    assert capfd.readouterr().err == ""


UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@contextlib.contextmanager
def listening(site: Site, headers: str = "") -> Iterator[socket.socket]:
    """Somebody whose own memory has room for little of what they listen to."""
    with socket.socket() as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asking.settimeout(PATIENCE)
        asking.connect(("127.0.0.1", site.port))
        asking.sendall(f"GET {public.PATHS[1]}?token={TOKEN} HTTP/1.1\r\n".encode())
        asking.sendall(f"Host: {site.host}\r\n{headers}\r\n".encode())
        eventually(lambda: site.server.looking)
        yield asking


def test_who_reads_late_is_told_on(site: Site) -> None:
    """More waits than the server wants to have waiting; then all of it is read."""
    with listening(site) as asking:
        site.server.publish("state", b"", {(-1, "en"): state(1, "x" * 4_000_000)})
        with asking.makefile("rb") as answer:
            told = (line for line in answer if line.startswith(b"data: "))
            assert json.loads(next(told)[6:])["rev"] == 1
            site.server.publish("state", b"", {(-1, "en"): state(2)})
            assert json.loads(next(told)[6:])["rev"] == 2


def test_who_asks_whether_anybody_is_there_and_reads_nothing_is_hung_up_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.1)
    with listening(site, UPGRADE) as asking:
        pings = (b"\x89\xfd" + bytes(4) + b"x" * 125) * 1000  # 125 bytes each, and the mask

        def asked_until_gone() -> bool:
            with contextlib.suppress(ConnectionError):
                asking.sendall(pings)
            return not site.server.looking

        assert eventually(asked_until_gone)


def test_who_never_reads_is_hung_up_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.1)
    with listening(site):

        def told_until_gone() -> bool:
            site.server.publish("state", b"", {(-1, "en"): state(1, "x" * 1_000_000)})
            return not site.server.looking

        assert eventually(told_until_gone)
