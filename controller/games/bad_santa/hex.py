"""Bad Santa Hex: a rhombus; Black links top and bottom, White left and right (BSH-1.2, C3)."""

from hexboard.game.options import Option
from hexboard.games.bad_santa.ground import GroundShape
from hexboard.games.bad_santa.variant import SHARED, Variant


def _sides(q: int, r: int, size: int) -> tuple[int, ...]:
    """0 the top (row 1), 1 the bottom, 2 the left (column a), 3 the right."""
    touching = (r == 0, r == size - 1, q == 0, q == size - 1)
    return tuple(side for side, is_so in enumerate(touching) if is_so)


def _inside(q: int, r: int, size: int) -> bool:
    return True


NAME = "bad-santa-hex"
OPTIONS = (Option("size", 11, least=3, most=19, rule="C7"), *SHARED)
VARIANT = Variant(
    NAME,
    "Bad Santa Hex",
    GroundShape("rhombus", _sides, _inside, wins=(((0, 1),), ((2, 3),))),
    "BSH-5.1",
    OPTIONS,
    7,
    "BB.......WW/BB..B..W.../.B...W.WW../.W..W..W.BB/......W..B1/W..BW.WB.../"
    ".....B..BBW/.B.W..B.W../....W...BW./..WW.B...B./.W.WBB....B W 16",
)
rules, board, start, parse = VARIANT.rules, VARIANT.board, VARIANT.start, VARIANT.parse
GAME = VARIANT.game()
