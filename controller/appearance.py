"""Appearance: how boards and pieces look: the measures of everything that is printed or moulded.

Sheets are printed by these, readers look for them, the simulator draws them; none asks another.
A game says what its codes stand for as `Look`s, and what lies on its board as `Lying`s
(`Appearance`). Colours are linear and neutral light falls on white paper as 1: shares of light that
come back, in OpenCV's order (blue, green, red). A set of pieces of one's own is another `Kit`.
"""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from hexboard.board import Board

Colour = tuple[float, float, float]
Way = tuple[tuple[float, float], ...]
"""A line through points about a cell's middle, in pitches, y up."""

# ---------------------------------------------------------------------------- the mat's markers

DICTIONARY = "DICT_4X4_250"
"""OpenCV's name of the family of the boards' markers."""
MARKER_MM = 24.0
"""The side of a marker's black square at least."""
MARKER_SHARE = 1 / 15
"""That side, a share of the longer side of what lies between the bands, where that is more."""
QUIET_MM = 7.0
"""White paper that a marker needs all round."""
BAND_MM = 12.0
"""The plain band between the cells (lanes and end zones with them) and the markers."""
PATCH_MM = 10.0
"""The side of the grey patch beside a marker."""

TILE_MARKERS = 143
"""How many markers there are that can be told apart in a tile's corner (`marks.codes.words`)."""

# ------------------------------------------------------------------------------ the lens's sheet


class Charuco(Struct, frozen=True):
    """The sheet by which a lens is measured."""

    dictionary: str = "DICT_5X5_100"
    """Another family than the boards' markers, so that neither is taken for the other."""
    columns: int = 11
    rows: int = 8
    """Squares across and down."""
    square_mm: float = 23.0
    marker_mm: float = 17.0
    """The side of a square and of the marker in it."""


CHARUCO = Charuco()

# ------------------------------------------------------------------------------------ the pieces


class Kit(Struct, frozen=True):
    """What lies on a board. Lengths are shares of the board's pitch, but where another is named."""

    paper: Colour = (0.80, 0.80, 0.80)
    """What lies round the cells."""
    bordered: bool = True
    """Whether that is there all round, to tell how much light falls; else bare cells tell it."""
    spread: float = 0.055
    """Of what is seen about what is expected, in the root of the light; less where dark pieces lie
    on dark ground."""
    ground: Colour = (0.20, 0.32, 0.26)
    desk: Colour = (0.10, 0.17, 0.26)
    pieces: tuple[Colour, ...] = ((0.035, 0.035, 0.035), (0.72, 0.74, 0.76), (0.03, 0.20, 0.75))
    """Black, white, and the reservation counters' orange."""
    rim: tuple[Colour, ...] = ((0.30, 0.30, 0.30), (0.22, 0.22, 0.22), (0.02, 0.09, 0.35))
    """The printed line round the top of each of them: it parts discs of one colour in a stack."""
    rim_at: tuple[float, float] = (0.80, 0.92)
    """Where that begins and ends, shares of a disc's radius."""
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
    """The radius of a circle."""
    symbol_reach: tuple[float, float, float] = (1.0, 1.15, 1.45)
    """From the middle of a circle, a diamond, a triangle to its rim or corners, such radii."""
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
    tile_gap: float = 0.006
    """Between two tiles."""
    floor: Colour = (0.19, 0.31, 0.41)
    """Of a channel."""
    channel: float = 0.20
    """How wide a channel is above."""
    floor_high: float = 0.012
    """A channel's floor over the mat."""
    mark_at: float = 0.444
    """From a tile's middle to that of its marker, which lies in the corner after printed edge 1."""
    mark_size: float = 0.16
    """The side of a tile's marker: 4 x 4 fields (`codes`)."""
    ball: float = 0.10
    """The radius of a ball; its middle lies as far over the mat and a little."""


KIT = Kit()
GROUNDS: dict[str, Colour] = {"white": KIT.paper, "green": KIT.ground}
"""What a mat's cells may be printed in, by name: white is paper with outlines on it."""
BLACK, WHITE, RESERVED = 0, 1, 2
"""The numbers of `Kit.pieces`."""
SYMBOLS = "RBY"
"""The letters of `Kit.symbols` in a card's face, the first to the east, counter-clockwise."""


class Look(Struct, frozen=True):
    """What one code looks like: every stack (colours from the bottom) that it can be; a card's
    face; a unit; a tile. Nothing of all that: an empty cell."""

    stacks: tuple[tuple[int, ...], ...] = ()
    face: str = ""
    unit: int = 0
    """1 to 12: six kinds of the first seat's, then those of the second's (`marks.codes.RINGS`)."""
    marker: int = 0
    """A war zone marker at one of the cell's corners: 1 or 2 for the first or second seat's."""
    tile: str = ""
    """A tile's id."""
    rotation: int = 0
    """Of a tile, sixths clockwise."""
    number: int = -1
    """Of the marker in a tile's corner."""
    name: str = ""
    """A unit's, as people read it."""


NEVER = Look(unit=-1)
"""A code that a game does not use."""


def piece(look: Look) -> str:
    """A piece in short: W for a white disc, BB? for what a stack of three shows, a card's face, a
    side's letter and a unit (+ beside a war zone marker), a tile and its rotation; "" for none."""
    zone = "+" if look.marker else ""
    if look.unit:
        return (look.name or str(look.unit)) + zone
    if look.tile:
        return f"{look.tile}/{look.rotation}"
    if look.face or not look.stacks:
        return str(look.face) + zone
    stack = look.stacks[0]
    return "?" * (len(stack) - 1) + "BWR"[stack[-1]]


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
    """The id of a tile."""
    rotation: int = 0
    number: int = -1
    """Of the marker in its corner; -1 for a tile without one."""
    channels: tuple[Way, ...] = ()
    """The middles of an unturned tile's channels."""
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    shade: float = 1.0


CORNER = "|"
"""`12.3|4` is corner 4 of cell 12.3 (`Board.corners`), where a war zone marker can stand."""


def discs(seen: bytes, looks: tuple[Look, ...], board: Board) -> dict[str, Lying]:
    """What lies in the cells by the codes of `seen`, where each code is one stack, card or unit."""
    found = zip(board.cells, (looks[code] for code in seen), strict=True)
    return {cell.id: _lying(look) for cell, look in found if look != Look()}


def _lying(look: Look) -> Lying:
    colours = look.stacks[0] if look.stacks else ()
    return Lying(colours, look.face, look.unit)


class Blank(Struct, frozen=True):
    """A tile to cut out, with what it is made by and the marker that a camera knows it by. Lengths
    in mm from its middle, printed edge 1 up, y up."""

    id: str
    marker: int
    across: float
    """From flat to flat."""
    channel: float
    """How wide a channel is."""
    ways: tuple[tuple[tuple[float, float], ...], ...]
    """Lines along the middle of its channels."""
    ends: tuple[tuple[tuple[float, float], ...], ...]
    """Of channels that end in it."""
    sockets: tuple[int, ...]
    """The edges with a notch for the slot's key."""


class Labels(Struct, frozen=True):
    """Labels that people print and glue onto a game's pieces, or cards and tiles that they cut
    out."""

    tiles: tuple[tuple[str, int], ...] = ()
    """Of each tile its id and its marker's number."""
    units: tuple[tuple[int, str, int], ...] = ()
    """Of each kind of unit its code, its name and how many there are."""
    cards: tuple[str, ...] = ()
    """The faces of a deck, each as often as it is in it."""
    blanks: tuple[Blank, ...] = ()
    """Tiles, each once."""
    spare_tiles: int = 0
    """How many of them a match for two wants beyond one for each cell."""
    balls: int = 0
    """How many balls a match for two wants."""


class Laid(Protocol):
    """A position, for all that matters here: what the board should show of it."""

    def seen(self) -> bytes:
        """One code a cell, in the board's order."""


L = TypeVar("L", bound=Laid)
P = TypeVar("P", contravariant=True)


class Appearance(Struct, Generic[P], frozen=True):
    """What a camera has to know of a game. `P` is the class of its positions."""

    looks: Callable[[P], tuple[Look, ...]]
    """What each code of a position's `seen` looks like, in the game that is played there."""
    lying: Callable[[P, Board], dict[str, Lying]] | None = None
    """What really lies in the cells, covered discs too, where `looks` do not say; at `CORNER`s.
    Only the simulated camera asks."""
    balls: Callable[[P], int] | None = None
    """How many balls a camera should see in a position at rest, in a game that is played with
    balls."""

    def things(self: "Appearance[L]", position: L, board: Board) -> dict[str, Lying]:
        """What really lies on the board, no carelessness yet."""
        if self.lying is not None:
            return self.lying(position, board)
        return discs(position.seen(), self.looks(position), board)
