"""Times: what a sensor's debouncer should demand, chosen by what it costs.

A pure function over bursts (`Burst`: what one sensor did, with long lows before and after). First,
by physics, how many balls each burst was. Then what a debouncer would have made of it, for every
choice of a lattice around the times in use: a ball missed and a crossing too many cost the same.
Nearly too short or too long costs as well: a choice is charged its neighbours' mistakes too. What
is found is judged on bursts that it was not chosen by, and taken only if it does better there than
what is in use.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import log

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import US
from hexboard.facts import MS
from hexboard.perception.debounce import Spec

Burst = tuple[tuple[int, int], ...]
"""The highs of one burst: from, until (ns)."""

NO_BALL_NS = MS
"""No 10 mm ball passes a sensing spot in less: that would be more than 5 m/s."""
BRIDGED_NS = 2 * MS
"""A low of less is within one contact: no ball is gone and another there, at 5 m/s."""
LOOK_NS = 100 * US
"""The longest look of a board at its inputs: nothing shorter is told apart."""
MOST = Spec(16 * MS, 8 * MS, 16 * MS)
"""No debouncer may demand more: balls at each other's heels would be one."""
AT_HEELS = 2
"""A ball at another's heels comes so many contacts after it, at least."""
ENOUGH = 20
"""Balls that a choice of times needs."""
REAL, VIRTUAL = 50, 1
"""What a mistake costs with a burst that was, and with one that was made up: the same ball with
another at its heels, which is rare but not to be lost."""
FOLDS = 5
"""In so many parts bursts are split: what is chosen by the others is judged on each."""
GAIN = 200
"""A choice must save one mistake in so many balls, or what is in use stays."""
UNCLEAR = 10
"""One mistake in so many balls: no times can tell balls from what is none."""
FEW = 100
"""With fewer balls than that, neighbours are twice as far: what was not seen yet may be."""
NEAR = ((-2, 1), (-1, 4), (0, 6), (1, 4), (2, 1))
"""Steps to neighbours, and how much of what they cost is charged."""


class Times(Struct, frozen=True):
    """What a debouncer should demand, ns, and what that rests on."""

    min_high: int
    min_low: int
    dead: int
    pulses: int
    shortest: int
    """1st percentile of the contacts of balls."""
    glitch: int
    """99th percentile of the contacts of what is no ball; 0 where there was none."""
    clear: bool
    """They tell balls from what is none; else they are never used."""

    def __post_init__(self) -> None:
        if min(self.min_high, self.min_low, self.dead) < 0:
            raise ValueError("a time is negative")


_Place = tuple[int, int, int]
"""A choice: the places of its `min_high`, `min_low` and `dead` among theirs."""


class _Case(Struct, frozen=True):
    """A burst, how many balls it was, and what a mistake with it costs."""

    burst: Burst
    balls: int
    cost: int


def chosen(bursts: Sequence[Burst], idle: Sequence[Burst], in_use: Spec) -> Times:
    """The times for a sensor that did this, and this while nothing touched the board.

    There must be a burst of a ball.
    """
    lengths = sorted(map(contact, bursts))
    least = parted(lengths, sorted(map(contact, idle)))
    rolled = [burst for burst in bursts if contact(burst) >= least]
    glitches = [burst for burst in bursts if contact(burst) < least] + list(idle)
    usual = percentile(map(contact, rolled), 5)
    cases = [_Case(burst, balls(burst, usual), REAL) for burst in rolled]
    cases += [_Case(burst, 0, REAL) for burst in glitches]
    spec = _adopted(cases, in_use)
    wrong = sum(_wrong(case, spec) for case in cases)
    return Times(
        spec.min_high,
        spec.min_low,
        spec.dead,
        len(rolled),
        percentile(map(contact, rolled), 1),
        percentile(map(contact, glitches), 99),
        wrong * UNCLEAR <= len(rolled),
    )


# ------------------------------------------------------------------------------------- the balls


def contacts(burst: Burst) -> Iterator[tuple[int, int]]:
    """Its highs, with the lows bridged in which no ball can have gone and another come."""
    begin, end = burst[0]
    for following, until in burst[1:]:
        if following - end >= BRIDGED_NS:
            yield begin, end
            begin = following
        end = until
    yield begin, end


def contact(burst: Burst) -> int:
    """The longest contact, ns."""
    return max(end - begin for begin, end in contacts(burst))


def delay(burst: Burst, min_high: int) -> int | None:
    """From its first sign until a debouncer that demands `min_high` believes it, ns; None where it
    never does."""
    first = next((begin for begin, end in burst if end - begin >= min_high), None)
    return None if first is None else first - burst[0][0] + min_high


def parted(lengths: Sequence[int], idle: Sequence[int] = ()) -> int:
    """The least contact of a ball, of sorted lengths, and sorted ones that were no balls.

    Where none is too short for a ball, all are balls. Else the likeliest of two heaps: each as if
    all its lengths were equally likely, what is no ball from nothing up.
    """
    every = sorted((*lengths, *idle))
    short = [length for length in every if length < NO_BALL_NS] or list(idle)
    if not short:
        return NO_BALL_NS
    cuts = [
        k for k in range(1, len(every)) if every[k] >= NO_BALL_NS and len(every) - k >= ENOUGH // 2
    ]
    if not cuts:
        return NO_BALL_NS
    return every[max(cuts, key=lambda k: _likely(every, k))]


def _likely(lengths: Sequence[int], k: int) -> float:
    """How likely it is that the first `k` lengths are one heap and the others another (log)."""
    rest, first = len(lengths) - k, lengths[k]
    spread = max(lengths[-1] - first, first)
    return k * log(k / max(lengths[k - 1], 1)) + rest * log(rest / spread)


def balls(burst: Burst, usual: int) -> int:
    """How many balls a burst was that is one at least: balls close by each other are as long as
    balls `usual`ly are, and further apart than half of that, for they are as fast."""
    long = [(begin, end) for begin, end in contacts(burst) if 10 * (end - begin) >= 7 * usual]
    return 1 + sum(
        2 * (after[0] - before[1]) >= max(before[1] - before[0], after[1] - after[0])
        for before, after in pairwise(long)
    )


# --------------------------------------------------------------------------------------- the cost


def rises(burst: Burst, high: int, low: int, dead: int) -> int:
    """How often a debouncer of these times would believe a burst (`perception.debounce`)."""
    count, on, until, ended = 0, False, burst[0][0], 0
    for begin, end in burst:
        if on and begin - ended >= low:
            on, until = False, ended + dead
        if not on and end - (begin if begin > until else until) >= high:
            on = True
            count += 1
        ended = end
    return count


def _wrong(case: _Case, spec: Spec) -> int:
    return abs(rises(case.burst, spec.min_high, spec.min_low, spec.dead) - case.balls)


def _axis(in_use: int, most: int, steps: int, reach: int) -> list[int]:
    """The time in use and those around it, so many steps to twice of it, up to `reach` steps."""
    scale = in_use or MS
    around = (round(scale * 2 ** (k / steps)) for k in range(-reach, reach + 1))
    return sorted({in_use, *(time for time in around if LOOK_NS <= time <= most)})


class _Lattice:
    """Times around those in use, up to `reach` steps away, and what each choice of them costs;
    `stride` steps away are its neighbours."""

    def __init__(self, in_use: Spec, stride: int, reach: int = 64) -> None:
        highs = _axis(in_use.min_high, MOST.min_high, 4, reach)
        lows = _axis(in_use.min_low, MOST.min_low, 2, reach)
        deads = sorted({0, *_axis(in_use.dead, MOST.dead, 2, reach)})
        self.axes = highs, lows, deads
        self.stride = stride
        self.home: _Place = (
            highs.index(in_use.min_high),
            lows.index(in_use.min_low),
            deads.index(in_use.dead),
        )

    def charged(self, cases: Sequence[_Case]) -> dict[_Place, int]:
        """What every choice costs, with its share of what its neighbours do."""
        costs = self._costs(cases)
        for axis, times in enumerate(self.axes):
            last = len(times) - 1
            costs = {
                place: sum(
                    share
                    * costs[
                        _moved(place, axis, max(0, min(last, place[axis] + step * self.stride)))
                    ]
                    for step, share in NEAR
                )
                for place in costs
            }
        return costs

    def spec(self, place: _Place) -> Spec:
        high, low, dead = (axis[at] for axis, at in zip(self.axes, place, strict=True))
        return Spec(high, low, dead)

    def best(self, charged: dict[_Place, int]) -> _Place:
        """The choice that costs least; of several the one nearest to what is in use."""
        return min(charged, key=lambda place: (charged[place], self._far(place), place))

    def _far(self, place: _Place) -> int:
        return sum(abs(a - b) for a, b in zip(place, self.home, strict=True))

    def _costs(self, cases: Sequence[_Case]) -> dict[_Place, int]:
        highs, lows, deads = self.axes
        alone: Counter[tuple[int, int, int]] = Counter()
        for case in cases:
            if len(case.burst) == 1:
                alone[case.burst[0][1] - case.burst[0][0], case.balls, case.cost] += 1
        several = [case for case in cases if len(case.burst) > 1]
        found = {}
        for i, high in enumerate(highs):
            plain = sum(n * cost * ((t >= high) != ball) for (t, ball, cost), n in alone.items())
            for (j, low), (k, dead) in product(enumerate(lows), enumerate(deads)):
                found[i, j, k] = plain + sum(
                    case.cost * abs(rises(case.burst, high, low, dead) - case.balls)
                    for case in several
                )
        return found


def _moved(place: _Place, axis: int, to: int) -> _Place:
    high, low, dead = place
    return (to, low, dead) if axis == 0 else (high, to, dead) if axis == 1 else (high, low, to)


def _adopted(cases: Sequence[_Case], in_use: Spec) -> Spec:
    """The times that cost least, if they also do with bursts that they were not chosen by."""
    rolled = sum(case.balls for case in cases)
    stride = 2 if rolled < FEW else 1
    near = _Lattice(in_use, stride, stride * (len(NEAR) // 2))
    if not near.charged(cases)[near.home]:
        return in_use
    lattice = _Lattice(in_use, stride)
    parts = [cases[k::FOLDS] for k in range(FOLDS)]
    charged = [lattice.charged([*part, *_at_heels(part)]) for part in parts]
    every = {place: sum(part[place] for part in charged) for place in charged[0]}
    gain = REAL * sum(share for _, share in NEAR) ** len(lattice.axes) * rolled // GAIN
    if _held_out(lattice, charged, every) + gain > every[lattice.home]:
        return in_use
    return _polished(cases, lattice.spec(lattice.best(every)))


def _held_out(
    lattice: _Lattice, charged: Iterable[dict[_Place, int]], every: dict[_Place, int]
) -> int:
    """What the choices by all parts but one cost with that one."""
    found = 0
    for part in charged:
        others = {place: cost - part[place] for place, cost in every.items()}
        found += part[lattice.best(others)]
    return found


def _polished(cases: Sequence[_Case], spec: Spec) -> Spec:
    """The same with a finer `min_high`: the middle of those around that make fewest mistakes."""
    around = [round(spec.min_high * 2 ** (k / 16)) for k in range(-8, 9)]
    wrong = {
        high: sum(_wrong(case, replace(spec, min_high=high)) for case in cases) for high in around
    }
    least = [high for high in around if wrong[high] == min(wrong.values())]
    return replace(spec, min_high=least[len(least) // 2])


def _at_heels(cases: Sequence[_Case]) -> Iterator[_Case]:
    """Balls that might have had another at their heels: the shortest, for which it is worst."""
    rolled = sorted((case.burst for case in cases if case.balls == 1), key=contact)
    for burst in rolled[: len(rolled) // 4 + 1]:
        behind = burst[0][0] + AT_HEELS * contact(burst)
        if burst[-1][1] < behind:
            later = behind - burst[0][0]
            again = ((begin + later, end + later) for begin, end in burst)
            yield _Case((*burst, *again), 2, VIRTUAL)


def percentile(values: Iterable[int], percent: int) -> int:
    """The nearest-rank percentile; 0 of no values."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0
