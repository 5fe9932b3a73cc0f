"""Colours: what the pieces of one's own look like, learned from two pictures of a set-up.

    spots = asked(board, names)                             # where to put one piece of each kind
    palette = learn(board, camera, pose, empty, laid, spots)    # raises BadColours with the reason
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
from hexboard.vision.cells.stacks import SLOP_MM, SPREAD, TOP
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose, around, project
from hexboard.vision.light import Band, Sampler
from hexboard.words.errors import HexboardError

GROUND = "ground"
PIECES = ("black", "white", "reserved")
"""The names of the discs and counters of a kit, in its order."""
TILE = "tile"
COPIES = 3
"""Pieces of each kind that are laid."""
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


def wanted(looks: tuple[Look, ...]) -> tuple[str, ...]:
    """What is to be laid down for a game of these looks, by name: printed pieces are as printed."""
    used = sorted({colour for look in looks for stack in look.stacks for colour in stack})
    if used:
        return tuple(PIECES[colour] for colour in used)
    return (TILE,) if any(look.tile for look in looks) else ()


def asked(board: Board, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Where to put the pieces of each kind: all over the board."""
    count = COPIES * len(names)
    cells = [board.cells[int((k + 0.5) * len(board.cells) / count)].id for k in range(count)]
    return {name: tuple(cells[k :: len(names)]) for k, name in enumerate(names)}


def learn(
    board: Board,
    camera: Camera,
    pose: Pose,
    empty: Picture,
    laid: Picture,
    spots: dict[str, tuple[str, ...]],
    kit: Kit = KIT,
) -> Palette:
    """The colours of an empty board and of the pieces at `spots`. Raises `BadColours`."""
    bare = _Look(board, camera, pose, kit, empty)
    look = _Look(board, camera, pose, kit, laid)
    ground = _middle([bare.disc(cell.id, 0.0, kit.radius) for cell in board.cells])
    colours, rims = {GROUND: ground}, dict[str, Colour]()
    for name, cells in spots.items():
        high = kit.tile_high if name == TILE else kit.height
        seen = [look.disc(cell, high, kit.radius * INNER) for cell in cells]
        colours[name] = _alike(name, cells, seen)
        if name != TILE:
            rims[name] = _middle([look.ring(cell, high, kit.radius) for cell in cells])
    for name, ring in rims.items():
        if _told_by_ring(name, colours, rims) and contrast(colours[name], ring) < LEAST_RING:
            raise BadColours("colours.no_ring", name=name)
    nearest, apart = _nearest(colours, rims)
    if apart < LEAST:
        one, other = nearest
        raise BadColours("colours.near", one=one, other=other, have=f"{apart:.1f}", want=str(LEAST))
    return Palette(colours, rims, nearest, apart)


def dressed(kit: Kit, palette: Palette) -> Kit:
    """A kit in learned colours."""
    known = palette.colours
    pieces = tuple(known.get(name, kit.pieces[k]) for k, name in enumerate(PIECES))
    rims = tuple(palette.rims.get(name, kit.rim[k]) for k, name in enumerate(PIECES))
    tile = known.get(TILE, kit.tile)
    dark = [share / whole for share, whole in zip(kit.floor, kit.tile, strict=True)]
    floor = tile[0] * dark[0], tile[1] * dark[1], tile[2] * dark[2]
    ground = known[GROUND]
    return replace(kit, ground=ground, pieces=pieces, rim=rims, tile=tile, floor=floor)


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

    def ring(self, cell: str, high: float, radius: float) -> Colour:
        """The colour of a printed ring, found by where it stands out most; the top's own where
        there is none."""
        size, line_at = radius * self.board.pitch, sum(self.kit.rim_at) / 2
        places = np.array([(x, y) for x in SLOP_MM for y in SLOP_MM])
        both = [
            (around(SAMPLES) * (size * share) + places[:, None]).reshape(-1, 2)
            for share in (line_at, INNER)
        ]
        line, top = (
            np.median(self.shares(cell, part, high).reshape(len(places), SAMPLES, 3), 1)
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
