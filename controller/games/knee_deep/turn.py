"""How a game goes on: the deal, the five phases of a turn, the five steps of a war, the end.

`go` does whatever needs nobody's choice, until somebody is asked or chance is waited for.

Why long: five phases and five steps of a war, each a few lines, in the order they are played.
"""

from collections.abc import Callable

from msgspec.structs import replace

from hexboard.games.knee_deep import changes, limits, peeks, steps, triggers
from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.ground import GROUNDS, redrawn
from hexboard.games.knee_deep.state import (
    CHECK,
    DRAWN_GAME,
    NAMES,
    NOBODY,
    OWN_LOSS,
    PASSED,
    UNLAID,
    PendingStep,
    State,
    less,
    more,
    on,
    put,
)
from hexboard.games.knee_deep.values import KINDS, code, seat_of

PHASES = (
    *("terrain", "companions", "start", "deal", "mulligan", "redeal", "power_up", "act"),
    *("lay", "answer", "reveal", "resolve", "damage", "mark", "exhaust", "over"),
)


def played(state: State, act: Act) -> State:
    """The state after an action that is not refused."""
    state = replace(state, events=())
    if state.offered != NOBODY and act.verb != "offer":
        state = replace(state, offered=NOBODY)
    return go(triggers.caused(state, PLAY[act.verb](state, act)))


def go(state: State) -> State:
    """On to the next thing that somebody decides."""
    after: State | None = state
    while after is not None:
        state = after
        onward = _advanced(state)
        after = onward and triggers.caused(state, onward)
    return state


def _advanced(state: State) -> State | None:
    if state.winner != NOBODY:
        return None
    full = len(state.scrap) >= state.setting.box.values.scrapyard
    settled = not (state.queue or state.look) and state.phase != "damage"
    if full and (state.setting.overflow == "stop" or settled):
        return _full(state)
    if any(state.due):
        return _drawn_unseen(state)
    if state.look:
        return None
    if state.queue:
        return steps.run(state)
    return GOES_ON[state.phase](state) if state.phase in GOES_ON else None


def _drawn_unseen(state: State) -> State | None:
    """Cards that nobody shows the referee are drawn at once; else chance decides."""
    seat = state.receiver
    count = min(state.due[seat], state.pile(seat))
    if count <= 0:
        return replace(state, due=put(state.due, seat, 0))
    if not state.setting.held:
        return None
    hand = more(state.hands[seat], *[UNKNOWN] * count)
    due = put(state.due, seat, 0)
    return replace(state, hands=put(state.hands, seat, hand), due=due)


# --------------------------------------------------------------------------------------- set-up


def _terrain(state: State, act: Act) -> State:
    """Another terrain on a field, before the game."""
    built = state.setting.ground
    ground = redrawn(built, on(built.terrain, [(act.a, act.b)]))
    state = replace(state, setting=replace(state.setting, ground=ground))
    field, kind = ground.ids[act.a], GROUNDS[act.b]
    return state.tells("knee_deep.draws_terrain", "KDH-1.3", field=field, ground=kind)


def _ready(state: State, act: Act) -> State:
    return replace(state, phase="companions").tells("knee_deep.ready", "KDH-2.1")


def _companions(state: State, act: Act) -> State:
    """Two of the four, and with them the deck (KDH-3.1, 4.1)."""
    seat, box = state.active, state.setting.box
    pairs = (act.a, act.b)
    deck = box.neutral + b"".join(box.companion_cards[4 * seat + type] for type in pairs)
    state = replace(
        state,
        companions=put(state.companions, seat, pairs),
        unseen=put(state.unseen, seat, bytes(sorted(deck))),
        active=1,
        phase="companions" if seat == 0 else "start",
    )
    names = [state.companion(seat, type).type for type in pairs]
    state = state.tells(
        "knee_deep.chosen", "KDH-4.1", seat=NAMES[seat], one=names[0], other=names[1]
    )
    if seat == 0 or state.setting.starter == "drawn":
        return state
    return _start(state, Act("start", ("gondwana", "bukseon").index(state.setting.starter)))


def _start(state: State, act: Act) -> State:
    """Who begins; three cards each (KDH-2.2)."""
    hand = state.setting.box.values.opening_hand
    state = replace(state, phase="deal", starter=act.a, active=act.a, due=(hand, hand))
    return state.tells("knee_deep.starts", "KDH-2.2", seat=NAMES[act.a])


def _drawn(state: State, act: Act) -> State:
    seat = state.receiver
    top, unseen = state.top[seat], state.unseen[seat]
    if act.a and not any(top[:1]):
        unseen = less(unseen, act.a)
    return replace(
        state,
        unseen=put(state.unseen, seat, unseen),
        top=put(state.top, seat, top[1:]),
        hands=put(state.hands, seat, more(state.hands[seat], act.a)),
        due=put(state.due, seat, state.due[seat] - 1),
    )


def _kept(state: State, act: Act) -> State:
    if state.active == state.starter:
        return replace(state, phase="mulligan", active=1 - state.starter)
    return _turn(replace(state, active=state.starter, round=1))


def _mulligan(state: State, act: Act) -> State:
    """All cards or none, once (KDH-2.3; A2)."""
    seat, hand = state.active, state.hands[state.active]
    if state.setting.mulligan == "discard":
        pile = put(state.discards, seat, more(state.discards[seat], *hand))
        state = replace(state, discards=pile)
    else:
        known = hand.replace(b"\0", b"")
        state = replace(state, unseen=put(state.unseen, seat, more(state.unseen[seat], *known)))
    due = put(state.due, seat, len(hand))
    state = replace(state, hands=put(state.hands, seat, b""), due=due, phase="redeal")
    return state.tells("knee_deep.mulligan", "KDH-2.3", seat=NAMES[seat])


# ----------------------------------------------------------------------------------- the turn


def _turn(state: State) -> State:
    """Power Up: income and a card (KDH-6; 5.2 for the very first turn)."""
    seat, numbers = state.active, state.setting.box.values
    chosen = [state.companion(seat, type) for type in state.companions[seat]]
    times = 2 if state.round == 1 and state.setting.start_income == "yes" else 1
    fields = state.yields(seat)
    stock = {
        "material": times * sum(int(c.material) for c in chosen)
        + numbers.field_yield * len(fields[0]),
        "energy": times * sum(int(c.energy) for c in chosen) + numbers.field_yield * len(fields[1]),
    }
    stock = {it: max(0, amount + state.gift(seat, it)) for it, amount in stock.items()}
    first = state.round == 1 and seat == state.starter
    if first:
        which = state.setting.first_penalty
        stock[which] = max(0, stock[which] - numbers.first_penalty)
    due = put(state.due, seat, 0 if first else numbers.power_up_cards)
    state = replace(state, phase="power_up", due=due, **stock)
    return state.tells(
        "knee_deep.power_up",
        "KDH-6.1",
        seat=NAMES[seat],
        round=state.round,
        material=stock["material"],
        energy=stock["energy"],
    )


def _trimmed(state: State) -> State | None:
    """On when the hand is within its limit (KDH-6.5, 10.1)."""
    if len(state.hands[state.active]) > state.setting.box.values.hand_limit:
        return None
    return replace(state, phase="act") if state.phase == "power_up" else _next_turn(state)


def _next_turn(state: State) -> State:
    active = 1 - state.active
    round = state.round + (active == state.starter)
    state = replace(state, changes=(), uses=limits.turn_over(state))
    return _turn(replace(state, active=active, round=round, quiet=state.quiet + 1))


def _deploy(state: State, act: Act) -> State:
    return _set(state, act, "KDH-7.1")


def _build(state: State, act: Act) -> State:
    return _set(state, act, "KDH-7.7")


def _set(state: State, act: Act, rule: str) -> State:
    """A unit from the supply, for its cost."""
    kind = state.setting.box.values.units[act.a]
    state = replace(
        state,
        units=on(state.units, [(act.b, code(state.active, act.a))]),
        material=state.material - kind.cost,
    )
    return state.tells(
        "knee_deep.sets",
        rule,
        seat=NAMES[state.active],
        unit=kind.id,
        field=state.setting.ground.ids[act.b],
    )


def _move(state: State, act: Act) -> State:
    cost = state.setting.box.values.move_energy
    return changes.moved(replace(state, energy=state.energy - cost), act.a, act.b)


def _play(state: State, act: Act) -> State:
    """An action card: paid, discarded, and what it does (KDH-7.9)."""
    seat, card = state.active, state.card(act.a)
    state = changes.taken(state, seat, act.a)
    state = replace(
        state,
        material=state.material - int(card.material),
        energy=state.energy - int(card.energy),
        discards=put(state.discards, seat, more(state.discards[seat], act.a)),
    )
    state = limits.counted(state, seat, act.a, card)
    state = state.tells("knee_deep.plays", "KDH-7.9", seat=NAMES[seat], card=card.title)
    return steps.by_hand(steps.pushed(state, seat, act.a), card.effects)


def _use(state: State, act: Act) -> State:
    """A companion's ability, once a turn (KDH-4.2)."""
    seat = state.active
    ability = state.companion(seat, act.a).ability
    assert ability is not None
    state = replace(
        state,
        material=state.material - ability.material,
        energy=state.energy - ability.energy,
        used=tuple(sorted({*state.used, act.a})),
    )
    state = limits.counted(state, seat, -1 - act.a, ability)
    state = state.tells("knee_deep.uses", "KDH-4.2", seat=NAMES[seat], card=ability.title)
    return steps.by_hand(steps.pushed(state, seat, -1 - act.a), ability.effects)


def _draw(state: State, act: Act) -> State:
    seat, cost = state.active, state.setting.box.values.draw_material
    due = put(state.due, seat, state.due[seat] + 1)
    state = replace(state, material=state.material - cost, due=due)
    return state.tells("knee_deep.draws", "KDH-7.10", seat=NAMES[seat])


def _recycle(state: State, act: Act) -> State:
    seat, cost = state.active, state.setting.box.values.recycle_energy
    state = changes.dropped(replace(state, energy=state.energy - cost), seat, act.a)
    due = put(state.due, seat, state.due[seat] + 1)
    return replace(state, due=due).tells("knee_deep.draws", "KDH-7.11", seat=NAMES[seat])


def _discard(state: State, act: Act) -> State:
    if state.queue:
        return steps.chosen(state, act)
    return changes.dropped(state, state.active, act.a)


# --------------------------------------------------------------------------------------- the war


def _end(state: State, act: Act) -> State:
    """The action phase is over: the enemy's marker is dealt with (KDH-8)."""
    if state.marker == NOBODY:
        return replace(state, phase="mark")
    if not all(_present(state, seat) for seat in (0, 1)):
        return _returned(state).tells("knee_deep.no_war", "KDH-8.3", name=state.crossing.name)
    return replace(state, phase="lay").tells(
        "knee_deep.war",
        "KDH-8.1",
        name=state.crossing.name,
        gondwana=state.total(0),
        bukseon=state.total(1),
    )


def _present(state: State, seat: int) -> bool:
    """Whether a seat is in the zone by a unit, or its HQ (KDH-8.3; A4)."""
    hq = state.setting.presence == "each_unit_or_hq" and state.hq_in_zone(seat)
    return hq or bool(state.fighters(seat))


def layer(state: State) -> int:
    """Who lays a war card now (KDH-8.4; A15)."""
    first = state.attacker if state.setting.lays_first == "attacker" else state.active
    return first if state.phase == "lay" else 1 - first


def shower(state: State) -> int:
    """Whose card is turned up next: the defender's first (KDH-8.5)."""
    seats = (state.active, state.attacker)
    return next(seat for seat in seats if _face_down(state, seat))


def _face_down(state: State, seat: int) -> bool:
    return state.laid[seat] >= UNKNOWN and not state.shown[seat]


def _lay(state: State, act: Act) -> State:
    seat = layer(state)
    if act.a == NONE:
        state = state.tells("knee_deep.lays_none", "KDH-8.4", seat=NAMES[seat])
    else:
        hand = less(state.hands[seat], act.a)
        state = replace(state, hands=put(state.hands, seat, hand))
        state = state.tells("knee_deep.lays", "KDH-8.4", seat=NAMES[seat])
    state = replace(state, laid=put(state.laid, seat, act.a if act.a >= 0 else PASSED))
    if state.phase == "lay":
        return replace(state, phase="answer")
    return replace(state, phase="reveal")


def _reveal(state: State, act: Act) -> State:
    seat = shower(state)
    if state.laid[seat] == UNKNOWN:
        unseen = put(state.unseen, seat, less(state.unseen[seat], act.a))
        state = replace(state, unseen=unseen)
    shown = put(state.shown, seat, True)
    state = replace(state, laid=put(state.laid, seat, act.a), shown=shown)
    title = state.card(act.a).title
    return state.tells("knee_deep.reveals", "KDH-8.5", seat=NAMES[seat], card=title)


def _revealed(state: State) -> State | None:
    """When every card lies open, the defender's is resolved first (KDH-8.5)."""
    seats = (state.active, state.attacker)
    if any(_face_down(state, seat) for seat in seats):
        return None
    queue = tuple(PendingStep(s, state.laid[s], CHECK) for s in seats if state.laid[s] > 0)
    state = replace(state, phase="resolve", queue=queue)
    for seat in seats:
        if state.laid[seat] > 0:
            state = steps.by_hand(state, state.card(state.laid[seat]).effects)
    return state


def _totals(state: State) -> State:
    """Steps 3 and 4: the sums, and what the winner has left over (KDH-8.6, 8.7)."""
    totals = state.total(0), state.total(1)
    state = state.tells("knee_deep.totals", "KDH-8.6", gondwana=totals[0], bukseon=totals[1])
    if totals[0] == totals[1]:
        return _returned(state.tells("knee_deep.tie", "KDH-8.6"))
    victor = int(totals[1] > totals[0])
    spared = state.prevented[1 - victor] + state.gift(1 - victor, "prevent")
    surplus = max(0, abs(totals[0] - totals[1]) - spared)
    state = replace(state, phase="damage", victor=victor, surplus=surplus)
    return state.tells("knee_deep.wins_war", "KDH-8.7", seat=NAMES[victor], surplus=surplus)


def _destroy_one(state: State, act: Act) -> State:
    """Step 5: a whole unit, or the HQ (KDH-8.8, 8.9)."""
    victor, enemy = state.victor, 1 - state.victor
    if act.a not in state.setting.ground.hq[enemy]:
        hp = state.hp(state.units[act.a])
        return changes.scrapped(replace(state, surplus=state.surplus - hp), act.a, victor)
    hit = min(state.surplus, state.hq_hp(enemy))
    hurt = put(state.hurt, enemy, state.hurt[enemy] + hit)
    state = replace(state, surplus=state.surplus - hit)
    if hit < state.hq_hp(enemy):
        return replace(state, hurt=hurt).tells(
            "knee_deep.hurts", "KDH-A3", seat=NAMES[enemy], damage=hit
        )
    state = replace(state, hurt=hurt)
    return _over(state.tells("knee_deep.hq_falls", "KDH-11.1", seat=NAMES[enemy]), victor)


def _damaged(state: State) -> State | None:
    """The war is over when nothing can be destroyed any more."""
    return None if state.targets(state.victor, state.surplus) else _returned(state)


def _stop(state: State, act: Act) -> State:
    return _returned(state)


def _returned(state: State) -> State:
    """The marker back to its owner, the cards to the discards (KDH-8.11)."""
    discards = state.discards
    for seat in (0, 1):
        if state.laid[seat] > 0:
            discards = put(discards, seat, more(discards[seat], state.laid[seat]))
    return replace(
        state,
        phase="mark",
        marker=NOBODY,
        marker_of=NOBODY,
        discards=discards,
        laid=(UNLAID, UNLAID),
        shown=(False, False),
        bonus=(0, 0),
        prevented=(0, 0),
        included=(),
        excluded=(),
        surplus=0,
        victor=NOBODY,
        uses=limits.war_over(state),
    )


def _mark(state: State, act: Act) -> State:
    """Phase 4, then Exhaust: what is left is lost (KDH-9.1, 10.1)."""
    seat = state.active
    if act.a != NONE:
        name = state.setting.ground.crossings[act.a].name
        state = replace(state, marker=act.a, marker_of=seat)
        state = state.tells("knee_deep.marks", "KDH-9.1", seat=NAMES[seat], name=name)
    return replace(state, phase="exhaust", material=0, energy=0, changes=(), used=())


# --------------------------------------------------------------------------------------- the end


def _full(state: State) -> State:
    """The scrapyard decides: fewer health points lost, then fewer units destroyed (KDH-11)."""
    lost = [losses(state, seat) for seat in (0, 1)]
    state = state.tells("knee_deep.full", "KDH-11.1", gondwana=lost[0][0], bukseon=lost[1][0])
    if lost[0][0] != lost[1][0]:
        return _over(state, int(lost[1][0] < lost[0][0]))
    if lost[0][1] != lost[1][1]:  # who destroyed fewer: whose enemy lost fewer
        return _over(state, int(lost[0][1] < lost[1][1]))
    ties = {"draw": DRAWN_GAME, "starter": state.starter, "second": 1 - state.starter}
    return _over(state, ties[state.setting.full_tie])


def losses(state: State, seat: int) -> tuple[int, int]:
    """Health points and units of a seat on the scrapyard; own losses count as A26 says."""
    units = [unit for unit in state.scrap if seat_of(unit & 15) == seat]
    hp = sum(state.hp(unit & 15) for unit in units)
    if state.setting.own_losses == "hp_only":
        units = [unit for unit in units if unit < OWN_LOSS]
    return hp, len(units)


def _over(state: State, winner: int) -> State:
    state = replace(state, phase="over", winner=winner, queue=(), due=(0, 0), look=None)
    if winner == DRAWN_GAME:
        return state.tells("knee_deep.drawn_game", "KDH-11.3")
    return state.tells("knee_deep.wins", "KDH-11.2", seat=NAMES[winner])


def _resign(state: State, act: Act) -> State:
    state = state.tells("knee_deep.resigns", "KDH-11.2", seat=NAMES[act.a])
    return _over(state, 1 - act.a)


def _offer(state: State, act: Act) -> State:
    if state.offered != NOBODY:
        return _over(replace(state, offered=NOBODY), DRAWN_GAME)
    return replace(state, offered=act.a).tells("knee_deep.offers", "KDH-A21", seat=NAMES[act.a])


# ------------------------------------------------------------------------------------- by hand


def _put(state: State, act: Act) -> State:
    field, unit = state.setting.ground.ids[act.b], KINDS[(act.a - 1) % len(KINDS)]
    return replace(state, units=on(state.units, [(act.b, act.a)])).tells(
        "knee_deep.sets", "KDH-3.5", seat=NAMES[seat_of(act.a)], unit=unit, field=field
    )


def _lift(state: State, act: Act) -> State:
    return changes.returned(state, act.a)


def _carry(state: State, act: Act) -> State:
    return changes.moved(state, act.a, act.b)


PLAY: dict[str, Callable[[State, Act], State]] = {
    "terrain": _terrain,
    "ready": _ready,
    "companions": _companions,
    "start": _start,
    "drawn": _drawn,
    "seen": peeks.seen,
    "looked": peeks.looked,
    "keep": _kept,
    "mulligan": _mulligan,
    "deploy": _deploy,
    "move": _move,
    "build": _build,
    "play": _play,
    "use": _use,
    "draw": _draw,
    "recycle": _recycle,
    "discard": _discard,
    "end": _end,
    "lay": _lay,
    "reveal": _reveal,
    "pick": steps.chosen,
    "retrieve": steps.chosen,
    "search": steps.chosen,
    "shift": steps.chosen,
    "destroy": _destroy_one,
    "stop": _stop,
    "mark": _mark,
    "resign": _resign,
    "offer": _offer,
    "put": _put,
    "lift": _lift,
    "carry": _carry,
}
GOES_ON: dict[str, Callable[[State], State | None]] = {
    "deal": lambda state: replace(state, phase="mulligan", active=state.starter),
    "redeal": lambda state: _kept(state, Act("keep")),
    "power_up": _trimmed,
    "reveal": _revealed,
    "resolve": _totals,
    "damage": _damaged,
    "exhaust": _trimmed,
}
