"""Order: in which order matches were played, whatever a clock said: their journal has it."""

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path

DATE = len("20260101-200000")
"""So much of a match's name says when it began."""

BELIEVED = "2020"
"""An earlier date is of a clock that has not heard the time."""

Rank = tuple[str, int]
"""A date, and which match of its journal it is: what is played later has a greater one."""


def ranks(last: Mapping[str, str], matches: Iterable[list[str]]) -> dict[str, Rank]:
    """The rank of each match: when it was played `last`, but none before one that its journal has
    before it. `matches` are those of each journal, as they began. One whose date is ahead of one
    after it, which itself is after all before it, takes none along; but the first does."""
    found = {match: (date, 0) for match, date in last.items()}
    for of_one in matches:
        known = [(n, match) for n, match in enumerate(of_one) if match in found]
        believed = (it if it >= BELIEVED else "9" for it in (last[it] for _, it in known[::-1]))
        later = list(accumulate(believed, min, initial="9"))[-2::-1]
        since = ""
        for (n, match), earliest in zip(known, later, strict=True):
            date = last[match]
            found[match] = max(since, date), n
            if not (since and since < earliest < date):
                since = max(since, date)
    return found


def backed_up(state: Path) -> list[list[str]]:
    """The matches of every journal in a state folder, as its backup has them, which nobody holds:
    it is rolled whenever one begins."""
    found = []
    for path in sorted(state.glob("*.backup.db")):
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with (
            contextlib.suppress(sqlite3.Error, UnicodeError),
            contextlib.closing(sqlite3.connect(uri, uri=True)) as db,
        ):
            found.append(
                [str(name) for (name,) in db.execute("SELECT name FROM match ORDER BY id")]
            )
    return found


def in_order(files: Mapping[Path, str], state: Path) -> list[Path]:
    """Recordings, and what lies beside them, each with the date that it bears, the newest first."""
    begun = {file: file.name.partition(".")[0].partition("+")[0] for file in files}
    first = {it: it[:DATE] if it[:8].isdecimal() else "" for it in begun.values()}
    known = ranks(first, backed_up(state))

    def rank(file: Path) -> tuple[Rank, str]:
        date, n = known[begun[file]]
        return (max(date, files[file]), n), file.name

    return sorted(files, key=rank, reverse=True)
