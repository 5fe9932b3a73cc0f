"""A box as a file: read, looked over for every mistake, and made ready to play with."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct, field

from hexboard.files import Path_, Source, nearest, read, refuse
from hexboard.games.knee_deep.cards import TYPES, Ability, Card, CardBox, Companion, Number
from hexboard.games.knee_deep.choices import AnyChosen
from hexboard.games.knee_deep.conditions import (
    AnyCondition,
    Count,
    Formation,
    Ranged,
    Role,
    Supply,
)
from hexboard.games.knee_deep.effects import AnyAtOnce
from hexboard.games.knee_deep.ground import find
from hexboard.games.knee_deep.values import FACTIONS, GROUPS, SURENESS, Values, shipped, values
from hexboard.words import Message

FOLDER = Path(__file__).parent / "cards"
RESOURCES = ("material", "energy")

AnyEffect = AnyAtOnce | AnyChosen


class CardEntry(Card, frozen=True):
    """A card as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class AbilityEntry(Ability, frozen=True):
    """An ability as it stands in a file."""

    conditions: tuple[AnyCondition, ...] = field(default=(), name="if")
    effects: tuple[AnyEffect, ...] = field(default=(), name="do")


class CompanionEntry(Companion, frozen=True):
    """A companion as it stands in a file."""

    ability: AbilityEntry | None = None


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A box as it stands in a file. `numbers` replace ours: "turret.cost" = 3."""

    name: str
    title: str
    companions: tuple[CompanionEntry, ...]
    cards: tuple[CardEntry, ...]
    numbers: dict[str, int] = {}


def box(name: str) -> CardBox:
    """The box of a name, or in a file. Raises `BadText`, and `BadFile` with every mistake in it."""
    return _box(find(name, FOLDER))


@lru_cache(maxsize=8)
def _box(file: tuple[Path, str]) -> CardBox:
    source = Source(*file)
    entry = entry_of(source)
    refuse(source, [*mistakes(source, entry), *unfilled(source, entry)])
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
    )


def entry_of(source: Source) -> BoxFile:
    """What stands in a box file. Raises `BadFile` for mistakes of form."""
    entry, wrong = read(source, BoxFile)
    refuse(source, wrong)
    assert entry is not None
    return entry


# ------------------------------------------------------------------------------------- mistakes


def unfilled(source: Source, entry: BoxFile) -> Iterator[Message]:
    """Every number that is still "?": such a card cannot be in a deck."""
    for k, card in enumerate(entry.cards):
        for key in ("combat", "material", "energy"):
            if getattr(card, key) == "?":
                yield source.mistake("knee_deep.unfilled", ("cards", k, key), name=card.id, key=key)
    for k, companion in enumerate(entry.companions):
        for key in ("material", "energy", "hp"):
            if getattr(companion, key) == "?":
                yield source.mistake(
                    "knee_deep.unfilled", ("companions", k, key), name=companion.id, key=key
                )


def mistakes(source: Source, entry: BoxFile) -> Iterator[Message]:
    """Everything that is wrong with a well-formed box, with its place in the file."""
    for name, number in entry.numbers.items():
        if name not in shipped():
            near = nearest(name, list(shipped()))
            yield source.mistake("knee_deep.no_number", ("numbers", name), name=name, near=near)
        elif number < 0:
            yield source.mistake("knee_deep.negative", ("numbers", name), key=name, value=number)
    known = {card.id for card in entry.cards}
    for id in (id for id, count in Counter(c.id for c in entry.cards).items() if count > 1):
        at = max(k for k, card in enumerate(entry.cards) if card.id == id)
        yield source.mistake("knee_deep.card_twice", ("cards", at, "id"), name=id)
    numbers = values({k: v for k, v in entry.numbers.items() if k in shipped()})
    for k, card in enumerate(entry.cards):
        yield from _card(source, card, ("cards", k), numbers)
    for k, companion in enumerate(entry.companions):
        yield from _companion(source, companion, ("companions", k), known, numbers)
    yield from _decks(source, entry, numbers)


def _card(source: Source, card: CardEntry, at: Path_, numbers: Values) -> Iterator[Message]:
    if not card.id.replace("_", "").isalnum() or not card.id.isascii() or card.id == "none":
        yield source.mistake("knee_deep.card_id", (*at, "id"), name=card.id)
    for key in ("combat", "material", "energy"):
        yield from _count(source, getattr(card, key), (*at, key))
    costs = [key for key in RESOURCES if getattr(card, key)]
    if card.kind == "war" and costs:
        yield source.mistake("knee_deep.war_cost", (*at, costs[0]), key=costs[0])
    if card.kind == "action" and card.combat:
        yield source.mistake("knee_deep.action_combat", (*at, "combat"))
    yield from _status(source, card.status, at)
    war = card.kind == "war"
    yield from _clauses(source, card.conditions, card.effects, at, war, numbers)


def _clauses(
    source: Source,
    conditions: tuple[AnyCondition, ...],
    effects: tuple[AnyEffect, ...],
    at: Path_,
    war: bool,
    numbers: Values,
) -> Iterator[Message]:
    for k, condition in enumerate(conditions):
        if why := _never(condition, war, numbers):
            yield source.mistake("knee_deep.never", (*at, "if", k), why=why)
    for k, effect in enumerate(effects):
        if not war and (effect.war or getattr(effect, "where", "board") != "board"):
            yield source.mistake("knee_deep.war_effect", (*at, "do", k))


def _never(condition: AnyCondition, war: bool, numbers: Values) -> str:
    """Why a condition can never hold, in a few words; "" where it can."""
    if condition.negate:
        return ""
    if isinstance(condition, Ranged) and condition.least > condition.most:
        return f"{condition.least} > {condition.most}"
    zone = isinstance(condition, Count) and condition.where != "board"
    if not war and (zone or isinstance(condition, Formation | Role)):
        return "zone"
    if isinstance(condition, Count | Supply):
        kinds = GROUPS[condition.unit]
        supply = sum(unit.supply for unit in numbers.units if unit.id in kinds)
        supply *= 2 if condition.of == "any" else 1
        if condition.least > supply:
            return f"{condition.unit} < {condition.least}"
    return ""


def _companion(
    source: Source, companion: CompanionEntry, at: Path_, known: set[str], numbers: Values
) -> Iterator[Message]:
    for key in ("material", "energy", "hp"):
        yield from _count(source, getattr(companion, key), (*at, key))
    if companion.hp == 0:
        yield source.mistake("knee_deep.no_hp", (*at, "hp"), name=companion.id)
    yield from _status(source, companion.status, at)
    cards = companion.cards
    for id in (id for id in cards if id not in known):
        near = nearest(id, sorted(known))
        yield source.mistake("knee_deep.no_card", (*at, "cards"), name=id, near=near)
    if companion.copies > numbers.copies:
        copies, most = companion.copies, numbers.copies
        yield source.mistake("knee_deep.copies", (*at, "copies"), copies=copies, most=most)
    for id in (id for id, count in Counter(cards).items() if count > 1):
        copies, most = Counter(cards)[id] * companion.copies, numbers.copies
        yield source.mistake("knee_deep.copies", (*at, "cards"), copies=copies, most=most)
    count, wanted = len(cards) * companion.copies, numbers.companion_cards
    if count != wanted:
        yield source.mistake("knee_deep.companion_deck", (*at, "cards"), count=count, wanted=wanted)
    if companion.ability is not None:
        ability, at = companion.ability, (*at, "ability")
        for key in RESOURCES:
            yield from _count(source, getattr(ability, key), (*at, key))
        yield from _clauses(source, ability.conditions, ability.effects, at, False, numbers)


def _decks(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """A deck is the neutral cards and two companions' (KDH-3.1); each faction has all four."""
    neutral = sum(card.neutral for card in entry.cards)
    wanted = numbers.neutral_cards
    if neutral != wanted:
        deck = neutral + 2 * numbers.companion_cards
        yield source.mistake(
            "knee_deep.neutral_deck", ("cards",), count=neutral, wanted=wanted, deck=deck
        )
    for k, card in enumerate(entry.cards):
        if card.neutral > numbers.copies:
            yield source.mistake(
                "knee_deep.copies",
                ("cards", k, "neutral"),
                copies=card.neutral,
                most=numbers.copies,
            )
    kinds = {card.id: card.kind for card in entry.cards}
    for k, companion in enumerate(entry.companions):
        war = sum(kinds.get(id) == "war" for id in companion.cards)
        if len(companion.cards) == 4 and war != 2:
            yield source.mistake("knee_deep.two_and_two", ("companions", k, "cards"), count=war)
    there = Counter[tuple[str, str]]((c.faction, c.type) for c in entry.companions)
    for faction in FACTIONS:
        for type in TYPES:
            if there[faction, type] != 1:
                count = there[faction, type]
                yield source.mistake(
                    "knee_deep.companions", ("companions",), type=type, faction=faction, count=count
                )


def _count(source: Source, value: Number, at: Path_) -> Iterator[Message]:
    if isinstance(value, str) and value != "?":
        yield source.mistake("knee_deep.not_number", at, value=value)
    elif isinstance(value, int) and value < 0:
        yield source.mistake("knee_deep.negative", at, key=str(at[-1]), value=value)


def _status(source: Source, status: dict[str, str], at: Path_) -> Iterator[Message]:
    for key, sure in status.items():
        if sure not in SURENESS:
            yield source.mistake("knee_deep.status", (*at, "status"), status=f"{key}: {sure}")
