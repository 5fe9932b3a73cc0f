"""Connections, also those that ask for nothing: they keep nobody away, nor the board from its
descriptors."""

import asyncio
import contextlib
import socket as sockets
import ssl
from collections.abc import Callable, Collection, Hashable, Iterator
from functools import partial
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE_S = 10.0
"""A request has come whole in so many seconds, or its connection is closed."""
WAITING = 100
"""Connections that may wait for their request at once; the oldest makes room."""
QUEUE = 1024
"""Connections that wait to be taken."""
UNREAD_S = 60.0
"""Seconds for which somebody may leave unread what they were sent, before they are hung up on."""
FULL_S = 1.0
"""Seconds until more are taken where this process may open no more files."""
TICK_S = 1.0
"""The date that answers bear is looked up so often, seconds."""
PEEK = sockets.MSG_PEEK | sockets.MSG_DONTWAIT


class Waiting:
    """Who waits for a request to come: the oldest makes room, and nobody waits for longer than
    `PATIENCE_S`."""

    def __init__(self) -> None:
        self._ends: dict[Hashable, tuple[Callable[[], object], asyncio.TimerHandle]] = {}
        """How each is ended; oldest first."""

    def __contains__(self, who: Hashable) -> bool:
        return who in self._ends

    def add(self, who: Hashable, end: Callable[[], object]) -> None:
        if len(self._ends) >= WAITING:
            self._end(next(iter(self._ends)))
        timer = asyncio.get_running_loop().call_later(PATIENCE_S, self._end, who)
        self._ends[who] = end, timer

    def drop(self, who: Hashable) -> None:
        if who in self._ends:
            self._ends.pop(who)[1].cancel()

    def clear(self) -> None:
        for who in list(self._ends):
            self._end(who)

    def _end(self, who: Hashable) -> None:
        end, _ = self._ends[who]
        self.drop(who)
        end()


class Entrance:
    """Takes connections. One that says nothing costs a file and nothing else: its protocol is made
    when its first byte has come. In the loop's thread."""

    def __init__(
        self,
        listener: sockets.socket,
        waiting: Waiting,
        make: Callable[[], asyncio.Protocol],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._listener = listener
        self._waiting = waiting
        self._make = make
        self._tls = tls
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        listener.setblocking(False)
        self._open()

    def close(self) -> None:
        """Take nobody any more; who said nothing is gone."""
        self._loop.remove_reader(self._listener)
        if self._again is not None:
            self._again.cancel()
        self._waiting.clear()

    def _open(self) -> None:
        self._loop.add_reader(self._listener, self._take)

    def _take(self) -> None:
        """So many at once that those who speak are heard between: the board keeps files."""
        for _ in range(WAITING):
            try:
                wire, _ = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:
                self._loop.remove_reader(self._listener)
                self._again = self._loop.call_later(FULL_S, self._open)
                return
            if not self._heard(wire):
                self._loop.add_reader(wire.fileno(), self._decide, wire)
                self._waiting.add(wire, partial(self._decide, wire))

    def _decide(self, wire: sockets.socket) -> None:
        """It speaks, or its time is up."""
        self._waiting.drop(wire)
        self._loop.remove_reader(wire.fileno())
        if not self._heard(wire):
            wire.close()

    def _heard(self, wire: sockets.socket) -> bool:
        """Whether it has said anything by now: then it is served."""
        try:
            begun = wire.recv(1, PEEK)
        except BlockingIOError:
            return False
        except OSError:
            begun = b""
        if not begun:
            wire.close()
            return True
        task = self._loop.create_task(self._serve(wire))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _serve(self, wire: sockets.socket) -> None:
        if self._tls is not None:  # its keys come first
            self._waiting.add(wire, partial(_hang_up, wire))
        with contextlib.suppress(OSError):
            await self._loop.connect_accepted_socket(self._make, wire, ssl=self._tls)
        self._waiting.drop(wire)


def _hang_up(wire: sockets.socket) -> None:
    """Its transport hears that nothing more comes, and closes it."""
    with contextlib.suppress(OSError):
        wire.shutdown(sockets.SHUT_RDWR)


class Heedful(asyncio.Protocol):
    """Hangs up on who reads nothing for `UNREAD_S`: they keep no place of an open page."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # told of all that is unread, as it is closed too; with 0 TLS takes an empty buffer for full
        self.transport.set_write_buffer_limits(high=1, low=0)

    def connection_lost(self, exc: Exception | None) -> None:
        self._read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._read()
        super().resume_writing()

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()


class Answering(Heedful, WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which answers no ping as long as its answers are not read."""

    _pong: Collection[bytes] = ()

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self._pong = self.conn.data_to_send()[-1:]  # the newest's: RFC 6455, 5.5.3

    def send_receive_event_to_app(self) -> None:
        """Text that is none ends the connection (RFC 6455, 8.1), and is nothing for a log."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                if self.conn.close_sent is None:
                    self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def resume_writing(self) -> None:
        super().resume_writing()
        pong, self._pong = self._pong, ()
        if not self.close_sent:
            self.transport.write(b"".join(pong))


class Patient(Heedful, H11Protocol):
    """uvicorn's HTTP, patient for `PATIENCE_S` and with `WAITING` at most: who was answered and
    asks no more is one of them."""

    waiting: ClassVar[Waiting]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.waiting.add(self, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.drop(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self.waiting.drop(self)
        elif self.conn.trailing_data[0] and self not in self.waiting:
            self.waiting.add(self, self.transport.abort)  # a part of the next request

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.waiting.drop(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.waiting.drop(self)
            self.waiting.add(self, self.transport.close)  # what was answered is still sent


class Quiet(uvicorn.Server):
    """Leaves signals to the daemon, and connections to an entrance of our own."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ends = asyncio.Event()

    def end(self) -> None:
        """Serve no longer; in its own thread."""
        self.should_exit = True
        self._ends.set()

    async def main_loop(self) -> None:
        """uvicorn's own looks ten times a second whether it is to end, a fifth of what a board
        costs where nothing happens. This one is woken; once a second it looks up the date."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ends.wait(), TICK_S)

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup([])
        assert sockets is not None
        (listener,) = sockets
        waiting = Waiting()
        config, state = self.config, self.server_state
        kind = type("Ours", (Patient,), {"waiting": waiting})
        make = partial(kind, config=config, server_state=state, app_state=self.lifespan.state)
        self._entrance = Entrance(listener, waiting, make, config.ssl)

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        self._entrance.close()
        await super().shutdown(sockets)

    def install_signal_handlers(self) -> None:
        """Older uvicorn."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
