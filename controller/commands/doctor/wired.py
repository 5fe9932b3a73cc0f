"""What the doctor sees of a board: its devices, each asked as `run` asks it, and calibrations."""

import contextlib
import queue
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hexboard.commands.doctor.checked import Checked, good, look, mend, why
from hexboard.words import message
from hexboard.words.errors import HexboardError
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.devices.probe import BoardInfo
    from hexboard.facts import Report
    from hexboard.settings import Settings

LISTENING_S = 1.0
"""So long the Pico is listened to, and"""
LOOKS_S = 1.5
"""at most so long until it tells how often it looks at its sensors, as each second."""
PULSE_MS = 8
"""A fast ball is over a sensor for so long: whoever does not look meanwhile does not see it."""
OPENING_S = 5.0
"""So long pins and a strip may take to answer."""
NAMED = 8
"""So many active sensors are named."""
VIEW = (1280, 720)
"""What a camera is asked for, px."""


def devices(board: "Board", chosen: "Settings", simulate: bool) -> Iterator[Checked]:
    """The Pico, pins and strip of the Pi itself, the camera: whatever this board is wired to."""
    from hexboard.devices.installer import build
    from hexboard.devices.open import chain, simulated

    if simulate:
        yield from _simulated(simulated(board))
        return
    if chain(board) or _on_pico(board):
        yield from _pico(board, chosen.link.port, build(board))
    yield from _header(board)
    if chosen.camera.source:
        yield _camera(chosen.camera.source)


def _on_pico(board: "Board") -> bool:
    return bool(board.pixels) and board.strip.source == "pico"


def _simulated(board: "Board") -> Iterator[Checked]:
    """The firmware itself, in an interpreter on this computer."""
    from hexboard.devices.open import chain
    from hexboard.simulator.twin import NoTwinError, Twin

    try:
        twin = Twin(len(chain(board)), len(board.along))
    except (NoTwinError, OSError) as error:  # no pseudo-terminal: a root without /dev/pts
        yield mend("pico", why(error))
        return
    with twin:
        yield from _pico(board, twin.port)


def _pico(board: "Board", port: str, build: str = "") -> Iterator[Checked]:
    """Who answers on the port, how well, and what it sees; of which `build` it should be."""
    from hexboard.devices.link import ended, misfit, other_build
    from hexboard.devices.open import chain
    from hexboard.devices.probe import NoBoardError, probing

    wires = chain(board)
    try:
        with probing(port) as probe:
            since, seen = time.monotonic(), probe.seen
            while (heard := time.monotonic() - since) < LOOKS_S:
                if heard >= LISTENING_S and seen.look_us is not None:
                    break
                probe.turn()
    except NoBoardError as error:
        yield mend("pico", why(error))
        return
    said = message(
        "doctor.pico",
        port=seen.port,
        firmware=seen.firmware,
        inputs=seen.inputs,
        pixels=seen.pixels,
        trip=decimal((seen.round_trip_us or 0) / 1000, 1),
    )
    yield good("pico", said)
    lit = len(board.along) if _on_pico(board) else 0
    wrong = misfit(seen.port, (seen.inputs, seen.pixels), wires, lit)
    if wrong := wrong or other_build(seen.build, build):
        yield mend("pico", why(wrong))
    if seen.ended:
        yield look("pico", why(ended(seen.ended)))
    bad = seen.bad_here + seen.bad_there
    if bad or seen.lost:
        said = message("doctor.wire", lost=seen.lost, bad=bad)
        yield look("pico", said, message("doctor.wire_todo"))
    if wires:
        yield from _looks(seen, bool(build))
    yield from _sensors(wires, seen)


def _looks(seen: "BoardInfo", real: bool) -> Iterator[Checked]:
    """How often the Pico looks at its sensors, where it says so; a simulated one waits for this
    computer."""
    if seen.look_us is None:
        return
    longest = seen.longest_us / 1000
    every, worst = seen.look_us, decimal(longest, 1)
    if longest < PULSE_MS or not real:
        yield good("looks", message("doctor.scan", every=every, longest=worst))
    else:
        said = message("doctor.scan_slow", every=every, longest=worst)
        yield look("looks", said, message("doctor.scan_todo"))


def _sensors(wires: list[str], seen: "BoardInfo") -> Iterator[Checked]:
    """What the Pico's sensors say while nobody plays."""
    there = [name for name in wires if name]
    active = [wires[i] for i in seen.high if i < len(wires) and wires[i]]
    if not there:
        return
    if not seen.chain:
        yield mend("sensors", message("firmware.chain"))
    elif len(active) == len(there):
        yield mend("sensors", message("firmware.all_active"))
    elif active:
        names = ", ".join(active[:NAMED]) + " …" * (len(active) > NAMED)
        yield look("sensors", message("doctor.active", names=names), message("doctor.active_todo"))
    else:
        yield good("sensors", message("doctor.quiet", count=len(there)))


def _header(board: "Board") -> Iterator[Checked]:
    """Pins and strip of the Pi itself, opened as `run` opens them."""
    from hexboard.devices.open import Wires
    from hexboard.facts import Presence

    pins = tuple(s for s in board.sensors if s.source == "gpio")
    pixels = () if _on_pico(board) else board.pixels
    wanted = bool(pins) + bool(pixels)
    if not wanted:
        return
    said: queue.SimpleQueue[Report] = queue.SimpleQueue()
    told: dict[str, Presence] = {}
    end = time.monotonic() + OPENING_S
    with contextlib.closing(Wires(replace(board, sensors=pins, pixels=pixels), "", said.put)):
        while len(told) < wanted and (left := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                report = said.get(timeout=left)
                if isinstance(report.body, Presence):
                    told[report.source] = report.body
    for source, presence in sorted(told.items()):
        if presence.up:
            yield good(source, message("doctor.opened"))
        else:
            yield mend(source, why(presence.why))
    if len(told) < wanted:
        yield mend("pins", message("doctor.no_answer", seconds=round(OPENING_S)))


def _camera(source: str) -> Checked:
    """One picture of it."""
    try:
        from hexboard.vision.camera.capture import opened
        from hexboard.vision.frame import spoken
    except ImportError:
        return mend("camera", message("vision.not_installed"))
    try:
        with contextlib.closing(opened(source, VIEW)) as camera:
            height, width = camera.read().image.shape[:2]
    except HexboardError as error:
        return mend("camera", why(error))
    camera_there = message("doctor.camera", camera=spoken(source), width=width, height=height)
    return good("camera", camera_there)


def calibrations(
    home: Path, board: "Board", chosen: "Settings", simulate: bool
) -> Iterator[Checked]:
    """What is calibrated, and how well."""
    from hexboard.commands.calibrate.results import STEPS, found_by

    for step in STEPS:
        if step == "sensors" or chosen.camera.source:
            found = found_by(home, board, step, simulate)
            said = message("doctor.calibrated", step=step, why=found.said)
            yield (good if found.good else look)("calibration", said)
            if found.figures.get("lean", {}).get("sure"):
                yield look("level", why(found.figures["said"][-1]))
    if not simulate:
        yield from _elsewhere(home, board, chosen.link.port)


def _elsewhere(home: Path, board: "Board", port: str) -> Iterator[Checked]:
    """Whether the sensors were calibrated with the Pico that is there: a card that was cloned says
    which wires of the first board are exchanged."""
    from hexboard.calibration import result
    from hexboard.devices import ports

    with contextlib.suppress(HexboardError):  # that it is no good was said
        kept = result.load(result.place(home, board))
        if (other := result.elsewhere(kept, ports.serial(port))) is not None:
            yield look("calibration", other)
