"""A position as one line: `phase=act active=0 … units=2.1:T;3.4:a hands=sling+barrier;? …`.

Units are written by a letter, Gondwana's large, Bukseon's small: `A`CV, `T`ank, `P`alooza,
`E`xtractor, t`U`rret, `F`actory. `;` stands between the two seats, `+` between cards, `?` is a card
that nobody has seen, `-` nobody or nothing. Which cards are unseen follows from the decks.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from controller.errors import BadText
from controller.games.knee_deep.actions import card_word
from controller.games.knee_deep.cards import TYPES, UNKNOWN
from controller.games.knee_deep.ground import GROUNDS, PLAIN
from controller.games.knee_deep.setting import Setting
from controller.games.knee_deep.state import (
    NOBODY,
    OWN_LOSS,
    PASSED,
    UNLAID,
    Change,
    State,
    Step,
)

LETTERS = ".ATPEUFatpeuf"
"""By code."""


class Codec(Struct, frozen=True):
    """How one kind of value is written and read; reading raises for what is never written."""

    write: Callable[[Any, Setting], str]
    read: Callable[[str, Setting], Any]


def write(state: State) -> str:
    """Canonical text."""
    return " ".join(
        f"{key}={codec.write(getattr(state, key), state.setting)}" for key, codec in FIELDS.items()
    )


def read(text: str, setting: Setting) -> dict[str, Any]:
    """The values of a position. Raises `BadText`, naming the part that is wrong."""
    words = text.split(" ")
    for word, key in zip(words, FIELDS, strict=False):
        if not word.startswith(f"{key}="):
            raise BadText("knee_deep.expected", part=word[:60], key=key)
    if len(words) != len(FIELDS):
        raise BadText("knee_deep.parts", found=len(words), wanted=len(FIELDS))
    return {
        key: _value(key, word.split("=", 1)[1], setting)
        for word, key in zip(words, FIELDS, strict=True)
    }


def _value(key: str, text: str, setting: Setting) -> Any:
    codec = FIELDS[key]
    try:
        value = codec.read(text, setting)
        if codec.write(value, setting) == text:
            return value
    except (ValueError, KeyError, IndexError):
        pass
    raise BadText("knee_deep.bad_part", part=f"{key}={text}"[:60])


def deck(setting: Setting, seat: int, companions: tuple[int, ...]) -> bytes:
    """A seat's 25 cards; none before its companions are chosen."""
    if not companions:
        return b""
    cards = [setting.box.companion_cards[4 * seat + type] for type in companions]
    return bytes(sorted(setting.box.neutral + b"".join(cards)))


def unseen(fields: dict[str, Any], setting: Setting, seat: int) -> bytes:
    """The cards of a deck that lie in no known place. Raises `BadText` for one too many."""
    left = Counter(deck(setting, seat, fields["companions"][seat]))
    known = (*fields["hands"][seat], *fields["discards"][seat], max(fields["laid"][seat], 0))
    left.subtract(card for card in known if card)
    if short := next((card for card, count in sorted(left.items()) if count < 0), None):
        raise BadText("knee_deep.too_often", card=card_word(short, setting))
    return bytes(sorted(left.elements()))


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text[:9])


def _whole(text: str) -> int:
    return -_natural(text[1:]) if text[:1] == "-" else _natural(text)


def _or_none(text: str) -> int:
    return NOBODY if text == "-" else _natural(text)


def _cards_out(cards: bytes, setting: Setting) -> str:
    return "+".join(card_word(card, setting) for card in cards)


def _card_in(word: str, setting: Setting) -> int:
    return UNKNOWN if word == "?" else setting.box.number[word]


def _cards_in(text: str, setting: Setting) -> bytes:
    cards = bytes(_card_in(word, setting) for word in text.split("+")) if text else b""
    if list(cards) != sorted(cards):
        raise ValueError(text)
    return cards


def _two(text: str) -> list[str]:
    one, other = text.split(";")
    return [one, other]


def _pair(write: Callable[[Any, Setting], str], read: Callable[[str, Setting], Any]) -> Codec:
    return Codec(
        lambda pair, setting: ";".join(write(value, setting) for value in pair),
        lambda text, setting: tuple(read(word, setting) for word in _two(text)),
    )


def _list(write: Callable[[Any, Setting], str], read: Callable[[str, Setting], Any]) -> Codec:
    return Codec(
        lambda values, setting: ";".join(write(value, setting) for value in values),
        lambda text, setting: tuple(read(w, setting) for w in text.split(";")) if text else (),
    )


def _types_in(text: str, _: Setting) -> tuple[int, ...]:
    types = tuple(TYPES.index(word) for word in text.split("+")) if text else ()
    if list(types) != sorted(set(types)) or len(types) not in (0, 2):
        raise ValueError(text)
    return types


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
    return "".join(LETTERS[unit & 15] + "'" * (unit > OWN_LOSS) for unit in scrap)


def _scrap_in(text: str, _: Setting) -> bytes:
    units: list[int] = []
    for letter in text:
        if letter == "'":
            units[-1] += OWN_LOSS
        else:
            units.append(LETTERS.index(letter, 1))
    return bytes(units)


def _laid_out(card: int, setting: Setting) -> str:
    return {UNLAID: "-", PASSED: "none"}.get(card) or card_word(card, setting)


def _laid_in(word: str, setting: Setting) -> int:
    marks = {"-": UNLAID, "none": PASSED}
    return marks[word] if word in marks else _card_in(word, setting)


def _marker_out(marker: int, setting: Setting) -> str:
    return "-" if marker == NOBODY else setting.ground.crossings[marker].name


def _marker_in(text: str, setting: Setting) -> int:
    return NOBODY if text == "-" else setting.ground.crossing[text]


def _field_out(field: int, setting: Setting) -> str:
    return "-" if field == NOBODY else setting.ground.ids[field]


def _field_in(word: str, setting: Setting) -> int:
    return NOBODY if word == "-" else setting.ground.number[word]


def _step_out(step: Step, setting: Setting) -> str:
    what = TYPES[-1 - step.card] if step.card < 0 else card_word(step.card, setting)
    picked = _field_out(step.picked, setting)
    return f"{step.seat}:{'@' * (step.card < 0)}{what}:{step.index}:{step.left}:{picked}"


def _step_in(text: str, setting: Setting) -> Step:
    seat, what, index, left, picked = text.split(":")
    card = -1 - TYPES.index(what[1:]) if what[0] == "@" else _card_in(what, setting)
    step = Step(_natural(seat), card, _whole(index), _natural(left), _field_in(picked, setting))
    if step.seat > 1 or step.index < -2 or (step.card == UNKNOWN) != (step.index == -2):
        raise ValueError(text)
    return step


def _change_out(change: Change, _: Setting) -> str:
    return f"{change.seat}:{change.rule}:{change.unit}:{change.amount}"


def _change_in(text: str, _: Setting) -> Change:
    seat, rule, unit, amount = text.split(":")
    return Change(_natural(seat), rule, unit, _whole(amount))


_word = Codec(lambda value, _: str(value), lambda text, _: text)
_number = Codec(lambda value, _: str(value), lambda text, _: _natural(text))
_seat = Codec(
    lambda value, _: "-" if value == NOBODY else str(value), lambda text, _: _or_none(text)
)
_numbers = _pair(lambda value, _: str(value), lambda text, _: _natural(text))
_signed = _pair(lambda value, _: str(value), lambda text, _: _whole(text))
_fields = _list(_field_out, _field_in)
_cards = _pair(_cards_out, _cards_in)

FIELDS: dict[str, Codec] = {
    "phase": _word,
    "terrain": Codec(_terrain_out, _terrain_in),
    "active": _number,
    "starter": _seat,
    "round": _number,
    "companions": _pair(lambda types, _: "+".join(TYPES[t] for t in types), _types_in),
    "material": _number,
    "energy": _number,
    "units": Codec(_units_out, _units_in),
    "scrap": Codec(_scrap_out, _scrap_in),
    "hurt": _numbers,
    "hands": _cards,
    "discards": _cards,
    "due": _numbers,
    "marker": Codec(_marker_out, _marker_in),
    "marker_of": _seat,
    "laid": _pair(_laid_out, _laid_in),
    "shown": _pair(lambda value, _: str(int(value)), lambda text, _: bool(_natural(text))),
    "bonus": _signed,
    "prevented": _signed,
    "included": _fields,
    "excluded": _fields,
    "surplus": _number,
    "victor": _seat,
    "queue": _list(_step_out, _step_in),
    "changes": _list(_change_out, _change_in),
    "used": _list(lambda value, _: TYPES[value], lambda text, _: TYPES.index(text)),
    "quiet": _number,
    "offered": _seat,
    "winner": _seat,
    "eyes": _seat,
}
