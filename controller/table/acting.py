"""Acting: what is done at a table, and what follows from it there.

What people say comes here once it is heard (`people`), and what a game's own sensors and cameras
make of the board. By default an action is played, and nothing else follows.
"""

from typing import Generic, TypeVar

from hexboard.facts import WHOEVER
from hexboard.game.position import Position
from hexboard.table.ledger import UNDONE
from hexboard.table.parts import Parts
from hexboard.words import Message

A = TypeVar("A")


class Acting(Generic[A]):
    """What is done with the `parts` of one table. A kind of table overrides what it does
    otherwise."""

    def __init__(self, parts: Parts[A]) -> None:
        self._parts = parts

    def play(self, action: A) -> None:
        """Play an action that the rules allow or that simply happened."""
        self._parts.ledger.play(action)

    def declare(self, seat: int, name: str) -> None:
        """Play what a seat declares; -1 is whoever has to move. Raises `BadText`,
        `IllegalAction`."""
        self.play(self._parts.ledger.declared(seat, name))

    def end(self) -> None:
        """The button that ends a turn was pressed. Raises as `declare` does."""
        self.declare(WHOEVER, "end")

    def from_afar(self, seat: int, name: str) -> None:
        """Play what a seat declares that is not at the board. Raises `BadText`, `IllegalAction`."""
        self.declare(seat, name)

    def decide(self, question: int, name: str) -> None:
        """Do what people answer. Raises `BadText`."""
        self._parts.answer(question, name)

    def rule(self, do: str, who: str, why: str) -> bool:
        """Do what a host says (see `facts.Ruling`), beside what every table understands; whether it
        was that. Raises `HexboardError`."""
        return False

    def position_in(self, do: str) -> Position[A] | None:
        """The position that such a word would set, for which leave may be needed; None for any
        other. Raises `BadText`."""
        return None

    def is_undo(self, do: str) -> bool:
        """Whether a host's word takes back what people did last. Raises `BadText`."""
        return do == "undo"

    @property
    def last_choice(self) -> int | None:
        """The entry of what people did last; None at the start."""
        return self._parts.ledger.match.last_choice()

    def take_back(self, to: int | None, why: Message = UNDONE) -> None:
        """Take back every entry from index `to` on. Raises `BadText` where there is none."""
        self._parts.ledger.back(to, why)
        self.restart()

    def kept(self) -> None:
        """What somebody wanted to take back stays: where a hand has done so already, it is to be
        done again."""

    def replace(self, position: Position[A], who: str, why: str) -> None:
        """A host's word replaces the position. Raises `BadText`."""
        self._parts.ledger.replace(position, who, why)
        self.restart()

    def restart(self) -> None:
        """After the people's word: what was asked is void."""
        self._parts.close()

    def right(self) -> None:
        """The board shows the position, people say."""
        self._parts.ledger.confirm = False
        self._parts.outbox.change()

    def conclude(self) -> None:
        """Everything that a fact changed is done."""
