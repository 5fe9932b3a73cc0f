"""People: what they say on pages and with buttons, refused in words where it cannot be."""

from typing import Generic, TypeVar

from hexboard.facts import DEALER, WHOEVER, Decide, Declare, Ruling
from hexboard.game.position import CHANCE
from hexboard.table.acting import Acting
from hexboard.table.consent import Consent
from hexboard.table.effects import NextBrightness
from hexboard.table.offers import Offer
from hexboard.table.parts import Parts
from hexboard.table.view import Choice
from hexboard.words import message
from hexboard.words.errors import BadText

A = TypeVar("A")


class People(Generic[A]):
    """The people at a table, as far as they are heard."""

    def __init__(self, parts: Parts[A], acting: Acting[A]) -> None:
        self._parts, self._acting = parts, acting
        self.consent = Consent(parts, acting)
        """Whether something may be taken back."""

    def say(self, source: str, said: Declare | Decide | Ruling) -> None:
        """What somebody says on a page, a terminal, or for the dealer."""
        match said:
            case Declare():
                self._parts.guarded(source, lambda: self._declare(source, said))
            case Decide():
                self._parts.guarded(source, lambda: self._decide(said))
            case Ruling():
                self._parts.guarded(source, lambda: self._rule(said))

    def press(self, button: str) -> None:
        """A button on the board: it says what a page could say (`board.BUTTONS`), or asks for other
        lights."""
        if button == "end":
            self._parts.guarded("button", self._acting.end)
        elif button in ("undo", "right", "done"):
            said = Ruling(button, "button")
            self._parts.guarded("button", lambda: self._rule(said, button=True))
        elif button == "lights":
            self._parts.outbox.put(NextBrightness())

    def _declare(self, source: str, said: Declare) -> None:
        """A declaration; hidden cards, and what the dealer throws, come from nobody else."""
        ledger, seat, name = self._parts.ledger, said.seat, said.action
        if source != DEALER:
            self._parts.check_goes_on()
            self._check_shown(said)
        hides = ledger.game.hides(ledger.position)
        throws = ledger.game.deals(ledger.position) and len(ledger.position.legal) > 1
        if source != DEALER and (throws or (hides is not None and hides.deck)):
            action = ledger.position.action(name)
            if ledger.position.actor(action) == CHANCE:
                raise BadText("table.dealer_only")
        (self._acting.from_afar if said.far else self._acting.declare)(seat, name)

    def _check_shown(self, said: Declare) -> None:
        """Raises `BadText` where whoever speaks for the one whose turn it is has not seen what
        people did last."""
        after, newest = said.after, self._acting.last_choice
        if said.seat != WHOEVER or after is None:
            return
        gone = after >= 0 and not self._parts.ledger.match.counts(after)
        if gone or (newest is not None and newest > after):
            raise BadText("table.changed_meanwhile")

    def _decide(self, said: Decide) -> None:
        """An answer; that a camera saw something taken back is no more than a wish for it."""
        if self.consent.asked:
            self.consent.answer(said)
            return
        to = self._taken_back(self._parts.question.chosen(said.question, said.choice))
        if self.consent.free(to, said.seats):
            self._acting.decide(said.question, said.choice)
        else:
            self._parts.close()
            self.consent.wants(to, Ruling("undo", said.who, seats=said.seats))

    def _taken_back(self, choice: Choice) -> int | None:
        """The entry from which on a camera saw all taken back, as this answer says."""
        back = choice.line.back if isinstance(choice, Offer) else 0
        return self._parts.ledger.match.last_choice(back) if back else None

    def _rule(self, said: Ruling, button: bool = False) -> None:
        """A host's word: the table's own kind of it, or one that every table understands."""
        acting, do = self._acting, self._meant(said.do)
        if do in ("right", "play on") and self.consent.asked:
            raise BadText("table.question_open")
        if (position := acting.position_in(do)) is not None:
            self.consent.sets_by_word(position, said)
            return
        if acting.rule(do, said.who, said.why):
            return
        if acting.is_undo(do):
            self.consent.wants(acting.last_choice, said, button)
            return
        match do.split(" "):
            case ["right"] | ["play", "on"]:
                acting.right()
                key = "table.right" if do == "right" else "table.play_on"
                self._parts.outbox.tell(message(key, who=said.who))
            case ["pause"] | ["go", "on"]:
                self._pause(do == "pause", said.who)
            case ["problem", "position", *words]:
                self.consent.sets(" ".join(words), said, problem=True)
            case ["position", *words]:
                self.consent.sets(" ".join(words), said)
            case _:
                raise BadText("table.no_ruling", ruling=do[:60])

    def _meant(self, do: str) -> str:
        """A ruling without the entry that its page showed as the newest: of two people who take
        back the same, one does, and nobody a move that they have not seen. Raises `BadText` where
        that entry no longer counts, or somebody has moved after it."""
        match do.split(" "):
            case ["undo", entry]:
                if entry not in map(str, self._parts.ledger.match.counting):
                    raise BadText("table.undone_already")
                newest = self._acting.last_choice
                if newest is not None and newest > int(entry):
                    raise BadText("table.moved_meanwhile")
                return "undo"
        return do

    def _pause(self, begins: bool, who: str) -> None:
        """A pause begins, or ends. Raises `BadText` where it does already, or the game is over."""
        clocks = self._parts.clocks
        if clocks.paused == begins or self._parts.ledger.position.scores is not None:
            raise BadText("table.in_pause" if clocks.paused else "table.no_pause")
        clocks.paused = clocks.unsaved = begins
        self._parts.outbox.tell(message("table.paused" if begins else "table.goes_on", who=who))
