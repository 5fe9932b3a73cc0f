"""The table of games with counters and cards: people move them, and say or show what they moved.

Without a camera nothing sees a piece. What a person declares is believed to be on the board; after
a take-back or a ruling the cells that look different are the to-do, until people say it is right. A
camera's readings of the board at rest say the same without words: a move that is certain is played,
one of two is asked for, and what no move explains is shown once the hand has been away for a while.
"""

from typing import Any

from controller.board import Board, CellId
from controller.errors import BadText, IllegalAction
from controller.facts import Resume, Start
from controller.perception.inference import AGAINST, Line, Look, Verdict, infer, mean
from controller.scene import Mark, Meaning
from controller.table.core import Choice, Table, Todo
from controller.words import message

LOOKS = 3
"""Readings of one situation before people are asked; older ones are forgotten."""
TURNS = 3
"""So many positions back a take-back is recognised."""
NOTHING = "nothing"
"""The answer that nothing was moved."""


class Pieces(Table):
    """A table whose game can be seen (`seen`): one code a cell, in the board's order."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        super().__init__(board, begin)
        self.physical: bytes = self.position.seen()
        """What is believed to lie in the cells; where it differs from the position is the to-do."""
        self.wrong: tuple[str, ...] = ()
        """The cells that no move explains."""
        self._certain: Look | None = None  # the look at the position as it is
        self._looks: list[Look] = []  # since the last hand
        self._strange: tuple[str, ...] = ()  # what is unexplained now
        self._wrong_at: int | None = None  # when it is called wrong
        self._offered: dict[str, Line] = {}  # what the open question offers
        self._refused: tuple[CellId, ...] = ()
        """The places of the move that was refused last, until something else is said."""

    @property
    def todo(self) -> tuple[Todo, ...]:
        seen = self.position.seen()
        if seen == self.physical:
            return ()
        return tuple(
            Todo(cell.id, None, message("table.todo_cell", cell=cell.id))
            for cell, want, there in zip(self.board.cells, seen, self.physical, strict=True)
            if want != there
        )

    def _play(self, action: object) -> None:
        before = self.position.seen()
        super()._play(action)
        after = self.position.seen()
        self.physical = bytes(
            new if new != old else there
            for old, new, there in zip(before, after, self.physical, strict=True)
        )
        self._anew()
        if self._offered:
            self._offered, self.asking = {}, None

    def _declare(self, seat: int, name: str) -> None:
        self._forgive()
        try:
            super()._declare(seat, name)
        except IllegalAction:
            position = self.position
            self._refused = position.places(position.action(name))
            self._dirty = True
            raise

    def _rule(self, do: str, who: str, why: str) -> None:
        self._forgive()
        super()._rule(do, who, why)

    def _forgive(self) -> None:
        self._dirty = self._dirty or bool(self._refused)
        self._refused = ()

    def _right(self) -> None:
        self.physical = self.position.seen()
        self._anew()
        super()._right()

    def _restart(self) -> None:
        super()._restart()
        self._anew()

    # ------------------------------------------------------------------------------- the camera

    def _read(self, look: Look, at: int) -> None:
        """A reading of the board at rest, or a hand over it."""
        if not look:
            self._anew()
            return
        if len(look) != len(self.board.cells):
            self._news(message("table.camera_board", cells=len(look), ours=len(self.board.cells)))
            return
        self._looks = [*self._looks, look][-LOOKS:]
        now = mean(self._looks)
        if self.todo or self.confirm:
            self._put_right(now)
        elif self._up("journal"):
            cells = [cell.id for cell in self.board.cells]
            verdict = infer(cells, self.match.certain[: 1 + TURNS], self._certain, now)
            self._judge(verdict, now, at)

    def _judge(self, verdict: Verdict, now: Look, at: int) -> None:
        best = verdict.lines[0]
        if verdict.kind == "accept":
            for name in best.actions:
                self._play(self.position.action(name))
            self._certain = now
        elif verdict.kind == "same":
            self._anew()
            self._certain = self._certain or now
        elif verdict.kind == "ask" and len(self._looks) == LOOKS and not self.asking:
            self._offer(verdict.lines)
        elif verdict.kind == "strange":
            self._strange = tuple(self.board.cells[k].id for k in best.against)
        if verdict.kind != "strange":
            self._wrong_at = None
        elif not self.wrong:
            self._wrong_at = self._wrong_at or at + self.away_ns

    def _put_right(self, now: Look) -> None:
        """Whether a board that was to be put right shows the position."""
        seen = self.position.seen()
        tables = [dict(cell) for cell in now]
        if all(
            t.get(code, AGAINST + 1) <= AGAINST for t, code in zip(tables, seen, strict=True) if t
        ):
            self._right()
            self._certain = now

    def _anew(self) -> None:
        """What was seen so far is explained, or a hand may change it."""
        self._looks = []
        self._wrong_at = None
        self._dirty |= bool(self.wrong)
        self.wrong = ()

    def _offer(self, lines: tuple[Line, ...]) -> None:
        """Ask which of these was played."""
        self._offered = {_spelt(line): line for line in lines}
        choices = [Choice(name, message("table.camera_move", move=name)) for name in self._offered]
        if NOTHING not in self._offered:
            choices.append(Choice(NOTHING, message("table.camera_nothing")))
        self._question(message("table.camera_which"), tuple(choices))

    def _decide(self, question: int, name: str) -> None:
        self._answered(question, name)
        seen = mean(self._looks) if self._looks else None
        line, self._offered = self._offered.get(name), {}
        self._dirty = True
        if line is not None and line.back:
            for _ in range(line.back):
                self._undo()
            self.physical = self.position.seen()
        elif line is not None:
            for action in line.actions:
                self._play(self.position.action(action))
        self._anew()
        self._certain = seen or self._certain

    def _timers(self) -> list[tuple[int, str]]:
        timers = super()._timers()
        return timers if self._wrong_at is None else [*timers, (self._wrong_at, "camera")]

    def _timer(self, name: str, due: int) -> None:
        if name != "camera":
            super()._timer(name, due)
            return
        self._wrong_at = None
        self.wrong = self._strange
        self._news(message("table.camera_wrong", cells=", ".join(self.wrong)))
        if refusal := self._against(self.wrong):
            self._news(refusal)

    def _against(self, cells: tuple[str, ...]) -> Any:
        """The rule against what seems to have been tried; None where that is not plain."""
        tries = [f"{a}-{b}" for a in cells for b in cells if a != b] + list(cells)
        for text in tries:
            try:
                if refusal := self.position.refusal(self.position.action(text)):
                    return refusal
            except (BadText, IllegalAction):
                continue
        return None

    def _marks(self) -> list[Mark]:
        asked = (c for line in self._offered.values() for c in self._touched(line))
        marks = [Mark(cell, Meaning.ASK) for cell in dict.fromkeys(asked)] if self.asking else []
        refused = (Mark(place, Meaning.REFUSED) for place in (*self._refused, *self.wrong))
        return [*super()._marks(), *marks, *refused]

    def _touched(self, line: Line) -> list[str]:
        """The cells that a line changes."""
        pairs = zip(self.position.seen(), line.position.seen(), strict=True)
        return [cell.id for cell, (a, b) in zip(self.board.cells, pairs, strict=True) if a != b]


def _spelt(line: Line) -> str:
    """A line as an answer: its actions, `undo`, or `nothing`."""
    return "undo" if line.back else "; ".join(line.actions) or NOTHING
