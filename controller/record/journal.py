"""Journal: what stands. A small SQLite file that has every acknowledged ruling after a power cut.

It has hidden cards too: nobody but its owner may read the file (mode 600); nothing but the match
is made of it. WAL with `synchronous=FULL`: when `commit` returns, its entries are on the disk; when
it raises, none of them is acknowledged. The file belongs to one process at a time.

SQLite has no checksums. So each entry has its link of a `chain`, and each match a sum over all that
is kept of it: a bit that flips on the card is found by `check`.
"""

import contextlib
import ctypes
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from hexboard.files import unused
from hexboard.record.chain import linked, links
from hexboard.record.held import hold, identity, let_go, pass_on
from hexboard.words.errors import BadRecording, Busy, HexboardError

MAGIC = 0x48455842
"""SQLite's application id of a journal: "HEXB"."""
VERSION = 2
"""1 had no chain and no sums; it is made a 2 when it is opened."""

_TABLES = f"""
    CREATE TABLE match (
        id       INTEGER PRIMARY KEY,
        name     TEXT NOT NULL UNIQUE,
        start    BLOB NOT NULL,
        position TEXT NOT NULL DEFAULT '',
        over     TEXT CHECK (over IN ('ended', 'abandoned')),
        sum      TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE entry (
        match INTEGER NOT NULL REFERENCES match,
        n     INTEGER NOT NULL,
        text  TEXT NOT NULL,
        chain TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (match, n)
    ) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {MAGIC};
    PRAGMA user_version = {VERSION};
"""

_SEALS = "CREATE TABLE IF NOT EXISTS seal (match INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT"
"""Of later than version 1: an older hexboard does not mind it."""

_PAUSES = "CREATE TABLE IF NOT EXISTS pause (match INTEGER PRIMARY KEY) STRICT"
"""The matches that stand in a pause; of later than version 2. No sum counts it."""

_FROM_1 = """
    ALTER TABLE match ADD COLUMN sum TEXT NOT NULL DEFAULT '';
    ALTER TABLE entry ADD COLUMN chain TEXT NOT NULL DEFAULT '';
"""

_fsync: Callable[[int], None] = os.fsync

UNREADABLE = (266, 522, 8458)
"""SQLite's extended numbers for a disk that does not give back what it took: `SQLITE_IOERR_READ`,
`_SHORT_READ`, `_CORRUPTFS`."""

AGAIN_S = 2.0
"""Seconds between two looks into a file that is not the one which was opened."""

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
    passed: bool = False
    """Whether people ended a match that is newer than this one."""
    paused: bool = False
    """It was left in a pause."""


class Journal:
    """The journal at `path`, made if there is none. To be used by one thread at a time. It is read
    through for damage, but not by who only `asks` what is in it: after years that is long.

    Opening raises `BadRecording` (`journal.foreign`, `.version`, `.corrupt`, `.failing`,
    `.unreadable`) or, when another process has it, `Busy`. Everything else raises `JournalError`.
    """

    def __init__(self, path: Path, asks: bool = False) -> None:
        self.path, self._asks = path, asks
        try:  # SQLite opens what it may only read, and hides why
            self._identity = hold(path, self)
        except Busy:
            raise
        except OSError as error:
            why = error.strerror or str(error)
            raise BadRecording("journal.unreadable", file=str(path), why=why) from None
        try:
            self._db = sqlite3.connect(
                path, timeout=1, isolation_level=None, check_same_thread=False
            )
        except FAILURES as error:
            let_go(self)
            raise _unopened(path, error) from None
        try:
            self._open()
        except (*FAILURES, BadRecording) as error:
            self._db.close()
            let_go(self)
            raise error if isinstance(error, BadRecording) else _unopened(path, error) from None
        self._failed = False
        """Its disk did: what is open may be of no use even when the disk is back."""
        self._refused = (0, 0), JournalError("journal.other", file=str(path)), 0.0
        """Which other file was looked into, what was wrong with it, and when: monotonic s."""
        self._known: dict[str, tuple[int, str]] = {}
        """Of each match that was begun or gone on with: so many entries, and the last link."""
        self._tried = self._known
        """The same with what failed last: the disk may have it all the same."""

    def begin(self, match: str, start: bytes, after: str = "") -> None:
        """A new match; `start` is canonical JSON of its `facts.Start`. The match `after` which it
        begins is over."""
        with self._transaction():
            if after:
                self._over(after, "ended")
            self._db.execute("INSERT INTO match (name, start) VALUES (?, ?)", (match, start))
            self._add_up(self._row(match))
        self._known[match] = 0, ""

    def commit(
        self, match: str, first: int, entries: Sequence[str], position: str, paused: bool = False
    ) -> None:
        """In one transaction: these entries replace all from index `first` on, and the position;
        and whether the match stands in a pause."""
        with self._transaction():
            row = self._row(match)
            (count,) = self._db.execute(
                "SELECT count(*) FROM entry WHERE match = ?", (row,)
            ).fetchone()
            if not 0 <= first <= count:
                raise JournalError("journal.gap", match=match, first=first, count=count)
            self._db.execute("DELETE FROM entry WHERE match = ? AND n >= ?", (row, first))
            self._add(row, first, entries)
            self._db.execute("UPDATE match SET position = ? WHERE id = ?", (position, row))
            self._db.execute("DELETE FROM pause WHERE match = ?", (row,))
            if paused:
                self._db.execute("INSERT INTO pause VALUES (?)", (row,))
            self._add_up(row)
            count = first + len(entries)
            self._tried = {**self._known, match: (count, self._link(row, count))}
        self._known = self._tried

    def seal(self, match: str, text: bytes) -> None:
        """The shuffle of a match: canonical JSON of its `facts.Seal`."""
        with self._transaction():
            row = self._row(match)
            self._db.execute("INSERT OR REPLACE INTO seal VALUES (?, ?)", (row, text))
            self._add_up(row)

    def abandon(self, match: str) -> None:
        """The people began another match instead of going on with this one."""
        with self._transaction():
            self._over(match, "abandoned")

    def restore(self, saved: Saved) -> None:
        """A match as another file has it."""
        self.begin(saved.match, saved.start)
        if saved.seal:
            self.seal(saved.match, saved.seal)
        self.commit(saved.match, 0, saved.entries, saved.position, saved.paused)

    def check(self) -> None:
        """Raise `BadRecording` (`journal.altered`) where the newest match, or one that is not
        over, is not as it was written."""
        rows = (
            "SELECT max(id) FROM match UNION SELECT id FROM match WHERE over IS NULL",
            "SELECT DISTINCT match FROM entry WHERE match NOT IN (SELECT id FROM match)",
        )
        try:
            for query in rows:
                for (row,) in self._db.execute(query).fetchall():
                    if row is not None and not self._whole(row):
                        raise BadRecording("journal.altered", file=str(self.path))
        except FAILURES as error:
            raise _unopened(self.path, error) from None

    @property
    def blank(self) -> bool:
        """Whether no match was ever begun in it, as far as it knows."""
        return not self._count("match")

    def back_up(self, path: Path) -> None:
        """Put a whole copy at `path`, at once or not at all. Raises `JournalError`. A card may take
        seconds to write anything for good: that is done once, when all of it is there."""
        part = path.with_name(f"{path.name}.part")
        try:
            part.unlink(missing_ok=True)
            os.close(os.open(part, os.O_RDWR | os.O_CREAT, 0o600))
            with contextlib.closing(sqlite3.connect(part)) as copy:
                copy.execute("PRAGMA journal_mode = OFF")
                copy.execute("PRAGMA synchronous = OFF")
                self._db.backup(copy)
            with part.open("rb") as whole:
                _fsync(whole.fileno())
            part.replace(path)
        except (*FAILURES, OSError) as error:
            raise JournalError("journal.failed", why=str(error)) from error

    def open_match(self) -> Saved | None:
        """The newest match that is not over."""
        return next(iter(self.unfinished()), None)

    def unfinished(self) -> list[Saved]:
        """The matches that are not over, the newest first: more than one where some could not go
        on when the next was begun."""
        query = (
            "SELECT id, name, start, position,"
            " id < (SELECT ifnull(max(id), 0) FROM match WHERE over = 'ended')"
            " FROM match WHERE over IS NULL ORDER BY id DESC"
        )
        try:
            rows = self._db.execute(query).fetchall()
            found = [self._saved(*row) for row in rows]
            for (row, *_), saved in zip(rows, found, strict=True):
                count = len(saved.entries)
                self._known[saved.match] = count, self._link(row, count)
            return found
        except FAILURES as error:
            raise JournalError("journal.failed", why=str(error)) from error

    def has(self, known: Mapping[str, tuple[int, str]]) -> bool:
        """Whether it has all these matches, so far or further: entries and their last link."""
        try:
            return all(self._link(self._row(it), known[it][0]) == known[it][1] for it in known)
        except (JournalError, *FAILURES):
            return False

    def matches(self) -> list[str]:
        """The names of all matches, in the order in which they began."""
        try:
            return [name for (name,) in self._db.execute("SELECT name FROM match ORDER BY id")]
        except FAILURES as error:
            raise JournalError("journal.failed", why=str(error)) from error

    def _saved(self, row: int, match: str, start: bytes, position: str, passed: int) -> Saved:
        entries = self._db.execute("SELECT text FROM entry WHERE match = ? ORDER BY n", (row,))
        texts = tuple(text for (text,) in entries)
        seals = self._db.execute("SELECT text FROM seal WHERE match = ?", (row,)).fetchone()
        paused = self._db.execute("SELECT 1 FROM pause WHERE match = ?", (row,)).fetchone()
        seal = seals[0] if seals else b""
        return Saved(match, start, texts, position, seal, bool(passed), paused is not None)

    def last(self) -> bytes:
        """The start of the newest match, be it over or not; empty where there is none."""
        try:
            query = "SELECT start FROM match ORDER BY id DESC LIMIT 1"
            for (start,) in self._db.execute(query):
                return bytes(start)
        except FAILURES as error:
            raise JournalError("journal.failed", why=str(error)) from error
        return b""

    def close(self) -> None:
        """Let go of the file."""
        if identity(self.path) not in (self._identity, (0, 0)):
            _leave(self._db)
        else:
            with contextlib.suppress(sqlite3.Error):  # a full disk: the WAL is folded in next time
                self._db.close()
        let_go(self)

    def _open(self) -> None:
        self._pragma("locking_mode = EXCLUSIVE")  # whoever reads first has the file
        magic, version = self._pragma("application_id"), self._pragma("user_version")
        tables = self._count("sqlite_master")
        if magic != MAGIC and (magic or tables):  # somebody else's: not to be touched
            raise BadRecording("journal.foreign", file=str(self.path))
        if magic == MAGIC and version not in (1, VERSION):
            raise BadRecording("journal.version", file=str(self.path), theirs=version, ours=VERSION)
        health = "ok" if self._asks else self._pragma("quick_check(1)")
        if health != "ok":
            raise BadRecording("journal.corrupt", file=str(self.path), why=_plain(health))
        self._pragma("journal_mode = WAL")
        self._pragma("synchronous = FULL")
        self._db.execute("BEGIN IMMEDIATE")
        for statement in ("" if magic else _TABLES).split(";"):
            self._db.execute(statement)
        self._db.execute(_SEALS)
        self._db.execute(_PAUSES)
        if magic and version == 1:
            self._migrate()
        self._db.execute("COMMIT")

    def _migrate(self) -> None:
        """Make the links and sums that version 1 had not."""
        for statement in _FROM_1.split(";"):
            self._db.execute(statement)
        for (row,) in self._db.execute("SELECT id FROM match").fetchall():
            texts = self._db.execute("SELECT text FROM entry WHERE match = ? ORDER BY n", (row,))
            entries = [text for (text,) in texts]
            self._db.execute("DELETE FROM entry WHERE match = ?", (row,))
            self._add(row, 0, entries)
            self._add_up(row)
        self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _pragma(self, text: str) -> int | str:
        """What the pragma answers; "" where it says nothing."""
        for (answer,) in self._db.execute(f"PRAGMA {text}"):
            return cast(int | str, answer)
        return ""

    def _count(self, table: str) -> int:
        (count,) = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(count)

    def _row(self, match: str) -> int:
        for (row,) in self._db.execute("SELECT id FROM match WHERE name = ?", (match,)):
            return int(row)
        raise JournalError("journal.no_match", match=match)

    def _over(self, match: str, how: str) -> None:
        row = self._row(match)
        self._db.execute("UPDATE match SET over = ? WHERE id = ?", (how, row))
        self._add_up(row)

    def _add(self, row: int, first: int, entries: Sequence[str]) -> None:
        """Entries from index `first` on, each with its link."""
        linked = zip(entries, links(entries, self._link(row, first)), strict=True)
        for n, (text, link) in enumerate(linked, first):
            self._db.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", (row, n, text, link))

    def _link(self, row: int, count: int) -> str:
        """The link after the first `count` entries of a match."""
        query = "SELECT chain FROM entry WHERE match = ? AND n = ?"
        for (link,) in self._db.execute(query, (row, count - 1)):
            return str(link)
        return ""

    def _add_up(self, row: int) -> None:
        self._db.execute("UPDATE match SET sum = ? WHERE id = ?", (self._sum(row), row))

    def _sum(self, row: int) -> str:
        """One hash over all that is kept of a match; of its entries over the last link."""
        kept = self._db.execute(
            "SELECT id, name, start, position, over,"
            " (SELECT text FROM seal WHERE match = id),"
            " (SELECT count(*) FROM entry WHERE match = id) FROM match WHERE id = ?",
            (row,),
        ).fetchone()
        text = msgspec.json.encode((kept, kept and self._link(row, kept[-1])))
        return blake2b(text, digest_size=16).hexdigest()

    def _whole(self, row: int) -> bool:
        """Whether a match, its links and its sum agree."""
        query = "SELECT n, text, chain FROM entry WHERE match = ? ORDER BY n"
        rows = self._db.execute(query, (row,)).fetchall()
        numbers, texts, kept = zip(*rows, strict=True) if rows else ((), (), ())
        if numbers != tuple(range(len(rows))) or kept != linked(texts):
            return False
        sums = self._db.execute("SELECT sum FROM match WHERE id = ?", (row,)).fetchone()
        return sums is not None and sums[0] == self._sum(row)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, and on the disk before it ends. A file that is no longer at its path
        could be written as before, and nobody would find it again."""
        try:
            if self._failed or not self._there():
                self._reopen()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
                if not self._there():
                    raise JournalError("journal.gone", file=str(self.path))
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back itself
                    self._db.execute("ROLLBACK")
                raise
        except FAILURES as error:
            self._failed |= code_of(error) == sqlite3.SQLITE_IOERR
            raise JournalError("journal.failed", why=str(error)) from error

    def _there(self) -> bool:
        """Whether the file at its path is the one that was opened."""
        return identity(self.path) == self._identity

    def _reopen(self) -> None:
        """Open the file at its path in place of the one that is away, or whose disk failed: a stick
        that was pulled comes back as another. Raises `JournalError` where it is not there, or has
        not what was saved."""
        try:
            size = self.path.stat().st_size
        except OSError:  # a dead stick does not say either whether it is there
            raise JournalError("journal.gone", file=str(self.path)) from None
        if size == 0:  # it would be made one
            raise JournalError("journal.other", file=str(self.path))
        found = identity(self.path)
        which, refused, at = self._refused
        if found == which and time.monotonic() - at < AGAIN_S:
            raise JournalError(refused.message.key, **dict(refused.message.values))
        if self._there():  # one process has a file once
            self.close()
        try:
            again = _opened(self.path)
            if not (again.has(self._known) or again.has(self._tried)):
                again.close()
                raise JournalError("journal.other", file=str(self.path))
        except JournalError as error:
            self._refused = found, error, time.monotonic()
            raise
        if not self._there():
            _leave(self._db)
        let_go(self)
        self._db, self._identity, self._failed = again._db, again._identity, False
        pass_on(self._identity, self)


def journals(folder: Path) -> list[Path]:
    """The journals of all games in a state folder; their backups are none."""
    return sorted(path for path in folder.glob("*.db") if path.suffixes == [".db"])


def _opened(path: Path) -> Journal:
    """The journal at `path`. Raises `JournalError`, which says what is wrong with it."""
    try:
        return Journal(path)
    except JournalError:
        raise
    except HexboardError as error:
        values = dict(error.message.values)
        if "why" in values:
            raise JournalError("journal.failed", why=values["why"]) from None
        raise JournalError(error.message.key, **values) from None


def _leave(db: sqlite3.Connection) -> None:
    """Let go of a connection without closing it, ever: SQLite would delete the WAL of the file that
    is now at its path."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(db))


def lay_aside(path: Path, aside: Path) -> Path:
    """Give a journal, its WAL with it, that name, with a number where it is taken."""
    aside = unused(aside)
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{end}").replace(f"{aside}{end}")
    return aside


def code_of(error: Exception) -> int:
    """SQLite's number for what it raised; that of a damaged file where it gives none."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def _plain(health: int | str) -> str:
    """What SQLite's check says, as a part of a sentence."""
    return str(health).rpartition("***")[2].strip()  # between stars is which database


def _unopened(path: Path, error: Exception) -> HexboardError:
    code = code_of(error)
    if getattr(error, "sqlite_errorcode", 0) in UNREADABLE:
        return BadRecording("journal.failing", file=str(path), why=str(error))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Busy("journal.busy", file=str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return BadRecording("journal.foreign", file=str(path))
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return BadRecording("journal.corrupt", file=str(path), why=str(error))
    return BadRecording("journal.unreadable", file=str(path), why=str(error))
