"""Hex'el decks: a multiset of cards (HEXEL-1.4, ruling A2), shipped by name or in a file.

What the rules text says of the deck cannot all be true, so the deck is data. `bracelet36` holds
every card once and no mirror twin, `necklace39` the twins too; a printed deck goes into a file:

    schema = "hexboard/deck-1"
    name = "My cards"
    size = 4
    [cards]
    RRRRRR = 1
    RRBRBB = 3
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from hexboard.files import Source, chosen_file, nearest, read, refuse
from hexboard.games.hexel.cards import CARD, CARDS, CODES, FACES, SYMBOLS, mirrored
from hexboard.words import Message
from hexboard.words.errors import BadText

SCHEMA = "hexboard/deck-1"
SHIPPED = ("bracelet36", "necklace39")
TWINS = ("RRBRBB", "RRBBRB")
"""Which of a pair of mirror twins the 36 cards hold, here of red and blue; the other colours
follow. Which one is printed is not known."""
MOST = 99
"""Cards a deck file may hold."""


class DeckFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as it is written: how often it holds each card, the card in any of its turns."""

    schema: str
    name: str
    size: int
    cards: dict[str, Any]


def deck(name: str, twins: str = TWINS[0]) -> bytes:
    """The cards of a deck, sorted, by its name or by the path of its file.

    Raises `BadText` for a name that there is not, `BadFile` with every mistake in a file.
    """
    if name == "necklace39":
        return CARDS
    if name == "bracelet36":
        keep = min if twins == TWINS[0] else max
        return bytes(card for card in CARDS if card == keep(card, mirrored(card)))
    if file := chosen_file(name):
        return load(Source(*file))
    near = nearest(name, list(SHIPPED))
    raise BadText("hexel.no_deck", deck=name[:80], near=near, known=", ".join(SHIPPED))


def is_deck(source: Source) -> bool:
    """Whether a file means to be a deck."""
    return str(source.data.get("schema", "")).startswith("hexboard/deck")


def check(source: Source, boards: object) -> None:
    """Look a deck file over. Raises `BadFile` with every mistake in it."""
    load(source)


def load(source: Source) -> bytes:
    """The cards in a deck file, sorted. Raises `BadFile` with every mistake in it."""
    file, mistakes = read(source, DeckFile)
    refuse(source, mistakes)
    assert file is not None
    refuse(source, list(_bad_cards(source, file)) or list(_bad_size(source, file)))
    return bytes(
        sorted(CARD[CODES[face]] for face, count in file.cards.items() for _ in range(count))
    )


def _bad_cards(source: Source, file: DeckFile) -> Iterator[Message]:
    if file.schema != SCHEMA:
        yield source.mistake("hexel.schema", ("schema",), schema=file.schema[:40], ours=SCHEMA)
    first: dict[int, str] = {}
    for face, count in file.cards.items():
        at = ("cards", face)
        if type(count) is not int or not 1 <= count <= MOST:
            yield source.mistake("hexel.copies", at, copies=str(count)[:40], most=MOST)
        if len(face) != 6 or set(face) - set(SYMBOLS):
            yield source.mistake("hexel.not_six", at, face=face[:40])
        elif face not in CODES:
            yield source.mistake("hexel.three_kinds", at, face=face)
        elif other := first.get(CARD[CODES[face]]):
            yield source.mistake("hexel.same_card", at, face=face, other=other)
        else:
            first[CARD[CODES[face]]] = face


def _bad_size(source: Source, file: DeckFile) -> Iterator[Message]:
    found = sum(file.cards.values())
    if found != file.size:
        yield source.mistake("hexel.size", ("size",), size=file.size, found=found)
    elif not 0 < found <= MOST:
        yield source.mistake("hexel.too_many", ("size",), size=found, most=MOST)


def digest(cards: bytes) -> str:
    """What a recording is tied to: eight hex digits for the cards of a deck."""
    return blake2b(" ".join(FACES[card] for card in cards).encode(), digest_size=4).hexdigest()
