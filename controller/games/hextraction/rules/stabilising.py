"""What follows without anybody's doing: effects whose turn it is, and, once nothing waits, the game
stabilises in the fixed order of 2.1.5, 2.8, 2.9 and T.Offline."""

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import (
    causes,
    combos,
    legality,
    resolving,
    selecting,
    turn,
    voting,
)
from hexboard.games.hextraction.rules.actions import Choose, Settle
from hexboard.games.hextraction.rules.destroying import destroy, torn_off
from hexboard.games.hextraction.rules.selecting import in_order
from hexboard.games.hextraction.rules.state import (
    SEATS,
    UNROLLED,
    Ball,
    State,
    Torn,
    ended,
    told,
    unrolled,
)
from hexboard.games.hextraction.tiles.areas import leads_off
from hexboard.games.hextraction.tiles.effects import STANDING
from hexboard.games.hextraction.tiles.tile import Described

LEFT = ("fell:", "off:")
"""What the place of a ball begins with that is no longer on the board."""
CROWD = 3
"""Balls on one tile from which one that they touch is destroyed (2.1.5.5)."""


def settle(s: State, _: Settle) -> State:
    """All balls rest; an open vote comes first (K4). In the phase resolving: the hand is off the
    tile just played (2.2.5), or nobody called a vote on what an effect decided (2.8.2, 2.9.2)."""
    if s.vote:
        return replace(s, vote=replace(s.vote, settled=True))
    if s.held:
        return replace(s, release="done")
    return stabilise(s) if s.phase == "resolving" else replace(s, phase="resolving", freed=())


def choose(s: State, action: Choose) -> State:
    """An answer: for the effect that is being resolved, else for a crowded tile."""
    if s.torn:
        return torn_off(s, s.torn[0], action.answer)
    if s.doing:
        return resolving.choose(s, action)
    return thinned(s, action.answer) if s.crowd else _dealt_with(s, action.answer)


def carry_on(s: State) -> State:
    """Go on until somebody has to choose, roll, play or vote, or the game is stable."""
    s = voting.counted(s)
    if s.phase == "idle" and (s.waiting or s.torn):
        s = replace(s, phase="resolving")
    if s.phase == "resolving" and not s.present:
        s = replace(s, vote=None)
    while s.phase == "resolving" and not s.vote:
        after = _step(s)
        if after is None:
            return s
        s = voting.counted(after)
    return s


def _step(s: State) -> State | None:
    """The next thing that follows by itself; None while somebody is asked."""
    if not s.present:  # nobody is left to resolve what still waits (2.6.3)
        return stabilise(replace(unrolled(s), voided=s.voided, outcomes=s.outcomes, torn=()))
    if s.torn:
        return _follows(s, s.torn[0])
    if (effect := voting.due(s)) is not None:
        return voting.ask(s, effect)
    if s.parts or s.held or selecting.retried(s):
        return None
    if s.choosing:  # what was destroyed to make room has its last word after the play (2.2.5.1)
        return None if turn.may_play(s) and legality.may_go_on(s) else replace(s, relief="")
    if s.doing:
        return resolving.go_on(s)
    if s.waiting:
        return resolving.begin(s, s.waiting[0]) if len(s.waiting) == 1 else None
    return None if _chooses(s) or s.outcomes else stabilise(s)


def _chooses(s: State) -> bool:
    """Whether the roller chooses of tiles that three balls touch."""
    return bool(s.crowd) or len(s.crowds) > 1


def _follows(s: State, torn: Torn) -> State | None:
    """A sub-tile follows another off the board: a person chooses which of several (2.4.6)."""
    options = combos.candidates(s, torn)
    if len(options) > 1:
        return None
    return torn_off(s, torn, options[0]) if options else replace(s, torn=s.torn[1:])


def stabilise(s: State) -> State:
    """Nothing moves and nothing waits: step after step, as far as none sets off anything new."""
    if s.voided:
        return _voided(s)
    if s.freed:
        return _rolls_on(s)
    for step in (_decided, _side, _loop, _crowds, _ongoing):
        s = step(s)
        if s.phase == "over" or s.waiting or _chooses(s) or s.torn:
            return s
    return _rolls_on(s) if s.freed else _stable(s)


def _rolls_on(s: State) -> State:
    """Balls lay on a tile that goes while the roll is open: it is not over yet (K18)."""
    balls = ", ".join(map(str, s.freed))
    return told(replace(s, phase="rolling"), "freed", "2.1.4.1", balls=balls)


def _decided(s: State) -> State:
    """Losses, then wins (2.8.1, 2.9.1, K23): before any tile is destroyed, in the order in which
    2.1.5 lists all that, or only after that (K33)."""
    if s.setting.roll_end == "destroy":
        for step in (_side, _loop, _crowds):
            s = step(s)
            if s.waiting or _chooses(s) or s.torn:
                return s
    if s.setting.losses != "first" and (winners := _winners(s)):
        return _won(s, winners)
    s = _lost(s)
    if winners := _winners(s):
        return _won(s, winners)
    return _left_alone(replace(s, outcomes=()) if s.outcomes else s)


def _lost(s: State) -> State:
    """Who has conceded loses now, and whom an effect lets lose (2.8.1)."""
    if not (s.outcomes or s.resigned):
        return s
    losers = (o.seat for o in s.outcomes if not o.wins and o.seat in s.present)
    lost = tuple(dict.fromkeys(losers))
    for seat in lost:
        s = told(s, "loses", "2.8.1.1", seat=SEATS[seat])
    out = dict.fromkeys((*s.conceded, *s.resigned, *lost))
    return replace(s, conceded=tuple(out), resigned=())


def _winners(s: State) -> tuple[int, ...]:
    """Who rolled a ball into an end zone, else whom an effect lets win; nobody who has given up."""
    if s.roller < 0 and not s.outcomes:
        return ()
    seats = [s.roller] if _scored(s) else []
    seats += [outcome.seat for outcome in s.outcomes if outcome.wins]
    may = {*s.present} - {*s.resigned} if seats else set()
    return tuple(dict.fromkeys([seat for seat in seats if seat in may]))


def _scored(s: State) -> list[tuple[int, str]]:
    """Balls that were rolled into an end zone in this roll and still lie there, and which zone
    (2.9.1.1)."""
    if s.roller < 0:
        return []
    places = [(b.id, b.place.partition(":")) for b in s.balls if b.rolling]
    return [(id, zone) for id, (kind, _, zone) in places if kind == "zone"]


def _won(s: State, winners: tuple[int, ...]) -> State:
    """The first of them has won; several at once may have agreed on a draw (K40)."""
    if len(winners) > 1 and s.setting.two_winners == "draw":
        return told(ended(s), "two_winners", "2.9.1")
    seat = winners[0]
    over = ended(s, seat)
    if seat == s.roller and (scored := _scored(s)):
        ball, zone = scored[0]
        return told(over, "wins", "2.1.5.2", seat=SEATS[seat], ball=ball, zone=zone)
    return told(over, "wins_by_effect", "2.9.1.2", seat=SEATS[seat])


def _left_alone(s: State) -> State:
    """Who is left alone wins (2.9.1.3); with nobody left it is a draw (K23), as after a draw from
    an empty bag (K22). When the loser's turn it was, it goes on to the next."""
    present = s.present
    if not present:
        return told(ended(s), "nobody", "2.9.1.3")
    if len(present) == 1:
        seat = present[0]
        return told(ended(s, seat), "last_one", "2.9.1.3", seat=SEATS[seat])
    if s.stalemate:
        return told(ended(s), "pool_empty", "2.10.1")
    if s.active in present:
        return s
    after = turn.next_turn(s)
    return told(after, "passes", "2.8.1", next=SEATS[after.active])


def _side(s: State) -> State:
    """For each ball that left the board the last tile it touched is destroyed (2.1.5.3); one that
    fell is ignored (2.1.5.1), unless the hole that it fell into says otherwise (K15)."""
    gone = [b for b in s.balls if ":" in b.place and b.place.startswith(LEFT)]
    if not gone:
        return s
    left = {b.last for b in gone if b.rolling and b.place.startswith("off:")}
    left |= {slot for b in gone if b.rolling and (slot := _hole(s, b.place))}
    kept = tuple(b for b in s.balls if b not in gone)
    return _over(s, destroy(replace(s, balls=kept), left, "lost_tile", "2.1.5.3"))


def _hole(s: State, place: str) -> CellId:
    """The slot of a tile whose hole a ball fell into, if that counts as leaving the board."""
    kind, _, slot = place.partition(":")
    tile = s.setting.tiles[s.tiles[slot].tile] if kind == "fell" and slot in s.tiles else None
    holes = tile.holes if isinstance(tile, Described) else ()
    return slot if any(leads_off(hole, s.setting.holes) for hole in holes) else ""


def _loop(s: State) -> State:
    """Every tile touched three times in the roll is destroyed (2.1.5.4)."""
    return _over(s, destroy(s, s.looped, "loop", "2.1.5.4")) if s.roller >= 0 else s


def _over(s: State, after: State) -> State:
    """Tiles go because the roll is over: balls that lay on them roll on only if so agreed (K18)."""
    as_before = s.setting.freed_balls == "roll on" or after.freed == s.freed
    return after if as_before else replace(after, freed=s.freed)


# -------------------------------------------------------------------------------- three balls


def _crowds(s: State) -> State:
    """For each tile that three balls touch when a roll ends, or whenever the game stabilises (K35),
    one goes (2.1.5.5). Which of several is the first to be dealt with is the roller's choice."""
    while s.roller >= 0 or s.setting.crowds == "always":
        left = _undealt(s)
        if len(left) != 1:
            return replace(s, crowds=left) if left != s.crowds else s
        s = _dealt_with(s, left[0])
        if s.waiting or s.crowd or s.torn:
            return s
    return s


def _undealt(s: State) -> tuple[CellId, ...]:
    """The tiles that three balls touch for which none has gone yet: as many as there still are, or
    as there were when the roll ended (K38)."""
    counted = s.crowds if s.setting.several_crowds == "at once" else ()
    three = counted or in_order(s, _on_three(s) & s.tiles.keys())
    return tuple(slot for slot in three if slot not in s.happened)


def _on_three(s: State) -> set[CellId]:
    """The slots that three balls touch; one that weighs more counts as so many."""
    touched: dict[CellId, int] = {}
    for ball, slots in s.touching(_counted(s)):
        for slot in slots:
            touched[slot] = touched.get(slot, 0) + ball.weight
    return {slot for slot, count in touched.items() if count >= CROWD}


def _dealt_with(s: State, slot: CellId) -> State:
    """The tile that three balls touch is the next one. Where nobody has to choose, what goes for it
    goes."""
    after = replace(s, crowd=slot)
    options = crowded(after)
    return after if len(options) > 1 else thinned(after, "".join(options))


def crowded(s: State) -> tuple[str, ...]:
    """What the roller may choose: one tile that any of the balls on the crowded one touches
    (2.1.5.5), or all of them (K17)."""
    return ("yes",) if s.setting.three_balls == "all" else _touched(s)


def _touched(s: State) -> tuple[CellId, ...]:
    """The tiles that any of the balls on the crowded one touches."""
    there = (slots for _, slots in s.touching(_counted(s)) if s.crowd in slots)
    touched = {slot for slots in there for slot in slots}
    return in_order(s, touched & s.tiles.keys())


def thinned(s: State, answer: str) -> State:
    """The choice for a crowded tile was made."""
    at_once = s.setting.several_crowds == "at once"
    left = tuple(slot for slot in s.crowds if at_once and slot != s.crowd)
    after = replace(s, crowd="", crowds=left, happened=(*s.happened, s.crowd))
    chosen = _touched(s) if answer == "yes" else {answer} & s.tiles.keys()
    return _over(after, destroy(after, chosen, "three_balls", "2.1.5.5"))


def _counted(s: State) -> list[Ball]:
    """The balls that count for the rule of three; those inside a tile that changes it do not
    (Countdown)."""
    inside = causes.modifying(s, "three_ball_rule")
    return [ball for ball in s.balls if ball.place not in inside] if inside else [*s.balls]


# ------------------------------------------------------------------------------------ the end


def _ongoing(s: State) -> State:
    """Ongoing effects whose conditions hold now, once each (T.Ongoing)."""
    for slot, k, effect in causes.ongoing(s):
        acts = any(o.op not in STANDING for o in effect.do)
        if effect.conditions and acts and f"{slot}/{k}" not in s.happened:
            s = replace(s, happened=(*s.happened, f"{slot}/{k}"))
            s = causes.queue(s, slot, k, s.conductor)
    return s


def _stable(s: State) -> State:
    rolled = s.roller >= 0
    after = latched(at_rest(s))
    if not rolled or after.events:
        return after
    return told(after, "settled", "2.1.4", seat=SEATS[s.roller])


def _voided(s: State) -> State:
    """The roll ends, and it scores and destroys nothing. Three balls on a tile wait for the next
    one, or count nonetheless: they do not roll any more (K5)."""
    if s.setting.void_crowds == "count":
        s = _crowds(s)
        if s.waiting or _chooses(s) or s.torn:
            return s
    after = _left_alone(_lost(_owed(s, at_rest(s))))
    return after if after.phase == "over" else latched(after)


def _owed(s: State, after: State) -> State:
    """With another roll for the active player in place of the void one (0.5.8): that of the turn,
    or, where an effect had begun the roll, one more (K44); none where its roller left (K28)."""
    if s.unowed or s.active not in s.present or (s.forced and s.setting.rerolls == "own rolls"):
        return after
    after = told(after, "reroll", "0.5.8", seat=SEATS[s.active])
    if not s.forced:
        return replace(after, rolls=max(s.rolls - 1, 0))
    claim = (s.active, "roll")
    return replace(after, granted={**s.granted, claim: s.granted.get(claim, 0) + 1})


def at_rest(s: State) -> State:
    """No roll is open: balls that left are gone, the others lie where they lie. What was played is
    played (2.2.5.2, T.Playing); a tile that set nothing off may still be found not to seat."""
    lying = [
        replace(b, rolling=False, before="") if b.rolling or b.before else b
        for b in s.balls
        if not (":" in b.place and b.place.startswith(LEFT))
    ]
    played = {"fresh": "", "earlier": (), "release": ""} if s.release else {}
    return replace(
        s,
        phase="idle",
        balls=tuple(lying),
        touches={},
        touched={},
        broken=False,
        strays=(),
        happened=(),
        freed=(),
        roller=-1,
        lane="",
        forced=False,
        unowed=False,
        **{**UNROLLED, "outcomes": s.outcomes, "voided": False, **played},
    )


def latched(s: State) -> State:
    """Offline and Overdrive change only here, when the game stabilises (T.Offline.1)."""
    offline = not s.powered
    if (s.offline, s.overdrive) == (offline, s.full):
        return s
    after = replace(s, offline=offline, overdrive=s.full)
    if after.offline != s.offline:
        after = told(after, f"offline_{('off', 'on')[offline]}", "T.Offline.1")
    if after.overdrive != s.overdrive:
        after = told(after, f"overdrive_{('off', 'on')[after.overdrive]}", "T.Overdrive.1")
    return after
