"""The lock by which one daemon holds one board."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from hexboard.words.errors import Busy


@contextlib.contextmanager
def lock(path: Path, board: str) -> Iterator[None]:
    """Hold the board. Raises `Busy`, naming the process that has it."""
    import fcntl

    with open(path, "a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise Busy("daemon.locked", board=board, pid=file.read().strip() or "?") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def held(path: Path) -> bool:
    """Whether a daemon holds its board by this lock."""
    import fcntl

    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there is none
        return False
    return False
