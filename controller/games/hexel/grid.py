"""Where Hex'el cards can lie: the cells of a board as numbers, and what touches at each.

Cells are numbered in the board's order; `table[cell]` is the face that lies there, 0 for none. A
table has one more entry, always 0: the cell beyond the rim. What its cards ask of the free cells
beside them goes with it: a card that is laid changes that of six cells.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from re import finditer

from msgspec import Struct

from hexboard.board import Board, CellId, disc
from hexboard.games.hexel.cards import ALL, EDGES, FACING, SHOWN, STEPS, enlivening, fitting, live
from hexboard.words.errors import BadText


class Faces(bytes):
    """The face in each cell. Equal to another with the same cards; `Grid` makes it."""

    asked: Mapping[int, int]
    """The free cells that touch a card, in order, and what the cards around ask there
    (`cards.FACING`)."""


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
    def empty(self) -> Faces:
        return _table(bytes(len(self.ids) + 1), {})

    def table(self, faces: bytes) -> Faces:
        """The table with these faces in its cells."""
        table = self.empty
        for cell in occupied(faces):
            table = self.laid(table, cell, faces[cell])
        return table

    def laid(self, table: Faces, cell: int, face: int) -> Faces:
        """The table with one more card, in an empty cell."""
        asked = dict(table.asked)
        asked.pop(cell, None)
        for edge, other in enumerate(self.around[cell], -3):
            if not table[other] and other < len(self.ids):
                asked[other] = asked.get(other, 0) | FACING[edge][face]
        return _table(put(table, cell, face), dict(sorted(asked.items())))

    def free(self, table: Faces) -> list[int]:
        """The empty cells that touch a card, in order."""
        return list(table.asked)

    def asked(self, table: Faces, cell: int) -> int:
        """What the neighbours ask of a card here (see `cards.fitting`); 0 where none lies."""
        return table.asked.get(cell, 0)

    def fits(self, table: Faces, cell: int) -> bytes:
        """The faces whose every touching edge matches here (HEXEL-5.2)."""
        return fitting(self.asked(table, cell))

    def begins(self, table: Faces, cell: int) -> bytes:
        """The faces that fit here and leave no cell beside them where the next card could make a
        Hoxla (HEXEL-3.3)."""
        faces = self.fits(table, cell)
        for edge, other in enumerate(self.around[cell], -3):
            faces = faces.translate(None, enlivening(table.asked.get(other, 0), edge % 6))
        return faces

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

    def live(self, table: Faces, cell: int) -> bool:
        """Whether any card that fits here makes a Hoxla (P2)."""
        return live(self.asked(table, cell))

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

    def chances(self, table: Faces, cell: int) -> list[int]:
        """The cells beside a card where the next one could make a Hoxla."""
        return sorted(other for other in self.around[cell] if self.live(table, other))


def occupied(table: bytes) -> Iterator[int]:
    """The cells in which a card lies, in order."""
    return (found.start() for found in finditer(rb"[^\0]", table))


def put(table: bytes, cell: int, face: int) -> bytes:
    """The faces with another one in a cell."""
    return table[:cell] + bytes((face,)) + table[cell + 1 :]


def _table(faces: bytes, asked: Mapping[int, int]) -> Faces:
    table = Faces(faces)
    table.asked = asked
    return table


@cache
def following(grid: Grid, place: int, face: int) -> bytes:
    """The faces that may lie in the opening line east of a face that lies at its `place`; west of
    all, where there is none, any."""
    if place < 0:
        return ALL
    west, cell = grid.line[place : place + 2]
    return grid.begins(grid.laid(grid.empty, west, face), cell)


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
