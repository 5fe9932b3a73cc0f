"""Light: samples of a picture in linear light, and how brightly each place of the board is lit.

The plain bands inside and outside the markers are white paper: what comes back from them says how
much light falls there, and a smooth field over the board says it for the rest. A hand has to cross
the outer one, which no stack can hide. A board without such paper (`Kit.bordered`) tells it by the
bare ground of its cells, as much of it as lies free; hands over it are then not noticed here.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import BAND_MM, QUIET_MM, Kit
from hexboard.board import Board
from hexboard.board.paper import Box
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, project
from hexboard.vision.marks.markers import paper, playing

Linear = NDArray[np.float32]

STEP_MM = 3.0
"""Between two points of the band."""
SOME = 3
"""One in so many of them serves for the fit."""
ROUNDS = 4
"""Of the fit, each with less trust in what fits badly."""
HAND = 0.06
"""How much darker than fitted a point of the band is under a hand, in the root of the light."""
RUN = 4
"""So many neighbouring points are a hand."""

GRID = 9
"""Points across a cell whose ground may tell the light."""
INNER = 0.42
"""How far from a cell's middle they lie, a share of the pitch: outlines are not ground."""
LEAST_GROUND = 60
"""Of them, so many must look like ground for a light to be told."""

_EASE = 1e-4 * np.eye(6)
_CODED = np.arange(256) / 255
LINEAR: Linear = np.where(
    _CODED <= 0.04045, _CODED / 12.92, ((_CODED + 0.055) / 1.055) ** 2.4
).astype(np.float32)
ROOT: Linear = np.sqrt(LINEAR)
"""The root of linear light, in which noise is the same everywhere."""


class Sampler:
    """Looks up a fixed set of points, (n, 2) px, in pictures; one `remap` a picture."""

    WIDTH = 1024

    def __init__(self, points: Array) -> None:
        self.count = len(points)
        rows = -(-self.count // self.WIDTH)
        padded = np.zeros((rows * self.WIDTH, 2), np.float32)
        padded[: self.count] = points
        grid = padded.reshape(rows, self.WIDTH, 2)
        self._maps = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)

    def look(self, picture: Picture, levels: Linear = LINEAR) -> Linear:
        """What is there, (n, 3) in linear light, or in other `levels`."""
        found = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR)
        return np.asarray(cv2.LUT(found, levels).reshape(-1, 3)[: self.count])


def reference(board: Board, camera: Camera, pose: Pose, kit: Kit) -> "Band | Ground":
    """What tells the light on a board of this kit."""
    return (Band if kit.bordered else Ground)(board, camera, pose, kit)


class Field:
    """A smooth field over a board, by points of one colour that lie on it."""

    def __init__(self, camera: Camera, pose: Pose, points: Array, scale: float) -> None:
        self.points, self._scale = points, scale
        self._basis = self.basis(points)
        self.sampler = Sampler(project(camera, pose, points))

    def basis(self, points: Array) -> Array:
        """A quadratic field at points of the board, (n, 6)."""
        x, y = points[:, 0] / self._scale, points[:, 1] / self._scale
        return np.stack([np.ones(len(x)), x, y, x * x, x * y, y * y], 1)

    def _fitted(self, basis: Array, log: Array, start: Array) -> Array:
        """The coefficients, (6, 3), that fit most of these points; `start` is first trust."""
        weight, counted = start, start > 0
        for _ in range(ROUNDS):
            weighted = (basis * weight[:, None]).T
            field = np.linalg.solve(weighted @ basis + _EASE, weighted @ log)
            off = largest(np.abs(log - basis @ field))
            trusted = off[counted]
            middle = len(trusted) // 2
            spread = 1.48 * float(np.partition(trusted, middle)[middle]) + 0.01
            weight = start / (1 + (off / (2 * spread)) ** 2)
        return np.asarray(field)


class Band(Field):
    """The plain bands of one board under one pose."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit) -> None:
        outer, inner = paper(board).grown(-QUIET_MM / 2), playing(board).grown(BAND_MM / 2)
        rim = _round(outer)
        scale = max(outer.width, outer.height) / 2
        super().__init__(camera, pose, np.concatenate([rim, _round(inner)]), scale)
        self._rim = len(rim)
        self._few = self._basis[::SOME].copy()
        self._paper = np.array(kit.paper)
        self.profile = np.ones((self._rim, 3))
        """How the rim looked in the last picture, (n, 3): 1 where it sends back what plain paper
        would, in the root of the light."""

    def fit(self, picture: Picture) -> tuple[Array, bool]:
        """The field's coefficients, (6, 3), in log light; and whether something covers the band."""
        seen = self.sampler.look(picture)
        some = seen[::SOME]
        log = np.log(np.maximum(some, 0.004) / self._paper)
        field = self._fitted(self._few, log, np.where(largest(some) < 0.97, 1.0, 0.05))
        rim = slice(0, self._rim)
        fitted = self._paper * np.exp(self._basis[rim] @ field)
        plain = np.sqrt(np.minimum(fitted, 1))
        lighter = np.sqrt(seen[rim]) - plain
        self.profile = 1 + lighter
        darker = lighter.sum(1) < -3 * HAND  # in all; a pale hand's red is nearly the paper's
        return field, longest(darker) >= RUN


class Ground(Field):
    """The bare ground of one board's cells under one pose."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit) -> None:
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        span = np.linspace(-INNER, INNER, GRID) * board.pitch
        grid = np.array([(x, y) for x in span for y in span])
        points = (middles[:, None] + grid).reshape(-1, 2)
        super().__init__(camera, pose, points, float(np.abs(points).max()))
        self._ground = np.array(kit.ground)
        self._others = [_hue(np.array([colour])) for colour in (*kit.pieces, kit.paper)]

    def fit(self, picture: Picture) -> tuple[Array, bool]:
        """The field's coefficients, (6, 3), in log light; True where too little ground is bare."""
        seen = np.asarray(self.sampler.look(picture), float)
        hue = _hue(np.maximum(seen, 1e-4))
        own = (hue * _hue(self._ground[None])).sum(1)
        bare = own > np.max([(hue * other).sum(1) for other in self._others], 0)
        bare &= largest(seen) < 0.97
        if bare.sum() < LEAST_GROUND:
            return np.zeros((6, 3)), True
        log = np.log(np.maximum(seen, 1e-3) / self._ground)
        return self._fitted(self._basis, log, bare.astype(float)), False


def _hue(colours: Array) -> Array:
    """Colours, (n, 3), whatever their brightness."""
    return np.asarray(colours / np.linalg.norm(colours, axis=1, keepdims=True))


def _round(box: Box) -> Array:
    """Points round a box, a closed loop."""
    across = np.arange(box.left, box.right, STEP_MM)
    up = np.arange(box.low, box.high, STEP_MM)
    return np.concatenate(
        [
            np.stack([across, np.full(len(across), box.high)], 1),
            np.stack([np.full(len(up), box.right), up[::-1]], 1),
            np.stack([across[::-1], np.full(len(across), box.low)], 1),
            np.stack([np.full(len(up), box.left), up], 1),
        ]
    )


def largest(values: NDArray[Any]) -> NDArray[Any]:
    """The largest of three columns: much faster than `max(1)`."""
    return np.asarray(np.maximum(np.maximum(values[:, 0], values[:, 1]), values[:, 2]))


def longest(flags: NDArray[np.bool_]) -> int:
    """The longest run of a closed loop."""
    if not flags.any():
        return 0
    if flags.all():
        return len(flags)
    ends = np.flatnonzero(~flags)
    gaps = np.diff(np.append(ends, ends[0] + len(flags))) - 1
    return int(gaps.max())
