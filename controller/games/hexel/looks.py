"""Looks: what a camera sees of Hex'el: the cards as they lie."""

from pathlib import Path

from hexboard.appearance import Appearance, Labels, Look
from hexboard.games.hexel.cards import FACES
from hexboard.games.hexel.deck import SHIPPED, deck
from hexboard.games.hexel.position import Hexel

LOOKS = tuple(Look(face=face) for face in FACES)


def looks(position: Hexel) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


APPEARANCE = Appearance(looks)


def card_labels(home: Path) -> Labels:
    """The deck that is played with where nobody says otherwise."""
    return Labels(cards=tuple(FACES[card] for card in deck(SHIPPED[0])))
