"""The table: the pure core of one game being played. `step(fact) -> effects`, and nothing else.

A ball's day in here: the debouncer lets an edge through, the tracker moves the ball from B2 to C2,
the match plays that happening, the position says what the lights should mean. No clock, no I/O:
time is what facts say, timers are the deadlines of the parts, run in order before the fact that
passes them.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from controller.board import EDGES, Board, CellId
from controller.effects import Commit, Corrected, Effect, Refresh, Refuse, Show, Tell
from controller.errors import BadText, HexboardError, IllegalAction
from controller.facts import (
    MS,
    Decide,
    Declare,
    Edge,
    Fact,
    Lost,
    Presence,
    Resume,
    Ruling,
    Snapshot,
    Start,
    Tick,
    Watermark,
)
from controller.games import hextraction
from controller.games.hextraction.actions import (
    Accident,
    Action,
    Break,
    Clear,
    Concede,
    Drop,
    End,
    Fell,
    Goal,
    Gone,
    Off,
    Play,
    Rail,
    Rest,
    Roll,
    Settle,
)
from controller.games.hextraction.position import Hextraction, Placed
from controller.games.position import Match, Played, decode_entry, encode_entry
from controller.perception.debounce import Change, Debouncer, Spec
from controller.perception.health import PULSED, Health, Verdict
from controller.perception.tracker import Track, Tracker
from controller.scene import Mark, Meaning, Scene
from controller.words import Message, message

LATENESS = 100 * MS
"""How long after it happened a sensor's fact may still arrive when no watermark says otherwise."""
SETTLE_MS = 1500
"""Without an edge for this long, every ball is at rest (option `settle_ms`)."""
LOG = 200
"""How many messages a page can scroll back through."""

STRAINED = 6
"""A roll is read without a sensor once that is less of a strain by more than this."""
SUSPECTS = 8
"""How many of the sensors that spoke last are tried."""
STORM = 300
"""Signs in one roll from which it is no longer read anew: a ball makes some thirty. Then people are
asked whether the roll counts."""

SENSORS = (Edge, Snapshot, Watermark)
LEVELS = ("seat", "rail")
DECLARED = (Roll, Play, Clear, Break, End, Concede)
"""What people may declare. The rest is physics, and comes from sensors or answers."""


class Choice(Struct, frozen=True):
    """One answer to a question: an action by name, or "void"."""

    name: str
    message: Message


class Asking(Struct, frozen=True):
    """A question only people can answer, likeliest answer first."""

    id: int
    message: Message
    choices: tuple[Choice, ...]


class Todo(Struct, frozen=True):
    """A cell that people must still change by hand before the board shows the position.

    `put` is what should lie there, None for nothing.
    """

    cell: CellId
    put: Placed | None
    message: Message


class Line(Struct, frozen=True):
    """A message in the table's log, and the match entry it came with (-1: none)."""

    message: Message
    entry: int


UNKNOWN = Placed("?", 0)
"""A tile that lies in a slot, and nobody has said which."""


class Stand(Struct, frozen=True):
    """How everything stood when it was last beyond doubt: what a reading begins from."""

    entries: int
    position: Hextraction
    tracker: Tracker
    physical: dict[CellId, Placed]


class Table:
    """One game on one board. Make it with the `Start` or `Resume` fact's body, then `step`."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        start = begin.start if isinstance(begin, Resume) else begin
        options = dict(start.options)
        self.settle_ns = int(options.pop("settle_ms", SETTLE_MS)) * MS
        self.board = board
        first = hextraction.start(board, options)
        self._parse: Callable[[str], Hextraction] = lambda text: hextraction.parse(
            text, board, options
        )
        self.match: Match[Hextraction] = Match(first, self._parse)
        if isinstance(begin, Resume):
            for entry in begin.entries:
                self.match.add(decode_entry(entry))
        self.committed = len(self.match.entries)
        self.confirm = isinstance(begin, Resume)
        """After a restart people look over the board once: "it is right"."""
        self.debouncer = Debouncer(
            {s.id: Spec(s.min_high, s.min_low, s.dead) for s in board.sensors}
        )
        self.health = Health(board)
        self.tracker = Tracker(board)
        self.physical: dict[CellId, Placed] = dict(self.position.tiles)
        """What is believed to lie in the slots; where it differs from the position is the to-do."""
        self.tracker.place(self.position.places(), self.doors)
        self.asking: Asking | None = None
        self.presence: dict[str, Presence] = {}
        self.lost = 0
        self.now = 0
        """Board time up to which everything is concluded, ns."""
        self.log: list[Line] = []
        self.told = 0
        """How many lines the log has ever had; it keeps the last `LOG`."""
        self._asked = 0
        self._watermark: dict[str, int] = {}
        self._fresh: set[str] = set()  # sources that have sent a snapshot since they came
        # the last believed sign of a moving ball
        self._quiet_since: int | None = None if self.position.stable else 0
        self._effects: list[Effect] = []
        self._scene: Scene | None = None
        self._dirty = True
        self._stand_here()

    @property
    def position(self) -> Hextraction:
        return self.match.position

    # ------------------------------------------------------------------------------------- step

    def step(self, fact: Fact) -> list[Effect]:
        """Take one fact in; the effects are what the shell must do now, in order."""
        self._effects = []
        body = fact.body
        self._advance(self._horizon(fact))
        match body:
            case Edge(sensor, level):
                self._edge(sensor, level, self._when(fact))
            case Snapshot(high):
                self._snapshot(fact.source, frozenset(high), self._when(fact))
            case Declare(seat, action):
                self._guarded(fact.source, lambda: self._declare(seat, action))
            case Decide(question, choice):
                self._guarded(fact.source, lambda: self._decide(question, choice))
            case Ruling(do, who, why):
                self._guarded(fact.source, lambda: self._rule(do, who, why))
            case Lost(count):
                self.lost += count
                self._news(message("table.lost", count=count, source=fact.source))
            case Presence():
                self._presence(fact.source, body)
            case Start() | Resume() | Watermark() | Tick():
                pass
        self._conclude()
        return self._effects

    @property
    def deadline(self) -> int | None:
        """The board time at which the table next wants to conclude something, ns."""
        due = self._next()
        return due and due[0]

    @property
    def quiet(self) -> bool:
        """Nothing is being concluded: whatever the table waits for now is a person or a ball."""
        return self._quiet_since is None and self.debouncer.deadline is None

    def _when(self, fact: Fact) -> int:
        """When it is taken to have happened: after what is concluded, but not in the future."""
        return max(min(fact.at, fact.t), self.now)

    def _horizon(self, fact: Fact) -> int:
        """Up to when nothing earlier can still come, given this fact."""
        if isinstance(fact.body, SENSORS):
            until = fact.body.until if isinstance(fact.body, Watermark) else fact.at
            until = max(min(until, fact.t), self._watermark.get(fact.source, 0))
            self._watermark[fact.source] = until
        late = fact.t - LATENESS
        live = [s for s in self._watermark if self._up(s)]
        return min((max(self._watermark[s], late) for s in live), default=late)

    def _up(self, source: str) -> bool:
        return source not in self.presence or self.presence[source].up

    def _next(self) -> tuple[int, str] | None:
        """The earliest deadline of all parts, by (time, name)."""
        timers: list[tuple[int, str]] = []
        if (due := self.debouncer.deadline) is not None:
            timers.append((due, "debounce"))
        if (due := self.health.deadline) is not None:
            timers.append((due, "health"))
        if self._quiet_since is not None:
            timers.append((self._quiet_since + self.settle_ns, "settle"))
        return min(timers, default=None)

    def _advance(self, until: int) -> None:
        while (due := self._next()) is not None and due[0] <= until:
            self.now, timer = max(self.now, due[0]), due[1]
            if timer == "debounce":
                for change in self.debouncer.advance(due[0]):
                    self._change(change)
            elif timer == "health":
                for verdict in self.health.advance(due[0], self.tracker.explains):
                    self._verdict(verdict)
            else:
                self._settle()
        self.now = max(self.now, until)

    # ---------------------------------------------------------------------------------- sensing

    def _edge(self, sensor: str, level: bool, at: int) -> None:
        if not self.debouncer.known(sensor):
            return
        if verdict := self.health.edge(sensor, level, at):
            self._verdict(verdict)
        self.debouncer.edge(sensor, level, at)
        self._dirty = True

    def _snapshot(self, source: str, high: frozenset[str], at: int) -> None:
        """All levels at once. The first one is simply believed; later ones imply missed edges."""
        ours = [s.id for s in self.board.sensors if s.source == source]
        if source in self._fresh:
            for sensor in ours:
                if self.debouncer.raw(sensor) != (sensor in high):
                    self._edge(sensor, sensor in high, at)
            return
        self._fresh.add(source)
        self._dirty = True
        for sensor in ours:
            kind, place = sensor.split(":", 1)
            level = sensor in high
            self.debouncer.settle(sensor, level)
            if level:
                self.health.edge(sensor, level, at)
            if kind in LEVELS:
                self._level(kind, place, level)

    def agrees(self, source: str, high: tuple[str, ...]) -> bool:
        """Whether a snapshot would say nothing that is not known already."""
        levels = {s.id for s in self.board.sensors if s.source == source}
        return source in self._fresh and levels & set(high) == {
            sensor for sensor in levels if self.debouncer.raw(sensor)
        }

    def _change(self, change: Change) -> None:
        """A believed change of level: of power, of a seated tile, or the sign of a ball."""
        self._dirty = True
        if change.sensor in self.health.out:
            return
        self._since.append(change)
        self._take(change)
        if not self.position.stable and self.tracker.strain > self._bearable:
            self._doubt()

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
        elif level != self.position.rail:
            self._play(Rail(level))

    def _track(self, change: Change) -> None:
        """Let the tracker say what a change means, and play it."""
        if self.tracker.let_go(change):
            self._quiet_since = change.at
        for action in self.tracker.change(change, self.doors, self.position.next_ball):
            if self.asking:
                self._withdraw()
            if isinstance(action, Roll):
                allowed = not self.todo and self.position.refusal(action) is None
                action = action if allowed else Accident(action.ramp)
            self._play(action)
            self._quiet_since = change.at
        if self._quiet_since is not None and change.sensor.startswith(PULSED):
            self._quiet_since = max(self._quiet_since, change.at)

    def doors(self, slot: CellId) -> Any:
        """What a ball meets in a slot as it physically is (the tracker's `Doors`)."""
        placed = self.physical.get(slot)
        if placed is None:
            return None
        if placed == UNKNOWN:
            return dict.fromkeys(EDGES, EDGES)
        return self.position.setting.tiles[placed.tile].doors(placed.rotation)

    def _high(self, sensor: str) -> bool:
        """Believed active, and to be believed."""
        return (
            self.debouncer.known(sensor)
            and sensor not in self.health.out
            and self.debouncer.level(sensor)
        )

    def _verdict(self, verdict: Verdict) -> None:
        """A sensor misbehaves, or behaves again. The roll is read anew without what it said."""
        key = f"sensor.{verdict.state or 'healthy'}"
        why = message(key, sensor=verdict.sensor)
        self._news(why)
        kind, place = verdict.sensor.split(":", 1)
        if not verdict.state and kind in LEVELS:  # it may have changed while nobody listened
            self._level(kind, place, self.debouncer.level(verdict.sensor))
        readable = not self.position.stable and len(self._since) <= STORM
        if verdict.state and readable and verdict.sensor in self._spoke():
            self._reread(why)

    def _stand_here(self) -> None:
        """All that led here is beyond doubt."""
        self.tracker.strain = 0
        self._stand = Stand(
            len(self.match.entries), self.position, self.tracker.copy(), dict(self.physical)
        )
        self._since: list[Change | Action] = []  # what led from there to here
        self._bearable = STRAINED  # the strain from which another reading is looked for

    def _spoke(self) -> list[str]:
        """The sensors whose word led here, the last one first."""
        changes = (item.sensor for item in reversed(self._since) if isinstance(item, Change))
        return list(dict.fromkeys(changes))

    def _reread(self, why: Message) -> None:
        """Replace everything provisional by what the trusted sensors say."""
        stand, since = self._stand, self._since
        self._effects.append(Corrected(why))
        self.match.forget(stand.entries)
        self.log = [line for line in self.log if line.entry < stand.entries]
        self.asking = None
        self.tracker, self.physical = stand.tracker.copy(), dict(stand.physical)
        self._since, self._bearable = [], STRAINED
        for item in since:
            if not isinstance(item, Change):
                self._since.append(item)
                if self.position.refusal(item) is None:
                    self._answer(item)
            elif item.sensor not in self.health.out:
                self._since.append(item)
                self._take(item)
        self._quiet_since = self.now if not self.position.stable else None

    def _without(self, sensor: str) -> tuple[int, Hextraction]:
        """What the roll would be had `sensor` kept silent: its strain, and the position."""
        tracker, position = self._stand.tracker.copy(), self._stand.position
        for item in self._since:
            if not isinstance(item, Change):
                if position.refusal(item) is None:
                    self._heard(tracker, item, position.next_ball)
                    position = position.play(item)
            elif item.sensor != sensor:
                for action in tracker.change(item, self.doors, position.next_ball):
                    if isinstance(action, Roll) and position.refusal(action):
                        action = Accident(action.ramp)
                    position = position.play(action)
        return tracker.strain, position

    def _doubt(self) -> None:
        """The roll makes little sense: leave out the sensor without which it makes most."""
        if len(self._since) > STORM:
            return
        strain, sensor = min((self._without(s)[0], s) for s in self._spoke()[:SUSPECTS])
        if strain + STRAINED < self.tracker.strain:
            self._verdict(self.health.doubt(sensor))
        else:
            self._bearable = self.tracker.strain + STRAINED

    def _liar(self) -> str | None:
        """A sensor on whose word alone a tile would be destroyed for being touched too often, in
        a roll that makes no less sense without it."""
        doomed = _looped(self.position)
        for sensor in self._spoke() if doomed else ():
            strain, position = self._without(sensor)
            if strain <= self.tracker.strain and doomed - _looped(position):
                return sensor
        return None

    # ------------------------------------------------------------------------------- at rest

    def _settle(self) -> None:
        """No edge for the settle time: conclude the roll, or ask where a ball is."""
        self._quiet_since = None
        if len(self._since) > STORM and not self.position.stable:
            self._ask_storm()
            return
        if liar := self._liar():
            self._verdict(self.health.doubt(liar))
            return
        rests, missing = self.tracker.settle(self._high)
        for rest in rests:
            self._play(rest)
        rolling = not self.position.stable
        if missing and rolling:
            self._ask(missing[0])
            return
        for track in missing:  # an accident's ball: it changes nothing, the likeliest will do
            guesses = [] if track.let_go else self.tracker.guesses(track, self.doors)
            self._answer(guesses[0] if guesses else Gone(track.id))
        if rolling:
            self._play(Settle())

    def _ask(self, track: Track) -> None:
        choices = [
            Choice(self.position.name(a), self._where(a))
            for a in (*self.tracker.guesses(track, self.doors), Gone(track.id))
        ]
        choices.append(Choice("void", message("table.answer_void", "0.5.8")))
        self._asked += 1
        text = message("table.where", ball=track.id, last=track.slot or track.seam or track.zone)
        self.asking = Asking(self._asked, text, tuple(choices))
        self._news(text)

    def _ask_storm(self) -> None:
        """Too many signs to tell a ball from noise."""
        self._asked += 1
        text = message("table.storm", count=len(self._since))
        choices = (
            Choice("settle", message("table.answer_settle")),
            Choice("void", message("table.answer_void", "0.5.8")),
        )
        self.asking = Asking(self._asked, text, choices)
        self._news(text)

    def _where(self, action: Action) -> Message:
        match action:
            case Rest(_, place):
                return message("table.answer_rest", place=place)
            case Fell(_, slot):
                return message("table.answer_fell", slot=slot)
            case Off(_, slot, edge):
                return message("table.answer_off", slot=slot, edge=edge)
            case Goal(_, zone):
                return message("table.answer_goal", zone=zone)
        return message("table.answer_gone")

    def _withdraw(self) -> None:
        """The ball moved after all: the question is void."""
        self.asking = None
        self._dirty = True

    def _answer(self, action: Action) -> None:
        """Play what a person (or the likeliest guess) says."""
        self._heard(self.tracker, action, self.position.next_ball)
        if isinstance(action, Goal):
            known = self.position.ball(action.ball)
            if known is not None and known.place == f"zone:{action.zone}":
                return
        self._play(action)

    def _heard(self, tracker: Tracker, action: Action, next_ball: int) -> None:
        """A ball is where a person says."""
        match action:
            case Rest(ball, place):
                tracker.put(ball, place, self.doors)
            case Goal(ball, zone):
                tracker.put(ball, f"zone:{zone}", self.doors)
            case Fell(ball) | Off(ball) | Gone(ball):
                tracker.balls.pop(ball, None)
            case Roll(lane):
                tracker.put(next_ball, lane, self.doors)
                tracker.balls[next_ball].moving = True

    # -------------------------------------------------------------------------- what people say

    def _guarded(self, source: str, act: Callable[[], None]) -> None:
        """Whatever people ask for that cannot be is refused in words, and changes nothing."""
        try:
            if not self._up("journal"):
                raise HexboardError("table.no_journal")
            act()
        except HexboardError as error:
            self._effects.append(Refuse(error.message, source))

    def _declare(self, seat: int, name: str) -> None:
        action = self.position.action(name)
        if not isinstance(action, DECLARED):
            raise BadText("table.not_declared", action=name)
        actor = self.position.actor(action)
        if seat not in (actor, -1):
            raise BadText("table.not_your_turn")
        if refusal := self.position.refusal(action):
            raise IllegalAction(refusal)
        if isinstance(action, Roll):
            self._quiet_since = self.now
        self._since.append(action)
        self._answer(action)

    def _decide(self, question: int, name: str) -> None:
        asking = self.asking
        if asking is None or asking.id != question:
            raise BadText("table.no_question")
        if name not in {choice.name for choice in asking.choices}:
            raise BadText("table.no_choice", choice=name[:40])
        self.asking = None
        if name == "void":
            self._rule("void", "host", "")
            return
        action = self.position.action(name)
        self._since.append(action)
        self._answer(action)
        self._settle()

    def _rule(self, do: str, who: str, why: str) -> None:
        """A host's word (see `facts.Ruling`). The board is believed to be as it says."""
        before = self.position
        match do.split(" "):
            case ["undo"]:
                self._undo()
            case ["void"] if before.stable:
                self._undo(only=Roll)
            case ["void"]:
                self._replace(before.void(), who, why)
            case ["right"]:
                self.physical = dict(before.tiles)
                self.confirm = False
                self._stand_here()
                self._news(message("table.right", who=who))
            case ["play", "on"]:
                self.physical = dict(before.tiles)
                self.confirm = False
                self._stand_here()
                self._news(message("table.play_on", who=who))
                if self.asking:
                    self._decide(self.asking.id, self.asking.choices[0].name)
                elif not before.stable:
                    self._quiet_since = None
                    self.tracker.place(before.places(), self.doors)
                    self._play(Settle())
                return
            case ["tile", slot, "-"]:
                self._replace(before.with_tile(slot, None), who, why)
                self.physical.pop(slot, None)
            case ["tile", slot, tile, rotation] if rotation in tuple("012345"):
                placed = Placed(tile, int(rotation))
                self._replace(before.with_tile(slot, placed), who, why)
                self.physical[slot] = placed
            case ["ball", ball, place] if ball.isdecimal() and len(ball) < 10:
                after = before.with_ball(int(ball), None if place == "-" else place)
                self.tracker.balls.pop(int(ball), None)  # it moves no more
                self._replace(after, who, why)
            case ["position", *words]:
                after = self._parse(" ".join(words))
                self._replace(after, who, why)
                self.physical = dict(after.tiles)
            case _:
                raise BadText("table.no_ruling", ruling=do[:60])

    def _undo(self, only: type[Action] | None = None) -> None:
        """Take back all since the stable position before this one, if an `only` action began it."""
        to = self.match.last_choice()
        if to is None:
            raise BadText("table.nothing_to_undo")
        first = self.match.entries[to]
        if only and not (
            isinstance(first, Played) and isinstance(self.position.action(first.action), only)
        ):
            raise BadText("table.no_roll_to_void")
        self.match.back(to)
        self._say(message("table.undone"), len(self.match.entries) - 1)
        self._restart()

    def _replace(self, position: Hextraction, who: str, why: str) -> None:
        entry = len(self.match.entries)
        self.match.rule(position, who, why)
        self._say(message("table.ruled", who=who, why=why or "-"), entry)
        for event in position.events:
            self._say(event, entry)
        self._restart()

    def _restart(self) -> None:
        """After the people's word: perception begins again from the position."""
        self.asking = None
        moving = {id for id, track in self.tracker.balls.items() if track.moving}
        self.tracker.place(self.position.places(), self.doors)
        self._quiet_since = None
        if not self.position.stable:
            for id, track in self.tracker.balls.items():
                track.moving = id in moving
            self._quiet_since = self.now
        self._dirty = True
        self._stand_here()

    # -------------------------------------------------------------------------------- the to-do

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order."""
        return tuple(self._todo()) if self.physical != self.position.tiles else ()

    def _todo(self) -> Iterator[Todo]:
        for cell in self.board.cells:
            want, there = self.position.tiles.get(cell.id), self.physical.get(cell.id)
            if want == there:
                continue
            if want is None:
                assert there is not None
                key = "table.todo_what" if there == UNKNOWN else "table.todo_out"
                yield Todo(cell.id, None, message(key, cell=cell.id, tile=there.tile))
            else:
                key = "table.todo_in" if there is None else "table.todo_swap"
                text = message(key, cell=cell.id, tile=want.tile, rotation=want.rotation)
                yield Todo(cell.id, want, text)

    def _seat(self, slot: CellId, seated: bool) -> None:
        """A tile bottomed out in a slot, or came out of it."""
        self._dirty = True
        if seated:
            if slot not in self.physical:
                self.physical[slot] = self.position.tiles.get(slot, UNKNOWN)
            return
        self.physical.pop(slot, None)
        if not self.position.stable and slot in self.position.tiles:
            self._play(Drop(slot))  # K32: unexplained during a roll, it fell out

    # --------------------------------------------------------------------------------- helpers

    def _play(self, action: Action) -> None:
        """Play an action that the rules allow or that simply happened, and tell its events."""
        entry = len(self.match.entries)
        was_stable = self.position.stable
        position = self.match.play(action)
        if isinstance(action, Play) and self.physical.get(action.slot) == UNKNOWN:
            self.physical[action.slot] = position.tiles[action.slot]
        for event in position.events:
            self._say(event, entry)
        self.health.moved(self.now)
        if position.stable and not was_stable:
            self._quiet_since = None
            self.asking = None
            self.tracker.place(position.places(), self.doors)
            self._stand_here()
        self._dirty = True

    def _presence(self, source: str, presence: Presence) -> None:
        self.presence[source] = presence
        key = "table.source_up" if presence.up else "table.source_down"
        self._news(message(key, source=source, why=presence.why or "-"))

    def _news(self, text: Message) -> None:
        self._say(text, -1)

    def _say(self, text: Message, entry: int) -> None:
        self.log.append(Line(text, entry))
        self.told += 1
        del self.log[:-LOG]
        self._effects.append(Tell((text,)))
        self._dirty = True

    def _conclude(self) -> None:
        """After everything: a commit point, a new scene, a new page, if there is one."""
        if self.position.stable and len(self.match.entries) > self.committed:
            new = self.match.entries[self.committed :]
            texts = tuple(encode_entry(entry).decode() for entry in new)
            self._effects.append(Commit(self.committed, texts, str(self.position)))
            self.committed = len(self.match.entries)
        if not self._dirty:
            return
        self._dirty = False
        if self.position.stable:
            self._stand_here()
        scene = self.scene()
        if scene != self._scene:
            self._scene = scene
            self._effects.append(Show(scene))
        self._effects.append(Refresh())

    def scene(self) -> Scene:
        """What the lights should mean now: the position's scene, and the table's own marks."""
        marks = list(self.position.scene())
        marks += [Mark(t.slot, Meaning.PASSING) for t in self._moving() if t.slot]
        for todo in self.todo:
            out = todo.put is None and self.physical[todo.cell] != UNKNOWN
            marks.append(Mark(todo.cell, Meaning.DESTROYED if out else Meaning.TODO))
        if self.asking:
            marks += [Mark(t.slot, Meaning.ASK) for t in self._moving() if t.slot]
        for sensor in sorted(self.health.out):
            place = self.board.sensor[sensor].place
            marks += [Mark(c, Meaning.STUCK) for c in place.split("-") if c in self.board.cell]
        return tuple(marks)

    def _moving(self) -> Iterator[Track]:
        return (track for track in self.tracker.balls.values() if track.moving)

    def state(self) -> dict[str, Any]:
        """The whole public state as canonical values: what a recording keeps at commit points."""
        return {
            "position": str(self.position),
            "entries": len(self.match.entries),
            "committed": self.committed,
            "physical": {s: f"{p.tile}:{p.rotation}" for s, p in sorted(self.physical.items())},
            "asking": self.asking and self.asking.message.key,
            "out": dict(sorted(self.health.out.items())),
            "balls": {
                str(t.id): [t.slot, t.seam, t.zone, t.moving] for t in self.tracker.balls.values()
            },
            "lost": self.lost,
        }


def _looped(position: Hextraction) -> set[Message]:
    """The loops that would be broken if the roll ended here."""
    if position.stable:
        return set()
    return {event for event in position.play(Settle()).events if event.rule == "2.1.5.4"}
