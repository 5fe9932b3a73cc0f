"""Codes: what is printed on units and tiles so that a camera can tell them apart.

A unit's base has a ring of 16 dark or light sectors, which reads the same however it is turned: any
two kinds differ in 6 sectors or more in every turn. A tile has 4 x 4 dark or light fields in one
corner, in which any two tiles differ in 5 or more; which corner it is tells how the tile lies. They
have no black frame, so that no search for a board's markers finds them.
"""

from collections.abc import Iterable
from functools import cache
from zlib import crc32

import numpy as np

from controller.errors import BadText

SECTORS = 16
RINGS = (
    *("0000000001111111", "0000011110000111", "0001111101111011"),
    *("0001000100010011", "0011011111011101", "0001010011100011"),
)
"""ACV, tank, palooza, extractor, turret, factory: 1 is light. Counter-clockwise."""
FIELDS = 4
"""A tile's marker has so many fields a side."""
APART = 5
SHIPPED = (
    *("Asterisk", "DC", "DIC", "J", "Peace", "S", "X", "Z"),
    *("BlueFlag", "Crane", "LastWord", "NightShift", "Spark", "Tinder", "Toll"),
    *("AnTileKythera", "BackroomsEntrance", "BackroomsExit", "BlindBottom", "CartoonBomb"),
    *("Clone", "Contagion", "Countdown", "DCXLA", "DCXLB", "Detonate", "Flipper3", "Flipper6"),
    *("Gear", "HolographicTileframe", "KillSwitch", "LinearTrap", "Matrix", "Newton"),
    *("OpenFlipper", "Pachinko", "QuadTrap", "Rewind", "Seek", "TakeTheTilepill", "TeleportIn"),
    *("TeleportOut", "TileForTwoA", "TileForTwoB", "TileWithNothing", "Trap2", "Trap3", "Void"),
    *("XC", "Hush", "Tally"),
)
"""Tiles whose markers have numbers of their own, from 0. Printed markers live long: add at the end
only. A tile of one's own has the number that its id comes to."""
RESERVED = 64
"""Numbers kept for those."""


def number(tile: str) -> int:
    """The number of a tile's marker."""
    if tile in SHIPPED:
        return SHIPPED.index(tile)
    return RESERVED + crc32(tile.encode()) % (len(words()) - RESERVED)


def numbers(tiles: Iterable[str]) -> dict[str, int]:
    """The numbers of tiles that are played together. Raises `BadText` where two have the same."""
    found: dict[int, str] = {}
    for tile in dict.fromkeys(tiles):
        other = found.setdefault(number(tile), tile)
        if other != tile:
            raise BadText("vision.same_marker", one=other, other=tile)
    return {tile: number for number, tile in found.items()}


def word(tile: str) -> tuple[bool, ...]:
    """A tile's marker: 16 fields row by row from the upper left, printed edge 1 above; True is
    light."""
    value = words()[number(tile)]
    return tuple(bool(value >> (15 - k) & 1) for k in range(FIELDS * FIELDS))


@cache
def words() -> tuple[int, ...]:
    """All markers: the first numbers of 16 bits, neither dark nor light, that lie far enough apart
    from all before."""
    every = np.arange(1 << 16)
    ones = np.array([value.bit_count() for value in range(1 << 16)], np.uint8)
    free = (ones >= 6) & (ones <= 10)
    chosen: list[int] = []
    while free.any():
        chosen.append(int(free.argmax()))
        free &= ones[every ^ chosen[-1]] >= APART
    return tuple(chosen)
