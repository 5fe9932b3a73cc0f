"""Notes: a survey as it is taken, a line a note, so that what is done outlives any end."""

from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.calibration.result import wiring
from hexboard.calibration.sensors import Began, Note, Passed, SensorSurvey
from hexboard.words.dates import iso_date
from hexboard.words.errors import NO_JSON, Busy


class Head(Struct, frozen=True, tag="head"):
    """The first line: which board the notes are of."""

    board: str
    wiring: str


Line = TypeVar("Line", bound=Struct)


class Lines(Generic[Line]):
    """A file of lines, each of which is there once it is put: the first says of which board they
    are, and those of another are not used. A torn one, and what follows it, is forgotten. One
    process writes it at a time."""

    def __init__(self, path: Path, head: Head, decode: "msgspec.json.Decoder[Head | Line]") -> None:
        self.path = path
        self._head = head
        self._decode = decode.decode

    def open(self, fresh: bool = False) -> list[Line]:
        """What is there of the same board; opens the file to go on. `fresh`: nothing is, and what
        was is forgotten with the first line that is put. Raises `Busy`."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self._file = self.path.open("r+b")
        self._lock()
        kept, self._ends = ([], [0]) if fresh else self._read()
        length = self._ends[-1]
        self._anew = not length
        if not fresh:
            self._file.truncate(length)
            self._file.seek(length)
        return kept

    def _lock(self) -> None:
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise Busy("calibration.busy", board=self._head.board, file=str(self.path)) from None

    def cut(self, count: int) -> None:
        """Forget all but the first so many of the lines that were there."""
        self._file.seek(self._ends[1 + count])
        self._file.truncate()

    def put(self, *lines: Line) -> None:
        """Keep them."""
        if self._anew:
            self._anew = False
            self._file.truncate(0)
            self._file.seek(0)
            self._file.write(msgspec.json.encode(self._head) + b"\n")
        for line in lines:
            self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file; the next sitting goes on from it. One that is empty is none."""
        with suppress(OSError):
            if not self.path.stat().st_size:
                self.path.unlink()
        self._file.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self.path.unlink(missing_ok=True)
        self._file.close()

    def _read(self) -> tuple[list[Line], list[int]]:
        """Those up to the first line that is none (a torn one at the end), and where each ends."""
        try:
            lines = self.path.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return [], [0]
        kept: list[Line] = []
        ends = [0]
        for i, line in enumerate(lines):
            try:
                read = self._decode(line)
            except NO_JSON:
                break
            if not line.endswith(b"\n") or (i == 0) != isinstance(read, Head):
                break
            if not isinstance(read, Head):
                kept.append(read)
            elif read != self._head:
                break
            ends.append(ends[-1] + len(line))
        return kept, ends


def _written(path: Path) -> str:
    """When a file was last written, ISO 8601; "" where there is none."""
    with suppress(OSError):
        return iso_date(path.stat().st_mtime)
    return ""


_NOTES: "msgspec.json.Decoder[Head | Note]" = msgspec.json.Decoder(Head | Note)


class Notes:
    """The notes of one survey at `path`. `resume` takes up what is there of the same board."""

    def __init__(self, path: Path, board: Board) -> None:
        self.path = path
        self._lines = Lines[Note](path, Head(board.name, wiring(board)), _NOTES)
        self._passed: Passed | None = None
        self._began: Began | None = None
        self.last = ""
        """When the last sitting before this one was, ISO 8601; "" for none."""

    def resume(self, survey: SensorSurvey, date: str = "", fresh: bool = False) -> int:
        """Tell the survey all that was noted, unless it begins `fresh`; how many notes. Opens the
        file to go on; `date` is when this sitting begins. Raises `Busy`."""
        written = _written(self.path)  # older notes do not say when
        notes = self._lines.open(fresh)
        for note in notes:
            if isinstance(note, Began):
                note = Began(note.date or written)
                self.last = note.date
            survey.note(note)
        self.last = self.last or (written if notes else "")
        self._began = Began(date)
        survey.note(self._began)
        return len(notes)

    def put(self, note: Note) -> None:
        """Keep a note. That time passed is kept only where something follows it."""
        if isinstance(note, Passed):
            self._passed = note
            return
        self._lines.put(*(it for it in (self._began, self._passed) if it is not None), note)
        self._began = self._passed = None

    def close(self) -> None:
        """Close the file; the next survey goes on from it."""
        self._lines.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self._lines.finish()
