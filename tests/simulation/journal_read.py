"""What a journal says, read by SQLite alone from what is on the disk, and played again."""

import json
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import Start
from hexboard.game.match import Played, decode_entry
from hexboard.record.transcript import Transcript


class Kept(Struct, frozen=True):
    """A match as a journal has it."""

    match: str
    start: Start
    entries: tuple[str, ...]
    position: str

    def positions(self, board: Board) -> list[str]:
        """The position before the first entry, and after each. Raises for entries that cannot be
        played."""
        match = Transcript(board, self.start).match
        line = [str(match.position)]
        for text in self.entries:
            match.add(decode_entry(text.encode()))
            line.append(str(match.position))
        return line

    @property
    def plays(self) -> list[str]:
        """The actions in it, in order."""
        found = (decode_entry(text.encode()) for text in self.entries)
        return [entry.action for entry in found if isinstance(entry, Played)]


def kept(image: Mapping[Path, bytes], name: str) -> dict[str, Kept]:
    """The matches in the journal of this name, as files left it; none where there is no journal.
    Raises `sqlite3.Error` for one that SQLite cannot read."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for path, data in image.items():
            if path.name in (name, f"{name}-wal", f"{name}-journal"):
                (Path(folder) / path.name).write_bytes(data)
        if not (Path(folder) / name).exists():
            return {}
        with closing(sqlite3.connect(Path(folder) / name)) as db:
            if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return {}
            rows = db.execute("SELECT id, name, start, position FROM match ORDER BY id").fetchall()
            return {match: _one(db, row, match, start, at) for row, match, start, at in rows}


def _one(db: sqlite3.Connection, row: int, match: str, start: bytes, position: str) -> Kept:
    texts = db.execute("SELECT text FROM entry WHERE match = ? ORDER BY n", (row,))
    begun = msgspec.json.decode(start, type=Start)
    return Kept(match, begun, tuple(text for (text,) in texts), position)


def plain(text: str) -> str:
    """An entry, for people who read a report."""
    return str(json.loads(text).get("action", text))
