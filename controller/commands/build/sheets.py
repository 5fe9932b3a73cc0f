"""All that is written of a board for who builds it: a text a file name."""

import ast
import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from hexboard.board import DARK, Board, BuildEntry
from hexboard.commands.build.cables import cables
from hexboard.commands.build.drawing import board_drawing, slot_drawing
from hexboard.commands.build.geometry import geometry
from hexboard.commands.build.measures import buffers, chained, fed
from hexboard.devices.installer import wiring

REGISTER_PINS = ((11, "A"), (12, "B"), (13, "C"), (14, "D"), (3, "E"), (4, "F"), (5, "G"), (6, "H"))
"""Pin and name of the eight inputs of a 74HC165, by the bit that each is read as."""
HEADER = (*(1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29),)
"""Pin of the Pico's header for GP0 to GP22."""
GOES_TO = {
    "DATA": "QH (9) of register 0",
    "LATCH": "SH/LD (1) of all registers, through 100 ohm",
    "CLOCK": "CLK (2) of all registers, through 100 ohm",
    "UNUSED": "nothing: the SPI needs it",
    "STRIP": "1A (2) of the 74AHCT125",
}
"""Where the firmware's pins go."""
ANEW = "; 74AHC125: register "
"""And registers, where clock and latch are driven anew."""


def sheets(board: Board, plan: BuildEntry) -> dict[str, str]:
    """Every file, by its name."""
    found = geometry(board, plan)
    pretty = msgspec.json.format(msgspec.json.encode(found), indent=1).decode()
    pico = header(board, plan)
    drawings = {f"slots/{slot.id}.svg": slot_drawing(found, slot) for slot in found.slots}
    return {
        "geometry.json": f"{pretty}\n",
        "wiring.csv": _csv("sensor kind source input register pin name x_mm y_mm", _wires(board)),
        "chain.csv": _csv(
            "register A B C D E F G H next", _chain(board, range(chained(board.sensors)))
        ),
        "lights.csv": _csv("light cell edge x_mm y_mm rail feed", _lights(board, plan)),
        "pins.csv": _csv("name gp pin goes_to", _pins(board, plan)),
        "cables.yml": cables(board, plan, pico),
        "board.svg": board_drawing(found),
        **drawings,
    }


def header(board: Board, plan: BuildEntry) -> dict[str, int]:
    """The pins of the Pico's header, by what the firmware calls them."""
    return {name: pin for name, _, pin, _ in _pins(board, plan)}


def hand_sheets(board: Board, registers: int) -> dict[str, str]:
    """Wires and registers of the sensors that are on no circuit board, at the end of a chain of
    `registers`; none where all are on some."""
    first = min((it.input // 8 for it in board.sensors if it.source == "pico"), default=registers)
    if not board.sensors:
        return {}
    rows = _chain(board, range(first, registers))
    return {
        "wiring.csv": _csv("sensor kind source input register pin name x_mm y_mm", _wires(board)),
        "chain.csv": _csv("register A B C D E F G H next", rows),
    }


def _csv(head: str, rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head.split())
    writer.writerows(rows)
    return text.getvalue()


def _wires(board: Board) -> Iterator[tuple[object, ...]]:
    """Each sensor with its wire; those on the Pi's own pins have no register."""
    for it in sorted(board.sensors, key=lambda sensor: (sensor.source, sensor.input)):
        pin, name = REGISTER_PINS[it.input % 8]
        chained = (it.input // 8, pin, name) if it.source == "pico" else ("", "", "")
        place = (it.x, it.y) if it.placed else ("", "")
        yield it.id, it.kind, it.source, it.input, *chained, *place


def _chain(board: Board, registers: Sequence[int]) -> Iterator[tuple[object, ...]]:
    """Each register with what hangs on its inputs; what is free goes to 3.3 V."""
    on = {sensor.input: sensor.id for sensor in board.sensors if sensor.source == "pico"}
    for k in registers:
        last = k == registers[-1]
        inputs = (on.get(8 * k + bit, "3.3 V") for bit in range(8))
        yield k, *inputs, "SER to ground" if last else f"SER to QH of {k + 1}"


def _lights(board: Board, plan: BuildEntry) -> Iterator[tuple[object, ...]]:
    """Each light in its order along the strip, also one of no cell, and where 5 V come to it."""
    here = {it.index for it in fed(board, plan)}
    for index, (at, rail) in enumerate(zip(board.along, board.feeds, strict=True)):
        feed, name = "5 V" if index in here else "", board.rails[rail].id
        it = board.pixels[at]
        place = (it.cell, it.edge, it.x, it.y) if at >= 0 else (DARK, "", "", "")
        yield index, *place, name, feed


def _pins(board: Board, plan: BuildEntry) -> Iterator[tuple[str, str, int, str]]:
    """The Pico's pins, as the firmware that is put on it has them."""
    driven = ", ".join(map(str, buffers(board, plan)))
    anew = ANEW + driven if driven else ""
    for node in ast.parse(wiring(board)).body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(int(gp))) if name in GOES_TO:
                goes_to = GOES_TO[name] + (anew if name in ("LATCH", "CLOCK") else "")
                yield name, f"GP{gp}", HEADER[gp], goes_to
