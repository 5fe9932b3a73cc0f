"""What seats may say now beside the moves that the rules ask for: that a tile does not seat or its
rules cannot be shown, that a part stands otherwise, that somebody gives up, goes, or takes their
tiles along. A vote on a tile can be called at any time (0.5.1) and stands in no list."""

from collections.abc import Iterator

from controller.games.hextraction import hands, leaving, moves
from controller.games.hextraction.actions import (
    CallDraw,
    Concede,
    Endless,
    Leave,
    NoCard,
    Part,
    Reclaim,
    Return,
    Turn,
    Unfit,
)
from controller.games.hextraction.state import REFEREE, SEATS, State
from controller.games.hextraction.tile import Described
from controller.games.hextraction.zones import copy_of, owner_of, tile_of
from controller.words import Message, message

Act = Turn | Unfit | Part | Concede | Leave | Endless | Return | Reclaim | CallDraw | NoCard


def acts(s: State) -> Iterator[Act]:
    """What may be said now, by all seats or by the one whose view this is. Who takes tiles back
    says how many of them were in the bag: here it is the fewest (`leaving.bagged`)."""
    if s.phase != "over":
        yield from (act for act in _thinkable(s) if moves.refusal(s, act) is None)


def _thinkable(s: State) -> Iterator[Act]:
    seats = (s.eyes,) if s.eyes in range(s.setting.seats) else tuple(range(s.setting.seats))
    yield from _of_tiles(s, next((seat for seat in seats if seat in s.present), seats[0]))
    for seat in seats:
        yield from (Concede(seat), Leave(seat))
        if s.phase == "rolling":
            yield Endless(seat)
        yield from _of_hand(s, seat)
        if seat in s.conceded:
            yield from (Reclaim(seat, leaving.bagged(s, seat)[0]), CallDraw(seat))


def _of_tiles(s: State, seat: int) -> Iterator[Act]:
    """What can be seen of the tiles on the board; whichever seat says so."""
    if s.fresh and s.eyes in (REFEREE, s.player):
        yield from (Turn(s.fresh, rotation) for rotation in range(6))
        yield Unfit()
    for slot, placed in s.tiles.items():
        yield NoCard(seat, slot)
        tile = s.setting.tiles[placed.tile]
        for part in tile.parts if isinstance(tile, Described) else ():
            now = s.notes.get((slot, "part", part.id), part.initial)
            yield from (Part(slot, part.id, state) for state in part.states if state != now)


def _of_hand(s: State, seat: int) -> Iterator[Act]:
    """What becomes of tiles that a seat holds, or may hold for all that is known."""
    yield from (NoCard(seat, copy) for copy in hands.held(s, seat))
    for owner in s.conceded:
        yield from (Return(seat, copy_of(tile, owner)) for tile in s.setting.tiles)


def label(s: State, act: Act) -> Message:
    """What a button for it says."""
    what, tile, owner, rotation, part, state = type(act).__name__.lower(), "", "", 0, "", ""
    match act:
        case Turn(_, rotation):
            pass
        case Part(_, part, state):
            pass
        case Return(_, copy):
            tile, owner = tile_of(copy), SEATS[owner_of(copy)]
        case NoCard(_, copy) if copy not in s.tiles:
            what, tile = "nocard_held", tile_of(copy)
    return message(
        f"hextraction.say_{what}",
        tile=tile,
        owner=owner,
        rotation=rotation,
        part=part,
        state=state,
    )
