"""Many lights at many moments: prints a digest of what the strip would get.

Argument: firmware folder. The same under MicroPython (machine code) and CPython.
"""

import sys

sys.path.append(sys.argv[1])

from frame import crc16  # type: ignore[import-not-found]
from pixels import Pixels  # type: ignore[import-not-found]

lights = bytearray(8 * 200)
chance = 1
for i in range(len(lights)):
    chance = (chance * 1103 + 12345) & 0xFFFF
    lights[i] = chance >> 7 & 255 if i & 7 != 6 else (chance >> 8 & 0xF0) | (i >> 3) % 5
for order in ("GRB", "RGBW"):
    pixels = Pixels(200, order)
    pixels.take(lights, 0, len(lights), 1)
    if (
        order == "RGBW"
    ):  # limits of two rails that take turns, the one bitten at times, the other never
        runs = bytes(
            (60, 0, 0, 0, 0, 70, 0, 0, 90, 0, 1, 0, 255, 255, 255, 0, 200, 0, 0, 0, 0, 70, 0, 0)
        )
        pixels.limit(runs, 0, len(runs))
        assert pixels.limited
    for now in range(0, 30_000_000, 7_777):
        if pixels.turn(now, now % 20_000_000 > 900_000):
            chance = (chance * 31 + crc16(pixels.wire, len(pixels.wire))) & 0xFFFF
    print(order, chance)
