"""The circuit boards beside the slots: of a ramp, with the beams across its lanes, and of an end
zone, with that over its lowest place and the sense of the lights' 5 V.

Gates and throats are at slots' edges, and on the slots' own circuit boards. Lengths in mm: of a
ramp from the middle of its lanes, of an end zone from where a ball lies; y up, seen from above.
LEDs lie in the printed parts, and their leads come down through them where these parts have beds.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, Sensor
from hexboard.board.building import mm
from hexboard.commands.build.module.beds import LEADS_MM, POST_MM, zone_faces
from hexboard.commands.build.module.circuit import (
    INPUTS,
    CircuitPart,
    CircuitPin,
    beam,
    buffer,
    plugs,
    register,
    two,
)
from hexboard.commands.build.module.placing import CORNER_MM, ModulePlan, SetPart
from hexboard.words.errors import BadText

LANE_LEADS_MM = POST_MM[0] + LEADS_MM
"""From a lane's middle to the leads of the LED of its beam."""
RIM_MM = 2.0
"""From leads to the outline."""
RAMP_MM = (-4.6, 10.6)
"""A ramp's circuit board keeps below the part of the ramp that is that wide."""
ZONE_MM = (16.6, -11.4, 14.0)
BETWEEN_MM = 4.0
"""Between the leads of two lanes."""
PULL = "4k7"

Spot = tuple[float, float, float, bool]
"""x, y, how it is turned, whether it is below."""


class BesideBoard(Struct, frozen=True):
    """One circuit board beside the slots: its sensors, by their inputs."""

    kind: str
    """`ramp` or `zone`."""
    place: str
    x: float
    y: float
    sensors: tuple[Sensor, ...]


def beside(board: Board) -> tuple[BesideBoard, ...]:
    """All of them: the end zones, of which the first feels the lights' 5 V, then the ramps."""
    zones = [it for it in board.zones if f"floor:{it.id}" in board.sensor]
    rails = [it for it in board.sensors if it.kind == "rail" and it.source == "pico"]
    found = [
        BesideBoard("zone", zone.id, *board.zone_point(zone), (board.sensor[f"floor:{zone.id}"],))
        for zone in zones
    ]
    if found and len(rails) == 1:
        found[0] = replace(found[0], sensors=(*found[0].sensors, *rails))
    for cell in dict.fromkeys(ramp.cell for ramp in board.ramps):
        loads = [board.sensor.get(f"load:{it.id}") for it in board.ramps if it.cell == cell]
        there = tuple(it for it in loads if it is not None)
        if there and len(there) == len(loads) <= len(INPUTS):
            middle = sum(it.x for it in there) / len(there)
            found.append(BesideBoard("ramp", cell, middle, there[0].y, there))
    return tuple(found)


# ------------------------------------------------------------------------------------- the ramps


def ramp_circuit(lanes: int) -> tuple[CircuitPart, ...]:
    """All parts of a ramp's circuit board: input A is the first lane."""
    beams = (it for k in range(lanes) for it in beam(k + 1, INPUTS[k], PULL, "r4k7"))
    return (*_chained(INPUTS[:lanes]), *beams)


def _chained(used: str) -> Iterator[CircuitPart]:
    """What each has: plugs, a register, what drives the clock on."""
    yield from (it for it in plugs(0) if it.ref != "J3")
    yield register(used)
    yield two("C8", "100n", "3V3", "GND", "c100n")
    yield from buffer()


def ramp_placed(ramp: BesideBoard, parts: Sequence[CircuitPart]) -> ModulePlan:
    """Every part in its place. Raises `BadText` where lanes are too near."""
    xs = [it.x - ramp.x for it in ramp.sensors]
    least = 2 * LANE_LEADS_MM + BETWEEN_MM
    gaps = [b - a for a, b in pairwise(sorted(xs))]
    if len(xs) != 3 or min(gaps) < least:
        raise BadText("module.lanes", lanes=len(xs), has=mm(min(gaps, default=0)), least=mm(least))
    wide = max(xs) + LANE_LEADS_MM + RIM_MM
    places = tuple(SetPart(part, *_on_ramp(part.ref, xs)) for part in parts)
    return _rectangle(wide, *RAMP_MM, places)


def _on_ramp(ref: str, xs: Sequence[float]) -> Spot:
    kind, number = ref[0], int(ref[1:])
    fixed: dict[str, Spot] = {
        "J1": (min(xs), 6.4, 0.0, True),
        "J2": (max(xs), 6.4, 180.0, True),
        "U1": (0.0, 5.6, 0.0, False),
        "C8": (0.0, 9.5, 0.0, False),
        "U3": (14.6, 6.0, 0.0, False),
        "C9": (14.6, 9.0, 180.0, False),
        "R15": (18.8, 6.0, 90.0, False),
    }
    if ref in fixed:
        return fixed[ref]
    lane = xs[(number - 1) % 7]
    side = -1 if kind == "E" or (kind == "R" and number < 8) else 1
    off = LANE_LEADS_MM if kind in "EQ" else LANE_LEADS_MM - 4.0
    return lane + side * off, 0.0, -90.0 if kind == "Q" else 90.0, False


# --------------------------------------------------------------------------------- the end zones


def zone_circuit() -> tuple[CircuitPart, ...]:
    """All parts of an end zone's circuit board: A is the beam, B whether the lights have 5 V."""
    return (*_chained("AB"), *beam(1, "A", PULL, "r4k7"), *_rail())


def _rail() -> Iterator[CircuitPart]:
    pins = (
        CircuitPin("1", "HALF"),
        CircuitPin("2", "GND", "power_in"),
        CircuitPin("3", "IN_B", "output"),
    )
    yield CircuitPart("T1", "2N7002", "sot23", pins, "mosfet")
    yield two("R16", "10k", "5V", "HALF", "r10k")
    yield two("R17", "22k", "HALF", "GND", "r22k")
    yield two("R18", "10k", "3V3", "IN_B", "r10k")


def zone_placed(board: Board, ball_mm: float, parts: Sequence[CircuitPart]) -> ModulePlan:
    """Every part in its place. Raises `BadText` where there is no room between its leads."""
    wide, low, high = ZONE_MM
    led, eye = zone_leads(board, ball_mm)
    if eye < (least := high - RIM_MM - 1.0) or led > low + RIM_MM + 1.0:
        raise BadText("module.throat", has=mm(eye), least=mm(least), pitch=mm(board.pitch))
    places = tuple(SetPart(part, *_on_zone(part.ref, led, eye)) for part in parts)
    return _rectangle(wide, min(low, led - RIM_MM), max(high, eye + RIM_MM), places)


def zone_leads(board: Board, ball_mm: float) -> tuple[float, float]:
    """How far above where a ball lies the leads of LED (it is below) and phototransistor are."""
    below, above = zone_faces(board, board.zones[0], ball_mm)
    return below - LEADS_MM, above + LEADS_MM


def _on_zone(ref: str, led: float, eye: float) -> Spot:
    return {
        "J1": (-8.4, -4.9, 0.0, True),
        "J2": (8.4, -4.9, 180.0, True),
        "U1": (-1.0, 2.6, 0.0, False),
        "C8": (-1.0, 6.4, 0.0, False),
        "U3": (8.2, 1.6, 0.0, False),
        "C9": (8.2, 4.6, 180.0, False),
        "R15": (12.4, 1.6, 90.0, False),
        "E1": (0.0, led, 0.0, False),
        "R1": (4.4, led, 0.0, False),
        "Q1": (0.0, eye, 180.0, False),
        "R8": (4.6, eye, 0.0, False),
        "T1": (-9.6, 2.6, 180.0, False),
        "R16": (-9.6, 6.0, 0.0, False),
        "R17": (-13.6, 2.6, 90.0, False),
        "R18": (-9.6, -0.6, 0.0, False),
    }[ref]


def _rectangle(half: float, low: float, high: float, places: tuple[SetPart, ...]) -> ModulePlan:
    """With the clock from the upper left corner."""
    corners = ((-half, high), (half, high), (half, low), (-half, low))
    return ModulePlan(corners, 0.0, places, (), sunk="GND", corner_mm=CORNER_MM)
