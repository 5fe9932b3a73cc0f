"""Tiles leave the board: for good (2.4), into a pool (T.Discard), or back to their owners."""

from collections.abc import Iterable

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import causes, combos, hands, keywords
from hexboard.games.hextraction.rules.selecting import around, in_order
from hexboard.games.hextraction.rules.state import State, Torn, told
from hexboard.games.hextraction.rules.zones import Copy, Zones, copy_of, owner_of, tile_of


def destroy(
    s: State, slots: Iterable[CellId], why: str, rule: str, *, own: bool = False, last: bool = True
) -> State:
    """Take tiles off the board for good, all at once (2.4.1), saying `why`. Their On Destroy
    effects are set off unless they have no `last` word (0.5.6), and those of their neighbours.
    `own`: an effect of one of them does it."""
    named = in_order(s, s.tiles.keys() & set(slots))
    if not named:
        return s
    more, torn = combos.followers(s, named, "destroy")
    gone, after = (*named, *more), replace(s, torn=(*s.torn, *torn)) if torn else s
    for slot in named:
        after = told(after, why, rule, slot=slot, tile=s.tiles[slot].tile)
    for slot in more:
        after = told(after, "follows", "2.4.6", slot=slot, tile=s.tiles[slot].tile)
    if last and "on_destroy" in s.setting.effective:
        for slot in gone:
            after = causes.set_off(after, "on_destroy", slot, s.conductor)
    if "on_neighbour_destroyed" in s.setting.effective:
        for slot in gone:
            for beside in around(s, slot):
                after = causes.set_off(after, "on_neighbour_destroyed", beside, s.conductor)
    zones = s.zones
    for slot in gone:
        zones = _out_of_play(s, zones, slot)
    parts = s.parts
    if {*s.playing} & {*gone}:  # what was not placed yet goes along
        for part in parts:
            zones = zones if hands.is_virtual(s, part) else zones.set_aside(part)
        parts = ()
    return replace(remove(after, gone, own=own), zones=zones, parts=parts)


BAG = "bag"
"""How tiles go that are put on the bag."""


def discard(s: State, slots: Iterable[CellId], how: str = "discard", *, own: bool = False) -> State:
    """Tiles of the board go back into the pool (T.Discard), or lie on it (`BAG`), the last in the
    board's order uppermost; a Combo once it is whole again (2.4.7)."""
    named = in_order(s, s.tiles.keys() & set(slots))
    more, torn = combos.followers(s, named, how)
    after, zones = replace(s, torn=(*s.torn, *torn)), s.zones
    for slot in (*named, *more):
        after, zones = _discarded(s, after, zones, slot, how, "T.Discard.1")
    return replace(remove(after, (*named, *more), own=own), zones=zones)


def _discarded(
    s: State, after: State, zones: Zones, slot: CellId, how: str, rule: str
) -> tuple[State, Zones]:
    one, put = hands.whole(s, s.tiles[slot].copy), _back_in_pool(s, zones, slot)
    key = "on_bag" if how == BAG else "discarded"
    if how == BAG and put.unseen.count(one) > zones.unseen.count(one):
        put = put.put_on(one)
    return told(after, key, rule, slot=slot, tile=s.tiles[slot].tile), put


HAND = "hand"
"""Before a seat: how tiles go that go to its hand."""


def bounce(s: State, slots: Iterable[CellId], seat: int, *, own: bool = False) -> State:
    """Tiles of the board go to a hand; a Combo once it is whole again (T.Combo.4). Counterparts of
    a Virtual one go into the Virtual Pool instead (T.Combo.5)."""
    named, how = in_order(s, s.tiles.keys() & set(slots)), f"{HAND}{seat}"
    more, torn = combos.followers(s, named, how)
    after, zones = hands.mixed(replace(s, torn=(*s.torn, *torn)), seat), s.zones
    for slot in named:
        after = told(after, "bounced", "T.Hand", slot=slot, tile=s.tiles[slot].tile)
        zones = _in_hand(s, zones, slot, seat)
    for slot in more:
        after, zones = _follows_to_hand(s, after, zones, slot, seat)
    return replace(remove(after, (*named, *more), own=own), zones=zones)


def _follows_to_hand(
    s: State, after: State, zones: Zones, slot: CellId, seat: int
) -> tuple[State, Zones]:
    """A part that follows another: one that is created goes where it came from (T.Combo.5)."""
    after = told(after, "bounced", "T.Combo.4", slot=slot, tile=s.tiles[slot].tile)
    virtual = hands.is_virtual(s, s.tiles[slot].copy)
    put = _back_in_pool(s, zones, slot) if virtual else _in_hand(s, zones, slot, seat)
    return after, put


def _in_hand(s: State, zones: Zones, slot: CellId, seat: int) -> Zones:
    """The tile in a slot goes to a hand, a Combo's part when all the others have."""
    copy = s.tiles[slot].copy
    if hands.is_virtual(s, copy):
        return zones.pooled(copy).fetched(seat, copy)
    one = hands.whole(s, copy)
    after = pooled(s, zones, copy)
    is_whole = after.unseen.count(one) > zones.unseen.count(one)
    return after.fetched(seat, one) if is_whole else after


def unplaced(s: State) -> State:
    """A Combo that is not placed to the end goes back into the pool, with all its parts."""
    after, zones, slots = s, s.zones, s.playing
    for slot in slots:
        after = told(after, "discarded", "T.Combo.3", slot=slot, tile=s.tiles[slot].tile)
        zones = pooled(s, zones, s.tiles[slot].copy)
    for part in s.parts:
        zones = zones if hands.is_virtual(s, part) else pooled(s, zones, part)
    return replace(remove(after, slots), zones=zones, parts=())


def torn_off(s: State, torn: Torn, slot: CellId) -> State:
    """A sub-tile was chosen to follow another (2.4.6, 2.4.7)."""
    rest = list(s.torn)
    rest.remove(torn)
    if torn.how.startswith(HAND):
        seat = int(torn.how.removeprefix(HAND))
        after, zones = _follows_to_hand(s, s, s.zones, slot, seat)
    elif torn.how in ("discard", BAG):
        after, zones = _discarded(s, s, s.zones, slot, torn.how, "2.4.7")
    else:
        after, zones = told(s, "follows", "2.4.6", slot=slot, tile=torn.tile), s.zones
        after = causes.set_off(after, "on_destroy", slot, s.conductor)
        zones = _out_of_play(s, zones, slot)
    return replace(remove(after, {slot}), zones=zones, torn=tuple(rest))


def remove(s: State, slots: Iterable[CellId], own: bool = False) -> State:
    """Tiles are off the board; what is known of them, and what they still had to do, is gone
    (T.Destroy.2, 2.4.5)."""
    gone = set(slots)
    after = causes.purge(s, gone, own)
    tiles = {slot: placed for slot, placed in s.tiles.items() if slot not in gone}
    notes = {note: text for note, text in s.notes.items() if note[0] not in gone}
    fresh = "" if s.fresh in gone else s.fresh
    earlier = tuple(slot for slot in s.earlier if slot not in gone)
    freed = (*s.freed, *_freed(s, gone))
    return replace(after, tiles=tiles, notes=notes, fresh=fresh, earlier=earlier, freed=freed)


def _freed(s: State, gone: set[CellId]) -> tuple[int, ...]:
    """The balls that lie on tiles which go while a roll is open: they may roll on (K18)."""
    if s.roller < 0 or not (tiles := gone & s.tiles.keys()):
        return ()
    free = (ball.id for ball in s.balls if not tiles.isdisjoint(s.contacts(ball)))
    return tuple(id for id in free if id not in s.freed)


# ----------------------------------------------------------------------------- where they go


def destroyed(s: State, zones: Zones, copy: Copy) -> Zones:
    """A copy is out of the game for good (2.4.4, T.Destroy.1), a Virtual one in the Virtual Pool
    (2.4.2, T.Destroy.3, T.Virtual.2)."""
    if hands.is_virtual(s, copy):
        return zones.to_virtual(copy)
    return zones.set_aside(copy)


def pooled(s: State, zones: Zones, copy: Copy) -> Zones:
    """A copy of the board goes into the pool, into the Virtual Pool only if it is Virtual
    (T.VirtualPool.1); a Combo's part waits until all the others are there (2.4.7)."""
    if hands.is_virtual(s, copy):
        return zones.to_virtual(copy)
    owner, group = owner_of(copy), keywords.parts(s.setting.tiles, tile_of(copy))
    zones = zones.loosened(copy)
    copies = [copy_of(part, owner) for part in group]
    if not all(part in zones.loose for part in copies):
        return zones
    for part in copies:
        zones = replace(zones, loose=zones.loose.minus(part))
    return zones.pooled(copies[0])


def _out_of_play(s: State, zones: Zones, slot: CellId) -> Zones:
    """The tile in a slot is destroyed; a Virtual one whose keywords sleep like any other (K27)."""
    copy = s.tiles[slot].copy
    return zones.set_aside(copy) if _asleep(s, slot) else destroyed(s, zones, copy)


def _back_in_pool(s: State, zones: Zones, slot: CellId) -> Zones:
    """The tile in a slot is discarded; a Virtual one whose keywords sleep like any other (K27)."""
    copy = s.tiles[slot].copy
    return zones.pooled(copy) if _asleep(s, slot) else pooled(s, zones, copy)


def _asleep(s: State, slot: CellId) -> bool:
    """Whether the tile in a slot is Virtual, but that sleeps: it goes like any other (K27)."""
    return hands.is_virtual(s, s.tiles[slot].copy) and not causes.has_keywords(s, slot)
