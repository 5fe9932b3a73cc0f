"""What is believed of tiles and balls, and since when it is beyond doubt."""

from collections.abc import Iterator, Set

from hexboard.board import CellId
from hexboard.facts import MS
from hexboard.game.match import Played
from hexboard.games.hextraction.rules.actions import Action
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Ball
from hexboard.games.hextraction.table.clock import RollClock
from hexboard.games.hextraction.table.feint import Feint
from hexboard.games.hextraction.table.hearing import Hearing
from hexboard.games.hextraction.table.questions import WAITS
from hexboard.games.hextraction.table.retelling import Stand
from hexboard.games.hextraction.table.slots import UNKNOWN, Slots
from hexboard.games.hextraction.table.unsettled import SLOWEST_NS, Unsettled
from hexboard.games.hextraction.tracking.layouts import Layouts
from hexboard.games.hextraction.tracking.passes import way
from hexboard.games.hextraction.tracking.tracker import Track, Tracker
from hexboard.perception.debounce import Change
from hexboard.perception.health import PULSED
from hexboard.table.parts import Parts

LOOSE_NS = 6_000 * MS
"""So long a ball that came loose from a rib may take to the next sensor; then it was taken away."""


class Believed:
    """Where tiles and balls are believed to be at one table, and what is still unsettled."""

    def __init__(self, parts: Parts[Action]) -> None:
        self._parts, self._match = parts, parts.ledger.match
        self.slots = Slots(parts.board, parts.ledger.match)
        feels = parts.senses.high
        self.tracker = Tracker(parts.board, self.slots.areas, self.slots.ramps, feels)
        self.place()
        self.clock = RollClock(parts.settle_ns)
        if self.rolling:
            self.clock.start(0)
        self.unsettled = Unsettled(parts.board, parts.senses, self.stand)
        self.last: Unsettled | None = None
        """The last roll, and what came since: closed on belief, it may turn out to go on."""
        self._feint = Feint()
        self.between = Hearing(parts.board, parts.senses.away)
        """What was not heard lately between rolls, since people looked at the board."""
        self.layouts = Layouts(parts.ledger.match.noted)
        """What speaks against how the tiles are believed to lie."""
        self._unfelt: dict[int, str] = {}  # where balls are said to be that no sensor feels

    # ------------------------------------------------------------------------------ what is so

    @property
    def position(self) -> Hextraction:
        position = self._match.position  # asked for a dozen times an edge: without another call
        assert isinstance(position, Hextraction)
        return position

    @property
    def rolling(self) -> bool:
        """Balls move that count. Otherwise nothing physical is open, and what was played is final:
        the position is stable, or waits for a person to choose, roll or play."""
        return self.position.phase == "rolling"

    @property
    def in_doubt(self) -> bool:
        """Between rolls: people are asked whether a ball has rolled. Until they say so nothing is
        final: what has happened meanwhile may have to be told anew."""
        return not self.rolling and self._parts.question.about("table.which", "table.where", *WAITS)

    @property
    def slow(self) -> int:
        """Until when a ball that moves in a tile may well go on by itself, by what such tiles have
        shown; 0 where none does."""
        inside = (t for t in self.moving if t.slot and t.entry and not (t.leans or self._felt(t)))
        until = [track.moved + self._patience_ns(track) for track in inside]
        if not self.rolling and not (self.last and self.last.went_on):
            loose = self.tracker.loose(self.slots.doors)
            until += [track.moved + LOOSE_NS for track in loose if not self._felt(track)]
        return max(until, default=0)

    def _felt(self, track: Track) -> bool:
        """Whether a ball is felt at the edge over which it came."""
        return any(self._parts.senses.high(f"{kind}:{track.seam}") for kind in ("edge", "gate"))

    def _patience_ns(self, track: Track) -> int:
        """So long a ball may take to the next edge."""
        lies = self.slots.there.get(track.slot, UNKNOWN)
        tile = self.position.setting.tiles.get(lies.tile)
        if tile is None or not self.rolling:
            return 0
        known = self._parts.senses.witnesses.paces
        return known.patience_ms(way(lies, track.entry), tile.takes_ms) * MS

    @property
    def settled(self) -> bool:
        """What was played so far is final."""
        return not (self.rolling or self.in_doubt or self.slipped)

    @property
    def quiet(self) -> bool:
        """No ball rolls, and nothing is being concluded."""
        return not self.clock.runs and self._parts.senses.quiet

    @property
    def slipped(self) -> bool:
        """Between rolls: a ball left its loading place, and no gate has seen it since."""
        loads = self.tracker.loads.values()
        return not self.rolling and any(not lies for lies, _ in loads)

    @property
    def unheard(self) -> bool:
        """A ball left its loading place, and its gate may have spoken while nobody heard."""
        return self.slipped and self.unsettled.hearing.missed

    @property
    def fallen(self) -> list[tuple[int, CellId]]:
        """Balls that lay on a tile which was taken out for good: they fell, or went with it."""
        position, there = self.position, self.slots.there
        lying = [(id, at) for id, at in position.places() if at in self._parts.board.cell]
        return [(id, at) for id, at in lying if at not in there and at not in position.tiles]

    @property
    def placing(self) -> bool:
        """The tile that was just played does not lie there yet, or a part of it: effects come once
        nobody's hand is on it (2.2.5, T.OnPlay)."""
        return any(todo.cell in self.position.playing for todo in self.slots.todo)

    @property
    def open(self) -> list[Unsettled]:
        """What may still be weighed: what came since all was beyond doubt, and the last roll, which
        may go on."""
        return [self.unsettled, *filter(None, [self.last])]

    @property
    def moving(self) -> Iterator[Track]:
        """The balls that move."""
        return (track for track in self.tracker.balls.values() if track.moving)

    # ------------------------------------------------------------------------------ beyond doubt

    @property
    def stand(self) -> Stand:
        """How everything stands now."""
        entries = len(self._match.entries)
        return Stand(entries, self.position, self.tracker.copy(), dict(self.slots.there))

    def stand_here(self) -> None:
        """All that led here is beyond doubt; not what becomes of a ball that was laid in a lane."""
        self.tracker.strain = 0
        heard = self.unsettled.hearing
        self.unsettled.begin(self.stand)
        if self.tracker.loads:
            self.unsettled.hearing.recall(heard)

    def rest(self) -> None:
        """Nothing is open any more, or an effect has changed where balls lie."""
        self.clock.stop()
        self._parts.question.close()
        self.place()
        self.stand_here()

    def place(self) -> None:
        """The balls lie where the position has them."""
        self.tracker.place(self.position.places(), self.slots.doors)
        lying = [place for _, place in self.position.places()]
        self._parts.senses.health.lie(f"{kind}:{at}" for at in lying for kind in ("edge", "gate"))

    def restart(self, now: int) -> None:
        """People have said otherwise: it begins again from the position."""
        self.last = None
        self._feint.forget()
        moving = {id for id, track in self.tracker.balls.items() if track.moving}
        self.place()
        self.clock.stop()
        if self.rolling:
            for id, track in self.tracker.balls.items():
                track.moving = id in moving
            self.clock.start(now)
        self.stand_here()
        if self.unheard:  # what they said is not where that ball is
            self.clock.start(now)

    def told(self) -> Iterator[Action]:
        """What was played since all was beyond doubt."""
        for entry in self._match.entries[self.unsettled.stand.entries :]:
            if isinstance(entry, Played):
                yield self.position.action(entry.action)

    def forget(self) -> None:
        """Drop what was played since all was beyond doubt: it is told anew."""
        self._parts.ledger.forget(self.unsettled.stand.entries)

    def goes_on(self, change: Change) -> bool:
        """Whether this is to be weighed as news of the last roll, or of a ball that lay: between
        rolls, while no ball waits in a lane or can roll from a tile's own ramp, and none is loose.
        Whatever else changes shows that the roll is over."""
        self._feint.recalls(change, self.unsettled, self.tracker)
        if self.rolling or change.sensor.startswith("floor:"):
            return False
        self.fade(change.at)
        if last := self._feint.shows(change, self.last, self.unsettled, self.tracker):
            self.last = last
            return True
        if beside(change, self.position, self.slots):
            if self.last is not None:
                self.last.items.append(change)
            return False
        if self.begins(change):
            if not self.in_doubt:  # what is asked is asked of the last roll
                self._feint.begins(change, self.last)
                self.last = None
            return False
        if change.level and (self.last is None or self.last.too_many):
            self.last = Unsettled(self._parts.board, self._parts.senses, self.stand)
            self.last.hearing.recall(self.between)
            self.last.pause()
        if self.last is not None:
            self.last.items.append(change)
        return change.level

    def fade(self, at: int) -> None:
        """Nothing goes on by then of what was over, or not heard, too long before."""
        if self.last is not None and self.last.over(at):
            self.last = None
        self.between.fade(at - SLOWEST_NS)

    def begins(self, change: Change) -> bool:
        """Whether something else begins between rolls, which is no news of the last one."""
        kind = change.sensor.partition(":")[0]
        if beside(change, self.position, self.slots):
            return False
        waited_for = self.slipped or self.tracker.loaded(change.at)
        begins = kind not in (*PULSED, "floor") or kind == "gate" or bool(waited_for)
        released = self.last is not None and self.last.released
        loose = self._loose and not released
        laying = self._parts.question.about("table.lay")
        return begins or bool(self.slots.ramps()) or loose or laying

    @property
    def _loose(self) -> bool:
        """A ball was let go, or lies where the tile that held it is missing."""
        there = self.slots.there.keys()
        return self.tracker.moving or not all(held(ball, there) for ball in self.position.balls)

    def again(self) -> list[Change | Action]:
        """Believe what was beyond doubt, and nothing since; what came since."""
        stand, since = self.unsettled.stand, self.unsettled.items
        self.tracker, self.slots.there = stand.tracker.copy(), dict(stand.physical)
        self.unsettled.rewind()
        return since

    # ------------------------------------------------------------------------------ felt by nothing

    @property
    def unfelt(self) -> set[int]:
        """Balls that stopped inside a tile, as far as anyone can tell, where no sensor is."""
        if not self._unfelt:
            return set()
        return {ball for ball, at in self.position.places() if self._unfelt.get(ball) == at}

    def suppose(self, ball: int, place: CellId) -> None:
        """A ball lies there as far as anyone can tell."""
        self._unfelt[ball] = place

    def right(self) -> None:
        """People have looked: tiles and balls lie as they should."""
        self.slots.right()
        self._unfelt = {}
        self.last = None
        self._feint.forget()
        self.between.fade(self._parts.now)


def beside(change: Change, position: Hextraction, slots: Slots) -> bool:
    """Whether a hand lays a tile, or lifts one that does not go, and no ball lies on it: those that
    lie elsewhere may go on all the same."""
    kind, slot = change.sensor.split(":", 1)
    stays = slot in position.tiles or slots.there.get(slot, UNKNOWN) == UNKNOWN
    return kind == "seat" and stays and slot not in lain_in(position)


def lain_in(position: Hextraction) -> set[CellId]:
    """The slots in which balls lie, or at whose walls."""
    return {cell for ball in position.balls for cell in _cells(ball.place)}


def held(ball: Ball, there: Set[CellId]) -> bool:
    """Whether the tile that holds a ball lies there: of two at a wall that which it touched last,
    or either where nobody knows."""
    cells = _cells(ball.place)
    by = {ball.last} & cells or cells
    return not cells or not by.isdisjoint(there)


def _cells(place: str) -> set[CellId]:
    """The slots at a ball's place; none where it has left the board."""
    return {cell for cell in place.split("-") if len(cell) > 1} if ":" not in place else set()
