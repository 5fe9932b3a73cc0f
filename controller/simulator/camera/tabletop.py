"""Tabletop: a rendered board that is played on: pieces lie carelessly, and light has its moods.

`MODERATE` light is a room with a lamp and a window.
"""

import math
from collections.abc import Iterable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from hexboard.appearance import KIT, Kit, Lying
from hexboard.board import Board
from hexboard.simulator.camera.canvas import Glare, Light
from hexboard.simulator.camera.render import Hand, Renderer
from hexboard.vision.frame import Picture
from hexboard.vision.geometry import Camera, Pose

Things = dict[str, Lying]
"""What lies in the cells, as `appearance.lying` has it: with no carelessness yet."""


class Mood(Struct, frozen=True):
    """How far light and camera stray. Shares, unless said otherwise."""

    gradient: float
    gain: tuple[float, float]
    balance: float
    shadow: float
    glare: float
    """In which share of the games a lamp is mirrored."""
    new_glare: float
    """In which share of the pictures there is another one."""


MODERATE = Mood(0.20, (0.85, 1.15), 0.05, 0.3, 0.0, 0.0)
EXPOSURE = 0.6
"""White paper under middling light, a share of full scale: 0.8 of it."""
SLOP_MM = 0.5
"""How far off the middle pieces are put (standard deviation), at most three times that."""
FIGURE_MM = 14.0
"""The tallest figure on a unit's base."""


class Tabletop:
    """A board with pieces under one camera; the same seed gives the same pictures."""

    def __init__(
        self, board: Board, camera: Camera, pose: Pose, seed: int, mood: Mood, kit: Kit = KIT
    ) -> None:
        self.board, self.mood = board, mood
        self.random = Random(seed)
        self.renderer = Renderer(board, camera, pose, kit)
        self.lying: dict[str, Lying] = {}
        self.things: Things = {}
        self.light = self._light()
        self._frame = seed * 1000

    def put(self, things: Things) -> None:
        """Change what lies on the board; what stays is not touched."""
        for cell in [cell for cell in self.lying if cell not in things]:
            del self.lying[cell]
        for cell, thing in things.items():
            if self.things.get(cell) != thing:
                self.lying[cell] = self._careless(thing)
        self.things = dict(things)

    def picture(
        self, hand: Hand | None = None, balls: Iterable[tuple[float, float]] = ()
    ) -> Picture:
        """The next picture: no two are quite alike."""
        self._frame += 1
        light = self._drifted()
        return self.renderer.frame(self.lying, light, self._frame, hand, balls=balls)

    def _careless(self, thing: Lying) -> Lying:
        slip = [
            max(-3 * SLOP_MM, min(3 * SLOP_MM, self.random.gauss(0, SLOP_MM))) for _ in range(2)
        ]
        lean = self.random.gauss(0, 0.2), self.random.gauss(0, 0.2)
        turn = self.random.gauss(0, 0.02)
        shade = self.random.uniform(0.92, 1.05)
        thing = replace(thing, dx=slip[0], dy=slip[1], turn=turn, lean=lean, shade=shade)
        if thing.unit:  # nobody cares how its base is turned, or what stands on it
            turn, figure = self.random.uniform(0, 2 * math.pi), self.random.uniform(0, FIGURE_MM)
            return replace(thing, turn=turn, figure=figure)
        if thing.tile:  # its slot holds it
            return replace(thing, dx=slip[0] / 3, dy=slip[1] / 3, turn=turn / 3)
        return thing

    def _light(self) -> Light:
        """The light of an evening."""
        mood, r = self.mood, self.random
        low, high = (math.log(g) for g in mood.gain)
        balance = [1 + r.uniform(-mood.balance, mood.balance) for _ in range(3)]
        return Light(
            gain=EXPOSURE * math.exp(r.uniform(low, high)),
            balance=(balance[0], balance[1], balance[2]),
            slope=(
                r.uniform(-mood.gradient, mood.gradient),
                r.uniform(-mood.gradient, mood.gradient),
            ),
            bowl=r.uniform(0, mood.gradient / 2),
            azimuth=r.uniform(0, 2 * math.pi),
            steepness=r.uniform(1, 3),
            shadow=r.uniform(0.1, mood.shadow),
            glare=(self._glare(),) if r.random() < mood.glare else (),
            blur=r.uniform(0.6, 1.1),
            noise=r.uniform(0.7, 2),
            jpeg=r.choice((0, r.randint(80, 95))),
        )

    def _glare(self) -> Glare:
        """A mirrored lamp somewhere over the board, up to 0.4 of full scale."""
        width, height = self.renderer.camera.size
        r = self.random
        x, y = r.uniform(0.15, 0.85) * width, r.uniform(0.1, 0.9) * height
        return Glare(x, y, r.uniform(15, 60) * width / 1280, r.uniform(0.1, 0.4))

    def _drifted(self) -> Light:
        """The evening's light as it is just now."""
        r, light = self.random, self.light
        glare = tuple(
            replace(spot, x=spot.x + r.gauss(0, 1), y=spot.y + r.gauss(0, 1))
            for spot in light.glare
        )
        if r.random() < self.mood.new_glare:
            glare = (*glare, self._glare())
        slope = light.slope[0] + r.gauss(0, 0.02), light.slope[1] + r.gauss(0, 0.02)
        return replace(
            light, gain=light.gain * math.exp(r.gauss(0, 0.02)), slope=slope, glare=glare
        )
