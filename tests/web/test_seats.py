"""Seats: who is invited gets one view and one voice, once, until the host says otherwise."""

import contextlib
import errno
import http.client
import io
import json
import os
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from socket import SHUT_WR, create_connection
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hexboard.facts import Decide, Declare, Touch
from hexboard.web import lasting
from hexboard.web import page as web_page
from hexboard.web import pages as web_pages
from hexboard.web.guard import BARRED
from hexboard.web.keys import (
    BOARD,
    GUESSES,
    GUESSES_OF_ALL,
    GUESSING_S,
    HOST,
    PEOPLE,
    WATCHING,
    Keys,
    called,
    cookie_name,
    token,
)
from hexboard.web.page import FASTEST
from hexboard.web.pages import PAGES_OF_ONE
from hexboard.web.requests import Curtain, New, Renew
from hexboard.words import Message, say
from hexboard.words.errors import HexboardError
from tests.running import PATIENCE, eventually
from tests.web.test_server import TOKEN, Site, heard


def asked(site: Site, **fields: Any) -> Any:
    """What the host's page is told when it invites somebody."""
    with site.page() as host:
        host.send(json.dumps({"type": "invite"} | fields))
        return heard(host)


def posted(site: Site, body: bytes, **headers: str) -> tuple[int, bytes, str]:
    """Send this to be let in: status, answer, the cookie that was set."""
    sent = {"Host": site.host, "Origin": site.origin} | headers
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("POST", "/join", body, {name: it for name, it in sent.items() if it})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Set-Cookie") or ""


def join(site: Site, code: str, name: str = "", **headers: str) -> tuple[int, Any, str]:
    """Take an invitation as the page does: status, answer, cookie."""
    body = json.dumps({"code": code, "name": name}).encode()
    status, told, cookie = posted(site, body, **headers)
    return status, json.loads(told) if told[:1] == b"{" else told, cookie.partition(";")[0]


def seated(site: Site, seat: int, name: str = "") -> str:
    """The cookie of a phone that took a seat."""
    status, _, cookie = join(site, asked(site, seat=seat)["figures"], name)
    assert status == 200
    return cookie


@pytest.mark.long
def test_who_opens_all_pages_that_there_are_keeps_nobody_away(site: Site) -> None:
    ann, bob = (seated(site, seat) for seat in (0, 1))
    with ExitStack() as stack:
        for _ in range(PAGES_OF_ONE):
            stack.enter_context(site.page(Cookie=ann))
        with pytest.raises(InvalidStatus), site.page(Cookie=ann):
            pass
        for cookie in (bob, site.cookie):
            with site.page(Cookie=cookie) as page:
                assert about(page)


def test_televisions_share_a_key_and_are_not_counted_as_one_phone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_pages, "SCREENS", PAGES_OF_ONE + 3)
    board = f"{cookie_name(site.port, TOKEN)}={site.server.keys.board}"
    with ExitStack() as stack:
        pages = [stack.enter_context(site.page(Cookie=board)) for _ in range(PAGES_OF_ONE + 3)]
        asks = {"Cookie": board, "Accept": "application/json"}
        status, _, body = site.get("/board?live", **asks)
        assert (status, json.loads(body)["key"]) == (403, "web.too_many")
        assert site.get("/board", **asks)[0] == 200
        with pytest.raises(InvalidStatus), site.page(Cookie=board):
            pass
        for page in pages:  # who came has used up the code: all of them want another at once
            page.send('{"type":"invite","seat":-1}')
            page.send('{"type":"invite","seat":-1}')
        for page in pages:
            assert [heard(page)["type"] for _ in range(2)] == ["invitation"] * 2
        ann = seated(site, 0)
        with site.page(Cookie=ann) as phone:
            assert about(phone)["seats"] == [0]


def test_where_guests_have_all_pages_a_host_is_let_in(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = (seated(site, seat) for seat in (0, 1))
    monkeypatch.setattr(web_pages, "PAGES", 2)
    with site.page(Cookie=ann), site.page(Cookie=ann):
        with pytest.raises(InvalidStatus), site.page(Cookie=bob):
            pass
        with site.page() as host:
            assert about(host)


def test_all_pages_of_a_phone_are_one_voice_and_one_without_end_is_closed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_page, "ENDLESS_S", 0.2)
    ann, says = seated(site, 0), '{"type":"declare","seat":-1,"action":"end"}'
    begun = time.monotonic()
    with site.page(Cookie=ann) as one, site.page(Cookie=ann) as other, site.page() as host:
        for _ in range(5 * FASTEST):
            one.send(says)
            other.send(says)
        host.send('{"type":"new"}')
        eventually(lambda: [it for it in site.taken if it.asked == New()])
        said = [it for it in site.taken if isinstance(it.asked, Declare)]
        assert len(said) <= FASTEST * (1 + time.monotonic() - begun)

        def ended() -> bool:
            try:
                one.send(says)
            except ConnectionClosed:
                return True
            return False

        assert eventually(ended)


def test_a_program_that_says_much_does_not_take_its_phones_voice(site: Site) -> None:
    """`hexboard join` agrees on the one to a take-back while its program asks on the other."""
    ann = seated(site, 0)
    with site.page(Cookie=ann) as phone, wired(site, ann) as program:
        for _ in range(FASTEST):
            program.send('{"do":"state"}')
        eventually(lambda: len(site.taken) >= FASTEST)
        phone.send('{"type":"decide","question":1,"choice":"yes"}')
        eventually(lambda: site.taken[-1].asked == Decide(1, "yes"))  # not “too fast”


def wired(site: Site, cookie: str) -> AbstractContextManager[ClientConnection]:
    """A program's wire."""
    headers = {"Cookie": cookie, "Origin": site.origin}
    return connect(f"ws://{site.host}/referee", additional_headers=headers)


def closed(page: Any) -> int | None:
    """The code with which a page is closed, whatever it is told before."""
    while True:
        try:
            page.recv(timeout=PATIENCE)
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else None


def about(page: Any) -> Any:
    return heard(page, about_you=True)


def test_only_a_host_is_told_the_names_of_who_watched_and_left(site: Site) -> None:
    seated(site, 0, "Ann")
    seated(site, WATCHING, "Gone")
    cookie = seated(site, WATCHING, "New")
    with site.page(Cookie=cookie) as page, site.page() as host:
        assert [(it["name"], it["here"]) for it in about(page)["people"]] == [
            ("Ann", False),
            ("New", True),
        ]
        assert [it["name"] for it in about(host)["people"]] == ["Ann", "Gone", "New"]


# ------------------------------------------------------------------------------------ invitations


def test_an_invitation_opens_one_seat_once_and_looking_at_its_link_takes_nothing(
    site: Site,
) -> None:
    invitation = asked(site, seat=1)
    assert (invitation["seat"], invitation["near"]) == (1, True)
    assert invitation["code"].startswith("data:image/svg+xml")
    secret = invitation["link"].partition("/join#")[2]
    assert len(secret) >= 22
    for _ in range(3):  # a phone that shows what is behind a link asks for it too
        assert site.get("/join", Cookie="")[0] == 200
    status, told, cookie = join(site, secret, "Ann")
    assert (status, told) == (200, {"to": "/"})
    assert site.get("/board", Cookie=cookie)[0] == 200
    with site.page(Cookie=cookie) as page:
        you = about(page)
        assert (you["host"], you["seats"], you["side"]) == (False, [1], 1)
        assert [(it["name"], it["seats"], it["here"]) for it in you["people"]] == [
            ("Ann", [1], True)
        ]
    status, told, again = join(site, secret)
    assert (status, again) == (403, "")
    assert "has been used" in told["error"]


def test_a_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(site: Site) -> None:
    body = json.dumps({"code": asked(site, seat=0)["figures"]}).encode()
    cookie = posted(site, body)[2]
    parts = {part.strip() for part in cookie.split(";")}
    assert {"HttpOnly", "SameSite=lax", f"Max-Age={400 * 24 * 3600}"} <= parts
    assert "expires" not in cookie.lower()  # a phone's clock may be wrong


@pytest.mark.parametrize(
    "headers",
    [
        *({"Origin": origin} for origin in ("", "http://evil.example", "null")),
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Origin": "http://evil.example", "Content-Type": "text/plain"},  # as a form sends it
    ],
)
def test_another_site_cannot_take_an_invitation(site: Site, headers: dict[str, str]) -> None:
    figures = asked(site, seat=0)["figures"]
    assert join(site, figures, **headers)[0] == 403
    assert site.server.keys.people == ()
    assert join(site, figures)[0] == 200  # and nothing was used up


def test_figures_are_not_guessed_and_a_minute_later_the_right_ones_count() -> None:
    keys = Keys(TOKEN)
    right = keys.invite(0).figures
    wrong = "000000" if right != "000000" else "000001"
    for n in range(GUESSES):
        with pytest.raises(HexboardError, match="has been used"):
            keys.accept(wrong, "", "", n)
    with pytest.raises(HexboardError, match="Too many wrong figures"):
        keys.accept(right, "", "", GUESSING_S - 1)
    assert keys.of(keys.accept(f"{right[:3]} {right[3:]}", "", "", GUESSING_S + 1)) is not None


def test_who_guesses_keeps_nobody_else_from_joining() -> None:
    keys = Keys(TOKEN)
    right = keys.invite(0).figures
    wrong = "000000" if right != "000000" else "000001"
    for n in range(GUESSES_OF_ALL):
        with pytest.raises(HexboardError, match="has been used"):
            keys.accept(wrong, "", "", 0, sender=f"192.168.0.{n // GUESSES}")
        if n == GUESSES:
            with pytest.raises(HexboardError, match="Too many wrong figures"):
                keys.accept(wrong, "", "", 0, sender="192.168.0.0")
            assert keys.accept(right, "", "", 0, sender="192.168.0.99")
            right = keys.invite(0).figures
    with pytest.raises(HexboardError, match="Too many wrong figures"):
        keys.accept(right, "", "", 0, sender="192.168.0.99")


def test_a_guesser_at_one_address_keeps_no_phone_at_another_from_joining(site: Site) -> None:
    figures = asked(site, seat=0)["figures"]
    wrong = "000000" if figures != "000000" else "000001"
    for _ in range(GUESSES):
        assert join(site, wrong)[0] == 403
    body = json.dumps({"code": figures}).encode()
    sent = {"Host": site.host, "Origin": site.origin}
    for address, status in (("127.0.0.1", 403), ("127.0.0.2", 200)):
        asking = http.client.HTTPConnection(
            "127.0.0.1", site.port, timeout=PATIENCE, source_address=(address, 0)
        )
        with contextlib.closing(asking):
            asking.request("POST", "/join", body, sent)
            assert asking.getresponse().status == status


def test_an_invitation_to_watch_whose_figures_count_no_more_is_made_anew() -> None:
    keys = Keys(TOKEN)
    first = keys.invite(WATCHING)
    wrong = "000000" if first.figures != "000000" else "000001"
    for n in range(100):
        assert keys.invite(WATCHING) == first
        with pytest.raises(HexboardError):
            keys.accept(wrong, "", "", n * GUESSING_S)
    assert keys.accept(keys.invite(WATCHING).figures, "", "", 200 * GUESSING_S)


def test_an_invitation_that_many_guess_at_counts_by_its_link_only() -> None:
    keys = Keys(TOKEN)
    old, other = keys.invite(0), keys.invite(1)
    wrong = next(
        it for it in ("000000", "000001", "000002") if it not in (old.figures, other.figures)
    )
    for n in range(100):
        with pytest.raises(HexboardError):
            keys.accept(wrong, "", "", n * GUESSING_S)
    late = 200 * GUESSING_S
    with pytest.raises(HexboardError, match="has been used"):
        keys.accept(old.figures, "", "", late)
    assert keys.of(keys.accept(old.secret, "", "", late)) is not None
    assert keys.of(keys.accept(keys.invite(1).figures, "", "", late + GUESSING_S)) is not None


def test_a_new_invitation_to_a_seat_ends_the_one_that_nobody_took() -> None:
    keys = Keys(TOKEN)
    first, second = keys.invite(0), keys.invite(0)
    with pytest.raises(HexboardError):
        keys.accept(first.secret, "", "", 0)
    assert keys.accept(second.secret, "", "", 0)


BODIES = (
    *(b"", b"{", b"[]", b'{"code":7}', b'{"code":"1"}', b"x" * 10**5),
    *(b'{"code":"1","colour":6}', b'{"code":"1","name":"' + b"x" * 10_000 + b'"}'),
)


@pytest.mark.parametrize("body", BODIES)
def test_what_is_no_invitation_is_refused_in_words(site: Site, body: bytes) -> None:
    status, told, cookie = posted(site, body)
    assert (status in (400, 403), cookie) == (True, "")
    assert json.loads(told)["error"].endswith(".")


@pytest.mark.parametrize("sent", ["Content-Length: 60\r\n\r\n{", "Content-Length: x\r\n\r\n"])
def test_a_stranger_who_breaks_off_or_speaks_no_http_leaves_nothing_in_the_journal(
    site: Site, sent: str, caplog: pytest.LogCaptureFixture
) -> None:
    asks = f"POST /join HTTP/1.1\r\nHost: {site.host}\r\nOrigin: {site.origin}\r\n{sent}"
    with create_connection(("127.0.0.1", site.port)) as wire:
        wire.sendall(asks.encode())
        wire.shutdown(SHUT_WR)
        wire.settimeout(PATIENCE)
        while wire.recv(4096):
            pass
    assert site.get("/")[0] == 200
    assert not caplog.records


# ----------------------------------------------------------------------------------- what a key is


def test_a_key_opens_the_view_of_its_seat_and_no_other(site: Site) -> None:
    red, watcher = seated(site, 0, "Ann"), seated(site, WATCHING)
    with site.page() as host, site.page(Cookie=red) as page, site.page(Cookie=watcher) as third:
        eventually(lambda: len(site.server.pages) == 3)
        assert {it[0] for it in site.server.looking} - {-1} == {0}
        site.server.publish("state", b'{"of":-1}', {(0, "en"): b'{"of":0}', (1, "en"): b'{"of":1}'})
        assert [heard(it) for it in (host, page, third)] == [{"of": -1}, {"of": 0}, {"of": -1}]
        for one, side in ((page, 1), (third, 0), (page, 7), (host, 7)):
            one.send(json.dumps({"type": "curtain", "side": side}))
            assert heard(one)["reason"] == "That seat is not yours."
        page.send('{"type":"curtain","side":-1}')  # nothing to close: it is the seat's own page
        for kind in ('{"type":"invite","seat":1}', '{"type":"dismiss","key":""}'):
            page.send(kind)
            assert heard(page)["reason"] == "Only the host can do that."
        page.send('{"type":"declare","seat":1,"action":"end"}')
        eventually(lambda: [it for it in site.taken if isinstance(it.asked, Declare)])
    (said,) = [it for it in site.taken if isinstance(it.asked, Declare)]
    assert (said.side, said.key.name, said.key.seats) == (0, "Ann", (0,))
    assert "(Ann)/0" in said.source
    assert {it[0] for it in site.server.looking} - {-1} == set()


def test_who_takes_a_seat_takes_it_from_whose_it_was(site: Site) -> None:
    old = seated(site, 0, "Ann")
    with site.page(Cookie=old) as page:
        new = seated(site, 0, "Ben")
        assert closed(page) == BARRED
    assert site.get("/", Cookie=old)[0] == 403
    assert site.get("/", Cookie=new)[0] == 200
    assert [(key.name, key.seats) for key in site.server.keys.people] == [("Ben", (0,))]


def test_one_person_may_hold_several_seats_and_lose_one_of_them(site: Site) -> None:
    first = seated(site, 0, "Ann")
    _, _, second = join(site, asked(site, seat=1)["figures"], Cookie=first)
    assert second == first
    with site.page(Cookie=first) as page:
        you = about(page)
        assert (you["seats"], you["side"]) == ([0, 1], -1)  # behind a curtain again
        page.send('{"type":"curtain","side":1}')
        eventually(lambda: {it[0] for it in site.server.looking} - {-1} == {1})
        seated(site, 1, "Ben")
        eventually(lambda: {it[0] for it in site.server.looking} - {-1} == {0})
    assert [key.seats for key in site.server.keys.people] == [(0,), (1,)]


def test_the_host_throws_one_off_and_they_hear_no_more(site: Site) -> None:
    one, two = seated(site, 0), seated(site, 1)
    first = site.server.keys.people[0]
    with site.page() as host, site.page(Cookie=one) as page:
        host.send(json.dumps({"type": "dismiss", "key": first.id}))
        assert closed(page) == BARRED
        assert (site.get("/", Cookie=one)[0], site.get("/", Cookie=two)[0]) == (403, 200)


def test_all_keys_end_at_once_and_the_page_that_asked_goes_on_with_another(site: Site) -> None:
    keys, ann = site.server.keys, seated(site, 0, "Ann")
    screen = f"{cookie_name(site.port, TOKEN)}={keys.board}"
    waiting = asked(site, seat=1)["figures"]
    with site.page() as host, site.page() as other, site.page(Cookie=ann) as phone:
        host.send('{"type":"renew"}')  # the daemon makes the key
        (asking,) = eventually(lambda: [it for it in site.taken if it.asked == Renew()])
        site.server.renew("another-horse-battery-staple", asking.source)
        assert heard(host) == {"type": "renewed", "to": "?token=another-horse-battery-staple"}
        assert closed(other) == closed(phone) == BARRED
    for cookie in (site.cookie, ann, screen):
        assert site.get("/board", Cookie=cookie)[0] == 403
    assert join(site, waiting)[0] == 403
    assert keys.people == ()
    to = site.get("/?token=another-horse-battery-staple", Cookie=site.cookie)[1]
    assert site.get("/", Cookie=to["Set-Cookie"].partition(";")[0])[0] == 200


def test_a_host_may_make_another_one_who_keeps_their_seat(site: Site) -> None:
    cookie = seated(site, 0, "Ann")
    (ann,) = site.server.keys.people
    appoint = json.dumps({"type": "appoint", "key": ann.id})
    with site.page() as host, site.page(Cookie=cookie) as page:
        page.send(appoint)
        assert heard(page)["reason"] == "Only the host can do that."
        host.send(appoint)
        eventually(lambda: site.server.keys.people[0].host)
        page.send('{"type":"curtain","side":1}')  # as a host may
        eventually(lambda: {it[0] for it in site.server.looking} - {-1} == {1})
        page.send(json.dumps({"type": "dismiss", "key": ann.id}))
        assert closed(page) == BARRED
        host.send(appoint)
        assert heard(host)["reason"] == "That phone is no longer here."
    again = seated(site, 0, "Ann")
    site.server.keys.appoint(site.server.keys.people[0].id)
    with site.page(Cookie=again) as page:
        you = about(page)
        assert (you["host"], you["seats"], you["side"]) == (True, [0], -1)


def test_a_second_tab_is_the_same_person_and_what_a_revoked_one_still_sends_is_lost(
    site: Site,
) -> None:
    cookie = seated(site, 0, "Ann")
    act = '{"type":"declare","seat":0,"action":"end"}'
    with site.page() as host, site.page(Cookie=cookie) as one, site.page(Cookie=cookie) as two:
        assert about(two)["people"] == about(one)["people"]
        for tab in (one, two):
            tab.send(act)
        eventually(lambda: len([it for it in site.taken if isinstance(it.asked, Declare)]) == 2)
        host.send(json.dumps({"type": "dismiss", "key": site.server.keys.people[0].id}))
        for tab in (one, two):
            assert closed(tab) == BARRED
            with pytest.raises(ConnectionClosed):
                tab.send(act)
        host.send('{"type":"touch","cells":[]}')  # what came before it is heard by now
        eventually(lambda: [it for it in site.taken if isinstance(it.asked, Touch)])
    assert len([it for it in site.taken if isinstance(it.asked, Declare)]) == 2


def test_a_key_that_has_ended_does_nothing_more_though_its_line_is_still_open(site: Site) -> None:
    cookie = seated(site, 0, "Ann")
    with site.page(Cookie=cookie) as page:
        about(page)
        site.server.keys.drop(site.server.keys.people[0].id)  # and no page was told yet
        page.send('{"type":"declare","seat":0,"action":"end"}')
        assert closed(page) == BARRED
    assert [it for it in site.taken if isinstance(it.asked, Declare)] == []


def test_a_frame_of_ten_megabytes_ends_its_page_and_harms_nobody(site: Site) -> None:
    cookie = seated(site, 0, "Ann")
    with site.page() as host, site.page(Cookie=cookie) as page:
        with contextlib.suppress(ConnectionClosed, OSError):
            page.send("x" * 10_000_000)
        assert closed(page) in (1009, None)
        host.send('{"type":"nonsense"}')
        assert "does not understand" in heard(host)["reason"]
    assert site.get("/", Cookie=cookie)[0] == 200  # the seat is still hers


def test_a_seat_outlives_a_restart_and_the_file_opens_nothing(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    keys = Keys(TOKEN, path)
    secret = keys.accept(keys.invite(1).secret, "Ann", "", 0)
    keys.keep()
    assert secret not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    again = Keys(TOKEN, path).of(secret)
    assert again is not None
    assert (again.name, again.seats) == ("Ann", (1,))
    keys.appoint(again.id)
    keys.keep()
    assert Keys(TOKEN, path).people[0].host
    path.write_bytes(b'[{"id":"x","host":true}]')
    assert Keys(TOKEN, path).people == ()


def test_phones_that_cannot_be_read_are_laid_aside_and_told(tmp_path: Path) -> None:
    """Seats, names and colours were gone, and the next phone that joined overwrote them."""
    path, aside = tmp_path / "phones.json", tmp_path / "phones.damaged.json"
    keys = Keys(TOKEN, path)
    keys.accept(keys.invite(1).secret, "Ann", "", 0)
    keys.keep()
    for torn in (path.read_bytes()[:-9], b"", b"\xff"):
        path.write_bytes(torn)
        keys, told = Keys(TOKEN, path), dict[str, Message | None]()
        keys.tell(told.__setitem__)
        assert (keys.people, aside.read_bytes(), path.exists()) == ((), torn, False)
        assert [say(it) for it in told.values() if it and it.key == "web.damaged_phones"] == [
            f"The file {path} is damaged: nobody's phone is known any more. Invite everybody to "
            f"their seats again. The damaged file is kept as {aside}."
        ]
        aside.unlink()


def test_damaged_phones_that_cannot_be_laid_aside_are_not_said_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, _: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    path = tmp_path / "phones.json"
    path.write_bytes(b"[{")
    monkeypatch.setattr(Path, "replace", refuse)
    told = dict[str, Message | None]()
    Keys(TOKEN, path).tell(told.__setitem__)
    assert [say(it) for it in told.values() if it] == [
        f"The file {path} is damaged and cannot be laid aside (Permission denied): nobody's phone "
        "is known any more. Copy it, if you want to keep it, and invite everybody to their seats "
        "again."
    ]


def test_keys_that_notepad_saved_are_the_same(tmp_path: Path) -> None:
    """It begins a file with a mark, by which the link and everybody's seat were lost."""
    keys = Keys(token(tmp_path / "token"), tmp_path / "phones.json")
    secret = keys.accept(keys.invite(1).secret, "Ann", "", 0)
    keys.keep()
    for file in tmp_path.iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    again = Keys(token(tmp_path / "token"), tmp_path / "phones.json")
    assert again.board == keys.board
    assert again.of(secret) == keys.of(secret) is not None
    assert again.damaged is None


@pytest.mark.parametrize("name", ["token", "phones.json"])
def test_keys_that_this_user_may_not_read_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As after a `sudo hexboard`, or files put back from a copy: every link would end."""
    path = tmp_path / name
    keys = Keys(token(tmp_path / "token"), tmp_path / "phones.json")
    keys.accept(keys.invite(1).secret, "Ann", "", 0)
    keys.keep()
    before, healthy = path.read_bytes(), io.open

    def barring(file: Any, *rest: Any, **named: Any) -> Any:
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return healthy(file, *rest, **named)

    with monkeypatch.context() as barred:
        barred.setattr(io, "open", barring)
        with pytest.raises(PermissionError, match=name):
            Keys(token(tmp_path / "token"), tmp_path / "phones.json")
    assert path.read_bytes() == before


def test_who_was_thrown_off_while_the_disk_was_full_is_so_after_a_restart_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host was told nothing, and at the next start Ann's phone had her hand again."""
    monkeypatch.setattr(lasting, "AGAIN_S", 0.05)
    path, told = tmp_path / "phones.json", list[Message | None]()
    site = Site(path=path)
    site.server.keys.trouble = told.append
    try:
        ann = seated(site, 0, "Ann").partition("=")[2]
        full = path.with_name("phones.json.part")
        full.mkdir()  # the file cannot be written
        ben = seated(site, 1, "Ben").partition("=")[2]
        with site.page() as page:
            (held, _) = site.server.keys.people
            page.send(json.dumps({"type": "dismiss", "key": held.id}))
            eventually(lambda: len(site.server.keys.people) == 1)
            eventually(lambda: told and told[-1] is not None)
            assert Keys(TOKEN, path).of(ann) is not None, "that is what the file has"
            assert {it.key for it in told if it} == {"web.unkept"}
            full.rmdir()
            eventually(lambda: told[-1] is None)
    finally:
        site.server.close()
    again = Keys(TOKEN, path)
    assert again.of(ann) is None
    assert again.of(ben) is not None


def test_the_figures_beside_the_hosts_link_make_one_phone_a_host(tmp_path: Path) -> None:
    keys = Keys(TOKEN, tmp_path / "phones.json", "314159")
    ann = keys.accept("314159", "Ann", "", 0)
    key = keys.of(ann)
    assert key is not None
    assert (key.host, key.seats, key.name) == (True, (), "Ann")
    with pytest.raises(HexboardError, match="has been used"):
        keys.accept("314159", "Eve", "", 0)
    keys.keep()
    kept = Keys(TOKEN, tmp_path / "phones.json", "271828")  # started again
    assert kept.of(ann) == key
    ben = kept.accept(kept.invite(0).figures, "Ben", "", 0)
    assert kept.accept("271828", "", ben, 0) == ben  # who sits down before keeps their seat
    assert [(it.host, it.seats) for it in kept.people] == [(True, ()), (True, (0,))]
    kept.renew("another-horse-battery-staple", "161803")
    with pytest.raises(HexboardError, match="has been used"):
        kept.accept("271828", "", "", 0)
    assert kept.of(kept.accept("161803", "", "", 0)).host  # type: ignore[union-attr]


def test_nobody_is_made_a_host_where_no_figures_are_shown(site: Site) -> None:
    for code in ("", "000000", " "):
        assert join(site, code)[0] == 403


def test_the_hosts_key_is_nobody_elses() -> None:
    keys = Keys(TOKEN)
    assert keys.of(TOKEN) == HOST
    assert keys.of("") is None
    assert keys.of("\ud800") is None
    secret = keys.accept(
        keys.invite(0).secret, "", TOKEN, 0
    )  # the host sits down: a key of its own
    assert secret != TOKEN
    assert keys.people[0].host
    for _ in range(PEOPLE - 1):
        keys.accept(keys.invite(WATCHING).secret, "", "", 0)
    with pytest.raises(HexboardError, match="throw some off"):
        keys.accept(keys.invite(WATCHING).secret, "", "", 0, here=keys.people)


def test_who_watched_makes_room_for_who_sits_down(tmp_path: Path) -> None:
    """A television shows the code by which people watch, evening by evening."""
    keys = Keys(TOKEN, tmp_path / "phones.json", "271828")
    host = keys.accept("271828", "", "", 0)
    secrets = [keys.accept(keys.invite(WATCHING).secret, "", "", 0) for _ in range(PEOPLE - 1)]
    keys.keep()
    keys = Keys(TOKEN, tmp_path / "phones.json")
    first, second, *others = keys.people[1:]
    assert keys.of(keys.accept(keys.invite(0).secret, "Ann", "", 0, here=[first])) == keys.holder(0)
    assert keys.of(host) is not None
    assert [keys.of(it) for it in secrets] == [first, None, *others]
    assert keys.now(second) is None
    assert len(keys.people) == PEOPLE


def test_who_watches_now_is_not_sent_away_for_who_sits_down(site: Site) -> None:
    cookies = [join(site, asked(site, seat=WATCHING)["figures"])[2] for _ in range(2)]
    with site.page(Cookie=cookies[0]):
        for _ in range(PEOPLE - 2):
            site.server.keys.accept(site.server.keys.invite(WATCHING).secret, "", "", 0)
        first, second = site.server.keys.people[:2]
        assert join(site, asked(site, seat=0)["figures"])[0] == 200
        assert site.server.keys.now(first) == first
        assert site.server.keys.now(second) is None


@pytest.mark.parametrize("figures", ["", "271828"])
def test_who_came_first_to_watch_makes_room_for_who_plays_or_is_a_host(figures: str) -> None:
    keys = Keys(TOKEN, None, "271828")
    player = keys.of(keys.accept(keys.invite(0).secret, "Ann", "", 0))
    for _ in range(PEOPLE - 1):
        keys.accept(keys.invite(WATCHING).secret, "", "", 0)
    here = first, second, *_ = keys.people
    assert first == player
    keys.accept(figures or keys.invite(1).secret, "Ben", "", 0, here=here)
    assert (keys.now(first), keys.now(second)) == (player, None)
    with pytest.raises(HexboardError, match="64 phones"):
        keys.accept(keys.invite(WATCHING).secret, "", "", 0, here=keys.people)


def test_the_page_of_who_makes_room_is_told(site: Site) -> None:
    cookie = join(site, asked(site, seat=WATCHING)["figures"])[2]
    with site.page(Cookie=cookie) as page:
        about(page)
        keys = site.server.keys
        for _ in range(PEOPLE - 1):
            keys.accept(keys.invite(0).secret, "", "", 0)
            keys.appoint(keys.people[-1].id)
        assert join(site, asked(site, seat=1)["figures"])[0] == 200
        assert closed(page) == BARRED


def test_who_holds_a_seat_that_the_next_game_lacks_watches_it_and_has_it_back_after_that(
    site: Site,
) -> None:
    site.server.pages.seats = 3
    cookie = seated(site, 2, "Ann")
    for seats, held, side in ((3, [2], 2), (2, [], -1), (3, [2], 2)):
        site.server.pages.seats = seats
        with site.page(Cookie=cookie) as page:
            you = about(page)
            assert (you["seats"], you["side"], you["people"][0]["seats"]) == (held, side, held)
            site.taken.clear()
            page.send('{"type":"touch","cells":["a1"]}')
            sent = eventually(lambda: [it for it in site.taken if isinstance(it.asked, Touch)])
            assert sent[0].key.seats == tuple(held)


def test_a_board_page_watches_and_may_only_show_how_to_watch(site: Site) -> None:
    keys = site.server.keys
    assert keys.board not in (TOKEN, "")
    assert keys.of(keys.board) == BOARD
    cookie = f"{cookie_name(site.port, TOKEN)}={keys.board}"
    browser = {"Accept": "text/html,application/xhtml+xml"}
    assert b"board.js" in site.get("/board", Cookie=cookie, **browser)[2]
    with site.page() as host, site.page(Cookie=cookie) as screen:
        told = about(screen)
        assert (told["host"], told["seats"], told["side"], told["board"]) == (False, [], -1, "")
        assert about(host)["board"].endswith(f"/board?token={keys.board}")
        screen.send('{"type":"invite","seat":-1}')
        shown = heard(screen)
        assert shown["figures"] in shown["text"].replace(" ", "")
        assert asked(site, seat=WATCHING)["figures"] == shown["figures"]  # both may show it
        for other in ('{"type":"invite","seat":0}', '{"type":"dismiss","key":""}'):
            screen.send(other)
            assert heard(screen)["reason"] == "Only the host can do that."
        site.taken.clear()
        screen.send('{"type":"touch","cells":["a1"]}')
        assert heard(screen)["reason"] == "That seat is not yours."
        assert site.taken == []


def test_a_seat_is_handed_over_by_the_host_or_by_who_holds_it(site: Site) -> None:
    ann, cat = seated(site, 0, "Ann"), seated(site, WATCHING, "Cat")
    with site.page() as host, site.page(Cookie=ann) as one, site.page(Cookie=cat) as other:
        to = site.server.keys.people[1].id
        other.send(json.dumps({"type": "give", "key": to, "seat": 0}))
        assert heard(other)["reason"] == "That seat is not yours."
        one.send(json.dumps({"type": "give", "key": to, "seat": 0}))
        eventually(
            lambda: (
                {it[0] for it in site.server.looking} - {-1} == {0}
                and site.server.keys.people[1].seats == (0,)
            )
        )
        assert site.server.keys.people[0].seats == ()  # she watches from now on
        told = [it for it in site.taken if it.asked == Curtain(0) and it.key.id == to]
        assert [it.side for it in told] == [0]  # so she is shown her cards, name or no name
        host.send(json.dumps({"type": "give", "key": "nobody", "seat": 0}))
        assert heard(host)["reason"] == "That phone is no longer here."


def test_who_opens_a_board_pages_link_keeps_their_seat(site: Site) -> None:
    """A browser sends both cookies from then on."""
    ann, keys = seated(site, 0, "Ann"), site.server.keys
    browser = {"Accept": "text/html"}
    status, told, _ = site.get(f"/board?token={keys.board}", Cookie=ann, **browser)
    assert (status, told["Location"]) == (303, "board")
    both = f"{told['Set-Cookie'].partition(';')[0]}; {ann}"
    with site.page(Cookie=both) as page:
        assert about(page)["seats"] == [0]
    keys.drop(keys.people[0].id)
    with site.page(Cookie=both) as page:  # who is thrown off still has the link
        assert about(page)["seats"] == []
    assert b"board.js" in site.get("/board", Cookie=both, **browser)[2]


def test_a_key_is_kept_from_the_last_time_that_a_page_was_opened(site: Site) -> None:
    ann = seated(site, 0, "Ann")
    for path in ("/", "/board"):
        kept = site.get(path, Cookie=ann, Accept="text/html")[1]["Set-Cookie"]
        assert kept.startswith(f"{ann};")
        assert f"Max-Age={400 * 24 * 3600}" in kept
    assert site.get("/join", Cookie="")[1]["Set-Cookie"] is None


def test_a_host_who_loses_the_only_seat_is_still_a_host(site: Site) -> None:
    cookie = seated(site, 0, "Ann")
    site.server.keys.appoint(site.server.keys.people[0].id)
    seated(site, 0, "Ben")
    with site.page(Cookie=cookie) as page:
        you = about(page)
        assert (you["host"], you["seats"]) == (True, [])


def test_a_board_page_that_takes_a_seat_gets_a_key_of_its_own(site: Site) -> None:
    """The key that it had is every board page's."""
    held = f"{cookie_name(site.port, TOKEN)}={site.server.keys.board}"
    _, _, cookie = join(site, asked(site, seat=0)["figures"], Cookie=held)
    with site.page(Cookie=cookie) as page:
        assert about(page)["seats"] == [0]


def test_who_sits_down_says_their_colour_and_that_they_are_somewhere_else(site: Site) -> None:
    body = {"code": asked(site, seat=0)["figures"], "name": "Ann", "far": True, "colour": 2}
    assert posted(site, json.dumps(body).encode())[0] == 200
    (ann,) = site.server.keys.people
    assert (ann.far, site.server.keys.of("")) == (True, None)
    with site.page() as host:
        (told,) = about(host)["people"]
        assert (told["name"], told["colour"], told["far"]) == ("Ann", 2, True)


@pytest.mark.parametrize("name", ["host", "The Host", "button", "Der Gastgeber"])
def test_a_name_that_stands_for_somebody_else_is_none(name: str) -> None:
    assert called(name) == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("<b>Ann</b>", "<b>Ann<b>"),  # pages show it as text
        ("Ann/1", "Ann1"),  # a source's side stands behind that mark
        ("Ann\u202e\u200f", "Ann"),
        ("x" * 10_000, "x" * 40),
        ("\x00\x1b[31m", "[31m"),
    ],
)
def test_a_name_is_one_short_line(name: str, shown: str) -> None:
    assert called(name) == shown


def test_players_who_change_seats_take_phones_and_open_invitations_along(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    keys = Keys(TOKEN, path)
    ann = keys.of(keys.accept(keys.invite(0).secret, "Ann", "", 0.0))
    open_still = keys.invite(1)
    assert keys.exchange(True)
    assert not keys.exchange(True)
    ben = keys.of(keys.accept(open_still.secret, "Ben", "", 0.0))
    assert ann
    assert ben
    assert [(key.name, key.seats) for key in keys.people] == [("Ann", (1,)), ("Ben", (0,))]
    keys.keep()
    assert [key.seats for key in Keys(TOKEN, path).people] == [(0,), (1,)]  # before the swap
    assert keys.exchange(False)
    assert [key.seats for key in keys.people] == [(0,), (1,)]


def test_a_hosts_curtain_closes_over_a_hand_that_gets_a_phone_of_its_own(site: Site) -> None:
    with site.page() as host, site.page() as other:
        for page, side in ((host, 0), (other, 1)):
            page.send(json.dumps({"type": "curtain", "side": side}))
        eventually(lambda: {it[0] for it in site.server.looking} == {0, 1})
        seated(site, 0, "Ann")
        eventually(lambda: {it[0] for it in site.server.looking} == {-1, 1})
        assert site.taken[-1].asked == Curtain(-1)  # the daemon hears of it
        host.send('{"type":"curtain","side":0}')  # of which everybody is told
        eventually(lambda: site.taken[-1].asked == Curtain(0))
        with site.page():  # somebody comes, who changes nothing
            eventually(lambda: len(site.server.pages) == 3)
            assert {it[0] for it in site.server.looking} == {-1, 0, 1}
        site.server.cover()  # a game begins
        eventually(lambda: {it[0] for it in site.server.looking} == {-1, 1})
