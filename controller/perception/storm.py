"""Storms: so many sensors of a board speak at once that no ball can have done it.

A loose ground, a wet board, a cable half in: each sensor alone may look sound while all of them
together make no sense. Then none is believed until all are quiet again. Times are board ns.
"""

from collections.abc import Collection

from hexboard.facts import MS

SUDDEN_NS, SUDDEN_PERCENT = 200 * MS, 21
"""Within a fifth of a second so many sensors never speak: ten balls at once reach two each."""
SLOW_NS, SLOW_PERCENT = 30_000 * MS, 72
"""Nor so many within half a minute: four rolls reach some twelve each."""
PAUSE_NS = 2_000 * MS
"""In a storm there is no pause as long as that; before the last one it had not begun."""
QUIET_NS = 3_000 * MS
"""It is over once at most `FEW` sensors spoke for so long: those may be bad ones."""
SPOKE_NS = 500 * MS
"""Within so long a sensor need not speak twice in a storm."""
FEW = 2
FEWEST = 24
"""On a board with few sensors so many must speak."""


class Storms:
    """Watches how many of one board's `sensors` speak. Feed it rises in the order of their stamps,
    about."""

    def __init__(self, sensors: Collection[str]) -> None:
        self._spoke: dict[str, int] = dict.fromkeys(sensors, -SLOW_NS)
        self._last = self._began = -SLOW_NS  # the last one, and the first one after a pause
        self.on = False
        """A storm blows."""

    def rises(self, sensor: str, at: int) -> int | None:
        """A sensor spoke at `at`; since when a storm blows, where that begins here."""
        if sensor not in self._spoke:
            return None
        if at - self._last > PAUSE_NS:
            self._began = at
        self._spoke[sensor] = self._last = at
        if self.on:
            return None
        lately = [then for then in self._spoke.values() if at - SLOW_NS < then]
        suddenly = [then for then in lately if at - SUDDEN_NS < then]
        for spoke, percent in ((suddenly, SUDDEN_PERCENT), (lately, SLOW_PERCENT)):
            if len(spoke) >= max(FEWEST, percent * len(self._spoke) // 100):
                self.on = True
                return max(self._began, min(spoke))
        return None

    def knows(self, sensor: str, at: int) -> bool:
        """Whether a storm blows, and a sensor spoke in it so lately that an edge tells nothing
        new."""
        return self.on and at - self._spoke.get(sensor, -SLOW_NS) < SPOKE_NS

    @property
    def watched(self) -> int:
        """How many sensors there are."""
        return len(self._spoke)

    def spoke(self, since: int) -> int:
        """How many sensors have spoken since then."""
        return sum(then >= since for then in self._spoke.values())

    @property
    def deadline(self) -> int | None:
        """When it is over if nothing more comes; None where none blows."""
        if not self.on:
            return None
        return sorted(self._spoke.values())[-FEW - 1] + QUIET_NS

    def end(self) -> None:
        """It is over; what was said in it counts for nothing."""
        self.on = False
        self._spoke = dict.fromkeys(self._spoke, -SLOW_NS)
