"""The web rim: static files, the board's geometry, and one WebSocket a page.

Everything here is asyncio in a thread of its own. Pages are untrusted: a random token in a cookie,
Host and Origin checked, messages small, typed and few. Each page has an outbox that keeps only the
latest of each kind, so that a slow phone never delays another. docs/contracts.md, "Page".
"""

import asyncio
import contextlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent
from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.web.files import KINDS
from hexboard.web.requests import NOBODY, Curtain, FromPage, decode_asked
from hexboard.words import Message, message, say
from hexboard.words.errors import Busy

COOKIE = "hexboard"
"""With the port behind it: cookies do not tell ports apart, and two boards are two keys."""
PAGES = 64
"""Pages that may be open at once."""
LARGEST_BYTES = 4096
"""Bytes in a message from a page."""
FASTEST = 20
"""Messages a second from one page."""
BARRED = 4403
"""The close code that tells a page its link no longer counts."""

POLICY = (
    "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "object-src 'none'; img-src 'self' data:"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class _Page:
    """One open page: what it has still to be sent, and how fast it talks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.side = NOBODY
        """Whose cards it shows; a page begins with its curtain closed."""
        self.latest: dict[str, tuple[int, bytes]] = {}
        self.answers: deque[tuple[int, bytes]] = deque(maxlen=32)
        """What is to be sent, and the side that it is for; all of it is dropped for another."""
        self.ready = asyncio.Event()
        self.times: deque[float] = deque(maxlen=FASTEST)

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


class Server:
    """Serves one board's page on 127.0.0.1. Start it, `publish` to it, `close` it. `take` gets what
    pages send, from the web's thread; False where too much waits."""

    def __init__(
        self,
        port: int,
        token: str,
        take: Callable[[FromPage], bool],
    ) -> None:
        self.port = port
        self._token = token
        self.geometry = b""
        """What pages are told of the board; until there is something they ask again."""
        self._take = take
        self._pages: dict[str, _Page] = {}
        self._latest: dict[str, bytes] = {}
        self.picture: bytes | None = None
        """The simulated camera's, a JPEG."""
        self.files: Mapping[str, Traversable] = {}
        """What the game that is played brings to the page, by path: "span/span.js"."""
        self._serial = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: uvicorn.Server | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def url(self) -> str:
        """The link that opens the page: it carries the token once, then a cookie does."""
        return f"http://127.0.0.1:{self.port}/?token={self._token}"

    @property
    def view(self) -> str:
        """The link that shows what the camera sees, and carries the token too."""
        return f"http://127.0.0.1:{self.port}/camera?token={self._token}"

    def start(self) -> None:
        """Bind the port and serve. Raises `Busy` when another program holds it."""
        import socket

        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", self.port))
            listener.listen(128)  # who comes before the thread serves is not turned away
        except OSError as error:
            listener.close()
            raise Busy("web.port", port=self.port, why=error.strerror or "?") from None
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._cookie = f"{COOKIE}-{self.port}"
        self._loop = asyncio.new_event_loop()  # from now on what is published waits for it
        config = uvicorn.Config(
            self._app(),
            log_config=None,
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            ws_max_size=LARGEST_BYTES,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=2,
        )
        self._server = _Quiet(config)
        self._thread.start()

    def publish(self, kind: str, data: bytes, views: Mapping[int, bytes] | None = None) -> None:
        """Send `data` to every page, in place of what it has not yet been sent of this kind; to a
        page that shows a side's cards what `views` has for it."""
        self._soon(partial(self._spread, kind, data, views or {}))

    @property
    def looking(self) -> set[int]:
        """The sides whose cards some page shows now."""
        return {page.side for page in list(self._pages.values())} - {-1}

    def answer(self, source: str, refusal: Message) -> None:
        """Tell one page that what it asked for is refused, if it still shows the same side."""
        told = {"type": "refused", "text": say(refusal), "rule": refusal.rule}
        self._soon(partial(self._to, source, msgspec.json.encode(told)))

    def tell(self, refusal: Message) -> None:
        """Tell every page that what was asked for came to nothing."""
        for page in list(self._pages.values()):
            self.answer(page.source, refusal)

    def close(self) -> None:
        if self._server is not None:
            self._server.should_exit = True
            self._thread.join(timeout=4)

    def _soon(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # closed: nobody is there to be told
                self._loop.call_soon_threadsafe(act)

    # ---------------------------------------------------------------------- in the web's thread

    def _run(self) -> None:
        assert self._server is not None
        assert self._loop is not None
        self._loop.run_until_complete(self._server.serve([self._listener]))
        self._loop.close()

    def _spread(self, kind: str, data: bytes, views: Mapping[int, bytes]) -> None:
        self._latest[kind] = data
        for page in self._pages.values():
            if page.side in views:
                page.put(kind, page.side, views[page.side])
            else:
                page.put(kind, -1, data)

    def _to(self, source: str, data: bytes) -> None:
        page = self._pages.get(source.split("/")[0])
        if page is not None and page.source == source:
            page.answers.append((page.side, data))
            page.ready.set()

    def _app(self) -> ASGIApp:
        folder = Path(str(resources.files("hexboard.web") / "static"))
        routes = [
            Route("/", self._index(folder / "index.html")),
            Route("/board", self._board),
            Route("/camera", self._picture),
            Route("/favicon.ico", lambda _: FileResponse(folder / "icon.svg", headers=HEADERS)),
            Mount("/static", StaticFiles(directory=folder)),
            Route("/games/{path:path}", self._brought),
            WebSocketRoute("/live", self._live),
        ]
        return _Guard(Starlette(routes=routes), self)

    def _index(self, path: Path) -> Callable[[Request], Response]:
        def index(request: Request) -> Response:
            if request.query_params.get("token"):
                return self._admitted("/")
            return Response(path.read_bytes(), 200, HEADERS, "text/html; charset=utf-8")

        return index

    def _admitted(self, path: str) -> Response:
        """To the same page without the token, which a cookie carries from now on."""
        answer = RedirectResponse(path, 303, HEADERS)
        answer.set_cookie(
            self._cookie, self._token, max_age=30 * 86400, httponly=True, samesite="strict"
        )
        return answer

    def _board(self, request: Request) -> Response:
        return Response(self.geometry, 200 if self.geometry else 503, HEADERS, "application/json")

    def _brought(self, request: Request) -> Response:
        """A file of the game that is played: one of `files`, and nothing else that lies there."""
        file = self.files.get(request.path_params["path"])
        if file is None:
            return PlainTextResponse(say(message("web.no_file")) + "\n", 404, HEADERS)
        return Response(file.read_bytes(), 200, HEADERS, KINDS[Path(file.name).suffix])

    def _picture(self, request: Request) -> Response:
        """What the camera sees now; the browser asks again by itself."""
        if request.query_params.get("token"):
            return self._admitted("/camera")
        policy = f"{POLICY}; style-src 'unsafe-inline'"  # the browser's own, round a picture
        again = {**HEADERS, "Content-Security-Policy": policy, "Refresh": "1"}
        if self.picture is None:
            return Response(say(message("web.no_picture")), 404, again, "text/plain")
        return Response(self.picture, 200, again, "image/jpeg")

    async def _live(self, socket: WebSocket) -> None:
        await socket.accept()
        self._serial += 1
        page = _Page(f"page {self._serial}")
        self._pages[page.name] = page
        for kind, data in self._latest.items():
            page.put(kind, -1, data)
        sender = asyncio.create_task(self._send(socket, page))
        try:
            while True:
                text = await socket.receive_text()
                if page.too_fast():
                    self._to(page.source, _refused("web.too_fast"))
                    continue
                try:
                    asked = decode_asked(text)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    self._to(page.source, _refused("web.no_command"))
                    continue
                if isinstance(asked, Curtain):
                    page.look(max(NOBODY, asked.side))
                if not self._take(FromPage(page.source, page.side, asked)):
                    self._to(page.source, _refused("web.too_fast"))
        except (WebSocketDisconnect, KeyError):  # KeyError: a binary message
            pass
        finally:
            sender.cancel()
            del self._pages[page.name]

    async def _send(self, socket: WebSocket, page: _Page) -> None:
        while True:
            await page.ready.wait()
            page.ready.clear()
            waiting = [*page.latest.values(), *page.answers]
            page.latest.clear()
            page.answers.clear()
            try:
                for side, data in waiting:
                    if side in (-1, page.side):  # the curtain may have closed meanwhile
                        await socket.send_text(data.decode())
            except (RuntimeError, WebSocketDisconnect):
                return

    def barred(self, connection: HTTPConnection) -> str | None:
        """Why a request is not served: a message key, or None when it may pass."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        host = connection.headers.get("host", "")
        if host not in hosts:
            return "web.wrong_host"
        origin = connection.headers.get("origin")
        wanted = f"http://{host}"
        if connection.scope["type"] == "websocket" and origin != wanted:
            return "web.wrong_origin"
        if origin not in (None, wanted):
            return "web.wrong_origin"
        given = connection.query_params.get("token") or connection.cookies.get(self._cookie, "")
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return "web.no_token"
        if connection.scope["type"] == "websocket" and len(self._pages) >= PAGES:
            return "web.too_many"
        return None


class _Guard:
    """Nothing behind it is reached without the right Host, Origin and token."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        barred = self._server.barred(HTTPConnection(scope))
        if barred is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": BARRED})
        else:
            sentence = say(message(barred))
            wants = HTTPConnection(scope).headers.get("accept", "")
            answer: Response = (
                JSONResponse({"error": sentence}, 403, HEADERS)
                if "json" in wants
                else PlainTextResponse(sentence + "\n", 403, HEADERS)
            )
            await answer(scope, receive, send)


def _with_headers(send: Send) -> Send:
    """`send`, which adds `HEADERS` to every answer that lacks them: files, 404, 405."""

    async def sending(told: Sent) -> None:
        if told["type"] == "http.response.start":
            headers = MutableHeaders(scope=told)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(told)

    return sending


class _Quiet(uvicorn.Server):
    """Leaves signals to the daemon."""

    def install_signal_handlers(self) -> None:
        """Older uvicorn."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _refused(key: str) -> bytes:
    return msgspec.json.encode({"type": "refused", "text": say(message(key)), "rule": ""})
