"""Balls: where steel balls lie at rest, by what has changed since a look at the board without them.

    balls = Balls(board, camera, pose)
    before = balls.look(picture)                # the tiles as they lie now, no ball on them
    found = balls.find(before, balls.look(picture), count)

    resting = Resting(balls)
    places = resting.look(picture, codes, known)    # each look at a board at rest

Steel mirrors the room, so a ball has no colour of its own; but within its outline the picture
differs from the one before by more than round it, and light changes evenly. How many balls there
are is known: what does not come to that number says nothing, unless it is far beyond doubt.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.appearance import KIT, Kit
from hexboard.board import EDGES, Board
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose, project
from hexboard.vision.light import ROOT, Band, Sampler
from hexboard.vision.marks.markers import playing

STEP_MM = 1.25
"""Between two samples."""
AROUND_MM = 7.0
"""How far beyond the cells and end zones is looked."""
WITHIN, RING = 0.9, (1.3, 1.8)
"""The disc that a ball fills, and the ring about it that it leaves as it was: radii, in balls'."""
APART = 1.7
"""Two balls' middles are at least so far from each other, in radii: they may lean on another."""
PLAIN = 0.045
"""By how much more the root of the light has changed within a ball's outline than round it."""
FAINTER = 0.6
"""The share of the faintest ball's change that nothing else may come to."""
SURE = 0.06
"""What as much as that has changed is a ball however many are known; what has changed less than
`PLAIN` is none, and where something lies between the two nothing is said."""
DARKER = -0.05
"""No ball is brighter by more than this in all colours, in the root of the light: it mirrors what
is dark as well. A mirrored lamp is."""
COARSE = 0.8
"""Between two samples that see balls roll, in radii."""
COARSER = 7
"""One in so many of them tells how the light flickers."""
COMES, TWO = 0.05, 2
"""By how much the root of the light changes where a ball comes or goes, and in how many of them."""
MOST_BALLS = 8
"""Balls that are looked for where nobody knows how many lie there."""
SEAM_MM = 3.0
"""A ball this near to the edge between two slots lies over it."""
TILE_PITCHES = 0.75
"""How far from its middle another tile changes how a slot and its neighbours look, in pitches."""
CLEAR = 2.5
"""How far from its middle a ball changes how the board looks, in radii: it has a shadow."""
HALF = 0.5
"""A ball cannot be seen where more than so much of what it may cover is not known without it."""
STILL_MM = 2.0
"""A ball that has moved less from look to look lies still."""

Map = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Ball(Struct, frozen=True):
    """A ball at rest: the slot, seam or end zone where it lies, and its middle, mm."""

    place: str
    x: float
    y: float
    clear: float
    """How much more has changed here than round it, in the root of the light."""


class Balls:
    """Finds balls on one board under one pose."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit = KIT) -> None:
        self.board = board
        self.radius = kit.ball * board.pitch
        box = playing(board).grown(AROUND_MM)
        self._lanes = {ramp.id for ramp in board.ramps}
        self._xs, self._ys = (
            np.arange(low, high, STEP_MM)
            for low, high in ((box.left, box.right), (box.low, box.high))
        )
        self._spots = np.stack(np.meshgrid(self._xs, self._ys), -1)
        flat = self._spots.reshape(-1, 2)
        middle = np.full((len(flat), 1), self.radius)
        self._sampler = Sampler(project(camera, pose, np.hstack([flat, middle])))
        self._band = Band(board, camera, pose, kit)
        self._basis = self._band.basis(flat)
        self._disc = _kernel(0, WITHIN * self.radius)
        self._ring = _kernel(RING[0] * self.radius, RING[1] * self.radius)

    def look(self, picture: Picture) -> Map:
        """The root of the share of light that comes back from each sample, (rows, columns, 3)."""
        field, _ = self._band.fit(picture)
        share = self._sampler.look(picture) / np.exp(self._basis @ field)
        return np.sqrt(share).reshape(len(self._ys), len(self._xs), 3).astype(np.float32)

    def find(self, before: Map, now: Map, count: int) -> tuple[Ball, ...] | None:
        """The `count` balls that lie there; None where there seem to be more, or fewer."""
        *found, other = self.seen(before, now, count + 1)
        faintest = min((ball.clear for ball in found), default=PLAIN)
        sure = faintest >= PLAIN and other.clear < FAINTER * faintest
        return tuple(found) if sure else None

    def found(self, before: Map, now: Map) -> tuple[Ball, ...] | None:
        """The balls that lie there, however many; None where that is not far beyond doubt."""
        seen = self.seen(before, now, MOST_BALLS + 1)
        count = sum(ball.clear >= SURE for ball in seen)
        doubtful = count > MOST_BALLS or seen[count].clear >= PLAIN
        return None if doubtful else tuple(seen[:count])

    def seen(self, before: Map, now: Map, most: int) -> list[Ball]:
        """What may be balls, the clearest first, but for those in ramps' lanes."""
        change = np.sqrt(((now - before) ** 2).mean(2))
        more = cv2.filter2D(change, -1, self._disc) - cv2.filter2D(change, -1, self._ring)
        darker = cv2.filter2D((before - now).max(2), -1, self._disc)
        places: list[Ball] = []
        reach = int(APART * self.radius / STEP_MM)
        left = more.copy()
        while len(places) < most:
            row, column = (int(k) for k in np.unravel_index(left.argmax(), left.shape))
            x, y = self._middle(more, row, column)
            place, clear = self.place(x, y), float(left[row, column])
            if clear <= 0 or not (place in self._lanes or darker[row, column] < DARKER):
                places.append(Ball(place, round(x, 2), round(y, 2), clear))
            cv2.circle(left, (column, row), reach, 0.0, -1)
        return places

    def near(self, x: float, y: float, reach: float) -> Mask:
        """The samples within `reach` (mm) of a place of the board."""
        return np.asarray(np.hypot(*np.moveaxis(self._spots - (x, y), -1, 0)) < reach)

    def about(self, place: str) -> Mask:
        """The samples that a ball may cover that lies in a slot, on a seam or in an end zone."""
        board, beyond = self.board, CLEAR * self.radius
        if place in board.cell:
            cell = board.cell[place]
            return self.near(cell.x, cell.y, board.pitch / math.sqrt(3) + beyond)
        for zone in board.zones:
            if zone.id == place:
                return self.near(*board.zone_point(zone), board.pitch / 4 + beyond)
        seams = {board.seam(c, e): board.edge_point(c, e) for c, e, _ in board.shared_edges}
        return self.near(*seams[place], board.pitch / 4 + beyond)

    def covers(self, place: str, ball: Ball) -> bool:
        """Whether a ball lies where one at a place may lie."""
        row, column = (
            round((ball.y - self._ys[0]) / STEP_MM),
            round((ball.x - self._xs[0]) / STEP_MM),
        )
        return bool(self.about(place)[row, column])

    def _middle(self, more: Map, row: int, column: int) -> tuple[float, float]:
        """The middle of a change, mm."""
        rows, columns = (slice(max(0, k - 2), k + 3) for k in (row, column))
        weight = np.maximum(more[rows, columns], 1e-6) ** 4
        y = float((weight.sum(1) * self._ys[rows]).sum() / weight.sum())
        x = float((weight.sum(0) * self._xs[columns]).sum() / weight.sum())
        return x, y

    def place(self, x: float, y: float) -> str:
        """The slot (C3), the seam (C3-C4) or the end zone (ZB) at a place of the board, mm."""
        cell = min(self.board.cells, key=lambda c: (c.x - x) ** 2 + (c.y - y) ** 2)
        for zone in self.board.zones:
            if np.hypot(*np.subtract(self.board.zone_point(zone), (x, y))) < self.board.pitch / 4:
                return zone.id
        for edge in EDGES:
            ex, ey = self.board.edge_point(cell.id, edge)
            along = np.array([ex - cell.x, ey - cell.y]) / (self.board.pitch / 2)
            out = float(along @ [x - cell.x, y - cell.y])
            if out > self.board.pitch / 2 - SEAM_MM:
                lane = self.board.entry.get((cell.id, edge))
                if lane or self.board.neighbour(cell.id, edge):
                    return lane or self.board.seam(cell.id, edge)
        return cell.id


class Resting:
    """The balls on one board at rest, from look to look.

    What they lie on is learned by the way: all of the board in which no ball can be, because as
    many as are known lie elsewhere. Where a tile was changed it is learned anew.
    """

    def __init__(self, balls: Balls) -> None:
        self.balls = balls
        self.ground: Map | None = None
        """The board without any ball, as far as that is known."""
        self._tiles: list[int | None] = []  # the codes of what it shows
        self._unsure: Mask = np.zeros(0, bool)  # where a ball may have been in it
        self._last: tuple[Ball, ...] = ()

    def look(
        self, picture: Picture, tiles: Sequence[int | None], known: Sequence[str] | None
    ) -> tuple[str, ...] | None:
        """The places where balls lie still. `tiles` are the codes of what lies in each slot, None
        where that is not told; `known` are the places where balls are known to lie, None while they
        roll. None: it is not certain, or they have moved since the last look."""
        now = self.balls.look(picture)
        if self.ground is None:
            self.ground, self._tiles = now.copy(), list(tiles)
            self._unsure = np.ones(now.shape[:2], bool)
        self._replace(now, tiles)
        hidden = self._hidden(known or ())
        found = self._found(now, None if known is None else len(known) - len(hidden))
        if found is None:
            return None
        hidden = [at for at in hidden if not any(self.balls.covers(at, ball) for ball in found)]
        if known is not None and len(found) + len(hidden) == len(known):
            self._learn(now, found, hidden)
        still, self._last = _same(found, self._last), found
        return tuple(sorted([*(ball.place for ball in found), *hidden])) if still else None

    @property
    def seen(self) -> tuple[str, ...]:
        """The places of the balls that the last look saw; not of those that are only believed."""
        return tuple(sorted(ball.place for ball in self._last))

    def _replace(self, now: Map, tiles: Sequence[int | None]) -> None:
        """Where there is another tile now, the ground is what is seen, but for balls beside it."""
        assert self.ground is not None
        changed = set()
        for k, (old, new) in enumerate(zip(self._tiles, tiles, strict=True)):
            if new is not None and old is not None and new != old:
                cell = self.balls.board.cells[k]
                changed.add(cell.id)
                self._unsure |= self.balls.near(
                    cell.x, cell.y, TILE_PITCHES * self.balls.board.pitch
                )
            self._tiles[k] = old if new is None else new
        for ball in self._last:
            if changed.isdisjoint(ball.place.split("-")):
                self._unsure &= ~self.balls.near(ball.x, ball.y, CLEAR * self.balls.radius)
        self.ground[self._unsure] = now[self._unsure]

    def _hidden(self, known: Iterable[str]) -> list[str]:
        """The balls that are known to lie where the ground is not: they cannot be seen."""
        if not self._unsure.any():
            return []
        unseen = Counter(known) - Counter(ball.place for ball in self._last)
        places = sorted(unseen.elements())
        return [at for at in places if self._unsure[self.balls.about(at)].mean() > HALF]

    def _found(self, now: Map, count: int | None) -> tuple[Ball, ...] | None:
        assert self.ground is not None
        found = None if count is None else self.balls.find(self.ground, now, count)
        return self.balls.found(self.ground, now) if found is None else found

    def _learn(self, now: Map, found: Iterable[Ball], hidden: Iterable[str]) -> None:
        """All balls are where they are known to be: nothing else is one."""
        assert self.ground is not None
        balls, self._unsure = np.zeros_like(self._unsure), np.zeros_like(self._unsure)
        for place in hidden:
            self._unsure |= self.balls.about(place)
        for ball in found:
            balls |= self.balls.near(ball.x, ball.y, CLEAR * self.balls.radius)
        self.ground[~balls] = now[~balls]


class Rolling:
    """Whether balls move from frame to frame: too little of a slot changes for a hand's work."""

    def __init__(self, board: Board, camera: Camera, pose: Pose, kit: Kit = KIT) -> None:
        radius = kit.ball * board.pitch
        steps = np.arange(-board.pitch / 2, board.pitch / 2, radius * COARSE)
        local = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
        local = local[np.hypot(*local.T) < board.pitch / 2]
        middles = np.array([(cell.x, cell.y) for cell in board.cells])
        flat = (middles[:, None] + local).reshape(-1, 2)
        high = np.full((len(flat), 1), radius)
        self._sampler = Sampler(project(camera, pose, np.hstack([flat, high])))
        self._cells, self._last = len(middles), np.zeros(0, np.float32)

    def look(self, picture: Picture, but: Iterable[int] = ()) -> bool:
        """Whether some slot `but` those, by number, shows what a ball makes that comes or goes."""
        now = self._sampler.look(picture, ROOT)
        before, self._last = self._last, now
        if not len(before):
            return False
        off = now - before
        off -= np.median(off[::COARSER], 0)  # a lamp that flickers is no motion
        moved = (np.abs(off) > COMES).any(1).reshape(self._cells, -1)
        moved[list(but)] = False
        return int(moved.sum()) >= TWO


def _same(now: Sequence[Ball], before: Sequence[Ball]) -> bool:
    """Whether balls lie where they lay."""
    return len(now) == len(before) and all(
        any(math.dist((ball.x, ball.y), (old.x, old.y)) < STILL_MM for old in before)
        for ball in now
    )


def _kernel(inner: float, outer: float) -> Map:
    """A ring (or disc) of samples that sum to one."""
    reach = int(np.ceil(outer / STEP_MM))
    x, y = np.meshgrid(*[np.arange(-reach, reach + 1) * STEP_MM] * 2)
    out = np.hypot(x, y)
    mask = ((out >= inner) & (out <= outer)).astype(np.float32)
    return np.asarray(mask / mask.sum(), np.float32)
