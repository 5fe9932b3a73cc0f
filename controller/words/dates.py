"""Dates as files have them: ISO 8601 in calibrations, a stamp in names; by the clock on the wall.

iso_date()            # "2026-01-01T20:00:00+0100"
stamp()               # "20260101-200000"
stamped_at(stamp())   # seconds since 1970
"""

import re
import time
from datetime import datetime

STAMP = re.compile(r"\d{8}-\d{6}")
"""What `stamp` makes."""
_STAMP = "%Y%m%d-%H%M%S"


def iso_date(at_s: float | None = None) -> str:
    """A time, s since 1970, or now, with what the zone here is ahead of Greenwich."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(at_s))


def stamp(at_s: float | None = None) -> str:
    """A time, s since 1970, or now, as names of files have it: in their order they are sorted."""
    return time.strftime(_STAMP, time.localtime(at_s))


def stamped_at(text: str) -> float:
    """The time of a stamp, s since 1970: the first, if the clock here had it twice. Raises
    `ValueError` or `OverflowError` where it is none."""
    return datetime.strptime(text, _STAMP).timestamp()
