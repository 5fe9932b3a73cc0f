"""An open page: what it has still to be sent, whose cards it shows, how fast it talks."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping

from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.web.differences import shortest
from hexboard.web.guard import BARRED
from hexboard.web.keys import HOST, Key
from hexboard.web.requests import NOBODY
from hexboard.words.errors import HexboardError

FASTEST = 20
"""Messages a second from one phone, or from one page of a host."""
ENDLESS_S = 5.0
"""A page that is too fast for so long is closed."""

Texts = Mapping[tuple[int, str], str]
"""What is to be shown, by side (-1: to everybody) and language ("": of no language)."""


BEAT, BEAT_S = '{"type":"beat"}', 5.0
"""What a page is told at first and then so often, seconds: it knows a dead wire by that."""


class Pace:
    """How fast somebody talks."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=FASTEST)
        self._since = 0.0

    def too_fast(self) -> bool:
        now = time.monotonic()
        full = self._full and now - self._times[0] < 1
        self._times.append(now)
        self._since = (self._since or now) if full else 0.0
        return full

    async def wait(self) -> None:
        """Until it is no longer too fast to say something more."""
        while (left := self._times[0] + 1 - time.monotonic() if self._full else 0.0) > 0:
            await asyncio.sleep(left)
        self._times.append(time.monotonic())

    @property
    def _full(self) -> bool:
        return len(self._times) == FASTEST

    def heed(self) -> None:
        """Raises `HexboardError` for who is too fast, and `WebSocketDisconnect` where they were for
        `ENDLESS_S`."""
        if self.too_fast():
            if time.monotonic() - self._since > ENDLESS_S:
                raise WebSocketDisconnect
            raise HexboardError("web.too_fast")


class OpenPage:
    """One open page, and the key that opened it."""

    drawn = True
    """It shows the board: lights and balls."""
    ended = False
    """The server closes."""
    differing = False
    """It puts a state together from what it was sent before and what differs."""

    def __init__(self, name: str, key: Key = HOST, language: str = "en") -> None:
        self.name = name
        self.key = key
        self.language = language
        self.side = self.only
        """Whose cards it shows; the page of one seat its own, another begins with its curtain
        closed."""
        self.barred = asyncio.Event()
        """Its key no longer counts."""
        self.address = ""
        """Where others find it as it was found; "" for where the board says that it is."""
        self.latest: dict[str, tuple[int, str]] = {}
        self.answers: deque[tuple[int, str]] = deque(maxlen=32)
        """What is to be sent, and the side that it is for; all of it is dropped for another."""
        self.ready = asyncio.Event()
        self.pace = Pace()
        self._sent = ""  # its last state

    @property
    def only(self) -> int:
        """The one seat that it speaks for."""
        alone = len(self.key.seats) == 1 and not self.key.host
        return self.key.seats[0] if alone else NOBODY

    @property
    def source(self) -> str:
        """The page and its side, as the source of what is said there."""
        return self.name if self.side < 0 else f"{self.name}/{self.side}"

    def look(self, side: int) -> None:
        """Show another side's cards: nothing that waits for the old one is sent any more."""
        if side == self.side:  # answers that wait are still to come
            return
        self.side = side
        self.latest = {kind: it for kind, it in self.latest.items() if it[0] < 0}
        self.answers.clear()

    def take(self, kind: str, texts: Texts) -> None:
        """Have sent what is for its side, or for everybody, in its language, if there is any."""
        side = self.side if (self.side, self.language) in texts else -1
        text = texts.get((side, self.language)) or texts.get((-1, ""))
        if text is not None:
            self.put(kind, side, text)

    def put(self, kind: str, side: int, text: str) -> None:
        self.latest[kind] = side, text
        self.ready.set()

    def answer(self, text: str) -> None:
        """Have an answer sent to what it asked for."""
        self.answers.append((self.side, text))
        self.ready.set()

    async def send(self, send_text: Callable[[str], Awaitable[None]]) -> None:
        """Send what is to be sent, as it comes, until its key no longer counts."""
        while True:
            await self.ready.wait()
            self.ready.clear()
            waiting = [*self.latest.items(), *(("", it) for it in self.answers)]
            self.latest.clear()
            self.answers.clear()
            for kind, (side, text) in waiting:
                if self.barred.is_set():  # thrown off, be it before it was here
                    return
                if side in (-1, self.side):  # the curtain may have closed meanwhile
                    await send_text(self._lean(text) if kind == "state" else text)

    def _lean(self, state: str) -> str:
        """A state as this page is sent it."""
        before, self._sent = self._sent, state
        return shortest(before, state) if self.differing and before else state


async def shows(socket: WebSocket, page: OpenPage) -> None:
    """Send a page what it is to show, until nobody is there."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await page.send(socket.send_text)


async def beats(socket: WebSocket, page: OpenPage) -> None:
    """Let a page know that it is heard of, until nobody is there."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while not page.barred.is_set():
            await socket.send_text(BEAT)
            await asyncio.sleep(BEAT_S)


async def bars(socket: WebSocket, page: OpenPage) -> None:
    """Close a page whose key no longer counts."""
    await page.barred.wait()
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it has gone by itself
        await socket.close(BARRED)


GOING_ON = beats, shows, bars
"""What goes on while a page is open."""
