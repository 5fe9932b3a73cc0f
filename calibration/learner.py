"""Learner: what a board's sensors are like, learned from their raw edges, at a wizard or in play.

A pure function over stamps. Edges of one sensor with less than `APART` of low between them are a
burst. Its longest high is the pulse; highs shorter than a quarter of that are bounce. A burst with
no high of `NO_BALL` is a glitch, and so is everything while nothing touches the board (`resting`).

    learner = Learner(board)
    learner.edge("edge:B1-C1", True, at)    # every raw edge, ns
    learner.fit("edge:B1-C1")               # what its debouncer should demand
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from controller.board import US, Board, Sensor
from controller.facts import MS
from controller.perception.health import BURST, PULSED

APART = 20 * MS
"""Low for so long, a sensor is done with a burst."""
NO_BALL = MS
"""No 10 mm ball passes a sensing spot in less: that would be more than 5 m/s."""
ROLLED = 40 * MS
"""Pulses up to here are balls that roll by; longer ones are held, and say nothing of speed."""
TOGETHER = 30 * MS
"""A ball needs longer from one place to the next: what fires sooner was not fired by it."""
AGAIN = 3
"""So many times together is no chance."""
ENOUGH = 20
"""Pulses (of a sensor, or else of all of its kind) that a fit needs."""
KEEP = 256
"""The newest samples of each sort that a sensor keeps."""


class Times(Struct, frozen=True):
    """What a debouncer should demand, ns, and what that rests on."""

    min_high: int
    min_low: int
    dead: int
    pulses: int
    shortest: int
    """1st percentile of the pulses."""
    glitch: int
    """99th percentile of glitches and bounces; 0 where there were none."""
    clear: bool
    """Glitches are shorter than half of any pulse."""

    def __post_init__(self) -> None:
        if min(self.min_high, self.min_low, self.dead) < 0:
            raise ValueError("a time is negative")


class Samples:
    """What one sensor did. Lengths in ns, the newest `KEEP` of each."""

    def __init__(self) -> None:
        self.bursts = 0
        self.rest_edges = 0
        self.pulses: deque[int] = deque(maxlen=KEEP)
        self.glitches: deque[int] = deque(maxlen=KEEP)
        self.gaps: deque[int] = deque(maxlen=KEEP)
        """Lows inside a burst that are bounce."""
        self.lows: deque[int] = deque(maxlen=KEEP)
        """Lows between two pulses of rolling balls."""
        self.tails: deque[int] = deque(maxlen=KEEP)
        """From the end of a pulse to the last bounce after it."""
        self.wild = False
        """It once made more edges in one burst than any contact's bounce."""


class Learner:
    """Feed it every raw edge of a board, each sensor's in the order of their stamps."""

    def __init__(self, board: Board) -> None:
        self.samples = {sensor.id: Samples() for sensor in board.sensors}
        self.together: Counter[tuple[str, str]] = Counter()
        """How often the second sensor began a burst within `TOGETHER` of the first."""
        self.resting = False
        """Nothing touches the board just now."""
        self._sensors = board.sensor
        self._burst: dict[str, list[int]] = {}  # stamps, rise first
        self._ended: dict[str, int] = {}  # when a sensor's last pulse ended
        self._begun: deque[tuple[str, int]] = deque()  # bursts of the last TOGETHER

    def edge(self, sensor: str, level: bool, at: int) -> None:
        """A raw edge at `at` (board ns); one of a sensor that the board does not know is passed."""
        if sensor not in self.samples:
            return
        samples, burst = self.samples[sensor], self._burst.get(sensor, [])
        samples.rest_edges += self.resting
        if level and burst and len(burst) % 2 == 0 and at - burst[-1] >= APART:
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
            if len(burst) % 2 == 0 and until - burst[-1] >= APART:
                self._close(sensor)

    def forget(self) -> None:
        """What was under way is unknown from here: edges were lost, or the clock began anew."""
        self._burst.clear()
        self._ended.clear()
        self._begun.clear()

    def fit(self, sensor: str) -> Times | None:
        """What this sensor's debouncer should demand; None while there are too few samples.

        `min_high`: half the 1st percentile of its pulses, but above the 99th of its glitches.
        `min_low`: twice the 99th percentile of its bounce's gaps. `dead`: one and a half times the
        99th percentile of its bounce's tails. Both at most half of the shortest low between balls;
        where nothing bounced, what the board file says stays.
        """
        given, own = self._sensors[sensor], self.samples[sensor]
        if given.kind not in PULSED:
            return None
        pool = [own] if len(own.pulses) >= ENOUGH else self._kin(given)
        pulses = _all(s.pulses for s in pool)
        if len(pulses) < ENOUGH:
            return None
        glitch = percentile(own.glitches, 99)
        shortest = percentile(pulses, 1)
        gap, tail = percentile(own.gaps, 99), percentile(own.tails, 99)
        most = percentile(own.lows, 1) // 2 or APART
        return Times(
            min_high=max(shortest // 2, min(glitch + 50 * US, shortest - US)),
            min_low=min(2 * gap, most) or given.min_low,
            dead=min(tail * 3 // 2, most) or given.dead,
            pulses=len(own.pulses),
            shortest=shortest,
            glitch=glitch,
            clear=glitch < shortest // 2,
        )

    def _kin(self, given: Sensor) -> list[Samples]:
        """The samples of all sensors of its kind: balls pass them at the same speeds."""
        return [self.samples[s.id] for s in self._sensors.values() if s.kind == given.kind]

    def _begin(self, sensor: str, at: int) -> None:
        self.samples[sensor].bursts += 1
        while self._begun and at - self._begun[0][1] > TOGETHER:
            self._begun.popleft()
        for other in {other for other, _ in self._begun} - {sensor}:
            self.together[other, sensor] += 1
        self._begun.append((sensor, at))

    def _close(self, sensor: str) -> None:
        """A burst is over: what was pulse, what glitch, what bounce."""
        burst, samples = self._burst.pop(sensor), self.samples[sensor]
        spans = list(zip(burst[0::2], burst[1::2], strict=True))
        longest = max(end - begin for begin, end in spans)
        if longest < NO_BALL or self.resting:
            samples.glitches.extend(end - begin for begin, end in spans)
            return
        real = [(begin, end) for begin, end in spans if 4 * (end - begin) >= longest]
        samples.glitches.extend(end - begin for begin, end in spans if 4 * (end - begin) < longest)
        samples.pulses.extend(end - begin for begin, end in real if end - begin <= ROLLED)
        for (begin, end), (following, until) in pairwise(spans):
            both = (begin, end) in real and (following, until) in real
            (samples.lows if both else samples.gaps).append(following - end)
        if burst[-1] > real[-1][1]:
            samples.tails.append(burst[-1] - real[-1][1])
        if (before := self._ended.get(sensor)) is not None:
            samples.lows.append(burst[0] - before)
        self._ended[sensor] = burst[-1]


def percentile(values: Iterable[int], percent: int) -> int:
    """The nearest-rank percentile; 0 of no values."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0


def _all(lists: Iterable[Sequence[int]]) -> list[int]:
    return [value for values in lists for value in values]
