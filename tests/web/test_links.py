"""Links lead others to the page: by the address by which a page came, by a certificate's names."""

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from hexboard.daemon.greeting import Where, found_at, of_today, where
from hexboard.daemon.hall.wall import served
from hexboard.settings import WebSettings
from hexboard.web import reach
from hexboard.web import server as web_server
from hexboard.web.certificate import covers, names
from hexboard.web.reach import Reach
from tests.certificates import certificate
from tests.running import PATIENCE
from tests.web.test_server import Site, heard

LAN = "192.168.1.20"


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "address", lambda: LAN)


def certified(folder: Path, *named: str) -> str:
    """A certificate for these, with its key in the same file."""
    more = ("-addext", f"subjectAltName={','.join(named)}") if named else ()
    pem, key = certificate(folder, "board.club", *more)
    pem.write_bytes(key.read_bytes() + pem.read_bytes())
    return str(pem)


def told(of: Reach, origin: str, at: str | None = None) -> tuple[str, str, bool]:
    """What a host's page that came by this origin shows: the board page's address, an invitation's,
    and whether phones cannot reach it."""
    with closing(Site(of).server) as server:
        query = "" if at is None else f"?at={at}"
        cookie = f"{server.keys.cookie(server.port)}=correct-horse-battery-staple"
        host = origin.partition("//")[2] if origin not in of.origins else "127.0.0.1"
        wire = create_connection(("127.0.0.1", server.port))
        sent: Any = {"Cookie": cookie, "Origin": origin}
        with connect(f"ws://{host}/live{query}", sock=wire, additional_headers=sent) as page:
            board = heard(page, about_you=True)["board"]
            page.send(json.dumps({"type": "invite", "seat": 0}))
            invited = heard(page)
        return (
            board.partition("?")[0].replace(f":{server.port}", ":PORT"),
            invited["link"].partition("#")[0].replace(f":{server.port}", ":PORT"),
            invited["near"],
        )


@pytest.mark.parametrize(
    ("of", "origin", "at", "there", "near"),
    [
        (Reach(names=("Board.club",)), "https://board.club", None, "https://board.club", False),
        (Reach(True, ("board.club",)), "https://board.club", "/", "https://board.club", False),
        (
            *(Reach(names=("board.club",)), "https://board.club", "/hall/one/"),
            *("https://board.club/hall/one", False),
        ),
        (
            *(Reach(origins=("https://home:8123",)), "https://home:8123", "/b/"),
            *("https://home:8123/b", False),
        ),
        # in a frame, whose address asks others for a key of its own
        (
            Reach(True, (), ("https://home:8123",)),
            "https://home:8123",
            "",
            f"http://{LAN}:PORT",
            False,
        ),
        (
            Reach(origins=("https://home:8123",)),
            "https://home:8123",
            "",
            "http://127.0.0.1:PORT",
            True,
        ),
        # in a second network of this computer's
        (Reach(True), "http://10.42.0.1:8765", "/", "http://10.42.0.1:8765", False),
        # on this computer itself
        (Reach(True), "http://127.0.0.1:8765", "/", f"http://{LAN}:PORT", False),
        (Reach(True), "http://localhost:9000", "/", f"http://{LAN}:PORT", False),
        (Reach(), "http://127.0.0.1:8765", "/", "http://127.0.0.1:PORT", True),
        (Reach(), "http://0.0.0.0:8765", "/", "http://127.0.0.1:PORT", True),
        (Reach(), "http://[::]:8765", "/", "http://127.0.0.1:PORT", True),
        (Reach(), "http://[::ffff:127.0.0.1]:8765", "/", "http://127.0.0.1:PORT", True),
        # what no proxy of ours says
        (Reach(True), "http://10.42.0.1", "//evil.example/", f"http://{LAN}:PORT", False),
        (Reach(True), "http://10.42.0.1", "/?token=x/", f"http://{LAN}:PORT", False),
    ],
)
def test_a_pages_links_lead_where_it_came_from_if_others_can_go_there(
    of: Reach, origin: str, at: str | None, there: str, near: bool
) -> None:
    assert told(of, origin, at) == (f"{there}/board", f"{there}/join", near)


def test_a_page_hears_of_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "MOVES_S", 0.05)
    site = Site(Reach(True))
    with closing(site.server), site.page() as page:
        assert heard(page, about_you=True)["board"].startswith(f"http://{LAN}:")
        monkeypatch.setattr(reach, "address", lambda: "10.0.0.7")
        while not heard(page, about_you=True)["board"].startswith("http://10.0.0.7:"):
            pass


def test_with_a_certificate_a_name_that_it_has_comes_before_the_address(tmp_path: Path) -> None:
    file = certified(tmp_path, "DNS:other.club", "DNS:board.club", "IP:127.0.0.1")
    assert names(file) == ("other.club", "board.club", "127.0.0.1")
    of = Reach(True, ("hall.example", "board.club"), (), file)
    links = where(of, 8765, "key")
    assert links.phone == "https://board.club:8765/?token=key"
    assert links.board.startswith("https://board.club:8765/board?")
    assert of_today(links) == links
    link, named = found_at(WebSettings(names=of.names, certificate=file))
    assert (link, named.key) == ("https://board.club:8765", "web.certified")
    assert of.came_by(f"https://{LAN}:8765", "/") == ""  # whose warning somebody passed over
    assert of.own(8765) == "https://board.club:8765"


def test_a_certificate_for_no_name_of_ours_leaves_the_address(tmp_path: Path) -> None:
    of = Reach(True, ("hall.example",), (), certified(tmp_path))
    assert (names(of.certificate), of.own(80)) == ((), f"https://{LAN}:80")
    moved = Where("https://127.0.0.1:80/", "https://10.0.0.9:80/?token=x", "https://10.0.0.9:80/b")
    assert of_today(moved).phone == f"https://{LAN}:80/?token=x"


def test_a_link_from_before_there_was_a_network_is_none_of_the_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had this computer's name for want of an address, and kept it."""
    of = Reach(True, (), (), certified(tmp_path, f"IP:{LAN}"))
    monkeypatch.setattr(reach, "address", lambda: f"{reach.name()}.local")
    links = where(of, 80, "key")
    assert found_at(WebSettings(certificate=of.certificate))[1].key == "web.no_network"
    monkeypatch.setattr(reach, "address", lambda: LAN)
    assert of_today(links).phone == f"https://{LAN}:80/?token=key"


def test_a_halls_wall_goes_by_the_names_and_the_certificate_of_the_settings(tmp_path: Path) -> None:
    web = WebSettings(names=("wall.club",), origins=("https://ha",))
    with served(tmp_path, 0, web, False) as (server, links):
        page = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        page.request("GET", f"/?{urlsplit(links.here).query}", headers={"Host": "wall.club"})
        answer = page.getresponse()
        assert (answer.status, answer.read()) == (303, b"")
        assert "https://ha" in answer.headers["Content-Security-Policy"]
        page.close()
    file = certified(tmp_path, "DNS:wall.club")
    with served(tmp_path, 0, WebSettings(names=web.names, certificate=file), True) as (_, links):
        assert links.board.startswith("https://wall.club:")


@pytest.mark.parametrize(
    ("known", "name", "whether"),
    [
        (("board.club",), "BOARD.club", True),
        (("*.club",), "board.club", True),
        (("*.club",), "a.board.club", False),
        (("board.club",), "a.board.club", False),
    ],
)
def test_a_star_in_a_certificate_stands_for_one_part(
    known: tuple[str, ...], name: str, whether: bool
) -> None:
    assert covers(known, name) is whether


@pytest.mark.parametrize("text", ["", "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----"])
def test_what_is_no_certificate_has_no_names(tmp_path: Path, text: str) -> None:
    (tmp_path / "none.pem").write_text(text, "ascii")
    assert names(str(tmp_path / "none.pem")) == ()
    assert names(str(tmp_path / "missing.pem")) == ()


def test_without_a_certificate_phones_are_told_the_address() -> None:
    assert found_at(WebSettings(8080, names=("board.club",)))[0] == f"http://{LAN}:8080"
