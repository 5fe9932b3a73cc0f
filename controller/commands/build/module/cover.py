"""Which circuit boards of seven cells cover a board, and in which order they hang in a chain.

Flowers of seven tile the plane in two ways, each from seven places: the way with the fewest is
taken, and among those that with the most whole ones. (An integer program finds no fewer for our
boards.) Those at the rim reach beyond it: the lights of their cells there stay dark.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, product

from msgspec import Struct

from hexboard.board import Board, CellId
from hexboard.board.board import LAST_INPUT
from hexboard.board.grid import Axial
from hexboard.words.errors import BadText

MOST = (LAST_INPUT + 1) // 8
TURNS: tuple[Axial, Axial] = ((2, 1), (1, 2))
"""From a flower's middle to the next one's, in either way."""


class CellFlower(Struct, frozen=True):
    """One circuit board: the middle one of its seven cells; which they are, "" beyond the rim."""

    at: tuple[int, int]
    """How many flowers along and aside it lies in the tiling."""
    middle: Axial
    cells: tuple[CellId, ...]

    @property
    def on_board(self) -> tuple[CellId, ...]:
        return tuple(cell for cell in self.cells if cell)


def cover(board: Board) -> tuple[CellFlower, ...]:
    """The circuit boards, in the order of the chain. Raises `BadText` for more than it can have."""
    ways = (tuple(_way(board, turn, first)) for turn in TURNS for first in range(7))
    found = min(ways, key=lambda way: (len(way), -whole(way)))
    if len(found) > MOST:
        raise BadText("module.many", count=len(found), most=MOST)
    return min(
        (_chained(found, along) for along in range(3)),
        key=lambda way: max(hops_mm(board, way), default=0.0),
    )


def _chained(way: tuple[CellFlower, ...], along: int) -> tuple[CellFlower, ...]:
    """Row by row, there and back: along one of the three ways in which rows run."""
    rows = defaultdict[int, dict[int, CellFlower]](dict)
    for it in way:
        k, row = it.at
        row, k = ((row, k), (k, row), (k + row, k))[along]
        rows[row][k] = it
    return tuple(
        rows[row][k]
        for number, row in enumerate(sorted(rows))
        for k in sorted(rows[row], reverse=bool(number % 2))
    )


def whole(way: tuple[CellFlower, ...]) -> int:
    """How many have all their cells on the board."""
    return sum(all(it.cells) for it in way)


def hops_mm(board: Board, way: tuple[CellFlower, ...]) -> tuple[float, ...]:
    """How far it is from each to the next, middle to middle."""
    steps = [(b.middle[0] - a.middle[0], b.middle[1] - a.middle[1]) for a, b in pairwise(way)]
    return tuple(board.pitch * math.sqrt(q * q + q * r + r * r) for q, r in steps)


def _way(board: Board, turn: Axial, first: int) -> Iterator[CellFlower]:
    """The flowers of one tiling that have cells on the board: each cell is in one of them."""
    (along, turned), found = turn, dict[tuple[int, int], Axial]()
    for cell, (dq, dr) in product(board.cells, ((0, 0), *board.steps)):
        q, r = cell.q - dq, cell.r - dr
        k, beyond = divmod((q - first) * (along + turned) + r * turned, 7)
        row, beside = divmod(r * along - (q - first) * turned, 7)
        if not beyond and not beside:  # a flower's middle
            found[k, row] = q, r
    for at, (q, r) in found.items():
        around = ((0, 0), *board.steps)
        cells = tuple(board.at.get((q + dq, r + dr), "") for dq, dr in around)
        yield CellFlower(at, (q, r), cells)


def touch_inputs(way: tuple[CellFlower, ...]) -> dict[str, int]:
    """The input of each cell's sensor, in the chain of circuit boards."""
    return {
        f"seat:{cell}": 8 * module + k
        for module, flower in enumerate(way)
        for k, cell in enumerate(flower.cells)
        if cell
    }
