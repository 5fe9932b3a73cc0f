"""Tiles are individuals. In a position a slot stands for the tile that lies in it: whatever points
at a tile goes with it to another slot, and points at nothing once another tile lies in its own."""

from collections.abc import Mapping

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import Ball, State

GONE = ""
"""Where nothing lies that could be pointed at."""


def moved(s: State, to: Mapping[CellId, CellId]) -> State:
    """Tiles lie in other slots now, with what is known of them and what they still have to do. What
    pointed at those that lay there before points at nothing."""
    tiles = {to.get(slot, slot): placed for slot, placed in s.tiles.items()}
    left = dict.fromkeys(to.values() - to.keys(), GONE)
    return replace(_pointing(s, {**left, **to}), tiles=tiles)


def makes_way(s: State, slot: CellId) -> State:
    """Another tile comes into a slot: what pointed at the one that lay there points at nothing."""
    return _pointing(s, {slot: GONE})


def _pointing(s: State, to: Mapping[CellId, CellId]) -> State:
    """With all that points at the tiles of some slots pointing elsewhere, or at nothing."""

    def at(slot: CellId) -> CellId:
        return to.get(slot, slot)

    def ball(b: Ball) -> Ball:
        last = at(b.last) or ("" if b.rolling else b.last)  # one that lies there lies on what comes
        return replace(b, last=last, before=at(b.before))

    def of(pending: Pending) -> Pending:
        before = at(pending.before)
        if not pending.lies or at(pending.slot) == GONE:
            return replace(pending, before=before, lies=False)
        return replace(pending, before=before, slot=at(pending.slot))

    return replace(
        s,
        balls=tuple([ball(b) if b.last in to or b.before in to else b for b in s.balls]),
        touches={at(slot): n for slot, n in s.touches.items() if at(slot)},
        touched={(at(slot), id): n for (slot, id), n in s.touched.items() if at(slot)},
        notes={(at(slot), *what): text for (slot, *what), text in s.notes.items() if at(slot)},
        waiting=tuple(map(of, s.waiting)),
        doing=s.doing and of(s.doing),
        outcomes=tuple([replace(o, slot=at(o.slot)) for o in s.outcomes]),
        happened=tuple([_happened(done, to) for done in s.happened if _happened(done, to)]),
        crowd=at(s.crowd),
        crowds=tuple([at(slot) for slot in s.crowds if at(slot)]),
        fresh=at(s.fresh),
        earlier=tuple([at(slot) for slot in s.earlier if at(slot)]),
    )


def _happened(done: str, to: Mapping[CellId, CellId]) -> str:
    """What happened to the tile in a slot: "C3", or with an effect or area behind it."""
    for mark in "/:":
        slot, found, which = done.partition(mark)
        if found and slot in to:
            return f"{to[slot]}{mark}{which}" if to[slot] else ""
        if found:
            return done
    return to.get(done, done)
