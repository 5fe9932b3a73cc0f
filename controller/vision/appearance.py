"""Appearance: how boards and pieces look, and what each code of a game's `seen` stands for.

Colours are linear and neutral light falls on white paper as 1: shares of light that come back, in
OpenCV's order (blue, green, red). A set of pieces of one's own is another `Kit`.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from msgspec import Struct

from controller.board import Board
from controller.errors import BadText
from controller.games.hexel.cards import FACES
from controller.vision.codes import SHIPPED

Colour = tuple[float, float, float]


class Kit(Struct, frozen=True):
    """What lies on a board. Lengths are shares of the board's pitch."""

    paper: Colour = (0.80, 0.80, 0.80)
    """What lies round the cells."""
    bordered: bool = True
    """Whether that is there all round, to tell how much light falls; else bare cells tell it."""
    spread: float = 0.055
    """Of what is seen about what is expected, in the root of the light; less where dark pieces lie
    on dark ground."""
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
    ink: Colour = (0.04, 0.04, 0.04)
    """Print on a unit's base, a war zone marker, a tile's marker; between it is `card`."""
    base: float = 0.36
    """The radius of a unit's base. Its outer ring is the kind's (`codes`), the next one the side's,
    dark or light; a figure may stand within."""
    base_rings: tuple[float, float] = (0.45, 0.66)
    """Where the side's ring begins and ends, shares of the base's radius."""
    base_high: float = 0.08
    figure: Colour = (0.25, 0.25, 0.25)
    """Whatever stands on a base."""
    zone: float = 0.15
    """The radius of a war zone marker, which stands where three cells meet."""
    zone_dot: float = 0.5
    """The dot in its middle, a share of the radius."""
    tile: Colour = (0.28, 0.46, 0.60)
    tile_high: float = 0.20
    """A tile's upper side over the mat: 10 mm of 15, the rest is in its slot."""
    floor: Colour = (0.19, 0.31, 0.41)
    """Of a channel."""
    channel: float = 0.20
    """How wide a channel is above."""
    mark_at: float = 0.444
    """From a tile's middle to that of its marker, which lies in the corner after printed edge 1."""
    mark_size: float = 0.16
    """The side of a tile's marker: 4 x 4 fields (`codes`)."""
    ball: float = 0.10
    """The radius of a ball; its middle lies as far over the mat and a little."""


KIT = Kit()
BLACK, WHITE, RESERVED = 0, 1, 2
COLOURS = {"B": BLACK, "W": WHITE, "R": RESERVED}


class Look(Struct, frozen=True):
    """What one code looks like: every stack (colours from the bottom) that it can be; a card's
    face; a unit; a tile. Nothing of all that: an empty cell."""

    stacks: tuple[tuple[int, ...], ...] = ()
    face: str = ""
    unit: int = 0
    """1 to 12, as Knee Deep in Hexes numbers them."""
    marker: int = 0
    """A war zone marker at one of the cell's corners: 1 or 2 for the first or second seat's."""
    tile: str = ""
    """A tile's id."""
    rotation: int = 0
    """Of a tile, sixths clockwise."""


NEVER = Look(unit=-1)
"""A code that a game does not use."""
UNMARKED = "?"
"""A tile that carries no marker."""


class Lying(Struct, frozen=True):
    """What really lies in a cell: a stack (colours from the bottom), a card (its face), a unit, a
    tile, or at one of its corners a war zone marker.

    `dx`, `dy` (mm) and `turn` (radians) are how carelessly; `lean` shifts each disc of a stack
    against the one below, mm; `shade` is how dark this one is.
    """

    colours: tuple[int, ...] = ()
    face: str = ""
    unit: int = 0
    figure: float = 0.0
    """How high what stands on a unit's base is, mm."""
    marker: int = 0
    tile: str = ""
    rotation: int = 0
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    shade: float = 1.0


CORNER = "|"
"""`12.3|4` is corner 4 of cell 12.3 (`Board.corners`), where a war zone marker can stand."""


def _stacks(height: int, top: int) -> Look:
    return Look(tuple((*below, top) for below in product((BLACK, WHITE), repeat=height - 1)))


ZONE = 16
"""A field beside the first seat's war zone marker has this code more, beside the second's twice."""


def _units() -> Iterator[Look]:
    for marker in (0, 1, 2):
        yield from (Look(unit=unit, marker=marker) if unit < 13 else NEVER for unit in range(ZONE))


_LOOKS: dict[str, tuple[Look, ...]] = {
    "hexalma": (Look(), *(_stacks(h, top) for h in (1, 2, 3) for top in (BLACK, WHITE))),
    "bad-santa": (Look(), Look(((BLACK,),)), Look(((WHITE,),)), Look(((RESERVED,),))),
    "hexel": tuple(Look(face=face) for face in FACES),
    "knee-deep": tuple(_units()),
}


def looks(game: str, tiles: Iterable[str] = SHIPPED[:8]) -> tuple[Look, ...]:
    """What each code of a game's `seen` looks like; `tiles` are those that Hextraction is played
    with, in its order. Raises `BadText` for a game that no camera can read yet."""
    if game == "hextraction":
        return tile_looks(tiles)
    family = "bad-santa" if game.startswith("bad-santa-") else game
    if family not in _LOOKS:
        raise BadText(
            "vision.no_looks", game=game, known=", ".join(sorted((*_LOOKS, "hextraction")))
        )
    return _LOOKS[family]


def looks_of(game: str, position: object) -> tuple[Look, ...]:
    """The same for one position of a game: Hextraction's tell which tiles it is played with. Raises
    `BadText`."""
    tiles = getattr(getattr(position, "setting", None), "tiles", SHIPPED)
    return looks(game, tuple(tiles))


def tile_looks(tiles: Iterable[str]) -> tuple[Look, ...]:
    """What the codes of a slot are where these tiles are played: 0 empty, then six rotations of
    each tile, but for the one that carries no marker."""
    turns = ((tile, turn) for tile in tiles for turn in range(1 if tile == UNMARKED else 6))
    return (Look(), *(Look(tile=tile, rotation=turn) for tile, turn in turns))


def lying(position: object, board: Board) -> dict[str, Lying]:
    """What really lies in the cells of a position, covered discs too; markers at `CORNER`s."""
    found: dict[str, Lying] = {}
    for piece in position.pieces():  # type: ignore[attr-defined]
        if piece.kind == "card" and piece.text in FACES:
            found[piece.place] = Lying(face=piece.text)
        elif piece.kind == "disc":
            colours = piece.text or "BW"[piece.seat]
            found[piece.place] = Lying(tuple(COLOURS[c] for c in colours))
        elif piece.kind == "counter":
            found[piece.place] = Lying((RESERVED if piece.text else piece.seat,))
        elif piece.kind == "unit":
            return _units_lying(position.seen(), board)  # type: ignore[attr-defined]
    return {cell: thing for cell, thing in found.items() if cell in board.cell}


def _units_lying(codes: bytes, board: Board) -> dict[str, Lying]:
    """Units in their cells, a war zone marker where the three cells beside it meet."""
    code = {cell.id: code for cell, code in zip(board.cells, codes, strict=True)}
    found = {cell: Lying(unit=seen % ZONE) for cell, seen in code.items() if seen % ZONE}
    for cell, seen in code.items():
        for corner in range(6):
            beside = [board.neighbour(cell, edge) for edge in (corner + 1, (corner + 1) % 6 + 1)]
            if seen >= ZONE and all(b and code[b] >= ZONE for b in beside):
                found[f"{cell}{CORNER}{corner}"] = Lying(marker=seen // ZONE)
                return found
    return found
