"""Colours: how pieces of one's own look and how large discs are, learned from two pictures.

    layout = asked(board, looks)                            # where to put which pieces
    palette = learn(board, camera, pose, empty, laid, layout)   # raises BadColours with the reason
    kit = dressed(KIT, palette)                             # what readers then go by

Colours are shares of light that come back, as in `appearance`: the plain paper beside the cells
tells how much light falls on each.
"""

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from hexboard.appearance import KIT, Colour, Kit, Look
from hexboard.board import Board
from hexboard.vision.cells.sizes import Alone, Sizes, believed, fitted, of, sized
from hexboard.vision.cells.stacks import SLOP_MM, SPREAD, TOP
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Band, Sampler
from hexboard.words.errors import HexboardError
from hexboard.words.numbers import decimal

GROUND = "ground"
PIECES = ("black", "white", "reserved")
"""The names of the discs and counters of a kit, in its order."""
TILE = "tile"
COPIES = 3
"""Pieces of each kind that are laid alone."""
INNER = 0.7
"""So much of a disc is its top's colour, a share of its radius."""
SAMPLES = 32
"""Of a colour, round a disc."""
LEAST = 2.0
"""How far apart two colours must lie however they are shaded, in spreads of what one sample shows
(d'): a piece has some hundred samples."""
LEAST_RING = 0.35
"""How much darker than the top its ring must be by which a piece is told from a mat of its colour,
a share of the top's light."""
ALIKE = 6.0
"""How far two pieces of a kind may lie from each other, in spreads."""

Shares = NDArray[np.float64]


class BadColours(HexboardError, ValueError):
    """Pieces that no camera could tell apart, or not what was asked for."""


class Palette(Struct, frozen=True):
    """Learned colours by name, their printed rings, and how well the nearest two can be told."""

    colours: dict[str, Colour]
    rims: dict[str, Colour]
    nearest: tuple[str, str]
    apart: float
    """Of those, in spreads; more than `LEAST`."""
    sizes: Sizes
    """The discs'; where there are none those of the kit."""


def wanted(looks: tuple[Look, ...]) -> tuple[str, ...]:
    """What is to be laid down for a game of these looks, by name: printed pieces are as printed."""
    used = sorted({colour for look in looks for stack in look.stacks for colour in stack})
    if used:
        return tuple(PIECES[colour] for colour in used)
    return (TILE,) if any(look.tile for look in looks) else ()


class Layout(Struct, frozen=True):
    """Where pieces are laid to be learned, by their kinds' names."""

    alone: dict[str, tuple[str, ...]]
    towers: dict[str, str] = {}
    """In a game with stacks, the cell of a tower of each kind."""
    high: int = 0
    """Pieces of a tower."""


def asked(board: Board, looks: tuple[Look, ...]) -> Layout:
    """Where to put the pieces of a game of these looks: all over the board."""
    names = wanted(looks)
    high = max((len(stack) for look in looks for stack in look.stacks), default=0)
    count = (COPIES + (high > 1)) * len(names)
    cells = [board.cells[int((k + 0.5) * len(board.cells) / count)].id for k in range(count)]
    spots = {name: tuple(cells[k :: len(names)]) for k, name in enumerate(names)}
    if high < 2:
        return Layout(spots)
    towers = {name: own[COPIES // 2] for name, own in spots.items()}
    alone = {name: tuple(c for c in own if c != towers[name]) for name, own in spots.items()}
    return Layout(alone, towers, high)


def learn(
    board: Board,
    camera: Camera,
    pose: Pose,
    empty: Picture,
    laid: Picture,
    layout: Layout,
    kit: Kit = KIT,
) -> Palette:
    """The colours of an empty board and of the pieces that were laid as asked, and the discs'
    sizes. Raises `BadColours`."""
    bare = _Look(board, camera, pose, kit, empty)
    look = _Look(board, camera, pose, kit, laid)
    ground = _middle([bare.disc(cell.id, 0.0, kit.radius) for cell in board.cells])
    colours, rims = {GROUND: ground}, dict[str, Colour]()
    for name, cells in layout.alone.items():
        high = kit.tile_high if name == TILE else kit.height
        seen = [look.disc(cell, high, kit.radius * INNER) for cell in cells]
        colours[name] = _alike(name, cells, seen)
    if TILE not in colours:
        usual = replace(kit, ground=ground, pieces=_listed(colours, kit.pieces))
        kit = look.fitted(usual, layout)
        if not believed(of(kit), usual):
            across, high = 2 * kit.radius * board.pitch, kit.height * board.pitch
            raise BadColours("colours.size", across=f"{across:.0f}", high=f"{high:.0f}")
        rims = {name: kit.rim[PIECES.index(name)] for name in layout.alone}
    for name, ring in rims.items():
        if _told_by_ring(name, colours, rims) and contrast(colours[name], ring) < LEAST_RING:
            raise BadColours("colours.no_ring", name=name)
    nearest, apart = _nearest(colours, rims)
    if apart < LEAST:
        one, other = nearest
        raise BadColours(
            "colours.near", one=one, other=other, have=decimal(apart, 1), want=decimal(LEAST)
        )
    return Palette(colours, rims, nearest, apart, of(kit))


def dressed(kit: Kit, palette: Palette) -> Kit:
    """A kit in learned colours and sizes."""
    known = palette.colours
    pieces, rims = _listed(known, kit.pieces), _listed(palette.rims, kit.rim)
    tile = known.get(TILE, kit.tile)
    dark = [share / whole for share, whole in zip(kit.floor, kit.tile, strict=True)]
    floor = tile[0] * dark[0], tile[1] * dark[1], tile[2] * dark[2]
    ground = known[GROUND]
    kit = sized(kit, palette.sizes)
    return replace(kit, ground=ground, pieces=pieces, rim=rims, tile=tile, floor=floor)


def _listed(known: dict[str, Colour], others: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """Colours in the order of `PIECES`: those that are known, and else these."""
    return tuple(known.get(name, others[k]) for k, name in enumerate(PIECES))


class _Look:
    """One picture of the board, its light taken out."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, kit: Kit, picture: Picture
    ) -> None:
        self.board, self.camera, self.pose, self.picture = board, camera, pose, picture
        self.kit, self.band = kit, Band(board, camera, pose, kit)
        self.field, hand = self.band.fit(picture)
        if hand:
            raise BadColours("colours.hand")

    def shares(self, cell: str, local: Array, high: float) -> Shares:
        """Shares of light from points about a cell's middle, `high` pitches over the board."""
        here = self.board.cell[cell]
        flat = local + np.array([here.x, here.y])
        level = np.full((len(flat), 1), high * self.board.pitch)
        points = project(self.camera, self.pose, np.hstack([flat, level]))
        seen = Sampler(points).look(self.picture)
        return np.asarray(seen / np.exp(self.band.basis(flat) @ self.field), float)

    def disc(self, cell: str, high: float, radius: float) -> Colour:
        """The colour within so many pitches of a cell's middle."""
        shares = [0.2, 0.4, 0.6, 0.8, 0.95]
        local = np.concatenate(
            [around(SAMPLES) * (radius * self.board.pitch * share) for share in shares]
        )
        return _colour(np.median(self.shares(cell, local, high), 0))

    def fitted(self, kit: Kit, layout: Layout) -> Kit:
        """A kit with the sizes and rings of the discs that were laid."""
        alone = {c: (PIECES.index(name),) for name, own in layout.alone.items() for c in own}
        towers = {c: (PIECES.index(name),) * layout.high for name, c in layout.towers.items()}
        singles, high = (
            Alone(self.board, self.camera, self.pose, self.picture, laid)
            for laid in (alone, towers)
        )
        sizes = fitted(
            kit,
            lambda tried: singles.explained(self.ringed(tried, layout)),
            (lambda tried: high.explained(self.ringed(tried, layout))) if towers else None,
        )
        return self.ringed(sized(kit, sizes), layout)

    def ringed(self, kit: Kit, layout: Layout) -> Kit:
        """A kit with the rings that discs of its sizes seem to have."""
        rings = {
            name: _middle([self.ring(cell, kit) for cell in cells])
            for name, cells in layout.alone.items()
        }
        return replace(kit, rim=_listed(rings, kit.rim))

    def ring(self, cell: str, kit: Kit) -> Colour:
        """The colour of a printed ring, found by where it stands out most; the top's own where
        there is none."""
        size, line_at = kit.radius * self.board.pitch, sum(kit.rim_at) / 2
        places = np.array([(x, y) for x in SLOP_MM for y in SLOP_MM])
        both = [
            (around(SAMPLES) * (size * share) + places[:, None]).reshape(-1, 2)
            for share in (line_at, INNER)
        ]
        line, top = (
            np.median(self.shares(cell, part, kit.height).reshape(len(places), SAMPLES, 3), 1)
            for part in both
        )
        out = np.linalg.norm(np.sqrt(np.maximum(line, 0)) - np.sqrt(np.maximum(top, 0)), axis=1)
        return _colour(line[out.argmax()])


def _alike(name: str, cells: tuple[str, ...], seen: list[Colour]) -> Colour:
    """The colour of pieces of one kind. Raises `BadColours` where one is another's."""
    middle = _middle(seen)
    for cell, colour in zip(cells, seen, strict=True):
        if distance(colour, middle) > ALIKE:
            raise BadColours("colours.unlike", cell=cell, name=name)
    return middle


def _told_by_ring(name: str, colours: dict[str, Colour], rims: dict[str, Colour]) -> bool:
    """Whether only its printed ring tells a piece from the mat."""
    return name in rims and apart(colours[name], colours[GROUND]) < LEAST


def _nearest(colours: dict[str, Colour], rims: dict[str, Colour]) -> tuple[tuple[str, str], float]:
    """The two colours that lie nearest of those that nothing else tells apart, and how far."""
    names = list(colours)
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    pairs = [
        (a, b) for a, b in pairs if GROUND not in (a, b) or not _told_by_ring(b, colours, rims)
    ] or pairs
    pair = min(pairs, key=lambda pair: apart(colours[pair[0]], colours[pair[1]]))
    return pair, apart(colours[pair[0]], colours[pair[1]])


def hidden(kit: Kit) -> tuple[int, ...]:
    """The pieces of a kit, by number, whose tops look like its ground."""
    return tuple(k for k, top in enumerate(kit.pieces) if apart(top, kit.ground) < LEAST)


def contrast(top: Colour, ring: Colour) -> float:
    """How much darker than its top a piece's ring is, as a share of the top's light."""
    return 1 - sum(ring) / max(sum(top), 1e-6)


def apart(one: Colour, other: Colour) -> float:
    """How far two colours are from each other at the shades in which they are nearest, in spreads
    of what is seen (d')."""
    shades = np.linspace(TOP[0], TOP[1], 8)
    return min(distance(_times(one, a), _times(other, b)) for a in shades for b in shades)


def distance(one: Colour, other: Colour) -> float:
    """How far two colours are from each other, in spreads of what is seen."""
    off = [math.sqrt(max(a, 0)) - math.sqrt(max(b, 0)) for a, b in zip(one, other, strict=True)]
    return math.hypot(*off) / SPREAD


def _middle(colours: list[Colour]) -> Colour:
    return _colour(np.median(np.array(colours), 0))


def _times(colour: Colour, by: float) -> Colour:
    return colour[0] * by, colour[1] * by, colour[2] * by


def _colour(values: Shares) -> Colour:
    blue, green, red = (round(float(value), 4) for value in values)
    return blue, green, red
