"""The lock by which one daemon holds one board; who looks at the board meanwhile shares it."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from hexboard.words.errors import Busy

LOOKS_S = 30.0
"""So long a start waits for whoever looks: a doctor that outlived its daemon, for instance."""
AGAIN_S = 0.1


@contextlib.contextmanager
def lock(path: Path, board: str) -> Iterator[None]:
    """Hold the board. Raises `Busy`, naming the process that has it; while somebody only looks at
    it, once `LOOKS_S` are over."""
    import fcntl

    with open(path, "a+", encoding="ascii") as file:
        end = time.monotonic() + LOOKS_S
        while not _locked(file, fcntl.LOCK_EX):
            if not _locked(file, fcntl.LOCK_SH):
                raise _busy(file, board)
            fcntl.flock(file, fcntl.LOCK_UN)
            if time.monotonic() >= end:
                raise Busy("daemon.looked_at", board=board)
            time.sleep(AGAIN_S)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextlib.contextmanager
def looking(path: Path, board: str) -> Iterator[None]:
    """Keep a daemon from the board meanwhile. Raises `Busy`, naming the process that has it."""
    import fcntl

    with open(path, encoding="ascii") as file:
        if not _locked(file, fcntl.LOCK_SH):
            raise _busy(file, board)
        yield


def held(path: Path) -> bool:
    """Whether a daemon holds its board by this lock."""
    try:
        with looking(path, ""):
            return False
    except Busy:
        return True
    except OSError:  # there is none
        return False


def _locked(file: IO[str], how: int) -> bool:
    """Whether the lock could be had at once."""
    import fcntl

    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _busy(file: IO[str], board: str) -> Busy:
    file.seek(0)
    return Busy("daemon.locked", board=board, pid=file.read().strip() or "?")
