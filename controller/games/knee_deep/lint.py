"""A box is looked over: every mistake of form and of meaning in one round, and what is unusual.

A mistake keeps a box from being played with; what is unusual can be right and hardly ever is.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any, NamedTuple

from msgspec.structs import replace

from hexboard.files import Path_, Source, nearest, read, sound, told
from hexboard.games.knee_deep.cards import TYPES, Ability, Card, Clause, Companion, Number
from hexboard.games.knee_deep.choices import (
    Damage,
    Exclude,
    Include,
    PlaceUnits,
    SeveralTargets,
    Targets,
    Walk,
)
from hexboard.games.knee_deep.conditions import (
    EVER,
    CardsHeld,
    Condition,
    Count,
    Formation,
    Ranged,
    Role,
    Round,
    Supply,
)
from hexboard.games.knee_deep.effects import Bonus, Effect, Gain, Modify, SetRule, Sum
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.values import (
    FACTIONS,
    GROUPS,
    STRUCTURES,
    SURENESS,
    Values,
    shipped,
    values,
)
from hexboard.words import Message, message

MOST_CARDS = 255
"""A card is one byte of a position, and 0 is a card that nobody has seen."""
MOST = 20
"""More than there is of anything on a board; a card can name no more (`effects.Amount`)."""
MOST_LETTERS = 60
"""What a page has room for in one line."""
MOST_CLAUSES = 12
"""More than is printed on any card."""
COSTS = ("material", "energy")
FIGURES = {Card: ("combat", *COSTS), Companion: (*COSTS, "hp")}
"""The numbers on a card and on a companion; a status says how sure each is."""


class Findings(NamedTuple):
    """What is found in a box file."""

    entry: BoxFile | None
    """What stands there, as far as it is right in form."""
    mistakes: list[Message]
    unusual: list[Message]


def looked_over(source: Source, filled: bool = True) -> Findings:
    """A box file looked over in one round; `filled`, a number that is still "?" is a mistake."""
    source = Source(source.path, source.text)
    listed = source.data.get("cards")
    tables = listed if isinstance(listed, list) else []
    ids = [str(card.get("id")) for card in tables if isinstance(card, dict)]
    wrong = list(_surplus(source, tables))
    wrong += read(source, BoxFile)[1]
    entry = sound(source, BoxFile)
    if entry is None:
        return Findings(None, wrong, [])
    empty = _unfilled(source, entry) if filled else ()
    every = told(source, chain(wrong, _mistakes(source, entry, ids), empty))
    return Findings(entry, every, told(source, _unusual(source, entry)))


def _surplus(source: Source, cards: list[Any]) -> Iterator[Message]:
    """Cards for which there is no number are not looked at."""
    count, last = len(cards), ("cards", MOST_CARDS)
    if count > MOST_CARDS:
        yield source.mistake("knee_deep.too_many", last, count=count, most=MOST_CARDS)
    for k in reversed(range(MOST_CARDS, count)):
        source.drop(("cards", k))


def _unfilled(source: Source, entry: BoxFile) -> Iterator[Message]:
    """Every number that is still "?": such a card cannot be in a deck."""
    for at, it in _all(entry):
        for key in FIGURES[Card if isinstance(it, Card) else Companion]:
            if getattr(it, key) == "?":
                yield source.mistake("knee_deep.unfilled", (*at, key), name=it.id, key=key)


def _mistakes(source: Source, entry: BoxFile, ids: list[str]) -> Iterator[Message]:
    """Everything that is wrong with what is well formed; `ids` are those of all the cards."""
    for key in ("name", "title"):
        if source.complete((key,)):
            yield from _line(source, getattr(entry, key), (key,))
    yield from _numbers(source, entry)
    numbers = _sane(entry)
    for at, it in _all(entry):
        yield from _one(source, it, at)
        if isinstance(it, Card):
            yield from _card(source, it, at, numbers)
        else:
            yield from _companion(source, it, at, ids, numbers)
    yield from _twice(source, entry)
    yield from _deck_copies(source, entry, numbers)
    if source.complete(("cards",)) and source.complete(("companions",)):
        yield from _decks(source, entry, numbers)


def _all(entry: BoxFile) -> Iterator[tuple[Path_, Card | Companion]]:
    """Each card and companion, and its place."""
    for k, companion in enumerate(entry.companions):
        yield ("companions", k), companion
    for k, card in enumerate(entry.cards):
        yield ("cards", k), card


# -------------------------------------------------------------------------------------- numbers


def _numbers(source: Source, entry: BoxFile) -> Iterator[Message]:
    for name, number in entry.numbers.items():
        at = ("numbers", name)
        if name not in shipped():
            near = nearest(name, list(shipped()))
            yield source.mistake("knee_deep.no_number", at, name=name[:MOST_LETTERS], near=near)
        else:
            yield from _within(source, number, at, name, *_bounds(name, entry))


def _sane(entry: BoxFile) -> Values:
    """The numbers without those that cannot be."""
    known = {name: number for name, number in entry.numbers.items() if name in shipped()}
    bounds = {name: _bounds(name, entry) for name in known}
    return values({k: v for k, v in known.items() if bounds[k][0] <= v <= bounds[k][1]})


def _bounds(name: str, entry: BoxFile) -> tuple[int, int, Message]:
    """The least and the most that a number can be, and why."""
    kind, _, stat = name.rpartition(".")
    if stat == "move":
        if kind in STRUCTURES:
            return 0, 0, message("knee_deep.why_structure")
        return 1, 30, message("knee_deep.why_vehicle")
    if stat == "hp":
        return 1, MOST, message("knee_deep.why_hp")
    if name == "move_energy":
        return 1, MOST, message("knee_deep.why_endless")
    if name == "builders":
        return 0, 6, message("knee_deep.why_builders")
    if name in ("neutral_cards", "companion_cards", "copies"):
        return int(name != "neutral_cards"), 2 * MOST, message("knee_deep.why_deck")
    given = {name: value for name, (value, _) in shipped().items()} | entry.numbers
    if name == "scrapyard":
        units = 2 * sum(given[f"{kind}.supply"] for kind in GROUPS["any"])
        return 1, units, message("knee_deep.why_scrapyard", count=units)
    if name in ("opening_hand", "hand_limit", "power_up_cards"):
        deck = given["neutral_cards"] + 2 * given["companion_cards"]
        return int(name == "hand_limit"), deck, message("knee_deep.why_hand", count=deck)
    return 0, MOST, message("knee_deep.why_amount")


def _within(
    source: Source, number: int, at: Path_, key: str, least: int, most: int, why: Message
) -> Iterator[Message]:
    if not least <= number <= most:
        yield source.mistake(
            "knee_deep.not_within", at, key=key, value=number, least=least, most=most, why=why
        )


def _number(source: Source, value: Number, at: Path_) -> Iterator[Message]:
    """A number on a card or companion."""
    if isinstance(value, int):
        key = str(at[-1])
        hp = key == "hp"
        why = message("knee_deep.why_hp" if hp else "knee_deep.why_amount")
        yield from _within(source, value, at, key, int(hp), MOST, why)
    elif value != "?":
        yield source.mistake("knee_deep.not_number", at, value=value[:MOST_LETTERS])


# ------------------------------------------------------------------------------ one of the cards


def _line(source: Source, text: str, at: Path_) -> Iterator[Message]:
    """A name that people read."""
    if not text.strip() or len(text) > MOST_LETTERS or not text.isprintable():
        yield source.mistake("knee_deep.no_title", at, key=str(at[-1]), most=MOST_LETTERS)


def _one(source: Source, it: Card | Companion, at: Path_) -> Iterator[Message]:
    """What cards and companions have in common: an id, numbers, how sure they are."""
    word = it.id.replace("_", "").isalnum() and it.id.isascii() and len(it.id) <= MOST_LETTERS
    if not word or it.id == "none":
        yield source.mistake("knee_deep.card_id", (*at, "id"), name=it.id[:MOST_LETTERS])
    figures = FIGURES[Card if isinstance(it, Card) else Companion]
    for key in figures:
        yield from _number(source, getattr(it, key), (*at, key))
    for key, sure in it.status.items():
        place = (*at, "status", key)
        if key not in figures:
            near, known = nearest(key, list(figures)), ", ".join(figures)
            yield source.mistake("file.unknown", place, key=key, near=near, known=known)
        elif sure not in SURENESS:
            yield source.mistake("knee_deep.status", place, status=sure[:MOST_LETTERS])


def _card(source: Source, card: Card, at: Path_, numbers: Values) -> Iterator[Message]:
    yield from _line(source, card.title, (*at, "title"))
    costs = [key for key in COSTS if getattr(card, key)]
    if card.kind == "war" and costs:
        yield source.mistake("knee_deep.war_cost", (*at, costs[0]), key=costs[0])
    if card.kind == "action" and card.combat:
        yield source.mistake("knee_deep.action_combat", (*at, "combat"))
    yield from _copies(source, card.neutral, (*at, "neutral"), 0, numbers)
    yield from _clauses(source, card, at, card.kind == "war")


def _companion(
    source: Source, companion: Companion, at: Path_, ids: list[str], numbers: Values
) -> Iterator[Message]:
    cards, place = companion.cards, (*at, "cards")
    for id in (id for id in cards if id not in ids):
        near = nearest(id, ids)
        yield source.mistake("knee_deep.no_card", place, name=id[:MOST_LETTERS], near=near)
    yield from _copies(source, companion.copies, (*at, "copies"), 1, numbers)
    count, wanted = len(cards) * companion.copies, numbers.companion_cards
    if count != wanted and 0 < companion.copies <= numbers.copies:
        yield source.mistake("knee_deep.companion_deck", place, count=count, wanted=wanted)
    if ability := companion.ability:
        at = (*at, "ability")
        yield from _line(source, ability.title, (*at, "title"))
        for key in COSTS:
            yield from _number(source, getattr(ability, key), (*at, key))
        yield from _clauses(source, ability, at, False)


def _copies(
    source: Source, copies: int, at: Path_, least: int, numbers: Values
) -> Iterator[Message]:
    why = message("knee_deep.why_copies")
    yield from _within(source, copies, at, str(at[-1]), least, numbers.copies, why)


def _clauses(source: Source, it: Card | Ability, at: Path_, war: bool) -> Iterator[Message]:
    for key, clauses in (("if", it.conditions), ("do", it.effects)):
        if len(clauses) > MOST_CLAUSES:
            count = len(clauses)
            yield source.mistake("knee_deep.too_many", (*at, key), count=count, most=MOST_CLAUSES)
        for k, clause in enumerate(clauses):
            if not war and _of_war(clause):
                yield source.mistake("knee_deep.war_effect", (*at, key, k))


def _of_war(clause: Clause) -> bool:
    """Whether it means something in a war only."""
    if isinstance(clause, Formation | Role) or getattr(clause, "war", False):
        return True
    return getattr(clause, "where", "board") != "board"


# -------------------------------------------------------------------------------- all of the cards


def _twice(source: Source, entry: BoxFile) -> Iterator[Message]:
    for key, these in (("cards", entry.cards), ("companions", entry.companions)):
        ids = [it.id for it in these]
        for k in (k for k, id in enumerate(ids) if id in ids[:k]):
            yield source.mistake("knee_deep.card_twice", (key, k, "id"), name=ids[k])


def _deck_copies(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """No deck has more of a card than it may, whichever two companions it is with."""
    neutral = {card.id: card.neutral for card in entry.cards}
    there = [(k, id) for k, companion in enumerate(entry.companions) for id in companion.cards]
    for (k, id), again in Counter(there).items():
        one = entry.companions[k]
        others = [c for c in entry.companions if c.faction == one.faction and c is not one]
        most = max((c.cards.count(id) * c.copies for c in others), default=0)
        copies = neutral.get(id, 0) + again * one.copies + most
        if copies > numbers.copies >= one.copies:
            at = ("companions", k, "cards")
            yield source.mistake(
                "knee_deep.copies", at, name=id, copies=copies, most=numbers.copies
            )


def _decks(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """A deck is the neutral cards and two companions' (KDH-3.1); each faction has all four."""
    neutral, wanted = sum(card.neutral for card in entry.cards), numbers.neutral_cards
    if neutral != wanted:
        deck = neutral + 2 * numbers.companion_cards
        yield source.mistake(
            "knee_deep.neutral_deck", ("cards",), count=neutral, wanted=wanted, deck=deck
        )
    kinds = {card.id: card.kind for card in entry.cards}
    for k, companion in enumerate(entry.companions):
        war = sum(kinds.get(id) == "war" for id in companion.cards)
        known = all(id in kinds for id in companion.cards)
        if known and len(companion.cards) == 4 and war != 2:
            yield source.mistake("knee_deep.two_and_two", ("companions", k, "cards"), count=war)
    there = Counter[tuple[str, str]]((c.faction, c.type) for c in entry.companions)
    for faction in FACTIONS:
        for type in TYPES:
            if (count := there[faction, type]) != 1:
                yield source.mistake(
                    "knee_deep.companions", ("companions",), type=type, faction=faction, count=count
                )


# ---------------------------------------------------------------------------------------- unusual


def _unusual(source: Source, entry: BoxFile) -> Iterator[Message]:
    """A sentence on each card that is in no deck, does nothing or can never be played, and on each
    key that means nothing where it stands."""
    numbers = _sane(entry)
    in_decks = {id for companion in entry.companions for id in companion.cards}
    titles = [card.title for card in entry.cards]
    for k, card in enumerate(entry.cards):
        at: Path_ = ("cards", k)
        if card.title in titles[:k]:
            yield source.mistake("knee_deep.title_twice", (*at, "title"), name=card.title)
        if not source.complete(at):
            continue
        if source.complete(("companions",)) and not card.neutral and card.id not in in_decks:
            yield source.mistake("knee_deep.no_deck", at, name=card.id)
        if not card.effects and not card.combat:
            yield source.mistake("knee_deep.does_nothing", at, name=card.id)
        yield from _idle_clauses(source, card, at, card.kind == "war", numbers)
    for k, companion in enumerate(entry.companions):
        at = ("companions", k, "ability")
        if (ability := companion.ability) and source.complete(at):
            if not ability.effects:
                yield source.mistake("knee_deep.does_nothing", at, name=ability.title)
            yield from _idle_clauses(source, ability, at, False, numbers)


def _idle_clauses(
    source: Source, it: Card | Ability, at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    conditions = [clause for clause in it.conditions if isinstance(clause, Condition)]
    for k, condition in enumerate(conditions):
        if (never := _settled(condition, numbers)) is not None:
            key = "knee_deep.never" if never else "knee_deep.always"
            yield source.mistake(key, (*at, "if", k), what=condition.sentence(war))
    for (_, one), (k, other) in combinations(enumerate(conditions), 2):
        if _exclude(one, other):
            yield source.mistake("knee_deep.never_both", (*at, "if", k), what=other.sentence(war))
    for k, effect in enumerate(it.effects):
        assert isinstance(effect, Effect)
        place = (*at, "do", k)
        if _never(effect, numbers):
            optional = getattr(effect, "optional", False)
            key = "knee_deep.idle" if optional else "knee_deep.never"
            yield source.mistake(key, place, what=effect.sentence(war))
        elif _idle(effect, war):
            yield source.mistake("knee_deep.idle", place, what=effect.sentence(war))
        for key in _idle_keys(effect, _table(source, place)):
            yield source.mistake("knee_deep.idle_key", place, key=key)


def _settled(condition: Condition, numbers: Values) -> bool | None:
    """True for a condition that never holds, False for one that always does; None for any other."""
    if not isinstance(condition, Ranged):
        return None
    first, last = int(isinstance(condition, Round)), _last(condition, numbers)
    least, most = max(condition.least, first), min(condition.most, last)
    if first < least <= most or least <= most < last:
        return None
    return (least > most) != condition.negate


def _last(condition: Ranged, numbers: Values) -> int:
    """How many there can be at most of what a condition counts."""
    if isinstance(condition, Count | Supply):
        return _units(condition.unit, condition.of, numbers)
    if isinstance(condition, CardsHeld):
        return numbers.neutral_cards + 2 * numbers.companion_cards
    return EVER


def _units(group: str, of: str, numbers: Values) -> int:
    """How many units there are of a group."""
    supply = sum(unit.supply for unit in numbers.units if unit.id in GROUPS[group])
    return supply * (2 if of == "any" else 1)


def _exclude(one: Condition, other: Condition) -> bool:
    """Whether two conditions can never both hold."""
    if one.negate != other.negate:
        return replace(one, negate=other.negate) == other
    if one.negate:
        return False
    if isinstance(one, Role) and isinstance(other, Role):
        return one.role != other.role
    if not isinstance(one, Ranged) or not isinstance(other, Ranged):
        return False
    same = replace(one, least=0, most=EVER) == replace(other, least=0, most=EVER)
    return same and max(one.least, other.least) > min(one.most, other.most)


def _never(effect: Effect, numbers: Values) -> bool:
    """Whether it can never be done: more units than there are, or none that it can be done to."""
    if isinstance(effect, PlaceUnits):
        return effect.amount > _units(effect.unit, "self", numbers)
    if isinstance(effect, Damage):
        kinds = GROUPS[effect.unit]
        return all(unit.hp > effect.amount for unit in numbers.units if unit.id in kinds)
    if isinstance(effect, SeveralTargets):
        return effect.amount > _units(effect.unit, effect.of, numbers)
    return isinstance(effect, Walk) and set(GROUPS[effect.unit]) <= set(STRUCTURES)


def _idle(effect: Effect, war: bool) -> bool:
    """Whether it changes nothing, whenever it is done."""
    if isinstance(effect, Bonus | Modify) and effect.amount == 0:
        return True
    if isinstance(effect, Sum) and effect.per and effect.most == 0:
        return True
    if isinstance(effect, Modify) and effect.rule == "move" and effect.unit in STRUCTURES:
        return True
    if isinstance(effect, Include) and effect.where == "zone":
        return True
    if isinstance(effect, Exclude) and effect.where == "near_zone":
        return True
    other = isinstance(effect, Gain | SetRule)  # the enemy has nothing, and builds nothing, now
    other = other or (isinstance(effect, Modify) and effect.rule == "move")
    return not war and other and getattr(effect, "of", "self") == "enemy"


def _idle_keys(effect: Effect, table: dict[str, Any]) -> Iterator[str]:
    """Keys that are there and mean nothing beside the others."""
    near = bool(getattr(effect, "near", ""))
    if isinstance(effect, Sum) and not effect.per and "most" in table:
        yield "most"
    if isinstance(effect, Targets) and effect.where != "board" and near:
        yield "near"
    away = isinstance(effect, Targets) and effect.where == "near_zone"
    on_board = not isinstance(effect, Targets) or effect.where == "board"
    if "within" in table and not away and not (near and on_board):
        yield "within"


def _table(source: Source, at: Path_) -> dict[str, Any]:
    inside: Any = source.data
    for part in at:
        inside = inside[part]
    return dict(inside)
