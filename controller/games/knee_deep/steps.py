"""The queue: what of a card is still to be done, first things first."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from hexboard.games.knee_deep import limits
from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import Clause, Trigger, joined
from hexboard.games.knee_deep.changes import dropped
from hexboard.games.knee_deep.choices import (
    Chosen,
    Damage,
    Destroy,
    DiscardCards,
    Going,
    PlaceUnits,
    ReturnUnits,
    discards,
)
from hexboard.games.knee_deep.conditions import Condition
from hexboard.games.knee_deep.effects import Effect, Manual
from hexboard.games.knee_deep.loops import PART, Loop
from hexboard.games.knee_deep.peeks import Peek
from hexboard.games.knee_deep.state import CHECK, NAMES, NOBODY, PendingStep, State, Uses, put
from hexboard.games.knee_deep.triggers import type_of
from hexboard.words import Message

CARDS = ("discard", "retrieve", "search")
"""Verbs that choose a card; which one makes no difference to what can be done after it."""
MOST_WAYS = 1000
"""So many states are looked at to find a way to do all of a card."""


def pushed(state: State, seat: int, card: int) -> State:
    """All effects of a card put first in the queue."""
    return replace(state, queue=(*_steps(state, seat, card), *state.queue))


def _steps(state: State, seat: int, card: int) -> tuple[PendingStep, ...]:
    found = effects(state, PendingStep(seat, card, 0))
    return tuple(PendingStep(seat, card, k, effect.left) for k, effect in enumerate(found))


def effects(state: State, step: PendingStep) -> tuple[Effect, ...]:
    """The effects of what a step belongs to."""
    it = source_of(state, step.seat, step.card)
    return tuple(effect for effect in it.effects if isinstance(effect, Effect)) if it else ()


def source_of(state: State, seat: int, number: int) -> limits.Limited | None:
    """The card, ability or trigger of a step's number; None where the seat has no such."""
    if number >= 0:
        return state.card(number) if number else None
    type, k = type_of(number)
    if type not in state.companions[seat]:
        return None
    companion = state.companion(seat, type)
    own = (companion.ability, *companion.triggers)
    return own[k] if k < len(own) else None


def limited(state: State, uses: Uses) -> bool:
    """Whether there is a limit, of what a seat can have, to count these."""
    it = source_of(state, uses.seat, uses.card)
    return it is not None and it.limit is not None


def unmet(state: State, seat: int, clauses: tuple[Clause, ...], card: str) -> Message | None:
    """Which conditions of a card are not met, all of them; None where none is."""
    conditions = [clause for clause in clauses if isinstance(clause, Condition)]
    said = [it.refusal(state, seat, card) for it in conditions if not it.met(state, seat)]
    return joined(*said) if said else None


def effect_of(state: State) -> Effect | None:
    """The effect that is first in the queue; None where no card's effect is."""
    step = state.queue[0]
    return _effect_at(effects(state, step), step.index) if step.index >= 0 else None


def _effect_at(found: tuple[Effect, ...], index: int) -> Effect | None:
    """The effect at a step's place, or the part of a loop; None where there is none."""
    part, k = divmod(index, PART)
    effect = found[k] if k < len(found) else None
    if not part:
        return effect
    parts = effect.parts if isinstance(effect, Loop) else ()
    return parts[part - 1] if part <= len(parts) else None


def known(state: State, step: PendingStep) -> bool:
    """Whether there is what it belongs to, and an effect at its place, or it needs none."""
    source = source_of(state, step.seat, step.card)
    set_off = step.index == CHECK and step.card < 0
    if source is None or (set_off and not isinstance(source, Trigger)):
        return False
    return step.index < 0 or _effect_at(effects(state, step), step.index) is not None


def undoable(state: State, seat: int, card: int) -> Effect | None:
    """The first effect of a card that cannot be done (KDH-3.11). What happens at once counts for
    those after it: one may draw a card and discard it. Where one choice can stand in the way of
    another, or make it possible, there must be a way to make them all."""
    found, steps = effects(state, PendingStep(seat, card, 0)), _steps(state, seat, card)
    if short := _short(state, seat, found):
        return short
    if sum(map(_choices_of, found)) > 1:
        stuck = _stuck(replace(state, queue=steps))
        return None if stuck == NOBODY else found[stuck]
    for effect, step in zip(found, steps, strict=True):
        if not effect.possible(state, step):
            return effect
        state = effect.run(state, seat) or state
    return None


def _short(state: State, seat: int, found: tuple[Effect, ...]) -> Effect | None:
    """The first effect that places more units than there are, where nothing else brings some: to
    try out where all of them can stand would take too long."""
    if not any(isinstance(effect, Loop | PlaceUnits) for effect in found):
        return None
    placed = Counter[tuple[str, bool]]()
    for effect in found:
        rounds = effect.rounds(state, seat) if isinstance(effect, Loop) else 1
        for part in effect.parts if isinstance(effect, Loop) else (effect,):
            if isinstance(part, Destroy | Damage | ReturnUnits):
                return None
            if isinstance(part, PlaceUnits) and not part.optional:
                placed[part.unit, part.revives] += rounds * part.amount
                if placed[part.unit, part.revives] > part.there(state, seat):
                    return effect
    return None


def _choices_of(effect: Effect) -> int:
    """How many choices of an effect, that must be made, can be in each other's way; a loop is
    always walked through, for how often it is done depends on what was before."""
    if isinstance(effect, Loop):
        return 2
    if isinstance(effect, Peek):
        return 1
    if not isinstance(effect, Chosen) or effect.optional:
        return 0
    return effect.times if getattr(effect, "near", "") else 1


def _stuck(state: State) -> int:
    """The furthest effect of the queue that no choice before it lets be done; nobody's where all
    can be. It looks at `MOST_WAYS` states; what it does not find in them counts as possible."""
    furthest, ways = 0, [iter((state,))]
    for _ in range(MOST_WAYS):
        found = next(ways[-1], None)
        if found is None:
            ways.pop()
        elif found.queue:
            if (index := found.queue[0].index) >= 0:
                furthest = max(furthest, index % PART)
            ways.append(_onward(found))
        else:
            return NOBODY
        if not ways:
            return furthest
    return NOBODY


def _onward(state: State) -> Iterator[State]:
    """What can come of the first step of the queue."""
    step, effect, rest = state.queue[0], effect_of(state), replace(state, queue=state.queue[1:])
    if isinstance(effect, Loop):
        yield _opened(state, effect)
        return
    if not isinstance(effect, Chosen):
        if effect is None or effect.possible(state, step):
            yield (effect and effect.run(rest, step.seat)) or rest
        return
    begun = step.left < effect.left
    if step.picked == NOBODY and (effect.optional or (begun and effect.times == 1)):
        yield rest
    if not begun and not effect.possible(state, step):
        return
    offers = effect.offers(state, step)
    alike = offers and offers[0].verb in CARDS
    yield from (chosen(state, act) for act in (offers[:1] if alike else offers))
    if isinstance(effect, DiscardCards) and state.due[seat := effect.asks(step.seat)]:
        coming = min(state.due[seat], state.pile(seat)) - 1
        left = (replace(step, left=step.left - 1),) if step.left > 1 else ()
        yield replace(rest, due=put(state.due, seat, coming), queue=(*left, *rest.queue))


def asked(state: State) -> int:
    """The seat that has to choose."""
    step, effect = state.queue[0], effect_of(state)
    return effect.asks(step.seat) if effect else step.seat


def choices(state: State) -> list[Act]:
    """What can be chosen for the first step of the queue; empty where nothing can."""
    step, effect = state.queue[0], effect_of(state)
    return effect.choices(state, step) if effect else discards(state, step.seat)


def run(state: State) -> State | None:
    """The state after the first step, where it needs no choice; None where it waits for one."""
    step, effect = state.queue[0], effect_of(state)
    after = replace(state, queue=state.queue[1:])
    if step.index == CHECK:
        return _check(after, step) if step.card > 0 else _set_off(after, step)
    if effect is None:
        limit = state.setting.box.values.hand_limit
        return after if len(state.hands[step.seat]) <= limit else None
    if isinstance(effect, Loop):
        return _opened(state, effect)
    done = effect.run(after, step.seat)
    if done is not None:
        return done
    if step.left <= 0:
        return after
    if choices(state):
        return None
    if step.left < effect.left:
        return after
    return after.tells("knee_deep.fizzles", "KDH-3.11", seat=NAMES[step.seat])


def _opened(state: State, loop: Loop) -> State:
    """The state with what a loop, first in the queue, does instead of it."""
    return replace(state, queue=(*loop.opened(state, state.queue[0]), *state.queue[1:]))


def _check(state: State, step: PendingStep) -> State:
    """A war card is resolved: its bonus and effects, or nothing (KDH-8.5; A5, A6)."""
    card, seat = state.card(step.card), step.seat
    setting = state.setting
    if why := limits.reached(state, seat, step.card, card):
        return _gives_nothing(state, seat, why)
    if setting.recheck == "yes" or setting.held or setting.war_cards == "free":
        if why := unmet(state, seat, card.conditions, card.title):
            return _gives_nothing(state, seat, why)
        if effect := undoable(state, seat, step.card):
            return _gives_nothing(state, seat, effect.refusal(card.title, True))
    combat = int(card.combat)
    state = limits.counted(state, seat, step.card, card)
    state = replace(state, bonus=put(state.bonus, seat, state.bonus[seat] + combat))
    state = state.tells(
        "knee_deep.bonus", "KDH-8.6", seat=NAMES[seat], card=card.title, combat=combat
    )
    return pushed(state, seat, step.card)


def _set_off(state: State, step: PendingStep) -> State:
    """What a trigger does, where it may and can now."""
    seat, it = step.seat, source_of(state, step.seat, step.card)
    assert isinstance(it, Trigger)
    if limits.reached(state, seat, step.card, it) or undoable(state, seat, step.card):
        return state
    if unmet(state, seat, it.conditions, it.title):
        return state
    state = limits.counted(state, seat, step.card, it)
    state = state.tells("knee_deep.sets_off", "KDH-3.5", seat=NAMES[seat], card=it.title)
    return pushed(by_hand(state, it.effects), seat, step.card)


def by_hand(state: State, done: tuple[Clause, ...]) -> State:
    """What a card says that people carry out by hand is told."""
    for effect in done:
        if isinstance(effect, Loop):
            state = by_hand(state, effect.parts)
        if isinstance(effect, Manual):
            state = state.tells("knee_deep.by_hand", "KDH-3.5", text=effect.text)
    return state


def _gives_nothing(state: State, seat: int, why: Message) -> State:
    return state.tells("knee_deep.no_bonus", "KDH-A6", seat=NAMES[seat], why=why)


def chosen(state: State, act: Act) -> State:
    """The state after a choice for the first step."""
    step, effect = state.queue[0], effect_of(state)
    rest = replace(state, queue=state.queue[1:])
    if effect is None:
        return dropped(state, step.seat, act.a)
    if act.a == NONE:
        return rest
    assert isinstance(effect, Chosen)
    if isinstance(effect, Going) and step.picked == NOBODY:
        return replace(rest, queue=(replace(step, picked=act.a), *rest.queue))
    left = step.left - effect.spent(state, step, act.a)
    after = effect.done(rest, step, act.a)
    return replace(after, queue=(replace(step, left=left), *after.queue)) if left > 0 else after
