"""Tiles: whether a tile lies in each slot, and by its printed marker which one, turned how.

A marker's fields are looked at in all six corners: the one that reads best tells tile and rotation.
Where no marker can be read a tile may be any: the slot is full, and nothing more is said.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hexboard.appearance import Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.stacks import cost
from hexboard.vision.geometry import Array, Camera, Pose, project, turned
from hexboard.vision.light import Linear
from hexboard.vision.marks.codes import FIELDS, numbers, word

SIDE = 9
"""Samples across a slot."""
REACH_PITCHES = 0.28
"""Half of that, a share of the pitch."""
SLOP_MM = (-0.6, 0.0, 0.6)
"""How far off a marker is tried: a slot holds a tile in its place."""
NEAR = 0.22
"""From the middle of a field to its four samples, a share of its side."""
GROUND = (0.4, 1.12)
"""Brightness of an empty slot's ground against its colour: its neighbours shade it."""
LIT = (0.6, 1.2)
INK = (0.5, 3.0)
"""Of print: blurred, a small dark field is not quite dark."""
DUG = (0.4, 1.2)
"""Brightness of a channel against its floor's colour: its walls are dark."""
OTHER_NATS = 2.5
"""What a sample costs at most on a tile: there are balls, prints and parts."""
PLAIN_NATS = 4.0
"""The same where a marker would be, of a tile without one."""
ANYTHING_NATS = 0.8
"""What a field costs in the corners of an empty slot, where one sees walls of others."""
SHARE = 0.2
"""Of a sample's word that counts."""
MISSING_NAT = 20.0
"""Nats against a tile whose marker cannot be read where it should be: it may have none."""
FIELD = 0.8
"""Of a field's word."""

Costs = NDArray[np.float32]


class Tiles:
    """The tiles of one board under one pose. `looks` are what the codes stand for. Raises `BadText`
    where two tiles have the same marker."""

    most_nats, most_empty_nats = 0.6, 0.4
    """As in `Stacks`."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        self.kit, self.cells, self.count = kit, len(board.cells), len(looks)
        numbers((look.tile, look.number) for look in looks if look.tile)
        self._full = [code for code, look in enumerate(looks) if look.tile]
        self._empty = [code for code, look in enumerate(looks) if not look.tile]
        self._turn = [looks[code].rotation for code in self._full]
        words = np.array([word(looks[code].number) for code in self._full], np.float32)
        self._words = words.reshape(-1, FIELDS * FIELDS)
        line = np.linspace(-REACH_PITCHES, REACH_PITCHES, SIDE) * board.pitch
        face = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
        marks = [turned(self._mark(board.pitch), -turn * math.pi / 3) for turn in range(6)]
        local = np.concatenate([face, *marks])
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        self.grounds = (middles[:, None] + local).reshape(-1, 2)
        high = np.full((len(self.grounds), 1), kit.tile_high * board.pitch)
        self.points: Array = project(camera, pose, np.hstack([self.grounds, high]))
        self._split = len(face)
        self._plain = 6 * FIELDS**2

    def _mark(self, pitch: float) -> Array:
        """The samples of a marker on an unturned tile: places x fields x 4, (n, 2) mm."""
        step = self.kit.mark_size * pitch / FIELDS
        half = step * (FIELDS - 1) / 2
        fields = [(k % FIELDS * step - half, half - k // FIELDS * step) for k in range(FIELDS**2)]
        near = [(x * NEAR * step, y * NEAR * step) for x in (-1, 1) for y in (-1, 1)]
        middle = turned(np.array([(self.kit.mark_at * pitch, 0.0)]), math.pi / 3)[0]
        places = np.array([(x, y) for x in SLOP_MM for y in SLOP_MM])
        spots = places[:, None, None] + np.array(fields)[:, None] + np.array(near)
        return np.asarray(middle + spots.reshape(-1, 2))

    def read(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """As `Stacks.read`."""
        seen, lit = (part.reshape(self.cells, -1, 3) for part in (seen, lit))
        face = slice(None, self._split)
        ground = cost(seen[:, face], lit[:, face], self.kit.ground, GROUND)
        tile = self._surface(seen[:, face], lit[:, face])
        corners = slice(self._split, None)
        plain, marks = self._marks(seen[:, corners], lit[:, corners])
        bare = -SHARE * (ground.sum(1) + self._plain * ANYTHING_NATS)
        some = -SHARE * (tile.sum(1) + plain)
        scores = np.zeros((self.cells, self.count), np.float32)
        scores[:, self._empty] = bare[:, None]
        scores[:, self._full] = some[:, None] + np.maximum(marks, -MISSING_NAT)
        best = np.minimum(ground.sum(1), tile.sum(1))
        return scores, np.asarray(best / self._split, np.float32)

    def _surface(self, seen: Linear, lit: Linear) -> Costs:
        """Nats against a tile's upper side or channels at each sample."""
        land = cost(seen, lit, self.kit.tile, LIT)
        dug = cost(seen, lit, self.kit.floor, DUG)
        return np.minimum(np.minimum(land, dug), OTHER_NATS)

    def _marks(self, seen: Linear, lit: Linear) -> tuple[Costs, Costs]:
        """Nats against the bare corners of a tile, (slots); log-likelihoods of each tile's marker
        against none, (slots, tiles)."""
        shape = (self.cells, 6, len(SLOP_MM) ** 2, FIELDS**2, 4)
        plain = np.minimum(cost(seen, lit, self.kit.tile, LIT), PLAIN_NATS).reshape(shape).mean(-1)
        dark = plain - cost(seen, lit, self.kit.ink, INK).reshape(shape).mean(-1)
        light = plain - cost(seen, lit, self.kit.card, LIT).reshape(shape).mean(-1)
        dark, light = dark[:, self._turn], light[:, self._turn]  # (slots, tiles, places, fields)
        each = (np.where(self._words[:, None] > 0, light, dark)).sum(-1)
        bare = plain[:, :, len(SLOP_MM) ** 2 // 2].sum((1, 2))
        return bare, np.asarray(FIELD * each.max(-1), np.float32)
