"""A box is looked over: every mistake of form and of meaning in one round, and what is unusual.

A mistake keeps a box from being played with; what is unusual can be right and hardly ever is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from hexboard.files import Path_, Source, nearest, read, sound, told
from hexboard.games.knee_deep.cards import TYPES, Card, Clause, Companion, Number, Passive, Trigger
from hexboard.games.knee_deep.conditions import AnyOf, Formation, Joined, Role
from hexboard.games.knee_deep.effects import Manual
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.limits import Limited
from hexboard.games.knee_deep.loops import Loop
from hexboard.games.knee_deep.state import FORMATIONS
from hexboard.games.knee_deep.unusual import COSTS, unusual
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
MOST_VEHICLES = 7
"""Half of all that a side has: more never stand together in a zone."""
MOST_DEEP = 3
"""So many lists of conditions stand within each other: more is no sentence that people follow."""
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
    wrong = [*_surplus(source, tables), *_unquoted(source), *_misjoined(source)]
    entry, misshapen = read(source, BoxFile)
    wrong += misshapen
    entry = sound(source, BoxFile) if misshapen else entry
    if entry is None:
        return Findings(None, wrong, [])
    empty = _unfilled(source, entry) if filled else ()
    every = told(source, chain(wrong, _mistakes(source, entry, ids), empty))
    return Findings(entry, every, told(source, unusual(source, entry, _sane(entry))))


def _surplus(source: Source, cards: list[Any]) -> Iterator[Message]:
    """Cards for which there is no number are not looked at."""
    count, last = len(cards), ("cards", MOST_CARDS)
    if count > MOST_CARDS:
        yield source.mistake("knee_deep.too_many", last, count=count, most=MOST_CARDS)
    for k in reversed(range(MOST_CARDS, count)):
        source.drop(("cards", k))


def _unquoted(source: Source) -> Iterator[Message]:
    """Numbers whose names have no quotes: to TOML they are tables."""
    listed = source.data.get("numbers")
    numbers = listed if isinstance(listed, dict) else {}
    for name in [name for name, number in numbers.items() if isinstance(number, dict)]:
        at, stats = ("numbers", name), numbers[name]
        stat = next(iter(stats), "cost")
        yield source.mistake("knee_deep.unquoted", at, name=f"{name}.{stat}"[:MOST_LETTERS])
        source.drop(at)


def _misjoined(source: Source) -> Iterator[Message]:
    """Conditions that join too few, or stand too deep in each other, and loops of nothing: such are
    not looked at."""
    found: list[tuple[Path_, Message]] = []
    inside: list[tuple[Path_, Any]] = [((), source.data)]
    while inside:
        at, value = inside.pop()  # the last one first, so that places stay what they are
        deep, listed = at.count("if"), bool(at) and at[-1] == "if" and isinstance(value, list)
        if listed and deep > MOST_DEEP:
            found.append((at[:-1], source.mistake("knee_deep.too_deep", at, most=MOST_DEEP)))
        elif listed and deep > 1 and len(value) < 2:
            few = source.mistake("knee_deep.few_parts", at, count=len(value))
            found.append((at[:-1], few))
        elif at and at[-1] == "then" and value == []:
            found.append((at[:-1], source.mistake("knee_deep.empty_loop", at)))
        else:
            inside += [((*at, key), item) for key, item in _items(value)]
    for at in dict.fromkeys(at for at, _ in found if at):  # of one table two things may be wrong
        source.drop(at)
    yield from (wrong for _, wrong in found)


def _items(value: Any) -> Iterable[tuple[str | int, Any]]:
    """What stands in a table or a list, each with its key."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


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
    yield from _formations(source, entry)
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


# ----------------------------------------------------------------------------------- formations


def _formations(source: Source, entry: BoxFile) -> Iterator[Message]:
    """The box's own: a name, and two to seven fields on which a vehicle stands each."""
    for name, fields in entry.formations.items():
        at = ("formations", name)
        if not _word(name):
            yield source.mistake("knee_deep.card_id", at, name=name[:MOST_LETTERS])
        elif name in FORMATIONS:
            yield source.mistake("knee_deep.card_twice", at, name=name)
        if not 2 <= len({*fields}) == len(fields) <= MOST_VEHICLES:
            yield source.mistake("knee_deep.formation_fields", at, most=MOST_VEHICLES)
        elif any(abs(number) > MOST for field in fields for number in field):
            yield source.mistake("knee_deep.formation_far", at, most=MOST)


def _pattern(source: Source, formation: Formation, at: Path_) -> Iterator[Message]:
    """A pattern that there is not."""
    known, word = [*FORMATIONS, *source.data.get("formations", {})], formation.pattern
    if word not in known:
        near, listed = nearest(word, known), ", ".join(known)
        place, word = (*at, "pattern"), word[:MOST_LETTERS]
        yield source.mistake("file.one_of", place, word=word, near=near, known=listed)


# ------------------------------------------------------------------------------ one of the cards


def _line(source: Source, text: str, at: Path_) -> Iterator[Message]:
    """A name that people read."""
    if not text.strip() or len(text) > MOST_LETTERS or not text.isprintable():
        yield source.mistake("knee_deep.no_title", at, key=str(at[-1]), most=MOST_LETTERS)


def _word(id: str) -> bool:
    return id.replace("_", "").isalnum() and id.isascii() and len(id) <= MOST_LETTERS


def _one(source: Source, it: Card | Companion, at: Path_) -> Iterator[Message]:
    """What cards and companions have in common: an id, numbers, how sure they are."""
    if not _word(it.id) or it.id == "none":
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
    yield from _line(source, card.source, (*at, "source"))
    costs = [key for key in COSTS if getattr(card, key)]
    if card.kind == "war" and costs:
        yield source.mistake("knee_deep.war_cost", (*at, costs[0]), key=costs[0])
    if card.kind == "action" and card.combat:
        yield source.mistake("knee_deep.action_combat", (*at, "combat"))
    yield from _number(source, card.authority, (*at, "authority"))
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
    yield from _triggers(source, companion.triggers, (*place[:-1], "triggers"))
    yield from _passives(source, companion.passives, (*place[:-1], "passives"))


def _triggers(source: Source, triggers: tuple[Trigger, ...], at: Path_) -> Iterator[Message]:
    if (count := len(triggers)) > MOST_CLAUSES:
        yield source.mistake("knee_deep.too_many", at, count=count, most=MOST_CLAUSES)
    for k, trigger in enumerate(triggers):
        yield from _line(source, trigger.title, (*at, k, "title"))
        yield from _clauses(source, trigger, (*at, k), trigger.in_war)
        limit = trigger.limit
        if not (limit.turn or limit.game or (limit.war and trigger.in_war)):
            yield source.mistake("knee_deep.endless", (*at, k, "limit"))


def _passives(source: Source, passives: tuple[Passive, ...], at: Path_) -> Iterator[Message]:
    if (count := len(passives)) > MOST_CLAUSES:
        yield source.mistake("knee_deep.too_many", at, count=count, most=MOST_CLAUSES)
    for k, passive in enumerate(passives):
        yield from _line(source, passive.title, (*at, k, "title"))
        if (count := _count(passive.conditions)) > MOST_CLAUSES:
            place = (*at, k, "if")
            yield source.mistake("knee_deep.too_many", place, count=count, most=MOST_CLAUSES)
        for j, clause in enumerate(passive.conditions):
            yield from _clause(source, clause, (*at, k, "if", j), passive.in_war)


def _copies(
    source: Source, copies: int, at: Path_, least: int, numbers: Values
) -> Iterator[Message]:
    why = message("knee_deep.why_copies")
    yield from _within(source, copies, at, str(at[-1]), least, numbers.copies, why)


def _clauses(source: Source, it: Limited, at: Path_, war: bool) -> Iterator[Message]:
    for key, clauses in (("if", it.conditions), ("do", it.effects)):
        if (count := _count(clauses)) > MOST_CLAUSES:
            yield source.mistake("knee_deep.too_many", (*at, key), count=count, most=MOST_CLAUSES)
        for k, clause in enumerate(clauses):
            yield from _clause(source, clause, (*at, key, k), war)
    if it.limit and it.limit.war and not (war or isinstance(it, Trigger)):
        yield source.mistake("knee_deep.war_effect", (*at, "limit", "war"))


def _count(clauses: tuple[Clause, ...]) -> int:
    """How many there are, with those within others."""
    inner = (_count(it.parts) for it in clauses if isinstance(it, Joined | Loop))
    return len(clauses) + sum(inner)


def _clause(source: Source, clause: Clause, at: Path_, war: bool) -> Iterator[Message]:
    if isinstance(clause, Manual) and not _readable(clause.text):
        yield source.mistake("knee_deep.no_text", at)
    if not war and _of_war(clause):
        yield source.mistake("knee_deep.war_effect", at)
    if isinstance(clause, Formation):
        yield from _pattern(source, clause, at)
    if isinstance(clause, Loop):
        for k, effect in enumerate(clause.parts):
            yield from _clause(source, effect, (*at, "then", k), war)
    if isinstance(clause, Joined):
        count, place = len(clause.parts), (*at, "if")
        if isinstance(clause, AnyOf) and clause.least >= count and source.complete(place):
            why, least = message("knee_deep.why_any", count=count), (*at, "least")
            yield from _within(source, clause.least, least, "least", 1, count - 1, why)
        for k, part in enumerate(clause.parts):
            yield from _clause(source, part, (*place, k), war)


def _readable(text: str) -> bool:
    """Whether people can read it, a line or several."""
    lines = text.splitlines()
    return bool(text.strip()) and all(line.isprintable() for line in lines)


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
