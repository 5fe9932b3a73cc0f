"""Appearance: how boards and pieces look, and what each code of a game's `seen` stands for.

Colours are linear and neutral light falls on white paper as 1: shares of light that come back, in
OpenCV's order (blue, green, red). A set of pieces of one's own is another `Kit`.
"""

from itertools import product

from msgspec import Struct

from controller.board import Board
from controller.errors import BadText
from controller.games.hexel.cards import FACES

Colour = tuple[float, float, float]


class Kit(Struct, frozen=True):
    """What lies on a board. Lengths are shares of the board's pitch."""

    paper: Colour = (0.80, 0.80, 0.80)
    ground: Colour = (0.20, 0.32, 0.26)
    line: Colour = (0.08, 0.12, 0.10)
    desk: Colour = (0.10, 0.17, 0.26)
    pieces: tuple[Colour, ...] = ((0.035, 0.035, 0.035), (0.72, 0.74, 0.76), (0.03, 0.20, 0.75))
    """Black, white, and the reservation counters' orange."""
    rim: tuple[Colour, ...] = ((0.30, 0.30, 0.30), (0.22, 0.22, 0.22), (0.02, 0.09, 0.35))
    """The printed line round the top of each of them: it parts discs of one colour in a stack."""
    card: Colour = (0.70, 0.72, 0.74)
    symbols: tuple[Colour, ...] = ((0.04, 0.04, 0.55), (0.45, 0.10, 0.03), (0.03, 0.50, 0.75))
    """Red circle, blue diamond, yellow triangle."""
    radius: float = 0.34
    height: float = 0.19
    """Of one disc."""
    card_reach: float = 0.47
    """From a card's middle to an edge of it."""
    symbol_at: float = 0.325
    """From a card's middle to the middle of a symbol."""
    symbol_size: float = 0.085
    """The radius of a circle, half the diagonal of a diamond; a triangle fits round the circle."""


KIT = Kit()
BLACK, WHITE, RESERVED = 0, 1, 2
COLOURS = {"B": BLACK, "W": WHITE, "R": RESERVED}


class Look(Struct, frozen=True):
    """What one code looks like: every stack (colours from the bottom) that it can be; or a card's
    face. Neither: an empty cell."""

    stacks: tuple[tuple[int, ...], ...] = ()
    face: str = ""


def _stacks(height: int, top: int) -> Look:
    return Look(tuple((*below, top) for below in product((BLACK, WHITE), repeat=height - 1)))


_LOOKS: dict[str, tuple[Look, ...]] = {
    "hexalma": (Look(), *(_stacks(h, top) for h in (1, 2, 3) for top in (BLACK, WHITE))),
    "bad-santa": (Look(), Look(((BLACK,),)), Look(((WHITE,),)), Look(((RESERVED,),))),
    "hexel": tuple(Look(face=face) for face in FACES),
}


def looks(game: str) -> tuple[Look, ...]:
    """What each code of a game's `seen` looks like. Raises `BadText` for a game that no camera can
    read yet."""
    family = "bad-santa" if game.startswith("bad-santa-") else game
    if family not in _LOOKS:
        raise BadText("vision.no_looks", game=game, known=", ".join(sorted(_LOOKS)))
    return _LOOKS[family]


def lying(position: object, board: Board) -> dict[str, tuple[tuple[int, ...], str]]:
    """What really lies in the cells of a position, covered discs too: cell → (colours, face)."""
    found: dict[str, tuple[tuple[int, ...], str]] = {}
    for piece in position.pieces():  # type: ignore[attr-defined]
        if piece.kind == "card":
            found[piece.place] = ((), piece.text)
        elif piece.kind == "disc":
            colours = piece.text or "BW"[piece.seat]
            found[piece.place] = (tuple(COLOURS[c] for c in colours), "")
        else:
            found[piece.place] = ((RESERVED if piece.text else piece.seat,), "")
    return {cell: thing for cell, thing in found.items() if cell in board.cell}
