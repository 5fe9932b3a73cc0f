"""The web rim: static files, the board's geometry, and one WebSocket a page.

Everything here is asyncio in a thread of its own: the socket, the routes, and how other threads
reach the open pages (`pages`). Pages are untrusted: a key in a cookie opens one view (`keys`), Host
and Origin are checked, messages small, typed and few (contracts.md, "Page"). Each page's outbox
keeps only the latest of each kind, so that a slow phone never delays another.
"""

import asyncio
import contextlib
import socket as sockets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.web import front, history, public, reach, referee
from hexboard.web.certificate import certified
from hexboard.web.connections import QUEUE, Answering, Patient, Quiet
from hexboard.web.figures import Figures, how_it_runs
from hexboard.web.files import brought
from hexboard.web.guard import HEADERS, OPEN, POLICY, STYLED, Guard, admitted, held, redirected
from hexboard.web.joining import who_joins
from hexboard.web.keys import Key, Keys
from hexboard.web.page import GOING_ON, OpenPage
from hexboard.web.pages import OpenPages
from hexboard.web.reach import HERE, Reach
from hexboard.web.requests import NOBODY, FromPage, Id, Line
from hexboard.web.shell import shell
from hexboard.web.spoken import spoken_by
from hexboard.words import Message, language, message, say
from hexboard.words.errors import NO_JSON, HexboardError

LARGEST_BYTES = 4096
"""Bytes in a message from a page."""
MOVES_S = 5.0
"""Seconds until it is asked again whether this computer has another address."""
P = TypeVar("P", bound=OpenPage)
Views = Mapping[tuple[int, str], bytes]
"""What pages show, by side and language."""


class Server:
    """Serves one board's page. Start it, `publish` to it, `close` it. `take` gets what pages send,
    from the web's thread; False where too much waits."""

    def __init__(
        self, port: int, keys: Keys, take: Callable[[FromPage], bool], of: Reach = HERE
    ) -> None:
        self.port, self.keys, self.of = port, keys, of
        self.pages = OpenPages(keys, take, of, self._own)
        self.geometry: Mapping[str, bytes] = {}
        """What pages are told of the board, by language; they ask again until it is there."""
        self.language = language()
        """Of a page whose browser wants none that we have."""
        self.front: Callable[[], bytes] = bytes
        """What hosts are told of the games that there are (JSON); from any thread."""
        self.again: Callable[[str], bytes] = str.encode
        """The page that plays a recording, by its name, empty as yet; from any thread."""
        self.history = history.History()
        """The moves of the match."""
        self.rev = 0
        """The number of the last state that was published."""
        self.figures = Figures()
        self.figures.pages = self.pages
        self.picture: bytes | None = None
        """The camera's, or the simulated one's, a JPEG."""
        self.files: Mapping[str, Traversable] = {}
        """What the game that is played brings to the page, by path: "span/span.js"."""
        self._static = Path(str(resources.files("hexboard.web") / "static"))
        self._beat = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Quiet | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        """Bind the port and serve. Raises `Busy` when another program holds it, `HexboardError`
        where this user may not have it, or for a certificate that cannot be used."""
        config = uvicorn.Config(
            self._app(),
            http=Patient,
            ws=Answering,
            log_config=None,
            log_level="error",
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            ws_max_size=LARGEST_BYTES,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=2,
            ssl_certfile=self.of.certificate or None,
            ssl_keyfile=self.of.key or None,
        )
        if self.of.certificate:
            certified(self.of.certificate, self.of.key)
        config.load()
        # of TCP by name: only then does asyncio switch its delays off
        listener = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
        listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listener.bind(("0.0.0.0" if self.of.network else "127.0.0.1", self.port))
            listener.listen(QUEUE)  # who comes before the thread serves is not turned away
        except OSError as error:
            listener.close()
            raise reach.unbound(self.port, error) from None
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._loop = asyncio.new_event_loop()  # from now on what is published waits for it
        self._server = Quiet(config)
        self._beats()
        self._thread.start()

    def publish(self, kind: str, data: bytes, views: Views | None = None) -> None:
        """Send `data` to every page, in place of what it has not yet been sent of this kind; or
        what `views` has for the side whose cards it shows and the language that it speaks."""
        texts = {view: text.decode() for view, text in (views or {}).items()}
        if data:
            texts[NOBODY, ""] = data.decode()
        self._soon(partial(self.pages.spread, kind, texts))

    @property
    def looking(self) -> set[tuple[int, str]]:
        """The sides whose cards some page shows now (-1 where it shows none), by language."""
        return {(page.side, page.language) for page in self.pages}

    @property
    def drawn(self) -> bool:
        """Whether some page shows the board, its lights and balls."""
        return any(page.drawn for page in self.pages)

    def listen(self, page: OpenPage) -> None:
        """A page of our own is told what it is to show, as long as the server runs."""
        self._soon(partial(self.pages.open, page))

    def answer(self, source: str, refusal: Message | None, id: Id | None = None) -> None:
        """Tell one page that what it asked for is refused, or by its `id` that it was taken; if it
        still shows the same side."""
        self._soon(partial(self.pages.answer, source, refusal, id))

    def turn_away(self, request: FromPage, why: Message) -> None:
        """Tell who asked, be it a page or a program, that it is refused."""
        if isinstance(request.asked, Line):
            self.send(request.source, referee.refusal(request.asked, why))
        else:
            self.answer(request.source, why, request.id)

    def send(self, source: str, line: bytes) -> None:
        """Send a program what the referee answers, or tells it."""
        self._soon(partial(self.pages.send, source, line.decode()))

    def tell(self, refusal: Message) -> None:
        """Tell every page that what was asked for came to nothing."""
        for page in self.pages:
            self.answer(page.source, refusal)

    def cover(self) -> None:
        """Close the curtain of each host's page over the cards of somebody's phone."""
        self._soon(self.pages.cover)

    def rekey(self, act: Callable[[Keys], None]) -> None:
        """Have something done to the keys; pages hear of it."""
        self._soon(partial(act, self.keys))
        self._soon(self.pages.changed)

    def renew(self, token: str, source: str, figures: str = "") -> None:
        """The host's key is this one now: the page that asked goes there, every other is out."""
        self._soon(partial(self.pages.renew, token, source, figures))

    def beat(self) -> float:
        """When its thread last did what it was asked to, monotonic s; asks it again."""
        self._soon(self._beats)
        return self._beat

    def close(self) -> None:
        if self._server is not None:
            self._soon(partial(public.end, self.pages))
            self._soon(self._server.end)
            self._thread.join(timeout=4)

    def _own(self) -> str:
        """Where pages are found."""
        return self.of.own(self.port)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # closed: nobody is there to be told
                self._loop.call_soon_threadsafe(act)

    # ---------------------------------------------------------------------- in the web's thread

    def _run(self) -> None:
        assert self._server is not None
        assert self._loop is not None
        self._loop.run_until_complete(run_in_threadpool(int))  # files need it: the first comes soon
        self._loop.call_soon(self._moves, self._own())
        self._loop.run_until_complete(self._server.serve([self._listener]))
        self._loop.run_until_complete(self.pages.lasting.kept())  # and who is to be told of it
        self._loop.close()

    def _beats(self) -> None:
        self._beat = time.monotonic()

    def _moves(self, before: str) -> None:
        """Hosts' pages hear of another address of this computer: they show it."""
        if (now := self._own()) != before:
            self.pages.changed()
        asyncio.get_running_loop().call_later(MOVES_S, self._moves, now)

    def _app(self) -> ASGIApp:
        folder = self._static
        self._screen = self._page("board.js", STYLED)
        routes = [
            Route("/", self._page("app.js")),
            Route("/board", self._board),
            Route("/overlay", self._page("overlay.js", STYLED)),
            Route("/camera", self._picture),
            *history.routes(self.history, self.language),
            *front.routes(
                self._key,
                self.language,
                front=lambda: self.front(),
                again=lambda name: self.again(name),
            ),
            *how_it_runs(self.figures, self._key, self.language),
            *public.routes(partial(self._visit, public.PublicPage)),
            referee.route(self._visit, self.pages.hear_line),
            Route("/join", self._page("join.js"), methods=["GET"]),
            Route("/join", self._join, methods=["POST"]),
            Route("/favicon.ico", lambda _: FileResponse(folder / "icon.svg", headers=HEADERS)),
            Mount("/static", StaticFiles(directory=folder)),
            brought(lambda: self.files, self.language),
            WebSocketRoute("/live", self._live),
        ]
        return Guard(Starlette(routes=routes), self._barred, self.of.origins, "join")

    def _page(self, script: str, policy: str = POLICY) -> Callable[[Request], Awaitable[Response]]:
        """The page that a script of ours makes; with a token in its address, the same without."""
        frame = (self._static / "page.html").read_text("utf-8")
        headers = {**HEADERS, "Content-Security-Policy": policy, "Vary": "Accept-Language"}

        async def page(request: Request) -> Response:
            if token := request.query_params.get("token"):
                return self._admitted(redirected(request), token)
            text = shell(frame, script, spoken_by(request, self.language), self.port)
            answer = HTMLResponse(text, 200, headers)
            known = held(request, self.keys, self.port)
            return self._admitted(answer, known) if known else answer

        return page

    def _admitted(self, answer: Response, secret: str) -> Response:
        """An answer with a cookie that opens everything from now on."""
        return admitted(answer, secret, self.keys, self.port, bool(self.of.certificate))

    async def _join(self, request: Request) -> Response:
        """Somebody takes an invitation: `code`, of its link or in figures, and their `name`."""
        try:
            joining = await who_joins(request, LARGEST_BYTES)
            secret = self.keys.accept(
                joining.code,
                joining.name,
                held=request.cookies.get(self.keys.cookie(self.port), ""),
                now=time.monotonic(),
                far=joining.far,
                colour=joining.colour,
                here=(page.key for page in self.pages),
                sender=request.client.host if request.client else "",
            )
        except HexboardError as error:
            told = say(error.message, spoken_by(request, self.language))
            return JSONResponse({"error": told}, 403, HEADERS)
        except (TimeoutError, *NO_JSON):
            told = say(message("web.no_command"), spoken_by(request, self.language))
            return JSONResponse({"error": told}, 400, HEADERS)
        self.pages.changed()
        await self.pages.lasting.kept()
        return self._admitted(JSONResponse({"to": "/"}, 200, HEADERS), secret)

    async def _board(self, request: Request) -> Response:
        """The geometry, for scripts; who opens it in a browser gets the page for a television."""
        if "text/html" in request.headers.get("accept", ""):
            return await self._screen(request)
        sheet = self.geometry.get(spoken_by(request, self.language)) or self.geometry.get("en", b"")
        return Response(sheet, 200 if sheet else 503, HEADERS, "application/json")

    async def _picture(self, request: Request) -> Response:
        """What the camera sees now; the browser asks again by itself."""
        if token := request.query_params.get("token"):
            return self._admitted(redirected(request), token)
        policy = f"{POLICY}; style-src 'unsafe-inline'"  # the browser's own, round a picture
        again = {**HEADERS, "Content-Security-Policy": policy, "Refresh": "1"}
        if self.picture is None:
            told = say(message("web.no_picture"), spoken_by(request, self.language))
            return Response(told, 404, again, "text/plain")
        return Response(self.picture, 200, again, "image/jpeg")

    async def _live(self, socket: WebSocket) -> None:
        with self._visit(OpenPage, socket) as page:
            page.differing = "differences" in socket.query_params
            await socket.accept()
            if page.side >= 0:  # everybody is told who looks
                self.pages.tell_side(page)
            tasks = [asyncio.create_task(it(socket, page)) for it in GOING_ON]
            try:
                while True:
                    self.pages.hear(page, await socket.receive_text())
            except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: a binary message
                pass
            finally:
                for task in tasks:
                    task.cancel()

    def _visit(self, kind: type[P], asking: HTTPConnection) -> AbstractContextManager[P]:
        """Somebody looks, meanwhile, at a page of this kind."""
        key = self._key(asking)
        assert key is not None  # the guard let it in
        origin, prefix = asking.headers.get("origin", ""), asking.query_params.get("at", "/")
        address = self.of.came_by(origin, prefix)
        return self.pages.visit(kind, key, spoken_by(asking, self.language), address)

    def _key(self, connection: HTTPConnection) -> Key | None:
        """Whose request it is."""
        token = connection.query_params.get("token")
        return self.keys.of(token or held(connection, self.keys, self.port))

    def _barred(self, connection: HTTPConnection) -> str | None:
        """Why a request is not served: a message key, or None when it may pass."""
        host = connection.headers.get("host", "")
        if not reach.known(host, self.of.names):
            return "web.wrong_host"
        origin = connection.headers.get("origin")
        # a proxy may speak TLS for us, or be another host to browsers
        own = {f"http://{host}", f"https://{host}", *self.of.origins}
        if origin not in own and (origin is not None or public.asks(connection)):
            return "web.wrong_origin"
        if connection.scope["type"] == "http" and connection.scope["path"] in OPEN:
            return None
        if (key := self._key(connection)) is None:
            return "web.no_token"
        looks = connection.scope["type"] == "websocket" or connection.scope["path"] in public.PATHS
        looks |= "live" in connection.query_params  # a page that was turned away asks why
        if looks and self.pages.crowded(key):
            return "web.too_many"
        return None
