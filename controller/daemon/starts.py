"""Starts: how many in a row came to nothing, and why. After `TRIES` the next one leaves out what
may be the reason (safe mode; `front.safely` says what), so that there is a page to say so.

A start has come up when somebody has made a move that is saved, or after `UP_S` of play.
"""

import os
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hexboard.web.keys import lend
from hexboard.words import Message, message, say
from hexboard.words.errors import NO_JSON, Busy, HexboardError

TRIES = 3
UP_S = 60.0
NAME = "starts.json"


class Tried(msgspec.Struct, frozen=True):
    """What is kept of starts in the state folder."""

    failed: int = 0
    """So many came to nothing, one after another; the one that is under way counts."""
    why: str = ""
    """What the last of them said, if any of them said something."""
    traceback: str = ""
    safe: bool = False
    """hexboard runs in safe mode."""

    @property
    def told(self) -> Message:
        """What people are told of it."""
        why = self.why or say(message("daemon.silent"))
        return message("daemon.safe" if self.safe else "daemon.failed_starts", why=why)


def tried(state: Path) -> Tried:
    """What is kept in the folder `state`."""
    with suppress(OSError, *NO_JSON):
        return msgspec.json.decode((state / NAME).read_bytes(), type=Tried)
    return Tried()


class Starts:
    """The starts of the board whose folder is `state`; this one is `counted`."""

    def __init__(self, state: Path) -> None:
        self._path = state / NAME
        self._before = before = tried(state)
        self.safe = before.failed >= TRIES
        self._now = replace(before, failed=before.failed + 1, safe=self.safe)
        if not before.failed:
            self._now = Tried(1)
        self._since = time.monotonic()
        self._moved = False

    @property
    def told(self) -> Message:
        """What people are told in safe mode."""
        return self._now.told

    @contextmanager
    def counted(self) -> Iterator[None]:
        """While it runs. An end that was asked for is none of those that are counted, nor is a
        refusal that somebody reads in a terminal."""
        self._keep(self._now)
        try:
            yield
        except Exception as error:
            read = isinstance(error, HexboardError) and "NOTIFY_SOCKET" not in os.environ
            why = (str(error) or type(error).__name__)[:300]
            if not isinstance(error, HexboardError):
                why = f"{type(error).__name__}: {error}"[:300]
            told = replace(self._now, why=why, traceback=traceback.format_exc())
            self._keep(self._before if read or isinstance(error, Busy) else told)
            raise
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def turn(self, moved: bool = False, saved: bool = True) -> None:
        """The main loop works; somebody has made a move, or not; and all that stands is saved, or
        a slow disk is not there yet."""
        self._moved |= moved
        came_up = (self._moved and saved) or time.monotonic() - self._since >= UP_S
        if self._now.failed and came_up:
            self._now = replace(self._now, failed=0) if self.safe else Tried()
            self._keep(self._now)

    def _keep(self, what: Tried) -> None:
        lend(self._path, what)
