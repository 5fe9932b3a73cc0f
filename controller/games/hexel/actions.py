"""What can be done in Hex'el. Cells, faces and cards are numbers, seats count from 0."""

from msgspec import Struct


class Draw(Struct, frozen=True):
    """Chance: the next card of the draw deck, to the opening line or to the hand whose turn it is;
    card 0 for one that nobody saw (HEXEL-3.1, 4.1)."""

    card: int


class Redraw(Struct, frozen=True):
    """The dealer cannot lay the three cards: all are shuffled back (HEXEL-3.4). A table act where
    people hold the cards, for only they know."""


class Place(Struct, frozen=True):
    """Lay a card: in the opening line, or from the hand (HEXEL-3.1, 5.1). `UNKNOWN`, where nobody
    says which, is refused."""

    cell: int
    face: int


class Stake(Struct, frozen=True):
    """The dealer sets the Stake (HEXEL-2.2)."""

    chips: int


class Hedge(Struct, frozen=True):
    """A seat moves chips from its Stock into its Hedge (HEXEL-2.3)."""

    seat: int
    chips: int


class NoPlacement(Struct, frozen=True):
    """No card of the hand fits: one is discarded face down, 0 where nobody saw which (HEXEL-A5)."""

    card: int


class Concede(Struct, frozen=True):
    """A table act: this seat gives up."""

    seat: int


Action = Draw | Redraw | Place | Stake | Hedge | NoPlacement | Concede
