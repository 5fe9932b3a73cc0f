"""Where Hex'el cards can lie: the cells of a board as numbers, and what touches at each.

Cells are numbered in the board's order; `table[cell]` is the face that lies there, 0 for none. A
table has one more entry, always 0: the cell beyond the rim.
"""

from collections.abc import Iterator
from functools import cache
from re import finditer

from msgspec import Struct

from hexboard.board import Board, CellId, disc
from hexboard.games.hexel.cards import EDGES, FACING, SHOWN, STEPS, fitting
from hexboard.words.errors import BadText


class Grid(Struct, frozen=True, eq=False):
    """The geometry of a board as tables. `around[cell]` are the neighbours at E, NE, NW, W, SW, SE;
    beyond the rim is the last number."""

    ids: tuple[CellId, ...]
    cell: dict[CellId, int]
    around: tuple[tuple[int, ...], ...]
    line: tuple[int, int, int]
    """West, middle and east cell of the opening line (HEXEL-3.2)."""
    seen: int
    """How many of the cells are on the board; those after them are only in people's minds."""

    @property
    def empty(self) -> bytes:
        return bytes(len(self.ids) + 1)

    def free(self, table: bytes) -> list[int]:
        """The empty cells that touch a card, in order."""
        found: set[int] = set()
        for cell in occupied(table):
            found.update(self.around[cell])
        return sorted(cell for cell in found if not table[cell] and cell < len(self.ids))

    def asked(self, table: bytes, cell: int) -> int:
        """What the neighbours ask of a card here (see `cards.fitting`); 0 where none lies."""
        e, ne, nw, w, sw, se = self.around[cell]
        return (
            FACING[0][table[e]]
            | FACING[1][table[ne]]
            | FACING[2][table[nw]]
            | FACING[3][table[w]]
            | FACING[4][table[sw]]
            | FACING[5][table[se]]
        )

    def fits(self, table: bytes, cell: int) -> bytes:
        """The faces whose every touching edge matches here (HEXEL-5.2)."""
        return fitting(self.asked(table, cell))

    def wrong(self, table: bytes, cell: int, face: int) -> int | None:
        """The first edge at which a face would not match its neighbour here; None for a fit."""
        mine = SHOWN[face]
        for edge, other in enumerate(self.around[cell]):
            if table[other] and SHOWN[table[other]][edge - 3] != mine[edge]:
                return edge
        return None

    def touching(self, table: bytes, cell: int) -> int:
        """How many cards lie beside a cell: what a placement there is announced as (P1)."""
        return sum(1 for other in self.around[cell] if table[other])

    def live(self, table: bytes, cell: int) -> bool:
        """Whether any card that fits here makes a Hoxla (P2): two neighbours that touch each other
        show one symbol on all four edges next to the corner."""
        near = [table[other] for other in self.around[cell]]
        for i in EDGES:
            if near[i] and near[i - 5]:
                a, b = SHOWN[near[i]], SHOWN[near[i - 5]]
                if a[i - 3] == a[i - 4] == b[i - 1] == b[i - 2]:
                    return True
        return False

    def hoxla(self, table: bytes, cell: int) -> tuple[int, ...]:
        """The cards that make a Hoxla with the one here: all six symbols at a corner are alike
        (HEXEL-5.4, 5.5). Empty when there is none."""
        around, x = self.around[cell], SHOWN[table[cell]]
        found: set[int] = set()
        for i in EDGES:
            if x[i] == x[i - 5]:
                one, other = around[i], around[i - 5]
                a, b = SHOWN[table[one]], SHOWN[table[other]]
                if x[i] == a[i - 3] == a[i - 4] == b[i - 1] == b[i - 2]:
                    found |= {cell, one, other}
        return tuple(sorted(found))

    def chances(self, table: bytes, cell: int) -> list[int]:
        """The cells beside a card where the next one could make a Hoxla."""
        free = (other for other in self.around[cell] if not table[other] and other < len(self.ids))
        return sorted(other for other in free if self.live(table, other))


def occupied(table: bytes) -> Iterator[int]:
    """The cells in which a card lies, in order."""
    return (found.start() for found in finditer(rb"[^\0]", table))


def laid(table: bytes, cell: int, face: int) -> bytes:
    """The table with one more card."""
    return table[:cell] + bytes((face,)) + table[cell + 1 :]


@cache
def grid(board: Board, reach: int) -> Grid:
    """The grid of a board, and where `reach` is not 0 all cells within it besides (HEXEL-G9).

    Raises `BadText` for a board whose corners do not point up, or that has no middle.
    """
    places = {(cell.q, cell.r): cell.id for cell in board.cells}
    if board.flat_top or not {(-1, 0), (0, 0), (1, 0)} <= places.keys():
        raise BadText("hexel.board", board=board.name)
    if reach:
        for id, at in disc(reach).cells:
            places.setdefault(at, id)
    number = {at: k for k, at in enumerate(places)}
    around = tuple(
        tuple(number.get((q + dq, r + dr), len(places)) for dq, dr in STEPS) for q, r in places
    )
    ids = tuple(places.values())
    line = (number[-1, 0], number[0, 0], number[1, 0])
    return Grid(ids, {id: k for k, id in enumerate(ids)}, around, line, len(board.cells))
