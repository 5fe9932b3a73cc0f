"""What can be done, and how it is written: "deploy tank 2.1", "move 2.1-3.4", "lay sling".

An action is a verb and up to two numbers: what they count (fields, kinds of unit, cards …) is the
verb's own matter (`VERBS`).
"""

from msgspec import Struct

from hexboard.files import nearest
from hexboard.game.codec import Codec, marked, plain
from hexboard.games.knee_deep.cards import TYPES, UNKNOWN
from hexboard.games.knee_deep.ground import GROUNDS
from hexboard.games.knee_deep.setting import Setting
from hexboard.games.knee_deep.values import FACTIONS, KINDS
from hexboard.words.errors import BadText

NONE = -1


class Act(Struct, frozen=True):
    """A verb and its numbers; -1 where there is none."""

    verb: str
    a: int = NONE
    b: int = NONE


VERBS: dict[str, tuple[str, ...]] = {
    "terrain": ("field", "ground"),
    "ready": (),
    "companions": ("type", "type"),
    "start": ("faction",),
    "drawn": ("card?",),
    "seen": ("card?",),
    "looked": (),
    "keep": (),
    "mulligan": (),
    "deploy": ("kind", "field"),
    "move": ("field", "field"),
    "build": ("kind", "field"),
    "play": ("card",),
    "use": ("type",),
    "draw": (),
    "recycle": ("card?",),
    "discard": ("card?",),
    "end": (),
    "lay": ("card? or none",),
    "reveal": ("card",),
    "pick": ("field or none",),
    "retrieve": ("card? or none",),
    "search": ("card? or none",),
    "shift": ("crossing or none",),
    "destroy": ("field",),
    "stop": (),
    "mark": ("crossing or none",),
    "resign": ("faction",),
    "offer": ("faction",),
    "put": ("unit", "field"),
    "lift": ("field",),
    "carry": ("field", "field"),
}
"""Every verb, and what its numbers are. `terrain` and `ready` draw the map; `start`, `drawn` and
`seen` (a card that is looked at) are chance; `resign` and `offer` are table acts; `put`, `lift` and
`carry` carry out by hand what a card says (`manual`)."""
PAIRED = ("move", "carry")
"""Verbs whose two fields are written with a dash between."""
EXAMPLES = "“deploy tank 2.1”, “move 2.1-3.4”, “build turret 2.1”, “play carry_all”, “end”"


def name(act: Act, setting: Setting) -> str:
    """An action as people write it."""
    parts = zip(VERBS[act.verb], (act.a, act.b), strict=False)
    words = [PARTS[part].write(number, setting) for part, number in parts]
    if act.verb in PAIRED:
        return f"{act.verb} {'-'.join(words)}"
    return " ".join((act.verb, *words))


def read(text: str, setting: Setting) -> Act:
    """The inverse of `name`. Raises `BadText`."""
    verb, *words = text.split(" ")
    if verb not in VERBS:
        near = nearest(verb, list(VERBS))
        raise BadText("knee_deep.no_verb", text=text[:60], near=near, examples=EXAMPLES)
    if verb in PAIRED and len(words) == 1:
        words = words[0].split("-")
    parts = VERBS[verb]
    if len(words) != len(parts):
        raise BadText("knee_deep.form", verb=verb, wants=", ".join(parts) or "-", text=text[:60])
    numbers = [PARTS[part].read(word, setting) for part, word in zip(parts, words, strict=True)]
    if verb == "companions":
        numbers.sort()
    return Act(verb, *numbers)


def _in(known: tuple[str, ...], word: str, part: str) -> int:
    if word not in known:
        raise BadText("knee_deep.one_of", part=part, word=word[:40], known=", ".join(known))
    return known.index(word)


def _among(part: str, known: tuple[str, ...]) -> Codec[Setting]:
    return plain(lambda word: _in(known, word, part), known.__getitem__)


def _unit(word: str) -> int:
    seat, _, which = word.partition(".")
    return 1 + _in(FACTIONS, seat, "unit") * len(KINDS) + _in(KINDS, which, "unit")


def _field(word: str, setting: Setting) -> int:
    number = setting.ground.number.get(word)
    if number is None or not setting.ground.sector[number]:
        near = nearest(word, list(setting.ground.ids))
        raise BadText("knee_deep.no_field", field=word[:40], near=near)
    return number


def _crossing(word: str, setting: Setting) -> int:
    if word not in setting.ground.crossing:
        near = nearest(word, list(setting.ground.crossing))
        raise BadText("knee_deep.no_crossing", name=word[:40], near=near)
    return setting.ground.crossing[word]


def _card(word: str, setting: Setting) -> int:
    if word not in setting.box.number:
        near = nearest(word, list(setting.box.number))
        raise BadText("knee_deep.card_unknown", card=word[:40], near=near)
    return setting.box.number[word]


def unit_word(code: int) -> str:
    """A unit on a field, with whose it is: "gondwana.tank"."""
    seat, kind = divmod(code - 1, len(KINDS))
    return f"{FACTIONS[seat]}.{KINDS[kind]}"


def card_word(card: int, setting: Setting) -> str:
    """A card by its id; "?" for one that nobody here has seen."""
    return setting.box.card(card).id if card else "?"


TYPE = _among("type", TYPES)
FIELD = Codec[Setting](lambda field, setting: setting.ground.ids[field], _field)
CROSSING = Codec[Setting](lambda k, setting: setting.ground.crossings[k].name, _crossing)
CARD = marked(Codec[Setting](card_word, _card), {"?": UNKNOWN})
PARTS: dict[str, Codec[Setting]] = {
    "type": TYPE,
    "faction": _among("faction", FACTIONS),
    "kind": _among("kind", KINDS),
    "ground": _among("ground", GROUNDS),
    "unit": plain(_unit, unit_word),
    "field": FIELD,
    "field or none": marked(FIELD, {"none": NONE}),
    "crossing or none": marked(CROSSING, {"none": NONE}),
    "card": Codec(card_word, _card),
    "card?": CARD,
    "card? or none": marked(CARD, {"none": NONE}),
}
"""How what a verb's numbers count is written."""
