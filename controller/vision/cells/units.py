"""Units: how likely each unit stands in each cell, and a war zone marker at one of its corners.

A base lies flat a little over the board: its rings are tried at 49 places in 32 turns. What stands
on it is not looked at, and hides some of the rings behind it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.stacks import GROUND, cost
from hexboard.vision.geometry import Array, Camera, Pose, project
from hexboard.vision.light import Linear
from hexboard.vision.marks.codes import RINGS, SECTORS

SIDE = 21
"""Samples across a base's patch."""
SLOP_MM = tuple(k * 0.6 for k in range(-3, 4))
"""How far off the middle a base is tried."""
CORNER_SIDE = 8
CORNER_SLOP_MM = (-1.2, -0.6, 0.0, 0.6, 1.2)
TURNS = 2 * SECTORS
LIT, INK = (0.7, 1.2), (0.5, 3.0)
"""Brightness of light and dark print against the colour as it is: small dark parts are blurred."""
FIGURE_NATS = 0.8
"""What a sample of what stands on a base costs."""
HIDDEN_NATS = 3.0
"""What a sample of print costs at most: a figure may hide or shade it."""
FIGURE_WIDE = 0.45
"""The half width of what stands on a base, a share of the base's."""
FIGURE_HIGH_MM = 14.0
HIDDEN_SHARE = 0.25
"""Of the word of a sample that it can hide."""
BARE_NATS = 2.5
"""What a sample costs at most where there is no war zone marker."""
SHARE = 0.2
"""Of a sample's word that counts."""

Costs = NDArray[np.float32]


class Units:
    """The units of one board under one pose. `looks` are what the codes stand for."""

    most_nats, most_empty_nats = 1.1, 0.4
    """As in `Stacks`."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        self.kit, self.cells = kit, len(board.cells)
        self._codes = [
            (k, look.unit, look.marker) for k, look in enumerate(looks) if look.unit >= 0
        ]
        self.count = len(looks)
        pitch = board.pitch
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        base, corner = self._bases(kit.base * pitch), self._markers(kit.zone * pitch)
        around = [
            (x - cell.x, y - cell.y) for cell in board.cells[:1] for x, y in board.corners(cell.id)
        ]
        local = np.concatenate([base, *(corner + spot for spot in around)])
        self.grounds = (middles[:, None] + local).reshape(-1, 2)
        high = np.full((len(self.grounds), 1), kit.base_high * pitch)
        self.points: Array = project(camera, pose, np.hstack([self.grounds, high]))
        self._split = len(base)
        self._trust = self._figures(pose, middles, base, kit.base * pitch)
        self._meeting = np.array([_meeting(board, cell.id) for cell in board.cells])

    def _bases(self, radius: float) -> Array:
        """The samples of a cell; and which of them lie on which ring of a base at each place."""
        reach = radius + max(SLOP_MM) + 0.8
        line = np.linspace(-reach, reach, SIDE)
        local = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
        local = local[np.hypot(*local.T) <= reach]
        places = np.array([(x, y) for x in SLOP_MM for y in SLOP_MM])
        off = local - places[:, None]
        out = np.hypot(off[..., 0], off[..., 1]) / radius
        inner, outer = self.kit.base_rings
        angle = np.arctan2(off[..., 1], off[..., 0])
        self._within = (out < inner).astype(np.float32)
        self._side = ((out >= inner) & (out < outer)).astype(np.float32)
        self._ring = ((out >= outer) & (out < 1)).astype(np.float32)
        light = np.array([[bit == "1" for bit in ring] for ring in RINGS])
        masks = []
        for turn in range(TURNS):
            sector = np.floor((angle / (2 * math.pi) - turn / TURNS) * SECTORS).astype(int)
            masks.append(light[:, sector % SECTORS] * self._ring)  # (kinds, places, samples)
        stacked = np.stack(masks, 2).astype(np.float32)  # (kinds, places, turns, samples)
        self._light = stacked.reshape(-1, len(local))
        return np.asarray(local)

    def _figures(self, pose: Pose, middles: Array, local: Array, radius: float) -> Costs:
        """How far each sample of a base counts, (cells, samples): less where a figure in the middle
        can stand before it."""
        eye = pose.eye
        away = (middles - eye[:2]) / eye[2]  # mm that a mm of height hides behind it
        lean = np.hypot(*away.T)[:, None]
        way = away / np.maximum(lean, 1e-9)
        behind = way @ local.T
        aside = np.abs(np.stack([-way[:, 1], way[:, 0]], 1) @ local.T)
        wide = radius * FIGURE_WIDE
        hidden = (aside < wide) & (behind > 0) & (behind < wide + lean * FIGURE_HIGH_MM)
        return np.where(hidden, np.float32(HIDDEN_SHARE), np.float32(1))

    def _markers(self, radius: float) -> Array:
        """The samples of a corner; and which lie on a marker's rim and dot at each place."""
        reach = radius + max(CORNER_SLOP_MM)
        line = np.linspace(-reach, reach, CORNER_SIDE)
        local = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
        places = np.array([(x, y) for x in CORNER_SLOP_MM for y in CORNER_SLOP_MM])
        out = np.hypot(*np.moveaxis(local - places[:, None], -1, 0)) / radius
        self._dot = (out < self.kit.zone_dot).astype(np.float32)
        self._disc = ((out >= self.kit.zone_dot) & (out < 1)).astype(np.float32)
        return np.asarray(local)

    def read(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """As `Stacks.read`."""
        seen, lit = (part.reshape(self.cells, -1, 3) for part in (seen, lit))
        ground = cost(seen, lit, self.kit.ground, GROUND)
        dark = cost(seen, lit, self.kit.ink, INK)
        light = cost(seen, lit, self.kit.card, LIT)
        bases, corners = slice(None, self._split), slice(self._split, None)
        units = self._units(*(costs[:, bases] for costs in (ground, dark, light)))
        zones = self._zones(*(costs[:, corners] for costs in (ground, dark, light)))
        scores = np.full((self.cells, self.count), -np.inf, np.float32)
        for code, unit, marker in self._codes:
            scores[:, code] = units[:, unit] + zones[:, marker]
        mean = -units.max(1) / (SHARE * self._trust.sum(1))
        return scores, mean

    def _units(self, ground: Costs, dark: Costs, light: Costs) -> Costs:
        """Log-likelihoods of no unit and of each, (cells, 13)."""
        ground, dark, light = (self._trust * costs for costs in (ground, dark, light))
        dark, light = np.minimum(dark, HIDDEN_NATS), np.minimum(light, HIDDEN_NATS)
        empty = -ground.sum(1)
        sure = (dark - light) @ self._light.T  # light print instead of dark
        kinds = sure.reshape(self.cells, len(RINGS), len(self._ring), TURNS).max(3)
        ring = (ground - dark) @ self._ring.T + (ground - FIGURE_NATS) @ self._within.T
        sides = [(ground - side) @ self._side.T for side in (dark, light)]
        scores = [empty]
        for side in sides:
            whole = kinds + (ring + side)[:, None]
            scores += list(empty + whole.max(2).T)
        return np.asarray(SHARE * np.stack(scores, 1), np.float32)

    def _zones(self, ground: Costs, dark: Costs, light: Costs) -> Costs:
        """Log-likelihoods of each marker against none, (cells, 3): at the likeliest corner. Rim and
        dot must both be there: glare looks like one of them."""
        shape = (self.cells, 6, -1)
        bare = np.minimum(ground, BARE_NATS).reshape(shape)
        gains = [(bare - print_.reshape(shape)) for print_ in (dark, light)]
        found = [np.zeros(self.cells, np.float32)]
        for rim, dot in (gains, gains[::-1]):
            parts = [(rim, self._disc), (dot, self._dot)]
            rims, dots = (gain @ mask.T / mask.sum(1) for gain, mask in parts)
            each = (np.minimum(rims, 2 * dots) * (self._disc + self._dot).sum(1)).max(2)
            found.append(SHARE * np.where(self._meeting, each, -np.inf).max(1))
        return np.stack(found, 1)


def _meeting(board: Board, cell: str) -> list[bool]:
    """At which corners of a cell two more cells are."""
    beside = [board.neighbour(cell, edge) is not None for edge in range(1, 7)]
    return [beside[k] and beside[(k + 1) % 6] for k in range(6)]
