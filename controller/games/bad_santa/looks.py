"""Looks: what a camera sees of Bad Santa: counters of two colours, and those that reserve cells."""

from hexboard.appearance import BLACK, RESERVED, WHITE, Appearance, Look
from hexboard.games.bad_santa.position import BadSanta

LOOKS = (Look(), *(Look(((colour,),)) for colour in (BLACK, WHITE, RESERVED)))


def looks(position: BadSanta) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


APPEARANCE = Appearance(looks)
