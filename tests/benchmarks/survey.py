"""Wrong wires and a person who answers as asked: `python -m tests.benchmarks.survey [--seeds N]`.

For each way to wire a board wrongly: how often the survey ended, how often exactly the right cause
was named, how many visits it took, and how many from the first wrong place until it was named, at
hextraction-22. The person visits places where they are asked, or (every second seed) in an order of
their own, and says `w` whenever another place lights up, or (`--sign`) holds the ball there twice.
Exits with 1 where a survey does not end within 400 visits, a healthy one within 200, or fewer than
98 % name the cause.

Then sensors that fail, and a rough hand (`Rough`, which shares nothing with our simulator): each
bounces when the ball comes and when it goes, the hand brushes a neighbour on 15 % of visits, and on
2 % one touch is miscounted. Each place is touched ten times, as asked. Counted is how often exactly
what is wrong was found; one sensor a run works 30, 50 or 70 % of the time, is disturbed by another,
rises by itself every five seconds, or is healthy as all others. A hand that seems to have held the
ball twice, and did not, counts as something else that was found.

Last the same hand drags the ball: from the place that is proposed over up to seven beside it, and
at one in ten places that are asked for by name it comes along over others. Touched ten times, it
goes to and fro.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from random import Random

from hexboard.board import Board, Sensor, find, load
from hexboard.calibration import sensors
from hexboard.calibration.sensors import (
    AllTouched,
    Asked,
    Began,
    Felt,
    Finding,
    HandsOff,
    Levels,
    Note,
    Nothing,
    Passed,
    SensorSurvey,
)
from hexboard.facts import MS
from hexboard.perception.health import PULSED
from tests.calibration.boards import Rewired, moved
from tests.calibration.hands import Hand

MOST = 400
Wrong = tuple[dict[str, str], set[Finding]]
"""Which wire each place has, and what should be found."""


def pairs(count: int) -> Callable[[Board, Random], Wrong]:
    """So many pairs of sensors on each other's wires."""

    def wrong(board: Board, chance: Random) -> Wrong:
        some = chance.sample([s.id for s in board.sensors if s.kind != "rail"], 2 * count)
        both = [sorted(pair) for pair in zip(some[::2], some[1::2], strict=True)]
        found = {Finding(one, "swapped", other) for one, other in both}
        return {a: b for one, other in both for a, b in ((one, other), (other, one))}, found

    return wrong


def ring(board: Board, chance: Random) -> Wrong:
    one, two, three = chance.sample([s.id for s in board.sensors if s.kind != "rail"], 3)
    wires = {one: two, two: three, three: one}
    return wires, {Finding(place, "instead", wire) for place, wire in wires.items()}


def shifted(board: Board, chance: Random) -> Wrong:
    by, start = chance.choice((1, -1)), chance.choice((0, 0, 8 * chance.randrange(1, 12)))
    wires = moved(board, lambda i: i + by if i >= start else i)
    first = next(s.id for s in board.sensors if s.input == start)
    return wires, {Finding(first, "shifted", f"{by:+d}")}


def register(board: Board, chance: Random) -> range:
    first = 8 * chance.randrange(16)
    return range(first, first + 8)


def reversed_register(board: Board, chance: Random) -> Wrong:
    own, names = register(board, chance), {s.input: s.id for s in board.sensors}
    wires = moved(board, lambda i: own[0] + own[-1] - i if i in own else i)
    return wires, {Finding(names[own[0]], "reversed", names[own[-1]])}


def ribbons(board: Board, chance: Random) -> Wrong:
    one, other = sorted(chance.sample(range(0, 128, 8), 2))
    names = {s.input: s.id for s in board.sensors}
    there = {one: other, other: one}
    wires = moved(board, lambda i: there.get(i // 8 * 8, i // 8 * 8) + i % 8)
    return wires, {Finding(names[one], "plugs", names[other])}


def silent(board: Board, chance: Random) -> Wrong:
    own, names = register(board, chance), {s.input: s.id for s in board.sensors}
    wires = moved(board, lambda i: -1 if i in own else i)
    return wires, {Finding(names[own[0]], "silent", names[own[-1]])}


def healthy(board: Board, chance: Random) -> Wrong:
    return {}, set()


CASES: dict[str, Callable[[Board, Random], Wrong]] = {
    "healthy": healthy,
    **{f"{count} swapped pair{'s' * (count > 1)}": pairs(count) for count in range(1, 7)},
    "three in a ring": ring,
    "chain shifted by one": shifted,
    "register reversed": reversed_register,
    "ribbons swapped": ribbons,
    "dead register": silent,
}


class Told(Hand):
    """A hand that counts visits from when something was first wrong until `wanted` is found."""

    wanted: set[Finding]
    wrong = told = 0

    def note(self, note: Note) -> None:
        super().note(note)
        if isinstance(note, (sensors.Wrong, Nothing)) or self.survey.signs:
            self.wrong = self.wrong or self.touches

    def visit(self, choose: Callable[[Asked], str]) -> bool:
        goes_on = super().visit(choose)
        if self.wrong and not self.told and self.wanted <= set(self.survey.findings()):
            self.told = self.touches
        return goes_on


def run(board: Board, name: str, seed: int, sign: bool = False) -> tuple[bool, int, int]:
    """Whether exactly the cause was found, after how many visits of a hand, and how many visits
    after the first that was wrong it was named."""
    wires, wanted = CASES[name](board, Random(f"{name} {seed}"))
    hand = Told(Rewired(board, wires), SensorSurvey(board), sign=sign)
    hand.wanted = wanted
    hand.all(seed if seed % 2 else None, MOST)
    return set(hand.survey.findings()) == wanted, hand.touches, hand.told - hand.wrong


TOUCHES = 10
BRUSHES, MISCOUNTS = 0.15, 0.02


def _apart(one: Sensor, other: Sensor) -> float:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


class Rough:
    """A person with a ball at a board of rough contacts. `works`: how often some sensors do;
    `disturbs`: which sensor fires with another; `wires`: which wire a place has; `noisy`: a sensor
    that rises by itself. Times are ns."""

    def __init__(
        self,
        board: Board,
        chance: Random,
        works: Mapping[str, float],
        disturbs: Mapping[str, str],
        wires: Mapping[str, str],
        drags: bool = False,
        touches: int = 10,
        noisy: str = "",
    ) -> None:
        self.board, self.chance, self.works, self.disturbs = board, chance, works, disturbs
        self.wires, self.drags = wires, drags
        self.survey = SensorSurvey(board, touches=touches)
        self.now = self.visits = 0
        self._coming: list[tuple[int, str, bool]] = []
        at = 0
        while noisy and at < 3_600_000 * MS:
            at += int(chance.expovariate(1 / 5000) * MS)
            self._coming += [(at, noisy, True), (at + chance.randrange(1, 50 * MS), noisy, False)]
        self._coming.sort()

    def _contact(self, sensor: str, at: int, lasts: int) -> None:
        """A contact with its bounces: up to 3 ms when it closes, up to 30 ms when it opens."""
        sensor = self.wires.get(sensor, sensor)
        if not sensor or self.chance.random() >= self.works.get(sensor, 1.0):
            return
        ticks = [at, at + lasts]
        for since, room in ((at, 3 * MS), (at + lasts, self.chance.choice((3, 10, 30)) * MS)):
            some = {
                since + self.chance.randrange(1, room) for _ in range(2 * self.chance.randrange(3))
            }
            ticks += sorted(some)[: len(some) // 2 * 2]
        for k, tick in enumerate(sorted(ticks)):
            heappush(self._coming, (tick, sensor, k % 2 == 0))
        if sensor in self.disturbs:
            self._contact(self.disturbs[sensor], at + self.chance.randrange(3 * MS), lasts)

    def _wait(self, until: int) -> None:
        while self._coming and self._coming[0][0] <= until:
            at, sensor, level = heappop(self._coming)
            self.survey.note(Felt(sensor, level, at))
        self.now = until
        self.survey.note(Passed(until))

    def _touch(self, place: str, times: int) -> None:
        """Touch a place so many times; the hand may brush a neighbour meanwhile."""
        pulsed = self.board.sensor[place].kind in PULSED
        times = times if pulsed else 1
        if times > 1 and self.chance.random() < MISCOUNTS:
            times += self.chance.choice((-1, 1))
        begun = self.now
        for _ in range(times):
            lasts = self.chance.randrange(80, 250) * MS
            self._contact(place, self.now, lasts)
            self._wait(self.now + lasts + self.chance.randrange(120, 400) * MS)
            self._ask()
        if self.chance.random() < BRUSHES:
            here = self.board.sensor[place]
            near = sorted(
                (s for s in self.board.sensors if s.id != place and s.kind != "rail"),
                key=lambda s: (s.x - here.x) ** 2 + (s.y - here.y) ** 2,
            )
            at = self.chance.randrange(begun, self.now)
            self._contact(self.chance.choice(near[:4]).id, max(at, self.now), 60 * MS)
            self._wait(self.now + 200 * MS)
        self._wait(self.now + 1500 * MS)  # and looks what is next

    def _drag(self, way: list[str]) -> None:
        """Drag the ball over these places, without a pause."""
        for place in way:
            lasts = self.chance.randrange(60, 150) * MS
            self._contact(place, self.now, lasts)
            self._wait(self.now + lasts + self.chance.randrange(30, 120) * MS)
            self._ask()

    def _way(self, place: str, length: int) -> list[str]:
        """So many places that balls pass, each the nearest to the one before."""
        way = [place]
        left = {s.id for s in self.board.sensors if s.kind in PULSED} - {place}
        while len(way) < length:
            here = self.board.sensor[way[-1]]
            near = sorted(left, key=lambda s: (_apart(self.board.sensor[s], here), s))
            way.append(self.chance.choice(near[:2]))
            left.discard(way[-1])
        return way

    def survey_all(self, own_order: bool) -> None:
        """Every place, as asked."""
        every: list[Note] = [Began(), Levels(("rail:main",), 0), HandsOff(True)]
        for note in every:
            self.survey.note(note)
        self._wait(2000 * MS)
        self.survey.note(HandsOff(False))
        todo = [s.id for s in self.board.sensors if s.kind != "rail"] if own_order else []
        self.chance.shuffle(todo)
        while self.visits < MOST:
            if (asked := self._ask()) is None:
                return
            self._visit(asked, todo)

    def _ask(self) -> Asked | None:
        """What is asked for now, as the wizard does."""
        asked = self.survey.asked
        if asked is None or not self.survey.wanted(asked.sensor):
            asked = self.survey.next()
            if asked is not None:
                self.survey.note(asked)
        return asked

    def _visit(self, asked: Asked, todo: list[str]) -> None:
        self.visits += 1
        place = asked.sensor if asked.exactly or not todo else todo.pop()
        before = self.survey.visits
        passes = self.drags and self.board.sensor[place].kind in PULSED
        on_the_way = list[str]()
        if passes and not asked.exactly:
            way = self._way(place, self.chance.randrange(2, 9 if self.survey.touches == 1 else 5))
            to_and_fro = [*way, *way[-2:0:-1]] * self.survey.touches
            self._drag(way if self.survey.touches == 1 else [*to_and_fro, *way])
            self._wait(self.now + 1500 * MS)
            place = way[-1]  # and looks whether this one lights up
        else:
            if passes and self.chance.random() < 0.1:  # comes along over neighbours
                on_the_way = self._way(place, self.chance.randrange(2, 5))[:0:-1]
                self._drag(on_the_way)
            self._touch(place, self.survey.touches)
        if asked.times > 1:
            if self.survey.asked is asked:
                self.survey.note(AllTouched())
        elif self.survey.visits == before or self.survey.fired in on_the_way:
            if place == asked.sensor and self.survey.asked is asked:
                self.survey.note(Nothing())
        elif self.survey.fired != place:
            self.survey.note(sensors.Wrong())


FAILING = (
    *("healthy", "works 70 %", "works 50 %", "works 30 %", "crosstalk", "noisy"),
    *("3 swapped pairs", "chain shifted by one", "dead register"),
)


DRAGGED = (
    *("healthy", "dead", "works 50 %", "crosstalk"),
    *("3 swapped pairs", "chain shifted by one", "dead register"),
)


def rough(
    board: Board, name: str, seed: int, drags: bool = False, touches: int = TOUCHES
) -> tuple[bool, int, bool]:
    """Whether what is wrong was found, after how many visits, and whether something else was."""
    chance = Random(f"{name} {seed}")
    one, other = chance.sample([s.id for s in board.sensors if s.kind in PULSED], 2)
    works, disturbs = dict[str, float](), dict[str, str]()
    wires, wanted = CASES[name](board, chance) if name in CASES else ({}, set())
    if name.startswith("works"):
        works, wanted = {one: int(name[6:8]) / 100}, {Finding(one, "weak")}
    elif name == "dead":
        works, wanted = {one: 0.0}, {Finding(one, "dead")}
    elif name == "crosstalk":
        disturbs, wanted = {one: other}, {Finding(other, "crosstalk", one)}
    elif name == "noisy":
        wanted = {Finding(one, "noisy")}
    noisy = one if name == "noisy" else ""
    person = Rough(board, chance, works, disturbs, wires, drags, touches, noisy)
    person.survey_all(bool(seed % 2) and not drags)
    found = person.survey.findings()
    told = {Finding(f.sensor, f.kind, "" if f.kind == "weak" else f.other) for f in found}
    return wanted <= told, person.visits, bool(told - wanted) or person.survey.signs > 0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=10)
    options.add_argument("--rough", action="store_true", help="only the rough hand")
    options.add_argument("--sign", action="store_true", help="w is said with the ball")
    asked = options.parse_args()
    board, failed = load(find("hextraction-22")), False
    for name in () if asked.rough else CASES:
        runs = [run(board, name, seed, asked.sign) for seed in range(asked.seeds)]
        named, visits = sum(right for right, *_ in runs), sorted(visits for _, visits, _ in runs)
        after = sorted(after for *_, after in runs)
        most = 200 if name == "healthy" else MOST
        bad = named < 0.98 * len(runs) or visits[-1] >= most
        failed |= bad
        print(
            f"{name:22} named {named} of {len(runs)}, visits {visits[len(visits) // 2]} "
            f"(at most {visits[-1]}), named {after[len(after) // 2]} (at most {after[-1]}) after "
            f"the first wrong place{' !' * bad}",
            flush=True,
        )
    told = "A rough hand, ten touches a place:"
    rows = [(told, name, False, TOUCHES) for name in FAILING]
    told = "It drags the ball over several places, to and fro, ten times:"
    rows += [(told, name, True, TOUCHES) for name in DRAGGED]
    told = "It drags the ball over several places once, one touch a place:"
    rows += [(told, name, True, 1) for name in DRAGGED if not name.startswith("works")]
    for k, (told, name, drags, touches) in enumerate(rows):
        if not k or told != rows[k - 1][0]:
            print(f"\n{told}")
        results = [rough(board, name, seed, drags, touches) for seed in range(asked.seeds)]
        named, false = sum(right for right, *_ in results), sum(wrong for *_, wrong in results)
        visits = sorted(visits for _, visits, _ in results)
        sure = name == "healthy" or not drags  # one who drags may take the way for the place
        bad = named < 0.95 * len(results) or (sure and bool(false))
        bad |= name == "healthy" and visits[-1] >= 200
        failed |= bad
        print(
            f"{name:22} named {named} of {len(results)}, something else in {false}, visits "
            f"{visits[len(visits) // 2]} (at most {visits[-1]}){' !' * bad}",
            flush=True,
        )
    sys.exit(failed)


if __name__ == "__main__":
    main()
