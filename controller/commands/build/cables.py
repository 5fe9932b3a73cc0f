"""The cables between Pico, registers, lights and supply, as WireViz (wireviz.org) draws them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from hexboard.board import Board, BuildEntry
from hexboard.board.building import beams_fuse
from hexboard.commands.build.measures import beam_groups, buffers, chained, fed, stretches

VOLTS_3, VOLTS_5, GROUND = "OG", "RD", "BK"
"""Colours of 3.3 V, 5 V and ground in every cable, as IEC 60757 shortens them."""
BUS = {VOLTS_3: 16, GROUND: 8, "YE": 2, "GN": 1}
"""What all registers share, by colour: the pin of a 74HC165 for 3.3 V, ground, CLK and SH/LD."""
SUPPLY_PINS = {VOLTS_3: 36, GROUND: 38}
"""Pins of the Pico's header: 3V3(OUT), and the ground beside it."""


class CablePlan:
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

    def text(self) -> str:
        """All of it, as WireViz reads it."""
        parts = {"connectors": self.connectors, "cables": self.cables}
        text = msgspec.json.encode({**parts, "connections": self.connections})
        return msgspec.json.format(text, indent=1).decode() + "\n"


def cables(board: Board, plan: BuildEntry, pico: Mapping[str, int]) -> str:
    """The plan of a board, as YAML in the part of it that is JSON too; `pico` are the pins of the
    Pico's header, by what the firmware calls them."""
    drawn = CablePlan()
    registers = chained(board.sensors)
    lit = Counter(board.rails[rail].id for rail in board.feeds)
    draw_pico(drawn, pico, bool(registers), bool(lit))
    _chain(drawn, pico, registers, buffers(board, plan))
    if lit or beam_groups(board):
        draw_supply(drawn, plan)
    _strips(drawn, board, plan, pico, lit)
    _beams(drawn, board, plan)
    draw_senses(drawn, board, lit)
    return drawn.text()


def draw_pico(drawn: CablePlan, pico: Mapping[str, int], chained: bool, lit: bool) -> None:
    names = [*(["DATA", "LATCH", "CLOCK"] if chained else []), *(["STRIP"] if lit else [])]
    labels = {pico[name]: name for name in names} | {36: "3V3(OUT)", 38: "GND"}
    drawn.part("Pico", "Raspberry Pi Pico", labels, "USB to the computer")


def _chain(
    drawn: CablePlan, pico: Mapping[str, int], registers: int, driven: Sequence[int]
) -> None:
    """Each register, from the Pico on."""
    bus = [*SUPPLY_PINS.values(), pico["CLOCK"], pico["LATCH"]]
    notes = "100 ohm in CLK and SH/LD, at the Pico"
    draw_chain(drawn, ("Pico", pico["DATA"], bus, notes), range(registers), driven)


def draw_chain(
    drawn: CablePlan,
    first: tuple[str, int, list[int], str],
    registers: Sequence[int],
    driven: Sequence[int],
) -> None:
    """Each register, and from each to the next: QH goes to SER of the one before it. In front of
    those in `driven` a buffer sends clock and latch on. `first` is what they hang on, with its pins
    for data and the bus, and what its cable says."""
    labels = {9: "QH", 10: "SER", 16: "VCC", 8: "GND", 2: "CLK", 1: "SH/LD"}
    before, data, bus, notes = first
    for k in registers:
        name, last = f"Register {k}", "SER to ground" if k == registers[-1] else ""
        drawn.part(name, "74HC165, CLK INH (15) to GND", labels, last)
        if k in driven:
            drawn.cable(before, [data], ["WH"], name, [9])
            drawn.cable(*_buffer(drawn, k, before, bus, notes), name, [*BUS.values()])
        else:
            ribbon = drawn.cable(before, [data, *bus], ["WH", *BUS], name, [9, *BUS.values()])
            ribbon |= {"notes": notes} if notes else {}
        before, data, bus, notes = name, 10, [*BUS.values()], ""


def _buffer(
    drawn: CablePlan, register: int, before: str, bus: Sequence[int], notes: str
) -> tuple[str, Sequence[int], Sequence[str]]:
    """The buffer in front of a register, with its cable from what is before it; its name, outputs
    and their colours."""
    name, labels = f"Buffer {register}", {14: "VCC", 7: "GND", 2: "1A", 5: "2A", 3: "1Y", 6: "2Y"}
    drawn.part(
        name, "74AHC125 at 3.3 V, 100 nF", labels, "1OE to 4OE, 3A, 4A to GND; 100 ohm in 1Y, 2Y"
    )
    drawn.cable(before, bus, [*BUS], name, [14, 7, 2, 5]).update({"notes": notes} if notes else {})
    return name, [14, 7, 3, 6], [*BUS]


def draw_supply(drawn: CablePlan, plan: BuildEntry) -> None:
    drawn.part("Supply", f"5 V, {plan.supply_ma} mA", {1: "5 V", 2: "ground"})


def thick(plan: BuildEntry) -> dict[str, Any]:
    """The wire from the supply to whatever it feeds."""
    return {"gauge": f"{plan.wire_mm2} mm2", "length": plan.lead_mm / 1000}


def draw_fuse(drawn: CablePlan, plan: BuildEntry, name: str, rated: int | None) -> str:
    """A fuse with its wire from the supply, once; its name."""
    if name not in drawn.connectors:
        drawn.part(name, f"{rated / 1000:g} A" if rated else "none given", {1: "5 V"})
        drawn.cable("Supply", [1], [VOLTS_5], name, [1]).update(thick(plan))
    return name


def _beams(drawn: CablePlan, board: Board, plan: BuildEntry) -> None:
    """5 V for the LEDs of beams and seats, behind a fuse, from register to register; of one that is
    shorted in a thin lead no more flows than its resistor lets through."""
    groups, wires = beam_groups(board), thick(plan)
    if not groups:
        return
    if fuse := beams_fuse(plan, board):
        before = draw_fuse(drawn, plan, "Fuse of the beams", fuse)
    else:
        before = draw_fuse(drawn, plan, f"Fuse {plan.beams_on}", plan.fuses.get(plan.beams_on))
    first = draw_beams(drawn, board, wires["gauge"])
    drawn.cable(before, [1], [VOLTS_5], first, [1]).update(wires)
    drawn.cable("Supply", [2], [GROUND], first, [2]).update(wires)


def draw_beams(drawn: CablePlan, board: Board, gauge: str) -> str:
    """The LEDs of each register, 5 V from one to the next; the name of the first."""
    names: list[str] = []
    for register, near in beam_groups(board).items():
        name = f"Beams of register {register}" if register >= 0 else "Beams at the Pi"
        notes = "390 ohm of each here, before its thin lead"
        drawn.part(name, f"{len(near)} LEDs", {1: "5 V", 2: "GND"}, notes)
        if names:
            between = drawn.cable(names[-1], [1, 2], [VOLTS_5, GROUND], name, [1, 2])
            between["gauge"] = gauge
        names.append(name)
    return names[0]


def draw_senses(drawn: CablePlan, board: Board, lit: Mapping[str, int]) -> None:
    """What feels the 5 V of a rail sits behind its fuse: blown, there is no power."""
    for it in (it for it in board.sensors if it.kind == "rail" and it.place in lit):
        sense, first = f"Sense of {it.place}", "1 kohm" if it.source != "pico" else "10 kohm"
        notes = f"{first} at the fuse, before its thin lead; output: wiring.csv"
        drawn.part(sense, "is there 5 V?", {1: "5 V", 2: "GND"}, notes)
        drawn.cable(f"Fuse {it.place}", [1], [VOLTS_5], sense, [1])
        drawn.cable("Supply", [2], [GROUND], sense, [2])


def _strips(
    drawn: CablePlan, board: Board, plan: BuildEntry, pico: Mapping[str, int], lit: Counter[str]
) -> None:
    """Of each rail its fuse and the lights to which 5 V come; data go from light to light, also
    from one rail's to the next one's."""
    parts = stretches(board)
    for k, (rail, count) in enumerate(lit.items()):
        strip, wires = f"Lights {rail}", thick(plan)
        fuse = draw_fuse(drawn, plan, f"Fuse {rail}", plan.fuses.get(rail))
        here = [it.index for it in fed(board, plan) if board.rails[it.rail].id == rail]
        pins = {3 + 2 * n: f"5 V, light {light}" for n, light in enumerate(here)}
        grounds = {pin + 1: "GND" for pin in pins}
        notes = ["1000 uF where 5 V come in"] if not k else []
        if len(lit) > 1:
            own = [part for part in parts if board.rails[part[0].rail].id == rail]
            named = ", ".join(f"{part[0].index} to {part[-1].index}" for part in own)
            notes += [f"lights {named}; from rail to rail data and GND go on, 5 V do not"]
        labels = {**({} if k else {1: "DIN"}), **dict(sorted({**pins, **grounds}.items()))}
        if not k:
            draw_shifter(drawn, plan, pico, fuse)
        drawn.part(strip, f"{count} lights", labels, "; ".join(notes))
        for pin in pins:
            drawn.cable(fuse, [1], [VOLTS_5], strip, [pin]).update(wires)
            drawn.cable("Supply", [2], [GROUND], strip, [pin + 1]).update(wires)
        if not k:
            drawn.cable("Level shifter", [3], ["WH"], strip, [1])["notes"] = (
                "330 ohm, at the shifter"
            )


def draw_shifter(drawn: CablePlan, plan: BuildEntry, pico: Mapping[str, int], fuse: str) -> None:
    """What makes 5 V levels of the Pico's, behind the fuse of the lights."""
    shifter = {2: "1A", 3: "1Y", 14: "VCC", 7: "GND", 1: "1OE"}
    notes = "1OE to 4OE (1, 4, 10, 13), 2A to 4A (5, 9, 12) to GND"
    drawn.part("Level shifter", "74AHCT125, 100 nF", shifter, notes)
    drawn.cable("Pico", [pico["STRIP"], 38], ["WH", GROUND], "Level shifter", [2, 7])
    drawn.cable(fuse, [1], [VOLTS_5], "Level shifter", [14]).update(thick(plan))
    drawn.cable("Supply", [2], [GROUND], "Level shifter", [7]).update(thick(plan))
