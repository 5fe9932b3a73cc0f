"""Markers: where the printed mat of a board carries its ArUco markers, and where the paper ends.

Eight markers stand round the cells, at the corners and between them: four register the board as
well as eight do, the rest are for hands that cover some. Inside them runs a plain band, the light's
reference and the line that a hand must cross. Everything in mm, in the board's own frame (y up).
"""

from zlib import crc32

from msgspec import Struct

from hexboard.appearance import BAND_MM, MARKER_MM, MARKER_SHARE, QUIET_MM
from hexboard.board import Board
from hexboard.board.paper import Box, Point

PLACES = (
    *("upper left", "top", "upper right", "right"),
    *("lower right", "bottom", "lower left", "left"),
)
"""Where each of them stands on the mat as it is printed, in words."""
COUNT = len(PLACES)
SETS = 31
"""How many boards can be told apart by their numbers: 250 // COUNT."""


class Marker(Struct, frozen=True):
    """One marker: its number in the dictionary, and its middle."""

    id: int
    x: float
    y: float
    side: float = MARKER_MM
    """Of its black square, mm."""

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """As the detector gives them: clockwise from the upper left of the printed marker."""
        h = self.side / 2
        return (
            (self.x - h, self.y + h),
            (self.x + h, self.y + h),
            (self.x + h, self.y - h),
            (self.x - h, self.y - h),
        )


def playing(board: Board) -> Box:
    """What pieces and balls can lie on: the cells, the lanes and the end zones."""
    points = [point for cell in board.cells for point in board.corners(cell.id)]
    points += [board.lane_point(ramp) for ramp in board.ramps]
    points += [board.zone_point(zone) for zone in board.zones]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def marker_side(board: Board) -> float:
    """How large a board's markers are, mm: of a larger mat the camera is farther off."""
    box = playing(board)
    return max(MARKER_MM, float(round(max(box.width, box.height) * MARKER_SHARE)))


def paper(board: Board) -> Box:
    """The whole mat."""
    return playing(board).grown(BAND_MM + QUIET_MM + marker_side(board) + QUIET_MM)


def markers(board: Board) -> tuple[Marker, ...]:
    """The board's markers, clockwise from the upper left.

    Their numbers depend on the board's name, so that most other boards are not taken for this one;
    two boards of one set differ in size, which registration notices.
    """
    size = marker_side(board)
    ring = playing(board).grown(BAND_MM + QUIET_MM + size / 2)
    middle, half = (ring.left + ring.right) / 2, (ring.low + ring.high) / 2
    spots = (
        *((ring.left, ring.high), (middle, ring.high), (ring.right, ring.high)),
        *((ring.right, half), (ring.right, ring.low), (middle, ring.low)),
        *((ring.left, ring.low), (ring.left, half)),
    )
    first = COUNT * (crc32(board.name.encode()) % SETS)
    return tuple(
        Marker(first + k, round(x, 2), round(y, 2), size) for k, (x, y) in enumerate(spots)
    )
