"""Sensors: what a person's hands and a board's edges say of each of them. Facts in, findings out.

A survey is a fold over notes: no clock, no port, no person. So it can be kept line by line, torn
off anywhere and taken up again. A person visits places in any order; the sensor that fires says
which place it is. Only where that is in doubt is one place asked for by name (`Asked`, exactly);
once several have fired for other places than their own, every place that is left. Next is the place
whose answer tells most of what is wrong with the wires (`wires.telling`), else the nearest.

It ends whatever people answer: a proposal is dropped after `AGAIN` visits that told nothing new,
and no place is asked for by name more than `MOST` times. A ball held twice says what `Wrong` says
(`held.py`). Where each place is touched several times at a visit, places that felt too few of them
are asked for once more, and touches counted.

Why long: one fold, of which every note touches what is asked, what was answered and what is found.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from hexboard.board import Board, Sensor, opposite
from hexboard.calibration import wires
from hexboard.calibration.dragged import Dragged
from hexboard.calibration.held import QUIET_NS, HeldTwice
from hexboard.calibration.learner import AGAIN, TOGETHER_NS, Learner
from hexboard.calibration.restless import Restless
from hexboard.calibration.times import ENOUGH
from hexboard.facts import MS
from hexboard.perception.health import PULSED

NOISY = 3
"""Edges of a sensor that nobody touches, in one rest, before it is called noisy."""
SERIES_NS = 2_500 * MS
"""Touches of one place that follow each other sooner are one visit."""
DABS_NS = 1_200 * MS
"""Touches that are counted follow each other sooner; after a pause it is counted anew."""
TWICE = 2
"""A place that answers with another sensor, or with nothing, is asked so often before that holds;
hands brush, and sensors miss."""
NEAR = 1.5
"""So many cells apart, places are beside each other."""
SLIPS = 8
"""One touch in so many may be miscounted."""
MOST = 5
"""No place is asked for by name more often, whatever it answers."""
TAKEN_NS = 3_000 * MS
"""What was active at rest and is not for so long, had a ball lie on it, which was taken away."""
NOWHERE: Mapping[str, str] = {}
"""No wires are exchanged."""
HELD = ("rail",)
"""Kinds that are active at rest."""
ORDER = ("rail", "button", "load", "gate", "edge", "exit", "throat", "floor", "fall", "seat")
"""In which order groups are proposed: what needs a tile last."""


class Began(Struct, frozen=True, tag="began", omit_defaults=True):
    """A sitting begins: levels and clock are unknown until a note says them."""

    date: str = ""
    """When it did, ISO 8601; "" in older notes."""


class Levels(Struct, frozen=True, tag="levels"):
    """All active sensors."""

    high: tuple[str, ...]
    at: int


class Felt(Struct, frozen=True, tag="felt"):
    """A raw edge."""

    sensor: str
    level: bool
    at: int


class Passed(Struct, frozen=True, tag="passed"):
    """Nothing earlier than `at` is still to come."""

    at: int


class HandsOff(Struct, frozen=True, tag="rest"):
    """From here nobody touches the board (`on`), or may again."""

    on: bool


class Asked(Struct, frozen=True, tag="asked"):
    """The person is asked to visit the place of `sensor`; `exactly`: that one and no other; to
    touch it so many `times`."""

    sensor: str
    exactly: bool
    times: int = 1


class Wrong(Struct, frozen=True, tag="wrong"):
    """The person says that the place that lit up last is not where the ball is."""


class Nothing(Struct, frozen=True, tag="nothing"):
    """The person was at the place asked for and its light did not change."""


class AllTouched(Struct, frozen=True, tag="all_touched"):
    """The person has touched the place so many times as asked."""


Note = Began | Levels | Felt | Passed | HandsOff | Asked | Wrong | Nothing | AllTouched


class Finding(Struct, frozen=True, order=True):
    """What is wrong with a sensor.

    `dead`: never fires. `absent`: it does, but not at its place. `stuck`: active at rest and never
    changes. `inverted`: active at rest, goes off under a ball. `noisy`: fires by itself.
    `crosstalk`: fires with `other`. `swapped`: it and `other` fire in each other's stead.
    `instead`: at its place `other` fires. `unclear`: no times tell its balls from what is none.
    `weak`: it felt only `other` touches ("13 of 20"). What one fault of plugs or cables explains is
    one finding, of the first sensor that it concerns (`wires.py`): `shifted` (by `other` inputs),
    `reversed`, `silent` and `ground` (up to `other`), `plugs` (with the register of `other`).
    """

    sensor: str
    kind: str
    other: str = ""


class TouchCount:
    """The touches of each visit, and of those that were counted, `each` at a time."""

    def __init__(self, each: int) -> None:
        self.each = each
        self.running: dict[str, tuple[int, int]] = {}
        """Touches of a visit so far, and when the last was."""
        self.most: Counter[str] = Counter()
        """The most touches at an even pace."""
        self.trials: dict[str, list[int]] = {}
        """Touches felt of those that were counted."""
        self.trial = 0
        """Of those that are being counted."""
        self.instead: Counter[str] = Counter()
        """Touches of other sensors meanwhile."""
        self.sitting = ""
        """When the sitting began, ISO 8601."""
        self.dates: dict[str, str] = {}
        """In which sitting the touches were felt that `rate` tells."""
        self._paced: Counter[str] = Counter()

    def felt(self, sensor: str, at: int) -> None:
        """One more touch of a visit, and of those at an even pace."""
        touches, last = self.running.get(sensor, (0, at))
        self.running[sensor] = touches + 1 if at - last <= SERIES_NS else 1, at
        self._paced[sensor] = self._paced[sensor] + 1 if at - last <= DABS_NS else 1
        if self._paced[sensor] > self.most[sensor]:
            self.most[sensor] = self._paced[sensor]
            self.dates[sensor] = self.sitting

    def counted(self, sensor: str) -> None:
        """The touches that were being counted are done."""
        self.trials.setdefault(sensor, []).append(self.trial)
        self.dates[sensor] = self.sitting

    def rate(self, sensor: str) -> tuple[int, int]:
        """How many touches it felt, of how many; of none where nobody counts."""
        counted, visit = self.trials.get(sensor, []), min(self.most[sensor], self.each)
        if counted:
            return sum(counted), self.each * len(counted)
        return (visit, self.each) if self.each > 1 and visit else (0, 0)

    def weak(self, sensor: str) -> str:
        """Of the touches that it should have felt, how many it did; "" where that is no finding."""
        counted = self.trials.get(sensor, [])
        if len(counted) < TWICE or min(counted) >= self.each:
            return ""
        if sum(counted) + 1 >= self.each * len(counted):
            return ""  # one slip; what a ball that was dragged to and fro felt nobody counted
        visit = self.most[sensor]
        felt = [*counted, visit] if 2 * visit >= self.each else counted
        most, asked = self.each * len(felt), self.each * len(counted)
        return f"{sum(counted)} of {asked}" if (most - sum(felt)) * SLIPS >= most else ""


class SensorSurvey:
    """The fold. Ask it for each sensor's `state`, what to visit `next`, and `findings`."""

    def __init__(self, board: Board, groups: Iterable[str] = (), touches: int = 1) -> None:
        """`touches`: how often people touch each place that balls pass, at a visit."""
        chosen = set(groups) or set(ORDER)
        self.board, self.touches = board, touches
        self.learner = Learner(board)
        self.sensors = tuple(s.id for kind in ORDER if kind in chosen for s in _of(board, kind))
        self.rested = False
        self.asked: Asked | None = None
        self.fired = ""
        """The sensor that fired last."""
        self.answers: dict[str, str] = {}
        """What fired at a place that was asked for exactly: a sensor, or "" for nothing."""
        self.said: dict[str, list[str]] = {}
        """All that a place answered, each time that it was asked for exactly."""
        self.visits = 0
        """How many visits there were."""
        self.signs = 0
        """How often a ball held twice said what `Wrong` says."""
        self._held = HeldTwice()
        self._dragged = Dragged()
        self._restless = Restless()
        self._near = partial(_beside, board)
        self._levels: set[str] = set()
        self._upside: set[str] = set()  # active at rest though their kind is not
        self._noisy: set[str] = set()
        self._seen: set[str] = set()  # fired alone at least once
        self._company: set[str] = set()  # fired together with others
        self._doubt: dict[str, None] = {}  # to be asked for exactly, in this order
        self._later: dict[str, None] = {}  # proposed when another place lit up
        self._wronged: set[str] = set()  # fired for another place, as the person said
        self._meant: set[str] = set()  # those of them that no hand only brushed
        self._tries: Counter[str] = Counter()  # visits there that were not alone
        self._same = 0  # visits in a row in which the same sensor fired
        self._idle = 0  # visits in a row that told nothing new
        self._open = False  # of the last visit nobody has said whether its light was right
        self._before: dict[str, int] = {}
        self._edged: dict[str, int] = {}  # when each sensor changed last
        self._high: set[str] = set()
        self._touches = TouchCount(touches)
        self.dates = self._touches.dates
        """When each sensor was `touched`: the date of that sitting."""
        self._left: set[str] = set()  # what may still fire from the visit before
        self._place = ""  # what was asked for last
        self._pause = DABS_NS  # without a touch of those, the hand has left the place before
        self._visit: list[tuple[str, int]] = []
        self._disturbed: set[tuple[str, str]] | None = None  # `crosstalk`, until the next edge

    def state(self, sensor: str, place: str = "") -> str:
        """`open`, `done` or `unsure`. `place` is where its wire really is, if not at its own."""
        place = place or sensor
        if sensor in self._noisy or place in self._doubt:
            return "unsure"
        if sensor in self._upside - self._high:
            return "open"  # a ball on it may have been taken away
        if self._touches.weak(sensor):
            return "unsure"
        if place in self.answers:
            return "done" if self.answers[place] == sensor else "unsure"
        if sensor in self._seen or (sensor in self._company and self._explained(sensor)):
            return "done"
        return "unsure" if sensor in self._company else "open"

    def touched(self, sensor: str) -> tuple[int, int]:
        """How many touches it felt, of how many; of none where nobody counts."""
        once = self.board.sensor[sensor].kind not in PULSED
        return (0, 0) if once else self._touches.rate(sensor)

    def wanted(self, sensor: str) -> bool:
        """Whether the person has still to visit its place."""
        if self.asked is not None and self.asked.times > 1 and self.asked.sensor == sensor:
            return self._short(sensor)
        if sensor in self._noisy or self.state(sensor) == "done" or self._touches.weak(sensor):
            return False
        answered = sensor in self.answers and sensor not in self._doubt
        again = self.asked is not None and self.asked.sensor == sensor and self.asked.exactly
        return not answered or again

    def next(self) -> Asked | None:
        """What to ask for: by name what people said of a place, and what tells most of wrong wires;
        then any open place, and by name what is still in doubt. None: all is said.

        Groups come one after the other, and within one the nearest place to the last.
        """
        wanted = [s for s in self.sensors if self.wanted(s)]
        if telling := self._telling():
            return Asked(telling, exactly=True)
        aside = {*self._doubt, *self._later, *self._upside}
        if free := [s for s in wanted if s not in aside]:
            return Asked(
                _nearest(self.board, self.fired, free), exactly=len(self._wronged) >= AGAIN
            )
        by_name = [s for s in (*self._doubt, *wanted) if s in wanted] or self._once_wrong()
        if by_name:
            return Asked(by_name[0], exactly=True)
        short = next((s for s in self.sensors if self._short(s)), None)
        return Asked(short, exactly=True, times=self.touches) if short else None

    def _telling(self) -> str:
        """The place whose answer tells most of what is wrong; "" for none. First come places that
        were not asked for by name yet, although somebody said that their light was wrong or that
        nothing happens there; then the nearest of those that tell most of the wires. None while the
        ball may still be where another place lit up, or while a hand drags it from place to place.
        If hands brush, places that are touched but once are left for when their turn comes."""
        meant = self._meant.union(s for s in self._doubt if s not in self._seen | self._company)
        doubt = [s for s in self._doubt if s in meant and s not in self.said]
        if self._dragged.drags or self.fired in self._meant.intersection(doubt):
            return ""
        turn = {s for s in self.sensors if self._dragged.rough and self._once(s)}
        wanted = [s for s in self.sensors if s not in turn and self.wanted(s)]
        if told := [s for s in doubt if s in wanted]:
            return told[0]
        aside = {*self._doubt, *(s for s in turn if not self._holds(s))}
        sure = {s: a for s, a in self._answered().items() if s not in aside}
        return _nearest(self.board, self.fired, wires.telling(self.board, sure, wanted))

    def _holds(self, sensor: str) -> bool:
        """Whether its place has said its answer often enough; at rest once will do, and where two
        places have each other's answer for a hand that brushes none."""
        if not self._dragged.rough and self.answers.get(self.answers.get(sensor, "")) == sensor:
            return True
        often = TWICE + (self.touches > 1 and self._once(sensor))  # hands brush
        said = self.said.get(sensor)
        return said is None or said.count(self.answers[sensor]) >= often + 2 * said.count(sensor)

    def _short(self, sensor: str) -> bool:
        """Whether too few touches were felt there, and counting them may still tell why."""
        missing = self.touches - self._touches.most[sensor]
        kind, answer = self.board.sensor[sensor].kind, self.answers.get(sensor, sensor)
        if missing <= 0 or kind not in PULSED or self.state(sensor) != "done" or answer != sensor:
            return False
        counted = self._touches.trials.get(sensor, [])
        if len(counted) < TWICE:
            one_slip = counted[:1] == [self.touches] and missing == 1
            return not one_slip
        return len(counted) == TWICE and min(counted) < self.touches  # a third time decides

    def _once_wrong(self) -> list[str]:
        """Places that have not said twice what is wrong with them, and no cable explains it."""
        wrong = [
            s
            for s, said in self.said.items()
            if self.answers[s] != s and not self._holds(s) and len(said) < MOST
        ]
        if not wrong:
            return []
        causes = wires.causes(self.board, self._answered(), self._noisy | self._upside)
        told = {place for cause in causes for place in cause.places}
        return [s for s in wrong if s not in told]

    def findings(self, swaps: Iterable[tuple[str, str]] = ()) -> tuple[Finding, ...]:
        """What is wrong: first causes that explain several sensors, then the rest by sensor. Where
        wires are exchanged (`swaps`), beside that; sensors are named by their places."""
        there = exchange(swaps)
        answers = {there.get(place, place): a for place, a in self.answers.items()}
        answered = self._answered(there)
        causes = tuple(wires.causes(self.board, answered, self._noisy | self._upside))
        found = {Finding(s, "noisy") for s in self._noisy}
        asked = {s: a for s, a in answers.items() if a or s not in self._noisy}
        wrong = [s for s, a in asked.items() if a != s and self._holds(there.get(s, s))]
        found |= {_told_of(s, answers, self._upside, self._seen) for s in wrong}
        upside = self._upside & self._high & (self._seen | self._company)
        found |= {Finding(s, "inverted") for s in upside}
        found |= {Finding(b, "crosstalk", a) for a, b in self._crosstalk()}
        found |= {Finding(s, "unclear") for s in self.sensors if self._unclear(s)}
        found |= {Finding(s, "weak", felt) for s in self.sensors if (felt := self._touches.weak(s))}
        told = {place for cause in causes for place in cause.places}
        told |= {answers.get(place, "") for place in told}
        rest = {_at_place(finding, there) for finding in found if finding.sensor not in told}
        rest |= {
            Finding(min(pair), "swapped", max(pair))
            for pair in swaps
            if [self.answers.get(place) for place in pair] == [*reversed(pair)]
        }
        return (*(Finding(cause.first, cause.kind, cause.other) for cause in causes), *sorted(rest))

    def _answered(self, there: Mapping[str, str] = NOWHERE) -> dict[str, str]:
        """What fires at each place, as far as anybody knows; where wires are exchanged, at the
        place where a sensor's wire is (`there`). Where one supply is missing at rest and one sensor
        is active that should not be, that is it."""
        sure = (self._seen | self._company).difference(there.get(s, s) for s in self._doubt)
        answers = {s: s for s in sure} | {there.get(s, s): a for s, a in self.answers.items()}
        missing = [
            s for s in self.sensors if self.board.sensor[s].kind in HELD and answers.get(s) == ""
        ]
        if len(missing) == len(self._upside) == 1:
            answers[missing[0]] = next(iter(self._upside))
        return answers

    def _unclear(self, sensor: str) -> bool:
        if sensor in self._noisy or len(self.learner.samples[sensor].rolled) < ENOUGH:
            return False  # others' balls say nothing of its own contact
        times = self.learner.fit(sensor)
        return times is not None and not times.clear

    def _explained(self, sensor: str) -> bool:
        return any(sensor in pair for pair in self._crosstalk())

    def _crosstalk(self) -> set[tuple[str, str]]:
        if self._disturbed is None:
            self._disturbed = crosstalk(self.learner, self._noisy)
        return self._disturbed

    # --------------------------------------------------------------------------------- notes

    def note(self, note: Note) -> None:
        """Take one note in."""
        match note:
            case Began(date):
                if self._visit:
                    self._resolve(self._visit[0][1] + 2 * TOGETHER_NS)
                self._touches.sitting = date
                self.learner.forget()
                self.asked = None
                self._edged.clear()
                self._touches.running.clear()
                self._held, self._dragged = HeldTwice(), Dragged()
            case Levels(high):
                self._levels = set(high)
                self._high = set(high)
            case Felt(sensor, level, at):
                self._felt(sensor, level, at)
                if self._held.edge(sensor, level, at) and sensor == self.fired and self._open:
                    self.signs += 1
                    self._wrong()
            case Passed(at):
                self._resolve(at)
                self.learner.advance(at)
            case HandsOff(on):
                self._rest(on)
            case Asked():
                self._left = set(self._touches.running)
                self._pause = DABS_NS if note.sensor == self._place else SERIES_NS
                self.asked, self._touches.trial, self._place = note, 0, note.sensor
                self._touches.instead.clear()
                self._dragged.asked(note.sensor)
            case AllTouched():
                self._counted()
            case Wrong():
                self._wrong()
            case Nothing():
                self._nothing()

    def _rest(self, on: bool) -> None:
        self.learner.resting = on
        counts = {s: it.rest_edges for s, it in self.learner.samples.items()}
        if on:
            self._before = counts
            return
        self.rested, self._disturbed = True, None
        self._noisy = {s for s in self.sensors if counts[s] - self._before.get(s, 0) >= NOISY}
        held = {s for s in self.sensors if self.board.sensor[s].kind in HELD}
        self._seen |= held & self._levels
        self.answers |= dict.fromkeys(held - self._levels, "")
        self._upside = (self._levels & set(self.sensors)) - held - self._noisy
        self.learner.forget()

    def _felt(self, sensor: str, level: bool, at: int) -> None:
        if sensor not in self.board.sensor:
            return
        self._resolve(at)
        upside = sensor in self._upside
        rested = upside or at - self._edged.get(sensor, -QUIET_NS) >= QUIET_NS
        self._edged[sensor] = at
        (self._high.add if level else self._high.discard)(sensor)
        self._disturbed = None
        self.learner.edge(sensor, level != upside, at)
        if self.learner.samples[sensor].wild and sensor in self.sensors:
            self._noise(sensor)
        fresh = sensor not in (s for s, _ in self._visit)
        if level and rested and self.rested and fresh and sensor not in self._noisy:
            self._visit.append((sensor, at))

    def _noise(self, sensor: str) -> None:
        """It fires by itself; what places said while it did so is forgotten."""
        self._noisy.add(sensor)
        for place in [s for s, said in self.said.items() if sensor in (s, *said)]:
            del self.said[place], self.answers[place]

    def _taken(self, now: int) -> None:
        """Nothing is upside down that stays low once its ball is gone: it is yet to be visited."""
        low = (s for s in self._upside - self._high if now - self._edged.get(s, now) >= TAKEN_NS)
        for sensor in list(low):
            self._upside.discard(sensor)
            self._seen.discard(sensor)
            self._company.discard(sensor)
            self.answers.pop(sensor, None)
            self.said.pop(sensor, None)

    def _resolve(self, now: int) -> None:
        """A visit is over once nothing that fires with its first can still come."""
        self._taken(now)
        if (answer := self._dragged.rests(now)) is not None and self.asked:
            self._settle(self.asked.sensor, answer)
        if not self._visit or now - self._visit[0][1] <= TOGETHER_NS:
            return
        sensors = [s for s, _ in self._visit if s not in self._noisy]
        at = self._visit[0][1]
        self._visit.clear()
        if not sensors:
            return
        if self._restless.fired(sensors[0], at):
            self._noise(sensors[0])
            return
        self._dragged.over(sensors[0], at)
        stray = self._dragged.stray(self._near)  # it may fire for another place along the way
        if stray and self.asked and not self.asked.exactly and stray not in self.said:
            self._doubt[stray] = None
        if self._goes_on(sensors, at):
            (self._seen if len(sensors) == 1 else self._company).update(sensors)
            return
        self.visits += 1
        asked = self.asked.sensor if self.asked else ""
        before, self.fired = self.fired, asked if asked in sensors else sensors[0]
        self._same = self._same + 1 if self.fired == before else 1
        self._idle = 0 if set(sensors) - self._seen - self._company else self._idle + 1
        self._open = not (self.asked and self.asked.exactly)
        (self._seen if len(sensors) == 1 else self._company).update(sensors)
        self._touches.felt(self.fired, at)
        self._judge(alone=len(sensors) == 1)

    def _goes_on(self, sensors: list[str], at: int) -> bool:
        """Whether this is one more touch of a visit, or one that is counted."""
        if self.touches == 1:
            return False
        named = self.asked.sensor if self.asked is not None and self.asked.exactly else ""
        if self.asked is not None and self.asked.times > 1:
            self._count(named, sensors, at)
            return True
        for sensor in sensors:
            touches, last = self._touches.running.get(sensor, (0, at))
            whole = sensor == named or touches >= self.touches
            pause = DABS_NS if whole else self._pause
            if sensor in self._left and at - last > pause:  # the hand is elsewhere now
                self._left.discard(sensor)
                self._touches.running[sensor] = 1, last
        if named in sensors and named not in self._left:
            return False  # an answer
        for sensor in sensors:
            touches, last = self._touches.running.get(sensor, (0, at))
            if touches and at - last <= SERIES_NS:
                self._touches.felt(sensor, at)
                self.fired = sensor
                sure = touches + 1 >= AGAIN or self._once(named)
                if named and sure and sensor not in self._left:
                    self._settle(named, sensor)
                return True
            self._left.discard(sensor)
        return False

    def _once(self, sensor: str) -> bool:
        """Whether its place is touched but once at a visit."""
        known = self.board.sensor.get(sensor)
        return self.touches == 1 or known is None or known.kind not in PULSED

    def _count(self, named: str, sensors: list[str], at: int) -> None:
        """Count a touch; after a pause it is the first of those that were asked for."""
        self.fired = named if named in sensors else sensors[0]
        self._touches.instead[self.fired] += self.fired != named
        if self.fired == named:
            _, last = self._touches.running.get(named, (0, at))
            self._touches.running[named] = 1, at
            self._touches.trial = self._touches.trial + 1 if at - last <= DABS_NS else 1
            if self.asked is not None and self._touches.trial >= self.asked.times:
                self._counted()

    def _counted(self) -> None:
        """The touches that were asked for are done."""
        if self.asked is not None and self.asked.times > 1:
            place, touches = self.asked.sensor, self._touches
            self.asked = None
            other, times = max(touches.instead.items(), key=lambda it: it[1], default=("", 0))
            if not touches.trial and 2 * times >= touches.each:
                self._settle(place, other)  # another answers here, whatever was thought
            else:
                touches.counted(place)

    def _judge(self, alone: bool) -> None:
        """What a visit says of the place asked for."""
        asked = self.asked
        if asked is None:
            return
        if self.fired == asked.sensor:
            self.asked = None  # if it was not alone, it is asked for again: was it chance?
            self._tries[asked.sensor] += not alone
            sure = alone or self._explained(asked.sensor) or self._tries[asked.sensor] >= AGAIN
            if asked.exactly and sure:
                self._settle(asked.sensor, self.fired)
            elif not asked.exactly and self._tries[asked.sensor] >= AGAIN:
                self._put_off(asked.sensor)
        elif asked.exactly:
            if self._once(asked.sensor):  # else it must do so more than once: hands brush
                answer = self._dragged.answer(self.fired)
                if answer is not None:
                    self._settle(asked.sensor, answer)
        elif self._same == AGAIN:  # they mean it
            self._ask_by_name(asked.sensor, self.fired)
        elif self._telling():
            self.asked = None
        elif self._idle >= AGAIN:
            self._put_off(asked.sensor)

    def _settle(self, sensor: str, answer: str) -> None:
        """A place that was asked for exactly has answered. What it answered most holds; where two
        places have the same answer, both are asked for again, and the sensor's own place too."""
        said = self.said.setdefault(sensor, [])
        said.append(answer)
        often = said.count(sensor) >= max(said.count(other) for other in said)
        self.answers[sensor] = sensor if often else max(reversed(said), key=said.count)
        self._doubt.pop(sensor, None)
        self.asked = None
        if answer:
            rivals = [s for s, a in self.answers.items() if a == answer]
            self._ask_by_name(*(rivals if len(rivals) > 1 else ()))
            if answer not in self.answers:
                self._ask_by_name(answer)

    def _ask_by_name(self, *sensors: str) -> None:
        """Ask for places by name, those that were not asked for often enough."""
        self._doubt |= {s: None for s in sensors if len(self.said.get(s, ())) < AGAIN}
        self.asked = None

    def _put_off(self, sensor: str) -> None:
        """Propose other places first, and this one by name."""
        self._later[sensor] = None
        self.asked = None
        self._idle = 0

    def _wrong(self) -> None:
        """What fired has not the wire of its own place. At a place that was asked for by name it is
        the answer; at another, nobody knows where the ball is."""
        if self.asked and self.asked.exactly and (answer := self._dragged.wrong()):
            self._settle(self.asked.sensor, answer)
            return
        if not self._open:
            if way := self._dragged.several(self._near):  # they mean one that it came over
                self._ask_by_name(*way)
            return
        self._open = False
        self._wronged.add(self.fired)
        touched, _ = self._touches.running.get(self.fired, (0, 0))
        if self.touches == 1 or touched >= AGAIN:
            self._meant.add(self.fired)  # else a hand may have brushed it
        if self.asked:
            self._put_off(self.asked.sensor)
        self._ask_by_name(self.fired, *self._dragged.several(self._near))

    def _nothing(self) -> None:
        if self.asked and self.asked.times > 1:
            self._counted()
        elif self.asked and self.asked.exactly:
            self._settle(self.asked.sensor, self._dragged.only())
        elif self.asked:
            self._ask_by_name(self.asked.sensor)


def crosstalk(learner: Learner, leave_out: Iterable[str] = ()) -> set[tuple[str, str]]:
    """Pairs (a, b): b fires with a again and again, at least half of the times that a does.

    Of two that always fire together, the one that also fires alone is the one disturbed.
    """
    out = set(leave_out)
    pairs = {(min(pair), max(pair)) for pair in learner.together} if learner.together else set()
    found = set()
    for a, b in pairs:
        times = learner.together[a, b] + learner.together[b, a]
        alone = {s: learner.samples[s].bursts - times for s in (a, b)}
        if alone[b] < alone[a] or (alone[a] == alone[b] and learner.together[b, a] > times / 2):
            a, b = b, a
        if times >= AGAIN and times >= alone[a] and not out & {a, b}:
            found.add((a, b))
    return found


def exchange(swaps: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each sensor of a pair the other, whose place its wire is really at."""
    return {one: other for pair in swaps for one, other in (pair, pair[::-1])}


def _at_place(finding: Finding, there: Mapping[str, str]) -> Finding:
    """The finding of a wire, as one of the place where that is."""
    sensor, other = (there.get(it, it) for it in (finding.sensor, finding.other))
    return Finding(sensor, finding.kind, other)


def _told_of(place: str, answers: Mapping[str, str], upside: set[str], seen: set[str]) -> Finding:
    """What is wrong where another sensor answers than the place's own, or nothing."""
    answer = answers[place]
    if not answer:
        return Finding(place, "stuck" if place in upside else "absent" if place in seen else "dead")
    if answers.get(answer) == place:
        return Finding(min(place, answer), "swapped", max(place, answer))
    return Finding(place, "instead", answer)


def _of(board: Board, kind: str) -> list[Sensor]:
    return [sensor for sensor in board.sensors if sensor.kind == kind]


def _apart(one: Sensor, other: Sensor) -> float:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def _nearest(board: Board, to: str, sensors: Sequence[str]) -> str:
    """The nearest to a sensor of those that are of one kind with the first; "" of none."""
    if not sensors:
        return ""
    kind, last = board.sensor[sensors[0]].kind, board.sensor.get(to)
    group = [s for s in sensors if board.sensor[s].kind == kind]
    return min(group, key=lambda s: _apart(board.sensor[s], last) if last else 0.0)


def _beside(board: Board, one: str, other: str) -> bool:
    return _apart(board.sensor[one], board.sensor[other]) <= (NEAR * board.pitch) ** 2


def spots(board: Board, sensor: str) -> tuple[str, ...]:
    """The lights at a sensor's place, as a scene names them: "B1/2", "C1/5" or a whole cell."""
    kind, place = board.sensor[sensor].kind, board.sensor[sensor].place
    if kind in ("fall", "seat"):
        return (place,)
    if kind == "floor":
        zone = next(z for z in board.zones if z.id == place)
        return tuple(f"{zone.cell}/{edge}" for edge in zone.edges)
    if kind == "edge":
        return next(
            (f"{c}/{e}", f"{other}/{opposite(e)}")
            for c, e, other in board.shared_edges
            if board.seam(c, e) == place
        )
    if kind in PULSED or kind == "load":
        cell, _, edge = place.rpartition("-")
        return (f"{cell}/{edge}",)
    return ()


def lights(board: Board, sensor: str) -> Iterator[str]:
    """Each single light at a sensor's place."""
    for spot in spots(board, sensor):
        if "/" in spot:
            yield spot
        else:
            yield from (f"{p.cell}/{p.edge}" for p in board.pixels if p.cell == spot)
