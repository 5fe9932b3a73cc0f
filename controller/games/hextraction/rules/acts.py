"""What seats may say now beside the moves that the rules ask for: that a tile does not seat or its
rules cannot be shown, that a part stands otherwise, that somebody gives up, goes, or takes their
tiles along. A vote on a tile can be called at any time (0.5.1) and stands in no list."""

from collections.abc import Iterator

from hexboard.game.position import Phrase
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import hands, leaving, moves
from hexboard.games.hextraction.rules.state import REFEREE, SEATS, State
from hexboard.games.hextraction.rules.zones import copy_of, owner_of, tile_of
from hexboard.games.hextraction.tiles.tile import Described
from hexboard.words import Message, message

Act = act.Turn | act.Unfit | act.Part | act.Concede | act.Endless | act.Leaving
GRAVE = (act.Unfit, act.Concede, act.Leave, act.CallDraw, act.NoCard)
"""What people are asked once more about."""


def acts(s: State) -> Iterator[Act]:
    """What may be said now, by all seats or by the one whose view this is. Who takes tiles back
    says how many of them were in the bag: here it is the fewest (`leaving.bagged`)."""
    if s.phase != "over":
        yield from (said for said in _thinkable(s) if moves.refusal(s, said) is None)


def _thinkable(s: State) -> Iterator[Act]:
    seats = (s.eyes,) if s.eyes in range(s.setting.seats) else tuple(range(s.setting.seats))
    yield from _of_tiles(s, next((seat for seat in seats if seat in s.present), seats[0]))
    for seat in seats:
        yield from (act.Concede(seat), act.Leave(seat))
        if s.phase == "rolling":
            yield act.Endless(seat)
        yield from _of_hand(s, seat)
        if seat in s.conceded:
            yield from (act.Reclaim(seat, leaving.bagged(s, seat)[0]), act.CallDraw(seat))


def _of_tiles(s: State, seat: int) -> Iterator[Act]:
    """What can be seen of the tiles on the board; whichever seat says so."""
    if s.fresh and s.eyes in (REFEREE, s.player):
        yield from (act.Turn(s.fresh, rotation) for rotation in range(6))
        yield act.Unfit()
    for slot, placed in s.tiles.items():
        yield act.NoCard(seat, slot)
        tile = s.setting.tiles[placed.tile]
        for part in tile.parts if isinstance(tile, Described) else ():
            now = s.notes.get((slot, "part", part.id), part.initial)
            yield from (act.Part(slot, part.id, state) for state in part.states if state != now)


def _of_hand(s: State, seat: int) -> Iterator[Act]:
    """What becomes of tiles that a seat holds, or may hold for all that is known."""
    yield from (act.NoCard(seat, copy) for copy in hands.held(s, seat))
    for owner in s.conceded:
        yield from (act.Return(seat, copy_of(tile, owner)) for tile in s.setting.tiles)


def phrase(s: State, said: Act) -> Phrase:
    """It in words, what is said of a tile that is held under a heading."""
    group: Message | None = None
    match said:
        case act.Return():
            group = message("hextraction.group_return")
        case act.NoCard(_, what) if what not in s.tiles:
            group = message("hextraction.group_nocard")
    return Phrase(label(s, said), group, sure=isinstance(said, GRAVE))


def label(s: State, said: Act) -> Message:
    """What a button for it says."""
    what, tile, owner, rotation, part, state = type(said).__name__.lower(), "", "", 0, "", ""
    match said:
        case act.Turn(_, rotation):
            pass
        case act.Part(_, part, state):
            pass
        case act.Return(_, copy):
            tile, owner = tile_of(copy), SEATS[owner_of(copy)]
        case act.NoCard(_, copy) if copy not in s.tiles:
            what, tile = "nocard_held", tile_of(copy)
    return message(
        f"hextraction.say_{what}", tile=tile, owner=owner, rotation=rotation, part=part, state=state
    )
