"""Codes: what is printed on units and tiles so that a camera can tell them apart.

A unit's base has a ring of 16 dark or light sectors, which reads the same however it is turned: any
two kinds differ in 6 sectors or more in every turn. A tile has 4 x 4 dark or light fields in one
corner, in which any two tiles differ in 5 or more; which corner it is tells how the tile lies. They
have no black frame, so that no search for a board's markers finds them.
"""

from collections.abc import Iterable
from functools import cache

from hexboard.words.errors import BadText

SECTORS = 16
RINGS = (
    *("0000000001111111", "0000011110000111", "0001111101111011"),
    *("0001000100010011", "0011011111011101", "0001010011100011"),
)
"""Of the six kinds of units: 1 is light. Counter-clockwise."""
FIELDS = 4
"""A tile's marker has so many fields a side."""
APART = 5


def numbers(tiles: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The numbers of tiles that are played together. Raises `BadText` where two have the same."""
    found: dict[int, str] = {}
    for tile, number in dict.fromkeys(tiles):
        other = found.setdefault(number, tile)
        if other != tile:
            raise BadText("vision.same_marker", one=other, other=tile)
    return {tile: number for number, tile in found.items()}


def word(number: int) -> tuple[bool, ...]:
    """A tile's marker: 16 fields row by row from the upper left, printed edge 1 above; True is
    light."""
    value = words()[number]
    return tuple(bool(value >> (15 - k) & 1) for k in range(FIELDS * FIELDS))


@cache
def words() -> tuple[int, ...]:
    """All `TILE_MARKERS`: the first numbers of 16 bits, neither dark nor light, that lie far enough
    apart from all before."""
    ones = [value.bit_count() for value in range(1 << 16)]
    free = bytearray(6 <= count <= 10 for count in ones)
    near = [value for value, count in enumerate(ones) if count < APART]
    chosen: list[int] = []
    while (value := free.find(1)) >= 0:
        chosen.append(value)
        for other in near:
            free[value ^ other] = 0
    return tuple(chosen)
