"""A turn: what its player may do in it, and how it passes on (2.0, 2.2, 2.7, 0.1.11)."""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.board import CellId
from controller.games.hextraction import causes, resolving
from controller.games.hextraction.actions import Activate, Clear, Concede, End, Play, Turn
from controller.games.hextraction.destroying import destroy
from controller.games.hextraction.pending import Pending
from controller.games.hextraction.state import (
    HAND,
    SEATS,
    Claim,
    Placed,
    State,
    ended,
    told,
    with_item,
)
from controller.games.hextraction.tiles import UNREGISTERED

# ---------------------------------------------------------------------------- what is due


def allowance(s: State, what: str) -> int:
    """How many rolls or plays the active seat has in this turn: one (2.0.2, 2.0.3), and extras."""
    return 1 + s.granted.get((s.active, what), 0) + causes.standing(s, what)


def may_roll(s: State) -> bool:
    """Whether the active seat still has a roll in this turn."""
    return s.rolls < allowance(s, "roll") and (s.active, "roll") not in s.suffered


def may_play(s: State) -> bool:
    """Whether the active seat still has a play in this turn, and a tile."""
    allowed = s.plays < allowance(s, "play") and (s.active, "play") not in s.suffered
    return allowed and s.hands[s.active] > 0


def must_roll(s: State) -> bool:
    """Whether the turn cannot end before another roll (2.0.1.1); extras may count or not (K9)."""
    return may_roll(s) and (s.rolls < 1 or s.setting.extras == "must")


def must_play(s: State) -> bool:
    """Whether the turn cannot end before another play (2.0.1.1)."""
    return may_play(s) and (s.plays < 1 or s.setting.extras == "must")


def activatable(s: State) -> Iterator[tuple[CellId, int]]:
    """The Activated effects that the active seat can pay for now (2.7.3), by slot and number."""
    for slot, k, _ in causes.activated(s):
        if resolving.payable(s, _activation(s, slot, k)):
            yield slot, k


def must_activate(s: State) -> tuple[CellId, int] | None:
    """A mandatory effect that has to be activated before the turn ends (2.7.4.4); once in a turn
    is enough (K34)."""
    for slot, k in activatable(s):
        if s.card(slot)[k].mandatory and not causes.used(s, slot, k):
            return slot, k
    return None


# ---------------------------------------------------------------------------- what is done


def play(s: State, action: Play) -> State:
    """A tile is played: in the turn, or because an effect asks for it (2.3.2, T.Playing.B)."""
    asked, seat = resolving.asked(s), s.active
    if asked:
        assert s.doing is not None
        seat = asked.seat
        after = replace(s, doing=s.doing.answered(action.slot))
    else:
        after = replace(s, plays=s.plays + 1)
    after = replace(after, hands=with_item(s.hands, seat, s.hands[seat] - 1))
    return installed(after, seat, action)


def installed(s: State, seat: int, action: Play) -> State:
    """A tile comes into a slot; its On Play effects wait until the hand is off it (2.2.5), and
    until its Forbidden effects have been voted on."""
    slot, tile, rotation = action.slot, action.tile, action.rotation
    touches = {place: count for place, count in s.touches.items() if place != slot}
    tiles = {**s.tiles, slot: Placed(tile, rotation)}
    after = replace(s, phase="resolving", tiles=tiles, touches=touches, fresh=slot, player=seat)
    after = told(after, "plays", "2.2.4", seat=SEATS[seat], tile=tile, slot=slot, rotation=rotation)
    if tile == UNREGISTERED.id:
        after = told(after, "unregistered", "0.3.1", slot=slot)
    for effect in after.card(slot):
        if causes.unkept(effect):
            after = told(after, "unkept", "T.Ongoing", slot=slot, tile=tile)
    return causes.set_off(after, "on_play", slot, seat)


def turned(s: State, action: Turn) -> State:
    """The tile just played is tried in another way, in the same slot (2.2.4.2)."""
    tile = s.tiles[action.slot].tile
    tiles = {**s.tiles, action.slot: Placed(tile, action.rotation)}
    return told(
        replace(s, tiles=tiles),
        "turned",
        "2.2.4.2",
        slot=action.slot,
        tile=tile,
        rotation=action.rotation,
    )


def clear(s: State, action: Clear) -> State:
    """With the board full a tile makes room (2.2.2.1)."""
    after = replace(s, phase="resolving", fresh="")
    return destroy(after, {action.slot}, "cleared", "2.2.2.1")


def activate(s: State, action: Activate) -> State:
    """An effect is activated; its cost comes first (2.7.3)."""
    slot, k = action.slot, action.effect
    times = str(causes.used(s, slot, k) + 1)
    after = replace(
        s, phase="resolving", fresh="", notes={**s.notes, (slot, "used", str(k)): times}
    )
    after = replace(after, doing=_activation(s, slot, k))
    return told(
        after, "activates", "2.7.1", seat=SEATS[s.active], slot=slot, tile=s.tiles[slot].tile
    )


def _activation(s: State, slot: CellId, effect: int) -> Pending:
    return Pending(1, slot, s.tiles[slot].tile, effect, s.active)


def end(s: State, _: End) -> State:
    """Bring the hand to three: draw blindly (1.2.2), or discard into the pool (1.2.3). With the
    pool empty when a tile must be drawn the game is over at once (2.10.1)."""
    hand = s.hands[s.active]
    need = HAND - hand
    hands = with_item(s.hands, s.active, hand + min(need, s.pool))
    after = replace(s, hands=hands, pool=s.pool - min(need, s.pool))
    if need > s.pool:
        return told(ended(after), "pool_empty", "2.10.1")
    after, seat = next_turn(after), SEATS[s.active]
    events, after = after.events, replace(after, events=())
    next = SEATS[after.active]
    if need < 0:
        after = told(after, "discards", "1.2.3", seat=seat, count=-need, next=next)
    else:
        after = told(after, "ends", "1.2.2", seat=seat, drawn=need, next=next)
    return replace(after, events=(*after.events, *events))


def concede(s: State, action: Concede) -> State:
    """A seat gives up. Losing happens when the game stabilises (2.8.1)."""
    after = replace(s, conceded=(*s.conceded, action.seat))
    after = told(after, "concedes", "2.8.1.2", seat=SEATS[action.seat])
    after = replace(after, phase="resolving" if s.phase == "idle" else s.phase)
    if after.vote:  # nothing prevents leaving; the ballot goes too (2.8.4)
        after = replace(after, vote=after.vote.without(action.seat))
    return after


# ---------------------------------------------------------------------------- whose turn it is


def next_turn(s: State) -> State:
    """The turn passes on: to the same seat if it was granted another, else to the next that is in
    the game and does not skip."""
    kept = {claim: n for claim, n in s.granted.items() if claim[0] != s.active}
    more = s.granted.get((s.active, "turn"), 0)
    notes = {note: text for note, text in s.notes.items() if note[1] != "used"}
    after = replace(s, turn=s.turn + 1, rolls=0, plays=0, fresh="", notes=notes, granted=kept)
    if more and s.active in s.present:
        rest = {(s.active, "turn"): more - 1} if more > 1 else {}
        return _begin(replace(after, granted={**kept, **rest}), s.active)
    seat = s.active
    while True:
        seat = (seat + 1) % s.setting.seats
        if seat not in s.present:
            continue
        after, skips = _suffers(after, seat, "turn")
        if not skips:
            return _begin(after, seat)


def _begin(s: State, seat: int) -> State:
    """The seat's turn begins, in which it may be barred from something."""
    after = replace(s, active=seat)
    for what in ("roll", "play"):
        after, _ = _suffers(after, seat, what)
    return after


def _suffers(s: State, seat: int, what: str) -> tuple[State, bool]:
    """Whether a seat has to do without a roll, a play or a turn now: never twice in a row, what
    comes too soon is lost (0.1.11, K8)."""
    claim: Claim = (seat, what)
    due, last = s.penalties.get(claim, 0), claim in s.suffered
    if not due:
        return replace(s, suffered=tuple(c for c in s.suffered if c != claim)), False
    others = {c: n for c, n in s.penalties.items() if c != claim}
    rest = {claim: due - 1} if due > 1 and not last else {}
    after = replace(s, penalties={**others, **rest})
    suffered = tuple(c for c in s.suffered if c != claim)
    if last:
        after = replace(after, suffered=suffered)
        return told(after, f"spared_{what}", "0.1.11", seat=SEATS[seat]), False
    after = replace(after, suffered=(*suffered, claim))
    return told(after, f"suffers_{what}", "0.1.11", seat=SEATS[seat]), True
