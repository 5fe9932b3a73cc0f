"""The page of somebody at a bench: a board's picture, big buttons, and what a wizard says.

It is served as a board's page is (`server.py`), with the same key and guards, and has other files.
"""

import queue
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from hexboard.board import Board
from hexboard.web.guard import Guard
from hexboard.web.keys import Keys
from hexboard.web.reach import Reach
from hexboard.web.requests import NOBODY, FromPage, GameAsk
from hexboard.web.server import Server
from hexboard.words import Message, languages, say, speaking

WAITING = 64
"""Words that may wait to be heard."""


class BenchWord(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says at a bench: a word that they would type; or which sensor of a simulated
    board they `touch`."""

    say: str = ""
    touch: str = ""
    to: int = -1
    """The number of the question that the page showed; -1 for whichever."""


Sheet = Mapping[str, object]
"""What a page shows, as JSON has it."""


class BenchServer(Server):
    """Serves one board's bench. What people say waits in `words`."""

    def __init__(self, port: int, keys: Keys, of: Reach, board: Board) -> None:
        super().__init__(port, keys, self._hear, of)
        self.words: queue.Queue[BenchWord] = queue.Queue(WAITING)
        self._languages = languages()
        self.take_board(board)
        self.question = 0
        """The number of what is asked."""
        self.goes_on = False
        """After what is done now there is more to do."""
        self.ended = False
        """What was done has said what came of it."""
        self._sheets: dict[str, Sheet] = {}

    def take_board(self, board: Board) -> None:
        """This is the board from now on."""
        self.geometry = {"en": msgspec.json.encode(bench_sheet(board))}

    def show(self, sheet: Callable[[], Sheet]) -> None:
        """Show what somebody is to do, which `sheet` says in the language that is spoken."""
        sheets = {language: _in(language, sheet) for language in self._languages}
        if sheets != self._sheets:
            self._sheets = sheets
            self._put(sheets)

    def end(
        self,
        told: Sequence[Message],
        cells: Mapping[str, tuple[str, str]] | None = None,
        wrong: bool = False,
        offers: tuple[str, ...] = (),
    ) -> None:
        """All is said, and this is what came of it, or went `wrong`; of each cell what is written
        in it, and whether that is `good`, `fair` or `poor`; words that can be said to it."""
        self.question += 1
        self.ended = True
        ended = {"type": "ended", "cells": cells or {}, "wrong": wrong, "offers": offers}
        ended |= {"question": self.question, "goes_on": self.goes_on}
        self._put(
            {
                language: ended
                | {"told": [say(it, language) for it in told], "last": self._sheets.get(language)}
                for language in self._languages
            }
        )

    def _put(self, sheets: Mapping[str, Sheet]) -> None:
        """Send a sheet to every page, in its language, in place of the one before."""
        views = {(NOBODY, it): msgspec.json.encode(sheet) for it, sheet in sheets.items()}
        self.publish("bench", b"", views)

    def _app(self) -> ASGIApp:
        routes = [
            Route("/", self._page("bench.js")),
            Route("/board", self._board),
            Route("/camera", self._picture),
            Mount("/static", StaticFiles(directory=self._static)),
            WebSocketRoute("/live", self._live),
        ]
        return Guard(Starlette(routes=routes), self._barred)

    def _hear(self, heard: FromPage) -> bool:
        """Let a word of a host's page wait; all else that pages can say is nothing here."""
        if not isinstance(heard.asked, GameAsk) or not heard.key.host:
            return True
        try:
            self.words.put_nowait(msgspec.json.decode(heard.asked.body, type=BenchWord))
        except queue.Full:
            return False
        return True


def _in(language: str, sheet: Callable[[], Sheet]) -> Sheet:
    with speaking(language):
        return sheet()


def bench_sheet(board: Board) -> dict[str, object]:
    """The board's geometry (mm, y up), with where each sensor is and each light."""
    return {
        "name": board.name,
        "title": board.title,
        "pitch": board.pitch,
        "cells": [
            {"id": c.id, "x": c.x, "y": c.y, "corners": board.corners(c.id)} for c in board.cells
        ],
        "sensors": [
            {"id": s.id, "kind": s.kind, "x": s.x, "y": s.y} for s in board.sensors if s.placed
        ],
        "pixels": [
            {"spot": f"{p.cell}/{p.edge}" if p.edge else p.cell, "x": p.x, "y": p.y}
            for p in board.pixels
        ],
    }
