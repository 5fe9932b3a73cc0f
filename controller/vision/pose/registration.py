"""Registration: where the camera stands over the board, from the board's printed markers.

    registration = Registration(camera, markers(board))
    state = registration.look(picture)      # each frame
    state.pose                          # None while it is lost: it is never guessed

A quiet frame costs a look at the corners where they were last; only when those have moved or
vanished is the whole picture searched again. Corners are refined in linear light: a picture is
gamma coded, and in it dark squares shrink by most of a pixel.
"""

from collections.abc import Collection

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.appearance import DICTIONARY, MARKER_MM
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.marks.markers import PLACES, Marker
from hexboard.words import Message, message

DRIFT_PX = 0.3
"""Below this the pose stands."""
REFINE_PX = 1.5
"""Up to here the pose is refined from the corners followed; beyond, all is searched again."""
LEAST_FOLLOWED = 4
"""Markers that must still be where they were, and three quarters of those that were found: with
fewer, a large shift can look like a small one."""
LEAST_FOUND = 3
"""Markers that a pose needs."""
MOST_ERROR_PX = 2.0
"""Reprojection error of a pose that is believed; another board's markers give more."""
SHAPE_PX = 1.2
"""How far one corner of a marker may move against the others."""
LINEAR = (np.linspace(0, 1, 256) ** 2 * 255).round().astype(np.uint8)
EDGE_PX = 6
"""Corners nearer than this to the picture's edge are left alone."""
WINDOW_PX = (2, 5)
"""Least and most half side of the window in which a corner is refined. It is a tenth of the
marker's side, so that neither its cells nor the paper's edge are in it."""
IN, OUT = 0.88, 1.15
"""Where a marker's rim is dark, and where there is paper, shares of its half diagonal."""
FIELD_PX, FIELD_MARGIN = 8, 0.25
"""How finely a marker's fields are cut out, and the share of their rim that is not looked at."""
EMPTY = np.zeros(0, np.int16)
STOP = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.01)

Grey = NDArray[np.uint8]


class BoardSighting(Struct, frozen=True, eq=False):
    """What one frame says of the camera's place."""

    pose: Pose | None
    """None: lost."""
    drift: float
    """How far the markers have moved since the last frame, px."""
    seen: int
    """Markers seen."""
    moved: bool
    """The pose is another than before; maps made of it must be made anew."""
    why: Message | None = None
    """Why it is lost."""


class Registration:
    """Follows one board in the pictures of one camera."""

    def __init__(self, camera: Camera, markers: tuple[Marker, ...]) -> None:
        self.camera = camera
        self.markers = {marker.id: np.array(marker.corners) for marker in markers}
        self.pose: Pose | None = None
        self.detector = _detector()
        self._corners = np.zeros((0, 4, 2), np.float32)
        """Where the markers' corners lie in a frame of `pose`: as found, else projected."""
        self._patches: Patches | None = None
        self.error = 0.0
        """Reprojection error of the pose, px (root mean square)."""
        self._found = 0
        """How many markers the last search found."""

    def look(self, picture: Grey) -> BoardSighting:
        """Take in a frame, grey or in colours, of the camera's own size."""
        if (picture.shape[1], picture.shape[0]) != self.camera.size:
            raise ValueError("a frame of another size than the calibration's")
        if self.pose is not None and (state := self._follow(picture)):
            return state
        return self._search(_grey(picture))

    def _follow(self, picture: Grey) -> BoardSighting | None:
        """The pose by the corners where they were; None where that is not certain enough."""
        assert self.pose is not None
        inside = self._inside(self._corners)
        if not inside.any():
            return None
        before = self._corners[inside]
        patches = self._patches
        if patches is None or len(patches.corners) != len(before):
            patches = self._patches = Patches(before, picture.shape)
        found, dark = patches.look(picture)
        moves = found - before
        means = moves.mean(1)
        kept = np.abs(moves - means[:, None]).max((1, 2)) < SHAPE_PX
        kept &= dark
        if kept.sum() < max(LEAST_FOLLOWED, 0.75 * self._found):
            return None
        drift = float(np.median(np.linalg.norm(means[kept], axis=1)))
        if drift > REFINE_PX:
            return None
        if drift < DRIFT_PX and kept.sum() <= self._found:
            return BoardSighting(self.pose, drift, int(kept.sum()), False)
        ids = np.array(list(self.markers))[inside][kept]
        pose = self._solved(ids.tolist(), found[kept])
        if pose is None:
            return None
        self._found = max(self._found, int(kept.sum()))
        return BoardSighting(pose, drift, int(kept.sum()), True)

    def _inside(self, corners: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Which markers lie in the picture with room to refine them."""
        size = np.array(self.camera.size)
        return np.asarray(((corners > EDGE_PX) & (corners < size - 1 - EDGE_PX)).all((1, 2)))

    def _search(self, grey: Grey) -> BoardSighting:
        """Find the markers in the whole picture, and the pose of those that are ours."""
        corners, ids, _ = self.detector.detectMarkers(grey)
        numbers = [] if ids is None else [int(i) for i in np.asarray(ids).ravel()]
        inside = [bool(self._inside(np.asarray(c).reshape(1, 4, 2))[0]) for c in corners]
        ours = [k for k, i in enumerate(numbers) if i in self.markers and inside[k]]
        if twice({numbers[k] for k in ours}, len(ours)):
            return self._lost(message("registration.twice"), len(ours))
        if not numbers and mirrored(self.detector, grey, self.markers):
            return self._lost(message("registration.mirrored"), 0)
        if len(ours) < LEAST_FOUND:
            foreign = len(numbers) - len(ours)
            if foreign >= LEAST_FOUND:
                return self._lost(message("registration.foreign"), len(ours))
            return self._lost(self._few([numbers[k] for k in ours]), len(ours))
        found = np.concatenate([np.asarray(corners[k], np.float32).reshape(1, 4, 2) for k in ours])
        refined = _refined(cv2.LUT(grey, LINEAR), found)
        seen = [numbers[k] for k in ours]
        drift = 0.0
        if self.pose is not None:  # a hand over the others moves nothing, though these be in line
            places = [list(self.markers).index(i) for i in seen]
            drift = float(np.median(np.linalg.norm(refined - self._corners[places], axis=2)))
            if drift < DRIFT_PX and len(seen) <= self._found:
                return BoardSighting(self.pose, drift, len(seen), False)
        if not self._spread(seen):
            return self._lost(self._few(seen), len(ours))
        pose = self._solved(seen, refined)
        if pose is None:
            return self._lost(message("registration.foreign"), len(ours))
        self._found = len(seen)
        return BoardSighting(pose, drift, len(seen), True)

    def _few(self, seen: list[int]) -> Message:
        """These markers are too few, or all along one side; which others are wanted."""
        missing = [place for id, place in zip(self.markers, PLACES, strict=True) if id not in seen]
        hidden = ", ".join(missing) if seen else "all"
        return message("registration.few", seen=len(seen), least=LEAST_FOUND, hidden=hidden)

    def _spread(self, ids: list[int]) -> bool:
        """Do these markers span the board? Three along one side hold the pose on that side only."""
        middles = np.array([self.markers[i].mean(0) for i in ids])
        narrow = np.linalg.svd(middles - middles.mean(0), compute_uv=False)[1]
        return bool(narrow > MARKER_MM)

    def _solved(self, ids: list[int], corners: NDArray[np.float32]) -> Pose | None:
        """The pose by these markers; None where they do not lie as this board's do."""
        flat = np.concatenate([self.markers[i] for i in ids])
        points = np.hstack([flat, np.zeros((len(flat), 1))])
        seen = corners.reshape(-1, 2).astype(float)
        ok, rvec, tvec = cv2.solvePnP(points, seen, self.camera.matrix, self.camera.distortion)
        if not ok:
            return None
        pose = Pose(np.asarray(rvec).ravel(), np.asarray(tvec).ravel())
        off = np.linalg.norm(project(self.camera, pose, points) - seen, axis=1)
        error = float(np.sqrt((off**2).mean()))
        if error > MOST_ERROR_PX or pose.eye[2] <= 0:
            return None
        self.pose, self.error = pose, error
        rims = np.concatenate(list(self.markers.values()))
        self._corners = project(self.camera, pose, rims).reshape(-1, 4, 2).astype(np.float32)
        self._corners[[list(self.markers).index(i) for i in ids]] = corners
        self._patches = None
        return pose

    def _lost(self, why: Message, seen: int) -> BoardSighting:
        self.pose = None
        self._corners = np.zeros((0, 4, 2), np.float32)
        return BoardSighting(None, 0.0, seen, False, why)


class Patches:
    """The surroundings of markers' corners, cut out of a picture side by side: most of it is not
    looked at. `corners` are where they are expected, (n, 4, 2) px."""

    def __init__(self, corners: NDArray[np.float32], shape: tuple[int, ...]) -> None:
        self.corners = corners
        middles = corners.mean(1, keepdims=True)
        aside = float(np.abs((corners - middles) * max(OUT - 1, 1 - IN)).max())
        reach = int(np.ceil(max(aside, WINDOW_PX[1] + 1))) + WINDOW_PX[1] + 2
        side = 2 * reach + 1
        flat = corners.reshape(-1, 2)
        # each patch begins on a whole pixel: a corner lies in its patch as in the picture
        first = np.floor(flat).astype(np.int16) - reach
        steps = np.arange(side, dtype=np.int16)
        x, y = np.meshgrid(steps, steps)
        spots = np.stack([x, y], -1)[None] + first[:, None, None]
        high = np.array((shape[1] - 1, shape[0] - 1), np.int16)
        self._map = spots.clip(0, high).astype(np.int16).reshape(-1, side, 2)
        below = np.arange(len(flat)) * side
        shift = first - np.stack([np.zeros_like(below), below], 1)
        self._shift = shift.astype(np.float32).reshape(-1, 4, 2)

    def look(self, picture: Grey) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Where the corners are in a picture, (n, 4, 2) px; which markers look like some."""
        cut = cv2.remap(picture, self._map, EMPTY, cv2.INTER_NEAREST)
        linear = np.asarray(cv2.LUT(_grey(np.asarray(cut, np.uint8)), LINEAR), np.uint8)
        found = _refined(linear, self.corners, self._shift)
        return found, _dark(linear, found, self._shift)


def twice(different: Collection[int], seen: int) -> bool:
    """Whether so many markers of these numbers are those of two mats."""
    return seen >= len(different) + LEAST_FOUND


def mirrored(detector: cv2.aruco.ArucoDetector, grey: Grey, ours: Collection[int]) -> bool:
    """Whether markers of these numbers are seen once a picture is turned over."""
    _, ids, _ = detector.detectMarkers(np.ascontiguousarray(grey[:, ::-1]))
    found = set() if ids is None else {int(i) for i in np.asarray(ids).ravel()}
    return len(found.intersection(ours)) >= LEAST_FOUND


def _grey(picture: Grey) -> Grey:
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _refined(
    linear: Grey, corners: NDArray[np.float32], shift: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Corners, (n, 4, 2) px, moved to where they are in a picture in linear light. What is at a
    place less `shift` in `linear` is at that place in the picture."""
    side = float(np.linalg.norm(corners[:, 0] - corners[:, 1], axis=1).min())
    half = int(min(max(side / 10, WINDOW_PX[0]), WINDOW_PX[1]))
    start = corners.copy() if shift is None else corners - shift
    found = cv2.cornerSubPix(linear, start.reshape(-1, 1, 2), (half, half), (-1, -1), STOP)
    refined = np.asarray(found, np.float32).reshape(-1, 4, 2)
    return refined if shift is None else refined + shift


def _dark(
    linear: Grey, corners: NDArray[np.float32], shift: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Which markers still have their dark rim inside their corners and white paper outside. What
    is at a place less `shift` in `linear` is at that place in the picture."""
    middles = corners.mean(1, keepdims=True)
    ins, outs = (middles + (corners - middles) * share - shift for share in (IN, OUT))
    h, w = linear.shape

    def at(points: NDArray[np.float32]) -> NDArray[np.int64]:
        x = points[..., 0].round().astype(int).clip(0, w - 1)
        y = points[..., 1].round().astype(int).clip(0, h - 1)
        return np.asarray(linear[y, x], np.int64)

    return np.asarray((at(outs) > at(ins) + 12).all(1))


def parameters() -> cv2.aruco.DetectorParameters:
    """How markers are looked for: their fields are cut out finely and looked at in the middle. With
    OpenCV's 4 px and an eighth a third of them are missed, most of those a little out of focus."""
    how = cv2.aruco.DetectorParameters()
    how.perspectiveRemovePixelPerCell = FIELD_PX
    how.perspectiveRemoveIgnoredMarginPerCell = FIELD_MARGIN
    return how


def _detector() -> cv2.aruco.ArucoDetector:
    """One threshold window, no refinement of OpenCV's own: a third of the time, nothing missed."""
    how = parameters()
    how.adaptiveThreshWinSizeMin = how.adaptiveThreshWinSizeMax = 23
    how.minMarkerPerimeterRate = 0.05
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.ArucoDetector(family, how)
