"""The camera's word at a table of tiles and balls: it settles what the sensors leave open.

`sight` says what a reading shows; here is what is done about it: a question is answered, a tile
that is new is played, and people are asked once about balls that lie otherwise than is known.
"""

from typing import Protocol

from hexboard.board import CellId
from hexboard.facts import CellCosts
from hexboard.games.hextraction.rules.actions import Action, Play
from hexboard.games.hextraction.rules.position import Hextraction, Placed
from hexboard.games.hextraction.table import questions, sight
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.tracking.outcome import Judged
from hexboard.perception.inference import Look
from hexboard.table.parts import Parts
from hexboard.words import message
from hexboard.words.errors import BadText


class BallConduct(Protocol):
    """What is done at a table when its camera has seen something."""

    @property
    def likely(self) -> list[Judged]:
        """The readings of the open question."""

    def answer(self, name: str) -> None:
        """Answer the open question."""

    def made(self, name: str) -> None:
        """Play an action that people have made with their hands."""


class Camera:
    """What a camera sees at one table."""

    def __init__(self, parts: Parts[Action], believed: Believed, table: BallConduct) -> None:
        self._parts, self._board = parts, parts.board
        self._believed, self._table = believed, table
        self.watched = False
        """A camera has seen the board."""
        self._balls: tuple[str, ...] | None = None  # where it saw balls, since any moved
        self._odd = sight.NOTHING  # what people were asked of them
        # where they should be seen, in which position
        self._known: tuple[Hextraction, tuple[str, ...]] | None = None

    @property
    def known(self) -> tuple[str, ...]:
        """Where it should see balls that lie still."""
        position = self._believed.position
        if self._known is None or self._known[0] is not position:
            self._known = position, sight.known(self._board, position)
        return self._known[1]

    def moved(self) -> None:
        """A ball or a tile moved: what was seen of balls says nothing any more."""
        self._balls = None
        if self._asks_odd:
            self._parts.close()
            self._odd = sight.NOTHING

    def anew(self) -> None:
        """After the people's word: they may be asked again."""
        self._odd = sight.NOTHING

    def read(self, look: Look, balls: tuple[str, ...] | None) -> None:
        """What it sees of a board at rest, beside the sensors."""
        parts, ours = self._parts, len(self._board.cells)
        if look and len(look) != ours:
            parts.outbox.tell(message("table.camera_board", cells=len(look), ours=ours))
            return
        self._balls = balls
        self.watched = True
        if parts.question.asking and not self._asks_odd:
            self.look_up()
        elif look and self._may_change and self._believed.quiet and parts.journal_up:
            self._tiles_seen(look)
            if balls is not None and not (self._believed.slots.todo or parts.ledger.confirm):
                self._balls_seen(balls)

    @property
    def _asks_odd(self) -> bool:
        """People are being asked about balls that lie otherwise than is known."""
        return self._parts.question.about(*questions.ODD)

    @property
    def _may_change(self) -> bool:
        """Tiles may be put in or taken out now."""
        position = self._believed.position
        return position.stable or bool(position.freed)

    def _balls_seen(self, places: tuple[str, ...]) -> None:
        """A ball where none is known, or none where one is: people are asked, once."""
        parts, board, position = self._parts, self._board, self._believed.position
        known = sight.lying(board, sight.known(board, position))
        odd = sight.odd(board, sight.lying(board, places), known)
        if odd == self._odd or position.phase != "idle":
            return
        self._odd = odd
        if self._asks_odd:
            parts.close()
            if odd == sight.NOTHING:
                parts.outbox.tell(message("table.camera_again"))
        if odd != sight.NOTHING:
            parts.ask(*questions.odd(position, *odd))

    def _tiles_seen(self, look: Look) -> None:
        """A tile that is new in its slot is played, if the rules allow it. Several new ones lay
        there before, for nobody lays two at once (2.0.3): none is played. Whatever else does not
        lie as was believed is to be put right."""
        believed, position, parts = self._believed, self._believed.position, self._parts
        new: list[Play] = []
        for cell, seen in zip(self._board.cells, look, strict=True):
            for placed in self._otherwise(cell.id, seen):
                parts.outbox.change()
                if believed.slots.see(cell.id, placed) and placed is not None:
                    new.append(Play(placed.tile, cell.id, placed.rotation))
        if len(new) != 1:
            return
        if refusal := position.refusal(new[0]):
            parts.outbox.tell(refusal)
        else:
            self._table.made(position.name(new[0]))

    def _otherwise(self, slot: CellId, seen: CellCosts) -> tuple[Placed | None, ...]:
        """What certainly lies in a slot, or None for nothing, where that is not what is believed.
        What a seat sensor says stands."""
        position = self._believed.position
        there, want = self._believed.slots.there.get(slot), position.tiles.get(slot)
        found = sight.tile(seen, tuple(position.setting.tiles), (there, want))
        if len(found) != 1 or found[0] == there:
            return ()
        switch, senses = f"seat:{slot}", self._parts.senses
        if senses.heeded(switch) and senses.high(switch) != (found[0] is not None):
            return ()
        return tuple(found)

    def look_up(self) -> None:
        """Answer the open question by what was seen, where only one answer agrees with it."""
        asking = self._parts.question.asking
        if asking is None or self._balls is None:
            return
        agree = {choice.name: self._agrees(choice.name) for choice in asking.choices}
        names = [name for name, (exactly, _) in agree.items() if exactly]
        names = names or [name for name, (_, nearly) in agree.items() if nearly]
        if len(names) == 1:
            seen = ", ".join(self._balls) or "-"
            self._parts.outbox.tell(message("table.camera_settles", seen=seen))
            self._table.answer(names[0])

    def _agrees(self, choice: str) -> tuple[bool, bool]:
        """Whether balls lie as they would if an answer were true; or near there."""
        board, position = self._board, self._believed.position
        seen = sight.lying(board, self._balls or ())
        if choice.startswith("reading "):
            number = int(choice.removeprefix("reading "))
            return sight.comes_to(board, seen, self._table.likely[number - 1].ruling)
        try:
            return sight.agrees(board, seen, position, position.action(choice))
        except BadText:  # void, stays
            return False, False
