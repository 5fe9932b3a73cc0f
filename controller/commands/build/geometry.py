"""A board's geometry for programs that draw parts and circuit boards: numbers, in mm, y up."""

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import ROLLING, SlotEntry, cell_size, chord, fastest, reach

SCHEMA = "hexboard/geometry-1"
SILL_MM = 6.0
"""How far a printed part reaches beyond its slots at the board's rim, where beams stand, mm."""


class SlotPlace(Struct, frozen=True):
    """A cell or slot: its middle, its corners clockwise, its key's middle, the part it is in."""

    id: str
    x: float
    y: float
    part: str
    corners: tuple[tuple[float, float], ...]
    key: tuple[float, float] | None


class SensorPlace(Struct, frozen=True):
    """A sensor: where it sits, and how high where the file says so."""

    id: str
    kind: str
    source: str
    input: int
    x: float
    y: float
    z: float | None
    dark_us: int | None
    """How long the fastest ball is over it, where a ball rolls over it."""


class LightPlace(Struct, frozen=True):
    """A light, by its number along the strip."""

    index: int
    cell: str
    edge: int
    x: float
    y: float
    rail: str


class Geometry(Struct, frozen=True):
    """All of a board that has a place."""

    schema: str
    board: str
    digest: str
    pitch: float
    flat_top: bool
    size: tuple[float, float]
    bed: tuple[float, float]
    parts: tuple[str, ...]
    slot: SlotEntry | None
    slots: tuple[SlotPlace, ...]
    sensors: tuple[SensorPlace, ...]
    lights: tuple[LightPlace, ...]


def geometry(board: Board, plan: BuildEntry) -> Geometry:
    """Where everything of a board is."""
    slots = tuple(_slots(board, plan))
    return Geometry(
        schema=SCHEMA,
        board=board.name,
        digest=board.hash,
        pitch=board.pitch,
        flat_top=board.flat_top,
        size=reach(board),
        bed=plan.bed_mm,
        parts=tuple(sorted({slot.part for slot in slots})),
        slot=plan.slot,
        slots=slots,
        sensors=_sensors(board, plan),
        lights=tuple(
            LightPlace(it.index, it.cell, it.edge, it.x, it.y, board.rails[it.rail].id)
            for it in board.pixels
        ),
    )


def _slots(board: Board, plan: BuildEntry) -> list[SlotPlace]:
    left = min(cell.x for cell in board.cells)
    top = max(cell.y for cell in board.cells)
    (wide, high), (bed_x, bed_y) = cell_size(board), plan.bed_mm
    sills = 0 if plan.slot is None else 2 * SILL_MM
    found = []
    for cell in board.cells:
        column = _strip(cell.x - left, bed_x - wide - sills)
        row = _strip(top - cell.y, bed_y - high - sills)
        key = None if plan.slot is None else _key(board, plan.slot, cell.id)
        part, corners = f"{column}-{row}", board.corners(cell.id)
        found.append(SlotPlace(cell.id, cell.x, cell.y, part, corners, key))
    return found


def _strip(at: float, room: float) -> int:
    """Which part a middle lies in, from 1, where the middles of one part lie up to `room` apart."""
    return 1 + int(at // (max(room, 0.0) + 0.001))


def _key(board: Board, slot: SlotEntry, cell: str) -> tuple[float, float]:
    """The middle of a slot's key: it stands in from the opening's edge."""
    inwards = (board.pitch - slot.opening_mm + slot.key_mm[1]) / 2
    return board.edge_point(cell, board.key_edge, -inwards)


def _sensors(board: Board, plan: BuildEntry) -> tuple[SensorPlace, ...]:
    speed = fastest(board, plan)
    return tuple(
        SensorPlace(
            *(it.id, it.kind, it.source, it.input, it.x, it.y, height),
            round(1e6 * chord(plan, height) / speed) if height and it.kind in ROLLING else None,
        )
        for it in board.sensors
        for height in (plan.beams.get(it.kind),)
    )
