"""The light ring under a slot, and the collar that holds the slot's circuit board against it.

The ring is a funnel for balls and a diffuser for lights: of white plastic, with a well over each
light. It lies on the circuit board, and has a pocket for everything that stands on that.
"""

import math
from collections.abc import Iterator

from hexboard.board import Board
from hexboard.commands.build.cad.frame import PEG_HIGH_MM, PEG_MM, pegs
from hexboard.commands.build.cad.lengths import FREE_MM, LED_MM, ROOF_MM, Lengths, fall_angle
from hexboard.commands.build.cad.recipe import (
    Carved,
    Cone,
    Point,
    PrintedPart,
    Prism,
    Rod,
    Solid,
    Stand,
    hexagon,
    turned,
)
from hexboard.commands.build.module.circuit import EDGES
from hexboard.commands.build.module.placing import (
    HALF_BEAM_MM,
    REFLECTOR_MM,
    SOCKET_HIGH_MM,
    SetPart,
    edge_angle,
    half_size,
)

BENT_MM = 2.0
"""Over a socket: as much as a leg takes that bends down into it."""
STANDS_MM = {
    "0603": 0.9,
    "light": 0.9,
    "sot23": 1.2,
    "sc70-5": 1.2,
    "tssop16": 1.2,
    "plug": 1.7,
    "feed": 1.7,
    "led3": 1.7,
    "socket": SOCKET_HIGH_MM + BENT_MM,
}
"""How high each shape of part stands over the circuit board; of wired ones, their solder; of
sockets, the legs that bend down into them."""
NARROWER_MM = 1.6
"""How much less than half the pitch the ring reaches."""
NOTCH_MM = 2.3
"""The radius that is free about an LED in a rib."""
WELL_MM = (3.0, 1.3, 2.0)
"""A light's well: half its width, how far it reaches inwards and outwards."""
SEAT_MM = ((5.1, 3.0), (3.75, 4.5))
"""What sees a tile, from the side: how far it reaches from its middle, and up to which height."""
SEAT_TOP_MM = (3.3, 1.5)
"""Half as long and as wide as its upper part, two lenses: it looks up through a window."""
SEAT_BEHIND_MM = 1.2
"""How much further out that window reaches: its wall is white, and throws light back."""
FLANGE_MM = 1.1
"""How far the collar's flange reaches over the circuit board's hole."""


def ring(found: Lengths) -> PrintedPart:
    """The light ring of any slot, as it lies under one in the board's middle."""
    stack = found.stack
    across = found.board.pitch - 2 * NARROWER_MM
    body = Prism(hexagon((0.0, 0.0), across), stack.board_top, stack.top)
    adds: tuple[Solid, ...] = (body, *pegs(found, (0.0, 0.0), PEG_MM, PEG_HIGH_MM))
    cuts: tuple[Solid, ...] = (
        *_funnel(found),
        *_notches(found),
        *_wells(found),
        *_seat(found),
        *_pockets(found),
    )
    return PrintedPart("light-ring", Carved(adds, cuts), len(found.board.cells))


def _funnel(found: Lengths) -> Iterator[Solid]:
    stack = found.stack
    over = stack.top + 0.5
    reach = stack.reach + 0.5 / stack.slope
    yield Cone(0.0, 0.0, stack.lip, over, stack.bore, reach)
    yield Rod((0, 0, stack.board_top - 1), (0, 0, stack.lip + 0.01), stack.bore)
    wide = stack.collar + FREE_MM / 2
    yield Rod((0, 0, stack.board_top - 1), (0, 0, stack.socket), wide)


def _notches(found: Lengths) -> Iterator[Rod]:
    """Room for the LEDs of the beams in the six ribs."""
    for edge in EDGES:
        stand = Stand(*turned((found.board.pitch / 2, 0.0), edge_angle(edge)), edge_angle(edge))
        for along in (-HALF_BEAM_MM, HALF_BEAM_MM):
            high = found.stack.board_top - 1, found.stack.top + 1
            yield stand.bore(along, 0.0, high, NOTCH_MM)


def _wells(found: Lengths) -> Iterator[Prism]:
    """A well over each light, closed above by a thin roof."""
    here, (half, inwards, outwards) = found.board.cells[0], WELL_MM
    for light in found.board.pixels:
        if light.cell == here.id:
            stand, out = _towards(light.x - here.x, light.y - here.y)
            high = found.stack.board_top - 1, found.stack.funnel(out - inwards) - ROOF_MM
            yield stand.box((-half, half), (out - inwards, out + outwards), high)


def _seat(found: Lengths) -> Iterator[Solid]:
    """Room for what sees a tile, where the board file has it, with a window for its lenses: no
    larger, so that no ball lies in it."""
    if (at := seat_at(found.board)) is None or found.module is None:
        return
    (stand, out), low, half = _towards(*at), found.stack.board_top, REFLECTOR_MM[1] / 2 + FREE_MM
    right = [(reach + FREE_MM, low + high + FREE_MM) for reach, high in SEAT_MM]
    right = [(right[0][0], low - 1), *right]
    around = (*((out + x, z) for x, z in right), *((out - x, z) for x, z in reversed(right)))
    yield stand.side(around, (-half, half))
    reach, half = (it + FREE_MM for it in SEAT_TOP_MM)
    bounds = out - reach, out + reach + SEAT_BEHIND_MM
    yield stand.box((-half, half), bounds, (low + SEAT_MM[0][1], found.stack.top + 1))


def seat_at(board: Board) -> Point | None:
    """Where a slot's seat sensor lies about its middle; None on a board without."""
    here = board.cells[0]
    seats = (it for it in board.sensors if it.kind == "seat" and it.place == here.id)
    return next(((it.x - here.x, it.y - here.y) for it in seats), None)


def _towards(x: float, y: float) -> tuple[Stand, float]:
    """The slot's middle, looking at a point, and how far away that is."""
    return Stand(0.0, 0.0, math.degrees(math.atan2(y, x))), math.hypot(x, y)


def _pockets(found: Lengths) -> Iterator[Prism]:
    """Room for what stands on the circuit board."""
    if found.module is None:
        return
    for it in found.module.parts:
        if it.part.body != "reflector" and (not it.below or it.part.body in ("plug", "led3")):
            yield _pocket(found, it)


def _pocket(found: Lengths, it: SetPart) -> Prism:
    """Around its pads; from a socket, into which legs come from the rim, out to there."""
    low = found.stack.board_top - 1
    high = found.stack.board_top + STANDS_MM[it.part.body] + FREE_MM
    x, y = (half + FREE_MM for half in half_size(it.part.body))
    if it.part.body == "socket":
        stand, out = Stand(0.0, 0.0, it.turned + 90), 0.0
        along = turned((it.x, it.y), -stand.degrees)
        out = along[0] - y
        return stand.box((along[1] - x, along[1] + x), (out, found.board.pitch), (low, high))
    stand = Stand(it.x, it.y, it.turned)
    return stand.box((-y, y), (-x, x), (low, high))


def collar(found: Lengths) -> PrintedPart:
    """What goes from below through the circuit board's hole into the ring, and holds it there."""
    stack = found.stack
    flange = stack.collar + FREE_MM + FLANGE_MM - 0.3
    wide = Rod((0, 0, stack.bottom), (0, 0, stack.board_low), flange)
    tube = Rod((0, 0, stack.board_low - 1), (0, 0, stack.socket - 0.1), stack.collar)
    way = Rod((0, 0, stack.bottom - 1), (0, 0, stack.socket), stack.way)
    deep = stack.bore - stack.way
    mouth = Cone(0, 0, stack.socket - deep - 0.1, stack.socket, stack.way, stack.bore + 0.1)
    cuts: list[Solid] = [way, mouth]
    fall = found.plan.beams.get("fall")
    if fall is not None and found.module is not None:
        cuts.append(window(found, fall))
    return PrintedPart("collar", Carved((wide, tube), tuple(cuts)), len(found.board.cells))


def window(found: Lengths, fall: float) -> Rod:
    """The way of the light under a slot, through the collar."""
    assert found.module is not None
    stand = Stand(0.0, 0.0, fall_angle(found.module) - 90)
    return stand.rod((-20.0, 20.0), 0.0, fall, LED_MM / 2 + 0.1)
