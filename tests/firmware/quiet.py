"""A device at work while MicroPython's heap is locked: any use of memory is a MemoryError.

Argument: firmware folder. Ticks stay below 2^30, where the small integers of an RP2040 end.
"""

import sys

import micropython

sys.path.append(sys.argv[1])

from main import ACK, HEADER, LIGHTS, PING, Device, Encoder  # type: ignore[import-not-found]

INPUTS, PIXELS = 152, 330
LAST = 0x3FFFFFFF
"""The last tick, and the last number that takes no memory on an RP2040."""


class Pins:
    """A board whose every function works without memory, too."""

    def __init__(self) -> None:
        self.INPUTS, self.PIXELS, self.ORDER = INPUTS, PIXELS, "GRBW"
        self.BUILD, self.WHY = b"", ""
        self.now = 0
        self.image = bytearray(INPUTS // 8)
        self.right = True
        self.heard = bytearray(3000)
        self.start = self.end = 0  # what of `heard` is still to be read
        self.written = 0
        self.frames = 0

    def ticks(self) -> int:
        return self.now

    def fresh(self) -> bytes:
        return b"\1\2\3\4"

    def look(self, image: bytearray) -> bool:
        for i in range(len(image)):
            image[i] = self.image[i]
        return self.right

    def read(self, buffer: bytearray) -> int:
        count = min(len(buffer), self.end - self.start)
        for i in range(count):
            buffer[i] = self.heard[self.start + i]
        self.start += count
        return count

    def write(self, buffer: bytearray, start: int, end: int) -> int:
        for i in range(start, end):
            self.frames += buffer[i] == 0
        self.written += end - start
        return end - start

    def idle(self) -> bool:
        return True

    def show(self, wire: bytearray) -> None:
        pass

    def stop(self) -> None:
        pass


pins = Pins()
device = Device(pins)
host = Encoder(HEADER + 8 * PIXELS)
host.body[0] = 16
host.body[HEADER] = 1


def hear(kind: int, number: int, length: int) -> None:
    """The host says this; `host.body` has the payload already."""
    host.body[0] = kind
    host.body[1], host.body[2] = number & 255, number >> 8
    host.body[3], host.body[4] = device.sent & 255, device.sent >> 8
    pins.start, pins.end = 0, host.seal(HEADER + length)
    for i in range(pins.end):
        pins.heard[i] = host.wire[i]


def turns(count: int, every: int = 1000) -> None:
    for _ in range(count):
        pins.now += every if pins.now < LAST - every else every - 1 - LAST
        device.turn()


def evening() -> None:
    """Everything that happens after the two have met."""
    turns(50)  # nothing happens but the time

    for i in range(100):  # single edges, acknowledged
        pins.image[i % 19] ^= 1 << (i & 7)
        turns(1)
        hear(ACK, 0, 0)
        turns(1)
    assert device.scan.first == 100

    for _ in range(10):  # all inputs at once: the ring fills, wraps and drops
        for i in range(19):
            pins.image[i] ^= 0xFF
        turns(3)
    assert device.scan.lost > 0
    turns(120)  # not acknowledged: sent again
    hear(ACK, 0, 0)
    turns(2)
    assert device.scan.first == device.scan.end

    pins.right = False
    turns(5)
    pins.right = True
    turns(5)

    for i in range(4):
        host.body[HEADER + i] = i
    hear(PING, 0, 4)
    turns(3)

    for pattern in range(4):
        for i in range(8 * PIXELS):
            host.body[HEADER + i] = i & 127 if i & 7 != 6 else pattern | 0x20
        hear(LIGHTS, 1 + pattern, 8 * PIXELS)
        turns(150)
        assert device.pixels.shown == 1 + pattern

    pins.now = LAST - 4999  # the tick wraps
    device.heard = device.scan.ticks = pins.now
    turns(10)
    pins.image[0] ^= 1
    turns(3)
    assert device.scan.wrap == 1
    pins.start, pins.end = 0, 200  # noise
    for i in range(200):
        pins.heard[i] = i * 9 & 255
    pins.heard[199] = 0
    turns(10)
    turns(2500)  # the host is gone: hellos
    assert not device.present


# A hello may take memory: it comes once.
host.body[HEADER + 1 : HEADER + 5] = b"\1\2\3\4"
hear(16, 0, 5)
turns(10)
assert device.present
micropython.heap_lock()  # type: ignore[attr-defined]
evening()
micropython.heap_unlock()  # type: ignore[attr-defined]
print("quiet", pins.frames > 100, device.decoder.bad > 0, device.scan.end)
