"""Areas: cells of a board that belong together: where one ends, and where its name stands."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import hypot

from hexboard.board.board import Board, Cell
from hexboard.board.grid import EDGES

Areas = Mapping[str, str]
"""By cell the name of its area; cells of none are left out."""
Point = tuple[float, float]


def borders(board: Board, areas: Areas) -> Iterator[tuple[Point, Point]]:
    """The ends (mm) of every edge behind which another area begins, or none; each once."""
    order = {cell.id: k for k, cell in enumerate(board.cells)}
    for cell in areas:
        corners = board.corners(cell)
        for edge in EDGES:
            other = board.neighbour(cell, edge)
            if (
                other is None
                or other not in areas
                or (order[cell] < order[other] and areas[cell] != areas[other])
            ):
                yield corners[edge - 2], corners[edge - 1]


def middles(board: Board, areas: Areas) -> dict[str, Point]:
    """The middle of each area's cells, mm."""
    return {
        name: (sum(it.x for it in cells) / len(cells), sum(it.y for it in cells) / len(cells))
        for name, cells in _inside(board, areas).items()
    }


def heads(board: Board, areas: Areas) -> dict[str, Cell]:
    """The cell of each area that is nearest to its middle."""
    at, inside = middles(board, areas), _inside(board, areas)
    return {
        name: min(cells, key=lambda it: hypot(it.x - at[name][0], it.y - at[name][1]))
        for name, cells in inside.items()
    }


def _inside(board: Board, areas: Areas) -> dict[str, list[Cell]]:
    """The cells of each area."""
    inside = defaultdict(list)
    for cell, name in areas.items():
        inside[name].append(board.cell[cell])
    return inside
