"""Readings: all that a roll may have been, weighed against each other when it is over.

The tracker follows a roll by its one likeliest reading while balls roll, fast enough for lights.
Here the same signs are gone through again over the layout's automaton with every reading that is
not absurd: signs that sensors missed, made up or gave twice, balls that hopped, were knocked on,
picked up or put in by hand, parts of tiles in any state. Readings that agree on where balls are and
on what was touched are one. At the end they are sorted by what they come to, the ruling: only where
rulings differ does it matter which reading is true.

Weights are whole hundredths of a nat (`NAT` is e times less likely), the same everywhere.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import Any, NamedTuple

from msgspec import Struct

from controller.board import EDGES, Board, CellId, Edge, opposite
from controller.facts import MS
from controller.games.hextraction.actions import (
    Action,
    Fell,
    Goal,
    Gone,
    Off,
    Rest,
    Roll,
    Touch,
    Wall,
)
from controller.games.hextraction.tiles import HEIGHT
from controller.perception.debounce import Change

NAT = 100
MISS = 391
"""A fitted sensor misses a ball: one in fifty."""
FALSE = 1010
"""A sign from nowhere: half a percent of all, at any of some 125 sensors."""
AGAIN = 300
"""Another one from a sensor that has made one up in this roll: it is a bad one."""
DOUBLE = 460
"""A sensor speaks twice for one ball within `TWICE`: one in a hundred."""
TWICE = 60 * MS
KNOCK = 400
"""A ball at rest is knocked on."""
HOP = 900
"""A ball jumps a wall, or takes a way that its tile does not have."""
OVER = 1200
"""A ball crosses an open slot and does not fall."""
BACK = 900
"""A ball turns round in a tile, or comes out of an end zone again."""
TREMBLE = 250
"""A ball knocks again at the wall it leans on."""
JAM = 460
"""A ball stays in a lane that is open."""
STICK = 460
"""A ball stops in a tile that it could leave: one in a hundred."""
BEHIND = 110
"""The same, where another ball is in its way."""
SUNK = 5
"""The same, where every way out goes up."""
CLIMB = 300
"""A ball has the speed to go up."""
UNLOADED = 460
"""The first ball of a roll in a lane that nobody was seen to put there; another one: `MORE`."""
MORE = 800
TWO = 1100
"""A second ball in a lane where only one was seen to be put."""
LIFTED = 600
"""A ball that left a lane's loading place was taken out by hand."""
TAKEN = 1000
"""A ball that was picked up, or vanished."""
UNSEEN_REST = 900
"""A ball leans where the sensor, which is read again and again, does not feel it."""
UNEXPLAINED = 1200
"""A sensor feels a ball that is none of those we know."""

BUDGET = 1250
"""How much may be unseen between two signs of one ball: three sensors that miss it."""
GAP = 1500
"""How much less likely than the best a reading may be and still be kept."""
WIDTH = 160
"""How many readings are kept."""
ENDS = 1100
"""How much less likely than the best an end may be and still be weighed."""
POPS = 120
"""How many places a ball is followed to unseen, where hardly anything is sensed."""

Spot = tuple[str, str, Edge]
"""Where a ball is: ("in", slot, the edge it came in by; 0 for unknown), ("at", slot, the shut edge
it leans on), ("load", lane, 1 once it has left its loading place) or ("lane", lane, 0) before its
gate, ("held", lane, 0), ("zone", slot, edge), ("told", place, 0) where people say that it lies."""
Told = tuple[Any, ...]
"""An action that still lacks its ball: (`Touch`, "C3")."""
Ball = tuple[int, Spot, bool]
"""(number, where, whether it moves)"""

LOG_SUMS = tuple(round(NAT * math.log1p(math.exp(-d / NAT))) for d in range(6 * NAT))
"""What two weights that differ by so much gain when they are added."""
PARTS = tuple(round(1_000_000 * math.exp(-d / NAT)) for d in range(14 * NAT))
"""Millionths of the better of two readings that differ by so much."""


class Way(NamedTuple):
    cost: int
    told: tuple[Told, ...]
    spot: Spot | None
    """None once it has left the slots."""
    blind: bool = False
    """It leads over an edge where nothing is sensed."""


class Ruling(Struct, frozen=True):
    """What a roll comes to: a ball in an end zone; or the slots whose tiles go, and where balls
    lie (a slot, a seam, a lane)."""

    win: bool
    lost: tuple[CellId, ...] = ()
    rests: tuple[str, ...] = ()


class End(NamedTuple):
    """How a ball ended: what it did unseen, and where it lies: a place, "" for gone."""

    cost: int
    ball: int
    told: tuple[Told, ...] = ()
    rest: str = ""
    blind: bool = False


class Judged(Struct):
    """A ruling, how unlikely it is, and the best reading that comes to it."""

    cost: int
    ruling: Ruling
    best: int
    story: list[tuple[int, int, Action]]
    """What balls did: the number of the sign that told it, the ball, and the happening."""
    blind: bool
    """Where a ball ended is not sensed at all on this board, so that nothing speaks against it."""


class Automaton:
    """What balls can do on one layout: from each spot the ways over sensors, seen or not."""

    def __init__(
        self,
        board: Board,
        doors: Callable[[CellId], Mapping[Edge, tuple[Edge, ...]] | None],
        odds: Callable[[CellId, Edge], Mapping[Edge, float]],
        fitted: Callable[[str], bool],
        before: "Automaton | None" = None,
    ) -> None:
        """`odds(slot, edge)`: how a ball that came in there leaves, as far as the tile's file says.
        `before` is one of the same board, from which it takes what is the same."""
        self.board = board
        self.odds = odds
        self.doors = {cell.id: doors(cell.id) for cell in board.cells}
        self.lane = {ramp.id: (ramp.cell, ramp.edge) for ramp in board.ramps}
        self.lanes = set(board.entry)
        self.fitted = {sensor.id for sensor in board.sensors if fitted(sensor.id)}
        sides = [(cell.id, edge) for cell in board.cells for edge in EDGES] if not before else []
        self.over: dict[tuple[CellId, Edge], CellId | None] = (
            before.over if before else {side: board.neighbour(*side) for side in sides}
        )
        self.seam: dict[tuple[CellId, Edge], str] = (
            before.seam if before else {side: board.seam(*side) for side in sides}
        )
        self._reach: dict[Spot, tuple[dict[str, list[Way]], list[Way]]] = {}
        if before and (before.doors, before.fitted) == (self.doors, self.fitted):
            self._reach = before._reach

    def miss(self, sensor: str) -> int:
        return MISS if sensor in self.fitted else 0

    def seen(self, spot: Spot, sensor: str) -> list[Way]:
        """How a ball at `spot` can have made `sensor` speak."""
        return self._reached(spot)[0].get(sensor, [])

    def unseen(self, spot: Spot) -> list[Way]:
        """Where a ball at `spot` can be now, no sensor having said so."""
        return self._reached(spot)[1]

    def _reached(self, spot: Spot) -> tuple[dict[str, list[Way]], list[Way]]:
        found = self._reach.get(spot)
        if found is None:
            found = self._reach[spot] = self._explore(spot)
        return found

    def _explore(self, start: Spot) -> tuple[dict[str, list[Way]], list[Way]]:
        """All ways from `start` within the budget, the likeliest first."""
        seen: dict[str, list[Way]] = {}
        unseen: list[Way] = []
        queue: list[tuple[int, int, Way]] = [(0, 0, Way(0, (), start))]
        visits: dict[Spot, int] = {}
        count = 0
        while queue and count < POPS:
            cost, _, way = heappop(queue)
            unseen.append(way)
            if way.spot is None or visits.get(way.spot, 0) >= 3:
                continue
            visits[way.spot] = visits.get(way.spot, 0) + 1
            for more, sensor, told, spot in self._steps(way.spot):
                total = cost + more
                if total > BUDGET:
                    continue
                after = Way(total, way.told + told, spot)
                seen.setdefault(sensor, []).append(after)
                total += self.miss(sensor)
                if total <= BUDGET and spot != way.spot:
                    count += 1
                    blind = way.blind or sensor not in self.fitted
                    heappush(queue, (total, count, after._replace(cost=total, blind=blind)))
        return seen, unseen

    def _steps(self, spot: Spot) -> Iterator[tuple[int, str, tuple[Told, ...], Spot | None]]:
        kind, place, edge = spot
        if kind == "told":
            yield from self._steps(spot_of(self, place))
        elif kind in ("load", "lane", "held"):
            yield from self._leave_lane(kind, place)
        elif kind == "zone":
            touch = self._touch(place)
            yield BACK, f"throat:{place}-{edge}", touch, ("in", place, edge)
        elif kind == "at":
            there = self.over[place, edge]
            if there is None or not self.shut(there, opposite(edge)):
                yield from self._cross(0, place, edge)  # the wall was taken out
            else:
                yield TREMBLE, f"edge:{self.seam[place, edge]}", (), spot
            yield from self._through(place, edge, leaning=True)
        else:
            yield from self._through(place, edge)

    def _leave_lane(
        self, kind: str, lane: str
    ) -> Iterator[tuple[int, str, tuple[Told, ...], Spot | None]]:
        cell, edge = self.lane[lane]
        gate = f"gate:{lane}"
        begun: tuple[Told, ...] = ((Roll, lane),) if kind == "load" else ()
        shut = self.shut(cell, edge)
        if kind == "held":
            yield TREMBLE, gate, (), ("held", lane, 0)
        else:
            wall: tuple[Told, ...] = ((Wall, cell),) if shut else ()
            yield 0 if shut else JAM, gate, begun + wall, ("held", lane, 0)
        if not shut:
            cost = 0 if kind != "held" else TREMBLE
            yield cost, gate, begun + self._touch(cell), ("in", cell, edge)

    def _through(
        self, cell: CellId, entry: Edge, leaning: bool = False
    ) -> Iterator[tuple[int, str, tuple[Told, ...], Spot | None]]:
        """Out of a slot: by its tile's ways; down, where there is none; or by a way unheard of."""
        doors = self.doors[cell]
        if doors is None:
            yield 0, f"fall:{cell}", ((Fell, cell),), None
            ways: tuple[Edge, ...] = ()
        elif entry in doors:
            ways = doors[entry]
        else:
            ways = tuple(edge for edge in doors if edge != entry)
        costs = self._odds(cell, entry, ways)
        for out in EDGES:
            if out in costs:
                yield from self._cross(costs[out], cell, out)
            elif doors is None:
                yield from self._cross(OVER, cell, out)
            elif out != entry:
                yield from self._cross(HOP, cell, out)
            elif not leaning:
                yield from self._cross(BACK, cell, out)

    def _odds(self, cell: CellId, entry: Edge, ways: tuple[Edge, ...]) -> dict[Edge, int]:
        """How unlikely each way is. A ball goes up only with the speed for it."""
        shares, level = self._shares(cell, entry, ways)
        total = level or sum(shares.values())
        return {
            out: _minus_log(max(total, share), share) + (CLIMB if _up(entry, out) else 0)
            for out, share in shares.items()
        }

    def _shares(
        self, cell: CellId, entry: Edge, ways: tuple[Edge, ...]
    ) -> tuple[dict[Edge, int], int]:
        """How often, in thousandths, each way is taken; and those together that do not go up, 0
        where balls hardly ever take one."""
        known = self.odds(cell, entry) if entry else {}
        shares = {out: max(round(known.get(out, 0.001) * 1000), 1) for out in ways}
        level = sum(share for out, share in shares.items() if not _up(entry, out))
        return shares, level if level * 50 > sum(shares.values()) else 0

    def _cross(
        self, cost: int, cell: CellId, out: Edge
    ) -> Iterator[tuple[int, str, tuple[Told, ...], Spot | None]]:
        board = self.board
        there = self.over[cell, out]
        if there is not None:
            sensor = f"edge:{self.seam[cell, out]}"
            if self.shut(there, opposite(out)):
                yield cost, sensor, ((Wall, there),), ("at", cell, out)
                if cost < HOP:
                    over = ("in", there, opposite(out))
                    yield cost + HOP, sensor, self._touch(there), over
            else:
                yield cost, sensor, self._touch(there), ("in", there, opposite(out))
        elif (zone := board.goal.get((cell, out))) is not None:
            yield cost, f"throat:{cell}-{out}", ((Goal, zone),), ("zone", cell, out)
        elif (cell, out) not in board.entry:
            yield cost, f"exit:{cell}-{out}", ((Off, cell, out),), None

    def _touch(self, cell: CellId) -> tuple[Told, ...]:
        return () if self.doors[cell] is None else ((Touch, cell),)

    def shut(self, cell: CellId, edge: Edge) -> bool:
        """Whether a wall stands at a slot's edge; an open slot has none."""
        doors = self.doors[cell]
        return doors is not None and edge not in doors

    def stay(self, spot: Spot) -> int:
        """How unlikely it is that a ball stops there, inside a tile, with its way free."""
        _, cell, entry = spot
        doors = self.doors[cell]
        if doors is None:
            return UNEXPLAINED
        ways = doors.get(entry) or ()
        if not self._shares(cell, entry, ways)[1]:
            return SUNK
        back = [
            cost for out, cost in self._odds(cell, entry, ways).items() if (cell, out) in self.lanes
        ]
        cost = STICK  # it also stays where it rolls towards a lane and back
        for other in back:
            cost = _sum(cost, other)
        return cost


class Reading(Struct):
    """One thing that the roll may have been so far."""

    cost: int
    balls: tuple[Ball, ...]
    touches: int = 0
    """Two bits a slot: how often its tile was touched, up to three."""
    left: int = 0
    """One bit a slot: a ball left over its side."""
    story: "tuple[object, int, int, tuple[Told, ...]] | None" = None
    """(what was before, number of the sign, ball, what it did)"""
    liars: frozenset[str] = frozenset()
    next: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        balls = self.balls
        alike = (
            tuple(sorted(ball[1:] for ball in balls)) if len(balls) > 1 else balls and balls[0][1:]
        )
        return alike, self.touches, self.left


class Readings:
    """All readings of one roll, from what was beyond doubt on."""

    def __init__(
        self,
        automaton: Automaton,
        balls: Iterable[Ball],
        loaded: Iterable[tuple[str, bool]],
        next_ball: int,
        touches: Mapping[CellId, int],
    ) -> None:
        self.automaton = automaton
        self._bit = {cell.id: i for i, cell in enumerate(automaton.board.cells)}
        lying = tuple(balls)
        loaded = list(loaded)
        for lane, lies in loaded:
            lying = (*lying, (next_ball, ("load", lane, 0 if lies else 1), True))
            next_ball += 1
        counted = sum(min(count, 3) << 2 * self._bit[slot] for slot, count in touches.items())
        self.readings = [Reading(0, lying, counted, next=next_ball)]
        self._count = 0
        self._first = next_ball
        self._loaded = {lane for lane, _ in loaded}
        self._spoke: dict[str, int] = {}
        """When each sensor spoke last."""

    # ------------------------------------------------------------------------------ signs

    def see(self, change: Change, number: int) -> None:
        """Take in a sensor's change of level, the `number`th of what came in."""
        self._count = number + 1
        kind, _, place = change.sensor.partition(":")
        if not change.level:
            if kind in ("edge", "gate", "load"):
                self._let_go(kind, place)
            return
        new: dict[tuple[object, ...], Reading] = {}
        twice = change.at - self._spoke.get(change.sensor, -TWICE) < TWICE
        self._spoke[change.sensor] = change.at
        if kind == "load":
            self._loaded.add(place)
        for reading in self.readings:
            if kind == "load":
                self._load(reading, place, new)
            else:
                self._explain(reading, change.sensor, kind, place, number, twice, new)
        self._prune(new)

    def _explain(
        self,
        reading: Reading,
        sensor: str,
        kind: str,
        place: str,
        number: int,
        twice: bool,
        new: dict[tuple[object, ...], Reading],
    ) -> None:
        cost = AGAIN if sensor in reading.liars else DOUBLE if twice else FALSE
        false = Reading(
            reading.cost + cost,
            reading.balls,
            reading.touches,
            reading.left,
            reading.story,
            reading.liars | {sensor},
            reading.next,
        )
        _add(new, false)
        moving = sum(moves for _, _, moves in reading.balls)
        seen = self.automaton.seen
        for i, (_, spot, moves) in enumerate(reading.balls):
            extra = (0, 0, 69, 110)[min(moving, 3)] if moves else KNOCK
            for way in seen(spot, sensor):
                _add(new, self._moved(reading, i, way, extra, number))
        self._unloaded(reading, sensor, number, new)

    def _unloaded(
        self, reading: Reading, sensor: str, number: int, new: dict[tuple[object, ...], Reading]
    ) -> None:
        """A ball nobody was seen to put in a lane, just above where the sensor is."""
        cells = [part for part in sensor.partition(":")[2].split("-") if part in self._bit]
        for lane, (cell, _) in self.automaton.lane.items():
            if cell not in cells or any(spot[1] == lane for _, spot, _ in reading.balls):
                continue
            spot: Spot = ("load", lane, 0)
            extra = UNLOADED if reading.next == self._first else MORE
            extra = TWO if lane in self._loaded else extra
            if f"load:{lane}" not in self.automaton.fitted:
                extra -= MISS
            for way in self.automaton.seen(spot, sensor):
                with_it = Reading(
                    reading.cost + extra,
                    (*reading.balls, (reading.next, spot, True)),
                    reading.touches,
                    reading.left,
                    reading.story,
                    reading.liars,
                    reading.next + 1,
                )
                _add(new, self._moved(with_it, len(reading.balls), way, 0, number))

    def _moved(self, reading: Reading, i: int, way: Way, extra: int, number: int) -> Reading:
        """The reading in which ball `i` went that way."""
        id = reading.balls[i][0]
        touches, left = self._count_told(reading.touches, reading.left, way.told)
        ball = () if way.spot is None else ((id, way.spot, True),)
        return Reading(
            reading.cost + extra + way.cost,
            (*reading.balls[:i], *ball, *reading.balls[i + 1 :]),
            touches,
            left,
            (reading.story, number, id, way.told) if way.told else reading.story,
            reading.liars,
            reading.next,
        )

    def _count_told(self, touches: int, left: int, told: tuple[Told, ...]) -> tuple[int, int]:
        for what in told:
            if what[0] is Touch or what[0] is Wall:
                at = 2 * self._bit[str(what[1])]
                if touches >> at & 3 < 3:
                    touches += 1 << at
            elif what[0] is Off:
                left |= 1 << self._bit[str(what[1])]
        return touches, left

    def _load(self, reading: Reading, lane: str, new: dict[tuple[object, ...], Reading]) -> None:
        """A ball is put into a lane, or a sensor says so."""
        spot: Spot = ("load", lane, 0)
        if any(ball[1][:2] == spot[:2] for ball in reading.balls):
            _add(new, reading)
            return
        balls = (*reading.balls, (reading.next, spot, True))
        _add(new, _with(reading, 0, balls, reading.next + 1))
        _add(new, _with(reading, FALSE, reading.balls, reading.next))

    def _let_go(self, kind: str, place: str) -> None:
        """A ball that lay on this sensor lies there no more."""
        seams = self.automaton.seam
        for n, reading in enumerate(self.readings):
            for i, (id, spot, moves) in enumerate(reading.balls):
                if kind == "load" and spot == ("load", place, 0):
                    let = (id, ("load", place, 1), True)
                    self.readings[n] = reading = _with(
                        reading, 0, (*reading.balls[:i], let, *reading.balls[i + 1 :]), reading.next
                    )
                if moves or kind == "load" or spot[0] not in ("at", "held"):
                    continue
                if place == (spot[1] if spot[0] == "held" else seams[spot[1], spot[2]]):
                    balls = (*reading.balls[:i], (id, spot, True), *reading.balls[i + 1 :])
                    self.readings[n] = _with(reading, 0, balls, reading.next)

    def heard(self, action: Action, number: int) -> None:
        """A person said where a ball is, or that one is rolled."""
        self._count = number + 1
        for n, reading in enumerate(self.readings):
            balls = reading.balls
            if isinstance(action, Roll):
                ball: Ball = (reading.next, ("lane", action.ramp, 0), True)
                after = _with(reading, 0, (*balls, ball), reading.next + 1)
                after.story = (reading.story, number, ball[0], ((Roll, action.ramp),))
            elif isinstance(action, Rest | Fell | Off | Goal | Gone):
                # Balls are alike: one of another number will do, if it moved.
                numbers = [ball[0] for ball in balls]
                moving = [i for i, ball in enumerate(balls) if ball[2]]
                if action.ball in numbers:
                    i = numbers.index(action.ball)
                elif moving:
                    i = moving[0]
                else:
                    lost = isinstance(action, Gone)
                    reading.cost += 0 if lost else UNEXPLAINED
                    continue
                spot = _said(action)
                way = Way(0, ((type(action), *_values(action)),), spot)
                after = self._moved(reading, i, way, 0, number)
                if spot is not None:
                    id = balls[i][0]
                    still = tuple(b if b[0] != id else (id, spot, False) for b in after.balls)
                    after = _with(after, 0, still, after.next)
            else:
                continue
            self.readings[n] = after

    def _prune(self, new: dict[tuple[object, ...], Reading]) -> None:
        best = min(reading.cost for reading in new.values())
        kept = [reading for reading in new.values() if reading.cost <= best + GAP]
        kept.sort(key=lambda reading: reading.cost)
        self.readings = kept[:WIDTH]

    # ------------------------------------------------------------------------------- the end

    def judge(self, high: Callable[[str], bool]) -> list[Judged]:
        """What the roll may come to now that all is still, the likeliest first.

        `high(sensor)`: whether it is active, fitted and healthy.
        """
        automaton = self.automaton
        held = {
            s for s in automaton.fitted if s.startswith(("edge:", "gate:", "floor:")) and high(s)
        }
        found: dict[Ruling, Judged] = {}
        limit = 1 << 30
        for reading in self.readings:
            if reading.cost > limit:
                continue
            for cost, ends in self._endings(reading, held, limit):
                ruling = self._ruling(reading, ends)
                known = found.get(ruling)
                if known is None or cost < known.best:
                    story = _story(reading)
                    story += [(self._count, e.ball, act) for e in ends for act in _acts(e)]
                    total = cost if known is None else _sum(known.cost, cost)
                    blind = any(end.blind for end in ends)
                    found[ruling] = Judged(total, ruling, cost, story, blind)
                else:
                    known.cost = _sum(known.cost, cost)
                limit = min(limit, cost + ENDS)
        return sorted(found.values(), key=lambda judged: (judged.cost, judged.ruling.lost))

    def _endings(
        self, reading: Reading, held: set[str], limit: int
    ) -> list[tuple[int, tuple[End, ...]]]:
        """How the balls of a reading can have come to rest, together, and how unlikely that is."""
        partial: list[tuple[int, tuple[End, ...]]] = [(reading.cost, ())]
        for ball in reading.balls:
            options = list(self._ends(ball, held))
            least = min(end.cost for end in options)
            grown = [
                (cost + end.cost, (*ends, end))
                for cost, ends in partial
                for end in options
                if end.cost <= least + ENDS
                and cost + end.cost <= limit
                and not ("-" in end.rest and any(end.rest == other.rest for other in ends))
            ]
            grown.sort(key=lambda one: one[0])
            partial = grown[:WIDTH]
        whole = [(cost + self._together(ends, held), ends) for cost, ends in partial]
        return [one for one in whole if one[0] <= limit]

    def _ends(self, ball: Ball, held: set[str]) -> Iterator[End]:
        """Where one ball can have ended."""
        automaton = self.automaton
        id, spot, moves = ball
        if spot[0] == "told":
            yield End(0, id, (), spot[1])
            return
        yield End(TAKEN, id, (), "gone")
        if not moves and self._lies(spot, held):
            yield End(0, id, (), self._place(spot))
            return
        if spot[0] == "load":  # still in the lane, or in somebody's hand again: not rolled
            yield End(LIFTED if spot[2] else 0, id, (), "load")
        for way in automaton.unseen(spot):
            here, cost = way.spot, way.cost + (KNOCK if way.told and not moves else 0)
            if here is None:
                yield End(cost, id, way.told, "", way.blind)
                continue
            kind, place, edge = here
            if kind == "in":
                stay = 0 if here == spot and not moves else automaton.stay(here)
                yield End(cost + stay, id, way.told, place, way.blind)
            elif kind == "at":
                seam = automaton.seam[place, edge]
                yield self._leans(End(cost, id, way.told, seam, way.blind), f"edge:{seam}", held)
                yield End(cost + STICK, id, way.told, place, way.blind)
            elif kind == "lane":  # not yet at the gate
                yield End(cost + JAM, id, way.told, place, way.blind)
            elif kind == "held":
                yield self._leans(End(cost, id, way.told, place, way.blind), f"gate:{place}", held)
            elif kind == "zone":
                zone = automaton.board.goal[place, edge]
                end = End(cost, id, way.told, f"zone:{zone}", way.blind)
                yield self._leans(end, f"floor:{zone}", held)

    def _lies(self, spot: Spot, held: set[str]) -> bool:
        """Whether nothing says that a ball at rest is no longer there."""
        kind = {"at": "edge", "held": "gate"}.get(spot[0])
        return kind is None or f"{kind}:{self._place(spot)}" in held

    def _place(self, spot: Spot) -> str:
        return self.automaton.seam[spot[1], spot[2]] if spot[0] == "at" else spot[1]

    def _leans(self, end: End, sensor: str, held: set[str]) -> End:
        """The end of a ball that lies on a sensor, if there is one."""
        if sensor in held:
            return end._replace(blind=False)
        if sensor in self.automaton.fitted:
            return end._replace(cost=end.cost + UNSEEN_REST)
        return end._replace(blind=True)

    def _together(self, ends: tuple[End, ...], held: set[str]) -> int:
        """What the places of all balls together cost or save: sensors that feel a ball which is
        none of them, and balls that lie behind others."""
        board = self.automaton.board
        rests = [end.rest for end in ends]
        felt = {f"{kind}:{rest}" for rest in rests for kind in ("edge", "gate")}
        felt |= {f"floor:{rest[5:]}" for rest in rests if rest.startswith("zone:")}
        cost = UNEXPLAINED * len(held - felt)
        for i, rest in enumerate(rests):
            if rest in board.cell:
                near = [r for k, r in enumerate(rests) if k != i and rest in r.split("-")]
                if near:
                    cost -= STICK - BEHIND
        return cost

    def _ruling(self, reading: Reading, ends: tuple[End, ...]) -> Ruling:
        touches, left = reading.touches, reading.left
        for end in ends:
            if end.rest.startswith("zone:"):
                return Ruling(True)
            touches, left = self._count_told(touches, left, end.told)
        doors = self.automaton.doors
        lost = tuple(
            cell
            for cell, i in self._bit.items()
            if doors[cell] is not None and (left >> i & 1 or touches >> 2 * i & 3 == 3)
        )
        rests = sorted(end.rest for end in ends if end.rest not in ("", "gone", "load"))
        return Ruling(False, lost, tuple(rests))


def doubt(judged: list[Judged]) -> int:
    """How likely it is that the best ruling is not the true one, in millionths (of the best)."""
    best = judged[0].cost
    return sum(PARTS[d] for other in judged[1:] if (d := other.cost - best) < len(PARTS))


def spot_of(automaton: Automaton, place: str) -> Spot:
    """The spot of a ball that lies at `place`: a slot, a seam, a lane or an end zone."""
    board = automaton.board
    if place.startswith("zone:"):
        zone = next(z for z in board.zones if z.id == place[5:])
        return "zone", zone.cell, zone.edges[0]
    if place in automaton.lane:
        return "held", place, 0
    if place in board.cell:
        return "in", place, 0
    for cell, edge, other in board.shared_edges:
        if automaton.seam[cell, edge] == place:
            if edge in (automaton.doors[cell] or ()):
                return "at", cell, edge
            return "at", other, opposite(edge)
    return "in", place.split("-")[0], 0


def _said(action: Action) -> Spot | None:
    """Where a ball lies, people say; None where it left."""
    if isinstance(action, Rest):
        return "told", action.place, 0
    return ("told", f"zone:{action.zone}", 0) if isinstance(action, Goal) else None


def _add(new: dict[tuple[object, ...], Reading], reading: Reading) -> None:
    """Keep a reading; one that agrees with a known one makes it likelier."""
    key = reading.key
    known = new.get(key)
    if known is None:
        new[key] = reading
        return
    best = reading if reading.cost < known.cost else known
    best.cost = _sum(known.cost, reading.cost)
    new[key] = best


def _with(reading: Reading, extra: int, balls: tuple[Ball, ...], next: int) -> Reading:
    return Reading(
        reading.cost + extra,
        balls,
        reading.touches,
        reading.left,
        reading.story,
        reading.liars,
        next,
    )


def _sum(a: int, b: int) -> int:
    """The cost of one of two readings being true."""
    if a > b:
        a, b = b, a
    return a - (LOG_SUMS[b - a] if b - a < len(LOG_SUMS) else 0)


def _up(entry: Edge, out: Edge) -> bool:
    return entry > 0 and HEIGHT[out] > HEIGHT[entry]


def _minus_log(total: int, share: int) -> int:
    return round(NAT * math.log(total / share))


def _story(reading: Reading) -> list[tuple[int, int, Action]]:
    chunks: list[tuple[int, int, tuple[Told, ...]]] = []
    story = reading.story
    while story is not None:
        before, number, ball, told = story
        chunks.append((number, ball, told))
        story = before  # type: ignore[assignment]
    return [
        (number, ball, action)
        for number, ball, told in reversed(chunks)
        for action in _actions(ball, told)
    ]


def _actions(ball: int, told: tuple[Told, ...]) -> Iterator[Action]:
    for kind, *values in told:
        make: Callable[..., Action] = kind
        yield make(*values) if kind is Roll else make(ball, *values)


def _acts(end: End) -> Iterator[Action]:
    yield from _actions(end.ball, end.told)
    if end.rest == "gone":
        yield Gone(end.ball)
    elif end.rest not in ("", "load") and not end.rest.startswith("zone:"):
        yield Rest(end.ball, end.rest)


def _values(action: Action) -> tuple[str | int, ...]:
    return tuple(getattr(action, name) for name in action.__struct_fields__ if name != "ball")
