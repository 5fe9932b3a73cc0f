"""Learner: what a board's sensors are like, learned from their raw edges, at a wizard or in play.

A pure function over stamps. Edges of one sensor with less than `APART_NS` of low between them are a
burst. What the bursts of a sensor say of its times, `times.py` finds out.

    learner = Learner(board)
    learner.edge("edge:B1-C1", True, at)    # every raw edge, ns
    learner.fit("edge:B1-C1")               # what its debouncer should demand
"""

from collections import Counter, deque
from copy import copy

from msgspec.structs import replace

from hexboard.board import Board, Sensor
from hexboard.calibration.times import (
    ENOUGH,
    NO_BALL_NS,
    Burst,
    Times,
    chosen,
    contact,
    delay,
    percentile,
)
from hexboard.facts import MS
from hexboard.perception.debounce import Spec
from hexboard.perception.health import BURST, PULSED

APART_NS = 20 * MS
"""Low for so long, a sensor is done with a burst."""
ROLLED_NS = 40 * MS
"""Contacts up to here are balls that roll by; longer ones are held, and say nothing of speed."""
TOGETHER_NS = 30 * MS
"""A ball needs longer from one place to the next: what fires sooner was not fired by it."""
AGAIN = 3
"""So many times together is no chance."""
KEEP = 256
"""The newest bursts of each sort that a sensor keeps."""


class Samples:
    """What one sensor did: the newest `KEEP` bursts of each sort, highs only."""

    def __init__(self) -> None:
        self.bursts = 0
        self.rest_edges = 0
        self.rolled: deque[Burst] = deque(maxlen=KEEP)
        """Those that may have been balls."""
        self.short: deque[Burst] = deque(maxlen=KEEP)
        """Those that were too short for any."""
        self.idle: deque[Burst] = deque(maxlen=KEEP)
        """Those while nothing touched the board."""
        self.contacts: deque[int] = deque(maxlen=KEEP)
        """How long contacts were, held ones as well, ns; none while nothing touched the board."""
        self.glitches = 0
        """How often it rose for too short a time for any ball."""
        self.wild = False
        """It once made more edges in one burst than any contact's bounce."""

    def copy(self) -> "Samples":
        """The same, of which this one goes on apart."""
        other = copy(self)
        other.rolled, other.short = self.rolled.copy(), self.short.copy()
        other.idle, other.contacts = self.idle.copy(), self.contacts.copy()
        return other


class Learner:
    """Feed it every raw edge of a board, each sensor's in the order of their stamps."""

    def __init__(self, board: Board) -> None:
        self.samples = {sensor.id: Samples() for sensor in board.sensors}
        self.together: Counter[tuple[str, str]] = Counter()
        """How often the second sensor began a burst within `TOGETHER_NS` of the first."""
        self.resting = False
        """Nothing touches the board just now."""
        self._sensors = board.sensor
        self._burst: dict[str, list[int]] = {}  # stamps, rise first
        self._begun: deque[tuple[str, int]] = deque()  # bursts of the last TOGETHER_NS

    def apart(self) -> "Learner":
        """What is known by now, for `fit` and `delay` while this one goes on."""
        other = copy(self)
        other.samples = {sensor: samples.copy() for sensor, samples in self.samples.items()}
        return other

    def edge(self, sensor: str, level: bool, at: int) -> None:
        """A raw edge at `at` (board ns); one of a sensor that the board does not know is passed."""
        if sensor not in self.samples:
            return
        samples, burst = self.samples[sensor], self._burst.get(sensor, [])
        samples.rest_edges += self.resting
        if level and burst and len(burst) % 2 == 0 and at - burst[-1] >= APART_NS:
            self._close(sensor)
            burst = []
        if level == bool(len(burst) % 2):
            return  # no change, as after a lost edge
        if not burst:
            self._begin(sensor, at)
        self._burst.setdefault(sensor, burst).append(at)
        if len(burst) > BURST:
            samples.wild = True
            del self._burst[sensor]

    def advance(self, until: int) -> None:
        """Nothing earlier than `until` is still to come: bursts that are over count."""
        for sensor, burst in list(self._burst.items()):
            if len(burst) % 2 == 0 and until - burst[-1] >= APART_NS:
                self._close(sensor)

    def forget(self) -> None:
        """What was under way is unknown from here: edges were lost, or the clock began anew."""
        self._burst.clear()
        self._begun.clear()

    def fit(self, sensor: str) -> Times | None:
        """What this sensor's debouncer should demand (`times.chosen`); None while there are too
        few bursts of balls, its own or those of all of its kind."""
        given, own = self._sensors[sensor], self.samples[sensor]
        if given.kind not in PULSED:
            return None
        rolled = list(own.rolled) if len(own.rolled) >= ENOUGH else self._kin(given)
        if len(rolled) < ENOUGH:
            return None
        in_use = Spec(given.min_high, given.min_low, given.dead)
        times = chosen([*rolled, *own.short], list(own.idle), in_use)
        return replace(times, pulses=len(own.rolled))

    def delay(self, sensor: str, times: Times | None) -> tuple[int, int] | None:
        """From the first sign of a ball until it is believed, ns: of the middle one, and of 19 in
        20; by these times if they are clear, else by those in use. None before `ENOUGH` balls."""
        high = times.min_high if times and times.clear else self._sensors[sensor].min_high
        found = [it for burst in self.samples[sensor].rolled if (it := delay(burst, high))]
        return (percentile(found, 50), percentile(found, 95)) if len(found) >= ENOUGH else None

    def _kin(self, given: Sensor) -> list[Burst]:
        """Bursts of all sensors of its kind, thinned out: balls pass all at the same speeds."""
        kin = (self.samples[s.id].rolled for s in self._sensors.values() if s.kind == given.kind)
        every = [burst for rolled in kin for burst in rolled]
        return every[:: len(every) // KEEP + 1]

    def _begin(self, sensor: str, at: int) -> None:
        self.samples[sensor].bursts += 1
        while self._begun and at - self._begun[0][1] > TOGETHER_NS:
            self._begun.popleft()
        for other in {other for other, _ in self._begun} - {sensor}:
            self.together[other, sensor] += 1
        self._begun.append((sensor, at))

    def _close(self, sensor: str) -> None:
        """A burst is over; one that is held says nothing of balls that roll."""
        stamps, samples = self._burst.pop(sensor), self.samples[sensor]
        burst = tuple(zip(stamps[0::2], stamps[1::2], strict=True))
        if not self.resting:
            samples.contacts.append(contact(burst))
        if self.resting:
            samples.idle.append(burst)
        elif contact(burst) < NO_BALL_NS:
            samples.glitches += 1
            samples.short.append(burst)
        elif contact(burst) <= ROLLED_NS:
            samples.rolled.append(burst)
