"""Camera: a pinhole with a lens (OpenCV's model), and where it stands over a board.

Lengths on the board are mm, in the board's frame: x to the right, y up, z out of the board. In a
picture they are px: x to the right, y down, whole numbers at the middle of a pixel.
"""

import math

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Camera(Struct, frozen=True, eq=False):
    """What calibration knows of a camera."""

    size: tuple[int, int]
    """Width and height of its pictures, px."""
    matrix: Array
    """3 x 3: focal lengths and middle, px."""
    distortion: Array
    """OpenCV's coefficients (k1, k2, p1, p2, k3, …)."""


class Pose(Struct, frozen=True, eq=False):
    """From the board's frame to the camera's: a rotation vector, then a shift in mm."""

    rvec: Array
    tvec: Array

    @property
    def eye(self) -> Array:
        """Where the camera stands, in the board's frame, mm."""
        return np.asarray(-cv2.Rodrigues(self.rvec)[0].T @ np.asarray(self.tvec).reshape(3))


def around(count: int) -> Array:
    """So many points on a circle of radius 1 about the origin, (n, 2), from the x axis on."""
    angles = np.arange(count) * 2 * np.pi / count
    return np.array([(math.cos(a), math.sin(a)) for a in angles])


def project(camera: Camera, pose: Pose, points: ArrayLike) -> Array:
    """Points of the board, mm, (n, 3) or (n, 2) for z = 0, in the picture: (n, 2) px."""
    at = np.asarray(points, float)
    if at.shape[-1] == 2:
        at = np.hstack([at, np.zeros((len(at), 1))])
    found, _ = cv2.projectPoints(at, pose.rvec, pose.tvec, camera.matrix, camera.distortion)
    return np.asarray(found, float).reshape(-1, 2)


def turned(points: Array, angle: float) -> Array:
    """Points turned about the origin, radians from x towards y."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]))
