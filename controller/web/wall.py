"""The wall's page: all boards of a hall, and what their games came to.

It is served as a board's page is (`server.py`), with a key and guards of the same kind. A page
hears a message for each board, the newest alone where it is slow, and can do nothing.
"""

from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from hexboard.web.files import brought
from hexboard.web.guard import Guard
from hexboard.web.keys import Keys
from hexboard.web.reach import HERE, Reach
from hexboard.web.requests import FromPage
from hexboard.web.server import Server


class WallServer(Server):
    """Serves the wall. `publish` a board under a kind of its own."""

    def __init__(self, port: int, keys: Keys, of: Reach = HERE) -> None:
        super().__init__(port, keys, _nothing, of)

    def _app(self) -> ASGIApp:
        routes = [
            Route("/", self._page("wall.js")),
            Route("/board", self._page("wall.js")),
            Mount("/static", StaticFiles(directory=self._static)),
            brought(lambda: self.files, self.language),
            WebSocketRoute("/live", self._live),
        ]
        return Guard(Starlette(routes=routes), self._barred, self.of.origins)


def _nothing(_: FromPage) -> bool:
    """Whatever a page says here, nothing comes of it."""
    return True
