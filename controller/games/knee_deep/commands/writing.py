"""Writing: a box file made of cards that people entered, filled up with ours.

A deck has so many neutral cards, and each companion four: where there are not enough of people's
own, ours stay. Of ours what no deck has any more is left out.
"""

import json
import re
import unicodedata
from functools import cache
from typing import Any

from msgspec import Struct

from hexboard.files import Source
from hexboard.games.knee_deep.boxes import FOLDER, entry_of
from hexboard.games.knee_deep.cards import TYPES, Card
from hexboard.games.knee_deep.values import FACTIONS, shipped
from hexboard.words import message, say

COMPANIONS = tuple(f"{faction}_{type}" for faction in FACTIONS for type in TYPES)
"""The ids of ours."""
OF_A_KIND = 2
"""War cards, and action cards, of each companion (KDH-4.2)."""


class Draft(Struct):
    """A card as far as it is entered."""

    id: str
    title: str
    kind: str
    numbers: dict[str, int] = {}
    """Combat, or material and energy."""
    neutral: int = 0
    companion: str = ""
    """The one that brings it; "" for a neutral card."""
    conditions: list[Any] = []
    effects: list[Any] = []
    limit: dict[str, int] = {}

    @property
    def table(self) -> dict[str, Any]:
        """As it stands in a file."""
        found = {"id": self.id, "title": self.title, "kind": self.kind, "neutral": self.neutral}
        said = {"if": self.conditions, "do": self.effects, "limit": self.limit}
        found |= self.numbers
        return {key: value for key, value in (found | said).items() if value}


def id_of(title: str, others: list[Draft]) -> str:
    """An id for a title that no other card has, ours neither."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    word = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")[:50] or "card"
    taken = {"none", *(card.id for card in others), *(card.id for card in _ours())}
    return next(id for k in range(1, 999) if (id := word if k == 1 else f"{word}_{k}") not in taken)


def full(companion: str, kind: str, others: list[Draft]) -> bool:
    """Whether all of a companion's cards of a kind are people's own."""
    own = sum((card.companion, card.kind) == (companion, kind) for card in others)
    return own >= OF_A_KIND


def card_text(card: Draft) -> str:
    """A card as a file has it."""
    lines = ["[[cards]]"]
    for key, value in card.table.items():
        if isinstance(value, list):
            lines += [f"{key} = [", *(f"    {_toml(it)}," for it in value), "]"]
        else:
            lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(it)}" for key, it in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # its words and numbers are TOML's too


def box_text(name: str, title: str, own: list[Draft]) -> str:
    """The whole file."""
    neutral, wanted = sum(card.neutral for card in own), int(shipped()["neutral_cards"][0])
    head = f"{say(message('knee_deep.new_head'))}\n\nname = {_toml(name)}\ntitle = {_toml(title)}\n"
    if neutral > wanted:
        head += f"\n[numbers]\nneutral_cards = {neutral}\n"
    _, companions, cards = _chunks()
    brought = {id: _brought(id, own) for id in COMPANIONS}
    for id, ids in brought.items():
        companions[id] = re.sub(
            r"^cards = .*$", f"cards = {_toml(ids)}", companions[id], flags=re.M
        )
    copies = _filling(own, max(0, wanted - neutral))
    used = {it for ids in brought.values() for it in ids}
    ours = []
    for id, text in cards.items():
        if copies[id] or id in used:
            line = f"neutral = {copies[id]}\n" if copies[id] else ""
            ours.append(re.sub(r"^neutral = .*\n", line, text, flags=re.M))
    return "\n".join((head, *companions.values(), *map(card_text, own), *ours))


def _brought(companion: str, own: list[Draft]) -> list[str]:
    """The cards of a companion: one's own in place of ours of the same kind, of the same title
    first."""
    kinds = {card.id: card.kind for card in _ours()}
    ids = _of_companions()[companion]
    for card in (card for card in own if card.companion == companion):
        old = [id for id in ids if kinds.get(id) == card.kind]
        same = [id for id in old if id in _called([card])]
        ids = [card.id if id == (same or old)[0] else id for id in ids]
    return ids


def _filling(own: list[Draft], room: int) -> dict[str, int]:
    """How many of each of ours are in every deck, so many in all; of one's own titles last."""
    called, copies = _called(own), dict.fromkeys((card.id for card in _ours()), 0)
    for card in sorted(_ours(), key=lambda card: card.id in called):
        copies[card.id] = min(card.neutral, room)
        room -= copies[card.id]
    return copies


def _called(own: list[Draft]) -> set[str]:
    """Those of ours that have a title of theirs."""
    titles = {card.title.casefold() for card in own}
    return {card.id for card in _ours() if card.title.casefold() in titles}


@cache
def _house() -> str:
    return (FOLDER / "house.toml").read_text("utf-8")


@cache
def _ours() -> tuple[Card, ...]:
    return entry_of(Source(FOLDER / "house.toml", _house())).cards


def _of_companions() -> dict[str, list[str]]:
    companions = entry_of(Source(FOLDER / "house.toml", _house())).companions
    return {it.id: list(it.cards) for it in companions}


def _chunks() -> tuple[str, dict[str, str], dict[str, str]]:
    """Our box: what stands before the companions, each of these, each card."""
    text = "".join(line for line in _house().splitlines(True) if not line.startswith("#"))
    head, *tables = re.split(r"^(?=\[\[)", text, flags=re.M)
    found: dict[str, dict[str, str]] = {"companions": {}, "cards": {}}
    for table in tables:
        kind, id = table[2 : table.index("]]")], table.split('id = "', 1)[1].split('"', 1)[0]
        found[kind][id] = table.rstrip("\n") + "\n"
    return head, found["companions"], found["cards"]
