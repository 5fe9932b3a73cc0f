"""Shapes as they are described, without a kernel that can cut them: lengths in mm.

A part is a recipe: prisms, rods and cones, what is joined, what is cut away. `solids` makes solids
of it. So what a part looks like is plain data that is read, compared and measured without
build123d.
"""

import math
from collections.abc import Iterator

from msgspec import Struct

Point = tuple[float, float]
Spot = tuple[float, float, float]
Extent = tuple[Spot, Spot]
"""The lowest and the highest corner of the box around a shape."""


class Prism(Struct, frozen=True):
    """A polygon in the board's plane, from one height to another."""

    points: tuple[Point, ...]
    low: float
    high: float


class Rod(Struct, frozen=True):
    """A round bar from one point to another, with flat ends."""

    start: Spot
    end: Spot
    radius: float


class Cone(Struct, frozen=True):
    """A cone that stands upright, cut off at both ends: its radius below, and above."""

    x: float
    y: float
    low: float
    high: float
    below: float
    above: float


class Carved(Struct, frozen=True):
    """What is joined, less what is cut away."""

    adds: "tuple[Solid, ...]"
    cuts: "tuple[Solid, ...]" = ()


class MovedSolid(Struct, frozen=True):
    """A shape that is turned, in degrees, about the x axis and then about the z axis, and moved."""

    shape: "Solid"
    about_x: float = 0.0
    about_z: float = 0.0
    by: Spot = (0.0, 0.0, 0.0)

    def spot(self, it: Spot) -> Spot:
        """Where a point of the shape comes to lie."""
        x, (y, z) = it[0], turned((it[1], it[2]), self.about_x)
        x, y = turned((x, y), self.about_z)
        return x + self.by[0], y + self.by[1], z + self.by[2]


Solid = Prism | Rod | Cone | Carved | MovedSolid


class PrintedPart(Struct, frozen=True):
    """A part to print: where it sits in the board, how often, how it lies on the bed."""

    name: str
    shape: Solid
    count: int = 1
    about_x: float = 0.0
    """By how many degrees it is turned to lie on the bed."""

    @property
    def on_bed(self) -> Solid:
        return MovedSolid(self.shape, self.about_x)


def turned(point: Point, degrees: float) -> Point:
    """A point turned about the middle, against the clock."""
    (x, y), angle = point, math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return x * cos - y * sin, x * sin + y * cos


def hexagon(middle: Point, across: float, flat_top: bool = True) -> tuple[Point, ...]:
    """Six corners by the width from flat to flat."""
    size, first = across / math.sqrt(3), 0 if flat_top else 30
    around = (turned((size, 0.0), first + 60 * k) for k in range(6))
    return tuple((middle[0] + x, middle[1] + y) for x, y in around)


class Stand(Struct, frozen=True):
    """A place of its own on the board: its middle, and the direction that counts as outwards."""

    x: float
    y: float
    degrees: float

    def at(self, along: float, out: float) -> Point:
        """So far along, to the left of who looks outwards, and so far out."""
        dx, dy = turned((out, along), self.degrees)
        return self.x + dx, self.y + dy

    def spot(self, along: float, out: float, z: float) -> Spot:
        return (*self.at(along, out), z)

    def box(self, along: Point, out: Point, high: Point) -> Prism:
        """A block between these bounds."""
        (a, b), (c, d) = along, out
        corners = tuple(self.at(u, v) for u, v in ((a, c), (b, c), (b, d), (a, d)))
        return Prism(corners, *high)

    def side(self, points: tuple[Point, ...], along: Point) -> MovedSolid:
        """A block whose outline is seen from the side, as points outwards and up."""
        flat = Prism(points, -along[1], -along[0])
        return MovedSolid(flat, 90.0, self.degrees, (self.x, self.y, 0.0))

    def rod(self, along: Point, out: float, z: float, radius: float) -> Rod:
        """A bar that lies along."""
        return Rod(self.spot(along[0], out, z), self.spot(along[1], out, z), radius)

    def bore(self, along: float, out: float, high: Point, radius: float) -> Rod:
        """An upright bar."""
        return Rod(self.spot(along, out, high[0]), self.spot(along, out, high[1]), radius)


def extent(shape: Solid) -> Extent:
    """The box around a shape, before anything is cut away."""
    xs, ys, zs = zip(*_spots(shape), strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def size(shape: Solid) -> Spot:
    """How long, deep and high that box is."""
    low, high = extent(shape)
    return high[0] - low[0], high[1] - low[1], high[2] - low[2]


def _spots(shape: Solid) -> Iterator[Spot]:
    """Points whose box is that of the shape."""
    match shape:
        case Prism(points, low, high):
            yield from ((x, y, z) for x, y in points for z in (low, high))
        case Rod(start, end, radius):
            yield from _ends(start, end, radius)
        case Cone(x, y, low, high, below, above):
            for z, r in ((low, below), (high, above)):
                yield from ((x + dx, y + dy, z) for dx in (-r, r) for dy in (-r, r))
        case Carved(adds):
            for it in adds:
                yield from _spots(it)
        case MovedSolid(it):
            yield from map(shape.spot, _spots(it))


def _ends(start: Spot, end: Spot, radius: float) -> Iterator[Spot]:
    """The corners of the boxes around a bar's two ends."""
    long = math.dist(start, end)
    x, y, z = (_beside((b - a) / long, radius) for a, b in zip(start, end, strict=True))
    for it in (start, end):
        for sign in (-1, 1):
            yield it[0] + sign * x, it[1] + sign * y, it[2] + sign * z


def _beside(share: float, radius: float) -> float:
    """How far a round end reaches along an axis, by the bar's share of it."""
    return radius * math.sqrt(max(0.0, 1 - share**2))
