"""hexboard on a slow disk, by a wrong clock: `python -m tests.slow_disk FILE run …`.

While FILE is there, all that waits for the disk takes as many seconds more as stand in it: a commit
of SQLite's, a sync of the recording. While there is a file `clock` beside it, the computer's clock
is so many seconds ahead as stand in that; while there is one `readonly`, the disk takes nothing, as
when the kernel mounts it so after an error. Disk and clock are simulated; hexboard runs as it is.
"""

import errno
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

FILE = Path(sys.argv.pop(1))
CLOCK, READ_ONLY = FILE.with_name("clock"), FILE.with_name("readonly")
connect, fdatasync = sqlite3.connect, os.fdatasync


def wait() -> None:
    """As long as the disk takes, without the interpreter's lock."""
    try:
        time.sleep(float(FILE.read_text("ascii")))
    except (OSError, ValueError):
        return


class Slow(sqlite3.Connection):
    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            wait()
        if sql.startswith(("BEGIN", "COMMIT")) and READ_ONLY.exists():
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return super().execute(sql, *values)


def slow_sync(descriptor: Any) -> None:
    wait()
    if READ_ONLY.exists():
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))
    fdatasync(descriptor)


def slow_connect(*where: Any, **how: Any) -> sqlite3.Connection:
    return connect(*where, factory=Slow, **how)


real_time, real_local, real_text = time.time, time.localtime, time.strftime


def wrong_time() -> float:
    try:
        return real_time() + float(CLOCK.read_text("ascii"))
    except (OSError, ValueError):
        return real_time()


def wrong_local(seconds: Any = None) -> time.struct_time:
    return real_local(wrong_time() if seconds is None else seconds)


def wrong_text(form: str, at: Any = None) -> str:
    return real_text(form, wrong_local() if at is None else at)


time.time, time.localtime, time.strftime = wrong_time, wrong_local, wrong_text
sqlite3.connect = slow_connect  # type: ignore[assignment]
os.fdatasync = os.fsync = slow_sync  # type: ignore[assignment]

from hexboard.commands.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.argv[0] = "hexboard"
    main()
