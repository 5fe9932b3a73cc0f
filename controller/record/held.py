"""Held: a database file that this process has open, once.

SQLite locks its files as POSIX does, and there a process loses all its locks of a file as soon as
it closes any descriptor of that. To open a database once more, to make it or to see whether it can
be written, would take them from whoever writes to it here: another program that looks into it then
deletes its WAL, and what is written from then on is lost.
"""

import os
import threading
from pathlib import Path
from weakref import WeakValueDictionary

from hexboard.words.errors import Busy

PATIENCE_S = 3.0
"""Seconds for which a file is waited for that somebody else in this process has: who looks at what
was left there is soon done."""

Identity = tuple[int, int]
"""Which file it is, whatever its path: device and inode."""

_holders = WeakValueDictionary[Identity, object]()
_freed = threading.Condition()


def hold(path: Path, holder: object) -> Identity:
    """Make the file at `path`, for this user alone, where there is none; which file it is. It is
    the `holder`'s until that lets go of it, or is no more. Raises `OSError` where it may not be
    read and written, `Busy` where another has it."""
    with _freed:
        if not _freed.wait_for(lambda: identity(path) not in _holders, PATIENCE_S):
            raise Busy("journal.busy", file=str(path))
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            found = _identity(os.fstat(file))
        finally:
            os.close(file)
        _holders[found] = holder
    return found


def let_go(holder: object) -> None:
    """What it has open it has closed: others may have it."""
    with _freed:
        for found, who in list(_holders.items()):
            if who is holder:
                del _holders[found]
        _freed.notify_all()


def pass_on(found: Identity, holder: object) -> None:
    """A file that was held is this `holder`'s now."""
    with _freed:
        _holders[found] = holder


def identity(path: Path) -> Identity:
    """Which file is at a path; (0, 0) for none."""
    try:
        return _identity(path.stat())
    except OSError:
        return 0, 0


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino
