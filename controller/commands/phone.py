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
TROUBLE = (OSError, http.client.HTTPException, WebSocketException, EOFError)
"""What a network that is gone, or another program at the other end, raises."""


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
    """What a program of one seat says to the board's referee, a line at a time, and what comes
    back. It is there when it is first needed, and again after it broke; what was subscribed to is
    then too. `heard` is called, from another thread, when there are news."""

    def __init__(self, seat: Seat, number: int, heard: Callable[[], None]) -> None:
        self._seat, self._number, self._heard = seat, number, heard
        self._socket: ClientConnection | None = None
        self._answers = queue.Queue[str | None]()  # None: the wire has broken
        self._news: str | None = None
        self._subscribed: list[Any] = []

    def ask(
        self, line: str, asked: Any, meanwhile: Callable[[], object]
    ) -> tuple[str, list[dict[str, Any]]]:
        """The answer to a line, as it came and to each request in it; `meanwhile` is done now and
        then. Raises `TROUBLE` where the wire breaks, `ValueError` for what is no answer."""
        text = self._answer(line, meanwhile)
        told = json.loads(text)
        listed = asked if isinstance(asked, list) else [asked]
        answers = told if isinstance(told, list) else [told] * len(listed)
        if len(answers) != len(listed) or not all(isinstance(it, dict) for it in answers):
            raise ValueError(text[:80])
        for request, answer in zip(listed, answers, strict=True):
            if answer["ok"] and request["do"] == "subscribe":
                self._subscribed = request["to"]
        return text, answers

    def news(self, seconds: float = 0.0) -> bytes | None:
        """What was told last of what was subscribed to, once; waited for so long."""
        if not self._subscribed:
            return None
        if self._socket is None:
            with contextlib.suppress(*TROUBLE, ValueError):
                self._connect()
        end = time.monotonic() + seconds
        while self._news is None and self._socket is not None and time.monotonic() < end:
            time.sleep(0.01)
        news, self._news = self._news, None
        return None if news is None else news.encode()

    def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            with contextlib.suppress(*TROUBLE):
                socket.close()

    def _answer(self, line: str, meanwhile: Callable[[], object] = lambda: None) -> str:
        if self._socket is None:
            self._connect()
        socket, answers = self._socket, self._answers
        if socket is None:  # it has broken already
            raise EOFError
        socket.send(line)
        while True:
            try:
                answer = answers.get(timeout=LOOKS_S)
            except queue.Empty:
                meanwhile()
                continue
            if answer is None:
                raise EOFError
            return answer

    def _connect(self) -> None:
        """Raises `TROUBLE` where nobody is there."""
        answers = self._answers = queue.Queue()
        threading.Thread(target=self._run, args=(answers,), name="wire", daemon=True).start()
        if answers.get() is None:
            raise EOFError
        if self._subscribed:
            asked = json.dumps({"do": "subscribe", "to": self._subscribed})
            told = json.loads(self._answer(asked))
            self._news = json.dumps({it: told[it] for it in ("change", "answers") if it in told})

    def _run(self, answers: "queue.Queue[str | None]") -> None:
        """In its own thread: what is heard, first that there is a wire, last that there is none."""
        try:
            with _connected(self._seat, f"referee?seat={self._number}") as socket:
                self._socket = socket
                answers.put("")
                for text in socket:
                    told = json.loads(text)
                    if isinstance(told, dict) and "ok" not in told:
                        self._news = str(text)
                        self._heard()
                    else:
                        answers.put(str(text))
        except (*TROUBLE, ValueError, RecursionError):
            pass
        finally:
            if self._answers is answers:
                self._socket = None
            answers.put(None)
            self._heard()


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
