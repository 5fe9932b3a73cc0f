"""Overlay: pictures of how good a calibration is, to look at.

Each is a picture (height, width, 3) for `cv2.imwrite`.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.markers import markers
from hexboard.words import message, say

GOOD, BAD, INK = (60, 200, 60), (40, 40, 230), (60, 60, 60)
WHITE = (255, 255, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
ENLARGED = 50.0
"""How much longer errors are drawn than they are."""
FIELDS = (5, 4)


def coverage(
    size: tuple[int, int], residuals: Sequence[tuple[float, float, float, float]], most: float
) -> Picture:
    """Every corner that a lens was measured by, where it was seen, its error as a line `ENLARGED`
    times as long, red beyond `most` px; fields without corners are grey."""
    width, height = size
    picture = np.full((height, width, 3), 255, np.uint8)
    corners = np.array(residuals, float).reshape(-1, 4)
    at = (corners[:, :2] / np.array(size) * FIELDS).astype(int).clip(0, np.array(FIELDS) - 1)
    for column in range(FIELDS[0]):
        for row in range(FIELDS[1]):
            if not (at == (column, row)).all(1).any():
                left, top = column * width // FIELDS[0], row * height // FIELDS[1]
                right, low = (column + 1) * width // FIELDS[0], (row + 1) * height // FIELDS[1]
                cv2.rectangle(picture, (left, top), (right, low), (225, 225, 225), cv2.FILLED)
    for x, y, dx, dy in corners:
        _arrow(picture, (x, y), (dx, dy), most)
    _say(picture, say(message("lens.overlay", corners=len(corners), times=round(ENLARGED))))
    return picture


def placed(picture: Picture, board: Board, camera: Camera, pose: Pose) -> Picture:
    """Cells and markers drawn where the camera is believed to see them."""
    out = picture.copy()
    shapes = [(board.corners(cell.id), GOOD) for cell in board.cells]
    shapes += [(marker.corners, BAD) for marker in markers(board)]
    for corners, colour in shapes:
        spots = project(camera, pose, corners)
        cv2.polylines(out, [_fine(spots)], True, colour, 1, cv2.LINE_AA, 4)
    return out


def mapped(
    picture: Picture,
    board: Board,
    camera: Camera,
    pose: Pose,
    lights: Sequence[str],
    names: Sequence[str],
) -> Picture:
    """The number of each light at the place where it was seen; red where the board file (`names`,
    the place of each light) has another one there."""
    out = picture.copy()
    places = dict(zip(names, ((p.x, p.y) for p in board.pixels), strict=True))
    for number, name in enumerate(lights):
        if name:
            (x, y), *_ = project(camera, pose, [places[name]])
            colour = GOOD if names[number] == name else BAD
            cv2.circle(out, (round(x), round(y)), 3, colour, cv2.FILLED, cv2.LINE_AA)
            at = round(x) + 5, round(y) + 5
            for ink, wide in ((WHITE, 3), (INK, 1)):
                cv2.putText(out, str(number), at, FONT, 0.4, ink, wide, cv2.LINE_AA)
    return out


def _arrow(
    picture: Picture, at: tuple[float, float], off: tuple[float, float], most: float
) -> None:
    bad = float(np.hypot(*off)) > most
    end = np.array(at) + np.array(off) * ENLARGED
    line = _fine(np.array([at, end]))
    cv2.polylines(picture, [line], False, BAD if bad else GOOD, 1, cv2.LINE_AA, 4)
    cv2.circle(picture, (round(at[0]), round(at[1])), 1, INK, cv2.FILLED)


def _say(picture: Picture, text: str) -> None:
    cv2.putText(picture, text, (12, picture.shape[0] - 12), FONT, 0.6, INK, 1, cv2.LINE_AA)


def _fine(spots: "np.typing.NDArray[np.float64]") -> "np.typing.NDArray[np.int32]":
    """Points in sixteenths of a pixel, as OpenCV draws them."""
    return np.asarray((spots * 16).round(), np.int32)
