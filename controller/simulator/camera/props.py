"""Props: how a renderer draws units, war zone markers, tiles and steel balls.

Each is drawn from its lowest part up, so that what is higher hides what is lower. A ball mirrors a
ceiling, a lamp, the dark camera and what it lies on.
"""

import math
from itertools import pairwise

import cv2
import numpy as np

from hexboard.appearance import Colour, Lying
from hexboard.simulator.camera.canvas import Canvas, Light, byte, flat, times
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, around
from hexboard.vision.marks.codes import FIELDS, RINGS, SECTORS, word

Place = tuple[float, float]

FACETS = 32
RING: Array = around(FACETS)
FIGURE = 0.42
"""The radius of what stands on a base, a share of the base's."""
STEEL = 0.62
"""The share of the light that a ball mirrors."""


class Prop:
    """Draws single things into a picture at twice its size and into its shadows."""

    def __init__(self, canvas: Canvas, image: Picture, shadow: Picture, light: Light) -> None:
        self.canvas, self.image, self.shadow, self.light = canvas, image, shadow, light
        self.kit, self.pitch = canvas.kit, canvas.board.pitch
        self.land: Picture = np.zeros(image.shape[:2], np.uint8)
        """Where tiles stand higher than a ball's middle."""

    # --------------------------------------------------------------------- units and markers

    def unit(self, x: float, y: float, z: float, t: Lying) -> None:
        """A base with its rings, and a figure on it."""
        kit, high = self.kit, z + self.kit.base_high * self.pitch
        radius = kit.base * self.pitch
        seat, kind = divmod(t.unit - 1, len(RINGS))
        self._slab(RING * radius + (x, y), z, high, kit.ink, t.shade)
        inner, outer = (radius * share for share in kit.base_rings)
        for k, bit in enumerate(RINGS[kind]):
            colour = kit.card if bit == "1" else kit.ink
            self._fill(_sector(x, y, outer, radius, t.turn, k), high, colour, t.shade)
        side = kit.card if seat else kit.ink
        self._fill(RING * outer + (x, y), high, side, t.shade)
        self._fill(RING * inner + (x, y), high, kit.card, t.shade * 0.5)
        if t.figure:
            self._cast(x, y, radius * FIGURE, high, t.figure)
            shade = t.shade * math.exp(3 * t.lean[0])
            self._slab(RING * (radius * FIGURE) + (x, y), high, high + t.figure, kit.figure, shade)

    def marker(self, x: float, y: float, z: float, t: Lying) -> None:
        """A war zone marker: dark with a light dot for the first seat, light with a dark one."""
        kit, high = self.kit, z + self.kit.base_high * self.pitch
        first, dot = (kit.ink, kit.card) if t.marker == 1 else (kit.card, kit.ink)
        radius = kit.zone * self.pitch
        self._slab(RING * radius + (x, y), z, high, first, t.shade)
        self._fill(RING * (radius * kit.zone_dot) + (x, y), high, dot, t.shade)

    def _cast(self, x: float, y: float, radius: float, low: float, high: float) -> None:
        """The shadow of a figure on its own base."""
        away = np.array([math.cos(self.light.azimuth), math.sin(self.light.azimuth)])
        ring = RING * radius + (x, y)
        both = np.vstack([ring, ring - away * high / self.light.steepness])
        spots = self.canvas.spots(flat(both, low))
        hull = cv2.convexHull(spots.astype(np.float32)).reshape(-1, 2)
        self.canvas.paint(self.shadow, np.asarray(hull, float), 0.0, 1)

    # ------------------------------------------------------------------------------- tiles

    def tile(self, x: float, y: float, z: float, t: Lying) -> None:
        """A tile: its sides and upper side, channels down to their floor, the marker."""
        kit, pitch = self.kit, self.pitch
        turn = t.turn - t.rotation * math.pi / 3
        high = z + kit.tile_high * pitch
        corners = turned(_hexagon((1 - kit.tile_gap) * pitch / math.sqrt(3)), turn, (x, y))
        self._slab(corners, z, high, kit.tile, t.shade)
        self._dug(corners, [turned(q, turn, (x, y)) for q in self._channels(t)], high, t)
        if t.number >= 0:
            self._mark(t, x, y, high, turn)

    def _channels(self, t: Lying) -> list[Array]:
        """The channels of a tile in its own frame (y up), as convex quadrilaterals, mm."""
        half = self.kit.channel * self.pitch / 2
        ways = (np.array(way) * self.pitch for way in t.channels)
        return [quad for way in ways for quad in _strip(way, half)]

    def _dug(self, corners: Array, quads: list[Array], high: float, t: Lying) -> None:
        """Channels: what one sees through them is their floor, else their wall."""
        kit = self.kit
        rim = self.canvas.spots(flat(corners, high)) * 2 + 0.5
        (left, top), (right, low) = np.floor(rim.min(0)) - 1, np.ceil(rim.max(0)) + 2
        rows = slice(max(0, int(top)), max(0, int(low)))
        columns = slice(max(0, int(left)), max(0, int(right)))
        part = self.image[rows, columns]
        origin = np.array([columns.start, rows.start])
        masks = [np.zeros(part.shape[:2], np.uint8) for _ in range(3)]
        for mask, shapes, z in zip(
            masks, ([corners], quads, quads), (high, high, kit.floor_high * self.pitch), strict=True
        ):
            for shape in shapes:
                spots = self.canvas.spots(flat(shape, z)) * 2 + 0.5 - origin
                cv2.fillConvexPoly(mask, np.round(spots * 16).astype(np.int32), 255, 8, 4)
        upper, dug, floor = (mask > 0 for mask in masks)
        open_ = upper & dug
        part[open_] = byte(times(kit.floor, t.shade * 0.55))
        part[open_ & floor] = byte(times(kit.floor, t.shade))
        self.land[rows, columns][upper] = 255
        self.land[rows, columns][open_] = 0

    def _mark(self, t: Lying, x: float, y: float, high: float, turn: float) -> None:
        size = self.kit.mark_size * self.pitch
        middle = turned(np.array([(self.kit.mark_at * self.pitch, 0.0)]), math.pi / 3)[0]
        step = size / FIELDS
        for k, light in enumerate(word(t.number)):
            row, column = divmod(k, FIELDS)
            left = float(middle[0]) + column * step - size / 2
            top = float(middle[1]) + size / 2 - row * step
            field = np.array(
                [(left, top), (left + step, top), (left + step, top - step), (left, top - step)]
            )
            colour = self.kit.card if light else self.kit.ink
            self._fill(turned(field, turn, (x, y)), high, colour, t.shade)

    # ------------------------------------------------------------------------------- balls

    def ball(self, x: float, y: float) -> None:
        """A steel ball, hidden where a tile stands before it."""
        radius = self.kit.ball * self.pitch
        low = self.kit.floor_high * self.pitch if self.land.any() else 0.0
        middle = np.array([x, y, low + radius])
        to_eye = self.canvas.eye - middle
        to_eye = to_eye / np.linalg.norm(to_eye)
        right = np.cross([0.0, 1.0, 0.0], to_eye)
        right /= np.linalg.norm(right)
        up = np.cross(to_eye, right)
        rims = [middle, middle + right * radius, middle + up * radius]
        spots = self.canvas.spots(rims) * 2 + 0.5
        reach = math.ceil(float(np.linalg.norm(spots[1] - spots[0]))) + 2
        cx, cy = (int(v) for v in spots[0])
        ys, xs = np.mgrid[cy - reach : cy + reach + 1, cx - reach : cx + reach + 1]
        axes = np.stack([spots[1] - spots[0], spots[2] - spots[0]], 1)
        uv = np.stack([xs - spots[0][0], ys - spots[0][1]], -1) @ np.linalg.inv(axes).T
        far = (uv**2).sum(-1)
        depth = np.sqrt(np.maximum(1 - far, 0))
        normal = uv[..., :1] * right + uv[..., 1:] * up + depth[..., None] * to_eye
        height = middle[2] + radius * normal[..., 2]
        inside = (ys >= 0) & (xs >= 0) & (ys < self.land.shape[0]) & (xs < self.land.shape[1])
        hidden = np.zeros(inside.shape, bool)
        hidden[inside] = self.land[ys[inside], xs[inside]] > 0
        seen = inside & (far <= 1) & ~(hidden & (height < self.kit.tile_high * self.pitch))
        mirrored = 2 * (normal @ to_eye)[..., None] * normal - to_eye
        colours = self._mirrored(mirrored[seen], to_eye)
        self.image[ys[seen], xs[seen]] = np.clip(colours * 255, 0, 255).astype(np.uint8)

    def _mirrored(self, way: Array, to_eye: Array) -> Array:
        """What a ball shows of what lies along `way` (n, 3): the room above, the board below."""
        up = way[:, 2:]
        room = 0.40 + 0.25 * np.clip(up, 0, 1)
        lean = math.atan2(self.light.steepness, 1)
        lamp = np.array(
            [
                math.cos(lean) * math.cos(self.light.azimuth),
                math.cos(lean) * math.sin(self.light.azimuth),
                math.sin(lean),
            ]
        )
        room = room + 4.0 * np.exp((way @ lamp - 1)[:, None] / 0.01)
        room = room * (1 - 0.7 * np.exp((way @ to_eye - 1)[:, None] / 0.02))
        ground = np.array(self.kit.floor) * 0.8
        share = np.clip(up * 6 + 0.5, 0, 1)
        return np.asarray(STEEL * (share * room + (1 - share) * ground))

    # ----------------------------------------------------------------------------- shapes

    def _slab(self, outline: Array, low: float, high: float, colour: Colour, shade: float) -> None:
        """A convex prism: what shows of its side, darker, and its upper side."""
        spots = self.canvas.spots(np.vstack([flat(outline, low), flat(outline, high)]))
        hull = cv2.convexHull(spots.astype(np.float32)).reshape(-1, 2)
        for target, tone, scale in ((self.image, times(colour, 0.55 * shade), 2), (None, 1.0, 1)):
            onto = self.shadow if target is None else target
            self.canvas.paint(onto, np.asarray(hull, float), tone, scale)
        self.canvas.paint(self.image, spots[len(outline) :], times(colour, shade))

    def _fill(self, shape: Array, z: float, colour: Colour, shade: float) -> None:
        self.canvas.fill(self.image, flat(shape, z), times(colour, shade))


# ------------------------------------------------------------------------------------- helpers


def _strip(way: Array, half: float) -> list[Array]:
    """A line as wide as twice `half`, in convex pieces."""
    pieces = [RING * half + point for point in way[1:-1]]
    if len(way) == 2:  # an arm: round where it meets the others
        pieces = [RING * half + way[1]]
    for start, end in pairwise(way):
        along = (end - start) / (np.linalg.norm(end - start) or 1.0)
        aside = np.array([-along[1], along[0]]) * half
        pieces.append(np.array([start - aside, start + aside, end + aside, end - aside]))
    return pieces


def _sector(x: float, y: float, inner: float, outer: float, turn: float, k: int) -> Array:
    angles = turn + (k + np.array([0, 1])) * 2 * math.pi / SECTORS
    way = np.stack([np.cos(angles), np.sin(angles)], 1)
    return np.asarray(np.vstack([way * outer, way[::-1] * inner]) + np.array([x, y]))


def _hexagon(reach: float) -> Array:
    angles = np.arange(6) * math.pi / 3
    return np.stack([np.cos(angles), np.sin(angles)], 1) * reach


def turned(points: Array, angle: float, middle: Place = (0.0, 0.0)) -> Array:
    """Points about their origin, turned by an angle and moved to `middle`."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + np.array(middle))
