"""End zones: trays below a slot, whose walls lead every ball to one place with a beam across it.

The beam looks up the board: its LED lies in the tray's lowest wall, its phototransistor in a pillar
under the sill of the middle throat. Beside that pillar balls of the other throats come in.
"""

import math
from collections.abc import Iterator

from hexboard.board.board import Zone
from hexboard.commands.build.cad import edge
from hexboard.commands.build.cad.beams import across, bed
from hexboard.commands.build.cad.hanging import TAB_HALF_MM, bracket, screw, tab, taken
from hexboard.commands.build.cad.lengths import LED_MM, Lengths
from hexboard.commands.build.cad.recipe import (
    Carved,
    Point,
    PrintedPart,
    Prism,
    Solid,
    Stand,
)
from hexboard.commands.build.module.beds import (
    BESIDE_MM,
    PILLAR_MM,
    SILL_MM,
    SLOPE_DEG,
    middle,
    zone_faces,
)

FLOOR_MM, WALL_MM = 2.2, 2.0
OVER_MM = 8.0
"""How high the tray's walls reach over the datum: a ball comes in at a metre in a second."""
BESIDE_BALL_MM = 8.9
"""How much wider than its slot the tray is inside, on each side."""
ASIDE_MM, WIDE_BELOW_MM = 5.6, 13.4
"""How much narrower it is above, and how far below the slot's middle it is wide: a ball that leaves
the slot beside it is led aside."""
BED_MM = (5.4, 2.6)
"""How long the bed of an LED is with its walls, and half its width."""


def zones(found: Lengths) -> Iterator[PrintedPart]:
    """Each end zone."""
    for zone in found.board.zones:
        yield PrintedPart(f"zone-{zone.id}", _zone(found, zone))


def _zone(found: Lengths, zone: Zone) -> Carved:
    here = found.board.cell[zone.cell]
    height = found.plan.beams.get("floor", -10.0)
    floor = height - found.plan.ball_mm / 2
    low = floor - FLOOR_MM
    others = [it for it in zone.edges if it != middle(zone)]
    block = Prism(_outline(found, zone, WALL_MM), low, OVER_MM)
    room = Prism(_outline(found, zone, 0.0), floor, OVER_MM + 1)
    body = Carved((block,), (room, *taken(found, (here.x, here.y))))
    adds: list[Solid] = [body, *_eye(found, zone, height, low), *_nose(found, zone, low)]
    for it in others:
        adds += [tab(found, zone.cell, it, low), _pillar(found, zone.cell, it, low)]
    adds.append(edge.lug(found, edge.zone_spot(found, zone), low))
    holes = [hole for it in others for hole in screw(found, zone.cell, it)]
    holes.append(edge.hole(edge.zone_spot(found, zone), low))
    return Carved(tuple(adds), (*holes, *_floor(found, zone, height, low - 1)))


def _outline(found: Lengths, zone: Zone, wall: float) -> tuple[Point, ...]:
    """The tray's room, or with its wall its outline: as wide as the throats, then down to where a
    ball touches both walls."""
    x, y = found.board.zone_point(zone)
    steep = math.radians(SLOPE_DEG)
    half = found.board.pitch / 3**0.5 + BESIDE_BALL_MM + wall
    end = y - (found.plan.ball_mm / 2 + wall) / math.cos(steep)
    side, top = end + half * math.tan(steep), found.board.cell[zone.cell].y
    top -= (SILL_MM + BESIDE_MM + 0.5) if wall else -1.0
    wide = found.board.cell[zone.cell].y - WIDE_BELOW_MM
    right = ((half - ASIDE_MM, top), (half, wide), (half, side))
    left = ((x - dx, y) for dx, y in reversed(right))
    return (*((x + dx, y) for dx, y in right), (x, end), *left)


def _pillar(found: Lengths, cell: str, at: int, low: float) -> Prism:
    """What carries a tab, from the tray's floor."""
    out = SILL_MM + BESIDE_MM, SILL_MM + BESIDE_MM + PILLAR_MM
    bounds = -TAB_HALF_MM, TAB_HALF_MM
    return found.stand(cell, at).box(bounds, out, (low, found.under - 0.05))


def _eye(found: Lengths, zone: Zone, height: float, low: float) -> Iterator[Solid]:
    """The pillar with the bed of the phototransistor, which reaches under the sill."""
    stand, half = found.stand(zone.cell, middle(zone)), BED_MM[1]
    root = SILL_MM + BESIDE_MM + PILLAR_MM
    near, top = root - BED_MM[0] - PILLAR_MM, found.under - 0.05
    under = height - LED_MM / 2 - 1.0
    yield stand.side(bracket(near, root, (under, top), low), (-half, half))
    yield stand.box((-half, half), (SILL_MM + BESIDE_MM, root), (low, top))


def _nose(found: Lengths, zone: Zone, low: float) -> Iterator[Prism]:
    """The wall about the LED, below where balls lie."""
    x, y = found.board.zone_point(zone)
    end = y + zone_faces(found.board, zone, found.plan.ball_mm)[0]
    stand, half = Stand(x, end, -90.0), BED_MM[1] + 2.0
    yield stand.box((-half, half), (0.0, BED_MM[0] + 1.0), (low, OVER_MM))


def _floor(found: Lengths, zone: Zone, height: float, low: float) -> Iterator[Solid]:
    """The beds of the beam over the tray's lowest place."""
    sensor = found.board.sensor.get(f"floor:{zone.id}")
    if sensor is None:
        return
    stand = across(sensor.x, sensor.y, 0.0)
    below, above = zone_faces(found.board, zone, found.plan.ball_mm)
    yield from bed(found, stand, height, below, (low, OVER_MM + 1))
    yield from bed(found, stand, height, above, (low, found.under + 1))
