"""The table of any game: facts in, effects out.

It hands each fact to the part that it is for, runs the deadlines of all parts in order, and says at
the end of a step what stands, what is lit and that there is something new to show. What people say
is `people`, what sensors say `senses`; how the board itself is known differs from game to game:
`pieces` is told by people and cameras; a game may bring a `Sensing` of its own.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from hexboard.board import Board
from hexboard.facts import (
    Decide,
    Declare,
    Edge,
    Fact,
    Lost,
    Named,
    Presence,
    Reading,
    Resume,
    Ruling,
    Scanned,
    Seal,
    Snapshot,
    Start,
    Tick,
    Touch,
    Unseal,
    Watermark,
    Witnessed,
)
from hexboard.game.game import AnyGame
from hexboard.game.position import CHANCE, Position
from hexboard.game.timing import asked
from hexboard.perception.debounce import Change
from hexboard.perception.health import SensorVerdict
from hexboard.scene import Mark, Meaning, Scene
from hexboard.table.effects import Effect, Refresh, Show
from hexboard.table.parts import Parts
from hexboard.table.people import People
from hexboard.table.senses import TIMED, Calm, Found, Sign, Storm
from hexboard.table.sensing import Sensing
from hexboard.table.view import Asking, TableView, Todo
from hexboard.words import message

A = TypeVar("A")
SAID = (Declare, Decide, Ruling, Reading)
"""Facts that play. With all others time is spent up to what is concluded, no further: an earlier
touch may still be heard."""


class Table(Generic[A]):
    """One game on one board. Make it with the `Start` or `Resume` fact's body, then `step`; `kind`
    makes the part that knows the board."""

    def __init__(
        self,
        game: AnyGame[A],
        board: Board,
        begin: Start | Resume,
        kind: Callable[[Parts[A]], Sensing[A]],
    ) -> None:
        self._parts = parts = Parts(game, board, begin)
        self.ledger, self.senses = parts.ledger, parts.senses
        self.sensing = kind(parts)
        self._people = People(parts, self.sensing.acting)
        self._scene: Scene | None = None
        self._known: tuple[Position[A], Scene] | None = None
        self._view: tuple[int, TableView[A]] | None = None
        self._due: tuple[int, int | None] = -1, None
        self._moments = 0  # begun and ended: a view is of the moment in which it was begun

    # ------------------------------------------------------------------------------ what is so

    @property
    def position(self) -> Position[A]:
        return self.ledger.position

    @property
    def asking(self) -> Asking | None:
        """What people are being asked."""
        return self._parts.question.asking

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order."""
        return self.sensing.todo

    @property
    def deadline(self) -> int | None:
        """The board time at which the table next wants to conclude something, ns; looked for once a
        fact, however often it is asked for."""
        if self._due[0] != self._moments:
            due = self._next()
            self._due = self._moments, due and max(due[0], self.senses.telling)
        return self._due[1]

    @property
    def chance(self) -> bool:
        """The rules wait for the dealer."""
        return self.ledger.game.deals(self.ledger.position) and not self.todo

    @property
    def paused(self) -> bool:
        """The game stands in a pause."""
        return self._parts.clocks.paused

    def view(self) -> TableView[A]:
        """What it shows now; made once a fact, where somebody looks."""
        moment = self._moments
        if self._view is None or self._view[0] != moment:
            self._view = moment, self._shown()
        return self._view[1]

    def _shown(self) -> TableView[A]:
        ledger, senses, chance = self.ledger, self.senses, self.chance
        sealed = chance and ledger.commitment.seal is not None
        view = TableView(
            game=ledger.game,
            options=ledger.options,
            unknown_acts=ledger.unknown_acts,
            takeback=self._parts.takeback,
            position=ledger.position,
            positions=ledger.match.length,
            entries=len(ledger.match.entries),
            committed=ledger.committed,
            final=ledger.final,
            chance=chance,
            place=ledger.commitment.place(ledger.game, ledger.match.line) if sealed else "",
            quiet=self.sensing.quiet,
            confirm=ledger.confirm,
            begun=ledger.match.begun,
            todo=self.todo,
            asking=self.asking,
            log=self._parts.outbox.log.lines,
            scene=self.scene() if self._scene is None else self._scene,
            presence=dict(senses.presence),
            high=frozenset(senses.debouncer.high),
            out=dict(senses.health.out),
            failing=dict(self._parts.failing),
            seal=ledger.commitment.seal,
            unsealed=ledger.commitment.opened,
            names=ledger.names,
            colours=ledger.colours,
            agreed_clock=self._parts.clock,
            paused=self.paused,
            clock=self._parts.clocks.shown,
        )
        return self.sensing.shown(view)

    def scene(self) -> Scene:
        """What the lights should mean now: the position's scene, and the table's own marks. Nothing
        invites to a move before the to-do is done and a board that was looked over confirmed, nor
        in a pause."""
        first = self.todo or self.ledger.confirm or self.paused
        scene = self._lit(self.ledger.public)
        legal = [mark for mark in scene if not (first and mark.meaning is Meaning.LEGAL)]
        return self.sensing.lit((*legal, *self.sensing.marks(), *self._stuck()))

    def _lit(self, position: Position[A]) -> Scene:
        """A position's own scene, made once while it stays: most facts change no position."""
        if self._known is None or self._known[0] is not position:
            self._known = position, position.scene()
        return self._known[1]

    def _stuck(self) -> list[Mark]:
        """The cells of the sensors that are left out."""
        board, out = self._parts.board, self.senses.health.out
        if not out:
            return []
        places = [board.sensor[sensor].place for sensor in sorted(out)]
        cells = [cell for place in places for cell in place.split("-") if cell in board.cell]
        return [Mark(cell, Meaning.STUCK) for cell in cells]

    def state(self) -> dict[str, object]:
        """The whole public state as canonical values: what a recording keeps at commit points."""
        ledger, senses, asking = self.ledger, self.senses, self.asking
        return {
            "position": ledger.text(ledger.public),
            "entries": len(ledger.match.entries),
            "committed": ledger.committed,
            "asking": asking and asking.message.key,
            "out": dict(sorted(senses.health.out.items())),
            "lost": senses.lost,
            **({"paused": True} if self.paused else {}),
            **self.sensing.state(),
        }

    # ------------------------------------------------------------------------------ step

    def step(self, fact: Fact) -> list[Effect]:
        """Take one fact in; the effects are what the shell must do now, in order."""
        effects = self._parts.outbox.begin()
        self._moments += 1
        self._advance(self.senses.horizon(fact))
        self._take(fact)
        said = isinstance(fact.body, SAID) or not self._parts.filters_fingers
        self._time(fact.t if said else self._parts.now)
        self._conclude()
        self._moments += 1
        return effects

    def _take(self, fact: Fact) -> None:
        """Hand a fact to the part that it is for."""
        parts, source = self._parts, fact.source
        at = parts.at = self.senses.when(fact, parts.now)
        match fact.body:
            case Edge(sensor, level):
                if self.senses.debouncer.known(sensor):
                    if not self.senses.storms.on:
                        parts.outbox.change()
                    if self.senses.rose_unheard(sensor, level):
                        self.sensing.missed_changes(source, 1)
                    self._sense(self.senses.edge(sensor, level, at))
            case Snapshot(high):
                if not self.senses.agrees(source, high):
                    parts.outbox.change()
                self.sensing.missed_changes(source, len(self.senses.changed(source, high)))
                told = self.senses.has_told(source)
                self._sense(self.senses.snapshot(source, high, at))
                if told:
                    self.sensing.source_returned(source, at, True)
            case Declare() | Decide() | Ruling() as said:
                self._people.say(source, said)
            case Named() as word:
                self.ledger.call(word)
                parts.outbox.change()
            case Lost(count):
                parts.outbox.tell(self.senses.loses(source, count))
                self.sensing.facts_lost(source, at, count)
            case Scanned(hung=True):
                parts.outbox.tell(message("table.hung", source=source))
                self.sensing.facts_lost(source, min(fact.at, fact.t), None)
            case Scanned() as scanned:
                self.senses.looked(source, scanned)
            case Presence(up, _, kept) as presence:
                parts.outbox.tell(self.senses.comes(source, presence, fact.t))
                if not up:
                    self.sensing.source_left(source)
                elif not kept:  # else it is to tell first what that was
                    self.sensing.source_returned(source, at, kept)
            case Witnessed() as before:
                self.senses.witnesses.recall(before)
            case Reading(cells, balls, samples):
                self.sensing.sampled(samples)
                self.sensing.read(cells, balls, at)
            case Touch(cells):
                parts.guarded(source, lambda: self._touch(cells))
            case Seal() | Unseal() as word:
                self._seal(word)
            case Resume():
                if (sealed := self.ledger.commitment.again) is not None:
                    parts.outbox.tell(sealed)
            case Start() | Watermark() | Tick():
                pass

    def _seal(self, word: Seal | Unseal) -> None:
        """The dealer's word on the shuffle."""
        ledger = self.ledger
        if isinstance(word, Seal):
            text = ledger.commitment.made(word)
        else:
            plays = ledger.match.plays
            text = ledger.commitment.opens(word.seed, word.salt, ledger.game, plays)
        self._parts.outbox.tell(text)

    def _sense(self, signs: Iterable[Sign]) -> None:
        """Take what the senses tell, one sign after the other."""
        for sign in signs:
            match sign:
                case Change(sensor):
                    self._change(sign)
                case Found(sensor, level):
                    self.sensing.first_level(sensor, level)
                case SensorVerdict():
                    self.sensing.judge(sign)
                case Storm(since):
                    self._parts.storms(since)
                    self.sensing.storms(since)
                case Calm():
                    self._parts.outbox.tell(message("table.calm"))
                    self.sensing.calms()

    def _change(self, change: Change) -> None:
        """A sensor changed its level: a healthy one is believed, unless a storm blows."""
        if self.senses.storms.on:
            return
        self._parts.outbox.change()
        if not self.senses.heeded(change.sensor):
            return
        self._parts.at = change.at
        kind, place = change.sensor.split(":", 1)
        if kind != "button":
            self._believe(change)
        elif change.level:
            self._people.press(place)

    def _believe(self, change: Change) -> None:
        """A sensor changed; who moved by that did so then, and not when it was heard."""
        entries = self.ledger.match.entries
        before = len(entries)
        self.sensing.believe(change)
        if self._parts.filters_fingers and len(entries) > before:
            self._time(change.at)

    def _touch(self, cells: tuple[str, ...]) -> None:
        if cells:
            self._parts.check_goes_on()
        self.sensing.touch(cells)

    def _time(self, t: int) -> None:
        """Whose time runs from now on; what has run out is told."""
        parts, ledger = self._parts, self.ledger
        clocks, match = parts.clocks, ledger.match
        if not clocks.agreed:
            return
        stands = clocks.paused or ledger.confirm or self.todo or self.asking or not match.begun
        clocks.follow(CHANCE if stands else asked(ledger.position), match.length, t)
        for seat in clocks.out():
            parts.outbox.tell(message("table.time_out", seat=ledger.position.seats[seat]))

    def _conclude(self) -> None:
        """After everything: a commit point, a new scene, a new page, if there is one."""
        self._people.consent.lapse()
        outbox = self._parts.outbox
        if self.sensing.settled:
            self.ledger.note(self.sensing.noted)
            if self._parts.clocks.agreed and self._parts.clocks.unsaved:
                self.ledger.time(self._parts.clocks.saved())
            self.ledger.commit()
        if not outbox.take_change():
            return
        self.sensing.acting.conclude()
        scene = self.scene()
        if scene != self._scene:
            self._scene = scene
            outbox.put(Show(scene))
        outbox.put(Refresh())

    # ------------------------------------------------------------------------------ in time

    def _next(self) -> tuple[int, str] | None:
        """The earliest deadline of all parts, by (time, name)."""
        timers = [*self.senses.timers, *self.sensing.timers]
        if (due := self._parts.clocks.due) is not None:
            timers.append((due, "clock"))
        return min(timers) if timers else None

    def _advance(self, until: int) -> None:
        """Conclude what falls due by then."""
        parts = self._parts
        while (due := self._next()) is not None and due[0] <= until:
            at, name = due
            parts.now = max(parts.now, at)
            if name == "clock":
                self._parts.clocks.spend(at)
            elif name in TIMED:
                self._sense(self.senses.advance(name, at, self.sensing.held))
            else:
                self.sensing.due(name)
        parts.now = max(parts.now, until)
