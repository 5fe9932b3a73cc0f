"""Watch: when a board is worth reading: nobody reaches over it and nothing on it moves.

watch = Watch(reader)
sight = watch.look(picture)         # every frame; `sight.settled` says that a reading is worth it
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from controller.vision.light import Picture, Sampler
from controller.vision.reading import Reader

QUIET = 6
"""Frames in a row without a hand or a motion until the board is settled."""
EVERY = 9
"""One in so many of a reading's samples is enough to see motion."""
MOTION = 0.035
"""By how much the root of the light in a cell changes from frame to frame when something moves."""


class Sight(Struct, frozen=True):
    """What one frame shows before anything is read."""

    hand: bool
    moving: tuple[int, ...]
    """The cells in which something moves, by number."""
    settled: bool


class Watch:
    """Follows one board through frames."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._cells = reader.cells
        self._sampler = Sampler(reader.model.points[::EVERY])
        self._owner = np.arange(len(reader.model.points))[::EVERY] // (
            len(reader.model.points) // reader.cells
        )
        self._count = np.bincount(self._owner, minlength=reader.cells)
        self._last: NDArray[np.float32] | None = None
        self._quiet = 0

    def look(self, picture: Picture) -> Sight:
        """Take in the next frame."""
        _, hand = self.reader.band.fit(picture)
        now = np.sqrt(self._sampler.look(picture)).mean(1)
        moving: tuple[int, ...] = ()
        if self._last is not None:
            off = now - self._last
            off -= np.median(off)  # a lamp that flickers is no motion
            each = np.bincount(self._owner, np.abs(off), self._cells) / self._count
            moving = tuple(int(k) for k in np.flatnonzero(each > MOTION))
        first = self._last is None
        self._last = now
        self._quiet = 0 if hand or moving or first else self._quiet + 1
        return Sight(hand, moving, self._quiet >= QUIET)
