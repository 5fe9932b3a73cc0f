"""From stamped changes to reports on their way to the mailbox: the link, its outages, its clock."""

from collections.abc import Iterable, Iterator
from random import Random

from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import Body, Edge, Lost, Presence, Report, Snapshot, Watermark
from tests.worlds.electrics import Transition
from tests.worlds.knobs import Knobs
from tests.worlds.room import ns

SOURCE = "pico"
FRAME_S = 0.002
"""A frame goes out so long after the first of its edges, and the promise with it."""


class Outage(Struct, frozen=True):
    """The link is not what it should be, from `begin` to `end` (s)."""

    kind: str
    """unplug, reboot, loss, or kill: nobody is there to hear."""
    begin: float
    end: float


class Post:
    """Carries one evening's changes. Arrivals never go backwards, as on a wire."""

    def __init__(
        self,
        board: Board,
        knobs: Knobs,
        random: Random,
        outages: Iterable[Outage],
        steps: Iterable[tuple[float, float]] = (),
        shots: Iterable[float] = (),
    ) -> None:
        self._order = {sensor.id: i for i, sensor in enumerate(board.sensors)}
        self._knobs, self._random = knobs, random
        self._outages = sorted(outages, key=lambda outage: outage.begin)
        self._steps = sorted(steps)
        self._shots = sorted(shots)
        self._high: set[str] = set()
        self._arrived = 0.0

    def reports(self, changes: list[Transition], end: float) -> Iterator[tuple[int, Report]]:
        """(arrival, report), ns. Begins with the board's coming and a snapshot."""
        for _, sensor, level in (change for change in changes if change[0] < 0):
            self._hear(sensor, level)
        changes = [change for change in changes if change[0] >= 0]
        yield self._made(0.0, 0.0, Presence(True))
        yield self._snapshot(0.0)
        after = {at + FRAME_S for at, _, _ in changes}  # a STATUS follows the edges
        marks = [(at, 3, None) for at in after | {float(s) for s in range(1, int(end) + 1)}]
        shots = set(self._shots)
        edges = [(at, 1, (sensor, level)) for at, sensor, level in changes]
        breaks = [(outage.begin, 0, outage) for outage in self._outages]
        todo = sorted(
            [*marks, *((at, 2, None) for at in shots), *edges, *breaks],
            key=lambda it: (it[0], it[1]),
        )
        held: list[tuple[float, str, bool]] = []
        down: Outage | None = None
        for at, _, what in todo:
            if down is not None and at >= down.end:
                yield from self._back(down, held)
                down, held = None, []
            if isinstance(what, Outage):
                down = what
                if what.kind in ("unplug", "reboot"):
                    seen = at + min(self._random.uniform(0.05, 1.0), (what.end - at) / 2)
                    why = "the cable was pulled" if what.kind == "unplug" else "no answer"
                    yield self._made(seen, seen, Presence(False, why))
            elif isinstance(what, tuple):
                if down is None:
                    self._hear(*what)
                    yield self._made(at, at + FRAME_S, Edge(*what))
                else:
                    held.append((at, *what))
            elif down is None:
                yield self._snapshot(at) if at in shots else self._promise(at)

    def _back(
        self, outage: Outage, held: list[tuple[float, str, bool]]
    ) -> Iterator[tuple[int, Report]]:
        """The board is there again: what it kept, then what is."""
        for _, sensor, level in held:
            self._hear(sensor, level)
        back = outage.end
        if outage.kind == "loss":
            yield self._made(back, back, Lost(len(held)))
        else:
            yield self._made(back, back, Presence(True, kept=outage.kind == "unplug"))
        if outage.kind == "unplug":
            for at, sensor, level in held:
                yield self._made(at, back, Edge(sensor, level))
        yield self._snapshot(back)
        yield self._promise(back)

    def _hear(self, sensor: str, level: bool) -> None:
        if level:
            self._high.add(sensor)
        else:
            self._high.discard(sensor)

    def _snapshot(self, at: float) -> tuple[int, Report]:
        high = tuple(sorted(self._high, key=self._order.__getitem__))
        return self._made(at, at + FRAME_S, Snapshot(high))

    def _promise(self, at: float) -> tuple[int, Report]:
        return self._made(at, at, Watermark(self._stamp(at)))

    def _made(self, at: float, sent: float, body: Body) -> tuple[int, Report]:
        late = self._knobs.late_ms / 1000
        delay = self._random.uniform(0.0005, 0.003)
        delay += self._random.expovariate(1 / late) if late else 0.0
        self._arrived = max(self._arrived, sent + delay)
        stamp = self._stamp(at)
        return ns(self._arrived), Report(SOURCE, stamp, body, stamp // 1000)

    def _stamp(self, at: float) -> int:
        """Board time as the Pico's clock and its steps have it, ns."""
        return ns(at + sum(by for since, by in self._steps if since <= at))
