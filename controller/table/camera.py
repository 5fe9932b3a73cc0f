"""The camera's word at a table of pieces: what looks come to, and what is done about it.

A move that is certain is played, one of two is asked for, and what no move explains is called wrong
once the hand has been away for a while, with the way back, step by step. Where it sees that a move
which was declared has not been made, that move is the to-do.
"""

import contextlib
from collections.abc import Iterable
from typing import Protocol

from hexboard.board import CellId
from hexboard.facts import Sample
from hexboard.game.position import Action, Touched
from hexboard.perception.inference import Explanation, Look, LookVerdict
from hexboard.perception.tints import Tints
from hexboard.table import offers
from hexboard.table.looks import Looks
from hexboard.table.parts import Parts
from hexboard.table.physical import Physical
from hexboard.table.restore import Step
from hexboard.table.view import Todo
from hexboard.words import Message, message
from hexboard.words.errors import BadText, HexboardError, IllegalAction

FAR_STEPS = 1_000
"""Movements of a hand, more than any way back has."""


class Conduct(Protocol):
    """What is done with the pieces at a table, and from where."""

    @property
    def position(self) -> Touched[Action]: ...

    @property
    def public(self) -> Touched[Action]:
        """The position as everybody may know it."""

    @property
    def taken_back(self) -> bool:
        """What people said last took something back."""

    def certain(self) -> Iterable[Touched[Action]]:
        """The public positions that people can go back to, the present one first."""

    def follow(self, line: Explanation[Action]) -> None:
        """Play all of a line. Raises `IllegalAction`; then nothing has changed."""

    def right(self) -> None:
        """The board shows the position."""


class Camera:
    """What a camera sees at one table, and the board that it calls wrong. Times are board ns."""

    def __init__(self, parts: Parts[Action], table: Conduct, physical: Physical) -> None:
        self._parts, self._table, self._physical = parts, table, physical
        self.looks = Looks(parts.game, parts.board)
        self.tints = Tints()
        """What explained looks taught of the evening's light."""
        self.samples: tuple[Sample, ...] = ()
        """Of the last look."""
        self.against: Message | None = None
        """The rule against what was tried, where one is plain, while the board is called wrong."""
        self.wrong_at: int | None = None
        """When the board is called wrong, unless it is explained before."""
        self._aim: bytes | None = None  # what the way back leads to, while the board is wrong
        # what comes nearest to what is unexplained now
        self._strange: Explanation[Action] | None = None

    @property
    def scolds(self) -> bool:
        """The board is called wrong."""
        return self._aim is not None

    @property
    def want(self) -> bytes:
        """What should lie in the cells."""
        return self._shown if self._aim is None else self._aim

    @property
    def wrong(self) -> tuple[CellId, ...]:
        """The cells that no move explains, from when that is said until it is put right."""
        return () if self._aim is None else self._physical.differing(self._aim)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The way from what lies in the cells to what should."""
        return self._physical.steps(self._table.position, self._physical.lies, self.want)

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, one movement each."""
        return self._physical.todo(self._table.position, self.want)

    @property
    def _shown(self) -> bytes:
        return self._table.position.seen()

    @property
    def _now(self) -> Look:
        now = self.looks.now
        assert now is not None, "there is a look since the last hand"
        return now

    # ------------------------------------------------------------------------------ what comes

    def read(self, look: Look, at: int) -> None:
        """A reading of the board at rest, or a hand over it."""
        if not look:
            self.looks.hand()
            self.wrong_at = None
            return
        ours = len(self._parts.board.cells)
        if len(look) != ours:
            self._parts.outbox.tell(message("table.camera_board", cells=len(look), ours=ours))
            return
        if not self.looks.watched:
            self._parts.outbox.change()
        self.looks.take(look, self._table.certain())
        self._consider(at)

    def again(self, at: int) -> None:
        """Think again about what was seen since the last hand: something else has changed."""
        if self.looks.again():
            self._consider(at)

    def finish(self, at: int) -> None:
        """Somebody says that the move is made: what the camera sees, or will see once the hand is
        away, decides at once. Raises `HexboardError`."""
        if not self.scolds and self.todo:
            raise BadText("table.todo_first")
        if not self.looks.watched:
            raise HexboardError("table.done_blind")
        self.looks.done = True
        self.again(at)

    def answered(self, line: Explanation[Action]) -> None:
        """People say what was played. Raises `IllegalAction`."""
        self._accept(line, self.looks.now)

    def said(self) -> None:
        """People say that the board shows the position."""
        self._physical.lies = self._shown
        self.looks.said(self._shown)
        self.anew()

    def kept(self) -> None:
        """What was played stays, whatever a hand has done: what is seen otherwise is to be done."""
        if self.looks.last is not None:
            self._physical.lies = self._lying(self._shown, self.looks.last)
            self._parts.outbox.change()

    def anew(self) -> None:
        """What was seen so far is explained."""
        self.looks.explained()
        self.wrong_at, self._strange = None, None
        if self.scolds:
            self._parts.outbox.change()
        self._aim, self.against = None, None

    # ------------------------------------------------------------------------------ what it means

    def _consider(self, at: int) -> None:
        """What the looks since the last hand come to; moves wait for the journal."""
        if self._parts.ledger.confirm or (not self.scolds and self.todo):
            self._put_right(self._now)
            if self._table.taken_back and self.todo and self._parts.journal_up:
                self._instead(self._now)
        elif self._parts.journal_up:
            self._weigh(at)

    def _weigh(self, at: int) -> None:
        """Play, ask or blame what the looks come to."""
        now, looks = self._now, self.looks
        verdict = looks.weigh(now, looks.before(self._shown), self._table.certain())
        done, looks.done = looks.done, False
        if verdict.kind == "accept":
            try:
                self._accept(verdict.lines[0], now)
                return
            except IllegalAction:  # what a hidden hand does not hold cannot have been played
                verdict = LookVerdict("strange", (_stay(self._table.public),), 0)
        if verdict.kind == "same":
            self._same(now, done)
        else:
            self._doubt(verdict, at, done)

    def _instead(self, now: Look) -> None:
        """What was to be put right has become a move: not the one that lay there before."""
        looks = self.looks
        verdict = looks.weigh(now, looks.before(self._shown), self._table.certain())
        line = verdict.lines[0]
        new = not line.back and line.position.seen() != looks.certain
        if verdict.kind == "accept" and new:
            with contextlib.suppress(IllegalAction):  # what a hidden hand does not hold
                self._accept(line, now)

    def _accept(self, line: Explanation[Action], now: Look | None) -> None:
        """Do all of what was seen. Raises `IllegalAction` where a hidden hand does not allow it;
        then nothing has changed."""
        self._table.follow(line)
        self._physical.lies = self._shown
        self.looks.played(self._shown, now)
        self._learn()
        self.anew()

    def _learn(self) -> None:
        """The last look shows the position: a sample of the light, with its label."""
        look, samples, self.samples = self.looks.last, self.samples, ()
        line = self._parts.ledger.match.length
        if look and self.tints.learn(look, samples, self._shown, line):
            self._parts.outbox.change()

    def _same(self, now: Look, done: bool) -> None:
        """The board shows the position."""
        if self.scolds:
            self._parts.outbox.tell(message("table.camera_again"))
        elif done:
            self._parts.outbox.tell(message("table.done_same"))
        if offers.offered(self._parts.question.asking):
            self._parts.close()
        self._physical.lies = self._shown
        self.looks.same(self._shown, now)
        self._learn()
        self.anew()

    def _doubt(self, verdict: LookVerdict[Action], at: int, done: bool) -> None:
        """No move is certain: follow what people put right, ask, or call it wrong in time."""
        kind, over = verdict.kind, self._table.position.scores is not None  # they clear the board
        strange = kind == "strange" and not (self.scolds or over)
        if self.scolds and self._follow():
            return
        still: tuple[Explanation[Action], ...] = ()
        offered = offers.offered(self._parts.question.asking)
        if offered and not self._stands(verdict, offered):  # it is about another board
            still = tuple(line for line in offered if self._may_be(line))
            self._parts.close()
        if _unmade(verdict, self.looks.certain):
            self._physical.lies = self._lying(self.want, self._now)
            self._parts.outbox.change()
        elif not self._parts.question.asking and (
            (kind == "ask" and (done or self.looks.many)) or (kind == "unclear" and done)
        ):
            choices = offers.offers((*verdict.lines, *still), _stay(self._table.public))
            self._parts.ask(message("table.camera_which"), choices)
        elif kind == "partly" and done:
            cells = ", ".join(self._parts.board.cells[k].id for k in verdict.lines[0].against)
            self._parts.outbox.tell(message("table.done_partly", cells=cells))
        self._strange = verdict.lines[0] if strange else None
        self.wrong_at = (self.wrong_at or at + self._parts.away_ns) if strange else None
        if strange and done:
            self.scold()

    def _stands(
        self, verdict: LookVerdict[Action], offered: tuple[Explanation[Action], ...]
    ) -> bool:
        """Whether the question asks what a look leaves open."""
        first, *others = verdict.lines
        left = [first, *(line for line in others if self._may_be(line))]
        asked = set(map(offers.spelt, offered))
        return verdict.kind in ("ask", "unclear") and asked.issuperset(map(offers.spelt, left))

    def _may_be(self, line: Explanation[Action]) -> bool:
        return self.looks.may_be(line, self._shown, self._now)

    # ------------------------------------------------------------------------------ a wrong board

    def scold(self) -> None:
        """Call the board wrong: its cells, the rule where one is plain, and the way back; to what
        would be a move, where less is to be done for that. Several moves are nobody's."""
        self.wrong_at, line = None, self._strange
        base, now = self._shown, self._now
        if line is None or self._lying(base, now) == base:
            return
        aims = [base, line.position.seen()] if _one_turn(self._table.public, line) else [base]
        self._aim = min(aims, key=lambda aim: self._far(aim, now))
        self._physical.lies = self._lying(self._aim, now)
        self._parts.outbox.tell(message("table.camera_wrong", cells=", ".join(self.wrong)))
        self.against = self._refusal()
        if self.against:
            self._parts.outbox.tell(self.against)

    def _far(self, aim: bytes, now: Look) -> int:
        """How many movements of a hand a look is away from what could lie there."""
        there = self._lying(aim, now)
        steps = self._physical.steps
        return len(steps(self._table.position, there, aim)) if there != aim else FAR_STEPS

    def _lying(self, want: bytes, now: Look) -> bytes:
        """What a look shows to lie in the cells; it may well be what should."""
        return self.looks.lying(want, self._shown, now, self._physical.lies)

    def _follow(self) -> bool:
        """What the looks show of a board that is wrong; whether it is right by now."""
        now = self._now
        self._physical.lies = self._lying(self.want, now)
        self._parts.outbox.change()
        right = self._physical.lies == self._shown
        if right:
            self._same(now, False)
        else:
            self.against = self._refusal()  # what is tried now is another thing
        return right

    def _put_right(self, now: Look) -> None:
        """Whether a board that was to be put right shows the position; if not, what is left."""
        self._physical.lies = self._lying(self._shown, now)
        self._parts.outbox.change()
        if self._physical.lies == self._shown:
            self._table.right()

    def _refusal(self) -> Message | None:
        """The rule against what seems to have been tried, which is a step of the way back, the
        other way round; None where that is not plain."""
        table = self._table
        for step in self.steps:
            tries = self._parts.game.tried(table.position, step.onto, step.left, step.things[-1])
            for text in tries:
                try:
                    action = table.public.action(text)
                    refusal = table.public.refusal(action)
                except (BadText, IllegalAction):
                    continue
                if refusal:
                    return refusal
                if self._parts.ledger.private and table.position.refusal(action):
                    return message("table.camera_hidden")  # only its side may hear why
        return None


def _stay(public: Touched[Action]) -> Explanation[Action]:
    """Nothing was moved."""
    return Explanation((), 0, 0, public)


def _unmade(verdict: LookVerdict[Action], certain: bytes | None) -> bool:
    """Whether the board is as it was last seen, and what was said since is to be done."""
    first = verdict.lines[0]
    return verdict.kind == "ask" and first.back > 0 and first.position.seen() == certain


def _one_turn(position: Touched[Action], line: Explanation[Action]) -> bool:
    """Whether one seat does all of a line."""
    actors = set[int]()
    for name in line.actions:
        action = position.action(name)
        actors.add(position.actor(action))
        position = position.play(action)
    return len(actors) <= 1
