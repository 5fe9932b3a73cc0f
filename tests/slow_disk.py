"""hexboard on a disk that is slow: `python -m tests.slow_disk FILE run …`.

While FILE is there, all that waits for the disk takes as many seconds more as stand in it: a commit
of SQLite's, a sync of the recording. It is the disk that is simulated; hexboard runs as it is.
"""

import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

FILE = Path(sys.argv.pop(1))
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
        return super().execute(sql, *values)


def slow_sync(descriptor: Any) -> None:
    wait()
    fdatasync(descriptor)


def slow_connect(*where: Any, **how: Any) -> sqlite3.Connection:
    return connect(*where, factory=Slow, **how)


sqlite3.connect = slow_connect  # type: ignore[assignment]
os.fdatasync = slow_sync  # type: ignore[assignment]

from hexboard.commands.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.argv[0] = "hexboard"
    main()
