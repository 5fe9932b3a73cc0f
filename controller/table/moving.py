"""Moving: what people do with pieces, say so or are seen to do, and what follows on the board.

What a person declares is believed to be on the board; after a take-back or a ruling the way from
there to the position is the to-do, until people say that it is right. Where no camera sees that it
is done, fingers along that way say so too, and whoever moves on.
"""

from collections.abc import Iterator
from itertools import islice

from hexboard.board import CellId
from hexboard.facts import MS, WHOEVER
from hexboard.game.position import CHANCE, Action, Position, Touched, lists
from hexboard.perception.inference import Explanation
from hexboard.scene import Meaning
from hexboard.table.acting import Acting
from hexboard.table.camera import Camera
from hexboard.table.offers import Offer
from hexboard.table.parts import Parts
from hexboard.table.physical import Physical
from hexboard.table.restore import Step, WayBack
from hexboard.table.touches import Touches, remaining
from hexboard.table.view import NOTHING, Choice
from hexboard.words import message
from hexboard.words.errors import BadText, IllegalAction

FRESH_NS = 1_500 * MS
"""So long what was just played stands out."""
FEW_MOVES = 24
"""So many moves over the same cells are asked about; of more, the page lets people choose."""


class Moving(Acting[Action]):
    """What is done with pieces at one table."""

    def __init__(self, parts: Parts[Action]) -> None:
        super().__init__(parts)
        self.physical = Physical(parts.game, parts.board, self.position.seen())
        self.touches = Touches(parts.game, parts.board)
        self.camera = Camera(parts, self, self.physical)
        self.fresh_until: int | None = None
        """Until when what was just played stands out."""
        self._far = False  # who declares is not at the board
        self._undone = False  # what was declared so was not done yet
        self._way_back = WayBack()  # fingers along the to-do
        self.played_at = 0
        """When the newest move, or the taking back of one, was made, board ns."""
        self.taken_back = False
        """What people said last took something back."""

    # ------------------------------------------------------------------------------ what is so

    @property
    def position(self) -> Touched[Action]:
        return self._parts.game.touchable(self._parts.ledger.position)

    @property
    def undone(self) -> bool:
        """What somebody far away declared last is still to be done by a hand at the board."""
        return self._undone and bool(self.camera.todo)

    @property
    def tapped(self) -> frozenset[CellId]:
        """The cells of the to-do that fingers have said are right by now."""
        return self._way_back.past(self._plan)

    @property
    def _plan(self) -> tuple[Step, ...]:
        """The to-do as steps, also of things without a name."""
        loose = (Step((), todo.cell, "") for todo in self.camera.todo)
        return self.camera.steps or tuple(loose)

    @property
    def public(self) -> Touched[Action]:
        """The position as everybody may know it."""
        return self._publicly(self.position)

    def certain(self) -> Iterator[Touched[Action]]:
        """The public positions that people can go back to, the present one first."""
        return map(self._publicly, self._parts.ledger.match.certain)

    def _publicly(self, position: Position[Action]) -> Touched[Action]:
        return self._parts.game.touchable(self._parts.game.public(position))

    # ------------------------------------------------------------------------------ what people do

    def play(self, action: Action) -> None:
        """What people do lies on the board; what the dealer drew they must still do, where a camera
        would see that they have not."""
        before = self.position
        drawn = self._parts.game.deals(before) and before.actor(action) == CHANCE
        super().play(action)
        self.forget()
        self.played_at = self._parts.at
        self._undone, self.taken_back = self._far, False
        if not (self._far or (drawn and self.camera.looks.certain)):
            self.physical.follow(before.seen(), self.position.seen())
        self.camera.looks.unsaid()
        self.camera.anew()
        question = self._parts.question
        (question.past if drawn else question.close)()
        fresh = any(mark.meaning is Meaning.FRESH for mark in self.position.scene())
        self.fresh_until = self._parts.now + FRESH_NS if fresh else None

    def follow(self, line: Explanation[Action]) -> None:
        """Play all of a line. Raises `IllegalAction` where a hidden hand does not allow it; then
        nothing has changed."""
        position, actions = self.position, list[Action]()
        for name in line.actions:
            actions.append(position.action(name))
            position = position.play(actions[-1])
        if line.back:
            self.take_back(self._parts.ledger.match.last_choice(line.back))
        for action in actions:
            self.play(action)

    # ------------------------------------------------------------------------------ what they say

    def from_afar(self, seat: int, name: str) -> None:
        self._far = True
        try:
            self.declare(seat, name)
        finally:
            self._far = False
        if self.undone:
            self._parts.outbox.tell(message("table.afar"))

    def end(self) -> None:
        """Somebody's only move, where no cell stands for it: a pass, a die that is to be rolled.
        Raises `BadText` in a pause, as for a finger."""
        self._parts.check_goes_on()
        position = self.position
        moves = list(islice(position.legal, 2))
        only = len(moves) == 1 and not position.places(moves[0])
        if only and position.actor(moves[0]) != CHANCE:
            self.declare(WHOEVER, position.name(moves[0]))
        else:
            super().end()

    def declare(self, seat: int, name: str) -> None:
        self.forget()
        if self.undone:
            raise BadText("table.afar_first")
        try:
            self._looked(seat, name)
            super().declare(seat, name)
        except IllegalAction:
            position = self.position
            if not self._parts.ledger.private:  # a card that is not held lights nothing
                self.touches.refused = self._parts.game.blamed(position, position.action(name))
                self._parts.outbox.change()
            raise
        self.camera.again(self._parts.now)

    def _looked(self, seat: int, name: str) -> None:
        """Who moves on a board that is to be looked over has done so, and where no camera sees it
        has put right what was to do. Raises `BadText` where something there is still to be put
        right; `IllegalAction`."""
        ledger, position, todo = self._parts.ledger, self.position, self.camera.todo
        blind = bool(todo) and not (self._far or self.camera.looks.watched)
        if not (ledger.confirm or blind):
            return
        action = ledger.declared(seat, name)
        if lists(position, action) and position.actor(action) != CHANCE:
            if not ledger.confirm:
                self.right()
            elif todo:
                raise BadText("table.look_first")
            else:
                super().right()

    def decide(self, question: int, name: str) -> None:
        choice = self._parts.question.chosen(question, name)
        if isinstance(choice, Offer):
            self.camera.answered(choice.line)
        elif name != NOTHING:
            self.declare(-1, name)
        self.forget()
        self._parts.close()

    def rule(self, do: str, who: str, why: str) -> bool:
        self.forget()
        if do != "done":
            return False
        self.camera.finish(self._parts.now)
        return True

    def kept(self) -> None:
        self.camera.kept()

    def right(self) -> None:
        self._undone = self.taken_back = False
        self.camera.said()
        self._parts.question.past()
        super().right()

    def restart(self) -> None:
        self._undone, self.taken_back, self._way_back = False, True, WayBack()
        super().restart()
        self.forget()
        self.played_at = self._parts.at
        if self.camera.tints.back(self._parts.ledger.match.length):
            self._parts.outbox.change()
        self.camera.looks.unsaid()
        self.camera.anew()

    # ------------------------------------------------------------------------------ what they touch

    def forget(self) -> None:
        """Something was said: what was touched and refused before is past."""
        if self.touches.forget():
            self._parts.outbox.change()

    def touch(self, cells: tuple[CellId, ...]) -> None:
        """What a page says is touched; the page declares the move itself."""
        if cells != self.touches.cells:
            self._parts.outbox.change()
        self.touches.put_down()
        if cells and self.touches.beginning(self.public, cells):
            self._hold(cells)

    def tap(self, cell: CellId) -> None:
        """One touch more on the board: a move once only one is meant. Raises `HexboardError`."""
        if self.put_down(cell):
            return
        before, lapsed, beginning = self.touches.cells, self.touches.lapsed, self.touches.beginning
        self.forget()
        tries = [(*before, cell), (cell,)]
        if lapsed:  # what was taken up there may still be in the hand
            tries.append((*lapsed, cell))
        cells = next((tried for tried in tries if beginning(self.public, tried)), ())
        if not cells:
            self._touch_none(before, cell)
            return
        going = beginning(self.public, cells)
        names = [name for name, places in going if not remaining(places, cells)]
        if len(going) == len(names) == 1:
            self.declare(-1, names[0])
            return
        self._hold(cells)
        if len(going) == len(names) <= FEW_MOVES and not self._parts.ledger.private:
            self._ask_which(names)  # all pages see a question

    def _touch_none(self, before: tuple[CellId, ...], cell: CellId) -> None:
        """No move goes on with a touch. Where those that begin so touch no second cell, it alone is
        wrong."""
        on = (remaining(at, before) for _, at in self.touches.beginning(self.public, before))
        alone = self._parts.filters_fingers and not any(on)
        tried = (cell,) if alone else (*before, cell)
        self.touches.refused = tried
        against = self.touches.against(self.public, tried)
        self._parts.outbox.tell(against)  # nobody knows who taps

    def put_down(self, cell: CellId) -> bool:
        """Whether what was taken up in a cell last is put down again there."""
        there, lapsed = self.touches.cells, self.touches.lapsed
        if (there or lapsed)[-1:] != (cell,):
            return False
        self.forget()
        if lapsed:
            self._parts.outbox.tell(message("table.touch_back", cell=cell))
        return True

    def blame(self, cells: tuple[CellId, ...]) -> None:
        """What was touched there is refused; nothing any more, without cells."""
        if cells != self.touches.refused:
            self.touches.refused = cells
            self._parts.outbox.change()

    def put_back(self, cell: CellId) -> None:
        """One touch on the board while something is to do: along the way there it says in the end
        that the board is right. Raises `BadText` where it leads elsewhere."""
        camera = self.camera
        asked = cell in self.physical.differing(camera.want)
        if self._undone:
            if not asked:
                raise BadText("table.afar_first")
            self.right()  # a finger says that it is done
        elif not (asked and camera.looks.watched):  # else a camera will see it done
            if not self._way_back.goes(self._plan, cell):
                raise BadText("table.todo_first")
            self._parts.outbox.change()
            if self._way_back.ended:
                self.right()

    def _hold(self, cells: tuple[CellId, ...]) -> None:
        self.touches.hold(cells, self._parts.now)
        self._parts.outbox.change()

    def _ask_which(self, names: list[str]) -> None:
        """Which of the moves over the same cells is meant."""
        choices = [Choice(name, message("table.touch_move", move=name)) for name in names]
        choices.append(Choice(NOTHING, message("table.camera_nothing")))
        self._parts.ask(message("table.touch_which"), tuple(choices))
