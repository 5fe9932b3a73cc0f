"""Clock: whether this computer's can be believed. A Pi has none of its own: until it has heard the
time it begins in the past, where hexboard was not yet installed."""

import time
from functools import lru_cache
from pathlib import Path

from hexboard.daemon.notices import Notices
from hexboard.words import message

INSTALLED_S = Path(__file__).stat().st_mtime
"""When this file was put here, s since 1970."""
NAME = "clock"
"""The name of its notice."""


def behind() -> bool:
    """Whether it says a time before hexboard was installed."""
    return time.time() < INSTALLED_S


def minute(notices: Notices) -> int | None:
    """The minute of the day; None where the clock is wrong, which people are told until it is
    right."""
    if behind():
        date = time.strftime("%Y-%m-%d", time.localtime())
        notices.tell(NAME, message("daemon.clock_behind", date=date))
        return None
    notices.drop(NAME)
    return _minute(int(time.time()))


@lru_cache(1)
def _minute(second: int) -> int:
    """It is asked for at every turn of the main loop."""
    now = time.localtime(second)
    return 60 * now.tm_hour + now.tm_min
