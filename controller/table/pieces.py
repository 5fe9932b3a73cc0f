"""The table of games with counters and cards: people move them, and say what they moved.

Without a camera nothing sees a piece. What a person declares is believed to be on the board; after
a take-back or a ruling the cells that look different are the to-do, until people say it is right.
"""

from controller.board import Board, CellId
from controller.errors import IllegalAction
from controller.facts import Resume, Start
from controller.scene import Mark, Meaning
from controller.table.core import Table, Todo
from controller.words import message


class Pieces(Table):
    """A table whose game can be seen (`seen`): one code a cell, in the board's order."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        super().__init__(board, begin)
        self.physical: bytes = self.position.seen()
        """What is believed to lie in the cells; where it differs from the position is the to-do."""

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

    def _marks(self) -> list[Mark]:
        return [*(Mark(place, Meaning.REFUSED) for place in self._refused), *super()._marks()]

    def _right(self) -> None:
        self.physical = self.position.seen()
        super()._right()
