"""Pins of a real RP2040 board (Raspberry Pi Pico), and nothing but pins.

Which pin is what stands in wiring.py, how to wire it in hardware/wiring.md. Input i is D(i mod 8)
of 74HC165 i // 8, counted from the one whose QH goes to the Pico. A beam that is broken pulls its
input low; here and everywhere after, 1 means active.
"""

import os
import select
import sys
import time

import kept
import machine
import micropython
from build import build
from strip import Strip
from wiring import CLOCK, DATA, INPUTS, LATCH, ORDER, PIXELS, SPI, STRIP, UNUSED

_MASK = 0x3FFFFFFF
_TAIL = (INPUTS + 7) // 8
_WATCHDOG_MS = 2000

WHY = kept.begin(kept.FILE, machine.reset_cause() == machine.WDT_RESET)
"""Why the firmware ended before this start."""
BUILD = build()
"""Of which files this is."""
_dog = None

micropython.kbd_intr(-1)  # a 0x03 in a frame is not Ctrl-C

_latch = machine.Pin(LATCH, machine.Pin.OUT, value=1)
_spi = machine.SPI(
    SPI,
    baudrate=2_000_000,
    polarity=1,  # 74HC165s shift on the rising edge; sample before it
    phase=0,
    sck=machine.Pin(CLOCK),
    mosi=machine.Pin(UNUSED),
    miso=machine.Pin(DATA, machine.Pin.IN, machine.Pin.PULL_UP),  # no chain reads as ones
)
_strip = Strip(STRIP, len(ORDER) * PIXELS)
_raw = bytearray(_TAIL + 1)
_stdin, _stdout = sys.stdin.buffer, sys.stdout.buffer
_readable, _writable = select.poll(), select.poll()
_readable.register(_stdin, select.POLLIN)
_writable.register(_stdout, select.POLLOUT)
_one = bytearray(1)

idle = _strip.idle
show = _strip.show


def ticks():
    """Microseconds, 30 bits."""
    return time.ticks_us() & _MASK  # type: ignore[operator]  # a number like any other


def fresh():
    """Four random bytes, never all zero; none of them 0 or 3: a host that knows them greets a Pico
    that is starting, which heeds Ctrl-C still."""
    return bytes([4 + byte % 251 for byte in os.urandom(3)]) + b"\x01"


def look(image):
    """Latch all inputs at once and shift them into `image`; 1 is active.

    True when the byte after the last register is what its SER pin is wired to, ground. Else a cable
    is off, a pin wrong or the chain longer than INPUTS, and `image` is as it was.
    """
    _latch(0)
    _latch(1)
    _spi.readinto(_raw)
    if _raw[_TAIL]:
        return False
    _invert(_raw, image, _TAIL)  # type: ignore[arg-type]  # viper makes it a ptr8
    return True


@micropython.viper
def _invert(raw: ptr8, image: ptr8, count: int):  # noqa: F821
    for i in range(count):
        image[i] = raw[i] ^ 0xFF


@micropython.native
def read(buffer):
    """Bytes from the host that are there, one by one: a longer read would wait for all of them."""
    for count in range(len(buffer)):
        if not _ready(_readable) or not _stdin.readinto(_one):
            return count
        buffer[count] = _one[0]
    return len(buffer)


def write(buffer, start, end):
    """Write a little if the host takes any; return how many bytes it took. Where there is
    room for some of them only, MicroPython waits for more, up to three times 0.5 s."""
    if not _ready(_writable):
        return 0
    return _stdout.write(buffer, start, min(end - start, 64)) or 0


def wait(ms):
    """A real board never waits, and is never over."""
    return True


def guard():
    """From now on the board starts anew when `feed` is not called for 2 s. There is no way back: a
    watchdog of an RP2040 ends with a reset alone."""
    global _dog
    _dog = machine.WDT(timeout=_WATCHDOG_MS)


def feed():
    _dog.feed()  # type: ignore[union-attr]  # after `guard`


def fail(error):
    """Keep why, and start anew, which makes the lights dark."""
    kept.put(kept.FILE, kept.words(error))
    machine.reset()


def stop():
    """The firmware ends: the board starts anew without it (and its watchdog), at the prompt."""
    kept.put(kept.FILE, kept.STAY)
    machine.reset()


@micropython.native
def _ready(poll):
    for _ in poll.ipoll(0):
        return True
    return False
