"""The cables between Pico, registers, lights and supply, as WireViz (wireviz.org) draws them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from hexboard.board import Board, BuildEntry

VOLTS_3, VOLTS_5, GROUND = "OG", "RD", "BK"
"""Colours of 3.3 V, 5 V and ground in every cable, as IEC 60757 shortens them."""
BUS = {VOLTS_3: 16, GROUND: 8, "YE": 2, "GN": 1}
"""What all registers share, by colour: the pin of a 74HC165 for 3.3 V, ground, CLK and SH/LD."""
SUPPLY_PINS = {VOLTS_3: 36, GROUND: 38}
"""Pins of the Pico's header: 3V3(OUT), and the ground beside it."""


class _Plan:
    """What WireViz draws: connectors, cables, and which pin each wire joins to which."""

    def __init__(self) -> None:
        self.connectors, self.cables = dict[str, Any](), dict[str, Any]()
        self.connections: list[list[dict[str, list[int]]]] = []

    def part(self, name: str, kind: str, labels: Mapping[int, str], notes: str = "") -> None:
        said = {"notes": notes} if notes else {}
        pins, names = [*labels], [*labels.values()]
        self.connectors[name] = {"type": kind, "pins": pins, "pinlabels": names, **said}

    def cable(
        self, one: str, pins: Sequence[int], colours: Sequence[str], other: str, ends: Sequence[int]
    ) -> dict[str, Any]:
        """Join these pins of one part to those of another, wire by wire."""
        name = f"W{len(self.cables) + 1}"
        self.cables[name] = found = {"colors": [*colours]}
        wires = list(range(1, len(colours) + 1))
        self.connections.append([{one: [*pins]}, {name: wires}, {other: [*ends]}])
        return found


def cables(board: Board, plan: BuildEntry, pico: Mapping[str, int]) -> str:
    """The plan of a board, as YAML in the part of it that is JSON too; `pico` are the pins of the
    Pico's header, by what the firmware calls them."""
    drawn = _Plan()
    registers = plan.registers if any(it.source == "pico" for it in board.sensors) else 0
    lit = Counter(board.rails[it.rail].id for it in board.pixels)
    _pico(drawn, pico, registers, bool(lit))
    _chain(drawn, pico, registers)
    _strips(drawn, plan, pico, lit)
    parts = {"connectors": drawn.connectors, "cables": drawn.cables}
    text = msgspec.json.encode({**parts, "connections": drawn.connections})
    return msgspec.json.format(text, indent=1).decode() + "\n"


def _pico(drawn: _Plan, pico: Mapping[str, int], registers: int, lit: bool) -> None:
    names = [*(["DATA", "LATCH", "CLOCK"] if registers else []), *(["STRIP"] if lit else [])]
    labels = {pico[name]: name for name in names} | {36: "3V3(OUT)", 38: "GND"}
    drawn.part("Pico", "Raspberry Pi Pico", labels, "USB to the computer")


def _chain(drawn: _Plan, pico: Mapping[str, int], registers: int) -> None:
    """Each register, and from each to the next: QH goes to SER of the one before it."""
    labels = {9: "QH", 10: "SER", 16: "VCC", 8: "GND", 2: "CLK", 1: "SH/LD"}
    colours = ["WH", *BUS]
    for k in range(registers):
        notes = "SER to ground" if k + 1 == registers else ""
        drawn.part(f"Register {k}", "74HC165, CLK INH (15) to GND", labels, notes)
        if k:
            drawn.cable(
                f"Register {k - 1}",
                [10, *BUS.values()],
                colours,
                f"Register {k}",
                [9, *BUS.values()],
            )
        else:
            ends = [pico["DATA"], *SUPPLY_PINS.values(), pico["CLOCK"], pico["LATCH"]]
            ribbon = drawn.cable("Pico", ends, colours, "Register 0", [9, *BUS.values()])
            ribbon["notes"] = "100 ohm in CLK and SH/LD, at the Pico"


def _strips(
    drawn: _Plan, plan: BuildEntry, pico: Mapping[str, int], lit: Mapping[str, int]
) -> None:
    """The supply, and of each rail its fuse and where its strip is fed; the data goes from one rail
    to the next."""
    if not lit:
        return
    shifter = {2: "1A", 3: "1Y", 14: "VCC", 7: "GND", 1: "1OE"}
    drawn.part("Level shifter", "74AHCT125", shifter, "1OE and 2A to 4A to GND")
    drawn.cable("Pico", [pico["STRIP"], 38], ["WH", GROUND], "Level shifter", [2, 7])
    drawn.part("Supply", f"5 V, {plan.supply_ma} mA", {1: "5 V", 2: "ground"})
    drawn.cable("Supply", [1, 2], [VOLTS_5, GROUND], "Level shifter", [14, 7])
    for k, (rail, count) in enumerate(lit.items()):
        fuse, strip = f"Fuse {rail}", f"Lights {rail}"
        rated = f"{plan.fuses[rail] / 1000:g} A" if rail in plan.fuses else "none given"
        drawn.part(fuse, rated, {1: "5 V"})
        fed = {
            3 + 2 * it: f"5 V, light {it * plan.feed_every}"
            for it in range(-(-count // plan.feed_every))
        }
        grounds = {pin + 1: "GND" for pin in fed}
        labels = {1: "DIN", **dict(sorted({**fed, **grounds}.items()))}
        notes = "1000 uF where 5 V come in" if not k else ""
        drawn.part(strip, f"{count} lights", labels, notes)
        wires = {"gauge": f"{plan.wire_mm2} mm2", "length": plan.lead_mm / 1000}
        drawn.cable("Supply", [1], [VOLTS_5], fuse, [1]).update(wires)
        for pin in fed:
            drawn.cable(fuse, [1], [VOLTS_5], strip, [pin]).update(wires)
            drawn.cable("Supply", [2], [GROUND], strip, [pin + 1]).update(wires)
        if not k:
            drawn.cable("Level shifter", [3], ["WH"], strip, [1])["notes"] = (
                "330 ohm, at the shifter"
            )
