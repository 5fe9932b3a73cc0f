"""What can be done now, and why something else cannot.

Why long: every kind of move with its refusals, in the order of the rulebook.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from hexboard.game.position import CHANCE, Refusal
from hexboard.games.knee_deep import limits, peeks, steps
from hexboard.games.knee_deep.actions import NONE, Act, card_word
from hexboard.games.knee_deep.cards import TYPES, UNKNOWN
from hexboard.games.knee_deep.changes import taken
from hexboard.games.knee_deep.effects import Manual
from hexboard.games.knee_deep.ground import ENERGY, GROUNDS, MATERIAL, MOUNTAIN, PLAIN, cut_off
from hexboard.games.knee_deep.state import NAMES, NOBODY, State, more, put
from hexboard.games.knee_deep.turn import layer, shower
from hexboard.games.knee_deep.values import KINDS, kind_of, seat_of
from hexboard.words import Message, message

PHASE = {"power_up": "discard", "exhaust": "discard", "answer": "lay"}
BY_HAND = ("put", "lift", "carry")


def situation(state: State) -> str:
    """What is waited for: a key of `SITUATIONS`."""
    if state.winner != NOBODY:
        return "over"
    if any(state.due):
        return "dealt"
    if state.look:
        return "seen" if state.look.left else "look"
    if state.queue:
        return "choose"
    return PHASE.get(state.phase, state.phase)


def actor(state: State, act: Act) -> int:
    """Who does it: a seat, or chance."""
    match act.verb:
        case "drawn" | "seen" | "start":
            return CHANCE
        case "resign" | "offer":
            return act.a
    return turn(state)


def turn(state: State) -> int:
    """The seat that is asked; nobody's where chance is waited for, or nothing."""
    match situation(state):
        case "over" | "dealt" | "seen" | "start":
            return NOBODY
        case "look" if state.look:
            return state.look.seat
        case "choose":
            return steps.asked(state)
        case "lay":
            return layer(state)
        case "reveal":
            return shower(state)
        case "damage":
            return state.victor
    return state.active


def legal(state: State) -> list[Act]:
    """Everything that can be done now, table acts and what is carried out by hand aside."""
    return list(SITUATIONS[situation(state)].legal(state))


def _drawn(state: State) -> Iterator[Act]:
    seat = state.receiver
    if state.hides(seat):
        yield Act("drawn", UNKNOWN)
    else:
        top = state.top[seat][:1]
        yield from (
            Act("drawn", card) for card in (top if any(top) else sorted({*state.unseen[seat]}))
        )


def _seen(state: State) -> Iterator[Act]:
    """The next card that a seat looks at."""
    if state.look and state.hides(state.look.seat):
        yield Act("seen", UNKNOWN)
    else:
        yield from (Act("seen", card) for card in sorted({*peeks.next_ones(state)}))


def _terrains(state: State) -> Iterator[Act]:
    """Any other terrain on any field but the HQs'; enough when all free fields hang together."""
    fields = [field for field, kind in enumerate(state.terrain) if kind < len(GROUNDS)]
    acts = (Act("terrain", field, kind) for field in fields for kind in range(len(GROUNDS)))
    yield from (act for act in acts if not _no_terrain(state, act))
    if not _no_ready(state, Act("ready")):
        yield Act("ready")


def _companions(state: State) -> Iterator[Act]:
    yield from (Act("companions", a, b) for a, b in combinations(range(len(TYPES)), 2))


def _acts(state: State) -> Iterator[Act]:
    """The action phase (KDH-7)."""
    seat, values = state.active, state.setting.box.values
    gates, sites = state.deploys(seat), state.builds(seat)
    for kind, unit in enumerate(values.units):
        if unit.cost <= state.material and state.supply(seat, kind):
            verb, fields = ("deploy", gates) if unit.vehicle else ("build", sites)
            acts = [Act(verb, kind, field) for field in fields]
            if unit.id == "extractor":
                acts = [act for act in acts if not _bare(state, act.b)]
            yield from acts
    if state.energy >= values.move_energy:
        for field in state.of(seat, "vehicle"):
            yield from [Act("move", field, to) for to in state.reach(field)]
    yield from _card_acts(state)
    yield Act("end")


def _card_acts(state: State) -> Iterator[Act]:
    seat, hand = state.active, state.may_hold(state.active)
    yield from (act for act in (Act("play", c) for c in hand) if not _no_play(state, act))
    yield from (
        act for act in (Act("use", t) for t in state.companions[seat]) if not _no_use(state, act)
    )
    if not _no_draw(state, Act("draw")):
        yield Act("draw")
    acts = (Act("recycle", act.a) for act in _hand(state))
    yield from (act for act in acts if not _no_recycle(state, act))


def _hand(state: State) -> list[Act]:
    seat = state.active
    hidden = UNKNOWN in state.hands[seat] and state.setting.discards == "closed"
    known = sorted({*state.hands[seat]} - {UNKNOWN})
    return [Act("discard", c) for c in ([UNKNOWN, *known] if hidden else state.may_hold(seat))]


def _lays(state: State) -> Iterator[Act]:
    seat = layer(state)
    cards = [UNKNOWN, *sorted({*state.hands[seat]} - {UNKNOWN})]
    yield from (act for act in (Act("lay", card) for card in cards) if not _no_lay(state, act))
    yield Act("lay", NONE)


def _reveals(state: State) -> Iterator[Act]:
    laid = state.laid[shower(state)]
    for card in [laid] if laid else _war_cards(state, shower(state)):
        yield Act("reveal", card)


def _war_cards(state: State, seat: int) -> list[int]:
    return [card for card in sorted(set(state.unseen[seat])) if state.card(card).kind == "war"]


def _damages(state: State) -> Iterator[Act]:
    yield from (Act("destroy", field) for field in state.targets(state.victor, state.surplus))
    if not _no_stop(state, Act("stop")):
        yield Act("stop")


def _marks(state: State) -> Iterator[Act]:
    yield from (Act("mark", k) for k in range(len(state.setting.ground.crossings)))
    if state.setting.marker == "may":
        yield Act("mark", NONE)


class Situation(NamedTuple):
    """What can be done in it: the verbs, and all that they can be said of now."""

    verbs: tuple[str, ...]
    legal: Callable[[State], Iterable[Act]]


SITUATIONS = {
    "over": Situation((), lambda state: ()),
    "dealt": Situation(("drawn",), _drawn),
    "seen": Situation(("seen",), _seen),
    "look": Situation(("looked",), lambda state: (Act("looked"),)),
    "choose": Situation(("pick", "retrieve", "search", "shift", "discard"), steps.choices),
    "terrain": Situation(("terrain", "ready"), _terrains),
    "companions": Situation(("companions",), _companions),
    "start": Situation(("start",), lambda state: (Act("start", 0), Act("start", 1))),
    "mulligan": Situation(("keep", "mulligan"), lambda state: (Act("keep"), Act("mulligan"))),
    "act": Situation(("deploy", "move", "build", "play", "use", "draw", "recycle", "end"), _acts),
    "discard": Situation(("discard",), _hand),
    "lay": Situation(("lay",), _lays),
    "reveal": Situation(("reveal",), _reveals),
    "damage": Situation(("destroy", "stop"), _damages),
    "mark": Situation(("mark",), _marks),
}


# ------------------------------------------------------------------------------------- refusals


def refusal(state: State, act: Act) -> Refusal | None:
    """Why an action is not allowed now; None when it is."""
    now = situation(state)
    if now == "over":
        return message("knee_deep.over", "KDH-11.1")
    if act.verb == "resign":
        return None
    if act.verb == "offer":
        return _no_offer(state, act)
    if act.verb in BY_HAND and now == "choose" and _by_hand(state):
        return REFUSALS[act.verb](state, act)
    if act.verb not in SITUATIONS[now].verbs:
        return _not_now(state, act, now)
    if act.verb in REFUSALS:
        return REFUSALS[act.verb](state, act)
    return None if act in legal(state) else _not_listed(state, now)


def _not_now(state: State, act: Act, now: str) -> Refusal:
    war_card = act.verb == "lay" or (act.verb == "play" and now in ("lay", "reveal"))
    if war_card:
        return message("knee_deep.card_phase", "KDH-3.8")
    return message(f"knee_deep.waits_{now}", "KDH-5.1")


def _not_listed(state: State, now: str) -> Refusal:
    """Why one of several choices is none of them."""
    if now == "choose":
        return message("knee_deep.not_offered", "KDH-3.5")
    if now in ("dealt", "seen"):
        return message("knee_deep.not_in_pile", "KDH-3.4")
    if now == "reveal":
        return message("knee_deep.other_card", "KDH-8.5")
    return message("knee_deep.two_types", "KDH-4.1")


def _by_hand(state: State) -> bool:
    return isinstance(steps.effect_of(state), Manual)


def _field(state: State, field: int) -> str:
    return state.setting.ground.ids[field]


def _occupied(state: State, field: int, rule: str) -> Refusal | None:
    """Why a field is not empty (KDH-1.4)."""
    name, terrain = _field(state, field), state.setting.ground.terrain[field]
    if unit := state.units[field]:
        owner, kind = NAMES[seat_of(unit)], KINDS[kind_of(unit)]
        return message("knee_deep.taken", "KDH-1.5", field=name, seat=owner, unit=kind)
    if terrain == MOUNTAIN:
        return message("knee_deep.on_mountain", rule, field=name)
    if terrain in (MATERIAL, ENERGY):
        return message("knee_deep.on_resource", rule, field=name)
    if terrain != PLAIN:
        return message("knee_deep.on_hq", rule, field=name)
    return None


def _no_terrain(state: State, act: Act) -> Refusal | None:
    kind, name = state.terrain[act.a], _field(state, act.a)
    if kind >= len(GROUNDS):
        return message("knee_deep.on_hq", "KDH-1.3", field=name)
    if kind == act.b:
        return message("knee_deep.is_so", "KDH-1.3", field=name, ground=GROUNDS[kind])
    if kind == PLAIN and len(state.setting.ground.plain) == 1:
        return message("knee_deep.last_plain", "KDH-1.3", field=name)
    return None


def _no_ready(state: State, act: Act) -> Refusal | None:
    if lost := cut_off(state.setting.ground):
        return message("knee_deep.cut_off", "KDH-1.6", field=lost)
    return None


def _no_deploy(state: State, act: Act) -> Refusal | None:
    if not state.setting.box.values.units[act.a].vehicle:
        return message("knee_deep.not_vehicle", "KDH-7.1", unit=KINDS[act.a])
    if short := _short(state, act.a, "KDH-7.1"):
        return short
    if taken := _occupied(state, act.b, "KDH-1.6"):
        return taken
    if act.b not in state.deploys(state.active):
        return message("knee_deep.no_gate", "KDH-7.1", field=_field(state, act.b))
    return None


def _no_build(state: State, act: Act) -> Refusal | None:
    if state.setting.box.values.units[act.a].vehicle:
        return message("knee_deep.not_structure", "KDH-7.7", unit=KINDS[act.a])
    if short := _short(state, act.a, "KDH-7.7"):
        return short
    if taken := _occupied(state, act.b, "KDH-1.7"):
        return taken
    if act.b not in state.builds(state.active):
        count = state.builders(state.active)
        return message("knee_deep.no_builders", "KDH-7.7", field=_field(state, act.b), count=count)
    if KINDS[act.a] == "extractor" and _bare(state, act.b):
        return message("knee_deep.bare", "KDH-A19", field=_field(state, act.b))
    return None


def _bare(state: State, field: int) -> bool:
    """Whether an extractor may not stand here because it touches no resource (A19)."""
    return state.setting.extractor == "resource" and not state.setting.ground.resources[field]


def _short(state: State, kind: int, rule: str) -> Refusal | None:
    """No such unit left, or not enough material."""
    cost, unit = state.setting.box.values.units[kind].cost, KINDS[kind]
    if not state.supply(state.active, kind):
        return message("knee_deep.no_supply", "KDH-0.9", unit=unit)
    if cost > state.material:
        return message("knee_deep.no_material", rule, cost=cost, stock=state.material)
    return None


def _no_move(state: State, act: Act) -> Refusal | None:
    cost, unit = state.setting.box.values.move_energy, state.units[act.a]
    left, to = _field(state, act.a), _field(state, act.b)
    if not unit or seat_of(unit) != state.active:
        return message("knee_deep.not_yours", "KDH-7.2", field=left, seat=NAMES[state.active])
    if not state.setting.box.values.units[kind_of(unit)].vehicle:
        return message("knee_deep.not_vehicle", "KDH-7.2", unit=KINDS[kind_of(unit)])
    if cost > state.energy:
        return message("knee_deep.no_energy", "KDH-7.2", cost=cost, stock=state.energy)
    if act.a == act.b:
        return message("knee_deep.no_step", "KDH-A28", field=left)
    if taken := _occupied(state, act.b, "KDH-1.6"):
        return taken
    if act.b not in state.reach(act.a):
        steps = state.stat(unit, "move")
        return message("knee_deep.no_way", "KDH-7.3", left=left, field=to, steps=steps)
    return None


def _no_play(state: State, act: Act) -> Refusal | None:
    seat = state.active
    if refused := _not_held(state, seat, act.a):
        return refused
    card = state.card(act.a)
    if card.kind != "action":
        return message("knee_deep.card_phase", "KDH-3.8")
    if short := _cannot_pay(state, int(card.material), int(card.energy)):
        return short
    if spent := limits.reached(state, seat, act.a, card):
        return spent
    left = taken(state, seat, act.a)  # a card counts itself neither held nor as a discard
    if unmet := steps.unmet(left, seat, card.conditions, card.title):
        return unmet
    discards = put(state.discards, seat, more(state.discards[seat], act.a))
    material = state.material - int(card.material)
    undoable = steps.undoable(replace(left, material=material, discards=discards), seat, act.a)
    return undoable.refusal(card.title, False) if undoable else None


def _no_use(state: State, act: Act) -> Refusal | None:
    seat = state.active
    ability = state.companion(seat, act.a).ability
    if act.a not in state.companions[seat] or ability is None:
        return message("knee_deep.no_ability", "KDH-4.2", type=TYPES[act.a])
    if act.a in state.used and not ability.often:
        return message("knee_deep.used", "KDH-4.2", card=ability.title)
    if spent := limits.reached(state, seat, -1 - act.a, ability):
        return spent
    if short := _cannot_pay(state, ability.material, ability.energy):
        return short
    if unmet := steps.unmet(state, seat, ability.conditions, ability.title):
        return unmet
    paid = replace(state, material=state.material - ability.material)
    undoable = steps.undoable(paid, seat, -1 - act.a)
    return undoable.refusal(ability.title, False) if undoable else None


def _cannot_pay(state: State, material: int, energy: int) -> Refusal | None:
    if material > state.material:
        return message("knee_deep.no_material", "KDH-3.9", cost=material, stock=state.material)
    if energy > state.energy:
        return message("knee_deep.no_energy", "KDH-3.9", cost=energy, stock=state.energy)
    return None


def _not_held(state: State, seat: int, card: int) -> Refusal | None:
    if card in state.may_hold(seat):
        return None
    name = card_word(card, state.setting)
    return message("knee_deep.not_in_hand", "KDH-3.4", card=name, seat=NAMES[seat])


def _no_draw(state: State, act: Act) -> Refusal | None:
    cost = state.setting.box.values.draw_material
    return _no_card(state) or _cannot_pay(state, cost, 0)


def _no_recycle(state: State, act: Act) -> Refusal | None:
    cost = state.setting.box.values.recycle_energy
    return _cannot_pay(state, 0, cost) or _no_discard(state, act) or _no_card(state)


def _no_card(state: State) -> Refusal | None:
    if state.setting.empty_pile == "forbidden" and state.pile(state.active) <= 0:
        return message("knee_deep.empty_pile", "KDH-A10")
    return None


def _no_discard(state: State, act: Act) -> Refusal | None:
    if situation(state) == "choose":
        fits = Act("discard", act.a) in steps.choices(state)
    else:
        fits = Act("discard", act.a) in _hand(state)
    if fits:
        return None
    name = card_word(act.a, state.setting)
    seat = turn(state)
    return message("knee_deep.not_in_hand", "KDH-3.4", card=name, seat=NAMES[seat])


def _no_lay(state: State, act: Act) -> Refusal | None:
    """A war card that can be laid (KDH-8.4; A5)."""
    seat = layer(state)
    if act.a == NONE:
        return None
    if act.a == UNKNOWN:
        if UNKNOWN in state.hands[seat] and _war_cards(state, seat):
            return None
        return message("knee_deep.name_card", "KDH-8.4")
    if act.a not in state.hands[seat]:
        name = card_word(act.a, state.setting)
        return message("knee_deep.not_in_hand", "KDH-3.4", card=name, seat=NAMES[seat])
    card = state.card(act.a)
    if card.kind != "war":
        return message("knee_deep.card_phase", "KDH-3.8")
    if state.setting.war_cards == "free":
        return None
    if spent := limits.reached(state, seat, act.a, card):
        return spent
    left = taken(state, seat, act.a)
    if unmet := steps.unmet(left, seat, card.conditions, card.title):
        return unmet
    undoable = steps.undoable(left, seat, act.a)
    return undoable.refusal(card.title, True) if undoable else None


def _no_destroy(state: State, act: Act) -> Refusal | None:
    enemy, name = 1 - state.victor, _field(state, act.a)
    targets = state.targets(state.victor, state.surplus)
    if act.a in targets:
        return None
    hq = act.a in state.setting.ground.hq[enemy]
    if hq and act.a != state.setting.ground.hq[enemy][0]:
        first = _field(state, state.setting.ground.hq[enemy][0])
        return message("knee_deep.hq_by", "KDH-8.9", field=first)
    hp = state.hq_hp(enemy) if hq else state.hp(state.units[act.a]) if state.units[act.a] else 0
    there = (state.hq_in_zone(enemy) if hq else act.a in state.fighters(enemy)) and hp
    if not there:
        return message("knee_deep.no_enemy", "KDH-8.7", field=name)
    return message("knee_deep.too_strong", "KDH-8.8", field=name, hp=hp, surplus=state.surplus)


def _no_stop(state: State, act: Act) -> Refusal | None:
    if state.setting.damage == "must" and state.targets(state.victor, state.surplus):
        return message("knee_deep.must_destroy", "KDH-A7", surplus=state.surplus)
    return None


def _no_mark(state: State, act: Act) -> Refusal | None:
    if act.a == NONE and state.setting.marker == "must":
        return message("knee_deep.must_mark", "KDH-A16")
    return None


def _no_offer(state: State, act: Act) -> Refusal | None:
    rounds = state.setting.quiet_rounds
    if state.offered == act.a:
        return message("knee_deep.offered", "KDH-A21", seat=NAMES[act.a])
    if state.offered == NOBODY and (not rounds or state.quiet < 2 * rounds):
        return message("knee_deep.not_quiet", "KDH-A21", rounds=rounds)
    return None


def _no_put(state: State, act: Act) -> Refusal | None:
    if not state.supply(seat_of(act.a), kind_of(act.a)):
        return message("knee_deep.no_supply", "KDH-0.9", unit=KINDS[kind_of(act.a)])
    return _occupied(state, act.b, "KDH-1.7")


def _no_lift(state: State, act: Act) -> Refusal | None:
    if state.units[act.a]:
        return None
    return message("knee_deep.no_unit_there", "KDH-1.5", field=_field(state, act.a))


def _no_carry(state: State, act: Act) -> Refusal | None:
    return _no_lift(state, act) or _occupied(state, act.b, "KDH-1.7")


REFUSALS: dict[str, Callable[[State, Act], Message | None]] = {
    "terrain": _no_terrain,
    "ready": _no_ready,
    "deploy": _no_deploy,
    "move": _no_move,
    "build": _no_build,
    "play": _no_play,
    "use": _no_use,
    "draw": _no_draw,
    "recycle": _no_recycle,
    "discard": _no_discard,
    "lay": _no_lay,
    "destroy": _no_destroy,
    "stop": _no_stop,
    "mark": _no_mark,
    "end": lambda state, act: None,
    "put": _no_put,
    "lift": _no_lift,
    "carry": _no_carry,
}
