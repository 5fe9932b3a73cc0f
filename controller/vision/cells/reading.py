"""Reading: what a picture says of every cell, as likelihoods of the codes of a game's `seen`.

    reader = Reader(board, looks(game), camera, pose)
    seen = reader.read(picture)         # costs of codes, hand, glare
    reader.follow(tint)                 # from now on by the light of the evening
    kit = suited(board, looks(game), camera, pose, kit, picture)    # on whatever paper it lies

A cell that nothing explains (glare, a cup) says nothing, rather than something wrong.
"""

import contextlib

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from hexboard.appearance import KIT, Kit, Look
from hexboard.board import Board
from hexboard.facts import CellCosts, Sample, Tint
from hexboard.vision.cells.cards import Cards
from hexboard.vision.cells.glare import GlareModel
from hexboard.vision.cells.occupancy import ground
from hexboard.vision.cells.rings import Rings
from hexboard.vision.cells.stacks import Stacks
from hexboard.vision.cells.strays import Strays, tinted
from hexboard.vision.cells.tiles import Tiles
from hexboard.vision.cells.units import Units
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose
from hexboard.vision.light import Linear, Sampler, reference

CLIP_NAT = 30.0
"""Nats below the best at which a code is as good as excluded."""
EVEN_NATS = 0.35
"""What a sample of bare ground costs on average at most where a piece could hide in it."""


class Seen(Struct, frozen=True, eq=False):
    """What one picture says."""

    cells: tuple[CellCosts, ...]
    hand: bool
    """Something covers the band round the cells."""
    unexplained: tuple[int, ...]
    """The cells, by number, that nothing explains."""
    samples: tuple[Sample, ...] = ()
    """How what was read looks, in a game of discs."""


class Reader:
    """Reads pictures of one board by one camera at rest; for another pose make another reader."""

    def __init__(
        self, board: Board, looks: tuple[Look, ...], camera: Camera, pose: Pose, kit: Kit = KIT
    ) -> None:
        self.model = _kind(looks)(board, camera, pose, kit, looks)
        self.cells, self.looks = len(board.cells), looks
        # a war zone marker stands beside a cell, not in it
        self._empty = [code for code, look in enumerate(looks) if replace(look, marker=0) == Look()]
        self._kit, self.tint = kit, Tint()
        self.band = reference(board, camera, pose, kit)
        self._basis = self.band.basis(self.model.grounds)
        self._sampler = Sampler(self.model.points)
        self._glare = GlareModel(board, self.model.grounds, kit)
        self._rings: Rings | None = None
        self._most_empty = self.model.most_empty_nats
        with contextlib.suppress(ValueError):
            self._rings = Rings(board, camera, pose, kit, looks)
            self._most_empty = EVEN_NATS
        discs = isinstance(self.model, Stacks)
        self._sampling = Strays(board, camera, pose, kit, looks) if discs else None

    def follow(self, tint: Tint) -> None:
        """From now on read discs and bare cells in these colours."""
        if tint != self.tint and self._sampling is not None:
            self.model.kit = tinted(self._kit, tint, self.looks)
            self._glare.ground = self.model.kit.ground
            self.tint = tint

    def read(self, picture: Picture) -> Seen:
        """What a picture, (height, width, 3), says."""
        field, hand = self.band.fit(picture)
        seen, lit = self._lit(picture, field)
        scores, mean = self._weighed(picture, seen, lit)
        empty = np.isin(scores.argmax(1), self._empty)
        unexplained = mean > np.where(empty, self._most_empty, self.model.most_nats)
        full = np.flatnonzero(~empty & ~unexplained)
        unexplained[full] = self._glare.even(seen, lit, full)
        cells = tuple(
            () if odd else _cell(row) for row, odd in zip(scores, unexplained, strict=True)
        )
        samples: tuple[Sample, ...] = ()
        if self._sampling is not None:
            samples = self._sampling.look(picture, self.band, field, [best(c) for c in cells])
        return Seen(cells, hand, tuple(int(k) for k in np.flatnonzero(unexplained)), samples)

    def scores(self, picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32], bool]:
        """Log-likelihoods (cells, codes) in nats, the mean cost of a sample (cells), hand."""
        field, hand = self.band.fit(picture)
        return (*self._weighed(picture, *self._lit(picture, field)), hand)

    def _weighed(
        self, picture: Picture, seen: Linear, lit: Linear
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What the model says, and what rings do."""
        scores, mean = self.model.read(seen, lit)
        if self._rings is not None:
            self._rings.weigh(picture, scores)
        return scores, mean

    def _lit(self, picture: Picture, field: Array) -> tuple[Linear, Linear]:
        """What is seen at each sample, and what white would send back there."""
        return self._sampler.look(picture), np.exp(self._basis @ field).astype(np.float32)


def suited(
    board: Board,
    looks: tuple[Look, ...],
    camera: Camera,
    pose: Pose,
    kit: Kit,
    picture: Picture,
) -> Kit:
    """The kit on the ground that explains a picture best: its own, or what lies round the pieces in
    most cells, which is a mat's on paper of any colour."""
    own = replace(kit, ground=ground(board, camera, pose, picture))
    return min(
        (kit, own),
        key=lambda tried: len(Reader(board, looks, camera, pose, tried).read(picture).unexplained),
    )


def _kind(looks: tuple[Look, ...]) -> type[Cards] | type[Stacks] | type[Units] | type[Tiles]:
    """What reads pieces of these looks."""
    if any(look.face for look in looks):
        return Cards
    if any(look.unit > 0 for look in looks):
        return Units
    return Tiles if any(look.tile for look in looks) else Stacks


def best(cell: CellCosts) -> int | None:
    """The likeliest code of a cell; None where it says nothing."""
    return min(cell, key=lambda entry: entry[1])[0] if cell else None


def _cell(scores: NDArray[np.float32]) -> CellCosts:
    below = scores.max() - scores
    return tuple(
        (int(code), round(100 * float(below[code]))) for code in np.flatnonzero(below < CLIP_NAT)
    )
