"""The table of games with counters and cards: people move them, and say or show what they moved.

Without a camera nothing sees a piece: what people say is believed (`moving`). A camera's readings
of the board at rest say the same without words (`camera`), and so do fingers on it (`touches`).
"""

from collections.abc import Iterable

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.facts import Sample
from hexboard.game.position import Action
from hexboard.perception.debounce import Change
from hexboard.perception.health import SensorVerdict
from hexboard.perception.inference import Look
from hexboard.scene import Mark, Meaning, Scene
from hexboard.table import offers
from hexboard.table.fingers import Fingers
from hexboard.table.moving import Moving
from hexboard.table.parts import Parts
from hexboard.table.sensing import Sensing
from hexboard.table.view import PiecesView, TableView, Todo
from hexboard.words import Message, message
from hexboard.words.errors import BadText, HexboardError


class Pieces(Sensing[Action]):
    """What is known of a game that can be seen (`seen`): one code a cell, in the board's order."""

    def __init__(self, parts: Parts[Action]) -> None:
        self._moving = moving = Moving(parts)
        super().__init__(parts, moving)
        self.camera, self._touches = moving.camera, moving.touches
        self._fingers = Fingers(parts.board, parts.senses, parts.filters_fingers)
        if parts.filters_fingers and any(moving.position.seen()):
            parts.ledger.confirm = True  # hands still lay the pieces out

    # ------------------------------------------------------------------------------ what comes

    def believe(self, change: Change) -> None:
        """A finger on a cell's pad, once it is lifted again."""
        felt = self._fingers.felt(change)
        past = self._parts.filters_fingers and change.at < self._moving.played_at
        match "late" if past and felt.kind == "tapped" else felt.kind:
            case "tapped":
                self._parts.guarded("tap", lambda: self._tapped(felt.cells[0]))
            case "long":
                self._moving.put_down(felt.cells[0])
            case "late":
                self._tell_once(message("table.touch_late"))
            case "many":
                self._moving.blame(felt.cells)
                self._parts.outbox.tell(message("table.touch_many", cells=len(felt.cells)))
            case "endless":
                self._moving.forget()
                self.judge(self._parts.senses.health.doubt(change.sensor))

    def _tell_once(self, text: Message) -> None:
        """Tell what was not told just now."""
        if [line.message.key for line in self._parts.outbox.log.lines[-1:]] != [text.key]:
            self._parts.outbox.tell(text)

    def _tapped(self, cell: CellId) -> None:
        """A finger on a cell; what is refused is lit. Raises `HexboardError`."""
        if not self._parts.filters_fingers:
            self._finger(cell)
            return
        self._moving.blame(())
        try:
            self._parts.check_goes_on()
            self._finger(cell)
        except HexboardError:
            self._moving.blame(self._touches.refused or (cell,))
            raise

    def _finger(self, cell: CellId) -> None:
        """A finger on a cell. Raises `HexboardError`."""
        asking = self._parts.question.asking
        answered = self._parts.filters_fingers and asking and asking.of  # by whoever plays on
        if asking and not answered:
            raise BadText("table.question_open")
        if self._parts.ledger.confirm:
            raise BadText("table.look_first")
        if self.todo:
            self._moving.put_back(cell)
        else:
            self._moving.tap(cell)

    def first_level(self, sensor: str, level: bool) -> None:
        self._fingers.drop(sensor)

    def judge(self, verdict: SensorVerdict) -> None:
        super().judge(verdict)
        self._fingers.drop(verdict.sensor)

    def read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        self.camera.read(look, at)

    def sampled(self, samples: tuple[Sample, ...]) -> None:
        self.camera.samples = samples

    def touch(self, cells: tuple[CellId, ...]) -> None:
        for cell in cells:
            if cell not in self._parts.board.cell:
                raise BadText("table.touch_cell", cell=cell[:40])
        self._moving.touch(cells)

    def source_returned(self, source: str, at: int, kept: bool) -> None:
        if source == "journal":  # what is played is kept again
            self.camera.again(self._parts.now)
        elif self._parts.filters_fingers:
            self._fingers.hears(source, at)
            self._parts.senses.health.moved(at)

    @property
    def timers(self) -> Iterable[tuple[int, str]]:
        dues = {
            "touch": self._touches.forget_at,
            "fresh": self._moving.fresh_until,
            "camera": self.camera.wrong_at,
        }
        return [(due, name) for name, due in dues.items() if due is not None]

    def due(self, name: str) -> None:
        match name:
            case "touch" if self._parts.filters_fingers:
                self._touches.lapse()
                self._parts.outbox.change()
            case "touch":
                self._moving.forget()
            case "fresh":
                self._moving.fresh_until = None
                self._parts.outbox.change()
            case "camera":
                self.camera.scold()

    # ------------------------------------------------------------------------------ what is so

    @property
    def settled(self) -> bool:
        """What people chose stands at once, in the middle of a card too: somebody may have seen a
        card by then. What was declared from afar stands once it is done."""
        ledger = self._parts.ledger
        return not self._moving.undone and (ledger.position.stable or not ledger.whole)

    @property
    def todo(self) -> tuple[Todo, ...]:
        return self.camera.todo

    def shown(self, view: TableView[Action]) -> TableView[Action]:
        camera = self.camera
        pieces = PiecesView(self._touches.cells, camera.wrong, camera.against, camera.tints.now)
        return replace(view, watched=camera.looks.watched, pieces=pieces)

    def lit(self, scene: Scene) -> Scene:
        """While cells are touched, what may come next is lit instead of all that may begin."""
        if self._moving.fresh_until is None:
            scene = tuple(mark for mark in scene if mark.meaning is not Meaning.FRESH)
        return self._touches.lit(scene, self._moving.public)

    def marks(self) -> list[Mark]:
        """What is asked, what was refused, what is to be done: of a wrong board all of its cells,
        and among them those of the next step."""
        camera, moving = self.camera, self._moving
        marks = [Mark(cell, Meaning.REFUSED) for cell in (*self._touches.refused, *camera.wrong)]
        todo = moving.physical.differing(camera.want)
        if camera.wrong:
            todo = next((step.cells for step in camera.steps), ())
        tapped = moving.tapped
        marks += [Mark(it, Meaning.PICKED if it in tapped else Meaning.TODO) for it in todo]
        asked = offers.offered(self._parts.question.asking)
        return [*marks, *offers.marks(self._parts.board, moving.position.seen(), asked)]
