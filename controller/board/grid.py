"""The grid: cells and edges of hexagons, and the named shapes that boards have.

Edges are 1..6 clockwise from the top (T.Edge): on a flat-topped grid 1 is north, on a grid with a
corner on top 1 is north-east.
"""

import re

from msgspec import Struct

CellId = str
Edge = int
"""1..6, clockwise from the top."""
Axial = tuple[int, int]
"""(q, r): q grows to the right, r downwards."""

EDGES: tuple[Edge, ...] = (1, 2, 3, 4, 5, 6)
FLAT_STEPS: tuple[Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
POINTY_STEPS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


def opposite(edge: Edge) -> Edge:
    """The edge across the cell, which is also the facing edge of the neighbour: 1-4, 2-5, 3-6."""
    return (edge + 2) % 6 + 1


def turned(edge: Edge, rotation: int) -> Edge:
    """Where the printed edge of a tile lies when it is turned `rotation` sixths clockwise."""
    return (edge - 1 + rotation) % 6 + 1


class Shape(Struct, frozen=True):
    """Cells by name on a grid that lies flat side up or corner up."""

    flat_top: bool
    cells: tuple[tuple[CellId, Axial], ...]


def columned(columns: tuple[int, ...]) -> Shape:
    """Columns A, B, … of flat-topped slots, each numbered from the top (digest 6.2)."""
    tallest = max(columns)
    cells = []
    for c, count in enumerate(columns):
        for k in range(count):
            half_rows = 2 * k + (tallest - count)
            cells.append((f"{chr(65 + c)}{k + 1}", (c, (half_rows - c) // 2)))
    return Shape(True, tuple(cells))


def hexhex(side: int) -> Shape:
    """A hexagon of cells: rows a, b, … from the bottom, numbered from the left."""
    cells = []
    for row in range(2 * side - 1):
        r = side - 1 - row
        first = max(-side + 1, -side + 1 - r)
        length = 2 * side - 1 - abs(r)
        cells += [(f"{chr(97 + row)}{i + 1}", (first + i, r)) for i in range(length)]
    return Shape(False, tuple(cells))


def rhombus(side: int) -> Shape:
    """A Hex board: letter column, number row, a1 the acute corner at the upper left."""
    cells = ((f"{chr(97 + q)}{r + 1}", (q, r)) for q in range(side) for r in range(side))
    return Shape(False, tuple(cells))


def disc(radius: int) -> Shape:
    """All cells within `radius` of the middle, named by their axial place: "0,0", "-1,2"."""
    span = range(-radius, radius + 1)
    cells = ((f"{q},{r}", (q, r)) for r in span for q in span if abs(q + r) <= radius)
    return Shape(False, tuple(cells))


def flowers(rows: tuple[tuple[Axial, int], ...]) -> Shape:
    """Seven-field flowers in rows (KDH, digest 2.2); field "3.0" is the middle of sector 3.

    Each row is its first centre and how many; the next centre is (2, 1) further.
    """
    centres = [(q + 2 * i, r + i) for (q, r), count in rows for i in range(count)]
    cells = []
    for k, (q, r) in enumerate(centres, 1):
        cells.append((f"{k}.0", (q, r)))
        cells += [(f"{k}.{e}", (q + dq, r + dr)) for e, (dq, dr) in enumerate(POINTY_STEPS, 1)]
    return Shape(False, tuple(cells))


_FLOWER_ROWS = (
    *(((0, 0), 4), ((-3, 2), 5), ((-4, 5), 4), ((-7, 7), 5)),
    *(((-8, 10), 4), ((-11, 12), 5), ((-12, 15), 4)),
)
SHAPES = ("hextraction-22", "hexhex-5", "rhombus-11", "flowers-31", "table")
"""The named shapes. `table` is 61 loose cells for card games; the number in `hexhex-5`
and `rhombus-11` is the side, and may be another one."""
SIDES = {"hexhex": (hexhex, range(2, 14)), "rhombus": (rhombus, range(2, 20))}


def shape(name: str) -> Shape | None:
    """The cells of a named shape; None if there is no such shape."""
    kind, _, side = name.partition("-")
    if kind in SIDES and re.fullmatch("[1-9][0-9]?", side):
        build, sides = SIDES[kind]
        return build(int(side)) if int(side) in sides else None
    match name:
        case "hextraction-22":
            return columned((4, 5, 4, 5, 4))
        case "flowers-31":
            return flowers(_FLOWER_ROWS)
        case "table":
            return disc(4)
    return None
