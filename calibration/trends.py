"""Trends: how often a sensor worked, evening by evening, and whether it gets worse.

    rates = noted(rates, Rate("2026-11-21T20:00:00+0100", "balls", 38, 39))
    trend = worse(rates)        # None where the numbers do not bear it
    trend.once                  # chance makes as much of a trend once in so many times

Whether it misses more from some evening on than before, or may by chance, says Fisher's exact test.
"""

from collections.abc import Iterable
from datetime import datetime
from math import comb

from msgspec import Struct

EVENING_S = 12 * 3600
"""What is so near in time is of one evening."""
KEPT = 6
"""So many evenings, and as many surveys, are kept."""
SURE = 2_000
"""A trend is said where chance makes it once in so many times: a board has a hundred sensors."""
ONCE = 1_000_000
"""No trend is said to be surer than once in so many."""


class Rate(Struct, frozen=True, array_like=True):
    """How many balls of an evening (`by` "balls") a sensor saw `of` those that passed it, or how
    many touches of a survey ("touches") it felt; or how often it rose on an evening though no ball
    was there ("alone"), in so many seconds."""

    date: str
    """When it was counted, ISO 8601."""
    by: str
    felt: int
    of: int

    def __post_init__(self) -> None:
        if min(self.felt, self.of) < 0 or (self.by != "alone" and self.felt > self.of):
            raise ValueError(f"{self.felt} of {self.of} {self.by} cannot be")


class Trend(Struct, frozen=True):
    """A sensor gets worse; `once` in so many times chance makes as much."""

    rates: tuple[Rate, ...]
    once: int


def noted(rates: tuple[Rate, ...], new: Rate, recalled: bool = False) -> tuple[Rate, ...]:
    """The rates with a new one. It goes last whatever its date is, for a clock may be wrong by
    years; one that is `recalled`, from a recording, goes where its date puts it. Counts of one
    evening are added up. Of a survey ("touches") that goes on the newest count replaces the one
    before."""
    own = [rate for rate in rates if rate.by == new.by]
    later = [rate for rate in own if recalled and later_than(rate, new)]
    same = [rate for rate in own if rate not in later]
    if new.by == "touches" and any(one_evening(rate, new) for rate in same[:-1]):
        kept = [new if one_evening(rate, new) else rate for rate in same]
        return (*(rate for rate in rates if rate.by != new.by), *kept, *later)
    if same and one_evening(same[-1], new):
        last = same.pop()
        if new.by != "touches":
            new = Rate(new.date, new.by, last.felt + new.felt, last.of + new.of)
    others = (rate for rate in rates if rate.by != new.by)
    return (*others, *[*same, new, *later][-KEPT:])


def later_than(one: Rate, other: Rate) -> bool:
    """Whether it was counted on a later evening than the other."""
    try:
        after = datetime.fromisoformat(one.date) > datetime.fromisoformat(other.date)
    except (TypeError, ValueError):
        return False
    return after and not one_evening(one, other)


def one_evening(one: Rate, other: Rate) -> bool:
    """Whether both are of one evening."""
    try:
        apart = datetime.fromisoformat(other.date) - datetime.fromisoformat(one.date)
    except (TypeError, ValueError):  # a date by hand, or one of two has no zone
        return one.date == other.date
    return abs(apart.total_seconds()) < EVENING_S


def worse(rates: Iterable[Rate], by: str = "balls") -> Trend | None:
    """The trend of a sensor that gets worse; None for one of which that is not sure."""
    counted = tuple(rate for rate in rates if rate.by == by and rate.of)
    chance = _chance([(rate.of - rate.felt, rate.of) for rate in counted])
    if chance * SURE > 1:
        return None
    once = 1 / max(chance, 1 / ONCE)
    return Trend(counted, int(float(f"{once:.0e}")))  # one figure that counts


def _chance(missed: list[tuple[int, int]]) -> float:
    """The chance that an unchanged sensor shows such a rise in misses (misses and balls of each
    evening): the smallest p-value over all places to split the evenings, times the number of splits
    (Bonferroni). It may exceed 1, and is 1 for fewer than two evenings."""
    splits = range(1, len(missed))
    return min((len(splits) * _fisher(missed[:k], missed[k:]) for k in splits), default=1.0)


def _fisher(before: list[tuple[int, int]], since: list[tuple[int, int]]) -> float:
    """How likely as many misses, or more, fall among those `since` if all balls are alike."""
    lost, balls = sum(it for it, _ in since), sum(of for _, of in since)
    misses = lost + sum(it for it, _ in before)
    every = balls + sum(of for _, of in before)
    most = min(misses, balls)
    ways = sum(comb(balls, it) * comb(every - balls, misses - it) for it in range(lost, most + 1))
    return ways / comb(every, misses)
