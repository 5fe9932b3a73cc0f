"""Scans: what happens while a source does not look at its sensors, as far as it says how long.

A pure function of what sources said. A change of level is stamped by the first look that sees it,
so it came up to one look earlier; and a contact that begins and ends between two looks was never
seen. How many do is known from below, by the source's worst second: one gap as long as the longest,
and, where looks are further apart than a contact is long, all of them.

    scans = Scans()
    scans.learn("pico", Scanned(longest_us=20_000, every_us=900))
    scans.within("pico")         # 20_000_000 ns
    scans.unseen_ppm("pico")     # 12_000: 12 ms of each second are too late for a contact of 8
"""

from functools import lru_cache
from math import log

from hexboard.facts import Scanned

CONTACT_US = 8_000
"""A ball is over a sensor for so long, 4 to 12 ms."""
ALL_PPM = 1_000_000
MOST_PPM = 950_000
"""One in twenty is seen, however seldom it looks."""


class Scans:
    """All sources of one board; of one that says nothing it is taken that it sees all."""

    def __init__(self) -> None:
        self._said: dict[str, Scanned] = {}

    def learn(self, source: str, scanned: Scanned) -> None:
        """It is so from now on."""
        self._said[source] = scanned

    def within(self, source: str) -> int:
        """So long before its stamp an edge of this source may have come at most, ns."""
        return 1000 * self._said[source].longest_us if source in self._said else 0

    def unseen_ppm(self, source: str) -> int:
        """So many of a million contacts of a ball come between two looks, at least."""
        if source not in self._said:
            return 0
        said = self._said[source]
        longest = said.longest_us - CONTACT_US  # of a second, which are a million µs
        each = ALL_PPM - ALL_PPM * CONTACT_US // max(said.every_us, CONTACT_US)
        return min(max(longest, each, 0), MOST_PPM)


@lru_cache(1024)
def cost(ppm: int) -> int:
    """How unlikely what so many of a million do is, 1/100 nat."""
    return round(100 * log(ALL_PPM / ppm))
