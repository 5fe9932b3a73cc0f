"""What a board's parts are counted by: how many sensors, lights, registers, how much wire.

Circuits are those of hardware/wiring.md. Lengths of wire are reckoned, not drawn: each register
lies in the middle of its sensors, wires run straight, and a fifth is added for bends and waste.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby, pairwise

from hexboard.board import Board, BuildEntry, Pixel, Sensor
from hexboard.board.building import BEAMS, RIB, beams_fuse, has_led, leds

INPUTS = 8
"""Of a 74HC165."""
SLACK = 1.2
"""How much more wire than its way is long: bends, ends, waste. An assumption of ours."""
LED_LEADS, PAD_LEADS, CONTACT_LEADS = 4, 3, 2
"""How many leads go to a beam or a slot's seat (two to the LED, two to the phototransistor), to a
touch pad (3.3 V, ground, output), and to all else."""
CHAIN_LEADS = 5
"""From register to register: data, latch, clock, 3.3 V, ground."""
DRIVEN_MM = 1000.0
"""How far clock and latch are driven at once; then a 74AHC125 does it anew (hardware/wiring.md)."""
CHAIN_PINS, LIGHT_PINS, GROUND_PINS = {21, 22, 24, 36}, {29}, {23, 28, 38}
"""Pins of the Pico that go to the chain (data, latch, clock, 3.3 V), to the lights, to ground."""
CORNER_PINS = {1, 20, 21, 40}
"""The ends of the Pico's two sockets, which hold them."""
STRIP_LEADS = 3
"""From light to light: 5 V, ground, data."""
Point = tuple[float, float]


def measures(board: Board, plan: BuildEntry) -> dict[str, float]:
    """How many of each there are, less what is printed; metres of what is no number."""
    sensors = sensed(board, plan)
    registers, lit = chained(board.sensors), len(board.along)
    pins = pico_pins(board)
    return {
        "pico": int(bool(pins)),
        "pico_wired": len(pins),
        "pico_pin": len(pins | CORNER_PINS) if pins else 0,
        "register": registers,
        "chain": int(registers > 0),
        "buffer": len(buffers(board, plan)),
        **sensors,
        "strip": int(lit > 0),
        "light": lit,
        "fuse": fuses(board, plan),
        "supply": (powered := int(lit > 0 or bool(leds(board)))),
        "plug": powered,
        "cable_plug": 0,
        "power_m": _metres(2 * (plan.lead_mm * len(fed(board, plan)) + _beams_mm(board, plan))),
        "strip_m": _metres(STRIP_LEADS * _strip_mm(board)),
        "signal_m": _metres(_signal_mm(board, plan.lead_mm) + _header_mm(board, plan)),
    }


def pico_pins(board: Board) -> set[int]:
    """The pins of the Pico's header that something hangs on; none where there is no Pico."""
    chain = CHAIN_PINS if chained(board.sensors) else set()
    lights = LIGHT_PINS if board.pixels and board.strip.source == "pico" else set()
    return chain | lights | GROUND_PINS if chain or lights else set()


def wired(board: Board, plan: BuildEntry, lead_mm: float) -> dict[str, float]:
    """Metres of wire to a board's sensors, and of 5 V from register to register, both ways; the
    first register is `lead_mm` from the chain that it hangs on."""
    return {
        "signal_m": _metres(_signal_mm(board, lead_mm) + _header_mm(board, plan)),
        "beams_m": _metres(2 * _between_mm(board)),
    }


def fuses(board: Board, plan: BuildEntry) -> int:
    """One for each rail that has lights, and one for all beams that hang on none of them."""
    return len({pixel.rail for pixel in board.pixels}) + bool(beams_fuse(plan, board))


def sensed(board: Board, plan: BuildEntry) -> dict[str, float]:
    """How many sensors there are, by the circuit of each: what a seat is in a slot, where a tile
    lies, is a touch pad in a plain cell."""
    has = Counter(sensor.kind for sensor in board.sensors)
    header = sum(it.kind == "rail" and it.source != "pico" for it in board.sensors)
    beams = sum(has[kind] for kind in BEAMS)
    return {
        "beam": beams,
        "rib_beam": has[RIB],
        "open_beam": beams - has[RIB],
        "socketed": 2 * (beams - has["fall"]) if plan.slot else 0,
        "seat": has["seat"] if plan.slot else 0,
        "pad": 0 if plan.slot else has["seat"],
        "button": has["button"],
        "rail": has["rail"] - header,
        "header_rail": header,
    }


def chained(sensors: Iterable[Sensor]) -> int:
    """How many registers the Pico's sensors need: the last input decides."""
    return 1 + max((it.input for it in sensors if it.source == "pico"), default=-1) // INPUTS


def _metres(length_mm: float) -> float:
    return SLACK * length_mm / 1000


def stretches(board: Board) -> list[list[Pixel]]:
    """The strip in parts: lights in a row that one rail feeds. From part to part data and ground
    go on, 5 V do not."""
    return [list(lights) for _, lights in groupby(board.pixels, lambda light: light.rail)]


def fed(board: Board, plan: BuildEntry) -> list[Pixel]:
    """The lights to which 5 V come: the first of each part of the strip, and every so many more."""
    return [light for part in stretches(board) for light in part[:: plan.feed_every]]


def _strip_mm(board: Board) -> float:
    return sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(board.pixels))


def _beams_mm(board: Board, plan: BuildEntry) -> float:
    """From the supply to the beams of the first register, and on to the last that has any."""
    return plan.lead_mm + _between_mm(board) if beams_fuse(plan, board) else 0.0


def _between_mm(board: Board) -> float:
    """From the beams of each register to those of the next that has any."""
    ends = [_middle([(it.x, it.y) for it in near]) for near in beam_groups(board).values()]
    return sum(math.dist(a, b) for a, b in pairwise(ends))


def beam_groups(board: Board) -> dict[int, list[Sensor]]:
    """Of each register the beams and seats, whose LEDs have 5 V, in the chain's order; -1 are those
    on the Pi's own pins."""
    found: dict[int, list[Sensor]] = {}
    shining = (it for it in board.sensors if has_led(board, it))
    for it in sorted(shining, key=lambda it: (it.source == "pico", it.input)):
        found.setdefault(_register(it) if it.source == "pico" else -1, []).append(it)
    return found


def _signal_mm(board: Board, lead_mm: float) -> float:
    """Every lead from a sensor to its register, from there to the next, and on to what the first
    hangs on."""
    at, chained = middles(board), [it for it in board.sensors if it.source == "pico"]
    length = sum(_leads(board, it) * math.dist((it.x, it.y), at[_register(it)]) for it in chained)
    return length + CHAIN_LEADS * max(_far_mm(board, lead_mm).values(), default=0.0)


def _header_mm(board: Board, plan: BuildEntry) -> float:
    """Every lead to the Pi's own pins."""
    return plan.lead_mm * sum(_leads(board, it) for it in board.sensors if it.source != "pico")


def chain_mm(board: Board, plan: BuildEntry) -> dict[int, float]:
    """How much ribbon there is from the Pico to each register that has sensors, mm."""
    return _far_mm(board, plan.lead_mm)


def _far_mm(board: Board, lead_mm: float) -> dict[int, float]:
    at = middles(board)
    hops = [math.dist(a, b) for a, b in pairwise(at.values())]
    return dict(zip(at, accumulate((lead_mm, *hops)), strict=False))


def buffers(board: Board, plan: BuildEntry) -> tuple[int, ...]:
    """In front of which registers clock and latch are driven anew, so that no part of the chain is
    longer than `DRIVEN_MM`: parts of like length."""
    far = {register: SLACK * it for register, it in chain_mm(board, plan).items()}
    whole = max(far.values(), default=0.0)
    parts = math.ceil(whole / DRIVEN_MM)
    ends = [whole * k / parts for k in range(1, parts)]
    return tuple(dict.fromkeys(min(k for k, it in far.items() if it >= end) for end in ends))


def middles(board: Board) -> dict[int, Point]:
    """Where each register lies: in the middle of its sensors."""
    wired = sorted((it for it in board.sensors if it.source == "pico"), key=_register)
    groups = groupby(wired, _register)
    return {register: _middle([(it.x, it.y) for it in near]) for register, near in groups}


def _register(sensor: Sensor) -> int:
    return sensor.input // INPUTS


def _leads(board: Board, sensor: Sensor) -> int:
    if has_led(board, sensor):
        return LED_LEADS
    return PAD_LEADS if sensor.kind == "seat" else CONTACT_LEADS


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
