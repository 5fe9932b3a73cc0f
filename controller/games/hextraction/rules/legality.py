"""Where a tile may be played (T.Legal): Limits, Unique, Combo, and what helps a player who has no
legal tile (2.2.1, 2.2.2).

A Limit whose conditions only people can judge forbids nothing. Where a hand is not known, what is
said of it is believed as long as it can be true (K24).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import causes, hands, keywords, selecting
from hexboard.games.hextraction.rules.actions import Clear, Ignore, Play, Reveal
from hexboard.games.hextraction.rules.state import CLEARING, IGNORING, Placed, State
from hexboard.games.hextraction.rules.zones import Copy, tile_of
from hexboard.games.hextraction.tiles.tile import effects_of


def playing(s: State) -> list[Play | Clear | Reveal | Ignore]:
    """What the active seat may do to play a tile: play it, or what helps where none is legal."""
    found: list[Play | Clear | Reveal | Ignore] = [*plays(s, s.active)]
    if may_clear(s, s.active):
        found += map(Clear, selecting.in_order(s, s.tiles))
    found += map(Reveal, revealable(s, s.active))
    if may_ignore(s, s.active):
        found.append(Ignore())
    return found


def may_go_on(s: State) -> bool:
    """Whether the active seat may do anything of `playing`."""
    seat, tiles, key = s.active, s.setting.tiles, s.board.key_edge
    seating = (copy for copy in playable(s, seat) if tiles[tile_of(copy)].rotations(key))
    if any(places(s, seat, copy) for copy in seating):
        return True
    return may_clear(s, seat) or bool(revealable(s, seat)) or may_ignore(s, seat)


def plays(s: State, seat: int, slots: tuple[CellId, ...] | None = None) -> list[Play]:
    """The plays that are legal for a seat, of those into `slots` where an effect names some."""
    tiles, key = s.setting.tiles, s.board.key_edge
    copies = [
        (copy, places(s, seat, copy, slots), tiles[tile_of(copy)].rotations(key))
        for copy in playable(s, seat)
    ]
    found = list[Play]()
    for slot in s.board.cell:
        for copy, fit, rotations in copies:
            if slot in fit:
                found += _turned(copy, slot, rotations)
    return found


@lru_cache(1 << 14)
def _turned(copy: Copy, slot: CellId, rotations: tuple[int, ...]) -> tuple[Play, ...]:
    """A copy in a slot, in each of its turns."""
    return tuple([Play(copy, slot, rotation) for rotation in rotations])


def creations(s: State, seat: int, tile: str, slots: tuple[CellId, ...]) -> Iterator[Play]:
    """The plays by which a seat creates a Virtual tile in one of some slots (T.Create)."""
    copies = supply(s, seat, tile)
    for slot in sorted(places(s, seat, tile, slots), key=list(s.board.cell).index):
        for copy in copies:
            for rotation in s.setting.tiles[tile].rotations(s.board.key_edge):
                yield Play(copy, slot, rotation)


def is_playable(s: State, seat: int, copy: Copy) -> bool:
    """Whether a seat may have this copy to play now."""
    if s.parts or _revealed(s):
        return copy in playable(s, seat)
    whole = keywords.whole(s.setting.tiles, tile_of(copy)) == tile_of(copy)
    return whole and s.zones.may_hold(seat, copy)


def playable(s: State, seat: int) -> tuple[Copy, ...]:
    """The copies of which the seat may play one now, if it has them."""
    if s.parts:
        return supply(s, seat, s.parts[0])
    copies = hands.held(s, seat)
    return tuple(c for c in copies if c == s.relief) if _revealed(s) else copies


def supply(s: State, seat: int, part: str) -> tuple[Copy, ...]:
    """The copies from which a Combo's next part may come: its own, or for a Virtual one those that
    the Virtual Pool and the hand may hold (T.Combo.2, T.Create)."""
    if not hands.is_virtual(s, part):
        return (part,)
    there = (*s.zones.virtual, *hands.held(s, seat))
    return tuple(dict.fromkeys(copy for copy in there if tile_of(copy) == tile_of(part)))


def places(
    s: State, seat: int, copy: Copy, slots: tuple[CellId, ...] | None = None
) -> frozenset[CellId]:
    """The slots that are legal for a copy (T.Legal); occupied ones are overwritten."""
    tile = tile_of(copy)
    if s.relief == IGNORING and not s.parts:
        cost = _costs(s, tile)
        least = _least(s, seat, cost)
        found = frozenset(slot for slot, ignored in cost.items() if ignored == least)
    elif s.parts:
        found = _best(s, tile)
    else:
        found = frozenset(_legal(s, tile, overwriting=s.relief == copy))
    if slots is not None:  # an effect says where; Limits hold as far as they leave anything
        named = frozenset(slot for slot in slots if slot not in s.tiles or slot in found)
        found = found & named or named
    return found


def _legal(s: State, tile: str, overwriting: bool = False) -> Iterable[CellId]:
    """The slots in which no effect forbids a tile, and from which the rest of its Combo has legal
    slots too."""
    if tile in s.setting.plain and not overwriting:  # it may go anywhere
        return s.board.cell.keys() - s.tiles.keys()
    return _fitting(s, tile, overwriting)


def _fitting(s: State, tile: str, overwriting: bool) -> Iterator[CellId]:
    group = keywords.parts(s.setting.tiles, tile)
    twins = list(_bound(s, tile))
    open_ = [cell.id for cell in s.board.cells if cell.id not in s.tiles]
    if len(open_) < len(group) and not overwriting and not twins:
        return
    for slot in twins or (s.board.cell if overwriting else open_):
        if not _forbidding(s, tile, slot) and _goes_on(s, tile, slot, group, overwriting):
            yield slot


def _goes_on(s: State, tile: str, slot: CellId, group: tuple[str, ...], overwriting: bool) -> bool:
    """Whether the parts after this one have a legal slot each once it lies in `slot`."""
    rest = group[group.index(tile) + 1 :]
    if not rest:
        return True
    after = replace(s, tiles={**s.tiles, slot: Placed(tile, 0)})
    left = [c for c in s.board.cell if c != slot and (overwriting or c not in s.tiles)]
    return any(
        not _forbidding(after, rest[0], place)
        and _goes_on(after, rest[0], place, group, overwriting)
        for place in left
    )


def _best(s: State, part: str) -> frozenset[CellId]:
    """The slots in which the fewest effects are ignored for the next part of a Combo."""
    over = s.relief in ("", CLEARING)
    left = [c for c in s.board.cell if c not in s.tiles] or list(s.board.cell)
    cost = {c: _forbidding(s, part, c) for c in (left if over else s.board.cell)}
    least = min(cost.values())
    return frozenset(slot for slot, ignored in cost.items() if ignored == least)


def _bound(s: State, tile: str) -> Iterator[CellId]:
    """The slots to which being Unique binds a tile (T.Unique.1): those that no other Limit forbids,
    or all (K29); none if it was shown and is free of its Limits (K20)."""
    for slot in () if _is_free(s) else _twins(s, tile):
        if s.setting.unique == "nowhere" or not _forbidding(s, tile, slot):
            yield slot


def _is_free(s: State) -> bool:
    """Whether the tile that was shown overwrites anything whatever its Limits say (K20)."""
    return _revealed(s) and s.setting.revealed == "free"


def _forbidding(s: State, tile: str, slot: CellId) -> int:
    """How many Limit effects of a tile forbid it this slot now."""
    if _is_free(s):
        return 0
    count = 0
    for effect in effects_of(s.setting.tiles[tile]):
        asleep = (effect.offline and not s.offline) or (effect.overdrive and not s.overdrive)
        if effect.cause == "limit" and not asleep:
            held = [selecting.holds(s, condition, slot) for condition in effect.conditions]
            count += False in held
    return 0 if count and causes.limits_sleep(s) else count


def _twins(s: State, tile: str) -> Iterator[CellId]:
    """Where Unique tiles of a Unique tile's name lie: it has to overwrite one (T.Unique.1)."""
    tiles, single = s.setting.tiles, s.setting.single
    if tile in single:
        for slot, placed in s.tiles.items():
            alike = tiles[placed.tile].name == tiles[tile].name
            if alike and placed.tile in single and causes.has_keywords(s, slot):
                yield slot


def is_installed(s: State, tile: str) -> bool:
    """Whether a Unique tile of the same name as this Unique one lies on the board (T.Unique.2)."""
    return any(True for _ in _twins(s, tile))


# ------------------------------------------------------------------------------ nothing is legal


def may_be_stuck(s: State, seat: int) -> bool:
    """Whether it can be that no tile of a hand is legal (2.2.2)."""
    own = s.zones.hands[seat]
    if any(_fits(s, tile_of(copy)) for copy in own.known):
        return False
    if not own.unknown:
        return True
    unknown = (copy for copy in hands.held(s, seat) if copy not in own.known)
    return not all(_fits(s, tile_of(copy)) for copy in unknown)


def _fits(s: State, tile: str) -> bool:
    """Whether any slot is legal for a tile."""
    if tile in s.setting.plain:
        return len(s.tiles) < len(s.board.cells)
    return any(_fitting(s, tile, overwriting=False))


def may_clear(s: State, seat: int) -> bool:
    """Whether a tile may be destroyed to make room: the board was full, and there is still too
    little room (2.2.2.1)."""
    return (s.full or s.relief == CLEARING) and may_be_stuck(s, seat) and _lacks_room(s, seat)


def _lacks_room(s: State, seat: int) -> bool:
    """Whether more open slots would make a tile of the hand legal, as far as that is known; one is
    as good as another, so it is the smallest tile that counts."""
    open_, held = len(s.board.cells) - len(s.tiles), hands.held(s, seat)
    if not s.setting.combined:  # each is one piece
        return not open_ and bool(held)
    pieces = s.setting.pieces
    sizes = {pieces[tile_of(copy)] for copy in held}
    known = hands.is_known(s, seat)
    return open_ < (min if known else max)(sizes, default=0)


def revealable(s: State, seat: int) -> tuple[Copy, ...]:
    """The Limit tiles that a player without a legal one may reveal: those that could be played if
    they overwrote anything (2.2.2.2, K20)."""
    if not _needs_relief(s, seat):
        return ()
    tiles = s.setting.tiles
    return tuple(
        copy
        for copy in hands.held(s, seat)
        if keywords.limited(tiles, tile_of(copy))
        and not _fits(s, tile_of(copy))
        and any(_legal(replace(s, relief=copy), tile_of(copy), overwriting=True))
    )


def may_ignore(s: State, seat: int) -> bool:
    """Whether effects may be ignored: there is no tile that could be revealed instead (2.2.2.3)."""
    if not _needs_relief(s, seat):
        return False
    return not (hands.is_known(s, seat) and revealable(s, seat))


def _needs_relief(s: State, seat: int) -> bool:
    room = not s.full and not (s.relief == CLEARING and _lacks_room(s, seat))
    return room and not _helped(s) and s.hand_size(seat) > 0 and may_be_stuck(s, seat)


def _helped(s: State) -> bool:
    """Whether more than room helps the active player already."""
    return s.relief not in ("", CLEARING)


def _revealed(s: State) -> bool:
    return s.relief not in ("", CLEARING, IGNORING)


def _costs(s: State, tile: str) -> dict[CellId, int]:
    """How many effects are ignored to play a tile into each slot: its Limits, and that each part of
    a Combo needs an open slot."""
    open_ = [cell.id for cell in s.board.cells if cell.id not in s.tiles]
    tight = len(open_) < len(keywords.parts(s.setting.tiles, tile))
    twins = tuple(_twins(s, tile))
    slots = s.board.cell if tight else [*open_, *twins]
    bound = bool(twins) and s.setting.unique == "nowhere"
    return {
        slot: _forbidding(s, tile, slot) + tight + (bound and slot not in twins) for slot in slots
    }


def _least(s: State, seat: int, cost: dict[CellId, int]) -> int:
    """How few effects have to be ignored: over the whole hand where it is known."""
    if not hands.is_known(s, seat):
        return min(cost.values())
    return min(min(_costs(s, tile_of(c)).values()) for c in hands.held(s, seat))


# ------------------------------------------------------------------------- Unique and Virtual


def exchangeable(s: State, seat: int) -> tuple[Copy, ...]:
    """The Unique tiles of a hand that may be discarded for another, since one of that name is
    installed (T.Unique.2)."""
    if not s.setting.single:
        return ()
    return tuple(c for c in hands.held(s, seat) if is_installed(s, tile_of(c)))


def fetchable(s: State, seat: int, tile: str) -> tuple[Copy, ...]:
    """The copies of a Virtual tile that the seat may take out of the bag to create it, where none
    is known to be at hand (T.Create)."""
    if not may_lack(s, seat, tile):
        return ()
    return tuple(dict.fromkeys(c for c in hands.unseen(s) if tile_of(c) == tile))


def may_lack(s: State, seat: int, part: str) -> bool:
    """Whether it can be that a Virtual tile is to be found nowhere: it is not in the Virtual Pool,
    and nobody knows that the seat holds it (T.Combo.3)."""
    known = (*s.zones.virtual, *s.zones.hands[seat].known)
    return hands.is_virtual(s, part) and all(tile_of(c) != tile_of(part) for c in known)
