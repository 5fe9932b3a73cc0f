"""Chains: in which order a strip runs through a board's cells, from few answers.

Lights run cell by cell in rows or columns, straight or as a snake, from any corner, and around
each cell from any edge either way. Each answer leaves those orders that agree with it; the next
question is the light that parts the rest best. When one is left, a few probes confirm it; when none
is, every light is asked for.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from hexboard.board import Board, Cell, CellId, Edge

Spot = tuple[CellId, Edge]
PROBES = 4
"""Lights asked for after only one order is left."""


def named(spot: Spot) -> str:
    """A place as people and files write it: "B3/2", or "B3" where a cell has one light."""
    cell, edge = spot
    return f"{cell}/{edge}" if edge else cell


class Order(Struct, frozen=True):
    """A way a strip may run. `cells` and `ring` name it for people."""

    cells: str
    ring: str
    spots: tuple[Spot, ...]


class Chain:
    """One strip. Ask `next`, tell `answer`, until `spots` is known."""

    def __init__(self, board: Board) -> None:
        self.length = len(board.pixels)
        self.answers: dict[int, tuple[CellId, Edge | None]] = {}
        self.dark: list[int] = []
        """Lights that stay dark: nobody can say where they are."""
        self._said: list[int] = []
        self._all = list(_distinct(orders(board)))

    def answer(self, light: int, cell: CellId, edge: Edge | None) -> None:
        """Light `light` is in `cell`, near `edge`; None if the answer names only the cell."""
        self.answers[light] = (cell, edge)
        self._said.append(light)

    def skip(self, light: int) -> None:
        """Light `light` stays dark: the others tell where it must be, as far as they can."""
        self.dark.append(light)
        self._said.append(light)

    def forget(self) -> int | None:
        """Take the last answer back; which light it was of."""
        if not self._said:
            return None
        light = self._said.pop()
        if light in self.dark:
            self.dark.remove(light)
        elif light not in self._said:
            del self.answers[light]
        else:  # its cell was said, then its edge
            self.answers[light] = (self.answers[light][0], None)
        return light

    @property
    def left(self) -> list[Order]:
        """The orders that agree with every answer."""
        return [
            order
            for order in self._all
            if all(_agrees(order.spots[i], *answer) for i, answer in self.answers.items())
        ]

    def next(self) -> int | None:
        """The light to ask for; None when the order is known."""
        left = self.left
        if len(left) > 1:
            unsure = (i for i in range(self.length) if self._vague(i))
            return min(unsure, key=lambda i: (_largest(left, i), i), default=None)
        if left:
            probes = (k * (self.length - 1) // (PROBES - 1) for k in range(PROBES))
            known = {*self.answers, *self.dark}
            return next((light for light in probes if light not in known), None)
        return self._unknown()

    @property
    def spots(self) -> tuple[Spot, ...] | None:
        """Where each light is, once that is known."""
        if self.next() is not None:
            return None
        left = self.left
        if left:
            return left[0].spots
        known = {i: (c, edge) for i, (c, edge) in self.answers.items() if edge is not None}
        rest = (spot for spot in self._all[0].spots if spot not in known.values())
        return tuple(known[i] if i in known else next(rest) for i in range(self.length))

    def _unknown(self) -> int | None:
        """The first light whose exact place nobody has said."""
        return next((light for light in range(self.length) if self._vague(light)), None)

    def _vague(self, light: int) -> bool:
        return light not in self.dark and self.answers.get(light, ("", None))[1] is None


def orders(board: Board) -> Iterator[Order]:
    """Every order that people are likely to have wired, the board file's own first. Cells may have
    different lights: each has its own in every order."""
    own = tuple((light.cell, light.edge) for light in board.pixels)
    yield Order("as listed", "", own)
    lights, ring = Counter(own), tuple(sorted({edge for _, edge in own}))
    for cells_name, cells in _cell_orders(board.cells):
        for ring_name, edges in _rings(ring):
            every = ((cell.id, edge) for cell in cells for edge in edges)
            spots = tuple(spot for spot in every for _ in range(lights[spot]))
            yield Order(cells_name, ring_name, spots)


def _cell_orders(cells: tuple[Cell, ...]) -> Iterator[tuple[str, list[Cell]]]:
    yield "as named", list(cells)
    yield "as named, backwards", list(reversed(cells))
    for name, lines in (("rows", _lines(cells, "y", "x")), ("columns", _lines(cells, "x", "y"))):
        for far in (False, True):
            for back in (False, True):
                for snake in (False, True):
                    ordered = [
                        line[:: -1 if back != (snake and k % 2 == 1) else 1]
                        for k, line in enumerate(lines[:: -1 if far else 1])
                    ]
                    how = {"snake": snake, "far first": far, "backwards": back}
                    words = [name, *(word for word, is_so in how.items() if is_so)]
                    yield ", ".join(words), [cell for line in ordered for cell in line]


def _lines(cells: tuple[Cell, ...], across: str, along: str) -> list[list[Cell]]:
    """Cells with the same `across`, each line in the order of `along`."""
    lines: dict[float, list[Cell]] = {}
    for cell in sorted(cells, key=lambda c: (getattr(c, across), getattr(c, along))):
        lines.setdefault(round(getattr(cell, across), 1), []).append(cell)
    return list(lines.values())


def _rings(ring: tuple[Edge, ...]) -> Iterator[tuple[str, tuple[Edge, ...]]]:
    for name, way in (("clockwise", ring), ("counter-clockwise", ring[::-1])):
        for k in range(len(ring)):
            yield f"{name} from {way[k]}", way[k:] + way[:k]


def _distinct(orders: Iterator[Order]) -> Iterator[Order]:
    seen = set()
    for order in orders:
        if order.spots not in seen:
            seen.add(order.spots)
            yield order


def _agrees(spot: Spot, cell: CellId, edge: Edge | None) -> bool:
    return spot[0] == cell and edge in (None, spot[1])


def _largest(orders: list[Order], light: int) -> int:
    """How many orders are left at worst after asking for a light."""
    return max(Counter(order.spots[light] for order in orders).values())
