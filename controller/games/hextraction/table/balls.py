"""The table of rolling balls: sensors say where they pass, the tracker follows them.

A ball's day in here: the debouncer lets an edge through, the tracker moves the ball from B2 to C2
(`following`), the match plays that happening (`playing`), the position says what the lights should
mean. When all is still, it is judged what the roll was (`ending`); people have the last word
(`answers`). What is believed all the while is `believed`.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from hexboard.games.hextraction.rules.actions import Action, Settle
from hexboard.games.hextraction.table.answers import Answers
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.ending import Ending
from hexboard.games.hextraction.table.following import Following
from hexboard.games.hextraction.table.hearing import Hearing
from hexboard.games.hextraction.table.playing import Playing
from hexboard.games.hextraction.table.slots import UNKNOWN
from hexboard.games.hextraction.table.stormy import Stormy
from hexboard.games.hextraction.table.view import BallsView
from hexboard.perception.debounce import Change
from hexboard.perception.health import SensorVerdict
from hexboard.perception.inference import Look
from hexboard.scene import Mark, Meaning
from hexboard.table.parts import Parts
from hexboard.table.sensing import Sensing
from hexboard.table.view import BallTrack, TableView, Todo


class Balls(Sensing[Action]):
    """What is known of tiles in slots, and of balls that roll through them."""

    def __init__(self, parts: Parts[Action]) -> None:
        self.believed = believed = Believed(parts)
        self._playing = Playing(parts, believed)
        self._following = Following(parts, believed, self._playing)
        self.ending = Ending(parts, believed, self._playing, self._following)
        self._stormy = Stormy(parts, believed, self._following, self.ending)
        answers = Answers(parts, believed, self._playing, self.ending)
        super().__init__(parts, answers)
        self._camera, self._late = answers.camera, answers.late

    # ------------------------------------------------------------------------------ what comes

    def believe(self, change: Change) -> None:
        self._camera.moved()
        self._stormy.hears(change)
        if self._late.hears(change):
            return
        self.ending.begins(change)
        self._following.believe(change)

    def first_level(self, sensor: str, level: bool) -> None:
        self._following.first_level(sensor, level)

    def judge(self, verdict: SensorVerdict) -> None:
        self._following.judge(verdict)

    @property
    def _hearings(self) -> list[Hearing]:
        """Whatever is to know when not all is heard."""
        between = [] if self.believed.rolling else [self.believed.between]
        return [*(unsettled.hearing for unsettled in self.believed.open), *between]

    def facts_lost(self, source: str, until: int, count: int | None) -> None:
        for hearing in self._hearings:
            hearing.facts_lost(source, until, count)
        self.ending.hears(source)

    def missed_changes(self, source: str, changed: int) -> None:
        for hearing in self._hearings:
            hearing.missed_changes(source, changed)

    def source_left(self, source: str) -> None:
        self.believed.fade(self._parts.now)
        for hearing in self._hearings:
            hearing.source_left(source)

    def storms(self, since: int) -> None:
        self._stormy.begins(since)

    def calms(self) -> None:
        self._stormy.ends()

    def source_returned(self, source: str, at: int, kept: bool) -> None:
        if self._parts.senses.storms.on:
            return  # it is heard again once that is over
        for hearing in self._hearings:
            hearing.source_returned(source, at, kept)
        self.ending.hears(source)

    def held(self, sensor: str) -> bool:
        return self.believed.tracker.explains(sensor)

    def read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        self._camera.read(look, balls)

    @property
    def timers(self) -> Iterable[tuple[int, str]]:
        behind = self.believed.unsettled.behind
        return [*self.believed.clock.timers, *([] if behind is None else [(behind, "weigh")])]

    def due(self, name: str) -> None:
        if name == "settle":
            self.ending.settle()
        elif name == "weigh":
            self.believed.unsettled.weigh_on(self.believed.slots.there, self._parts.now)
        else:
            self.believed.clock.reopen()
            self._playing.play(Settle())

    # ------------------------------------------------------------------------------ what is so

    @property
    def settled(self) -> bool:
        return self.believed.settled

    @property
    def noted(self) -> str:
        return self.believed.layouts.noted

    @property
    def quiet(self) -> bool:
        return self.believed.quiet

    @property
    def todo(self) -> tuple[Todo, ...]:
        return self.believed.slots.todo

    @property
    def at_rest(self) -> tuple[str, ...] | None:
        """Where a camera should see balls; None while some may roll."""
        if self.believed.rolling or self.believed.clock.runs:
            return None
        return self._camera.known

    def shown(self, view: TableView[Action]) -> TableView[Action]:
        own = BallsView(frozenset(self.believed.unfelt))
        watched, at_rest = self._camera.watched, self.at_rest
        tracks = tuple(
            BallTrack(track.id, track.place, track.moving)
            for track in self.believed.tracker.balls.values()
        )
        ending = self.ending
        return replace(
            view,
            watched=watched,
            at_rest=at_rest,
            own=own,
            tracks=tracks,
            weighings=ending.weighings,
            weighed=ending.weighed,
        )

    def marks(self) -> list[Mark]:
        """Where balls pass, which tiles are to be put right, and about which balls it is asked."""
        passing = [track.slot for track in self.believed.moving if track.slot]
        marks = [Mark(slot, Meaning.PASSING) for slot in passing]
        for todo in self.todo:
            out = todo.put is None and self.believed.slots.there[todo.cell] != UNKNOWN
            marks.append(Mark(todo.cell, Meaning.DESTROYED if out else Meaning.TODO))
        if slot := self.ending.doubted:
            marks.append(Mark(slot, Meaning.ASK))
        elif self._parts.question.asking:
            marks += [Mark(slot, Meaning.ASK) for slot in passing]
        return marks

    def state(self) -> Mapping[str, object]:
        there, tracks = self.believed.slots.there, self.believed.tracker.balls.values()
        return {
            "physical": {slot: f"{p.tile}:{p.rotation}" for slot, p in sorted(there.items())},
            "balls": {str(t.id): [t.slot, t.seam, t.zone, t.moving] for t in tracks},
        }
