"""Faces: what stands on each card and companion, in the language that is spoken, and how many of
each a game needs."""

from collections.abc import Iterator

from msgspec import Struct

from hexboard.games.knee_deep.cards import Card, Companion
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.triggers import faces
from hexboard.games.knee_deep.values import FACTIONS
from hexboard.words import Message, message, say, translated


class Face(Struct, frozen=True):
    """All that is printed on one, sentences and words."""

    sort: str
    """war, action, companion or formation."""
    title: str
    kind: str
    """War card, action card, formation, or which companion."""
    numbers: str
    """Combat, cost or income."""
    timing: str
    """When it is played."""
    says: tuple[str, ...]
    """What it needs and does, a paragraph each."""
    foot: str
    """The box, and the deck that it belongs to."""
    fields: tuple[tuple[int, int], ...] = ()
    """Those of a formation (right, down), which are drawn below the text."""


def once(box: BoxFile) -> Iterator[Face]:
    """The face of each card, of each companion, of each formation that the box has of its own."""
    for card in box.cards:
        yield card_face(card, box.title)
    for companion in box.companions:
        yield companion_face(companion, box)
    yield from _formations(box)


def all_copies(box: BoxFile) -> Iterator[Face]:
    """As many faces as a game needs, whichever companions are chosen: the neutral cards of both
    decks, then each companion and its cards; what is in no deck, and each formation, once."""
    by_id = {card.id: card for card in box.cards}
    for faction in FACTIONS:
        for card in box.cards:
            yield from [card_face(card, _foot(box, faction))] * card.neutral
    for companion in box.companions:
        yield companion_face(companion, box)
        foot = _foot(box, companion.id)
        for id in companion.cards:
            yield from [card_face(by_id[id], foot)] * companion.copies
    used = {id for companion in box.companions for id in companion.cards}
    for card in box.cards:
        if not card.neutral and card.id not in used:
            yield card_face(card, box.title)
    yield from _formations(box)


def _formations(box: BoxFile) -> Iterator[Face]:
    for name, fields in box.formations.items():
        yield Face(
            sort="formation",
            title=name,
            kind=say(message("knee_deep.face_formation")),
            numbers="",
            timing=say(message("knee_deep.timing_formation")),
            says=(),
            foot=box.title,
            fields=fields,
        )


def _foot(box: BoxFile, deck: str) -> str:
    return say(message("knee_deep.face_deck", text=box.title, deck=_named(deck)))


def card_face(card: Card, foot: str) -> Face:
    """That of a card."""
    war = card.kind == "war"
    combat = message("knee_deep.face_combat", combat=card.combat)
    cost = message("knee_deep.face_cost", material=card.material, energy=card.energy)
    return Face(
        sort=card.kind,
        title=translated(card.title, "knee_deep"),
        kind=say(message(f"knee_deep.face_{card.kind}")),
        numbers=say(combat if war else cost),
        timing=say(message(f"knee_deep.timing_{card.kind}")),
        says=tuple(map(say, card.says)),
        foot=foot,
    )


def companion_face(companion: Companion, box: BoxFile) -> Face:
    """That of a companion: its numbers, its cards, what it can do."""
    return Face(
        sort="companion",
        title=_named(companion.id),
        kind=say(companion_kind(companion)),
        numbers=say(income(companion)),
        timing=say(message("knee_deep.timing_companion")),
        says=(say(brings(companion, box)), *map(say, faces(companion))),
        foot=box.title,
    )


def companion_kind(companion: Companion) -> Message:
    """Which of a faction's four it is."""
    return message("knee_deep.face_companion", text=of_faction(companion))


def of_faction(companion: Companion) -> Message:
    """A companion as people call it."""
    faction = companion.faction.capitalize()
    return message("knee_deep.of_faction", type=companion.type, faction=faction)


def income(companion: Companion) -> Message:
    """Its numbers."""
    return message(
        "knee_deep.face_income",
        material=companion.material,
        energy=companion.energy,
        hp=companion.hp,
    )


def brings(companion: Companion, box: BoxFile) -> Message:
    """The cards that come with it."""
    titles = {card.id: translated(card.title, "knee_deep") for card in box.cards}
    cards = ", ".join(titles[id] for id in companion.cards)
    return message("knee_deep.face_brings", count=companion.copies, text=cards)


def _named(id: str) -> str:
    """An id as people read it: "gondwana_tech" is Gondwana tech."""
    first, *rest = id.split("_")
    return " ".join((first.capitalize(), *(translated(word, "knee_deep") for word in rest)))
