"""The lengths that all parts of a board share, from its file; what cannot be printed is refused.

Heights are over the datum of hardware/building.md. From above: the frame with its slots; the light
ring, a funnel whose wells let the lights through; the slot's circuit board, on whose upper side the
ring lies; under that the collar, which holds the circuit board and lets a ball fall through it.
"""

import math

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import WALL_MM, SlotEntry, mm
from hexboard.commands.build.cad.recipe import PrintedPart, Stand, size
from hexboard.commands.build.module.circuit import FALL, circuit
from hexboard.commands.build.module.placing import HOLE_IN_MM, ModulePlan, edge_angle, placed
from hexboard.words import message
from hexboard.words.errors import BadText

RIM_MM = -0.5
"""How high the slots' rims lie."""
LOOSE_MM = 0.15
"""The gap on each side between two printed parts that are to go together."""
LED_MM = 3.0
"""How thick the body of a beam's LED is, and of its phototransistor."""
STEEPER_DEG = 10.0
"""How much steeper than the board a funnel is: uphill, too, a ball rolls into it."""
ROOF_MM = 0.8
"""Of white plastic over a light."""
BOARD_MM = 1.6
"""How thick a circuit board is."""
FREE_MM = 0.3
"""Between a circuit board's hole and what goes through it, or a part on it and its pocket."""
COLLAR_MM, SOCKET_MM = 1.2, 1.8
"""The collar's wall where it goes into the ring, and how deep it does."""
BESIDE_MM = 2.25
"""How much wider than a ball, on each side, the way down is: no wider, or it passes its beam."""


class Stack(Struct, frozen=True):
    """What lies under a slot: heights, and radii about the slot's middle."""

    top: float
    """Where frame and light ring meet."""
    reach: float
    """The funnel's radius there: that of the frame's hole, flat to flat."""
    slope: float
    bore: float
    """The radius at which the funnel goes into the collar."""
    lip: float
    socket: float
    board_top: float
    board_low: float
    collar: float
    """The collar's radius in the circuit board's hole."""
    way: float
    """The radius of the way down."""
    bottom: float
    fall: float
    """How high the beam under the slot is."""

    def funnel(self, radius: float) -> float:
        """How high the funnel is at a radius."""
        return self.top - (self.reach - radius) * self.slope


class Lengths(Struct, frozen=True):
    """Of one board."""

    board: Board
    plan: BuildEntry
    slot: SlotEntry
    under: float
    """The frame's underside."""
    ledge: float
    hole: float
    """Of the frame under the ledge, flat to flat."""
    gap: float
    """Between the tiles of two slots."""
    module: ModulePlan | None
    stack: Stack

    def stand(self, cell: str, edge: int) -> Stand:
        """The middle of a slot's edge; outwards is away from the slot."""
        return Stand(*self.board.edge_point(cell, edge), edge_angle(edge))

    @property
    def least_gap(self) -> float:
        """How far apart tiles must be for such posts."""
        return self.post + 2 * LOOSE_MM

    @property
    def post(self) -> float:
        """How thick a post is that holds a light guide between two tiles."""
        return self.slot.pocket_mm + 2 * WALL_MM

    @property
    def posts(self) -> bool:
        """Whether one fits there."""
        return self.gap >= self.least_gap


def lengths(board: Board, plan: BuildEntry) -> Lengths:
    """Raises `BadText` for a board of plain cells, and where parts would lie in one another."""
    slot = plan.slot
    if slot is None or not board.flat_top:
        raise BadText("cad.plain", board=board.name)
    hole = slot.opening_mm - 2 * slot.ledge_mm
    module = _module(board, plan)
    under = RIM_MM - slot.thick_mm
    found = Lengths(
        board=board,
        plan=plan,
        slot=slot,
        under=under,
        ledge=RIM_MM - slot.depth_mm,
        hole=hole,
        gap=board.pitch - slot.tile_mm,
        module=module,
        stack=_stack(board, plan, module, under, hole / 2),
    )
    _fits(found)
    return found


def _module(board: Board, plan: BuildEntry) -> ModulePlan | None:
    """The slot's circuit board; None for a board built so far that each slot has no seat."""
    if not any(sensor.kind == "seat" for sensor in board.sensors):
        return None
    return placed(board, circuit(), plan.ball_mm)


def _stack(
    board: Board, plan: BuildEntry, module: ModulePlan | None, top: float, reach: float
) -> Stack:
    slope = math.tan(math.radians(plan.tilt_deg + STEEPER_DEG))
    collar = (module.hole if module else _inner(board) - HOLE_IN_MM) - FREE_MM
    bore = collar - COLLAR_MM
    lip = top - (reach - bore) * slope
    board_top = lip - ROOF_MM - SOCKET_MM
    fall = plan.beams.get("fall", board_top - BOARD_MM - LED_MM)
    return Stack(
        top=top,
        reach=reach,
        slope=slope,
        bore=bore,
        lip=lip,
        socket=lip - ROOF_MM,
        board_top=board_top,
        board_low=board_top - BOARD_MM,
        collar=collar,
        fall=fall,
        way=plan.ball_mm / 2 + BESIDE_MM,
        bottom=min(fall, board_top - BOARD_MM) - LED_MM,
    )


def _inner(board: Board) -> float:
    """How near to a slot's middle its lights lie."""
    here = board.cells[0]
    lit = (math.dist((it.x, it.y), (here.x, here.y)) for it in board.pixels if it.cell == here.id)
    return min(lit, default=board.pitch / 3)


def _fits(found: Lengths) -> None:
    """Raises `BadText` for parts in one another's place."""
    stack = found.stack
    if stack.way > stack.bore:
        ball, hole = mm(found.plan.ball_mm), mm(2 * stack.bore)
        raise BadText("cad.way", ball=ball, least=mm(2 * stack.way), hole=hole)
    fall = found.plan.beams.get("fall")
    most = stack.board_low - LED_MM / 2
    if fall is not None and _has(found.board, "fall") and fall > most:
        raise BadText("cad.fall", height=mm(fall), low=mm(stack.board_low), most=mm(most))


def _has(board: Board, kind: str) -> bool:
    return any(sensor.kind == kind for sensor in board.sensors)


def fall_angle(module: ModulePlan) -> float:
    """In which direction the LED of the beam under a slot lies."""
    led = next(it for it in module.parts if it.part.ref == f"E{FALL}")
    return math.degrees(math.atan2(led.y, led.x))


def on_bed(parts: tuple[PrintedPart, ...], bed: tuple[float, float]) -> None:
    """Raises `BadText` for a part that is larger than the printer's bed."""
    for part in parts:
        x, y, _ = size(part.on_bed)
        if x > bed[0] or y > bed[1]:
            has = message("build.by", x=mm(x), y=mm(y))
            room = message("build.by", x=mm(bed[0]), y=mm(bed[1]))
            raise BadText("cad.bed", part=part.name, size=has, bed=room)


def beam_under(board: Board, plan: BuildEntry) -> float:
    """How far below a slot's circuit board its lowest beam is; 0 on a board of plain cells."""
    if plan.slot is None:
        return 0.0
    stack = lengths(board, plan).stack
    return stack.board_low - stack.fall
