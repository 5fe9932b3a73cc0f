"""What a journal says, read by SQLite alone from what is on the disk, and played again."""

import json
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import Seal, Start
from hexboard.game.match import Match, Played, decode_entry, encode_entry
from hexboard.game.position import Action, Position
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.record.transcript import Transcript
from tests.simulation import balls

WHOLE = -2
"""The side of who knows all."""


class Kept(Struct, frozen=True):
    """A match as a journal has it."""

    match: str
    start: Start
    entries: tuple[str, ...]
    position: str
    seal: Seal | None

    def played(self, board: Board) -> Match[Action]:
        """It, played again. Raises for entries that cannot be played."""
        match = Transcript(board, self.start).match
        for text in self.entries:
            match.add(decode_entry(text.encode()))
        return match

    def heard(self, board: Board) -> tuple[str, ...]:
        """The entries as everybody heard them."""
        if self.seal is None:
            return self.entries
        return tuple(encode_entry(entry).decode() for entry in self.played(board).heard)

    def public(self, board: Board) -> str:
        """The last position, as everybody may know it."""
        match = self.played(board)
        return str(match.game.public(match.position))

    def line(self, board: Board, side: int = WHOLE) -> list[str]:
        """The position before the first entry, and after each, as who sits at a side may know it.
        Raises for entries that cannot be played."""
        match = Transcript(board, self.start).match
        game = match.game

        def known(position: Position[Action]) -> str:
            hides = game.hides(position) if side != WHOLE else None
            if hides is None:
                return str(position) if side == WHOLE else told_of(position)
            return told_of(hides.view(side if 0 <= side < len(hides.seats) else len(hides.seats)))

        line = [known(match.position)]
        for text in self.entries:
            match.add(decode_entry(text.encode()))
            line.append(known(match.position))
        return line

    @property
    def plays(self) -> list[str]:
        """The actions in it, in order."""
        found = (decode_entry(text.encode()) for text in self.entries)
        return [entry.action for entry in found if isinstance(entry, Played)]


def told_of(position: Position[Action]) -> str:
    """What pages are told of a position: all of it, where pieces lie in cells."""
    ours: object = position
    return balls.summary(ours) if isinstance(ours, Hextraction) else str(position)


def shown(state: dict[str, Any]) -> str:
    """The same of what a page was told."""
    return str(state["position"]) if "position" in state else balls.shown(state["own"])


def kept(image: Mapping[Path, bytes]) -> dict[str, Kept]:
    """The matches in all journals, as files left them. Raises `sqlite3.Error` for one that SQLite
    cannot read."""
    names = {path.name for path in image if path.suffix == ".db" and "backup" not in path.name}
    return {match: it for name in sorted(names) for match, it in _kept(image, name).items()}


def _kept(image: Mapping[Path, bytes], name: str) -> dict[str, Kept]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for path, data in image.items():
            if path.name in (name, f"{name}-wal", f"{name}-journal"):
                (Path(folder) / path.name).write_bytes(data)
        if not (Path(folder) / name).exists():
            return {}
        with closing(sqlite3.connect(Path(folder) / name)) as db:
            tables = {it for (it,) in db.execute("SELECT name FROM sqlite_master")}
            if "match" not in tables:
                return {}
            rows = db.execute("SELECT id, name, start, position FROM match ORDER BY id").fetchall()
            seals = dict(db.execute("SELECT match, text FROM seal")) if "seal" in tables else {}
            return {
                match: _one(db, row, match, start, at, seals.get(row))
                for row, match, start, at in rows
            }


def _one(
    db: sqlite3.Connection, row: int, match: str, start: bytes, position: str, seal: bytes | None
) -> Kept:
    texts = db.execute("SELECT text FROM entry WHERE match = ? ORDER BY n", (row,))
    begun = msgspec.json.decode(start, type=Start)
    sealed = msgspec.json.decode(seal, type=Seal) if seal else None
    return Kept(match, begun, tuple(text for (text,) in texts), position, sealed)


def plain(text: str) -> str:
    """An entry, for people who read a report."""
    return str(json.loads(text).get("action", text))
