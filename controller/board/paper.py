"""Paper: shapes in greys and colours, in mm, written as SVG, or as PDF on as many pages as needed.

Both are at true scale: one unit is a millimetre, y grows upwards. One drawing that takes more than
one page (`pdf`) overlaps by `OVERLAP_MM`, has crop marks and says on each page where it belongs;
`book` has a drawing of its own on each page.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct

from hexboard.board.letters import width
from hexboard.words import message, say

MARGIN_MM = 10.0
"""What printers leave white."""
OVERLAP_MM = 8.0
"""How much neighbouring pages share."""
FORMATS_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Paper formats, upright."""
POINTS_A_MM = 72 / 25.4
"""Points of a PDF in a millimetre."""


Point = tuple[float, float]
Tone = float | tuple[float, float, float]
"""A grey from 0 (black) to 1 (white), or shares of red, green and blue, as files write them."""


class Box(Struct, frozen=True):
    """A part of the paper, mm."""

    left: float
    low: float
    right: float
    high: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.high - self.low

    def grown(self, by: float) -> "Box":
        return Box(self.left - by, self.low - by, self.right + by, self.high + by)


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
    bold: bool = False
    starts: bool = False
    """At the point, instead of having its middle there."""

    @property
    def wide(self) -> float:
        """As it is in Helvetica, mm."""
        return width(self.text, self.size, self.bold)


Item = Polygon | Text


def rectangle(box: Box, fill: Tone | None = None, line: Tone | None = None) -> Polygon:
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
        anchor = "start" if item.starts else "middle"
        weight = ' font-weight="bold"' if item.bold else ""
        # as wide in whatever font stands in for Helvetica
        across = f'textLength="{item.wide:.2f}" lengthAdjust="spacingAndGlyphs"'
        return (
            f'<text x="{item.x:.2f}" y="{-item.y + item.size * 0.35:.2f}" text-anchor="{anchor}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="{item.size}"{weight} {across} '
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
    bounds = " ".join(_n(v) for v in (box.left, box.low, box.right, box.high))
    head = f"/Type /XObject /Subtype /Form /BBox [{bounds}] /Resources << {FONTS} >>"
    bodies = []
    for page, label in zip(pages, _labels(title, len(pages)), strict=True):
        where = message("sheet.part", column=page.column + 1, row=page.row + 1)
        said = f"{label}  -  {say(where)}" if len(pages) > 1 else label
        bodies.append(_page(page, size, said))
    return _document(size, bodies, _stream(head, _encoded("\n".join(_all_marks(items)))))


def book(pages: Sequence[Iterable[Item]], size: tuple[float, float], title: str) -> bytes:
    """A page for each of these drawings, in mm from its lower left corner; `size` of the paper."""
    bodies = []
    for items, label in zip(pages, _labels(title, len(pages)), strict=True):
        under = Text(size[0] / 2, MARGIN_MM / 2, label, 2.6, 0.3)
        bodies.append("\n".join((_TRUE_SCALE, *_all_marks((*items, under)))))
    return _document(size, bodies, b"null")


def unprintable(items: Iterable[Item], title: str) -> str:
    """The letters on pages of these, with this title, that a PDF of ours has not, and shows a
    question mark for."""
    texts = [item.text for item in items if isinstance(item, Text)]
    texts += [*_labels(title, 1), say(message("sheet.part", column=1, row=1))]
    return "".join(sorted({it for text in texts for it in text if not _encoded(it, "ignore")}))


def _labels(title: str, pages: int) -> Iterator[str]:
    for k in range(pages):
        yield f"{title}  -  {say(message('sheet.page', page=k + 1, pages=pages))}"


_ALIKE = str.maketrans(
    dict.fromkeys("\u2000\u2001\u2002\u2003\u2007\u2008\u2009\u200a\u202f", "\xa0")
)
_ALIKE |= str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-"})
"""Spaces of other widths, as French has before its marks, and hyphens: what the letters have."""


def _encoded(text: str, otherwise: str = "replace") -> bytes:
    return text.translate(_ALIKE).encode("cp1252", otherwise)


def _document(size: tuple[float, float], bodies: Sequence[str], drawing: bytes) -> bytes:
    """Pages of these operators, each of which can show the drawing /D."""
    first = 6  # objects 1..5: catalog, pages, two fonts, the drawing
    kids = " ".join(f"{first + 2 * k} 0 R" for k in range(len(bodies)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(bodies)} >>".encode(),
        *(_font(name) for name in ("Helvetica", "Helvetica-Bold")),
        drawing,
    ]
    media = f"[0 0 {_n(size[0] * POINTS_A_MM)} {_n(size[1] * POINTS_A_MM)}]"
    for k, body in enumerate(bodies):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {media} "
            f"/Resources << {FONTS} /XObject << /D 5 0 R >> >> "
            f"/Contents {first + 2 * k + 1} 0 R >>".encode()
        )
        objects.append(_stream("", _encoded(body)))
    return _file(objects)


def _font(name: str) -> bytes:
    encoding = "/Encoding /WinAnsiEncoding"
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {encoding} >>".encode()


def _page(page: Page, size: tuple[float, float], label: str) -> str:
    """What is drawn on one sheet: its part of the drawing, the crop marks, the label."""
    part = page.part
    inner = Box(MARGIN_MM, MARGIN_MM, size[0] - MARGIN_MM, size[1] - MARGIN_MM)
    shown = (
        f"q {_n(inner.left)} {_n(inner.low)} {_n(inner.width)} {_n(inner.height)} re W n "
        f"1 0 0 1 {_n(inner.left - part.left)} {_n(inner.low - part.low)} cm /D Do Q"
    )
    text = Text(size[0] / 2, MARGIN_MM / 2, label, 2.6, 0.3)
    return "\n".join((_TRUE_SCALE, shown, *_all_marks((*_crops(inner), text))))


def _crops(inner: Box) -> Iterator[Polygon]:
    """Short lines outside the corners, along which to cut."""
    for x, out in ((inner.left, -1), (inner.right, 1)):
        for y, off in ((inner.low, -1), (inner.high, 1)):
            yield Polygon(((x + out, y), (x + 5 * out, y)), None, 0.0, 0.15)
            yield Polygon(((x, y + off), (x, y + 5 * off)), None, 0.0, 0.15)


def _all_marks(items: Iterable[Item]) -> Iterator[str]:
    return (line for item in items for line in _marks(item))


def _marks(item: Item) -> Iterator[str]:
    """The operators that draw an item."""
    if isinstance(item, Text):
        left = item.x if item.starts else item.x - item.wide / 2
        words = item.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        x, y, font = _n(left), _n(item.y - item.size * 0.35), "B" if item.bold else "F"
        yield f"{_n(item.grey)} g BT /{font} {_n(item.size)} Tf {x} {y} Td ({words}) Tj ET"
        return
    corners = [f"{_n(x)} {_n(y)}" for x, y in item.points]
    path = f"{corners[0]} m " + " ".join(f"{corner} l" for corner in corners[1:]) + " h"
    if item.fill is not None:
        yield f"{' '.join(map(_n, rgb(item.fill)))} rg {path} f"
    if item.line is not None:
        yield f"{' '.join(map(_n, rgb(item.line)))} RG {_n(item.width)} w {path} S"


def _n(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


FONTS = "/Font << /F 3 0 R /B 4 0 R >>"
_TRUE_SCALE = f"{_n(POINTS_A_MM)} 0 0 {_n(POINTS_A_MM)} 0 0 cm"
"""From here on a unit is a millimetre."""


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
