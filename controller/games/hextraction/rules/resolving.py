"""Effects that were set off are resolved one after the other, in the order that the player who
rolls or plays chooses (2.1.4.2, 2.2.5.1, 2.6.4).

The effect at hand is `State.doing`. Its operations are done until one has to ask; the answer, a
roll or a play lets it go on.
"""

from msgspec.structs import replace

from hexboard.games.hextraction.rules import causes, selecting
from hexboard.games.hextraction.rules.actions import Choose, Resolve
from hexboard.games.hextraction.rules.operations import Ask, Job, possible, run
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import State, told
from hexboard.games.hextraction.tiles.effects import Operation, TileEffect


def resolve(s: State, action: Resolve) -> State:
    """The effect that was chosen of those that wait is the next one (2.1.4.2, 2.6.4)."""
    return begin(s, next(p for p in s.waiting if p.number == action.number))


def begin(s: State, pending: Pending) -> State:
    """An effect is resolved now, unless it sleeps meanwhile or its conditions do not hold: they are
    judged here, when it is resolved (2.6.5)."""
    after = replace(s, waiting=tuple(p for p in s.waiting if p != pending))
    effect = causes.effect_of(s, pending)
    lies = effect.cause != "on_destroy"
    asleep = lies and not causes.awake(s, pending.slot, pending.effect)
    held = [selecting.holds(s, c, pending.slot, pending.ball) for c in effect.conditions]
    slot, tile = pending.slot, pending.tile
    if asleep or False in held:
        return told(after, "idle_effect", "2.6.5", slot=slot, tile=tile)
    after = told(after, "resolves", "2.6.3", slot=slot, tile=tile)
    doubtful = None in held
    return replace(after, doing=replace(pending, step=-1 if doubtful else 0))


def choose(s: State, action: Choose) -> State:
    """An answer for the operation at hand (2.6.3)."""
    assert s.doing is not None  # else it would have been refused
    return replace(s, doing=s.doing.answered(action.answer))


def go_on(s: State) -> State | None:
    """With the operation at hand done, or the effect ended after its last; None while it waits for
    somebody."""
    doing = s.doing
    assert doing is not None
    if doing.step < 0:
        return _doubtful(s, doing)
    try:
        after = run(s, doing)
    except Ask:
        return None
    if after.doing is None or after.phase == "over":
        return after
    last = doing.step + 1 == len(operations(causes.effect_of(s, doing)))
    return replace(after, doing=None if last else after.doing.next())


def _doubtful(s: State, doing: Pending) -> State | None:
    """Only people know whether the conditions hold: they say yes or no."""
    if not doing.answers:
        return None
    goes_on = doing.answers[0] == "yes"
    return replace(s, doing=doing.next() if goes_on else None)


def operations(effect: TileEffect) -> tuple[Operation, ...]:
    """What an effect does, its cost first."""
    return (*effect.cost, *effect.do)


def operation(s: State) -> Operation | None:
    """The operation at hand; None where it is asked whether the conditions hold."""
    if s.doing is None or s.doing.step < 0:
        return None
    return operations(causes.effect_of(s, s.doing))[s.doing.step]


def asked(s: State) -> Ask | None:
    """What the effect at hand waits for; None if there is none."""
    if s.phase != "resolving" or s.vote or s.held or s.doing is None:
        return None
    if s.doing.step < 0:
        return Ask("choose", Job.chooser(s, s.doing), ("yes", "no"))
    try:
        run(s, s.doing)
    except Ask as ask:
        return ask
    return None


def awaited(s: State) -> int:
    """Who answers for the effect at hand."""
    asked_ = asked(s)
    return asked_.seat if asked_ else s.conductor


def created(s: State) -> str:
    """The tile that the effect at hand creates."""
    assert s.doing is not None
    return Job(s, s.doing).op.name


def taken(s: State) -> int:
    """The ball that the roll at hand takes off the board; 0 for none."""
    if s.doing is None or selecting.retried(s):
        return 0
    job = Job(s, s.doing)
    return next(iter(job.balls(s)), 0) if job.op.balls else 0


def payable(s: State, pending: Pending) -> bool:
    """Whether each part of an Activated effect's cost can be paid (2.7.3)."""
    costs = range(len(causes.effect_of(s, pending).cost))
    return all(possible(s, replace(pending, step=step)) for step in costs)
