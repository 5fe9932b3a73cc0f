"""Two hundred phones at a page: `python -m tests.benchmarks.phones [PHONES] [STATES]`.

A process of its own plays the phones, one that reads nothing and one that takes 1 kB/s among them;
the clock runs from `publish` until each has the state. Beside it, in the same run, a bare server of
the same library (`websockets`) sends the same bytes to as many in a loop. Then 1,100 connections
that ask for nothing and 50 that ask slowly: how long a page takes meanwhile, how many of them are
left, and how long a Pico that went away. It fails (status 1) where a figure of docs/phones.md is
missed.
"""

import asyncio
import contextlib
import http.client
import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import websockets

from hexboard.web.connections import WAITING
from hexboard.web.keys import Keys, cookie_name
from hexboard.web.server import Server
from tests.benchmarks import measured, percentile, reference
from tests.benchmarks.browsers import running

TOKEN = "correct-horse-battery-staple"
LETTERS = 12_000
"""Of a state; Knee Deep's has some twelve thousand."""
IDLE, SLOW = 1100, 50
FILES = 1024
BEYOND_MS, PAGE_MS, BACK_S = 50.0, 100.0, 2.0
"""What is wanted: beyond a loop of the library alone; of a page, and of a Pico that went away,
beside idle connections."""


async def _phones(port: int, count: int, states: int, pipe: Connection) -> None:
    """`count` phones that note when each state came, and two that do not keep up."""
    headers = {
        "Cookie": f"{cookie_name(port, TOKEN)}={TOKEN}",
        "Origin": f"http://127.0.0.1:{port}",
    }
    came: list[list[float]] = [[] for _ in range(states)]

    async def phone() -> None:
        async with websockets.connect(address, additional_headers=headers, max_size=None) as wire:
            ready.release()
            while True:
                text = await wire.recv()
                now = time.perf_counter()
                if text[:9] == '{"state":':
                    number = int(text[9:14])
                    came[number].append(now)
                    if number == states - 1:
                        return

    async def laggard(pause: float) -> None:
        """Takes 1,000 bytes each `pause` s, through a socket that holds little."""
        wire = socket.create_connection(("127.0.0.1", port))
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asked = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        wire.sendall(
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{asked}Upgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        ready.release()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            while True:
                await asyncio.sleep(pause)
                wire.recv(1000)
        wire.close()

    address = f"ws://127.0.0.1:{port}/live"
    ready = asyncio.Semaphore(0)
    late = [asyncio.create_task(laggard(pause)) for pause in (1.0, 3600.0)]
    tasks = []
    for _ in range(count):
        tasks.append(asyncio.create_task(phone()))
        await ready.acquire()
    pipe.send("ready")
    await asyncio.gather(*tasks)
    for task in late:
        task.cancel()
    pipe.send(came)


def _play(port: int, count: int, states: int, pipe: Connection) -> None:
    asyncio.run(_phones(port, count, states, pipe))


def fan_out(
    port: int, phones: int, states: int, publish: Callable[[bytes], None]
) -> tuple[float, float, int, float]:
    """Milliseconds from `publish` to a phone: p50, p99; how many states phones got in all, and what
    this process computed for each, ms, whatever else the machine does."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_play, args=(port, phones, states, theirs)
    )
    process.start()
    assert ours.recv() == "ready"
    time.sleep(0.5)
    sent = []
    computed = time.process_time()
    for n in range(states):
        sent.append(time.perf_counter())
        publish(f'{{"state":{n:5},"text":"{"x" * LETTERS}"}}'.encode())
        time.sleep(0.3)
    computed = (time.process_time() - computed) * 1000 / states
    came: list[list[float]] = ours.recv()
    process.join()
    times = sorted((at - sent[n]) * 1000 for n, row in enumerate(came) for at in row)
    return percentile(times, 0.5), percentile(times, 0.99), len(times), computed


class Bare:
    """The library's own server, and a loop over whoever is connected."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.wires: set[Any] = set()
        self.server: Any = self.loop.run_until_complete(self._serve())
        self.port = self.server.sockets[0].getsockname()[1]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def _serve(self) -> Any:
        async def hold(wire: Any) -> None:
            self.wires.add(wire)
            await wire.wait_closed()
            self.wires.discard(wire)

        return await websockets.serve(hold, "127.0.0.1", 0, compression=None)

    def publish(self, data: bytes) -> None:
        asyncio.run_coroutine_threadsafe(self._send(data.decode()), self.loop)

    async def _send(self, text: str) -> None:
        websockets.broadcast(self.wires, text)


def asked(port: int) -> float:
    """Milliseconds that a page takes."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/", headers={"Cookie": f"{cookie_name(port, TOKEN)}={TOKEN}"})
    assert connection.getresponse().read()
    connection.close()
    return (time.perf_counter() - begun) * 1000


def connections(port: int) -> list[socket.socket]:
    """Many that say nothing, and some that say little."""
    wires = []
    for _ in range(IDLE + SLOW):
        with contextlib.suppress(OSError):
            wires.append(socket.create_connection(("127.0.0.1", port)))
    for wire in wires[IDLE:]:
        with contextlib.suppress(OSError):
            wire.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
    return wires


def silent(port: int) -> tuple[float, int]:
    """What a page takes beside such connections, ms; how many of them are left."""
    wires = connections(port)
    took = percentile(sorted(asked(port) for _ in range(50)), 0.99)
    left = 0
    for wire in wires:
        wire.setblocking(False)
        try:
            left += bool(wire.recv(1))
        except BlockingIOError:
            left += 1
        except OSError:
            pass
        wire.close()
    return took, left


def reopened() -> float:
    """Seconds until a Pico that went away is back beside such connections, in a daemon that may
    open no more files than systemd lets it."""
    own = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, own[1]))
    with running() as board, board.page() as host:
        resource.setrlimit(resource.RLIMIT_NOFILE, own)
        host.ready()
        wires = connections(board.port)
        for firmware in board.children():
            os.kill(firmware, signal.SIGKILL)
        gone = time.perf_counter()
        for up in (False, True):
            host.until(lambda s, up=up: any(it["up"] is up for it in s["links"]))  # type: ignore[misc]
        back = time.perf_counter() - gone
        for wire in wires:
            wire.close()
    return back


def main() -> None:
    phones = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    states = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    server = Server(0, Keys(TOKEN), lambda request: True)
    server.start()
    bare = Bare()
    alone = fan_out(bare.port, phones, states, bare.publish)
    ours = fan_out(server.port, phones, states, lambda data: server.publish("state", data))
    page, left = silent(server.port)
    server.close()
    for name, (p50, p99, heard, computed) in (
        ("websockets' loop", alone),
        ("hexboard's page", ours),
    ):
        took = f"p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  computed {computed:5.1f} ms"
        print(f"{name:17} {took}  {heard} of {phones * states} heard")
    print(f"a page beside {IDLE} silent and {SLOW} slow connections: p99 {page:.1f} ms;", end=" ")
    print(f"{left} of them left")
    back = reopened()
    print(f"a Pico that went away is back after {back:.2f} s; reference loop {reference():.1f} ms")
    for k, what in enumerate(("p50", "p99")):
        measured(f"a state at {phones} phones, {what}, ms", ours[k], "websockets' loop", alone[k])
    measured("p99 beyond that loop's, ms", ours[1] - alone[1], most=BEYOND_MS)
    measured("states not heard", phones * states - ours[2], most=0)
    measured(f"a page beside {IDLE + SLOW} idle connections, p99, ms", page, most=PAGE_MS)
    measured("a Pico that went away is back after, s", back, most=BACK_S)
    good = ours[1] - alone[1] < BEYOND_MS and page < PAGE_MS and left <= WAITING and back < BACK_S
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
