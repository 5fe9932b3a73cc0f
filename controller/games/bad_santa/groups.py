"""Groups of connected counters of one colour.

A group is kept as its *reach*: the cells it touches (its own cells among them where it has two or
more) and the sides it touches, in one number as `ground` numbers them. A list of reaches is never
changed once it is made.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from operator import getitem

Groups = list[int]
"""The reach of every group of one colour."""


def joined(groups: Groups, stones: int, cell: int, near: tuple[int, ...]) -> tuple[Groups, int]:
    """The groups once a counter stands on `cell`, and the reach of the group it is in.

    `stones` are the cells of the colour before.
    """
    reach = near[cell]
    if not reach & stones:
        return [*groups, reach], reach
    bit = 1 << cell
    apart = []
    for group in groups:
        if group & bit:
            reach |= group
        else:
            apart.append(group)
    apart.append(reach)
    return apart, reach


def grouped(stones: int, near: tuple[int, ...]) -> Groups:
    """The groups of all these counters."""
    groups: Groups = []
    there = 0
    for cell in cells_of(stones):
        groups, _ = joined(groups, there, cell, near)
        there |= 1 << cell
    return groups


def cells_of(cells: int) -> Iterator[int]:
    """The numbers of a set of cells, in order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def listed(cells: int, count: int) -> Sequence[int]:
    """The numbers of a set of cells, in order; as bytes where they fit in bytes."""
    if count > 256:
        return tuple(cells_of(cells))
    eights = cells.to_bytes((count + 7) // 8, "little")
    return b"".join(map(getitem, _tables(count), eights))


@cache
def _tables(count: int) -> tuple[tuple[bytes, ...], ...]:
    """For each eight of `count` cells: the cells of every set of them."""
    values = [tuple(bit for bit in range(8) if value >> bit & 1) for value in range(256)]
    firsts = range(0, count, 8)
    return tuple(tuple(bytes(first + b for b in bits) for bits in values) for first in firsts)
