"""Scan: what changed between two looks at the inputs, kept until the host has it.

An edge has a number (u16, counting up), an input, a level and a stamp: the 30-bit microsecond tick
of the look that saw it, and how often that tick had wrapped. The ring is also the resend buffer: an
edge stays until its number is acknowledged. When the ring is full a change is dropped and counted
in `lost`, never silently. Runs under MicroPython and CPython.
"""

from array import array

TICKS = 0x3FFFFFFF
"""The device's tick is 30 bits of microseconds; it wraps every 17.9 minutes."""


class Scan:
    """Looks at `inputs` inputs and keeps up to `room` edges (a power of two)."""

    def __init__(self, inputs, room=512):
        self.inputs = inputs
        self.image = bytearray((inputs + 7) // 8)
        self.ticks = 0
        self.wrap = 0
        self.lost = 0
        self.first = 0  # the number of the oldest edge kept
        self.end = 0  # the number the next edge will get
        self.mask = room - 1
        self.what = array("H", bytes(2 * room))  # input | level << 15
        self.when = array("I", bytes(4 * room))
        self.wraps = array("H", bytes(2 * room))
        self._looked = False

    def tick(self, ticks):
        """Time goes on: every later edge has this stamp or one after it."""
        if ticks < self.ticks:
            self.wrap = (self.wrap + 1) & 0xFFFF
        self.ticks = ticks

    def look(self, image):
        """Compare `image` (bit i is input i, lowest bit first), seen at the last tick, with the
        image before."""
        old = self.image
        if image == old:
            self._looked = True
            return
        for i in range(len(old)):
            changed = image[i] ^ old[i]
            if changed:
                old[i] = image[i]
                if self._looked:
                    self._note(i << 3, changed, image[i])
        self._looked = True

    def forget(self, number):
        """The host has every edge before `number`. A number that cannot be is ignored."""
        if (number - self.first) & 0xFFFF <= (self.end - self.first) & 0xFFFF:
            self.first = number

    def restart(self):
        """A new host: number from 0, forget the past."""
        self.first = self.end = self.lost = 0

    def _note(self, input, changed, levels):
        while changed:
            if changed & 1 and input < self.inputs:
                self._put(input | (levels & 1) << 15)
            changed >>= 1
            levels >>= 1
            input += 1

    def _put(self, what):
        if (self.end - self.first) & 0xFFFF > self.mask:
            self.lost += 1
            return
        at = self.end & self.mask
        self.what[at] = what
        self.when[at] = self.ticks
        self.wraps[at] = self.wrap
        self.end = (self.end + 1) & 0xFFFF
