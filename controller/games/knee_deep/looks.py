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
SAMPLE = (
    "phase=power_up terrain= active=1 starter=0 round=5 companions=commander+tech;"
    "general+trickster material=4 energy=2 units=1.3:A;2.1:A;2.2:P;2.5:T;2.6:T;3.6:A;6.1:E;"
    "6.2:P;7.1:T;8.5:A;11.1:A;17.5:a;21.5:a;25.1:a;25.3:t;25.4:t;26.0:t;26.5:a;26.6:f;"
    "30.2:t;30.3:a;30.4:a scrap= hurt=0;0 hands=column+column+two_steps+crossfire+bunker;"
    "skirmish+improvised_turret+improvised_extractor+improvised_factory+airlift+reserve+theft "
    "discards=improvised_extractor+improvised_factory+long_march+two_steps;"
    "barrier+assault+reserve+jamming due=0;0 marker=19,23,24 marker_of=0 laid=-;- shown=0;"
    "0 bonus=0;0 prevented=0;0 included= excluded= surplus=0 victor=- queue= changes= "
    "used= quiet=9 offered=- winner=- eyes=-"
)
"""A game under way, for pictures of it."""
