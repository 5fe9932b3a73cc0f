"""Texture: a mat as it is printed, as a picture: what the simulated camera looks at.

It is drawn from the very shapes that `hexboard sheet` prints.
"""

import cv2
import numpy as np
from msgspec import Struct

from hexboard.appearance import Kit
from hexboard.board import Board
from hexboard.board.areas import Areas
from hexboard.board.paper import Box, Item, Polygon, Text, Tone, rgb
from hexboard.simulator.camera.canvas import SHIFT
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array
from hexboard.vision.light import LINEAR
from hexboard.vision.marks.markers import paper
from hexboard.vision.marks.sheet import mat

FINE = 2
"""Shapes are filled at so many times the texture's size."""
SHARPEST = 4.0
"""Pixels a millimetre at most."""


class Texture(Struct, frozen=True, eq=False):
    """A picture of a sheet in linear light, (rows, columns, 3), and where it lies."""

    image: Picture
    box: Box
    """On the board, mm."""

    def spots(self, points: Array) -> Array:
        """Where points of the board, (n, 2) mm, are in it, px."""
        sides = np.array([self.image.shape[1], self.image.shape[0]])
        off = (points - (self.box.left, self.box.high)) * (1, -1)
        return np.asarray(off / (self.box.width, self.box.height) * sides - 0.5)


def drawn(board: Board, kit: Kit, width: int, areas: Areas | None = None) -> Texture:
    """A board's mat on the ground of a kit, divided into areas or not, for pictures so many pixels
    wide."""
    box = paper(board)
    sharp = min(SHARPEST, 3 * width / box.width)
    return Texture(inked(mat(board, kit.ground, areas), box, sharp, kit), box)


def inked(items: tuple[Item, ...], box: Box, sharp: float, kit: Kit) -> Picture:
    """A drawing printed on the paper of a kit in its ink, `sharp` pixels a millimetre."""
    size = round(box.width * sharp), round(box.height * sharp)
    scale = np.array(size) * FINE / (box.width, box.height)
    sheet = np.full((size[1] * FINE, size[0] * FINE, 3), _tone(1.0, kit), np.uint8)
    for item in items:
        if isinstance(item, Text):
            _write(sheet, item, box, scale, kit)
            continue
        at = (np.array(item.points) - (box.left, box.high)) * (1, -1) * scale
        if item.fill is not None:
            _fill(sheet, item, at, kit)
        if item.line is not None:
            wide = max(1, round(item.width * scale[0]))
            spots = ((at - 0.5) * (1 << SHIFT)).round().astype(np.int32)
            cv2.polylines(sheet, [spots], True, _tone(item.line, kit), wide, cv2.LINE_8, SHIFT)
    return np.asarray(cv2.resize(sheet, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fill(sheet: Picture, item: Polygon, at: Array, kit: Kit) -> None:
    """Fill a shape; OpenCV would fill the pixels that a rectangle's rim cuts through as well."""
    assert item.fill is not None
    colour, (left, high), (right, low) = _tone(item.fill, kit), at.min(0), at.max(0)
    if len(at) == 4 and set(map(tuple, at.tolist())) <= {
        (x, y) for x in (left, right) for y in (high, low)
    }:
        rows, columns = slice(round(high), round(low)), slice(round(left), round(right))
        sheet[rows, columns] = colour
    else:
        spots = ((at - 0.5) * (1 << SHIFT)).round().astype(np.int32)
        cv2.fillPoly(sheet, [spots], colour, cv2.LINE_8, SHIFT)


def _write(sheet: Picture, item: Text, box: Box, scale: Array, kit: Kit) -> None:
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(item.size * 0.09 * float(scale[0])))
    size = item.size * 0.72 * float(scale[0]) / 21  # capitals are 21 px high at size 1
    (wide, high), _ = cv2.getTextSize(item.text, font, size, thick)
    x, y = ((item.x, item.y) - np.array([box.left, box.high])) * (1, -1) * scale
    at = round(x - wide / 2), round(y + high / 2)
    cv2.putText(sheet, item.text, at, font, size, _tone(item.grey, kit), thick, cv2.LINE_8)


def _tone(tone: Tone, kit: Kit) -> tuple[int, ...]:
    """What is printed so sends back, as bytes of linear light; blue first."""
    shares = (float(LINEAR[round(255 * share)]) for share in rgb(tone)[::-1])
    both = zip(kit.ink, kit.paper, shares, strict=True)
    return tuple(round(255 * (ink + (white - ink) * share)) for ink, white, share in both)
