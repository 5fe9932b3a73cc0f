"""How many parts each tier of a board needs, by the circuits of hardware/wiring.md."""

from collections.abc import Iterator

from hexboard.board import Board, BuildEntry
from hexboard.board.building import BEAMS

CONTACTS = ("seat", "button")
"""Sensors that are a switch or reed contact."""
PINS = {
    "Raspberry Pi Pico": 40,
    "74HC165": 16,
    "74AHCT125": 14,
    "2N7002": 3,
    "light": 4,
}
"""Pins of the parts that have more than two."""


def parts(board: Board, plan: BuildEntry) -> Iterator[tuple[object, ...]]:
    """Tier, part, how many, and how many joints these are if every pin is soldered by hand."""
    for tier in plan.tiers:
        for part, count in _count(board, tier.sensors).items():
            if count:
                yield tier.id, part, count, count * PINS.get(part, 2)


def _count(board: Board, kinds: tuple[str, ...]) -> dict[str, int]:
    wired = [it for it in board.sensors if it.source == "pico" and it.kind in kinds]
    beams = sum(it.kind in BEAMS for it in wired)
    contacts = sum(it.kind in CONTACTS for it in wired)
    rails = sum(it.kind == "rail" for it in wired)
    registers = 1 + max((it.input for it in wired), default=-1) // 8
    lights = len(board.pixels)
    return {
        "Raspberry Pi Pico": 1,
        "74HC165": registers,
        "74AHCT125": int(lights > 0),
        "infrared LED": beams,
        "phototransistor": beams,
        "switch or reed contact": contacts,
        "2N7002": rails,
        "light": lights,
        "resistor 390 ohm": beams,
        "resistor 4.7 kohm": beams,
        "resistor 10 kohm": contacts + 2 * rails,
        "resistor 22 kohm": rails,
        "resistor 330 ohm": int(lights > 0),
        "resistor 100 ohm": 2 * (registers > 0),
        "capacitor 100 nF": registers + (lights > 0),
        "capacitor 1000 uF": int(lights > 0),
        "fuse": len({pixel.rail for pixel in board.pixels}),
    }
