"""Following: what sensors say of tiles and balls while they move, told as it becomes certain.

It is told by one reading, the tracker's. When a sensor turns out to misbehave, all that was told
since it was beyond doubt is told anew without it.
"""

from hexboard.board import CellId
from hexboard.games.hextraction.rules.actions import Accident, Action, Rail, Roll
from hexboard.games.hextraction.table import questions
from hexboard.games.hextraction.table.believed import Believed
from hexboard.games.hextraction.table.playing import Playing
from hexboard.games.hextraction.table.unsettled import STRAINED, explains
from hexboard.perception.debounce import Change
from hexboard.perception.health import PULSED, SensorVerdict
from hexboard.table.effects import Corrected
from hexboard.table.parts import Parts
from hexboard.words import Message, message

LEVELS = ("seat", "rail")


class Following:
    """Follows tiles and balls at one table by what its sensors say."""

    def __init__(self, parts: Parts[Action], believed: Believed, playing: Playing) -> None:
        self._parts, self._believed, self._playing = parts, believed, playing

    def first_level(self, sensor: str, level: bool) -> None:
        """A source's first word on a sensor."""
        kind, place = sensor.split(":", 1)
        loads = self._believed.tracker.loads
        if kind in LEVELS:
            if kind == "rail" or level != (place in self._believed.slots.there):
                self._level(kind, place, level)  # else it lies as before
        elif kind == "load" and place in loads and loads[place][0] and not level:
            self.believe(Change(sensor, level, self._parts.now))  # it left while nobody listened

    def believe(self, change: Change) -> None:
        """Power, a seated tile, or the sign of a ball."""
        believed = self._believed
        if believed.goes_on(change):
            believed.clock.start(change.at)
            return
        if change.level and change.sensor.startswith("load:"):
            self._mind_todo()
        believed.unsettled.items.append(change)
        self._take(change)
        if believed.rolling and believed.tracker.strain > believed.unsettled.bearable:
            self._doubt()
        if believed.rolling and believed.unsettled.too_many:
            self._endless()
        elif believed.rolling and not change.level:  # what speaks lights something first
            believed.unsettled.weigh_on(believed.slots.there, change.at)

    def _endless(self) -> None:
        """A ball may go round for minutes, or a sensor make it up: people need not wait for the end
        of that."""
        if not self._parts.question.asking:
            self._parts.ask(*questions.too_many(len(self._believed.unsettled.items)))

    def judge(self, verdict: SensorVerdict) -> None:
        """The roll is read anew without what a misbehaving sensor said."""
        why = self._parts.misbehaves(verdict)
        kind, place = verdict.sensor.split(":", 1)
        if not verdict.state and kind in LEVELS:  # it may have changed while nobody listened
            self._level(kind, place, self._parts.senses.debouncer.level(verdict.sensor))
        unsettled = self._believed.unsettled
        readable = self._believed.rolling and not unsettled.too_many
        if verdict.state and readable and verdict.sensor in unsettled.spoke():
            self._reread(why)
        if self._believed.rolling:  # without it, or with it again
            unsettled.weigh_on(self._believed.slots.there, self._parts.now)

    def _take(self, change: Change) -> None:
        kind, place = change.sensor.split(":", 1)
        if kind in LEVELS:
            self._level(kind, place, change.level)
        else:
            self._track(change)

    def _level(self, kind: str, place: str, level: bool) -> None:
        """What a sensor says that sees a level, not a ball: power, or a seated tile."""
        if kind == "seat":
            self._seat(place, level)
        elif level != self._believed.position.rail:
            self._playing.play(Rail(level))

    def _seat(self, slot: CellId, seated: bool) -> None:
        """A tile bottomed out in a slot, or came out of it."""
        slots, position, asking = (
            self._believed.slots,
            self._believed.position,
            self._parts.question.asking,
        )
        self._parts.outbox.change()
        if seated:
            slots.seat(slot)
            self._believed.layouts.lifted(slot)
            if asking and asking.choices[-1].name == f"lifted {slot}":
                self._parts.close()
            return
        slots.there.pop(slot, None)  # in a roll, people are asked at its end (K32)
        if self._believed.fallen and not self._believed.rolling:
            self._believed.clock.start(self._parts.now)
        always = position.setting.fallen_tiles == "always" and position.phase == "idle"
        if always and slot in position.tiles and asking is None:
            self._parts.ask(*questions.fallen(slot))

    def _track(self, change: Change) -> None:
        """Let the tracker say what a change means, and play it."""
        believed, tracker, clock = self._believed, self._believed.tracker, self._believed.clock
        kind = change.sensor.partition(":")[0]
        if self._finger(change):
            return
        if believed.unheard and kind != "load":
            clock.start(change.at)  # what rolls is weighed when it is over
            return
        if tracker.let_go(change):
            if believed.last is not None and not believed.last.released:
                believed.last = None
            clock.start(change.at)
        next_ball = believed.position.next_ball
        for action in tracker.change(change, believed.slots.doors, next_ball):
            question = self._parts.question
            open_still = question.asking and not question.about("table.storm")
            if open_still and (believed.rolling or self._playing.laying):
                self._parts.close()
            self._happens(action, next_ball)
            clock.start(change.at)
        released = change.sensor.startswith("load:") and not change.level
        if believed.slipped:  # a ball left its loading place: it is about to roll, or did unseen
            clock.start(change.at)
        if released or change.sensor.startswith(PULSED):
            clock.put_off(change.at)

    def _finger(self, change: Change) -> bool:
        """Whether a gate speaks while no roll is due, and nobody laid a ball in its lane."""
        kind, lane = change.sensor.split(":", 1)
        believed, senses = self._believed, self._parts.senses
        if kind != "gate" or not change.level or believed.rolling or believed.tracker.moving:
            return False  # a gate that lets go tells that a ball which lay there was taken out
        laid = lane in believed.tracker.loads or not senses.heeded(f"load:{lane}")
        return not (laid or self._due(Roll(lane)))

    def _due(self, roll: Roll) -> bool:
        """Whether it may be rolled now."""
        return not self._believed.slots.todo and self._believed.position.refusal(roll) is None

    def _happens(self, action: Action, next_ball: int) -> None:
        """Play what the tracker says; a ball that nobody may roll now is an accident."""
        if isinstance(action, Roll) and not self._due(action):
            action = Accident(action.ramp)
        self._playing.play(action)
        if isinstance(action, Accident):
            self._mind_todo()
        match action:
            case Roll() | Accident():
                self._believed.tracker.rename(next_ball, self._believed.position.balls[-1].id)

    def _mind_todo(self) -> None:
        """Between rolls a ball is laid, or let go: say what is to be done by hand before."""
        if not self._believed.rolling and (todo := self._believed.slots.todo):
            self._parts.outbox.tell(message("table.todo_before", todo=todo[0].message))

    # ------------------------------------------------------------------------------ told anew

    def stops(self, since: int) -> None:
        """Nothing that sensors said since then counts."""
        items = self._believed.unsettled.items
        before = [it for it in items if not isinstance(it, Change) or it.at < since]
        if len(before) < len(items):
            self._forget(message("table.stormy"))
            self._believed.again()
            self.tell_anew(before)

    def _reread(self, why: Message) -> None:
        """Replace everything provisional by what the trusted sensors say."""
        self._forget(why)
        self.tell_anew(self._believed.again())

    def _forget(self, why: Message) -> None:
        self._parts.outbox.put(Corrected(why))
        self._believed.forget()
        self._parts.question.close()

    def tell_anew(self, items: list[Change | Action]) -> None:
        """Tell what came since all was beyond doubt."""
        believed = self._believed
        for item in items:
            if not isinstance(item, Change):
                believed.unsettled.items.append(item)
                if believed.position.refusal(item) is None:
                    self._playing.answer(item)
            elif item.sensor not in self._parts.senses.health.out:
                believed.unsettled.items.append(item)
                self._take(item)
        believed.clock.stop()
        if believed.rolling or believed.unheard:
            believed.clock.start(self._parts.now)

    def _doubt(self) -> None:
        """The roll makes little sense: leave out the sensor without which it makes most."""
        believed = self._believed
        if believed.unsettled.too_many or believed.unsettled.hearing.gaps:
            return
        unsettled, strain = believed.unsettled, believed.tracker.strain
        sensor = unsettled.suspect(strain, believed.slots.doors)
        if sensor is None:
            return
        if explains(unsettled, sensor, believed.slots.there, self._parts.now):
            unsettled.bearable = strain + STRAINED
        else:
            self.judge(self._parts.senses.health.doubt(sensor))
