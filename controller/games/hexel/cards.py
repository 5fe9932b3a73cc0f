"""Hex'el cards: six symbols, one an edge, of one or two kinds (HEXEL-1.1 to 1.5, ruling A1).

A *face* is a card as it lies: its symbols at E, NE, NW, W, SW, SE. Faces are codes 1..189, in the
order of their letters (R, B, Y); 0 is an empty cell, or a card that nobody has seen. A *card* is
the first of its turns, so that a code says both. A mirror image is another card.
"""

from functools import cache
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
FACING: tuple[tuple[int, ...], ...] = tuple(
    tuple(shown[(edge + 3) % 6] << 2 * edge for shown in SHOWN) for edge in EDGES
)
"""What the neighbour at an edge asks of it, by the neighbour's face: two bits an edge."""


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


@cache
def fitting(asked: int) -> bytes:
    """The faces that show what the neighbours ask for (`FACING` of each, or-ed); HEXEL-5.2."""
    wanted = [(edge, sign) for edge in EDGES if (sign := asked >> 2 * edge & 3)]
    return bytes(face for face in ALL if all(SHOWN[face][edge] == sign for edge, sign in wanted))


def turns(cards: bytes) -> bytes:
    """Every face of some cards, once each, in order."""
    wanted = b"".join(TURNS[card] for card in set(cards))
    return ALL.translate(None, ALL.translate(None, wanted))
