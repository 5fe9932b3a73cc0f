"""The web rim: static files, the board's geometry, and one WebSocket a page.

Everything here is asyncio in a thread of its own. Pages are untrusted: a key in a cookie opens one
view (`keys`), Host and Origin are checked, messages small, typed and few (contracts.md, "Page").
Each page's outbox keeps only the latest of each kind, so that a slow phone never delays another.
"""

import asyncio
import contextlib
import socket as sockets
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.web import front, history, public, reach
from hexboard.web.certificate import certified
from hexboard.web.connections import QUEUE, Answering, Patient, Quiet
from hexboard.web.figures import Figures, how_it_runs
from hexboard.web.files import brought
from hexboard.web.guard import HEADERS, OPEN, POLICY, Guard, admitted, held, redirected
from hexboard.web.joining import who_joins
from hexboard.web.keys import BOARD, HOST, WATCHING, Holders, Key, Keys
from hexboard.web.lasting import Lasting
from hexboard.web.page import (
    GOING_ON,
    OpenPage,
    Texts,
    as_json,
    crowded,
    introduce,
    invitation,
    prying,
    refused,
    within,
)
from hexboard.web.reach import HERE, Reach
from hexboard.web.requests import (
    NOBODY,
    Appoint,
    Asked,
    Curtain,
    Dismiss,
    FromPage,
    Give,
    Invite,
    decode_asked,
)
from hexboard.web.shell import shell
from hexboard.web.spoken import spoken_by
from hexboard.words import Message, language, message, say
from hexboard.words.errors import NO_JSON, HexboardError

PAGES = 256
"""Pages of guests that may be open at once, and of each host."""
LARGEST_BYTES = 4096
"""Bytes in a message from a page."""
MOVES_S = 5.0
"""Seconds until it is asked again whether this computer has another address."""
Views = Mapping[tuple[int, str], bytes]
"""What pages show, by side and language."""


class Server:
    """Serves one board's page. Start it, `publish` to it, `close` it. `take` gets what pages send,
    from the web's thread; False where too much waits."""

    def __init__(
        self, port: int, keys: Keys, take: Callable[[FromPage], bool], of: Reach = HERE
    ) -> None:
        self.port = port
        self.keys, self._holders = keys, Holders(keys)
        self.of = of
        self.geometry: Mapping[str, bytes] = {}
        """What pages are told of the board, by language; they ask again until it is there."""
        self.language = language()
        """Of a page whose browser wants none that we have."""
        self.seats, self.exchanged = 0, False
        """Of the game that is played; whether a rule has had the first two players change seats."""
        self.opened: Callable[[], None] = lambda: None
        """Called in the web's thread when somebody begins to look."""
        self.take = take
        self.front: Callable[[], bytes] = bytes
        """What hosts are told of the games that there are (JSON); from any thread."""
        self.again: Callable[[str], bytes] = str.encode
        """The page that plays a recording, by its name, empty as yet; from any thread."""
        self.history = history.History()
        """The moves of the match."""
        self.rev = 0
        """The number of the last state that was published."""
        self.figures = Figures()
        self.figures.pages = self._pages = dict[str, OpenPage]()
        self._latest: dict[str, Texts] = {}
        self.picture: bytes | None = None
        """The camera's, or the simulated one's, a JPEG."""
        self.files: Mapping[str, Traversable] = {}
        """What the game that is played brings to the page, by path: "span/span.js"."""
        self._static = Path(str(resources.files("hexboard.web") / "static"))
        self._lasting = Lasting(keys, partial(_introduce, self))
        self._serial, self._beat = 0, 0.0
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
        _beats(self)
        self._thread.start()

    def publish(self, kind: str, data: bytes, views: Views | None = None) -> None:
        """Send `data` to every page, in place of what it has not yet been sent of this kind; or
        what `views` has for the side whose cards it shows and the language that it speaks."""
        texts = {view: text.decode() for view, text in (views or {}).items()}
        if data:
            texts[NOBODY, ""] = data.decode()
        self._soon(partial(self._spread, kind, texts))

    @property
    def looking(self) -> set[tuple[int, str]]:
        """The sides whose cards some page shows now (-1 where it shows none), by language."""
        return {(page.side, page.language) for page in list(self._pages.values())}

    @property
    def drawn(self) -> bool:
        """Whether some page shows the board, its lights and balls."""
        return any(page.drawn for page in list(self._pages.values()))

    def listen(self, page: OpenPage) -> None:
        """A page of our own is told what it is to show, as long as the server runs."""
        self._soon(partial(_open, self, page))

    def answer(self, source: str, refusal: Message) -> None:
        """Tell one page that what it asked for is refused, if it still shows the same side."""
        self._soon(partial(self._to, source, partial(refused, refusal)))

    def tell(self, refusal: Message) -> None:
        """Tell every page that what was asked for came to nothing."""
        for page in list(self._pages.values()):
            self.answer(page.source, refusal)

    def cover(self) -> None:
        """Close the curtain of each host's page over the cards of somebody's phone."""
        self._soon(lambda: _cover(self, *prying(self._pages.values(), self._holders.now())))

    def rekey(self, act: Callable[[Keys], None]) -> None:
        """Have something done to the keys; pages hear of it."""
        self._soon(partial(act, self.keys))
        self._soon(self._changed)

    def renew(self, token: str, source: str, figures: str = "") -> None:
        """The host's key is this one now: the page that asked goes there, every other is out."""
        self._soon(partial(_renew, self, token, source.split("/")[0], figures))

    def beat(self) -> float:
        """When its thread last did what it was asked to, monotonic s; asks it again."""
        self._soon(partial(_beats, self))
        return self._beat

    def close(self) -> None:
        if self._server is not None:
            self._soon(lambda: public.end(self._pages.values()))
            self._soon(self._server.end)
            self._thread.join(timeout=4)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # closed: nobody is there to be told
                self._loop.call_soon_threadsafe(act)

    # ---------------------------------------------------------------------- in the web's thread

    def _run(self) -> None:
        assert self._server is not None
        assert self._loop is not None
        self._loop.run_until_complete(run_in_threadpool(int))  # files need it: the first comes soon
        self._loop.call_soon(_moves, self, self.of.own(self.port))
        self._loop.run_until_complete(self._server.serve([self._listener]))
        self._loop.run_until_complete(self._lasting.kept())  # and who is to be told of it
        self._loop.close()

    def _spread(self, kind: str, texts: Texts) -> None:
        if self.keys.exchange(self.exchanged):
            self._changed()
        self._latest[kind] = {it: text for it, text in texts.items() if it[0] == NOBODY}
        for page in self._pages.values():
            page.take(kind, texts)

    def _to(self, source: str, told: Callable[[str], str]) -> None:
        page = self._pages.get(source.split("/")[0])
        if page is not None and page.source == source:
            page.answer(told(page.language))

    def _app(self) -> ASGIApp:
        folder = self._static
        self._screen = self._page("board.js")
        whose = self._key, self.language
        routes = [
            Route("/", self._page("app.js")),
            Route("/board", self._board),
            Route("/overlay", self._page("overlay.js")),
            Route("/camera", self._picture),
            *history.routes(self.history, self.language),
            *front.routes(*whose, lambda: self.front(), lambda it: self.again(it)),
            *how_it_runs(self.figures, *whose),
            *public.routes(partial(_opened, self, public.PublicPage)),
            Route("/join", self._page("join.js"), methods=["GET"]),
            Route("/join", self._join, methods=["POST"]),
            Route("/favicon.ico", lambda _: FileResponse(folder / "icon.svg", headers=HEADERS)),
            Mount("/static", StaticFiles(directory=folder)),
            brought(lambda: self.files, self.language),
            WebSocketRoute("/live", self._live),
        ]
        return Guard(Starlette(routes=routes), self._barred, self.of.origins, "join")

    def _page(self, script: str) -> Callable[[Request], Awaitable[Response]]:
        """The page that a script of ours makes; with a token in its address, the same without."""
        frame = (self._static / "page.html").read_text("utf-8")

        async def page(request: Request) -> Response:
            if token := request.query_params.get("token"):
                return self._admitted(redirected(request), token)
            text = shell(frame, script, spoken_by(request, self.language), self.port)
            answer = HTMLResponse(text, 200, HEADERS | {"Vary": "Accept-Language"})
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
            own = request.cookies.get(self.keys.cookie(self.port), "")
            known = joining.code, joining.name, own, time.monotonic(), joining.far, joining.colour
            sender = request.client.host if request.client else ""
            secret = self.keys.accept(*known, (it.key for it in self._pages.values()), sender)
        except HexboardError as error:
            told = say(error.message, spoken_by(request, self.language))
            return JSONResponse({"error": told}, 403, HEADERS)
        except (TimeoutError, *NO_JSON):
            told = say(message("web.no_command"), spoken_by(request, self.language))
            return JSONResponse({"error": told}, 400, HEADERS)
        self._changed()
        await self._lasting.kept()
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
        with _opened(self, OpenPage, socket) as page:
            page.differing = "differences" in socket.query_params
            await socket.accept()
            if page.side >= 0:  # everybody is told who looks
                self.take(FromPage(page.source, page.side, Curtain(page.side), page.key))
            tasks = [asyncio.create_task(it(socket, page)) for it in GOING_ON]
            try:
                while True:
                    _heard(self, page, await socket.receive_text())
            except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: a binary message
                pass
            finally:
                for task in tasks:
                    task.cancel()

    def _asked(self, page: OpenPage, asked: Asked, match: str) -> None:
        """Do what a page asks for, or let the daemon do it. Raises `HexboardError`."""
        if self.keys.now(page.key) is None:  # thrown off, and its line is not closed yet
            page.barred.set()
            return
        match asked:
            case Invite() | Give() | Appoint() | Dismiss():
                self._keep(page, asked)
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
        if not self.take(FromPage(page.source, page.side, asked, key, match)):
            raise HexboardError("web.too_fast")

    def _keep(self, page: OpenPage, asked: Invite | Give | Appoint | Dismiss) -> None:
        """Do what a page asks about keys. Raises `HexboardError`."""
        key = page.key
        match asked:
            case Give(id, seat) if 0 <= seat < self.seats and (key.host or seat in key.seats):
                self.keys.give(id, seat)
            case Give():
                raise HexboardError("web.not_yours")
            case Invite(seat) if seat < 0 and key == BOARD:
                _invite(self, page, WATCHING)
            case _ if not key.host:
                raise HexboardError("web.host_only")
            case Invite(seat) if seat < self.seats:
                _invite(self, page, max(WATCHING, seat))
            case Invite():
                raise HexboardError("web.not_yours")
            case Appoint(id):
                self.keys.appoint(id)
            case Dismiss(id):
                self.keys.drop(id)
        if not isinstance(asked, Invite):
            self._changed()

    def _changed(self) -> None:
        """Who is here, or holds which seat, is another: pages hear of it once it will last."""
        for page in self._pages.values():
            key = self.keys.now(page.key)
            if key is None:
                page.barred.set()
            elif key != page.key:
                page.key = key
                if page.side not in key.seats:  # what it is shown now, it was not sent before
                    _cover(self, page)
        _cover(self, *prying(self._pages.values(), self._holders.new()))
        if self._loop is not None:
            self._lasting.tell()

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
        if looks and crowded(self._pages.values(), key, PAGES):
            return "web.too_many"
        return None


def _beats(server: Server) -> None:
    server._beat = time.monotonic()


def _moves(server: Server, before: str) -> None:
    """Hosts' pages hear of another address of this computer: they show it."""
    if (now := server.of.own(server.port)) != before:
        server._changed()
    asyncio.get_running_loop().call_later(MOVES_S, _moves, server, now)


def _renew(server: Server, token: str, asked: str, figures: str) -> None:
    server.keys.renew(token, figures)
    for name, page in server._pages.items():
        if name == asked:
            page.key = HOST  # it stays until it is told where to go
            there = as_json({"type": "renewed", "to": f"?token={token}"})
            server._lasting.then(partial(page.put, "renewed", -1, there))
        else:
            page.barred.set()
    server._changed()


def _cover(server: Server, *pages: OpenPage) -> None:
    """Close the curtain of these, and let the daemon hear of it."""
    for page in pages:
        page.look(page.only)
        server.take(FromPage(page.source, page.side, Curtain(page.side), page.key))


def _open(server: Server, page: OpenPage) -> None:
    server._pages[page.name] = page
    server._changed()
    for what, texts in server._latest.items():
        page.take(what, texts)
    server.opened()


@contextlib.contextmanager
def _opened(server: Server, kind: type[OpenPage], asking: HTTPConnection) -> Iterator[OpenPage]:
    """Somebody looks, meanwhile, at a page of this kind."""
    key = server._key(asking)
    assert key is not None  # the guard let it in
    server._serial += 1
    name = f"page {server._serial}{f' ({key.name})' if key.name else ''}"
    page = kind(name, key, spoken_by(asking, server.language))
    origin, prefix = asking.headers.get("origin", ""), asking.query_params.get("at", "/")
    page.address = server.of.came_by(origin, prefix)
    if not key.host and key != BOARD:  # all pages of a phone are one voice
        others = (it.pace for it in server._pages.values() if it.key.id == key.id)
        page.pace = next(others, page.pace)
    _open(server, page)
    try:
        yield page
    finally:
        del server._pages[name]
        if not server._pages:  # nobody is shown what changes from now on
            for what in ("state", "pixels", "balls"):
                server._latest.pop(what, None)
        server._changed()


def _heard(server: Server, page: OpenPage, text: str) -> None:
    """A page said something."""
    try:
        page.pace.heed()
        server._asked(page, *decode_asked(text))
    except NO_JSON:
        server._to(page.source, partial(refused, message("web.no_command")))
    except HexboardError as error:
        server._to(page.source, partial(refused, error.message))


def _invite(server: Server, page: OpenPage, seat: int) -> None:
    """Tell a host's page what to show to who is to take a seat."""
    invited, near = server.keys.invite(seat), not (page.address or server.of.network)
    there = f"{page.address or server.of.own(server.port)}/join"
    told = as_json(invitation(invited, there, near, page.language))
    server._to(page.source, lambda _: told)


def _introduce(server: Server) -> None:
    """Tell every page who uses it, and who is here."""
    own = server.of.own(server.port)
    introduce(server._pages.values(), server.keys, own, server.seats)
