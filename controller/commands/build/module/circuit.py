"""Which pin of a slot's circuit board is on which net, and whether that is sound; and what every
circuit board of a chain has: plugs, register, buffer.

The circuits are those of hardware/wiring.md. Inputs A to F of the register are the beams at the
slot's edges 1 to 6, G the one under it, H its seat. `mistakes` is the electrical check: KiCad 6 has
none without its windows, and the rules that matter here are five.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

EDGES = (1, 2, 3, 4, 5, 6)
INPUTS = "ABCDEFGH"
FALL = 7
"""The number of the beam under the slot, after those at its edges."""
PLUG = ("5V", "GND", "3V3", "LATCH", "CLOCK", "DATA", "LIGHT")
"""What is on pins 1 to 7 of both plugs. On the way to the Pico is J1, J2 on the way to the next."""

SOCKET = "MF254V-11-02-0743"
"""Takes the two legs of an LED or phototransistor: round, 2.54 mm apart."""

Kind = Literal["input", "output", "passive", "power_in", "power_out", "unused"]


class CircuitPin(Struct, frozen=True):
    """A pin of a part: its net, and what it does there."""

    name: str
    net: str
    kind: Kind = "passive"


class CircuitPart(Struct, frozen=True):
    """A part, by the name that is printed beside it."""

    ref: str
    value: str
    body: str
    """Of which shape it is: a key of `placing.BODIES`."""
    pins: tuple[CircuitPin, ...]
    part: str
    """Which part of hardware/parts.toml it is; "" for one that only a circuit board has."""
    fitted: bool = True
    """Whether a board house puts it on; else it is copper alone, or a place for who needs it."""


def circuit(under: bool = True) -> tuple[CircuitPart, ...]:
    """All parts of one slot's circuit board; whether the beam `under` it is fitted, whose LED is
    always on."""
    return (*plugs(len(EDGES)), register(INPUTS), *buffer(), *_seat(), *_beams(under), *_lights())


def plugs(lights: int) -> Iterator[CircuitPart]:
    """What comes in at one plug goes out at the other; data go the other way than all else."""
    towards = dict(zip(PLUG, PLUG, strict=True)) | {"DATA": "DATA_OUT", "LIGHT": "LIGHT_0"}
    away = dict(zip(PLUG, PLUG, strict=True)) | {"DATA": "DATA_IN", "LIGHT": f"LIGHT_{lights}"}
    away["CLOCK"] = "CLOCK_OUT"
    gives: dict[str, Kind] = {"DATA": "input"}
    takes: dict[str, Kind] = {"DATA": "output", "LATCH": "input", "CLOCK": "passive"}
    for ref, nets, first in (("J1", towards, True), ("J2", away, False)):
        pins = []
        for number, name in enumerate(PLUG, 1):
            power: Kind = "power_out" if first else "power_in"
            signal = gives.get(name, "output") if first else takes.get(name, "input")
            pins.append(CircuitPin(str(number), nets[name], power if number <= 3 else signal))
        yield CircuitPart(ref, "B7B-PH-K", "plug", tuple(pins), "")
    feed = (CircuitPin("1", "5V"), CircuitPin("2", "GND"))
    yield CircuitPart("J3", "5 V, where it is fed", "feed", feed, "", fitted=False)


def register(used: str) -> CircuitPart:
    """The pins of a 74HC165, 1 to 16. Inputs that are not used are high."""
    inputs = {11: "A", 12: "B", 13: "C", 14: "D", 3: "E", 4: "F", 5: "G", 6: "H"}
    rest: dict[int, tuple[str, Kind]] = {
        1: ("LATCH", "input"),
        2: ("CLOCK", "input"),
        7: ("", "unused"),  # QH inverted
        8: ("GND", "power_in"),
        9: ("DATA_OUT", "output"),
        10: ("DATA_IN", "input"),
        15: ("GND", "input"),  # CLK INH
        16: ("3V3", "power_in"),
    }
    nets = {name: f"IN_{name}" if name in used else "3V3" for name in INPUTS}
    on = rest | {number: (nets[name], "input") for number, name in inputs.items()}
    pins = tuple(CircuitPin(str(number), *on[number]) for number in range(1, 17))
    return CircuitPart("U1", "74HC165PW", "tssop16", pins, "register")


def buffer() -> Iterator[CircuitPart]:
    """The clock is driven anew for the next slot: along a bare bus its edges would ring. The latch
    may ring: it is a level, and loads what it has loaded."""
    pins = (
        CircuitPin("1", "", "unused"),
        CircuitPin("2", "CLOCK", "input"),
        CircuitPin("3", "GND", "power_in"),
        CircuitPin("4", "CLOCK_NEW", "output"),
        CircuitPin("5", "3V3", "power_in"),
    )
    yield CircuitPart("U3", "SN74LVC1G34DCK", "sc70-5", pins, "")
    yield two("C9", "100n", "3V3", "GND", "")
    yield two("R15", "68", "CLOCK_NEW", "CLOCK_OUT", "")


def _seat() -> Iterator[CircuitPart]:
    """An LED, and a phototransistor that pulls its input low while a tile throws its light back."""
    pins = (
        CircuitPin("1", "SEAT_LIT"),  # anode
        CircuitPin("2", "GND"),
        CircuitPin("3", "IN_H", "output"),  # collector
        CircuitPin("4", "GND"),
    )
    yield CircuitPart("U2", "TCRT5000", "reflector", pins, "seat")
    yield two("R16", "390", "5V", "SEAT_LIT", "r390")
    yield two("R17", "33k", "3V3", "IN_H", "r33k")
    yield two("C7", "100n", "3V3", "GND", "c100n")


def _beams(under: bool) -> Iterator[CircuitPart]:
    """Those at its edges may go through light guides, where less light arrives: 22 kohm."""
    for number in EDGES:
        yield from beam(number, INPUTS[number - 1], "22k", "r22k")
    for part in beam(FALL, INPUTS[FALL - 1], "10k", "r10k", soldered=True):
        yield replace(part, fitted=under or part.body != "led3")


def beam(
    number: int, name: str, pull: str, part: str, soldered: bool = False
) -> Iterator[CircuitPart]:
    """A beam that is felt on an input: LED, phototransistor, and a resistor for each.

    LED and phototransistor lie in the print, their legs in sockets here: nobody solders them there.
    """
    lit, felt = f"BEAM_{number}", f"IN_{name}"
    led = (CircuitPin("1", "GND"), CircuitPin("2", lit))  # cathode, anode
    transistor = (CircuitPin("1", felt, "output"), CircuitPin("2", "3V3"))  # emitter, collector
    if soldered:
        yield CircuitPart(f"E{number}", "IR204C-A-L", "led3", led, "led")
        yield CircuitPart(f"Q{number}", "TEFT4300", "led3", transistor, "phototransistor")
    else:
        yield CircuitPart(f"E{number}", SOCKET, "socket", led, "")
        yield CircuitPart(f"Q{number}", SOCKET, "socket", transistor, "")
    yield two(f"R{number}", "390", "5V", lit, "r390")
    yield two(f"R{number + FALL}", pull, felt, "GND", part)


def _lights() -> Iterator[CircuitPart]:
    for edge in EDGES:
        pins = (
            CircuitPin("1", f"LIGHT_{edge}", "output"),
            CircuitPin("2", "GND", "power_in"),
            CircuitPin("3", f"LIGHT_{edge - 1}", "input"),
            CircuitPin("4", "5V", "power_in"),
        )
        yield CircuitPart(f"D{edge}", "WS2812B-2020", "light", pins, "light-2020")
        yield two(f"C{edge}", "100n", "5V", "GND", "")


def two(ref: str, value: str, first: str, second: str, part: str) -> CircuitPart:
    return CircuitPart(ref, value, "0603", (CircuitPin("1", first), CircuitPin("2", second)), part)


def nets(parts: Sequence[CircuitPart]) -> dict[str, tuple[tuple[CircuitPart, CircuitPin], ...]]:
    """What is joined to what, by the net's name."""
    found = defaultdict[str, list[tuple[CircuitPart, CircuitPin]]](list)
    for part in parts:
        for pin in part.pins:
            if pin.net:
                found[pin.net].append((part, pin))
    return {name: tuple(on) for name, on in sorted(found.items())}


def mistakes(parts: Sequence[CircuitPart]) -> list[str]:
    """What is electrically unsound: in English, as KiCad says it, for who changes this file."""
    found = [f"{ref} stands here twice" for ref in _twice([part.ref for part in parts])]
    for part in parts:
        twice = _twice([pin.name for pin in part.pins])
        found += [f"{part.ref}: pin {name} stands here twice" for name in twice]
        for pin in part.pins:
            if bool(pin.net) == (pin.kind == "unused"):
                found.append(f"{part.ref} pin {pin.name}: {pin.net or 'on no net'}, {pin.kind}")
    for name, on in nets(parts).items():
        kinds = [pin.kind for _, pin in on]
        drives = kinds.count("output") + kinds.count("power_out")
        if len(on) < 2:
            found.append(f"{name}: only {on[0][0].ref} is on it")
        if drives > 1:
            found.append(f"{name}: {drives} pins drive it")
        if "input" in kinds and not drives:
            found.append(f"{name}: nothing drives its input")
        if "power_in" in kinds and "power_out" not in kinds:
            found.append(f"{name}: nothing feeds it")
    return found


def _twice(names: Sequence[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def netlist(parts: Sequence[CircuitPart], name: str) -> str:
    """The circuit as KiCad reads netlists (File, Import, Netlist)."""
    lines = ['(export (version "E")', f'  (design (source "{name}"))', "  (components"]
    lines += [f'    (comp (ref "{it.ref}") (value "{it.value}"))' for it in parts]
    lines += ["  )", "  (nets"]
    for code, (net, on) in enumerate(nets(parts).items(), 1):
        nodes = (f'(node (ref "{it.ref}") (pin "{pin.name}"))' for it, pin in on)
        lines.append(f'    (net (code "{code}") (name "{net}") {" ".join(nodes)})')
    return "\n".join([*lines, "  )", ")", ""])
