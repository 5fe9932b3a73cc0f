"""What can be done in Knee Deep in Hexes, in the words of a button."""

from hexboard.game.position import Phrase
from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.cards import TYPES, UNKNOWN
from hexboard.games.knee_deep.ground import GROUNDS
from hexboard.games.knee_deep.state import NAMES, State
from hexboard.games.knee_deep.values import KINDS, kind_of, seat_of
from hexboard.words import Message, Value, message

PLAIN = ("ready", "keep", "mulligan", "end", "stop", "lift")
"""Verbs that need no more words."""
CARDS = ("drawn", "recycle", "discard", "lay", "reveal", "retrieve")
"""Verbs of a card; one that nobody here has seen, or none, has words of its own."""
FREE = ("pick", "shift", "mark")
"""Verbs of a place on the board, or of none."""


def phrase(state: State, act: Act) -> Phrase | None:
    """An action in words; None where the fields that it touches say it all."""
    if act.verb in PLAIN:
        return Phrase(_say(act.verb))
    if act.verb in CARDS:
        return _card(state, act)
    if act.verb in FREE:
        return Phrase(_say(f"{act.verb}_none")) if act.a == NONE else None
    return _other(state, act)


ACTS = tuple(Act(verb, seat) for verb in ("resign", "offer") for seat in (0, 1))
"""Each side may resign, and offer a draw where that is agreed (A21)."""


def _card(state: State, act: Act) -> Phrase:
    if act.a == NONE:
        return Phrase(_say(f"{act.verb}_none"))
    if act.a == UNKNOWN:
        return Phrase(_say(f"{act.verb}_one"))
    return Phrase(_say("card", card=state.card(act.a).title), _say(act.verb))


def _other(state: State, act: Act) -> Phrase | None:
    box, seat = state.setting.box, state.active
    match act.verb:
        case "terrain":
            return Phrase(_say("ground", ground=GROUNDS[act.b]), _say("terrain"))
        case "companions":
            return Phrase(_say("two", one=TYPES[act.a], other=TYPES[act.b]), _say("companions"))
        case "start" | "resign" | "offer":
            return Phrase(_say(act.verb, seat=NAMES[act.a]))
        case "deploy" | "build":
            unit = box.values.units[act.a]
            return Phrase(_say("unit", unit=unit.id, material=unit.cost), _say(act.verb))
        case "put":
            seat, kind = seat_of(act.a), kind_of(act.a)
            return Phrase(_say("owned", seat=NAMES[seat], unit=KINDS[kind]), _say("put"))
        case "play":
            card = state.card(act.a)
            return Phrase(_costs(card.title, card.material, card.energy), _say("play"))
        case "use" if ability := state.companion(seat, act.a).ability:
            return Phrase(_costs(ability.title, ability.material, ability.energy), _say("use"))
        case "draw":
            return Phrase(_say("draw", material=box.values.draw_material))
    return None


def _costs(title: str, material: int | str, energy: int | str) -> Message:
    return _say("costs", card=title, material=int(material), energy=int(energy))


def _say(key: str, **values: Value) -> Message:
    return message(f"knee_deep.say.{key}", **values)
