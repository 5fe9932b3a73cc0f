"""The public stream: what everybody at the table may know, for programs that show it elsewhere.

    GET /api/state     the state as JSON
    GET /api/events    the same as server-sent events, each time it changes; or over a WebSocket

docs/contracts.md, "Public stream"; `docs/golden/openapi.json` and `asyncapi.json` describe it. Who
asks shows a key as a page does, and is told what one is that shows no side.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from hexboard.web.guard import BARRED, HEADERS
from hexboard.web.keys import BOARD
from hexboard.web.page import OpenPage
from hexboard.web.requests import NOBODY
from hexboard.words import message, say
from hexboard.words.names import alone

VERSION = 1
"""Of what is told; what is only added does not change it."""
BEAT_S = 15.0
"""So long nothing is sent before a line that says only that the stream is alive."""
GOING_AWAY = 1001
"""The close code of a server that closes (RFC 6455, 7.4.1)."""
FIRST_S = 5.0
"""So long `/api/state` waits for the daemon."""

Looks = Callable[[HTTPConnection], AbstractContextManager[OpenPage]]
"""Has a page open, of nobody's side, as long as somebody asks."""
PATHS = ("/api/state", "/api/events")
"""Where both are asked for."""


class PublicPage(OpenPage):
    """One that shows nobody's cards, whatever its key may, and no lights."""

    drawn = False

    @property
    def only(self) -> int:
        return NOBODY


class Listener(PublicPage):
    """A part of this program that hears the stream: `told` each state, `refused` the sentence why
    what it asked for came to nothing. Both are called in the web's thread and must not wait."""

    def __init__(
        self,
        name: str,
        language: str,
        told: Callable[[bytes], None],
        refused: Callable[[str], None] = lambda why: None,
    ) -> None:
        super().__init__(name, BOARD, language)
        self._told, self._refused = told, refused
        self.asked = 0
        """How often it has asked for something: it hears why that came to nothing of the last."""

    @property
    def source(self) -> str:
        return f"{self.name}/{self.asked}" if self.asked else self.name

    def put(self, kind: str, side: int, text: str) -> None:
        if kind == "state":
            self._told(public(text))

    def answer(self, text: str) -> None:
        self._refused(msgspec.json.decode(text)["reason"])


def end(pages: Iterable[OpenPage]) -> None:
    """Nobody is told more: a server that closes would wait for who still listens."""
    for page in pages:
        if isinstance(page, PublicPage):
            page.ended = True
            page.barred.set()
            page.ready.set()


class PublicChoice(Struct, frozen=True):
    """An answer that people can give."""

    name: str
    text: str


class PublicQuestion(Struct, frozen=True):
    """What people are asked."""

    id: int
    text: str
    choices: tuple[PublicChoice, ...]


class PublicLine(Struct, frozen=True):
    """What was told; until it is `final` a better reading may replace it."""

    n: int
    """Grows with each line of a match, from 1 at each start of hexboard."""
    text: str
    rule: str
    final: bool
    aside: bool = False
    """It is no ruling: a source came back, or a seal held."""


class PublicClock(Struct, frozen=True):
    """What time the seats have left."""

    left: tuple[int, ...]
    """ms, by seat, as the state was made."""
    running: int
    """The seat whose time runs; -1 for none."""


class PublicLink(Struct, frozen=True):
    """A source of facts, and whether it is there."""

    source: str
    up: bool
    why: str


class PublicState(Struct, frozen=True, kw_only=True):
    """The table as everybody may know it, in words of the language that was asked for."""

    version: int = VERSION
    rev: int
    """Grows with each state."""
    at: int = 0
    """When the state was made, Unix ms by the clock of the board's computer."""
    match: str
    game: str
    board: str = ""
    """What the board is called that is played on."""
    phase: str
    """In a word, for programs (docs/open.md)."""
    seats: tuple[str, ...]
    """What they are called: a name as it is, which sentences have between U+2068 and U+2069."""
    active: int
    """The seat that is to act; -1 where nobody is, as once the game is over."""
    prompt: str
    question: PublicQuestion | None
    begun: bool = False
    """Somebody has made a move: more than cards dealt, or pieces set up."""
    scores: tuple[int, ...] | None
    """Of a game that is over."""
    outcome: str | None
    paused: bool
    log: tuple[PublicLine, ...]
    """Newest first, the last 200 at most."""
    links: tuple[PublicLink, ...]
    clock: PublicClock | None = None
    """Where one was agreed on."""
    duo: bool = False
    """Whether its two seats are shown in the colours of dark and light pieces."""
    standing: tuple[str, ...] = ()
    """How the game stands, in the sentences of one that says so."""
    notices: tuple[str, ...] = ()
    """What is not as it should be, or people should know."""


def public(state: str) -> bytes:
    """What everybody is told, of the state that a page of nobody's side is sent."""
    told = msgspec.json.decode(state, type=PublicState)
    active = told.active if told.scores is None else NOBODY
    seats = tuple(alone(seat) for seat in told.seats)
    return msgspec.json.encode(replace(told, active=active, seats=seats))


def wrong(state: PublicState) -> list[str]:
    """What is not as it should be, in words: sources that are away, and notices."""
    away = [it for it in state.links if not it.up]
    return [f"{it.source}: {it.why}" if it.why else it.source for it in away] + [*state.notices]


def waiting(before: PublicState | None, now: PublicState) -> PublicState:
    """`now`, with the seat that was to act before where nobody is: a card is dealt meanwhile, and
    the turn is no other one."""
    anew = before is None or now.match != before.match or now.scores is not None
    if before is None or anew or now.active >= 0:
        return now
    return replace(now, active=before.active)


def asks(connection: HTTPConnection) -> bool:
    """Whether a browser has to say whose page it is that asks: here something may be done, but for
    the stream, which hears nothing."""
    method = connection.scope.get("method", "")  # a WebSocket has none
    return method in ("", "POST") and connection.scope["path"] not in PATHS


def routes(looks: Looks) -> list[BaseRoute]:
    """The routes of both requests, and of the stream's WebSocket. Who asks for headers alone (HEAD)
    is no open page."""

    async def state(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(None, 200, HEADERS, "application/json")
        told = None
        with looks(request) as page:
            _, before = page.latest.pop("state", (-1, ""))  # its clocks are those of then
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FIRST_S):
                    while told is None and not page.barred.is_set():
                        told = await _next(page)
            if told is None and before and not page.barred.is_set():
                told = public(before)
        if told is None:
            why = say(message("web.no_state"), page.language)
            return JSONResponse({"error": why}, 503, HEADERS)
        return Response(told, 200, HEADERS, "application/json")

    async def events(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(None, 200, HEADERS, "text/event-stream")
        return EventStream(looks(request))

    async def socket(socket: WebSocket) -> None:
        with looks(socket) as page:
            await socket.accept()
            tasks = [asyncio.create_task(it(socket, page)) for it in (_sends, ends)]
            try:
                while (await socket.receive())["type"] != "websocket.disconnect":
                    pass  # it is not heard
            finally:
                for task in tasks:
                    task.cancel()

    return [Route(PATHS[0], state), Route(PATHS[1], events), WebSocketRoute(PATHS[1], socket)]


class EventStream(Response):
    """Server-sent events, as long as who asked is there and their key counts."""

    def __init__(self, looking: AbstractContextManager[OpenPage]) -> None:
        self._looking = looking
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._looking as page:
            stream = StreamingResponse(_events(page), 200, HEADERS, "text/event-stream")
            await stream(scope, receive, send)


async def _events(page: OpenPage) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    clock = asyncio.get_running_loop().time
    beat = clock() + BEAT_S
    while not page.barred.is_set():
        told = None
        try:
            async with asyncio.timeout_at(beat):
                told = await _next(page)
        except TimeoutError:
            yield b": alive\n\n"
            beat = clock() + BEAT_S
        if told is not None and not page.barred.is_set():
            yield b"event: state\ndata: " + told + b"\n\n"
            beat = clock() + BEAT_S


async def _sends(socket: WebSocket, page: OpenPage) -> None:
    """Each state is a message."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while not page.barred.is_set():
            if (told := await _next(page)) is not None and not page.barred.is_set():
                await socket.send_text(told.decode())


async def ends(socket: WebSocket, page: OpenPage) -> None:
    """Who is thrown off is told so, and who listens as the server closes."""
    await page.barred.wait()
    with contextlib.suppress(RuntimeError):
        await socket.close(GOING_AWAY if page.ended else BARRED)


async def _next(page: OpenPage) -> bytes | None:
    """The state once there is something new; None where that is something else."""
    await page.ready.wait()
    page.ready.clear()
    _, state = page.latest.get("state", (-1, ""))
    page.latest.clear()
    page.answers.clear()
    return public(state) if state else None
