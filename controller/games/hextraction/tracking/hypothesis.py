"""A hypothesis: one thing that a roll may have been so far, as a story of its balls.

Hypotheses that agree on where balls are and on what was touched are one. Balls have numbers of the
hypothesis' own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from msgspec import Struct

from hexboard.board import Board, CellId, Edge
from hexboard.games.hextraction.rules.actions import (
    Action,
    BallTouch,
    Fell,
    Fire,
    Gone,
    Off,
    Roll,
    Wall,
)
from hexboard.games.hextraction.tracking.automaton import Spot, Told
from hexboard.games.hextraction.tracking.outcome import Fired

RESTS, MOVES, PAUSED = 0, 1, 2
"""What a ball does: it lies; it moves; it moved, and then there was a pause."""
Side = tuple[CellId, Edge]
Ball = tuple[int, Spot, int]
"""(number, where, what it does)"""


class Counting(Struct, frozen=True):
    """What of a roll counts, as the people agreed."""

    walls: bool = True
    """A ball touches a tile from outside (K37)."""
    each: bool = False
    """Touches of one ball break the loop, not those of all together (K13)."""
    once: bool = False
    """An area is set off once (K21)."""
    weights: dict[int, int] = {}
    """How many each ball counts as that does not count as one (2.1.5.5)."""


COUNTING = Counting()


Story = tuple["Story | None", int, int, tuple[Told, ...]]
"""(what was before, number of the sign, ball, what it did)"""


class Hypothesis(Struct):
    """One thing that the roll may have been so far."""

    cost: int
    balls: tuple[Ball, ...]
    touches: int = 0
    """Two bits a slot, for each ball if so agreed: how often its tile was touched, up to three."""
    left: int = 0
    """Two bits a slot, the lower one for itself: a ball left over its side."""
    fired: Fired = ()
    story: Story | None = None
    liars: frozenset[str] = frozenset()
    next: int = 1
    missed: tuple[str, ...] = ()
    """Sensors that balls passed without a word of theirs, each as often as that."""


class Tally:
    """What of a roll is counted: which tiles balls touched or left over the side, what they set
    off."""

    def __init__(self, board: Board, counting: Counting) -> None:
        self._counting = counting
        self.bit = {cell.id: i for i, cell in enumerate(board.cells)}
        """Which of the slots one is, from 0."""
        self.side = {cell: 1 << 2 * i for cell, i in self.bit.items()}
        """Its bit in `Hypothesis.left`."""
        self._sides = sum(self.side.values())
        self.drains: Collection[CellId] = ()
        """Slots whose tile has a hole that counts as the side of the board."""

    def at(self, slot: CellId, ball: int) -> int:
        """Where in `Hypothesis.touches` those of a slot are counted, for one ball or all (K13)."""
        return 2 * (self.bit[slot] + ball * len(self.bit) * self._counting.each)

    def gone(self, touches: int, left: int, balls: int) -> tuple[CellId, ...]:
        """The slots over whose side a ball left, or that were touched three times, as far as that
        breaks the loop; in the board's order."""
        width = 2 * len(self.bit)
        each = [touches >> id * width for id in range(balls if self._counting.each else 1)]
        lost = reduce(or_, (one & one >> 1 for one in each), left) & self._sides
        return tuple(cell for cell, bit in self.side.items() if lost & bit) if lost else ()

    def told(
        self, touches: int, left: int, fired: Fired, told: tuple[Told, ...], ball: int
    ) -> tuple[int, int, Fired]:
        """What was counted before, and what a ball did."""
        for it in told:
            kind, slot = it[0], it[1] if len(it) > 1 else ""
            touched = kind is BallTouch or (kind is Wall and self._counting.walls)
            if touched or (kind is Roll and slot in self.bit):  # from a tile's own ramp
                at = self.at(slot, ball)
                if touches >> at & 3 < 3:
                    touches += 1 << at
            elif kind is Off or (kind is Fell and slot in self.drains):
                left |= self.side[slot]
            elif kind is Fire and not (self._counting.once and it[1:] in fired):
                fired = tuple(sorted((*fired, it[1:])))
        return touches, left, fired


def without(known: Iterable[Ball], lying: Iterable[Ball]) -> Story | None:
    """The story in which those of the known balls that do not lie anywhere are gone."""
    story: Story | None = None
    for ball in sorted({ball[0] for ball in known} - {ball[0] for ball in lying}):
        story = story, 0, ball, ((Gone,),)
    return story


def changed(reading: Hypothesis, extra: int, balls: tuple[Ball, ...], next: int) -> Hypothesis:
    """The same so far, `extra` less likely and with these balls, `next` the number of a new one."""
    return Hypothesis(
        reading.cost + extra,
        balls,
        reading.touches,
        reading.left,
        reading.fired,
        reading.story,
        reading.liars,
        next,
        reading.missed,
    )


def still(reading: Hypothesis, id: int) -> Hypothesis:
    """The same with a ball at rest, if it is still on the board."""
    balls = tuple((b[0], b[1], False) if b[0] == id else b for b in reading.balls)
    return changed(reading, 0, balls, reading.next)


def _backwards(reading: Hypothesis) -> Iterator[tuple[int, int, tuple[Told, ...]]]:
    """The story of a reading, the last chapter first: the sign's number, the ball, what it did."""
    story = reading.story
    while story is not None:
        story, number, ball, told = story
        yield number, ball, told


def let_go(reading: Hypothesis, kind: str, place: str, seams: Mapping[Side, str]) -> Hypothesis:
    """The same once the sensor of that kind there lets go: a ball that lay on it lies there no
    more."""
    balls = list(reading.balls)
    for i, (id, spot, moves) in enumerate(balls):
        if kind == "load":
            if spot == ("load", place, 0):
                balls[i] = id, ("load", place, 1), True
        elif not moves and spot[0] in ("at", "held"):
            lay = spot[1] if spot[0] == "held" else seams[spot[1], spot[2]]
            if place == lay:
                balls[i] = id, spot, True
    lying = tuple(balls)
    return reading if lying == reading.balls else changed(reading, 0, lying, reading.next)


def rolled_from(reading: Hypothesis, lane: str) -> bool:
    """Whether a ball has already been rolled from a lane."""
    return any(told[0] == (Roll, lane) for _, _, told in _backwards(reading))


def last_told(reading: Hypothesis, ball: int) -> int:
    """The number of the last sign that told what a ball did; -1 where none did."""
    return next((n for n, id, _ in _backwards(reading) if id == ball), -1)


def is_told(reading: Hypothesis, number: int) -> bool:
    """Whether any ball made the `number`th sign, as far as that told anything."""
    return any(n == number for n, *_ in _backwards(reading))


def moved_by(reading: Hypothesis, number: int, ball: int) -> bool:
    """Whether a ball made the `number`th sign, as far as that told anything."""
    return any((n, id) == (number, ball) for n, id, _ in _backwards(reading))


def is_near(reading: Hypothesis, slot: CellId, over: Mapping[Side, CellId | None]) -> bool:
    """Whether a ball that moves is in a slot or has just left it."""
    return any(
        does == MOVES and slot in (other[1], over.get((other[1], other[2])))
        for _, other, does in reading.balls
    )


def passes(
    reading: Hypothesis,
    spot: Spot,
    after: Spot | None,
    doors: Mapping[CellId, Mapping[Edge, tuple[Edge, ...]] | None],
) -> bool:
    """Whether a ball that went on from `spot` to `after` passed one that lies in its channel, and
    left that tile."""
    kind, cell, entry = spot
    stays = after is not None and (after[1] not in doors or after[1] == cell)
    if kind != "in" or not entry or stays:
        return False
    lying = [at[2] for _, at, does in reading.balls if does == RESTS and at[:2] == ("in", cell)]
    ways = doors[cell] or {}
    joined = {entry, *ways.get(entry, ())}
    return any(edge in joined or joined >= ways.keys() for edge in lying)


def has_done(reading: Hypothesis, what: Told) -> bool:
    """Whether a ball has done this."""
    return any(what in told for *_, told in _backwards(reading))


def has_rolled(reading: Hypothesis) -> bool:
    """Whether any ball has been rolled, as far as a sign told it."""
    return any(is_roll(told) for *_, told in _backwards(reading))


def is_roll(told: tuple[Told, ...]) -> bool:
    """Whether a ball that did this was rolled."""
    return any(kind is Roll for kind, *_ in told)


def story_of(reading: Hypothesis) -> list[tuple[int, int, Action]]:
    """What balls did: the number of the sign that told it, the ball, and the happening."""
    return [
        (number, ball, action)
        for number, ball, told in reversed(list(_backwards(reading)))
        for action in actions_of(ball, told)
    ]


def actions_of(ball: int, told: tuple[Told, ...]) -> Iterator[Action]:
    """What a ball did, as actions."""
    for kind, *values in told:
        make: Callable[..., Action] = kind
        yield make(*values) if kind is Roll else make(ball, *values)
