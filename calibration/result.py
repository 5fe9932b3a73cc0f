"""Result: what a calibration found, kept as `calibration/BOARD.json` beside the other files of a
person.

    calibration = load(path)
    board = apply(board, calibration)       # its times, and places exchanged where wires were
    unfinished(board, calibration)          # sensors that still want a visit

It is kept, with the few before it, as every result is (`store.py`).
"""

from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, Sensor
from hexboard.calibration import store
from hexboard.calibration.sensors import Finding, SensorSurvey
from hexboard.calibration.times import ENOUGH, Times
from hexboard.words.errors import BadText

STEP = "sensors"


class Measured(Struct, frozen=True):
    """One sensor: where it was wired, what is known of its place, and its times if they are."""

    source: str
    input: int
    state: str
    """`open`, `done` or `unsure`."""
    bursts: int = 0
    times: Times | None = None
    felt: int = 0
    touched: int = 0
    """Touches that it felt, of so many that were counted."""


class Calibration(Struct, frozen=True, tag_field="schema", tag="hexboard/calibration-1"):
    """What was found out about one board."""

    version: int
    """Counts the calibrations of this board."""
    board: str
    wiring: str
    """`wiring` of the board that it was made for."""
    date: str
    """When it was made, ISO 8601."""
    sensors: dict[str, Measured]
    findings: tuple[Finding, ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()
    """Pairs of sensors whose wires are exchanged, as somebody confirmed."""


def wiring(board: Board) -> str:
    """A digest of which sensor is on which input."""
    wires = [(s.id, s.source, s.input) for s in board.sensors]
    return blake2b(msgspec.json.encode(wires), digest_size=8).hexdigest()


def summary(survey: SensorSurvey, date: str) -> Calibration:
    """What a survey has found so far, as the first version of a file."""
    learner, board, findings = survey.learner, survey.board, survey.findings()
    inverted = {f.sensor for f in findings if f.kind == "inverted"}  # of no use in play
    sensors = {
        s: Measured(
            board.sensor[s].source,
            board.sensor[s].input,
            "unsure" if s in inverted else survey.state(s),
            learner.samples[s].bursts,
            learner.fit(s),
            *survey.touched(s),
        )
        for s in survey.sensors
    }
    return Calibration(1, board.name, wiring(board), date, sensors, findings)


def merged(before: Calibration | None, new: Calibration) -> Calibration:
    """The next version: what is new, and what only the one before knows of the same wires."""
    if before is None:
        return new
    sensors = dict(before.sensors)
    for sensor, it in new.sensors.items():
        old = before.sensors.get(sensor)
        if old is not None and (old.source, old.input) == (it.source, it.input):
            state = old.state if it.state == "open" else it.state
            times = it.times if it.times and (it.times.clear or not old.times) else old.times
            it = replace(it, state=state, times=times)
            if not it.touched:
                it = replace(it, felt=old.felt, touched=old.touched)
        sensors[sensor] = it
    anew = {s for s, it in new.sensors.items() if it.state != "open"}
    findings = {f for f in before.findings if f.sensor not in anew} | set(new.findings)
    swaps = {pair for pair in before.swaps if not anew & set(pair)} | set(new.swaps)
    return replace(
        new,
        version=before.version + 1,
        sensors=sensors,
        findings=tuple(sorted(findings)),
        swaps=tuple(sorted(swaps)),
    )


# -------------------------------------------------------------------------------------- a board


def apply(board: Board, calibration: Calibration) -> Board:
    """The board with the measured times, and with the wires exchanged that are.

    What is `unfinished`, or was measured on other wires (`foreign` names it), stays as the board
    has it, and so do times that are not `clear`. Raises `BadText` for the calibration of another
    board.
    """
    if calibration.board != board.name:
        raise BadText("calibration.other_board", made=calibration.board, board=board.name)
    left, wire = set(unfinished(board, calibration)), wired(board, calibration)
    known = {s: it for s, it in calibration.sensors.items() if s not in left}
    sensors = (
        _applied(sensor, board.sensor[wire[sensor.id]], known.get(wire[sensor.id]))
        for sensor in board.sensors
    )
    return replace(board, sensors=tuple(sensors))


def wired(board: Board, calibration: Calibration) -> dict[str, str]:
    """For each sensor of the board, the sensor whose wire is really its own."""
    strange = set(foreign(board, calibration))
    wire = {s.id: s.id for s in board.sensors}
    for a, b in calibration.swaps:
        if a in wire and b in wire and not strange & {a, b}:
            wire[a], wire[b] = wire[b], wire[a]
    return wire


def foreign(board: Board, calibration: Calibration) -> tuple[str, ...]:
    """Sensors of the calibration that the board does not have, or has on another input."""
    wires = {s.id: (s.source, s.input) for s in board.sensors}
    return tuple(
        s for s, it in calibration.sensors.items() if wires.get(s) != (it.source, it.input)
    )


def unfinished(board: Board, calibration: Calibration) -> tuple[str, ...]:
    """Sensors of the board that nobody visited and no rolls proved, or that are not sure."""
    strange = set(foreign(board, calibration))
    swapped = {s for pair in calibration.swaps for s in pair}
    sure = {s for s, it in calibration.sensors.items() if s in swapped or _sure(it)}
    return tuple(s.id for s in board.sensors if s.id not in sure - strange)


def _sure(measured: Measured) -> bool:
    rolled = measured.times is not None and measured.times.pulses >= ENOUGH
    return measured.state == "done" or (measured.state == "open" and rolled)


def _applied(sensor: Sensor, wire: Sensor, measured: Measured | None) -> Sensor:
    sensor = replace(sensor, source=wire.source, input=wire.input)
    times = measured and measured.times
    if not times or not times.clear:
        return sensor
    return replace(sensor, min_high=times.min_high, min_low=times.min_low, dead=times.dead)


# ------------------------------------------------------------------------------------ the file


def load(path: Path) -> Calibration:
    """Raises `BadFile`."""
    return store.load(path, Calibration, STEP)


def place(home: Path, board: Board, simulated: bool = False) -> Path:
    """Where a board's calibration is kept; a simulated board has its own."""
    return store.file(home / "calibration", STEP, board.name, simulated)
