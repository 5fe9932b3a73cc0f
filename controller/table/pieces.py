"""The table of games with counters and cards: people move them, and say or show what they moved.

Without a camera nothing sees a piece. What a person declares is believed to be on the board; after
a take-back or a ruling the way from there to the position is the to-do, until people say that it
is right. A camera's readings of the board at rest say the same without words: a move that is
certain is played, one of two is asked for, and what no move explains is called wrong once the hand
has been away for a while, with the way back, step by step. Where it sees that a move which was
declared has not been made, that move is the to-do.
"""

from typing import Any

from controller.board import EDGES, Board, CellId
from controller.errors import BadText, HexboardError, IllegalAction
from controller.facts import MS, Presence, Resume, Start
from controller.games.position import CHANCE, public
from controller.perception.debounce import Change
from controller.perception.inference import Line, Look, Verdict, infer, later, lying, mean
from controller.scene import Mark, Meaning, Scene
from controller.table.core import Choice, Table, Todo
from controller.table.way import Step, way
from controller.words import Message, message

TAP = 1_000 * MS
"""A sensor that was pressed no longer than this was tapped; else something lies on it."""
TOUCH = 20_000 * MS
"""A touch that nothing follows is forgotten after this."""
FRESH = 1_500 * MS
"""So long what was just played stands out."""
TAPPED = ("seat", "fall")
"""Kinds of sensors in a cell that feel a finger."""
LOOKS = 3
"""Readings of one situation before people are asked; older ones are forgotten."""
TURNS = 3
"""So many positions back a take-back is recognised."""
FEW = 24
"""So many moves over the same cells are asked about; of more, the page lets people choose."""
FAR = 1_000
"""Movements of a hand, more than any way back has."""
NOTHING = "nothing"
"""The answer that nothing was moved."""


class Offer(Choice, frozen=True):
    """A way of play that a camera may have seen, as an answer."""

    line: Line


class Pieces(Table):
    """A table whose game can be seen (`seen`): one code a cell, in the board's order."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        super().__init__(board, begin)
        self.physical: bytes = self.position.seen()
        """What is believed to lie in the cells; where it differs from the position is the to-do."""
        self.against: Message | None = None
        """The rule against what was tried, where one is plain, while the board is called wrong."""
        self._aim: bytes | None = None  # what the way back leads to, while the board is wrong
        self._steps: tuple[Step, ...] = ()  # the way from what lies to what should
        self._walked = (self.physical, self.physical)  # from and to what
        self.watched = False
        """A camera has seen the board."""
        self._certain: tuple[bytes, Look] | None = None  # a board, and the look that showed it
        self._trust: bytes | None = None  # the next look shows this board: people said so
        self._looks: list[Look] = []  # since the last hand, of what is not explained yet
        self._last: Look | None = None  # since the last hand
        self._strange: Line | None = None  # what comes nearest to what is unexplained now
        self._wrong_at: int | None = None  # when it is called wrong
        self._done = False  # somebody says that the move is made: the next look decides
        self.touches: tuple[CellId, ...] = ()
        """The cells touched so far to make a move."""
        self._forget_at: int | None = None  # when they are forgotten
        self._pressed: dict[str, int] = {}  # sensors in cells, since when
        self._refused: tuple[CellId, ...] = ()
        """The places of the move that was refused last, until something else is said."""
        self._fresh_until: int | None = None

    @property
    def wrong(self) -> tuple[CellId, ...]:
        """The cells that no move explains, from when that is said until it is put right."""
        return () if self._aim is None else self._differing(self._aim)

    @property
    def todo(self) -> tuple[Todo, ...]:
        """One movement of a hand each, in an order in which they can be done."""
        if not hasattr(self.position, "things"):
            cells = self._differing(self._want)
            return tuple(Todo(cell, None, message("table.todo_cell", cell=cell)) for cell in cells)
        steps = self._way(self.physical, self._want)
        return tuple(Todo(step.cells[0], None, step.message) for step in steps)

    @property
    def _before(self) -> Look | None:
        """The look at what should lie there now; of what was said since it knows nothing."""
        if self._certain is None:
            return None
        board, look = self._certain
        cells = zip(look, board, self.position.seen(), strict=True)
        return tuple(cell if old == new else () for cell, old, new in cells)

    @property
    def _offered(self) -> tuple[Line, ...]:
        """What the camera asks about."""
        choices = self.asking.choices if self.asking else ()
        return tuple(choice.line for choice in choices if isinstance(choice, Offer))

    @property
    def _want(self) -> bytes:
        """What should lie in the cells."""
        want: bytes = self.position.seen() if self._aim is None else self._aim
        return want

    def _differing(self, want: bytes) -> tuple[CellId, ...]:
        pairs = zip(self.board.cells, want, self.physical, strict=True)
        return tuple(cell.id for cell, code, there in pairs if code != there)

    def _way(self, there: bytes, want: bytes) -> tuple[Step, ...]:
        """The way from what lies in the cells to what should; the last one is kept. Of things
        without a name there is none."""
        if self._walked != (there, want):
            cells = [cell.id for cell in self.board.cells]
            name = getattr(self.position, "things", lambda code: ())
            piles = [dict(zip(cells, map(name, codes), strict=True)) for codes in (there, want)]
            self._walked, self._steps = (there, want), way(piles[0], piles[1])
        return self._steps

    def _play(self, action: Any) -> None:
        """What people do lies on the board; what the dealer drew they must still do, where a camera
        would see that they have not."""
        before = self.position
        drawn = getattr(before, "dealt", False) and before.actor(action) == CHANCE
        super()._play(action)
        self._forgive()
        if not (drawn and self._certain):
            self.physical = bytes(
                new if new != old else there
                for old, new, there in zip(
                    before.seen(), self.position.seen(), self.physical, strict=True
                )
            )
        self._anew()
        self.asking = None
        fresh = any(mark.meaning is Meaning.FRESH for mark in self.position.scene())
        self._fresh_until = self.now + FRESH if fresh else None

    def _declare(self, seat: int, name: str) -> None:
        self._forgive()
        try:
            super()._declare(seat, name)
        except IllegalAction:
            position = self.position
            if not self.private:  # a card that is not held lights nothing
                blamed = getattr(position, "blamed", position.places)
                self._refused = blamed(position.action(name))
                self._dirty = True
            raise
        self._again()

    def _rule(self, do: str, who: str, why: str) -> None:
        self._forgive()
        if do == "done":
            self._finish()
        else:
            super()._rule(do, who, why)

    def _forgive(self) -> None:
        self._dirty |= bool(self._refused or self.touches)
        self._refused = self.touches = ()
        self._forget_at = None

    def _right(self) -> None:
        self.physical = seen = self.position.seen()
        now = mean(self._looks) if self._looks else self._last
        self._certain = (seen, now) if now else None
        self._trust = None if now else seen
        self._anew()
        self.asking = None
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
        if cells and self._beginning(cells):
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
        if len(left) == len(names) <= FEW and not self.private:  # all pages see a question
            choices = [Choice(name, message("table.touch_move", move=name)) for name in names]
            choices.append(Choice(NOTHING, message("table.camera_nothing")))
            self._question(message("table.touch_which"), tuple(choices))

    def _hold(self, cells: tuple[CellId, ...]) -> None:
        self.touches, self._forget_at, self._dirty = cells, self.now + TOUCH, True

    def _beginning(self, cells: tuple[CellId, ...]) -> list[tuple[str, tuple[CellId, ...]]]:
        """The legal moves that begin with these touches, for all that everybody may know: names
        and places."""
        position, count = self.public, len(cells)
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
                refusal = self.public.refusal(self.public.action(text))
            except (BadText, IllegalAction):
                continue
            if refusal:
                self._news(refusal)
                return
        self._news(message("table.touch_none", cells=", ".join(cells)))

    def scene(self) -> Scene:
        """While cells are touched, what may come next is lit instead of all that may begin."""
        marks = super().scene()
        if self._fresh_until is None:
            marks = tuple(mark for mark in marks if mark.meaning is not Meaning.FRESH)
        if not self.touches:
            return marks
        picked = [Mark(cell, Meaning.PICKED) for cell in self.touches]
        if rings := self._rings():
            return (*marks, *picked, *rings)
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

    def _read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        """A reading of the board at rest, or a hand over it."""
        if not look:
            self._looks, self._last, self._wrong_at = [], None, None
            return
        if len(look) != len(self.board.cells):
            self._news(message("table.camera_board", cells=len(look), ours=len(self.board.cells)))
            return
        self._dirty |= not self.watched
        self.watched, self._last = True, look
        self._looks = [*self._looks, look][-LOOKS:]
        if self._trust is not None:
            if self._seen(look, None).kind != "accept":  # the hand that was there made its move
                self._certain = self._trust, look
            self._trust = None
        self._consider(at)

    def _presence(self, source: str, presence: Presence) -> None:
        super()._presence(source, presence)
        if source == "journal" and presence.up:
            self._again()

    def _again(self) -> None:
        """Think again about what was seen since the last hand: something else has changed."""
        if self._last:
            self._looks = self._looks or [self._last]
            self._consider(self.now)

    def _consider(self, at: int) -> None:
        """What the looks since the last hand come to; moves wait for the journal."""
        if self.confirm or (self.todo and self._aim is None):
            self._put_right(mean(self._looks))
        elif self._up("journal"):
            self._weigh(at)

    def _weigh(self, at: int) -> None:
        """Play, ask or blame what the looks come to."""
        now = mean(self._looks)
        verdict = self._seen(now, self._before)
        done, self._done = self._done, False
        if verdict.kind == "accept":
            try:
                self._accept(verdict.lines[0], now)
                return
            except IllegalAction:  # what a hidden hand does not hold cannot have been played
                verdict = Verdict("strange", (self._stay(),), 0)
        if verdict.kind == "same":
            self._same(now, done)
        else:
            self._doubt(verdict, at, done)

    def _seen(self, now: Look, before: Look | None) -> Verdict:
        """What a look comes to."""
        cells = [cell.id for cell in self.board.cells]
        certain = [public(position) for position in self.match.certain[: 1 + TURNS]]
        return infer(cells, certain, before, now)

    def _stay(self) -> Line:
        """Nothing was moved."""
        return Line((), 0, 0, self.public)

    def _finish(self) -> None:
        """Somebody says that the move is made: what the camera sees, or will see once the hand is
        away, decides at once. Raises `HexboardError`."""
        if self.todo and self._aim is None:
            raise BadText("table.todo_first")
        if not self.watched:
            raise HexboardError("table.done_blind")
        self._done = True
        self._again()

    def _accept(self, line: Line, now: Look | None) -> None:
        """Do all of what was seen. Raises `IllegalAction` where a hidden hand does not allow it;
        then nothing has changed."""
        position, actions = self.position, list[Any]()
        for name in line.actions:
            actions.append(position.action(name))
            position = position.play(actions[-1])
        if line.back:
            self._take_back(self.match.last_choice(line.back))
        for action in actions:
            self._play(action)
        self.physical = seen = self.position.seen()
        self._certain = (seen, now) if now else self._certain
        self._anew()

    def _same(self, now: Look, done: bool) -> None:
        """The board shows the position."""
        if self._aim is not None:
            self._news(message("table.camera_again"))
        elif done:
            self._news(message("table.done_same"))
        if self._offered:
            self.asking, self._dirty = None, True
        self.physical = seen = self.position.seen()
        self._certain = seen, later(self._before, now)
        self._anew()

    def _doubt(self, verdict: Verdict, at: int, done: bool) -> None:
        """No move is certain: follow what people put right, ask, or call it wrong in time."""
        kind, strange = verdict.kind, verdict.kind == "strange" and self._aim is None
        if self._aim is not None and self._follow():
            return
        still: tuple[Line, ...] = ()
        if self._offered and not self._stands(verdict):  # it is about another board
            now = mean(self._looks)
            still = tuple(line for line in self._offered if self._may_be(line, now))
            self.asking, self._dirty = None, True
        if self._unmade(verdict):
            self.physical, self._dirty = self._lies(self._want, mean(self._looks)), True
        elif not self.asking and (
            (kind == "ask" and (done or len(self._looks) == LOOKS)) or (kind == "unclear" and done)
        ):
            self._offer((*verdict.lines, *still))
        elif kind == "partly" and done:
            cells = ", ".join(self.board.cells[k].id for k in verdict.lines[0].against)
            self._news(message("table.done_partly", cells=cells))
        self._strange = verdict.lines[0] if strange else None
        self._wrong_at = (self._wrong_at or at + self.away_ns) if strange else None
        if strange and done:
            self._scold()

    def _unmade(self, verdict: Verdict) -> bool:
        """Whether the board is as it was last seen, and what was said since is to be done."""
        first, shown = verdict.lines[0], self._certain and self._certain[0]
        return verdict.kind == "ask" and first.back > 0 and bool(first.position.seen() == shown)

    def _scold(self) -> None:
        """Call the board wrong: its cells, the rule where one is plain, and the way back; to what
        would be a move, where less is to be done for that."""
        self._wrong_at, line = None, self._strange
        base, now = self.position.seen(), mean(self._looks)
        if line is None or self._lies(base, now) == base:
            return
        aims = sorted((base, line.position.seen()), key=lambda aim: self._far(aim, now))
        self._aim, self.physical = aims[0], self._lies(aims[0], now)
        self._news(message("table.camera_wrong", cells=", ".join(self.wrong)))
        self.against = self._refusal()
        if self.against:
            self._news(self.against)

    def _far(self, aim: bytes, now: Look) -> int:
        """How many movements of a hand a look is away from what could lie there."""
        there = self._lies(aim, now)
        return len(self._way(there, aim)) if there != aim else FAR

    def _lies(self, want: bytes, now: Look) -> bytes:
        """What a look shows to lie in the cells; it may well be what should."""
        return lying(want, self.position.seen(), self._before, now, self.physical)

    def _follow(self) -> bool:
        """What the looks show of a board that is wrong; whether it is right by now."""
        assert self._aim is not None
        now = mean(self._looks)
        self.physical = self._lies(self._aim, now)
        self._dirty = True
        right: bool = self.physical == self.position.seen()
        if right:
            self._same(now, False)
        return right

    def _put_right(self, now: Look) -> None:
        """Whether a board that was to be put right shows the position; if not, what is left."""
        seen = self.position.seen()
        self.physical, self._dirty = self._lies(seen, now), True
        if self.physical == seen:
            self._right()

    def _anew(self) -> None:
        """What was seen so far is explained."""
        self._looks, self._done = [], False
        self._wrong_at, self._strange = None, None
        self._dirty |= self._aim is not None
        self._aim, self.against = None, None

    def _stands(self, verdict: Verdict) -> bool:
        """Whether the question asks what a look leaves open."""
        (first, *others), now = verdict.lines, mean(self._looks)
        left = [first, *(line for line in others if self._may_be(line, now))]
        offered = set(map(_spelt, self._offered))
        return verdict.kind in ("ask", "unclear") and offered.issuperset(map(_spelt, left))

    def _may_be(self, line: Line, now: Look) -> bool:
        """Whether no cell of a look speaks against a way of play."""
        want: bytes = line.position.seen()
        return lying(want, self.position.seen(), self._before, now, want) == want

    def _offer(self, lines: tuple[Line, ...]) -> None:
        """Ask which of these was played."""
        named = {_spelt(line): line for line in lines}
        stay = named.pop(NOTHING, self._stay())
        offers = [
            Offer(name, message("table.camera_move", move=name), line)
            for name, line in named.items()
        ]
        nothing = Offer(NOTHING, message("table.camera_nothing"), stay)
        self._question(message("table.camera_which"), (*offers, nothing))

    def _decide(self, question: int, name: str) -> None:
        choice = self._chosen(question, name)
        if isinstance(choice, Offer):
            self._accept(choice.line, mean(self._looks) if self._looks else None)
        elif name != NOTHING:
            self._declare(-1, name)
        self._forgive()
        self.asking, self._dirty = None, True

    def _timers(self) -> list[tuple[int, str]]:
        timers = super()._timers()
        if self._forget_at is not None:
            timers.append((self._forget_at, "touch"))
        if self._fresh_until is not None:
            timers.append((self._fresh_until, "fresh"))
        return timers if self._wrong_at is None else [*timers, (self._wrong_at, "camera")]

    def _timer(self, name: str, due: int) -> None:
        if name == "touch":
            self._forgive()
            return
        if name == "fresh":
            self._fresh_until, self._dirty = None, True
            return
        if name != "camera":
            super()._timer(name, due)
            return
        self._scold()

    def _refusal(self) -> Message | None:
        """The rule against what seems to have been tried, which is a step of the way back, the
        other way round; None where that is not plain."""
        for step in self._way(self.physical, self._want):
            left, onto, thing = step.onto, step.left, step.things[-1].split(" ")[-1]
            tries = (f"{left}-{onto}", f"{left}:{onto}", onto, f"place {onto} {thing}")
            verbs = (f"move {left}-{onto}", f"deploy {thing} {onto}", f"build {thing} {onto}")
            for text in (*tries, *verbs):
                try:
                    action = self.public.action(text)
                    refusal: Message | None = self.public.refusal(action)
                except (BadText, IllegalAction):
                    continue
                if refusal:
                    return refusal
                if self.private and self.position.refusal(action):  # only its side may hear why
                    return message("table.camera_hidden")
        return None

    def _marks(self) -> list[Mark]:
        """What is asked, what was refused, what is to be done: of a wrong board all of its cells,
        and among them those of the next step."""
        marks = [Mark(cell, Meaning.REFUSED) for cell in (*self._refused, *self.wrong)]
        todo = self._differing(self._want)
        if self.wrong:
            todo = next((step.cells for step in self._way(self.physical, self._want)), ())
        marks += [Mark(cell, Meaning.TODO) for cell in todo]
        return [*marks, *self._asked_about()] if self.asking else marks

    def _asked_about(self) -> list[Mark]:
        """The cells of what is offered: those of one answer alone count which one it is."""
        lines = [frozenset(self._touched(line)) for line in self._offered]
        cells = dict.fromkeys(cell for line in lines for cell in sorted(line))
        which = {cell: [n for n, line in enumerate(lines, 1) if cell in line] for cell in cells}
        return [
            Mark(cell, Meaning.ASK, answers[0] if len(answers) == 1 else 0)
            for cell, answers in which.items()
        ]

    def _touched(self, line: Line) -> list[str]:
        """The cells that a line changes."""
        pairs = zip(self.position.seen(), line.position.seen(), strict=True)
        return [cell.id for cell, (a, b) in zip(self.board.cells, pairs, strict=True) if a != b]


def _spelt(line: Line) -> str:
    """A line as an answer: its actions, as often `undo` as it goes back, or `nothing`."""
    return "; ".join(("undo",) * line.back or line.actions) or NOTHING
