"""Beacons: where the camera stands, by the board's own lights, on a board without markers.

    found = placed(camera, board, find(pictures, count))    # from nothing, by blinking in a code
    found = matched(camera, board, before, spots(lit, dark))    # after a bump, by two pictures

    beacons = Beacons(camera, board, before)
    pose = beacons.look(picture, lamps)     # each frame without markers; `beacons.wish`: the lights

Lights that a wrong wiring has put elsewhere are left out, as long as most are where the board file
has them.
"""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from msgspec import Struct

from controller.board import Board
from controller.vision.camera import Array, Camera, Pose, project
from controller.vision.lamps import Shining
from controller.vision.light import Picture
from controller.vision.pixel_map import FAINT, Lamp, brightness

LEAST = 6
"""Lights that a pose needs."""
MOST = 0.6
"""The share of the lights seen that must lie as the board file has them."""
NEAR = 3.0
"""How far from its place a light of these may be, mm."""
ROUNDS = 8
"""In which a pose closes in on the lights, each with less reach."""
CLOSE = 2.5
"""A light so near to where it should be is that light, px."""
CLEARLY = 3
"""So many more lights must agree than with the pattern a cell aside."""
SURE = 0.85
"""The share of unnumbered spots that must be lights at their places."""
SPOT = 0.5
"""The least brightness of a spot, a share of the brightest."""
STEPS = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-9)


MISSED = 8
"""Frames in a row without markers until lights are wanted: people lean over boards."""
STILL = 3
"""Frames after a bump until they are."""
LONGEST = 480
"""Frames between two tries, at most; the second waits for `STILL`, each one then twice as long."""


class Placed(Struct, frozen=True, eq=False):
    """Where the camera stands."""

    pose: Pose
    error: float
    """Of the lights that agree, px (root mean square)."""
    agree: tuple[int, ...]
    """The lights that lie where the board file has them."""


def placed(camera: Camera, board: Board, lamps: Mapping[int, Lamp]) -> Placed | None:
    """The pose by these lights; None where too few agree on one."""
    if len(lamps) < LEAST:
        return None
    lights = sorted(lamps)
    places = np.array([(board.pixels[k].x, board.pixels[k].y) for k in lights])
    seen = np.array([(lamps[k].x, lamps[k].y) for k in lights])
    rays = cv2.undistortPoints(seen.reshape(-1, 1, 2), camera.matrix, camera.distortion)
    plane, _ = cv2.findHomography(rays.reshape(-1, 1, 2), places, cv2.RANSAC, NEAR)
    if plane is None:
        return None
    on = cv2.perspectiveTransform(rays, plane).reshape(-1, 2)
    agree = np.linalg.norm(on - places, axis=1) < NEAR
    if agree.sum() < max(LEAST, MOST * len(lights)):
        return None
    points = np.hstack([places, np.zeros((len(places), 1))])[agree]
    ok, rvec, tvec = cv2.solvePnP(
        points, seen[agree], camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    if not ok:
        return None
    pose = _refined(camera, points, seen[agree], Pose(rvec, tvec))
    if pose.eye[2] <= 0:
        return None
    fit = tuple(k for k, fits in zip(lights, agree, strict=True) if fits)
    return Placed(pose, _error(camera, pose, points, seen[agree]), fit)


def spots(lit: Picture, dark: Picture) -> Array:
    """The middles of what shines in one picture and not in the other, (n, 2) px."""
    apart = np.maximum(brightness(lit) - brightness(dark), 0)
    least = max(FAINT, SPOT * float(apart.max()))
    count, marked = cv2.connectedComponents((apart > least).astype(np.uint8))
    rows, columns = np.nonzero(marked)
    owner, weight = marked[rows, columns], apart[rows, columns]
    whole = np.bincount(owner, weight, count)[1:]
    middles = [np.bincount(owner, weight * at, count)[1:] / whole for at in (columns, rows)]
    return np.stack(middles, 1)


def matched(camera: Camera, board: Board, before: Pose, seen: Array) -> Placed | None:
    """The pose by spots of light whose numbers nobody knows, near the pose `before`: the one with
    which most spots agree, if most do, and clearly more than with the same pattern a cell aside."""
    if len(seen) < LEAST:
        return None
    places = np.array([(pixel.x, pixel.y, 0.0) for pixel in board.pixels])
    turn = cv2.Rodrigues(before.rvec)[0]
    tries = []
    for shift in _shifts(board):
        start = Pose(before.rvec, np.ravel(before.tvec) + turn @ shift)
        if (found := _closed_in(camera, places, start, seen)) is not None:
            tries.append(found)
    tries.sort(key=lambda found: (-len(found.agree), found.error))
    if not tries or len(tries[0].agree) < max(LEAST, SURE * len(seen)):
        return None
    first = tries[0]
    others = [t for t in tries if np.linalg.norm(t.pose.eye - first.pose.eye) > NEAR]
    if others and len(first.agree) < len(others[0].agree) + CLEARLY:
        return None
    return first


def _shifts(board: Board) -> Iterator[Array]:
    """By how much a regular pattern may have been taken for itself, mm: none, one cell, two."""
    middle = min(board.cells, key=lambda cell: cell.x**2 + cell.y**2)
    for cell in board.cells:
        shift = np.array([cell.x - middle.x, cell.y - middle.y, 0.0])
        if np.linalg.norm(shift) < 2.1 * board.pitch:
            yield shift


def _closed_in(camera: Camera, places: Array, pose: Pose, seen: Array) -> Placed | None:
    """Pair each spot with the place nearest to it, fit the pose, and again."""
    spread = np.linalg.norm(project(camera, pose, places[:, :2])[:, None] - seen[None], axis=2)
    reach = float(np.median(spread.min(0))) * 3 + CLOSE
    for _ in range(ROUNDS):
        pairs = _pairs(project(camera, pose, places[:, :2]), seen, reach)
        if len(pairs) < LEAST:
            return None
        pose = _refined(camera, places[pairs[:, 0]], seen[pairs[:, 1]], pose)
        reach = max(reach * 0.6, CLOSE)
    if pose.eye[2] <= 0:
        return None
    error = _error(camera, pose, places[pairs[:, 0]], seen[pairs[:, 1]])
    return Placed(pose, error, tuple(int(k) for k in pairs[:, 0]))


def _pairs(at: Array, seen: Array, reach: float) -> "np.typing.NDArray[np.int64]":
    """(place, spot) of all that are each other's nearest, (n, 2)."""
    far = np.linalg.norm(at[:, None] - seen[None], axis=2)
    place, spot = far.argmin(0), far.argmin(1)
    mine = np.arange(len(seen))
    mutual = (spot[place] == mine) & (far[place, mine] < reach)
    return np.stack([place[mutual], mine[mutual]], 1)


def _refined(camera: Camera, points: Array, seen: Array, pose: Pose) -> Pose:
    rvec, tvec = np.array(pose.rvec).reshape(3, 1), np.array(pose.tvec).reshape(3, 1)
    rvec, tvec = cv2.solvePnPRefineLM(
        points, seen, camera.matrix, camera.distortion, rvec, tvec, STEPS
    )
    return Pose(np.asarray(rvec).ravel(), np.asarray(tvec).ravel())


def _error(camera: Camera, pose: Pose, points: Array, seen: Array) -> float:
    off = np.linalg.norm(project(camera, pose, points) - seen, axis=1)
    return float(np.sqrt((off**2).mean()))


class Beacons:
    """Finds a board by its lights while no markers are to be seen: all are wanted on, then off."""

    def __init__(self, camera: Camera, board: Board, before: Pose | None = None) -> None:
        self.wish = ""
        """What the lights should show: `all`, `dark`, or "" for whatever the game wants."""
        self._camera, self._board, self._before = camera, board, before
        self._pose: Pose | None = None
        self._lit: Picture | None = None
        self._wait = MISSED
        self._pause = STILL

    def rest(self, pose: Pose) -> None:
        """There are markers to be seen, which say this."""
        self._before, self._pose = pose, None
        self._end(MISSED)
        self._pause = STILL

    def bumped(self) -> None:
        """What was found no longer holds."""
        if self._pose is not None:
            self._pose, self._wait = None, STILL

    def look(self, picture: Picture, lamps: Shining) -> Pose | None:
        """Where the camera stands, as far as the lights have told."""
        if self._pose is not None:
            return self._pose
        if self._before is None or not (lamps.up and self._board.pixels):
            return None
        self._wait -= 1
        if self._wait > 0:
            return None
        if self._lit is None:
            self._lit = picture if lamps.every else None
            self.wish = "dark" if lamps.every else "all"
        elif not lamps.now:
            seen = spots(self._lit, picture)
            found = matched(self._camera, self._board, self._before, seen)
            self._end(self._pause)
            self._pause = min(2 * self._pause, LONGEST)
            if found is not None:
                self._pose = self._before = found.pose
                self._pause = STILL
        return self._pose

    def _end(self, wait: int) -> None:
        self.wish, self._lit, self._wait = "", None, wait
