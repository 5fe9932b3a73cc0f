"""Readings: all that a roll may have been, weighed against each other when it is over.

The tracker follows a roll by its one likeliest reading while balls roll, fast enough for lights.
Here the same signs are gone through again over the layout's automaton with every reading that is
not absurd: signs that sensors missed, made up or gave twice, balls that hopped, were knocked on,
picked up or put in by hand, parts of tiles in any state. Readings that agree on where balls are and
on what was touched are one. At the end they are sorted by what they come to, the ruling: only where
rulings differ does it matter which reading is true.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from controller.board import CellId
from controller.facts import MS
from controller.games.hextraction.actions import (
    Action,
    Fell,
    Fire,
    Goal,
    Gone,
    OfBall,
    Off,
    Rest,
    Roll,
    Touch,
    Wall,
)
from controller.perception.automaton import (
    BEHIND,
    JAM,
    MISS,
    STICK,
    UNEXPLAINED,
    Automaton,
    Spot,
    Stay,
    Told,
    Way,
)
from controller.perception.debounce import Change
from controller.perception.weights import PARTS, either

FALSE = 1010
"""A sign from nowhere: half a percent of all, at any of some 125 sensors."""
AGAIN = 300
"""Another one from a sensor that has made one up in this roll: it is a bad one."""
DOUBLE = 460
"""A sensor speaks twice for one ball within `TWICE`: one in a hundred."""
TWICE = 60 * MS
KNOCK = 400
"""A ball at rest moves on, and no other one was seen to come near."""
BUMP = 69
"""A ball at rest is knocked on by one that comes into its slot: as often as not."""
UNLOADED = 460
"""The first ball of a roll in a lane that nobody was seen to put there; another one: `MORE`."""
MORE = 800
RAMP = 230
"""The first ball of a roll comes from a tile's own ramp, where there is one: one in ten."""
TWO = 1400
"""A second ball in a lane where only one was seen to be put."""
SECOND = 700
"""A second ball is put into one lane in the same roll."""
LIFTED = 700
"""A ball that left a lane's loading place was taken out by hand."""
TAKEN = 1000
"""A ball that was picked up, or vanished."""
UNSEEN_REST = 900
"""A ball leans where the sensor, which is read again and again, does not feel it."""
UNHEARD = 1 << 20
"""Nothing can lie or have gone where people say so: what can counts, however unlikely it is."""

GAP = 1500
"""How much less likely than the best a reading may be and still be kept."""
WIDTH = 160
"""How many readings are kept."""
ENDS = 1100
"""How much less likely than the best an end may be and still be weighed."""

Ball = tuple[int, Spot, bool]
"""(number, where, whether it moves)"""
Fired = tuple[tuple[CellId, str], ...]
"""Areas that were set off, in order: (slot, area)"""


class Counting(Struct, frozen=True):
    """What of a roll counts, as the people agreed."""

    walls: bool = True
    """A ball touches a tile from outside (K37)."""
    each: bool = False
    """Touches of one ball break the loop, not those of all together (K13)."""
    once: bool = False
    """An area is set off once (K21)."""


COUNTING = Counting()


class Ruling(Struct, frozen=True):
    """What a roll comes to: a ball in an end zone; or the slots whose tiles go, and where balls
    lie (a slot, a seam, a lane); and which areas were set off, each as often as it was."""

    win: bool
    lost: tuple[CellId, ...] = ()
    rests: tuple[str, ...] = ()
    fired: "Fired" = ()

    @property
    def outcome(self) -> tuple[object, ...]:
        """What matters to the rules now: of where balls lie only that they lie in lanes, or, of
        three on one tile, what they touch (2.1.3, 2.1.5.5)."""
        lanes = tuple(rest for rest in self.rests if rest[-2:-1] == "-")
        lying = [rest.split("-") for rest in self.rests if rest not in lanes]
        touching = Counter(part for rest in lying for part in rest)
        crowded = {cell for cell, count in touching.items() if count >= 3}
        threes = tuple("-".join(rest) for rest in lying if crowded & {*rest})
        return self.win, self.lost, self.fired, lanes, threes


class End(NamedTuple):
    """How a ball ended: what it did unseen, and where it lies: a place, "" for gone."""

    cost: int
    ball: int
    told: tuple[Told, ...] = ()
    rest: str = ""
    blind: bool = False
    leans: CellId = ""
    """The slot inside which it leans on a wall."""
    stay: Stay | None = None
    """How it came to lie inside a tile."""


class Judged(Struct):
    """A ruling, how unlikely it is, and the best reading that comes to it."""

    cost: int
    ruling: Ruling
    best: int
    story: list[tuple[int, int, Action]]
    """What balls did: the number of the sign that told it, the ball, and the happening."""
    blind: bool
    """Where a ball ended is not sensed at all on this board, so that nothing speaks against it."""


Story = tuple["Story | None", int, int, tuple[Told, ...]]
"""(what was before, number of the sign, ball, what it did)"""


class Reading(Struct):
    """One thing that the roll may have been so far."""

    cost: int
    balls: tuple[Ball, ...]
    touches: int = 0
    """Two bits a slot, for each ball if so agreed: how often its tile was touched, up to three."""
    left: int = 0
    """One bit a slot: a ball left over its side."""
    fired: Fired = ()
    story: Story | None = None
    liars: frozenset[str] = frozenset()
    next: int = 1


class Readings:
    """All readings of one roll, from what was beyond doubt on."""

    def __init__(
        self,
        automaton: Automaton,
        starts: Iterable[tuple[int, Iterable[Ball]]],
        loaded: Iterable[tuple[str, bool]],
        next_ball: int,
        touches: Mapping[tuple[CellId, int], int],
        counting: Counting = COUNTING,
        ramps: tuple[CellId, ...] = (),
    ) -> None:
        """`starts`: where balls may lie as the roll begins, and how unlikely that is; a ball of the
        first that another lacks is gone there. `touches`: how often a ball, or 0 for all together,
        has touched a tile. `ramps`: tiles from whose own ramp a ball may be rolled."""
        self.automaton = automaton
        self._counting = counting
        self._ramps = ramps
        self._bit = {cell.id: i for i, cell in enumerate(automaton.board.cells)}
        loaded, waiting = list(loaded), list[Ball]()
        for lane, lies in loaded:
            waiting.append((next_ball, ("load", lane, 0 if lies else 1), True))
            next_ball += 1
        counted = sum(min(count, 3) << self._at(*key) for key, count in touches.items())
        lying = [(cost, tuple(balls)) for cost, balls in starts]
        self.readings = [
            Reading(
                cost, (*balls, *waiting), counted, story=_gone(lying[0][1], balls), next=next_ball
            )
            for cost, balls in lying
        ]
        self._lain = {(ball[0], ball[1][1]) for reading in self.readings for ball in reading.balls}
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
        again = place in self._loaded
        if kind == "load":
            self._loaded.add(place)
        for reading in self.readings:
            if kind == "load":
                self._load(reading, place, again, new)
            else:
                self._explain(reading, change.sensor, number, twice, new)
        self._prune(new)

    def _explain(
        self,
        reading: Reading,
        sensor: str,
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
            reading.fired,
            reading.story,
            reading.liars | {sensor},
            reading.next,
        )
        self._add(new, false)
        moving = sum(moves for _, _, moves in reading.balls)
        seen = self.automaton.seen
        for i, (_, spot, moves) in enumerate(reading.balls):
            extra = (0, 0, 69, 110)[min(moving, 3)] if moves else self._knock(reading, spot)
            for way in seen(spot, sensor):
                self._add(new, self._moved(reading, i, way, extra, number))
        self._unloaded(reading, sensor, number, new)

    def _knock(self, reading: Reading, spot: Spot) -> int:
        """How unlikely it is that a ball at rest was knocked on: not very, where another one is in
        its slot or has just left it."""
        over, slot = self.automaton.over, spot[1]
        near = any(
            moves and slot in (other[1], over.get((other[1], other[2])))
            for _, other, moves in reading.balls
        )
        return BUMP if near else KNOCK

    def _add(self, new: dict[tuple[object, ...], Reading], reading: Reading) -> None:
        """Keep a reading; one that agrees with a known one makes it likelier."""
        key = self.key(reading)
        known = new.get(key)
        if known is None:
            new[key] = reading
            return
        best = reading if reading.cost < known.cost else known
        best.cost = either(known.cost, reading.cost)
        new[key] = best

    def key(self, reading: Reading) -> tuple[object, ...]:
        """What two readings have to share to be one: balls are alike unless touches are counted for
        each (K13)."""
        balls: tuple[object, ...] = reading.balls
        if not self._counting.each:
            balls = tuple(sorted(ball[1:] for ball in reading.balls))
        return balls, reading.touches, reading.left, reading.fired

    def _unloaded(
        self, reading: Reading, sensor: str, number: int, new: dict[tuple[object, ...], Reading]
    ) -> None:
        """A ball nobody was seen to put in a lane, or on a tile's own ramp, just above where the
        sensor is."""
        cells = [part for part in sensor.partition(":")[2].split("-") if part in self._bit]
        first = reading.next == self._first
        for slot in self._ramps:
            if slot in cells:
                extra = RAMP if first else MORE
                self._begun(reading, ("ramp", slot, 0), extra, sensor, number, new)
        for lane, (cell, _) in self.automaton.lane.items():
            if cell not in cells or any(spot[1] == lane for _, spot, _ in reading.balls):
                continue
            extra = UNLOADED if first else MORE
            extra = TWO if lane in self._loaded else extra
            if f"load:{lane}" not in self.automaton.fitted:
                extra -= MISS
            self._begun(reading, ("load", lane, 0), extra, sensor, number, new)

    def _begun(
        self,
        reading: Reading,
        spot: Spot,
        extra: int,
        sensor: str,
        number: int,
        new: dict[tuple[object, ...], Reading],
    ) -> None:
        """A ball that nobody saw at `spot` has made the sensor speak."""
        for way in self.automaton.seen(spot, sensor):
            balls = (*reading.balls, (reading.next, spot, True))
            with_it = _with(reading, extra, balls, reading.next + 1)
            self._add(new, self._moved(with_it, len(reading.balls), way, 0, number))

    def _moved(self, reading: Reading, i: int, way: Way, extra: int, number: int) -> Reading:
        """The reading in which ball `i` went that way."""
        id = reading.balls[i][0]
        touches, left, fired = self._count_told(
            reading.touches, reading.left, reading.fired, way.told, id
        )
        ball = () if way.spot is None else ((id, way.spot, True),)
        return Reading(
            reading.cost + extra + way.cost,
            (*reading.balls[:i], *ball, *reading.balls[i + 1 :]),
            touches,
            left,
            fired,
            (reading.story, number, id, way.told) if way.told else reading.story,
            reading.liars,
            reading.next,
        )

    def _at(self, slot: CellId, ball: int) -> int:
        """Where in `Reading.touches` those of a slot are counted, for one ball or all (K13)."""
        return 2 * (self._bit[slot] + ball * len(self._bit) * self._counting.each)

    def _looped(self, touches: int, slot: CellId, balls: int) -> bool:
        """Whether a tile was touched three times, as far as that breaks the loop."""
        ids = range(balls) if self._counting.each else (0,)
        return any(touches >> self._at(slot, id) & 3 == 3 for id in ids)

    def _count_told(
        self, touches: int, left: int, fired: Fired, told: tuple[Told, ...], ball: int
    ) -> tuple[int, int, Fired]:
        for kind, *where in told:
            slot: CellId = where[0] if where else ""
            touched = kind is Touch or (kind is Wall and self._counting.walls)
            if touched or (kind is Roll and slot in self._bit):  # from a tile's own ramp
                at = self._at(slot, ball)
                if touches >> at & 3 < 3:
                    touches += 1 << at
            elif kind is Off or (kind is Fell and slot in self.automaton.drains):
                left |= 1 << self._bit[slot]
            elif kind is Fire and not (self._counting.once and (slot, where[1]) in fired):
                fired = tuple(sorted((*fired, (slot, where[1]))))
        return touches, left, fired

    def _load(
        self, reading: Reading, lane: str, again: bool, new: dict[tuple[object, ...], Reading]
    ) -> None:
        """A ball is put into a lane, or a sensor says so."""
        spot: Spot = ("load", lane, 0)
        if any(ball[1][:2] == spot[:2] for ball in reading.balls):
            self._add(new, reading)
            return
        balls = (*reading.balls, (reading.next, spot, True))
        cost = SECOND if again or _rolled_from(reading, lane) else 0
        self._add(new, _with(reading, cost, balls, reading.next + 1))
        self._add(new, _with(reading, FALSE, reading.balls, reading.next))

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
        if isinstance(action, Roll):
            self.readings = [self._rolled(one, action.ramp, number) for one in self.readings]
        elif isinstance(action, Rest | Fell | Off | Goal | Gone):
            new: dict[tuple[object, ...], Reading] = {}
            for reading in self.readings:
                for after in self._ended(reading, action, number):
                    self._add(new, after)
            self._prune(new)

    def _rolled(self, reading: Reading, lane: str, number: int) -> Reading:
        kind = "lane" if lane in self.automaton.lane else "in"  # a tile can have a ramp of its own
        ball: Ball = (reading.next, (kind, lane, 0), True)
        after = _with(reading, 0, (*reading.balls, ball), reading.next + 1)
        way = Way(0, ((Roll, lane),), ball[1])
        return self._moved(after, len(reading.balls), way, 0, number)

    def _ended(self, reading: Reading, action: OfBall, number: int) -> Iterator[Reading]:
        """The readings in which a ball ended where people say. Balls are alike: any that moves and
        can have come there will do; else the one they named, however it came there."""
        balls, said, known = reading.balls, _said(action), False
        values = (type(action), *_values(action))
        moving = [i for i, (_, spot, moves) in enumerate(balls) if moves and spot[0] != "told"]
        lies = [i for i, (id, _, moves) in enumerate(balls) if id == action.ball and not moves]
        for i in lies or moving:
            for end in self._ends(balls[i], set()):
                if _is(end, action):
                    more = (values,) if isinstance(action, Rest | Gone) else ()
                    way = Way(end.cost, (*end.told, *more), said)
                    known = True
                    yield self._still(self._moved(reading, i, way, 0, number), balls[i][0])
        if known:
            return
        named = [i for i, ball in enumerate(balls) if ball[0] == action.ball] or moving[:1]
        if named:
            way = Way(UNEXPLAINED, (values,), said)
            yield self._still(self._moved(reading, named[0], way, 0, number), balls[named[0]][0])
        else:
            cost = 0 if isinstance(action, Gone) else UNHEARD
            yield _with(reading, cost, balls, reading.next)

    @staticmethod
    def _still(reading: Reading, id: int) -> Reading:
        """With a ball at rest, if it is still on the board."""
        balls = tuple((b[0], b[1], False) if b[0] == id else b for b in reading.balls)
        return _with(reading, 0, balls, reading.next)

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
                    total = cost if known is None else either(known.cost, cost)
                    blind = any(end.blind for end in ends)
                    found[ruling] = Judged(total, ruling, cost, story, blind)
                else:
                    known.cost = either(known.cost, cost)
                limit = min(limit, cost + ENDS)
        return sorted(found.values(), key=lambda judged: (judged.cost, judged.ruling.lost))

    def _endings(
        self, reading: Reading, held: set[str], limit: int
    ) -> list[tuple[int, tuple[End, ...]]]:
        """How the balls of a reading can have come to rest, together, and how unlikely that is. On
        a seam lies one ball, unless people say otherwise."""
        partial: list[tuple[int, tuple[End, ...]]] = [(reading.cost, ())]
        for ball in sorted(reading.balls, key=lambda ball: ball[1][0] != "told"):
            told = ball[1][0] == "told"
            options = list(self._ends(ball, held))
            least = min(end.cost for end in options)
            grown = [
                (cost + end.cost, (*ends, end))
                for cost, ends in partial
                for end in options
                if end.cost <= least + ENDS
                and cost + end.cost <= limit
                and (told or "-" not in end.rest or end.rest not in [one.rest for one in ends])
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
            leans = spot[1] if spot[0] == "at" else ""
            yield End(0, id, (), self._place(spot), leans=leans)
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
                if here == spot and not moves:
                    yield End(cost, id, way.told, place, way.blind)
                    continue
                for stay in automaton.stays(here):
                    told = way.told + stay.told
                    yield End(cost + stay.cost, id, told, place, way.blind, "", stay)
            elif kind == "at":
                seam = automaton.seam[place, edge]
                cost += automaton.leans(place, edge)
                end = End(cost, id, way.told, seam, way.blind, place)
                yield self._leans(end, f"edge:{seam}", held)
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
        rests = [end.rest for end in ends]
        felt = {f"{kind}:{rest}" for rest in rests for kind in ("edge", "gate")}
        felt |= {f"floor:{rest[5:]}" for rest in rests if rest.startswith("zone:")}
        cost = UNEXPLAINED * len(held - felt)
        return cost + sum(self._in_its_way(i, ends) for i in range(len(ends)))

    def _in_its_way(self, i: int, ends: tuple[End, ...]) -> int:
        """What it costs or saves that other balls lie where one of them stopped on its way."""
        end, areas = ends[i], self.automaton.areas
        if end.stay is None or not (end.stay.stuck or end.stay.behind):
            return 0
        leaning = [other.rest for other in ends if other.leans == end.rest]
        if end.stay.behind:
            wall = self.automaton.seam[end.rest, end.stay.behind]
            return 0 if wall in leaning else UNEXPLAINED
        lying = any(
            other.rest == end.rest and (k < i or (k > i and not (other.stay and other.stay.stuck)))
            for k, other in enumerate(ends)
        )
        return BEHIND - STICK if lying or (leaning and end.rest not in areas) else 0

    def _ruling(self, reading: Reading, ends: tuple[End, ...]) -> Ruling:
        touches, left, fired = reading.touches, reading.left, reading.fired
        for end in ends:
            touches, left, fired = self._count_told(touches, left, fired, end.told, end.ball)
        if any(e.rest.startswith("zone:") and (e.ball, e.rest) not in self._lain for e in ends):
            return Ruling(True, fired=fired)
        doors = self.automaton.doors
        lost = tuple(
            cell
            for cell, i in self._bit.items()
            if doors[cell] is not None
            and (left >> i & 1 or self._looped(touches, cell, reading.next))
        )
        rests = sorted(end.rest for end in ends if end.rest not in ("", "gone", "load"))
        return Ruling(False, lost, tuple(rests), fired)


def _gone(known: Iterable[Ball], lying: Iterable[Ball]) -> Story | None:
    """The story in which those of the known balls that do not lie anywhere are gone."""
    story: Story | None = None
    for ball in sorted({ball[0] for ball in known} - {ball[0] for ball in lying}):
        story = story, 0, ball, ((Gone,),)
    return story


def likeliest(judged: list[Judged]) -> Judged:
    """The best ruling of the likeliest outcome."""
    parts = _outcomes(judged)
    return max(judged, key=lambda one: (parts[one.ruling.outcome], -one.cost))


def doubt(judged: list[Judged]) -> int:
    """How likely it is that the likeliest outcome is not the true one, in millionths of it."""
    parts = _outcomes(judged)
    best = max(parts.values())
    return (sum(parts.values()) - best) * 1_000_000 // best


def _outcomes(judged: list[Judged]) -> dict[tuple[object, ...], int]:
    """How likely each outcome is, in millionths of the best ruling."""
    parts: dict[tuple[object, ...], int] = {}
    least = min(one.cost for one in judged)
    for one in judged:
        part = PARTS[one.cost - least] if one.cost - least < len(PARTS) else 0
        parts[one.ruling.outcome] = parts.get(one.ruling.outcome, 0) + part
    return parts


def _is(end: End, action: Action) -> bool:
    """Whether a ball ended as people say."""
    match action:
        case Rest(_, place):
            return end.rest == place
        case Goal(_, zone):
            return end.rest == f"zone:{zone}"
        case Gone():
            return end.rest in ("gone", "load")
    return end.rest == "" and end.told[-1:] == ((type(action), *_values(action)),)


def _said(action: Action) -> Spot | None:
    """Where a ball lies, people say; None where it left."""
    if isinstance(action, Rest):
        return "told", action.place, 0
    return ("told", f"zone:{action.zone}", 0) if isinstance(action, Goal) else None


def _with(reading: Reading, extra: int, balls: tuple[Ball, ...], next: int) -> Reading:
    return Reading(
        reading.cost + extra,
        balls,
        reading.touches,
        reading.left,
        reading.fired,
        reading.story,
        reading.liars,
        next,
    )


def _backwards(reading: Reading) -> Iterator[tuple[int, int, tuple[Told, ...]]]:
    """The story of a reading, the last chapter first: the sign's number, the ball, what it did."""
    story = reading.story
    while story is not None:
        story, number, ball, told = story
        yield number, ball, told


def _rolled_from(reading: Reading, lane: str) -> bool:
    """Whether a ball has already been rolled from a lane."""
    return any(told[0] == (Roll, lane) for _, _, told in _backwards(reading))


def _story(reading: Reading) -> list[tuple[int, int, Action]]:
    return [
        (number, ball, action)
        for number, ball, told in reversed(list(_backwards(reading)))
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
