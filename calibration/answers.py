"""Answers: what people said to the wiring wizard, a line an answer.

What the wizard asks next follows from the answers alone. So told again in their order, they bring
a sitting back to where it was stopped.
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.board import BoardFile
from hexboard.calibration.notes import Head, Lines


class WiringAnswer(Struct, frozen=True, tag="answer"):
    """What was `said` when the wizard wanted something (`Screen.wants`) of a light or a sensor."""

    wants: str
    about: str
    said: str


ASKED = "2"
"""Which questions follow which answers. Those of a sitting in which they followed otherwise are not
told again: since 2, "back" takes back the last answer, and not what was left out before."""
_DECODER: "msgspec.json.Decoder[Head | WiringAnswer]" = msgspec.json.Decoder(Head | WiringAnswer)


class WiringAnswers:
    """The answers of one sitting at `path`, for what a board's file says so far."""

    def __init__(self, path: Path, entry: BoardFile) -> None:
        digest = hashlib.sha256(ASKED.encode() + msgspec.json.encode(entry)).hexdigest()
        self._lines = Lines[WiringAnswer](path, Head(entry.name, digest), _DECODER)
        self._again: list[WiringAnswer] = []
        self.count = 0
        """How many were given, in this sitting and before."""

    def resume(self, fresh: bool = False) -> int:
        """Open the file to go on; how many answers are there to be told again: none where it begins
        `fresh`. Raises `Busy`."""
        self._again = self._lines.open(fresh)[::-1]
        self.count = len(self._again)
        return self.count

    def again(self, wants: str, about: str) -> str:
        """What was said then to the same question; "" where it has still to be asked."""
        if not self._again:
            return ""
        answer = self._again.pop()
        if (answer.wants, answer.about) == (wants, about):
            return answer.said
        self.count -= 1 + len(self._again)  # asked otherwise since: the rest answers nothing
        self._again.clear()
        self._lines.cut(self.count)
        return ""

    def put(self, wants: str, about: str, said: str) -> None:
        """Keep an answer."""
        self._lines.put(WiringAnswer(wants, about, said))
        self.count += 1

    def close(self) -> None:
        """Close the file; the next sitting goes on from it."""
        self._lines.close()

    def finish(self) -> None:
        """Close, and forget: all was said."""
        self._lines.finish()
