"""Journal: what stands. A small SQLite file that has every acknowledged ruling after a power cut.

It has hidden cards too: nobody but its owner may read the file (mode 600); nothing but the match
is made of it. WAL with `synchronous=FULL`: when `commit` returns, its entries are on the disk; when
it raises, none of them is acknowledged. The file belongs to one process at a time.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from msgspec import Struct

from hexboard.words.errors import BadRecording, Busy, HexboardError

MAGIC = 0x48455842
"""SQLite's application id of a journal: "HEXB"."""
VERSION = 1

_TABLES = f"""
    CREATE TABLE match (
        id       INTEGER PRIMARY KEY,
        name     TEXT NOT NULL UNIQUE,
        start    BLOB NOT NULL,
        position TEXT NOT NULL DEFAULT '',
        over     TEXT CHECK (over IN ('ended', 'abandoned'))
    ) STRICT;
    CREATE TABLE entry (
        match INTEGER NOT NULL REFERENCES match,
        n     INTEGER NOT NULL,
        text  TEXT NOT NULL,
        PRIMARY KEY (match, n)
    ) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {MAGIC};
    PRAGMA user_version = {VERSION};
"""

_SEALS = "CREATE TABLE IF NOT EXISTS seal (match INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT"
"""Of later than version 1: an older hexboard does not mind it."""

FAILURES = (sqlite3.Error, UnicodeError)
"""What SQLite raises; its own messages may quote a corrupt file, and then are not UTF-8."""


class JournalError(HexboardError, OSError):
    """The journal could not be written: no move may be accepted until it can."""


class Saved(Struct, frozen=True):
    """A match as the journal has it."""

    match: str
    start: bytes
    """Canonical JSON of `facts.Start`."""
    entries: tuple[str, ...]
    position: str
    """Canonical text after the last entry; "" before the first commit."""
    seal: bytes = b""
    """Canonical JSON of `facts.Seal`, seed and all; empty where nothing is dealt from a shuffle."""


class Journal:
    """The journal at `path`, made if there is none. To be used by one thread at a time.

    Opening raises `BadRecording` (`journal.foreign`, `.version`, `.corrupt`, `.unreadable`) or,
    when another process has it, `Busy`. Everything else raises `JournalError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with contextlib.suppress(OSError):  # SQLite says what is wrong with the path
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            self._db = sqlite3.connect(
                path, timeout=1, isolation_level=None, check_same_thread=False
            )
        except FAILURES as error:
            raise _unopened(path, error) from None
        try:
            self._open()
        except FAILURES as error:
            self._db.close()
            raise _unopened(path, error) from None
        except BadRecording:
            self._db.close()
            raise

    def begin(self, match: str, start: bytes, after: str = "") -> None:
        """A new match; `start` is canonical JSON of its `facts.Start`. The match `after` which it
        begins is over."""
        with self._transaction():
            if after:
                self._over(after, "ended")
            self._db.execute("INSERT INTO match (name, start) VALUES (?, ?)", (match, start))

    def commit(self, match: str, first: int, entries: Sequence[str], position: str) -> None:
        """In one transaction: these entries replace all from index `first` on, and the position."""
        with self._transaction():
            row = self._row(match)
            (count,) = self._db.execute(
                "SELECT count(*) FROM entry WHERE match = ?", (row,)
            ).fetchone()
            if not 0 <= first <= count:
                raise JournalError("journal.gap", match=match, first=first, count=count)
            self._db.execute("DELETE FROM entry WHERE match = ? AND n >= ?", (row, first))
            numbered = ((row, n, text) for n, text in enumerate(entries, first))
            self._db.executemany("INSERT INTO entry VALUES (?, ?, ?)", numbered)
            self._db.execute("UPDATE match SET position = ? WHERE id = ?", (position, row))

    def seal(self, match: str, text: bytes) -> None:
        """The shuffle of a match: canonical JSON of its `facts.Seal`."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO seal VALUES (?, ?)", (self._row(match), text))

    def abandon(self, match: str) -> None:
        """The people began another match instead of going on with this one."""
        with self._transaction():
            self._over(match, "abandoned")

    def open_match(self) -> Saved | None:
        """The newest match that is not over."""
        try:
            row = self._db.execute(
                "SELECT id, name, start, position FROM match WHERE over IS NULL"
                " ORDER BY id DESC LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            key, match, start, position = row
            entries = self._db.execute("SELECT text FROM entry WHERE match = ? ORDER BY n", (key,))
            seals = self._db.execute("SELECT text FROM seal WHERE match = ?", (key,)).fetchone()
            seal = seals[0] if seals else b""
            return Saved(match, start, tuple(text for (text,) in entries), position, seal)
        except FAILURES as error:
            raise JournalError("journal.failed", why=str(error)) from error

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(sqlite3.Error):  # a full disk: the WAL is folded in next time
            self._db.close()

    def _open(self) -> None:
        self._pragma("locking_mode = EXCLUSIVE")  # whoever reads first has the file
        magic, version = self._pragma("application_id"), self._pragma("user_version")
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if magic != MAGIC and (magic or tables):  # somebody else's: not to be touched
            raise BadRecording("journal.foreign", file=str(self.path))
        if magic == MAGIC and version != VERSION:
            raise BadRecording("journal.version", file=str(self.path), theirs=version, ours=VERSION)
        health = self._pragma("quick_check(1)")
        if health != "ok":
            raise BadRecording("journal.corrupt", file=str(self.path), why=health)
        self._pragma("journal_mode = WAL")
        self._pragma("synchronous = FULL")
        self._db.execute("BEGIN IMMEDIATE")
        if not magic:
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
        self._db.execute(_SEALS)
        self._db.execute("COMMIT")

    def _pragma(self, text: str) -> int | str:
        """What the pragma answers; "" where it says nothing."""
        for (answer,) in self._db.execute(f"PRAGMA {text}"):
            return cast(int | str, answer)
        return ""

    def _row(self, match: str) -> int:
        for (row,) in self._db.execute("SELECT id FROM match WHERE name = ?", (match,)):
            return int(row)
        raise JournalError("journal.no_match", match=match)

    def _over(self, match: str, how: str) -> None:
        self._db.execute("UPDATE match SET over = ? WHERE id = ?", (how, self._row(match)))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, and on the disk before it ends."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back itself
                    self._db.execute("ROLLBACK")
                raise
        except FAILURES as error:
            raise JournalError("journal.failed", why=str(error)) from error


def _unopened(path: Path, error: Exception) -> HexboardError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Busy("journal.busy", file=str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return BadRecording("journal.foreign", file=str(path))
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return BadRecording("journal.corrupt", file=str(path), why=str(error))
    return BadRecording("journal.unreadable", file=str(path), why=str(error))
