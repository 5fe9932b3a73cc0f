"""An evening: matches, turns, people who think, rolls that physics decides; and what was heard."""

from random import Random

from msgspec.structs import replace

from hexboard.board import Board, find, load
from hexboard.games.hextraction.tiles.catalogue import everything
from tests.worlds import hands, rules
from tests.worlds.electrics import Window, Wires, poisson
from tests.worlds.knobs import Knobs
from tests.worlds.physics import Contact, Rest, Run, places
from tests.worlds.post import Outage, Post
from tests.worlds.room import Room, ns
from tests.worlds.truth import OUT, Evening, Part, Roll, Sign, Touch

BOARD = "hextraction-22"
PATIENCE_S = 4.0
"""People look at the board for so long once all lies still."""


def evening(seed: int, knobs: Knobs | None = None, board: Board | None = None) -> Evening:
    """The evening of a seed. The same seed and knobs give the same evening."""
    knobs = knobs or Knobs()
    return _Evening(seed, knobs, board or load(find(BOARD))).played()


class _Evening:
    def __init__(self, seed: int, knobs: Knobs, board: Board) -> None:
        kinds = tuple(everything()[id] for id in knobs.sets)
        self._seed, self._knobs, self._board = seed, knobs, board
        self._random = Random(f"evening {seed}")
        self._trouble = Random(f"trouble {seed}")  # so that it falls upon one and the same evening
        self._room = Room(board, kinds, knobs, self._random)
        self._parts: list[Part] = []
        self._windows: list[Window] = []
        self._outages: list[Outage] = []
        self._steps: list[tuple[float, float]] = []
        self._shots: list[float] = []
        self._rolls = self._since = self._seat = 0
        self._over = True

    def played(self) -> Evening:
        room = self._room
        for rail in self._board.rails:
            room.contacts.append(Contact(f"rail:{rail.id}", -1.0, None, 0, "rail"))
        while self._rolls < self._knobs.rolls:
            if self._over:
                self._begin()
            self._turn()
        return Evening(self._seed, self._posted())

    # ------------------------------------------------------------------------------- the match

    def _begin(self) -> None:
        """The board is cleared and laid anew."""
        room, since = self._room, self._room.now
        for slot in list(room.ground.tiles):
            room.now += self._random.uniform(0.3, 0.8)
            room.lift(slot)
        for ball in list(room.resting):
            room.take(ball)
        room.now += 5
        for cell in self._board.cells:
            if self._random.random() < self._knobs.filled:
                room.now += self._random.uniform(0.3, 1.0)
                room.lay(cell.id, *room.fitting(cell.id))
        room.now += 2
        self._shots.append(room.now)
        self._over, self._since, self._seat = False, 0, 0
        self._part("begin", since)

    def _turn(self) -> None:
        """A roll and a play in either order, and the end of the turn."""
        if self._random.random() < 0.5:
            self._play()
            self._roll()
        else:
            self._roll()
            if not self._over:
                self._play()
        if self._over:
            return
        self._room.wait(self._knobs.think_s / 4)
        self._part("end", self._room.now, "end")
        self._seat = 1 - self._seat
        self._over = self._since >= self._knobs.match_rolls

    def _gap(self) -> None:
        """People think, and hands are hands."""
        room, since = self._room, self._room.now
        room.wait(self._knobs.think_s / 2)
        hands.between(room)
        room.wait(self._knobs.think_s / 2)
        self._windows.append(Window(since, room.now, self._knobs.false_between, self._knobs.bursts))
        for _ in range(poisson(self._knobs.steps, self._trouble)):
            step = self._trouble.uniform(since, room.now), self._trouble.uniform(-0.2, 0.2)
            self._steps.append(step)
        self._part("gap", since)

    def _play(self) -> None:
        """A tile from the hand into an open slot; where there is none, one is cleared first."""
        self._gap()
        room = self._room
        if not room.ground.open_slots:
            slot = self._random.choice(room.lonely() or list(room.ground.tiles))
            self._part("clear", room.now, f"clear {slot}")
            self._tidy((slot,))
        since = room.now
        slot = self._random.choice(room.ground.open_slots)
        tile, rotation = room.fitting(slot)
        room.now += self._random.uniform(0.5, 2.0)
        if self._random.random() < self._knobs.fingers:
            room.felt(f"fall:{slot}", room.now - 0.3, self._random.uniform(0.02, 0.2))
            room.did("finger", room.now - 0.3, slot)
        room.lay(slot, tile, rotation)
        room.now += self._random.uniform(0.5, 3.0)
        self._part("play", since, f"play {tile.id} {slot} {rotation}")

    def _tidy(self, slots: tuple[str, ...]) -> None:
        """Hands take away the tiles that go."""
        room, since = self._room, self._room.now
        for slot in slots:
            room.now += self._random.uniform(1.0, 3.0)
            room.remove(slot)
        room.now += PATIENCE_S
        self._part("tidy", since)

    # ------------------------------------------------------------------------------- rolls

    def _roll(self) -> None:
        self._gap()
        room, since = self._room, self._room.now
        lanes = room.lanes()
        if not lanes:  # nothing can be rolled; people begin anew
            self._over = True
            return
        lane, ball = self._random.choice(lanes), room.new_ball()
        before = dict(places(room.resting))
        load, begin = self._laid(ball, lane)
        run = room.run()
        if self._random.random() < self._knobs.slow_rolls:
            run.slow_at = self._random.randint(1, 2)
        run.release(ball, lane, begin)
        contested = self._second(run, lanes, lane, begin)
        run.finish()
        room.ran(run)
        hands.in_roll(room, begin, run.end, {slot for _, _, slot in run.touches})
        swap = self._swapped(run, begin)
        self._rolls += 1
        self._since += 1
        truth = self._truth(run, lane, begin, [load], before)
        outage = self._broken(run, begin)
        truth = replace(truth, outage=outage, open_rule=contested or swap)
        if outage in ("unplug", "reboot", "kill"):
            last = self._outages[-1]
            truth = replace(truth, silence=(ns(last.begin), ns(last.end)))
        signs = len(truth.signs)
        whole = self._outages[-1].end if outage else 0.0  # people see to it before they go on
        room.now = max(room.now, run.end, whole) + PATIENCE_S
        self._windows.append(Window(since, run.end + 1.0, self._knobs.false * signs))
        self._part("roll", since, roll=truth)
        if truth.won:
            self._over = True
        elif truth.destroyed:
            self._tidy(truth.destroyed)

    def _laid(self, ball: int, lane: str) -> tuple[Contact, float]:
        """A ball into a lane: what the load sensor feels, and when it is let go."""
        room, random = self._room, self._random
        room.now += 0.35
        load = Contact(f"load:{lane}", room.now, None, ball, "load")
        room.contacts.append(load)
        room.resting[ball] = Rest(f"lane {lane}", 0, (), load)
        held = 0.0 if random.random() < 0.2 else random.uniform(0.3, 2.0)
        if random.random() < self._knobs.brushes:
            at = room.now + random.uniform(-0.3, held)
            room.felt(f"gate:{lane}", at, random.uniform(0.005, 0.08))
            room.did("brush", at, lane)
        room.now += held
        return load, room.now

    def _second(self, run: Run, lanes: list[str], lane: str, begin: float) -> str:
        """Perhaps a second ball, let go in another lane while the first one rolls."""
        others = [other for other in lanes if other != lane]
        if not others or self._random.random() >= self._knobs.doubles:
            return ""
        other, ball = self._random.choice(others), self._room.new_ball()
        at = begin + self._random.uniform(0.2, 1.5)
        load = Contact(f"load:{other}", at, None, ball, "load")
        self._room.contacts.append(load)
        self._room.resting[ball] = Rest(f"lane {other}", 0, (), load)
        run.release(ball, other, at)
        return "second ball"

    def _swapped(self, run: Run, begin: float) -> str:
        """Perhaps a tile that no ball came near has been replaced while they rolled."""
        room = self._room
        near = {slot for _, _, slot in run.touches}
        slots = [slot for slot in room.lonely() if slot not in near]
        if not slots or self._random.random() >= self._knobs.swaps:
            return ""
        slot, now = self._random.choice(slots), room.now
        room.now = self._random.uniform(begin, run.end)
        room.lift(slot)
        room.now += 0.7
        room.lay(slot, *room.fitting(slot))
        room.did("replaced", room.now - 0.7, slot)
        room.now = max(now, room.now)
        return "tile replaced"

    def _truth(
        self, run: Run, lane: str, begin: float, laid: list[Contact], before: dict[int, str]
    ) -> Roll:
        """What the roll was, and what the rules make of it."""
        room = self._room
        goals = {ball for ball, _ in run.goals if ball in room.resting}
        gone, crowds = rules.destroyed(run, room.ground, self._random)
        felt = sorted([*laid, *run.contacts], key=lambda contact: contact.on)
        return Roll(
            number=self._rolls,
            seat=self._seat,
            lane=lane,
            begin=ns(begin),
            end=ns(run.end),
            balls=tuple(run.moved),
            signs=tuple(_sign(contact) for contact in felt),
            touches=tuple(Touch(ns(at), ball, slot) for at, ball, slot in sorted(run.touches)),
            rests={
                ball: places(room.resting).get(ball, OUT) for ball in sorted({*before, *run.moved})
            },
            won=bool(goals),
            destroyed=() if goals else gone,
            off=tuple(run.off),
            fell=tuple(run.fell),
            crowds=() if goals else crowds,
            slow_s=run.slow_s,
        )

    def _broken(self, run: Run, begin: float) -> str:
        """Perhaps an outage at a random moment of the roll, or the loss of one sign and of what
        follows it; its kind."""
        knobs, draw = self._knobs, self._trouble.random()
        kinds = {
            "unplug": knobs.unplugs,
            "reboot": knobs.reboots,
            "loss": knobs.losses,
            "kill": knobs.kills,
        }
        for kind, rate in kinds.items():
            if draw < rate:
                at = self._trouble.uniform(begin, run.end)
                lasts = 1.2 + self._trouble.lognormvariate(0, 0.6) * knobs.outage_s
                if kind == "loss":
                    at = self._trouble.choice(run.contacts).on - 0.001
                    lasts = self._trouble.uniform(0.02, 1.0)
                self._outages.append(Outage(kind, at, at + lasts))
                return kind
            draw -= rate
        return ""

    # ------------------------------------------------------------------------------- what is heard

    def _part(self, kind: str, since: float, *declares: str, roll: Roll | None = None) -> None:
        room = self._room
        room.now = max(room.now, since) + 0.01
        part = Part(
            kind,
            ns(since),
            ns(room.now),
            self._seat,
            room.ground.layout,
            places(room.resting),
            declares,
            roll,
            room.taken_deeds(),
        )
        self._parts.append(part)

    def _posted(self) -> tuple[Part, ...]:
        """The parts, each with the reports that arrive before the next one begins."""
        end = self._room.now + 1
        wires = Wires(self._board, self._knobs, self._trouble, end)
        changes = wires.transitions(self._room.contacts, self._windows)
        post = Post(
            self._board, self._knobs, self._trouble, self._outages, self._steps, self._shots
        )
        reports = sorted(
            post.reports([change for change in changes if change[0] <= end], end),
            key=lambda it: it[0],
        )
        found, i = [], 0
        for part, after in zip(self._parts, [*self._parts[1:], None], strict=True):
            k = i
            while k < len(reports) and (after is None or reports[k][0] < after.begin):
                k += 1
            some = reports[i:k]
            found.append(
                replace(
                    part,
                    reports=tuple(report for _, report in some),
                    arrivals=tuple(arrival for arrival, _ in some),
                )
            )
            i = k
        return tuple(found)


def _sign(contact: Contact) -> Sign:
    off = None if contact.off is None else ns(contact.off)
    return Sign(contact.sensor, contact.ball, ns(contact.on), off, contact.way, contact.speed)
