"""A device under a megabyte of noise and a host that does not read: prints memory before and after.

Argument: firmware folder. Runs under MicroPython with a Pico's heap.
"""

import gc
import os
import sys

sys.path.append(sys.argv[1])
sys.path.append(__file__.rsplit("/", 1)[0])

from fake_pins import FakePins  # type: ignore[import-not-found]
from main import Device  # type: ignore[import-not-found]

pins = FakePins(152, 150)
device = Device(pins)
pins.room = 3


def used() -> int:
    gc.collect()
    return gc.mem_alloc()  # type: ignore[attr-defined,no-any-return]


def shout(zeros: bool) -> None:
    for _ in range(64):
        noise = os.urandom(1024)
        pins.inbox = bytearray(noise if zeros else noise.replace(b"\0", b"\1"))
        while pins.inbox:
            pins.now += 1000
            pins.image[0] ^= 1
            pins.outbox = bytearray()
            device.turn()
        pins.shown.clear()


shout(True)
before = used()
for repeat in range(16):
    shout(repeat % 2 == 0)
print(before, used(), device.scan.lost > 0, device.decoder.bad > 0)
