"""Readings: all that a roll may have been, weighed against each other when it is over.

The tracker follows a roll by its one likeliest reading while balls roll, fast enough for lights.
Here the same signs are gone through again over the layout's automaton with every reading that is
not absurd: signs that sensors missed, made up or gave twice, balls that hopped, were knocked on,
picked up or put in by hand, parts of tiles in any state. Readings that agree on where balls are and
on what was touched are one. At the end they are sorted by what they come to, the ruling: only where
rulings differ does it matter which reading is true.

Why long: signs, what people say, and the end are three ways into one set of readings.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from copy import copy
from heapq import heappush, heapreplace
from types import MappingProxyType

from hexboard.board import CellId, Edge, opposite
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import (
    Action,
    Fell,
    Goal,
    Gone,
    OfBall,
    Off,
    Rest,
    Roll,
)
from hexboard.games.hextraction.tracking.automaton import (
    BEHIND_CNAT,
    MISS_CNAT,
    STICK_CNAT,
    TWICE_NS,
    UNEXPLAINED_CNAT,
    Automaton,
    Spot,
    Way,
)
from hexboard.games.hextraction.tracking.ends import (
    ENDS_CNAT,
    KNOCK_CNAT,
    SLOW_CNAT,
    TAKEN_CNAT,
    BallEnd,
    Ends,
    acts_of,
    is_said,
    spot_said,
    values_of,
)
from hexboard.games.hextraction.tracking.hypothesis import (
    COUNTING,
    MOVES,
    PAUSED,
    Ball,
    Counting,
    Hypothesis,
    Tally,
    changed,
    has_done,
    has_rolled,
    is_near,
    is_roll,
    is_told,
    last_told,
    let_go,
    moved_by,
    passes,
    rolled_from,
    still,
    story_of,
    without,
)
from hexboard.games.hextraction.tracking.outcome import Judged, RollOutcome
from hexboard.games.hextraction.tracking.weights import LOG_SUMS, PARTS, either
from hexboard.perception.debounce import Change

FALSE_CNAT = 1010
"""A sign from nowhere: half a percent of all, at any of some 125 sensors."""
AGAIN_CNAT = 300
"""Another one from a sensor that has made one up in this roll: it is a bad one."""
DOUBLE_CNAT = 460
"""A sensor speaks twice for one ball within `TWICE_NS`: one in a hundred."""
BRIEF_NS, BRIEF_CNAT = 10 * MS, 400
"""A ball that is back at a sensor within `TWICE_NS` is slow, and seldom over it for less than that:
one in fifty."""
SOON_NS, SOON_CNAT = 10 * MS, 300
"""A ball is over an edge while the last one still feels it, or did just before: none is so quick,
but two may have been over that one together, or noise have hidden it: one in twenty at most. One
that is high for as long as `LONG_NS` may be stuck. It counts where that is so however late the
device looked."""
LONG_NS = 150 * MS
TURNS_CNAT = 69
"""A ball that was over an edge for so long rolled back: as often as not."""
BEAMS = ("fall", "exit", "throat")
"""What balls only pass, with nothing to stop them there."""
COVERED_CNAT = 700
"""One was over such a beam for as long as `LONG_NS`, as sleeves are: one in a thousand."""
BRUSH_CNAT = 600
"""A finger at a gate, where no ball was let go and none moves."""
LATE_NS, LATE_CNAT = 1_000 * MS, 600
"""A lane is some centimetres long: a ball that its loading place let go of comes to the gate within
a second, but for one in 400; later it is as if none had been let go."""
QUICK_NS, QUICK_CNAT = 50 * MS, 900
"""A ball that is let go takes longer to leave its loading place; one that flies past it is no
likelier than one that goes against the slope."""
IDLE_CNAT = 600
"""A sign from nowhere after a pause: between rolls there is time for many."""
BUMP_CNAT = 69
"""A ball at rest is knocked on by one that comes into its slot: as often as not."""
UNLOADED_CNAT = 620
"""The first ball of a roll in a lane that nobody was seen to put there; another: `MORE_CNAT`."""
MORE_CNAT = 800
ACCIDENT_CNAT = 300
"""A ball is rolled though no roll is due: one in twenty."""
RAMP_CNAT = 230
"""The first ball of a roll comes from a tile's own ramp, where there is one: one in ten."""
TWO_CNAT = 1400
"""A second ball in a lane where only one was seen to be put."""
SECOND_CNAT = 700
"""A second ball is put into one lane in the same roll."""
LOST_CNAT = 600
"""What was lost of sensors was none of a ball; after another pulse that was lost, `ECHO_CNAT`."""
ECHO_CNAT = 69
UNHEARD_CNAT = 1 << 20
"""Nothing can lie or have gone where people say so: what can counts, however unlikely it is."""

PAST_CNAT = 300
"""A ball goes through a tile in which another one lies, and leaves it there: one in twenty."""
STEADY_CNAT = 900
"""A ball moves away from a sensor that has felt one all the while."""

GAP_CNAT = 1500
"""How much less likely than the best a reading may be and still be kept."""
MERGED_CNAT = len(LOG_SUMS)
"""What is so much less likely than all that is kept makes none of it likelier."""
WIDTH = 160
"""How many readings are kept."""
MOST_WEIGHED = 6_000
"""So many readings of a sign, and ways of balls in them, are weighed of one roll before people wait
too long for a ruling. From then on only the best go on, and people are asked."""
MOST_ENDINGS = 1_000
"""So many ways in which all balls came to rest are weighed: the same."""
NEVER_CNAT = 1 << 20
"""What a roll costs that cannot have been."""
NEGLIGIBLE_CNAT = len(PARTS) + len(LOG_SUMS) + STICK_CNAT - BEHIND_CNAT
"""What is so much less likely than the best changes no millionth of what is likelier, be it that a
ball lies behind another one."""
NARROW = 400, 16
"""The same, where it is only to be known what the best one costs."""


Weighed = tuple[int, int, Hypothesis, tuple[BallEnd, ...]]
"""(how unlikely a ruling is, and its best reading; that reading; how its balls ended)"""


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
        began: bool = False,
        made_up: Mapping[str, int] = MappingProxyType({}),
        steady: Collection[str] = (),
    ) -> None:
        """`starts`: where balls may lie as the roll begins, and how unlikely that is; a ball of the
        first that another lacks is gone there. `touches`: how often a ball, or 0 for all together,
        has touched a tile. `ramps`: tiles from whose own ramp a ball may be rolled. `began`:
        whether there was a roll is no question: one began before, or none would count now.
        `made_up`: how unlikely a sign from nowhere is of some sensors, where that is known.
        `steady`: sensors that have been active all the while."""
        self._steady = frozenset(steady)
        self._moved_off = set[str]()
        """Those of them of which it was weighed that a ball left them."""
        self._counting, self._ramps = counting, ramps
        self._tally = Tally(automaton.board, counting)
        self._bit, self._count_told = self._tally.bit, self._tally.told
        self.lay(automaton)
        loaded, waiting = list(loaded), list[Ball]()
        for lane, lies in loaded:
            waiting.append((next_ball, ("load", lane, 0 if lies else 1), True))
            next_ball += 1
        counted = sum(min(count, 3) << self._tally.at(*key) for key, count in touches.items())
        lying = [(cost, tuple(balls)) for cost, balls in starts]
        self.readings = [
            Hypothesis(
                cost, (*balls, *waiting), counted, story=without(lying[0][1], balls), next=next_ball
            )
            for cost, balls in lying
        ]
        self._lain = {(ball[0], ball[1][1]) for reading in self.readings for ball in reading.balls}
        moves = any(does for _, balls in lying for *_, does in balls)
        self._began = began or moves
        self._due = ACCIDENT_CNAT if began and not moves else 0
        self._count = 0
        self._first = next_ball
        self._loaded = {lane for lane, _ in loaded}
        self._spoke: dict[str, int] = {}
        """Until when each sensor spoke last."""
        self._told: dict[str, int] = {}
        """The number of the sign by which it did."""
        self._high: set[str] = set()
        """The sensors that have spoken and not let go yet."""
        self._before: dict[str, int] = {}
        """That of the sign before it, where that was just before."""
        self._freed: dict[str, int] = {}
        """When the loading place of each lane let go of a ball last."""
        self._limit = 2 * NEVER_CNAT
        """What is less likely than that explains no sign."""
        self._late = False
        """What speaks is a gate, long after that."""
        self._paused = False
        self._gap = -1
        self._made_up = made_up
        self.narrow = False
        """Only the best reading is wanted."""
        self.weighed = 0
        """How many readings of a sign, and ways of balls in them, were weighed."""
        self.cut = False
        """Whether not all could be weighed that may have been."""
        self.strain: list[tuple[str, int]] = []
        """The sensors that spoke, and what the best reading cost by then."""

    def lay(self, automaton: Automaton, unheard: Automaton | None = None) -> None:
        """From here on tiles lie like that; and so, for balls of which not all was heard."""
        self.automaton, self._unheard = automaton, unheard or automaton
        self._tally.drains = automaton.drains

    def apart(self) -> "Readings":
        """The same, to be judged: this one goes on apart."""
        other = copy(self)
        same = ((one, one.balls, one.next) for one in self.readings)
        other.readings = [changed(one, 0, balls, next) for one, balls, next in same]
        other._high = set(self._high)
        return other

    def steadied(self, steady: Collection[str]) -> bool:
        """Only those sensors have been active all the while, as is known by now. Whether that has
        changed nothing of what was weighed so far."""
        same = self._moved_off.issubset(steady) and self._steady.issuperset(steady)
        self._steady = frozenset(steady)
        return same

    @property
    def least(self) -> int:
        """What the best reading costs so far."""
        return min(reading.cost for reading in self.readings)

    # ------------------------------------------------------------------------------ signs

    def gap(self, number: int) -> None:
        """Before the `number`th of what came not all was heard."""
        self._gap = number

    def lost(self, pulses: int, number: int, found: bool) -> None:
        """So many pulses of unknown sensors were lost before the `number`th of what came; `found`:
        beside something that is heard now."""
        for nth in range(pulses):
            cost = ECHO_CNAT if nth or found else LOST_CNAT
            new: dict[tuple[object, ...], Hypothesis] = {}
            looked, self._limit = 0, 2 * NEVER_CNAT
            for reading in self.readings:
                if len(new) >= max(2 * looked, 1):
                    looked, self._limit = len(new), worth(new, self.narrow or self.cut)
                if reading.cost + cost > self._limit:
                    break
                self.weighed += 1
                self._add(new, changed(reading, cost, reading.balls, reading.next))
                moving = sum(does == MOVES for *_, does in reading.balls)
                for i, (_, spot, does) in enumerate(reading.balls):
                    extra = self._among(reading, spot, does, moving)
                    extra += KNOCK_CNAT if extra >= KNOCK_CNAT else 0  # nothing says which
                    gone = ("load", spot[1], 1) if spot[0] == "load" else spot
                    most = self._limit - reading.cost - extra
                    for way in self.automaton.next(gone):
                        if way.cost <= most:
                            self._add(new, self._moved(reading, i, way, extra, number))
            self._prune(new)

    def _ways(self, reading: Hypothesis, ball: int) -> Automaton:
        """What a ball may have done since it was seen last."""
        dark = self._gap >= 0 and last_told(reading, ball) < self._gap
        return self._unheard if dark else self.automaton

    def pause(self) -> None:
        """Nothing spoke for so long that everything was taken to be at rest."""
        self._paused = True
        for reading in self.readings:
            reading.balls = tuple(
                (id, spot, PAUSED if does == MOVES else does) for id, spot, does in reading.balls
            )

    def see(self, change: Change, number: int, quick: bool = False) -> None:
        """Take in a sensor's change of level, the `number`th of what came in. One of a loading
        place is `quick` that lets go sooner than a ball leaves it."""
        self._count = number + 1
        kind, _, place = change.sensor.partition(":")
        if not change.level:
            if kind == "load":
                self._freed[place] = change.at
            began = self._spoke.get(change.sensor, change.at)
            self._spoke[change.sensor] = change.at
            self._high.discard(change.sensor)
            before = self._before.pop(change.sensor, -1)
            lasted, within = change.at - began, change.within
            if before >= 0 and lasted + within < BRIEF_NS:
                too_brief(self.readings, before, self._told[change.sensor])
            if kind == "edge" and lasted - within > LONG_NS:
                self._turned_back(change.sensor, place)
            if kind in BEAMS and lasted - within > LONG_NS:
                covered(self.readings, self._told.get(change.sensor, -1))
            if kind in ("edge", "gate", "load"):
                seams = self.automaton.seam
                self.readings = [let_go(one, kind, place, seams) for one in self.readings]
            return
        new: dict[tuple[object, ...], Hypothesis] = {}
        twice = change.at - self._spoke.get(change.sensor, -TWICE_NS) < TWICE_NS
        self._spoke[change.sensor] = change.at
        soon = {
            self._told[sensor]
            for sensor, at in self._spoke.items()
            if change.at - at < (LONG_NS if sensor in self._high else SOON_NS - change.within)
            and change.within < SOON_NS
            and sensor in self._told
            and sensor != change.sensor
            and not sensor.startswith("load:")
        }
        self._high.add(change.sensor)
        self._late = kind == "gate" and change.at - self._freed.get(place, change.at) > LATE_NS
        again = place in self._loaded
        if kind == "load":
            self._loaded.add(place)
        cells = {part for part in place.split("-") if part in self._bit}
        begins = beginnings(cells, self._ramps, self.automaton.lane)
        looked, self._limit = 0, 2 * NEVER_CNAT
        for reading in self.readings:
            if len(new) >= max(2 * looked, 1):
                looked, self._limit = len(new), worth(new, self.narrow or self.cut)
            if reading.cost > self._limit:
                break
            if kind == "load":
                self._load(reading, place, again, quick, new)
            else:
                self._explain(reading, change.sensor, number, twice, soon, new)
                self._unloaded(reading, begins, change.sensor, number, new)
        if twice and change.sensor in self._told:
            self._before[change.sensor] = self._told[change.sensor]
        self._told[change.sensor] = number
        self._prune(new)
        self.strain.append((change.sensor, self.readings[0].cost))

    def _explain(
        self,
        reading: Hypothesis,
        sensor: str,
        number: int,
        twice: bool,
        soon: Collection[int],
        new: dict[tuple[object, ...], Hypothesis],
    ) -> None:
        self.weighed += 1
        moving = sum([does == MOVES for _, spot, does in reading.balls if spot[0] != "load"])
        once = IDLE_CNAT if self._paused else FALSE_CNAT
        if not moving and self._brushed(reading, sensor):
            once = BRUSH_CNAT
        once = min(once, self._made_up.get(sensor, once))
        cost = AGAIN_CNAT if sensor in reading.liars else DOUBLE_CNAT if twice else once
        false = changed(reading, cost, reading.balls, reading.next)
        false.liars = reading.liars | {sensor}
        self._add(new, false)
        moving += sum([spot[0] == "load" for _, spot, _ in reading.balls])
        for i, (id, spot, does) in enumerate(reading.balls):
            ways = self._ways(reading, id).seen(spot, sensor)
            if not ways:
                continue
            extra = self._among(reading, spot, does, moving)
            if does != MOVES and (lain_on := self.automaton.lain_on(spot)) in self._steady:
                extra += STEADY_CNAT
                self._moved_off.add(lain_on)
            if self._late and spot[0] == "load":
                extra += LATE_CNAT
            if twice and moved_by(reading, self._told.get(sensor, -1), id):
                extra += DOUBLE_CNAT
            if soon and last_told(reading, id) in soon:
                extra += SOON_CNAT
            most = self._limit - reading.cost - extra
            for way in ways:
                if way.cost <= most:
                    self._add(new, self._moved(reading, i, way, extra, number))

    def _turned_back(self, sensor: str, place: str) -> None:
        """A ball was over an edge for so long that it may have had no speed left, and have rolled
        back without leaving it."""
        new: dict[tuple[object, ...], Hypothesis] = {}
        for reading in self.readings:
            self._add(new, reading)
            for i, (id, (kind, cell, edge), does) in enumerate(reading.balls):
                back = self.automaton.over.get((cell, edge)) if kind == "in" else None
                if back is None or self.automaton.seam[cell, edge] != place:
                    continue
                if moved_by(reading, self._told.get(sensor, -1), id):
                    ball: Ball = (id, ("in", back, opposite(edge)), does)
                    balls = (*reading.balls[:i], ball, *reading.balls[i + 1 :])
                    self._add(new, changed(reading, TURNS_CNAT, balls, reading.next))
        self._prune(new)

    def _among(self, reading: Hypothesis, spot: Spot, does: int, moving: int) -> int:
        """How unlikely it is that this ball made a sensor speak, where so many move: one at rest
        was knocked on."""
        if does == MOVES:
            return (0, 0, 69, 110)[min(moving, 3)]
        if does != PAUSED and is_near(reading, spot[1], self.automaton.over):
            return BUMP_CNAT
        return SLOW_CNAT if does == PAUSED or self._paused else KNOCK_CNAT

    def _brushed(self, reading: Hypothesis, sensor: str) -> bool:
        """Whether this is a gate, and its lane's loading place would know of a ball let go just
        now."""
        kind, _, lane = sensor.partition(":")
        if kind != "gate" or not self._ways(reading, reading.next).miss(f"load:{lane}"):
            return False
        let_go = any(spot == ("load", lane, 1) for _, spot, _ in reading.balls)
        return self._late or not let_go

    def _add(self, new: dict[tuple[object, ...], Hypothesis], reading: Hypothesis) -> None:
        """Keep a reading; one that agrees with a known one makes it likelier."""
        key = key_of(reading, self._counting.each)
        known = new.get(key)
        if known is None:
            new[key] = reading
            return
        best = reading if reading.cost < known.cost else known
        best.cost = either(known.cost, reading.cost)
        new[key] = best

    def _unloaded(
        self,
        reading: Hypothesis,
        begins: list[Spot],
        sensor: str,
        number: int,
        new: dict[tuple[object, ...], Hypothesis],
    ) -> None:
        """A ball nobody was seen to put in a lane, or on a tile's own ramp."""
        for spot in begins:
            if spot[0] == "ramp":
                extra = RAMP_CNAT if reading.next == self._first else MORE_CNAT
                self._begun(reading, spot, extra, sensor, number, new)
            elif spot[1] not in [at[1] for _, at, _ in reading.balls]:
                extra = self._unseen_load(reading, spot[1])
                self._begun(reading, spot, extra, sensor, number, new)

    def _unseen_load(self, reading: Hypothesis, lane: str) -> int:
        """How unlikely it is that nobody was seen to put a ball in a lane."""
        extra = (UNLOADED_CNAT if reading.next == self._first else MORE_CNAT) + self._due
        extra = TWO_CNAT if lane in self._loaded else extra
        known = self._ways(reading, reading.next).miss(f"load:{lane}")
        return extra if known else extra - MISS_CNAT

    def _begun(
        self,
        reading: Hypothesis,
        spot: Spot,
        extra: int,
        sensor: str,
        number: int,
        new: dict[tuple[object, ...], Hypothesis],
    ) -> None:
        """A ball that nobody saw at `spot` has made the sensor speak."""
        most = self._limit - reading.cost - extra
        for way in self._ways(reading, reading.next).seen(spot, sensor):
            if way.cost > most:
                continue
            balls = (*reading.balls, (reading.next, spot, True))
            with_it = changed(reading, extra, balls, reading.next + 1)
            self._add(new, self._moved(with_it, len(reading.balls), way, 0, number))

    def _moved(self, reading: Hypothesis, i: int, way: Way, extra: int, number: int) -> Hypothesis:
        """The reading in which ball `i` went that way."""
        self.weighed += 1
        id, spot, _ = reading.balls[i]
        touches, left, fired = reading.touches, reading.left, reading.fired
        if way.told:
            touches, left, fired = self._count_told(touches, left, fired, way.told, id)
        if passes(reading, spot, way.spot, self.automaton.doors):
            extra += PAST_CNAT
        ball = () if way.spot is None else ((id, way.spot, True),)
        return Hypothesis(
            reading.cost + extra + way.cost,
            (*reading.balls[:i], *ball, *reading.balls[i + 1 :]),
            touches,
            left,
            fired,
            (reading.story, number, id, way.told) if way.told else reading.story,
            reading.liars,
            reading.next,
            reading.missed + way.missed,
        )

    def _load(
        self,
        reading: Hypothesis,
        lane: str,
        again: bool,
        quick: bool,
        new: dict[tuple[object, ...], Hypothesis],
    ) -> None:
        """A ball is put into a lane, or a sensor says so."""
        spot: Spot = ("load", lane, 0)
        if any(ball[1][:2] == spot[:2] for ball in reading.balls):
            self._add(new, reading)
            return
        balls = (*reading.balls, (reading.next, spot, True))
        cost = SECOND_CNAT if again or rolled_from(reading, lane) else 0
        cost += QUICK_CNAT if quick else 0
        self._add(new, changed(reading, cost, balls, reading.next + 1))
        false = IDLE_CNAT if self._paused else FALSE_CNAT
        self._add(new, changed(reading, false, reading.balls, reading.next))

    def heard(self, action: Action, number: int) -> None:
        """A person said where a ball is, or that one is rolled."""
        self._count = number + 1
        if isinstance(action, Roll):
            self.readings = [self._rolled(one, action.ramp, number) for one in self.readings]
        elif isinstance(action, Rest | Fell | Off | Goal | Gone):
            new: dict[tuple[object, ...], Hypothesis] = {}
            for reading in self.readings:
                for after in self._ended(reading, action, number):
                    self._add(new, after)
            self._prune(new)

    def _rolled(self, reading: Hypothesis, lane: str, number: int) -> Hypothesis:
        kind = "lane" if lane in self.automaton.lane else "in"  # a tile can have a ramp of its own
        ball: Ball = (reading.next, (kind, lane, 0), True)
        after = changed(reading, 0, (*reading.balls, ball), reading.next + 1)
        way = Way(0, ((Roll, lane),), ball[1])
        return self._moved(after, len(reading.balls), way, 0, number)

    def _ended(self, reading: Hypothesis, action: OfBall, number: int) -> Iterator[Hypothesis]:
        """The readings in which a ball ended where people say. Balls are alike: any that moves and
        can have come there will do; else the one they named, however it came there."""
        balls, said, known = reading.balls, spot_said(action), False
        values, ends = (type(action), *values_of(action)), Ends(self.automaton, set())
        moving = [i for i, (_, spot, moves) in enumerate(balls) if moves and spot[0] != "told"]
        lies = [i for i, (id, _, moves) in enumerate(balls) if id == action.ball and not moves]
        for i in lies or moving:
            for end in ends.of(balls[i], self._ways(reading, balls[i][0])):
                if is_said(end, action):
                    more = (values,) if isinstance(action, Rest | Gone) else ()
                    way = Way(end.cost, (*end.told, *more), said, missed=end.missed)
                    known = True
                    yield still(self._moved(reading, i, way, 0, number), balls[i][0])
        if known:
            return
        named = [i for i, ball in enumerate(balls) if ball[0] == action.ball] or moving[:1]
        if named:
            way = Way(UNEXPLAINED_CNAT, (values,), said)
            yield still(self._moved(reading, named[0], way, 0, number), balls[named[0]][0])
        else:
            cost = TAKEN_CNAT if isinstance(action, Gone) else UNHEARD_CNAT
            cost = 0 if has_done(reading, values) else cost
            yield changed(reading, cost, balls, reading.next)

    def _prune(self, new: dict[tuple[object, ...], Hypothesis]) -> None:
        self.cut |= self.weighed > MOST_WEIGHED
        best = min(reading.cost for reading in new.values())
        gap, width = keeps(self.narrow or self.cut)
        kept = [reading for reading in new.values() if reading.cost <= best + gap]
        kept.sort(key=lambda reading: reading.cost)
        self.readings = kept[:width]

    # ------------------------------------------------------------------------------- the end

    def judge(self, high: Set[str]) -> list[Judged]:
        """What the roll may come to now that all is still, the likeliest first; at least one.

        `high`: the sensors that are active, fitted and healthy.
        """
        self._still_covered(high)
        stops, found = (
            Ends(self.automaton, held(self.automaton, high), self._steady),
            dict[RollOutcome, Weighed](),
        )
        limit, left = self._worth_weighing(stops), MOST_ENDINGS
        for reading in self.readings:
            if reading.cost > limit:
                continue
            if left < 0:
                self.cut = True
                break
            rolled = self._began or has_rolled(reading)
            endings = self._endings(reading, stops, limit)
            left -= len(endings)
            for cost, ends in endings:
                add_to(found, self._ruling(reading, ends, rolled), cost, reading, ends)
                limit = min(limit, cost + ENDS_CNAT)
        if not found:  # balls that lie behind each other were too dear, each for itself
            self.cut, first = True, self.readings[0]
            rolled = self._began or has_rolled(first)
            for cost, ends in self._endings(first, stops, 2 * NEVER_CNAT):
                add_to(found, self._ruling(first, ends, rolled), cost, first, ends)
        judged = [retold(ruling, *weighed, self._count) for ruling, weighed in found.items()]
        return sorted(judged, key=lambda judged: (judged.cost, judged.ruling.lost))

    def cost(self, high: Set[str]) -> int:
        """How unlikely the roll is, whatever it was (see `judge`)."""
        self._still_covered(high)
        stops, total = Ends(self.automaton, held(self.automaton, high), self._steady), NEVER_CNAT
        limit = self._worth_weighing(stops)
        for reading in self.readings:
            if reading.cost < min(limit, total + ENDS_CNAT):
                for cost, _ in self._endings(reading, stops, min(limit, total + ENDS_CNAT)):
                    total = either(total, cost)
        return total

    def _worth_weighing(self, stops: Ends) -> int:
        """How unlikely an ending may be and still matter, by one that is hardly the worst."""
        known = self._endings(self.readings[0], stops, 2 * NEVER_CNAT, width=1)
        return known[0][0] + NEGLIGIBLE_CNAT

    def _still_covered(self, high: Set[str]) -> None:
        """All is still, and beams that are dark have been so for long."""
        dark = {s for s in self._high & high if s.startswith(BEAMS)}
        self._high -= dark
        for sensor in sorted(dark & self._told.keys()):
            covered(self.readings, self._told[sensor])

    def _endings(
        self, reading: Hypothesis, stops: Ends, limit: int, width: int = WIDTH
    ) -> list[tuple[int, tuple[BallEnd, ...]]]:
        """How the balls of a reading can have come to rest, together, and how unlikely that is, of
        the `width` likeliest of each ball's after another's. On a seam lies one ball, unless people
        say otherwise."""
        partial: list[tuple[int, tuple[BallEnd, ...]]] = [(reading.cost, ())]
        for ball in sorted(reading.balls, key=lambda ball: ball[1][0] != "told"):
            told = ball[1][0] == "told"
            options = stops.near(ball, self._ways(reading, ball[0]))
            partial = grown_by(partial, options, told, limit, width)
        whole = [(cost + stops.together(ends), ends) for cost, ends in partial]
        return [one for one in whole if one[0] <= limit]

    def _ruling(self, reading: Hypothesis, ends: tuple[BallEnd, ...], rolled: bool) -> RollOutcome:
        touches, left, fired = reading.touches, reading.left, reading.fired
        for end in ends:
            if end.told:
                touches, left, fired = self._count_told(touches, left, fired, end.told, end.ball)
                rolled = rolled or is_roll(end.told)
        zones = [(e.ball, e.rest) for e in ends if e.rest[:5] == "zone:"]
        if zones and not self._lain.issuperset(zones):
            return RollOutcome(True, fired=fired, rolled=rolled)
        doors, gone = self.automaton.doors, self._tally.gone(touches, left, reading.next)
        lost = tuple(cell for cell in gone if doors[cell] is not None)
        nowhere = ("", "gone")
        rests = sorted([e.rest for e in ends if e.rest not in nowhere and e.rest[:5] != "load:"])
        weights = self._counting.weights
        heavy = [e for e in ends if e.ball in weights]
        more = sorted(e.rest for e in heavy for _ in range(weights[e.ball] - 1))
        return RollOutcome(False, lost, tuple(rests), fired, rolled, tuple(more))


def key_of(reading: Hypothesis, each: bool) -> tuple[object, ...]:
    """What two readings have to share to be one: balls are alike unless touches are counted for
    each (K13)."""
    balls: object = reading.balls
    if not each:
        places = [(spot, does) for _, spot, does in reading.balls]
        balls = frozenset(places)  # made sooner than they are sorted
        if len(balls) < len(places):
            balls = tuple(sorted(places))
    return balls, reading.touches, reading.left, reading.fired


def held(automaton: Automaton, high: Set[str]) -> set[str]:
    """The sensors that feel a ball which lies still."""
    felt = ("edge:", "floor:", "gate:", "load:")
    return {s for s in automaton.fitted & high if s.startswith(felt)}


def keeps(only_best: bool) -> tuple[int, int]:
    """How much less likely than the best a reading may be, and how many are kept."""
    return NARROW if only_best else (GAP_CNAT, WIDTH)


def worth(new: Mapping[tuple[object, ...], Hypothesis], only_best: bool) -> int:
    """How unlikely a reading may be beside these and still matter: what is dearer is not kept."""
    gap, width = keeps(only_best)
    costs = sorted([reading.cost for reading in new.values()])
    return min([costs[0] + gap, *costs[width - 1 : width]]) + MERGED_CNAT


def grown_by(
    partial: list[tuple[int, tuple[BallEnd, ...]]],
    options: list[BallEnd],
    told: bool,
    limit: int,
    width: int,
) -> list[tuple[int, tuple[BallEnd, ...]]]:
    """Each of `partial` with each end of one ball more, as far as that is not dearer than `limit`:
    the `width` likeliest. The likeliest come first in both: what follows one too dear is dearer."""
    grown: list[tuple[int, tuple[BallEnd, ...]]] = []
    dearest = list[int]()  # of the likeliest so far, the dearest first
    for cost, ends in partial:
        for end in options:
            total = cost + end.cost
            if total > limit or (len(dearest) == width and total >= -dearest[0]):
                break
            if told or "-" not in end.rest or end.rest not in [one.rest for one in ends]:
                grown.append((total, (*ends, end)))
                if len(dearest) < width:
                    heappush(dearest, -total)
                else:
                    heapreplace(dearest, -total)
    grown.sort(key=lambda one: one[0])
    return grown[:width]


def beginnings(
    cells: set[CellId], own: Iterable[CellId], lanes: Mapping[str, tuple[CellId, Edge]]
) -> list[Spot]:
    """Where a roll can begin above these slots: on a tile's `own` ramp, in a lane."""
    ramps: list[Spot] = [("ramp", slot, 0) for slot in own if slot in cells]
    return ramps + [("load", lane, 1) for lane, (cell, _) in lanes.items() if cell in cells]


def too_brief(readings: list[Hypothesis], first: int, again: int) -> None:
    """A sensor spoke again so soon and so briefly that one ball can hardly have done both."""
    for reading in readings:
        if any(
            moved_by(reading, first, id) and moved_by(reading, again, id)
            for id, *_ in reading.balls
        ):
            reading.cost += BRIEF_CNAT
    readings.sort(key=lambda reading: reading.cost)


def covered(readings: list[Hypothesis], sign: int) -> None:
    """The beam of a sign was dark for so long that hardly a ball can have done it."""
    for reading in readings:
        reading.cost += COVERED_CNAT * is_told(reading, sign)
    readings.sort(key=lambda reading: reading.cost)


def add_to(
    found: dict[RollOutcome, Weighed],
    ruling: RollOutcome,
    cost: int,
    reading: Hypothesis,
    ends: tuple[BallEnd, ...],
) -> None:
    """One more way in which all may have come to a ruling."""
    known = found.get(ruling)
    total = cost if known is None else either(known[0], cost)
    best = (cost, reading, ends) if known is None or cost < known[1] else known[1:]
    found[ruling] = total, *best


def retold(
    ruling: RollOutcome,
    total: int,
    cost: int,
    reading: Hypothesis,
    ends: tuple[BallEnd, ...],
    number: int,
) -> Judged:
    """A ruling and the story of the best reading that comes to it; it ended after so many signs."""
    story = story_of(reading)
    story += [(number, end.ball, act) for end in ends for act in acts_of(end)]
    blind = any(end.blind for end in ends)
    missed = sum((end.missed for end in ends), reading.missed)
    return Judged(total, ruling, cost, story, blind, missed, reading.liars)
