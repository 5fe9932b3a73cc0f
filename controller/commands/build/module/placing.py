"""Where everything of a slot's circuit board lies: its outline, its parts, their pads.

Lengths in mm, from the slot's middle, y up, seen from above; angles in degrees, against the clock.
Lights, seat and beams lie where the board file has them. The outline is the slot's hexagon, moved
towards the ribs whose beams are this slot's own, so that those lie over it; equal boards that are
moved alike still lie side by side. Lands are those of KiCad 6's own footprints (or smaller).
"""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hexboard.board import Board
from hexboard.board.building import mm
from hexboard.commands.build.module.circuit import EDGES, CircuitPart
from hexboard.words.errors import BadText

GAP_MM = 0.5
"""Between the circuit boards of two slots."""
MOVED_MM = 3.2
"""How far the outline is moved; beams' pads at the rib then keep 0.5 mm from it."""
PAD_IN_MM = 1.5
"""How far in from the outline the pads of a beam lie whose rib is not over this circuit board."""
HOLE_IN_MM = 7.0
"""How far the hole keeps from the innermost light."""
OPEN_DEG = 13.0
"""So far to either side of the seat the ring of 5 V is open: its clips go through there."""
HALF_BEAM_MM = 7.0
"""From the middle of a rib to its LED and to its phototransistor."""
FEED_MM = 6.4
"""Between the rings of ground and 5 V; the wires that feed them are as far apart."""
LIGHTS = "ws2812b-2020"
"""The type of lights that circuit boards have."""
LEAST_HOLE_MM = 2.0
"""How much wider than a ball the hole must be."""
WIDE_MM, RING_MM, NARROW_MM = 2.2, 1.6, 0.8
"""How wide the copper is that carries 5 V from plug to plug; ground; 5 V to the lights."""
SLIM_MM = 1.4
"""How wide ground is on a slot's, which also fills both layers."""

SOCKET_MM, SOCKET_HIGH_MM = (5.08, 2.54), 3.0
"""The body of a socket for two legs: along them, across, and over the circuit board."""
LEG_IN_MM = 2.5
"""How deep a leg goes into one."""

CORNER_MM = 0.056
"""As near as a slanting track can come to a pad's corner between two nodes 0.25 mm apart."""


class Land(Struct, frozen=True):
    """A pad: where it is, from its part's middle; its size; its drill, 0 without one."""

    x: float
    y: float
    wide: float
    high: float
    drill: float = 0.0
    round: bool = False


def _row(pitch: float, count: int, land: Land) -> tuple[Land, ...]:
    first = -(count - 1) * pitch / 2
    return tuple(
        Land(first + k * pitch, 0.0, land.wide, land.high, land.drill, land.round)
        for k in range(count)
    )


_TSSOP = tuple(Land(-2.8625, 2.275 - 0.65 * k, 1.475, 0.4) for k in range(8))
BODIES: dict[str, tuple[Land, ...]] = {
    "plug": _row(2.0, 7, Land(0, 0, 1.2, 1.75, 0.75)),
    "feed": _row(FEED_MM, 2, Land(0, 0, 2.2, 2.2, 1.3, round=True)),
    "led3": _row(2.54, 2, Land(0, 0, 1.5, 1.5, 0.8, round=True)),
    "socket": _row(2.54, 2, Land(0, 0, 1.5, 1.5, 0.8, round=True)),
    "0603": _row(1.55, 2, Land(0, 0, 0.9, 0.95)),
    "sot23": (
        Land(-0.9375, 0.95, 1.475, 0.6),
        Land(-0.9375, -0.95, 1.475, 0.6),
        Land(0.9375, 0.0, 1.475, 0.6),
    ),
    "sot23-6": (
        *(Land(-1.1375, y, 1.325, 0.6) for y in (0.95, 0.0, -0.95)),
        *(Land(1.1375, y, 1.325, 0.6) for y in (-0.95, 0.0, 0.95)),
    ),
    "sc70-5": (
        *(Land(-0.95, y, 0.65, 0.4) for y in (0.65, 0.0, -0.65)),
        *(Land(0.95, y, 0.65, 0.4) for y in (-0.65, 0.65)),
    ),
    "reflector": (
        Land(2.75, 1.27, 1.6, 1.6, 1.0, round=True),
        Land(2.75, -1.27, 1.6, 1.6, 1.0, round=True),
        Land(-2.75, 1.27, 1.6, 1.6, 1.0, round=True),
        Land(-2.75, -1.27, 1.6, 1.6, 1.0, round=True),
    ),
    "electrode": (Land(0, 0, 1.5, 1.5, round=True),),
    "light": (
        Land(-0.915, 0.55, 0.7, 0.7),
        Land(-0.915, -0.55, 0.7, 0.7),
        Land(0.915, -0.55, 0.7, 0.7),
        Land(0.915, 0.55, 0.7, 0.7),
    ),
    "tssop16": (*_TSSOP, *(Land(-it.x, it.y, it.wide, it.high) for it in reversed(_TSSOP))),
}
"""The pads of each shape of part, by the order of its pins, at 0 degrees."""
REFLECTOR_MM = (10.2, 5.8, 7.0)
"""A TCRT5000 (Vishay 83760): long, wide, and from the circuit board to its highest place."""
HOLES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "reflector": ((0.0, 1.9, 2.5), (0.0, -1.9, 2.5), (-4.65, -2.45, 1.0))
}
"""Holes without copper, for clips and pegs: where they are, and how wide."""


PLUG_MM = (-7.95, -1.7, 7.95, 2.8)
"""The body of a JST PH with seven pins as it hangs below, seen from above, its first pin at the
left: its pins are not in its middle."""
BODY_MM: dict[str, tuple[float, float]] = {
    "socket": SOCKET_MM,
    "reflector": REFLECTOR_MM[:2],
    "light": (2.2, 2.0),
    "sot23": (1.3, 2.9),
    "sot23-6": (1.6, 2.9),
    "sc70-5": (1.25, 2.1),
    "tssop16": (4.4, 5.0),
}
"""Bodies that reach beyond their pads: along x and y, at 0 degrees."""


def half_size(body: str) -> tuple[float, float]:
    """How far a part, or its pads, reach to each side of its middle, at 0 degrees; of a plug, what
    comes out above."""
    lands = BODIES[body]
    x = max(abs(land.x) + land.wide / 2 for land in lands)
    y = max(abs(land.y) + land.high / 2 for land in lands)
    long, wide = BODY_MM.get(body, (0.0, 0.0))
    return max(x, long / 2), max(y, wide / 2)


def body_box(body: str) -> tuple[float, float, float, float]:
    """What a part covers on its own side, at 0 degrees: left, low, right, high."""
    x, y = half_size(body)
    return PLUG_MM if body == "plug" else (-x, -y, x, y)


class SetPart(Struct, frozen=True):
    """A part in its place."""

    part: CircuitPart
    x: float
    y: float
    turned: float
    below: bool = False
    """Its body is on the underside."""


class SetPad(Struct, frozen=True):
    """A pad in its place, with its net ("" for none)."""

    name: str
    net: str
    x: float
    y: float
    turned: float
    land: Land


class CopperRing(Struct, frozen=True):
    """Copper along a circle, from one angle to another: on the underside, or above."""

    net: str
    radius: float
    start: float
    end: float
    wide: float
    middle: tuple[float, float] = (0.0, 0.0)
    above: bool = False


class ModulePlan(Struct, frozen=True):
    """A slot's circuit board without its tracks."""

    outline: tuple[tuple[float, float], ...]
    hole: float
    """The radius of the hole in its middle, through which a ball falls; 0 without one."""
    parts: tuple[SetPart, ...]
    rings: tuple[CopperRing, ...]
    filled: tuple[str, ...] = ("F.Cu", "B.Cu")
    """The layers on which ground fills what is left."""
    sunk: str = ""
    """The net whose pads need no tracks: each goes down to what it fills on the underside."""
    corner_mm: float = 0.03
    """More room round pads: between two nodes a slanting track comes nearer to their corners."""

    def pads(self, it: SetPart) -> Iterator[SetPad]:
        """The pads of one of its parts."""
        for pin, land in zip(it.part.pins, BODIES[it.part.body], strict=True):
            x, y = turned(land.x, land.y, it.turned)
            yield SetPad(pin.name, pin.net, it.x + x, it.y + y, it.turned, land)

    def inside(self, pad: SetPad) -> float:
        """How far a pad's copper keeps from the outline; less than 0 for one that sticks out."""
        ends = zip(self.outline, (*self.outline[1:], self.outline[0]), strict=True)
        return min(_inside(pad, *end) for end in ends)

    def holes(self) -> Iterator[tuple[float, float, float]]:
        """The holes without copper of all its parts: where they are, and how wide."""
        for it in self.parts:
            for x, y, wide in HOLES.get(it.part.body, ()):
                dx, dy = turned(x, y, it.turned)
                yield it.x + dx, it.y + dy, wide


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A point, turned about the middle."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cos - y * sin, x * sin + y * cos


def _inside(pad: SetPad, a: tuple[float, float], b: tuple[float, float]) -> float:
    """How far a pad keeps from one side of an outline that runs with the clock."""
    along = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
    _, off = turned(pad.x - a[0], pad.y - a[1], -along)
    wide, high = pad.land.wide / 2, pad.land.high / 2
    if pad.land.round:
        return -off - wide
    x, y = turned(0.0, 1.0, along - pad.turned)
    return -off - abs(x) * wide - abs(y) * high


def owned(board: Board) -> tuple[int, ...]:
    """The edges whose seam belongs to the slot itself, not to its neighbour, wherever it lies."""
    return tuple(sorted({edge for _, edge, _ in board.shared_edges}))


def placed(board: Board, parts: Sequence[CircuitPart], ball_mm: float) -> ModulePlan:
    """Every part in its place. Raises `BadText` for a board that it does not fit."""
    found = _Places(board, ball_mm)
    return ModulePlan(found.outline(), found.hole, tuple(map(found.place, parts)), found.rings())


class _Places:
    """What follows from the board file."""

    def __init__(self, board: Board, ball_mm: float) -> None:
        first = board.cells[0]
        own = owned(board)
        lights = {p.edge: p for p in board.pixels if p.cell == first.id}
        seat = next((s for s in board.sensors if s.kind == "seat" and s.place == first.id), None)
        middle = _middle(own)
        if not (board.flat_top and {*lights} == {*EDGES} and seat and middle):
            raise BadText("module.none", board=board.name)
        if board.strip.type != LIGHTS:
            raise BadText("module.lights", board=board.name, has=board.strip.type, needs=LIGHTS)
        self._own = own
        self._pitch = board.pitch
        self.lights = {edge: (it.x - first.x, it.y - first.y) for edge, it in lights.items()}
        self.seat = seat.x - first.x, seat.y - first.y
        self._middle = middle
        inner = min(math.hypot(*at) for at in self.lights.values())
        self.hole = round(inner - HOLE_IN_MM, 3)
        if 2 * self.hole < ball_mm + LEAST_HOLE_MM:
            least, has = mm(ball_mm + LEAST_HOLE_MM), mm(2 * self.hole)
            raise BadText("module.hole", hole=has, least=least, ball=mm(ball_mm))

    def reach(self, edge: int) -> float:
        """From the slot's middle to the outline at an edge."""
        towards = math.cos(math.radians(60 * (edge - self._middle)))
        return (self._pitch - GAP_MM) / 2 + MOVED_MM * towards

    def outline(self) -> tuple[tuple[float, float], ...]:
        """The six corners, with the clock."""
        corner, (dx, dy) = (self._pitch - GAP_MM) / math.sqrt(3), _at(self._middle, MOVED_MM)
        corners = (_at(edge + 0.5, corner) for edge in EDGES)
        return tuple((round(x + dx, 4), round(y + dy, 4)) for x, y in corners)

    def beam(self, edge: int) -> float:
        """How far out the pads of an edge's beam lie: at the rib, or as near to it as they can."""
        return self._pitch / 2 if edge in self._own else self.reach(edge) - PAD_IN_MM

    def rings(self) -> tuple[CopperRing, ...]:
        """5 V and ground go all round, and 5 V from plug to plug over a wide piece of its own."""
        wide = CopperRing("5V", self._feed() - 3.2, 141.5, 158.5, WIDE_MM)
        ends = self._seat_angle() + OPEN_DEG, self._seat_angle() + 360 - OPEN_DEG
        round_ = CopperRing("5V", self._feed() - 0.05, *ends, NARROW_MM)
        return (wide, round_, CopperRing("GND", self._ground() - 0.1, 0.0, 360.0, SLIM_MM))

    def _feed(self) -> float:
        return self._ground() + FEED_MM

    def _ground(self) -> float:
        return self.hole + 0.5 + RING_MM / 2 + 0.3

    def place(self, part: CircuitPart) -> SetPart:
        """A part by its name: a letter, and the edge that it belongs to."""
        letter, number = part.ref[0], int(part.ref[1:])
        match letter:
            case "J":
                return self._plug(part, number)
            case "U":
                return self._chip(part, number)
            case "D":
                x, y = self.lights[number]
                return SetPart(part, x, y, edge_angle(number) + 90)
            case "C" if number in EDGES:
                x, y = self.lights[number]
                out = 1 + 2.1 / math.hypot(x, y)
                return SetPart(part, x * out, y * out, edge_angle(number) - 90)
            case "C":
                return self._chip_capacitor(part, number)
            case "R":
                return self._resistor(part, number)
            case _:
                return self._beam(part, number, -1 if letter == "E" else 1)

    def _plug(self, part: CircuitPart, number: int) -> SetPart:
        """Both plugs on either side of edge 6, with 5 V towards it; wires for 5 V by edge 1."""
        if number == 3:
            out = (self._feed() + self._ground()) / 2
            return SetPart(part, *_at(1.2, out), edge_angle(1.2) + 180)
        edge, out, aside, angle = ((6.5, 4.0, -0.45, 30.0), (5.5, 4.1, 0.5, -90.0))[number - 1]
        x, y = turned(self._feed() - out, aside, edge_angle(edge))
        return SetPart(part, x, y, angle, below=True)

    def _chip(self, part: CircuitPart, number: int) -> SetPart:
        if number == 3:  # beside the plug that it drives
            return SetPart(part, -self._feed() - 3.5, 0.0, 0.0)
        if number == 2:  # its phototransistor is the outer one
            return SetPart(part, *self.seat, self._seat_angle() + 180)
        return SetPart(part, *_at(3.5, self._corner(3.5) - 8.5), edge_angle(3.5) + 90)

    def _chip_capacitor(self, part: CircuitPart, number: int) -> SetPart:
        if number == 9:
            return SetPart(part, -0.2 - self._feed(), 1.7, 90.0)
        return SetPart(part, *_at(3.5, self._corner(3.5) - 4.6), edge_angle(3.5) - 90)

    def _corner(self, between: float) -> float:
        """From the slot's middle to the outline's corner between two edges."""
        towards = math.cos(math.radians(60 * (between - self._middle)))
        return (self._pitch - GAP_MM) / math.sqrt(3) + MOVED_MM * towards

    def _resistor(self, part: CircuitPart, number: int) -> SetPart:
        if number > 15:  # beside the seat
            out = math.hypot(*self.seat) + (-2.6 if number == 16 else 0.6)
            x, y = turned(out, -5.6, self._seat_angle())
            return SetPart(part, x, y, self._seat_angle())
        if number > 14:  # between the chip that drives the next slot, and its plug
            return SetPart(part, -0.2 - self._feed(), -1.7, -90.0)
        edge, side = (number, -1) if number <= 7 else (number - 7, 1)
        if edge not in EDGES:  # of the beam under the slot
            at = 1.5 if side < 0 else 4.5
            return SetPart(part, *_at(at, self._under() + 2.3), edge_angle(at) - 90)
        x, y = turned(self.beam(edge), -side * 3.2, edge_angle(edge))
        return SetPart(part, x, y, edge_angle(edge) + 90)

    def _seat_angle(self) -> float:
        return math.degrees(math.atan2(self.seat[1], self.seat[0]))

    def _under(self) -> float:
        return self._feed() + 2.4

    def _beam(self, part: CircuitPart, number: int, side: int) -> SetPart:
        if number not in EDGES:
            at = 1.5 if side < 0 else 4.5
            return SetPart(part, *_at(at, self._under()), edge_angle(at) - 90, below=True)
        x, y = turned(self.beam(number), -side * HALF_BEAM_MM, edge_angle(number))
        return SetPart(part, x, y, edge_angle(number) - 90)


def _middle(own: Sequence[int]) -> int:
    """The middle one of three edges side by side; 0 if they are not."""
    wrapped = {(edge - 1) % 6 for edge in own}
    found = [edge for edge in EDGES if wrapped == {(edge - 2) % 6, edge - 1, edge % 6}]
    return found[0] if found else 0


def edge_angle(edge: float) -> float:
    """Where an edge of a slot with a flat top lies."""
    return 90 - 60 * (edge - 1)


def _at(edge: float, out: float) -> tuple[float, float]:
    return turned(out, 0.0, edge_angle(edge))
