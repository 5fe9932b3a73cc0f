"""Every number of a game, and how sure each is: ours or the box's, cards, companions; and what the
cards say."""

from collections.abc import Iterator

from hexboard.game.fields import Figure
from hexboard.games.knee_deep.cards import CardBox, joined
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.triggers import faces
from hexboard.games.knee_deep.values import SURENESS, shipped
from hexboard.words import say

OWN = "box"
"""How sure a number is that a box has instead of ours."""
SOURCES = {"rulebook": SURENESS["T"], "house": SURENESS["X"]}
"""How sure the text of a card is, by where it is from; any other is people's own."""


def figures(box: CardBox | BoxFile) -> Iterator[Figure]:
    """The numbers of the game, then those of each card and companion ("sling.combat")."""
    for name, (value, letter) in shipped().items():
        own = box.numbers.get(name)
        yield Figure(name, value if own is None else own, SURENESS[letter] if own is None else OWN)
    for card in box.cards:
        for key in ("combat", "material", "energy"):
            if getattr(card, key) or key in card.status:
                yield _figure(card.id, key, getattr(card, key), card.status)
    for companion in box.companions:
        for key in ("material", "energy", "hp"):
            yield _figure(companion.id, key, getattr(companion, key), companion.status)


def texts(box: CardBox) -> Iterator[Figure]:
    """What cards and companions need and do, in the language that is spoken."""
    for card in box.cards:
        if card.says:
            yield Figure(card.id, say(joined(*card.says)), SOURCES.get(card.source, OWN))
    for companion in box.companions:
        for face in faces(companion):
            yield Figure(companion.id, say(face), OWN)


def _figure(id: str, key: str, value: int | str, status: dict[str, str]) -> Figure:
    letter = "?" if value == "?" else status.get(key, "T")
    return Figure(f"{id}.{key}", value, SURENESS[letter])
