"""What can be done in Knee Deep in Hexes, in the words of a button."""

from hexboard.game.position import Phrase, Refusal
from hexboard.games.knee_deep import moves
from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import TYPES, UNKNOWN
from hexboard.games.knee_deep.effects import Manual
from hexboard.games.knee_deep.ground import GROUNDS
from hexboard.games.knee_deep.state import NAMES, State
from hexboard.games.knee_deep.steps import effect_of
from hexboard.games.knee_deep.values import KINDS, kind_of, seat_of
from hexboard.words import Message, message

PLAIN = ("ready", "keep", "mulligan", "end", "lift", "looked")
"""Verbs that need no more words."""
CARDS = ("drawn", "seen", "discard", "lay", "reveal", "retrieve", "search")
"""Verbs of a card; one that nobody here has seen, or none, has words of its own."""
FREE = ("pick", "shift", "mark")
"""Verbs of a place on the board, or of none."""
CHOICES = ("terrain", "companions", "deploy", "build", "put", "play", "use")
"""Verbs that are the heading of what one chooses from."""
ACTS = tuple(Act(verb, seat) for verb in ("resign", "offer") for seat in (0, 1))
"""Each side may resign, and offer a draw where that is agreed (A21)."""


def phrase(state: State, act: Act) -> Phrase | None:
    """An action in words; None where the fields that it touches say it all."""
    if act.verb in PLAIN:
        return Phrase(message(f"knee_deep.say_{act.verb}"))
    if act.verb in CARDS:
        return _card(state, act)
    if act.verb == "recycle":
        return _recycle(state, act)
    if act.verb in ("destroy", "stop"):
        return _damage(state, act)
    if act.verb in FREE:
        if act.a != NONE:
            return None if act.verb == "pick" else Phrase(_corner(state, act))
        by_hand = bool(state.queue) and isinstance(effect_of(state), Manual)
        none = message(f"knee_deep.say_{act.verb}_none")
        return Phrase(message("knee_deep.say_pick_done") if by_hand else none)
    said = _said(state, act)
    group = message(f"knee_deep.say_{act.verb}") if act.verb in CHOICES else None
    return Phrase(said, group) if said else None


def withheld(state: State) -> tuple[tuple[Phrase, Refusal], ...]:
    """The units, cards and abilities of an action phase that cannot be had now (KDH-7)."""
    if moves.situation(state) != "act":
        return ()
    seat = state.active
    sites = {"deploy": state.deploys(seat)[:1], "build": state.builds(seat)[:1]}
    units = [
        Act(verb, kind, field)
        for kind, unit in enumerate(state.setting.box.values.units)
        for verb in ("deploy" if unit.vehicle else "build",)
        for field in sites[verb]
    ]
    cards = [Act("play", card) for card in sorted({*state.hands[seat]} - {UNKNOWN})]
    abilities = [Act("use", kind) for kind in state.companions[seat]]
    acts = [*units, *cards, *abilities, Act("draw")]
    told = ((phrase(state, act), moves.refusal(state, act)) for act in acts)
    return tuple((said, why) for said, why in told if said and why)


def _card(state: State, act: Act) -> Phrase:
    if act.a == NONE:
        return Phrase(message(f"knee_deep.say_{act.verb}_none"))
    if act.a == UNKNOWN:
        return Phrase(message(f"knee_deep.say_{act.verb}_one"))
    card = message("knee_deep.say_card", card=state.card(act.a).title)
    return Phrase(card, message(f"knee_deep.say_{act.verb}"))


def _corner(state: State, act: Act) -> Message:
    """The intersection of a marker, by its three sectors."""
    one, two, three = state.setting.ground.crossings[act.a].sectors
    return message("knee_deep.say_corner", one=one, two=two, three=three)


def _recycle(state: State, act: Act) -> Phrase:
    """A card discarded for another one (KDH-7.11)."""
    energy = state.setting.box.values.recycle_energy
    if act.a == UNKNOWN:
        return Phrase(message("knee_deep.say_recycle_one", energy=energy))
    card = message("knee_deep.say_card", card=state.card(act.a).title)
    return Phrase(card, message("knee_deep.say_recycle", energy=energy))


def _damage(state: State, act: Act) -> Phrase:
    """What damage does there, be it that it decides the game (KDH-8.8, 8.9); or nothing more, and
    what is left of it is lost."""
    if act.verb == "stop":
        return Phrase(message("knee_deep.say_stop", surplus=state.surplus), sure=True)
    enemy, surplus = 1 - state.victor, state.surplus
    if act.a not in state.setting.ground.hq[enemy]:
        unit = state.units[act.a]
        what = message("knee_deep.say_owned", seat=NAMES[enemy], unit=_unit(KINDS[kind_of(unit)]))
        hp = state.hp(unit)
        return Phrase(message("knee_deep.say_destroy", what=what, damage=hp, surplus=surplus))
    if surplus < state.hq_hp(enemy):
        return Phrase(message("knee_deep.say_hurt", seat=NAMES[enemy], damage=surplus))
    winner = NAMES[state.victor]
    return Phrase(message("knee_deep.say_topple", seat=NAMES[enemy], winner=winner), sure=True)


def _said(state: State, act: Act) -> Message | None:
    values = state.setting.box.values
    match act.verb:
        case "terrain":
            return message("knee_deep.say_ground", ground=GROUNDS[act.b])
        case "companions":
            return _two(state, act)
        case "start":
            return message("knee_deep.say_start", seat=NAMES[act.a])
        case "resign":
            return message("knee_deep.say_resign", seat=NAMES[act.a])
        case "offer":
            return message("knee_deep.say_offer", seat=NAMES[act.a])
        case "deploy" | "build":
            unit = values.units[act.a]
            return message("knee_deep.say_unit", unit=_unit(unit.id), material=unit.cost)
        case "put":
            whose, kind = NAMES[seat_of(act.a)], KINDS[kind_of(act.a)]
            return message("knee_deep.say_owned", seat=whose, unit=_unit(kind))
        case "play":
            card = state.card(act.a)
            return _costs(card.title, card.material, card.energy)
        case "use" if ability := state.companion(state.active, act.a).ability:
            return _costs(ability.title, ability.material, ability.energy)
        case "draw":
            return message("knee_deep.say_draw", material=values.draw_material)
    return None


def _unit(kind: str) -> Message:
    return message(f"knee_deep.unit_{kind}", count=1)


def _two(state: State, act: Act) -> Message:
    """Two companions, with what they bring (KDH-4.2, 4.4)."""
    both = [state.companion(state.active, kind) for kind in (act.a, act.b)]
    return message(
        "knee_deep.say_two",
        one=TYPES[act.a],
        other=TYPES[act.b],
        material=sum(int(it.material) for it in both),
        energy=sum(int(it.energy) for it in both),
        health=sum(int(it.hp) for it in both),
    )


def _costs(title: str, material: int | str, energy: int | str) -> Message:
    costs = int(material), int(energy)
    return message("knee_deep.say_costs", card=title, material=costs[0], energy=costs[1])
