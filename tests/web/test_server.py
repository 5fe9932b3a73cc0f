"""The web rim: who is let in, what pages may send, and that no page can disturb another."""

import asyncio
import contextlib
import errno
import http.client
import json
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from email.message import Message
from pathlib import Path
from socket import IPPROTO_TCP, create_connection, gethostname
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hexboard.daemon import clock
from hexboard.daemon.lapse import lapsed, untimely
from hexboard.facts import Decide, Declare, Ruling, Touch
from hexboard.web import connections, reach
from hexboard.web import pages as web_pages
from hexboard.web.connections import WAITING
from hexboard.web.keys import HOST, Keys, cookie_name
from hexboard.web.page import FASTEST, OpenPage
from hexboard.web.reach import HERE, Reach, unbound
from hexboard.web.referee import RefereePage
from hexboard.web.requests import FromPage, New, Said, decode_asked, said
from hexboard.web.server import LARGEST_BYTES, Server
from hexboard.words import message, say
from hexboard.words.errors import Busy, HexboardError
from tests.certificates import certificate
from tests.cli import invoke
from tests.running import PATIENCE, eventually

TOKEN = "correct-horse-battery-staple"


class Site:
    """A server, and what pages asked of it."""

    def __init__(self, of: Reach = HERE, path: Path | None = None) -> None:
        self.taken: list[FromPage] = []
        self.full = False
        """It takes nothing."""
        self.server = Server(0, Keys(TOKEN, path), self.take, of)
        self.server.geometry = {"en": b'{"cells":[]}'}
        self.server.pages.seats = 2
        self.server.start()
        self.port = self.server.port
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.cookie = f"{cookie_name(self.port, TOKEN)}={TOKEN}"

    def take(self, request: FromPage) -> bool:
        if not self.full:
            self.taken.append(request)
        return not self.full

    def get(self, path: str, method: str = "GET", **headers: str) -> tuple[int, Message, bytes]:
        """Ask with the cookie, unless told otherwise; `Host=""` leaves a header out."""
        sent = {"Host": self.host, "Cookie": self.cookie} | headers
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True)
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def page(self, query: str = "", **headers: str) -> AbstractContextManager[ClientConnection]:
        """Open a page's WebSocket."""
        sent = {"Cookie": self.cookie, "Origin": self.origin} | headers
        return connect(
            f"ws://{self.host}/live{query}",
            additional_headers={name: value for name, value in sent.items() if value},
            max_size=None,
            close_timeout=0.2,
        )


@pytest.fixture(scope="module")
def only() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.close()


@pytest.fixture
def site(only: Site) -> Site:
    """The same server for all tests, without what the last one asked for and heard."""
    only.taken.clear()
    only.server.pages.latest.clear()
    return only


def heard(page: Any, about_you: bool = False) -> Any:
    """The next that a page is told, but who is here only if it is asked for, and no beats."""
    while True:
        told = json.loads(page.recv(timeout=PATIENCE))
        if about_you == (told.get("type") == "you") and told.get("type") != "beat":
            return told


# ----------------------------------------------------------------------------------- being let in


def test_the_link_sets_a_cookie_once_and_leads_to_a_page_without_the_token(site: Site) -> None:
    status, headers, _ = site.get(f"/?token={TOKEN}", Cookie="")
    assert status == 303
    assert headers["Location"] == "."
    cookie = headers["Set-Cookie"]
    assert cookie.startswith(f"{cookie_name(site.port, TOKEN)}={TOKEN};")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert site.get("/")[0] == 200


def test_the_link_of_the_cameras_view_lets_in_too(site: Site) -> None:
    status, headers, _ = site.get(f"/camera?token={TOKEN}", Cookie="")
    assert (status, headers["Location"]) == (303, "camera")
    status, _, body = site.get("/camera", Cookie=headers["Set-Cookie"].partition(";")[0])
    assert (status, b"No camera has shown" in body) == (404, True)


def test_two_boards_are_told_apart_by_their_pages_colour_and_computers_by_their_name(
    site: Site,
) -> None:
    page = site.get("/")[2].decode()
    assert f"<title>{gethostname().lower()}</title>" in page
    assert f'content="{reach.colour(site.port)}"' in page
    assert len({reach.colour(port) for port in range(8765, 8765 + 8)}) == 8


def test_two_boards_on_one_computer_do_not_take_each_others_cookie(site: Site) -> None:
    other = Site()
    try:
        jar = f"{site.cookie}; {other.cookie}"
        assert site.get("/", Cookie=jar)[0] == other.get("/", Cookie=jar)[0] == 200
        assert site.get("/", Cookie=other.cookie)[0] == 403
    finally:
        other.server.close()


def test_boards_of_two_computers_with_one_name_and_port_behind_one_proxy_keep_apart() -> None:
    """Each is known by its own key, which it keeps in its state folder."""
    ours, theirs = (Keys(token).cookie(8765) for token in (TOKEN, "another-battery"))
    assert ours != theirs
    for name in (ours, theirs):
        assert re.fullmatch(r"hexboard-8765-[0-9a-f]{8}", name)
    assert ours == Keys(TOKEN).cookie(8765)  # after a restart


@pytest.mark.parametrize("path", ["/", "/board", "/static/app.js", "/live", "/nothing"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": ""},
        {"Cookie": "hexboard=wrong"},
        {"Cookie": "hexboard-0=" + TOKEN},
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": ""},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": f"{gethostname()}-2.local.evil.example"},
        {"Host": f"evil{gethostname()}.local"},
        {"Host": "[evil]:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
    ],
)
def test_nobody_else_is_let_in(site: Site, path: str, headers: dict[str, str]) -> None:
    status, answered, body = site.get(path, **headers)
    assert status == 403 or (status == 400 and headers == {"Host": ""})
    assert TOKEN.encode() not in body
    assert "Set-Cookie" not in answered
    if status == 403:
        assert b"link that hexboard printed" in body


@pytest.mark.parametrize("query", ["token=", "token=wrong", "token=%ff%fe", "token=%00"])
def test_a_wrong_token_is_refused(site: Site, query: str) -> None:
    assert site.get(f"/?{query}", Cookie="")[0] == 403


def test_a_refusal_is_json_for_who_wants_json(site: Site) -> None:
    status, _, body = site.get("/board", Cookie="", Accept="application/json")
    assert status == 403
    assert "link" in json.loads(body)["error"]


def test_a_browser_without_a_key_is_shown_a_page_with_the_way_to_a_seat(site: Site) -> None:
    wants = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"}
    status, answered, body = site.get("/", Cookie="", **wants)
    page = body.decode()
    assert (status, answered.get_content_type()) == (403, "text/html")
    assert 'lang="de"' in page
    assert "width=device-width" in page
    assert "Du brauchst eine Einladung" in page
    assert 'href="join"' in page
    for file in re.findall(r'(?:href|src)="(static/[^"]+)"', page):
        assert site.get(f"/{file}", Cookie="")[0] == 200
    assert b'href="join"' not in site.get("/", Host="evil.example", **wants)[2]


def test_localhost_is_the_same_computer(site: Site) -> None:
    host = f"localhost:{site.port}"
    assert site.get("/board", Host=host, Origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 200),
        ("GET", f"/?token={TOKEN}", {}, 303),
        ("GET", "/board", {}, 200),
        ("GET", "/static/app.js", {}, 200),
        ("GET", "/static/style.css", {}, 200),
        ("GET", "/static/icon.svg", {}, 200),
        ("GET", "/favicon.ico", {}, 200),
        ("GET", "/static/no.js", {}, 404),
        ("GET", "/static/../server.py", {}, 404),
        ("GET", "/static/%2e%2e/server.py", {}, 404),
        ("GET", "/nothing", {}, 404),
        ("POST", "/", {}, 403),
        ("GET", "/", {"Cookie": ""}, 403),
        ("GET", "/static/app.js", {"Host": "evil.example"}, 403),
    ],
)
def test_every_answer_has_the_policy(
    site: Site, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    got, answered, _ = site.get(path, method, **headers)
    assert got == status
    policy = answered["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answered["X-Content-Type-Options"] == "nosniff"
    assert "Server" not in answered


@pytest.mark.parametrize("path", ["/overlay", "/board"])
def test_styles_alone_may_be_added_to_pages_that_only_show(site: Site, path: str) -> None:
    status, answered, _ = site.get(path, Accept="text/html")
    policy = answered["Content-Security-Policy"]
    assert (status, policy.count("unsafe")) == (200, 1)
    assert "; style-src 'self' 'unsafe-inline'" in policy
    assert "default-src 'self'" in policy


def test_only_this_computer_can_connect_unless_it_is_let_into_the_network(site: Site) -> None:
    assert site.server._listener.getsockname()[0] == "127.0.0.1"
    open_ = Site(Reach(network=True, names=("board.example",)))
    try:
        assert open_.server._listener.getsockname()[0] == "0.0.0.0"
        for name in (
            "192.168.1.20:8765",
            "[fe80::1]:80",
            f"{gethostname().lower()}-2.local:8765",  # avahi's, for a name that is taken
            f"{gethostname()}.local",
            "board.example",
        ):
            assert open_.get("/", Host=name, Origin=f"https://{name}")[0] == 200
    finally:
        open_.server.close()


def test_a_proxys_pages_may_ask_and_frame_the_page_and_no_others() -> None:
    home = "https://home.example:8123"
    behind = Site(Reach(origins=(home,)))
    try:
        status, answered, _ = behind.get("/", Origin=home)
        assert status == 200
        policy = answered["Content-Security-Policy"]
        assert f"frame-ancestors 'self' {home};" in policy
        with behind.page(Origin=home) as page:
            page.send('{"type":"declare","seat":-1,"action":"end"}')
            eventually(lambda: behind.taken)
        for other in ("https://home.example", "http://home.example:8123", "null"):
            assert behind.get("/", Origin=other)[0] == 403
    finally:
        behind.server.close()


def test_a_token_is_taken_out_of_an_address_whatever_path_stands_before_it(site: Site) -> None:
    asks = {"Cookie": "", "Accept": "text/html"}
    status, answered, _ = site.get(f"/board?token={TOKEN}", **asks)
    assert (status, answered["Location"]) == (303, "board")


def test_an_answer_does_not_wait_for_the_next_packet(site: Site) -> None:
    """asyncio switches TCP's delays off for sockets that are of TCP by name."""
    assert site.server._listener.proto == IPPROTO_TCP


def test_connections_that_say_nothing_make_room_for_those_that_ask(site: Site) -> None:
    with ExitStack() as stack:
        silent = [
            stack.enter_context(create_connection(("127.0.0.1", site.port)))
            for _ in range(WAITING + 50)
        ]
        for one in silent[-20:]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")  # and no more comes
        assert site.get("/")[0] == 200
        silent[0].settimeout(PATIENCE)
        assert silent[0].recv(1) == b""
        with site.page() as page:
            site.server.publish("state", b"{}")
            assert heard(page) == {}


def test_a_connection_that_says_nothing_costs_no_more_than_its_file(site: Site) -> None:
    """1,100 at once are let in and out again before the one that asks: each has to be cheap."""
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(create_connection(("127.0.0.1", site.port)))
        assert site.get("/")[0] == 200
        assert len(served(site.server)) < 10


def test_who_was_answered_and_says_no_more_makes_room_too(site: Site) -> None:
    """Or 1,100 that asked once, with no key, would keep the board's files for seconds."""
    asks = f"GET /favicon.ico HTTP/1.1\r\nHost: {site.host}\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(WAITING + 50):
            wire = stack.enter_context(create_connection(("127.0.0.1", site.port)))
            wire.settimeout(PATIENCE)
            wire.sendall(asks)
            answer = http.client.HTTPResponse(wire)
            answer.begin()
            assert len(answer.read()) == int(answer.headers["Content-Length"]) > 0
        assert len(served(site.server)) <= WAITING + 2


def served(server: Server) -> set[Any]:
    """The connections that have a protocol of their own."""
    assert server._server is not None
    return server._server.server_state.connections


@pytest.fixture
def certified(tmp_path: Path) -> Iterator[Site]:
    """A page behind a certificate of its own."""
    pem, key = certificate(tmp_path, "board", "-addext", "subjectAltName=IP:127.0.0.1")
    site = Site(Reach(certificate=str(pem), key=str(key)))
    yield site
    site.server.close()


def test_a_certificate_that_has_ended_or_not_begun_is_told(
    certified: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """openssl's own counts for 30 days. Browsers warned of it, and hexboard said nothing."""
    file, now = str(tmp_path / "board.pem"), time.time()
    assert lapsed(file) == ()
    assert lapsed(str(tmp_path / "none.pem")) == ()
    with monkeypatch.context() as behind:
        behind.setattr(time, "time", lambda: 900.0)  # a Pi that has no clock, before it heard one
        assert lapsed(file) == ()
    monkeypatch.setattr(clock, "INSTALLED_S", 0)
    for days in (31, -1):
        monkeypatch.setattr(time, "time", lambda days=days: now + 86_400 * days)
        (told,) = lapsed(file)
        assert say(told).startswith(f"The certificate {file} counts from ")
        settings = tmp_path / "settings.toml"
        settings.write_text(
            f'[web]\ncertificate = "{file}"\nkey = "{tmp_path / "board.key"}"\n', "utf-8"
        )
        done = invoke("check", settings, home=tmp_path)
        assert "browsers warn of the page" in " ".join(done.output.split())


@pytest.mark.parametrize("days", [30, 20_000], ids=["two digits", "beyond 2050"])
def test_the_days_of_a_certificate_are_those_that_openssl_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """A year from 2050 on has four digits (RFC 5280, 4.1.2.5)."""
    file, _ = certificate(tmp_path, "board", "-days", str(days))
    asked = ("openssl", "x509", "-in", str(file), "-noout", "-dates")
    said = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    read = [
        time.strptime(it.partition("=")[2], "%b %d %H:%M:%S %Y GMT") for it in said.splitlines()
    ]
    assert untimely(file) is None
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert untimely(file) == tuple(time.strftime("%Y-%m-%d", it) for it in read)
    file.write_text("no certificate", "utf-8")
    assert untimely(file) is None


def test_a_certificate_whose_name_cannot_be_is_told_in_a_sentence() -> None:
    with pytest.raises(HexboardError) as found:
        Site(Reach(certificate="\0"))
    assert found.value.message.key == "web.certificate"


def test_behind_a_certificate_half_a_greeting_makes_room_for_those_that_ask(
    certified: Site,
) -> None:
    port, trusted = (
        certified.port,
        ssl.create_default_context(cafile=certified.server.of.certificate),
    )
    with ExitStack() as stack:
        for _ in range(WAITING + 50):
            half = stack.enter_context(create_connection(("127.0.0.1", port)))
            half.sendall(b"\x16\x03\x01")  # how TLS begins, and no more comes
        asks = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusted)
        with closing(asks):
            asks.request("GET", "/", headers={"Cookie": certified.cookie})
            with asks.getresponse() as answer:
                assert answer.status == 200
        assert certified.server._server is not None
        assert len(certified.server._server._entrance._tasks) < WAITING + 25


def test_behind_a_certificate_nobody_who_reads_is_hung_up_on(
    certified: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.05)
    trusted = ssl.create_default_context(cafile=certified.server.of.certificate)
    asks = http.client.HTTPSConnection(
        "127.0.0.1", certified.port, timeout=PATIENCE, context=trusted
    )
    with closing(asks):
        for _ in range(4):
            asks.request("GET", "/", headers={"Cookie": certified.cookie})
            with asks.getresponse() as answer:
                answer.read()
            time.sleep(0.2)
        assert answer.status == 200


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    for text in ("", "nonsense"):
        path = tmp_path / "board.pem"
        path.write_text(text)
        server = Server(0, Keys(TOKEN), lambda request: True, Reach(certificate=str(path)))
        with pytest.raises(HexboardError, match=r"board\.pem .* settings\.toml"):
            server.start()


def test_a_key_with_a_passphrase_is_named_and_nobody_is_asked_for_it(tmp_path: Path) -> None:
    """In a pseudo-terminal it was asked for twice, and then called an invalid argument."""
    maker = shutil.which("openssl") or pytest.skip("openssl makes the certificate")
    key, pem = tmp_path / "board.key", tmp_path / "board.pem"
    words = f"req -x509 -newkey rsa:2048 -passout pass:secret -subj /CN=pi -keyout {key} -out {pem}"
    subprocess.run([maker, *words.split()], check=True, capture_output=True)
    server = Server(0, Keys(TOKEN), lambda request: True, Reach(certificate=str(pem), key=str(key)))
    with pytest.raises(HexboardError) as refused:
        server.start()
    assert str(refused.value).startswith(f"The key in {key} has a passphrase, ")
    assert f"openssl pkey -in {key} -out " in str(refused.value)


def test_a_taken_port_is_busy(site: Site) -> None:
    with pytest.raises(Busy, match=str(site.port)):
        Server(site.port, Keys(TOKEN), lambda request: True).start()


def test_a_port_that_is_the_systems_is_not_called_taken() -> None:
    """By bind(2) it is EACCES; whoever runs these tests may have the right."""
    denied = unbound(443, PermissionError(errno.EACCES, "Permission denied"))
    told = str(denied)
    assert told.startswith("This user may not open port 443 (Permission denied): ")
    assert "docs/phones.md" in told
    assert not isinstance(denied, Busy)


# ---------------------------------------------------------------------------------- the WebSocket


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Cookie": ""},
        {"Cookie": "hexboard=wrong"},
    ],
)
def test_a_websocket_of_another_site_is_refused(site: Site, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as refused, site.page(**headers):
        pass
    assert refused.value.response.status_code == 403


def test_a_page_hears_the_latest_of_each_kind_at_once_and_then_what_is_new(site: Site) -> None:
    site.server.publish("state", b'{"type":"state","rev":1}')
    site.server.publish("state", b'{"type":"state","rev":2}')
    site.server.publish("pixels", b'{"type":"pixels"}')
    with site.page() as page:
        assert [heard(page), heard(page)] == [{"type": "state", "rev": 2}, {"type": "pixels"}]
        site.server.publish("state", b'{"type":"state","rev":3}')
        assert heard(page)["rev"] == 3


def test_what_is_published_before_the_thread_serves_is_not_lost() -> None:
    for _ in range(5):
        site = Site()
        site.server.publish("state", b'{"rev":7}')
        with site.page() as page:
            assert heard(page) == {"rev": 7}
        site.server.close()
        site.server.publish("state", b"{}")  # nobody is there, and nothing happens


def test_a_command_reaches_the_daemon_and_its_refusal_that_page_alone(site: Site) -> None:
    with site.page() as one, site.page() as two:
        one.send('{"type":"declare","seat":-1,"action":"end"}')
        eventually(lambda: site.taken)
        (request,) = site.taken
        assert request.asked == Declare(-1, "end")
        site.server.answer(request.source, message("hextraction.one_roll", "2.1.1"))
        site.server.publish("state", b'{"type":"state"}')
        refused = [heard(one), heard(one)]
        assert {"refused", "state"} == {told["type"] for told in refused}
        assert "2.1.1" in str(refused)
        assert heard(two)["type"] == "state"


def test_a_page_hears_the_side_it_looks_for_and_closed_what_everybody_hears(site: Site) -> None:
    with site.page() as one, site.page() as two:
        one.send('{"type":"curtain","side":1}')
        eventually(lambda: site.taken)
        assert {it[0] for it in site.server.looking} - {-1} == {1}
        site.server.publish("state", b'{"of":-1}', {(0, "en"): b'{"of":0}', (1, "en"): b'{"of":1}'})
        assert (heard(one), heard(two)) == ({"of": 1}, {"of": -1})
        one.send('{"type":"curtain","side":-1}')
        eventually(lambda: len(site.taken) == 2)
        assert {it[0] for it in site.server.looking} - {-1} == set()
        site.server.publish("state", b'{"of":-1}', {(1, "en"): b'{"of":1}'})
        assert heard(one) == {"of": -1}
        with site.page() as three:  # what comes new begins with its curtain closed
            assert heard(three) == {"of": -1}


def test_each_page_is_answered_in_the_language_of_its_browser(site: Site) -> None:
    with site.page(**{"Accept-Language": "de-AT,en;q=0.5"}) as german, site.page() as english:
        for page in (german, english):
            page.send("no JSON")
        assert heard(german)["reason"].startswith("Die Seite hat etwas geschickt")
        assert heard(english)["reason"].startswith("The page sent something")
        site.server.publish("state", b"", {(-1, "en"): b'{"of":"en"}', (-1, "de"): b'{"of":"de"}'})
        assert (heard(german), heard(english)) == ({"of": "de"}, {"of": "en"})
    opened: list[str] = []
    site.server.pages.looked = lambda: opened.append("a page")
    with site.page(**{"Accept-Language": "de"}):  # what it may see is made for it
        eventually(lambda: opened)


def test_a_refusal_to_one_side_is_not_told_once_the_page_shows_the_other(site: Site) -> None:
    with site.page() as page:
        page.send('{"type":"curtain","side":0}')
        page.send('{"type":"declare","seat":-1,"action":"lay sling"}')
        page.send('{"type":"curtain","side":1}')
        eventually(lambda: len(site.taken) == 3)
        (request,) = [it for it in site.taken if it.asked == Declare(-1, "lay sling")]
        assert (request.source.endswith("/0"), request.side) == (True, 0)
        site.server.answer(request.source, message("web.curtain"))
        site.server.publish("state", b'{"of":-1}', {(1, "en"): b'{"of":1}'})
        assert heard(page) == {"of": 1}


def test_a_program_that_is_turned_away_is_told_so_in_its_own_lines(site: Site) -> None:
    with connect(
        f"ws://127.0.0.1:{site.server.port}/referee",
        additional_headers={"Cookie": site.cookie, "Origin": site.origin},
    ) as wire:
        wire.send('{"do":"state","id":3}')
        eventually(lambda: site.taken)
        site.server.turn_away(site.taken[0], message("table.no_journal"))
        answer = json.loads(wire.recv(timeout=PATIENCE))
        assert (answer["id"], answer["ok"], answer["key"]) == (3, False, "table.no_journal")


def test_a_program_that_reads_nothing_is_closed_before_its_answers_fill_the_memory() -> None:
    page = RefereePage("page 1", HOST, "en")
    for _ in range(4):
        page.say("x" * 1_000_000)
    assert (page.barred.is_set(), len(page.answers)) == (False, 4)
    for _ in range(3):
        page.say("x")
    assert (page.barred.is_set(), len(page.answers)) == (True, 0)


def test_what_waits_for_a_slow_page_is_dropped_when_its_curtain_closes() -> None:
    page = OpenPage("page 1")
    page.look(0)
    page.put("state", 0, "Gondwana's")
    page.put("pixels", -1, "everybody's")
    page.answers.append((0, "Gondwana's too"))
    page.look(-1)
    assert (page.latest, list(page.answers)) == ({"pixels": (-1, "everybody's")}, [])


def test_a_curtain_that_was_closed_already_drops_no_answer() -> None:
    page = OpenPage("page 1")
    page.answer("taken")
    page.look(-1)
    assert list(page.answers) == [(-1, "taken")]


def test_a_curtain_that_closes_between_two_messages_keeps_the_second_back() -> None:
    page, sent = OpenPage("page 1"), list[str]()
    page.look(0)
    page.put("pixels", -1, "everybody's")
    page.put("state", 0, "Gondwana's")

    async def slowly(text: str) -> None:
        sent.append(text)
        page.look(-1)

    async def sending() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(page.send(slowly), 0.05)

    asyncio.run(sending())
    assert sent == ["everybody's"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "{",
        "[]",
        "null",
        "{}",
        '{"type":"fly"}',
        '{"type":"declare"}',
        '{"type":"declare","seat":-1,"action":7}',
        '{"type":"watch","on":true,"admin":true}',
        '{"type":"decide","question":"1","choice":"x"}',
        '{"type":"decide","question":1e400,"choice":"x"}',
        '{"type":"declare","seat":-1,"action":"\\ud800"}',
        "[" * 2000,
        '{"type":"watch","on":1}',
        '{"type":"declare","seat":-1,"action":' + "[" * 2000,
    ],
)
def test_garbage_is_refused_in_words_and_the_page_stays(site: Site, text: str) -> None:
    with site.page() as page:
        page.send(text)
        assert "does not understand" in heard(page)["reason"]
        page.send('{"type":"declare","seat":-1,"action":"end"}')
        eventually(lambda: site.taken)
    assert [it.asked for it in site.taken] == [Declare(-1, "end")]


def test_whatever_a_page_sends_the_next_page_is_served(site: Site) -> None:
    @settings(max_examples=30, deadline=None)
    @given(st.one_of(st.text(max_size=200), st.binary(max_size=200)))
    def send(sent: str | bytes) -> None:
        with site.page() as page:
            page.send(sent)
        with site.page() as page:
            page.send('{"type":"new"}')
            eventually(lambda: site.taken and site.taken[-1].asked == New())
            site.taken.clear()

    send()


def test_text_that_is_none_closes_that_page_only_and_is_nothing_for_a_log(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with site.page() as other, site.page() as page:
        page.send(b'"\xff"', text=True)
        with pytest.raises(ConnectionClosed) as closed:
            list(page)
        assert (closed.value.rcvd and closed.value.rcvd.code) == 1007
        other.send('{"type":"declare","seat":-1,"action":"end"}')
        eventually(lambda: site.taken)
    assert caplog.records == []


def test_a_message_that_is_too_large_closes_that_page_only(site: Site) -> None:
    with site.page() as other, site.page() as page:
        page.send('{"type":"declare","seat":-1,"action":"' + "x" * LARGEST_BYTES + '"}')
        with pytest.raises(ConnectionClosed) as closed:
            heard(page)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        site.server.publish("state", b"{}")
        assert heard(other) == {}
    assert not site.taken


@pytest.mark.long
def test_who_talks_too_fast_is_told_so_and_the_rest_is_dropped(site: Site) -> None:
    with site.page() as page, site.page() as other:
        begun = time.monotonic()
        for _ in range(1000):
            page.send('{"type":"declare","seat":-1,"action":"end"}')
        assert "too fast" in heard(page)["reason"]
        other.send('{"type":"new"}')
        eventually(lambda: [it for it in site.taken if it.asked == New()])
        first = site.taken[0].source
        fast = [it.source for it in site.taken if it.asked == Declare(-1, "end")]
        assert set(fast) == {first}
        seconds = time.monotonic() - begun
        assert FASTEST <= len(fast) <= FASTEST * (1 + seconds)

        def heard_again() -> bool:
            page.send('{"type":"declare","seat":-1,"action":"break"}')
            return FromPage(first, -1, Declare(-1, "break")) in site.taken

        eventually(heard_again, every=1.1)


def test_where_too_much_waits_a_page_is_told_to_slow_down(site: Site) -> None:
    site.full = True
    try:
        with site.page() as page:
            page.send('{"type":"new"}')
            assert "too fast" in heard(page)["reason"]
    finally:
        site.full = False


LONG = "problem position " + "x" * 3000


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"type":"declare","seat":0,"action":"end"}', Declare(1, "end")),
        (
            '{"type":"decide","question":7,"choice":"x","seats":[0],"who":"the king"}',
            Decide(7, "x", (), "host"),
        ),
        ('{"type":"ruling","do":"undo","who":"the king"}', Ruling("undo", "host")),
        ('{"type":"ruling","do":"' + LONG + '"}', Ruling(LONG)),
        ('{"type":"touch","cells":["b1","c1"]}', Touch(("b1", "c1"))),
    ],
)
def test_what_people_say_is_a_fact_and_who_says_it_is_not_the_pages_to_choose(
    text: str, told: Said
) -> None:
    asked, match = decode_asked(text)
    assert isinstance(asked, Said)
    assert said(asked, 1) == told
    assert not match
    assert decode_asked(text[:-1] + ',"match":"m1"}') == (asked, "m1")


def test_one_page_too_many_is_refused_until_another_closes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_pages, "PAGES", 8)  # of 256 each would take its time to close
    with ExitStack() as stack:
        pages = [stack.enter_context(site.page()) for _ in range(8)]
        with pytest.raises(InvalidStatus) as refused, site.page():
            pass
        assert refused.value.response.status_code == 403
        assert site.get("/")[0] == 200
        pages[0].close()
        site.server.publish("state", b"{}")

        def again() -> bool:
            try:
                with site.page() as page:
                    return bool(heard(page) == {})
            except InvalidStatus:
                return False

        assert eventually(again)


@pytest.mark.long
def test_a_page_that_stops_reading_does_not_delay_another(site: Site) -> None:
    """The slow one is sent only the latest when it reads again: its outbox does not grow."""
    filler = "x" * 900_000
    count = 100  # 90 MB: more than sockets and their queues buffer, some 15 MB
    with site.page() as slow, site.page() as quick:
        for n in range(count):
            site.server.publish("state", json.dumps({"n": n, "filler": filler}).encode())
            while heard(quick)["n"] != n:
                pass  # it would never come, if one waited for the other
        late = [heard(slow)["n"]]
        while late[-1] != count - 1:
            late.append(heard(slow)["n"])
        assert len(late) < count - 10  # all of them, if they had queued up


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "declare", "seat": -1, "action": "end", "as": "host"}',
        '{"type": "decide", "question": 1, "choice": "C3", "side": 0}',
        '{"type": "ruling", "do": "undo", "who": "x", "why": "", "force": true}',
        '{"type": "touch", "cells": [], "side": 1}',
        '{"type": "watch", "on": true, "fast": true}',
        '{"type": "watch", "on": true, "match": "m1"}',
        '{"type": "declare", "seat": -1, "action": "end", "match": 1}',
        f'{{"type": "declare", "seat": -1, "action": "{"x" * 501}"}}',
        f'{{"type": "decide", "question": 1, "choice": "{"x" * 501}"}}',
        f'{{"type": "touch", "cells": ["{"x" * 300}", "{"x" * 300}"]}}',
        f'{{"type": "ruling", "do": "positions {"x" * 501}"}}',
    ],
)
def test_a_message_that_says_more_than_it_can_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_asked(text)
