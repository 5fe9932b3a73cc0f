"""Bad Santa Cross: a hexagon; three sides that do not meet win (BSC-1), two opposite lose (BSC-2).

Cross is by Cameron Browne (2008). Both colours can make a losing chain in one turn; who is judged
first is an option (BSC-3).
"""

from hexboard.game.options import Option
from hexboard.games.bad_santa.ground import GroundShape
from hexboard.games.bad_santa.variant import SHARED, Variant


def _sides(q: int, r: int, size: int) -> tuple[int, ...]:
    """The six sides clockwise from the top; side s lies opposite side s + 3."""
    far = size - 1
    touching = (r == -far, q == far, q + r == far, r == far, q == -far, q + r == -far)
    return tuple(side for side, is_so in enumerate(touching) if is_so)


def _inside(q: int, r: int, size: int) -> bool:
    return True


NAME = "bad-santa-cross"
OPTIONS = (
    Option("size", 5, least=3, most=9, rule="BSC-1"),
    *SHARED,
    Option("both_lose", "mover", choices=("mover", "opponent"), rule="BSC-3"),
)
_ALTERNATE = ((0, 2, 4), (1, 3, 5))
VARIANT = Variant(
    NAME,
    "Bad Santa Cross",
    GroundShape("hexhex", _sides, _inside, (_ALTERNATE, _ALTERNATE), ((0, 3), (1, 4), (2, 5))),
    "BSC-1",
    OPTIONS,
    4,
    "W3BW1/.WBW../W.....W/.....W.B/...B...WB/.BW....B/B...W../..BB../...2. W 8",
)
rules, board, start, parse = VARIANT.rules, VARIANT.board, VARIANT.start, VARIANT.parse
GAME = VARIANT.game()
