"""A simulated board with a simulated person at it, who does what a wizard asks.

The board is the simulator's: a world behind the real firmware. The person has a ball in the hand,
sees the strip's bytes and the wizard's screen, and knows the board as it really is, which in a
simulation is the board file.
"""

import time
from random import Random
from typing import Self

from hexboard.board import Board
from hexboard.calibration.person import ENTER, Person, Screen
from hexboard.facts import MS
from hexboard.simulator.rig import Rig
from hexboard.simulator.world import World

HOLD_MS = 50
"""How long a hand keeps a ball over a place, ms: longer than any that rolls by."""
PATIENCE_S = 0.5
"""Seconds a person looks at the lights before they say that those are as they were."""
FELT_S = 2.0
"""Seconds they wait for a sensor before they say that nothing happens: a computer may be busy."""
PAUSE_S = 0.1
"""Seconds from one visit to the next: what the same sensor says sooner is bounce."""
LIT = 6
"""A colour level that an eye sees."""


class Bench(World):
    """A world whose sensors hands can fire one by one."""

    def touch(self, sensor: str, ms: int = HOLD_MS) -> None:
        """Hold a ball over (a tile in, a finger on) the place of a sensor for so long."""
        if sensor in self.levels:  # power: off and on
            self._at(self.now, "level", (sensor, False))
            self._at(self.now + ms * MS, "level", (sensor, True))
        else:
            self._pulse(sensor, self.now, ms * MS)


class Robot:
    """A person at a simulated board. `order` is in which order they like to visit places.

    `board` is how things really are. Use as a context manager, or `close` it.
    """

    def __init__(self, board: Board, world: Bench, order: Random | None = None) -> None:
        self.board = board
        self.order = order
        self.rgb = b""
        """What the strip was last sent: three bytes a pixel."""
        self.rig = Rig(board, world, self._strip, lambda balls: None, lambda reason: None)
        self.todo = [s.id for s in board.sensors if s.kind != "rail"]
        if order is not None:
            order.shuffle(self.todo)
        self._screen: Screen | None = None
        self._at = ""  # where the ball is
        self._visits = self._touches = self._touched = 0
        self._until = 0  # how long the hand stays there, in the world's time
        self._since = 0.0
        self._answered: Screen | None = None
        self._judged = b""

    def _strip(self, rgb: bytes) -> None:
        self.rgb = rgb

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.rig.close()

    def see(self, screen: Screen) -> None:
        self._screen = screen

    def hold(self, sensor: str) -> None:
        """Hold a ball over a sensor's place, as somebody asks who has no hands there."""
        if sensor in self.board.sensor:
            self._at = sensor
            self.rig.hand(self._touch)

    def said(self) -> str:
        """What the wizard wants is done or said, each once."""
        screen = self._screen
        if screen is None:
            return ""
        if screen.wants == "count":
            return self._count(screen)
        if screen.wants in ("visit", "exactly", "trigger"):
            return self._ball(screen)
        if not screen.wants or screen is self._answered:
            return ""
        light = screen.wants in ("spot", "colour", "same")
        if light and self.rgb == self._judged and time.monotonic() - self._since < PATIENCE_S:
            return ""  # the strip still shows what was asked before
        answer = self._answer(screen)
        if answer:
            self._answered, self._judged, self._since = screen, self.rgb, time.monotonic()
        return answer

    # ------------------------------------------------------------------------------- the ball

    def _count(self, screen: Screen) -> str:
        """Touch a place as often as asked, at an even pace, and say so."""
        if screen.place != self._at:
            self._at, self._touches, self._touched = screen.place, 0, 0
        if self._touched < self._touches or self.rig.world.now < self._until:  # the hand is there
            self._since = time.monotonic()
        if time.monotonic() - self._since < PAUSE_S:
            return ""
        if self._touches < screen.times:
            self._touches += 1
            self._since = time.monotonic()
            self.rig.hand(self._touch)
        elif time.monotonic() - self._since >= FELT_S:
            self._at = ""
            return ENTER
        return ""

    def _ball(self, screen: Screen) -> str:
        """Hold the ball somewhere, wait for what comes, and say so if it is not right."""
        if self.rig.world.now < self._until:  # the hand is there
            self._since = time.monotonic()
        waited = time.monotonic() - self._since
        if self._at:
            if screen.visits == self._visits and waited < FELT_S:
                return ""
            return self._reaction(screen)
        if waited >= PAUSE_S:
            self._at = self._choose(screen)
            self._visits, self._since = screen.visits, time.monotonic()
            self.rig.hand(self._touch)
        return ""

    def _touch(self, world: World) -> None:
        assert isinstance(world, Bench)
        world.touch(self._at)
        self._until = world.now + HOLD_MS * MS
        self._touched += 1

    def _choose(self, screen: Screen) -> str:
        if screen.wants == "visit" and self.order is not None and self.todo:
            return self.todo.pop()
        return screen.place

    def _reaction(self, screen: Screen) -> str:
        at, self._at = self._at, ""
        if screen.visits == self._visits:
            return "n" if at == screen.place else ""
        return "w" if screen.wants in ("visit", "exactly") and screen.fired != at else ""

    # ---------------------------------------------------------------------------- the answers

    def _answer(self, screen: Screen) -> str:
        match screen.wants:
            case "spot":
                return self.spot()
            case "colour":
                return self.colour()
            case "same":
                return self.same()
            case "yes_no":
                return "y"
        return ENTER

    def strip(self) -> list[tuple[int, ...]]:
        """What the lights show, red, green, blue (and white) each, by their true colour order."""
        wire = bytearray(self.rgb)
        wire[0::3], wire[1::3] = self.rgb[1::3], self.rgb[0::3]  # green goes down the wire first
        order = self.board.strip.order
        groups = (wire[i : i + len(order)] for i in range(0, len(wire), len(order)))
        return [
            tuple(dict(zip(order, group, strict=False)).get(c, 0) for c in "RGBW"[: len(order)])
            for group in groups
        ]

    def spot(self) -> str:
        """Where the one light is that is on; "" while none is, or several are."""
        lit = [i for i, colour in enumerate(self.strip()) if max(colour) >= LIT]
        if len(lit) != 1:
            return ""
        pixel = self.board.pixels[lit[0]]
        return f"{pixel.cell}/{pixel.edge}" if pixel.edge else pixel.cell

    def colour(self) -> str:
        """The colour of the light that is on; "" while all are dark."""
        light = max(self.strip(), key=max, default=(0,))
        return "RGBW"[light.index(max(light))].lower() if max(light) >= LIT else ""

    def same(self) -> str:
        strip = [colour for colour in self.strip() if max(colour) >= LIT]
        return "" if not strip else "y" if len(set(strip)) == 1 else "n"


class Watched:
    """A simulated person; somebody looks over its shoulder."""

    def __init__(self, robot: Robot, onlooker: Person) -> None:
        self._robot = robot
        self._onlooker = onlooker

    def see(self, screen: Screen) -> None:
        self._onlooker.see(screen)
        self._robot.see(screen)

    def said(self) -> str:
        return self._robot.said()


def bench(board: Board, seed: int = 1) -> Bench:
    """An empty world for hands."""
    return Bench(board, seed)
