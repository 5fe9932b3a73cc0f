"""A second simulated camera: printed sheets with solid pieces on them, traced ray by ray.

    mat = printed("hexhex-5")                       # what `hexboard sheet` prints, cut and taped
    picture = World(mat).picture({"e5": [WHITE]})   # (height, width, 3), blue green red

It is written from what people are told (docs/camera.md: the measures of mat and pieces) and knows
neither what reads pictures nor the renderer that came first: its board is the PDF of the command,
rasterised by pdfium; its pieces are solids with bevelled edges; several lamps cast soft shadows and
shine in the pieces; a tone curve, sharpening and JPEG with halved colours follow. No threshold of
hexboard's is chosen by it.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from hexboard.board import find, load
from tests.cli import invoke

Floats = NDArray[np.float32]
Colour = tuple[float, float, float]

MARGIN_MM, SHARED_MM = 10.0, 8.0
"""What a printer leaves white round a page, and what taped pages share."""
PER_MM = 4.0
"""Texture pixels a millimetre."""
PAPER: Colour = (0.80, 0.81, 0.80)
INK = 0.035
"""What black ink sends back."""
RADIUS_MM, HIGH_MM, RING, BEVEL_MM = 13.6, 7.6, (0.80, 0.92), 0.6
"""A disc as docs/camera.md has it: 27.2 mm across, a ring at 80 to 92 % of its radius."""
OVER = 2
"""Rays a pixel, each way."""


class Disc(NamedTuple):
    top: Colour
    ring: Colour


BLACK = Disc((0.04, 0.04, 0.045), (0.28, 0.28, 0.28))
WHITE = Disc((0.74, 0.75, 0.74), (0.20, 0.20, 0.20))
ORANGE = Disc((0.04, 0.21, 0.72), (0.02, 0.09, 0.35))


class Lamp(NamedTuple):
    """A round lamp facing down; places and radius in mm."""

    x: float
    y: float
    z: float
    level: float
    radius: float = 60.0


ROOM = (
    Lamp(-500, 700, 1300, 0.35, 150),
    Lamp(900, 300, 1500, 0.25, 200),
    Lamp(0, -1200, 1600, 0.15),
)
AMBIENT = 0.35
"""Light from walls and ceiling, from everywhere."""


SOFT = (Lamp(-300, 500, 1500, 0.15, 400), Lamp(600, -300, 1600, 0.1, 400))
"""Windows all round, with 0.75 of light from everywhere: hardly a shadow."""
HAND_MM = 110.0


class Sleeve(NamedTuple):
    """A forearm that lies over the board: from beyond the rim to (x, y), mm."""

    x: float
    y: float
    side: float
    cloth: Colour
    radius: float = 38.0
    z: float = 45.0
    skin: Colour | None = None
    """Of a hand, which reaches out of the sleeve by `HAND_MM`; None for one in it."""


Laid = tuple[float, float, int, Disc]
"""A disc at (x, y) mm, so many discs under it."""


class Mat(NamedTuple):
    """A printed sheet: linear light that it sends back, and where it lies in the board's frame."""

    name: str
    texture: Floats
    left: float
    high: float


@cache
def printed(name: str, *options: str, paper: Colour = PAPER) -> Mat:
    """`hexboard sheet NAME` on A3, cut along its crop marks and taped together."""
    with TemporaryDirectory() as folder:
        for file in ("m.pdf", "m.svg"):
            where = ["--home", folder, "sheet", name, "-o", f"{folder}/{file}", "--paper", "a3"]
            done = invoke(*where, *options)
            assert done.exit_code == 0, done.output
        svg = Path(folder, "m.svg").read_text("utf-8")
        pages = _pages(Path(folder, "m.pdf").read_bytes())
    left, up, width, height = (float(v) for v in re.findall(r'viewBox="(.*?)"', svg)[0].split())
    rows, columns = round(height * PER_MM), round(width * PER_MM)
    sheet = np.ones((rows, columns, 3), np.float32)
    inner_w, inner_h = (int(side - 2 * MARGIN_MM * PER_MM) for side in pages[0].shape[1::-1])
    step_w, step_h = (int(side - SHARED_MM * PER_MM) for side in (inner_w, inner_h))
    across = max(1, math.ceil((columns - SHARED_MM * PER_MM) / step_w))
    edge = round(MARGIN_MM * PER_MM)
    for k, page in enumerate(pages):
        row, column = k // across * step_h, k % across * step_w
        part = sheet[row : row + inner_h, column : column + inner_w]
        part[:] = page[edge : edge + part.shape[0], edge : edge + part.shape[1]]
    light = np.where(sheet <= 0.04045, sheet / 12.92, ((sheet + 0.055) / 1.055) ** 2.4)
    return Mat(name, (INK + (np.array(paper) - INK) * light).astype(np.float32), left, -up)


def _pages(data: bytes) -> list[Floats]:
    document = pypdfium2.PdfDocument(data)
    try:
        scale = PER_MM * 25.4 / 72
        return [page.render(scale=scale).to_numpy()[..., :3] / np.float32(255) for page in document]
    finally:
        document.close()


class World:
    """A mat under a camera `tilt` degrees off the vertical, 66 degrees wide."""

    def __init__(
        self,
        mat: Mat,
        size: tuple[int, int] = (1280, 960),
        tilt: float = 30.0,
        turn: float = 0.0,
        lamps: Sequence[Lamp] = ROOM,
        fill: float = 0.96,
        bend: float = -0.03,
        ambient: float = AMBIENT,
        radius: float = RADIUS_MM,
        tall: float = HIGH_MM,
    ) -> None:
        """`radius` and `tall` are the discs', mm."""
        self._ambient, self._radius, self._tall = ambient, radius, tall
        self.mat, self.size, self.lamps, self._bend = mat, size, lamps, bend
        self.cells = {c.id: (c.x, c.y) for c in load(find(mat.name)).cells}
        self._focal = size[0] / 2 / math.tan(math.radians(33))
        lean, about = math.radians(tilt), math.radians(turn)
        back = np.array([math.sin(about) * math.sin(lean), -math.cos(about) * math.sin(lean)])
        out = np.array([*back, math.cos(lean)])
        right = np.array([math.cos(about), math.sin(about), 0.0])
        self._axes = np.stack([right, np.cross(-out, right), -out])
        high, wide = mat.texture.shape[0] / PER_MM, mat.texture.shape[1] / PER_MM
        corners = np.array(
            [(mat.left + i * wide, mat.high - j * high, 0) for i in (0, 1) for j in (0, 1)]
        )
        self.middle = np.array([mat.left + wide / 2, mat.high - high / 2, 0.0])
        for away in range(200, 4000, 5):
            self.eye = self.middle + out * away
            seen = np.abs(self.seen(corners) - np.array(size) / 2) / (np.array(size) / 2)
            if seen.max() < fill:
                break
        self._rays = self._aim()
        self._bare, self._half = self._open()

    # ------------------------------------------------------------------------------- camera

    def seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where points, (n, 3) mm, are in the picture, px."""
        at = (points - self.eye) @ self._axes.T
        flat = at[:, :2] / at[:, 2:]
        square = (flat**2).sum(1, keepdims=True)
        flat = flat * (1 + self._bend * square)
        return np.asarray(flat * self._focal + np.array(self.size) / 2 - 0.5)

    def _aim(self) -> Floats:
        """Every ray's way, (rows, columns, 3), its z part -1."""
        wide, high = self.size
        x = ((np.arange(wide * OVER) + 0.5) / OVER - wide / 2) / self._focal
        y = ((np.arange(high * OVER) + 0.5) / OVER - high / 2) / self._focal
        bent = np.stack(np.meshgrid(x, y), -1)
        flat = bent.copy()
        for _ in range(4):
            flat = bent / (1 + self._bend * (flat**2).sum(-1, keepdims=True))
        ways = np.concatenate([flat, np.ones((*flat.shape[:2], 1))], -1) @ self._axes
        return np.asarray(ways / -ways[..., 2:], np.float32)

    # ------------------------------------------------------------------------------- light

    def picture(
        self,
        lying: Mapping[str, Sequence[Disc]] | None = None,
        sleeve: Sleeve | None = None,
        seed: int = 0,
        gain: float = 0.75,
        blur: float = 0.8,
        curve: float = 0.0,
        sharpen: float = 0.0,
        quality: int = 90,
        off: float = 0.6,
        cast: Colour = (1.0, 1.0, 1.0),
        slips: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    ) -> NDArray[np.uint8]:
        """What the camera sees. `lying` are stacks from the bottom, laid `off` mm (1 sigma) off
        their cells' middles, or where `slips` has them; `curve` bends the tones, 0.1 is a phone's;
        `cast` is what is wrong with the white balance."""
        random = np.random.default_rng(seed)
        stacks = lying or {}
        discs: list[Laid] = []
        for cell in sorted(stacks, key=lambda cell: -self._far(*self.cells[cell])):
            for layer, disc in enumerate(stacks[cell]):
                slip = slips[cell][layer] if slips else random.normal(0, off, 2).clip(-1.5, 1.5)
                x, y = np.array(self.cells[cell]) + slip
                discs.append((float(x), float(y), layer, disc))
        light = self._board(discs, sleeve)
        for x, y, layer, disc in discs:
            self._disc(light, x, y, layer * self._tall, disc)
        if sleeve and sleeve.skin:
            self._sleeve(light, sleeve._replace(cloth=sleeve.skin, radius=0.8 * sleeve.radius))
            x, y = _along(sleeve, HAND_MM)
            sleeve = sleeve._replace(x=x, y=y)
        if sleeve:
            self._sleeve(light, sleeve)
        wide, high = self.size
        out = cv2.resize(light, (wide, high), interpolation=cv2.INTER_AREA)
        out = out * (np.float32(gain) * np.array(cast, np.float32))
        out = cv2.GaussianBlur(out, (0, 0), blur) if blur else out
        out = out + random.standard_normal(out.shape, np.float32) * np.sqrt(
            np.maximum(out, 0) * 3e-5 + 6e-6
        )
        out = out.clip(0, 1)
        coded = np.where(out <= 0.0031308, 12.92 * out, 1.055 * out ** (1 / 2.4) - 0.055)
        coded = coded - curve * np.sin(2 * math.pi * coded) / (2 * math.pi)
        if sharpen:
            coded = coded + sharpen * (coded - cv2.GaussianBlur(coded, (0, 0), 1.2))
        whole = (coded.clip(0, 1) * 255).round().astype(np.uint8)
        half = [cv2.IMWRITE_JPEG_QUALITY, quality]
        half += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
        return np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", whole, half)[1], cv2.IMREAD_COLOR), np.uint8
        )

    def _far(self, x: float, y: float) -> float:
        return math.hypot(x - self.eye[0], y - self.eye[1])

    def _board(self, discs: Sequence[Laid], sleeve: Sleeve | None) -> Floats:
        """The sheet on a wooden table, in the light that the pieces leave it."""
        share = cv2.remap(self._lit(discs, sleeve), *self._half, cv2.INTER_LINEAR, borderValue=1)
        return np.asarray(self._bare * share[..., None], np.float32)

    def _open(self) -> tuple[Floats, tuple[Floats, Floats]]:
        """The sheet on its table with nothing on it; where each ray meets it, texture px / 2."""
        at = self.eye[:2].astype(np.float32) + self._rays[..., :2] * np.float32(self.eye[2])
        u = (at[..., 0] - self.mat.left) * PER_MM - 0.5
        v = (self.mat.high - at[..., 1]) * PER_MM - 0.5
        grain = 0.8 + 0.2 * np.sin(at[..., :1] * 0.35 + 2 * np.sin(at[..., 1:] * 0.02))
        wood = grain * np.array((0.10, 0.19, 0.30), np.float32)
        sheet = cv2.remap(self.mat.texture, u, v, cv2.INTER_AREA | cv2.INTER_LINEAR)
        on = (u > -0.5) & (v > -0.5)
        on &= (u < self.mat.texture.shape[1] - 0.5) & (v < self.mat.texture.shape[0] - 0.5)
        albedo = np.where(on[..., None], sheet, wood)
        fall = np.full(u.shape, self._ambient, np.float32)
        for lamp in self.lamps:
            square = ((at - (lamp.x, lamp.y)) ** 2).sum(-1)
            fall += lamp.level * (lamp.z**2 / (square + lamp.z**2)) ** 2
        return np.asarray(albedo * fall[..., None], np.float32), (u / 2, v / 2)

    def _lit(self, discs: Sequence[Laid], sleeve: Sleeve | None) -> Floats:
        """The share of the lamps' light that comes to each place of the mat, shadows taken off."""
        rows, columns = (side // 2 for side in self.mat.texture.shape[:2])
        total = sum(lamp.level for lamp in self.lamps) + self._ambient
        share = np.ones((rows, columns), np.float32)
        turn = np.arange(24) * math.pi / 12
        ring = np.stack([np.cos(turn), np.sin(turn)], 1)
        for lamp in self.lamps:
            for k in range(7):
                aside = ring[4 * k % 24] * lamp.radius * (k > 0)
                where = np.array([lamp.x, lamp.y]) + aside
                dark = np.zeros((rows, columns), np.uint8)
                bodies = [
                    (ring * self._radius + (x, y), layer * self._tall, self._tall)
                    for x, y, layer, _ in discs
                ]
                if sleeve:
                    low = sleeve.z - sleeve.radius / 2
                    bodies += [
                        (ring * sleeve.radius + _along(sleeve, far), low, sleeve.radius)
                        for far in np.linspace(0, 600, 40).tolist()
                    ]
                for outline, low, tall in bodies:
                    self._cast(dark, outline, low, tall, where, lamp.z)
                share -= dark * np.float32(lamp.level / total / 7)
        return share

    def _cast(
        self, dark: NDArray[np.uint8], rim: NDArray[np.float64], low: float, high: float,
        lamp: NDArray[np.float64], z: float,
    ) -> None:  # fmt: skip
        """Darken what a body's outline keeps from a point of light."""
        both = np.vstack([lamp + (rim - lamp) * z / (z - level) for level in (low, low + high)])
        at = np.stack([both[:, 0] - self.mat.left, self.mat.high - both[:, 1]], 1) * PER_MM / 2
        cv2.fillConvexPoly(dark, cv2.convexHull((at * 16).astype(np.int32)), 1, cv2.LINE_8, 4)

    # ------------------------------------------------------------------------------- solids

    def _window(self, points: NDArray[np.float64]) -> tuple[slice, slice]:
        spots = (self.seen(points) + 0.5) * OVER
        (left, top), (right, low) = spots.min(0) - 3, spots.max(0) + 4
        rows, columns = self._rays.shape[:2]
        return (
            slice(max(0, int(top)), max(0, min(rows, int(low)))),
            slice(max(0, int(left)), max(0, min(columns, int(right)))),
        )

    def _shade(self, normal: Floats, at: Floats, albedo: Floats, gloss: float) -> Floats:
        """Light from a surface: what lamps and room send onto it, and the lamps' images in it."""
        light = np.full(normal.shape[:-1], self._ambient, np.float32) * (0.6 + 0.4 * normal[..., 2])
        shine = np.zeros_like(light)
        to_eye = self.eye - at
        to_eye = to_eye / np.sqrt(_dot(to_eye, to_eye))[..., None]
        for lamp in self.lamps:
            way = np.array([lamp.x, lamp.y, lamp.z]) - at
            far = np.sqrt(_dot(way, way))[..., None]
            way = np.asarray(way / far, np.float32)
            facing = _dot(normal, way).clip(0)
            light += lamp.level * facing * (lamp.z / far[..., 0]) ** 2
            half = way + to_eye
            half = half / np.sqrt(_dot(half, half))[..., None]
            shine += lamp.level * _dot(normal, half).clip(0) ** 60 * (facing > 0)
        return np.asarray(albedo * light[..., None] + gloss * shine[..., None], np.float32)

    def _disc(self, light: Floats, x: float, y: float, z: float, disc: Disc) -> None:
        """A cylinder with a bevelled upper edge and a printed ring."""
        turn = np.arange(16) * math.pi / 8
        rim = np.stack([np.cos(turn), np.sin(turn)], 1) * (self._radius + 1) + (x, y)
        ends = [np.hstack([rim, np.full((16, 1), level)]) for level in (z, z + self._tall)]
        window = self._window(np.vstack(ends))
        ways = self._rays[window]
        if not ways.size:
            return
        start = (self.eye - (x, y, z)).astype(np.float32)
        best = np.full(ways.shape[:2], np.inf, np.float32)
        normal = np.zeros(ways.shape, np.float32)
        # levels of the solid from above: the top, three steps of the bevel, the side
        faces = [(self._tall, self._radius - BEVEL_MM)]
        down = start[2] - self._tall
        flat = start[:2] + ways[..., :2] * down
        top = _dot(flat, flat) < faces[0][1] ** 2
        best[top], normal[top] = down, (0, 0, 1)
        a = _dot(ways[..., :2], ways[..., :2])
        b = np.asarray(ways[..., :2] @ start[:2], np.float32)
        for k in range(4):
            low = self._tall - BEVEL_MM * (k + 1) / 3 if k < 3 else 0.0
            high = self._tall - BEVEL_MM * k / 3
            size = self._radius - BEVEL_MM * (1 - min(k + 0.5, 3) / 3)
            root = b**2 - a * ((start[:2] ** 2).sum() - size**2)
            t = (-b - np.sqrt(root.clip(0))) / a
            level = start[2] - t
            hit = (root > 0) & (level <= high) & (level >= low) & (t < best)
            out = (start[:2] + ways[..., :2] * t[..., None]) / size
            up = 0.8 if k < 3 else 0.0
            lean = np.concatenate(
                [out * math.sqrt(1 - up * up), np.full((*t.shape, 1), up, np.float32)], -1
            )
            best[hit], normal[hit] = t[hit], lean[hit]
        hit = np.isfinite(best)
        at = start + ways * np.where(hit, best, 1)[..., None]
        far = np.hypot(at[..., 0], at[..., 1]) / self._radius
        ring = top & (far > RING[0]) & (far < RING[1])
        albedo = np.where(ring[..., None], np.array(disc.ring), np.array(disc.top))
        shaded = self._shade(normal, at + np.array((x, y, z)), albedo.astype(np.float32), 0.04)
        light[window] = np.where(hit[..., None], shaded, light[window])

    def _sleeve(self, light: Floats, sleeve: Sleeve) -> None:
        """A cloth cylinder with a round end."""
        ends = np.array([(*_along(sleeve, far), sleeve.z) for far in (0.0, 600.0)])
        box = [(dx, dy, dz) for dx in (-1, 1) for dy in (-1, 1) for dz in (-1, 1)]
        window = self._window(np.vstack([ends + np.array(b) * sleeve.radius for b in box]))
        ways = self._rays[window].astype(float)
        axis = ends[1] - ends[0]
        axis = axis / np.linalg.norm(axis)
        best, normal = np.full(ways.shape[:2], np.inf), np.zeros(ways.shape)
        for kind in ("end", "tube"):
            o = self.eye - ends[0]
            d = ways
            if kind == "tube":
                o, d = o - axis * (o @ axis), d - (d @ axis)[..., None] * axis
            a, b = (d**2).sum(-1), d @ o
            root = b**2 - a * (o @ o - sleeve.radius**2)
            t = (-b - np.sqrt(root.clip(0))) / a
            at = self.eye - ends[0] + ways * t[..., None]
            along = at @ axis
            hit = (root > 0) & (t < best) & ((along >= 0) if kind == "tube" else (along < 0))
            out = at - (along[..., None] * axis if kind == "tube" else 0)
            best[hit], normal[hit] = t[hit], (out / sleeve.radius)[hit]
        hit = np.isfinite(best)
        at = self.eye + ways * np.where(hit, best, 1)[..., None]
        weave = 1 + 0.06 * np.sin(at[..., :1] * 1.7) * np.sin(at[..., 1:2] * 1.7)
        albedo = (np.array(sleeve.cloth) * weave).astype(np.float32)
        shaded = self._shade(normal.astype(np.float32), at.astype(np.float32), albedo, 0.0)
        light[window] = np.where(hit[..., None], shaded, light[window])


def _dot(one: NDArray[Any], other: NDArray[Any]) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", one, other))


def _along(sleeve: Sleeve, far: float) -> tuple[float, float]:
    return sleeve.x + math.cos(sleeve.side) * far, sleeve.y + math.sin(sleeve.side) * far
