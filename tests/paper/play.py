"""Games on the second world's printed sheets: discs laid carelessly, in light that has its moods.

    desk = Desk("hexhex-5", MODERATE, seed=4)
    desk.put(laid)              # {"e5": [WHITE, BLACK]}; what stays is not touched
    picture = desk.picture()    # the next one: no two are quite alike

Its moods are its own; the first renderer's numbers mean something else.
"""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.paper.world import AMBIENT, HIGH_MM, RADIUS_MM, ROOM, Colour, Disc, Lamp, World, printed

Stacks = Mapping[str, Sequence[Disc]]


class Mood(NamedTuple):
    """How far light and camera stray. Shares, unless said otherwise."""

    lamps: float
    """Of their brightness."""
    near: float
    """How bright a lamp is that hangs low at one side, beside the others."""
    gain: tuple[float, float]
    cast: float
    curve: tuple[float, float]
    sharpen: float
    blur: tuple[float, float]
    quality: int


MODERATE = Mood(0.2, 0.0, (0.64, 0.80), 0.05, (0.0, 0.06), 0.3, (0.7, 1.0), 90)
HARD = Mood(0.5, 0.5, (0.48, 0.88), 0.12, (0.0, 0.10), 0.6, (0.7, 1.3), 80)
MOODS = {"moderate": MODERATE, "hard": HARD}
TILTS_DEG = (26.0, 34.0)
SLIP_MM, LEAN_MM = 0.6, 0.25
"""How far off a cell's middle a stack stands, and a disc off the one below (1 sigma)."""


class Dusk(NamedTuple):
    """What an evening's end has made of the daylight in which a camera was set up: it holds its
    exposure and its white balance. Shares; colours are blue, green, red."""

    gain: float
    """Of the light that is left."""
    cast: Colour
    """The lamp's, beside daylight."""
    strays: Colour
    """What pieces send back of it beside the paper, against by day."""


FADING = Dusk(0.3, (0.12, 0.55, 1.25), (1.0, 1.0, 1.0))
"""A lamp as warm as candles, and little of it."""
SHINING = Dusk(0.8, (0.5, 0.85, 1.1), (1.6, 1.5, 1.4))
"""A warm lamp that polished pieces shine in, as matt paper does not."""
BLAZING = Dusk(0.8, (0.5, 0.85, 1.1), (2.2, 2.0, 1.8))
"""The same much stronger: chosen so that a reader that learns nothing has to ask."""
DUSKS = {"fading": FADING, "shining": SHINING, "blazing": BLAZING}


class Desk:
    """A printed board that is played on, under a camera that somebody put up."""

    def __init__(
        self,
        board: str,
        mood: Mood,
        seed: int,
        *options: str,
        size: float = 1.0,
        tilts: tuple[float, float] = TILTS_DEG,
    ) -> None:
        """`size` is how large the discs are, against those that docs/camera.md describes."""
        self.random, self.mood = Random(seed), mood
        self.world = World(
            printed(board, *options),
            tilt=self.random.uniform(*tilts),
            turn=self.random.uniform(-180, 180),
            lamps=self._lamps(),
            ambient=AMBIENT * self._stray(mood.lamps),
            radius=RADIUS_MM * size,
            tall=HIGH_MM * size,
        )
        self.evening = 0.0
        """From daylight, 0, to `dusk`, 1."""
        self.dusk = FADING
        self.lying: dict[str, list[Disc]] = {}
        self._slips: dict[str, list[tuple[float, float]]] = {}
        self._frame = seed * 1000
        self._gain = self.random.uniform(*mood.gain)
        self._curve = self.random.uniform(*mood.curve)
        self._blur = self.random.uniform(*mood.blur)
        self._sharpen = self.random.uniform(0, mood.sharpen)

    def put(self, laid: Stacks) -> None:
        """Lay discs, from the bottom; a cell that stays as it was is not touched."""
        for cell in [cell for cell in self.lying if cell not in laid]:
            del self.lying[cell], self._slips[cell]
        for cell, discs in laid.items():
            if self.lying.get(cell) != list(discs):
                self.lying[cell] = list(discs)
                self._slips[cell] = self._careless(len(discs))

    def picture(self) -> NDArray[np.uint8]:
        """What the camera sees now; its gain and white balance drift a little."""
        self._frame += 1
        drift, cast = self.random.uniform(0.98, 1.02), self.mood.cast
        blue, green, red = (share**self.evening for share in self.dusk.cast)
        drift *= self.dusk.gain**self.evening
        return self.world.picture(
            {cell: [self._strayed(disc) for disc in discs] for cell, discs in self.lying.items()},
            seed=self._frame,
            gain=self._gain * drift,
            blur=self._blur,
            curve=self._curve,
            sharpen=self._sharpen,
            quality=self.mood.quality,
            cast=(self._stray(cast / 3) * blue, green, self._stray(cast / 3) * red),
            slips=self._slips,
        )

    def _strayed(self, disc: Disc) -> Disc:
        """A disc as it looks beside the paper at this time of the evening."""
        blue, green, red = (share**self.evening for share in self.dusk.strays)
        top, ring = ((colour[0] * blue, colour[1] * green, colour[2] * red) for colour in disc)
        return Disc(top, ring)

    def _careless(self, count: int) -> list[tuple[float, float]]:
        x, y = (max(-1.5, min(1.5, self.random.gauss(0, SLIP_MM))) for _ in range(2))
        slips = [(x, y)]
        for _ in range(count - 1):
            x, y = x + self.random.gauss(0, LEAN_MM), y + self.random.gauss(0, LEAN_MM)
            slips.append((x, y))
        return slips

    def _stray(self, share: float) -> float:
        return self.random.uniform(1 - share, 1 + share)

    def _lamps(self) -> list[Lamp]:
        lamps = [lamp._replace(level=lamp.level * self._stray(self.mood.lamps)) for lamp in ROOM]
        if not self.mood.near:
            return lamps
        side = self.random.uniform(0, 2 * math.pi)
        low = Lamp(600 * math.cos(side), 600 * math.sin(side), 700, self.mood.near, 80)
        return [*lamps, low]
