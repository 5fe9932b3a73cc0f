"""The wall: every board of a hall as its stream tells it, and what its games came to.

It reads the streams and nothing else, and keeps nothing: a second wall may run beside it, or in its
place, and shows the same. docs/hall.md.
"""

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from hexboard.daemon.greeting import Where, where
from hexboard.daemon.hall.desk import HallDesk
from hexboard.daemon.hall.wire import (
    AT,
    NOW,
    SUBJECTS,
    TOLD,
    BoardNow,
    connected,
    link_of,
    reason,
    streams,
)
from hexboard.game import registry
from hexboard.record.chain import chain
from hexboard.record.hall_journal import HallEntry, HallOver, decode_told
from hexboard.settings import HubSettings, WebSettings
from hexboard.web.files import files
from hexboard.web.keys import Keys, token
from hexboard.web.public import PublicState, wrong
from hexboard.web.reach import Reach
from hexboard.web.requests import NOBODY
from hexboard.web.sheet import page_files
from hexboard.web.wall import WallServer
from hexboard.words import Message, languages, message, say, speaking
from hexboard.words.errors import NO_JSON, HexboardError

if TYPE_CHECKING:
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

EVERY_S = 0.1
"""So often pages are told what is new."""
SILENT_S = 15.0
"""A board that says nothing for so long is called silent; else it says something every 5 s."""
CHECK_S = 5.0
"""So often the stream is asked whether we have all of it."""
AGAIN_S = 2.0
RESULTS = 100
"""So many results are shown."""
BOARDS = 1000
"""So many boards are shown: a hall that lies cannot fill the memory."""
LONGEST_AT = 20
"""Digits of a time, Unix ns."""
CLOCK_S = 60.0
"""By so much a board's clock may be wrong before it is said."""
WEB = re.compile(r"https?://\S+")

NO_LINKS: Mapping[str, str] = {}
Closed = Callable[[], bool]
Sheet = Callable[[], dict[str, object]]


class _Board(Struct):
    """What is known of a board."""

    name: str
    now: BoardNow | None = None
    state: PublicState | None = None
    n: int = 0
    """What it told last, that was read."""
    link: str = ""
    at: int = 0
    """When that stood, Unix ns by the board's clock."""
    torn: bool = False
    """What it told does not follow from what it told before."""
    heard: float = 0.0
    """When it was heard, monotonic s."""
    since: float = 0.0
    """The same by the stream's clock, Unix s."""
    drift: float = 0.0
    """So much the board's clock is ahead of the stream's, s."""
    silent: bool = False


class _Result(Struct, frozen=True):
    """What a match came to."""

    board: str
    match: str
    game: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    stood: float
    """When that stood, Unix s by the board's clock; 0 where it did not say."""
    heard: float
    """When the stream took it, Unix s by the stream's clock."""


class HallWall:
    """Reads the streams for as long as it runs, and tells `server`'s pages. Shows results of the
    last `days`; `echo` is told, once, why the streams cannot be read. `links` are those
    of boards that tell none, for spectators on this computer. A tournament's `desk` hears what
    boards tell."""

    def __init__(
        self,
        settings: HubSettings,
        server: WallServer,
        days: int = 1,
        echo: Callable[[str], None] = lambda told: None,
        links: Mapping[str, str] = NO_LINKS,
        desk: HallDesk | None = None,
    ) -> None:
        self._settings, self._server, self._days, self._echo = settings, server, days, echo
        self._links, self._desk = links, desk
        self.boards: dict[str, _Board] = {}
        self.results: dict[tuple[str, str], _Result] = {}
        """By board and match, as they were heard."""
        self._left_out = False
        """There were more results than are shown."""
        self.why: Message | None = None
        """Why the streams cannot be read now."""
        self._dirty: set[str] = set()
        self._read = dict.fromkeys(SUBJECTS, 0)
        """The last sequence that was read, by stream."""
        self._made: dict[str, datetime | None] = {}
        self._since: datetime | None = None
        """Results from then on are shown, by the stream's clock."""
        self._resulted = True

    async def run(self) -> None:
        """Until it is cancelled; whatever a server answers is said, and tried again."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._show())
            if self._desk is not None:
                await asyncio.to_thread(self._desk.look)  # it says from where to read
                tasks.create_task(self._judge(self._desk))
            while True:
                try:
                    async with connected(self._settings) as client:
                        js = await streams(client)
                        async with contextlib.AsyncExitStack() as stack:
                            await self._follow(js, lambda: client.is_closed, stack)
                except HexboardError as error:
                    self._say(error.message)
                except Exception as error:
                    self._say(message("wall.away", at=self._settings.url, why=reason(error)))
                await asyncio.sleep(AGAIN_S)

    # ---------------------------------------------------------------------------- what is read

    async def _follow(
        self, js: "JetStreamContext", closed: Closed, stack: contextlib.AsyncExitStack
    ) -> None:
        """Read both streams from where we were, until that comes to an end."""
        for stream in (NOW, TOLD):
            stack.push_async_callback(_left, await self._begin(js, stream))
        self._say(None)
        began = time.monotonic()
        for board in self.boards.values():
            board.heard = max(
                board.heard, began
            )  # of the time that we heard nobody we know nothing
        while not closed():
            before = dict(self._read)
            await asyncio.sleep(CHECK_S)
            for stream in SUBJECTS:
                read = self._read[stream]  # more may come while we ask
                last = (await js.stream_info(stream)).state.last_seq
                if before[stream] == read < last:
                    return  # it sends no more: begin again
                if last < read:
                    return  # it was emptied, or another one took its place

    async def _begin(
        self, js: "JetStreamContext", stream: str
    ) -> "JetStreamContext.PushSubscription":
        from nats.js.api import ConsumerConfig, DeliverPolicy

        info = await js.stream_info(stream)
        made = info.created
        if made != self._made.get(stream) or info.state.last_seq < self._read[stream]:
            self._forget(stream)
            self._made[stream] = made
            if stream == TOLD:
                self._read[stream] = await self._earliest(js, info.state.last_seq) - 1
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=max(1, self._read[stream] + 1),
        )

        async def heard(msg: "Msg") -> None:
            self._hear(stream, msg)

        subject = f"{SUBJECTS[stream]}.*"
        return await js.subscribe(
            subject, stream=stream, ordered_consumer=True, config=config, cb=heard
        )

    def _forget(self, stream: str) -> None:
        """The stream is another one than we read: all of it is told again."""
        self._read[stream] = 0
        if stream == TOLD:
            if self._desk is not None:
                self._desk.forget()
            self.results.clear()
            self._resulted, self._left_out = True, False
            for board in self.boards.values():
                board.n, board.link, board.torn = 0, "", False

    async def _earliest(self, js: "JetStreamContext", last: int) -> int:
        """The first sequence that is to be read: of the days that are shown, or before, where the
        tournament waits for results from then."""
        days, waits = await self._yesterday(js, last), self._desk.first if self._desk else 0
        if not waits:
            return days
        return min(days, waits) if waits <= last + 1 else 1  # the stream is another one

    async def _yesterday(self, js: "JetStreamContext", last: int) -> int:
        """The first sequence of the days that are shown, by the stream's own clock."""
        if not last:
            return 1
        first, end = (await js.stream_info(TOLD)).state.first_seq, last
        from_ = self._since = await self._time(js, last) - timedelta(days=self._days)
        while first < end:
            middle = (first + end) // 2
            if await self._time(js, middle) < from_:
                first = middle + 1
            else:
                end = middle
        return first

    @staticmethod
    async def _time(js: "JetStreamContext", seq: int) -> datetime:
        time = (await js.get_msg(TOLD, seq)).time
        assert time is not None
        return time

    def _hear(self, stream: str, msg: "Msg") -> None:
        """A message; one that cannot be understood is passed over."""
        metadata = msg.metadata
        self._read[stream] = metadata.sequence.stream
        name = msg.subject.rpartition(".")[2]
        if name not in self.boards and len(self.boards) >= BOARDS:
            return
        board = self.boards.setdefault(name, _Board(name, heard=time.monotonic()))
        try:
            (self._told if stream == TOLD else self._stands)(board, msg, metadata.timestamp)
        except NO_JSON:
            board.torn = True
        self._dirty.add(name)

    def _stands(self, board: _Board, msg: "Msg", at: datetime) -> None:
        """How a board stands now."""
        now = msgspec.json.decode(msg.data, type=BoardNow)
        board.state = msgspec.json.decode(now.state, type=PublicState)
        board.now, board.since, board.heard = now, at.timestamp(), time.monotonic()
        before, board.drift = _wrong_by(board), now.at - board.since
        self._resulted |= before != _wrong_by(board)

    def _told(self, board: _Board, msg: "Msg", at: datetime) -> None:
        """The next of what a board told: it follows from the one before, or the hall is told so."""
        headers = msg.headers or {}
        text, link = msg.data.decode(), link_of(headers)
        told = decode_told(msg.data)
        if told.n <= board.n and not board.torn:
            return
        follows = not board.n or (told.n, link) == (board.n + 1, chain((text,), board.link))
        board.torn |= not follows
        board.n, board.link, stood = told.n, link, headers.get(AT, "")
        board.at = int(stood) if stood.isdecimal() and len(stood) < LONGEST_AT else 0
        self._age(at)
        if self._desk is not None:
            self._desk.hear(board.name, told)
        if isinstance(told, HallEntry):
            self._goes_on((board.name, told.match))
        elif isinstance(told, HallOver):
            self._over(board, told, at)

    def _age(self, at: datetime) -> None:
        """This was told last: results of days before it are shown no longer, on a wall that stands
        for weeks as on one that was started just now. A clock that was ahead once is forgotten."""
        since = self._since = at - timedelta(days=self._days)
        for key, result in list(self.results.items()):
            if result.heard < since.timestamp():
                del self.results[key]
                self._resulted, self._left_out = True, False  # those left out were older

    def _goes_on(self, match: tuple[str, str]) -> None:
        """A game that was over no longer is: something was taken back."""
        if match in self.results:
            del self.results[match]
            self._resulted = True

    def _over(self, board: _Board, told: HallOver, at: datetime) -> None:
        if self._since is not None and at < self._since:
            return
        self.results[board.name, told.match] = _Result(
            board=board.name,
            match=told.match,
            game=told.game,
            seats=told.seats,
            scores=told.scores,
            stood=board.at / 1e9,
            heard=at.timestamp(),
        )
        while len(self.results) > RESULTS:
            oldest = min(self.results.values(), key=self._when)
            del self.results[oldest.board, oldest.match]
            self._left_out = True
        self._resulted = True

    def _when(self, came: _Result) -> float:
        """When the game ended, Unix s by the stream's clock. A board that was cut off reports late,
        so its own time counts, less the error that its clock has now; but no game ended after it
        was heard of."""
        stood = came.stood and came.stood - _wrong_by(self.boards[came.board])
        return min(stood or came.heard, came.heard)

    # --------------------------------------------------------------------------- what is shown

    async def _show(self) -> None:
        """Tell pages what is new, each board at once."""
        self._say(self.why)
        while True:
            now = time.monotonic()
            for board in self.boards.values():
                silent = now - board.heard > SILENT_S and self.why is None
                if silent != board.silent:
                    board.silent = silent
                    self._dirty.add(board.name)
            dirty, self._dirty = self._dirty, set()
            for name in dirty:
                self._publish(f"board {name}", partial(self._board, self.boards[name]))
            if self._resulted:
                self._resulted = False
                self._publish("results", self._results)
            await asyncio.sleep(EVERY_S)

    async def _judge(self, desk: HallDesk) -> None:
        """Results go into the tournament's file, and pages are told of it."""
        self._publish("tournament", desk.sheet)
        trouble = None
        while True:
            await asyncio.sleep(EVERY_S)
            if not await asyncio.to_thread(desk.look):
                continue
            if desk.trouble is not None and desk.trouble != trouble:
                self._echo(say(desk.trouble))
            trouble = desk.trouble
            self._publish("tournament", desk.sheet)

    def _say(self, why: Message | None) -> None:
        """Say whether the streams can be read."""
        if why is not None and (self.why is None or self.why.key != why.key):
            self._echo(say(why))
        self.why = why
        self._publish("hall", lambda: {"type": "hall", "why": say(why) if why else ""})

    def _publish(self, kind: str, sheet: Sheet) -> None:
        views = {}
        for language in languages():
            with speaking(language):
                views[NOBODY, language] = msgspec.json.encode(sheet())
        self._server.publish(kind, b"", views)

    def _board(self, board: _Board) -> dict[str, object]:
        """What pages are told of a board."""
        sheet: dict[str, object] = {
            "type": "board",
            "name": board.name,
            "told": board.n,
            "at": board.at,
            "torn": board.torn,
            "silent": board.silent,
            "since": board.since,
        }
        now, state = board.now, board.state
        if now is None or state is None:
            return sheet
        newest = next((line for line in state.log if not line.aside), None)
        return sheet | {
            "title": now.title,
            "game": registry.title(state.game),
            "own": state.game,
            "style": self._style(state.game),
            "waiting": max(0, now.told - board.n),
            "drift": _wrong_by(board),
            "link": now.link if WEB.fullmatch(now.link) else self._links.get(board.name, ""),
            "phase": state.phase,
            "seats": state.seats,
            "active": state.active,
            "duo": state.duo,
            "scores": state.scores,
            "outcome": state.outcome,
            "prompt": state.question.text if state.question else state.prompt,
            "paused": state.paused,
            "standing": state.standing[:3],
            "newest": newest.text if newest else "",
            "final": newest is None or newest.final,
            "wrong": wrong(state),
        }

    def _style(self, game: str) -> str:
        """Where pages find the style sheet of a game that is installed here; "" for none."""
        style = ""
        if game in registry.names():
            with contextlib.suppress(HexboardError):  # what others bring may be broken
                found = registry.find(game)
                style = page_files(found)["style"]
                if style.removeprefix("/games/") not in self._server.files:
                    self._server.files = {**self._server.files, **files(found)}
        return style

    def _results(self) -> dict[str, object]:
        """What pages are told of results. A board that was renamed, or is another one's copy, tells
        again what was told: that is shown once, of whom it was heard first."""
        once: dict[tuple[object, ...], _Result] = {}
        for it in self.results.values():
            once.setdefault((it.match, it.game, it.seats, it.scores), it)
        newest = sorted(once.values(), key=self._when, reverse=True)
        results = [
            {
                "board": it.board,
                "match": it.match,
                "game": registry.title(it.game),
                "seats": it.seats,
                "scores": it.scores,
                "at": self._when(it),
            }
            for it in newest
        ]
        return {"type": "results", "results": results, "most": RESULTS if self._left_out else 0}


def _wrong_by(board: _Board) -> int:
    """By so many seconds a board's clock is ahead; 0 where that is not worth saying."""
    return round(board.drift) if abs(board.drift) > CLOCK_S else 0


async def _left(subscription: "JetStreamContext.PushSubscription") -> None:
    """It is heard no longer; the library's own tasks for it end."""
    with contextlib.suppress(Exception):  # the connection may be gone
        await subscription.unsubscribe()


@contextlib.contextmanager
def served(
    state: Path, port: int, web: WebSettings, lan: bool
) -> Iterator[tuple[WallServer, Where]]:
    """The wall's page, whose key is kept in `state`, and its links; the names and the certificate
    are those of a board's page here. Raises `Busy` where another program holds the port,
    `HexboardError` for a certificate that cannot be used."""
    state.mkdir(parents=True, exist_ok=True)
    key = token(state / "token")
    of = Reach(lan, web.names, web.origins, web.certificate, web.key)
    server = WallServer(port, Keys(key), of)
    server.start()
    try:
        yield server, where(of, server.port, key)
    finally:
        server.close()
