"""Notes: a survey as it is taken, a line a note, so that what is done outlives any end."""

from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.calibration.result import wiring
from hexboard.calibration.sensors import Began, Note, Passed, SensorSurvey
from hexboard.words.errors import NO_JSON


class Head(Struct, frozen=True, tag="head"):
    """The first line: which board the notes are of."""

    board: str
    wiring: str


Line = TypeVar("Line", bound=Struct)


class Lines(Generic[Line]):
    """A file of lines, each of which is there once it is put: the first says of which board they
    are, and those of another are not used. A torn one, and what follows it, is forgotten."""

    def __init__(self, path: Path, head: Head, decode: "msgspec.json.Decoder[Head | Line]") -> None:
        self.path = path
        self._head = head
        self._decode = decode.decode

    def open(self) -> list[Line]:
        """What is there of the same board; opens the file to go on."""
        kept, self._ends = self._read()
        length = self._ends[-1]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("r+b" if length else "wb")
        self._file.truncate(length)
        self._file.seek(length)
        if not length:
            self._file.write(msgspec.json.encode(self._head) + b"\n")
        return kept

    def cut(self, count: int) -> None:
        """Forget all but the first so many of the lines that were there."""
        self._file.seek(self._ends[1 + count])
        self._file.truncate()

    def put(self, *lines: Line) -> None:
        """Keep them."""
        for line in lines:
            self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file; the next sitting goes on from it."""
        self._file.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self._file.close()
        self.path.unlink(missing_ok=True)

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


_NOTES: "msgspec.json.Decoder[Head | Note]" = msgspec.json.Decoder(Head | Note)


class Notes:
    """The notes of one survey at `path`. `resume` takes up what is there of the same board."""

    def __init__(self, path: Path, board: Board) -> None:
        self.path = path
        self._lines = Lines[Note](path, Head(board.name, wiring(board)), _NOTES)
        self._passed: Passed | None = None

    def resume(self, survey: SensorSurvey) -> int:
        """Tell the survey all that was noted; how many notes. Opens the file to go on."""
        notes = self._lines.open()
        for note in notes:
            survey.note(note)
        survey.note(Began())
        self.put(Began())
        return len(notes)

    def put(self, note: Note) -> None:
        """Keep a note. That time passed is kept only where something follows it."""
        if isinstance(note, Passed):
            self._passed = note
            return
        self._lines.put(*([self._passed] if self._passed else []), note)
        self._passed = None

    def close(self) -> None:
        """Close the file; the next survey goes on from it."""
        self._lines.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self._lines.finish()
