"""Watch: when a board is worth reading: nobody reaches over it and nothing on it moves.

watch = Watch(reader)
sight = watch.look(picture)         # every frame

look = lookout(board, looks(game), camera, pose)
told = look.look(picture)           # None, or what the table should hear of this frame
look.balls                          # where balls lie, by that
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hexboard.appearance import KIT, Kit, Look
from hexboard.board import Board
from hexboard.facts import CellCosts, Sample
from hexboard.vision.cells.balls import Balls, Resting, Rolling
from hexboard.vision.cells.reading import Reader, best
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Array, Camera, Pose
from hexboard.vision.lamps import DARK, Shining
from hexboard.vision.light import ROOT, RUN, Band, Sampler, largest, longest

QUIET_FRAMES = 6
"""Frames in a row without a hand or a motion until the board is settled."""
CHANGE = 0.035
"""By how much a point of the mat's rim looks otherwise than at rest, in any colour, under a hand or
a sleeve: in the root of the light, as `light.HAND`, and noise stays below it."""
EASE = 0.05
"""How quickly what it looks like at rest follows the light of the evening, a share a frame."""
ADOPT_FRAMES = 300
"""So many frames in a row, with a change that does not stir, make it the rim at rest: no hand keeps
as still."""
EVERY = 9
"""One in so many of a reading's samples is enough to see motion."""
MOTION = 0.035
"""By how much the root of the light in a cell changes from frame to frame when something moves."""
SHINE = 0.015
"""The same, in one sense over a whole cell, when its light goes on or off."""
AGAIN_FRAMES, LATER_FRAMES = 8, 150
"""Frames between two readings of a board at rest: of the first few, and from then on."""
FEW_READINGS = 6
STIR_FRAMES = 3
"""Frames in a row with motion that are somebody's, though no hand was seen: a light is quicker."""
THIRDS = np.full(3, 1 / 3, np.float32)
"""The mean of three colours."""
DIP_READINGS = 3
"""Readings of a board whose lights shine: as many as people are asked after."""
DARK_FRAMES = 2
"""Frames in a row in which no more lights go off, after some were seen to go, until all are."""
PATIENCE_FRAMES = 45
"""Frames until a board whose lights do not go off is read as it is."""


class Sight(Struct, frozen=True):
    """What one frame shows before anything is read."""

    hand: bool
    moving: tuple[int, ...]
    """The cells in which something moves, by number."""
    settled: bool
    rolls: bool = False
    """A ball moves."""
    lights: bool = False
    """A light has gone on or off."""


class Watch:
    """Follows one board through frames."""

    def __init__(
        self, reader: Reader, rolling: Rolling | None = None, rim: "Rim | None" = None
    ) -> None:
        """`rim` is what is known of the mat's, from wherever it was seen before."""
        self.reader, self._rolling = reader, rolling
        self.rim = rim or Rim()
        self._sampler = Sampler(reader.model.points[::EVERY])
        each = len(reader.model.points) // reader.cells
        self._owner = np.arange(len(reader.model.points))[::EVERY] // each
        self._count = np.bincount(self._owner, minlength=reader.cells)
        self._last: NDArray[np.float32] | None = None
        self._quiet = 0

    def look(self, picture: Picture, lamps: Shining = DARK) -> Sight:
        """Take in the next frame. Lights that go on and off are no motion."""
        band = self.reader.band
        _, hand = band.fit(picture)
        rim = band.profile if isinstance(band, Band) else None
        if rim is not None:
            hand = self.rim.covered(rim) or hand
        now = self._sampler.look(picture, ROOT) @ THIRDS
        moving, lights = self._changes(now, lamps)
        first, self._last = self._last is None, now
        moving = tuple(k for k in moving if k not in lamps.lately)
        rolls = self._rolling is not None and self._rolling.look(picture, lamps.lately)
        self._quiet = 0 if hand or moving or rolls or first else self._quiet + 1
        if rim is not None and self._quiet >= QUIET_FRAMES:
            self.rim.rests(rim)
        return Sight(hand, moving, self._quiet >= QUIET_FRAMES, rolls, lights)

    def _changes(self, now: NDArray[np.float32], lamps: Shining) -> tuple[tuple[int, ...], bool]:
        """The cells that look different from the last frame; whether lights went on or off, which
        all samples of a cell show in the same sense, however faintly."""
        if self._last is None:
            return (), False
        off = now - self._last
        middle = len(off) // 2
        off -= np.partition(off, middle)[middle]  # a lamp that flickers is no motion
        each = np.bincount(self._owner, np.abs(off), self.reader.cells) / self._count
        moving = tuple(int(k) for k in np.flatnonzero(each > MOTION))
        if not lamps.lately:
            return moving, False
        sense = np.bincount(self._owner, off, self.reader.cells) / self._count
        return moving, bool((np.abs(sense[list(lamps.lately)]) > SHINE).any())


class Rim:
    """What the mat's rim looks like with nobody at it. A hand changes it, whatever its sleeve is
    made of: on white paper a white one is hardly darker, but its folds and edges are seen."""

    def __init__(self) -> None:
        self._rest: Array | None = None
        self._last: Array | None = None
        self._still = 0  # frames in a row with a change that does not stir

    def covered(self, now: Array) -> bool:
        """Whether something lies over it that did not at rest. `now` is `Band.profile`."""
        rest, last, self._last = self._rest, self._last, now
        if rest is None or last is None or not _changed(now, rest):
            self._still = 0
            return False
        self._still = 0 if _changed(now, last) else self._still + 1
        gone = np.abs(now - 1).mean() < np.abs(rest - 1).mean() and not _changed(now, 1.0)
        if gone or self._still >= ADOPT_FRAMES:
            self._rest, self._still = now, 0
        return self._rest is not now

    def rests(self, now: Array) -> None:
        """It looks so with nobody at it."""
        self._rest = now if self._rest is None else self._rest + EASE * (now - self._rest)


def _changed(now: Array, before: Array | float) -> bool:
    """Whether as many neighbouring points as a hand covers look otherwise."""
    return longest(largest(np.abs(now - before)) > CHANGE) >= RUN


class Lookout:
    """Reads a board whenever that is worth it: what a camera has to tell, frame by frame.

    A board whose lights shine is read in the dark: they are wanted off once when it comes to rest,
    for a few readings, and not again until a hand was there or balls are known to lie elsewhere.
    """

    def __init__(
        self,
        reader: Reader,
        resting: Resting | None = None,
        rolling: Rolling | None = None,
        rim: Rim | None = None,
    ) -> None:
        """`resting` and `rolling` find the balls of a game that has some; `rim` as `Watch`."""
        self.watch = Watch(reader, rolling, rim)
        self.resting, self.rolling = resting, rolling
        self.balls: tuple[str, ...] | None = None
        """Where balls lay in the last reading; None where that is not known."""
        self.samples: tuple[Sample, ...] = ()
        """How what was read last looks."""
        self._knew: tuple[str, ...] | None = ()  # where they were known to lie in the last frame
        self.sight = Sight(False, (), False)
        """The last frame's."""
        self.wants_dark = False
        """The lights should be off."""
        self._rests = False  # the board did, in the last frame
        self._wait = 0  # frames until the next reading
        self._read = 0  # readings since somebody was at it
        self._told: tuple[CellCosts, ...] | None = None  # the last reading, of a board that was lit
        self._stirred = 0  # frames in a row with motion
        self._gone = False  # lights were seen to go off since that is wanted
        self._dark = 0  # frames in a row in which no light went off any more
        self._off = False  # the last frame showed no lights

    def anew(self) -> "Lookout":
        """Another one that begins with nothing seen, but with what is known of the board."""
        return Lookout(self.watch.reader, self.resting, self.rolling, self.watch.rim)

    def look(
        self, picture: Picture, lamps: Shining = DARK, known: tuple[str, ...] | None = ()
    ) -> tuple[CellCosts, ...] | None:
        """A reading of the board at rest, () when it is no longer at rest, None for no news.
        `known` are the places where balls are known to lie, None while they roll: where that has
        changed, a board at rest is read again soon."""
        if known != self._knew:
            self._knew = known
            self._begin()
        self.sight = self.watch.look(picture, lamps)
        late = self._follow(lamps) and self._told is not None
        if late:  # what was told was told of lights
            self._begin()
        if not self.sight.settled:
            return self._restless()
        if late:
            return ()
        if not self._rests:
            self._rests, self._wait = True, 0
            if self._told is not None:  # only lights were late
                return self._told
        return self._reading(picture) if self._due(lamps) else None

    def _begin(self) -> None:
        """Nothing that was read holds any more."""
        self._wait, self._read, self._told = 0, 0, None

    def _follow(self, lamps: Shining) -> bool:
        """Take in the lights; whether some went off when all were held to be off."""
        was, lights = self._off, self.sight.lights
        self._gone = self.wants_dark and (self._gone or lights)
        self._dark = 0 if lamps.now or lights else self._dark + 1
        self._off = self._dark > 0 and (lamps.out or (self._gone and self._dark >= DARK_FRAMES))
        return was and lights and not lamps.now

    def _restless(self) -> tuple[CellCosts, ...] | None:
        told = () if self._rests else None
        self._rests = self.wants_dark = False
        self._stirred = self._stirred + 1 if self.sight.moving or self.sight.rolls else 0
        if self.sight.hand or self._stirred >= STIR_FRAMES or self._told is None:
            self._begin()
        return told

    def _due(self, lamps: Shining) -> bool:
        """Whether this frame is to be read. Wants the lights off where they keep it from that."""
        self._wait -= 1
        lit = self.wants_dark or bool(lamps.now)
        if self._wait >= 0 or (lit and self._read >= DIP_READINGS):
            self._wait, self.wants_dark = max(self._wait, 0), False
            return False
        self.wants_dark = lit
        return self._off or self._wait < -PATIENCE_FRAMES

    def _reading(self, picture: Picture) -> tuple[CellCosts, ...]:
        seen = self.watch.reader.read(picture)
        cells, self.samples = seen.cells, seen.samples
        if self.resting is not None:
            self.balls = self.resting.look(picture, [best(cell) for cell in cells], self._knew)
        self._read += 1
        self._told = cells if self.wants_dark else None
        self.wants_dark = self.wants_dark and self._read < DIP_READINGS
        if not self.wants_dark:  # else at once again, that the lights may come back
            self._wait = AGAIN_FRAMES if self._read < FEW_READINGS else LATER_FRAMES
        return cells


def lookout(
    board: Board,
    looks: tuple[Look, ...],
    camera: Camera,
    pose: Pose,
    kit: Kit = KIT,
    rim: Rim | None = None,
) -> Lookout:
    """A lookout over one board under one pose, for balls too where it is played with tiles; `rim`
    as it was seen from another."""
    reader = Reader(board, looks, camera, pose, kit)
    if not any(look.tile for look in looks):
        return Lookout(reader, rim=rim)
    balls = Balls(board, camera, pose, kit)
    return Lookout(reader, Resting(balls), Rolling(board, camera, pose, kit), rim)
