"""What each operation of an effect does (digest 4.4, `effects.OPERATIONS`).

An operation is a function from a state and its `Job` to the state after. What people have to
decide it asks the job for; where an answer is missing that raises `Ask`, and the operation begins
anew once it has been given. Where there is nothing that it could be done with, that raises `Vain`.
What the referee cannot do people do by hand, and say when it is done.

Why long: some thirty operations of one form, in the order of the digest; each is a few lines.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import causes, hands, individuals, selecting
from hexboard.games.hextraction.rules.destroying import BAG, bounce, destroy, discard
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import (
    LOOP,
    SEATS,
    Ball,
    EffectOutcome,
    State,
    told,
    without_ball,
)
from hexboard.games.hextraction.rules.zones import ANY, NOBODY, tile_of
from hexboard.games.hextraction.tiles.effects import ONE, Operation


class Ask(Exception):
    """Somebody has to decide, or to roll or play a tile, before an operation can be done."""

    def __init__(self, kind: str, seat: int, options: Sequence[str]) -> None:
        self.kind, self.seat, self.options = kind, seat, tuple(options)


class Vain(Exception):
    """There is nothing that an operation could be done with."""


class Job:
    """An operation of an effect that is being resolved, and the answers given for it so far."""

    def __init__(self, s: State, pending: Pending) -> None:
        effect = causes.effect_of(s, pending)
        self.pending = pending
        self.cause = effect.cause
        self.owner = pending.owner
        """Whose tile it is, `NOBODY` as long as that was never said."""
        self.op: Operation = (*effect.cost, *effect.do)[pending.step]
        self.is_cost = pending.step < len(effect.cost)
        self._answers = list(pending.answers)
        self._seat = self.chooser(s, pending)

    @staticmethod
    def chooser(s: State, pending: Pending) -> int:
        """Who makes the choices: whose effect it is, or who decides otherwise if that seat left."""
        return pending.seat if pending.seat in s.present else s.conductor

    def pick(
        self,
        options: Sequence[str],
        sure: bool = False,
        seat: int | None = None,
        kind: str = "choose",
    ) -> str:
        """What was chosen of `options`, by another `seat` than makes the other choices where it is
        given; a choice of one is made unasked, unless people are to say so (`sure`). `kind` is what
        is asked: which (choose), whose the tile is (owner), how a tile is turned (turn)."""
        if not options:
            raise Vain
        if len(options) == 1 and not sure:
            return options[0]
        if not self._answers:
            raise Ask(kind, self._seat if seat is None else seat, options)
        answer = self._answers.pop(0)
        if answer not in options:  # what was chosen has gone meanwhile
            raise Vain
        return answer

    def demand(self, kind: str, seat: int, options: Sequence[str]) -> None:
        """A seat rolls a ball or plays a tile; done once it is among the answers."""
        if self._answers:
            self._answers.pop(0)
        elif options:
            raise Ask(kind, seat, options)

    @property
    def unused(self) -> tuple[str, ...]:
        """The answers that were not used yet."""
        return tuple(self._answers)

    def skip(self, n: int) -> None:
        """Use `n` answers, as many as there are, for nothing."""
        del self._answers[:n]

    @property
    def answered(self) -> bool:
        """There is an answer that was not used yet."""
        return bool(self._answers)

    def by_hand(self) -> None:
        """People read it and carry it out."""
        self.pick(("done",), sure=True)

    def seats(self, s: State) -> tuple[int, ...]:
        """Whom it is about, in turn order."""
        order = [(s.active + k) % s.setting.seats for k in range(s.setting.seats)]
        present = [seat for seat in order if seat in s.present]
        match self.op.who:
            case "each":
                return tuple(present)
            case "opponent":
                return (self._one([seat for seat in present if seat != self._seat]),)
            case "owner":
                if self.owner == NOBODY:
                    self.owner = self._one(range(s.setting.seats), "owner")
                return (self.owner,) if self.owner in s.present else ()
            case "roller":
                return (s.conductor,)
        return (s.active,) if s.active in s.present else ()

    def _one(self, seats: Sequence[int], kind: str = "choose") -> int:
        return SEATS.index(self.pick([SEATS[seat] for seat in seats], kind=kind))

    def tiles(self, s: State) -> tuple[CellId, ...]:
        """The slots of the tiles it is about, one of them if that is to be chosen."""
        word = self.op.tiles
        pending = self.pending
        at, before, ball = pending.slot, pending.before, pending.ball
        if word.removeprefix(ONE) in ("self", "others"):
            at = pending.own
        found = selecting.tiles(s, word.removeprefix(ONE), at, before, ball)
        if word.startswith(ONE):
            return (self.pick(found),)
        if not found:
            raise Vain
        return found

    def slots(self, s: State) -> tuple[CellId, ...]:
        """The slots it may be done in."""
        return selecting.slots(s, self.op.where, self.pending.slot, self.pending.ball)

    def balls(self, s: State) -> tuple[int, ...]:
        """The balls it is about."""
        return selecting.balls(s, self.op.balls, self.pending.slot, self.pending.ball)


def run(s: State, pending: Pending) -> State:
    """With the operation at hand done, if it can be. Raises `Ask`."""
    try:
        return _attempt(s, Job(s, pending))
    except Vain:
        return told(s, "in_vain", "2.6.5", slot=pending.slot, tile=pending.tile)


def possible(s: State, pending: Pending) -> bool:
    """Whether the operation at hand can be done."""
    try:
        _attempt(s, Job(s, pending))
    except Ask:
        return True
    except Vain:
        return False
    return True


def _attempt(s: State, job: Job) -> State:
    if job.op.optional and job.pick(("yes", "no")) == "no":
        return s
    after = OPERATIONS[job.op.op](s, job)
    return after if job.owner == job.pending.owner else causes.owned(after, job.pending, job.owner)


def by_hand(s: State, job: Job) -> State:
    """People do it, and say when it is done; the referee goes on from what then lies there."""
    job.by_hand()
    return s


def _standing(s: State, job: Job) -> State:
    """What an Ongoing effect changes as long as it counts (`causes`): nothing is to be done."""
    raise Vain


# ------------------------------------------------------------------------------------- balls


def _blocked(s: State) -> State:
    return told(s, "no_introduce", "T.BreakLoop.2")


def _roll(s: State, job: Job) -> State:
    """Somebody rolls a ball: a new one, or each that the effect takes (T.Rolling.2, K11)."""
    if s.broken:
        return _blocked(s)
    options = causes.unblocked(s, selecting.lanes(s, job.op.ramp, job.pending.slot))
    if not options:
        raise Vain
    seats = job.seats(s)
    if not job.op.balls:
        for seat in seats:
            job.demand("roll", seat, options)
    elif not (job.answered or job.balls(s)):
        raise Vain
    while job.op.balls and (job.answered or job.balls(s)):
        job.demand("roll", seats[0], options)
    return s


def _move_ball(s: State, job: Job) -> State:
    """Balls are laid elsewhere; if they move on there in a roll they are part of it (2.1.4.1).
    Whether that introduces balls of the board is a ruling (K14)."""
    if s.broken and s.setting.teleports == "stop":
        return _blocked(s)
    for id in job.balls(s) or _vain():
        slot = job.pick(job.slots(s))
        s = _laid(s, id, slot, rolling=s.roller >= 0)
    return s


def _laid(s: State, id: int, slot: CellId, rolling: bool) -> State:
    balls = tuple(
        replace(b, place=slot, last=slot, before=b.last, rolling=rolling) if b.id == id else b
        for b in s.balls
    )
    after = replace(s, balls=balls, phase="rolling" if rolling else s.phase)
    after = told(after, "laid", "2.3.1", ball=id, slot=slot)
    return touched(after, slot, id) if s.setting.laid_balls == "touch" else after


def touched(s: State, slot: CellId, ball: int) -> State:
    """Count a touch of the tile in `slot`, if there is one and a roll is open that counts: those of
    all balls together, or of the one ball that touched it most often (K13)."""
    if s.phase != "rolling" or s.voided or slot not in s.tiles:
        return s
    before = s.touches.get(slot, 0)
    count = before + 1
    if s.setting.touches == "of one ball":
        own = s.touched.get((slot, ball), 0) + 1
        s, count = replace(s, touched={**s.touched, (slot, ball): own}), max(own, before)
    after = replace(s, touches={**s.touches, slot: count})
    return told(after, "loop_offer", "2.1.4.3", slot=slot) if before < count == LOOP else after


def _vain() -> tuple[int, ...]:
    raise Vain


def _place_ball(s: State, job: Job) -> State:
    """Balls come onto the board other than by a ramp: that is not rolling them (T.Roll). Those of
    a Setup lie still (2.2.3.2); any other comes from a tile that stores balls."""
    if s.broken:
        return _blocked(s)
    setup = job.cause == "setup"
    for _ in range(_count(job.op)):
        slot = job.pick(job.slots(s))
        ball = Ball(s.next_ball, slot, rolling=False)
        taken = None if setup else causes.stored(s)
        s = unstored(replace(s, balls=(*s.balls, ball)), taken)
        s = _laid(s, ball.id, slot, rolling=s.roller >= 0 and not setup)
    return s


def unstored(s: State, ball: Ball | None) -> State:
    """The ball that came onto the board was taken from a tile that stores some (Countdown)."""
    if ball is None:
        return s
    after, tile = without_ball(s, ball.id), s.tiles[ball.place].tile
    return told(after, "stored", "T.Ongoing", ball=ball.id, slot=ball.place, tile=tile)


def set_up(s: State, slot: CellId, seat: int) -> State:
    """What the Setup of a tile just placed says is told, and is so (2.2.3.2)."""
    tile = s.tiles[slot].tile
    for k, effect in enumerate(s.card(slot)):
        if effect.cause == "setup":
            s = told(s, "setup", "2.2.3.2", slot=slot, tile=tile, what=effect.text)
            for step in range(len(effect.do)):
                s = run(s, Pending(0, slot, tile, k, seat, step=step))
    return s


def _remove_ball(s: State, job: Job) -> State:
    for id in job.balls(s) or _vain():
        s = told(without_ball(s, id), "gone", "2.11.2", ball=id)
    return s


def _hold_ball(s: State, job: Job) -> State:
    """The tile keeps the ball that fell into its hole, as long as it has room."""
    slot, ball = job.pending.own, job.pending.ball
    held = sum(b.place == slot for b in s.balls if b.id != ball)
    if s.ball(ball) is None or slot not in s.tiles or held >= _count(job.op):
        raise Vain
    balls = tuple(replace(b, place=slot, last=slot) if b.id == ball else b for b in s.balls)
    return told(replace(s, balls=balls), "held", "2.1.5.1", ball=ball, slot=slot)


def _weigh(s: State, job: Job) -> State:
    """A ball counts as so many where balls on a tile are counted, as long as it is on the board
    (2.1.5.5)."""
    weight = _count(job.op)
    for id in job.balls(s) or _vain():
        balls = tuple(replace(b, weight=weight) if b.id == id else b for b in s.balls)
        s = told(replace(s, balls=balls), "weighs", "2.1.5.5", ball=id, count=weight)
    return s


# ------------------------------------------------------------------------------- hands and pools


def _draw(s: State, job: Job) -> State:
    """Tiles are drawn blindly; with too few in the pool the game is a draw at once (2.10.1)."""
    for seat in job.seats(s):
        n = min(_count(job.op), s.pool)
        s = hands.drawn(told(s, "draws", "1.2.5", seat=SEATS[seat], count=n), seat, _count(job.op))
        if s.phase == "over":
            return s
    return s


def _discard(s: State, job: Job) -> State:
    """Tiles of a hand go back into the pool (T.Discard); a price is paid in full (2.7.3)."""
    for seat, n in discards(s, job):
        if job.is_cost and n < _count(job.op):
            raise Vain
        if not chooses(s, seat, n):
            s = replace(s, zones=s.zones.empties(seat))
        else:
            for _ in range(n):
                sure = s.setting.hands == "scan"
                s = hands.discarded(s, seat, job.pick(hands.discardable(s, seat), sure, seat))
        s = told(s, "discards_some", "T.Discard", seat=SEATS[seat], count=n)
    return s


def _give(s: State, job: Job) -> State:
    """Tiles go from other hands to that of whom the effect belongs to; nobody else sees which."""
    before, to = s, job.chooser(s, job.pending)
    for seat, n in discards(s, job):
        if job.is_cost and n < _count(job.op):
            raise Vain
        asked = chooses(s, seat, n)
        for _ in range(n):
            options = hands.givable(s, seat)
            sure = s.setting.hands == "scan"
            s = hands.given(s, seat, to, job.pick(options, sure, seat) if asked else options[0])
        s = told(s, "gives", "1.2.1", seat=SEATS[seat], to=SEATS[to], count=n)
    if s is before:
        raise Vain
    return s


def discards(s: State, job: Job) -> Iterator[tuple[int, int]]:
    """Whose hands are to be discarded or given from, and how many tiles; nobody gives to itself."""
    for seat in job.seats(s):
        if job.op.op == "give" and seat == job.chooser(s, job.pending):
            continue
        hand = s.hand_size(seat)
        yield seat, hand if job.op.n == "all" else min(_count(job.op), hand)


def chooses(s: State, seat: int, n: int) -> bool:
    """Whether a seat says which `n` tiles it discards: not where all of its hand goes, unseen."""
    return n < s.hand_size(seat) or (n > 0 and hands.any_virtual(s))


def _play(s: State, job: Job) -> State:
    """Somebody plays a tile of their hand (2.3.2, T.Playing.B)."""
    for seat in job.seats(s):
        job.demand("play", seat, job.slots(s) if s.hand_size(seat) else ())
    return s


def _search(s: State, job: Job) -> State:
    """Somebody looks for a tile in the bag, shows it and keeps it (Seek, T.Pool.2). Whoever looks
    always answers, also that there is none: what others see does not depend on what hands hold."""
    if job.op.pool == "destroyed":
        return _brought_back(s, job)
    for seat in job.seats(s):
        if not s.pool:
            raise Vain
        copies = (copy for copy in hands.unseen(s) if job.op.name in ("", tile_of(copy)))
        wholes = (copy for copy in copies if copy != ANY and hands.whole(s, copy) == copy)
        copy = job.pick((*dict.fromkeys(wholes), "none"), True, seat)
        if copy != "none":
            s = hands.found(s, seat, copy)
            s = told(s, "finds", "T.Pool.2", seat=SEATS[seat], tile=tile_of(copy))
    return s


def _brought_back(s: State, job: Job) -> State:
    """Somebody takes a destroyed tile to hand, as only a Forbidden effect may let them (0.1.8)."""
    for seat in job.seats(s):
        there = hands.destroyed_wholes(s)
        copy = job.pick([c for c in there if job.op.name in ("", tile_of(c))], seat=seat)
        s = hands.brought_back(s, seat, copy)
        s = told(s, "brings_back", "0.1.8", seat=SEATS[seat], tile=tile_of(copy))
    return s


def _create(s: State, job: Job) -> State:
    """A Virtual tile is searched for, and played at once (T.Create). Its On Play effects come after
    this one (T.Create.1)."""
    listed = {tile_of(copy) for copy in (*s.zones.virtual, *s.zones.unseen)}
    if not listed & {job.op.name, ANY} or job.op.name not in s.setting.tiles:
        raise Vain
    job.demand("create", job.chooser(s, job.pending), job.slots(s))
    return s


# ------------------------------------------------------------------------------------- tiles


def _destroy(s: State, job: Job) -> State:
    return destroy(s, job.tiles(s), "effect_destroys", "2.4.1", own=True)


def _overwrite(s: State, job: Job) -> State:
    """This tile is played over another, turned as its player likes (T.Overwrite), and so it is
    played anew: its On Play effects come, its Forbidden ones are voted on again (0.4.5)."""
    slot, seat = job.pending.own, job.chooser(s, job.pending)
    if slot not in s.tiles:
        raise Vain
    to = job.pick([target for target in job.tiles(s) if target != slot])
    placed = s.tiles[slot]
    turns = s.setting.tiles[placed.tile].rotations(s.board.key_edge)
    turn = job.pick([str(way) for way in turns], kind="turn")
    s = destroy(s, {to}, "overwritten", "T.Overwrite")
    if s.doing is None or slot not in s.tiles:  # they were parts of one Combo (2.4.6)
        return s
    s = individuals.moved(s, {slot: to})
    notes = {note: text for note, text in s.notes.items() if note[:2] != (to, "vote")}
    tiles = {**s.tiles, to: replace(placed, rotation=int(turn))}
    s = replace(s, tiles=tiles, notes=notes, fresh=to, player=seat)
    s = told(s, "overwrites", "T.Overwrite", tile=placed.tile, slot=slot, to=to)
    return causes.on_play(s, to, seat)


def _discard_tile(s: State, job: Job) -> State:
    """Tiles of the board go back into the pool (T.Discard.1)."""
    return discard(s, job.tiles(s), own=True)


def _put_on_bag(s: State, job: Job) -> State:
    """Tiles of the board are put on the bag: whoever draws next has them (1.2.5)."""
    return discard(s, job.tiles(s), BAG, own=True)


def _bounce(s: State, job: Job) -> State:
    """Tiles of the board go to a hand, where everybody has seen them (T.Hand)."""
    for seat in job.seats(s)[:1] or _vain():
        s = bounce(s, job.tiles(s), seat, own=True)
    return s


def _look(s: State, job: Job) -> State:
    """Whoever the effect belongs to looks at hands, which are shown to nobody else (1.2.1)."""
    for seat in job.seats(s):
        job.by_hand()
        s = told(s, "looks", "1.2.1", seat=SEATS[job.chooser(s, job.pending)], whose=SEATS[seat])
    return s


def _move_tile(s: State, job: Job) -> State:
    """Tiles go to other slots, turned as they are, and stay what they are."""
    for slot in job.tiles(s):
        to = job.pick(job.slots(s))
        s = individuals.moved(s, {slot: to})
        s = told(s, "moved_tile", "2.2.4", slot=slot, to=to)
    return s


def _swap(s: State, job: Job) -> State:
    """Two tiles change places: the one chosen and this one, or two of those it is about."""
    if job.op.tiles.startswith(ONE):
        first, second = job.tiles(s)[0], job.pending.own
        if second not in s.tiles:
            raise Vain
    else:
        found = job.tiles(s)
        if len(found) < 2:
            raise Vain
        first = job.pick(found)
        second = job.pick([slot for slot in found if slot != first])
    after = individuals.moved(s, {first: second, second: first})
    return told(after, "swapped", "2.2.4", slot=first, to=second)


def _rotate(s: State, job: Job) -> State:
    """Tiles are turned to a next notch, either way; what seats in one way only stays (T.Notch)."""
    for slot in job.tiles(s):
        placed = s.tiles[slot]
        turns = s.setting.tiles[placed.tile].rotations(s.board.key_edge)
        at, n = turns.index(placed.rotation), _count(job.op)
        ways = {turns[(at + n) % len(turns)], turns[(at - n) % len(turns)]} - {placed.rotation}
        to = int(job.pick([str(turn) for turn in sorted(ways)], kind="turn"))
        s = replace(s, tiles={**s.tiles, slot: replace(placed, rotation=to)})
        s = told(s, "turned", "T.Notch", slot=slot, tile=placed.tile, rotation=to)
    return s


def _disable(s: State, job: Job) -> State:
    """The effects of tiles are disabled as long as those lie there; keywords go on (K27)."""
    for slot in job.tiles(s):
        s = replace(s, notes={**s.notes, (slot, "disabled", "by"): job.pending.tile})
        s = told(s, "disables", "K27", slot=slot, tile=s.tiles[slot].tile)
    return s


def _set_part(s: State, job: Job) -> State:
    """A moving part of the tile is put into a state, or on by some; nobody knows from where, if
    nobody has said how it stood."""
    slot, part, by = job.pending.own, job.op.part, job.op.by
    if slot not in s.tiles:
        raise Vain
    states = selecting.states_of(s, slot, part)
    stands = selecting.part_of(s, slot, part)
    ways: Sequence[str] = (job.op.state,) if job.op.state else states
    if by is not None and stands in states:
        at = states.index(stands)
        ways = tuple(dict.fromkeys(states[(at + k) % len(states)] for k in (by, -by)))
    to = job.pick(ways)
    after = replace(s, notes={**s.notes, (slot, "part", part): to})
    return told(after, "part", "2.2.3.1", slot=slot, part=part, state=to)


# ------------------------------------------------------------------------------- turns and ends


def _extra(s: State, job: Job) -> State:
    """A seat has another roll, play or turn: in this turn, if it is its own (2.0.1.1, K9)."""
    for seat in job.seats(s):
        claim, n = (seat, job.op.what), _count(job.op)
        s = replace(s, granted={**s.granted, claim: s.granted.get(claim, 0) + n})
        s = told(s, f"extra_{job.op.what}", "2.0.1.1", seat=SEATS[seat], count=n)
    return s


def _bar(s: State, job: Job) -> State:
    """A seat will do without something in its next turn (0.1.11); of the roll and play of a turn
    that can be agreed to be impossible (2.0.2, 2.0.3, K8)."""
    what = job.op.what or "turn"
    if s.setting.bars == "never" and what != "turn":
        return told(s, "never_barred", "2.0.2" if what == "roll" else "2.0.3")
    for seat in job.seats(s):
        claim, turns = (seat, what), job.op.turns or 1
        s = replace(s, penalties={**s.penalties, claim: s.penalties.get(claim, 0) + turns})
        s = told(s, f"bars_{what}", "0.1.11", seat=SEATS[seat])
    return s


def _decide(s: State, job: Job) -> State:
    """A seat wins or loses, once the game stabilises (2.8.1.1, 2.9.1.2)."""
    wins = job.op.op == "win"
    for seat in job.seats(s):
        s = replace(s, outcomes=(*s.outcomes, EffectOutcome(seat, wins, job.pending.own)))
        key = "will_win" if wins else "will_lose"
        rule = "2.9.1.2" if wins else "2.8.1.1"
        s = told(s, key, rule, seat=SEATS[seat], slot=job.pending.slot, tile=job.pending.tile)
    return s


def _counter(s: State, job: Job) -> State:
    """A number that the tile keeps."""
    note = (job.pending.own, "count", job.op.name)
    if note[0] not in s.tiles:
        raise Vain
    count = int(s.notes.get(note, "0")) + (job.op.by or 0)
    after = replace(s, notes={**s.notes, note: str(count)})
    return told(after, "counts", "T.Ongoing", slot=note[0], name=job.op.name, count=count)


OPERATIONS: dict[str, Callable[[State, Job], State]] = {
    "roll": _roll,
    "move_ball": _move_ball,
    "remove_ball": _remove_ball,
    "place_ball": _place_ball,
    "hold_ball": _hold_ball,
    "weigh": _weigh,
    "draw": _draw,
    "discard": _discard,
    "give": _give,
    "play": _play,
    "search": _search,
    "create": _create,
    "overwrite": _overwrite,
    "destroy": _destroy,
    "bounce": _bounce,
    "look": _look,
    "discard_tile": _discard_tile,
    "put_on_bag": _put_on_bag,
    "move_tile": _move_tile,
    "rotate": _rotate,
    "swap": _swap,
    "disable": _disable,
    "set_part": _set_part,
    "extra": _extra,
    "skip": _bar,
    "bar": _bar,
    "win": _decide,
    "lose": _decide,
    "counter": _counter,
    "modify": _standing,
    "block": _standing,
    "manual": by_hand,
}
"""How each is done; only `manual` is people's."""


def _count(op: Operation) -> int:
    """How many; a tile's "all" of what has no end is one."""
    return op.n if isinstance(op.n, int) else 1
