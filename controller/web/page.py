"""An open page: what it has still to be sent, whose cards it shows, and how fast it talks."""

import asyncio
import time
from collections import deque

from hexboard.web.keys import HOST, Key
from hexboard.web.requests import NOBODY

FASTEST = 20
"""Messages a second from one page."""


class OpenPage:
    """One open page, and the key that opened it."""

    def __init__(self, name: str, key: Key = HOST) -> None:
        self.name = name
        self.key = key
        self.side = self.only
        """Whose cards it shows; the page of one seat its own, another begins with its curtain
        closed."""
        self.barred = asyncio.Event()
        """Its key no longer counts."""
        self.latest: dict[str, tuple[int, bytes]] = {}
        self.answers: deque[tuple[int, bytes]] = deque(maxlen=32)
        """What is to be sent, and the side that it is for; all of it is dropped for another."""
        self.ready = asyncio.Event()
        self.times: deque[float] = deque(maxlen=FASTEST)

    @property
    def only(self) -> int:
        """The one seat that it speaks for."""
        return self.key.seats[0] if len(self.key.seats) == 1 else NOBODY

    @property
    def source(self) -> str:
        """The page and its side, as the source of what is said there."""
        return self.name if self.side < 0 else f"{self.name}/{self.side}"

    def look(self, side: int) -> None:
        """Show another side's cards: nothing that waits for the old one is sent any more."""
        self.side = side
        self.latest = {kind: it for kind, it in self.latest.items() if it[0] < 0}
        self.answers.clear()

    def put(self, kind: str, side: int, data: bytes) -> None:
        self.latest[kind] = side, data
        self.ready.set()

    def too_fast(self) -> bool:
        now = time.monotonic()
        full = len(self.times) == FASTEST and now - self.times[0] < 1
        self.times.append(now)
        return full
