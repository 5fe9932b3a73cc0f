"""The table of any game: facts in, effects out; what people say, and what every board has.

What is on the board, and how it is known, differs from game to game: `balls` sees balls roll,
`pieces` is told by people. Both build on this.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from controller import games
from controller.board import Board, CellId
from controller.effects import Commit, Effect, Refresh, Refuse, Show, Tell
from controller.errors import BadText, HexboardError, IllegalAction
from controller.facts import (
    MS,
    Decide,
    Declare,
    Edge,
    Fact,
    Lost,
    Presence,
    Reading,
    Resume,
    Ruling,
    Seal,
    Snapshot,
    Start,
    Tick,
    Touch,
    Unseal,
    Watermark,
)
from controller.games.position import (
    CHANCE,
    Match,
    Option,
    Played,
    choose,
    decode_entry,
    encode_entry,
    public,
)
from controller.perception.debounce import Change, Debouncer, Spec
from controller.perception.health import Health, Verdict
from controller.perception.inference import Look
from controller.scene import Mark, Meaning, Scene
from controller.shuffle import commitment, drawn
from controller.words import Message, message

LATENESS = 100 * MS
"""How long after it happened a sensor's fact may still arrive when no watermark says otherwise."""
TIMES = Option("settle_ms", 1500, most=60_000), Option("away_ms", 1500, most=60_000)
"""Without an edge for `settle_ms`, every ball is at rest; a hand has been away for `away_ms` before
a board that no move explains is called wrong."""
LOG = 200
"""How many messages a page can scroll back through."""

SENSORS = (Edge, Snapshot, Watermark)


class Choice(Struct, frozen=True):
    """One answer to a question: an action by name, or a ruling."""

    name: str
    message: Message


class Asking(Struct, frozen=True):
    """A question only people can answer, likeliest answer first.

    Its number is the board time at which it was asked, ms, or one more than that of the question
    before: an answer to a question from before a crash, or of another match, meets no other one.
    """

    id: int
    message: Message
    choices: tuple[Choice, ...]


class Todo(Struct, frozen=True):
    """A cell that people must still change by hand before the board shows the position.

    `put` is what should lie there (a tile and its rotation, where it is one), None for nothing.
    """

    cell: CellId
    put: Any
    message: Message


class Line(Struct, frozen=True):
    """A message in the table's log, its number from 1, and the match entry it came with (-1: none).

    Numbers are given once: what a correction strikes out leaves a gap.
    """

    n: int
    message: Message
    entry: int


class Table:
    """One game on one board. Make it with the `Start` or `Resume` fact's body, then `step`.

    What a kind of table adds: `_believe` (a sensor's change), `_held` (may it be high for long),
    `todo`, `_right`, `_declare`, `_undo`, `_rule` and `_restart`, and timers of its own.
    """

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        start = begin.start if isinstance(begin, Resume) else begin
        self.options = options = dict(start.options)
        """What was agreed on, as the game knows it."""
        times = choose(start.game, TIMES, {t.name: options.pop(t.name, t.default) for t in TIMES})
        self.settle_ns, self.away_ns = (int(times[time.name]) * MS for time in TIMES)
        self.board = board
        self.game = games.find(start.game)
        first = self.game.start(board, options)
        self.parse: Callable[[str], Any] = lambda text: self.game.parse(text, board, options)
        self.match: Match[Any] = Match(first, self.parse)
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
        self.seal = begin.seal if isinstance(begin, Resume) else None
        """The shuffle that hidden cards are dealt from."""
        self.unsealed = False
        self.asking: Asking | None = None
        self.presence: dict[str, Presence] = {}
        self.lost = 0
        self.now = 0
        """Board time up to which everything is concluded, ns."""
        self.log: list[Line] = []
        self._told = 0
        self._asked = 0
        self._watermark: dict[str, int] = {}
        self._fresh: set[str] = set()  # sources that have sent a snapshot since they came
        self._effects: list[Effect] = []
        self._scene: Scene | None = None
        self._dirty = True

    @property
    def position(self) -> Any:
        return self.match.position

    @property
    def private(self) -> bool:
        """Cards were dealt that not everybody may know, and the game goes on."""
        return bool(getattr(self.position, "private", False))

    @property
    def final(self) -> bool:
        """The game is over, and everybody may know the shuffle of its cards: played on, no card
        would be hidden any more, so it stays over."""
        return self.seal is not None and self.position.scores is not None

    @property
    def public(self) -> Any:
        """The position as everybody may know it."""
        return public(self.position)

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
                self._guarded(fact.source, lambda: self._said(fact.source, seat, action))
            case Decide(question, choice):
                self._guarded(fact.source, lambda: self._decide(question, choice))
            case Ruling(do, who, why):
                self._guarded(fact.source, lambda: self._rule(do, who, why))
            case Lost(count):
                self.lost += count
                self._news(message("table.lost", count=count, source=fact.source))
            case Presence():
                self._presence(fact.source, body)
            case Reading(cells, balls):
                self._read(cells, balls, self._when(fact))
            case Touch(cells):
                self._guarded(fact.source, lambda: self._touch(cells))
            case Seal():
                self._sealed(body)
            case Unseal(seed, salt):
                self._news(self._proof(seed, salt))
                self.unsealed = True
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
    def settled(self) -> bool:
        """What was played so far is final, and can be acknowledged."""
        return bool(self.position.stable)

    @property
    def quiet(self) -> bool:
        """Nothing is being concluded: whatever the table waits for now is a person or a ball."""
        return self.debouncer.deadline is None

    @property
    def chance(self) -> bool:
        """The rules wait for a die or a draw that nobody at the table makes: the dealer does."""
        return not self.todo and bool(getattr(self.position, "dealt", False))

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
        return min(self._timers(), default=None)

    def _timers(self) -> list[tuple[int, str]]:
        timers: list[tuple[int, str]] = []
        if (due := self.debouncer.deadline) is not None:
            timers.append((due, "debounce"))
        if (due := self.health.deadline) is not None:
            timers.append((due, "health"))
        return timers

    def _advance(self, until: int) -> None:
        while (due := self._next()) is not None and due[0] <= until:
            self.now = max(self.now, due[0])
            self._timer(due[1], due[0])
        self.now = max(self.now, until)

    def _timer(self, name: str, due: int) -> None:
        if name == "debounce":
            for change in self.debouncer.advance(due):
                self._change(change)
        else:
            for verdict in self.health.advance(due, self._held):
                self._verdict(verdict)

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
            level = sensor in high
            self.debouncer.settle(sensor, level)
            if level:
                self.health.edge(sensor, level, at)
            self._found(sensor, level)

    def agrees(self, source: str, high: tuple[str, ...]) -> bool:
        """Whether a snapshot would say nothing that is not known already."""
        levels = {s.id for s in self.board.sensors if s.source == source}
        return source in self._fresh and levels & set(high) == {
            sensor for sensor in levels if self.debouncer.raw(sensor)
        }

    def _change(self, change: Change) -> None:
        """A believed change of level."""
        self._dirty = True
        if change.sensor in self.health.out:
            return
        kind, place = change.sensor.split(":", 1)
        if kind != "button":
            self._believe(change)
        elif change.level:
            self._press(place)

    def _believe(self, change: Change) -> None:
        """A healthy sensor changed its level. This table has nothing to see with it."""

    def _read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        """What a camera sees; no cells while a hand is over the board. This table needs none."""

    def _touch(self, cells: tuple[CellId, ...]) -> None:
        """Cells a person touches on a page. This table has no move that is made so."""

    def _found(self, sensor: str, level: bool) -> None:
        """A source's first word on a sensor."""

    def _held(self, sensor: str) -> bool:
        """Whether something is where it may hold this sensor high for long."""
        return False

    def _verdict(self, verdict: Verdict) -> Message:
        """A sensor misbehaves, or behaves again; what was told of it."""
        key = f"sensor.{verdict.state or 'healthy'}"
        text = message(key, sensor=verdict.sensor)
        self._news(text)
        return text

    def _press(self, button: str) -> None:
        """A button on the board: it says what a page could say (`board.BUTTONS`)."""
        if button == "end":
            self._guarded("button", lambda: self._declare(-1, "end"))
        elif button in ("undo", "right", "done"):
            self._guarded("button", lambda: self._rule(button, "button", ""))

    # -------------------------------------------------------------------------- what people say

    def _guarded(self, source: str, act: Callable[[], None]) -> None:
        """Whatever people ask for that cannot be is refused in words, and changes nothing."""
        try:
            if not self._up("journal"):
                raise HexboardError("table.no_journal")
            act()
        except HexboardError as error:
            self._effects.append(Refuse(error.message, source))

    def _said(self, source: str, seat: int, name: str) -> None:
        """A declaration; hidden cards come from nobody but the dealer."""
        if self.private and self.position.deck and source != "dealer":
            action = self.position.action(name)
            if self.position.actor(action) == CHANCE:
                raise BadText("table.dealer_only")
        self._declare(seat, name)

    def _declare(self, seat: int, name: str) -> None:
        action = self._declared(seat, name)
        self._play(action)

    def _declared(self, seat: int, name: str) -> Any:
        """The action a seat names, if it may. Raises `BadText` or `IllegalAction`."""
        action = self.position.action(name)
        actor = self.position.actor(action)
        if seat not in (actor, -1) and actor != CHANCE:
            raise BadText("table.not_your_turn")
        if refusal := self.position.refusal(action):
            raise IllegalAction(refusal)
        return action

    def _decide(self, question: int, name: str) -> None:
        self._answered(question, name)

    def _answered(self, question: int, name: str) -> None:
        """Close the open question. Raises `BadText` where it is another one, or no answer to it."""
        self._chosen(question, name)
        self.asking, self._dirty = None, True

    def _chosen(self, question: int, name: str) -> Choice:
        """An answer to the open question. Raises `BadText` where it is none."""
        asking = self.asking
        if asking is None or asking.id != question:
            raise BadText("table.no_question")
        for choice in asking.choices:
            if choice.name == name:
                return choice
        raise BadText("table.no_choice", choice=name[:40])

    def _question(self, text: Message, choices: tuple[Choice, ...]) -> None:
        self._asked = max(self._asked + 1, self.now // MS)
        self.asking = Asking(self._asked, text, choices)
        self._news(text)

    def _rule(self, do: str, who: str, why: str) -> None:
        """A host's word (see `facts.Ruling`) that every game understands."""
        match do.split(" "):
            case ["undo"]:
                self._undo()
            case ["right"] | ["play", "on"]:
                self._right()
                key = "table.right" if do == "right" else "table.play_on"
                self._news(message(key, who=who))
            case ["position", *words]:
                after = self.parse(" ".join(words))
                if getattr(after, "eyes", -1) != -1:
                    raise BadText("table.ruled_view")
                self._replace(after, who, why)
                self._right()
            case _:
                raise BadText("table.no_ruling", ruling=do[:60])

    def _right(self) -> None:
        """The board shows the position, people say."""
        self.confirm = False
        self._dirty = True

    def _undo(self) -> None:
        """Take back all since the last choice that people had."""
        self._take_back(self.match.last_choice())

    def _take_back(self, to: int | None) -> None:
        """Take back every entry from index `to` on. Raises `BadText` where there is none."""
        self._reopened()
        if to is None:
            raise BadText("table.nothing_to_undo")
        self.match.back(to)
        self._say(message("table.undone"), len(self.match.entries) - 1)
        self._restart()

    def _replace(self, position: Any, who: str, why: str) -> None:
        self._reopened()
        self.parse(str(position))  # the journal has to be read again: raises `BadText`
        entry = len(self.match.entries)
        self.match.rule(position, who, why)
        self._say(message("table.ruled", who=who, why=why or "-"), entry)
        for event in position.events:
            self._say(event, entry)
        self._restart()

    def _reopened(self) -> None:
        """Raises `BadText` where a game may not go on that is over."""
        if self.final:
            raise BadText("table.final")

    def _restart(self) -> None:
        """After the people's word: what was asked is void."""
        self.asking = None
        self._dirty = True

    # ------------------------------------------------------------------------------- the dealer

    def _sealed(self, seal: Seal) -> None:
        """Before the first card: the hash is told, and with it all draws are fixed."""
        self.seal = seal
        self._news(message("table.sealed", hash=seal.commitment))

    def _proof(self, seed: str, salt: str) -> Message:
        """Whether seed and salt are those of the commitment, and every draw is the seed's."""
        if self.seal is None or commitment(seed, salt, self.seal.deck) != self.seal.commitment:
            return message("table.seal_broken", seed=seed)
        draws = 0
        for n, (position, entry) in enumerate(self.match.plays):
            if isinstance(entry, Played) and getattr(position, "dealt", False):
                draws += 1
                if entry.action != drawn(position, seed, n):
                    return message("table.draw_broken", n=draws, action=entry.action)
        return message("table.seal_holds", draws=draws, seed=seed, salt=salt)

    # -------------------------------------------------------------------------------- the to-do

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order."""
        return ()

    # --------------------------------------------------------------------------------- helpers

    def _play(self, action: Any) -> None:
        """Play an action that the rules allow or that simply happened, and tell its events."""
        entry = len(self.match.entries)
        position = self.match.play(action)
        for event in position.events:
            self._say(event, entry)
        self._dirty = True

    def _presence(self, source: str, presence: Presence) -> None:
        self.presence[source] = presence
        up = "table.source_up_note" if presence.why else "table.source_up"
        key = up if presence.up else "table.source_down"
        self._news(message(key, source=source, why=presence.why or "-"))

    def _news(self, text: Message) -> None:
        self._say(text, -1)

    def _say(self, text: Message, entry: int) -> None:
        self._told += 1
        self.log.append(Line(self._told, text, entry))
        del self.log[:-LOG]
        self._effects.append(Tell((text,)))
        self._dirty = True

    def _conclude(self) -> None:
        """After everything: a commit point, a new scene, a new page, if there is one."""
        if self.settled and len(self.match.entries) > self.committed:
            new = self.match.entries[self.committed :]
            texts = tuple(encode_entry(entry).decode() for entry in new)
            self._effects.append(Commit(self.committed, texts, str(self.position)))
            self.committed = len(self.match.entries)
        if not self._dirty:
            return
        self._dirty = False
        self._concluded()
        scene = self.scene()
        if scene != self._scene:
            self._scene = scene
            self._effects.append(Show(scene))
        self._effects.append(Refresh())

    def _concluded(self) -> None:
        """Everything that a fact changed is done."""

    def scene(self) -> Scene:
        """What the lights should mean now: the position's scene, and the table's own marks. Nothing
        invites to a move before the to-do is done and a board that was looked over confirmed."""
        first = self.todo or self.confirm
        legal = [m for m in self.public.scene() if not (first and m.meaning is Meaning.LEGAL)]
        marks = [*legal, *self._marks()]
        for sensor in sorted(self.health.out):
            place = self.board.sensor[sensor].place
            marks += [Mark(c, Meaning.STUCK) for c in place.split("-") if c in self.board.cell]
        return tuple(marks)

    def _marks(self) -> list[Mark]:
        """What the to-do and open questions mean for cells."""
        return [Mark(todo.cell, Meaning.TODO) for todo in self.todo]

    def state(self) -> dict[str, Any]:
        """The whole public state as canonical values: what a recording keeps at commit points."""
        return {
            "position": str(self.public),
            "entries": len(self.match.entries),
            "committed": self.committed,
            "asking": self.asking and self.asking.message.key,
            "out": dict(sorted(self.health.out.items())),
            "lost": self.lost,
        }
