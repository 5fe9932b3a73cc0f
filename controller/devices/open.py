"""Wires: what a board file says is connected, opened: the Pico, pins of the Pi's header, its strip.

Each device has its own thread and only posts reports; here is only which of them a board needs.
"""

import contextlib
import struct
import time
from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from hexboard.board import Board, Rail, Strip
from hexboard.facts import Report


class Wires:
    """The devices of one board. `light` shows a frame; `close` gives everything back. `build` is
    what its Pico should have (`installer.build`); "" to ask for none."""

    def __init__(
        self, board: Board, port: str, post: Callable[[Report], None], build: str = ""
    ) -> None:
        self._open = contextlib.ExitStack()
        self._show: Callable[[bytes], None] = lambda frame: None
        self.beat: Callable[[], float] = time.monotonic
        """When the link's thread last worked, monotonic s."""
        inputs = chain(board)
        pins = {s.input: s.id for s in board.sensors if s.source == "gpio"}
        lit = bool(board.pixels)
        if inputs or (lit and board.strip.source == "pico"):
            from hexboard.devices.link import Link

            pixels = len(board.along) if board.strip.source == "pico" else 0
            pico = Link(port, inputs, post, pixels=pixels, build=build, waits=waits(board))
            link = self._open.enter_context(pico)
            link.limit(limits(board) if pixels else b"")
            self._show = spread(board, link.light)
            self.beat = lambda: link.beat
        if pins:
            from hexboard.devices.gpio import Gpio

            self._open.enter_context(Gpio(pins, post))
        if lit and board.strip.source != "pico":
            from hexboard.devices.pixels import Pixels

            strip = self._open.enter_context(Pixels(len(board.along), board.strip, post))
            self._show = spread(board, strip.light)

    def light(self, frame: bytes) -> None:
        """Show this, 8 bytes a pixel of the board (docs/link.md). The newest frame wins."""
        self._show(frame)

    def close(self) -> None:
        self._open.close()


def spread(board: Board, show: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """What shows a frame of a board's pixels on its strip, whose lights of no cell stay dark."""
    if -1 not in board.along:
        return show

    def spreading(frame: bytes) -> None:
        looks = (frame[8 * k : 8 * k + 8] if k >= 0 else b"" for k in board.along)
        show(b"".join(look.ljust(8, b"\0") for look in looks))

    return spreading


RUNS = 32
"""Runs of pixels that a device holds limits of."""
_RUN = struct.Struct("<HBxI")


def limits(board: Board, lights: int = 0) -> bytes:
    """What the levels of each rail's pixels may come to together, as docs/link.md writes it. Where
    rails take turns too often for a device, all are one. A strip of more `lights` than the board's
    file knows has the others on its last rail; of a file without lights, on its first."""
    last = board.feeds[-1:] or ((0,) if board.rails else ())
    feeds = (*board.feeds, *last * (lights - len(board.feeds)))
    fed = Counter(feeds)
    rooms = {rail: _room(board.rails[rail], count) for rail, count in fed.items()}
    runs: list[tuple[int, int]] = []
    for k, rail in enumerate(feeds, 1):
        if runs and runs[-1][1] == rail:
            runs.pop()
        runs.append((k, rail))
    if len(runs) > RUNS or max(rooms, default=0) >= RUNS:
        rooms, runs = {0: sum(rooms.values())}, [(len(feeds), 0)]
    return b"".join(_RUN.pack(end, rail, min(rooms[rail], 0xFFFFFF)) for end, rail in runs)


def _room(rail: Rail, count: int) -> int:
    """What the levels of so many pixels may come to: the rail's current less what they idle at."""
    room_ua = max(0, 1000 * rail.limit_ma - count * rail.idle_ua)
    return 255 * room_ua // rail.channel_ua if rail.channel_ua else 0xFFFFFF


def chain(board: Board) -> list[str]:
    """The sensor of each of the Pico's inputs, "" where nothing is wired."""
    wired = {s.input: s.id for s in board.sensors if s.source == "pico"}
    return [wired.get(i, "") for i in range(max(wired, default=-1) + 1)]


WAIT_NS, LONGEST = 20_000, 255
"""What waits are counted in, and the longest that a device can be told."""


def waits(board: Board) -> bytes:
    """How long after edges the debouncer waits for watermarks, as docs/link.md writes it: for nine
    of ten rises, and for all that lasts no longer than a device can be told; b"" where nothing is
    so short, as on a board that has nothing but buttons."""
    ours = [sensor for sensor in board.sensors if sensor.source == "pico"]
    rises = sorted(it for sensor in ours if (it := _wait(sensor.min_high)) <= LONGEST)
    falls = [it for sensor in ours if (it := _wait(sensor.min_low)) <= LONGEST]
    if not rises:
        return b""
    return bytes((rises[9 * len(rises) // 10], max(rises + falls)))


def _wait(ns: int) -> int:
    """A little more than that, for two clocks differ; and never Ctrl-C to a Pico that starts."""
    return max(10, -(-101 * ns // (100 * WAIT_NS)))


def simulated(board: Board) -> Board:
    """The same board with every wire on the Pico, which is what a simulation can drive."""
    if board.strip.source == "pico" and all(s.source == "pico" for s in board.sensors):
        return board
    sensors = (replace(s, source="pico", input=i) for i, s in enumerate(board.sensors))
    return replace(board, sensors=tuple(sensors), strip=Strip())
