"""A start of the firmware: prints its first hello, in hexadecimal, and what is kept then.

Arguments: firmware folder, the file that outlives a start. Runs under MicroPython.
"""

import sys

sys.path.append(sys.argv[1])
sys.path.append(__file__.rsplit("/", 1)[0])

import kept  # type: ignore[import-not-found]
from fake_pins import FakePins  # type: ignore[import-not-found]
from main import Device  # type: ignore[import-not-found]

pins = FakePins(build=b"0badc0de")
pins.WHY = kept.begin(sys.argv[2], False)
Device(pins).turn()
print(bytes(pins.outbox).hex(), kept.read(sys.argv[2]))
