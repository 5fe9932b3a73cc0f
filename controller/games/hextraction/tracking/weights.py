"""Weights: how unlikely something is, in whole hundredths of a nat (`NAT` is e times less likely).

Whole numbers are added the same way everywhere, and two tables weigh alike.
"""

import math

NAT = 100
LOG_SUMS = tuple(round(NAT * math.log1p(math.exp(-d / NAT))) for d in range(6 * NAT))
"""What two weights that differ by so much gain when they are added."""
PARTS = tuple(round(1_000_000 * math.exp(-d / NAT)) for d in range(14 * NAT))
"""Millionths of the better of two readings that differ by so much."""


def either(a: int, b: int) -> int:
    """The cost of one of two readings being true."""
    if a > b:
        a, b = b, a
    return a - (LOG_SUMS[b - a] if b - a < len(LOG_SUMS) else 0)


def weight(share: int, total: int) -> int:
    """How unlikely it is to be one of `share` among `total`."""
    return round(NAT * math.log(total / share))
