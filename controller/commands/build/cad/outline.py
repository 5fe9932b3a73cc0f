"""Outlines of several hexagons that lie side by side."""

import math
from collections.abc import Iterable, Sequence

from hexboard.commands.build.cad.recipe import Point

NEAR_MM = 1.0
"""Corners of two hexagons that lie nearer are one."""


def outline(hexagons: Iterable[Sequence[Point]]) -> tuple[Point, ...]:
    """The outline of hexagons that hang together, corners in the order of the hexagons' own.

    Raises `ValueError` where they are not one piece without a hole."""
    known = list[Point]()
    ways = dict[tuple[int, int], None]()  # in the order of the hexagons
    for corners in hexagons:
        ids = [_known(known, corner) for corner in corners]
        for a, b in zip(ids, (*ids[1:], ids[0]), strict=True):
            if (b, a) in ways:
                del ways[b, a]
            else:
                ways[a, b] = None
    after = dict(ways.keys())
    first = at = next(iter(after))
    found = list[Point]()
    while after:
        found.append(known[at])
        at = after.pop(at)
        if at == first:
            break
    if after:
        raise ValueError("more than one outline")
    return tuple(found)


def _known(known: list[Point], corner: Point) -> int:
    """Which corner this is; a new one is written down."""
    for k, other in enumerate(known):
        if math.dist(other, corner) < NEAR_MM:
            return k
    known.append(corner)
    return len(known) - 1


def inset(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """The outline moved inwards everywhere; its corners go with the clock."""
    found = []
    around = zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)
    for before, here, after in around:
        (ax, ay), (bx, by_) = _inwards(before, here), _inwards(here, after)
        share = by / (1 + ax * bx + ay * by_)
        found.append((here[0] + share * (ax + bx), here[1] + share * (ay + by_)))
    return tuple(found)


def _inwards(start: Point, end: Point) -> Point:
    """The direction to the right of a line."""
    long = math.dist(start, end)
    return (end[1] - start[1]) / long, (start[0] - end[0]) / long
