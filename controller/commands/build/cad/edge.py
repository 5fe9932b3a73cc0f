"""The edge: a plate all round that bears the printed border with the markers, level with the datum.

The border is that of the mat (`hexboard sheet BOARD`), cut out of it and glued on. The plate is
screwed onto ramps and end zones, and onto struts that hang on the frame where neither is. Between
it and the sills balls fall through that leave the board.
"""

import math
from collections.abc import Iterator

from hexboard.appearance import BAND_MM
from hexboard.board.board import Zone
from hexboard.board.paper import Box
from hexboard.commands.build.cad.beams import OUT_MM
from hexboard.commands.build.cad.frame import APART_MM, TIE_HIGH_MM, bow_tie, tie
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import (
    Carved,
    Point,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Stand,
)
from hexboard.vision.marks.markers import paper, playing

PAPER_MM = 0.2
"""The glued border."""
PLATE_MM = 5.0
INSERT_MM, INSERT_DEEP_MM = 2.0, 4.0
"""The bore of an insert of M3, from below: radius, depth."""
IN_MM = 6.0
"""How far in from the plate's inner side its screws are."""
LUG_MM = 6.0
"""Half the width of what reaches under the plate, and how far round its screw."""
SCREW_MM = 1.7
STRUT_MM = (4.5, 5.0)
"""Half a strut's width, and its thickness."""
ASIDE_MM = 28.0
"""How far beside a ramp's middle it bears the plate."""


def under(found: Lengths) -> float:
    """The plate's underside."""
    return -PAPER_MM - PLATE_MM


def inner(found: Lengths) -> Box:
    """The plate's opening: the plain band about the cells is its own paper."""
    return playing(found.board).grown(BAND_MM)


def edges(found: Lengths) -> Iterator[PrintedPart]:
    """The plate in parts that fit the bed, what joins them, and its struts."""
    (xs, ys), ties = _borders(found), [*ties_at(found)]
    for column in range(len(xs) - 1):
        for row in range(len(ys) - 1):
            box = Box(xs[column], ys[row], xs[column + 1], ys[row + 1])
            if not _within(box, inner(found)):
                shape = _piece(found, box, ties)
                yield PrintedPart(f"edge-{column + 1}-{row + 1}", shape, about_x=180.0)
    yield bow_tie(len(ties), "edge-bow-tie")
    yield from _struts(found)


def _borders(found: Lengths) -> tuple[list[float], list[float]]:
    """Where the plate's parts meet, and its sides."""
    outer, (wide, high) = paper(found.board), found.plan.bed_mm
    return _divided(outer.left, outer.right, wide), _divided(outer.low, outer.high, high)


def _divided(low: float, high: float, most: float) -> list[float]:
    """Two equal parts, or as many as fit."""
    count = max(2, math.ceil((high - low) / (most - 0.5)))
    return [low + (high - low) * k / count for k in range(count + 1)]


def _within(box: Box, around: Box) -> bool:
    return (
        around.left <= box.left
        and box.right <= around.right
        and around.low <= box.low
        and box.high <= around.high
    )


def _piece(found: Lengths, box: Box, ties: list[Stand]) -> Carved:
    top, low = -PAPER_MM, under(found)
    plate = _block(box.grown(-APART_MM / 2), (low, top))
    cuts: list[Solid] = [_block(inner(found), (low - 1, top + 1))]
    high = low - 1, low + TIE_HIGH_MM + 0.2
    cuts += [Prism(tuple(tie(it, 0.0)), *high) for it in ties]
    cuts += [_insert(found, spot) for spot in spots(found)]
    return Carved((plate,), tuple(cuts))


def _block(box: Box, high: Point) -> Prism:
    points = (
        *((box.left, box.low), (box.right, box.low)),
        *((box.right, box.high), (box.left, box.high)),
    )
    return Prism(points, *high)


def ties_at(found: Lengths) -> Iterator[Stand]:
    """Where two parts meet: a bow tie a third and two thirds across the border."""
    hole, outer, (xs, ys) = inner(found), paper(found.board), _borders(found)
    for share in (0.3, 0.7):
        for x in xs[1:-1]:
            for near, far in ((outer.low, hole.low), (outer.high, hole.high)):
                yield Stand(x, near + (far - near) * share, 0.0)
        for y in ys[1:-1]:
            for near, far in ((outer.left, hole.left), (outer.right, hole.right)):
                yield Stand(near + (far - near) * share, y, 90.0)


def _insert(found: Lengths, spot: Point) -> Rod:
    low = under(found)
    return Rod((*spot, low - 1), (*spot, low + INSERT_DEEP_MM), INSERT_MM)


# ------------------------------------------------------------------------------- what bears it


def spots(found: Lengths) -> Iterator[Point]:
    """Where the plate's screws are."""
    for cell in dict.fromkeys(ramp.cell for ramp in found.board.ramps):
        yield from ramp_spots(found, cell)
    for zone in found.board.zones:
        yield zone_spot(found, zone)
    for stand in _bearing(found):
        yield stand.at(0.0, _meets(found, stand))


def ramp_spots(found: Lengths, cell: str) -> tuple[Point, ...]:
    """Those above a ramp."""
    x, y = found.board.cell[cell].x, inner(found).high + IN_MM
    return (x - ASIDE_MM, y), (x + ASIDE_MM, y)


def zone_spot(found: Lengths, zone: Zone) -> Point:
    """That below an end zone."""
    return found.board.zone_point(zone)[0], inner(found).low - IN_MM


def lug(found: Lengths, spot: Point, low: float) -> Prism:
    """What reaches from a ramp or an end zone under the plate."""
    x, y = spot
    inwards = LUG_MM + 2.5
    back, front = (-inwards, LUG_MM) if y > 0 else (-LUG_MM, inwards)
    box = Box(x - LUG_MM, y + back, x + LUG_MM, y + front)
    return _block(box, (low, under(found) - 0.05))


def hole(spot: Point, low: float) -> Rod:
    """Its screw's hole."""
    return Rod((*spot, low - 1), (*spot, 0.0), SCREW_MM)


def _bearing(found: Lengths) -> Iterator[Stand]:
    """The edges of slots on which struts hang: the uppermost and the lowest at each side."""
    exits = [found.stand(cell, at) for cell, at in found.board.exits]
    for side in (-1, 1):
        aside = [it for it in exits if side * (it.at(0, 1)[0] - it.x) > 0.5]
        aside = [it for it in aside if side * it.x > max(side * other.x for other in aside) - 1]
        if aside:
            yield max(aside, key=lambda it: it.y)
            yield min(aside, key=lambda it: it.y)


def _meets(found: Lengths, stand: Stand) -> float:
    """How far outside its edge a strut's screw in the plate is."""
    dx, box = stand.at(0, 1)[0] - stand.x, inner(found)
    to = box.right + IN_MM if dx > 0 else box.left - IN_MM
    return (to - stand.x) / dx


def _struts(found: Lengths) -> Iterator[PrintedPart]:
    """Struts of equal length are one part."""
    each = [*struts_at(found)]
    names = [name for name, *_ in each]
    for name in dict.fromkeys(names):
        shape = each[names.index(name)][2]
        yield PrintedPart(name, shape, names.count(name))


def struts_at(found: Lengths) -> Iterator[tuple[str, Stand, Carved]]:
    """Each strut, by its name, where it sits."""
    names = dict[float, str]()
    for stand in _bearing(found):
        length = round(_meets(found, stand), 2)
        name = names.setdefault(length, f"strut-{len(names) + 1}" if names else "strut")
        yield name, stand, _strut(found, stand, length)


def _strut(found: Lengths, stand: Stand, length: float) -> Carved:
    half, thick = STRUT_MM
    top = found.under - 0.05
    low, high = top - thick, under(found) - 0.05
    bar = stand.box((-half, half), (0.6, length + LUG_MM), (low, top))
    foot = stand.box((-half, half), (length - LUG_MM, length + LUG_MM), (low, high))
    holes = (stand.bore(0.0, out, (low - 1, 0.0), SCREW_MM) for out in (OUT_MM, length))
    return Carved((bar, foot), tuple(holes))
