"""Rings: discs of the mat's own colour, told from bare ground by the ring printed round their top.

White discs on white paper hide in it: what is left of them is that ring, their shadow and a shaded
side, and shadows lie on bare ground too. So the ring is looked for at every place and height at
which a disc can lie, by how much darker most of it is than the top within it.
"""

import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.colours import contrast, hidden
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Sampler

SPOTS = 32
"""Points round a ring, and as many within it."""
WITHIN = 0.62
"""Where those within lie, a share of a disc's radius."""
SLOP_MM = (-1.8, -1.2, -0.6, 0.0, 0.6, 1.2, 1.8)
"""How far off the middle a ring is looked for."""
SHOWN = 0.7
"""How much of a ring's darkness is left in a picture that is not quite sharp."""
SPREAD, BARE_SPREAD = 0.15, 0.08
"""Of that about what is expected, with a ring and without."""
MOST_NATS = 20.0
"""What a ring says at most."""


class Rings:
    """The rings of hidden pieces on one board under one pose."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        """Raises `ValueError` where no piece of these looks is hidden."""
        self._empty = [code for code, look in enumerate(looks) if look == Look()]
        near = hidden(kit)
        self._codes = [
            code
            for code, look in enumerate(looks)
            if look.stacks and all(stack[-1] in near for stack in look.stacks)
        ]
        if not self._codes:
            raise ValueError("nothing is hidden")
        tops = {stack[-1] for code in self._codes for stack in looks[code].stacks}
        self._darker = SHOWN * min(contrast(kit.pieces[c], kit.rim[c]) for c in tops)
        tallest = max(len(stack) for look in looks for stack in look.stacks)
        self._shape = len(board.cells), tallest * len(SLOP_MM) ** 2, 2, SPOTS
        self._sampler = Sampler(project(camera, pose, self._places(board, kit, tallest)))

    def _places(self, board: Board, kit: Kit, tallest: int) -> Array:
        """Points of every ring and within it, (cells x heights x offsets x 2 x points, 3) mm."""
        size, high = kit.radius * board.pitch, kit.height * board.pitch
        circles = np.stack([around(SPOTS) * size * r for r in (sum(kit.rim_at) / 2, WITHIN)])
        offsets = np.array([(x, y) for x in SLOP_MM for y in SLOP_MM])
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        flat = middles[:, None, None, None, None] + offsets[:, None, None] + circles
        levels = np.arange(1, tallest + 1)[:, None, None, None, None] * high
        across = np.broadcast_to(flat, (len(middles), tallest, *flat.shape[2:]))
        up = np.broadcast_to(levels, (*across.shape[:-1], 1))
        return np.concatenate([across, up], -1).reshape(-1, 3)

    def weigh(self, picture: Picture, scores: NDArray[np.float32]) -> None:
        """Take from the log-likelihoods, (cells, codes) nats, of bare ground what rings say that
        are seen, and from those of hidden pieces what rings say that are not."""
        light = self._sampler.look(picture).sum(-1).reshape(self._shape)
        ring, top = np.median(light, -1).transpose(2, 0, 1)
        darker = (1 - ring / np.maximum(top, 1e-3)).max(1)
        there = np.minimum(darker - self._darker, 0) ** 2 / (2 * SPREAD**2)
        bare = np.maximum(darker, 0) ** 2 / (2 * BARE_SPREAD**2)
        says = (bare - there).clip(-MOST_NATS, MOST_NATS).astype(np.float32)[:, None]
        scores[:, self._empty] -= np.maximum(says, 0)
        scores[:, self._codes] += np.minimum(says, 0)
