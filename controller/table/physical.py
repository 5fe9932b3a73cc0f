"""The physical board: what is believed to lie in its cells, and the way to what should."""

from hexboard.board import Board, CellId
from hexboard.game.game import AnyGame
from hexboard.game.position import Action, Position
from hexboard.table.restore import Step, restore_plan
from hexboard.table.view import Todo
from hexboard.words import message


class Physical:
    """What is believed to lie in the cells, one code of the game's `seen` a cell."""

    def __init__(self, game: AnyGame[Action], board: Board, lies: bytes) -> None:
        self._game = game
        self._cells = [cell.id for cell in board.cells]
        self.lies = lies
        self._steps: tuple[Step, ...] = ()
        self._planned = (lies, lies)  # from and to what the steps lead

    def follow(self, before: bytes, after: bytes) -> None:
        """People did what makes one board of another: where that is nothing, lies what lay."""
        cells = zip(before, after, self.lies, strict=True)
        self.lies = bytes(new if new != old else there for old, new, there in cells)

    def differing(self, want: bytes) -> tuple[CellId, ...]:
        """The cells where something else lies than should."""
        pairs = zip(self._cells, want, self.lies, strict=True)
        return tuple(cell for cell, code, there in pairs if code != there)

    def todo(self, position: Position[Action], want: bytes) -> tuple[Todo, ...]:
        """One movement of a hand each, in an order in which they can be done."""
        if self._game.handled is None:
            cells = self.differing(want)
            return tuple(Todo(cell, None, message("table.todo_cell", cell=cell)) for cell in cells)
        steps = self.steps(position, self.lies, want)
        return tuple(Todo(step.cells[0], None, step.message) for step in steps)

    def steps(self, position: Position[Action], lies: bytes, want: bytes) -> tuple[Step, ...]:
        """The way from what lies in the cells to what should; the last one is kept. Of things
        without a name there is none."""
        if self._planned != (lies, want):
            there, wanted = (
                {
                    cell: self._game.things(position, code)
                    for cell, code in zip(self._cells, codes, strict=True)
                }
                for codes in (lies, want)
            )
            self._planned, self._steps = (lies, want), restore_plan(there, wanted)
        return self._steps
