"""Notes: a survey as it is taken, a line a note, so that what is done outlives any end."""

from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.calibration.result import wiring
from hexboard.calibration.sensors import Began, Note, Passed, SensorSurvey


class Head(Struct, frozen=True, tag="head"):
    """The first line: which board the notes are of."""

    board: str
    wiring: str


_decode = msgspec.json.Decoder(Head | Note).decode


class Notes:
    """The notes of one survey at `path`. `resume` takes up what is there of the same board."""

    def __init__(self, path: Path, board: Board) -> None:
        self.path = path
        self._head = Head(board.name, wiring(board))
        self._passed: Passed | None = None

    def resume(self, survey: SensorSurvey) -> int:
        """Tell the survey all that was noted; how many notes. Opens the file to go on."""
        notes, length = self._read()
        for note in notes:
            survey.note(note)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("r+b" if length else "wb")
        self._file.truncate(length)
        self._file.seek(length)
        if not length:
            self._file.write(msgspec.json.encode(self._head) + b"\n")
        survey.note(Began())
        self.put(Began())
        return len(notes)

    def put(self, note: Note) -> None:
        """Keep a note. That time passed is kept only where something follows it."""
        if isinstance(note, Passed):
            self._passed = note
            return
        for line in (self._passed, note):
            if line is not None:
                self._file.write(msgspec.json.encode(line) + b"\n")
        self._passed = None
        self._file.flush()

    def close(self) -> None:
        """Close the file; the next survey goes on from it."""
        self._file.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _read(self) -> tuple[list[Note], int]:
        """The notes up to the first line that is none (a torn one at the end), and their bytes."""
        try:
            lines = self.path.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return [], 0
        notes: list[Note] = []
        length = 0
        for i, line in enumerate(lines):
            try:
                note = _decode(line)
            except msgspec.DecodeError:
                break
            if not line.endswith(b"\n") or (i == 0) != isinstance(note, Head):
                break
            if isinstance(note, Head):
                if note != self._head:
                    break
            else:
                notes.append(note)
            length += len(line)
        return notes, length
