"""The senses: what sensors say, of which sources, and up to when all of it has been heard.

Raw edges go in, signs come out, as they become certain: changes of level that really were, levels
that a source's first word tells, sensors that misbehave or behave again. What they mean for the
game is not known here. Times are board ns.
"""

from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import MS, Edge, Fact, Presence, Report, Scanned, Snapshot, Watermark
from hexboard.perception.debounce import Change, Debouncer, Spec
from hexboard.perception.health import PULSED, Health, SensorVerdict
from hexboard.perception.scans import Scans, cost
from hexboard.perception.storm import Storms
from hexboard.perception.witness import Witnesses
from hexboard.words import Message, message

LATENESS_NS = 100 * MS
"""How long after it happened a sensor's fact may still arrive when no watermark says otherwise."""
TELLING_NS = 1_000 * MS
"""So long a source that was away is waited for while it tells what it kept."""
SENSORS = (Edge, Snapshot, Watermark)
STILL = ("button", "seat", "rail")
"""Kinds of sensors that no ball sets off. People set up a board in no time: that is no storm."""
TIMED = ("debounce", "health", "storm")
"""What becomes certain in time."""


class Found(Struct, frozen=True):
    """A source's first word on a sensor."""

    sensor: str
    level: bool


class Storm(Struct, frozen=True):
    """Since then all sensors together make no sense: what they say is not told."""

    since: int


class Calm(Struct, frozen=True):
    """All sensors are quiet again; each one's level has just been told as `Found`."""


Sign = Change | Found | SensorVerdict | Storm | Calm
"""What the senses tell. Each is to be taken before the next is asked for: what it leads to may
change what comes."""


class Senses:
    """Debouncing, health and watermarks of all sensors of one board, and which sources are up;
    `pads` are those that nothing but fingers is to press."""

    def __init__(self, board: Board, pads: Collection[str] = ()) -> None:
        self._source = {sensor.id: sensor.source for sensor in board.sensors}
        self.debouncer = Debouncer(
            {s.id: Spec(s.min_high, s.min_low, s.dead) for s in board.sensors}
        )
        self.health = Health(board, pads)
        self.storms = Storms([s.id for s in board.sensors if s.kind not in STILL])
        self.witnesses = Witnesses()
        self._scans = Scans()
        self.presence: dict[str, Presence] = {}
        self.lost = 0
        """How many facts never came."""
        self._watermark_ns: dict[str, int] = {}
        self._promising: set[str] = set()  # sources that have sent a watermark
        self._fresh: set[str] = set()  # sources that have sent a snapshot since they came
        self._telling: dict[str, int] = {}  # sources that tell what they kept, until when at most

    # ------------------------------------------------------------------------------ sources

    def up(self, source: str) -> bool:
        """Whether a source is there, as far as anyone has said."""
        return source not in self.presence or self.presence[source].up

    @property
    def away(self) -> list[str]:
        """The sources that are not heard: that went, have yet to tell what they kept, or blow in a
        storm."""
        if self.storms.on:
            return list(dict.fromkeys(self._source.values()))
        gone = (source for source, presence in self.presence.items() if not presence.up)
        return [*gone, *self._telling]

    def comes(self, source: str, presence: Presence, t: int = 0) -> Message:
        """A source came or went, and that was heard at `t`; what is to be told of it."""
        self.presence[source] = presence
        self._telling.pop(source, None)
        if presence.up and presence.kept:
            self._telling[source] = t + TELLING_NS
        up = "table.source_up_note" if presence.why else "table.source_up"
        key = up if presence.up else "table.source_down"
        return message(key, source=source, why=presence.why or "-")

    def silent(self, at: int) -> set[str]:
        """The sources that are there and used to promise that they told all, but not up to then."""
        return {s for s in self._promising if self.up(s) and self._watermark_ns[s] < at}

    def loses(self, source: str, count: int) -> Message:
        """Facts of a source were dropped; what is to be told of it."""
        self.lost += count
        return message("table.lost", count=count, source=source)

    def looked(self, source: str, scanned: Scanned) -> None:
        """A source says how well it looks at its sensors."""
        self._scans.learn(source, scanned)
        ours, unseen = self._sensors(source), self._scans.unseen_ppm(source)
        self.debouncer.looked(ours, self._scans.within(source))
        brief = (sensor for sensor in ours if sensor.startswith(PULSED))
        self.witnesses.unseen |= dict.fromkeys(brief, unseen)

    def misses(self, usual: int) -> dict[str, int]:
        """How unlikely a miss is of those sensors that miss balls, or are not looked at, more often
        than is `usual`; 1/100 nat."""
        unseen = {s: cost(ppm) for s, ppm in self.witnesses.unseen.items() if ppm}
        named = self.witnesses.misses
        rare = {s: min(it, named.get(s, it)) for s, it in unseen.items() if it < usual}
        return {**named, **rare} if rare else named

    def horizon(self, fact: Fact) -> int:
        """Up to when nothing earlier can still come, given this fact."""
        if isinstance(fact.body, SENSORS):
            until = fact.body.until if isinstance(fact.body, Watermark) else fact.at
            until = max(min(until, fact.t), self._watermark_ns.get(fact.source, 0))
            self._watermark_ns[fact.source] = until
            if isinstance(fact.body, Watermark):
                self._promising.add(fact.source)
        late = fact.t - LATENESS_NS
        heard = [
            until if fact.t < self._telling.get(source, 0) else max(until, late)
            for source, until in self._watermark_ns.items()
            if self.up(source)
        ]
        return min(heard, default=late)

    @property
    def telling(self) -> int:
        """Up to when nothing is concluded, for a source tells what it kept while it was away; 0
        where none does."""
        return max(self._telling.values(), default=0)

    def has_told(self, source: str) -> bool:
        """Whether a source that was to tell what it kept ends that now."""
        return self._telling.pop(source, None) is not None

    def when(self, fact: Fact, now: int) -> int:
        """When it is taken to have happened: not in the future, nor before what is concluded `now`;
        what a source has kept, after all that it told before."""
        told = self._watermark_ns.get(fact.source, now)
        tells = fact.t < self._telling.get(fact.source, 0)
        return max(min(fact.at, fact.t), told if tells else now)

    # ------------------------------------------------------------------------------ levels

    def heeded(self, sensor: str) -> bool:
        """Fitted, and to be believed."""
        return self.debouncer.known(sensor) and sensor not in self.health.out

    @property
    def heeded_all(self) -> set[str]:
        """All sensors that are `heeded`."""
        return self._source.keys() - self.health.out.keys()

    def high(self, sensor: str) -> bool:
        """Believed active, and to be believed."""
        return self.heeded(sensor) and self.debouncer.level(sensor)

    @property
    def felt(self) -> set[str]:
        """All sensors that are `high`."""
        return self.debouncer.high.difference(self.health.out)

    def agrees(self, source: str, high: tuple[str, ...]) -> bool:
        """Whether a snapshot would say nothing that is not known already."""
        known = source in self._fresh and source not in self._telling
        return known and not self.changed(source, high)

    def knows(self, report: Report) -> bool:
        """Whether a snapshot, or an edge, says nothing that is not known already."""
        match report.body:
            case Snapshot(high):
                return self.agrees(report.source, high)
            case Edge(sensor):
                at = report.at
                return self.storms.knows(sensor, at) or self.health.knows(sensor, at)
        return False

    def changed(self, source: str, high: tuple[str, ...]) -> list[str]:
        """Of which of its sensors a snapshot says another level than is known."""
        there = self.debouncer.raw
        return [sensor for sensor in self._sensors(source) if there(sensor) != (sensor in high)]

    def rose_unheard(self, sensor: str, level: bool) -> bool:
        """Whether a sensor that balls set off lets go though nobody heard it feel anything: what it
        felt was lost."""
        lost = not (level or self.debouncer.raw(sensor))
        return lost and self._source[sensor] in self._fresh and not sensor.startswith(STILL)

    def edge(self, sensor: str, level: bool, at: int) -> Iterator[Sign]:
        """A raw edge of a sensor that is `known`."""
        if self.rose_unheard(sensor, level):
            yield from self._raw(sensor, True, at, True)
        yield from self._raw(sensor, level, at)

    def _raw(
        self, sensor: str, level: bool, at: int, lasted: bool = False
    ) -> Iterator[Storm | SensorVerdict]:
        before = self.storms.on and sensor in self.health.out  # left out, and no part of the storm
        since = self.storms.rises(sensor, at) if level and not before else None
        if since is not None:
            yield Storm(since)
        listens = before or not self.storms.on
        if listens and (verdict := self.health.edge(sensor, level, at)):
            yield verdict
        self.debouncer.edge(sensor, level, at, lasted)

    def snapshot(self, source: str, high: tuple[str, ...], at: int) -> Iterator[Sign]:
        """All levels at once. The first one is simply believed; later ones imply missed edges."""
        if source in self._fresh:
            for sensor in self.changed(source, high):
                lasted = sensor in high and not sensor.startswith(STILL)
                yield from self._raw(sensor, sensor in high, at, lasted)
            return
        self._fresh.add(source)
        for sensor in self._sensors(source):
            yield self._find(sensor, sensor in high, at)

    def _find(self, sensor: str, level: bool, at: int) -> Found:
        """This is how it stands, whatever was heard before."""
        self.debouncer.settle(sensor, level)
        if level != self.health.level(sensor):
            self.health.edge(sensor, level, at)
        return Found(sensor, level)

    def _calm(self, at: int) -> Iterator[Sign]:
        """The storm is over: each sensor stands as it was heard last."""
        self.storms.end()
        for sensor in self._source:
            yield self._find(sensor, self.debouncer.raw(sensor), at)
        yield Calm()

    def _sensors(self, source: str) -> list[str]:
        return [sensor for sensor, ours in self._source.items() if ours == source]

    # ------------------------------------------------------------------------------ in time

    @property
    def quiet(self) -> bool:
        """No change of a level waits to be believed."""
        return self.debouncer.deadline is None

    @property
    def timers(self) -> Iterator[tuple[int, str]]:
        """When something may become certain, and what of `TIMED`."""
        if (due := self.debouncer.deadline) is not None:
            yield due, "debounce"
        if (due := self.storms.deadline) is not None:
            yield due, "storm"
        elif (due := self.health.deadline) is not None:
            yield due, "health"

    def advance(self, name: str, due: int, held: Callable[[str], bool]) -> Iterator[Sign]:
        """What has become certain by then; `held(sensor)`: something may hold it high for long, as
        silence may where its source is away."""
        if name == "debounce":
            yield from self.debouncer.advance(due)
        elif name == "storm":
            yield from self._calm(due)
        else:
            yield from self.health.advance(
                due, lambda sensor: not self.up(self._source[sensor]) or held(sensor)
            )
