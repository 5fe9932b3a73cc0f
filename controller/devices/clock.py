"""Clock: the device's microseconds as the board's time (docs/link.md, "While nothing happens").

A ping leaves at s, is stamped d by the device and is back at r (s and r board ns, d device ns). The
stamp was made in between, so s <= f(d) <= r for the line f(d) = d + d·drift + offset that we look
for. Seen against d, every s is a point below that line and every r a point above it. Slow answers
lie far away and say little, so nothing needs to be called an outlier: of all drifts we take the one
for which the free strip between the points below and those above is widest (Klipper fits a decayed
regression through the middles instead, which adds up the two ways' delays), and run through its
middle. Half the difference between the shortest delays of the two ways cannot be seen by anyone.

The width of the strip is concave in the drift, and its slope is the distance between the two pings
that bound it, so it is widest where that is none (`widest`). Pings that leave no strip at all are
of two clocks: one of them jumped (a host that slept), and the older pings are forgotten.
"""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

SECOND = 1_000_000_000
DRIFT_PPB = 600_000
"""The drift looked for, ppb either way: 50 ppm for each crystal, 500 for a host that NTP slews."""
SPAN_NS = 2 * SECOND
"""Pings of less than this say nothing about drift."""
WINDOW = 64
"""Pings remembered: 16 s of them."""

Ping = tuple[int, int, int]
"""Left (board ns), stamped (device ns), came back (board ns)."""


class Clock:
    """Turns ticks into board ns. Until the first ping is answered, a frame took no time to come."""

    def __init__(self) -> None:
        self._pings: deque[Ping] = deque(maxlen=WINDOW)
        self._last = 0
        self.restart()

    def restart(self) -> None:
        """The device's ticks begin anew; board times still never run backwards."""
        self._pings.clear()
        self._heard: int | None = None
        self._anchor = self._at = 0  # device ns, and the board ns it is
        self.drift = 0
        """How much faster the board's clock runs than the device's, ppb."""

    def heard(self, ticks: int, now: int) -> None:
        """A frame made at `ticks` (µs) was here at `now`: all we know until a ping is answered."""
        if not self._pings:
            offset = now - ticks * 1000
            self._heard = offset if self._heard is None else min(offset, self._heard)
            self._at = self._heard

    def echo(self, sent: int, ticks: int, now: int) -> None:
        """A ping that left at `sent` was answered at `ticks` (µs) and was back at `now`."""
        self._pings.append((sent, ticks * 1000, now))
        while True:
            pings = tuple(self._pings)
            drift = widest(pings)
            low, high = strip(pings, drift)
            if low <= high or len(pings) == 1:
                break
            for _ in range((len(pings) + 1) // 2):
                self._pings.popleft()
        self.drift, self._anchor, self._at = drift, pings[-1][1], (low + high) // 2

    def board_ns(self, ticks: int, now: int) -> int:
        """Board time of `ticks` (µs): never after `now`, never before an earlier answer."""
        at = now
        if self._pings or self._heard is not None:
            since = ticks * 1000 - self._anchor
            at = min(self._at + since + since * self.drift // SECOND, now)
        self._last = max(self._last, at)
        return self._last


def strip(pings: tuple[Ping, ...], drift: int) -> tuple[int, int]:
    """The strip's lower and upper bound at the newest stamp, board ns."""
    anchor = pings[-1][1]
    run = [(at - anchor) + (at - anchor) * drift // SECOND for _, at, _ in pings]
    low = max(left - r for (left, _, _), r in zip(pings, run, strict=True))
    high = min(back - r for (_, _, back), r in zip(pings, run, strict=True))
    return low, high


def widest(pings: tuple[Ping, ...]) -> int:
    """The drift (ppb) of the widest strip, in the middle where several are as wide.

    What bounds it are corners of two hulls: the upper one of what left, the lower one of what came
    back. At the least drift these are the newest corner and the oldest; as it grows past the slope
    of a side, one of the two comes nearer to the other by that side's length. Where they meet the
    strip is widest.
    """
    left = sorted((at, left - at) for left, at, _ in pings)
    back = sorted((at, at - back) for _, at, back in pings)
    apart = left[-1][0] - left[0][0]
    if apart < SPAN_NS:
        return 0
    sides = sorted([*_sides(left, 1), *_sides(back, -1)])
    for (slope, length), (steeper, _) in pairwise(sides):
        apart -= length
        if apart == 0:
            return (slope + steeper) // 2
        if apart < 0:
            return slope
    raise AssertionError("the sides of both hulls are twice as long as the hulls are apart")


def _sides(points: list[tuple[int, int]], sign: int) -> Iterator[tuple[int, int]]:
    """The sides of these points' upper hull: slope (ppb, times `sign`, as steep as is looked for)
    and length (ns of stamps)."""
    hull: list[tuple[int, int]] = []
    for point in points:
        while len(hull) > 1 and _turns_up(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    for (x, y), (further, there) in pairwise(hull):
        if further > x:
            slope = sign * (there - y) * SECOND // (further - x)
            yield min(max(slope, -DRIFT_PPB), DRIFT_PPB), further - x


def _turns_up(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Whether b lies under the line from a to c."""
    return (b[1] - a[1]) * (c[0] - a[0]) < (c[1] - a[1]) * (b[0] - a[0])
