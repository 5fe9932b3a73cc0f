"""What can be done and what can happen in Hextraction, and how each is written.

Moves are declared or made by hand; happenings are what a ball, a tile or the power did.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import astuple, fields

from hexboard.words.errors import BadText

Aim = Literal["destroy"]
"""What a vote can be about."""


class _BySeat(Struct, frozen=True):
    """What a seat says, or is told of one."""

    seat: int


class ByBall(Struct, frozen=True):
    """What a ball did."""

    ball: int


class _AtSlot(ByBall, frozen=True):
    """And where."""

    slot: str


# ------------------------------------------------------------------------------------------ moves


class Roll(Struct, frozen=True):
    """Release a ball in a ramp lane (2.1.1)."""

    ramp: str


class Play(Struct, frozen=True):
    """Play a tile of the hand into an open slot, turned `rotation` sixths clockwise (2.2)."""

    tile: str
    slot: str
    rotation: int


class Clear(Struct, frozen=True):
    """With the board full: destroy one tile so that one can be played (2.2.2.1)."""

    slot: str


class Break(Struct, frozen=True):
    """Break the Loop by choice: destroy every tile touched three times in this roll (2.1.4.3)."""


class Reveal(Struct, frozen=True):
    """With no legal tile: show a Limit tile, which then may overwrite anything (2.2.2.2)."""

    tile: str


class Ignore(Struct, frozen=True):
    """With no legal tile and none to reveal: ignore the fewest effects (2.2.2.3)."""


class Fetch(Struct, frozen=True):
    """Take a Virtual tile that is to be created out of the bag, into the hand (T.Create)."""

    tile: str


class Lack(Struct, frozen=True):
    """A counterpart of the Virtual Combo being played can be found nowhere (T.Combo.3)."""


class Discard(Struct, frozen=True):
    """Discard a tile of the hand: down to three (1.2.3), or a Unique one for another
    (T.Unique.2). "?" for one that is not known."""

    tile: str


class Activate(Struct, frozen=True):
    """Activate effect `effect` (from 0, as the card lists them) of the tile in a slot (2.7)."""

    slot: str
    effect: int


class End(Struct, frozen=True):
    """End the turn; the hand is brought to three (1.2.2, 1.2.3)."""


class Resolve(Struct, frozen=True):
    """Of the effects that wait, resolve this one now (2.1.4.2, 2.6.4)."""

    number: int


class Choose(Struct, frozen=True):
    """Answer what the effect being resolved asks: a slot, a lane, a seat, a turn, yes, no, done."""

    answer: str


class Settle(Struct, frozen=True):
    """Chance has done: every ball is at rest. Effects that wait are resolved, then the game
    stabilises (2.1.5); where an effect decided the game, once more: nobody called a vote
    (2.8.2)."""


# ------------------------------------------------------------------------------------- happenings


class Accident(Struct, frozen=True):
    """A ball left a lane when nobody may roll: it only lies about (2.11)."""

    ramp: str


class BallTouch(_AtSlot, frozen=True):
    """A ball comes into a slot (T.Touch)."""


class Wall(_AtSlot, frozen=True):
    """A ball reaches a closed edge from outside and so touches the tile behind it (K37)."""


class Fell(_AtSlot, frozen=True):
    """A ball fell through a slot (2.1.5.1)."""


class Off(_AtSlot, frozen=True):
    """A ball left the board over a rim edge (2.1.5.3)."""

    edge: int


class Fire(_AtSlot, frozen=True):
    """A rolling ball comes into a trigger area, or a hole, of the tile in `slot` (2.6.1): each
    entry sets its effects off once (K21). A ball that lay in the area when the roll began has to
    leave it first (T.Trigger.2); who reports this sees to that."""

    area: str


class Goal(ByBall, frozen=True):
    """A ball entered an end zone (2.1.5.2)."""

    zone: str


class Rest(ByBall, frozen=True):
    """A ball came to rest: in a slot ("C3"), on a seam ("C3-C4") or in a ramp lane ("B1-6")."""

    place: str


class Gone(ByBall, frozen=True):
    """A ball was taken off the board by hand, or nobody knows where it is."""


class Drop(Struct, frozen=True):
    """A tile came out of its slot while a ball was rolling (2.4.3)."""

    slot: str


class Rail(Struct, frozen=True):
    """The tiles' power rail went on or off (T.Offline)."""

    on: bool


class Part(Struct, frozen=True):
    """A moving part of the tile in `slot` stands so (2.2.3.1)."""

    slot: str
    part: str
    state: str


class Turn(Struct, frozen=True):
    """The tile just played does not seat: it is turned in its slot (2.2.4.2)."""

    slot: str
    rotation: int


class Unfit(Struct, frozen=True):
    """The tile just played seats in no orientation (2.2.4.3)."""


class Drew(_BySeat, frozen=True):
    """A tile that a seat drew was read: only that seat and the referee know which it is (K24)."""

    tile: str


class Endless(_BySeat, frozen=True):
    """A table act: a seat says that the balls will never rest (2.1.4.4)."""


class Concede(_BySeat, frozen=True):
    """A table act: this seat gives up (2.8.1.2)."""


class Leave(_BySeat, frozen=True):
    """A table act: this seat leaves; nothing prevents it (2.8.4)."""


class Return(_BySeat, frozen=True):
    """A seat gives a tile of its hand back to an owner who has lost, and draws (2.8.3.2)."""

    tile: str


class Reclaim(_BySeat, frozen=True):
    """Who has lost takes their tiles back, `bag` of them out of the bag (2.8.3.2)."""

    bag: int


class CallDraw(_BySeat, frozen=True):
    """The board's owner, having lost, declares the game a draw (2.8.3.1)."""


class NoCard(_BySeat, frozen=True):
    """A seat destroys a tile whose rules its owner could not show: the one in a slot, or one of
    its own hand (2.5.3)."""

    tile: str


class CallVote(Struct, frozen=True):
    """A seat calls a vote to destroy the tile in a slot (0.5.1): "vote destroy C3 1"."""

    aim: Aim
    slot: str
    seat: int


class Yea(_BySeat, frozen=True):
    """A ballot to keep the tile (0.5.4, K3)."""


class Nay(_BySeat, frozen=True):
    """A ballot to destroy the tile (0.5.4, K3)."""


OfTurn = Roll | Play | Clear | Reveal | Ignore | Fetch | Lack | Break | Activate | Discard | End
Awaited = OfTurn | Resolve | Choose
Move = Awaited | Settle
OfBall = BallTouch | Wall | Fire | Fell | Off | Goal | Rest | Gone
Happening = Accident | OfBall | Drop | Rail | Part | Drew
OfSlot = Play | Clear | Activate | Turn | BallTouch | Wall | Fire | Fell | Drop | Part
Leaving = Leave | Return | Reclaim | CallDraw | NoCard
OfVote = CallVote | Yea | Nay
OfSeat = Concede | Endless | Leaving | OfVote
TableAct = Turn | Unfit | OfSeat
Action = Move | Happening | TableAct

_WORDS: dict[type, str] = {CallVote: "vote", CallDraw: "draw", BallTouch: "touch"}
"""What an action is called where it is not called like its type."""
_KINDS: dict[str, type[Action]] = {
    _WORDS.get(kind, kind.__name__.lower()): kind for kind in get_args(Action)
}
_READERS: dict[object, Callable[[str], Any]] = {
    str: str,
    int: int,
    Aim: {"destroy": "destroy"}.__getitem__,
    bool: {"on": True, "off": False}.__getitem__,
}
_READ = {
    word: (kind, [_READERS[field.type] for field in fields(kind)]) for word, kind in _KINDS.items()
}


@lru_cache(1 << 12)
def name(action: Action) -> str:
    """An action as people write it: "play J C3 2", "off 1 A3 5", "rail on"."""
    kind = type(action)
    words = [_WORDS.get(kind) or kind.__name__.lower()]
    words += [("off", "on")[p] if isinstance(p, bool) else str(p) for p in astuple(action)]
    return " ".join(words)


@lru_cache(1 << 12)
def read(text: str) -> Action:
    """The inverse of `name`. Raises `BadText`."""
    word, *parts = text.split(" ")
    try:
        kind, readers = _READ[word]
        action: Action = kind(*(reader(part) for reader, part in zip(readers, parts, strict=True)))
    except (KeyError, ValueError):
        raise BadText("hextraction.no_action", text=text[:80]) from None
    if name(action) != text:
        raise BadText("hextraction.no_action", text=text[:80])
    return action
