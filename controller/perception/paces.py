"""Paces: how long balls take on each way, learned from rolls that were judged.

A pure function of what rolls were judged to be. A way has a name of two words: what the ball is in
and how it came in, "Sozu 3". Kept are the last `KEPT` times of each, in ms, so that a board that is
tilted otherwise is known again after a few rolls. All numbers are whole.

    paces = Paces()
    paces.learn([("Sozu 3", 4100), ("Sozu 3", 3300)])
    paces.patience_ms("Sozu 3")     # 6600: so long a ball that is there may well go on by itself
"""

from collections.abc import Iterable
from itertools import chain

from hexboard.facts import Paced

KEPT = 8
"""So many times of a way are kept."""
FEW = 4
"""Of a way that is known less often it counts, too, what others of its kind show."""
TWICE = 2
"""So many times what the slowest of its balls took a ball is waited for. Of a log-normal time with
a sigma of 0.8 that is 98 in 100."""
SLOW_MS = 1_000
"""A way on which balls take so long is a slow one."""
HASTE = 3
"""So many times quicker than the quickest of the last ones nothing rolls that was not pushed."""
PLAIN_MS = 80
"""What balls take less for is too short to tell: contacts are some ten ms late themselves."""
LONGEST_MS = 12_000
"""So long a ball may take that goes on by itself; later it was moved."""


class Paces:
    """All ways of one evening."""

    def __init__(self, known: Paced = ()) -> None:
        self._times: dict[str, tuple[int, ...]] = dict(known)

    @property
    def known(self) -> Paced:
        """For each way its last times, ms, the newest last."""
        return tuple(sorted(self._times.items()))

    @property
    def slow(self) -> tuple[tuple[str, int], ...]:
        """The ways on which balls are slow, and how long the slow ones take, ms; of one that it is
        known of."""
        found = ((way, self.patience_ms(way) // TWICE) for way in sorted(self._times))
        return tuple((way, ms) for way, ms in found if ms >= SLOW_MS)

    def learn(self, took: Iterable[tuple[str, int]]) -> None:
        """Balls took so many ms on these ways."""
        for way, ms in took:
            times = (*self._times.get(way, ()), min(ms, LONGEST_MS))
            self._times[way] = times[-KEPT:]

    def patience_ms(self, way: str, stated_ms: int = 0) -> int:
        """So long a ball on a way may go on by itself, by what is known; while that is too little,
        what is stated of it.

        One slow ball in eight was held up: what says that a way is slow is the second slowest.
        """
        times = self._known(way, FEW)
        slowest = sorted(times, reverse=True)[max(1, len(times) // KEPT) :]
        known = TWICE * slowest[0] if slowest else 0
        return min(max(known, stated_ms if len(times) < FEW else 0), LONGEST_MS)

    def hasty(self, way: str, ms: int) -> int:
        """How long the quickest but one of the last balls on a way took, ms, where this one was so
        much quicker that it must have been pushed; else 0. That one was pushed perhaps."""
        times = self._known(way, KEPT)
        quick = sorted(times)[1] if len(times) >= KEPT else 0
        return quick if quick >= PLAIN_MS and HASTE * ms < quick else 0

    def _known(self, way: str, enough: int) -> tuple[int, ...]:
        """The last times of a way; where these are not enough, of all ways of its kind."""
        times = self._times.get(way, ())
        if len(times) >= enough:
            return times
        alike = (known for other, known in self._times.items() if _kind(other) == _kind(way))
        return tuple(chain.from_iterable(alike))


def joined(older: Paced, newer: Paced) -> Paced:
    """What is known by both; of each way the last times."""
    paces = Paces(older)
    paces.learn((way, ms) for way, times in newer for ms in times)
    return paces.known


def _kind(way: str) -> str:
    return way.rpartition(" ")[0]
