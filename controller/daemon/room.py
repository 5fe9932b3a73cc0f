"""Room on the disk: old recordings go when all of them take too much, or are of too long ago, and
people are told in time when there is little left."""

import contextlib
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from hexboard.daemon.notices import Notices
from hexboard.record.journal import Journal, journals
from hexboard.record.order import ranks
from hexboard.web.keys import lend
from hexboard.words import message, say
from hexboard.words.dates import STAMP, stamp
from hexboard.words.errors import NO_JSON, HexboardError

NAME = "room"
"""The name of its notice."""
SCARCE = 100_000_000
"""With less room than this, bytes, people are told."""
WATCHED_S = 60
"""So often somebody looks, whatever is saved meanwhile: a recording grows by what sensors say."""
LATEST = 10
"""So many matches are never too old: a clock may be wrong by years."""
DAY_S = 86_400
OLD, SURE = "old.json", 3
"""Where it is kept since when matches are too old; so many days they have to be."""
MATCH = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}(?=[.+])")
"""What the files of a match begin with; one that goes on has `+` and when. Others are not ours to
delete."""


class Room:
    """The room that the folder `state` has for matches, of whose recordings `most` bytes are kept,
    and nothing older than so many `days` (0: however old), as long as the clock has said so for
    some days. Those of the oldest matches go first, whole. A match that is not over keeps its own,
    and what people have put into a folder inside `recordings` is never touched."""

    def __init__(
        self,
        state: Path,
        most: int,
        notices: Notices,
        echo: Callable[[str], None],
        days: int = 0,
    ) -> None:
        self._state, self._most, self._days = state, most, days
        self._notices, self._echo = notices, echo
        self._watched_s = time.monotonic()

    def make(self, journal: Journal) -> None:
        """Delete what is too much, beside the open `journal` of this board, and say so."""
        try:
            files = self._files()
            sizes = {match: sum(it.stat().st_size for it in own) for match, own in files.items()}
            much = sum(sizes.values()) > self._most
            if not (much or self._days):  # as it mostly is, and the game is to begin
                return
            last = {match: _last(own) for match, own in files.items()}
            by_age = sorted(last, key=lambda it: (last[it], it))
            if not (much or self._old(last, by_age)):
                return
            going_on, by_age = self._compared(journal, last)
        except HexboardError as error:  # of a match that may go on
            self._echo(say(message("recording.not_cleared", why=str(error))))
            return
        except OSError:
            return  # what lies there changes just now
        gone, old = 0, self._old(last, by_age)
        for match in by_age:
            if match in going_on or (match not in old and sum(sizes.values()) <= self._most):
                continue
            del sizes[match]
            gone += 1
            for path in files[match]:
                with contextlib.suppress(OSError):
                    os.unlink(path)
        if gone:
            self._echo(say(message("recording.cleared", count=gone)))

    def _old(self, last: dict[str, str], by_age: list[str]) -> set[str]:
        """The matches that were played `last` too long ago."""
        if not self._days:
            return set()
        now = time.time()
        since = stamp(now - DAY_S * self._days)
        return self._still({it for it in by_age[:-LATEST] if last[it] < since}, now)

    def _still(self, old: set[str], now: float) -> set[str]:
        """Of these those that were too old some days ago already, by the same clock: it may be
        months ahead for one start. When each was first is kept; what is not old is forgotten."""
        path, kept = self._state / OLD, dict[str, float]()
        with contextlib.suppress(OSError, *NO_JSON):
            kept = msgspec.json.decode(path.read_bytes(), type=dict[str, float])
        first = {it: min(now, kept.get(it, now)) for it in sorted(old)}
        if first != kept:
            lend(path, first)
        return {it for it in old if first[it] <= now - DAY_S * SURE}

    def _files(self) -> dict[str, list[os.DirEntry[str]]]:
        """The files of each match whose recordings are kept. Raises `OSError`."""
        files: dict[str, list[os.DirEntry[str]]] = {}
        with os.scandir(self._state / "recordings") as found:
            for file in found:
                if (named := MATCH.match(file.name)) and file.is_file():
                    files.setdefault(named[0], []).append(file)
        return files

    def _compared(self, journal: Journal, last: dict[str, str]) -> tuple[set[str], list[str]]:
        """The matches of every game here that go on; and all, the oldest first: when they were
        played `last`, but none before one that its journal has before it, whatever a clock said."""
        found = [(journal.unfinished(), journal.matches())]
        for path in journals(self._state):
            if path != journal.path:
                with contextlib.closing(Journal(path)) as other:
                    found.append((other.unfinished(), other.matches()))
        ages = ranks(last, [matches for _, matches in found])
        going_on = {saved.match for unfinished, _ in found for saved in unfinished}
        return going_on, sorted(ages, key=lambda it: (ages[it], it))

    def watch(self) -> None:
        """Tell people when there is little room left."""
        self._watched_s = time.monotonic()
        try:
            free = shutil.disk_usage(self._state).free
        except OSError:  # the journal says what is wrong
            return
        if free >= SCARCE:
            self._notices.drop(NAME)
        elif NAME not in self._notices:
            told = message("recording.little_room", free=free // 1_000_000, folder=str(self._state))
            self._notices.tell(NAME, told)

    def again(self) -> None:
        """Look though nothing is saved meanwhile: whether what people were told still holds, and
        now and then in any case."""
        if NAME in self._notices or time.monotonic() - self._watched_s >= WATCHED_S:
            self.watch()


def _last(files: list[os.DirEntry[str]]) -> str:
    """When a match was last played, as far as its files say: by their names, for their times are
    others in a copy; by their times, where the clock was set later than it began."""
    named = max(STAMP.findall(path.name)[-1] for path in files)
    return max(str(named), stamp(max(path.stat().st_mtime for path in files)))
