"""Focus: how far the edges of a board's printed markers are blurred in a picture, px."""

import numpy as np

from hexboard.board import Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, project
from hexboard.vision.light import Sampler
from hexboard.vision.marks.markers import markers

REACH_PX, STEP_PX = 3.5, 0.25
"""How far to both sides of an edge light is looked at, and how finely."""
ALONG = np.linspace(0.2, 0.8, 9)
"""Where on an edge, shares of its length."""
LEAST_CONTRAST = 0.05
"""Between ink and paper; an edge with less is covered."""


def blur(board: Board, camera: Camera, pose: Pose, picture: Picture) -> float:
    """The standard deviation of the blur of most edges, px."""
    away = np.arange(-REACH_PX, REACH_PX + STEP_PX, STEP_PX)
    edges = np.concatenate([_edges(camera, pose, marker.corners) for marker in markers(board)])
    points, out = edges[..., 0, :], edges[..., 1, :]
    spots = points[:, :, None] + away[:, None] * out[:, :, None]
    light = Sampler(spots.reshape(-1, 2)).look(picture).mean(1).reshape(spots.shape[:3]).mean(1)
    ends = light[:, -1] - light[:, 0]
    rises = np.maximum(np.diff(light[ends > LEAST_CONTRAST], axis=1), 0)
    if not len(rises):
        return REACH_PX
    rises /= rises.sum(1, keepdims=True)
    where = (away[1:] + away[:-1]) / 2
    middles = rises @ where
    return float(np.median(np.sqrt(rises @ where**2 - middles**2)))


def _edges(camera: Camera, pose: Pose, corners: tuple[tuple[float, float], ...]) -> Array:
    """Points on a marker's edges and which way leads out of it, (4, n, 2, 2) px."""
    at = project(camera, pose, np.array(corners))
    ends = np.roll(at, -1, 0)
    points = at[:, None] + ALONG[:, None] * (ends - at)[:, None]
    side = (ends - at) / np.linalg.norm(ends - at, axis=1, keepdims=True)
    normal = np.stack([side[:, 1], -side[:, 0]], 1)
    outward = (((at + ends) / 2 - at.mean(0)) * normal).sum(1)
    normal *= np.sign(outward)[:, None]
    return np.stack([points, np.broadcast_to(normal[:, None], points.shape)], 2)
