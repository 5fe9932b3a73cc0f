"""Connections, also those that ask for nothing: they keep nobody away, nor the board from its
descriptors."""

import asyncio
import contextlib
import socket as sockets
from collections.abc import Iterator
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_S = 10.0
"""A request has come whole in so many seconds, or its connection is closed."""
WAITING = 100
"""Connections that may wait for their request at once; the oldest makes room."""

QUEUE = 1024
"""Connections that wait to be taken."""


class Patient(H11Protocol):
    """uvicorn's HTTP, patient for `PATIENCE_S` and with `WAITING` at most."""

    waiting: ClassVar[dict["Patient", asyncio.TimerHandle]] = {}
    """Oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._waited()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._waited()
        elif self.conn.trailing_data[0] and self not in self.waiting:
            self._wait()  # a part of the next request

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._waited()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        if len(self.waiting) >= WAITING:
            next(iter(self.waiting))._give_up()
        self.waiting[self] = self.loop.call_later(PATIENCE_S, self._give_up)

    def _waited(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._waited()
        self.transport.abort()


def patient() -> type[Patient]:
    """Its own kind for each server: they do not make room for each other."""
    return type("Patient", (Patient,), {"waiting": {}})


class Quiet(uvicorn.Server):
    """Leaves signals to the daemon."""

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)  # who waits there is not turned away, and costs no file

    def install_signal_handlers(self) -> None:
        """Older uvicorn."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
