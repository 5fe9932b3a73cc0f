"""A ball is rolled, and what it and others do until they rest (2.1, T.Touch)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from hexboard.board import Ramp
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import causes, operations, resolving, selecting, turn
from hexboard.games.hextraction.rules.destroying import destroy
from hexboard.games.hextraction.rules.selecting import states_of
from hexboard.games.hextraction.rules.state import SEATS, Ball, State, told, without_ball


def roll(s: State, action: act.Roll) -> State:
    """A ball is released: as the turn's roll, because an effect asks for one (T.Rolling.2), or in
    the same roll after one that is stuck in its lane (2.1.3.1)."""
    if selecting.retried(s):
        after = _released(replace(s, retry=""), s.roller, action.ramp)
        return operations.unstored(after, causes.stored(s))
    if s.phase == "resolving":
        return _forced(s, action.ramp)
    after = replace(
        s,
        touches={},
        touched={},
        broken=False,
        rolls=s.rolls + 1,
        fresh="",
        happened=(),
        forced=False,
    )
    after = _released(after, s.active, action.ramp)
    return operations.unstored(after, causes.stored(s))


def _forced(s: State, ramp: str) -> State:
    """Another ball in the same roll (K12), by whoever was required to roll it (K11, T.Rolling); in
    place of a ball that the effect takes there."""
    asked, taken = resolving.asked(s), resolving.taken(s)
    assert asked is not None  # else it would have been refused
    assert s.doing is not None
    after = replace(s, doing=s.doing.answered(ramp), forced=s.forced or s.roller < 0)
    if s.setting.nested_rolls == "reset":
        after = replace(after, touches={}, touched={})
    after = _released(after, asked.seat, ramp)
    return without_ball(after, taken) if taken else operations.unstored(after, causes.stored(s))


def _released(s: State, seat: int, ramp: str) -> State:
    ball = Ball(s.next_ball, ramp)
    roller = s.active if s.setting.roller == "whose turn" else seat
    after = replace(s, phase="rolling", roller=roller, lane=ramp, balls=(*s.balls, ball))
    own = ramp in s.tiles  # a tile's own ramp: the ball begins inside
    key = "rolls_own" if own else "rolls"
    after = told(after, key, "2.1.1", seat=SEATS[seat], ramp=ramp, ball=ball.id)
    return operations.touched(_moved(after, ball.id, ramp), ramp, ball.id) if own else after


def accident(s: State, action: act.Accident) -> State:
    """A ball that nobody may roll (2.11). Beside one that is rolled it rolls, too (2.1.4.1), or
    counts for nothing (K39), as it always does once the loop is broken (T.BreakLoop.2)."""
    if s.phase == "rolling":
        return _second(s, action.ramp)
    ball = Ball(s.next_ball, action.ramp, rolling=False)
    after = replace(s, balls=(*s.balls, ball))
    return told(after, "accident", "2.11.1", ramp=action.ramp, ball=ball.id)


def _second(s: State, ramp: str) -> State:
    """Another ball is let go in a roll. In a lane beside one that is stuck it is the one that is to
    follow (2.1.3.1)."""
    counts = s.setting.second_balls == "roll" and not s.broken and not s.held_up
    ball = Ball(s.next_ball, ramp, rolling=counts)
    after = replace(s, balls=(*s.balls, ball))
    if counts:
        return told(replace(after, lane=ramp), "second", "2.1.4.1", ramp=ramp, ball=ball.id)
    after = replace(after, strays=(*s.strays, ball.id))
    return told(after, "accident", "2.11.1", ramp=ramp, ball=ball.id)


def by_accident(s: State, action: act.OfBall, do: Callable[[State, Any], State]) -> State:
    """What a ball does that counts for nothing now: as if nobody rolled it (2.11, K4, K39)."""
    balls = tuple(replace(b, rolling=b.rolling and b.id != action.ball) for b in s.balls)
    after = do(replace(s, phase="idle", balls=balls), action)
    return replace(after, phase=s.phase)


def touch(s: State, action: act.BallTouch) -> State:
    """A ball comes into a slot: it touches the tile anew, whether it never did in this roll
    (T.Touch.A) or had stopped to (T.Touch.B)."""
    ball, slot = action.ball, action.slot
    returned = s.place_of(ball).startswith("zone:")
    after = told(s, "back", "2.9.1.1", ball=ball, slot=slot) if returned else s
    return operations.touched(_moved(after, ball, slot), slot, ball)


def wall(s: State, action: act.Wall) -> State:
    """A ball touches a tile from outside (K37)."""
    after = _moved(s, action.ball, s.place_of(action.ball))
    walls = s.setting.walls == "touch"
    return operations.touched(after, action.slot, action.ball) if walls else after


def fire(s: State, action: act.Fire) -> State:
    """A ball comes into a trigger area or a hole (2.6.1, T.Trigger); in a roll, what that sets off
    waits."""
    once, area = s.setting.triggers == "once a roll", f"{action.slot}:{action.area}"
    if s.phase != "rolling" or s.voided or (once and area in s.happened):
        return s
    after = replace(s, happened=(*s.happened, area)) if once else s
    for cause in ("trigger", "hole"):
        after = causes.set_off(after, cause, action.slot, s.conductor, action.ball, action.area)
    if len(after.waiting) == len(s.waiting):
        return s
    tile = s.tiles[action.slot].tile
    return told(after, "fires", "2.6.1", ball=action.ball, slot=action.slot, tile=tile)


def fell(s: State, action: act.Fell) -> State:
    """A ball falls through a slot (2.1.5.1)."""
    after = _moved(s, action.ball, f"fell:{action.slot}")
    return told(after, "fell", "2.1.5.1", ball=action.ball, slot=action.slot)


def off(s: State, action: act.Off) -> State:
    """A ball leaves the board over its rim (2.1.5.3)."""
    after = _moved(s, action.ball, f"off:{action.slot}-{action.edge}")
    return told(after, "off", "2.1.5.3", ball=action.ball, slot=action.slot, edge=action.edge)


def goal(s: State, action: act.Goal) -> State:
    """A ball enters an end zone (2.1.5.2)."""
    if s.place_of(action.ball).startswith("fell:"):
        return s  # it bounced into the tray from below: ignored (2.1.5.1)
    after = _moved(s, action.ball, f"zone:{action.zone}")
    return told(after, "enters", "2.1.5.2", ball=action.ball, zone=action.zone)


def rest(s: State, action: act.Rest) -> State:
    """A ball comes to rest."""
    after = _moved(s, action.ball, action.place)
    after = told(after, "rests", "2.3.1", ball=action.ball, place=action.place)
    ramp = next((r for r in s.board.ramps if r.id == action.place), None)
    return _stuck(after, ramp) if ramp and s.phase == "rolling" and not s.voided else after


def _stuck(s: State, ramp: Ramp) -> State:
    """A ball fails to leave its lane: another is rolled in the same roll (2.1.3.1), or as a roll of
    its own, if there is one left (K10). Where none can be, the tile below goes (2.1.3.2)."""
    if s.lane in {other.id for other in s.board.ramps if other.cell == ramp.cell} - {ramp.id}:
        return s  # another has followed it
    counts = s.setting.retries == "count"
    free = bool(selecting.beside(s, ramp.cell)) and not s.broken
    free = free and not (counts and (s.doing or not turn.may_roll(s)))
    if not free and ramp.cell in s.tiles:
        return destroy(s, {ramp.cell}, "blocked", "2.1.3.2")
    if counts and not free:
        return s
    seat, asked = SEATS[s.roller], bool(s.doing and s.doing.answers)
    if free:
        after = s if counts else _owed_again(s) if asked else replace(s, retry=ramp.cell)
        return told(after, "stuck", "2.1.3.1", seat=seat, ramp=ramp.id, slot=ramp.cell)
    after = s if counts else _owed_again(s)
    return told(after, "clear_lanes", "2.1.3.2", seat=seat, ramp=ramp.id)


def _owed_again(s: State) -> State:
    if s.doing and s.doing.answers:  # the effect asks for its roll once more
        return replace(s, doing=replace(s.doing, answers=s.doing.answers[:-1]))
    return s if s.forced else replace(s, rolls=max(s.rolls - 1, 0))


def gone(s: State, action: act.Gone) -> State:
    """A ball is off the board, by hand."""
    return told(without_ball(s, action.ball), "gone", "2.11.2", ball=action.ball)


def drop(s: State, action: act.Drop) -> State:
    """A tile comes out of its slot: it is destroyed, at least while balls roll (2.4.3, K32)."""
    always = s.setting.fallen_tiles == "always" and s.phase != "over"
    if not (s.phase == "rolling" or always) or action.slot not in s.tiles:
        return s
    after = replace(s, phase="resolving") if s.phase == "idle" else s
    return destroy(after, {action.slot}, "dropped", "2.4.3")


def rail(s: State, action: act.Rail) -> State:
    """The tiles' power goes on or off; Offline follows when the game stabilises (T.Offline.1)."""
    return told(replace(s, rail=action.on), f"rail_{('off', 'on')[action.on]}", "T.Offline")


def part(s: State, action: act.Part) -> State:
    """A moving part stands otherwise, also just after its tile was placed (2.2.3); a part or state
    that the tile has not got says nothing."""
    slot, name, state = action.slot, action.part, action.state
    if state not in states_of(s, slot, name):
        return s
    after = replace(s, notes={**s.notes, (slot, "part", name): state})
    return told(after, "part", "2.2.3.1", slot=slot, part=name, state=state)


def break_loop(s: State, _: act.Break) -> State:
    """Break the Loop by choice (2.1.4.3): all those tiles go at once (T.BreakLoop.1)."""
    return replace(destroy(s, s.looped, "loop", "2.1.4.3"), broken=True)


def endless(s: State, action: act.Endless) -> State:
    """Break the Loop because the balls will never rest (2.1.4.4)."""
    if not s.looped:
        return told(s, "endless_none", "2.1.4.4", seat=SEATS[action.seat])
    return replace(destroy(s, s.looped, "loop", "2.1.4.4"), broken=True)


def _moved(s: State, id: int, place: str) -> State:
    """A ball is elsewhere, touching the tile there, or the one over whose side it left (2.1.5.3).
    While a roll is open whatever moves counts as rolled, knocked balls too (2.1.4.1); else a ball
    that leaves is simply gone (2.11)."""
    if s.retry and s.place_of(id) in {r.id for r in s.board.ramps if r.cell == s.retry}:
        s = replace(s, retry="", phase="rolling")  # it was not stuck after all
    rolling = s.phase == "rolling"
    if not rolling and place.startswith(("fell:", "off:")):
        return without_ball(s, id)

    at = place.removeprefix("off:").partition("-")[0] if place.startswith("off:") else place

    def moved(ball: Ball) -> Ball:
        touches = at in s.tiles and at != ball.last
        last, before = (at, ball.last) if touches else (ball.last, ball.before)
        return replace(ball, place=place, last=last, before=before, rolling=ball.rolling or rolling)

    return replace(s, balls=tuple(moved(b) if b.id == id else b for b in s.balls))
