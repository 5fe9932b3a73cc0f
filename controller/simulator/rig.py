"""The simulated board at human pace: a world on the clock, behind the real firmware.

The world's sensors become input images for the firmware's twin; the bytes the twin sends down its
strip are the light that people see. Hands may act from any thread. A twin that dies is plugged in
again after a second, as somebody at the table would.
"""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from hexboard.board import Board
from hexboard.facts import MS
from hexboard.simulator.twin import NoTwinError, Twin
from hexboard.simulator.world import Spot, World

FRAME_S = 0.04
"""Seconds between two reports of where balls are while one moves."""
LATE_NS = MS // 5
"""How far the world may lag behind the clock and still catch up, ns."""
REPLUG_S = 1.0
"""Seconds until a twin that died is plugged in again; twice as long after each failure."""
PATIENCE_S = 30.0
"""Seconds that this may grow to."""

Balls = list[Spot]
T = TypeVar("T")


class Rig:
    """A world, a twin, and the thread that lets time pass for both."""

    def __init__(
        self,
        board: Board,
        world: World,
        on_pixels: Callable[[bytes], None],
        on_balls: Callable[[Balls], None],
        on_exit: Callable[[str], None],
    ) -> None:
        self.board = board
        self.world = world
        self.lock = threading.RLock()
        """Hold it while a hand acts in the world."""
        self._on_balls = on_balls
        self._on_exit = on_exit
        self._replug: float | None = None  # when the dead twin is plugged in, monotonic s
        self._grace = REPLUG_S
        self._plugged = time.monotonic()
        self._wake = threading.Event()
        self._closing = False
        self._inputs = max((s.input for s in board.sensors), default=-1) + 1
        self._origin = time.monotonic_ns() - world.now
        self.twin = Twin(self._inputs, len(board.along), self._shining(on_pixels), self._died)
        self.twin.drive(self._image())
        self._thread = threading.Thread(target=self._run, name="world", daemon=True)
        self._thread.start()

    def hand(self, act: Callable[[World], object]) -> None:
        """Let a hand do something now. Raises what the world raises."""
        with self.lock:
            self._pass()
            act(self.world)
            self._pass()
        self._wake.set()

    @property
    def still(self) -> bool:
        """Nothing rolls and nothing is about to change."""
        with self.lock:
            return not self.world.moving and self.world.deadline is None

    def balls(self) -> Balls:
        """Where the balls are now: (number, x, y) in mm."""
        with self.lock:
            now = time.monotonic_ns() - self._origin
            return self.world.spots(now)

    def lying(self, laid: Callable[[World], T]) -> tuple[T, list[tuple[float, float]]]:
        """What lies on the board, and where balls are, mm."""
        with self.lock:
            return laid(self.world), [(x, y) for _, x, y in self.balls()]

    def close(self) -> None:
        self._closing = True
        self._wake.set()
        self._thread.join(timeout=2)
        self.twin.close()

    def _run(self) -> None:
        shown: Balls | None = None  # those of a rig before, maybe
        while not self._closing:
            with self.lock:
                self._pass()
                due = self.world.deadline
                moving = self.world.moving
            if (balls := self.balls()) != shown:
                shown = balls
                self._on_balls(balls)
            waits = [] if due is None else [(due + self._origin - time.monotonic_ns()) / 1e9]
            if moving:
                waits.append(FRAME_S)
            if self._replug is not None:
                waits.append(self._revive())
            wait = min(waits, default=None)
            if wait is None or wait > 0:
                self._wake.wait(wait)
            self._wake.clear()

    def _shining(self, on_pixels: Callable[[bytes], None]) -> Callable[[bytes], None]:
        """What takes the colours of the whole strip, and tells those of the board's pixels."""
        if -1 not in (along := self.board.along):
            return on_pixels
        return lambda rgb: on_pixels(
            b"".join(rgb[3 * k : 3 * k + 3] for k, at in enumerate(along) if at >= 0)
        )

    def _died(self, reason: str) -> None:
        """From the twin's thread."""
        now = time.monotonic()
        if now - self._plugged > PATIENCE_S:
            self._grace = REPLUG_S
        self._replug = now + self._grace
        self._wake.set()
        self._on_exit(reason)

    def _revive(self) -> float:
        """Plug the dead twin in when it is time; seconds until then."""
        assert self._replug is not None
        wait = self._replug - time.monotonic()
        if wait > 0:
            return wait
        self._grace = min(2 * self._grace, PATIENCE_S)
        self._replug = None
        self._plugged = time.monotonic()
        self.twin.unplug()
        try:
            self.twin.plug()
        except NoTwinError as error:
            self._died(str(error))
        return 0.0

    def _pass(self) -> None:
        """Let the world catch up with the clock; each change of a sensor is one image.

        On a busy computer we come late. Then the world has waited for us: to catch up at once would
        make a pulse of 8 ms one of nothing, and no debouncer believes that.
        """
        due = self.world.deadline
        if due is not None:
            self._origin += max(0, time.monotonic_ns() - self._origin - due - LATE_NS)
        # What bounces within a millisecond is not slept over: a busy computer would wake us late.
        for _ in self.world.run(time.monotonic_ns() - self._origin + MS):
            self.twin.drive(self._image())

    def _image(self) -> bytes:
        bits = sum(1 << self.board.sensor[sensor].input for sensor in self.world.levels)
        return bits.to_bytes((self._inputs + 7) // 8, "little")
