"""Glare: whether a cell shows nothing but bare ground under a mirrored lamp.

Glare adds light that changes little from one side of a cell to the other. Where bare ground and
such light explain all that is seen, pieces that explain it too are not to be believed.
"""

import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import Kit
from hexboard.board import Board
from hexboard.vision.geometry import Array
from hexboard.vision.light import Linear

WITHIN_PITCHES = 0.45
"""Samples this near to a cell's middle count, a share of the pitch."""
MOST_NATS = 2.0
"""What a sample costs at most: a neighbour's stack may stand before it."""
EVEN_NATS = 0.45
"""The mean cost of a sample up to which a cell is bare ground under glare."""
LEAST_ADDED = 0.03
"""Light that a lamp adds on the whole, a share of white paper's. With less there is no glare: how
ground looks that is lit as it should be the reader knows."""
BRIGHT = 0.5
"""What white paper sends back of what a camera can tell, below which all that is seen differs less
for being dark: it counts as if it were lit so."""


class GlareModel:
    """The samples of one reader, (cells x samples) on the board at `grounds`, mm."""

    def __init__(self, board: Board, grounds: Array, kit: Kit) -> None:
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        off = (grounds.reshape(len(middles), -1, 2) - middles[:, None]) / board.pitch
        self._weight = (np.hypot(off[..., 0], off[..., 1]) < WITHIN_PITCHES).astype(np.float32)
        x, y = off[..., 0], off[..., 1]
        basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
        self._basis = basis.astype(np.float32)
        self._fit = np.linalg.pinv(basis * self._weight[..., None]).astype(np.float32)
        self.ground, self._spread = kit.ground, kit.spread

    def even(self, seen: Linear, lit: Linear, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these cells are bare ground under glare. `seen` is linear light, `lit` what
        white would send back, both (samples, 3)."""
        shape = (len(self._weight), -1, 3)
        seen, lit = seen.reshape(shape)[cells], lit.reshape(shape)[cells]
        weight, ground = self._weight[cells], np.array(self.ground, np.float32)
        added = (seen / lit - ground).mean(-1) * weight
        level = (self._fit[cells] @ added[..., None])[..., 0]
        smooth = np.maximum((self._basis[cells] @ level[..., None])[..., 0], 0)
        expected = np.minimum(lit * (ground + smooth[..., None]), 1)
        dark = np.sqrt(np.minimum(lit.mean((1, 2), keepdims=True) / BRIGHT, 1))
        off = (np.sqrt(np.maximum(seen, 0)) - np.sqrt(expected)) / (self._spread * dark)
        costs = np.minimum((off**2).sum(-1) / 2, MOST_NATS) * weight
        counted = weight.sum(1)
        glare = (smooth * weight).sum(1) / counted > LEAST_ADDED
        return np.asarray(glare & (costs.sum(1) / counted < EVEN_NATS))
