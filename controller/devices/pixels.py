"""Pixels: a strip of lights on the Raspberry Pi itself, on PWM (GPIO 18) or SPI (GPIO 10).

Two things, apart on purpose: `Animation` knows what the strip should show and what it shows (frames
and times in, colours out; no clock, no strip), `Pixels` is the thread that writes, through
Adafruit's neopixel and neopixel_spi.

    pixels = Pixels(61, board.strip, mailbox.post)
    pixels.light(frame)     # 8 bytes a pixel, as docs/link.md says; the newest wins
    pixels.close()          # dark again

The patterns are those of firmware/pixels.py, byte for byte. That file does not serve here itself:
it renders pixel by pixel, in slices between two looks at the sensors, in one order of colours; here
a pattern is worked out once for all pixels that look alike.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hexboard.board import Strip
from hexboard.devices.driver import Driver
from hexboard.facts import MS, Presence, Report
from hexboard.words import Message, message, say

Colour = tuple[int, int, int]
"""Red, green, blue."""

STEADY, BLINK, PULSE, COUNT = range(4)
INTERVAL_NS = 34 * MS
"""Between two writes of an animation: at most 30 a second."""
FRESH_NS = 8 * MS
"""After a write, something new waits so long."""
AGAIN_NS = 1000 * MS
"""What is steady is written again so often: a strip that lost its 5 V has forgotten it."""
BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
"""How many bytes SPI takes in one go; between two goes the strip would take it for the end."""


# What is to be seen


class Animation:
    """The newest frame on `count` pixels, moved by the clock. Times are board ns.

    A write is between `begin` and `end`; `light` may come at any time, also during a write.
    """

    def __init__(self, count: int) -> None:
        self.shown = 0
        """The number of the frame on the strip; frames count from 1."""
        self._count = count
        self._number = 0
        self._looks: list[bytes] = []
        self._moving = False
        self._due = False  # something new, or something not written
        self._began = -INTERVAL_NS
        self._wrote = 0  # when something was begun to be written
        self._writing: tuple[int, list[Colour]] = (0, [])
        self._strip: list[Colour] | None = None  # what is on it, where that is known

    def light(self, frame: bytes) -> None:
        """A new frame, 8 bytes a pixel; pixels that it does not reach go dark."""
        whole = frame.ljust(8 * self._count, b"\0")
        self._looks = [whole[i : i + 8] for i in range(0, 8 * self._count, 8)]
        self._moving = any(BLINK <= look[6] & 15 <= COUNT for look in set(self._looks))
        self._number += 1
        self._due = True

    def begin(self, now: int) -> list[Colour] | None:
        """The colours to write `now`; None where there is nothing to write (yet)."""
        if self.wait(now) != 0:
            return None
        self._began, self._due = now, False
        colours = self._colours(now // MS)
        if colours == self._strip and now - self._wrote < AGAIN_NS:
            self.shown = self._number
            return None
        self._writing, self._wrote = (self._number, colours), now
        return colours

    def end(self) -> None:
        """What was begun is on the strip."""
        self.shown, self._strip = self._writing

    def forget(self) -> None:
        """What is on the strip is not known (any more): write it whole."""
        self._strip = None
        self._due = bool(self._number)

    def wait(self, now: int) -> int | None:
        """How long until there may be something to write, ns; None: until the next frame."""
        if self._due:
            return max(0, self._began + FRESH_NS - now)
        if not self._number:
            return None
        return max(0, self._began + (INTERVAL_NS if self._moving else AGAIN_NS) - now)

    def _colours(self, ms: int) -> list[Colour]:
        alike = {look: colour(look, ms) for look in set(self._looks)}
        return [alike[look] for look in self._looks]


def colour(look: bytes, ms: int) -> Colour:
    """What a pixel of these 8 bytes shows at `ms`."""
    b = share_of_b(look[6], look[7], ms)
    red, green, blue = (look[i] + ((look[i + 3] - look[i]) * b >> 8) for i in range(3))
    return red, green, blue


def share_of_b(pattern: int, phase: int, ms: int) -> int:
    """How much of colour B shows: 0..256."""
    kind, flashes = pattern & 15, pattern >> 4
    if kind == STEADY or kind > COUNT:
        return 0
    period = {BLINK: 1000, PULSE: 2000, COUNT: 500 * flashes + 1000}[kind]
    t = (ms + period * phase // 256) % period
    if kind == PULSE:
        return (t if t < 1000 else 2000 - t) * 256 // 1000
    if kind == BLINK:
        return 0 if t < 500 else 256
    return 0 if t < 500 * flashes and t % 500 < 250 else 256


# The thread


class Pixels(Driver):
    """A strip of `count` lights on the Pi, as the source `source`: it posts `Presence(True)` when
    the strip could be written. The white diode of a four-colour light stays dark."""

    def __init__(
        self, count: int, strip: Strip, post: Callable[[Report], None], source: str = "pixels"
    ) -> None:
        super().__init__(source, post)
        self._count = count
        self._kind = strip
        self._animation = Animation(count)
        self._lock = threading.Lock()  # guards the animation
        self._news = threading.Event()
        self._thread.start()

    @property
    def shown(self) -> int:
        """How many frames had come when the one on the strip was the newest; 0 is none of ours."""
        return self._animation.shown

    def light(self, frame: bytes) -> None:
        """Show `frame`, 8 bytes a pixel (docs/link.md). Any thread; the newest frame wins."""
        if len(frame) % 8:
            raise ValueError(f"a lights frame is 8 bytes a pixel, not {len(frame)} bytes")
        with self._lock:
            self._animation.light(frame)
        self._news.set()

    def _wake(self) -> None:
        self._news.set()

    def _serve(self) -> None:
        lights = open_strip(self._kind, self._count)
        try:
            self._show(lights)
        finally:
            self._up = False
            with contextlib.suppress(Exception):  # it may be what failed
                lights.deinit()  # and darkens it

    def _reason(self, error: Exception) -> str:
        return say(reason(self._kind.source, error))

    def _show(self, lights: Any) -> None:
        """Write until we close or the strip fails."""
        white = len(self._kind.order) == 4  # else a library makes its own use of it, for greys
        lights.show()  # dark; says whether it can be written at all
        with self._lock:
            self._animation.forget()
        self._up, self._why = True, ""
        self._post(Report(self.source, time.monotonic_ns(), Presence(True)))
        while not self._closing.is_set():
            with self._lock:
                now = time.monotonic_ns()
                colours, wait = self._animation.begin(now), self._animation.wait(now)
            if colours is None:
                self._news.wait(None if wait is None else wait / 1e9)
                self._news.clear()  # before the next `begin`, which so sees what was new
                continue
            lights[:] = [(*it, 0) for it in colours] if white else colours
            lights.show()
            with self._lock:
                self._animation.end()


# The strip


class ShortBuffer(Exception):
    """SPI cannot take a whole strip in one go; it would need so many bytes."""


def open_strip(kind: Strip, count: int) -> Any:
    """Adafruit's object for the strip, dark and not yet written."""
    import board

    if kind.source == "spi":
        import neopixel_spi

        class Quick(neopixel_spi.NeoPixel_SPI):  # type: ignore[misc]
            """Looks up what Adafruit's works out bit by bit, holding up all other threads."""

            def _transmogrify(self, buffer: bytearray) -> None:
                self._spibuf[:] = b"".join([SIGNALS[colour] for colour in buffer])

        make_room(count * len(kind.order))
        return Quick(board.SPI(), count, auto_write=False, pixel_order=kind.order)
    import neopixel

    return neopixel.NeoPixel(board.D18, count, auto_write=False, pixel_order=kind.order)


SIGNALS = [bytes(0xF0 if c >> i & 1 else 0xC0 for i in range(7, -1, -1)) for c in range(256)]
"""What goes over SPI for a colour: a byte for a bit, high for a half of it (1) or a quarter (0)."""


def make_room(colours: int) -> None:
    """Have a strip sent in one go: 8 bytes a colour, and 80 µs of silence before and after."""
    need = 8 * colours + 2 * 64
    have = int(BUFFER.read_text()) if BUFFER.is_file() else 4096
    if need > have:
        raise ShortBuffer(need)
    os.environ["SPI_BUFSIZE"] = str(have)  # Adafruit_PureIO cuts at 4096 unless told


def reason(source: str, error: Exception) -> Message:
    """Why the strip on `source` cannot be written, for people."""
    text = str(error) or type(error).__name__
    if isinstance(error, ShortBuffer):
        return message("pixels.buffer", bytes=int(text))
    if isinstance(error, ModuleNotFoundError):
        return message("pixels.missing", module=error.name or "neopixel")
    if "was not found. To install" in text:
        return message("pixels.driver", command=text.splitlines()[0].rpartition("typing: ")[2])
    if isinstance(error, NotImplementedError | AttributeError):
        return message("pixels.no_pi")
    if isinstance(error, PermissionError) or "sudo" in text or "mmap" in text:
        return message(f"pixels.permission_{source}")
    if source == "spi" and ("does not exist" in text or "Make sure SPI is enabled" in text):
        return message("pixels.spi_off")
    return message("pixels.failed", why=text.splitlines()[0])
