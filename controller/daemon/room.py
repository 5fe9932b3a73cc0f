"""Room on the disk: old recordings go when all of them take too much, or are of too long ago, and
people are told in time when there is little left."""

import contextlib
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from hexboard.daemon.notices import Notices
from hexboard.record.journal import Journal, journals
from hexboard.words import message, say
from hexboard.words.errors import HexboardError

NAME = "room"
"""The name of its notice."""
SCARCE = 100_000_000
"""With less room than this, bytes, people are told."""
WATCHED_S = 60
"""So often somebody looks, whatever is saved meanwhile: a recording grows by what sensors say."""
LATEST = 10
"""So many matches are never too old: a clock may be wrong by years."""
DAY_S = 86_400
MATCH = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}(?=[.+])")
"""What the files of a match begin with; one that goes on has `+` and when. Others are not ours to
delete."""
BEGAN, BEGAN_AT = re.compile(r"\d{8}-\d{6}"), "%Y%m%d-%H%M%S"
"""How such a name says when."""


class Room:
    """The room that the folder `state` has for matches, of whose recordings `most` bytes are kept,
    and nothing older than so many `days` (0: however old). Those of the oldest matches go first,
    whole. A match that is not over keeps its own, and what people have put into a folder inside
    `recordings` is never touched."""

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
            begun = {match: _begun(own) for match, own in files.items()}
            old = self._old(begun) & self._unwritten(files)
            if sum(sizes.values()) <= self._most and not old:
                return
            going_on = self._open_matches(journal)
        except HexboardError as error:  # of a match that may go on
            self._echo(say(message("recording.not_cleared", why=str(error))))
            return
        except OSError:
            return  # what lies there changes just now
        gone = 0
        for match in sorted(files.keys() - going_on, key=lambda it: begun[it]):
            if match not in old and sum(sizes.values()) <= self._most:
                continue
            del sizes[match]
            gone += 1
            for path in files[match]:
                with contextlib.suppress(OSError):
                    path.unlink()
        if gone:
            self._echo(say(message("recording.cleared", count=gone)))

    def _old(self, begun: dict[str, str]) -> set[str]:
        """The matches of too long ago."""
        if not self._days:
            return set()
        since = time.strftime(BEGAN_AT, time.localtime(time.time() - DAY_S * self._days))
        by_age = sorted(begun, key=lambda it: begun[it])
        return {match for match in by_age[:-LATEST] if begun[match] < since}

    def _unwritten(self, files: dict[str, list[Path]]) -> set[str]:
        """The matches of which nothing was written so lately: a name is from the past where the
        clock was not yet set."""
        since = time.time() - DAY_S * self._days
        return {
            match for match, own in files.items() if max(it.stat().st_mtime for it in own) < since
        }

    def _files(self) -> dict[str, list[Path]]:
        """The files of each match whose recordings are kept. Raises `OSError`."""
        files: dict[str, list[Path]] = {}
        for path in (self._state / "recordings").glob("*.*"):
            if path.is_file() and (named := MATCH.match(path.name)):
                files.setdefault(named[0], []).append(path)
        return files

    def _open_matches(self, journal: Journal) -> set[str]:
        """The matches of every game here that go on."""
        found = {journal.open_match()}
        for path in journals(self._state):
            if path != journal.path:
                with contextlib.closing(Journal(path)) as other:
                    found.add(other.open_match())
        return {saved.match for saved in found if saved is not None}

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


def _begun(files: list[Path]) -> str:
    """When a match was last begun or gone on with, as the names of its files say: their times are
    others in a copy, and where a clock was set."""
    return str(max(BEGAN.findall(path.name)[-1] for path in files))
