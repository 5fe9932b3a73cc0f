"""The lock by which one daemon holds one board, and the key to its page."""

import contextlib
import os
import secrets
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


def token(path: Path) -> str:
    """The key that opens this board's page: random, kept beside the board so that an open page
    survives a restart. Delete the file to make another."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text("ascii").strip()
        if len(kept) >= 22:
            return kept
    made = secrets.token_urlsafe(16)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="ascii") as file:
        file.write(made + "\n")
    return made
