"""Consent: whether something may be taken back or ruled, and who has still to agree.

What is agreed on for a match (`parts.TAKEBACK`): `free`, whoever asks; `agreed`, once every seat
but the asker's own says yes that has not left the game; `host`, once the host does. Behind a card
or a throw that somebody has seen nothing is taken back silently, whatever was agreed: every other
seat is asked, or the host. So they are before the position is set while cards are hidden, and
whenever a seat sets it. A match from before there was a choice has "" and does whatever it is told
to.
"""

from itertools import takewhile
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hexboard.facts import Decide, Ruling
from hexboard.game.match import Played, Ruled
from hexboard.game.position import WHOLE, Position
from hexboard.game.written import doubt
from hexboard.table.acting import Acting
from hexboard.table.parts import Parts
from hexboard.table.view import HOST_SEAT, Choice
from hexboard.words import Message, message
from hexboard.words.errors import BadText

A = TypeVar("A")
YES, NO = "yes", "no"


class Request(Struct, frozen=True):
    """What somebody wants: all from entry `to` on taken back; or the position set to a `text`, be
    it by a word of the table's own (`by_word`)."""

    said: Ruling
    newest: int
    """The newest entry that counted then; -1 for none."""
    to: int = 0
    text: str = ""
    by_word: bool = False
    seen: bool = False
    """A card or a throw in it has been seen."""
    question: int = 0
    """Its number, once it is asked."""


class Consent(Generic[A]):
    """What is asked of the people at one table before it is taken back."""

    def __init__(self, parts: Parts[A], acting: Acting[A]) -> None:
        self._parts, self._acting = parts, acting
        self._open: Request | None = None

    @property
    def asked(self) -> bool:
        """People are being asked whether they agree."""
        asking = self._parts.question.asking
        return bool(self._open and asking and asking.id == self._open.question)

    def lapse(self) -> None:
        """Where play went on or something else is asked, nobody is asked any more. A card or a
        throw that comes meanwhile is nobody's play: they are asked anew whether to take back behind
        it, and no more whether to set a position that is older than it."""
        open = self._open
        if open is None:
            return
        if not self.asked:
            self._open = None
            return
        match = self._parts.ledger.match
        since = list(takewhile(lambda step: step[0] > open.newest, match.backwards))
        back = open.newest >= 0 and not match.counts(open.newest)
        if back or not all(match.dealt(match.entries[entry], before) for entry, before in since):
            self._void()
        elif since and open.text:
            self._void()
            self._parts.outbox.tell(message("table.set_late"))
        elif since and not open.seen:
            self._ask(replace(open, seen=True), self._concerned(open.said.seats, True, True))

    def _void(self) -> None:
        self._parts.close()
        self._open = None

    @property
    def _newest(self) -> int:
        return next((entry for entry, _ in self._parts.ledger.match.backwards), -1)

    def free(self, to: int | None, seats: tuple[int, ...]) -> bool:
        """Whether who speaks for these seats may take that back without asking."""
        rule = self._parts.takeback
        return not rule or to is None or not self._concerned(seats, False, self._seen(to))

    def wants(self, to: int | None, said: Ruling, button: bool = False) -> None:
        """Somebody wants all from entry `to` on taken back. Raises `BadText`."""
        if not self._parts.takeback or to is None:
            self._acting.take_back(to)
            return
        self._parts.ledger.check_open()
        wanted = Request(said, self._newest, to, seen=self._seen(to))
        self._request(wanted, self._concerned(said.seats, button, wanted.seen))

    def sets(self, text: str, said: Ruling, problem: bool = False) -> None:
        """Somebody sets the position to what a text says; what was asked for as a `problem` is
        called one, if it is one. Raises `BadText`."""
        ledger = self._parts.ledger
        hidden = ledger.private and bool(self._parts.takeback)
        ruled = ledger.parse(text)
        whole = ledger.game.eyes(ruled) == WHOLE
        if whole == hidden:  # nobody may know all of it
            raise BadText("table.ruled_view")
        if problem and (why := doubt(ledger.game, ruled)):
            self._parts.outbox.tell(message("game.is_problem", why=why))
        self._set(Request(said, self._newest, text=ledger.ruled(text)))

    def sets_by_word(self, position: Position[A], said: Ruling) -> None:
        """A word of the table's own kind sets the position to that. Raises `BadText`."""
        text = str(position)
        self._parts.ledger.parse(text)
        self._set(Request(said, self._newest, text=text, by_word=True))

    def _set(self, wanted: Request) -> None:
        """Set the position: by leave where a seat says so, or cards are hidden."""
        seats = wanted.said.seats
        asks = self._parts.takeback and (seats or self._parts.ledger.private)
        self._request(wanted, self._concerned(seats, False, True) if asks else ())

    def _request(self, wanted: Request, of: tuple[int, ...]) -> None:
        """Do it, or ask the seats that have to agree."""
        if not of:
            self._do(wanted)
        elif self._parts.question.asking:
            raise BadText("table.question_open")
        else:
            self._ask(wanted, of)

    def answer(self, said: Decide) -> None:
        """Some of those who are asked say yes or no. Raises `BadText`."""
        choice = self._parts.question.chosen(said.question, said.choice)
        asking, wanted = self._parts.question.asking, self._open
        assert asking is not None
        assert wanted is not None
        ours = [seat for seat in asking.of if seat in said.seats or not said.seats]
        if not ours:
            raise BadText("table.not_asked")
        yes = choice.name == YES
        word = message("table.agreed" if yes else "table.not_agreed", who=said.who)
        self._parts.outbox.tell(word)
        left = tuple(seat for seat in asking.of if seat not in ours)
        if not yes:
            self._parts.close()
            self._acting.kept()
        elif left:
            self._parts.question.asking = replace(asking, of=left)
        else:
            self._parts.close()
            self._do(wanted)

    # ------------------------------------------------------------------------------ who and what

    def _concerned(self, ours: tuple[int, ...], button: bool, seen: bool) -> tuple[int, ...]:
        """The seats that have to agree; (`HOST_SEAT`,) for the host."""
        if self._parts.takeback == "host":
            return () if not (ours or button) else (HOST_SEAT,)
        if self._parts.takeback == "free" and not seen:
            return ()
        game, position = self._parts.game, self._parts.ledger.position
        gone = game.departed(position) if game.departed is not None else ()
        seats = range(len(position.seats))
        return tuple(seat for seat in seats if seat not in ours and seat not in gone)

    def _ask(self, wanted: Request, of: tuple[int, ...]) -> None:
        choices = Choice(YES, message("table.yes")), Choice(NO, message("table.no"))
        self._parts.ask(self._question(wanted), choices, of)
        asking = self._parts.question.asking
        assert asking is not None
        self._open = replace(wanted, question=asking.id)

    def _question(self, wanted: Request) -> Message:
        ledger, who = self._parts.ledger, wanted.said.who
        if wanted.by_word:
            return message("table.set_position", who=who, what=wanted.said.do)
        if wanted.text:
            parts = zip(wanted.text.split(" "), str(ledger.position).split(" "), strict=False)
            changed = (new.split("=")[0] for new, old in parts if new != old and "=" in new)
            if named := ", ".join(changed):
                return message("table.set_position", who=who, what=named)
            return message("table.set_pieces", who=who)
        entry = ledger.match.heard[wanted.to]
        if isinstance(entry, Ruled):
            key = "table.take_back_set_seen" if wanted.seen else "table.take_back_set"
            return message(key, who=who, by=entry.who)
        key = "table.take_back_seen" if wanted.seen else "table.take_back"
        assert isinstance(entry, Played)  # nothing else counts
        return message(key, who=who, what=self._named(wanted.to, entry))

    def _named(self, to: int, entry: Played) -> str | Message:
        """What `entry`, number `to`, played: in the words of its button or the game's own notation,
        while no cards are hidden; else the sentence that was told of it."""
        ledger, game = self._parts.ledger, self._parts.game
        match = ledger.match
        if to not in match.counting:
            return entry.action
        at = match.counting.index(to)
        before, after = match.line[at : at + 2]
        if not ledger.private:
            action = before.action(entry.action)
            if (phrase := game.phrase(before, action)) is not None:
                return phrase.said
            if game.notation is not None and (written := game.notation(before, action)):
                return written
        return after.events[0] if after.events else entry.action

    def _do(self, wanted: Request) -> None:
        said = wanted.said
        if wanted.by_word:
            self._acting.rule(said.do, said.who, said.why)
            return
        if wanted.text:
            self._acting.replace(self._parts.ledger.parse(wanted.text), said.who, said.why)
            self._acting.right()
            return
        why = message("table.undone_by", who=said.who)
        if wanted.seen:
            why = message("table.undone_seen", who=said.who)
        self._acting.take_back(wanted.to, why)

    def _seen(self, to: int) -> bool:
        """Whether from entry `to` on a card or a throw was dealt, or a card left a hand."""
        match = self._parts.ledger.match
        steps = zip(match.counting, match.line, match.line[1:], strict=False)
        return any(
            match.dealt(match.entries[entry], before) or self._hands(before) != self._hands(after)
            for entry, before, after in steps
            if entry >= to
        )

    def _hands(self, position: Position[A]) -> list[tuple[Message, ...]]:
        hides = self._parts.game.hides(position)
        return [] if hides is None else [hides.hand(seat) for seat in range(len(hides.seats))]
