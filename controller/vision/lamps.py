"""Lamps: which cells' lights may shine in a frame, by when they were switched.

lamps = Lamps()
lamps.switch(Lit(t, cells))         # the lights were told this at `t`
shining = lamps.at(frame.t)         # what a frame exposed then may show
"""

from collections import deque

from msgspec import Struct

LAG_NS = 200_000_000
"""What is switched shows within this time: link, strip, exposure, and stamps that are late."""
LATEST_NS = 600_000_000
"""So long after lights went off a frame shows none, however late a camera stamps it."""
RECENT_NS = 1_000_000_000
"""A change of brightness so long after lights were switched may still be theirs."""


class Lit(Struct, frozen=True):
    """From `t` (board ns) on these cells' lights are on, by the cells' numbers; others are off."""

    t: int
    cells: tuple[int, ...]
    up: bool = False
    """There are lights that do as they are told."""
    every: bool = False
    """All are on, for the camera."""


class Shining(Struct, frozen=True):
    """What one frame may show of the lights."""

    now: frozenset[int] = frozenset()
    """Cells whose lights may be on in it."""
    lately: frozenset[int] = frozenset()
    """Cells whose brightness may have changed because of lights."""
    up: bool = False
    """There are lights that do as they are told."""
    every: bool = False
    """All are on for certain."""
    out: bool = True
    """All are off for certain, though nobody saw them go."""


DARK = Shining()


class Lamps:
    """The lights of one board, as they were switched lately."""

    def __init__(self) -> None:
        self._switched: deque[Lit] = deque([Lit(0, ())])

    def switch(self, lit: Lit) -> None:
        self._switched.append(lit)

    def at(self, t: int) -> Shining:
        """What a frame exposed at `t` may show."""
        while len(self._switched) > 1 and self._switched[1].t <= t - RECENT_NS:
            self._switched.popleft()
        shown = [lit for lit in tuple(self._switched) if lit.t <= t] or [Lit(0, ())]
        every = shown[-1].every and shown[-1].t <= t - LAG_NS
        now, lately = self._since(t - LAG_NS, t), self._since(t - RECENT_NS, t)
        return Shining(now, lately, shown[-1].up, every, not self._since(t - LATEST_NS, t))

    def _since(self, start: int, end: int) -> frozenset[int]:
        """Cells that were lit at some time between."""
        switched = tuple(self._switched)  # another thread adds to it
        ends = (*(lit.t for lit in switched[1:]), end + 1)
        return frozenset(
            cell
            for lit, until in zip(switched, ends, strict=True)
            if lit.t <= end and until > start
            for cell in lit.cells
        )
