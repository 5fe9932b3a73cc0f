"""Held twice: how a ball at the board itself says that another place lit up. Edges in, a sign out.

held = HeldTwice()
held.edge("edge:B1-C1", True, at)    # every raw edge, ns; True as the second hold ends
"""

from hexboard.facts import MS

QUIET_NS = 60 * MS
"""Low for so long, a sensor is done bouncing: what it says then is another touch."""
HOLD_NS = (1_500 * MS, 5_000 * MS)
"""People are asked to hold for two seconds. A touch, a ball that rolls and a hand that brushes are
shorter; what lies there, or is stuck, stays longer."""
LIFT_NS = (250 * MS, 2_000 * MS)
"""Between the two. A shorter one is a hand that trembles, a longer one two visits."""


class HeldTwice:
    """Feed it the raw edges of each sensor, in the order of their stamps."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int, bool]] = {}
        """When it rose, when it fell, and whether it had been held once before it rose."""

    def edge(self, sensor: str, level: bool, at: int) -> bool:
        """Whether a second hold has ended; after that it begins anew."""
        rose, fell, once = self._seen.pop(sensor, (at, at - LIFT_NS[1] - 1, False))
        low = at - fell
        if level and low >= QUIET_NS:
            once, rose = _in(low, LIFT_NS) and _in(fell - rose, HOLD_NS), at
        if not level and once and _in(at - rose, HOLD_NS):
            return True
        self._seen[sensor] = rose, fell if level else at, once
        return False


def _in(span: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= span <= bounds[1]
