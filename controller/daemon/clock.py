"""Clock: whether this computer's can be believed. A Pi has none of its own: until it has heard the
time it begins in the past, where hexboard was not yet installed."""

import time
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
    now = time.localtime()
    if not behind():
        notices.drop(NAME)
        return 60 * now.tm_hour + now.tm_min
    notices.tell(NAME, message("daemon.clock_behind", date=time.strftime("%Y-%m-%d", now)))
    return None
