"""Hands: what is drawn into them, discarded and played from them (1.2, 2.10, T.Discard)."""

from functools import lru_cache

from msgspec.structs import replace

from hexboard.game.position import Refusal
from hexboard.games.hextraction.rules import keywords
from hexboard.games.hextraction.rules.actions import Drew
from hexboard.games.hextraction.rules.state import SEATS, State, ended, told
from hexboard.games.hextraction.rules.zones import ANY, Copy, copy_of, owner_of, tile_of
from hexboard.words import message


def drawn(s: State, seat: int, n: int = 1) -> State:
    """`n` tiles are drawn blindly (1.2.5). With too few in the bag the game is a draw at once
    (2.10.1), or once it is stable (K22)."""
    there = min(n, s.pool)
    after = mixed(replace(s, zones=s.zones.draws(seat, there)), seat)
    if there == n or s.stalemate:
        return after
    if s.stable or s.setting.empty_bag == "now":
        return told(ended(after), "pool_empty", "2.10.1")
    return told(replace(after, stalemate=True), "pool_empty_soon", "2.10.1")


def mixed(s: State, seat: int) -> State:
    """A hand holds something else than what its seat picked before the first turn (1.0.6)."""
    if seat not in s.picked:
        return s
    return replace(s, picked=tuple(other for other in s.picked if other != seat))


def whole(s: State, copy: Copy) -> Copy:
    """A copy as it lies in a hand or a pool: a Combo in one piece."""
    return copy_of(keywords.whole(s.setting.tiles, tile_of(copy)), owner_of(copy))


def held(s: State, seat: int) -> tuple[Copy, ...]:
    """The copies that a hand may hold; any tile of the game where one of them may be any."""
    copies = s.zones.held(seat)
    if ANY not in copies:
        return copies
    return _any_of(s.setting.wholes, copies)


@lru_cache(1 << 8)
def _any_of(wholes: tuple[Copy, ...], copies: tuple[Copy, ...]) -> tuple[Copy, ...]:
    """All tiles, and copies among them that are somebody's."""
    return tuple(dict.fromkeys((*wholes, *copies)))


def unseen(s: State) -> tuple[Copy, ...]:
    """The copies that may be in the bag, likewise."""
    copies = (*s.zones.top, *s.zones.unnamed) if s.pool else ()
    return (*copies, *(s.setting.tiles if ANY in copies else ()))


def is_copy(s: State, copy: Copy) -> bool:
    """Whether this is a copy of a tile of the game, of nobody or of a seat."""
    tile, mark, owner = copy.partition("~")
    seats = map(str, range(s.setting.seats))
    return tile in s.setting.tiles and (not mark or owner in seats)


def is_known(s: State, seat: int) -> bool:
    """Whether every tile of a hand is known."""
    return not s.zones.hands[seat].unknown


def is_virtual(s: State, copy: Copy) -> bool:
    """Whether a copy is Virtual."""
    return keywords.has(s.setting.tiles, tile_of(copy), "virtual")


def any_virtual(s: State) -> bool:
    """Whether there may be Virtual tiles in this game."""
    return any(is_virtual(s, tile) for tile in s.setting.tiles)


def discardable(s: State, seat: int) -> tuple[Copy, ...]:
    """What a seat can choose to discard: copies that are known, Virtual ones, because everybody
    sees those go into the Virtual Pool (T.Virtual.3), and "?" for one that is not read."""
    own = s.zones.hands[seat]
    virtual = (copy for copy in held(s, seat) if is_virtual(s, copy))
    unread = (ANY,) if own.unknown or s.setting.hands == "scan" else ()
    return tuple(dict.fromkeys((*own.known, *virtual, *unread)))


def discarded(s: State, seat: int, copy: Copy) -> State:
    """A tile of a hand goes into the pool, unseen, or into the Virtual Pool (T.Discard.1)."""
    if is_virtual(s, copy):
        after = replace(s, zones=s.zones.leaves(seat, copy).to_virtual(copy))
        return told(after, "to_virtual", "T.Virtual.3", seat=SEATS[seat], tile=tile_of(copy))
    return replace(s, zones=s.zones.puts_back(seat, copy))


def givable(s: State, seat: int) -> tuple[Copy, ...]:
    """What a seat can choose to give away: copies that are known, and "?" for one that is not."""
    own = s.zones.hands[seat]
    return (*dict.fromkeys(own.known), *((ANY,) if own.unknown else ()))


def given(s: State, seat: int, to: int, copy: Copy) -> State:
    """A tile of a hand goes to another hand."""
    return mixed(mixed(replace(s, zones=s.zones.given(seat, to, copy)), seat), to)


def destroyed_wholes(s: State) -> tuple[Copy, ...]:
    """The destroyed tiles, which are in no pool (T.Pool.1), that lie there in one piece; a Combo
    with all its parts."""
    there, tiles = s.zones.destroyed, s.setting.tiles
    wholes = (copy for copy in there if whole(s, copy) == copy)
    return tuple(c for c in wholes if all(p in there for p in keywords.pieces(tiles, c)))


def brought_back(s: State, seat: int, copy: Copy) -> State:
    """A destroyed tile comes to a hand, and everybody sees it."""
    zones = s.zones
    for part in keywords.pieces(s.setting.tiles, copy):
        zones = zones.returned(part)
    return mixed(replace(s, zones=zones.pooled(copy).fetched(seat, copy)), seat)


def found(s: State, seat: int, copy: Copy) -> State:
    """A tile is looked for in the bag, and comes to a hand."""
    return mixed(replace(s, zones=s.zones.looked_through(copy).fetched(seat, copy)), seat)


def exchanged(s: State, seat: int, copy: Copy) -> State:
    """A tile is shown, goes back into the pool, and another is drawn (T.Unique.2)."""
    after = s.zones.leaves(seat, copy)
    after = after.to_virtual(copy) if is_virtual(s, copy) else after.pooled(copy)
    return drawn(replace(s, zones=after), seat)


def refusal(s: State, action: Drew) -> Refusal | None:
    """Why a tile cannot be the one that a seat drew."""
    seat, copy = action.seat, action.tile
    if s.setting.hands != "scan":
        return message("hextraction.blind", "K24")
    if seat not in range(s.setting.seats) or not s.zones.hands[seat].unknown:
        return message("hextraction.nothing_drawn", "K24")
    if s.doing and s.doing.answers:  # what was read could undo them, and tell others what it is
        return message("hextraction.choose_first", "K24")
    if copy == ANY:
        return None
    if seat in s.picked and _name(s, copy) in {_name(s, c) for c in s.zones.hands[seat].known}:
        return message("hextraction.not_different", "1.0.6", seat=SEATS[seat], tile=tile_of(copy))
    if {copy, ANY} & set(s.zones.unnamed):
        return None
    return message("hextraction.not_unseen", "0.1.7", tile=tile_of(copy))


def _name(s: State, copy: Copy) -> str:
    return s.setting.tiles[tile_of(copy)].name


def drew(s: State, action: Drew) -> State:
    """A tile of a hand is known to its seat and the referee; nobody else learns of it. "?" is one
    that could not be read."""
    if action.tile == ANY:
        return s
    return replace(s, zones=s.zones.named(action.seat, whole(s, action.tile)))
