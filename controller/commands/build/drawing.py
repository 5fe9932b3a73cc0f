"""Drawings of a board and of its slots at true scale, as SVG: 1 mm is 1 mm on paper."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from hexboard.commands.build.geometry import Geometry, SlotPlace
from hexboard.words import message, say

STYLE = """
text { font: 2.5px sans-serif; text-anchor: middle; fill: #222 }
polygon, rect, circle { fill: none; stroke: #222; stroke-width: .25 }
.tile { stroke: #888; stroke-dasharray: 1 1 }
.sensor { fill: #d1495b; stroke: none }
.light { fill: #5b8def; stroke: none }
.told { font-size: 1.6px; text-anchor: start }
.legend { text-anchor: start }
"""
EDGE_MM = 6.0
"""Free paper around a drawing, mm."""
ASIDE_MM, ABOVE_MM = 1.5, 3.0
"""So far beside a dot stands its number, and so far above the middle a slot's name, mm."""
Point = tuple[float, float]


def board_drawing(found: Geometry) -> str:
    """The whole board."""
    shapes = [shape for slot in found.slots for shape in _slot(found, slot)]
    points = [point for slot in found.slots for point in slot.corners]
    points += [(it.x, it.y) for it in found.sensors]
    return _svg(found.board, points, (*shapes, *_places(found)))


def slot_drawing(found: Geometry, slot: SlotPlace) -> str:
    """One slot with what lies in it or at its edges."""
    shapes = (*_slot(found, slot), *_places(found, slot))
    return _svg(f"{found.board} {slot.id}", slot.corners, shapes)


def _slot(found: Geometry, slot: SlotPlace) -> Iterator[str]:
    """Its outline, its opening, the tile's base, the hole inside the ledge, the key, its name."""
    yield _polygon("outline", slot.corners)
    if found.slot is not None:
        inside = found.slot.opening_mm - 2 * found.slot.ledge_mm
        across = {"opening": found.slot.opening_mm, "tile": found.slot.base_mm, "hole": inside}
        for kind, size in across.items():
            yield _polygon(kind, _scaled(slot, size / found.pitch))
        if slot.key is not None:
            yield _key(slot, slot.key, found.slot.key_mm)
    yield f'<text x="{slot.x}" y="{-slot.y - ABOVE_MM}">{escape(slot.id)}</text>'


def _scaled(slot: SlotPlace, share: float) -> list[Point]:
    """Its outline, drawn towards its middle."""
    x, y = slot.x, slot.y
    return [
        (round(x + share * (to_x - x), 3), round(y + share * (to_y - y), 3))
        for to_x, to_y in slot.corners
    ]


def _key(slot: SlotPlace, key: Point, size: tuple[float, float]) -> str:
    """A tab, turned towards the slot's middle."""
    (x, y), (wide, deep) = key, size
    turn = round(math.degrees(math.atan2(-(y - slot.y), x - slot.x)) - 90, 3)
    at = f'x="{x - wide / 2:.3f}" y="{-y - deep / 2:.3f}" width="{wide}" height="{deep}"'
    return f'<rect class="key" {at} transform="rotate({turn} {x} {-y})"/>'


def _places(found: Geometry, slot: SlotPlace | None = None) -> Iterator[str]:
    """Sensors and lights: all, or those of a slot."""
    pocket = found.slot.pocket_mm if found.slot else 2.0
    for light in found.lights:
        if slot is None or light.cell == slot.id:
            yield f'<circle class="light" cx="{light.x}" cy="{-light.y}" r="1"/>'
            yield _told(light.x, light.y, light.index)
    for it in found.sensors:
        near = slot is None or math.dist((it.x, it.y), (slot.x, slot.y)) < found.pitch * 0.6
        if near and it.kind not in ("rail", "button"):
            told = f"{it.id}, input {it.input}"
            yield f'<circle class="sensor" cx="{it.x}" cy="{-it.y}" r="{pocket / 2}">'
            yield f"<title>{escape(told)}</title></circle>"
            yield _told(it.x, it.y, it.input)


def _told(x: float, y: float, number: int) -> str:
    """The number of a dot, beside it."""
    return f'<text class="told" x="{x + ASIDE_MM:.3f}" y="{-y + 0.6:.3f}">{number}</text>'


def _polygon(kind: str, points: Iterable[Point]) -> str:
    return f'<polygon class="{kind}" points="{" ".join(f"{x},{-y}" for x, y in points)}"/>'


def _svg(title: str, points: Sequence[Point], shapes: Iterable[str]) -> str:
    left, top = min(x for x, _ in points) - EDGE_MM, max(y for _, y in points) + EDGE_MM
    wide = round(max(x for x, _ in points) + EDGE_MM - left, 3)
    high = round(top - min(y for _, y in points) + EDGE_MM, 3)
    legend = escape(say(message("build.legend")))
    told = f'<text class="legend" x="{left + 2:.3f}" y="{high - top - 2:.3f}">{legend}</text>'
    body = "\n".join((*shapes, told))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" '
        f'viewBox="{left:.3f} {-top:.3f} {wide} {high}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n"
    )
