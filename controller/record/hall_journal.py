"""Hall journal: what a hall is told of a board's matches, in the order in which it stood.

A small SQLite file beside the journals of all games. It has their entries as everybody may hear
them, so that nothing secret can leave the board with it, each with its link of one `chain`. The hub
publishes it from wherever the stream ends (`hexboard.daemon.hub`); nothing is ever taken out of it.

What cannot be written here is written later, as the match still has it: the table never waits.
"""

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from hexboard.facts import Start
from hexboard.record.chain import chain
from hexboard.record.held import hold, let_go
from hexboard.record.journal import FAILURES, code_of, lay_aside
from hexboard.words import Message, message

NAME = "hall.sqlite"
"""The file's name in the state folder; journals are called `*.db`."""
_TABLE = """
    CREATE TABLE IF NOT EXISTS told (
        n     INTEGER PRIMARY KEY,
        match TEXT NOT NULL,
        k     INTEGER NOT NULL,
        at    INTEGER NOT NULL,
        text  TEXT NOT NULL,
        link  TEXT NOT NULL UNIQUE,
        UNIQUE (match, k)
    ) STRICT
"""
_OPENING = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",  # who publishes syncs; what must not be lost is in the journals
    "PRAGMA wal_autocheckpoint = 0",  # nor does who writes wait for that: `fold`
    _TABLE,
)
FOLD = 1000
"""After so many rows the WAL is folded in."""
BEGUN = -1
"""In place of an entry's index: the match has begun. What is less says that it is over."""


Count = Annotated[int, Meta(ge=0, le=2**53)]
"""As a hall takes it from a board: a browser tells it from the next."""
ShortName = Annotated[str, Meta(max_length=200)]
"""What somebody or something is called, as a hall takes it from a board."""
Score = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Somebody's points, as a hall takes them from a board."""


class HallBegun(Struct, frozen=True, tag="begun"):
    """A match has begun."""

    n: Count
    """Counts what this board has told, from 1."""
    start: Start


class HallEntry(Struct, frozen=True, tag="entry"):
    """An entry of a match stands, as everybody may hear it."""

    n: Count
    match: ShortName
    k: Count
    """Its index in the match."""
    entry: Raw
    """docs/contracts.md, "Journal"."""


class HallOver(Struct, frozen=True, tag="over"):
    """The game is over. Where something is taken back then, more entries of the match follow."""

    n: Count
    match: ShortName
    game: ShortName
    seats: Annotated[tuple[ShortName, ...], Meta(max_length=16)]
    """What they are called."""
    scores: Annotated[tuple[Score, ...], Meta(max_length=16)]
    outcome: str
    """In English."""


HallTold = HallBegun | HallEntry | HallOver
_decode = msgspec.json.Decoder(HallTold).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def decode_told(text: bytes) -> HallTold:
    """What a board told. Raises what `NO_JSON` names, for names that are too long as well."""
    told: HallTold = _decode(text)
    if isinstance(told, HallBegun):
        named = told.start.match, told.start.game
        msgspec.convert(named, tuple[ShortName, ShortName])
    return told


class HallRow(Struct, frozen=True):
    """One thing that a hall is told: its number, when that stood (Unix ns by this computer's
    clock), canonical JSON of a `HallTold`, and its link of the chain."""

    n: int
    at: int
    text: str
    link: str


DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite says of a file that is none of ours any more."""


class HallJournal:
    """The hall journal of a state folder: any thread may write, one at a time reads. `added` is
    called when there is more, `trouble` is why it cannot be kept."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._lock = threading.Lock()
        self.added: Callable[[], None] = lambda: None
        self.trouble: Message | None = None
        self._start: Start | None = None
        self.known = 0
        """So many entries of the match that is played are in it."""
        try:
            self._db = self._first()
        except FAILURES as error:
            if code_of(error) not in DAMAGED:  # its disk is full, or somebody has it
                raise
            lay_aside(self._path, self._path.with_suffix(".damaged.db"))
            self._db = self._first()
        self._reading = self._opened()  # who reads, or waits for the disk, holds no writer up
        self._folded = 0

    def _first(self) -> sqlite3.Connection:
        let_go(self)
        with contextlib.suppress(OSError):  # SQLite says why
            hold(self._path, self)
        return self._opened()

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=1, isolation_level=None, check_same_thread=False)
        try:
            for statement in _OPENING:
                db.execute(statement)
        except FAILURES:
            db.close()
            raise
        return db

    def close(self) -> None:
        with self._lock:
            for db in (self._reading, self._db):
                with contextlib.suppress(*FAILURES):
                    db.close()
        let_go(self)

    # ------------------------------------------------------------------------- by the match

    def begin(self, start: Start, heard: Sequence[str]) -> None:
        """A match begins or goes on, with these entries, as everybody heard them: what of it is
        not in here is added."""
        with self._lock:
            self._start, self.known = start, 0
        self.add(heard, 0)

    def add(self, heard: Sequence[str], first: int) -> None:
        """The entries of the match from index `first` on, which is `known`, stand."""
        self._keep(lambda start: self._add(start, heard, first))

    def end(self, seats: Sequence[str], scores: Sequence[int], outcome: str) -> None:
        """The match is over as it stands."""
        self._keep(lambda start: self._end(start, tuple(seats), tuple(scores), outcome))

    def _keep(self, act: Callable[[Start], None]) -> None:
        """Write in one transaction; what fails is `trouble`, and no more."""
        known = self.known
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                if self._start is not None:
                    act(self._start)
                self._db.execute("COMMIT")
                self.trouble = None
            except FAILURES as error:
                with contextlib.suppress(*FAILURES):
                    self._db.execute("ROLLBACK")
                self.known, self.trouble = known, message("hub.unkept", why=str(error))
        self.added()

    def _add(self, start: Start, heard: Sequence[str], first: int) -> None:
        if first > self.known:
            return
        if not self._has(start.match, BEGUN):
            self._append(start.match, BEGUN, lambda n: HallBegun(n, start))
        if not self.known:
            self.known = self._count(start.match)
        for k, text in enumerate(heard[self.known - first :], self.known):
            self._entry(start.match, k, text)
        self.known = max(self.known, first + len(heard))

    def _end(
        self, start: Start, seats: tuple[str, ...], scores: tuple[int, ...], outcome: str
    ) -> None:
        newest = "SELECT k FROM told WHERE match = ? ORDER BY n DESC LIMIT 1"
        if next(self._db.execute(newest, (start.match,)), (0,))[0] < BEGUN:
            return
        least = "SELECT min(k) FROM told WHERE match = ?"
        (k,) = self._db.execute(least, (start.match,)).fetchone()
        self._append(
            start.match,
            (k or BEGUN) - 1,
            lambda n: HallOver(n, start.match, start.game, seats, scores, outcome),
        )

    def _entry(self, match: str, k: int, text: str) -> None:
        self._append(match, k, lambda n: HallEntry(n, match, k, Raw(text.encode())))

    def _append(self, match: str, k: int, made: Callable[[int], HallTold]) -> None:
        last = "SELECT n, link FROM told ORDER BY n DESC LIMIT 1"
        n, link = next(self._db.execute(last), (0, ""))
        text = _encode(made(n + 1)).decode()
        row = n + 1, match, k, time.time_ns(), text, chain((text,), link)
        self._db.execute("INSERT INTO told VALUES (?, ?, ?, ?, ?, ?)", row)

    def _has(self, match: str, k: int) -> bool:
        query = "SELECT 1 FROM told WHERE match = ? AND k = ?"
        return next(self._db.execute(query, (match, k)), None) is not None

    def _count(self, match: str) -> int:
        query = "SELECT count(*) FROM told WHERE match = ? AND k >= 0"
        return int(self._db.execute(query, (match,)).fetchone()[0])

    # ------------------------------------------------------------------------- by the hub

    def after(self, n: int, most: int) -> list[HallRow]:
        """What comes after the first `n`, so many at most. Raises `sqlite3.Error`."""
        query = "SELECT n, at, text, link FROM told WHERE n > ? ORDER BY n LIMIT ?"
        return [HallRow(*row) for row in self._reading.execute(query, (n, most))]

    def number(self, link: str) -> int | None:
        """The number of what has this link. Raises `sqlite3.Error`."""
        query = "SELECT n FROM told WHERE link = ?"
        found = next(self._reading.execute(query, (link,)), None)
        return found and int(found[0])

    def last(self) -> int:
        """How many there are. Raises `sqlite3.Error`."""
        return int(self._reading.execute("SELECT coalesce(max(n), 0) FROM told").fetchone()[0])

    def before(self, match: str) -> int | None:
        """How many come before this match begins; None where that is not told. Raises
        `sqlite3.Error`."""
        query = "SELECT n - 1 FROM told WHERE match = ? AND k = ?"
        found = next(self._reading.execute(query, (match, BEGUN)), None)
        return found and int(found[0])

    def sync(self) -> None:
        """What is in it outlasts a power cut: nothing is told to others that may not be here
        tomorrow. Raises `OSError`."""
        try:
            file = os.open(f"{self._path}-wal", os.O_RDONLY)
        except FileNotFoundError:  # nothing was written since it was folded in, and synced
            return
        try:
            os.fsync(file)
        finally:
            os.close(file)

    def fold(self) -> None:
        """Fold the WAL into the file, where it has grown long. Raises `sqlite3.Error`."""
        if (last := self.last()) - self._folded >= FOLD:
            self._folded = last
            self._reading.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
