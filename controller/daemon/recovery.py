"""Recovery: what follows a crash of the table, so that no device can make it crash without end.

After a crash only people are heard for a pause, which doubles each time that it happens again at
the same position.
"""

import time
import traceback
from pathlib import Path

from hexboard.game import registry
from hexboard.words import Message, message

PAUSE_S, LONGEST_PAUSE_S = 1, 64
"""Seconds for which only people are heard after a crash: the first time at a position, at most."""


class Recovery:
    """The pauses after crashes. `crashed`, reopen the match, `rest`."""

    def __init__(self) -> None:
        self.pause = 0
        """Seconds of rest after the last crash."""
        self._until = 0.0  # monotonic s
        self._crashed_at = "", 0  # in which match, after how many entries

    @property
    def resting(self) -> bool:
        """Whether only people are heard."""
        return time.monotonic() < self._until

    def crashed(self, match: str, entries: int) -> None:
        """The table crashed in this match, with so many entries journalled."""
        here = match, entries
        self.pause = min(2 * self.pause, LONGEST_PAUSE_S) if here == self._crashed_at else PAUSE_S
        self._crashed_at = here

    def rest(self) -> None:
        """From now on only people are heard, until the pause is over."""
        self._until = time.monotonic() + self.pause


def mistaken(game: str, error: Exception, hidden: bool, file: str) -> Message:
    """What people are told of a mistake outside the table: it is the game's where that is another's
    than ours."""
    if by := registry.brought_by(game):
        why = _why(error, hidden)
        return message("daemon.game_mistake", game=game, by=by, why=why, file=file)
    return message("daemon.mistake", file=file)


def crashed(game: str, error: Exception, hidden: bool, file: str, n: int, pause_s: int) -> Message:
    """What people are told of a crash of the table on fact `n`, likewise."""
    if by := registry.brought_by(game):
        why = _why(error, hidden)
        return message("daemon.game_crashed", game=game, by=by, why=why, file=file, seconds=pause_s)
    return message("daemon.crashed", n=n, file=file, seconds=pause_s)


def _why(error: Exception, hidden: bool) -> str:
    """What an error says; while cards are `hidden` only what it is, and where in the code."""
    if not hidden:
        return f"{type(error).__name__}: {error}"[:200]
    last = traceback.extract_tb(error.__traceback__)[-1:]
    at = "".join(f" ({Path(frame.filename).name}:{frame.lineno})" for frame in last)
    return f"{type(error).__name__}{at}"
