"""The referee's lines on the board's own wire: the WebSocket `/referee`.

Each message is a line of docs/referee.md, its answer another. Who has a seat at this board is told
what that seat may know, and moves for it. `?seat=N` says which, of a key that has several.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager

from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.game.referee import read, refused, written
from hexboard.web.keys import Key
from hexboard.web.page import shows
from hexboard.web.public import PublicPage, ends
from hexboard.web.requests import NOBODY, Line
from hexboard.words import Message
from hexboard.words.errors import BadText, HexboardError, IllegalAction

UNREAD = 1000
"""Answers and news that may wait for who does not read them; one more, and the wire is closed."""
UNREAD_LETTERS = 4_000_000
"""The same of all their letters: a list of all moves has 100,000, and a board little memory."""


class RefereePage(PublicPage):
    """A program that speaks to the referee; it is shown nothing that a page is."""

    seat = NOBODY
    """The one that it asked for."""

    def __init__(self, name: str, key: Key, language: str) -> None:
        super().__init__(name, key, language)
        self.answers = deque(maxlen=UNREAD)

    def put(self, kind: str, side: int, text: str) -> None:
        """It asks for what it wants to know."""

    def answer(self, text: str) -> None:
        """Nor is it told what pages are."""

    def say(self, line: str) -> None:
        """Have an answer sent to it, or news."""
        letters = sum(len(it) for _, it in self.answers) + len(line)
        if len(self.answers) == UNREAD or letters > UNREAD_LETTERS:
            self.barred.set()
            self.answers.clear()
        if not self.barred.is_set():
            super().answer(line)


def refusal(line: Line, why: Message) -> bytes:
    """The answer to a line of which nothing is done: to each request in it that it is refused."""
    try:
        asked = read(line.text.encode("utf-8", "surrogatepass"))
    except BadText as error:
        return written(refused(error))
    against = IllegalAction(why)
    if isinstance(asked, list):
        return written([refused(against, it) for it in asked])
    return written(refused(against, asked))


def route(
    visit: Callable[[type[RefereePage], HTTPConnection], AbstractContextManager[RefereePage]],
    hear: Callable[[RefereePage, Line], None],
) -> BaseRoute:
    """Where lines are said. `hear` raises `HexboardError` for one that is not heard."""

    async def socket(socket: WebSocket) -> None:
        with visit(RefereePage, socket) as page:
            wanted = socket.query_params.get("seat", "")
            page.seat = int(wanted) if wanted.isdecimal() and len(wanted) < 4 else NOBODY
            await socket.accept()
            tasks = [asyncio.create_task(it(socket, page)) for it in (shows, ends)]
            try:
                while True:
                    text = await socket.receive_text()
                    await page.pace.wait()  # who is too fast is read later, and loses nothing
                    line = Line(text, page.seat)
                    try:
                        hear(page, line)
                    except HexboardError as error:
                        page.say(refusal(line, error.message).decode())
            except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: a binary message
                pass
            finally:
                for task in tasks:
                    task.cancel()

    return WebSocketRoute("/referee", socket)
