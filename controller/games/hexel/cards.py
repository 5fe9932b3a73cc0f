"""Hex'el cards: six symbols, one an edge, of one or two kinds (HEXEL-1.1 to 1.5, ruling A1).

A *face* is a card as it lies: its symbols at E, NE, NW, W, SW, SE. Faces are codes 1..189, in the
order of their letters (R, B, Y); 0 is an empty cell, or a card that nobody has seen. A *card* is
the first of its turns, so that a code says both. A mirror image is another card.
"""

from functools import cache, lru_cache
from itertools import product

SYMBOLS = "RBY"
"""Red circle, blue diamond, yellow triangle (HEXEL-1.2)."""
UNKNOWN = 0
EDGES = range(6)
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""Where edges E, NE, NW, W, SW, SE of a cell lead, axial; edge i faces edge i+3."""

FACES: tuple[str, ...] = ("", *("".join(f) for f in product(SYMBOLS, repeat=6) if len(set(f)) <= 2))
CODES: dict[str, int] = {face: code for code, face in enumerate(FACES)}
ALL = bytes(range(1, len(FACES)))
SHOWN: tuple[tuple[int, ...], ...] = (
    (0,) * 6,
    *(tuple(SYMBOLS.index(sign) + 1 for sign in face) for face in FACES[1:]),
)
"""The symbols 1..3 of a face, an edge each; zeros for an empty cell."""
ASKED, CORNERS = 12, 18
"""Bits of what a free cell is asked: two an edge; three (one a symbol) a corner, twice."""


def _faced(face: int, edge: int) -> int:
    """What a neighbour at an edge of a free cell asks of it: the symbol at that edge; and what it
    shows alike on its two edges at the corner before, and at the one after that edge."""
    shown = SHOWN[face]
    here, before, after = (shown[(edge + turn) % 6] for turn in (3, 4, 2))
    asked = here << 2 * edge
    if here and here == after:
        asked |= 1 << ASKED + 3 * edge + here - 1
    if here and here == before:
        asked |= 1 << ASKED + CORNERS + 3 * ((edge - 1) % 6) + here - 1
    return asked


FACING: tuple[tuple[int, ...], ...] = tuple(
    tuple(_faced(face, edge) for face in range(len(FACES))) for edge in EDGES
)
"""What the neighbour at an edge asks of a free cell, by the neighbour's face; that of all
neighbours is or-ed."""


def _turned(face: str) -> bytes:
    return bytes(sorted({CODES[face[k:] + face[:k]] for k in EDGES}))


TURNS: tuple[bytes, ...] = (b"", *(_turned(face) for face in FACES[1:]))
"""All faces of the card that a face belongs to."""
CARD = bytes(turns[0] if turns else UNKNOWN for turns in TURNS).ljust(256, b"\0")
"""The card that a face belongs to; a table for `bytes.translate`."""
CARDS = bytes(sorted(set(CARD) - {UNKNOWN}))
"""The 39 cards there can be."""


def mirrored(card: int) -> int:
    """The card that this one looks like in a mirror; itself for most."""
    return CARD[CODES[FACES[card][::-1]]]


WRONG: tuple[tuple[bytes, ...], ...] = tuple(
    tuple(bytes(face for face in ALL if sign and SHOWN[face][edge] != sign) for sign in range(4))
    for edge in EDGES
)
"""The faces that do not show a symbol at an edge, by the symbol; none for no symbol."""


@lru_cache(1 << 14)
def fitting(asked: int) -> bytes:
    """The faces that show what the neighbours ask for (`FACING` of each, or-ed); HEXEL-5.2."""
    wrong = [WRONG[edge][asked >> 2 * edge & 3] for edge in EDGES]
    return ALL.translate(None, b"".join(wrong))


def live(asked: int) -> bool:
    """Whether any card that fits where this is asked makes a Hoxla (P2): two neighbours that touch
    each other show one symbol on all four edges next to the corner."""
    return bool(asked >> ASKED & asked >> ASKED + CORNERS)


@cache
def enlivening(asked: int, edge: int) -> bytes:
    """The faces that make a free cell live where they are laid at an edge of it."""
    return bytes(face for face in ALL if live(asked | FACING[edge][face]))


def turns(cards: bytes) -> bytes:
    """Every face of some cards, once each, in order."""
    return ALL.translate(None, others(cards))


def others(cards: bytes) -> bytes:
    """Every face of all cards but these."""
    return ALL.translate(None, b"".join([TURNS[card] for card in cards]))
