"""A box that can be played with, by its name or from a file."""

from functools import lru_cache
from pathlib import Path

from hexboard.files import Source, refuse
from hexboard.games.knee_deep.cards import TYPES, CardBox
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.ground import find
from hexboard.games.knee_deep.lint import looked_over
from hexboard.games.knee_deep.values import FACTIONS, values

FOLDER = Path(__file__).parent / "cards"


def box(name: str) -> CardBox:
    """The box of a name, or in a file. Raises `BadText`, and `BadFile` with every mistake in it."""
    return _box(find(name, FOLDER))


@lru_cache(maxsize=8)
def _box(file: tuple[Path, str]) -> CardBox:
    source = Source(*file)
    entry = entry_of(source)
    number = {card.id: k for k, card in enumerate(entry.cards, 1)}
    companions = tuple(
        next(c for c in entry.companions if (c.faction, c.type) == (faction, type))
        for faction in FACTIONS
        for type in TYPES
    )
    return CardBox(
        entry.name,
        entry.title,
        values(entry.numbers),
        companions,
        entry.cards,
        number,
        bytes(sorted(number[card.id] for card in entry.cards for _ in range(card.neutral))),
        tuple(bytes(sorted(number[id] for id in c.cards * c.copies)) for c in companions),
        entry.numbers,
        entry.formations,
        any(companion.triggers for companion in companions),
        any(companion.passives for companion in companions),
    )


def entry_of(source: Source, filled: bool = True) -> BoxFile:
    """What stands in a box file; if not `filled`, numbers in it may still be "?". Raises `BadFile`
    with every mistake."""
    found = looked_over(source, filled)
    refuse(source, found.mistakes)
    assert found.entry is not None
    return found.entry
