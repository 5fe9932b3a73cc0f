"""A picture of a game: its board and what lies on it, as shapes that a page draws in its own
colours.

    picture(game, board, position)   # {"box": "…", "shapes": [["cell", "M…Z"], ["ink-0", "M…Z"]]}

Shapes lie one on another in their order; each is a class of the style sheet and an SVG path, in mm
with y down. What lies in the cells comes from what the game tells a camera (`Appearance`).
"""

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from hexboard.appearance import CORNER, KIT, SYMBOLS, Lying
from hexboard.board import Board
from hexboard.game.game import AnyGame, appearance
from hexboard.game.position import Position

A = TypeVar("A")
Point = tuple[float, float]
Shape = tuple[str, str]
STEP = 0.16
"""How far a disc of a stack stands above the one below, shares of the pitch."""
SIDES = (4, 3, 6, 5, 8, 7)
"""The corners of the sign of each kind of unit."""


def picture(game: AnyGame[A], board: Board, position: Position[A]) -> dict[str, object]:
    """A position as shapes."""
    holes = _holes(game, position)
    shown = [cell for cell in board.cells if cell.id not in holes]
    points = [point for cell in shown for point in board.corners(cell.id)]
    points += [board.lane_point(ramp) for ramp in board.ramps]
    points += [board.zone_point(zone) for zone in board.zones]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    edge = board.pitch / 4
    box = (left - edge, -high - edge, right - left + 2 * edge, high - low + 2 * edge)
    cells = "".join(_polygon(board.corners(cell.id)) for cell in shown)
    merged: dict[str, str] = {}
    for kind, path in (*_edges(board), *_things(game, board, position)):
        merged[kind] = merged.get(kind, "") + path
    shapes = [("cell", cells), *merged.items()]
    return {"box": " ".join(f"{it:.1f}" for it in box), "shapes": shapes}


def _holes(game: AnyGame[A], position: Position[A]) -> set[str]:
    """The cells of the board that are none of the game's."""
    if game.touched is None:
        return set()
    pieces = game.touchable(position).pieces()
    return {piece.place for piece in pieces if piece.kind == "hole"}


def _edges(board: Board) -> Iterator[Shape]:
    """Lanes and end zones."""
    for ramp in board.ramps:
        yield "ramp", _line([board.lane_point(ramp), board.edge_point(ramp.cell, ramp.edge, 4)])
    for zone in board.zones:
        for edge in zone.edges:
            yield "zone", _line([board.edge_point(zone.cell, edge, 2), board.zone_point(zone)])


def _things(game: AnyGame[A], board: Board, position: Position[A]) -> Iterator[Shape]:
    """What lies in the cells, from the bottom up; nothing of a game that no camera can read."""
    if game.appearance is None:
        return
    lying = appearance(game).things(game.visibly(position), board)
    at = {cell.id: (cell.x, cell.y) for cell in board.cells}
    for cell, it in lying.items():
        if CORNER not in cell:
            yield from _thing(board, cell, at[cell], it)


def _thing(board: Board, cell: str, at: Point, it: Lying) -> Iterator[Shape]:
    x, y = at
    pitch = board.pitch
    for high, colour in enumerate(it.colours):
        yield f"ink-{colour} at-{high}", _disc(x, y + high * STEP * pitch, KIT.radius * pitch)
    if it.face:
        yield "face", _polygon([_between(at, corner, 0.92) for corner in board.corners(cell)])
        for edge, symbol in enumerate(it.face):
            angle = math.radians(60 * edge)
            reach, size = KIT.symbol_at * pitch, 1.25 * KIT.symbol_size * pitch
            middle = x + reach * math.cos(angle), y + reach * math.sin(angle)
            corners = (0, 4, 3)[SYMBOLS.index(symbol)]
            yield f"symbol-{symbol}", _sign(*middle, size, corners)
    if it.unit > 0:
        seat, kind = divmod(it.unit - 1, len(SIDES))
        yield f"base-{seat}", _disc(x, y, 1.25 * KIT.base * pitch)
        yield "sign", _sign(x, y, 0.7 * KIT.base * pitch, SIDES[kind])
    if it.tile:
        yield "plate", _polygon([_between(at, corner, 0.96) for corner in board.corners(cell)])
        angle = -math.radians(60 * it.rotation)
        for way in it.channels:
            yield "channel", _line([_turned(at, point, angle, pitch) for point in way])


def _turned(middle: Point, point: Point, angle: float, pitch: float) -> Point:
    """A point about a cell's middle, in pitches, turned by so many radians, as mm on the board."""
    (x, y), (px, py) = middle, point
    cos, sin = math.cos(angle), math.sin(angle)
    return x + pitch * (px * cos - py * sin), y + pitch * (px * sin + py * cos)


def _between(middle: Point, point: Point, share: float) -> Point:
    (x, y), (px, py) = middle, point
    return x + share * (px - x), y + share * (py - y)


def _sign(x: float, y: float, size: float, corners: int) -> str:
    """A regular polygon with a corner up; a disc where it has none."""
    if not corners:
        return _disc(x, y, size)
    angles = [math.pi / 2 + k * 2 * math.pi / corners for k in range(corners)]
    return _polygon([(x + size * math.cos(a), y + size * math.sin(a)) for a in angles])


def _disc(x: float, y: float, radius: float) -> str:
    r = f"{radius:.1f}"
    half = f"a{r} {r} 0 1 0"
    return f"M{x - radius:.1f} {-y:.1f}{half} {2 * radius:.1f} 0{half} {-2 * radius:.1f} 0Z"


def _polygon(points: Sequence[Point]) -> str:
    return f"{_line(points)}Z"


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {-y:.1f}" for x, y in points)
