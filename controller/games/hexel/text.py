"""A position of Hex'el as one line: `phase=place turn=1 … table=-1,0:RBRBRB;0,0:YYRRYR …`.

Seats count from 0; `-` is nobody, or none yet; `?` is a card that nobody has seen. Lists have `;`
between seats and `+` between the cards of a hand.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import structs

from hexboard.game.codec import (
    NOBODY,
    NUMBER,
    SEAT,
    WORD,
    Codec,
    by_seat,
    each,
    marked,
    plain,
    read_line,
    write_line,
)
from hexboard.games.hexel.cards import CARD, CODES, FACES, UNKNOWN
from hexboard.games.hexel.chips import Chips
from hexboard.games.hexel.deck import digest
from hexboard.games.hexel.grid import Faces, occupied, put
from hexboard.games.hexel.setting import Setting
from hexboard.games.hexel.state import State
from hexboard.words.errors import BadText

CHIPS = {"stake": "stake", "stock": "stock", "hedge": "hedge", "pot": "hand"}
"""How the chips are called, and in `Chips`."""


def write(position: State) -> str:
    """Canonical text of a position."""
    chips = {key: getattr(position.chips, name) for key, name in CHIPS.items()}
    values = {"deck": position.setting.deck, **structs.asdict(position), **chips}
    return write_line(values, LINE, position.setting)


def read(text: str, setting: Setting) -> dict[str, Any]:
    """The fields of a position. Raises `BadText`, naming the part that is wrong."""
    values = read_line(text, LINE, setting)
    del values["deck"]
    return values | {"chips": Chips(**{name: values.pop(key) for key, name in CHIPS.items()})}


def arranged(state: State, laid: Mapping[str, str]) -> str:
    """The text with these cards, by their symbols as they lie, in these cells; none at "". A card
    that leaves the opening line is turned up again, and the last one placed goes with its card."""
    grid, table = state.setting.grid, bytes(state.table)
    for cell, face in laid.items():
        table = put(table, grid.cell[cell], CODES[face])
    last = state.spot
    if last != NOBODY and CARD[table[last]] != CARD[state.table[last]]:
        moved = (grid.cell[cell] for cell in laid)
        spot = next((c for c in moved if CARD[table[c]] == CARD[state.table[last]]), NOBODY)
        state = structs.replace(state, spot=spot, placer=state.placer if spot != NOBODY else NOBODY)
    drawn = _turned_up(state, table)
    return write(structs.replace(state, table=grid.table(table), drawn=drawn))


def _turned_up(state: State, table: bytes) -> bytes:
    """The cards turned up for an opening line that is laid otherwise."""
    before, after = (Counter(CARD[t[c]] for c in occupied(t)) for t in (state.table, table))
    if state.phase != "line" or state.setting.held:
        return state.drawn
    kept = list(state.drawn)
    for card in (after - before).elements():
        if card in kept:
            kept.remove(card)
    cards = (*(before - after).elements(), *kept)
    return bytes(cards if state.setting.opening_order == "drawn" else sorted(cards))


def _read_deck(text: str, setting: Setting) -> bytes:
    if text != digest(setting.deck):
        raise BadText("hexel.other_deck", deck=text[:40], ours=digest(setting.deck))
    return setting.deck


def _write_table(table: bytes, setting: Setting) -> str:
    return ";".join(f"{setting.grid.ids[cell]}:{FACES[table[cell]]}" for cell in occupied(table))


def _read_table(text: str, setting: Setting) -> Faces:
    table: bytes = setting.grid.empty
    for item in text.split(";") if text else ():
        cell, face = item.split(":")
        table = put(table, setting.grid.cell[cell], CODES[face])
    return setting.grid.table(table)


_card = marked(plain(lambda text: CARD[CODES[text]], FACES.__getitem__), {"?": UNKNOWN})
_cards = each(_card, "+")
_hand = Codec[Setting](_cards.write, lambda text, setting: bytes(_cards.read(text, setting)))
_cell = Codec[Setting](
    lambda cell, setting: setting.grid.ids[cell], lambda text, setting: setting.grid.cell[text]
)
LINE: dict[str, Codec[Setting]] = {
    "deck": Codec(lambda deck, _: digest(deck), _read_deck),
    "phase": WORD,
    "turn": NUMBER,
    "round": NUMBER,
    "table": Codec(_write_table, _read_table),
    "spot": marked(_cell, {"-": NOBODY}),
    "placer": SEAT,
    "drawn": _hand,
    "hands": by_seat(_hand),
    "discards": by_seat(_hand),
    "out": each(NUMBER),
    "hedged": each(NUMBER),
    "edges": each(SEAT),
    "latest": SEAT,
    "winner": SEAT,
    "eyes": SEAT,
    "stake": NUMBER,
    "stock": each(NUMBER),
    "hedge": each(NUMBER),
    "pot": each(NUMBER),
}
