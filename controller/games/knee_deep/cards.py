"""A box: companions and cards as data, in a small language of conditions and effects.

A box is a file (`cards/house.toml` is ours; docs/cards.md tells how to write one). A card's number
is its place in the box, from 1; 0 is a card that nobody here has seen.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct, field

from hexboard.board import Axial
from hexboard.files import Path_, Source, nearest, read, refuse
from hexboard.games.knee_deep.ground import find
from hexboard.games.knee_deep.values import (
    FACTIONS,
    KINDS,
    STRUCTURES,
    SURENESS,
    VEHICLES,
    Values,
    shipped,
    values,
)
from hexboard.words import Message

FOLDER = Path(__file__).parent / "cards"
UNKNOWN = 0
TYPES = ("commander", "general", "tech", "trickster")
"""The companions of each faction (KDH-4.1)."""
GROUPS: dict[str, tuple[str, ...]] = {
    "any": KINDS,
    "vehicle": VEHICLES,
    "structure": STRUCTURES,
    **{kind: (kind,) for kind in KINDS},
}
"""What a card can call units, and the kinds that it means."""
PATTERNS: dict[str, tuple[Axial, ...]] = {
    "line3": ((0, 0), (1, 0), (2, 0)),
    "gap2": ((0, 0), (2, 0)),
    "triangle": ((0, 0), (1, 0), (0, 1)),
    "chevron": ((0, 0), (1, 0), (0, -1)),
}
"""Formations as fields from the first one, matched in all six turns (KDH-3.17 to 3.19)."""
FORMATIONS = (*PATTERNS, "skirmish")
"""`skirmish` is what the option of that name says (A14)."""
CONDITIONS = ("formation", "count", "supply", "resource", "hand", "role", "round")
WAR_EFFECTS = ("bonus", "include", "exclude", "cancel", "prevent")
EFFECTS = (
    *WAR_EFFECTS,
    *("place", "relocate", "walk", "destroy", "damage", "return", "gain", "lose", "draw"),
    *("discard", "retrieve", "modify", "set_rule", "move_marker", "manual"),
)
PLACES = ("board", "zone", "near_zone")
OWNERS = ("self", "enemy", "any")
RESOURCES = ("material", "energy")
CHANGED = ("combat", "move")
Count = int | str
"""A number of a card, or "?" where it is still to be read from the box."""


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that must be so: `negate` turns it round."""

    is_: str = field(name="is")
    pattern: str = ""
    unit: str = "any"
    of: str = "self"
    where: str = "board"
    least: int = 0
    most: int = 99
    resource: str = ""
    role: str = ""
    negate: bool = False


class CardEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is done; which fields matter depends on `do` (docs/cards.md)."""

    do: str
    unit: str = "any"
    of: str = "self"
    where: str = "board"
    near: str = ""
    """Only within `within` fields of an own unit of this kind."""
    within: int = 1
    amount: int = 1
    per: str = ""
    """`amount` for each own unit of this kind in the zone (in the action phase: on the board)."""
    most: int = 99
    resource: str = ""
    rule: str = ""
    optional: bool = False
    text: str = ""


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A card. `combat` is the number in a war card's crosshair, material and energy the cost of an
    action card. `neutral` is how many of it every deck has."""

    id: str
    title: str
    kind: str
    neutral: int = 0
    combat: Count = 0
    material: Count = 0
    energy: Count = 0
    conditions: tuple[Condition, ...] = field(default=(), name="if")
    effects: tuple[CardEffect, ...] = field(default=(), name="do")
    status: dict[str, str] = {}
    source: str = "own"
    authority: int = 0
    """Read and kept for the deck building of a later rulebook (KDH-3.22); no rule needs it yet."""


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """What a companion can do once in each own action phase."""

    title: str
    material: int = 0
    energy: int = 0
    conditions: tuple[Condition, ...] = field(default=(), name="if")
    effects: tuple[CardEffect, ...] = field(default=(), name="do")


class Companion(Struct, frozen=True, forbid_unknown_fields=True):
    """A companion: income of each turn, its part of the HQ's health, four cards (KDH-4.2)."""

    id: str
    faction: str
    type: str
    material: Count
    energy: Count
    hp: Count
    cards: tuple[str, ...]
    ability: Ability | None = None
    copies: int = 2
    status: dict[str, str] = {}


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A box as it stands in a file. `numbers` replace ours: "turret.cost" = 3."""

    name: str
    title: str
    companions: tuple[Companion, ...]
    cards: tuple[Card, ...]
    numbers: dict[str, int] = {}


class CardBox(Struct, frozen=True, eq=False):
    """A box that can be played with."""

    name: str
    title: str
    values: Values
    companions: tuple[Companion, ...]
    """Gondwana's four by type, then Bukseon's."""
    cards: tuple[Card, ...]
    number: dict[str, int]
    """A card's number, from 1, by its id."""
    neutral: bytes
    companion_cards: tuple[bytes, ...]
    """The eight cards of each companion, by its place in `companions`."""
    numbers: dict[str, int]
    """Those of the file that replace ours."""

    def card(self, number: int) -> Card:
        return self.cards[number - 1]


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


def _card(source: Source, card: Card, at: Path_, numbers: Values) -> Iterator[Message]:
    if not card.id.replace("_", "").isalnum() or not card.id.isascii() or card.id == "none":
        yield source.mistake("knee_deep.card_id", (*at, "id"), name=card.id)
    if card.kind not in ("war", "action"):
        yield _choice(source, (*at, "kind"), card.kind, ("war", "action"))
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
    conditions: tuple[Condition, ...],
    effects: tuple[CardEffect, ...],
    at: Path_,
    war: bool,
    numbers: Values,
) -> Iterator[Message]:
    for condition in conditions:
        yield from _condition(source, condition, (*at, "if"), war, numbers)
    for effect in effects:
        yield from _effect(source, effect, (*at, "do"), war)


def _condition(
    source: Source, condition: Condition, at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    if condition.is_ not in CONDITIONS:
        yield _choice(source, at, condition.is_, CONDITIONS)
        return
    yield from _who(source, condition.unit, condition.of, condition.where, at)
    if condition.is_ == "formation" and condition.pattern not in FORMATIONS:
        yield _choice(source, at, condition.pattern, FORMATIONS)
    if condition.is_ == "resource" and condition.resource not in RESOURCES:
        yield _choice(source, at, condition.resource, RESOURCES)
    if condition.is_ == "role" and condition.role not in ("attacker", "defender"):
        yield _choice(source, at, condition.role, ("attacker", "defender"))
    if why := _never(condition, war, numbers):
        yield source.mistake("knee_deep.never", at, condition=condition.is_, why=why)


def _never(condition: Condition, war: bool, numbers: Values) -> str:
    """Why a condition can never hold, in a few words; "" where it can."""
    if condition.negate:
        return ""
    if condition.least > condition.most:
        return f"{condition.least} to {condition.most}"
    zone = condition.where != "board" or condition.is_ in ("formation", "role")
    if zone and not war:
        return "zone" if condition.is_ in ("formation", "count") else condition.is_
    kinds = GROUPS.get(condition.unit, ())
    supply = sum(unit.supply for unit in numbers.units if unit.id in kinds)
    supply *= 2 if condition.of == "any" else 1
    if condition.is_ in ("count", "supply") and condition.least > supply:
        return f"{condition.unit} < {condition.least}"
    return ""


def _effect(source: Source, effect: CardEffect, at: Path_, war: bool) -> Iterator[Message]:
    if effect.do not in EFFECTS:
        yield _choice(source, at, effect.do, EFFECTS)
        return
    if effect.do in WAR_EFFECTS and not war:
        yield source.mistake("knee_deep.war_effect", at, effect=effect.do)
    if effect.where != "board" and not war:
        yield source.mistake("knee_deep.war_effect", at, effect=effect.where)
    yield from _who(source, effect.unit, effect.of, effect.where, at)
    for group in (effect.near, effect.per):
        if group and group not in GROUPS:
            yield _unit(source, at, group)
    if effect.do == "place" and effect.unit not in KINDS:
        yield _choice(source, at, effect.unit, KINDS)
    if effect.do in ("gain", "lose") and effect.resource not in RESOURCES:
        yield _choice(source, at, effect.resource, RESOURCES)
    if effect.do == "modify" and effect.rule not in CHANGED:
        yield _choice(source, at, effect.rule, CHANGED)
    if effect.do == "set_rule" and effect.rule != "builders":
        yield _choice(source, at, effect.rule, ("builders",))
    if effect.amount < 0 and effect.do not in ("bonus", "modify"):
        yield source.mistake("knee_deep.negative", at, key="amount", value=effect.amount)
    if effect.do == "manual" and not effect.text:
        yield source.mistake("knee_deep.no_text", at)


def _who(source: Source, unit: str, of: str, where: str, at: Path_) -> Iterator[Message]:
    if unit not in GROUPS:
        yield _unit(source, at, unit)
    if of not in OWNERS:
        yield _choice(source, at, of, OWNERS)
    if where not in PLACES:
        yield _choice(source, at, where, PLACES)


def _companion(
    source: Source, companion: Companion, at: Path_, known: set[str], numbers: Values
) -> Iterator[Message]:
    if companion.faction not in FACTIONS:
        yield _choice(source, (*at, "faction"), companion.faction, FACTIONS)
    if companion.type not in TYPES:
        yield _choice(source, (*at, "type"), companion.type, TYPES)
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
    there = Counter((c.faction, c.type) for c in entry.companions)
    for faction in FACTIONS:
        for type in TYPES:
            if there[faction, type] != 1:
                count = there[faction, type]
                yield source.mistake(
                    "knee_deep.companions", ("companions",), type=type, faction=faction, count=count
                )


def _count(source: Source, value: Count, at: Path_) -> Iterator[Message]:
    if isinstance(value, str) and value != "?":
        yield source.mistake("knee_deep.not_number", at, value=value)
    elif isinstance(value, int) and value < 0:
        yield source.mistake("knee_deep.negative", at, key=str(at[-1]), value=value)


def _status(source: Source, status: dict[str, str], at: Path_) -> Iterator[Message]:
    for key, sure in status.items():
        if sure not in SURENESS:
            yield source.mistake("knee_deep.status", (*at, "status"), status=f"{key}: {sure}")


def _unit(source: Source, at: Path_, unit: str) -> Message:
    near = nearest(unit, list(GROUPS))
    return source.mistake("knee_deep.no_unit", at, unit=unit, near=near, known=", ".join(GROUPS))


def _choice(source: Source, at: Path_, word: str, known: tuple[str, ...]) -> Message:
    return source.mistake("knee_deep.choice", at, word=word, known=", ".join(known))
