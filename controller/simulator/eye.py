"""The eye: a camera over the simulated board of a game with pieces, and the hand that moves them.

A hand makes the rendered board look like a position; pictures of it are read as a real camera's
would be, and only those readings leave here.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import cv2

from controller.board import Board
from controller.errors import BadText, HexboardError
from controller.facts import Reading
from controller.vision.appearance import looks, lying
from controller.vision.reading import Reader
from controller.vision.render import Hand, Picture, view
from controller.vision.tabletop import MODERATE, Tabletop, Things
from controller.vision.watch import Lookout

FRAME = 0.12
"""Seconds from frame to frame while something happens."""
IDLE = 1.0
"""Seconds from frame to frame while the board rests."""
BUSY = 40
"""Frames after a hand's work in which the board is looked at closely."""
REACH = (120.0, 60.0, 0.0)
"""How far a hand is from its cell in the frames in which it comes, mm."""


class Eye:
    """Renders and reads in a thread of its own; `post` gets readings, `show` JPEG pictures."""

    def __init__(
        self,
        board: Board,
        game: str,
        seed: int,
        post: Callable[[Reading], None],
        show: Callable[[bytes], None],
    ) -> None:
        self.board = board
        kinds = looks(game)
        if any(look.tile for look in kinds):  # its hands move counters and cards only
            raise BadText("vision.no_hands", game=game)
        small = any(look.unit for look in kinds)
        camera, pose = view(board, (1920, 1440), 15.0) if small else view(board)
        self._lookout = Lookout(Reader(board, kinds, camera, pose))
        self._top = Tabletop(board, camera, pose, seed, MODERATE)
        self._random = Random(seed)
        self._post, self._show = post, show
        self._script: deque[Hand | Things] = deque()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._busy = BUSY
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self, position: Any) -> None:
        """Begin with what lies there."""
        self._top.put(lying(position, self.board))
        self._thread.start()

    @property
    def still(self) -> bool:
        """No hand is at work."""
        with self._lock:
            return not self._script

    def shows(self, position: Any) -> bool:
        """Whether the board looks like this position, and no hand is about to change it."""
        return self.still and self._top.things == lying(position, self.board)

    def truth(self, position: Any, choices: list[str]) -> str:
        """The choice that leads from a position to what lies there; the last where none does."""
        for choice in choices[:-1]:
            after = position
            for name in choice.split("; "):
                try:
                    after = after.play(after.action(name))
                except HexboardError:  # "undo"
                    break
            else:
                if self._top.things == lying(after, self.board):
                    return choice
        return choices[-1]

    def move(self, position: Any) -> None:
        """Let a hand make the board look like this position."""
        things = lying(position, self.board)
        with self._lock:
            there = next(
                (t for t in reversed(self._script) if isinstance(t, dict)), self._top.things
            )
            changed = [c for c in there.keys() | things.keys() if there.get(c) != things.get(c)]
            if not changed:
                return
            here = self.board.cell[min(changed)]
            side = self._random.uniform(0, 2 * math.pi)
            out = math.cos(side), math.sin(side)
            hands = [Hand(here.x + far * out[0], here.y + far * out[1], side) for far in REACH]
            self._script.extend((*hands, things, *hands[::-1]))
        self._wake.set()

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._closing:
            start = time.monotonic()
            picture = self._picture()
            told = self._lookout.look(picture)
            if told is not None:
                self._post(Reading(told))
            ok, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
            if ok:
                self._show(packed.tobytes())
            self._wake.clear()
            pace = FRAME if self._busy else IDLE
            self._wake.wait(max(0.0, start + pace - time.monotonic()))

    def _picture(self) -> Picture:
        """The next frame of what the hand does; of the board at rest where it does nothing."""
        with self._lock:
            self._busy = BUSY if self._script else max(0, self._busy - 1)
            step = self._script.popleft() if self._script else None
            if isinstance(step, dict):
                self._top.put(step)
                step = self._script.popleft()
        assert not isinstance(step, dict)  # hands come before and after what they do
        return self._top.picture(step)
