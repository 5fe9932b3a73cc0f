"""A simulated board as any game has one: sensors with levels, hands that tap, and time.

What matters is that sensors fire as real ones would: pulses of 5 to 14 ms with contact bounce. What
lies on a board and moves there by itself is a game's own world, made of this one. Seeded, so that
an evening can be played again. Times are ns since the world began.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random
from typing import Any

from msgspec import Struct

from hexboard.board import Board, CellId
from hexboard.facts import MS
from hexboard.words.errors import BadText

TAP_NS = 150 * MS
"""How long a finger stays on a cell."""
BOUNCE = 0.3
"""How often a sensor's contact bounces before a pulse."""

Spot = tuple[int, float, float]
"""Where something is that moves by itself: its number, x and y (mm)."""


class SensorEvent(Struct, frozen=True):
    """A sensor went to a level at `at`."""

    at: int
    sensor: str
    level: bool


class World:
    """One simulated board. Hands act at `now`; `run(until)` lets time pass."""

    def __init__(self, board: Board, seed: int, pace: float = 1.0) -> None:
        self.board = board
        self.random = Random(seed)
        self.pace = pace
        self.now = 0
        self.levels: set[str] = {s.id for s in board.sensors if s.kind == "rail"}
        self._queue: list[tuple[int, int, str, Any]] = []
        self._serial = 0

    # ---------------------------------------------------------------------------------- hands

    def tap(self, cell: CellId) -> None:
        """Press a cell for a moment, or a button by its name; a sensor that a tile holds down feels
        nothing of it. Raises `BadText` where nothing there would feel that."""
        for sensor in (f"seat:{cell}", f"fall:{cell}", f"button:{cell}"):
            if sensor in self.board.sensor:
                if sensor not in self.levels:
                    self._pulse(sensor, self.now, TAP_NS)
                return
        raise BadText("simulator.no_tap", cell=cell[:40])

    def rail(self, on: bool) -> None:
        """Switch the tiles' power."""
        for sensor in self.board.sensors:
            if sensor.kind == "rail":
                self._level(sensor.id, on)

    # ---------------------------------------------------------------------------------- time

    @property
    def deadline(self) -> int | None:
        """When something happens next."""
        return self._queue[0][0] if self._queue else None

    @property
    def moving(self) -> bool:
        """Whether something moves by itself."""
        return False

    def spots(self, now: int) -> list[Spot]:
        """Where what moves by itself is."""
        return []

    def run(self, until: int) -> Iterator[SensorEvent]:
        """Let time pass; yields what sensors see, in order."""
        while self._queue and self._queue[0][0] <= until:
            at, _, what, detail = heappop(self._queue)
            self.now = max(self.now, at)
            if what == "level":
                yield from self._show(*detail)
            else:
                self._happen(what, *detail)
        self.now = max(self.now, until)

    def _happen(self, what: str, *detail: Any) -> None:
        """What a world has put off comes to pass."""

    # ------------------------------------------------------------------------------- sensors

    def _show(self, sensor: str, level: bool) -> Iterator[SensorEvent]:
        if sensor in self.board.sensor and level != (sensor in self.levels):
            (self.levels.add if level else self.levels.discard)(sensor)
            yield SensorEvent(self.now, sensor, level)

    def _pulse(self, sensor: str, at: int, width: int = 0) -> None:
        width = width or self.random.randint(5, 14) * MS
        if self.random.random() < BOUNCE:  # the contact makes, breaks and makes again
            self._at(at, "level", (sensor, True))
            self._at(at + MS // 4, "level", (sensor, False))
            at += MS // 2
        self._at(at, "level", (sensor, True))
        self._at(at + width, "level", (sensor, False))

    def _level(self, sensor: str, level: bool) -> None:
        self._at(self.now, "level", (sensor, level))

    def _at(self, at: int, what: str, detail: Any) -> None:
        self._serial += 1
        heappush(self._queue, (at, self._serial, what, detail))
