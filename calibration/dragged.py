"""Dragged: what answers at a place that was asked for by name, and what a ball that is dragged
there only came over on its way.

    dragged.asked("edge:B1-B2")         # a place is asked for
    dragged.over("gate:B1-1", at)       # any sensor fired; at once, if it was not that place's:
    dragged.answer("edge:B1-C1")        # the place's answer, as soon as there is one
    dragged.rests(now)                  # the same, when nothing fires any more
    dragged.wrong()                     # the same, when somebody says that another place lit up
    dragged.only()                      # the same, when they say that the place itself did not

A function of what it was told; times are ns.
"""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from hexboard.facts import MS

PACE_NS = 700 * MS
"""A ball that is dragged is over the next sensor sooner; nobody reads what is asked, and gets
there, in less."""
LEAST = 3
"""So many sensors one after the other are a ball that is dragged."""
MOST = 20
"""After so many others the place itself does not fire, however long they are dragged over."""


class Dragged:
    """What fired since a place was asked for by name."""

    def __init__(self) -> None:
        self._others: list[str] = []
        """What fired since then, beside the place's own."""
        self._heard: Counter[tuple[str, str]] = Counter()
        """How often another fired as a place was asked for."""
        self._place = ""
        self._said: set[str] = set()
        """Places of which somebody said that they were wrong, and may have meant another."""
        self.way: list[str] = []
        """What fired one after the other, without a pause."""
        self.rough = False
        """Once two fired so: the hand brushes neighbours, or hurries."""
        self.drags = False
        """Once three did."""
        self._over: set[str] = set()
        self._since: set[str] = set()  # fired since the place was asked for, after a pause
        self._count = 0
        self._last = -PACE_NS
        self._before = False  # the way on which a ball was when the place was asked for goes on

    def asked(self, place: str) -> None:
        """A place is asked for: whatever still fires on the way before says nothing of it."""
        self._place, self._count, self._before = place, 0, True
        self._over.clear()
        self._since.clear()
        self._others.clear()

    def over(self, sensor: str, at: int) -> None:
        """A sensor fires."""
        if at - self._last > PACE_NS:
            self._before = False
            self.way.clear()
        self._last = at
        if not self._before:
            self._since.add(sensor)
        if sensor not in self.way[-1:]:
            self.way.append(sensor)
            self.rough |= len(self.way) > 1
            self.drags |= len(set(self.way)) >= LEAST

    def several(self, near: Callable[[str, str], bool]) -> tuple[str, ...]:
        """All that the ball came over if it was dragged: three sensors or more, mostly from one to
        the next beside it; else none."""
        steps = [near(*step) for step in pairwise(self.way)]
        if len(set(self.way)) < LEAST or 2 * sum(steps) < len(steps):
            return ()
        return tuple(dict.fromkeys(self.way))

    def stray(self, near: Callable[[str, str], bool]) -> str:
        """The sensor that fired last but one, if it is near neither the one before nor the one
        after, which are near each other: it fired for a place between them. "" for none."""
        if len(self.way) < LEAST:
            return ""
        before, one, after = self.way[-LEAST:]
        aside = not near(before, one) and not near(one, after)
        return one if aside and near(before, after) else ""

    def answer(self, other: str) -> str | None:
        """Another than the place's own fired: what the place answers, "" for nothing; None while
        that may have been on the way. The same one twice, and nothing else, was not."""
        self._others.append(other)
        self._heard[self._place, other] += 1
        self._count += 1
        if self._count >= MOST:
            return ""
        if self._before:
            return None
        again = self._over == {other}
        self._over.add(other)
        return other if again else None

    def wrong(self) -> str:
        """What the place answers if the person says that another one lit up: of the sensors that
        fired, the one that does so oftenest when this place is asked for. "" if none fired. Also ""
        if they may have meant what still fired on the way there, until they say it again."""
        if not self._others:
            return ""
        if self._before and self._place not in self._said:
            self._said.add(self._place)
            return ""
        self._said.discard(self._place)
        return max(reversed(self._others), key=lambda it: self._heard[self._place, it])

    def only(self) -> str:
        """What the place answers, as the person says that it does not: the only other that fired
        since it was asked for. "" for none, and for several, of which a hand brushed some."""
        return next(iter(self._since)) if len(self._since) == 1 else ""

    def rests(self, now: int) -> str | None:
        """What the place answers if it was the only one, and nothing has fired for a while."""
        if not self._over or now - self._last <= PACE_NS:
            return None
        only = next(iter(self._over)) if len(self._over) == 1 else None
        self._over.clear()
        return only
