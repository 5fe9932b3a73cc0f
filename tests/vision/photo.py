"""Pictures of a flat sheet as a known camera takes them, to measure against.

It shares nothing with what is tested but the camera's model: each pixel's rays meet the sheet.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from hexboard.board.paper import Box, Item, Polygon, rgb
from hexboard.vision.geometry import Camera, Pose

Picture = NDArray[np.uint8]


def ink(items: tuple[Item, ...], box: Box, per_mm: float = 5.0) -> NDArray[np.float32]:
    """The sheet as linear reflectance, 0..1; row 0 is the upper edge. Texts are left out.

    What is filled is a rectangle; its rim is as grey as the pixels it covers in part.
    """
    sheet = np.full((round(box.height * per_mm), round(box.width * per_mm)), 0.9, np.float32)
    for item in items:
        if isinstance(item, Polygon):
            at = np.array([((x - box.left), (box.high - y)) for x, y in item.points]) * per_mm
            if item.fill is not None:
                (left, low), (right, high) = at.min(0), at.max(0)
                rows, columns = slice(int(low), int(high) + 1), slice(int(left), int(right) + 1)
                part = sheet[rows, columns]
                share = np.outer(
                    _covered(part.shape[0], low - rows.start, high - rows.start),
                    _covered(part.shape[1], left - columns.start, right - columns.start),
                )
                part += share * (0.04 + 0.86 * rgb(item.fill)[0] ** 2.2 - part)
            if item.line is not None:
                points = ((at - 0.5) * 16).round().astype(np.int32)
                cv2.polylines(
                    sheet, [points], True, 0.04 + 0.86 * rgb(item.line)[0] ** 2.2, 2, shift=4
                )
    return sheet


def _covered(count: int, start: float, end: float) -> NDArray[np.float32]:
    """How much of each of `count` pixels lies between two places."""
    k = np.arange(count)
    part = np.clip(np.minimum(k + 1, end) - np.maximum(k, start), 0, 1)
    return np.asarray(part, np.float32)


def photo(
    sheet: NDArray[np.float32],
    box: Box,
    camera: Camera,
    pose: Pose,
    seed: int = 0,
    noise: float = 0.004,
    over: int = 3,
) -> Picture:
    """What the camera sees: blurred by its pixels, noisy, gamma coded, 8 bit grey."""
    w, h = camera.size
    per_mm = sheet.shape[1] / box.width
    ys, xs = np.mgrid[0 : h * over, 0 : w * over]
    pixels = np.stack([(xs + 0.5) / over - 0.5, (ys + 0.5) / over - 0.5], -1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels.astype(np.float64), camera.matrix, camera.distortion)
    turn = cv2.Rodrigues(pose.rvec)[0]
    ways = np.hstack([rays.reshape(-1, 2), np.ones((len(rays), 1))]) @ turn
    eye = pose.eye
    t = -eye[2] / ways[:, 2]
    x, y = eye[0] + t * ways[:, 0], eye[1] + t * ways[:, 1]
    u = ((x - box.left) * per_mm - 0.5).reshape(h * over, w * over).astype(np.float32)
    v = ((box.high - y) * per_mm - 0.5).reshape(h * over, w * over).astype(np.float32)
    seen = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0.2)
    light = cv2.resize(seen, (w, h), interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(light, (0, 0), 0.6)
    light = light + np.random.default_rng(seed).normal(0, noise, light.shape)
    return np.asarray((np.clip(light, 0, 1) ** (1 / 2.2) * 255).round(), np.uint8)


def looking(at: tuple[float, float], away: float, tilt: float, turn: float = 0.0) -> Pose:
    """A camera `away` mm from a point of the board, `tilt` degrees off the vertical (towards the
    viewer's side), turned by `turn` degrees about the vertical."""
    lean, spin = np.radians(tilt), np.radians(turn)
    # the camera's axes in the board's frame: x right, y down the picture, z along its view
    z = np.array([0, np.sin(lean), -np.cos(lean)])
    x = np.array([1.0, 0, 0])
    y = np.cross(z, x)
    about = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    axes = np.stack([about @ x, about @ y, about @ z])
    eye = np.array([at[0], at[1], 0]) - (about @ z) * away
    return Pose(np.asarray(cv2.Rodrigues(axes)[0]).ravel(), -axes @ eye)
