"""From what sensors should feel to the edges that a Pico stamps: misses, chatter, false pulses.

Times are s of the evening; a transition is (s, sensor, level).
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from random import Random

from msgspec import Struct

from hexboard.board import Board
from tests.worlds.knobs import Knobs
from tests.worlds.physics import Contact

PASSING = ("gate", "cross", "bounce", "exit", "fall", "throat")
"""Ways of a ball that are pulses; the others stay."""
SCAN_S = 1e-4
"""The Pico looks at all inputs so often; stamps are multiples of it."""
CHATTER_S = {"load": 1.5e-3, "floor": 8e-3, "seat": 20e-3, "rail": 5e-3}
"""How long a switch bounces; coils and beams 0.3 ms."""
FALSE_MS = (1.0, 100.0)

Transition = tuple[float, str, bool]
Interval = tuple[float, float]


class Window(Struct, frozen=True):
    """A stretch of time with so many false pulses and bursts on average."""

    begin: float
    end: float
    false: float
    bursts: float = 0.0


class Wires:
    """The sensors' wires for one evening."""

    def __init__(self, board: Board, knobs: Knobs, random: Random, end: float) -> None:
        self._knobs, self._random, self._end = knobs, random, end
        self._ids = [s.id for s in board.sensors if s.kind not in ("rail", "button")]
        self.missed: list[Contact] = []
        """Which contacts gave nothing."""
        self.false: list[tuple[float, float, str]] = []
        """(s, length, sensor) of what came from nowhere."""
        self._weak = dict(knobs.weak)
        broken = random.sample(self._ids, knobs.dead + knobs.stuck)
        self.dead = set(broken[: knobs.dead])
        self.stuck = {sensor: random.uniform(0, end) for sensor in broken[knobs.dead :]}

    def transitions(
        self, contacts: Iterable[Contact], windows: Iterable[Window]
    ) -> list[Transition]:
        """Every change of level, in time's order; each sensor begins low and alternates."""
        spells: dict[str, list[Interval]] = defaultdict(list)
        for contact in contacts:
            if self._misses(contact):
                self.missed.append(contact)
                continue
            off = self._end + 1 if contact.off is None else contact.off
            spells[contact.sensor].append((contact.on, off))
            if contact.way in PASSING and self._random.random() < self._knobs.echoes:
                again = off + self._random.uniform(0.005, 0.06)
                spells[contact.sensor].append((again, again + self._random.uniform(0.001, 0.008)))
        for window in windows:
            self._from_nowhere(window, spells)
        for sensor, each_minute in self._knobs.loud:
            for _ in range(poisson(each_minute * self._end / 60, self._random)):
                self._pulse(sensor, 0, self._end, spells)
        for sensor, since in self.stuck.items():
            spells[sensor].append((since, self._end + 1))
        found = [
            change
            for sensor in sorted(spells)
            if sensor not in self.dead
            for change in looked(self._chattering(sensor, merged(spells[sensor])))
        ]
        return sorted(found, key=lambda change: change[0])

    def _misses(self, contact: Contact) -> bool:
        if contact.way in ("hand", "seat", "rail"):
            return False
        works = self._weak.get(contact.sensor, 1.0)
        if works < 1 and self._random.random() >= works:
            return True
        rate = self._knobs.missed * (1.0 if contact.way in PASSING else 0.1)
        return self._random.random() < rate

    def _from_nowhere(self, window: Window, spells: dict[str, list[Interval]]) -> None:
        for _ in range(poisson(window.false, self._random)):
            self._pulse("", window.begin, window.end, spells)
        for _ in range(poisson(window.bursts, self._random)):
            since = self._random.uniform(window.begin, window.end)
            for sensor in self._random.choices(self._ids, k=12):
                at = since + self._random.uniform(0, 0.2)
                spells[sensor].append((at, at + self._random.uniform(5e-5, 2e-3)))

    def _pulse(
        self, sensor: str, begin: float, end: float, spells: dict[str, list[Interval]]
    ) -> None:
        """A false pulse of a sensor; of any, where none is named."""
        low, high = (math.log(ms / 1000) for ms in FALSE_MS)
        length = math.exp(self._random.uniform(low, high))
        at = self._random.uniform(begin, end)
        sensor = sensor or self._random.choice(self._ids)
        spells[sensor].append((at, at + length))
        self.false.append((at, length, sensor))

    def _chattering(self, sensor: str, spells: list[Interval]) -> Iterable[Transition]:
        """Both ends of each spell, each perhaps with bounces that stay within it."""
        kind = sensor.partition(":")[0]
        for on, off in spells:
            room = min(CHATTER_S.get(kind, 3e-4), (off - on) / 3)
            for at, level in (*self._bounces(on, room), *self._bounces(off - room, room, off)):
                yield at, sensor, level

    def _bounces(
        self, since: float, room: float, off: float | None = None
    ) -> list[tuple[float, bool]]:
        """The changes at the beginning of a spell, or at its end, `off`."""
        level = off is None
        last = [(since, True)] if off is None else [(off, False)]
        if self._random.random() >= self._knobs.chatter:
            return last
        ticks = sorted({round(self._random.uniform(since, since + room), 6) for _ in range(4)})
        ticks = [tick for tick in ticks if since < tick and (off is None or tick < off)]
        ticks = ticks[: len(ticks) // 2 * 2]
        bounces = [(tick, (i % 2 == 1)) for i, tick in enumerate(ticks)]
        return [*last, *bounces] if level else [*bounces, *last]


def merged(spells: Iterable[Interval]) -> list[Interval]:
    """Spells that overlap, or nearly, are one."""
    found: list[Interval] = []
    for on, off in sorted(spells):
        if found and on <= found[-1][1] + SCAN_S:
            found[-1] = (found[-1][0], max(off, found[-1][1]))
        else:
            found.append((on, max(off, on + SCAN_S)))
    return found


def looked(changes: Iterable[Transition]) -> Iterable[Transition]:
    """A sensor that is looked at every `SCAN_S`: its level at each look that shows another."""
    level, ticks = False, {round(at / SCAN_S): (sensor, now) for at, sensor, now in changes}
    for tick in sorted(ticks):
        sensor, now = ticks[tick]
        if now != level:
            level = now
            yield tick * SCAN_S, sensor, now


def poisson(mean: float, random: Random) -> int:
    """A number whose mean is `mean`."""
    limit, times, product = math.exp(-mean), 0, random.random()
    while product > limit:
        times += 1
        product *= random.random()
    return times
