"""The greeting: where the page is, in the terminal, and in a file that `hexboard link` reads."""

import contextlib
import os
import secrets
import sys
import threading
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace
from segno.helpers import make_wifi_data

from hexboard.settings import WebSettings
from hexboard.web import mdns, reach
from hexboard.web.keys import another_token, figures, lend, screen, token
from hexboard.web.reach import Reach
from hexboard.web.server import Server
from hexboard.words import Message, message, say

LONGEST_WIFI = 32
"""Letters of a Wi-Fi's name (IEEE 802.11)."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a password: none that looks like another."""
LINK = "link.json"
"""The file's name in the state folder, while the daemon runs."""


class Where(Struct, frozen=True):
    """The links that open a running board's page as its host, with the host's key in them."""

    here: str
    """On this computer."""
    phone: str = ""
    """In the same network, where that is let in."""
    board: str = ""
    """For a television at the table: it only shows the board."""
    figures: str = ""
    """What makes a phone a host's, once, that gives them where people sit down."""
    certified: bool = False
    """Whether the links of others have a name of the certificate, which stays."""

    def __post_init__(self) -> None:
        for link in (self.here, self.phone, self.board):
            urlsplit(link)  # raises `ValueError` for what is none


def where(of: Reach, port: int, key: str, figures: str = "") -> Where:
    """The links to a page that is served `of` a port, with the host's key and `figures`."""
    phone = of.own(port) if of.network else ""
    query = f"/?token={key}"
    here = of.origin("127.0.0.1", port)
    board = f"{phone or here}/board?token={screen(key)}"
    certified = of.network and bool(of.certified)
    return Where(here + query, phone and phone + query, board, figures, certified)


def of_today(links: Where) -> Where:
    """These links with the address that this computer has now: a router gives another one. A name
    of its certificate stays."""
    if not links.phone or links.certified:
        return links
    there = f"{reach.address()}:{urlsplit(links.phone).port}"
    phone, board = (
        urlsplit(it)._replace(netloc=there).geturl() for it in (links.phone, links.board)
    )
    return replace(links, phone=phone, board=board)


class Links:
    """The links to a running board's page: in a file for this user alone, while they lead anywhere,
    and in the terminal."""

    def __init__(self, server: Server, state: Path, echo: Callable[[str], None]) -> None:
        self._server, self._state, self._echo = server, state, echo
        self._renewing = threading.Lock()
        self._closed = False
        self._lend(token(state / "token"), server.keys.figures)
        server.keys.spent = self._spent

    def _lend(self, key: str, figures: str) -> None:
        self._where = where(self._server.of, self._server.port, key, figures)
        lend(self._state / LINK, self._where)

    def _spent(self, figures: str) -> None:
        """These figures of the host's count no more: who looks for them is told. In the web's
        thread, which waits for no disk."""
        threading.Thread(target=partial(self._without, figures), name="keys").start()

    def _without(self, figures: str) -> None:
        with self._renewing:
            if self._closed or self._where.figures != figures:  # renewed meanwhile
                return
            self._where = replace(self._where, figures="")
            lend(self._state / LINK, self._where)
        self._echo(say(message("web.spent")))

    @property
    def spectators(self) -> str:
        """The link of those who watch elsewhere; "" where nobody else can open the page."""
        return of_today(self._where).board if self._where.phone else ""

    def close(self) -> None:
        with self._renewing, contextlib.suppress(OSError):
            self._closed = True
            (self._state / LINK).unlink(missing_ok=True)

    def greet(self, text: Message, watched: bool = False) -> None:
        """Say in the terminal where the page is, `watched` by a camera."""
        for line in _greeting(self._where, text, watched, sys.stdout.isatty()):
            self._echo(line)

    def renew(self, source: str) -> None:
        """End every key to the board; the page that asks for it goes on with another one, or is
        told why that cannot be. In a thread of its own: it waits for the disk and the network."""
        threading.Thread(target=partial(self._renew, source), name="keys").start()

    def _renew(self, source: str) -> None:
        with self._renewing:
            if self._closed:
                return
            try:
                key = another_token(self._state / "token")
            except OSError as error:
                why = error.strerror or "?"
                self._server.answer(source, message("daemon.not_kept", why=why))
                return
            given = figures() if self._server.of.network else ""
            self._server.renew(key, source, given)
            self._lend(key, given)
        self.greet(message("web.renewed"))


def _greeting(links: Where, text: Message, watched: bool, seen: bool) -> list[str]:
    """What is said in the terminal. What systemd keeps for ever holds no key; `seen`: somebody sits
    before it, who can point a camera at a code."""
    if _kept_for_ever():
        return [f"{say(text)} {say(message('web.unseen'))}"]
    told = [f"{say(text)} {say(message('web.open'))}", f"  {links.here}"]
    if watched:
        told.append(f"{say(message('vision.view'))} {links.here.replace('/?', '/camera?')}")
    return [*told, *for_phones(links, seen)]


def _kept_for_ever() -> bool:
    """Whether what is said goes to systemd's journal, which names the stream that it reads
    (systemd.exec(5)); a desktop's terminals may inherit that name, not the stream."""
    try:
        out = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}"


def for_phones(links: Where, seen: bool) -> list[str]:
    """How a phone gets to the page."""
    if not links.phone:
        return [say(message("web.no_phones"))]
    leads = _leads(links.phone, links.certified)
    if leads.key == "web.no_network":
        return [say(leads)]
    told = [say(message("web.phones")), f"  {links.phone}", say(leads)]
    if links.figures:
        told.append(say(message("web.pin", address=joining(links.phone), figures=links.figures)))
    return [*told, reach.code_in_text(links.phone)] if seen else told


def hotspot() -> list[str]:
    """How this computer makes a Wi-Fi of its own, and the code by which phones join it."""
    name, password = reach.name()[:LONGEST_WIFI], "".join(map(secrets.choice, [LETTERS] * 10))
    told = say(message("first.hotspot", name=name, password=password))
    return [told, reach.code_in_text(make_wifi_data(name, password, "WPA"))]


def joining(link: str) -> str:
    """Where people sit down, on the page of a link."""
    return f"{link.partition('/?')[0]}/join"


def found_at(web: WebSettings) -> tuple[str, Message]:
    """Where phones in the network find the page, and whether by this computer's name too."""
    of = Reach(True, web.names, (), web.certificate)
    link = of.own(web.port)
    return link, _leads(link, bool(of.certified))


def _leads(link: str, certified: bool) -> Message:
    """How a link of today leads to this computer; `certified`: by a name of its certificate."""
    if certified:
        return message("web.certified", name=urlsplit(link).hostname or "")
    name = f"{reach.name()}.local"
    if not reach.networked(urlsplit(link).hostname or ""):
        return message("web.no_network")
    return named(link, name, mdns.addresses(name))


def named(link: str, name: str, addresses: Collection[str]) -> Message:
    """Whether a link works with this computer's name as well, which leads to these addresses; or
    what to do that it does."""
    here = urlsplit(link).hostname or ""
    if here in addresses:
        return message("web.named", link=link.replace(here, name))
    return message("web.name_taken" if addresses else "web.unnamed", name=name)
