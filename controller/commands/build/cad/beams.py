"""The pockets of beams: in the ribs between slots, and in posts along the board's rim.

A beam has an LED on one side of a ball's way and a phototransistor on the other, alike in shape. In
a rib there is room for neither where tiles touch: there each lies under the rib, looks upwards, and
a light guide in a bore leads the light up. Where the gap between tiles has room for a post, the
post holds the guide up to the beam's height.
"""

import math
from collections.abc import Iterator

from hexboard.board.building import RIB, BuildEntry
from hexboard.commands.build.cad.lengths import LED_MM, LOOSE_MM, RIM_MM, Lengths
from hexboard.commands.build.cad.recipe import Point, Prism, Solid, Stand, turned
from hexboard.commands.build.module.beds import (
    BODY_MM,
    FLANGE_MM,
    FRONT_MM,
    HANGS_MM,
    POST_MM,
    SILL_MM,
)
from hexboard.commands.build.module.placing import HALF_BEAM_MM, LEG_IN_MM, SOCKET_HIGH_MM

OUT_MM = 3.0
"""How far outside its slot a beam at the rim lies: where the board file has its sensor."""
WIDER_MM = 0.45
"""How much wider than the body, all round, its flange's room is."""
OVER_MM = 1.6
"""How far a post rises over its beam."""
LEGS_MM = 1.75
"""Half the width of the way down for two legs of 0.5 mm, 2.54 mm apart."""
RECESS_MM = 2.4
"""How deep an LED that looks up into a rib lies in the frame."""
LANE_LOW_MM = 0.7
"""How high a lane's floor lies where it leads into a slot: a tile's channel is 0.1 mm lower."""
GUIDE_MM = (6.3, 9.4)
"""Where a post between two slots stands; its guide looks out at its front."""


def beam_height_mm(plan: BuildEntry, kind: str) -> float:
    """How high beams of a kind lie that look across a ball's way."""
    return plan.beams.get(kind, 5.0)


def half_edge(found: Lengths) -> float:
    """From the middle of a slot's edge to its corner."""
    return found.board.pitch / 12**0.5


def sill(found: Lengths, cell: str, edge: int) -> Prism:
    """What a ball leaves a slot over, along an edge at the board's rim."""
    stand = found.stand(cell, edge)
    ends = [_end(found, cell, edge, side) for side in (1, -1)]
    (left, left_out), (right, right_out) = ends
    points = ((left, -1.0), (left_out, SILL_MM), (-right_out, SILL_MM), (-right, -1.0))
    return Prism(tuple(stand.at(*it) for it in points), found.under, RIM_MM)


def step(found: Lengths, cell: str, edge: int) -> Prism:
    """What fills a sill up to a lane's floor between its posts, so that a ball comes in."""
    stand, wide = found.stand(cell, edge), POST_MM[0] - 0.4
    return stand.box((-wide, wide), (0.3, SILL_MM - 0.05), (RIM_MM - 1, LANE_LOW_MM - 0.2))


def _end(found: Lengths, cell: str, edge: int, side: int) -> Point:
    """How far a sill reaches towards one end of its edge, at the slot and at its outer side."""
    beside = (edge - 1 - side) % 6 + 1  # to the left of who looks outwards is against the clock
    half = half_edge(found) - LOOSE_MM
    if found.board.neighbour(cell, beside) is None:
        return half - 1.4, half - 1.4
    return half - 0.6, half - SILL_MM / 3**0.5


def rim_posts(stand: Stand, height: float) -> Iterator[Prism]:
    """The two posts of a beam at the rim."""
    for side in (1, -1):
        near, far = (side * it for it in POST_MM)
        out = OUT_MM - LED_MM / 2 - 1.1, OUT_MM + LED_MM / 2 + 1.1
        yield stand.box((near, far), out, (RIM_MM - 1, height + OVER_MM))


def rim_pockets(found: Lengths, stand: Stand, height: float) -> Iterator[Solid]:
    """What is taken out of them."""
    reach = found.under - 1, height + OVER_MM + 1
    for side in (1, -1):
        yield from bed(found, stand, height, side * POST_MM[0], reach)


def bed(found: Lengths, stand: Stand, height: float, front: float, reach: Point) -> Iterator[Solid]:
    """Half a beam, from the face of its post outwards: the light's way, a bed for the LED that is
    open above, and a way down for its leads. `reach`: from where to where it is open."""
    radius, side = LED_MM / 2 + 0.1, math.copysign(1, front)
    body = front + side * FRONT_MM
    flange = body + side * BODY_MM
    back = flange + side * FLANGE_MM
    wide = LED_MM / 2 + WIDER_MM
    low, top = reach
    yield stand.rod((front - side, body + side), OUT_MM, height, found.slot.pocket_mm / 2)
    yield stand.rod((body, flange), OUT_MM, height, radius)
    yield stand.box((body, flange), (OUT_MM - radius, OUT_MM + radius), (height, top))
    yield stand.box((flange, back), (OUT_MM - wide, OUT_MM + wide), (height - wide, top))
    yield stand.box((flange, back), (OUT_MM - LEGS_MM, OUT_MM + LEGS_MM), (low, height))


def seam_posts(found: Lengths, stand: Stand, height: float) -> Iterator[Prism]:
    """The two posts of a beam between two slots, where there is room."""
    if not found.posts:
        return
    for side in (1, -1):
        near, far = (side * it for it in GUIDE_MM)
        out = found.post / 2
        yield stand.box((near, far), (-out, out), (RIM_MM - 1, height + OVER_MM))


def guide_length_mm(found: Lengths) -> float:
    """How long a light guide is: from its LED, or phototransistor, up to the beam, with the end
    that is cut at 45 degrees."""
    top = beam_height_mm(found.plan, RIB) + found.slot.pocket_mm / 2
    return top - (found.under + RECESS_MM)


def seam_leg_mm(found: Lengths) -> float:
    """How long an LED between two slots is, from the top of its body to the ends of its legs, which
    are cut: they stand in the socket under it."""
    socket = found.stack.board_top + SOCKET_HIGH_MM
    return found.under + RECESS_MM - socket + LEG_IN_MM


HANGING_LEG_MM = HANGS_MM - SOCKET_HIGH_MM + LEG_IN_MM
"""How far legs stand out of a ramp, or end zone, under which a circuit board hangs."""


def seam_pockets(found: Lengths, stand: Stand, height: float) -> Iterator[Solid]:
    """The bores of its light guides, and the beds of LED and phototransistor under them."""
    top = height + found.slot.pocket_mm / 2 if found.posts else RIM_MM + 1
    for side in (1, -1):
        along, low = side * HALF_BEAM_MM, found.under - 1
        yield stand.bore(along, 0.0, (low, top), found.slot.pocket_mm / 2)
        yield stand.bore(along, 0.0, (low, found.under + RECESS_MM), LED_MM / 2 + 0.1)


def across(x: float, y: float, degrees: float) -> Stand:
    """The stand of a beam that crosses a lane here; outwards is up the lane."""
    dx, dy = turned((OUT_MM, 0.0), degrees)
    return Stand(x - dx, y - dy, degrees)
