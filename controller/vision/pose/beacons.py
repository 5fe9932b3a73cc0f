"""Beacons: where the camera stands, by the board's own lights, on a board without markers.

    found = placed(camera, board, find(pictures, count))    # from nothing, by blinking in a code
    found = matched(camera, board, before, spots(lit, dark))    # after a bump, by two pictures

    beacons = Beacons(camera, board, before)
    pose = beacons.look(picture, lamps)     # each frame without markers; `beacons.wish`: the lights

Lights that a wrong wiring has put elsewhere are left out, as long as most are where the board file
has them.
"""

import math
from collections.abc import Mapping
from itertools import product

import cv2
import numpy as np
from msgspec import Struct

from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, project
from hexboard.vision.lamps import Shining
from hexboard.vision.pose.pixel_map import FAINT, Lamp, brightness

LEAST_LIGHTS = 6
"""Lights that a pose needs."""
AGREEING_SHARE = 0.6
"""The share of the lights seen that must lie as the board file has them."""
NEAR_MM = 3.0
"""How far from its place a light of these may be."""
ROUNDS = 8
"""In which a pose closes in on the lights, each with less reach."""
CLOSE_PX = 2.5
"""A light so near to where it should be is that light."""
CLEARLY = 3
"""So many more lights must agree than with the pattern a cell aside."""
SURE = 0.85
"""The share of unnumbered spots that must be lights at their places."""
SPOT = 0.5
"""The least brightness of a spot, a share of the brightest."""
AROUND_PITCHES = 2.1
"""How far lights are looked for round their places, a share of the pitch."""
TURNS_RAD, SCALES = np.arange(-0.06, 0.07, 0.02), np.arange(0.94, 1.07, 0.02)
"""By how much the picture may have been turned by a bump, and made larger or smaller."""
STEP_PX = 4.0
"""Of what is tried; so near to a spot a place votes for it."""
VOTERS = 44
"""Places that vote."""
APART_PX = 12.0
"""Shifts that differ by less are one."""
TRIES = 12
"""The likeliest shifts, from which a pose closes in."""
STEPS = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-9)


MISSED_FRAMES = 8
"""Frames in a row without markers until lights are wanted: people lean over boards."""
STILL_FRAMES = 3
"""Frames after a bump until they are."""
LONGEST_FRAMES = 480
"""Between two tries, at most; the second waits for `STILL_FRAMES`, each then twice as long."""


class Placed(Struct, frozen=True, eq=False):
    """Where the camera stands."""

    pose: Pose
    error: float
    """Of the lights that agree, px (root mean square)."""
    agree: tuple[int, ...]
    """The lights that lie where the board file has them."""


def placed(camera: Camera, board: Board, lamps: Mapping[int, Lamp]) -> Placed | None:
    """The pose by these lights; None where too few agree on one."""
    if len(lamps) < LEAST_LIGHTS:
        return None
    lights = sorted(lamps)
    places = np.array([(board.pixels[k].x, board.pixels[k].y) for k in lights])
    seen = np.array([(lamps[k].x, lamps[k].y) for k in lights])
    rays = cv2.undistortPoints(seen.reshape(-1, 1, 2), camera.matrix, camera.distortion)
    plane, _ = cv2.findHomography(rays.reshape(-1, 1, 2), places, cv2.RANSAC, NEAR_MM)
    if plane is None:
        return None
    on = cv2.perspectiveTransform(rays, plane).reshape(-1, 2)
    agree = np.linalg.norm(on - places, axis=1) < NEAR_MM
    if agree.sum() < max(LEAST_LIGHTS, AGREEING_SHARE * len(lights)):
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
    if len(seen) < LEAST_LIGHTS:
        return None
    places = np.array([(pixel.x, pixel.y, 0.0) for pixel in board.pixels])
    starts = _starts(project(camera, before, places), seen, _reach(camera, board, before))
    tries = [
        found
        for at in starts
        if (found := _closed_in(camera, places, before, at, seen)) is not None
    ]
    tries.sort(key=lambda found: (-len(found.agree), found.error))
    if not tries or len(tries[0].agree) < max(LEAST_LIGHTS, SURE * len(seen)):
        return None
    first = tries[0]
    others = [t for t in tries if np.linalg.norm(t.pose.eye - first.pose.eye) > NEAR_MM]
    if others and len(first.agree) < len(others[0].agree) + CLEARLY:
        return None
    return first


def _reach(camera: Camera, board: Board, before: Pose) -> float:
    """How far lights may have moved in the picture, px: two cells, so that a regular pattern which
    is taken for itself a cell aside is among what is tried."""
    across = project(camera, before, [(0.0, 0.0), (AROUND_PITCHES * board.pitch, 0.0)])
    return float(np.linalg.norm(across[1] - across[0]))


def _starts(at: Array, seen: Array, reach: float) -> list[Array]:
    """Where the places `at`, (n, 2) px, may be now: turned, nearer or further, and shifted so that
    many lie upon spots; the best few, no two of which are alike."""
    ends = np.concatenate([at, seen])
    room = reach + 0.2 * float(np.ptp(ends, 0).max())  # turned and made larger, places reach out
    low = ends.min(0) - room
    near = _near(seen - low, ends.max(0) + room - low)
    span = np.arange(-reach, reach + STEP_PX, STEP_PX)
    shifts = np.array([(x, y) for x in span for y in span if math.hypot(x, y) <= reach])
    middle, votes, turned = at.mean(0), [], []
    for turn, scale in product(TURNS_RAD, SCALES):
        c, s = scale * math.cos(turn), scale * math.sin(turn)
        turned.append((at - middle) @ np.array([[c, s], [-s, c]]) + middle)
        voters = turned[-1][:: -(-len(at) // VOTERS)] - low
        x, y = ((voters[:, None] + shifts) / STEP_PX).round().astype(int).transpose(2, 0, 1)
        votes.append(near[x, y].sum(0))
    counts, kept = np.array(votes, int), list[int]()
    for k in np.argsort(-counts.max(0), kind="stable"):
        if all(np.linalg.norm(shifts[k] - shifts[other]) > APART_PX for other in kept):
            kept.append(int(k))
        if len(kept) == TRIES:
            break
    return [turned[counts[:, k].argmax()] + shifts[k] for k in kept]


def _near(seen: Array, size: Array) -> "np.typing.NDArray[np.uint8]":
    """What lies near a spot, in squares of `STEP_PX`: 1 there, else 0."""
    marked = np.zeros(np.ceil(size / STEP_PX).astype(int) + 1, np.uint8)
    x, y = (seen / STEP_PX).round().astype(int).T
    marked[x, y] = 1
    return np.asarray(cv2.dilate(marked, np.ones((3, 3), np.uint8)), np.uint8)


def _closed_in(camera: Camera, places: Array, pose: Pose, at: Array, seen: Array) -> Placed | None:
    """Pair each spot with the place nearest to it, which may be `at`, fit the pose, and again."""
    reach = 3 * STEP_PX
    for _ in range(ROUNDS):
        pairs = _pairs(at, seen, reach)
        if len(pairs) < LEAST_LIGHTS:
            return None
        pose = _refined(camera, places[pairs[:, 0]], seen[pairs[:, 1]], pose)
        at, reach = project(camera, pose, places[:, :2]), max(reach * 0.6, CLOSE_PX)
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
        self._wait = MISSED_FRAMES
        self._pause = STILL_FRAMES

    def rest(self, pose: Pose) -> None:
        """There are markers to be seen, which say this."""
        self._before, self._pose = pose, None
        self._end(MISSED_FRAMES)
        self._pause = STILL_FRAMES

    def bumped(self) -> None:
        """What was found no longer holds."""
        if self._pose is not None:
            self._pose, self._wait = None, STILL_FRAMES

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
            self._pause = min(2 * self._pause, LONGEST_FRAMES)
            if found is not None:
                self._pose = self._before = found.pose
                self._pause = STILL_FRAMES
        return self._pose

    def _end(self, wait: int) -> None:
        self.wish, self._lit, self._wait = "", None, wait
