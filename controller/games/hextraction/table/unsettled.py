"""The unsettled: all that came since everything was last beyond doubt, and what it may have been.

It begins at a stand (`retelling.Stand`); what is believed of it can be told anew from there. Times
are board ns.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from hexboard.board import EDGES, Board, CellId
from hexboard.facts import MS
from hexboard.games.hextraction.rules.actions import (
    Accident,
    Action,
    ByBall,
    Fell,
    Goal,
    Gone,
    Off,
    Rest,
    Roll,
    Wall,
)
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import Placed
from hexboard.games.hextraction.table import retelling
from hexboard.games.hextraction.table.retelling import Places, Retelling, Stand
from hexboard.games.hextraction.table.slots import UNKNOWN
from hexboard.games.hextraction.table.weighing import Weighing
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tracking.outcome import Judged
from hexboard.games.hextraction.tracking.passes import Passage, passes
from hexboard.games.hextraction.tracking.readings import NEVER_CNAT
from hexboard.games.hextraction.tracking.tracker import Doors, Tracker
from hexboard.perception.debounce import Change
from hexboard.perception.paces import LONGEST_MS
from hexboard.perception.witness import Testimony
from hexboard.table.senses import Senses

SLOWEST_NS = LONGEST_MS * MS
"""So long a ball may take that goes on by itself; later it was moved."""
NAMELESS = (UNKNOWN.tile, UNREGISTERED.id)
"""Tiles of which nobody has said which."""
STRAINED = 6
"""A roll is read without a sensor once that is less of a strain by more than this."""
SUSPECTS = 8
"""How many of the sensors that spoke last are tried."""
TRIED_SIGNS = 400
"""So many signs are told anew for that at most; a ball makes some thirty."""
MOST_SIGNS = 100
"""A roll of more is not gone through while balls roll."""
WORTH_CNAT = 700
"""How much less likely than the best (1/100 nat) a reading may be and still be offered."""


class Unsettled(Weighing):
    """What sensors and people said since a `stand`."""

    def __init__(self, board: Board, senses: Senses, stand: Stand) -> None:
        super().__init__(board, senses, stand)
        self._comes_to: tuple[object, ...] | None = None

    def rewind(self) -> None:
        super().rewind()
        self.bearable = STRAINED
        """The strain from which another reading is looked for."""
        self.taught = 0
        """Of so many of them the times of balls are learned."""

    def copy(self) -> "Unsettled":
        """The same, of which this one goes on apart; what was weighed goes with it."""
        other = copy(self)
        self._weighed = None
        other.items, other.pauses = [*self.items], [*self.pauses]
        other.hearing = self.hearing.copy()
        return other

    def close(self, after: Hextraction) -> None:
        """Everything is at rest, and what came led to `after`."""
        self._comes_to = retelling.comes_to(after)
        self.taught = len(self.items)
        self.pause()

    @property
    def closed(self) -> bool:
        """Whether this is a roll that was taken to be over."""
        return self._comes_to is not None

    def comes_to_same(self, judged: Judged) -> bool:
        """Whether a reading comes to what all was closed with, or to how it stood at first."""
        known = self._comes_to or retelling.comes_to(self.stand.position)
        return retelling.comes_to(self.retelling.ending(judged)) == known

    def pause(self) -> None:
        """Everything is taken to be at rest."""
        if self.pauses[-1:] != [len(self.items)]:
            self.pauses.append(len(self.items))
        self.hearing.fresh = False

    @property
    def went_on(self) -> bool:
        """Whether anything spoke after the last pause, or may have done so unheard."""
        return self.hearing.fresh or any(item.level for item in self._since_pause)

    @property
    def released(self) -> bool:
        """Whether this was closed, and a sensor on which a ball lay let go of it since: it may have
        been knocked on by one that went on."""
        let_go = (it for it in self._since_pause if not it.sensor.startswith("load:"))
        return self._comes_to is not None and any(let_go)

    def over(self, now: int) -> bool:
        """Whether this was closed, and so long ago that nothing goes on by itself any more."""
        return self._comes_to is not None and still(self, now) > SLOWEST_NS

    @property
    def _since_pause(self) -> list[Change]:
        return _spoken(self.items[self.pauses[-1] :] if self.pauses else [])

    def since(self) -> set[str]:
        """The sensors that spoke after the last pause."""
        return {item.sensor for item in self._since_pause}

    @property
    def placed(self) -> set[int]:
        """The balls of which people said where they are."""
        return {item.ball for item in self.items if isinstance(item, ByBall)}

    @property
    def rests(self) -> set[tuple[int, str]]:
        """Balls and where they are known to lie: from the stand, or by people's word."""
        said = {(item.ball, item.place) for item in self.items if isinstance(item, Rest)}
        return {*self.stand.position.places()} | said

    @property
    def retelling(self) -> Retelling:
        """How a reading would be told."""
        return Retelling(self.stand, self.items)

    # ------------------------------------------------------------------------------ suspects

    def suspect(self, strain: int, doors: Doors) -> str | None:
        """The sensor to leave out: of those that spoke last, the one without which least strain is
        left, if that is less than this `strain` by more than `STRAINED`. None if there is no such
        sensor; the limit (`bearable`) is then raised."""
        some = min(SUSPECTS, max(1, TRIED_SIGNS // len(self.items)))
        without, sensor = min((self._without(s, doors), s) for s in self.spoke()[:some])
        if without + STRAINED < strain:
            return sensor
        self.bearable = strain + STRAINED
        return None

    def _without(self, sensor: str, doors: Doors) -> int:
        """How much of a strain all would be had `sensor` kept silent."""
        tracker, position = self.stand.tracker.copy(), self.stand.position
        for item in self.items:
            if not isinstance(item, Change):
                if position.refusal(item) is None:
                    told(tracker, item, position.next_ball, doors)
                    position = position.play(item)
            elif item.sensor != sensor:
                for action in tracker.change(item, doors, position.next_ball):
                    if isinstance(action, Roll) and position.refusal(action):
                        action = Accident(action.ramp)
                    position = position.play(action)
        return tracker.strain

    def testimony(self, judged: Judged) -> Testimony:
        """What a reading says of the sensors themselves. One on which a ball lay from the start
        could say nothing of another that came by, and one at a wall is not reached by every ball
        that turns back there."""
        told = {number for number, *_ in judged.story if number < len(self.items)}
        signs = (self.items[number] for number in told)
        saw = (sign.sensor for sign in signs if isinstance(sign, Change))
        excused = lain_on(self.items, self._senses.felt) | unfelt_walls(
            judged, self.items, self.board
        )
        missed = (sensor for sensor in judged.missed if sensor not in excused)
        times = timed(took(self, judged))
        return Testimony(tuple(sorted(saw)), tuple(sorted(missed)), judged.false, *times)

    def void(self) -> None:
        """People say that it was no roll: gates that spoke did so for nobody, or nobody's hand."""
        gates = (sensor for sensor in self.spoke() if sensor.startswith("gate:"))
        self._senses.witnesses.between(gates)

    def elsewhere(
        self, judged: Judged, after: Hextraction, others: Sequence[Judged]
    ) -> list[tuple[int, Places]]:
        """Where balls lie in the `others` that come to the same outcome as what was `judged`, and
        how much less likely each is. Left out are readings that are less likely by more than
        `WORTH_CNAT`, and those with a ball that the position `after` it does not know."""
        retold = self.retelling
        known = {ball for ball, _ in retelling.places(after)}
        likely = [
            one
            for one in others
            if one.ruling.outcome == judged.ruling.outcome
            and one is not judged
            and one.cost <= judged.cost + WORTH_CNAT
        ]
        found = [
            (one.cost - judged.cost, retelling.places(retold.ending(one)))
            for one in likely[: retold.most]
        ]
        return [one for one in found if known.issuperset(dict(one[1]))]


def took(roll: Unsettled, judged: Judged) -> Iterator[Passage]:
    """How long balls took through tiles that lay there all the time, as far as that is not learned
    yet."""
    if not roll.hearing.gaps:
        handled = {sensor.removeprefix("seat:") for sensor in roll.spoke()}
        known = roll.stand.physical.items()
        lies = {s: it for s, it in known if s not in handled and it.tile not in NAMELESS}
        tiles = roll.stand.position.setting.tiles
        doors = {it: tiles[it.tile].doors(it.rotation) for it in lies.values()}
        for passed in passes(roll.items, judged.story, lies, roll.board, doors):
            if passed.number >= roll.taught:
                yield passed


def timed(
    passes: Iterable[Passage],
) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """How long balls took on ways, and on courses, ms."""
    known = list(passes)
    ways = tuple((it.way, it.ms) for it in known)
    return ways, tuple((it.course, it.ms) for it in known if it.course)


def still(roll: Unsettled, now: int) -> int:
    """For how long no sensor has spoken of a ball in it, ns; 0 where none has."""
    spoken = _spoken(roll.items)
    return now - spoken[-1].at if spoken else 0


def _spoken(items: Iterable[Change | Action]) -> list[Change]:
    """What sensors said of balls; hands lift tiles, and lay them."""
    changes = (item for item in items if isinstance(item, Change))
    return [item for item in changes if not item.sensor.startswith("seat:")]


def explains(roll: Unsettled, sensor: str, lying: dict[CellId, Placed], now: int) -> bool:
    """Whether balls made all signs of a sensor, by the likeliest reading of what came; the tracker
    knows no better than to take balls that push each other on for a bad sensor."""
    if len(roll.items) > MOST_SIGNS:
        return False
    readings = roll.readings(lying, now, most=NEVER_CNAT).readings
    return sensor not in min(readings, key=lambda reading: reading.cost).liars


def told(tracker: Tracker, action: Action, next_ball: int, doors: Doors) -> None:
    """Let a tracker know that a ball is where a person says."""
    match action:
        case Rest(ball, place):
            tracker.put(ball, place, doors)
        case Goal(ball, zone):
            tracker.put(ball, f"zone:{zone}", doors)
        case Fell(ball) | Off(ball) | Gone(ball):
            tracker.balls.pop(ball, None)
        case Roll(lane):
            tracker.put(next_ball, lane, doors)
            tracker.balls[next_ball].moving = True


def lain_on(items: Sequence[Change | Action], high: set[str]) -> set[str]:
    """The sensors that were active when all began, where these are now."""
    first = {it.sensor: it.level for it in reversed(items) if isinstance(it, Change)}
    return {s for s, level in first.items() if not level} | high - first.keys()


def unfelt_walls(judged: Judged, items: Sequence[Change | Action], board: Board) -> set[str]:
    """The sensors around tiles from which balls turned back without a word of any."""
    found = set[str]()
    for number, _, act in judged.story:
        if isinstance(act, Wall):
            around = {f"edge:{board.seam(act.slot, edge)}" for edge in EDGES}
            sign = items[number] if number < len(items) else None
            if not isinstance(sign, Change) or sign.sensor not in around:
                found |= around
    return found
