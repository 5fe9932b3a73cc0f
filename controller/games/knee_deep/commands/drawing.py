"""Drawing: a map with its sectors, as lines for a terminal and as shapes for paper."""

from collections.abc import Iterator
from math import cos, pi, sin

from hexboard.board import Board, Edge
from hexboard.board.areas import borders, middles
from hexboard.board.paper import Box, Item, Polygon, Text, Tone
from hexboard.games.knee_deep.ground import ENERGY, HQ, MATERIAL, MOUNTAIN, PLAIN, Battlefield

SIGNS = {PLAIN: "·", MOUNTAIN: "^", MATERIAL: "m", ENERGY: "e", HQ: "G", HQ + 1: "B"}
"""What lies on a field, as one letter."""
TONES: dict[int, Tone] = {
    PLAIN: 1.0,
    MOUNTAIN: 0.72,
    MATERIAL: (0.97, 0.88, 0.7),
    ENERGY: (0.8, 0.9, 0.98),
    HQ: (0.84, 0.94, 0.82),
    HQ + 1: (0.95, 0.84, 0.92),
}
EDGE_MM = 6.0
"""Free paper round a map."""
THIN_MM, THICK_MM = 0.2, 1.2
"""Lines between fields, and between sectors."""
CORNER_MM = 1.4
"""How large the point is where a marker can stand."""

# ----------------------------------------------------------------------------------- on paper


def picture(built: Battlefield, board: Board) -> tuple[Item, ...]:
    """The map in mm, y up: fields with their names and terrain, borders and numbers of sectors, and
    a point where three of them meet."""
    return (
        *_fields(built, board),
        *_borders(built, board),
        *_corners(built, board),
        *_numbers(built, board),
    )


def outline(built: Battlefield, board: Board) -> Box:
    """How much paper a `picture` takes."""
    points = [point for k in built.at.values() for point in board.corners(built.ids[k])]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys)).grown(EDGE_MM)


def _fields(built: Battlefield, board: Board) -> Iterator[Item]:
    for k in built.at.values():
        yield Polygon(board.corners(built.ids[k]), TONES[built.terrain[k]], 0.6, THIN_MM)
    for k in built.at.values():
        cell, sign = board.cell[built.ids[k]], SIGNS[built.terrain[k]]
        yield Text(cell.x, cell.y - board.pitch * 0.38, cell.id, board.pitch / 9, 0.5)
        if built.terrain[k] != PLAIN:
            yield Text(cell.x, cell.y + board.pitch * 0.36, sign, board.pitch / 6, 0.2)


def _borders(built: Battlefield, board: Board) -> Iterator[Item]:
    """A line along each edge where another sector begins, or none; each once."""
    for ends in borders(board, built.sectors):
        yield Polygon(ends, None, 0.0, THICK_MM)


def beyond(built: Battlefield, board: Board, k: int, edge: Edge) -> int | None:
    """The field across an edge; None where the map ends."""
    (q, r), (dq, dr) = built.place[k], board.steps[edge - 1]
    return built.at.get((q + dq, r + dr))


def _corners(built: Battlefield, board: Board) -> Iterator[Item]:
    for crossing in built.crossings:
        cells = [board.cell[built.ids[k]] for k in crossing.corner]
        x, y = sum(cell.x for cell in cells) / 3, sum(cell.y for cell in cells) / 3
        turns = (k * pi / 6 for k in range(12))
        yield Polygon(
            tuple((x + CORNER_MM * cos(turn), y + CORNER_MM * sin(turn)) for turn in turns), 0.0
        )


def _numbers(built: Battlefield, board: Board) -> Iterator[Item]:
    """A sector's number in the middle of its fields."""
    for name, (x, y) in middles(board, built.sectors).items():
        yield Text(x, y, name, board.pitch / 3, 0.0, bold=True)


# ------------------------------------------------------------------------------ in a terminal

POINTY = {
    1: (1, -1, "\\"),
    2: (2, 0, "|"),
    3: (1, 1, "/"),
    4: (-1, 1, "\\"),
    5: (-2, 0, "|"),
    6: (-1, -1, "/"),
}
FLAT = {
    1: (0, -1, "_"),
    2: (2, 0, "\\"),
    3: (2, 1, "/"),
    4: (0, 1, "_"),
    5: (-2, 1, "\\"),
    6: (-2, 0, "/"),
}
"""Where the sign of an edge stands from a field's middle, in half a field's width and in lines."""


def lines(built: Battlefield, board: Board) -> str:
    """The map as text: of each field the sector and what lies there, and the sectors' borders."""
    sheet: dict[tuple[int, int], str] = {}
    quarter = 1 if max(map(len, built.sector)) <= 2 else 2
    for k in built.at.values():
        q, r = built.place[k]
        x, y = (4 * q, 2 * r + q) if board.flat_top else (4 * q + 2 * r, 2 * r)
        _write(sheet, x * quarter, y, f"{built.sector[k]}{SIGNS[built.terrain[k]]}")
        for edge, (right, down, sign) in (FLAT if board.flat_top else POINTY).items():
            other = beyond(built, board, k, edge)
            if other is None or built.sector[other] != built.sector[k]:
                wide = 3 * quarter if sign == "_" else 1
                _write(sheet, (x + right) * quarter, y + down, sign * wide)
    left, top = min(x for x, _ in sheet), min(y for _, y in sheet)
    wide, high = max(x for x, _ in sheet) - left + 1, max(y for _, y in sheet) - top + 1
    rows = ((sheet.get((left + x, top + y), " ") for x in range(wide)) for y in range(high))
    return "\n".join("".join(row).rstrip() for row in rows)


def _write(sheet: dict[tuple[int, int], str], x: int, y: int, text: str) -> None:
    """Text with its middle at a place."""
    for k, letter in enumerate(text, x - len(text) // 2):
        sheet[k, y] = letter
