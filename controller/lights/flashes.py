"""Flashes: no light flashes more than three times a second, however fast scenes follow each other.

A flash is a change of light and one back, so a second may have six changes: those of a light's own
pattern, and those that new scenes bring. What would be more waits until it may be shown; what
came meanwhile is shown then, and nothing of what was in between. Pure: it is told the time.
"""

from collections import deque

from hexboard.lights.frame import BLINK, COUNT, PULSE, PixelLight

WINDOW_NS = 1_050_000_000
"""A second, and how much later than another a strip may show one frame."""
MOST = 6
"""Changes of light in a second."""
OWN = {BLINK: 3, PULSE: 2, COUNT: 5}
"""How many of these a pattern makes by itself, and one more where it is cut off."""


class Flashes:
    """What each pixel of a board shows, and when it changed."""

    def __init__(self) -> None:
        self._shown: list[PixelLight] = []
        self._changed: list[deque[tuple[int, int]]] = []  # when, and what the patterns make
        self.due: int | None = None
        """When something that waits may be shown; None while nothing waits."""

    def allow(self, wanted: list[PixelLight], now: int) -> list[PixelLight]:
        """What may be shown of what is wanted, at `now` (ns)."""
        self.due = None
        if len(wanted) != len(self._shown):
            self._shown = wanted
            self._changed = [deque([(now, _own(light))]) for light in wanted]
            return wanted
        shown = list(wanted)
        for k, (old, new) in enumerate(zip(self._shown, wanted, strict=True)):
            if new is not old and new.data != old.data and not self._may(k, old, new, now):
                shown[k] = old
        self._shown = shown
        return shown

    def _may(self, k: int, old: PixelLight, new: PixelLight, now: int) -> bool:
        """Whether a pixel may change; noted, or when it may."""
        changed = self._changed[k]
        while changed and changed[0][0] <= now - WINDOW_NS:
            changed.popleft()
        own = max(_own(old), _own(new))
        if not changed or len(changed) + 1 + max(own, *(own for _, own in changed)) <= MOST:
            changed.append((now, own))
            return True
        again = changed[0][0] + WINDOW_NS
        self.due = again if self.due is None else min(self.due, again)
        return False


def _own(light: PixelLight) -> int:
    return OWN.get(light.data[6] & 15, 0)
