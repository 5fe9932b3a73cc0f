"""Printing: faces as cards of 63 x 88 mm, side by side on pages, with marks along which to cut.

A text is written as large as it fits, down to `LEAST_MM`; what is longer than that goes on on a
second card. Shapes in mm for `hexboard.board.paper`, y up.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from hexboard.board.letters import wrapped
from hexboard.board.paper import FORMATS_MM, Box, Item, Polygon, Text, rectangle
from hexboard.games.knee_deep.commands.faces import Face

WIDE_MM, HIGH_MM = 63.0, 88.0
"""A card, as sleeves are made for."""
RIM_MM = 5.0
"""Paper round all cards at least, for the marks."""
MARK_MM = (1.0, 4.0)
"""A mark begins and ends so far outside the cards."""
FRAME_MM, INSIDE_MM = 2.5, 4.5
"""From a card's edge to its frame, and to its text."""
TITLE_MM, SMALL_MM, TEXT_MM = 5.0, 2.6, 3.6
"""Sizes of letters: title, kind and timing, what a card says; each smaller where it has to be."""
GAP_MM = 2.0
"""Between head, text and foot."""
LEAST_MM = 2.1
"""Six points: what people still read at a table."""
STEP_MM = 0.1
LEADING, APART = 1.2, 0.5
"""From line to line, and so much more between paragraphs, in sizes."""
TITLE_LINES = 2
TONES = {
    "war": (0.97, 0.88, 0.86),
    "action": (0.86, 0.92, 0.97),
    "companion": (0.9, 0.95, 0.86),
    "formation": (0.93, 0.93, 0.93),
}
"""Of the part above the text, by the sort of card."""
FIELD_MM = 7.0
"""From the middle of a field of a formation to its corner, where there is room."""
ACROSS_MM = WIDE_MM - 2 * INSIDE_MM
"""What a line of text can take."""


class Line(NamedTuple):
    """A line of text, its size and how far its middle is below the top of all (mm)."""

    text: str
    size: float
    bold: bool
    below: float


class Paragraph(NamedTuple):
    """Text that is one size."""

    text: str
    size: float
    bold: bool = False


def layout(paper: str) -> tuple[tuple[float, float], int, int]:
    """The sheet's size (mm), upright or lying, whichever takes more; cards across and down."""
    wide, high = FORMATS_MM[paper]
    upright, lying = _placing(wide, high), _placing(high, wide)
    return max(upright, lying, key=lambda placing: placing[1] * placing[2])


def _placing(wide: float, high: float) -> tuple[tuple[float, float], int, int]:
    return (wide, high), _count(wide, WIDE_MM), _count(high, HIGH_MM)


def _count(paper_mm: float, card_mm: float) -> int:
    return int((paper_mm - 2 * RIM_MM) // card_mm)


def pages(faces: Sequence[Face], paper: str) -> list[list[Item]]:
    """The drawing of each page, from its lower left corner."""
    (wide, high), across, down = layout(paper)
    left, top = (wide - across * WIDE_MM) / 2, (high + down * HIGH_MM) / 2  # in the middle
    each = across * down
    parts = [faces[k : k + each] for k in range(0, len(faces), each)]
    return [list(sheet(part, across, down, left, top)) for part in parts]


def sheet(
    faces: Sequence[Face], across: int, down: int, left: float = 0.0, top: float = 0.0
) -> Iterator[Item]:
    """Faces in rows, from the upper left, with marks round `across` times `down` cards."""
    for k, face in enumerate(faces):
        x, y = left + k % across * WIDE_MM, top - k // across * HIGH_MM
        yield from _card(face, Box(x, y - HIGH_MM, x + WIDE_MM, y))
    yield from _cuts(across, down, left, top)


def outline(across: int, down: int) -> Box:
    """How much paper a `sheet` takes."""
    return Box(0.0, -down * HIGH_MM, across * WIDE_MM, 0.0).grown(RIM_MM)


def _cuts(across: int, down: int, left: float, top: float) -> Iterator[Polygon]:
    right, low = left + across * WIDE_MM, top - down * HIGH_MM
    near, far = MARK_MM
    for x in (left + k * WIDE_MM for k in range(across + 1)):
        for start, end in ((top + near, top + far), (low - near, low - far)):
            yield Polygon(((x, start), (x, end)), None, 0.0, 0.15)
    for y in (top - k * HIGH_MM for k in range(down + 1)):
        for start, end in ((left - near, left - far), (right + near, right + far)):
            yield Polygon(((start, y), (end, y)), None, 0.0, 0.15)


# ---------------------------------------------------------------------------------- a single card


def fitted(faces: Sequence[Face]) -> list[Face]:
    """The faces, and for a text that even small is too long further cards on which it goes on."""
    return [part for face in faces for part in _parts(face)]


def _parts(face: Face) -> Iterator[Face]:
    says = tuple(line for said in face.says for line in said.splitlines())
    if _size(says, _room(face)):
        yield replace(face, says=says)
        return
    shares = list(_shares(says, _room(replace(face, title=f"{face.title} (99/99)"))))
    for k, share in enumerate(shares, 1):
        yield replace(face, title=f"{face.title} ({k}/{len(shares)})", says=share)


def _shares(says: tuple[str, ...], room: float) -> Iterator[tuple[str, ...]]:
    """A text that is too long, cut between lines into such as fit."""
    share: list[str] = []
    for said in says:
        share.append("")
        for line in wrapped(said, LEAST_MM, ACROSS_MM):
            longer = f"{share[-1]} {line}".strip()
            if _flow(_small((*share[:-1], longer)))[1] > room:
                yield tuple(filter(None, share))
                share, longer = [""], line
            share[-1] = longer
    yield tuple(share)


def _small(says: tuple[str, ...]) -> list[Paragraph]:
    return [Paragraph(said, LEAST_MM) for said in says]


@lru_cache(maxsize=1024)
def _size(says: tuple[str, ...], room: float) -> float:
    """The largest size at which all of it fits; 0 where none does."""
    for k in range(round((TEXT_MM - LEAST_MM) / STEP_MM) + 1):
        size = round(TEXT_MM - k * STEP_MM, 1)
        if _flow([Paragraph(said, size) for said in says])[1] <= room:
            return size
    return 0.0


def _room(face: Face) -> float:
    """How high the text can be, between head and foot, mm."""
    return HIGH_MM - 2 * INSIDE_MM - _flow(_head(face))[1] - _flow(_foot(face))[1] - 2 * GAP_MM


def _head(face: Face) -> list[Paragraph]:
    size = TITLE_MM
    while size > LEAST_MM and len([*wrapped(face.title, size, ACROSS_MM, True)]) > TITLE_LINES:
        size = round(size - STEP_MM, 1)
    return [
        Paragraph(face.title, size, True),
        Paragraph(face.numbers, SMALL_MM, True),
        Paragraph(face.kind, SMALL_MM),
        Paragraph(face.timing, SMALL_MM),
    ]


def _foot(face: Face) -> list[Paragraph]:
    return [Paragraph(face.foot, LEAST_MM)]


def _flow(paragraphs: Iterable[Paragraph]) -> tuple[list[Line], float]:
    """The lines of paragraphs one below the other, and how high they are together, mm."""
    lines: list[Line] = []
    high = 0.0
    for text, size, bold in paragraphs:
        high += APART * size if lines else 0.0
        for line in wrapped(text, size, ACROSS_MM, bold):
            lines.append(Line(line, size, bold, high + LEADING * size / 2))
            high += LEADING * size
    return lines, high


def _card(face: Face, box: Box) -> Iterator[Item]:
    """A face that fits (`fitted`)."""
    frame, room = box.grown(-FRAME_MM), _room(face)
    head, head_high = _flow(_head(face))
    below = box.high - INSIDE_MM - head_high - GAP_MM
    size = _size(face.says, room)
    says, _ = _flow(Paragraph(said, size) for said in face.says)
    foot, foot_high = _flow(_foot(face))
    band = Box(frame.left, below + GAP_MM / 2, frame.right, frame.high)
    yield rectangle(band, TONES[face.sort])
    yield rectangle(frame, None, 0.2)
    yield from _written(head, box.left, box.high - INSIDE_MM)
    yield from _written(says, box.left, below)
    low = box.low + INSIDE_MM + foot_high + GAP_MM
    yield from _formation(face, Box(box.left + INSIDE_MM, low, box.right - INSIDE_MM, below))
    yield from _written(foot, box.left, box.low + INSIDE_MM + foot_high, 0.35)


def _formation(face: Face, room: Box) -> Iterator[Polygon]:
    """The fields of a formation, corner up, in the middle of the room."""
    if not face.fields:
        return
    spots = [(sqrt(3) * (right + down / 2), -1.5 * down) for right, down in face.fields]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    wide, high = max(xs) - min(xs) + sqrt(3), max(ys) - min(ys) + 2
    size = min(FIELD_MM, room.width / wide, room.height / high)
    x = (room.left + room.right - size * (max(xs) + min(xs))) / 2
    y = (room.low + room.high - size * (max(ys) + min(ys))) / 2
    for across, up in spots:
        turns = (pi / 6 + k * pi / 3 for k in range(6))
        corners = ((x + size * (across + cos(turn)), y + size * (up + sin(turn))) for turn in turns)
        yield Polygon(tuple(corners), TONES[face.sort], 0.0, 0.3)


def _written(lines: Iterable[Line], left: float, top: float, grey: float = 0.0) -> Iterator[Text]:
    for text, size, bold, below in lines:
        yield Text(left + INSIDE_MM, top - below, text, size, grey, bold, starts=True)
