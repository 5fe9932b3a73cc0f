"""Balls: where steel balls lie at rest, by what has changed since a look at the board without them.

    balls = Balls(board, camera, pose)
    before = balls.look(picture)                # the tiles as they lie now, no ball on them
    found = balls.find(before, balls.look(picture), count)

Steel mirrors the room, so a ball has no colour of its own; but within its outline the picture
differs from the one before by more than round it, and light changes evenly. How many
balls there are is known: what does not come to that number says nothing.
"""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from controller.board import Board
from controller.vision.appearance import KIT, Kit
from controller.vision.camera import Camera, Pose, project
from controller.vision.light import Band, Picture, Sampler
from controller.vision.markers import playing

STEP = 1.25
"""Between two samples, mm."""
AROUND = 7.0
"""How far beyond the cells and end zones is looked, mm."""
WITHIN, RING = 0.9, (1.3, 1.8)
"""The disc that a ball fills, and the ring about it that it leaves as it was: radii, in balls'."""
APART = 1.7
"""Two balls' middles are at least so far from each other, in radii: they may lean on another."""
PLAIN = 0.045
"""By how much more the root of the light has changed within a ball's outline than round it."""
FAINTER = 0.6
"""The share of the faintest ball's change that nothing else may come to."""
SEAM = 3.0
"""A ball this near to the edge between two slots lies over it, mm."""

Map = NDArray[np.float32]


class Ball(Struct, frozen=True):
    """A ball at rest: the slot, seam or end zone where it lies, and its middle, mm."""

    place: str
    x: float
    y: float
    clear: float
    """How much more has changed here than round it, in the root of the light."""


class Balls:
    """Finds balls on one board under one pose."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit = KIT) -> None:
        self.board = board
        self.radius = kit.ball * board.pitch
        box = playing(board).grown(AROUND)
        self._xs, self._ys = (
            np.arange(low, high, STEP) for low, high in ((box.left, box.right), (box.low, box.high))
        )
        flat = np.stack(np.meshgrid(self._xs, self._ys), -1).reshape(-1, 2)
        middle = np.full((len(flat), 1), self.radius)
        self._sampler = Sampler(project(camera, pose, np.hstack([flat, middle])))
        self._band = Band(board, camera, pose, kit)
        self._basis = self._band.basis(flat)
        self._disc = _kernel(0, WITHIN * self.radius)
        self._ring = _kernel(RING[0] * self.radius, RING[1] * self.radius)

    def look(self, picture: Picture) -> Map:
        """The root of the share of light that comes back from each sample, (rows, columns, 3)."""
        field, _ = self._band.fit(picture)
        share = self._sampler.look(picture) / np.exp(self._basis @ field)
        return np.sqrt(share).reshape(len(self._ys), len(self._xs), 3).astype(np.float32)

    def find(self, before: Map, now: Map, count: int) -> tuple[Ball, ...] | None:
        """The `count` balls that lie there; None where there seem to be more, or fewer."""
        *found, other = self.seen(before, now, count + 1)
        faintest = min((ball.clear for ball in found), default=PLAIN)
        sure = faintest >= PLAIN and other.clear < FAINTER * faintest
        return tuple(found) if sure else None

    def seen(self, before: Map, now: Map, most: int) -> list[Ball]:
        """What may be balls, the clearest first."""
        change = np.sqrt(((now - before) ** 2).mean(2))
        more = cv2.filter2D(change, -1, self._disc) - cv2.filter2D(change, -1, self._ring)
        places: list[Ball] = []
        reach = int(APART * self.radius / STEP)
        left = more.copy()
        for _ in range(most):
            row, column = (int(k) for k in np.unravel_index(left.argmax(), left.shape))
            x, y = self._middle(more, row, column)
            places.append(
                Ball(self.place(x, y), round(x, 2), round(y, 2), float(left[row, column]))
            )
            cv2.circle(left, (column, row), reach, 0.0, -1)
        return places

    def _middle(self, more: Map, row: int, column: int) -> tuple[float, float]:
        """The middle of a change, mm."""
        rows, columns = (slice(max(0, k - 2), k + 3) for k in (row, column))
        weight = np.maximum(more[rows, columns], 1e-6) ** 4
        y = float((weight.sum(1) * self._ys[rows]).sum() / weight.sum())
        x = float((weight.sum(0) * self._xs[columns]).sum() / weight.sum())
        return x, y

    def place(self, x: float, y: float) -> str:
        """The slot (C3), the seam (C3-C4) or the end zone (ZB) at a place of the board, mm."""
        cell = min(self.board.cells, key=lambda c: (c.x - x) ** 2 + (c.y - y) ** 2)
        for zone in self.board.zones:
            if np.hypot(*np.subtract(self.board.zone_point(zone), (x, y))) < self.board.pitch / 4:
                return zone.id
        for edge in range(1, 7):
            ex, ey = self.board.edge_point(cell.id, edge)
            along = np.array([ex - cell.x, ey - cell.y]) / (self.board.pitch / 2)
            out = float(along @ [x - cell.x, y - cell.y])
            if self.board.neighbour(cell.id, edge) and out > self.board.pitch / 2 - SEAM:
                return self.board.seam(cell.id, edge)
        return cell.id


def _kernel(inner: float, outer: float) -> Map:
    """A ring (or disc) of samples that sum to one."""
    reach = int(np.ceil(outer / STEP))
    x, y = np.meshgrid(*[np.arange(-reach, reach + 1) * STEP] * 2)
    out = np.hypot(x, y)
    mask = ((out >= inner) & (out <= outer)).astype(np.float32)
    return np.asarray(mask / mask.sum(), np.float32)
