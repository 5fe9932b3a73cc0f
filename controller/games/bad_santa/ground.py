"""What a game of Bad Santa is played on: cells, the sides they touch, what has to be linked.

Cells are numbered in the board's order and sets of cells are ints, bit i for cell i. A set of
*sides* is an int as well: bit `len(cells) + s` for side s, so that a group's cells and sides fit in
one number.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import isqrt

from msgspec import Struct

from hexboard.board import EDGES, POINTY_STEPS, Axial, Cell, CellId, hexhex, rhombus
from hexboard.scene import Mark, Meaning

BLACK, WHITE = 0, 1
COLOURS = ("Black", "White")


class GroundShape(Struct, frozen=True):
    """A shape of ground, for any length of its side."""

    board: str
    """The boards it fits on: `rhombus` or `hexhex`."""
    sides: Callable[[int, int, int], tuple[int, ...]]
    """The sides that cell (q, r) of a ground of this size belongs to; a corner is of two."""
    inside: Callable[[int, int, int], bool]
    """Whether cell (q, r) of the board is part of the ground."""
    wins: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
    """For Black and for White: each set of sides that wins when one group touches them all."""
    loses: tuple[tuple[int, ...], ...] = ()
    """Sets of sides that lose, for a group that does not win."""


class LinkGround(Struct, frozen=True, eq=False):
    """The cells of one board as numbers, and what has to be linked there."""

    size: int
    cells: tuple[CellId, ...]
    """All cells of the board; `all` are those in play."""
    all: int
    near: tuple[int, ...]
    """For each cell: its neighbours and the sides it belongs to. 0 outside the ground."""
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """Name and cells of each row of a position's text."""
    wins: tuple[tuple[int, ...], tuple[int, ...]]
    loses: tuple[int, ...]
    rim: tuple[Mark, ...]
    """The outer edges of sides that belong to one colour."""
    goals: tuple[tuple[str, int], ...]
    """Where both colours want the same sides: each outer edge, with its side; of sides that win
    together in several sets, the set."""
    number: dict[CellId, int]

    def verdict(self, colour: int, groups: Iterable[int]) -> int:
        """1 if one of these groups wins for its colour, -1 if one loses, else 0."""
        wins, loses, count = self.wins[colour], self.loses, len(self.cells)
        verdict = 0
        for group in groups:
            if group >> count:
                for sides in wins:
                    if group & sides == sides:
                        return 1
                for sides in loses:
                    if group & sides == sides:
                        verdict = -1
        return verdict


def side_of(form: GroundShape, cells: tuple[Cell, ...]) -> int | None:
    """How long the side of a board is if it is one of this form's boards, else None."""
    if form.board == "rhombus":
        size, build = isqrt(len(cells)), rhombus
    else:
        size, build = isqrt(len(cells) // 3) + 1, hexhex
    ours = {(cell.id, (cell.q, cell.r)) for cell in cells}
    return size if ours == set(build(size).cells) else None


@cache
def ground(form: GroundShape, cells: tuple[Cell, ...], size: int) -> LinkGround:
    """The ground of a form on the cells of a board whose side is `size` cells long."""
    inside = [form.inside(cell.q, cell.r, size) for cell in cells]
    at = {(cell.q, cell.r): i for i, cell in enumerate(cells) if inside[i]}

    def near(cell: Cell) -> int:
        around = (at.get((cell.q + q, cell.r + r)) for q, r in POINTY_STEPS)
        return _bits(len(cells), form.sides(cell.q, cell.r, size)) | sum(
            1 << i for i in around if i is not None
        )

    return LinkGround(
        size,
        tuple(cell.id for cell in cells),
        sum(1 << i for i in at.values()),
        tuple(near(cell) if ok else 0 for cell, ok in zip(cells, inside, strict=True)),
        tuple(_rows(form, cells, at)),
        (
            tuple(_bits(len(cells), sides) for sides in form.wins[BLACK]),
            tuple(_bits(len(cells), sides) for sides in form.wins[WHITE]),
        ),
        tuple(_bits(len(cells), sides) for sides in form.loses),
        tuple(_rim(form, cells, at, size)) if form.wins[BLACK] != form.wins[WHITE] else (),
        tuple(_goals(form, cells, at, size)) if form.wins[BLACK] == form.wins[WHITE] else (),
        {cell.id: i for i, cell in enumerate(cells)},
    )


def _bits(count: int, sides: Iterable[int]) -> int:
    return sum(1 << count + side for side in sides)


def _rows(
    form: GroundShape, cells: tuple[Cell, ...], at: dict[Axial, int]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Numbered rows of a rhombus from the top, lettered rows of a hexagon from the bottom."""
    names = [cell.id[1:] if form.board == "rhombus" else cell.id[0] for cell in cells]
    for name in dict.fromkeys(names):
        row = tuple(i for i in at.values() if names[i] == name)
        if row:
            yield name, row


def _rim(
    form: GroundShape, cells: tuple[Cell, ...], at: dict[Axial, int], size: int
) -> Iterator[Mark]:
    """Each outer edge of a rhombus in the tone of the colour that has to reach it (C3)."""
    owner = {s: colour for colour in (BLACK, WHITE) for sides in form.wins[colour] for s in sides}
    for cell, edge in _outer(cells, at):
        q, r = cell.q + POINTY_STEPS[edge - 1][0], cell.r + POINTY_STEPS[edge - 1][1]
        side = form.sides(q + 1, r + 1, size + 2)[0]  # the ring of cells around has sides too
        yield Mark(f"{cell.id}/{edge}", Meaning.SEAT, owner[side] + 1)


def _outer(cells: tuple[Cell, ...], at: dict[Axial, int]) -> Iterator[tuple[Cell, int]]:
    """Each cell in play with each of its edges that has no other behind it."""
    for cell in cells:
        for edge, (q, r) in zip(EDGES, POINTY_STEPS, strict=True):
            if (cell.q, cell.r) in at and (cell.q + q, cell.r + r) not in at:
                yield cell, edge


def _goals(
    form: GroundShape, cells: tuple[Cell, ...], at: dict[Axial, int], size: int
) -> Iterator[tuple[str, int]]:
    """Each outer edge with its side. An edge of a corner is of the side that has such edges beside
    it; one at the very tip is of the first."""
    sides = {cell.id: form.sides(cell.q, cell.r, size) for cell in cells}
    outer = tuple(_outer(cells, at))
    facing = {(sides[cell.id][0], edge) for cell, edge in outer if len(sides[cell.id]) == 1}
    sets = form.wins[BLACK]
    for cell, edge in outer:
        either = sides[cell.id]
        side = next((one for one in either if (one, edge) in facing), either[0])
        tone = side if len(sets) == 1 else next(n for n, it in enumerate(sets) if side in it)
        yield f"{cell.id}/{edge}", tone
