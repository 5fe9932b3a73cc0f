"""Votes: on a tile of the board, which anybody can call at any time (0.5), and on each Forbidden
effect of a tile as it is played (0.4)."""

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import causes, hands, resolving
from hexboard.games.hextraction.rules.actions import CallVote, Nay, Yea
from hexboard.games.hextraction.rules.destroying import destroy
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import SEATS, State, told, unrolled
from hexboard.games.hextraction.rules.votes import Vote


def call_vote(s: State, action: CallVote) -> State:
    """A seat calls a vote to destroy a tile (0.5.1)."""
    after = replace(s, vote=Vote(action.slot, action.seat))
    tile, seat = s.tiles[action.slot].tile, SEATS[action.seat]
    return told(after, "calls_vote", "0.5.1", seat=seat, slot=action.slot, tile=tile)


def ballot(s: State, action: Yea | Nay) -> State:
    """A seat votes (0.5.3)."""
    assert s.vote  # else it would have been refused
    yea = isinstance(action, Yea)
    after = replace(s, vote=s.vote.cast(action.seat, yea))
    if s.vote.effect is None:
        return told(after, "yea" if yea else "nay", "0.5.3", seat=SEATS[action.seat])
    key = "yea_forbidden" if yea else "nay_forbidden"
    return told(after, key, "0.4.1", seat=SEATS[action.seat])


def counted(s: State) -> State:
    """Once everybody has voted there is a verdict. A vote on a tile that has gone is over."""
    if s.vote is None:
        return s
    if s.vote.slot not in s.tiles:
        return _closed(s)
    if s.voter is not None:
        return s
    if s.vote.effect is not None:
        return _enabled(s, s.vote)
    return _kept(s, s.vote) if s.vote.keeps(s.setting.ties) else _voted_off(s, s.vote.slot)


def _closed(s: State) -> State:
    """The vote is over. If all came to rest meanwhile the roll is concluded now (K4)."""
    assert s.vote
    resolving = s.vote.settled or s.phase == "idle"
    return replace(s, vote=None, phase="resolving" if resolving else s.phase)


def _kept(s: State, vote: Vote) -> State:
    """More want to keep the tile than to destroy it (0.5.4)."""
    tile, (yeas, nays) = s.tiles[vote.slot].tile, vote.tally
    after = told(s, "kept", "0.5.4", slot=vote.slot, tile=tile, yeas=yeas, nays=nays)
    return _closed(after)


def _voted_off(s: State, slot: CellId) -> State:
    """The tile is destroyed, and its effects end at once, also what they decided (0.5.6, 2.8.2).
    While somebody rolls that nullifies the whole roll (0.5.8)."""
    # The game is stable as soon as a tile lies that sets nothing off: it is played (T.Playing, K43)
    going_on = s.release or s.parts or s.setting.playing == "as said"
    fresh = slot in s.playing and bool(going_on)
    after = destroy(s, {slot}, "voted_off", "0.5.4", last=False)
    after = replace(after, outcomes=tuple(o for o in after.outcomes if o.slot != slot))
    if s.roller >= 0:
        after = replace(unrolled(after), touches={})
        after = told(after, "roll_void", "0.5.8", seat=SEATS[s.roller])
    after = _closed(after)
    if not fresh:
        return after
    to_the_letter = s.setting.replacement == "active"  # else it is who was playing (K6)
    return replaced(after, s.active if to_the_letter else s.player, "0.5.7")


def replaced(s: State, seat: int, rule: str) -> State:
    """The tile just played is gone: a seat draws another and may play again (0.5.7, K6)."""
    after = hands.drawn(s, seat)
    if after.phase == "over":
        return after
    if seat == s.player and (asking := _asking_again(s)):
        after = replace(after, doing=asking)
    elif seat == s.player == s.active and s.plays:
        after = replace(after, plays=s.plays - 1)
    else:
        claim = (seat, "play")
        after = replace(after, granted={**s.granted, claim: s.granted.get(claim, 0) + 1})
    return told(after, "plays_again", rule, seat=SEATS[seat])


def _asking_again(s: State) -> Pending | None:
    """The effect at hand as it asked for the play that was the last thing done for it; None if
    that was none."""
    doing = s.doing
    if doing is None or doing.step < 0:
        return None
    operations = resolving.operations(causes.effect_of(s, doing))
    if doing.answers and operations[doing.step].op == "play":  # it waits until the tile lies
        return replace(doing, answers=doing.answers[:-1])
    played = doing.step > 0 and operations[doing.step - 1].op == "play"
    return replace(doing, step=doing.step - 1, answers=()) if played else None


# ---------------------------------------------------------------------------- Forbidden effects


def due(s: State) -> int | None:
    """The first Forbidden effect of the tile just played, if there was no vote yet (0.4.1)."""
    for k in _forbidden(s, s.fresh) if s.fresh else ():
        if (s.fresh, "vote", str(k)) not in s.notes:
            return k
    return None


def _forbidden(s: State, slot: CellId) -> tuple[int, ...]:
    """Which effects of the tile in a slot are Forbidden (0.4.4)."""
    return tuple(k for k, effect in enumerate(s.card(slot)) if effect.forbidden)


def ask(s: State, effect: int) -> State:
    """All vote whether the Forbidden effects of the tile just played count, once for all of them
    (0.4.5); who plays begins."""
    proposer = s.player if s.player in s.present else s.active
    after = replace(s, vote=Vote(s.fresh, proposer, effect=effect))
    tile = s.tiles[s.fresh].tile
    return told(after, "forbidden_vote", "0.4.1", slot=s.fresh, tile=tile)


def _enabled(s: State, vote: Vote) -> State:
    """Any nay disables what is Forbidden, not the tile, as long as that lies there (0.4.2, 0.4.5);
    its other effects count all the same (0.4.3)."""
    enabled, effects = not vote.tally[1], _forbidden(s, vote.slot)
    verdict = ("no", "yes")[enabled]
    notes = {**s.notes, **{(vote.slot, "vote", str(k)): verdict for k in effects}}
    key = "enabled" if enabled else "not_enabled"
    after = told(s, key, "0.4.2", slot=vote.slot, tile=s.tiles[vote.slot].tile)
    waiting = s.waiting
    if not enabled:
        waiting = tuple(p for p in waiting if p.slot != vote.slot or p.effect not in effects)
    return _closed(replace(after, notes=notes, waiting=waiting))
