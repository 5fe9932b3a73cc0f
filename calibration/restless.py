"""Restless: a sensor that fires by itself all along, now and then, however quiet it was at rest.

    restless = Restless()
    restless.fired("edge:B1-C1", at)    # any sensor fires, ns; True as soon as that one is restless

A hand is at one place after the other. Only a sensor that no hand fires fires again and again after
ever others.
"""

from collections import defaultdict

from hexboard.calibration.dragged import PACE_NS

OFTEN = 12
"""After so many others: more than a place is asked for, beside one whose wire it may have."""


class Restless:
    """After which others each sensor fired, with a pause between."""

    def __init__(self) -> None:
        self._after: defaultdict[str, set[str]] = defaultdict(set)
        self._last, self._at = "", 0

    def fired(self, sensor: str, at: int) -> bool:
        """Whether this sensor, which fires now, is restless."""
        if self._last and at - self._at > PACE_NS:
            self._after[sensor].add(self._last)
        self._last, self._at = sensor, at
        return len(self._after[sensor] - {sensor}) >= OFTEN
