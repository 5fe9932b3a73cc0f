"""Paper: shapes in greys and colours, in mm, written as SVG, or as PDF on as many pages as needed.

Both are at true scale: one unit is a millimetre, y grows upwards. A PDF of more than one page
overlaps by `OVERLAP_MM`, has crop marks and says on each page where it belongs.
"""

import math
from collections.abc import Iterable, Iterator
from html import escape

from msgspec import Struct

from hexboard.vision.marks.markers import Box, Point
from hexboard.words import message, say

MARGIN_MM = 10.0
"""What printers leave white."""
OVERLAP_MM = 8.0
"""How much neighbouring pages share."""
FORMATS_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Paper formats, upright."""
POINTS_A_MM = 72 / 25.4
"""Points of a PDF in a millimetre."""


Tone = float | tuple[float, float, float]
"""A grey from 0 (black) to 1 (white), or shares of red, green and blue, as files write them."""


class Polygon(Struct, frozen=True):
    """A closed shape. None: not filled, or no line."""

    points: tuple[Point, ...]
    fill: Tone | None = None
    line: Tone | None = None
    width: float = 0.2
    """Of the line, mm."""


class Text(Struct, frozen=True):
    """A line of text in the middle of a point; `size` in mm."""

    x: float
    y: float
    text: str
    size: float = 3.0
    grey: float = 0.0


Item = Polygon | Text


def rectangle(box: Box, fill: float | None = None, line: float | None = None) -> Polygon:
    corners = (
        *((box.left, box.low), (box.right, box.low)),
        *((box.right, box.high), (box.left, box.high)),
    )
    return Polygon(corners, fill, line)


# ------------------------------------------------------------------------------------------ SVG


def svg(items: Iterable[Item], box: Box, title: str) -> str:
    """The drawing on one sheet of the size of `box`."""
    body = "\n".join(_svg(item) for item in items)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box.width:.2f}mm" '
        f'height="{box.height:.2f}mm" '
        f'viewBox="{box.left:.2f} {-box.high:.2f} {box.width:.2f} {box.height:.2f}">\n'
        f"<title>{escape(title)}</title>\n{body}\n</svg>\n"
    )


def _svg(item: Item) -> str:
    if isinstance(item, Text):
        return (
            f'<text x="{item.x:.2f}" y="{-item.y + item.size * 0.35:.2f}" text-anchor="middle" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="{item.size}" '
            f'fill="{_hex(item.grey)}">{escape(item.text)}</text>'
        )
    points = " ".join(f"{x:.3f},{-y:.3f}" for x, y in item.points)
    fill = "none" if item.fill is None else _hex(item.fill)
    line = "" if item.line is None else f' stroke="{_hex(item.line)}" stroke-width="{item.width}"'
    return f'<polygon points="{points}" fill="{fill}"{line}/>'


def _hex(tone: Tone) -> str:
    return "#" + "".join(f"{round(share * 255):02x}" for share in rgb(tone))


def rgb(tone: Tone) -> tuple[float, float, float]:
    """Its red, green and blue."""
    return tone if isinstance(tone, tuple) else (tone, tone, tone)


# ------------------------------------------------------------------------------------------ PDF


class Page(Struct, frozen=True):
    """One sheet of a tiled drawing: which part of the drawing lies on it."""

    column: int
    row: int
    """Counted from the upper left."""
    part: Box


def tiled(box: Box, paper: str) -> tuple[tuple[float, float], tuple[Page, ...]]:
    """The sheet's size (mm), upright or lying, whichever takes fewer, and the pages."""
    width, height = FORMATS_MM[paper]
    choices = [((w, h), _pages(box, w, h)) for w, h in ((width, height), (height, width))]
    return min(choices, key=lambda choice: len(choice[1]))


def _pages(box: Box, width: float, height: float) -> tuple[Page, ...]:
    across, down = width - 2 * MARGIN_MM, height - 2 * MARGIN_MM
    columns, rows = _count(box.width, across), _count(box.height, down)
    pages = []
    for row in range(rows):
        for column in range(columns):
            left = box.left + column * (across - OVERLAP_MM)
            high = box.high - row * (down - OVERLAP_MM)
            pages.append(Page(column, row, Box(left, high - down, left + across, high)))
    return tuple(pages)


def _count(length: float, page: float) -> int:
    return max(1, math.ceil(round((length - OVERLAP_MM) / (page - OVERLAP_MM), 6)))


def pdf(items: Iterable[Item], box: Box, paper: str, title: str) -> bytes:
    """The drawing on sheets of `paper`. It is one form that each page shows a part of."""
    size, pages = tiled(box, paper)
    form = "\n".join(line for item in items for line in _marks(item)).encode("cp1252", "replace")
    bounds = " ".join(_n(v) for v in (box.left, box.low, box.right, box.high))
    first = 5  # objects 1..4: catalog, pages, font, the drawing
    kids = " ".join(f"{first + 2 * k} 0 R" for k in range(len(pages)))
    font = "<< /Font << /F 3 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        _stream(f"/Type /XObject /Subtype /Form /BBox [{bounds}] /Resources {font}", form),
    ]
    for k, page in enumerate(pages):
        resources = "<< /Font << /F 3 0 R >> /XObject << /D 4 0 R >> >>"
        media = f"[0 0 {_n(size[0] * POINTS_A_MM)} {_n(size[1] * POINTS_A_MM)}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {media} /Resources {resources} "
            f"/Contents {first + 2 * k + 1} 0 R >>".encode()
        )
        parts = [title, say(message("sheet.page", page=k + 1, pages=len(pages)))]
        if len(pages) > 1:
            parts.append(say(message("sheet.part", column=page.column + 1, row=page.row + 1)))
        label = "  -  ".join(parts)
        objects.append(_stream("", _page(page, size, label).encode("cp1252", "replace")))
    return _file(objects)


def _page(page: Page, size: tuple[float, float], label: str) -> str:
    """What is drawn on one sheet: its part of the drawing, the crop marks, the label."""
    part = page.part
    inner = Box(MARGIN_MM, MARGIN_MM, size[0] - MARGIN_MM, size[1] - MARGIN_MM)
    scale = f"{_n(POINTS_A_MM)} 0 0 {_n(POINTS_A_MM)} 0 0 cm"
    shown = (
        f"q {_n(inner.left)} {_n(inner.low)} {_n(inner.width)} {_n(inner.height)} re W n "
        f"1 0 0 1 {_n(inner.left - part.left)} {_n(inner.low - part.low)} cm /D Do Q"
    )
    crops = (line for mark in _crops(inner) for line in _marks(mark))
    text = Text(size[0] / 2, MARGIN_MM / 2, label, 2.6, 0.3)
    return "\n".join((scale, shown, *crops, *_marks(text)))


def _crops(inner: Box) -> Iterator[Polygon]:
    """Short lines outside the corners, along which to cut."""
    for x, out in ((inner.left, -1), (inner.right, 1)):
        for y, off in ((inner.low, -1), (inner.high, 1)):
            yield Polygon(((x + out, y), (x + 5 * out, y)), None, 0.0, 0.15)
            yield Polygon(((x, y + off), (x, y + 5 * off)), None, 0.0, 0.15)


def _marks(item: Item) -> Iterator[str]:
    """The operators that draw an item."""
    if isinstance(item, Text):
        wide = 0.53 * item.size * len(item.text)  # Helvetica's letters, near enough to centre them
        words = item.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        x, y = _n(item.x - wide / 2), _n(item.y - item.size * 0.35)
        yield f"{_n(item.grey)} g BT /F {_n(item.size)} Tf {x} {y} Td ({words}) Tj ET"
        return
    corners = [f"{_n(x)} {_n(y)}" for x, y in item.points]
    path = f"{corners[0]} m " + " ".join(f"{corner} l" for corner in corners[1:]) + " h"
    if item.fill is not None:
        yield f"{' '.join(map(_n, rgb(item.fill)))} rg {path} f"
    if item.line is not None:
        yield f"{' '.join(map(_n, rgb(item.line)))} RG {_n(item.width)} w {path} S"


def _n(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def _stream(head: str, data: bytes) -> bytes:
    return f"<< {head} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    )
    return bytes(out)
