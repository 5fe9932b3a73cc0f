"""Saving: the match's way into the journal, and what is said while the journal cannot be used.

A thread of its own writes; the main loop waits for it as long as nobody sees. A disk that takes
longer holds nothing up: lights and pages go on, and what is not saved is not final.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.room import Room
from hexboard.facts import Body, Presence
from hexboard.record.journal import JournalError
from hexboard.words import ENGLISH, message, say
from hexboard.words.errors import HexboardError

SOURCE = "journal"
"""The source of its facts, and the name of its notice."""
WAIT_S = 0.05
"""So long the main loop waits for the disk."""
SLOW_S, HUNG_S = 1.0, 10.0
"""From then on people are told of it; no more moves are accepted."""
LASTS_S = 30.0
"""So long it stays told after the last slow save, where nothing more is to be saved."""
SLOW = "slow"
"""The name of the notice that the disk is slow."""


class Saving:
    """Journals what stands. The table hears, as of any source, when the journal goes and comes;
    `wake` lets the main loop call `save` again."""

    def __init__(
        self,
        notices: Notices,
        post: Callable[[str, Body], None],
        room: Room,
        wake: Callable[[], None],
    ) -> None:
        self._notices, self._post, self._room, self._wake = notices, post, room, wake
        self._pool = ThreadPoolExecutor(1, "journal")
        self._writing: Future[None] | None = None
        self._since = 0.0  # monotonic s
        self._late = False
        self._slow = 0.0  # when the disk was slow last, monotonic s

    @property
    def works(self) -> bool:
        """Whether the journal takes what it is given."""
        return SOURCE not in self._notices

    @property
    def done(self) -> bool:
        """Whether the journal has all that it was given."""
        return self.works and self._writing is None

    def save(self, match: Match) -> None:
        """Journal what stands; what fails is kept, and the next `save` tries it again, or sees what
        became of it."""
        if self._writing is None:
            self._begin(match)
        if self._ended(match, 0 if self._late else WAIT_S) and match.unsaved:
            self._begin(match)
            self._ended(match, WAIT_S)

    def turn(self) -> None:
        """Time goes on: a disk that was slow a while ago is no news."""
        if self._writing is None and time.monotonic() - self._slow >= LASTS_S:
            self._notices.drop(SLOW)

    def settle(self, match: Match) -> None:
        """Wait until nothing is being written."""
        if self._writing is not None:
            self._ended(match, None)

    def finish(self, match: Match) -> None:
        """Wait until all that stands is saved, or cannot be: what came while the disk was slow is
        still to be written."""
        self.settle(match)
        if match.unsaved:
            self._begin(match)
            self.settle(match)

    def catch_up(self, match: Match) -> None:
        """Wait a moment until all that stands is saved: another match begins then. Raises
        `HexboardError` where it is not."""
        end = time.monotonic() + SLOW_S
        while self.works and (self._writing is not None or match.unsaved):
            if self._writing is None:
                self._begin(match)
            if not self._ended(match, max(0.0, end - time.monotonic())) and self.works:
                raise HexboardError("front.not_saved")
        if not self.works:
            raise HexboardError("table.no_journal")

    def close(self) -> None:
        """The journal may be closed then."""
        self._pool.shutdown()

    def _begin(self, match: Match) -> None:
        self._since, self._late = time.monotonic(), False
        self._writing = self._pool.submit(match.writing())

    def _ended(self, match: Match, wait_s: float | None) -> bool:
        """Whether all that was being written is saved, at the latest after so many seconds."""
        assert self._writing is not None
        try:
            self._writing.result(wait_s)
        except TimeoutError:
            self._falls_behind()
            return False
        except JournalError as error:
            self._writing = None
            self.failed(error)
            return False
        except BaseException:
            self._writing = None
            raise
        self._writing = None
        match.saved()
        self._told(time.monotonic() - self._since)
        if self._notices.drop(SOURCE):
            self._post(SOURCE, Presence(True))
        self._room.watch()
        return True

    def _falls_behind(self) -> None:
        assert self._writing is not None
        if not self._late:
            self._late = True
            self._writing.add_done_callback(lambda _: self._wake())
        took = time.monotonic() - self._since
        if took >= HUNG_S:
            self.failed(JournalError("journal.hung", seconds=round(HUNG_S)))
        elif took >= SLOW_S and SLOW not in self._notices:
            self._told(took)

    def _told(self, took_s: float) -> None:
        """Say that the disk is slow, as long as it is."""
        if took_s >= SLOW_S:
            self._slow = time.monotonic()
            self._notices.tell(SLOW, message("journal.slow", seconds=round(took_s)))
        else:
            self._notices.drop(SLOW)

    def failed(self, error: JournalError) -> None:
        """The journal cannot be used: said once."""
        if self.works:
            self._notices.tell(SOURCE, error.message)
            self._post(SOURCE, Presence(False, say(error.message, ENGLISH)))
