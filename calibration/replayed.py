"""Replayed: a recorded evening as it would have been heard with another calibration."""

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.calibration.result import Calibration, apply
from hexboard.words.errors import BadText


class OtherEars(Struct, frozen=True):
    """A board to replay on, and by which name each sensor of the recording goes there."""

    board: Board
    names: dict[str, str]


def otherwise(played: Board, calibration: Calibration) -> OtherEars:
    """The board of a recording, as `played`, with the times and exchanged wires of a calibration.

    A sensor of which that knows no clear times keeps those that it was played with. What came by a
    wire is what the calibration says hangs on it. Raises `BadText` for another board's.
    """
    if calibration.board != played.name:
        raise BadText("compare.other_board", made=calibration.board, board=played.name)
    plain = (
        replace(sensor, source=known.source, input=known.input)
        if (known := calibration.sensors.get(sensor.id))
        else sensor
        for sensor in played.sensors
    )
    board = apply(replace(played, sensors=tuple(plain)), calibration)
    at = {(sensor.source, sensor.input): sensor.id for sensor in board.sensors}
    names = {s.id: at.get((s.source, s.input), s.id) for s in played.sensors}
    return OtherEars(board, names)
