"""The seat of a round spirit level: laid on the edge of the tilted board, it holds the level as it
lies when the board is tilted right."""

import math
from collections.abc import Iterator

from hexboard.commands.build.cad.edge import inner
from hexboard.commands.build.cad.lengths import Lengths
from hexboard.commands.build.cad.recipe import Carved, PrintedPart, Rod, Spot, Stand
from hexboard.vision.marks.markers import paper

VIAL_MM, VIAL_DEEP_MM = 7.7, 6.0
"""The bore for a level of 15 mm: radius, depth. It stands a little out of it."""
HALF_MM = 13.0
"""Half the seat's length and width."""
FLOOR_MM = 1.6
"""Under the bore, where it is deepest."""
OVER_MM = 5.0
"""How far what is cut away reaches over the middle of the top."""


def level(found: Lengths) -> Iterator[PrintedPart]:
    """As it lies across the middle of the lower border, its thick side down the board."""
    y = (inner(found).low + paper(found.board).low) / 2
    tilt = math.radians(found.plan.tilt_deg)
    middle = FLOOR_MM + VIAL_DEEP_MM / math.cos(tilt) + VIAL_MM * math.sin(tilt)
    ends = middle + HALF_MM * math.tan(tilt), middle - HALF_MM * math.tan(tilt)
    outline = ((-HALF_MM, 0.0), (HALF_MM, 0.0), (HALF_MM, ends[1]), (-HALF_MM, ends[0]))
    block = Stand(0.0, y, 90.0).side(outline, (-HALF_MM, HALF_MM))
    yield PrintedPart("level-seat", Carved((block,), (_bore(y, middle, tilt),)))


def _bore(y: float, z: float, tilt: float) -> Rod:
    """From over the middle of the seat's top straight down, as gravity has it."""

    def at(up: float) -> Spot:
        return 0.0, y + up * math.sin(tilt), z + up * math.cos(tilt)

    return Rod(at(-VIAL_DEEP_MM), at(OVER_MM), VIAL_MM)
