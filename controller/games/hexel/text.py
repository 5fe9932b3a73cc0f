"""A position of Hex'el as one line: `phase=place turn=1 … table=-1,0:RBRBRB;0,0:YYRRYR …`.

Seats count from 0; `-` is nobody, or none yet; `?` is a card that nobody has seen. Lists have `;`
between seats and `+` between the cards of a hand.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from controller.errors import BadText
from controller.games.hexel.cards import CARD, CODES, FACES, UNKNOWN
from controller.games.hexel.chips import Chips
from controller.games.hexel.deck import digest
from controller.games.hexel.grid import laid, occupied
from controller.games.hexel.setting import Setting

CHIPS = ("stake", "stock", "hedge", "pot")


class Codec(Struct, frozen=True):
    """How one kind of value is written, and read: `read` raises for what `write` cannot give."""

    write: Callable[[Any, Setting], str]
    read: Callable[[str, Setting], Any]


def write(position: Any) -> str:
    """Canonical text of a position."""
    setting: Setting = position.setting
    parts = {"deck": digest(setting.deck)}
    for key, codec in FIELDS.items():
        parts[key] = codec.write(getattr(position, key), setting)
    chips: Chips = position.chips
    for key, pots in zip(
        CHIPS, ((chips.stake,), chips.stock, chips.hedge, chips.hand), strict=True
    ):
        parts[key] = _numbers.write(pots, setting)
    return " ".join(f"{key}={value}" for key, value in parts.items())


def read(text: str, setting: Setting) -> dict[str, Any]:
    """The fields of a position. Raises `BadText`, naming the part that is wrong."""
    words = text.split(" ")
    keys = ("deck", *FIELDS, *CHIPS)
    for word, key in zip(words, keys, strict=False):
        if not word.startswith(f"{key}="):
            raise BadText("hexel.expected", part=word[:60], key=key)
    if len(words) != len(keys):
        raise BadText("hexel.parts", found=len(words), wanted=len(keys))
    parts = dict(word.split("=", 1) for word in words)
    if parts["deck"] != digest(setting.deck):
        raise BadText("hexel.other_deck", deck=parts["deck"][:40], ours=digest(setting.deck))
    values = {key: _value(key, parts[key], codec, setting) for key, codec in FIELDS.items()}
    pots = [_value(key, parts[key], _numbers, setting) for key in CHIPS]
    if len(pots[0]) != 1:
        raise BadText("hexel.bad_part", part=f"stake={parts['stake']}"[:60])
    return values | {"chips": Chips(pots[0][0], *pots[1:])}


def _value(key: str, text: str, codec: Codec, setting: Setting) -> Any:
    try:
        value = codec.read(text, setting)
        if codec.write(value, setting) == text:
            return value
    except (ValueError, KeyError, IndexError):
        pass
    raise BadText("hexel.bad_part", part=f"{key}={text}"[:60])


def _list(sign: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> Codec:
    return Codec(
        lambda values, _: sign.join(map(write, values)),
        lambda text, _: tuple(map(read, text.split(sign))) if text else (),
    )


def _write_seat(seat: int) -> str:
    return "-" if seat == -1 else str(seat)


def _read_seat(text: str) -> int:
    return -1 if text == "-" else _natural(text)


def _natural(text: str) -> int:
    number = int(text[:9])
    if number < 0:
        raise ValueError(text)
    return number


def _write_hand(cards: bytes) -> str:
    return "+".join(FACES[card] or "?" for card in cards)


def _read_hand(text: str) -> bytes:
    return bytes(_read_card(card) for card in text.split("+")) if text else b""


def _read_card(text: str) -> int:
    return UNKNOWN if text == "?" else CARD[CODES[text]]


def _write_table(table: bytes, setting: Setting) -> str:
    return ";".join(f"{setting.grid.ids[cell]}:{FACES[table[cell]]}" for cell in occupied(table))


def _read_table(text: str, setting: Setting) -> bytes:
    table = setting.grid.empty
    for item in text.split(";") if text else ():
        cell, face = item.split(":")
        table = laid(table, setting.grid.cell[cell], CODES[face])
    return table


def _write_cell(cell: int, setting: Setting) -> str:
    return "-" if cell == -1 else setting.grid.ids[cell]


def _read_cell(text: str, setting: Setting) -> int:
    return -1 if text == "-" else setting.grid.cell[text]


_word = Codec(lambda value, _: str(value), lambda text, _: text)
_number = Codec(lambda value, _: str(value), lambda text, _: _natural(text))
_numbers = _list(";", str, _natural)
_seat = Codec(lambda value, _: _write_seat(value), lambda text, _: _read_seat(text))
_seats = _list(";", _write_seat, _read_seat)
_hand = Codec(lambda cards, _: _write_hand(cards), lambda text, _: _read_hand(text))
_hands = Codec(
    lambda hands, _: ";".join(map(_write_hand, hands)),
    lambda text, _: tuple(map(_read_hand, text.split(";"))),
)

FIELDS: dict[str, Codec] = {
    "phase": _word,
    "turn": _number,
    "round": _number,
    "table": Codec(_write_table, _read_table),
    "spot": Codec(_write_cell, _read_cell),
    "placer": _seat,
    "drawn": _hand,
    "hands": _hands,
    "discards": _hands,
    "out": _numbers,
    "hedged": _numbers,
    "edges": _seats,
    "latest": _seat,
    "winner": _seat,
    "eyes": _seat,
}
