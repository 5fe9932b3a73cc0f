"""What a place on the board can *mean*. Lights, pages and terminals each show it in their way.

A scene is what a position wants people to see, not colours: `controller.lights` picks those.
"""

from enum import StrEnum

from msgspec import Struct


class Meaning(StrEnum):
    """The meanings, weakest first: where two speak of one place, the later one is seen."""

    OPEN = "open"
    TILE = "tile"
    LEGAL = "legal"
    BALL = "ball"
    TOUCHED = "touched"
    PASSING = "passing"
    OVERDRIVE = "overdrive"
    OFFLINE = "offline"
    DOOMED = "doomed"
    DESTROYED = "destroyed"
    WIN = "win"
    STUCK = "stuck"
    TODO = "todo"
    ASK = "ask"


class Mark(Struct, frozen=True, array_like=True):
    """One meaning at one place: a cell ("C3"), a cell's edge ("C3/4") or "*" for every cell."""

    place: str
    meaning: Meaning
    count: int = 0


Scene = tuple[Mark, ...]
