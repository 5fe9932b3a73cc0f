"""How much time each seat has left, where a clock was agreed on; and the pause.

Time is that of facts (board ns). It runs for the seat that the rules ask, not while somebody has to
look the board over or put it right, while a question is open, while the dealer deals, in a pause or
after the end. Time that has run out is told once, and nothing else: people decide what it means. A
take-back gives no time back.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from hexboard.facts import MS
from hexboard.game.position import CHANCE, Position
from hexboard.words.errors import Mistyped

A = TypeVar("A")
MOST_MINUTES = 600
_AGREED = re.compile(r"([0-9]{1,3})(?:\+([0-9]{1,3}))?")


class Timing(Struct, frozen=True):
    """The clock as it is shown: what each seat had left at `since` (board ns), and whose time runs
    from then on; -1 for nobody's."""

    left_ns: tuple[int, ...]
    running: int
    since: int


def agreed(text: str) -> tuple[int, int]:
    """Minutes a seat, and seconds that a turn adds, of "10+5" or "10". Raises `BadText`."""
    found = _AGREED.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= MOST_MINUTES:
        raise Mistyped("table.no_clock", clock=text[:20], most=MOST_MINUTES)
    return int(found[1]), int(found[2] or 0)


def spelt(left_ns: int) -> str:
    """Minutes and seconds, "9:58"; a second that has begun counts."""
    minutes, seconds = divmod(-(-max(0, left_ns) // (1000 * MS)), 60)
    return f"{minutes}:{seconds:02}"


def asked(position: Position[A]) -> int:
    """The seat that the rules wait for; -1 for nobody, or for the dealer. Where several are asked,
    as after the offer of a draw, the one whose move it is."""
    if position.scores is not None:
        return CHANCE
    own = [seat for seat in range(len(position.seats)) if position.question(seat) is not None]
    movers = {position.actor(move) for move in islice(position.legal, 1)} if len(own) > 1 else ()
    own = [seat for seat in own if seat in movers] or own
    by_chance = position.question(CHANCE) if not own else None
    return own[0] if own else by_chance.seat if by_chance else CHANCE


class Clocks:
    """The seats' clocks in one match; without any where nothing was agreed on (""). `left_ms` is
    what the seats had left when the match was left off."""

    def __init__(self, clock: str, seats: int, left_ms: Sequence[int] = ()) -> None:
        minutes, seconds = agreed(clock) if clock else (0, 0)
        self.agreed = bool(clock)
        self.paused = False
        self.unsaved = False
        """A turn has ended, or a pause begun, since somebody kept what is left."""
        self._added_ns = seconds * 1000 * MS
        self._left_ns = [left * MS for left in left_ms] or [minutes * 60_000 * MS] * seats
        self._out = {seat for seat, left in enumerate(self._left_ns) if not left}  # and told
        self._turn = self._running = CHANCE
        self._since = self._line = 0

    def follow(self, seat: int, line: int, t: int) -> None:
        """It is the time of `seat` from `t` on (-1: nobody's), in a match of so many positions."""
        self.spend(t)
        before, self._running = self._turn, seat
        if seat in (CHANCE, before):
            return
        if before != CHANCE and line > self._line and self._left_ns[before]:
            self._left_ns[before] += self._added_ns
        self._line = max(self._line, line)  # a move that is taken back adds nothing again
        self._turn, self.unsaved = seat, True

    def spend(self, t: int) -> None:
        """Time has passed until `t`."""
        if self._running != CHANCE:
            left = self._left_ns[self._running] - max(0, t - self._since)
            self._left_ns[self._running] = max(0, left)
        self._since = max(self._since, t)

    def out(self) -> list[int]:
        """The seats whose time has run out since this was asked last."""
        new = [it for it, left in enumerate(self._left_ns) if not left and it not in self._out]
        self._out.update(new)
        return new if self.agreed else []

    @property
    def due(self) -> int | None:
        """When the time that runs has run out."""
        if self._running == CHANCE or not self._left_ns[self._running]:
            return None
        return self._since + self._left_ns[self._running]

    def saved(self) -> tuple[int, ...]:
        """What the seats have left, ms, for the journal, which has it from now on."""
        self.unsaved = False
        return tuple(left // MS for left in self._left_ns)

    @property
    def shown(self) -> Timing | None:
        """None where nothing was agreed on."""
        if not self.agreed:
            return None
        return Timing(tuple(self._left_ns), self._running, self._since)
