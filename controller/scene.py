"""What a place on the board can *mean*. Lights, pages and terminals each show it in their way.

A scene is what a position wants people to see, not colours: `hexboard.lights` picks those.
"""

from enum import StrEnum

from msgspec import Struct


class Meaning(StrEnum):
    """The meanings, weakest first: where two speak of one place, the later one is seen."""

    OPEN = "open"
    TILE = "tile"
    TERRAIN = "terrain"
    AREA = "area"
    SEAT = "seat"
    LAST = "last"
    ZONE = "zone"
    SIDE = "side"
    THREAT = "threat"
    MARKER = "marker"
    LEGAL = "legal"
    ONTO = "onto"
    FRESH = "fresh"
    COUNTS = "counts"
    REACH = "reach"
    RESERVED = "reserved"
    PICKED = "picked"
    BALL = "ball"
    TOUCHED = "touched"
    PASSING = "passing"
    OVERDRIVE = "overdrive"
    OFFLINE = "offline"
    DOOMED = "doomed"
    DESTROYED = "destroyed"
    WIN = "win"
    REFUSED = "refused"
    UNSURE = "unsure"
    STUCK = "stuck"
    TODO = "todo"
    ASK = "ask"


class Mark(Struct, frozen=True, array_like=True):
    """One meaning at one place: a cell ("C3"), a cell's edge ("C3/4") or "*" for every cell.

    `count` says which or how many: the touches of a ball, the seat (from 1) whose cell it is or to
    whom it counts, the number of a reserved cell, what a move there is worth, the place in a
    winning path, the answer (from 1) whose cell it alone is, the energies that a way takes, the
    kind of a terrain (mountain, material, energy, the HQ of each side), the tint that tells an area
    from those beside it; 0 where there is nothing to count. `FRESH` is what was just played around,
    for the moment after.
    """

    place: str
    meaning: Meaning
    count: int = 0


Scene = tuple[Mark, ...]
