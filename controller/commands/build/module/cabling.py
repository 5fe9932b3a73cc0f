"""The cables at both ends of a chain of circuit boards, as WireViz (wireviz.org) draws them: what
goes to its first plug, where 5 V come to it, and what is wired by hand behind its last plug.

In between, J2 of each goes to J1 of the next, pin to pin.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from hexboard.board import Board, BuildEntry
from hexboard.commands.build.cables import (
    BUS,
    GROUND,
    SUPPLY_PINS,
    VOLTS_5,
    CablePlan,
    draw_beams,
    draw_chain,
    draw_fuse,
    draw_pico,
    draw_senses,
    draw_shifter,
    draw_supply,
    thick,
)
from hexboard.commands.build.measures import INPUTS, beam_groups, buffers
from hexboard.commands.build.module.circuit import PLUG
from hexboard.commands.build.module.fuse import lit
from hexboard.commands.build.sheets import header

PINS = {name: number for number, name in enumerate(PLUG, 1)}
"""Of a plug, by what is on each."""
BUS_PINS = [PINS[name] for name in ("3V3", "GND", "CLOCK", "LATCH")]
"""Those of a plug that are a register's bus, in the order of `BUS`."""


def chain_cables(
    board: Board,
    loose: Board,
    plan: BuildEntry,
    boards: Sequence[str],
    fed: Sequence[int],
    hop_mm: float = 0.0,
) -> str:
    """The plan of a board, as YAML in the part of it that is JSON too. `boards` are the circuit
    boards in their order, `fed` those that wires from the supply go to; `loose` has the sensors
    alone that are on none, their first register `hop_mm` from the last of them."""
    drawn, rail, pico = CablePlan(), lit(board), header(board, plan)
    draw_pico(drawn, pico, chained=True, lit=True)
    draw_supply(drawn, plan)
    fuse = draw_fuse(drawn, plan, f"Fuse {rail.id}", plan.fuses.get(rail.id))
    draw_shifter(drawn, plan, pico, fuse)
    _first(drawn, plan, pico, f"{boards[0]}, J1", fuse)
    for k in fed:
        name = f"{boards[k]}, J3"
        drawn.part(name, "two wires", {1: "5 V", 2: "GND"})
        _power(drawn, fuse, name, thick(plan))
    _last(drawn, loose, replace(plan, lead_mm=hop_mm), f"{boards[-1]}, J2")
    draw_senses(drawn, loose, {rail.id: len(board.pixels)})
    return drawn.text()


def _first(
    drawn: CablePlan, plan: BuildEntry, pico: Mapping[str, int], name: str, fuse: str
) -> None:
    """The cable of seven leads to the first circuit board."""
    labels = {number: it for it, number in PINS.items()}
    drawn.part(name, "PH, 7 pins", labels, "1000 uF where 5 V come in")
    bus = [*SUPPLY_PINS.values(), pico["CLOCK"], pico["LATCH"], pico["DATA"]]
    ribbon = drawn.cable("Pico", bus, [*BUS, "WH"], name, [*BUS_PINS, PINS["DATA"]])
    ribbon["notes"] = "100 ohm in CLOCK and LATCH, at the Pico"
    strip = drawn.cable("Level shifter", [3], ["BU"], name, [PINS["LIGHT"]])
    strip["notes"] = "330 ohm, at the shifter"
    _power(drawn, fuse, name, _thin(plan))


def _power(drawn: CablePlan, fuse: str, name: str, wire: dict[str, Any]) -> None:
    """5 V and ground for a circuit board."""
    drawn.cable(fuse, [1], [VOLTS_5], name, [PINS["5V"]]).update(wire)
    drawn.cable("Supply", [2], [GROUND], name, [PINS["GND"]]).update(wire)


def _thin(plan: BuildEntry) -> dict[str, Any]:
    """The wire of a cable with plugs, whose contacts take none that is thicker."""
    return {"gauge": f"{plan.strip_mm2} mm2"}


def _last(drawn: CablePlan, loose: Board, plan: BuildEntry, name: str) -> None:
    """What hangs on the last plug: the registers of what is wired by hand, and the LEDs of its
    beams; else data are at ground there."""
    labels = {number: it for it, number in PINS.items()}
    registers = sorted({it.input // INPUTS for it in loose.sensors if it.source == "pico"})
    drawn.part(name, "PH, 7 pins", labels, "" if registers else "pin 6 joined to pin 2")
    if registers:
        notes = "seven leads in one cable; pin 7 stays free"
        draw_chain(drawn, (name, PINS["DATA"], BUS_PINS, notes), registers, buffers(loose, plan))
    if beam_groups(loose):
        near, pins = draw_beams(drawn, loose, _thin(plan)["gauge"]), [PINS["5V"], PINS["GND"]]
        drawn.cable(name, pins, [VOLTS_5, GROUND], near, [1, 2]).update(_thin(plan))
