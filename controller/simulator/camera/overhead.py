"""The eye: a camera over the simulated board, and the hand that it sees at work.

Of a game with pieces a hand makes the rendered board look like a position; tiles and balls are
drawn as they lie and roll in the simulated world. Pictures are read as a real camera's would be,
and only those readings leave here.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Generic, TypeVar

import cv2

from hexboard.appearance import Look, Lying
from hexboard.board import Board
from hexboard.facts import Reading, Tint
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop, Things
from hexboard.vision.frame import Picture
from hexboard.vision.settling import lookout
from hexboard.words.errors import BadText, HexboardError

FRAME_S = 0.12
"""Seconds from frame to frame while something happens."""
IDLE_S = 1.0
"""Seconds from frame to frame while the board rests."""
BUSY_FRAMES = 40
"""Frames after a hand's work in which the board is looked at closely."""
REACH_MM = (120.0, 60.0)
"""How far a hand is from its cell in the frames in which it comes."""


P = TypeVar("P")


class SimulatedEye(Generic[P]):
    """Renders and reads in a thread of its own; `post` gets readings, `show` JPEG pictures.
    `P` is what says what should lie there: a position of a game."""

    def __init__(
        self,
        board: Board,
        kinds: tuple[Look, ...],
        seed: int,
        post: Callable[[Reading], None],
        show: Callable[[bytes], None],
        lying: Callable[[P], Things] = lambda position: {},
    ) -> None:
        """`lying` says what really lies on the board in a position."""
        self.board, self._lying = board, lying
        small = any(look.unit for look in kinds)
        upright = small or any(look.tile for look in kinds)  # a tile's walls hide what lies in it
        size = (1920, 1440) if small else (1280, 960)
        camera, pose = view(board, size, 15.0 if upright else 30.0)
        self.known: tuple[str, ...] | None = ()
        """Where balls are known to lie; None while they roll."""
        self.tint = Tint()
        """In which colours to read."""
        self.read = False
        """The last reading told all, balls too; who acts sets it back."""
        self._lookout = lookout(board, kinds, camera, pose)
        self._top = Tabletop(board, camera, pose, seed, MODERATE)
        self._random = Random(seed)
        self._post, self._show = post, show
        self._script: deque[Hand | Things] = deque()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._busy = BUSY_FRAMES
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self, position: P) -> None:
        """Begin with what lies there."""
        self._top.put(self._lying(position))
        self._thread.start()

    @property
    def still(self) -> bool:
        """No hand is at work."""
        with self._lock:
            return not self._script

    def shows(self, position: P) -> bool:
        """Whether the board looks like this position, and no hand is about to change it."""
        return self.still and self._top.things == self._lying(position)

    def truth(self, position: P, choices: list[str], play: Callable[[P, str], P]) -> str:
        """The choice that leads from a position to what lies there; the last where none does.
        `play` gives the position after a move by name, or raises `HexboardError`."""
        for choice in choices[:-1]:
            after = position
            for name in choice.split("; "):
                try:
                    after = play(after, name)
                except HexboardError:  # "undo"
                    break
            else:
                if self._top.things == self._lying(after):
                    return choice
        return choices[-1]

    def move(self, position: P) -> None:
        """Let a hand make the board look like this position."""
        things = self._lying(position)
        with self._lock:
            self._script.extend(self._way(self._coming, things))
        self._wake.set()

    def carry(self, left: str, onto: str) -> None:
        """Let a hand take the topmost thing in a cell to another, whatever the rules say. Raises
        `BadText` for cells between which nothing can go."""
        with self._lock:
            there = self._coming
            taken, ground = there.get(left), there.get(onto, Lying())
            if left == onto or onto not in self.board.cell or taken is None:
                raise BadText("simulator.no_carry", left=left[:40], onto=onto[:40])
            *below, top = taken.colours or (None,)
            things = {cell: thing for cell, thing in there.items() if cell != left}
            if below:
                things[left] = Lying(tuple(below))
            things[onto] = taken if top is None else Lying((*ground.colours, top))
            self._script.extend(self._way(there, things))
        self._wake.set()

    @property
    def _coming(self) -> Things:
        """What lies there when the hand has done all that it is to do."""
        steps = (step for step in reversed(self._script) if isinstance(step, dict))
        return next(steps, self._top.things)

    def _way(self, there: Things, things: Things) -> Iterator[Hand | Things]:
        """What a hand does to change what lies there: it comes, takes, puts down, and leaves."""
        changed = [c for c in there.keys() | things.keys() if there.get(c) != things.get(c)]
        if not changed:
            return
        changed.sort(key=lambda cell: (_high(things, cell) > _high(there, cell), cell))
        side, now = self._random.uniform(0, 2 * math.pi), dict(there)
        for far in REACH_MM:
            yield self._hand(changed[0], side, far)
        for cell in changed:
            yield self._hand(cell, side, 0)
            now = {c: thing for c, thing in now.items() if c != cell}
            now |= {cell: things[cell]} if cell in things else {}
            yield now
            yield self._hand(cell, side, 0)
        for far in REACH_MM[::-1]:
            yield self._hand(changed[-1], side, far)

    def _hand(self, cell: str, side: float, far: float) -> Hand:
        """A hand so far from a cell, mm, on the side from which it comes."""
        here = self.board.cell[cell]
        return Hand(here.x + far * math.cos(side), here.y + far * math.sin(side), side)

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        self._thread.join(timeout=10)  # a picture under way is drawn to its end

    def _run(self) -> None:
        while not self._closing:
            start = time.monotonic()
            picture = self._picture()
            eye, reader = self._lookout, self._lookout.watch.reader
            reader.follow(self.tint)
            told = eye.look(picture, known=self.known)
            if told is not None:
                seen = Reading(told, eye.balls, eye.samples, reader.tint.version)
                self._post(seen if told else Reading())
                self.read = bool(told) and eye.balls is not None
            ok, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
            if ok:
                self._show(packed.tobytes())
            self._wake.clear()
            pace = FRAME_S if self._busy else IDLE_S
            self._wake.wait(max(0.0, start + pace - time.monotonic()))

    def _picture(self) -> Picture:
        """The next frame of what the hand does; of the board at rest where it does nothing."""
        return self._top.picture(self._step())

    def _step(self) -> Hand | None:
        """Where the hand is next, if it is at work; what it has put down lies there."""
        with self._lock:
            self._busy = BUSY_FRAMES if self._script else max(0, self._busy - 1)
            step = self._script.popleft() if self._script else None
            if isinstance(step, dict):
                self._top.put(step)
                step = self._script.popleft()
        assert not isinstance(step, dict)  # hands come before and after what they do
        return step


class Overhead(SimulatedEye[object]):
    """The same over tiles and balls: `world` says what lies in the slots, and where balls are, mm.
    A hand is seen at each slot that was changed."""

    def __init__(
        self,
        board: Board,
        kinds: tuple[Look, ...],
        seed: int,
        post: Callable[[Reading], None],
        show: Callable[[bytes], None],
        world: Callable[[], tuple[Things, list[tuple[float, float]]]],
    ) -> None:
        super().__init__(board, kinds, seed, post, show)
        self._world = world
        self._seen: list[tuple[float, float]] = []  # where balls were in the last picture, mm
        self._top.put(self._world()[0])

    def watch(self) -> None:
        """Begin."""
        self._thread.start()

    def _picture(self) -> Picture:
        if not self._script:
            self._script.extend(self._way(self._top.things, self._world()[0]))
        hand = self._step()
        _, balls = self._world()
        self._busy = max(self._busy, BUSY_FRAMES * (balls != self._seen))
        self._seen = balls
        return self._top.picture(hand, balls)


def _high(things: Things, cell: str) -> int:
    """How many things lie in a cell."""
    thing = things.get(cell)
    return 0 if thing is None else max(1, len(thing.colours))
