"""Snapshot: camera and pose of a single picture of a board, from its markers alone.

Good enough to read a photo that came from anywhere. A camera that watches a game is calibrated.
"""

from pathlib import Path

import cv2
import numpy as np

from hexboard.appearance import DICTIONARY
from hexboard.board import Board
from hexboard.vision.frame import Picture, decoded, measured
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.markers import COUNT, markers
from hexboard.vision.pose.registration import mirrored, parameters, twice
from hexboard.words.errors import BadText

LEAST_MARKERS = 4
"""Markers that a picture must show: they have to tell the lens as well."""
LONGEST_PX = 2560
"""Larger pictures are made smaller: no more can be seen in them."""
MOST_PIXELS = 200_000_000
"""No camera's pictures are larger; a small file of a huge one would take the memory."""
SHARES = (
    (8, cv2.IMREAD_REDUCED_COLOR_8),
    (4, cv2.IMREAD_REDUCED_COLOR_4),
    (2, cv2.IMREAD_REDUCED_COLOR_2),
    (0, cv2.IMREAD_COLOR),
)
"""How a picture is decoded that is so many times too large: most of it is not even unpacked."""
MOST_ERROR_PX = 3.0
"""Reprojection error of a lens that is believed."""


def load(path: Path) -> Picture:
    """A picture from a file, upright. Raises `BadPicture` for what is none, is too large, or
    cannot be read."""
    data, side = measured(path, MOST_PIXELS)
    picture = decoded(path, data, next(how for share, how in SHARES if side >= share * LONGEST_PX))
    height, width = picture.shape[:2]
    share = LONGEST_PX / max(height, width)
    if share < 1:
        size = (round(width * share), round(height * share))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8)


def placed(picture: Picture, board: Board) -> tuple[Camera, Pose]:
    """The camera and where it stands. Raises `BadText` where too few markers are seen, those of
    another board or of two, in a mirror, or such as lie otherwise than this board's; and where a
    cell is not in the picture."""
    how = parameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    detector = cv2.aruco.ArucoDetector(family, how)
    corners, ids, _ = detector.detectMarkers(grey)
    numbers = [] if ids is None else [int(i) for i in np.asarray(ids).ravel()]
    ours = {marker.id: marker.corners for marker in markers(board)}
    known = [k for k, number in enumerate(numbers) if number in ours]
    if twice({numbers[k] for k in known}, len(known)):
        raise BadText("registration.twice")
    if not numbers and mirrored(detector, grey, ours):
        raise BadText("registration.mirrored")
    if len(known) < LEAST_MARKERS:
        other = len(numbers) - len(known)
        if other >= LEAST_MARKERS:
            raise BadText("vision.other_board", board=board.name)
        raise BadText("vision.few_markers", seen=len(known), least=LEAST_MARKERS, all=COUNT)
    flat = np.concatenate([np.array(ours[numbers[k]]) for k in known])
    points = np.hstack([flat, np.zeros((len(flat), 1))]).astype(np.float32)
    spots = np.concatenate([np.asarray(corners[k], np.float32).reshape(4, 2) for k in known])
    camera, pose = _solved(picture, points, spots, board)
    rims = np.concatenate([project(camera, pose, board.corners(cell.id)) for cell in board.cells])
    if not ((rims >= 0) & (rims <= np.array(camera.size) - 1)).all():
        raise BadText("registration.outside")
    return camera, pose


def _solved(
    picture: Picture, points: np.typing.NDArray[np.float32], spots: np.typing.NDArray[np.float32],
    board: Board,
) -> tuple[Camera, Pose]:  # fmt: skip
    """A lens of one focal length and one bend, its middle in the picture's."""
    height, width = picture.shape[:2]
    guess = np.array([[width, 0, width / 2 - 0.5], [0, width, height / 2 - 0.5], [0, 0, 1]], float)
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K2
        | cv2.CALIB_FIX_K3
    )
    error, matrix, bend, turns, shifts = cv2.calibrateCamera(
        [points], [spots], (width, height), guess, np.zeros(5), flags=flags
    )
    pose = Pose(np.asarray(turns[0], float).ravel(), np.asarray(shifts[0], float).ravel())
    if error > MOST_ERROR_PX or pose.eye[2] <= 0:
        raise BadText("vision.other_shape", board=board.name)
    return Camera((width, height), np.asarray(matrix, float), np.asarray(bend, float).ravel()), pose
