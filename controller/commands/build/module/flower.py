"""The circuit board of seven cells, a middle one and its six neighbours: a touch pad and a light
in each.

The pad is copper on the board itself, a ring round the light; a TTP223 feels a finger on it through
what lies above and pulls its input low. Inputs A to G are the pads of cells 0 to 6: the middle,
then its neighbours over edges 1 to 6. All are alike: where a cell is not on the board, its light is
there too, and the board file has it dark. Lengths in mm, angles in degrees against the clock.
"""

import math
from collections.abc import Iterator, Sequence

from hexboard.board import Board
from hexboard.board.building import mm
from hexboard.commands.build.measures import SLACK
from hexboard.commands.build.module.chain import ModuleChain
from hexboard.commands.build.module.circuit import (
    EDGES,
    INPUTS,
    CircuitPart,
    CircuitPin,
    buffer,
    plugs,
    register,
    two,
)
from hexboard.commands.build.module.cover import CellFlower, hops_mm
from hexboard.commands.build.module.placing import (
    CORNER_MM,
    LIGHTS,
    RING_MM,
    WIDE_MM,
    CopperRing,
    ModulePlan,
    SetPart,
    turned,
)
from hexboard.words.errors import BadText

CELLS = 7
PAD_IN_MM, PAD_OUT_MM = 5.0, 8.0
"""A pad's inner and outer radius: some 100 mm² of copper."""
GAP_DEG = 60.0
"""Where it is open, for tracks."""
MARGIN_MM = 8.6
"""From the middle of an outer cell to the outline: the pad, and 0.6 mm."""
PLUG_HALF_MM = 6.7
"""From a plug's middle to the outer corner of its last pad."""
CLEAR_MM = 0.3
SUPPLY_MM, GROUND_MM = 4.1, 3.9
"""How far inside the plugs' middle the copper of 5 V is, and outside it that of ground."""
LINK_SQUARES = 12
"""Of copper from both plugs to it, some 5 mm each, 1.2 mm wide, and a plug's pad: at most."""
CHEAP_MM = 100.0
"""Board houses make boards up to 100 × 100 mm for much less than larger ones."""
LEAST_PITCH_MM = math.ceil(math.sqrt(3) * (PAD_OUT_MM + PLUG_HALF_MM + CLEAR_MM))
"""A plug lies between three cells, where their pads leave room for it."""
TOUCHES = "ABCDEFG"


def flower_circuit() -> tuple[CircuitPart, ...]:
    """All parts of it."""
    cells = (it for cell in range(CELLS) for it in _cell(cell))
    return (
        *plugs(CELLS),
        register(TOUCHES),
        two("C8", "100n", "3V3", "GND", "c100n"),
        *buffer(),
        *cells,
    )


def _cell(cell: int) -> Iterator[CircuitPart]:
    """The light of a cell, its pad, and the chip that feels it."""
    number, before, after = cell + 1, f"LIGHT_{cell}", f"LIGHT_{cell + 1}"
    light = (
        CircuitPin("1", after, "output"),
        CircuitPin("2", "GND", "power_in"),
        CircuitPin("3", before, "input"),
        CircuitPin("4", "5V", "power_in"),
    )
    yield CircuitPart(f"D{number}", "WS2812B-2020", "light", light, "light-2020")
    yield two(f"C{10 + number}", "100n", "5V", "GND", "")
    chip = (  # Tontek's TTP223-BA6, data sheet V1.0, page 2
        CircuitPin("1", f"IN_{INPUTS[cell]}", "output"),
        CircuitPin("2", "GND", "power_in"),
        CircuitPin("3", f"PAD_{number}"),
        CircuitPin("4", "3V3", "input"),  # AHLB: low when touched
        CircuitPin("5", "3V3", "power_in"),
        CircuitPin("6", "GND", "input"),  # TOG: as long as it is touched
    )
    yield CircuitPart(f"U{10 + number}", "TTP223-BA6", "sot23-6", chip, "pad")
    yield two(f"C{20 + number}", "100n", "3V3", "GND", "")
    copper = (CircuitPin("1", f"PAD_{number}"),)
    yield CircuitPart(f"P{number}", "touch pad", "electrode", copper, "", fitted=False)


def flower_placed(board: Board, parts: Sequence[CircuitPart]) -> ModulePlan:
    """Every part in its place. Raises `BadText` where cells are too near for it."""
    if board.pitch < LEAST_PITCH_MM:
        raise BadText("module.close", pitch=mm(board.pitch), least=mm(LEAST_PITCH_MM))
    found = _Flower(board)
    rings = (*found.power(), *(found.pad(cell) for cell in range(CELLS)))
    places = tuple(SetPart(part, *found.place(part.ref)) for part in parts)
    return ModulePlan(found.outline(), 0.0, places, rings, ("B.Cu",), "GND", CORNER_MM)


def has_pads(board: Board) -> bool:
    """Whether each cell has a touch pad, and one WS2812B-2020 in its middle."""
    cells = {cell.id for cell in board.cells}
    pads = {it.place for it in board.sensors if it.kind == "seat" and it.source == "pico"}
    lights = [(it.cell, it.edge) for it in board.pixels]
    fits = board.strip.type == LIGHTS
    return fits and pads == cells and sorted(lights) == sorted((cell, 0) for cell in cells)


def flower_chain(board: Board, way: tuple[CellFlower, ...]) -> ModuleChain:
    """All of them in a row."""
    lights = (CELLS,) * len(way)
    arc = 2 * math.pi / 3 * (board.pitch / math.sqrt(3) - SUPPLY_MM)
    squares = arc / WIDE_MM + LINK_SQUARES
    cables = tuple(SLACK * it for it in hops_mm(board, way))
    dark = tuple(CELLS - len(it.on_board) for it in way)
    leds, count = (0,) * len(way), len(way)
    return ModuleChain(board.name, lights, leds, cables, count, round(squares, 1), dark)


class _Flower:
    """What follows from the board's pitch, and from which way its cells lie."""

    def __init__(self, board: Board) -> None:
        self._first = 90.0 if board.flat_top else 60.0
        self._pitch = board.pitch
        self._between = board.pitch / math.sqrt(3)
        """From the middle to the point that is equally far from three cells."""

    def _angle(self, edge: float) -> float:
        return self._first - 60 * (edge - 1)

    def _middle(self, cell: int) -> tuple[float, float]:
        return turned(self._pitch, 0.0, self._angle(cell)) if cell else (0.0, 0.0)

    def outline(self) -> tuple[tuple[float, float], ...]:
        """Six corners, with the clock."""
        corner = self._pitch + MARGIN_MM * 2 / math.sqrt(3)
        points = (turned(corner, 0.0, self._angle(edge)) for edge in EDGES)
        return tuple((round(x, 4), round(y, 4)) for x, y in points)

    def power(self) -> tuple[CopperRing, ...]:
        """5 V and ground from plug to plug and to their wires, half round the middle cell."""
        start, end = self._angle(3.5) - 3, self._angle(0.5) + 12
        return tuple(
            CopperRing(net, self._between + out, start, end, wide)
            for net, out, wide in (("5V", -SUPPLY_MM, WIDE_MM), ("GND", GROUND_MM, RING_MM))
        )

    def pad(self, cell: int) -> CopperRing:
        """A pad's copper; the opening of an outer one lies towards the middle."""
        radius, wide = (PAD_IN_MM + PAD_OUT_MM) / 2, PAD_OUT_MM - PAD_IN_MM
        start = self._opening(cell) + GAP_DEG / 2
        middle = self._middle(cell)
        end = start + 360 - GAP_DEG
        return CopperRing(f"PAD_{cell + 1}", radius, start, end, wide, middle, above=True)

    def _opening(self, cell: int) -> float:
        return self._angle(cell) + 180 if cell else self._angle(3.5)

    def place(self, ref: str) -> tuple[float, float, float, bool]:
        """Where a part lies, by its name: x, y, how it is turned, whether it is below."""
        kind, number = ref[0], int(ref[1:])
        if kind == "J":
            return self._plug(number)
        if kind in "DP" or (number > 10 and ref != "R15"):
            return (*self._in_cell(kind, number % 10 - 1, number // 10), False)
        return (*self._chip(ref), False)

    def _plug(self, number: int) -> tuple[float, float, float, bool]:
        """The first pins of both plugs are towards each other; wires for 5 V are a gap on."""
        edge, turn = ((0.5, 90.0), (2.5, -90.0), (3.5, 0.0))[number - 1]
        angle = self._angle(edge)
        return (*turned(self._between, 0.0, angle), angle + turn, number < 3)

    def _in_cell(self, kind: str, cell: int, row: int) -> tuple[float, float, float]:
        x, y = self._middle(cell)
        if kind == "P":
            dx, dy = turned(-(PAD_IN_MM + PAD_OUT_MM) / 2, 0.0, self._opening(cell))
            return x + dx, y + dy, 0.0
        dx, dy, angle = {
            ("D", 0): (0.0, 0.0, 0.0),
            ("C", 1): (0.0, 2.1, 180.0),
            ("U", 1): (0.0, -2.9, 0.0),
            ("C", 2): (-3.4, -0.4, 90.0),
        }[kind, row]
        return x + dx, y + dy, angle

    def _chip(self, ref: str) -> tuple[float, float, float]:
        """The register beside the plug towards the Pico, what drives the clock between both."""
        edge, dx, dy, angle = {
            "U1": (5.5, 0.0, 0.0, 0.0),
            "C8": (5.5, 0.0, 3.7, 0.0),
            "U3": (1.5, -1.7, 0.0, 0.0),
            "C9": (1.5, 1.7, 2.4, 180.0),
            "R15": (1.5, 1.7, -1.4, 0.0),
        }[ref]
        x, y = turned(self._between, 0.0, self._angle(edge))
        return x + dx, y + dy, angle
