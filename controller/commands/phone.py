"""A phone at a board, without a browser: it takes an invitation, and its line to the page comes
back by itself. Beside it a program's wire to the board's referee.

docs/contracts.md, "Page", is what a phone speaks, docs/referee.md what goes over a wire.
"""

import contextlib
import http.client
import json
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import copy_context
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from hexboard.game.referee import written
from hexboard.words import Message, language, message
from hexboard.words.errors import BadText, HexboardError

PATIENCE_S = 10.0
"""So long an answer may take."""
SILENT_S = 12.0
"""Seconds without a word of a board that beats every 5: the line is dead."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 15.0
"""Between two tries to come back; each wait is twice the one before."""
LOOKS_S = 0.25
"""While an answer is waited for, other things are looked at so often."""
PACE_S = 0.1
"""At least so long between two things that are said: a board hears 20 a second of one phone."""
LARGEST_BYTES = 1 << 24
"""Of a message from a board."""
LONGEST_BYTES = 4096
"""Of what a board hears at once."""
BARRED = 4403
"""The close code that says that the key no longer counts."""
PORT = 8765
"""Where a board's page is if nobody says otherwise."""
ASKS = ("do", "id", "seat", "full")
"""What a request that is subscribed to may be of."""
TROUBLE = (OSError, http.client.HTTPException, WebSocketException, EOFError)
"""What a network that is gone, or another program at the other end, raises."""
UNANSWERED = (*TROUBLE, ValueError, LookupError, TypeError, RecursionError)
"""What asking a board raises where no answer comes of it."""


class Refused(HexboardError):
    """The board's word against what was asked for: its sentence, in place of one of ours."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self.text = text

    def __str__(self) -> str:
        return self.text


class Address(Struct, frozen=True):
    """Where a board's page is: `path` ends with a slash, and is what a proxy puts before it."""

    secure: bool
    host: str
    port: int
    path: str = "/"

    @property
    def origin(self) -> str:
        """As a browser says it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme, usual = ("https", 443) if self.secure else ("http", 80)
        return f"{scheme}://{host}" + ("" if self.port == usual else f":{self.port}")

    def __str__(self) -> str:
        return self.origin + self.path.rstrip("/")


class Invited(Struct, frozen=True):
    """A seat that somebody may take once: by a link's secret, or by six figures."""

    address: Address
    code: str


def invitation(link: str, figures: str = "") -> Invited:
    """What a link says, or the address of a board and the six figures. Raises `BadText`."""
    bare = "://" not in link
    try:
        split = urlsplit(f"http://{link}" if bare else link)
        port = split.port or (443 if split.scheme == "https" else PORT if bare else 80)
    except ValueError:
        raise BadText("join.no_link", link=link[:80]) from None
    if split.scheme not in ("http", "https") or not split.hostname:
        raise BadText("join.no_link", link=link[:80])
    if "token=" in split.query:
        raise BadText("join.hosts_link")
    code = "".join(figures.split()) or split.fragment
    if not code or (figures and not (len(code) == 6 and code.isdecimal())):
        raise BadText("join.no_code")
    path = split.path.removesuffix("join").rstrip("/") + "/"
    return Invited(Address(split.scheme == "https", split.hostname, port, path), code)


class Seat(Struct, frozen=True):
    """A seat that was taken: where, and the cookie that holds its key. It is kept in memory
    alone."""

    address: Address
    cookie: str


def take(asked: Invited, name: str) -> Seat:
    """Take a seat from afar. Raises `HexboardError` where the board refuses it, or none is
    there."""
    body = json.dumps({"code": asked.code, "name": name, "far": True})
    try:
        status, answer, cookie = _ask(asked.address, "join", body)
        told = json.loads(answer)
        if status != 200:
            raise Refused(str(told["error"]))
    except (OSError, http.client.HTTPException) as error:
        why = str(error) or type(error).__name__
        raise BadText("join.unheard", address=str(asked.address), why=why[:200]) from None
    except (ValueError, RecursionError, LookupError, TypeError):
        raise BadText("join.no_board", address=str(asked.address)) from None
    return Seat(asked.address, cookie.partition(";")[0])


def board(seat: Seat) -> dict[str, Any]:
    """What the board is like that is played on. Raises `TROUBLE`, `ValueError` for what is none,
    and `Refused` where the key no longer counts."""
    status, answer, _ = _ask(seat.address, "board", cookie=seat.cookie)
    told = json.loads(answer)
    if status == 403:
        raise Refused(str(told.get("error", "")))
    if status != 200 or not isinstance(told, dict):
        raise ValueError(status)
    return told


def _ask(there: Address, path: str, body: str = "", cookie: str = "") -> tuple[int, bytes, str]:
    """The status, the answer and the cookie that was set, of what is asked for; or sent, where
    there is a body."""
    kind = http.client.HTTPSConnection if there.secure else http.client.HTTPConnection
    headers = {"Origin": there.origin, "Accept": "application/json", "Cookie": cookie}
    headers["Accept-Language"] = language()
    with contextlib.closing(kind(there.host, there.port, timeout=PATIENCE_S)) as line:
        line.request("POST" if body else "GET", there.path + path, body or None, headers)
        answer = line.getresponse()
        return answer.status, answer.read(LARGEST_BYTES), answer.getheader("Set-Cookie", "")


class Wire:
    """What a program of one seat asks the board's referee, and what comes back. It is there when it
    is first needed, and again after it broke; what was subscribed to is then too. `heard` is
    called, from another thread, when something has come; all else is of one thread."""

    def __init__(self, seat: Seat, number: int, heard: Callable[[], None]) -> None:
        self._seat, self._number, self._heard = seat, number, heard
        self._socket: ClientConnection | None = None
        self._opened = contextlib.ExitStack()  # it leaves the socket
        self._come = queue.Queue[str | None]()  # None: the wire has broken
        self._subscribed: list[Any] = []
        self._news: dict[str, Any] | None = None
        self._told: dict[str, Any] | None = None  # the news before

    @property
    def away(self) -> bool:
        """What was subscribed to is not heard of."""
        return bool(self._subscribed) and self._socket is None

    def ask(self, line: bytes, meanwhile: Callable[[], object]) -> dict[str, Any]:
        """The answer to a line with one request; `meanwhile` is done now and then. Raises
        `UNANSWERED` where none comes."""
        self._say(line)
        while (told := self._next(LOOKS_S)) is None:
            meanwhile()
        if told["ok"] and (asked := json.loads(line))["do"] == "subscribe":
            self._subscribed = [{it: to[it] for it in to if it in ASKS} for to in asked["to"]]
            self._news = None  # what came before it is old
        return told

    def news(self, anew: bool = False) -> bytes | None:
        """What was told last of what was subscribed to, once; `anew`: as it is by now."""
        if self._subscribed:
            with contextlib.suppress(*UNANSWERED):
                if self._socket is None:
                    self._connect()
                elif anew:
                    self._subscribe()
                self._next(0.0)
        news, self._news = self._news, None
        if news is None or news == self._told:
            return None
        self._told = news
        return written(news)

    def close(self) -> None:
        self._socket = None
        with contextlib.suppress(*TROUBLE):
            self._opened.close()

    def _connect(self) -> None:
        """Raises `UNANSWERED` where nobody is there."""
        there = _connected(self._seat, f"referee?seat={self._number}")
        self._socket = socket = self._opened.enter_context(there)
        self._come = come = queue.Queue[str | None]()
        threading.Thread(target=self._listen, args=(socket, come), name="wire", daemon=True).start()
        if self._subscribed:
            try:
                self._subscribe()
            except UNANSWERED:
                self.close()
                raise

    def _subscribe(self) -> None:
        """Be told again what was subscribed to. Raises `UNANSWERED`."""
        self._say(shortest({"do": "subscribe", "to": self._subscribed}))
        told = self._next(PATIENCE_S)
        if told is None or not told["ok"]:
            raise ValueError(told)
        self._news = {it: told[it] for it in ("change", "answers")}

    def _say(self, line: bytes) -> None:
        if self._socket is None:
            self._connect()
        assert self._socket is not None
        self._socket.send(line.decode())

    def _next(self, seconds: float) -> dict[str, Any] | None:
        """The next answer, if one comes so soon; news are kept. Raises `UNANSWERED` where the wire
        has broken, or for what is none."""
        end = time.monotonic() + seconds
        while True:
            try:
                text = self._come.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return None
            if text is None:
                self.close()
                raise EOFError
            told = json.loads(text)
            if not isinstance(told, dict):
                raise ValueError(text[:80])
            if "ok" in told:
                return told
            self._news = told

    def _listen(self, socket: ClientConnection, come: "queue.Queue[str | None]") -> None:
        """In its own thread: hear what comes."""
        with contextlib.suppress(*TROUBLE):
            for text in socket:
                come.put(str(text))
                self._heard()
        come.put(None)
        self._heard()


def shortest(asked: object) -> bytes:
    """A request as a line, no longer than the program said it. Raises `RecursionError`."""
    text = json.dumps(asked, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _connected(seat: Seat, path: str) -> AbstractContextManager[ClientConnection]:
    """A WebSocket of a board, to be entered. Raises `TROUBLE`."""
    there = seat.address
    line = socket.create_connection((there.host, there.port), PATIENCE_S)
    return connect(
        f"ws{there.origin.removeprefix('http')}{there.path}{path}",
        sock=line,  # by no proxy
        ssl=ssl.create_default_context() if there.secure else None,
        additional_headers={
            "Cookie": seat.cookie,
            "Origin": there.origin,
            "Accept-Language": language(),
        },
        open_timeout=PATIENCE_S,
        close_timeout=1,
        max_size=LARGEST_BYTES,
    )


class Phone:
    """The page of a seat, over its WebSocket, once it was told to `start`. What it was told last is
    kept; `tell` hears when the line goes and comes, from a thread of its own."""

    def __init__(self, seat: Seat, tell: Callable[[Message], None]) -> None:
        self.seat, self._tell = seat, tell
        self.heard: Callable[[], None] = lambda: None
        """Called in that thread when something was told."""
        self.told: tuple[dict[str, Any] | None, int] = None, 0
        """The table, as this seat may know it (None while there is no line), and the number of the
        line that told it."""
        self.you: dict[str, Any] | None = None
        """Who uses this key, and which seats it has."""
        self.barred = False
        """The key no longer counts."""
        self._lines = 0  # so often there was one so far
        self._news, self._changed = 0, threading.Condition()
        self._socket: ClientConnection | None = None
        self._closed = threading.Event()
        self._said = 0.0

    def start(self) -> None:
        run = copy_context().run  # it speaks the same language
        threading.Thread(target=run, args=(self._run,), name="phone", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        if self._socket is not None:
            with contextlib.suppress(*TROUBLE):
                self._socket.close()

    def say(self, kind: str, **fields: object) -> None:
        """Say something, not too fast; what finds no line is lost."""
        time.sleep(max(0.0, self._said + PACE_S - time.monotonic()))
        self._said = time.monotonic()
        if (line := self._socket) is not None:
            with contextlib.suppress(*TROUBLE):
                line.send(json.dumps({"type": kind, **fields}))

    def wait(self, known: int, seconds: float | None = None) -> int:
        """The number of the newest news, as soon as it is another than `known`."""
        with self._changed:
            self._changed.wait_for(lambda: self._news != known, seconds)
            return self._news

    # ---------------------------------------------------------------------- in its own thread

    def _run(self) -> None:
        wait, away = FIRST_WAIT_S, False
        while not self._closed.is_set() and not self.barred:
            before = self._lines
            why = self._listen()
            if self._lines > before:
                wait, away = FIRST_WAIT_S, False
            if self._closed.is_set() or self._ended(why):
                break
            if not away:
                self._tell(message("join.away"))
            away = True
            self._closed.wait(wait)
            wait = min(wait * 2, LONGEST_WAIT_S)
        self._now()

    def _listen(self) -> BaseException | None:
        """Have a line for as long as it holds; what ended it."""
        try:
            with _connected(self.seat, "live") as opened:
                self._socket = opened
                while True:
                    self._take(json.loads(opened.recv(timeout=SILENT_S)))
        except (*TROUBLE, ValueError, RecursionError, TypeError, KeyError) as error:
            return error
        finally:
            self._socket = None
            self.told = None, self._lines

    def _ended(self, why: BaseException | None) -> bool:
        """Whether the key no longer counts: a line that is refused does not say why."""
        closed = isinstance(why, ConnectionClosed) and why.rcvd and why.rcvd.code
        if closed == BARRED or isinstance(why, InvalidStatus):
            try:
                board(self.seat)
            except Refused:
                self.barred = True
            except (*TROUBLE, ValueError):
                pass
        return self.barred

    def _take(self, told: dict[str, Any]) -> None:
        match told["type"]:
            case "state":
                if self.told[0] is None:
                    self._lines += 1
                    if self._lines > 1:
                        self._tell(message("join.back"))
                self.told = told, self._lines
            case "you":
                self.you = told
            case _:
                return
        self._now()

    def _now(self) -> None:
        with self._changed:
            self._news += 1
            self._changed.notify_all()
        self.heard()
