"""Tiles to print: channels from the very nets that the referee reads, notches, the camera's marker.

A tile is a base in the slot and a wider body over it. Its channels are open above, with a round
bottom in steps as a printer makes them anyway. Beside each edge it has grooves in which the light
guides of a seam's beam can stand. Its underside is whole but for the notches: what sees it in a
slot looks at it from below. The dark fields of its marker stand over the top: print the tile light,
and change to black for the last layers.
"""

import math
from collections.abc import Iterator, Sequence

from hexboard.appearance import KIT, Blank
from hexboard.board import EDGES
from hexboard.board.building import RIB, SlotEntry
from hexboard.commands.build.cad.beams import beam_height_mm
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.pieces import PieceKinds
from hexboard.commands.build.cad.recipe import (
    Carved,
    Point,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Stand,
    hexagon,
    turned,
)
from hexboard.commands.build.module.placing import HALF_BEAM_MM, edge_angle

BASE_LOW_MM, TOP_MM = -5.0, 10.0
"""A tile's underside and upper side over the board's datum, measured on public tiles."""
CORNER_MM = 28.25
"""How far out its corners are cut off: 56.5 mm from corner to corner."""
CHANNEL_MM, FLOOR_MM = 5.5, 0.6
"""Half a channel's width, and how high its floor lies: the same."""
STEPS = 6
"""In so many steps its bottom is round."""
NOTCH_MM = (13.0, 5.0, 3.0)
"""A notch for the key: along its edge, inwards, and high."""
LOOSE_MM = 0.25
"""Between a light guide and its groove."""
MARK_MM = 0.6
"""How high the marker's dark fields stand."""
SPREAD_MM = 0.05
"""How much larger than a field its print is, all round: two that touch at a corner are one."""
FEWER = 3
"""Of a way's points every so many."""


def tiles(found: Lengths, wanted: PieceKinds) -> Iterator[PrintedPart]:
    """As many as two players want."""
    for blank, count in counted(wanted, len(found.board.cells)):
        yield PrintedPart(f"tile-{blank.id}", _tile(found, blank), count)


def counted(wanted: PieceKinds, cells: int) -> Iterator[tuple[Blank, int]]:
    """Each tile, and how many of it: of each kind as many as of the next, or one more."""
    blanks, total = wanted.blanks, cells + wanted.spare_tiles
    for k, blank in enumerate(blanks):
        yield blank, max(1, (total + len(blanks) - 1 - k) // len(blanks))


def magnets(wanted: PieceKinds, cells: int) -> int:
    """How many magnets those tiles take, for who feels them by Hall switches: one a notch."""
    return sum(count * len(blank.sockets) for blank, count in counted(wanted, cells))


def _tile(found: Lengths, blank: Blank) -> Carved:
    slot = found.slot
    height = beam_height_mm(found.plan, RIB) + slot.pocket_mm / 2 + LOOSE_MM
    base = Prism(hexagon((0.0, 0.0), slot.base_mm), BASE_LOW_MM, 0.5)
    body = Prism(tuple(_cornered(slot.tile_mm)), 0.0, TOP_MM)
    notches = (_notch(slot, edge) for edge in blank.sockets)
    grooves = (groove for edge in EDGES for groove in _grooves(slot, edge, height))
    cuts = (*_channels(blank), *notches, *grooves)
    return Carved((Carved((base, body), cuts), *_marker(blank.marker, slot.tile_mm)))


def _cornered(across: float) -> Iterator[Point]:
    """A hexagon whose corners are cut off."""
    aside = (across / math.sqrt(3) - CORNER_MM) * math.sqrt(3)
    for k in range(6):
        for side in (-aside, aside):
            yield turned((CORNER_MM, side), 60 * k)


def _stand(out: float, edge: float) -> Stand:
    """The middle of an edge so far from the tile's middle."""
    angle = edge_angle(edge)
    return Stand(*turned((out, 0.0), angle), angle)


def _notch(slot: SlotEntry, edge: int) -> Prism:
    wide, deep, high = NOTCH_MM
    bounds, out = (-wide / 2, wide / 2), (-deep, 3.0)
    return _stand(slot.base_mm / 2, edge).box(bounds, out, (BASE_LOW_MM - 1, BASE_LOW_MM + high))


def _grooves(slot: SlotEntry, edge: int, height: float) -> Iterator[Prism]:
    """Room for the light guides in the rib, and a way from them into the channel."""
    guide = slot.pocket_mm / 2 + LOOSE_MM
    for side in (-1, 1):
        ends = sorted(side * it for it in (CHANNEL_MM - 0.4, HALF_BEAM_MM + guide))
        bounds = ends[0], ends[1]
        yield _stand(slot.tile_mm / 2, edge).box(bounds, (-guide, 1.0), (-1.0, height))


def _channels(blank: Blank) -> Iterator[Solid]:
    """What a ball has as its way."""
    lines = [_bent([*way[:-1:FEWER], way[-1]]) for way in (*blank.ways, *blank.ends)]
    reach = blank.across / 2
    ways = [_longer(line, reach) for line in lines]
    meets = any(math.hypot(*way[-1]) < 1 for way in ways)
    for low, high, half in _layers():
        for way in ways:
            yield Prism(band(way, half), low, high)
        if meets:
            yield Rod((0.0, 0.0, low), (0.0, 0.0, high), half)


def _bent(way: list[Point]) -> list[Point]:
    """A way between two edges side by side goes round the corner between them, so that there is a
    wall beside a straight channel; not round the marker's, where it would take its place."""
    (ax, ay), (bx, by) = way[0], way[-1]
    reach, end = math.hypot(ax, ay), math.hypot(bx, by)
    apart = math.dist(way[0], way[-1])
    if not math.isclose(apart, reach, rel_tol=0.01) or not math.isclose(end, reach, rel_tol=0.01):
        return way
    x, y = (ax + bx) * 2 / 3, (ay + by) * 2 / 3
    if math.dist((x, y), turned((math.hypot(x, y), 0.0), 60.0)) < 1.0:
        return way
    start = math.atan2(ay - y, ax - x)
    turn = math.remainder(math.atan2(by - y, bx - x) - start, 2 * math.pi)
    angles = (start + turn * k / (len(way) - 1) for k in range(len(way)))
    return [(x + apart / 3**0.5 * math.cos(it), y + apart / 3**0.5 * math.sin(it)) for it in angles]


def _layers() -> Iterator[tuple[float, float, float]]:
    """From and to which height a channel has which half width."""
    axis = FLOOR_MM + CHANNEL_MM
    for k in range(STEPS):
        low, high = (FLOOR_MM + CHANNEL_MM * _share(it) for it in (k, k + 1))
        yield low, high + 0.01, math.sqrt(CHANNEL_MM**2 - (axis - high) ** 2)
    yield axis, TOP_MM + 1, CHANNEL_MM


def _share(step: int) -> float:
    """Finer below, where a round bottom is flat."""
    return (step / STEPS) ** 2


def _longer(way: Sequence[Point], reach: float) -> list[Point]:
    """A line that goes on a little over the edges where it begins and ends."""
    return [(x * 1.04, y * 1.04) if math.hypot(x, y) > reach - 0.1 else (x, y) for x, y in way]


def band(way: Sequence[Point], half: float) -> tuple[Point, ...]:
    """A strip on both sides of a line."""
    left, right = list[Point](), list[Point]()
    for k, (x, y) in enumerate(way):
        (ax, ay), (bx, by) = way[max(0, k - 1)], way[min(len(way) - 1, k + 1)]
        long = math.dist((ax, ay), (bx, by))
        dx, dy = -(by - ay) / long * half, (bx - ax) / long * half
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return (*left, *reversed(right))


def _marker(number: int, across: float) -> Iterator[Prism]:
    """The dark fields of a camera's marker, in the corner after printed edge 1."""
    from hexboard.vision.marks.codes import FIELDS, word

    x, y = turned((KIT.mark_at * across, 0.0), 60.0)
    step = KIT.mark_size * across / FIELDS
    for k, light in enumerate(word(number)):
        if not light:
            left = x - step * FIELDS / 2 + k % FIELDS * step
            high = y + step * FIELDS / 2 - k // FIELDS * step
            yield _field(left, high, step)


def _field(left: float, high: float, step: float) -> Prism:
    right, low = left + step + SPREAD_MM, high - step - SPREAD_MM
    left, high = left - SPREAD_MM, high + SPREAD_MM
    points = ((left, low), (right, low), (right, high), (left, high))
    return Prism(points, TOP_MM - 0.5, TOP_MM + MARK_MM)
