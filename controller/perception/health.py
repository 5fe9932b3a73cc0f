"""Sensor health: a sensor that chatters or stays stuck is named, capped and left out for a while.

Chattering: more than `BURST` raw edges within `WINDOW_NS`, or a roll that makes sense only without
it (`doubt`). Stuck: high for `STUCK_NS` with nothing there to hold it. Either is left out until it
has been quiet for `QUIET_NS`, and is low or known to be held by something that lies there. A pad
that fingers alone press may be high for `PAD_STUCK_NS`, and has to be quiet for `PAD_QUIET_NS`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import MS

BURST = 40
WINDOW_NS = 2_000 * MS
STUCK_NS = 5_000 * MS
QUIET_NS = 2_000 * MS
PAD_STUCK_NS, PAD_QUIET_NS = 30_000 * MS, 10_000 * MS
ENOUGH = 8
"""So many edges within `WINDOW_NS` are all that is wanted of a sensor that is left out."""
LATELY_NS = 500 * MS
"""Within so long it need not speak again; well within `QUIET_NS`, so that it stays left out."""
PULSED = ("gate", "edge", "exit", "fall", "throat")
"""Kinds that see balls pass. The others hold a level for as long as they like."""


class _Watch:
    __slots__ = ("edges", "level", "quiet_since", "window")

    def __init__(self) -> None:
        self.window = self.edges = self.quiet_since = 0
        self.level = False


class SensorVerdict(Struct, frozen=True):
    """A sensor's new state: "chattering", "stuck", or "" for healthy again."""

    sensor: str
    state: str


class Health:
    """Watches the raw edges of one board's sensors. Nothing but fingers is to press its `pads`."""

    def __init__(self, board: Board, pads: Collection[str] = ()) -> None:
        pulsed = (s.id for s in board.sensors if s.kind in PULSED)
        # how long each may be high, and how long it is to be quiet, where that is not for ever
        self._stuck_ns = dict.fromkeys(pulsed, STUCK_NS) | dict.fromkeys(pads, PAD_STUCK_NS)
        self._quiet_ns = dict.fromkeys(pads, PAD_QUIET_NS)
        self._watch = {sensor.id: _Watch() for sensor in board.sensors}
        self.out: dict[str, str] = {}
        """Sensors left out, and why."""
        self._high: dict[str, int] = {}  # high and not yet out, though not for ever
        self._held: set[str] = set()  # those of them that a ball explains
        self._lain_on: set[str] = set()  # those that a ball lies on, as people and rolls left it

    def edge(self, sensor: str, level: bool, at: int) -> SensorVerdict | None:
        """A raw edge at `at` (board ns); a verdict when it is the one too many."""
        watch = self._watch[sensor]
        watch.quiet_since = at
        watch.level = level
        if sensor in self._stuck_ns and sensor not in self.out:
            if level:
                self._high[sensor] = at
            else:
                self._let_go(sensor)
        if at - watch.window > WINDOW_NS:
            watch.window, watch.edges = at, 0
        watch.edges += 1
        if watch.edges > BURST and sensor not in self.out:
            return self._leave_out(sensor, "chattering")
        return None

    def knows(self, sensor: str, at: int) -> bool:
        """Whether it is left out, and has spoken so often lately that an edge tells nothing new."""
        if sensor not in self.out:
            return False
        watch = self._watch[sensor]
        lately = at - watch.quiet_since < LATELY_NS
        return watch.edges >= ENOUGH and at - watch.window <= WINDOW_NS and lately

    def quiet_since(self, sensor: str) -> int:
        """When a sensor changed last; 0 where it never did."""
        return self._watch[sensor].quiet_since

    def level(self, sensor: str) -> bool:
        """The level of its last edge."""
        return self._watch[sensor].level

    @property
    def deadline(self) -> int | None:
        """When `advance` may have something to say."""
        if not (self._high or self.out):
            return None
        stuck, high = self._stuck_ns, self._high.items()
        times = [since + stuck[s] for s, since in high if s not in self._held]
        times += [t for sensor in self.out if (t := self._returns(sensor)) is not None]
        return min(times, default=None)

    def advance(self, until: int, explained: Callable[[str], bool]) -> Iterator[SensorVerdict]:
        """What became stuck or healthy by `until`; `explained(sensor)`: a ball may hold it high."""
        for sensor, since in list(self._high.items()):
            if since + self._stuck_ns[sensor] <= until and sensor not in self._held:
                if explained(sensor):
                    self._held.add(sensor)  # until a ball moves
                else:
                    yield self._leave_out(sensor, "stuck")
        for sensor in list(self.out):
            returns = self._returns(sensor)
            if returns is not None and returns <= until:
                del self.out[sensor]
                if self._watch[sensor].level and sensor in self._stuck_ns:
                    self._high[sensor] = until
                    self._held.add(sensor)
                yield SensorVerdict(sensor, "")

    def moved(self, at: int) -> None:
        """A ball moved: what it held high is no longer explained."""
        for sensor in self._held:
            self._high[sensor] = at
        self._held.clear()

    def lie(self, sensors: Iterable[str]) -> None:
        """Something lies on these sensors, and on no others: who is left out may speak again."""
        self._lain_on = set(sensors)

    def doubt(self, sensor: str) -> SensorVerdict:
        """What it says makes no sense."""
        return self._leave_out(sensor, "chattering")

    def _leave_out(self, sensor: str, state: str) -> SensorVerdict:
        self.out[sensor] = state
        self._let_go(sensor)
        self._lain_on.discard(sensor)
        return SensorVerdict(sensor, state)

    def _let_go(self, sensor: str) -> None:
        self._high.pop(sensor, None)
        self._held.discard(sensor)

    def _returns(self, sensor: str) -> int | None:
        watch = self._watch[sensor]
        if watch.level and sensor in self._stuck_ns and sensor not in self._lain_on:
            return None  # stays out for as long as it stays high
        return watch.quiet_since + self._quiet_ns.get(sensor, QUIET_NS)
