"""Sheets to print: a board as a mat with its markers, and the ChArUco sheet that calibrates a lens.

Both are lists of shapes in mm for `hexboard.board.paper`.
"""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from hexboard.appearance import CHARUCO, DICTIONARY, KIT, PATCH_MM, QUIET_MM, Colour
from hexboard.board import Board, Cell
from hexboard.board.areas import Areas, borders, heads
from hexboard.board.paper import Box, Item, Point, Polygon, Text, Tone, rectangle
from hexboard.vision.marks.markers import Marker, marker_side, markers, paper
from hexboard.words import message, say

GREY = 0.5
BESIDE = ((1, 0), (1, 0), (-1, 0), (0, -1), (-1, 0), (1, 0), (1, 0), (0, -1))
"""On which side of each marker its patch lies (right, up): along the mat's rim."""


BORDER_GREY, BORDER_MM = 0.3, 0.8
"""The line between two areas: twice that between cells, and light enough not to be read as print
on a piece (`tests.benchmarks.vision_cells --kind sectors`)."""


def mat(board: Board, ground: Colour = KIT.paper, areas: Areas | None = None) -> tuple[Item, ...]:
    """The board at true scale: cells with their names, areas with borders and theirs, lanes, end
    zones, markers, a scale bar. The cells are of this colour once they are printed; those of
    `KIT.paper` are left bare."""
    divided = _areas(board, areas or {})
    return (*_cells(board, ground), *divided, *_lanes(board), *_markers(board), *_scale(board))


def _areas(board: Board, areas: Areas) -> Iterator[Item]:
    """Where areas end, and in a cell of each its name, across from the cell's own."""
    for ends in borders(board, areas):
        yield Polygon(ends, None, BORDER_GREY, BORDER_MM)
    for name, cell in heads(board, areas).items():
        y = cell.y + _name_below(board, cell)
        yield Text(cell.x, y, name, board.pitch / 7, BORDER_GREY, bold=True)


def _cells(board: Board, ground: Colour) -> Iterator[Item]:
    size = min(4.0, board.pitch / 9)
    fill = None if ground == KIT.paper else inked(ground)
    for cell in board.cells:
        yield Polygon(board.corners(cell.id), fill, 0.55, 0.35)
    for cell in board.cells:
        yield Text(cell.x, cell.y - _name_below(board, cell), cell.id, size, 0.6)


def inked(colour: Colour) -> Tone:
    """What to print on paper that it is of this colour, or as near as ink comes."""
    both = zip(colour, KIT.ink, KIT.paper, strict=True)
    shares = ((share - ink) / (white - ink) for share, ink, white in both)
    blue, green, red = (
        12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055
        for share in shares
    )
    return _share(red), _share(green), _share(blue)


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 3)


def _name_below(board: Board, cell: Cell) -> float:
    """How far under the middle a cell's name stands, so that a piece does not always hide it."""
    return min(y for _, y in board.corners(cell.id)) * -1 + cell.y - board.pitch * 0.16


def _lanes(board: Board) -> Iterator[Item]:
    for ramp in board.ramps:
        yield _line(board.lane_point(ramp), board.edge_point(ramp.cell, ramp.edge, 2))
    for zone in board.zones:
        for edge in zone.edges:
            yield _line(board.edge_point(zone.cell, edge, 2), board.zone_point(zone))


def _line(start: Point, end: Point) -> Polygon:
    return Polygon((start, end), None, 0.4, 1.2)


def _markers(board: Board) -> Iterator[Item]:
    bits = _dictionary(DICTIONARY)
    for marker, (right, up) in zip(markers(board), BESIDE, strict=True):
        step = marker.side / 2 + QUIET_MM + PATCH_MM / 2
        yield from printed(bits, marker)
        x, y = marker.x + right * step, marker.y + up * step
        yield rectangle(Box(x, y, x, y).grown(PATCH_MM / 2), GREY)


def printed(dictionary: Any, marker: Marker) -> Iterator[Polygon]:
    """A marker as a black square with white cells."""
    size, side = marker.side, dictionary.markerSize + 2
    picture = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
    left, high, step = marker.x - size / 2, marker.y + size / 2, size / side
    yield rectangle(Box(left, high - size, left + size, high), 0.0)
    white = picture > 0
    for row, column in np.argwhere(white).tolist():
        x, y = left + column * step, high - row * step
        # over the seams to the right and below too, where renderers leave hairlines
        wide = 2 if column + 1 < side and white[row, column + 1] else 1
        tall = 2 if row + 1 < side and white[row + 1, column] else 1
        yield rectangle(Box(x, y - step, x + wide * step, y), 1.0)
        if tall == 2:
            yield rectangle(Box(x, y - 2 * step, x + step, y), 1.0)


def _scale(board: Board) -> Iterator[Item]:
    """A bar of 50 mm, to see with a ruler whether the printer kept the scale."""
    box = paper(board)
    x, y = (box.left + box.right) / 2 + marker_side(board), box.low + QUIET_MM
    for k in range(5):
        yield rectangle(Box(x + 10 * k, y, x + 10 * k + 10, y + 2), 0.0 if k % 2 == 0 else 1.0, 0.0)
    yield Text(x + 25, y + 5, say(message("sheet.bar", board=board.name)), 3.0, 0.3)


# -------------------------------------------------------------------------------------- ChArUco


def charuco_board() -> Any:
    """OpenCV's board of the sheet; lengths in mm."""
    return cv2.aruco.CharucoBoard(
        (CHARUCO.columns, CHARUCO.rows),
        CHARUCO.square_mm,
        CHARUCO.marker_mm,
        _dictionary(CHARUCO.dictionary),
    )


def charuco_box() -> Box:
    return Box(0, 0, CHARUCO.columns * CHARUCO.square_mm, CHARUCO.rows * CHARUCO.square_mm)


def charuco() -> tuple[Item, ...]:
    """The ChArUco sheet: black squares, a marker in each white one."""
    board, box = charuco_board(), charuco_box()
    bits = board.getDictionary()
    items: list[Item] = []
    for row in range(CHARUCO.rows):
        for column in range(CHARUCO.columns):
            if (row + column) % 2 == 0:  # as OpenCV draws it: the first square is black
                x, y = column * CHARUCO.square_mm, box.high - row * CHARUCO.square_mm
                items.append(
                    rectangle(Box(x, y - CHARUCO.square_mm, x + CHARUCO.square_mm, y), 0.0)
                )
    for number, corners in zip(board.getIds().ravel(), board.getObjPoints(), strict=True):
        x, y = corners[:, 0].mean(), box.high - corners[:, 1].mean()
        items += printed(bits, Marker(int(number), float(x), float(y), CHARUCO.marker_mm))
    return tuple(items)


def _dictionary(name: str) -> Any:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
