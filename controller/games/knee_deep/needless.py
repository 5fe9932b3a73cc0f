"""What in a box is needless or odd: implied by something else, out of reach, too late to matter.

Each can be right and hardly ever is, as all that `unusual` tells.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import NamedTuple

from msgspec.structs import replace

from hexboard.files import Path_, Source
from hexboard.games.knee_deep.cards import TYPES, Clause, Companion, Trigger
from hexboard.games.knee_deep.choices import PlaceUnits, Relocate
from hexboard.games.knee_deep.conditions import (
    EVER,
    AllOf,
    Condition,
    Count,
    Formation,
    Joined,
    Ranged,
    UnitsLost,
)
from hexboard.games.knee_deep.effects import Cancel, Effect, Gain, Modify, SetRule, Sum
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.limits import Limited
from hexboard.games.knee_deep.loops import ForEach, Loop
from hexboard.games.knee_deep.passives import WarBonus
from hexboard.games.knee_deep.state import PATTERNS, turned
from hexboard.games.knee_deep.values import GROUPS, Values
from hexboard.words import Message

ACROSS = 30
"""Fields across the largest map: no unit goes further."""
ACROSS_A_ZONE = 5
"""Fields between the two that are furthest apart in a zone of three flowers."""
TOO_LATE = ("turn_ends", "war_won", "war_ends", "marked")
"""Moments after which a turn has neither actions nor another war."""
ONCE_A_TURN = (*TOO_LATE, "turn_begins", "war_begins", "war_counts")
Spot = tuple[int, int]


class Spoken(NamedTuple):
    """A card, an ability or a trigger, and where it stands."""

    it: Limited
    at: Path_
    war: bool

    @property
    def moment(self) -> str:
        """What sets it off; "" for what people play."""
        return self.it.on if isinstance(self.it, Trigger) else ""


def needless(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """A sentence for each."""
    yield from _numbers(source, entry, numbers)
    yield from _formations(source, entry)
    yield from _names(source, entry)
    for k, companion in enumerate(entry.companions):
        for j, passive in enumerate(companion.passives):
            if isinstance(passive, WarBonus) and passive.of == "any" and not passive.conditions:
                at = ("companions", k, "passives", j)  # the difference decides a war
                yield source.mistake("knee_deep.idle", at, what=passive.gives)
    for spoken in _all(entry):
        if source.complete(spoken.at):
            yield from _conditions(source, spoken)
            yield from _effects(source, spoken, numbers)
            yield from _limit(source, spoken)


def _all(entry: BoxFile) -> Iterator[Spoken]:
    for k, card in enumerate(entry.cards):
        yield Spoken(card, ("cards", k), card.kind == "war")
    for k, companion in enumerate(entry.companions):
        if companion.ability:
            yield Spoken(companion.ability, ("companions", k, "ability"), False)
        for j, trigger in enumerate(companion.triggers):
            yield Spoken(trigger, ("companions", k, "triggers", j), trigger.in_war)


# -------------------------------------------------------------------------- the box as a whole


def _numbers(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """Hands that are too large as soon as they are drawn."""
    limit = numbers.hand_limit
    for key, count in (
        ("opening_hand", numbers.opening_hand),
        ("power_up_cards", numbers.power_up_cards),
    ):
        if count > limit and {key, "hand_limit"} & entry.numbers.keys():
            at = ("numbers", key if key in entry.numbers else "hand_limit")
            yield source.mistake("knee_deep.over_limit", at, count=count, limit=limit)


def _formations(source: Source, entry: BoxFile) -> Iterator[Message]:
    """Formations that nothing asks for, that lie in no zone, or that another one is already."""
    asked = {it.pattern for spoken in _conditions_of(entry) for it in _within(spoken)}
    known = {name: _turns(fields) for name, fields in PATTERNS.items()}
    for name, fields in entry.formations.items():
        at, turns = ("formations", name), _turns(fields)
        same = next((other for other, theirs in known.items() if theirs & turns), "")
        if same:
            yield source.mistake("knee_deep.same_formation", at, name=name, other=same)
        elif max((_apart(one, two) for one, two in combinations(fields, 2)), default=0) > (
            ACROSS_A_ZONE
        ):
            yield source.mistake("knee_deep.wide_formation", at, name=name, most=ACROSS_A_ZONE)
        elif name not in asked:
            yield source.mistake("knee_deep.no_use", at, name=name)
        known[name] = turns


def _conditions_of(entry: BoxFile) -> Iterator[tuple[Clause, ...]]:
    for spoken in _all(entry):
        yield spoken.it.conditions
    for companion in entry.companions:
        for passive in companion.passives:
            yield passive.conditions


def _within(clauses: tuple[Clause, ...]) -> Iterator[Formation]:
    for clause in clauses:
        if isinstance(clause, Formation):
            yield clause
        elif isinstance(clause, Joined):
            yield from _within(clause.parts)


def _turns(fields: tuple[Spot, ...]) -> set[frozenset[Spot]]:
    """A formation in its six turns, wherever it lies."""
    found: set[frozenset[Spot]] = set()
    for shape in turned(fields) if fields else ():
        q0, r0 = min(shape)
        found.add(frozenset((q - q0, r - r0) for q, r in shape))
    return found


def _apart(one: Spot, other: Spot) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def _names(source: Source, entry: BoxFile) -> Iterator[Message]:
    """Titles and ids that lead astray."""
    ids = [card.id.casefold() for card in entry.cards]
    for k, card in enumerate(entry.cards):
        yield from _blanks(source, card.title, ("cards", k, "title"))
        if ids[k] in ids[:k] and card.id not in {it.id for it in entry.cards[:k]}:
            yield source.mistake("knee_deep.alike", ("cards", k, "id"), name=card.id)
    for k, companion in enumerate(entry.companions):
        at: Path_ = ("companions", k)
        others = [type for type in TYPES if type != companion.type and type in companion.id]
        if others and companion.type not in companion.id:
            yield source.mistake(
                "knee_deep.other_type", (*at, "id"), name=companion.id, type=companion.type
            )
        titles = list[str]()
        for place, title in _titles(companion, at):
            yield from _blanks(source, title, place)
            if title.casefold() in titles:
                yield source.mistake("knee_deep.called_twice", place, name=title)
            titles.append(title.casefold())


def _titles(companion: Companion, at: Path_) -> Iterator[tuple[Path_, str]]:
    if companion.ability:
        yield (*at, "ability", "title"), companion.ability.title
    for k, trigger in enumerate(companion.triggers):
        yield (*at, "triggers", k, "title"), trigger.title
    for k, passive in enumerate(companion.passives):
        yield (*at, "passives", k, "title"), passive.title


def _blanks(source: Source, title: str, at: Path_) -> Iterator[Message]:
    plain = " ".join(title.split())
    if plain and plain != title:
        yield source.mistake("knee_deep.blanks", at, name=plain)


# ---------------------------------------------------------------------------------- what is said


def _conditions(source: Source, spoken: Spoken) -> Iterator[Message]:
    found = [it for it in spoken.it.conditions if isinstance(it, Condition)]
    yield from _implied(source, found, (*spoken.at, "if"), spoken.war)
    for k, condition in enumerate(found):
        if isinstance(condition, AllOf) and not condition.negate:
            place = (*spoken.at, "if", k, "if")
            yield from _implied(source, list(condition.parts), place, spoken.war)


def _implied(
    source: Source, conditions: list[Condition], at: Path_, war: bool
) -> Iterator[Message]:
    """Conditions that hold whenever another one does."""
    for (j, one), (k, other) in permutations(enumerate(conditions), 2):
        if one != other and _implies(one, other) and not (_implies(other, one) and j > k):
            yield source.mistake("knee_deep.implied", (*at, k), what=other.sentence(war))
            return


def _implies(one: Condition, other: Condition) -> bool:
    """Whether there are as many as `other` wants, whenever there are as many as `one` does."""
    if one.negate or other.negate or not (isinstance(one, Ranged) and isinstance(other, Ranged)):
        return False
    if type(one) is not type(other) or not other.least <= one.least <= one.most <= other.most:
        return _more(one, other)
    return replace(one, least=other.least, most=other.most) == other or _more(one, other)


def _more(one: Condition, other: Condition) -> bool:
    """At least so many of a kind are at least as many of what the kind belongs to."""
    if isinstance(one, Count) and isinstance(other, Count):
        if other.where not in ("board", one.where):
            return False
    elif not (isinstance(one, UnitsLost) and isinstance(other, UnitsLost)):
        return False
    inside = {*GROUPS[one.unit]} <= {*GROUPS[other.unit]} and other.of in (one.of, "any")
    return inside and other.most >= EVER and one.least >= other.least


def _effects(source: Source, spoken: Spoken, numbers: Values) -> Iterator[Message]:
    effects = [it for it in spoken.it.effects if isinstance(it, Effect)]
    for k, effect in enumerate(effects):
        at = (*spoken.at, "do", k)
        yield from _effect(source, effect, at, spoken, numbers)
        later = [it for it in effects[k + 1 :] if isinstance(it, SetRule) and it != effect]
        if isinstance(effect, SetRule) and any(it.of == effect.of for it in later):
            yield source.mistake("knee_deep.idle", at, what=effect.sentence(spoken.war))
        if isinstance(effect, Loop):
            for j, part in enumerate(effect.parts):
                place = (*at, "then", j)
                if isinstance(part, Effect):
                    yield from _effect(source, part, place, spoken, numbers)


def _effect(
    source: Source, effect: Effect, at: Path_, spoken: Spoken, numbers: Values
) -> Iterator[Message]:
    if _too_late(effect, spoken):
        yield source.mistake("knee_deep.idle", at, what=effect.sentence(spoken.war))
    in_turn = isinstance(effect, Gain | SetRule)
    in_turn = in_turn or (isinstance(effect, Modify) and effect.rule == "move")
    if in_turn and getattr(effect, "of", "") == "any":
        yield source.mistake("knee_deep.idle_key", (*at, "of"), key="of")
    if isinstance(effect, Relocate) and ACROSS <= effect.most < EVER:
        yield source.mistake("knee_deep.idle_key", (*at, "most"), key="most")
    if isinstance(effect, ForEach) and _supply(effect.unit, numbers) <= effect.most < EVER:
        yield source.mistake("knee_deep.idle_key", (*at, "most"), key="most")
    if isinstance(effect, Sum) and effect.per and 0 < effect.most < EVER and effect.amount > 0:
        if effect.most < effect.amount:
            amount, most = effect.amount, effect.most
            yield source.mistake("knee_deep.below", (*at, "most"), amount=amount, most=most)
        elif effect.most >= effect.amount * _supply(effect.per, numbers):
            yield source.mistake("knee_deep.idle_key", (*at, "most"), key="most")


def _too_late(effect: Effect, spoken: Spoken) -> bool:
    """Whether there is nothing left that it could change: a stock is lost when the turn is over."""
    moment, stock = spoken.moment, isinstance(effect, Gain)
    if moment in TOO_LATE[1:] and (stock or isinstance(effect, Modify | SetRule)):
        return True
    if moment == "turn_begins" and isinstance(spoken.it, Trigger) and stock:
        return spoken.it.of == "enemy" and getattr(effect, "of", "") == "self"
    if moment == "war_begins" and isinstance(effect, Cancel):
        return True  # no card is laid yet
    placing = any(isinstance(it, PlaceUnits) for it in spoken.it.effects)  # which may cost (A18)
    return spoken.war and stock and not placing


def _supply(group: str, numbers: Values) -> int:
    """How many units of a group a side has."""
    return sum(unit.supply for unit in numbers.units if unit.id in GROUPS[group])


def _limit(source: Source, spoken: Spoken) -> Iterator[Message]:
    """Limits that a moment, which comes once a turn, never reaches."""
    limit = spoken.it.limit
    if limit is None or spoken.moment not in ONCE_A_TURN:
        return
    for key, most in (("turn", limit.turn), ("war", limit.war)):
        if most and most > 1:
            yield source.mistake("knee_deep.idle_key", (*spoken.at, "limit", key), key=key)
