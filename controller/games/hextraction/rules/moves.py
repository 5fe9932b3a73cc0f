"""What may be done, and why something may not."""

from collections.abc import Callable, Iterator
from typing import Any, get_args

from hexboard.board import CellId
from hexboard.game.position import Refusal
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import (
    causes,
    combos,
    hands,
    leaving,
    legality,
    resolving,
    selecting,
    stabilising,
    turn,
)
from hexboard.games.hextraction.rules.operations import Ask
from hexboard.games.hextraction.rules.state import SEATS, State
from hexboard.games.hextraction.rules.zones import tile_of
from hexboard.words import message

# ---------------------------------------------------------------------------- what is legal


def legal(s: State) -> tuple[act.Action, ...]:
    """Moves, and the chance that the rules wait for."""
    return tuple(_idle(s) if s.phase == "idle" and not s.vote else _going_on(s))


def _going_on(s: State) -> Iterator[act.Action]:
    """While something is voted on, rolls or is resolved."""
    if s.vote:
        voter = s.voter
        assert voter is not None  # with the last ballot the vote is over
        yield from (act.Yea(voter), act.Nay(voter))
        if s.phase == "rolling":
            yield act.Settle()
    elif s.phase == "rolling":
        if s.looped:
            yield act.Break()
        yield from map(act.Roll, selecting.retried(s))
        yield act.Settle()
    elif s.phase == "resolving":
        yield from _resolving(s)


def _resolving(s: State) -> Iterator[act.Action]:
    """One choice after the other."""
    asked = resolving.asked(s)
    if s.torn:
        yield from (act.Choose(slot) for slot in combos.candidates(s, s.torn[0]))
    elif lanes := selecting.retried(s):
        yield from map(act.Roll, lanes)
    elif s.parts:
        yield from legality.plays(s, s.player)
        yield from _missing(s, s.player, tile_of(s.parts[0]))
    elif s.held:
        yield act.Settle()
    elif s.choosing:
        yield from legality.playing(s)
    elif asked and asked.kind == "create":
        yield from legality.creations(s, asked.seat, resolving.created(s), asked.options)
        yield from _missing(s, asked.seat, resolving.created(s))
    elif asked and asked.kind == "roll":
        yield from (act.Roll(lane) for lane in asked.options)
    elif asked and asked.kind == "play":
        yield from legality.plays(s, asked.seat, asked.options)
    elif asked:
        yield from (act.Choose(answer) for answer in asked.options)
    elif s.waiting:
        yield from (act.Resolve(pending.number) for pending in s.waiting)
    elif answers := chosen(s):
        yield from map(act.Choose, answers)
    else:
        yield act.Settle()


def chosen(s: State) -> tuple[str, ...]:
    """What the roller chooses of tiles that three balls touch (2.1.5.5)."""
    return stabilising.crowded(s) if s.crowd else s.crowds


def _missing(s: State, seat: int, tile: str) -> Iterator[act.Action]:
    """A Virtual tile to be created is taken out of the bag, or is nowhere (T.Create, T.Combo.3)."""
    yield from (act.Fetch(copy) for copy in legality.fetchable(s, seat, tile))
    if legality.may_lack(s, seat, tile):
        yield act.Lack()


def _idle(s: State) -> list[act.Action]:
    """Roll, play, activate or end (2.0.1), in any order (2.0.5)."""
    if s.ending:
        return [act.Discard(copy) for copy in hands.discardable(s, s.active)]
    found = list[act.Action]()
    if turn.may_roll(s):
        found += map(act.Roll, causes.open_ramps(s))
    if turn.may_play(s):
        found += legality.playing(s)
    found += (act.Discard(copy) for copy in legality.exchangeable(s, s.active))
    found += (act.Activate(slot, k) for slot, k in turn.activatable(s))
    if _end_refusal(s) is None:
        found.append(act.End())
    return found


def is_done(s: State) -> bool:
    """Whether the active seat can only end its turn (2.0.1)."""
    if s.phase != "idle" or s.vote or turn.may_roll(s) or turn.may_play(s):
        return False
    return legal(s) == (act.End(),)


def own_ramps(s: State) -> tuple[CellId, ...]:
    """The tiles from whose own ramp a ball may be rolled now (2.1.1.2)."""
    asked = resolving.asked(s)
    if asked and asked.kind == "roll":
        return tuple(slot for slot in asked.options if slot in s.tiles)
    if s.phase != "idle" or s.vote or s.ending or not turn.may_roll(s):
        return ()
    return tuple(slot for slot in causes.open_ramps(s) if slot in s.tiles)


# ---------------------------------------------------------------------------- what is refused


def refusal(s: State, action: act.Action) -> Refusal | None:
    """Moves and table acts are judged by the rules. A happening only has to be possible on this
    board: the rules say what it means, even when it means nothing."""
    kind = type(action)
    if (names := _NAMES.get(kind)) and (wrong := names(s, action)):
        return wrong
    judges = _JUDGES.get(kind)
    return judges(s, action) if judges else None


def _no_ramp(s: State, action: act.Roll | act.Accident) -> Refusal | None:
    ramp = action.ramp
    if ramp in s.tiles or ramp in s.board.lanes:
        return None
    return message("hextraction.no_ramp", "2.1.1.2", ramp=ramp)


def _no_tile(s: State, action: act.Play | act.Reveal | act.Drew) -> Refusal | None:
    if hands.is_copy(s, action.tile):
        return None
    return message("hextraction.no_tile", "2.2.1", tile=action.tile[:40])


def _no_slot(s: State, action: act.OfSlot) -> Refusal | None:
    if action.slot in s.board.cell:
        return None
    return message("hextraction.no_slot", "2.2.1", slot=action.slot)


def _no_exit(s: State, action: act.Off) -> Refusal | None:
    slot, edge = action.slot, action.edge
    if (slot, edge) in s.board.exits:
        return None
    return message("hextraction.no_exit", "2.1.5.3", slot=slot, edge=edge)


def _no_zone(s: State, action: act.Goal) -> Refusal | None:
    if action.zone in {z.id for z in s.board.zones}:
        return None
    return message("hextraction.no_zone", "2.1.5.2", zone=action.zone)


def _no_place(s: State, action: act.Rest) -> Refusal | None:
    if s.is_place(action.place):
        return None
    return message("hextraction.no_place", "2.3.1", place=action.place[:40])


_NAMES: dict[type, Callable[[State, Any], Refusal | None]] = {
    **dict.fromkeys(get_args(act.OfSlot), _no_slot),
    act.Roll: _no_ramp,
    act.Accident: _no_ramp,
    act.Play: lambda s, play: _no_tile(s, play) or _no_slot(s, play),
    act.Reveal: _no_tile,
    act.Drew: _no_tile,
    act.Off: _no_exit,
    act.Goal: _no_zone,
    act.Rest: _no_place,
}
"""What says that something an action names cannot be on this board at all, by its type."""


def _concede_refusal(s: State, action: act.Concede) -> Refusal | None:
    seat = action.seat
    if s.phase == "over" or seat not in s.present or seat in s.resigned:
        return message("hextraction.cannot_concede", "2.8.1.2")
    return None


def _vote_refusal(s: State, action: act.OfVote) -> Refusal | None:
    if s.phase == "over":
        return message("hextraction.over", "2.9.1")
    if isinstance(action, act.CallVote):
        return _call_refusal(s, action)
    if not s.vote:
        return message("hextraction.no_vote", "0.5.1")
    voter = s.voter
    assert voter is not None
    if action.seat != voter:
        return message("hextraction.not_your_vote", "0.5.2", seat=SEATS[voter])
    return None


def _call_refusal(s: State, action: act.CallVote) -> Refusal | None:
    """Why this seat cannot call a vote on this slot now."""
    if action.slot not in s.board.cell:
        return message("hextraction.no_slot", "0.5.1", slot=action.slot)
    if s.vote:
        return message("hextraction.voting", "0.5.1", slot=s.vote.slot)
    if action.seat not in s.present:
        return message("hextraction.no_voter", "0.5.3")
    if action.slot not in s.tiles:
        return message("hextraction.no_tile_there", "0.5.1", slot=action.slot)
    return None


def _move_refusal(s: State, action: act.Action) -> Refusal | None:
    if closed := _closed_refusal(s, action):
        return closed
    match s.phase:
        case "rolling":
            return _rolling_refusal(s, action)
        case "resolving":
            return _resolving_refusal(s, action)
    return _idle_refusal(s, action)


def _closed_refusal(s: State, action: act.Action) -> Refusal | None:
    if s.phase == "over":
        return message("hextraction.over", "2.9.1")
    if s.vote and not (isinstance(action, act.Settle) and s.phase == "rolling"):
        return message("hextraction.voting", "0.5.1", slot=s.vote.slot)
    return None


def _endless_refusal(s: State, action: act.Endless) -> Refusal | None:
    if action.seat not in s.present:
        return message("hextraction.no_voter", "2.1.4.4")
    return _closed_refusal(s, action) or _still_refusal(s)


def _break_refusal(s: State, action: act.Break) -> Refusal | None:
    if refused := _closed_refusal(s, action) or _still_refusal(s):
        return refused
    return None if s.looped else message("hextraction.no_loop", "2.1.4.3")


def _still_refusal(s: State) -> Refusal | None:
    return None if s.phase == "rolling" else message("hextraction.not_rolling", "2.1.4")


def _rolling_refusal(s: State, action: act.Action) -> Refusal | None:
    match action:
        case act.Settle():
            return None
        case act.Roll(ramp) if ramp in selecting.retried(s):
            return None
    return message("hextraction.unstable", "2.3.2")


def _resolving_refusal(s: State, action: act.Action) -> Refusal | None:
    """Only what is asked for is done now (2.2.1.3, 2.3.2, 2.7.4.5)."""
    if s.choosing and not (s.torn or selecting.retried(s) or s.parts or s.held):
        return _choosing_refusal(s, action)
    if action in _resolving(s):
        return None
    asked = resolving.asked(s)
    if isinstance(action, act.Play) and (s.parts or (asked and asked.kind == "play")):
        seat, slots = (s.player, None) if s.parts or not asked else (asked.seat, asked.options)
        if slots is None or action.slot in slots:
            return _play_refusal(s, seat, action, slots)
    return message("hextraction.resolving", "2.3.2")


def _choosing_refusal(s: State, action: act.Action) -> Refusal | None:
    """Who has no legal tile and has begun to play goes on with that (2.2.1.3)."""
    match action:
        case act.Play() | act.Clear() | act.Reveal() | act.Ignore():
            return _help_refusal(s, action)
    return message("hextraction.play_first", "2.2.1.3", seat=SEATS[s.active])


def _help_refusal(
    s: State, action: act.Play | act.Clear | act.Reveal | act.Ignore
) -> Refusal | None:
    """Why the active player cannot play this tile so, or is not helped so (2.2.2)."""
    match action:
        case act.Play():
            return _play_refusal(s, s.active, action, None)
        case act.Clear() if not legality.may_clear(s, s.active):
            return message("hextraction.not_full", "2.2.2.1")
        case act.Clear(slot) if slot not in s.tiles:
            return message("hextraction.no_tile_there", "2.2.2.1", slot=slot)
        case act.Reveal(copy) if copy not in legality.revealable(s, s.active):
            return message("hextraction.no_reveal", "2.2.2.2", tile=tile_of(copy))
        case act.Ignore() if not legality.may_ignore(s, s.active):
            return message("hextraction.no_ignore", "2.2.2.3")
    return None


def _idle_refusal(s: State, action: act.Action) -> Refusal | None:
    if s.ending:
        return _ending_refusal(s, action)
    judges = _IDLE.get(type(action))
    return judges(s, action) if judges else None


def _idle_roll(s: State, action: act.Roll) -> Refusal | None:
    ramp, may = action.ramp, turn.may_roll(s)
    if ramp not in selecting.ramps(s):
        return message("hextraction.no_ramp", "2.1.1.2", ramp=ramp)
    if may and ramp not in causes.open_ramps(s):
        return message("hextraction.blocked_ramp", "2.1.2", ramp=ramp)
    return None if may else _barred(s, "roll") or message("hextraction.one_roll", "2.0.2")


def _idle_play(s: State, action: act.Play | act.Clear | act.Reveal | act.Ignore) -> Refusal | None:
    if not turn.may_play(s):
        if s.plays >= turn.allowance(s, "play"):
            return message("hextraction.one_play", "2.0.3")
        return _barred(s, "play") or message("hextraction.no_hand", "2.2.1")
    return _help_refusal(s, action)


def _idle_discard(s: State, action: act.Discard) -> Refusal | None:
    if action.tile in legality.exchangeable(s, s.active):
        return None
    return message("hextraction.no_exchange", "T.Unique.2")


def _idle_activation(s: State, action: act.Activate) -> Refusal | None:
    if (action.slot, action.effect) in set(turn.activatable(s)):
        return None
    return message("hextraction.cannot_activate", "2.7.3", slot=action.slot)


def _end_refusal(s: State, _: object = None) -> Refusal | None:
    """What is still to be done in this turn (2.0.1.1, 2.7.4.4)."""
    if turn.must_roll(s):
        return message("hextraction.must_roll", "2.0.1.1")
    if turn.must_play(s):
        return message("hextraction.must_play", "2.0.1.1")
    if due := turn.must_activate(s):
        return message("hextraction.must_activate", "2.7.4.4", slot=due[0])
    return None


_IDLE: dict[type, Callable[[State, Any], Refusal | None]] = {
    act.Settle: lambda *_: message("hextraction.not_rolling", "2.1.4"),
    **dict.fromkeys(
        (act.Resolve, act.Choose), lambda *_: message("hextraction.nothing_asked", "2.6.4")
    ),
    act.Roll: _idle_roll,
    **dict.fromkeys((act.Play, act.Clear, act.Reveal, act.Ignore), _idle_play),
    **dict.fromkeys((act.Lack, act.Fetch), lambda *_: message("hextraction.no_lack", "T.Combo.3")),
    act.Discard: _idle_discard,
    act.Activate: _idle_activation,
    act.End: _end_refusal,
}
"""What judges a move while nothing rolls or is resolved, by its type."""


def _barred(s: State, what: str) -> Refusal | None:
    if (s.active, what) in s.suffered:
        return message(f"hextraction.barred_{what}", "0.1.11")
    return None


def _ending_refusal(s: State, action: act.Action) -> Refusal | None:
    """After the turn only the hand is brought down to three (1.2.3)."""
    if isinstance(action, act.Discard) and action.tile in hands.discardable(s, s.active):
        return None
    return message("hextraction.must_discard", "1.2.3", seat=SEATS[s.active])


def _play_refusal(
    s: State, seat: int, action: act.Play, slots: tuple[CellId, ...] | None
) -> Refusal | None:
    """Why a seat cannot play this tile into this slot so."""
    copy, slot, tile = action.tile, action.slot, tile_of(action.tile)
    if not legality.is_playable(s, seat, copy):
        return message("hextraction.not_held", "2.2.1", tile=tile)
    if slot in legality.places(s, seat, copy, slots):
        return _seat_refusal(s, tile, action.rotation)
    if slot in s.tiles:
        return message("hextraction.taken", "2.2.1", slot=slot)
    return message("hextraction.limited", "T.Limit", tile=tile, slot=slot)


def _seat_refusal(s: State, tile: str, rotation: int) -> Refusal | None:
    """Whether a tile turned so has no socket over the slot's key (2.2.4.1)."""
    if rotation in s.setting.tiles[tile].rotations(s.board.key_edge):
        return None
    return message("hextraction.wont_seat", "2.2.4.1", tile=tile, rotation=rotation)


def _turn_refusal(s: State, action: act.Turn | act.Unfit) -> Refusal | None:
    """A tile that does not seat is tried in the same slot, in another way (2.2.4.2): before the
    hand is off it (2.2.5)."""
    if closed := _closed_refusal(s, action):
        return closed
    effect = s.release == "done" or (s.doing and not s.held)
    if not s.fresh or effect or s.phase == "rolling":
        return message("hextraction.nothing_to_turn", "2.2.4.2")
    if isinstance(action, act.Unfit):
        return None
    if action.slot != s.fresh:
        return message("hextraction.same_slot", "2.2.4.2", slot=s.fresh)
    placed = s.tiles[s.fresh]
    if action.rotation == placed.rotation:
        return message("hextraction.same_turn", "2.2.4.2")
    return _seat_refusal(s, placed.tile, action.rotation)


# ---------------------------------------------------------------------------- who is asked


def awaited(s: State) -> int:
    """The seat that the game waits for."""
    if s.voter is not None:
        return s.voter
    if s.parts or (s.held and s.player in s.present):
        return s.player
    if s.torn:
        return combos.chooser(s, s.torn[0])
    if s.phase != "resolving":
        return s.active if s.roller < 0 else s.roller
    asked: Ask | None = resolving.asked(s)
    return asked.seat if asked else s.conductor


_JUDGES: dict[type, Callable[[State, Any], Refusal | None]] = {
    **dict.fromkeys(get_args(act.OfVote), _vote_refusal),
    **dict.fromkeys(get_args(act.Leaving), leaving.refusal),
    **dict.fromkeys(get_args(act.OfTurn), _move_refusal),
    **dict.fromkeys((act.Resolve, act.Choose, act.Settle), _move_refusal),
    **dict.fromkeys((act.Turn, act.Unfit), _turn_refusal),
    act.Break: _break_refusal,
    act.Concede: _concede_refusal,
    act.Endless: _endless_refusal,
    act.Drew: hands.refusal,
}
"""What judges a move, a table act or what was drawn, by its type; other happenings just happen."""
