"""Retelling: a reading of a roll, as the match would tell it.

A reading (`tracking.readings`) is a story of balls in numbers of its own. Here it becomes actions
from where everything was last beyond doubt, with what people and other sensors said meanwhile; the
position that they lead to; and what a roll that was told otherwise lacks to come to the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules.actions import (
    Accident,
    Action,
    Fell,
    Fire,
    Goal,
    Gone,
    OfBall,
    Off,
    Rail,
    Rest,
    Roll,
    Settle,
)
from hexboard.games.hextraction.rules.position import Hextraction
from hexboard.games.hextraction.rules.state import LOOP, Ball, Placed
from hexboard.games.hextraction.tracking.outcome import Fired, Judged
from hexboard.games.hextraction.tracking.tracker import Tracker
from hexboard.perception.debounce import Change

Places = tuple[tuple[int, str], ...]
"""Balls and where they lie."""
Areas = Counter[tuple[CellId, str]]
"""Areas that were set off, and how often."""
ROLLING = Roll | OfBall
"""What a reading tells in its own way."""
TOLD_SIGNS = 2_500
"""So many signs are retold as moves before people wait too long for a ruling."""


class Stand(Struct, frozen=True):
    """How everything stood when it was last beyond doubt: what a reading begins from."""

    entries: int
    position: Hextraction
    tracker: Tracker
    physical: dict[CellId, Placed]


class Retelling:
    """Retells readings of what came in `since` all was beyond doubt."""

    def __init__(self, stand: Stand, since: Sequence[Change | Action]) -> None:
        self.stand, self.since = stand, since

    @property
    def most(self) -> int:
        """How many readings can be retold in a step: fifty of a roll of fifty signs."""
        return TOLD_SIGNS // max(len(self.since), 1)

    def told(self, judged: Judged) -> tuple[list[Action], Hextraction]:
        """The whole roll as a reading has it, with what people and other sensors said; and the
        position to which that leads, before it is settled."""
        position, told = self.stand.position, list[Action]()
        names = {ball.id: ball.id for ball in position.balls}  # a reading's number: the match's

        def play(action: Action) -> None:
            nonlocal position
            if position.refusal(action) is None:
                told.append(action)
                position = position.play(action)

        chunks: dict[int, list[tuple[int, Action]]] = {}
        for number, ball, action in judged.story:
            chunks.setdefault(number, []).append((ball, action))
        for number in range(len(self.since) + 1):
            for ball, action in chunks.get(number, ()):
                if isinstance(action, Roll):
                    play(action if position.refusal(action) is None else Accident(action.ramp))
                    names[ball] = position.balls[-1].id
                elif ball in names and not self._lay(ball, action):
                    play(replace(action, ball=names[ball]))
            item = self.since[number] if number < len(self.since) else None
            if isinstance(item, Change):
                if item.sensor.startswith("rail:") and item.level != position.rail:
                    play(Rail(item.level))
            elif item is not None and not isinstance(item, ROLLING):
                play(item)
        return told, position

    def _lay(self, ball: int, action: Action) -> bool:
        """Whether a ball rests where it has lain all the time."""
        before = self.stand.position.ball(ball)
        if before is None or self.stand.tracker.rolls(ball):
            return False
        return isinstance(action, Rest) and before.place == action.place

    def ending(self, judged: Judged) -> Hextraction:
        """The position to which a reading leads, before it is settled."""
        return self.told(judged)[1]


def completed(
    told: Hextraction, so_far: Areas, moving: Collection[int], want: Hextraction, fired: Areas
) -> list[Action] | None:
    """What must still be played so that a roll as `told`, which has set off `so_far` and has these
    balls `moving`, comes to `want` with these areas set off; None if it cannot."""
    places = Counter(ball.place for ball in want.balls)
    if so_far - fired:
        return None
    loose: list[int] = []
    actions: list[Action] = []
    for slot, area in (fired - so_far).elements():
        inside = next((ball.id for ball in told.balls if ball.place == slot), None)
        if inside is None:
            return None
        actions.append(Fire(inside, slot, area))
    for ball in told.balls:
        if places[ball.place] > 0:
            places[ball.place] -= 1
            if ball.id in moving and ":" not in ball.place:
                actions.append(Rest(ball.id, ball.place))
        else:
            loose.append(ball.id)
    ends = list(places.elements())
    if len(loose) < len(ends):
        return None
    for id, end in zip_longest(loose, ends, fillvalue=""):
        actions.append(ended(int(id), end))
    position = told
    for action in actions:
        position = position.play(action)
    return actions if comes_to(position) == comes_to(want) else None


def where_alone(
    told: Hextraction, wants: list[tuple[Hextraction, Fired]]
) -> tuple[int, list[str]] | None:
    """A ball and where it may be, if readings differ only in where balls ended; else None."""
    if any(len(want.balls) > len(told.balls) for want, _ in wants):
        return None
    places = [Counter(ball.place for ball in want.balls) for want, _ in wants]
    common = Counter(places[0])
    for other in places[1:]:
        common &= other
    ends = [list((place - common).elements()) for place in places]
    lost = {
        frozenset(_lost(want) - {cell for place in end for cell in _by_end(place)})
        for (want, _), end in zip(wants, ends, strict=True)
    }
    fired: dict[tuple[str, ...], Fired] = {}
    for (_, set_off), end in zip(wants, ends, strict=True):
        if fired.setdefault(tuple(end), set_off) != set_off:
            return None
    if len(lost) != 1:
        return None
    for ball in told.balls:
        if common[ball.place] > 0:
            common[ball.place] -= 1
        else:
            return ball.id, list(dict.fromkeys(place for end in ends for place in end))
    return None


def ended(ball: int, place: str) -> Action:
    """What says that a ball ended there."""
    kind, _, where = place.rpartition(":")
    match kind:
        case "fell":
            return Fell(ball, where)
        case "off":
            cell, edge = where.split("-")
            return Off(ball, cell, int(edge))
        case "zone":
            return Goal(ball, where)
    return Rest(ball, where) if where else Gone(ball)


def places(position: Hextraction) -> Places:
    """Each ball that lies on the board, and where."""
    return tuple(
        (ball, place)
        for ball, place in position.places()
        if not place.startswith(("fell:", "off:"))
    )


def set_off(actions: Iterable[Action]) -> Areas:
    """Which areas were set off, and how often."""
    return Counter((action.slot, action.area) for action in actions if isinstance(action, Fire))


def left(actions: Iterable[Action]) -> Counter[tuple[str, ...]]:
    """Where balls left the slots, and how often: into which end zones, down where, over which
    side."""
    found: Counter[tuple[str, ...]] = Counter()
    for action in actions:
        match action:
            case Goal(_, zone):
                found["goal", zone] += 1
            case Fell(_, slot):
                found["fell", slot] += 1
            case Off(_, slot, edge):
                found["off", slot, str(edge)] += 1
    return found


def comes_to(position: Hextraction) -> tuple[object, ...]:
    """All that matters of how a roll ends, what was set off apart."""
    if position.phase == "rolling":
        position = position.play(Settle())
    lying = sorted((ball.place, _off(ball)) for ball in position.balls)
    looped = {slot for slot, count in position.touches.items() if count >= LOOP}
    return position.phase, position.winner, position.rolls, position.tiles, lying, looped


def _lost(position: Hextraction) -> set[CellId]:
    """The slots whose tiles go when the roll ends so."""
    looped = {slot for slot, count in position.touches.items() if count >= LOOP}
    return (looped | {_off(ball) for ball in position.balls}) & position.tiles.keys()


def _off(ball: Ball) -> CellId:
    """The slot whose tile goes because a ball left over the side; "" for none."""
    return ball.last if ball.rolling and ball.place.startswith("off:") else ""


def _by_end(place: str) -> set[CellId]:
    """The slot whose tile goes because a ball ended there."""
    return {place[4:].split("-")[0]} if place.startswith("off:") else set()
