"""Cards: how likely each face is in each cell: six symbols, each by its colour and its shape."""

import math

import numpy as np
from numpy.typing import NDArray

from controller.board import Board
from controller.vision.appearance import Kit, Look
from controller.vision.camera import Array, Camera, Pose, project
from controller.vision.light import Linear
from controller.vision.stacks import GROUND, TOP, cost

SIDE = 9
"""Samples across the place of a symbol."""
REACH = 0.12
"""Half of that, a share of the pitch."""
SLOP = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""How far off the middle a card is tried, mm."""
SHARE = 0.22
"""Of a sample's word that counts."""

Costs = NDArray[np.float32]


class Cards:
    """The cards of one board under one pose. `looks` are what the codes stand for."""

    strange, bare = 1.9, 0.4
    """As in `Stacks`: six printed symbols have more edges."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        self.kit = kit
        pitch = board.pitch
        line = np.linspace(-REACH, REACH, SIDE) * pitch
        local = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
        turns = [math.pi / 3 * edge for edge in range(6)]
        spokes = np.array([(math.cos(a), math.sin(a)) for a in turns])
        around = [
            _turned(local, a) + s * kit.symbol_at * pitch
            for a, s in zip(turns, spokes, strict=True)
        ]
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        self.grounds = (middles[:, None, None] + np.array(around)).reshape(-1, 2)
        self.points: Array = project(camera, pose, self.grounds)
        self.cells = len(middles)
        self._masks = np.array(
            [[self._mask(local, a, x, y, pitch) for x in SLOP for y in SLOP] for a in turns]
        )
        self._faces = np.zeros((18, len(looks)), np.float32)
        for code, look in enumerate(looks):
            for edge, symbol in enumerate(look.face):
                self._faces[3 * edge + "RBY".index(symbol), code] = 1
        self.empty = [code for code, look in enumerate(looks) if not look.face]

    def _mask(
        self, local: Array, turn: float, x: float, y: float, pitch: float
    ) -> NDArray[np.float32]:
        """Which samples of an edge lie in each symbol, on a card (x, y) mm off, (3, n)."""
        moved = (local - _turned(np.array([[x, y]]), -turn)) / (self.kit.symbol_size * pitch)
        across, up = moved[:, 0], moved[:, 1]
        circle = np.hypot(across, up) < 1
        diamond = np.abs(across) + np.abs(up) < 1.15
        half = 1.45 / 2  # a triangle's middle to its sides; its tip points outwards
        sides = [math.pi, math.pi / 3, -math.pi / 3]
        triangle = np.all([across * math.cos(a) + up * math.sin(a) < half for a in sides], 0)
        return np.array([circle, diamond, triangle], np.float32)

    def read(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """As `Stacks.read`."""
        shape = (self.cells, 6, -1, 3)
        seen, lit = seen.reshape(shape), lit.reshape(shape)
        ground = cost(seen, lit, self.kit.ground, GROUND).sum((1, 2))
        card = cost(seen, lit, self.kit.card, TOP)
        inks = [cost(seen, lit, ink, TOP) for ink in self.kit.symbols]
        plain = card.sum((1, 2))
        gains = np.stack(  # (cells, places, edges, symbols)
            [
                np.einsum("cen,epn->cpe", card - ink, self._masks[:, :, k])
                for k, ink in enumerate(inks)
            ],
            -1,
        )
        places = gains.reshape(self.cells, -1, 18) @ self._faces
        scores = (places.max(1) - plain[:, None]).astype(np.float32)
        scores[:, self.empty] = -ground[:, None]
        mean = -scores.max(1) / (seen.shape[1] * seen.shape[2])
        return scores * np.float32(SHARE), mean


def _turned(points: Array, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]))
