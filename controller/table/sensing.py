"""Sensing: what a table knows of its board, and how; by default it is told everything.

A kind of table overrides what its sensors, cameras and fingers tell beside what people say. What is
done about that is `acting`. Times are board ns.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from hexboard.board import CellId
from hexboard.facts import Sample
from hexboard.perception.debounce import Change
from hexboard.perception.health import SensorVerdict
from hexboard.perception.inference import Look
from hexboard.scene import Mark, Meaning, Scene
from hexboard.table.acting import Acting
from hexboard.table.parts import Parts
from hexboard.table.view import TableView, Todo

A = TypeVar("A")


class Sensing(Generic[A]):
    """What is known of one table's board."""

    def __init__(self, parts: Parts[A], acting: Acting[A]) -> None:
        self._parts = parts
        self.acting = acting
        """What is done there."""

    # ------------------------------------------------------------------------------ what comes

    def believe(self, change: Change) -> None:
        """A healthy sensor, and no button, changed."""

    def first_level(self, sensor: str, level: bool) -> None:
        """A source's first word on a sensor."""

    def judge(self, verdict: SensorVerdict) -> None:
        """A sensor misbehaves, or behaves again."""
        self._parts.misbehaves(verdict)

    def storms(self, since: int) -> None:
        """All sensors together make no sense since then; until they calm nothing of theirs is
        believed."""

    def calms(self) -> None:
        """The sensors are quiet again, and how each stands was found."""

    def held(self, sensor: str) -> bool:
        """Whether something is where it may hold this sensor high for long."""
        return False

    def read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        """What a camera sees; no cells while a hand is over the board."""

    def sampled(self, samples: tuple[Sample, ...]) -> None:
        """What a camera says of colours, of the look that comes next."""

    def touch(self, cells: tuple[CellId, ...]) -> None:
        """Cells that a person touches on a page. Raises `HexboardError`."""

    def facts_lost(self, source: str, until: int, count: int | None) -> None:
        """So many facts of a source were lost, None where nobody knows how many: what it had to
        tell up to then was not all heard."""

    def missed_changes(self, source: str, changed: int) -> None:
        """So many levels of a source are others than it told."""

    def source_left(self, source: str) -> None:
        """A source went away: what it has to tell is not heard."""

    def source_returned(self, source: str, at: int, kept: bool) -> None:
        """A source is there, for the first time or again; `kept`: it tells now what it felt."""

    @property
    def timers(self) -> Iterable[tuple[int, str]]:
        """When something is to be concluded, and what."""
        return ()

    def due(self, name: str) -> None:
        """One of the timers has come."""

    # ------------------------------------------------------------------------------ what is so

    @property
    def settled(self) -> bool:
        """What was played so far is final, and can be acknowledged."""
        return self._parts.ledger.position.stable

    @property
    def noted(self) -> str:
        """What is to be known again after a restart, beside the game."""
        return ""

    @property
    def quiet(self) -> bool:
        """Nothing is being concluded: whatever the table waits for now is a person or a ball."""
        return self._parts.senses.quiet

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order."""
        return ()

    def marks(self) -> list[Mark]:
        """What the to-do and open questions mean for cells."""
        return [Mark(todo.cell, Meaning.TODO) for todo in self.todo]

    def lit(self, scene: Scene) -> Scene:
        """The scene, as far as something else is to be lit now."""
        return scene

    def shown(self, view: TableView[A]) -> TableView[A]:
        """The view, with what is known beside it."""
        return view

    def state(self) -> Mapping[str, object]:
        """More of the public state, as canonical values."""
        return {}
