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

from controller.board import Board
from controller.vision.appearance import KIT, Kit, Look
from controller.vision.balls import Balls, Resting, Rolling
from controller.vision.camera import Camera, Pose
from controller.vision.lamps import DARK, Shining
from controller.vision.light import ROOT, Picture, Sampler
from controller.vision.reading import Cell, Reader, best

QUIET = 6
"""Frames in a row without a hand or a motion until the board is settled."""
EVERY = 9
"""One in so many of a reading's samples is enough to see motion."""
MOTION = 0.035
"""By how much the root of the light in a cell changes from frame to frame when something moves."""
SHINE = 0.015
"""The same, in one sense over a whole cell, when its light goes on or off."""
AGAIN, LATER = 8, 150
"""Frames between two readings of a board at rest: of the first few, and from then on."""
FEW = 6
STIR = 3
"""Frames in a row with motion that are somebody's, though no hand was seen: a light is quicker."""
THIRDS = np.full(3, 1 / 3, np.float32)
"""The mean of three colours."""
DIPS = 3
"""Readings while the lights are off: as many as people are asked after."""
DARKNESS, HIDDEN = 2, 6
"""Frames in a row in which no light goes off any more, before the first of them: when some were
seen to go; when none were, be it that pieces hide them or that the camera is slow."""
PATIENCE = 45
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

    def __init__(self, reader: Reader, rolling: Rolling | None = None) -> None:
        self.reader, self._rolling = reader, rolling
        self._sampler = Sampler(reader.model.points[::EVERY])
        each = len(reader.model.points) // reader.cells
        self._owner = np.arange(len(reader.model.points))[::EVERY] // each
        self._count = np.bincount(self._owner, minlength=reader.cells)
        self._last: NDArray[np.float32] | None = None
        self._quiet = 0

    def look(self, picture: Picture, lamps: Shining = DARK) -> Sight:
        """Take in the next frame. Lights that go on and off are no motion."""
        _, hand = self.reader.band.fit(picture)
        now = self._sampler.look(picture, ROOT) @ THIRDS
        moving, lights = self._changes(now, lamps)
        first, self._last = self._last is None, now
        moving = tuple(k for k in moving if k not in lamps.lately)
        rolls = self._rolling is not None and self._rolling.look(picture, lamps.lately)
        self._quiet = 0 if hand or moving or rolls or first else self._quiet + 1
        return Sight(hand, moving, self._quiet >= QUIET, rolls, lights)

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


class Lookout:
    """Reads a board whenever that is worth it: what a camera has to tell, frame by frame.

    A board whose lights shine is read in the dark: they are wanted off once when it comes to rest,
    for a few readings, and not again until a hand was there.
    """

    def __init__(
        self, reader: Reader, resting: Resting | None = None, rolling: Rolling | None = None
    ) -> None:
        """`resting` and `rolling` find the balls of a game that has some."""
        self.watch = Watch(reader, rolling)
        self.resting, self.rolling = resting, rolling
        self.balls: tuple[str, ...] | None = None
        """Where balls lay in the last reading; None where that is not known."""
        self._knew: tuple[str, ...] | None = ()  # where they were known to lie in the last frame
        self.sight = Sight(False, (), False)
        """The last frame's."""
        self.wants_dark = False
        """The lights should be off."""
        self._dips = 0  # readings in the dark since a hand was there
        self._waited = 0  # frames for the lights to go off
        self._gone = False  # they were seen to go
        self._dark = 0  # frames since then
        self._known: tuple[Cell, ...] | None = None  # what was read while they were off
        self._stirred = 0  # frames in a row with motion
        self._wait: int | None = None  # frames until the next reading; None while not at rest
        self._read = 0  # readings since it is at rest

    def anew(self) -> "Lookout":
        """Another one that begins with nothing seen, but with what is known of the board."""
        return Lookout(self.watch.reader, self.resting, self.rolling)

    def look(
        self, picture: Picture, lamps: Shining = DARK, known: tuple[str, ...] | None = ()
    ) -> tuple[Cell, ...] | None:
        """A reading of the board at rest, () when it is no longer at rest, None for no news.
        `known` are the places where balls are known to lie, None while they roll: where that has
        changed, a board at rest is read again soon."""
        if known != self._knew:
            self._knew = known
            self._wait, self._read = self._wait and 0, 0
        self.sight = self.watch.look(picture, lamps)
        if not self.sight.settled:
            told, self._wait = (None if self._wait is None else ()), None
            self._stirred = self._stirred + 1 if self.sight.moving or self.sight.rolls else 0
            if self.sight.hand or self._stirred >= STIR:
                self._dips, self._waited, self._gone, self._known = 0, 0, False, None
            self.wants_dark = False
            return told
        if self.wants_dark or lamps.now:
            return self._in_the_dark(picture, lamps)
        if self._wait is None:
            self._wait, self._read = 0, 0
        self._wait -= 1
        if self._wait >= 0:
            return None
        self._read += 1
        self._wait = AGAIN if self._read < FEW else LATER
        return self._reading(picture)

    def _reading(self, picture: Picture) -> tuple[Cell, ...]:
        cells = self.watch.reader.read(picture).cells
        if self.resting is not None:
            self.balls = self.resting.look(picture, [best(cell) for cell in cells], self._knew)
        return cells

    def _in_the_dark(self, picture: Picture, lamps: Shining) -> tuple[Cell, ...] | None:
        """A reading once the lights are off."""
        again, self._wait = self._wait is None, 0
        if again and self._known is not None:  # only lights were late
            return self._known
        if lamps.now and self._waited < PATIENCE:
            self.wants_dark = self._dips < DIPS
            self._waited += self.wants_dark
            self._gone = self.wants_dark and (self._gone or self.sight.lights)
            self._dark = 0
            return None
        late = self.sight.lights and self._dips > 0  # what was told last was told of lights
        self._gone = self._gone or self.sight.lights
        self._dark = 0 if self.sight.lights else self._dark + 1
        if not lamps.now and (late or self._dark < (DARKNESS if self._gone else HIDDEN)):
            self._dips = 0 if late else self._dips
            return () if late else None
        self._dips += 1
        self.wants_dark = self._dips < DIPS
        self._known = self._reading(picture)
        return self._known


def lookout(
    board: Board, looks: tuple[Look, ...], camera: Camera, pose: Pose, kit: Kit = KIT
) -> Lookout:
    """A lookout over one board under one pose, for balls too where it is played with tiles."""
    reader = Reader(board, looks, camera, pose, kit)
    if not any(look.tile for look in looks):
        return Lookout(reader)
    balls = Balls(board, camera, pose, kit)
    return Lookout(reader, Resting(balls), Rolling(board, camera, pose, kit))
