"""Beacons: where the camera stands, by the board's own lights, on a board without markers.

    found = placed(camera, board, find(pictures, count))

Lights that a wrong wiring has put elsewhere are left out, as long as most are where the board file
has them.
"""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from controller.board import Board
from controller.vision.camera import Camera, Pose, project
from controller.vision.pixel_map import Lamp

LEAST = 6
"""Lights that a pose needs."""
MOST = 0.6
"""The share of the lights seen that must lie as the board file has them."""
NEAR = 3.0
"""How far from its place a light of these may be, mm."""
STEPS = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-9)


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
    rvec, tvec = cv2.solvePnPRefineLM(
        points, seen[agree], camera.matrix, camera.distortion, rvec, tvec, STEPS
    )
    pose = Pose(np.asarray(rvec).ravel(), np.asarray(tvec).ravel())
    if pose.eye[2] <= 0:
        return None
    off = np.linalg.norm(project(camera, pose, points) - seen[agree], axis=1)
    fit = tuple(k for k, fits in zip(lights, agree, strict=True) if fits)
    return Placed(pose, float(np.sqrt((off**2).mean())), fit)
