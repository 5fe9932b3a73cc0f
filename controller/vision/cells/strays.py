"""Strays: how the pieces and bare cells of one picture look, against what was calibrated.

    strays = Strays(board, camera, pose, kit, looks)
    strays.look(picture, band, field, codes)       # one `Sample` for each code that was read
    tinted(kit, tint, looks)                        # the kit by which to read from then on

Only discs and counters are learned from: what is printed on cards, bases and tiles stays as it is.
"""

import numpy as np
from msgspec.structs import replace

from hexboard.appearance import Colour, Kit, Look
from hexboard.board import Board
from hexboard.facts import BARE, Off, Sample, Tint
from hexboard.vision.cells.colours import LEAST, apart
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Field, Linear, Sampler

SPOTS = 12
"""Points on each of two circles round a cell's middle."""
REACHES = (0.25, 0.5)
"""Their radii, shares of a disc's: within its ring, however it lies."""
CLIPPED = 0.97
"""Light from which on a camera tells no more."""
UNIT = 1000
"""Steps of the root of the light."""
NOTHING = Look()


class Strays:
    """What tells the looks of discs and of bare cells on one board under one pose."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, looks: tuple[Look, ...]
    ) -> None:
        self._parts = [_part(look) for look in looks]
        self._high = np.array([max(map(len, look.stacks), default=0) for look in looks])
        self._colours = {BARE: kit.ground, **dict(enumerate(kit.pieces))}
        self.middles = np.array([(cell.x, cell.y) for cell in board.cells])
        self._shape = len(self.middles), int(self._high.max()) + 1, len(REACHES) * SPOTS, 3
        self._sampler = Sampler(project(camera, pose, self._places(board, kit)))

    def _places(self, board: Board, kit: Kit) -> Array:
        """Points over each cell at each height of a stack, (cells x heights x points, 3) mm."""
        size, high = kit.radius * board.pitch, kit.height * board.pitch
        circles = np.concatenate([around(SPOTS) * size * reach for reach in REACHES])
        cells, heights, spots, _ = self._shape
        flat = np.broadcast_to((self.middles[:, None] + circles)[:, None], (*self._shape[:3], 2))
        up = np.broadcast_to((np.arange(heights) * high)[:, None, None], (cells, heights, spots, 1))
        return np.concatenate([flat, up], -1).reshape(-1, 3)

    def look(
        self, picture: Picture, band: Field, field: Array, codes: list[int | None]
    ) -> tuple[Sample, ...]:
        """One sample for each code that was read; `field` is the light that `band` found, `codes`
        what each cell was read as."""
        seen = self._sampler.look(picture).reshape(self._shape)
        lit = np.exp(band.basis(self.middles) @ field)
        found = []
        for code in sorted({code for code in codes if code is not None}):
            cells = np.array([k for k, each in enumerate(codes) if each == code])
            shown = np.median(seen[cells, self._high[code]], 1)
            told = shown.max(1) < CLIPPED
            part = self._parts[code]
            if part is not None and told.any():
                shares = np.median(shown[told] / lit[cells][told], 0)
                found.append(Sample(code, part, _off(shares, self._colours[part])))
        return tuple(found)


def _part(look: Look) -> int | None:
    """Whose colour a code shows; None for what is not learned from."""
    tops = {stack[-1] for stack in look.stacks}
    if len(tops) == 1:
        return tops.pop()
    return BARE if look == NOTHING else None


def _off(shares: Linear, own: Colour) -> Off:
    off = np.sqrt(np.maximum(shares, 0)) - np.sqrt(own)
    blue, green, red = (round(float(value) * UNIT) for value in off)
    return blue, green, red


def tinted(kit: Kit, tint: Tint, looks: tuple[Look, ...]) -> Kit:
    """A kit as this evening's light shows it: rings with their pieces. What would make two kinds of
    pieces alike is not followed."""
    offs = dict(tint.offs)
    pieces = tuple(_turned(own, offs.get(k)) for k, own in enumerate(kit.pieces))
    rims = tuple(
        _shaded(rim, old, new) for rim, old, new in zip(kit.rim, kit.pieces, pieces, strict=True)
    )
    after = replace(kit, ground=_turned(kit.ground, offs.get(BARE)), pieces=pieces, rim=rims)
    used = sorted({colour for look in looks for stack in look.stacks for colour in stack})
    pairs = [(a, b) for k, a in enumerate(used) for b in used[k + 1 :]]
    if any(apart(pieces[a], pieces[b]) < LEAST for a, b in pairs):
        return kit
    return after


def _turned(colour: Colour, off: Off | None) -> Colour:
    if off is None:
        return colour
    root = np.sqrt(colour) + np.array(off) / UNIT
    blue, green, red = (np.maximum(root, 0.05) ** 2).tolist()
    return blue, green, red


def _shaded(rim: Colour, old: Colour, new: Colour) -> Colour:
    """A ring in the light in which its piece looks so."""
    blue, green, red = (
        ring * (after / before) for ring, before, after in zip(rim, old, new, strict=True)
    )
    return blue, green, red
