"""People: what they say on pages and with buttons, refused in words where it cannot be."""

from typing import Generic, TypeVar

from hexboard.facts import Decide, Declare, Ruling
from hexboard.game.position import CHANCE
from hexboard.table.acting import Acting
from hexboard.table.parts import Parts
from hexboard.words import message
from hexboard.words.errors import BadText

A = TypeVar("A")


class People(Generic[A]):
    """The people at a table, as far as they are heard."""

    def __init__(self, parts: Parts[A], acting: Acting[A]) -> None:
        self._parts, self._acting = parts, acting

    def say(self, source: str, said: Declare | Decide | Ruling) -> None:
        """What somebody says on a page, a terminal, or for the dealer."""
        match said:
            case Declare(seat, name):
                self._parts.guarded(source, lambda: self._declare(source, seat, name))
            case Decide(question, name):
                self._parts.guarded(source, lambda: self._acting.decide(question, name))
            case Ruling(do, who, why):
                self._parts.guarded(source, lambda: self._rule(do, who, why))

    def press(self, button: str) -> None:
        """A button on the board: it says what a page could say (`board.BUTTONS`)."""
        if button == "end":
            self._parts.guarded("button", lambda: self._acting.declare(-1, "end"))
        elif button in ("undo", "right", "done"):
            self._parts.guarded("button", lambda: self._rule(button, "button", ""))

    def _declare(self, source: str, seat: int, name: str) -> None:
        """A declaration; hidden cards come from nobody but the dealer."""
        ledger = self._parts.ledger
        hides = ledger.game.hides(ledger.position)
        if hides is not None and hides.deck and source != "dealer":
            action = ledger.position.action(name)
            if ledger.position.actor(action) == CHANCE:
                raise BadText("table.dealer_only")
        self._acting.declare(seat, name)

    def _rule(self, do: str, who: str, why: str) -> None:
        """A host's word: the table's own kind of it, or one that every table understands."""
        acting, ledger = self._acting, self._parts.ledger
        if acting.rule(do, who, why):
            return
        match do.split(" "):
            case ["undo"]:
                acting.take_back(acting.last_choice)
            case ["right"] | ["play", "on"]:
                acting.right()
                key = "table.right" if do == "right" else "table.play_on"
                self._parts.outbox.tell(message(key, who=who))
            case ["position", *words]:
                after = ledger.parse(" ".join(words))
                if not ledger.game.whole(after):
                    raise BadText("table.ruled_view")
                acting.replace(after, who, why)
                acting.right()
            case _:
                raise BadText("table.no_ruling", ruling=do[:60])
