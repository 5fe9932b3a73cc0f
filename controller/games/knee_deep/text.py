"""A position as one line: `phase=act active=0 … units=2.1:T;3.4:a hands=sling+barrier;? …`.

Units are written by a letter, Gondwana's large, Bukseon's small: `A`CV, `T`ank, `P`alooza,
`E`xtractor, t`U`rret, `F`actory. `;` stands between the two seats, `+` between cards, `?` is a card
that nobody has seen, `-` nobody or nothing. Which cards are unseen follows from the decks.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import astuple, replace

from hexboard.game import codec
from hexboard.game.codec import Codec, natural, plain, whole
from hexboard.games.knee_deep.actions import CARD, CROSSING, FIELD, TYPE, card_word
from hexboard.games.knee_deep.cards import TYPES, UNKNOWN
from hexboard.games.knee_deep.ground import GROUNDS, PLAIN
from hexboard.games.knee_deep.setting import Setting
from hexboard.games.knee_deep.state import (
    DRAWN_GAME,
    NOBODY,
    OWN_LOSS,
    PASSED,
    UNLAID,
    CardsSeen,
    Modifier,
    PendingStep,
    State,
    Uses,
    on,
)
from hexboard.games.knee_deep.triggers import numbered, type_of
from hexboard.games.knee_deep.turn import PHASES
from hexboard.games.knee_deep.values import GROUPS
from hexboard.words.errors import BadText

LETTERS = ".ATPEUFatpeuf"
"""By code."""


def write(state: State) -> str:
    """Canonical text."""
    values = {key: getattr(state, key) for key in LINE}
    return codec.write_line(values, LINE, state.setting, RARE)


def read(text: str, setting: Setting) -> dict[str, Any]:
    """The values of a position. Raises `BadText`, naming the part that is wrong."""
    return codec.read_line(text, LINE, setting, RARE)


def arranged(state: State, laid: Mapping[str, str]) -> str:
    """The text with these units, by their letters, on these fields; none at ""."""
    letters = {letter: unit for unit, letter in enumerate(LETTERS)} | {"": 0}
    number = state.setting.ground.number
    units = on(state.units, ((number[field], letters[it]) for field, it in laid.items()))
    return write(replace(state, units=units))


def deck(setting: Setting, seat: int, companions: tuple[int, ...]) -> bytes:
    """A seat's 25 cards; none before its companions are chosen."""
    if not companions:
        return b""
    cards = [setting.box.companion_cards[4 * seat + type] for type in companions]
    return bytes(sorted(setting.box.neutral + b"".join(cards)))


def unseen(fields: dict[str, Any], setting: Setting, seat: int) -> bytes:
    """The cards of a deck that lie in no known place. Raises `BadText` for one too many."""
    left = Counter(deck(setting, seat, fields["companions"][seat]))
    known = (*fields["hands"][seat], *fields["discards"][seat], *fields["top"][seat])
    known += (max(fields["laid"][seat], 0),)
    left.subtract(card for card in known if card)
    if short := next((card for card, count in sorted(left.items()) if count < 0), None):
        raise BadText("knee_deep.too_often", card=card_word(short, setting))
    return bytes(sorted(left.elements()))


def _pair(of: Codec[Setting]) -> Codec[Setting]:
    """A value for each of the two seats."""

    def read(text: str, setting: Setting) -> tuple[Any, Any]:
        one, other = text.split(";")
        return of.read(one, setting), of.read(other, setting)

    return Codec(codec.by_seat(of).write, read)


def _some(
    make: Callable[[Iterable[int]], Any], of: Codec[Setting], sign: str = "+"
) -> Codec[Setting]:
    """Numbers in their order."""
    listed = codec.each(of, sign)
    return Codec(
        lambda numbers, setting: listed.write(sorted(numbers), setting),
        lambda text, setting: make(sorted(listed.read(text, setting))),
    )


def _once(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))


def _two_types(types: Iterable[int]) -> tuple[int, ...]:
    chosen = _once(types)
    if len(chosen) not in (0, 2):
        raise ValueError(chosen)
    return chosen


def _units_out(units: bytes, setting: Setting) -> str:
    ids = setting.ground.ids
    return ";".join(f"{ids[k]}:{LETTERS[unit]}" for k, unit in enumerate(units) if unit)


def _units_in(text: str, setting: Setting) -> bytes:
    units = bytearray(len(setting.ground.ids))
    for item in text.split(";") if text else ():
        field, letter = item.split(":")
        units[setting.ground.number[field]] = LETTERS.index(letter, 1)
    return bytes(units)


def _terrain_out(terrain: bytes, setting: Setting) -> str:
    """Where it is not what the map's file says."""
    ground = setting.ground
    return ";".join(
        f"{ground.ids[k]}:{GROUNDS[kind]}"
        for k, kind in enumerate(terrain)
        if kind != ground.printed[k]
    )


def _terrain_in(text: str, setting: Setting) -> bytes:
    ground = setting.ground
    terrain = bytearray(ground.printed)
    for item in text.split(";") if text else ():
        field, kind = item.split(":")
        number = ground.number[field]
        if terrain[number] >= len(GROUNDS):
            raise ValueError(field)
        terrain[number] = GROUNDS.index(kind)
    if PLAIN not in terrain:
        raise ValueError(text)
    return bytes(terrain)


def _scrap_out(scrap: bytes, _: Setting) -> str:
    return "".join(LETTERS[unit & 15] + ("'" if unit > OWN_LOSS else "") for unit in scrap)


def _scrap_in(text: str, _: Setting) -> bytes:
    units: list[int] = []
    for letter in text:
        if letter == "'":
            units[-1] += OWN_LOSS
        else:
            units.append(LETTERS.index(letter, 1))
    return bytes(units)


def _source_out(card: int, setting: Setting) -> str:
    """A card, or the ability or a trigger of a companion: "@tech", "@tech.1"."""
    if card >= 0:
        return CARD.write(card, setting)
    type, k = type_of(card)
    return f"@{TYPES[type]}.{k}" if k else f"@{TYPES[type]}"


def _source_in(text: str, setting: Setting) -> int:
    if text[0] != "@":
        return int(CARD.read(text, setting))
    type, _, k = text[1:].partition(".")
    return numbered(TYPES.index(type), natural(k or "0"))


def _step_out(step: PendingStep, setting: Setting) -> str:
    what, picked = _source_out(step.card, setting), _field.write(step.picked, setting)
    return f"{step.seat}:{what}:{step.index}:{step.left}:{picked}"


def _step_in(text: str, setting: Setting) -> PendingStep:
    seat, what, index, left, picked = text.split(":")
    card = _source_in(what, setting)
    at = _field.read(picked, setting)
    step = PendingStep(natural(seat), card, whole(index), whole(left), at)
    if step.seat > 1 or step.index < -2 or (step.card == UNKNOWN) != (step.index == -2):
        raise ValueError(text)
    return step


def _uses_out(uses: Uses, setting: Setting) -> str:
    counts = f"{uses.turn}:{uses.war}:{uses.game}"
    return f"{uses.seat}:{_source_out(uses.card, setting)}:{counts}"


def _uses_in(text: str, setting: Setting) -> Uses:
    seat, what, *counts = text.split(":")
    turn, war, game = map(natural, counts)
    if turn > game or war > game or not game:
        raise ValueError(text)
    return Uses(SEATS[seat], _source_in(what, setting), turn, war, game)


def _all_uses_in(text: str, setting: Setting) -> tuple[Uses, ...]:
    """One a seat and card, in their order. Raises `ValueError`."""
    found = codec.each(Codec(_uses_out, _uses_in)).read(text, setting)
    of = [(uses.seat, uses.card) for uses in found]
    if of != sorted({*of}):
        raise ValueError(text)
    return tuple(found)


def _change_out(change: Modifier) -> str:
    return ":".join(map(str, astuple(change)))


def _change_in(text: str) -> Modifier:
    seat, rule, unit, amount = text.split(":")
    if rule not in ("combat", "move", "builders") or unit not in GROUPS:
        raise ValueError(text)
    return Modifier(SEATS[seat], rule, unit, whole(amount))


def _look_out(look: CardsSeen, setting: Setting) -> str:
    where = "hand" if look.in_hand else "pile"
    cards = _in_order.write(look.cards, setting)
    return f"{look.seat}:{look.of}:{where}:{look.left}:{cards}"


def _look_in(text: str, setting: Setting) -> CardsSeen:
    seat, of, where, left, cards = text.split(":")
    in_hand = {"hand": True, "pile": False}[where]
    return CardsSeen(SEATS[seat], SEATS[of], in_hand, natural(left), _in_order.read(cards, setting))


SEATS = {"0": 0, "1": 1}
_seat = codec.among({"-": NOBODY, **SEATS})
_field = codec.marked(FIELD, {"-": NOBODY})
_cards = _pair(_some(bytes, CARD))
_listed = codec.each(CARD, "+")
_in_order: Codec[Setting] = Codec(
    _listed.write, lambda text, setting: bytes(_listed.read(text, setting))
)

LINE: dict[str, Codec[Setting]] = {
    "phase": codec.among({phase: phase for phase in PHASES}),
    "terrain": Codec(_terrain_out, _terrain_in),
    "active": codec.among(SEATS),
    "starter": _seat,
    "round": codec.NUMBER,
    "companions": _pair(_some(_two_types, TYPE)),
    "material": codec.NUMBER,
    "energy": codec.NUMBER,
    "units": Codec(_units_out, _units_in),
    "scrap": Codec(_scrap_out, _scrap_in),
    "hurt": _pair(codec.NUMBER),
    "hands": _cards,
    "discards": _cards,
    "due": _pair(codec.NUMBER),
    "marker": codec.marked(CROSSING, {"-": NOBODY}),
    "marker_of": _seat,
    "laid": _pair(codec.marked(CARD, {"-": UNLAID, "none": PASSED})),
    "shown": _pair(codec.among({"0": False, "1": True})),
    "bonus": _pair(plain(whole)),
    "prevented": _pair(plain(whole)),
    "included": _some(_once, FIELD, ";"),
    "excluded": _some(_once, FIELD, ";"),
    "surplus": codec.NUMBER,
    "victor": _seat,
    "queue": codec.each(Codec(_step_out, _step_in)),
    "changes": codec.each(plain(_change_in, _change_out)),
    "used": _some(_once, TYPE, ";"),
    "quiet": codec.NUMBER,
    "offered": _seat,
    "winner": codec.among({"-": NOBODY, **SEATS, "2": DRAWN_GAME}),
    "eyes": codec.among({"-": NOBODY, **SEATS, "2": 2}),
    "uses": Codec(codec.each(Codec(_uses_out, _uses_in)).write, _all_uses_in),
    "top": _pair(_in_order),
    "look": Codec(_look_out, _look_in),
}
RARE: dict[str, Any] = {"uses": (), "top": (b"", b""), "look": None}
"""What only some boxes have: left out where there is nothing of it, as in all lines of before."""
