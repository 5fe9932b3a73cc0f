"""Differing: which recordings two archives rule otherwise, and where."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from hexboard.commands.archive.folder import Archive, told
from hexboard.commands.calibrate.compare import change_figures, change_lines
from hexboard.record.compare import RulingChange, StandingRuling, changes
from hexboard.words import message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    import duckdb

READ = ("recordings", "rulings")
RULED = """
    SELECT recording, file, questions,
        (SELECT md5(string_agg(concat_ws('|', kind, seat, action, rule, text), chr(10)
            ORDER BY ruling)) FROM rulings WHERE rulings.recording = recordings.recording)
    FROM recordings
"""
"""Of each recording a digest of all that was ruled."""
RULINGS = """
    SELECT at_s, if(text = '', action, text), rule FROM rulings WHERE recording = ? ORDER BY ruling
"""


class RecordingChange(Struct, frozen=True):
    """A recording that two archives rule otherwise."""

    file: str
    changes: tuple[RulingChange, ...]
    questions: tuple[int, int]
    """How many people were asked in the one, and in the other."""

    @property
    def figures(self) -> dict[str, object]:
        found = [change_figures(change) for change in self.changes]
        return {"file": self.file, "changes": found, "questions": list(self.questions)}

    @property
    def lines(self) -> list[str]:
        one, other = (say(message(key)) for key in ("archive.before", "archive.now"))
        changes = [line for it in self.changes for line in change_lines(it, one, other)]
        asked = message("compare.asked", one=self.questions[0], other=self.questions[1])
        return [self.file, *changes, say(asked)]


class Compared(Struct, frozen=True):
    """What two archives say of the same recordings."""

    both: int
    """How many are in both."""
    different: tuple[RecordingChange, ...]
    missing: tuple[str, ...]
    """Files of recordings that the older one does not have."""

    @property
    def figures(self) -> dict[str, object]:
        """For programs."""
        return {
            "both": self.both,
            "different": [it.figures for it in self.different],
            "missing": list(self.missing),
        }

    @property
    def lines(self) -> list[str]:
        """For people."""
        lines = [line for it in self.different for line in it.lines]
        lines += [say(message("archive.missing", file=file)) for file in self.missing]
        same = message("archive.against_same", both=self.both)
        differ = message("archive.against_differs", both=self.both, different=len(self.different))
        return [*lines, say(differ if self.different else same)]


def compared(before: Archive, after: Archive, recordings: Collection[str]) -> Compared:
    """How `after` rules these recordings of its otherwise than `before`. Raises `BadText`."""
    with before.connect(READ) as one, after.connect(READ) as other:
        was, now = _ruled(one, before.path), _ruled(other, after.path)
        both = [id for id in recordings if id in was and id in now]
        differ = [id for id in both if was[id][1:] != now[id][1:]]
        found = (
            RecordingChange(
                now[id][0],
                tuple(changes(_rulings(one, id), _rulings(other, id))),
                (was[id][1], now[id][1]),
            )
            for id in differ
        )
        missing = [now[id][0] for id in recordings if id in now and id not in was]
        return Compared(len(both), tuple(found), tuple(missing))


def _ruled(
    connection: "duckdb.DuckDBPyConnection", folder: Path
) -> dict[str, tuple[str, int, str]]:
    """The file of each recording, how many questions there were, and the digest of its rulings."""
    import duckdb

    try:
        rows = connection.execute(RULED).fetchall()
    except duckdb.Error as error:
        raise BadText("archive.unreadable", folder=str(folder), why=told(error)) from None
    return {id: (file, questions, digest) for id, file, questions, digest in rows}


def _rulings(connection: "duckdb.DuckDBPyConnection", id: str) -> list[StandingRuling]:
    rows = connection.execute(RULINGS, [id]).fetchall()
    return [StandingRuling(seconds, text, rule) for seconds, text, rule in rows]
