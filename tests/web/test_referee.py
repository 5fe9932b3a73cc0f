"""The wire `/referee` of a board's server: what a program is sent, whatever becomes of its key."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect

from hexboard.web.keys import Key
from hexboard.web.requests import FromPage, Line
from hexboard.words import message
from tests.running import PATIENCE, eventually
from tests.web.test_seats import seated
from tests.web.test_server import Site


@contextlib.contextmanager
def wire(site: Site, cookie: str) -> Iterator[ClientConnection]:
    headers = {"Cookie": cookie, "Origin": site.origin}
    with connect(
        f"ws://{site.host}/referee", additional_headers=headers, close_timeout=0.2
    ) as socket:
        yield socket


def heard(socket: ClientConnection) -> Any:
    return json.loads(socket.recv(timeout=PATIENCE))


def said(site: Site) -> list[FromPage]:
    return [it for it in site.taken if isinstance(it.asked, Line)]


def test_what_a_program_was_answered_it_is_sent_though_it_has_another_seat_by_then(
    site: Site,
) -> None:
    with wire(site, seated(site, 0)) as socket:
        socket.send('{"do":"hello"}')
        (line,) = eventually(lambda: said(site))
        pages = site.server.pages

        def answered() -> None:
            pages.send(line.source, '{"ok":true}')
            pages.keys.give(line.key.id, 1)
            pages.changed()

        site.server._soon(answered)
        assert heard(socket) == {"ok": True}


def test_a_line_that_comes_to_nothing_is_refused_by_its_id(site: Site) -> None:
    """As one that was said to a game that has ended meanwhile; or while too much waits."""
    with wire(site, seated(site, 0)) as socket:
        long = "x" * 200
        for text, ids in (
            ('{"do":"hello","id":7}', [7]),
            (f'{{"do":"hello","id":"{long}"}}', [long]),
            ('[{"do":"hello","id":1},{"do":"state"}]', [1, None]),
        ):
            before = len(said(site))
            socket.send(text)
            line = eventually(lambda n=before: said(site)[n:])[0]  # type: ignore[misc]
            site.server.turn_away(line, message("front.changing"))
            told = heard(socket)
            answers = told if text.startswith("[") else [told]
            assert {(it["ok"], it["key"]) for it in answers} == {(False, "front.changing")}
            assert [it.get("id") for it in answers] == ids
        site.full = True
        socket.send('{"do":"hello","id":"a"}')
        answer = heard(socket)
        assert (answer["id"], answer["key"]) == ("a", "web.too_fast")


def test_who_is_no_program_is_sent_no_line(site: Site) -> None:
    with wire(site, seated(site, 0)) as socket:
        site.server.send("page 99", b"{}")
        site.server.turn_away(FromPage("page 99", -1, Line("{}"), Key("x")), message("web.no_page"))
        socket.send('{"do":"hello"}')
        (line,) = eventually(lambda: said(site))
        site.server.send(line.source, b'{"ok":true}')
        assert heard(socket) == {"ok": True}
