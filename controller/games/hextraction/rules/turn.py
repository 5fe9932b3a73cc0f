"""A turn: what its player may do in it, and how it passes on (2.0, 2.2, 2.7, 0.1.11)."""

from collections.abc import Iterator

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import causes, hands, playing, resolving, voting
from hexboard.games.hextraction.rules.destroying import destroy, unplaced
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import (
    CLEARING,
    HAND,
    IGNORING,
    SEATS,
    Claim,
    State,
    told,
)
from hexboard.games.hextraction.rules.zones import tile_of

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
    return allowed and s.hand_size(s.active) > 0


def must_roll(s: State) -> bool:
    """Whether the turn cannot end before another roll (2.0.1.1); extras may count or not (K9)."""
    return may_roll(s) and (s.rolls < 1 or s.setting.extras == "must")


def must_play(s: State) -> bool:
    """Whether the turn cannot end before another play (2.0.1.1)."""
    return may_play(s) and (s.plays < 1 or s.setting.extras == "must")


def activatable(s: State) -> Iterator[tuple[CellId, int]]:
    """The Activated effects that the active seat (2.7.4.1) can pay for now (2.7.3), by slot and
    number; none has to be activated (2.0.4, 2.7.4.3) but those of `must_activate`."""
    for slot, k, _ in causes.activated(s):
        if resolving.payable(s, _activation(s, slot, k)):
            yield slot, k


def must_activate(s: State) -> tuple[CellId, int] | None:
    """A mandatory effect that has to be activated before the turn ends (2.7.4.4): once, or as often
    as its limit says (K34)."""
    for slot, k in activatable(s):
        effect = s.card(slot)[k]
        once = s.setting.mandatory == "once" or effect.limit_per_turn is None
        if effect.mandatory and not (once and causes.used(s, slot, k)):
            return slot, k
    return None


# ---------------------------------------------------------------------------- what is done


def play(s: State, action: act.Play) -> State:
    """A tile is played: in the turn, or because an effect asks for it (2.3.2, T.Playing.B)."""
    if s.parts:
        return playing.part_placed(s, action)
    asked, seat = resolving.asked(s), s.active
    if asked and asked.kind == "create":
        assert s.doing is not None
        after = replace(s, doing=s.doing.answered(action.slot))
        return playing.created(after, asked.seat, action)
    if asked:
        assert s.doing is not None
        seat = asked.seat
        after = replace(s, doing=s.doing.answered(action.slot))
    else:
        after = replace(s, plays=s.plays + 1)
    return playing.played(after, seat, action)


def turned(s: State, action: act.Turn) -> State:
    """The tile just played is tried in another way, in the same slot (2.2.4.2)."""
    placed = replace(s.tiles[action.slot], rotation=action.rotation)
    after = replace(s, tiles={**s.tiles, action.slot: placed})
    slot, tile, rotation = action.slot, placed.tile, action.rotation
    return told(after, "turned", "2.2.4.2", slot=slot, tile=tile, rotation=rotation)


def fetch(s: State, action: act.Fetch) -> State:
    """A Virtual tile that is to be created is found in the bag (T.Create)."""
    seat = s.player if s.parts else resolving.awaited(s)
    after = hands.found(s, seat, action.tile)
    return told(after, "finds", "T.Create", seat=SEATS[seat], tile=tile_of(action.tile))


def lack(s: State, _: act.Lack) -> State:
    """A counterpart of a Virtual Combo cannot be created: its parts go into the Virtual Pool, its
    player draws and plays another tile (T.Combo.3)."""
    if s.parts:
        return voting.replaced(unplaced(s), s.player, "T.Combo.3")
    assert s.doing is not None  # else it would have been refused
    return replace(s, doing=s.doing.answered("none"))


def unfit(s: State, _: act.Unfit) -> State:
    """The tile just played seats in no way: it is destroyed, another is drawn, and its player
    plays again (2.2.4.3)."""
    after = destroy(replace(s, phase="resolving"), {s.fresh}, "unfit", "2.2.4.3")
    return voting.replaced(after, s.player, "2.2.4.3")


def clear(s: State, action: act.Clear) -> State:
    """With the board full a tile makes room (2.2.2.1): the play begins with that (2.2.1.2)."""
    after = replace(s, phase="resolving", fresh="", relief=CLEARING)
    return destroy(after, {action.slot}, "cleared", "2.2.2.1")


def reveal(s: State, action: act.Reveal) -> State:
    """With no legal tile a Limit tile is shown, which may overwrite anything now (2.2.2.2)."""
    after = s if action.tile in s.zones.hands[s.active].known else named(s, action)
    seat, tile = SEATS[s.active], tile_of(action.tile)
    return told(_begun(after, action.tile), "reveals", "2.2.2.2", seat=seat, tile=tile)


def _begun(s: State, relief: str) -> State:
    """Who has no legal tile begins to play (2.2.1.2), or is only helped in what is said next
    (K43)."""
    if s.setting.playing == "as said":
        return replace(s, relief=relief)
    return replace(s, phase="resolving", fresh="", relief=relief)


def named(s: State, action: act.Reveal) -> State:
    """Now everybody knows that the tile is there."""
    return replace(s, zones=s.zones.named(s.active, action.tile))


def ignore(s: State, _: act.Ignore) -> State:
    """With no legal tile, and none to reveal, effects are ignored: as few as may be (2.2.2.3)."""
    return told(_begun(s, IGNORING), "ignores", "2.2.2.3", seat=SEATS[s.active])


def activate(s: State, action: act.Activate) -> State:
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
    owner = causes.owner(s, slot)
    return Pending(1, slot, s.tiles[slot].tile, effect, s.active, owner=owner)


def end(s: State, _: act.End) -> State:
    """Bring the hand to three: draw blindly (1.2.2), or discard (1.2.3), never both (K7)."""
    need, seat = HAND - s.hand_size(s.active), s.active
    if need < 0:
        return _discards(replace(s, ending=True, fresh=""))
    drawn = hands.drawn(s, seat, need)
    if drawn.phase == "over":
        return drawn
    after, who = next_turn(drawn), SEATS[seat]
    said = told(drawn, "ends", "1.2.2", seat=who, drawn=need, next=SEATS[after.active])
    return _told_before(said, after, drawn)


def discard(s: State, action: act.Discard) -> State:
    """A tile of the hand is discarded: down to three at the end of a turn (1.2.3), else a Unique
    one for another (T.Unique.2)."""
    if s.ending:
        return _discards(hands.discarded(s, s.active, action.tile))
    tile, seat = tile_of(action.tile), SEATS[s.active]
    after = told(replace(s, fresh=""), "exchanges", "T.Unique.2", seat=seat, tile=tile)
    return hands.exchanged(after, s.active, action.tile)


def _discards(s: State) -> State:
    """Discard down to three; where there is nothing to choose, at once."""
    over = s.hand_size(s.active) - HAND
    if over > 0 and s.setting.hands == "blind" and len(hands.discardable(s, s.active)) == 1:
        s = hands.discarded(s, s.active, hands.discardable(s, s.active)[0])
        return _discards(s)
    if over > 0:
        return s
    after, who = next_turn(s), SEATS[s.active]
    said = told(s, "discards", "1.2.3", seat=who, next=SEATS[after.active])
    return _told_before(said, after, s)


def _told_before(said: State, after: State, s: State) -> State:
    """The next turn, how this one ended being told before how that one begins."""
    return replace(after, events=(*said.events, *after.events[len(s.events) :]))


def concede(s: State, action: act.Concede) -> State:
    """A seat gives up. It loses when the game stabilises, and until then votes and chooses like
    anybody (2.8.1, 2.8.1.2)."""
    after = replace(s, resigned=(*s.resigned, action.seat), phase=_ending_phase(s))
    return told(after, "concedes", "2.8.1.2", seat=SEATS[action.seat])


def gone(s: State, seat: int) -> State:
    """A seat is out of the game at once, and its ballot goes too (2.8.4)."""
    resigned = tuple(other for other in s.resigned if other != seat)
    vote = s.vote and s.vote.without(seat)
    after = replace(s, conceded=(*s.conceded, seat), resigned=resigned, vote=vote)
    return replace(after, phase=_ending_phase(s))


def _ending_phase(s: State) -> str:
    """What is stable stabilises once more, to see who is left."""
    return "resolving" if s.phase == "idle" else s.phase


# ---------------------------------------------------------------------------- whose turn it is


def next_turn(s: State) -> State:
    """The turn passes on: to the same seat if it was granted another, else to the next that is in
    the game and does not skip."""
    kept = {claim: n for claim, n in s.granted.items() if claim[0] != s.active}
    more = s.granted.get((s.active, "turn"), 0)
    notes = {note: text for note, text in s.notes.items() if note[1] != "used"}
    after = replace(
        s,
        turn=s.turn + 1,
        rolls=0,
        plays=0,
        fresh="",
        ending=False,
        relief="",
        notes=notes,
        granted=kept,
    )
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
    if not due and not last:
        return s, False
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
