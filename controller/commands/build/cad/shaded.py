"""Parts as a picture: triangles with a depth for each pixel, and their names over it, as SVG.

The library that makes solids draws what is seen of edges, without colours and for one part at a
time; minutes for a whole board.
"""

import base64
import struct
import zlib
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDE_PX = 1500
"""How wide a picture is."""
FREE_PX = 60
"""Round what is drawn."""
SHADES = 24
"""Of each colour, from dark to light."""
COLOURS = (
    (205, 208, 212),
    (240, 160, 60),
    (90, 160, 215),
    (120, 185, 95),
    (215, 110, 120),
    (160, 130, 205),
)
"""The first is of what is there already; then those of new parts, by turns of their kinds. RGB."""
LIGHT = (-0.35, -0.55, 0.76)
"""From where it comes, one long."""
FOLD = 0.9
"""Two faces side by side meet in a line where the cosine of what they turn by is less."""
DEEP_MM = 1.5
"""And where one lies so much further off."""
FONT_PX = 26
PAPER, INK = 0, 1
"""The first two entries of the palette."""


class DrawnMesh(Struct):
    """A part as triangles: corners (n, 3), mm, and for each triangle three of them (m, 3)."""

    name: str
    kind: str
    """Of what one colour is."""
    corners: Floats
    triangles: NDArray[np.int64]
    off: Floats
    """How far from its place it is drawn; its corners are so already."""
    new: bool


class PictureView(Struct):
    """How mm become pixels: three directions (right, up, towards who looks), a scale, an origin."""

    axes: Floats
    scale: float
    origin: Floats
    size: tuple[int, int]

    def px(self, corners: Floats) -> Floats:
        """Pixels from the left and from above, and how near, mm."""
        seen = corners @ self.axes.T
        x = (seen[:, 0] - self.origin[0]) * self.scale + FREE_PX
        y = (self.origin[1] - seen[:, 1]) * self.scale + FREE_PX
        return np.stack([x, y, seen[:, 2]], axis=1)


def shaded(title: str, meshes: Sequence[DrawnMesh], eye: tuple[float, float, float]) -> str:
    """The picture, seen from far away in the direction of the eye."""
    view = _view(np.concatenate([it.corners for it in meshes]), np.array(eye))
    depth, faces, part = _seen(view, meshes)
    drawn = _png(_coloured(view, meshes, depth, faces, part))
    wide, high = view.size
    labels, ways = "".join(_labels(view, meshes, part)), "".join(_ways(view, meshes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<image width="{wide}" height="{high}" href="data:image/png;base64,{drawn}"/>\n'
        f'<path d="{ways}" stroke="#111" stroke-width="2" stroke-dasharray="3 9" opacity=".7"/>\n'
        f'<g font-family="sans-serif" font-size="{FONT_PX}" text-anchor="middle" fill="#111" '
        f'stroke="#fff" stroke-width="6" paint-order="stroke">\n{labels}</g>\n</svg>\n'
    )


def _view(corners: Floats, eye: Floats) -> PictureView:
    near = eye / np.linalg.norm(eye)
    right = np.cross([0.0, 0.0, 1.0], near)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(near, right), near])
    seen = corners @ axes.T
    (left, low, _), (far, top, _) = seen.min(axis=0), seen.max(axis=0)
    scale = (WIDE_PX - 2 * FREE_PX) / max(far - left, 0.75 * (top - low))
    size = (round((far - left) * scale) + 2 * FREE_PX, round((top - low) * scale) + 2 * FREE_PX)
    return PictureView(axes, scale, np.array([left, top]), size)


def _seen(
    view: PictureView, meshes: Sequence[DrawnMesh]
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """For each pixel how near it is, how its face lies, and of which mesh it is (-1: of none)."""
    wide, high = view.size
    depth, faces = np.full((high, wide), -np.inf), np.zeros((high, wide, 3))
    part = np.full((high, wide), -1, dtype=np.int64)
    for number, mesh in enumerate(meshes):
        corners, lies = view.px(mesh.corners), _normals(mesh) @ view.axes.T
        for k in np.flatnonzero(lies[:, 2] > 0):
            _fill(corners[mesh.triangles[k]], lies[k], number, depth, faces, part)
    return depth, faces, part


def _coloured(
    view: PictureView,
    meshes: Sequence[DrawnMesh],
    depth: Floats,
    faces: Floats,
    part: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """The palette's entry for each pixel."""
    kinds = list(dict.fromkeys(it.kind for it in meshes if it.new))
    more = len(COLOURS) - 1
    colours = [1 + kinds.index(it.kind) % more if it.new else 0 for it in meshes]
    bright = np.clip(0.45 + 0.55 * (faces @ (view.axes @ np.array(LIGHT))), 0.0, 1.0)
    shade = np.round(bright * (SHADES - 1)).astype(np.int64)
    entries: NDArray[np.int64] = 2 + np.array([*colours, 0])[part] * SHADES + shade
    entries[part < 0] = PAPER
    entries[_lines(depth, faces, part)] = INK
    return entries.astype(np.uint8)


def _normals(mesh: DrawnMesh) -> Floats:
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    long = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.maximum(long, 1e-12))


def _fill(
    corners: Floats,
    lies: Floats,
    number: int,
    depth: Floats,
    faces: Floats,
    part: NDArray[np.int64],
) -> None:
    """One triangle, where nothing nearer is."""
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corners
    whole = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if abs(whole) < 1e-9:
        return
    left, right = int(np.ceil(min(x0, x1, x2))), int(max(x0, x1, x2)) + 1
    top, low = int(np.ceil(min(y0, y1, y2))), int(max(y0, y1, y2)) + 1
    if left >= right or top >= low:
        return
    xs, ys = np.arange(left, right)[None, :], np.arange(top, low)[:, None]
    second = ((xs - x0) * (y2 - y0) - (x2 - x0) * (ys - y0)) / whole
    third = ((x1 - x0) * (ys - y0) - (xs - x0) * (y1 - y0)) / whole
    near = z0 + second * (z1 - z0) + third * (z2 - z0)
    there = np.s_[top:low, left:right]
    inside = (second >= 0) & (third >= 0) & (second + third <= 1) & (near > depth[there])
    depth[there][inside] = near[inside]
    faces[there][inside] = lies
    part[there][inside] = number


def _lines(depth: Floats, faces: Floats, part: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where one part, or one face, ends: the nearer pixel of two."""
    found = np.zeros(part.shape, dtype=bool)
    for here, there in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
        with np.errstate(invalid="ignore"):
            apart = np.nan_to_num(np.abs(depth[here] - depth[there]), nan=0.0) > DEEP_MM
        folded = np.einsum("ijk,ijk->ij", faces[here], faces[there]) < FOLD
        ends = (part[here] != part[there]) | ((apart | folded) & (part[here] >= 0))
        nearer = depth[here] >= depth[there]
        found[here] |= ends & nearer
        found[there] |= ends & ~nearer
    return found


def _png(entries: NDArray[np.uint8]) -> str:
    """An indexed PNG, in base64."""
    high, wide = entries.shape
    palette = bytearray(b"\xff\xff\xff\x30\x34\x38")
    for colour in COLOURS:
        for k in range(SHADES):
            share = 0.35 + 0.65 * k / (SHADES - 1)
            palette += bytes(round(share * it) for it in colour)
    rows = np.concatenate([np.zeros((high, 1), np.uint8), entries], axis=1).tobytes()
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(palette)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    whole = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + whole).decode()


def _labels(
    view: PictureView, meshes: Sequence[DrawnMesh], part: NDArray[np.int64]
) -> Iterator[str]:
    """The name of each new part once, on the uppermost one that bears it."""
    new = [(n, it) for n, it in enumerate(meshes) if it.new]
    for name in dict.fromkeys(it.name for _, it in new):
        each = [(view.px(it.corners)[:, :2], n) for n, it in new if it.name == name]
        box, number = min(each, key=lambda it: float(it[0][:, 1].min()))
        x, y = _on(part == number, (box.min(axis=0) + box.max(axis=0)) / 2)
        count = f" × {len(each)}" if len(each) > 1 else ""
        yield f'<text x="{x:.0f}" y="{y + FONT_PX / 3:.0f}">{escape(name)}{count}</text>\n'


def _on(shown: NDArray[np.bool_], middle: Floats) -> Floats:
    """The pixel of these that is nearest to a point; the point, where there are none."""
    ys, xs = np.nonzero(shown)
    if not len(xs):
        return middle
    nearest = int(np.argmin((xs - middle[0]) ** 2 + (ys - middle[1]) ** 2))
    return np.array([float(xs[nearest]), float(ys[nearest])])


def _ways(view: PictureView, meshes: Sequence[DrawnMesh]) -> Iterator[str]:
    """Where each part goes that is there once, from where it is drawn."""
    names = [it.name for it in meshes if it.new]
    for it in meshes:
        if it.new and names.count(it.name) == 1 and np.any(it.off):
            middle = (it.corners.min(axis=0) + it.corners.max(axis=0)) / 2
            (x, y, _), (to_x, to_y, _) = view.px(np.stack([middle, middle - it.off]))
            yield f"M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}"
