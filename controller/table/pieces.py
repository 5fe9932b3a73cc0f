"""The table of games with counters and cards: people move them, and say or show what they moved.

Without a camera nothing sees a piece. What a person declares is believed to be on the board; after
a take-back or a ruling the cells that look different are the to-do, until people say it is right. A
camera's readings of the board at rest say the same without words: a move that is certain is played,
one of two is asked for, and what no move explains is shown once the hand has been away for a while.
"""

from typing import Any

from controller.board import EDGES, Board, CellId
from controller.errors import BadText, IllegalAction
from controller.facts import MS, Resume, Start
from controller.perception.debounce import Change
from controller.perception.inference import AGAINST, Line, Look, Verdict, infer, mean
from controller.scene import Mark, Meaning, Scene
from controller.table.core import Choice, Table, Todo
from controller.words import message

TAP = 1_000 * MS
"""A sensor that was pressed no longer than this was tapped; else something lies on it."""
TOUCH = 20_000 * MS
"""A touch that nothing follows is forgotten after this."""
TAPPED = ("seat", "fall")
"""Kinds of sensors in a cell that feel a finger."""
LOOKS = 3
"""Readings of one situation before people are asked; older ones are forgotten."""
TURNS = 3
"""So many positions back a take-back is recognised."""
FEW = 24
"""So many moves over the same cells are asked about; of more, the page lets people choose."""
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
        self.touches: tuple[CellId, ...] = ()
        """The cells touched so far to make a move."""
        self._forget_at: int | None = None  # when they are forgotten
        self._pressed: dict[str, int] = {}  # sensors in cells, since when
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
        self._forgive()
        self.physical = bytes(
            new if new != old else there
            for old, new, there in zip(before, after, self.physical, strict=True)
        )
        self._anew()
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
        self._dirty |= bool(self._refused or self.touches)
        self._refused = self.touches = ()
        self._forget_at = None

    def _right(self) -> None:
        self.physical = self.position.seen()
        self._anew()
        super()._right()

    def _restart(self) -> None:
        super()._restart()
        self._forgive()
        self._anew()

    # ---------------------------------------------------------------------------------- touches

    def _touch(self, cells: tuple[CellId, ...]) -> None:
        """What a page says is touched; the page declares the move itself. Raises `BadText`."""
        for cell in cells:
            if cell not in self.board.cell:
                raise BadText("table.touch_cell", cell=cell[:40])
        self._dirty |= cells != self.touches
        self.touches, self._forget_at = (), None
        if cells and (self._hides or self._beginning(cells)):
            self._hold(cells)

    def _believe(self, change: Change) -> None:
        """A finger on a cell's sensor, once it is lifted again."""
        kind, cell = change.sensor.split(":", 1)
        if kind not in TAPPED or cell not in self.board.cell:
            return
        if change.level:
            self._pressed[change.sensor] = change.at
            return
        since = self._pressed.pop(change.sensor, None)
        ready = not (self.todo or self.confirm or self.asking)
        if ready and since is not None and change.at - since <= TAP:
            self._guarded("tap", lambda: self._tap(cell))

    def _tap(self, cell: CellId) -> None:
        """One touch more on the board: a move once only one is meant."""
        before = self.touches
        self._forgive()
        if before[-1:] == (cell,):
            return  # put down again
        tries = [(*before, cell), (cell,)]
        touches = next((tried for tried in tries if self._beginning(tried)), ())
        if not touches:
            self._refuse(tries[0])
            return
        left = self._beginning(touches)
        names = [name for name, places in left if places == touches]
        if len(left) == len(names) == 1:
            self._declare(-1, names[0])
            return
        self._hold(touches)
        if len(left) == len(names) <= FEW:
            choices = [Choice(name, message("table.touch_move", move=name)) for name in names]
            choices.append(Choice(NOTHING, message("table.camera_nothing")))
            self._question(message("table.touch_which"), tuple(choices))

    def _hold(self, cells: tuple[CellId, ...]) -> None:
        self.touches, self._forget_at, self._dirty = cells, self.now + TOUCH, True

    def _beginning(self, cells: tuple[CellId, ...]) -> list[tuple[str, tuple[CellId, ...]]]:
        """The legal moves that begin with these touches: names and places."""
        position, count = self.position, len(cells)
        moves = ((move, position.places(move)) for move in position.legal)
        return [(position.name(move), at) for move, at in moves if at[:count] == cells]

    def _refuse(self, cells: tuple[CellId, ...]) -> None:
        """No move goes on like this: the rule against it, where that is plain,
        told to every page: nobody knows who taps."""
        self._refused, self._dirty = cells, True
        around = (self.board.neighbour(cells[-1], edge) for edge in EDGES)
        tries = ["-".join(cells), *(f"{cells[-1]}-{other}" for other in around if other)]
        for text in tries:
            try:
                refusal = self.position.refusal(self.position.action(text))
            except (BadText, IllegalAction):
                continue
            if refusal:
                self._news(refusal)
                return
        self._news(message("table.touch_none", cells=", ".join(cells)))

    @property
    def _hides(self) -> bool:
        """Whether the moves tell of a hidden hand: then no light may tell of the moves."""
        return hasattr(self.position, "view")

    def scene(self) -> Scene:
        """While cells are touched, what may come next is lit instead of all that may begin."""
        marks = super().scene()
        if not self.touches:
            return marks
        picked = [Mark(cell, Meaning.PICKED) for cell in self.touches]
        if self._hides:
            return (*marks, *picked, *self._rings())
        kept = (m for m in marks if m.meaning not in (Meaning.LEGAL, Meaning.ONTO))
        return (*kept, *picked, *self._following())

    def _rings(self) -> Scene:
        """How far the piece that was touched can go, where a game shows that and no hand tells."""
        rings = getattr(self.position, "rings", None)
        return rings(self.touches[0]) if rings and len(self.touches) == 1 else ()

    def _following(self) -> list[Mark]:
        """The places that may be touched next; those where something lies look different."""
        count, cells = len(self.touches), [cell.id for cell in self.board.cells]
        there = dict(zip(cells, self.position.seen(), strict=True))
        left = self._beginning(self.touches)
        following = dict.fromkeys(places[count] for _, places in left if len(places) > count)
        return [Mark(c, Meaning.ONTO if there[c] else Meaning.LEGAL) for c in following]

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
        if name not in self._offered and name != NOTHING:
            self._declare(-1, name)
            return
        self._forgive()
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
        if self._forget_at is not None:
            timers.append((self._forget_at, "touch"))
        return timers if self._wrong_at is None else [*timers, (self._wrong_at, "camera")]

    def _timer(self, name: str, due: int) -> None:
        if name == "touch":
            self._forgive()
            return
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
