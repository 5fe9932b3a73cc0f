"""The table of rolling balls: sensors say where they pass, the tracker follows them.

A ball's day in here: the debouncer lets an edge through, the tracker moves the ball from B2 to C2,
the match plays that happening, the position says what the lights should mean.
"""

from collections.abc import Iterator
from typing import Any, get_args

from controller.board import Board, CellId
from controller.effects import Corrected
from controller.errors import BadText
from controller.facts import MS, Resume, Start
from controller.games.hextraction import resolving
from controller.games.hextraction.actions import (
    Accident,
    Action,
    Choose,
    Drop,
    Fell,
    Goal,
    Gone,
    OfBall,
    Off,
    Play,
    Rail,
    Resolve,
    Rest,
    Roll,
    Settle,
)
from controller.games.hextraction.areas import Area
from controller.games.hextraction.position import Hextraction
from controller.games.hextraction.state import Placed
from controller.games.position import Played
from controller.perception.automaton import Automaton
from controller.perception.debounce import Change
from controller.perception.health import PULSED, Verdict
from controller.perception.inference import Cell, Look
from controller.perception.readings import Counting, Judged, Readings, doubt, likeliest
from controller.perception.tracker import Track, Tracker
from controller.scene import Mark, Meaning
from controller.table import questions, retelling, sight, slots
from controller.table.core import Choice, Table, Todo
from controller.table.retelling import Places, Retelling, Stand
from controller.table.slots import UNKNOWN
from controller.words import Message, message

STRAINED = 6
"""A roll is read without a sensor once that is less of a strain by more than this."""
SUSPECTS = 8
"""How many of the sensors that spoke last are tried."""
STORM = 300
"""Signs in one roll from which it is no longer read anew: a ball makes some thirty. Then people are
asked whether the roll counts."""

DOUBT = 20_000
"""How unlikely, in millionths, the best ruling may be wrong without people being asked."""
WORTH = 700
"""How much less likely than the best (1/100 nat) a reading may be and still be offered."""

GRACE = 5_000 * MS
"""How long people have to call a vote once an effect has decided the game (2.8.2, 2.9.2)."""

LEVELS = ("seat", "rail")
SEEN = (Accident, Drop, Rail, Settle, *get_args(OfBall))
"""Physics: what comes from sensors or answers, and nobody declares."""


class Balls(Table):
    """A table of Hextraction: tiles in slots, balls that roll through them."""

    def __init__(self, board: Board, begin: Start | Resume) -> None:
        super().__init__(board, begin)
        self.tracker = Tracker(board, self.areas, self.ramps)
        self.physical: dict[CellId, Placed] = dict(self.position.tiles)
        """What is believed to lie in the slots; where it differs from the position is the to-do."""
        self.tracker.place(self.position.places(), self.doors)
        # the last believed sign of a moving ball
        self._quiet_since: int | None = 0 if self._rolling else None
        self._grace_since: int | None = None  # an effect has decided the game
        self._stand_here()
        self._automaton: Automaton | None = None
        self._lying: tuple[str, ...] | None = None  # where a camera saw balls, since any moved
        self._odd = sight.NOTHING  # what people were asked of them
        self.watched = False
        """A camera has seen the board."""
        self._likely: list[Judged] = []  # the readings of the open question
        # where balls may lie as well, as long as the position has them where they are believed
        self._believed: Places = ()
        self._elsewhere: list[tuple[int, Places]] = []
        self._unfelt: dict[int, str] = {}  # where balls are said to be that no sensor feels

    @property
    def position(self) -> Hextraction:
        position: Hextraction = self.match.position
        return position

    @property
    def _rolling(self) -> bool:
        """Balls move that count. Otherwise nothing physical is open, and what was played is final:
        the position is stable, or waits for a person to choose, roll or play."""
        return self.position.phase == "rolling"

    @property
    def _in_doubt(self) -> bool:
        """Between rolls: people are asked whether a ball has rolled. Until they say so nothing is
        final: what has happened meanwhile may have to be told anew."""
        return not self._rolling and self._asks("table.which", "table.where")

    @property
    def settled(self) -> bool:
        return not (self._rolling or self._in_doubt)

    @property
    def quiet(self) -> bool:
        return self._quiet_since is None and super().quiet

    @property
    def at_rest(self) -> tuple[str, ...] | None:
        """Where a camera should see balls; None while some may roll."""
        moving = self._rolling or self._quiet_since is not None
        return None if moving else sight.known(self.board, self.position)

    def _timers(self) -> list[tuple[int, str]]:
        timers = super()._timers()
        if self._quiet_since is not None:
            timers.append((self._quiet_since + self.settle_ns, "settle"))
        if self._grace_since is not None:
            timers.append((self._grace_since + GRACE, "grace"))
        return timers

    def _timer(self, name: str, due: int) -> None:
        if name == "settle":
            self._settle()
        elif name == "grace":
            self._grace_since = None
            self._play(Settle())
        else:
            super()._timer(name, due)

    # ---------------------------------------------------------------------------------- sensing

    def _found(self, sensor: str, level: bool) -> None:
        kind, place = sensor.split(":", 1)
        if kind in LEVELS:
            self._level(kind, place, level)

    def _held(self, sensor: str) -> bool:
        return self.tracker.explains(sensor)

    def _believe(self, change: Change) -> None:
        """Power, a seated tile, or the sign of a ball."""
        self._lying = None
        if self._asks_odd:
            self._withdraw()
            self._odd = sight.NOTHING
        self._since.append(change)
        self._take(change)
        if self._rolling and self.tracker.strain > self._bearable:
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
        next_ball = self.position.next_ball
        for action in self.tracker.change(change, self.doors, next_ball):
            if self.asking and (self._rolling or self._laying):
                self._withdraw()
            if isinstance(action, Roll):
                allowed = not self.todo and self.position.refusal(action) is None
                action = action if allowed else Accident(action.ramp)
            self._play(action)
            if isinstance(action, Roll | Accident):
                self.tracker.rename(next_ball, self.position.balls[-1].id)
            self._quiet_since = change.at
        released = change.sensor.startswith("load:") and not change.level
        if self._slipped():  # a ball left its loading place: it is about to roll, or did unseen
            self._quiet_since = change.at
        if self._quiet_since is not None and (released or change.sensor.startswith(PULSED)):
            self._quiet_since = max(self._quiet_since, change.at)

    def doors(self, slot: CellId) -> Any:
        """What a ball meets in a slot as it physically is (the tracker's `Doors`)."""
        return slots.doors(self.position.setting, self.physical.get(slot))

    def areas(self, slot: CellId) -> tuple[Area, ...]:
        """Where balls set something off in a slot as it physically is."""
        return slots.areas_in(self.position.setting, self.physical.get(slot))

    def ramps(self) -> tuple[CellId, ...]:
        """Tiles from whose own ramp a ball may be rolled now."""
        return () if self.todo else self.position.own_ramps

    def _heeded(self, sensor: str) -> bool:
        """Fitted, and to be believed."""
        return self.debouncer.known(sensor) and sensor not in self.health.out

    def _high(self, sensor: str) -> bool:
        """Believed active, and to be believed."""
        return self._heeded(sensor) and self.debouncer.level(sensor)

    def _verdict(self, verdict: Verdict) -> Message:
        """The roll is read anew without what a misbehaving sensor said."""
        why = super()._verdict(verdict)
        kind, place = verdict.sensor.split(":", 1)
        if not verdict.state and kind in LEVELS:  # it may have changed while nobody listened
            self._level(kind, place, self.debouncer.level(verdict.sensor))
        readable = self._rolling and len(self._since) <= STORM
        if verdict.state and readable and verdict.sensor in self._spoke():
            self._reread(why)
        return why

    def _stand_here(self) -> None:
        """All that led here is beyond doubt."""
        self.tracker.strain = 0
        self._stand = Stand(
            len(self.match.entries), self.position, self.tracker.copy(), dict(self.physical)
        )
        self._since: list[Change | Action] = []  # what led from there to here
        self._bearable = STRAINED  # the strain from which another reading is looked for
        self._taken = 0  # the ball that an effect has rolled anew since

    def _spoke(self) -> list[str]:
        """The sensors whose word led here, the last one first."""
        changes = (item.sensor for item in reversed(self._since) if isinstance(item, Change))
        return list(dict.fromkeys(changes))

    def _reread(self, why: Message) -> None:
        """Replace everything provisional by what the trusted sensors say."""
        stand, since = self._stand, self._since
        self._effects.append(Corrected(why))
        self._forget()
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
        self._quiet_since = self.now if self._rolling else None

    def _forget(self) -> None:
        """Drop what was played since all was beyond doubt: it is told anew."""
        first = self._stand.entries
        assert first >= self.committed, "what is journalled stands"
        self.match.forget(first)
        self.log = [line for line in self.log if line.entry < first]

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

    # ------------------------------------------------------------------------------- at rest

    def _settle(self) -> None:
        """No edge for the settle time: conclude the roll, or ask where a ball is."""
        self._quiet_since = None
        if self._rolling:
            if self.position.freed and self.todo:
                return  # balls lie on a tile that is to be taken out first (K18)
            if len(self._since) > STORM:
                self._question(*questions.storm(len(self._since)))
            elif out := [slot for slot in self.position.tiles if slot not in self.physical]:
                self._question(*questions.dropped(out[0]))
            else:
                self._judge()
            return
        rests, missing = self.tracker.settle(self._high)
        if self._slipped() and not missing:
            self._judge()
            return
        for rest in rests:
            self._play(rest)
        for track in missing:  # an accident's ball: it changes nothing, the likeliest will do
            guesses = [] if track.let_go else self.tracker.guesses(track, self.doors)
            self._answer(guesses[0] if guesses else Gone(track.id))

    def _slipped(self) -> bool:
        """Between rolls: whether a ball left its loading place, and no gate has seen it since."""
        loads = self.tracker.loads.values()
        return not self._rolling and any(not lies for lies, _ in loads)

    def _judge(self) -> None:
        """Weigh all that the roll may have been, and rule; or ask, where it matters what it was."""
        if self._in_doubt:
            self._withdraw()
        judged = self._readings().judge(self._high)
        best = likeliest(judged)
        begun = not self._rolling and any(isinstance(act, Roll) for *_, act in best.story)
        if doubt(judged) > DOUBT or best.blind or begun:
            self._ask(judged)
        else:
            known = {*self._stand.position.places()}
            known |= {(item.ball, item.place) for item in self._since if isinstance(item, Rest)}
            self._adopt(best, judged)
            self._tell_unfelt(known)

    def _tell_unfelt(self, known: set[tuple[int, str]]) -> None:
        """Say which balls are only believed to lie where they lie, beside those that are known."""
        for ball, place in self.position.places():
            if place in self.position.tiles and (ball, place) not in known:
                self._unfelt[ball] = place
                self._news(message("table.unfelt", "2.3.1", ball=ball, place=place))

    @property
    def unfelt(self) -> set[int]:
        """Balls that stopped inside a tile, as far as anyone can tell, where no sensor is."""
        return {ball for ball, at in self.position.places() if self._unfelt.get(ball) == at}

    def _readings(self) -> Readings:
        """All readings of what came in since everything was beyond doubt."""
        stand, physical = self._stand, dict(self._stand.physical)
        setting, before = stand.position.setting, stand.position

        def automaton() -> Automaton:
            self._automaton = Automaton(
                self.board,
                lambda slot: slots.doors(setting, physical.get(slot)),
                lambda slot, edge: slots.odds(setting, physical.get(slot), edge),
                self._heeded,
                lambda slot: slots.areas_in(setting, physical.get(slot)),
                self._automaton,
            )
            return self._automaton

        layout = automaton()
        lying = [
            (ball, stand.tracker.spot(ball, place, layout), stand.tracker.rolls(ball))
            for ball, place in stand.position.places()
            if not place.startswith(("fell:", "off:")) and ball != self._taken
        ]
        starts = [(0, lying)]
        if stand.position.places() == self._believed and stand.position.phase != "rolling":
            starts += [
                (cost, [(ball, stand.tracker.spot(ball, at, layout), False) for ball, at in places])
                for cost, places in self._elsewhere
            ]
        since = next((item.at for item in self._since if isinstance(item, Change)), self.now)
        loaded = [(lane, stand.tracker.loads[lane][0]) for lane in stand.tracker.loaded(since)]
        each = setting.touches == "of one ball"
        readings = Readings(
            layout,
            starts,
            loaded,
            before.next_ball,
            before.touched if each else {(slot, 0): n for slot, n in before.touches.items()},
            Counting(setting.walls == "touch", each, setting.triggers == "once a roll"),
            before.own_ramps,
        )
        for number, item in enumerate(self._since):
            if not isinstance(item, Change):
                readings.heard(item, number)
            elif item.sensor.startswith("seat:"):
                slot = item.sensor.removeprefix("seat:")
                if slot in self.physical and not item.level:
                    continue  # the switch flickered: the tile lies there
                if item.level:
                    physical.setdefault(slot, stand.position.tiles.get(slot, UNKNOWN))
                else:
                    physical.pop(slot, None)
                readings.automaton = automaton()
            else:
                readings.see(item, number)
        return readings

    @property
    def _retelling(self) -> Retelling:
        """How a reading of what came in since then would be told."""
        return Retelling(self._stand, self._since)

    def _adopt(self, judged: Judged, others: list[Judged]) -> None:
        """End the roll as judged: as it was told so far if that comes to the same, else anew. Where
        `others` only have balls lie elsewhere, that is kept in mind."""
        told = self._retelling.actions(judged)
        after = self._retelling.ending(judged)
        elsewhere = [
            (one.cost - judged.cost, retelling.places(self._retelling.ending(one)))
            for one in others
            if one.ruling.outcome == judged.ruling.outcome
            and one is not judged
            and one.cost <= judged.cost + WORTH
        ]
        # a ball that nobody saw is not kept in mind
        known = {ball for ball, _ in retelling.places(after)}
        elsewhere = [one for one in elsewhere if known.issuperset(dict(one[1]))]
        moving = {track.id for track in self._moving()}
        so_far = retelling.set_off(self._told_so_far())
        rest = retelling.completed(self.position, so_far, moving, after, retelling.set_off(told))
        if rest is None:
            self._effects.append(Corrected(message("table.reread")))
            self._forget()
            rest = told
        for action in rest:
            self._play(action)
        if self._rolling:
            self._play(Settle())
        if not self.asking:  # else a ball is to be laid somewhere
            self.tracker.place(self.position.places(), self.doors)
        self.tracker.settled()
        self._believed, self._elsewhere = self.position.places(), elsewhere
        if not self._rolling:
            self._stand_here()

    def _told_so_far(self) -> Iterator[Action]:
        """What was played since all was beyond doubt."""
        for entry in self.match.entries[self._stand.entries :]:
            if isinstance(entry, Played):
                yield self.position.action(entry.action)

    def _ask(self, judged: list[Judged]) -> None:
        """Ask which reading is true: where a ball is if they differ in that alone, and nobody has
        said so in this roll; else whole."""
        likely = [j for j in judged if j.cost <= judged[0].cost + WORTH]
        wants = [(self._retelling.ending(one), one.ruling.fired) for one in likely]
        self._likely = likely
        found = retelling.where_alone(self.position, wants)
        told = {item.ball for item in self._since if isinstance(item, OfBall)}
        if not found or found[0] in told:  # that one ball lies there may answer nothing
            self._question(*questions.which(likely))
            return
        ball, ends = found
        track = self.tracker.balls.get(ball)
        guesses = self.tracker.guesses(track, self.doors) if track else []
        actions = (*(retelling.ended(ball, end) for end in ends), *guesses)
        last = (track.slot or track.seam or track.zone) if track else "-"
        self._question(*questions.where(self.position, ball, last, actions))

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

    # ------------------------------------------------------------------------------- the camera

    def _read(self, look: Look, balls: tuple[str, ...] | None, at: int) -> None:
        """What a camera sees of a board at rest, beside the sensors."""
        if look and len(look) != len(self.board.cells):
            self._news(message("table.camera_board", cells=len(look), ours=len(self.board.cells)))
            return
        self._lying = balls
        self.watched = True
        if self.asking and not self._asks_odd:
            self._look_up()
        elif look and self._may_be_seen and self.quiet and self._up("journal"):
            for cell, seen in zip(self.board.cells, look, strict=True):
                self._tile_seen(cell.id, seen)
            if balls is not None and not (self.todo or self.confirm):
                self._balls_seen(balls)

    @property
    def _asks_odd(self) -> bool:
        """People are being asked about balls that lie otherwise than is known."""
        return self._asks("table.odd_more", "table.odd_gone", "table.odd_moved")

    def _balls_seen(self, places: tuple[str, ...]) -> None:
        """A ball where none is known, or none where one is: people are asked, once."""
        known = sight.lying(self.board, sight.known(self.board, self.position))
        odd = sight.odd(self.board, sight.lying(self.board, places), known)
        if odd == self._odd or self.position.phase != "idle":
            return
        self._odd = odd
        if self._asks_odd:
            self._withdraw()
            if odd == sight.NOTHING:
                self._news(message("table.camera_again"))
        if odd != sight.NOTHING:
            self._question(*questions.odd(self.position, *odd))

    @property
    def _may_be_seen(self) -> bool:
        """Tiles may be put in or taken out now."""
        return self.position.stable or bool(self.position.freed)

    def _tile_seen(self, slot: CellId, seen: Cell) -> None:
        """A tile that is new in its slot is played, where the rules allow it; what else is not as
        it was believed is to be put right. What a seat switch says stands."""
        there, want = self.physical.get(slot), self.position.tiles.get(slot)
        found = sight.tile(seen, tuple(self.position.setting.tiles), (there, want))
        if len(found) != 1 or found[0] == there:
            return
        placed, switch = found[0], f"seat:{slot}"
        if self._heeded(switch) and self._high(switch) != (placed is not None):
            return
        self._dirty = True
        if placed is None:
            del self.physical[slot]
            return
        self.physical[slot] = placed
        if want is not None:
            return
        play = Play(placed.tile, slot, placed.rotation)
        if refusal := self.position.refusal(play):
            self._news(refusal)
        else:
            self._declare(-1, self.position.name(play))

    def _question(self, text: Message, choices: tuple[Choice, ...]) -> None:
        super()._question(text, choices)
        self._look_up()

    def _look_up(self) -> None:
        """Answer the open question by what the camera saw, where only one answer agrees with it."""
        if self.asking is None or self._lying is None:
            return
        agree = {choice.name: self._agrees(choice.name) for choice in self.asking.choices}
        names = [name for name, (exactly, _) in agree.items() if exactly]
        names = names or [name for name, (_, nearly) in agree.items() if nearly]
        if len(names) == 1:
            self._news(message("table.camera_settles", seen=", ".join(self._lying) or "-"))
            self._decide(self.asking.id, names[0])

    def _agrees(self, choice: str) -> tuple[bool, bool]:
        """Whether balls lie as they would if an answer were true; or near there."""
        seen = sight.lying(self.board, self._lying or ())
        if choice.startswith("reading "):
            number = int(choice.removeprefix("reading "))
            return sight.comes_to(self.board, seen, self._likely[number - 1].ruling)
        try:
            return sight.agrees(self.board, seen, self.position, self.position.action(choice))
        except BadText:  # void, stays
            return False, False

    # -------------------------------------------------------------------------- what people say

    def _declare(self, seat: int, name: str) -> None:
        if isinstance(self.position.action(name), SEEN):
            raise BadText("table.not_declared", action=name)
        if self._in_doubt:
            raise BadText("table.question_first")
        action = self._declared(seat, name)
        if isinstance(action, Roll) and self.todo:
            raise BadText("table.todo_first")
        self._since.append(action)
        self._answer(action)
        if isinstance(action, Roll):
            self._quiet_since = self.now

    def _decide(self, question: int, name: str) -> None:
        in_doubt = self._in_doubt
        self._answered(question, name)
        if name == "as known":
            return
        if name.startswith("ball "):
            self._rule(name, "camera", "")
            return
        if name == "void":
            self._no_roll() if in_doubt else self._rule("void", "host", "")
            return
        if name.startswith("stays "):
            slot = name.removeprefix("stays ")
            self.physical[slot] = self.position.tiles[slot]
            self._settle()
            return
        if name.startswith("reading "):
            self._adopt(self._likely[int(name.removeprefix("reading ")) - 1], self._likely)
            return
        if name.startswith("lifted "):
            return  # it is on the to-do
        if name == "laid":
            self._settle()
            return
        action = self.position.action(name)
        self._since.append(action)
        self._answer(action)
        if not isinstance(action, Resolve | Choose):
            self._settle()

    def _rule(self, do: str, who: str, why: str) -> None:
        """A host's word (see `facts.Ruling`). The board is believed to be as it says."""
        before = self.position
        match do.split(" "):
            case ["void"] if self._in_doubt:
                self._no_roll()
            case ["void"] if before.stable:
                self._undo(only=Roll)
            case ["void"]:
                self._replace(before.void(), who, why)
            case ["play", "on"] if self.asking:
                self._decide(self.asking.id, self.asking.choices[0].name)
                self._news(message("table.play_on", who=who))
            case ["play", "on"] if self._rolling:
                super()._rule(do, who, why)
                self._quiet_since = None
                self.tracker.place(before.places(), self.doors)
                self._play(Settle())
            case ["tile", slot, "-"]:
                self._replace(before.with_tile(slot, None), who, why)
                self.physical.pop(slot, None)
            case ["tile", slot, tile, rotation] if rotation in tuple("012345"):
                placed = Placed(tile, int(rotation))
                self._replace(before.with_tile(slot, placed), who, why)
                self.physical[slot] = placed
            case ["ball", ball, place] if ball.isdecimal() and len(ball) < 10:
                if before.ball(int(ball)) is None and int(ball) != before.next_ball:
                    raise BadText("table.no_ball", ball=int(ball), next=before.next_ball)
                after = before.with_ball(int(ball), None if place == "-" else place)
                self.tracker.balls.pop(int(ball), None)  # it moves no more
                self._replace(after, who, why)
            case _:
                super()._rule(do, who, why)

    def _right(self) -> None:
        """The tiles lie as they should. Between rolls the balls do as well, and nothing is asked;
        in a roll that is weighed anew which was asked about."""
        self.physical = dict(self.position.tiles)
        self._unfelt = {}
        super()._right()
        if not self._rolling:
            self._accounted()
        elif self.asking:
            self._withdraw()
            self._settle()

    def _no_roll(self) -> None:
        """The ball that left its loading place between rolls does not count."""
        self._news(message("hextraction.voided", "0.5.8"))
        self._accounted()

    def _accounted(self) -> None:
        """Between rolls: all balls that count are where the position has them."""
        self.tracker.settled()
        self._rest()

    def _undo(self, only: type[Action] | None = None) -> None:
        """Take back all since the stable position before this one, if an `only` action began it."""
        to = self.match.last_choice()
        if only and to is not None:
            first = self.match.entries[to]
            named = isinstance(first, Played) and self.position.action(first.action)
            if not isinstance(named, only):
                raise BadText("table.no_roll_to_void")
        super()._undo()

    def _restart(self) -> None:
        """After the people's word: perception begins again from the position."""
        super()._restart()
        self._odd = sight.NOTHING
        moving = {id for id, track in self.tracker.balls.items() if track.moving}
        self.tracker.place(self.position.places(), self.doors)
        self._quiet_since = None
        if self._rolling:
            for id, track in self.tracker.balls.items():
                track.moving = id in moving
            self._quiet_since = self.now
        self._stand_here()

    # -------------------------------------------------------------------------------- the to-do

    @property
    def todo(self) -> tuple[Todo, ...]:
        """What people must still change by hand, in the board's order."""
        there, want = self.physical, self.position.tiles
        return tuple(slots.todo(self.board, want, there)) if there != want else ()

    def _seat(self, slot: CellId, seated: bool) -> None:
        """A tile bottomed out in a slot, or came out of it."""
        self._dirty = True
        if seated:
            if slot not in self.physical:
                self.physical[slot] = self.position.tiles.get(slot, UNKNOWN)
            if self.asking and self.asking.choices[-1].name == f"lifted {slot}":
                self._withdraw()
            return
        self.physical.pop(slot, None)  # in a roll, people are asked at its end (K32)
        always = self.position.setting.fallen_tiles == "always" and self.position.phase == "idle"
        if always and slot in self.position.tiles and self.asking is None:
            self._question(*questions.fallen(slot))

    # --------------------------------------------------------------------------------- helpers

    def _play(self, action: Action) -> None:
        before = self.position
        super()._play(action)
        position = self.position
        if isinstance(action, Play) and self.physical.get(action.slot) == UNKNOWN:
            self.physical[action.slot] = position.tiles[action.slot]
        self.health.moved(self.now)
        if self._rolling and before.phase != "rolling":
            self.asking = None  # what was asked before is weighed with what rolls now
        if before.phase == "resolving" and isinstance(action, Roll):
            self._taken = resolving.taken(before)
            self.tracker.balls.pop(self._taken, None)
        elif not self._rolling and before.phase in ("rolling", "resolving"):
            self._rest()
            self._await(self._laid(before, action))
        elif laid := self._laid(before, action):
            self._rest()
            self._await(laid)
        elif self._rolling and position.freed and (before.phase != "rolling" or action == Settle()):
            self._rest()  # what is to be taken out holds balls up (K18)

    def _rest(self) -> None:
        """Nothing is open any more, or an effect has changed where balls lie."""
        self._quiet_since = None
        self.asking = None
        self.tracker.place(self.position.places(), self.doors)
        self._stand_here()

    def _let_roll_on(self) -> None:
        """The tiles that held balls up are out (K18)."""
        for id in self.position.freed:
            if id in self.tracker.balls:
                self.tracker.balls[id].moving = True
        self._quiet_since = self.now
        self._stand_here()

    def _laid(self, before: Hextraction, action: Action) -> dict[int, str]:
        """The balls that an effect has people lay elsewhere, from where they may roll on."""
        if isinstance(action, (*SEEN, Roll)) and not isinstance(action, Settle):
            return {}
        places = dict(before.places())
        held = {id for id, place in self.position.places() if places.get(id) == f"fell:{place}"}
        after = dict(self.position.places())
        return {id: at for id, at in after.items() if id not in held and places.get(id) != at}

    def _await(self, laid: dict[int, str]) -> None:
        """Wait until balls lie where an effect has them laid; outside a roll, at most until one is
        rolled: that a ball lies still there nobody has to say."""
        for id, place in laid.items():
            self.tracker.balls[id].moving = self._rolling
            self._question(*questions.laid(id, place))
        self._stand_here()

    @property
    def _laying(self) -> bool:
        """A ball is to be laid somewhere."""
        return self._asks("table.lay")

    def _asks(self, *keys: str) -> bool:
        """One of these questions is open."""
        return self.asking is not None and self.asking.message.key in keys

    def _concluded(self) -> None:
        waits = self._rolling and self.position.freed and not (self.todo or self.asking)
        if waits and self._quiet_since is None:
            self._let_roll_on()
        if self.settled:
            self._stand_here()
        self._choices()

    def _choices(self) -> None:
        """In the phase resolving: ask what is to be chosen. A roll or a play is awaited; when an
        effect has decided the game, a vote may still be called."""
        position = self.position
        if position.phase != "resolving":
            self._grace_since = None
            return
        if position.vote:  # all else waits
            self._grace_since = None
            self.asking = self.asking if self._in_doubt else None
            return
        legal = position.legal
        if legal != (Settle(),):
            self._grace_since = None
        elif self._grace_since is None:
            self._grace_since = self.now
        chosen = [act for act in legal if isinstance(act, Resolve | Choose)]
        question = position.question(position.awaited)
        secret = self.private and self.public.legal != legal  # its own page asks that seat
        if chosen and question and not (self.asking or secret):
            self._question(question.message, questions.choices(position, chosen))

    def _marks(self) -> list[Mark]:
        marks = [Mark(t.slot, Meaning.PASSING) for t in self._moving() if t.slot]
        for todo in self.todo:
            out = todo.put is None and self.physical[todo.cell] != UNKNOWN
            marks.append(Mark(todo.cell, Meaning.DESTROYED if out else Meaning.TODO))
        if self.asking:
            marks += [Mark(t.slot, Meaning.ASK) for t in self._moving() if t.slot]
        return marks

    def _moving(self) -> Iterator[Track]:
        return (track for track in self.tracker.balls.values() if track.moving)

    def state(self) -> dict[str, Any]:
        return super().state() | {
            "physical": {s: f"{p.tile}:{p.rotation}" for s, p in sorted(self.physical.items())},
            "balls": {
                str(t.id): [t.slot, t.seam, t.zone, t.moving] for t in self.tracker.balls.values()
            },
        }
