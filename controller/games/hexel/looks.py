"""Looks: what a camera sees of Hex'el: the cards as they lie."""

from hexboard.appearance import Appearance, Look
from hexboard.games.hexel.cards import FACES
from hexboard.games.hexel.position import Hexel

LOOKS = tuple(Look(face=face) for face in FACES)


def looks(position: Hexel) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


APPEARANCE = Appearance(looks)
