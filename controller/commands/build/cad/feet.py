"""Feet: columns under the frame's sill, cut off along the table, so that the board is tilted."""

import math
from collections.abc import Iterator

from hexboard.commands.build.cad.beams import OUT_MM
from hexboard.commands.build.cad.hanging import screw
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import Carved, Point, PrintedPart, Prism, Stand
from hexboard.commands.build.module.beds import SILL_MM

UNDER_MM = 22.0
"""Between the deepest part of the board and the table, at the lower feet: plugs and cables."""
COLUMN_MM = (3.6, 20.0)
"""Where a column stands, outside of its slot: clear of the slot's circuit board."""
WIDE_MM = (3.0, 11.0)
"""How far a column reaches along its edge, towards the board's middle and away from it: an end zone
may be beside."""
ROOF = 1.7
"""How steep its top is outside of the sill: no ball lies on it."""
LEGS_MM, LEGS_DEEP_MM = 4.4, 5.5
"""From where along its edge on, and how deep, a foot leaves room for a beam's legs that go from the
sill to their socket."""
INSERT_MM, INSERT_DEEP_MM = 2.0, 12.0
"""A bore for an insert of M3 in its foot, with a screw that levels the board."""


def feet(found: Lengths) -> Iterator[PrintedPart]:
    """Two below and two above; as many as the board has edges for, which look straight down or
    up, and over which a ball leaves."""
    lower, upper = _outer(found, 4), _outer(found, 1)
    if not lower:
        return
    lowest = min(found.stand(cell, 4).y for cell in lower)
    for where, edge, cells in (("lower", 4, lower), ("upper", 1, upper)):
        for side, cell in zip(("left", "right"), cells, strict=False):
            shape = _foot(found, cell, edge, lowest)
            yield PrintedPart(f"foot-{where}-{side}", shape, about_x=180.0)


def _outer(found: Lengths, edge: int) -> list[str]:
    """The first and the last slot with such an edge, from the left."""
    cells = sorted((found.board.cell[cell].x, cell) for cell, at in found.board.exits if at == edge)
    return [cells[0][1], cells[-1][1]] if len(cells) > 1 else [it for _, it in cells]


def table(found: Lengths, y: float, lowest: float) -> float:
    """How high the table lies under a place of the board, over the board's datum."""
    low = found.stack.bottom - UNDER_MM
    return low - (y - lowest) * math.tan(math.radians(found.plan.tilt_deg))


def _foot(found: Lengths, cell: str, edge: int, lowest: float) -> Carved:
    stand, top = found.stand(cell, edge), found.under - 0.05
    near, far = COLUMN_MM
    ends = [table(found, stand.at(0.0, out)[1], lowest) for out in (near, far)]
    roof = top - (far - SILL_MM) * ROOF
    outline = ((near, ends[0]), (far, ends[1]), (far, roof), (SILL_MM, top), (near, top))
    wide = _wide(stand)
    column = stand.side(outline, wide)
    plate = stand.box(wide, (OUT_MM - 2.4, near + 1), (top - 3.0, top))
    middle = (near + far) / 2
    end = table(found, stand.at(0.0, middle)[1], lowest)
    level = stand.bore(sum(wide) / 2, middle, (end - 20, end + INSERT_DEEP_MM), INSERT_MM)
    return Carved((column, plate), (level, _legs(stand, wide, top), *screw(found, cell, edge)))


def _legs(stand: Stand, wide: Point, top: float) -> Prism:
    """Where the legs of a beam's LED, or phototransistor, come down beside its screw."""
    bounds = (LEGS_MM, WIDE_MM[1] + 1.0)
    if wide[0] == -WIDE_MM[1]:
        bounds = (-bounds[1], -bounds[0])
    return stand.box(bounds, (-1.0, SILL_MM - 0.2), (top - LEGS_DEEP_MM, top + 1.0))


def _wide(stand: Stand) -> Point:
    """From where to where along its edge a column reaches."""
    inwards, away = WIDE_MM
    left_is_in = abs(stand.at(1.0, 0.0)[0]) < abs(stand.x)
    return (-away, inwards) if left_is_in else (-inwards, away)
