"""Witnesses: what each sensor is worth, by balls that passed it and signs that no ball made.

A pure function of what rolls were judged to be (`Testimony`). Each sensor is weighed as by a
sequential test: every ball that it missed speaks for a weak sensor, every one that it saw for a
healthy one, never below zero, so that one that fails late is found as soon as one that was never
any good. What a miss says hangs on how many the others miss, as far as that is known by now. The
same for turns in which it spoke for no ball. Scores are 1/100 nat.

    witnesses = Witnesses()
    for verdict in witnesses.learn(Testimony(saw=("edge:B2-C2",), missed=("edge:C2-D2",))):
        print(verdict)                      # none yet: one miss is no proof
    witnesses.known["edge:C2-D2"].seen      # 0 of 1 that passed
    witnesses.misses                        # what a miss costs, of those that are named
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import log, sqrt

from msgspec import Struct

from hexboard.facts import Witnessed
from hexboard.perception.health import SensorVerdict
from hexboard.perception.leaning import Leaning
from hexboard.perception.paces import Paces

WEAK = 30
"""A weak sensor misses so many of 100 balls."""
SOUND = 300
"""One in so many a sensor misses on a board of which nothing is known yet."""
SAW_CNAT = -36
"""What a ball says that a sensor saw: that it misses `WEAK` rather than none."""
RESTLESS_CNAT, QUIET_CNAT = 230, -85
"""What a turn says in which a sensor spoke for no ball, or did not: that it does so in 60 of 100
rather than in six, for hands come near."""
WEAK_CNAT = 900
"""A score from which a sensor is `weak` or `dead`: on a board whose misses are known, at most one
in twenty has any sound sensor named in 1,000 turns (`tests.benchmarks.health --known`)."""
NOISY_CNAT = 1000
"""A score from which it is `noisy`: one in 20,000."""
KEPT_CNAT = 500
"""A score below which a named one is healthy again."""
MOST_CNAT = 1400
"""No score is higher: what was long ago is forgotten."""
OFTEN, SOME = 8, 3
"""Who misses one ball in `OFTEN`, and `SOME` at least, says nothing of what others miss."""
LEAST_CNAT = 10
"""What a miss or a false sign costs at least: it still counts where nothing else tells two
readings apart."""


class Testimony(Struct, frozen=True):
    """What one roll says of sensors: each as often as a ball passed."""

    saw: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    false: frozenset[str] = frozenset()
    """Those that spoke for no ball."""
    took: tuple[tuple[str, int], ...] = ()
    """How long balls took on their ways, ms."""
    courses: tuple[tuple[str, int], ...] = ()
    """The same, by the edges over which they went."""


class Witness(Struct):
    """One sensor, as far as play has shown what it is like."""

    seen: int = 0
    missed: int = 0
    """Balls that it saw, and that it must have felt and did not."""
    restless: int = 0
    """Turns in which it spoke for no ball."""
    weak: int = 0
    noisy: int = 0
    """How much speaks for each, 1/100 nat."""
    lately: tuple[int, int] = (0, 0)
    """Balls seen and missed since nothing spoke against it."""

    @property
    def passed(self) -> int:
        """Balls that passed it."""
        return self.seen + self.missed

    @property
    def works(self) -> tuple[float, float]:
        """How often it works, at least and at most: 19 in 20 times that is so (Wilson)."""
        return likely(self.seen, self.passed)


class Witnesses:
    """All sensors of one board. `turns` is how many rolls were judged."""

    def __init__(self) -> None:
        self.known: dict[str, Witness] = {}
        self.turns = 0
        self.named: dict[str, str] = {}
        """Sensors that fail: `dead`, `weak` or `noisy`."""
        self.misses: dict[str, int] = {}
        """How unlikely a miss is of those that miss balls, 1/100 nat."""
        self.made_up: dict[str, int] = {}
        """How unlikely a sign from nowhere is of those that are noisy, 1/100 nat."""
        self.unseen: dict[str, int] = {}
        """So many of a million contacts of these nobody looked at, at least."""
        self.instead: Counter[tuple[str, str]] = Counter()
        """How often a sensor missed a ball in a turn in which another spoke for none: the two may
        be on each other's wires."""
        self.paces = Paces()
        """How long balls take on each way."""
        self.leaning = Leaning()
        """Whether they take longer to the left or to the right."""
        self.shown = Paces(), Leaning()
        """Both, by this match alone."""
        self._restless: set[str] = set()

    def between(self, sensors: Iterable[str]) -> None:
        """These spoke for no ball, and the turn is not over."""
        self._restless.update(sensors)

    def learn(self, heard: Testimony) -> Iterator[SensorVerdict]:
        """Learn from a roll that is judged; what has become of whom, as they are named."""
        self.turns += 1
        self.timed(heard.took, heard.courses)
        pairs = product(set(heard.missed), heard.false)
        self.instead.update((one, other) for one, other in pairs if one != other)
        saw, missed = Counter(heard.saw), Counter(heard.missed)
        says = self._says({*saw, *missed})
        for sensor in sorted(says):
            self._passed(sensor, saw[sensor], missed[sensor], says[sensor])
        restless = heard.false | self._restless
        for sensor in restless:
            self._of(sensor).restless += 1
        for sensor, witness in self.known.items():
            if sensor in restless or witness.noisy:
                more = RESTLESS_CNAT if sensor in restless else QUIET_CNAT
                witness.noisy = _within(witness.noisy + more)
        self._restless.clear()
        yield from self._judged(sorted({*saw, *missed, *restless, *self.named}))

    def timed(self, took: Iterable[tuple[str, int]], courses: Iterable[tuple[str, int]]) -> None:
        """Balls took so long on these ways and courses, ms."""
        took, courses = tuple(took), tuple(courses)
        for paces in (self.paces, self.shown[0]):
            paces.learn(took)
        for leaning in (self.leaning, self.shown[1]):
            leaning.learn(courses)

    @property
    def exchanged(self) -> Iterator[tuple[str, str, int]]:
        """A sensor that missed balls, another that spoke for none at least half of those times, and
        how often: are they on each other's wires?"""
        for (sensor, other), times in sorted(self.instead.items()):
            if times >= SOME and 2 * times >= self.known[sensor].missed:
                yield sensor, other, times

    @property
    def fact(self) -> Witnessed:
        """All that is known, for the table of the next match."""
        known = ((sensor, *_numbers(it)) for sensor, it in sorted(self.known.items()))
        instead = ((*pair, times) for pair, times in sorted(self.instead.items()))
        paces, leant = self.paces.known, self.leaning.known
        return Witnessed(self.turns, tuple(known), tuple(instead), paces, leant)

    def recall(self, before: Witnessed) -> None:
        """Take up what was known at the end of the match before."""
        self.turns, self._restless = before.turns, set()
        self.instead = Counter({(one, other): times for one, other, times in before.instead})
        self.paces, self.leaning = Paces(before.paces), Leaning(before.leant)
        self.known = {
            sensor: Witness(seen, missed, restless, weak, noisy, (saw, lost))
            for sensor, seen, missed, restless, weak, noisy, saw, lost in before.sensors
        }
        self.named, self.misses, self.made_up = {}, {}, {}
        for _ in self._judged(sorted(self.known)):
            pass

    def add(self, later: "Witnesses", before: Witnessed) -> None:
        """Count what a later match has shown beside what was known `before` it; named are those
        that it names."""
        self.turns += later.turns - before.turns
        known = {it[0]: Witness(it[1], it[2], it[3]) for it in before.sensors}
        for sensor, it in later.known.items():
            own, old = self._of(sensor), known.get(sensor, Witness())
            own.seen += it.seen - old.seen
            own.missed += it.missed - old.missed
            own.restless += it.restless - old.restless
        self.named, self.paces = dict(later.named), later.paces
        self.leaning = later.leaning
        self.instead.update(later.instead)
        self.instead.subtract({(one, other): times for one, other, times in before.instead})

    def _of(self, sensor: str) -> Witness:
        return self.known.setdefault(sensor, Witness())

    def _says(self, sensors: Iterable[str]) -> dict[str, int]:
        """What a miss says of each of these: that it misses `WEAK` rather than what the sound ones
        of the others miss, or what nobody looks at, whichever is more."""
        sound = {s: it for s, it in self.known.items() if self._sound(s)}
        passed = SOUND + sum(it.passed for it in sound.values())
        missed = 1 + sum(it.missed for it in sound.values())
        found = {}
        for sensor in sensors:
            own = sound.get(sensor, Witness())
            odds = WEAK * (passed - own.passed) / (100 * (missed - own.missed))
            if unseen := self.unseen.get(sensor):
                odds = min(odds, WEAK * 10_000 / unseen)
            found[sensor] = max(round(100 * log(odds)), 0)
        return found

    def _sound(self, sensor: str) -> bool:
        it = self.known[sensor]
        return sensor not in self.named and not SOME <= it.missed >= it.passed / OFTEN

    def _passed(self, sensor: str, saw: int, missed: int, says: int) -> None:
        """One roll says one thing of a sensor: what it says again, it says of one ball.

        Until it is named all that was counted lately is weighed by what a miss says now: an early
        one tells more once the others turn out to miss none.
        """
        witness, missed_one = self._of(sensor), min(missed, 1)
        if not witness.weak:
            witness.lately = (0, 0)
        witness.seen += saw
        witness.missed += missed
        witness.lately = (witness.lately[0] + saw, witness.lately[1] + missed_one)
        if sensor in self.named:
            witness.weak = _within(witness.weak + saw * SAW_CNAT + missed_one * says)
        else:
            seen, lost = witness.lately
            witness.weak = _within(seen * SAW_CNAT + lost * says)

    def _judged(self, sensors: list[str]) -> Iterator[SensorVerdict]:
        """Who is named now, and who no longer."""
        for sensor in sensors:
            state, before = self._state(sensor), self.named.get(sensor, "")
            if state != before:
                self.named[sensor] = state
                if not state:
                    del self.named[sensor]
                if before in ("dead", "weak") and state not in ("dead", "weak"):
                    self.known[sensor].lately = (0, 1)  # one miss of what it did is kept in mind
                yield SensorVerdict(sensor, state)
            self._weigh(sensor, state)

    def _state(self, sensor: str) -> str:
        """`dead`, `weak` or `noisy`, or "" for one of which nothing bad is known."""
        witness, before = self.known[sensor], self.named.get(sensor, "")
        seen, _ = witness.lately
        enough = KEPT_CNAT if before in ("dead", "weak") else WEAK_CNAT
        if witness.weak >= enough:
            return "weak" if seen else "dead"
        enough = KEPT_CNAT if before == "noisy" else NOISY_CNAT
        return "noisy" if witness.noisy >= enough else ""

    def _weigh(self, sensor: str, state: str) -> None:
        """What a named sensor says counts for less from now on."""
        witness = self.known[sensor]
        self.misses.pop(sensor, None)
        self.made_up.pop(sensor, None)
        if state in ("weak", "dead"):
            seen, missed = witness.lately
            self.misses[sensor] = _cost(missed, seen + missed)
        elif state == "noisy":
            self.made_up[sensor] = _cost(witness.restless, self.turns)


def likely(times: int, of: int) -> tuple[float, float]:
    """How often something happens that happened so often: at least, at most, 19 in 20 times.

    E. B. Wilson, J. Am. Stat. Assoc. 22 (1927): of 9 of 10, 0.60 to 0.98; of none at all, 0 to 1.
    """
    if not of:
        return 0.0, 1.0
    z = 1.96
    middle, spread = times / of + z * z / (2 * of), z * sqrt(times * (of - times) / of + z * z / 4)
    below = 1 + z * z / of
    return max((middle - spread / of) / below, 0.0), min((middle + spread / of) / below, 1.0)


def _numbers(it: Witness) -> tuple[int, int, int, int, int, int, int]:
    return it.seen, it.missed, it.restless, it.weak, it.noisy, *it.lately


def _within(score: int) -> int:
    return min(max(score, 0), MOST_CNAT)


def _cost(times: int, of: int) -> int:
    """How unlikely it is to happen again what happened so often, 1/100 nat."""
    return max(round(100 * log((2 * of + 2) / (2 * times + 1))), LEAST_CNAT)
