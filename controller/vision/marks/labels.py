"""Labels: what to print for pieces: tops of discs, cards, the markers of tiles, the bases of units,
war zone markers.

Shapes in mm for `hexboard.board.paper`, in rows to cut out.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from hexboard.appearance import SYMBOLS, Blank, Kit
from hexboard.board import EDGES
from hexboard.board.paper import (
    FORMATS_MM,
    MARGIN_MM,
    OVERLAP_MM,
    Box,
    Item,
    Point,
    Polygon,
    Text,
    Tone,
    rectangle,
)
from hexboard.vision.marks.codes import FIELDS, RINGS, SECTORS, numbers, word
from hexboard.vision.marks.sheet import inked
from hexboard.words import message, say
from hexboard.words.numbers import decimal

ACROSS = 7
"""Labels in a row."""
GAP_MM = 6.0
"""Between two labels, with room for a name."""
CUT_MM = 2.0
"""Between two cards at least."""
STEPS = 8
"""Straight pieces round a sector."""
CHANNEL = 0.85
"""The grey of a channel."""
NOTCH_MM = (13.0, 5.0)
"""A tile's notch for the key of a slot: along its edge, and inwards (measured on public meshes)."""
NUMBER_MM = (2.2, 9.6)
"""Where an edge's number stands: inwards from its middle, and along it."""
CORNERS = (20, 4, 3)
"""Of a symbol of each kind; the first is a circle."""


def disc_labels(
    colours: Iterable[int], count: int, kit: Kit, pitch: float
) -> tuple[tuple[Item, ...], Box]:
    """Tops to glue onto discs, so many of each of these pieces of the kit, with the ring that parts
    equal discs in a stack; and how large the drawing is."""
    radius, inner, outer = (kit.radius * pitch * share for share in (1.0, *kit.rim_at))
    tops = [colour for colour in colours for _ in range(count)]
    width = 2 * radius + GAP_MM
    height = width + GAP_MM  # rows from other rows, with room for a line of text
    items: list[Item] = []
    for colour, (x, y) in zip(tops, _grid(len(tops), width, height), strict=True):
        top, ring = inked(kit.pieces[colour]), inked(kit.rim[colour])
        items.append(_disc(x, y, radius, top))
        items += [_disc(x, y, reach, tone, None) for reach, tone in ((outer, ring), (inner, top))]
    box = _box(len(tops), width, height)
    high = kit.height * pitch
    told = say(message("sheet.discs", across=decimal(2 * radius, 1), high=decimal(high, 1)))
    items.append(Text(box.width / 2, -GAP_MM / 3, told, 3.0, 0.3))
    return tuple(items), box


def card_labels(
    faces: Iterable[str], kit: Kit, pitch: float, paper: str
) -> tuple[tuple[Item, ...], Box]:
    """Six-sided cards to cut out, each whole on one page of that paper, and how large the drawing
    is. A face is its symbols (`appearance.SYMBOLS`) from the right on, counterclockwise."""
    cards, corner = list(faces), kit.card_reach * pitch * 2 / math.sqrt(3)
    wide, high = (mm - 2 * MARGIN_MM for mm in FORMATS_MM[paper])
    width, down = 2 * kit.card_reach * pitch + CUT_MM, high - OVERLAP_MM
    height = down / (down // (2 * corner + CUT_MM))
    across = int(wide // width)
    items: list[Item] = []
    for face, (x, y) in zip(cards, _grid(len(cards), width, height, across), strict=True):
        items.append(_round(x, y, corner, 6, math.pi / 6, inked(kit.card), 0.5))
        for edge, symbol in enumerate(face):
            angle, kind = edge * math.pi / 3, SYMBOLS.index(symbol)
            at, size = kit.symbol_at * pitch, kit.symbol_size * kit.symbol_reach[kind] * pitch
            spot = x + at * math.cos(angle), y + at * math.sin(angle)
            items.append(_round(*spot, size, CORNERS[kind], angle, inked(kit.symbols[kind])))
    return tuple(items), _box(len(cards), width, height, across)


def tile_labels(
    tiles: Iterable[tuple[str, int]], kit: Kit, pitch: float
) -> tuple[tuple[Item, ...], Box]:
    """Markers to glue into a tile's corner after printed edge 1, that edge above; and how large the
    drawing is. `tiles` are their ids and their markers' numbers. Raises `BadText` where two have
    the same."""
    known, size = sorted(numbers(tiles).items()), kit.mark_size * pitch
    width, height = 16.0 + GAP_MM, size + 2 * GAP_MM
    items: list[Item] = []
    for (name, number), (x, y) in zip(known, _grid(len(known), width, height), strict=True):
        items += _fields(word(number), x, y, size)
        items.append(Text(x, y - size / 2 - GAP_MM / 2, name, 2.4))
    return tuple(items), _box(len(known), width, height)


def blank_labels(
    blanks: Iterable[Blank], kit: Kit, pitch: float, paper: str
) -> tuple[tuple[Item, ...], Box]:
    """Tiles to cut out, each whole on one page of that paper, with channels, notches, numbers of
    edges and the marker for a camera; and how large the drawing is."""
    tiles = sorted(blanks, key=lambda it: it.id)
    most = max(it.across for it in tiles)
    wide, high = (mm - 2 * MARGIN_MM for mm in FORMATS_MM[paper])
    width, down = most * 2 / math.sqrt(3) + CUT_MM, high - OVERLAP_MM
    height = down / (down // (most + 2 * GAP_MM))
    across = int(wide // width)
    items: list[Item] = []
    for tile, spot in zip(tiles, _grid(len(tiles), width, height, across), strict=True):
        items += _blank(tile, *spot, kit, pitch)
    return tuple(items), _box(len(tiles), width, height, across)


def _blank(tile: Blank, x: float, y: float, kit: Kit, pitch: float) -> Iterator[Item]:
    """One of them, with its middle there."""
    reach, half = tile.across / 2, tile.channel / 2
    for way in (*tile.ways, *tile.ends):
        yield Polygon(_moved(_band(way, half), x, y), CHANNEL)
    if tile.ends:
        yield _round(x, y, half, CORNERS[0], 0.0, CHANNEL)
    for edge in tile.sockets:
        yield Polygon(_moved(_at_edge(_notch(reach), edge), x, y), None, 0.3, 0.15)
    for edge in EDGES:
        aside = -NUMBER_MM[1] if edge == 2 else NUMBER_MM[1]  # the marker is on its other side
        ((dx, dy),) = _at_edge([(reach - NUMBER_MM[0], aside)], edge)
        yield Text(x + dx, y + dy, str(edge), 2.6, 0.3)
    mark_x, mark_y = (kit.mark_at * pitch * part(math.pi / 3) for part in (math.cos, math.sin))
    yield from _fields(word(tile.marker), x + mark_x, y + mark_y, kit.mark_size * pitch)
    yield _round(x, y, 2 * reach / math.sqrt(3), len(EDGES), 0.0, None, 0.0)
    yield Text(x, y - reach - GAP_MM / 2, tile.id, 2.6)


def _notch(reach: float) -> tuple[Point, ...]:
    """A tile's notch at an edge to the right, `reach` from its middle."""
    deep, aside = reach - NOTCH_MM[1], NOTCH_MM[0] / 2
    return (reach, -aside), (reach, aside), (deep, aside), (deep, -aside)


def _band(way: Sequence[Point], half: float) -> tuple[Point, ...]:
    """A strip on both sides of a line."""
    left, right = list[Point](), list[Point]()
    for k, (x, y) in enumerate(way):
        (ax, ay), (bx, by) = way[max(0, k - 1)], way[min(len(way) - 1, k + 1)]
        long = math.hypot(bx - ax, by - ay) or 1.0
        aside = -(by - ay) / long * half, (bx - ax) / long * half
        left.append((x + aside[0], y + aside[1]))
        right.append((x - aside[0], y - aside[1]))
    return (*left, *reversed(right))


def _at_edge(points: Iterable[Point], edge: int) -> tuple[Point, ...]:
    """Points of an edge to the right, at where that edge is: 1 up, then clockwise."""
    angle = math.radians(90 - 60 * (edge - 1))
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in points)


def _moved(points: Iterable[Point], x: float, y: float) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for dx, dy in points)


def _fields(bits: tuple[bool, ...], x: float, y: float, size: float) -> Iterator[Item]:
    step = size / FIELDS
    yield rectangle(Box(x, y, x, y).grown(size / 2 + 0.2), 1.0, 0.6)
    for k, light in enumerate(bits):
        left, high = x - size / 2 + k % FIELDS * step, y + size / 2 - k // FIELDS * step
        if not light:
            yield rectangle(Box(left, high - step, left + step, high), 0.0)


def unit_labels(
    supply: Iterable[tuple[int, str, int]], kit: Kit, pitch: float
) -> tuple[tuple[Item, ...], Box]:
    """Bases for units and two war zone markers. `supply`: (code, name, how many)."""
    radius, inner, outer = (kit.base * pitch * share for share in (1.0, *kit.base_rings))
    all_ = [(code, name) for code, name, count in supply for _ in range(count)]
    width, height = 2 * radius + GAP_MM, 2 * radius + 2 * GAP_MM
    spots = list(_grid(len(all_) + 2, width, height))
    items: list[Item] = []
    for (code, name), (x, y) in zip(all_, spots, strict=False):
        seat, kind = divmod(code - 1, len(RINGS))
        items.append(_disc(x, y, radius, 0.0))
        items += [
            _sector(x, y, outer, radius, k) for k, bit in enumerate(RINGS[kind]) if bit == "1"
        ]
        items += [_disc(x, y, outer, float(seat)), _disc(x, y, inner, 0.7)]
        items.append(Text(x, y - radius - GAP_MM / 2, name, 2.4))
    for seat, (x, y) in enumerate(spots[len(all_) :]):
        zone = kit.zone * pitch
        items += [_disc(x, y, zone, float(seat)), _disc(x, y, zone * kit.zone_dot, 1.0 - seat)]
    return tuple(items), _box(len(spots), width, height)


def _grid(count: int, width: float, height: float, across: int = ACROSS) -> Iterator[Point]:
    for k in range(count):
        yield k % across * width + width / 2, -(k // across * height + height / 2)


def _box(count: int, width: float, height: float, across: int = ACROSS) -> Box:
    return Box(0.0, -math.ceil(count / across) * height, across * width, 0.0)


def _disc(x: float, y: float, radius: float, tone: Tone, line: Tone | None = 0.5) -> Polygon:
    return _round(x, y, radius, SECTORS * STEPS, 0.0, tone, line)


def _round(
    x: float,
    y: float,
    r: float,
    corners: int,
    turn: float,
    tone: Tone | None,
    line: Tone | None = None,
) -> Polygon:
    """A regular polygon with a corner at that angle."""
    return Polygon(_arc(x, y, r, turn, turn + 2 * math.pi, corners)[:-1], tone, line, 0.1)


def _sector(x: float, y: float, inner: float, outer: float, k: int) -> Polygon:
    start, end = (turn * 2 * math.pi / SECTORS for turn in (k, k + 1))
    back = _arc(x, y, inner, start, end, STEPS)[::-1]
    return Polygon((*_arc(x, y, outer, start, end, STEPS), *back), 1.0)


def _arc(x: float, y: float, r: float, start: float, end: float, steps: int) -> tuple[Point, ...]:
    turns = [start + (end - start) * k / steps for k in range(steps + 1)]
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in turns)
