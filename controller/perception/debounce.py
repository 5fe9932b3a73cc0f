"""Debounce: raw stamped edges in, changes of level that really were, out.

A pure function over stamps: no clock and no sleeping, so that board, replay and tests agree. A
change is believed once the new level has lasted `min_high` (or `min_low`); shorter pulses are
glitches and shorter gaps are bounce. For `dead` after a believed fall no rise is believed. A change
is stamped when it began, not when it was believed; as its device looks only now and then, it came
up to one look earlier (`within`). What one look shows counts as lasting until the next: a device
that looks less often than `min_high` tells no glitch from a ball.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush

from msgspec import Struct


class Spec(Struct, frozen=True):
    """What one sensor demands, all in ns."""

    min_high: int
    min_low: int
    dead: int


class Change(Struct, frozen=True):
    """Sensor `sensor` really went to `level` at `at` (board ns)."""

    sensor: str
    level: bool
    at: int
    within: int = 0
    """It may have come so long before that, ns: the device did not look."""


class _Channel:
    """One sensor: the believed `level`, the raw one, since when, and until when it is dead."""

    __slots__ = ("dead_until", "lasted", "level", "raw", "since", "spec", "within")

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.level = self.raw = self.lasted = False
        self.since = 0
        self.dead_until = 0
        self.within = 0

    def due(self) -> int | None:
        """When the raw level will be believed if it stays; None when it already is."""
        if self.raw == self.level:
            return None
        if self.raw:
            return max(self.since, self.dead_until) + self.spec.min_high * (not self.lasted)
        return self.since + self.spec.min_low

    def believe(self) -> int:
        """Take the raw level as real; returns the stamp of the change."""
        began = max(self.since, self.dead_until) if self.raw else self.since
        self.level = self.raw
        if not self.level:
            self.dead_until = began + self.spec.dead
        return began


class Debouncer:
    """All sensors of a board. Feed it each sensor's edges in order of their stamps; ask it to
    `advance` at any time: what it says does not depend on when it was asked."""

    def __init__(self, specs: Mapping[str, Spec]) -> None:
        self._channels = {sensor: _Channel(spec) for sensor, spec in specs.items()}
        self.high: set[str] = set()
        """Sensors believed active."""
        self._due: list[tuple[int, str]] = []  # what will be believed if nothing more comes
        self._ready: list[tuple[int, str, int, Change]] = []  # what is, numbered
        self._count = 0

    def level(self, sensor: str) -> bool:
        """The believed level."""
        return self._channels[sensor].level

    def raw(self, sensor: str) -> bool:
        """The level of the last edge."""
        return self._channels[sensor].raw

    def known(self, sensor: str) -> bool:
        return sensor in self._channels

    @property
    def deadline(self) -> int | None:
        """When the next change will be believed if nothing more comes, board ns."""
        while self._due and self._channels[self._due[0][1]].due() != self._due[0][0]:
            heappop(self._due)  # it bounced meanwhile, or is believed
        heads = [heap[0][0] for heap in (self._due, self._ready) if heap]
        return min(heads) if heads else None

    def looked(self, sensors: Iterable[str], within: int) -> None:
        """From now on what these sensors tell may have come so long before, ns."""
        for sensor in sensors:
            self._channels[sensor].within = within

    def edge(self, sensor: str, level: bool, at: int, lasted: bool = False) -> None:
        """A raw edge. `lasted`: that of a rise was lost, and `at` it is known to be high, nobody
        knows since when: that is believed however soon it falls."""
        channel = self._channels[sensor]
        if channel.raw == level:
            return
        if (due := channel.due()) is not None and due <= at:
            self._believe(due, sensor)
        channel.raw, channel.lasted = level, lasted
        channel.since = at
        if (due := channel.due()) is not None:
            heappush(self._due, (due, sensor))

    def advance(self, until: int) -> Iterator[Change]:
        """The changes believed by `until` (inclusive), in order of (deadline, sensor)."""
        while (due := self.deadline) is not None and due <= until:
            while self._due and self._due[0][0] == due:
                _, sensor = heappop(self._due)
                if self._channels[sensor].due() == due:
                    self._believe(due, sensor)
            yield heappop(self._ready)[-1]

    def _believe(self, due: int, sensor: str) -> None:
        channel = self._channels[sensor]
        self._count += 1
        change = Change(sensor, channel.raw, channel.believe(), channel.within)
        self._note(sensor, change.level)
        heappush(self._ready, (due, sensor, self._count, change))

    def settle(self, sensor: str, level: bool) -> None:
        """Believe a level without a change, as at the first snapshot."""
        channel = self._channels[sensor]
        channel.level = channel.raw = level
        self._note(sensor, level)

    def _note(self, sensor: str, level: bool) -> None:
        if level:
            self.high.add(sensor)
        else:
            self.high.discard(sensor)
