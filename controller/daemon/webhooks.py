"""Webhooks: what happens at the table, posted as JSON to addresses that a person has set.

Each address has a queue and a thread of its own: one that is slow, refuses or is gone holds neither
the table up nor another address. docs/open.md, "Webhooks".
"""

import contextlib
import hmac
import http.client
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard import __version__
from hexboard.daemon.away import away, once
from hexboard.settings import Event, WebhookSettings
from hexboard.web.public import Listener, PublicLine, PublicState, waiting, wrong
from hexboard.web.server import Server
from hexboard.words import Message, message, say

QUEUE = 64
"""So many events wait for one address at most; the oldest makes room."""
TRIES = 6
AGAIN_S = 1.0
"""So long until what was not taken is posted again; twice as long each time after that."""
ANSWER_S = 5.0
"""So long an address may take to say anything."""
GOODBYE_S = 1.0
"""So long it is waited, as hexboard ends, until what is left has gone."""
LATER = {408, 425, 429}
"""Refusals (RFC 9110, 6585, 8470) that may be none the next time, as all of a server's own."""
HEADERS = {"Content-Type": "application/json", "User-Agent": f"hexboard/{__version__}"}

SIGNATURE = "Hexboard-Signature"
"""The header that proves who posts, where the settings have a secret."""


class WebhookEvent(Struct, frozen=True, kw_only=True):
    """What is posted: that something happened, and the state in which it did."""

    version: int = 1
    """What is only added does not change it."""
    id: str
    """The same where it is posted again."""
    event: Event
    name: str = ""
    """What this board is called, that others of its kind are not."""
    board: str
    """What the board is called that is played on, after its file."""
    missed: int = 0
    """So many before it did not reach this address, since hexboard was started."""
    rulings: tuple[PublicLine, ...] = ()
    """Of the event `ruling`: every line that has become final, oldest first."""
    state: PublicState


class Webhooks:
    """Posts what happens on the board of this `title`, `called` so by people, as `server` publishes
    it. `echo` is told of an address that does not take it. `close` it at the end."""

    def __init__(
        self,
        settings: WebhookSettings,
        title: str,
        server: Server,
        echo: Callable[[str], None],
        called: str = "",
    ) -> None:
        self._wanted, self._title, self._called = settings.events, title, called

        def tell(told: Message) -> None:
            echo(say(told, server.language))

        self._receivers = [Receiver(url, tell, settings.secret) for url in settings.urls]
        self._before: PublicState | None = None
        self._session, self._count = secrets.token_hex(4), count(1)
        server.listen(Listener("webhooks", server.language, self._hear))

    def _hear(self, text: bytes) -> None:
        """In the web's thread."""
        now, before = msgspec.json.decode(text, type=PublicState), self._before
        self._before = waiting(before, now)
        for event in happened(before, now):
            if event in self._wanted:
                told = WebhookEvent(
                    id=f"{self._session}-{next(self._count)}",
                    event=event,
                    name=self._called,
                    board=now.board or self._title,
                    rulings=ruled(before, now) if event == "ruling" and before else (),
                    state=now,
                )
                for receiver in self._receivers:
                    receiver.post(told)

    def close(self) -> None:
        """What waits is still posted, once, for as long as `GOODBYE_S`."""
        for receiver in self._receivers:
            receiver.end()
        until = time.monotonic() + GOODBYE_S
        for receiver in self._receivers:
            receiver.join(until)


def happened(before: PublicState | None, now: PublicState) -> Iterator[Event]:
    """What has happened between two states; of the first one, and of another match, only that it
    is there."""
    if before is None or before.match != now.match:
        yield "match"
        return
    if ruled(before, now):
        yield "ruling"
    if now.scores is None and 0 <= now.active != before.active:
        yield "turn"
    if now.question is not None and now.question != before.question:
        yield "question"
    if now.scores is not None and before.scores is None:
        yield "over"
    if now.paused != before.paused:
        yield "paused"
    if bool(wrong(now)) != bool(wrong(before)):
        yield "health"


def ruled(before: PublicState, now: PublicState) -> tuple[PublicLine, ...]:
    """What no better reading can replace any more, and could before; oldest first."""
    had = {line.n for line in before.log if line.final}
    lines = (line for line in reversed(now.log) if line.n not in had)
    return tuple(line for line in lines if line.final and not line.aside)


class Receiver:
    """One address, what waits for it, and the thread that posts it, signed with a `secret` where
    there is one. `tell` is told once why it does not take it."""

    def __init__(self, url: str, tell: Callable[[Message], None], secret: str = "") -> None:
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self._line = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._host, self._tell, self._secret = parts.netloc, tell, secret.encode()
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._waiting = deque[WebhookEvent]()
        self._missed, self._why = 0, ""
        self._news = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=f"to {self._host}", daemon=True)
        self._thread.start()

    def post(self, told: WebhookEvent) -> None:
        """Have it posted, after what waits; from any thread."""
        with self._news:
            if len(self._waiting) >= QUEUE:
                self._waiting.popleft()
                self._missed += 1
            self._waiting.append(told)
            self._news.notify()

    def end(self) -> None:
        """Nothing more is to come: what waits is posted once and not again."""
        with self._news:
            self._ended = True
            self._news.notify()

    def join(self, until: float) -> None:
        """Wait until that has gone, but no longer than `until`, monotonic s."""
        self._thread.join(max(0.0, until - time.monotonic()))

    def _run(self) -> None:
        while (told := self._next()) is not None:
            if self._posted(told):
                self._why = ""
            else:
                with self._news:
                    self._missed += 1 + told.missed

    def _next(self) -> WebhookEvent | None:
        """The oldest that waits, with how many before it were lost; None at the end."""
        with self._news:
            while not self._waiting:
                if self._ended:
                    return None
                self._news.wait()
            missed, self._missed = self._missed, 0
            return replace(self._waiting.popleft(), missed=missed)

    def _posted(self, told: WebhookEvent) -> bool:
        """Whether the address took it, maybe at another try."""
        body = msgspec.json.encode(told)
        for attempt in range(TRIES):
            if attempt and not self._waited(AGAIN_S * 2 ** (attempt - 1)):
                return False
            why, again = self._try(body)
            if not why:
                return True
            if once(why) != self._why:
                self._why = once(why)
                self._tell(_refused(self._host, why, again))
            if not again:
                return False
        return False

    def _waited(self, seconds: float) -> bool:
        """False where hexboard ends meanwhile."""
        with self._news:
            return not self._news.wait_for(lambda: self._ended, seconds)

    def _headers(self, body: bytes) -> dict[str, str]:
        if not self._secret:
            return HEADERS
        return HEADERS | {SIGNATURE: f"sha256={hmac.digest(self._secret, body, 'sha256').hex()}"}

    def _try(self, body: bytes) -> tuple[str | Message, bool]:
        """Why it was not taken, "" where it was; and whether it may be another time."""
        try:
            with contextlib.closing(self._line(self._host, timeout=ANSWER_S)) as line:
                line.request("POST", self._path, body, self._headers(body))
                status = line.getresponse().status
        except (OSError, UnicodeError, http.client.HTTPException) as error:
            return away(error) or type(error).__name__, True
        return "" if 200 <= status < 300 else f"HTTP {status}", status >= 500 or status in LATER


def _refused(host: str, why: str | Message, again: bool) -> Message:
    """What people are told of an event that an address did not take."""
    if again:
        return message("webhooks.refused", host=host, why=why)
    return message("webhooks.unwanted", host=host, why=why)
