"""Bad Santa Y: the triangle of a rhombus around a1; who links its three sides wins (BSY-1).

The triangle is the cells of the rhombus on and above its short diagonal, so that every Hex board is
a board for Y too.
"""

from hexboard.game.options import Option
from hexboard.games.bad_santa.ground import GroundShape
from hexboard.games.bad_santa.variant import SHARED, Variant


def _sides(q: int, r: int, size: int) -> tuple[int, ...]:
    """0 row 1, 1 column a, 2 the diagonal."""
    return tuple(s for s, is_so in enumerate((r == 0, q == 0, q + r == size - 1)) if is_so)


def _inside(q: int, r: int, size: int) -> bool:
    return q + r < size


NAME = "bad-santa-y"
OPTIONS = (Option("size", 11, least=3, most=19, rule="BSY-1"), *SHARED)
VARIANT = Variant(
    NAME,
    "Bad Santa Y",
    GroundShape("rhombus", _sides, _inside, wins=(((0, 1, 2),), ((0, 1, 2),))),
    "BSY-1",
    OPTIONS,
    7,
    ".BB.W.W.B.1/.B....W.../..B.W.W.W/.B.....B/W.W.WBB/W....W/..BB./..../B.B/WW/. W 10",
)
rules, board, start, parse = VARIANT.rules, VARIANT.board, VARIANT.start, VARIANT.parse
GAME = VARIANT.game()
