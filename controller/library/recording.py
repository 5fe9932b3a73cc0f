"""A recording as other programs read it: what was ruled, line by line, and its facts."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from hexboard.board import Board
from hexboard.facts import Fact, Resume, Start, decode_fact
from hexboard.library.position import Position
from hexboard.record.recording import read
from hexboard.record.replay import Replay, board_of, lacking, lines, sentences
from hexboard.words import Value, say


class Sentence(Struct, frozen=True):
    """One sentence of an evening: what fact `n` caused, `at_s` seconds after the first one."""

    n: int
    at_s: float
    text: str
    rule: str = ""

    def __str__(self) -> str:
        rule = f"  [{self.rule}]" if self.rule else ""
        return f"{int(self.at_s) // 60}:{int(self.at_s) % 60:02}  {self.text}{rule}"


class Recording:
    """An evening in a file. Iterating gives its `Sentence`s as they were ruled, with no engine:
    any later version can. Raises `BadRecording` where there is none."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._recording = read(self.path)

    def __iter__(self) -> Iterator[Sentence]:
        first = None
        for t, topic, values in lines(self._recording):
            first = t if first is None else first
            if topic == "event":
                for text, rule in sentences(values):
                    yield Sentence(values["n"], (t - first) / 1e9, text, rule)

    def __repr__(self) -> str:
        return f"hexboard.open({str(self.path)!r})"

    @property
    def board(self) -> Board:
        """The board that was played on."""
        return board_of(self._recording)

    @property
    def facts(self) -> Iterator[Fact]:
        """What devices and people said, as everybody may know it."""
        return (decode_fact(r.payload) for r in self._recording if r.topic == "fact")

    @property
    def start(self) -> Start:
        """Which game was played, with which options. Raises `BadRecording` where none began."""
        body = next((fact.body for fact in self.facts), None)
        if isinstance(body, Resume):
            return body.start
        if not isinstance(body, Start):
            raise lacking(self._recording)
        return body

    @property
    def damage(self) -> str:
        """What is wrong with the file; "" if nothing is."""
        damage = self._recording.damage
        return say(damage) if damage else ""

    def replay(self, **options: Value) -> "Replayed":
        """The evening as the rules of this version have it, or with other options."""
        return Replayed(self.path, options)


class Replayed:
    """A recording's facts at a fresh table. Iterating plays them and gives what is ruled."""

    def __init__(self, path: Path, options: dict[str, Value]) -> None:
        self._replay = Replay(path, options=options)
        self._first = 0

    def __iter__(self) -> Iterator[Sentence]:
        for step in self._replay.salvaged():
            self._first = self._first or step.fact.t
            at_s = (step.fact.t - self._first) / 1e9
            for told in step.told:
                if told.topic == "event":
                    for text, rule in sentences(msgspec.json.decode(told.payload)):
                        yield Sentence(step.fact.n, at_s, text, rule)

    def run(self) -> "Replayed":
        """Play it to its end."""
        for _ in self:
            pass
        return self

    @property
    def position(self) -> Position:
        """The position that the evening came to so far, as everybody may know it."""
        view = self._replay.view
        board = board_of(self._replay.recording)
        return Position(view.game, board, view.options, view.public)

    @property
    def damage(self) -> str:
        """Why the evening ends before its end, as far as it was played: a torn file, or a fact at
        which the table crashes; "" if it does not."""
        damage = self._replay.outcome.damage
        return say(damage) if damage else ""

    @property
    def differences(self) -> int:
        """How many records differ so far from those of the evening: 0 with its own options."""
        return len(self._replay.outcome.differences)
