"""The hub as a board has it: its hall journal is published, in order, from where the stream ends.

Where the stream ends, the stream is asked: its last message of this board has the link after which
more is told, and only after that message does the stream take it. So nothing is told twice or left
out, whatever happened to cable, board or server. A thread of its own does all this; the table never
waits for it. docs/hall.md.
"""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from hexboard.daemon.hall.starting import HUB, KEY, START, HallAnswer, start_wanted
from hexboard.daemon.hall.wire import (
    ANSWER_S,
    AT,
    BEAT_S,
    BEFORE,
    LINK,
    NOW,
    SUBJECTS,
    TOLD,
    BoardNow,
    HallLoop,
    connected,
    denied,
    library,
    link_of,
    linked,
    node,
    reason,
    run,
    streams,
)
from hexboard.record.hall_journal import NAME, HallJournal, HallRow
from hexboard.settings import HubSettings
from hexboard.web import reach
from hexboard.web.public import Listener, PublicState
from hexboard.web.requests import NOBODY, FromPage, New
from hexboard.web.server import Server
from hexboard.words import Message, message, say
from hexboard.words.errors import HexboardError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

BATCH = 50
"""So many are read at once."""
RESTS = 3
"""After a batch that is not the last so many times as long as it took: the table has the processor
first."""
NOW_S = 0.1
"""So long at least after it was said how the board stands."""
AGAIN_S = 2.0
"""So long after a failure it is tried again."""
CHECK_S = 30.0
"""So often the stream is asked whether it still ends where it did."""
GOODBYE_S = 1.0
"""So long a hub is waited for as hexboard ends."""
BEGINS_S = 4.0
"""So long a hub that wants a game begun waits for it."""
LOOK_S = 0.05
"""So often it is looked whether it has."""
LINES = 20
"""Of the log, that a wall is told."""
TITLE_LETTERS = 200
"""Of a board's title: a hall takes no more."""


class StreamEnd(Struct, frozen=True):
    """Where the stream ends for a board: the number told last, and its sequence there."""

    n: int = 0
    seq: int = 0


class Hub:
    """Tells the hub of the board of this `name` and `title`, from its hall journal and from what
    `server` publishes; `link` is where spectators see it. `close` it at the end. Raises
    `HexboardError` where the library is not there, `sqlite3.Error` where no journal can be made."""

    def __init__(
        self,
        settings: HubSettings,
        name: str,
        title: str,
        state: Path,
        server: Server,
        echo: Callable[[str], None],
        link: Callable[[], str] = str,
    ) -> None:
        library()
        self._settings, self._title, self._link = settings, title, link
        self.name = hall_name(settings, name)
        self._language, self._echo, self._server = server.language, echo, server
        self.journal = HallJournal(state)
        self.trouble: Message | None = None
        """Why the hub does not hear of this board now."""
        self._newest: PublicState | None = None
        self._refusal = ""
        """Why what a hub asked for last came to nothing."""
        self._ended = False
        self._checked = self._sent = 0.0  # monotonic s
        self._told = 0
        self._loop = HallLoop()
        self._news = asyncio.Event()
        self._listener = Listener(HUB, self._language, self._hear, self._refused)
        self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()
        self.journal.added = self._wake
        server.listen(self._listener)

    @property
    def notice(self) -> Message | None:
        """What is not as it should be, for the page of how hexboard runs."""
        return self.journal.trouble or self.trouble

    def close(self) -> None:
        """What is left is told later, by the hexboard that is started next."""
        self._ended = True
        self._wake()
        self._thread.join(GOODBYE_S)
        self.journal.close()

    def _hear(self, state: bytes) -> None:
        """In the web's thread."""
        self._newest = msgspec.json.decode(state, type=PublicState)
        self._wake()

    def _refused(self, why: str) -> None:
        """In the web's thread."""
        self._refusal = why

    def _wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._news.set)
        except RuntimeError:  # it has ended
            return

    # ------------------------------------------------------------------------ in our own thread

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._forever())

    async def _forever(self) -> None:
        """Whatever another program answers, or does not: it is said, and tried again."""
        while not self._ended:
            try:
                async with connected(self._settings) as client:
                    await self._tell(client)
            except HexboardError as error:
                self._say(error.message)
            except Exception as error:
                self._say(_failed(self._settings, error))
            if not self._ended:
                with contextlib.suppress(sqlite3.Error):
                    await asyncio.to_thread(self.journal.fold)
                await self._wait(AGAIN_S, at_least=True)

    async def _wait(self, seconds: float, at_least: bool = False) -> None:
        """Until there is news, or so long; `at_least` so long, unless we end."""
        end = time.monotonic() + seconds
        while not self._ended and (left := end - time.monotonic()) > 0:
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                return
            self._news.clear()
            if not at_least:
                return

    def _say(self, why: Message | None) -> None:
        """Say once what is wrong."""
        if self._ended:
            return
        before, self.trouble = self.trouble, why
        if why is not None and (before is None or before.key != why.key):
            self._echo(say(why, self._language))

    async def _tell(self, client: "Client") -> None:
        """All that comes, as long as the connection lasts."""
        js = await streams(client)
        end = await self._end(js)
        if self._settings.starts:
            await client.subscribe(f"{START}.{self.name}", cb=self._asked)
        while not self._ended:
            if client.is_closed:
                raise client.last_error or ConnectionError
            if time.monotonic() - self._checked >= CHECK_S:
                end = await self._checked_end(js, end)
            began = time.monotonic()
            rows = self.journal.after(end.n, BATCH)
            if rows:
                await asyncio.to_thread(self.journal.sync)
                await asyncio.to_thread(self.journal.fold)
            for row in rows:
                end = await self._publish(js, row, end)
                await self._stand(client)
            self._say(None)
            if len(rows) == BATCH:
                await asyncio.sleep(RESTS * (time.monotonic() - began))
            elif not rows:
                due = await self._stand(client)
                await self._wait(due)

    async def _asked(self, msg: "Msg") -> None:
        """The hub wants a game to begin here."""
        if (state := self._newest) is None:
            return  # it has only just been started: who asks is told that it does not answer
        wanted = start_wanted(msg.data, state)
        if isinstance(wanted, New):
            why = await self._begins(wanted, state.match)
        else:
            why = say(wanted, self._language)
        if msg.reply:
            await msg.respond(msgspec.json.encode(HallAnswer(why)))

    async def _begins(self, wanted: New, before: str) -> str:
        """Why a game does not begin after this match; "" where it does."""
        self._listener.asked += 1  # a refusal of what was asked before comes too late
        self._refusal = ""
        asked = FromPage(self._listener.source, NOBODY, replace(wanted, match=before), KEY)
        if not self._server.pages.take(asked):
            return say(message("web.too_fast"), self._language)
        end = time.monotonic() + BEGINS_S
        while not (self._refusal or self._ended) and time.monotonic() < end:
            if self._newest is not None and self._newest.match != before:
                return ""
            await asyncio.sleep(LOOK_S)
        return self._refusal or say(message("hub.not_yet"), self._language)

    async def _publish(self, js: "JetStreamContext", row: HallRow, end: StreamEnd) -> StreamEnd:
        """Tell one thing, after what was told last; where the stream ends then."""
        from nats.js.errors import APIError

        headers = {LINK: linked(row.link, self.name), BEFORE: str(end.seq), AT: str(row.at)}
        try:
            ack = await js.publish(self._subject(TOLD), row.text.encode(), headers=headers)
        except APIError as error:
            raise HexboardError("hub.refused", why=reason(error)) from None
        if ack.duplicate or ack.stream != TOLD or not ack.seq or ack.seq <= end.seq:
            raise HexboardError("hub.refused", why=f"{ack.stream} {ack.seq}")
        self._told = row.n
        return StreamEnd(row.n, ack.seq)

    async def _end(self, js: "JetStreamContext") -> StreamEnd:
        self._checked = time.monotonic()
        return await stream_end(js, self.name, self.journal.number)

    async def _checked_end(self, js: "JetStreamContext", known: StreamEnd) -> StreamEnd:
        """The same, where we know it: a stream that has less than it took is told again."""
        end = await self._end(js)
        if end.n < known.n:
            self._say(message("hub.forgot", told=known.n, kept=end.n))
        return end

    async def _stand(self, client: "Client") -> float:
        """Say how the board stands, where that is due; seconds until it is again. Nobody waits for
        an answer: what is lost is said anew soon."""
        newest, now = self._newest, time.monotonic()
        if newest is None:
            return BEAT_S
        since = now - self._sent
        changed = newest is not self._shown
        if since < (NOW_S if changed else BEAT_S):
            return (NOW_S if changed else BEAT_S) - since
        await client.publish(self._subject(NOW), self._standing(newest))
        await client.flush(1)
        self._sent, self._shown = now, newest
        return BEAT_S

    _shown: PublicState | None = None

    def _standing(self, newest: PublicState) -> bytes:
        shown = replace(newest, log=newest.log[:LINES])
        return msgspec.json.encode(
            BoardNow(
                title=(newest.board or self._title)[:TITLE_LETTERS],
                at=time.time(),
                told=self.journal.last(),
                fresh=None if newest.begun else self.journal.before(newest.match),
                state=Raw(msgspec.json.encode(shown)),
                link=self._link(),
            )
        )

    def _subject(self, stream: str) -> str:
        return f"{SUBJECTS[stream]}.{self.name}"


def _failed(settings: HubSettings, error: Exception) -> Message:
    if denied(error):
        return message("hub.refused", why=reason(error))
    return message("hub.away", at=settings.url, why=reason(error))


def known_as() -> tuple[str, str]:
    """This computer's name and its address in its network."""
    return reach.name(), reach.address()


def hall_name(settings: HubSettings, board: str) -> str:
    """What a hall calls the board that this computer calls `board`."""
    return node(settings.name or f"{reach.name()}-{board}")


async def stream_end(
    js: "JetStreamContext", name: str, number: Callable[[str], int | None]
) -> StreamEnd:
    """Where the stream ends for the board of this hall's name; `number` is that of what has a link.
    Raises `HexboardError` where that is none of this board's, or may not be asked."""
    from nats.js.errors import APIError, NotFoundError

    try:
        last = await js.get_last_msg(TOLD, f"{SUBJECTS[TOLD]}.{name}")
    except NotFoundError:
        return StreamEnd()
    except APIError as error:
        raise HexboardError("hub.refused", why=reason(error)) from None
    n = number(link_of(last.headers))
    if n is None or not last.seq:
        raise HexboardError("hub.other", name=name)
    return StreamEnd(n, last.seq)


def compared(settings: HubSettings, board: str, folder: Path) -> tuple[int, int]:
    """Of how many things that a board has told, or has still to tell, the hall has how many:
    (all, those). Nothing is changed. Raises `HexboardError`."""
    file = folder / NAME
    try:
        with contextlib.ExitStack() as stack:
            db = None
            if file.exists():
                db = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
                stack.enter_context(contextlib.closing(db))
            known = dict(db.execute("SELECT link, n FROM told")) if db else {}
    except sqlite3.Error as error:
        raise HexboardError("hub.unkept", why=str(error)) from None

    async def asked() -> StreamEnd:
        async with connected(settings) as client:
            js = client.jetstream(timeout=ANSWER_S)
            return await stream_end(js, hall_name(settings, board), known.get)

    try:
        return len(known), run(asked()).n
    except HexboardError:
        raise
    except Exception as error:  # whatever the library does
        if denied(error):
            raise HexboardError("hub.refused", why=reason(error)) from None
        raise HexboardError("hub.away", at=settings.url, why=reason(error)) from None
