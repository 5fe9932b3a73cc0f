"""Lens: what a camera's lens does, measured on pictures of the ChArUco sheet.

    survey = Survey(size)
    survey.add(grey)            # what this picture brings, or why it brings nothing
    survey.missing()            # what the next one should show
    lens = survey.lens()        # raises BadLens with the reason while it is not good enough
    survey.left                 # views that do not fit the others, and are not in it

A normal lens is fitted without the sixth-order term (K3), which 20 views cannot hold; a wide one
with OpenCV's rational model.
"""

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.sheet import charuco_board
from hexboard.words import Message, message
from hexboard.words.errors import HexboardError
from hexboard.words.numbers import decimal

VIEWS = 10
"""How many views a calibration needs; twice as many halve its doubt."""
MOST_RMS_PX = 0.5
"""The reprojection error that is still taken; a good one is under 0.3."""
MOST_SIGMA = 0.002
"""How doubtful the focal length may be, as a share of it."""
LEAST_COVERAGE = 0.6
"""The share of the picture's 5 x 4 fields in which corners were seen."""
ODD_PX = 0.5
"""A view whose error is more than this, px, and `ODD` times that of most views, is left out: the
sheet was bent in it, or the picture blurred."""
ODD = 3.0
MOST_LEFT = 0.25
"""The share of the views that may be left out."""
LEAST_CORNERS = 8
TILT_DEG = 12.0
"""A view counts as tilted from here, degrees."""
FIELDS = (5, 4)
SAME = 0.03
"""Views whose corners moved by less than this share of the picture's width bring nothing new."""

Grey = NDArray[np.uint8]
Points = NDArray[np.float32]


class BadLens(HexboardError, ValueError):
    """Pictures from which no good lens can be fitted."""


class View(Struct, frozen=True, eq=False):
    """The sheet as one picture shows it."""

    objects: Points
    """Corners on the sheet, mm, (n, 1, 3)."""
    corners: Points
    """The same in the picture, px, (n, 1, 2)."""
    ids: tuple[int, ...]
    name: str = ""
    """Its file, where it comes from one."""


class Lens(Struct, frozen=True, eq=False):
    """A camera, and how well it is known."""

    camera: Camera
    rms: float
    """Reprojection error over all views, px."""
    worst: float
    """Of the worst view, px."""
    fx_sigma: float
    """One standard deviation of the focal length, as a share of it."""
    views: int
    coverage: float
    wide: bool
    residuals: tuple[tuple[float, float, float, float], ...] = ()
    """Every corner of every view: where it was seen, and how far from there it belongs, px."""


class Sheet:
    """Finds the ChArUco sheet, or another board given, in pictures."""

    def __init__(self, board: Any = None) -> None:
        self.board = board or charuco_board()
        self.detector = cv2.aruco.CharucoDetector(self.board)

    def view(self, grey: Grey) -> View | None:
        """The sheet in a grey picture; None where fewer than `LEAST_CORNERS` corners are seen."""
        corners, ids, _, _ = self.detector.detectBoard(grey)
        if ids is None or len(ids) < LEAST_CORNERS:
            return None
        corners = np.asarray(corners, np.float32).reshape(-1, 1, 2)
        ids = np.asarray(ids).reshape(-1, 1)
        objects, found = self.board.matchImagePoints(list(corners), ids)
        if objects is None or self.board.checkCharucoCornersCollinear(ids):
            return None
        objects = np.asarray(objects, np.float32).reshape(-1, 1, 3)  # OpenCV 5 drops the middle 1
        found = np.asarray(found, np.float32).reshape(-1, 1, 2)
        return View(objects, found, tuple(ids.ravel().tolist()))


class Survey:
    """Views collected so far, and what they are still short of."""

    def __init__(
        self, size: tuple[int, int], wide: bool = False, sheet: Sheet | None = None
    ) -> None:
        self.size = size
        self.wide = wide
        self.sheet = sheet or Sheet()
        self.views: list[View] = []
        self.left: list[tuple[View, float]] = []
        """The views that `lens` left out, with their errors, px."""

    def add(self, grey: Grey, name: str = "") -> Message | None:
        """Take a picture of this size in, from a file or not; None if it is taken, else why not."""
        view = self.sheet.view(grey)
        if view is None:
            return message("lens.no_sheet", least=LEAST_CORNERS)
        if any(_shift(view, old) < SAME * self.size[0] for old in self.views):
            return message("lens.same")
        self.views.append(replace(view, name=name))
        return None

    @property
    def coverage(self) -> float:
        """The share of the picture's fields in which corners were seen."""
        return float(np.mean(self._fields()))

    def missing(self) -> Message | None:
        """What the next view should bring; None when there is enough of everything."""
        if not self.views:
            return message("lens.first")
        fields = self._fields()
        if not fields.all() and (self.coverage < 0.9 or len(self.views) < VIEWS):
            row, column = (int(v) for v in np.argwhere(~fields)[0])
            return message("lens.corner", where=_where(row, column))
        tilts = [self._tilt(view) for view in self.views]
        if sum(tilt > TILT_DEG for tilt in tilts) < VIEWS // 2:
            return message(
                "lens.tilt", have=sum(tilt > TILT_DEG for tilt in tilts), want=VIEWS // 2
            )
        widths = [float(np.ptp(view.corners[:, 0, 0])) / self.size[0] for view in self.views]
        if max(widths) < 0.5:
            return message("lens.nearer")
        if len(self.views) < VIEWS:
            return message("lens.more", have=len(self.views), want=VIEWS)
        return None

    def lens(self) -> Lens:
        """The lens that fits all views but a few that do not fit the others. Raises `BadLens` with
        the reason where it is not good; more views may be added then."""
        self.views += [view for view, _ in self.left]  # beside the new ones they may fit
        self.left.clear()
        if len(self.views) < VIEWS:
            raise BadLens("lens.few", have=len(self.views), want=VIEWS)
        if self.coverage < LEAST_COVERAGE:
            share, least = round(self.coverage * 100), round(LEAST_COVERAGE * 100)
            raise BadLens("lens.coverage", have=share, want=least)
        lens = self._fitted()
        if lens.rms > MOST_RMS_PX:
            raise BadLens("lens.rms", have=decimal(lens.rms, 2), most=decimal(MOST_RMS_PX))
        if lens.fx_sigma > MOST_SIGMA:
            have, most = decimal(lens.fx_sigma * 100, 2), decimal(MOST_SIGMA * 100, 1)
            raise BadLens("lens.sigma", have=have, most=most)
        return lens

    def _fitted(self) -> Lens:
        """The lens of the views that agree; the others are put aside."""
        spare = int(MOST_LEFT * len(self.views))
        while True:
            lens = fitted(self.views, self.size, self.wide, self.coverage)
            errors = _errors(self.views, lens)
            worst = int(errors.argmax())
            odd = errors[worst] > max(ODD_PX, ODD * float(np.median(errors)))
            if not odd or len(self.left) >= spare or len(self.views) <= VIEWS:
                return lens
            self.left.append((self.views.pop(worst), float(errors[worst])))

    def _fields(self) -> NDArray[np.bool_]:
        seen = np.zeros((FIELDS[1], FIELDS[0]), bool)
        for view in self.views:
            x = (view.corners[:, 0, 0] * FIELDS[0] / self.size[0]).astype(int)
            y = (view.corners[:, 0, 1] * FIELDS[1] / self.size[1]).astype(int)
            seen[y.clip(0, FIELDS[1] - 1), x.clip(0, FIELDS[0] - 1)] = True
        return seen

    def _tilt(self, view: View) -> float:
        """How far the sheet leans from facing the camera, degrees, by a guess at the lens."""
        guess = np.array([[self.size[0], 0, self.size[0] / 2], [0, self.size[0], self.size[1] / 2]])
        matrix = np.vstack([guess, [0, 0, 1]]).astype(float)
        _, rotation, _ = cv2.solvePnP(view.objects, view.corners, matrix, np.zeros(5))
        normal = cv2.Rodrigues(rotation)[0][:, 2]
        return float(np.degrees(np.arccos(min(1.0, abs(normal[2])))))


def fitted(
    views: list[View], size: tuple[int, int], wide: bool = False, coverage: float = 0.0
) -> Lens:
    """The lens of these views, however good it is."""
    flags = cv2.CALIB_RATIONAL_MODEL if wide else cv2.CALIB_FIX_K3
    objects, corners = [view.objects for view in views], [view.corners for view in views]
    rms, matrix, distortion, turns, shifts, doubts, _, errors = cv2.calibrateCameraExtended(
        objects, corners, size, None, None, flags=flags
    )
    sigma = float(doubts.ravel()[0] / matrix[0, 0])
    camera = Camera(size, np.asarray(matrix), np.asarray(distortion).ravel())
    off = tuple(
        (round(x, 1), round(y, 1), round(dx, 3), round(dy, 3))
        for view, turn, shift in zip(views, turns, shifts, strict=True)
        for x, y, dx, dy in _residuals(view, camera, Pose(turn, shift))
    )
    return Lens(camera, float(rms), float(errors.max()), sigma, len(views), coverage, wide, off)


def _residuals(view: View, camera: Camera, pose: Pose) -> list[tuple[float, float, float, float]]:
    """Each corner of a view, and how far from there the lens puts it, px."""
    seen = view.corners.reshape(-1, 2)
    off = project(camera, pose, view.objects.reshape(-1, 3)) - seen
    return [tuple(row) for row in np.hstack([seen, off]).tolist()]


def _errors(views: list[View], lens: Lens) -> NDArray[np.float64]:
    """The reprojection error of each view, px (root mean square)."""
    square = (np.array(lens.residuals)[:, 2:] ** 2).sum(1)
    parts = np.split(square, np.cumsum([len(view.ids) for view in views])[:-1])
    return np.sqrt([part.mean() for part in parts])


def _shift(one: View, other: View) -> float:
    """How far the corners that both show have moved, px; far if they share too few."""
    where = dict(zip(other.ids, other.corners[:, 0], strict=True))
    moved = [
        float(np.linalg.norm(corner - where[id]))
        for id, corner in zip(one.ids, one.corners[:, 0], strict=True)
        if id in where
    ]
    return float(np.median(moved)) if len(moved) >= 4 else float("inf")


def _where(row: int, column: int) -> str:
    """A field of the picture in words."""
    down = ("top", "middle", "middle", "bottom")[row]
    across = ("left", "left", "middle", "right", "right")[column]
    return down if down == across else f"{down} {across}"
