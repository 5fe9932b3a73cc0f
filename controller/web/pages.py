"""All open pages: what they are sent, and what is done when one of them asks for something.

All of it happens in the web's thread; who is there (`len`, a loop) may be asked from any other.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from hexboard.web import reach
from hexboard.web.keys import BOARD, HOST, WATCHING, Holders, Invitation, Key, Keys
from hexboard.web.lasting import Lasting
from hexboard.web.page import OpenPage, Texts
from hexboard.web.reach import Reach
from hexboard.web.referee import RefereePage
from hexboard.web.requests import (
    NOBODY,
    Appoint,
    Asked,
    Curtain,
    Dismiss,
    FromPage,
    Give,
    Id,
    Invite,
    Line,
    decode_asked,
    id_of,
)
from hexboard.words import Message, message, refusal, say
from hexboard.words.errors import NO_JSON, HexboardError

P = TypeVar("P", bound=OpenPage)
PAGES = 256
"""Pages of guests that may be open at once, and of each host."""
PAGES_OF_ONE = 16
"""Pages that one phone may have open at once."""
SCREENS = 192
"""The same of all televisions, overlays and who watches elsewhere, who share the board's key: of
the guests' pages there are always some left for phones."""


class OpenPages:
    """The open pages of a board. `take` gets what they ask for; False where too much waits. `own`
    is where they are found."""

    def __init__(
        self, keys: Keys, take: Callable[[FromPage], bool], of: Reach, own: Callable[[], str]
    ) -> None:
        self.keys, self._holders = keys, Holders(keys)
        self.take = take
        self._of, self._own = of, own
        self.seats = 0
        """Of the game that is played."""
        self.exchanged = False
        """Whether a rule has had the first two players change seats."""
        self.looked: Callable[[], None] = lambda: None
        """Called when somebody begins to look."""
        self.lasting = Lasting(keys, self._introduce)
        self.latest: dict[str, Texts] = {}
        """What was sent last of each kind, to all: a page that is opened begins with it."""
        self._pages: dict[str, OpenPage] = {}
        self._serial = 0

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[OpenPage]:
        return iter(list(self._pages.values()))

    # ------------------------------------------------------------------------ who comes and goes

    def crowded(self, key: Key) -> bool:
        """Whether a page more of this key is one too many: of its own, or of all guests. Guests
        keep no host away."""
        own = sum(page.key.id == key.id for page in self)
        if key.host:
            return own >= PAGES
        of_one = SCREENS if key == BOARD else PAGES_OF_ONE
        return own >= of_one or sum(not page.key.host for page in self) >= PAGES

    @contextlib.contextmanager
    def visit(self, kind: type[P], key: Key, language: str, address: str) -> Iterator[P]:
        """Somebody looks, meanwhile, at a page of this kind, which they found at an `address`."""
        self._serial += 1
        name = f"page {self._serial}{f' ({key.name})' if key.name else ''}"
        page = kind(name, key, language)
        page.address = address
        if not key.host and key != BOARD:  # a phone's pages are one voice, its programs another
            voice = (it.pace for it in self if it.key.id == key.id and type(it) is kind)
            page.pace = next(voice, page.pace)
        self.open(page)
        try:
            yield page
        finally:
            self._close(page)

    def open(self, page: OpenPage) -> None:
        """It is told from now on what it is to show."""
        self._pages[page.name] = page
        self.changed()
        for what, texts in self.latest.items():
            page.take(what, texts)
        self.looked()

    def _close(self, page: OpenPage) -> None:
        del self._pages[page.name]
        if not self._pages:  # nobody is shown what changes from now on
            for what in ("state", "pixels", "balls"):
                self.latest.pop(what, None)
        self.changed()

    def changed(self) -> None:
        """Who is here, or holds which seat, is another: pages hear of it once it will last."""
        for page in self:
            key = self.keys.now(page.key)
            if key is None:
                page.barred.set()
            elif key != page.key:
                page.key = key
                if page.side not in key.seats:  # what it is shown now, it was not sent before
                    self._close_curtain(page)
        self._cover(self._holders.new())
        self.lasting.tell()

    def renew(self, token: str, source: str, figures: str) -> None:
        """The host's key is this one now: the page that asked goes there, every other is out."""
        self.keys.renew(token, figures)
        for page in self:
            if page.name == source.split("/")[0]:
                page.key = HOST  # it stays until it is told where to go
                there = _json({"type": "renewed", "to": f"?token={token}"})
                self.lasting.then(partial(page.put, "renewed", -1, there))
            else:
                page.barred.set()
        self.changed()

    # ------------------------------------------------------------------------ what they are sent

    def spread(self, kind: str, texts: Texts) -> None:
        """Send every page what is for it, in place of what waits of this kind."""
        if self.keys.exchange(self.exchanged):
            self.changed()
        self.latest[kind] = {it: text for it, text in texts.items() if it[0] == NOBODY}
        for page in self:
            page.take(kind, texts)

    def answer(self, source: str, why: Message | None, id: Id | None = None) -> None:
        """Tell one page that what it asked for is refused, or by its `id` that it was taken; if it
        still shows the same side."""
        page = self._pages.get(source.split("/")[0])
        if page is not None and page.source == source:
            page.answer(_answer(why, page.language, id))

    def send(self, source: str, text: str) -> None:
        """Send a program an answer of the referee, or news."""
        if isinstance(page := self._pages.get(source), RefereePage):
            page.say(text)

    def cover(self) -> None:
        """Close the curtain of each host's page over the cards of somebody's phone."""
        self._cover(self._holders.now())

    def tell_side(self, page: OpenPage) -> None:
        """The daemon hears whose cards a page shows."""
        self.take(FromPage(page.source, page.side, Curtain(page.side), page.key))

    def _cover(self, holders: Mapping[int, str]) -> None:
        """The same where it shows cards of these seats, whose phones have other keys, by id."""
        for page in self:
            if page.key.host and holders.get(page.side, page.key.id) != page.key.id:
                self._close_curtain(page)

    def _close_curtain(self, page: OpenPage) -> None:
        page.look(page.only)
        self.tell_side(page)

    def _introduce(self) -> None:
        """Tell every page who uses it, and who is here or has a seat; hosts also who has left, and
        the link of the board page."""
        here = {page.key.id for page in self if not page.barred.is_set()}
        known = [
            _rights(within(key, self.seats))
            | {"id": key.id, "name": key.name, "here": key.id in here}
            for key in self.keys.people
        ]
        everybody = msgspec.Raw(msgspec.json.encode(known))
        there = msgspec.Raw(msgspec.json.encode([it for it in known if it["here"] or it["seats"]]))
        for page in self:
            board = f"{page.address or self._own()}/board?token={self.keys.board}"
            about = {
                "type": "you",
                "side": page.side if not self.seats or page.side < self.seats else NOBODY,
                "people": everybody if page.key.host else there,
                "board": board if page.key.host else "",
            }
            page.put("you", -1, _json(_rights(within(page.key, self.seats)) | about))

    # -------------------------------------------------------------------------- what they ask for

    def hear(self, page: OpenPage, text: str) -> None:
        """A page said something."""
        id = id_of(text)
        try:
            page.pace.heed()
            self._do(page, *decode_asked(text), id)
        except NO_JSON:
            page.answer(_answer(message("web.no_command"), page.language, id))
        except HexboardError as error:
            page.answer(_answer(error.message, page.language, id))

    def hear_line(self, page: OpenPage, line: Line) -> None:
        """A program said a line to the referee. Raises `HexboardError` where it is not heard."""
        self._do(page, line, "", None)

    def _do(self, page: OpenPage, asked: Asked | Line, match: str, id: Id | None) -> None:
        """Do what a page asks for, or let the daemon do it. Raises `HexboardError`."""
        if self.keys.now(page.key) is None:  # thrown off, and its line is not closed yet
            page.barred.set()
            return
        match asked:
            case Invite() | Give() | Appoint() | Dismiss():
                self._do_with_keys(page, asked)
                if id is not None:
                    page.answer(_answer(None, page.language, id))
                return
            case _ if page.key == BOARD:  # so many may share it: the daemon hears none of them
                raise HexboardError("web.not_yours")
            case Curtain(side) if side < 0:
                page.look(page.only)
            case Curtain(side) if side < self.seats and (page.key.host or side in page.key.seats):
                page.look(side)
            case Curtain():
                raise HexboardError("web.not_yours")
        key = within(page.key, self.seats)
        if not self.take(FromPage(page.source, page.side, asked, key, match, id)):
            raise HexboardError("web.too_fast")

    def _do_with_keys(self, page: OpenPage, asked: Invite | Give | Appoint | Dismiss) -> None:
        """Do what a page asks about keys. Raises `HexboardError`."""
        key = page.key
        match asked:
            case Give(to, seat) if 0 <= seat < self.seats and (key.host or seat in key.seats):
                self.keys.give(to, seat)
            case Give():
                raise HexboardError("web.not_yours")
            case Invite(seat) if seat < 0 and key == BOARD:
                self._invite(page, WATCHING)
            case _ if not key.host:
                raise HexboardError("web.host_only")
            case Invite(seat) if seat < self.seats:
                self._invite(page, max(WATCHING, seat))
            case Invite():
                raise HexboardError("web.not_yours")
            case Appoint(whose):
                self.keys.appoint(whose)
            case Dismiss(whose):
                self.keys.drop(whose)
        if not isinstance(asked, Invite):
            self.changed()

    def _invite(self, page: OpenPage, seat: int) -> None:
        """Tell a page what to show to who is to take a seat."""
        near = not (page.address or self._of.network)
        there = f"{page.address or self._own()}/join"
        page.answer(_json(_invitation(self.keys.invite(seat), there, near, page.language)))


def within(key: Key, seats: int) -> Key:
    """A key as a game of so many seats knows it: who held another one watches, and has that one
    again in the next game that has it."""
    if not seats or all(seat < seats for seat in key.seats):
        return key
    return replace(key, seats=tuple(seat for seat in key.seats if seat < seats))


def _rights(key: Key) -> dict[str, object]:
    return {"host": key.host, "seats": key.seats, "colour": key.colour, "far": key.far}


def _invitation(made: Invitation, address: str, near: bool, language: str) -> dict[str, object]:
    """What a page is to show to who is to come to this address; `near`: phones cannot."""
    link = f"{address}#{made.secret}"
    figures = f"{made.figures[:3]} {made.figures[3:]}"
    return {
        "type": "invitation",
        "seat": made.seat,
        "link": link,
        "code": reach.code(link),
        "figures": made.figures,
        "text": say(message("web.come", address=address, figures=figures), language),
        "near": near,
    }


def _answer(why: Message | None, language: str, id: Id | None) -> str:
    """That a request is refused, or taken; with its `id`, where it has one."""
    own = {} if id is None else {"id": id}
    if why is None:
        return _json({"type": "taken", **own, "ok": True})
    return _json({"type": "refused", **own, "ok": False, **refusal(why, language)})


def _json(told: object) -> str:
    return msgspec.json.encode(told).decode()
