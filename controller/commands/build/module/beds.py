"""Where beams sit in printed parts, mm: what these (`build.cad`) share with the circuit boards that
hang under them (`beside`)."""

import math

from hexboard.board import Board
from hexboard.board.board import Zone

FRONT_MM, BODY_MM, FLANGE_MM = 0.6, 3.1, 1.0
"""The wall in front of an LED, how long its body is, and how deep the room of its flange."""
LEADS_MM = FRONT_MM + BODY_MM + FLANGE_MM / 2
"""From the face of a post to the leads of the LED in it."""
POST_MM = (6.2, 11.5)
"""Where a post at the rim stands, from the edge's middle: clear of a ball of 10 mm by 1.2 mm."""
SILL_MM = 5.6
"""How far the rim's sill reaches out; beams at the rim stand on it."""
BESIDE_MM = 0.25
"""Between a sill and what hangs beside it."""
PILLAR_MM = 1.6
"""How thick the pillars are that carry an end zone's tabs and phototransistor."""
HANGS_MM = 3.3
"""Between a ramp, or end zone, and the circuit board under it: a socket and 0.3 mm."""
SLOPE_DEG = 16.0
"""How steep an end zone's lowest walls lead to the middle, seen from above: between them and the
corners of the sills a ball of 10 mm has its way."""


def middle(zone: Zone) -> int:
    """The edge of the throat above the place where balls come to lie."""
    return zone.edges[len(zone.edges) // 2]


def zone_faces(board: Board, zone: Zone, ball_mm: float) -> tuple[float, float]:
    """How far above where a ball lies the faces before LED (below it) and phototransistor are."""
    x, y = board.zone_point(zone)
    out = math.dist((x, y), board.edge_point(zone.cell, middle(zone)))
    below = -ball_mm / 2 / math.cos(math.radians(SLOPE_DEG))
    return below, out - SILL_MM - BESIDE_MM - PILLAR_MM
