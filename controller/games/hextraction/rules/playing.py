"""A tile comes from a hand, or from where it is created, onto the board (2.2)."""

from msgspec.structs import replace

from hexboard.games.hextraction.rules import (
    causes,
    hands,
    individuals,
    keywords,
    operations,
)
from hexboard.games.hextraction.rules.actions import Play
from hexboard.games.hextraction.rules.destroying import destroy
from hexboard.games.hextraction.rules.state import SEATS, Placed, State, told
from hexboard.games.hextraction.rules.zones import Copy, Zones, owner_of, tile_of
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED


def played(s: State, seat: int, action: Play) -> State:
    """A tile of a hand is played. A Combo is broken apart: its other parts are placed next
    (2.2.1.1, T.Combo.1)."""
    others = _others(s, action.tile) if s.setting.combined else ()
    zones = s.zones.leaves(seat, action.tile)
    return installed(replace(s, zones=zones, parts=others, earlier=()), seat, action)


def _others(s: State, copy: Copy) -> tuple[Copy, ...]:
    """The other parts of a Combo that a copy is one of; counterparts of a Virtual one are tiles
    (T.Combo.2)."""
    tiles, tile = s.setting.tiles, tile_of(copy)
    if keywords.has(tiles, tile, "virtual"):
        return tuple(part for part in keywords.parts(tiles, tile) if part != tile)
    return tuple(part for part in keywords.pieces(tiles, copy) if part != copy)


def created(s: State, seat: int, action: Play) -> State:
    """A Virtual tile is created by an effect; the counterparts of a Combo come next."""
    others = keywords.parts(s.setting.tiles, tile_of(action.tile))
    parts = tuple(part for part in others if part != tile_of(action.tile))
    after = replace(s, zones=supplied(s, seat, action.tile), parts=parts, earlier=())
    return installed(after, seat, action)


def part_placed(s: State, action: Play) -> State:
    """The next part of a Combo is placed. Counterparts of a Virtual one are created (T.Combo.2)."""
    seat, copy = s.player, action.tile
    zones = supplied(s, seat, copy) if hands.is_virtual(s, copy) else s.zones
    after = replace(s, zones=zones, parts=s.parts[1:], earlier=s.playing)
    return installed(after, seat, action)


def supplied(s: State, seat: int, copy: Copy) -> Zones:
    """A Virtual copy comes from the Virtual Pool, else from the hand (T.Create)."""
    in_pool = copy in s.zones.virtual
    return s.zones.created(copy) if in_pool else s.zones.leaves(seat, copy)


def installed(s: State, seat: int, action: Play) -> State:
    """A tile comes into a slot, over the one that lies there (T.Overwrite). Effects wait until the
    hand is off it (2.2.5, T.OnPlay), also one that asked for this play, and until its Forbidden
    effects have been voted on. From now until the last of them is resolved the seat is playing
    (2.2.1.2, 2.2.5.2)."""
    slot, rotation, tile = action.slot, action.rotation, tile_of(action.tile)
    if slot in s.tiles:
        s = destroy(s, {slot}, "overwritten", "T.Overwrite")
    s = individuals.makes_way(s, slot)
    tiles = {**s.tiles, slot: Placed(tile, rotation, owner_of(action.tile))}
    relief = s.relief if s.parts else ""
    after = replace(s, phase="resolving", tiles=tiles, fresh=slot, player=seat, relief=relief)
    who = SEATS[seat]
    after = told(after, "plays", "2.2.4", seat=who, tile=tile, slot=slot, rotation=rotation)
    if tile == UNREGISTERED.id:
        after = told(after, "unregistered", "0.3.1", slot=slot)
    after = operations.set_up(after, slot, seat)
    for effect in after.card(slot):
        if causes.unkept(effect):
            after = told(after, "unkept", "T.Ongoing", slot=slot, tile=tile)
    after = causes.on_play(after, slot, seat)
    asked = after.doing and s.setting.playing == "until stable"
    return replace(after, release="awaited") if asked else after
