"""What cards do: each effect either happens at once, or waits for a choice."""

from msgspec.structs import replace

from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import RESOURCES, UNKNOWN, CardEffect
from hexboard.games.knee_deep.state import (
    CHECK,
    LIMIT,
    NAMES,
    NOBODY,
    OWN_LOSS,
    Modifier,
    PendingStep,
    State,
    less,
    more,
    on,
    owners,
    put,
)
from hexboard.games.knee_deep.values import KINDS, code, kind_of, seat_of

INSTANT = ("bonus", "gain", "lose", "draw", "modify", "set_rule", "cancel", "prevent")
"""Effects without a choice."""
TWICE = ("relocate", "walk")
"""Effects with two choices: the unit, then its field."""


def pushed(state: State, seat: int, card: int) -> State:
    """All effects of a card put first in the queue."""
    effects = state.effects(PendingStep(seat, card, 0))
    steps = tuple(PendingStep(seat, card, k, effect.amount) for k, effect in enumerate(effects))
    return replace(state, queue=(*steps, *state.queue))


def effect_of(state: State) -> CardEffect | None:
    """The effect that is first in the queue; None where no card's effect is."""
    step = state.queue[0]
    return state.effects(step)[step.index] if step.index >= 0 else None


def possible(state: State, seat: int, card: int) -> bool:
    """Whether everything that a card must do can be done as things stand (KDH-3.11)."""
    effects = state.effects(PendingStep(seat, card, 0))
    return all(
        effect.optional
        or effect.do in (*INSTANT, "manual")
        or _first(state, PendingStep(seat, card, k, effect.amount), effect)
        for k, effect in enumerate(effects)
    )


def asked(state: State) -> int:
    """The seat that has to choose."""
    step, effect = state.queue[0], effect_of(state)
    return owners(step.seat, effect.of)[0] if effect and effect.do == "discard" else step.seat


def choices(state: State) -> list[Act]:
    """What can be chosen for the first step of the queue; empty where nothing can."""
    step, effect = state.queue[0], effect_of(state)
    if effect is None:
        return _discards(state, step.seat)
    found = _first(state, step, effect) if step.picked == NOBODY else _second(state, step, effect)
    if not found or step.picked != NOBODY:
        return found
    if effect.optional or effect.do == "damage":
        found.append(Act(found[0].verb, NONE))
    return found


def _first(state: State, step: PendingStep, effect: CardEffect) -> list[Act]:
    match effect.do:
        case "place":
            return [Act("pick", field) for field in _places(state, step, effect)]
        case "discard":
            return _discards(state, owners(step.seat, effect.of)[0])
        case "retrieve":
            return [Act("retrieve", card) for card in sorted({*state.discards[step.seat]})]
        case "move_marker":
            return [Act("shift", crossing) for crossing in _beside_marker(state)]
        case "manual":
            return [Act("pick", NONE)]
    fields = list(state.chosen(step.seat, effect))
    if effect.do == "damage":
        fields = [field for field in fields if state.hp(state.units[field]) <= step.left]
    if effect.do in ("include", "exclude"):
        barred = state.included if effect.do == "include" else state.excluded
        fields = [field for field in fields if field not in barred]
    if effect.do in TWICE:
        fields = [f for f in fields if _second(state, replace(step, picked=f), effect)]
    return [Act("pick", field) for field in fields]


def _second(state: State, step: PendingStep, effect: CardEffect) -> list[Act]:
    """Where the unit chosen first can go."""
    if effect.do == "walk":
        return [Act("pick", field) for field in state.reach(step.picked, effect.amount)]
    distance, start = state.setting.ground.distance, step.picked
    return [
        Act("pick", field)
        for field in state.empty()
        if effect.most >= 99 or distance(start, field) <= effect.most
    ]


def _places(state: State, step: PendingStep, effect: CardEffect) -> list[int]:
    """The empty fields where a unit from the supply can be placed."""
    kind, seat = KINDS.index(effect.unit), step.seat
    owed = state.setting.box.values.units[kind].cost if state.setting.place_cost == "both" else 0
    if not state.supply(seat, kind) or state.material < owed:
        return []
    fields = state.empty()
    if effect.near and effect.within == 1:
        near = state.setting.ground.near
        beside = {other for unit in state.of(seat, effect.near) for other in near[unit]}
        return [field for field in fields if field in beside]
    return [field for field in fields if state.beside(seat, field, effect)]


def _discards(state: State, seat: int) -> list[Act]:
    """Each card that a hand can discard; "?" where the discard pile is closed (A27)."""
    hand = state.hands[seat]
    closed = state.setting.discards == "closed" and UNKNOWN in hand
    cards = sorted({*hand} - {UNKNOWN}) if closed else state.may_hold(seat)
    return [Act("discard", card) for card in ([UNKNOWN] if closed else []) + cards]


def _beside_marker(state: State) -> list[int]:
    """The intersections that share two sectors with the marker's."""
    if state.marker == NOBODY:
        return []
    here = {*state.crossing.sectors}
    crossings = enumerate(state.setting.ground.crossings)
    return [k for k, crossing in crossings if len(here & {*crossing.sectors}) == 2]


# --------------------------------------------------------------------------------- what happens


def run(state: State) -> State | None:
    """The state after the first step, where it needs no choice; None where it waits for one."""
    step, effect = state.queue[0], effect_of(state)
    after = replace(state, queue=state.queue[1:])
    if step.index == CHECK:
        return _check(after, step)
    if effect is None:
        limit = state.setting.box.values.hand_limit
        return after if len(state.hands[step.seat]) <= limit else None
    if effect.do in INSTANT:
        return _instant(after, step, effect)
    if step.left <= 0 and effect.do != "manual":
        return after
    if choices(state):
        return None
    if step.left < effect.amount:
        return after
    return after.tells("knee_deep.fizzles", "KDH-3.11", seat=NAMES[step.seat])


def _check(state: State, step: PendingStep) -> State:
    """A war card is resolved: its bonus and effects, or nothing (KDH-8.5; A5, A6)."""
    card, seat = state.card(step.card), step.seat
    setting = state.setting
    again = setting.recheck == "yes" or setting.held or setting.war_cards == "free"
    if again and not all(state.holds(seat, condition) for condition in card.conditions):
        return state.tells("knee_deep.no_bonus", "KDH-A6", seat=NAMES[seat], card=card.title)
    combat = int(card.combat)
    state = replace(state, bonus=put(state.bonus, seat, state.bonus[seat] + combat))
    state = state.tells(
        "knee_deep.bonus", "KDH-8.6", seat=NAMES[seat], card=card.title, combat=combat
    )
    return pushed(state, seat, step.card)


def _instant(state: State, step: PendingStep, effect: CardEffect) -> State:
    seat = step.seat
    amount = _amount(state, seat, effect)
    match effect.do:
        case "bonus":
            of = owners(seat, effect.of)[0]
            state = replace(state, bonus=put(state.bonus, of, state.bonus[of] + amount))
            return state.tells("knee_deep.gets", "KDH-8.6", seat=NAMES[of], amount=amount)
        case "gain" | "lose":
            return _stock(state, seat, effect, amount)
        case "draw":
            return _draw(state, owners(seat, effect.of), amount)
        case "cancel":
            return _cancel(state, 1 - seat)
        case "prevent":
            spared = put(state.prevented, seat, state.prevented[seat] + amount)
            return replace(state, prevented=spared)
    rule = "builders" if effect.do == "set_rule" else effect.rule
    changed = tuple(Modifier(o, rule, effect.unit, amount) for o in owners(seat, effect.of))
    return replace(state, changes=(*state.changes, *changed))


def _amount(state: State, seat: int, effect: CardEffect) -> int:
    """The amount, or so much for each own unit of a kind in the zone (else on the board)."""
    if not effect.per:
        return effect.amount
    fields = state.of(seat, effect.per)
    if state.phase == "resolve":
        fields = [field for field in state.fighters(seat) if field in fields]
    return min(effect.amount * len(fields), effect.most)


def _stock(state: State, seat: int, effect: CardEffect, amount: int) -> State:
    """Material or energy gained or lost; only the active seat has any (KDH-10.2)."""
    if state.active not in owners(seat, effect.of):
        return state
    signed = amount if effect.do == "gain" else -amount
    stock = {key: getattr(state, key) for key in RESOURCES}
    stock[effect.resource] = max(0, stock[effect.resource] + signed)
    return replace(state, material=stock["material"], energy=stock["energy"])


def _draw(state: State, seats: tuple[int, ...], amount: int) -> State:
    for seat in seats:
        state = replace(state, due=put(state.due, seat, state.due[seat] + amount))
        if state.setting.hand_limit == "effects":
            state = replace(state, queue=(PendingStep(seat, 0, LIMIT), *state.queue))
    return state


def _cancel(state: State, enemy: int) -> State:
    """The enemy's war card gives nothing."""
    queue = tuple(step for step in state.queue if step.seat != enemy or step.card <= 0)
    state = replace(state, queue=queue, bonus=put(state.bonus, enemy, 0))
    return state.tells("knee_deep.cancelled", "KDH-3.5", seat=NAMES[enemy])


def chosen(state: State, act: Act) -> State:
    """The state after a choice for the first step."""
    step, effect = state.queue[0], effect_of(state)
    rest = replace(state, queue=state.queue[1:])
    if effect is None:
        return dropped(replace(rest, queue=state.queue), step.seat, act.a)
    if act.a == NONE:
        return rest
    if effect.do in TWICE and step.picked == NOBODY:
        return replace(rest, queue=(replace(step, picked=act.a), *rest.queue))
    spent = state.hp(state.units[act.a]) if effect.do == "damage" else 1
    left = 0 if effect.do in (*TWICE, "move_marker") else step.left - spent
    after = _carried_out(rest, step, effect, act.a)
    if left > 0:
        after = replace(after, queue=(replace(step, left=left), *after.queue))
    return after


def _carried_out(state: State, step: PendingStep, effect: CardEffect, what: int) -> State:
    seat, units = step.seat, state.units
    match effect.do:
        case "place":
            return _placed(state, seat, KINDS.index(effect.unit), what)
        case "relocate" | "walk":
            return moved(state, step.picked, what)
        case "destroy" | "damage":
            return scrapped(state, what, seat)
        case "return":
            return vacated(state, what).tells(
                "knee_deep.returns", "KDH-3.5", field=state.setting.ground.ids[what]
            )
        case "include":
            return replace(state, included=tuple(sorted({*state.included, what})))
        case "exclude":
            return replace(state, excluded=tuple(sorted({*state.excluded, what})))
        case "discard":
            return dropped(state, owners(seat, effect.of)[0], what)
        case "retrieve":
            pile = put(state.discards, seat, less(state.discards[seat], what))
            return replace(
                state, discards=pile, hands=put(state.hands, seat, more(state.hands[seat], what))
            )
    assert effect.do == "move_marker"
    assert units is state.units
    return replace(state, marker=what).tells(
        "knee_deep.shifts", "KDH-3.5", name=state.setting.ground.crossings[what].name
    )


def _placed(state: State, seat: int, kind: int, field: int) -> State:
    unit = code(seat, kind)
    if state.setting.place_cost == "both":
        cost = state.setting.box.values.units[kind].cost
        state = replace(state, material=state.material - cost)
    state = replace(state, units=on(state.units, [(field, unit)]))
    name = state.setting.ground.ids[field]
    return state.tells(
        "knee_deep.places", "KDH-3.13", seat=NAMES[seat], unit=KINDS[kind], field=name
    )


def moved(state: State, field: int, to: int) -> State:
    """A unit on another field; what cards said of it in a war does not go with it."""
    unit, ids = state.units[field], state.setting.ground.ids
    state = replace(vacated(state, field), units=on(state.units, [(field, 0), (to, unit)]))
    seat, kind = NAMES[seat_of(unit)], KINDS[kind_of(unit)]
    return state.tells(
        "knee_deep.moves", "KDH-7.2", seat=seat, unit=kind, left=ids[field], field=ids[to]
    )


def vacated(state: State, field: int) -> State:
    """Nothing on a field any more."""
    return replace(
        state,
        units=on(state.units, [(field, 0)]),
        included=tuple(f for f in state.included if f != field),
        excluded=tuple(f for f in state.excluded if f != field),
    )


def scrapped(state: State, field: int, by: int) -> State:
    """A unit destroyed by a seat, and on the scrapyard (KDH-8.8; A26)."""
    unit, name = state.units[field], state.setting.ground.ids[field]
    own = OWN_LOSS if by == seat_of(unit) else 0
    state = replace(vacated(state, field), scrap=state.scrap + bytes((unit + own,)), quiet=0)
    full = state.setting.box.values.scrapyard
    return state.tells(
        "knee_deep.scrapped",
        "KDH-8.8",
        seat=NAMES[seat_of(unit)],
        unit=KINDS[kind_of(unit)],
        field=name,
        count=len(state.scrap),
        full=full,
    )


def dropped(state: State, seat: int, card: int) -> State:
    """A card from the hand to the discard pile; "?" where nobody sees which (A27)."""
    state = taken(state, seat, card)
    discards = put(state.discards, seat, more(state.discards[seat], card))
    return replace(state, discards=discards).tells(
        "knee_deep.discards", "KDH-3.4", seat=NAMES[seat]
    )


def taken(state: State, seat: int, card: int) -> State:
    """The hand without a card; one that was unknown is seen by it."""
    hand = state.hands[seat]
    if card in hand:
        return replace(state, hands=put(state.hands, seat, less(hand, card)))
    return replace(
        state,
        hands=put(state.hands, seat, less(hand, UNKNOWN)),
        unseen=put(state.unseen, seat, less(state.unseen[seat], card)),
    )
