"""Render: what a camera over a board would see. For tests and the simulated board.

Shapes are projected exactly and filled at twice the size, bottom first; light, glare, blur, noise
and JPEG follow in linear light. It knows no mirror images, no dust, no rolling shutter and no
sharpening: its figures are not a photo's.
"""

import math
from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.appearance import CORNER, KIT, SYMBOLS, Colour, Kit, Lying
from hexboard.board import Board
from hexboard.board.paper import Box
from hexboard.simulator.camera.canvas import SCALE, Canvas, Glare, Light, byte, flat, times
from hexboard.simulator.camera.props import Prop
from hexboard.simulator.camera.texture import Texture, drawn
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.marks.markers import paper

Linear = NDArray[np.float32]

FACETS = 28
"""Flat faces round a disc."""
RING: Array = around(FACETS)
NODES_PX = 16
"""Between the pixels whose rays are followed to the mat; those between lie between."""
ARM_MM = 475.0
"""From fingertips to where an arm ends, on a board so small that it reaches over the rim."""
PALM_MM = 75.0
"""From fingertips to the palm."""


class Hand(Struct, frozen=True):
    """A hand reaching in from beyond the rim at angle `side`, its fingers over (x, y), mm. Its arm
    is `ARM_MM` long, and as much longer as is wanted to come from beyond the rim."""

    x: float
    y: float
    side: float
    skin: Colour = (0.18, 0.28, 0.48)
    height: float = 40.0


class Renderer(Canvas):
    """Draws one board for one camera and pose; the empty board is drawn once."""

    def __init__(
        self,
        board: Board,
        camera: Camera,
        pose: Pose,
        kit: Kit = KIT,
        texture: Texture | None = None,
    ) -> None:
        """`texture` is the printed mat; without one it is drawn as it would be printed."""
        super().__init__(board, camera, pose, kit)
        width, height = camera.size
        self._empty: Picture = self._mat(texture or drawn(board, kit, width))
        self._x, self._y = np.meshgrid(
            np.linspace(-1, 1, width // 16), np.linspace(-1, 1, height // 16)
        )
        bank = np.random.default_rng(1).standard_normal((height + 64, width + 64, 3), np.float32)
        self._bank: Linear = bank
        self._drawn: object = None  # what lay there in the last picture, and how it was lit
        self._last: Prop | None = None

    # ----------------------------------------------------------------------------------- frame

    def frame(
        self,
        lying: dict[str, Lying],
        light: Light,
        seed: int = 0,
        hand: Hand | None = None,
        held: Iterable[tuple[float, float, float, Lying]] = (),
        lit: dict[str, Colour] | None = None,
        balls: Iterable[tuple[float, float]] = (),
    ) -> Picture:
        """A picture (height, width, 3) of what lies in the cells, or at their `CORNER`s; `held` are
        pieces in the air at (x, y, z) mm; `lit` are the lights of cells; `balls` lie at (x, y) mm.
        The same seed gives the same noise."""
        prop = self._laid(lying, light, tuple(held), lit or {})
        image, shadow = prop.image, prop.shadow
        for x, y in balls:
            prop.ball(x, y)
        if hand:
            self._hand(image, shadow, light, hand)
        return self._expose(image, shadow, light, seed)

    def _laid(
        self,
        lying: dict[str, Lying],
        light: Light,
        held: tuple[tuple[float, float, float, Lying], ...],
        lit: dict[str, Colour],
    ) -> Prop:
        """Everything but balls and the hand, and its shadows; drawn once while it lies there."""
        drawn = (dict(lying), held, dict(lit), light.azimuth, light.steepness)
        if drawn != self._drawn:
            image = self._empty.copy()
            width, height = self.camera.size
            prop = Prop(self, image, np.full((height, width), 255, np.uint8), light)
            self._draw_all(prop, lying, held, lit)
            self._drawn, self._last = drawn, prop
        last = self._last
        assert last is not None
        prop = Prop(self, last.image.copy(), last.shadow.copy(), light)
        prop.land = last.land
        return prop

    def _draw_all(
        self,
        prop: Prop,
        lying: dict[str, Lying],
        held: tuple[tuple[float, float, float, Lying], ...],
        lit: dict[str, Colour],
    ) -> None:
        """Shine, shade, then each thing, the farthest and lowest first."""
        for cell, colour in lit.items():
            self._spot(prop.image, cell, colour)
        things = [(*self._place(where, thing), 0.0, thing) for where, thing in lying.items()]
        for x, y, _, thing in things:
            self._shade(prop.shadow, prop.light, x, y, thing)
        for x, y, z, thing in sorted([*things, *held], key=self._far, reverse=True):
            self._draw(prop, x, y, z, thing)

    def _place(self, where: str, thing: Lying) -> tuple[float, float]:
        """Where a thing in a cell or at a corner of it lies, mm."""
        name, _, corner = where.partition(CORNER)
        cell = self.board.cell[name]
        x, y = self.board.corners(name)[int(corner)] if corner else (cell.x, cell.y)
        return x + thing.dx, y + thing.dy

    def _far(self, thing: tuple[float, float, float, Lying]) -> float:
        x, y, z, _ = thing
        return math.hypot(x - self.eye[0], y - self.eye[1]) - 1000 * z

    def _expose(self, image: Picture, shadow: Picture, light: Light, seed: int) -> Picture:
        """From light that comes back to bytes in a file."""
        width, height = self.camera.size
        small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        out = small.astype(np.float32)
        field = light.slope[0] * self._x + light.slope[1] * self._y
        field = np.exp(field - light.bowl * (self._x**2 + self._y**2)).astype(np.float32)
        smooth = cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR)
        full: Linear = np.asarray(smooth, np.float32)
        dark = cv2.GaussianBlur(shadow, (0, 0), 2.0).astype(np.float32)
        full *= (1 - light.shadow + light.shadow / 255 * dark) * (light.gain / 255)
        out *= np.asarray(cv2.merge([full * np.float32(b) for b in light.balance]), np.float32)
        for spot in light.glare:
            _add(out, spot)
        if light.blur:
            out = np.asarray(cv2.GaussianBlur(out, (0, 0), light.blur), np.float32)
        dx, dy = (int(k) for k in np.random.default_rng(seed).integers(0, 64, 2))
        grain = np.maximum(out, 0)
        grain *= 2e-5 * light.noise
        grain += 4e-6 * light.noise
        np.sqrt(grain, out=grain)
        grain *= self._bank[dy : dy + height, dx : dx + width]
        out += grain
        out *= 4095
        levels = np.clip(out, 0, 4095, out=out).astype(np.uint16)
        coded = np.asarray(cv2.LUT(levels, _SRGB), np.uint8)
        if not light.jpeg:
            return coded
        _, packed = cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, light.jpeg])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    # ---------------------------------------------------------------------------------- shapes

    def _mat(self, texture: Texture) -> Picture:
        """The mat on its desk, at `SCALE` times the size, by what each pixel's ray meets."""
        wide, high = (side * SCALE for side in self.camera.size)
        sides = [-(-side // NODES_PX) + 2 for side in (wide, high)]
        nodes = [(np.arange(count) - 0.5) * NODES_PX - 0.5 for count in sides]
        pixels = (np.stack(np.meshgrid(*nodes), -1).reshape(-1, 1, 2) + 0.5) / SCALE - 0.5
        flat = cv2.undistortPoints(pixels, self.camera.matrix, self.camera.distortion)
        rays = np.hstack([np.asarray(flat).reshape(-1, 2), np.ones((len(pixels), 1))])
        ways = rays @ cv2.Rodrigues(self.pose.rvec)[0]
        at = self.eye[:2] - ways[:, :2] / ways[:, 2:] * self.eye[2]
        spots = texture.spots(at).astype(np.float32).reshape(sides[1], sides[0], 2)
        maps = cv2.resize(spots, None, fx=NODES_PX, fy=NODES_PX, interpolation=cv2.INTER_LINEAR)
        inside = maps[NODES_PX : NODES_PX + high, NODES_PX : NODES_PX + wide]
        maps = np.ascontiguousarray(inside)
        desk = byte(self.kit.desk)
        edge = cv2.BORDER_CONSTANT
        seen = cv2.remap(texture.image, maps, None, cv2.INTER_LINEAR, None, edge, desk)
        return np.asarray(seen, np.uint8)

    def _spot(self, image: Picture, cell: str, colour: Colour) -> None:
        """A light in the middle of a cell."""
        here = self.board.cell[cell]
        for radius, level in ((9.0, 0.3), (5.0, 0.6), (2.5, 1.0)):
            glow = tuple(g + level * c for g, c in zip(self.kit.ground, colour, strict=True))
            self.fill(image, flat(RING * radius + (here.x, here.y)), (glow[0], glow[1], glow[2]))

    def _draw(self, prop: Prop, x: float, y: float, z: float, t: Lying) -> None:
        if t.tile:
            prop.tile(x, y, z, t)
        elif t.unit:
            prop.unit(x, y, z, t)
        elif t.marker:
            prop.marker(x, y, z, t)
        elif t.face:
            self._card(prop.image, prop.shadow, x, y, z, t)
        high = self.kit.height * self.board.pitch
        for layer, colour in enumerate(t.colours):
            dx, dy = (lean * layer for lean in t.lean)
            at = x + dx, y + dy, z + layer * high
            self._disc(prop.image, prop.shadow, prop.light, at, colour, t.shade)

    def _disc(
        self,
        image: Picture,
        shadow: Picture,
        light: Light,
        at: tuple[float, float, float],
        colour: int,
        shade: float,
    ) -> None:
        """One disc: the faces of its side that the camera sees, its top, the printed ring."""
        x, y, z = at
        radius, high = self.kit.radius * self.board.pitch, self.kit.height * self.board.pitch
        ring = RING * radius + (x, y)
        zs = np.full((FACETS, 1), z)
        both = np.vstack([np.hstack([ring, zs]), np.hstack([ring, zs + high])])
        rims = [RING * (radius * r) + (x, y) for r in self.kit.rim_at[::-1]]
        tops = [np.hstack([rim, zs + high]) for rim in rims]
        spots = self.spots(np.vstack([both, *tops]))
        base, top = spots[:FACETS], spots[FACETS : 2 * FACETS]
        middle = RING + np.roll(RING, -1, 0)
        facing = ((self.eye[:2] - ring) * middle).sum(1) > 0
        lamp = np.array([math.cos(light.azimuth), math.sin(light.azimuth)])
        glow = shade * (0.4 + 0.5 * np.clip(middle @ lamp / 2, 0, 1))
        paint = self.kit.pieces[colour]
        for k in np.nonzero(facing)[0]:
            other = (k + 1) % FACETS
            face = np.array([base[k], base[other], top[other], top[k]])
            self.paint(image, face, times(paint, float(glow[k])))
            self.paint(shadow, face, 1.0, 1)
        self.paint(image, top, times(paint, shade))
        self.paint(image, spots[2 * FACETS : 3 * FACETS], self.kit.rim[colour])
        self.paint(image, spots[3 * FACETS :], times(paint, shade))
        self.paint(shadow, top, 1.0, 1)

    def _card(
        self, image: Picture, shadow: Picture, x: float, y: float, z: float, t: Lying
    ) -> None:
        """A card: white, six symbols, the first to the east."""
        kit, pitch = self.kit, self.board.pitch
        corner = kit.card_reach * pitch * 2 / math.sqrt(3)
        outline = _around(6, corner, x, y, t.turn + math.pi / 6)
        face = self.spots(flat(outline, z + 0.5))
        self.paint(image, face, times(kit.card, t.shade))
        self.paint(shadow, face, 1.0, 1)
        for edge, symbol in enumerate(t.face):
            angle = t.turn + edge * math.pi / 3
            at = kit.symbol_at * pitch
            sx, sy = x + at * math.cos(angle), y + at * math.sin(angle)
            kind = SYMBOLS.index(symbol)
            sides, size = (20, 4, 3)[kind], kit.symbol_reach[kind]
            shape = _around(sides, kit.symbol_size * pitch * size, sx, sy, angle)
            self.fill(image, flat(shape, z + 0.5), times(kit.symbols[kind], t.shade))

    def _shade(self, shadow: Picture, light: Light, x: float, y: float, t: Lying) -> None:
        """The shadow of a piece on the board."""
        outline, high = self._outline(t)
        ring = outline + np.array([x, y])
        away = np.array([math.cos(light.azimuth), math.sin(light.azimuth)])
        both = np.vstack([ring, ring - away * high / light.steepness])
        spots = self.spots(flat(both))
        hull = cv2.convexHull(spots.astype(np.float32)).reshape(-1, 2)
        self.paint(shadow, np.asarray(hull, float), 0.0, 1)

    def _outline(self, t: Lying) -> tuple[Array, float]:
        """What throws a thing's shadow: its outline about its middle and its height, mm."""
        kit, pitch = self.kit, self.board.pitch
        if t.tile:
            return _around(6, pitch / math.sqrt(3), 0, 0, 0), kit.tile_high * pitch
        if t.unit:
            return RING * (kit.base * pitch * 0.6), kit.base_high * pitch + t.figure
        if t.marker:
            return RING * (kit.zone * pitch), kit.base_high * pitch
        if t.face:
            return _around(6, kit.card_reach * pitch * 1.15, 0, 0, math.pi / 6), 0.5
        return RING * (kit.radius * pitch), len(t.colours) * kit.height * pitch

    def _hand(self, image: Picture, shadow: Picture, light: Light, hand: Hand) -> None:
        """An arm, a palm and four fingers, and what they shade."""
        away = np.array([math.cos(light.azimuth), math.sin(light.azimuth)])
        for step in (0, 1):
            for (ax, ay), (bx, by), wide in _limbs(hand, paper(self.board)):
                ends = np.array([(ax, ay, hand.height), (bx, by, hand.height)])
                if not step:
                    ends[:, :2] -= away * hand.height / light.steepness
                    ends[:, 2] = 0
                limb = _capsule(ends, wide)
                spots = cv2.convexHull(self.spots(limb).astype(np.float32))
                at = np.asarray(spots, float).reshape(-1, 2)
                if step:
                    self.paint(image, at, hand.skin)
                    self.paint(shadow, at, 1.0, 1)
                else:
                    self.paint(shadow, at, 0.0, 1)


# ------------------------------------------------------------------------------------- helpers


def view(
    board: Board, size: tuple[int, int] = (1280, 960), tilt: float = 30.0, turn: float = 0.0
) -> tuple[Camera, Pose]:
    """A camera (66 degrees wide) `tilt` degrees off the vertical that just sees the whole mat,
    which lies turned by `turn` degrees under it."""
    width, height = size
    focal = width / 2 / math.tan(math.radians(33))
    matrix = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    camera = Camera(size, matrix, np.array([-0.03, 0.0, 0.0, 0.0, 0.0]))
    box = paper(board)
    corners = [(x, y) for x in (box.left, box.right) for y in (box.low, box.high)]
    lean, about = math.radians(tilt), math.radians(turn)
    down = cv2.Rodrigues(np.array([math.pi - lean, 0.0, 0.0]))[0]
    level = cv2.Rodrigues(np.array([0.0, 0.0, about]))[0]
    rvec = np.asarray(cv2.Rodrigues(down @ level)[0], float).ravel()
    for away in range(200, 3000, 5):
        for up in range(-40, 41, 4):
            pose = Pose(rvec, np.array([0.0, up * away / 400, float(away)]))
            spots = project(camera, pose, np.array(corners))
            if (spots > 8).all() and (spots < np.array(size) - 9).all():
                return camera, pose
    raise ValueError("the board does not fit into any picture")


def _limbs(hand: Hand, rim: Box) -> list[tuple[tuple[float, float], tuple[float, float], float]]:
    """The parts of a hand over a mat as (from, to, half width), mm."""
    out = np.array([math.cos(hand.side), math.sin(hand.side)])
    across = np.array([-out[1], out[0]])
    tip = np.array([hand.x, hand.y])
    palm = tip + out * PALM_MM
    ends = np.where(out > 0, (rim.right, rim.high), (rim.left, rim.low))
    arm = max(ARM_MM, float(((ends - tip) / np.where(np.abs(out) < 1e-9, 1e-9, out)).min()))
    parts = [(palm + out * 40, tip + out * arm, 30.0), (palm, palm + out * 40, 38.0)]
    parts += [(palm + across * k, tip + across * k * 0.5, 8.5) for k in (-28.0, -9.0, 9.0, 28.0)]
    return [((a[0], a[1]), (b[0], b[1]), wide) for a, b, wide in parts]


def _capsule(ends: Array, wide: float) -> Array:
    rings = [np.hstack([RING * wide + end[:2], np.full((FACETS, 1), end[2])]) for end in ends]
    return np.vstack(rings)


def _around(sides: int, reach: float, x: float, y: float, turn: float) -> Array:
    angles = turn + np.arange(sides) * 2 * math.pi / sides
    return np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1)


def _add(out: Linear, spot: Glare) -> None:
    """Add a soft spot of white light."""
    reach = 4 * spot.radius
    h, w = out.shape[:2]
    left, right = max(0, int(spot.x - reach)), min(w, int(spot.x + reach))
    top, low = max(0, int(spot.y - reach)), min(h, int(spot.y + reach))
    if left >= right or top >= low:
        return
    x, y = np.meshgrid(np.arange(left, right) - spot.x, np.arange(top, low) - spot.y)
    soft = spot.level * np.exp(-(x**2 + y**2) / (2 * spot.radius**2))
    out[top:low, left:right] += soft.astype(np.float32)[..., None]


_LEVELS = np.arange(4096) / 4095
_SRGB: Picture = np.zeros(1 << 16, np.uint8)
"""Bytes of a file by the light, 4095 for full scale."""
_SRGB[:4096] = (
    (np.where(_LEVELS <= 0.0031308, 12.92 * _LEVELS, 1.055 * _LEVELS ** (1 / 2.4) - 0.055) * 255)
    .round()
    .astype(np.uint8)
)
