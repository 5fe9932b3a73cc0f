"""Probe: speak to the board's microcontroller for a moment, without a daemon.

For `hexboard firmware info` and `test`: who is on the port, what it sees, and whether its strip
lights. Like `link.Link` it uses `link.Session`, but it belongs to the caller's thread and ends.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct

from hexboard.devices import ports, session
from hexboard.devices.link import UNLIT, reason, silence, version
from hexboard.words import Said, message
from hexboard.words.errors import HexboardError

PATIENCE_S = 2.0
"""Seconds in which a board must have answered."""


class NoBoardError(HexboardError):
    """No board of ours is there; the sentence says what is instead and what to do."""


class NoPortError(NoBoardError):
    """Not even a port is there, or it cannot be used."""


class BoardInfo(Struct):
    """What a board has said of itself."""

    port: str
    firmware: str = ""
    build: str = ""
    """Of which files it is, and for which wiring."""
    ended: str = ""
    """Why its program had ended before this start."""
    inputs: int = 0
    pixels: int = 0
    chain: bool = True
    """The sensor chain answers to its end."""
    high: tuple[int, ...] = ()
    """The inputs that are active."""
    edges: int = 0
    lost: int = 0
    round_trip_us: int | None = None
    bad_here: int = 0
    bad_there: int = 0
    look_us: int | None = None
    """How often it looks at its inputs: every so many microseconds."""
    longest_us: int = 0
    """The longest that it did not look since it started."""


class Probe:
    """A board that has answered. Make it with `probing`."""

    def __init__(self, serial: Any, port: str) -> None:
        self._serial = serial
        self._session = session.Session()
        self.seen = BoardInfo(port)
        self._before: int | None = None  # damaged frames that the board had counted till then

    def meet(self) -> None:
        """Say hello until the board has told everything. Raises `NoBoardError`."""
        end = time.monotonic() + PATIENCE_S
        told = False
        while not told:
            told = any(isinstance(message, session.Image) for message in self.turn())
            if not told and time.monotonic() > end:
                self._session.reread()
                raise NoBoardError(
                    "firmware.absent", why=sentence(silence(self.seen.port, self._session))
                )

    def turn(self) -> list[session.InputChange | session.Image]:
        """Read and write once (20 ms at most); what changed. Raises `NoBoardError`."""
        with _in_words(self.seen.port):
            data = self._serial.read(self._serial.in_waiting or 1)
            now = time.monotonic_ns()
            messages = list(self._session.receive(data, now))
            self._serial.write(self._session.send(now))
        for heard in messages:
            self._note(heard, now)
        self._count()
        return [
            message
            for message in messages
            if isinstance(message, session.InputChange | session.Image)
        ]

    def _count(self) -> None:
        """Damaged frames since it was met: what the board had counted before may be years old."""
        there = self._session.bad_there
        if there is not None:
            self._before = there if self._before is None else self._before
            self.seen.bad_there = (there - self._before) % (1 << 32)
        self.seen.bad_here = self._session.bad

    def _note(self, message: Any, now: int) -> None:
        seen = self.seen
        match message:
            case session.Met():
                seen.firmware, seen.build = message.firmware, message.build
                seen.ended, seen.inputs = message.ended, message.inputs
                seen.pixels = message.pixels
            case session.Stranger():
                raise NoBoardError(
                    "firmware.absent", why=sentence(version(seen.port, message.protocol))
                )
            case session.Image():
                seen.chain = not message.wrong
                seen.high = tuple(
                    i for i, level in enumerate(session.bits(message.levels)) if level
                )
            case session.InputChange():
                seen.edges += 1
            case session.Dropped():
                seen.lost += message.count
            case session.Echo():
                trip = (now - message.sent) // 1000
                seen.round_trip_us = min(seen.round_trip_us or trip, trip)
            case session.DeviceLooks():
                seen.look_us = message.span // max(1, message.count)
                seen.longest_us = message.worst

    def limit(self, limits: bytes) -> None:
        """What each rail may give (`open.limits`); said before the first lights."""
        self._session.limit(limits)

    def light(self, frame: bytes) -> None:
        """Show this, 8 bytes a pixel."""
        self._session.light(frame)

    @property
    def unlit(self) -> str:
        """Why it stays dark; "" where it does not."""
        return UNLIT.format(port=self.seen.port) if self._session.withheld else ""

    def stop(self) -> None:
        """Ask the firmware to end, so that MicroPython's prompt is there for an installer."""
        with _in_words(self.seen.port):
            self._serial.write(session.wrap(session.STOP, 0, 0))
        with suppress(Exception):  # one that has heard it may be gone before the line is empty
            self._serial.flush()
        time.sleep(0.3)


@contextmanager
def probing(wanted: str) -> Iterator[Probe]:
    """A board that has answered, on the port that `wanted` means (see `ports.port`).

    Raises `NoPortError`, or `NoBoardError` when there is none, or another; the latter also when it
    goes meanwhile.
    """
    with _opened(wanted) as probe:
        probe.meet()
        yield probe


def stop(wanted: str) -> None:
    """Ask the firmware there to end, whoever it is: one of another protocol heeds that, too.

    Raises `NoPortError`; `NoBoardError` when it goes meanwhile.
    """
    with _opened(wanted) as probe:
        with suppress(NoBoardError):
            probe.meet()
        probe.stop()


@contextmanager
def _opened(wanted: str) -> Iterator[Probe]:
    import serial

    port = ports.port(wanted) or wanted
    with _in_words(port, NoPortError):
        if not ports.is_port(port):
            raise FileNotFoundError(port)
        opened = serial.Serial(port, 115200, timeout=0.02, write_timeout=0.5, exclusive=True)
    with opened:
        yield Probe(opened, port)


@contextmanager
def _in_words(port: str, kind: type[NoBoardError] = NoBoardError) -> Iterator[None]:
    """What goes wrong with a port, as a sentence."""
    try:
        yield
    except Exception as error:  # besides its own, pyserial lets termios.error out
        raise kind("firmware.absent", why=sentence(reason(port, error))) from None


def sentence(why: str) -> Said:
    """A reason as `link` words it, with its end."""
    return why if why.endswith("?") else message("firmware.reason", why=why)
