"""Tiles leave the board: for good (2.4), or to where else an effect brings them."""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.board import CellId
from controller.games.hextraction import causes
from controller.games.hextraction.selecting import around, in_order
from controller.games.hextraction.state import State, told


def destroy(
    s: State, slots: Iterable[CellId], why: str, rule: str, *, own: bool = False, last: bool = True
) -> State:
    """Take tiles off the board for good, all at once (2.4.1), saying `why`. Their On Destroy
    effects are set off unless they have no `last` word (0.5.6), and those of their neighbours.
    `own`: an effect of one of them does it."""
    gone = in_order(s, s.tiles.keys() & set(slots))
    after = s
    for slot in gone:
        after = told(after, why, rule, slot=slot, tile=s.tiles[slot].tile)
    if last:
        for slot in gone:
            after = causes.set_off(after, "on_destroy", slot, s.conductor)
    for slot in gone:
        for beside in around(s, slot):
            if beside not in gone:
                after = causes.set_off(after, "on_neighbour_destroyed", beside, s.conductor)
    return remove(after, gone, own=own)


def remove(s: State, slots: Iterable[CellId], own: bool = False) -> State:
    """Tiles are off the board; what is known of them, and what they still had to do, is gone."""
    gone = set(slots)
    after = causes.purge(s, gone, own)
    tiles = {slot: placed for slot, placed in s.tiles.items() if slot not in gone}
    notes = {note: text for note, text in s.notes.items() if note[0] not in gone}
    fresh = "" if s.fresh in gone else s.fresh
    return replace(after, tiles=tiles, notes=notes, fresh=fresh)
