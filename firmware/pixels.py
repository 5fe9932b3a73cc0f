"""Pixels: the last lights frame, animated on the board's own clock.

A pixel is 8 bytes: colour A (r g b), colour B (r g b), pattern, phase. The pattern's low four bits:

    0  steady   A
    1  blink    A, then B; half a second each
    2  pulse    from A to B and back in 2 s
    3  count    n flashes of A (a quarter second each, two a second), then B for 1 s;
                n is the pattern's high four bits, and B shows between the flashes

`phase` starts the pattern that many 256ths of its period later on. What is done for each pixel is
machine code (viper). Runs under MicroPython and CPython.
"""

import sys
from array import array

from frame import copy
from scan import TICKS

if sys.implementation.name != "micropython":
    from cpython import const, micropython, ptr8, ptr32

INTERVAL = 34_000
"""Microseconds between two renderings of an animation: at most 30 a second."""

FRESH = 8_000
"""Microseconds after which something new need not wait for the animation's next moment."""

AGAIN = 1_000_000
"""Microseconds after which a strip is written though nothing changed: one that had lost its power
for a moment shows what it likes until then."""

SLICE = 50
"""Pixels rendered in one turn, so that scanning never waits for a whole strip."""

DARK = bytearray(8)
"""What every pixel shows while there is no host: nobody would see to what burns on."""

RUNS = const(32)
"""Runs of pixels on one rail that it can hold limits of."""

# What painting finds out.
CHANGED = const(1)  # a pixel is not as it was
MOVING = const(2)  # a pixel changes with time


@micropython.viper
def _paint(
    wire: ptr8, places: ptr8, size: int, frame: ptr8, step: int, start: int, end: int, ms: int
) -> int:
    """Render pixels `start` to `end`, which are `step` bytes apart in `frame`, at time `ms`.

    `places` says where in the `size` bytes of a light red, green and blue stand.
    """
    found = 0
    for pixel in range(start, end):
        at = pixel * step
        kind = int(frame[at + 6]) & 15
        share = 0  # how much of colour B shows: 0..256
        if kind == 1 or kind == 2 or kind == 3:
            found |= MOVING
            lit = 500 * (int(frame[at + 6]) >> 4)  # flashes of count
            period = 2000
            if kind == 1:
                period = 1000
            if kind == 3:
                period = lit + 1000
            t = (ms + (period * int(frame[at + 7]) >> 8)) % period
            if kind == 1 and t >= 500:
                share = 256
            if kind == 2:
                if t >= 1000:
                    t = 2000 - t
                share = (t << 8) // 1000
            if kind == 3 and (t >= lit or t % 500 >= 250):
                share = 256
        for colour in range(3):
            a = int(frame[at + colour])
            value = a + ((int(frame[at + colour + 3]) - a) * share >> 8)
            out = pixel * size + int(places[colour])
            if int(wire[out]) != value:
                wire[out] = value
                found |= CHANGED
    return found


@micropython.viper
def _bound(wire: ptr8, size: int, runs: ptr32, count: int, sums: ptr32):
    """Dim the lights of each rail that would have to give more than it may.

    A run is three numbers: the pixel after its last, its rail, and what all levels on that rail may
    come to together.
    """
    for rail in range(RUNS):
        sums[rail] = 0
    at = 0
    for i in range(count):
        rail = int(runs[3 * i + 1])
        total = int(sums[rail])
        end = int(runs[3 * i]) * size
        while at < end:
            total += int(wire[at])
            at += 1
        sums[rail] = total
    at = 0
    for i in range(count):
        total = int(sums[int(runs[3 * i + 1])])
        room = int(runs[3 * i + 2])
        end = int(runs[3 * i]) * size
        if total > room:
            while at < end:
                wire[at] = int(wire[at]) * room // total
                at += 1
        at = end


class Pixels:
    """`count` pixels; `wire` holds their bytes as the strip wants them: `order` is "GRB", "RGBW", …

    A fourth byte stays 0: the host sends three colours and reckons their current.
    """

    def __init__(self, count, order="GRB"):
        self.count = count
        self.wire = bytearray(len(order) * count)
        self.shown = 0  # the number of the lights frame on the wire; 0 is the dark
        self._size = len(order)
        self._places = bytes(order.index(colour) for colour in "RGB")
        self._frame = bytearray(8 * count)
        self._dark = bytes(8 * count)
        self._runs = array("I", bytes(12 * RUNS))
        self._sums = array("I", bytes(4 * RUNS))
        self._limits = 0  # how many runs there are
        self.limited = False
        """The host has said what each rail may give."""
        self._number = 0
        self._idle = True
        self._due = True  # something new is to be rendered
        self._moving = False  # some pixel changes with time
        self._changed = (
            True  # this rendering differs from what the strip shows: at first, who knows
        )
        self._at = count  # the next pixel to render; `count` between renderings
        self._ms = 0  # the animation clock, and the one that this rendering shows
        self._moment = 0
        self._us = 0
        self._ticks = 0
        self._started = -INTERVAL & TICKS
        self._written = 0  # when the strip was

    def take(self, frame, start, end, number):
        """A new lights frame, 8 bytes a pixel; pixels that it does not reach go dark."""
        mine = self._frame
        size = min(end - start, len(mine))
        copy(mine, 0, frame, start, size)
        copy(mine, size, self._dark, 0, len(mine) - size)
        self._number = number
        self._again()

    def change(self, frame, start, end, number):
        """A lights frame that differs from the one before in runs of pixels (docs/link.md). False,
        and nothing is taken, where that one is not here or they make no sense."""
        at = start
        while at + 4 <= end:
            first, count = frame[at] | frame[at + 1] << 8, frame[at + 2] | frame[at + 3] << 8
            if first + count > self.count:
                return False
            at += 4 + 8 * count
        if at != end or not self._number:
            return False
        at = start
        while at < end:
            first, size = frame[at] | frame[at + 1] << 8, 8 * (frame[at + 2] | frame[at + 3] << 8)
            copy(self._frame, 8 * first, frame, at + 4, size)
            at += 4 + size
        self._number = number
        self._again()
        return True

    def limit(self, frame, start, end):
        """What each rail may give: 8 bytes a run of pixels (docs/link.md). Of what makes no sense
        nothing is held."""
        self.limited = False
        count = (end - start) // 8
        last = 0
        if count > RUNS or (end - start) % 8:
            return
        for i in range(count):
            at = start + 8 * i
            until = min(frame[at] | frame[at + 1] << 8, self.count)
            rail = frame[at + 2]
            if until < last or rail >= RUNS:
                return
            last = until
            self._runs[3 * i] = until
            self._runs[3 * i + 1] = rail
            self._runs[3 * i + 2] = frame[at + 4] | frame[at + 5] << 8 | frame[at + 6] << 16
        self._limits = count
        self.limited = True
        self._again()

    def restart(self):
        """A new host: dark until it sends lights."""
        self.limited = False
        self._number = self.shown = 0
        self._again()

    def turn(self, ticks, present, free=True):
        """Render the next slice; True when `wire` is complete and has changed, or was not written
        for a second: write it out.

        While the strip is not `free` to take it, the last slice waits.
        """
        self._advance(ticks)
        idle = self._number == 0 or not present
        if idle != self._idle:
            self._idle = idle
            self._again()
        if self._at == self.count:
            waited = (ticks - self._started) & TICKS
            if (ticks - self._written) & TICKS >= AGAIN:
                self._changed = True  # as far as anybody knows
                self._due = self._due or not self._moving
            if not ((self._due and waited >= FRESH) or (self._moving and waited >= INTERVAL)):
                return False
            self._started = ticks
            self._moment = self._ms
            self._at = 0
            self._due = self._moving = False
        end = min(self._at + SLICE, self.count)
        if end == self.count and not free:
            return False
        self._render(self._at, end)
        self._at = end
        if end < self.count:
            return False
        if self.limited:
            _bound(self.wire, self._size, self._runs, self._limits, self._sums)
        self.shown = 0 if self._idle else self._number
        if not self._changed:
            return False
        self._changed = False
        self._written = ticks
        return True

    @property
    def busy(self):
        """A rendering is half done: take the next turn at once."""
        return self._at < self.count

    def _again(self):
        self._due = True
        self._at = self.count  # what was half rendered is old already

    def _advance(self, ticks):
        self._us += (ticks - self._ticks) & TICKS
        self._ticks = ticks
        self._ms = (self._ms + self._us // 1000) & TICKS
        self._us %= 1000

    def _render(self, start, end):
        frame, step = self._frame, 8
        if self._idle:
            frame, step = DARK, 0
        found = _paint(self.wire, self._places, self._size, frame, step, start, end, self._moment)
        if found & CHANGED:
            self._changed = True
        if found & MOVING:
            self._moving = True
