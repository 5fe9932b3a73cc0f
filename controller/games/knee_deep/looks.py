"""Looks: what a camera sees of Knee Deep in Hexes: units by their bases, war zone markers."""

from collections.abc import Iterator

from hexboard.appearance import CORNER, NEVER, Appearance, Look, Lying
from hexboard.board import Board
from hexboard.games.knee_deep.position import MARKER, KneeDeep
from hexboard.games.knee_deep.values import FACTIONS, KINDS, kind_of, seat_of

UNITS = 1 + len(FACTIONS) * len(KINDS)
"""No unit, and each kind of each side (`values.code`)."""


def _looks() -> Iterator[Look]:
    for marker in range(1 + len(FACTIONS)):
        for unit in range(MARKER):
            yield Look(unit=unit, marker=marker, name=_name(unit)) if unit < UNITS else NEVER


def _name(unit: int) -> str:
    """A side's letter and a kind: "G:tank"."""
    return f"{FACTIONS[seat_of(unit)][0].upper()}:{KINDS[kind_of(unit)]}" if unit else ""


LOOKS = tuple(_looks())


def looks(position: KneeDeep) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


def lying(position: KneeDeep, board: Board) -> dict[str, Lying]:
    """Units in their cells, a war zone marker where the three cells beside it meet."""
    code = {cell.id: seen for cell, seen in zip(board.cells, position.seen(), strict=True)}
    found = {cell: Lying(unit=seen % MARKER) for cell, seen in code.items() if seen % MARKER}
    for cell, seen in code.items():
        for corner in range(6):
            beside = [board.neighbour(cell, edge) for edge in (corner + 1, (corner + 1) % 6 + 1)]
            if seen >= MARKER and all(b and code[b] >= MARKER for b in beside):
                found[f"{cell}{CORNER}{corner}"] = Lying(marker=seen // MARKER)
                return found
    return found


APPEARANCE = Appearance(looks, lying)
