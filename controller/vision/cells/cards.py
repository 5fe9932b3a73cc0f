"""Cards: how likely each face is in each cell: six symbols, each by its colour and its shape."""

import math

import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import SYMBOLS, Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.stacks import GROUND, ONES, TOP, cost
from hexboard.vision.geometry import Array, Camera, Pose, project, turned
from hexboard.vision.light import Linear

SIDE = 9
"""Samples across the place of a symbol."""
REACH_PITCHES = 0.12
"""Half of that, a share of the pitch."""
SLOP_MM = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""How far off the middle a card is tried."""
SHARE = 0.22
"""Of a sample's word that counts."""

GLARE_NATS = 0.9
"""The mean cost of a sample above which a mirrored lamp is looked for."""
ROUNDS = 2
"""Of looking for it."""
FIT = 0.1
"""How far from a colour a sample may be to be trusted in that, a share of the light."""

_EASE = 1e-3 * np.eye(6, dtype=np.float32)

Costs = NDArray[np.float32]


class Cards:
    """The cards of one board under one pose. `looks` are what the codes stand for."""

    most_nats, most_empty_nats = 1.9, 0.4
    """As in `Stacks`: six printed symbols have more edges."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        self.kit = kit
        pitch = board.pitch
        line = np.linspace(-REACH_PITCHES, REACH_PITCHES, SIDE) * pitch
        local = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
        turns = [math.pi / 3 * edge for edge in range(6)]
        spokes = np.array([(math.cos(a), math.sin(a)) for a in turns])
        around = [
            turned(local, a) + s * kit.symbol_at * pitch for a, s in zip(turns, spokes, strict=True)
        ]
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        self.grounds = (middles[:, None, None] + np.array(around)).reshape(-1, 2)
        self.points: Array = project(camera, pose, self.grounds)
        self.cells = len(middles)
        self._masks = np.array(
            [[self._mask(local, a, x, y, pitch) for x in SLOP_MM for y in SLOP_MM] for a in turns]
        )
        u, v = (local / (REACH_PITCHES * pitch)).T
        self._basis = np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], -1).astype(np.float32)
        self._colours = np.array([kit.card, *kit.symbols], np.float32)
        self._faces = np.zeros((18, len(looks)), np.float32)
        for code, look in enumerate(looks):
            for edge, symbol in enumerate(look.face):
                self._faces[3 * edge + SYMBOLS.index(symbol), code] = 1
        self.empty = [code for code, look in enumerate(looks) if not look.face]

    def _mask(
        self, local: Array, turn: float, x: float, y: float, pitch: float
    ) -> NDArray[np.float32]:
        """Which samples of an edge lie in each symbol, on a card (x, y) mm off, (3, n)."""
        moved = (local - turned(np.array([[x, y]]), -turn)) / (self.kit.symbol_size * pitch)
        across, up = moved[:, 0], moved[:, 1]
        round_, square, three = self.kit.symbol_reach
        circle = np.hypot(across, up) < round_
        diamond = np.abs(across) + np.abs(up) < square
        half = three / 2  # a triangle's middle to its sides; its tip points outwards
        sides = [math.pi, math.pi / 3, -math.pi / 3]
        triangle = np.all([across * math.cos(a) + up * math.sin(a) < half for a in sides], 0)
        return np.array([circle, diamond, triangle], np.float32)

    def read(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """As `Stacks.read`."""
        shape = (self.cells, 6, -1, 3)
        seen, lit = seen.reshape(shape), lit.reshape(shape)
        samples = 6 * seen.shape[2]
        scores = self._scores(seen, lit, 0.0)
        odd = np.flatnonzero(scores.max(1) < -GLARE_NATS * samples)
        washed = self._scores(seen[odd], lit[odd], self._glare(seen[odd], lit[odd]))
        better = washed.max(1) > scores[odd].max(1)
        scores[odd[better]] = washed[better]
        return scores * np.float32(SHARE), -scores.max(1) / samples

    def _scores(self, seen: Linear, lit: Linear, added: Linear | float) -> Costs:
        """Log-likelihoods of each code, where every sample's word counts in full; `added` is light
        that a mirrored lamp adds to a card's own."""
        ground = cost(seen, lit, self.kit.ground, GROUND).sum((1, 2))
        card = cost(seen, lit, self.kit.card, TOP, added)
        inks = [cost(seen, lit, ink, TOP, added) for ink in self.kit.symbols]
        plain = card.sum((1, 2))
        gains = np.stack(  # (cells, places, edges, symbols)
            [
                np.einsum("cen,epn->cpe", card - ink, self._masks[:, :, k])
                for k, ink in enumerate(inks)
            ],
            -1,
        )
        places = gains.reshape(len(seen), len(SLOP_MM) ** 2, 18) @ self._faces
        scores: Costs = (places.max(1) - plain[:, None]).astype(np.float32)
        scores[:, self.empty] = -ground[:, None]
        return scores

    def _glare(self, seen: Linear, lit: Linear) -> Linear:
        """The light that a mirrored lamp adds to that of cards, smooth round each symbol. It washes
        colours out, and leaves how far blue, green and red are apart: that tells first of which
        colour a sample is, then which is nearest under the light found so far."""
        off = (seen / lit)[:, :, ::2, None] - self._colours  # (cells, edges, samples, colours, 3)
        apart = off - (off @ ONES / 3)[..., None]
        basis = self._basis[::2]
        for _ in range(ROUNDS):
            square = apart**2 @ ONES
            which = square.argmin(-1)[..., None]
            added = np.take_along_axis(off, which[..., None], -2)[..., 0, :]
            trust = 1 / (1 + np.take_along_axis(square, which, -1) / FIT**2)
            weighted = (basis * trust).swapaxes(-1, -2)
            field = np.linalg.solve(weighted @ basis + _EASE, weighted @ added)
            apart = off - (basis @ field)[..., None, :]
        return np.asarray(lit * np.maximum(self._basis @ field, 0), np.float32)
