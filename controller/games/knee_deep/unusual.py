"""What in a box can be right and hardly ever is: in no deck, without effect, never playable."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from hexboard.files import Path_, Source
from hexboard.games.knee_deep.cards import Card, Clause, Limit, Passive, Trigger
from hexboard.games.knee_deep.choices import (
    Damage,
    Exclude,
    Include,
    PlaceUnits,
    Relocate,
    ReturnUnits,
    SeveralTargets,
    Targets,
    Walk,
)
from hexboard.games.knee_deep.circles import circles
from hexboard.games.knee_deep.conditions import (
    EVER,
    AllOf,
    AnyOf,
    CardsHeld,
    Condition,
    Count,
    Discards,
    Formation,
    Joined,
    Ranged,
    Role,
    Round,
    Supply,
    UnitsLost,
)
from hexboard.games.knee_deep.effects import Bonus, Cancel, Effect, Gain, Modify, SetRule, Sum
from hexboard.games.knee_deep.entries import BoxFile
from hexboard.games.knee_deep.limits import Limited
from hexboard.games.knee_deep.loops import Loop, Repeat
from hexboard.games.knee_deep.needless import needless
from hexboard.games.knee_deep.state import FORMATIONS
from hexboard.games.knee_deep.triggers import OF_UNITS, UNASKED
from hexboard.games.knee_deep.values import GROUPS, STRUCTURES, Values
from hexboard.words import Message

COSTS = ("material", "energy")


def unusual(source: Source, entry: BoxFile, numbers: Values) -> Iterator[Message]:
    """A sentence on each card that is in no deck, does nothing or can never be played, and on each
    key that means nothing where it stands. What has a mistake is not looked at, what stands beside
    it in the same card is."""
    in_decks = {id for companion in entry.companions for id in companion.cards}
    titles = [" ".join(card.title.split()).casefold() for card in entry.cards]
    for k, card in enumerate(entry.cards):
        at: Path_ = ("cards", k)
        if titles[k] in titles[:k]:
            yield source.mistake("knee_deep.title_twice", (*at, "title"), name=card.title)
        whole = source.complete(at)
        decks = whole and source.complete(("companions",))
        if decks and not card.neutral and card.id not in in_decks:
            yield source.mistake("knee_deep.no_deck", at, name=card.id)
        if whole and not card.effects and not card.combat:
            yield source.mistake("knee_deep.does_nothing", at, name=card.id)
        for key in card.status.keys() & ({*COSTS} if card.kind == "war" else {"combat"}):
            yield source.mistake("knee_deep.idle_key", (*at, "status", key), key=key)
        yield from _idle_clauses(source, card, at, card.kind == "war", numbers)
    for k, companion in enumerate(entry.companions):
        at = ("companions", k, "ability")
        if ability := companion.ability:
            if source.complete(at) and not ability.effects:
                yield source.mistake("knee_deep.does_nothing", at, name=ability.title)
            yield from _idle_clauses(source, ability, at, False, numbers)
        for j, trigger in enumerate(companion.triggers):
            yield from _idle_trigger(source, trigger, ("companions", k, "triggers", j), numbers)
        for j, passive in enumerate(companion.passives):
            at = ("companions", k, "passives", j)
            if source.complete(at):
                yield from _idle_passive(source, passive, at, numbers)
    yield from needless(source, entry, numbers)
    yield from circles(source, entry)


def _idle_passive(source: Source, it: Passive, at: Path_, numbers: Values) -> Iterator[Message]:
    conditions = tuple(clause for clause in it.conditions if isinstance(clause, Condition))
    yield from _idle_conditions(source, conditions, (*at, "if"), it.in_war, numbers)
    fixed = it.rule == "move" and {*GROUPS[it.group]} <= {*STRUCTURES}
    if fixed or it.amount == 0 or (it.rule == "builders" and it.amount >= numbers.builders):
        yield source.mistake("knee_deep.idle", at, what=it.gives)


def _idle_trigger(
    source: Source, trigger: Trigger, at: Path_, numbers: Values
) -> Iterator[Message]:
    if not trigger.effects and source.complete(at):
        yield source.mistake("knee_deep.does_nothing", at, name=trigger.title)
    table = _table(source, at)
    if trigger.on in UNASKED and "of" in table:
        yield source.mistake("knee_deep.idle_key", (*at, "of"), key="of")
    if trigger.on not in OF_UNITS.values() and "unit" in table:
        yield source.mistake("knee_deep.idle_key", (*at, "unit"), key="unit")
    for k, effect in enumerate(trigger.effects):
        if trigger.on == "turn_ends" and isinstance(effect, Gain | Modify | SetRule):
            what = effect.sentence(war=False)  # the stock is lost, and the turn is over
            yield source.mistake("knee_deep.idle", (*at, "do", k), what=what)
    yield from _idle_clauses(source, trigger, at, trigger.in_war, numbers)


def _idle_clauses(
    source: Source, it: Limited, at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    conditions = tuple(clause for clause in it.conditions if isinstance(clause, Condition))
    yield from _idle_conditions(source, conditions, (*at, "if"), war, numbers)
    idle_limits = _idle_limits(it.limit, war and isinstance(it, Card)) if it.limit else ()
    for key in idle_limits:
        place = (*at, "limit", key) if key else (*at, "limit")
        yield source.mistake("knee_deep.idle_key", place, key=key or "limit")
    for k, effect in enumerate(it.effects):
        assert isinstance(effect, Effect)
        place = (*at, "do", k)
        if not source.complete(place):
            continue
        if _never(effect, numbers):
            optional = getattr(effect, "optional", False)
            key = "knee_deep.idle" if optional else "knee_deep.never"
            yield source.mistake(key, place, what=effect.sentence(war))
        elif source.complete(at) and _together(it, k, numbers):
            yield source.mistake("knee_deep.never_both", place, what=effect.sentence(war))
        elif _idle(effect, war, numbers) or (effect in it.effects[:k] and _once(effect)):
            yield source.mistake("knee_deep.idle", place, what=effect.sentence(war))
        elif isinstance(effect, Loop):
            yield from _idle_loop(source, effect, (*place, "then"), war, numbers)
        for key in idle_keys(effect, _table(source, place)):
            yield source.mistake("knee_deep.idle_key", place, key=key)


def _idle_loop(
    source: Source, loop: Loop, at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    """Parts of a loop that can never be done, change nothing, or nothing a second time."""
    for k, effect in enumerate(loop.parts):
        place = (*at, k)
        if _never(effect, numbers) and not getattr(effect, "optional", False):
            yield source.mistake("knee_deep.never", place, what=effect.sentence(war))
        elif _never(effect, numbers) or _idle(effect, war, numbers) or _once(effect):
            yield source.mistake("knee_deep.idle", place, what=effect.sentence(war))
        for key in idle_keys(effect, _table(source, place)):
            yield source.mistake("knee_deep.idle_key", place, key=key)


def _idle_limits(limit: Limit, war: bool) -> Iterator[str]:
    """Limits that are never reached: a seat lays one card a war, and has one war a turn."""
    if limit == Limit():
        yield ""
    if limit.turn and (war or (limit.game and limit.game <= limit.turn)):
        yield "turn"
    if limit.war and war:
        yield "war"


def _idle_conditions(
    source: Source, conditions: tuple[Condition, ...], at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    """What is never or always so, said twice, or cannot be at the same time."""
    whole = [(k, it) for k, it in enumerate(conditions) if source.complete((*at, k))]
    for k, condition in whole:
        if (never := _settled(condition, numbers)) is not None:
            key = "knee_deep.never" if never else "knee_deep.always"
            yield source.mistake(key, (*at, k), what=condition.sentence(war))
        elif isinstance(condition, Joined):
            yield from _idle_parts(source, condition, (*at, k, "if"), war, numbers)
    for (_, one), (k, other) in combinations(whole, 2):
        if one == other:
            yield source.mistake("knee_deep.said_twice", (*at, k), what=other.sentence(war))
        elif _exclude(one, other, numbers):
            yield source.mistake("knee_deep.never_both", (*at, k), what=other.sentence(war))


def _idle_parts(
    source: Source, joined: Joined, at: Path_, war: bool, numbers: Values
) -> Iterator[Message]:
    """Parts of a condition that change nothing in it."""
    for k, part in enumerate(joined.parts):
        if _settled(part, numbers) is not None:
            yield source.mistake("knee_deep.idle", (*at, k), what=part.sentence(war))
        elif part in joined.parts[:k]:
            yield source.mistake("knee_deep.said_twice", (*at, k), what=part.sentence(war))
        elif isinstance(part, Joined):
            yield from _idle_parts(source, part, (*at, k, "if"), war, numbers)


def _settled(condition: Condition, numbers: Values) -> bool | None:
    """True for a condition that never holds, False for one that always does; None for any other."""
    if isinstance(condition, Joined):
        return _settled_parts(condition, numbers)
    if not isinstance(condition, Ranged):
        return None
    first, last = int(isinstance(condition, Round)), _last(condition, numbers)
    least, most = max(condition.least, first), min(condition.most, last)
    if first < least <= most or least <= most < last:
        return None
    return (least > most) != condition.negate


def _settled_parts(joined: Joined, numbers: Values) -> bool | None:
    parts = joined.parts
    settled = [_settled(part, numbers) for part in parts]
    least = joined.least if isinstance(joined, AnyOf) else len(parts)
    clash = isinstance(joined, AllOf) and any(
        _exclude(one, other, numbers) for one, other in combinations(parts, 2)
    )
    if clash or len(parts) - settled.count(True) < least:
        return not joined.negate
    return joined.negate if settled.count(False) >= least else None


def _last(condition: Ranged, numbers: Values) -> int:
    """How many there can be at most of what a condition counts."""
    if isinstance(condition, Count | Supply | UnitsLost):
        return _units(condition.unit, condition.of, numbers)
    if isinstance(condition, CardsHeld):
        return _deck(numbers)
    if isinstance(condition, Discards):
        return _deck(numbers) * (2 if condition.of == "any" else 1)
    return EVER


def _deck(numbers: Values) -> int:
    """How many cards a deck has."""
    return numbers.neutral_cards + 2 * numbers.companion_cards


def _units(group: str, of: str, numbers: Values) -> int:
    """How many units there are of a group."""
    supply = sum(unit.supply for unit in numbers.units if unit.id in GROUPS[group])
    return supply * (2 if of == "any" else 1)


def _exclude(one: Condition, other: Condition, numbers: Values) -> bool:
    """Whether two conditions can never both hold."""
    if one.negate != other.negate and replace(one, negate=other.negate) == other:
        return True
    if isinstance(one, Role) and isinstance(other, Role):
        return (one.role == other.role) == (one.negate != other.negate)
    if one.negate or other.negate:
        return False
    if _shared_out(one, other, numbers) or _shared_out(other, one, numbers):
        return True
    one, other = _counted(one), _counted(other)
    if isinstance(one, Count) and isinstance(other, Count):
        return _few(one, other) or _few(other, one)
    if not (isinstance(one, Ranged) and isinstance(other, Ranged)):
        return False
    same = replace(one, least=other.least, most=other.most) == other
    return same and max(one.least, other.least) > min(one.most, other.most)


def _shared_out(one: Condition, other: Condition, numbers: Values) -> bool:
    """Whether more must stand on the board and be in the supply than there are."""
    if not (isinstance(one, Count) and isinstance(other, Supply)):
        return False
    same = (one.unit, one.of) == (other.unit, other.of)
    return same and one.least + other.least > _units(one.unit, one.of, numbers)


def _counted(condition: Condition) -> Condition:
    """A formation as the vehicles that it takes at least."""
    if not isinstance(condition, Formation):
        return condition
    least = 3 if condition.pattern in FORMATIONS and condition.pattern != "gap2" else 2
    return Count(unit="vehicle", where="zone", least=least)


def _few(some: Count, of: Count) -> bool:
    """Whether there must be more of some units than there may be of those that they belong to."""
    inside = some.of == of.of or of.of == "any"
    inside = inside and {*GROUPS[some.unit]} <= {*GROUPS[of.unit]}
    return inside and of.where in ("board", some.where) and some.least > of.most


def _together(it: Limited, k: int, numbers: Values) -> bool:
    """Whether an effect cannot be done beside those before it, or what the card needs: it places
    more units than the supply has then."""
    effect = it.effects[k]
    if not isinstance(effect, PlaceUnits) or effect.optional or effect.revives:
        return False
    places = [e for e in it.effects[:k] if isinstance(e, PlaceUnits) and not e.revives]
    before = [e for e in places if e.unit == effect.unit]
    placed = effect.amount + sum(other.amount for other in before if not other.optional)
    supplies = [c for c in it.conditions if isinstance(c, Supply) and not c.negate]
    own = [c.most for c in supplies if c.of == "self" and effect.unit in GROUPS[c.unit]]
    back = any(isinstance(e, ReturnUnits) for e in it.effects[:k])
    return not back and placed > min([_units(effect.unit, "self", numbers), *own])


def _once(effect: Clause) -> bool:
    """Whether it changes nothing a second time."""
    return isinstance(effect, Cancel | SetRule)


def _never(effect: Effect, numbers: Values) -> bool:
    """Whether it can never be done: more units than there are, or none that it can be done to."""
    if isinstance(effect, PlaceUnits):
        return effect.amount > _units(effect.unit, "self", numbers)
    if isinstance(effect, Repeat):
        back = any(isinstance(e, ReturnUnits) for e in effect.parts)
        supplied = [e for e in effect.parts if isinstance(e, PlaceUnits) and not e.revives]
        each = [(e.amount, e.unit) for e in supplied if not (e.optional or back)]
        return any(n * effect.times > _units(unit, "self", numbers) for n, unit in each)
    if isinstance(effect, Damage):
        kinds = GROUPS[effect.unit]
        return all(unit.hp > effect.amount for unit in numbers.units if unit.id in kinds)
    if isinstance(effect, SeveralTargets):
        return effect.amount > _units(effect.unit, effect.of, numbers)
    if isinstance(effect, Relocate) and effect.most == 0:
        return True
    return isinstance(effect, Walk) and set(GROUPS[effect.unit]) <= set(STRUCTURES)


def _idle(effect: Effect, war: bool, numbers: Values) -> bool:
    """Whether it changes nothing, whenever it is done."""
    if isinstance(effect, Bonus | Modify) and effect.amount == 0:
        return True
    if isinstance(effect, Sum) and effect.per and effect.most == 0:
        return True
    if isinstance(effect, SetRule) and (war or effect.amount >= numbers.builders):
        return True
    fixed = isinstance(effect, Modify) and {*GROUPS[effect.unit]} <= {*STRUCTURES}
    if isinstance(effect, Modify) and effect.rule == "move" and (war or fixed):
        return True  # nobody moves after a war
    if isinstance(effect, Include) and effect.where == "zone":
        return True
    if isinstance(effect, Exclude) and effect.where == "near_zone":
        return True
    other = isinstance(effect, Gain | SetRule)  # the enemy has nothing, and builds nothing, now
    other = other or (isinstance(effect, Modify) and effect.rule == "move")
    return not war and other and getattr(effect, "of", "self") == "enemy"


def idle_keys(effect: Effect, table: dict[str, Any]) -> Iterator[str]:
    """Keys that are there and mean nothing beside the others."""
    near = bool(getattr(effect, "near", ""))
    yield from (key for key in ("near", "per") if table.get(key) == "")
    if isinstance(effect, Sum) and "most" in table and not (effect.per and effect.amount >= 0):
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
